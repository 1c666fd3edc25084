// The log of a game in sentences. Each line leads to the position before it.

import { COLOUR_NAMES, make } from "./dom.js";

export class Story {
  /**
   * @param place the element of the log
   * @param look called with the number of decisions before the line that was clicked
   */
  constructor(place, look) {
    [this.place, this.look] = [place, look];
    this.events = [];
    new ResizeObserver(() => { place.scrollTop = place.scrollHeight; }).observe(place);
  }

  /** Takes the lines from number `from` on; each is turn, seat, words and the number of decisions before it. */
  take({ from, lines }, names, person) {
    this.events = [...this.events.slice(0, from), ...lines];
    this.place.replaceChildren();
    let turn = null;
    for (const [at, seat, words, before] of this.events) {
      if (at !== turn) make(this.place, "h3", {}, at ? `Turn ${at}` : "Before the first turn");
      turn = at;
      const line = make(this.place, "p", { class: `of${Math.min(seat, 4)}` });
      const button = make(line, "button", { type: "button", class: "told", "data-at": before, title: "Show the position before this" });
      make(button, "b", {}, this.name(seat, names, person));
      button.append(` ${words}`);
      button.addEventListener("click", () => this.look(before));
    }
    this.place.scrollTop = this.place.scrollHeight;
  }

  name(seat, names, person) {
    if (seat === person) return "You";
    return seat < names.length && names[seat] !== "Ivan" ? COLOUR_NAMES[seat][0].toUpperCase() + COLOUR_NAMES[seat].slice(1) : "Ivan";
  }

  /** Marks the line whose position is shown; null for none. */
  mark(at) {
    for (const line of this.place.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
    if (at !== null) this.place.querySelector(`[data-at="${at}"]`)?.setAttribute("aria-current", "true");
  }
}
