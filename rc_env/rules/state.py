"""GAME: one record per game. A batch is a one-dimensional array of them.

Its shapes are those of `sizes.py`. In the solo game seat 1 is Ivan's: he has a marker, banners and ornaments there, but
no goods and no workshop. A game with fewer seats, towers or sections leaves the rest of a field as it was at first.
Small integers throughout; -1 is "none". Sections are counted tower by tower from the left, each upwards.
Order and alignment matter to the writer of observations alone (`layout/subjects/`): it reads the fields of `_ROWS` as
words of eight entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..edition import FULL
from .printed.build_sizes import DICE, IVAN_CARDS, STACK
from .printed.sizes import (
    CARDS_DRAWN,
    CITIES,
    CONTRACTS,
    CONTRACTS_DRAWN,
    DISCARDS,
    EVENTS,
    FORCED,
    FRAME,
    HAND,
    MATERIALS,
    QUADRANTS,
    REINFORCEMENTS,
    ROLLED,
    SEATS,
    SECTIONS,
    SLOTS,
    SPACES,
    SPECIALIST_SLOTS,
    SPECIALISTS_FORCED,
    TOWERS,
    WIDTH,
    WORD,
)

PLAYING, TERMINATED, TRUNCATED = 0, 1, 2

# rows of eight small entries, or of a multiple of eight: the writer of observations reads them as words
_ROWS = (
    # materials the section still misses, then the rubles and recognition it pays; of a section of Ivan's, who lays
    # any kind and is paid no rubles: materials that lie on it, how many it still misses, recognition
    ("card", np.int8, (SECTIONS, WIDTH)),
    ("goods", np.int8, (SEATS, WIDTH)),  # materials, banners in the inventory, spare banners
    # ornaments to hand, sections claimed, finished, ornaments placed, banners on the white slots
    ("works", np.int8, (SEATS, WORD)),
    ("crowd", np.int8, (SPACES,)),  # dice on each space
    ("supply", np.int8, (WIDTH,)),  # materials in the supply; the entries behind them are unused
    ("ivan_goods", np.int8, (2, WIDTH)),  # materials on Ivan's Inventory and Construction cards, likewise
)
# wide numbers
_NUMBERS = (
    ("key", np.uint64),  # the source of all chance in this game, and of the key of the row's next one
    ("version", np.uint32),  # changes to market tiles, workshops and cathedral in this game: what is cached of them
    ("decisions", np.uint32),  # decisions taken in this game
    ("rolls", np.uint32, (DICE,)),  # times each die was rolled: the counters of the dice streams
    ("rubles", np.int32, (SEATS,)),
    ("track", np.int32, (SEATS,)),  # spaces from the start of the score track
    ("turn", np.int32),  # turns begun by anyone, from 1
    ("ivan_turns", np.uint32),  # turns that Ivan has ended: also the counter of his streams
)
_CATHEDRAL = (
    ("plan", np.int8),  # which building plan was drawn
    ("height", np.int8, (TOWERS,)),
    ("first", np.int8, (TOWERS,)),  # the base of each tower
    ("claimed", np.int8, (TOWERS,)),  # sections claimed in each tower: the level that is on offer
    ("number", np.int8, (SECTIONS,)),  # the cathedral card, counted through bases, middles and domes
    ("kind", np.int8, (SECTIONS,)),  # 0 base, 1 middle, 2 dome: also the ornament that fits (door, arch, cross)
    ("tower", np.int8, (SECTIONS,)),
    ("level", np.int8, (SECTIONS,)),
    ("owner", np.int8, (SECTIONS,)),  # seat whose banner is on it
    ("finished", np.int8, (SECTIONS,)),
    ("tile", np.int8, (SECTIONS,)),  # kind of the workshop tile still on the card
    ("ornament", np.int8, (SECTIONS,)),  # seat whose ornament is on it
)
# towers as they would score now, kept by `ending.standing`
_STANDINGS = (
    ("worth", np.int8, (TOWERS,)),
    ("presence", np.int8, (TOWERS, SEATS)),
    ("share", np.int8, (TOWERS, SEATS)),
    ("towers", np.int16, (SEATS,)),  # the sum of a seat's shares
)
_MARKET = (
    ("market", np.int8, (SPACES,)),  # market tile on each space
    ("guild", np.int8, (QUADRANTS,)),
    ("influence", np.int8, (QUADRANTS,)),  # influence card, counted through all guilds
    ("die_space", np.int8, (DICE,)),
    ("die_value", np.int8, (DICE,)),
)
_WORKSHOPS = (
    ("slot_tile", np.int8, (SEATS, SLOTS)),  # kind of the tile placed there
    ("slot_up", np.int8, (SEATS, SLOTS)),  # 1 face up
    ("slot_ornament", np.int8, (SEATS, SLOTS)),  # ornament still on the slot (advanced)
)
_TURN = (
    ("status", np.int8),  # PLAYING, TERMINATED, TRUNCATED
    ("seat", np.int8),  # who decides: whose turn it is, or in Ivan's turn the player
    ("ending", np.int8),  # seat that triggered the ending
    ("depth", np.int8),  # frames on the stack
    ("stack", np.int16, (STACK, FRAME)),  # open decision points: see `points.py`
    ("rerolled", np.int8),  # 1 once the re-roll of this turn is used
    ("die", np.int8),  # the die moved this turn
    ("space", np.int8),  # where it landed
    ("obtained", np.int8),  # 1 once resources were obtained
    ("worked", np.int8),  # 1 once the workshop was used
    ("influenced", np.int8),  # action of the guild card in use, or -1
    ("influence_open", np.int8),  # 1 while that action may be repeated
)
# chance, forced and logged
_CHANCE = (
    ("forced", np.int8, (FORCED,)),  # values the next dice will show, in the order in which they are rolled
    ("forced_count", np.int8),
    ("forced_next", np.int8),
    # dice rolled since the last decision: 10 x die + value, and 60 more for the first die of a roll
    ("rolled", np.int8, (ROLLED,)),
    ("rolled_count", np.int8),
)
# the solo game
_IVAN = (
    ("ivan_card", np.int8, (IVAN_CARDS,)),  # his cards, from left to right
    ("ivan_tile", np.int8, (IVAN_CARDS,)),  # the die on the tile that lies on each
    ("ivan_up", np.int8, (IVAN_CARDS,)),  # 1 while that tile is face up
    ("ivan_dealt", np.int8),  # kind of the workshop tile on the section that he claimed at setup
    ("ivan_forced", np.int8, (IVAN_CARDS,)),  # the dice that he will lay next, from left to right, or -1 first
    ("ivan_rolled", np.int8, (DICE,)),  # dice rolled in his last turn, written as in `rolled`
    ("ivan_rolled_count", np.int8),
    ("ivan_event", np.int8, (EVENTS, 2)),  # what happened in his last turn, in order: (one of `ivan.EVENT`, value)
    ("ivan_events", np.int8),
)
# the full game alone
_EXPANSION = (
    ("builder_deck", np.uint64),  # master builders: the cathedral cards in their deck, a bit each
    ("card_draws", np.uint32),  # cards drawn from it in this game: the counter of its stream
    ("diamonds", np.int8, (SEATS,)),  # in the inventory
    ("diamond_supply", np.int8),
    ("card_diamonds", np.int8, (SECTIONS,)),  # diamonds that lie on each section
    ("foreman", np.int8),  # the tower at which he stands
    ("hand", np.int8, (SEATS, HAND)),  # contracts held, ascending, then -1
    ("contract_deck", np.int8, (CONTRACTS,)),  # from the top, then -1
    ("contracts_left", np.int8),  # cards in that deck
    ("drawn_contract", np.int8, (CONTRACTS_DRAWN,)),  # drawn, one of which is still to be kept; else -1
    ("discard", np.int8, (DISCARDS,)),  # master builders: discarded cards, in order
    ("discards", np.int8),
    ("drawn_card", np.int8, (CARDS_DRAWN,)),  # cathedral cards drawn whose gains are still open; else -1
    ("drawn_left", np.int8, (MATERIALS,)),  # materials that the card still shows of which two are taken
    ("reinforcement", np.int8, (REINFORCEMENTS,)),  # who holds each tile; -1 left to take, -2 out of the game
    ("reinforced", np.int8),  # 1 once the seat has used one in this turn
    ("special", np.int8, (SEATS,)),  # special tile that the seat has chosen and not yet placed, or -1
    ("guild_tile", np.int8),  # the seat in whose workshop the guild tile lies, or -1
    ("guild_tile_works", np.int8),  # scratch of `effects.py`: whether that tile would have an effect
    ("forced_card", np.int8, (CARDS_DRAWN,)),  # cathedral cards that will be drawn next if they are in the deck, or -1
    ("log_card", np.int8, (CARDS_DRAWN,)),  # cathedral cards drawn since the last decision, or -1
    ("log_contract", np.int8, (CONTRACTS_DRAWN,)),  # contracts drawn since the last decision, or -1
)
# the module Contractors, in the full build alone
_MODULE = (
    ("bag", np.uint32),  # the specialists in the bag, a bit each
    ("bag_draws", np.uint32),  # specialists drawn from it in this game: the counter of its stream
    ("tools", np.uint32, (SEATS,)),  # the specialists that a seat has turned over, a bit each
    ("permits", np.int8, (SEATS,)),
    ("permit_supply", np.int8),
    ("contractors", np.int8, (SEATS,)),  # still in the row
    ("city_over", np.int8, (TOWERS,)),  # the city over each tower, or -1
    ("city_open", np.int8, (CITIES,)),  # 1 while contractors may be sent there
    ("sent", np.int8, (CITIES, SEATS)),  # contractors in each city
    ("offer", np.int8, (SPECIALIST_SLOTS,)),  # the specialist on each slot, or -1 for good
    ("specialist", np.int8, (SEATS,)),  # the one that lies face up on the seat's board, or -1
    ("specialist_works", np.int8),  # scratch of `effects.py`: whether the seat's specialist would have an effect
    ("ivan_tower", np.int8),  # solo: where Ivan's city marker stands
    ("forced_specialist", np.int8, (SPECIALISTS_FORCED,)),  # drawn next, in order, if they are in the bag; or -1
    ("forced_specialists", np.int8),  # how many of them are left, the last ones
    ("log_refill", np.int8, (2,)),  # the slot refilled since the last decision, or -1, and with what, -1 for nothing
    ("ivan_refill", np.int8, (2, 2)),  # the same of Ivan's last turn
)

_FIELDS: list[Any] = [
    *_ROWS,
    *_NUMBERS,
    *_CATHEDRAL,
    *_STANDINGS,
    *_MARKET,
    *_WORKSHOPS,
    *_TURN,
    *_CHANCE,
    *_IVAN,
    *((*_EXPANSION, *_MODULE) if FULL else ()),
]
GAME = np.dtype(_FIELDS, align=True)
