// The coach while one plays: how it is set, what it has counted, and the mistake at which it has stopped the game.

import { byId, make } from "./dom.js";

const TITLES = { inaccuracy: "An inaccuracy", mistake: "A mistake", blunder: "A blunder" };
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
        count(coach.mistakes, "mistake", "mistakes")}, ${coach.taken_back} taken back.`;
    }
    byId("lesson").hidden = !lesson;
    if (!lesson || (before && before.at === lesson.at && before.best.number === lesson.best.number)) return;
    byId("lesson-title").textContent = TITLES[lesson.size];
    byId("lesson-played").textContent = `You chose to ${lesson.played.phrase}.`;
    byId("lesson-cost").textContent = lesson.cost;
    byId("lesson-why").replaceChildren();
    for (const words of lesson.why) make(byId("lesson-why"), "li", {}, words);
    byId("lesson-return").textContent = lesson.in_return;
    byId("lesson-better").hidden = true;
    byId("lesson-show").hidden = false;
    byId("lesson-back").hidden = lesson.stays !== "";
    byId("lesson-stays").textContent = lesson.stays;
    byId("lesson-stays").hidden = lesson.stays === "";
    byId("lesson").scrollIntoView({ block: "nearest" });
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
    byId("lesson-show").hidden = true;
    await this.looking.look(at);
    if (this.looking.at !== at) return;
    for (const [action, kind] of [[best, "best"], [played, "played"]]) {
      for (const place of action.places) this.rings.push(...this.board.cover(place, { class: `ring ${kind}` }));
    }
  }

  /** Another position is shown. */
  clear() {
    this.rings.forEach(shape => shape.remove());
    this.rings = [];
  }
}
