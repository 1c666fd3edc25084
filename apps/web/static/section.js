// A section of the cathedral on a real table: its card in counters, or one of those that are known, and its tile.

import { byId, make } from "./dom.js";
import { cardIcons, cardWords, icon, plain } from "./icons.js";

export class SectionForm {
  /**
   * @param changed called when the section has changed
   * @param open called with a tower and a level that are to be shown next
   */
  constructor(changed, open) {
    this.changed = changed;
    this.at = "";
    byId("section-close").addEventListener("click", () => {
      const at = this.at;
      this.close();
      changed();
      document.querySelector(`#towers [data-section="${at}"]`)?.focus();
    });
    byId("section-next").addEventListener("click", () => this.next && open(...this.next));
  }

  close() {
    this.at = "";
    byId("section").hidden = true;
  }

  /**
   * Shows a section: `choices` has the known cards by kind, `tiles` pairs of a tile and its words, `drawTile` draws one, `next`
   * is the tower and the level after it, or null.
   */
  show(tower, level, section, kind, choices, tiles, drawTile, next) {
    this.at = `${tower + 1}.${level + 1}`;
    [this.section, this.next] = [section, next];
    byId("section").hidden = false;
    byId("section-title").textContent = `Section ${this.at}, a ${kind}`;
    byId("section-next").hidden = next === null;
    const place = byId("section-card");
    place.replaceChildren();
    this.marks = [];
    this.counters(place, choices.materials);
    const known = make(place, "details");
    known.open = innerWidth > 640;
    make(known, "summary", {}, "or take one of these");
    make(known, "small", {}, "Those with a green edge are cards that you have entered before; the others are packaged stand-ins.");
    this.picks(known, choices.cards[kind].map(card => [card, cardWords(card), card.typed]), card => this.same(card), card => {
      section.card = { cost: { ...card.cost }, recognition: card.recognition, rubles: card.rubles };
      this.tell();
    }, cardIcons);
    make(place, "h3", {}, "Workshop tile on it");
    this.picks(place, tiles.map(([name, words]) => [name, words, false]), name => section.tile === name, name => {
      section.tile = name;
      this.tell();
    }, (parent, name) => {
      drawTile(parent, name);
      make(parent, "span", {}, plain(name));
    });
    this.showCounts();
    if (place.getBoundingClientRect().bottom > innerHeight) byId("section").scrollIntoView({ block: "nearest" });
  }

  same(card) {
    const mine = this.section.card;
    const names = new Set([...Object.keys(card.cost), ...Object.keys(mine?.cost ?? {})]);
    return Boolean(mine) && ["recognition", "rubles"].every(name => mine[name] === card[name])
      && [...names].every(name => (mine.cost[name] ?? 0) === (card.cost[name] ?? 0));
  }

  counters(place, materials) {
    const group = make(place, "div", { class: "counters", role: "group", "aria-label": "Cost and reward of the card" });
    this.outputs = {};
    for (const name of [...materials, "recognition", "rubles"]) {
      const row = make(group, "div", { class: "counter" });
      icon(row, name);
      make(row, "span", {}, materials.includes(name) ? plain(name) : `${name} gained`);
      const step = (sign, by) => make(row, "button", { type: "button", "aria-label": `${by > 0 ? "More" : "Less"} ${plain(name)}` }, sign)
        .addEventListener("click", () => this.count(name, by));
      step("−", -1);
      this.outputs[name] = make(row, "output", { "aria-label": plain(name) }, 0);
      step("+", 1);
    }
  }

  count(name, by) {
    const card = this.section.card ??= { cost: {}, recognition: 0, rubles: 0 };
    const holder = name in card && name !== "cost" ? card : card.cost;
    holder[name] = Math.max(0, Math.min(20, (holder[name] ?? 0) + by));
    if (holder === card.cost && !holder[name]) delete holder[name];
    this.tell();
  }

  showCounts() {
    const card = this.section.card;
    for (const [name, output] of Object.entries(this.outputs)) output.textContent = card?.[name] ?? card?.cost[name] ?? 0;
    for (const mark of this.marks) mark();
  }

  picks(place, entries, chosen, take, draw) {
    const list = make(place, "div", { class: "picks" });
    for (const [entry, words, typed] of entries) {
      const button = make(list, "button", { type: "button", "aria-label": words, title: words });
      if (typed) button.classList.add("typed");
      if (typeof entry === "string") button.dataset.tile = entry;
      draw(button, entry);
      this.marks.push(() => button.setAttribute("aria-pressed", String(chosen(entry))));
      button.addEventListener("click", () => take(entry));
    }
  }

  tell() {
    this.showCounts();
    this.changed();
  }
}
