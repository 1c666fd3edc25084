// A variation of a study: where it comes from, its name and comment, and a bot that decides in it.

import { byId } from "./dom.js";

export class BranchNotes {
  /** @param send sends a message to the server */
  constructor(send) {
    const describe = () => {
      const name = byId("branch-name").value;
      byId("branch-title").textContent = name ? `: ${name}` : "";
      send({ do: "describe", name, comment: byId("branch-comment").value });
    };
    for (const one of ["branch-name", "branch-comment"]) byId(one).addEventListener("change", describe);
    byId("let").addEventListener("click", () => send({ do: "let", whole: false }));
    byId("let-turn").addEventListener("click", () => send({ do: "let", whole: true }));
  }

  /** Shows what the game is a variation of; null for a game. */
  show(branch, mine) {
    byId("branch").hidden = !branch;
    byId("lets").hidden = !branch;
    if (!branch) return;
    byId("let").disabled = byId("let-turn").disabled = !mine;
    byId("branch-title").textContent = branch.name ? `: ${branch.name}` : "";
    byId("branch-from").href = `/study?id=${encodeURIComponent(branch.study)}#${branch.at}`;
    byId("branch-from").textContent = `the study, decision ${branch.at}`;
    for (const [id, words] of [["branch-name", branch.name], ["branch-comment", branch.comment]]) {
      if (document.activeElement !== byId(id)) byId(id).value = words;
    }
  }
}
