"""Tests of the expansion's data file: like the base file it is refused in one sentence with the table and the value."""

from __future__ import annotations

import copy
import math
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import generated
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_files import toml
from test_data_file import damaged, places, refusal, taken_or_refused

from rc_env import DataError, Ruleset
from rc_env.rules.printed import expansion_vocabulary as vocabulary
from rc_env.rules.printed import specialist_vocabulary
from rc_env.rules.printed.data_file import load as load_base
from rc_env.rules.printed.expansion_file import TABLES, check, load

TEXT = (resources.files("rc_env") / "data" / "contractors.toml").read_text(encoding="utf-8")
PACKAGED = tomllib.loads(TEXT)
BASE = load_base().tables


def test_the_packaged_file() -> None:
    assert load() == load("contractors")
    assert load().tables == PACKAGED and load().name == "contractors"
    assert tuple(sorted(PACKAGED)) == tuple(sorted(TABLES))


def test_a_fault_is_a_data_error_whichever_build_is_played(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[tea]\n", encoding="utf-8")
    for switch in ("special_tiles", "contractors"):
        with pytest.raises(DataError, match='unknown table "tea"'):
            Ruleset(expansion_data=file, **{switch: True})


def node(tables: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        tables = tables[key]
    return tables


PLACES = list(places(PACKAGED))
KEYS = [path for path in PLACES if isinstance(path[-1], str)]


def may_be_missing(path: tuple[Any, ...]) -> bool:
    """Return whether a key may be missing: optional keys, goods beside others, bonuses, some keys of actions."""
    goods = path[-2:-1] == ("return",) and len(node(PACKAGED, path[:-1])) > 1
    of_guilds = path[0].startswith("guilds") and len(path) > 1
    return goods or of_guilds or (path[:2] == ("hire", "bonus") and len(path) > 2) or path[-1] == "prestige_two_players"


def test_a_missing_key() -> None:
    """A file without a key is refused in a sentence that names its table, unless the key may be missing."""
    refused, tables = 0, copy.deepcopy(PACKAGED)
    for path in KEYS:
        if not may_be_missing(path):
            parent = node(tables, path[:-1])
            kept = dict(parent)
            del parent[path[-1]]
            refusal(lambda: check(tables), path[0])
            parent |= kept
            refused += 1
    assert refused > 160 and tables == PACKAGED


@pytest.mark.parametrize("value", [None, "x", 2.5, -1, 1000, [None], math.inf])
def test_another_value(value: Any) -> None:
    """A value of another type or out of range is refused in every place that is read."""
    tables = copy.deepcopy(PACKAGED)
    for path in PLACES:
        parent = node(tables, path[:-1])
        kept, parent[path[-1]] = parent[path[-1]], value
        # another name of a tool is a valid name, but one that no specialist has
        renamed = path[:2] == ("tools", "names") and len(path) == 3 and value == "x"
        refusal(lambda: check(tables), "specialists" if renamed else path[0])
        parent[path[-1]] = kept


def tile(tables: Any, number: int) -> Any:
    """Return a specialist by its number from 0."""
    return tables["specialists"]["tiles"][number]


def first(tables: Any, guild: str) -> Any:
    """Return the first action of a guild's first card."""
    return tables["guilds"][guild][0][0]


CORRUPTIONS: list[tuple[Callable[[Any], Any], list[str]]] = [
    (lambda t: t.pop("contracts"), ['top level: "contracts" is missing; needed are supply, market, workshop,']),
    (lambda t: t.update(gilds={}), ['unknown table "gilds"', "did you mean guilds?"]),
    (lambda t: t["supply"].update(diamond=0), ["supply.diamond must be an integer from 1 to 60, not 0"]),
    (lambda t: t["supply"].update(gem=1), ['supply: unknown key "gem"']),
    (lambda t: t["guilds"].update(Bakers=[]), ["guilds: the name of a guild has 1 to 24", "letters a to z"]),
    (lambda t: t["guilds"].update(jewelers=[]), ["guilds.jewelers: there must be 1 to 8 cards, not 0"]),
    (lambda t: t["guilds"]["jewelers"][0].pop(), ["guilds.jewelers[1]: there must be 2 actions, not 1"]),
    (lambda t: t["guilds"]["jewelers"][0].__setitem__(0, {"steal": 1}), ["jewelers[1][1]: there is no known action"]),
    (lambda t: first(t, "jewelers").update(buy_diamonds=10), ["guilds.jewelers[1][1].buy_diamonds must be an"]),
    (lambda t: first(t, "jewelers").update(price=21), ["guilds.jewelers[1][1].price must be an integer from 0 to"]),
    (lambda t: first(t, "jewelers").update(pay={"wood": 1}), ['unknown material "wood"']),
    (lambda t: first(t, "jewelers").update(unlimited=True), ["guilds.jewelers[1][1].unlimited: this action cannot"]),
    (lambda t: first(t, "foremen").update(foreman=3), ["guilds.foremen[1][1].foreman must be an integer from 1 to"]),
    (lambda t: first(t, "foremen").update(per_banner="gold"), ['per_banner: unknown word "gold"']),
    (lambda t: first(t, "foremen").pop("per_banner"), ['guilds.foremen[1][1]: "per_banner" is missing; needed are']),
    (lambda t: t["guilds"]["wholesalers"][0][1].pop("same"), ['guilds.wholesalers[1][2]: "same" is missing, which']),
    (lambda t: t["guilds"]["managers"][0][1].pop("recognition"), ["guilds.managers[1][2]: nothing is gained; give"]),
    (lambda t: first(t, "managers").update(gain_one_of=["wood"]), ['gain_one_of[1]: unknown material "wood"']),
    (lambda t: t["guilds"]["managers"][1][1].pop("pay"), ["guilds.managers[2][2].unlimited: without materials"]),
    (lambda t: t["guilds"]["managers"][1][1].update(pay={}), ["guilds.managers[2][2].unlimited: without materials"]),
    (lambda t: t["guilds_with_contractors_only"].update(bakers=[1]), ['unknown guild "bakers"']),
    (lambda t: t["guilds_with_contractors_only"].update(jewelers=[4]), ["guilds_with_contractors_only.jewelers[1]"]),
    (lambda t: t["foreman"].update(start_tower=5), ["foreman.start_tower must be an integer from 1 to 4, not 5"]),
    (lambda t: t["contracts"].update(most_held=4), ["contracts.most_held must be 3, not 4"]),
    (lambda t: t["contracts"]["cards"].pop(), ["contracts.cards: there must be 15 cards, not 14"]),
    (lambda t: t["contracts"]["cards"][0].pop("return"), ["contracts.cards[1]: there must be exactly one of"]),
    (lambda t: t["contracts"]["cards"][0].update(each="x"), ["contracts.cards[1]: there must be exactly one of"]),
    (lambda t: t["contracts"]["cards"][0].update({"return": {}}), ["contracts.cards[1].return: there are no goods;"]),
    (lambda t: t["contracts"]["cards"][4].update(each="tower"), ['contracts.cards[5].each: unknown count "tower"']),
    (lambda t: t["reinforcements"].pop("die"), ['reinforcements: "die" is missing; needed are rubles, guild,']),
    (lambda t: t["reinforcements"]["guild"].update(guild_action=2), ["reinforcements.guild.guild_action must be 1,"]),
    (lambda t: t["special_tiles"]["guild"].update(guild_visit=2), ["special_tiles.guild.guild_visit must be 1, not"]),
    (lambda t: t["guilds_with_contractors_only"].pop("lawyers"), ["guilds.lawyers[1][1].permits: this needs the"]),
    (lambda t: first(t, "contractors").update(die="white"), ['guilds.contractors[1][1].die: unknown word "white"']),
    (lambda t: first(t, "lawyers").update(permits=7), ["guilds.lawyers[1][1].permits must be an integer from 1 to"]),
    (lambda t: t["guilds"]["lawyers"][2][1].pop("price_permits"), ["guilds.lawyers[3][2].unlimited: without"]),
    # the module Contractors
    (lambda t: t["supply"].update(permits=3), ["supply.permits: 3 are too few for what four players begin with"]),
    (lambda t: t["market"].update(remove={"lumber": 1}), ['market.remove: unknown key "lumber"']),
    (lambda t: t["market"].update(add={"rubles": 1}), ['market.add: unknown key "rubles"']),
    (lambda t: t["market"]["add"].update(permits=10), ["market.add.permits must be an integer from 1 to 9, not 10"]),
    (lambda t: t["market"].update(dice=["white"]), ["market.dice must be ['black'], not a list of 1"]),
    (lambda t: t["workshop"]["add"].pop(), ["workshop.add: there is no tile of the black die, and each die needs"]),
    (lambda t: t["workshop"]["add"][0].update(count=3), ["workshop.add[1].count must be 2, not 3"]),
    (lambda t: t["workshop"]["add"][0].update(lumber=1), ['workshop.add[1]: unknown resource "lumber"']),
    (
        lambda t: t["workshop"]["remove"].append({"count": 2, "die": "red"}),
        ['workshop.remove[2]: unknown resource "die"'],
    ),
    (lambda t: t["workshop"].update(remove=[]), ["workshop.remove: there must be 1 to 4 kinds of tile, not 0"]),
    (lambda t: t["optional"].update(prestige_per_permit=0), ["optional.prestige_per_permit must be an integer from"]),
    (lambda t: t["player"].update(permits=7), ["player.permits must be an integer from 0 to 6, not 7"]),
    (
        lambda t: t["player"].update(permits=3, permits_most=2),
        ["player.permits must be at most player.permits_most, not 3"],
    ),
    (lambda t: t["player"].update(contractors=5), ["player.contractors must be 6, not 5"]),
    (lambda t: t["hire"].update(rubles=21), ["hire.rubles must be an integer from 0 to 20, not 21"]),
    (lambda t: t["hire"].update(slots=6), ["hire.slots must be 5, not 6"]),
    (lambda t: t["hire"]["bonus"].pop(), ["hire.bonus: there must be 6 places, not 5"]),
    (lambda t: t["hire"]["bonus"][0].update(lumber=1), ['hire.bonus[1]: unknown bonus "lumber"']),
    (lambda t: t["hire"]["bonus"][2].update(any_material=4), ["hire.bonus[3].any_material must be an integer from"]),
    (lambda t: t["cities"]["names"].reverse(), ["cities.names must be moscow, vologda, suzdal, ryazan, smolensk,"]),
    (lambda t: t["cities"].pop("tver"), ['cities: "tver" is missing; needed are names, moscow, vologda, suzdal,']),
    (lambda t: t["cities"]["tver"].append(5), ["cities.tver[3] must be an integer from 0 to 4, not 5"]),
    (lambda t: t["cities"]["tver"].append(0), ["cities.tver: a slot is named twice in [4, 0, 0]; name each at most"]),
    (lambda t: t["cities"].update(moscow=[]), ["cities.moscow: there must be 1 to 5 slots, not 0"]),
    (lambda t: t["tools"]["names"].__setitem__(1, "hammer"), ["tools.names[1] must be a word that no other tool"]),
    (lambda t: t["tools"]["names"].__setitem__(1, "a saw"), ["tools.names[2] must be a word of at most 24 letters"]),
    (lambda t: t["tools"]["names"].__setitem__(1, "a" * 25), ["tools.names[2] must be a word of at most 24 letters"]),
    (lambda t: t["tools"]["prestige"].pop(), ["tools.prestige: there must be 6 groups, not 5"]),
    (lambda t: t["tools"]["prestige"].__setitem__(5, 21), ["tools.prestige[6] must be an integer from 0 to 20, not"]),
    (lambda t: t["specialists"]["tiles"].pop(), ["specialists.tiles: there must be 24 specialists, not 23"]),
    (lambda t: tile(t, 0).update(tool="rake"), ['specialists.tiles[1].tool: unknown tool "rake"']),
    (lambda t: tile(t, 0).pop("gain"), ["specialists.tiles[1]: there is no known effect; choose gain, activate,"]),
    (lambda t: tile(t, 0).update(claim=1), ['specialists.tiles[1]: unknown key "claim"']),
    (lambda t: tile(t, 0).update(gain={}), ["specialists.tiles[1].gain: there must be exactly one resource, not 0"]),
    (lambda t: tile(t, 0)["gain"].update(brick=1), ["specialists.tiles[1].gain: there must be exactly one"]),
    (lambda t: tile(t, 0)["gain"].update(diamond=1), ['specialists.tiles[1].gain: unknown resource "diamond"']),
    (lambda t: tile(t, 1).pop("prestige"), ["specialists.tiles[2]: nothing is gained; give recognition or prestige"]),
    (lambda t: tile(t, 1)["pay"].update(gold=4), ["specialists.tiles[2].pay.gold must be an integer from 1 to 3,"]),
    (lambda t: tile(t, 1).update(pay={}), ["specialists.tiles[2].pay: there must be at least one resource, not 0"]),
    (lambda t: tile(t, 2).update(activate=3), ["specialists.tiles[3].activate must be 2, not 3"]),
    (lambda t: tile(t, 6).pop("deliver"), ['specialists.tiles[7]: "deliver" is missing; needed are tool,']),
    (lambda t: tile(t, 21).update(spend_rubles=6), ["specialists.tiles[22].spend_rubles must be an integer from 1"]),
    (
        lambda t: [one.update(tool="saw") for one in t["specialists"]["tiles"][:4]],
        ["specialists.tiles: 8 tiles have the tool saw, but at most 6 may"],
    ),
    (lambda t: t["plans"]["2"][0].append(2), ["plans.2[1]: there must be 4 towers, not 5"]),
    (lambda t: t["solo"].update(start_prestige=0), ["solo.start_prestige must be an integer from 1 to 9, not 0"]),
    (lambda t: t["solo"].update(contractors_placed=7), ["solo.contractors_placed must be an integer from 0 to 6,"]),
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
    [(b"\xff", "byte 0xff in line 1 is not UTF-8"), (b"supply = ", "not TOML"), (b"x = 1", 'unknown table "x"')],
)
def test_files_that_are_no_data_files(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    refusal(lambda: load(path), 'mine.toml": ', words)
    refusal(lambda: load(tmp_path / "none.toml"), "no such file")


def many_guilds(base: Any, tables: Any) -> None:
    tables["guilds"] |= {f"guild_{chr(97 + i)}": tables["guilds"]["artisans"] for i in range(9)}


TOGETHER: list[tuple[Callable[[Any, Any], Any], str]] = [
    (many_guilds, "expansion_data and data have 24 guilds together, but at most 16 may be there"),
    (lambda b, t: t["plans"]["2"].extend(t["plans"]["2"] * 6), r"plans\.2: with the base file's there may be at most"),
    (
        lambda b, t: t["workshop"]["add"].extend([{"count": 2, "permits": 2}] * 2),
        r"workshop\.add: with the base file's there must be 12 to 16 kinds of tile, not 17",
    ),
    (
        lambda b, t: (b["track"].update(prestige=[3, 7]), t["solo"].update(start_prestige=3)),
        r"solo\.start_prestige must be at most 2, the prestige spaces, not 3",
    ),
]


@pytest.mark.parametrize(("edit", "words"), TOGETHER, ids=[words for _, words in TOGETHER])
def test_both_files_together(edit: Callable[[Any, Any], Any], words: str, tmp_path: Path) -> None:
    """The guilds of both files must have different names, and there must be room for all of them together."""
    base, tables = copy.deepcopy(BASE), copy.deepcopy(PACKAGED)
    edit(base, tables)
    path, other = tmp_path / "mine.toml", tmp_path / "base.toml"
    path.write_text(toml(tables), encoding="utf-8")
    other.write_text(toml(base), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        Ruleset(contractors=True, data=other, expansion_data=path)


def test_every_form_on_the_page_is_accepted() -> None:
    page = (generated.FOLDER / "data.md").read_text(encoding="utf-8")
    for form in vocabulary.FORMS.values():
        example = generated.form_example(form)
        assert f"| `{example}` | {form.words(generated.form_values(form))} |" in page
        tables = copy.deepcopy(PACKAGED)
        tables["guilds"]["lawyers"][0][0] = tomllib.loads(f"action = {example}")["action"]
        check(tables)


def test_every_form_of_a_specialist_on_the_page_is_accepted() -> None:
    page = (generated.FOLDER / "data.md").read_text(encoding="utf-8")
    for form in specialist_vocabulary.FORMS.values():
        example = generated.form_example(form)
        assert f"| `{example}` | {form.words(generated.form_values(form))} |" in page
        tables = copy.deepcopy(PACKAGED)
        tables["specialists"]["tiles"][0] = {"tool": "saw"} | tomllib.loads(f"tile = {example}")["tile"]
        check(tables)
