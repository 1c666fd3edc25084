"""Decisions, chance and turns (R-9, R-10, R-25, R-29, R-49, R-50, R-80)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .names import Play
from .position import Position

Options = set[str] | Callable[[], set[str]]


class Asking(Position):
    """Plays a game as a coroutine that yields at decisions, and draws the outcomes of chance."""

    def start(self) -> None:
        """Play on to the first decision."""
        self._forget()
        self.question: tuple[str, frozenset[str]] | None = None
        self._coroutine = self._play_game()
        self._advance(None)

    def _advance(self, answer: str | None) -> None:
        try:
            self.question = self._coroutine.send(answer)
        except StopIteration:
            self.question = None

    def refresh(self) -> None:
        """Open the current decision anew, after the position was changed by hand."""
        self._forget()
        self._advance(None)

    def play(
        self,
        action: str,
        rolls: Iterable[int] | Iterable[Mapping[str, int]] | None = None,
        mixed: list[str] | None = None,
        draws: Iterable[Mapping[str, Any]] | None = None,
    ) -> None:
        """Play one decision, and everything that follows automatically.

        The outcomes of chance on the way are either given, or drawn and reported in the form of the record: in `rolled`
        and `drawn`, and in `ivan_lines` for Ivan's turns.

        Args:
            action: a legal action.
            rolls: the values rolled, one by one, or a mapping by die for each roll, Ivan's at the end.
            mixed: the dice in the order in which Ivan lays his tiles.
            draws: entries of the record's `draws`, Ivan's at the end.
        """
        assert self.question and action in self.question[1], (action, self.question)
        self._forget()
        self._rolls = None if rolls is None else list(rolls)
        self._draws = None if draws is None else list(draws)
        self._mixed = mixed
        self._advance(action)

    def _forget(self) -> None:
        self.rolled: list[dict[str, int]] = []
        self.drawn: list[dict[str, Any]] = []
        self.ivan_lines: list[dict[str, Any]] = []
        self._rolls = self._draws = self._mixed = None

    @property
    def point(self) -> str:
        return self.question[0] if self.question else "over"

    def legal(self) -> set[str]:
        return set(self.question[1]) if self.question else set()

    # --- chance

    def _random(self) -> random.Random:
        assert self.rng, "an outcome of chance is needed, and neither it nor a generator was given"
        return self.rng

    def _log(self) -> tuple[list[dict[str, int]], list[dict[str, Any]]]:
        if self.solo and self.seat == 1:
            return self.ivan_rolled, self.ivan_drawn
        return self.rolled, self.drawn

    def _roll(self, space: int) -> None:
        dice = [die for die in self.dice if self.space[die] == space]
        if self._rolls is None:
            values = {die: self._random().randint(1, 6) for die in dice}
        elif self._rolls and isinstance(self._rolls[0], Mapping):
            values = dict(self._rolls.pop(0))
            assert set(values) == set(dice), (values, dice)
        else:
            values = {die: self._rolls.pop(0) for die in dice}
        self.value |= values
        if dice:
            self._log()[0].append(values)

    def _draw(self, entry: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the next given draw, or one that `entry` makes."""
        drawn = entry() if self._draws is None else dict(self._draws.pop(0))
        self._log()[1].append(drawn)
        return drawn

    # --- decisions

    def _ask(self, point: str, options: Options) -> Play:
        """Yield a decision; a single legal action is played automatically."""
        answer = None
        while answer is None:
            legal = options() if callable(options) else options
            assert legal, f"nothing is legal at {point}"
            if len(legal) == 1:
                return next(iter(legal))
            answer = yield point, frozenset(legal)
        return answer

    def _moment(self, point: str, options: Callable[[], set[str]]) -> Play:
        """Yield a decision at which the optional actions are legal, too."""
        while True:
            choice = yield from self._ask(point, lambda: options() | self._optional(point))
            verb = choice.split()[0]
            if verb == "rubles":
                self._lose_prestige(self.me, 1)
                self.me.rubles += self.tables["optional"]["rubles_per_prestige"]
            elif verb == "permit":
                self._lose_prestige(self.me, self.x["optional"]["prestige_per_permit"])
                self._gain("permits", 1)
            elif verb == "reroll":
                self._lose_prestige(self.me, self.tables["optional"]["prestige_per_reroll"])
                self.rerolled = True
                self._roll(int(choice.split()[1]))
            elif verb == "reinforce":
                yield from self._reinforce(choice.split()[1])
            else:
                return choice

    def _optional(self, point: str) -> set[str]:
        options = {"rubles"} if self._can_lose_prestige(self.me, 1) else set()
        if not self.rerolled and self._can_lose_prestige(self.me, self.tables["optional"]["prestige_per_reroll"]):
            options |= {f"reroll {space}" for space in self.space.values()}
        if self.module and self._most("permits", 1) > 0:
            if self._can_lose_prestige(self.me, self.x["optional"]["prestige_per_permit"]):
                options.add("permit")
        if not self.reinforced:  # one tile per turn
            options |= {f"reinforce {tile}" for tile in self.me.reinforcements if self._reinforcing(tile, point)}
        return options

    # --- turns

    def _play_game(self) -> Play:
        if self.special:
            yield from self._choose_special_tiles()
        while not self.over:
            self.turn += 1
            if self.solo and self.seat == 1:
                yield from self._ivans_turn()
            else:
                yield from self._players_turn()
            following = (self.seat + 1) % self.seats
            if following == self.ending:
                self.over = "terminated"
            elif self.turn == self.limit:
                self.over = "truncated"
            else:
                self.seat = following

    def _players_turn(self) -> Play:
        self.rerolled = self.reinforced = False
        choice = yield from self._moment("start", self._main_actions)
        verb = choice.split()[0]
        if verb == "move":
            yield from self._acquire(choice)
        elif verb == "claim":
            yield from self._claim(choice)
        elif verb == "hire":
            yield from self._hire(choice.split()[1])
        elif verb in ("deliver", "adorn"):
            yield from self._deliver(self.tables["build"]["deliveries"], choice)
        else:
            assert verb == "pass"
        yield from self._moment("end", lambda: {"done"})

    def _main_actions(self) -> set[str]:
        """Return the main actions; `pass` only if there is none (R-50)."""
        return self._moves() | self._claims() | self._deliveries() | self._hires() or {"pass"}
