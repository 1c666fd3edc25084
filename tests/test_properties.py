"""Tests of properties of any game, for any actions, order, batch or number of threads (the engine's promises)."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
from cross import GUILDS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_conservation import VARIANTS, Ledger
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.rules.points import POINT, Point
from rc_env.rules.printed.sizes import CONTRACTS
from rc_env.rules.setup import DEAL, open_deal
from rc_env.rules.state import PLAYING

SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)


@cache
def variant(players: int, workshop: str) -> Ruleset:
    return Ruleset(players=players, workshop=workshop)


rulesets = st.sampled_from(VARIANTS).map(lambda pair: variant(*pair))
seeds = st.integers(0, 2**63 - 1)
choices = st.lists(st.integers(0, 10_000), min_size=1, max_size=120)


def pick(engine: Engine, choice: int) -> np.ndarray:
    """Return the legal action of that number in each row, modulo their count; -1 where the game is over."""
    mask = engine.legal_mask()
    wanted = np.where(mask.any(1), choice % np.maximum(mask.sum(1), 1), -1)
    return np.where(wanted >= 0, (np.cumsum(mask, axis=1) > wanted[:, None]).argmax(1), -1)


def rows_of(games: np.ndarray) -> list[bytes]:
    """Return all bytes of each record."""
    return [row.tobytes() for row in games.view(np.ndarray).view(np.uint8).reshape(len(games), -1)]


def records(engine: Engine) -> list[bytes]:
    return rows_of(engine.games)


def apart_from(games: np.ndarray, *fields: str) -> list[bytes]:
    """Return the records without some fields."""
    copy = games.view(np.ndarray).view(np.uint8).copy().view(games.dtype)
    for field in fields:
        copy[field] = 0
    return rows_of(copy)


def rolls_of(engine: Engine, row: int = 0) -> list[tuple[int, int]]:
    """Return (die, value) of each die rolled since the last decision."""
    game = engine.games[row]
    log = [int(entry) % 60 for entry in game.rolled[: game.rolled_count]]
    return [(entry // 10, entry % 10) for entry in log]


# --- any sequence of actions


@SETTINGS
@given(rulesets, seeds, choices)
def test_any_sequence_of_legal_actions_keeps_everything_in_order(
    ruleset: Ruleset, seed: int, played: list[int]
) -> None:
    engine, ledger = Engine(ruleset, 1, seed), Ledger(ruleset)
    for choice in played:
        engine.step(pick(engine, choice))
        assert not engine.illegal[0]
        ledger.check(engine.games.view(np.ndarray), engine.legal_mask())
        assert engine.legal_mask()[0].sum() != 1  # a single legal action is played by the engine


@SETTINGS
@given(
    rulesets,
    seeds,
    st.integers(0, 200),
    st.lists(st.one_of(st.integers(-3, 600), st.integers(-(2**63), 2**63 - 1)), min_size=8, max_size=8),
)
def test_an_illegal_action_changes_not_one_byte(ruleset: Ruleset, seed: int, depth: int, actions: list[int]) -> None:
    """Other rows are not affected either: each goes on as if it were alone."""
    engine = Engine(ruleset, 8, seed)
    engine.play_random(depth)
    alone = Engine(ruleset, 8, seed)
    alone.play_random(depth)
    assert records(engine) == records(alone)
    before, mask = records(engine), engine.legal_mask().copy()
    legal = np.array([0 <= a < engine.num_actions and mask[row, a] == 1 for row, a in enumerate(actions)])
    engine.step(np.array(actions, dtype=np.int64))
    assert engine.illegal.tolist() == (~legal).tolist()
    alone.step(np.array(actions, dtype=np.int64)[legal], which=np.flatnonzero(legal))
    after = records(engine)
    for row in np.flatnonzero(~legal):
        assert after[row] == before[row]
        assert (engine.legal_mask()[row] == mask[row]).all()
        assert (engine.rewards[row] == 0).all()
    for row in np.flatnonzero(legal):
        assert after[row] != before[row]
    assert after == records(alone)


def test_every_illegal_action_of_a_position_is_refused() -> None:
    """All actions of the catalogue are tried at every kind of decision point."""
    for players, workshop in VARIANTS:
        engine = Engine(variant(players, workshop), 64, seed=3)
        engine.play_random(150)
        points = {engine.point(row) for row in range(64)}
        before, mask = records(engine), engine.legal_mask().copy()
        for action in range(engine.num_actions):
            rows = np.flatnonzero(mask[:, action] == 0)
            engine.step(np.full(len(rows), action), which=rows)
            assert engine.illegal[rows].all()
        assert records(engine) == before and (engine.legal_mask() == mask).all()
        assert len(points) >= 3


def test_nothing_can_be_played_after_the_end() -> None:
    engine = Engine(Ruleset(players=2, turn_limit=1), 16)
    while (engine.games.status == PLAYING).any():
        rows = np.flatnonzero(engine.games.status == PLAYING)
        engine.step(pick(engine, 5)[rows], which=rows)
    before = records(engine)
    assert (engine.legal_mask() == 0).all() and (engine.seat == -1).all()
    for action in range(engine.num_actions):
        engine.step(np.full(16, action))
        assert engine.illegal.all() and not len(engine.ended)
    assert records(engine) == before


# --- copies


@SETTINGS
@given(rulesets, seeds, st.integers(0, 300), choices)
def test_a_copy_with_the_same_future_is_the_same_game(
    ruleset: Ruleset, seed: int, depth: int, played: list[int]
) -> None:
    engine = Engine(ruleset, 3, seed)
    engine.play_random(depth)
    kept, mask = engine.clone(same_future=True), engine.legal_mask().copy()
    assert records(engine) == rows_of(kept)
    histories = []
    for _ in range(2):
        history = []
        for choice in played:
            engine.step(pick(engine, choice))
            history.append(records(engine))
        histories.append(history)
        engine.restore(kept)
        assert records(engine) == rows_of(kept)
        assert (engine.legal_mask() == mask).all()
    assert histories[0] == histories[1]
    elsewhere = Engine(ruleset, 1, seed=0)
    elsewhere.restore(engine.clone([1], same_future=True))
    assert records(elsewhere) == [rows_of(kept)[1]] and (elsewhere.legal_mask() == mask[1]).all()


@SETTINGS
@given(rulesets, seeds, st.integers(0, 300))
def test_a_copy_takes_a_fresh_key_by_default_and_nothing_else(ruleset: Ruleset, seed: int, depth: int) -> None:
    engine = Engine(ruleset, 4, seed)
    engine.play_random(depth)
    first, second = engine.clone(), engine.clone()
    same = apart_from(engine.games, "key")
    assert apart_from(first, "key") == same and apart_from(second, "key") == same
    keys = {int(key) for games in (engine.games, first, second) for key in games["key"]}
    assert len(keys) == 12


def test_copies_roll_something_else() -> None:
    """After the same decisions on 300 copies of one position, every value of the next roll occurs."""
    engine = Engine(variant(2, "basic"), 1, seed=8)
    copies = Engine(variant(2, "basic"), 300, seed=0)
    copies.restore(engine.clone(np.zeros(300, int)))
    moves = [a for a in np.flatnonzero(engine.legal_mask()[0]) if engine.action_to_text(a).startswith("move")]
    copies.step(np.full(300, moves[0]))
    rows = np.flatnonzero(copies.games.stack[:, 0, POINT] == Point.MARKET)
    copies.step(np.zeros(len(rows), int), which=rows)  # action 0 is `done`
    rolled = [rolls_of(copies, row)[0] for row in range(300)]
    counts = np.bincount([value for _, value in rolled], minlength=7)[1:]
    assert len({die for die, _ in rolled}) == 1 and counts.min() > 25  # 50 are expected


# --- seeds, batches, threads


def played_on(engine: Engine, decisions: int = 40) -> list[bytes]:
    for choice in range(decisions):
        engine.step(pick(engine, 7 * choice + 3))
    return records(engine)


@SETTINGS
@given(rulesets, seeds)
def test_equal_seeds_agree_and_different_ones_differ(ruleset: Ruleset, seed: int) -> None:
    one, two, other = Engine(ruleset, 4, seed), Engine(ruleset, 4, seed), Engine(ruleset, 4, seed + 1)
    assert records(one) == records(two)
    apart = set(apart_from(one.games, "key")) | set(apart_from(other.games, "key"))
    assert len(apart) == 8
    assert played_on(one) == played_on(two)
    one.reset(seed=seed + 1)
    other.reset(seed=seed + 1)
    assert records(one) == records(other)


@SETTINGS
@given(rulesets, seeds, st.integers(2, 40))
def test_results_do_not_depend_on_the_size_of_the_batch(ruleset: Ruleset, seed: int, size: int) -> None:
    large, small = Engine(ruleset, size, seed), Engine(ruleset, 1, seed)
    assert records(large)[0] == records(small)[0]
    assert played_on(large)[0] == played_on(small)[0]
    large.play_random(30, seed=4)
    small.play_random(30, seed=4)
    assert records(large)[0] == records(small)[0]


@SETTINGS
@given(rulesets, seeds, st.permutations(range(12)))
def test_results_do_not_depend_on_the_order_of_rows(ruleset: Ruleset, seed: int, order: list[int]) -> None:
    straight, mixed = Engine(ruleset, 12, seed), Engine(ruleset, 12, seed)
    for choice in range(25):
        actions = pick(straight, choice * 11 + 1)
        straight.step(actions)
        half = len(order) // 2
        for rows in (order[:half], order[half:]):
            mixed.step(actions[rows], which=rows)
        assert records(straight) == records(mixed)
        assert (straight.legal_mask() == mixed.legal_mask()).all()


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_results_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    one = Engine(variant(3, "advanced"), 2000, seed=9)
    many = Engine(variant(3, "advanced"), 2000, seed=9, threads=threads)
    assert records(one) == records(many)
    for choice in range(30):
        actions = pick(one, choice * 5 + 2)
        one.step(actions, auto_reset=True)
        many.step(actions, auto_reset=True)
    tallies = [engine.play_random(200, seed=2) for engine in (one, many)]
    assert tallies[0] == tallies[1]
    assert records(one) == records(many)
    assert (one.legal_mask() == many.legal_mask()).all() and (one.observe() == many.observe()).all()


def test_rows_go_on_to_games_of_their_own() -> None:
    """Successive games of a row, and the games of different rows, all differ; a new game does not depend on earlier
    play.
    """
    engine, other = Engine(variant(2, "basic"), 5, seed=1), Engine(variant(2, "basic"), 5, seed=1)
    seen = set()
    for _ in range(20):
        seen |= set(apart_from(engine.games, "key"))
        engine.play_random(3)
        engine.reset()
        other.reset()
        assert records(engine) == records(other)
    assert len(seen) == 100


# --- the dice


@SETTINGS
@given(rulesets, seeds, choices, choices)
def test_the_nth_roll_of_a_die_is_the_same_whatever_was_done_before(
    ruleset: Ruleset, seed: int, here: list[int], there: list[int]
) -> None:
    """In two games of one deal, played differently, each die shows the same values in the same order."""
    shown: list[dict[int, list[int]]] = []
    for played in (here, there):
        engine = Engine(ruleset, 1)
        engine.reset(deal_seeds=np.array([seed]))
        values: dict[int, list[int]] = {die: [] for die in range(5)}
        for choice in played:
            engine.step(pick(engine, choice))
            for die, value in rolls_of(engine):
                values[die].append(value)
                assert 1 <= value <= 6
        assert (engine.games.rolls[0, :5] == [1 + len(values[die]) for die in range(5)]).all()  # the deal uses one roll
        shown.append(values)
    for die in range(5):
        assert all(a == b for a, b in zip(shown[0][die], shown[1][die], strict=False))


def test_every_value_of_every_die_comes_up_alike() -> None:
    engine = Engine(variant(4, "basic"), 400, seed=12)
    counts = np.zeros((5, 7), int)
    for choice in range(60):
        engine.step(pick(engine, choice * 3 + 1))
        for row in range(400):
            for die, value in rolls_of(engine, row):
                counts[die, value] += 1
    share = counts[:, 1:] / counts[:, 1:].sum(1, keepdims=True)
    assert counts.sum() > 5000
    assert np.abs(share - 1 / 6).max() < 0.04


@SETTINGS
@given(rulesets, seeds, choices, st.lists(st.integers(1, 6), min_size=0, max_size=16))
def test_forced_dice_appear_in_order_and_then_the_drawn_ones(
    ruleset: Ruleset, seed: int, played: list[int], forced: list[int]
) -> None:
    engine, free = Engine(ruleset, 1, seed), Engine(ruleset, 1, seed)
    for choice in played:
        free.restore(engine.clone(same_future=True))
        action = pick(engine, choice)
        engine.step(action, dice=np.array([forced], dtype=np.int64).reshape(1, -1))
        free.step(action)
        got, drawn = rolls_of(engine), rolls_of(free)
        assert [die for die, _ in got] == [die for die, _ in drawn]
        expected = [*forced[: len(got)], *(value for _, value in drawn[len(forced) :])]
        assert [value for _, value in got] == expected
        assert engine.games.forced_count[0] == 0  # unused forced values are dropped
        for die, value in [] if ruleset.solo else got[-1:]:  # in the solo game, Ivan may have rolled the die since
            assert engine.games.die_value[0, die] == value
        assert (engine.games.rolls == free.games.rolls).all()


# --- fixed deals


@SETTINGS
@given(rulesets.filter(lambda one: not one.solo), st.integers(0, 2**32), st.sets(st.sampled_from(DEAL.names or ())))
def test_fixed_parts_of_a_deal_are_taken_and_the_rest_is_drawn(ruleset: Ruleset, seed: int, parts: set[str]) -> None:
    """The parts of one random deal are put into another one."""
    if "die_value" in parts or "die_space" in parts:
        parts |= {"die_value", "die_space"}
    if "guild" in parts or "influence" in parts:
        parts |= {"guild", "influence"}
    if parts & {"plan", "number"}:
        parts |= {"plan", "number"}
    source, free = Engine(ruleset, 1, seed), Engine(ruleset, 1, seed + 1)
    deal = open_deal()
    for part in parts:
        deal[part] = source.games[part]
    engine = Engine(ruleset, 1, seed + 1)
    engine.reset(seed=seed + 1, deals=deal)
    for part in DEAL.names or ():
        if part in parts:
            assert (engine.games[part] == source.games[part]).all(), part
        elif not (part in ("die_space", "tile", "number") and parts & {"market", "plan"}):
            assert (engine.games[part] == free.games[part]).all(), part
    Ledger(ruleset).check(engine.games.view(np.ndarray), engine.legal_mask())


def test_one_deal_a_row() -> None:
    source, target = Engine(variant(3, "basic"), 6, seed=1), Engine(variant(3, "basic"), 6, seed=2)
    deals = np.repeat(open_deal(), 6)
    for part in DEAL.names or ():
        deals[part] = source.games[part]
    target.reset(deals=deals)
    for part in DEAL.names or ():
        assert (target.games[part] == source.games[part]).all()


# --- without the compiler


def digest() -> str:
    """Return a digest of every observation of three games up to a turn limit, and of their scores."""
    checksum, ended = sha256(), 0
    engine = Engine(Ruleset(players=3, workshop="advanced", turn_limit=12), 3, seed=4)
    for choice in range(90):
        engine.step(pick(engine, 7 * choice + 3), auto_reset=True)
        ended += len(engine.ended)
        checksum.update(b"".join(records(engine)) + engine.legal_mask().tobytes() + engine.rewards.tobytes())
        checksum.update(engine.results().place.tobytes() + engine.observe().tobytes())
    assert ended >= 3
    return checksum.hexdigest()


def digest_of_contracts() -> str:
    """Return a digest of games with dealt contracts: their scores, the copies for a seat, and some play."""
    checksum, best = sha256(), 0
    engine = Engine(Ruleset(players=3, fourth_guild="archivists", special_tiles=True), 8, seed=4)
    order = np.random.default_rng(1)
    for choice in range(60):
        if choice % 10 == 9:
            for row, game in enumerate(writeable(engine)):
                if engine.point(row) in ("keep", "return"):
                    continue
                cards = order.permutation(CONTRACTS)
                game.hand[:3, :3] = np.sort(cards[:9].reshape(3, 3))
                game.contract_deck[:] = [*cards[9:], *[-1] * 9]
                game.contracts_left = 6
                game.rubles[:3] = order.integers(0, 300, 3)
            engine.restore(engine.clone(same_future=True))
            found = engine.results()
            best = max(best, int(found.contracts.max()))
            checksum.update(found.contracts.tobytes() + found.goods.tobytes() + found.place.tobytes())
            checksum.update(b"".join(rows_of(engine.clone(seat=choice % 3))))
        engine.step(pick(engine, 7 * choice + 3), auto_reset=True)
        checksum.update(b"".join(records(engine)) + engine.legal_mask().tobytes() + engine.rewards.tobytes())
    assert best >= 10
    return checksum.hexdigest()


def digest_of_guilds() -> str:
    """Return a digest of games with each guild of the expansion, and of the scores of those that end."""
    checksum = sha256()
    for number, guild in enumerate(GUILDS):
        players = 1 + number % 4
        engine = Engine(Ruleset(players, turn_limit=16, fourth_guild=guild, special_tiles=number % 2 == 0), 2, number)
        for choice in range(120):
            engine.step(pick(engine, 7 * choice + 3), auto_reset=True)
            checksum.update(b"".join(records(engine)) + engine.legal_mask().tobytes() + engine.rewards.tobytes())
        checksum.update(engine.results().place.tobytes() + engine.observe().tobytes())
    return checksum.hexdigest()


FULL = [
    pytest.param(digest_of_contracts, marks=pytest.mark.full),
    pytest.param(digest_of_guilds, marks=[pytest.mark.full, pytest.mark.long]),
]


@pytest.mark.parametrize("played", [digest, *FULL])
def test_plain_python_plays_the_same_games(played: Callable[[], str]) -> None:
    """The uncompiled rules, as in a debugger, give the same games as the compiled ones."""
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import test_properties; print(test_properties.{played.__name__}())"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == played()
