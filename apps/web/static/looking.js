// Looking at an earlier position of the game: nothing can be chosen meanwhile, and the next position ends it.

import { byId } from "./dom.js";
import { ask } from "./server.js";

export class Looking {
  /**
   * @param board the LiveBoard
   * @param path gives the address of positions, without their number
   * @param say called with a sentence if there is none
   * @param changed called with the number of decisions before the position that is shown, or null for the present one
   */
  constructor(board, path, say, changed) {
    [this.board, this.path, this.say, this.changed] = [board, path, say, changed];
    this.at = null;
    byId("back").addEventListener("click", () => this.end());
  }

  async look(at) {
    try {
      const found = await ask(`${this.path()}&at=${at}`);
      this.at = at;
      this.board.look(found.parts);
      byId("looked").textContent = `Before this: ${found.words}`;
      this.show();
    } catch (error) {
      this.say(error.message);
    }
  }

  end() {
    if (this.at === null) return;
    this.at = null;
    this.board.look(null);
    this.show();
  }

  show() {
    byId("looking").hidden = this.at === null;
    byId("ask").hidden = this.at !== null;
    document.body.classList.toggle("looked-at", this.at !== null);
    this.changed(this.at);
  }
}
