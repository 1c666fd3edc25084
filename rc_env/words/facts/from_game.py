"""Reads facts from a GAME record, using its fields and the data file but not the layout of the vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rc_env import checks
from rc_env.arguments import ONE_GAME, one_game
from rc_env.ruleset import Ruleset

from ...layout.subjects import seats
from ...rules.expansion.builders import FROM_CARD
from ...rules.points import (
    BUILD_BEGUN,
    BUILD_LEFT,
    GAIN_EXCEPT,
    GAIN_LEFT,
    GEMS_SECTION,
    IVAN_CHOICE,
    PAY_FROM,
    PAY_LEFT,
    PLACE_SECTION,
    PLAYER_GIVEN,
    POINT,
    REFUSABLE,
    TAKE_MATERIAL,
    TAKE_MOST,
    WAY,
    Point,
)
from ...rules.printed.data_file import SLOT_KEYS
from ...rules.printed.expansion_vocabulary import EXCHANGE
from ...rules.printed.sizes import (
    ADORNED,
    ALL_DIE_NAMES,
    ANY,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CLAIMED,
    COLOURS,
    FINISHED,
    KINDS,
    MATERIAL_NAMES,
    MATERIALS,
    ORNAMENT_NAMES,
    RECOGNITION,
    RUBLES,
    SLOT_NAMES,
    SPACES,
)
from ...rules.printed.vocabulary import action_columns
from ...rules.solo.ivan import CLAIMS, CONSTRUCTION, INVENTORY, MISSES
from ...rules.solo.ivan import SEAT as IVANS_SEAT
from ...rules.state import PLAYING
from ..notation import amounts, die_names, fields, ivan_cards, names, of_ivan, section_name, towers, white_banners
from .common import Facts, check_seat, cut, guild_action
from .full_from_game import add_full, full_actions, slot_tile

AHEAD = 8  # prestige spaces that are looked at ahead of a marker


def game_facts(ruleset: Ruleset, game: Any, seat: int) -> Facts:
    """The dictionary of `observation_facts` from a GAME record.

    Raises:
        ValueError: no GAME record of the ruleset, or the seat is out of range.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.words.facts.from_game import game_facts
        >>> from rc_env.words.facts.from_vector import observation_facts
        >>> engine = Engine(seed=1)
        >>> facts = game_facts(engine.ruleset, engine.games[0], seat=0)
        >>> facts == observation_facts(engine.ruleset, engine.observe()[0], seat=0)
        True
    """
    seat = check_seat(ruleset, seat)
    g = fields(one_game(ruleset, game))
    with checks.reading("game", ONE_GAME):
        return _facts(ruleset, g, seat)


def _facts(ruleset: Ruleset, g: Mapping[str, Any], seat: int) -> Facts:
    name = names(ruleset)
    crowd = [g["die_space"].count(space) for space in range(SPACES)]
    facts = {
        "seat": seat,
        **_turn(g, seat),
        "waiting": _waiting(g, name.tiles),
        "market": [{"tile": name.market[tile], "dice": n} for tile, n in zip(g["market"], crowd, strict=True)],
        "guild_actions": _guild_actions(ruleset, g),
        "dice": _dice(ruleset, g, crowd, name.market),
        "supply": dict(zip(MATERIAL_NAMES, g["supply"], strict=False)),
        "towers": _towers(ruleset, g, name.tiles),
        "seats": [_seat(ruleset, g, s, name.tiles) for s in range(ruleset.seats)],
        "rules": _rules(ruleset.data_file.tables, ruleset.solo),
    }
    if ruleset.solo:
        facts["ivan"] = _ivan(ruleset, g)
    if ruleset.full:
        add_full(ruleset, g, seat, facts)
    return facts


# --- the turn


def _turn(g: Mapping[str, Any], seat: int) -> Facts:
    playing = g["status"] == PLAYING
    moved = playing and g["die"] >= 0
    return {
        "point": Point(g["stack"][g["depth"] - 1][POINT]).name.lower() if playing else "over",
        "to_move": g["seat"] if playing else None,
        "own_turn": playing and g["seat"] == seat,
        "ending": g["ending"] if playing and g["ending"] >= 0 else None,
        "turn": (g["turn"] or None) if playing else None,  # no turn yet while special tiles are chosen
        "rerolled": playing and bool(g["rerolled"]),
        "moved": ALL_DIE_NAMES[g["die"]] if moved else None,
        "landing": g["space"] if moved else None,
        "obtained": playing and bool(g["obtained"]),
        "worked": playing and bool(g["worked"]),
        "guild": g["influenced"] + 1 if playing and g["influenced"] >= 0 else None,
        "guild_open": playing and bool(g["influence_open"]),
    }


def _waiting(g: Mapping[str, Any], tiles: tuple[str, ...]) -> Facts:
    waiting: Facts = dict.fromkeys(("section", "tile", "deliveries", "delivered", "material"))
    waiting |= {"deliveries": 0, "delivered": False, "may_refuse": False, "most": 0, "payments": 0, "gains": 0}
    if g["status"] != PLAYING:
        return waiting
    frame = g["stack"][g["depth"] - 1]
    if frame[POINT] not in _WITH_DETAILS or (frame[POINT] == Point.PLAYER and frame[WAY] != EXCHANGE):
        return waiting
    match frame[POINT]:
        case Point.PLACE:
            return waiting | {
                "section": _section_name(g, frame[PLACE_SECTION]),
                "tile": tiles[g["tile"][frame[PLACE_SECTION]]],
            }
        case Point.GEMS:
            left = g["stack"][g["depth"] - 2][BUILD_LEFT]
            return waiting | {"section": _section_name(g, frame[GEMS_SECTION]), "deliveries": left, "delivered": True}
        case Point.BUILD:
            return waiting | {"deliveries": frame[BUILD_LEFT], "delivered": bool(frame[BUILD_BEGUN])}
        case Point.TAKE if frame[TAKE_MATERIAL] == FROM_CARD:
            return waiting | {"may_refuse": True}
        case Point.TAKE:
            material = "any_material" if frame[TAKE_MATERIAL] == ANY else MATERIAL_NAMES[frame[TAKE_MATERIAL]]
            return waiting | {"material": material, "most": frame[TAKE_MOST], "may_refuse": bool(frame[REFUSABLE])}
        case Point.PAY:
            return waiting | {"material": _material(frame[PAY_FROM]), "payments": frame[PAY_LEFT]}
        case Point.GAIN:
            return waiting | {
                "material": _material(frame[GAIN_EXCEPT]) if frame[GAIN_EXCEPT] >= 0 else None,
                "gains": frame[GAIN_LEFT],
            }
        case Point.PLAYER:
            return waiting | {"material": _material(frame[PLAYER_GIVEN])}
    raise KeyError(f"point {frame[POINT]} is none of {_WITH_DETAILS}")


_WITH_DETAILS = (Point.PLACE, Point.GEMS, Point.BUILD, Point.TAKE, Point.PAY, Point.GAIN, Point.PLAYER)
"""The decision points that have facts in addition to their name."""


def _material(number: int) -> str:
    """A material by its number, in which a diamond follows the six."""
    return MATERIAL_NAMES[number] if number < MATERIALS else "diamond"


def _section_name(g: Mapping[str, Any], section: int) -> str:
    return section_name(g["tower"][section], g["level"][section])


# --- the market


def _dice(ruleset: Ruleset, g: Mapping[str, Any], crowd: list[int], market: tuple[str, ...]) -> Facts:
    dice, most = {}, ruleset.data_file.tables["market"]["dice_per_space"]
    for die, space, value in zip(die_names(ruleset), g["die_space"], g["die_value"], strict=False):
        target = (space + value) % SPACES
        blocked = crowd[target] == most
        resource, amount = market[g["market"][target]].split(":")
        yields = f"{resource}:{int(amount) * (crowd[target] + 1)}"
        dice[die] = {"space": space, "value": value, "blocked": blocked, "yields": None if blocked else yields}
    return dice


def _guild_actions(ruleset: Ruleset, g: Mapping[str, Any]) -> list[list[Facts]]:
    cards = [card for cards in ruleset.data_file.tables["guilds"].values() for card in cards]
    if ruleset.full:
        return full_actions(cards, ruleset, g["influence"])
    return [[guild_action(action_columns(action)) for action in cards[card]] for card in g["influence"]]


def _rules(tables: Mapping[str, Any], solo: bool) -> Facts:
    optional, ornament, ending = tables["optional"], tables["ornament"], tables["ending"]
    return {
        "rubles a prestige": optional["rubles_per_prestige"],
        "prestige a re-roll": optional["prestige_per_reroll"],
        "rubles a step": tables["market"]["rubles_per_extra_step"],
        "deliveries": tables["build"]["deliveries"],
        "one gem": ornament["prestige_one_gem"],
        "two equal gems": ornament["prestige_two_equal_gems"],
        "two different gems": ornament["prestige_two_different_gems"],
        "ending prestige": 0 if solo else ending["prestige_for_ending"],
        "goods a prestige": ending["goods_per_prestige"],
        "section value": ending["tower_value_per_section"],
        "ornament value": ending["tower_value_per_ornament"],
        "share divisor": ending["share_divisor"],
        "share divisor of two": ending["two_player_share_divisor"],
        **{f"{kind} material": ornament[kind] for kind in ORNAMENT_NAMES},
    }


def _ivan(ruleset: Ruleset, g: Mapping[str, Any]) -> Facts:
    frame = g["stack"][g["depth"] - 1] if g["status"] == PLAYING else [Point.START]
    solo, placed = ruleset.data_file.tables["solo"], g["works"][IVANS_SEAT][ADORNED]
    order = solo["ornament_order"]
    tiles = [(d, up) for d, up in zip(g["ivan_tile"], g["ivan_up"], strict=True) if d >= 0]
    return {
        "cards": ivan_cards(g),
        "tiles": [{"die": ALL_DIE_NAMES[d], "up": bool(up)} for d, up in tiles],
        "next": g["ivan_up"].index(1) if any(g["ivan_up"]) else None,
        "inventory": amounts(g["ivan_goods"][INVENTORY]),
        "construction": amounts(g["ivan_goods"][CONSTRUCTION]),
        "ornament": order[placed] if placed < len(order) else None,
        "choosing": None if frame[POINT] != Point.IVAN else "claim" if frame[IVAN_CHOICE] == CLAIMS else "adorn",
        "card_recognition": solo["recognition"],
        "card_materials": solo["materials"],
        "ornament_prestige": solo["ornament_prestige"],
    }


# --- the cathedral


def _towers(ruleset: Ruleset, g: Mapping[str, Any], tiles: tuple[str, ...]) -> list[Facts]:
    return [
        {
            "value": g["worth"][t],
            "presence": g["presence"][t][: ruleset.seats],
            "shares": g["share"][t][: ruleset.seats],
            "sections": [_section(ruleset, g, s, tiles) for s in sections],
        }
        for t, sections in enumerate(towers(g))
    ]


def _section(ruleset: Ruleset, g: Mapping[str, Any], s: int, tiles: tuple[str, ...]) -> Facts:
    owner, ornament = g["owner"][s], g["ornament"][s]
    ivans = of_ivan(ruleset, g, s)
    return ({"laid": amounts(g["card"][s]), "misses": g["card"][s][MISSES]} if ivans else {}) | {
        "kind": KINDS[g["kind"][s]],
        "owner": owner if owner >= 0 else None,
        "finished": bool(g["finished"][s]),
        "missing": {} if ivans else amounts(g["card"][s]),
        "rubles": 0 if ivans else g["card"][s][RUBLES],
        "recognition": g["card"][s][RECOGNITION],
        "tile": tiles[g["tile"][s]] if g["tile"][s] >= 0 else None,
        "ornament": ORNAMENT_NAMES[g["kind"][s]] if ornament >= 0 else None,
        "ornament_owner": ornament if ornament >= 0 else None,
        "on_offer": g["level"][s] == g["claimed"][g["tower"][s]],
    }


# --- the seats


def _seat(ruleset: Ruleset, g: Mapping[str, Any], seat: int, tiles: tuple[str, ...]) -> Facts:
    ivans = seat >= ruleset.players
    goods, works = g["goods"][seat], g["works"][seat]
    open_spaces = ruleset.data_file.tables["player"]["inventory_spaces"] - goods[BANNERS_INVENTORY]
    return {
        **_scores(ruleset, g, seat),
        "materials": amounts(goods),
        "room": 0 if ivans else open_spaces - sum(goods[:MATERIALS]) - _diamonds(g, seat),
        "inventory_banners": goods[BANNERS_INVENTORY],
        "spare_banners": goods[BANNERS_SPARE],
        "white_banners": white_banners(g, seat),
        "ornaments": dict(zip(ORNAMENT_NAMES, works, strict=False)),
        "claimed": works[CLAIMED],
        "finished": works[FINISHED],
        "adorned": works[ADORNED],
        "workshop": {} if ivans else {slot: _slot(ruleset, g, seat, i, tiles) for i, slot in enumerate(SLOT_NAMES)},
    }


def _scores(ruleset: Ruleset, g: Mapping[str, Any], seat: int) -> Facts:
    """Rubles, the marker, and what the game would score if it ended now; each cut where the vector cuts it."""
    tables, position = ruleset.data_file.tables, g["track"][seat]
    length = tables["track"]["length"]
    # Enough laps of prestige spaces for eight of them to lie ahead.
    laps = range(position // length + AHEAD + 2)
    spaces = [lap * length + space for lap in laps for space in tables["track"]["prestige"]]
    behind = [space for space in spaces if space <= position]
    prestige = len(behind)
    goods = sum(g["goods"][seat][:MATERIALS]) + _diamonds(g, seat) + g["rubles"][seat]
    goods += g["permits"][seat] if "permits" in g else 0
    in_hand = goods // tables["ending"]["goods_per_prestige"]
    in_towers = sum(shares[seat] for shares in g["share"])
    numbers = {
        "rubles": (g["rubles"][seat], seats.RUBLES_CUT),
        "prestige": (prestige, seats.PRESTIGE_CUT),
        "past": (position - (behind[-1] if behind else 0), seats.GAP_CUT),
        "goods_prestige": (in_hand, seats.GOODS_CUT),
        "tower_prestige": (in_towers, seats.TOWERS_CUT),
        "score": (prestige + in_hand + in_towers, seats.SCORE_CUT),
    }
    ahead = [space - position for space in spaces[len(behind) :][:AHEAD]]
    cuts = {name: cut(*number) for name, number in numbers.items()}
    return cuts | {"prestige_ahead": [cut(distance, seats.GAP_CUT) for distance in ahead]}


def _diamonds(g: Mapping[str, Any], seat: int) -> int:
    return g["diamonds"][seat] if "diamonds" in g else 0


def _slot(ruleset: Ruleset, g: Mapping[str, Any], seat: int, slot: int, tiles: tuple[str, ...]) -> Facts:
    board = ruleset.data_file.tables["workshop"][ruleset.workshop]
    tile, ornament = g["slot_tile"][seat][slot], g["slot_ornament"][seat][slot]
    key = SLOT_KEYS[(slot - seat) % len(COLOURS) if slot < len(COLOURS) else slot]
    shown = slot_tile(tiles, tile) if g["slot_up"][seat][slot] else "face down"
    return {
        "tile": shown if tile >= 0 else None,
        "price": board["price"] if isinstance(board["price"], int) else board["price"][key],
        "ornament": ORNAMENT_NAMES[ornament] if ornament >= 0 else None,
    }
