// A graph of the chance of each seat over the decisions of a game; the analysis adds points to it.

import { COLOURS, COLOUR_NAMES, make } from "./dom.js";

const WIDE = 330, HIGH = 150, LEFT = 34, FOOT = 16;
const DASHES = ["", "7 3", "2 3", "9 3 2 3"];  // told apart without colours

export class Graph {
  /**
   * @param place where it stands
   * @param last the number of decisions
   * @param seats how many have a line
   * @param turns the turn of each position
   * @param go called with the decision that is clicked on
   */
  constructor(place, last, seats, turns, go) {
    this.last = last;
    this.rows = [];
    this.svg = make(place, "svg", { class: "chart", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      make(this.svg, "path", { class: "axis", d: `M${LEFT} ${this.up(value)}H${WIDE - 4}` });
      if (value * 2 % 1 === 0) {
        make(this.svg, "text", { x: LEFT - 4, y: this.up(value) + 4, "text-anchor": "end" }, `${100 * value}%`);
      }
    }
    const every = Math.max(1, Math.ceil(turns.at(-1) / 50) * 10);
    for (let turn = 0; turn <= turns.at(-1); turn += every) {
      const at = turns.findIndex(one => one >= turn);
      make(this.svg, "text", { x: this.across(at), y: HIGH - 3, "text-anchor": "middle" }, turns[at]);
    }
    this.lines = Array.from({ length: seats }, (_, seat) => make(this.svg, "path", {
      class: "line", stroke: COLOURS[seat], "stroke-dasharray": DASHES[seat],
    }));
    this.marks = make(this.svg, "g");
    this.now = make(this.svg, "path", { class: "now" });
    const key = make(place, "p", { class: "key" });
    this.numbers = this.lines.map((_, seat) => {
      const item = make(key, "span");
      make(item, "span", { class: `dot dot${seat}`, "aria-hidden": "true" });
      item.append(`${COLOUR_NAMES[seat]} `);
      return make(item, "b", {}, "–");
    });
    this.svg.addEventListener("click", event => {
      const box = this.svg.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width * WIDE - LEFT) / (WIDE - LEFT - 4) * last));
    });
  }

  across(at) { return LEFT + (WIDE - LEFT - 4) * at / Math.max(1, this.last); }
  up(value) { return HIGH - FOOT - (HIGH - FOOT - 8) * value; }

  /** Draws the rows analysed so far, each with "chances" and the "size" of a mistake. */
  draw(rows) {
    this.rows = rows;
    this.lines.forEach((line, seat) => {
      line.setAttribute("d", rows.map((row, at) =>
        `${at ? "L" : "M"}${this.across(at).toFixed(1)} ${this.up(row.chances[seat]).toFixed(1)}`).join(""));
    });
    this.marks.replaceChildren();
    rows.forEach((row, at) => {
      if (!row.size || row.seat >= this.lines.length) return;
      const radius = { inaccuracy: 2.5, mistake: 3.5, blunder: 5 }[row.size];
      const dot = make(this.marks, "circle", {
        cx: this.across(at), cy: this.up(row.chances[row.seat]), r: radius, fill: COLOURS[row.seat], stroke: "currentColor",
      });
      make(dot, "title", {}, `decision ${at + 1}: ${row.size}`);
    });
    const most = rows.length ? rows.at(-1).chances.map((one, seat) => `${COLOUR_NAMES[seat]} ${Math.round(100 * one)}%`) : [];
    this.svg.setAttribute("aria-label", `Chance of each seat by decision; last ${most.join(", ")}`);
  }

  show(at) {
    this.now.setAttribute("d", `M${this.across(at)} 4V${HIGH - FOOT}`);
    this.numbers.forEach((number, seat) => {
      const row = this.rows[Math.min(at, this.rows.length - 1)];
      number.textContent = row && at <= this.rows.length ? `${(100 * row.chances[seat]).toFixed(0)}%` : "–";
    });
  }
}
