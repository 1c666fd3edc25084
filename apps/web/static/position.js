// Changing a position by hand: what can be changed in fields, the board with the changes, who is winning, and playing on.

import { COLOUR_NAMES, byId, make, seatName, themeName } from "./dom.js";
import { dieIcon, icon, plain } from "./icons.js";
import { loadPieces, post } from "./server.js";

const id = new URLSearchParams(location.search).get("id") ?? "";
const path = `/api/games/${encodeURIComponent(id)}/position`;
let at, fields, changes = {}, asked = 0;

const say = sentence => { byId("sentence").textContent = sentence ?? ""; };

const pathOfBoard = () => `${path}?theme=${themeName()}`;
const allow = on => { byId("play").disabled = byId("chances").disabled = !on; };
const take = found => {
  ({ at, fields } = found);
  byId("board").src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.board)}`;
  allow(true);
};
/** Takes the position of now, without changes. */
const begin = found => {
  changes = {};
  take(found);
  lay();
};
/** Says why something was refused; if the game has gone on, begins anew with the position of now. */
const refuse = async error => {
  const number = asked;
  say(error.message);
  const found = at === undefined ? null : await post(pathOfBoard(), {}).catch(() => null);
  if (number === asked && found && found.at !== at) begin(found);
};
/** Shows the position with the changes; if it cannot be, the sentence that says why, and the changes stay in their fields. */
const show = async () => {
  const number = asked += 1;
  byId("answer").textContent = "";
  const first = at === undefined;
  if (first) allow(false);
  try {
    const found = await post(pathOfBoard(), first ? {} : { at, changes });
    if (number !== asked) return;
    (first ? begin : take)(found);
    say("");
  } catch (error) {
    if (number !== asked) return;
    allow(false);
    await refuse(error);
  }
  document.body.dataset.shown = number;
};
/** What is typed is sent as it is, so that the server refuses what cannot be in a sentence; nothing typed is 0. */
const numberField = (parent, words, name, value, most, set) => {
  const label = make(parent, "label", { class: "field" }), title = make(label, "span", {}, `${plain(name)} `);
  if (name !== "track") icon(title, name);
  const input = make(label, "input", { type: "number", min: 0, max: most, step: 1, "aria-label": words });
  input.value = value;
  input.addEventListener("change", () => {
    input.value ||= "0";
    set(+input.value);
    show();
  });
};
const choice = (parent, words, values, value, set, draw) => {
  const label = make(parent, "label", { class: "field" }), title = make(label, "span", {}, `${words} `);
  draw?.(title);
  const select = make(label, "select", { "aria-label": words });
  for (const [one, said] of values) make(select, "option", { value: one }, said);
  select.value = value;
  select.addEventListener("change", () => {
    set(select.value);
    show();
  });
  return select;
};
const lay = () => {
  for (const part of ["seats", "delivered", "dice", "market"]) byId(part).replaceChildren();
  if (fields.turn_of) {
    choice(byId("seats"), "Whose turn it is", fields.seats.map((_, seat) => [COLOUR_NAMES[seat], COLOUR_NAMES[seat]]), fields.turn_of,
      colour => { changes.turn_of = colour; });
  }
  fields.seats.forEach((seat, i) => {
    seatName(make(byId("seats"), "h3"), i, COLOUR_NAMES[i]);
    const place = make(byId("seats"), "div", { class: "fields small", role: "group", "aria-label": COLOUR_NAMES[i] });
    for (const [name, value] of Object.entries(seat)) {
      numberField(place, `${plain(name)} of ${COLOUR_NAMES[i]}`, name, value, ["rubles", "track"].includes(name) ? 30_000 : 60, found => {
        changes.seats ??= fields.seats.map(() => ({}));
        changes.seats[i][name] = found;
      });
    }
  });
  for (const [section, delivered] of Object.entries(fields.delivered)) {
    make(byId("delivered"), "h3", {}, `Section ${section}`);
    const place = make(byId("delivered"), "div", { class: "fields small", role: "group", "aria-label": `Section ${section}` });
    for (const [name, value] of Object.entries(delivered)) {
      numberField(place, `${plain(name)} on section ${section}`, name, value, 6, found => {
        ((changes.delivered ??= {})[section] ??= {})[name] = found;
      });
    }
  }
  if (!Object.keys(fields.delivered).length) make(byId("delivered"), "p", { class: "muted" }, "No section is being built.");
  const numbers = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => [low + i, low + i]);
  for (const [die, { space, value }] of Object.entries(fields.dice)) {
    const set = (key, found) => { ((changes.dice ??= {})[die] ??= {})[key] = +found; };
    choice(byId("dice"), `${die} die, space`, numbers(0, 7), space, found => set("space", found), parent => dieIcon(parent, die));
    choice(byId("dice"), `${die} die, shows`, numbers(1, 6), value, found => set("value", found));
  }
  const gain = tile => tile.split(":"), words = tile => `${gain(tile)[1]} ${plain(gain(tile)[0])}`;
  const market = [...fields.market], selects = market.map((tile, space) =>
    choice(byId("market"), `Space ${space}`, fields.market.map(one => [one, words(one)]), tile, found => {
      const other = market.indexOf(found);
      [market[space], market[other]] = [market[other], market[space]];
      selects.forEach((select, i) => { select.value = market[i]; });
      changes.market = market;
    }));
};
byId("game").href = `/game?id=${encodeURIComponent(id)}`;
byId("chances").addEventListener("click", async () => {
  byId("answer").textContent = "thinking …";
  const number = asked;
  try {
    const { sentence } = await post(`${path}/chances`, { at, changes });
    if (number === asked) byId("answer").textContent = sentence;
  } catch (error) {
    byId("answer").textContent = "";
    await refuse(error);
  }
});
byId("play").addEventListener("click", async () => {
  try {
    location.href = `/game?id=${(await post(`${path}/play`, { at, changes })).id}`;
  } catch (error) {
    await refuse(error);
  }
});
byId("undo").addEventListener("click", () => {
  at = undefined;
  show();
});
(async () => {
  await loadPieces(true, true).catch(error => say(error.message));
  await show();
  document.body.dataset.state = "ready";
})();
