"""The score track: recognition is spaces, prestige is the marked ones among them (R-1 to R-4)."""

from __future__ import annotations

from rc_env.jit import rule


@rule
def prestige(c, g, seat):
    """Prestige spaces at or behind the seat's marker (R-4)."""
    position = g.track[seat]
    lap = position // c.track_length
    return lap * c.lap_prestige + c.prestige_at[position - lap * c.track_length]


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
        g.track[seat] += c.ahead[g.track[seat] % c.track_length]


@rule
def can_lose_prestige(c, g, seat, count):
    """Whether there are that many prestige spaces strictly behind the marker (R-3)."""
    position = g.track[seat]
    for _ in range(count):
        if position <= c.first_prestige:
            return False
        position -= c.behind[position % c.track_length]
    return True


@rule
def lose_prestige(c, g, seat, count):
    """Move to the nearest prestige space strictly behind, once for each (R-3)."""
    for _ in range(count):
        g.track[seat] -= c.behind[g.track[seat] % c.track_length]
