"""A list of all attacks, in an order that is the same in all processes."""

from __future__ import annotations

import command_lines
import damaged_files
import derived
import order
import states

ATTACKS = [
    *derived.attacks(),
    *states.attacks(),
    *order.attacks(),
    *damaged_files.attacks(),
    *command_lines.attacks(),
]
