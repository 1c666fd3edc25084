"""The compiled part of the search bot: simulations of a position, each of which the tree learns from.

`search.py` says what a simulation is. Hidden components are drawn anew for each one, so that nothing is decided by what
the seat that searches cannot see.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import kernel, rule
from ..rules import chance, ending, hidden, turn
from ..rules.printed.sizes import SEATS
from ..rules.state import GAME
from ..rules.verbs import MENU, PLACES
from .scorer import SCRATCH, missing, pick, points_of
from .tree import ROOT, TREE, add_child, child_of, most_visited, reset
from .values import WEIGHTS

DEPTH = 64  # decisions that a tree can hold below each other

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

__all__ = ["DEPTH", "TREE", "WEIGHTS", "WORK", "search"]


@kernel
def search(cs: Any, weights: Any, roots: Any, masks: Any, trees: Any, works: Any, first: Any, count: Any) -> Any:
    """Run simulations number `first` to `first + count - 1` of a position; return the action that was visited most.

    Args:
        cs: (1,) RULES.
        weights: (1,) WEIGHTS of the plan.
        roots: (1,) GAME, the position, which stays as it is.
        masks: (1, A) int8, the actions to choose from: all legal ones, or some of them.
        trees: (1,) TREE; with `first` 0 a new tree is begun, else this one grows on.
        works: (1,) WORK, with the settings.
        first: the number of the first simulation.
        count: how many simulations.
    """
    c, w, root, tree, s = cs[0], weights[0], roots[0], trees[0], works[0]
    if first == 0:
        reset(tree)
    key = chance.outcome(s.seed, chance.CLONE, root.decisions)
    for number in range(first, first + count):
        s.game = root
        s.game.key = chance.outcome(key, chance.CLONE, number)
        hidden.redraw(c, s.game, root.seat)
        simulate(c, w, tree, s, masks[0])
    return most_visited(tree)


@rule
def simulate(c: Any, w: Any, tree: Any, s: Any, mask: Any) -> None:
    """Play the game of `s` to its end and let the tree learn from it: select and expand, rollout, evaluate, backward.

    The first action is one of those with 1 in `mask`.
    """
    g, menu = s.game, s.menu
    n = narrow(menu, turn.settle(c, g, menu), mask)
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
    backward(tree, s, length)


@rule
def narrow(menu: Any, n: Any, mask: Any) -> Any:
    """Leave of the `n` actions of the menu those with 1 in `mask`, in their order; return their number."""
    kept = 0
    for i in range(n):
        if mask[menu.action[i]] == 1:
            menu.action[kept] = menu.action[i]
            kept += 1
    return kept


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
def backward(tree: Any, s: Any, length: Any) -> None:
    """Count a visit of the root and of the `length` nodes of the path, and add up their values.

    A node counts the value for the seat that selected it.
    """
    tree.nodes[ROOT].visit_count += 1
    for i in range(length):
        node = tree.nodes[s.path[i]]
        node.visit_count += 1
        node.value_sum += s.value[s.mover[i]]
