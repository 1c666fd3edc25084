// Opening a record: a file that is chosen, or dropped anywhere on the page.

import { byId } from "./dom.js";
import { ask } from "./server.js";

const LARGEST = 8 * 1024 * 1024;

export const open = async file => {
  const say = sentence => { byId("sentence").textContent = sentence; };
  if (file.size > LARGEST) return say(`${file.name} has more than 8 MiB: that is no record of a game.`);
  say(`Reading ${file.name} …`);
  try {
    const { id } = await ask("/api/studies", { method: "POST", headers: { "content-type": "text/plain" }, body: file });
    location.href = `/study?id=${id}`;
  } catch (error) {
    say(`${file.name}: ${error.message}`);
  }
};

byId("file")?.addEventListener("change", event => {
  if (event.target.files[0]) open(event.target.files[0]);
});
const root = document.documentElement;
document.addEventListener("dragover", event => {
  event.preventDefault();
  root.classList.add("dragged");
});
document.addEventListener("dragleave", event => {
  if (!event.relatedTarget) root.classList.remove("dragged");
});
document.addEventListener("drop", event => {
  event.preventDefault();
  root.classList.remove("dragged");
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});
