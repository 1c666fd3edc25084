"""The observation: whole numbers of at most a byte, seen by one seat, made of named pieces.

It is a function of the number of players alone: neither the data file nor the side of the workshop boards changes what
an entry means. Every entry has a constant divisor, the largest number that it can hold; as bytes an observation is the
numbers themselves, as floats `number / divisor`, from 0 to 1. The schema (`ObservationLayout.pieces`) says for each
piece where it lies, its shape, what it means and what its divisors are; offsets, named views, the documentation and the
hash come from it.

The compiled writer (`layout/writer.py`) handles eight entries at a time, so each piece is a multiple of eight long.
Entries called `-` are always 0.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rc_env.layout.actions import relative_colours
from rc_env.layout.writer import (
    EFFECT_WORDS,
    GAP_CUT,
    GOODS_CUT,
    PIECES,
    PRESTIGE_CUT,
    RUBLES_CUT,
    SCORE_CUT,
    TILE_WORDS,
    TOWERS_CUT,
    TURN_WHEEL,
)
from rc_env.rules import data_file, vocabulary
from rc_env.rules.ivan import CARDS
from rc_env.rules.points import POINTS
from rc_env.rules.sizes import (
    COLOURS,
    DICE,
    DICE_PER_SPACE,
    DIE_NAMES,
    INVENTORY_SPACES,
    IVAN_CARDS,
    LEVELS,
    MATERIAL_NAMES,
    MATERIALS,
    ORNAMENT_NAMES,
    QUADRANTS,
    RESOURCE_NAMES,
    RESOURCES,
    SEATS,
    SECTIONS_PER_PLAYER,
    SIDES,
    SLOTS,
    SPACES,
    WHITE_SLOTS,
    WIDTH,
    WORD,
    whole_words,
)

VERSION = 2
"""Rises when an entry means something else than before."""

UNUSED = "-"

# The ends of the ranges that a data file is held to: the largest numbers that entries can hold.
_AMOUNT, _PRICE, _POINTS = vocabulary.AMOUNT[1], vocabulary.PRICE[1], data_file.POINTS[1]
_SUPPLY, _COST = data_file.SUPPLY[1], data_file.COST[1]
_WORTH = LEVELS * 2 * data_file.VALUE[1]  # of a tower as tall as towers get, with an ornament on each section
_PRESENCE = LEVELS * 2
_DELIVERIES = data_file.DELIVERIES[1]
_PAYMENTS, _EACH, _GAINS = 4, 6, 9  # of a guild action


@dataclass(frozen=True)
class Piece:
    """A named part of the observation.

    `shape` ends with `len(entries)`; `divisors` has one value for each of `entries`, the largest number that it can
    hold (1 for an unused one); `offset` is the place of the first entry in the vector, `size` the number of entries.
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


Entries = Iterable[tuple[str, int]]
"""Names of entries, each with its divisor."""


def _piece(name: str, lead: tuple[int, ...], entries: Entries, meaning: str, words: int = 1) -> Piece:
    """A piece whose entries are filled up with unused ones to whole words, at least `words` of them."""
    told = list(entries)
    told += [(UNUSED, 1)] * (max(whole_words(len(told)), WORD * words) - len(told))
    names, divisors = zip(*told, strict=True)
    return Piece(name, (*lead, len(told)), names, divisors, meaning)


def _each(names: Iterable[str], divisor: int = 1) -> list[tuple[str, int]]:
    """Entries that share a divisor; unused ones keep theirs."""
    return [(name, 1 if name == UNUSED else divisor) for name in names]


def _materials(prefix: str, divisor: int = 1) -> list[tuple[str, int]]:
    return _each((f"{prefix}{material}" for material in MATERIAL_NAMES), divisor)


class ObservationLayout:
    """The schema of the observations of a number of players: 2, 3 or 4, or 1 for the solo game.

    Attributes:
        players: the number of players.
        size: F, the number of entries.
        pieces: every piece, in order.
        divisors: (F,) uint8, the largest number of each entry, and what it is divided by where floats are asked for.
        hash: 16 hex digits that change with the meaning of any entry.
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.seats = max(players, 2)  # that own sections: in the solo game Ivan's too
        self.towers = self.seats + 2
        self.solo = players == 1
        # Names of the colours as any seat sees them, and of the seats, filled up to four.
        self._dice = relative_colours(players)
        self._owners = (*self._dice[: self.seats], *([UNUSED] * (SEATS - self.seats)))
        placed: list[Piece] = []
        offset = 0
        for piece in self._schema():
            placed.append(replace(piece, offset=offset))
            offset += piece.size
        self.pieces = tuple(placed)
        self.size = offset
        self.divisors = np.concatenate(
            [np.broadcast_to(np.array(piece.divisors, np.uint8), piece.shape).ravel() for piece in self.pieces]
        )
        self.divisors.flags.writeable = False
        schema = "\n".join(f"{p.name} {p.shape} {p.entries} {p.divisors} {p.meaning}" for p in self.pieces)
        self.hash = hashlib.sha256(f"observation/{VERSION}\n{schema}".encode()).hexdigest()[:16]

    def _schema(self) -> list[Piece]:
        """Every piece, without its offset, in the order of `writer.PIECES`."""
        moment = [*self._of_the_turn(), *self._of_the_dice(), *self._of_the_seats()]
        board = [*self._of_the_market(), *self._of_the_workshops(), *self._of_the_cathedral(), *self._of_the_rules()]
        if self.solo:
            moment += self._of_ivan()
            board.append(_piece("ivan_card", (IVAN_CARDS,), _each(CARDS), "Ivan's cards from left to right"))
        order = {name: i for i, name in enumerate(PIECES)}
        return sorted([*moment, *board], key=lambda piece: order[piece.name])

    def _by_seat(self, prefix: str, divisor: int = 1) -> list[tuple[str, int]]:
        """An entry a seat, own first; unused ones for the seats that are not there."""
        return _each((name if name == UNUSED else f"{prefix} {name}" for name in self._owners), divisor)

    def _tile(self) -> list[tuple[str, int]]:
        """What a tile may give, each with its largest amount."""
        dice = _each(f"die:{die}" for die in self._dice)
        return [*dice, *_each(RESOURCE_NAMES, _AMOUNT), ("any_material", 1)]

    def _of_the_turn(self) -> list[Piece]:
        spaces = _each(f"space {i}" for i in range(SPACES))
        flags = ("rerolled", "obtained", "worked", "influence open", "influence 1", "influence 2", "to move")
        owed = [
            ("deliveries left", _DELIVERIES),
            ("delivered", 1),
            ("most to take", INVENTORY_SPACES),
            ("payments left", _PAYMENTS),
            ("gains left", _GAINS),
            (UNUSED, 1),
            ("hundreds", TURN_WHEEL),
            ("turns", TURN_WHEEL),
        ]
        towers = [f"tower {i + 1}" for i in range(self.towers)]
        gap = [UNUSED] * (whole_words(self.towers + 1) - self.towers - 1)
        return [
            _piece("point", (), _each(POINTS), "the current decision point, one-hot"),
            _piece(
                "turn",
                (),
                _each(flags),
                "this turn: re-roll used, resources obtained, workshop used, the guild action may be repeated, which "
                "of its two actions is in use; whether the seat that sees is the one to move",
            ),
            _piece("moved_die", (), _each(self._dice), "the die moved this turn, one-hot"),
            _piece("landing", (), spaces, "the space it landed on, one-hot"),
            _piece(
                "waiting_material",
                (),
                [*_materials(""), ("any_material", 1), ("may refuse", 1)],
                "take: the material that is offered; gain: the one that is not given; pay: the first that may still be "
                "paid; one-hot, and whether nothing may be taken",
            ),
            _piece(
                "waiting_count",
                (),
                owed,
                "what is left to do at the decision points, and the turn's number as hundreds and the rest",
            ),
            _piece(
                "seats",
                (),
                [*self._by_seat("turn"), *self._by_seat("ending")],
                "whose turn it is, and who triggered the ending, one-hot each",
            ),
            _piece("waiting_tile", (), self._tile(), "the tile that is to be placed: its amount", TILE_WORDS),
            _piece(
                "waiting_place",
                (),
                [*_each([*towers, *gap]), ("level", LEVELS)],
                "the section in question: its tower, one-hot, and its level, from 1; 0 where there is none",
            ),
        ]

    def _of_the_dice(self) -> list[Piece]:
        spaces = [f"space {i}" for i in range(SPACES)]
        values = ("1", "2", "3", "4", "5", "6", "blocked")
        return [
            _piece("crowd", (), _each(spaces, DICE_PER_SPACE), "dice on each space"),
            _piece("supply", (), _materials("", _SUPPLY), "materials in the supply", WIDTH // WORD),
            _piece("die_space", (DICE,), _each(spaces), "where each die lies, in the order of moved_die, one-hot"),
            _piece(
                "die_value",
                (DICE,),
                _each(values),
                "what it shows, one-hot, and whether the space it would move to is full",
            ),
            _piece(
                "die_yield",
                (DICE,),
                _each(RESOURCE_NAMES, DICE_PER_SPACE * _AMOUNT),
                "what the space it would move to yields: amount of the tile times the dice there with it",
            ),
        ]

    def _of_the_seats(self) -> list[Piece]:
        counts = ("doors", "arches", "crosses", "claimed", "finished", "adorned")
        numbers = [
            ("rubles", RUBLES_CUT),
            ("prestige", PRESTIGE_CUT),
            ("past", GAP_CUT),
            ("room", INVENTORY_SPACES),
            ("goods_prestige", GOODS_CUT),
            ("tower_prestige", TOWERS_CUT),
            ("score", SCORE_CUT),
        ]
        banners = _each(("inventory banners", "spare banners"), SECTIONS_PER_PLAYER)
        return [
            _piece(
                "goods",
                (self.seats,),
                [*_materials("", INVENTORY_SPACES), *banners],
                "inventory of each seat: own, then the next seats in order",
            ),
            _piece(
                "works",
                (self.seats,),
                [*_each(counts, SECTIONS_PER_PLAYER), *_each(f"{slot} banner" for slot in WHITE_SLOTS)],
                "ornaments to hand, sections unfinished and finished, ornaments placed, banners on white slots",
            ),
            _piece(
                "numbers",
                (self.seats,),
                numbers,
                "rubles; prestige on the track, and spaces past its prestige space; room in the inventory; prestige "
                "for goods and for towers, and all together, if the game ended now",
            ),
            _piece(
                "prestige_ahead",
                (self.seats,),
                _each((f"prestige +{i + 1}" for i in range(WORD)), GAP_CUT),
                "spaces from the marker to each of the next eight prestige spaces",
            ),
        ]

    def _of_ivan(self) -> list[Piece]:
        numbers = [("card recognition", _POINTS), ("card materials", _POINTS), ("ornament prestige", data_file.GEMS[1])]
        return [
            _piece(
                "ivan_turn",
                (),
                [*_each(("claim", "adorn", *ORNAMENT_NAMES)), *numbers],
                "what is to be chosen for Ivan; his next ornament; what his Recognition card, his Inventory card and "
                "an ornament give him",
            ),
            _piece(
                "ivan_tile",
                (IVAN_CARDS,),
                _each([*(f"die {die}" for die in self._dice), "face up", "next"]),
                "the tile on each of his cards from left to right: its die, whether it is face up, and whether it is "
                "the one for his next turn",
            ),
            _piece(
                "ivan_goods",
                (2,),
                _materials("", _SUPPLY),
                "materials on his Inventory and his Construction card",
                WIDTH // WORD,
            ),
        ]

    def _of_the_market(self) -> list[Piece]:
        does = [
            ("price", _PRICE),
            ("payments", _PAYMENTS),
            ("each", _EACH),
            *_materials("pay "),
            ("condition", 1),
            *_each(("rubles", "recognition", "prestige"), _PRICE),
            ("gains", _GAINS),
            *_materials("gain "),
            ("deliveries", _DELIVERIES),
            *_each(("tiles", "swaps", "unlimited")),
        ]
        return [
            _piece("market", (SPACES,), _each(RESOURCE_NAMES, _AMOUNT), "market tile on each space: its amount"),
            _piece(
                "guild",
                (QUADRANTS, SIDES),
                does,
                "each action of the guild card in each quadrant: rubles that it costs; how many payments, how many "
                "materials each of them gives away, and which may be given; whether it needs a base, a middle and a "
                "dome finished; rubles, recognition and prestige received; how many materials of choice are received, "
                "and which may be; deliveries, workshop tiles activated, pairs of market tiles swapped; whether it may "
                "be repeated",
                EFFECT_WORDS,
            ),
        ]

    def _of_the_workshops(self) -> list[Piece]:
        slots = (*(f"slot {name}" for name in self._dice[: len(COLOURS)]), *(f"slot {name}" for name in WHITE_SLOTS))
        coloured = [*slots[: len(COLOURS)], *([UNUSED] * (SLOTS - len(COLOURS)))]
        return [
            _piece(
                "workshop",
                (self.players, SLOTS),
                [*self._tile(), ("face down", 1), ("price", _PRICE)],
                "each workshop slot, " + ", ".join(slots) + ": amount of a face-up tile, a face-down tile, its price",
                TILE_WORDS,
            ),
            _piece(
                "slot_ornament",
                (self.players,),
                _each(coloured, len(ORNAMENT_NAMES)),
                "ornament still on each coloured slot (advanced): 1 door, 2 arch, 3 cross",
            ),
        ]

    def _of_the_cathedral(self) -> list[Piece]:
        owners, ornaments = self._by_seat("banner"), self._by_seat("ornament")
        flags = _each(("base", "middle", "dome", "finished"))
        if self.players <= 2:  # half a word each
            flags += [*owners[:2], *ornaments[:2]]
        else:
            flags += [("on offer", 1), *([(UNUSED, 1)] * 3), *owners, *ornaments]
        every = (self.towers, LEVELS)
        ivans = (
            "; of a section of Ivan's the materials that lie on it, and for rubles, which he is not paid, how many of "
            "any kind it still misses"
        )
        return [
            _piece(
                "standing",
                (self.towers,),
                [*self._by_seat("presence", _PRESENCE), *self._by_seat("share", _WORTH)],
                "each tower as it would score now: presence and prestige of each seat (R-26, R-27)",
            ),
            _piece("worth", (), _each((f"tower {i + 1}" for i in range(self.towers)), _WORTH), "value of each tower"),
            _piece(
                "card",
                every,
                [*_materials("missing ", _COST), *_each(("rubles", "recognition"), _POINTS)],
                "each section, tower by level: materials it still misses, rubles and recognition it will pay; 0 once "
                "it is finished, and where the plan has no section" + (ivans if self.solo else ""),
            ),
            _piece("section", every, flags, "its kind, whether it is finished, whose banner is on it, whose ornament"),
            _piece("section_tile", every, self._tile(), "the workshop tile on it: its amount", TILE_WORDS),
        ]

    def _of_the_rules(self) -> list[Piece]:
        return [
            _piece(
                "rules",
                (),
                RULES_ENTRIES,
                "numbers of the data file that matter all game long: rubles for a prestige and prestige for a re-roll "
                "(R-10), rubles for a further step of a die, deliveries of a build action, prestige for gems (R-17), "
                "prestige for the ending, materials and rubles for a prestige at the end, what a section and an "
                "ornament add to a tower, by what a share is divided for the next place and with two players, and the "
                "material of each kind of ornament, counted from 1",
            )
        ]

    def views(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """Named views of a vector (F,) or a batch (…, F): each piece by name, in its shape, of the vector's dtype."""
        lead = vector.shape[:-1]
        return {p.name: vector[..., p.offset : p.offset + p.size].reshape(*lead, *p.shape) for p in self.pieces}

    def numbers(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """The whole numbers of a vector (F,) or a batch (…, F), of float32 or uint8: each piece by name, int16."""
        whole = vector if vector.dtype == np.uint8 else np.rint(vector * self.divisors)
        return self.views(whole.astype(np.int16))


RULES_ENTRIES: Sequence[tuple[str, int]] = (
    ("rubles a prestige", data_file.OPTIONAL[1]),
    ("prestige a re-roll", _AMOUNT),
    ("rubles a step", _PRICE),
    ("deliveries", _DELIVERIES),
    *_each(("one gem", "two equal gems", "two different gems"), data_file.GEMS[1]),
    ("ending prestige", _POINTS),
    ("goods a prestige", data_file.GOODS[1]),
    *_each(("section value", "ornament value"), data_file.VALUE[1]),
    *_each(("share divisor", "share divisor of two"), data_file.DIVISOR[1]),
    *_each((f"{kind} material" for kind in ORNAMENT_NAMES), MATERIALS),
)
"""The entries of the piece `rules`, in order."""

assert len(DIE_NAMES) == DICE and len(RESOURCE_NAMES) == RESOURCES
