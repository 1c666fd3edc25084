"""The observation: one flat float32 vector, seen by one seat, made of named pieces.

Every entry is a small whole number divided by a constant: `vector[i] = number / divisor[i]`, from 0 to 1; numbers above
their divisor are cut there. The schema (`ObservationLayout.pieces`) says for each piece where it lies, its shape, what
it means and what its divisor is; offsets, named views, the documentation and the hash come from it.

The writer assembles the numbers eight at a time, in words of 64 bits, and turns them into floats in one pass: each
piece is therefore a whole number of words. Entries called `-` are always 0.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rc_env.jit import rule
from rc_env.layout.actions import relative_colours
from rc_env.rules import ending, track
from rc_env.rules.data_file import GUILDS, MATERIALS
from rc_env.rules.state import (
    ANY,
    BUILD,
    GAIN,
    GAME,
    GEMS,
    PAY,
    PLACE,
    POINTS,
    SEATS,
    SLOTS,
    SPACES,
    START,
    TAKE,
    room,
)

VERSION = 1
"""Rises when an entry means something else than before."""

RESOURCES = (*MATERIALS, "rubles", "recognition")
UNUSED = "-"
RUBLES_CUT, PRESTIGE_CUT, SCORE_CUT, GOODS_CUT, TOWERS_CUT, GAP_CUT, TURN_WHEEL = 40, 80, 120, 20, 80, 10, 100


@dataclass(frozen=True)
class Piece:
    """A named part of the observation.

    `shape` ends with `len(entries)`; `divisors` has one value for each of `entries`; `offset` is the first entry's place
    in the vector, `size` the number of entries.
    """

    name: str
    shape: tuple[int, ...]
    entries: tuple[str, ...]
    divisors: tuple[int, ...]
    meaning: str
    offset: int = 0

    @property
    def size(self) -> int:
        """Entries in all."""
        return math.prod(self.shape)


def _padded(entries: tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Entries filled up with unused ones to whole words."""
    return (*entries, *([UNUSED] * (-len(entries) % 8)))


def _seat_names(players: int) -> tuple[str, ...]:
    names = ("own", *(f"next{i}" for i in range(1, players)))
    return (*names, *([UNUSED] * (SEATS - players)))


class ObservationLayout:
    """The schema of one variant, built from its RULES record.

    Attributes:
        size: F, the number of entries.
        pieces: every piece, in order.
        divisors: (F,) float32, what the whole numbers are divided by.
        hash: 16 hex digits that change with the meaning of any entry.
    """

    def __init__(self, rules: np.recarray[Any, np.dtype[np.void]]) -> None:
        self._c = rules[0]
        placed: list[Piece] = []
        offset = 0
        for piece in self._schema():
            placed.append(Piece(**{**piece.__dict__, "offset": offset}))
            offset += piece.size
        self.pieces = tuple(placed)
        self.size = offset
        self.divisors = np.ones(offset, np.float32)
        for piece in self.pieces:
            tiled = np.broadcast_to(np.array(piece.divisors, np.float32), piece.shape)
            self.divisors[piece.offset : piece.offset + piece.size] = tiled.ravel()
        schema = "\n".join(f"{p.name} {p.shape} {p.entries} {p.divisors} {p.meaning}" for p in self.pieces)
        self.hash = hashlib.sha256(f"observation/{VERSION}\n{schema}".encode()).hexdigest()[:16]

    def _schema(self) -> list[Piece]:
        c, players = self._c, int(self._c.players)
        towers, levels = int(c.towers), int(c.levels)
        dice, seats = relative_colours(players), _seat_names(players)
        shown = [int(max(np.where(c.market_kind == r, c.market_amount, 0))) or 1 for r in range(8)]
        cards = [f"{name}/{i + 1}" for g, name in enumerate(GUILDS) for i in range(int(np.diff(c.first_influence)[g]))]
        tiles = _padded([f"die:{die}" for die in dice] + list(RESOURCES) + ["any_material"])
        amounts = self._tile_amounts()
        price = max(1, int(c.slot_price.max()))
        spaces = tuple(f"space {i}" for i in range(SPACES))
        card_most = [max(1, int(c.card[:, i].max())) for i in range(8)]
        goods_most = (10,) * 6 + (6, 6)
        works_most = (6, 6, 6, 6, 6, 6, 1, 1)
        numbers = ("rubles", "prestige", "past", "ahead", "room", "goods_prestige", "tower_prestige", "score")
        turn = max(1, math.ceil(int(c.turn_limit) / TURN_WHEEL))
        slots = (*(f"slot {name}" for name in dice[:4]), "slot white1", "slot white2")

        def piece(name: str, lead: tuple[int, ...], entries: tuple[str, ...], divisors: Any, meaning: str) -> Piece:
            whole = (divisors,) * len(entries) if isinstance(divisors, int) else tuple(divisors)
            return Piece(name, (*lead, len(entries)), entries, whole, meaning)

        sections: tuple[str, ...] = ("base", "middle", "dome", "finished")
        owners = tuple(f"banner {name}" if name != UNUSED else UNUSED for name in seats)
        ornaments = tuple(f"ornament {name}" if name != UNUSED else UNUSED for name in seats)
        if players <= 2:  # half a word each
            sections += (*owners[:2], *ornaments[:2])
        else:
            sections += ("on offer", UNUSED, UNUSED, UNUSED, *owners, *ornaments)
        return [
            piece("point", (), _padded(POINTS), 1, "the decision point that waits, one-hot"),
            piece(
                "turn",
                (),
                ("rerolled", "obtained", "worked", "influence open", "influence 1", "influence 2", "to move", UNUSED),
                1,
                "this turn: re-roll used, resources obtained, workshop used, the guild action may be repeated, which of "
                "its two actions is in use; whether the seat that sees is the one to move",
            ),
            piece("moved_die", (), _padded(dice), 1, "the die moved this turn, one-hot"),
            piece("landing", (), spaces, 1, "the space it landed on, one-hot"),
            piece(
                "waiting_material",
                (),
                (*MATERIALS, "any_material", "may refuse"),
                1,
                "take: the material that waits; gain: the one that is not given; pay: the first that may still be paid; "
                "one-hot, and whether nothing may be taken",
            ),
            piece(
                "waiting_count",
                (),
                (
                    "deliveries left",
                    "delivered",
                    "most to take",
                    "payments left",
                    "gains left",
                    UNUSED,
                    "hundreds",
                    "turns",
                ),
                (6, 1, 10, 6, 6, 1, turn, TURN_WHEEL),
                "what the decision points still owe, and the turn's number as hundreds and the rest",
            ),
            piece(
                "seats",
                (),
                (
                    *(f"turn {s}" if s != UNUSED else s for s in seats),
                    *(f"ending {s}" if s != UNUSED else s for s in seats),
                ),
                1,
                "whose turn it is, and who triggered the ending, one-hot each",
            ),
            piece("waiting_tile", (), tiles, amounts, "the tile that is to be placed: its amount"),
            piece(
                "waiting_tower", (), tuple(f"tower {i + 1}" for i in range(8)), 1, "tower of the section in question"
            ),
            piece("waiting_level", (), tuple(f"level {i + 1}" for i in range(8)), 1, "and its level"),
            piece("market", (8,), RESOURCES, shown, "market tile on each space: its amount"),
            piece("crowd", (), spaces, int(c.dice_per_space), "dice on each space"),
            piece("influence", (4,), _padded(cards), 1, "influence card in each quadrant, one-hot"),
            piece("die_space", (5,), spaces, 1, "where each die lies, in the order of moved_die, one-hot"),
            piece(
                "die_value",
                (5,),
                ("1", "2", "3", "4", "5", "6", "blocked", UNUSED),
                1,
                "what it shows, one-hot, and whether the space it would move to is full",
            ),
            piece(
                "die_yield",
                (5,),
                RESOURCES,
                [3 * amount for amount in shown],
                "what the space it would move to yields: amount of the tile times the dice there with it",
            ),
            piece(
                "supply", (), _padded(MATERIALS), [*(max(1, int(s)) for s in c.supply), 1, 1], "materials in the supply"
            ),
            piece(
                "standing",
                (towers,),
                (
                    *(f"presence {s}" if s != UNUSED else s for s in seats),
                    *(f"share {s}" if s != UNUSED else s for s in seats),
                ),
                (*((12,) * 4), *((self._most_worth(),) * 4)),
                "each tower as it would score now: presence and prestige of each seat (R-26, R-27)",
            ),
            piece("worth", (), tuple(f"tower {i + 1}" for i in range(8)), self._most_worth(), "value of each tower"),
            piece(
                "goods",
                (players,),
                (*MATERIALS, "inventory banners", "spare banners"),
                goods_most,
                "inventory of each seat: own, then the next seats in order",
            ),
            piece(
                "works",
                (players,),
                ("doors", "arches", "crosses", "claimed", "finished", "adorned", "white1 banner", "white2 banner"),
                works_most,
                "ornaments to hand, sections claimed and unfinished, finished, ornaments placed, banners on white slots",
            ),
            piece(
                "numbers",
                (players,),
                numbers,
                (RUBLES_CUT, PRESTIGE_CUT, GAP_CUT, GAP_CUT, 10, GOODS_CUT, TOWERS_CUT, SCORE_CUT),
                "rubles; prestige on the track, spaces past its prestige space and to the next; room in the inventory; "
                "prestige for goods and for towers, and all together, if the game ended now",
            ),
            piece(
                "workshop",
                (players, SLOTS),
                (*tiles[:14], "face down", "price"),
                (*amounts[:14], 1, price),
                "each workshop slot, " + ", ".join(slots) + ": amount of a face-up tile, a face-down tile, its price",
            ),
            piece(
                "slot_ornament",
                (players,),
                (*slots[:4], UNUSED, UNUSED, UNUSED, UNUSED),
                3,
                "ornament still on each coloured slot (advanced): 1 door, 2 arch, 3 cross",
            ),
            piece(
                "card",
                (towers, levels),
                (*(f"missing {m}" for m in MATERIALS), "rubles", "recognition"),
                card_most,
                "each section, tower by level: materials it still misses, rubles and recognition it will pay; "
                "0 once it is finished, and where the plan has no section",
            ),
            piece(
                "section",
                (towers, levels),
                sections,
                1,
                "its kind, whether it is finished, whose banner is on it, whose ornament",
            ),
            piece("section_tile", (towers, levels), tiles, amounts, "the workshop tile on it: its amount"),
        ]

    def _tile_amounts(self) -> tuple[int, ...]:
        """The largest amount of each kind of workshop tile: five dice, eight resources, any material."""
        c = self._c
        kinds = range(int(c.tile_kinds))
        most = [max([int(c.tile_amount[k]) for k in kinds if c.tile_resource[k] == r], default=1) for r in range(9)]
        return (1, 1, 1, 1, 1, *most, 1, 1)

    def _most_worth(self) -> int:
        """The value of a tower as tall as towers get, with an ornament on each section."""
        return max(1, int(self._c.levels) * int(self._c.worth_section + self._c.worth_ornament))

    def views(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of a vector (F,) or a batch (…, F): each piece by name, in its shape, float32."""
        lead = vector.shape[:-1]
        return {p.name: vector[..., p.offset : p.offset + p.size].reshape(*lead, *p.shape) for p in self.pieces}

    def numbers(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """The whole numbers behind a vector (F,) or a batch (…, F): each piece by name, int16."""
        whole = np.rint(vector * self.divisors).astype(np.int16)
        return self.views(whole)

    @cached_property
    def tables(self) -> np.recarray[Any, np.dtype[np.void]]:
        """VIEW for the compiled writer, an array of one record."""
        view = np.zeros(1, VIEW).view(np.recarray)
        v, c = view[0], self._c
        for piece in self.pieces:
            setattr(v, piece.name, piece.offset // 8)
        v.words = self.size // 8
        v.influence_words = next(p for p in self.pieces if p.name == "influence").shape[-1] // 8
        v.section_words = next(p for p in self.pieces if p.name == "section").shape[-1] // 8
        for tile in range(SPACES):
            v.market_word[tile] = int(c.market_amount[tile]) << (8 * int(c.market_kind[tile]))
        for seat in range(int(c.players)):
            for kind in range(int(c.tile_kinds)):
                die = int(c.tile_die[kind])
                entry = int(c.seen_as[seat, die]) if die >= 0 else 5 + int(c.tile_resource[kind])
                v.tile_word[seat, kind + 1, entry // 8] = int(c.tile_amount[kind]) << (8 * (entry % 8))
        return view


_NAMES = (
    "point turn moved_die landing waiting_material waiting_count seats waiting_tile waiting_tower waiting_level market "
    "crowd influence die_space die_value die_yield supply standing worth goods works numbers workshop slot_ornament card "
    "section section_tile"
).split()

VIEW = np.dtype(
    [(name, np.int32) for name in _NAMES]  # the first word of each piece
    + [
        ("words", np.int32),
        ("influence_words", np.int32),
        ("section_words", np.int32),
        ("market_word", np.uint64, (SPACES,)),  # by market tile
        (
            "tile_word",
            np.uint64,
            (SEATS, 17, 2),
        ),  # by the seat that sees and the kind of tile, one up: row 0 is no tile
    ],
    align=True,
)

_CARD, _GOODS, _WORKS, _CROWD, _SUPPLY = (
    (GAME.fields or {})[f][1] // 8 for f in ("card", "goods", "works", "crowd", "supply")
)


@rule
def byte(value, place):
    """A number in one of the eight places of a word."""
    return np.uint64(value) << np.uint64(8 * place)


@rule
def cut(value, most):
    """The number, or `most` if it is more."""
    return value if value < most else most


@rule
def observe(c, v, scale, g, w, me, words, numbers, out):
    """Write what seat `me` sees.

    `w` is the game's record as 64-bit words; `words` (F / 8,) uint64 is scratch, `numbers` (F,) uint8 the same memory;
    `scale` (F,) float32 is one over the divisors; `out` (F,) float32.
    """
    write_turn(c, v, g, me, words)
    write_market(c, v, g, w, me, words)
    write_towers(c, v, g, me, words)
    for i in range(c.players):
        write_seat(c, v, g, w, me, i, words)
    write_sections(c, v, g, w, me, words)
    for i in range(scale.shape[0]):
        out[i] = np.float32(numbers[i]) * scale[i]


@rule
def seen_from(c, me, seat):
    """How far round the table a seat sits from `me`: 0 is `me`."""
    return seat - me if seat >= me else seat - me + c.players


@rule
def write_turn(c, v, g, me, words):
    """The turn and the decision point that waits."""
    for i in range(v.market):
        words[i] = 0
    if g.depth == 0:
        return
    f = g.stack[g.depth - 1]
    point = f[0]
    words[v.point + (point >> 3)] = byte(1, point & 7)
    mine = g.seat == me
    words[v.turn] = (
        byte(g.rerolled, 0) | byte(g.obtained, 1) | byte(g.worked, 2) | byte(g.influence_open, 3) | byte(mine, 6)
    )
    if g.influenced >= 0:
        words[v.turn] |= byte(1, 4 + g.influenced)
    if g.die >= 0:
        words[v.moved_die] = byte(1, c.seen_as[me, g.die])
        words[v.landing] = byte(1, g.space)
    counts = byte(g.turn // TURN_WHEEL, 6) | byte(g.turn % TURN_WHEEL, 7)
    if point != START:
        if point == TAKE:
            words[v.waiting_material] = byte(1, 6 if f[1] == ANY else f[1]) | byte(f[3], 7)
            counts |= byte(f[2], 2)
        elif point == BUILD:
            counts |= byte(f[1], 0) | byte(f[2], 1)
        elif point == GEMS:
            counts |= byte(g.stack[g.depth - 2, 1], 0) | byte(1, 1)
            write_place(c, v, g, f[1], words)
        elif point == PLACE:
            write_place(c, v, g, f[1], words)
            kind = g.tile[f[1]] + 1
            words[v.waiting_tile] = v.tile_word[me, kind, 0]
            words[v.waiting_tile + 1] = v.tile_word[me, kind, 1]
        elif point == PAY:
            counts |= byte(f[2], 3)
            words[v.waiting_material] = byte(1, f[3])
        elif point == GAIN:
            counts |= byte(f[2], 4)
            if f[3] >= 0:
                words[v.waiting_material] = byte(1, f[3])
    words[v.waiting_count] = counts
    words[v.seats] = byte(1, seen_from(c, me, g.seat))
    if g.ending >= 0:
        words[v.seats] |= byte(1, SEATS + seen_from(c, me, g.ending))


@rule
def write_place(c, v, g, section, words):
    """The section that the decision is about."""
    words[v.waiting_tower] = byte(1, g.tower[section])
    words[v.waiting_level] = byte(1, g.level[section])


@rule
def write_market(c, v, g, w, me, words):
    """Market tiles, guild cards, dice and supply."""
    for space in range(SPACES):
        words[v.market + space] = v.market_word[g.market[space]]
    words[v.crowd] = w[_CROWD]
    words[v.supply] = w[_SUPPLY]
    for i in range(4 * v.influence_words):
        words[v.influence + i] = 0
    for quadrant in range(4):
        card = g.influence[quadrant]
        words[v.influence + quadrant * v.influence_words + (card >> 3)] = byte(1, card & 7)
    for seen in range(c.dice):
        die = c.seen[me, seen]
        space, value = g.die_space[die], g.die_value[die]
        words[v.die_space + seen] = byte(1, space)
        target = (space + value) % SPACES
        there = g.crowd[target]
        if there >= c.dice_per_space:
            words[v.die_value + seen] = byte(1, value - 1) | byte(1, 6)
            words[v.die_yield + seen] = 0
        else:
            words[v.die_value + seen] = byte(1, value - 1)
            words[v.die_yield + seen] = v.market_word[g.market[target]] * np.uint64(there + 1)


@rule
def write_towers(c, v, g, me, words):
    """Tower standings, own first."""
    worth = np.uint64(0)
    for tower in range(c.towers):
        worth |= byte(g.worth[tower], tower)
        word = np.uint64(0)
        seat = np.int64(me)
        for i in range(c.players):
            word |= byte(g.presence[tower, seat], i) | byte(g.share[tower, seat], SEATS + i)
            seat += 1
            if seat == c.players:
                seat = 0
        words[v.standing + tower] = word
    words[v.worth] = worth


@rule
def write_seat(c, v, g, w, me, i, words):
    """Goods, works, numbers and workshop of the i-th seat from `me` on."""
    seat = (me + i) % c.players
    words[v.goods + i] = w[_GOODS + seat]
    words[v.works + i] = w[_WORKS + seat]
    position = g.track[seat]
    around = position % c.track_length
    prestige = track.prestige(c, g, seat)
    towers = ending.tower_prestige(c, g, seat)
    goods = ending.goods_prestige(c, g, seat)
    # The space on which the marker stands is 0 past itself; before the first prestige space the start counts.
    past = position if prestige == 0 else (c.behind[(around + 1) % c.track_length] - 1)
    words[v.numbers + i] = (
        byte(cut(g.rubles[seat], RUBLES_CUT), 0)
        | byte(cut(prestige, PRESTIGE_CUT), 1)
        | byte(cut(past, GAP_CUT), 2)
        | byte(cut(c.ahead[around], GAP_CUT), 3)
        | byte(room(c, g, seat), 4)
        | byte(cut(goods, GOODS_CUT), 5)
        | byte(cut(towers, TOWERS_CUT), 6)
        | byte(cut(prestige + goods + towers, SCORE_CUT), 7)
    )
    ornaments = np.uint64(0)
    at = v.workshop + 2 * SLOTS * i
    for seen in range(SLOTS):
        slot = c.seen[me, seen]
        tile = g.slot_tile[seat, slot]
        up = g.slot_up[seat, slot]
        kind = tile + 1 if up else 0
        words[at + 2 * seen] = v.tile_word[me, kind, 0]
        words[at + 2 * seen + 1] = (
            v.tile_word[me, kind, 1] | byte(tile >= 0 and not up, 6) | byte(c.slot_price[seat, slot], 7)
        )
        if seen < 4:
            ornaments |= byte(g.slot_ornament[seat, slot] + 1, seen)
    words[v.slot_ornament + i] = ornaments


@rule
def write_sections(c, v, g, w, me, words):
    """The cathedral, tower by tower, each from base to dome."""
    section = 0
    cell = 0
    for tower in range(c.towers):
        height = g.height[tower]
        for level in range(c.levels):
            flags = v.section + v.section_words * cell
            tile = v.section_tile + 2 * cell
            if level < height:
                words[v.card + cell] = w[_CARD + section]
                word = byte(1, g.kind[section]) | byte(g.finished[section], 3)
                owner, ornament = g.owner[section], g.ornament[section]
                who = np.uint64(0)
                if owner >= 0:
                    who |= byte(1, seen_from(c, me, owner))
                if v.section_words == 1:
                    if ornament >= 0:
                        who |= byte(1, 2 + seen_from(c, me, ornament))
                    words[flags] = word | (who << np.uint64(32))
                else:
                    if ornament >= 0:
                        who |= byte(1, SEATS + seen_from(c, me, ornament))
                    words[flags] = word | byte(level == g.claimed[tower], 4)
                    words[flags + 1] = who
                kind = g.tile[section] + 1
                words[tile] = v.tile_word[me, kind, 0]
                words[tile + 1] = v.tile_word[me, kind, 1]
                section += 1
            else:
                words[v.card + cell] = 0
                words[flags] = 0
                if v.section_words == 2:
                    words[flags + 1] = 0
                words[tile] = 0
                words[tile + 1] = 0
            cell += 1
