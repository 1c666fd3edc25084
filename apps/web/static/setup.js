// Setting up a game to play or to watch: the variant, who plays each seat, the deal; and the games that are kept.

import { COLOUR_NAMES, byId, make, seatName } from "./dom.js";
import { ask, post } from "./server.js";

const page = location.pathname === "/watch" ? "watch" : "play";
const watching = page === "watch";
const form = byId("setup");
const last = (() => {
  try { return JSON.parse(localStorage.getItem(page)) ?? {}; } catch { return {}; }
})();
let bots = [];

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
    if (!watching) make(select, "option", { value: "you" }, "you");
    for (const bot of bots) make(select, "option", { value: bot.name }, bot.about ? `${bot.name}: ${bot.about}` : bot.name);
    make(select, "option", { value: "" }, "another bot …");
    const usual = watching ? bots[seat % 2].name : "greedy";
    const value = seat === mine ? "you" : before[seat] && before[seat] !== "you" ? before[seat] : last.seats?.[seat];
    select.value = seat !== mine && (!value || value === "you") ? usual : value;
    if (select.selectedIndex < 0) select.value = usual;
    const own = make(label, "input", {
      type: "text", name: `own${seat}`, placeholder: "search:simulations=200", "aria-label": `Bot of ${COLOUR_NAMES[seat]}`,
    });
    own.hidden = true;
    select.addEventListener("change", () => {
      own.hidden = select.value !== "";
      if (select.value === "you") {
        for (const other of byId("seats").querySelectorAll("select[data-bot]")) {
          if (other !== select && other.value === "you") other.value = "greedy";
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
  return { variant, seats: who, seed: chosen("seed") === "" ? null : +chosen("seed") };
};

form.addEventListener("submit", async event => {
  event.preventDefault();
  const begin = form.querySelector("button.main");
  const body = asked();
  const full = body.variant.contractors || body.variant.special_tiles || body.variant.fourth_guild !== "clergy";
  byId("sentence").textContent = full ? "Dealing … (the first time, the full game is compiled, which takes minutes)" : "";
  begin.disabled = true;
  try {
    const { id } = await post("/api/games", body);
    try {
      localStorage.setItem(page, JSON.stringify({ ...body, seat: body.seats.indexOf("you") }));
      sessionStorage.setItem(`game ${id}`, JSON.stringify(body));
    } catch { /* nothing is remembered */ }
    location.href = `/game?id=${id}`;
  } catch (error) {
    byId("sentence").textContent = error.message;
  } finally {
    begin.disabled = false;
  }
});

const list = async () => {
  const { games } = await ask("/api/games");
  byId("kept").hidden = !games.length;
  const place = byId("games");
  for (const game of games) {
    const item = make(place, "li");
    const about = make(item, "span", {}, game.words);
    make(about, "small", {}, ` · ${game.changed}`);
    if (game.unfinished) make(item, "a", { class: "button", href: `/game?id=${game.id}` }, "Go on");
    else {
      const button = make(item, "button", { type: "button" }, "Study");
      button.addEventListener("click", async () => {
        try {
          location.href = `/study?id=${(await post("/api/studies", { game: game.id })).id}`;
        } catch (error) {
          byId("sentence").textContent = error.message;
        }
      });
    }
  }
};

const showPage = () => {
  document.title = `${watching ? "Watch" : "Play"} – The Red Cathedral`;
  form.querySelector("button.main").textContent = watching ? "Watch" : "Play";
  document.querySelector(`nav a[href="${location.pathname}"]`).setAttribute("aria-current", "page");
  for (const one of document.querySelectorAll("[data-only]")) one.hidden = one.dataset.only !== page;
};

const begin = async () => {
  showPage();
  try {
    bots = await ask("/api/bots");
    const { variant } = last;
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
begin();
