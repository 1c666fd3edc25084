"""The same positions on the engine, beside the second implementation (R-40 to R-85)."""

from __future__ import annotations

import pytest
from engine_position import EngineGame
from oracle.game import Game
from rulings import Case
from rulings.all import ALL
from rulings.checks import check, chosen, set_up

pytestmark = pytest.mark.full

OF_THE_MODULE = {"contractors", "lawyers"}
"""Guilds that are played with the module Contractors alone."""


def needs_module(case: Case) -> bool:
    return case.variant["contractors"] or case.variant["guild"].split(":")[0] in OF_THE_MODULE


def same(engine: EngineGame, game: Game) -> None:
    """Point, legal actions and position, to the last part."""
    assert engine.point == game.point
    assert not game.solo or engine.events == game.events
    assert engine.legal() == game.legal(), engine.legal() ^ game.legal()
    found, expected = engine.state(), game.state()
    assert found == expected, {key: found.get(key) for key in expected if found.get(key) != expected[key]}


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_ruling(case: Case) -> None:
    if needs_module(case):
        pytest.skip("comes with the module Contractors")
    game = set_up(case)
    engine = EngineGame(game, chosen(case))
    same(engine, game)
    for step in case.steps:
        if step.action:
            game.play(step.action, rolls=[1] * 16, draws=step.draws)
            engine.play(step.action, game.drawn)
        same(engine, game)
        check(engine, step.expect)
    if game.point == "over":
        assert engine.result() == game.result()


def test_only_the_module_is_skipped() -> None:
    """Every case with a guild or a promo that is played without the module runs on the engine."""
    skipped = [case for case in ALL if needs_module(case)]
    assert len(ALL) - len(skipped) == 154
    assert all(case.variant["contractors"] for case in skipped)


def test_a_difference_is_noticed() -> None:
    game = set_up(ALL[0])
    engine = EngineGame(game)
    same(engine, game)
    engine.engine.games.diamonds[0, 1] += 1
    with pytest.raises(AssertionError, match="materials"):
        same(engine, game)
