"""The parts of an engine that others use: the memory of a batch of games, the listener protocol, and results.

Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.jit import records
from rc_env.ruleset import Ruleset


@dataclass(frozen=True)
class Results:
    """Scores of N games, final or as they stand.

    Attributes:
        prestige: (N, S) int32, the sum of track, goods, contracts, tools and towers.
        track: (N, S) int32, prestige of the marker's place (R-25).
        goods: (N, S) int32, prestige for materials, rubles and permits in hand (R-25, R-58; Ivan has none, R-31).
        contracts: (N, S) int32, prestige for contracts (R-77); 0 in games without the archivists.
        tools: (N, S) int32, prestige for tools (R-59); 0 in games without the module Contractors.
        towers: (N, S, T) int32, prestige of each tower (R-26, R-27).
        place: (N, S) int32, from 0; tied seats share the better place (R-28).
        winners: (N, S) bool, every seat on place 0.

    Example:
        >>> from rc_env import Engine
        >>> results = Engine(num_games=2, seed=1).results()  # as the games stand: nobody has done anything
        >>> results.place
        array([[0, 0],
               [0, 0]], dtype=int32)
        >>> int(results.towers.sum())
        0
    """

    prestige: NDArray[np.int32]
    track: NDArray[np.int32]
    goods: NDArray[np.int32]
    contracts: NDArray[np.int32]
    tools: NDArray[np.int32]
    towers: NDArray[np.int32]
    place: NDArray[np.int32]
    winners: NDArray[np.bool_]


class Listener(Protocol):
    """Observer that an engine notifies of every deal, step and restore. `rows` are (N,) int64."""

    def dealt(self, rows: NDArray[np.int64], /) -> None:
        """New games were dealt in these rows."""

    def played(self, rows: NDArray[np.int64], actions: NDArray[np.int64], /) -> None:
        """These actions, (N,) int64, were played in these rows, or refused: see `Engine.illegal`."""

    def restored(self, rows: NDArray[np.int64], /) -> None:
        """Games were put into these rows from outside."""


@dataclass(frozen=True)
class EngineState:
    """What `copy` and `pickle` take of an engine, and `Engine.__setstate__` checks.

    Attributes:
        ruleset: the variant.
        threads: as for a new engine.
        games: the bytes of (B,) GAME.
        rewards: (B, P) float32.
        illegal: (B,) bool.
        ended, final: the attributes of the engine.
        clones: how often games were copied with fresh keys.
    """

    ruleset: Ruleset
    threads: int
    games: bytes
    rewards: NDArray[np.float32]
    illegal: NDArray[np.bool_]
    ended: NDArray[np.int64]
    final: Results | None
    clones: int


@dataclass(frozen=True)
class GroupState:
    """What `copy` and `pickle` take of an `EngineGroup`.

    Attributes:
        engines: the states of its engines, in the order of their rows.
        ended, final: the attributes of the group.
    """

    engines: tuple[EngineState, ...]
    ended: NDArray[np.int64]
    final: Results | None


@dataclass(frozen=True)
class Memory:
    """The arrays that kernels write to for B games: an engine's own, or slices of arrays that several engines share.

    Compiled code trusts them: callers get sealed views (`rc_env.sealing`) of games and mask.

    Attributes:
        games: (B,) GAME records.
        rewards: (B, P) float32.
        illegal: (B,) bool.
        mask: (B, A) int8.
    """

    games: np.ndarray
    rewards: NDArray[np.float32]
    illegal: NDArray[np.bool_]
    mask: NDArray[np.int8]

    @classmethod
    def of(cls, ruleset: Ruleset, num_games: int) -> Memory:
        """Allocate memory for `num_games` games of a ruleset.

        Raises:
            ValueError: there is too little memory for so many.
        """
        game: np.dtype[Any] = ruleset.build.state.GAME
        try:
            return cls(
                np.zeros(num_games, game),
                np.zeros((num_games, ruleset.players), np.float32),
                np.zeros(num_games, np.bool_),
                np.zeros((num_games, ruleset.actions.size), np.int8),
            )
        except (MemoryError, ValueError):
            checks.refuse("num_games", num_games, f"so many games of {game.itemsize} bytes that memory holds them")

    def part(self, low: int, high: int) -> Memory:
        """The slice of this memory for the games from `low` to below `high`."""
        return Memory(*(getattr(self, name)[low:high] for name in ("games", "rewards", "illegal", "mask")))


def scratch(ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Working memory of one thread: `scratch` of the kernels."""
    build = ruleset.build
    return records(np.zeros(1, build.verbs.MENU)), records(np.zeros(ruleset.players, build.packing.SEEN))
