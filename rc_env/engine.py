"""Engine: many games of one variant, stepped together.

Shape letters, here and everywhere: B games, P players (seats that decide), S seats (those that own sections: P, or 2 in
the solo game, where seat 1 is Ivan's), A actions, F features of an observation, T towers; N rows of B.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rc_env import checks, saved_games, validation
from rc_env.arguments import OBSERVATIONS, Arguments, observation_dtype
from rc_env.batch import EngineState, Listener, Results
from rc_env.jit import new_records, records
from rc_env.loops import NO_KEYS, Loops, as_targets
from rc_env.memory import Memory
from rc_env.rules.points import POINT
from rc_env.rules.state import PLAYING, TERMINATED, TRUNCATED
from rc_env.ruleset import Ruleset
from rc_env.sealing import sealed, shared, unsealed
from rc_env.threads import Mark, Threads, owned

MOST_THREADS = 1024
MASKS, BITS = (np.dtype(np.int8), np.dtype(np.bool_)), (np.dtype(np.uint8),)
"""The dtypes of arrays that masks are written to, with a byte per action, or with a bit."""
_HEARD = ("dealt", "played", "restored")
"""The methods of a listener."""
_NO_ROWS = np.zeros(0, np.int64)


class Engine:
    """A batch of games, stepped together.

    Args:
        ruleset: the variant; by default two players, basic workshops.
        num_games: B, at least 1.
        seed: decides every deal and every roll of every row, whatever the number of threads and of rows.
        threads: how many threads share a call; 0 for as many as there are processors.

    A new engine has dealt every game. Arrays returned without `copy` or `out` are views that the next call overwrites,
    each of them a new one: what a caller does to its shape or type reaches no other.
    `copy.deepcopy` and `pickle` copy an engine with its games in progress, bit for bit, and without its recorder: the
    copy rolls what the original will roll. An engine is used by one thread at a time; a call from another one while it
    works raises RuntimeError. Where a signal interrupts a call (Ctrl-C, a time limit), each row is as it was before the
    call or as it is after it, and the engine can be used on; `ended` and `final` may then still be those of the call
    before. In a process forked from this one, each engine makes its threads anew.

    Example:
        >>> from rc_env import Engine, Ruleset
        >>> engine = Engine(Ruleset(players=3), num_games=100, seed=7)
        >>> engine.observe().shape, engine.legal_mask().shape
        ((100, 1952), (100, 302))
        >>> first = engine.legal_mask().argmax(1)
        >>> engine.action_to_text(first[0])
        'move red'
        >>> engine.step(first)
        >>> bool(engine.illegal.any())
        False
        >>> engine.play_random(2_000)["games"] > 100  # games that have ended
        True
    """

    def __init__(self, ruleset: Ruleset | None = None, num_games: int = 1, seed: int = 0, *, threads: int = 1) -> None:
        if ruleset is not None:
            checks.instance("ruleset", ruleset, Ruleset, "a Ruleset, or None for two players and basic workshops")
        count = checks.whole_number("num_games", num_games, 1)
        seed = checks.seed("seed", seed)
        self._make(Ruleset() if ruleset is None else ruleset, count, threads)
        self.reset(seed=seed)

    @classmethod
    def _within(cls, ruleset: Ruleset, memory: Memory, threads: int) -> Engine:
        """An engine without games, which are to lie in memory that it shares with others: see `EngineGroup`."""
        engine = cls.__new__(cls)
        engine._make(ruleset, len(memory.games), threads, memory)
        return engine

    def _make(self, ruleset: Ruleset, num_games: int, threads: int, memory: Memory | None = None) -> None:
        """Everything but the games: arrays, views of the same memory, kernels."""
        # None of these can be set from outside: compiled code takes shapes and types from them, and trusts both.
        self._mark = Mark()
        self._ruleset = ruleset
        self._num_games = num_games
        self._num_players = ruleset.players
        self._num_seats = ruleset.seats
        self._num_actions = ruleset.actions.size
        self._num_features = ruleset.observations.size
        self._game: np.dtype[Any] = ruleset.build.state.GAME
        memory = Memory.of(ruleset, num_games) if memory is None else memory
        self._loops = Loops(ruleset, memory)
        self.threads = threads
        # Callers get views of what is shown: those lead to the memory, and not to these arrays, whose shape counts.
        self._shown_games = sealed(memory.games).view(np.recarray).view()
        self._status, self._seat = memory.games["status"], memory.games["seat"]
        self._rewards, self._illegal = memory.rewards, memory.illegal
        self._ended = _NO_ROWS
        self._recorder: Listener | None = None
        self._final: Results | None = None
        self._mask = memory.mask
        self._shown_mask = sealed(self._mask)
        self._arguments = Arguments(ruleset, num_games)
        self._all = self._arguments.rows(None)
        self._shown_rewards, self._shown_illegal = shared(self._rewards), shared(self._illegal)
        self._any_seat = np.full(num_games, -1, np.int8)
        self._clones = 0

    # --- copies of the whole engine

    @owned
    def __getstate__(self) -> EngineState:
        return EngineState(
            ruleset=self._ruleset,
            threads=self.threads,
            games=self._loops.raw.tobytes(),
            rewards=self._rewards.copy(),
            illegal=self._illegal.copy(),
            ended=self._ended,
            final=self._final,
            clones=self._clones,
        )

    def __setstate__(self, state: EngineState) -> None:
        """Take the place of an engine that was pickled. Its games are checked as those of `load` are.

        Raises:
            ValueError: the state is none, or damaged, or holds an impossible game.
        """
        state = EngineState.checked(state)
        self._make(state.ruleset, state.num_games, state.threads)
        self._take(state)

    def _take(self, state: EngineState) -> None:
        """Take games and attributes from a checked state of as many games of this ruleset."""
        games = np.frombuffer(state.games, self._game)
        self._loops.put(self._all, self._taken("state, games", games, self._num_games))
        self._rewards[:], self._illegal[:] = state.rewards, state.illegal
        self._ended, self._final, self._clones = state.ended, state.final, state.clones

    def __copy__(self) -> Engine:
        return self._twin()

    def __deepcopy__(self, memo: object) -> Engine:
        return self._twin()

    @owned
    def _twin(self) -> Engine:
        """A copy in this process, whose games need no check."""
        twin = type(self).__new__(type(self))
        twin._make(self._ruleset, self._num_games, self.threads)
        twin._loops.raw[:], twin._mask[:] = self._loops.raw, self._mask
        twin._rewards[:], twin._illegal[:] = self._rewards, self._illegal
        twin._ended, twin._final, twin._clones = self._ended, self._final, self._clones
        return twin

    # --- read-only properties

    @property
    def ruleset(self) -> Ruleset:
        """The variant of all games."""
        return self._ruleset

    @property
    def num_games(self) -> int:
        """B, the number of games."""
        return self._num_games

    @property
    def num_players(self) -> int:
        """P, the number of seats that decide."""
        return self._num_players

    @property
    def num_seats(self) -> int:
        """S, the number of seats that own sections and are scored."""
        return self._num_seats

    @property
    def num_actions(self) -> int:
        """A, the number of actions."""
        return self._num_actions

    @property
    def num_features(self) -> int:
        """F, the number of features of an observation."""
        return self._num_features

    @property
    def games(self) -> np.recarray:
        """(B,) record array of `rules.state.GAME`, always up to date. It is read-only and stays so."""
        return self._shown_games.view()

    @property
    def rewards(self) -> NDArray[np.float32]:
        """(B, P) float32, the rewards of the last `step` of each row; zero until its game ends."""
        return self._shown_rewards.view()

    @property
    def illegal(self) -> NDArray[np.bool_]:
        """(B,) bool, rows whose last action was refused: not legal, out of range, or sent to a game that is over."""
        return self._shown_illegal.view()

    @property
    def ended(self) -> NDArray[np.int64]:
        """(K,) int64, rows whose game ended in the last `step`: a new array."""
        return self._ended.copy()

    @property
    def final(self) -> Results | None:
        """Results of the games in `ended`, kept by a `step` with `auto_reset`; else None."""
        return self._final

    @property
    def recorder(self) -> Listener | None:
        """Observer notified of every deal, step and restore, usually an `rc_env.record.Recorder`; None for no
        observer."""
        return self._recorder

    @recorder.setter
    @owned
    def recorder(self, recorder: Listener | None) -> None:
        if recorder is not None and not all(callable(getattr(recorder, name, None)) for name in _HEARD):
            checks.refuse("recorder", recorder, f"None, or an object with {', '.join(_HEARD)}, such as a Recorder")
        self._recorder = recorder

    # --- threads

    @property
    def threads(self) -> int:
        """The number of threads that share a call."""
        return self._loops.threads.count

    @threads.setter
    @owned
    def threads(self, threads: int) -> None:
        count = checks.whole_number("threads", threads, 0, MOST_THREADS) or (os.cpu_count() or 1)
        self._loops.threads = Threads(self._ruleset, count)

    # --- state of the games

    @property
    @owned
    def seat(self) -> NDArray[np.int8]:
        """(B,) int8, the seat that has to decide; -1 where the game is over."""
        return np.where(self._status == PLAYING, self._seat, np.int8(-1))

    @property
    @owned
    def terminated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that ended by the rules (R-25)."""
        return np.asarray(self._status == TERMINATED)

    @property
    @owned
    def truncated(self) -> NDArray[np.bool_]:
        """(B,) bool, games that reached the turn limit (R-29)."""
        return np.asarray(self._status == TRUNCATED)

    @owned
    def legal_mask(self, *, copy: bool = False, out: np.ndarray | None = None) -> NDArray[Any]:
        """(B, A) int8, 1 for each legal action; all 0 where the game is over.

        By default this is a view, always up to date, which is read-only and stays so: what is stored for later, or
        handed over by DLPack, has to be a copy.

        Args:
            copy: return a new array, which the engine does not know any more.
            out: (B, A) int8 or bool array to write to, C-contiguous and writeable, and to return.

        Raises:
            ValueError: `out` does not fit, or both `copy` and `out` are given; nothing was written.

        Example:
            >>> engine = Engine(num_games=2)
            >>> kept = engine.legal_mask(copy=True)
            >>> engine.step(kept.argmax(1))
            >>> bool((kept == engine.legal_mask()).all())
            False
        """
        if copy is False and out is None:
            return self._shown_mask.view()
        return handed_out(self._mask, copy, out)

    @owned
    def legal_bits(self, which: ArrayLike | None = None, *, out: np.ndarray | None = None) -> NDArray[np.uint8]:
        """Legal actions as bits, an eighth of `legal_mask`: action a is bit 7 - a % 8 of byte a // 8.

        That is the order of `numpy.packbits`: `numpy.unpackbits(bits, axis=1, count=A)` gives the mask again. The bits
        behind the last action are 0.

        Args:
            which: rows, all by default.
            out: (N, ceil(A / 8)) uint8 array to write to, C-contiguous and writeable; by default a new one.

        Returns:
            (N, ceil(A / 8)) uint8: `out`, or the new array.

        Raises:
            ValueError: a row or `out` does not fit; nothing was written.
        """
        rows = self._arguments.rows(which)
        if out is not None:
            checks.target("out", out, (len(rows), -(-self._num_actions // 8)), BITS)
        bits = np.packbits(self._mask if which is None else self._mask[rows], axis=1)
        if out is None:
            return bits
        out[...] = bits
        return out

    @owned
    def observe(
        self,
        which: ArrayLike | None = None,
        *,
        seat: ArrayLike | None = None,
        dtype: DTypeLike = np.float32,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the observation of each game, as one seat sees it.

        Args:
            which: rows, all by default.
            seat: the seat that sees, one for all or one per row; by default the seat to move (after the end, the last).
            dtype: np.uint8 for whole numbers from 0 to `ruleset.observations.divisors`; np.float32 for
                these numbers over the divisors, from 0 to 1.
            out: (N, F) array of that dtype to write to, C-contiguous and writeable; by default a new one.

        Returns:
            (N, F) of that dtype, laid out as `ruleset.observations` says: `out`, or the new array.

        Raises:
            ValueError: rows, seats, dtype or `out` do not fit; nothing was written.
        """
        rows = self._all if which is None else self._arguments.rows(which)
        count = len(rows)
        if seat is not None:
            seats = self._arguments.seats(seat, count)
        else:
            seats = self._any_seat if which is None else self._any_seat[:count]
        chosen = observation_dtype("dtype", dtype)
        if out is None:
            out = np.empty((count, self._num_features), chosen)
        else:
            checks.target("out", out, (count, self._num_features), (chosen,))
        self._loops.observe(rows, seats, as_targets(out))
        return out

    @owned
    def returns(self) -> NDArray[np.float32]:
        """(B, P) float32, the final reward of each seat; 0 until the game ends."""
        return self._loops.returns()

    @owned
    def results(self, which: ArrayLike | None = None) -> Results:
        """Return the scores of each row: final where the game is over, else as if it ended now."""
        return self._loops.results(self._arguments.rows(which))

    # --- play

    @owned
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
            deals: `rules.setup.DEAL` records, one for all rows or one per row, that fix parts of the deal.

        Raises:
            ValueError: shapes or seeds do not fit, or both kinds of seed are given.
        """
        rows = self._arguments.rows(which)
        if seed is not None and deal_seeds is not None:
            raise ValueError("seed and deal_seeds exclude each other: pass either of them")
        chosen = self._loops.open_deal if deals is None else records(self._arguments.deals(deals, len(rows)))
        keys = NO_KEYS
        if seed is not None or deal_seeds is not None:
            first = 0 if seed is None else checks.seed("seed", seed)
            seeds = NO_KEYS if deal_seeds is None else self._arguments.deal_seeds(deal_seeds, len(rows))
            keys = self._loops.seeded(rows, first, seeds)
        if deals is not None:
            trial = self._loops.tried(self._loops.raw[rows].view(self._game), chosen, keys)
            try:
                validation.check(self._ruleset, trial.games)
            except validation.ImpossibleGame as error:
                raise ValueError(f"deals: {str(error).removeprefix('states: ')}") from None
        self._loops.deal(rows, chosen, keys)
        if self._recorder is not None:
            self._recorder.dealt(rows.copy())

    @owned
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
            actions: (N,) whole numbers, one per row.
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
        rows = self._all if which is None else self._arguments.rows(which)
        count = len(rows)
        wanted = self._arguments.actions(actions, count)
        forced = {}
        if dice is not None:
            forced["dice"] = self._arguments.dice(dice, count)
        if ivan_tiles is not None:
            forced["ivan_tiles"] = self._arguments.ivan_tiles(ivan_tiles, count)
        if cards is not None:
            forced["cards"] = self._arguments.cards(cards, count)
        if specialists is not None:
            forced["specialists"] = self._arguments.specialists(specialists, count)
        if observations is not None:
            checks.target("observations", observations, (count, self._num_features), OBSERVATIONS)
        ended = self._loops.decide(rows, wanted, as_targets(observations), forced)
        self._final = None
        self._ended = _NO_ROWS
        if ended:
            over = np.flatnonzero(self._loops.ended[rows])  # indices into `rows`
            self._ended = rows[over]
        if self._recorder is not None:
            self._recorder.played(rows.copy(), wanted)
        if ended and auto_reset:
            self._deal_anew()
            if observations is not None:
                observations[over] = self.observe(self._ended, dtype=observations.dtype)

    @owned
    def step_observe(
        self,
        actions: ArrayLike,
        masks: np.ndarray,
        observations: np.ndarray,
        which: ArrayLike | None = None,
        *,
        auto_reset: bool = False,
        dice: ArrayLike | None = None,
    ) -> None:
        """Play one decision in each row, and write what a policy needs for the next one into the caller's arrays.

        The same as `step`, `observe` and `legal_mask` one after the other, with the observation written in the same
        pass over the games, and without arrays that the caller would have to copy from. Both arrays are C-contiguous
        and writeable, and share no memory. Only their contents are written, so that they may lie anywhere: in pages
        that a device reads directly, or in a slot of a ring buffer.

        Args:
            actions, which, auto_reset, dice: as for `step`.
            masks: (N, A) int8 or bool for masks as `legal_mask` has them, or (N, ceil(A / 8)) uint8 for bits as
                `legal_bits` has them.
            observations: (N, F) float32 or uint8, as for `step`.

        Raises:
            ValueError: an argument does not fit; nothing was played or written.
        """
        rows = self._arguments.rows(which)
        bits = isinstance(masks, np.ndarray) and masks.dtype == np.uint8
        width = -(-self._num_actions // 8) if bits else self._num_actions
        checks.target("masks", masks, (len(rows), width), BITS if bits else MASKS)
        checks.target("observations", observations, (len(rows), self._num_features), OBSERVATIONS)
        if np.may_share_memory(masks, observations):
            raise ValueError("masks and observations share memory; each needs its own")
        self.step(actions, which, dice=dice, auto_reset=auto_reset, observations=observations)
        if bits:
            self.legal_bits(which, out=masks)
        elif which is None:
            np.copyto(masks.view(np.int8), self._mask)
        else:
            np.take(self._mask, rows, axis=0, out=masks.view(np.int8), mode="clip")

    def _deal_anew(self) -> None:
        """Deal new games where the last step ended one; its rewards stay, and its results are kept in `final`."""
        rows = self._arguments.rows(self._ended)
        self._final = self.results(rows)
        self._loops.deal(rows, self._loops.open_deal, NO_KEYS, on=True)
        if self._recorder is not None:
            self._recorder.dealt(rows.copy())

    @owned
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
        if self._recorder is not None:
            raise ValueError("play_random writes no records: detach the recorder first")
        steps = checks.whole_number("decisions", decisions, 0, 2**63 - 1)
        if observations is not None:
            checks.target("observations", observations, (self._num_games, self._num_features), OBSERVATIONS)
        tally = self._loops.play_random(steps, checks.seed("seed", seed), bool(masks), as_targets(observations))
        return dict(zip(("decisions", "games", "truncated", "stuck"), tally.tolist(), strict=True))

    # --- copies

    @owned
    def clone(
        self,
        which: ArrayLike | None = None,
        *,
        seat: ArrayLike | None = None,
        same_future: bool = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Copy games, to be put back with `restore` here or in another engine of the same ruleset.

        Args:
            which: rows, all by default; a row may be named several times.
            seat: for whom the copies are made, one seat for all or one per row: what it cannot see is drawn anew from
                the fresh key (in the base game everything lies open). By default nothing is drawn anew.
            same_future: keep the keys of chance, so that the copy will roll what the original rolls. By default each
                copy takes a fresh key, from which that of the game cannot be worked out: a search never sees the
                future. Fresh keys follow from the seed and from how often games were copied, so that they repeat.
            out: (N,) array of GAME to write to, C-contiguous and writeable; by default a new one.

        Returns:
            (N,) array of `rules.state.GAME`: `out`, or a new one that is read-only. `restore` takes the new one, and
            slices of it, as they are; all others are checked there.

        Raises:
            ValueError: a row, a seat or `out` does not fit, or both `seat` and `same_future` are given.
        """
        if seat is not None and same_future:
            raise ValueError("seat and same_future exclude each other: a seat does not know the future")
        rows = self._all if which is None else self._arguments.rows(which, repeats=True)
        count = len(rows)
        if seat is not None:
            seats = self._arguments.seats(seat, count)
        else:
            seats = self._any_seat if count == self._num_games else np.full(count, -1, np.int8)
        copies = (
            new_records(count, self._game)
            if out is None
            else records(checks.target("out", out, (count,), (self._game,)))
        )
        number = 0
        if not same_future:
            number = self._clones = self._clones + 1
        address = self._loops.copy(rows, copies, seats, number)
        return sealed(copies, address, self._ruleset) if out is None else out

    @owned
    def conceal(self, games: np.ndarray, seat: ArrayLike) -> np.ndarray:
        """Copy games for display to one seat: everything that the seat cannot see is set to "none". Not for playing on.

        The key of chance is set to 0. In the base game everything else lies open, and is as in the games.

        Args:
            games: (N,) array of `rules.state.GAME` of this engine's ruleset.
            seat: one seat for all, or one per game.

        Returns:
            (N,) array of `rules.state.GAME`.

        Raises:
            ValueError: not GAME records, or a seat that is not in the game.
        """
        taken = self._taken("games", games, None)
        seats = self._arguments.seats(seat, len(taken))
        copies = np.empty(len(taken), self._game)
        as_bytes = self._loops.raw.dtype
        copies.view(as_bytes)[:] = taken.view(np.ndarray).view(as_bytes)
        self._loops.conceal(copies, seats)
        return copies

    @owned
    def restore(self, states: np.ndarray, which: ArrayLike | None = None) -> None:
        """Put copies of games into rows (all by default), bytes as they are.

        What `clone` returned for an engine of an equal ruleset is taken at once, and slices of it: nobody can have
        altered them. Any other array is checked field by field first (`rc_env.validation`), which takes some 20 to 60
        microseconds a game.

        Args:
            states: (N,) array of `rules.state.GAME`.
            which: (N,) rows, each once.

        Raises:
            ValueError: not as many states as rows, not GAME records, or a game that is not possible in this ruleset;
                nothing was changed.
        """
        rows = self._arguments.rows(which)
        self._loops.put(rows, self._taken("states", states, len(rows)))
        if self._recorder is not None:
            self._recorder.restored(rows.copy())

    def _taken(self, name: str, games: object, count: int | None) -> np.ndarray:
        """Games as kernels take them, in memory that no caller has; `count` is None where any number may be given.

        Copies that `clone` made are taken as they are, others are checked.
        """
        shape = "(N,)" if count is None else f"({count},)"
        if not isinstance(games, np.ndarray) or games.ndim != 1 or games.dtype != self._game:
            checks.refuse(name, games, f"{shape} of this ruleset's rules.state.GAME")
        if count is not None and len(games) != count:
            raise ValueError(f"{name} must hold {count} games, one for each row, not {len(games)}")
        known = unsealed(games, self._ruleset)
        if known is not None:
            return known
        clean = np.zeros(len(games), self._game)
        clean[:] = games  # field by field, since what lies between the fields may be anything; before the check, since
        try:
            validation.check(self._ruleset, clean)  # another thread may write to the caller's array
        except validation.ImpossibleGame as error:
            raise validation.ImpossibleGame(name + str(error).removeprefix("states")) from None
        taken = records(clean)
        if count is not None:
            self._check_choices(name, taken)
        return taken

    def _check_choices(self, name: str, games: np.ndarray) -> None:
        """Refuse games that are in progress but have no legal action."""
        stuck = (games["status"] == PLAYING) & ~self._loops.tried(games).mask.any(1)
        if stuck.any():
            raise validation.ImpossibleGame(
                f"{name}: game {int(np.argmax(stuck))} of {len(games)} is impossible: stack: no action is legal"
            )

    # --- games on disk

    @owned
    def save(self, path: str | os.PathLike[str], which: ArrayLike | None = None) -> None:
        """Write games in progress to a file, with the ruleset, and what they are bound to: the version of the rules,
        the form of the record and the data files.

        Args:
            path: of the file, usually ending in ".npz"; one that is there is replaced, once the new one is complete.
            which: rows, all by default.

        Raises:
            ValueError: a row does not fit, or `path` is none.
            OSError: the file cannot be written.
        """
        rows = self._arguments.rows(which, repeats=True)
        saved_games.write_games(checks.path("path", path), self._ruleset, self._loops.raw[rows].view(self._game))

    @classmethod
    def load(cls, path: str | os.PathLike[str], ruleset: Ruleset | None = None, *, threads: int = 1) -> Engine:
        """An engine with the games of a file that `save` wrote: each goes on as it would have gone on there.

        Args:
            path: of the file.
            ruleset: the variant, which must be that of the file; needed where a data file of the user's own has moved.
                By default the one that the file names.
            threads: as for a new engine.

        Raises:
            ValueError: the file is damaged, or of another version, form of the record, ruleset or data file, or holds
                an impossible game.
            OSError: the file cannot be read.
        """
        found, games = saved_games.read_games(checks.path("path", path), ruleset)
        engine = cls(found, len(games), threads=threads)
        engine.restore(games)
        return engine

    # --- words

    @owned
    def action_to_text(self, action: int, row: int = 0) -> str:
        """An action in words, as the seat to move in that row would say it."""
        row = self._arguments.row(row)
        number = checks.whole_number("action", action, 0, self._num_actions - 1)
        return self._ruleset.actions.to_text(number, int(self._shown_games.seat[row]))

    @owned
    def text_to_action(self, text: str, row: int = 0) -> int:
        """The number of an action in words, for the seat to move in that row."""
        checks.instance("text", text, str, "an action in words")
        return self._ruleset.actions.to_action(text, int(self._shown_games.seat[self._arguments.row(row)]))

    @owned
    def point(self, row: int = 0) -> str:
        """Name of the current decision point of that row; "over" after the end."""
        game = self._shown_games[self._arguments.row(row)]
        return (
            self._ruleset.build.points.POINTS[int(game.stack[game.depth - 1, POINT])]
            if game.status == PLAYING
            else "over"
        )


def handed_out(mask: NDArray[np.int8], copy: bool, out: np.ndarray | None) -> NDArray[Any]:
    """A copy of the mask, as the arguments of `legal_mask` ask for it."""
    if out is None:
        return mask.copy() if checks.flag("copy", copy) else sealed(mask)  # False of NumPy
    if copy is not False:
        raise ValueError("copy and out exclude each other: give one of them")
    checks.target("out", out, mask.shape, MASKS)
    np.copyto(out.view(np.int8), mask)
    return out
