"""Makes rows of icons for guild actions: costs, an arrow, gains.

`guild_icons` reads the columns of an action, so that a guild which a data file changes is drawn as it is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.rules.points import NO_POINT, Point
from rc_env.rules.printed import expansion_vocabulary as forms
from rc_env.rules.printed.sizes import MATERIAL_NAMES

Icon = tuple[str, float]  # a piece or a word, and its width


def guild_icons(columns: Mapping[str, Any]) -> list[Icon]:
    """Icons and numbers for a guild action, given as `vocabulary.action_columns`: costs, an arrow, gains.

    Every column of `COLUMNS` and `MATERIAL_COLUMNS` that a guild action can have has its pieces here.
    """
    trade = columns["payments"] > 0 and columns["gains"] > 0
    asked, given = [*count_icons(columns["price"], "rubles"), *_more_asked(columns)], []
    if columns["payments"] == 1 and columns["each"] == 1:
        asked += [*_number(1, trade), *_choice(columns["pay_from"])]
    elif columns["payments"]:
        piece, number = ("same", columns["each"]) if columns["payments"] == 1 else ("different", columns["payments"])
        asked += [*_number(number), *([(piece, 19.0)] if all(columns["pay_from"]) else _choice(columns["pay_from"]))]
    if columns["condition"]:
        asked.append(("each", 14.0))
    for received in ("rubles", "recognition", "prestige"):
        given += count_icons(columns[received], received)
    if columns["gains"]:
        other = trade and columns["each"] == 1  # in a trade of one for one: another material
        given += [
            *_number(columns["gains"], trade),
            *_choice(columns["gain_from"], "different" if other else "any_material"),
        ]
    given += count_icons(columns["deliveries"], "delivery")
    given += [("workshop", 18.0)] * (0 if _gives_tiles(columns) else columns["tiles"])
    given += [("swap", 22.0)] * columns["swaps"] + _more_given(columns)
    end: list[Icon] = [("unlimited", 18.0)] * columns["unlimited"]
    return [*asked, *([("arrow", 13.0)] if asked else []), *given, *end]


def _number(number: int, always: bool = True) -> list[Icon]:
    """A number as an icon; 1 is left out unless `always` is set."""
    return [(str(number), 9.0)] if always or number > 1 else []


def count_icons(number: int, piece: str) -> list[Icon]:
    """A number of pieces, if there are any."""
    return [*_number(number), (piece, 19.0)] if number else []


def _count_from_two(number: int, piece: str) -> list[Icon]:
    """Like `count_icons`, without a number before a single piece."""
    return [*_number(number, False), (piece, 19.0)] if number else []


def _choice(materials: Sequence[int], every: str = "any_material") -> list[Icon]:
    """The materials that have a 1, or one piece that stands for all of them."""
    if all(materials):
        return [(every, 18.0)]
    return [(material, 17.0) for material, n in zip(MATERIAL_NAMES, materials, strict=True) if n]


# --- what only actions of the expansion have


def _more_asked(columns: Mapping[str, Any]) -> list[Icon]:
    """Icons of costs that only actions of the expansion have."""
    if "opens" not in columns:  # an action of the base game
        return []
    asked = _count_from_two(columns["price_recognition"], "recognition") + _count_from_two(
        columns["to_player"], "rubles"
    )
    asked += _count_from_two(columns["price_permits"], "permits")
    for material, number in zip(MATERIAL_NAMES, columns["fixed"], strict=True):
        asked += _count_from_two(number, material)
    return (
        asked
        + _count_from_two(columns["fixed_diamonds"], "diamond")
        + _count_from_two(columns["to_player"] and 1, "player")
    )


def _more_given(columns: Mapping[str, Any]) -> list[Icon]:
    """Icons of gains that only actions of the expansion have."""
    if "opens" not in columns:
        return []
    given = _count_from_two(columns["diamonds"], "diamond") + _count_from_two(columns["from_player"], "prestige")
    given += _count_from_two(columns["permits"], "permits") + [_BLACK_DIE] * (columns["die"] >= 0)
    if columns["contractors"]:
        piece = "rubles" if columns["contractors"] == forms.PER_RUBLES else "permits"
        whose: list[Icon] = [("player", 15.0)] if columns["opens"] == Point.PLAYER else []
        return [*given, (piece, 19.0), ("per", 7.0), *whose, ("any_contractor", 19.0)]
    if columns["tiles"]:
        return given + _TILES[columns["mode"]]
    if columns["opens"] != NO_POINT:
        given += _opened(Point(columns["opens"]), columns)
    return given


def _gives_tiles(columns: Mapping[str, Any]) -> bool:
    """Whether the workshop tiles that an action activates are drawn by `_more_given`."""
    return "opens" in columns and bool(columns["tiles"])


_WORKSHOP, _TIMES, _DIE, _BLACK_DIE = ("workshop", 18.0), ("times", 9.0), ("any_die", 18.0), ("black_die", 18.0)
_TILES: dict[int, list[Icon]] = {
    forms.OWN_TILE: [_WORKSHOP],
    forms.ANOTHERS_TILE: [("player", 15.0), _WORKSHOP],
    forms.SAME_TILE: [("2", 9.0), _TIMES, _WORKSHOP],
    forms.TWO_TILES: [_WORKSHOP, ("unequal", 11.0), _WORKSHOP],
    forms.ANY_TWO_TILES: [("2", 9.0), _TIMES, _WORKSHOP],
    forms.GIVEN_TILE: [_WORKSHOP, ("swap", 22.0), ("section", 18.0)],
}


def _opened(point: Point, columns: Mapping[str, Any]) -> list[Icon]:
    """The decision point that an action opens.

    Raises:
        ValueError: no action opens it.
    """
    mode, number = columns["mode"], columns["count"]
    match point:
        case Point.FOREMAN:
            unit = "recognition" if mode & forms.PER_RECOGNITION else "rubles"
            whose: list[Icon] = [("player", 15.0)] if mode & forms.OF_OTHER else []
            steps: list[Icon] = [("foreman", 17.0), (str(number), 9.0), ("arrow", 13.0)]
            return [*steps, (unit, 19.0), ("per", 7.0), *whose, ("any_banner", 17.0)]
        case Point.EXTRA:
            market: Icon = ("market", 19.0)
            if mode == forms.ONE_ACTION:
                more: list[Icon] = [("plus", 10.0), ("any_material", 18.0)]
                return [market, *(more if columns["then_material"] else [])]
            return [("2", 9.0), _TIMES, market] if mode == forms.SAME_ACTION else [market, ("unequal", 11.0), market]
        case Point.KEEP:
            return [("3", 9.0), ("contract", 16.0), ("arrow", 13.0), ("1", 9.0), ("contract", 16.0)]
        case Point.RESOURCE:
            if mode == forms.ANY_DIE:
                return [_DIE]
            return [("tile", 18.0), *([_TIMES, _DIE] if mode == forms.TIMES_DICE else [])]
        case Point.INFLUENCE:
            return [("guild", 18.0)]
        case Point.CARD:
            card: list[Icon] = [("cathedral_card", 17.0), ("2", 9.0), ("any_material", 18.0)]
            return [*card, ("plus", 10.0), card[0], ("1", 9.0), card[2]] if number == 2 else card
        case Point.SECTION:
            if mode == forms.SECTION_RUBLES:
                return [("section", 18.0), ("rubles", 19.0)]
            return [("section", 18.0), (f"1/{columns['divisor']}", 22.0), ("recognition", 19.0)]
        case Point.REINFORCEMENT:
            return [("reinforcement", 20.0)]
        case Point.PLAYER:
            return [] if mode == forms.RUBLES else [("player", 15.0), ("different", 18.0)]
        case Point.BOTH:
            return [("any_material", 18.0), ("plus", 10.0), ("delivery", 19.0)]
        case Point.SPEND:
            spent: list[Icon] = [(f"1-{number}", 24.0), ("rubles", 19.0), ("arrow", 13.0)]
            return [*spent, *_count_from_two(columns["worth"], "recognition"), ("per", 7.0), ("rubles", 19.0)]
        case Point.DISCARD:
            return [("any_ornament", 19.0), ("arrow", 13.0), *count_icons(columns["worth"], "prestige")]
        case Point.CLAIM:
            return [("any_banner", 17.0), ("arrow", 13.0), ("section", 18.0)]
    raise ValueError(f"point must be one that an effect opens, not {point.name}")
