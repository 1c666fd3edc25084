// A graph of a number of each seat over the positions of a game, with a mark where we are.

import { COLOURS, COLOUR_NAMES, make } from "./dom.js";

const WIDE = 330, HIGH = 150, LEFT = 42, FOOT = 16;
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];  // told apart without colours
const usual = number => String(Math.round(100 * number) / 100);

export class Graph {
  /**
   * @param place where it stands
   * @param turns the turn of each position
   * @param seats how many have a line
   * @param label what it shows, for those who do not see it
   * @param go called with the position that is clicked on
   * @param range the lowest and the highest number
   * @param words a number in words
   */
  constructor(place, turns, seats, label, go, [low, high], words = usual) {
    [this.last, this.low, this.high, this.words, this.label] = [turns.length - 1, low, high, words, label];
    this.rows = [];
    this.svg = make(place, "svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label });
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const value = low + share * (high - low);
      make(this.svg, "path", { class: "axis", d: `M${LEFT} ${this.up(value)}H${WIDE - 4}` });
      if (share * 2 % 1 === 0) {
        make(this.svg, "text", { x: LEFT - 4, y: this.up(value) + 4, "text-anchor": "end" }, words(value));
      }
    }
    const every = Math.max(1, Math.ceil(turns.at(-1) / 50) * 10);
    for (let turn = 0; turn <= turns.at(-1); turn += every) {
      const at = turns.findIndex(one => one >= turn);  // in the solo game some turns have no decision
      make(this.svg, "text", { x: this.across(at), y: HIGH - 3, "text-anchor": "middle" }, turns[at]);
    }
    this.lines = Array.from({ length: seats }, (_, seat) => make(this.svg, "path", {
      class: "line", stroke: COLOURS[seat], "stroke-dasharray": DASHES[seat],
    }));
    this.now = make(this.svg, "path", { class: "now" });
    this.dots = this.lines.map((_, seat) => make(this.svg, "circle", { r: 3.5, fill: COLOURS[seat], class: "here" }));
    const key = make(place, "p", { class: "key" });
    this.numbers = this.lines.map((_, seat) => {
      const item = make(key, "span");
      make(item, "span", { class: `dot dot${seat}`, "aria-hidden": "true" });
      item.append(`${COLOUR_NAMES[seat]} `);
      return make(item, "b", {}, "–");
    });
    this.svg.addEventListener("click", event => {
      const box = this.svg.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * WIDE - LEFT) / (WIDE - LEFT - 4) * this.last));
    });
  }

  across(at) { return LEFT + (WIDE - LEFT - 4) * at / Math.max(1, this.last); }
  up(value) { return HIGH - FOOT - (HIGH - FOOT - 8) * (value - this.low) / (this.high - this.low); }

  /** The number of a seat at a position whose row is known. */
  said(at, seat) { return this.words(this.rows[at][seat]); }

  /** Draws rows of a number per seat, by position; null where none is known. */
  draw(rows) {
    this.rows = rows;
    this.lines.forEach((line, seat) => {
      const points = rows.flatMap((row, at) => (row ? [`${this.across(at).toFixed(1)} ${this.up(row[seat]).toFixed(1)}`] : []));
      line.setAttribute("d", points.map((point, i) => `${i ? "L" : "M"}${point}`).join(""));
    });
    const end = rows.findLastIndex(row => row);
    const ends = end < 0 ? [] : this.lines.map((_, seat) => `${COLOUR_NAMES[seat]} ${this.said(end, seat)}`);
    this.svg.setAttribute("aria-label", ends.length ? `${this.label}; last ${ends.join(", ")}` : this.label);
  }

  show(at) {
    this.now.setAttribute("d", `M${this.across(at)} 4V${HIGH - FOOT}`);
    const row = this.rows[at];
    this.numbers.forEach((number, seat) => {
      number.textContent = row ? this.said(at, seat) : "–";
      this.dots[seat].setAttribute("visibility", row ? "visible" : "hidden");
      if (!row) return;
      this.dots[seat].setAttribute("cx", this.across(at));
      this.dots[seat].setAttribute("cy", this.up(row[seat]));
    });
  }
}
