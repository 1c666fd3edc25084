"""What the rest of the package takes from the build that a game is played with: `Ruleset.build`.

The rules, the layouts and the kernels are loaded once for each build (see "Two builds of the same files" in
docs/architecture.md), and so is this module: `rc_env.build.Build` is that of the base game, `rc_env.full.build.Build`
that of the full game. All that differs between the two and is used outside of them stands here, by the module that it
comes from. Types are those of the base build.
"""

from __future__ import annotations

from importlib import import_module
from typing import TypeVar

from . import kernels
from .layout import actions, observation, packing, writer
from .rules import points, setup, state, verbs
from .rules.printed import build_sizes, components, specialist_vocabulary

T = TypeVar("T")


class Build:
    """One of the two builds, with a class for each module, since type checkers follow the attributes of classes."""

    class state:
        """`rules.state`: the record of a game."""

        GAME = state.GAME

    class setup:
        """`rules.setup`: the record of a deal."""

        DEAL = setup.DEAL
        open_deal = staticmethod(setup.open_deal)
        checked_deals = staticmethod(setup.checked_deals)

    class points:
        """`rules.points`: the words of the decision points."""

        POINTS = points.POINTS

    class verbs:
        """`rules.verbs`: the kinds of actions."""

        MENU = verbs.MENU
        PLACES = verbs.PLACES
        ROWS = verbs.ROWS

    class sizes:
        """`rules.printed.build_sizes`: the sizes that differ."""

        NEUTRAL_DICE = build_sizes.NEUTRAL_DICE
        DIE_NAMES = build_sizes.DIE_NAMES
        DICE = build_sizes.DICE
        IVAN_CARDS = build_sizes.IVAN_CARDS
        TILE_KINDS = build_sizes.TILE_KINDS
        SPECIALIST_EFFECT = build_sizes.SPECIALIST_EFFECT
        EFFECTS = build_sizes.EFFECTS
        STACK = build_sizes.STACK

    class components:
        """`rules.printed.components`: RULES of a variant."""

        build = staticmethod(components.build)
        extend = staticmethod(components.extend)

    class specialist_vocabulary:
        """`rules.printed.specialist_vocabulary`: what a specialist does, as columns of its effect."""

        columns = staticmethod(specialist_vocabulary.columns)

    class actions:
        """`layout.actions`: the catalogue, and the dice as a seat sees them."""

        ActionLayout = actions.ActionLayout
        relative_colours = staticmethod(actions.relative_colours)
        absolute_colours = staticmethod(actions.absolute_colours)

    class observation:
        """`layout.observation`: the schema."""

        ObservationLayout = observation.ObservationLayout

    class packing:
        """`layout.packing`: scratch of the writer, and a game as words."""

        SEEN = packing.SEEN
        WORDS = packing.WORDS

    class writer:
        """`layout.writer`: what the writer of observations looks up."""

        tables = staticmethod(writer.tables)

    class kernels:
        """`kernels`: the compiled loops over many games."""

        advance_rows = staticmethod(kernels.advance_rows)
        play_copy = staticmethod(kernels.play_copy)
        observe_rows = staticmethod(kernels.observe_rows)
        clone_rows = staticmethod(kernels.clone_rows)
        paid_rows = staticmethod(kernels.paid_rows)
        score_rows = staticmethod(kernels.score_rows)
        conceal_rows = staticmethod(kernels.conceal_rows)
        seed_rows = staticmethod(kernels.seed_rows)
        play_rows = staticmethod(kernels.play_rows)


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
