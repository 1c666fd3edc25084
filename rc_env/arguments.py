"""Checks the arguments that callers pass to an engine, since the compiled core trusts all of them.

Arrays come back C-contiguous, writeable and of one dtype each, because Numba compiles a kernel anew for any other kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rc_env import checks, validation
from rc_env.rules.printed.sizes import CARDS_DRAWN, FORCED, SPECIALISTS, SPECIALISTS_FORCED
from rc_env.ruleset import Ruleset

INT64 = np.dtype(np.int64)
OBSERVATIONS = FLOAT32, UINT8 = np.dtype(np.float32), np.dtype(np.uint8)
"""The dtypes that observations may have."""
ONE_GAME = "a record of rules.state.GAME of this ruleset, such as one of Engine.games"
"""The description of a game that can be put in words or drawn, for error messages."""


class Arguments:
    """The checks of one engine's arguments. Every check raises ValueError."""

    def __init__(self, ruleset: Ruleset, num_games: int) -> None:
        self._ruleset = ruleset
        self._num_games = num_games
        self._all = np.arange(num_games)  # not read-only: that would be another type to Numba
        self._ivan_places = ruleset.build.sizes.IVAN_CARDS

    def rows(self, which: ArrayLike | None, *, repeats: bool = False) -> NDArray[np.int64]:
        """The selected rows, (N,) int64, from None (all rows), row numbers, or one bool per row."""
        if which is None:
            return self._all
        rows = np.atleast_1d(checks.array("which", which, "row numbers or a bool a row"))
        if rows.dtype == np.bool_ and rows.shape == (self._num_games,):
            return np.flatnonzero(rows)
        if rows.ndim != 1 or not checks.are_numbers(rows):
            raise ValueError(f"which must be row numbers or a bool a row, not {checks.shown(rows)}")
        if rows.size and (rows.min() < 0 or rows.max() >= self._num_games):
            wrong = rows[(rows < 0) | (rows >= self._num_games)][0]
            raise ValueError(f"which holds row {wrong}, but the rows are 0 to {self._num_games - 1}")
        rows = _plain(rows, np.int64)
        if not repeats and rows.size > 1 and np.bincount(rows).max() > 1:
            raise ValueError(f"which holds row {np.bincount(rows).argmax()} more than once; give each row once")
        return rows

    def row(self, row: int) -> int:
        """The number of one row, checked to be in range."""
        return checks.whole_number("row", row, 0, self._num_games - 1)

    def seats(self, seat: ArrayLike, count: int) -> NDArray[np.int8]:
        """(N,) int8, one seat for all rows or one for each."""
        seats = checks.array("seat", seat, "one seat or one per row")
        if seats.shape not in ((), (count,)) or seats.dtype.kind not in "iu":
            checks.refuse("seat", seats, "one seat or one per row")
        last = self._ruleset.players - 1
        if seats.size and (seats.min() < 0 or seats.max() > last):
            raise ValueError(f"seat must be from 0 to {last}, not {seats.min()} to {seats.max()}")
        return _plain(np.broadcast_to(seats, (count,)), np.int8)

    def actions(self, actions: ArrayLike, count: int) -> NDArray[np.int64]:
        """One action number per row, (N,) int64, in a new array; too large ones are never legal either."""
        if type(actions) is np.ndarray and actions.dtype is INT64 and actions.shape == (count,):
            return actions.copy()
        chosen = checks.array("actions", actions, f"{count} whole numbers")
        if chosen.shape != (count,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be {count} whole numbers, not {checks.shown(chosen)}")
        if chosen.dtype == np.uint64:
            chosen = np.where(chosen < np.uint64(2**63), chosen, np.uint64(2**63 - 1))
        return _plain(chosen, np.int64)

    def dice(self, dice: ArrayLike, count: int) -> NDArray[np.int8]:
        """The values that the next dice will show, (N, FORCED) int8, each row ending with a 0."""
        values = checks.array("dice", dice, f"({count}, up to {FORCED}) values")
        if values.ndim != 2 or values.shape[0] != count or values.shape[1] > FORCED or values.dtype.kind not in "iu":
            raise ValueError(f"dice must be ({count}, up to {FORCED}) values, not {checks.shown(values)}")
        if values.size and (values.min() < 0 or values.max() > 6):
            raise ValueError(f"dice must be 1 to 6, or 0 behind the last, not {values.min()} to {values.max()}")
        forced = np.zeros((count, FORCED), np.int8)
        forced[:, : values.shape[1]] = values
        return forced

    def ivan_tiles(self, tiles: ArrayLike, count: int) -> NDArray[np.int8]:
        """The dice of the tiles that Ivan lays, (N, IVAN_CARDS) int8, filled up with -1."""
        ruleset = self._ruleset
        his = ruleset.ivan_cards
        expected = f"({count}, {his}) numbers of dice" if ruleset.solo else "left out, since this is no solo game"
        values = checks.array("ivan_tiles", tiles, expected)
        if values.shape != (count, his) or values.dtype.kind not in "iu" or not ruleset.solo:
            raise ValueError(f"ivan_tiles must be {expected}, not {checks.shown(values)}")
        drawn = values[:, 0] == -1
        wrong = ~drawn & (np.sort(values, 1) != np.arange(his)).any(1)
        if wrong.any():
            raise ValueError(
                f"ivan_tiles must hold each of 0 to {his - 1} once, or -1 first, not {values[wrong][0].tolist()}"
            )
        laid = np.full((count, self._ivan_places), -1, np.int8)
        laid[~drawn, :his] = values[~drawn]
        return laid

    def cards(self, cards: ArrayLike, count: int) -> NDArray[np.int8]:
        """(N, CARDS_DRAWN) int8, the cathedral cards that are drawn next, or -1."""
        full = self._ruleset.full
        expected = f"({count}, {CARDS_DRAWN}) numbers of cards" if full else "left out, since this is the base game"
        values = checks.array("cards", cards, expected)
        if values.shape != (count, CARDS_DRAWN) or values.dtype.kind not in "iu" or not full:
            raise ValueError(f"cards must be {expected}, not {checks.shown(values)}")
        last = int(self._ruleset.rules[0].cards) - 1
        if values.size and (values.min() < -1 or values.max() > last):
            raise ValueError(f"cards must be 0 to {last}, or -1 for a draw, not {values.min()} to {values.max()}")
        return _plain(values, np.int8)

    def specialists(self, specialists: ArrayLike, count: int) -> NDArray[np.int8]:
        """(N, SPECIALISTS_FORCED) int8, the specialists that are drawn next, or -1."""
        contractors = self._ruleset.contractors
        expected = f"({count}, up to {SPECIALISTS_FORCED}) numbers of specialists"
        expected = expected if contractors else "left out without the module Contractors"
        values = checks.array("specialists", specialists, expected)
        fits = values.ndim == 2 and values.shape[0] == count and values.shape[1] <= SPECIALISTS_FORCED
        if not fits or values.dtype.kind not in "iu" or not contractors:
            raise ValueError(f"specialists must be {expected}, not {checks.shown(values)}")
        if values.size and (values.min() < -1 or values.max() >= SPECIALISTS):
            raise ValueError(
                f"specialists must be 0 to {SPECIALISTS - 1}, or -1 for a draw, not {values.min()} to {values.max()}"
            )
        forced = np.full((count, SPECIALISTS_FORCED), -1, np.int8)
        forced[:, : values.shape[1]] = values
        return forced

    def deals(self, deals: Any, count: int) -> NDArray[Any]:
        """Deals as (1,) or (N,) DEAL records, one for all rows or one per row, with every entry checked to be in
        range."""
        setup, expected = self._ruleset.build.setup, f"rules.setup.DEAL records, 1 or {count} of them"
        found = np.atleast_1d(checks.array("deals", deals, expected))
        if found.ndim != 1 or len(found) not in (1, count) or found.dtype != setup.DEAL:
            raise ValueError(f"deals must be {expected}, not {checks.shown(found)}")
        checked: NDArray[Any] = setup.checked_deals(_plain(found, setup.DEAL), self._ruleset.rules[0])
        return checked

    def deal_seeds(self, seeds: ArrayLike, count: int) -> NDArray[np.uint64]:
        """(N,) uint64, a seed for each row."""
        expected = f"{count} whole numbers from 0 to 2^64 - 1"
        found = checks.array("deal_seeds", seeds, expected)
        if found.shape != (count,) or found.dtype.kind not in "iu" or (found < 0).any():
            checks.refuse("deal_seeds", found, expected)
        return _plain(found, np.uint64)


def one_game(ruleset: Ruleset, game: object) -> Any:
    """One GAME record of the ruleset's build, or an array of one record, with every number checked to be in range.

    Raises:
        ValueError: `game` is something else, or `ruleset` is not a ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    if not isinstance(game, np.ndarray | np.void) or game.dtype != ruleset.build.state.GAME or game.size != 1:
        checks.refuse("game", game, ONE_GAME)
    found = np.asarray(game).reshape(1)
    try:
        validation.check_readable(ruleset, found)
    except validation.ImpossibleGame as error:
        why = str(error).removeprefix("states: game 0 of 1 is impossible: ")
        raise ValueError(f"game is an impossible one ({why}); it must be {ONE_GAME}") from None
    return found[0]


def observation_dtype(name: str, dtype: DTypeLike) -> np.dtype[Any]:
    """The dtype of observations, float32 or uint8, from whatever NumPy accepts as a dtype."""
    if dtype is np.float32 or dtype is FLOAT32:  # at once: the rest takes longer than an observation
        return FLOAT32
    if dtype is np.uint8 or dtype is UINT8:
        return UINT8
    try:
        found = np.dtype(dtype)
    except Exception as error:  # an object of a caller's own may raise anything
        if checks.by_signal(error):
            raise
        found = np.dtype(np.void)
    if dtype is None or found not in OBSERVATIONS:
        checks.refuse(name, dtype, "float32 or uint8")
    return found


def _plain(array: np.ndarray, dtype: DTypeLike) -> NDArray[Any]:
    """A new array of this dtype, in the byte order of the machine, contiguous, aligned and writeable."""
    return np.array(array, dtype, order="C", copy=True, subok=False)
