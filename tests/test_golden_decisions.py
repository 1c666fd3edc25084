"""Golden decisions of bots: the games on file are replayed, and the bots have to decide the same.

If a decision differs, a bot decides differently, or the rules have changed. If that was meant, `python -m
tests.golden.decisions` plays and writes the files anew; its docstring describes their format.
"""

from collections import Counter
from pathlib import Path

import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Position
from rc_env.rules.points import POINTS
from rc_env.ruleset import WORKSHOPS

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parent / "golden" / "decisions"


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_bots_decide_as_they_did(players: int) -> None:
    """Every action on file is legal, every bot chooses what it chose, and the positions cover the game."""
    first, *lines = (FOLDER / f"{players}.txt").read_text().splitlines()
    names = first.split()[1:]
    bots = [agents.from_text(name) for name in names]
    asked, points, workshops, wrong = Counter(), set(), set(), []
    for number, line in enumerate(lines, 2):
        if line.startswith("game "):
            _, workshop, turn_limit, seed = line.split()
            engine = Engine(Ruleset(players, workshop, turn_limit=int(turn_limit)))
            engine.reset(deal_seeds=[int(seed)])
            workshops.add(workshop)
            continue
        played, *rest = line.split(" | ")
        expected = played
        for name, bot, word in zip(names, bots, rest, strict=False):
            expected = expected if word == '"' else word
            found = engine.action_to_text(int(bot.act(Position.of(engine))[0]))
            if found != expected:
                wrong.append(f"{players}.txt, line {number}: {name} chose {found!r}, expected {expected!r}")
            asked[name] += 1
            points.add(engine.point())
        engine.step([engine.text_to_action(played)])
        assert not engine.illegal[0], f"{players}.txt, line {number}: {played!r} is not legal"
    assert not wrong, "\n".join([f"{len(wrong)} of {asked.total()} decisions differ:", *wrong[:10]])
    assert asked == dict.fromkeys(names[:-1], 1000) | {names[-1]: 100}
    assert workshops == set(WORKSHOPS)
    assert points == {point for point in POINTS if point != "ivan" or players == 1}
