"""What a network sees: the observation, and a few things that follow from it.

Where a die would land, what lies there and how much of it is lacking, which section of a tower is the next to be
claimed, which can be finished with what is in hand: all of it is in the observation, but to look it up takes products
of inputs, which a multi-layer perceptron learns slowly. Here it is looked up. The inputs also name the *objects* that
actions are about (moves, sections, towers, slots, spaces), so that a network can judge all objects of a kind alike.

Shape letters as in `rc_env.bot`: N games, F features of an observation, A actions; I inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.jit import kernel, records, rule
from rc_env.rules.data_file import MATERIALS, RESOURCES
from rc_env.rules.sizes import SLOTS, SPACES
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset

GUILDS = ("craftsmen", "teamsters", "merchants", "clergy")
VERSION = 2
"""Rises when an input means something else than before."""

TILE = 14  # entries of a workshop tile: five dice, eight resources, any material
WHITE = 4  # the die that has two slots
DELIVERIES = 3  # of one build action
SECTION = 6  # entries that are worked out for a section: see `sections_of`
NEXT = 27  # entries of the next section of a tower, without those

AT = np.dtype(
    [
        (name, np.int64)
        for name in (
            "die_space", "die_value", "crowd", "market", "influence", "influence_width", "cards", "workshop", "card",
            "section", "section_width", "banners", "players", "section_tile", "landing", "goods", "numbers", "standing",
            "towers", "levels", "sections", "claims", "space", "lacking", "moves",
        )
    ]
)  # fmt: skip
"""Where the pieces of an observation begin, how large they are, and (the last five) where what is worked out begins."""


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

    Numbers of the observation come divided by the largest that they may be; half of that is taken back (they are
    multiplied with the root of the divisor), so that one more ruble and one more door are of comparable size.

    Attributes:
        size: I.
        shared: the first so many inputs are for all; behind them lie those of the moves, which matter to moves alone.
        objects: the kinds of objects.
        rest: (K,) int64, the numbers of the actions that are about none.
        order: (A,) int64, where each action stands in the rest, followed by the actions of all objects, kind by kind.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        layout, actions = ruleset.observations, ruleset.actions.actions
        at = {piece.name: piece.offset for piece in layout.pieces}
        width = {piece.name: piece.shape[-1] for piece in layout.pieces}
        towers, levels = int(ruleset.rules[0].towers), int(ruleset.rules[0].levels)
        influence = next(piece for piece in layout.pieces if piece.name == "influence")
        cards = sum(entry.startswith("card") for entry in influence.entries)
        self.moves = np.array([action.argument for action in actions if action.verb == Verb.MOVE], np.int64)
        self._divisors = layout.divisors
        self._scale = np.sqrt(layout.divisors)
        space = len(RESOURCES) + len(GUILDS) * cards + len(MATERIALS)
        move = space + len(RESOURCES) + 3 + len(MATERIALS)
        claim = NEXT + SECTION
        ends = np.cumsum([layout.size, towers * levels * SECTION, towers * claim, space, len(MATERIALS)]).tolist()
        self._at = records(np.zeros(1, AT))
        for name, value in {
            **{name: at[name] for name in AT.names or () if name in at},
            "influence_width": width["influence"], "cards": cards, "section_width": width["section"],
            "banners": 8 if width["section"] > 8 else 4, "players": ruleset.seats, "towers": towers,
            "levels": levels, **dict(zip(("sections", "claims", "space", "lacking", "moves"), ends, strict=True)),
        }.items():  # fmt: skip
            self._at[name] = value
        self.shared = ends[-1]
        self.size = self.shared + len(self.moves) * move

        def numbered(verb: Verb) -> NDArray[np.int64]:
            return np.array([number for number, action in enumerate(actions) if action.verb == verb], np.int64)

        sections = towers * levels
        deliver = numbered(Verb.DELIVER).reshape(len(MATERIALS), sections).T
        adorn = numbered(Verb.ADORN).reshape(sections, 1)
        workshop = numbered(Verb.WORKSHOP).reshape(SLOTS, 1)
        self.objects = (
            Objects("moves", ((self.shared, move, 1),), numbered(Verb.MOVE).reshape(-1, 1)),
            Objects("claims", ((ends[1], claim, 1), (at["standing"], 8, 1)), numbered(Verb.CLAIM).reshape(towers, -1)),
            Objects(
                "sections",
                (
                    (at["card"], 8, 1),
                    (at["section"], width["section"], 1),
                    (at["section_tile"], 16, 1),
                    (ends[0], SECTION, 1),
                    (at["standing"], 8, levels),
                ),
                np.concatenate([deliver, adorn], 1),
            ),
            Objects(
                "slots",
                ((at["workshop"], 16, 1),),
                np.concatenate([workshop, numbered(Verb.PLACE).reshape(SLOTS, 2)], 1),
            ),
            Objects("spaces", ((at["crowd"], 1, 1), (at["market"], 8, 1)), numbered(Verb.REROLL).reshape(SPACES, 1)),
        )
        about = np.concatenate([kind.actions.ravel() for kind in self.objects])
        self.rest = np.setdiff1d(np.arange(len(actions)), about)
        self.order = np.argsort(np.concatenate([self.rest, about]))

    def __call__(self, observation: NDArray[np.float32]) -> NDArray[np.float32]:
        """(N, I) float32 from (N, F)."""
        out = np.zeros((len(observation), self.size), np.float32)
        fill(observation, self._divisors, self._scale, self._at, self.moves, out)
        return out


@kernel
def fill(
    observation: NDArray[np.float32],
    divisors: NDArray[np.float32],
    scale: NDArray[np.float32],
    places: NDArray[np.void],
    moves: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Write the inputs of each game: the observation to scale, then what is worked out from it."""
    at = places[0]
    for i in range(observation.shape[0]):
        o, y = observation[i], out[i]
        for k in range(o.shape[0]):
            y[k] = o[k] * scale[k]
        lacking(o, divisors, at, y)
        sections_of(o, divisors, at, y)
        claims_of(o, scale, at, y)
        for s in range(8):
            if o[at.landing + s] > 0:
                space_of(o, divisors, at, s, np.float32(0), y, at.space)
        moves_of(o, divisors, at, moves, y)


@rule
def lacking(o: Any, divisors: Any, at: Any, y: Any) -> None:
    """What the own sections miss of each material, less what is in hand."""
    p = at.lacking
    for k in range(6):
        y[p + k] = -o[at.goods + k] * divisors[at.goods + k]
    for place in range(at.towers * at.levels):
        s = at.section + place * at.section_width
        if o[s + at.banners] > 0 and o[s + 3] == 0:
            for k in range(6):
                card = at.card + 8 * place + k
                y[p + k] += o[card] * divisors[card]


@rule
def sections_of(o: Any, divisors: Any, at: Any, y: Any) -> None:
    """Of each section that is not finished: how many materials it misses, how many of them are in hand, whether all
    are, and whether one action can then finish it. Of its tower: the own lead in presence, now and if all that is
    claimed in it were finished.
    """
    for t in range(at.towers):
        lead, claimed_lead = np.float32(99), np.float32(99)
        own, own_claimed = np.float32(0), np.float32(0)
        for k in range(at.players):
            standing = at.standing + 8 * t + k
            presence = o[standing] * divisors[standing]
            claimed = presence
            for level in range(at.levels):
                s = at.section + (t * at.levels + level) * at.section_width
                claimed += o[s + at.banners + k] * (o[s + 3] == 0)
            if k == 0:
                own, own_claimed = presence, claimed
            else:
                lead, claimed_lead = min(lead, own - presence), min(claimed_lead, own_claimed - claimed)
        for level in range(at.levels):
            place = t * at.levels + level
            s, p = at.section + place * at.section_width, at.sections + SECTION * place
            if o[s + 3] == 0 and o[s] + o[s + 1] + o[s + 2] > 0:
                misses, ready = np.float32(0), np.float32(0)
                for k in range(6):
                    card, goods = at.card + 8 * place + k, at.goods + k
                    wanted = o[card] * divisors[card]
                    misses += wanted
                    ready += min(wanted, o[goods] * divisors[goods])
                y[p], y[p + 1], y[p + 2] = misses, ready, ready == misses
                y[p + 3] = ready == misses and misses <= DELIVERIES
            y[p + 4], y[p + 5] = lead, claimed_lead


@rule
def claims_of(o: Any, scale: Any, at: Any, y: Any) -> None:
    """The next section of each tower that can be claimed: card, tile, kind, level, what is worked out for it."""
    for t in range(at.towers):
        p = at.claims + t * (NEXT + SECTION)
        for level in range(at.levels):
            place = t * at.levels + level
            s = at.section + place * at.section_width
            taken = o[s + 3]
            for k in range(at.players):
                taken += o[s + at.banners + k]
            if taken == 0 and o[s] + o[s + 1] + o[s + 2] > 0:
                for k in range(8):
                    card = at.card + 8 * place + k
                    y[p + k] = o[card] * scale[card]
                for k in range(TILE):
                    y[p + 8 + k] = o[at.section_tile + 16 * place + k]
                y[p + 22], y[p + 23], y[p + 24] = o[s], o[s + 1], o[s + 2]
                y[p + 25], y[p + 26] = level, 1
                for k in range(SECTION):
                    y[p + NEXT + k] = y[at.sections + SECTION * place + k]
                break


@rule
def space_of(o: Any, divisors: Any, at: Any, space: Any, arriving: Any, y: Any, p: Any) -> None:
    """What a market space yields with the dice there, its guild card, and how much of the materials is lacking."""
    dice = arriving + o[at.crowd + space] * divisors[at.crowd + space]
    for r in range(8):
        tile = at.market + 8 * space + r
        y[p + r] = o[tile] * divisors[tile] * dice
    quadrant = at.influence + (space // 2) * at.influence_width
    for g in range(4):
        for k in range(at.cards):
            y[p + 8 + g * at.cards + k] = o[quadrant + g] * o[quadrant + 4 + k]
    useful = p + 8 + 4 * at.cards
    for k in range(6):
        y[useful + k] = min(y[p + k], max(y[at.lacking + k], np.float32(0)))


@rule
def moves_of(o: Any, divisors: Any, at: Any, moves: Any, y: Any) -> None:
    """Of each move: the space it ends on, the workshop tile of the die (the white one has two to choose from) and how
    much of that is lacking still, extra steps, dice there.
    """
    width = 14 + 4 * at.cards
    p = at.moves
    for m in range(moves.shape[0]):
        die, extra = moves[m, 0], moves[m, 1]
        dice = np.float32(0)
        for s in range(8):
            if o[at.die_space + 8 * die + s] > 0:
                for v in range(6):
                    if o[at.die_value + 8 * die + v] > 0:
                        target = (s + v + 1 + extra) % 8
                        arriving = np.float32(target != s)
                        space_of(o, divisors, at, target, arriving, y, p)
                        dice = arriving + o[at.crowd + target] * divisors[at.crowd + target]
        slot, q = at.workshop + 16 * die + 5, p + width
        for r in range(9):
            y[q + r] = o[slot + r] * divisors[slot + r]
            if die == WHITE:
                y[q + r] = max(y[q + r], o[slot + 16 + r] * divisors[slot + 16 + r])
        y[q + 9], y[q + 10] = extra, dice
        for k in range(6):
            y[q + 11 + k] = min(y[q + k], max(y[at.lacking + k] - y[p + k], np.float32(0)))
        p = q + 17
