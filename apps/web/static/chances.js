// The graph of a study: the win chance of each seat before each decision, with the mistakes; the analysis adds to it.

import { COLOURS, make } from "./dom.js";
import { Graph } from "./graph.js";

const RADIUS = { inaccuracy: 2.5, mistake: 3.5, blunder: 5 };

export class ChanceGraph extends Graph {
  constructor(place, turns, seats, go) {
    super(place, turns, seats, "Win chance of each seat by decision", go, [0, 1], number => `${Math.round(100 * number)}%`);
    this.marks = make(this.svg, "g");
  }

  /** Draws the chances at each position, null where they are not known, and the mistakes among the rows by decision. */
  draw(chances, rows) {
    chances = chances.map(row => row && row.map(chance => Math.max(0, Math.min(1, chance))));  // sums of errors may leave it
    super.draw(chances);
    this.marks.replaceChildren();
    rows.forEach((row, at) => {
      if (!row.size || !chances[at] || row.seat >= this.lines.length) return;
      const dot = make(this.marks, "circle", {
        cx: this.across(at), cy: this.up(chances[at][row.seat]), r: RADIUS[row.size], fill: COLOURS[row.seat],
        stroke: "currentColor",
      });
      make(dot, "title", {}, `decision ${at + 1}: ${row.size}`);
    });
  }
}
