"""The eight variants of the base game that tests use as parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in ("basic", "advanced")]
SAMPLE = [(2, "basic"), (4, "advanced")]
"""The variants that `make quick` plays in long tests."""

every_variant = pytest.mark.parametrize(("players", "workshop"), VARIANTS)
every_variant_at_length = pytest.mark.parametrize(
    ("players", "workshop"),
    [variant if variant in SAMPLE else pytest.param(*variant, marks=pytest.mark.slow) for variant in VARIANTS],
)
"""Every variant in `make test`, and `SAMPLE` in `make quick`."""
half_of_the_variants = pytest.mark.parametrize(
    ("players", "workshop"),
    [pytest.param(*one, marks=[pytest.mark.long] * ((i + i // 2) % 2)) for i, one in enumerate(VARIANTS)],
)
"""Each number of players on one side of the workshops in `make test`, on the other in `make long`."""


def half_of(parameters: Sequence[Any]) -> list[Any]:
    """Every other parameter for `make test`, and those between them for `make long`."""
    return [pytest.param(one, marks=[pytest.mark.long] * (i % 2)) for i, one in enumerate(parameters)]


def guilds_by_variant(guilds: Sequence[str]) -> pytest.MarkDecorator:
    """Each guild in half of the variants with `make test`, in turn, and in the other half with `make long`."""
    return pytest.mark.parametrize(
        ("guild", "players", "workshop"),
        [
            pytest.param(guild, *variant, marks=[pytest.mark.long] * ((i + j) % 2))
            for i, guild in enumerate(guilds)
            for j, variant in enumerate(VARIANTS)
        ],
    )
