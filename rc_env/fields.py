"""Fields of settings: default, line of help and range of a value, in one declaration.

A dataclass of settings declares its fields with `setting`. Its check of values, its options on the command line and
their help all follow from that.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from rc_env import checks


def setting(
    default: Any, text: str, limits: tuple[float, float] | None = None, known: Sequence[str] | None = None
) -> Any:
    """A field of a dataclass of settings.

    Args:
        default: its default; a dictionary is copied.
        text: its line of help.
        limits: the smallest and the largest value of a number. The default says whether it is whole.
        known: the words that may be chosen.
    """
    metadata = {"help": text, "limits": limits, "known": known}
    if isinstance(default, dict):
        return dataclasses.field(default_factory=lambda: dict(default), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def check(settings: Any) -> None:
    """Check the fields that declare what they may be; NumPy's numbers become Python's, as JSON needs them.

    Raises:
        ValueError: a value is out of range.
    """
    for one in dataclasses.fields(settings):
        name, value = one.name, getattr(settings, one.name)
        limits, known = one.metadata.get("limits"), one.metadata.get("known")
        if limits is not None and isinstance(one.default, int):
            value = checks.whole_number(name, value, *limits)
        elif limits is not None:
            checks.number(name, value, *limits)
            value = value.item() if isinstance(value, np.generic) else value
        elif known is not None:
            checks.one_of(name, value, known)
        object.__setattr__(settings, name, value)
