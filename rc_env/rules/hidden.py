"""What a seat cannot see of a game: the one place that knows.

In the base game every component lies open, and what is still to come (dice, the order of Ivan's tiles) is drawn from
the key when it comes; so there is nothing to do here yet. A component that is held or stacked face down is named in
both rules: `redraw` for whoever looks ahead, `conceal` for whoever looks on.
"""

from __future__ import annotations

from rc_env.jit import rule


@rule
def redraw(c, g, seat):
    """Draw anew, from the key of the game, everything that the seat cannot see: nothing in the base game."""


@rule
def conceal(c, g, seat):
    """Turn everything that the seat cannot see to "none": nothing in the base game."""
