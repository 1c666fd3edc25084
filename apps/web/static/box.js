// The owner's cards: what was entered of them, what is still missing, and what is printed on the boards.

import { byId, make } from "./dom.js";
import { cardIcons, cardWords, plain } from "./icons.js";
import { ask, loadPieces, post } from "./server.js";

const KINDS = { base: "Bases", middle: "Middles", dome: "Domes" };
const SLOTS = { own: "own colour", next1: "next colour", next2: "the colour after", next3: "the last colour", white1: "white, first", white2: "white, second" };
const PARTS = {
  cards: "cards", plans: "building plans for", module_plans: "plans of Contractors for", guilds: "cards of the", market: "amounts of market tiles",
  workshop: "amounts of workshop tiles", track: "score track", price: "prices of slots", ornament: "ornaments on slots", specialists: "specialists",
};
let box;

const say = sentence => { byId("sentence").textContent = sentence ?? ""; };
const keep = async () => {
  try {
    await post("/api/box", { version: box.version, known: box.known });
    await load();
    say("");
  } catch (error) {
    await load();
    say(error.message);
  }
};
const remover = (parent, words, remove) => {
  const button = make(parent, "button", { type: "button", "aria-label": `Remove: ${words}` }, "Remove");
  button.addEventListener("click", () => {
    remove();
    keep();
  });
};

const showCards = () => {
  byId("cards").replaceChildren();
  for (const [kind, title] of Object.entries(KINDS)) {
    const cards = box.known.cards?.[kind] ?? [];
    make(byId("cards"), "h3", {}, `${title}: ${cards.length}`);
    if (!cards.length) make(byId("cards"), "p", { class: "muted" }, "None yet.");
    const list = make(byId("cards"), "ul", { class: "cards" });
    cards.forEach((card, i) => {
      const item = make(list, "li"), words = cardWords(card);
      cardIcons(item, card);
      make(item, "span", { class: "unseen" }, words);
      remover(item, words, () => cards.splice(i, 1));
    });
  }
};
const showOthers = () => {
  const list = byId("others");
  list.replaceChildren();
  const line = (words, remove) => {
    const item = make(list, "li");
    make(item, "span", {}, words);
    remover(item, words, remove);
  };
  for (const part of ["plans", "module_plans"]) {
    for (const [seats, plans] of Object.entries(box.known[part] ?? {})) {
      plans.forEach((plan, i) => line(`${PARTS[part]} ${seats}: ${plan.join(" ")}`, () => plans.splice(i, 1)));
    }
  }
  for (const [guild, cards] of Object.entries(box.known.guilds ?? {})) {
    for (const number of Object.keys(cards)) line(`${plain(guild)}, card ${number}`, () => delete cards[number]);
  }
  for (const number of Object.keys(box.known.specialists ?? {})) line(`specialist ${number}`, () => delete box.known.specialists[number]);
  for (const part of ["market", "workshop"]) {
    for (const [name, amount] of Object.entries(box.known[part] ?? {})) {
      line(`${part} tile: ${amount} ${plain(name)}`, () => delete box.known[part][name]);
    }
  }
  if (!list.children.length) make(list, "li", { class: "muted" }, "None yet: they are added with each table that you set up.");
};
const showShares = () => {
  byId("shares").replaceChildren();
  for (const { part, typed, total } of box.shares) {
    const [name, of = ""] = part.split(" ");
    const words = `${PARTS[name]} ${name.includes("plans") ? `${of} players` : plain(of)}`.trim();
    make(byId("shares"), "li", {}, typed === total ? `${words}: all ${total}` : `${words}: ${total - typed} of ${total} missing`);
  }
  byId("doubted").hidden = !box.doubts.length;
  byId("doubts").replaceChildren();
  for (const sentence of box.doubts) make(byId("doubts"), "li", {}, sentence);
};
const showBoards = () => {
  byId("track").value = (box.known.track ?? box.usual.track).join(" ");
  for (const part of ["price", "ornament"]) {
    byId(part).replaceChildren();
    for (const [slot, usual] of Object.entries(box.usual[part])) {
      const label = make(byId(part), "label", { class: "field" }, SLOTS[slot]), value = box.known[part]?.[slot] ?? usual;
      const field = part === "price" ? make(label, "input", { type: "number", min: 0, max: 20, step: 1, "data-slot": slot })
        : make(label, "select", { "data-slot": slot });
      for (const ornament of part === "price" ? [] : ["door", "arch", "cross"]) make(field, "option", { value: ornament }, ornament);
      field.value = value;
    }
  }
};
const load = async () => {
  box = await ask("/api/box");
  showCards();
  showOthers();
  showShares();
  showBoards();
};
byId("boards").addEventListener("click", () => {
  const fields = part => [...byId(part).querySelectorAll("[data-slot]")].map(one => [one.dataset.slot, part === "price" ? +one.value : one.value]);
  box.known.track = byId("track").value.split(/[\s,]+/).filter(Boolean).map(Number);
  box.known.price = Object.fromEntries(fields("price"));
  box.known.ornament = Object.fromEntries(fields("ornament"));
  keep();
});
(async () => {
  try {
    await loadPieces(true, true);
    await load();
    document.body.dataset.state = "ready";
  } catch (error) {
    say(error.message);
  }
})();
