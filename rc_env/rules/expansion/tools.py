"""Tools: the specialists that a player has turned over, in groups of different ones (R-59)."""

from __future__ import annotations

import numpy as np

from ...jit import rule
from ..printed.sizes import SPECIALISTS, TOOLS


@rule
def copies(c, g, seat, tool):
    """The number of tiles with that tool that the seat has turned over."""
    count = 0
    for tile in range(SPECIALISTS):
        if c.tool[tile] == tool:
            count += (np.int64(g.tools[seat]) >> tile) & 1
    return count


@rule
def prestige(c, g, seat):
    """Prestige for the tools of a seat: groups of different ones, each as large as possible in turn."""
    if g.tools[seat] == 0:
        return 0
    total = 0
    for group in range(SPECIALISTS):
        size = 0
        for tool in range(TOOLS):
            size += copies(c, g, seat, tool) > group
        if size == 0:
            break
        total += c.tools_prestige[size]
    return total
