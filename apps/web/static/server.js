// What the pages ask of the server, and what they take from it: files, pictures, the pieces of the board.

import { COLOUR_NAMES } from "./dom.js";

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

/** Puts the pieces that drawings refer to on the page, once; throws an Error if the server does not give them. */
export const loadPieces = async (full, contractors) => {
  if (document.querySelector(".pieces")) return;
  const answer = await fetch(`/pieces.svg?full=${full}&contractors=${contractors}`).catch(() => null);
  if (!answer?.ok) throw new Error("The server does not send its pictures. The page tries again …");
  const text = await answer.text();
  const holder = document.createElement("div");
  holder.innerHTML = text;  // from the package, like all drawings
  document.body.prepend(holder.firstElementChild);
};

/** The name of a seat: Ivan's comes after those of the players. */
export const who = (names, seat) => (seat < names.length ? `${COLOUR_NAMES[seat]} (${names[seat]})` : "Ivan");

/** The name of a chance: with more than two seats it is the share of the opponents that one beats. */
export const chanceName = seats => (seats === 2 ? "win chance" : "opponents beaten");

/** A difference of chances in points of a hundred, with its sign. */
export const signed = number => `${number >= 0 ? "+" : "−"}${Math.abs(100 * number).toFixed(1)}%`;

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
