"""Tests of the search bot."""

from __future__ import annotations

import re

import numpy as np
import pytest
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.arena import match
from rc_env.bot import Position

pytestmark = pytest.mark.slow


def position_at(decisions: int, games: int = 12, **ruleset) -> tuple[Engine, Position]:
    engine = Engine(Ruleset(**ruleset), games, 5)
    greedy = agents.make("greedy")
    for _ in range(decisions):
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    return engine, Position.of(engine)


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (4, "basic")])
def test_search_decides_legally_and_repeats(players, workshop):
    for decisions in (0, 60, 140):
        _, position = position_at(decisions, players=players, workshop=workshop)
        bot = agents.make("search", simulations=30)
        bot.reset(3)
        first = bot.act(position)
        assert position.mask[np.arange(len(first)), first].all()
        bot.reset(3)
        np.testing.assert_array_equal(bot.act(position), first)


def test_a_decision_depends_on_its_game_and_the_seed_alone():
    """Neither the other games of the batch nor earlier decisions matter."""
    engine, position = position_at(80)
    bot = agents.make("search", simulations=40)
    whole = bot.act(position)
    for row in (3, 7, 3):
        assert bot.act(Position.of(engine, [row]))[0] == whole[row]


def test_search_never_sees_the_dice_to_come():
    engine, _ = position_at(90, games=24)
    bot = agents.make("search", simulations=60)
    before = bot.act(Position.of(engine))
    for shift in (1, 77, 12345):
        writeable(engine).key[:] += np.uint64(shift)
        np.testing.assert_array_equal(bot.act(Position.of(engine)), before)


def test_a_budget_in_milliseconds_looks_further_than_none():
    _, position = position_at(90, games=4)
    bot = agents.make("search", milliseconds=20)
    actions = bot.act(position)
    assert position.mask[np.arange(4), actions].all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"net": "shipped", "plan": "rush"}, "plan: has no effect on a search with a network (net): leave it out"),
        ({"net": "shipped", "depth": 5}, "depth: has no effect on a search with a network (net): leave it out"),
        ({"sure": 0.5}, "sure: has no effect on a search without a network (net): leave it out"),
        ({"candidates": 8}, "candidates: has no effect on a search without a network (net): leave it out"),
    ],
)
def test_a_setting_without_effect_is_refused(settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        agents.make("search", **settings)
    usual = {name: agents.about("search")[1][name] for name in settings if name != "net"}
    agents.make("search", **{**settings, **usual})


def test_search_takes_a_win_at_hand():
    """With one simulation it plays the plan's action; with many the best of those that end the game."""
    weak = agents.make("search", simulations=1, depth=1)
    _, position = position_at(100, games=64)
    plan = agents.make("all_rounder").act(position)
    assert (weak.act(position) == plan).mean() > 0.9


@pytest.mark.parametrize(
    ("players", "deals", "simulations"),
    [(2, 10, 40), *(pytest.param(*longer, marks=pytest.mark.long) for longer in ((2, 20, 40), (3, 8, 40), (4, 6, 40)))],
)
def test_search_beats_the_all_rounder(players, deals, simulations):
    bots = [agents.make("search", simulations=simulations)] + [agents.make("all_rounder")] * (players - 1)
    share = match.play_match(bots, deals, Ruleset(players=players), seed=21).share(0)
    assert share.low > 1 / players
