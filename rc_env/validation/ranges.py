"""The smallest and largest value of each field of GAME, independent of the other fields."""

from __future__ import annotations

from typing import Any

import numpy as np

from rc_env.rules.expansion.contracts import UNSEEN
from rc_env.rules.printed import sizes
from rc_env.rules.solo.events import EVENT, MOST
from rc_env.rules.state import TRUNCATED
from rc_env.ruleset import Ruleset

from .ledger import hold

COUNTERS = ("key", "version", "decisions", "rolls", "ivan_turns", "card_draws", "bag_draws")
"""Fields that may have any value, since none is used as an index."""
MANY = 30_000  # rubles and spaces on the track: more than any game pays, and few enough digits for a record
COUNT = 127  # what fits into a small integer
_HIDDEN = ("hand", "contract_deck", "drawn_contract", "log_contract")
"""Fields that hold UNSEEN where a seat cannot see them."""
_FIELDS: tuple[tuple[int | str, int | str, str], ...] = (
    (0, COUNT, "card goods works supply ivan_goods worth presence share"),
    (0, COUNT, "diamonds diamond_supply card_diamonds drawn_left permits permit_supply"),
    (0, MANY, "rubles track towers"),
    (0, 1, "finished slot_up rerolled obtained worked influence_open ivan_up reinforced city_open"),
    (0, 0, "forced forced_count forced_next forced_specialists"),  # nothing is forced between two steps
    (-1, -1, "forced_card forced_specialist"),
    ("none forced for Ivan", "none forced for Ivan", "ivan_forced"),
    (0, 0, "guild_tile_works specialist_works"),  # scratch of the rules for legal actions
    (0, "turn limit", "turn"),
    (0, "of a plan", "plan"),
    (0, "of a seat that decides", "seat"),
    (-1, "of a seat that decides", "guild_tile"),
    (-2, "of a seat that decides", "reinforcement"),
    (-1, "of a seat", "owner ornament ending"),
    (0, "of a tower", "tower"),
    (-1, "of a tower", "foreman ivan_tower"),
    (-1, sizes.CITIES - 1, "city_over"),
    (0, sizes.LEVELS, "height claimed"),
    (0, sizes.LEVELS - 1, "level"),
    (0, sizes.SECTIONS, "first"),
    (0, len(sizes.KINDS) - 1, "kind"),
    (-1, len(sizes.ORNAMENT_NAMES) - 1, "slot_ornament"),
    (-1, "of a cathedral card", "number discard drawn_card log_card"),
    (0, sizes.DISCARDS, "discards"),
    (0, "bits of all cathedral cards", "builder_deck"),
    (-1, "of a tile", "tile ivan_dealt"),
    (-1, "of a tile in a slot", "slot_tile"),
    (0, sizes.SPACES - 1, "market"),
    (-1, sizes.SPACES - 1, "die_space space"),
    (0, sizes.DICE_PER_SPACE, "crowd"),
    (-1, "of a die", "die ivan_tile"),
    (0, 6, "die_value"),
    (0, 116, "rolled ivan_rolled"),
    (0, sizes.ROLLED, "rolled_count"),
    (0, "dice", "ivan_rolled_count"),
    (0, "of a guild", "guild"),
    (0, "of a guild card", "influence"),
    (-1, "of an action of a guild card", "influenced"),
    (0, TRUNCATED, "status"),
    (0, "decision points", "depth"),
    (-1, "of an effect", "stack"),
    (-1, "of a card of Ivan's", "ivan_card"),
    (0, MOST, "ivan_event"),
    (0, sizes.EVENTS, "ivan_events"),
    (-1, sizes.CONTRACTS - 1, "hand contract_deck drawn_contract log_contract"),
    (0, sizes.CONTRACTS, "contracts_left"),
    (-1, sizes.SPECIAL_TILES - 1, "special"),
    (-1, sizes.SPECIALISTS - 1, "offer specialist log_refill ivan_refill"),
    (0, 2**sizes.SPECIALISTS - 1, "bag tools"),
    (0, sizes.CONTRACTORS, "contractors sent"),
)
"""The smallest and the largest value of fields, in words where it is a number of the variant."""
_EVENTS: tuple[tuple[int | str, str], ...] = (
    (sizes.SECTIONS - 1, "adorn complete"),
    ("of a die", "move blocked"),
    ("of a card of Ivan's", "card"),
    ("of a tower", "claim"),
    (sizes.CITIES - 1, "hire"),
    (sizes.SPECIALISTS - 1, "specialist return"),
)
"""The largest value of the events in Ivan's log that name something; others count."""


def _numbers(ruleset: Ruleset) -> dict[str, int]:
    """The numbers of a variant that `_FIELDS` has in words."""
    c, build = ruleset.rules[0], ruleset.build.sizes
    guild_cards, tiles = int(c.first_influence[-1]), int(c.tile_kinds)
    return {
        "none forced for Ivan": -1 if ruleset.solo else 0,
        "turn limit": ruleset.turn_limit,
        "of a plan": int(c.plans) - 1,
        "of a seat that decides": ruleset.players - 1,
        "of a seat": ruleset.seats - 1,
        "of a tower": int(c.towers) - 1,
        "of a cathedral card": int(c.cards) - 1,
        "bits of all cathedral cards": 2 ** int(c.cards) - 1,
        "of a tile": tiles - 1,
        "of a tile in a slot": (sizes.PRINTED_TILES + sizes.SPECIAL_TILES if ruleset.full else tiles) - 1,
        "of a die": int(c.dice) - 1,
        "dice": int(c.dice),
        "of a guild": int(c.guilds) - 1,
        "of a guild card": guild_cards - 1,
        "of an action of a guild card": guild_cards * sizes.SIDES - 1,
        "decision points": build.STACK,
        "of an effect": build.EFFECTS - 1,
        "of a card of Ivan's": ruleset.ivan_cards - 1,
    }


class Ranges:
    """The ranges of the fields for one variant; with `concealed` including the values that `Engine.conceal` writes."""

    def __init__(self, ruleset: Ruleset, *, concealed: bool = False) -> None:
        numbers = _numbers(ruleset)
        self.ranges: dict[str, tuple[int, int]] = {
            name: (
                numbers[low] if isinstance(low, str) else low,
                numbers[high] if isinstance(high, str) else high,
            )
            for low, high, names in _FIELDS
            for name in names.split()
        }
        self.dice = numbers["dice"]
        self.logged = np.full(len(EVENT), MOST, np.int8)
        for high, events in _EVENTS:
            for event in events.split():
                self.logged[EVENT.index(event)] = numbers[high] if isinstance(high, str) else high
        if concealed:
            self.ranges |= dict.fromkeys(_HIDDEN, (-1, UNSEEN))
        self._set_bytes(ruleset.build.state.GAME)

    def _set_bytes(self, game: np.dtype[Any]) -> None:
        """Collect the ranges of all one-byte fields by their offsets in a record, so that one comparison checks them
        all."""
        names = game.names or ()
        places: Any = game.fields
        self.lows, self.highs = np.full(game.itemsize, -128, np.int8), np.full(game.itemsize, COUNT, np.int8)
        small = [name for name in names if game[name].base == np.int8 and name not in COUNTERS]
        for name in small:
            begin = places[name][1]
            place = slice(begin, begin + game[name].itemsize)
            self.lows[place], self.highs[place] = np.clip(self.ranges[name], -128, COUNT)
        self.others = [name for name in names if name not in small and name not in COUNTERS]
        self.known = [*small, *self.others]

    def check(self, g: np.ndarray) -> None:
        """Refuse games with a field out of its range."""
        memory = np.ascontiguousarray(g).view(np.int8).reshape(len(g), -1)
        fine = bool(((memory >= self.lows) & (memory <= self.highs)).all())
        for field in self.others if fine else self.known:
            low, high = self.ranges[field]
            values = g[field]
            hold((values >= low) & (values <= high), f"{field}: a value found that is not from {low} to {high}")
        event, value = g["ivan_event"][:, :, 0], g["ivan_event"][:, :, 1]
        hold(event < len(EVENT), f"ivan_event: an event found that is not from 0 to {len(EVENT) - 1}")
        used = np.arange(event.shape[1]) < g["ivan_events"][:, None]
        hold(~used | (value <= self.logged[event]), "ivan_event: an event found with something that is not in the game")
        for field, count in (("rolled", "rolled_count"), ("ivan_rolled", "ivan_rolled_count")):
            used = np.arange(g[field].shape[1]) < g[count][:, None]
            die, value = g[field] % 60 // 10, g[field] % 10
            hold(~used | ((die < self.dice) & (value >= 1) & (value <= 6)), f"{field}: a roll found of no die or value")
