// The coach while one plays: how it is set, what it has counted, and the mistake of which it speaks.

import { byId, make } from "./dom.js";

const TITLES = { inaccuracy: "An inaccuracy", mistake: "A mistake", blunder: "A blunder" };
const READ = 2000;  // milliseconds after which a card counts as seen, so that playing on leaves its mistake as it is
const count = (number, word, many) => `${number} ${number === 1 ? word : many}`;

export class Coach {
  /**
   * @param send sends a message to the server
   * @param looking at earlier positions
   * @param board where the actions are shown
   */
  constructor(send, looking, board) {
    [this.send, this.looking, this.board] = [send, looking, board];
    this.lesson = null;
    this.rings = [];
    this.since = 0;
    byId("coach-level").addEventListener("change", event => send({ do: "coach", level: event.target.value }));
    byId("lesson-back").addEventListener("click", () => this.answer("back"));
    byId("lesson-on").addEventListener("click", () => this.answer("on"));
    byId("lesson-show").addEventListener("click", () => this.reveal());
  }

  /** Shows what the server says of the coach; null where it speaks to nobody. */
  show(coach) {
    const lesson = coach?.lesson ?? null, before = this.lesson;
    this.lesson = lesson;
    byId("coach").hidden = !coach;
    byId("coach-count").hidden = !coach?.looked;
    if (coach) {
      byId("coach-level").value = coach.level;
      byId("coach-count").textContent = `The coach: ${count(coach.looked, "decision", "decisions")} looked at, ${
        count(coach.mistakes, "mistake", "mistakes")}, ${coach.taken_back} taken back. ${coach.outlook}`;
    }
    byId("lesson").hidden = !lesson;
    if (!lesson) return;
    byId("lesson-back").textContent = lesson.since ? `Take it back (and the ${count(lesson.since, "decision", "decisions")} since)` : "Take it back";
    if (before && before.at === lesson.at && before.best.number === lesson.best.number) return;
    this.since = performance.now();
    byId("lesson-decision").textContent = lesson.decision;
    byId("lesson-title").textContent = `${TITLES[lesson.size]}.`;
    byId("lesson-cost").textContent = lesson.cost;
    for (const when of ["soon", "later"]) {
      const place = byId(`lesson-${when}`), list = place.querySelector("ul");
      place.hidden = !lesson.why[when].length;
      list.replaceChildren();
      for (const words of lesson.why[when]) make(list, "li", {}, words);
    }
    byId("lesson-return").textContent = lesson.in_return;
    byId("lesson-better").hidden = true;
    byId("lesson-back").hidden = lesson.stays !== "";
    byId("lesson-stays").textContent = lesson.stays;
    byId("lesson-stays").hidden = lesson.stays === "";
    this.near();
  }

  /** What the page says above the board while a card is open; "" for nothing. In a game of several people bots wait for a while only. */
  headline(mine, alone) {
    if (!this.lesson) return "";
    const then = mine ? ": answer it, or play on." : alone ? ": the bots wait for your answer." : ".";
    return `The coach has something to say about turn ${this.lesson.turn}${then}`;
  }

  /** The decision whose card has been shown long enough to be read; null for none. */
  get read() {
    return this.lesson && performance.now() > this.since + READ ? this.lesson.at : null;
  }

  /** Brings the card into view, from its beginning. */
  near() {
    const list = document.querySelector(".now"), card = byId("lesson");
    if (innerWidth <= 1100) card.scrollIntoView();
    else list.scrollTop += card.getBoundingClientRect().top - list.getBoundingClientRect().top;
  }

  answer(answer) {
    this.looking.end();
    this.send({ do: "lesson", at: this.lesson.at, answer });
  }

  /** Shows the better action, in words and on the board as it was before the decision. */
  async reveal() {
    const { at, best, played } = this.lesson;
    byId("lesson-better").textContent = `Better: ${best.phrase}${best.note ? ` (${best.note})` : ""}.`;
    byId("lesson-better").hidden = false;
    await this.looking.look(at);
    if (this.looking.at !== at) return;
    this.clear();
    for (const [action, kind] of [[best, "best"], [played, "played"]]) {
      for (const place of action.places) this.rings.push(...this.board.cover(place, { class: `ring ${kind}` }));
    }
    if (this.rings.length) this.board.show(this.rings[0]);
  }

  /** Another position is shown; null stands for the present one. */
  turn(at) {
    this.clear();
    if (at === null && this.lesson && innerWidth <= 1100) this.near();
  }

  clear() {
    this.rings.forEach(shape => shape.remove());
    this.rings = [];
  }
}
