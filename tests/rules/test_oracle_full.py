"""The engine compared with the second implementation in games with the module, guilds and promos (from R-40 on)."""

from __future__ import annotations

import random

import numpy as np
import pytest
from oracle.game import Game
from oracle.record import tables
from positions import state_to_dict
from variants import guilds_by_variant

from rc_env import Engine, Ruleset
from rc_env.rules.printed.sizes import COLOURS
from rc_env.words import notation
from rc_env.words.expansion_notation import draws_to_list

pytestmark = pytest.mark.full

GUILDS = (
    *("jewelers", "artisans", "foremen", "wholesalers", "managers"),
    *("archivists", "master_builders", "brickmakers", "thieves"),
)
BASE, X = tables("base"), tables("contractors")
FORWARD = ("deliver", "adorn", "claim", "place", "obtain", "guild", "hire", "engage", "specialist", "spend")


def oracle_of(engine: Engine) -> Game:
    """Return the deal of an engine's only row on the second implementation."""
    ruleset, game = engine.ruleset, engine.games[0]
    deal = notation.deal_to_dict(ruleset, game)
    deal |= {"players": ruleset.players, "workshop": ruleset.workshop, "turn_limit": ruleset.turn_limit}
    switches = {"contractors": ruleset.contractors, "special_tiles": ruleset.special_tiles}
    return Game(deal | {"colours": list(COLOURS[: ruleset.seats])} | switches, BASE, X)


def draws_of(engine: Engine, ivans_turn: bool) -> list[dict]:
    """Return the draws since the last decision, those of Ivan's turn included, in the form of a record."""
    game, cards = engine.games[0], notation.names(engine.ruleset).cards
    drawn = draws_to_list(engine.ruleset, game, cards)
    return drawn + (notation.ivan_turn(game, expanded=True).get("draws", []) if ivans_turn else [])


def play_both(ruleset: Ruleset, seed: int) -> tuple[int, set[str]]:
    """Play a random game on both; return the number of decisions and the points that were met."""
    engine, chance = Engine(ruleset, 1, seed), random.Random(seed)
    oracle, points, decisions = oracle_of(engine), set(), 0
    dice = notation.die_names(ruleset)
    while oracle.question:
        words = {engine.action_to_text(action) for action in np.flatnonzero(engine.legal_mask()[0])}
        legal = oracle.legal()
        assert (engine.point(), words) == (oracle.point, legal), (decisions, words ^ legal)
        points.add(oracle.point)
        forward = sorted(w for w in legal if w.split()[0] in FORWARD and not w.endswith("down"))
        action = chance.choice(forward if forward and chance.random() < 0.5 else sorted(legal))
        rolls = [chance.randint(1, 6) for _ in range(16)]
        mixed = chance.sample(range(len(dice)), len(dice))
        turns = int(engine.games.ivan_turns[0])
        engine.step([engine.text_to_action(action)], dice=[rolls], ivan_tiles=[mixed] if ruleset.solo else None)
        draws = draws_of(engine, bool(engine.games.ivan_turns[0] > turns))
        oracle.play(action, rolls, [dice[die] for die in mixed], draws)
        decisions += 1
        same(engine, oracle)
    assert engine.point() == "over"
    results, scores = engine.results(), oracle.scores()
    for name in ("track", "goods", "towers"):
        assert getattr(results, name)[0].tolist() == [score[name] for score in scores], name
    assert results.contracts[0].tolist() == [score.get("contracts", 0) for score in scores]
    assert results.tools[0].tolist() == [score.get("tools", 0) for score in scores]
    assert results.place[0].tolist() == oracle.places()
    return decisions, points


def same(engine: Engine, oracle: Game) -> None:
    """Check that both positions agree."""
    found, expected = state_to_dict(engine.ruleset, engine.games[0]), oracle.state()
    assert found == expected, {
        key: (found.get(key), expected.get(key)) for key in {*found, *expected} if found.get(key) != expected.get(key)
    }


some_seeds = pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 3), marks=pytest.mark.long)], ids=str)


@some_seeds
@guilds_by_variant(GUILDS)
def test_games_to_the_end(guild: str, players: int, workshop: str, seeds: range) -> None:
    for seed in seeds:
        ruleset = Ruleset(players, workshop, fourth_guild=guild, special_tiles=seed < 2, turn_limit=120)
        decisions, points = play_both(ruleset, 100 * seed + players)
        assert decisions > 40 and {"start", "place", "market"} <= points


OF_THE_MODULE = (*GUILDS, "clergy", "contractors", "lawyers")


@some_seeds
@guilds_by_variant(OF_THE_MODULE)
def test_games_with_the_module_to_the_end(guild: str, players: int, workshop: str, seeds: range) -> None:
    for seed in seeds:
        switches = {"fourth_guild": guild, "special_tiles": seed < 2, "contractors": True}
        decisions, points = play_both(Ruleset(players, workshop, turn_limit=120, **switches), 100 * seed + players)
        assert decisions > 40 and {"start", "place", "market", "hire"} <= points
