"""The log of events in Ivan's turn, for the game record and the pictures."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from .. import track
from ..printed.sizes import EVENTS

SEAT, PLAYER = 1, 0

EVENT = (
    "shuffle", "adorn", "move", "blocked", "recognition", "card", "claim", "complete",
    "hire", "prestige", "specialist", "gain", "return",
)  # fmt: skip
"""What is logged; `gain` is recognition that specialists give, and two entries of `return` name a pair of tiles."""
SHUFFLE, ADORN, MOVE, BLOCKED, GAIN, CARD, CLAIM, COMPLETE, HIRE, PRESTIGE, SPECIALIST, GAINED, RETURN = range(13)
MOST = 127  # what fits into the log
U = np.uint64  # unsigned, as an index: it needs no check for counting from the end


@rule
def log(g, event, value):
    """Write an event down: a section, a die, an amount, a card or a tower, as the event is."""
    n = U(g.ivan_events)
    if n < EVENTS:
        g.ivan_event[n, 0] = event
        g.ivan_event[n, 1] = value if value < MOST else MOST
        g.ivan_events += 1


@rule
def gain(g, amount):
    """He gains recognition."""
    if amount > 0:
        track.gain_recognition(g, SEAT, amount)
        log(g, GAIN, amount)
