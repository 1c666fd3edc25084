"""Bots in the full game: both builds of their compiled modules, and what a network says of a game it is not for."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path

import pytest
from tiny import TINY

from rc_env import Engine, Ruleset, agents
from rc_env.agents import net, values
from rc_env.agents.plan import as_text, checked, named
from rc_env.bot import Position
from rc_env.training.learning.run import train
from rc_env.training.studies import tune

pytestmark = [pytest.mark.full, pytest.mark.slow]

FULL = Ruleset(fourth_guild="jewelers", special_tiles=True)


def test_both_builds_have_their_own_scorer_and_one_registry() -> None:
    """The scorer of the full game weighs more, and its modules refer to their own build alone."""
    scorer = FULL.module("agents.scorer")
    assert scorer.__name__ == "rc_env.full.agents.scorer" and scorer.points_of_full.__module__.startswith(
        "rc_env.full."
    )
    base = Ruleset().module("agents.scorer").WEIGHTS
    assert scorer.WEIGHTS.names == (*base.names, *values.USUAL)
    assert FULL.module("agents.simulation").WORK["game"] == FULL.module("rules.state").GAME
    assert not hasattr(FULL.module("agents"), "make")


def test_a_plan_need_not_name_the_weights_of_the_full_game() -> None:
    dtype = FULL.module("agents.scorer").WEIGHTS
    weights = named("greedy", 2, dtype)
    assert {name: weights[name][0] for name in values.USUAL} == values.USUAL
    assert checked("plan", {"diamond": 3.5}, dtype)["diamond"][0] == 3.5
    assert checked("plan", {"diamond": 3.5}).tobytes() == checked("plan", {}).tobytes()
    with pytest.raises(ValueError, match="diamond = 'many' found"):
        checked("plan", {"diamond": "many"})


def test_a_network_of_the_base_game_refuses_the_full_game() -> None:
    bot = agents.make("net", path=str(agents.net.SHIPPED / "2p-basic.npz"))
    with pytest.raises(ValueError, match="expected 2 players, basic, for which it was trained"):
        bot.act(Position.of(Engine(FULL)))


def test_tuning_for_the_full_game_tunes_the_weights_that_only_it_has() -> None:
    short = tune.TuningSettings(rounds=1, generations=1, population=4, games=4)
    settings = dataclasses.replace(short, fourth_guild="jewelers", keep=("rival",))
    ((_, _, plan),) = tune.tune(settings)
    assert plan["diamond"] != values.USUAL["diamond"] and plan["rival"] == values.USUAL["rival"]
    again = tomllib.loads(as_text(plan | {"contract": 0.0}))
    assert again["contract"] == 0.0  # named, since a plan that leaves it out weighs contracts as usual
    base = dataclasses.replace(settings, fourth_guild="clergy")
    with pytest.raises(ValueError, match="keep: 'rival' found"):
        list(tune.tune(base))


def test_a_network_of_the_full_game_is_saved_with_its_switches(tmp_path: Path) -> None:
    """It plays what it was trained for, whatever the guild, and refuses the base game."""
    settings = dataclasses.replace(
        TINY, fourth_guild="random", promos=True, imitation=256, decisions=256, evaluation_games=2
    )
    trained = train(settings, tmp_path / "run")
    bot = net.NetBot(trained.folder)
    ruleset = bot.net.ruleset
    assert (ruleset.fourth_guild, ruleset.promos, ruleset.special_tiles) == ("random", True, False)
    for variant in (ruleset, FULL):
        assert bot.act(Position.of(Engine(variant, 3))).shape == (3,)
    with pytest.raises(ValueError, match="expected 2 players, basic, for which it was trained"):
        bot.act(Position.of(Engine()))
    assert "fourth_guild" not in net.describe(Ruleset())
