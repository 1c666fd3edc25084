// Lists that scroll say that they go on below.

import { make } from "./dom.js";

const SIGN = 34;  // pixels, the height of the sign and a little air

/** How far a thing reaches below what is seen of the list around it, in pixels. */
const below = (list, thing) => thing.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;

/** Puts a button at the lower edge of a list that scrolls, while there is something to read below; it scrolls on. */
export const signMore = list => {
  const button = make(list, "button", { type: "button", class: "more", hidden: "" }, "↓ more below");
  const last = () => [...list.querySelectorAll("p, li, summary, a, button, tr")]
    .findLast(one => one !== button && one.textContent.trim() && one.checkVisibility());
  const sign = () => {
    const end = last();
    button.toggleAttribute("hidden", !end || below(list, end) < 8);
  };
  button.addEventListener("click", () => { list.scrollTop += Math.max(60, list.clientHeight - 2 * SIGN); });
  list.addEventListener("scroll", sign, { passive: true });
  new ResizeObserver(sign).observe(list);
  new MutationObserver(sign).observe(list, { childList: true, subtree: true, attributes: true, attributeFilter: ["open", "hidden"] });
  sign();
};

/** Scrolls a list, and nothing else, until a thing in it stands above the sign. */
export const reveal = (list, thing) => { list.scrollTop += Math.max(0, below(list, thing) + SIGN); };
