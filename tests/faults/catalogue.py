"""A list of all attacks, in an order that is the same in all processes."""

from __future__ import annotations

import calls_bots  # noqa: F401
import calls_engine  # noqa: F401
import calls_envs  # noqa: F401
import calls_records  # noqa: F401
import calls_sets  # noqa: F401
import calls_training  # noqa: F401
import command_lines
import damaged_files
import generated
import order
import recipes
import states

ATTACKS = [
    *recipes.attacks(),
    *generated.attacks(),
    *states.attacks(),
    *order.attacks(),
    *damaged_files.attacks(),
    *command_lines.attacks(),
]
