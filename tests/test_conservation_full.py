"""Tests of conservation in the full game: diamonds, contracts, cathedral cards, reinforcement and special tiles; with
the module Contractors also specialists, contractors, permits, cities and dice.

As in `test_conservation.py` everything is counted once more from the records and the data files, in plain NumPy. The
full runs are commands, each of which takes another number of games as its second argument: 20,000 games with each guild
without the module; 2,000 with each guild with it; 20,000 of each number of players and workshop side with it.

    python tests/test_conservation_full.py guilds
    python tests/test_conservation_full.py module-guilds
    python tests/test_conservation_full.py module
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from rc_env.full.rules.verbs import Verb
from test_conservation import VARIANTS
from writeable import writeable

from rc_env import Engine, Ruleset, validation
from rc_env.rules.points import POINT, Point
from rc_env.rules.printed.sizes import CITIES
from rc_env.rules.state import PLAYING
from rc_env.validation import ImpossibleGame

pytestmark = pytest.mark.full

GUILDS = (
    "clergy", "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders",
    "brickmakers", "thieves",
)  # fmt: skip
WITH_MODULE = (*GUILDS, "contractors", "lawyers")
MAIN_ACTIONS = (
    Verb.CLAIM, Verb.DELIVER, Verb.DELIVER_DIAMOND, Verb.ADORN, Verb.ADORN_DIAMOND, Verb.MOVE, Verb.MOVE_BLACK,
    Verb.HIRE,
)  # fmt: skip


class FullLedger:
    """The conditions on the games of one variant of the full game while they are played, beyond `rc_env.validation`."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def check(self, games: np.ndarray, mask: np.ndarray) -> None:
        """Assert everything of every game, and that `mask` has a legal action for every seat to move."""
        validation.check(self.ruleset, games)
        assert (mask.any(1) == (games["status"] == PLAYING)).all()


class ContractorsLedger(FullLedger):
    """The additional conditions on games with the module Contractors."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        verbs = np.array([action.verb for action in ruleset.actions.actions])
        self.main, self.passing = np.isin(verbs, MAIN_ACTIONS), verbs == Verb.PASS
        self.before: tuple[np.ndarray, ...] | None = None

    def check(self, games: np.ndarray, mask: np.ndarray) -> None:
        """Assert everything of every game."""
        super().check(games, mask)
        self._cities(games)
        self._pass(games, mask)

    def _cities(self, g: np.ndarray) -> None:
        """Check that a closed city does not open again and gains no contractor, and that none leaves a city (R-46,
        R-57).
        """
        sent = g["sent"]
        if self.before is not None and len(self.before[0]) == len(g):
            key, was_open, had = self.before
            same = key == g["key"]
            closed = same[:, None] & (was_open == 0)
            assert (sent[closed] == had[closed]).all() and (g["city_open"][closed] == 0).all()
            assert (sent >= had)[same].all()
        self.before = g["key"].copy(), g["city_open"].copy(), sent.copy()

    def _pass(self, g: np.ndarray, mask: np.ndarray) -> None:
        """Check that `pass` is legal only at the start of a turn without a main action, when each die is blocked."""
        frame = g["stack"][np.arange(len(g)), g["depth"] - 1]
        starts = (g["status"] == PLAYING) & (frame[:, POINT] == Point.START)
        none = starts & ~mask[:, self.main].any(1)
        passing = mask[:, self.passing].any(1)
        assert (passing == none).all()
        full = np.take_along_axis(g["crowd"], (g["die_space"] + g["die_value"]) % 8, 1) == 3
        assert full[passing].all()


def ruleset_of(guild: str, players: int, workshop: str, special_tiles: bool, contractors: bool = False) -> Ruleset:
    special_tiles |= guild == "clergy" and not contractors
    return Ruleset(
        players, workshop, fourth_guild=guild, special_tiles=special_tiles, contractors=contractors, promos=True
    )


def play(ruleset: Ruleset, rows: int, games: int, burst: int, seed: int) -> tuple[int, int]:
    """Play random games and check all rows every `burst` decisions; return the numbers of games and positions."""
    engine = Engine(ruleset, rows, seed)
    ledger = (ContractorsLedger if ruleset.contractors else FullLedger)(ruleset)
    over = checked = 0
    while over < games:
        total = engine.play_random(burst, seed)
        assert total["stuck"] == 0
        over += total["games"]
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
        checked += rows
    return over, checked


@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_random_games_with_the_module(number: int) -> None:
    """Games of each number of players and side, with special tiles or without, with a drawn guild, lose nothing."""
    players, workshop = VARIANTS[number]
    ruleset = ruleset_of("random", players, workshop, number % 3 > 0, contractors=True)
    games, checked = play(ruleset, 40, 40, 11, seed=number)
    assert games >= 40 and checked > 400


@pytest.mark.parametrize(
    "guild", [pytest.param(guild, marks=[pytest.mark.long] * (i // 2 % 2)) for i, guild in enumerate(GUILDS)]
)
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


MODULE_FRAUDS: dict[str, Callable[[np.ndarray], None]] = {
    "a specialist in the bag and on a slot": put("bag", None, 2**24 - 1),
    "a specialist that two have": lambda game: put("specialist", 0, int(game["offer"][0]))(game),
    "a specialist that nobody dismissed": put("offer", 2, -1),
    "a contractor too many": put("contractors", 1, 7),
    "a contractor in a city without a tower": lambda game: put("sent", (unused_city(game), 0), 1)(game),
    "a city that opens again": lambda game: put("city_open", unused_city(game), 1)(game),
    "a city over two towers": lambda game: put("city_over", 1, int(game["city_over"][0]))(game),
    "a permit from nowhere": put("permit_supply", None, 24),
    "a seventh permit": put("permits", 0, 7),
    "a die off the board": put("die_space", 5, 9),
}


def unused_city(game: np.ndarray) -> int:
    """Return a city over no tower of a game for two players."""
    return next(city for city in range(CITIES) if city not in game["city_over"][:4])


@pytest.mark.parametrize("fraud", MODULE_FRAUDS)
def test_the_ledger_of_the_module_notices(fraud: str) -> None:
    engine = Engine(ruleset_of("random", 2, "basic", special_tiles=False, contractors=True), 8, seed=3)
    ledger = ContractorsLedger(engine.ruleset)
    engine.play_random(40)
    ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    for game in writeable(engine).view(np.ndarray):
        MODULE_FRAUDS[fraud](game)
    with pytest.raises(ImpossibleGame, match="is impossible"):
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())


def test_the_ledger_of_the_module_notices_a_pass_beside_a_main_action() -> None:
    engine = Engine(ruleset_of("random", 2, "basic", special_tiles=False, contractors=True), 8, seed=3)
    ledger = ContractorsLedger(engine.ruleset)
    mask = engine.legal_mask().copy()
    mask[:, ledger.passing] = 1
    with pytest.raises(AssertionError):
        ledger.check(engine.games.view(np.ndarray), mask)


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
    """Each of the checks can fail: it detects the error planted for it."""
    guild, change = FRAUDS[fraud]
    engine = Engine(ruleset_of(guild, 2, "basic", special_tiles=False), 8, seed=3)
    ledger = FullLedger(engine.ruleset)
    engine.play_random(40)
    ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    for game in writeable(engine).view(np.ndarray):
        change(game)
    with pytest.raises(ImpossibleGame, match="is impossible"):
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())


def main(run: str = "guilds", games: int = 0) -> None:
    """Play so many games for each printed line; `RUNS` gives the default number."""
    module = run != "guilds"
    lines: dict[str, list[tuple[str, int]]] = {}  # the guild and variant number of each part of a line
    if run == "module":
        lines = {f"{players} {workshop}": [("random", n)] for n, (players, workshop) in enumerate(VARIANTS)}
    else:
        guilds = WITH_MODULE if module else GUILDS
        lines = {guild: [(guild, n) for n in range(len(VARIANTS))] for guild in guilds}
    for line, parts in lines.items():
        begun, over, checked, decisions = time.perf_counter(), 0, 0, 0
        for guild, n in parts:
            for special_tiles in (False, True) if run == "module" else (n % 4 in (1, 2),):
                ruleset = ruleset_of(guild, *VARIANTS[n], special_tiles, module)
                wanted = -(-(games or RUNS[run]) // (2 if run == "module" else len(parts)))
                found = play(ruleset, min(1000, wanted), wanted, 24, seed=n)
                over, checked, decisions = over + found[0], checked + found[1], decisions + 24 * found[1]
        seconds = time.perf_counter() - begun
        print(f"{line}: {over:,} games, {decisions:,} decisions, {checked:,} positions, {seconds:.0f} s", flush=True)


RUNS = {"guilds": 20_000, "module-guilds": 2_000, "module": 20_000}
"""The number of games for each line that a run prints."""

if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
