"""The rulings of the expansion in the same positions, tested on the engine beside the second implementation (R-40 to
R-85).
"""

from __future__ import annotations

import pytest
from engine_position import EngineGame
from oracle.game import Game
from rulings import Case
from rulings.all import ALL
from rulings.checks import check, chosen, set_up
from writeable import writeable

pytestmark = pytest.mark.full


def same(engine: EngineGame, game: Game) -> None:
    """Check that point, legal actions and every part of the position agree."""
    assert engine.point == game.point
    assert not game.solo or engine.events == game.events
    assert engine.legal() == game.legal(), engine.legal() ^ game.legal()
    found, expected = engine.state(), game.state()
    assert found == expected, {key: found.get(key) for key in expected if found.get(key) != expected[key]}


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_ruling(case: Case) -> None:
    game = set_up(case)
    engine = EngineGame(game, chosen(case))
    same(engine, game)
    for step in case.steps:
        if step.action:
            game.play(step.action, rolls=[1] * 16, draws=step.draws)
            ivans = [draw for line in game.ivan_lines for draw in line.get("draws", [])] if game.solo else []
            engine.play(step.action, game.drawn + ivans)
        same(engine, game)
        check(engine, step.expect)
    if game.point == "over":
        assert engine.result() == game.result()


def test_a_difference_is_noticed() -> None:
    game = set_up(ALL[0])
    engine = EngineGame(game)
    same(engine, game)
    writeable(engine.engine).diamonds[0, 1] += 1
    with pytest.raises(AssertionError, match="materials"):
        same(engine, game)
