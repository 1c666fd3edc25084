"""Tests of what the pages explain: every part of every board has a topic, every icon a legend, and levels are bots."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.table.phrases import note, phrase
from rc_env.apps.table.topics import EXPANSION_ICONS, FIRST_GAME, ICONS, TOPICS, TOUR, topic_of
from rc_env.apps.web.opponents import LEVELS
from rc_env.render.html import board_pieces
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import view
from rc_env.rules.points import Point

BACKGROUND = {"reinforcements", "contracts", "builders", "stocks", "seat0.row", "seat1.row"}


@pytest.mark.parametrize(
    "variant",
    [
        {"players": 1},
        {"players": 4},
        pytest.param({"contractors": True, "fourth_guild": "archivists"}, marks=pytest.mark.full),
    ],
)
def test_every_part_of_the_board_has_a_topic(variant: dict[str, object]) -> None:
    ruleset = Ruleset(**variant)
    shown = view(ruleset, Engine(ruleset, 1, 3).games[0])
    for panel in [*panels(shown), *narrow_panels(shown)]:
        for part in panel.parts:
            assert topic_of(part.name) in TOPICS or part.name in BACKGROUND, part.name
            for piece in part.element().iter():
                name = piece.get("data-piece")
                assert name is None or topic_of(f"{part.name}/{name}") in TOPICS, f"{part.name}/{name}"
    assert topic_of("space3/red") == "die" and topic_of("seat0.goods/gold") == "materials" and topic_of("x") == ""


def test_every_icon_is_in_the_legend() -> None:
    pieces = {piece.get("id") for piece in fromstring(board_pieces(True, True)).iter() if piece.get("id")}
    drawn = {str(piece).removeprefix("rc-") for piece in pieces}
    assert {name for name in drawn if not re.match(r"wall_|pips", name)} == {*ICONS, *EXPANSION_ICONS}
    assert {icon for topic in TOPICS.values() for icon in topic.icons} <= drawn


def test_levels_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[1] / "docs" / "web.md").read_text("utf-8")
    for number, level in enumerate(LEVELS, 1):
        row = next(line for line in page.splitlines() if line.startswith(f"| {number} {level.title} | `{level.bot}` |"))
        assert level.words in row and agents.from_text(level.bot)
        assert row.endswith(f"| {level.thinks:.2g} ms |")
        if level.won is not None:
            share, low, high, games = level.won
            assert f"| {share:.0%} ({low:.0%}–{high:.0%}) of {games:,} |".replace("%–", "–").replace("%", " %") in row
    assert len(re.findall(r"^\| \d \w+ \| `", page, re.MULTILINE)) == len(LEVELS)


def test_tour_and_first_game_tell_topics_that_there_are() -> None:
    assert {*TOUR, *(name for names in FIRST_GAME.values() for name in names)} <= set(TOPICS)
    assert set(FIRST_GAME) <= {point.name.lower() for point in Point} | {"over"}


@pytest.mark.parametrize("players", [1, 4])
def test_each_action_has_words_of_its_own(players: int) -> None:
    ruleset = Ruleset(players, workshop="advanced")
    engine, bot = Engine(ruleset, 1, 2), agents.make("random")
    bot.reset(1)
    for _ in range(200):
        if engine.seat[0] < 0:
            break
        shown = view(ruleset, engine.games[0])
        legal = [engine.action_to_text(int(action)) for action in np.flatnonzero(engine.legal_mask()[0])]
        words = [phrase(shown, action) for action in legal]
        assert len(set(words)) == len(words)
        assert not any(re.search(r"_|\w:\d|\d\.\d", line) for line in words), words
        engine.step(bot.act(agents.Position.of(engine)))


def test_a_note_says_what_the_phrase_does_not() -> None:
    assert note("move the red die to space 7", "to space 7: brick:4, for 1 ruble") == "4 brick, for 1 ruble"
    assert note("claim the base of tower 1", "1.1 base: lumber:2; pays rubles:1; tile die:red") == (
        "needs 2 lumber; pays 1 ruble; its tile: the tile at the red die"
    )
    assert note("place the tile on the red slot, face up", "face up, for 2 rubles") == "for 2 rubles"
    assert note("use the Clergy guild (gain 1 prestige)", "gain 1 prestige") == ""
