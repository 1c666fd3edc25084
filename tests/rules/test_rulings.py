"""The rulings of the expansion in positions set up by hand, tested on the second implementation (R-40 to R-85)."""

import pytest
from rulings import Case
from rulings.all import ALL
from rulings.checks import check, set_up

POINT = {"": "start", "move": "market", "claim": "place", "rubles": "start"}


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_ruling(case: Case) -> None:
    game = set_up(case)
    for step in case.steps:
        if step.action:
            assert step.action in game.legal(), (step.action, game.point, sorted(game.legal()))
            game.play(step.action, rolls=[1] * 16, draws=step.draws)
        if "lacks" in step.expect:  # only a decision of this seat can lack an action in a meaningful way
            verb = step.action.split()[0] if step.action else ""
            assert game.asked == 0 and game.point in (POINT.get(verb, game.point), step.expect.get("point"))
        check(game, step.expect)


def test_names_are_different() -> None:
    assert len({case.name for case in ALL}) == len(ALL)
