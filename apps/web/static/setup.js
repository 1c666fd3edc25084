// Setting up a game to play or to watch: the variant, who plays each seat, the deal; and the games that are kept.

import { COLOUR_NAMES, byId, make, seatName } from "./dom.js";
import { beginFirstGame } from "./first.js";
import { address, known, query, remember } from "./keys.js";
import { describe, listOpponents } from "./opponents.js";
import { ask, post } from "./server.js";

const page = location.pathname === "/watch" ? "watch" : "play";
const watching = page === "watch";
const form = byId("setup");
const last = (() => {
  try { return JSON.parse(localStorage.getItem(page)) ?? {}; } catch { return {}; }
})();
let bots = [];
const ABOUT = {
  here: "Takes turns with you at this screen. What is hidden from the others is shown once they look away.",
  link: "Plays in a browser of their own: the game gives you an address for them.",
};

const PEOPLE = { you: "you", here: "another person here", link: "somebody by link" };
const chosen = name => form.elements.namedItem(name)?.value;

const seats = () => {
  const count = +chosen("players");
  const mine = watching ? -1 : Math.min(+(chosen("seat") ?? last.seat ?? 0), count - 1);
  const before = [...byId("seats").querySelectorAll("select[data-bot]")].map(one => one.value);
  byId("seats").replaceChildren();
  for (let seat = 0; seat < count; seat += 1) {
    const label = make(byId("seats"), "label", { class: "field" });
    seatName(make(label, "span"), seat, `${COLOUR_NAMES[seat]}${seat === 0 ? ", begins" : ""}`);
    const select = make(label, "select", { name: `bot${seat}`, "data-bot": seat });
    for (const [value, words] of Object.entries(watching ? {} : PEOPLE)) {
      if (value === "you" || count > 1) make(select, "option", { value }, words);
    }
    listOpponents(select, bots);
    const about = make(label, "small", { class: "about" });
    const tell = () => { about.textContent = ABOUT[select.value] ?? describe(bots, select.value); };
    const usual = watching ? bots[seat % 2].name : "greedy";
    const value = seat === mine ? "you" : before[seat] && before[seat] !== "you" ? before[seat] : last.seats?.[seat];
    select.value = seat !== mine && (!value || value === "you") ? usual : value;
    if (select.selectedIndex < 0) select.value = usual;
    tell();
    const own = make(label, "input", {
      type: "text", name: `own${seat}`, placeholder: "search:simulations=200", "aria-label": `Bot of ${COLOUR_NAMES[seat]}`,
    });
    own.hidden = true;
    select.addEventListener("change", () => {
      own.hidden = select.value !== "";
      tell();
      if (select.value === "you") {
        for (const other of byId("seats").querySelectorAll("select[data-bot]")) {
          if (other !== select && other.value === "you") {
            other.value = "greedy";
            other.dispatchEvent(new Event("change"));
          }
        }
      }
    });
  }
  if (count === 1 && watching) byId("seats").querySelector("select").value = bots[0].name;
};

const asked = () => {
  const variant = {
    players: +chosen("players"), workshop: chosen("workshop"), fourth_guild: chosen("fourth_guild"),
    special_tiles: form.elements.special_tiles.checked, contractors: form.elements.contractors.checked,
    promos: form.elements.promos.checked && chosen("fourth_guild") === "random", turn_limit: +chosen("turn_limit"),
  };
  const who = [...byId("seats").querySelectorAll("select[data-bot]")].map((select, seat) =>
    select.value || form.elements[`own${seat}`].value.trim());
  const own = who.indexOf("you"), level = chosen("coach");
  const coach = own >= 0 && level !== "off" ? { [own]: level } : {};
  return { variant, coach, seats: who.map(one => (one in PEOPLE ? "you" : one)), who, seed: chosen("seed") === "" ? null : +chosen("seed") };
};

byId("first")?.addEventListener("click", () => beginFirstGame(sentence => { byId("first-sentence").textContent = sentence; }));
form.addEventListener("submit", async event => {
  event.preventDefault();
  const begin = form.querySelector("button.main");
  const { who, ...body } = asked();
  byId("sentence").textContent = "Dealing …";
  begin.disabled = true;
  try {
    const { id, keys } = await post("/api/games", body);
    try {
      localStorage.setItem(page, JSON.stringify({ ...body, seats: who, seat: who.indexOf("you") }));
    } catch { /* nothing is remembered */ }
    const entries = Object.entries(keys);
    const mine = entries.filter(([seat]) => who[seat] !== "link").map(([, key]) => key);
    if (entries.length) remember(id, mine, Object.fromEntries(entries.filter(([seat]) => who[seat] === "link")));
    location.href = address(id, mine);
  } catch (error) {
    byId("sentence").textContent = error.message;
  } finally {
    begin.disabled = false;
  }
});

// --- the games that are kept

const list = async () => {
  const { games } = await ask("/api/games");
  byId("kept").hidden = !games.length;
  const place = byId("games");
  place.replaceChildren();
  for (const game of games) {
    const item = make(place, "li");
    const about = make(item, "span", {}, game.words), { mine } = known(game.id);
    make(about, "small", {}, ` · ${game.changed}`);
    make(item, "a", { class: "button", href: address(game.id, mine) },
      !game.unfinished ? "Result" : game.people && !mine.length ? "Look on" : "Go on");
    const remove = make(item, "button", { type: "button", "aria-label": `Delete: ${game.words}` }, "Delete");
    remove.addEventListener("click", async () => {
      if (!confirm("Delete this game?")) return;
      try {
        await ask(`/api/games/${game.id}?${query(mine)}`, { method: "DELETE" });
        await list();
      } catch (error) {
        byId("sentence").textContent = error.message;
      }
    });
  }
};

/** Says what is still being compiled, until all is. */
const tellProgress = async () => {
  const found = await ask("/api/progress").catch(() => null);
  byId("compiling").hidden = !found?.sentence;
  if (!found?.sentence) return;
  byId("compiled").value = found.done / found.total;
  byId("compiled-words").textContent = `${found.sentence} ${found.base && !found.full ? "The base game can be played." : ""}`;
  setTimeout(tellProgress, 1000);
};

const showPage = () => {
  document.title = `${watching ? "Watch" : "Play"} – The Red Cathedral`;
  form.querySelector("button.main").textContent = watching ? "Watch" : "Play";
  document.querySelector(`nav a[href="${location.pathname}"]`).setAttribute("aria-current", "page");
  for (const one of document.querySelectorAll("[data-only]")) one.hidden = one.dataset.only !== page;
};

const begin = async () => {
  showPage();
  tellProgress();
  try {
    bots = await ask("/api/bots");
    const { variant } = last;
    form.elements.coach.value = Object.values(last.coach ?? {})[0] ?? "off";
    if (variant) {
      for (const name of ["players", "workshop", "fourth_guild", "turn_limit"]) form.elements[name].value = variant[name];
      for (const name of ["special_tiles", "contractors", "promos"]) form.elements[name].checked = variant[name];
    }
    seats();
    form.elements.players.addEventListener("change", seats);
    document.body.dataset.state = "ready";
    if (!watching) await list();
  } catch (error) {
    byId("sentence").textContent = error.message;
  }
};
addEventListener("pageshow", event => {  // back from a game: what stood here was of before it
  if (!event.persisted) return;
  byId("sentence").textContent = "";
  if (byId("first-sentence")) byId("first-sentence").textContent = "";
  if (!watching) list().catch(error => { byId("sentence").textContent = error.message; });
});
begin();
