"""The eight variants of the base game that tests use as parameters."""

from __future__ import annotations

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
