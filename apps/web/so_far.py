"""What luck and decisions have come to so far in a game that is played along at a real table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_ENTRIES = ("seat", "lost", "error", "size", "luck", "luck_errors")


@dataclass(eq=False)
class Wanted:
    """A decision that is being judged, by its number."""

    at: int


class SoFar:
    """The judgements of a game's decisions, which come one after the other. Whoever owns the table owns them, too.

    Args:
        kept: what `kept` has given.

    Attributes:
        judged: by the number of a decision, what `workers.reckoned` has found of it.
    """

    def __init__(self, kept: Sequence[Mapping[str, Any] | None] = ()) -> None:
        self.judged = {at: {name: one[name] for name in _ENTRIES} for at, one in enumerate(kept) if one is not None}
        self._asked: Wanted | None = None
        self._left_out: set[int] = set()

    def kept(self) -> list[dict[str, Any] | None]:
        """What is kept with the game, for JSON: what was found of each decision, None where that is missing."""
        return [self.judged.get(at) for at in range(max(self.judged, default=-1) + 1)]

    def next(self, played: int) -> Wanted | None:
        """The decision that is to be judged now; None while one is being judged, or if all are."""
        if self._asked is not None:
            return None
        self._asked = next(
            (Wanted(at) for at in range(played) if at not in self.judged and at not in self._left_out), None
        )
        return self._asked

    def take(self, wanted: Wanted, found: Mapping[str, Any] | None) -> bool:
        """Take what was found of a decision, None where it cannot be judged; returns whether it changes anything."""
        if self._asked is not wanted:
            return False
        self._asked = None
        if found is None:
            self._left_out.add(wanted.at)
            return False
        self.judged[wanted.at] = dict(found)
        return True

    def cut(self, played: int) -> None:
        """Forget about decisions that were taken back: only so many have been played now."""
        self.judged = {at: one for at, one in self.judged.items() if at < played}
        self._left_out = {at for at in self._left_out if at < played}
        if self._asked is not None and self._asked.at >= played:
            self._asked = None

    def sums(self, players: int) -> dict[str, Any]:
        """What it comes to: "judged", the number of decisions, and for each of P players as "rows" the "luck" of all
        rolls with its standard error, "luck_error", what the own decisions "lost" with "lost_error", both in win
        chance, and the own "mistakes" beyond doubt."""
        luck, spread, lost, doubt = (np.zeros(players) for _ in range(4))
        mistakes = [0] * players
        for one in self.judged.values():
            if one["luck"] is not None:
                luck += one["luck"]
                spread += np.square(one["luck_errors"])
            lost[one["seat"]] += one["lost"]
            doubt[one["seat"]] += one["error"] ** 2
            mistakes[one["seat"]] += one["size"] != ""
        return {
            "judged": len(self.judged),
            "rows": [
                {"luck": round(float(luck[seat]), 4), "luck_error": round(float(np.sqrt(spread[seat])), 4),
                 "lost": round(float(lost[seat]), 4), "lost_error": round(float(np.sqrt(doubt[seat])), 4),
                 "mistakes": mistakes[seat]}
                for seat in range(players)
            ],
        }  # fmt: skip
