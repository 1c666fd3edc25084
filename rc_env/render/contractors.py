"""The facts of the module Contractors for pictures: permits, contractors, cities, specialists and tools.

`add` puts these facts into a view, beside those of `expansion.add`; a game without the module lacks them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.render.amounts import amount_words
from rc_env.rules.expansion.specialists import DELIVERY_LEFT, MATERIAL_LEFT
from rc_env.rules.points import BOTH_LEFT, HIRE_CITY, TILE_LEFT, WAY, Point
from rc_env.rules.printed import specialist_vocabulary
from rc_env.rules.printed.expansion_vocabulary import ANY_TWO_TILES, CONTRACTORS
from rc_env.rules.printed.sizes import CITY_NAMES, SPECIALISTS
from rc_env.ruleset import Ruleset

Facts = dict[str, Any]


def has_module(shown: Facts) -> bool:
    """Whether the game is played with the module Contractors."""
    return "cities" in shown


def add(ruleset: Ruleset, g: Mapping[str, Any], shown: Facts) -> None:
    """Add the module's facts to a view that `expansion.add` has extended.

    In the view: `cities`, in the order of `sizes.CITY_NAMES`, each with name, open, slots, tower (from 0 or None), sent
    (by seat) and price (permits for the next contractor); `offer`, the specialist on each slot or None; `bag`, how many
    are left; `row`, the bonus of each place of a row of contractors; `permits_most`, `hire_price`, `permit_price`;
    `tools_prestige` by the size of a group; `marker`, the tower of Ivan's city marker or None; permits in `supply`;
    `city` of each tower. In seats: `permits`, `contractors` (left in the row), `specialist` or None, `tools` (groups of
    names) and `tools_prestige`.

    Args:
        ruleset: the variant, with the module.
        g: the fields of the GAME record.
        shown: the view, which is extended in place.
    """
    assert ruleset.expansion_file is not None
    tables, every = ruleset.expansion_file.tables, specialists(ruleset)
    over = {city: tower for tower, city in enumerate(g["city_over"]) if city >= 0}
    shown["cities"] = [
        {
            "name": name,
            "open": bool(g["city_open"][city]),
            "slots": tables["cities"][name],
            "tower": over.get(city),
            "sent": g["sent"][city][: ruleset.seats],
            "price": sum(g["sent"][city][: ruleset.seats]) + 1,
        }
        for city, name in enumerate(CITY_NAMES)
    ]
    for city, tower in over.items():
        shown["towers"][tower]["city"] = shown["cities"][city]
    shown["offer"] = [every[tile] if tile >= 0 else None for tile in g["offer"]]
    shown["bag"] = g["bag"].bit_count()
    shown["row"] = tables["hire"]["bonus"]
    shown["permits_most"], shown["hire_price"] = tables["player"]["permits_most"], tables["hire"]["rubles"]
    shown["permit_price"] = tables["optional"]["prestige_per_permit"]
    shown["tools_prestige"] = tables["tools"]["prestige"]
    shown["marker"] = g["ivan_tower"] if ruleset.solo else None
    shown["supply"]["permits"] = g["permit_supply"]
    for seat, row in enumerate(shown["seats"]):
        held, turned = g["specialist"][seat], g["tools"][seat]
        tools = [every[tile]["tool"] for tile in range(SPECIALISTS) if turned >> tile & 1]
        row["permits"], row["contractors"] = g["permits"][seat], g["contractors"][seat]
        row["specialist"] = every[held] if held >= 0 else None
        row["tools"] = grouped(tools, tables["tools"]["names"])
        row["tools_prestige"] = sum(shown["tools_prestige"][len(group) - 1] for group in row["tools"])


def specialists(ruleset: Ruleset) -> list[Facts]:
    """Each specialist: number from 1, tool, words, kind, columns of its effect, and the tile as it is printed."""
    assert ruleset.expansion_file is not None
    return [
        {
            "number": number,
            "tool": tile["tool"],
            "words": specialist_vocabulary.words(tile),
            "kind": specialist_vocabulary.form_of(tile)[0],
            "columns": ruleset.build.specialist_vocabulary.columns(tile),
            "printed": tile,
        }
        for number, tile in enumerate(ruleset.expansion_file.tables["specialists"]["tiles"], 1)
    ]


def grouped(tools: Sequence[str], names: Sequence[str]) -> list[list[str]]:
    """Group tools so that those of a group differ; each group in turn is as large as possible (R-59)."""
    most = max((tools.count(name) for name in names), default=0)
    return [[name for name in names if tools.count(name) > group] for group in range(most)]


def specialist_words(tile: Facts) -> str:
    """A specialist in words: `gain 2 green gem (plumb, no. 17)`."""
    return f"{tile['words']} ({tile['tool']}, no. {tile['number']})"


def city_text(city: Facts) -> str:
    """A city's price in words: `open, asks 3 permits`, or `closed`."""
    return f"open, asks {city['price']} permit{'s' * (city['price'] > 1)}" if city["open"] else "closed"


def bonus_text(bonus: Mapping[str, int]) -> str:
    """The bonus of a place in the row of contractors: `2 rubles`, `any material`, or `no bonus`."""
    words = [
        "any material" if (name, n) == ("any_material", 1) else amount_words(n, name) for name, n in bonus.items() if n
    ]
    return " and ".join(words) or "no bonus"


def tools_text(groups: Sequence[Sequence[str]]) -> str:
    """Groups of tools in words, such as `hammer saw, hammer`; `-` for none."""
    return ", ".join(" ".join(group) for group in groups) or "-"


def next_bonus(shown: Facts, left: int) -> Mapping[str, int] | None:
    """The bonus of the next contractor, given how many are left; None with none left."""
    return shown["row"][len(shown["row"]) - left] if left else None


def refill_text(draw: Mapping[str, Any]) -> str:
    """A slot that was refilled, in words: `specialist 17 on slot 2`."""
    if draw["specialist"] is None:
        return f"nothing for slot {draw['slot']}"
    return f"specialist {draw['specialist']} on slot {draw['slot']}"


def served(ruleset: Ruleset, effect: int) -> str:
    """The words of the specialist that has this effect, or ""."""
    tile = effect - ruleset.build.sizes.SPECIALIST_EFFECT
    return specialist_words(specialists(ruleset)[tile]) if ruleset.contractors and tile >= 0 else ""


def waiting(shown: Facts) -> str | None:
    """The subject of a decision point of the module in words; None for other points."""
    decision = shown["decision"]
    point, frame = decision["point"], decision["frame"]
    match point:
        case Point.HIRE:
            return f"a specialist of {CITY_NAMES[frame[HIRE_CITY]].capitalize()} to engage or to dismiss"
        case Point.BOTH:
            left = frame[BOTH_LEFT]
            parts = ["any material"] * bool(left & MATERIAL_LEFT) + ["a delivery"] * bool(left & DELIVERY_LEFT)
            return " or ".join(parts) + (", in either order" if len(parts) > 1 else "")
        case Point.SPEND:
            return f"rubles to spend for recognition, {decision.get('most', 0)} at most"
        case Point.DISCARD:
            return f"an ornament to discard, for {decision.get('worth', 0)} prestige"
        case Point.CLAIM:
            return "a section to claim, by the specialist"
        case Point.TILE if decision["mode"] == ANY_TWO_TILES:
            return f"a workshop tile to activate, {frame[TILE_LEFT]} left"
        case Point.PLAYER if frame[WAY] == CONTRACTORS:
            return "another player, whose contractors are counted"
    return None
