"""What positions and actions are worth, by games played out, with standard errors.

The network that comes with the package plays all seats to the end of the game. The share of the victory is counted,
whatever the reward of the variant is: 1 for a win, split among those who share it. Play-outs of different actions with
the same key meet the same n-th roll of each die, so that actions are compared with equal luck.

Shape letters: N games, K play-outs, P players, S seats (P, and Ivan's in the solo game).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.forward import Forward
from rc_env.agents.net import NetBot
from rc_env.agents.playouts import PlayOuts
from rc_env.build import in_build
from rc_env.engine import Engine
from rc_env.jit import records
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

CONFIDENCE = 0.99
"""The probability that a decision which loses nothing is not called a mistake, over all looks at its play-outs."""
FIRST_LOOK, FEWEST = 16, 32
"""Pairs of play-outs before the first look, and before a decision may be called none."""
COUNTED = 256
"""Pairs of play-outs, at most, by which a loss is measured once it is beyond doubt, or none."""
LARGE, LARGE_LEAD = 0.1, 2.0
"""Before a decision is called none, such a loss, of win chance or of the lead, has to be a standard error away."""
HOPELESS = 0.1
"""The chance to win below which a decision is judged by the prestige that it costs."""


class Ends(NamedTuple):
    """How K play-outs ended.

    Attributes:
        chances: (K, P) float64, the share of the victory of each player, 0 to 1.
        leads: (K, P) float64, the prestige of each player above that of the best other seat.
    """

    chances: NDArray[np.float64]
    leads: NDArray[np.float64]


class Step(NamedTuple):
    """A step of some games that are played out.

    Attributes:
        engine: has them in its rows; nothing may be done with it before the next step.
        which: (N,) int64, the rows in which a decision is made.
        actions: (N,) int64, what is chosen there.
        made: whether the engine has made the step.
    """

    engine: Engine
    which: NDArray[np.int64]
    actions: NDArray[np.int64]
    made: bool


@dataclass(frozen=True)
class Value:
    """The mean of some play-outs, by seat.

    Attributes:
        means: (P,) float64, chances to win from 0 to 1, or leads in prestige.
        errors: (P,) float64, their standard errors; 0 where the result is known.
    """

    means: NDArray[np.float64]
    errors: NDArray[np.float64]


@dataclass(frozen=True)
class Difference:
    """What an action loses against another one, by pairs of play-outs with equal dice.

    Attributes:
        pairs: how many there were.
        better, worse: (P,) float64, the chances after the two.
        errors: (P,) float64, the standard errors of their difference.
        lead: the difference of the lead in prestige, of the seat that decides.
        certain: whether the seat loses something beyond doubt: see `Evaluation.compare`.
        lead_error: the standard error of `lead`.
        hopeless: whether that was asked of the lead, since hardly a game is won after the better action: `HOPELESS`.
    """

    pairs: int
    better: NDArray[np.float64]
    worse: NDArray[np.float64]
    errors: NDArray[np.float64]
    lead: float
    certain: bool
    lead_error: float = 0.0
    hopeless: bool = False


class Evaluation:
    """Plays games of a variant out.

    Args:
        ruleset: the variant.

    Raises:
        ValueError: it is not a ruleset, or no network comes with the package for it.

    Example:
        >>> import numpy as np
        >>> from rc_env import Engine, Ruleset
        >>> from rc_env.arena.evaluation import Evaluation
        >>> engine, evaluation = Engine(seed=1), Evaluation(Ruleset())
        >>> value = evaluation.value(engine.clone(), np.arange(8, dtype=np.uint64))
        >>> bool(abs(value.means.sum() - 1) < 1e-9)
        True
    """

    def __init__(self, ruleset: Ruleset) -> None:
        checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
        self.ruleset = replace(ruleset, reward="first")
        self._engine = Engine(self.ruleset, 1)
        net = NetBot("shipped").net_for(ruleset)
        self._network: PlayOuts = in_build(PlayOuts, ruleset.full)(self.ruleset, Forward(net), "first")

    def ends(
        self,
        games: np.ndarray,
        rows: NDArray[np.int64],
        actions: NDArray[np.int64] | None,
        keys: NDArray[np.uint64],
    ) -> Ends:
        """Play games out.

        Args:
            games: (N,) GAME, none of which is over.
            rows: (K,) int64, with which of them each play-out begins.
            actions: (K,) int64, legal actions with which they begin; by default what the network would do.
            keys: (K,) uint64, what their chance follows from.
        """
        states = records(np.array(games.view(np.ndarray)))
        if actions is None:
            actions = self.choices(states)[rows]
        found = self._network.run(states, states["seat"].astype(np.int8), rows, actions, keys)
        return self._ended(found.rewards, found.prestige.sum(2))

    def choices(self, games: np.ndarray) -> NDArray[np.int64]:
        """(N,) int64, the actions of the network in N games that are not over."""
        states = records(np.array(games.view(np.ndarray)))
        return self._chosen(self._holding(states), np.arange(len(states)))

    def _chosen(self, engine: Engine, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of the network in rows of an engine."""
        states = records(np.array(engine.games.view(np.ndarray)[which]))
        masks = np.ascontiguousarray(engine.legal_mask()[which])
        logits, _ = self._network.evaluate(states, masks, states["seat"].astype(np.int8))
        return logits.argmax(1)

    def steps(self, game: np.ndarray, actions: NDArray[np.int64], keys: NDArray[np.uint64]) -> Iterator[Step]:
        """Play a game out from each of some actions, and yield each step before and after it is made.

        What the seat to move cannot see is drawn anew; play-outs with the same key meet the same n-th roll of each die.

        Args:
            game: (1,) GAME, which is not over.
            actions: (K,) int64, legal actions.
            keys: (K,) uint64, what the chance of each play-out follows from.
        """
        engine = self._holding(self._copies(np.repeat(np.array(game.view(np.ndarray)), len(keys)), keys))
        which, chosen = np.arange(len(keys)), actions
        while len(which):
            yield Step(engine, which, chosen, False)
            engine.step(chosen, which)
            yield Step(engine, which, chosen, True)
            which = which[engine.games.status[which] == PLAYING]
            if len(which):
                chosen = self._chosen(engine, which)

    def network_chances(self, games: np.ndarray) -> NDArray[np.float64]:
        """What the network says of N games, without playing on; of one that is over what became of it.

        Returns:
            (N, P) float64, (value + 1) / 2: with two players the chance to win, with more the share of the others that
            a seat may expect to leave behind.
        """
        states = records(np.array(games.view(np.ndarray)))
        engine, playing = self._holding(states), np.flatnonzero(states["status"] == PLAYING)
        chances = self._chances(engine.returns()[: len(states)])
        masks, seats = np.ascontiguousarray(engine.legal_mask()[playing]), states["seat"][playing].astype(np.int8)
        _, values = self._network.evaluate(records(np.array(states.view(np.ndarray)[playing])), masks, seats)
        chances[playing] = (values.astype(np.float64) + 1) / 2
        return chances

    def value(self, games: np.ndarray, keys: NDArray[np.uint64]) -> Value:
        """The mean value of N games that are equally probable, from K play-outs: each game takes every N-th key.

        K is a multiple of N. Play-outs of different games do not share a key, so that what chance brings behind the
        games is not the same in all of them. What is known without a play-out, since all games are over, has no error.
        """
        states = np.array(games.view(np.ndarray))
        rows = np.arange(len(keys)) % len(states)
        going, playing = np.flatnonzero(states["status"] == PLAYING), states["status"][rows] == PLAYING
        chances = np.zeros((len(keys), self.ruleset.players))
        if not playing.all():
            chances[~playing] = self._chances(self._holding(states).returns()[rows[~playing]])
        if playing.any():
            which = np.searchsorted(going, rows[playing])
            chances[playing] = self.ends(states[going], which, None, keys[playing]).chances
        return mean_of(chances, float(playing.any()))

    def expected(self, game: np.ndarray, action: int, keys: NDArray[np.uint64]) -> Value:
        """The value of one game, (1,) GAME, after an action, over all that may be rolled: a play-out with each key."""
        count = len(keys)
        ends = self.ends(game, np.zeros(count, np.int64), np.full(count, action), keys)
        return mean_of(ends.chances)

    def after(
        self, game: np.ndarray, action: int, dice: NDArray[np.int8] | None, keys: NDArray[np.uint64]
    ) -> np.ndarray:
        """(K,) GAME: one game, (1,) GAME, after an action where the next dice show these values, (K, D) int8.

        `keys` (K,) are what the chance behind these dice follows from; with None for dice all chance does.
        """
        count = len(keys)
        states = np.repeat(np.array(game.view(np.ndarray)), count)
        states["key"] = keys
        engine, every = self._holding(states), np.arange(count)
        engine.step(np.full(count, action), every, dice=dice)
        return np.array(engine.clone(every, same_future=True).view(np.ndarray))

    def compare(self, game: np.ndarray, better: int, worse: int, most: int, seed: int) -> Difference:
        """What an action loses against another one: more pairs of play-outs until a loss is beyond doubt, or is none.

        After 16 pairs, and whenever there are twice as many, the mean loss is looked at. It is beyond doubt if it is so
        many standard errors above 0 that all looks together mistake nothing for a loss in at most one of a hundred
        decisions. It is none if, after 32 pairs or more, it is less than one standard error, and a mistake, a loss of
        0.1, would be more than one above it. What is looked at is the chance to win, or, where that is below 0.1 even
        after the better action, the lead in prestige, of which a mistake costs 2.

        A mean at which it was best to stop is no fair measure. So where there was more than one look, what the action
        loses is measured by as many other pairs, or by `most` if it is beyond doubt, 256 at most; and it stays beyond
        doubt only if these alone say so, too.

        Args:
            game: (1,) GAME.
            better, worse: two legal actions.
            most: pairs at most, 1 to 10,000, in each of the two measurements.
            seed: of the dice.

        Raises:
            ValueError: `most` is out of range.
        """
        most = checks.whole_number("most", most, 1, 10**4)
        looks = _looks(most)
        keys = np.random.default_rng(seed).integers(2**64, size=2 * most, dtype=np.uint64)
        bound = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / len(looks))
        seen, pairs = 0, _Pairs(int(game["seat"][0]), self.ruleset.players)
        for count in looks:
            self._play_pairs(pairs, game, better, worse, keys[seen:count])
            seen = count
            found = pairs.difference(bound)
            if found.certain or (count >= FEWEST and pairs.none(found)):
                break
        if len(looks) == 1:
            return found
        counted = min(most if found.certain else found.pairs, COUNTED)
        again = _Pairs(pairs.seat, self.ruleset.players)
        self._play_pairs(again, game, better, worse, keys[most : most + counted])
        measured = again.difference(NormalDist().inv_cdf(CONFIDENCE))
        return replace(measured, certain=found.certain and measured.certain)

    def _play_pairs(self, pairs: _Pairs, game: np.ndarray, better: int, worse: int, keys: NDArray[np.uint64]) -> None:
        """Add a pair of play-outs for each key."""
        count = len(keys)
        ends = self.ends(game, np.zeros(2 * count, np.int64), np.repeat([better, worse], count), np.tile(keys, 2))
        pairs.add(ends.chances.reshape(2, count, -1), ends.leads.reshape(2, count, -1))

    def _copies(self, games: np.ndarray, keys: NDArray[np.uint64]) -> np.ndarray:
        """(K,) GAME with these keys of chance, in which what the seat to move cannot see is drawn anew."""
        seats = games["seat"].astype(np.int64)
        copies = np.array(self._holding(games).clone(np.arange(len(games)), seat=seats).view(np.ndarray))
        copies["key"] = keys
        return copies

    def _holding(self, states: np.ndarray) -> Engine:
        """The engine, with these games in its first rows."""
        if self._engine.num_games < len(states):
            self._engine = Engine(self.ruleset, len(states))
        self._engine.restore(states.view(np.ndarray), np.arange(len(states)))
        return self._engine

    def _chances(self, rewards: NDArray[np.float32]) -> NDArray[np.float64]:
        """Shares of the victory from the reward "first"."""
        seats = self.ruleset.seats
        return (rewards.astype(np.float64) * (seats - 1) + 1) / seats

    def _ended(self, rewards: NDArray[np.float32], prestige: NDArray[np.integer]) -> Ends:
        own = prestige.astype(np.float64)
        leads = np.zeros((len(own), self.ruleset.players))
        for seat in range(self.ruleset.players):
            leads[:, seat] = own[:, seat] - np.delete(own, seat, 1).max(1)
        return Ends(self._chances(rewards), leads)


class _Pairs:
    """Pairs of play-outs of two actions of a seat, the better one and another: K of them so far.

    Attributes:
        seat: who decides between them.
    """

    def __init__(self, seat: int, players: int) -> None:
        self.seat = seat
        self._chances, self._leads = np.zeros((2, 0, players)), np.zeros((2, 0, players))

    def add(self, chances: NDArray[np.float64], leads: NDArray[np.float64]) -> None:
        """Add K pairs, (2, K, P) each."""
        self._chances = np.concatenate([self._chances, chances], 1)
        self._leads = np.concatenate([self._leads, leads], 1)

    def difference(self, bound: float) -> Difference:
        """What they say; a loss is beyond doubt if it is more than so many standard errors above 0."""
        lost, ahead = mean_of(self._chances[0] - self._chances[1]), mean_of(self._leads[0] - self._leads[1])
        better, worse = self._chances.mean(1)
        hopeless = bool(better[self.seat] < HOPELESS)
        asked = ahead if hopeless else lost
        certain = bool(asked.means[self.seat] > bound * asked.errors[self.seat])
        lead, lead_error = float(ahead.means[self.seat]), float(ahead.errors[self.seat])
        return Difference(self._chances.shape[1], better, worse, lost.errors, lead, certain, lead_error, hopeless)

    def none(self, found: Difference) -> bool:
        """Whether the difference is none: within its error, with a mistake more than an error away."""
        mean, error = (found.better - found.worse)[self.seat], found.errors[self.seat]
        if found.hopeless:
            mean, error = found.lead, found.lead_error
        return bool(mean < error and mean + error < (LARGE_LEAD if found.hopeless else LARGE))


def mean_of(numbers: NDArray[np.float64], doubt: float = 1) -> Value:
    """The mean of (K, P) numbers, chances or points, with its standard error.

    The squares are counted as if they were so much more in all, by default as if one more number had been 1 off, so
    that a few equal ones do not pass for certainty; 0 for numbers that are certain.
    """
    count, mean = len(numbers), numbers.mean(0)
    spread = (((numbers - mean) ** 2).sum(0) + doubt) / count
    return Value(mean, np.sqrt(spread / count))


def _looks(most: int) -> list[int]:
    """The numbers of pairs after which a comparison is looked at."""
    looks = [FIRST_LOOK]
    while looks[-1] < most:
        looks.append(2 * looks[-1])
    return [*looks[:-1], most] if looks[-1] > most else looks
