"""The full game's additions to a record: draws in the line of a decision, and its part of a position."""

from ..jit import rule
from ..rules.expansion import reinforcements
from ..rules.points import POINT, Point
from ..rules.printed.sizes import CARDS_DRAWN, CONTRACTS_DRAWN, DISCARDS, HAND, REINFORCEMENT_NAMES, SPECIAL_NAMES
from ..rules.printed.sizes import CONTRACTS as CONTRACT_CARDS
from ..words.expansion_notation import CARDS, CONTRACTS, FOREMAN, MODULE, REINFORCEMENTS, SPECIAL
from .contractors import put_contractors, put_refill
from .utf8 import item, number, put, quoted, words

REINFORCEMENT_WORDS, SPECIAL_WORDS = words(REINFORCEMENT_NAMES), words(SPECIAL_NAMES)
LONGEST = 600 + (2 * DISCARDS + CARDS_DRAWN) * len('"middle/20", ') + 4 * CONTRACT_CARDS * len("15, ")
LONGEST += 3 * sum(len(f'"{name}", ') for name in REINFORCEMENT_NAMES) + 4 * len('"material", ')
"""Bytes of all that this module writes into a line, at most."""


@rule
def is_hidden(g, view):
    """Whether the seat that decides chooses among contracts that the seat `view`, which is to read this, cannot see."""
    point = g.stack[g.depth - 1, POINT]
    return view >= 0 and g.seat != view and (point == Point.KEEP or point == Point.RETURN)


@rule
def put_draws(g, cards, seen, out, n):
    """The draws since the last decision, left out if there were none; contracts as a count unless `seen`."""
    begins = n
    n = put_refill(g.log_refill, True, out, n)
    if g.log_contract[0] >= 0:
        n = put(out, n, b', "draws": [{"contracts": ' if n == begins else b', {"contracts": ')
        n = put_contracts(g.log_contract, CONTRACTS_DRAWN, seen, out, n)
        n = put(out, n, b"}")
    if g.log_card[0] >= 0:
        n = put(out, n, b', "draws": [{"cards": ' if n == begins else b', {"cards": ')
        n = put_cards(g.log_card, CARDS_DRAWN, cards, out, n)
        n = put(out, n, b"}")
    return put(out, n, b"]") if n > begins else n


@rule
def put_contracts(held, places, seen, out, n):
    """Contracts by their numbers from 1, or how many there are; free places hold -1 and come last."""
    count = 0
    for i in range(places):
        count += held[i] >= 0
    if not seen:
        return number(out, n, count)
    n = put(out, n, b"[")
    for i in range(count):
        if i:
            n = put(out, n, b", ")
        n = number(out, n, held[i] + 1)
    return put(out, n, b"]")


@rule
def put_cards(held, places, cards, out, n):
    """Cathedral cards in words; free places hold -1 and come last."""
    n = put(out, n, b"[")
    for i in range(places):
        if held[i] >= 0:
            n = item(out, n, i == 0, cards, held[i])
    return put(out, n, b"]")


@rule
def put_reinforcements(g, place, out, n):
    """The reinforcement tiles that a seat holds, or that are left to take."""
    n = put(out, n, b"[")
    first = True
    for tile in range(len(REINFORCEMENT_NAMES)):
        if g.reinforcement[tile] == place:
            n = item(out, n, first, REINFORCEMENT_WORDS, tile)
            first = False
    return put(out, n, b"]")


@rule
def put_expansion(c, g, cards, bits, view, out, n):
    """The part of a position for the module, the guilds of the expansion and the promos."""
    if bits & MODULE:
        n = put_contractors(c, g, out, n)
    if bits & FOREMAN:
        n = put(out, n, b', "foreman": ')
        n = number(out, n, g.foreman + 1)
    if bits & CONTRACTS:
        n = put(out, n, b', "contracts": [')
        for seat in range(c.seats):
            if seat:
                n = put(out, n, b", ")
            n = put_contracts(g.hand[seat], HAND, view < 0 or seat == view, out, n)
        n = put(out, n, b'], "contract_deck": ')
        n = put_contracts(g.contract_deck, CONTRACT_CARDS, view < 0, out, n)
        if g.drawn_contract[0] >= 0:
            n = put(out, n, b', "drawn_contracts": ')
            n = put_contracts(g.drawn_contract, CONTRACTS_DRAWN, view < 0 or g.seat == view, out, n)
    if bits & CARDS:
        n = put(out, n, b', "card_discard": ')
        n = put_cards(g.discard, DISCARDS, cards, out, n)
        if g.drawn_card[0] >= 0:
            n = put(out, n, b', "drawn_cards": ')
            n = put_cards(g.drawn_card, CARDS_DRAWN, cards, out, n)
    if bits & REINFORCEMENTS:
        n = put(out, n, b', "reinforcements": ')
        n = put_reinforcements(g, reinforcements.LEFT, out, n)
        for seat in range(c.seats):
            n = put(out, n, b', "reinforcements_held": [' if seat == 0 else b", ")
            n = put_reinforcements(g, seat, out, n)
        n = put(out, n, b"]")
    if bits & SPECIAL:
        for seat in range(c.seats):
            n = put(out, n, b', "special": [' if seat == 0 else b", ")
            n = quoted(out, n, SPECIAL_WORDS, g.special[seat])
        n = put(out, n, b"]")
    return n
