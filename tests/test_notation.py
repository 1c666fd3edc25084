"""Tests of deals, positions and rolls in words: the names of the game record, converted both ways."""

import copy
import json
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from positions import state_to_dict
from variants import every_variant
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, MATERIAL_NAMES, SLOT_NAMES
from rc_env.rules.setup import DEAL
from rc_env.words.notation import deal_to_dict, dict_to_deal, names, rolls_to_list

BASIC = Ruleset()
DEALT = deal_to_dict(BASIC, Engine(BASIC, 1, seed=7).games[0])


def play(engine: Engine, *words: str, dice: tuple[int, ...] = ()) -> None:
    """Play decisions of the first game in words; the dice of the last one fall as given."""
    for i, text in enumerate(words):
        last = i == len(words) - 1
        engine.step([engine.text_to_action(text)], [0], dice=[dice] if last and dice else None)
        assert not engine.illegal[0], text


# --- names --------------------------------------------------------------------------------------------------------


def test_names_are_those_of_the_record() -> None:
    name = names(BASIC)
    assert (name.cards[0], name.cards[9], name.cards[10], name.cards[-1]) == (
        "base/1",
        "base/10",
        "middle/1",
        "dome/10",
    )
    assert name.tiles[:6] == ("die:red", "die:blue", "die:yellow", "die:green", "die:white", "lumber:1")
    assert name.tiles[-3:] == ("rubles:2", "recognition:1", "any_material:1")
    assert name.market == (
        *("lumber:2", "brick:2", "stone:2", "gold:1", "green_gem:1", "purple_gem:1", "rubles:2", "recognition:1"),
    )
    assert (name.guild_cards[0], name.guild_cards[-1]) == ("craftsmen/1", "clergy/3")
    for words in name:
        assert [words.index(word) for word in words] == list(range(len(words)))


# --- deals --------------------------------------------------------------------------------------------------------


@every_variant
def test_a_deal_goes_both_ways(players: int, workshop: str) -> None:
    rules = Ruleset(players=players, workshop=workshop)
    engine, other = Engine(rules, 20, seed=3), Engine(rules, 20, seed=4)
    deals = [deal_to_dict(rules, game) for game in engine.games]
    shown = json.loads(json.dumps(deals))
    other.reset(deals=np.concatenate([dict_to_deal(rules, deal) for deal in shown]))
    for i in range(20):
        assert deal_to_dict(rules, other.games[i]) == deals[i]
        assert state_to_dict(rules, other.games[i]) == state_to_dict(rules, engine.games[i])
    assert np.array_equal(engine.legal_mask(), other.legal_mask())
    assert all(len(tower) == height for tower, height in zip(deals[0]["towers"], engine.games[0].height, strict=False))


def test_what_a_deal_looks_like() -> None:
    assert list(DEALT) == ["market", "guilds", "dice", "towers"]
    assert sorted(DEALT["market"]) == sorted(names(BASIC).market)
    assert {entry["guild"] for entry in DEALT["guilds"]} == {"craftsmen", "teamsters", "merchants", "clergy"}
    assert list(DEALT["dice"]) == list(BASE_DIE_NAMES)
    start = DEALT["market"].index("recognition:1")
    assert sorted((die["space"] - start) % 8 for die in DEALT["dice"].values()) == [0, 1, 2, 3, 4]
    for tower in DEALT["towers"]:
        kinds = [section["card"].split("/")[0] for section in tower]
        assert kinds == ["base", *["middle"] * (len(tower) - 2), "dome"]


@pytest.mark.parametrize("part", ["market", "guilds", "dice", "towers", "nothing"])
def test_parts_left_out_are_drawn(part: str) -> None:
    deal = dict_to_deal(BASIC, {part: DEALT[part]} if part in DEALT else {})
    assert deal.dtype == DEAL and deal.shape == (1,)
    engine = Engine(BASIC, 30, seed=1)
    engine.reset(deals=deal)
    dealt = [deal_to_dict(BASIC, game) for game in engine.games]
    for key in DEALT:
        alike = [shown[key] == DEALT[key] for shown in dealt]
        assert all(alike) if key == part else not all(alike)


@pytest.mark.parametrize("key", ["card", "tile"])
def test_cards_or_tiles_alone(key: str) -> None:
    other = {"card": "tile", "tile": "card"}[key]
    towers = [[{key: section[key]} for section in tower] for tower in DEALT["towers"]]
    engine = Engine(BASIC, 10, seed=1)
    engine.reset(deals=dict_to_deal(BASIC, {"towers": towers}))
    dealt = [deal_to_dict(BASIC, game)["towers"] for game in engine.games]
    for tower, column in enumerate(DEALT["towers"]):
        for level, section in enumerate(column):
            assert {towers[tower][level][key] for towers in dealt} == {section[key]}
            assert len({towers[tower][level][other] for towers in dealt}) > 1


def test_a_plan_or_the_guilds_alone() -> None:
    engine = Engine(BASIC, 30, seed=1)
    guilds = [{"guild": entry["guild"]} for entry in DEALT["guilds"]]
    engine.reset(deals=dict_to_deal(BASIC, {"towers": [[{}] * 4, [{}] * 2, [{}] * 4, [{}] * 2], "guilds": guilds}))
    dealt = [deal_to_dict(BASIC, game) for game in engine.games]
    assert all([len(tower) for tower in shown["towers"]] == [4, 2, 4, 2] for shown in dealt)
    assert all([entry["guild"] for entry in shown["guilds"]] == [e["guild"] for e in guilds] for shown in dealt)
    assert len({shown["guilds"][0]["card"] for shown in dealt}) == 3


def test_from_three_players_on_there_are_two_copies_of_a_tile() -> None:
    rules = Ruleset(players=3)
    towers = deal_to_dict(rules, Engine(rules, 1).games[0])["towers"]
    tiles = [section["tile"] for tower in towers for section in tower]
    assert max(Counter(tiles).values()) == 2
    for tower in towers[:3]:
        tower[0]["tile"] = "die:red"
    with pytest.raises(ValueError, match=r"deal\.towers, section 2\.3: workshop tile die:red occurs more than 2 times"):
        dict_to_deal(rules, {"towers": towers})


def test_a_deal_is_written_for_a_fresh_game_only() -> None:
    engine = Engine(BASIC, 1)
    play(engine, engine.action_to_text(int(engine.legal_mask()[0].argmax())))
    with pytest.raises(ValueError, match="game must be a game just dealt, not one of 1 decisions"):
        deal_to_dict(BASIC, engine.games[0])


def edited(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    deal = copy.deepcopy(DEALT)
    change(deal)
    return deal


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return an edit that moves the last of `path` to the place that the rest names."""

    def change(deal: Any) -> None:
        for step in path[:-2]:
            deal = deal[step]
        deal[path[-2]] = path[-1]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("tower", []), "deal: unknown key 'tower': did you mean towers? Otherwise choose market, guilds, dice"),
        (put("market", 3), "deal.market must be a list of tiles, not int"),
        (lambda d: d["market"].pop(), "deal.market: there must be 8 tiles, not 7"),
        (
            put("market", 3, "gold:9"),
            "deal.market, space 3: unknown market tile 'gold:9': did you mean gold:1? Otherwise choose lumber:2,",
        ),
        (put("market", 3, None), "deal.market, space 3: unknown market tile None: choose lumber:2, brick:2,"),
        (
            put("market", ["gold:1"] * 8),
            "deal.market, space 1: market tile gold:1 occurs more than once",
        ),
        (put("guilds", {}), "deal.guilds must be a list of guilds, not dict"),
        (lambda d: d["guilds"].pop(), "deal.guilds: there must be 4 guilds, not 3"),
        (put("guilds", 1, "clergy"), "deal.guilds, quadrant 1 must be a mapping with guild, card, not str"),
        (put("guilds", 1, {"card": 1}), "deal.guilds, quadrant 1: guild is missing; needed are guild"),
        (
            put("guilds", 1, "guild", "bakers"),
            "deal.guilds, quadrant 1: unknown guild 'bakers': choose craftsmen, teamsters, merchants or clergy",
        ),
        (put("guilds", 1, "card", 4), "deal.guilds, quadrant 1: the guild clergy has the cards 1 to 3, not 4"),
        (put("guilds", 1, "card", "2"), "deal.guilds, quadrant 1: the guild clergy has the cards 1 to 3, not '2'"),
        (put("guilds", [{"guild": "clergy"}] * 4), "deal.guilds, quadrant 1: guild clergy occurs more than once"),
        (
            lambda d: d["guilds"][2].pop("card"),
            "deal.guilds: 3 of 4 entries have a card; either all of them have it or none",
        ),
        (
            lambda d: d["dice"].pop("white"),
            "deal.dice: white is missing; needed are red, blue, yellow, green, white",
        ),
        (put("dice", "black", {}), "deal.dice: unknown key 'black': choose red, blue, yellow, green or white"),
        (put("dice", "red", "space", 8), "deal.dice.red.space must be a whole number from 0 to 7, not 8"),
        (put("dice", "red", "value", 0), "deal.dice.red.value must be a whole number from 1 to 6, not 0"),
        (put("dice", "red", "value", True), "deal.dice.red.value must be a whole number from 1 to 6, not True"),
        (put("dice", "red", {"space": 1}), "deal.dice.red: value is missing; needed are space, value"),
        (
            lambda d: [die.update(space=5) for die in list(d["dice"].values())[:4]],
            "deal.dice: there are 4 dice on space 5, but a space holds at most 3",
        ),
        (lambda d: d["towers"].pop(), "deal.towers: there must be 4 towers, not 3"),
        (put("towers", 1, "base/1"), "deal.towers, tower 2 must be a list of sections, not str"),
        (
            put("towers", [[{}] * 6, [{}] * 2, [{}] * 2, [{}] * 2]),
            "deal.towers: the heights [6, 2, 2, 2] are no plan; the plans are [3, 3, 3, 3], [4, 2, 4, 2], [3, 2,",
        ),
        (
            put("towers", 0, 0, "card", "base/11"),
            "deal.towers, section 1.1: unknown card 'base/11': did you mean base/1?",
        ),
        (put("towers", 0, 0, "card", "dome/1"), "deal.towers, section 1.1 must be a base card, not dome/1"),
        (
            lambda d: d["towers"][0][0].update(card=d["towers"][1][0]["card"]),
            "occurs more than once",
        ),
        (
            put("towers", 0, 0, "tile", "gold:2"),
            "section 1.1: unknown workshop tile 'gold:2': did you mean gold:1?",
        ),
        (
            lambda d: d["towers"][0][0].update(tile=d["towers"][0][1]["tile"]),
            "occurs more than once",
        ),
        (lambda d: d["towers"][0][0].pop("tile"), "deal.towers: 11 of 12 entries have a tile; either all of them"),
        (
            put("towers", 0, 0, "owner", 0),
            "deal.towers, section 1.1: unknown key 'owner': choose card or tile",
        ),
    ],
)
def test_deals_that_are_refused(change: Callable[[dict[str, Any]], Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        dict_to_deal(BASIC, edited(change))
    assert message in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_tiles_that_read_alike(tmp_path: Path) -> None:
    """A file of the user's own may have two market tiles, or two kinds of workshop tile, with the same words."""
    text = (resources.files("rc_env") / "data" / "base.toml").read_text()
    text = text.replace("[[market.tile]]\nbrick = 2", "[[market.tile]]\nlumber = 2")
    text = text.replace("count = 2\nbrick = 1", "count = 2\nlumber = 1")
    path = tmp_path / "alike.toml"
    path.write_text(text)
    rules = Ruleset(data=path)
    engine, other = Engine(rules, 30, seed=3), Engine(rules, 1)
    for game in engine.games:
        deal = deal_to_dict(rules, game)
        assert deal["market"].count("lumber:2") == 2
        other.reset(deals=dict_to_deal(rules, deal))
        assert deal_to_dict(rules, other.games[0]) == deal


# --- positions ----------------------------------------------------------------------------------------------------

# Tower 1 has three sections, the white die lies on the recognition tile, and everything else is easy to compute.
KNOWN: dict[str, Any] = {
    "market": ["recognition:1", "gold:1", "lumber:2", "brick:2", "stone:2", "green_gem:1", "purple_gem:1", "rubles:2"],
    "guilds": [{"guild": guild, "card": 1} for guild in ("craftsmen", "teamsters", "merchants", "clergy")],
    "dice": {die: {"space": i, "value": 1} for i, die in enumerate(("white", "red", "blue", "yellow", "green"))},
    "towers": [
        [
            {"card": f"{kind}/{tower + 1}", "tile": names(BASIC).tiles[3 * tower + level]}
            for level, kind in enumerate(("base", "middle", "dome"))
        ]
        for tower in range(4)
    ],
}


def known(workshop: str = "basic") -> tuple[Ruleset, Engine]:
    rules = Ruleset(workshop=workshop)
    engine = Engine(rules, 1, seed=1)
    engine.reset(deals=dict_to_deal(rules, KNOWN))
    return rules, engine


def test_the_state_of_a_fresh_game() -> None:
    rules, engine = known()
    free: dict[str, Any] = {"owner": None, "done": False, "delivered": {}, "ornament": None, "ornament_owner": None}
    assert state_to_dict(rules, engine.games[0]) == {
        "seat": 0,
        "point": "start",
        "turn": 1,
        "track": [2, 2],
        "rubles": [3, 4],
        "materials": [{}, {}],
        "inventory_banners": [4, 4],
        "spare_banners": [2, 2],
        "white_banners": [[], []],
        "doors": [1, 1],
        "arches": [2, 2],
        "crosses": [1, 1],
        "workshops": [{}, {}],
        "market": KNOWN["market"],
        "dice": {die: KNOWN["dice"][die] for die in BASE_DIE_NAMES},
        "supply": {"lumber": 20, "brick": 20, "stone": 20, "gold": 15, "green_gem": 10, "purple_gem": 10},
        "towers": [[{**free, "tile": section["tile"]} for section in tower] for tower in KNOWN["towers"]],
    }


def test_the_state_along_a_few_turns() -> None:
    rules, engine = known()
    play(engine, "claim 1 from inventory")
    state = state_to_dict(rules, engine.games[0])
    assert (state["seat"], state["point"], state["inventory_banners"]) == (0, "place", [3, 4])
    assert state["towers"][0][0] == {
        **{"owner": 0, "done": False, "delivered": {}, "tile": "die:red", "ornament": None, "ornament_owner": None}
    }
    play(engine, "place blue up")  # the red die lies on gold: placing costs 1 ruble and gains 1 gold
    play(engine, "take 1")
    state = state_to_dict(rules, engine.games[0])
    assert state["workshops"] == [{"blue": {"tile": "die:red", "up": True}}, {}]
    assert (state["rubles"], state["materials"], state["towers"][0][0]["tile"]) == ([2, 4], [{"gold": 1}, {}], None)
    play(engine, "claim 1 from spare", "place white1 down")
    state = state_to_dict(rules, engine.games[0])
    assert (state["seat"], state["turn"], state["spare_banners"]) == (0, 3, [2, 1])
    assert state["workshops"][1] == {"white1": {"tile": "die:blue", "up": False}}
    assert state["towers"][0][1]["owner"] == 1


def test_delivered_until_finished_then_adorned() -> None:
    rules, engine = known()
    play(engine, "claim 1 from inventory", "place red down", "claim 2 from spare", "place red down")
    game = writeable(engine)[0]  # base/1 costs 2 lumber and 1 brick
    game.goods[0, :2] = (4, 1)
    game.supply[:2] -= (4, 1)
    engine.restore(engine.clone())
    play(engine, "deliver lumber to 1.1")
    assert state_to_dict(rules, engine.games[0])["towers"][0][0]["delivered"] == {"lumber": 1}
    play(engine, "deliver brick to 1.1")
    delivered = {"lumber": 1, "brick": 1}
    assert state_to_dict(rules, engine.games[0])["towers"][0][0]["delivered"] == delivered
    assert state_to_dict(rules, engine.games[0])["supply"]["lumber"] == 16
    play(engine, "deliver lumber to 1.1")
    state = state_to_dict(rules, engine.games[0])
    assert (state["towers"][0][0]["done"], state["towers"][0][0]["delivered"]) == (True, {})
    assert state["supply"]["lumber"] == 18
    assert (state["track"], state["rubles"]) == ([5, 2], [4, 4])
    while engine.seat[0] != 0 or engine.point() != "start":
        words = [engine.action_to_text(a) for a in engine.legal_mask()[0].nonzero()[0]]
        play(engine, next((w for w in ("done", "claim 3 from spare", "place blue down") if w in words), words[0]))
    play(engine, "adorn 1.1")
    section = state_to_dict(rules, engine.games[0])["towers"][0][0]
    assert (section["ornament"], section["ornament_owner"]) == ("door", 0)
    assert state_to_dict(rules, engine.games[0])["doors"] == [0, 1]


def test_the_advanced_board() -> None:
    rules, engine = known("advanced")
    state = state_to_dict(rules, engine.games[0])
    assert (state["white_banners"], state["spare_banners"]) == ([["white1", "white2"]] * 2, [0, 0])
    assert (state["doors"], state["arches"], state["crosses"]) == ([0, 0], [0, 0], [0, 0])
    play(engine, "claim 2 from white1", "place red up")
    state = state_to_dict(rules, engine.games[0])
    assert (state["white_banners"][0], state["crosses"]) == (["white2"], [1, 0])


@every_variant
def test_states_of_random_games_hold_together(players: int, workshop: str) -> None:
    rules = Ruleset(players=players, workshop=workshop)
    engine = Engine(rules, 30, seed=5)
    over = 0
    for i in range(8):
        engine.play_random(97, seed=i)
        for row, game in enumerate(engine.games):
            state = state_to_dict(rules, game)
            assert json.loads(json.dumps(state)) == state
            assert (state["seat"], state["point"]) == (None if (s := engine.seat[row]) < 0 else s, engine.point(row))
            over += state["point"] == "over"
            sections = [section for tower in state["towers"] for section in tower]
            assert len(sections) == 6 * rules.seats
            for material in MATERIAL_NAMES:  # no material is lost
                held = [*state["materials"], *(section["delivered"] for section in sections)]
                held += [state["ivan"][card] for card in ("inventory", "construction")] if rules.solo else []
                total = sum(part.get(material, 0) for part in held) + state["supply"][material]
                assert total == rules.data_file.tables["supply"][material]
            for seat in range(rules.seats):
                banners = state["inventory_banners"][seat] + state["spare_banners"][seat]
                banners += len(state["white_banners"][seat]) + sum(section["owner"] == seat for section in sections)
                assert banners == 6
                assert set(state["workshops"][seat]) <= set(SLOT_NAMES)
            tiles = [section["tile"] for section in sections if section["tile"]]
            tiles += [slot["tile"] for workshop in state["workshops"] for slot in workshop.values()]
            if state["point"] == "over" or not any(s["owner"] is not None and s["tile"] for s in sections):
                his = sum(section["owner"] == 1 for section in sections) if rules.solo else 0
                assert len(tiles) == 6 * rules.seats - his
            assert all(section["done"] or section["ornament"] is None for section in sections)


# --- rolls --------------------------------------------------------------------------------------------------------


def test_rolls_are_listed_one_by_one() -> None:
    rules, engine = known()
    assert rolls_to_list(engine.games[0]) == []
    play(engine, "move white")  # it lands on the red die's space
    assert rolls_to_list(engine.games[0]) == []
    play(engine, "done", dice=(6, 3))
    assert rolls_to_list(engine.games[0]) == [{"red": 6, "white": 3}]
    state = state_to_dict(rules, engine.games[0])
    assert state["dice"]["red"] == {"space": 1, "value": 6} and state["dice"]["white"] == {"space": 1, "value": 3}
    play(engine, "move blue")
    assert rolls_to_list(engine.games[0]) == []


def test_a_new_roll_begins_a_new_entry() -> None:
    engine = Engine(BASIC, 1)
    game = engine.clone().copy()[0]
    game["rolled"][:4] = (60 + 43, 60 + 6, 21, 52 - 10)  # white 3; red 6, yellow 1, white 2
    game["rolled_count"] = 4
    assert rolls_to_list(game) == [{"white": 3}, {"red": 6, "yellow": 1, "white": 2}]


def test_every_roll_of_random_games_is_what_the_dice_show() -> None:
    engine, rng = Engine(BASIC, 8, seed=2), np.random.default_rng(2)
    rolled = 0
    for _ in range(300):
        mask = engine.legal_mask()
        engine.step(np.argmax(mask * rng.random(mask.shape), axis=1), auto_reset=True)
        for game in engine.games:
            dice = state_to_dict(BASIC, game)["dice"]
            last: dict[str, int] = {}  # a re-roll that leaves only "done" is followed by the roll of the market
            for roll in rolls_to_list(game):
                rolled += 1
                last |= roll
                assert len({dice[die]["space"] for die in roll}) == 1
                assert list(roll) == [die for die in BASE_DIE_NAMES if die in roll]
            assert last == {die: dice[die]["value"] for die in last}
    assert rolled > 100
