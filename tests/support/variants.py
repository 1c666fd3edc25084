"""The eight variants of the base game, as tests go through them."""

from __future__ import annotations

import pytest

VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in ("basic", "advanced")]
SAMPLE = [(2, "basic"), (4, "advanced")]
"""Those that `make quick` plays where a test takes long."""

every_variant = pytest.mark.parametrize(("players", "workshop"), VARIANTS)
every_variant_at_length = pytest.mark.parametrize(
    ("players", "workshop"),
    [variant if variant in SAMPLE else pytest.param(*variant, marks=pytest.mark.slow) for variant in VARIANTS],
)
"""Every variant in `make test`, `SAMPLE` in `make quick`."""
