"""Tests that callers cannot write to what compiled code trusts: games, masks, copies that `restore` takes unchecked."""

from __future__ import annotations

import copy
import ctypes
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, RedCathedralVectorEnv, Ruleset
from rc_env.batch import EngineState
from rc_env.bot import Position
from rc_env.engine_group import EngineGroup
from rc_env.sealing import unsealed
from rc_env.validation import ImpossibleGame

SETS = (Ruleset(), Ruleset(data="sample:1"))


def played(games: int = 16, ruleset: Ruleset | None = None) -> Engine:
    engine = Engine(ruleset or Ruleset(), games, 3)
    engine.play_random(40)
    return engine


def handed_out(engine: Engine | EngineGroup) -> dict[str, np.ndarray]:
    """Return all arrays of an engine or a group that compiled code trusts, as callers get them, and views of them."""
    found = {"games": engine.games, "legal_mask": engine.legal_mask()}
    if isinstance(engine, Engine):
        found["clone"] = engine.clone()
    for name, array in tuple(found.items()):
        found[f"{name}, some"] = array[1:5]
        found[f"{name}, one"] = array[2]
        found[f"{name}, a view"] = array.view()
        found[f"{name}, a plain view"] = array.view(np.ndarray)
        found[f"{name}, reversed"] = array[::-1]
    found |= {"a field": engine.games["status"], "a field of many": engine.games["stack"]}
    return found


def owners(array: np.ndarray) -> Iterator[Any]:
    """Yield the array and everything that `base` and `obj` lead to from there."""
    seen: Any = array
    while seen is not None:
        yield seen
        seen = getattr(seen, "base", None) if isinstance(seen, np.ndarray) else getattr(seen, "obj", None)


@pytest.mark.parametrize("make", [played, lambda: EngineGroup(SETS, 16, 1)], ids=["engine", "group"])
def test_nothing_that_is_trusted_can_be_made_writeable(make: Callable[[], Engine | EngineGroup]) -> None:
    engine = make()
    for name, array in handed_out(engine).items():
        for owner in owners(array):
            if isinstance(owner, np.ndarray):
                assert not owner.flags.writeable, name
                with pytest.raises(ValueError, match="WRITEABLE"):
                    owner.flags.writeable = True
                with pytest.raises(ValueError, match="WRITEABLE"):
                    owner.setflags(write=True)
            elif isinstance(owner, np.generic):
                assert memoryview(owner).readonly, name  # type: ignore[arg-type]
            else:
                with pytest.raises(TypeError):
                    memoryview(owner)
        with pytest.raises(ValueError, match="read-only"):
            array["status" if isinstance(array, np.generic) else ...] = 0
        with pytest.raises(TypeError):
            ctypes.c_char.from_buffer(array)  # type: ignore[arg-type]
        assert memoryview(array).readonly  # type: ignore[arg-type]
        assert not np.asarray(array).flags.writeable
        assert not np.lib.stride_tricks.as_strided(array, writeable=True).flags.writeable


def short(ruleset: Ruleset) -> Ruleset:
    return replace(ruleset, turn_limit=8)


def spoil(array: np.ndarray) -> None:
    """Set all that can be set of an array and of those behind it, each of which leaves the array of no use."""
    ways: tuple[Callable[[np.ndarray], object], ...] = (
        lambda one: setattr(one, "strides", (0,) * one.ndim),
        lambda one: setattr(one, "shape", (1, *one.shape, 1)),
        lambda one: np.ndarray.dtype.__set__(one, np.dtype((np.void, one.itemsize))),  # type: ignore[attr-defined]
        lambda one: setattr(one.flags, "writeable", False),
        lambda one: one.resize((0,), refcheck=False),
        lambda one: one.__setstate__((1, (0, 0), np.dtype(np.int8), False, b"")),  # type: ignore[attr-defined]
    )
    for owner in [*owners(array)]:
        for way in ways if isinstance(owner, np.ndarray) else ():
            with suppress(ValueError, TypeError, AttributeError):
                way(owner)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("group", [False, True])
def test_what_a_caller_does_to_a_view_reaches_no_other(group: bool) -> None:
    def made() -> Any:
        sets = [short(one) for one in SETS]
        return EngineGroup(sets, 4, 1) if group else Engine(sets[0], 4, 1)

    engine, other, ended = made(), made(), 0
    for _ in range(80):
        for one in (engine, other):
            one.step(one.legal_mask().argmax(1), auto_reset=True)
        ended += len(other.ended)
        arrays = [engine.legal_mask(), engine.games, engine.rewards, engine.illegal, engine.ended, engine.seat]
        arrays += [engine.ruleset.observations.divisors]
        for array in arrays:
            before = array.shape, array.dtype
            spoil(array)
            assert (array.shape, array.dtype) != before
        for name in ("games", "rewards", "illegal", "seat"):
            assert getattr(engine, name).tobytes() == getattr(other, name).tobytes()
            assert getattr(engine, name).shape == getattr(other, name).shape
        assert (engine.legal_mask() == other.legal_mask()).all() and (engine.observe() == other.observe()).all()
        assert (engine.ruleset.observations.divisors == made().ruleset.observations.divisors).all()
    assert ended and copy.deepcopy(engine).games.tobytes() == other.games.tobytes()
    if not group:
        assert engine.action_to_text(0) == other.action_to_text(0) and engine.point() == other.point()
        assert (Position.of(engine).mask == other.legal_mask()).all()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_a_caller_does_to_the_arrays_of_a_vector_environment_reaches_no_other() -> None:
    def made() -> RedCathedralVectorEnv:
        env = RedCathedralVectorEnv(4, turn_limit=8, copy=False)
        env.reset(seed=1)
        return env

    env, other = made(), made()
    for _ in range(80):
        actions = other.action_masks().argmax(1)
        (found, *_, infos), (expected, *_, their_infos) = env.step(actions), other.step(actions)
        assert found.shape == expected.shape and (found == expected).all()
        both = [(infos[key], theirs) for key, theirs in their_infos.items() if isinstance(theirs, np.ndarray)]
        assert all(own.shape == theirs.shape and own.dtype == theirs.dtype for own, theirs in both)
        for array in (found, *(own for own, _ in both)):
            spoil(array)


def test_an_altered_interface_is_no_copy_of_an_engine() -> None:
    """`base` has the interface that NumPy reads; whoever writes another one gets an array that is checked."""
    engine, other = played(), Engine(Ruleset(), 16)
    copies = engine.clone()
    seal = list(owners(copies))[-1]
    noise = np.random.default_rng(0).integers(0, 256, copies.nbytes).astype(np.uint8)
    seal.__array_interface__ = {**seal.__array_interface__, "data": (noise.ctypes.data, False)}
    forged = np.asarray(seal).view(copies.dtype)
    before = other.games.tobytes()
    with pytest.raises(ImpossibleGame):
        other.restore(forged)
    forged.flags.writeable = False
    try:
        other.restore(forged)  # what is sealed under this name is taken: the copies, and not the noise
    except ImpossibleGame:
        assert other.games.tobytes() == before
    else:
        assert other.games.tobytes() == copies.tobytes()


def test_a_seal_of_a_callers_own_is_not_trusted() -> None:
    engine = played()
    copies = engine.clone()
    kind: Any = type(list(owners(copies))[-1])
    noise = np.zeros(copies.nbytes, np.uint8)
    forged = np.asarray(kind({"data": (noise.ctypes.data, True), "shape": noise.shape, "typestr": "|u1", "version": 3}))
    assert unsealed(forged.view(copies.dtype), engine.ruleset) is None
    with pytest.raises(ImpossibleGame):
        engine.restore(forged.view(copies.dtype))


SELECTED: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "all": lambda games: games,
    "a slice": lambda games: games[3:9],
    "every second": lambda games: games[1::2],
    "reversed": lambda games: games[::-1],
    "one": lambda games: games[5:6],
    "none": lambda games: games[:0],
    "steps back": lambda games: games[10:2:-3],
}


@pytest.mark.parametrize("name", SELECTED)
def test_selections_of_copies_are_taken_as_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, other = played(), Engine(Ruleset(), 16)
    copies = SELECTED[name](engine.clone(same_future=True))
    monkeypatch.setattr("rc_env.validation.check", lambda *_: pytest.fail("trusted copies were checked"))
    other.restore(copies, np.arange(len(copies)))
    raw = np.dtype((np.void, copies.itemsize))
    assert other.games.view(np.ndarray).view(raw)[: len(copies)].tobytes() == copies.view(raw).tobytes()


@pytest.mark.parametrize(
    "change",
    [
        lambda games: games.copy(),
        lambda games: games[[3, 1]],
        lambda games: pickle.loads(pickle.dumps(games)),
        lambda games: games.view(np.uint8)[8:-8].view(np.uint8),
        lambda games: np.frombuffer(games.tobytes(), games.dtype),
    ],
    ids=["a copy", "by numbers", "pickled", "bytes", "from bytes"],
)
def test_everything_else_is_checked(change: Callable[[np.ndarray], np.ndarray]) -> None:
    engine = played()
    assert unsealed(change(engine.clone()), engine.ruleset) is None


def test_copies_outlive_their_engine() -> None:
    copies = played().clone(same_future=True)
    expected = played().clone(same_future=True).tobytes()
    for _ in range(3):
        np.full(copies.nbytes, 7, np.uint8)  # would be written over memory that was given back
    assert copies.tobytes() == expected


def test_a_listener_and_the_attributes_of_an_engine_lead_to_no_memory_of_it() -> None:
    """Row numbers are indices in compiled code; a recorder is told copies of them."""

    class Rude:
        def dealt(self, rows: np.ndarray) -> None:
            rows[:] = 10**9

        def played(self, rows: np.ndarray, actions: np.ndarray) -> None:
            rows[:] = actions[:] = 10**9

        restored = dealt

    engine, polite = Engine(num_games=300, seed=1), Engine(num_games=300, seed=1)
    engine.recorder = Rude()
    for one in (engine, polite):
        for _ in range(40):
            one.step(one.legal_mask().argmax(1), auto_reset=True)
            if len(one.ended) and one is engine:
                one.ended[:] = 10**9
        one.restore(one.clone(same_future=True))
        one.reset()
    assert engine.games.tobytes() == polite.games.tobytes()


# --- copies of an engine


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_in_a_pickle_are_refused(seed: int) -> None:
    engine = played()
    state: EngineState = engine.__getstate__()
    noise = np.frombuffer(np.random.default_rng(seed).bytes(len(state.games)), engine.games.dtype).copy()
    noise["status"] = 0
    other = Engine.__new__(Engine)
    with pytest.raises(ValueError, match=r"^state, games: game 0 of 16 is impossible: "):
        other.__setstate__(replace(state, games=noise.tobytes()))


def test_a_game_of_a_pickle_without_a_legal_action_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = played()
    games = np.frombuffer(engine.__getstate__().games, engine.games.dtype).copy()
    games["stack"][3] = games["stack"][4]
    games["depth"][3] = 0
    with pytest.raises(ValueError, match=r"^state, games: game 3 of 16 is impossible"):
        Engine.__new__(Engine).__setstate__(replace(engine.__getstate__(), games=games.tobytes()))


@pytest.mark.parametrize("make", [copy.deepcopy, copy.copy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_group_is_copied_with_its_memory_in_one_piece(make: Callable[[EngineGroup], EngineGroup]) -> None:
    group = EngineGroup(SETS, 7, 4)
    for _ in range(30):
        group.step(group.legal_mask().argmax(1), auto_reset=True)
    other = make(group)
    for _ in range(30):
        for one in (group, other):
            one.step(one.legal_mask().argmax(1), auto_reset=True)
        assert other.games.tobytes() == group.games.tobytes() == b"".join(e.games.tobytes() for e in other.engines)
        assert (other.legal_mask() == group.legal_mask()).all() and (other.rewards == group.rewards).all()
    assert not np.shares_memory(other.games, group.games)


GROUP_CHANGES: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda state: None,
    "no engines": lambda state: replace(state, engines=()),
    "something else": lambda state: replace(state, engines=(1, 2)),
    "other shares": lambda state: replace(state, engines=state.engines[::-1]),
    "another variant": lambda state: replace(
        state, engines=(state.engines[0], replace(state.engines[1], ruleset=Ruleset(3)))
    ),
    "games of the other set": lambda state: replace(
        state, engines=(state.engines[0], replace(state.engines[1], games=bytes(len(state.engines[1].games))))
    ),
    "rows": lambda state: replace(state, ended=np.array([99])),
}


@pytest.mark.parametrize("name", GROUP_CHANGES)
def test_an_altered_pickle_of_a_group_is_refused_in_a_sentence(name: str) -> None:
    state = GROUP_CHANGES[name](EngineGroup(SETS, 7, 4).__getstate__())
    with pytest.raises(ValueError, match=r"^state.* (must be|must have|is impossible)|^which holds row 99"):
        EngineGroup.__new__(EngineGroup).__setstate__(state)


# --- masks to keep


@pytest.mark.parametrize("make", [played, lambda: EngineGroup(SETS, 16, 1)], ids=["engine", "group"])
def test_a_copied_mask_stays_as_it_is(make: Callable[[], Engine | EngineGroup]) -> None:
    engine, kept = make(), []
    for _ in range(6):
        mask = engine.legal_mask(copy=True)
        written = engine.legal_mask(out=np.zeros(mask.shape, np.bool_))
        assert mask.flags.writeable and (written == mask).all()
        actions = mask.argmax(1)
        kept.append((mask, written, actions))
        engine.step(actions, auto_reset=True)
    assert all(mask[np.arange(16), actions].all() and (mask == written).all() for mask, written, actions in kept)
    assert len({mask.tobytes() for mask, _, _ in kept}) > 1
    assert np.shares_memory(engine.legal_mask(), engine.legal_mask())


def test_a_copied_mask_is_handed_over_by_dlpack() -> None:
    mask = played().legal_mask(copy=True)
    assert np.shares_memory(np.from_dlpack(mask), mask)


def test_a_mask_is_copied_or_written_to_an_array() -> None:
    with pytest.raises(ValueError, match="copy and out exclude each other"):
        played().legal_mask(copy=True, out=np.zeros((16, 263), np.int8))


def test_a_positions_copies_are_sealed_or_its_own() -> None:
    engine = played()
    position = Position.of(engine)
    with pytest.raises(ValueError, match="WRITEABLE"):
        position.games().flags.writeable = True
    own = position.writeable_games()
    assert own.flags.owndata and not np.shares_memory(own, engine.games)
