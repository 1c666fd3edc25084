// Helpers of all pages: elements, the theme, and requests to the server.

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

/** The name of a seat: Ivan's comes after those of the players. */
export const who = (names, seat) => (seat < names.length ? `${COLOUR_NAMES[seat]} (${names[seat]})` : "Ivan");

/** The name of a chance: with more than two seats it is the share of the opponents that one beats. */
export const chanceName = seats => (seats === 2 ? "win chance" : "opponents beaten");

/** Asks the server; throws an Error with its sentence if it refuses. */
export const ask = async (path, options) => {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The server does not answer: is `rc serve` still running?");
  }
  const found = await answer.json().catch(() => ({ sentence: `The server answered ${answer.status}.` }));
  if (!answer.ok) throw new Error(found.sentence);
  return found;
};

export const post = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Copies words to the clipboard, if the browser allows it. */
export const copy = async words => {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
};

/** Downloads a file. */
export const save = (name, blob) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

/** Downloads a picture of the board, as SVG or as PNG. */
export const savePicture = async (path, name, kind) => {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error("There is no picture of this position any more.");
  const svg = await answer.blob();
  if (kind === "svg") return save(`${name}.svg`, svg);
  const picture = new Image();
  const box = (await svg.text()).match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/);
  picture.src = URL.createObjectURL(svg);
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [box[1] * 1.5, box[2] * 1.5];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(picture.src);
  canvas.toBlob(png => save(`${name}.png`, png));
};

// Position of the pointer. An element drawn beneath a resting pointer counts as pointed at only when the pointer moves.
const pointer = { x: -1, y: -1 };
const resting = { x: -1, y: -1 };
for (const name of ["pointermove", "pointerdown"]) {
  document.addEventListener(name, event => { [pointer.x, pointer.y] = [event.clientX, event.clientY]; }, { capture: true });
}
export const restPointer = () => Object.assign(resting, pointer);

/** Calls `point` with what `action` returns while the pointer or the keyboard's focus is on an element. */
export const pointedAt = (element, action, point) => {
  element.addEventListener("pointerenter", event => {
    if (event.clientX !== resting.x || event.clientY !== resting.y) point(action());
  });
  element.addEventListener("pointerleave", () => point(null));
  element.addEventListener("focus", () => point(action()));
  element.addEventListener("blur", () => point(null));
};

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
