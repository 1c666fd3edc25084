"""The master builders: cathedral cards drawn for what they show, and goods of one's own sections (R-78)."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import chance, track
from ..goods import receive, room
from ..points import (
    EFFECT,
    POINT,
    TAKE_CARD,
    TAKE_MATERIAL,
    TAKE_PIECES,
    Point,
    pop,
    push,
)
from ..printed.expansion_vocabulary import SECTION_RUBLES
from ..printed.sizes import CARDS_DRAWN, CARDS_IN_ALL, MATERIALS, RECOGNITION, RUBLES
from ..verbs import Verb, offer

NONE = -1
ONE = np.uint64(1)


FROM_CARD = 100
"""TAKE_MATERIAL of a frame about what a drawn card shows: one piece is any resource of it, two are materials, each
printed piece once."""
CARD_PIECES = 4
"""Added to TAKE_PIECES of a frame that gives two materials, so that it is told from one of a resource."""


# --- the deck


@rule
def set_up(c, g):
    """The cathedral cards that are not in the game are the deck (R-78)."""
    g.builder_deck = 0
    for card in range(c.cards):
        g.builder_deck |= ONE << np.uint64(card)
    for section in range(c.sections):
        g.builder_deck &= ~(ONE << np.uint64(g.number[section]))
    g.discard[:] = NONE
    g.discards = 0
    g.drawn_card[:] = NONE
    g.card_draws = 0


@rule
def size(deck):
    """The number of cards in the deck."""
    count = 0
    for card in range(CARDS_IN_ALL):
        count += np.int64((deck >> np.uint64(card)) & ONE)
    return count


@rule
def enough(g, cards):
    """Whether `count` cards can be drawn, discards included."""
    return size(g.builder_deck) + g.discards >= cards


@rule
def draw_one(g, i):
    """Draw a card, each of the deck as likely; an empty deck is made of the discards first."""
    count = size(g.builder_deck)
    if count == 0:
        for k in range(g.discards):
            g.builder_deck |= ONE << np.uint64(g.discard[k])
            g.discard[k] = NONE
        count = np.int64(g.discards)
        g.discards = 0
    place = chance.below(g.key, chance.BUILDERS, g.card_draws, count)
    g.card_draws += 1
    found = np.int64(NONE)
    for card in range(CARDS_IN_ALL):
        if (g.builder_deck >> np.uint64(card)) & ONE:
            if place == 0:
                found = np.int64(card)
            place -= 1
    forced = np.int64(g.forced_card[i])
    if forced >= 0 and (g.builder_deck >> np.uint64(forced)) & ONE:
        found = forced
    g.builder_deck &= ~(ONE << np.uint64(found))
    g.drawn_card[i] = found
    g.log_card[i] = found


@rule
def draw(c, g, effect, cards):
    """Draw one card, or two of which the player says which one gives two materials."""
    g.version += 1
    for i in range(cards):
        draw_one(g, i)
    if cards == 1:
        open_materials(c, g, effect, 0)
    else:
        push(g, Point.CARD, effect, 0, 0, 0)


@rule
def legal_card(c, g, menu, n):
    """List the choices of the card that gives two materials."""
    for i in range(CARDS_DRAWN):
        n = offer(c, menu, n, Verb.CARD, i, 0, 0)
    return n


@rule
def choose_card(c, g, which):
    """Let this card give two materials, then the other one a single resource."""
    effect = g.stack[g.depth - 1, EFFECT]
    pop(g)
    push(g, Point.TAKE, effect, FROM_CARD, 1, 1 - which)
    open_materials(c, g, effect, which)


@rule
def open_materials(c, g, effect, which):
    """Open the choice of two materials of a card's cost."""
    g.version += 1
    card = g.drawn_card[which]
    for material in range(MATERIALS):
        g.drawn_left[material] = c.card[card, material]
    push(g, Point.TAKE, effect, FROM_CARD, 2 + CARD_PIECES, which)


@rule
def legal_take(c, g, seat, menu, n):
    """List the materials that the card still shows, as far as room and supply reach, and taking nothing (R-61)."""
    f = g.stack[g.depth - 1]
    materials_only = f[TAKE_PIECES] > CARD_PIECES
    card = g.drawn_card[f[TAKE_CARD]]
    if room(c, g, seat) > 0:
        for material in range(MATERIALS):
            left = g.drawn_left[material] if materials_only else c.card[card, material]
            if left > 0 and g.supply[material] > 0:
                n = offer(c, menu, n, Verb.GAIN, material, 0, 0)
    if not materials_only:
        if c.card[card, RUBLES] > 0:
            n = offer(c, menu, n, Verb.GAIN_RUBLES, 0, 0, 0)
        if c.card[card, RECOGNITION] > 0:
            n = offer(c, menu, n, Verb.GAIN_RECOGNITION, 0, 0, 0)
    n = offer(c, menu, n, Verb.TAKE, 0, 0, 0)
    return n


@rule
def take(g, seat, material):
    """Take one of a material."""
    g.version += 1
    f = g.stack[g.depth - 1]
    receive(g, seat, material, 1)
    if f[TAKE_PIECES] > CARD_PIECES:
        g.drawn_left[material] -= 1
        f[TAKE_PIECES] -= 1
        if f[TAKE_PIECES] > CARD_PIECES:
            return
    end_gain(g)


@rule
def take_rubles(g, seat):
    """Take 1 ruble as the resource."""
    g.rubles[seat] += 1
    end_gain(g)


@rule
def take_recognition(g, seat):
    """Take 1 recognition as the resource."""
    track.gain_recognition(g, seat, 1)
    end_gain(g)


@rule
def end_gain(g):
    """The gains of a card are over; after the last one the drawn cards are discarded in the order of drawing."""
    g.version += 1
    pop(g)
    f = g.stack[g.depth - 1]
    if f[POINT] == Point.TAKE and f[TAKE_MATERIAL] == FROM_CARD:
        return
    for i in range(CARDS_DRAWN):
        if g.drawn_card[i] >= 0:
            g.discard[g.discards] = g.drawn_card[i]
            g.discards += 1
            g.drawn_card[i] = NONE
    g.drawn_left[:] = 0


# --- rubles or recognition of one's own section


@rule
def section_gain(c, g, seat, effect, section):
    """The gain from an own unfinished section: its rubles, or a part of its recognition."""
    if g.owner[section] != seat or g.finished[section]:
        return 0
    if c.effect_mode[effect] == SECTION_RUBLES:
        return np.int64(g.card[section, RUBLES])
    return np.int64(g.card[section, RECOGNITION]) // c.effect_divisor[effect]


@rule
def any_section(c, g, seat, effect):
    """Whether any own section gives something."""
    for section in range(c.sections):
        if section_gain(c, g, seat, effect, section) > 0:
            return True
    return False


@rule
def legal_section(c, g, seat, effect, menu, n):
    """List the own sections that give something."""
    for section in range(c.sections):
        if section_gain(c, g, seat, effect, section) > 0:
            n = offer(c, menu, n, Verb.SECTION, g.tower[section], g.level[section], 0)
    return n


@rule
def gain_of_section(c, g, seat, section):
    """Gain it; the section stays as it is."""
    effect = g.stack[g.depth - 1, EFFECT]
    gain = section_gain(c, g, seat, effect, section)
    pop(g)
    if c.effect_mode[effect] == SECTION_RUBLES:
        g.rubles[seat] += gain
    else:
        track.gain_recognition(g, seat, gain)
