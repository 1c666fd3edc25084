"""Tests of the full game's observation: text and vector hold the same facts, no seat observes the contracts of others,
every public part of the module Contractors is observed, and no entry exceeds its divisor.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from test_layout import every_change_shows
from variants import guilds_by_variant, half_of_the_variants
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.layout.pieces import UNUSED
from rc_env.rules import state
from rc_env.rules.points import POINT
from rc_env.ruleset import THIEVES, WORKSHOPS
from rc_env.words import facts

pytestmark = pytest.mark.full

GUILDS = (
    "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders", "brickmakers",
    THIEVES,
)  # fmt: skip
MODULE_GUILDS = ("contractors", "lawyers", "jewelers:3", "random")


@cache
def ruleset(guild: str, players: int, workshop: str, module: bool = False) -> Ruleset:
    return Ruleset(players, workshop, fourth_guild=guild, special_tiles=True, promos=True, contractors=module)


def positions(rules: Ruleset, rounds: int, rows: int, apart: int) -> Iterator[Engine]:
    """Yield one engine again and again, after more random play: first when special tiles are chosen, then later."""
    engine = Engine(rules, rows, seed=rounds)
    for i in range(rounds):
        yield engine
        engine.play_random(apart, seed=i)


@cache
def at_points(guild: str, module: bool) -> dict[str, tuple[np.void, int]]:
    """Return a game of three players at each of the guild's decision points, with the seat that decides."""
    rules = ruleset(guild, 3, "basic", module)
    wanted = {point for name, point in (MODULE_POINTS if module else POINTS) if name == guild}
    found: dict[str, tuple[np.void, int]] = {}
    for engine in positions(rules, 400, 1024, 3):
        current = engine.games.stack[np.arange(engine.num_games), engine.games.depth - 1, POINT]
        for point in wanted - set(found):
            rows = np.flatnonzero((engine.seat >= 0) & (current == rules.build.points.POINTS.index(point)))
            if len(rows):
                found[point] = engine.clone(rows[:1], same_future=True)[0], int(engine.seat[rows[0]])
        if len(found) == len(wanted):
            return found
    raise AssertionError(f"{wanted - set(found)} not met")


# --- text and vector


@guilds_by_variant(GUILDS)
def test_text_and_vector_carry_the_same_facts(guild: str, players: int, workshop: str) -> None:
    rules = ruleset(guild, players, workshop)
    for engine in positions(rules, 7, 4, 11):
        for seat in range(players):
            for game, vector in zip(engine.games, engine.observe(seat=seat, dtype=np.uint8), strict=True):
                found = facts.observation_facts(rules, vector, seat)
                assert found == facts.game_facts(rules, game, seat)
                assert facts.facts_text(found)


@half_of_the_variants
def test_text_and_vector_carry_the_same_facts_of_the_module(players: int, workshop: str) -> None:
    for guild in MODULE_GUILDS:
        rules = ruleset(guild, players, workshop, module=True)
        for engine in positions(rules, 4, 6, 29):
            for seat in range(players):
                for game, vector in zip(engine.games, engine.observe(seat=seat, dtype=np.uint8), strict=True):
                    found = facts.observation_facts(rules, vector, seat)
                    assert found == facts.game_facts(rules, game, seat)
                    assert facts.facts_text(found)


POINTS = [
    ("jewelers", "special"),
    ("jewelers", "pay"),
    ("jewelers", "resource"),
    ("jewelers", "influence"),
    ("artisans", "tile"),
    ("foremen", "foreman"),
    ("foremen", "player"),
    ("wholesalers", "extra"),
    ("archivists", "keep"),
    ("archivists", "return"),
    ("master_builders", "card"),
    ("master_builders", "section"),
    ("master_builders", "take"),
    ("brickmakers", "reinforcement"),
    (THIEVES, "player"),
    (THIEVES, "section"),
    (THIEVES, "gain"),
]
MODULE_POINTS = [
    ("contractors", "hire"),
    ("contractors", "player"),
    ("lawyers", "both"),
    ("lawyers", "spend"),
    ("lawyers", "discard"),
    ("lawyers", "claim"),
]


@pytest.mark.parametrize(
    ("guild", "point", "module"), [(*row, False) for row in POINTS] + [(*row, True) for row in MODULE_POINTS]
)
def test_every_fact_of_a_decision_point_shows(guild: str, point: str, module: bool) -> None:
    """The facts from the game and from the vector agree there, and a change of any fact changes the text."""
    rules, (game, seat) = ruleset(guild, 3, "basic", module), at_points(guild, module)[point]
    engine = Engine(rules, 1)
    engine.restore(np.array([game]))
    found = facts.observation_facts(rules, engine.observe(seat=seat)[0], seat)
    assert found == facts.game_facts(rules, game, seat) and found["point"] == point
    part = {"full": found["full"], "seats": found["seats"], "guild_actions": found["guild_actions"]}
    assert every_change_shows(found, part) > 100


# --- hidden contracts


def in_words(rules: Ruleset, games: np.ndarray, seat: int) -> list[str]:
    return [facts.facts_text(facts.game_facts(rules, game, seat)) for game in games]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_hidden_contracts_show_to_nobody_else(players: int) -> None:
    """A seat's observation and text do not depend on contracts that others hold or have drawn, or on the deck."""
    rules = ruleset("archivists", players, "basic")
    other = Engine(rules, 32)
    decks = hands = 0
    for engine in positions(rules, 12, 32, 17):
        games = engine.clone(same_future=True)
        for seat in range(players):
            copies = engine.clone(seat=seat)
            other.restore(copies)
            np.testing.assert_array_equal(other.observe(seat=seat), engine.observe(seat=seat))
            assert in_words(rules, copies[:4], seat) == in_words(rules, games[:4], seat)
            decks += int((copies["contract_deck"] != games["contract_deck"]).any(axis=1).sum())
            held = (games["hand"][:, :players] >= 0).sum(axis=(1, 2)) - (games["hand"][:, seat] >= 0).sum(axis=1)
            hands += int(((copies["hand"] != games["hand"]).any(axis=(1, 2)) & (held > 0)).sum())
    assert decks > 100 * players and (hands > 50 or players == 1)


def test_what_the_seat_has_drawn_shows_to_it_alone() -> None:
    rules, (game, seat) = ruleset("archivists", 3, "basic"), at_points("archivists", False)["keep"]
    drawn = sorted(int(number) + 1 for number in game["drawn_contract"])
    for other in range(3):
        full = facts.game_facts(rules, game, other)["full"]
        assert full["drawn_contracts"] == (drawn if other == seat else [])
        assert full["contracts"] == [int(number) + 1 for number in game["hand"][other] if number >= 0]


# --- public fields of the module

PUBLIC = {
    "bag": 1, "tools": 1, "permits": 2, "permit_supply": 9, "contractors": 2, "city_open": 0, "sent": 3, "offer": 7,
    "specialist": 7,
}  # fmt: skip
"""Fields of the module with a value that a game just dealt has in none of their places, or in few."""
OF_SEATS = {"permits", "contractors", "sent", "specialist", "tools"}
KEPT_BACK = {"bag_draws", "specialist_works", "forced_specialist", "forced_specialists", "log_refill", "ivan_refill"}


def test_every_field_of_the_module_is_classified() -> None:
    of_the_module = {name for name, *_ in state._MODULE}
    assert of_the_module == {*PUBLIC, *KEPT_BACK, "city_over", "ivan_tower"}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_is_public_of_the_module_shows_to_every_seat(players: int) -> None:
    rules = ruleset("lawyers", players, "basic", module=True)
    engine = Engine(rules, 1, seed=players)
    plain, changed = engine.clone(same_future=True), []

    def change(field: str, place: tuple[Any, ...], value: Any) -> None:
        other = plain.copy()
        other[field][(0, *place)] = value
        if (other != plain).any():
            changed.append((f"{field} {place}", other))

    for field, value in PUBLIC.items():
        seats = rules.players if field in ("permits", "specialist") else rules.seats
        for place in np.ndindex(plain[field][0].shape):
            if field not in OF_SEATS or place[-1] < seats:
                change(field, place, value)
    for tower in range(1, rules.seats + 2):
        change("city_over", ([0, tower],), plain["city_over"][0, [tower, 0]])
    if rules.solo:
        change("ivan_tower", (), (plain["ivan_tower"][0] + 1) % 4)
    games = writeable(engine).view(np.ndarray)
    for seat in range(players):
        games[:] = plain
        seen = engine.observe(seat=seat)
        for said, other in changed:
            games[:] = other
            assert (engine.observe(seat=seat) != seen).any(), said
        for field in KEPT_BACK:
            games[:] = plain
            games[field] += 1
            np.testing.assert_array_equal(engine.observe(seat=seat), seen)
    assert len(changed) > 30


# --- every entry


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_entries_stay_within_their_divisors(players: int) -> None:
    for guild, module in [*((guild, False) for guild in GUILDS), *((guild, True) for guild in MODULE_GUILDS)]:
        for workshop in WORKSHOPS:
            rules = ruleset(guild, players, workshop, module)
            layout = rules.observations
            unused = np.concatenate([np.resize([e == UNUSED for e in p.entries], p.size) for p in layout.pieces])
            for engine in positions(rules, 12, 32, 17):
                for seat in range(players):
                    numbers = engine.observe(seat=seat, dtype=np.uint8)
                    assert (numbers <= layout.divisors).all()
                    assert not numbers[:, unused].any()
