"""The opponent pool: the learner itself, snapshots of it, and scripted bots."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import agents, checks
from rc_env.bot import Bot, checked_bot

SELF, LATEST, PAST = "self", "latest", "past"
MOST_SNAPSHOTS = 1000
LEARNER = -1
"""The number of the learner itself; members of the pool have numbers from 0."""


class OpponentPool:
    """The learner's opponents, drawn in proportion to their shares.

    Args:
        shares: how often each kind is drawn: "self" is the learner itself, "latest" the last snapshot that was added,
            "past" any that is kept, and every other name one for `rc_env.agents.from_text`. They need not sum to 1. At
            first the only snapshot is `random`.
        keep: how many snapshots are kept, 1 to 1,000.

    Attributes:
        kinds: those that may be drawn, which have a share above 0.
        bots: every member that may still play in a game, by number.

    Raises:
        ValueError: a share or `keep` is out of range, or no bot has one of the names.
    """

    def __init__(self, shares: Mapping[str, float], keep: int = 8) -> None:
        checks.instance("shares", shares, Mapping, "shares by name")  # type: ignore[type-abstract]
        for kind, share in shares.items():
            checks.instance("shares", kind, str, "the name of a bot, self, latest or past")
            if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= sys.float_info.max:
                checks.refuse("shares", dict(shares), "numbers of at least 0, one of them above")
        if not 0 < (total := sum(map(float, shares.values()))) < math.inf:
            checks.refuse("shares", dict(shares), "numbers of at least 0, one of them above, with a finite sum")
        self._keep = checks.whole_number("keep", keep, 1, MOST_SNAPSHOTS)
        self.kinds = frozenset(kind for kind, share in shares.items() if share > 0)
        self._kinds = tuple(shares)
        self._odds = np.array(list(shares.values()), np.float64) / total
        self.bots: dict[int, Bot] = {}
        self._next = 0
        self._scripted = {
            kind: self._enter(agents.from_text(kind)) for kind in shares if kind not in (SELF, LATEST, PAST)
        }
        self._first = self._next
        self._snapshots = [self._enter(agents.make("random"))]

    def _enter(self, bot: Bot) -> int:
        self.bots[self._next] = bot
        self._next += 1
        return self._next - 1

    def number_of(self, name: str) -> int:
        """The number of the scripted bot of this name among the members.

        Raises:
            ValueError: `shares` does not name it.
        """
        return self._scripted[checks.one_of("name", name, self._scripted)]

    def add(self, snapshot: Bot, in_use: Iterable[int] = ()) -> None:
        """Keep a snapshot of the learner, the newest from now on; forget the oldest unless a game still needs it.

        The first one takes the place of `random`.

        Raises:
            ValueError: `snapshot` is not a bot.
        """
        checked_bot("snapshot", snapshot)
        past = [number for number in self._snapshots if number != self._first]
        self._snapshots = [*past, self._enter(snapshot)][-self._keep :]
        needed = {*self._snapshots, *self._scripted.values(), *in_use}
        self.bots = {number: bot for number, bot in self.bots.items() if number in needed}

    def draw(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Numbers of members, drawn by their shares; LEARNER for the learner itself."""
        kinds = generator.choice(len(self._kinds), shape, p=self._odds)
        numbers = generator.choice(self._snapshots, shape)
        for place, kind in enumerate(self._kinds):
            if kind == LATEST:
                numbers[kinds == place] = self._snapshots[-1]
            elif kind == SELF:
                numbers[kinds == place] = LEARNER
            elif kind != PAST:
                numbers[kinds == place] = self._scripted[kind]
        return numbers

    def reset(self, seed: int) -> None:
        """Seed every member from this seed and its number."""
        for number, bot in self.bots.items():
            bot.reset(int(np.random.SeedSequence([seed, number]).generate_state(1)[0]))

    def state(self, save: Callable[[Bot], Any]) -> dict[str, Any]:
        """The state of the pool for `restore`; `save` turns a snapshot into data."""
        nets = {number: save(bot) for number, bot in self.bots.items() if number > self._first}
        return {"snapshots": list(self._snapshots), "next": self._next, "nets": nets}

    def restore(self, state: dict[str, Any], load: Callable[[Any], Bot]) -> None:
        """Take over a state that `state` returned; `load` turns data into a snapshot."""
        known = {number: bot for number, bot in self.bots.items() if number <= self._first}
        self.bots = known | {number: load(data) for number, data in state["nets"].items()}
        self._snapshots, self._next = list(state["snapshots"]), state["next"]
