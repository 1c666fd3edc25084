"""Tests of the numbers of an observation: bytes and floats agree, no number exceeds its divisor, no data file changes
the layout, and every number of a data file that matters after the deal can be read from an observation.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_files import random_tables, toml
from variants import VARIANTS, every_variant
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.layout.observation import ObservationLayout
from rc_env.layout.pieces import UNUSED
from rc_env.rules.printed import data_file, vocabulary
from rc_env.rules.printed.sizes import MATERIAL_NAMES, SIDES, SPACES
from rc_env.ruleset import WORKSHOPS


def written(tables: dict[str, Any], folder: Path) -> Path:
    """Write a tree to a file."""
    path = folder / "other.toml"
    path.write_text(toml(tables), encoding="utf-8")
    return path


def as_floats(layout: ObservationLayout, numbers: np.ndarray) -> np.ndarray:
    """Return these numbers as the floats of an observation."""
    return numbers * (np.float32(1) / layout.divisors.astype(np.float32))


# --- bytes and floats


@every_variant
def test_bytes_and_floats_agree(players: int, workshop: str) -> None:
    rules = Ruleset(players=players, workshop=workshop)
    layout = rules.observations
    engine = Engine(rules, 64, seed=players)
    for decisions in (0, 3, 50, 100, 150):
        engine.play_random(decisions, seed=decisions)
        for seat in (None, *range(players)):
            floats, numbers = engine.observe(seat=seat), engine.observe(seat=seat, dtype=np.uint8)
            assert floats.dtype == np.float32 and numbers.dtype == np.uint8
            assert np.array_equal(floats, as_floats(layout, numbers))
            assert (numbers <= layout.divisors).all()
            of_floats, of_numbers = layout.numbers(floats), layout.numbers(numbers)
            assert all(np.array_equal(of_floats[name], of_numbers[name]) for name in of_floats)
            assert of_numbers["goods"].dtype == np.int16
            assert layout.views(numbers)["goods"].dtype == np.uint8


@every_variant
def test_random_play_writes_the_same_as_bytes_and_as_floats(players: int, workshop: str) -> None:
    rules = Ruleset(players=players, workshop=workshop)
    layout = rules.observations
    floats = np.empty((32, layout.size), np.float32)
    numbers = np.empty((32, layout.size), np.uint8)
    one, other, ahead = (Engine(rules, 32, seed=1) for _ in range(3))
    for i in range(12):
        one.play_random(40, seed=i, observations=floats)
        other.play_random(40, seed=i, observations=numbers)
        assert np.array_equal(floats, as_floats(layout, numbers))
        ahead.play_random(39, seed=i)  # one decision less: the last observation was written there
        playing = ahead.seat >= 0
        assert np.array_equal(ahead.observe(dtype=np.uint8)[playing], numbers[playing])
        ahead.restore(one.clone(same_future=True))


@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_out_may_begin_anywhere(dtype: type) -> None:
    """Rows of bytes need not begin at whole words."""
    engine = Engine(num_games=5)
    engine.play_random(60)
    layout, size = engine.ruleset.observations, np.dtype(dtype).itemsize
    for shift in range(0, 16, size):
        memory = np.full(shift + 5 * layout.size * size + 16, 77, np.uint8)
        out = memory[shift : shift + 5 * layout.size * size].view(dtype).reshape(5, layout.size)
        assert engine.observe(dtype=dtype, out=out) is out
        assert np.array_equal(out, engine.observe(dtype=dtype))
        assert (memory[:shift] == 77).all() and (memory[shift + 5 * layout.size * size :] == 77).all()


# --- observed numbers of the data file


def test_guild_cards_show_what_they_do() -> None:
    """The entries follow from the data file in the words of its vocabulary, not from the compiled rules."""
    rules = Ruleset()
    guilds = [card for cards in rules.data_file.tables["guilds"].values() for card in cards]
    engine = Engine(rules, 64, seed=3)
    numbers = rules.observations.numbers(engine.observe(dtype=np.uint8))["guild"]
    piece = next(piece for piece in rules.observations.pieces if piece.name == "guild")
    for row, quadrant, side in np.ndindex(64, 4, SIDES):
        action = guilds[int(engine.games.influence[row, quadrant])][side]
        columns = vocabulary.action_columns(action)
        seen = dict(zip(piece.entries, numbers[row, quadrant, side].tolist(), strict=True))
        for name, value in columns.items():
            if name in vocabulary.MATERIAL_COLUMNS:
                verb = name.removesuffix("_from")
                assert value == [seen.pop(f"{verb} {material}") for material in MATERIAL_NAMES]
            elif name not in ("die", "resource", "amount"):
                assert seen.pop(name) == value, f"{action} {name}"
        assert set(seen) <= {UNUSED}


def test_the_next_prestige_spaces_show() -> None:
    rules = Ruleset(players=2)
    track = rules.data_file.tables["track"]
    spaces = [lap * track["length"] + space for lap in range(20) for space in track["prestige"]]
    engine = Engine(rules, 1000)
    games = writeable(engine)
    games.track[:, 0], games.track[:, 1] = np.arange(1000), np.arange(1000)[::-1]
    numbers = rules.observations.numbers(engine.observe(seat=1, dtype=np.uint8))
    for position in range(1000):
        ahead = [space - position for space in spaces if space > position][:8]
        assert numbers["prestige_ahead"][position, 1].tolist() == [min(space, 60) for space in ahead]
        assert numbers["prestige_ahead"][999 - position, 0].tolist() == [min(space, 60) for space in ahead]
        reached = [space for space in spaces if space <= position]
        assert numbers["numbers"][position, 1, 1] == min(len(reached), 120)
        assert numbers["numbers"][position, 1, 2] == min(position - max(reached, default=0), 60)


def layouts(rules: Ruleset) -> tuple[Any, ...]:
    return rules.layout_hash, rules.observations.size, rules.actions.size, rules.observations.divisors.tobytes()


def test_no_data_file_changes_the_layouts(tmp_path: Path) -> None:
    base = {players: layouts(Ruleset(players=players)) for players in (1, 2, 3, 4)}
    assert len(set(base.values())) == 4
    assert base[2][1] <= 1450
    for seed in range(300):
        players = 1 + seed % 4
        rules = Ruleset(
            players, WORKSHOPS[seed % 2], data=written(random_tables(np.random.default_rng(seed)), tmp_path)
        )
        assert layouts(rules) == base[players]


@pytest.mark.parametrize("seed", range(32))
def test_numbers_stay_within_their_divisors_whatever_the_data_file(seed: int, tmp_path: Path) -> None:
    """This holds in games that last long, with markers far up the track; no number wraps around."""
    players, workshop = VARIANTS[seed % len(VARIANTS)]
    rules = Ruleset(
        players, workshop, data=written(random_tables(np.random.default_rng(1000 + seed)), tmp_path), turn_limit=200
    )
    layout, tables = rules.observations, rules.data_file.tables
    engine = Engine(rules, 128, seed=seed)
    highest = np.zeros(layout.size, np.uint8)
    for i in range(12):
        engine.play_random(30, seed=i)
        for seat in range(players):
            numbers = engine.observe(seat=seat, dtype=np.uint8)
            assert (numbers <= layout.divisors).all(), layout.divisors[(numbers > layout.divisors).any(axis=0)]
            np.maximum(highest, numbers.max(axis=0), out=highest)
            named = layout.numbers(numbers)
            rubles = np.roll(engine.games.rubles[:, : rules.seats], -seat, axis=1)
            assert np.array_equal(named["numbers"][..., 0], np.minimum(rubles, 100))
            prestige = engine.results()
            shown = np.roll(prestige.prestige, -seat, axis=1)
            assert np.array_equal(named["numbers"][..., 6], np.minimum(shown, 200))
            yields = named["market"].sum(-1)[np.arange(128)[:, None], np.arange(SPACES)]
            amounts = [next(iter(tile.values())) for tile in tables["market"]["tile"]]
            assert np.array_equal(yields, np.array(amounts)[engine.games.market])
    views = layout.views(highest)
    assert not any(views[p.name][..., [e == UNUSED for e in p.entries]].any() for p in layout.pieces)


# --- every number of the data file


def numbers_of(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every number in a TOML tree."""
    match tree:
        case bool():
            return
        case int():
            yield path
        case dict():
            for key, value in tree.items():
                yield from numbers_of(value, (*path, key))
        case list():
            for i, value in enumerate(tree):
                yield from numbers_of(value, (*path, i))


def text_of(path: tuple[Any, ...]) -> str:
    return ".".join(map(str, path))


# What a changed number of the data file changes in the observation, by the path of the number: the piece and the entry,
# or "all" for any entry of a piece; and the variant, if it is not two players on basic boards.
SHOWN: dict[str, tuple[str, tuple[int, str]]] = {
    r"supply\.(\w+)": (r"supply \1", (2, "basic")),
    r"track\.start": ("prestige_ahead", (2, "basic")),
    r"track\.length": ("prestige_ahead", (2, "basic")),
    r"track\.prestige\.\d+": ("prestige_ahead", (2, "basic")),
    r"optional\.rubles_per_prestige": ("rules rubles a prestige", (2, "basic")),
    r"optional\.prestige_per_reroll": ("rules prestige a re-roll", (2, "basic")),
    r"market\.rubles_per_extra_step": ("rules rubles a step", (2, "basic")),
    r"market\.tile\.\d+\.(\w+)": (r"market \1", (2, "basic")),
    r"build\.deliveries": ("rules deliveries", (2, "basic")),
    r"player\.inventory_spaces": ("numbers room", (2, "basic")),
    r"player\.starting_rubles\.[01]": ("numbers rubles", (2, "basic")),
    r"player\.starting_rubles\.[23]": ("numbers rubles", (4, "basic")),
    r"player\.(doors|arches|crosses)": (r"works \1", (2, "basic")),
    r"workshop\.basic\.price\.\w+": ("workshop price", (4, "basic")),
    r"workshop\.advanced\.price": ("workshop price", (2, "advanced")),
    r"workshop\.tile\.\d+\.(?!count|any_material)(\w+)": (r"section_tile \1", (2, "basic")),
    r"ornament\.prestige_one_gem": ("rules one gem", (2, "basic")),
    r"ornament\.prestige_two_equal_gems": ("rules two equal gems", (2, "basic")),
    r"ornament\.prestige_two_different_gems": ("rules two different gems", (2, "basic")),
    r"plans\.2\.\d+\.\d+": ("section", (2, "basic")),
    r"plans\.3\.\d+\.\d+": ("section", (3, "basic")),
    r"plans\.4\.\d+\.\d+": ("section", (4, "basic")),
    r"cards\.\w+\.\d+\.cost\.(\w+)": (r"card missing \1", (2, "basic")),
    r"cards\.\w+\.\d+\.(rubles|recognition)": (r"card \1", (2, "basic")),
    r"guilds\..*\.price": ("guild", (2, "basic")),  # the price of a sale is what is received
    r"guilds\..*\.deliver": ("guild deliveries", (2, "basic")),
    r"guilds\..*\.exchange_equal": ("guild each", (2, "basic")),
    r"guilds\..*\.for_any": ("guild gains", (2, "basic")),
    r"guilds\..*\.discard_different": ("guild payments", (2, "basic")),
    r"guilds\..*\.(rubles|recognition|prestige)": (r"guild \1", (2, "basic")),
    r"ending\.prestige_for_ending": ("rules ending prestige", (2, "basic")),
    r"ending\.goods_per_prestige": ("rules goods a prestige", (2, "basic")),
    r"ending\.tower_value_per_section": ("rules section value", (2, "basic")),
    r"ending\.tower_value_per_ornament": ("rules ornament value", (2, "basic")),
    r"ending\.share_divisor": ("rules share divisor", (2, "basic")),
    r"ending\.two_player_share_divisor": ("rules share divisor of two", (2, "basic")),
    r"solo\.recognition": ("ivan_turn card recognition", (1, "basic")),
    r"solo\.materials": ("ivan_turn card materials", (1, "basic")),
    r"solo\.ornament_prestige": ("ivan_turn ornament prestige", (1, "basic")),
}

# Numbers that need not be observed, each with the reason; a test below checks that no other value is valid.
FIXED = {
    r"market\.(spaces|dice_per_space|spaces_per_quadrant)": "the board has 8 spaces, 2 a quadrant, 3 dice to a space",
    r"player\.banners_(in_inventory|spare)": "six banners, two of them for the white slots",
    r"workshop\.tile\.\d+\.count": "one copy for two players, another for more",
    r"workshop\.tile\.\d+\.any_material": "always one",
    r"guilds\..*\.(exchange_any|for_other|activate_workshop)": "always one",
    r"ending\.sections_to_end": "six, all of a player's banners",
}


def matching(patterns: dict[str, Any], path: tuple[Any, ...]) -> list[str]:
    return [pattern for pattern in patterns if re.fullmatch(pattern, text_of(path))]


def with_number(tables: dict[str, Any], path: tuple[Any, ...], value: int | None) -> dict[str, Any]:
    """Return a tree with another number in one place; with None, without that entry of its list."""
    tree = copy.deepcopy(tables)
    place: Any = tree
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    if path[0] == "player" and path[1] in data_file.ORNAMENTS.values():  # words of two other tables depend on it
        kinds = [kind for kind, key in data_file.ORNAMENTS.items() for _ in range(tree["player"][key])]
        tree["workshop"]["advanced"]["ornament"] = dict(zip(data_file.SLOT_KEYS, kinds, strict=False))
        tree["solo"]["ornament_order"] = kinds
    return tree


def candidates(tables: dict[str, Any], path: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Yield trees that differ in that number and, where necessary, in others that it depends on."""
    value: Any = tables
    for key in path:
        value = value[key]
    others: list[tuple[Any, ...]] = []  # numbers that have to change in the opposite direction
    if path[0] == "plans":  # another tower gets the section instead
        others = [(*path[:-1], tower) for tower in range(len(tables["plans"][path[1]][path[2]])) if tower != path[-1]]
    elif path[0] == "player" and path[1] in data_file.ORNAMENTS.values():  # there are four ornaments in all
        others = [("player", key) for key in data_file.ORNAMENTS.values() if key != path[1]]
    for other in others:
        for by in (1, -1):
            opposite = tables[other[0]][other[1]] if len(other) == 2 else tables["plans"][other[1]][other[2]][other[3]]
            yield with_number(with_number(tables, path, value + by), other, opposite - by)
    if others:
        return
    for number in (value + 1, value - 1, *(n for n in range(200) if abs(n - value) > 1)):
        yield with_number(tables, path, number)
        if path[-1] == "for_any":  # the number has to be below that of the materials given
            yield with_number(with_number(tables, path, number), (*path[:-1], "exchange_equal"), 6)
        if path[:2] == ("track", "prestige"):  # the space has to lie between its two neighbours
            yield with_number(tables, path, None)


def other_files(tables: dict[str, Any], path: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Return random valid data files."""
    for candidate in candidates(tables, path):
        try:
            data_file.check(candidate)
        except data_file.DataError:
            continue
        yield candidate


BASE = data_file.load().tables


def test_every_number_is_listed_once() -> None:
    paths = list(numbers_of(BASE))
    assert len(paths) > 350
    for path in paths:
        assert len(matching(SHOWN | FIXED, path)) == 1, text_of(path)
    for pattern in SHOWN | FIXED:
        assert any(re.fullmatch(pattern, text_of(path)) for path in paths), pattern


def test_numbers_that_do_not_show_cannot_be_changed() -> None:
    for path in numbers_of(BASE):
        if matching(FIXED, path):
            assert next(other_files(BASE, path), None) is None, text_of(path)


def observed(rules: Ruleset, later: np.ndarray) -> np.ndarray:
    """Return deals under the ruleset, and these positions, as observed: (2 x games, F) uint8."""
    engine = Engine(rules, len(later), seed=7)
    dealt = engine.observe(seat=0, dtype=np.uint8)
    writeable(engine).view(np.ndarray)[:] = later
    return np.concatenate([dealt, engine.observe(seat=0, dtype=np.uint8)])


@cache
def positions(players: int, workshop: str) -> tuple[np.ndarray, np.ndarray]:
    """Return positions of the base game with markers all along the track, and the observations of them and of deals."""
    rules = Ruleset(players=players, workshop=workshop)
    engine = Engine(rules, 64, seed=7)
    engine.play_random(150)
    later = engine.clone(same_future=True).copy()
    later["track"][:, 0], later["track"][:, 1] = np.arange(64), np.arange(64) + 40
    return later, observed(rules, later)


@pytest.mark.parametrize("pattern", SHOWN)
def test_a_number_of_the_data_file_shows(pattern: str, tmp_path: Path) -> None:
    shown, (players, workshop) = SHOWN[pattern]
    later, plain = positions(players, workshop)
    layout = Ruleset(players=players).observations
    for path in numbers_of(BASE):
        found = re.fullmatch(pattern, text_of(path))
        if not found:
            continue
        entry = found.expand(shown)
        tree = next(other_files(BASE, path), None)
        assert tree is not None, f"{text_of(path)} cannot be changed: give the reason in FIXED"
        numbers = observed(Ruleset(players, workshop, data=written(tree, tmp_path)), later)
        changed = set()
        for piece in layout.pieces:
            part = slice(piece.offset, piece.offset + piece.size)
            differs = (numbers[:, part] != plain[:, part]).reshape(-1, len(piece.entries)).any(axis=0)
            changed |= {
                f"{piece.name} {name}" for name, is_other in zip(piece.entries, differs, strict=True) if is_other
            }
        names = changed | {name.split(" ")[0] for name in changed}
        assert entry in names, f"{text_of(path)}: {entry} does not change, {sorted(changed)[:5]} change"
