// Several people at one game: whose turn it is at this screen, and the addresses of those who play elsewhere.

import { COLOUR_NAMES, byId, make, seatName } from "./dom.js";
import { address } from "./keys.js";
import { copy } from "./server.js";

export const colourName = seat => COLOUR_NAMES[seat][0].toUpperCase() + COLOUR_NAMES[seat].slice(1);

export class People {
  /**
   * @param id of the game
   * @param others the keys of those who play elsewhere, by seat
   * @param say called with a sentence
   * @param sit called when the person of the awaited seat is in front of the screen
   */
  constructor(id, others, say, sit) {
    [this.id, this.others, this.say] = [id, others, say];
    this.seats = [];  // of those who show the game
    byId("sit").addEventListener("click", sit);
    const alone = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    byId("invite-alone").hidden = !alone;
  }

  /** Shows a position: the screen between two people, and the addresses that are still needed. */
  show(position) {
    const { awaited, over } = position;
    byId("cover").hidden = awaited === null;
    if (awaited !== null) {
      byId("cover-title").textContent = `${colourName(awaited)} is next`;
      byId("sit").textContent = `I play ${COLOUR_NAMES[awaited]}: show my hand`;
      byId("sit").focus({ preventScroll: true });
    }
    byId("invite").hidden = over || !Object.keys(this.others).length;
    this.list();
  }

  present(seats) {
    const all = this.missing().length;
    this.seats = seats;
    if (all && !this.missing().length) byId("invite-open").open = false;
    this.list();
  }

  missing() {
    return Object.keys(this.others).filter(seat => !this.seats.includes(+seat));
  }

  list() {
    byId("invite-list").replaceChildren();
    for (const [seat, key] of Object.entries(this.others)) {
      const item = make(byId("invite-list"), "li");
      seatName(item, +seat, `${colourName(+seat)} ${this.seats.includes(+seat) ? "is here" : "has not come yet"}`);
      const link = location.origin + address(this.id, [key]);
      const button = make(item, "button", { type: "button", "data-link": link }, "Copy the address");
      button.addEventListener("click", async () => {
        this.say(await copy(link) ? `The address of ${COLOUR_NAMES[seat]} is on the clipboard: send it to whoever plays that seat.`
          : `The address of ${COLOUR_NAMES[seat]} is ${link}`);
      });
    }
  }
}
