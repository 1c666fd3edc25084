"""The search bot: an open-loop tree over the decisions to come, grown by games played out with a plan.

Each simulation copies the position, gives it chance of its own, walks down the tree by the PUCT rule and plays the game
out from the first new node with the plan in every seat. The plan says what to try first; at the root a network may say
it. The tree holds decisions alone, not what the dice showed (open loop): a node stands for all positions that its
actions can lead to. The n-th simulation of a decision always rolls the same dice, so actions are compared with equal
luck. Nothing of the game's own future is seen or used.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents.net import NetBot
from rc_env.agents.plan import named
from rc_env.agents.scorer import SCRATCH, missing, pick, points_of
from rc_env.bot import Position
from rc_env.jit import kernel, records, rule
from rc_env.rules import chance, ending, turn
from rc_env.rules.sizes import SEATS
from rc_env.rules.state import GAME, MENU

NODES = 20_000  # of a tree; when they are used up it grows no further
DEPTH = 64
BLOCK = 16  # simulations between two looks at the clock

NODE = np.dtype(
    [
        ("child", np.int32),  # first child, or 0
        ("sibling", np.int32),  # next child of the same node, or 0
        ("visits", np.int32),
        ("action", np.int16),  # what leads here
        ("value", np.float64),  # sum over visits, for the seat that chose the action
        ("points", np.float64),  # what the plan thinks of the action
        ("prior", np.float64),  # scratch of `select`
    ],
    align=True,
)
TREE = np.dtype([("used", np.int32), ("path", np.int32, (DEPTH,)), ("mover", np.int8, (DEPTH,))], align=True)


class SearchBot:
    """Looks ahead for each decision; the most visited action is played.

    Args:
        simulations: games played out for each decision.
        milliseconds: instead of a number of simulations; results then depend on the machine.
        plan: who plays the games out, a name or file as for `plan.PlanBot`.
        exploration: weight of what the plan thinks against what the games say.
        temperature: points of the plan that make an action e times as likely.
        depth: decisions that the tree can hold below each other, 1 to 64.
        net: a network that says, instead of the plan, which actions of the decision itself to try first: a path, or
            "shipped", as for `net.NetBot`; "none" for none.
        seed: of the simulations; `reset` sets it.

    Raises:
        ValueError: a setting is out of range, or there is no such network; when it is asked to play, the network is for
            another game.
    """

    name = "search"

    def __init__(
        self,
        simulations: int = 100,
        milliseconds: float = 0,
        plan: str = "all_rounder",
        exploration: float = 1.0,
        temperature: float = 8.0,
        depth: int = 4,
        net: str = "none",
        seed: int = 0,
    ) -> None:
        for label, value, least, most in (
            ("simulations", simulations, 1, 10**6),
            ("milliseconds", milliseconds, 0, 10**6),
            ("exploration", exploration, 0, 1000),
            ("temperature", temperature, 1e-3, 10**6),
            ("depth", depth, 1, DEPTH),
        ):
            if isinstance(value, str) or not least <= value <= most:
                raise ValueError(f"{label}: {value!r} found, expected a number from {least} to {most}")
        self._simulations = int(simulations)
        self._seconds = milliseconds / 1000
        self._plan = plan
        self._net = None if net == "none" else NetBot(net)
        self._exploration, self._temperature, self._depth = float(exploration), float(temperature), int(depth)
        self._work = records(np.zeros(1, GAME))
        self._nodes = records(np.zeros(NODES, NODE))
        self._tree = records(np.zeros(1, TREE))
        self._menus = records(np.zeros(1, MENU))
        self._scratch = records(np.zeros(1, SCRATCH))
        self._values = np.zeros(SEATS)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over: simulations follow from this seed."""
        self._seed = np.uint64(seed)

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        rules, weights = records(position.ruleset.rules), records(named(self._plan, position.ruleset.players))
        games, known = records(position.games()), self._known(position)
        actions = np.empty(len(position), np.int64)
        for i in range(len(position)):
            start = time.perf_counter()
            self._tree["used"] = 0
            done = 0
            while True:
                count = BLOCK if self._seconds else self._simulations
                actions[i] = grow(
                    rules, games[i : i + 1], weights, known[i], self._seed, done, count, self._exploration,
                    self._temperature, self._depth, self._work, self._nodes, self._tree, self._menus, self._scratch,
                    self._values,
                )  # fmt: skip
                done += count
                if not self._seconds or time.perf_counter() - start >= self._seconds:
                    break
        return actions

    def _known(self, position: Position) -> NDArray[np.float64]:
        """(N, A), how many points make each legal action as likely as the network thinks; (N, 0) without a network."""
        if self._net is None:
            return np.zeros((len(position), 0))
        logits = np.where(position.mask == 0, -np.inf, self._net.logits(position))
        return self._temperature * (logits - logits.max(1, keepdims=True))


@kernel
def grow(
    cs: Any, roots: Any, weights: Any, known: Any, seed: Any, first: Any, count: Any, exploration: Any,
    temperature: Any, depth: Any, works: Any, nodes: Any, trees: Any, menus: Any, scratch: Any, values: Any,
) -> Any:  # fmt: skip
    """Run simulations number `first` to `first + count - 1` on the root and its tree; the action visited most."""
    c, w, t, menu, s, g = cs[0], weights[0], trees[0], menus[0], scratch[0], works[0]
    root = roots[0]
    if t.used == 0:
        clear(nodes[0])
        t.used = 1
        for number in range(len(known)):
            if known[number] > -np.inf:
                add(nodes, t, 0, number, known[number])
    luck = chance.outcome(seed, chance.CLONE, root.decisions)
    for number in range(first, first + count):
        works[0] = roots[0]
        g.key = chance.outcome(luck, chance.CLONE, number)
        simulate(c, g, w, nodes, t, exploration, temperature, depth, menu, s, values)
    best, action, child = -1, np.int64(0), nodes[0].child
    while child > 0:
        if nodes[child].visits > best:
            best, action = nodes[child].visits, np.int64(nodes[child].action)
        child = nodes[child].sibling
    return action


@rule
def clear(node: Any) -> None:
    """A node without children or visits."""
    node.child = 0
    node.sibling = 0
    node.visits = 0
    node.value = 0.0


@rule
def simulate(
    c: Any, g: Any, w: Any, nodes: Any, t: Any, exploration: Any, temperature: Any, depth: Any, menu: Any, s: Any,
    values: Any,
) -> None:  # fmt: skip
    """Down the tree, then to the end of the game with the plan; every node on the way learns how it ended."""
    n = turn.settle(c, g, menu)
    node, length = 0, 0
    while n > 0 and length < depth and (length == 0 or nodes[node].visits > 0):
        chosen = select(c, g, w, nodes, t, node, exploration, temperature, menu, n, s)
        if chosen == 0:
            break
        t.path[length] = chosen
        t.mover[length] = g.seat
        length += 1
        node = chosen
        n = turn.decide(c, g, nodes[chosen].action, menu)
    while n > 0:
        n = turn.decide(c, g, pick(c, g, w, s, menu, n), menu)
    evaluate(c, g, values)
    nodes[0].visits += 1
    for i in range(length):
        one = nodes[t.path[i]]
        one.visits += 1
        one.value += values[t.mover[i]]


@rule
def evaluate(c: Any, g: Any, values: Any) -> None:
    """How the game ended for each seat, from -1 to 1: half the places, half the margin to the best other seat."""
    for seat in range(c.seats):
        balance, best = 0, -1000
        for other in range(c.seats):
            balance += ending.better(c, g, seat, other)
            if other != seat:
                best = max(best, ending.score(c, g, other))
        margin = ending.score(c, g, seat) - best
        values[seat] = 0.5 * balance / (c.seats - 1) + 0.5 * np.tanh(margin / 12.0)


@rule
def select(
    c: Any, g: Any, w: Any, nodes: Any, t: Any, node: Any, exploration: Any, temperature: Any, menu: Any, n: Any, s: Any
) -> Any:
    """The child of PUCT among the legal actions; children that are missing are made. 0 when there is no room."""
    missing(c, g, g.seat, s.lack)
    top = -1e9
    for i in range(n):
        child = child_of(nodes, node, menu.action[i])
        if child == 0:
            child = add(nodes, t, node, menu.action[i], points_of(c, g, w, g.seat, s, np.int64(menu.action[i])))
            if child == 0:
                return 0
        top = max(top, nodes[child].points)
    total, visits, mean = 0.0, 0, 0.0
    for i in range(n):
        one = nodes[child_of(nodes, node, menu.action[i])]
        one.prior = np.exp((one.points - top) / temperature) + 0.01
        total += one.prior
        visits += one.visits
        mean += one.value
    unvisited = mean / visits - 0.1 if visits > 0 else 0.0
    best, chosen = -1e9, 0
    for i in range(n):
        child = child_of(nodes, node, menu.action[i])
        one = nodes[child]
        quality = one.value / one.visits if one.visits > 0 else unvisited
        score = quality + exploration * one.prior / total * np.sqrt(visits + 1.0) / (1.0 + one.visits)
        if score > best:
            best, chosen = score, child
    return chosen


@rule
def add(nodes: Any, t: Any, node: Any, action: Any, points: Any) -> Any:
    """A new child, which an action leads to; 0 when there is no room."""
    if t.used >= nodes.shape[0]:
        return 0
    child = t.used
    t.used += 1
    clear(nodes[child])
    nodes[child].action = action
    nodes[child].points = points
    nodes[child].sibling = nodes[node].child
    nodes[node].child = child
    return child


@rule
def child_of(nodes: Any, node: Any, action: Any) -> Any:
    """The child that an action leads to, or 0."""
    child = nodes[node].child
    while child > 0 and nodes[child].action != action:
        child = nodes[child].sibling
    return child
