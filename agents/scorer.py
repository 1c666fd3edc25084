"""The compiled scorer of plans: it gives an action points by simple rules, with all numbers from the plan's weights.

A plan looks at the current board and plays no games out. `pick` gives every legal action points and takes the best;
of equal ones the one with the lowest number. So plans are fast enough for the rollouts of a search.

What things are worth is in `values.py`, the points of actions in `actions.py`; the full game's part of both is in
`values_full.py` and `actions_full.py`, behind `if FULL`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..edition import FULL
from ..jit import kernel, rule
from ..rules.guilds import card_of, effect_of
from ..rules.points import POINT, Point
from ..rules.printed.sizes import GREEN, MATERIALS, PURPLE, RECOGNITION
from ..rules.verbs import Verb
from .actions import (
    points_of_claim,
    points_of_delivery,
    points_of_effect,
    points_of_move,
    points_of_ornament,
    points_of_slot,
    points_of_take,
    points_of_visit,
)
from .actions_full import is_giving, points_of_full, points_of_given
from .values import NEVER, WEIGHTS, worth, worth_of_tile

__all__ = ["SCRATCH", "WEIGHTS", "choose", "missing", "pick", "points_of"]

SCRATCH = np.dtype([("lack", np.int64, (MATERIALS,)), ("undo", np.int8, (8,))])
"""The working memory of `pick`. lack: how many of each material the seat could deliver beyond what it has."""


@kernel
def choose(cs: Any, games: Any, weights: Any, masks: Any, menus: Any, scratch: Any, actions: Any) -> None:
    """Write to `actions`, (N,) int64, the action with most points in each of N games, of those with 1 in `masks`."""
    c, w, menu, s = cs[0], weights[0], menus[0], scratch[0]
    for i in range(games.shape[0]):
        n = 0
        for action in range(masks.shape[1]):
            menu.action[n] = action
            n += masks[i, action]
        actions[i] = pick(c, games[i], w, s, menu, n)


@rule
def pick(c: Any, g: Any, w: Any, s: Any, menu: Any, n: Any) -> Any:
    """The action with most points among the first `n` of the menu. `g` is written to and put back."""
    missing(c, g, g.seat, s.lack)
    best, chosen = 2 * NEVER, np.int64(menu.action[0])
    for i in range(n):
        action = np.int64(menu.action[i])
        points = points_of(c, g, w, g.seat, s, action)
        if points > best or (points == best and action < chosen):
            best, chosen = points, action
    return chosen


@rule
def missing(c: Any, g: Any, seat: Any, lack: Any) -> None:
    """How many of each material the seat could deliver beyond what it has; below 0 where it has too many."""
    for material in range(MATERIALS):
        lack[material] = -g.goods[seat, material]
    for section in range(c.sections):
        if g.owner[section] == seat and not g.finished[section]:
            for material in range(MATERIALS):
                lack[material] += g.card[section, material]
    adornable = 0
    for kind in range(3):
        if g.works[seat, kind] > 0:
            for section in range(c.sections):
                if g.finished[section] and g.kind[section] == kind and g.ornament[section] < 0:
                    lack[c.ornament_material[kind]] += 1
                    adornable += 1
                    break
    lack[GREEN] += adornable
    lack[PURPLE] += adornable


@rule
def points_of(c: Any, g: Any, w: Any, seat: Any, s: Any, action: Any) -> Any:
    """Points of a legal action."""
    verb = c.verb[action]
    x, y, z = c.argument[action, 0], c.argument[action, 1], c.argument[action, 2]
    if verb == Verb.MOVE:
        return points_of_move(c, g, w, seat, s.lack, c.die_seen[seat, x], y)
    if verb == Verb.CLAIM:
        return points_of_claim(c, g, w, seat, s, x, y)
    if verb == Verb.DELIVER:
        return points_of_delivery(c, g, w, seat, g.first[y] + z)
    if verb == Verb.ADORN:
        return points_of_ornament(c, g, w, seat, x, g.first[x] + y)
    if verb == Verb.GEMS:
        return w.prestige * c.gem_prestige[x, y]
    if verb == Verb.PLACE:
        return points_of_slot(c, g, w, seat, s.lack, c.slot_seen[seat, x], y)
    if verb == Verb.TAKE:
        return points_of_take(c, g, seat, s.lack, x)
    if verb == Verb.GAIN:
        if FULL and g.stack[g.depth - 1, POINT] == Point.BOTH:  # first of all: it may be delivered then
            return -NEVER + s.lack[x]
        return 1.0 * s.lack[x]
    if verb == Verb.PAY:
        return -1.0 * s.lack[x]
    if verb == Verb.OBTAIN:
        tile = g.market[g.space]
        return 1.0 + worth(c, g, w, seat, s.lack, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space])
    if verb == Verb.WORKSHOP:
        if FULL and is_giving(c, g):
            return points_of_given(c, g, w, seat, s.lack, c.slot_seen[seat, x])
        return 1.0 + worth_of_tile(c, g, w, seat, s.lack, c.slot_seen[seat, x])
    if verb == Verb.GUILD:
        if FULL:
            return points_of_visit(c, g, w, seat, s.lack, effect_of(card_of(g, g.space), x))
        return points_of_effect(c, g, w, seat, s.lack, effect_of(card_of(g, g.space), x))
    if verb == Verb.RUBLES or verb == Verb.REROLL:
        return NEVER
    if verb == Verb.IVAN_CLAIM:  # what pays him least
        return -1.0 * g.card[g.first[x] + g.claimed[x], RECOGNITION]
    if verb == Verb.DONE or verb == Verb.SWAP or verb == Verb.IVAN_ADORN:
        return 0.0
    if FULL:
        return points_of_full(c, g, w, seat, s, verb, x, y)
    return NEVER  # there is no other verb: a test holds this list to `Verb`
