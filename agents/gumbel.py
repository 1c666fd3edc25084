"""A Gumbel search guided by a network (Danihelka and others 2022), for many positions at once.

A simulation copies the position with dice of its own, begins with one of the considered actions of the root, and goes
down the tree by the improved policy of each node (`gumbel_tree.select`) to a position that the tree does not hold yet.
The network's policy then gives the logits of its actions. In a turn of several decisions the simulation goes on, by the
same rule, to the next turn, since the network's values are better there; that position is valued for each seat, and the
value is added to all edges gone along. The considered actions share the simulations by sequential halving (`halving`).

All simulations of different considered actions and of different positions go on side by side, each in a branch, so that
the network is always asked about many positions at once. Since the branches have no part of the tree in common, that
changes no decision. The names are those of mctx: `num_simulations`, `max_num_considered_actions`, `prior_logits`,
`qvalues`, `visit_counts`; a simulation is select, expand and backward, of which `gumbel_tree` has the compiled part.

The dice that the game itself will roll are neither seen nor used, and what the seat that searches cannot see is drawn
anew in each simulation. An action of a node leads to as many nodes as there were different outcomes of its dice; the
n-th visits of two actions of a node have equal dice.

Shape letters: N positions, A actions, F features, P players, M considered actions, L branches; K of the branches.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import gumbel_tree as tree
from rc_env.agents.branches import Branches
from rc_env.agents.halving import (
    MOST_CONSIDERED_ACTIONS,
    MOST_SIMULATIONS,
    REWARDS,
    completed_qvalues,
    gumbel_noise,
    mixed,
    schedule,
    sigma,
    softmax,
)
from rc_env.agents.plan import file_of, named
from rc_env.agents.thoughts import Thoughts, joined
from rc_env.bot import Position
from rc_env.build import in_build
from rc_env.jit import records
from rc_env.ruleset import Ruleset

BRANCHES = 2048
"""The most branches side by side: with more of them memory use grows but speed does not."""
BATCH = 256
"""Positions per call of the network: more of them no longer fit in the processor's cache."""
NODES, ROOM = 20_000, 200_000
"""The most nodes of a tree, and of all trees together; positions beyond are valued, but not stored."""
EDGES = 24
"""Capacity for edges, per node on average."""
AHEAD = 12
"""Decisions of a principal variation at most."""
_ACTION, _HIDDEN, _NOISE = 0, 1, 2  # what the keys of a root are for, apart from the depths of `gumbel_tree.descend`
_STREAMS = 1 << 32  # for the chance below the considered actions


class Evaluator(Protocol):
    """Evaluates positions: `net.Net`, or a network of another library."""

    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate observations, as `net.Net.evaluate` does."""
        ...


@dataclass(frozen=True)
class SearchSettings:
    """The settings of a search.

    Attributes:
        num_simulations: of each position, from 1 to 1,000,000.
        milliseconds: if above 0, up to 1,000,000, the time for each position instead; results depend on the machine.
        max_num_considered_actions: actions of the root that are tried at most, 1 to 256.
        visit_offset: of the improved policy (c_visit), 0 to 100,000.
        value_scale: of the improved policy (c_scale), 0 to 100,000: the weight of Q-values against the network's
            logits.
        to_turn_end: whether a simulation goes on to the next turn; else the first new position is valued.
        outcomes: the number of different dice results that an action is tried with, up to 1,000,000; 0 for new dice
            each time.
        playout: the part of a value that comes from playing the game out with a plan, 0 to 1.
        plan: that plan, a name or file as for `plan.PlanBot`.
        noise: scale of the Gumbel noise in the choice of the considered actions, 0 to 100: 0 for the strongest play,
            1 for exploration in training.

    Raises:
        ValueError: a setting is out of range, or there is no such plan.

    Example:
        >>> from rc_env.agents.gumbel import SearchSettings
        >>> SearchSettings(num_simulations=64, max_num_considered_actions=16, noise=1).to_turn_end
        True
    """

    num_simulations: int = 32
    milliseconds: float = 0
    max_num_considered_actions: int = 8
    visit_offset: float = 50
    value_scale: float = 1
    to_turn_end: bool = True
    outcomes: int = 0
    playout: float = 0
    plan: str = "all_rounder"
    noise: float = 0

    def __post_init__(self) -> None:
        checked = {
            "num_simulations": checks.whole_number("num_simulations", self.num_simulations, 1, MOST_SIMULATIONS),
            "milliseconds": checks.number("milliseconds", self.milliseconds, 0, 10**6),
            "max_num_considered_actions": checks.whole_number(
                "max_num_considered_actions", self.max_num_considered_actions, 1, MOST_CONSIDERED_ACTIONS
            ),
            "visit_offset": checks.number("visit_offset", self.visit_offset, 0, 10**5),
            "value_scale": checks.number("value_scale", self.value_scale, 0, 10**5),
            "to_turn_end": checks.flag("to_turn_end", self.to_turn_end),
            "outcomes": checks.whole_number("outcomes", self.outcomes, 0, 10**6),
            "playout": checks.number("playout", self.playout, 0, 1),
            "noise": checks.number("noise", self.noise, 0, 100),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        file_of(self.plan)


class GumbelSearch:
    """Searches positions with a network.

    Args:
        settings: see `SearchSettings`.
        seed: seed of all dice and of the noise; the result for a position depends only on the seed and the position.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.gumbel import GumbelSearch, SearchSettings
        >>> from rc_env.agents.net import NetBot
        >>> from rc_env.bot import Position
        >>> engine = Engine(num_games=4, seed=1)
        >>> net = NetBot("shipped").net_for(engine.ruleset)
        >>> thoughts = GumbelSearch(SearchSettings(num_simulations=8)).think(Position.of(engine), net)
        >>> thoughts.visit_counts.sum(1)
        array([8, 8, 8, 8])
    """

    def __init__(self, settings: SearchSettings, seed: int = 0) -> None:
        self.settings = checks.instance("settings", settings, SearchSettings, "SearchSettings")
        self._trees: _Trees | None = None
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._seed = checks.seed("seed", seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies: all but the trees, which are built for each decision."""
        return {**vars(self), "_trees": None}

    def think(self, position: Position, net: Evaluator, reward: str = "win") -> Thoughts:
        """Search N positions.

        Args:
            position: the games, each for the seat to move.
            net: a network for these games.
            reward: the reward that the network's values predict, "win" or "first" (see `Ruleset`). Games that end
                within a simulation are valued by it, too. With "first" the values of the search are from -1 for no
                chance to win to 1 for certainty.

        Raises:
            ValueError: `position` is not a Position, its games have been played on, its mask allows illegal actions, or
                there is no such reward.
        """
        checks.one_of("reward", reward, REWARDS)
        games, count, s = Position.checked(position).games(), len(position), self.settings
        given = _Roots(records(games), *map(checks.plain, (position.numbers, position.mask, position.seat)))
        considered = s.max_num_considered_actions
        if not s.milliseconds:
            considered = min(considered, s.num_simulations)
        nodes = NODES if s.milliseconds else min(NODES, 8 * s.num_simulations + 64)
        most = max(1, min(BRANCHES // considered, ROOM // nodes))
        parts = []
        for low in range(0, max(count, 1), most):
            rows = slice(low, min(count, low + most))
            trees = self._trees
            if trees is None or not trees.fits(position.ruleset, reward, rows.stop - low, considered, nodes):
                room = min(most, max(1, count))
                self._trees = trees = _Trees(position.ruleset, reward, s, room, considered, nodes)
            parts.append(trees.search(given.part(rows), net, self._seed))
        return joined(parts)


@dataclass(frozen=True)
class _Roots:
    """N positions: (N,) GAME, (N, F) uint8 numbers, (N, A) int8 masks, (N,) int8 seats."""

    games: np.ndarray
    numbers: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.seats)

    def part(self, rows: slice) -> _Roots:
        """A part of the positions."""
        return _Roots(self.games[rows], self.numbers[rows], self.masks[rows], self.seats[rows])


class _Trees:
    """The trees of up to R positions, and branches for M considered actions of each: action k has branch r x M + k."""

    def __init__(
        self, ruleset: Ruleset, reward: str, settings: SearchSettings, rows: int, considered: int, nodes: int
    ) -> None:
        self._ruleset, self._reward, self._settings = ruleset, reward, settings
        self._rows, self._considered, self._nodes = rows, considered, nodes
        count = rows * considered
        self._copies = in_build(Branches, ruleset.full)(ruleset, count, reward)
        self._branches = np.zeros(count, tree.BRANCH)
        self._branches["row"] = np.arange(count) // considered
        self._tree_rows = np.zeros(rows, tree.ROW)
        chosen = np.zeros(1, tree.SETTINGS)
        chosen["visit_offset"], chosen["value_scale"] = settings.visit_offset, settings.value_scale
        chosen["to_turn_end"], chosen["outcomes"] = settings.to_turn_end, settings.outcomes
        chosen["players"], chosen["actions"] = ruleset.players, ruleset.actions.size
        self._records = (
            records(chosen),
            records(self._tree_rows),
            records(self._branches),
            records(np.empty((rows, nodes), tree.NODE)),
            records(np.empty((rows, nodes * EDGES), tree.EDGE)),
        )
        """The arrays that the compiled functions work on; they initialise what they add to."""
        self._seen = np.empty((count, ruleset.observations.size), np.uint8)
        self._weights = named(settings.plan, ruleset) if settings.playout else None
        # Where every visit meets other dice, the position at its end is hardly met again: its policy is not asked for.
        self._lazy = settings.to_turn_end and not settings.outcomes
        self._phases = _phases(considered, settings.num_simulations)

    def fits(self, ruleset: Ruleset, reward: str, rows: int, considered: int, nodes: int) -> bool:
        """Whether there is room for so many positions of such games."""
        known = (ruleset is self._ruleset or ruleset == self._ruleset) and reward == self._reward
        return known and rows <= self._rows and (considered, nodes) == (self._considered, self._nodes)

    def scaled(self, rewards: NDArray[Any]) -> NDArray[Any]:
        """Rewards on the scale of the search; those of "first", which add up to 0, are stretched to -1 to 1."""
        players = self._ruleset.players
        if self._reward == "win" or players <= 2:
            return rewards
        return (2 * rewards * (players - 1) + 2 - players) / players

    def search(self, roots: _Roots, net: Evaluator, seed: int) -> Thoughts:
        """Search N positions, at most R."""
        began = time.perf_counter()
        search = _Search(self, roots, net, seed)
        seconds = self._settings.milliseconds / 1000 * len(roots)
        search.select_root_actions(search.batch_range, 0.0)
        while len(search.unfinished):
            search.simulate()
            done = search.finished()
            if len(done):
                search.select_root_actions(done, (time.perf_counter() - began) / seconds if seconds else 0.0)
        return search.thoughts()


def _phases(considered: int, num_simulations: int) -> NDArray[np.int64]:
    """(M + 1, phases, 2): `schedule` for each number of considered actions up to M, filled up with 0."""
    plans = [schedule(min(count, num_simulations), num_simulations) for count in range(1, considered + 1)]
    table = np.zeros((considered + 1, max(map(len, plans)) + 1, 2), np.int64)
    for count, plan in enumerate(plans, 1):
        table[count, : len(plan)] = plan
    return table


class _Search:
    """The search of N positions, in the trees and branches of `_Trees`.

    Attributes:
        batch_range: (N,) int64, the numbers of all positions.
        unfinished: those whose budget is not spent.
    """

    def __init__(self, trees: _Trees, roots: _Roots, net: Evaluator, seed: int) -> None:
        self._trees, self._roots, self._net = trees, roots, net
        n, m = len(roots), trees._considered
        self.batch_range = self.unfinished = np.arange(n)
        self._copies, self._settings = trees._copies, trees._settings
        self._players = trees._ruleset.players
        self._evaluations = n
        logits, values = net.evaluate(roots.numbers)
        self._value = np.clip(trees.scaled(values[:, 0].astype(np.float64)), -1, 1)
        self._prior_logits = np.where(roots.masks == 0, -np.inf, _rounded(logits).astype(np.float64))
        self._prior = softmax(self._prior_logits)
        # Equal positions have equal keys, whatever else is in the batch and whatever was decided before.
        keys = np.empty(n, np.uint64)
        tree.identify(roots.numbers.view(np.uint64), keys)
        self._keys = mixed(keys ^ np.uint64(seed), np.array(seed & (2**32 - 1)))
        noise = gumbel_noise(self._stream(_NOISE), roots.masks.shape[1]) if self._settings.noise else 0.0
        self._start = self._prior_logits + self._settings.noise * noise
        self._actions = np.argsort(-self._start, 1, kind="stable")[:, :m]
        self._count = np.minimum(roots.masks.sum(1), m)
        self._phase = np.zeros(n, np.int64)
        self._branch = self.batch_range[:, None] * m + np.arange(m)
        branches = self._branches = trees._branches[: n * m]
        for name in ("status", "visit_count", "first_child", "value_sum"):
            branches[name] = 0
        self._target = np.zeros(n * m, np.int64)
        turns = checks.plain(roots.games["turn"])
        self._begins = (checks.plain(self._actions), turns, self._stream(_HIDDEN), self._stream(_ACTION))
        trees._tree_rows["key"][:n] = self._stream(_STREAMS)
        trees._tree_rows["nodes"] = trees._tree_rows["edges"] = 1

    def _stream(self, number: int) -> NDArray[np.uint64]:
        return mixed(self._keys, np.array(number, np.uint64))

    # --- the considered actions

    def select_root_actions(self, rows: NDArray[np.int64], spent: float) -> None:
        """Give the better considered actions of some positions further simulations, if their budget is not spent.

        Args:
            rows: (K,) int64, positions whose branches have done all simulations given so far.
            spent: the part of the time that is spent, where there is a limit.
        """
        count = self._count[rows]
        if self._settings.milliseconds:
            rounds = np.ceil(np.log2(np.maximum(count, 2)))
            halvings = np.minimum(spent * rounds, 62).astype(np.int64)
            considered = np.maximum(np.minimum(2, count), count >> halvings)
            each = np.where((self._phase[rows] == 0) | (spent < 1), 1, 0)
        else:
            considered, each = self._trees._phases[count, self._phase[rows]].T
        self._phase[rows] += 1
        rank = np.argsort(-self._scores(rows), 1, kind="stable")
        chosen = np.arange(rank.shape[1]) < considered[:, None]
        branches = np.take_along_axis(self._branch[rows], rank, 1)
        self._target[branches[chosen]] += np.broadcast_to(each[:, None], chosen.shape)[chosen]
        self.unfinished = np.setdiff1d(self.unfinished, rows[each == 0], assume_unique=True)

    def _scores(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(K, M): noise, logit and sigma of the Q-value of each considered action; -inf but for those visited most."""
        branches = self._branch[rows]
        visit_counts = self._branches["visit_count"][branches]
        own = self._branches["value_sum"][branches, self._roots.seats[rows, None].astype(np.int64)]
        s = self._settings
        bonus = sigma(own / np.maximum(visit_counts, 1), visit_counts, s.visit_offset, s.value_scale)
        scores = np.take_along_axis(self._start[rows], self._actions[rows], 1) + bonus
        there = np.arange(visit_counts.shape[1]) < self._count[rows, None]
        return np.where(there & (visit_counts == visit_counts.max(1, keepdims=True)), scores, -np.inf)

    def finished(self) -> NDArray[np.int64]:
        """The unfinished positions whose branches have done their simulations."""
        branches = self._branch[self.unfinished]
        status, visit_counts = self._branches["status"][branches], self._branches["visit_count"][branches]
        waits = (status != tree.IDLE) | (visit_counts < self._target[branches])
        return self.unfinished[~waits.any(1)]

    # --- the simulations

    def simulate(self) -> None:
        """Advance all active branches until each needs an evaluation by the network; then evaluate them together."""
        status, visit_counts, target = self._branches["status"], self._branches["visit_count"], self._target
        branches = self._branch.ravel()
        while True:
            self._begin(branches[(status[branches] == tree.IDLE) & (visit_counts[branches] < target[branches])])
            branches = branches[status[branches] == tree.ACT]
            if not len(branches):
                break
            self._step(branches)
        self._expand(np.flatnonzero(status == tree.EVALUATE))

    def _begin(self, branches: NDArray[np.int64]) -> None:
        """Begin a simulation in K branches: a copy of the position, in which the considered action is to be played."""
        if not len(branches):
            return
        roots, keys = self._roots, np.empty(len(branches), np.uint64)
        tree.begin(self._trees._records[0], self._trees._records[2], branches, self._begins, keys)
        rows = branches // self._branch.shape[1]
        self._copies.begin(branches, roots.games, roots.masks, roots.seats, rows, keys)

    def _step(self, branches: NDArray[np.int64]) -> None:
        """Play the actions of K branches, and let the tree look up what they led to."""
        seen, state = self._trees._seen[: len(branches)], self._branches
        self._copies.step(branches, state["action"][branches], state["key"][branches], seen)
        identity = np.empty(len(branches), np.uint64)
        tree.identify(seen.view(np.uint64), identity)
        at, rewards = self._copies.at(branches), self._trees.scaled(self._copies.rewards)
        tree.arrive(*self._trees._records, branches, at, identity, rewards)

    def _expand(self, branches: NDArray[np.int64]) -> None:
        """Ask the network about the positions of K branches, and let the tree take in what it says."""
        if not len(branches):
            return
        stops = self._branches["stops"][branches] == 1
        # First those whose policy alone is asked for, last those whose value alone is.
        order = np.argsort(np.where(stops, 2 if self._trees._lazy else 1, 0), kind="stable")
        for part in np.array_split(order, -(-len(order) // BATCH)):
            chosen, valued = branches[part], int(stops[part].sum())
            policies = len(part) - valued if self._trees._lazy else len(part)
            logits, worth = self._net.evaluate(self._copies.observe(chosen), policies, valued)
            values = _rounded(self._values(chosen[len(part) - valued :], worth)).astype(np.float32)
            tree.expand(*self._trees._records, chosen, self._copies.masks, _rounded(logits), values)
        self._evaluations += len(branches)

    def _values(self, branches: NDArray[np.int64], found: NDArray[np.float32]) -> NDArray[np.float64]:
        """(K, P) float64, the values of K positions for each seat, from those that the network gave, (K, V)."""
        seats = self._copies.at(branches)[0].astype(np.int64)
        values = _of_each_seat(found, seats, self._players)
        if found.shape[1] == 1 and self._players > 2:  # it is asked once more for each other seat
            for further in range(1, self._players):
                others = (seats + further) % self._players
                numbers = self._copies.observe(branches, others.astype(np.int8))
                values[np.arange(len(branches)), others] = self._net.evaluate(numbers, 0)[1][:, 0]
                self._evaluations += len(branches)
        if self._players > 2:  # places even out: the values of all seats add up to 0
            values -= values.mean(1, keepdims=True)
        values = self._trees.scaled(values).clip(-1, 1)
        if self._trees._weights is not None:
            ends = self._copies.play_out(branches, self._trees._weights)
            values += self._settings.playout * (ends - values)
        return values

    # --- results

    def thoughts(self) -> Thoughts:
        """The results of the search as `Thoughts`."""
        s, roots, batch_range = self._settings, self._roots, self.batch_range
        best = self._scores(batch_range).argmax(1)
        actions = self._actions[batch_range, best]
        done = self._branches["visit_count"][self._branch]
        rows, places = np.nonzero(done)
        visit_counts = np.zeros(roots.masks.shape, np.int32)
        qvalues = np.full((*visit_counts.shape, self._players), np.nan)
        counts = done[rows, places]
        visit_counts[rows, self._actions[rows, places]] = counts
        sums = self._branches["value_sum"][self._branch[rows, places], : self._players]
        qvalues[rows, self._actions[rows, places]] = sums / counts[:, None]
        own = np.take_along_axis(qvalues, roots.seats[:, None, None].astype(np.int64), 2)[..., 0]
        completed = completed_qvalues(self._prior, self._value, visit_counts, own)
        policy = softmax(self._prior_logits + sigma(completed, visit_counts, s.visit_offset, s.value_scale))
        return Thoughts(
            ruleset=self._trees._ruleset,
            seat=roots.seats,
            actions=actions,
            prior=self._prior.astype(np.float32),
            policy=policy.astype(np.float32),
            visit_counts=visit_counts,
            qvalues=qvalues.astype(np.float32),
            errors=np.full(qvalues.shape, np.nan, np.float32),
            value=qvalues[batch_range, actions].astype(np.float32),
            simulations=int(visit_counts.sum()),
            evaluations=self._evaluations,
            **self._variation(best, actions),
        )

    def _variation(self, best: NDArray[np.int64], actions: NDArray[np.int64]) -> dict[str, Any]:
        """The principal variations, by the names of `Thoughts`."""
        further = np.empty((len(best), AHEAD - 1), np.int32)
        seats = np.empty(further.shape, np.int8)
        _, _, branches, nodes, edges = self._trees._records
        tree.variation(branches, nodes, edges, self._branch[self.batch_range, best], further, seats)
        first = np.column_stack((actions, further)).astype(np.int16)
        return {"variation": first, "variation_seats": np.column_stack((self._roots.seats, seats))}


def _rounded(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers in steps of 1 / 4096.

    The last digits of a product of matrices depend on its size: without rounding they would decide between actions that
    are worth the same, and a decision would depend on the other positions of the batch.
    """
    rounded: NDArray[Any] = np.rint(numbers * 4096) / 4096
    return rounded


def _of_each_seat(found: NDArray[np.float32], seats: NDArray[np.int64], players: int) -> NDArray[np.float64]:
    """(K, P) float64, values by seat, from (K, V) values of the seat to move and, for V = P, of those after it.

    With two players the other seat's value is what the own one lacks; with more those that were not given are 0.
    """
    values = np.zeros((len(found), players))
    rows = np.arange(len(found))
    for further in range(found.shape[1]):
        values[rows, (seats + further) % players] = found[:, further]
    if found.shape[1] == 1 and players == 2:
        values[rows, 1 - seats] = -found[:, 0]
    return values
