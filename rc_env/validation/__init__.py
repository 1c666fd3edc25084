"""Validates games from outside: every field is checked before compiled code sees it.

Compiled rules use fields as indices and trust them. `check` first looks at each field by itself (`ranges.py`), then at
the open decision points (`frames.py`), and then counts everything that the box holds (`base.py`, and for games with a
switch of the expansion `full.py` and `module.py`). It is written in NumPy, from the records and the data file, without
the compiled rules. The tests play millions of random games under its eyes, so it is also the check of the rules that
nothing is lost and nothing appears.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rc_env.rules.printed.sizes import SECTIONS
from rc_env.ruleset import Ruleset

from .base import BaseLedger
from .contractors import ContractorsLedger
from .frames import Frames
from .full import FullLedger
from .ledger import ImpossibleGame, hold
from .ranges import Ranges

__all__ = ["ImpossibleGame", "check", "check_readable", "ledger"]


@lru_cache(maxsize=32)
def ledger(ruleset: Ruleset) -> BaseLedger:
    """The checks for the games of a variant, prepared from its data files."""
    if not ruleset.full:
        return BaseLedger(ruleset)
    return ContractorsLedger(ruleset) if ruleset.contractors else FullLedger(ruleset)


@lru_cache(maxsize=32)
def _fields(ruleset: Ruleset) -> tuple[Ranges, Frames]:
    return Ranges(ruleset), Frames(ruleset)


def check(ruleset: Ruleset, games: np.ndarray) -> None:
    """Refuse games that are not positions of a game of this variant.

    Args:
        ruleset: the variant.
        games: (N,) array of its `rules.state.GAME`. Keys and counters of chance may have any value.

    Raises:
        ImpossibleGame: a ValueError that names the first such game, and what is wrong with it.
    """
    plain = games.view(np.ndarray)
    if not len(plain):
        return
    ranges, frames = _fields(ruleset)
    ranges.check(plain)
    frames.check(plain)
    ledger(ruleset).check(plain)


@lru_cache(maxsize=32)
def _readable(ruleset: Ruleset) -> Ranges:
    return Ranges(ruleset, concealed=True)


def check_readable(ruleset: Ruleset, games: np.ndarray) -> None:
    """Refuse games with a number out of its range, which cannot even be put in words, drawn or scored.

    Games from `Engine.conceal` are accepted, although they are not complete positions.

    Args:
        ruleset: the variant.
        games: (N,) array of its `rules.state.GAME`.

    Raises:
        ImpossibleGame: a ValueError that names the first such game, and what is wrong with it.
    """
    plain = games.view(np.ndarray)
    _readable(ruleset).check(plain)
    hold(plain["first"] + plain["height"] <= SECTIONS, "height: a section found that is not in the game")
    hold(plain["claimed"] <= plain["height"], "claimed: a section found that is not in its tower")
