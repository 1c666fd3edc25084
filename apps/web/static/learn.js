// The game in five minutes: its button starts a guided first game.

import { byId } from "./dom.js";
import { beginFirstGame } from "./first.js";

byId("first").addEventListener("click", () => beginFirstGame(sentence => { byId("sentence").textContent = sentence; }));
