"""The search bot: an open-loop Monte Carlo tree search over the decisions to come.

Each simulation copies the position, gives it randomness of its own, and goes through the usual stages: it selects
actions by PUCT down the tree (`select`), which is expanded on the way (`expand`), plays the game out with the plan in
every seat (`rollout`), values the end of the game for each seat (`evaluate`), and adds the values to the nodes that it
went through (`backup`). The prior of an action follows from the points that the plan gives it; at the root a network
may give it instead. The tree is open-loop: it holds decisions, not what the dice showed, so a node stands for all
positions that its actions can lead to. The n-th simulation of a decision always rolls the same dice, so actions are
compared with equal luck. The dice that the game itself will roll are neither seen nor used.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents.net import NetBot
from rc_env.agents.plan import named
from rc_env.agents.scorer import SCRATCH, missing, pick, points_of
from rc_env.agents.tree import ROOT, TREE, add_child, child_of, most_visited, plant
from rc_env.bot import Position
from rc_env.jit import kernel, records, rule
from rc_env.rules import chance, ending, turn
from rc_env.rules.sizes import SEATS
from rc_env.rules.state import GAME
from rc_env.rules.verbs import MENU, PLACES

DEPTH = 64
BLOCK = 16  # simulations between two looks at the clock

WORK = np.dtype(
    [
        # --- settings
        ("seed", np.uint64),
        ("exploration", np.float64),  # weight of the prior in PUCT
        ("temperature", np.float64),  # points that make an action e times as likely
        ("depth", np.int64),  # nodes that a simulation goes through at most
        # --- the simulation
        ("game", GAME),
        ("menu", MENU),  # the legal actions
        ("scratch", SCRATCH),  # of the plan
        ("child", np.int32, (PLACES,)),  # the child of each legal action, in the order of the menu
        ("prior", np.float64, (PLACES,)),  # of each legal action, before they are made to sum to 1
        ("path", np.int32, (DEPTH,)),  # the nodes that were selected
        ("mover", np.int8, (DEPTH,)),  # the seat that selected each
        ("value", np.float64, (SEATS,)),  # of the end of the game, for each seat, from -1 to 1
    ],
    align=True,
)
"""The settings of a search and what a simulation works in: a compiled function is handed a record as one address."""


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
        self._temperature = float(temperature)
        self._tree = records(np.zeros(1, TREE))
        self._work = records(np.zeros(1, WORK))
        self._work["exploration"], self._work["temperature"], self._work["depth"] = exploration, temperature, depth
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over: the dice of all simulations follow from this seed."""
        self._work["seed"] = seed

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        rules, weights = records(position.ruleset.rules), records(named(self._plan, position.ruleset.players))
        games, root_points = records(position.games()), self._root_points(position)
        actions = np.empty(len(position), np.int64)
        for i in range(len(position)):
            start = time.perf_counter()
            done = 0
            while True:
                count = BLOCK if self._seconds else self._simulations
                actions[i] = search(
                    rules, weights, games[i : i + 1], root_points[i], self._tree, self._work, done, count
                )
                done += count
                if not self._seconds or time.perf_counter() - start >= self._seconds:
                    break
        return actions

    def _root_points(self, position: Position) -> NDArray[np.float64]:
        """(N, A) float64: the points that make the priors of the legal actions those of the network's policy.

        Actions that are not legal have -inf. Without a network the array is (N, 0).
        """
        if self._net is None:
            return np.zeros((len(position), 0))
        logits = np.where(position.mask == 0, -np.inf, self._net.logits(position))
        return self._temperature * (logits - logits.max(1, keepdims=True))


@kernel
def search(cs: Any, weights: Any, roots: Any, root_points: Any, trees: Any, works: Any, first: Any, count: Any) -> Any:
    """Run simulations number `first` to `first + count - 1` of a position; return the action that was visited most.

    Args:
        cs: (1,) RULES.
        weights: (1,) WEIGHTS of the plan.
        roots: (1,) GAME, the position, which stays as it is.
        root_points: (A,) float64, points of the actions of the root, -inf for those that are not legal; (0,) to let the
            plan give them.
        trees: (1,) TREE; with `first` 0 a new tree is begun, else this one grows on.
        works: (1,) WORK, with the settings.
        first: the number of the first simulation.
        count: how many simulations.
    """
    c, w, root, tree, s = cs[0], weights[0], roots[0], trees[0], works[0]
    if first == 0:
        plant(tree)
        for action in range(len(root_points)):
            if root_points[action] > -np.inf:
                add_child(tree, ROOT, action, root_points[action])
    key = chance.outcome(s.seed, chance.CLONE, root.decisions)
    for number in range(first, first + count):
        s.game = root
        s.game.key = chance.outcome(key, chance.CLONE, number)
        simulate(c, w, tree, s)
    return most_visited(tree)


@rule
def simulate(c: Any, w: Any, tree: Any, s: Any) -> None:
    """Play the game of `s` to its end and let the tree learn from it: select and expand, rollout, evaluate, backup."""
    g, menu = s.game, s.menu
    n = turn.settle(c, g, menu)
    node, length = ROOT, 0
    # A node that no simulation has visited yet is a leaf: from there on the plan decides.
    while n > 0 and length < s.depth and (node == ROOT or tree.nodes[node].visit_count > 0):
        if not expand(c, w, tree, s, node, n):
            break
        node = select(tree, s, n)
        s.path[length] = node
        s.mover[length] = g.seat
        length += 1
        n = turn.decide(c, g, tree.nodes[node].action, menu)
    rollout(c, w, s, n)
    evaluate(c, g, s.value)
    backup(tree, s, length)


@rule
def expand(c: Any, w: Any, tree: Any, s: Any, node: Any, n: Any) -> Any:
    """Look up in `s.child` the child of each of the `n` legal actions; add those that are missing.

    Which actions are legal depends on the dice, so a node that was expanded before may miss some. Returns whether the
    tree had room for all.
    """
    g, menu = s.game, s.menu
    missing(c, g, g.seat, s.scratch.lack)
    for i in range(n):
        child = child_of(tree, node, menu.action[i])
        if child == 0:
            points = points_of(c, g, w, g.seat, s.scratch, np.int64(menu.action[i]))
            child = add_child(tree, node, menu.action[i], points)
            if child == 0:
                return False
        s.child[i] = child
    return True


@rule
def select(tree: Any, s: Any, n: Any) -> Any:
    """The child with the highest PUCT score among those of the `n` legal actions, as `expand` looked them up.

    The score is Q + exploration x P x sqrt(N + 1) / (1 + visit count), where P is the prior, N the visits of all these
    children, and Q the mean value of the child for the seat that decides; of a child without visits it is somewhat
    below the mean value of the others.
    """
    nodes = tree.nodes
    top = -1e9
    for i in range(n):
        top = max(top, nodes[s.child[i]].points)
    total, visits, value_sum = 0.0, 0, 0.0
    for i in range(n):
        node = nodes[s.child[i]]
        s.prior[i] = np.exp((node.points - top) / s.temperature) + 0.01
        total += s.prior[i]
        visits += node.visit_count
        value_sum += node.value_sum
    unvisited = value_sum / visits - 0.1 if visits > 0 else 0.0
    best, chosen = -1e9, 0
    for i in range(n):
        node = nodes[s.child[i]]
        q = node.value_sum / node.visit_count if node.visit_count > 0 else unvisited
        score = q + s.exploration * s.prior[i] / total * np.sqrt(visits + 1.0) / (1.0 + node.visit_count)
        if score > best:
            best, chosen = score, s.child[i]
    return chosen


@rule
def rollout(c: Any, w: Any, s: Any, n: Any) -> None:
    """Play the game of `s` to its end with the plan in every seat; `n` actions are legal now."""
    while n > 0:
        n = turn.decide(c, s.game, pick(c, s.game, w, s.scratch, s.menu, n), s.menu)


@rule
def evaluate(c: Any, g: Any, value: Any) -> None:
    """Write the value of a game that is over for each seat, from -1 to 1.

    Half of it is the place among the seats, half the margin in prestige to the best other seat.
    """
    for seat in range(c.seats):
        balance, best = 0, -1000
        for other in range(c.seats):
            balance += ending.better(c, g, seat, other)
            if other != seat:
                best = max(best, ending.score(c, g, other))
        margin = ending.score(c, g, seat) - best
        value[seat] = 0.5 * balance / (c.seats - 1) + 0.5 * np.tanh(margin / 12.0)


@rule
def backup(tree: Any, s: Any, length: Any) -> None:
    """Count a visit of the root and of the `length` nodes of the path, and add up their values.

    A node counts the value for the seat that selected it.
    """
    tree.nodes[ROOT].visit_count += 1
    for i in range(length):
        node = tree.nodes[s.path[i]]
        node.visit_count += 1
        node.value_sum += s.value[s.mover[i]]
