"""Attacks with calls that come in a wrong order, at the same time, or from a wrong thread or process."""

from __future__ import annotations

import copy
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attacks import Attack, Call
from objects import BASE, B, dealt, engine_of, legal, parsed

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, agents, record
from rc_env.arena.match import play_match
from rc_env.bot import Position
from rc_env.envs.aec import env, raw_env

Made = tuple[Callable[..., Any], list[Engine]]
CASES: list[tuple[str, str, str, Callable[[], Call]]] = []


def case(target: str, what: str, reason: str = "") -> Callable[[Callable[[], Call]], Callable[[], Call]]:
    """Add a case; without a reason the call has to be refused."""

    def note(make: Callable[[], Call]) -> Callable[[], Call]:
        CASES.append((target, what, reason, make))
        return make

    return note


def _call(function: Callable[..., Any], *engines: Engine, wording: tuple[str, ...] = ()) -> Call:
    return Call(function, {}, list(engines), wording=("reset", "expected", *wording))


# --- before the first reset, and after the end

_SHOWN = "it shows the game that a new engine has dealt"


def _aec(kind: Callable[..., Any], use: Callable[[Any], Any]) -> Call:
    made = kind(render_mode="ansi")
    return _call(lambda: use(made), made.unwrapped.engine)


for _name, _use, _fine in (
    ("step", lambda made: made.step(0), ""),
    ("last", lambda made: made.last(), ""),
    ("observe", lambda made: made.observe("player_0"), _SHOWN),
    ("state", lambda made: made.state(), _SHOWN),
    ("get_state", lambda made: made.get_state(), _SHOWN),
    ("render", lambda made: made.render(), _SHOWN),
    ("agent_iter", lambda made: next(iter(made.agent_iter())), ""),
    ("close", lambda made: made.close(), "there is nothing to close"),
):
    case("rc_env.envs.aec.raw_env", f"{_name} before reset", _fine)(lambda use=_use: _aec(raw_env, use))
    case("rc_env.envs.aec.env", f"{_name} before reset", _fine)(lambda use=_use: _aec(env, use))


def _first(made: Any) -> Any:
    """Return the first legal action in the form that the environment takes."""
    return int(legal(made.engine)[0]) if isinstance(made, OneSeatEnv) else legal(made.engine)


def _of(made: Any, use: Callable[[Any], Any]) -> Call:
    return _call(lambda: use(made), made.engine)


def _closed(kind: Callable[[], Any]) -> Call:
    made = dealt(kind)
    made.close()
    return _of(made, lambda made: made.step(_first(made)))


for _kind, _words in (
    (OneSeatEnv, "envs.gym.OneSeatEnv"),
    (OneSeatVectorEnv, "envs.gym.OneSeatVectorEnv"),
    (RedCathedralVectorEnv, "envs.vector.RedCathedralVectorEnv"),
):
    case(f"rc_env.{_words}.step", "before reset")(lambda kind=_kind: _of(kind(), lambda made: made.step(_first(made))))
    case(f"rc_env.{_words}.render", "before reset", "it shows the game that a new engine has dealt")(
        lambda kind=_kind: _of(kind(render_mode="ansi"), lambda made: made.render())
    )
    case(f"rc_env.{_words}.step", "after close", "there is nothing to close")(lambda kind=_kind: _closed(kind))


def _ended() -> raw_env:
    made = raw_env(turn_limit=8)
    made.reset(seed=1)
    while made.agents and not (made.terminations[made.agent_selection] or made.truncations[made.agent_selection]):
        made.step(int(made._legal.argmax()))
    return made


@case("rc_env.envs.aec.raw_env.step", "an action for an agent whose game is over")
def _() -> Call:
    made = _ended()
    return _call(lambda: made.step(0), made.engine, wording=("None",))


@case("rc_env.envs.aec.raw_env.step", "after the last agent is gone")
def _() -> Call:
    made = _ended()
    while made.agents:
        made.step(None)
    return _call(lambda: made.step(None), made.engine)


@case("rc_env.envs.gym.OneSeatEnv.step", "after the end", "the action is refused in `info`, and the game stays over")
def _() -> Call:
    made = dealt(OneSeatEnv, turn_limit=6)
    while not (made.engine.terminated[0] or made.engine.truncated[0]):
        made.step(int(made.action_masks().argmax()))
    return _call(lambda: made.step(0), made.engine)


# --- recorders


@case("rc_env.record.recorder.Recorder.attach", "a second recorder")
def _() -> Call:
    made = engine_of()
    record.Recorder(print).attach(made)
    return _call(lambda: record.Recorder(print).attach(made), made)


@case("rc_env.engine.Engine.play_random", "with a recorder")
def _() -> Call:
    made = engine_of()
    record.Recorder(print).attach(made)
    return _call(lambda: made.play_random(5), made)


@case("rc_env.record.recorder.Recorder.detach", "twice", "nothing is left to detach")
def _() -> Call:
    made, recorder = engine_of(), record.Recorder(print)
    recorder.attach(made)
    recorder.detach()
    return _call(recorder.detach, made)


@case("rc_env.record.recorder.Recorder", "a sink that raises", "the sink's own exception comes out")
def _() -> Call:
    class Full(Exception):
        pass

    def sink(number: int, words: str) -> None:
        raise Full

    made = Engine(Ruleset(2, turn_limit=4), 1, 3)
    record.Recorder(sink).attach(made)

    def play() -> None:
        try:
            while not len(made.ended):
                made.step(legal(made))
        except Full:
            return
        raise AssertionError("the exception that the sink raised is lost")

    return _call(play, made)


@case("rc_env.record.replaying.replay", "into an engine of another ruleset")
def _() -> Call:
    made = Engine(Ruleset(3), 1)
    return _call(lambda: record.replay(parsed(), made), made)


# --- bots


@case("rc_env.bot.Position.of", "a game that is over")
def _() -> Call:
    made = Engine(Ruleset(2, turn_limit=4), 1, 3)
    while not made.truncated[0]:
        made.step(legal(made))
    return _call(lambda: Position.of(made), made)


for _name in ("random", "greedy", "net", "search:simulations=2"):
    case("rc_env.agents", f"{_name} is asked about no games", "no games have no actions")(
        lambda name=_name: (lambda made: _call(lambda: agents.from_text(name).act(Position.of(made, [])), made))(
            engine_of()
        )
    )
    case("rc_env.agents", f"{_name} is asked about a position of long ago", "it says what it would have done")(
        lambda name=_name: _stale(name)
    )


def _stale(name: str) -> Call:
    made = engine_of()
    where = Position.of(made)
    made.play_random(30)
    return _call(lambda: agents.from_text(name).act(where), made)


@case("rc_env.agents.net.NetBot.act", "a network for another number of players")
def _() -> Call:
    made = engine_of(Ruleset(3))
    from rc_env.agents import net

    bot = net.NetBot(net.shipped(BASE))
    return _call(lambda: bot.act(Position.of(made)), made)


class _Odd:
    """A bot that answers with whatever it was created with."""

    name = "odd"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def reset(self, seed: int) -> None:
        pass

    def act(self, position: Position) -> Any:
        return self.answer


for _words, _answer in {
    "None": None,
    "a text": "text",
    "a fraction": np.array([0.5]),
    "too many actions": np.zeros(999, np.int64),
    "no actions": np.zeros(0, np.int64),
    "an action out of range": np.array([10**6]),
    "a negative action": np.array([-1]),
    "an array that is not one": object(),
    "a huge number": np.array([2**64 - 1], np.uint64),
    "a nested list": [[0]],
}.items():
    case("rc_env.arena.match.play_match", f"a bot answers {_words}")(
        lambda answer=_answer: _call(
            lambda: play_match([_Odd(answer)] * 2, 1, Ruleset(2, turn_limit=4)), wording=("bot", "odd")
        )
    )
    case("rc_env.envs.gym.OneSeatEnv", f"an opponent answers {_words}")(
        lambda answer=_answer: _call(
            lambda: _play_out(OneSeatEnv(opponents=_Odd(answer), turn_limit=4)), wording=("odd", "opponents")
        )
    )


def _play_out(made: OneSeatEnv) -> None:
    made.reset(seed=1)
    for _ in range(20):
        made.step(int(made.action_masks().argmax()))


class _Nameless:
    def reset(self, seed: int) -> None:
        pass

    def act(self, position: Position) -> Any:
        return position.mask.argmax(1)


@case("rc_env.arena.match.play_match", "a bot without a name")
def _() -> Call:
    return _call(lambda: play_match([_Nameless()] * 2, 1, Ruleset(2, turn_limit=4)), wording=("name",))


# --- threads, processes, copies


@case("rc_env.engine.Engine.step", "from two threads at once", "one thread at a time, or a RuntimeError that says so")
def _() -> Call:
    made = Engine(BASE, 2000, 1, threads=2)
    unexpected: list[str] = []

    def play() -> None:
        for _ in range(40):
            try:
                made.step(made.legal_mask().argmax(1), auto_reset=True)
                made.observe()
            except RuntimeError as error:
                if "thread" not in str(error):
                    unexpected.append(repr(error))
            except Exception as error:
                unexpected.append(repr(error))

    def both() -> None:
        threads = [threading.Thread(target=play) for _ in range(3)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert not unexpected, unexpected[0]

    return _call(both)


@case("rc_env.engine.Engine", "in a forked process", "the child makes threads of its own")
def _() -> Call:
    made = Engine(BASE, 2000, 1, threads=2)
    made.play_random(2)

    def fork() -> None:
        child = os.fork()
        if not child:
            code = 1
            try:
                made.play_random(5)
                code = 0
            finally:
                os._exit(code)
        until = time.monotonic() + 10
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                assert os.waitstatus_to_exitcode(status) == 0, "the child failed"
                return
            time.sleep(0.05)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise AssertionError("the child hangs")

    return _call(fork)


@case(
    "rc_env.engine.Engine.step",
    "arrays that share memory with the engine",
    "what is handed in is read before it is written",
)
def _() -> Call:
    made = engine_of()
    made.rewards[:] = 0
    return _call(lambda: made.step(made.legal_mask().argmax(1), which=made.illegal | True), made)


@case("rc_env.engine.Engine.restore", "its own games", "they stay as they are")
def _() -> Call:
    made = engine_of()
    return _call(lambda: made.restore(made.games.view(np.ndarray)), made)


@case("rc_env.engine.Engine.clone", "into its own games")
def _() -> Call:
    made = engine_of()
    return _call(lambda: made.clone(out=made.games.view(np.ndarray)), made)


@case("rc_env.engine.Engine.observe", "into its own games")
def _() -> Call:
    made = engine_of()
    return _call(lambda: made.observe(dtype=np.uint8, out=made.games.view(np.uint8)), made)


@case("rc_env.engine.Engine.restore", "games of a row of zeros", "it holds: the games are played to their end")
def _() -> Call:
    made = engine_of()
    return _call(lambda: made.restore(np.zeros(B, made._game)), made, wording=("states",))


for _kind in (OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv):
    case(
        f"rc_env.{'envs.vector' if _kind is RedCathedralVectorEnv else 'envs.gym'}.{_kind.__name__}",
        "a copy in the middle of a game",
        "copies go on",
    )(lambda kind=_kind: _call(lambda: copy.deepcopy(dealt(kind)).reset(seed=1)))


def attacks() -> Iterator[Attack]:
    """Return all attacks with calls in a wrong order."""
    for target, what, reason, make in CASES:
        yield Attack(target, "wrong order", what, make, lambda call, reason=reason: reason or None)
