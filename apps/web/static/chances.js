// The graph of a study: the chance of each seat before each decision, with the mistakes; the analysis adds points to it.

import { COLOURS, make } from "./dom.js";
import { Graph } from "./graph.js";

const RADIUS = { inaccuracy: 2.5, mistake: 3.5, blunder: 5 };

export class ChanceGraph extends Graph {
  constructor(place, turns, seats, go) {
    super(place, turns, seats, "Chance of each seat by decision", go, [0, 1], number => `${Math.round(100 * number)}%`);
    this.marks = make(this.svg, "g");
  }

  /** Draws the rows analysed so far, each with "chances" and the "size" of a mistake. */
  draw(rows) {
    const chances = rows.map(row => row.chances);
    super.draw(chances.length ? [...chances, chances.at(-1)] : []);  // after the last decision nothing else is known
    this.marks.replaceChildren();
    rows.forEach((row, at) => {
      if (!row.size || row.seat >= this.lines.length) return;
      const dot = make(this.marks, "circle", {
        cx: this.across(at), cy: this.up(row.chances[row.seat]), r: RADIUS[row.size], fill: COLOURS[row.seat],
        stroke: "currentColor",
      });
      make(dot, "title", {}, `decision ${at + 1}: ${row.size}`);
    });
  }
}
