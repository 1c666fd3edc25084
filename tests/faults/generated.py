"""Attacks whose values Hypothesis generates: values of any shape for the arguments that reach compiled code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from attacks import Attack, Call
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from recipes import RECIPES, Recipe

EACH = 40
"""The number of generated values for each argument."""
TARGETS = (
    "rc_env.engine.Engine.",
    "rc_env.envs.aec.raw_env.step",
    "rc_env.envs.gym.OneSeatEnv.step",
    "rc_env.envs.vector.RedCathedralVectorEnv.",
    "rc_env.agents.net.Net.",
)
SWITCHES = ("auto_reset", "masks", "same_future", "copy")
"""Switches are left out: NumPy itself says, in a sentence, that an array of several entries has no truth value."""
_numbers = st.one_of(st.integers(), st.floats(), st.booleans(), st.complex_numbers())
_dtypes = st.one_of(
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(sizes=(16, 32, 64)),
    hnp.boolean_dtypes(),
    hnp.datetime64_dtypes(),
)
_shapes = st.one_of(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5), st.sampled_from([(3,), (3, 4)]))
_few = st.one_of(
    st.lists(st.integers(-3, 5), max_size=4),
    hnp.arrays(st.sampled_from([np.int8, np.int64, np.uint64]), st.just((3,))),
)
STRATEGY = st.one_of(
    st.none(),
    _numbers,
    st.text(max_size=5),
    st.binary(max_size=5),
    st.recursive(_numbers, lambda inner: st.lists(inner, max_size=3), max_leaves=8),
    hnp.arrays(_dtypes, _shapes),
    _few,
)


@cache
def values() -> list[Any]:
    """Return the generated values, the same in every process."""
    found: list[Any] = []

    @settings(
        max_examples=EACH * 10,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(STRATEGY)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def _attack(recipe: Recipe, at: int, name: str, number: int) -> Attack:
    def make() -> Call:
        call = recipe.make()
        made_up = values()
        call.arguments[name] = made_up[(at * EACH + number) % len(made_up)]
        return call

    words = f" ({recipe.variant})" if recipe.variant else ""
    return Attack(
        recipe.target,
        "Hypothesis",
        f"{name} is made up {number}{words}",
        make,
        lambda call: recipe.kinds[name].reason(call.arguments[name], call),
    )


def attacks() -> Iterator[Attack]:
    """Return attacks with generated values for each argument of the targets."""
    arguments = [
        (one, name)
        for one in RECIPES
        if one.target.startswith(TARGETS)
        for name, kind in one.kinds.items()
        if kind.values and name not in SWITCHES
    ]
    for at, (recipe, name) in enumerate(arguments):
        for number in range(EACH):
            yield _attack(recipe, at, name, number)
