// Pieces of the board within text: materials, dice, tiles, and cathedral cards with their cost and reward.

import { COLOUR_NAMES, make } from "./dom.js";

const DICE = [...COLOUR_NAMES, "white", "black"];

/** The words of a name from the server, such as `green gem` or `blue die`. */
export const plain = name => (name.startsWith("die:") ? `${name.slice(4)} die` : name.replaceAll("_", " "));

/** A piece by its name; it has no name of its own for screen readers. */
export const icon = (parent, name) => {
  const svg = make(parent, "svg", { class: "rc icon", viewBox: "-13 -13 26 26", "aria-hidden": "true" });
  make(svg, "use", { href: `#rc-${name}` });
  return svg;
};

/** A die in its colour, with a number of pips; without one its colour alone. */
export const dieIcon = (parent, die, value) => {
  const svg = make(parent, "svg", { class: "rc icon", viewBox: "-13 -13 26 26", "aria-hidden": "true" });
  const colour = DICE.indexOf(die);
  make(svg, "rect", { x: -10, y: -10, width: 20, height: 20, rx: 4, class: `c${colour}`, stroke: "#2b2018" });
  if (value) make(svg, "use", { href: `#rc-pips${value}`, class: `i${colour}` });
  return svg;
};

/** What a tile gives: a die, or a resource with its amount. */
export const tileIcon = (parent, name, amount = 1) => {
  if (name.startsWith("die:")) return dieIcon(parent, name.slice(4));
  if (amount > 1) make(parent, "b", {}, amount);
  return icon(parent, name);
};

/** A cathedral card in words. */
export const cardWords = card => {
  const cost = Object.entries(card.cost).map(([name, count]) => `${count} ${plain(name)}`).join(", ");
  return `costs ${cost || "nothing yet"}, gives ${card.recognition} recognition and ${card.rubles} ${card.rubles === 1 ? "ruble" : "rubles"}`;
};

/** A cathedral card in icons: its cost, then its reward. */
export const cardIcons = (parent, card) => {
  const cost = make(parent, "span", { class: "cost", "aria-hidden": "true" });
  for (const [name, count] of Object.entries(card.cost)) for (let i = 0; i < count; i += 1) icon(cost, name);
  const gain = make(parent, "span", { class: "gain", "aria-hidden": "true" });
  for (const name of ["recognition", "rubles"]) {
    if (!card[name]) continue;
    make(gain, "b", {}, card[name]);
    icon(gain, name);
  }
};
