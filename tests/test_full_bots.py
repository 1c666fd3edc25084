"""Tests of bots in the full game: both builds of their compiled modules, and networks made for another game."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rc_env.full.rules.points import HIRE_CITY, POINT, POINTS
from rc_env.full.rules.verbs import Verb
from tiny import TINY

from rc_env import Engine, Ruleset, agents
from rc_env.agents import net, values
from rc_env.agents.build import AgentsBuild, build_of
from rc_env.agents.plan import PlanBot, as_text, checked, named
from rc_env.arena import match
from rc_env.arena.studies import tune
from rc_env.bot import Position
from rc_env.full import agents as full_agents
from rc_env.full.agents import scorer
from rc_env.jit import records
from rc_env.ruleset import SWITCHES
from rc_env.training import card
from rc_env.training.run import train

pytestmark = [pytest.mark.full, pytest.mark.slow]

FULL = Ruleset(fourth_guild="jewelers", special_tiles=True)
MODULE = Ruleset(fourth_guild="random", special_tiles=True, promos=True, contractors=True)
NOTHING = dict.fromkeys(values.DEFAULT_WEIGHTS, 0.0)
"""The weights that only the full game has, all set to 0, for a plan that ignores its components."""


def test_both_builds_have_their_own_scorer_and_one_registry() -> None:
    """The scorer of the full game has more weights, and its modules use their own build alone."""
    full, base = build_of(FULL), build_of(Ruleset())
    assert full.__module__ == "rc_env.full.agents.build" and base is AgentsBuild
    assert scorer.points_of_full.__module__.startswith("rc_env.full.")
    assert full.scorer.WEIGHTS.names == (*base.scorer.WEIGHTS.names, *values.DEFAULT_WEIGHTS)
    assert full.simulation.WORK["game"] == FULL.build.state.GAME
    assert not hasattr(full_agents, "make")


def test_a_plan_need_not_name_the_weights_of_the_full_game() -> None:
    dtype = build_of(FULL).scorer.WEIGHTS
    weights = named("greedy", FULL)
    assert {name: weights[name][0] for name in values.DEFAULT_WEIGHTS} == values.DEFAULT_WEIGHTS
    assert checked("plan", {"diamond": 3.5}, dtype)["diamond"][0] == 3.5
    assert checked("plan", {"diamond": 3.5}).tobytes() == checked("plan", {}).tobytes()
    with pytest.raises(ValueError, match=r"diamond must be .*, not 'many'"):
        checked("plan", {"diamond": "many"})


def test_games_with_the_module_have_tables_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[players2]\nruble = 1.5\n[contractors2]\nruble = 2.5\n[players3]\nruble = 3.5\n")
    three = dataclasses.replace(MODULE, players=3)
    found = [float(named(str(file), ruleset)["ruble"][0]) for ruleset in (Ruleset(), FULL, MODULE, three)]
    assert found == [1.5, 1.5, 2.5, 3.5]
    solo = dataclasses.replace(MODULE, players=1)
    assert named(str(file), solo)["ruble"][0] == 2.5
    file = tmp_path / "solo.toml"
    file.write_text("[players1]\nruble = 4.5\n[contractors1]\nruble = 5.5\n[contractors2]\nruble = 6.5\n")
    assert [named(str(file), one)["ruble"][0] for one in (solo, Ruleset(players=1), MODULE)] == [5.5, 4.5, 6.5]
    assert (named("all_rounder", MODULE)["missing"] != named("all_rounder", FULL)["missing"]).all()


def positions_by_point(games: int = 200, decisions: int = 400) -> dict[str, np.ndarray]:
    """Return states of games with the module by decision point, played by an eager hirer and at random."""
    engine = Engine(MODULE, games, 5)
    eager = PlanBot({**plan_of_greedy(MODULE), "hire": 60.0, "engage": 30.0, "ornament": 0.0})
    chance = agents.make("random", seed=3)
    generator = np.random.default_rng(4)
    found: dict[str, list[np.ndarray]] = {}
    for _ in range(decisions):
        position = Position.of(engine)
        tops = engine.games.stack[np.arange(games), engine.games.depth - 1, POINT]
        for point in np.unique(tops):
            found.setdefault(POINTS[point], []).append(np.array(engine.games[tops == point][:8]))
        drawn = generator.random(games) < 0.5
        engine.step(np.where(drawn, chance.act(position), eager.act(position)), auto_reset=True)
    return {point: np.concatenate(states) for point, states in found.items()}


@pytest.fixture(scope="module")
def states() -> dict[str, np.ndarray]:
    return positions_by_point()


def choose(states: np.ndarray, **weights: float) -> tuple[np.ndarray, list[Any]]:
    """Return the states, and the actions that a plan with these weights alone plays there."""
    engine = Engine(MODULE, len(states))
    engine.restore(states)
    actions = PlanBot({**NOTHING, **weights}).act(Position.of(engine))
    return states, [MODULE.actions.actions[action] for action in actions]


def test_a_plan_leaves_games_with_the_module_as_they_were(states: dict[str, np.ndarray]) -> None:
    """At every decision point each plan plays a legal action and changes nothing in the games."""
    scorer = build_of(MODULE).scorer
    assert {"hire", "both", "spend", "discard", "claim"} <= set(states)
    every = np.concatenate([those[:40] for those in states.values()])
    engine = Engine(MODULE, len(every))
    engine.restore(every)
    position = Position.of(engine)
    for plan in ("greedy", "rush", "majority", "guilds", "all_rounder"):
        games, actions = position.games(), np.empty(len(every), np.int64)
        before = games.copy()
        scorer.choose(
            records(MODULE.rules), records(games), records(named(plan, MODULE)), position.mask,
            records(np.zeros(1, MODULE.build.verbs.MENU)), records(np.zeros(1, scorer.SCRATCH)), actions,
        )  # fmt: skip
        assert position.mask[np.arange(len(every)), actions].all()
        for field in games.dtype.names:
            np.testing.assert_array_equal(games[field], before[field], err_msg=field)


def tools_worth(tiles: int) -> int:
    """Return the prestige for turned-over specialists, given as bits, by groups of different tools (R-59)."""
    tables = MODULE.expansion_file.tables
    kinds = [tables["specialists"]["tiles"][i]["tool"] for i in range(24) if tiles >> i & 1]
    copies = [kinds.count(tool) for tool in tables["tools"]["names"]]
    sizes = [sum(count > group for count in copies) for group in range(24)]
    return sum(tables["tools"]["prestige"][size - 1] for size in sizes if size)


def test_a_plan_engages_the_specialist_whose_tool_adds_most(states: dict[str, np.ndarray]) -> None:
    engaged = differ = 0
    for game, action in zip(*choose(states["hire"], tool=10.0), strict=True):
        seat, rubles = int(game["seat"]), int(game["rubles"][game["seat"]])
        held = int(game["tools"][seat])
        if game["specialist"][seat] >= 0:
            held |= 1 << int(game["specialist"][seat])
        slots = MODULE.expansion_file.tables["cities"]
        city = list(slots.values())[1 + int(game["stack"][game["depth"] - 1, HIRE_CITY])]
        gains = {
            slot: tools_worth(held | 1 << int(game["offer"][slot])) - tools_worth(held)
            for slot in city
            if game["offer"][slot] >= 0
        }
        assert (action.verb == Verb.ENGAGE) == (rubles >= 2 and game["ending"] < 0) or game["ending"] >= 0
        if action.verb == Verb.ENGAGE and game["ending"] < 0:
            assert gains[action.argument[0]] == max(gains.values())
            engaged += 1
            differ += len(set(gains.values())) > 1
    assert engaged > 20 and differ > 3


def hireable(game: Any, permits: int) -> list[int]:
    """Return the open cities whose price is at most so many permits."""
    return [city for city in range(6) if game["city_open"][city] and game["sent"][city].sum() < permits]


def banners(game: Any, city: int) -> int:
    """Return the number of own banners in the tower under a city."""
    towers = [tower for tower in range(MODULE.players + 2) if game["city_over"][tower] == city]
    owned = (game["tower"] == towers[0]) & (game["owner"] == game["seat"]) if towers else np.zeros(1)
    return int(owned[: 6 * MODULE.players].sum())


def test_a_plan_hires_where_its_banners_are(states: dict[str, np.ndarray]) -> None:
    start = states["start"].copy()
    start["permits"][:, :2] = 6
    start["permit_supply"] = 24 - 12
    hired = differ = 0
    for game, action in zip(*choose(start, hire=500.0, city=50.0), strict=True):
        if game["ending"] < 0 and game["contractors"][game["seat"]] and hireable(game, 6):
            assert action.verb == Verb.HIRE
            counts = {city: banners(game, city) for city in hireable(game, 6)}
            assert counts[action.argument[0]] == max(counts.values())
            hired += 1
            differ += len(set(counts.values())) > 1
    assert hired > 100 and differ > 50


def test_a_plan_gives_prestige_for_a_permit_only_for_a_hire(states: dict[str, np.ndarray]) -> None:
    """It does so where exactly one permit is missing for every open city, and the hire is worth the price."""
    start = states["start"].copy()
    start["permits"], start["permit_supply"] = 0, 24
    start["track"][:, :2] += 20
    asked = 0
    for price, wanted in ((1.0, True), (2000.0, False)):
        for game, action in zip(*choose(start, hire=1000.0, prestige_for_permit=price), strict=True):
            free = hireable(game, 1) and game["contractors"][game["seat"]]
            if game["ending"] < 0 and free:
                assert (action.verb == Verb.PERMIT) == wanted
                asked += 1
            elif not hireable(game, 1):
                assert action.verb != Verb.PERMIT
    assert asked > 20


def test_a_plan_spends_what_recognition_is_worth(states: dict[str, np.ndarray]) -> None:
    spent = set()
    for game, action in zip(*choose(states["spend"], recognition=5.0, ruble=1.0, enough=50.0), strict=True):
        assert action.verb == Verb.SPEND
        most = min(5, int(game["rubles"][game["seat"]]))
        assert action.argument[0] + 1 == most
        spent.add(most)
    for game, action in zip(*choose(states["spend"], recognition=1.0, ruble=5.0, enough=50.0), strict=True):
        if game["ending"] < 0:
            assert action.argument[0] == 0  # spends 1 ruble, the least possible
    assert spent


def test_the_tuned_plan_hires_uses_specialists_and_collects_tools() -> None:
    """The tuned plan does so over 100 games against itself, and it beats the baseline."""
    engine, bot, verbs = Engine(MODULE, 100, 3), agents.make("all_rounder"), Counter()
    while (engine.seat >= 0).any():
        rows = np.flatnonzero(engine.seat >= 0)
        actions = bot.act(Position.of(engine, rows))
        verbs.update(MODULE.actions.actions[action].verb.name for action in actions)
        engine.step(actions, rows)
    for verb in ("HIRE", "ENGAGE", "SPECIALIST"):
        assert verbs[verb] > 10, verbs
    assert verbs["MOVE_BLACK"] > 100 and engine.results().tools.mean() > 0.03
    share = match.play_match([agents.make("all_rounder"), agents.make("greedy")], 300, MODULE, seed=12).share(0)
    assert share.low > 0.6


def test_the_weights_of_the_module_act_in_games_with_it_alone() -> None:
    own = ("permit", "hire", "city", "engage", "tool", "claim_city", "complete_city", "ornament", "claim_free")
    without, same = dataclasses.replace(MODULE, contractors=False), []
    for ruleset in (without, MODULE):
        engine = Engine(ruleset, 64, 9)
        plain, changed = PlanBot("greedy"), PlanBot({**plan_of_greedy(ruleset), **dict.fromkeys(own, 77.0)})
        equal = True
        for _ in range(150):
            position = Position.of(engine)
            actions = plain.act(position)
            equal &= bool((actions == changed.act(position)).all())
            engine.step(actions, auto_reset=True)
        same.append(equal)
    assert same == [True, False]


def plan_of_greedy(ruleset: Ruleset) -> dict[str, Any]:
    record = named("greedy", ruleset)
    return {name: record[name][0].tolist() for name in record.dtype.names}


@pytest.mark.long
def test_search_plays_games_with_the_module() -> None:
    """It wins more games than the plan with which it plays its rollouts."""
    bots = [agents.make("search", simulations=24), agents.make("all_rounder")]
    share = match.play_match(bots, 20, MODULE, seed=5).share(0)
    assert share.mean > 0.6, share


def test_a_network_of_the_base_game_refuses_the_full_game() -> None:
    bot = agents.make("net", path=str(agents.net.SHIPPED / "2p-basic.npz"))
    with pytest.raises(ValueError, match="was trained for 2 players, basic"):
        bot.act(Position.of(Engine(FULL)))


def test_tuning_for_the_full_game_tunes_the_weights_that_only_it_has() -> None:
    jewelers = Ruleset(turn_limit=400, fourth_guild="jewelers")
    settings = tune.TuningSettings((2,), jewelers, keep=("rival",), rounds=1, generations=1, population=4, games=4)
    ((_, _, plan),) = tune.tune(settings)
    assert plan["diamond"] != values.DEFAULT_WEIGHTS["diamond"] and plan["rival"] == values.DEFAULT_WEIGHTS["rival"]
    again = tomllib.loads(as_text(plan | {"contract": 0.0}))
    assert again["contract"] == 0.0  # the weight is named, since a plan that leaves it out has the default weight
    base = dataclasses.replace(settings, ruleset=Ruleset())
    with pytest.raises(ValueError, match="keep: there is no weight 'rival'"):
        list(tune.tune(base))


def test_a_network_of_the_full_game_is_saved_with_its_switches(tmp_path: Path) -> None:
    """It plays the variant it was trained for, with any guild, and refuses the base game."""
    settings = dataclasses.replace(
        TINY, fourth_guild="random", promos=True, imitation=256, decisions=256, evaluation_games=2
    )
    trained = train(settings, tmp_path / "run")
    bot = net.NetBot(trained.folder)
    ruleset = bot.net.ruleset
    assert (ruleset.fourth_guild, ruleset.promos, ruleset.special_tiles) == ("random", True, False)
    shown = card.training_section(bot.net)
    assert shown.startswith("# A network for 2 players, basic workshops, the full game\n")
    assert "--fourth-guild random --promos --" in shown and "\n| expansion | fourth guild random, promos |\n" in shown
    for variant in (ruleset, FULL):
        assert bot.act(Position.of(Engine(variant, 3))).shape == (3,)
    with pytest.raises(ValueError, match="was trained for 2 players, basic"):
        bot.act(Position.of(Engine()))


def test_a_network_is_described_with_all_switches_where_one_is_on() -> None:
    full = Ruleset(3, "advanced", fourth_guild="lawyers:2", special_tiles=True, promos=True, contractors=True)
    assert net.ruleset_of(json.loads(json.dumps(net.describe(full)))) == full
    assert not set(SWITCHES) & set(net.describe(Ruleset()))
