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
    "empty": (b"", ['top level: "supply" is missing; needed are supply, track, optional, market,']),
    "comment": (b"# nothing else\n", ['top level: "supply" is missing; needed are supply, track, optional, market,']),
    "toml": (b"[supply]\nlumber = \n", ["not TOML", "line 2", "numbers are whole, a comma parts"]),
    "twice": (TEXT.replace("start = 2", "start = 2\nstart = 2").encode(), ["not TOML", "line"]),
    "digits": (TEXT.replace("start = 2", "start = " + "9" * 5000).encode(), ["not TOML", "5000 digits"]),
    "hexadecimal": (TEXT.replace("start = 2", "start = 0x" + "f" * 5000).encode(), ["track.start", "20000 bits"]),
    "deep": (b"a = " + b"[" * 50_000, ["not TOML", "not TOML (brackets are nested too deeply)"]),
    "binary": (b"[supply]\n\xff\xfe\x00", ["0xff", "line 2", "UTF-8"]),
    "table": (TEXT.replace("start = 2", "start = -1").encode(), ["track.start must be an integer from 0 to 79, not"]),
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
    refusal(lambda: load(name), "data file", repr(name)[1:5].rstrip("'"))


def test_directory(tmp_path: Path) -> None:
    refusal(lambda: load(tmp_path), str(tmp_path), "that is a folder; name base, a sample such as sample:17, or a TOML")


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object, *_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "own.toml"
    path.write_bytes(BASE)
    monkeypatch.setattr(os, "open", denied)  # permissions do not stop the tests of a root user
    refusal(lambda: load(path), "own.toml", "Permission denied")


# --- faults of the tables -----------------------------------------------------------------------------------------

CORRUPTIONS: list[tuple[Callable[[Any], Any], list[str]]] = [
    (lambda t: t.pop("cards"), ['top level: "cards" is missing; needed are supply, track, optional, market, build,']),
    (lambda t: t.update(gilds={}), ['unknown table "gilds"', 'top level: unknown table "gilds": did you mean']),
    (lambda t: t.update(supply=5), ["supply must be a table, not 5"]),
    (lambda t: t["supply"].pop("gold"), ['supply: "gold" is missing; needed are lumber, brick, stone, gold,']),
    (lambda t: t["supply"].update(rubels=3), ['supply: unknown key "rubels"']),
    (lambda t: t["supply"].update(gold=0), ["supply.gold must be an integer from 1 to 60, not 0"]),
    (lambda t: t["supply"].update(gold=61), ["supply.gold must be an integer from 1 to 60, not 61"]),
    (lambda t: t["supply"].update(gold=True), ["supply.gold must be an integer from 1 to 60, not true"]),
    (lambda t: t["supply"].update(gold=15.0), ["supply.gold must be an integer from 1 to 60, not 15.0"]),
    (lambda t: t["supply"].update(gold="15"), ['supply.gold must be an integer from 1 to 60, not "15"']),
    (
        lambda t: t["supply"].update(stone=1),
        ["cards.base[5].cost.stone: 2 are more than the supply, 1", "more than the supply, 1"],
    ),
    (lambda t: t["track"].update(length=9), ["track.length must be an integer from 10 to 200, not 9"]),
    (lambda t: t["track"].update(length=201), ["track.length must be an integer from 10 to 200, not 201"]),
    (lambda t: t["track"].update(start=80), ["track.start must be an integer from 0 to 79, not 80", "0 to 79"]),
    (lambda t: t["track"].update(prestige=[]), ["track.prestige: there must be 1 to 80 spaces, not 0"]),
    (lambda t: t["track"]["prestige"].insert(5, 24), ["track.prestige: 24 follows 24, but the spaces must rise"]),
    (lambda t: t["track"]["prestige"].append(81), ["track.prestige[41] must be an integer from 1 to 80, not 81"]),
    (lambda t: t["track"]["prestige"].insert(0, 0), ["track.prestige[1] must be an integer from 1 to 80, not 0"]),
    (lambda t: t["track"].update(prestige=5), ["track.prestige must be a list of spaces, not 5"]),
    (lambda t: t["optional"].update(rubles_per_prestige=0), ["optional.rubles_per_prestige must be an integer from"]),
    (lambda t: t["optional"].pop("prestige_per_reroll"), ['optional: "prestige_per_reroll" is missing; needed are']),
    (lambda t: t["market"].update(spaces=10), ["market.spaces must be 8, not 10"]),
    (lambda t: t["market"].update(spaces_per_quadrant=4), ["market.spaces_per_quadrant must be 2, not 4"]),
    (lambda t: t["market"].update(dice_per_space=2), ["market.dice_per_space must be 3 so that five", "blocked"]),
    (lambda t: t["market"].update(dices=3), ['market: unknown key "dices"']),
    (lambda t: t["market"]["tile"].pop(), ["market.tile: there must be 8 tiles, not 7"]),
    (
        lambda t: t["market"]["tile"].__setitem__(2, {"wood": 2}),
        ['market.tile[3]: unknown resource "wood"', 'market.tile[3]: unknown resource "wood": choose lumber, brick,'],
    ),
    (lambda t: t["market"]["tile"].__setitem__(2, {}), ["market.tile[3]: a tile has exactly one effect (lumber,"]),
    (lambda t: t["market"]["tile"][2].update(gold=1), ["market.tile[3]: a tile has exactly one effect (lumber,"]),
    (lambda t: t["market"]["tile"][2].update(stone=10), ["market.tile[3].stone must be an integer from 1 to 9, not"]),
    (lambda t: t["market"]["tile"].__setitem__(7, {"rubles": 1}), ["market.tile: there must be exactly"]),
    (lambda t: t["market"]["tile"].__setitem__(0, {"recognition": 1}), ["market.tile: there must be exactly 1"]),
    (lambda t: t["build"].update(deliveries=0), ["build.deliveries must be an integer from 1 to 6, not 0"]),
    (lambda t: t["player"].update(banners_in_inventory=5), ["player.banners_in_inventory must be 4, not 5"]),
    (lambda t: t["player"].update(banners_spare=3), ["player.banners_spare must be 2, not 3"]),
    (lambda t: t["player"].update(inventory_spaces=4), ["player.inventory_spaces must be an integer", "5 to 10"]),
    (lambda t: t["player"].update(starting_rubles=[3, 4, 4]), ["player.starting_rubles: there must be 4 seats, not"]),
    (lambda t: t["player"]["starting_rubles"].__setitem__(1, 100), ["player.starting_rubles[2] must be an integer"]),
    (lambda t: t["player"].update(doors=2), ["player.doors must be 1, as in workshop.advanced.ornament, not 2"]),
    (lambda t: t["player"].update(crosses=5), ["player.crosses must be an integer from 0 to 4, not 5"]),
    (lambda t: t["workshop"]["basic"]["price"].pop("white2"), ['workshop.basic.price: "white2" is missing; needed']),
    (lambda t: t["workshop"]["basic"]["price"].update(next4=2), ['workshop.basic.price: unknown key "next4"']),
    (lambda t: t["workshop"]["basic"]["price"].update(own=-1), ["workshop.basic.price.own must be an integer from"]),
    (lambda t: t["workshop"]["advanced"].update(price=21), ["workshop.advanced.price must be an integer from 0 to"]),
    (
        lambda t: t["workshop"]["advanced"]["ornament"].update(own="window"),
        ['workshop.advanced.ornament.own: unknown ornament "window": choose door, arch or cross'],
    ),
    (lambda t: t["workshop"]["advanced"]["ornament"].update(white1="door"), ['unknown key "white1"']),
    (
        lambda t: t["workshop"].update(tile=t["workshop"]["tile"][:11]),
        ["workshop.tile: there must be 12 to", "12 to 16"],
    ),
    (lambda t: t["workshop"]["tile"].extend([{"count": 2, "gold": 1}] * 3), ["workshop.tile: there must be 12 to"]),
    (lambda t: t["workshop"]["tile"][0].update(count=3), ["workshop.tile[1].count must be 2, not 3"]),
    (lambda t: t["workshop"]["tile"][0].pop("count"), ['workshop.tile[1]: "count" is missing; needed are count']),
    (lambda t: t["workshop"]["tile"][0].update(die="black"), ['workshop.tile[1].die: unknown die "black"']),
    (lambda t: t["workshop"]["tile"][0].update(die="blue"), ["workshop.tile: there is no tile of the red die, and"]),
    (lambda t: t["workshop"]["tile"][13].update(any_material=2), ["workshop.tile[14].any_material must be 1, not 2"]),
    (lambda t: t["ornament"].update(arch="marble"), ['ornament.arch: unknown material "marble"']),
    (lambda t: t["ornament"].update(arch=["stone"]), ["ornament.arch: unknown material a list of 1"]),
    (lambda t: t["ornament"].update(prestige_one_gem=10), ["ornament.prestige_one_gem must be an integer from 0 to"]),
    (lambda t: t["plans"].update({"5": []}), ['plans: unknown key "5"']),
    (lambda t: t["plans"].pop("3"), ['plans: "3" is missing; needed are 2, 3, 4']),
    (lambda t: t["plans"].update({"2": []}), ["plans.2: there must be 1 to 16 plans, not 0"]),
    (lambda t: t["plans"]["2"][1].append(2), ["plans.2[2]: there must be 4 towers, not 5"]),
    (lambda t: t["plans"]["2"].append([4, 4, 4, 4]), ["plans.2[4]: the sections of a plan must be 12, six a"]),
    (lambda t: t["plans"]["4"][0].__setitem__(2, 7), ["plans.4[1][3] must be an integer from 2 to 5, not", "2 to 5"]),
    (lambda t: t["cards"]["middle"].pop(), ["cards.middle: there must be 20 cards, not 19"]),
    (lambda t: t["cards"]["dome"].append(t["cards"]["dome"][0]), ["cards.dome: there must be 10 cards, not 11"]),
    (
        lambda t: t["cards"]["base"][0]["cost"].update(clay=1),
        ['cards.base[1].cost: unknown material "clay": choose lumber, brick, stone, gold, green_gem or'],
    ),
    (lambda t: t["cards"]["base"][0].update(cost={}), ["cards.base[1].cost: a section costs 1 to 6 materials in"]),
    (lambda t: t["cards"]["base"][0]["cost"].update(lumber=0), ["cards.base[1].cost.lumber must be an integer from"]),
    (lambda t: t["cards"]["base"][0]["cost"].update(lumber=6), ["cards.base[1].cost: a section costs 1 to 6"]),
    (lambda t: t["cards"]["base"][0].pop("rubles"), ['cards.base[1]: "rubles" is missing; needed are recognition,']),
    (lambda t: t["cards"]["base"][0].update(recognition=21), ["cards.base[1].recognition must be an integer from 0"]),
    (lambda t: t["guilds"].update(bakers=[]), ["guilds.bakers: there must be 1 to 8 cards, not 0"]),
    (lambda t: t["guilds"].update({"Bakers": []}), ["guilds: the name of a guild has 1 to 24", "letters a to z"]),
    (lambda t: t["guilds"].update({"b" * 25: []}), ["guilds: the name of a guild has 1 to 24"]),
    (
        lambda t: t["guilds"].update({"random": t["guilds"].pop("clergy")}),
        ["guilds: random means a guild that"],
    ),
    (lambda t: t["guilds"].pop("clergy"), ["guilds: there must be 4 to 16 guilds, not 3"]),
    (
        lambda t: t["guilds"].update(dict.fromkeys("abcdefghi", t["guilds"]["clergy"] * 2)),
        ["guilds: all guilds together may have at most 64 cards, not 66"],
    ),
    (lambda t: t["guilds"].update(clergy=[]), ["guilds.clergy: there must be 1 to 8 cards, not 0"]),
    (lambda t: t["guilds"]["clergy"][0].pop(), ["guilds.clergy[1]: there must be 2 actions, not 1"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, 5), ["guilds.clergy[1][1] must be a table, not 5"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, {"price": 1}), ["guilds.clergy[1][1]: there is no action;"]),
    (lambda t: t["guilds"]["clergy"][0].__setitem__(0, {"steal": 1}), ['unknown action "steal"', "choose sell, buy"]),
    (
        lambda t: t["guilds"]["clergy"][0].__setitem__(1, {"discard_diferent": 3, "prestige": 1}),
        ['guilds.clergy[1][2]: unknown key "discard_diferent": did you mean discard_different? Otherwise choose sell,'],
    ),
    (lambda t: t["guilds"]["clergy"][0][0].update(rubles=1), ['guilds.clergy[1][1]: unknown key "recognition"']),
    (lambda t: t["guilds"]["clergy"][0][0].update(recognition=0), ["guilds.clergy[1][1].recognition must be an"]),
    (lambda t: t["guilds"]["clergy"][0][0].update(unlimited=True), ["guilds.clergy[1][1].unlimited: recognition"]),
    (
        lambda t: t["guilds"]["clergy"][0][1].update(discard_different=5),
        ["guilds.clergy[1][2].discard_differen", "2 to 4"],
    ),
    (lambda t: t["guilds"]["clergy"][1][0].pop("price"), ['guilds.clergy[2][1]: "price" is missing; needed are']),
    (lambda t: t["guilds"]["clergy"][1][0].update(price=2, unlimited=True), ["guilds.clergy[2][1].price: with"]),
    (lambda t: t["guilds"]["clergy"][1][1].update(each_type_completed=False), ["guilds.clergy[2][2].each_type_comple"]),
    (lambda t: t["guilds"]["teamsters"][0][0].update(deliver=4), ["guilds.teamsters[1][1].deliver must be an"]),
    (
        lambda t: t["guilds"]["teamsters"][1][1].update(swap_market_tiles=1),
        ["guilds.teamsters[2][2].swap", "guilds.teamsters[2][2].swap_market_t"],
    ),
    (
        lambda t: t["guilds"]["craftsmen"][0][0].update(sell="all"),
        ["guilds.craftsmen[1][1].sell", "guilds.craftsmen[1][1].sell must be"],
    ),
    (lambda t: t["guilds"]["craftsmen"][0][0].update(sell=[]), ["guilds.craftsmen[1][1].sell: there must be 1 to 6"]),
    (
        lambda t: t["guilds"]["craftsmen"][0][1].update(buy=["gold", "silver"]),
        ['guilds.craftsmen[1][2].buy[2]: unknown material "silver"'],
    ),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(buy=["gold", "gold"]), ["guilds.craftsmen[1][2].buy: gold is"]),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(price=21), ["guilds.craftsmen[1][2].price must be an integer"]),
    (lambda t: t["guilds"]["craftsmen"][0][1].update(unlimited=1), ["guilds.craftsmen[1][2].unlimited must be true"]),
    (lambda t: t["guilds"]["merchants"][0][0].update(for_any=2), ["guilds.merchants[1][1].for_any must be fewer"]),
    (lambda t: t["guilds"]["merchants"][0][0].pop("for_any"), ['guilds.merchants[1][1]: "for_any" is missing;']),
    (lambda t: t["guilds"]["merchants"][1][0].update(price=0), ["guilds.merchants[2][1].price: with unlimited the"]),
    (lambda t: t["guilds"]["merchants"][1][0].update(for_other=2), ["guilds.merchants[2][1].for_other must be 1,"]),
    (lambda t: t["guilds"]["merchants"][1][1].update(activate_workshop=True), ["guilds.merchants[2][2].activate_work"]),
    (lambda t: t["ending"].update(sections_to_end=5), ["ending.sections_to_end must be 6, not 5"]),
    (lambda t: t["ending"].update(goods_per_prestige=0), ["ending.goods_per_prestige must be an integer from 1 to"]),
    (lambda t: t["ending"].update(share_divisor=0), ["ending.share_divisor must be an integer from 1 to 9, not 0"]),
    (lambda t: t["ending"].update(sections_to_ends=6), ['unknown key "sections_to_ends"', "ending: unknown key"]),
    (lambda t: t["solo"].update(recognition=21), ["solo.recognition must be an integer from 0 to 20, not 21"]),
    (lambda t: t["solo"].update(ornament_order="door"), ["solo.ornament_order must be a list of ornaments, not"]),
    (lambda t: t["solo"]["ornament_order"].__setitem__(0, "roof"), ['solo.ornament_order[1]: unknown ornament "roof"']),
    (lambda t: t["solo"]["ornament_order"].__setitem__(0, "cross"), ["solo.ornament_order: door occurs 0"]),
    (lambda t: t["solo"]["ornament_order"].pop(), ["solo.ornament_order: there must be 4 ornaments, not 3"]),
    (
        lambda t: t["solo"].update(construction="tower"),
        ['solo.construction: unknown order "tower"', "solo.construction: unknown order"],
    ),
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
    with pytest.raises(ValueError, match="the page has no part guild actions, or only one of its markers"):
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
