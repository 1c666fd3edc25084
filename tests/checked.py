"""Games and bots with every index checked: `make bounds`, or `pytest -p strict_indices tests/checked.py`.

Without `strict_indices` nothing is checked, and the first test fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from variants import every_variant

from rc_env import Engine, Ruleset
from rc_env.arena import match
from rc_env.jit import records, rule
from rc_env.rules.state import GAME

SPACES = GAME["market"].shape[0]


@rule
def read(g: Any, i: Any) -> Any:
    return g.market[i]


@rule
def write(g: Any, i: Any) -> None:
    g.market[i] = 1


@rule
def read_unsigned(g: Any, i: Any) -> Any:
    return g.market[np.uint64(i)]


@rule
def write_unsigned(g: Any, i: Any) -> None:
    g.market[np.uint64(i)] = 1


@rule
def read_seat(g: Any, i: Any) -> Any:
    return g.goods[i, 0]


@rule
def read_row(g: Any, i: Any) -> Any:
    return g.goods[i][0]


@rule
def read_array(array: Any, i: Any) -> Any:
    return array[np.uint64(i)]


@pytest.mark.parametrize("planted", [read, write, read_unsigned, write_unsigned])
def test_a_planted_index_raises(planted: Any) -> None:
    """An index out of range in an array inside a game's record raises, which a kernel would otherwise read silently."""
    g = records(np.zeros(1, GAME))[0]
    planted(g, SPACES - 1)
    for i in (SPACES, 99, -1, -SPACES - 1):
        with pytest.raises(IndexError):
            planted(g, i)


@pytest.mark.parametrize(("planted", "size"), [(read_seat, 4), (read_row, 4), (read_array, 7)])
def test_a_planted_index_raises_in_each_axis_and_in_plain_arrays(planted: Any, size: int) -> None:
    held = np.zeros(size, np.int8) if planted is read_array else records(np.zeros(1, GAME))[0]
    planted(held, size - 1)
    for i in (size, -1):
        with pytest.raises(IndexError):
            planted(held, i)


@every_variant
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
def test_random_games(players: int, workshop: str, dtype: Any) -> None:
    """Random games, some of which end by the turn limit, write masks and observations at each decision."""
    for turn_limit in (1000, 12):
        engine = Engine(Ruleset(players=players, workshop=workshop, turn_limit=turn_limit), 16, seed=players)
        observations = np.zeros((16, engine.num_features), dtype)
        tally = engine.play_random(4000, seed=players, masks=True, observations=observations)
        assert tally["games"] > 16 and tally["stuck"] == 0


@every_variant
def test_steps_from_python(players: int, workshop: str) -> None:
    """The engine's other entry points are called: forced dice, copies, results, observations of every seat."""
    engine, rng = (
        Engine(Ruleset(players=players, workshop=workshop, turn_limit=60), 32, seed=1),
        np.random.default_rng(2),
    )
    ended = 0
    for _ in range(600):
        mask = engine.legal_mask()
        actions = (rng.random(mask.shape) * mask).argmax(1)
        engine.step(actions, dice=rng.integers(1, 7, (32, 16)), auto_reset=True)
        ended += len(engine.ended)
        engine.observe(seat=rng.integers(0, players, 32))
        engine.results()
    engine.restore(engine.clone(seat=0))
    engine.step(np.full(32, 10**6))
    assert engine.illegal.all() and ended > 32


@pytest.mark.parametrize(
    "bot", ["random", "greedy", "all_rounder", "net", "search:simulations=8", "search:simulations=4,net=shipped"]
)
@every_variant
def test_bots(players: int, workshop: str, bot: str) -> None:
    """Each bot plays whole games; a bot with a network plays the variants for which the package ships one."""
    try:
        played = match.play_match([bot] * players, 2, Ruleset(players=players, workshop=workshop), seed=3)
    except ValueError as error:
        assert "net" in bot and "no weights" in str(error)
        pytest.skip(str(error))
    assert len(played.turns) == 2 * players
