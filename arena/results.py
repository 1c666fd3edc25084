"""The results of a tournament as JSON; the same command gives the same bytes."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib import metadata
from typing import Any

import numpy as np

import rc_env
from rc_env.arena.intervals import Intervals
from rc_env.arena.standings import Standings
from rc_env.arena.tournament import TournamentResult
from rc_env.ruleset import RULES_VERSION, Ruleset

MEASURES = ("win_share", "prestige", "rating", "margin", "rank")
DIGITS = {"win_share": 6, "rating": 2}


def rounded(value: float, digits: int = 4) -> float | None:
    """Rounded; None for NaN, which JSON does not know."""
    return None if np.isnan(value) else round(float(value), digits) + 0.0  # no -0


def versions(ruleset: Ruleset) -> dict[str, Any]:
    """Versions and hashes that the results depend on, in addition to the command."""
    expansion = ruleset.expansion_file
    return {
        "rc_env": rc_env.__version__,
        "rules": RULES_VERSION,
        "layout": ruleset.layout_hash,
        "data_sha256": ruleset.data_file.sha256,
        **({} if expansion is None else {"expansion_sha256": expansion.sha256}),
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("numpy", "numba", "choix")},
    }


def to_dict(played: TournamentResult, table: Standings) -> dict[str, Any]:
    """The results as a dictionary for JSON; docs/arena.md describes each entry."""
    schedule, ruleset = played.schedule, played.schedule.ruleset
    return {
        "players": ruleset.players,
        "games": len(played.games),
        "seed": schedule.seed,
        "workshop": ruleset.workshop,
        "data": ruleset.data_file.name,
        "turn_limit": ruleset.turn_limit,
        "command": schedule.command,
        "versions": versions(ruleset),
        "bots": {
            name: {**bot_to_dict(table, i, MEASURES), "games": int(table.games[i])}
            for i, name in enumerate(table.names)
        },
        "crosstable": _cross(table, table.crosstable.mean),
        "crosstable_low": _cross(table, table.crosstable.low),
        "crosstable_high": _cross(table, table.crosstable.high),
        "deals": len(np.unique(played.games.deal)),
        "turns_a_seat": rounded(table.turns / ruleset.players),
        "truncated": rounded(table.truncated, 6),
        "failures": [{"bot": failure.name, "sentence": failure.sentence} for failure in played.failures],
        "stopped": played.stopped,
    }


def bot_to_dict(table: Standings, i: int, names: Sequence[str]) -> dict[str, Any]:
    """Estimates of bot `i` with the bounds of their intervals; those of the win share are plainly "low" and "high"."""
    entries: dict[str, Any] = {}
    for name in names:
        estimate: Intervals = getattr(table, name)
        bounds = ("low", "high") if name == "win_share" else (f"{name}_low", f"{name}_high")
        values = estimate.mean[i], estimate.low[i], estimate.high[i]
        digits = DIGITS.get(name, 4)
        entries |= {key: rounded(value, digits) for key, value in zip((name, *bounds), values, strict=True)}
    return entries


def _cross(table: Standings, values: np.ndarray) -> dict[str, dict[str, float | None]]:
    """A crosstable as rows by name, without the diagonal."""
    return {
        name: {other: rounded(values[i, j], 6) for j, other in enumerate(table.names) if j != i}
        for i, name in enumerate(table.names)
    }
