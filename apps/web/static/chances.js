// The graph of a study: the win chance of each seat before each decision, with the mistakes; the analysis adds to it.

import { COLOURS, make } from "./dom.js";
import { Graph } from "./graph.js";

const RADIUS = { inaccuracy: 2.5, mistake: 3.5, blunder: 5 };

export class ChanceGraph extends Graph {
  constructor(place, turns, seats, go) {
    super(place, turns, seats, "Win chance of each seat by decision", go, [0, 1], number => `${Math.round(100 * number)}%`);
    this.marks = make(this.svg, "g");
    this.bands = this.lines.map(line => {
      const band = make(this.svg, "path", { class: "band", fill: line.getAttribute("stroke") });
      this.svg.insertBefore(band, this.lines[0]);
      return band;
    });
  }

  /**
   * Draws the chances at each position with two standard errors on either side, null where they are not known, and the
   * mistakes among the rows by decision.
   */
  draw(chances, errors, rows) {
    this.errors = errors;
    this.bands.forEach((band, seat) => band.setAttribute("d", this.around(chances, errors, seat)));
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

  said(at, seat) {
    const error = this.errors[at]?.[seat];  // 0 where the result is known
    return super.said(at, seat) + (error ? ` ± ${Math.round(196 * error)}` : "");
  }

  /** The shape of a band of two standard errors around the chances of a seat, broken where they are not known. */
  around(chances, errors, seat) {
    const point = (at, sign) => {
      const value = chances[at][seat] + sign * 1.96 * errors[at][seat];
      return `${this.across(at).toFixed(1)} ${this.up(Math.max(0, Math.min(1, value))).toFixed(1)}`;
    };
    const runs = [];
    chances.forEach((row, at) => {
      if (!row || !errors[at]) return;
      if (at && chances[at - 1] && errors[at - 1]) runs.at(-1).push(at);
      else runs.push([at]);
    });
    return runs.map(run => `M${[...run.map(at => point(at, 1)), ...[...run].reverse().map(at => point(at, -1))].join("L")}Z`).join("");
  }
}
