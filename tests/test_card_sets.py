"""Tests of component sets: the known facts about the cards, and data files drawn from all possible ones."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import generated
import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.apps.cli import rc
from rc_env.card_sets import base_set, expansion_set, ranges, source
from rc_env.card_sets.draws import Draws
from rc_env.card_sets.expansion_facts import EXPANSION_FACTS
from rc_env.card_sets.facts import BASE_FACTS
from rc_env.card_sets.toml_text import toml_text
from rc_env.record import keep_data, read, replay
from rc_env.rules.printed import data_file, expansion_file

DIGESTS = {
    (0, False): "655d96fd04df84906ff03433f9858526b932cd92b8792a9e7b719df546d1264b",
    (17, False): "37e83012ab247ad653153864228b0c49645d5d2f1b01bfe030dfbe477cce4116",
    (2**64 - 1, False): "89a5f2557df1708bf950741cb8fbc98b25175cc79fd05bc4af7c13574558fb33",
    (0, True): "1db15c612f2f579faef1a20bd2db437062f6fcb4a330a81017ab83e7db0085ac",
    (17, True): "859928f26d92a9da498f102695a482e5d1db78c71cb4b7dee7a28c38df71e513",
}
"""SHA-256 of drawn files, by seed and by whether they are of the expansion: a seed must give the same bytes forever."""


# --- facts


@pytest.mark.parametrize("facts", [BASE_FACTS, EXPANSION_FACTS])
def test_facts_have_names_of_their_own_and_sources(facts: Any) -> None:
    assert len({fact.name for fact in facts}) == len(facts) > 30
    assert all(fact.sentence and fact.source for fact in facts)


@pytest.mark.parametrize("load", [data_file.load, expansion_file.load])
def test_the_packaged_files_contradict_nothing(load: Any) -> None:
    assert source.contradicted(load()) == []


def changed(tables: Any, *path: Any, value: Any) -> Any:
    """Return a copy of the tables with another value at a path."""
    copy = json.loads(json.dumps(tables))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


GAP = [5, 9, 12, 17, *range(18, 53), 80]
WRONG_BASE: dict[str, Any] = {
    "supply": (("supply", "gold"), 14),
    "track-start": (("track", "start"), 0),
    "track-gaps": (("track", "prestige"), [*GAP[:39], 80]),
    "optional": (("optional", "rubles_per_prestige"), 3),
    "market-step": (("market", "rubles_per_extra_step"), 2),
    "market-tiles": (("market", "tile", 2), {"gold": 1}),
    "market-brick": (("market", "tile", 1), {"brick": 3}),
    "build": (("build", "deliveries"), 4),
    "player": (("player", "starting_rubles"), [3, 4, 5, 6]),
    "slot-price": (("workshop", "basic", "price", "next3"), 1),
    "slot-advanced": (("workshop", "advanced", "price"), 2),
    "workshop-dice": (("workshop", "tile", 5), {"count": 2, "die": "red"}),
    "workshop-recognition": (("workshop", "tile", 12), {"count": 2, "recognition": 2}),
    "ornament": (("ornament", "cross"), "stone"),
    "plans-two": (("plans", "2"), [[2, 4, 2, 4], [4, 4, 2, 2], [5, 2, 2, 3]]),
    "plans": (("plans", "3"), [[4, 3, 4, 3, 4]]),
    "cards-materials": (("cards", "dome", 0, "cost"), {"gold": 2}),
    "cards-recognition": (("cards", "base", 3, "recognition"), 0),
    "cards-middle": (("cards", "middle"), None),
    "craftsmen-1": (("guilds", "craftsmen", 0, 1, "price"), 1),
    "merchants": (("guilds", "merchants", 2, 0), {"rubles": 1}),
    "clergy-2": (("guilds", "clergy", 1), [{"recognition": 1}, {"each_type_completed": True, "recognition": 2}]),
    "ending": (("ending", "goods_per_prestige"), 4),
    "solo": (("solo", "recognition"), 3),
}
WRONG_EXPANSION: dict[str, Any] = {
    "diamonds": (("supply", "diamond"), 14),
    "module-market": (("market", "add"), {"permits": 2}),
    "module-optional": (("optional", "prestige_per_permit"), 2),
    "hire-rubles": (("hire", "rubles"), 3),
    "hire-third": (("hire", "bonus", 2), {"rubles": 1}),
    "cities": (("cities", "suzdal"), [1, 3]),
    "tools": (("tools", "prestige"), [1, 2, 4, 7, 11, 15]),
    "tools-even": (("specialists", "tiles", 0, "tool"), "saw"),
    "specialists-recognition": (("specialists", "tiles", 5, "recognition"), 2),
    "specialists-ornament": (("specialists", "tiles", 19, "prestige"), 2),
    "jewelers": (("guilds", "jewelers", 0, 0, "price"), 2),
    "managers-2": (("guilds", "managers", 1, 0), {"gain_one_of": ["lumber", "brick", "stone"]}),
    "managers-indicated": (("guilds", "managers", 0, 0, "gain_one_of"), ["lumber", "brick", "gold"]),
    "contracts": (("contracts", "cards", 0, "prestige"), 3),
    "reinforcements": (("reinforcements", "rubles", "rubles"), 4),
    "special-tiles": (("special_tiles", "material", "rubles"), 2),
    "foreman": (("foreman", "penalty_per_section"), 1),
    "module-solo": (("solo", "start_prestige"), 2),
}


@pytest.mark.parametrize("name", WRONG_BASE)
def test_a_wrong_number_of_the_base_game_is_named(name: str) -> None:
    path, value = WRONG_BASE[name]
    tables = data_file.load().tables
    if name == "cards-middle":
        value = [{**card, "recognition": 5} for card in tables["cards"]["middle"]]
    tables = changed(tables, *path, value=value)
    found = {fact.name: fact.contradiction(tables) for fact in BASE_FACTS}
    assert found[name] is not None and ", but " in found[name]


@pytest.mark.parametrize("name", WRONG_EXPANSION)
def test_a_wrong_number_of_the_expansion_is_named(name: str) -> None:
    path, value = WRONG_EXPANSION[name]
    tables = changed(expansion_file.load().tables, *path, value=value)
    found = {fact.name: fact.contradiction(tables) for fact in EXPANSION_FACTS}
    assert found[name] is not None and ", but " in found[name]


def test_cards_may_stand_in_any_order() -> None:
    tables = data_file.load().tables
    guilds = {name: [card[::-1] for card in cards[::-1]] for name, cards in reversed(tables["guilds"].items())}
    plans = {players: rows[::-1] for players, rows in tables["plans"].items()}
    cards = {kind: rows[::-1] for kind, rows in tables["cards"].items()}
    assert (
        source.contradicted(data_file.DataFile("x", "", {**tables, "guilds": guilds, "plans": plans, "cards": cards}))
        == []
    )


# --- the command


def test_three_planted_contradictions_are_named(tmp_path: Path, capsys: Any) -> None:
    text = source.content("sample:4").decode()
    for old, new in (("gold = 15", "gold = 14"), ("{ brick = 2 },", "{ brick = 3 },"), ("next3 = 2", "next3 = 1")):
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "cards.toml").write_text(text)
    assert rc.main(["data", "check", str(tmp_path / "cards.toml")]) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert len(lines) == 3 and "contradicts 3" in err
    assert "supply: gold = 14, but printed is 20 lumber" in lines[0] and "component list" in lines[0]
    assert "market.tile: 3" in lines[1] and "example of the market" in lines[1]
    assert "workshop.basic.price.next3: 1, but" in lines[2] and "example of a claim" in lines[2]


def test_what_fits_is_said_to_fit(tmp_path: Path, capsys: Any) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_bytes(source.content("sample:9", expansion=True))
    assert rc.main(["data", "check", "base", "contractors", "sample:3", str(copy)]) == 0
    assert capsys.readouterr().out.count("fits every printed and deduced fact") == 4


def test_each_of_several_files_is_checked(tmp_path: Path, capsys: Any) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    tables = json.loads(json.dumps(data_file.load().tables))
    tables["cards"]["base"][2] = tables["cards"]["base"][1]
    good.write_text(toml_text(tables, "Mine", {}))
    bad.write_text("[supply")
    assert rc.main(["data", "check", str(bad), "nowhere.toml", "base", str(good)]) == 2
    out, err = capsys.readouterr()
    assert "base: fits every printed and deduced fact" in out
    assert [line.partition(": ")[0] for line in err.splitlines()[:3]] == ["rc data"] * 3
    assert "bad.toml" in err and "not TOML" in err and "nowhere.toml" in err
    assert f"{good}: cards.base: 2 and 3 are equal; is it so in the game?" in err


def test_a_sample_is_written(tmp_path: Path) -> None:
    file = tmp_path / "cards.toml"
    assert rc.main(["data", "sample", "--seed", "17", "--out", str(file)]) == 0
    assert file.read_bytes() == source.content("sample:17")
    assert rc.main(["data", "sample", "--seed", "17", "--expansion", "--out", str(file), "--overwrite"]) == 0
    assert file.read_bytes() == source.content("sample:17", expansion=True) != source.content("sample:17")


# --- the sampler


@pytest.mark.parametrize(("seed", "expansion"), DIGESTS)
def test_a_seed_means_the_same_file_for_ever(seed: int, expansion: bool) -> None:
    load = source.load_expansion if expansion else source.load_base
    file = load(f"sample-v1:{seed}")
    assert file.sha256 == DIGESTS[seed, expansion]
    assert file.name == f"sample-v1-{seed}{'-expansion' * expansion}.toml"


@pytest.mark.parametrize("expansion", [False, True])
def test_the_text_of_a_drawn_file_holds_its_tables(expansion: bool, tmp_path: Path) -> None:
    for seed in range(20):
        name = f"sample:{seed}"
        path = tmp_path / "set.toml"
        path.write_bytes(source.content(name, expansion))
        drawn = (source.load_expansion if expansion else source.load_base)(name)
        read_back = (expansion_file if expansion else data_file).load(path)
        assert read_back.tables == drawn.tables and read_back.sha256 == drawn.sha256
        assert tomllib.loads(path.read_text())["solo"] == drawn.tables["solo"]


def test_draws_of_one_table_do_not_move_those_of_another() -> None:
    first, second = (Draws(f"a {name}") for name in ("track", "cards"))
    alone = [second.below(1000) for _ in range(5)]
    again = Draws("a cards")
    first.shuffled(range(100))
    assert [again.below(1000) for _ in range(5)] == alone


def test_draws_are_even_and_follow_their_weights() -> None:
    draws = Draws("test")
    counts = np.bincount([draws.below(5) for _ in range(5000)], minlength=5)
    assert abs(counts - 1000).max() < 150  # five standard deviations
    weighted = [draws.weighted({"a": 3, "b": 1}) for _ in range(4000)]
    assert abs(weighted.count("a") - 3000) < 140
    orders = {tuple(draws.shuffled((1, 2, 3))) for _ in range(200)}
    assert len(orders) == 6


def test_what_may_be_drawn_is_all_that_the_facts_allow() -> None:
    assert (4, 6, 12) in base_set.tracks()  # the packaged track
    assert [len(base_set.plans_of(players)) for players in (2, 3, 4)] == [31, 155, 336]
    assert len(expansion_set.pairings()) == 16


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(1000), pytest.param(range(1000, 10_000), marks=pytest.mark.long)], ids=str)
def test_drawn_files_check(seeds: range) -> None:
    """Drawn files agree with every known fact, and they can be loaded, so they can be played."""
    for seed in seeds:
        assert source.contradicted(source.load_base(f"sample:{seed}")) == [], seed
        if seed % 2:
            assert source.contradicted(source.load_expansion(f"sample:{seed}")) == [], seed
    source._drawn.cache_clear()


def play_out(ruleset: Ruleset, seed: int) -> None:
    """Play random games to their end."""
    engine = Engine(ruleset, 2, seed)
    tally = engine.play_random(1500, seed)
    assert tally["stuck"] == 0 and tally["games"] >= 1


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 1000), marks=pytest.mark.long)], ids=str)
def test_drawn_sets_play(seeds: range) -> None:
    for seed in seeds:
        play_out(Ruleset(2 + seed % 3, ("basic", "advanced")[seed % 2], data=f"sample:{seed}", turn_limit=200), seed)


@pytest.mark.slow
@pytest.mark.full
def test_drawn_sets_of_the_expansion_play() -> None:
    for seed in range(60):
        ruleset = Ruleset(
            1 + seed % 4, data=f"sample:{seed}", expansion_data=f"sample:{seed + 1}", turn_limit=200,
            fourth_guild="random", special_tiles=True, promos=True, contractors=bool(seed % 3),
        )  # fmt: skip
        play_out(ruleset, seed)


# --- drawn sets in place of a data file


def test_a_ruleset_has_the_name_in_full() -> None:
    ruleset = Ruleset(data="sample:5", expansion_data="sample:6", special_tiles=True)
    assert (ruleset.data, ruleset.expansion_data) == ("sample-v1:5", "sample-v1:6")
    assert ruleset == Ruleset(data="sample-v1:5", expansion_data="sample-v1:6", special_tiles=True)
    assert ruleset.data_file.tables != Ruleset(data="sample:6").data_file.tables


@pytest.mark.parametrize(
    "name",
    [
        "sample:",
        "sample:x",
        "sample:-1",
        "sample:1.5",
        "sample:3-1",
        "sample:0-100000",
        "sample-v9:1",
        f"sample:{2**64}",
        "sample:0-3",
    ],
)
@pytest.mark.parametrize("key", ["data", "expansion_data"])
def test_names_of_no_sample_are_refused_in_a_sentence(name: str, key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key} must be .*, not '{name}'"):
        Ruleset(**{key: name})


def test_records_of_a_drawn_set_are_read_with_and_without_the_file_beside_them(tmp_path: Path, capsys: Any) -> None:
    words = [
        "record",
        "--data",
        "sample:5",
        "--bots",
        "random",
        "--turn-limit",
        "20",
        "--state",
        "--out",
        str(tmp_path),
    ]
    assert rc.main(words) == 0
    kept = tmp_path / "sample-v1-5.toml"
    assert kept.read_bytes() == source.content("sample:5")
    (file,) = tmp_path.glob("*.rcr")
    record = read(file)
    assert record.ruleset.data_file.sha256 == source.load_base("sample:5").sha256
    replay(record)
    kept.unlink()
    record = read(file)
    assert record.ruleset.data == "sample-v1:5"
    replay(record)


def test_another_file_of_the_name_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "sample-v1-5.toml").write_text("mine")
    with pytest.raises(ValueError, match=r"there is another sample-v1-5\.toml in"):
        keep_data(Ruleset(data="sample:5"), tmp_path)


# --- docs/uncertainty.md


def test_the_page_lists_every_range() -> None:
    page = (generated.FOLDER / "uncertainty.md").read_text(encoding="utf-8")
    old = page.replace("20 pieces as of lumber and brick", "something else")
    assert page == generated.page("uncertainty.md", old), (
        f"docs/uncertainty.md is out of date: run `{generated.COMMAND}`"
    )
    block = generated.ranges_text()
    assert block.count("\n| `") == len(ranges.BASE) + len(ranges.EXPANSION)
    assert "| 1, 3: each 1/4; 2: 1/2 |" in block
