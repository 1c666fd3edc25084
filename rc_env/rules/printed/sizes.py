"""Every size of records, actions and observations that is the same in both builds; the others are in `build_sizes.py`.

They are derived from the names of what the game is made of. A further die, material or guild is a further name there or
here, and rows in the data file; nothing else counts by hand. Constants in capitals are counts or places; tuples of
names end with NAMES, except the colours.
"""

from __future__ import annotations

# --- names, in the order in which they are counted everywhere
COLOURS = ("red", "blue", "yellow", "green")  # of seats, their dice and their workshop slots
ALL_NEUTRAL_DICE = ("white", "black")  # of no seat; they move further for rubles, as one's own does
WHITE_SLOTS = ("white1", "white2")
ALL_DIE_NAMES = (*COLOURS, *ALL_NEUTRAL_DICE)
BASE_DIE_NAMES = (*COLOURS, ALL_NEUTRAL_DICE[0])  # the black one is in games with the module Contractors alone
SLOT_NAMES = (*COLOURS, *WHITE_SLOTS)
MATERIAL_NAMES = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
RESOURCE_NAMES = (*MATERIAL_NAMES, "rubles", "recognition")
KINDS = ("base", "middle", "dome")  # of sections
ORNAMENT_NAMES = ("door", "arch", "cross")  # the one that fits each kind of section
PLAYERS = (2, 3, 4)  # numbers of players beside the solo game
# Of the expansion and the promos, which only the full build plays with.
REINFORCEMENT_NAMES = ("rubles", "guild", "workshop", "deliver", "recognition", "free", "materials", "die")
SPECIAL_NAMES = ("diamond", "material", "die", "guild")  # special workshop tiles
CITY_NAMES = ("moscow", "vologda", "suzdal", "ryazan", "smolensk", "tver")  # of the module Contractors

# --- counts
WORD = 8  # entries that the writer of observations handles at once
SEATS = len(COLOURS)
SLOTS = len(SLOT_NAMES)
MATERIALS = len(MATERIAL_NAMES)
RESOURCES = len(RESOURCE_NAMES)
SPACES = 8  # of the market; a power of two, so that a step beyond the last one is a bit mask
SPACES_PER_QUADRANT = 2
QUADRANTS = SPACES // SPACES_PER_QUADRANT
DICE_PER_SPACE = 3
SECTIONS_PER_PLAYER = 6
TOWERS = max(PLAYERS) + 2
LEVELS = 5  # of the tallest tower that a plan may have: the same for every number of players
SECTIONS = SECTIONS_PER_PLAYER * max(PLAYERS)
SPARE_BANNERS = len(WHITE_SLOTS)
INVENTORY_BANNERS = SECTIONS_PER_PLAYER - SPARE_BANNERS
INVENTORY_SPACES = 10  # the most
IVAN_CARDS_BASE = 5
EXTRA_STEPS = SPACES - 1  # more would repeat a space

# --- limits of the data file: how many of each component the records have places for
CARDS = {"base": 10, "middle": 20, "dome": 10}
CARDS_IN_ALL = sum(CARDS.values())
PRINTED_TILES = 16  # kinds of workshop tile in a data file
PLANS = 16  # of one number of players
GUILDS = 16
GUILD_CARDS = 8  # of one guild
INFLUENCES = 64  # cards of all guilds
SIDES = 2  # actions of a guild card
SPECIALISTS = 24
TILE_EFFECT = SIDES * INFLUENCES  # the effect of the first kind of workshop tile

# --- the record
FRAME = 5  # entries of one: the point, the effect that it serves, and three numbers of the point's own
FORCED, ROLLED = 16, 24
EVENTS = 20


def whole_words(entries: int) -> int:
    """The number of entries, rounded up to whole words."""
    return -(-entries // WORD) * WORD


# --- places in a row of resources: the materials, then these two. ANY is a tile's "any one material".
RUBLES, RECOGNITION, ANY = MATERIALS, MATERIALS + 1, MATERIALS + 2
PERMITS = MATERIALS + 3  # the number of permits where a resource is meant: they have no place in a row
WIDTH = whole_words(RESOURCES)
WORDS_OF_RESOURCES = WIDTH // WORD

# --- places in GAME.goods[seat]: the materials, then banners
BANNERS_INVENTORY, BANNERS_SPARE = MATERIALS, MATERIALS + 1

# --- places in GAME.works[seat]: ornaments to hand, then counts of what was done, then banners on the white slots
DOOR, ARCH, CROSS, CLAIMED, FINISHED, ADORNED, WHITE_BANNER = 0, 1, 2, 3, 4, 5, 6

# --- slots and dice that the colours do not cover
WHITE_SLOT = SLOT_NAMES.index("white1")
WHITE_DIE, BLACK_DIE = ALL_DIE_NAMES.index("white"), ALL_DIE_NAMES.index("black")
GREEN, PURPLE = MATERIAL_NAMES.index("green_gem"), MATERIAL_NAMES.index("purple_gem")

# The writer of observations reads these rows as whole words.
assert WHITE_BANNER + len(WHITE_SLOTS) <= WORD
assert SPACES == WORD
assert SECTIONS <= TOWERS * LEVELS

# --- the expansion and the promos
DIAMOND = MATERIALS  # the number of a diamond where a material is meant: after the six of the base game
REINFORCEMENTS = len(REINFORCEMENT_NAMES)
SPECIAL_TILES = len(SPECIAL_NAMES)
SPECIAL_KIND = PRINTED_TILES  # the first special kind of workshop tile
CONTRACTS = 15
CONTRACTS_DRAWN = 3
HAND = 4  # contracts that a player may hold for the moment between taking one and returning one
CARDS_DRAWN = 2  # cathedral cards that the master builders draw, at most
DISCARDS = CARDS_IN_ALL - SECTIONS_PER_PLAYER * min(PLAYERS)  # cathedral cards that are not in the game, at most
FOREMAN_STEPS = 2
CITIES = len(CITY_NAMES)
MOSCOW = CITY_NAMES.index("moscow")
SPECIALIST_SLOTS = 5
TOOLS = 6
CONTRACTORS = 6  # of a seat
MOST_SPENT = 5  # rubles that a specialist can spend
SPECIALISTS_FORCED = 4  # draws of one decision: one of the player's, two of Ivan's
