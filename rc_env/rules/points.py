"""The stack of open decision points: one mechanism for every interruption.

A benefit inside a guild action inside the market is three frames on `GAME.stack`; the one on top is the current
decision point. A frame is the point, the number of the effect that it serves (`effects.py`) or -1, and three numbers
with names of their own at each point: `f[BUILD_LEFT]` are the deliveries that are left at BUILD.
"""

from __future__ import annotations

import enum

import numpy as np

from ..edition import FULL
from ..jit import rule

POINT, EFFECT, FIRST, SECOND, THIRD = range(5)  # entries of a frame
NUMBERS = (FIRST, SECOND, THIRD)
NO_EFFECT = -1
NO_POINT = -1


class Point(enum.IntEnum):
    """The kinds of decision points."""

    START = 0  # the main action, at the start of a turn
    PLACE = 1  # where a tile goes
    TAKE = 2  # how many of a material, or which material
    MARKET = 3  # what to use of the space on which the die has landed
    PAY = 4  # what to give for an effect
    GAIN = 5  # what to receive of an effect
    TILE = 6  # which workshop tile an effect activates
    SWAP = 7  # which two market tiles an effect swaps
    BUILD = 8  # what to deliver
    GEMS = 9  # the gems of an ornament; the deliveries that are left stand in the BUILD frame below
    END = 10  # whether to end the turn, after the main action
    IVAN = 11  # solo, for Ivan
    # Of the full game:
    SPECIAL = 12  # which special tile, before the first turn
    RESOURCE = 13  # which market space
    INFLUENCE = 14  # which guild action
    FOREMAN = 15  # how far the foreman moves
    PLAYER = 16  # which other player
    EXTRA = 17  # a further market action
    CARD = 18  # which of two drawn cathedral cards gives two materials
    SECTION = 19  # which section
    KEEP = 20  # which of three drawn contracts is kept
    RETURN = 21  # which of four contracts is returned
    REINFORCEMENT = 22  # which reinforcement tile is taken
    HIRE = 23  # which specialist is engaged or dismissed
    BOTH = 24  # a material of choice and a delivery
    SPEND = 25  # how many rubles are spent
    DISCARD = 26  # which ornament is discarded
    CLAIM = 27  # which section is claimed, by a specialist


POINTS = tuple(point.name.lower() for point in Point if FULL or point <= Point.IVAN)
"""The words of the game record."""
OPTIONAL = np.isin(list(Point), [Point.START, Point.PLACE, Point.MARKET, Point.BUILD, Point.END, Point.HIRE])
"""The points at which prestige may be given up for rubles, for a re-roll or for a permit (R-10, R-49)."""
ENDS_EARLY = np.isin(list(Point), [Point.BUILD, Point.TILE, Point.RESOURCE, Point.INFLUENCE, Point.EXTRA, Point.BOTH])
"""The points at which "done" declines what is left."""

# The numbers of the frames, by point. A number without a name is 0, or the count or mode of the effect that is served.
PLACE_SECTION = FIRST  # the section that the tile lies on
PLACE_FREE = SECOND  # full game: 1 once the placement costs nothing
PLACE_BY_SPECIALIST = THIRD  # full game: 1 if a specialist's claim led to it
TAKE_MATERIAL = FIRST  # a material, ANY, or FROM_CARD of `builders.py`
TAKE_MOST = SECOND  # the most that can be taken; of ANY, the pieces
TAKE_PIECES, TAKE_CARD = SECOND, THIRD  # of FROM_CARD: the pieces (plus CARD_PIECES), and which of the drawn cards
PAY_LEFT = FIRST  # payments left
PAY_FROM = SECOND  # the first material that may still be given
GAIN_LEFT = FIRST  # gains left
GAIN_EXCEPT = SECOND  # a material that is not received, or -1
GAIN_FROM = THIRD  # full game: 1 + the seat that gives the material in an exchange, or 0
TILE_LEFT = FIRST  # full game: activations left
TILE_USED = SECOND  # full game: 1 + the slot that was used, or 0
BUILD_LEFT = FIRST  # deliveries left
BUILD_BEGUN = SECOND  # 1 after the first delivery
GEMS_SECTION = FIRST  # the section of the ornament
IVAN_CHOICE = FIRST  # CLAIMS or ADORNS of `ivan.py`
IVAN_WHERE = SECOND  # of CLAIMS: ABOVE_PLAYER, BASES or ANYWHERE
IVAN_ORNAMENT, IVAN_OWNER = SECOND, THIRD  # of ADORNS: the kind, and the seat whose sections are meant
WAY = FIRST  # of RESOURCE, INFLUENCE, PLAYER and SECTION: a mode of `expansion_vocabulary.py`, what the choice is for
REFUSABLE = THIRD  # of TAKE, RESOURCE and INFLUENCE: 1 if nothing may be taken
INFLUENCE_CHOSEN = SECOND  # by the guild tile: 1 + the effect that was chosen, or 0
PLAYER_GIVEN = SECOND  # of an exchange: the material that is given
EXTRA_LEFT = FIRST  # actions left
EXTRA_USED = SECOND  # what was used before: OBTAINED or ACTIVATED of `extra.py`, or 0
SECTION_SLOT = SECOND  # of false plans: the slot of the tile that is given
HIRE_CITY = FIRST  # the city to which the contractor was sent
BOTH_LEFT = FIRST  # what is left of the two: MATERIAL_LEFT and DELIVERY_LEFT of `specialists.py`
BOTH_BEGUN = SECOND  # 1 after the first of the two


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
def push(g, point, effect, first, second, third):
    """Open a decision point with these numbers on top of the current one."""
    f = g.stack[g.depth]
    f[POINT] = point
    f[EFFECT] = effect
    f[FIRST] = first
    f[SECOND] = second
    f[THIRD] = third
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
