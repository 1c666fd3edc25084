"""Tests that no dispatch ends in a catch-all: verbs, decision points, guild actions and columns are handled by name.

An unknown one is an error when the tables are built, not a wrong game.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_files import toml
from table import Table

import rc_env
from rc_env.agents import actions_full, scorer
from rc_env.apps.table import explain
from rc_env.layout.actions import ActionLayout
from rc_env.render import view
from rc_env.rules import effects, turn, verbs
from rc_env.rules.expansion import turn as expansion_turn
from rc_env.rules.points import POINTS, Point
from rc_env.rules.printed import components, data_file, vocabulary
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, QUADRANTS, RESOURCE_NAMES, SIDES
from rc_env.rules.solo import events as ivan_events
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset
from rc_env.words import notation

PACKAGE = Path(rc_env.__file__).parent


def function(module: Any, name: str) -> ast.FunctionDef:
    """Return the source of a function of a module."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    return next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)


def members(node: ast.AST, enum: str) -> list[str]:
    """Return the members of an enumeration that an expression names."""
    found = [n for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    return [n.attr for n in found if isinstance(n.value, ast.Name) and n.value.id == enum]


def chain(node: ast.FunctionDef, enum: str) -> tuple[list[str], list[ast.stmt]]:
    """Return the members that the longest chain of `if … elif …` tests, in order, and what stands under its `else`."""
    longest: tuple[list[str], list[ast.stmt]] = [], []
    for first in (n for n in ast.walk(node) if isinstance(n, ast.If)):
        named, rest = [], [first]
        while len(rest) == 1 and isinstance(rest[0], ast.If) and members(rest[0].test, enum):
            named += members(rest[0].test, enum)
            rest = rest[0].orelse
        if len(named) > len(longest[0]):
            longest = named, rest
    return longest


# --- verbs and points


@pytest.mark.parametrize(
    ("name", "enum", "base"), [("legal", Point, len(POINTS)), ("apply", Verb, len(verbs.ROWS))], ids=["legal", "apply"]
)
def test_the_turn_machine_handles_each_member_once_and_nothing_else(name: str, enum: Any, base: int) -> None:
    """One function handles the members of the base game, another one those of the full game."""
    for machine, members in ((turn, list(enum)[:base]), (expansion_turn, list(enum)[base:])):
        named, otherwise = chain(function(machine, name), enum.__name__)
        assert sorted(named) == sorted(member.name for member in members)
        assert not otherwise


def test_an_action_of_several_points_names_each_of_them() -> None:
    """Choices by decision point inside the branches of `apply` have no `else` either."""
    inner = [node for node in ast.walk(function(turn, "apply")) if isinstance(node, ast.If)]
    by_point = [node for node in inner if members(node.test, "Point")]
    assert len(by_point) >= 7
    assert all(not node.orelse or isinstance(node.orelse[0], ast.If) for node in by_point)


def test_the_scorer_values_each_verb_by_name() -> None:
    """One function scores the verbs of the base game, another one those of the full game."""
    for node, expected in (
        (function(scorer, "points_of"), list(Verb)[: len(verbs.ROWS)]),
        (function(actions_full, "points_of_full"), list(Verb)[len(verbs.ROWS) :]),
    ):
        named = [name for n in ast.walk(node) if isinstance(n, ast.If) for name in members(n.test, "Verb")]
        assert sorted(named) == sorted(verb.name for verb in expected)


def test_the_help_of_play_explains_each_verb_by_name() -> None:
    nodes = [function(explain, "explain"), function(explain, "_explain_expansion")]
    matched = [n.value for node in nodes for n in ast.walk(node) if isinstance(n, ast.MatchValue)]
    named = {value.value for value in matched if isinstance(value, ast.Constant)}
    every = Ruleset(special_tiles=True).build.verbs.ROWS
    assert named == {row.words.split()[0] for row in every.values()}
    assert isinstance(nodes[-1].body[-1], ast.Raise)


def test_each_verb_has_its_row_and_each_argument_its_words() -> None:
    every = Ruleset(special_tiles=True).build.verbs.ROWS
    assert tuple(verbs.ROWS) == tuple(Verb)[: len(verbs.ROWS)] and len(every) == len(Verb)
    assert {name for row in every.values() for name in row.arguments} == set(verbs.COUNTS)
    for players in (1, 2, 3, 4):
        layout = ActionLayout(players)
        assert {action.verb for action in layout.actions} == {
            v for v in verbs.ROWS if players == 1 or not verbs.ROWS[v].solo
        }
        assert all(layout.relative_text(action) for action in range(layout.size))


def test_an_argument_without_words_is_an_error_when_the_catalogue_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    row = verbs.ROWS[Verb.TAKE]
    other = verbs.Row(("weather",), "take {weather}", row.meaning)
    monkeypatch.setitem(verbs.COUNTS, "weather", 3)
    monkeypatch.setitem(verbs.ROWS, Verb.TAKE, other)
    with pytest.raises(KeyError, match=r"argument 'weather' is not in verbs.COUNTS"):
        _ = ActionLayout(2).hash


def matches(path: Path) -> Iterator[ast.Match]:
    """Yield every `match` statement of a file."""
    return (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Match))


FREE = {"play.py", "data_file.py"}
"""Files whose `match` is over what a person types, or over any value of a TOML file."""


def test_no_match_ends_in_a_catch_all_that_is_no_error() -> None:
    """A final `case _` raises; a `match` without one is followed by statements that raise."""
    found = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name in FREE:
            continue
        for node in matches(path):
            last = node.cases[-1]
            if isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None:
                assert isinstance(last.body[-1], ast.Raise), f"{path}:{node.lineno}"
            found += 1
    assert found >= 3


def test_an_unknown_point_event_or_argument_is_an_error() -> None:
    table = Table()
    shown = view.view(table.ruleset, table.game)
    for point in POINTS:
        if point != "ivan":  # this point exists only in the solo game
            assert view.waiting(shown | {"point": point})
    with pytest.raises(ValueError, match="unknown point 'tea'"):
        view.waiting(shown | {"point": "tea"})
    solo = Table(1)
    game = solo.game.copy()
    # The other events belong to the module Contractors.
    for number, word in enumerate(ivan_events.EVENT[: ivan_events.HIRE]):
        game["ivan_event"][0], game["ivan_events"] = (number, 0), 1
        assert notation.ivan_turn(game)["events"][0].startswith(word)


# --- guild actions


@pytest.mark.parametrize("column", [*vocabulary.COLUMNS, *vocabulary.MATERIAL_COLUMNS])
def test_the_rules_read_each_column(column: str) -> None:
    """The compiled rules read the effect of a guild action or workshop tile from its columns, not from its name."""
    rules = PACKAGE / "rules"
    sources = {path.relative_to(rules).as_posix(): path.read_text(encoding="utf-8") for path in rules.rglob("*.py")}
    # One pair of columns says which decision point an effect opens, and how often.
    names = ("opens", "count") if column in components.OPENS else (column,)
    read = [name for name, text in sources.items() if all(re.search(rf"c\.effect_{n}\b", text) for n in names)]
    assert set(read) & {"effects.py", "payments.py", "workshop.py", "guilds.py"}, column
    assert "effect_action" not in "".join(text for name, text in sources.items() if name != "printed/components.py")


def test_each_row_uses_known_columns_and_keys() -> None:
    known = {*vocabulary.COLUMNS, *vocabulary.MATERIAL_COLUMNS}
    for verb, row in vocabulary.ACTIONS.items():
        assert set(row.columns) <= known
        keys = {verb, *row.numbers, "price", "any"}
        assert {source for source in row.columns.values() if isinstance(source, str)} <= keys
        assert set(re.findall(r"\{(\w+)\}", row.words)) <= keys
        assert row.meaning and row.words


EXAMPLES: dict[str, dict[str, Any]] = {
    "sell": {"sell": "any", "price": 1},
    "buy": {"buy": ["gold", "stone"], "price": 1},
    "deliver": {"deliver": 1},
    "rubles": {"rubles": 2},
    "swap_market_tiles": {"swap_market_tiles": True, "price": 1},
    "exchange_equal": {"exchange_equal": 2, "for_any": 1},
    "exchange_any": {"exchange_any": 1, "for_other": 1, "price": 1},
    "activate_workshop": {"activate_workshop": 1},
    "discard_different": {"discard_different": 2, "prestige": 1},
    "each_type_completed": {"each_type_completed": True, "recognition": 2},
    "prestige": {"prestige": 1, "price": 1},
    "recognition": {"recognition": 1},
}
"""An action of each row; the test below fails where a row has none."""


@pytest.fixture(scope="module")
def of_each_row(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a data file whose first guild has a card for each row of the vocabulary, as far as there is room."""
    tables = {**data_file.load().tables}
    cards = [[EXAMPLES[verb], {"rubles": 1}] for verb in vocabulary.ACTIONS]
    half = len(cards) // 2
    tables["guilds"] = {**tables["guilds"], "craftsmen": cards[:half], "clergy": cards[half:]}
    path = tmp_path_factory.mktemp("rows") / "rows.toml"
    path.write_text(toml(tables), encoding="utf-8")
    return path


@pytest.mark.parametrize("verb", vocabulary.ACTIONS)
def test_each_row_is_compiled_and_played(verb: str, of_each_row: Path) -> None:
    """Each action is legal at the market in a position with all it needs, changes the game, and can be finished."""
    table = Table(data=str(of_each_row)).give(0, rubles=9, lumber=2, brick=2)
    row = list(vocabulary.ACTIONS).index(verb)
    half = len(vocabulary.ACTIONS) // 2
    guild, card = ("craftsmen", row + 1) if row < half else ("clergy", row - half + 1)
    table.workshop(0, "red", "gold:1")
    table.finish(0, "1.1", "1.2", "1.3").claim(0, "2.1").all_but("2.1", "lumber")
    table.visit(guild, card)
    assert "guild 1" in table.legal()
    before = table.game.tobytes()
    table.play("guild 1")
    assert table.game.tobytes() != before
    for _ in range(8):
        if table.point == "market" or table.game.status or table.game.seat:
            break
        table.play(min(table.main()))
    assert table.point in ("market", "end", "start"), table.point


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"steal": 1}, "choose sell, buy"),
        ({"price": 1}, "choose sell, buy"),
    ],
)
def test_an_unknown_action_is_an_error(action: dict[str, Any], words: str) -> None:
    with pytest.raises(KeyError, match=words):
        vocabulary.action_columns(action)


def test_an_unknown_column_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    row = vocabulary.Row("bribe", "bribe", "give something away", {"bribes": 1})
    monkeypatch.setitem(vocabulary.ACTIONS, "bribe", row)
    with pytest.raises(KeyError, match="unknown column 'bribes' of 'bribe'"):
        vocabulary.action_columns({"bribe": True})


def test_an_unknown_condition_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    row = vocabulary.Row("feast", "feast", "receive a ruble in summer", {"rubles": 1, "condition": 7})
    monkeypatch.setitem(vocabulary.ACTIONS, "feast", row)
    with pytest.raises(KeyError, match="unknown condition 7 of 'feast'"):
        vocabulary.action_columns({"feast": True})
    named = [node.id for node in ast.walk(function(effects, "fulfilled")) if isinstance(node, ast.Name)]
    assert {"NO_CONDITION", "EACH_TYPE"} <= set(named) and list(vocabulary.CONDITIONS) == [vocabulary.EACH_TYPE]


def test_an_unknown_tile_is_an_error() -> None:
    for effect in vocabulary.TILES:
        assert vocabulary.tile_columns({effect: "red" if effect == "die" else 1})
    assert set(vocabulary.TILES) == {"die", *RESOURCE_NAMES, "any_material"}
    with pytest.raises(KeyError, match="choose die, lumber"):
        vocabulary.tile_columns({"count": 2, "tea": 1})
    with pytest.raises(ValueError):
        vocabulary.tile_columns({"die": "purple"})


def test_two_decisions_opened_at_once_are_an_error() -> None:
    """No rule says which of the two decisions would come first."""
    columns = vocabulary.action_columns({"deliver": 1}) | {"swaps": 1}
    rules = np.zeros(1, components.RULES).view(np.recarray)
    with pytest.raises(ValueError, match="at most one of deliveries and swaps"):
        components._effect(rules[0], 0, columns)
    for die in range(len(BASE_DIE_NAMES)):
        with pytest.raises(ValueError, match="at most one of amount and die"):
            components._effect(rules[0], 0, vocabulary.tile_columns({"lumber": 1}) | {"die": die})


def test_words_of_every_action_of_every_row() -> None:
    for verb, action in EXAMPLES.items():
        assert vocabulary.row_of(action).verb == verb
        assert vocabulary.action_text(action)
    assert list(EXAMPLES) == list(vocabulary.ACTIONS)
    assert SIDES == 2 and QUADRANTS == 4
