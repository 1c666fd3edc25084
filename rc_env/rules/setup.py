"""Setup: the deal, drawn from the key of the game or fixed by the caller (R-5 to R-8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env import checks

from ..edition import FULL
from ..jit import rule
from . import chance
from .expansion import builders, contracts, hire, reinforcements
from .expansion import turn as expansion_turn
from .points import begin_turn, forget_turn
from .printed.build_sizes import DICE, IVAN_CARDS
from .printed.components import BASE, DOME, MIDDLE
from .printed.sizes import (
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CITIES,
    CONTRACTS,
    MATERIALS,
    QUADRANTS,
    RESOURCES,
    SECTIONS,
    SLOTS,
    SPACES,
    SPECIALIST_SLOTS,
    SPECIALISTS,
    TOWERS,
    WHITE_BANNER,
)
from .solo import ivan
from .state import PLAYING

_EXPANSION: list[Any] = [
    ("contracts", np.int8, (CONTRACTS,)),  # from the top of the deck
    ("city", np.int8, (TOWERS,)),  # the city over each tower
    ("offer", np.int8, (SPECIALIST_SLOTS,)),  # the specialist on each slot
]

DEAL = np.dtype(
    [
        ("plan", np.int8),
        ("number", np.int8, (SECTIONS,)),  # cathedral card of each section
        ("tile", np.int8, (SECTIONS,)),  # kind of the workshop tile on each section
        ("market", np.int8, (SPACES,)),
        ("guild", np.int8, (QUADRANTS,)),
        ("influence", np.int8, (QUADRANTS,)),  # influence card in each quadrant
        ("die_space", np.int8, (DICE,)),
        ("die_value", np.int8, (DICE,)),
        ("ivan_card", np.int8, (IVAN_CARDS,)),  # solo: Ivan's cards from left to right
        ("ivan_tile", np.int8, (IVAN_CARDS,)),  # solo: the die of the tile on each
        *(_EXPANSION if FULL else []),
    ]
)
"""What a caller may fix of a deal. A part whose first entry is -1 is drawn; the others are taken as they are."""


def open_deal() -> np.recarray:
    """A DEAL in which everything is to be drawn: an array of one record."""
    deal = np.zeros(1, DEAL).view(np.recarray)
    for name in DEAL.names or ():
        deal[name] = -1
    return deal


def checked_deals(deals: np.ndarray, c: Any) -> np.ndarray:
    """The fixed deals, each entry found to be in its range: compiled code trusts them.

    Raises:
        ValueError: not DEAL records, or an entry or a combination of them is impossible.
    """
    if not isinstance(deals, np.ndarray) or deals.ndim != 1 or deals.dtype != DEAL:
        checks.refuse("deals", deals, "an array of rules.setup.DEAL records")
    limits = {
        "plan": int(c.plans), "number": int(c.cards), "tile": int(c.tile_kinds), "market": SPACES,
        "guild": int(c.guilds), "influence": int(c.first_influence[-1]), "die_space": SPACES, "die_value": 7,
    }  # fmt: skip
    used = {"number": int(c.sections), "tile": int(c.sections), "die_space": int(c.dice), "die_value": int(c.dice)}
    if FULL:
        limits |= {"city": CITIES, "offer": SPECIALISTS}
        used["city"] = int(c.towers)
    for name, limit in limits.items():
        part = np.asarray(deals[name]).reshape(len(deals), -1)[:, : used.get(name)]
        lowest = 1 if name == "die_value" else 0
        wrong = (part[:, :1] >= 0) & ((part < lowest) | (part >= limit))
        if wrong.any():
            raise ValueError(
                f"deals.{name} must be {lowest} to {limit - 1}, or -1 first for a draw, not {part[wrong][0]}"
            )
    fixed = deals["die_space"][:, 0] >= 0
    if (fixed != (deals["die_value"][:, 0] >= 0)).any():
        raise ValueError("deals: die_space and die_value can only be fixed together")
    for name in ("ivan_card", "ivan_tile") if c.players == 1 else ():
        count = int(c.ivan_cards)
        part = np.asarray(deals[name])[:, :count]
        wrong = (part[:, 0] >= 0) & (np.sort(part, 1) != np.arange(count)).any(1)
        if wrong.any():
            raise ValueError(
                f"deals.{name} must hold each of 0 to {count - 1} once, or -1 first for a draw, not {part[wrong][0]}"
            )
    if FULL:
        part = np.asarray(deals["contracts"])
        wrong = (part[:, 0] >= 0) & (np.sort(part, 1) != np.arange(CONTRACTS)).any(1)
        if wrong.any():
            raise ValueError(f"deals.contracts must hold each of 0 to 14 once, or -1 first, not {part[wrong][0]}")
        for name in ("city", "offer"):
            part = np.sort(np.asarray(deals[name])[:, : used.get(name)], 1)
            wrong = (np.asarray(deals[name])[:, 0] >= 0) & (part[:, 1:] == part[:, :-1]).any(1)
            if wrong.any():
                raise ValueError(f"deals.{name} must hold each number at most once, not {part[wrong][0]}")
    crowds = (deals["die_space"][fixed, : int(c.dice), None] == np.arange(SPACES)).sum(1)
    if (crowds > c.dice_per_space).any():
        raise ValueError(
            f"deals.die_space has {crowds.max()} dice on one space, but at most {c.dice_per_space} may be there"
        )
    known, quadrant = deals["influence"][:, 0] >= 0, np.asarray(deals["influence"])
    guild = np.searchsorted(np.asarray(c.first_influence), quadrant, side="right") - 1
    if (known[:, None] & (guild != deals["guild"])).any():
        raise ValueError(
            "deals.influence has a card that is not of its quadrant's guild: fix the guild and its card together"
        )
    return deals


@rule
def deal(c, g, fixed, scratch):
    """Set the game up from `g.key` and begin the first turn. `scratch` holds at least 40 small integers."""
    clear(g)
    cathedral(c, g, fixed, scratch)
    workshop_tiles(c, g, fixed, scratch)
    market(c, g, fixed, scratch)
    guilds(c, g, fixed, scratch)
    dice(c, g, fixed, scratch)
    boards(c, g)
    if FULL:
        expansion(c, g, fixed, scratch)
    if c.seats > c.players:
        ivan.set_up(c, g, fixed)
    g.rolled_count = 0
    if FULL and c.special_tiles:
        expansion_turn.begin_special(c, g, c.players - 1)
    else:
        begin_turn(g, 0)


@rule
def clear(g):
    """Clear the record: nothing claimed, nobody's turn, no roll yet."""
    g.status = PLAYING
    g.turn = 0
    g.decisions = 0
    g.version = 1
    g.ending = -1
    g.depth = 0
    g.stack[:] = 0
    forget_turn(g)  # special tiles are chosen before the first turn
    g.rolls[:] = 0
    g.forced_count = 0
    g.forced_next = 0
    g.rolled[:] = 0
    g.rolled_count = 0
    g.forced[:] = 0
    g.crowd[:] = 0
    g.finished[:] = 0
    g.card[:] = 0
    g.owner[:] = -1
    g.ornament[:] = -1
    g.tile[:] = -1
    g.claimed[:] = 0
    g.worth[:] = 0
    g.presence[:] = 0
    g.share[:] = 0
    g.towers[:] = 0


@rule
def cathedral(c, g, fixed, scratch):
    """A building plan, then cards dealt tower by tower from left to right, each from base to dome (R-8)."""
    g.plan = fixed.plan if fixed.plan >= 0 else chance.below(g.key, chance.PLAN, 0, c.plans)
    section = 0
    for tower in range(c.towers):
        height = c.plan[g.plan, tower]
        g.height[tower] = height
        g.first[tower] = section
        for level in range(height):
            g.tower[section] = tower
            g.level[section] = level
            g.kind[section] = BASE if level == 0 else (DOME if level == height - 1 else MIDDLE)
            section += 1
    for kind in range(3):
        end = c.first_card[kind + 1] if kind < DOME else c.cards
        count = end - c.first_card[kind]
        for i in range(count):
            scratch[i] = c.first_card[kind] + i
        chance.shuffle(scratch, count, g.key, chance.CARDS + kind)
        drawn = 0
        for section in range(c.sections):
            if g.kind[section] == kind:
                g.number[section] = scratch[drawn]
                drawn += 1
    for section in range(c.sections):
        if fixed.number[0] >= 0:
            g.number[section] = fixed.number[section]
        for i in range(RESOURCES):
            g.card[section, i] = c.card[g.number[section], i]


@rule
def workshop_tiles(c, g, fixed, scratch):
    """A random workshop tile on each section (R-7)."""
    for i in range(c.tile_count):
        scratch[i] = c.tiles[i]
    chance.shuffle(scratch, c.tile_count, g.key, chance.TILES)
    for section in range(c.sections):
        g.tile[section] = fixed.tile[section] if fixed.tile[0] >= 0 else scratch[section]


@rule
def market(c, g, fixed, scratch):
    """A random market tile on each space (R-6)."""
    for i in range(SPACES):
        scratch[i] = i
    chance.shuffle(scratch, SPACES, g.key, chance.MARKET_TILES)
    for space in range(SPACES):
        g.market[space] = fixed.market[space] if fixed.market[0] >= 0 else scratch[space]


@rule
def guilds(c, g, fixed, scratch):
    """A guild in each quadrant, of those in the data file, with one of its cards (R-6)."""
    for i in range(c.dealt_guilds):
        scratch[i] = i
    chance.shuffle(scratch, c.dealt_guilds, g.key, chance.GUILDS)
    for quadrant in range(QUADRANTS):
        guild = fixed.guild[quadrant] if fixed.guild[0] >= 0 else scratch[quadrant]
        if FULL and fixed.guild[0] < 0 and guild == c.replaced_guild:
            guild = fourth_guild(c, g)
        first, end = c.first_influence[guild], c.first_influence[guild + 1]
        drawn = first + chance.below(g.key, chance.INFLUENCE, guild, end - first)
        if FULL and (guild >= c.dealt_guilds or (guild == c.replaced_guild and c.card_named)):
            drawn = fourth_card(c, g, first, end)
        g.guild[quadrant] = guild
        g.influence[quadrant] = fixed.influence[quadrant] if fixed.influence[0] >= 0 else drawn


@rule
def fourth_guild(c, g):
    """The guild that takes the place of the clergy: each that has an allowed card is as likely (R-41)."""
    allowed = 0
    for guild in range(c.guilds):
        allowed += c.guild_allowed[guild]
    place = chance.below(g.key, chance.FOURTH_GUILD, 0, allowed)
    found = 0
    for guild in range(c.guilds):
        if c.guild_allowed[guild]:
            if place == 0:
                found = guild
            place -= 1
    return found


@rule
def fourth_card(c, g, first, end):
    """A uniformly random card among the allowed cards of a guild (R-41)."""
    allowed = 0
    for card in range(first, end):
        allowed += c.card_allowed[card]
    place = chance.below(g.key, chance.FOURTH_CARD, 0, allowed)
    found = np.int64(first)
    for card in range(first, end):
        if c.card_allowed[card]:
            if place == 0:
                found = np.int64(card)
            place -= 1
    return found


@rule
def expansion(c, g, fixed, scratch):
    """The components of the full game: diamonds, foreman, contracts, builders' deck, tiles of two kinds, the module."""
    g.diamonds[:] = 0
    g.diamond_supply = c.diamond_supply
    g.card_diamonds[:] = 0
    g.foreman = c.foreman_start if dealt_guild(c, g, c.foremen) else -1
    contracts.shuffle(c, g, fixed, scratch)
    builders.set_up(c, g)
    g.drawn_left[:] = 0
    hire.set_up(c, g, fixed, scratch)
    g.reinforcement[:] = reinforcements.LEFT
    g.reinforced = 0
    g.special[:] = -1
    g.guild_tile = -1
    g.guild_tile_works = 0
    g.forced_card[:] = -1
    g.log_card[:] = -1
    g.log_contract[:] = -1


@rule
def dealt_guild(c, g, guild):
    """Whether the guild of that number is in the game."""
    for quadrant in range(QUADRANTS):
        if g.guild[quadrant] == guild:
            return True
    return False


@rule
def dice(c, g, fixed, scratch):
    """The dice in random order, rolled, onto the space of the tile where they start and those after it (R-6, R-43)."""
    start = 0
    for space in range(SPACES):
        if g.market[space] == c.start_tile:
            start = space
    if FULL:
        g.die_space[:] = -1  # of a die that is not in the game
        g.die_value[:] = 0
    for die in range(c.dice):
        scratch[die] = die
    chance.shuffle(scratch, c.dice, g.key, chance.DICE_ORDER)
    for i in range(c.dice):
        die = scratch[i]
        g.die_space[die] = (start + i) % SPACES
        chance.roll(g, die, 1)
        if fixed.die_space[0] >= 0:
            g.die_space[die] = fixed.die_space[die]
            g.die_value[die] = fixed.die_value[die]
        g.crowd[g.die_space[die]] += 1


@rule
def boards(c, g):
    """Goods, banners, ornaments, workshop boards and markers of the seats; the supply."""
    g.goods[:] = 0
    g.works[:] = 0
    g.rubles[:] = 0
    g.track[:] = 0
    g.slot_tile[:] = -1
    g.slot_up[:] = 0
    g.slot_ornament[:] = -1
    for material in range(MATERIALS):
        g.supply[material] = c.supply[material]
    for seat in range(c.players):
        g.track[seat] = c.track_start
        g.rubles[seat] = c.starting_rubles[seat]
        g.goods[seat, BANNERS_INVENTORY] = c.banners_inventory
        if c.advanced:
            for white in range(c.banners_spare):
                g.works[seat, WHITE_BANNER + white] = 1
            for slot in range(SLOTS):
                g.slot_ornament[seat, slot] = c.slot_ornament[seat, slot]
        else:
            g.goods[seat, BANNERS_SPARE] = c.banners_spare
            for kind in range(3):
                g.works[seat, kind] = c.ornaments[kind]
