"""What a plan that is committed to hiring still wants: a set of contractors and tools, valued as a whole.

The tools of a group score 1, 2, 4, 7, 11, 16 together: the first is worth a turn to nobody, the sixth is worth five. A
plan that wants a group values each tool at its share of that group, counts the permits and the rubles that the
contractors still wanted will cost, and hires more urgently the further it is behind its schedule. With the weight
`contractors` at 0 all of this is 0, and in games without the module Contractors, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..jit import rule
from ..rules.expansion import cities, tools
from ..rules.points import POINT, Point
from ..rules.printed.sizes import CITIES, FINISHED, TOOLS


@rule
def sent(c: Any, g: Any, seat: Any) -> Any:
    """How many contractors the seat has sent to cities."""
    return c.contractors - np.int64(g.contractors[seat])


@rule
def wanted(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """How many contractors the plan still wants to send, and can before the game ends."""
    if w.contractors < 1.0 or not c.module or g.ending >= 0:
        return 0
    most: Any = 0
    for other in range(c.seats):
        most = max(most, np.int64(g.works[other, FINISHED]))
    left = min(np.int64(g.contractors[seat]), np.int64(w.contractors) - sent(c, g, seat))
    return max(0, min(left, np.int64(w.contractors_a_section * (c.sections_to_end - most))))


@rule
def behind(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """How many contractors the plan is behind its schedule: none at first, all of them in its own turn `by`."""
    turn = (g.turn + c.seats - 1) // c.seats
    due = w.contractors * (min(1.0, turn / w.by) if w.by > 0 else 1.0)
    return max(0.0, min(due - sent(c, g, seat), 1.0 * wanted(c, g, w, seat)))


@rule
def permits_due(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """How many permits the contractors still wanted cost, each sent where it is then cheapest."""
    left, needed = wanted(c, g, w, seat), 0
    for price in range(1, CITIES * c.contractors + 1):
        if left == 0:
            break
        places = 0  # a city has one for so many permits, if no more contractors stand there already
        for city in range(CITIES):
            places += g.city_open[city] == 1 and cities.there(c, g, city) < price
        count = min(left, places)
        needed += count * price
        left -= count
    return needed


@rule
def permits_wanted(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """How many of these permits the seat does not hold yet."""
    return max(0, permits_due(c, g, w, seat) - np.int64(g.permits[seat]))


@rule
def permits_lost(c: Any, g: Any, w: Any, seat: Any, paid: Any) -> Any:
    """How many of these permits are gone if the seat pays so many for something."""
    due = permits_due(c, g, w, seat)
    spare = max(0, np.int64(g.permits[seat]) - due)
    return min(max(0, paid - spare), due)


@rule
def rubles_wanted(c: Any, g: Any, w: Any, seat: Any) -> Any:
    """Rubles that the plan wants to hold beyond `enough`, for the specialists of the contractors still wanted."""
    return w.rubles_a_contractor * wanted(c, g, w, seat)


@rule
def share_of_tool(c: Any, g: Any, w: Any, seat: Any, tile: Any) -> Any:
    """The share that the tool of a specialist has in the group that the plan wants, in prestige; 0 if it has that tool.

    The group is no larger than the seat can still make it: its tools, that of its own specialist, this one, and one for
    each contractor that is still wanted after the one with which this specialist comes.
    """
    held = np.int64(g.specialist[seat])
    kinds, new = 0, w.contractors >= 1.0
    for tool in range(TOOLS):
        has = tools.copies(c, g, seat, tool) > 0
        has |= held >= 0 and held != tile and c.tool[held] == tool
        kinds += has
        new &= not (has and c.tool[tile] == tool)
    most = min(np.int64(w.tools), np.int64(TOOLS))
    if not new or kinds >= most:
        return 0.0
    later = wanted(c, g, w, seat)
    if tile != held and g.stack[g.depth - 1, POINT] != Point.HIRE:  # its contractor is not sent yet
        later = max(0, later - 1)
    size = min(most, kinds + 1 + later)
    return 1.0 * c.tools_prestige[size] / size
