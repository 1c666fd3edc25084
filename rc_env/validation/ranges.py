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
_FLAGS = (0, 1)


_CONTRACTS = ("hand", "contract_deck", "drawn_contract", "log_contract")


class Ranges:
    """The ranges of the fields for one variant; with `concealed` including the values that `Engine.conceal` writes."""

    def __init__(self, ruleset: Ruleset, *, concealed: bool = False) -> None:
        c = ruleset.rules[0]
        seats, players, towers = ruleset.seats, ruleset.players, int(c.towers)
        tiles = (-1, int(c.tile_kinds) - 1)
        cards = (-1, int(c.cards) - 1)
        effects = int(c.first_influence[-1]) * sizes.SIDES
        self.ranges: dict[str, tuple[int, int]] = {
            "card": (0, COUNT),
            "goods": (0, COUNT),
            "works": (0, COUNT),
            "crowd": (0, sizes.DICE_PER_SPACE),
            "supply": (0, COUNT),
            "ivan_goods": (0, COUNT),
            "rubles": (0, MANY),
            "track": (0, MANY),
            "turn": (0, ruleset.turn_limit),
            "plan": (0, int(c.plans) - 1),
            "height": (0, sizes.LEVELS),
            "first": (0, sizes.SECTIONS),
            "claimed": (0, sizes.LEVELS),
            "number": cards,
            "kind": (0, len(sizes.KINDS) - 1),
            "tower": (0, towers - 1),
            "level": (0, sizes.LEVELS - 1),
            "owner": (-1, seats - 1),
            "finished": _FLAGS,
            "tile": tiles,
            "ornament": (-1, seats - 1),
            "worth": (0, COUNT),
            "presence": (0, COUNT),
            "share": (0, COUNT),
            "towers": (0, MANY),
            "market": (0, sizes.SPACES - 1),
            "guild": (0, int(c.guilds) - 1),
            "influence": (0, int(c.first_influence[-1]) - 1),
            "die_space": (-1, sizes.SPACES - 1),
            "die_value": (0, 6),
            "slot_tile": (-1, sizes.PRINTED_TILES + sizes.SPECIAL_TILES - 1) if ruleset.full else tiles,
            "slot_up": _FLAGS,
            "slot_ornament": (-1, len(sizes.ORNAMENT_NAMES) - 1),
            "status": (0, TRUNCATED),
            "seat": (0, players - 1),
            "ending": (-1, seats - 1),
            "depth": (0, ruleset.build.sizes.STACK),
            "stack": (-1, ruleset.build.sizes.EFFECTS - 1),
            "rerolled": _FLAGS,
            "die": (-1, int(c.dice) - 1),
            "space": (-1, sizes.SPACES - 1),
            "obtained": _FLAGS,
            "worked": _FLAGS,
            "influenced": (-1, effects - 1),
            "influence_open": _FLAGS,
            # Nothing is forced between two steps.
            "forced": (0, 0),
            "forced_count": (0, 0),
            "forced_next": (0, 0),
            "rolled": (0, 116),
            "rolled_count": (0, sizes.ROLLED),
            "ivan_card": (-1, ruleset.ivan_cards - 1),
            "ivan_tile": (-1, int(c.dice) - 1),
            "ivan_up": _FLAGS,
            "ivan_dealt": tiles,
            "ivan_forced": (-1, -1) if ruleset.solo else (0, 0),
            "ivan_rolled": (0, 116),
            "ivan_rolled_count": (0, int(c.dice)),
            "ivan_event": (0, MOST),
            "ivan_events": (0, sizes.EVENTS),
            "diamonds": (0, COUNT),
            "diamond_supply": (0, COUNT),
            "card_diamonds": (0, COUNT),
            "foreman": (-1, towers - 1),
            "hand": (-1, sizes.CONTRACTS - 1),
            "contract_deck": (-1, sizes.CONTRACTS - 1),
            "contracts_left": (0, sizes.CONTRACTS),
            "drawn_contract": (-1, sizes.CONTRACTS - 1),
            "discard": cards,
            "discards": (0, sizes.DISCARDS),
            "drawn_card": cards,
            "drawn_left": (0, COUNT),
            "reinforcement": (-2, players - 1),
            "reinforced": _FLAGS,
            "special": (-1, sizes.SPECIAL_TILES - 1),
            "guild_tile": (-1, players - 1),
            "forced_card": (-1, -1),
            "log_card": cards,
            "log_contract": (-1, sizes.CONTRACTS - 1),
            "builder_deck": (0, 2 ** int(c.cards) - 1),
            "bag": (0, 2**sizes.SPECIALISTS - 1),
            "tools": (0, 2**sizes.SPECIALISTS - 1),
            "permits": (0, COUNT),
            "permit_supply": (0, COUNT),
            "contractors": (0, sizes.CONTRACTORS),
            "city_over": (-1, sizes.CITIES - 1),
            "city_open": _FLAGS,
            "sent": (0, sizes.CONTRACTORS),
            "offer": (-1, sizes.SPECIALISTS - 1),
            "specialist": (-1, sizes.SPECIALISTS - 1),
            "ivan_tower": (-1, towers - 1),
            "forced_specialist": (-1, -1),
            "forced_specialists": (0, 0),
            "log_refill": (-1, sizes.SPECIALISTS - 1),
            "ivan_refill": (-1, sizes.SPECIALISTS - 1),
            # Scratch of the rules for legal actions: empty between two decisions.
            "guild_tile_works": (0, 0),
            "specialist_works": (0, 0),
        }
        self.dice = int(c.dice)
        if concealed:
            self.ranges |= dict.fromkeys(_CONTRACTS, (-1, UNSEEN))
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
        hold(
            g["ivan_event"][:, :, 0] < len(EVENT), f"ivan_event: an event found that is not from 0 to {len(EVENT) - 1}"
        )
        for field, count in (("rolled", "rolled_count"), ("ivan_rolled", "ivan_rolled_count")):
            used = np.arange(g[field].shape[1]) < g[count][:, None]
            die, value = g[field] % 60 // 10, g[field] % 10
            hold(~used | ((die < self.dice) & (value >= 1) & (value <= 6)), f"{field}: a roll found of no die or value")
