"""The compiled loops over the games of one engine, with the memory that they work on.

Nothing is checked here: `Engine` checks what callers pass, since compiled code trusts shapes, types and numbers. Every
array is C-contiguous, writeable and of the dtype that the kernel names. Shape letters as in `rc_env.engine`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.batch import Results
from rc_env.jit import Direct, new_records, records
from rc_env.kernels import DEAL, DEAL_ON, DECIDE, DESK, PUT
from rc_env.memory import Memory
from rc_env.rules.printed.sizes import FORCED
from rc_env.ruleset import Ruleset
from rc_env.threads import Threads

_NO_FLOATS = np.zeros((0, 0), np.float32)
_NO_NUMBERS = np.zeros((0, 0), np.uint8)
_NO_ACTIONS = np.zeros(0, np.int64)
NO_KEYS = np.zeros(0, np.uint64)
_NOTHING_FORCED: Mapping[str, NDArray[np.int8]] = {}
Targets = tuple[NDArray[np.float32], NDArray[np.uint8]]
"""Where observations are written, as floats or as numbers: one of them, or neither, has rows."""
NO_TARGETS: Targets = (_NO_FLOATS, _NO_NUMBERS)


def as_targets(array: np.ndarray | None) -> Targets:
    """The targets for an array of observations."""
    if array is None:
        return NO_TARGETS
    plain = array if type(array) is np.ndarray else array.view(np.ndarray)
    return (plain, _NO_NUMBERS) if plain.itemsize > 1 else (_NO_FLOATS, plain)


def _with(desk: np.ndarray, **fields: int | np.ndarray) -> np.ndarray:
    """A DESK with some fields written: numbers, or the addresses of arrays, which the caller keeps alive."""
    for name, value in fields.items():
        desk[name] = value.ctypes.data if isinstance(value, np.ndarray) else value
    return desk


def _with_deals(desk: np.ndarray, deals: np.ndarray, keys: NDArray[np.uint64]) -> np.ndarray:
    return _with(desk, num_deals=len(deals), deals=deals, keys=keys if len(keys) else 0)


class Loops:
    """The games of one engine, and what is done to many of them at once.

    Args:
        ruleset: the variant.
        memory: of the games.

    Attributes:
        games: (B,) GAME, as kernels take them.
        raw: (B,) the same as bytes, which are copied whole: a record is copied field by field.
        rules: (1,) RULES.
        ended: (B,) bool, which games the last decision of each row ended.
        open_deal: (1,) DEAL in which everything is drawn.
        threads: those that share a call; one, until the engine sets others.
    """

    def __init__(self, ruleset: Ruleset, memory: Memory) -> None:
        build = ruleset.build
        self._ruleset = ruleset
        self._kernels = build.kernels
        self._count = len(memory.games)
        self.games = records(memory.games)
        self.raw = memory.games.view(np.dtype((np.void, memory.games.itemsize)))
        self.rules = records(ruleset.rules)
        self._memory = memory
        self._views = records(ruleset.writer_tables)
        words = records(memory.games.view(build.packing.WORDS))
        self._table = (self.rules, self._views, self.games, words)
        self.ended = np.zeros(self._count, np.bool_)
        self.open_deal = records(build.setup.open_deal())
        self._desk = self._desk_of(memory, self.ended)
        self._no_states = new_records(0, memory.games.dtype)
        self._advance, self._observe = Direct(self._kernels.advance_rows), Direct(self._kernels.observe_rows)
        self._clone = Direct(self._kernels.clone_rows)
        self.threads = Threads(ruleset, 1)
        # of `play_copy`
        self._game = memory.games.dtype
        self._one_mask, self._legal = np.zeros(ruleset.actions.size, np.int8), np.zeros(ruleset.actions.size, np.int64)
        self._dice = np.zeros(FORCED, np.int8)
        self._play = Direct(self._kernels.play_copy)

    def _play_copy(self, scratch: Any, low: int, high: int, *arguments: Any) -> int:
        told: int = self._play.call(scratch, *arguments)
        return told

    def _desk_of(self, memory: Memory, ended: NDArray[np.bool_]) -> np.ndarray:
        """(1,) DESK for these arrays, and for deals in which everything is drawn."""
        return _with(
            records(np.zeros(1, DESK)), num_games=len(memory.games), views=self._views, games=memory.games,
            masks=memory.mask, rewards=memory.rewards, illegal=memory.illegal, ended=ended, num_deals=1,
            deals=self.open_deal,
        )  # fmt: skip

    # --- what happens to rows (N,) int64

    def decide(
        self,
        rows: NDArray[np.int64],
        actions: NDArray[np.int64],
        targets: Targets,
        forced: Mapping[str, NDArray[np.int8]] = _NOTHING_FORCED,
    ) -> int:
        """One decision in each row, actions (N,), with what is forced by its name in DESK; return how many games
        ended."""
        desk = _with(self._desk.copy(), **forced) if forced else self._desk
        ended: int = self.threads.share(
            len(rows), self._advance.call, self.rules, desk, rows, DECIDE, actions, self._no_states, targets
        )
        return ended

    def deal(self, rows: NDArray[np.int64], deals: np.ndarray, keys: NDArray[np.uint64], on: bool = False) -> None:
        """The next game in each row, or that of the keys; `on` leaves the rewards of the game before."""
        self._place(rows, _with_deals(self._desk.copy(), deals, keys), DEAL_ON if on else DEAL, self._no_states)

    def put(self, rows: NDArray[np.int64], states: np.ndarray) -> None:
        """Put games (N,) into rows."""
        self._place(rows, self._desk, PUT, states)

    def _place(self, rows: NDArray[np.int64], desk: np.ndarray, what: int, states: np.ndarray) -> None:
        self.threads.share(len(rows), self._advance.call, self.rules, desk, rows, what, _NO_ACTIONS, states, NO_TARGETS)

    def tried(self, games: np.ndarray, deals: np.ndarray | None = None, keys: NDArray[np.uint64] = NO_KEYS) -> Memory:
        """Copies of games (N,) in memory of their own, with their masks; with deals after the next deal."""
        memory, ended, rows = (
            Memory.of(self._ruleset, len(games)),
            np.zeros(len(games), np.bool_),
            np.arange(len(games)),
        )
        memory.games.view(self.raw.dtype)[:] = games.view(np.ndarray).view(self.raw.dtype)
        desk = self._desk_of(memory, ended)
        if deals is None:
            self._place(rows, desk, PUT, records(memory.games.copy()))
        else:
            self._place(rows, _with_deals(desk, deals, keys), DEAL, self._no_states)
        return memory

    def play_random(self, steps: int, seed: int, masks: bool, targets: Targets) -> NDArray[np.int64]:
        """Random decisions in all rows; `tally` of the kernel."""
        tallies: list[np.ndarray] = []
        choices = (steps, np.uint64(seed), self.open_deal, masks)

        def work(scratch: Any, low: int, high: int) -> None:
            tally = np.zeros(4, np.int64)
            tallies.append(tally)
            self._kernels.play_rows(scratch, low, high, self._table, choices, self._memory.mask, targets, tally)

        self.threads.share(self._count, work)
        found: NDArray[np.int64] = np.sum(tallies, axis=0)
        return found

    def play_copy(self, game: np.ndarray, action: int, dice: tuple[int, ...]) -> tuple[np.ndarray, int, list[int]]:
        """Play a legal action in a copy of a game, with these dice to come.

        Args:
            game: (1,) GAME, as kernels take it.
            action: a legal one.
            dice: values of the next dice, at most FORCED.

        Returns:
            (1,) GAME, the copy; its seat to move, or, if more dice are rolled than are given, minus the number of the
            next one, minus 1: the copy is then worth nothing; its legal actions, in order, none at the end.
        """
        for place, value in enumerate(dice):
            self._dice[place] = value
        copy = new_records(1, self._game)
        told: int = self.threads.share(
            1, self._play_copy, self.rules, game, copy, action, self._dice, len(dice), self._one_mask, self._legal
        )
        die = told >> 24
        return copy, -die if die else told >> 16 & 0xFF, self._legal[: told & 0xFFFF].tolist()

    # --- what is read of them

    def observe(self, rows: NDArray[np.int64], seats: NDArray[np.int8], targets: Targets) -> None:
        """Write what a seat of each row sees, -1 for the seat to move."""
        self.threads.share(len(rows), self._observe.call, self.rules, self._desk, rows, seats, targets)

    def copy(self, rows: NDArray[np.int64], copies: np.ndarray, seats: NDArray[np.int8], number: int) -> int:
        """Copy the games of rows to copies (N,) GAME, and return the address of these: see `clone_rows`."""
        address: int = self._clone.call(self.rules, self.games, rows, copies, seats, np.uint64(number))
        return address

    def conceal(self, copies: np.ndarray, seats: NDArray[np.int8]) -> None:
        """Turn what seats (N,) cannot see of games (N,) to "none"."""
        self._kernels.conceal_rows(self.rules, records(copies), seats)

    def returns(self) -> NDArray[np.float32]:
        """(B, P) float32, the rewards of the games that are over."""
        rewards = np.zeros_like(self._memory.rewards)
        self._kernels.paid_rows(self.rules, self.games, 0, self._count, rewards)
        return rewards

    def results(self, rows: NDArray[np.int64]) -> Results:
        """The scores of rows, as if their games ended now."""
        shape = (len(rows), self._ruleset.seats)
        parts = np.zeros((*shape, 4), np.int32)
        towers = np.zeros((*shape, int(self.rules[0]["towers"])), np.int32)
        place = np.zeros(shape, np.int32)
        score = self._kernels.score_rows
        self.threads.share(
            len(rows), lambda _, low, high: score(self.rules, self.games, rows, low, high, parts, towers, place)
        )
        track, goods, contracts, tools = (parts[..., i] for i in range(4))
        prestige = parts.sum(-1, dtype=np.int32) + towers.sum(-1, dtype=np.int32)
        return Results(prestige, track, goods, contracts, tools, towers, place, place == 0)

    def seeded(self, rows: NDArray[np.int64], seed: int, seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """(N,) uint64, the keys from which rows start over: from one seed for all, or from seeds (N,) for each."""
        keys = np.empty(len(rows), np.uint64)
        self._kernels.seed_rows(rows, np.uint64(seed), seeds, keys)
        return keys
