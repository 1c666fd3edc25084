// A guided first game: a quiet deal for two against the weakest level, with a topic told where it is met first.

import { byId } from "./dom.js";
import { restPointer } from "./pointing.js";
import { ask, post } from "./server.js";

const DEAL = { variant: { players: 2 }, seats: ["you", "greedy"], seed: 11 };

export const beginFirstGame = async say => {
  say("Dealing …");
  try {
    const { id } = await post("/api/games", DEAL);
    try {
      sessionStorage.setItem(`game ${id}`, JSON.stringify(DEAL));
      localStorage.setItem("guided", id);
      localStorage.removeItem("guide read");
    } catch { /* the game is not guided */ }
    location.href = `/game?id=${id}`;
  } catch (error) {
    say(error.message);
  }
};

/** Tells topics beside a game, each once, when their decision point is met for the first time. */
export class Guide {
  constructor(id) {
    this.place = byId("guide");
    this.on = (() => { try { return localStorage.getItem("guided") === id; } catch { return false; } })();
    this.told = new Set();
    this.read = (() => { try { return JSON.parse(localStorage.getItem("guide read")) ?? []; } catch { return []; } })();
    this.queue = [];
    byId("guide-next").addEventListener("click", () => {
      this.read.push(this.name);
      try { localStorage.setItem("guide read", JSON.stringify(this.read)); } catch { /* told again when the page is loaded anew */ }
      this.next();
    });
    byId("guide-off").addEventListener("click", () => {
      this.on = false;
      try { localStorage.removeItem("guided"); } catch { /* it is told again */ }
      this.place.hidden = true;
    });
  }

  /** Tells what belongs to the person's decision at a point, such as "market". */
  async at(point) {
    if (!this.on || !point) return;
    this.words ??= await ask("/api/topics");
    for (const topic of this.words.first[point] ?? []) {
      if (this.told.has(topic) || this.read.includes(topic)) continue;
      this.told.add(topic);
      this.queue.push(topic);
    }
    if (this.place.hidden) this.next();
  }

  next() {
    const name = this.name = this.queue.shift();
    restPointer();
    this.place.hidden = !name;
    if (!name) return;
    const { title, text } = this.words.topics[name];
    byId("guide-title").textContent = title;
    byId("guide-text").textContent = text;
    byId("guide-coach").hidden = name !== this.words.first.start[0];
    byId("guide-text").scrollTop = 0;
    byId("guide-next").textContent = this.queue.length ? "Next" : "I see";
    const more = byId("guide-more");
    more.href = `/learn#topic-${name}`;
  }
}

/** The answer to "What is this?": a note about a place on the board. */
export class Note {
  constructor(board) {
    this.board = board;
    this.place = byId("note");
    this.button = byId("what");
    this.asking = false;
    this.button.addEventListener("click", () => this.switch(!this.asking));
    byId("note-close").addEventListener("click", () => this.switch(false));
    document.addEventListener("keydown", event => { if (event.key === "Escape") this.switch(false); });
    board.element.addEventListener("click", event => {
      if (!this.asking) return;
      event.stopPropagation();
      event.preventDefault();
      this.tell(event);
    }, { capture: true });
  }

  switch(asking) {
    this.asking = asking;
    this.button.setAttribute("aria-pressed", asking);
    this.board.element.classList.toggle("asking", asking);
    this.place.hidden = !asking;
    if (asking) this.show("What is this?", "Click anything on the board.", "", "");
  }

  async tell(event) {
    const under = document.elementsFromPoint(event.clientX, event.clientY);
    const found = under.find(one => !one.closest(".light, .mark") && one.closest("[data-part]"));
    const part = found?.closest("[data-part]");
    if (!part) return;
    const piece = found.closest("[data-piece]")?.dataset.piece;
    const place = piece ? `${part.dataset.part}/${piece}` : part.dataset.part;
    const answer = await ask(`/api/what?place=${encodeURIComponent(place)}`);
    this.show(answer.title, answer.text, part.querySelector(":scope > title")?.textContent ?? "", answer.topic);
  }

  show(title, text, here, topic) {
    restPointer();
    byId("note-title").textContent = title;
    byId("note-here").textContent = here;
    byId("note-text").textContent = text;
    byId("note-more").hidden = !topic;
    byId("note-more").href = `/learn#topic-${topic}`;
  }
}
