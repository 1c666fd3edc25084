"""The rulings of the expansion in positions set up by hand, on the oracle (R-40 to R-85)."""

import random
from collections.abc import Mapping
from typing import Any

import pytest
from oracle.arrange import arrange
from oracle.deal import plain_deal
from oracle.game import Game
from oracle.record import tables
from rulings import OPTIONAL, PARTIAL, Case
from rulings.all import ALL

POINT = {"": "start", "move": "market", "claim": "place", "rubles": "start"}
BASE, X = tables("base"), tables("contractors")


def set_up(case: Case) -> Game:
    """The position of a case on the oracle."""
    variant = dict(case.variant)
    special, limit = variant.pop("special"), variant.pop("turn_limit")
    deal = plain_deal(BASE, X, special_tiles=special is not None, **variant) | {"turn_limit": limit}
    game = Game(deal | dict(case.deal), BASE, X, rng=random.Random(1))
    for name in reversed(special or ()):
        if game.point == "special":
            game.play(f"special {name}")
    if case.position:
        arrange(game, case.position)
    return game


def holds(found: Any, expected: Any) -> bool:
    """Whether all that is named is there."""
    if isinstance(expected, Mapping):
        return all(key in found and holds(found[key], value) for key, value in expected.items())
    return found == expected


def check(game: Game, expect: Mapping[str, Any]) -> None:
    """What is expected at a step."""
    state, legal = game.state(), game.legal()
    entries = [entry for tower in state["towers"] for entry in tower]
    state["sections"] = {s.name: entry for s, entry in zip(game.sections(), entries, strict=True)}
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


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_ruling(case: Case) -> None:
    game = set_up(case)
    for step in case.steps:
        if step.action:
            assert step.action in game.legal(), (step.action, game.point, sorted(game.legal()))
            game.play(step.action, rolls=[1] * 16, draws=step.draws)
        if "lacks" in step.expect:  # a decision of the seat in question, or it would lack anything
            verb = step.action.split()[0] if step.action else ""
            assert game.asked == 0 and game.point in (POINT.get(verb, game.point), step.expect.get("point"))
        check(game, step.expect)


def test_names_are_different() -> None:
    assert len({case.name for case in ALL}) == len(ALL)
