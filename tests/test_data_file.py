"""Tests of the data file: it is checked in full, and refused in one sentence that names the table and the value."""

import copy
import hashlib
import math
import os
import tomllib
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import generated
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rc_env.rules.printed import data_file, sizes, vocabulary
from rc_env.rules.printed.data_file import DataError, check, load

BASE = (resources.files("rc_env") / "data" / "base.toml").read_bytes()
TEXT = BASE.decode()
TABLES = tomllib.loads(TEXT)
PAGE = generated.FOLDER / "data.md"


def refusal(action: Callable[[], Any], *words: str) -> None:
    """Check that the action is refused with one line that holds all the words; return the line."""
    with pytest.raises(DataError) as caught:
        action()
    message = str(caught.value)
    assert len(message.splitlines()) == 1, message
    for word in words:
        assert word in message, message


# --- files that load ----------------------------------------------------------------------------------------------


def test_base_is_the_packaged_file() -> None:
    base = load()
    assert base == load("base")
    assert (base.name, base.sha256) == ("base", hashlib.sha256(BASE).hexdigest())
    assert base.tables == TABLES


def test_a_file_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(BASE.replace(b"start = 2", b"start = 3"))
    mine = load(path)
    assert mine == load(str(path))
    assert (mine.name, mine.sha256) == ("mine.toml", hashlib.sha256(path.read_bytes()).hexdigest())
    assert mine.tables["track"]["start"] == 3


def test_line_ends_and_byte_order_mark_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BASE.replace(b"\n", b"\r\n"))
    assert load(path).tables == TABLES


def test_check_changes_nothing() -> None:
    tables = copy.deepcopy(TABLES)
    check(tables)
    assert tables == TABLES


def test_names_are_in_the_fixed_order() -> None:
    assert tuple(TABLES["supply"]) == sizes.MATERIAL_NAMES
    assert (*sizes.MATERIAL_NAMES, "rubles", "recognition") == sizes.RESOURCE_NAMES
    assert tuple(TABLES["guilds"]) == load().guilds == ("craftsmen", "teamsters", "merchants", "clergy")
    assert tuple(TABLES["workshop"]["basic"]["price"]) == data_file.SLOT_KEYS
    assert (*data_file.COLOURS, "white") == sizes.BASE_DIE_NAMES == data_file.DIE_NAMES


# --- files accepted beyond the printed game ------------------------------------------------------------------------

ALLOWED: list[Callable[[Any], Any]] = [
    lambda t: t["track"].update(length=10, start=9, prestige=[1]),
    lambda t: t["track"].update(length=200, prestige=list(range(1, 201))),
    lambda t: t["guilds"]["clergy"].pop(),
    lambda t: t["guilds"]["clergy"].append([{"recognition": 2, "price": 1}, {"rubles": 9}]),
    lambda t: t["guilds"]["teamsters"][0][0].update(unlimited=True),
    lambda t: t["guilds"]["clergy"][1][0].update(unlimited=True),  # it pays 3 rubles for a prestige, which sells for 2
    lambda t: t["guilds"]["craftsmen"][0][0].update(unlimited=False),
    lambda t: t["plans"].update({"2": [[5, 3, 2, 2]]}),
    lambda t: t["guilds"].update(bakers=[[{"rubles": 1}, {"recognition": 1}]]),
    lambda t: t["guilds"].update(soap_makers=t["guilds"].pop("clergy")),
    lambda t: (
        t["player"].update(doors=2, arches=1),
        t["workshop"]["advanced"]["ornament"].update(next1="door"),
        t["solo"].update(ornament_order=["door", "door", "arch", "cross"]),
    ),
    lambda t: t["solo"].update(construction="towers"),
    lambda t: t["solo"].pop("construction"),  # then level by level
    lambda t: t["workshop"]["tile"].pop(),
    lambda t: t["workshop"]["tile"].append({"count": 2, "lumber": 2}),
]


@pytest.mark.parametrize("edit", ALLOWED)
def test_allowed(edit: Callable[[Any], Any]) -> None:
    tables = copy.deepcopy(TABLES)
    edit(tables)
    check(tables)


# --- faults of the file -------------------------------------------------------------------------------------------

FILES = {
    "empty": (b"", ['"supply" missing']),
    "comment": (b"# nothing else\n", ['"supply" missing']),
    "toml": (b"[supply]\nlumber = \n", ["not TOML", "line 2"]),
    "twice": (TEXT.replace("start = 2", "start = 2\nstart = 2").encode(), ["not TOML", "line"]),
    "digits": (TEXT.replace("start = 2", "start = " + "9" * 5000).encode(), ["not TOML", "5000 digits"]),
    "hexadecimal": (TEXT.replace("start = 2", "start = 0x" + "f" * 5000).encode(), ["track.start", "20000 bits"]),
    "deep": (b"a = " + b"[" * 50_000, ["not TOML", "brackets nested too deeply"]),
    "binary": (b"[supply]\n\xff\xfe\x00", ["0xff", "line 2", "UTF-8"]),
    "table": (TEXT.replace("start = 2", "start = -1").encode(), ["track.start: -1 found"]),
    "newline": (TEXT.replace('door = "lumber"', 'door = "a\\nb\\u2028c"').encode(), ["ornament.door", "a\\nb\\u2028c"]),
    "key": (TEXT.replace("[supply]", '[supply]\n"a\\nb" = 1').encode(), ["supply: unknown key", "a\\nb"]),
}


@pytest.mark.parametrize(("data", "words"), FILES.values(), ids=FILES)
def test_bad_file(tmp_path: Path, data: bytes, words: list[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(data)
    refusal(lambda: load(path), str(path), *words)


@pytest.mark.parametrize("name", ["missing.toml", "a\nb", "x" * 5000])
def test_missing_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    refusal(lambda: load(name), "data file", repr(name)[1:5].rstrip("'"), "expected")


def test_directory(tmp_path: Path) -> None:
    refusal(lambda: load(tmp_path), str(tmp_path), "no such file")


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object, *_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "own.toml"
    path.write_bytes(BASE)
    monkeypatch.setattr(os, "open", denied)  # permissions do not stop the tests of a root user
    refusal(lambda: load(path), "own.toml", "Permission denied")


# --- faults of the tables -----------------------------------------------------------------------------------------

CORRUPTIONS: list[tuple[Callable[[Any], Any], list[str]]] = [
    (lambda t: t.pop("cards"), ['top level: "cards" missing']),
    (lambda t: t.update(gilds={}), ['unknown table "gilds"', '(perhaps "guilds")']),
    (lambda t: t.update(supply=5), ["supply: 5 found, expected a table"]),
    (lambda t: t["supply"].pop("gold"), ['supply: "gold" missing']),
    (lambda t: t["supply"].update(rubels=3), ['supply: unknown key "rubels"']),
    (lambda t: t["supply"].update(gold=0), ["supply.gold: 0 found, expected an integer from 1 to 60"]),
    (lambda t: t["supply"].update(gold=61), ["supply.gold: 61 found"]),
    (lambda t: t["supply"].update(gold=True), ["supply.gold: true found"]),
    (lambda t: t["supply"].update(gold=15.0), ["supply.gold: 15.0 found"]),
    (lambda t: t["supply"].update(gold="15"), ['supply.gold: "15" found']),
    (lambda t: t["supply"].update(stone=1), ["cards.base[5].cost.stone: 2 found", "at most 1"]),
    (lambda t: t["track"].update(length=9), ["track.length: 9 found, expected an integer from 10 to 200"]),
    (lambda t: t["track"].update(length=201), ["track.length: 201 found"]),
    (lambda t: t["track"].update(start=80), ["track.start: 80 found", "0 to 79"]),
    (lambda t: t["track"].update(prestige=[]), ["track.prestige: 0 spaces found"]),
    (lambda t: t["track"]["prestige"].insert(5, 24), ["track.prestige: 24 follows 24, expected spaces that rise"]),
    (lambda t: t["track"]["prestige"].append(81), ["track.prestige[41]: 81 found"]),
    (lambda t: t["track"]["prestige"].insert(0, 0), ["track.prestige[1]: 0 found"]),
    (lambda t: t["track"].update(prestige=5), ["track.prestige: 5 found, expected a list of spaces"]),
    (lambda t: t["optional"].update(rubles_per_prestige=0), ["optional.rubles_per_prestige: 0 found"]),
    (lambda t: t["optional"].pop("prestige_per_reroll"), ['optional: "prestige_per_reroll" missing']),
    (lambda t: t["market"].update(spaces=10), ["market.spaces: 10 found, expected 8"]),
    (lambda t: t["market"].update(spaces_per_quadrant=4), ["market.spaces_per_quadrant: 4 found, expected 2"]),
    (lambda t: t["market"].update(dice_per_space=2), ["market.dice_per_space: 2 found, expected 3", "blocked"]),
    (lambda t: t["market"].update(dices=3), ['market: unknown key "dices"']),
    (lambda t: t["market"]["tile"].pop(), ["market.tile: 7 tiles found, expected 8"]),
    (
        lambda t: t["market"]["tile"].__setitem__(2, {"wood": 2}),
        ['market.tile[3]: unknown resource "wood"', "expected one of lumber, brick"],
    ),
    (lambda t: t["market"]["tile"].__setitem__(2, {}), ["market.tile[3]: 0 effects found"]),
    (lambda t: t["market"]["tile"][2].update(gold=1), ["market.tile[3]: 2 effects found"]),
    (lambda t: t["market"]["tile"][2].update(stone=10), ["market.tile[3].stone: 10 found"]),
    (lambda t: t["market"]["tile"].__setitem__(7, {"rubles": 1}), ["market.tile: 0 recognition tiles", "expected 1"]),
    (lambda t: t["market"]["tile"].__setitem__(0, {"recognition": 1}), ["market.tile: 2 recognition tiles"]),
    (lambda t: t["build"].update(deliveries=0), ["build.deliveries: 0 found"]),
    (lambda t: t["player"].update(banners_in_inventory=5), ["player.banners_in_inventory: 5 found, expected 4"]),
    (lambda t: t["player"].update(banners_spare=3), ["player.banners_spare: 3 found, expected 2"]),
    (lambda t: t["player"].update(inventory_spaces=4), ["player.inventory_spaces: 4 found", "5 to 10"]),
    (lambda t: t["player"].update(starting_rubles=[3, 4, 4]), ["player.starting_rubles: 3 seats found, expected 4"]),
    (lambda t: t["player"]["starting_rubles"].__setitem__(1, 100), ["player.starting_rubles[2]: 100 found"]),
    (lambda t: t["player"].update(doors=2), ["player.doors: 2 found, expected 1, as in workshop.advanced.ornament"]),
    (lambda t: t["player"].update(crosses=5), ["player.crosses: 5 found"]),
    (lambda t: t["workshop"]["basic"]["price"].pop("white2"), ['workshop.basic.price: "white2" missing']),
    (lambda t: t["workshop"]["basic"]["price"].update(next4=2), ['workshop.basic.price: unknown key "next4"']),
    (lambda t: t["workshop"]["basic"]["price"].update(own=-1), ["workshop.basic.price.own: -1 found"]),
    (lambda t: t["workshop"]["advanced"].update(price=21), ["workshop.advanced.price: 21 found"]),
    (
        lambda t: t["workshop"]["advanced"]["ornament"].update(own="window"),
        ['workshop.advanced.ornament.own: unknown ornament "window", expected one of door, arch, cross'],
    ),
    (lambda t: t["workshop"]["advanced"]["ornament"].update(white1="door"), ['unknown key "white1"']),
    (lambda t: t["workshop"].update(tile=t["workshop"]["tile"][:11]), ["workshop.tile: 11 kinds", "12 to 16"]),
    (lambda t: t["workshop"]["tile"].extend([{"count": 2, "gold": 1}] * 3), ["workshop.tile: 17 kinds"]),
    (lambda t: t["workshop"]["tile"][0].update(count=3), ["workshop.tile[1].count: 3 found, expected 2"]),
    (lambda t: t["workshop"]["tile"][0].pop("count"), ['workshop.tile[1]: "count" missing']),
    (lambda t: t["workshop"]["tile"][0].update(die="black"), ['workshop.tile[1].die: unknown die "black"']),
    (lambda t: t["workshop"]["tile"][0].update(die="blue"), ["workshop.tile: no tile of the red die"]),
    (lambda t: t["workshop"]["tile"][13].update(any_material=2), ["workshop.tile[14].any_material: 2 found"]),
    (lambda t: t["ornament"].update(arch="marble"), ['ornament.arch: unknown material "marble"']),
    (lambda t: t["ornament"].update(arch=["stone"]), ["ornament.arch: unknown material a list of 1"]),
    (lambda t: t["ornament"].update(prestige_one_gem=10), ["ornament.prestige_one_gem: 10 found"]),
    (lambda t: t["plans"].update({"5": []}), ['plans: unknown key "5"']),
    (lambda t: t["plans"].pop("3"), ['plans: "3" missing']),
    (lambda t: t["plans"].update({"2": []}), ["plans.2: 0 plans found"]),
    (lambda t: t["plans"]["2"][1].append(2), ["plans.2[2]: 5 towers found, expected 4"]),
    (lambda t: t["plans"]["2"].append([4, 4, 4, 4]), ["plans.2[4]: 16 sections found, expected 12"]),
    (lambda t: t["plans"]["4"][0].__setitem__(2, 7), ["plans.4[1][3]: 7 found", "2 to 5"]),
    (lambda t: t["cards"]["middle"].pop(), ["cards.middle: 19 cards found, expected 20"]),
    (lambda t: t["cards"]["dome"].append(t["cards"]["dome"][0]), ["cards.dome: 11 cards found, expected 10"]),
    (
        lambda t: t["cards"]["base"][0]["cost"].update(clay=1),
        ['cards.base[1].cost: unknown material "clay", expected one of lumber'],
    ),
    (lambda t: t["cards"]["base"][0].update(cost={}), ["cards.base[1].cost: 0 materials found"]),
    (lambda t: t["cards"]["base"][0]["cost"].update(lumber=0), ["cards.base[1].cost.lumber: 0 found"]),
    (lambda t: t["cards"]["base"][0]["cost"].update(lumber=6), ["cards.base[1].cost: 7 materials found"]),
    (lambda t: t["cards"]["base"][0].pop("rubles"), ['cards.base[1]: "rubles" missing']),
    (lambda t: t["cards"]["base"][0].update(recognition=21), ["cards.base[1].recognition: 21 found"]),
    (lambda t: t["guilds"].update(bakers=[]), ["guilds.bakers: 0 cards found, expected 1 to 8"]),
    (lambda t: t["guilds"].update({"Bakers": []}), ['guilds: guild "Bakers" found', "lower-case letters"]),
    (lambda t: t["guilds"].pop("clergy"), ["guilds: 3 guilds found, expected 4 to 16"]),
    (
        lambda t: t["guilds"].update(dict.fromkeys("abcdefghi", t["guilds"]["clergy"] * 2)),
        ["guilds: 66 cards found, expected at most 64 of all guilds together"],
    ),
    (lambda t: t["guilds"].update(clergy=[]), ["guilds.clergy: 0 cards found, expected 1 to 8"]),
    (lambda t: t["guilds"]["clergy"][0].pop(), ["guilds.clergy[1]: 1 actions found, expected 2"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, 5), ["guilds.clergy[1][1]: 5 found, expected a table"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, {"price": 1}), ["guilds.clergy[1][1]: no action found"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, {"steal": 1}), ['unknown action "steal"', "one of sell, buy"]),
    (lambda t: t["guilds"]["clergy"][0][0].update(rubles=1), ['guilds.clergy[1][1]: unknown key "recognition"']),
    (lambda t: t["guilds"]["clergy"][0][0].update(recognition=0), ["guilds.clergy[1][1].recognition: 0 found"]),
    (lambda t: t["guilds"]["clergy"][0][0].update(unlimited=True), ["guilds.clergy[1][1].unlimited: true found"]),
    (lambda t: t["guilds"]["clergy"][0][1].update(discard_different=5), ["discard_different: 5 found", "2 to 4"]),
    (lambda t: t["guilds"]["clergy"][1][0].pop("price"), ['guilds.clergy[2][1]: "price" missing']),
    (lambda t: t["guilds"]["clergy"][1][0].update(price=2, unlimited=True), ["guilds.clergy[2][1].price: 2 found"]),
    (lambda t: t["guilds"]["clergy"][1][1].update(each_type_completed=False), ["each_type_completed: false found"]),
    (lambda t: t["guilds"]["teamsters"][0][0].update(deliver=4), ["guilds.teamsters[1][1].deliver: 4 found"]),
    (lambda t: t["guilds"]["teamsters"][1][1].update(swap_market_tiles=1), ["guilds.teamsters[2][2].swap", "1 found"]),
    (lambda t: t["guilds"]["craftsmen"][0][0].update(sell="all"), ["guilds.craftsmen[1][1].sell", '"all" found']),
    (lambda t: t["guilds"]["craftsmen"][0][0].update(sell=[]), ["guilds.craftsmen[1][1].sell: 0 materials found"]),
    (
        lambda t: t["guilds"]["craftsmen"][0][1].update(buy=["gold", "silver"]),
        ['guilds.craftsmen[1][2].buy[2]: unknown material "silver"'],
    ),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(buy=["gold", "gold"]), ["gold found twice"]),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(price=21), ["guilds.craftsmen[1][2].price: 21 found"]),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(unlimited=1), ["guilds.craftsmen[1][2].unlimited: 1 found"]),
    (lambda t: t["guilds"]["merchants"][0][0].update(for_any=2), ["guilds.merchants[1][1].for_any: 2 found"]),
    (lambda t: t["guilds"]["merchants"][0][0].pop("for_any"), ['guilds.merchants[1][1]: "for_any" missing']),
    (lambda t: t["guilds"]["merchants"][1][0].update(price=0), ["guilds.merchants[2][1].price: 0 found"]),
    (lambda t: t["guilds"]["merchants"][1][0].update(for_other=2), ["for_other: 2 found, expected 1"]),
    (lambda t: t["guilds"]["merchants"][1][1].update(activate_workshop=True), ["activate_workshop: true found"]),
    (lambda t: t["ending"].update(sections_to_end=5), ["ending.sections_to_end: 5 found, expected 6"]),
    (lambda t: t["ending"].update(goods_per_prestige=0), ["ending.goods_per_prestige: 0 found"]),
    (lambda t: t["ending"].update(share_divisor=0), ["ending.share_divisor: 0 found"]),
    (lambda t: t["ending"].update(sections_to_ends=6), ['unknown key "sections_to_ends"', 'perhaps "sections_to_end"']),
    (lambda t: t["solo"].update(recognition=21), ["solo.recognition: 21 found"]),
    (lambda t: t["solo"].update(ornament_order="door"), ['solo.ornament_order: "door" found']),
    (lambda t: t["solo"]["ornament_order"].__setitem__(0, "roof"), ['solo.ornament_order[1]: unknown ornament "roof"']),
    (lambda t: t["solo"]["ornament_order"].__setitem__(0, "cross"), ["solo.ornament_order: door found 0 times"]),
    (lambda t: t["solo"]["ornament_order"].pop(), ["solo.ornament_order: 3 ornaments found, expected 4"]),
    (lambda t: t["solo"].update(construction="tower"), ['solo.construction: unknown order "tower"', '"towers"']),
    (lambda t: t["solo"].update(construction=1), ["solo.construction: unknown order 1"]),
]


@pytest.mark.parametrize(("edit", "words"), CORRUPTIONS, ids=[words[0][:50] for _, words in CORRUPTIONS])
def test_corruption(edit: Callable[[Any], Any], words: list[str]) -> None:
    tables = copy.deepcopy(TABLES)
    edit(tables)
    refusal(lambda: check(tables), *words)


@pytest.mark.parametrize("tables", [None, 5, "base", [], {}, {1: 2}])
def test_no_tables(tables: Any) -> None:
    refusal(lambda: check(tables), "top level")


# --- any value in any place ---------------------------------------------------------------------------------------


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every node below the top: tables and lists as well as leaves."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield (*path, key)
        yield from places(value, (*path, key))


PLACES = list(places(TABLES))
WRONG = (
    st.text()
    | st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.just(math.inf)
    | st.just(2**100_000)
    | st.lists(st.integers() | st.text(), max_size=3)
    | st.dictionaries(st.text(), st.integers() | st.none(), max_size=2)
)


def damaged(tree: Any, place: tuple[Any, ...], value: Any, as_key: bool) -> Any:
    """Return a copy of a tree with a value at a place, or, if it is to be a key and can be one, as that key."""
    tables = copy.deepcopy(tree)
    parent: Any = tables
    for key in place[:-1]:
        parent = parent[key]
    if as_key and isinstance(parent, dict) and isinstance(value, str):
        parent[value] = parent.pop(place[-1])
    else:
        parent[place[-1]] = value
    return tables


def taken_or_refused(check: Callable[[Any], object], tables: Any, longest: int = 600) -> None:
    """Check that the tables pass, or are refused in one line of at most so many characters."""
    try:
        check(tables)
    except DataError as error:
        assert len(str(error).splitlines()) == 1 and len(str(error)) < longest


@settings(max_examples=1000, deadline=None)
@given(st.sampled_from(PLACES), WRONG, st.booleans())
def test_nothing_but_data_errors(place: tuple[Any, ...], value: Any, as_key: bool) -> None:
    """A wrong value, or a wrong key beside the right ones, passes or is refused in one line."""
    taken_or_refused(check, damaged(TABLES, place, value, as_key))


# --- the page -----------------------------------------------------------------------------------------------------


def test_the_page_has_every_guild_action_and_primitive() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == generated.page("data.md", page), f"docs/data.md is out of date: run `{generated.COMMAND}`"
    for verb, row in vocabulary.ACTIONS.items():
        assert f"| `{{ {verb} = " in page and row.meaning in page
    with pytest.raises(ValueError, match="no part guild actions found"):
        generated.page("data.md", page.replace("<!-- guild actions: end -->", ""))


def test_the_page_follows_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more row in the vocabulary gives one more row on the page."""
    row = vocabulary.Row("beg", "beg for {beg}", "receive rubles for nothing", {"rubles": "beg"}, {"beg": (1, 3)})
    monkeypatch.setitem(vocabulary.ACTIONS, "beg", row)
    page = generated.page("data.md", PAGE.read_text(encoding="utf-8"))
    assert "| `{ beg = 1 }` | receive rubles for nothing | `beg` 1 to 3 | no |\n" in page


def test_actions_on_the_page_are_accepted() -> None:
    """A data file with any action of the page's table loads."""
    tables = copy.deepcopy(TABLES)
    text = generated.guild_actions()
    examples = [line.split("`")[1].replace("M", '["gold"]') for line in text.splitlines() if line.startswith("| `{")]
    assert len(examples) == len(vocabulary.ACTIONS)
    for example in examples:
        tables["guilds"]["clergy"][0][0] = tomllib.loads(f"action = {example}")["action"]
        check(tables)
    fenced = PAGE.read_text(encoding="utf-8").split("```toml")[1].split("```")[0]
    tables["guilds"] |= tomllib.loads(fenced)["guilds"]
    check(tables)
