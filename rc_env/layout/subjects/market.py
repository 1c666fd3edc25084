"""The market in the observation: the dice and the supply, market tiles, guild cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...edition import FULL
from ...jit import rule
from ...rules.printed.build_sizes import DICE, EFFECTS
from ...rules.printed.sizes import (
    DICE_PER_SPACE,
    MATERIALS,
    QUADRANTS,
    RESOURCE_NAMES,
    RESOURCES,
    SIDES,
    SPACES,
    WIDTH,
    WORD,
    WORDS_OF_RESOURCES,
    whole_words,
)
from ..packing import OF_RESOURCES, ONE, U, as_words, byte, effects_of, first_word
from ..pieces import (
    AMOUNT,
    DELIVERIES,
    EACH,
    GAINS,
    PAYMENTS,
    PRICE,
    SUPPLY,
    Part,
    Piece,
    Seating,
    each,
    materials,
    piece,
)

_CROWD, _SUPPLY = first_word("crowd"), first_word("supply")


def _dice_pieces(seating: Seating) -> list[Piece]:
    spaces = [f"space {i}" for i in range(SPACES)]
    values = ("1", "2", "3", "4", "5", "6", "blocked")
    return [
        piece("crowd", (), each(spaces, DICE_PER_SPACE), "dice on each space"),
        piece("supply", (), materials("", SUPPLY), "materials in the supply", WIDTH // WORD),
        piece("die_space", (DICE,), each(spaces), "where each die lies, in the order of moved_die, one-hot"),
        piece(
            "die_value",
            (DICE,),
            each(values),
            "what it shows, one-hot, and whether the space it would move to is full",
        ),
        piece(
            "die_yield",
            (DICE,),
            each(RESOURCE_NAMES, DICE_PER_SPACE * AMOUNT),
            "what the space it would move to yields: amount of the tile times the dice there with it",
        ),
        *(_full_pieces(seating) if FULL else []),
    ]


def _full_pieces(seating: Seating) -> list[Piece]:
    most = DICE_PER_SPACE * AMOUNT
    return [piece("die_permits", (), each(seating.dice, most), "permits that the space each die would move to yields")]


@rule
def _write_dice(c, v, g, words, me, seen):
    seen.word[v.crowd] = words.word[_CROWD]
    for k in range(OF_RESOURCES):
        seen.word[v.supply + k] = words.word[_SUPPLY + k]
    at_space, at_value, at_yield = v.die_space, v.die_value, v.die_yield
    most = c.dice_per_space
    permits = U(0)
    dice = c.dice if FULL else DICE  # the words of a die that is not in the game are 0 from the start
    for nth in range(U(dice)):
        die = U(c.die_seen[me, nth])
        space, value = g.die_space[die], g.die_value[die]
        target = U((space + value) & (SPACES - 1))
        there = g.crowd[target]
        full = there >= most
        seen.word[at_space + nth] = byte(1, space)
        seen.word[at_value + nth] = byte(1, value - 1) | byte(full, 6)
        tile, times = U(g.market[target]), U(0 if full else there + 1)
        for k in range(OF_RESOURCES):
            seen.word[at_yield + nth * OF_RESOURCES + k] = v.market_word[tile, k] * times
        if FULL:
            permits |= (U(v.permits_of_tile[tile]) * times) << (U(WORD) * nth)
    if FULL:
        seen.word[v.die_permits] = permits


DICE_PART = Part(_dice_pieces, _write_dice)


_EFFECT_WORDS = whole_words(12 + 2 * MATERIALS) // WORD
_OF_EFFECT = U(_EFFECT_WORDS)


def _tile_pieces(seating: Seating) -> list[Piece]:
    effect = [
        ("price", PRICE),
        ("payments", PAYMENTS),
        ("each", EACH),
        *materials("pay "),
        ("condition", 1),
        *each(("rubles", "recognition", "prestige"), PRICE),
        ("gains", GAINS),
        *materials("gain "),
        ("deliveries", DELIVERIES),
        *each(("tiles", "swaps", "unlimited")),
    ]
    return [
        piece("market", (SPACES,), each(RESOURCE_NAMES, AMOUNT), "market tile on each space: its amount"),
        piece(
            "guild",
            (QUADRANTS, SIDES),
            effect,
            "each action of the guild card in each quadrant: rubles that it costs; how many payments, how many "
            "materials each of them gives away, and which may be given; whether it needs a base, a middle and a "
            "dome finished; rubles, recognition and prestige received; how many materials of choice are received, "
            "and which may be; deliveries, workshop tiles activated, pairs of market tiles swapped; whether it may "
            "be repeated",
            _EFFECT_WORDS,
        ),
    ]


def _effect(c: Any, effect: int) -> list[int]:
    """The entries of `guild` of one action."""
    return [
        c.effect_price[effect],
        c.effect_payments[effect],
        c.effect_each[effect],
        *c.effect_pay_from[effect],
        c.effect_condition[effect],
        c.effect_rubles[effect],
        c.effect_recognition[effect],
        c.effect_prestige[effect],
        c.effect_gains[effect],
        *c.effect_gain_from[effect],
        c.effect_deliveries[effect],
        min(1, c.effect_tiles[effect]),  # how many activations: see `guild_more`
        c.effect_swaps[effect],
        c.effect_unlimited[effect],
    ]


def _fill(v: Any, c: Any, seating: Seating) -> None:
    for tile in range(SPACES):
        row = [0] * (WORD * WORDS_OF_RESOURCES)
        if c.market_kind[tile] < RESOURCES:  # permits have a piece of their own
            row[int(c.market_kind[tile])] = int(c.market_amount[tile])
        v.market_word[tile] = as_words(row, WORDS_OF_RESOURCES)
    effects = effects_of(c)
    for effect in range(EFFECTS):
        v.effect_word[effect] = as_words(_effect(effects, effect), _EFFECT_WORDS)


@rule
def _write_tiles(c, v, g, words, me, seen):
    place = v.market
    for space in range(U(SPACES)):
        tile = U(g.market[space])
        for k in range(OF_RESOURCES):
            seen.word[place] = v.market_word[tile, k]
            place += ONE
    place = v.guild
    for quadrant in range(U(QUADRANTS)):
        effect = U(SIDES * g.influence[quadrant])
        for _ in range(U(SIDES)):
            for k in range(_OF_EFFECT):
                seen.word[place] = v.effect_word[effect, k]
                place += ONE
            effect += ONE


TILES_PART = Part(
    _tile_pieces,
    _write_tiles,
    (
        ("market_word", np.uint64, (SPACES, WORDS_OF_RESOURCES)),  # by market tile
        ("effect_word", np.uint64, (EFFECTS, _EFFECT_WORDS)),  # by effect
    ),
    _fill,
)
