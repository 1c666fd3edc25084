"""The subjects of the observation: a module each, with its pieces and the compiled rule that writes them.

An observation begins with MOMENT, what any decision may change, and ends with BOARD, what fewer decisions change:
`GAME.version` counts those. An expansion adds a module and a line here; the order is that of the pieces, so a part in
another place is another layout.
"""

from ...edition import FULL
from ..pieces import Part
from . import cathedral, contractors, decision, expansion, ivan, market, printed, seats, turn, workshops

MOMENT: tuple[Part, ...] = (
    turn.TURN_PART,
    market.DICE_PART,
    seats.SEATS_PART,
    ivan.TURN_PART,
    *((decision.DECISION_PART,) if FULL else ()),
)
BOARD: tuple[Part, ...] = (
    market.TILES_PART,
    cathedral.STANDINGS_PART,
    workshops.WORKSHOPS_PART,
    cathedral.SECTIONS_PART,
    printed.PRINTED_PART,
    ivan.CARDS_PART,
    *((expansion.CARDS_PART, expansion.COMPONENTS_PART, contractors.CONTRACTORS_PART) if FULL else ()),
)
