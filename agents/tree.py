"""The tree of the search: its nodes stand in one array, and the children of a node are a linked list in it.

Node 0 is the root. Since no node leads to the root, 0 as a child or a sibling means that there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import rule

NODES = 20_000  # at most in a tree; when they are used up it grows no further
ROOT = 0

NODE = np.dtype(
    [
        ("first_child", np.int32),  # the child that was added last, or 0
        ("next_sibling", np.int32),  # the next child of the same parent, or 0
        ("visit_count", np.int32),
        ("action", np.int16),  # that leads from the parent to this node
        ("value_sum", np.float64),  # over visits, for the seat that chose the action
        ("points", np.float64),  # of the action; the prior is a softmax of them over the actions that are legal
    ],
    align=True,
)
TREE = np.dtype([("nodes_used", np.int32), ("nodes", NODE, (NODES,))], align=True)


@rule
def reset(tree: Any) -> None:
    """Reset the tree to a root without children or visits."""
    tree.nodes_used = 1
    clear(tree.nodes[ROOT])


@rule
def clear(node: Any) -> None:
    """Remove a node's children and visits."""
    node.first_child = 0
    node.next_sibling = 0
    node.visit_count = 0
    node.value_sum = 0.0


@rule
def add_child(tree: Any, parent: Any, action: Any, points: Any) -> Any:
    """Add the child that an action leads to; return its number, or 0 when the tree is full."""
    if tree.nodes_used >= NODES:
        return 0
    child = tree.nodes_used
    tree.nodes_used += 1
    node = tree.nodes[child]
    clear(node)
    node.action = action
    node.points = points
    node.next_sibling = tree.nodes[parent].first_child
    tree.nodes[parent].first_child = child
    return child


@rule
def child_of(tree: Any, parent: Any, action: Any) -> Any:
    """The number of the child that an action leads to, or 0."""
    child = tree.nodes[parent].first_child
    while child > 0 and tree.nodes[child].action != action:
        child = tree.nodes[child].next_sibling
    return child


@rule
def most_visited(tree: Any) -> Any:
    """The action of the root's child with the highest visit count, -1 without children."""
    most, action = -1, np.int64(-1)
    child = tree.nodes[ROOT].first_child
    while child > 0:
        node = tree.nodes[child]
        if node.visit_count > most:
            most, action = node.visit_count, np.int64(node.action)
        child = node.next_sibling
    return action
