"""The observation: one flat float32 vector, seen by one seat, made of named pieces.

Every entry is a small whole number divided by a constant: `vector[i] = number / divisor[i]`, from 0 to 1; numbers above
their divisor are cut there. The schema (`ObservationLayout.pieces`) says for each piece where it lies, its shape, what
it means and what its divisor is; offsets, named views, the documentation and the hash come from it.

The compiled writer (`layout/writer.py`) handles eight entries at a time, so each piece is a multiple of eight long.
Entries called `-` are always 0.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from rc_env.layout.actions import relative_colours
from rc_env.layout.writer import (
    GAP_CUT,
    GOODS_CUT,
    MOST_WORDS,
    PIECES,
    PRESTIGE_CUT,
    RUBLES_CUT,
    SCORE_CUT,
    TOWERS_CUT,
    TRACK_TABLE,
    TURN_WHEEL,
    VIEW,
)
from rc_env.rules.components import tile_parts
from rc_env.rules.data_file import MATERIALS, RESOURCES
from rc_env.rules.ivan import CARDS
from rc_env.rules.points import POINTS
from rc_env.rules.sizes import IVAN_CARDS, LEVELS, SEATS, SLOTS, SPACES, TILE_EFFECT

GUILDS = ("craftsmen", "teamsters", "merchants", "clergy")

VERSION = 1
"""Rises when an entry means something else than before."""

UNUSED = "-"


@dataclass(frozen=True)
class Piece:
    """A named part of the observation.

    `shape` ends with `len(entries)`; `divisors` has one value for each of `entries`; `offset` is the place of the
    first entry in the vector, `size` the number of entries.
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


def _seat_names(players: int, seats: int) -> tuple[str, ...]:
    return (*relative_colours(players)[:seats], *([UNUSED] * (SEATS - seats)))


def _tiles(c: Any) -> tuple[list[int], list[int]]:
    """Resource and amount of each kind of workshop tile; -1 and 0 of a die tile."""
    parts = [tile_parts(c, kind) for kind in range(int(c.tile_kinds))]
    return [part[1] for part in parts], [part[2] for part in parts]


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
        c, players, owning = self._c, int(self._c.players), int(self._c.seats)
        solo = players == 1
        towers, levels = int(c.towers), LEVELS
        dice, seats = relative_colours(players), _seat_names(players, owning)
        shown = [int(max(np.where(c.market_kind == r, c.market_amount, 0))) or 1 for r in range(8)]
        most_cards = int(np.diff(c.first_influence).max())
        tiles = _padded([f"die:{die}" for die in dice] + list(RESOURCES) + ["any_material"])
        amounts = self._tile_amounts()
        price = max(1, int(c.slot_price.max()))
        spaces = tuple(f"space {i}" for i in range(SPACES))
        card_most = [max(1, int(c.card[:, i].max())) for i in range(8)]
        most_cost = int(c.card[:, :6].sum(1).max())
        if solo:  # Ivan lays any kind, so that one may be all of it
            card_most[:7] = [most_cost] * 6 + [max(most_cost, card_most[6])]
        piles = [*(max(1, int(s)) for s in c.supply), 1, 1]
        goods_most = (10,) * 6 + (6, 6)
        works_most = (6, 6, 6, 6, 6, 6, 1, 1)
        numbers = ("rubles", "prestige", "past", "ahead", "room", "goods_prestige", "tower_prestige", "score")
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
        of_ivan = [
            piece(
                "ivan_turn",
                (),
                _padded(["claim", "adorn", "door", "arch", "cross"]),
                1,
                "what is to be chosen for Ivan; his next ornament",
            ),
            piece(
                "ivan_tile",
                (IVAN_CARDS,),
                _padded([*(f"die {die}" for die in dice), "face up", "next"]),
                1,
                "the tile on each of his cards from left to right: its die, whether it is face up, and whether it is "
                "the one for his next turn",
            ),
            piece(
                "ivan_goods", (2,), _padded(MATERIALS), piles, "materials on his Inventory and his Construction card"
            ),
        ]
        return [
            # What any decision may change.
            piece("point", (), _padded(POINTS), 1, "the decision point that waits, one-hot"),
            piece(
                "turn",
                (),
                ("rerolled", "obtained", "worked", "influence open", "influence 1", "influence 2", "to move", UNUSED),
                1,
                "this turn: re-roll used, resources obtained, workshop used, the guild action may be repeated, which "
                "of its two actions is in use; whether the seat that sees is the one to move",
            ),
            piece("moved_die", (), _padded(dice), 1, "the die moved this turn, one-hot"),
            piece("landing", (), spaces, 1, "the space it landed on, one-hot"),
            piece(
                "waiting_material",
                (),
                (*MATERIALS, "any_material", "may refuse"),
                1,
                "take: the material that waits; gain: the one that is not given; pay: the first that may still be "
                "paid; one-hot, and whether nothing may be taken",
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
                (6, 1, 10, 6, 6, 1, TURN_WHEEL, TURN_WHEEL),
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
                "waiting_place",
                (),
                _padded([f"tower {i + 1}" for i in range(towers)] + [f"level {i + 1}" for i in range(levels)]),
                1,
                "the section in question: its tower and its level, one-hot each",
            ),
            piece("crowd", (), spaces, int(c.dice_per_space), "dice on each space"),
            piece("supply", (), _padded(MATERIALS), piles, "materials in the supply"),
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
                "goods",
                (owning,),
                (*MATERIALS, "inventory banners", "spare banners"),
                goods_most,
                "inventory of each seat: own, then the next seats in order",
            ),
            piece(
                "works",
                (owning,),
                ("doors", "arches", "crosses", "claimed", "finished", "adorned", "white1 banner", "white2 banner"),
                works_most,
                "ornaments to hand, sections unfinished and finished, ornaments placed, banners on white slots",
            ),
            piece(
                "numbers",
                (owning,),
                numbers,
                (RUBLES_CUT, PRESTIGE_CUT, GAP_CUT, GAP_CUT, 10, GOODS_CUT, TOWERS_CUT, SCORE_CUT),
                "rubles; prestige on the track, spaces past its prestige space and to the next; room in the inventory; "
                "prestige for goods and for towers, and all together, if the game ended now",
            ),
            *(of_ivan if solo else []),
            # The board, which fewer decisions change.
            piece("market", (8,), RESOURCES, shown, "market tile on each space: its amount"),
            piece(
                "influence",
                (4,),
                _padded([*GUILDS, *(f"card {i + 1}" for i in range(most_cards))]),
                1,
                "guild in each quadrant and number of its card, one-hot each",
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
            piece(
                "worth",
                (),
                _padded([f"tower {i + 1}" for i in range(towers)]),
                self._most_worth(),
                "value of each tower",
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
                "0 once it is finished, and where the plan has no section"
                + (
                    "; of a section of Ivan's the materials that lie on it, and for rubles, which he is not paid, how "
                    "many of any kind it still misses"
                    if solo
                    else ""
                ),
            ),
            piece(
                "section",
                (towers, levels),
                sections,
                1,
                "its kind, whether it is finished, whose banner is on it, whose ornament",
            ),
            piece("section_tile", (towers, levels), tiles, amounts, "the workshop tile on it: its amount"),
            *(
                [piece("ivan_card", (IVAN_CARDS,), _padded(CARDS), 1, "Ivan's cards from left to right")]
                if solo
                else []
            ),
        ]

    def _tile_amounts(self) -> tuple[int, ...]:
        """The largest amount of each kind of workshop tile: five dice, eight resources, any material."""
        c = self._c
        kinds = range(int(c.tile_kinds))
        resource, amount = _tiles(c)
        most = [max([int(amount[k]) for k in kinds if resource[k] == r], default=1) for r in range(9)]
        return (1, 1, 1, 1, 1, *most, 1, 1)

    def _most_worth(self) -> int:
        """The value of a tower as tall as towers get, with an ornament on each section."""
        return max(1, LEVELS * int(self._c.worth_section + self._c.worth_ornament))

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
        solo = int(self._c.players) == 1
        assert [p.name for p in self.pieces] == [name for name in PIECES if solo or not name.startswith("ivan")]
        assert self.size <= 8 * MOST_WORDS
        view = np.zeros(1, VIEW).view(np.recarray)
        v, c = view[0], self._c
        resource, amount = _tiles(c)
        for piece in self.pieces:
            setattr(v, piece.name, piece.offset // 8)
        v.words, v.moment_words = self.size // 8, v.market
        v.scale[: self.size] = np.float32(1) / self.divisors
        v.influence_words = next(p for p in self.pieces if p.name == "influence").shape[-1] // 8
        v.section_words = next(p for p in self.pieces if p.name == "section").shape[-1] // 8
        for position in range(TRACK_TABLE):
            lap, around = divmod(position, int(c.track_length))
            prestige = lap * int(c.lap_prestige) + int(c.prestige_at[around])
            past, ahead = int(c.past[around]) if prestige else position, int(c.ahead[around])
            numbers = min(prestige, PRESTIGE_CUT), min(past, GAP_CUT), min(ahead, GAP_CUT)
            v.track_word[position] = sum(number << 8 * (1 + i) for i, number in enumerate(numbers))
            v.track_prestige[position] = prestige
        for tile in range(SPACES):
            v.market_word[tile] = int(c.market_amount[tile]) << (8 * int(c.market_kind[tile]))
        for guild in range(len(GUILDS)):
            first = int(c.first_influence[guild])
            for card in range(first, int(c.first_influence[guild + 1])):
                v.influence_word[card, 0] = 1 << 8 * guild
                entry = len(GUILDS) + card - first
                v.influence_word[card, entry // 8] += np.uint64(1 << 8 * (entry % 8))
        for seat in range(int(c.players)):
            for other in range(int(c.seats)):
                place = (other - seat) % int(c.seats)
                narrow = v.section_words == 1
                v.banner_word[seat, other + 1] = 1 << 8 * (place + (4 if narrow else 0))
                v.ornament_word[seat, other + 1] = 1 << 8 * (place + (6 if narrow else SEATS))
            for kind in range(int(c.tile_kinds)):
                die = int(c.effect_die[TILE_EFFECT + kind])
                entry = int(c.die_seen_as[seat, die]) if die >= 0 else 5 + resource[kind]
                v.tile_word[seat, kind + 1, entry // 8] = (1 if die >= 0 else amount[kind]) << (8 * (entry % 8))
        return view
