// The page of a study: the positions of a record, their analysis, and actions such as playing on.

import { ChanceGraph } from "./chances.js";
import { COLOUR_NAMES, byId, make, percent, seatName, shareLine, themeName } from "./dom.js";
import { Graph } from "./graph.js";
import { LiveBoard } from "./liveboard.js";
import { botTitle } from "./opponents.js";
import { ask, copy, loadPieces, post, savePicture, signed } from "./server.js";
import { Timeline } from "./timeline.js";

const id = new URLSearchParams(location.search).get("id"), game = new URLSearchParams(location.search).get("game");
const path = `/api/studies/${encodeURIComponent(id)}`;
const say = sentence => { byId("said").textContent = sentence ?? ""; };
const LUCKIEST = 5;
const rows = [];  // by decision; those that have not been analysed are missing
let data, timeline, graph, luckGraph, made = 0, quiz = false;

const points = number => `${Math.round(100 * number)}`;
const whole = number => `${number > 0 ? "+" : number < 0 ? "−" : ""}${Math.abs(Math.round(100 * number))}%`;
const within = error => (error ? ` ± ${points(1.96 * error)}` : "");  // none where the number is certain, or its error is not known

// --- mistakes

const tellMistakes = () => {
  rows.forEach((row, i) => {
    const button = timeline.buttons[i + 1];
    if (!row.size || button.querySelector(".badge")) return;
    make(button, "span", { class: `badge ${row.size}` }, `${row.size} −${row.loss.hopeless ? `${row.loss.prestige.toFixed(1)} prestige` : points(row.loss.lost)}`);
  });
  const sizes = ["blunder", "mistake", "inaccuracy"];
  const head = byId("mistakes").querySelector("thead"), body = byId("mistakes").querySelector("tbody");
  head.replaceChildren();
  body.replaceChildren();
  const names = make(head, "tr");
  for (const word of ["seat", "blunders", "mistakes", "inaccuracies", "lost in all"]) make(names, "th", { scope: "col" }, word);
  for (let seat = 0; seat < data.players; seat += 1) {
    const line = make(body, "tr"), own = rows.filter(row => row.seat === seat);
    seatName(make(line, "td"), seat, COLOUR_NAMES[seat]);
    for (const size of sizes) make(line, "td", {}, own.filter(row => row.size === size).length);
    make(line, "td", {}, points(own.reduce((sum, row) => sum + row.loss.lost, 0)));
  }
  byId("worse").disabled = byId("quiz").disabled = !rows.some(row => row.size && isWanted(row));
};
const isWanted = row => byId("whose").value === "" || row.seat === +byId("whose").value;

// --- luck and skill

const PARTS = {
  start: ["at the deal", "The win chance before the first decision"],
  luck: ["luck", "What the rolls brought, whoever rolled"],
  skill: ["skill", "What the own decisions lost"],
  others: ["mistakes of others", "What the others' decisions lost to this seat"],
  rest: ["unexplained", "What the evaluation cannot explain"],
  result: ["result", "The share of the victory; of an unfinished game the win chance"],
};
const tellSums = balance => {
  const head = byId("sums").querySelector("thead"), body = byId("sums").querySelector("tbody");
  head.replaceChildren();
  body.replaceChildren();
  const names = make(head, "tr");
  make(names, "th", { scope: "col" }, "win chance");
  for (let seat = 0; seat < data.players; seat += 1) seatName(make(names, "th", { scope: "col" }), seat, COLOUR_NAMES[seat]);
  for (const [part, [word, title]] of Object.entries(PARTS)) {
    const line = make(body, "tr");
    make(line, "th", { scope: "row", title }, part === "result" && data.unfinished ? "at the last position" : word);
    const errors = { start: balance.errors[0], luck: balance.luck_errors, result: balance.errors.at(-1) }[part];
    balance[part].forEach((number, seat) => {
      make(line, "td", {}, (part === "start" || part === "result" ? percent : signed)(number) + within(errors?.[seat]));
    });
  }
};
const tellLuck = balance => {
  const sum = Array(data.players).fill(0);
  byId("sums").hidden = made < data.total;
  if (made === data.total) tellSums(balance);
  const rolled = rows.flatMap((row, at) => (row.roll ? [[at, row]] : []));
  const brought = Array.from({ length: timeline.last + 1 }, (_, at) => {
    rows[at - 1]?.roll?.luck.forEach((luck, seat) => { sum[seat] += luck; });
    return rolled.length ? [...sum] : null;
  });
  luckGraph.draw(brought);
  luckGraph.show(timeline.now);
  const size = ([, row]) => Math.max(...row.roll.luck.map(Math.abs));
  byId("luckiest").replaceChildren();
  for (const [at, row] of rolled.sort((one, other) => size(other) - size(one)).slice(0, LUCKIEST)) {
    const seat = row.roll.luck.indexOf(Math.max(...row.roll.luck));
    const button = make(make(byId("luckiest"), "li"), "button", { type: "button" });
    seatName(button, row.seat, `${COLOUR_NAMES[row.seat]}: ${rollWords(row.roll)}`);
    button.append(`, ${signed(row.roll.luck[seat])}${within(row.roll.errors[seat])} for ${COLOUR_NAMES[seat]}`);
    button.addEventListener("click", () => timeline.show(at + 1));
  }
};
const rollWords = roll => {
  const words = roll.rolled.map(one => Object.entries(one).map(([die, value]) => `${die} ${value}`).join(", "));
  return words.join("; ") || "drawn by chance";
};

// --- the analysis of the next decision

let rings = [];
const ring = row => {
  rings.forEach(shape => shape.remove());
  rings = [];
  if (!row || quiz) return;
  const played = data.moves[timeline.now][1];
  for (const [words, kind] of played === row.best ? [[played, "best"]] : [[row.best, "best"], [played, "played"]]) {
    for (const place of row.places[words] ?? []) rings.push(...timeline.board.cover(place, { class: `ring ${kind}` }));
  }
};

const tellVerdict = row => {
  const place = byId("verdict"), { sentence, loss } = row.verdict;
  seatName(place, row.seat, `${COLOUR_NAMES[row.seat]} ${sentence} `);
  if (row.size) make(place, "span", { class: `badge ${row.size}` }, row.size);
  place.append(` ${loss}`);
};

const consider = ({ verdict: { measured, searched } }) => {
  for (const [words, number] of measured) {
    const line = make(byId("measured").querySelector("tbody"), "tr");
    make(line, "td", {}, words);
    make(line, "td", {}, number);
  }
  for (const [words, share, tried, chance, why] of searched) {
    const line = shareLine(byId("considered").querySelector("tbody"), words, share, tried, chance);
    if (why) line.lastElementChild.title = why;
  }
  for (const name of ["measured", "considered"]) byId(name).hidden = !byId(name).querySelector("tbody").children.length;
};

const tellLine = row => {
  byId("line").replaceChildren();
  byId("ahead").hidden = true;
  row.line.forEach(([who, words], i) => {
    const item = make(byId("line"), "li");
    make(item, "b", {}, COLOUR_NAMES[who]);
    const button = make(item, "button", { type: "button" }, words);
    button.addEventListener("click", () => {
      const picture = byId("ahead").querySelector("img");
      picture.src = `${path}/board.svg?at=${timeline.now}&ahead=${i + 1}&theme=${themeName()}`;
      picture.alt = byId("ahead").querySelector("figcaption").textContent = `The board after ${COLOUR_NAMES[who]}: ${words}`;
      byId("ahead").hidden = false;
    });
  });
};

/** The question at a mistake: which action is better? The answer is shown after a choice. */
const pose = (row, inWords) => {
  const played = data.moves[timeline.now][1];
  seatName(byId("verdict"), row.seat, `${COLOUR_NAMES[row.seat]} ${row.verdict.question}`);
  for (const words of row.answers) {
    const button = make(byId("choices"), "button", { type: "button" }, inWords(words));
    button.addEventListener("click", () => {
      question(false);
      const answer = words === row.best ? "Yes: " : words === played ? "That is what was played. " : "That is another one, which was not measured. ";
      byId("verdict").prepend(answer);
    });
  }
};

const thought = () => {
  const { now, last } = timeline, row = rows[now];
  for (const name of ["measured", "considered"]) {
    byId(name).querySelector("tbody").replaceChildren();
    byId(name).hidden = true;
  }
  for (const place of ["choices", "verdict", "rolled"]) byId(place).replaceChildren();
  byId("best").hidden = !row || quiz;
  ring(row);
  if (now === last) byId("verdict").textContent = data.unfinished ? "The record ends here." : "The game is over.";
  else if (!row) byId("verdict").textContent = "This decision has not been analysed yet.";
  if (!row) return;
  const inWords = words => row.phrases[words] ?? words;
  if (quiz && row.size) return pose(row, inWords);
  tellVerdict(row);
  consider(row);
  tellLine(row);
  if (row.roll) {
    const luck = row.roll.luck.map((one, seat) => `${COLOUR_NAMES[seat]} ${signed(one)}${within(row.roll.errors[seat])}`);
    byId("rolled").textContent = `Then the dice: ${rollWords(row.roll)}. Luck: ${luck.join(", ")}.`;
  }
};
const question = on => {
  quiz = on;
  byId("quiz").setAttribute("aria-pressed", String(on));
  thought();
};

const onPosition = at => {
  byId("policies").hidden = true;
  byId("branch").disabled = data.movers[at] === null;
  for (const form of ["compare", "onward"]) {
    for (const one of byId(form).elements) one.disabled = data.movers[at] === null;
  }
  graph.show(at);
  luckGraph.show(at);
  quiz = quiz && Boolean(rows[at]?.size);
  byId("quiz").setAttribute("aria-pressed", String(quiz));
  thought();
  history.replaceState(null, "", `#${at}`);
  document.body.dataset.at = at;
};
/** Goes to the position of the next mistake, before it was made. */
const nextMistake = () => {
  const found = rows.flatMap((row, i) => (row.size && isWanted(row) ? [i] : []));
  if (found.length) timeline.show(found.find(i => i > timeline.now) ?? found[0]);
  return found.length > 0;
};
const nextQuestion = () => {
  quiz = true;  // before the mistake is shown, so that its answer is not
  question(nextMistake());
};

// --- the analysis, in the background

const analyse = async () => {
  try {
    const found = await ask(`${path}/analysis?from=${made}&at=${Math.min(timeline.now, timeline.last)}`);
    for (const row of found.rows) rows[row.number] = row;
    made = found.done;
    byId("progress").value = found.total ? found.done / found.total : 1;
    byId("progress").hidden = found.done === found.total;
    byId("progress-words").textContent = found.failed || (found.done < found.total
      ? `${found.done} of ${found.total} decisions have been analysed.` : "");
    if (found.rows.length) {
      graph.draw(found.balance.chances, found.balance.errors, rows);
      graph.show(timeline.now);
      tellLuck(found.balance);
      tellMistakes();
      if (found.rows.some(row => row.number === timeline.now)) thought();
    }
    document.body.dataset.analysed = made;
    if (found.done < found.total && !found.failed) setTimeout(analyse, 700);
  } catch (error) {
    byId("progress-words").textContent = error.message;
    setTimeout(analyse, 5000);  // one answer that is lost does not end it
  }
};

// --- the game that is studied, while it is played

const STALE = {
  on: "The game has gone on since this study was begun.",
  other: "Decisions of this study have been taken back in the game.",
};
const compareGame = async () => {
  const found = await ask(`${path}/game?id=${encodeURIComponent(game)}`).catch(() => ({ state: "gone" }));
  byId("stale").hidden = !STALE[found.state];
  byId("stale").firstElementChild.textContent = STALE[found.state] ?? "";
  if (found.state === "same") setTimeout(compareGame, 5000);
};
byId("anew").addEventListener("click", async () => {
  try {
    location.href = `/study?id=${(await post("/api/studies", { game })).id}&game=${encodeURIComponent(game)}`;
  } catch (error) {
    say(error.message);
  }
});

// --- variations

const listBranches = async () => {
  byId("branches").replaceChildren();
  for (const branch of await ask(`${path}/branches`)) {
    const item = make(byId("branches"), "li"), about = make(item, "span");
    make(about, "b", {}, branch.name || "A variation");
    about.append(` from decision ${branch.at}, ${branch.decisions} played`);
    if (branch.comment) make(about, "small", { class: "comment" }, branch.comment);
    const place = `/api/games/${encodeURIComponent(branch.id)}`;
    make(item, "a", { class: "button", href: `/game?id=${encodeURIComponent(branch.id)}` }, "Open");
    make(item, "a", { class: "button", href: `${place}/record`, download: "" }, "Record");
    const remove = make(item, "button", { type: "button", "aria-label": `Delete: ${branch.name || `from decision ${branch.at}`}` }, "Delete");
    remove.addEventListener("click", async () => {
      if (!confirm("Delete this variation?")) return;
      try {
        await ask(place, { method: "DELETE" });
        await listBranches();
      } catch (error) {
        say(error.message);
      }
    });
  }
};
byId("branch").addEventListener("click", async () => {
  try {
    location.href = `/game?id=${(await post(`${path}/branches`, { at: timeline.now })).id}`;
  } catch (error) {
    say(error.message);
  }
});

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
    const { id: made } = await post(`${path}/play`, { at: timeline.now, seats, dice: event.target.elements.dice.value, game });
    location.href = `/game?id=${made}`;
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
byId("quiz").addEventListener("click", nextQuestion);
byId("whose").addEventListener("change", tellMistakes);
addEventListener("pageshow", event => { if (event.persisted) listBranches().catch(error => say(error.message)); });
addEventListener("hashchange", () => timeline?.show(+location.hash.slice(1)));

const begin = async () => {
  if (!id) return;
  try {
    data = await ask(path);
    await loadPieces(data.full, data.contractors);
    byId("opening").hidden = true;
    byId("study").hidden = false;
    timeline = new Timeline(data, onPosition, new LiveBoard(document.querySelector(".board")), true);
    timeline.keys.m = nextMistake;
    timeline.keys.q = nextQuestion;
    make(byId("whose"), "option", { value: "" }, "anyone");
    for (let seat = 0; seat < data.players; seat += 1) make(byId("whose"), "option", { value: seat }, COLOUR_NAMES[seat]);
    const go = at => timeline.show(at);
    graph = new ChanceGraph(byId("graph"), data.turns, data.players, go);
    luckGraph = new Graph(byId("luck-graph"), data.turns, data.players, "Luck of each seat so far", go, [-1, 1], whole);
    document.title = `Study of ${timeline.last} decisions – The Red Cathedral`;
    await offerBots();
    await listBranches();
    timeline.show(+location.hash.slice(1) || 0);
    tellMistakes();
    document.body.dataset.state = "ready";
    analyse();
    if (game) compareGame();
  } catch (error) {
    byId("sentence").textContent = error.message;
    document.body.dataset.state = "gone";
  }
};
begin();
