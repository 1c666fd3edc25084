"""The protocol that measures the last network of a baseline (docs/baselines.md), for `rc train` and examples/."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rc_env import files
from rc_env.bot import Bot
from rc_env.ruleset import Ruleset
from rc_env.training.evaluation import evaluate

FINAL = "final.json"
ANCHORS = ("random", "greedy", "all_rounder")
GAMES, SEED = 10_000, 990_049
TURN_LIMIT = 150
"""After so many turns a game is scored: a policy that has learned little ends none."""


def scored(ruleset: Ruleset) -> Ruleset:
    """The variant with the turn limit of the protocol.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.training.baseline import scored
        >>> scored(Ruleset(players=4)).turn_limit
        150
    """
    return replace(ruleset, turn_limit=TURN_LIMIT)


def write_final(
    folder: Path,
    bot: Bot,
    ruleset: Ruleset,
    decisions: int,
    seconds: float,
    anchors: Sequence[str] = ANCHORS,
    games: int = GAMES,
) -> None:
    """Let a bot play against each anchor, and write `final.json` to the folder of its run.

    Args:
        folder: of the run.
        bot: its last network.
        ruleset: the variant; games are scored after `TURN_LIMIT` turns.
        decisions: how many it learned from.
        seconds: of the processor, evaluations included.
        anchors: the opponents.
        games: against each, rounded up to whole deals.

    Raises:
        ValueError: an argument of the games does not fit.
        OSError: the file cannot be written.
    """
    scores = evaluate(bot, scored(ruleset), anchors, games, SEED)
    won = {one.opponent: [one.share.mean, one.share.low, one.share.high, one.share.games] for one in scores}
    result = {"decisions": decisions, "seconds_of_processor": seconds, "won": won}
    files.write(folder / FINAL, json.dumps(result) + "\n")
