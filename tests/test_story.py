"""Tests of the log in sentences: whatever a decision changes is told, and what is told adds up to what has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.table.story import Told, tell
from rc_env.bot import Position
from rc_env.record.recorder import state_to_dict
from rc_env.render.view import view
from rc_env.rules.printed.sizes import COLOURS, MATERIAL_NAMES

WORDS = {"ruble": "rubles", "permit": "permits", "green gem": "green_gem", "purple gem": "purple_gem"}
ORDER = ("base", "2nd section", "3rd section", "4th section", "5th section")


def played(ruleset: Ruleset, bots: list[str], seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], list[Told]]]:
    """A game: the positions before and after each decision, as records have them, and its lines."""
    engine = Engine(ruleset, 1, seed)
    made = [agents.make(bot) for bot in bots]
    for number, bot in enumerate(made):
        bot.reset(number)
    game = engine.clone(same_future=True)[0]
    shown, state = view(ruleset, game), state_to_dict(ruleset, game)
    at = 0
    while not (engine.terminated[0] or engine.truncated[0]):
        seat = int(engine.seat[0])
        action = int(made[seat % len(made)].act(Position.of(engine))[0])
        before, shown_before, state_before = game, shown, state
        engine.step([action])
        game = engine.clone(same_future=True)[0]
        shown, state = view(ruleset, game), state_to_dict(ruleset, game)
        words = ruleset.actions.to_text(action, seat)
        yield state_before, state, tell(ruleset, [before, game], [shown_before, shown], seat, words, at)
        at += 1


def told(lines: list[Told]) -> list[tuple[int, int, str]]:
    """The amounts in the sentences: (seat, amount, thing), in order."""
    found = []
    for line in lines:
        seat = line.seat
        for name, number, thing in re.findall(r"\. (Red|Blue|Yellow|Green): |([+−]\d+) (\w+(?: gem)?s?)", line.words):
            if name:
                seat = COLOURS.index(name.lower())
            else:
                word = thing if thing in WORDS.values() else WORDS.get(thing.removesuffix("s"), thing)
                word = "diamond" if word == "diamonds" else word
                found.append((seat, int(number.replace("−", "-")), word))
    return found


def followed(ruleset: Ruleset, at: int, moves: list[tuple[int, str]]) -> int:
    """Where a marker gets to by what is told, reckoned from the prestige spaces of the data file."""
    table = ruleset.data_file.tables["track"]
    spaces = [lap * table["length"] + space for lap in range(9) for space in table["prestige"]]
    for number, thing in moves:
        if thing == "recognition":
            at = max(at + number, 0)
        for _ in range(number if thing == "prestige" else 0):
            at = next(space for space in spaces if space > at)
        for _ in range(-number if thing == "prestige" else 0):
            at = next(space for space in reversed(spaces) if space < at)
    return at


def section(name: str, height: int) -> str:
    tower, level = map(int, name.split("."))
    return f"the {'dome' if level == height else ORDER[level - 1]} of tower {tower}"


def check(ruleset: Ruleset, before: dict[str, Any], after: dict[str, Any], lines: list[Told]) -> None:
    """Compare the sentences with the change of the position."""
    text, found = " ".join(line.words for line in lines), told(lines)
    where = f"{before['turn']}: {text}"
    for seat in range(len(after["track"])):
        own = [(number, thing) for who, number, thing in found if who == seat]
        assert followed(ruleset, before["track"][seat], own) == after["track"][seat], where
        sums = {thing: sum(number for number, other in own if other == thing) for _, thing in own}
        for thing in (*MATERIAL_NAMES, "diamond"):
            change = after["materials"][seat].get(thing, 0) - before["materials"][seat].get(thing, 0)
            assert sums.pop(thing, 0) == change, f"{thing}: {where}"
        for thing in ("rubles", "permits") if "permits" in after else ("rubles",):
            assert sums.pop(thing, 0) == after[thing][seat] - before[thing][seat], f"{thing}: {where}"
        assert set(sums) <= {"recognition", "prestige"}, where
        workshops = before["workshops"][seat], after["workshops"][seat]
        for slot in workshops[0].keys() | workshops[1].keys():
            if workshops[0].get(slot) != workshops[1].get(slot):
                words = {"white1": "first white", "white2": "second white"}.get(slot, slot)
                assert f"{words} slot" in text, where
    for die, at in after["dice"].items():
        then = before["dice"][die]
        if at["space"] != then["space"]:
            assert f"the {die} die to space {at['space']}" in text or f"{die} die moves to space" in text, where
        if at["value"] != then["value"]:
            assert re.search(rf"[Rr]olled: [^.]*\b{die} {at['value']}\b", text), where
    for t, (old_tower, new_tower) in enumerate(zip(before["towers"], after["towers"], strict=True), 1):
        for level, (old, new) in enumerate(zip(old_tower, new_tower, strict=True), 1):
            name = section(f"{t}.{level}", len(new_tower))
            if {**old, "tile": None, "delivered": {}} != {**new, "tile": None, "delivered": {}}:
                assert name in text, f"{name}: {where}"
            laid = any(n > old["delivered"].get(m, 0) for m, n in new["delivered"].items())
            if laid and new["owner"] == lines[0].seat:
                assert name in text, f"{name}: {where}"
            if new["done"] > old["done"]:
                assert f"{name} is finished" in text.replace("The ", "the ") or f"finishes {name}" in text, where
    for space, (old_tile, new_tile) in enumerate(zip(before["market"], after["market"], strict=True)):
        assert old_tile == new_tile or re.search(rf"tiles of spaces [^.]*\b{space}\b", text), where
    changed = {key for key in after if after[key] != before.get(key)}
    if "foreman" in changed:
        assert f"foreman to tower {after['foreman']}" in text or f"moves to tower {after['foreman']}" in text, where
    if "contractors" in changed:
        assert "contractor" in text, where
    for slot, (old_tile, new_tile) in enumerate(
        zip(before.get("specialists", []), after.get("specialists", []), strict=True)
    ):
        assert old_tile == new_tile or f"slot {slot}" in text, where
    if "cities" in changed:
        for city, now in after["cities"].items():
            assert now == before["cities"][city] or city.capitalize() in text, where
    for key, word in (("reinforcements_held", "reinforcement"), ("contracts", "contract"), ("special", "special tile"),
                      ("drawn_contracts", "contract"), ("drawn_cards", "drawn"), ("tools", "tools")):  # fmt: skip
        if key in changed and (key != "special" or after[key] != before[key]) and after.get(key) != [[], []]:
            assert word in text, f"{key}: {where}"


BASE = [
    pytest.param({"players": players, "workshop": workshop}, id=f"{players} {workshop}")
    for players in (1, 2, 3, 4)
    for workshop in ("basic", "advanced")
]
FULL = [
    pytest.param({"players": 2 + i % 3, "fourth_guild": guild, "special_tiles": i % 2 == 0}, id=guild,
                 marks=[pytest.mark.long] * (i // 2 % 2))
    for i, guild in enumerate(("jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists",
                               "master_builders", "brickmakers", "thieves"))
] + [
    pytest.param({"players": players, "contractors": True, "fourth_guild": guild}, id=f"{players} {guild}")
    for players, guild in ((1, "clergy"), (1, "foremen"), (2, "lawyers"), (3, "contractors"), (4, "foremen"))
]  # fmt: skip


@pytest.mark.parametrize("variant", BASE)
def test_what_is_told_adds_up_to_what_has_changed(variant: dict[str, Any]) -> None:
    ruleset = Ruleset(**variant, turn_limit=160)
    decisions = 0
    for before, after, lines in played(ruleset, ["all_rounder", "random"], seed=5):
        check(ruleset, before, after, lines)
        decisions += 1
    assert decisions > 60


@pytest.mark.full
@pytest.mark.parametrize("variant", FULL)
def test_what_is_told_of_the_full_game_adds_up(variant: dict[str, Any]) -> None:
    ruleset = Ruleset(**variant, turn_limit=100)
    for before, after, lines in played(ruleset, ["all_rounder", "random"], seed=5):
        check(ruleset, before, after, lines)
