// The page of a study: the positions of a record, their analysis, and actions such as playing on.

import { Board, layout, loadPieces, narrow } from "./board.js";
import { Graph } from "./graph.js";
import { COLOUR_NAMES, ask, byId, chanceName, copy, make, post, savePicture, seatName, themeName } from "./dom.js";

const id = new URLSearchParams(location.search).get("id");
const path = `/api/studies/${encodeURIComponent(id)}`;
const board = new Board(document.querySelector(".board"));
const say = sentence => { byId("said").textContent = sentence ?? ""; };
const percent = number => `${(100 * number).toFixed(1)}%`;
let data, graph, last = 0, now = -1, rows = [], positions = [], buttons = [], offsets = {};

// --- positions, and the board

const unfold = () => {
  for (const changes of data.steps) {
    const shown = positions.length ? positions.at(-1).slice() : [];
    for (let i = 0; i < changes.length; i += 2) shown[changes[i]] = changes[i + 1];
    positions.push(shown);
  }
  let part = 0;
  for (const [name, panels] of Object.entries(data.panels)) {
    offsets[name] = part;
    for (const panel of panels) part += panel.parts.length;
  }
};
const draw = anew => {
  const name = layout();
  if (anew) board.lay(name, data.panels[name]);
  const parts = [];
  board.groups.forEach((_, i) => {
    const drawing = data.drawings[positions[now][offsets[name] + i]];
    if (anew || board.drawings[i] !== drawing) parts.push([i, drawing]);
  });
  board.set(parts);
};

// --- the decisions

const listDecisions = () => {
  const list = byId("list");
  buttons = [null];
  data.moves.forEach(([seat, action, rolls, after], i) => {
    const turn = data.turns[i];
    if (i === 0 || turn !== data.turns[i - 1]) make(list, "h3", {}, `Turn ${turn}, ${data.colours[seat]}`);
    const button = make(list, "button", { type: "button", class: `of${seat}` }, action);
    if (rolls) make(button, "small", {}, `rolled ${rolls}`);
    if (after) make(button, "small", {}, after);
    button.addEventListener("click", () => show(i + 1));
    buttons.push(button);
  });
};
const tellMistakes = () => {
  rows.forEach((row, i) => {
    const button = buttons[i + 1];
    if (!row.size || button.querySelector(".badge")) return;
    make(button, "span", { class: `badge ${row.size}` }, `${row.size} −${Math.round(100 * row.lost)}`);
  });
  const sizes = ["blunder", "mistake", "inaccuracy"];
  const head = byId("mistakes").querySelector("thead"), body = byId("mistakes").querySelector("tbody");
  head.replaceChildren();
  body.replaceChildren();
  const names = make(head, "tr");
  for (const word of ["seat", "blunders", "mistakes", "inaccuracies"]) make(names, "th", { scope: "col" }, word);
  for (let seat = 0; seat < data.players; seat += 1) {
    const line = make(body, "tr");
    seatName(make(line, "td"), seat, COLOUR_NAMES[seat]);
    for (const size of sizes) make(line, "td", {}, rows.filter(row => row.seat === seat && row.size === size).length);
  }
  byId("worse").disabled = !rows.some(row => row.size);
};

// --- the bot's analysis of the next decision

const thought = () => {
  const row = rows[now], body = byId("considered").querySelector("tbody");
  body.replaceChildren();
  byId("line").replaceChildren();
  byId("considered").hidden = byId("best").hidden = !row;
  byId("verdict").replaceChildren();
  if (now === last) byId("verdict").textContent = data.unfinished ? "The record ends here." : "The game is over.";
  else if (!row) byId("verdict").textContent = "This decision has not been analysed yet.";
  if (!row) return;
  const [seat, played] = data.moves[now];
  seatName(byId("verdict"), seat, `${COLOUR_NAMES[seat]} played ${played}`);
  if (row.lost === null) byId("verdict").append(", which the bot did not try.");
  else if (played === row.best) byId("verdict").append(", as the bot would.");
  else {
    byId("verdict").append(`; the best action is ${row.best}. `);
    if (row.size) make(byId("verdict"), "span", { class: `badge ${row.size}` }, row.size);
    byId("verdict").append(` The action played loses ${percent(row.lost)}.`);
  }
  const shown = row.actions.filter(([words], i) => i < 8 || words === played);
  for (const [words, visits, chance, policy] of shown) {
    const line = make(body, "tr");
    const first = make(line, "td", { class: "share" }, words + (words === played ? " (played)" : ""));
    first.style.setProperty("--share", percent(policy));
    make(line, "td", {}, visits);
    make(line, "td", {}, percent(chance));
  }
  for (const [who, words] of row.line) {
    const item = make(byId("line"), "li");
    make(item, "b", {}, COLOUR_NAMES[who]);
    item.append(` ${words}`);
  }
};

const show = (at, anew = false) => {
  at = Math.max(0, Math.min(last, Math.round(at) || 0));
  if (at === now && !anew) return;
  if (now > 0) buttons[now].removeAttribute("aria-current");
  now = at;
  draw(anew);
  if (at > 0) {
    const list = byId("list"), top = buttons[at].offsetTop;
    buttons[at].setAttribute("aria-current", "step");
    if (top < list.scrollTop + 30 || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 2;
  }
  byId("scrub").value = at;
  byId("scrub").setAttribute("aria-valuetext", data.words[at]);
  byId("at").textContent = `decision ${at} of ${last}`;
  byId("words").replaceChildren();
  if (data.movers[at] !== null) make(byId("words"), "span", { class: `dot dot${data.movers[at]}`, "aria-hidden": "true" });
  byId("words").append(data.words[at]);
  byId("back").disabled = byId("first").disabled = at === 0;
  byId("next").disabled = byId("last").disabled = at === last;
  byId("policies").hidden = true;
  for (const form of ["compare", "onward"]) {
    for (const one of byId(form).elements) one.disabled = data.movers[at] === null;
  }
  graph.show(at);
  thought();
  history.replaceState(null, "", `#${at}`);
  document.body.dataset.at = at;
};
const nextMistake = () => {
  const after = rows.findIndex((row, i) => i > now && row.size);
  const found = after >= 0 ? after : rows.findIndex(row => row.size);
  if (found >= 0) show(found);
};

// --- the analysis, in the background

const analyse = async () => {
  try {
    const found = await ask(`${path}/analysis?from=${rows.length}`);
    rows.push(...found.rows);
    byId("progress").value = found.total ? found.done / found.total : 1;
    byId("progress").hidden = found.done === found.total;
    byId("progress-words").textContent = found.failed || (found.done < found.total
      ? `${found.done} of ${found.total} decisions have been analysed.` : "");
    if (found.rows.length) {
      graph.draw(rows);
      graph.show(now);
      tellMistakes();
      thought();
    }
    document.body.dataset.analysed = rows.length;
    if (found.done < found.total && !found.failed) setTimeout(analyse, 700);
  } catch (error) {
    byId("progress-words").textContent = error.message;
  }
};

// --- actions on a position

const offerBots = async () => {
  const bots = await ask("/api/bots");
  for (const [name, usual] of [["one", "net"], ["two", "search:net=shipped"]]) {
    const select = byId("compare").elements[name];
    for (const bot of bots) make(select, "option", { value: bot.name }, bot.name);
    select.value = usual;
  }
  for (let seat = 0; seat < data.players; seat += 1) {
    const label = make(byId("seats"), "label", { class: "field" });
    seatName(make(label, "span"), seat, COLOUR_NAMES[seat]);
    const select = make(label, "select", { name: `bot${seat}` });
    make(select, "option", { value: "you" }, "you");
    for (const bot of bots) make(select, "option", { value: bot.name }, bot.name);
    select.value = seat === 0 ? "you" : "greedy";
    select.addEventListener("change", () => {
      for (const other of byId("seats").querySelectorAll("select")) {
        if (other !== select && other.value === "you" && select.value === "you") other.value = "greedy";
      }
    });
  }
};
byId("compare").addEventListener("submit", async event => {
  event.preventDefault();
  const { one, two } = event.target.elements;
  const asked = new URLSearchParams([["at", now], ["bot", one.value], ["bot", two.value]]);
  try {
    say("");
    const found = await ask(`${path}/policies?${asked}`);
    const table = byId("policies"), head = table.querySelector("thead"), body = table.querySelector("tbody");
    head.replaceChildren();
    body.replaceChildren();
    const names = make(head, "tr");
    for (const word of ["action", ...found.bots]) make(names, "th", { scope: "col" }, word);
    for (const [words, ...shares] of found.rows) {
      const line = make(body, "tr");
      make(line, "td", {}, words);
      for (const share of shares) make(line, "td", { class: "share" }, percent(share)).style.setProperty("--share", percent(share));
    }
    table.hidden = false;
  } catch (error) {
    say(error.message);
  }
});
byId("onward").addEventListener("submit", async event => {
  event.preventDefault();
  const seats = [...byId("seats").querySelectorAll("select")].map(select => select.value);
  try {
    const { id: game } = await post(`${path}/play`, { at: now, seats, dice: event.target.elements.dice.value });
    location.href = `/game?id=${game}`;
  } catch (error) {
    say(error.message);
  }
});
byId("link").addEventListener("click", async () => {
  say(await copy(location.href) ? "The address of this position is on the clipboard." : `The address is ${location.href}`);
});
byId("record").href = `${path}/record`;
for (const kind of ["svg", "png"]) {
  byId(kind).addEventListener("click", () => {
    savePicture(`${path}/board.svg?at=${now}&theme=${themeName()}`, `position-${now}`, kind).catch(error => say(error.message));
  });
}
const go = {
  ArrowLeft: () => show(now - 1), ArrowRight: () => show(now + 1), Home: () => show(0), End: () => show(last), m: nextMistake,
};
for (const [name, key] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"], ["worse", "m"]]) {
  byId(name).addEventListener("click", go[key]);
}
byId("scrub").addEventListener("input", event => show(+event.target.value));
document.addEventListener("keydown", event => {
  if (!data || !go[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.closest("select, textarea, input:not(#scrub)")) return;
  event.preventDefault();
  go[event.key]();
});
narrow.addEventListener("change", () => data && show(now, true));
addEventListener("hashchange", () => data && show(+location.hash.slice(1)));

const begin = async () => {
  if (!id) return;
  try {
    data = await ask(path);
    await loadPieces(data.full, data.contractors);
    byId("opening").hidden = true;
    byId("study").hidden = false;
    last = data.moves.length;
    unfold();
    listDecisions();
    byId("scrub").max = last;
    const name = chanceName(data.colours.length);
    byId("graph-title").textContent = name === "win chance" ? "Win chance" : "Opponents beaten, on average";
    byId("considered").querySelector("th:last-child").textContent = name;
    graph = new Graph(byId("graph"), last, data.players, data.turns, show);
    document.title = `Study of ${last} decisions – The Red Cathedral`;
    await offerBots();
    show(+location.hash.slice(1) || 0, true);
    tellMistakes();
    document.body.dataset.state = "ready";
    analyse();
  } catch (error) {
    byId("sentence").textContent = error.message;
    document.body.dataset.state = "gone";
  }
};
begin();
