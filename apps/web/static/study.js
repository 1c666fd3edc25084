// The page of a study: the positions of a record, their analysis, and actions such as playing on.

import { ChanceGraph } from "./chances.js";
import { COLOUR_NAMES, byId, make, percent, seatName, shareLine, themeName } from "./dom.js";
import { botTitle } from "./opponents.js";
import { ask, chanceName, copy, loadPieces, post, savePicture } from "./server.js";
import { Timeline } from "./timeline.js";

const id = new URLSearchParams(location.search).get("id");
const path = `/api/studies/${encodeURIComponent(id)}`;
const say = sentence => { byId("said").textContent = sentence ?? ""; };
let data, timeline, graph, rows = [];

// --- mistakes

const tellMistakes = () => {
  rows.forEach((row, i) => {
    const button = timeline.buttons[i + 1];
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
  const { now, last } = timeline, row = rows[now], body = byId("considered").querySelector("tbody");
  body.replaceChildren();
  byId("line").replaceChildren();
  byId("considered").hidden = byId("best").hidden = !row;
  byId("verdict").replaceChildren();
  if (now === last) byId("verdict").textContent = data.unfinished ? "The record ends here." : "The game is over.";
  else if (!row) byId("verdict").textContent = "This decision has not been analysed yet.";
  if (!row) return;
  const [seat, played] = data.moves[now];
  const told = words => row.phrases[words] ?? words;
  seatName(byId("verdict"), seat, `${COLOUR_NAMES[seat]} chose to ${told(played)}`);
  if (row.lost === null) byId("verdict").append(", which the bot did not try.");
  else if (played === row.best) byId("verdict").append(", as the bot would.");
  else {
    byId("verdict").append(`; the bot would ${told(row.best)}. `);
    if (row.size) make(byId("verdict"), "span", { class: `badge ${row.size}` }, row.size);
    byId("verdict").append(` The action played loses ${percent(row.lost)}.`);
  }
  const best = row.actions.find(([words]) => words === row.best);
  if (best && row.actions.some(one => one[2] > best[2])) {
    byId("verdict").append(" It chooses among what it tried most; a higher chance beside another action may be luck.");
  }
  const shown = row.actions.filter(([words], i) => i < 8 || words === played);
  for (const [words, visits, chance, policy] of shown) {
    shareLine(body, told(words) + (words === played ? " (played)" : ""), policy, visits, percent(chance));
  }
  for (const [who, words] of row.line) {
    const item = make(byId("line"), "li");
    make(item, "b", {}, COLOUR_NAMES[who]);
    item.append(` ${item === byId("line").firstElementChild ? told(words) : words}`);
  }
};

const onPosition = at => {
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
  const after = rows.findIndex((row, i) => i > timeline.now && row.size);
  const found = after >= 0 ? after : rows.findIndex(row => row.size);
  if (found >= 0) timeline.show(found);
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
      graph.show(timeline.now);
      tellMistakes();
      thought();
    }
    document.body.dataset.analysed = rows.length;
    if (found.done < found.total && !found.failed) setTimeout(analyse, 700);
  } catch (error) {
    byId("progress-words").textContent = error.message;
    setTimeout(analyse, 5000);  // one answer that is lost does not end it
  }
};

// --- actions on a position

const offerBots = async () => {
  const bots = await ask("/api/bots");
  for (const [name, usual] of [["one", "net"], ["two", "search:net=shipped"]]) {
    const select = byId("compare").elements[name];
    for (const bot of bots) make(select, "option", { value: bot.name }, botTitle(bot));
    select.value = usual;
  }
  for (let seat = 0; seat < data.players; seat += 1) {
    const label = make(byId("seats"), "label", { class: "field" });
    seatName(make(label, "span"), seat, COLOUR_NAMES[seat]);
    const select = make(label, "select", { name: `bot${seat}` });
    make(select, "option", { value: "you" }, "you");
    for (const bot of bots) make(select, "option", { value: bot.name }, botTitle(bot));
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
  const asked = new URLSearchParams([["at", timeline.now], ["bot", one.value], ["bot", two.value]]);
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
    const { id: game } = await post(`${path}/play`, { at: timeline.now, seats, dice: event.target.elements.dice.value });
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
    savePicture(`${path}/board.svg?at=${timeline.now}&theme=${themeName()}`, `position-${timeline.now}`, kind).catch(error => say(error.message));
  });
}
byId("worse").addEventListener("click", nextMistake);
addEventListener("hashchange", () => timeline?.show(+location.hash.slice(1)));

const begin = async () => {
  if (!id) return;
  try {
    data = await ask(path);
    await loadPieces(data.full, data.contractors);
    byId("opening").hidden = true;
    byId("study").hidden = false;
    timeline = new Timeline(data, onPosition);
    timeline.keys.m = nextMistake;
    const name = chanceName(data.colours.length);
    byId("graph-title").textContent = name === "win chance" ? "Win chance" : "Opponents beaten, on average";
    byId("considered").querySelector("th:last-child").textContent = name;
    graph = new ChanceGraph(byId("graph"), data.turns, data.players, at => timeline.show(at));
    document.title = `Study of ${timeline.last} decisions – The Red Cathedral`;
    await offerBots();
    timeline.show(+location.hash.slice(1) || 0);
    tellMistakes();
    document.body.dataset.state = "ready";
    analyse();
  } catch (error) {
    byId("sentence").textContent = error.message;
    document.body.dataset.state = "gone";
  }
};
begin();
