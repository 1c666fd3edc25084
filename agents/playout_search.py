"""A search by play-outs: one step of policy improvement by a network's own games (Tesauro and Galperin 1996).

Where the network's policy is unsure, its most probable actions are tried: each is played out many times by the network
in every seat, and the best mean is chosen. The n-th play-outs of all candidates have equal dice. The play-outs are
shared out by sequential halving (Karnin and others 2013): all candidates get some, then the better half of those that
are left, and so on; a candidate that is behind beyond doubt, or makes no difference, is dropped at once, and with one
left the search is over. The network's logits break near ties, and the results improve its policy, as in a Gumbel search
(`gumbel`).

The dice that the game itself will roll are neither seen nor used, and what the seat that searches cannot see is drawn
anew in each play-out.

Shape letters: N positions, A actions, M candidates, P players, R play-outs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.forward import Forward
from rc_env.agents.gumbel import (
    MOST_CONSIDERED_ACTIONS,
    MOST_SIMULATIONS,
    REWARDS,
    completed_qvalues,
    gumbel_noise,
    identities,
    nth_hash,
    sigma,
    softmax,
)
from rc_env.agents.net import Net
from rc_env.agents.playouts import AHEAD, PlayOuts, common_lines
from rc_env.agents.thoughts import Thoughts, joined
from rc_env.bot import Position
from rc_env.build import in_build
from rc_env.jit import records
from rc_env.rules.points import POINT, Point
from rc_env.ruleset import Ruleset

ROWS = 256
"""The most positions that are searched side by side."""
BLOCK = 8
"""Play-outs of a candidate between two looks at what is beyond doubt."""
LEAST = 4
"""Play-outs of a candidate before it may be dropped."""
ALIKE = 8
"""Play-outs after which a candidate is dropped if each of them ended like that of the best one."""
LEAD = 6.0
"""A lead of so many points over the best other seat is worth tanh(1) of a victory."""
_PLAYOUTS, _NOISE = 0, 1  # what the keys of a root are for


@dataclass(frozen=True)
class PlayoutSettings:
    """The settings of a search by play-outs.

    Attributes:
        num_simulations: play-outs of an unsure position, of all its actions together, at most, 1 to 1,000,000. With 1
            nothing can be compared, so no action is tried.
        milliseconds: if above 0, up to 1,000,000, the time for each unsure position instead, of which four play-outs
            of each action are the least; results depend on the machine.
        max_num_considered_actions: actions that are tried at most, 1 to 256; with 1 none is. There are no more than
            can have a play-out each in every round of the halving: two with up to 5 play-outs, three with 6 or 7,
            four with 8 to 14.
        sure: no action is tried where the most probable one has at least this probability, 0 to 1; 1 to try always.
        start_sure: the same for the main action, with which a turn begins, where it is more than `sure`, 0 to 1.
        doubt: so many standard errors behind the best one an action is dropped, 0 to 100; so is one whose first
            play-outs all ended like those of the best one. 0 to drop none early.
        turns: turns of each seat after which the network's value ends a play-out, up to 10,000; 0 for the end of the
            game.
        margin: the part that the lead at the end has in what a play-out is worth to the choice, 0 to 1: it tells
            more than who won, where play-outs are few.
        visit_offset: of the improved policy (c_visit), 0 to 100,000.
        value_scale: of the improved policy (c_scale), 0 to 100,000: the weight of results against the network's logits.
        noise: scale of the Gumbel noise in the choice of candidates, 0 to 100: 0 for the strongest play.

    Raises:
        ValueError: a setting is out of range.

    Example:
        >>> from rc_env.agents.playout_search import PlayoutSettings
        >>> PlayoutSettings(num_simulations=64, sure=0.9).max_num_considered_actions
        4
    """

    num_simulations: int = 32
    milliseconds: float = 0
    max_num_considered_actions: int = 4
    sure: float = 0.95
    start_sure: float = 0
    doubt: float = 2
    turns: int = 16
    margin: float = 0.5
    visit_offset: float = 50
    value_scale: float = 1
    noise: float = 0

    def __post_init__(self) -> None:
        checked = {
            "num_simulations": checks.whole_number("num_simulations", self.num_simulations, 1, MOST_SIMULATIONS),
            "milliseconds": checks.number("milliseconds", self.milliseconds, 0, 10**6),
            "max_num_considered_actions": checks.whole_number(
                "max_num_considered_actions", self.max_num_considered_actions, 1, MOST_CONSIDERED_ACTIONS
            ),
            "sure": checks.number("sure", self.sure, 0, 1),
            "start_sure": checks.number("start_sure", self.start_sure, 0, 1),
            "doubt": checks.number("doubt", self.doubt, 0, 100),
            "turns": checks.whole_number("turns", self.turns, 0, 10**4),
            "margin": checks.number("margin", self.margin, 0, 1),
            "visit_offset": checks.number("visit_offset", self.visit_offset, 0, 10**5),
            "value_scale": checks.number("value_scale", self.value_scale, 0, 10**5),
            "noise": checks.number("noise", self.noise, 0, 100),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)


class PlayoutSearch:
    """Searches positions by play-outs of a network.

    Args:
        settings: see `PlayoutSettings`.
        seed: seed of all dice and of the noise; the result for a position depends only on the seed and the position,
            unless there is a limit of time.

    Raises:
        ValueError: the settings are no PlayoutSettings, or the seed is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.net import NetBot
        >>> from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
        >>> from rc_env.bot import Position
        >>> engine = Engine(num_games=4, seed=1)
        >>> net = NetBot("shipped").net_for(engine.ruleset)
        >>> thoughts = PlayoutSearch(PlayoutSettings(num_simulations=8)).think(Position.of(engine), net)
        >>> bool((thoughts.visit_counts.sum(1) <= 8).all())
        True
    """

    def __init__(self, settings: PlayoutSettings, seed: int = 0) -> None:
        self.settings = checks.instance("settings", settings, PlayoutSettings, "PlayoutSettings")
        self._player: PlayOuts | None = None
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._seed = checks.seed("seed", seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies: all but the memory of the play-outs, which is made for each copy."""
        return {**vars(self), "_player": None}

    def think(self, position: Position, net: Net) -> Thoughts:
        """Search N positions.

        Args:
            position: the games, each for the seat to move.
            net: a network for these games, which plays them out. The reward that its values predict, "win" or "first"
                (see `Ruleset`), is maximised. With "first" the values of the search are from -1 for no chance to win
                to 1 for certainty.

        Raises:
            ValueError: `position` is not a Position, its games have been played on, its mask allows illegal actions,
                `net` is no network, one for other games, or one that was trained for another reward than these two.
        """
        reward = checks.instance("net", net, Net, "a Net").reward
        if reward not in REWARDS:
            raise ValueError(
                f"net: the search plays for the reward {' or '.join(REWARDS)}, but this network was trained for "
                f"{reward!r}"
            )
        games, count = records(Position.checked(position).games()), len(position)
        numbers, masks, seats = map(checks.plain, (position.numbers, position.mask, position.seat))
        player, ruleset = self._player, position.ruleset
        known = player is not None and player.policy.net is net and player.reward == reward
        if player is None or not known or player.ruleset != ruleset:
            self._player = player = in_build(PlayOuts, ruleset.full)(ruleset, Forward(net), reward)
        parts = []
        for low in range(0, max(count, 1), ROWS):
            rows = slice(low, min(count, low + ROWS))
            root = _Root(ruleset, reward, games[rows], numbers[rows], masks[rows], seats[rows])
            parts.append(_search(player, self.settings, root, self._seed))
        return joined(parts)


@dataclass(frozen=True)
class _Root:
    """N positions: (N,) GAME, (N, F) uint8 numbers, (N, A) int8 masks, (N,) int8 seats."""

    ruleset: Ruleset
    reward: str
    games: np.ndarray
    numbers: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]

    def scaled(self, rewards: NDArray[Any]) -> NDArray[Any]:
        """Rewards on the scale of the search; those of "first", which add up to 0, are stretched to -1 to 1."""
        players = self.ruleset.players
        if self.reward == "win" or players <= 2:
            return rewards
        return (2 * rewards * (players - 1) + 2 - players) / players


def _search(player: PlayOuts, settings: PlayoutSettings, root: _Root, seed: int) -> Thoughts:
    """Search N positions, at most `ROWS`."""
    began = time.perf_counter()
    search = _Search(player, settings, root, seed)
    seconds = settings.milliseconds / 1000 * len(search.unsure)
    while len(search.going):
        search.play(lambda: (time.perf_counter() - began) / seconds if seconds else 0.0)
    return search.thoughts()


def _affordable(simulations: int, most: int) -> int:
    """How many actions, at most `most`, can have a play-out each in every round of the halving; 1 if not even two."""
    found = 1
    while found < most and (found + 1) * math.ceil(math.log2(found + 1)) <= simulations:
        found += 1
    return found


class _Search:
    """The search of N positions; U of them are unsure, and M the most candidates of one.

    Attributes:
        unsure: (U,) int64, the positions of which the policy is not sure.
        going: those places among the unsure that go on.
    """

    def __init__(self, player: PlayOuts, settings: PlayoutSettings, root: _Root, seed: int) -> None:
        self._player, self._settings, self._root = player, settings, root
        logits, values = player.evaluate(root.games, root.masks, root.seats)
        self._prior_logits = logits.astype(np.float64)
        self._values = root.scaled(_balanced(values.astype(np.float64))).clip(-1, 1)
        self._prior = softmax(self._prior_logits)
        # Equal positions have equal keys, whatever else is in the batch and whatever was decided before.
        keys = nth_hash(identities(root.numbers) ^ np.uint64(seed), np.array(seed & (2**32 - 1)))
        noise = gumbel_noise(nth_hash(keys, np.array(_NOISE)), root.masks.shape[1]) if settings.noise else 0.0
        start = self._prior_logits + settings.noise * noise
        s = settings
        most = s.max_num_considered_actions
        if not s.milliseconds:
            most = _affordable(s.num_simulations, most)
        legal = root.masks.sum(1)
        self._actions = start.argmax(1)
        frames = root.games["stack"][np.arange(len(legal)), root.games["depth"] - 1]
        sure = np.where(frames[:, POINT] == Point.START, max(s.sure, s.start_sure), s.sure)
        unsure = (self._prior.max(1) < sure) | (sure == 1)  # a probability may be rounded to 1
        self.unsure = np.flatnonzero(unsure & (legal > 1) & (most > 1))
        u = self.unsure
        self._keys = nth_hash(keys[u], np.array(_PLAYOUTS))
        count = np.minimum(legal[u], most).astype(np.int64)
        most = int(count.max(initial=1))
        self._candidates = np.argsort(-start[u], 1, kind="stable")[:, :most]
        self._start_logits = np.take_along_axis(start[u], self._candidates, 1)
        self._considered = np.arange(most) < count[:, None]
        self._rounds = np.ceil(np.log2(np.maximum(count, 2))).astype(np.int64)
        self._round = np.zeros(len(u), np.int64)
        self._left = np.maximum(s.num_simulations // self._rounds, count)
        self._done = np.zeros((len(u), most), np.int32)
        self._own = np.zeros((2, len(u), most, 0), np.float32)
        """Of each play-out, for the seat that decides, its worth to the choice, and the reward."""
        self._sums = np.zeros((2, len(u), most, root.ruleset.players))
        self._lines: list[tuple[NDArray[Any], ...]] = []
        self.going = np.arange(len(u))

    # --- the play-outs

    def play(self, clock: Callable[[], float]) -> None:
        """Play the candidates that are considered out a few times more.

        Args:
            clock: says which part of the time is spent, where there is a limit.
        """
        rows, s = self.going, self._settings
        considered = self._considered[rows]
        count = considered.sum(1)
        each = np.clip(self._left[rows] // count, 1, BLOCK) if not s.milliseconds else np.full(len(rows), LEAST)
        self._run(rows, each)
        self._left[rows] -= each * count
        self._drop(rows)
        count, spent = self._considered[rows].sum(1), clock()
        if s.milliseconds:
            finished = (self._round[rows] + 1) / self._rounds[rows] <= spent
        else:
            finished = self._left[rows] < count
        over = rows[finished]
        self._round[over] += 1
        self._left[over] = s.num_simulations // self._rounds[over]
        halved = self._scores(over)
        kept = np.maximum(2, (self._considered[over].sum(1) + 1) // 2)
        rank = np.argsort(np.argsort(-halved, 1, kind="stable"), 1, kind="stable")
        self._considered[over] &= rank < kept[:, None]
        count = self._considered[rows].sum(1)
        ended = (count == 1) | (self._round[rows] >= self._rounds[rows])
        if not s.milliseconds:
            ended |= self._left[rows] < count
        elif spent >= 1:
            ended[:] = True
        self.going = rows[~ended]

    def _run(self, rows: NDArray[np.int64], each: NDArray[np.int64]) -> None:
        """Play out each considered candidate of some unsure positions, `each` times."""
        root = self._root
        place, candidate = np.nonzero(self._considered[rows])
        times = each[place]
        job = np.repeat(np.arange(len(place)), times)
        nth = np.arange(len(job)) - np.repeat(np.cumsum(times) - times, times)
        at, candidate = rows[place][job], candidate[job]
        number = self._done[at, candidate] + nth
        positions = self.unsure[at]
        found = self._player.run(
            root.games,
            root.seats,
            positions,
            self._candidates[at, candidate],
            nth_hash(self._keys[at], number),
            self._settings.turns,
        )
        worth = root.scaled(_balanced(found.rewards.astype(np.float64))).clip(-1, 1)
        most = int(number.max(initial=0)) + 1
        if most > self._own.shape[3]:
            more = max(most, 2 * self._own.shape[3]) - self._own.shape[3]
            self._own = np.pad(self._own, ((0, 0), (0, 0), (0, 0), (0, more)))
        seats = root.seats[positions]
        own = worth[np.arange(len(job)), seats]
        self._own[1, at, candidate, number] = own
        part = self._settings.margin * found.over
        self._own[0, at, candidate, number] = own + part * (np.tanh(_leads(found.prestige, seats) / LEAD) - own)
        for power in (1, 2):
            np.add.at(self._sums[power - 1], (at, candidate), worth**power)
        np.add.at(self._done, (at, candidate), 1)
        self._lines.append((at, candidate, found.lines, found.line_seats))

    def _scores(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, M): noise, logit and sigma of the Q-value of each candidate; -inf of those considered no more."""
        done, s = self._done[rows], self._settings
        own = self._own[0, rows].sum(2, dtype=np.float64) / np.maximum(done, 1)
        score = self._start_logits[rows] + sigma(own, done, s.visit_offset, s.value_scale)
        return np.where(self._considered[rows], score, -np.inf)

    def _drop(self, rows: NDArray[np.int64]) -> None:
        """Drop the candidates that are behind the best one beyond doubt, and those that make no difference."""
        if not self._settings.doubt:
            return
        n = self._done[rows].max(1, initial=1)
        score = self._scores(rows)
        best = score.argmax(1)
        own = self._own[:, rows]
        known = np.arange(own.shape[3]) < n[:, None]
        ahead, results = np.where(known[:, None], own[:, np.arange(len(rows)), best][:, :, None] - own, 0)
        mean = ahead.sum(2) / n[:, None]
        # A game more that went the other way, so that a few equal results do not pass for certainty.
        spread = (ahead**2).sum(2) / n[:, None] - mean**2 + 1 / n[:, None]
        doubt = self._settings.doubt * np.sqrt(spread / n[:, None])
        weight = (self._settings.visit_offset + n) * self._settings.value_scale / 2
        lead = (score.max(1, keepdims=True) - score) / np.maximum(weight, 1e-9)[:, None]
        behind = (lead > doubt) & (n[:, None] >= LEAST)
        alike = (results == 0).all(2) & (n[:, None] >= ALIKE) & (np.arange(own.shape[2]) != best[:, None])
        self._considered[rows] &= ~(behind | alike)

    # --- results

    def thoughts(self) -> Thoughts:
        """The results of the search as `Thoughts`."""
        s, root, u = self._settings, self._root, self.unsure
        best = self._scores(np.arange(len(u))).argmax(1)
        self._actions[u] = self._candidates[np.arange(len(u)), best]
        actions, every = self._actions, np.arange(len(root.seats))
        visit_counts = np.zeros(root.masks.shape, np.int32)
        qvalues = np.full((*root.masks.shape, root.ruleset.players), np.nan)
        errors = np.full(qvalues.shape, np.nan)
        place, candidate = np.nonzero(self._done)
        at, tried, done = u[place], self._candidates[place, candidate], self._done[place, candidate][:, None]
        visit_counts[at, tried] = done[:, 0]
        mean = self._sums[0, place, candidate] / done
        qvalues[at, tried] = mean
        variance = np.maximum(self._sums[1, place, candidate] / done - mean**2, 0) * done / np.maximum(done - 1, 1)
        errors[at, tried] = np.where(done > 1, np.sqrt(variance / done), np.nan)
        value = self._values.copy()
        value[u] = qvalues[u, actions[u]]
        own = np.zeros(visit_counts.shape)
        own[at, tried] = self._own[0, place, candidate].sum(1, dtype=np.float64) / done[:, 0]
        completed = completed_qvalues(self._prior, self._values[every, root.seats], visit_counts, own)
        policy = softmax(self._prior_logits + sigma(completed, visit_counts, s.visit_offset, s.value_scale))
        return Thoughts(
            ruleset=root.ruleset,
            seat=root.seats,
            actions=actions,
            prior=self._prior.astype(np.float32),
            policy=policy.astype(np.float32),
            visit_counts=visit_counts,
            qvalues=qvalues.astype(np.float32),
            errors=errors.astype(np.float32),
            value=value.astype(np.float32),
            simulations=int(visit_counts.sum()),
            evaluations=len(root.seats),
            **self._variation(best),
        )

    def _variation(self, best: NDArray[np.int64]) -> dict[str, Any]:
        """The lines that most play-outs of the chosen actions took, by the names of `Thoughts`."""
        lines = np.full((len(self._actions), AHEAD), -1, np.int16)
        seats = np.full(lines.shape, -1, np.int8)
        lines[:, 0], seats[:, 0] = self._actions, self._root.seats
        if self._lines:
            at, candidate, found, found_seats = (np.concatenate(part) for part in zip(*self._lines, strict=True))
            own = np.flatnonzero(candidate == best[at])
            order = own[np.argsort(at[own], kind="stable")]
            common_lines(found[order], found_seats[order], self.unsure[at[order]], lines, seats)
        return {"variation": lines, "variation_seats": seats}


def _leads(prestige: NDArray[np.int16], seats: NDArray[np.int8]) -> NDArray[np.float64]:
    """(K,) the leads of these seats over the best other one, from what all seats scored, (K, seats, 3)."""
    total = prestige.sum(2, dtype=np.float64)
    every = np.arange(len(seats))
    own = total[every, seats]
    total[every, seats] = -np.inf
    leads: NDArray[np.float64] = own - total.max(1)
    return leads


def _balanced(rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rewards that add up to 0 where there are several seats, as places do; a network's values may not."""
    if rewards.shape[1] > 2:
        rewards -= rewards.mean(1, keepdims=True)
    return rewards
