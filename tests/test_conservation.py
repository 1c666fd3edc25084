"""Tests of conservation: no action loses or adds a component, and every cached number is right.

`rc_env.validation` counts everything again from the records and the data file, in plain NumPy, without the compiled
rules. The tests below check some hundred random games of each variant with it. The full run, 100,000 games of each of
the eight variants (about ten minutes on one core), is a command:

    python tests/test_conservation.py            # or 5,000 of the solo game: python tests/test_conservation.py 5000 1
"""

import sys
import time

import numpy as np
import pytest
from variants import VARIANTS, every_variant, half_of_the_variants
from writeable import writeable

from rc_env import Engine, Ruleset, validation
from rc_env.rules.state import PLAYING, TERMINATED
from rc_env.validation import ImpossibleGame


class Ledger:
    """The conditions on the games of one variant while they are played, beyond those of `rc_env.validation`."""

    def __init__(self, ruleset: Ruleset) -> None:
        tables = ruleset.tables
        self.ruleset, self.players, self.seats, self.solo = ruleset, ruleset.players, ruleset.seats, ruleset.solo
        self.limit = ruleset.turn_limit
        laps = np.arange(40)[:, None] * tables["track"]["length"]
        self.prestige = (laps + np.array(tables["track"]["prestige"])).ravel()
        self.copies = len(tables["workshop"]["tile"])
        self.dealt: tuple[np.ndarray, np.ndarray] | None = None

    def check(self, games: np.ndarray, mask: np.ndarray) -> None:
        """Assert everything of every game, and that `mask` has a legal action for every seat to move."""
        validation.check(self.ruleset, games)
        assert (mask.any(1) == (games["status"] == PLAYING)).all()
        self._workshop_tiles(games)

    def _workshop_tiles(self, g: np.ndarray) -> None:
        """Check that the workshop tiles of a game stay the same, except for those that Ivan takes."""
        n = 6 * self.seats
        everywhere = np.concatenate([g["tile"][:, :n], g["slot_tile"][:, : self.players].reshape(len(g), -1)], 1)
        gone = (g["owner"][:, :n] == 1).sum(1) if self.solo else 0
        assert ((everywhere >= 0).sum(1) == n - gone).all()
        kinds = np.stack([(everywhere == kind).sum(1) for kind in range(self.copies)], 1)
        if self.dealt is not None and len(self.dealt[0]) == len(g):
            same = self.dealt[0] == g["key"]
            assert (kinds <= self.dealt[1])[same].all()
            assert self.solo or (kinds == self.dealt[1])[same].all()
        self.dealt = g["key"].copy(), kinds

    def score(self, g: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the prestige of the markers, of goods and of the towers, (N, S) each (R-25)."""
        track = np.searchsorted(self.prestige, g["track"][:, : self.seats], side="right")
        goods = (g["goods"][:, : self.seats, :6].sum(2) + g["rubles"][:, : self.seats]) // 5
        return track, goods, g["share"][:, :, : self.seats].sum(1)

    def check_results(self, engine: Engine, rows: np.ndarray) -> None:
        """Check final scores, places and the "win" reward of games that are over (R-25 to R-28)."""
        g = engine.games[rows].view(np.ndarray)
        assert (g["status"] != PLAYING).all()
        track, goods, towers = self.score(g)
        results = engine.results(rows)
        assert (results.track == track).all() and (results.goods == goods).all()
        assert (results.towers.sum(2) == towers).all() and (results.prestige == track + goods + towers).all()
        works = g["works"][:, : self.seats].astype(int)
        order = (track + goods + towers) * 10_000 + works[:, :, 4] * 100 + works[:, :, 5]
        ahead = (order[:, None, :] > order[:, :, None]).sum(2)
        assert (results.place == ahead).all() and (results.winners == (ahead == 0)).all()
        behind = (order[:, None, :] < order[:, :, None]).sum(2)
        expected = (behind - ahead)[:, : self.players] / (self.seats - 1)
        assert np.allclose(engine.rewards[rows], expected, atol=1e-6)
        terminated = g["status"] == TERMINATED
        assert (terminated == engine.terminated[rows]).all()
        last = (g["turn"] - 1) % 2 if self.solo else g["seat"]
        assert (g["ending"][terminated] == (last[terminated] + 1) % self.seats).all()  # the last seat has moved
        assert (g["turn"][~terminated] == self.limit).all()


def play_each_decision(ruleset: Ruleset, rows: int, decisions: int, seed: int) -> int:
    """Play random games through `step` and check everything after every decision; return how many ended."""
    engine, ledger, rng = Engine(ruleset, rows, seed), Ledger(ruleset), np.random.default_rng(seed)
    ended = 0
    for _ in range(decisions):
        mask = engine.legal_mask()
        ledger.check(engine.games.view(np.ndarray), mask)
        engine.step((rng.random(mask.shape) * mask).argmax(1))
        assert not engine.illegal.any()
        if len(engine.ended):
            ledger.check_results(engine, engine.ended)
            ended += len(engine.ended)
            engine.reset(engine.ended)
    return ended


def play_bursts(ruleset: Ruleset, rows: int, games_per_row: int, burst: int, seed: int) -> dict[str, int]:
    """Play random games inside the engine until every row has ended that many, and check all rows every `burst`
    decisions.
    """
    engine, ledger = Engine(ruleset, rows, seed), Ledger(ruleset)
    total = {"decisions": 0, "games": 0, "truncated": 0, "stuck": 0, "checks": 0}
    # A burst that begins several games in a row counts as one.
    begun, last = np.zeros(rows, int), engine.games.key.copy()
    while begun.min() < games_per_row:
        for key, count in engine.play_random(burst, seed).items():
            total[key] += count
        begun, last = begun + (engine.games.key != last), engine.games.key.copy()
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
        total["checks"] += rows
    assert total["stuck"] == 0
    assert total["games"] >= begun.sum()
    return total


@pytest.mark.slow
@every_variant
def test_every_decision_of_some_random_games(players: int, workshop: str) -> None:
    """Games that reach a turn limit; those to the ending of R-25 are longer."""
    limit = 40 if players > 1 else 20
    assert play_each_decision(Ruleset(players=players, workshop=workshop, turn_limit=limit), 12, 200, seed=players) > 12


@pytest.mark.slow
@half_of_the_variants
def test_every_decision_of_some_random_games_to_their_ending(players: int, workshop: str) -> None:
    assert play_each_decision(Ruleset(players=players, workshop=workshop), 12, 1300, seed=players) > 4


@every_variant
def test_hundreds_of_random_games_end(players: int, workshop: str) -> None:
    total = play_bursts(Ruleset(players=players, workshop=workshop), 200, 2, 40, seed=7)
    assert total["truncated"] < total["games"] // 10


FRAUDS = {
    "a material from nowhere": lambda g: g.goods[0].__setitem__(2, g.goods[0, 2] + 1),
    "a material too few in the supply": lambda g: g.supply.__setitem__(3, g.supply[3] - 1),
    "a seventh banner": lambda g: g.goods[1].__setitem__(7, g.goods[1, 7] + 1),
    "a banner on a section": lambda g: g.owner.__setitem__(g.claimed[0], 1),
    "an ornament more": lambda g: g.works[0].__setitem__(1, g.works[0, 1] + 1),
    "an ornament in the air": lambda g: g.ornament.__setitem__(np.argmin(g.finished), 1),
    "a tile twice": lambda g: g.tile.__setitem__(np.argmin(g.owner), 20),
    "a tile lost": lambda g: g.tile.__setitem__(np.argmin(g.owner), -1),
    "a tile turned": lambda g: g.slot_up[0].__setitem__(np.argmin(g.slot_tile[0]), 1),
    "a die beside its space": lambda g: g.die_space.__setitem__(0, (g.die_space[0] + 1) % 8),
    "a die of seven": lambda g: g.die_value.__setitem__(2, 7),
    "a market tile twice": lambda g: g.market.__setitem__(0, g.market[1]),
    "a card with one material less": lambda g: g.card[np.argmin(g.owner)].__setitem__(
        0, g.card[np.argmin(g.owner), 0] - 1
    ),
    "a card that pays more": lambda g: g.card[np.argmin(g.owner)].__setitem__(7, 9),
    "rubles owed": lambda g: g.rubles.__setitem__(0, -1),
    "a tower worth more": lambda g: g.worth.__setitem__(0, g.worth[0] + 1),
    "presence of nobody": lambda g: g.presence[0].__setitem__(1, g.presence[0, 1] + 1),
    "a larger share": lambda g: g.share[1].__setitem__(0, g.share[1, 0] + 1),
    "a larger sum": lambda g: g.towers.__setitem__(0, g.towers[0] + 1),
    "a seat too many": lambda g: g.__setattr__("seat", 3),
}


@pytest.mark.parametrize("fraud", FRAUDS)
def test_the_ledger_notices(fraud: str) -> None:
    """Each of the checks can fail: it detects the error planted for it."""
    engine = Engine(Ruleset(players=2), 8, seed=3)
    ledger = Ledger(engine.ruleset)
    engine.play_random(30)
    ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    FRAUDS[fraud](writeable(engine)[4])
    with pytest.raises(ImpossibleGame, match="game 4 of 8 is impossible"):
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
    with pytest.raises(ImpossibleGame, match="game 4 of 8 is impossible"):
        engine.restore(engine.games.copy())


def main(games: int = 100_000, *only: int) -> None:
    """Play at least that many games of each variant, and check some thousand of them at every decision.

    `only` restricts the numbers of players; the default is all of them.
    """
    rows, started = min(2000, games), time.perf_counter()
    for players, workshop in [variant for variant in VARIANTS if not only or variant[0] in only]:
        begun = time.perf_counter()
        ruleset = Ruleset(players=players, workshop=workshop)
        total = play_bursts(ruleset, rows, -(-games // rows), 24, seed=1)
        watched = play_each_decision(ruleset, max(1, rows // 4), 2500, seed=2)
        print(
            f"{players} players, {workshop}: {total['games']:,} games in {total['decisions']:,} decisions, "
            f"{total['truncated']:,} at the turn limit, {total['stuck']} without a legal action; "
            f"{total['checks']:,} positions checked, and every decision of {watched:,} games more; "
            f"{time.perf_counter() - begun:.0f} s",
            flush=True,
        )
    print(f"everything holds; {time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
