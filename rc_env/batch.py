"""What an engine hands out: results, news for its listener, and its state for `copy` and `pickle`.

Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arguments import FLOAT32, Arguments
from rc_env.ruleset import Ruleset

_ENGINE = "what copy or pickle takes of an engine of this version"
_GROUP = "what copy or pickle takes of a group of this version"


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
    """What `pickle` takes of an engine.

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

    @classmethod
    def checked(cls, state: object) -> EngineState:
        """The state, of which all is as an engine takes it but whether the games are possible.

        Raises:
            ValueError: it is none, or damaged.
        """
        state = checks.instance("state", state, cls, _ENGINE)
        ruleset = checks.instance("state, ruleset", state.ruleset, Ruleset, _ENGINE)
        games = checks.instance("state, games", state.games, bytes, _ENGINE)
        size = ruleset.build.state.GAME.itemsize
        if not games or len(games) % size:
            raise ValueError(f"state, games: {len(games)} bytes found, expected {size} for each game")
        checks.target("state, rewards", state.rewards, (state.num_games, ruleset.players), (FLOAT32,))
        checks.target("state, illegal", state.illegal, (state.num_games,), (np.dtype(np.bool_),))
        ended = Arguments(ruleset, state.num_games).rows(state.ended)
        clones = checks.whole_number("state, clones", state.clones, 0, 2**63)
        return replace(state, ended=ended, final=_results(state.final, _ENGINE), clones=clones)

    @property
    def num_games(self) -> int:
        """B, the number of games that the bytes hold."""
        return len(self.games) // self.ruleset.build.state.GAME.itemsize


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

    @classmethod
    def checked(cls, state: object) -> GroupState:
        """The state, of which all is as a group takes it but whether the games are possible.

        That the rulesets go together is left to the group.

        Raises:
            ValueError: it is none, or damaged.
        """
        state = checks.instance("state", state, cls, _GROUP)
        if not checks.instance("state, engines", state.engines, tuple, _GROUP):
            checks.refuse("state, engines", state.engines, _GROUP)
        engines = tuple(EngineState.checked(one) for one in state.engines)
        counts = [one.num_games for one in engines]
        bounds = first_rows(sum(counts), len(engines))
        if min(counts) < 1 or np.cumsum([0, *counts]).tolist() != bounds:
            raise ValueError(f"state, games: {counts} of each set found, expected as many of each, or one more")
        ended = Arguments(engines[0].ruleset, sum(counts)).rows(state.ended)
        return cls(engines, ended, _results(state.final, _GROUP))


def first_rows(num_games: int, engines: int) -> list[int]:
    """The first row of each engine of a group, and the number of rows: as many for each engine, or one more."""
    return [place * num_games // engines for place in range(engines + 1)]


def _results(found: object, expected: str) -> Results | None:
    return None if found is None else checks.instance("state, final", found, Results, expected)
