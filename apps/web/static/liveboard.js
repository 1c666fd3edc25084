// The board of a game that is being played: with previews, marks, and places to click.

import { Board } from "./board.js";
import { make } from "./dom.js";

/** The shape of a part that lights follow: a space, a section's card, a city. */
const GROUNDS = ["path.well", "path.paper", "path[class^=season]", "circle[class^=season]"].map(one => `:scope > ${one}`).join();

/** The box of a thing in the coordinates of the group of its part. */
const boxIn = (group, thing) => {
  const box = thing.getBBox(), { a, d, e, f } = group.getCTM().inverse().multiply(thing.getCTM());
  return { x: a * box.x + e, y: d * box.y + f, width: a * box.width, height: d * box.height };
};

export class LiveBoard extends Board {
  changed = []; // parts that a preview has changed
  looked = false; // whether an earlier position is shown
  owned = 0; // the seat whose board comes first

  lay(name, panels) {
    this.changed = [];
    this.panels = panels;
    super.lay(name, panels);
  }

  /** Puts the board of a seat first; the page learns how high what has to be seen is. */
  own(seat) {
    this.owned = seat;
    const panels = this.panels, own = panels.findIndex(panel => panel.name === `seat${seat}`);
    [...this.element.children].forEach((one, i) => one.classList.toggle("own", i === own));
    const height = of => panels.find(panel => panel.name === of)?.height ?? 0;
    const stack = height("market") + height("track") + (panels[own]?.height ?? 0);
    document.documentElement.style.setProperty("--stack", Math.round(stack + 16));
  }

  /** Shows all parts of an earlier position; with null the present one again. */
  look(parts) {
    this.endPreview();
    this.looked = parts !== null;
    for (const [part, drawing] of parts ?? this.drawings.entries()) this.groups[part].innerHTML = drawing;
  }

  /** On a narrow screen: brings what a decision is about into view, if it all lies in one panel. */
  near(actions) {
    if (this.element.className.includes("wide")) return;
    const panels = new Set(actions.flatMap(action => action.places.slice(0, 1)).map(place => this.find(place)?.group.ownerSVGElement));
    panels.delete(undefined);
    const [panel] = panels;
    if (panels.size === 1) panel.scrollIntoView({ block: "nearest" });
  }

  /** Scrolls the page until a shape stands between the bar on top and the lower edge of the window. */
  show(shape) {
    const box = shape.getBoundingClientRect(), top = document.querySelector(".bar").getBoundingClientRect().bottom;
    if (box.top < top || box.bottom > innerHeight) scrollBy(0, (box.top + box.bottom - top - innerHeight) / 2);
  }

  set(parts) {
    this.endPreview();
    super.set(parts);
  }

  /** Shows the parts as an action would change them, until `endPreview`. */
  preview(parts) {
    this.endPreview();
    if (this.looked) return;
    for (const [part, drawing] of parts) {
      const group = this.groups[part];
      group.innerHTML = drawing;
      group.classList.add("previewed");
      this.changed.push(part);
    }
  }

  endPreview() {
    for (const part of this.changed) {
      this.groups[part].innerHTML = this.drawings[part];
      this.groups[part].classList.remove("previewed");
    }
    this.changed = [];
  }

  /** The group of a place, `space3` or `space3/red`, and that of its part; null where it is not on the board. */
  find(place) {
    const [part, piece] = place.split("/");
    const group = this.groups.find(one => one.dataset.part === part);
    if (!group) return null;
    const things = piece ? [...group.querySelectorAll(`[data-piece="${CSS.escape(piece)}"]`)] : [];
    return { group, things, piece };
  }

  /** Shapes over a place, in the layer above its panel. */
  cover(place, attributes) {
    const found = this.find(place);
    if (!found) return [];
    const { group, things } = found;
    const layer = group.ownerSVGElement.lastElementChild;
    const ground = things.length ? null : group.querySelector(GROUNDS);
    const placed = { ...attributes };
    if (group.hasAttribute("transform")) placed.transform = group.getAttribute("transform");
    if (ground) {
      const shape = Object.fromEntries(["d", "r"].filter(name => ground.hasAttribute(name)).map(name => [name, ground.getAttribute(name)]));
      return [make(layer, ground.tagName, { ...placed, ...shape })];
    }
    return (things.length ? things : [group]).map(thing => {
      const box = boxIn(group, thing);
      return make(layer, "rect", {
        ...placed, x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 7,
      });
    });
  }

  /** The name of a place for screen readers: the words of its part, and the thing on it. */
  words(place) {
    const found = this.find(place);
    if (!found) return place;
    const title = found.group.querySelector(":scope > title")?.textContent ?? place;
    return found.piece ? `${found.piece.replaceAll("_", " ")}, ${title}` : title;
  }

  /** Shows for a moment what was just played; a die flies to where it went. */
  mark(places, before) {
    for (const place of places) {
      for (const shape of this.cover(place, { class: "mark" })) setTimeout(() => shape.remove(), 1700);
    }
    const [from, to] = places;
    const die = from?.match(/^space\d+\/(\w+)$/)?.[1];
    if (!before || !die || !to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const there = this.find(`${to}/${die}`)?.things[0];
    if (!there) return;
    const box = this.box(`${to}/${die}`);
    const [dx, dy] = [before.x - box.x, before.y - box.y];
    there.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: 450, easing: "ease-in-out" });
  }

  /** The position of a thing, from which an animation begins. */
  box(place) {
    const found = place ? this.find(place) : null;
    return found?.things.length ? boxIn(found.group, found.things[0]) : undefined;
  }
}
