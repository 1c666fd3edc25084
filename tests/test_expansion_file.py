"""The data file of the expansion: refused with one sentence that names the table and the value, as the base file is."""

from __future__ import annotations

import copy
import math
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_files import toml
from test_data_file import damaged, places, refusal, taken_or_refused

from rc_env import Ruleset
from rc_env.layout import data_page
from rc_env.rules import expansion_vocabulary as vocabulary
from rc_env.rules.expansion_file import TABLES, check, load

TEXT = (resources.files("rc_env") / "data" / "contractors.toml").read_text(encoding="utf-8")
PACKAGED = tomllib.loads(TEXT)
READ = ("supply", "guilds", "guilds_with_contractors_only", "foreman", "contracts", "reinforcements", "special_tiles")
KEPT = [name for name in TABLES if name not in READ]  # by the module Contractors alone


def test_the_packaged_file() -> None:
    assert load() == load("contractors")
    assert load().tables == PACKAGED and load().name == "contractors"


def node(tables: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tables = tables[key]
    return tables


def of_the_module(path: tuple[Any, ...]) -> bool:
    """Whether a place belongs to what only the module Contractors uses: its tables, and cards that need it."""
    if path[0] == "guilds" and len(path) > 2:
        return path[2] + 1 in PACKAGED["guilds_with_contractors_only"].get(path[1], [])
    return path[0] in KEPT and len(path) > 1


PLACES = [path for path in places(PACKAGED) if not of_the_module(path)]
KEYS = [path for path in PLACES if isinstance(path[-1], str)]
OPTIONAL = ("price", "price_recognition", "unlimited", "of_other", "pay", "prestige_two_players", "any_material")


def test_a_missing_key() -> None:
    """It is refused in a sentence, unless it is optional; an action without one of its keys may be another action."""
    refused = 0
    for path in KEYS:
        tables = copy.deepcopy(PACKAGED)
        del node(tables, path[:-1])[path[-1]]
        goods = path[-2:-1] == ("return",) and len(node(PACKAGED, path[:-1])) > 1
        if path[-1] in OPTIONAL or goods or (path[0].startswith("guilds") and len(path) > 1):
            continue
        refusal(lambda tables=tables: check(tables), "expected")
        refused += 1
    assert refused > 60


@pytest.mark.parametrize("value", [None, "x", 2.5, -1, 1000, [None], math.inf])
def test_another_value(value: Any) -> None:
    """Of another type or out of range, in every place that is read."""
    for path in PLACES:
        tables = copy.deepcopy(PACKAGED)
        node(tables, path[:-1])[path[-1]] = value
        if path[0] in KEPT:
            check(tables)
        else:
            refusal(lambda tables=tables: check(tables), path[0])


def first(tables: Any, guild: str) -> Any:
    """The first action of a guild's first card."""
    return tables["guilds"][guild][0][0]


CORRUPTIONS: list[tuple[Callable[[Any], Any], list[str]]] = [
    (lambda t: t.pop("contracts"), ['top level: "contracts" missing']),
    (lambda t: t.update(gilds={}), ['unknown table "gilds"', '(perhaps "guilds")']),
    (lambda t: t["supply"].update(diamond=0), ["supply.diamond: 0 found, expected an integer from 1 to 60"]),
    (lambda t: t["supply"].update(gem=1), ['supply: unknown key "gem"']),
    (lambda t: t["guilds"].update(Bakers=[]), ['guild "Bakers" found', "lower-case letters"]),
    (lambda t: t["guilds"].update(jewelers=[]), ["guilds.jewelers: 0 cards found, expected 1 to 8"]),
    (lambda t: t["guilds"]["jewelers"][0].pop(), ["guilds.jewelers[1]: 1 actions found, expected 2"]),
    (lambda t: t["guilds"]["jewelers"][0].__setitem__(0, {"steal": 1}), ["jewelers[1][1]: no known action found"]),
    (lambda t: first(t, "jewelers").update(buy_diamonds=10), ["guilds.jewelers[1][1].buy_diamonds: 10 found"]),
    (lambda t: first(t, "jewelers").update(price=21), ["guilds.jewelers[1][1].price: 21 found"]),
    (lambda t: first(t, "jewelers").update(pay={"wood": 1}), ['unknown material "wood"']),
    (lambda t: first(t, "jewelers").update(unlimited=True), ["unlimited: true found, expected it only with"]),
    (lambda t: first(t, "foremen").update(foreman=3), ["guilds.foremen[1][1].foreman: 3 found"]),
    (lambda t: first(t, "foremen").update(per_banner="gold"), ['per_banner: unknown word "gold"']),
    (lambda t: first(t, "foremen").pop("per_banner"), ['guilds.foremen[1][1]: "per_banner" missing']),
    (lambda t: t["guilds"]["wholesalers"][0][1].pop("same"), ['wholesalers[1][2]: "same" missing']),
    (lambda t: t["guilds"]["managers"][0][1].pop("recognition"), ["managers[1][2]: nothing that is gained found"]),
    (lambda t: first(t, "managers").update(gain_one_of=["wood"]), ['gain_one_of[1]: unknown material "wood"']),
    (lambda t: t["guilds"]["managers"][1][1].pop("pay"), ["unlimited: true found without materials"]),
    (lambda t: t["guilds"]["managers"][1][1].update(pay={}), ["unlimited: true found without materials"]),
    (lambda t: t["guilds_with_contractors_only"].update(bakers=[1]), ['unknown guild "bakers"']),
    (lambda t: t["guilds_with_contractors_only"].update(jewelers=[4]), ["only.jewelers[1]: 4 found"]),
    (lambda t: t["foreman"].update(start_tower=5), ["foreman.start_tower: 5 found, expected an integer from 1 to 4"]),
    (lambda t: t["contracts"].update(most_held=4), ["contracts.most_held: 4 found, expected 3"]),
    (lambda t: t["contracts"]["cards"].pop(), ["contracts.cards: 14 cards found, expected 15"]),
    (lambda t: t["contracts"]["cards"][0].pop("return"), ["contracts.cards[1]: 0 conditions found"]),
    (lambda t: t["contracts"]["cards"][0].update(each="x"), ["contracts.cards[1]: 2 conditions found"]),
    (lambda t: t["contracts"]["cards"][0].update({"return": {}}), ["contracts.cards[1].return: 0 goods found"]),
    (lambda t: t["contracts"]["cards"][4].update(each="tower"), ['contracts.cards[5].each: unknown count "tower"']),
    (lambda t: t["reinforcements"].pop("die"), ['reinforcements: "die" missing']),
    (lambda t: t["reinforcements"]["guild"].update(guild_action=2), ["reinforcements.guild.guild_action: 2 found"]),
    (lambda t: t["special_tiles"]["guild"].update(guild_visit=2), ["special_tiles.guild.guild_visit: 2 found"]),
]


@pytest.mark.parametrize(("edit", "words"), CORRUPTIONS, ids=[words[0][:50] for _, words in CORRUPTIONS])
def test_corruption(edit: Callable[[Any], Any], words: list[str]) -> None:
    tables = copy.deepcopy(PACKAGED)
    edit(tables)
    refusal(lambda: check(tables), *words)


@pytest.mark.parametrize("tables", [None, 5, "contractors", [], {}])
def test_no_tables(tables: Any) -> None:
    refusal(lambda: check(tables), "top level")


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(PLACES),
    st.text() | st.none() | st.booleans() | st.integers() | st.floats() | st.lists(st.integers() | st.text()),
    st.booleans(),
)
def test_nothing_but_data_errors(place: tuple[Any, ...], value: Any, as_key: bool) -> None:
    taken_or_refused(check, damaged(PACKAGED, place, value, as_key), longest=900)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"\xff", "expected UTF-8 text"), (b"supply = ", "not TOML"), (b"x = 1", 'unknown table "x"')],
)
def test_files_that_are_no_data_files(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    refusal(lambda: load(path), 'mine.toml": ', words)
    refusal(lambda: load(tmp_path / "none.toml"), "no such file")


def test_both_files_together(tmp_path: Path) -> None:
    """Guilds of both files have different names, and there is room for all of them."""
    path = tmp_path / "mine.toml"
    for guilds, words in (
        ({f"guild_{chr(97 + i)}": PACKAGED["guilds"]["artisans"] for i in range(9)}, "24 guilds found with"),
    ):
        path.write_text(toml(PACKAGED | {"guilds": PACKAGED["guilds"] | guilds}), encoding="utf-8")
        with pytest.raises(ValueError, match=words):
            Ruleset(special_tiles=True, expansion_data=path)


def test_every_form_on_the_page_is_accepted() -> None:
    page = data_page.PAGE.read_text(encoding="utf-8")
    for form in vocabulary.FORMS.values():
        example = data_page.form_example(form)
        assert f"| `{example}` | {form.words(data_page.form_values(form))} |" in page
        tables = copy.deepcopy(PACKAGED)
        tables["guilds"]["artisans"][0][0] = tomllib.loads(f"action = {example}")["action"]
        check(tables)
