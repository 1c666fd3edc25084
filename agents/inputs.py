"""The inputs of a network: the numbers of the observation, and the features of `features.py`, computed from them.

The inputs also name the *objects* that actions are about (moves, sections, towers, slots, spaces, guild actions), so
that a network can judge all objects of a kind alike.

Inputs are whole numbers of a byte, as the observation is. A network takes `(input - zero) / divisor` of each.

Shape letters as in `rc_env.bot`: N games, F features of an observation, A actions; I inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import features, features_full
from rc_env.jit import records
from rc_env.layout.pieces import UNUSED, Piece
from rc_env.rules.printed.sizes import (
    BLACK_DIE,
    CITIES,
    MATERIALS,
    QUADRANTS,
    RESOURCES,
    SIDES,
    SLOTS,
    SPACES,
    SPECIALIST_SLOTS,
)
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset

VERSION = 3
"""Version of the inputs; it rises when the meaning of an input changes."""

LEFT_OUT = ("guild", "section_tile")
"""Pieces of the observation that are inputs in other words only: summaries of the guild cards, the next tiles."""

USUAL: Mapping[str, Mapping[str, float] | float] = {
    "waiting_count": {"deliveries left": 6, "delivered": 1, "most to take": 10, "payments left": 6, "gains left": 6},
    "waiting_tile": {"rubles": 2, "": 1},
    "crowd": 3,
    "supply": 20,
    "die_yield": 6,
    "goods": {"inventory banners": 6, "spare banners": 6, "": 10},
    "works": {"white1 banner": 1, "white2 banner": 1, "": 6},
    "numbers": {"rubles": 40, "prestige": 80, "past": 10, "room": 10, "goods_prestige": 20, "tower_prestige": 80,
                "score": 120},
    "ivan_turn": {"card recognition": 16, "card materials": 16, "ornament prestige": 4},
    "ivan_goods": 20,
    "market": 2,
    "standing": 12,
    "worth": 12,
    "workshop": {"rubles": 2, "price": 3, "": 1},
    "slot_ornament": 3,
    "card": {"rubles": 4, "recognition": 6, "": 3},
    "rules": 64,
}  # fmt: skip
"""The size that entries of a piece usually have, squared: by name of the entry, with "" for the others of the piece.
Where nothing is said it is the divisor, which flags have as 1."""


@dataclass(frozen=True)
class Objects:
    """Objects of one kind, each with inputs of its own and actions that are about it.

    Attributes:
        name: of the kind.
        slices: (offset, width, sharing) of the inputs: so many objects in turn share `width` inputs; the first ones
            have those from `offset` on, the next ones those behind, in each slice.
        actions: (objects, outputs) int64, the numbers of the actions that are about an object.
    """

    name: str
    slices: tuple[tuple[int, int, int], ...]
    actions: NDArray[np.int64]

    @property
    def width(self) -> int:
        """Inputs of one object."""
        return sum(width for _, width, _ in self.slices)


class Inputs:
    """The inputs of one variant.

    The first inputs are entries of the observation, as they are: all but unused ones and the pieces of LEFT_OUT. Then
    follows what is worked out. Numbers that are higher than a byte holds, or lower, are cut.

    Attributes:
        size: I.
        features: F, the entries of an observation.
        zero: (I,) uint8, the byte that means 0.
        divisors: (I,) float32, the size that an input usually has, so that one more ruble and one more door are of
            comparable weight to a network.
        scale: (I,) float32, one over the divisors. A network sees `(input - zero) * scale`.
        shared: the first so many inputs are for all; behind them lie those of the moves, which matter to moves alone.
        objects: the kinds of objects.
        rest: (K,) int64, the numbers of the actions that are about none.
        order: (A,) int64, where each action stands in the rest, followed by the actions of all objects, kind by kind.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
        layout, actions = ruleset.observations, ruleset.actions.actions
        self.features = layout.size
        pieces = {piece.name: piece for piece in layout.pieces}
        towers, levels = pieces["card"].shape[:2]
        moves = [action.argument[:2] for action in actions if action.verb == Verb.MOVE]
        moves += [(BLACK_DIE, action.argument[0]) for action in actions if action.verb == Verb.MOVE_BLACK]
        self.moves = np.array(moves, np.int64)

        # What is taken as it is: the entry of each input, and where the rows of a piece lie among the inputs.
        source: list[int] = []
        usual: list[float] = []
        place: dict[str, tuple[int, int]] = {}
        for piece in layout.pieces:
            if piece.name in LEFT_OUT:
                continue
            kept = [k for k, entry in enumerate(piece.entries) if entry != UNUSED]
            place[piece.name] = (len(source), len(kept))
            for row in range(piece.size // len(piece.entries)):
                source += [piece.offset + row * len(piece.entries) + k for k in kept]
                usual += [_usual(piece, k) for k in kept]
        self._source = np.array(source, np.int64)

        # What is worked out.
        zero = [0] * len(source)
        tile = [entry for entry in pieces["section_tile"].entries if entry != UNUSED]
        claims = features.claim_notes(len(tile))
        more: list[tuple[str, int, features_full.Notes, None]] = []
        if ruleset.full:
            more = [
                ("slots", pieces["workshop"].shape[0] * SLOTS, features_full.SLOT, None),
                ("tower_more", towers, features_full.TOWER_MORE, None),
                ("offers", SPECIALIST_SLOTS, features_full.OFFER, None),
                ("city_notes", CITIES, features_full.CITY, None),
                ("hand_more", 1, features_full.HAND_MORE, None),
                ("here", SIDES, features_full.HERE, None),
            ]
        begin: dict[str, int] = {}
        for name, count, notes, nought in (
            ("lacking", 1, features.LACKING, [features.ZERO_LACKING] * MATERIALS),
            ("hand", 1, features.HAND, [0] * (len(features.HAND) - 4) + [features.ZERO_LEAD] * 4),
            ("tower_notes", towers, features.TOWER, [features.ZERO_PRESENCE] * features.TOWER_SIZE),
            ("sections", towers * levels, features.SECTION, None),
            ("claims", towers, claims, None),
            ("guilds", QUADRANTS * SIDES, features.GUILD, None),
            ("space", 1, features.SPACE, None),
            *more,
            ("moves", len(self.moves), features.MOVE, None),
            *([("moves_more", len(self.moves), features_full.MOVE_MORE, None)] if ruleset.full else []),
        ):
            begin[name] = len(usual)
            usual += [size for _, size in notes] * count
            zero += (nought or [0] * len(notes)) * count
        self.size, self.shared = len(usual), begin["moves"]
        self.divisors = np.sqrt(np.array(usual, np.float32))
        self.scale = np.float32(1) / self.divisors
        self.zero = np.array(zero, np.uint8)

        numbers, section = pieces["numbers"].entries, pieces["section"].entries
        self._at = records(np.zeros(1, features.AT))
        for name, value in {
            **{name: pieces[name].offset for name in features.FROM},
            **{f"{name}_width": pieces[name].shape[-1] for name in features.FROM},
            **{name: numbers.index(name) for name in ("rubles", "prestige", "room", "score", "tower_prestige")},
            "deliveries": pieces["rules"].offset + pieces["rules"].entries.index("deliveries"),
            "finished": section.index("finished"),
            "done": pieces["works"].entries.index("finished"),
            "banners": section.index("banner own"),
            "presence": pieces["standing"].entries.index("presence own"),
            "seats": ruleset.seats, "towers": towers, "levels": levels,
            "tile_size": len(tile), "tile_resources": tile.index("lumber"), "claim_size": len(claims),
            "full": ruleset.full, "specialist": pieces["specialist"].offset if ruleset.full else 0,
            **{name: begin[name] for name in features.WORKED_OUT},
        }.items():  # fmt: skip
            self._at[name] = value
        self._at_full = records(np.zeros(1, features_full.AT))
        if ruleset.full:
            for name, value in features_full.places(pieces, ruleset.seats, begin).items():
                self._at_full[name] = value

        def numbered(verb: Verb) -> NDArray[np.int64]:
            return np.array([number for number, action in enumerate(actions) if action.verb == verb], np.int64)

        def rows(name: str, sharing: int = 1) -> tuple[int, int, int]:
            return (*place[name], sharing)

        def of_each(verb: Verb, objects: int) -> list[NDArray[np.int64]]:
            """The actions of a verb, object by object: none in the base game if only the full game has it."""
            return [numbered(verb).reshape(objects, -1)]

        sections = towers * levels
        in_tower = [(begin["tower_notes"], features.TOWER_SIZE)]
        of_move, of_section, of_slot = [(begin["moves"], features.MOVE_SIZE, 1)], [], [rows("workshop")]
        of_space = [(place["crowd"][0], 1, 1), rows("market")]
        of_guild = [(begin["space"] + RESOURCES, features.GUILD_SIZE, 1)]
        if ruleset.full:
            in_tower.append((begin["tower_more"], features_full.TOWER_MORE_SIZE))
            of_move.append((begin["moves_more"], features_full.MOVE_MORE_SIZE, 1))
            of_section.append((place["section_diamonds"][0], 1, 1))
            of_slot.append((begin["slots"], features_full.SLOT_SIZE, 1))
            of_space.append((place["market_permits"][0], 1, 1))
            of_guild.append((begin["here"], features_full.GUILD_MORE, 1))
        deliver = numbered(Verb.DELIVER).reshape(MATERIALS, sections).T
        self.objects: tuple[Objects, ...] = (
            Objects("moves", tuple(of_move), np.concatenate([numbered(Verb.MOVE), numbered(Verb.MOVE_BLACK)])[:, None]),
            Objects(
                "claims",
                (
                    (begin["claims"], len(claims), 1),
                    *((at, width, 1) for at, width in in_tower),
                    rows("standing"),
                ),
                numbered(Verb.CLAIM).reshape(towers, -1),
            ),
            Objects(
                "sections",
                (
                    rows("card"),
                    rows("section"),
                    (begin["sections"], features.SECTION_SIZE, 1),
                    *of_section,
                    *((at, width, levels) for at, width in in_tower),
                    rows("standing", levels),
                ),
                np.concatenate(
                    [
                        deliver,
                        *of_each(Verb.ADORN, sections),
                        *of_each(Verb.DELIVER_DIAMOND, sections),
                        *of_each(Verb.ADORN_DIAMOND, sections),
                        *of_each(Verb.SECTION, sections),
                    ],
                    1,
                ),
            ),
            Objects(
                "slots",
                tuple(of_slot),
                np.concatenate(
                    [
                        *of_each(Verb.WORKSHOP, SLOTS),
                        *of_each(Verb.PLACE, SLOTS),
                        *of_each(Verb.PLACE_SPECIAL, SLOTS),
                    ],
                    1,
                ),
            ),
            Objects(
                "spaces",
                tuple(of_space),
                np.concatenate([*of_each(Verb.REROLL, SPACES), *of_each(Verb.RESOURCE, SPACES)], 1),
            ),
            Objects("guild", tuple(of_guild), numbered(Verb.GUILD).reshape(SIDES, 1)),
        )
        if ruleset.full:
            self.objects += (
                Objects(
                    "influence",
                    ((begin["guilds"], features.GUILD_SIZE, 1), rows("guild_more")),
                    numbered(Verb.GUILD_AT).reshape(-1, 1),
                ),
                Objects(
                    "cities",
                    (rows("cities"), (begin["city_notes"], features_full.CITY_SIZE, 1)),
                    numbered(Verb.HIRE).reshape(CITIES, 1),
                ),
                Objects(
                    "offers",
                    (rows("offer"), (begin["offers"], features_full.OFFER_SIZE, 1)),
                    np.stack([numbered(Verb.ENGAGE), numbered(Verb.DISMISS)], 1),
                ),
            )
        if ruleset.full and ruleset.players > 1:
            first, width, _ = rows("workshop")
            self.objects += (
                Objects(
                    "borrowed",
                    (
                        (first + SLOTS * width, width, 1),
                        (begin["slots"] + SLOTS * features_full.SLOT_SIZE, features_full.SLOT_SIZE, 1),
                    ),
                    numbered(Verb.BORROW).reshape(-1, 1),
                ),
            )
        about = np.concatenate([kind.actions.ravel() for kind in self.objects])
        self.rest = np.setdiff1d(np.arange(len(actions)), about)
        self.order = np.argsort(np.concatenate([self.rest, about]))

    def __call__(self, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(N, I) uint8 from (N, F) uint8, the numbers of observations.

        Raises:
            ValueError: the numbers are of another type or shape.
        """
        fits = isinstance(numbers, np.ndarray) and numbers.dtype == np.uint8 and numbers.ndim == 2
        if not fits or numbers.shape[1] != self.features:
            expected = f"an (N, {self.features}) array of uint8, which observe(dtype=np.uint8) gives"
            checks.refuse("numbers", numbers, expected)
        out = np.zeros((len(numbers), self.size), np.uint8)
        features.fill(checks.plain(numbers), self._source, self._at, self._at_full, self.moves, out)
        return out


def _usual(piece: Piece, entry: int) -> float:
    """The size that an entry usually has, squared."""
    if piece.name == "prestige_ahead":  # a few spaces to each further one
        return 10.0 * (entry + 1)
    usual = USUAL.get(piece.name, {})
    if isinstance(usual, Mapping):
        return usual.get(piece.entries[entry], usual.get("", piece.divisors[entry]))
    return usual
