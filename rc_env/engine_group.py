"""EngineGroup: engines of several rulesets, one per set of cards, played as one batch.

Shape letters as in `rc_env.engine`: B games of all engines together, P players, S seats, A actions, F features; N rows
of B; K engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rc_env import checks
from rc_env.arguments import OBSERVATIONS, Arguments, observation_dtype
from rc_env.batch import GroupState, Results, first_rows
from rc_env.bot import Position
from rc_env.engine import Engine, handed_out
from rc_env.memory import Memory
from rc_env.rules.state import PLAYING, TERMINATED, TRUNCATED
from rc_env.ruleset import Ruleset
from rc_env.sealing import sealed, shared
from rc_env.threads import Mark, owned

DATA = {"data": "base", "expansion_data": "contractors"}
"""The attributes in which the rulesets of a group may differ, with their defaults."""
Part = tuple[Engine, NDArray[np.int64], "slice | NDArray[np.int64]"]
"""An engine, some of its rows, and their indices among the selected rows."""


class EngineGroup:
    """B games of K rulesets that differ in their data files alone, each set of cards with an engine of its own.

    The rows of the first engine come first, then those of the second, and so on. Games, masks, rewards and observations
    of all engines are concatenated in shared memory; every method does what the method of `Engine` of that name does.
    `copy.deepcopy` and `pickle` copy a group as they do an engine, and it is used by one thread at a time as well.

    Args:
        rulesets: K of them, at least one.
        num_games: B, at least K; the engines have as many games each, or one more.
        seed: decides every deal and every roll; the engines play other deals than each other.
        threads: of each engine.

    Raises:
        ValueError: an argument does not fit.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.engine_group import EngineGroup
        >>> group = EngineGroup([Ruleset(data="sample:1"), Ruleset(data="sample:2")], num_games=6, seed=3)
        >>> group.step(group.legal_mask().argmax(1))
        >>> group.illegal
        array([False, False, False, False, False, False])
    """

    def __init__(self, rulesets: Sequence[Ruleset], num_games: int, seed: int = 0, *, threads: int = 1) -> None:
        expected = "Rulesets that differ in nothing but data and expansion_data"
        found = [
            checks.instance("rulesets", one, Ruleset, expected)
            for one in checks.sequence("rulesets", rulesets, expected)
        ]
        if not found:
            raise ValueError(f"rulesets: none found, expected {expected}")
        for one in found[1:]:
            _check_alike(found[0], one)
        count = checks.whole_number("num_games", num_games, len(found))
        seed = checks.seed("seed", seed)
        self._make(found, count, threads)
        for place, engine in enumerate(self._engines):
            engine.reset(seed=_seed_of(seed, place))

    def _make(self, rulesets: Sequence[Ruleset], num_games: int, threads: int) -> None:
        """Everything but the games."""
        self._mark = Mark()
        self._num_games = num_games
        self._threads = threads
        self._memory = memory = Memory.of(rulesets[0], num_games)
        self._shown = Memory(sealed(memory.games), shared(memory.rewards), shared(memory.illegal), sealed(memory.mask))
        self._bounds = first_rows(num_games, len(rulesets))
        self._engines = [
            Engine._within(ruleset, memory.part(low, high), threads)
            for ruleset, low, high in zip(rulesets, self._bounds, self._bounds[1:], strict=False)
        ]
        self._arguments = Arguments(rulesets[0], num_games)
        self._ended = np.zeros(0, np.int64)
        self._final: Results | None = None

    @owned
    def __getstate__(self) -> GroupState:
        return GroupState(tuple(engine.__getstate__() for engine in self._engines), self._ended, self._final)

    def __setstate__(self, state: GroupState) -> None:
        """Take the place of a group that was pickled; its games are checked as `Engine.load` checks those of a file.

        Raises:
            ValueError: the state is none, or damaged, or holds an impossible game.
        """
        state = GroupState.checked(state)
        rulesets = [one.ruleset for one in state.engines]
        for ruleset in rulesets:
            _check_alike(rulesets[0], ruleset)
        self._make(rulesets, sum(one.num_games for one in state.engines), state.engines[0].threads)
        for engine, one in zip(self._engines, state.engines, strict=True):
            engine._take(one)
        self._ended, self._final = state.ended, state.final

    # --- read-only properties

    @property
    def engines(self) -> tuple[Engine, ...]:
        """The engines, in the order of their rows."""
        return tuple(self._engines)

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the first engine; those of the others differ in their data files alone."""
        return self._engines[0].ruleset

    @property
    def num_games(self) -> int:
        """B, the number of games of all engines together."""
        return self._num_games

    @property
    def num_players(self) -> int:
        """P, the number of seats that decide."""
        return self._engines[0].num_players

    @property
    def num_seats(self) -> int:
        """S, the number of seats that own sections and are scored."""
        return self._engines[0].num_seats

    @property
    def num_actions(self) -> int:
        """A, the number of actions."""
        return self._engines[0].num_actions

    @property
    def num_features(self) -> int:
        """F, the number of features of an observation."""
        return self._engines[0].num_features

    @property
    def games(self) -> np.ndarray:
        """(B,) records of `rules.state.GAME`, always up to date. They are read-only and stay so."""
        return self._shown.games.view()

    @property
    def rewards(self) -> NDArray[np.float32]:
        """(B, P) float32, see `Engine.rewards`."""
        return self._shown.rewards.view()

    @property
    def illegal(self) -> NDArray[np.bool_]:
        """(B,) bool, see `Engine.illegal`."""
        return self._shown.illegal.view()

    @property
    def ended(self) -> NDArray[np.int64]:
        """(M,) int64, rows whose game ended in the last `step`."""
        return self._ended.copy()

    @property
    def final(self) -> Results | None:
        """Results of the games in `ended`, see `Engine.final`."""
        return self._final

    @property
    @owned
    def seat(self) -> NDArray[np.int8]:
        """(B,) int8, the seat that has to decide; -1 where the game is over."""
        return np.where(self._shown.games["status"] == PLAYING, self._shown.games["seat"], np.int8(-1))

    @property
    @owned
    def terminated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that ended by the rules."""
        return np.asarray(self._shown.games["status"] == TERMINATED)

    @property
    @owned
    def truncated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that reached the turn limit."""
        return np.asarray(self._shown.games["status"] == TRUNCATED)

    @owned
    def legal_mask(self, *, copy: bool = False, out: np.ndarray | None = None) -> NDArray[Any]:
        """(B, A) int8, 1 for each legal action; all 0 where the game is over: a view, or a copy, as of `Engine`.

        Raises:
            ValueError: `out` does not fit, or both `copy` and `out` are given; nothing was written.
        """
        if copy is False and out is None:
            return self._shown.mask.view()
        return handed_out(self._memory.mask, copy, out)

    def rows_of(self, place: int) -> NDArray[np.int64]:
        """The rows of the engine at index `place`, from 0.

        Raises:
            ValueError: there is no engine at this index.
        """
        place = checks.whole_number("place", place, 0, len(self._engines) - 1)
        return np.arange(self._bounds[place], self._bounds[place + 1])

    def parts(self, which: ArrayLike | None = None) -> Iterator[Part]:
        """The engines that have some of these rows, all by default.

        Yields:
            The engine; (N,) int64, its rows; their indices among the selected rows.

        Raises:
            ValueError: a row does not fit.
        """
        return self._parts(self._arguments.rows(which, repeats=True))

    def _parts(self, rows: NDArray[np.int64]) -> Iterator[Part]:
        if (rows[1:] >= rows[:-1]).all():  # the usual case: the rows of an engine are contiguous
            cuts = np.searchsorted(rows, self._bounds)
            for engine, first, low, high in zip(self._engines, self._bounds, cuts, cuts[1:], strict=False):
                if low < high:
                    yield engine, rows[low:high] - first, slice(int(low), int(high))
            return
        places = np.searchsorted(self._bounds, rows, side="right") - 1
        for place, engine in enumerate(self._engines):
            where = np.flatnonzero(places == place)
            if len(where):
                yield engine, rows[where] - self._bounds[place], where

    @owned
    def position(self, which: ArrayLike | None = None) -> Position:
        """The games of these rows, for bots that use only `seat`, `mask`, `observation` and `numbers`.

        `ruleset` is that of the first engine. Other bots need one `Position.of` per engine.

        Raises:
            ValueError: a row does not fit, or its game is over.
        """
        rows = self._arguments.rows(which)
        games = self._shown.games
        over = games["status"][rows] != PLAYING
        if over.any():
            raise ValueError(f"rows: the game of row {rows[over][0]} is over, expected games that wait for a decision")
        return Position(self.ruleset, games["seat"][rows], np.take(self._shown.mask, rows, axis=0), self, rows)

    def _first(self, engine: Engine) -> int:
        """The first row of the engine at an index."""
        return self._bounds[self._engines.index(engine)]

    # --- play

    @owned
    def reset(
        self, which: ArrayLike | None = None, *, seed: int | None = None, deal_seeds: ArrayLike | None = None
    ) -> None:
        """Deal new games in these rows, all by default; with a seed, or one for each row, start them over from it.

        Raises:
            ValueError: a row or a seed does not fit, or both kinds are given; nothing was dealt.
        """
        rows = self._arguments.rows(which)
        if seed is not None and deal_seeds is not None:
            raise ValueError("seed and deal_seeds: both found, expected one of them: pass either seed or deal_seeds")
        if seed is not None:
            seed = checks.seed("seed", seed)
        each = None if deal_seeds is None else self._arguments.deal_seeds(deal_seeds, len(rows))
        for engine, own, where in self._parts(rows):
            if each is not None:
                engine.reset(own, deal_seeds=each[where])
            else:
                engine.reset(own, seed=None if seed is None else _seed_of(seed, self._engines.index(engine)))

    @owned
    def step(
        self,
        actions: ArrayLike,
        which: ArrayLike | None = None,
        *,
        auto_reset: bool = False,
        observations: np.ndarray | None = None,
    ) -> None:
        """Play one decision in each row, as `Engine.step` does.

        Args:
            actions: (N,) whole numbers, one per row.
            which: rows, all by default.
            auto_reset: deal a new game at once where one ended.
            observations: (N, F) float32 or uint8 array to which is written what the seat to move then sees.

        Raises:
            ValueError: shapes or types do not fit; nothing was played.
        """
        rows = self._arguments.rows(which)
        chosen = self._arguments.actions(actions, len(rows))
        if observations is not None:
            checks.target("observations", observations, (len(rows), self.num_features), OBSERVATIONS)
        ended, final = [], []
        for engine, own, where in self._parts(rows):
            whole = observations is not None and isinstance(where, slice)
            engine.step(chosen[where], own, auto_reset=auto_reset, observations=observations[where] if whole else None)  # type: ignore[index]
            if observations is not None and not whole:
                observations[where] = engine.observe(own, dtype=observations.dtype)
            if len(engine.ended):
                ended.append(engine.ended + self._first(engine))
                final.append(engine.final)
        self._ended = np.concatenate(ended) if ended else np.zeros(0, np.int64)
        self._final = _joined(final) if auto_reset and final else None

    @owned
    def observe(
        self,
        which: ArrayLike | None = None,
        *,
        seat: ArrayLike | None = None,
        dtype: DTypeLike = np.float32,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the observation of each game, as one seat sees it, (N, F) float32 or uint8; see `Engine.observe`.

        Raises:
            ValueError: rows, seats, dtype or `out` do not fit; nothing was written.
        """
        rows = self._arguments.rows(which)
        seats = None if seat is None else self._arguments.seats(seat, len(rows))
        chosen = observation_dtype("dtype", dtype)
        if out is None:
            out = np.empty((len(rows), self.num_features), chosen)
        else:
            checks.target("out", out, (len(rows), self.num_features), (chosen,))
        for engine, own, where in self._parts(rows):
            seen = None if seats is None else seats[where]
            if isinstance(where, slice):
                engine.observe(own, seat=seen, dtype=chosen, out=out[where])
            else:
                out[where] = engine.observe(own, seat=seen, dtype=chosen)
        return out

    @owned
    def results(self, which: ArrayLike | None = None) -> Results:
        """Scores of each row: final where the game is over, else as if it ended now.

        Raises:
            ValueError: a row does not fit, or there is none.
        """
        rows = self._arguments.rows(which)
        if not len(rows):
            return self._engines[0].results(rows)
        parts = [(engine.results(own), where) for engine, own, where in self._parts(rows)]
        places = np.concatenate([np.arange(len(rows))[where] for _, where in parts])
        joined, back = _joined([part for part, _ in parts]), np.argsort(places)
        return Results(*(getattr(joined, field.name)[back] for field in fields(Results)))

    @owned
    def clone(
        self, which: ArrayLike | None = None, *, seat: ArrayLike | None = None, same_future: bool = False
    ) -> np.ndarray:
        """(N,) copies of games, as `Engine.clone` makes them; each can be restored to rows of the same set alone.

        Raises:
            ValueError: a row or a seat does not fit, or both `seat` and `same_future` are given.
        """
        rows = self._arguments.rows(which, repeats=True)
        seats = None if seat is None else self._arguments.seats(seat, len(rows))
        copies = np.zeros(len(rows), self._shown.games.dtype)
        raw = np.dtype((np.void, copies.itemsize))
        for engine, own, where in self._parts(rows):
            seen = None if seats is None else seats[where]
            copies.view(raw)[where] = engine.clone(own, seat=seen, same_future=same_future).view(np.ndarray).view(raw)
        return copies

    @owned
    def restore(self, states: np.ndarray, which: ArrayLike | None = None) -> None:
        """Put (N,) copies of games into rows, all by default; they are checked as `Engine.restore` does.

        Raises:
            ValueError: not as many states as rows, not GAME records, or a game that is not possible with the cards of
                its row; nothing was changed.
        """
        rows = self._arguments.rows(which)
        if not isinstance(states, np.ndarray) or states.shape != rows.shape or states.dtype != self._shown.games.dtype:
            checks.refuse("states", states, f"({len(rows)},) of these rulesets' rules.state.GAME")
        taken = [
            (engine, own, engine._taken("states", states[where], len(own))) for engine, own, where in self._parts(rows)
        ]
        for engine, own, games in taken:
            engine._loops.put(own, games)

    # --- which sets are played

    @owned
    def exchange(self, place: int, ruleset: Ruleset, seed: int) -> None:
        """Replace the set of cards of the engine at index `place`; its games in progress are dropped.

        Args:
            place: index of the engine, from 0.
            ruleset: differs from the others in its data files alone.
            seed: of the new games.

        Raises:
            ValueError: an argument does not fit; nothing was changed.
        """
        place = checks.whole_number("place", place, 0, len(self._engines) - 1)
        _check_alike(self.ruleset, checks.instance("ruleset", ruleset, Ruleset, "a Ruleset"))
        seed = checks.seed("seed", seed)
        part = self._memory.part(self._bounds[place], self._bounds[place + 1])
        engine = Engine._within(ruleset, part, self._threads)
        part.mask[:] = 0  # nothing is legal until the games of the other set are dealt
        self._engines[place] = engine
        engine.reset(seed=seed)


def _check_alike(first: Ruleset, other: Ruleset) -> None:
    """Refuse a ruleset that differs from the first one in more than its data files."""
    if replace(other, **DATA) != replace(first, **DATA):  # type: ignore[arg-type]
        raise ValueError(
            f"rulesets: {checks.shown(other)} found beside {checks.shown(first)}, expected them to differ in "
            f"nothing but "
            "data and expansion_data"
        )


def _seed_of(seed: int, place: int) -> int:
    """The seed of the engine at an index."""
    return int(np.random.SeedSequence([seed, place]).generate_state(1, np.uint64)[0])


def _joined(parts: Sequence[Any]) -> Results:
    """Concatenate results."""
    return Results(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Results)))
