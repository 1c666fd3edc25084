"""Tests of the layouts: text and vector hold the same facts, nothing hidden is observed, no seat is favoured, words and
numbers of actions convert both ways, and the pages that document all this are up to date.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import generated
import numpy as np
import pytest
from random_files import random_tables, toml
from variants import VARIANTS, every_variant, every_variant_at_length
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.layout import actions, observation
from rc_env.layout.actions import ActionLayout
from rc_env.layout.observation import ObservationLayout
from rc_env.layout.pieces import UNUSED, Piece
from rc_env.rules import points
from rc_env.rules.points import FIRST, POINT, POINTS
from rc_env.rules.printed import data_file
from rc_env.rules.printed.sizes import ANY, BASE_DIE_NAMES, FORCED, MATERIAL_NAMES, SIDES, SPACES, TILE_EFFECT
from rc_env.rules.printed.vocabulary import action_columns
from rc_env.rules.state import GAME
from rc_env.ruleset import WORKSHOPS
from rc_env.words import facts, notation


@cache
def ruleset(players: int, workshop: str) -> Ruleset:
    return Ruleset(players=players, workshop=workshop)


def positions(rules: Ruleset, rounds: int, rows: int, seed: int = 0, apart: int = 37) -> Iterator[Engine]:
    """Yield one engine again and again, after more random play in all rows: early and late positions of many games."""
    engine = Engine(rules, rows, seed)
    for i in range(rounds):
        yield engine
        engine.play_random(apart, seed=seed + i)


def finished(rules: Ruleset, rows: int) -> Engine:
    """Return games that were just played to their end."""
    engine, rng = Engine(rules, rows, seed=3), np.random.default_rng(3)
    while (engine.seat >= 0).any():
        engine.step(choices(engine, rng))
    return engine


def choices(engine: Engine, rng: np.random.Generator) -> np.ndarray:
    """Return a random legal action per row, claims and deliveries more often than others, so that games end soon."""
    verbs = np.array([action.verb in (4, 5, 13, 14) for action in engine.ruleset.actions.actions])
    return np.argmax(engine.legal_mask() * (rng.random(engine.legal_mask().shape) + 0.5 * verbs), axis=1)


@cache
def each_point(rules: Ruleset) -> dict[str, np.void]:
    """Return a game at every decision point; they are shared, so they must not be written to."""
    found: dict[str, np.void] = {}
    for engine in positions(rules, 200, 64, seed=5):
        for row in np.flatnonzero(engine.seat >= 0).tolist():
            if engine.point(row) not in found:
                found[engine.point(row)] = engine.clone([row])[0]
        if len(found) == len(POINTS) - (not rules.solo):
            return found
    raise AssertionError(f"met {sorted(found)} only")


class Viewer:
    """Observes games as they are, without settling them: also games that cannot occur in play."""

    def __init__(self, rules: Ruleset) -> None:
        self.engine = Engine(rules, 600)
        self.games = writeable(self.engine).view(np.ndarray)

    def see(self, games: np.ndarray, seat: int) -> np.ndarray:
        self.games[: len(games)] = games
        return self.engine.observe(range(len(games)), seat=seat)


# --- the vector ---------------------------------------------------------------------------------------------------


@every_variant
def test_pieces_cover_the_vector(players: int, workshop: str) -> None:
    layout = ruleset(players, workshop).observations
    offset = 0
    for piece in layout.pieces:
        assert piece.offset == offset
        assert piece.shape[-1] == len(piece.entries) == len(piece.divisors)
        assert len({e for e in piece.entries if e != UNUSED}) == sum(e != UNUSED for e in piece.entries), piece.name
        offset += piece.size
    assert offset == layout.size == len(layout.divisors)


@every_variant
def test_numbers_and_views(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    layout = rules.observations
    engine = Engine(rules, 20)
    engine.play_random(200)
    vectors = engine.observe()
    views, numbers = layout.views(vectors), layout.numbers(vectors)
    for piece in layout.pieces:
        assert views[piece.name].shape == numbers[piece.name].shape == (20, *piece.shape)
        again = numbers[piece.name] / np.array(piece.divisors, np.float32)
        np.testing.assert_allclose(again, views[piece.name], rtol=1e-6)
    joined = [numbers[piece.name].reshape(20, -1) for piece in layout.pieces]
    assert np.array_equal(np.concatenate(joined, axis=1), np.rint(vectors * layout.divisors))
    assert np.array_equal(layout.views(vectors[3])["goods"], views["goods"][3])


def used_by_guilds(rules: Ruleset, side: int) -> set[str]:
    """Return the entries that the first or second action of some guild card of the data file sets."""
    used: set[str] = set()
    for cards in rules.data_file.tables["guilds"].values():
        for action in (card[side] for card in cards):
            columns = action_columns(action)
            for column, prefix in (("pay_from", "pay"), ("gain_from", "gain")):
                chosen = zip(MATERIAL_NAMES, columns.pop(column), strict=True)
                used |= {f"{prefix} {material}" for material, n in chosen if n}
            used |= {column for column, number in columns.items() if number}
    return used


def can_be_set(rules: Ruleset, piece: Piece) -> np.ndarray:
    """Return which entries of a piece can ever be other than 0 under the data file and the rules."""
    data = rules.data_file.tables
    plans = data["plans"][str(rules.seats)]
    possible = np.zeros(piece.shape, np.bool_)
    possible[...] = [
        entry not in ((UNUSED, "turn ivan") if rules.solo else (UNUSED, "ivan")) for entry in piece.entries
    ]
    if rules.workshop == "basic":
        possible[...] &= ["white" not in e or "banner" not in e for e in piece.entries]
        possible[...] &= piece.name != "slot_ornament"
    else:
        possible[...] &= [entry != "spare banners" for entry in piece.entries]
    if piece.name == "guild":
        for side in range(SIDES):
            possible[:, side] &= [entry in used_by_guilds(rules, side) for entry in piece.entries]
    if piece.name == "rules" and rules.solo:
        possible &= [entry != "ending prestige" for entry in piece.entries]
    if piece.name in ("card", "section", "section_tile"):
        for tower, level in np.ndindex(piece.shape[:2]):
            heights = [plan[tower] for plan in plans if plan[tower] > level]
            kinds = {"base" if level == 0 else "dome" if level == h - 1 else "middle" for h in heights}
            if rules.solo and piece.name == "card":  # Ivan delivers any kind to any section
                possible[tower, level] &= bool(heights)
                continue
            costs = {f"missing {m}" for kind in kinds for card in data["cards"][kind] for m in card["cost"]}
            possible[tower, level] &= [
                bool(heights)
                and not (entry in data_file.CARDS and entry not in kinds)
                and not (entry.startswith("missing") and entry not in costs)
                for entry in piece.entries
            ]
    if rules.solo and piece.name in ("goods", "works", "numbers"):
        none = ("white1 banner", "white2 banner", "rubles", "room", "goods_prestige")
        none = none if piece.name != "goods" else piece.entries[:-1]
        possible[1] = [entry not in (*none, UNUSED) for entry in piece.entries]
    return possible


@every_variant
def test_entries_lie_between_0_and_1_and_none_is_idle(players: int, workshop: str) -> None:
    rules, rng = ruleset(players, workshop), np.random.default_rng(1)
    top = np.zeros(rules.observations.size, np.float32)
    for engine in positions(rules, 150, 512, apart=23):
        vectors = engine.observe(seat=rng.integers(0, players, 512))
        assert vectors.dtype == np.float32 and np.isfinite(vectors).all()
        assert vectors.min() >= 0 and vectors.max() <= 1
        np.maximum(top, vectors.max(axis=0), out=top)
    for piece in rules.observations.pieces:
        seen, possible = rules.observations.views(top)[piece.name] > 0, can_be_set(rules, piece)
        if rules.solo and piece.name in (
            "ivan_goods",
            "seats",
            "card",
            "seats",
            "waiting_count",
        ):  # small piles and the hundredth turn are rare
            possible &= seen
        for place in np.argwhere(seen != possible)[:3]:
            raise AssertionError(f"{piece.name} {place}, {piece.entries[place[-1]]}: {seen[tuple(place)]}")


# --- text and vector ----------------------------------------------------------------------------------------------


@every_variant_at_length
def test_text_and_vector_carry_the_same_facts(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    viewer = Viewer(rules)
    batches = [np.array([game]) for game in each_point(rules).values()]
    batches += [engine.clone() for engine in positions(rules, 6, 40, seed=7)]
    for games in batches:
        for seat in range(players):
            for game, vector in zip(games, viewer.see(games, seat), strict=True):
                assert facts.observation_facts(rules, vector, seat) == facts.game_facts(rules, game, seat)


@every_variant
def test_facts_of_games_that_are_over(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    engine = finished(rules, 4)
    for seat in range(players):
        for vector, game in zip(engine.observe(seat=seat), engine.games, strict=True):
            found = facts.observation_facts(rules, vector, seat)
            assert found == facts.game_facts(rules, game, seat)
            assert found["point"] == "over" and found["to_move"] is None


def test_numbers_that_are_cut_read_as_such() -> None:
    rules = ruleset(2, "basic")
    viewer = Viewer(rules)
    games = viewer.games[:1].copy()
    games["rubles"][0, 1], games["track"][0, 0] = 101, 4 * 80
    found = facts.observation_facts(rules, viewer.see(games, 0)[0], 0)
    assert found == facts.game_facts(rules, games[0], 0)
    assert found["seats"][1]["rubles"] == "100+" and found["seats"][0]["prestige"] == "120+"
    assert "rubles 100+" in facts.facts_text(found)


@pytest.mark.parametrize("seed", range(12))
def test_both_ways_agree_with_any_data_file(seed: int, tmp_path: Path) -> None:
    """The facts from games and from vectors agree with random files: other numbers, guilds and plans; also as bytes."""
    rng = np.random.default_rng(seed)
    path = tmp_path / "random.toml"
    path.write_text(toml(random_tables(rng)), encoding="utf-8")
    rules = Ruleset(seed % 4 + 1, WORKSHOPS[seed // 4 % 2], data=path)
    actions: set[str] = set()
    for engine in positions(rules, 6, 12, seed=seed):
        seat = int(rng.integers(rules.players))
        vectors = engine.observe(seat=seat, dtype=np.uint8)
        for game, vector in zip(engine.games, vectors, strict=True):
            found = facts.observation_facts(rules, vector, seat)
            assert found == facts.game_facts(rules, game, seat)
            lines = facts.facts_text(found).splitlines()
            for quadrant in found["guild_actions"]:
                for action in quadrant:
                    assert any(line.endswith(f" {facts.effect_text(action)}") for line in lines)
                    actions |= {*action}
    assert len(actions) > 8


def changes(value: Any, key: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield every single fact in a tree of facts, with another value in its place."""
    seats, tile = ("seat", "owner", "ornament_owner", "to_move", "ending"), {"kind": "claim", "tool": 1}
    other = {"tile": "die:red", "ornament": "door", "serves": [1, 2], "specialist": tile, "offer": tile}
    match value:
        case dict():
            if key in ("missing", "materials", "supply"):
                yield (*path, "lumber"), value.get("lumber", 0) + 1
            for inner, child in value.items():
                if inner != "ornament_owner" or child is not None:  # without an ornament it has no owner
                    yield from changes(child, inner, (*path, inner))
        case list() if key == "white_banners":
            yield path, ["white2"] if value != ["white2"] else ["white1", "white2"]
        case list():
            for i, child in enumerate(value):
                yield from changes(child, key, (*path, i))
        case bool():
            yield path, not value
        case int():
            yield path, value - 1 if key in seats and value else value + 1
        case None:
            yield (
                path,
                0 if key in seats or key == "landing" else 1 if key in ("turn", "guild") else other.get(key, "x"),
            )
        case str():
            yield path, value + "x"


def every_change_shows(found: dict[str, Any], part: dict[str, Any]) -> int:
    """Check that changing any fact of `part`, a part of `found`, changes the text; return the number of facts."""
    text = facts.facts_text(found)
    count = 0
    for path, other in list(changes(part, None)):  # the loop changes `part`, so the paths are listed before
        place: Any = found
        for step in path[:-1]:
            place = place[step]
        new = isinstance(place, dict) and path[-1] not in place
        kept = None if new else place[path[-1]]
        place[path[-1]] = other
        assert facts.facts_text(found) != text, f"{path}: {other} does not show"
        if new:
            del place[path[-1]]
        else:
            place[path[-1]] = kept
        count += 1
    return count


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (4, "advanced")])
def test_every_fact_is_in_the_text(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    at = each_point(rules)
    count = 0
    for game in (at[point] for point in ("place", "take", "market", "pay", "build", "gems")):
        found = facts.game_facts(rules, game, 1)
        count += every_change_shows(found, found)
    assert count > 1000


def test_describe_is_the_text_of_the_facts() -> None:
    rules = ruleset(3, "advanced")
    engine = Engine(rules, 1, seed=4)
    vector = engine.observe(seat=2)[0]
    text = facts.describe(rules, vector, 2)
    assert text == facts.facts_text(facts.game_facts(rules, engine.games[0], 2))
    assert text.startswith("seen by yellow, seat 2; turn 1; to move: red")
    assert "yellow (you): rubles 4; prestige 0, 2 past it; goods 0" in text
    assert "  spaces to the next prestige spaces: 3, 7, 11, 15, 19, 22, 25, 28" in text
    assert "rules: rubles a prestige 2, prestige a re-roll 1, rubles a step 1, deliveries 3" in text
    with pytest.raises(ValueError, match=r"vector must be an observation of .*, not a float32 array of shape \(5,\)"):
        facts.describe(rules, vector[:5], 2)
    with pytest.raises(ValueError, match="seat must be a whole number from 0 to 2, not 3"):
        facts.describe(rules, vector, 3)
    with pytest.raises(ValueError, match="seat must be a whole number from 0 to 2, not -1"):
        facts.game_facts(rules, engine.games[0], -1)


# --- observed and hidden fields -----------------------------------------------------------------------------------

# Every field of a game: those of chance and of the engine, those that follow from other fields, and the public ones.
HIDDEN = [
    "key", "decisions", "version", "rolls", "forced", "forced_count", "forced_next", "rolled",
    "rolled_count", "ivan_turns", "ivan_dealt", "ivan_forced", "ivan_rolled", "ivan_rolled_count", "ivan_event",
    "ivan_events",
]  # fmt: skip
# Tower and level are observed for the current section. A card's number is observed as the materials that it still lacks
# and its rewards; the delivered materials are observed as the part of the supply that all cards hold together.
DERIVED = ["plan", "first", "number", "guild", "status", "tower", "level"]
PUBLIC = [
    "card", "goods", "works", "crowd", "supply", "rubles", "track", "turn", "height", "claimed", "kind", "owner",
    "finished", "tile", "ornament", "worth", "presence", "share", "towers", "market", "influence", "die_space",
    "die_value", "slot_tile", "slot_up", "slot_ornament", "seat", "ending", "depth", "stack", "rerolled", "die",
    "space", "obtained", "worked", "influenced", "influence_open",
]  # fmt: skip
OF_IVAN = ["ivan_goods", "ivan_card", "ivan_tile", "ivan_up"]  # public in the solo game


FIELDS = set(GAME.names or ())


def test_every_field_of_a_game_is_classified() -> None:
    classified = [*HIDDEN, *DERIVED, *PUBLIC, *OF_IVAN]
    assert len(set(classified)) == len(classified)
    assert set(classified) >= FIELDS


def alternatives(rules: Ruleset, game: np.void, field: str) -> Iterator[tuple[tuple[int, ...], int]]:
    """Each place of a public field that is in use, with another value that it can hold."""
    c = rules.rules[0]
    boards, players, towers, sections = rules.players, rules.seats, int(c.towers), int(c.sections)
    used: dict[str, tuple[tuple[int, ...], tuple[int, int]]] = {  # places in use, lowest and highest value
        "card": ((sections, 8), (0, 20)),
        "goods": ((players, 8), (0, 10)),
        "works": ((players, 8), (0, 6)),
        "crowd": ((SPACES,), (0, 3)),
        "supply": ((6,), (0, 20)),
        "rubles": ((players,), (0, 40)),
        "track": ((players,), (0, 150)),
        "turn": ((), (1, 999)),
        "kind": ((sections,), (0, 2)),
        "owner": ((sections,), (-1, players - 1)),
        "finished": ((sections,), (0, 1)),
        "tile": ((sections,), (-1, int(c.tile_kinds) - 1)),
        "ornament": ((sections,), (-1, players - 1)),
        "worth": ((towers,), (0, 20)),
        "presence": ((towers, players), (0, 9)),
        "share": ((towers, players), (0, 20)),
        "towers": ((players,), (0, 80)),
        "market": ((SPACES,), (0, SPACES - 1)),
        "influence": ((4,), (0, int(c.first_influence[4]) - 1)),
        "die_space": ((5,), (0, SPACES - 1)),
        "die_value": ((5,), (1, 6)),
        "slot_tile": ((boards, 6), (-1, int(c.tile_kinds) - 1)),
        "slot_up": ((boards, 6), (0, 1)),
        "slot_ornament": ((boards, 4), (-1, 2)),
        "seat": ((), (0, players - 1)),
        "ivan_goods": ((2, 6), (0, 20)),
        "ivan_card": ((5,), (0, 4)),
        "ivan_tile": ((5,), (0, 4)),
        "ivan_up": ((5,), (0, 1)),
        "ending": ((), (-1, players - 1)),
        "rerolled": ((), (0, 1)),
        "die": ((), (-1, 4)),
        "space": ((), (0, SPACES - 1)),
        "obtained": ((), (0, 1)),
        "worked": ((), (0, 1)),
        "influenced": ((), (-1, 1)),
        "influence_open": ((), (0, 1)),
    }
    if field == "height":  # it is one lower, since the fields of a game have no room for one more
        yield from (((tower,), int(game["height"][tower]) - 1) for tower in range(towers))
        return
    if field == "claimed":
        claimed = game["claimed"][:towers]
        yield from (((tower,), int(n) - 1 if n else 1) for tower, n in enumerate(claimed) if players > 2)
        return
    shape, (low, high) = used[field]
    for place in np.ndindex(shape):
        value = int(game[field][place])
        other = value - 1 if value > low else value + 1
        if field == "slot_up" and game["slot_tile"][place] < 0:
            continue
        if field == "slot_tile" and value >= 0 and not game["slot_up"][place]:
            other = -1
        if field == "space" and game["die"] < 0:  # no die has moved
            continue
        if rules.solo and field in ("goods", "rubles") and place[0] == 1:  # Ivan has none, so the entry does not matter
            continue
        assert low <= other <= high
        yield place, other


def changed(game: np.void, field: str, place: tuple[int, ...], value: int) -> np.ndarray:
    """Return a copy with another value in one place, as an array of one game."""
    games = np.array([game])
    games[field][(0, *place)] = value
    return games


@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (2, "basic"), (3, "advanced"), (4, "advanced")])
def test_whatever_is_public_shows_to_every_seat(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    viewer = Viewer(rules)
    at = each_point(rules)
    for game in (at["start"], at["market"], at["gems"]):
        tried = [
            (field, place, value)
            for field in [*PUBLIC, *(OF_IVAN if rules.solo else [])]
            if field in FIELDS and field not in ("depth", "stack")
            for place, value in alternatives(rules, game, field)
        ]
        others = np.concatenate([changed(game, *change) for change in tried])
        for seat in range(players):
            plain = viewer.see(np.array([game]), seat)
            for low in range(0, len(others), 500):
                same = (viewer.see(others[low : low + 500], seat) == plain).all(axis=1)
                assert not same.any(), f"{tried[low + int(same.argmax())]} does not show"


# The public entries of the current decision point's frame: a place and another value. The rest follows from the turn.
FRAMES: dict[str, list[tuple[int, int]]] = {
    "place": [(points.PLACE_SECTION, 1)],
    "take": [(points.TAKE_MATERIAL, ANY), (points.TAKE_MOST, 9), (points.REFUSABLE, 1)],
    "pay": [(points.PAY_LEFT, 4), (points.PAY_FROM, 5)],
    "gain": [(points.GAIN_LEFT, 5), (points.GAIN_EXCEPT, 5)],
    "build": [(points.BUILD_LEFT, 6), (points.BUILD_BEGUN, 1)],
    "gems": [(points.GEMS_SECTION, 1)],
    "ivan": [(points.IVAN_CHOICE, 1)],
}


@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (2, "advanced"), (4, "basic")])
def test_the_current_decision_point_shows(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    viewer = Viewer(rules)
    seen = {}
    for point, game in each_point(rules).items():
        top = int(game["depth"]) - 1
        others = [changed(game, "stack", (top, POINT), POINTS.index("end" if point == "swap" else "swap"))]
        for entry, value in FRAMES.get(point, []):
            here = int(game["stack"][top, entry])
            others.append(changed(game, "stack", (top, entry), value if value != here else value - 1))
        if point == "gems":  # the number of deliveries left is in the frame below
            left = int(game["stack"][top - 1, points.BUILD_LEFT])
            others.append(changed(game, "stack", (top - 1, points.BUILD_LEFT), left + 1))
        for seat in range(players):
            plain = viewer.see(np.array([game]), seat)
            assert not (viewer.see(np.concatenate(others), seat) == plain).all(axis=1).any(), point
            seen[point, seat] = plain.tobytes()
    assert len(set(seen.values())) == len(seen)


@every_variant
def test_nothing_hidden_shows(players: int, workshop: str) -> None:
    rules = ruleset(players, workshop)
    viewer = Viewer(rules)
    for point, game in each_point(rules).items():
        others = []
        for field in FIELDS - set(PUBLIC) - set(OF_IVAN if rules.solo else []):
            if field in ("tower", "level") and point in ("place", "gems"):
                continue
            other = np.array([game])
            other[field] += 1
            others.append(other)
        for seat, slot in np.ndindex(players, 6):
            if game["slot_tile"][seat, slot] >= 0 and not game["slot_up"][seat, slot]:
                others.append(changed(game, "slot_tile", (seat, slot), 0))  # the kind of a tile that lies face down
                others.append(changed(game, "slot_tile", (seat, slot), 5))
        for frame in range(int(game["depth"]), len(game["stack"])):
            others.append(changed(game, "stack", (frame, FIRST), 3))  # an unused frame, which holds old values
        for seat in range(players):
            plain = viewer.see(np.array([game]), seat)
            assert (viewer.see(np.concatenate(others), seat) == plain).all(), point


# --- no seat is favoured ------------------------------------------------------------------------------------------


def rotated(rules: Ruleset, games: np.ndarray) -> np.ndarray:
    """Return the same games with every seat in the next one's place, colours with them; unplayed colours stay."""
    c, players = rules.rules[0], rules.players
    # The seats, and their colours.
    seats = np.array([(seat + 1) % players if seat < players else seat for seat in range(4)])
    dice, slots = np.array([*seats, 4]), np.array([*seats, 4, 5])
    kinds = np.arange(int(c.tile_kinds))
    of_die = c.effect_die[TILE_EFFECT + kinds].tolist()
    for kind in kinds:
        if of_die[kind] >= 0:
            kinds[kind] = of_die.index(dice[of_die[kind]])

    def renamed(values: np.ndarray, to: np.ndarray) -> np.ndarray:
        return np.where(values >= 0, to[values], values)

    turned = games.copy()
    for field in {"goods", "works", "rubles", "track", "towers", "slot_tile", "slot_up", "slot_ornament"} & FIELDS:
        turned[field][:, seats] = games[field]
    for field in ("presence", "share"):
        turned[field][:, :, seats] = games[field]
    for field in ("die_space", "die_value", "rolls"):
        turned[field][:, dice] = games[field]
    for field in ("slot_tile", "slot_up", "slot_ornament"):
        turned[field][:, :, slots] = turned[field].copy()
    for field in ("tile", "slot_tile"):
        turned[field] = renamed(turned[field], kinds)
    for field in ("owner", "ornament", "seat", "ending"):
        turned[field] = renamed(turned[field], seats)
    turned["die"] = renamed(turned["die"], dice)
    return turned


def rolled_again(games: np.ndarray, players: int) -> np.ndarray:
    """Return the rolls of the last step as values to force in the rotated games, in the order of the new colours."""
    forced = np.zeros((len(games), FORCED), np.int8)
    for row, game in enumerate(games):
        values: list[int] = []
        for roll in notation.rolls_to_list(game):
            dice = {BASE_DIE_NAMES.index(die): value for die, value in roll.items()}
            values += [n for _, n in sorted(((d + 1) % players if d < players else d, n) for d, n in dice.items())]
        forced[row, : len(values)] = values
    return forced


def even_file(folder: Path) -> Path:
    """Write the base data file with slots that cost the same for all colours but one's own."""
    text = (resources.files("rc_env") / "data" / "base.toml").read_text()
    for old, new in (
        ("next1 = 1, next2 = 1, next3 = 2", "next1 = 1, next2 = 1, next3 = 1"),
        ('next1 = "arch", next2 = "arch", next3 = "door"', 'next1 = "arch", next2 = "arch", next3 = "arch"'),
        ("doors = 1\narches = 2", "doors = 0\narches = 3"),
        ('ornament_order = ["door", "arch", "arch", "cross"]', 'ornament_order = ["arch", "arch", "arch", "cross"]'),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    path = folder / "even.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("players", "workshop"), [variant for variant in VARIANTS if variant[0] > 1])
def test_rotating_the_seats_rotates_everything(players: int, workshop: str, tmp_path: Path) -> None:
    """The base file serves four players; with fewer, slots of unplayed colours must cost the same."""
    data: str | Path = "base" if players == 4 else even_file(tmp_path)
    rules = Ruleset(players=players, workshop=workshop, data=data)
    rows, rng = 4, np.random.default_rng(players)
    engine, other = Engine(rules, rows, seed=11), Engine(rules, rows, seed=12)
    other.restore(rotated(rules, engine.clone()))
    steps = 0
    while (engine.seat >= 0).any():
        chosen = choices(engine, rng)
        engine.step(chosen)
        other.step(chosen, dice=rolled_again(engine.games, players))
        steps += 1
        assert np.array_equal(engine.legal_mask(), other.legal_mask())
        assert np.array_equal(other.seat, np.where(engine.seat >= 0, (engine.seat + 1) % players, -1))
        assert np.array_equal(other.rewards, np.roll(engine.rewards, 1, axis=1))
        for seat in range(players):
            seen = other.observe(seat=(seat + 1) % players)
            assert np.array_equal(engine.observe(seat=seat), seen)
        if steps % 25 == 0:  # the facts in words, from the last seat on
            assert facts.observation_facts(rules, seen[0], 0) == facts.game_facts(rules, other.games[0], 0)
    assert steps > 100 and engine.terminated.all()
    before, after = engine.results(), other.results()
    assert np.array_equal(np.roll(before.prestige, 1, axis=1), after.prestige)
    assert np.array_equal(np.roll(before.place, 1, axis=1), after.place)
    expected = rotated(rules, engine.clone(same_future=True))
    for field in FIELDS - set(HIDDEN):  # all other fields are rotated, too
        assert np.array_equal(expected[field], other.clone()[field]), field


# --- the words of actions -----------------------------------------------------------------------------------------

DIE, SLOT = "(red|blue|yellow|green|white)", "(red|blue|yellow|green|white1|white2)"
MATERIAL = "(lumber|brick|stone|gold|green_gem|purple_gem)"
OPTIONAL = r"rubles|reroll [0-7]"
BUILDING = rf"deliver {MATERIAL} to [1-6]\.[1-6]|adorn [1-6]\.[1-6]"
GRAMMAR = {
    "start": rf"move {DIE}( \+[1-7])?|claim [1-6] from (inventory|spare|white1|white2)|{BUILDING}|{OPTIONAL}",
    "place": rf"place {SLOT} (up|down)|{OPTIONAL}",
    "take": rf"take \d+|gain {MATERIAL}",
    "market": rf"obtain|guild [12]|workshop {SLOT}|done|{OPTIONAL}",
    "pay": rf"pay {MATERIAL}",
    "gain": rf"gain {MATERIAL}",
    "tile": rf"workshop {SLOT}",
    "swap": r"swap [0-6] [1-7]",
    "build": rf"{BUILDING}|done|{OPTIONAL}",
    "gems": r"gems (none|green|purple|green green|purple purple|green purple)",
    "end": rf"done|{OPTIONAL}",
    "ivan": r"ivan (claim [1-4]|adorn [1-4]\.[1-6])",
}


@every_variant
def test_legal_actions_read_as_the_game_record_says(players: int, workshop: str) -> None:
    """The decision points and the words of their actions are those that the pages on the game record list."""
    rules = ruleset(players, workshop)
    for point, game in each_point(rules).items():
        engine = Engine(rules, 1)
        engine.restore(np.array([game]))
        words = [engine.action_to_text(action) for action in engine.legal_mask()[0].nonzero()[0]]
        assert len(words) > 1, "the engine plays a single legal action, so each decision has two"
        for text in words:
            assert re.fullmatch(GRAMMAR[point], text), f"{text!r} at {point}"
    for engine in positions(rules, 30, 16, seed=9):
        for row in range(engine.num_games):
            for action in engine.legal_mask()[row].nonzero()[0]:
                text = engine.action_to_text(action, row)
                assert re.fullmatch(GRAMMAR[engine.point(row)], text), f"{text!r} at {engine.point(row)}"
                assert engine.text_to_action(text, row) == action
                if text.startswith("swap"):
                    assert text[5] < text[7]
                if text.startswith("claim"):
                    assert ("white" in text or "inventory" in text) if workshop == "advanced" else "white" not in text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_words_and_numbers_go_both_ways(players: int) -> None:
    layout = ruleset(players, "basic").actions
    everything = range(layout.size)
    assert len({layout.relative_text(action) for action in everything}) == layout.size
    for seat in range(players):
        texts = [layout.to_text(action, seat) for action in everything]
        assert len(set(texts)) == layout.size
        assert [layout.to_action(text, seat) for text in texts] == list(everything)
    assert layout.to_action("  move   white +2 ", 0) == layout.to_action("move white +2", 0)
    own = layout.to_action("move red", 0)
    assert layout.to_text(own, 1) == "move blue" and layout.relative_text(own) == "move own"


@pytest.mark.parametrize("words", ["", "move", "move purple", "move own", "claim 9 from spare", "take 11", "swap 2 1"])
def test_unknown_words_are_refused(words: str) -> None:
    layout = ruleset(2, "basic").actions
    with pytest.raises(ValueError) as caught:
        layout.to_action(words, 0)
    assert repr(words) in str(caught.value) and "\n" not in str(caught.value)


# --- the hash -----------------------------------------------------------------------------------------------------


def test_what_shares_a_layout() -> None:
    """Both sides of the boards share a layout; another number of players has another one."""
    for players in (1, 2, 3, 4):
        assert ruleset(players, "basic").layout_hash == ruleset(players, "advanced").layout_hash
    assert len({ruleset(players, "basic").layout_hash for players in (1, 2, 3, 4)}) == 4
    plain, short, margin = Ruleset(), Ruleset(turn_limit=500), Ruleset(reward="margin")
    assert plain.layout_hash == short.layout_hash == margin.layout_hash


def test_the_observation_hash_follows_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ObservationLayout(2).hash
    monkeypatch.setattr(observation, "VERSION", observation.VERSION + 1)
    assert ObservationLayout(2).hash != plain


def test_the_action_hash_follows_the_version_and_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ActionLayout(2).hash
    assert ActionLayout(2).hash == plain != ActionLayout(3).hash
    with monkeypatch.context() as patch:
        patch.setattr(actions, "SOURCES", ("spare", "inventory", "white1", "white2"))
        assert ActionLayout(2).hash != plain
    monkeypatch.setattr(actions, "VERSION", actions.VERSION + 1)
    assert ActionLayout(2).hash != plain


def renamed_entry(piece: Piece) -> Piece:
    return Piece(piece.name, piece.shape, ("another", *piece.entries[1:]), piece.divisors, piece.meaning)


def other_divisor(piece: Piece) -> Piece:
    return Piece(piece.name, piece.shape, piece.entries, (99, *piece.divisors[1:]), piece.meaning)


def renamed(piece: Piece) -> Piece:
    return Piece("another", piece.shape, piece.entries, piece.divisors, piece.meaning)


@pytest.mark.parametrize("change", [renamed, renamed_entry, other_divisor])
def test_the_observation_hash_follows_every_piece(
    change: Callable[[Piece], Piece], monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Ruleset().observations
    hashes = {layout.hash}
    monkeypatch.setattr(observation, "MOMENT", ())
    for i in range(len(layout.pieces)):
        pieces = [change(piece) if k == i else piece for k, piece in enumerate(layout.pieces)]
        part = replace(observation.BOARD[0], pieces=lambda seating, pieces=pieces: pieces)
        monkeypatch.setattr(observation, "BOARD", (part,))
        hashes.add(ObservationLayout(2).hash)
    assert len(hashes) == len(layout.pieces) + 1


# --- the pages ----------------------------------------------------------------------------------------------------


PAGES = {name: (generated.FOLDER / name).read_text(encoding="utf-8") for name in generated.PAGES}


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_what_the_schemas_say(name: str) -> None:
    assert PAGES[name] == generated.page(name, PAGES[name]), f"docs/{name} is out of date: run `{generated.COMMAND}`"


def test_the_command_writes_the_pages(tmp_path: Path) -> None:
    for name, page in PAGES.items():
        for part in generated.PAGES[name]:
            page = generated.with_block(page, part, "of another version")
        (tmp_path / name).write_text(page, encoding="utf-8")
    generated.main(tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == PAGES


def test_pages_know_the_versions() -> None:
    assert max(generated.OBSERVATION_VERSIONS) == observation.VERSION
    assert max(generated.ACTION_VERSIONS) == actions.VERSION


@pytest.mark.parametrize("page", [PAGES[name] for name in PAGES if "layout" in generated.PAGES[name]])
def test_examples_on_the_pages_run(page: str) -> None:
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(code, names)
