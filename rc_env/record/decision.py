"""The line of a decision, except for the position after it, and the line of a turn of Ivan's."""

import numpy as np

from ..edition import FULL
from ..jit import rule
from ..rules.printed.build_sizes import DIE_NAMES, IVAN_CARDS
from ..rules.printed.sizes import EVENTS, ROLLED
from ..rules.solo import events as ivan_events
from ..words.expansion_notation import EXPANDED
from .contractors import CITY_WORDS, is_second, put_ivans_draws
from .expansion import is_hidden, put_draws
from .position import IVAN_WORDS, put_moment
from .utf8 import DIE_WORDS, entry, item, number, put, word, words

IVAN_EVENTS = tuple({"specialist": "specialists", "gain": "recognition"}.get(word, word) for word in ivan_events.EVENT)
"""The words of what happens in a turn of Ivan's, by the numbers in its log."""
EVENT_WORDS = words(IVAN_EVENTS)
ROLLS = ROLLED * (max(map(len, DIE_NAMES)) + len('{"": 6}, '))
LONGEST = 100 + ROLLS
LONGEST_IVAN = 100 + ROLLS + EVENTS * (max(map(len, IVAN_EVENTS)) + len(" ".join(DIE_NAMES)) + len('"", '))
"""Bytes of a line at most: of a decision, without its actions, and of a turn of Ivan's."""


@rule
def put_decision(g, after, action, names, view, out, n):
    """A decision, as far as its line does not depend on the position after it, without the closing bracket.

    g: the game before it. after: the game after it. names, view: as in `text.write`.
    """
    cards, verbs = names[2], names[3]
    n = put_moment(g, out, n)
    n = put(out, n, b', "action": "')
    if FULL and is_hidden(g, view):
        n = put(out, n, b"contract ?")
    else:
        n = word(out, n, verbs[g.seat], action)
    n = put(out, n, b'", "rolls": ')
    n = put_rolls(after.rolled, after.rolled_count, out, n)
    if FULL:
        n = put_draws(after, cards, view < 0 or g.seat == view, out, n)
    return n


@rule
def put_legal(g, mask, names, view, out, n):
    """The legal actions, unless the reader cannot know them. mask: (A,); names, view: as in `text.write`."""
    if FULL and is_hidden(g, view):
        return n
    verbs = names[3]
    n = put(out, n, b', "legal": [')
    first = True
    for action in range(len(mask)):
        if mask[action]:
            n = item(out, n, first, verbs[g.seat], action)
            first = False
    return put(out, n, b"]")


@rule
def put_rolls(rolled, count, out, n):
    """Rolls; `chance.roll` says how a game keeps them."""
    n = put(out, n, b"[")
    for i in range(count):
        opens, rest = rolled[i] // 60, rolled[i] % 60
        if opens:
            n = put(out, n, b"{" if i == 0 else b"}, {")
        n = entry(out, n, opens > 0, DIE_WORDS, rest // 10)
        n = number(out, n, rest % 10)
    return put(out, n, b"}]" if count > 0 else b"]")


@rule
def put_ivan_turn(g, bits, out, n):
    """A line with Ivan's last turn; in the full game one event has the recognition of his move, and none any other."""
    n = put(out, n, b'{"seat": 1, "point": "ivan turn", "events": [')
    first, gained = True, 0
    for i in range(g.ivan_events):
        event, value = np.int64(g.ivan_event[i, 0]), np.int64(g.ivan_event[i, 1])
        if FULL and bits & EXPANDED:
            if event == ivan_events.GAIN:
                gained += value
                continue
            if event == ivan_events.CARD and gained > 0:
                n = put_event(g, ivan_events.GAIN, gained, first, out, n)
                first = False
        if FULL and is_second(g, i):
            n = number(out, put(out, n - 1, b" "), value + 1)  # into the event before, in the place of its last mark
            n = put(out, n, b'"')
            continue
        n = put_event(g, event, value, first, out, n)
        first = False
    n = put(out, n, b'], "rolls": ')
    n = put_rolls(g.ivan_rolled, g.ivan_rolled_count, out, n)
    if FULL:
        n = put_ivans_draws(g, out, n)
    return put(out, n, b"}\n")


@rule
def put_event(g, event, value, first, out, n):
    """An event of Ivan's turn, the first one of the list or not."""
    n = put(out, n, b'"' if first else b', "')
    n = word(out, n, EVENT_WORDS, event)
    n = put(out, n, b" ")
    if event == ivan_events.SHUFFLE:
        for place in range(IVAN_CARDS):
            if g.ivan_tile[place] >= 0:
                if place:
                    n = put(out, n, b" ")
                n = word(out, n, DIE_WORDS, g.ivan_tile[place])
    elif event == ivan_events.ADORN or event == ivan_events.COMPLETE:
        n = number(out, n, g.tower[value] + 1)
        n = put(out, n, b".")
        n = number(out, n, g.level[value] + 1)
    elif event == ivan_events.MOVE or event == ivan_events.BLOCKED:
        n = word(out, n, DIE_WORDS, value)
    elif event == ivan_events.CARD:
        n = word(out, n, IVAN_WORDS, value)
    elif event == ivan_events.HIRE:
        n = word(out, n, CITY_WORDS, value)
    elif event == ivan_events.CLAIM or event == ivan_events.SPECIALIST or event == ivan_events.RETURN:
        n = number(out, n, value + 1)
    elif event == ivan_events.GAIN or event == ivan_events.GAINED or event == ivan_events.PRESTIGE:
        n = number(out, n, value)
    return put(out, n, b'"')
