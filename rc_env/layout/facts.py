"""The observation in words: what a vector says, as a dictionary of facts and as lines of text.

`observation_facts` reads a vector, `game_facts` tells the same from the game's record by another way, and a test holds
the two equal: so text and vector carry the same facts. Facts are absolute (seats by number, dice and slots by colour)
though the vector is relative; a number that the vector cuts is told as "40+".

The dictionary:
    seat: who sees. to_move, ending: seats or None. own_turn: whether `seat` is to move.
    point: the decision point that waits, or "over"; after the end the turn is not told (turn is None).
    turn, rerolled, moved, landing, obtained, worked, guild (1 or 2), guild_open: the turn so far.
    waiting: what the point waits for: section, tile, deliveries, delivered, material, may_refuse, most, payments,
        gains. `material` is what can be taken, what a guild does not give (gain), or the first that may be paid.
    market: by space, tile and dice there. guild_cards: by quadrant. supply: by material.
    dice: by colour, space, value, whether its next space is full, and what that space would yield.
    towers: value, presence and shares by seat as they would score now, and sections from the base up: kind, owner,
        finished, missing, rubles, recognition, tile, ornament, ornament_owner, on_offer.
    ivan (solo): his cards from left to right, the tile on each (die, up), next (the place of the card for his next
        turn, or None), materials on his inventory and construction cards, his next ornament, choosing ("claim",
        "adorn").
    seats: rubles, prestige, past and ahead (spaces from its prestige space and to the next), goods_prestige,
        tower_prestige and score (if the game ended now), materials, room, banners, ornaments to hand, sections claimed
        and unfinished, finished, ornaments placed, and the workshop by slot: tile (or "face down"), price, ornament.
        Ivan, seat 1 of the solo game, has no workshop.
    A section of Ivan's also has what was laid on it, and how many materials it misses of any kind; `missing` is empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rc_env.layout import observation
from rc_env.layout.actions import absolute_colours, relative_colours
from rc_env.layout.notation import (
    KINDS,
    ORNAMENTS,
    SLOTS,
    WHITE_SLOTS,
    amounts,
    fields,
    names,
    of_ivan,
    section_name,
    towers,
    white_banners,
)
from rc_env.layout.observation import TURN_WHEEL, UNUSED
from rc_env.rules.data_file import COLOURS, DICE, MATERIALS, RESOURCES, SLOT_KEYS, SPACES
from rc_env.rules.ivan import CARDS, CLAIMS, CONSTRUCTION, INVENTORY, MISSES
from rc_env.rules.ivan import SEAT as IVANS_SEAT
from rc_env.rules.points import POINTS, A, B, C, Point
from rc_env.rules.sizes import (
    ADORNED,
    ANY,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CLAIMED,
    FINISHED,
    IVAN_CARDS,
    QUADRANTS,
    RECOGNITION,
    RUBLES,
)
from rc_env.rules.state import PLAYING

if TYPE_CHECKING:
    from rc_env.ruleset import Ruleset

Facts = dict[str, Any]

_CUT = ("rubles", "prestige", "past", "ahead", "goods_prestige", "tower_prestige", "score")
_PLURALS = {"door": "doors", "arch": "arches", "cross": "crosses"}


def describe(ruleset: Ruleset, vector: np.ndarray, seat: int) -> str:
    """The observation (F,) of a seat as lines of text that carry the same facts. Raises as `observation_facts` does."""
    return facts_text(observation_facts(ruleset, vector, seat))


# --- from a vector


def observation_facts(ruleset: Ruleset, vector: np.ndarray, seat: int) -> Facts:
    """What an observation says.

    Args:
        ruleset: the variant.
        vector: (F,) as `Engine.observe` writes it.
        seat: the seat that saw it.

    Raises:
        ValueError: the vector's shape is not that of the ruleset's observations, or the seat is out of range.
    """
    _check_seat(ruleset, seat)
    if np.shape(vector) != (ruleset.observations.size,):
        raise ValueError(f"vector: shape {np.shape(vector)} found, expected ({ruleset.observations.size},)")
    read = _Reader(ruleset, vector, seat)
    facts = {
        "seat": seat,
        **_read_turn(read),
        **_read_market(read),
        "towers": _read_towers(read),
        "seats": _seats(read),
    }
    return facts | {"ivan": _read_ivan(read)} if ruleset.solo else facts


class _Reader:
    """The whole numbers of a vector by the names of pieces and entries, with absolute colours in the names."""

    def __init__(self, ruleset: Ruleset, vector: np.ndarray, seat: int) -> None:
        layout = ruleset.observations
        self.players, self.seats, self.solo = ruleset.players, ruleset.seats, ruleset.solo
        colours = dict(zip(relative_colours(self.players), absolute_colours(self.players, seat), strict=True))
        relative = re.compile(r"\b(own|next\d|ivan|unplayed\d)\b")
        self.numbers = {name: piece.tolist() for name, piece in layout.numbers(vector).items()}
        self.divisors = {piece.name: dict(zip(piece.entries, piece.divisors, strict=True)) for piece in layout.pieces}
        self.entries = {
            piece.name: [relative.sub(lambda m: colours[m[0]], entry) for entry in piece.entries]
            for piece in layout.pieces
            if piece.name != "point"  # one of them is called ivan
        }
        self.entries["point"] = [*next(piece.entries for piece in layout.pieces if piece.name == "point")]
        self.seen = [(seat + i) % self.seats for i in range(self.seats)]  # the seat behind each row of a piece
        self.slots = (*absolute_colours(self.players, seat)[:4], *WHITE_SLOTS)

    def row(self, piece: str, *index: int) -> dict[str, int]:
        """The entries of one row of a piece, without the unused ones."""
        numbers = self.numbers[piece]
        for i in index:
            numbers = numbers[i]
        return {entry: n for entry, n in zip(self.entries[piece], numbers, strict=True) if entry != UNUSED}


def _chosen(row: Mapping[str, int], prefix: str = "") -> str | None:
    """The entry of a one-hot that is set, among those that begin with `prefix`."""
    return next((entry.removeprefix(prefix) for entry, n in row.items() if n and entry.startswith(prefix)), None)


def _number(word: str | None) -> int | None:
    return None if word is None else int(word)


def _seat_of(colour: str | None) -> int | None:
    return None if colour is None else COLOURS.index(colour)


def _tile(row: Mapping[str, int]) -> str | None:
    """The tile whose amount a row gives."""
    for entry, amount in row.items():
        if amount and entry.startswith("die:"):
            return entry
        if amount and entry in (*RESOURCES, "any_material"):
            return f"{entry}:{amount}"
    return None


def _guild_card(row: Mapping[str, int]) -> str:
    """`clergy/2` of a row in which the guild and its card are set."""
    return "/".join(entry.removeprefix("card ") for entry, n in row.items() if n)


def _read_turn(read: _Reader) -> Facts:
    row, count, seats = read.row("turn"), read.row("waiting_count"), read.row("seats")
    material = read.row("waiting_material")
    place: dict[str, int] = {}
    for piece in read.entries:
        if piece.startswith("waiting_"):
            place |= read.row(piece)
    tower, level = _chosen(place, "tower "), _chosen(place, "level ")
    return {
        "point": _chosen(read.row("point")) or "over",
        "to_move": _seat_of(_chosen(seats, "turn ")),
        "own_turn": bool(row["to move"]),
        "ending": _seat_of(_chosen(seats, "ending ")),
        "turn": count["hundreds"] * TURN_WHEEL + count["turns"] or None,
        "rerolled": bool(row["rerolled"]),
        "moved": _chosen(read.row("moved_die")),
        "landing": _number(_chosen(read.row("landing"), "space ")),
        "obtained": bool(row["obtained"]),
        "worked": bool(row["worked"]),
        "guild": 1 if row["influence 1"] else 2 if row["influence 2"] else None,
        "guild_open": bool(row["influence open"]),
        "waiting": {
            "section": f"{tower}.{level}" if tower else None,
            "tile": _tile(read.row("waiting_tile")),
            "deliveries": count["deliveries left"],
            "delivered": bool(count["delivered"]),
            "material": _chosen({m: material[m] for m in (*MATERIALS, "any_material")}),
            "may_refuse": bool(material["may refuse"]),
            "most": count["most to take"],
            "payments": count["payments left"],
            "gains": count["gains left"],
        },
    }


def _read_market(read: _Reader) -> Facts:
    dice = {}
    for i, die in enumerate((*read.slots[:4], "white")):
        value = read.row("die_value", i)
        dice[die] = {
            "space": _number(_chosen(read.row("die_space", i), "space ")),
            "value": next(n for n in range(1, 7) if value[str(n)]),
            "blocked": bool(value["blocked"]),
            "yields": _tile(read.row("die_yield", i)),
        }
    supply, crowd = read.row("supply"), read.row("crowd")
    return {
        "market": [{"tile": _tile(read.row("market", s)), "dice": crowd[f"space {s}"]} for s in range(SPACES)],
        "guild_cards": [_guild_card(read.row("influence", q)) for q in range(QUADRANTS)],
        "dice": {die: dice[die] for die in DICE},
        "supply": {m: supply[m] for m in MATERIALS},
    }


def _read_ivan(read: _Reader) -> Facts:
    turn, rows = read.row("ivan_turn"), [read.row("ivan_tile", place) for place in range(IVAN_CARDS)]
    goods = [read.row("ivan_goods", card) for card in (INVENTORY, CONSTRUCTION)]
    inventory, construction = ({m: n for m, n in row.items() if n} for row in goods)
    return {
        "cards": [_chosen(read.row("ivan_card", place)) for place in range(IVAN_CARDS)],
        "tiles": [{"die": _chosen(row, "die "), "up": bool(row["face up"])} for row in rows],
        "next": next((place for place, row in enumerate(rows) if row["next"]), None),
        "inventory": inventory,
        "construction": construction,
        "ornament": next((kind for kind in ORNAMENTS if turn[kind]), None),
        "choosing": next((choice for choice in ("claim", "adorn") if turn[choice]), None),
    }


def _read_towers(read: _Reader) -> list[Facts]:
    told = []
    colours, worth = COLOURS[: read.seats], read.row("worth")
    for tower in range(len(read.numbers["section"])):
        standing = read.row("standing", tower)
        sections: list[Facts] = []
        for level in range(len(read.numbers["section"][tower])):
            row, card = read.row("section", tower, level), read.row("card", tower, level)
            kind = next((k for k in KINDS if row[k]), None)
            if kind is None:  # the plan has no section here
                break
            owner, ornament = _seat_of(_chosen(row, "banner ")), _seat_of(_chosen(row, "ornament "))
            below = all(section["owner"] is not None for section in sections)
            materials = {m: card[f"missing {m}"] for m in MATERIALS if card[f"missing {m}"]}
            ivans = read.solo and owner == IVANS_SEAT
            sections.append(
                ({"laid": materials, "misses": card["rubles"]} if ivans else {})
                | {
                    "kind": kind,
                    "owner": owner,
                    "finished": bool(row["finished"]),
                    "missing": {} if ivans else materials,
                    "rubles": 0 if ivans else card["rubles"],
                    "recognition": card["recognition"],
                    "tile": _tile(read.row("section_tile", tower, level)),
                    "ornament": None if ornament is None else ORNAMENTS[KINDS.index(kind)],
                    "ornament_owner": ornament,
                    "on_offer": bool(row.get("on offer", below and owner is None)),  # two players: left to conclude
                }
            )
        told.append(
            {
                "value": worth[f"tower {tower + 1}"],
                "presence": [standing[f"presence {colour}"] for colour in colours],
                "shares": [standing[f"share {colour}"] for colour in colours],
                "sections": sections,
            }
        )
    return told


def _seats(read: _Reader) -> list[Facts]:
    told: list[Facts] = [{}] * read.seats
    for i, seat in enumerate(read.seen):
        goods, works, numbers = read.row("goods", i), read.row("works", i), read.row("numbers", i)
        workshop = _read_workshop(read, i) if i < read.players else {}
        told[seat] = {
            **{name: _cut(numbers[name], read.divisors["numbers"][name]) for name in _CUT},
            "materials": {m: goods[m] for m in MATERIALS if goods[m]},
            "room": numbers["room"],
            "inventory_banners": goods["inventory banners"],
            "spare_banners": goods["spare banners"],
            "white_banners": [slot for slot in WHITE_SLOTS if works[f"{slot} banner"]],
            "ornaments": {kind: works[_PLURALS[kind]] for kind in ORNAMENTS},
            "claimed": works["claimed"],
            "finished": works["finished"],
            "adorned": works["adorned"],
            "workshop": {slot: workshop[slot] for slot in SLOTS if slot in workshop},
        }
    return told


def _read_workshop(read: _Reader, i: int) -> Facts:
    ornament, workshop = read.row("slot_ornament", i), {}
    for k, slot in enumerate(read.slots):
        row = read.row("workshop", i, k)
        kept = ornament.get(f"slot {slot}", 0)
        workshop[slot] = {
            "tile": "face down" if row["face down"] else _tile(row),
            "price": row["price"],
            "ornament": ORNAMENTS[kept - 1] if kept else None,
        }
    return workshop


def _cut(number: int, most: int) -> int | str:
    """From `most` on the vector cannot tell numbers apart."""
    return number if number < most else f"{most}+"


# --- from a game's record


def game_facts(ruleset: Ruleset, game: Any, seat: int) -> Facts:
    """The same dictionary from a GAME record: by its fields and the data file, without the layout of the vector."""
    _check_seat(ruleset, seat)
    g = fields(game)
    tables, seats, name = ruleset.data_file.tables, ruleset.seats, names(ruleset)
    crowd = [g["die_space"].count(space) for space in range(SPACES)]
    dice = {}
    for die, (space, value) in zip(DICE, zip(g["die_space"], g["die_value"], strict=True), strict=False):
        target = (space + value) % SPACES
        blocked = crowd[target] == tables["market"]["dice_per_space"]
        resource, amount = name.market[g["market"][target]].split(":")
        yields = f"{resource}:{int(amount) * (crowd[target] + 1)}"
        dice[die] = {"space": space, "value": value, "blocked": blocked, "yields": None if blocked else yields}
    facts = {
        "seat": seat,
        **_game_turn(g, seat, name.tiles),
        "market": [{"tile": name.market[tile], "dice": n} for tile, n in zip(g["market"], crowd, strict=True)],
        "guild_cards": [name.guild_cards[card] for card in g["influence"]],
        "dice": dice,
        "supply": dict(zip(MATERIALS, g["supply"], strict=False)),
        "towers": [
            {
                "value": g["worth"][t],
                "presence": g["presence"][t][:seats],
                "shares": g["share"][t][:seats],
                "sections": [_game_section(ruleset, g, s, name.tiles) for s in sections],
            }
            for t, sections in enumerate(towers(g))
        ],
        "seats": [_game_seat(ruleset, g, s, name.tiles) for s in range(seats)],
    }
    return facts | {"ivan": _game_ivan(ruleset, g)} if ruleset.solo else facts


def _game_turn(g: Mapping[str, Any], seat: int, tiles: tuple[str, ...]) -> Facts:
    playing = g["status"] == PLAYING
    frame = g["stack"][g["depth"] - 1] if playing else [0] * 5
    point = POINTS[frame[0]] if playing else "over"
    waiting: Facts = dict.fromkeys(("section", "tile", "deliveries", "delivered", "material"))
    waiting |= {"deliveries": 0, "delivered": False, "may_refuse": False, "most": 0, "payments": 0, "gains": 0}
    section = section_name(g["tower"][frame[A]], g["level"][frame[A]])
    if point == "place":
        waiting |= {"section": section, "tile": tiles[g["tile"][frame[A]]]}
    elif point == "gems":
        waiting |= {"section": section, "deliveries": g["stack"][g["depth"] - 2][A], "delivered": True}
    elif point == "build":
        waiting |= {"deliveries": frame[A], "delivered": bool(frame[B])}
    elif point == "take":
        material = "any_material" if frame[A] == ANY else MATERIALS[frame[A]]
        waiting |= {"material": material, "most": frame[B], "may_refuse": bool(frame[C])}
    elif point == "pay":
        waiting |= {"material": MATERIALS[frame[B]], "payments": frame[A]}
    elif point == "gain":
        waiting |= {"material": MATERIALS[frame[B]] if frame[B] >= 0 else None, "gains": frame[A]}
    moved = playing and g["die"] >= 0
    return {
        "point": point,
        "to_move": g["seat"] if playing else None,
        "own_turn": playing and g["seat"] == seat,
        "ending": g["ending"] if playing and g["ending"] >= 0 else None,
        "turn": g["turn"] if playing else None,
        "rerolled": playing and bool(g["rerolled"]),
        "moved": DICE[g["die"]] if moved else None,
        "landing": g["space"] if moved else None,
        "obtained": playing and bool(g["obtained"]),
        "worked": playing and bool(g["worked"]),
        "guild": g["influenced"] + 1 if playing and g["influenced"] >= 0 else None,
        "guild_open": playing and bool(g["influence_open"]),
        "waiting": waiting,
    }


def _game_ivan(ruleset: Ruleset, g: Mapping[str, Any]) -> Facts:
    frame = g["stack"][g["depth"] - 1] if g["status"] == PLAYING else [Point.START]
    order, placed = ruleset.data_file.tables["solo"]["ornament_order"], g["works"][IVANS_SEAT][ADORNED]
    return {
        "cards": [CARDS[card] for card in g["ivan_card"]],
        "tiles": [{"die": DICE[d], "up": bool(up)} for d, up in zip(g["ivan_tile"], g["ivan_up"], strict=True)],
        "next": g["ivan_up"].index(1) if any(g["ivan_up"]) else None,
        "inventory": amounts(g["ivan_goods"][INVENTORY]),
        "construction": amounts(g["ivan_goods"][CONSTRUCTION]),
        "ornament": order[placed] if placed < len(order) else None,
        "choosing": None if frame[0] != Point.IVAN else "claim" if frame[A] == CLAIMS else "adorn",
    }


def _game_section(ruleset: Ruleset, g: Mapping[str, Any], s: int, tiles: tuple[str, ...]) -> Facts:
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
        "ornament": ORNAMENTS[g["kind"][s]] if ornament >= 0 else None,
        "ornament_owner": ornament if ornament >= 0 else None,
        "on_offer": g["level"][s] == g["claimed"][g["tower"][s]],
    }


def _game_seat(ruleset: Ruleset, g: Mapping[str, Any], seat: int, tiles: tuple[str, ...]) -> Facts:
    tables, ivans = ruleset.data_file.tables, seat >= ruleset.players
    goods, works, position = g["goods"][seat], g["works"][seat], g["track"][seat]
    # Enough laps of prestige spaces for a marker to lie between two of them.
    laps = range(position // tables["track"]["length"] + 2)
    spaces = [lap * tables["track"]["length"] + space for lap in laps for space in tables["track"]["prestige"]]
    behind = [space for space in spaces if space <= position]
    prestige = len(behind)
    in_hand = (sum(goods[:6]) + g["rubles"][seat]) // tables["ending"]["goods_per_prestige"]
    in_towers = sum(shares[seat] for shares in g["share"])
    numbers = {
        "rubles": (g["rubles"][seat], observation.RUBLES_CUT),
        "prestige": (prestige, observation.PRESTIGE_CUT),
        "past": (position - (behind[-1] if behind else 0), observation.GAP_CUT),
        "ahead": (spaces[len(behind)] - position, observation.GAP_CUT),
        "goods_prestige": (in_hand, observation.GOODS_CUT),
        "tower_prestige": (in_towers, observation.TOWERS_CUT),
        "score": (prestige + in_hand + in_towers, observation.SCORE_CUT),
    }
    return {
        **{name: _cut(*number) for name, number in numbers.items()},
        "materials": amounts(goods),
        "room": 0 if ivans else tables["player"]["inventory_spaces"] - goods[BANNERS_INVENTORY] - sum(goods[:6]),
        "inventory_banners": goods[BANNERS_INVENTORY],
        "spare_banners": goods[BANNERS_SPARE],
        "white_banners": white_banners(g, seat),
        "ornaments": dict(zip(ORNAMENTS, works, strict=False)),
        "claimed": works[CLAIMED],
        "finished": works[FINISHED],
        "adorned": works[ADORNED],
        "workshop": {} if ivans else {slot: _game_slot(ruleset, g, seat, i, tiles) for i, slot in enumerate(SLOTS)},
    }


def _game_slot(ruleset: Ruleset, g: Mapping[str, Any], seat: int, slot: int, tiles: tuple[str, ...]) -> Facts:
    board = ruleset.data_file.tables["workshop"][ruleset.workshop]
    tile, ornament = g["slot_tile"][seat][slot], g["slot_ornament"][seat][slot]
    key = SLOT_KEYS[(slot - seat) % 4 if slot < 4 else slot]
    shown = tiles[tile] if g["slot_up"][seat][slot] else "face down"
    return {
        "tile": shown if tile >= 0 else None,
        "price": board["price"] if isinstance(board["price"], int) else board["price"][key],
        "ornament": ORNAMENTS[ornament] if ornament >= 0 else None,
    }


def _check_seat(ruleset: Ruleset, seat: int) -> None:
    if not 0 <= seat < ruleset.players:
        raise ValueError(f"seat: {seat!r} found, expected 0 to {ruleset.players - 1}")


# --- as text


def facts_text(facts: Facts) -> str:
    """Facts as lines of text; what is not said is none, 0 or not so."""
    lines = (*_turn_lines(facts), *_market_lines(facts), *_tower_lines(facts), *_seat_lines(facts))
    return "\n".join((*lines, *_ivan_lines(facts["ivan"])) if "ivan" in facts else lines)


def _list(words: Iterable[str | None], between: str = ", ") -> str:
    """Those words that are there."""
    return between.join(word for word in words if word)


def _counts(counts: Mapping[str, int]) -> str:
    return _list(f"{name} {count}" for name, count in counts.items() if count)


def _by_seat(title: str, numbers: Iterable[int]) -> str | None:
    counts = _counts(dict(zip(COLOURS, numbers, strict=False)))
    return f"{title} {counts}" if counts else None


def _colour(seat: int | None) -> str:
    return "nobody" if seat is None else COLOURS[seat]


def _turn_lines(facts: Facts) -> list[str]:
    w = facts["waiting"]
    waiting = _list(
        (
            w["section"] and f"section {w['section']}",
            w["tile"] and f"tile {w['tile']}",
            w["deliveries"] and f"{w['deliveries']} deliveries left",
            w["delivered"] and "some made",
            w["material"] and f"material {w['material']}",
            w["may_refuse"] and "may be refused",
            w["most"] and f"{w['most']} at most",
            w["payments"] and f"{w['payments']} payments left",
            w["gains"] and f"{w['gains']} gains left",
        )
    )
    so_far = _list(
        (
            facts["moved"] and f"{facts['moved']} die moved",
            None if facts["landing"] is None else f"landed on {facts['landing']}",
            facts["obtained"] and "obtained",
            facts["worked"] and "workshop used",
            facts["guild"] and f"guild action {facts['guild']} used",
            facts["guild_open"] and "which may be repeated",
            facts["rerolled"] and "re-rolled",
            None if facts["ending"] is None else f"{_colour(facts['ending'])} has triggered the ending",
        )
    )
    mover = _colour(facts["to_move"]) + (" (own turn)" if facts["own_turn"] else "")
    return [
        f"seen by {_colour(facts['seat'])}, seat {facts['seat']}; turn {facts['turn']}; to move: {mover}",
        f"point: {facts['point']}" + (f" ({waiting})" if waiting else ""),
        f"this turn: {so_far or 'nothing yet'}",
    ]


def _market_lines(facts: Facts) -> list[str]:
    lines = ["market:"]
    for space, here in enumerate(facts["market"]):
        dice = f", dice {here['dice']}" if here["dice"] else ""
        lines.append(f"  {space} {here['tile']}{dice}")
    for die, at in facts["dice"].items():
        target = f"for {at['yields']}" if at["yields"] else "for nothing"
        blocked = ", blocked" if at["blocked"] else ""
        lines.append(f"  {die} {at['value']} on {at['space']}, {target}{blocked}")
    lines.append("guild cards: " + _list(facts["guild_cards"]))
    lines.append("supply: " + (_counts(facts["supply"]) or "nothing"))
    return lines


def _tower_lines(facts: Facts) -> list[str]:
    lines = []
    for i, tower in enumerate(facts["towers"]):
        standing = (_by_seat("presence", tower["presence"]), _by_seat("shares", tower["shares"]))
        lines.append(_list((f"tower {i + 1}: value {tower['value']}", *standing), "; "))
        for level, s in enumerate(tower["sections"]):
            reward = _counts({"rubles": s["rubles"], "recognition": s["recognition"]})
            ornament = f"{s['ornament']} of {_colour(s['ornament_owner'])}"
            told = (
                "on offer" if s["on_offer"] else None,
                None if s["owner"] is None else f"of {_colour(s['owner'])}",
                "finished" if s["finished"] else None,
                s["ornament"] and ornament,
                f"misses {_counts(s['missing'])}" if s["missing"] else None,
                f"has {_counts(s['laid'])}" if s.get("laid") else None,
                f"misses {s['misses']} of any kind" if s.get("misses") else None,
                f"pays {reward}" if reward else None,
                s["tile"] and f"tile {s['tile']}",
            )
            lines.append(f"  {section_name(i, level)} {s['kind']}: {_list(told, '; ')}")
    return lines


def _seat_lines(facts: Facts) -> list[str]:
    lines = []
    for seat, s in enumerate(facts["seats"]):
        you = " (you)" if seat == facts["seat"] else ""
        banners = _list(
            (
                f"inventory {s['inventory_banners']}" if s["inventory_banners"] else None,
                f"spare {s['spare_banners']}" if s["spare_banners"] else None,
                *s["white_banners"],
            )
        )
        lines += [
            f"{COLOURS[seat]}{you}: rubles {s['rubles']}; prestige {s['prestige']}, {s['past']} past it and "
            f"{s['ahead']} to the next; goods {s['goods_prestige']}, towers {s['tower_prestige']}, score {s['score']}",
            f"  inventory: {_counts(s['materials']) or 'no materials'}; room {s['room']}; banners: {banners or 'none'}",
            f"  ornaments: {_counts(s['ornaments']) or 'none'}; placed {s['adorned']}; sections unfinished "
            f"{s['claimed']}, finished {s['finished']}",
        ]
        if s["workshop"]:
            lines.append(f"  workshop: {_list(map(_slot, s['workshop'], s['workshop'].values()), '; ')}")
    return lines


def _ivan_lines(ivan: Facts) -> list[str]:
    row = []
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        side = "face up" if tile["up"] else "face down"
        row.append(f"{card} {tile['die']} {side}" + (" (next)" if place == ivan["next"] else ""))
    choosing = f"; to choose for him: {ivan['choosing']}" if ivan["choosing"] else ""
    return [
        f"Ivan's row: {_list(row, '; ')}",
        f"  inventory: {_counts(ivan['inventory']) or 'nothing'}; construction: "
        f"{_counts(ivan['construction']) or 'nothing'}; next ornament: {ivan['ornament'] or 'none'}{choosing}",
    ]


def _slot(name: str, slot: Facts) -> str:
    ornament = f", {slot['ornament']}" if slot["ornament"] else ""
    return f"{name} {slot['tile'] or 'empty'} (price {slot['price']}{ornament})"
