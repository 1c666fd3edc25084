"""Tests that an engine is one thread's at a time, and that a signal that interrupts a call does no harm."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.engine_group import EngineGroup
from rc_env.validation import check

GAMES = 600
SECOND = "engine works in another thread at this moment"


class Waiting:
    """A recorder that makes the call that it is told of wait, within the call."""

    def __init__(self) -> None:
        self.inside, self.go_on = threading.Event(), threading.Event()

    def played(self, rows: Any, actions: Any) -> None:
        self.inside.set()
        assert self.go_on.wait(30)

    def dealt(self, rows: Any) -> None: ...

    restored = dealt


def calls(engine: Engine, copies: np.ndarray, folder: Path) -> dict[str, Callable[[], Any]]:
    """Return every public call of an engine."""
    actions, rows = np.zeros(GAMES, int), [0, 1]
    masks, seen = np.zeros((GAMES, engine.num_actions), np.int8), np.zeros((GAMES, engine.num_features), np.uint8)
    return {
        "seat": lambda: engine.seat,
        "terminated": lambda: engine.terminated,
        "truncated": lambda: engine.truncated,
        "legal_mask": engine.legal_mask,
        "legal_bits": engine.legal_bits,
        "observe": engine.observe,
        "returns": engine.returns,
        "results": engine.results,
        "reset": engine.reset,
        "step": lambda: engine.step(actions),
        "step_observe": lambda: engine.step_observe(actions, masks, seen),
        "play_random": lambda: engine.play_random(1),
        "clone": engine.clone,
        "clone, some": lambda: engine.clone(rows, seat=0),
        "conceal": lambda: engine.conceal(copies, 0),
        "restore": lambda: engine.restore(copies),
        "save": lambda: engine.save(folder / "games.npz"),
        "action_to_text": lambda: engine.action_to_text(0),
        "text_to_action": lambda: engine.text_to_action("pass"),
        "point": engine.point,
        "threads": lambda: setattr(engine, "threads", 2),
        "recorder": lambda: setattr(engine, "recorder", None),
        "copy": lambda: copy.copy(engine),
        "deepcopy": lambda: copy.deepcopy(engine),
        "pickle": lambda: pickle.dumps(engine),
    }


def test_every_call_from_a_second_thread_is_refused_at_once_and_changes_nothing(tmp_path: Path) -> None:
    engine = Engine(Ruleset(), GAMES, 1)
    engine.recorder = waiting = Waiting()
    worker = threading.Thread(target=lambda: engine.step(engine.legal_mask().argmax(1)))
    copies = engine.clone()
    worker.start()
    try:
        assert waiting.inside.wait(30)
        before, begin = engine.games.tobytes(), time.monotonic()
        for name, call in calls(engine, copies, tmp_path).items():
            with pytest.raises(RuntimeError, match=SECOND):
                call()
            assert engine.games.tobytes() == before, name
        assert time.monotonic() - begin < 10 and not list(tmp_path.iterdir())
    finally:
        waiting.go_on.set()
        worker.join()
    engine.recorder = None
    engine.step(engine.legal_mask().argmax(1))  # the refused calls left the engine usable, for this thread too


def test_every_public_call_of_engines_and_groups_holds_the_mark() -> None:
    """The calls above are all that there are; those that only read what never changes need no mark."""
    unmarked = {
        "load", "ruleset", "num_games", "num_players", "num_seats", "num_actions", "num_features", "games", "rewards",
        "illegal", "ended", "final", "recorder", "threads", "engines", "rows_of", "parts",
    }  # fmt: skip
    for kind in (Engine, EngineGroup):
        for name, member in vars(kind).items():
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            if callable(function) and not name.startswith("_") and name not in unmarked:
                assert hasattr(function, "__wrapped__"), f"{kind.__name__}.{name}"
    assert all(hasattr(vars(Engine)[name].fset, "__wrapped__") for name in ("recorder", "threads"))
    assert all(hasattr(vars(kind)["__getstate__"], "__wrapped__") for kind in (Engine, EngineGroup))


def test_copies_are_never_torn_while_another_thread_plays() -> None:
    """Of two games with equal chance, which are always stepped alike, every copy shows one position."""
    engine = Engine(Ruleset(), GAMES, 1)
    engine.reset(deal_seeds=np.zeros(GAMES, np.uint64))
    taken: Counter[str] = Counter()
    over = threading.Event()

    def copying() -> None:
        while not over.is_set():
            for name, take in (
                ("clone", lambda: engine.clone(same_future=True)),
                ("pickle", lambda: pickle.loads(pickle.dumps(engine)).games),
            ):
                try:
                    found = take()
                except RuntimeError:
                    taken["refused"] += 1
                    continue
                taken[name] += 1
                taken["torn"] += len({bytes(game) for game in found.view(np.ndarray)[["key", "decisions", "turn"]]}) > 1

    worker = threading.Thread(target=copying)
    worker.start()
    begin = time.monotonic()
    # On a busy machine the threads meet less often.
    while (spent := time.monotonic() - begin) < 2 or (spent < 60 and not (taken["clone"] and taken["refused"])):
        try:
            engine.step(engine.legal_mask().argmax(1), auto_reset=True)
        except RuntimeError:
            taken["refused here"] += 1
    over.set()
    worker.join()
    assert taken["clone"] and taken["refused"] and not taken["torn"], taken


def test_a_recorder_may_use_the_engine_within_a_call() -> None:
    class Reading(Waiting):
        def played(self, rows: Any, actions: Any) -> None:
            seen.append(engine.results(rows).prestige.sum() + engine.clone().size)

    seen: list[int] = []
    engine = Engine(num_games=4)
    engine.recorder = Reading()
    engine.step([0] * 4)
    assert seen


# --- signals


class Late(Exception):
    """What the handler of a time limit raises."""


@contextmanager
def alarms(seconds: float, error: type[BaseException] = Late) -> Iterator[None]:
    """Let a signal raise an exception after so many seconds, and each half second after that.

    Again, since Python drops what is raised while it calls back for the collector or a weak reference.
    """

    def ring(*_: object) -> None:
        raise error

    old = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)


def interrupted(work: Callable[[], Any], seconds: float, error: type[BaseException] = Late) -> bool:
    """Repeat work until a signal interrupts it, or it has gone on for far longer; return whether it did."""
    try:
        with alarms(seconds, error):
            end = time.monotonic() + 10 * seconds + 5
            while time.monotonic() < end:
                work()
    except error:
        return True
    return False


def warm(works: list[Callable[[], Any]]) -> None:
    """Do everything once: what interrupts Numba while it loads a kernel can leave Numba unusable in this process."""
    for work in works:
        work()


unix = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="timers are Unix's")


def assert_whole(engine: Engine) -> None:
    """Assert that every row is a possible position with its own mask, and that any thread can go on with it."""
    check(engine.ruleset, np.array(engine.games))
    again = Engine(engine.ruleset, engine.num_games)
    again.restore(engine.clone(same_future=True))
    assert (again.legal_mask() == engine.legal_mask()).all()
    failed: list[BaseException] = []

    def use() -> None:
        try:
            engine.step(engine.legal_mask().argmax(1), auto_reset=True)
        except BaseException as error:
            failed.append(error)

    worker = threading.Thread(target=use)
    worker.start()
    worker.join()
    assert not failed


@unix
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [Late, KeyboardInterrupt, TimeoutError, ValueError], ids=lambda error: error.__name__)
def test_after_an_interrupt_every_row_is_before_or_after_its_call(error: type[BaseException], threads: int) -> None:
    engine = Engine(Ruleset(turn_limit=30), GAMES, 1, threads=threads)
    start = engine.clone(same_future=True)
    rng, caught = np.random.default_rng(threads), 0
    works: list[Callable[[], Any]] = [
        lambda: engine.step(engine.legal_mask().argmax(1), auto_reset=True),
        lambda: engine.reset(seed=int(rng.integers(99))),
        lambda: engine.reset([1, 2, 3], deal_seeds=[5, 6, 7]),
        lambda: engine.restore(start),
        lambda: engine.play_random(3, masks=True),
        lambda: engine.step(engine.legal_mask().argmax(1), dice=np.ones((GAMES, 3), int), auto_reset=True),
        lambda: (engine.clone(), engine.observe(dtype=np.uint8), engine.results()),
    ]
    warm(works)
    for number in range(70):
        caught += interrupted(works[number % len(works)], 0.001 + rng.random() * 0.004, error)
        assert engine._mark.thread is None
        if number % 7 == 6:
            assert_whole(engine)
    assert caught > 60


@unix
def test_rows_are_before_or_after_an_interrupted_step() -> None:
    """Each row is compared with the row of an engine that is not interrupted, before and after the step."""
    engine, mirror = (Engine(Ruleset(), GAMES, 1, threads=2) for _ in range(2))
    rng, caught = np.random.default_rng(5), 0
    raw = np.dtype((np.void, engine.games.itemsize))
    for _ in range(120):
        actions = engine.legal_mask().argmax(1)
        before = mirror.clone(same_future=True).view(raw)
        mirror.step(actions)
        after = mirror.clone(same_future=True)
        try:
            with alarms(float(rng.random()) * 0.0008 + 1e-5):
                engine.step(actions)
                time.sleep(0.002)
        except Late:
            caught += 1
        now = engine.clone(same_future=True).view(raw)
        assert ((now == before) | (now == after.view(raw))).all()
        engine.restore(after)
        ended = mirror.terminated | mirror.truncated
        engine.reset(ended)
        mirror.restore(engine.clone(same_future=True))
    assert caught > 60


@unix
def test_a_group_goes_on_after_interrupts() -> None:
    group = EngineGroup([Ruleset(), Ruleset(data="sample:1")], 8, 1)
    works: list[Callable[[], Any]] = [
        lambda: group.step(group.legal_mask().argmax(1), auto_reset=True),
        lambda: group.restore(group.clone(same_future=True)),
        lambda: group.exchange(1, Ruleset(data="sample:2"), 5),
        group.reset,
    ]
    warm(works)
    for number in range(24):
        assert interrupted(works[number % 4], 0.002 + number * 1e-4)
        assert group._mark.thread is None
        group.reset()
        for engine in group.engines:
            check(engine.ruleset, np.array(engine.games))


@unix
def test_what_a_signal_raises_is_not_taken_for_a_wrong_value() -> None:
    engine = Engine(num_games=1)
    engine.step([-1])
    found: Counter[str] = Counter()
    for number in range(300):
        try:
            with alarms(0.0005 + number % 97 * 1e-5):
                while True:
                    engine.step([-1])
        except Exception as error:
            found[type(error).__name__] += 1
    assert found == {"Late": 300}


@unix
def test_ctrl_c_reaches_a_call_of_many_threads_once_all_have_stopped() -> None:
    engine = Engine(Ruleset(), 2048, 1, threads=4)
    engine.play_random(40)

    def press(after: float, raised: threading.Event) -> None:
        """Press Ctrl-C, again where Python drops what the handler raises, as it does within a callback of its own."""
        time.sleep(after)
        while not raised.is_set():
            os.kill(os.getpid(), signal.SIGINT)
            raised.wait(0.5)

    for number in range(10):
        raised = threading.Event()
        threading.Thread(target=press, args=(0.01 + number / 500, raised)).start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                engine.play_random(40)
        raised.set()
        before = engine.games.tobytes()
        time.sleep(0.02)
        assert engine.games.tobytes() == before  # nobody plays on behind the caller's back
    assert_whole(engine)
