"""The score track: recognition is spaces, prestige is the marked ones among them (R-1 to R-4)."""

from __future__ import annotations

import numpy as np

from ..jit import rule


@rule
def around(c, position):
    """A marker's space within its lap."""
    return position if position < c.track_length else position % c.track_length


@rule
def prestige_of(c, position):
    """Prestige spaces at or behind a position (R-4)."""
    if position < c.track_length:
        return np.int64(c.prestige_at[position])
    lap = position // c.track_length
    return np.int64(lap * c.lap_prestige + c.prestige_at[position - lap * c.track_length])


@rule
def prestige(c, g, seat):
    """Prestige of the seat's marker (R-4)."""
    return prestige_of(c, g.track[seat])


@rule
def gain_recognition(g, seat, spaces):
    """Move forward by that many spaces (R-2)."""
    g.track[seat] += spaces


@rule
def lose_recognition(g, seat, spaces):
    """Move back, never below the start of the track (R-2)."""
    position = g.track[seat] - spaces
    g.track[seat] = position if position > 0 else 0


@rule
def gain_prestige(c, g, seat, count):
    """Move to the next prestige space strictly ahead, once for each (R-3)."""
    for _ in range(count):
        g.track[seat] += c.ahead[around(c, g.track[seat])]


@rule
def can_lose_prestige(c, g, seat, count):
    """Whether there are that many prestige spaces strictly behind the marker (R-3)."""
    position = g.track[seat]
    for _ in range(count):
        if position <= c.first_prestige:
            return False
        position -= c.behind[around(c, position)]
    return True


@rule
def lose_prestige(c, g, seat, count):
    """Move to the nearest prestige space strictly behind, once for each (R-3)."""
    for _ in range(count):
        g.track[seat] -= c.behind[around(c, g.track[seat])]
