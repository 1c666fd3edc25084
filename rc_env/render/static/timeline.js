// A game as a row of positions: the board at each of them, the list of decisions, and the ways from one to another.

import { Board, layout, narrow } from "./board.js";
import { byId, make } from "./dom.js";

const PACE = 700;  // milliseconds between two positions

export class Timeline {
  /**
   * @param data the game, as `rc_env.render.html.replay_data` gives it
   * @param onPosition called with the number of the position that is shown
   * @param board where it is shown
   * @param before whether the list leads to the position in which a decision was made, not to that after it
   */
  constructor(data, onPosition, board = new Board(document.querySelector(".board")), before = false) {
    [this.data, this.onPosition, this.before] = [data, onPosition, before];
    this.last = data.moves.length;
    this.now = -1;
    this.timer = 0;
    this.board = board;
    this.unfold();
    this.list();
    this.keys = {
      ArrowLeft: () => this.show(this.now - 1), ArrowRight: () => this.show(this.now + 1),
      Home: () => this.show(0), End: () => this.show(this.last),
      PageUp: () => this.toTurn(this.turn(this.now) - (this.turn(this.now - 1) === this.turn(this.now) ? 0 : 1)),
      PageDown: () => this.toTurn(this.turn(this.now) + 1),
    };
    for (const [name, key] of [["first", "Home"], ["back", "ArrowLeft"], ["next", "ArrowRight"], ["last", "End"]]) {
      byId(name).addEventListener("click", () => this.press(key));
    }
    byId("play").addEventListener("click", () => (this.timer ? this.stop() : this.play()));
    byId("scrub").max = this.last;
    byId("scrub").addEventListener("input", event => this.show(+event.target.value));
    byId("turn").max = data.turns.at(-1);
    byId("turn").addEventListener("change", event => this.toTurn(+event.target.value));
    document.addEventListener("keydown", event => {
      if (!this.keys[event.key] || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target.closest("select, textarea, input:not(#scrub)")) return;
      event.preventDefault();
      this.press(event.key);
    });
    narrow.addEventListener("change", () => this.now >= 0 && this.draw(true));
  }

  turn(at) { return this.data.turns[at]; }

  // The number of the drawing that each part shows at each position. Parts are numbered through both layouts.
  unfold() {
    this.positions = [];
    for (const changes of this.data.steps) {
      const shown = this.positions.length ? this.positions.at(-1).slice() : [];
      for (let i = 0; i < changes.length; i += 2) shown[changes[i]] = changes[i + 1];
      this.positions.push(shown);
    }
    let part = 0;
    this.offsets = {};
    for (const [name, panels] of Object.entries(this.data.panels)) {
      this.offsets[name] = part;
      for (const panel of panels) part += panel.parts.length;
    }
  }

  list() {
    const { moves, colours } = this.data;
    this.buttons = [null];
    moves.forEach(([seat, action, rolls, after], i) => {
      if (i === 0 || this.turn(i) !== this.turn(i - 1)) {
        make(byId("list"), "h3", {}, `Turn ${this.turn(i)}, ${colours[action.startsWith("ivan ") ? 1 : seat]}`);
      }
      const button = make(byId("list"), "button", { type: "button", class: `of${seat}` }, this.data.phrases?.[i] ?? action);
      if (rolls) make(button, "small", {}, ` rolled ${rolls}`);
      if (after) make(button, "small", {}, ` ${after}`);
      button.addEventListener("click", () => this.show(this.before ? i : i + 1));
      this.buttons.push(button);
    });
  }

  draw(anew) {
    const name = layout();
    if (anew) this.board.lay(name, this.data.panels[name]);
    const shown = this.positions[this.now];
    const parts = this.board.groups.map((_, i) => [i, this.data.drawings[shown[this.offsets[name] + i]]]);
    this.board.set(parts.filter(([i, drawing]) => this.board.drawings[i] !== drawing));
  }

  show(at) {
    at = Math.max(0, Math.min(this.last, Math.round(at) || 0));
    if (at === this.now) return;
    const anew = this.now < 0, list = byId("list");
    this.marked?.removeAttribute("aria-current");
    this.now = at;
    this.draw(anew);
    this.marked = this.buttons[this.before ? at + 1 : at];  // none at one of the two ends
    if (this.marked) {
      const top = this.marked.offsetTop;
      this.marked.setAttribute("aria-current", "step");
      if (top < list.scrollTop + 30 || top > list.scrollTop + list.clientHeight - 60) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    } else list.scrollTop = at && list.scrollHeight;
    byId("scrub").value = at;
    byId("scrub").setAttribute("aria-valuetext", this.data.words[at]);
    byId("at").textContent = `decision ${at} of ${this.last}`;
    byId("turn").value = this.turn(at);
    const mover = this.data.movers[at];
    byId("words").replaceChildren();
    if (mover !== null) make(byId("words"), "span", { class: `dot dot${mover}`, "aria-hidden": "true" });
    byId("words").append(this.data.words[at]);
    byId("back").disabled = byId("first").disabled = at === 0;
    byId("next").disabled = byId("last").disabled = at === this.last;
    if (at === this.last) this.stop();
    this.onPosition(at);
  }

  toTurn(turn) {
    const at = this.data.turns.findIndex(one => one >= turn);
    this.show(at < 0 ? this.last : at);
  }

  press(key) {
    this.stop();
    this.keys[key]();
  }

  play() {
    if (this.now === this.last) this.show(0);
    this.timer = setInterval(() => this.show(this.now + 1), PACE);
    this.tell();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.tell();
  }

  tell() {
    byId("play").textContent = this.timer ? "Pause" : "Play";
    byId("play").setAttribute("aria-pressed", String(this.timer !== 0));
  }
}
