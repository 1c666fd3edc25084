// Setting up a real table: what lies there, looked through by the server as it is entered.

import { byId, make } from "./dom.js";
import { cardIcons, cardWords, icon, plain, tileIcon } from "./icons.js";
import { SectionForm } from "./section.js";
import { ask, loadPieces, post } from "./server.js";

const PAUSE = 250;  // milliseconds after the last entry before it is looked through
const KINDS = ["base", "middle", "dome"];
let setup, choices, saved = null, timer = 0, asked = 0;

const empty = () => ({ heights: [], towers: [], market: [], guilds: [], dice: {}, amounts: { market: {}, workshop: {} }, cities: [],
  specialists: [], ivan: { cards: [], tiles: [] } });
const value = id => byId(id).value;
const say = sentence => { byId("sentence").textContent = sentence ?? ""; };

const variant = () => ({
  players: +value("players"), workshop: value("workshop"), contractors: byId("contractors").checked,
  special_tiles: byId("special_tiles").checked, fourth_guild: byId("others").checked ? "random" : "clergy",
  promos: byId("others").checked,
});
/** What is sent: without the parts that the variant does not have. */
const body = () => {
  const { cities, specialists, ivan, ...rest } = setup;
  const module = variant().contractors ? { cities, specialists } : {};
  return { variant: variant(), setup: { ...rest, ...module, ...(variant().players === 1 ? { ivan } : {}) } };
};

// --- what the server makes of it

const verdict = found => {
  const place = byId("verdict");
  place.replaceChildren();
  const list = (sentences, title, name) => {
    if (!sentences.length) return;
    make(place, "p", { class: name }, title);
    const items = make(place, "ul");
    for (const sentence of sentences) make(items, "li", {}, sentence);
  };
  list(found.faults.map(fault => fault.sentence), "This cannot be:", "fault");
  list(found.doubts, "Is it so on your table? It contradicts what is known of the printed game:", "");
  list(found.missing, "Still missing:", "muted");
  if (found.ready) make(place, "p", {}, "All is there, and it fits.");
  byId("play").disabled = !found.ready;
  for (const button of document.querySelectorAll("#towers button")) {
    button.classList.toggle("wrong", found.faults.some(fault => fault.part === `card ${button.dataset.section}`));
  }
};
const check = async () => {
  const number = asked += 1;
  try {
    const found = await post("/api/tables/check", body());
    if (number !== asked) return;
    say("");
    verdict(found);
  } catch (error) {
    if (number !== asked) return;
    byId("play").disabled = true;
    say(error.message);
  }
  document.body.dataset.checked = number;
};
const changed = () => {
  clearTimeout(timer);
  byId("play").disabled = true;
  document.body.dataset.checked = "";
  try { localStorage.setItem("table", JSON.stringify({ ...body(), title: value("title"), saved })); } catch { /* it is not remembered */ }
  timer = setTimeout(check, PAUSE);
};

// --- parts that are lists of choices

/** A choice with a word for nothing; `options` are pairs of value and words. */
const choose = (parent, words, options, chosen, take, drawn) => {
  const label = make(parent, "label", { class: "field" });
  const title = make(label, "span", {}, `${words} `);
  const select = make(label, "select", { "aria-label": words });
  make(select, "option", { value: "" }, "–");
  for (const [name, said] of options) make(select, "option", { value: name }, said);
  select.value = chosen ?? "";
  const show = () => {
    for (const one of title.querySelectorAll("svg, b")) one.remove();
    if (drawn && select.value) drawn(title, select.value);
  };
  show();
  select.addEventListener("change", () => {
    take(select.value || null);
    show();
    changed();
  });
  return label;
};
const amountOf = (part, tile) => setup.amounts[part === "tiles" ? "workshop" : part][tile.name] ?? tile.amount;
const tileName = (part, tile) => (tile.name.startsWith("die:") ? plain(tile.name) : `${amountOf(part, tile)} ${plain(tile.name)}`);
const tilePairs = part => choices[part].map(tile => [tile.name, tileName(part, tile)]);
const drawTile = part => (parent, name) => {
  const tile = choices[part].find(one => one.name === name);
  if (tile) tileIcon(parent, name, amountOf(part, tile));
};

const showMarket = () => {
  byId("market").replaceChildren();
  for (let space = 0; space < 8; space += 1) {
    choose(byId("market"), `Space ${space}`, tilePairs("market"), setup.market[space], name => { setup.market[space] = name; },
      drawTile("market"));
  }
  byId("dice").replaceChildren();
  for (const die of choices.dice) {
    const entry = setup.dice[die] ??= { space: null, value: null };
    const group = make(byId("dice"), "div", { class: "row", role: "group", "aria-label": `${die} die` });
    const numbers = (low, high) => Array.from({ length: high - low + 1 }, (_, i) => [low + i, low + i]);
    choose(group, `${die} die, space`, numbers(0, 7), entry.space, found => { entry.space = found === null ? null : +found; },
      parent => tileIcon(parent, `die:${die}`));
    choose(group, `${die} die, shows`, numbers(1, 6), entry.value, found => { entry.value = found === null ? null : +found; });
  }
};

/** Lines of a data file for what differs from the choices, once they are opened. */
const linesOf = (parent, words, lines, typed, take) => {
  const details = make(parent, "details");
  details.open = Boolean(typed);
  make(details, "summary", {}, "Mine says something else");
  make(details, "small", {}, "Write it as the data file does: the lines show what the packaged card says.");
  const inputs = lines.map((line, i) => {
    const input = make(details, "input", { type: "text", maxlength: 200, "aria-label": `${words}, line ${i + 1}`, spellcheck: "false" });
    input.value = typed?.[i] ?? line;
    input.addEventListener("input", () => {
      take(inputs.every((one, k) => one.value === lines[k]) ? null : inputs.map(one => one.value));
      changed();
    });
    return input;
  });
};

const showGuilds = () => {
  byId("guilds").replaceChildren();
  for (let quadrant = 0; quadrant < 4; quadrant += 1) {
    const place = make(byId("guilds"), "div", { role: "group", "aria-label": `Quadrant ${quadrant}` });
    const entry = () => setup.guilds[quadrant] ??= { guild: null, card: null };
    const head = make(place, "div"), cards = make(place, "div");
    const showCards = () => {
      cards.replaceChildren();
      const { guild, card, actions } = setup.guilds[quadrant] ?? {};
      const known = choices.guilds.find(one => one.name === guild)?.cards ?? [];
      if (!known.length) return;
      choose(cards, "Card", known.map(one => [one.number, one.words.map(plain).join(" / ")]), card, number => {
        setup.guilds[quadrant] = { guild, card: number === null ? null : +number };
        showCards();
      });
      const chosen = known.find(one => one.number === card);
      if (chosen) make(cards, "small", {}, actions ? "" : chosen.words.map(plain).join("; or "));
      if (chosen) linesOf(cards, `Card of the ${plain(guild)}`, chosen.lines, actions, lines => { entry().actions = lines; });
    };
    choose(head, `Quadrant ${quadrant}, spaces ${2 * quadrant} and ${2 * quadrant + 1}`,
      choices.guilds.map(one => [one.name, plain(one.name)]), setup.guilds[quadrant]?.guild, name => {
        setup.guilds[quadrant] = name === null ? null : { guild: name, card: null };
        showCards();
      });
    showCards();
  }
};

const showModule = () => {
  byId("module").hidden = !choices.cities;
  byId("cities").replaceChildren();
  byId("specialists").replaceChildren();
  if (!choices.cities) return;
  for (let tower = 0; tower < choices.towers; tower += 1) {
    choose(byId("cities"), `Over tower ${tower + 1}`, choices.cities.map(city => [city, city]), setup.cities[tower],
      city => { setup.cities[tower] = city; });
  }
  for (let slot = 0; slot < 5; slot += 1) {
    const place = make(byId("specialists"), "div", { role: "group", "aria-label": `Slot ${slot}` });
    const head = make(place, "div"), lines = make(place, "div");
    const showLines = () => {
      lines.replaceChildren();
      const entry = setup.specialists[slot];
      if (!entry) return;
      const typed = entry.tile ? [entry.tile] : null;
      linesOf(lines, `Specialist on slot ${slot}`, [choices.specialists[entry.number - 1].line], typed, found => {
        entry.tile = found?.[0] ?? null;
      });
    };
    choose(head, `Slot ${slot}`, choices.specialists.map((one, i) => [i + 1, one.words]),
      setup.specialists[slot]?.number, number => {
        setup.specialists[slot] = number === null ? null : { number: +number };
        showLines();
      });
    showLines();
  }
};

const showIvan = () => {
  byId("ivan").hidden = !choices.ivan;
  byId("ivan-cards").replaceChildren();
  if (!choices.ivan) return;
  choices.ivan.cards.forEach((_, i) => {
    choose(byId("ivan-cards"), `Card ${i + 1}`, choices.ivan.cards.map(card => [card, card]), setup.ivan.cards[i],
      card => { setup.ivan.cards[i] = card; });
    choose(byId("ivan-cards"), `Tile on card ${i + 1}`, choices.ivan.tiles.map(tile => [tile, plain(tile)]), setup.ivan.tiles[i],
      tile => { setup.ivan.tiles[i] = tile; }, (parent, name) => tileIcon(parent, name));
  });
};

const showAmounts = () => {
  for (const part of ["market", "workshop"]) {
    const place = byId(`amounts-${part}`);
    place.replaceChildren();
    for (const tile of choices[part === "workshop" ? "tiles" : part]) {
      if (tile.name.startsWith("die:") || tile.name === "any_material") continue;
      const label = make(place, "label", { class: "field" });
      icon(make(label, "span", {}, `${plain(tile.name)} `), tile.name);
      const input = make(label, "input", { type: "number", min: 1, max: 9, step: 1, "data-amount": `${part} ${tile.name}` });
      input.value = amountOf(part, tile);
      input.addEventListener("change", () => {
        if (+input.value === tile.amount || !(+input.value >= 1 && +input.value <= 9)) delete setup.amounts[part][tile.name];
        else setup.amounts[part][tile.name] = +input.value;
        showMarket();
        showTowers();
        changed();
      });
    }
  }
};

// --- the cathedral

const kindOf = (tower, level) => KINDS[level === 0 ? 0 : level === setup.heights[tower] - 1 ? 2 : 1];
const sectionAt = (tower, level) => {
  setup.towers[tower] ??= [];
  return setup.towers[tower][level] ??= { card: null, tile: null };
};
const form = new SectionForm(() => {
  showTowers();
  changed();
}, (tower, level) => open(tower, level));
const open = (tower, level) => {
  const free = Array.from({ length: choices.towers }, (_, t) => Array.from({ length: setup.heights[t] ?? 0 }, (_, l) => [t, l])).flat();
  const next = free[free.findIndex(([t, l]) => t === tower && l === level) + 1] ?? null;
  form.show(tower, level, sectionAt(tower, level), kindOf(tower, level), choices, tilePairs("tiles"), drawTile("tiles"), next);
  showTowers();
};
const showTowers = () => {
  const place = byId("towers"), focused = document.activeElement?.dataset.section;
  place.replaceChildren();
  byId("no-heights").hidden = setup.heights.some(Boolean);
  setup.heights.slice(0, choices.towers).forEach((height, tower) => {
    const column = make(place, "div", { class: "tower", role: "group", "aria-label": `Tower ${tower + 1}` });
    for (let level = (height ?? 0) - 1; level >= 0; level -= 1) {
      const { card, tile } = sectionAt(tower, level), name = `${tower + 1}.${level + 1}`;
      const words = `Section ${name}, ${kindOf(tower, level)}: ${card ? cardWords(card) : "no card yet"}; ${tile ? `tile ${plain(tile)}` : "no tile yet"}`;
      const button = make(column, "button", { type: "button", "data-section": name, "aria-label": words, "aria-expanded": String(form.at === name) });
      if (card) cardIcons(button, card);
      else make(button, "span", { class: "muted" }, kindOf(tower, level));
      const under = make(button, "small", { "aria-hidden": "true" });
      if (tile) drawTile("tiles")(under, tile);
      else under.textContent = "tile?";
      button.addEventListener("click", () => open(tower, level));
    }
    make(column, "b", {}, `Tower ${tower + 1}`);
  });
  if (focused) place.querySelector(`[data-section="${focused}"]`)?.focus({ preventScroll: true });
};
const showPlans = () => {
  byId("plans").replaceChildren();
  for (const plan of choices.plans) {
    const same = plan.every((height, i) => height === setup.heights[i]);
    const button = make(byId("plans"), "button", { type: "button", "aria-pressed": String(same) }, plan.join(" "));
    button.addEventListener("click", () => {
      setup.heights = [...plan];
      planned();
    });
  }
  byId("heights").replaceChildren();
  make(byId("heights"), "span", { class: "muted" }, "or other heights:");
  for (let tower = 0; tower < choices.towers; tower += 1) {
    const label = make(byId("heights"), "label", { class: "heights" });
    const input = make(label, "input", { type: "number", min: 2, max: 5, step: 1, "aria-label": `Height of tower ${tower + 1}` });
    input.value = setup.heights[tower] ?? "";
    input.addEventListener("change", () => {
      setup.heights[tower] = +input.value >= 2 && +input.value <= 5 ? +input.value : null;
      planned();
    });
  }
};
const planned = () => {
  form.close();
  setup.heights = Array.from({ length: choices.towers }, (_, i) => setup.heights[i] ?? null);
  showPlans();
  showTowers();
  changed();
};

// --- all of it

const show = async () => {
  choices = await post("/api/tables/choices", { variant: variant() });
  for (const [part, most] of [["heights", choices.towers], ["towers", choices.towers], ["cities", choices.towers]]) setup[part].length = Math.min(setup[part].length, most);
  for (const die of Object.keys(setup.dice)) if (!choices.dice.includes(die)) delete setup.dice[die];
  for (const part of ["cards", "tiles"]) setup.ivan[part].length = Math.min(setup.ivan[part].length, choices.ivan?.cards.length ?? 9);
  form.close();
  showPlans();
  showTowers();
  showMarket();
  showGuilds();
  showModule();
  showIvan();
  showAmounts();
  changed();
};
const take = async found => {
  setup = { ...empty(), ...found?.setup };
  setup.amounts = { market: {}, workshop: {}, ...setup.amounts };
  const { players = 2, workshop = "basic", contractors = false, special_tiles: special = false, fourth_guild: fourth = "clergy" } = found?.variant ?? {};
  [byId("players").value, byId("workshop").value] = [players, workshop];
  [byId("contractors").checked, byId("special_tiles").checked, byId("others").checked] = [contractors, special, fourth !== "clergy"];
  byId("title").value = found?.title ?? "";
  saved = found?.saved ?? null;
  await show();
};
const refuse = error => say(error.message);
const list = async () => {
  const tables = await ask("/api/tables");
  byId("kept").hidden = !tables.length;
  byId("tables").replaceChildren();
  for (const table of tables) {
    const item = make(byId("tables"), "li"), about = make(item, "span", {}, table.title);
    make(about, "small", {}, ` · ${table.changed}`);
    make(item, "button", { type: "button", "aria-label": `Open ${table.title}` }, "Open").addEventListener("click", () =>
      ask(`/api/tables/${table.id}`).then(found => take({ ...found, saved: table.id })).catch(refuse));
    make(item, "button", { type: "button", "aria-label": `Delete ${table.title}` }, "Delete").addEventListener("click", () => {
      if (!confirm("Delete this table?")) return;
      if (saved === table.id) saved = null;
      ask(`/api/tables/${table.id}`, { method: "DELETE" }).then(list).catch(refuse);
    });
  }
};
const save = async () => {
  saved = (await post("/api/tables", { ...body(), title: value("title"), ...(saved ? { id: saved } : {}) })).id;
  await list();
};
byId("save").addEventListener("click", () => save().then(() => say("It is saved.")).catch(refuse));
byId("clear").addEventListener("click", () => {
  if (confirm("Clear all that is entered here? What is saved stays.")) take(null).catch(refuse);
});
byId("play").addEventListener("click", async () => {
  byId("play").disabled = true;
  try {
    if (value("title").trim()) await save();
    location.href = `/game?id=${(await post("/api/tables/play", body())).id}`;
  } catch (error) {
    refuse(error);
  }
});
for (const id of ["players", "workshop", "contractors", "others", "special_tiles"]) byId(id).addEventListener("change", () => show().catch(refuse));
byId("title").addEventListener("input", changed);

const remembered = () => {
  try { return JSON.parse(localStorage.getItem("table")); } catch { return null; }
};
(async () => {
  try {
    await loadPieces(true, true);
    await take(remembered());
    await list();
    document.body.dataset.state = "ready";
  } catch (error) {
    refuse(error);
  }
})();
