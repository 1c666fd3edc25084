"""Additional checks of games with the expansion and the promos (R-66 to R-80, R-84)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env.rules.expansion import builders
from rc_env.rules.points import (
    POINT,
    TAKE_CARD,
    TAKE_MATERIAL,
    Point,
)
from rc_env.rules.printed.sizes import CONTRACTS, HAND, SPECIAL_KIND, SPECIAL_TILES
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

from .base import BaseLedger
from .ledger import at_point, hold


class FullLedger(BaseLedger):
    """The checks of games of one full-game variant, at any decision point."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        assert ruleset.expansion_file is not None
        tables = ruleset.expansion_file.tables
        self.special_tiles = ruleset.special_tiles
        self.cards = int(ruleset.rules[0].cards)
        self.names = [*ruleset.data_file.tables["guilds"], *tables["guilds"]]
        self.diamonds = tables["supply"]["diamond"]
        self.reinforcements = len(tables["reinforcements"])

    def check(self, games: np.ndarray) -> None:
        """Refuse the first game that is impossible; see `BaseLedger.check`."""
        super().check(games)
        self._diamonds(games)
        self._contracts(games)
        self._builders(games)
        self._reinforcements(games)
        self._foreman(games)

    def _dealt(self, g: np.ndarray, guild: str) -> NDArray[np.bool_]:
        """Whether this guild is in each game, (N,) bool."""
        dealt: NDArray[np.bool_] = (g["guild"] == self.names.index(guild)).any(1)
        return dealt

    def _taken(self, g: np.ndarray) -> NDArray[np.int64]:
        """Occupied inventory spaces, diamonds included."""
        return super()._taken(g) + g["diamonds"][:, : self.seats]

    def _diamonds(self, g: np.ndarray) -> None:
        """Check the number of diamonds in the supply, in inventories, and on unfinished sections."""
        held, lying = g["diamonds"].astype(int), g["card_diamonds"].astype(int)
        there = self._dealt(g, "jewelers") | self.special_tiles
        used = held.sum(1) + lying.sum(1)
        hold(g["diamond_supply"] + used == self.diamonds, "diamonds: not as many as there are")
        hold(there | (used == 0), "diamonds: some found in a game without them")
        hold(held[:, self.seats :] == 0, "diamonds: some of nobody")
        hold(
            (lying == 0) | ((g["finished"] == 0) & (g["owner"] >= 0)), "card_diamonds: on a section that is not claimed"
        )

    def _contracts(self, g: np.ndarray) -> None:
        """Check that hands, deck and drawn contracts are all contracts, each once; without archivists all are in the
        deck."""
        there = self._dealt(g, "archivists")
        parts = [g["hand"].reshape(len(g), -1), g["drawn_contract"], g["contract_deck"]]
        left = g["contract_deck"] >= 0
        hold(left.sum(1) == g["contracts_left"], "contracts_left: not the number of contracts in the deck")
        hold(left[:, :-1] >= left[:, 1:], "contract_deck: a gap within the deck")
        cards = np.sort(np.concatenate(parts, 1), 1)
        hold(cards[:, -CONTRACTS:] == np.arange(CONTRACTS), "hand, contract_deck: not each contract once")
        hold(cards[:, :-CONTRACTS] == -1, "hand, contract_deck: a contract too many")
        for part in parts[:2]:
            hold(there[:, None] | (part == -1), "hand: contracts in a game without the archivists")
        hand = g["hand"]
        hold((hand[:, :, :-1] >= 0) >= (hand[:, :, 1:] >= 0), "hand: a gap within a hand")
        returning = at_point(g, Point.RETURN)
        full = (hand >= 0).sum(2) == HAND
        own = full & (g["seat"][:, None] == np.arange(hand.shape[1]))
        hold(full == own & returning[:, None], "hand: one contract too many in a hand")
        hold(returning == own.any(1), "hand: a contract is returned of a hand that is not too large")
        hold(at_point(g, Point.KEEP) == (g["drawn_contract"] >= 0).all(1), "drawn_contract: not three to keep one of")
        hold((g["drawn_contract"] >= 0).any(1) == (g["drawn_contract"] >= 0).all(1), "drawn_contract: not three")

    def _builders(self, g: np.ndarray) -> None:
        """Check that the master builders' deck, their discards, the drawn cards and the cathedral are all cards, each
        once."""
        there, cards = self._dealt(g, "master_builders"), np.arange(self.cards)
        hold(there | (g["discards"] == 0), "discards: some found in a game without the master builders")
        deck = (g["builder_deck"][:, None] >> cards.astype(np.uint64)) & np.uint64(1)
        piles = (g["discard"], g["drawn_card"], g["number"][:, : self.sections])
        seen = sum((pile[:, :, None] == cards).sum(1) for pile in piles) + deck.astype(int)
        hold(np.asarray(seen == 1), "builder_deck, discard, drawn_card: not each cathedral card once")
        lying = g["discard"] >= 0
        hold(lying.sum(1) == g["discards"], "discards: not the number of discarded cards")
        hold(lying[:, :-1] >= lying[:, 1:], "discard: a gap within the pile")
        stack = g["stack"]
        used = np.arange(stack.shape[1]) < g["depth"][:, None]
        shows = used & (stack[:, :, POINT] == Point.TAKE) & (stack[:, :, TAKE_MATERIAL] == builders.FROM_CARD)
        drawn = g["drawn_card"]
        which = np.where(shows, stack[:, :, TAKE_CARD], 0)
        hold(~shows | (np.take_along_axis(drawn, which.astype(int), 1) >= 0), "drawn_card: none whose gains are open")
        chooses = at_point(g, Point.CARD)
        open_cards = shows.any(1) | chooses
        hold(~chooses | (drawn >= 0).all(1), "drawn_card: not two to choose from")
        hold(
            open_cards | ((drawn == -1).all(1) & (g["drawn_left"] == 0).all(1)), "drawn_card: one whose gains are over"
        )

    def _count_tiles(self, g: np.ndarray, claims: np.ndarray, placing: np.ndarray) -> None:
        """Check that special tiles are chosen, then lie in a workshop in place of the section's tile."""
        slots = g["slot_tile"].reshape(len(g), -1)
        lying = np.concatenate([np.where(slots >= SPECIAL_KIND, slots - SPECIAL_KIND, -1), g["special"]], 1)
        seen = (lying[:, :, None] == np.arange(SPECIAL_TILES)).sum(1)
        hold(seen <= 1, "special, slot_tile: a special tile found twice")
        chosen = self.players if self.special_tiles else 0
        begun = g["turn"] > 0
        hold(np.where(begun, seen.sum(1) == chosen, seen.sum(1) <= chosen), "special: not a special tile a player")
        choosing = at_point(g, Point.SPECIAL)
        hold(choosing == (~begun & (g["status"] == PLAYING)), "turn: one has begun before all have a special tile")
        behind = np.arange(self.players) > g["seat"][:, None]  # the last seat chooses first
        hold(
            ~choosing[:, None] | ((g["special"][:, : self.players] >= 0) == behind), "special: chosen in another order"
        )
        mine, turn = (
            g["slot_tile"][:, : self.players],
            placing[:, None] & (g["seat"][:, None] == np.arange(self.players)),
        )
        hold((mine >= 0).sum(2) + turn == claims[:, : self.players], "slot_tile: not a tile for each claimed section")

    def _reinforcements(self, g: np.ndarray) -> None:
        """Check that each reinforcement tile is left to take, held by a player, or out of the game."""
        holder = g["reinforcement"][:, : self.reinforcements]
        there = self._dealt(g, "brickmakers")[:, None]
        hold(there | (holder == -1), "reinforcement: a tile taken in a game without the brickmakers")

    def _foreman(self, g: np.ndarray) -> None:
        """Check that the foreman stands at a tower if his guild is in the game."""
        hold((g["foreman"] >= 0) == self._dealt(g, "foremen"), "foreman: at no tower, or in a game without the foremen")
