"""Makes hints at four levels for a human player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rc_env.agents.thoughts import TWO_ERRORS
from rc_env.apps.table.actions import LegalAction
from rc_env.apps.table.phrases import seat_name
from rc_env.arena.evaluation import Evaluation
from rc_env.arena.studies.analysis import judged, think
from rc_env.bot import Bot, Position

NUDGE, BEST, ALL, CHANCES = 1, 2, 3, 4
PLAYOUTS = 256
"""Play-outs by which it is said who is winning."""

_NUDGES = {
    "move": "Look at the dice: one of them can move to a good space.",
    "claim": "Look at the cathedral: a section is worth claiming now.",
    "deliver": "Look at your materials: a section needs one of them.",
    "adorn": "Look at the finished sections: one of them can be adorned.",
    "place": "Look at your workshop: think about whether this tile will be activated, and where.",
    "obtain": "Look at the space where the die lies: take what it gives.",
    "guild": "Look at the guild card: one of its actions helps you now.",
    "workshop": "Look at your workshop: a tile can be activated.",
    "take": "Think about how much space your inventory will need.",
    "gain": "Think about the materials that your sections still need.",
    "pay": "Think about the resources that you need least.",
    "done": "There is nothing better left to do here.",
    "rubles": "You may want more rubles first.",
    "reroll": "Think about rolling a die again.",
    "swap": "Look at the tiles of the market: two of them could change places.",
    "gems": "Think about the gems that you hold.",
    "hire": "Look at Moscow: a contractor can be sent.",
}
_OTHER_NUDGE = "Compare all legal actions: think about what each of them leaves you for your next turns."


def advice(bot: Bot, position: Position, actions: Sequence[LegalAction], level: int) -> dict[str, Any]:
    """Make a hint from the thoughts of a bot.

    Args:
        bot: a bot that offers its thoughts.
        position: one game.
        actions: the legal actions.
        level: `NUDGE` gives a sentence, `BEST` also the best action, `ALL` every action, how often it was
            tried, and the chance to win.

    Returns:
        "level", "sentence", "best" (the number of an action, or None) and "rows".

    Raises:
        BotError: the bot failed.
    """
    found = judged(think(bot, position), 0)
    best = next(one for one in actions if one.words == found.best)
    if level == NUDGE:
        sentence = _NUDGES.get(found.best.split()[0], _OTHER_NUDGE)
        return {"level": level, "sentence": sentence, "best": None, "rows": []}
    rows: list[dict[str, Any]] = []
    if level == ALL:
        for one in actions:
            visits, chances = found.actions.get(one.words, (0, None))
            share = found.policy.get(one.words, 0.0)
            mine = None if chances is None else chances[found.seat]
            rows.append({"number": one.number, "words": one.phrase, "visits": visits, "chance": mine,
                         "policy": share})  # fmt: skip
        rows.sort(key=lambda row: (row["number"] != best.number, -row["visits"], -(row["chance"] or 0)))
    sentence = f"The advice is to {best.phrase}{f' ({best.note})' if best.note else ''}."
    if any((row["chance"] or 0) > (rows[0]["chance"] or 0) for row in rows):
        sentence += " It is chosen among what was tried most; a higher chance beside another action may be luck."
    return {
        "level": level,
        "sentence": sentence,
        "best": best.number,
        "rows": rows,
    }


def winning(evaluation: Evaluation, game: np.ndarray, seed: int) -> dict[str, Any]:
    """Who is winning, as a hint of the level `CHANCES`: the chance of each player to win, by play-outs to the end.

    Args:
        evaluation: of the variant.
        game: (1,) GAME, which is not over.
        seed: of the play-outs.
    """
    keys = np.random.default_rng(seed).integers(2**64, size=PLAYOUTS, dtype=np.uint64)
    found, players = evaluation.value(game, keys), evaluation.ruleset.players
    names = [seat_name(seat, players) for seat in range(players)]
    chances = ", ".join(
        f"{name} {round(share, 2) + 0.0:.0%} (± {100 * TWO_ERRORS * error:.0f})"
        for name, share, error in zip(names, found.means, found.errors, strict=True)
    )
    how = f"by {PLAYOUTS} games played out without a search, so that the best action may bring more"
    sentence = f"Chances to win: {chances}, {how}."
    return {"level": CHANCES, "sentence": sentence, "best": None, "rows": []}
