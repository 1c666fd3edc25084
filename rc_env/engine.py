"""Engine: many games at once.

Shape letters, here and everywhere: B games, P players (seats that decide), S seats (those that own sections: P, or 2 in
the solo game, where seat 1 is Ivan's), A actions, F features of an observation, T towers; N rows of B.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, Protocol
from weakref import WeakSet

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rc_env.jit import records
from rc_env.rules.points import POINT
from rc_env.rules.sizes import CARDS_DRAWN, FORCED, SPECIALISTS, SPECIALISTS_FORCED
from rc_env.rules.state import PLAYING, TERMINATED, TRUNCATED
from rc_env.ruleset import Ruleset

SMALL = 256  # rows a thread must at least have: for fewer, handing over costs more than it gains
_NO_BYTES = np.zeros((0, 0), np.int8)
_NO_FLOATS = np.zeros((0, 0), np.float32)
_NO_NUMBERS = np.zeros((0, 0), np.uint8)
_DTYPES = (np.dtype(np.float32), np.dtype(np.uint8))
"""What observations may be asked for as."""
_KEPT = ("ruleset", "num_games", "threads", "ended", "final", "_clones")
_ARRAYS = ("rewards", "illegal", "_mask", "_ended")
"""What a copy of an engine has beside the games."""
_ENGINES: WeakSet[Engine] = WeakSet()
"""Every engine of this process: a forked one has the threads of none of them."""


def _forget_all_threads() -> None:
    for engine in _ENGINES:
        engine._forget_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all_threads)


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
    """Whom an engine notifies of what has just changed its games. `rows` are (N,) int64."""

    def dealt(self, rows: NDArray[np.int64], /) -> None:
        """New games were dealt in these rows."""

    def played(self, rows: NDArray[np.int64], actions: NDArray[np.int64], /) -> None:
        """These actions, (N,) int64, were played in these rows, or refused: see `Engine.illegal`."""

    def restored(self, rows: NDArray[np.int64], /) -> None:
        """Games were put into these rows from outside."""


class _Scratch:
    """What one thread works in."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.menus = records(np.zeros(1, ruleset.module("rules.verbs").MENU))
        self.arrays = (self.menus, records(np.zeros(ruleset.players, ruleset.module("layout.words").SEEN)))
        """`scratch` of the kernels."""


class Engine:
    """A batch of games, stepped together.

    Args:
        ruleset: the variant; by default two players, basic workshops.
        num_games: B, at least 1.
        seed: decides every deal and every roll of every row, whatever the number of threads and of rows.
        threads: how many threads share a call; 0 for as many as there are processors.

    Attributes:
        games: (B,) record array of `rules.state.GAME`, for reading.
        rewards: (B, P) float32, paid by the last `step` of each row: zero until its game ends.
        illegal: (B,) bool, rows whose last action was refused: not legal, out of range, or sent to a game that is over.
        ended: (K,) int64, rows whose game ended in the last `step`.

    A new engine has dealt every game. Arrays returned without `copy` or `out` are views that the next call overwrites.
    `copy.deepcopy` and `pickle` copy an engine with its games in progress, bit for bit, and without its recorder: the
    copy rolls what the original will roll. An engine is used by one thread at a time; a call from another one while it
    works raises RuntimeError. In a process forked from this one, each engine makes its threads anew.
    """

    def __init__(self, ruleset: Ruleset | None = None, num_games: int = 1, seed: int = 0, *, threads: int = 1) -> None:
        if isinstance(num_games, bool) or not isinstance(num_games, int | np.integer) or num_games < 1:
            raise ValueError(f"num_games: {num_games!r} found, expected a whole number of at least 1")
        self._make(Ruleset() if ruleset is None else ruleset, int(num_games), threads)
        self.reset(seed=seed)

    def _make(self, ruleset: Ruleset, num_games: int, threads: int) -> None:
        """Everything but the games: arrays, views of the same memory, kernels."""
        self.ruleset = ruleset
        self.num_games = num_games
        self.num_players = self.ruleset.players
        self.num_seats = self.ruleset.seats
        self.num_actions = self.ruleset.actions.size
        self.num_features = self.ruleset.observations.size
        self.threads = threads
        self._kernels = self.ruleset.module("kernels")
        self._setup = self.ruleset.module("rules.setup")
        self._game: np.dtype[Any] = self.ruleset.module("rules.state").GAME
        # A game as bytes: copied whole, where a record would be copied field by field, without what lies between.
        self._bytes = np.dtype((np.void, self._game.itemsize))
        rows = np.zeros(self.num_games, self._game)
        self.games = rows.view(np.recarray)
        self.rewards = np.zeros((self.num_games, self.num_players), np.float32)
        self.illegal = np.zeros(self.num_games, np.bool_)
        self.ended = np.zeros(0, np.int64)
        self.recorder: Listener | None = None
        """Whom the engine notifies of every deal, step and restore: usually an `rc_env.record.Recorder`."""
        self.final: Results | None = None
        """Results of the games in `ended`, kept by a `step` with `auto_reset`."""
        self._mask = np.zeros((self.num_games, self.num_actions), np.int8)
        self._shown_mask = self._mask.view()
        self._shown_mask.flags.writeable = False
        self._records = records(rows)
        self._raw = rows.view(self._bytes)
        words = records(rows.view(self.ruleset.module("layout.words").WORDS))
        self._rules = records(self.ruleset.rules)
        self._table = (self._rules, records(self.ruleset.writer_tables), self._records, words)
        """`table` of the kernels."""
        self._all = np.arange(self.num_games)
        self._ended = np.zeros(self.num_games, np.bool_)  # which games the last step of each row ended
        self._any_seat = np.full(self.num_games, -1, np.int8)
        self._open_deal = records(self._setup.open_deal())
        self._clones = 0

    # --- copies of the whole engine

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in _KEPT}
        arrays = {name: getattr(self, name).view(np.ndarray).copy() for name in _ARRAYS}
        return {**kept, "arrays": {**arrays, "games": self._raw.tobytes()}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._make(state["ruleset"], state["num_games"], state["threads"])
        for name in _KEPT:
            setattr(self, name, state[name])
        for name in _ARRAYS:
            getattr(self, name)[:] = state["arrays"][name]
        self._raw[:] = np.frombuffer(state["arrays"]["games"], self._bytes)

    # --- threads

    @property
    def threads(self) -> int:
        """How many threads share a call."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 0:
            raise ValueError(f"threads: {threads!r} found, expected a whole number of at least 0")
        self._threads = int(threads) or (os.cpu_count() or 1)
        self._forget_threads()

    def _forget_threads(self) -> None:
        """Make threads, and what each of them works in, anew when they are needed."""
        self._pool: ThreadPoolExecutor | None = None
        self._scratch: list[_Scratch] = []
        self._busy = Lock()
        _ENGINES.add(self)

    def _share(self, count: int, work: Callable[[int, int, _Scratch], Any]) -> None:
        """Call `work(low, high, scratch)` over slices of `count` rows, one slice a thread."""
        if not self._busy.acquire(blocking=False):
            raise RuntimeError(
                "engine: a call from a second thread found while it works, expected one thread at a time: give each "
                "thread an engine of its own, or raise Engine.threads"
            )
        try:
            self._share_out(count, work)
        finally:
            self._busy.release()

    def _share_out(self, count: int, work: Callable[[int, int, _Scratch], Any]) -> None:
        parts = max(1, min(self._threads, count // SMALL))
        while len(self._scratch) < parts:
            self._scratch.append(_Scratch(self.ruleset))
        if parts == 1:
            work(0, count, self._scratch[0])
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, "rc_env")
        slices = [(count * i // parts, count * (i + 1) // parts, self._scratch[i]) for i in range(parts)]
        waiting = [self._pool.submit(work, *part) for part in slices[1:]]
        work(*slices[0])
        for one in waiting:
            one.result()

    # --- what stands where

    @property
    def seat(self) -> NDArray[np.int8]:
        """(B,) int8, the seat that has to decide; -1 where the game is over."""
        return np.where(self.games.status == PLAYING, self.games.seat, np.int8(-1))

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that ended by the rules (R-25)."""
        return np.asarray(self.games.status == TERMINATED)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that reached the turn limit (R-29)."""
        return np.asarray(self.games.status == TRUNCATED)

    def legal_mask(self) -> NDArray[np.int8]:
        """(B, A) int8, 1 for each legal action; all 0 where the game is over. A read-only view, always up to date."""
        return self._shown_mask

    def observe(
        self,
        which: ArrayLike | None = None,
        *,
        seat: ArrayLike | None = None,
        dtype: DTypeLike = np.float32,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """What a seat sees of each game.

        Args:
            which: rows, all by default.
            seat: the seat that sees, one for all or one a row; by default the seat to move (after the end, the last).
            dtype: np.uint8 for the whole numbers of `ruleset.observations`, from 0 to its `divisors`; np.float32 for
                these numbers over the divisors, from 0 to 1.
            out: (N, F) array of that dtype to write to, C-contiguous and writeable; by default a new one.

        Returns:
            (N, F) of that dtype, laid out as `ruleset.observations` says: `out`, or the new array.

        Raises:
            ValueError: rows, seats, dtype or `out` do not fit; nothing was written.
        """
        rows = self._rows(which)
        count = len(rows)
        seats = self._any_seat[:count] if seat is None else self._seats(seat, count)
        chosen = _observation_dtype("dtype", dtype)
        if out is None:
            out = np.empty((count, self.num_features), chosen)
        else:
            _check_target("out", out, (count, self.num_features), (chosen,))
        targets = _as_targets(out)
        self._share(
            count,
            lambda low, high, scratch: self._kernels.observe_rows(
                self._table, scratch.arrays, rows, low, high, seats, targets
            ),
        )
        return out

    def returns(self) -> NDArray[np.float32]:
        """(B, P) float32, what each seat is paid for the game that stands in the row: zero until it is over."""
        paid = np.zeros((self.num_games, self.num_players), np.float32)
        self._kernels.paid_rows(self._rules, self._records, 0, self.num_games, paid)
        return paid

    def results(self, which: ArrayLike | None = None) -> Results:
        """Scores of each row: final where the game is over, else as if it ended now."""
        rows = self._rows(which)
        shape = (len(rows), self.num_seats)
        parts = np.zeros((*shape, 4), np.int32)
        towers = np.zeros((*shape, int(self.ruleset.rules[0].towers)), np.int32)
        place = np.zeros(shape, np.int32)
        self._share(
            len(rows),
            lambda low, high, _: self._kernels.score_rows(
                self._rules, self._records, rows, low, high, parts, towers, place
            ),
        )
        track, goods, contracts, tools = (parts[..., i] for i in range(4))
        prestige = parts.sum(-1, dtype=np.int32) + towers.sum(-1, dtype=np.int32)
        return Results(prestige, track, goods, contracts, tools, towers, place, place == 0)

    # --- play

    def reset(
        self,
        which: ArrayLike | None = None,
        *,
        seed: int | None = None,
        deal_seeds: ArrayLike | None = None,
        deals: np.ndarray | None = None,
    ) -> None:
        """Deal new games.

        Args:
            which: rows, all by default.
            seed: start the rows over from this seed, as a new engine would; by default each row goes on to its next
                game.
            deal_seeds: one seed a row: rows with equal ones get the same deal and the same n-th roll of each die.
            deals: `rules.setup.DEAL` records, one for all rows or one a row, that fix parts of the deal.

        Raises:
            ValueError: shapes or seeds do not fit, or both kinds of seed are given.
        """
        rows = self._rows(which)
        if seed is not None and deal_seeds is not None:
            raise ValueError("seed and deal_seeds: both found, expected one of them")
        chosen = (
            self._open_deal
            if deals is None
            else records(self._setup.checked_deals(np.atleast_1d(deals), self.ruleset.rules[0]))
        )
        if len(chosen) not in (1, len(rows)):
            raise ValueError(
                f"deals: {len(chosen)} of {chosen.dtype} found, expected 1 or {len(rows)} of rules.setup.DEAL"
            )
        if seed is not None:
            self._kernels.seed_rows(self._records, rows, _seed("seed", seed), np.zeros(0, np.uint64))
        elif deal_seeds is not None:
            seeds = np.asarray(deal_seeds)
            if seeds.shape != (len(rows),) or seeds.dtype.kind not in "iu" or (seeds < 0).any():
                raise ValueError(
                    f"deal_seeds: {shown(seeds)} found, expected {len(rows)} whole numbers from 0 to 2^64 - 1"
                )
            self._kernels.seed_rows(self._records, rows, np.uint64(0), seeds.astype(np.uint64))
        self._share(
            len(rows),
            lambda low, high, scratch: self._kernels.reset_rows(
                self._rules, chosen, self._records, rows, low, high, scratch.menus, self._mask
            ),
        )
        self.rewards[rows] = 0
        self.illegal[rows] = False
        if self.recorder is not None:
            self.recorder.dealt(rows)

    def step(
        self,
        actions: ArrayLike,
        which: ArrayLike | None = None,
        *,
        dice: ArrayLike | None = None,
        ivan_tiles: ArrayLike | None = None,
        cards: ArrayLike | None = None,
        specialists: ArrayLike | None = None,
        auto_reset: bool = False,
        observations: np.ndarray | None = None,
    ) -> None:
        """Play one decision in each row.

        An illegal or out-of-range action, or one sent to a game that is over, changes nothing in its game and is
        reported in `illegal`. `rewards`, `illegal` and `ended` tell what happened.

        Args:
            actions: (N,) whole numbers, one a row.
            which: rows, all by default.
            dice: (N, up to 16) values 1-6 that the next dice will show in the order in which they are rolled (all dice
                of a roll in the order red, blue, yellow, green, white, black). A row ends at its first 0: the dice
                after it are drawn. What is left over is dropped. Ivan's dice follow those of the player.
            ivan_tiles: (N, 5) numbers of dice, each once, that Ivan lays from left to right if he mixes his tiles in
                this step (solo); (N, 6) with the module Contractors. A row that begins with -1 is drawn.
            cards: (N, 2) numbers of cathedral cards, as in GAME.number, that the master builders draw in this step
                (full game); -1 for a card that is drawn. A card that is not in their deck is drawn as well.
            specialists: (N, up to 4) numbers of specialists from 0, as in GAME.offer, that are drawn from the bag in
                this step, Ivan's last (module Contractors); -1 for one that is drawn. One that is not in the bag is
                drawn as well.
            auto_reset: deal a new game at once where one ended; its results are kept in `final`, and `observe`, `seat`
                and the mask show the new game.
            observations: (N, F) float32 or uint8 array, C-contiguous and writeable; what the seat to move then sees is
                written there, as a following `observe(which)` would, but in the same pass over the games.

        Raises:
            ValueError: shapes or types do not fit; nothing was played.
        """
        rows = self._rows(which)
        chosen = np.asarray(actions)
        if chosen.shape != (len(rows),) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {chosen.dtype} array of shape {chosen.shape} found, expected {len(rows)} whole numbers"
            )
        wanted = chosen.astype(np.int64, copy=False)
        given = (
            wanted,
            _NO_BYTES if dice is None else self._dice(dice, len(rows)),
            _NO_BYTES if ivan_tiles is None else self._ivan_tiles(ivan_tiles, len(rows)),
        )
        drawn = None if cards is None else self._cards(cards, len(rows))
        refills = None if specialists is None else self._specialists(specialists, len(rows))
        outcome = (self._mask, self.rewards, self.illegal, self._ended)
        if observations is not None:
            _check_target("observations", observations, (len(rows), self.num_features), _DTYPES)
        targets = _as_targets(observations)
        if drawn is not None:
            self.games.forced_card[rows] = drawn
        if refills is not None:
            self.games.forced_specialist[rows] = refills
            self.games.forced_specialists[rows] = SPECIALISTS_FORCED
        self._share(
            len(rows),
            lambda low, high, scratch: self._kernels.step_rows(
                self._table, scratch.arrays, rows, low, high, given, outcome, targets
            ),
        )
        if drawn is not None:
            self.games.forced_card[rows] = -1
        if refills is not None:
            self.games.forced_specialist[rows] = -1
            self.games.forced_specialists[rows] = 0
        over = np.flatnonzero(self._ended[rows])  # by place in `rows`
        self.ended = rows[over]
        self.final = None
        if self.recorder is not None:
            self.recorder.played(rows, wanted)
        if auto_reset and len(over):
            self._deal_anew()
            if observations is not None:
                observations[over] = self.observe(self.ended, dtype=observations.dtype)

    def _deal_anew(self) -> None:
        """Deal new games where the last step ended one; its rewards stay, and its results are kept in `final`."""
        self.final = self.results(self.ended)
        rewards = self.rewards[self.ended]
        self.reset(self.ended)
        self.rewards[self.ended] = rewards

    def play_random(
        self, decisions: int, seed: int = 0, *, masks: bool = False, observations: np.ndarray | None = None
    ) -> dict[str, int]:
        """Play uniformly random legal actions inside the engine, with a new game after each end.

        Args:
            decisions: how many in each row.
            seed: of the choices; they never move the dice.
            masks: write the mask at each decision, as `step` does.
            observations: (B, F) float32 or uint8 array, C-contiguous and writeable; the observation of the seat to move
                is written there at each decision, as `observe` does.

        Returns:
            "decisions"; "games" that ended; "truncated" among them; "stuck", decisions without a legal one: always 0.

        Raises:
            ValueError: an argument does not fit, or a recorder follows the engine, which would not see these decisions;
                nothing was played.
        """
        if self.recorder is not None:
            raise ValueError("play_random: an engine with a recorder found, expected one without; detach it first")
        if isinstance(decisions, bool) or not isinstance(decisions, int | np.integer) or decisions < 0:
            raise ValueError(f"decisions: {decisions!r} found, expected a whole number of at least 0")
        if observations is not None:
            _check_target("observations", observations, (self.num_games, self.num_features), _DTYPES)
        mask = self._mask if masks else _NO_BYTES
        targets = _as_targets(observations)
        tallies: list[np.ndarray] = []
        choices = (int(decisions), _seed("seed", seed), self._open_deal)

        def work(low: int, high: int, scratch: _Scratch) -> None:
            tally = np.zeros(4, np.int64)
            tallies.append(tally)
            self._kernels.play_rows(self._table, scratch.arrays, low, high, choices, mask, targets, tally)

        self._share(self.num_games, work)
        self._renew_masks(self._all)
        return dict(zip(("decisions", "games", "truncated", "stuck"), map(int, np.sum(tallies, axis=0)), strict=True))

    # --- copies

    def clone(
        self,
        which: ArrayLike | None = None,
        *,
        seat: ArrayLike | None = None,
        same_future: bool = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Copies of games, to be put back with `restore`, here or in another engine of the same ruleset.

        Args:
            which: rows, all by default; a row may be named several times.
            seat: for whom the copies are made, one seat for all or one a row: what it cannot see is drawn anew from
                the fresh key (in the base game everything lies open). By default nothing is drawn anew.
            same_future: keep the keys of chance, so that the copy will roll what the original rolls. By default each
                copy takes a fresh key: a search never sees the future.
            out: (N,) array of GAME to write to; by default a new one.

        Returns:
            (N,) array of `rules.state.GAME`.

        Raises:
            ValueError: a row, a seat or `out` does not fit, or both `seat` and `same_future` are given.
        """
        if seat is not None and same_future:
            raise ValueError("seat and same_future: both found, expected one: a seat does not know the future")
        rows = None if which is None else self._rows(which, repeats=True)
        count = self.num_games if rows is None else len(rows)
        copies = np.empty(count, self._game) if out is None else out
        if copies.shape != (count,) or copies.dtype != self._game:
            raise ValueError(f"out: {copies.shape} of {copies.dtype} found, expected ({count},) of rules.state.GAME")
        if rows is None:
            np.copyto(copies.view(self._bytes), self._raw)
        else:
            np.take(self._raw, rows, out=copies.view(self._bytes), mode="clip")
        if not same_future:
            self._clones += 1
            seats = np.full(count, -1, np.int8) if seat is None else self._seats(seat, count)
            self._kernels.rekey_rows(self._rules, records(copies), seats, np.uint64(self._clones))
        return copies

    def conceal(self, games: np.ndarray, seat: ArrayLike) -> np.ndarray:
        """Copies of games as a seat may know them, to be shown and not played: what it cannot see is "none".

        In the base game everything lies open, and the copies are equal to the games.

        Args:
            games: (N,) array of `rules.state.GAME` of this engine's ruleset.
            seat: one seat for all, or one a game.

        Returns:
            (N,) array of `rules.state.GAME`.

        Raises:
            ValueError: not GAME records, or a seat that is not in the game.
        """
        if games.dtype != self._game or games.ndim != 1:
            raise ValueError(f"games: {games.shape} of {games.dtype.name} found, expected (N,) of rules.state.GAME")
        copies = np.empty(len(games), self._game)
        np.copyto(copies.view(self._bytes), np.ascontiguousarray(games).view(np.ndarray).view(self._bytes))
        self._kernels.conceal_rows(self._rules, records(copies), self._seats(seat, len(games)))
        return copies

    def restore(self, states: np.ndarray, which: ArrayLike | None = None) -> None:
        """Put copies of games into rows (all by default), bytes as they are.

        Raises:
            ValueError: not as many states as rows, or not GAME records.
        """
        rows = self._rows(which)
        if states.dtype != self._game or states.shape != (len(rows),):
            raise ValueError(
                f"states: {states.shape} of {states.dtype.name} found, expected {len(rows)} of rules.state.GAME"
            )
        self._raw[rows] = states.view(np.ndarray).view(self._bytes)
        self._renew_masks(rows)
        self.rewards[rows] = 0
        self.illegal[rows] = False
        if self.recorder is not None:
            self.recorder.restored(rows)

    def _renew_masks(self, rows: NDArray[np.int64]) -> None:
        self._share(
            len(rows),
            lambda low, high, scratch: self._kernels.mask_rows(
                self._rules, self._records, rows, low, high, scratch.menus, self._mask
            ),
        )

    # --- words

    def action_to_text(self, action: int, row: int = 0) -> str:
        """An action in words, as the seat to move in that row would say it."""
        return self.ruleset.actions.to_text(int(action), int(self.games.seat[row]))

    def text_to_action(self, text: str, row: int = 0) -> int:
        """The number of an action in words, for the seat to move in that row."""
        return self.ruleset.actions.to_action(text, int(self.games.seat[row]))

    def point(self, row: int = 0) -> str:
        """Name of the current decision point of that row; "over" after the end."""
        game = self.games[row]
        return (
            self.ruleset.module("rules.points").POINTS[int(game.stack[game.depth - 1, POINT])]
            if game.status == PLAYING
            else "over"
        )

    # --- checks of what callers hand in

    def _rows(self, which: ArrayLike | None, *, repeats: bool = False) -> NDArray[np.int64]:
        if which is None:
            return self._all
        rows = np.atleast_1d(np.asarray(which))
        if rows.dtype == np.bool_ and rows.shape == (self.num_games,):
            return np.flatnonzero(rows)
        if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
            raise ValueError(
                f"which: {rows.dtype} array of shape {rows.shape} found, expected row numbers or a bool a row"
            )
        rows = rows.astype(np.int64)
        if rows.size and (rows.min() < 0 or rows.max() >= self.num_games):
            wrong = rows[(rows < 0) | (rows >= self.num_games)][0]
            raise ValueError(f"which: row {wrong} found, expected rows from 0 to {self.num_games - 1}")
        if not repeats and rows.size > 1 and np.bincount(rows).max() > 1:
            raise ValueError(f"which: row {np.bincount(rows).argmax()} found more than once, expected each row once")
        return rows

    def _seats(self, seat: ArrayLike, count: int) -> NDArray[np.int8]:
        seats = np.asarray(seat)
        if seats.shape not in ((), (count,)) or seats.dtype.kind not in "iu":
            raise ValueError(f"seat: {seats.dtype} array of shape {seats.shape} found, expected one seat or one a row")
        if seats.size and (seats.min() < 0 or seats.max() >= self.num_players):
            raise ValueError(f"seat: {seats.min()} to {seats.max()} found, expected 0 to {self.num_players - 1}")
        return np.broadcast_to(seats, (count,)).astype(np.int8)

    def _dice(self, dice: ArrayLike, count: int) -> NDArray[np.int8]:
        values = np.asarray(dice)
        if values.ndim != 2 or values.shape[0] != count or values.shape[1] > FORCED or values.dtype.kind not in "iu":
            raise ValueError(
                f"dice: {values.dtype} array of shape {values.shape} found, expected ({count}, up to {FORCED}) values"
            )
        if values.size and (values.min() < 0 or values.max() > 6):
            raise ValueError(f"dice: {values.min()} to {values.max()} found, expected 1 to 6, or 0 behind the last")
        forced = np.zeros((count, FORCED), np.int8)
        forced[:, : values.shape[1]] = values
        return forced

    def _ivan_tiles(self, tiles: ArrayLike, count: int) -> NDArray[np.int8]:
        values = np.asarray(tiles)
        his = int(self.ruleset.module("rules.ivan").cards(self.ruleset.rules[0]))
        if values.shape != (count, his) or values.dtype.kind not in "iu" or not self.ruleset.solo:
            expected = f"({count}, {his}) numbers of dice" if self.ruleset.solo else "them in the solo game only"
            raise ValueError(f"ivan_tiles: {values.dtype} array of shape {values.shape} found, expected {expected}")
        wrong = (values[:, 0] != -1) & (np.sort(values, 1) != np.arange(his)).any(1)
        if wrong.any():
            raise ValueError(f"ivan_tiles: {values[wrong][0]} found, expected each of 0 to {his - 1} once, or -1 first")
        places = self._game["ivan_forced"].shape[0]
        return np.pad(values.astype(np.int8), ((0, 0), (0, places - his)), constant_values=-1)

    def _cards(self, cards: ArrayLike, count: int) -> NDArray[np.int8]:
        values = np.asarray(cards)
        if values.shape != (count, CARDS_DRAWN) or values.dtype.kind not in "iu" or not self.ruleset.full:
            full = self.ruleset.full
            expected = f"({count}, {CARDS_DRAWN}) numbers of cards" if full else "them in the full game only"
            raise ValueError(f"cards: {values.dtype} array of shape {values.shape} found, expected {expected}")
        last = int(self.ruleset.rules[0].cards) - 1
        if values.size and (values.min() < -1 or values.max() > last):
            raise ValueError(f"cards: {values.min()} to {values.max()} found, expected 0 to {last}, or -1 for a draw")
        return values.astype(np.int8)

    def _specialists(self, specialists: ArrayLike, count: int) -> NDArray[np.int8]:
        values = np.asarray(specialists)
        fits = values.ndim == 2 and values.shape[0] == count and values.shape[1] <= SPECIALISTS_FORCED
        if not fits or values.dtype.kind not in "iu" or not self.ruleset.contractors:
            expected = f"({count}, up to {SPECIALISTS_FORCED}) numbers of specialists"
            expected = expected if self.ruleset.contractors else "them with the module Contractors only"
            raise ValueError(f"specialists: {values.dtype} array of shape {values.shape} found, expected {expected}")
        if values.size and (values.min() < -1 or values.max() >= SPECIALISTS):
            found = f"{values.min()} to {values.max()} found"
            raise ValueError(f"specialists: {found}, expected 0 to {SPECIALISTS - 1}, or -1 for a draw")
        forced = np.full((count, SPECIALISTS_FORCED), -1, np.int8)
        forced[:, : values.shape[1]] = values
        return forced


def shown(array: np.ndarray) -> str:
    """An array in a short line: its type and shape, and its smallest and largest number."""
    words = f"{array.dtype} array of shape {array.shape}"
    return f"{words} with {array.min()} to {array.max()}" if array.size and array.dtype.kind in "iu" else words


def _seed(name: str, seed: object) -> np.uint64:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise ValueError(f"{name}: {seed!r} found, expected a whole number from 0 to 2^64 - 1")
    return np.uint64(int(seed))


def _observation_dtype(name: str, dtype: DTypeLike) -> np.dtype[Any]:
    """The dtype of observations that is asked for: float32 or uint8."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = np.dtype(np.void)
    if dtype is None or found not in _DTYPES:
        raise ValueError(f"{name}: {dtype!r} found, expected float32 or uint8")
    return found


def _check_target(name: str, array: object, shape: tuple[int, ...], dtypes: tuple[np.dtype[Any], ...]) -> None:
    """Refuse an array that compiled code could not write observations to."""
    expected = f"a writeable C-contiguous {' or '.join(map(str, dtypes))} array of shape {shape}"
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name}: {type(array).__name__} found, expected {expected}")
    if array.shape != shape or array.dtype not in dtypes:
        raise ValueError(f"{name}: {array.dtype} array of shape {array.shape} found, expected {expected}")
    kinds = (("c_contiguous", "that is not contiguous"), ("aligned", "that is not aligned"), ("writeable", "read-only"))
    for flag, wrong in kinds:
        if not getattr(array.flags, flag):
            raise ValueError(f"{name}: an array {wrong} found, expected {expected}")


def _as_targets(array: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of floats and of numbers that the kernels write to: one of them, or neither, has rows."""
    if array is None:
        return _NO_FLOATS, _NO_NUMBERS
    plain = array.view(np.ndarray)
    return (plain, _NO_NUMBERS) if plain.dtype == np.float32 else (_NO_FLOATS, plain)


def warmup(players: Sequence[int] = (2,), *, full: bool = False) -> None:
    """Compile every kernel, or load it from the cache: call once before processes fork or clocks start.

    Args:
        players: numbers of players whose games are tried out here; the compiled code serves every variant of its build.
        full: compile the build that games with a switch of the expansion are played with (`Ruleset.full`), instead of
            that of the base game.
    """
    for count in players:
        engine = Engine(Ruleset(players=count, special_tiles=full), 2)
        engine.step([-1, -1], dice=[[1], [1]])
        engine.observe()
        engine.play_random(1, masks=True, observations=np.empty((2, engine.num_features), np.float32))
        engine.results()
        engine.returns()
        engine.restore(engine.clone())
