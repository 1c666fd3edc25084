"""The inputs of a network: the numbers of the observation, and features computed from them.

Where a die would land, what lies there and how much of it is missing, which section of a tower is the next to be
claimed, which can be finished with what is in hand, what each action of a guild card would do now: all of it is in the
observation, but to look it up takes products of inputs, which a multi-layer perceptron learns slowly. Here it is looked
up. The inputs also name the *objects* that actions are about (moves, sections, towers, slots, spaces, guild actions),
so that a network can judge all objects of a kind alike.

Inputs are whole numbers of a byte, as the observation is. A network takes `(input - zero) / divisor` of each.

Shape letters as in `rc_env.bot`: N games, F features of an observation, A actions; I inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import inputs_full
from rc_env.agents.inputs_full import MOVE_MORE_SIZE, number, write_full, write_move_more
from rc_env.jit import kernel, records, rule
from rc_env.layout.pieces import UNUSED, Piece
from rc_env.rules.sizes import (
    BLACK_DIE,
    CITIES,
    MATERIALS,
    QUADRANTS,
    RECOGNITION,
    RESOURCES,
    SEATS,
    SIDES,
    SLOTS,
    SPACES,
    SPACES_PER_QUADRANT,
    SPECIALIST_SLOTS,
    WHITE_DIE,
    WHITE_SLOT,
)
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset

VERSION = 3
"""Version of the inputs; it rises when the meaning of an input changes."""

LEFT_OUT = ("guild", "section_tile")
"""Pieces of the observation that are inputs in other words only: summaries of the guild cards, the next tiles."""

ZERO_LACKING, ZERO_PRESENCE, ZERO_LEAD = 64, 64, 128
"""The offset added to numbers that may be negative, so that they fit in bytes."""

KINDS = 3  # of sections: base, middle, dome
DIE_VALUES = 6  # of a die

Notes = tuple[tuple[str, float], ...]
"""Names of inputs that are worked out, in their order, and the size that each usually has, squared."""

LACKING: Notes = (("lacking", 1),) * MATERIALS
HAND: Notes = (
    ("fitting", 4),  # materials in hand that own sections still take
    *((("finished", 1),) * KINDS),  # whether a base, a middle, a dome of one's own is finished
    ("score lead", 25), ("prestige lead", 25), ("tower prestige lead", 25), ("finished lead", 1),
)  # fmt: skip
TOWER: Notes = (("lead", 1), ("claimed lead", 1))
SECTION: Notes = (("misses", 1), ("in hand", 1), ("complete", 1), ("finishable", 1), ("prestige", 1))
GUILD: Notes = (
    ("price", 4), ("payments", 1), ("each", 4), ("may pay", 10), ("may spare", 10), ("condition", 1), ("rubles", 2),
    ("recognition", 1), ("prestige", 1), ("gains", 1), ("useful", 4), ("deliveries", 1), ("tiles", 1), ("swaps", 1),
    ("unlimited", 1), ("reached", 1), ("can", 1),
)  # fmt: skip
GUILD_SIZE, SECTION_SIZE, TOWER_SIZE = len(GUILD), len(SECTION), len(TOWER)
SPACE: Notes = (
    (("yield", 1),) * RESOURCES + GUILD * SIDES + (("useful", 1),) * MATERIALS + (("reached", 1), ("stored", 4))
)
MOVE: Notes = (
    SPACE
    + (("tile", 1),) * (RESOURCES + 1)
    + (("extra", 1), ("dice", 1), ("reached", 1))
    + (("useful", 1),) * MATERIALS
)
SPACE_SIZE, MOVE_SIZE = len(SPACE), len(MOVE)
SPACE_USEFUL = RESOURCES + SIDES * GUILD_SIZE  # where the useful materials stand among the notes of a space


def claim_notes(tile: int) -> Notes:
    """The inputs of the next section of a tower, where a workshop tile has so many entries: its die or its resource."""
    return (
        (("missing", 3),) * MATERIALS
        + (("rubles", 4), ("recognition", 6))
        + (("tile", 1),) * tile
        + (("kind", 1),) * KINDS
        + (("level", 1), ("there", 1))
        + SECTION
    )


# Entries of the piece `guild`: what one action of a guild card does.
PRICE, PAYMENTS, EACH, PAY = range(4)
CONDITION = PAY + MATERIALS
GIVEN_RUBLES, GIVEN_RECOGNITION, GIVEN_PRESTIGE, GAINS, GAIN = range(CONDITION + 1, CONDITION + 6)
DELIVERIES = GAIN + MATERIALS
TILES, SWAPS, UNLIMITED = range(DELIVERIES + 1, DELIVERIES + 4)

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

_FROM = (
    *("landing", "crowd", "die_space", "die_value", "goods", "works", "numbers", "prestige_ahead", "market", "guild"),
    *("standing", "workshop", "card", "section", "section_tile", "rules"),
)  # pieces that are looked things up in
_WORKED_OUT = ("lacking", "hand", "tower_notes", "sections", "claims", "guilds", "space", "moves")
AT = np.dtype(
    [
        (name, np.int64)
        for name in (
            *_FROM,
            *(f"{name}_width" for name in _FROM),
            *("rubles", "prestige", "room", "score", "tower_prestige"),
            *("deliveries", "finished", "done", "banners", "presence"),
            *("seats", "towers", "levels", "tile_size", "tile_resources", "claim_size", "full", "specialist"),
            *_WORKED_OUT,
        )
    ]
)
"""Where the pieces of an observation begin, and the width of their rows; single entries; counts; and, last, where the
inputs that are worked out begin."""


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
        claims = claim_notes(len(tile))
        more: list[tuple[str, int, Notes, None]] = []
        if ruleset.full:
            more = [
                ("slots", pieces["workshop"].shape[0] * SLOTS, inputs_full.SLOT, None),
                ("tower_more", towers, inputs_full.TOWER_MORE, None),
                ("offers", SPECIALIST_SLOTS, inputs_full.OFFER, None),
                ("city_notes", CITIES, inputs_full.CITY, None),
                ("hand_more", 1, inputs_full.HAND_MORE, None),
                ("here", SIDES, inputs_full.HERE, None),
            ]
        begin: dict[str, int] = {}
        for name, count, notes, nought in (
            ("lacking", 1, LACKING, [ZERO_LACKING] * MATERIALS),
            ("hand", 1, HAND, [0] * (len(HAND) - 4) + [ZERO_LEAD] * 4),
            ("tower_notes", towers, TOWER, [ZERO_PRESENCE] * TOWER_SIZE),
            ("sections", towers * levels, SECTION, None),
            ("claims", towers, claims, None),
            ("guilds", QUADRANTS * SIDES, GUILD, None),
            ("space", 1, SPACE, None),
            *more,
            ("moves", len(self.moves), MOVE, None),
            *([("moves_more", len(self.moves), inputs_full.MOVE_MORE, None)] if ruleset.full else []),
        ):
            begin[name] = len(usual)
            usual += [size for _, size in notes] * count
            zero += (nought or [0] * len(notes)) * count
        self.size, self.shared = len(usual), begin["moves"]
        self.divisors = np.sqrt(np.array(usual, np.float32))
        self.scale = np.float32(1) / self.divisors
        self.zero = np.array(zero, np.uint8)

        numbers, section = pieces["numbers"].entries, pieces["section"].entries
        self._at = records(np.zeros(1, AT))
        for name, value in {
            **{name: pieces[name].offset for name in _FROM},
            **{f"{name}_width": pieces[name].shape[-1] for name in _FROM},
            **{name: numbers.index(name) for name in ("rubles", "prestige", "room", "score", "tower_prestige")},
            "deliveries": pieces["rules"].offset + pieces["rules"].entries.index("deliveries"),
            "finished": section.index("finished"),
            "done": pieces["works"].entries.index("finished"),
            "banners": section.index("banner own"),
            "presence": pieces["standing"].entries.index("presence own"),
            "seats": ruleset.seats, "towers": towers, "levels": levels,
            "tile_size": len(tile), "tile_resources": tile.index("lumber"), "claim_size": len(claims),
            "full": ruleset.full, "specialist": pieces["specialist"].offset if ruleset.full else 0,
            **{name: begin[name] for name in _WORKED_OUT},
        }.items():  # fmt: skip
            self._at[name] = value
        self._at_full = records(np.zeros(1, inputs_full.AT))
        if ruleset.full:
            for name, value in inputs_full.places(pieces, ruleset.seats, begin).items():
                self._at_full[name] = value

        def numbered(verb: Verb) -> NDArray[np.int64]:
            return np.array([number for number, action in enumerate(actions) if action.verb == verb], np.int64)

        def rows(name: str, sharing: int = 1) -> tuple[int, int, int]:
            return (*place[name], sharing)

        def of_each(verb: Verb, objects: int) -> list[NDArray[np.int64]]:
            """The actions of a verb, object by object: none in the base game if only the full game has it."""
            return [numbered(verb).reshape(objects, -1)]

        sections = towers * levels
        in_tower = [(begin["tower_notes"], TOWER_SIZE)]
        of_move, of_section, of_slot = [(begin["moves"], MOVE_SIZE, 1)], [], [rows("workshop")]
        of_space, of_guild = [(place["crowd"][0], 1, 1), rows("market")], [(begin["space"] + RESOURCES, GUILD_SIZE, 1)]
        if ruleset.full:
            in_tower.append((begin["tower_more"], inputs_full.TOWER_MORE_SIZE))
            of_move.append((begin["moves_more"], inputs_full.MOVE_MORE_SIZE, 1))
            of_section.append((place["section_diamonds"][0], 1, 1))
            of_slot.append((begin["slots"], inputs_full.SLOT_SIZE, 1))
            of_space.append((place["market_permits"][0], 1, 1))
            of_guild.append((begin["here"], inputs_full.GUILD_MORE, 1))
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
                    (begin["sections"], SECTION_SIZE, 1),
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
                    ((begin["guilds"], GUILD_SIZE, 1), rows("guild_more")),
                    numbered(Verb.GUILD_AT).reshape(-1, 1),
                ),
                Objects(
                    "cities",
                    (rows("cities"), (begin["city_notes"], inputs_full.CITY_SIZE, 1)),
                    numbered(Verb.HIRE).reshape(CITIES, 1),
                ),
                Objects(
                    "offers",
                    (rows("offer"), (begin["offers"], inputs_full.OFFER_SIZE, 1)),
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
                        (begin["slots"] + SLOTS * inputs_full.SLOT_SIZE, inputs_full.SLOT_SIZE, 1),
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
        fill(checks.plain(numbers), self._source, self._at, self._at_full, self.moves, out)
        return out


def _usual(piece: Piece, entry: int) -> float:
    """The size that an entry usually has, squared."""
    if piece.name == "prestige_ahead":  # a few spaces to each further one
        return 10.0 * (entry + 1)
    usual = USUAL.get(piece.name, {})
    if isinstance(usual, Mapping):
        return usual.get(piece.entries[entry], usual.get("", piece.divisors[entry]))
    return usual


@kernel
def fill(
    numbers: NDArray[np.uint8],
    source: NDArray[np.int64],
    places: NDArray[np.void],
    places_full: NDArray[np.void],
    moves: NDArray[np.int64],
    out: NDArray[np.uint8],
) -> None:
    """Write the inputs of each game: what is taken from the observation, then what is worked out from it."""
    at, at_full = places[0], places_full[0]
    for i in range(numbers.shape[0]):
        o, y = numbers[i], out[i]
        for k in range(source.shape[0]):
            y[k] = o[source[k]]
        write_lacking(o, at, y)
        write_hand(o, at, y)
        write_towers(o, at, y)
        write_sections(o, at, y)
        write_claims(o, at, y)
        write_guilds(o, at, y)
        for space in range(SPACES):
            if o[at.landing + space] > 0:
                write_space(o, at, space, 0, y, at.space)
        if at.full:
            write_full(o, at_full, y)
        write_moves(o, at, at_full, moves, y)


@rule
def put(y: Any, place: Any, value: Any) -> None:
    """Write a number, cut to what a byte holds."""
    y[place] = np.uint8(min(max(value, 0), 255))


@rule
def lacks(y: Any, at: Any, material: Any) -> Any:
    """The number of a material that own sections miss, minus that in the inventory; negative where some is left
    over."""
    return number(y, at.lacking + material) - ZERO_LACKING


@rule
def reached(o: Any, at: Any, recognition: Any) -> Any:
    """Prestige that so much recognition is worth now: prestige spaces that it reaches, of the next ones."""
    count = 0
    for k in range(at.prestige_ahead_width):
        count += number(o, at.prestige_ahead + k) <= recognition
    return count


@rule
def write_lacking(o: Any, at: Any, y: Any) -> None:
    """Write how many of each material the own sections miss, minus those in the inventory."""
    for k in range(MATERIALS):
        missing = -number(o, at.goods + k)
        for place in range(at.towers * at.levels):
            s = at.section + place * at.section_width
            if o[s + at.banners] > 0 and o[s + at.finished] == 0:
                missing += number(o, at.card + at.card_width * place + k)
        put(y, at.lacking + k, missing + ZERO_LACKING)


@rule
def write_hand(o: Any, at: Any, y: Any) -> None:
    """Write the fitting materials in the inventory, the finished kinds of sections, and the lead over the best other
    seat."""
    fitting = 0
    for k in range(MATERIALS):
        goods = number(o, at.goods + k)
        fitting += min(goods, max(goods + lacks(y, at, k), 0))
    put(y, at.hand, fitting)
    p = at.hand + 1
    for place in range(at.towers * at.levels):
        s = at.section + place * at.section_width
        if o[s + at.banners] > 0 and o[s + at.finished] > 0:
            for kind in range(KINDS):
                if o[s + kind] > 0:
                    y[p + kind] = 1
    p += KINDS
    n, w = at.numbers, at.works + at.done
    score, prestige, towers, done = 1000, 1000, 1000, 1000
    for k in range(1, at.seats):
        other = n + k * at.numbers_width
        score = min(score, number(o, n + at.score) - number(o, other + at.score))
        prestige = min(prestige, number(o, n + at.prestige) - number(o, other + at.prestige))
        towers = min(towers, number(o, n + at.tower_prestige) - number(o, other + at.tower_prestige))
        done = min(done, number(o, w) - number(o, w + k * at.works_width))
    put(y, p, score + ZERO_LEAD)
    put(y, p + 1, prestige + ZERO_LEAD)
    put(y, p + 2, towers + ZERO_LEAD)
    put(y, p + 3, done + ZERO_LEAD)


@rule
def write_towers(o: Any, at: Any, y: Any) -> None:
    """The own lead in the presence in each tower, now and if all that is claimed in it were finished."""
    for t in range(at.towers):
        lead, claimed_lead = 1000, 1000
        own, own_claimed = 0, 0
        for k in range(at.seats):
            presence = number(o, at.standing + at.standing_width * t + at.presence + k)
            claimed = presence
            for level in range(at.levels):
                s = at.section + (t * at.levels + level) * at.section_width
                if o[s + at.finished] == 0 and o[s + at.banners + k] > 0:
                    claimed += 1
            if k == 0:
                own, own_claimed = presence, claimed
            else:
                lead, claimed_lead = min(lead, own - presence), min(claimed_lead, own_claimed - claimed)
        put(y, at.tower_notes + TOWER_SIZE * t, lead + ZERO_PRESENCE)
        put(y, at.tower_notes + TOWER_SIZE * t + 1, claimed_lead + ZERO_PRESENCE)


@rule
def write_sections(o: Any, at: Any, y: Any) -> None:
    """Write for each unfinished section: how many materials it misses, how many of them are in hand, whether all
    are, whether one action can then finish it, and the prestige that its recognition would reach.
    """
    for place in range(at.towers * at.levels):
        s, p = at.section + place * at.section_width, at.sections + SECTION_SIZE * place
        if o[s + at.finished] == 0 and (o[s] > 0 or o[s + 1] > 0 or o[s + 2] > 0):
            card = at.card + at.card_width * place
            misses, ready = 0, 0
            for k in range(MATERIALS):
                wanted = number(o, card + k)
                misses += wanted
                ready += min(wanted, number(o, at.goods + k))
            put(y, p, misses)
            put(y, p + 1, ready)
            y[p + 2] = ready == misses
            y[p + 3] = ready == misses and misses <= number(o, at.deliveries)
            put(y, p + 4, reached(o, at, number(o, card + RECOGNITION)))


@rule
def write_claims(o: Any, at: Any, y: Any) -> None:
    """The next section of each tower that can be claimed: card, tile, kind, level, what is worked out for it."""
    for t in range(at.towers):
        p = at.claims + t * at.claim_size
        for level in range(at.levels):
            place = t * at.levels + level
            s = at.section + place * at.section_width
            free = o[s + at.finished] == 0 and (o[s] > 0 or o[s + 1] > 0 or o[s + 2] > 0)
            for k in range(at.seats):
                free = free and o[s + at.banners + k] == 0
            if free:
                for k in range(RESOURCES):
                    y[p + k] = o[at.card + at.card_width * place + k]
                p += RESOURCES
                for k in range(at.tile_size):
                    y[p + k] = o[at.section_tile + at.section_tile_width * place + k]
                p += at.tile_size
                for k in range(KINDS):
                    y[p + k] = o[s + k]
                p += KINDS
                y[p], y[p + 1] = level, 1
                for k in range(SECTION_SIZE):
                    y[p + 2 + k] = y[at.sections + SECTION_SIZE * place + k]
                break


@rule
def write_guilds(o: Any, at: Any, y: Any) -> None:
    """Write for each action of the guild cards its effect, and how much of that is useful now.

    Beside the numbers of the card: the materials in hand that may be paid, those of them that no own section takes, the
    lacking ones that may be received, the prestige that the recognition reaches, and whether rubles, materials and
    sections are there to use it.
    """
    for action in range(QUADRANTS * SIDES):
        a, p = at.guild + action * at.guild_width, at.guilds + action * GUILD_SIZE
        each = number(o, a + EACH)
        may_pay, may_spare, kinds, useful = 0, 0, 0, 0
        for k in range(MATERIALS):
            goods, lack = number(o, at.goods + k), lacks(y, at, k)
            if o[a + PAY + k] > 0:
                may_pay += goods
                may_spare += max(min(-lack, goods), 0)
                kinds += goods >= each
            if o[a + GAIN + k] > 0:
                useful += max(lack, 0)
        able = kinds >= number(o, a + PAYMENTS) and o[at.numbers + at.rubles] >= o[a + PRICE]
        if o[a + CONDITION] > 0:
            for kind in range(KINDS):
                able = able and y[at.hand + 1 + kind] > 0
        y[p], y[p + 1], y[p + 2] = o[a + PRICE], o[a + PAYMENTS], o[a + EACH]
        put(y, p + 3, may_pay)
        put(y, p + 4, may_spare)
        y[p + 5], y[p + 6], y[p + 7] = o[a + CONDITION], o[a + GIVEN_RUBLES], o[a + GIVEN_RECOGNITION]
        y[p + 8], y[p + 9] = o[a + GIVEN_PRESTIGE], o[a + GAINS]
        put(y, p + 10, useful)
        y[p + 11], y[p + 12], y[p + 13] = o[a + DELIVERIES], o[a + TILES], o[a + SWAPS]
        y[p + 14] = o[a + UNLIMITED]
        put(y, p + 15, reached(o, at, number(o, a + GIVEN_RECOGNITION)))
        y[p + 16] = able


@rule
def write_space(o: Any, at: Any, space: Any, arriving: Any, y: Any, p: Any) -> None:
    """Write what a market space yields with the dice there and those that arrive, its guild card, how much of the
    materials is lacking, the prestige that the recognition reaches, and how many of the materials there is room for.
    """
    dice = arriving + number(o, at.crowd + space)
    tile = at.market + at.market_width * space
    for r in range(RESOURCES):
        put(y, p + r, number(o, tile + r) * dice)
    card = at.guilds + (space // SPACES_PER_QUADRANT) * SIDES * GUILD_SIZE
    for k in range(SIDES * GUILD_SIZE):
        y[p + RESOURCES + k] = y[card + k]
    q = p + SPACE_USEFUL
    materials = 0
    for k in range(MATERIALS):
        amount = number(y, p + k)
        materials += amount
        put(y, q + k, min(amount, lacks(y, at, k)))
    put(y, q + MATERIALS, reached(o, at, number(y, p + RECOGNITION)))
    put(y, q + MATERIALS + 1, min(materials, number(o, at.numbers + at.room)))


@rule
def write_moves(o: Any, at: Any, at_full: Any, moves: Any, y: Any) -> None:
    """Write for each move: the space it ends on, the workshop tile of the die (the white one has two to choose from;
    for the black one it is what the own specialist gives), extra steps, dice there, the prestige that the recognition
    of space and tile reaches, and how much of the tile's materials is lacking still.
    """
    p = at.moves
    for m in range(moves.shape[0]):
        die, extra = moves[m, 0], moves[m, 1]
        dice, slot = 0, np.int64(-1)
        if die <= WHITE_DIE:
            slot = die if die < SEATS else np.int64(WHITE_SLOT)
        for s in range(SPACES):
            if o[at.die_space + at.die_space_width * die + s] > 0:
                for v in range(DIE_VALUES):
                    if o[at.die_value + at.die_value_width * die + v] > 0:
                        target = (s + v + 1 + extra) % SPACES
                        arriving = 1 if target != s else 0
                        write_space(o, at, target, arriving, y, p)
                        dice = arriving + number(o, at.crowd + target)
                        if at.full:
                            q = at_full.moves_more + m * MOVE_MORE_SIZE
                            write_move_more(o, at_full, die, slot, target, dice, y, q)
        q = p + SPACE_SIZE
        if slot >= 0:
            first = at.workshop + at.workshop_width * slot + at.tile_resources
            for r in range(RESOURCES + 1):
                y[q + r] = o[first + r]
                if die == WHITE_DIE:
                    y[q + r] = max(y[q + r], o[first + at.workshop_width + r])
        elif at.full:  # the black die's: what the own specialist gives
            for r in range(RESOURCES):
                y[q + r] = o[at.specialist + r]
        y[q + RESOURCES + 1] = extra
        put(y, q + RESOURCES + 2, dice)
        recognition = number(y, p + RECOGNITION) + number(y, q + RECOGNITION)
        put(y, q + RESOURCES + 3, reached(o, at, recognition))
        for k in range(MATERIALS):
            left = max(lacks(y, at, k) - number(y, p + k), 0)
            put(y, q + RESOURCES + 4 + k, min(number(y, q + k), left))
        p += MOVE_SIZE
