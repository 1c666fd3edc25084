"""What a network sees: the observation, and a few things that follow from it.

Where a die would land, what lies there, which section of a tower is the next to be claimed and what the own sections
still lack: all of it is in the observation, but to look it up takes products of inputs, which a multi-layer perceptron
learns slowly. Here it is looked up. The inputs also name the *objects* that actions are about (moves, sections, towers,
slots, spaces), so that a network can judge all objects of a kind alike.

Shape letters as in `agents.base`: N games, F features of an observation, A actions; I inputs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env.jit import kernel
from rc_env.rules.components import Verb
from rc_env.rules.data_file import GUILDS, MATERIALS, RESOURCES
from rc_env.rules.state import SLOTS, SPACES
from rc_env.ruleset import Ruleset

VERSION = 1
"""Rises when an input means something else than before."""

DICE = 5
TILE = 14  # entries of a workshop tile: five dice, eight resources, any material


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
        space = len(RESOURCES) + len(GUILDS) * cards
        wide = width["section"] > 8
        self._at = np.array(
            [
                at["die_space"], at["die_value"], at["crowd"], at["market"], at["influence"], width["influence"], cards,
                at["workshop"], at["card"], at["section"], width["section"], 8 if wide else 4, ruleset.players,
                at["section_tile"], at["landing"], at["goods"], towers, levels,
            ],
            np.int64,
        )  # fmt: skip
        move = space + len(RESOURCES) + 3
        claim = len(RESOURCES) + TILE + 5
        begin = layout.size
        self._begin = np.cumsum([begin, towers * claim, space, len(MATERIALS)])
        self.shared = int(self._begin[3])
        self.size = self.shared + len(self.moves) * move

        def numbered(verb: Verb) -> NDArray[np.int64]:
            return np.array([number for number, action in enumerate(actions) if action.verb == verb], np.int64)

        sections = towers * levels
        deliver = numbered(Verb.DELIVER).reshape(len(MATERIALS), sections).T
        adorn = numbered(Verb.ADORN).reshape(sections, 1)
        workshop = numbered(Verb.WORKSHOP).reshape(SLOTS, 1)
        self.objects = (
            Objects("moves", ((self.shared, move, 1),), numbered(Verb.MOVE).reshape(-1, 1)),
            Objects("claims", ((begin, claim, 1), (at["standing"], 8, 1)), numbered(Verb.CLAIM).reshape(towers, -1)),
            Objects(
                "sections",
                (
                    (at["card"], 8, 1),
                    (at["section"], width["section"], 1),
                    (at["section_tile"], 16, 1),
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
        fill(observation, self._divisors, self._scale, self._at, self._begin, self.moves, out)
        return out


@kernel
def fill(
    observation: NDArray[np.float32],
    divisors: NDArray[np.float32],
    scale: NDArray[np.float32],
    at: NDArray[np.int64],
    begin: NDArray[np.int64],
    moves: NDArray[np.int64],
    out: NDArray[np.float32],
) -> None:
    """Write the inputs of each game: the observation to scale, claims, the space landed on, what is lacking, moves."""
    die_space, die_value, crowd, market, influence, influence_width, cards = (
        at[0],
        at[1],
        at[2],
        at[3],
        at[4],
        at[5],
        at[6],
    )
    workshop, card, section, section_width, banners, players = at[7], at[8], at[9], at[10], at[11], at[12]
    tile, landing, goods, towers, levels = at[13], at[14], at[15], at[16], at[17]
    for i in range(observation.shape[0]):
        o, y = observation[i], out[i]
        for k in range(o.shape[0]):
            y[k] = o[k] * scale[k]
        # moves, and the space landed on: what the space yields with the dice there, and its guild card
        p = begin[3]
        for m in range(moves.shape[0] + 1):
            is_move = m < moves.shape[0]
            dice = np.float32(0)
            target = -1
            if is_move:
                d = moves[m, 0]
                for s in range(8):
                    if o[die_space + 8 * d + s] > 0:
                        for v in range(6):
                            if o[die_value + 8 * d + v] > 0:
                                target = (s + v + 1 + moves[m, 1]) % 8
                                dice = np.float32(target != s)
            else:
                p = begin[1]
                for s in range(8):
                    if o[landing + s] > 0:
                        target = s
            if target >= 0:
                dice += o[crowd + target] * divisors[crowd + target]
                for r in range(8):
                    at_tile = market + 8 * target + r
                    y[p + r] = o[at_tile] * divisors[at_tile] * dice
                quadrant = influence + (target // 2) * influence_width
                for g in range(4):
                    for k in range(cards):
                        y[p + 8 + g * cards + k] = o[quadrant + g] * o[quadrant + 4 + k]
            p += 8 + 4 * cards
            if is_move:  # what the workshop tile of the die yields; the white one has two to choose from
                slot = workshop + 16 * moves[m, 0] + 5
                for r in range(9):
                    y[p + r] = o[slot + r] * divisors[slot + r]
                    if moves[m, 0] == 4:
                        y[p + r] = max(y[p + r], o[slot + 16 + r] * divisors[slot + 16 + r])
                y[p + 9] = moves[m, 1]
                y[p + 10] = dice
                p += 11
        # the next section of each tower that can be claimed: card, tile, kind, level
        for t in range(towers):
            p = begin[0] + t * 27
            for level in range(levels):
                place = t * levels + level
                s = section + place * section_width
                taken = o[s + 3]
                for k in range(players):
                    taken += o[s + banners + k]
                if taken == 0 and o[s] + o[s + 1] + o[s + 2] > 0:
                    for k in range(8):
                        at_card = card + 8 * place + k
                        y[p + k] = o[at_card] * scale[at_card]
                    for k in range(14):
                        y[p + 8 + k] = o[tile + 16 * place + k]
                    y[p + 22], y[p + 23], y[p + 24] = o[s], o[s + 1], o[s + 2]
                    y[p + 25], y[p + 26] = level, 1
                    break
        # what the own sections miss, less what is in hand
        p = begin[2]
        for k in range(6):
            y[p + k] = -o[goods + k] * divisors[goods + k]
        for place in range(towers * levels):
            if o[section + place * section_width + banners] > 0 and o[section + place * section_width + 3] == 0:
                for k in range(6):
                    at_card = card + 8 * place + k
                    y[p + k] += o[at_card] * divisors[at_card]
