// The replay page: a whole game in one file.

import { byId, make, percent, shareLine } from "./dom.js";
import { Graph } from "./graph.js";
import { Timeline } from "./timeline.js";

const data = JSON.parse(byId("data").textContent);
const graphs = [];
const timeline = new Timeline(data, at => {
  graphs.forEach(graph => graph.show(at));
  thought(at);
});

const graph = (name, rows, label) => {
  const known = rows.filter(row => row).flat();
  const range = [Math.min(0, ...known), Math.max(1, ...known)];
  const made = new Graph(byId(name), data.turns, data.colours.length, label, at => timeline.show(at), range);
  made.draw(rows);
  graphs.push(made);
};
graph("score", data.score, "Score of each seat if the game ended now, by decision");
graph("goods", data.goods, "Materials and rubles of each seat, by decision");
byId("worth").hidden = !data.values.some(row => row);
if (!byId("worth").hidden) graph("values", [...data.values, null], "What the bots expected, by decision");

/** Shows a bot's policy and values for the next decision. */
const thought = at => {
  const policy = data.policies[at], value = data.values[at], body = byId("choices");
  body.replaceChildren();
  const known = at < data.moves.length && (policy || value);
  let words = known ? `${data.colours[data.moves[at][0]]} is about to decide` : "Nothing is recorded here.";
  if (known && value) words += `; value ${value.map((v, s) => `${data.colours[s] ?? s} ${v.toFixed(2)}`).join(", ")}`;
  byId("thought").querySelector("p").textContent = words;
  if (!known || !policy) return;
  const played = data.moves[at][1];
  const rows = policy.filter(([action], i) => i < 8 || action === played);
  for (const [action, share] of rows) {
    const mine = action === played;
    const line = shareLine(body, action + (mine ? " (played)" : ""), Math.max(0, Math.min(1, share)), percent(share));
    if (mine) line.className = "played";
  }
  if (policy.length > rows.length) make(make(body, "tr"), "td", {}, `and ${policy.length - rows.length} more`);
};
byId("thought").hidden = ![...data.policies, ...data.values].some(row => row);
byId("title").textContent = data.title;
timeline.show(0);
