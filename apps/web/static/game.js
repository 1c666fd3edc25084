// The page of a game: shows what the server sends, and sends what the person asks for.

import { layout, narrow } from "./board.js";
import { BranchNotes } from "./branch.js";
import { Choosing } from "./choosing.js";
import { Coach } from "./coach.js";
import { COLOUR_NAMES, byId, make, percent, seatName, shareLine, themeName } from "./dom.js";
import { tellEnd } from "./ending.js";
import { Falling } from "./falling.js";
import { Guide, Note } from "./first.js";
import { address, known, query, remember } from "./keys.js";
import { Live } from "./live.js";
import { LiveBoard } from "./liveboard.js";
import { Looking } from "./looking.js";
import { reveal, signMore } from "./more.js";
import { Offers, wordsOf } from "./offers.js";
import { botTitle } from "./opponents.js";
import { People, colourName } from "./people.js";
import { pointedAt, restPointer } from "./pointing.js";
import { ask, chanceName, copy, loadPieces, post, savePicture, signed, who } from "./server.js";
import { Story } from "./story.js";

const asked = new URLSearchParams(location.search);
const id = asked.get("id") ?? "";
const { mine, others } = known(id);
const keys = asked.has("key") ? asked.getAll("key") : mine;
const path = `/api/games/${encodeURIComponent(id)}`;
const board = new LiveBoard(document.querySelector(".board"));
let live, position, hint, waiting = false, anew = true, tellTurn = () => {};

const send = message => live.send(message);
const say = sentence => { byId("sentence").textContent = sentence ?? ""; };

// --- choosing and previews

const play = action => {
  if (!position?.mine || waiting) return;
  waiting = true;
  say("");
  falling.end();
  send({ do: "play", action: action.number, at: position.at, read: coach.read });
};
const falling = new Falling((action, at, fell) => {
  if (waiting) return;
  waiting = true;
  say("");
  send({ do: "play", action, at, fell });
}, () => { document.body.dataset.state = "mine"; });
let pointed = null, timer = 0;
const point = action => {
  pointed = action;
  clearTimeout(timer);
  board.endPreview();
  choosing.pointAt(action);
  byId("preview").textContent = action ? wordsOf(action) : "";
  if (action) timer = setTimeout(() => send({ do: "preview", action: action.number, version: position.version }), 90);
};
const choosing = new Choosing(board, play, point);
const previewed = found => {
  if (!pointed || pointed.number !== found.action || found.version !== position.version) return;
  board.preview(found.parts);
  const more = [...found.changes, found.chance].filter(Boolean).join("; ");
  byId("preview").textContent = more ? `${wordsOf(pointed)} — ${more}` : wordsOf(pointed);
};

let listed = false;  // whether the last action was chosen in the list
const offers = new Offers(byId("actions"), action => { listed = true; play(action); }, point);
pointedAt(byId("done"), () => ending(), point);
byId("done").addEventListener("click", () => play(ending()));
const ending = () => position.actions.find(action => action.group === "end");
const offer = () => {
  const actions = looking.at === null ? position.actions : [];
  choosing.offer(actions);
  offers.show(actions, position.groups);
  const end = actions.length ? ending() : undefined;
  byId("done").hidden = !end;
  if (!end) return;
  byId("done").textContent = end.phrase[0].toUpperCase() + end.phrase.slice(1);
  byId("done").title = end.note;
};

/** Brings the actions into view in their list. */
const showChoices = () => {
  const last = offers.lastOf(byId("guide").hidden ? 6 : 3);
  if (last) reveal(document.querySelector(".now"), last);
};

// --- earlier positions

const looking = new Looking(board, () => `${path}/board?layout=${layout()}${query(keys)}`, say, at => {
  story.mark(at);
  point(null);
  coach.turn(at);
  if (position) offer();
});
const coach = new Coach(send, looking, board);
const branch = new BranchNotes(send);
const story = new Story(byId("log"), at => looking.look(at));
const guide = new Guide(id);
const people = new People(id, others, say, () => send({ do: "sit" }));
new Note(board);
for (const scrolling of document.querySelectorAll(".side > div")) signMore(scrolling);

// --- hints

const tellHint = found => {
  hint = found;
  restPointer();  // groups open beneath it
  byId("hint").hidden = false;
  byId("advice").textContent = found.sentence;
  offers.best(found.best);
  const table = byId("considered");
  table.querySelector("th:last-child").textContent = chanceName(position.names.length);
  table.hidden = !found.rows.length;
  const body = table.querySelector("tbody");
  body.replaceChildren();
  for (const row of found.rows) {
    shareLine(body, row.words, row.policy, row.visits, row.chance === null ? "–" : percent(row.chance));
  }
  tellSoFar();
  const action = position.actions.find(one => one.number === found.best);
  choosing.pointAt(action ?? null);
};
// What luck and decisions have come to, where one asks who is winning.
const tellSoFar = () => {
  const table = byId("so-far"), sums = position.so_far;
  table.hidden = !sums || hint?.level !== 4;
  if (table.hidden) return;
  const words = "Each roll and each decision measured by itself: together they are not the chances above.";
  const some = `${sums.judged} of ${position.at} decisions have been judged. `;
  table.querySelector("caption").textContent = (sums.judged < position.at ? some : "") + words;
  const body = table.querySelector("tbody");
  body.replaceChildren();
  sums.rows.forEach((row, seat) => {
    const line = make(body, "tr"), error = number => ` ± ${Math.round(196 * number)}`;
    seatName(make(line, "th", { scope: "row" }), seat, COLOUR_NAMES[seat]);
    make(line, "td", {}, signed(row.luck) + error(row.luck_error));
    make(line, "td", {}, signed(-row.lost) + error(row.lost_error));
    make(line, "td", {}, row.mistakes);
  });
};
const noHint = () => {
  hint = null;
  byId("thinking").hidden = true;
  byId("hint").hidden = true;
};

// --- what the server sends

const seatWords = seat => story.name(seat, position.names, position.person);
const endWords = seat => story.name(seat, position.names, null);
const SCORE = "The score if the game ended now: prestige on the track, 1 for 5 materials and rubles, and the shares of towers as they stand. "
  + "A share falls when somebody else draws even in its tower.";
const listSeats = () => {
  byId("seats").replaceChildren();
  position.titles.forEach((name, seat) => {
    const item = make(byId("seats"), "li", position.seat === seat && !position.over ? { class: "moves" } : {});
    const one = seat === position.person ? "you" : position.here.includes(seat) ? "here" : name;
    seatName(item, seat, `${COLOUR_NAMES[seat]}, ${one}`);
    make(item, "b", { title: SCORE }, position.score[seat]);
  });
};

const showEnd = () => {
  byId("ended").hidden = !position.over;
  if (!position.over) return;
  byId("how").textContent = position.ended;
  tellEnd(position.results, position.account, endWords, position.person);
};

// A bot that has failed: it may try again, or another one takes its seat.
const tellFailure = async () => {
  byId("failure").hidden = !position.broken;
  if (!position.broken) return;
  byId("failed").textContent = position.broken;
  const select = byId("other");
  if (select.options.length) return;
  for (const bot of await ask("/api/bots").catch(() => [])) make(select, "option", { value: bot.name }, botTitle(bot));
};

const shown = message => {
  const from = board.box(message.last?.places[0]);
  position = message;
  waiting = false;
  looking.end();
  if (message.panels) board.lay(message.layout, message.panels);
  board.own(message.person ?? (message.here.includes(message.seat) ? message.seat : board.owned));
  board.set(message.parts);
  story.take(message.events, message.names, message.person);
  listSeats();
  if (message.last) board.mark(message.last.places, from);
  byId("words").replaceChildren();
  if (message.seat !== null) make(byId("words"), "span", { class: `dot dot${message.seat}`, "aria-hidden": "true" });
  byId("words").append(message.words);
  const watching = !message.here.length;
  const decides = message.over ? "The game is over"
    : message.awaited !== null ? `${colourName(message.awaited)} is next` : message.mine ? (message.person === null ? `${colourName(message.seat)}, your move:` : "Your move:")
    : `${who(message.titles, message.seat)} ${message.broken ? "has failed" : stepping() && message.steers ? "is to decide: press Next" : "decides …"}`;
  tellTurn = () => {
    byId("turn").textContent = coach.headline(message.mine, !message.people.length) || decides;
    byId("prompt").hidden = coach.lesson !== null;
  };
  coach.show(message.coach);
  tellTurn();
  const last = story.events.at(-1);
  byId("moved").textContent = last ? `${seatWords(last[1])} ${last[2]}` : "";
  byId("prompt").textContent = message.prompt;
  noHint();
  falling.end();
  restPointer();
  point(null);
  offer();
  if (!listed) board.near(message.mine && !coach.lesson ? message.actions : []);
  else if (message.mine) {
    if (innerWidth <= 1100) byId("mine").scrollIntoView({ block: "nearest" });
    listed = false;
  }
  byId("undo").disabled = !message.undo;
  byId("redo").disabled = !message.redo;
  byId("dice").disabled = byId("resign").disabled = message.over;
  branch.show(message.branch, message.mine);
  const alone = message.entered || message.branch !== null;  // whoever shows it decides for all seats
  byId("resign").hidden = message.branch !== null;
  byId("dice").hidden = message.entered || message.people.length > 0;
  byId("chances").hidden = !message.entered;
  byId("change").hidden = message.over || message.people.length > 0 || message.branch !== null;
  byId("resign").textContent = message.entered ? "Break off" : "Resign";
  byId("rematch").hidden = byId("again").hidden = alone;
  byId("pace").parentElement.hidden = alone || !message.steers;
  people.show(message);
  byId("person").hidden = watching;
  const elsewhere = message.awaited !== null || (!message.mine && message.people.includes(message.seat));
  byId("mine").hidden = watching || message.over || elsewhere;
  for (const button of document.querySelectorAll("[data-hint]")) button.disabled = !message.mine;
  showEnd();
  tellFailure();
  document.querySelector(".now").scrollTop = 0;
  guide.at(message.mine || message.over ? message.point : null).then(() => { if (!coach.lesson) showChoices(); });
  document.title = `${message.over ? "Over" : message.mine ? "Your move" : `Turn ${message.turn}`} – The Red Cathedral`;
  document.body.dataset.at = message.at;
  document.body.dataset.version = message.version;
  document.body.dataset.state = message.over ? "over" : message.mine ? "mine" : message.broken ? "broken"
    : message.awaited !== null ? "awaited" : elsewhere ? "others" : "bots";
  if (anew && message.steers && !alone) showPace();
  anew = false;
};

const receive = async message => {
  if (message.type === "ask") {
    waiting = false;
    falling.show(message);
    document.body.dataset.state = "asked";
  } else if (message.type === "position") {
    await loadPieces(message.full, message.contractors);
    shown(message);
  } else if (message.type === "coach") {
    coach.show(message.coach);
    tellTurn();
  } else if (message.type === "so_far") {
    position.so_far = message.so_far;
    tellSoFar();
  } else if (message.type === "preview") previewed(message);
  else if (message.type === "hint") {
    if (message.version === position.version) tellHint(message);
    byId("thinking").hidden = true;
  } else if (message.type === "refused") {
    waiting = false;
    byId("thinking").hidden = true;
    say(message.sentence);
  } else if (message.type === "present") people.present(message.seats);
  else if (message.type === "again") {
    remember(message.id, keys, others);
    byId("onward").hidden = false;
    byId("onward-link").href = address(message.id, keys);
  } else if (message.type === "gone") {
    live.end();
    byId("gone").hidden = false;
    byId("turn").textContent = "";
    say(message.sentence);
    document.body.dataset.state = "gone";
  }
};
const connectionChanged = (what, sentence) => {
  say(sentence);
  waiting = false;
  if (what === "open") anew = true;
};

// --- controls

const again = async deal => {
  try {
    const made = (await post(`${path}/again`, { deal, keys })).id;
    if (keys.length) remember(made, keys, others);
    location.href = address(made, keys);
  } catch (error) {
    say(error.message);
  }
};
const study = async () => {
  try {
    location.href = `/study?id=${(await post("/api/studies", { game: id })).id}&game=${encodeURIComponent(id)}`;
  } catch (error) {
    say(error.message);
  }
};
const stepping = () => byId("pace").value === "step";
const showPace = () => {
  byId("step").hidden = !stepping();
  if (stepping()) say("The bots wait now: press Next for each of their decisions.");
};
try { byId("pace").value = localStorage.getItem("pace") ?? "0.7"; } catch { /* the usual pace */ }
byId("pace").addEventListener("change", () => {
  try { localStorage.setItem("pace", byId("pace").value); } catch { /* the pace is not remembered */ }
  showPace();
  send(stepping() ? { do: "pause" } : { do: "pace", seconds: +byId("pace").value });
});
byId("step").addEventListener("click", () => send({ do: "step" }));
byId("undo").addEventListener("click", () => send({ do: "undo" }));
byId("redo").addEventListener("click", () => send({ do: "redo" }));
byId("dice").addEventListener("click", () => {
  send({ do: "new_dice" });
  say("From here on different dice will be rolled.");
});
byId("resign").addEventListener("click", () => {
  const several = position.people.length > 1;
  if (confirm(position.entered ? "Break this game off? It ends here, and no result counts. You can study it." : several ? "Leave this game? A bot plays on in your place."
    : "Give this game up? It ends here for all, and no result counts. You can study it, or begin another.")) send({ do: "resign" });
});
byId("rematch").addEventListener("click", () => again("new"));
byId("again").addEventListener("click", () => again("same"));
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
  const link = location.origin + address(id, []);  // without keys: who opens it plays no seat
  say(await copy(link) ? "The address of this game is on the clipboard." : `The address is ${link}`);
});
byId("record").href = `${path}/record`;
byId("change").href = `/position?id=${encodeURIComponent(id)}`;
for (const kind of ["svg", "png"]) {
  byId(kind).addEventListener("click", () => {
    savePicture(`${path}/board.svg?theme=${themeName()}${query(keys)}`, `game-${id}`, kind)
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
if (keys.length) remember(id, keys, others);
const connectionQuery = () => [["layout", layout()], ["pace", byId("pace").value], ...keys.map(key => ["key", key])];
live = new Live(`${path}/live`, connectionQuery, receive, connectionChanged);
