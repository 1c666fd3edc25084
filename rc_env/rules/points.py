"""The stack of open decision points: one mechanism for every interruption.

A benefit inside a guild action inside the market is three frames on `GAME.stack`; the one on top is the current
decision point. A frame is (point, effect, a, b, c): `effect` is the number of the effect that it serves (`effects.py`),
or -1; what a, b and c mean is said beside each point.
"""

from __future__ import annotations

import enum

import numpy as np

from ..edition import FULL
from ..jit import rule

POINT, EFFECT, A, B, C = range(5)  # entries of a frame
NO_EFFECT = -1
NO_POINT = -1


class Point(enum.IntEnum):
    """The kinds of decision points."""

    START = 0  # the main action, at the start of a turn
    PLACE = 1  # where a tile goes; a: the section that it lies on
    TAKE = 2  # how many of a material; a: material or ANY, b: the most that can be taken, c: 1 if none may be taken
    MARKET = 3  # what to use of the space on which the die has landed
    PAY = 4  # what to give for an effect; a: payments left, b: the first material that may still be given
    GAIN = 5  # what to receive of an effect; a: gains left, b: a material that is not given, or -1
    TILE = 6  # which workshop tile an effect activates
    SWAP = 7  # which two market tiles an effect swaps
    BUILD = 8  # what to deliver; a: deliveries left, b: 1 after the first delivery
    GEMS = 9  # the gems of an ornament; a: its section; deliveries left are in the BUILD frame below
    END = 10  # whether to end the turn, after the main action
    IVAN = 11  # solo, for Ivan; a: CLAIMS or ADORNS of `ivan.py`, which says what b and c are
    # Of the full game. PLACE has b: 1 once the placement is free, c: 1 if a specialist's claim led to it. TAKE of any
    # material has b: how many pieces, and of a drawn card other numbers (`builders.py`). TILE has a: activations left,
    # b: 1 + the slot that was used.
    SPECIAL = 12  # which special tile, before the first turn
    RESOURCE = 13  # which market space; a: what it yields (`resources.py`), c: 1 if nothing may be taken
    INFLUENCE = 14  # which guild action; a, b, c: see `influence.py`
    FOREMAN = 15  # how far the foreman moves
    PLAYER = 16  # which other player; a: why (`players.py`), b: the material that is given
    EXTRA = 17  # a further market action; a: actions left, b: what was used (`extra.py`)
    CARD = 18  # which of two drawn cathedral cards gives two materials
    SECTION = 19  # which section; a: why (`builders.py`), b: the slot of the tile that is given
    KEEP = 20  # which of three drawn contracts is kept
    RETURN = 21  # which of four contracts is returned
    REINFORCEMENT = 22  # which reinforcement tile is taken
    HIRE = 23  # which specialist is engaged or dismissed; a: the city to which the contractor was sent
    BOTH = (
        24  # a material of choice and a delivery; a: what is left of the two (`specialists.py`), b: 1 after the first
    )
    SPEND = 25  # how many rubles are spent
    DISCARD = 26  # which ornament is discarded
    CLAIM = 27  # which section is claimed, by a specialist


POINTS = tuple(point.name.lower() for point in Point if FULL or point <= Point.IVAN)
"""The words of the game record."""
OPTIONAL = np.isin(list(Point), [Point.START, Point.PLACE, Point.MARKET, Point.BUILD, Point.END, Point.HIRE])
"""The points at which prestige may be given up for rubles, for a re-roll or for a permit (R-10, R-49)."""
ENDS_EARLY = np.isin(list(Point), [Point.BUILD, Point.TILE, Point.RESOURCE, Point.INFLUENCE, Point.EXTRA, Point.BOTH])
"""The points at which "done" declines what is left."""


@rule
def count_turn(g):
    """Count a turn more, and forget what was kept of the last one."""
    g.turn += 1
    forget_turn(g)


@rule
def forget_turn(g):
    """Reset what was done in this turn."""
    g.rerolled = 0
    g.die = -1
    g.space = -1
    g.obtained = 0
    g.worked = 0
    g.influenced = -1
    g.influence_open = 0
    if FULL:
        g.reinforced = 0


@rule
def push(g, point, effect, a, b, c):
    """Open a decision point on top of the current one."""
    f = g.stack[g.depth]
    f[POINT] = point
    f[EFFECT] = effect
    f[A] = a
    f[B] = b
    f[C] = c
    g.depth += 1


@rule
def begin_turn(g, seat):
    """A turn begins."""
    count_turn(g)
    g.seat = seat
    push(g, Point.START, NO_EFFECT, 0, 0, 0)


@rule
def pop(g):
    """Close the current decision point."""
    g.depth -= 1
