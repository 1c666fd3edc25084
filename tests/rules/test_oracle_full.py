"""The engine against the second implementation in games with guilds of the expansion and the promos (R-40 on)."""

from __future__ import annotations

import random

import numpy as np
import pytest
from oracle.game import Game
from oracle.record import tables

from rc_env import Engine, Ruleset
from rc_env.layout import notation
from rc_env.rules import data_file
from rc_env.rules.sizes import COLOURS, DIE_NAMES

pytestmark = pytest.mark.full

GUILDS = (
    *("jewelers", "artisans", "foremen", "wholesalers", "managers"),
    *("archivists", "master_builders", "brickmakers", "thieves"),
)
VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in ("basic", "advanced")]
BASE, X = tables("base"), tables("contractors")
FORWARD = ("deliver", "adorn", "claim", "place", "obtain", "guild")


def oracle_of(engine: Engine) -> Game:
    """The deal of an engine's only row on the second implementation."""
    ruleset, game = engine.ruleset, engine.games[0]
    deal = notation.deal_to_dict(ruleset, game)
    deal |= {"players": ruleset.players, "workshop": ruleset.workshop, "turn_limit": ruleset.turn_limit}
    names = [*ruleset.data_file.tables["guilds"], *ruleset.expansion_file.tables["guilds"]]
    first = ruleset.rules[0].first_influence
    deal["guilds"] = [
        {"guild": names[guild], "card": int(card - first[guild]) + 1}
        for guild, card in zip(game.guild, game.influence, strict=True)
    ]
    deal |= {"colours": list(COLOURS[: ruleset.seats]), "contractors": False, "special_tiles": ruleset.special_tiles}
    deal["contracts"] = [int(card) + 1 for card in game.contract_deck]
    return Game(deal, BASE, X)


def draws_of(engine: Engine) -> list[dict]:
    """What was drawn since the last decision, as a record tells it."""
    game, names = engine.games[0], [f"{kind}/{i + 1}" for kind, n in data_file.CARDS.items() for i in range(n)]
    drawn = [int(card) + 1 for card in game.log_contract if card >= 0]
    cards = [names[card] for card in game.log_card if card >= 0]
    return ([{"contracts": drawn}] if drawn else []) + ([{"cards": cards}] if cards else [])


def play_both(ruleset: Ruleset, seed: int) -> tuple[int, set[str]]:
    """A random game on both; returns the number of decisions and the points that were met."""
    engine, chance = Engine(ruleset, 1, seed), random.Random(seed)
    oracle, points, decisions = oracle_of(engine), set(), 0
    while oracle.question:
        words = {engine.action_to_text(action) for action in np.flatnonzero(engine.legal_mask()[0])}
        legal = oracle.legal()
        assert (engine.point(), words) == (oracle.point, legal), (decisions, words ^ legal)
        points.add(oracle.point)
        forward = sorted(w for w in legal if w.split()[0] in FORWARD and not w.endswith("down"))
        action = chance.choice(forward if forward and chance.random() < 0.5 else sorted(legal))
        rolls = [chance.randint(1, 6) for _ in range(16)]
        mixed = chance.sample(range(5), 5)
        engine.step([engine.text_to_action(action)], dice=[rolls], ivan_tiles=[mixed] if ruleset.solo else None)
        oracle.play(action, rolls, [DIE_NAMES[die] for die in mixed], draws_of(engine))
        decisions += 1
        same(engine, oracle)
    assert engine.point() == "over"
    results, scores = engine.results(), oracle.scores()
    for name in ("track", "goods", "towers"):
        assert getattr(results, name)[0].tolist() == [score[name] for score in scores], name
    assert results.contracts[0].tolist() == [score.get("contracts", 0) for score in scores]
    assert results.place[0].tolist() == oracle.places()
    return decisions, points


def same(engine: Engine, oracle: Game) -> None:
    """The positions agree."""
    state, game = oracle.state(), engine.games[0]
    seats = engine.num_seats
    assert game.track[:seats].tolist() == state["track"]
    assert game.rubles[: engine.num_players].tolist() == state["rubles"][: engine.num_players]
    assert game.diamonds[: engine.num_players].tolist() == [
        goods.get("diamond", 0) for goods in state["materials"][: engine.num_players]
    ]
    assert game.supply[:6].tolist() == [
        state["supply"][name] for name in ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
    ]
    if "foreman" in state:
        assert game.foreman == state["foreman"] - 1
    if "contracts" in state:
        hands = [sorted(int(card) + 1 for card in hand if card >= 0) for hand in game.hand[:seats]]
        assert hands == state["contracts"]
        assert [int(card) + 1 for card in game.contract_deck if card >= 0] == state["contract_deck"]


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
@pytest.mark.parametrize("guild", GUILDS)
def test_games_to_the_end(guild: str, players: int, workshop: str) -> None:
    for seed in range(3):
        ruleset = Ruleset(players, workshop, fourth_guild=guild, special_tiles=seed < 2, turn_limit=120)
        decisions, points = play_both(ruleset, 100 * seed + players)
        assert decisions > 40 and {"start", "place", "market"} <= points
