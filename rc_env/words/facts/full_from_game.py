"""Reads facts of the full game from a GAME record, using its fields and the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.ruleset import Ruleset

from ...rules.expansion.builders import CARD_PIECES, FROM_CARD
from ...rules.expansion.reinforcements import LEFT
from ...rules.expansion.specialists import DELIVERY_LEFT, MATERIAL_LEFT
from ...rules.points import (
    BOTH_BEGUN,
    BOTH_LEFT,
    EFFECT,
    EXTRA_LEFT,
    EXTRA_USED,
    GAIN_FROM,
    HIRE_CITY,
    INFLUENCE_CHOSEN,
    NO_POINT,
    PLACE_FREE,
    POINT,
    REFUSABLE,
    SECTION_SLOT,
    TAKE_MATERIAL,
    TAKE_PIECES,
    TILE_LEFT,
    TILE_USED,
    WAY,
    Point,
)
from ...rules.printed import expansion_vocabulary, vocabulary
from ...rules.printed.expansion_vocabulary import BY_TILE, FALSE_PLANS
from ...rules.printed.sizes import (
    ALL_DIE_NAMES,
    CITY_NAMES,
    KINDS,
    MATERIAL_NAMES,
    REINFORCEMENT_NAMES,
    SIDES,
    SLOT_NAMES,
    SPECIAL_KIND,
    SPECIAL_NAMES,
    TILE_EFFECT,
)
from ...rules.state import PLAYING
from ..notation import amounts
from .common import Facts, guild_action
from .contractors_from_game import add_contractors
from .full import OPENED, way

_CHOICES = (Point.RESOURCE, Point.INFLUENCE, Point.PLAYER, Point.SECTION)  # points whose frame says what they are about


def add_full(ruleset: Ruleset, g: Mapping[str, Any], seat: int, facts: Facts) -> None:
    """Add the facts of the full game to those of the base game."""
    cards = [card for kind in KINDS for card in ruleset.data_file.tables["cards"][kind]]
    drawn = [cards[number] for number in g["drawn_card"] if number >= 0]
    own = g["status"] == PLAYING and g["seat"] == seat
    facts["full"] = {
        "decision": _decision(ruleset, g),
        "diamonds": g["diamond_supply"],
        "foreman": g["foreman"] + 1 if g["foreman"] >= 0 else None,
        "builders": {"deck": g["builder_deck"].bit_count(), "discards": g["discards"]},
        "contract_deck": g["contracts_left"],
        "contracts": [number + 1 for number in g["hand"][seat] if number >= 0],
        "drawn_contracts": sorted(number + 1 for number in g["drawn_contract"] if number >= 0 and own),
        "drawn_cards": [{name: card[name] for name in ("cost", "rubles", "recognition")} for card in drawn],
        "drawn_left": amounts(g["drawn_left"]),
        "reinforcements": _reinforcements(g, LEFT),
        "rules": _rules(ruleset),
    }
    for column, first in zip(facts["towers"], g["first"], strict=False):
        for level, section in enumerate(column["sections"]):
            section["diamonds"] = g["card_diamonds"][first + level]
    for other, row in enumerate(facts["seats"]):
        row["diamonds"] = g["diamonds"][other]
        row["contracts"] = sum(number >= 0 for number in g["hand"][other])
        row["reinforcements"] = _reinforcements(g, other)
        row["special"] = SPECIAL_NAMES[g["special"][other]] if g["special"][other] >= 0 else None
    if ruleset.contractors:
        add_contractors(ruleset, g, facts)


def slot_tile(tiles: Sequence[str], kind: int) -> str:
    """A workshop tile by its kind: the special ones follow those of the data file."""
    return f"special:{SPECIAL_NAMES[kind - SPECIAL_KIND]}" if kind >= SPECIAL_KIND else tiles[kind]


def full_actions(base: Sequence[Any], ruleset: Ruleset, influence: Sequence[int]) -> list[list[Facts]]:
    """The two actions of the guild card in each quadrant, `base` being the cards of the base game."""
    assert ruleset.expansion_file is not None
    more = [card for cards in ruleset.expansion_file.tables["guilds"].values() for card in cards]
    found = []
    for number in influence:
        card = base[number] if number < len(base) else more[number - len(base)]
        columns = vocabulary.action_columns if number < len(base) else _form_columns
        found.append([_action(columns(action)) for action in card])
    return found


def _form_columns(action: Mapping[str, Any]) -> Facts:
    return expansion_vocabulary.form_columns(action, vocabulary.empty())


def _action(columns: Facts) -> Facts:
    """The columns of an action that are not 0: those of the base game, and those that the full game adds."""
    columns = expansion_vocabulary.NOTHING | columns
    paid = [*MATERIAL_NAMES, "diamond"]
    found = guild_action({name: value for name, value in columns.items() if name in vocabulary.empty()})
    opened = Point(columns["opens"]).name.lower() if columns["opens"] != NO_POINT else None
    more: Facts = {
        "price_recognition": columns["price_recognition"],
        "fixed": {m: n for m, n in zip(paid, [*columns["fixed"], columns["fixed_diamonds"]], strict=True) if n},
        "in_order": bool(columns["ordered"]),
        "diamonds": columns["diamonds"],
        "opens": opened if opened in OPENED else None,
        "then_material": bool(columns["then_material"]),
        "to_player": columns["to_player"],
        "from_player": columns["from_player"],
        "divisor": columns["divisor"] if columns["divisor"] > 1 else 0,
        "price_permits": columns["price_permits"],
        "permits": columns["permits"],
        "per_contractor": _PER_CONTRACTOR.get(columns["contractors"]),
        "die": ALL_DIE_NAMES[columns["die"]] if columns["die"] >= 0 else None,
    }
    if opened:
        more |= {"way": way(opened, columns["mode"]), "count": columns["count"]}
    if "tiles" in found:
        more |= {"way": way("tile", columns["mode"]), "count": columns["tiles"]}
        found["tiles"] = 1
    return found | {name: value for name, value in more.items() if value}


_PER_CONTRACTOR = {number: word for word, number in expansion_vocabulary.PER_CONTRACTOR.items()}


def _decision(ruleset: Ruleset, g: Mapping[str, Any]) -> Facts:
    nothing: Facts = dict.fromkeys(("way", "slot", "player", "serves", "city"))
    nothing |= dict.fromkeys(("used", "left", "pieces"), 0)
    nothing |= dict.fromkeys(("free", "may_refuse", "resource", "chosen", "material_due", "delivery_due"), False)
    nothing |= {"reinforced": bool(g["reinforced"])}
    if g["status"] != PLAYING:
        return nothing
    frame = g["stack"][g["depth"] - 1]
    point, effect = Point(frame[POINT]), frame[EFFECT]
    if point == Point.INFLUENCE and frame[WAY] == BY_TILE:
        effect = frame[INFLUENCE_CHOSEN] - 1
    found = nothing | {"serves": _serves(g, effect)}
    match point:
        case Point.TILE:
            mode = int(ruleset.rules[0].effect_mode[effect]) if effect >= 0 else 0
            used = SLOT_NAMES[frame[TILE_USED] - 1] if frame[TILE_USED] else None
            return found | {"way": way("tile", mode), "left": frame[TILE_LEFT], "slot": used}
        case Point.EXTRA:
            mode = int(ruleset.rules[0].effect_mode[effect])
            return found | {"way": way("extra", mode), "left": frame[EXTRA_LEFT], "used": frame[EXTRA_USED]}
        case Point.PLACE:
            return found | {"free": bool(frame[PLACE_FREE])}
        case Point.GAIN if frame[GAIN_FROM]:
            return found | {"player": frame[GAIN_FROM] - 1}
        case Point.TAKE if frame[TAKE_MATERIAL] == FROM_CARD:
            pieces = frame[TAKE_PIECES] % CARD_PIECES
            return found | {"pieces": pieces, "resource": frame[TAKE_PIECES] < CARD_PIECES}
        case Point.HIRE:
            return found | {"city": CITY_NAMES[frame[HIRE_CITY]]}
        case Point.BOTH:
            due = {
                "material_due": bool(frame[BOTH_LEFT] & MATERIAL_LEFT),
                "delivery_due": bool(frame[BOTH_LEFT] & DELIVERY_LEFT),
            }
            return found | due | {"may_refuse": bool(frame[BOTH_BEGUN])}
    if point not in _CHOICES:
        return found
    found["way"] = way(point.name.lower(), frame[WAY])
    if point == Point.SECTION:
        return found | {"slot": SLOT_NAMES[frame[SECTION_SLOT]] if frame[WAY] == FALSE_PLANS else None}
    by_tile = point == Point.INFLUENCE and frame[WAY] == BY_TILE
    return found | {"may_refuse": frame[REFUSABLE] > 0, "chosen": by_tile and frame[INFLUENCE_CHOSEN] > 0}


def _serves(g: Mapping[str, Any], effect: int) -> list[int] | None:
    """The quadrant from 0 and the action from 1 of an effect of a guild card."""
    card, side = divmod(effect, SIDES)
    return [g["influence"].index(card), side + 1] if 0 <= effect < TILE_EFFECT else None


def _reinforcements(g: Mapping[str, Any], holder: int) -> list[str]:
    return [name for name, where in zip(REINFORCEMENT_NAMES, g["reinforcement"], strict=True) if where == holder]


def _rules(ruleset: Ruleset) -> Facts:
    assert ruleset.expansion_file is not None
    tables = ruleset.expansion_file.tables
    tiles, special = tables["reinforcements"], tables["special_tiles"]
    return {
        "foreman recognition": tables["foreman"]["recognition_for_section"],
        "foreman penalty": tables["foreman"]["penalty_per_section"],
        "reinforcement rubles": tiles["rubles"]["rubles"],
        "reinforcement recognition": tiles["recognition"]["recognition"],
        "reinforcement deliver": tiles["deliver"]["deliver"],
        "reinforcement materials": tiles["materials"]["any_material"],
        "special diamonds": special["diamond"]["diamonds"],
        "special rubles": special["material"]["rubles"],
    }
