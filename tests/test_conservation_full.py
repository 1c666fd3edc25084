"""Conservation in the full game: diamonds, contracts, cathedral cards, reinforcement tiles and special tiles.

As in `test_conservation.py` everything is counted once more from the records and the data files, in plain NumPy. The
full run, 20,000 games with each guild over all numbers of players and both workshop sides, is a command; it takes
another number of games as its argument:

    python tests/test_conservation_full.py
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_conservation import VARIANTS, Ledger

from rc_env import Engine, Ruleset
from rc_env.rules.sizes import SPECIAL_KIND
from rc_env.rules.state import PLAYING

pytestmark = pytest.mark.full

GUILDS = (
    "clergy", "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders",
    "brickmakers", "thieves",
)  # fmt: skip
SPECIAL_TILES = 4


class FullLedger(Ledger):
    """What must hold of the games of one variant of the full game, at any decision."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        assert ruleset.expansion_file is not None
        tables = ruleset.expansion_file.tables
        self.rules, self.special_tiles = ruleset.rules[0], ruleset.special_tiles
        self.names = [*ruleset.data_file.tables["guilds"], *tables["guilds"]]
        self.diamonds, self.contracts = tables["supply"]["diamond"], len(tables["contracts"]["cards"])
        self.tiles = len(tables["reinforcements"])

    def check(self, games: np.ndarray, mask: np.ndarray) -> None:
        """Assert everything of every game."""
        playing = games["status"] == PLAYING
        assert (mask.any(1) == playing).all()
        assert (games["track"] >= 0).all() and (games["rubles"] >= 0).all()
        assert ((games["depth"] >= 1) == playing).all()
        self._materials(games)
        self._standings(games)
        self._diamonds(games)
        self._contracts(games)
        self._cards(games)
        self._tiles(games)
        at = games["foreman"]
        assert np.where(self._dealt(games, "foremen"), (at >= 0) & (at < self.towers), at == -1).all()

    def _dealt(self, g: np.ndarray, guild: str) -> np.ndarray:
        return (g["guild"] == self.names.index(guild)).any(1)

    def _diamonds(self, g: np.ndarray) -> None:
        """In the supply, in inventories, where they take room, and on unfinished sections."""
        held, lying = g["diamonds"].astype(int), g["card_diamonds"].astype(int)
        there = self._dealt(g, "jewelers") | self.special_tiles
        for counts in (held, lying, g["diamond_supply"]):
            assert (counts >= 0).all()
        used = held.sum(1) + lying.sum(1)
        assert (g["diamond_supply"] + used == self.diamonds).all() and (used[~there] == 0).all()
        goods = g["goods"][:, : self.seats].astype(int)
        assert (goods[:, :, :7].sum(2) + held[:, : self.seats] <= self.spaces).all()
        assert (lying[g["finished"] == 1] == 0).all() and (lying[g["owner"] < 0] == 0).all()

    def _contracts(self, g: np.ndarray) -> None:
        """Hands, deck and what is drawn are all of them, each once; without the archivists they stay in the deck."""
        there = self._dealt(g, "archivists")
        parts = [g["hand"].reshape(len(g), -1), g["drawn_contract"], g["contract_deck"]]
        assert ((g["contract_deck"] >= 0).sum(1) == g["contracts_left"]).all()
        cards = np.sort(np.concatenate(parts, 1), 1)
        assert (cards[:, -self.contracts :] == np.arange(self.contracts)).all()
        assert (cards[:, : -self.contracts] == -1).all()
        assert all((part[~there] == -1).all() for part in parts[:2])

    def _cards(self, g: np.ndarray) -> None:
        """The master builders' deck, their discards, what is drawn, and the cathedral are all cards, each once."""
        there, count = self._dealt(g, "master_builders"), int(self.rules.cards)
        assert (g["discards"][~there] == 0).all() and (g["drawn_card"][~there] == -1).all()
        deck = (g["builder_deck"][:, None] >> np.arange(count, dtype=np.uint64)) & np.uint64(1)
        piles = (g["discard"], g["drawn_card"], g["number"][:, : self.sections])
        seen = sum((pile[:, :, None] == np.arange(count)).sum(1) for pile in piles) + deck.astype(int)
        assert (seen == 1).all()
        assert ((g["discard"] >= 0).sum(1) == g["discards"]).all()

    def _tiles(self, g: np.ndarray) -> None:
        """Reinforcement tiles are left, held or gone; special tiles wait for their place or lie in a workshop."""
        holder = g["reinforcement"][:, : self.tiles]
        assert (holder >= -2).all() and (holder < self.players).all()
        assert (holder[~self._dealt(g, "brickmakers")] == -1).all()
        slots = g["slot_tile"].reshape(len(g), -1)
        lying = np.concatenate([np.where(slots >= SPECIAL_KIND, slots - SPECIAL_KIND, -1), g["special"]], 1)
        seen = (lying[:, :, None] == np.arange(SPECIAL_TILES)).sum(1)
        assert (lying < SPECIAL_TILES).all() and (seen <= 1).all()
        chosen = self.players if self.special_tiles else 0
        assert np.where(g["turn"] > 0, seen.sum(1) == chosen, seen.sum(1) <= chosen).all()


def ruleset_of(guild: str, players: int, workshop: str, special_tiles: bool) -> Ruleset:
    return Ruleset(players, workshop, fourth_guild=guild, special_tiles=special_tiles or guild == "clergy")


def play(ruleset: Ruleset, rows: int, games: int, burst: int, seed: int) -> tuple[int, int]:
    """Random games until so many are over, all rows checked every `burst` decisions: how many games and positions."""
    engine, ledger = Engine(ruleset, rows, seed), FullLedger(ruleset)
    over = checked = 0
    while over < games:
        total = engine.play_random(burst, seed)
        assert total["stuck"] == 0
        over += total["games"]
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
        checked += rows
    return over, checked


@pytest.mark.parametrize("guild", GUILDS)
def test_random_games_with_each_guild(guild: str) -> None:
    for number, (players, workshop) in enumerate(VARIANTS[GUILDS.index(guild) % 2 :: 2]):
        games, checked = play(ruleset_of(guild, players, workshop, number % 2 == 1), 40, 40, 7, seed=number)
        assert games >= 40 and checked > 500


def put(field: str, place: Any, value: int) -> Callable[[np.ndarray], None]:
    def change(game: np.ndarray) -> None:
        if place is None:
            game[field] = value
        else:
            game[field][place] = value

    return change


FRAUDS: dict[str, tuple[str, Callable[[np.ndarray], None]]] = {
    "a diamond from nowhere": ("jewelers", put("diamonds", 0, 4)),
    "a diamond in the air": ("jewelers", put("card_diamonds", 23, 1)),
    "a contract twice": ("archivists", put("contract_deck", 0, 14)),
    "a contract of nobody's guild": ("thieves", put("hand", (0, 0), 3)),
    "a card drawn from the cathedral": ("master_builders", put("builder_deck", None, 2**40 - 1)),
    "a tile that a seat too many holds": ("brickmakers", put("reinforcement", 0, 3)),
    "a tile without brickmakers": ("thieves", put("reinforcement", 0, 0)),
    "a special tile twice": ("clergy", put("special", 0, 3)),
    "a foreman beside the towers": ("foremen", put("foreman", None, 6)),
    "a material from nowhere": ("artisans", put("goods", (0, 2), 9)),
}


@pytest.mark.parametrize("fraud", FRAUDS)
def test_the_ledger_notices(fraud: str) -> None:
    """Each of the checks can fail."""
    guild, change = FRAUDS[fraud]
    engine = Engine(ruleset_of(guild, 2, "basic", special_tiles=False), 8, seed=3)
    ledger = FullLedger(engine.ruleset)
    engine.play_random(40)
    ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    for game in engine.games.view(np.ndarray):
        change(game)
    with pytest.raises(AssertionError):
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())


def main(games: int = 20_000) -> None:
    """So many games with each guild, spread over the numbers of players and the workshop sides."""
    for guild in GUILDS:
        begun, over, checked = time.perf_counter(), 0, 0
        for number, (players, workshop) in enumerate(VARIANTS):
            ruleset = ruleset_of(guild, players, workshop, number % 4 in (1, 2))
            found = play(ruleset, min(500, games), -(-games // len(VARIANTS)), 24, seed=number)
            over, checked = over + found[0], checked + found[1]
        print(f"{guild}: {over:,} games, {checked:,} positions, {time.perf_counter() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
