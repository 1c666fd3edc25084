"""Tests of the end explained: its numbers are those of the engine, and towers, goods and ties are told as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.table.account import account
from rc_env.bot import Position
from rc_env.render.view import view

NAMES = ["Red", "Blue", "Yellow", "Green"]


def finished(ruleset: Ruleset, seed: int) -> Engine:
    """An engine with a finished game."""
    engine = Engine(ruleset, 1, seed)
    bots = [agents.make(name) for name in ("all_rounder", "random")]
    for bot in bots:
        bot.reset(seed)
    while engine.seat[0] >= 0:
        engine.step(bots[int(engine.seat[0]) % 2].act(Position.of(engine)))
    return engine


FULL = {"fourth_guild": "archivists", "contractors": True}


@pytest.mark.parametrize(
    "variant",
    [{"players": 1}, {"players": 2}, {"players": 3, "workshop": "advanced"}, {"players": 4},
     pytest.param({"players": 2, **FULL}, marks=pytest.mark.full),
     pytest.param({"players": 4, **FULL}, marks=pytest.mark.full),
     pytest.param({"players": 1, "contractors": True}, marks=pytest.mark.full)],
)  # fmt: skip
def test_the_account_adds_up_to_the_engines_scores(variant: dict[str, Any]) -> None:
    ruleset = Ruleset(**variant, turn_limit=200)
    for seed in range(3):
        engine = finished(ruleset, seed)
        game, results = engine.games[0], engine.results()
        told = account(view(ruleset, game), NAMES, int(game.ending))
        for row in told.seats:
            at = 0, row.seat
            assert row.prestige == results.prestige[at] and row.place == results.place[at] + 1
            assert row.track == results.track[at] and row.goods == results.goods[at]
            assert row.contracts[0] == results.contracts[at] and row.tools[0] == results.tools[at]
            assert row.track + row.goods + row.contracts[0] + row.tools[0] + row.towers == row.prestige
            spaces = [
                0,
                *(lap * 80 + space for lap in range(9) for space in ruleset.data_file.tables["track"]["prestige"]),
            ]
            assert int(game.track[row.seat]) - row.back in spaces
            if not row.contracts[0]:
                assert (row.held[0] - row.held[1]) // 5 == row.goods
        assert [row.place for row in told.seats] == sorted(row.place for row in told.seats)
        shares = np.array([tower.shares for tower in told.towers])
        assert np.array_equal(shares.T, results.towers[0][:, : len(told.towers)])
        for tower in told.towers:
            assert tower.value or not tower.parts
            for seat, share in enumerate(tower.shares):
                assert not share or NAMES[seat] in tower.rule


def shown_as(players: int, *seats: dict[str, int], towers: list[dict[str, Any]] | None = None) -> Any:
    """A view of which some numbers are others."""
    shown = view(Ruleset(players), Engine(Ruleset(players), 1, 1).games[0])
    for row, numbers in zip(shown["seats"], seats, strict=False):
        row.update(numbers)
    for tower, numbers in zip(shown["towers"], towers or [], strict=False):
        tower.update(numbers)
    return shown


@pytest.mark.parametrize(
    ("red", "blue", "words"),
    [
        ((30, 6, 2), (30, 5, 4), "more finished sections decide for Red (6 against 5)"),
        ((30, 5, 2), (30, 5, 4), "more ornaments on the cathedral decide for Blue (4 against 2)"),
        ((30, 5, 4), (30, 5, 4), "they share the place"),
        ((31, 5, 4), (30, 6, 4), ""),
    ],
)
def test_what_broke_a_tie(red: tuple[int, ...], blue: tuple[int, ...], words: str) -> None:
    names = ("score", "finished", "adorned")
    shown = shown_as(2, *(dict(zip(names, numbers, strict=True)) for numbers in (red, blue)))
    told = account(shown, NAMES, 0)
    assert (words in " ".join(told.ties)) if words else not told.ties
    assert told.ending == "Red finished six sections first: 3 prestige, which the marker shows already."


def test_the_parts_of_a_tower_are_those_of_the_data_file() -> None:
    towers = [{"presence": [3, 2, 1], "shares": [23, 7, 2], "value": 23}]
    shown = shown_as(3, towers=towers)
    shown["rules"]["share divisor"] = 3
    rule = account(shown, NAMES, -1).towers[0].rule
    assert "Blue gets a third of the place before, rounded down (7)" in rule and "half" not in rule
    shown = shown_as(2, towers=[{"presence": [2, 1], "shares": [7, 1], "value": 7}])
    shown["rules"]["share divisor of two"] = 5
    assert account(shown, NAMES, -1).towers[0].rule.endswith("Blue gets 1/5 of it, rounded down.")


def test_how_a_tower_is_shared_is_told() -> None:
    shown = shown_as(2, towers=[
        {"presence": [2, 1], "shares": [7, 2], "value": 7}, {"presence": [1, 1], "shares": [0, 0], "value": 4},
        {"presence": [0, 0], "shares": [0, 0], "value": 0}, {"presence": [0, 1], "shares": [0, 2], "value": 2},
    ])  # fmt: skip
    assert [tower.rule for tower in account(shown, NAMES, -1).towers] == [
        "Red is present more and gets the whole value; Blue gets a third of it, rounded down.",
        "Both are present equally: nobody gets anything.",
        "Nobody is present.",
        "Blue alone is present and gets the whole value.",
    ]
    shown = shown_as(3, towers=[{"presence": [1, 3, 1], "shares": [1, 6, 1], "value": 6}])
    assert account(shown, NAMES, -1).towers[0].rule == (
        "Blue gets the whole value (6); Red and Yellow divide the second and third place (1 each)."
    )
