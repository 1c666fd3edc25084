// Helpers of all pages: elements, seats, and the theme.

const SVG = "http://www.w3.org/2000/svg";
export const COLOURS = ["#c23b2e", "#3b7dcc", "#d69c0f", "#3b8d50"];
export const COLOUR_NAMES = ["red", "blue", "yellow", "green"];

export const byId = id => document.getElementById(id);

/** A new element in `parent`, of SVG within SVG. Text is text: nothing from a file or a bot becomes markup. */
export const make = (parent, tag, attributes = {}, text) => {
  const inSvg = parent.namespaceURI === SVG || tag === "svg";
  const node = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return parent.appendChild(node);
};

/** The dot in a seat's colour, and its name beside it. */
export const seatName = (parent, seat, words) => {
  make(parent, "span", { class: `dot dot${seat}`, "aria-hidden": "true" });
  parent.append(words);
};

/** A line of a table that compares actions: its words, on a bar as long as its share, and further cells. */
export const shareLine = (body, words, share, ...cells) => {
  const line = make(body, "tr");
  make(line, "td", { class: "share" }, words).style.setProperty("--share", percent(share));
  for (const cell of cells) make(line, "td", {}, cell);
  return line;
};
export const percent = number => `${(100 * number).toFixed(1)}%`;

const dark = matchMedia("(prefers-color-scheme: dark)");
const remembered = () => {
  try { return localStorage.getItem("theme"); } catch { return null; }
};
const show = () => { document.documentElement.dataset.theme = remembered() ?? (dark.matches ? "dark" : "light"); };
show();
dark.addEventListener("change", show);
byId("theme")?.addEventListener("click", () => {
  const name = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", name); } catch { /* the theme is not remembered */ }
  document.documentElement.dataset.theme = name;
});
export const themeName = () => document.documentElement.dataset.theme;
