"""The luck of a roll: what the position is worth after it, less the mean over all rolls that could have come.

`Luck` sums it up over the games of a match, for results that are less a matter of chance: whatever the values are, and
however noisy, the luck of a roll is 0 on average, so that taking it off changes no expected result. That is the control
variate of AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018), for chance alone. The values come from play-outs,
or at once from the network.

Shape letters: G games, D deals, K play-outs, P players.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.net import shipped
from rc_env.arena.evaluation import Evaluation, Value
from rc_env.arena.match import MOST_DEALS
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset

OPENS = 60
"""What an entry of `GAME.rolled` is above where it is the first die of a roll."""
COUNTERS = ("ivan_turns", "card_draws", "bag_draws")
"""The fields of GAME that count what else happens by chance."""
PLAYOUTS, MOST_PLAYOUTS = 16, 10**4
"""Play-outs of the roll that came, and of all that could have come, in a match: how many there are, and may be."""
NET = "net"
"""In place of a number of play-outs: the network's value behind each roll."""
MOST_ROLLS, DRAWN_ROLLS = 6**3, 64
"""Rolls at most of which the network is asked about each one, and how many are drawn where there are more."""


class RollValues(NamedTuple):
    """What a roll is about: the value on average over all rolls, that after the one that came, and whether the first is
    of all rolls that could have come, not of some."""

    expected: Value
    came: Value
    exact: bool


def luck_of_roll(
    evaluation: Evaluation, before: np.ndarray, action: int, after: np.ndarray, dice: int, keys: NDArray[np.uint64]
) -> RollValues:
    """The values whose difference is the luck of a roll.

    Args:
        evaluation: plays out.
        before, after: the game before the action and after the roll, (1,) GAME each.
        action: the action behind which it was rolled.
        dice: how many dice were rolled at once; 0 where more than that happened by chance.
        keys: (2 K,) uint64: K for the play-outs over all rolls, K for those after the one that came. All rolls are
            played out, equally often and K times or some more in all, if there are no more than K.
    """
    half = len(keys) // 2
    exact = dice > 0 and 6**dice <= half
    if exact:
        faces = _faces(dice)
        possible = evaluation.after(before, action, faces, keys[: len(faces)])
        expected = evaluation.value(possible, keys[: -(-half // len(faces)) * len(faces)])
    else:
        expected = evaluation.expected(before, action, keys[:half])
    return RollValues(expected, evaluation.value(after, keys[half:]), exact)


def luck_by_net(
    evaluation: Evaluation, before: np.ndarray, action: int, after: np.ndarray, dice: int, keys: NDArray[np.uint64]
) -> RollValues:
    """The values of a roll as the network gives them, without play-outs; arguments as for `luck_of_roll`.

    It is asked about each roll that could have come, if there are no more than `MOST_ROLLS`, else about one for each
    key.
    """
    exact = dice > 0 and 6**dice <= MOST_ROLLS
    faces = _faces(dice) if exact else None
    seeds = keys if faces is None else np.resize(keys, len(faces))
    possible = evaluation.network_chances(evaluation.after(before, action, faces, seeds))
    mean = possible.mean(0)
    spread = np.zeros(len(mean)) if exact else possible.std(0) / np.sqrt(len(possible))
    came = evaluation.network_chances(after)[0]
    return RollValues(Value(mean, spread), Value(came, np.zeros(len(came))), exact)


def _faces(dice: int) -> NDArray[np.int8]:
    """(6^D, D) int8, all rolls of D dice."""
    return np.array(list(product(range(1, 7), repeat=dice)), np.int8)


def checked_by(name: str, by: object, ruleset: Ruleset, least: int = 1) -> int | str:
    """What measures the luck in a match: a number of play-outs, or `NET`.

    Args:
        name: of the argument, for the message.
        by: what was given.
        ruleset: the variant.
        least: 0 where that may be given for none.

    Raises:
        ValueError: it is neither, or there is no network for the variant.
    """
    found = NET if isinstance(by, str) and by == NET else checks.whole_number(name, by, least, MOST_PLAYOUTS)
    if found:
        shipped(ruleset)
    return found


class Luck:
    """A `match.Watcher` for a match of G games that sums up the luck of each player.

    Args:
        ruleset: the variant.
        games: G.
        seed: of the play-outs, whose dice have nothing to do with those of the games.
        by: K play-outs of each roll, or `NET`.

    Attributes:
        luck: (G, P) float64, what the rolls have brought each player, in win chance.

    Raises:
        ValueError: an argument is out of range, or there is no network for the variant.

    Example:
        >>> from rc_env import Ruleset, play_match
        >>> from rc_env.arena.luck import Luck
        >>> short = Ruleset(turn_limit=4)
        >>> watcher = Luck(short, games=2, by=2)
        >>> _ = play_match(["greedy", "random"], 1, short, watcher=watcher)
        >>> watcher.luck.shape
        (2, 2)
    """

    def __init__(self, ruleset: Ruleset, games: int, seed: int = 0, by: int | str = PLAYOUTS) -> None:
        self._evaluation = Evaluation(ruleset)
        games = checks.whole_number("games", games, 1, 4 * MOST_DEALS)
        self._seed, self._by = checks.seed("seed", seed), checked_by("by", by, ruleset)
        self.luck = np.zeros((games, ruleset.players))

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        self._before, self._actions = engine.clone(rows, same_future=True), np.array(actions)

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        now = engine.clone(rows, same_future=True)
        for i in np.flatnonzero(by_chance(self._before, now)).tolist():
            words = [self._seed, int(games[i]), int(self._before["decisions"][i])]
            count = DRAWN_ROLLS if isinstance(self._by, str) else 2 * self._by
            keys = np.random.default_rng(words).integers(2**64, size=count, dtype=np.uint64)
            before, after = self._before[i : i + 1], now[i : i + 1]
            values = luck_by_net if self._by == NET else luck_of_roll
            found = values(self._evaluation, before, int(self._actions[i]), after, dice_of_one_roll(after), keys)
            self.luck[games[i]] += found.came.means - found.expected.means


def by_chance(before: np.ndarray, after: np.ndarray) -> NDArray[np.bool_]:
    """(N,) whether something happened by chance in each of N steps: a roll, a card that was drawn, a turn of Ivan's."""
    names = set(COUNTERS).intersection(after.dtype.names or ())
    found = after["rolled_count"] > 0
    for name in sorted(names):
        found |= after[name] != before[name]
    return np.asarray(found)


def dice_of_one_roll(after: np.ndarray) -> int:
    """How many dice were rolled in a step, (1,) GAME behind it; 0 if there was more than one roll, or none."""
    count = int(after["rolled_count"][0])
    entries = after["rolled"][0][:count]
    return count if count and (entries > OPENS).sum() == 1 else 0


def adjusted(shares: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares of the victory less a part of the luck: unbiased, since each deal's part follows from the other deals.

    The part is that which leaves the least variance among the other deals; the luck of a deal is 0 on average whatever
    they are.

    Args:
        shares: (D,) of one bot, a mean over the games of each deal.
        luck: (D,) the same of its luck.

    Returns:
        (D,) float64, which may be below 0 or above 1. With fewer than 3 deals they are the shares as they are.

    Raises:
        ValueError: these are not two rows of finite numbers of one length.
    """
    rows = [checks.array(name, one, "a row of finite numbers") for name, one in (("shares", shares), ("luck", luck))]
    for name, row in zip(("shares", "luck"), rows, strict=True):
        if row.ndim != 1 or row.dtype.kind not in "iuf" or not np.isfinite(row).all() or len(row) != len(rows[0]):
            checks.refuse(name, row, "a row of finite numbers, one a deal")
    y, x = (row.astype(np.float64) for row in rows)
    count = len(y)
    if count < 3:
        return y
    left = count - 1
    sums = [part.sum() - part for part in (x, y, x * x, x * y)]
    spread = sums[2] - sums[0] ** 2 / left
    together = sums[3] - sums[0] * sums[1] / left
    return np.asarray(y - np.divide(together, spread, out=np.zeros(count), where=spread > 1e-12) * x)
