"""Additional checks of games with the module Contractors (R-42 to R-59, R-81 to R-83)."""

from __future__ import annotations

import numpy as np

from rc_env.rules.points import (
    HIRE_CITY,
    POINT,
    Point,
)
from rc_env.rules.printed.sizes import CITIES, CONTRACTORS, SPECIALISTS, TOOLS
from rc_env.ruleset import Ruleset

from .base import IVAN
from .full import FullLedger
from .ledger import hold

MOST_PERMITS = 6


def members(sets: np.ndarray) -> np.ndarray:
    """Unpack bit sets of specialists into one more axis, with a 1 for each specialist in the set."""
    return ((sets[..., None] >> np.arange(SPECIALISTS, dtype=np.uint32)) & 1).astype(int)


class ContractorsLedger(FullLedger):
    """The checks of games of one variant with the module, at any decision point."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        assert ruleset.expansion_file is not None
        tables = ruleset.expansion_file.tables
        self.permits = tables["supply"]["permits"]
        self.tool = np.array([tables["tools"]["names"].index(tile["tool"]) for tile in tables["specialists"]["tiles"]])
        self.discards = True  # a specialist may discard an ornament

    def check(self, games: np.ndarray) -> None:
        """Refuse the first game that is impossible; see `BaseLedger.check`."""
        super().check(games)
        self._specialists(games)
        self._cities(games)
        self._permits(games)

    def _specialists(self, g: np.ndarray) -> None:
        """Check that bag, slots, boards and turned-over tiles hold each specialist at most once; the others were
        dismissed.

        Each contractor sent by a player engages or dismisses one, but for the hire that is running, and for cities
        without a tile; and slots are empty only after the bag is.
        """
        bag, tools = members(g["bag"]), members(g["tools"])
        on_slots = (g["offer"][:, :, None] == np.arange(SPECIALISTS)).sum(1)
        on_boards = (g["specialist"][:, :, None] == np.arange(SPECIALISTS)).sum(1)
        seen = bag + on_slots + on_boards + tools.sum(1)
        hold(seen <= 1, "bag, offer, specialist, tools: a specialist found twice")
        hold(g["specialist"][:, self.players :] == -1, "specialist: one of nobody")
        hold(g["tools"][:, self.seats :] == 0, "tools: some of nobody")
        gone = SPECIALISTS - seen.sum(1)
        engaged = tools[:, : self.players].sum((1, 2)) + on_boards.sum(1)
        sent = g["sent"][:, :, : self.players].sum((1, 2))
        stack = g["stack"]
        used = np.arange(stack.shape[1]) < g["depth"][:, None]
        hires = used & (stack[:, :, POINT] == Point.HIRE)
        done = sent - hires.any(1)
        left = bag.sum(1) > 0
        hold(gone + engaged <= done, "sent: more specialists engaged and dismissed than contractors sent")
        hold(~left | (gone + engaged == done), "sent: fewer specialists engaged and dismissed than contractors sent")
        hold(~left[:, None] | (g["offer"] >= 0), "offer: an empty slot while there are specialists in the bag")
        if self.solo:  # he keeps one of each tool
            kept = tools[:, IVAN] @ (self.tool[:, None] == np.arange(TOOLS))
            hold(kept <= 1, "tools: two of one tool with Ivan")
        city = np.where(hires, stack[:, :, HIRE_CITY], 0).max(1)
        over = np.any(g["city_over"] == city[:, None], 1)
        hold(~hires.any(1) | over, "stack: a contractor was sent to a city over no tower")

    def _cities(self, g: np.ndarray) -> None:
        """Check the city over each tower, open until the tower is finished, and the contractors in row and cities."""
        over = g["city_over"][:, : self.towers]
        there = np.sum(over[:, :, None] == np.arange(CITIES), 1)
        hold((there <= 1).all(1) & (there.sum(1) == self.towers), "city_over: not a city over each tower")
        hold(g["city_over"][:, self.towers :] == -1, "city_over: a city over no tower")
        in_tower = g["tower"][:, : self.sections, None] == np.arange(self.towers)
        unfinished = (in_tower & (g["finished"][:, : self.sections, None] == 0)).any(1)
        opened = ((over[:, :, None] == np.arange(CITIES)) & unfinished[:, :, None]).any(1)
        hold(g["city_open"] == opened, "city_open: not the cities over unfinished towers")
        sent, row = g["sent"].astype(int), g["contractors"].astype(int)
        hold((sent[:, :, self.seats :] == 0).all((1, 2)) & (row[:, self.seats :] == 0).all(1), "sent: some of nobody")
        hold((sent == 0) | (there == 1)[:, :, None], "sent: contractors in a city over no tower")
        total = (row + sent.sum(1))[:, : self.seats]
        hold(total == CONTRACTORS, "contractors, sent: not as many as a seat has")
        if self.solo:
            hold(g["ivan_tower"] >= 0, "ivan_tower: his marker stands at no tower")

    def _permits(self, g: np.ndarray) -> None:
        held = g["permits"].astype(int)
        hold(held <= MOST_PERMITS, "permits: more than a player may hold")
        hold(held[:, self.players :] == 0, "permits: some of nobody")
        hold(g["permit_supply"] + held.sum(1) == self.permits, "permits: not as many as there are")
