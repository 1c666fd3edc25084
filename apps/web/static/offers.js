// The legal actions in groups, in words: each group says how many it has, and large ones open by a click.

import { make } from "./dom.js";
import { pointedAt } from "./pointing.js";

const few = () => (innerWidth > 640 ? 8 : 4);  // actions of a group that is open from the start

/** An action in words: what it is, and what it means here. */
export const wordsOf = action => [action.phrase[0].toUpperCase() + action.phrase.slice(1), action.note].filter(Boolean).join(": ");

/** The words of an action in an element: what it is, and what it means here. */
export const actionWords = (parent, action) => {
  parent.append(action.phrase[0].toUpperCase() + action.phrase.slice(1));
  if (action.note) make(parent, "small", {}, action.note);
};

export class Offers {
  /**
   * @param place the element of the list
   * @param choose called with the action that was chosen
   * @param point called with the action that is pointed at, or null
   */
  constructor(place, choose, point) {
    [this.place, this.choose, this.point] = [place, choose, point];
    this.opened = new Map();  // what the person has opened or closed, by group
  }

  /** Shows actions; `groups` has the title of each group by name, in order. */
  show(actions, groups) {
    this.place.replaceChildren();
    for (const [name, title] of Object.entries(groups)) {
      const here = actions.filter(action => action.group === name);
      if (!here.length) continue;
      const group = make(this.place, "details", { class: "group", "data-group": name });
      group.open = this.opened.get(name) ?? (here.length <= few() || here.length === actions.length);
      const summary = make(group, "summary", {}, title);
      make(summary, "span", { class: "count" }, here.length);
      summary.addEventListener("click", () => this.opened.set(name, !group.open));
      const list = make(group, "ul");
      for (const action of here) {
        const button = make(make(list, "li"), "button", { type: "button", "data-number": action.number });
        actionWords(button, action);
        button.addEventListener("click", () => this.choose(action));
        pointedAt(button, () => action, this.point);
      }
    }
  }

  /** The last action of a list that is short enough to be seen at once, of at most so many; else undefined. */
  lastOf(most) {
    const buttons = [...this.place.querySelectorAll("button")];
    return buttons.length <= most ? buttons.at(-1) : undefined;
  }

  /** Marks the best action, and opens its group. */
  best(number) {
    for (const button of this.place.querySelectorAll("button[data-number]")) {
      const best = number !== null && +button.dataset.number === number;
      button.classList.toggle("best", best);
      if (best) button.closest("details").open = true;
    }
  }
}
