"""The verbs of actions: a row for each, with its arguments, its words and its meaning.

Each verb has a box of numbers, one for every combination of its arguments, whether the variant at hand has such an
action or not. `place` finds the combination in the box; RULES.number holds what the variant's catalogue
(`layout/actions.py`) calls it. So every rule offers its actions by the same mechanism.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from math import prod

import numpy as np

from ..edition import FULL
from ..jit import rule
from .printed import build_sizes, sizes

SOURCES = ("inventory", "spare", *sizes.WHITE_SLOTS)
"""Where a banner may be taken from (R-12)."""
INVENTORY, SPARE, WHITE1, WHITE2 = range(len(SOURCES))
MOST_GEMS = 2  # that an ornament takes
DIAMOND_GEMS = ((0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2))
"""Green gems, purple gems and diamonds of each choice in which a diamond is set (R-67)."""

COUNTS = {
    "space": sizes.SPACES,
    "other": sizes.SPACES,
    "die": build_sizes.DICE - FULL,  # the black die has a verb of its own, so that the others keep their numbers
    "extra": sizes.EXTRA_STEPS + 1,
    "tower": sizes.TOWERS,
    "level": sizes.LEVELS,
    "source": len(SOURCES),
    "slot": sizes.SLOTS,
    "up": 2,
    "count": sizes.INVENTORY_SPACES + 1,
    "material": sizes.MATERIALS,
    "side": sizes.SIDES,
    "green": MOST_GEMS + 1,
    "purple": MOST_GEMS + 1,
    "diamonds": len(DIAMOND_GEMS),
    "quadrant": sizes.QUADRANTS,
    "seat": sizes.SEATS - 1,
    "steps": sizes.FOREMAN_STEPS,
    "card": sizes.CARDS_DRAWN,
    "contract": sizes.CONTRACTS,
    "reinforcement": sizes.REINFORCEMENTS,
    "special": sizes.SPECIAL_TILES,
    "city": sizes.CITIES,
    "place": sizes.SPECIALIST_SLOTS,
    "spent": sizes.MOST_SPENT,
    "ornament": len(sizes.ORNAMENT_NAMES),
}
"""How many values each argument of an action has."""


class Verb(enum.IntEnum):
    """The verb of an action."""

    DONE = 0
    RUBLES = 1
    REROLL = 2
    MOVE = 3
    CLAIM = 4
    PLACE = 5
    TAKE = 6
    GAIN = 7
    OBTAIN = 8
    GUILD = 9
    WORKSHOP = 10
    PAY = 11
    SWAP = 12
    DELIVER = 13
    ADORN = 14
    GEMS = 15
    IVAN_CLAIM = 16
    IVAN_ADORN = 17
    # Of the full game.
    DELIVER_DIAMOND = 18
    ADORN_DIAMOND = 19
    GEMS_DIAMOND = 20
    PAY_DIAMOND = 21
    GAIN_DIAMOND = 22
    GAIN_RUBLES = 23
    GAIN_RECOGNITION = 24
    RESOURCE = 25
    GUILD_AT = 26
    PLAYER = 27
    BORROW = 28
    SECTION = 29
    FOREMAN = 30
    CARD = 31
    CONTRACT = 32
    REINFORCE = 33
    SPECIAL = 34
    PLACE_SPECIAL = 35
    HIRE = 36
    ENGAGE = 37
    DISMISS = 38
    PERMIT = 39
    SPECIALIST = 40
    SPEND = 41
    DISCARD = 42
    PASS = 43
    MOVE_BLACK = 44


@dataclass(frozen=True)
class Row:
    """A verb.

    Attributes:
        arguments: names of its arguments in `COUNTS`, in the order of `RULES.argument`; dice and slots are numbered as
            the seat that acts sees them.
        words: how the game record writes it; each name in braces is the word of an argument.
        meaning: what the action does, for the documentation.
        solo: whether only the solo game has it.
    """

    arguments: tuple[str, ...]
    words: str
    meaning: str
    solo: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The values of each argument."""
        return tuple(COUNTS[name] for name in self.arguments)


_BASE: dict[Verb, Row] = {
    Verb.DONE: Row((), "done", "end the market, the deliveries or the turn, whichever is the current decision point"),
    Verb.RUBLES: Row((), "rubles", "give up 1 prestige for rubles (R-10)"),
    Verb.REROLL: Row(
        ("space",), "reroll {space}", "give up prestige to roll all dice on a market space, once a turn (R-10)"
    ),
    Verb.MOVE: Row(
        ("die", "extra"),
        "move {die}{extra}",
        "move a die by its value, the own and the white one up to 7 further for rubles (R-19)",
    ),
    Verb.CLAIM: Row(
        ("tower", "source"),
        "claim {tower} from {source}",
        "claim the lowest unclaimed section of a tower with a banner from that source (R-12)",
    ),
    Verb.PLACE: Row(
        ("slot", "up"),
        "place {slot} {up}",
        "place the claimed section's tile in a slot, face up for its price or face down (R-13)",
    ),
    Verb.TAKE: Row(("count",), "take {count}", "take that many of the material that is offered (R-21)"),
    Verb.GAIN: Row(("material",), "gain {material}", "receive one of that material"),
    Verb.OBTAIN: Row((), "obtain", "obtain the resources of the space (R-21)"),
    Verb.GUILD: Row(("side",), "guild {side}", "use the first or second action of the guild card (R-20)"),
    Verb.WORKSHOP: Row(("slot",), "workshop {slot}", "activate the tile in a slot (R-22)"),
    Verb.PAY: Row(("material",), "pay {material}", "give that material to the guild"),
    Verb.SWAP: Row(("space", "other"), "swap {space} {other}", "swap the market tiles of two spaces (R-24)"),
    Verb.DELIVER: Row(
        ("material", "tower", "level"),
        "deliver {material} to {tower}.{level}",
        "deliver one material to a section, tower.level (R-15)",
    ),
    Verb.ADORN: Row(
        ("tower", "level"),
        "adorn {tower}.{level}",
        "put the fitting ornament on a finished section, tower.level (R-17)",
    ),
    Verb.GEMS: Row(("green", "purple"), "gems {green}{purple}", "set gems into the ornament just placed (R-17)"),
    Verb.IVAN_CLAIM: Row(("tower",), "ivan claim {tower}", "choose the tower where Ivan claims (R-30)", solo=True),
    Verb.IVAN_ADORN: Row(
        ("tower", "level"),
        "ivan adorn {tower}.{level}",
        "choose the section that Ivan adorns, tower.level (R-30)",
        solo=True,
    ),
}

_FULL: dict[Verb, Row] = {
    Verb.DELIVER_DIAMOND: Row(
        ("tower", "level"),
        "deliver diamond to {tower}.{level}",
        "deliver a diamond in place of any material that the section still misses (R-67)",
    ),
    Verb.ADORN_DIAMOND: Row(
        ("tower", "level"),
        "adorn {tower}.{level} with diamond",
        "put the fitting ornament on a finished section and pay a diamond for its material (R-67)",
    ),
    Verb.GEMS_DIAMOND: Row(
        ("diamonds",),
        "gems {diamonds}",
        "set a diamond, two, or one beside a gem, into the ornament just placed (R-67)",
    ),
    Verb.PAY_DIAMOND: Row((), "pay diamond", "give a diamond, or diamonds, in place of what is asked for (R-67)"),
    Verb.GAIN_DIAMOND: Row((), "gain diamond", "receive a diamond in an exchange with another player (R-85)"),
    Verb.GAIN_RUBLES: Row((), "gain rubles", "receive 1 ruble of a drawn cathedral card (R-78)"),
    Verb.GAIN_RECOGNITION: Row((), "gain recognition", "receive 1 recognition of a drawn cathedral card (R-78)"),
    Verb.RESOURCE: Row(("space",), "resource {space}", "choose the market space whose resource is received (R-64)"),
    Verb.GUILD_AT: Row(
        ("quadrant", "side"),
        "guild {quadrant} {side}",
        "use an action of the guild card in a quadrant, wherever the dice are (R-63)",
    ),
    Verb.PLAYER: Row(("seat",), "player {seat}", "choose another player (R-62)"),
    Verb.BORROW: Row(
        ("seat", "slot"), "borrow {seat} {slot}", "activate a face-up tile in another player's workshop (R-70)"
    ),
    Verb.SECTION: Row(("tower", "level"), "section {tower}.{level}", "choose a section, tower.level (R-78, R-85)"),
    Verb.FOREMAN: Row(("steps",), "foreman {steps}", "move the foreman so many towers to the right (R-69)"),
    Verb.CARD: Row(("card",), "card {card}", "choose which of the two drawn cards gives two materials (R-78)"),
    Verb.CONTRACT: Row(("contract",), "contract {contract}", "keep, or return, a contract (R-76)"),
    Verb.REINFORCE: Row(("reinforcement",), "reinforce {reinforcement}", "take, or use, a reinforcement tile (R-80)"),
    Verb.SPECIAL: Row(("special",), "special {special}", "choose a special tile before the first turn (R-84)"),
    Verb.PLACE_SPECIAL: Row(
        ("slot",), "place special {slot}", "place the special tile in place of the section's tile (R-84)"
    ),
    Verb.HIRE: Row(("city",), "hire {city}", "send a contractor to an open city for permits (R-53)"),
    Verb.ENGAGE: Row(("place",), "engage {place}", "engage the specialist on a slot of the city, for rubles (R-55)"),
    Verb.DISMISS: Row(("place",), "dismiss {place}", "dismiss the specialist on a slot of the city (R-55)"),
    Verb.PERMIT: Row((), "permit", "give up prestige for 1 permit (R-49)"),
    Verb.SPECIALIST: Row((), "specialist", "use the own specialist after a move of the black die (R-52)"),
    Verb.SPEND: Row(("spent",), "spend {spent}", "spend so many rubles for recognition (R-52)"),
    Verb.DISCARD: Row(
        ("ornament",), "discard {ornament}", "discard an ornament that is not on the cathedral, for prestige (R-52)"
    ),
    Verb.PASS: Row((), "pass", "end the turn where no main action is legal (R-50)"),
    Verb.MOVE_BLACK: Row(
        ("extra",), "move black{extra}", "move the black die by its value, or up to 7 further for rubles (R-51)"
    ),
}

ROWS: dict[Verb, Row] = {**_BASE, **(_FULL if FULL else {})}
assert tuple({**_BASE, **_FULL}) == tuple(Verb), "each verb has its row, in order"

ARGUMENTS = max(len(row.arguments) for row in ROWS.values())
_BOXES = [prod(row.shape) for row in ROWS.values()]
PLACES = sum(_BOXES)
"""Combinations of all verbs together: the length of RULES.number."""

MENU = np.dtype([("action", np.int16, (2 * PLACES,))])
"""Where the rules write legal actions: a record, since a compiled function is given one as a single address.

It has room for every action of a catalogue, at most PLACES, and for as much scratch behind those in use.
"""

# Where the box of each verb begins, and how far apart neighbours in each argument lie. Compiled code reads these
# constants with a constant verb, so that they cost nothing.
FIRST = np.array([sum(_BOXES[:verb]) for verb in range(len(_BOXES))], np.int64)
STRIDES = np.array(
    [[prod(row.shape[i + 1 :]) if i < len(row.shape) else 0 for i in range(ARGUMENTS)] for row in ROWS.values()],
    np.int64,
)


@rule
def place(verb, x, y, z):
    """The index in RULES.number for a verb with these arguments; arguments that it does not take are 0."""
    return FIRST[verb] + x * STRIDES[verb, 0] + y * STRIDES[verb, 1] + z * STRIDES[verb, 2]


def places_of(verbs: np.ndarray, arguments: np.ndarray) -> np.ndarray:
    """`place` of many actions at once, for Python: verbs of shape (n,), arguments of shape (n, ARGUMENTS)."""
    return FIRST[verbs] + (arguments * STRIDES[verbs]).sum(1)


@rule
def number(c, verb, x, y, z):
    """The number of an action in the catalogue."""
    return c.number[np.uint64(place(verb, x, y, z))]  # unsigned: no check for counting from the end


@rule
def offer(c, menu, n, verb, x, y, z):
    """Add an action to the n legal ones of a menu; returns their new number."""
    menu.action[n] = number(c, verb, x, y, z)
    return n + 1
