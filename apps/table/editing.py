"""A position that is changed by hand: goods, rubles, markers, dice, market tiles, deliveries, and whose turn it is.

Where a turn begins banners, finished sections, ornaments and workshop tiles can be changed, too (`editing_cathedral`).
What follows from these is computed again (the supply, what sections miss, what towers are worth), and the whole is then
checked as every game from outside is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import Engine, Ruleset, checks, validation
from rc_env.apps.table.editing_cathedral import SECTION, SLOT, Cathedral, banners_of, sections_of, workshops_of
from rc_env.record import Record
from rc_env.record.start import position_to_dict
from rc_env.rules.printed.sizes import COLOURS, DICE_PER_SPACE, MATERIAL_NAMES, MATERIALS, SPACES
from rc_env.words.notation import die_names, fields, names, of_ivan, section_name, towers

PARTS = ("dice", "market", "seats", "delivered", "sections", "workshops", "turn_of")
BANNERS = "banners"
MOST = 999
"""The most rubles of a seat, and spaces on its track, more than twelve times round the board: no game comes near, and
there is room to play on."""
GOODS = ("rubles", "track", *MATERIAL_NAMES, BANNERS)
"""What can be changed of a seat, the banners in its inventory only where a turn begins; Ivan's goods are none of
them."""


def editable(ruleset: Ruleset, game: np.void) -> dict[str, Any]:
    """What can be changed of a position, as it is: what `edited` takes.

    Args:
        ruleset: the variant.
        game: a GAME record.
    """
    g = fields(game)
    market, known = names(ruleset).market, die_names(ruleset)
    found: dict[str, Any] = {
        "dice": {die: {"space": g["die_space"][i], "value": g["die_value"][i]} for i, die in enumerate(known)},
        "market": [market[tile] for tile in g["market"]],
        "seats": [
            {"rubles": g["rubles"][seat], "track": g["track"][seat]}
            | {material: g["goods"][seat][i] for i, material in enumerate(MATERIAL_NAMES)}
            for seat in range(ruleset.players)
        ],
        "delivered": {
            section_name(t, level): _delivered(ruleset, g, section)
            for t, sections in enumerate(towers(g))
            for level, section in enumerate(sections)
            if g["owner"][section] >= 0 and not g["finished"][section] and not of_ivan(ruleset, g, section)
        },
    }
    if turn_begins(ruleset, game):
        found |= {"sections": sections_of(ruleset, game), "workshops": workshops_of(ruleset, game)}
        for seat, one in enumerate(found["seats"]):
            one[BANNERS] = banners_of(game, seat)
        if ruleset.players > 1:
            found["turn_of"] = COLOURS[g["seat"]]
    return found


def turn_begins(ruleset: Ruleset, game: np.void) -> bool:
    """Whether a turn has just begun, so that no open decision is about what lies on the board."""
    points = ruleset.build.points
    return bool(game["depth"] == 1 and game["stack"][0, points.POINT] == points.Point.START)


def mark_of(game: np.void) -> str:
    """A word that stands for a position: another one after anything has changed in it, whatever was undone before."""
    position = json.dumps(position_to_dict(game))
    return f"{game['decisions']}-{sha256(position.encode()).hexdigest()[:16]}"


def _cost(ruleset: Ruleset, card: int) -> dict[str, int]:
    kind, number = names(ruleset).cards[card].split("/")
    return dict(ruleset.tables["cards"][kind][int(number) - 1]["cost"])


def _delivered(ruleset: Ruleset, g: Mapping[str, Any], section: int) -> dict[str, int]:
    cost = _cost(ruleset, g["number"][section])
    return {m: n - g["card"][section][MATERIAL_NAMES.index(m)] for m, n in cost.items()}


def edited(ruleset: Ruleset, game: np.ndarray, changes: Any) -> np.ndarray:
    """A position with changes.

    Args:
        ruleset: the variant.
        game: (1,) GAME, the position before.
        changes: any parts of what `editable` gives; what is left out stays.

    Returns:
        (1,) GAME, checked.

    Raises:
        ValueError: a change is none, or the box does not hold what would lie there.
    """
    asked = _object("changes", changes, PARTS)
    before = editable(ruleset, game[0])
    made = np.array(game)
    g = made[0]
    _dice(g, _object("dice", asked.get("dice", {}), before["dice"]), die_names(ruleset))
    if "market" in asked:
        tiles = names(ruleset).market
        if not isinstance(asked["market"], list) or sorted(map(str, asked["market"])) != sorted(before["market"]):
            checks.refuse("market", asked["market"], "the eight tiles of the market in another order")
        free = list(range(SPACES))
        for space, word in enumerate(asked["market"]):
            tile = next(tile for tile in free if tiles[tile] == word)
            free.remove(tile)
            g["market"][space] = tile
    supply = g["supply"].astype(int)
    seats = _seats_of(asked.get("seats", []), before["seats"])
    sections = [section_name(t, level) for t, there in enumerate(towers(fields(g))) for level in range(len(there))]
    if changed := _cathedral(asked, seats, before, sections):
        Cathedral(ruleset, g, supply[:MATERIALS]).change(*changed)
    _seats(g, supply, seats)
    unfinished = editable(ruleset, g)["delivered"]
    for name, given in _object("delivered", asked.get("delivered", {}), unfinished).items():
        tower, level = map(int, name.split("."))
        section = int(g["first"][tower - 1]) + level - 1
        _deliver(g, supply, section, name, given, _cost(ruleset, int(g["number"][section])))
    for material, left in zip(MATERIAL_NAMES, supply.tolist(), strict=False):
        if left < 0:
            raise ValueError(f"there would be {-left} {material.replace('_', ' ')} more than the box holds")
    g["supply"] = supply
    if "turn_of" in asked:
        if "turn_of" not in before:
            raise ValueError("turn_of can be changed only where a turn begins, with two players or more")
        g["seat"] = COLOURS.index(checks.one_of("turn_of", asked["turn_of"], COLOURS[: ruleset.players]))
    g["version"] += 1
    _checked(ruleset, made)
    return made


def begun_with(record: Record, position: np.ndarray) -> Record:
    """The record of a game that begins with a position, by the variant and the deal of another one.

    Args:
        record: of the other game.
        position: (1,) GAME.
    """
    header = {**record.header, "position": position_to_dict(position[0])}
    about = {"seat": 0, "bots": [""] * (record.ruleset.players - 1)}
    return Record(header, [], {}, record.ruleset, record.name, {}, about, [])


def _checked(ruleset: Ruleset, made: np.ndarray) -> None:
    """Check a position as every game from outside is."""
    try:
        Engine(ruleset).restore(made)
    except validation.ImpossibleGame as error:
        reason = str(error).partition(" is impossible: ")[2] or str(error)
        raise ValueError(f"this cannot lie there: {reason}") from None


def _object(where: str, found: Any, known: Any) -> dict[str, Any]:
    made = dict(checks.instance(where, found, dict, "an object"))
    for key in made:
        if key not in known:
            raise ValueError(f"{where}: there is no {checks.shown(key)} here; there are {', '.join(known) or 'none'}")
    return made


def _dice(g: np.void, dice: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for die, given in dice.items():
        entry, i = _object(f"dice.{die}", given, ("space", "value")), known.index(die)
        if "space" in entry:
            g["die_space"][i] = checks.whole_number(f"dice.{die}.space", entry["space"], 0, SPACES - 1)
        if "value" in entry:
            g["die_value"][i] = checks.whole_number(f"dice.{die}.value", entry["value"], 1, 6)
    crowd = (g["die_space"][: len(known), None] == np.arange(SPACES)).sum(0)
    if crowd.max() > DICE_PER_SPACE:
        space = int(crowd.argmax())
        raise ValueError(f"there would be {crowd[space]} dice on space {space}, which holds at most {DICE_PER_SPACE}")
    g["crowd"] = crowd


def _seats_of(seats: Any, before: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is to be changed of each seat."""
    if not isinstance(seats, list) or len(seats) > len(before):
        checks.refuse("seats", seats, f"a list of at most {len(before)} objects")
    return [_object(f"seats.{COLOURS[seat]}", given, before[seat]) for seat, given in enumerate(seats)]


def _cathedral(
    asked: Mapping[str, Any], seats: list[dict[str, Any]], before: Mapping[str, Any], sections: list[str]
) -> tuple[dict[str, dict[str, Any]], dict[int, dict[str, dict[str, Any]]], dict[int, Any]] | None:
    """What `Cathedral.change` takes, of what differs from the position before; None if nothing does.

    Raises:
        ValueError: something is to be changed that cannot be here.
    """
    for part in ("sections", "workshops"):
        if part in asked and part not in before:
            raise ValueError(f"{part} can be changed only where a turn begins")
    if "sections" not in before:
        return None
    there = before["sections"]
    given = {
        name: _differing(_object(f"sections.{name}", one, SECTION), there.get(name, {}))
        for name, one in _object("sections", asked.get("sections", {}), sections).items()
    }
    workshops = asked.get("workshops", [])
    if not isinstance(workshops, list) or len(workshops) > len(before["workshops"]):
        checks.refuse("workshops", workshops, f"a list of at most {len(before['workshops'])} objects")
    slots = {}
    for seat, (one, known) in enumerate(zip(workshops, before["workshops"], strict=False)):
        where = f"workshops.{COLOURS[seat]}"
        slots[seat] = {
            slot: _differing(_object(f"{where}.{slot}", what, SLOT), known[slot])
            for slot, what in _object(where, one, known).items()
        }
    banners = {
        seat: one[BANNERS]
        for seat, one in enumerate(seats)
        if BANNERS in one and not _same(one[BANNERS], before["seats"][seat][BANNERS])
    }
    given = {name: one for name, one in given.items() if one}
    slots = {
        seat: found for seat, one in slots.items() if (found := {slot: what for slot, what in one.items() if what})
    }
    return (given, slots, banners) if given or slots or banners else None


def _differing(given: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """What of an object is not as before."""
    return {name: value for name, value in given.items() if name not in before or not _same(value, before[name])}


def _same(value: object, before: object) -> bool:
    """Whether two values are equal, and of one type: JSON knows true and 1."""
    return type(value) is type(before) and value == before


def _seats(g: np.void, supply: NDArray[np.int64], seats: list[dict[str, Any]]) -> None:
    """Set what seats have; what they get more or less of materials comes from the supply, or goes there."""
    for seat, given in enumerate(seats):
        for name, value in given.items():
            where = f"{name} of {COLOURS[seat]}"
            if name == BANNERS:
                continue
            if name in ("rubles", "track"):
                g[name][seat] = checks.whole_number(where, value, 0, MOST)
            else:
                i = MATERIAL_NAMES.index(name)
                wanted = checks.whole_number(where, value, 0, 60)
                supply[i] += int(g["goods"][seat, i]) - wanted
                g["goods"][seat, i] = wanted


def _deliver(
    g: np.void, supply: NDArray[np.int64], section: int, name: str, given: Any, cost: Mapping[str, int]
) -> None:
    for material, value in _object(f"delivered.{name}", given, cost).items():
        i = MATERIAL_NAMES.index(material)
        there = checks.whole_number(f"{material} on section {name}", value, 0, cost[material])
        before = cost[material] - int(g["card"][section, i])
        supply[i] += before - there
        g["card"][section, i] = cost[material] - there
    if not g["card"][section, :MATERIALS].any():
        raise ValueError(f"section {name} would miss nothing: leave a material out, or say that it is finished")
