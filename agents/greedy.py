"""The greedy bot: a plain plan, one decision at a time, compiled to play batches.

It claims a section while it has few open, fetches what its sections still miss, delivers it three at a time, adorns
with gems, and never gives up prestige. Every legal action gets a number of points; the best one is played. It looks at
the board as it lies and plays no move out, so it is quick: the yardstick that a learner or a better bot has to beat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.base import Position
from rc_env.jit import kernel, records, rule
from rc_env.rules.components import INVENTORY, Guild, Verb
from rc_env.rules.state import (
    ANY,
    CLAIMED,
    MATERIALS,
    RECOGNITION,
    RUBLES,
    SLOTS,
    SPACES,
    START,
    WHITE_DIE,
    WHITE_SLOT,
    receivable,
    room,
)
from rc_env.rules.workshop import amount_of, resource_of

# Points. A material that is missing is worth 10; all else is measured against that.
MISSING, SPARE, RUBLE, SPOT, EAGLE = 10, 2, 3, 5, 12
"""One more material that is missing, or that is not; a ruble; recognition; prestige."""
ENOUGH = 8  # rubles; each one more is worth 1
DELIVERED, COMPLETED, ADORNED = 9, 12, 12
OPENED = (70, 30, 12)  # a claim with none, one, two sections open
NEVER = -1000

GREEN, PURPLE = 4, 5


class GreedyBot:
    """Plays the legal action with most points; of equal ones the first. It draws nothing, so games repeat exactly."""

    name = "greedy"

    def reset(self, seed: int) -> None:
        """Nothing to start over."""

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        actions = np.empty(len(position), np.int64)
        choose(records(position.ruleset.rules), records(position.games()), position.mask, actions)
        return actions


@kernel
def choose(cs: Any, games: Any, mask: NDArray[np.int8], actions: NDArray[np.int64]) -> None:
    """The action with most points in each game."""
    c = cs[0]
    lack = np.empty(MATERIALS, np.int64)
    for i in range(games.shape[0]):
        g = games[i]
        missing(c, g, g.seat, lack)
        best = 2 * NEVER
        for action in range(mask.shape[1]):
            if mask[i, action]:
                points = points_of(c, g, g.seat, lack, action)
                if points > best:
                    best = points
                    actions[i] = action


@rule
def missing(c: Any, g: Any, seat: Any, lack: Any) -> None:
    """How many of each material the seat could deliver beyond what it has; below 0 where it has too many."""
    for material in range(MATERIALS):
        lack[material] = -g.goods[seat, material]
    adornable = 0
    for section in range(c.sections):
        if g.owner[section] == seat and not g.finished[section]:
            for material in range(MATERIALS):
                lack[material] += g.card[section, material]
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
def worth(c: Any, g: Any, seat: Any, lack: Any, resource: Any, amount: Any) -> Any:
    """Points for receiving so much of a resource."""
    if resource == RUBLES:
        return amount + (RUBLE - 1) * min(amount, max(0, ENOUGH - g.rubles[seat]))
    if resource == RECOGNITION:
        return SPOT * amount
    if resource == ANY:
        best = 0
        for material in range(MATERIALS):
            best = max(best, worth_of_material(c, g, seat, lack, material, 1))
        return best
    return worth_of_material(c, g, seat, lack, resource, amount)


@rule
def cost(g: Any, seat: Any, price: Any) -> Any:
    """Points that so many rubles cost."""
    return price * RUBLE if g.rubles[seat] <= ENOUGH else price


@rule
def worth_of_material(c: Any, g: Any, seat: Any, lack: Any, material: Any, amount: Any) -> Any:
    """Points for receiving so many of a material, as far as room and supply reach."""
    count = min(amount, receivable(c, g, seat, material))
    useful = min(count, max(lack[material], 0))
    return MISSING * useful + SPARE * (count - useful)


@rule
def worth_of_tile(c: Any, g: Any, seat: Any, lack: Any, slot: Any) -> Any:
    """Points for activating the tile in a workshop slot."""
    if not g.slot_up[seat, slot]:
        return 0
    kind = g.slot_tile[seat, slot]
    return worth(c, g, seat, lack, resource_of(c, g, kind), amount_of(c, g, kind))


@rule
def deliverable(c: Any, g: Any, seat: Any) -> Any:
    """How many materials in hand the seat's sections miss."""
    count = 0
    for material in range(MATERIALS):
        total = 0
        for section in range(c.sections):
            if g.owner[section] == seat and not g.finished[section]:
                total += g.card[section, material]
        count += min(total, g.goods[seat, material])
    return count


@rule
def points_of(c: Any, g: Any, seat: Any, lack: Any, action: Any) -> Any:
    """Points of a legal action."""
    verb = c.verb[action]
    x, y, z = c.argument[action, 0], c.argument[action, 1], c.argument[action, 2]
    if verb == Verb.MOVE:
        return points_of_move(c, g, seat, lack, c.seen[seat, x], y)
    if verb == Verb.CLAIM:
        return points_of_claim(c, g, seat, x, y)
    if verb == Verb.DELIVER:
        return points_of_delivery(c, g, seat, g.first[y] + z)
    if verb == Verb.ADORN:
        return points_of_ornament(c, g, seat, x)
    if verb == Verb.GEMS:
        return EAGLE * c.gem_prestige[x, y]
    if verb == Verb.PLACE:
        return points_of_slot(c, g, seat, c.seen[seat, x], y)
    if verb == Verb.TAKE:
        return points_of_take(c, g, seat, lack, x)
    if verb == Verb.GAIN:
        return lack[x]
    if verb == Verb.PAY:
        return -lack[x]
    if verb == Verb.OBTAIN:
        tile = g.market[g.space]
        return 1 + worth(c, g, seat, lack, c.market_kind[tile], c.market_amount[tile] * g.crowd[g.space])
    if verb == Verb.WORKSHOP:
        return 1 + worth_of_tile(c, g, seat, lack, c.seen[seat, x])
    if verb == Verb.GUILD:
        return points_of_guild(c, g, seat, lack, g.influence[g.space // 2], x)
    if verb == Verb.RUBLES or verb == Verb.REROLL:
        return NEVER
    if verb == Verb.IVAN_CLAIM:  # what pays him least
        return -g.card[g.first[x] + g.claimed[x], RECOGNITION]
    return 0  # done, swap, where Ivan adorns


@rule
def points_of_move(c: Any, g: Any, seat: Any, lack: Any, die: Any, extra: Any) -> Any:
    """What the landing space yields: its tile, the better guild action, the workshop tile of the die."""
    space = (g.die_space[die] + g.die_value[die] + extra) % SPACES
    dice = g.crowd[space] + (space != g.die_space[die])
    tile = g.market[space]
    points = worth(c, g, seat, lack, c.market_kind[tile], c.market_amount[tile] * dice)
    card = g.influence[space // 2]
    points += max(0, points_of_guild(c, g, seat, lack, card, 0), points_of_guild(c, g, seat, lack, card, 1))
    if die == WHITE_DIE:
        points += max(worth_of_tile(c, g, seat, lack, WHITE_SLOT), worth_of_tile(c, g, seat, lack, WHITE_SLOT + 1))
    else:
        points += worth_of_tile(c, g, seat, lack, die)
    return points - cost(g, seat, extra)


@rule
def points_of_guild(c: Any, g: Any, seat: Any, lack: Any, card: Any, side: Any) -> Any:
    """What an action of a guild card is good for; below 0 when it would only cost."""
    verb, price, gain = c.guild_verb[card, side], c.guild_price[card, side], c.guild_gain[card, side]
    amount = c.guild_amount[card, side]
    most_lack, most_spare, spare_kinds = 0, 0, 0
    for material in range(MATERIALS):
        if verb == Guild.BUY and not c.guild_allows[card, side, material]:
            continue
        if g.supply[material] > 0:
            most_lack = max(most_lack, lack[material])
        if verb != Guild.SELL or c.guild_allows[card, side, material]:
            most_spare = max(most_spare, -lack[material])
            spare_kinds += lack[material] < 0
    if verb == Guild.SELL:
        return worth(c, g, seat, lack, RUBLES, price) if most_spare > 0 else -1
    if g.rubles[seat] < price:
        return -1
    points = -cost(g, seat, price)
    if verb == Guild.BUY:
        points += MISSING if most_lack > 0 and room(c, g, seat) > 0 else 0
    elif verb == Guild.DELIVER:
        points += DELIVERED * min(amount, deliverable(c, g, seat))
    elif verb == Guild.RUBLES:
        points += worth(c, g, seat, lack, RUBLES, gain)
    elif verb == Guild.EXCHANGE_EQUAL:
        points += (MISSING - SPARE) * gain if most_spare >= amount and most_lack > 0 else -1
    elif verb == Guild.EXCHANGE_ANY:
        points += MISSING - SPARE if most_spare > 0 and most_lack > 0 else -1
    elif verb == Guild.ACTIVATE:
        best = 0
        for slot in range(SLOTS):
            best = max(best, worth_of_tile(c, g, seat, lack, slot))
        points += best
    elif verb == Guild.RECOGNITION or verb == Guild.EACH_TYPE:
        points += SPOT * gain
    elif verb == Guild.DISCARD:
        points += EAGLE * gain if spare_kinds >= amount else -1
    elif verb == Guild.PRESTIGE:
        points += EAGLE * gain
    else:  # swapping market tiles
        points -= 1
    return points


@rule
def points_of_claim(c: Any, g: Any, seat: Any, tower: Any, source: Any) -> Any:
    """A section while few are open: one that pays well and misses little that is not in hand."""
    section = g.first[tower] + g.claimed[tower]
    open_sections = g.works[seat, CLAIMED]
    if open_sections >= len(OPENED):
        return -1
    points = OPENED[open_sections] + g.card[section, RECOGNITION] * 2 + g.card[section, RUBLES]
    for material in range(MATERIALS):
        points -= 2 * max(0, g.card[section, material] - g.goods[seat, material])
    return 2 * points + (source == INVENTORY)  # a banner from the inventory opens a space


@rule
def points_of_delivery(c: Any, g: Any, seat: Any, section: Any) -> Any:
    """What completes a section first; at the start of a turn only if the action is used well."""
    f = g.stack[g.depth - 1]
    left = c.deliveries if f[0] == START else f[1]
    misses = 0
    ready = True
    for material in range(MATERIALS):
        misses += g.card[section, material]
        if g.card[section, material] > g.goods[seat, material]:
            ready = False
    points = DELIVERED * min(left, deliverable(c, g, seat)) - misses
    if ready and misses <= left:
        points += COMPLETED + 2 * g.card[section, RECOGNITION]
    return points


@rule
def points_of_ornament(c: Any, g: Any, seat: Any, tower: Any) -> Any:
    """With gems if there are any; rather where the tower is contested."""
    f = g.stack[g.depth - 1]
    left = (c.deliveries if f[0] == START else f[1]) - 1
    prestige = 0
    for green in range(min(2, g.goods[seat, GREEN]) + 1):
        for purple in range(min(2 - green, g.goods[seat, PURPLE]) + 1):
            if green + purple <= left:
                prestige = max(prestige, c.gem_prestige[green, purple])
    others = 0
    for other in range(c.seats):
        if other != seat:
            others = max(others, g.presence[tower, other])
    behind = others - g.presence[tower, seat]
    return EAGLE * prestige + ADORNED * (behind == 0 or behind == 1)


@rule
def points_of_slot(c: Any, g: Any, seat: Any, slot: Any, up: Any) -> Any:
    """Face up where it is cheap, or where it frees an ornament; face down where it would be dear."""
    price = c.slot_price[seat, slot]
    if up:
        return 20 - 2 * price + 10 * (g.slot_ornament[seat, slot] >= 0)
    return price - 10 * (g.slot_ornament[seat, slot] >= 0)


@rule
def points_of_take(c: Any, g: Any, seat: Any, lack: Any, count: Any) -> Any:
    """What is missing, and some to spare while there is plenty of room."""
    material = g.stack[g.depth - 1, 1]
    if material == ANY:
        return -1
    useful = max(lack[material], 0) + max(0, room(c, g, seat) - 3)
    return count if count <= useful else -count
