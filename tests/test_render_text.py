"""Tests of a game as text: it shows every fact of the position in at most 100 columns, and colour repeats words."""

import io
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from variants import every_variant
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.render import Board, board_text, frame
from rc_env.render.abbreviations import amounts, shortened, tile_name
from rc_env.render.text import has_colour
from rc_env.render.view import view
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, COLOURS, MATERIAL_NAMES
from rc_env.rules.printed.vocabulary import action_text
from rc_env.words.facts import game_facts
from rc_env.words.notation import names


def played(players: int, workshop: str, decisions: int, seed: int = 0) -> Engine:
    """Return an engine whose only game has had so many random decisions."""
    engine = Engine(Ruleset(players, workshop), 1, seed)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        legal = np.flatnonzero(engine.legal_mask()[0])
        if not len(legal):
            break
        engine.step([rng.choice(legal)])
    return engine


@cache
def positions(players: int, workshop: str) -> list[Engine]:
    """Return games from the deal to the end; they must not be played on."""
    over = Engine(Ruleset(players, workshop), 1, 1)
    greedy = agents.make("greedy")
    while over.seat[0] >= 0:
        over.step(greedy.act(agents.Position.of(over)))
    return [*(played(players, workshop, decisions, seed=decisions) for decisions in (0, 12, 25, 150, 400)), over]


def unwrapped(text: str) -> list[str]:
    """Return the lines, with those joined again that were wrapped."""
    return re.sub(r"\n {6,8}(?=\S)", " ", text).splitlines()


@every_variant
def test_text_carries_the_facts(players: int, workshop: str) -> None:
    for engine in positions(players, workshop):
        text = board_text(engine.ruleset, engine.games[0])
        assert max(map(len, text.splitlines())) <= 100
        assert text.isascii() and "\x1b" not in text
        lines = unwrapped(text)
        facts = game_facts(engine.ruleset, engine.games[0], 0)
        head = " ".join(text.split("\n\n")[0].split())
        if facts["point"] != "over":
            assert head.startswith(f"Turn {facts['turn']}: {COLOURS[facts['to_move']]} decides, ")
            assert facts["point"] in head or (facts["point"] == "start" and "a turn begins" in head)
            if facts["moved"]:
                assert f"the {facts['moved']} die moved to space {facts['landing']}" in head
        tiles, dice = text.split("\n\n")[1].splitlines()[:2]
        for space, here in enumerate(facts["market"]):
            resource, number = here["tile"].split(":")
            assert re.search(rf"(^| ){space}[ *]{resource[:5]}\w* {number}\b", tiles), here
        leads = next(line for line in lines if line.startswith("dice "))
        for die, at in facts["dice"].items():
            assert f"{die[0].upper()}{at['value']}" in dice[12 * at["space"] : 12 * at["space"] + 17]
            goal = shortened(at["yields"]) if at["yields"] else "which is full"
            assert re.search(rf"\b{die} {at['value']} to {(at['space'] + at['value']) % 8}, {goal}(;|$)", leads)
        for card in engine.games[0].influence:
            name, number = names(engine.ruleset).guild_cards[card].split("/")
            assert re.search(rf"\d-\d {name} +{number}  \[1\] ", text)
        assert f"supply  {amounts(facts['supply'])}" in lines
        check_towers(facts, view(engine.ruleset, engine.games[0]), text)
        check_seats(engine, facts, lines)


def section_line(text: str, name: str) -> str:
    """Return the line of a section, or the head of a tower, out of its column, which is 50 wide."""
    halves = [half.rstrip() for line in text.splitlines() for half in (line[:50], line[50:])]
    return next(half for half in halves if half.startswith(f"{name} "))


def still_missing(section: dict[str, Any]) -> dict[str, int]:
    """Return the materials that a section lacks; for Ivan's, any material."""
    return {"any_material": section["misses"]} if section.get("misses") else section["missing"]


def check_towers(facts: dict, shown: dict, text: str) -> None:
    for t, tower in enumerate(facts["towers"], 1):
        head = section_line(text, f"Tower {t}")
        assert f"worth {tower['value']}" in head
        numbers = zip(tower["presence"], tower["shares"], strict=True)
        assert head.split()[4:] == [f"{COLOURS[i][0].upper()}{n}={share}" for i, (n, share) in enumerate(numbers) if n]
        for level, s in enumerate(tower["sections"], 1):
            line = section_line(text, f"{t}.{level}")
            owner = COLOURS[s["owner"]] if s["owner"] is not None else "offer" if s["on_offer"] else "."
            assert line.split()[1:3] == [s["kind"].replace("middle", "mid"), owner]
            if s["finished"]:
                ornament = f", {s['ornament']} of {COLOURS[s['ornament_owner']]}" if s["ornament"] else ""
                assert line.endswith(f"done{ornament}")
                continue
            pays = amounts((("rubles", s["rubles"]), ("recognition", s["recognition"])))
            tile = f" {tile_name(s['tile'])}" if s["tile"] else ""
            there = shown["towers"][t - 1]["sections"][level - 1]["delivered"]  # what the facts leave out
            delivered = f" +{amounts(there)}" if there else ""
            assert line[16:] == f"{amounts(still_missing(s)):<12} {pays:>7}{tile}{delivered}"


def check_seats(engine: Engine, facts: dict, lines: list[str]) -> None:
    results = engine.results()
    for seat, s in enumerate(facts["seats"]):
        at = next(i for i, line in enumerate(lines) if line[1:].startswith(COLOURS[seat].capitalize()))
        head = lines[at]
        assert f": {results.track[0, seat]} prestige at space {engine.games[0].track[seat]}" in head
        assert f"score {results.prestige[0, seat]}" in head
        assert f"{results.towers[0, seat].sum()} for towers" in head
        wins = facts["point"] == "over" and bool(results.winners[0, seat])
        assert head[0] == (">" if facts["to_move"] == seat else "!" if wins else " ")
        if seat >= engine.num_players:  # Ivan has a row of cards instead
            continue
        assert f"{results.goods[0, seat]} for goods" in head
        hand, shop = lines[at + 1 : at + 3]
        assert f"; {engine.games[0].rubles[seat]} ruble" in head
        materials = re.search(r"inventory (.*), (\d) banners?, room for (\d+);", hand)
        assert materials and (int(materials[2]), int(materials[3])) == (s["inventory_banners"], s["room"])
        assert materials[1] == (amounts(s["materials"]) if s["materials"] else "no materials")
        if engine.ruleset.workshop == "basic":
            assert f"{s['spare_banners']} spare" in hand
        else:
            assert all((slot in hand) == (slot in s["white_banners"]) for slot in ("white1", "white2"))
        for kind, n in s["ornaments"].items():
            assert bool(re.search(rf" {kind}{n if n > 1 else ''}\b", hand)) == (n > 0)
        assert f"{s['finished']} done, {s['claimed']} begun" in hand
        for slot, row in s["workshop"].items():
            kept = f" {row['ornament']}" if row["ornament"] else ""
            if row["tile"] is None:
                words = f"({row['price']}r{kept})"
            else:
                words = "down" if row["tile"] == "face down" else f"{tile_name(row['tile'])}{kept}"
            assert f" {slot}:{words}" in shop


@every_variant
def test_a_view_agrees_with_the_engine(players: int, workshop: str) -> None:
    for engine in positions(players, workshop):
        shown, results = view(engine.ruleset, engine.games[0]), engine.results()
        assert [s["score"] for s in shown["seats"]] == results.prestige[0].tolist()
        assert [s["prestige"] for s in shown["seats"]] == results.track[0].tolist()
        assert [s["tower_prestige"] for s in shown["seats"]] == results.towers[0].sum(1).tolist()
        if engine.terminated[0]:
            assert shown["winners"] == np.flatnonzero(results.winners[0]).tolist()
        for tower in shown["towers"]:
            for s in tower["sections"]:
                if not s["finished"]:
                    if "misses" in s:  # the section is Ivan's
                        assert s["misses"] + sum(s["delivered"].values()) == sum(s["cost"].values())
                        continue
                    assert all(s["missing"].get(m, 0) + s["delivered"].get(m, 0) == n for m, n in s["cost"].items())


def test_colour_only_repeats_the_words() -> None:
    engine = played(4, "advanced", 300)
    plain = board_text(engine.ruleset, engine.games[0])
    coloured = board_text(engine.ruleset, engine.games[0], colour=True)
    assert "\x1b[97;41m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert has_colour(Terminal()) and not has_colour(io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not has_colour(Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not has_colour(Terminal())
    engine = played(2, "basic", 5)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setattr("sys.stdout", Terminal())
    assert "\x1b[" in frame(engine.ruleset, engine.games[0], "ansi")


def test_long_numbers_stay_within_the_width() -> None:
    engine = played(4, "advanced", 200)
    game = writeable(engine)[0]
    game.rubles[:4], game.track[:4], game.turn = 30_000, 5000, engine.ruleset.turn_limit
    game.goods[:4, : len(MATERIAL_NAMES)] = 10
    assert max(map(len, board_text(engine.ruleset, game).splitlines())) <= 100


def test_a_board_stays_as_it_was() -> None:
    engine = played(2, "basic", 30)
    board, text = Board(engine), board_text(engine.ruleset, engine.games[0])
    engine.step([np.flatnonzero(engine.legal_mask()[0])[0]])
    assert str(board) == text != board_text(engine.ruleset, engine.games[0])


def test_every_guild_action_has_words() -> None:
    guilds = Ruleset().data_file.tables["guilds"]
    words = [action_text(action) for cards in guilds.values() for card in cards for action in card]
    assert words[:2] == ["sell any material for 1 ruble, unlimited", "2 rubles: buy any material, unlimited"]
    assert "3 rubles: gain 1 prestige" in words and "gain 1 ruble" in words and len(BASE_DIE_NAMES) == 5
    assert all(words)
