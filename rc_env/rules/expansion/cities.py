"""Cities over the towers: contractors stand there, and they score when their tower is finished (R-46, R-53, R-57)."""

from __future__ import annotations

from ...jit import rule
from .. import chance, track
from ..printed.sizes import CITIES


@rule
def set_up(c, g, fixed, scratch):
    """A random city over each tower; the others are closed (R-46)."""
    for city in range(CITIES):
        scratch[city] = city
    chance.shuffle(scratch, CITIES, g.key, chance.CITIES)
    for tower in range(c.towers):
        city = fixed.city[tower] if fixed.city[0] >= 0 else scratch[tower]
        g.city_over[tower] = city
        g.city_open[city] = 1


@rule
def there(c, g, city):
    """How many contractors of all colours stand in the city."""
    count = 0
    for seat in range(c.seats):
        count += g.sent[city, seat]
    return count


@rule
def contractors(g, seat):
    """How many contractors of the seat stand in cities, closed ones too."""
    count = 0
    for city in range(CITIES):
        count += g.sent[city, seat]
    return count


@rule
def close(c, g, tower):
    """Close the city over a tower that is finished: recognition for banners times contractors (R-57)."""
    end = g.first[tower] + g.height[tower]
    for section in range(g.first[tower], end):
        if not g.finished[section]:
            return
    city = g.city_over[tower]
    g.city_open[city] = 0
    for seat in range(c.seats):
        banners = 0
        for section in range(g.first[tower], end):
            banners += g.owner[section] == seat
        track.gain_recognition(g, seat, banners * g.sent[city, seat])
