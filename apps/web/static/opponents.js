// The opponents of a game: levels from the weakest to the strongest, and all bots by their names.

import { make } from "./dom.js";

/** What a bot is called: its level, or its name. */
export const botTitle = ({ name, level }) => (level ? `${level.number} · ${level.title}` : name);

/** Puts opponents into a select: first the levels, then bots by name, and at last any other. */
export const listOpponents = (select, bots) => {
  const levels = make(select, "optgroup", { label: "Level" });
  const sorted = bots.filter(bot => bot.level).sort((a, b) => a.level.number - b.level.number);
  for (const bot of sorted) make(levels, "option", { value: bot.name, title: `Bot: ${bot.name}` }, botTitle(bot));
  const more = make(select, "optgroup", { label: "More: bots by name" });
  for (const { name, about, level } of bots) {
    if (!level) make(more, "option", { value: name }, about ? `${name}: ${about}` : name);
  }
  make(more, "option", { value: "" }, "another bot …");
};

/** What is known of an opponent: how it plays, and what was measured. */
export const describe = (bots, name) => {
  const bot = bots.find(one => one.name === name);
  if (!bot) return "";
  return bot.level?.words ?? bot.about;
};
