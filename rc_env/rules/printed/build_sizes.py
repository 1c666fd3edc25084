"""The sizes that differ between the two builds: the base build has no room for what only the full game has.

Modules that are loaded once for each build import them relatively. All other code finds them in `Ruleset.build.sizes`.
"""

from __future__ import annotations

from ...edition import FULL
from .sizes import ALL_NEUTRAL_DICE, COLOURS, IVAN_CARDS_BASE, PRINTED_TILES, SPECIAL_TILES, SPECIALISTS, TILE_EFFECT

NEUTRAL_DICE = ALL_NEUTRAL_DICE if FULL else ALL_NEUTRAL_DICE[:1]
DIE_NAMES = (*COLOURS, *NEUTRAL_DICE)
DICE = len(DIE_NAMES)
IVAN_CARDS = 6 if FULL else IVAN_CARDS_BASE  # places in the records; RULES.ivan_cards says how many he has
TILE_KINDS = PRINTED_TILES + (SPECIAL_TILES if FULL else 0)
SPECIALIST_EFFECT = TILE_EFFECT + TILE_KINDS  # the effect of the first specialist
EFFECTS = SPECIALIST_EFFECT + (SPECIALISTS if FULL else 0)
STACK = 12 if FULL else 8  # open decision points
