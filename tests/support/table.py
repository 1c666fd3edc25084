"""A table for the tests of the rules: one game, set up by hand and played in the words of the game record.

The plain deal, unless a test changes it:

- market tiles in the order of the data file: lumber on space 0, brick 1, stone 2, gold 3, green gem 4, purple gem 5,
  rubles 6, recognition 7; craftsmen, teamsters, merchants and clergy in quadrants 0 to 3, the first card of each;
- dice: red on space 7 showing 1, so that `move red` lands alone on space 0; blue on 2 showing 2, yellow on 3 showing 3,
  green on 4 showing 4, white on 5 showing 5;
- the first building plan, cards from the top of each deck, workshop tiles in the order of the data file;
- solo: Ivan's cards recognition, inventory, transport, claim, construction, the tiles on them red, blue, yellow, green,
  white; his first claim is 1.1.

Seats are numbers, sections are named `tower.level` and slots by their colour, as in the game record.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.rules import ending, setup
from rc_env.rules.printed import data_file
from rc_env.rules.printed.sizes import (
    ADORNED,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    BASE_DIE_NAMES,
    CLAIMED,
    COLOURS,
    FINISHED,
    MATERIAL_NAMES,
    WHITE_BANNER,
)

GUILDS = data_file.load().guilds
SLOTS = (*COLOURS, "white1", "white2")
KINDS = ("base", "middle", "dome")
PLAIN_DICE = {"red": (7, 1), "blue": (2, 2), "yellow": (3, 3), "green": (4, 4), "white": (5, 5)}


@cache
def variant(players: int, workshop: str, **settings: Any) -> Ruleset:
    """Return a ruleset, read once."""
    return Ruleset(players=players, workshop=workshop, **settings)


def plain_deal(ruleset: Ruleset, plan: int = 0) -> np.recarray:
    """Return the deal described above, as the engine takes it."""
    rules = ruleset.rules[0]
    deal = setup.open_deal()
    one = deal[0]
    one.plan = plan
    heights = [int(h) for h in rules.plan[plan] if h > 0]
    decks = [int(first) for first in rules.first_card]
    section = 0
    for height in heights:
        for level in range(height):
            kind = 0 if level == 0 else 2 if level == height - 1 else 1
            one.number[section] = decks[kind]
            decks[kind] += 1
            one.tile[section] = section % rules.tile_kinds
            section += 1
    one.market[:] = range(8)
    one.guild[:] = range(4)
    one.influence[:] = rules.first_influence[:4]
    one.die_space[:5] = [PLAIN_DICE[die][0] for die in BASE_DIE_NAMES]
    one.die_value[:5] = [PLAIN_DICE[die][1] for die in BASE_DIE_NAMES]
    one.ivan_card[:] = one.ivan_tile[:] = range(5)
    return deal


def tile_name(tile: dict) -> str:
    """Return the words of the record for a tile of the data file: `die:red`, `lumber:1`."""
    return next(f"{key}:{value}" for key, value in tile.items() if key != "count")


class Table:
    """One game. Anything in `game` may be changed between two decisions; masks and standings follow by themselves."""

    def __init__(self, players: int = 2, workshop: str = "basic", *, plan: int = 0, seed: int = 0, **settings) -> None:
        self.ruleset = variant(players, workshop, **settings)
        self.tables = self.ruleset.data_file.tables
        self.engine = Engine(self.ruleset, 1, seed)
        self.engine.reset(deals=plain_deal(self.ruleset, plan))
        self.game = writeable(self.engine)[0]
        self.paid = np.zeros(players, np.float32)

    # --- playing

    def refresh(self) -> None:
        """Bring standings and masks in line with a position set up by hand."""
        if self.game.status == 0:
            for tower in range(len(self.heights)):
                ending.standing(self.ruleset.rules[0], writeable(self.engine).view(np.ndarray)[0], tower)
            self.engine.restore(self.engine.clone(same_future=True))

    def legal(self) -> set[str]:
        """Return the legal actions in words."""
        self.refresh()
        return {self.engine.action_to_text(action) for action in np.flatnonzero(self.engine.legal_mask()[0])}

    def main(self) -> set[str]:
        """Return the legal actions without the two optional ones of R-10."""
        return {words for words in self.legal() if words != "rubles" and not words.startswith("reroll")}

    def play(self, *actions: str, dice: list[int] | None = None, mixed: str = "") -> Table:
        """Play these actions one after the other, each of which must be legal.

        `dice` are shown by the last one; `mixed` names the tiles that Ivan lays anew with it.
        """
        for number, words in enumerate(actions, 1):
            legal = self.legal()
            assert words in legal, f"{words} is not among {sorted(legal)} at {self.point}"
            forced = [dice] if dice and number == len(actions) else None
            tiles = [[BASE_DIE_NAMES.index(die) for die in mixed.split()]] if mixed and number == len(actions) else None
            self.engine.step([self.engine.text_to_action(words)], dice=forced, ivan_tiles=tiles)
            assert not self.engine.illegal[0]
            self.paid = self.engine.rewards[0].copy()
        return self

    def end_turn(self) -> Table:
        """Choose `done` until it is another seat's turn, or the game is over."""
        turn = int(self.game.turn)
        while self.game.status == 0 and self.game.turn == turn:
            self.play("done")
        return self

    def pass_turn(self) -> Table:
        """Spend the turn on the first die move that is legal, without using the market."""
        turn = int(self.game.turn)
        self.play(min(words for words in self.legal() if words.startswith("move")))
        return self.end_turn() if self.game.turn == turn and self.game.status == 0 else self

    # --- reading

    @property
    def point(self) -> str:
        return self.engine.point()

    @property
    def seat(self) -> int:
        return int(self.game.seat)

    @property
    def rubles(self) -> np.ndarray:
        return self.game.rubles

    @property
    def track(self) -> np.ndarray:
        return self.game.track

    @property
    def heights(self) -> list[int]:
        return [int(h) for h in self.ruleset.rules[0].plan[self.game.plan] if h > 0]

    def hand(self, seat: int = 0) -> dict[str, int]:
        """Return the materials in the inventory, without those of count 0."""
        return {name: int(n) for name, n in zip(MATERIAL_NAMES, self.game.goods[seat, :6], strict=True) if n}

    def supply(self, material: str) -> int:
        return int(self.game.supply[MATERIAL_NAMES.index(material)])

    def banners(self, seat: int = 0) -> dict[str, int]:
        """Return the number of banners at each place: `inventory`, `spare`, `white1`, `white2`."""
        goods, works = self.game.goods[seat], self.game.works[seat]
        kept = (goods[BANNERS_INVENTORY], goods[BANNERS_SPARE], works[WHITE_BANNER], works[WHITE_BANNER + 1])
        return dict(zip(("inventory", "spare", "white1", "white2"), map(int, kept), strict=True))

    def ornaments(self, seat: int = 0) -> dict[str, int]:
        """Return the ornaments that the seat has not placed."""
        return dict(zip(("door", "arch", "cross"), map(int, self.game.works[seat, :3]), strict=True))

    def space_of(self, die: str) -> int:
        return int(self.game.die_space[BASE_DIE_NAMES.index(die)])

    def value_of(self, die: str) -> int:
        return int(self.game.die_value[BASE_DIE_NAMES.index(die)])

    def in_slot(self, seat: int, slot: str) -> tuple[str, bool] | None:
        """Return the tile in a slot and whether it is face up."""
        kind = self.game.slot_tile[seat, SLOTS.index(slot)]
        up = bool(self.game.slot_up[seat, SLOTS.index(slot)])
        return None if kind < 0 else (tile_name(self.tables["workshop"]["tile"][kind]), up)

    def section(self, name: str) -> int:
        """Return the number in the record of the section `tower.level`."""
        tower, level = map(int, name.split("."))
        assert 1 <= level <= self.heights[tower - 1]
        return int(self.game.first[tower - 1]) + level - 1

    def missing(self, name: str) -> dict[str, int]:
        """Return the materials that a section still needs."""
        return {m: int(n) for m, n in zip(MATERIAL_NAMES, self.game.card[self.section(name), :6], strict=True) if n}

    def finished(self, name: str) -> bool:
        return bool(self.game.finished[self.section(name)])

    # --- setting up: goods, market

    def turn_of(self, seat: int) -> Table:
        """Let another seat have the turn that has just begun."""
        self.game.seat = seat
        return self

    def give(self, seat: int = 0, *, rubles: int | None = None, **materials: int) -> Table:
        """Move materials from the supply into the inventory, and set the rubles."""
        for material, count in materials.items():
            self.game.goods[seat, MATERIAL_NAMES.index(material)] += count
            self.game.supply[MATERIAL_NAMES.index(material)] -= count
        if rubles is not None:
            self.game.rubles[seat] = rubles
        return self

    def stock(self, **left: int) -> Table:
        """Set the supply's amounts of some materials."""
        for material, count in left.items():
            self.game.supply[MATERIAL_NAMES.index(material)] = count
        return self

    def dice(self, **places: tuple[int, int]) -> Table:
        """Put dice, named by colour, each onto a space with a value."""
        for name, (space, value) in places.items():
            die = BASE_DIE_NAMES.index(name)
            self.game.die_space[die], self.game.die_value[die] = space, value
        self.game.crowd[:] = np.bincount(self.game.die_space[:5], minlength=8)
        return self

    def resource(self, space: int, name: str) -> Table:
        """Put the market tile of that resource onto a space; the tile there takes its former place."""
        names = [tile_name(tile).split(":")[0] for tile in self.tables["market"]["tile"]]
        other = list(self.game.market).index(names.index(name))
        self.game.market[other], self.game.market[space] = self.game.market[space], self.game.market[other]
        return self

    def guild(self, name: str, card: int = 1, quadrant: int = 0) -> Table:
        """Put a guild with one of its cards into a quadrant; the guild there takes its former quadrant."""
        guild = GUILDS.index(name)
        other = list(self.game.guild).index(guild)
        for field in (self.game.guild, self.game.influence):
            field[other], field[quadrant] = field[quadrant], field[other]
        self.game.influence[quadrant] = self.ruleset.rules[0].first_influence[guild] + card - 1
        return self

    def visit(self, name: str, card: int = 1) -> Table:
        """Put the guild into quadrant 0 and the red die alone onto space 0: the seat to move stands at the market."""
        self.guild(name, card)
        return self.play("move red")

    # --- setting up: the cathedral

    def card(self, name: str, card: str) -> Table:
        """Put a cathedral card, `middle/1`, onto a section, without a claim or materials."""
        section, (kind, number) = self.section(name), card.split("/")
        assert KINDS[self.game.kind[section]] == kind
        found = int(self.ruleset.rules[0].first_card[KINDS.index(kind)]) + int(number) - 1
        self.game.number[section] = found
        self.game.card[section] = self.ruleset.rules[0].card[found]
        return self

    def tile(self, name: str, tile: str) -> Table:
        """Put a workshop tile onto a section."""
        self.game.tile[self.section(name)] = self.tile_kind(tile)
        return self

    def tile_kind(self, tile: str) -> int:
        return [tile_name(kind) for kind in self.tables["workshop"]["tile"]].index(tile)

    def claim(self, seat: int, *names: str, banner: str | None = None, **delivered: int) -> Table:
        """Put banners onto the lowest unclaimed sections of towers: spare ones, then from the inventory, or from
        `banner`.

        The tiles leave the game. `delivered` materials come out of the supply.
        """
        for name in names:
            section, tower = self.section(name), int(name.split(".")[0]) - 1
            assert self.game.first[tower] + self.game.claimed[tower] == section, f"{name} is not on offer"
            kept = self.banners(seat)
            source = banner or next(where for where in ("spare", "inventory", "white1", "white2") if kept[where])
            if source in ("inventory", "spare"):
                self.game.goods[seat, BANNERS_INVENTORY if source == "inventory" else BANNERS_SPARE] -= 1
            else:
                self.game.works[seat, WHITE_BANNER + (source == "white2")] -= 1
            assert min(self.banners(seat).values()) >= 0
            self.game.claimed[tower] += 1
            self.game.owner[section], self.game.tile[section] = seat, -1
            self.game.works[seat, CLAIMED] += 1
            if self.ruleset.solo and seat == 1:  # the materials on it, and how many it lacks
                self.game.card[section, 6] = self.game.card[section, :6].sum()
                self.game.card[section, :6] = 0
            for material, count in delivered.items():
                self.game.card[section, MATERIAL_NAMES.index(material)] -= count
                self.game.supply[MATERIAL_NAMES.index(material)] -= count
            assert self.game.card[section, :6].min() >= 0
        return self

    def finish(self, seat: int, *names: str, banner: str | None = None) -> Table:
        """Claim sections and finish them, without rewards or penalties."""
        for name in names:
            section = self.section(name)
            if self.game.owner[section] != seat:
                self.claim(seat, name, banner=banner)
            self.game.card[section] = 0
            self.game.finished[section] = 1
            self.game.works[seat, CLAIMED] -= 1
            self.game.works[seat, FINISHED] += 1
        return self

    def all_but(self, name: str, material: str) -> Table:
        """Deliver everything that a claimed section needs except one of that material."""
        section = self.section(name)
        for i in range(6):
            left = int(MATERIAL_NAMES[i] == material)
            self.game.supply[i] -= self.game.card[section, i] - left
            self.game.card[section, i] = left
        return self

    def adorn(self, seat: int, *names: str) -> Table:
        """Put ornaments of the seat onto finished sections, without gems."""
        for name in names:
            section = self.section(name)
            assert self.finished(name) and self.game.ornament[section] < 0
            self.game.works[seat, self.game.kind[section]] -= 1
            assert self.game.works[seat, self.game.kind[section]] >= 0
            self.game.works[seat, ADORNED] += 1
            self.game.ornament[section] = seat
        return self

    def workshop(self, seat: int, slot: str, tile: str, up: bool = True) -> Table:
        """Put a tile into a slot (advanced: the ornament there is dropped)."""
        at = SLOTS.index(slot)
        self.game.slot_tile[seat, at], self.game.slot_up[seat, at] = self.tile_kind(tile), up
        self.game.slot_ornament[seat, at] = -1
        return self

    def standing(self, tower: int) -> tuple[int, list[int], list[int]]:
        """Return the value of a tower (from 1), the presence of the seats in it and their shares."""
        self.refresh()
        row, seats = tower - 1, self.ruleset.seats
        presence, share = self.game.presence[row, :seats], self.game.share[row, :seats]
        return int(self.game.worth[row]), presence.tolist(), share.tolist()
