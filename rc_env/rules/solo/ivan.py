"""Ivan Yakovlevich, the architect of the solo game, who plays by a row of cards (R-30, R-31).

He sits on seat 1, has no board, and decides nothing: his turn runs by itself, and where the rules leave it to the
player where he claims or adorns, a frame (IVAN, CLAIMS or ADORNS, …) waits for that. `take_turn` and `adorn` return
whether his turn is over.
"""

from __future__ import annotations

import numpy as np

from ...edition import FULL
from ...jit import rule, solo_rule
from .. import build, chance, ending, track, workshop
from ..guilds import card_of, effect_of
from ..points import (
    IVAN_CHOICE,
    IVAN_ORNAMENT,
    IVAN_OWNER,
    IVAN_WHERE,
    NO_EFFECT,
    Point,
    count_turn,
    pop,
    push,
)
from ..printed.build_sizes import DICE, IVAN_CARDS
from ..printed.sizes import ADORNED, BANNERS_SPARE, CLAIMED, LEVELS, MATERIALS, RECOGNITION, RUBLES, SIDES, SPACES
from ..printed.vocabulary import NO_CONDITION
from ..verbs import Verb, number
from . import contractors as ivan_contractors
from .events import ADORN, BLOCKED, CARD, CLAIM, COMPLETE, MOVE, PLAYER, SEAT, SHUFFLE, U, gain, log

CARDS = ("recognition", "inventory", "transport", "claim", "construction", "hire")  # by GAME.ivan_card
RECOGNITION_CARD, INVENTORY_CARD, TRANSPORT_CARD, CLAIM_CARD, CONSTRUCTION_CARD = 0, 1, 2, 3, 4
INVENTORY, CONSTRUCTION = 0, 1  # GAME.ivan_goods
MISSES = RUBLES  # the place in GAME.card of how many materials a section of his still misses

CLAIMS, ADORNS = 0, 1  # what the player chooses for him, in a frame of the stack
ABOVE_PLAYER, BASES, ANYWHERE = 0, 1, 2  # where he would claim

ONE = np.uint64(1)


# --- setup


@solo_rule
def set_up(c, g, fixed):
    """Set Ivan up: cards in a random row, a face-up tile on each, banners, ornaments, and his first claim (R-30 a)."""
    if FULL:  # of a card that is not in the game
        g.ivan_card[:] = -1
        g.ivan_tile[:] = -1
        g.ivan_up[:] = 0
    for i in range(c.ivan_cards):
        g.ivan_card[i] = i
        g.ivan_tile[i] = i
        g.ivan_up[i] = 1
    chance.shuffle(g.ivan_card, c.ivan_cards, g.key, chance.IVAN_CARDS)
    chance.shuffle(g.ivan_tile, c.ivan_cards, g.key, chance.IVAN_TILES)
    for i in range(IVAN_CARDS):  # one by one: to copy an array, Numba compiles 40 functions for the words of an error
        if fixed.ivan_card[0] >= 0:
            g.ivan_card[i] = fixed.ivan_card[i]
        if fixed.ivan_tile[0] >= 0:
            g.ivan_tile[i] = fixed.ivan_tile[i]
    g.ivan_forced[:] = -1
    g.ivan_goods[:] = 0
    g.ivan_turns = 0
    g.ivan_rolled[:] = 0
    g.ivan_rolled_count = 0
    g.track[SEAT] = c.ivan_start
    g.goods[SEAT, BANNERS_SPARE] = c.banners_inventory + c.banners_spare
    for kind in range(3):
        g.works[SEAT, kind] = c.ornaments[kind]
    first = 0
    for tower in range(c.towers):
        if g.card[g.first[tower], RECOGNITION] > g.card[g.first[first], RECOGNITION]:
            first = tower
    g.ivan_dealt = g.tile[g.first[first]]
    take_section(c, g, first)
    if FULL and c.module:
        ivan_contractors.set_up(c, g)
    g.ivan_event[:] = 0  # no turn of his yet
    g.ivan_events = 0


# --- his turn


@solo_rule
def take_turn(c, g):
    """Take Ivan's turn (R-30 b): the ornament step and new tiles if all are face down, then a die and a card."""
    count_turn(g)
    g.ivan_events = 0
    g.ivan_rolled_count = 0
    if FULL:
        g.ivan_refill[:] = -1
    if next_place(c, g) == c.ivan_cards:
        owner = adornable(c, g)
        if owner >= 0:
            push(g, Point.IVAN, NO_EFFECT, ADORNS, c.ivan_ornament[U(g.works[SEAT, ADORNED])], owner)
            return False
        lay_tiles(c, g)
    return play_card(c, g)


@rule
def next_place(c, g):
    """The leftmost card with a face-up tile, behind the last one if there is none."""
    found = c.ivan_cards
    for i in range(c.ivan_cards):  # from the right, without a branch that the processor would have to guess
        place = c.ivan_cards - 1 - i
        found = place if g.ivan_up[place] else found
    return found


@rule
def play_card(c, g):
    """Move the die, turn the tile, do what the card says (R-30 b, c)."""
    place = U(next_place(c, g))
    move(c, g, U(g.ivan_tile[place]))
    g.ivan_up[place] = 0
    card = g.ivan_card[place]
    log(g, CARD, card)
    if card == RECOGNITION_CARD:
        gain(g, c.ivan_recognition)
    elif card == INVENTORY_CARD:
        store(c, g)
    elif card == TRANSPORT_CARD:
        for material in range(MATERIALS):
            g.ivan_goods[CONSTRUCTION, material] += g.ivan_goods[INVENTORY, material]
            g.ivan_goods[INVENTORY, material] = 0
    elif card == CLAIM_CARD:
        return not must_claim(c, g)
    elif not FULL or card == CONSTRUCTION_CARD:
        construct(c, g)
    else:
        ivan_contractors.send(c, g)
    return True


@rule
def move(c, g, die):
    """Move the die and roll where it lands, for the recognition there alone; a full space blocks it (R-30 b)."""
    space = U((g.die_space[die] + g.die_value[die]) % SPACES)
    if g.crowd[space] >= c.dice_per_space:
        log(g, BLOCKED, die)
        return
    log(g, MOVE, die)
    g.crowd[U(g.die_space[die])] -= 1
    g.crowd[space] += 1
    g.die_space[die] = space
    tile = U(g.market[space])
    if c.market_kind[tile] == RECOGNITION:
        gain(g, c.market_amount[tile] * g.crowd[space])
    free = 0
    for side in range(SIDES):
        effect = effect_of(card_of(g, space), side)
        free = max(free, c.effect_recognition[effect] * is_free(c, effect))
    gain(g, free)
    roll_space(g, space)


@rule
def is_free(c, effect):
    """1 for an effect without price, payment and condition, else 0."""
    free = (c.effect_price[effect] | c.effect_payments[effect]) == 0 and c.effect_condition[effect] == NO_CONDITION
    if FULL:
        prices = c.effect_price_recognition[effect] + c.effect_price_permits[effect]
        free = free and prices + c.effect_fixed[effect].sum() == 0
    return int(free)


@rule
def roll_space(g, space):
    """Roll all dice on the space, from streams of his own: the player's next rolls stay what they are."""
    opens = 1
    n = U(0)
    for die in range(DICE):
        if g.die_space[die] == space:
            value = chance.forced(g, 1 + chance.below(g.key, chance.IVAN_DICE + die, g.ivan_turns, 6))
            g.die_value[die] = value
            g.ivan_rolled[n] = 10 * die + value + 60 * opens
            n += ONE
            opens = 0
    g.ivan_rolled_count = n


@rule
def lay_tiles(c, g):
    """Mix his tiles and lay them anew, face up (R-30 b)."""
    for i in range(c.ivan_cards):
        g.ivan_tile[i] = i
        g.ivan_up[i] = 1
    first = g.ivan_turns * c.ivan_cards  # other outcomes each time
    for i in range(c.ivan_cards - 1, 0, -1):
        j = chance.below(g.key, chance.IVAN_MIX, first + i, i + 1)
        g.ivan_tile[i], g.ivan_tile[j] = g.ivan_tile[j], g.ivan_tile[i]
    if g.ivan_forced[0] >= 0:
        for i in range(IVAN_CARDS):
            g.ivan_tile[i] = g.ivan_forced[i]
    log(g, SHUFFLE, 0)


# --- his cards


@rule
def store(c, g):
    """Inventory: materials one at a time from the pile that then holds most, of equal ones the first (R-30 c)."""
    for _ in range(c.ivan_materials):
        largest = 0
        for material in range(MATERIALS):  # as one number, so that no comparison has to be guessed
            largest = max(largest, (np.int64(g.supply[material]) << 3) + MATERIALS - material)
        if largest >> 3:
            most = U(MATERIALS - (largest & 7))
            g.supply[most] -= 1
            g.ivan_goods[INVENTORY, most] += 1


@rule
def may_claim(g, tower, where):
    """Whether the tower's section on offer is one of those (R-30 c)."""
    level = g.claimed[tower]
    below = U(g.first[tower] + level - (level > 0))
    fits = (where == ANYWHERE) | ((where == BASES) & (level == 0))
    fits |= (where == ABOVE_PLAYER) & (level > 0) & (g.owner[below] == PLAYER)
    return fits & (level < g.height[tower])


@rule
def must_claim(c, g):
    """Claim: right above the player's sections, else a base, else anywhere; whether the choice is open (R-30 c)."""
    if g.goods[SEAT, BANNERS_SPARE] > 0:
        above, bases, others = 0, 0, 0
        for tower in range(c.towers):  # counted, not searched: the processor need not guess
            above += may_claim(g, tower, ABOVE_PLAYER)
            bases += may_claim(g, tower, BASES)
            others += may_claim(g, tower, ANYWHERE)
        if others > 0:
            push(g, Point.IVAN, NO_EFFECT, CLAIMS, ABOVE_PLAYER if above > 0 else (BASES if bases > 0 else ANYWHERE), 0)
            return True
    return False


@solo_rule
def claim(c, g, tower):
    """Claim the section that the player chose for Ivan, which ends his turn."""
    pop(g)
    log(g, CLAIM, tower)
    take_section(c, g, tower)


@rule
def take_section(c, g, tower):
    """A banner on the section on offer. Its tile leaves the game; that of a recognition tile is gained (R-30 a, c)."""
    section = g.first[tower] + g.claimed[tower]
    g.claimed[tower] += 1
    g.owner[section] = SEAT
    g.goods[SEAT, BANNERS_SPARE] -= 1
    g.works[SEAT, CLAIMED] += 1
    g.version += 1
    g.card[section, MISSES] = 0
    for material in range(MATERIALS):  # from now on: what lies on the card
        g.card[section, MISSES] += g.card[section, material]
        g.card[section, material] = 0
    if FULL:
        g.ivan_tower = tower  # his city marker follows each claim
    tile = g.tile[section]
    g.tile[section] = -1
    effect = workshop.effect_of(tile)
    if c.effect_resource[effect] == RECOGNITION:
        gain(g, c.effect_amount[effect])


@rule
def construct(c, g):
    """Construction: materials onto his sections, level by level from the bases up, each from left to right (R-30 c).

    With `construction = "towers"` in the data file tower by tower from the left, each from base to dome.
    """
    left = 0
    for material in range(MATERIALS):
        left += g.ivan_goods[CONSTRUCTION, material]
    if c.ivan_by_towers:  # as sections are counted
        section = 0
        while left > 0 and section < c.sections:
            left = lay(c, g, U(section), left)
            section += 1
        return
    level = 0
    while left > 0 and level < LEVELS:
        for tower in range(c.towers):
            if level < g.height[tower]:
                left = lay(c, g, U(g.first[tower] + level), left)
        level += 1


@rule
def lay(c, g, section, left):
    """Lay what the section misses of the materials left, of any kind, in the order of kinds; how many stay (R-30 c)."""
    if left > 0 and g.owner[section] == SEAT and not g.finished[section]:
        g.version += 1
        material = U(0)
        while left > 0 and g.card[section, MISSES] > 0:
            laid = min(g.card[section, MISSES], g.ivan_goods[CONSTRUCTION, material])
            g.ivan_goods[CONSTRUCTION, material] -= laid
            g.card[section, material] += laid
            g.card[section, MISSES] -= laid
            left -= laid
            material += ONE
        if g.card[section, MISSES] == 0:
            complete(c, g, section)
    return left


@rule
def complete(c, g, section):
    """Materials to the supply, the recognition to him, but no rubles; penalties, perhaps the ending (R-16, R-31)."""
    log(g, COMPLETE, section)
    for material in range(MATERIALS):
        g.supply[material] += g.card[section, material]
        g.card[section, material] = 0
    gain(g, g.card[section, RECOGNITION])
    build.finish(c, g, SEAT, section)


# --- his ornaments


@rule
def may_adorn(g, section, kind, owner):
    """Whether that seat has finished the section and an ornament of the kind can go there (R-30 d)."""
    return g.finished[section] and g.owner[section] == owner and g.kind[section] == kind and g.ornament[section] < 0


@rule
def adornable(c, g):
    """Whose sections his next ornament goes on: the player's, else his own, else -1 (R-30 d)."""
    placed = g.works[SEAT, ADORNED]
    if placed < len(c.ivan_ornament):
        for owner in range(2):
            for section in range(c.sections):
                if may_adorn(g, section, c.ivan_ornament[placed], owner):
                    return owner
    return -1


@solo_rule
def adorn(c, g, section):
    """Place the ornament for 1 prestige; new tiles, and his turn goes on (R-30 b, d)."""
    pop(g)
    g.works[SEAT, g.kind[section]] -= 1
    g.works[SEAT, ADORNED] += 1
    g.ornament[section] = SEAT
    g.version += 1
    log(g, ADORN, section)
    track.gain_prestige(c, g, SEAT, c.ivan_prestige)
    ending.standing(c, g, g.tower[section])
    lay_tiles(c, g)
    return play_card(c, g)


# --- what the player chooses for him


@solo_rule
def legal(c, g, menu, n):
    """List every section that the card or the ornament step allows."""
    f = g.stack[g.depth - 1]
    if f[IVAN_CHOICE] == CLAIMS:
        for tower in range(c.towers):
            menu.action[n] = number(c, Verb.IVAN_CLAIM, tower, 0, 0)
            n += may_claim(g, tower, f[IVAN_WHERE])
        return n
    for section in range(c.sections):
        menu.action[n] = number(c, Verb.IVAN_ADORN, g.tower[section], g.level[section], 0)
        n += may_adorn(g, section, f[IVAN_ORNAMENT], f[IVAN_OWNER])
    return n
