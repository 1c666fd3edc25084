"""GAME: one record a game. A batch is a one-dimensional array of them.

Shapes: seats 4, dice 6 (the sixth is not in the base game), market spaces 8, quadrants 4, towers 6, sections 24,
workshop slots 6, materials 6. In the solo game seat 1 is Ivan's: he has a marker, banners and ornaments there, but no
goods and no workshop. A game with fewer seats, towers or sections leaves the rest of a field as it was at
first. Small integers throughout; -1 is "none". Sections are counted tower by tower from the left, each upwards.
Order and alignment matter to `layout/writer.py` alone, which reads fields of eight small entries as one word.
"""

from __future__ import annotations

import numpy as np

from rc_env.jit import rule

SEATS, DICE, SPACES, QUADRANTS, TOWERS, LEVELS, SECTIONS, SLOTS, MATERIALS = 4, 6, 8, 4, 6, 6, 24, 6, 6
STACK, FORCED, ROLLED = 8, 16, 24
IVAN_CARDS, EVENTS = 5, 20

# What stands in a field of eight "resources": the six materials, then these two. ANY is a tile's "any one material".
RUBLES, RECOGNITION, ANY = 6, 7, 8

# goods[seat]: the six materials, then banners.
BANNERS_INVENTORY, BANNERS_SPARE = 6, 7
# works[seat]: ornaments to hand (DOOR, ARCH, CROSS), then counts of what was done, then banners on the white slots.
DOOR, ARCH, CROSS, CLAIMED, FINISHED, ADORNED, WHITE_BANNER = 0, 1, 2, 3, 4, 5, 6

# The workshop slots: the four colours, then the two white ones.
WHITE_SLOT = 4
WHITE_DIE = 4

# The points at which a player decides. A frame of the stack is (point, a, b, c); what a, b, c mean is told beside
# each name. The frame on top is the one that waits.
START = 0  # a turn begins
PLACE = 1  # a: the section whose tile is to be placed
TAKE = 2  # a: material or ANY, b: the most that can be taken, c: 1 if nothing may be taken (a tile just placed)
MARKET = 3  # the die has moved
PAY = 4  # a: 0 or 1, the action of the guild card, b: payments left, c: the first material that may still be paid
GAIN = 5  # a: 0 or 1, the action of the guild card, b: gains left, c: a material that is not given, or -1
TILE = 6  # a guild action activates a workshop tile
SWAP = 7  # a guild action swaps two market tiles
BUILD = 8  # a: deliveries left, b: 1 after the first delivery
GEMS = 9  # a: the section whose ornament waits for its gems; deliveries left are in the BUILD frame below
END = 10  # the main action is over
IVAN = 11  # solo, the player chooses for Ivan; a: CLAIMS or ADORNS of `ivan.py`, b and c: see there
POINTS = ("start", "place", "take", "market", "pay", "gain", "tile", "swap", "build", "gems", "end", "ivan")

PLAYING, TERMINATED, TRUNCATED = 0, 1, 2

GAME = np.dtype(
    [
        # --- words: eight small entries each
        # materials the section still misses, then the rubles and recognition it pays; of a section of Ivan's, who lays
        # any kind and is paid no rubles: materials that lie on it, how many it still misses, recognition
        ("card", np.int8, (SECTIONS, 8)),
        ("goods", np.int8, (SEATS, 8)),  # materials, banners in the inventory, spare banners
        (
            "works",
            np.int8,
            (SEATS, 8),
        ),  # ornaments to hand, sections claimed, finished, ornaments placed, white banners
        ("crowd", np.int8, (SPACES,)),  # dice on each space
        ("supply", np.int8, (8,)),  # materials in the supply (two entries unused)
        ("ivan_goods", np.int8, (2, 8)),  # materials on Ivan's Inventory card and on his Construction card (likewise)
        # --- wide numbers
        ("key", np.uint64),  # the source of all chance in this game, and of the key of the row's next one
        ("version", np.uint32),  # changes to market tiles, workshops and cathedral in this game: what is cached of them
        ("decisions", np.uint32),  # decisions taken in this game
        ("rolls", np.uint32, (DICE,)),  # times each die was rolled: the counters of the dice streams
        ("rubles", np.int32, (SEATS,)),
        ("track", np.int32, (SEATS,)),  # spaces from the start of the score track
        ("turn", np.int32),  # turns begun by anyone, from 1
        ("ivan_turns", np.uint32),  # turns that Ivan has ended: also the counter of his streams
        # --- the cathedral
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
        # --- tower standings as they would score now, kept by `ending.standing`
        ("worth", np.int8, (TOWERS,)),
        ("presence", np.int8, (TOWERS, SEATS)),
        ("share", np.int8, (TOWERS, SEATS)),
        ("towers", np.int16, (SEATS,)),  # the sum of a seat's shares
        # --- the market
        ("market", np.int8, (SPACES,)),  # market tile on each space
        ("guild", np.int8, (QUADRANTS,)),
        ("influence", np.int8, (QUADRANTS,)),  # influence card, counted through all guilds
        ("die_space", np.int8, (DICE,)),
        ("die_value", np.int8, (DICE,)),
        # --- the workshops
        ("slot_tile", np.int8, (SEATS, SLOTS)),  # kind of the tile placed there
        ("slot_up", np.int8, (SEATS, SLOTS)),  # 1 face up
        ("slot_ornament", np.int8, (SEATS, SLOTS)),  # ornament still on the slot (advanced)
        # --- the turn
        ("status", np.int8),  # PLAYING, TERMINATED, TRUNCATED
        ("seat", np.int8),  # who decides: whose turn it is, or in Ivan's turn the player
        ("ending", np.int8),  # seat that triggered the ending
        ("depth", np.int8),  # frames on the stack
        ("stack", np.int8, (STACK, 4)),
        ("rerolled", np.int8),  # 1 once the re-roll of this turn is used
        ("die", np.int8),  # the die moved this turn
        ("space", np.int8),  # where it landed
        ("obtained", np.int8),  # 1 once resources were obtained
        ("worked", np.int8),  # 1 once the workshop was used
        ("influenced", np.int8),  # action of the guild card in use, or -1
        ("influence_open", np.int8),  # 1 while that action may be repeated
        # --- chance, forced and logged
        ("forced", np.int8, (FORCED,)),  # values the next dice will show, in the order in which they are rolled
        ("forced_count", np.int8),
        ("forced_next", np.int8),
        (
            "rolled",
            np.int8,
            (ROLLED,),
        ),  # dice rolled since the last decision: 10 x die + value, + 60 for a roll's first
        ("rolled_count", np.int8),
        # --- Ivan (solo)
        ("ivan_card", np.int8, (IVAN_CARDS,)),  # his cards, from left to right
        ("ivan_tile", np.int8, (IVAN_CARDS,)),  # the die on the tile that lies on each
        ("ivan_up", np.int8, (IVAN_CARDS,)),  # 1 while that tile is face up
        ("ivan_dealt", np.int8),  # kind of the workshop tile on the section that he claimed at setup
        ("ivan_forced", np.int8, (IVAN_CARDS,)),  # the dice that he will lay next, from left to right, or -1 first
        ("ivan_rolled", np.int8, (DICE,)),  # dice rolled in his last turn, written as in `rolled`
        ("ivan_rolled_count", np.int8),
        ("ivan_event", np.int8, (EVENTS, 2)),  # what happened in his last turn, in order: (one of `ivan.EVENT`, value)
        ("ivan_events", np.int8),
    ],
    align=True,
)

MENU = np.dtype([("action", np.int16, (640,))])
"""Where legal actions are written: a record, since a compiled function is handed one as a single address.

It holds every action of the catalogue (`components.ACTIONS`), and scratch behind those in use.
"""

# The same memory in words of eight entries, as the writer of observations reads it.
WORDS = np.dtype([("word", np.uint64, (GAME.itemsize // 8,))])


@rule
def count_turn(g):
    """A turn more; what a turn keeps of itself starts over."""
    g.turn += 1
    g.rerolled = 0
    g.die = -1
    g.space = -1
    g.obtained = 0
    g.worked = 0
    g.influenced = -1
    g.influence_open = 0


@rule
def push(g, point, a, b, c):
    """Open a decision point on top of the one that waits."""
    f = g.stack[g.depth]
    f[0] = point
    f[1] = a
    f[2] = b
    f[3] = c
    g.depth += 1


@rule
def pop(g):
    """Close the decision point that waits."""
    g.depth -= 1


@rule
def room(c, g, seat):
    """Open inventory spaces without a material: 0 to 10."""
    goods = g.goods[seat]
    return (
        c.inventory_spaces
        - goods[BANNERS_INVENTORY]
        - (goods[0] + goods[1] + goods[2] + goods[3] + goods[4] + goods[5])
    )


@rule
def receivable(c, g, seat, material):
    """How many of a material the seat can receive: limited by its room and by the supply (R-21)."""
    space = room(c, g, seat)
    left = g.supply[material]
    return space if space < left else left


@rule
def receive(g, seat, material, count):
    """Move materials from the supply to the inventory."""
    g.goods[seat, material] += count
    g.supply[material] -= count


@rule
def give_back(g, seat, material, count):
    """Move materials from the inventory to the supply."""
    g.goods[seat, material] -= count
    g.supply[material] += count
