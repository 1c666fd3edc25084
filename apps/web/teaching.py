"""The coach of a game while it is played: whom it stops at which mistakes, what it has counted, and what it says."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rc_env import checks
from rc_env.apps.table.lessons import STOPS

OFF = "off"
LEVELS = {OFF: "", **STOPS}
"""How the coach may be set, with the smallest mistake at which it stops, one of `analysis.MISTAKES`."""
DECIDED = 0.05
"""A seat whose chance is below this, or as near to 1, hardly loses games by any decision."""


@dataclass
class Pupil:
    """The person of a seat, as the coach knows them.

    Attributes:
        level: one of `LEVELS`.
        looked: decisions that were looked at.
        mistakes: those at which the coach stopped.
        taken_back: how many of these were taken back.
    """

    level: str = OFF
    looked: int = 0
    mistakes: int = 0
    taken_back: int = 0

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Pupil:
        """The person that `asdict` has given, as the database keeps it.

        Raises:
            ValueError: it is none.
        """
        counts = (int(kept.get(name, 0)) for name in ("looked", "mistakes", "taken_back"))
        return cls(checks.one_of("the coach", kept.get("level"), tuple(LEVELS)), *counts)


@dataclass(eq=False)
class Asked:
    """A decision that is being looked at.

    Attributes:
        at: the decisions before it.
        seat: whose it is.
        least: the smallest mistake at which the coach stops.
        since: when it was asked, in the seconds of the event loop.
    """

    at: int
    seat: int
    least: str
    since: float = -math.inf


class Teaching:
    """The coach of a game. Whoever owns the table owns it, too.

    What it is about to say is not kept with the game, only about which decisions: when the game is opened again, these
    are looked at anew, by the same play-outs.

    Args:
        kept: what `kept` has given; by default it is off for everybody.

    Raises:
        ValueError: it has not.

    Attributes:
        pupils: the persons by seat, as far as the coach was ever on for them.
        asked: the decisions that are being looked at, in their order.
        lessons: the mistakes that wait for the person, each with its decision, in their order.
        chances: for each seat, after its last decision of which a chance is known, the decisions before that one and
            the chance to win; not kept with the game.
    """

    def __init__(self, kept: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        self.pupils = {int(seat): Pupil.of(found) for seat, found in (kept or {}).items()}
        self.asked: list[Asked] = []
        self.lessons: list[tuple[Asked, Mapping[str, Any]]] = []
        self.chances: dict[int, tuple[int, float]] = {}
        for seat, pupil in self.pupils.items():
            what = "the decisions that the coach looks at"
            for at in checks.sequence(what, (kept or {})[str(seat)].get("open", []), "a list of numbers"):
                at = checks.whole_number("a decision that the coach looks at", at, 0)
                self.asked.append(Asked(at, seat, LEVELS[pupil.level]))
        self.asked.sort(key=lambda one: one.at)

    def kept(self) -> dict[str, dict[str, Any]]:
        """What is kept with the game, for JSON: the entries of `Pupil`, and as "open" the decisions that are looked at,
        or wait for the person. The latter are counted again when they are looked at anew."""
        found = {str(seat): asdict(pupil) for seat, pupil in self.pupils.items()}
        for seat, one in found.items():
            waiting = [asked.at for asked, _ in self.lessons if asked.seat == int(seat)]
            one["looked"] -= len(waiting)
            one["mistakes"] -= len(waiting)
            one["open"] = sorted([*waiting, *(asked.at for asked in self.asked if asked.seat == int(seat))])
        return found

    def level(self, seat: int) -> str:
        """How the coach is set for a seat."""
        return self.pupils[seat].level if seat in self.pupils else OFF

    def set(self, seat: int, level: str) -> None:
        """Set the coach for a seat; what it was about to say is dropped when it is turned off.

        Raises:
            ValueError: there is no such level.
        """
        if level not in LEVELS:
            raise ValueError(f"the coach is {checks.choice(LEVELS)}, not {checks.shown(level)}.")
        self.pupils.setdefault(seat, Pupil()).level = level
        if level == OFF:
            self._keep(lambda one: one.seat != seat)

    def ask(self, at: int, seat: int, now: float) -> Asked | None:
        """Note that a decision is going to be looked at; None where the coach is off."""
        level = self.level(seat)
        if level == OFF:
            return None
        self.asked.append(Asked(at, seat, LEVELS[level], now))
        return self.asked[-1]

    def answered(self, asked: Asked, found: Mapping[str, Any] | None, *, stops: bool) -> bool:
        """Take what was found of a decision, None for nothing; returns whether the coach has something new to say.

        Args:
            asked: the decision; nothing happens if it was taken back in the meantime.
            found: see `workers.lesson`.
            stops: whether the game can still stop at a mistake.
        """
        if asked not in self.asked:
            return False
        self.asked.remove(asked)
        if found is None:
            return False
        pupil = self.pupils[asked.seat]
        pupil.looked += 1
        if found["chance"] is not None:
            self.chances[asked.seat] = max(self.chances.get(asked.seat, (-1, 0.0)), (asked.at, found["chance"]))
        if found["lesson"] is not None:
            pupil.mistakes += 1
            if stops:
                self.lessons.append((asked, found["lesson"]))
                self.lessons.sort(key=lambda one: one[0].at)
        return True

    def lesson(self, seat: int) -> tuple[Asked, Mapping[str, Any]] | None:
        """The first mistake that waits for the person of a seat."""
        return next((one for one in self.lessons if one[0].seat == seat), None)

    def outlook(self, seat: int) -> str:
        """Why the coach hardly finds a mistake of a seat any more, in a sentence; "" where it may."""
        _, chance = self.chances.get(seat, (0, 0.5))
        if self.level(seat) == OFF or DECIDED <= chance <= 1 - DECIDED:
            return ""
        where = f"below {100 * DECIDED:.0f}" if chance < DECIDED else f"above {100 * (1 - DECIDED):.0f}"
        return f"Your chances were {where} of 100 when last measured: few decisions cost games any more."

    def go_on(self, seat: int, at: int | None) -> None:
        """The person of a seat leaves the mistake of a decision as it is.

        That is said by "Go on", and by playing on in a tab that has shown its card long enough to be read: it says so
        with the decision. None, or a decision whose mistake does not wait, changes nothing.
        """
        self.lessons = [one for one in self.lessons if (one[0].seat, one[0].at) != (seat, at)]

    def cut(self, played: int) -> None:
        """Forget about decisions that were taken back: only so many have been played now."""
        for asked, _ in self.lessons:
            self.pupils[asked.seat].taken_back += asked.at >= played
        self.chances = {seat: found for seat, found in self.chances.items() if found[0] < played}
        self._keep(lambda one: one.at < played)

    def _keep(self, wanted: Callable[[Asked], bool]) -> None:
        self.asked = [one for one in self.asked if wanted(one)]
        self.lessons = [one for one in self.lessons if wanted(one[0])]
