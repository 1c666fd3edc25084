"""The module Contractors on the engine, as its rulebook describes it: the printed examples, and the rules behind them.

`rulings/` has a case for each of this project's decisions; here are the examples of the text, in its order. A
specialist is named by its number: 1 gives 3 lumber, 2 takes 1 gold for 2 prestige, 3 activates two workshop tiles, 4
gives 3 permits, 5 gives 3 brick. Tools: hammers 1 to 4, saws 5 to 8, trowels 9 to 12, chisels 13 to 16, plumbs 17 to
20, brushes 21 to 24.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from engine_position import EngineGame
from oracle.deal import plain_deal
from rulings import SIX, case, gains, up
from rulings.checks import BASE, X, set_up
from rulings.solo import HIRES, PLAIN, QUIET

from rc_env import Engine, Ruleset

CITIES = {"moscow", "vologda", "suzdal", "ryazan", "smolensk", "tver"}


def table(
    players: int = 2, deal: Mapping[str, Any] = {}, variant: Mapping[str, Any] = {}, **position: Any
) -> EngineGame:
    """Return the plain deal of `oracle.deal` with the module, in this position; seat 0 is to move."""
    settings = {"contractors": True, "players": players} | dict(variant)
    return EngineGame(set_up(case("table", settings, position, deal=deal)))


def cities(game: EngineGame) -> dict[str, list[int]]:
    """Return the contractors in each open city, by seat."""
    return {name: city["contractors"] for name, city in game.state()["cities"].items() if city["open"]}


def hires(game: EngineGame) -> set[str]:
    return {words.removeprefix("hire ") for words in game.legal() if words.startswith("hire")}


# --- setting up


def test_r43_to_r47_the_set_up() -> None:
    """The permit tile is on the market, the six dice lie on its space and the following ones, and five specialists on
    their slots.
    """
    game = table(4)
    state = game.state()
    assert "permits:1" in state["market"] and "recognition:1" not in state["market"]
    assert list(state["dice"]) == ["red", "blue", "yellow", "green", "white", "black"]
    assert len(state["specialists"]) == 5 and len(state["bag"]) == 19
    assert state["permits"] == [1, 1, 1, 1] and state["supply"]["permits"] == 20
    assert state["contractors"] == [6, 6, 6, 6]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_r42_two_plans_more_for_each_number_of_players(players: int) -> None:
    rules, plain = Ruleset(players, contractors=True), Ruleset(players)
    seats = str(max(players, 2))
    assert rules.tables["plans"][seats] == plain.tables["plans"][seats] + X["plans"][seats]
    drawn = Engine(rules, 200).games.plan
    assert sorted(set(drawn.tolist())) == list(range(len(plain.tables["plans"][seats]) + 2))


def test_r43_the_first_die_lies_on_the_permit_tile() -> None:
    """The six dice lie on six spaces from the permit tile on, in a random order in each game."""
    engine = Engine(Ruleset(contractors=True), 100)
    tiles = [next(iter(tile)) for tile in engine.ruleset.tables["market"]["tile"]]
    start = np.argmax(engine.games.market == tiles.index("permits"), axis=1)
    steps = (engine.games.die_space - start[:, None]) % 8
    assert (np.sort(steps, axis=1) == np.arange(6)).all()
    assert {*np.argmin(steps, axis=1).tolist()} == set(range(6))


@pytest.mark.parametrize(("players", "copies"), [(2, 1), (3, 2)])
def test_r44_tiles_of_permits_and_of_the_black_die_for_those_of_recognition(players: int, copies: int) -> None:
    """They are shuffled among the others: over many deals at most one copy is met with two players, two with three."""
    engine = Engine(Ruleset(players, contractors=True), 200)
    kinds = list(engine.ruleset.tables["workshop"]["tile"])
    assert not any("recognition" in tile for tile in kinds)
    for kind in ({"count": 2, "permits": 1}, {"count": 2, "die": "black"}):
        assert (engine.games.tile == kinds.index(kind)).sum(1).max() == copies


def test_r46_smolensk_and_ryazan_are_not_available() -> None:
    """With two players two of the six cities lie over no tower: no contractor can go there in the whole game."""
    game = table(deal={"cities": ["moscow", "vologda", "suzdal", "tver"]})
    assert set(cities(game)) == {"moscow", "vologda", "suzdal", "tver"}
    assert hires(game) == {"moscow", "vologda", "suzdal", "tver"}


# --- hiring


def test_r53_to_r55_hiring_in_suzdal_for_5_permits() -> None:
    """Shei sends the contractor that is farthest to the left to Suzdal, where four stand already, and pays 5 permits.

    It is her third, so she receives a material of her choice. Of the two tiles at Suzdal she takes the left one for 2
    rubles and lays it on her board; a tile from the bag takes its place.
    """
    game = table(
        4,
        permits=[5, 1, 1, 1],
        contractors=[4, 5, 5, 6],
        rubles=[3, 4, 4, 5],
        cities={"suzdal": {"contractors": [2, 1, 1, 0]}},
    )
    assert "suzdal" in hires(game)
    game.play("hire suzdal")
    state = game.state()
    assert state["permits"][0] == 0 and state["supply"]["permits"] == 24 - 3
    assert state["contractors"][0] == 3 and cities(game)["suzdal"] == [3, 1, 1, 0]
    assert game.point == "take" and gains(*SIX) <= game.legal()
    game.play("gain gold")
    assert game.state()["materials"][0] == {"gold": 1}
    assert {words for words in game.legal() if words[:3] in ("eng", "dis")} == {
        "engage 1", "engage 2", "dismiss 1", "dismiss 2",
    }  # fmt: skip
    game.play("engage 1", [{"slot": 1, "specialist": 17}])
    state = game.state()
    assert state["rubles"][0] == 1
    assert state["specialist"] == [2, None, None, None] and state["specialists"] == [1, 17, 3, 4, 5]


def test_r53_four_permits_do_not_pay_for_the_fifth_contractor() -> None:
    game = table(4, permits=[4, 1, 1, 1], contractors=[4, 5, 5, 6], cities={"suzdal": {"contractors": [2, 1, 1, 0]}})
    assert hires(game) == CITIES - {"suzdal"}


@pytest.mark.parametrize(
    ("place", "gained"),
    [
        (1, {}),
        (2, {"rubles": 4 + 2}),
        (4, {"permits": 0 + 2}),
        (5, {"track": 2 + 4}),
        (6, {"track": 9}),
    ],
)
def test_r54_the_bonus_of_each_place_in_the_row(place: int, gained: dict[str, int]) -> None:
    """The third place gives a material (see above), the others the bonus listed here; 2 prestige lead to the second
    space.
    """
    sent = [place - 1, 0]
    game = table(contractors=[6 - sent[0], 6], cities={"vologda": {"contractors": sent}}, permits=[1, 1], rubles=[4, 4])
    game.play("hire moscow")
    state = game.state()
    expected = {"rubles": 4, "permits": 0, "track": 2} | gained
    assert {key: state[key][0] for key in expected} == expected


def test_r55_two_rubles_or_the_tile_leaves_the_game() -> None:
    """You may decide not to pay the 2 rubles: then the new specialist is removed from the game instead."""
    game = table(specialist=[17, None], rubles=[1, 4])
    game.play("hire suzdal")
    assert {"dismiss 1", "dismiss 2"} <= game.legal() and not {"engage 1", "engage 2"} & game.legal()
    game.play("dismiss 2", [{"slot": 2, "specialist": 24}])
    state = game.state()
    assert state["specialists"] == [1, 2, 24, 4, 5] and state["rubles"][0] == 1
    assert state["specialist"][0] == 17 and state["tools"][0] == []
    assert 3 not in state["bag"]


def test_r55_the_specialist_on_the_board_makes_room_without_its_effect() -> None:
    game = table(specialist=[17, None], rubles=[4, 4])
    game.play("hire suzdal")
    game.play("engage 2", [{"slot": 2, "specialist": 24}])
    state = game.state()
    assert state["specialist"][0] == 3 and state["tools"][0] == [17] and state["materials"][0] == {}


def test_r55_hiring_in_moscow() -> None:
    """Moscow allows to choose any of the five specialists; everything else is as in the other cities."""
    game = table(cities={"moscow": {"contractors": [0, 2]}}, contractors=[6, 4], permits=[3, 1])
    game.play("hire moscow")
    choices = {f"{verb} {slot}" for verb in ("engage", "dismiss") for slot in range(5)}
    assert choices <= game.legal() and game.state()["permits"][0] == 0
    game.play("engage 4", [{"slot": 4, "specialist": 6}])
    assert game.state()["specialist"][0] == 5 and game.state()["rubles"][0] == 1


# --- the specialists' die


def test_r52_a_specialist_is_used_once_after_the_black_die() -> None:
    """It is used as a workshop tile would be; then it lies face down beside the board and shows its tool."""
    game = table(specialist=[5, None])
    assert {"move black", "move black +3"} <= game.legal()  # 3 rubles for three spaces more
    game.play("move black")
    assert {"obtain", "specialist"} <= game.legal()
    game.play("specialist")
    assert game.point == "take" and {"take 1", "take 3"} <= game.legal()
    game.play("take 3")
    state = game.state()
    assert state["materials"][0] == {"brick": 3} and state["specialist"][0] is None and state["tools"][0] == [5]
    assert "specialist" not in game.legal()


def test_r52_no_other_die_calls_the_specialist() -> None:
    game = table(specialist=[5, None], workshops=[up(red="lumber:1"), {}])
    game.play("move red")
    assert "workshop red" in game.legal() and "specialist" not in game.legal()


# --- permits


def test_r48_r49_permits_from_the_market_and_for_prestige() -> None:
    """They are obtained in the market like other resources; at any moment of the turn 1 prestige gives one."""
    game = table(track=[7, 2], dice={"red": (6, 1), "black": (0, 1)})
    assert game.state()["market"][7] == "permits:1"
    game.play("permit")
    assert game.state()["permits"][0] == 2 and game.state()["track"][0] == 5
    game.play("move red")
    game.play("obtain")
    assert game.state()["permits"][0] == 3 and game.state()["supply"]["permits"] == 24 - 4


# --- cities and towers


def third_plan() -> list[list[dict[str, str]]]:
    """Return the towers of four players' third plan with the cards of the plain deal; the two on the left have three
    sections.
    """
    plain = plain_deal(BASE, X, players=4, contractors=True)["towers"]
    middles = [section for tower in plain for section in tower[1:-1]]
    heights = BASE["plans"]["4"][2]
    assert heights[:2] == [3, 3]
    return [
        [tower[0], *(middles.pop(0) for _ in range(h - 2)), tower[-1]] for tower, h in zip(plain, heights, strict=True)
    ]


def test_r57_the_scoring_of_suzdal() -> None:
    """Shei finishes the middle section of a tower of three, and with it the tower: Suzdal closes.

    Beside what the card gives she gains 4 recognition, 2 contractors by 2 banners; Isra gains 1. Jorge has an ornament
    there and no banner, José has neither: they gain nothing. Moscow, over the tower beside it, does not score until
    Isra completes the dome there.
    """
    shei, isra, jorge = 0, 1, 2
    towers = third_plan()
    card = BASE["cards"]["middle"][int(towers[1][1]["card"].split("/")[1]) - 1]
    last, *others = [material for material, count in card["cost"].items() for _ in range(count)]
    game = table(
        4,
        deal={"cities": ["moscow", "suzdal", "vologda", "ryazan", "smolensk", "tver"], "towers": towers},
        sections={
            "1.1": {"owner": isra, "done": True},
            "1.2": {"owner": isra, "done": True},
            "1.3": {"owner": isra},
            "2.1": {"owner": isra, "done": True, "ornament_owner": jorge},
            "2.2": {"owner": shei, "delivered": {material: others.count(material) for material in others}},
            "2.3": {"owner": shei, "done": True},
        },
        cities={"suzdal": {"contractors": [2, 1, 1, 1]}, "moscow": {"contractors": [1, 1, 1, 1]}},
        contractors=[3, 4, 4, 4],
        materials=[{last: 1}, {}, {}, {}],
    )
    assert game.state()["cities"]["suzdal"]["open"] and "suzdal" in cities(game)
    game.play(f"deliver {last} to 2.2")
    state = game.state()
    assert state["track"] == [2 + card["recognition"] + 2 * 2, 2 + 1 * 1, 2, 2]
    assert not state["cities"]["suzdal"]["open"] and state["cities"]["moscow"]["open"]
    assert state["cities"]["suzdal"]["contractors"] == [2, 1, 1, 1]  # the contractors stay in the closed city


def test_r57_the_sixth_card_and_a_tower_at_once() -> None:
    """The city counts first, then the player who triggers the end gains 3 prestige."""
    done = {f"{tower}.1": {"owner": 0, "done": True} for tower in range(1, 5)}
    game = table(
        sections=done | {"1.2": {"owner": 0, "done": True}, "1.3": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}}},
        cities={"moscow": {"contractors": [1, 0]}},
        contractors=[5, 6],
        materials=[{"green_gem": 1}, {}],
    )
    dome = BASE["cards"]["dome"][0]
    assert dome["cost"] == {"lumber": 1, "gold": 1, "green_gem": 1}
    game.play("deliver green_gem to 1.3")
    spaces = [space for space in BASE["track"]["prestige"] if space > 2 + dome["recognition"] + 3 * 1]
    assert game.state()["track"][0] == spaces[2]


def test_r59_tools_of_jorge() -> None:
    """Three different tools make 4 prestige, the one that is left over 1: 5 together. A face-up specialist has none."""
    game = table(variant={"turn_limit": 1}, tools=[[1, 5, 9, 6], []], specialist=[13, None])
    game.play("move red")
    game.play("done")
    assert [row["tools"] for row in game.result()["breakdown"]] == [4 + 1, 0]


# --- Ivan


def test_r83_ivan_in_moscow_gains_a_prestige_and_no_tile() -> None:
    game = EngineGame(set_up(case("table", PLAIN, QUIET, deal=HIRES)))
    game.play("move red")
    game.play("done")
    assert game.events == ["move red", "card hire", "hire moscow", "prestige 1"]
    assert game.state()["tools"] == [[], []] and cities(game)["moscow"] == [0, 2]


def test_r83_ivan_in_smolensk_loses_two_tiles_of_one_tool() -> None:
    """He has a hammer already and takes a hammer and a saw: both hammers go back to the bag."""
    deal = HIRES | {"cities": ["moscow", "smolensk", "suzdal", "ryazan"]}
    position = QUIET | {"ivan": {"tower": 2}, "specialists": [9, 10, 11, 2, 6], "tools": [[], [1]]}
    game = EngineGame(set_up(case("table", PLAIN, position, deal=deal)))
    game.play("move red")
    game.play("done")
    assert "specialists 2 6" in game.events and "return 1 2" in game.events
    assert game.state()["tools"] == [[], [6]] and cities(game)["smolensk"] == [0, 1]
