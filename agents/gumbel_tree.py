"""The compiled part of the Gumbel search: the tree below the considered actions of the root.

It knows no rules: `gumbel.py` plays the actions that are chosen here, and asks the network about the positions that are
reached. Each *branch* holds the simulations of one considered action of one root, one after the other, and what lies
below that action. A *node* is what the seat to move sees after an action: where dice were rolled in between, an action
leads to several nodes. An *edge* is an action that is legal in a node.

Values are from -1 to 1, one for each seat; an edge is judged by that of the seat that moves. Branch 0, node 0 and edge
0 are none: nothing leads there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.jit import kernel, rule
from rc_env.rules.printed.sizes import SEATS

DEPTH = 128  # edges that a simulation can go along at most

IDLE, ACT, EVALUATE = 0, 1, 2
"""The state of a branch: idle, waiting for its action to be played, or for the network's evaluation."""

BRANCH = np.dtype(
    [
        ("status", np.int8),
        ("stops", np.int8),  # 1: the simulation ends at the position reached, and its value is asked for
        ("row", np.int32),  # the root
        ("action", np.int64),  # to be played
        ("node", np.int32),  # of the position reached; 0 where there is no room for one
        ("turn", np.int32),  # turns begun by anyone in the position reached
        ("length", np.int32),  # edges gone along below the considered action
        ("visit_count", np.int32),  # simulations that are over
        ("first_child", np.int32),  # the node that was added last below the considered action
        ("key", np.uint64),  # of the chance that follows the action
        ("value_sum", np.float64, (SEATS,)),
        ("edge", np.int32, (DEPTH,)),  # gone along
        ("passed", np.int32, (DEPTH,)),  # the nodes that these edges belong to
    ],
    align=True,
)
NODE = np.dtype(
    [
        ("identity", np.uint64),  # of what the seat to move sees
        ("sibling", np.int32),  # another node that the same action leads to, or 0
        ("first_edge", np.int32),
        ("edges", np.int32),  # 0 until the network has given their logits
        ("visit_count", np.int32),  # of all edges
        ("seat", np.int8),
        ("valued", np.int8),  # whether `value` is known
        ("value", np.float64),  # to the seat that moves: of the first simulation that came here
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("child", np.int32),  # the node that was added last, or 0
        ("visit_count", np.int32),
        ("prior_logit", np.float32),
        ("value_sum", np.float64, (SEATS,)),
    ],
    align=True,
)
ROW = np.dtype(
    [
        ("key", np.uint64),  # from which the keys of the chance below the considered actions follow
        ("nodes", np.int32),  # in use
        ("edges", np.int32),
    ],
    align=True,
)
SETTINGS = np.dtype(
    [
        ("visit_offset", np.float64),
        ("value_scale", np.float64),
        ("outcomes", np.int64),  # different keys of chance that an action is played with; 0 for no end of them
        ("to_turn_end", np.int8),  # whether a simulation goes on to the end of the turn
        ("players", np.int64),
        ("actions", np.int64),
    ],
    align=True,
)

_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)


@rule
def scrambled(x: Any) -> Any:
    """A one-to-one hash of 64 bits (the finaliser of SplitMix64)."""
    x = (x ^ (x >> _30)) * _B
    x = (x ^ (x >> _27)) * _C
    return x ^ (x >> _31)


@rule
def mixed(key: Any, n: Any) -> Any:
    """The n-th hash that follows from a key."""
    return scrambled(key + (np.uint64(n) + np.uint64(1)) * _A)


@kernel
def identify(words: Any, out: Any) -> None:
    """Write to out (K,) uint64 a hash of each row of words (K, W) uint64."""
    for i in range(words.shape[0]):
        total = np.uint64(0)
        for k in range(words.shape[1]):
            total += scrambled(words[i, k] + np.uint64(k) * _A)
        out[i] = scrambled(total)


@kernel
def begin(settings: Any, branches: Any, which: Any, roots: Any, keys: Any) -> None:
    """Begin a simulation in each branch of which (K,) int64: its considered action is to be played.

    Args:
        settings: (1,) SETTINGS.
        branches: (L,) BRANCH.
        which: the branches, each idle.
        roots: considered actions (N, M) int64, turns begun (N,) int32, and two keys for each root, (N,) uint64: of what
            its seat cannot see, and of the chance that follows the considered action.
        keys: (K,) uint64, where the key is written from which the simulation draws what is hidden.
    """
    s = settings[0]
    considered, turns, hidden, chance = roots
    for i in range(which.shape[0]):
        branch = branches[which[i]]
        number = branch.visit_count
        keys[i] = mixed(hidden[branch.row], number)
        branch.key = mixed(chance[branch.row], number % s.outcomes if s.outcomes > 0 else number)
        branch.action = considered[branch.row, which[i] % considered.shape[1]]
        branch.turn = turns[branch.row]
        branch.length = 0
        branch.status = ACT


@kernel
def arrive(
    settings: Any, rows: Any, branches: Any, nodes: Any, edges: Any, which: Any, at: Any, found: Any, rewards: Any
) -> None:
    """The action of each branch of which (K,) int64 has been played: look up the node, and select the next action.

    Args:
        settings: (1,) SETTINGS.
        rows: (R,) ROW.
        branches: (L,) BRANCH.
        nodes: (R, nodes) NODE.
        edges: (R, edges) EDGE.
        which: the branches.
        at: seats (K,) int8, turns (K,) int32, over (K,) bool.
        found: (K,) uint64, the identity of each position.
        rewards: (L, P) float32, of the games that are over.
    """
    s = settings[0]
    seats, turns, over = at
    for i in range(which.shape[0]):
        branch = branches[which[i]]
        row = rows[branch.row]
        if over[i]:
            backward(s, row, branch, nodes[branch.row], edges[branch.row], rewards[which[i]])
            continue
        starts = turns[i] != branch.turn
        branch.turn = turns[i]
        node = child_of(branch, nodes[branch.row], edges[branch.row], found[i])
        if node == 0:
            node = add_node(row, branch, nodes[branch.row], edges[branch.row], found[i], seats[i])
        branch.node = node
        if node > 0 and nodes[branch.row, node].edges > 0 and branch.length < DEPTH:
            descend(s, row, branch, nodes[branch.row], edges[branch.row])
        else:
            branch.status = EVALUATE
            known = node > 0 and nodes[branch.row, node].valued
            full = node == 0 or branch.length >= DEPTH or row.edges + s.actions > edges.shape[1]
            branch.stops = full or (not known and (starts or not s.to_turn_end))


@kernel
def expand(
    settings: Any, rows: Any, branches: Any, nodes: Any, edges: Any, which: Any, masks: Any, logits: Any, values: Any
) -> None:
    """The network has been asked about the position of each branch of which (K,) int64: stop there, or go on from it.

    Args:
        settings: as in `arrive`, and so are rows, branches, nodes, edges.
        which: the branches.
        masks: (L, A) int8, the legal actions.
        logits: (H, A) float32, of the first H of these branches; for the others the network was not asked.
        values: (V, P) float32, to each seat, of the last V of these branches, among them all whose simulation stops.
    """
    s = settings[0]
    unvalued = which.shape[0] - values.shape[0]
    for i in range(which.shape[0]):
        branch = branches[which[i]]
        row = rows[branch.row]
        if branch.node > 0 and nodes[branch.row, branch.node].edges == 0 and i < logits.shape[0]:
            add_edges(row, nodes[branch.row, branch.node], edges[branch.row], masks[which[i]], logits[i])
        if branch.stops:
            value = values[i - unvalued]
            if branch.node > 0 and not nodes[branch.row, branch.node].valued:
                nodes[branch.row, branch.node].valued = 1
                nodes[branch.row, branch.node].value = value[nodes[branch.row, branch.node].seat]
            backward(s, row, branch, nodes[branch.row], edges[branch.row], value)
        elif nodes[branch.row, branch.node].edges == 0:
            branch.stops = 1  # there was no room for its edges: it goes on waiting, now for its value
        else:
            descend(s, row, branch, nodes[branch.row], edges[branch.row])


@kernel
def variation(branches: Any, nodes: Any, edges: Any, which: Any, actions: Any, seats: Any) -> None:
    """Write what is expected below considered actions: the actions that were visited most, until nothing was visited.

    Args:
        branches: as in `arrive`, and so are nodes, edges.
        which: (K,) int64, the branches of the considered actions.
        actions: (K, D) int32, with -1 from the end on.
        seats: (K, D) int8, who would play them.
    """
    for i in range(which.shape[0]):
        branch = branches[which[i]]
        child, length = branch.first_child, 0
        actions[i, :] = -1
        seats[i, :] = -1
        while child > 0 and length < actions.shape[1]:
            node = child
            while child > 0:
                if nodes[branch.row, child].visit_count > nodes[branch.row, node].visit_count:
                    node = child
                child = nodes[branch.row, child].sibling
            if nodes[branch.row, node].visit_count == 0:
                break
            first = nodes[branch.row, node].first_edge
            edge = first
            for k in range(first, first + nodes[branch.row, node].edges):
                if edges[branch.row, k].visit_count > edges[branch.row, edge].visit_count:
                    edge = k
            actions[i, length] = edges[branch.row, edge].action
            seats[i, length] = nodes[branch.row, node].seat
            length += 1
            child = edges[branch.row, edge].child


@rule
def child_of(branch: Any, nodes: Any, edges: Any, identity: Any) -> Any:
    """The node of a position that the branch's last action leads to, or 0."""
    node = edges[branch.edge[branch.length - 1]].child if branch.length > 0 else branch.first_child
    while node > 0 and nodes[node].identity != identity:
        node = nodes[node].sibling
    return node


@rule
def add_node(row: Any, branch: Any, nodes: Any, edges: Any, identity: Any, seat: Any) -> Any:
    """Add a node below the branch's last action; return its number, or 0 without room."""
    if row.nodes >= nodes.shape[0]:
        return 0
    number = row.nodes
    row.nodes += 1
    node = nodes[number]
    node.identity = identity
    node.seat = seat
    node.edges = 0
    node.visit_count = 0
    node.valued = 0
    node.value = 0.0
    if branch.length > 0:
        edge = edges[branch.edge[branch.length - 1]]
        node.sibling = edge.child
        edge.child = number
    else:
        node.sibling = branch.first_child
        branch.first_child = number
    return number


@rule
def add_edges(row: Any, node: Any, edges: Any, mask: Any, logits: Any) -> None:
    """Add an edge for each legal action; none without room for all."""
    first = row.edges
    n = first
    for action in range(mask.shape[0]):
        if mask[action]:
            if n >= edges.shape[0]:
                return
            edge = edges[n]
            edge.action = action
            edge.child = 0
            edge.visit_count = 0
            edge.prior_logit = logits[action]
            for seat in range(SEATS):
                edge.value_sum[seat] = 0.0
            n += 1
    node.first_edge = first
    node.edges = n - first
    row.edges = n


@rule
def descend(s: Any, row: Any, branch: Any, nodes: Any, edges: Any) -> None:
    """Choose an action in the branch's node: it is to be played next."""
    node = nodes[branch.node]
    chosen = select(s, node, edges)
    edge = edges[chosen]
    branch.passed[branch.length] = branch.node
    branch.edge[branch.length] = chosen
    branch.length += 1
    branch.action = edge.action
    # The n-th visit of each edge of a depth has the same key, so actions are compared with equal luck.
    sample = edge.visit_count % s.outcomes if s.outcomes > 0 else edge.visit_count
    branch.key = mixed(mixed(row.key, branch.length), sample)
    branch.status = ACT


@rule
def select(s: Any, node: Any, edges: Any) -> Any:
    """The edge that is furthest behind its share in the improved policy: that of completed Q-values.

    The improved policy is a softmax of logit + sigma(Q). Q of an edge without visits is the value of the node mixed
    with the Q-values of the others by their prior; sigma is (visit_offset + most visits of an edge) x value_scale x Q,
    with Q from 0 to 1.
    """
    first, n, seat = node.first_edge, node.edges, node.seat
    top, most = -np.inf, 0
    for i in range(first, first + n):
        top = max(top, np.float64(edges[i].prior_logit))
        most = max(most, edges[i].visit_count)
    scale = (s.visit_offset + most) * s.value_scale * 0.5
    mixed_value = 0.0
    if node.visit_count > 0:
        prior, weighted = 0.0, 0.0
        for i in range(first, first + n):
            edge = edges[i]
            if edge.visit_count > 0:
                p = np.exp(edge.prior_logit - top) + 1e-12
                prior += p
                weighted += p * edge.value_sum[seat] / edge.visit_count
        mixed_value = weighted / prior * node.visit_count
        if node.valued:
            mixed_value = (mixed_value + node.value) / (node.visit_count + 1)
        else:
            mixed_value /= node.visit_count
    best = -np.inf
    for i in range(first, first + n):
        best = max(best, score(scale, edges[i], seat, mixed_value))
    total = 0.0
    for i in range(first, first + n):
        total += np.exp(score(scale, edges[i], seat, mixed_value) - best)
    chosen, lead = first, -np.inf
    for i in range(first, first + n):
        share = np.exp(score(scale, edges[i], seat, mixed_value) - best) / total
        ahead = share - edges[i].visit_count / (1.0 + node.visit_count)
        if ahead > lead:
            chosen, lead = i, ahead
    return chosen


@rule
def score(scale: Any, edge: Any, seat: Any, mixed_value: Any) -> Any:
    """Logit of an edge in the improved policy."""
    q = edge.value_sum[seat] / edge.visit_count if edge.visit_count > 0 else mixed_value
    return edge.prior_logit + scale * q


@rule
def backward(s: Any, row: Any, branch: Any, nodes: Any, edges: Any, value: Any) -> None:
    """Add the value of a simulation to all edges that it went along, and to the branch's considered action."""
    for k in range(branch.length):
        node, edge = nodes[branch.passed[k]], edges[branch.edge[k]]
        node.visit_count += 1
        edge.visit_count += 1
        for seat in range(s.players):
            edge.value_sum[seat] += value[seat]
        if not node.valued:
            node.valued = 1
            node.value = value[node.seat]
    branch.visit_count += 1
    for seat in range(s.players):
        branch.value_sum[seat] += value[seat]
    branch.status = IDLE
