// Changing a position by hand: what can be changed in fields, the board with the changes, who is winning, and playing on.

import { COLOUR_NAMES, byId, make, seatName, themeName } from "./dom.js";
import { dieIcon, icon, plain } from "./icons.js";
import { loadPieces, post } from "./server.js";

const CLOSED = byId("board-words").textContent;
const id = new URLSearchParams(location.search).get("id") ?? "";
const path = `/api/games/${encodeURIComponent(id)}/position`;
let at, fields, slots, laid, changes = {}, asked = 0, refresh = [];

const say = sentence => { byId("sentence").textContent = sentence ?? ""; };

const pathOfBoard = () => `${path}?theme=${themeName()}`;
const allow = on => { byId("play").disabled = byId("chances").disabled = !on; };
const take = found => {
  ({ at, fields, slots } = found);
  byId("board").src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(found.board)}`;
  allow(true);
};
/** Which fields there are, whatever stands in them. */
const shape = () => JSON.stringify(fields, (_, value) => (typeof value === "object" ? value : 0));
/** Takes a position with changes: what follows from them is shown, too, and fields that come with them are laid. */
const follow = found => {
  take(found);
  if (shape() === laid) {
    for (const one of refresh) one();
    return;
  }
  const label = document.activeElement.getAttribute("aria-label");
  lay();
  document.querySelector(`[aria-label="${label}"]`)?.focus();
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
    (first ? begin : follow)(found);
    say("");
  } catch (error) {
    if (number !== asked) return;
    allow(false);
    await refuse(error);
  }
  document.body.dataset.shown = number;
};
/** Shows a value in its field now, and again when it has followed from another change. */
const keep = (input, get, part = "value") => {
  input[part] = get();
  refresh.push(() => { if (input !== document.activeElement) input[part] = get(); });
};
/** What is typed is sent as it is, so that the server refuses what cannot be in a sentence; nothing typed is 0. */
const numberField = (parent, words, name, get, most, set) => {
  const label = make(parent, "label", { class: "field" }), title = make(label, "span", {}, `${plain(name)} `);
  if (!["track", "banners"].includes(name)) icon(title, name);
  const input = make(label, "input", { type: "number", min: 0, max: most, step: 1, "aria-label": words });
  keep(input, get);
  input.addEventListener("change", () => {
    input.value ||= "0";
    set(+input.value);
    show();
  });
};
const choice = (parent, words, values, get, set, { draw, short = words } = {}) => {
  const label = make(parent, "label", { class: "field" }), title = make(label, "span", {}, `${short} `);
  draw?.(title);
  const select = make(label, "select", { "aria-label": words });
  for (const [one, said] of values) make(select, "option", { value: one }, said);
  keep(select, get);
  select.addEventListener("change", () => {
    set(select.value);
    show();
  });
  return select;
};
const tick = (parent, words, get, set, short) => {
  const label = make(parent, "label", { class: "tick" }), input = make(label, "input", { type: "checkbox", "aria-label": words });
  make(label, "span", {}, short);
  keep(input, get, "checked");
  input.addEventListener("change", () => {
    set(input.checked);
    show();
  });
};
const gain = tile => tile.split(":");
const tileWords = tile => ({ none: "nothing", banner: "a banner" }[tile] ?? `${gain(tile)[1]} ${plain(gain(tile)[0])}`);
const colours = count => COLOUR_NAMES.slice(0, count).map(colour => [colour, colour]);
const group = (parent, name) => make(parent, "div", { class: "fields small", role: "group", "aria-label": name });
/** The banner, the tile and the ornament of each section; what of them there can be follows from the banner. */
const laySections = () => {
  const players = colours(fields.seats.length), nobody = ["none", "nobody"];
  const adorn = [...players, ...(players.length === 1 ? [[COLOUR_NAMES[1], "Ivan"]] : []), nobody];
  const tiles = slots.red.filter(tile => tile !== "none" && !tile.startsWith("special")).map(tile => [tile, tileWords(tile)]);
  for (const [name, section] of Object.entries(fields.sections)) {
    const changed = () => ((changes.sections ??= {})[name] ??= {}), get = part => () => fields.sections[name][part];
    make(byId("sections"), "h3", {}, `Section ${name}`);
    const place = group(byId("sections"), `Section ${name}`);
    if ("banner" in section) {
      choice(place, `banner on section ${name}`, [...players, nobody], get("banner"), colour => {
        const one = changed();
        one.banner = colour;
        delete one.tile;
        delete changes.delivered?.[name];
        if (colour === "none") for (const part of ["finished", "ornament"]) delete one[part];
      }, { short: "banner" });
    }
    if ("tile" in section) choice(place, `tile of section ${name}`, tiles, get("tile"), tile => { changed().tile = tile; }, { short: "tile" });
    if ("finished" in section) {
      tick(place, `section ${name} finished`, get("finished"), on => {
        changed().finished = on;
        if (on) delete changes.delivered?.[name];
        else delete changed().ornament;
      }, "finished");
    }
    if ("ornament" in section) {
      choice(place, `ornament on section ${name}`, adorn, get("ornament"), colour => { changed().ornament = colour; }, { short: "ornament" });
    }
  }
};
const layWorkshops = () => {
  fields.workshops.forEach((workshop, i) => {
    seatName(make(byId("workshops"), "h3"), i, COLOUR_NAMES[i]);
    const place = group(byId("workshops"), `Workshop of ${COLOUR_NAMES[i]}`);
    for (const slot of Object.keys(workshop)) {
      const changed = () => ((changes.workshops ??= fields.workshops.map(() => ({})))[i][slot] ??= {});
      const where = `slot ${slot} of ${COLOUR_NAMES[i]}`, get = part => () => fields.workshops[i][slot][part];
      const cell = make(place, "div");
      choice(cell, `what lies in ${where}`, slots[slot].map(tile => [tile, tileWords(tile)]), get("tile"), tile => {
        changed().tile = tile;
        delete changed().up;
      }, { short: slot });
      tick(cell, `${where} face up`, get("up"), on => { changed().up = on; }, "face up");
    }
  });
};
const lay = () => {
  laid = shape();
  refresh = [];
  for (const part of ["seats", "delivered", "dice", "market", "sections", "workshops"]) byId(part).replaceChildren();
  for (const part of document.querySelectorAll("details")) part.hidden = !fields.sections;
  byId("board-words").textContent = fields.sections ? CLOSED : "They can be changed where a turn begins.";
  if (fields.sections) {
    laySections();
    layWorkshops();
  }
  if (fields.turn_of) {
    choice(byId("seats"), "Whose turn it is", colours(fields.seats.length), () => fields.turn_of, colour => { changes.turn_of = colour; });
  }
  fields.seats.forEach((seat, i) => {
    seatName(make(byId("seats"), "h3"), i, COLOUR_NAMES[i]);
    const place = group(byId("seats"), COLOUR_NAMES[i]);
    for (const name of Object.keys(seat)) {
      numberField(place, `${plain(name)} of ${COLOUR_NAMES[i]}`, name, () => fields.seats[i][name], ["rubles", "track"].includes(name) ? 30_000 : 60, found => {
        changes.seats ??= fields.seats.map(() => ({}));
        changes.seats[i][name] = found;
      });
    }
  });
  for (const [section, delivered] of Object.entries(fields.delivered)) {
    make(byId("delivered"), "h3", {}, `Section ${section}`);
    const place = group(byId("delivered"), `Delivered to section ${section}`);
    for (const name of Object.keys(delivered)) {
      numberField(place, `${plain(name)} on section ${section}`, name, () => fields.delivered[section][name], 6, found => {
        ((changes.delivered ??= {})[section] ??= {})[name] = found;
      });
    }
  }
  if (!Object.keys(fields.delivered).length) make(byId("delivered"), "p", { class: "muted" }, "No section is being built.");
  const numbers = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => [low + i, low + i]);
  for (const die of Object.keys(fields.dice)) {
    const set = (key, found) => { ((changes.dice ??= {})[die] ??= {})[key] = +found; };
    choice(byId("dice"), `${die} die, space`, numbers(0, 7), () => fields.dice[die].space, found => set("space", found), { draw: parent => dieIcon(parent, die) });
    choice(byId("dice"), `${die} die, shows`, numbers(1, 6), () => fields.dice[die].value, found => set("value", found));
  }
  const market = [...fields.market], selects = market.map((_, space) =>
    choice(byId("market"), `Space ${space}`, fields.market.map(one => [one, tileWords(one)]), () => fields.market[space], found => {
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
