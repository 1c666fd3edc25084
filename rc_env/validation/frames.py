"""The checks of open decision points: which frame may lie on which, and the values of their numbers.

What the numbers mean is said beside each point in `rules/points.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rc_env.rules.expansion import builders
from rc_env.rules.points import EFFECT, FIRST, POINT, SECOND, THIRD, Point
from rc_env.rules.printed import sizes
from rc_env.rules.printed.sizes import (
    ANY,
    CARDS_DRAWN,
    CITIES,
    DIAMOND,
    INFLUENCES,
    MATERIALS,
    SEATS,
    SECTIONS,
    SIDES,
    SLOTS,
)
from rc_env.rules.solo import ivan
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

from .ledger import hold

MOST = 12  # of a material, or of payments, at most
_NUMBERS = 2 + sizes.SIDES * INFLUENCES  # values of a number of a frame, from -1
_MATERIALS = (*range(MATERIALS), DIAMOND)


@dataclass(frozen=True)
class Frame:
    """The values that a frame of one decision point may hold.

    Attributes:
        first, second, third: values of its numbers.
        effect: whether it may serve an effect, and whether it must.
        lowest: whether it may be the lowest one.
        above: whether it may lie on others.
    """

    first: Iterable[int] = (0,)
    second: Iterable[int] = (0,)
    third: Iterable[int] = (0,)
    effect: tuple[bool, bool] = (True, True)
    lowest: bool = False
    above: bool = True


_NO_EFFECT, _PERHAPS = (False, False), (True, False)
FRAMES = {
    Point.START: Frame(effect=_NO_EFFECT, lowest=True, above=False),
    Point.PLACE: Frame(range(SECTIONS), (0, 1), (0, 1), effect=_NO_EFFECT, lowest=True),
    Point.TAKE: Frame(
        (*range(MATERIALS), ANY, builders.FROM_CARD), range(1, MOST), range(max(2, CARDS_DRAWN)), effect=_PERHAPS
    ),
    Point.MARKET: Frame(effect=_NO_EFFECT, lowest=True, above=False),
    Point.PAY: Frame(range(1, MOST), range(MATERIALS + 2)),
    Point.GAIN: Frame(range(1, MOST), (-1, *_MATERIALS), range(SEATS + 1)),
    Point.TILE: Frame(range(1, MOST), range(SLOTS + 1), effect=_PERHAPS),
    Point.SWAP: Frame(range(MOST)),
    Point.BUILD: Frame(range(1, MOST), (0, 1), effect=_PERHAPS),
    Point.GEMS: Frame(range(SECTIONS), effect=_NO_EFFECT),
    Point.END: Frame(effect=_NO_EFFECT, lowest=True, above=False),
    Point.IVAN: Frame((ivan.CLAIMS, ivan.ADORNS), range(3), range(2), effect=_NO_EFFECT, lowest=True, above=False),
    Point.SPECIAL: Frame(effect=_NO_EFFECT, lowest=True, above=False),
    Point.RESOURCE: Frame(range(MOST), third=(0, 1), effect=_PERHAPS),
    Point.INFLUENCE: Frame(range(MOST), range(SIDES * INFLUENCES + 1), (0, 1), effect=_PERHAPS),
    Point.FOREMAN: Frame(range(MOST)),
    Point.PLAYER: Frame(range(4), _MATERIALS),
    Point.EXTRA: Frame((1, 2), range(3)),
    Point.CARD: Frame(),
    Point.SECTION: Frame(range(MOST), range(SLOTS)),
    Point.KEEP: Frame(),
    Point.RETURN: Frame(effect=_PERHAPS),
    Point.REINFORCEMENT: Frame(range(MOST)),
    Point.HIRE: Frame(range(CITIES), effect=_NO_EFFECT),
    Point.BOTH: Frame((1, 2, 3), (0, 1)),
    Point.SPEND: Frame(range(MOST)),
    Point.DISCARD: Frame(range(MOST)),
    Point.CLAIM: Frame(range(MOST)),
}
_UNDER = (
    Point.START, Point.PLACE, Point.MARKET, Point.END, Point.BUILD, Point.HIRE, Point.EXTRA, Point.TILE,
    Point.INFLUENCE, Point.TAKE, Point.RESOURCE, Point.BOTH,
)  # fmt: skip
"""The decision points that other frames may lie on."""


def _table(values: Iterable[int]) -> list[bool]:
    chosen = set(values)
    return [number in chosen for number in range(-1, _NUMBERS - 1)]


class Frames:
    """The frames of one variant's games."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.points = len(ruleset.build.points.POINTS)
        self.effects = ruleset.build.sizes.EFFECTS
        self.sections = int(ruleset.rules[0].sections)
        self.solo, self.special_tiles = ruleset.solo, ruleset.special_tiles
        frames = [FRAMES[Point(point)] for point in range(self.points)]
        self.allowed = {
            entry: np.array([_table(getattr(frame, name)) for frame in frames])
            for entry, name in ((FIRST, "first"), (SECOND, "second"), (THIRD, "third"))
        }
        self.may, self.must = np.array([frame.effect for frame in frames]).T
        self.lowest = np.array([frame.lowest for frame in frames])
        self.above = np.array([frame.above for frame in frames])
        self.under = np.isin(np.arange(self.points), _UNDER)

    def check(self, g: np.ndarray) -> None:
        """Refuse games whose open decision points cannot come about."""
        stack, depth = g["stack"], g["depth"]
        used = np.arange(stack.shape[1]) < depth[:, None]
        point = np.where(used, stack[:, :, POINT], 0)
        hold((point >= 0) & (point < self.points), "stack: a decision point of no such number")
        for entry, name in ((FIRST, "first"), (SECOND, "second"), (THIRD, "third")):
            number = np.where(used, stack[:, :, entry], -1)
            fits = (number < _NUMBERS - 1) & self.allowed[entry][point, np.clip(number, -1, _NUMBERS - 2) + 1]
            hold(~used | fits, f"stack: the {name} number of a decision point is out of its range")
        effect = np.where(used, stack[:, :, EFFECT], -1)
        fits = np.where(effect >= 0, self.may[point], ~self.must[point]) & (effect < self.effects)
        hold(~used | fits, "stack: a decision point serves an effect that it cannot serve")
        hold(~used[:, 0] | self.lowest[point[:, 0]], "stack: a decision point that opens within a turn lies lowest")
        hold(
            ~used[:, 1:] | self.above[point[:, 1:]],
            "stack: a decision point that begins or ends a turn lies on another",
        )
        hold(~used[:, 1:] | self.under[point[:, :-1]], "stack: a decision point lies on one that opens none")
        sections = np.isin(point, (Point.PLACE, Point.GEMS)) & used
        section = stack[:, :, FIRST]  # PLACE_SECTION, GEMS_SECTION
        hold(~sections | (section < self.sections), "stack: a decision about a section that is not in the game")
        open_to = np.where(used & (point == Point.IVAN), self.solo, True)
        open_to &= np.where(used & (point == Point.SPECIAL), self.special_tiles, True)
        hold(open_to, "stack: a decision point that this variant does not have")
        hold((g["status"] == PLAYING) | (depth == 0), "stack: an open decision point in a game that is over")
