// Choosing a legal action on the board: lit places, clicks, and a menu if several actions remain after a click.

import { byId, make } from "./dom.js";
import { actionWords } from "./offers.js";
import { pointedAt } from "./pointing.js";

export class Choosing {
  /**
   * @param board the LiveBoard
   * @param choose called with the action that was chosen
   * @param point called with the action that is pointed at, or null
   */
  constructor(board, choose, point) {
    [this.board, this.choose, this.point] = [board, choose, point];
    this.actions = [];
    this.picked = [];
    this.menu = byId("chooser");
    document.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.picked.length) this.offer(this.actions);
    });
    document.addEventListener("pointerdown", event => {
      if (this.picked.length && !event.target.closest("#chooser, .light, .actions")) this.offer(this.actions);
    });
  }

  /** Lights the places of these actions anew. */
  offer(actions) {
    this.actions = actions;
    this.picked = [];
    this.show();
  }

  get left() {
    return this.actions.filter(action => this.picked.every(place => action.places.includes(place)));
  }

  show(x, y) {
    for (const layer of this.board.layers) layer.querySelectorAll(".light").forEach(one => one.remove());
    const left = this.left;
    const first = new Set(left.map(action => action.places[0]));
    const places = new Set(left.flatMap(action => action.places));
    // things on a part come last, so that the light of the part does not cover them
    for (const place of [...places].sort((a, b) => a.includes("/") - b.includes("/"))) {
      const picked = this.picked.includes(place);
      const faint = !this.picked.length && !first.has(place);
      this.light(place, `light${picked ? " picked" : faint ? " faint" : ""}`);
    }
    this.list(this.picked.length ? left : [], x, y);
  }

  light(place, name) {
    const shapes = this.board.cover(place, { class: name, "data-place": place });
    shapes.forEach((shape, i) => {
      if (i === 0) {
        shape.setAttribute("role", "button");
        shape.setAttribute("tabindex", "0");
        shape.setAttribute("aria-label", this.board.words(place));
      }
      const only = () => {
        const left = this.left.filter(action => action.places.includes(place));
        return left.length === 1 ? left[0] : null;
      };
      pointedAt(shape, only, this.point);
      shape.addEventListener("click", event => this.click(place, event));
      shape.addEventListener("keydown", event => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        const box = shape.getBoundingClientRect();
        this.click(place, { clientX: box.right, clientY: box.bottom });
      });
    });
  }

  click(place, { clientX, clientY }) {
    if (this.picked.includes(place)) {
      this.picked = this.picked.filter(one => one !== place);
      return this.show(clientX, clientY);
    }
    this.picked.push(place);
    const left = this.left;
    if (left.length === 1) return this.take(left[0]);
    if (!left.length) this.picked = [place];
    this.show(clientX, clientY);
  }

  take(action) {
    this.picked = [];
    this.menu.hidden = true;
    this.choose(action);
  }

  list(actions, x = 20, y = 80) {
    this.menu.hidden = !actions.length;
    this.menu.replaceChildren();
    if (!actions.length) return;
    const head = make(this.menu, "h2", {}, "Which action?");
    make(head, "button", { type: "button", "aria-label": "Choose something else" }, "×")
      .addEventListener("click", () => this.offer(this.actions));
    const list = make(this.menu, "ul");
    for (const action of actions) {
      const button = make(make(list, "li"), "button", { type: "button", "data-number": action.number });
      actionWords(button, action);
      button.addEventListener("click", () => this.take(action));
      pointedAt(button, () => action, this.point);
    }
    const box = this.menu.getBoundingClientRect();
    this.menu.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    this.menu.style.top = `${Math.max(8, Math.min(y + 14, innerHeight - box.height - 8))}px`;
    list.querySelector("button").focus({ preventScroll: true });
  }

  /** Marks the places of an action that is pointed at in the list of actions. */
  pointAt(action) {
    for (const one of this.board.element.querySelectorAll(".light.pointed")) one.classList.remove("pointed");
    for (const place of action?.places ?? []) {
      for (const one of this.board.element.querySelectorAll(`.light[data-place="${CSS.escape(place)}"]`)) {
        one.classList.add("pointed");
      }
    }
  }
}
