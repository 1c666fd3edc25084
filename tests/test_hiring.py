"""Tests of plans that are committed to hiring: what a set is worth on positions set up by hand, and that they hire."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rc_env.full.rules.points import POINT, Point
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.agents import plan, values
from rc_env.agents.plan import PlanBot, checked, weights_of
from rc_env.arena import match
from rc_env.arena.studies import tune
from rc_env.bot import Position
from rc_env.full.agents import hiring
from rc_env.record import read

pytestmark = [pytest.mark.full, pytest.mark.slow]

MODULE = Ruleset(fourth_guild="random", special_tiles=True, promos=True, contractors=True)
COMMITTED = {"contractors": 6.0, "contractors_a_section": 6.0, "by": 12.0, "tools": 6.0}
FINISHED = 4
"""Where GAME.works counts the finished sections of a seat."""


def position(engine: Engine, *, turn: int = 1, left: int = 6, permits: int = 0, finished: int = 0) -> Any:
    """Return the game of an engine with four open cities, changed by hand, nobody in any of them."""
    game = writeable(engine)[0]
    game.turn, game.contractors[0], game.permits[0], game.works[1][FINISHED] = turn, left, permits, finished
    game.sent[:], game.tools[0], game.specialist[0] = 0, 0, -1
    return writeable(engine).view(np.ndarray)[0]


def weights(**changed: float) -> Any:
    """Return the record of a plan's weights."""
    return checked("plan", {**COMMITTED, **changed}, weights_of(MODULE))[0]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(MODULE, 1, 3)


def test_the_contractors_still_wanted_are_those_that_can_still_be_sent(engine: Engine) -> None:
    rules = MODULE.rules[0]

    def wanted(game: Any, **changed: float) -> int:
        return int(hiring.wanted(rules, game, weights(**changed), 0))

    assert wanted(position(engine)) == 6
    assert wanted(position(engine, left=4)) == 4
    assert wanted(position(engine, left=4), contractors=4.9) == 2  # of four in all, two are sent
    assert wanted(position(engine, left=1), contractors=4.0) == 0
    assert wanted(position(engine, finished=4), contractors_a_section=1.5) == 3  # two sections are left
    assert wanted(position(engine, finished=5), contractors_a_section=0.5) == 0
    assert wanted(position(engine), contractors=0.0) == 0
    ended = position(engine)
    ended["ending"] = 1
    assert wanted(ended) == 0
    ended["ending"] = -1


def test_a_plan_is_behind_its_schedule_by_its_own_turns(engine: Engine) -> None:
    rules = MODULE.rules[0]

    def behind(game: Any, **changed: float) -> float:
        return float(hiring.behind(rules, game, weights(**changed), 0))

    assert behind(position(engine, turn=1)) == 0.5  # six by turn 12 is half a contractor a turn
    assert behind(position(engine, turn=12)) == 3.0  # the sixth turn of either seat
    assert behind(position(engine, turn=12, left=3)) == 0.0
    assert behind(position(engine, turn=40, left=2)) == 2.0  # never more than it still wants
    assert behind(position(engine), by=0.0) == 6.0


def test_permits_are_counted_where_they_are_cheapest(engine: Engine) -> None:
    rules = MODULE.rules[0]
    game = position(engine, permits=1)
    opened = np.flatnonzero(game["city_open"])
    assert len(opened) == 4
    assert hiring.permits_due(rules, game, weights(), 0) == 1 + 1 + 1 + 1 + 2 + 2
    assert hiring.permits_wanted(rules, game, weights(), 0) == 7
    game["sent"][opened[0], 1] = 1  # of the other seat, which makes the place dearer for all
    assert hiring.permits_due(rules, game, weights(), 0) == 1 + 1 + 1 + 2 + 2 + 2
    assert hiring.permits_due(rules, game, weights(contractors=2.0), 0) == 2
    game = position(engine, left=2, permits=3)  # two of the four cheap places are enough: one permit is spare
    assert hiring.permits_wanted(rules, game, weights(), 0) == 0
    assert [int(hiring.permits_lost(rules, game, weights(), 0, paid)) for paid in (1, 2, 3)] == [0, 1, 2]
    game["city_open"][:] = 0
    assert hiring.permits_due(rules, game, weights(), 0) == 0
    game["city_open"][opened] = 1


def test_a_tool_is_worth_its_share_of_the_group_that_is_wanted(engine: Engine) -> None:
    """The prestige of 1 to 6 different tools is 1, 2, 4, 7, 11, 16 (R-59)."""
    rules, tiles = MODULE.rules[0], MODULE.expansion_file.tables["specialists"]["tiles"]
    first = {tool: next(i for i in range(24) if tiles[i]["tool"] == tool) for tool in {tile["tool"] for tile in tiles}}
    saw, brush, hammer = (first[tool] for tool in ("saw", "brush", "hammer"))

    def share(game: Any, tile: int, **changed: float) -> float:
        return float(hiring.share_of_tool(rules, game, weights(**changed), 0, tile))

    game = position(engine)
    game["stack"][game["depth"] - 1, POINT] = Point.START
    assert share(game, saw) == 16 / 6
    assert share(game, saw, tools=4.0) == 7 / 4
    assert share(game, saw, contractors=3.0) == 4 / 3  # with three contractors there will be three tools
    assert share(game, saw, contractors=0.0) == 0
    game["tools"][0] = 1 << saw
    assert share(game, saw) == 0 and share(game, saw + 1) == 0  # it has a saw
    assert share(game, brush) == 16 / 6
    game["specialist"][0] = brush
    assert share(game, brush) == 16 / 6  # its own one, when it is used
    assert share(game, brush + 1) == 0 and share(game, hammer) == 16 / 6
    game = position(engine, left=2)
    game["tools"][0] = 1 << saw
    assert share(game, brush) == 4 / 3  # with two contractors there will be three
    game["stack"][game["depth"] - 1, POINT] = Point.HIRE  # one has just been sent, and two more will be
    assert share(game, brush) == 7 / 4
    assert share(game, brush, tools=1.0) == 0  # one is all it wanted


def test_a_plan_that_wants_no_contractors_is_not_committed() -> None:
    """The other eight weights then change no decision, also in games between plans that hire."""
    names = list(values.DEFAULT_WEIGHTS)
    others = names[names.index("contractors") + 1 :]
    assert len(others) == 8 and values.DEFAULT_WEIGHTS["contractors"] == 0
    table = tomllib.loads((plan.PLANS / "all_rounder.toml").read_text())["contractors2"]
    plain, changed = PlanBot(table), PlanBot({**table, **dict.fromkeys(others, 7.0)})
    eager = PlanBot({**table, "hire": 40.0, "engage": 20.0})
    engine, sent = Engine(MODULE, 64, 9), 0
    for _ in range(150):
        position = Position.of(engine)
        assert (plain.act(position) == changed.act(position)).all()
        engine.step(eager.act(position), auto_reset=True)
        sent += int((engine.games.contractors[:, :2] < 6).sum())
    assert sent > 0


def test_the_contractor_hires_for_a_group_of_tools() -> None:
    """The packaged plan sends most of its contractors, and most of them for tools that make one group."""
    bots = [agents.from_text("plan:contractor"), agents.make("all_rounder")]
    engine = Engine(MODULE, 100, 3)
    while (engine.seat >= 0).any():
        for seat, bot in enumerate(bots):
            rows = np.flatnonzero(engine.seat == seat)
            if len(rows):
                engine.step(bot.act(Position.of(engine, rows)), rows)
    sent, tools = 6 - engine.games.contractors[:, 0].astype(int), engine.results().tools[:, 0]
    assert sent.mean() > 4 and tools.mean() > 7
    assert match.play_match(bots, 300, MODULE, seed=12).share(0).mean > 0.4


@pytest.mark.parametrize(("players", "least"), [(2, 0.42), (3, 0.27), (4, 0.33)])
def test_the_builder_hires_nobody_and_holds_its_own_against_the_contractor(players: int, least: float) -> None:
    """As the one among copies of the contractor; docs/full-study.md has 49, 35 and 41 % of 10,000 games."""
    ruleset = dataclasses.replace(MODULE, players=players)
    builder, contractor = (agents.from_text(f"plan:{name}") for name in ("builder", "contractor"))
    engine = Engine(ruleset, 30, 3)
    while (engine.seat >= 0).any():
        rows = np.flatnonzero(engine.seat >= 0)
        engine.step(builder.act(Position.of(engine, rows)), rows)
    assert (6 - engine.games.contractors[:, :players].astype(int)).mean() < 0.2
    share = match.play_match([builder] + [contractor] * (players - 1), 300 // players, ruleset, seed=12).share(0).mean
    assert share > least


def test_plans_of_the_module_say_that_they_play_no_other_games() -> None:
    with pytest.raises(
        ValueError, match=r"no weights for this game, a table \[players2\]; the tables of .* are \[contractors1\]"
    ):
        agents.from_text("plan:contractor").act(Position.of(Engine()))


def test_tuning_can_ask_for_contractors() -> None:
    """Each contractor that is missing lowers the value of a plan by half a game; more than enough raise nothing."""
    settings = tune.TuningSettings((2,), dataclasses.replace(MODULE, turn_limit=400), games=20)
    asking = dataclasses.replace(settings, hires=2.0)
    table = tomllib.loads((plan.PLANS / "all_rounder.toml").read_text())["contractors2"]

    def lost(**changed: float) -> float:
        vector = tune.flat(checked("plan", {**table, **changed}, weights_of(MODULE)))
        plain, asked = (tune.value(vector, ["greedy"], one, seed=2) for one in (settings, asking))
        return plain - asked

    assert lost(hire=-1000.0, prestige_for_permit=2000.0) == 2 * tune.HIRE
    assert lost(hire=500.0, engage=20.0, prestige_for_permit=0.0) == 0
    with pytest.raises(ValueError, match="hires: there are no contractors in games without the module"):
        tune.TuningSettings(hires=1.0)


def test_the_game_of_the_docs_is_as_they_tell() -> None:
    """The record beside docs/full-study.md: five contractors of red, in the turns and cities that are named there."""
    record = read(Path(__file__).parents[1] / "docs/lab/hiring.rcr")
    hires = [(one["seat"], one["action"]) for one in record.decisions if one["action"].startswith("hire ")]
    assert hires == [(0, f"hire {city}") for city in ("vologda", "ryazan", "suzdal", "tver", "vologda")]
    assert record.result is not None and record.result["prestige"] == [27, 18]
    assert [seat["tools"] for seat in record.result["breakdown"]] == [11, 0]
    assert [seat["track"] for seat in record.result["breakdown"]] == [12, 8]
