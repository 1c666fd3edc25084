// The page of a game: shows what the server sends, and sends what the person asks for.

import { layout, narrow } from "./board.js";
import { Choosing } from "./choosing.js";
import { COLOUR_NAMES, byId, make, percent, seatName, shareLine, themeName } from "./dom.js";
import { Live } from "./live.js";
import { LiveBoard } from "./liveboard.js";
import { pointedAt, restPointer } from "./pointing.js";
import { ask, chanceName, copy, loadPieces, post, savePicture, who } from "./server.js";

const id = new URLSearchParams(location.search).get("id") ?? "";
const path = `/api/games/${encodeURIComponent(id)}`;
const board = new LiveBoard(document.querySelector(".board"));
let live, position, hint, events = [], waiting = false;

const send = message => live.send(message);
const say = sentence => { byId("sentence").textContent = sentence ?? ""; };

// --- choosing and previews

const play = action => {
  if (!position?.mine || waiting) return;
  waiting = true;
  say("");
  send({ do: "play", action: action.number, at: position.at });
};
let pointed = null, timer = 0;
const point = action => {
  pointed = action;
  clearTimeout(timer);
  board.endPreview();
  choosing.pointAt(action);
  byId("preview").textContent = action ? [action.words, action.meaning].filter(Boolean).join(": ") : "";
  if (action) timer = setTimeout(() => send({ do: "preview", action: action.number, version: position.version }), 90);
};
const choosing = new Choosing(board, play, point);
const previewed = found => {
  if (!pointed || pointed.number !== found.action || found.version !== position.version) return;
  board.preview(found.parts);
  const more = [...found.changes, found.chance].filter(Boolean).join("; ");
  const words = [pointed.words, pointed.meaning].filter(Boolean).join(": ");
  byId("preview").textContent = more ? `${words} — ${more}` : words;
};

const listActions = () => {
  const list = byId("actions");
  list.replaceChildren();
  for (const action of position.actions) {
    const button = make(make(list, "li"), "button", { type: "button", "data-number": action.number }, action.words);
    if (action.meaning) make(button, "small", {}, action.meaning);
    button.addEventListener("click", () => play(action));
    pointedAt(button, () => action, point);
  }
};

// --- hints

const tellHint = found => {
  hint = found;
  byId("hint").hidden = false;
  byId("advice").textContent = found.sentence;
  for (const button of byId("actions").querySelectorAll("button")) {
    button.classList.toggle("best", found.best !== null && +button.dataset.number === found.best);
  }
  const table = byId("considered");
  table.querySelector("th:last-child").textContent = chanceName(position.names.length);
  table.hidden = !found.rows.length;
  const body = table.querySelector("tbody");
  body.replaceChildren();
  for (const row of found.rows) {
    shareLine(body, row.words, row.policy, row.visits, row.chance === null ? "–" : percent(row.chance));
  }
  const action = position.actions.find(one => one.number === found.best);
  choosing.pointAt(action ?? null);
};
const noHint = () => {
  hint = null;
  byId("thinking").hidden = true;
  byId("hint").hidden = true;
};

// --- what the server sends

const listEvents = ({ from, lines }) => {
  events = [...events.slice(0, from), ...lines];
  const log = byId("log");
  log.replaceChildren();
  let turn = 0;
  for (const [at, seat, words] of events) {
    if (at !== turn) make(log, "h3", {}, `Turn ${at}`);
    turn = at;
    const line = make(log, "p", { class: `of${Math.min(seat, 4)}` });
    make(line, "b", {}, seat < position.names.length ? COLOUR_NAMES[seat] : "Ivan");
    line.append(` ${words}`);
  }
  log.scrollTop = log.scrollHeight;
};

const listSeats = () => {
  byId("seats").replaceChildren();
  position.names.forEach((name, seat) => {
    const item = make(byId("seats"), "li", position.seat === seat && !position.over ? { class: "moves" } : {});
    seatName(item, seat, `${COLOUR_NAMES[seat]}, ${seat === position.person ? "you" : name}`);
    make(item, "b", { title: "score, if the game ended now" }, position.score[seat]);
  });
};

const tellEnd = () => {
  byId("ended").hidden = !position.over;
  if (!position.over) return;
  byId("how").textContent = position.ended;
  const table = byId("results");
  table.hidden = !position.results;
  if (!position.results) return;
  const parts = Object.keys(position.results[0].parts);
  const head = table.querySelector("thead");
  head.replaceChildren();
  const names = make(head, "tr");
  for (const words of ["seat", "place", "prestige", ...parts]) make(names, "th", { scope: "col" }, words);
  const body = table.querySelector("tbody");
  body.replaceChildren();
  for (const row of position.results) {
    const line = make(body, "tr");
    seatName(make(line, "td"), row.seat, `${row.colour}, ${row.seat === position.person ? "you" : row.name}`);
    for (const number of [row.place, row.prestige, ...parts.map(part => row.parts[part])]) make(line, "td", {}, number);
  }
};

// A bot that has failed: it may try again, or another one takes its seat.
const tellFailure = async () => {
  byId("failure").hidden = !position.broken;
  if (!position.broken) return;
  byId("failed").textContent = position.broken;
  const select = byId("other");
  if (select.options.length) return;
  for (const bot of await ask("/api/bots").catch(() => [])) make(select, "option", { value: bot.name }, bot.name);
};

const shown = message => {
  const from = board.box(message.last?.places[0]);
  position = message;
  waiting = false;
  if (message.panels) board.lay(message.layout, message.panels);
  board.set(message.parts);
  listEvents(message.events);
  listSeats();
  if (message.last) board.mark(message.last.places, from);
  byId("words").replaceChildren();
  if (message.seat !== null) make(byId("words"), "span", { class: `dot dot${message.seat}`, "aria-hidden": "true" });
  byId("words").append(message.words);
  const watching = message.person === null;
  byId("turn").textContent = message.over ? "The game is over"
    : message.mine ? "Your move" : `${who(message.names, message.seat)} ${message.broken ? "has failed" : "decides …"}`;
  byId("moved").textContent = events.length ? `${who(message.names, events.at(-1)[1])}: ${events.at(-1)[2]}` : "";
  noHint();
  restPointer();
  point(null);
  listActions();
  choosing.offer(message.actions);
  byId("undo").disabled = !message.undo;
  byId("redo").disabled = !message.redo;
  byId("dice").disabled = byId("resign").disabled = message.over;
  for (const name of ["mine", "person"]) byId(name).hidden = watching;
  for (const button of document.querySelectorAll("[data-hint]")) button.disabled = !message.mine;
  tellEnd();
  tellFailure();
  document.title = `${message.over ? "Over" : message.mine ? "Your move" : `Turn ${message.turn}`} – The Red Cathedral`;
  document.body.dataset.at = message.at;
  document.body.dataset.version = message.version;
  document.body.dataset.state = message.over ? "over" : message.mine ? "mine" : message.broken ? "broken" : "bots";
};

const receive = async message => {
  if (message.type === "position") {
    await loadPieces(message.full, message.contractors);
    shown(message);
  } else if (message.type === "preview") previewed(message);
  else if (message.type === "hint") {
    if (message.version === position.version) tellHint(message);
    byId("thinking").hidden = true;
  } else if (message.type === "refused") {
    waiting = false;
    byId("thinking").hidden = true;
    say(message.sentence);
  } else if (message.type === "gone") {
    live.end();
    byId("gone").hidden = false;
    byId("turn").textContent = "";
    say(message.sentence);
    document.body.dataset.state = "gone";
  }
};
const told = (what, sentence) => {
  say(sentence);
  waiting = false;
  if (what === "open") sendPace();
};

// --- controls

const anew = async deal => {
  try {
    location.href = `/game?id=${(await post(`${path}/again`, { deal })).id}`;
  } catch (error) {
    say(error.message);
  }
};
const study = async () => {
  try {
    location.href = `/study?id=${(await post("/api/studies", { game: id })).id}`;
  } catch (error) {
    say(error.message);
  }
};
const sendPace = () => {
  const pace = byId("pace").value;
  byId("step").hidden = pace !== "step";
  send(pace === "step" ? { do: "pause" } : { do: "pace", seconds: +pace });
};
try { byId("pace").value = localStorage.getItem("pace") ?? "0.7"; } catch { /* the usual pace */ }
byId("pace").addEventListener("change", () => {
  try { localStorage.setItem("pace", byId("pace").value); } catch { /* the pace is not remembered */ }
  sendPace();
});
byId("step").addEventListener("click", () => send({ do: "step" }));
byId("undo").addEventListener("click", () => send({ do: "undo" }));
byId("redo").addEventListener("click", () => send({ do: "redo" }));
byId("dice").addEventListener("click", () => {
  send({ do: "new_dice" });
  say("From here on different dice will be rolled.");
});
byId("resign").addEventListener("click", () => {
  if (confirm("Resign this game?")) send({ do: "resign" });
});
byId("rematch").addEventListener("click", () => anew("new"));
byId("again").addEventListener("click", () => anew("same"));
byId("retry").addEventListener("click", () => send({ do: "retry" }));
byId("replace").addEventListener("click", () => send({ do: "retry", bot: byId("other").value }));
for (const button of document.querySelectorAll("[data-study]")) button.addEventListener("click", study);
for (const button of document.querySelectorAll("[data-hint]")) {
  button.addEventListener("click", () => {
    byId("thinking").hidden = false;
    send({ do: "hint", level: +button.dataset.hint });
  });
}
byId("link").addEventListener("click", async () => {
  say(await copy(location.href) ? "The address of this game is on the clipboard." : `The address is ${location.href}`);
});
byId("record").href = `${path}/record`;
for (const kind of ["svg", "png"]) {
  byId(kind).addEventListener("click", () => {
    savePicture(`${path}/board.svg?theme=${themeName()}`, `game-${id}`, kind)
      .catch(error => say(error.message));
  });
}
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const keys = { u: "undo", r: "redo", n: "step", h: "best" };
  const button = keys[event.key] && byId(keys[event.key]);
  if (button && !button.disabled && !button.hidden) button.click();
});
narrow.addEventListener("change", () => send({ do: "layout", layout: layout() }));
live = new Live(`${path}/live`, () => ({ layout: layout() }), receive, told);
