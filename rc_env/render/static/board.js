// The board: panels of parts, of which only changed ones are drawn anew.

import { make } from "./dom.js";

export const narrow = matchMedia("(max-width: 860px)");
export const layout = () => (narrow.matches ? "narrow" : "wide");

export class Board {
  constructor(element) {
    this.element = element;
    this.groups = [];   // of each part
    this.drawings = []; // what each shows
    this.layers = [];   // above each panel, for a page to draw on
  }

  lay(name, panels) {
    this.element.replaceChildren();
    this.element.className = `board ${name}`;
    [this.groups, this.drawings, this.layers] = [[], [], []];
    for (const panel of panels) {
      const svg = make(this.element, "svg", {
        class: `rc ${panel.name.replace(/\d+$/, "")}`, viewBox: `0 0 ${panel.width} ${panel.height}`,
        role: "group", "aria-label": panel.label,
      });
      for (const [part, place] of panel.parts) {
        this.groups.push(make(svg, "g", place ? { "data-part": part, transform: place } : { "data-part": part }));
      }
      this.layers.push(make(svg, "g"));
    }
  }

  /** Draws parts: pairs of number and drawing. */
  set(parts) {
    for (const [part, drawing] of parts) {
      this.drawings[part] = drawing;
      this.groups[part].innerHTML = drawing;
    }
  }
}
