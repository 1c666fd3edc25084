"""Additional facts for pictures of the full game: guilds of the expansion, contracts, tiles, drawn cards.

`add` puts these facts into a view, beside those of the base game; for a component that is not in the game they are None
or missing. If the record comes from `Engine.conceal` for a seat, only the number of the others' contracts is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rc_env.jit import records
from rc_env.render import contractors as module
from rc_env.render.amounts import tile_words
from rc_env.rules.expansion.builders import CARD_PIECES, FROM_CARD
from rc_env.rules.expansion.contracts import UNSEEN
from rc_env.rules.expansion.reinforcements import LEFT
from rc_env.rules.points import (
    EFFECT,
    EXTRA_LEFT,
    GAIN_FROM,
    NO_EFFECT,
    PLACE_FREE,
    POINT,
    TAKE_MATERIAL,
    TAKE_MOST,
    TAKE_PIECES,
    WAY,
    Point,
)
from rc_env.rules.printed.expansion_vocabulary import (
    ANOTHERS_TILE,
    BANNERS,
    BY_TILE,
    EXCHANGE,
    FALSE_PLANS,
    GIVEN_TILE,
    NOTHING,
    OTHER_GUILDS,
    RUBLES,
    SECTION_RUBLES,
    TILE_ONCE,
    TIMES_DICE,
    form_columns,
    form_text,
)
from rc_env.rules.printed.sizes import COLOURS, KINDS, MATERIAL_NAMES, REINFORCEMENT_NAMES, SIDES, SPECIAL_NAMES
from rc_env.rules.printed.vocabulary import action_columns, action_text, empty
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset
from rc_env.words import expansion_notation as notation
from rc_env.words.notation import names

Facts = dict[str, Any]
DIAMOND = notation.DIAMOND_NAME
GOODS = (*MATERIAL_NAMES, DIAMOND)
"""The goods that an inventory can hold, in the order in which they are shown."""


def add(ruleset: Ruleset, game: Any, g: Mapping[str, Any], shown: Facts) -> None:
    """Add the full game's facts to a view that has those of the base game.

    In the view: `foreman`, his tower from 0; `reinforcements` left to take, and the `amounts` on them; `contracts` and
    `builders`, the sizes of the decks and what is drawn; `diamond` in `supply`; `decision`, what the current decision
    point is about. In seats: diamonds among the `materials`, `hand` (contracts that are seen), `hidden` (how many are
    not), `reinforcements`, `special`, `contract_prestige`. In sections: `diamonds`.

    Args:
        ruleset: the variant, with a switch of the expansion on.
        game: the GAME record.
        g: its fields.
        shown: the view, which is extended in place.
    """
    has = notation.brought(ruleset, g)
    contracts = _contracts(ruleset)
    seats = range(ruleset.seats)
    amounts = ruleset.rules[0].reinforcement_amount.tolist()
    shown["amounts"] = dict(zip(REINFORCEMENT_NAMES, amounts, strict=True))
    shown["decision"] = _decision(ruleset, g)
    shown["foreman"] = g["foreman"] if has & notation.FOREMAN else None
    shown["contracts"] = shown["builders"] = shown["reinforcements"] = None
    if has & notation.DIAMONDS:
        shown["supply"][DIAMOND] = g["diamond_supply"]
    if has & notation.CONTRACTS:
        drawn = [card for card in g["drawn_contract"] if card >= 0]
        shown["contracts"] = {
            "deck": g["contracts_left"],
            "drawn": [contracts[card] for card in drawn if card != UNSEEN],
            "hidden": drawn.count(UNSEEN),
        }
    if has & notation.CARDS:
        shown["builders"] = _builders(ruleset, g)
    if has & notation.REINFORCEMENTS:
        shown["reinforcements"] = _reinforcements(g, LEFT)
    for seat, row in enumerate(shown["seats"]):
        if g["diamonds"][seat]:
            row["materials"] = row["materials"] | {DIAMOND: g["diamonds"][seat]}
        held = [card for card in g["hand"][seat] if card >= 0]
        row["hand"] = [contracts[card] for card in held if card != UNSEEN]
        row["hidden"] = held.count(UNSEEN)
        row["reinforcements"] = _reinforcements(g, seat)
        row["special"] = SPECIAL_NAMES[g["special"][seat]] if g["special"][seat] >= 0 else None
    if ruleset.contractors:
        module.add(ruleset, g, shown)
    goods, contract_prestige = _scored(ruleset, game)
    for seat in seats:
        row = shown["seats"][seat]
        row |= {"goods_prestige": int(goods[seat]), "contract_prestige": int(contract_prestige[seat])}
        row["score"] = row["prestige"] + row["goods_prestige"] + row["contract_prestige"] + row["tower_prestige"]
        row["score"] += row.get("tools_prestige", 0)


def has_contracts(shown: Facts) -> bool:
    """Whether the game has contracts."""
    return shown.get("contracts") is not None


def guild_actions(ruleset: Ruleset, guild: int, card: int) -> tuple[str, list[Facts], list[str]]:
    """The name of a guild by GAME.guild; the two actions of its card (from 0) as columns, and in words."""
    base = ruleset.data_file.guilds
    if guild < len(base) or ruleset.expansion_file is None:
        actions = ruleset.data_file.tables["guilds"][base[guild]][card]
        return base[guild], [action_columns(action) for action in actions], [action_text(action) for action in actions]
    name = ruleset.expansion_file.guilds[guild - len(base)]
    actions = ruleset.expansion_file.tables["guilds"][name][card]
    columns = [form_columns(action, empty() | NOTHING) for action in actions]
    return name.replace("_", " "), columns, [form_text(action) for action in actions]


def contract_text(card: Mapping[str, Any], seats: int) -> str:
    """A contract of the data file in words: `6 face-up workshop tiles: 3 prestige`."""
    prestige = card.get("prestige_two_players", card["prestige"]) if seats == 2 else card["prestige"]
    return f"{_condition(card)}: {prestige} prestige"


def _condition(card: Mapping[str, Any]) -> str:
    if "return" in card:
        return "return " + " and ".join(f"{n} {name.replace('_', ' ')}" for name, n in card["return"].items())
    if "each" in card:
        return {
            "tower_without_presence": "each tower without you",
            "tower_with_presence": "each tower with you",
            "ornament_not_built": "each ornament not placed",
            "ornament_on_others_sections": "each ornament on others' sections",
            "ornament_on_own_sections": "each ornament on own sections",
        }[card["each"]]
    words = {
        "sections_claimed_in_one_tower": "{} sections in one tower",
        "face_up_workshop_tiles": "{} face-up workshop tiles",
        "one_of_each_type_completed": "a base, a middle and a dome",
        "all_ornaments_built": "all ornaments placed",
        "own_ornaments_in_one_tower": "{} ornaments in one tower",
    }
    key = next(key for key in words if key in card)
    return words[key].format(card[key])


def draws_text(draws: Sequence[Mapping[str, Any]]) -> str:
    """The draws of a decision, from `notation.draws_to_list`, in words: `contracts 4, 9, 2`, `middle/3`."""
    words = []
    for draw in draws:
        if "contracts" in draw:
            words.append(f"contracts {', '.join(map(str, draw['contracts']))}")
        elif "slot" in draw:
            words.append(module.refill_text(draw))
        else:
            words.append(", ".join(draw["cards"]))
    return "; ".join(words)


def _contracts(ruleset: Ruleset) -> list[tuple[int, str]]:
    """Each contract as its number from 1 and its words."""
    assert ruleset.expansion_file is not None
    cards = ruleset.expansion_file.tables["contracts"]["cards"]
    return [(i, contract_text(card, ruleset.seats)) for i, card in enumerate(cards, 1)]


def _reinforcements(g: Mapping[str, Any], holder: int) -> list[str]:
    return [name for name, at in zip(REINFORCEMENT_NAMES, g["reinforcement"], strict=True) if at == holder]


def _builders(ruleset: Ruleset, g: Mapping[str, Any]) -> Facts:
    """The number of cards in the deck, the discards by name, and the content of the drawn cards."""
    cards = names(ruleset).cards
    faces = [face for kind in KINDS for face in ruleset.data_file.tables["cards"][kind]]
    drawn = [card for card in g["drawn_card"] if card >= 0]
    return {
        "deck": g["builder_deck"].bit_count(),
        "discards": [cards[card] for card in g["discard"] if card >= 0],
        "drawn": [{"name": cards[card], **faces[card]} for card in drawn],
    }


def _scored(ruleset: Ruleset, game: Any) -> tuple[np.ndarray, np.ndarray]:
    """The prestige for goods and for visible contracts, by seat, as if the game ended now."""
    seen = np.array([game], ruleset.build.state.GAME)
    seen["hand"][seen["hand"] == UNSEEN] = -1
    parts = np.zeros((1, ruleset.seats, 4), np.int32)  # track, goods, contracts, tools
    towers = np.zeros((1, ruleset.seats, int(ruleset.rules[0].towers)), np.int32)
    place = np.zeros((1, ruleset.seats), np.int32)
    score = ruleset.build.kernels.score_rows
    score(records(ruleset.rules), records(seen), np.zeros(1, np.int64), 0, 1, parts, towers, place)
    return parts[0, :, 1], parts[0, :, 2]


# --- the current decision point


def _decision(ruleset: Ruleset, g: Mapping[str, Any]) -> Facts:
    """The frame of the current decision point, and the words of the guild action that it serves."""
    if g["status"] != PLAYING:
        return {"point": None}
    frame = g["stack"][g["depth"] - 1]
    effect, serves, mode, rules = frame[EFFECT], "", 0, ruleset.rules[0]
    most = worth = 0
    if effect != NO_EFFECT:
        mode, most, worth = (
            int(column[effect]) for column in (rules.effect_mode, rules.effect_count, rules.effect_worth)
        )
        card, side = divmod(effect, SIDES)
        for guild, influence in zip(g["guild"], g["influence"], strict=True):
            if card == influence:
                first = int(rules.first_influence[guild])
                serves = guild_actions(ruleset, guild, influence - first)[2][side]
        serves = serves or module.served(ruleset, effect)
    effects = {"mode": mode, "most": most, "worth": worth, "serves": serves}
    return {"point": Point(frame[POINT]), "frame": frame} | effects


def waiting(shown: Facts) -> str | None:
    """The subject of the current decision point in words, where the full game adds to the base game; else None."""
    decision = shown.get("decision", {"point": None})
    point = decision["point"]
    if point is None:
        return None
    frame = decision["frame"]
    way = frame[WAY]
    words = module.waiting(shown)
    if words is not None:
        return f"{point.name.lower()}: {words}"
    words = {
        Point.SPECIAL: "a special tile, before the first turn",
        Point.FOREMAN: "how far the foreman moves",
        Point.EXTRA: f"a market action, {frame[EXTRA_LEFT]} left",
        Point.CARD: "which drawn card gives two materials",
        Point.KEEP: "one of the drawn contracts",
        Point.RETURN: "a contract to return",
        Point.REINFORCEMENT: "a reinforcement tile to take",
    }.get(point)
    match point:
        case Point.PLACE if frame[PLACE_FREE]:
            tile = shown["waiting"]["tile"]
            words = f"the tile of section {shown['waiting']['section']}{f' ({tile_words(tile)})' if tile else ''}, free"
        case Point.TAKE if frame[TAKE_MATERIAL] == FROM_CARD:
            left = frame[TAKE_PIECES] - CARD_PIECES
            words = f"materials of the drawn card, {left} left" if left > 0 else "one resource of the other drawn card"
        case Point.TAKE if frame[TAKE_MOST] > 1 and shown["waiting"]["material"] == "any_material":
            words = f"{frame[TAKE_MOST]} materials of any kind"
        case Point.GAIN if frame[GAIN_FROM] > 0:
            words = f"a material of {COLOURS[frame[GAIN_FROM] - 1]}, not {shown['waiting']['material']}"
        case Point.TILE if decision["mode"] == ANOTHERS_TILE:
            words = "a tile of another player to activate"
        case Point.TILE if decision["mode"] == GIVEN_TILE:
            words = "an own workshop tile to give"
        case Point.RESOURCE:
            times = {TIMES_DICE: "a space, for its tile times its dice", TILE_ONCE: "a space, for its tile once"}
            words = times.get(way, "a space with a die, for its tile once")
        case Point.INFLUENCE:
            by = {OTHER_GUILDS: "an action of another guild", BY_TILE: "a guild action, by the guild tile"}
            words = by.get(way, "a guild action")
        case Point.PLAYER:
            words = {
                BANNERS: "another player, whose banners are counted",
                RUBLES: "another player, who receives rubles",
                EXCHANGE: f"another player, for an exchange of {shown['waiting']['material'] or 'a material'}",
            }[way]
        case Point.SECTION:
            given = {FALSE_PLANS: "the section whose tile is taken", SECTION_RUBLES: "an own section, for its rubles"}
            words = given.get(way, "an own section, for a part of its recognition")
    if words is None:
        return None
    return f"{point.name.lower()}: {words}"
