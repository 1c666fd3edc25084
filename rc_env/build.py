"""The modules of the build that a game is played with: `Ruleset.build`.

The rules, the layouts and the kernels are loaded once for each build (see "Two builds of the same files" in
docs/architecture.md), and so is this module: `rc_env.build.Build` is that of the base game, `rc_env.full.build.Build`
that of the full game. What differs between the two is taken from here outside of them. Types are those of the base
build.
"""

from __future__ import annotations

from importlib import import_module
from typing import TypeVar

T = TypeVar("T")


class Build:
    """The modules of one of the two builds; a class, since type checkers follow the attributes of classes."""

    from . import kernels
    from .layout import actions, observation, packing, writer
    from .rules import points, setup, state, verbs
    from .rules.printed import build_sizes as sizes
    from .rules.printed import components, specialist_vocabulary


def in_build(base: type[T], full: bool) -> type[T]:
    """The class that stands for a class of the base build in the full build; without `full` the class itself.

    Args:
        base: a class of a module that is loaded once for each build.
        full: whether it is the full build that is asked for, as `Ruleset.full` says.
    """
    if not full:
        return base
    module = import_module(f"rc_env.full{base.__module__.removeprefix('rc_env')}")
    found: type[T] = getattr(module, base.__name__)
    return found
