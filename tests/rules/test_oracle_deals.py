"""Tests of the deals that the oracle draws: the switches, the fourth guild and the set-up with the module (R-40 to
R-46, R-81).
"""

import random
from collections import Counter
from typing import Any

import pytest
from oracle.deal import allowed_cards, deal
from oracle.names import CRAFTS
from oracle.record import tables

BASE, X = tables("base"), tables("contractors")


def deals(count: int = 60, **variant: Any) -> list[dict[str, Any]]:
    return [deal(random.Random(seed), BASE, X, **variant) for seed in range(count)]


def fourth(dealt: dict[str, Any]) -> str:
    return next(f"{entry['guild']}:{entry['card']}" for entry in dealt["guilds"] if entry["guild"] not in CRAFTS)


def test_r40_without_a_switch_it_is_the_base_game() -> None:
    for dealt in deals(5):
        assert not dealt.keys() & {"contractors", "special_tiles", "cities", "specialists", "contracts"}
        assert "recognition:1" in dealt["market"] and set(dealt["dice"]) == {"red", "blue", "yellow", "green", "white"}


def test_r41_cards_that_need_the_module() -> None:
    without, module = allowed_cards(BASE, X, False, True), allowed_cards(BASE, X, True, True)
    assert set(module) - set(without) == {"contractors", "lawyers"}
    assert without["jewelers"] == [1, 2] and module["jewelers"] == [1, 2, 3]
    assert "thieves" not in allowed_cards(BASE, X, True, False)
    for guild in ("lawyers", "contractors:1", "jewelers:3", "jewelers:4", "builders"):
        with pytest.raises(ValueError, match=f"guild: {guild} found"):
            deal(random.Random(0), BASE, X, guild=guild)
    assert {fourth(dealt) for dealt in deals(5, guild="jewelers:3", contractors=True)} == {"jewelers:3"}
    assert {fourth(dealt) for dealt in deals(guild="jewelers")} == {"jewelers:1", "jewelers:2"}


def test_r41_random_is_uniform_over_guilds_then_over_cards() -> None:
    drawn = Counter(fourth(dealt) for dealt in deals(9 * 400, guild="random", promos=True))
    guilds = Counter(
        {g: sum(n for card, n in drawn.items() if card.startswith(g)) for g in allowed_cards(BASE, X, False, True)}
    )
    assert len(guilds) == 10 and sum(guilds.values()) == sum(drawn.values())
    expected = sum(guilds.values()) / len(guilds)
    # Chi-squared with 9 degrees of freedom, level 1 in 1,000.
    assert sum((n - expected) ** 2 / expected for n in guilds.values()) < 27.9
    assert abs(drawn["jewelers:1"] - drawn["jewelers:2"]) < 0.35 * guilds["jewelers"]
    assert {card.split(":")[0] for card in drawn} >= {"clergy", "thieves"}
    assert not any(fourth(dealt).startswith("thieves") for dealt in deals(guild="random"))


def test_r42_plans_of_the_module() -> None:
    for players in (2, 3, 4):
        base, more = BASE["plans"][str(players)], X["plans"][str(players)]
        without = [[len(tower) for tower in d["towers"]] for d in deals(players=players, special_tiles=True)]
        module = [[len(tower) for tower in d["towers"]] for d in deals(players=players, contractors=True)]
        assert all(plan in base for plan in without)
        assert all(plan in module for plan in more) and all(plan in base + more for plan in module)


def test_r43_the_permit_tile_and_the_black_die() -> None:
    for dealt in deals(20, contractors=True):
        assert "permits:1" in dealt["market"] and "recognition:1" not in dealt["market"] and len(dealt["market"]) == 8
        start = dealt["market"].index("permits:1")
        assert {(entry["space"] - start) % 8 for entry in dealt["dice"].values()} == set(range(6))
        assert list(dealt["dice"])[-1] == "black"


def test_r44_workshop_tiles() -> None:
    two, four = Counter(), Counter()
    for dealt in deals(contractors=True):
        tiles = Counter(section["tile"] for tower in dealt["towers"] for section in tower)
        assert max(tiles.values()) == 1
        two |= tiles
    for dealt in deals(contractors=True, players=4):
        four |= Counter(section["tile"] for tower in dealt["towers"] for section in tower)
    assert "recognition:1" not in two and {"permits:1", "die:black"} <= set(two)
    assert len(two) == 15 and set(four.values()) == {2}


def test_r45_and_r46_specialists_and_cities() -> None:
    for players, towers in ((1, 4), (2, 4), (3, 5), (4, 6)):
        for dealt in deals(10, contractors=True, players=players):
            assert len(set(dealt["cities"])) == len(dealt["cities"]) == len(dealt["towers"]) == towers
            assert len(set(dealt["specialists"])) == 5 and set(dealt["specialists"]) <= set(range(1, 25))
    assert {dealt["cities"][0] for dealt in deals(contractors=True)} == set(X["cities"]["names"])


def test_r76_the_contracts_are_shuffled() -> None:
    dealt = deals(20, guild="archivists")
    assert all(sorted(d["contracts"]) == list(range(1, 16)) for d in dealt)
    assert len({tuple(d["contracts"]) for d in dealt}) == 20


def test_r81_ivans_cards_and_tiles() -> None:
    for dealt in deals(10, players=1, contractors=True, guild="random"):
        assert "hire" in dealt["ivan"]["cards"] and "die:black" in dealt["ivan"]["tiles"]
        assert len(set(dealt["ivan"]["cards"])) == len(set(dealt["ivan"]["tiles"])) == 6
    assert all(len(d["ivan"]["cards"]) == 5 for d in deals(10, players=1, guild="foremen"))
