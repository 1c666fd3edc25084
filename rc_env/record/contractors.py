"""The module Contractors in a record: draws, Ivan's hiring, and its part of a position."""

import numpy as np

from ..jit import rule
from ..rules.printed.sizes import CITIES, CITY_NAMES, CONTRACTORS, SEATS, SPECIALIST_SLOTS, SPECIALISTS
from ..rules.solo import events as ivan_events
from .utf8 import entry, number, numbers, put, words

CITY_WORDS = words(CITY_NAMES)
_CITY = f'"": {{"open": false, "contractors": {[CONTRACTORS] * SEATS}}}, '
LONGEST = 500 + sum(len(name + _CITY) for name in CITY_NAMES) + SPECIALISTS * len("24, ")
"""Bytes of all that this module writes into a line, at most."""


@rule
def put_refill(refill, first, out, n):
    """A draw from the bag, if there was one; the first one of all draws opens their list, and leaves it open."""
    if refill[0] < 0:
        return n
    n = put(out, n, b', "draws": [{"slot": ' if first else b', {"slot": ')
    n = number(out, n, refill[0])
    n = put(out, n, b', "specialist": ')
    n = put_specialist(refill[1], out, n)
    return put(out, n, b"}")


@rule
def put_ivans_draws(g, out, n):
    """The draws of Ivan's last turn, left out if there were none."""
    begins = n
    for i in range(len(g.ivan_refill)):
        n = put_refill(g.ivan_refill[i], n == begins, out, n)
    return put(out, n, b"]") if n > begins else n


@rule
def is_second(g, i):
    """Whether an entry of the log is the second tile of an event: of two that he takes, or of a pair that goes back."""
    event = g.ivan_event[i, 0]
    second = False
    if event == ivan_events.SPECIALIST or event == ivan_events.RETURN:
        while i > 0 and g.ivan_event[i - 1, 0] == event:
            second = not second
            i -= 1
    return second


@rule
def put_specialist(tile, out, n):
    """A specialist by its number from 1, null for none."""
    return number(out, n, tile + 1) if tile >= 0 else put(out, n, b"null")


@rule
def put_specialists(tiles, out, n):
    """The specialists of a set of bits, ascending."""
    n = put(out, n, b"[")
    begins = n
    for tile in range(SPECIALISTS):
        if (np.int64(tiles) >> tile) & 1:
            if n > begins:
                n = put(out, n, b", ")
            n = number(out, n, tile + 1)
    return put(out, n, b"]")


@rule
def put_contractors(c, g, out, n):
    """The module's part of a position."""
    n = numbers(out, n, b', "permits": ', g.permits, c.seats)
    n = numbers(out, n, b', "contractors": ', g.contractors, c.seats)
    n = put(out, n, b', "cities": {')
    for city in range(CITIES):
        n = entry(out, n, city == 0, CITY_WORDS, city)
        n = put(out, n, b'{"open": true' if g.city_open[city] else b'{"open": false')
        n = numbers(out, n, b', "contractors": ', g.sent[city], c.seats)
        n = put(out, n, b"}")
    for slot in range(SPECIALIST_SLOTS):
        n = put(out, n, b'}, "specialists": [' if slot == 0 else b", ")
        n = put_specialist(g.offer[slot], out, n)
    n = put(out, n, b'], "bag": ')
    n = put_specialists(g.bag, out, n)
    for seat in range(c.seats):
        n = put(out, n, b', "specialist": [' if seat == 0 else b", ")
        n = put_specialist(g.specialist[seat], out, n)
    for seat in range(c.seats):
        n = put(out, n, b'], "tools": [' if seat == 0 else b", ")
        n = put_specialists(g.tools[seat], out, n)
    return put(out, n, b"]")
