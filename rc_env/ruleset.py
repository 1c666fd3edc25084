"""Ruleset: which game is played. Every environment, bot and model is made for one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rc_env.layout import writer
from rc_env.layout.actions import ActionLayout
from rc_env.layout.observation import ObservationLayout
from rc_env.rules import components, data_file
from rc_env.rules.data_file import DataFile

RULES_VERSION = 1
"""Rises when a trained policy would meet another game than before."""

WORKSHOPS = ("basic", "advanced")
MOST_TURNS = 10_000


@dataclass(frozen=True)
class Ruleset:
    """A variant of the game.

    Attributes:
        players: seats that decide: 2, 3 or 4, or 1 for the solo game against Ivan (R-30, R-31).
        workshop: side of the workshop boards, "basic" or "advanced".
        data: "base", or the path of a data file of one's own (see docs/data.md).
        turn_limit: turns begun by anyone after which a game is truncated and scored (R-29), 1 to 10,000.
        reward: paid to every player at the end. "win": places from 1 to -1, ties shared; "first": 1 for the winner,
            -1 / (P - 1) for all others, ties shared; "margin": own prestige less the others' mean, in [-1, 1]; "score":
            final prestige. All but "score" sum to 0 over all seats; Ivan counts among the others, but is paid nothing.

    Raises:
        ValueError: a value is out of range; `data_file.DataError` (a ValueError) for a data file that does not hold.
    """

    players: int = 2
    workshop: str = "basic"
    data: str | os.PathLike[str] = "base"
    turn_limit: int = 1000
    reward: str = "win"

    def __post_init__(self) -> None:
        _integer("players", self.players, 1, 4)
        _one_of("workshop", self.workshop, WORKSHOPS)
        _integer("turn_limit", self.turn_limit, 1, MOST_TURNS)
        _one_of("reward", self.reward, components.REWARDS)
        _ = self.data_file  # a bad file is told at once, not at the first deal

    @cached_property
    def data_file(self) -> DataFile:
        """The checked data file."""
        return data_file.load(self.data)

    @cached_property
    def rules(self) -> np.recarray:
        """The printed numbers and the catalogue as the compiled rules read them: RULES, an array of one record."""
        rules = components.build(self.data_file, self.players, self.workshop, self.turn_limit, self.reward)
        self.actions.fill(rules[0])
        return rules

    @property
    def seats(self) -> int:
        """Seats that own sections and are scored: `players`, but 2 in the solo game, where Ivan has seat 1."""
        return components.seats_of(self.players)

    @property
    def solo(self) -> bool:
        """Whether this is the solo game."""
        return self.players == 1

    @cached_property
    def actions(self) -> ActionLayout:
        """The action catalogue."""
        return ActionLayout(self.players)

    @cached_property
    def observations(self) -> ObservationLayout:
        """The schema of the observations."""
        return ObservationLayout(self.players)

    @cached_property
    def writer_tables(self) -> np.recarray:
        """What the compiled writer of observations reads: `writer.VIEW`, an array of one record."""
        return writer.tables(self.observations, self.rules)

    @property
    def layout_hash(self) -> str:
        """What a saved model is held to: the hashes of both layouts."""
        return f"{self.actions.hash}-{self.observations.hash}"

    @property
    def reward_range(self) -> tuple[float, float]:
        """Smallest and largest reward a seat can be paid ("score" has no upper bound)."""
        return (0.0, float("inf")) if self.reward == "score" else (-1.0, 1.0)


def _integer(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{name}: {value!r} found, expected a whole number from {low} to {high}")


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise ValueError(f"{name}: {value!r} found, expected one of {', '.join(known)}")
