"""The engine compared with a second implementation of the rules: legal actions and positions at every decision (R-1 to
R-31).
"""

import random
from pathlib import Path

import numpy as np
import pytest
from oracle.bridge import Oracle, engine_state
from table import BASE_DIE_NAMES
from variants import every_variant, every_variant_at_length
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.jit import settings
from rc_env.rules.points import (
    BUILD_BEGUN,
    BUILD_LEFT,
    EFFECT,
    FIRST,
    GAIN_EXCEPT,
    GAIN_LEFT,
    GEMS_SECTION,
    IVAN_CHOICE,
    IVAN_ORNAMENT,
    IVAN_OWNER,
    NO_EFFECT,
    NUMBERS,
    PAY_FROM,
    PAY_LEFT,
    PLACE_SECTION,
    POINT,
    REFUSABLE,
    TAKE_MATERIAL,
    TAKE_MOST,
    Point,
)
from rc_env.rules.printed import data_file

BOARD = ("market", "card", "owner", "claimed", "finished", "tile", "ornament", "slot_tile", "slot_up", "slot_ornament")
"""Fields of market tiles, workshops and cathedral: what `GAME.version` counts the changes of."""


FLAGS = ("rerolled", "obtained", "worked", "influence_open", "finished", "slot_up", "ivan_up")
"""Fields that are 0 or 1."""
USED = {
    Point.PLACE: (PLACE_SECTION,),
    Point.TAKE: (TAKE_MATERIAL, TAKE_MOST, REFUSABLE),
    Point.PAY: (PAY_LEFT, PAY_FROM),
    Point.GAIN: (GAIN_LEFT, GAIN_EXCEPT),
    Point.BUILD: (BUILD_LEFT, BUILD_BEGUN),
    Point.GEMS: (GEMS_SECTION,),
    Point.IVAN: (IVAN_CHOICE, IVAN_ORNAMENT, IVAN_OWNER),
    **{point: (FIRST,) for point in (Point.TILE, Point.SWAP)},  # the count of the effect
}
"""The entries of a frame that have a meaning at each decision point: the others are 0."""
SERVE = {Point.TAKE, Point.PAY, Point.GAIN, Point.TILE, Point.SWAP, Point.BUILD}
"""Decision points whose frame may belong to an effect."""


def check_fields(game: np.record) -> None:
    """Check that flags are 0 or 1, and that the frames of the stack hold nothing but what their decision point uses."""
    assert all(np.min(game[name]) >= 0 and np.max(game[name]) <= 1 for name in FLAGS)
    for frame in game["stack"][: game["depth"]]:
        point = Point(frame[POINT])
        assert not any(frame[i] for i in NUMBERS if i not in USED.get(point, ())), (point.name, frame)
        assert frame[EFFECT] == NO_EFFECT or (point in SERVE and frame[EFFECT] >= 0), (point.name, frame)


def play_both(ruleset: Ruleset, seed: int) -> tuple[int, set[str]]:
    """Play a random game on the engine and the oracle; return the number of decisions and the points met."""
    engine, chance = Engine(ruleset, 1, seed), random.Random(seed)
    oracle, points = Oracle(engine), set()
    decisions = 0
    while oracle.question:
        point, legal = oracle.question
        words = {engine.action_to_text(action) for action in np.flatnonzero(engine.legal_mask()[0])}
        assert (engine.point(), words) == (point, legal)
        points.add(point)
        # Few of the many legal actions build or claim: they are preferred half of the time, so that games end.
        forward = sorted(w for w in legal if w.split()[0] in ("deliver", "adorn", "claim", "place", "obtain", "guild"))
        action = chance.choice(forward if forward and chance.random() < 0.5 else sorted(legal))
        rolls = [chance.randint(1, 6) for _ in range(16)]
        mixed = chance.sample(range(5), 5)
        before = engine.games.copy()
        engine.step([engine.text_to_action(action)], dice=[rolls], ivan_tiles=[mixed] if ruleset.solo else None)
        oracle.play(action, rolls, [BASE_DIE_NAMES[die] for die in mixed])
        decisions += 1
        assert engine_state(engine) == oracle.state()
        check_fields(engine.games[0])
        changed = any((before[name] != engine.games[name]).any() for name in BOARD)
        assert changed <= (engine.games.version[0] > before.version[0])
        assert engine.games.decisions[0] == decisions
    results, scores = engine.results(), oracle.scores()
    assert results.track[0].tolist() == [score["track"] for score in scores]
    assert results.goods[0].tolist() == [score["goods"] for score in scores]
    assert results.towers[0].tolist() == [score["towers"] for score in scores]
    assert results.place[0].tolist() == oracle.places()
    assert engine.point() == "over"
    return decisions, points


@every_variant_at_length
def test_games_to_the_end(players: int, workshop: str) -> None:
    met = set()
    games = 3 if players > 1 else 12  # solo games are short
    for seed in range(games // 3 if settings.DISABLE_JIT else games):
        decisions, points = play_both(Ruleset(players=players, workshop=workshop), seed)
        assert decisions > (100 if players > 1 else 40)
        met |= points
    assert met >= {"start", "place", "take", "market", "gain", "build"} | ({"end"} if players > 1 else {"ivan"})


SCARCE = {"lumber = 20": "lumber = 4", "brick = 20": "brick = 4", "stone = 20": "stone = 4", "gold = 15": "gold = 3"}
SCARCE |= {"green_gem = 10": "green_gem = 2", "purple_gem = 10": "purple_gem = 2"}
GENEROUS = {
    "starting_rubles = [3, 4, 4, 5]": "starting_rubles = [30, 30, 30, 30]",
    "start = 2\n": "start = 90\n",
    "length = 80 ": "length = 100 ",
    "prestige_per_reroll = 1": "prestige_per_reroll = 2",
    "deliveries = 3": "deliveries = 5",
    "rubles_per_extra_step = 1": "rubles_per_extra_step = 2",
    "{ deliver = 1, price = 1 }": "{ deliver = 3, price = 2, unlimited = true }",
    "{ exchange_equal = 2, for_any = 1 }": "{ exchange_equal = 3, for_any = 2, unlimited = true }",
    "discard_different = 3, prestige = 1": "discard_different = 4, prestige = 2, unlimited = true",
    "goods_per_prestige = 5": "goods_per_prestige = 3",
    "ornament_prestige = 1": "ornament_prestige = 2",
}


@pytest.mark.parametrize("changes", [SCARCE, GENEROUS], ids=["scarce", "generous"])
@every_variant
def test_games_with_other_numbers(changes: dict[str, str], players: int, workshop: str, tmp_path: Path) -> None:
    """Both agree with a data file in which every supply runs dry, and one in which guilds give more at a time."""
    text = (Path(data_file.__file__).parents[2] / "data" / "base.toml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    file = tmp_path / "other.toml"
    file.write_text(text, encoding="utf-8")
    ruleset = Ruleset(players=players, workshop=workshop, data=file, turn_limit=60)
    decisions, points = play_both(ruleset, seed=players)
    assert decisions > (60 if players > 1 else 40) and points >= {"start", "market"}


def test_the_oracle_notices_a_difference() -> None:
    """The comparison can fail: it detects one lumber too many in a hand."""
    engine = Engine(Ruleset(), 1)
    oracle = Oracle(engine)
    assert engine_state(engine) == oracle.state()
    writeable(engine).goods[0, 1, 0] += 1
    assert engine_state(engine) != oracle.state()
