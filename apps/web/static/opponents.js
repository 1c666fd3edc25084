// The opponents of a game: levels from the weakest to the strongest, and all bots by their names.

import { make } from "./dom.js";

/** Puts opponents into a select: first the levels, then bots by name, and at last any other. */
export const listOpponents = (select, bots) => {
  const levels = make(select, "optgroup", { label: "Level" });
  const sorted = bots.filter(bot => bot.level).sort((a, b) => a.level.number - b.level.number);
  for (const { name, level } of sorted) make(levels, "option", { value: name }, `${level.number} · ${level.title}`);
  const more = make(select, "optgroup", { label: "More: bots by name" });
  for (const { name, about, level } of bots) {
    if (!level) make(more, "option", { value: name }, about ? `${name}: ${about}` : name);
  }
  make(more, "option", { value: "" }, "another bot …");
};

/** What is known of an opponent: how it plays, what was measured, and its name. */
export const describe = (bots, name) => {
  const bot = bots.find(one => one.name === name);
  if (!bot) return "";
  return bot.level ? `${bot.level.words} Bot: ${bot.name}.` : bot.about;
};
