"""Runs cases on the second implementation, and checks the expectations for any implementation."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from oracle.arrange import arrange
from oracle.deal import plain_deal
from oracle.game import Game
from oracle.record import tables

from . import OPTIONAL, PARTIAL, Case

BASE, X = tables("base"), tables("contractors")


def chosen(case: Case) -> list[str]:
    """Return the special tiles that are chosen before the position, in the order of the choices."""
    return list(reversed(case.variant["special"] or ()))


def set_up(case: Case) -> Game:
    """Return the position of a case on the second implementation."""
    variant = dict(case.variant)
    special, limit = variant.pop("special"), variant.pop("turn_limit")
    deal = plain_deal(BASE, X, special_tiles=special is not None, **variant) | {"turn_limit": limit}
    game = Game(deal | dict(case.deal), BASE, X, rng=random.Random(1))
    for name in chosen(case):
        game.play(f"special {name}")
    if case.position:
        arrange(game, case.position)
    return game


def holds(found: Any, expected: Any) -> bool:
    """Return whether everything that is expected is found."""
    if isinstance(expected, Mapping):
        return all(key in found and holds(found[key], value) for key, value in expected.items())
    return found == expected


def check(game: Any, expect: Mapping[str, Any]) -> None:
    """Check the expectations at a step of `game`, an `oracle.game.Game` or an object with the same interface."""
    state, legal = game.state(), game.legal()
    state["sections"] = {
        f"{tower}.{level}": section
        for tower, sections in enumerate(state["towers"], 1)
        for level, section in enumerate(sections, 1)
    }
    for key, value in expect.items():
        if key == "legal":
            assert {words for words in legal if words.split()[0] not in OPTIONAL} == value
        elif key == "has":
            assert value <= legal, (value - legal, game.point)
        elif key == "lacks":
            assert not value & legal
        elif key == "events":
            assert game.events == value
        elif key == "result":
            assert game.point == "over"
            for breakdown, part in zip(game.result()["breakdown"], value, strict=True):
                assert holds(breakdown, part), breakdown
        elif key in PARTIAL:
            assert holds(state[key], value), {k: state[key][k] for k in value}
        else:
            assert state[key] == value, key
