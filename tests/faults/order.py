"""Attacks with calls that come in a wrong order, and with arrays that share memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from attacks import Attack, Call
from objects import B, dealt, engine_of, legal, parsed

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, agents, record
from rc_env.bot import Position
from rc_env.envs.aec import raw_env

CASES: list[tuple[str, str, str, Callable[[], Call]]] = []


def case(target: str, what: str, reason: str = "") -> Callable[[Callable[[], Call]], Callable[[], Call]]:
    """Add a case; without a reason the call has to be refused."""

    def note(make: Callable[[], Call]) -> Callable[[], Call]:
        CASES.append((target, what, reason, make))
        return make

    return note


def _call(function: Callable[..., Any], *engines: Engine, wording: tuple[str, ...] = ()) -> Call:
    return Call(function, {}, list(engines), wording=("reset", "expected", *wording))


# --- after the end


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
    return _call(lambda: record.Recorder(print).attach(made), made, wording=("engine has a recorder",))


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
    return _call(lambda: agents.from_text(name).act(where), made, wording=("position is an old one",))


# --- arrays that share memory


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


def attacks() -> Iterator[Attack]:
    """Return all attacks with calls in a wrong order."""
    for target, what, reason, make in CASES:
        yield Attack(target, "wrong order", what, make, lambda call, reason=reason: reason or None)
