"""Tests of masks as bits, and of steps that write mask and observation into the caller's arrays."""

from __future__ import annotations

import numpy as np
import pytest
from variants import VARIANTS

from rc_env import Engine, Ruleset

RULESETS = [
    *(Ruleset(players, workshop, turn_limit=8) for players, workshop in VARIANTS),
    pytest.param(
        Ruleset(3, turn_limit=8, special_tiles=True, fourth_guild="random", contractors=True), marks=pytest.mark.full
    ),
]
GAMES = 12


def width(engine: Engine) -> int:
    """Return the number of bytes in a row of bits."""
    return (engine.num_actions + 7) // 8


@pytest.mark.parametrize("ruleset", RULESETS)
def test_it_writes_what_step_observe_and_mask_give(ruleset: Ruleset) -> None:
    """This holds for all rows and for some, with and without auto-reset, as masks and bits, and for refused actions."""
    rng = np.random.default_rng(7)
    for auto_reset in (True, False):
        fused, plain = Engine(ruleset, GAMES, 3), Engine(ruleset, GAMES, 3)
        ended = refused = 0
        for step in range(120):
            which = None if step % 2 else np.flatnonzero(rng.random(GAMES) < 0.7)
            rows = np.arange(GAMES) if which is None else which
            mask = plain.legal_mask()[rows]
            actions = np.where(rng.random(len(rows)) < 0.05, -1, (rng.random(mask.shape) * mask).argmax(1))
            dice = rng.integers(1, 7, (len(rows), 6)) if step % 3 else None
            dtype = (np.float32, np.uint8)[step % 2]
            kind = (np.int8, np.bool_, np.uint8)[step % 3]
            shape = (len(rows), width(fused) if kind is np.uint8 else fused.num_actions)
            masks, seen = np.ones(shape, kind), np.ones((len(rows), fused.num_features), dtype)
            fused.step_observe(actions, masks, seen, which, auto_reset=auto_reset, dice=dice)
            plain.step(actions, which, auto_reset=auto_reset, dice=dice)
            legal = plain.legal_mask()[rows]
            assert np.array_equal(masks, np.packbits(legal, axis=1) if kind is np.uint8 else legal)
            assert np.array_equal(seen, plain.observe(which, dtype=dtype))
            for name in ("rewards", "illegal", "ended", "seat"):
                assert np.array_equal(getattr(fused, name), getattr(plain, name)), name
            ended, refused = ended + len(plain.ended), refused + int(plain.illegal[rows].sum())
        assert fused.clone(same_future=True).tobytes() == plain.clone(same_future=True).tobytes()
        assert ended and refused


@pytest.mark.parametrize("ruleset", RULESETS)
def test_bits_are_those_of_the_mask(ruleset: Ruleset) -> None:
    engine = Engine(ruleset, GAMES, 5)
    engine.play_random(20, 1)
    bits = engine.legal_bits()
    assert bits.dtype == np.uint8 and bits.shape == (GAMES, width(engine))
    assert np.array_equal(np.unpackbits(bits, axis=1, count=engine.num_actions), engine.legal_mask())
    for row, action in np.argwhere(engine.legal_mask()):
        assert bits[row, action // 8] >> (7 - action % 8) & 1
    assert np.bitwise_count(bits).sum() == engine.legal_mask().sum()
    out = np.full((2, width(engine)), 255, np.uint8)
    assert engine.legal_bits([4, 1], out=out) is out
    assert np.array_equal(out, bits[[4, 1]])


def test_slots_of_a_ring_buffer() -> None:
    """Each step goes to the next slot; the other slots stay as they are."""
    engine, slots = Engine(num_games=GAMES, seed=2), 3
    masks = np.zeros((slots, GAMES, engine.num_actions), np.bool_)
    seen = np.zeros((slots, GAMES, engine.num_features), np.uint8)
    kept: dict[int, tuple[bytes, bytes]] = {}
    for step in range(3 * slots):
        slot = step % slots
        engine.step_observe(engine.legal_mask().argmax(1), masks[slot], seen[slot], auto_reset=True)
        kept[slot] = engine.legal_mask().tobytes(), engine.observe(dtype=np.uint8).tobytes()
        for other, (mask, numbers) in kept.items():
            assert (masks[other].tobytes(), seen[other].tobytes()) == (mask, numbers)
    assert len(set(kept.values())) == slots


def test_memory_of_any_owner() -> None:
    """Arrays over a bytearray, as a library with its own memory gives them, are accepted; only contents change."""
    engine = Engine(num_games=4, seed=2)
    sizes = 4 * engine.num_actions, 16 * engine.num_features
    memory = [bytearray(size + 8) for size in sizes]
    masks = np.frombuffer(memory[0], np.int8, sizes[0]).reshape(4, -1)
    seen = np.frombuffer(memory[1], np.float32, sizes[1] // 4).reshape(4, -1)
    engine.step_observe(engine.legal_mask().argmax(1), masks, seen)
    assert bytes(memory[0]) == engine.legal_mask().tobytes() + bytes(8)
    assert bytes(memory[1]) == engine.observe().tobytes() + bytes(8)


def test_masks_and_observations_in_one_memory_are_refused_and_nothing_is_played() -> None:
    engine = Engine(num_games=4, seed=1)
    a, f = engine.num_actions, engine.num_features
    shared = np.zeros(4 * (a + f), np.uint8)
    masks, seen = shared[: 4 * a].view(np.int8).reshape(4, a), shared[2 * a : 2 * a + 4 * f].reshape(4, f)
    before = engine.clone(same_future=True).tobytes(), shared.tobytes()
    with pytest.raises(ValueError, match=r"^masks and observations share memory; each needs its own"):
        engine.step_observe(engine.legal_mask().argmax(1), masks, seen)
    assert (engine.clone(same_future=True).tobytes(), shared.tobytes()) == before
