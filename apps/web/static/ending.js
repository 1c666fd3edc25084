// The end of a game explained: where the prestige of each seat comes from, tower by tower, and what broke a tie.

import { byId, make, seatName } from "./dom.js";

const table = (parent, caption, head) => {
  const made = make(make(parent, "div", { class: "scroll" }), "table");
  make(made, "caption", {}, caption);
  const row = make(make(made, "thead"), "tr");
  for (const words of head) make(row, "th", { scope: "col" }, words);
  return make(made, "tbody");
};

/** Shows the results, and the account of them if the game was played to its end. */
export const tellEnd = (results, account, name, person) => {
  const place = byId("account");
  place.replaceChildren();
  if (!results || !account) return;
  const extra = ["contracts", "tools"].filter(part => part in results[0].parts);
  const body = table(place, "Prestige", ["seat", "place", "prestige", "marker", "goods", ...extra, "towers"]);
  body.closest("table").id = "results";
  for (const seat of account.seats) {
    const row = make(body, "tr");
    seatName(make(row, "th", { scope: "row" }), seat.seat, `${name(seat.seat)}${seat.seat === person ? ", you" : ""}`);
    for (const number of [seat.place, seat.prestige, seat.track, seat.goods]) make(row, "td", {}, number);
    for (const part of extra) make(row, "td", { title: [seat[part][1]].flat().join("; ") }, seat[part][0]);
    make(row, "td", {}, seat.towers);
  }
  const list = make(place, "ul", { class: "reasons" });
  const say = words => make(list, "li", {}, words);
  for (const sentence of account.ties) say(sentence);
  if (account.ending) say(account.ending);
  for (const seat of account.seats) {
    const [held, left] = seat.held;
    const parts = [];
    if (seat.back) parts.push(`the marker goes back ${seat.back} ${seat.back === 1 ? "space" : "spaces"} to the last golden one`);
    if (held) parts.push(`${held === 1 ? "one material or ruble in hand gives" : `${held} materials and rubles in hand give`} ${seat.goods} prestige${left ? `, ${left} left over` : ""}`);
    if (seat.contracts[1].length) parts.push(`contracts: ${seat.contracts[1].join("; ")}`);
    if (seat.tools[1]) parts.push(`tools: ${seat.tools[1]}`);
    if (parts.length) say(`${name(seat.seat)}: ${parts.join("; ")}.`);
  }
  const towers = table(place, "Towers: sections and ornaments there, and the share of each seat",
    ["tower", "value", ...account.seats.map(seat => name(seat.seat))]);
  for (const tower of account.towers) {
    const row = make(towers, "tr", { class: "counted" });
    make(row, "th", { scope: "row" }, tower.tower);
    make(row, "td", { title: tower.parts }, tower.value);
    for (const { seat } of account.seats) {
      make(row, "td", {}, tower.presence[seat] ? `${tower.presence[seat]} → ${tower.shares[seat]}` : "–");
    }
    make(make(towers, "tr"), "td", { class: "why", colspan: 2 + account.seats.length }, [tower.parts, tower.rule].filter(Boolean).join(". "));
  }
};
