"""Hidden information: the one module that knows what a seat cannot see.

In the base game every component lies open, and what is still to come (dice, the order of Ivan's tiles) is drawn from
the key when it comes; so there is nothing to hide but the key. In the full game the contracts are hidden (R-76). A
component that is held or stacked face down is named in both rules: `redraw` for whoever looks ahead, `conceal` for
whoever looks on.
"""

from __future__ import annotations

import numpy as np

from ..edition import FULL
from ..jit import rule
from .expansion import contracts

NO_KEY = np.uint64(0)
"""The key of a game that is shown to one seat, and not for playing on."""


@rule
def redraw(c, g, seat):
    """Resample, from the key of the game, everything that is hidden from the seat: nothing in the base game."""
    if FULL:
        contracts.redraw(g, seat)


@rule
def conceal(c, g, seat):
    """Turn everything that the seat cannot see to "none": the key of chance, and in the full game the contracts."""
    g.key = NO_KEY
    if FULL:
        contracts.conceal(g, seat)
