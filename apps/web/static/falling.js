// What fell at a real table: the page asks for one roll or draw after the other, and sends what was clicked.

import { byId, make } from "./dom.js";
import { dieIcon } from "./icons.js";

const TITLES = {
  dice: "What did the dice show?", cards: "Which cathedral card was drawn?", specialists: "Which specialist was drawn from the bag?",
  tiles: "Ivan lays his tiles anew: click them from left to right",
};

export class Falling {
  /**
   * @param answer called with an action, the decisions before it, and all that fell so far
   * @param back called when another action is wanted
   */
  constructor(answer, back) {
    this.answer = answer;
    byId("falling-back").addEventListener("click", () => {
      this.end();
      back();
    });
  }

  get open() {
    return !byId("falling").hidden;
  }

  /** Takes the question away. */
  end() {
    byId("falling").hidden = true;
    byId("falling-rows").replaceChildren();
  }

  /** Shows the question of a message. */
  show(message) {
    const { kind, entries, of_ivan: ivan } = message.question;
    this.message = message;
    this.entries = Array(entries).fill(null);
    byId("falling").hidden = false;
    byId("falling-title").textContent = `${ivan && kind !== "tiles" ? "Ivan: " : ""}${TITLES[kind]}`;
    byId("falling-rows").replaceChildren();
    if (kind === "dice") this.dice(); else this.draws();
    byId("falling-rows").querySelector("button").focus({ preventScroll: true });
  }

  /** A row of six faces for each die of the roll. */
  dice() {
    this.message.question.choices.forEach((die, place) => {
      const row = make(byId("falling-rows"), "div", { class: "faces", role: "group", "aria-label": `${die} die` });
      for (let value = 1; value <= 6; value += 1) {
        const button = make(row, "button", { type: "button", "aria-label": `${die} ${value}`, "aria-pressed": "false", "data-die": die, "data-value": value });
        dieIcon(button, die, value);
        button.addEventListener("click", () => {
          for (const other of row.children) other.setAttribute("aria-pressed", other === button);
          this.enter(place, value);
        });
      }
    });
  }

  /** A list of what can be drawn; of several the order is that of the clicks. */
  draws() {
    const { choices, labels } = this.message.question;
    const list = make(byId("falling-rows"), "div", { class: "drawn" });
    choices.forEach((choice, i) => {
      const button = make(list, "button", { type: "button", "data-choice": choice }, labels[i]);
      button.addEventListener("click", () => {
        button.disabled = true;
        this.enter(this.entries.indexOf(null), choice);
      });
    });
  }

  enter(place, value) {
    this.entries[place] = value;
    if (this.entries.includes(null)) return;
    const { action, at, fell, question: { kind } } = this.message;
    this.answer(action, at, { ...fell, [kind]: [...fell[kind], ...this.entries] });
  }
}
