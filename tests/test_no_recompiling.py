"""Tests that no public call starts a compilation by the type of an argument: a new signature would take a minute.

Everything is called once as usual, with both dtypes of observations. From then on each kernel refuses to compile, while
every public function that leads to a kernel is called with numbers of every width, lists, and arrays that are strided,
read-only, big-endian, unaligned or of a class of their own. A function may refuse such an argument; it may not compile.
"""

from __future__ import annotations

import gc
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, jit
from rc_env.agents import make
from rc_env.arena.match import play_match
from rc_env.bot import Position
from rc_env.envs.aec import raw_env
from rc_env.record import Recorder, parse, replay

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(jit.settings.DISABLE_JIT), reason="nothing is compiled with NUMBA_DISABLE_JIT"),
]

GAMES = 3
WIDTHS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")


class Own(np.ndarray):
    """A subclass of NumPy's arrays, as a caller may have."""


def odd(array: np.ndarray) -> dict[str, np.ndarray]:
    """Return the array in forms for which Numba would compile anew."""
    spread = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    spread[::2] = array
    shifted = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    shifted[:] = array
    fixed = array.copy()
    fixed.flags.writeable = False
    forms = {"strided": spread[::2], "unaligned": shifted, "read-only": fixed, "own class": array.copy().view(Own)}
    if array.ndim > 1:
        forms["Fortran"] = np.asfortranarray(array)
    if array.dtype.names is None:
        forms["big-endian"] = array.astype(array.dtype.newbyteorder(">"))
    return forms


def whole(values: Any) -> dict[str, Any]:
    """Return whole numbers in every width and form, and values that are no whole numbers."""
    given = np.array(values, np.int64)
    wide = {width: given.astype(width) for width in WIDTHS}
    return {
        "list": given.tolist(), "tuple": tuple(given.tolist()), **wide, **odd(given), **odd(given.astype("u2")),
        "floats": given.astype("f4"), "bools": given.astype(bool), "objects": given.astype(object),
    }  # fmt: skip


def single(value: int) -> dict[str, Any]:
    """Return one whole number in every width, and values that are no whole numbers."""
    widths = {width: np.dtype(width).type(value) for width in WIDTHS}
    return {
        "int": value,
        **widths,
        "0-d": np.array(value),
        "float": value + 0.5,
        "bool": True,
        "float32": np.float32(2),
    }


def targets(engine: Engine) -> dict[str, np.ndarray]:
    """Return arrays to write observations to."""
    shape = (engine.num_games, engine.num_features)
    return {
        f"{kind} {name}": array
        for kind in ("float32", "uint8", "float64", "int8")
        for name, array in {"plain": np.zeros(shape, kind), **odd(np.zeros(shape, kind))}.items()
    }


def mask_targets(engine: Engine) -> dict[str, np.ndarray]:
    """Return arrays to write masks to, an entry or a bit for each action."""
    widths = {"int8": engine.num_actions, "bool": engine.num_actions, "uint8": -(-engine.num_actions // 8)}
    return {
        f"{kind} {name}": array
        for kind, width in widths.items()
        for name, array in {
            "plain": np.zeros((engine.num_games, width), kind),
            **odd(np.zeros((GAMES, width), kind)),
        }.items()
    }


# --- the public functions, each with the forms of one argument


ENGINE, SOLO = Engine(Ruleset(), GAMES, 1), Engine(Ruleset(1), GAMES, 1)
MASKS = {"list": [True, False, True], **odd(np.array([True, False, True]))}
STATES = ENGINE.clone(same_future=True)
LEGAL = ENGINE.legal_mask().argmax(1)

Case = tuple[str, Callable[[Any], Any], dict[str, Any]]


def engine_cases() -> Iterator[Case]:
    e = ENGINE
    rows, seats = whole([2, 0, 1]), whole([0, 1, 0])
    yield "step(actions)", lambda v: e.step(v), whole(LEGAL)
    yield "step(which)", lambda v: e.step(LEGAL, v), rows
    yield "step(dice)", lambda v: e.step(LEGAL, dice=v), whole([[3, 1], [2, 2], [1, 0]])
    yield "step(ivan_tiles)", lambda v: SOLO.step(LEGAL, ivan_tiles=v), whole([[0, 1, 2, 3, 4]] * GAMES)
    yield "step(cards)", lambda v: e.step(LEGAL, cards=v), whole([[0, 1]] * GAMES)
    yield "step(specialists)", lambda v: e.step(LEGAL, specialists=v), whole([[0, 1]] * GAMES)
    yield "step(auto_reset)", lambda v: e.step(LEGAL, auto_reset=v), single(1)
    yield "step(observations)", lambda v: e.step(LEGAL, observations=v), targets(e)
    masks, seen = np.zeros((GAMES, e.num_actions), np.int8), np.zeros((GAMES, e.num_features), np.float32)
    yield "step_observe(actions)", lambda v: e.step_observe(v, masks, seen), whole(LEGAL)
    yield "step_observe(masks)", lambda v: e.step_observe(LEGAL, v, seen), mask_targets(e)
    yield "step_observe(observations)", lambda v: e.step_observe(LEGAL, masks, v), targets(e)
    yield "step_observe(which)", lambda v: e.step_observe(LEGAL, masks, seen, v), rows
    yield "observe(which)", lambda v: e.observe(v), rows | MASKS
    yield "observe(seat)", lambda v: e.observe(seat=v), seats | single(1)
    yield "observe(dtype)", lambda v: e.observe(dtype=v), {str(v): v for v in ("f4", "u1", ">f4", "f8", "i1", float)}
    yield "observe(out)", lambda v: e.observe(dtype=v.dtype, out=v), targets(e)
    yield "returns()", lambda v: e.returns(), {"": None}
    yield "results(which)", lambda v: e.results(v), rows | MASKS
    yield "reset(which)", lambda v: e.reset(v), rows | MASKS
    yield "reset(seed)", lambda v: e.reset(seed=v), single(3)
    yield "reset(deal_seeds)", lambda v: e.reset(deal_seeds=v), whole([3, 5, 7])
    deals = np.concatenate([e.ruleset.build.setup.open_deal()] * GAMES)
    yield "reset(deals)", lambda v: e.reset(deals=v), {"plain": deals, "one": deals[0], **odd(deals)}
    yield "play_random(decisions)", lambda v: e.play_random(v), single(2)
    yield "play_random(seed)", lambda v: e.play_random(1, v), single(3)
    yield "play_random(masks)", lambda v: e.play_random(1, masks=v), single(1)
    yield "play_random(observations)", lambda v: e.play_random(1, observations=v), targets(e)
    yield "clone(which)", lambda v: e.clone(v), rows | MASKS
    yield "clone(seat)", lambda v: e.clone(seat=v), seats | single(1)
    yield "clone(out)", lambda v: e.clone(out=v), {"plain": STATES.copy(), **odd(STATES)}
    yield "conceal(games)", lambda v: e.conceal(v, 0), {"plain": STATES, "records": e.games, **odd(STATES)}
    yield "conceal(seat)", lambda v: e.conceal(STATES, v), seats | single(1)
    yield "restore(states)", lambda v: e.restore(v), {"plain": STATES, "records": e.games.copy(), **odd(STATES)}
    yield "restore(which)", lambda v: e.restore(STATES, v), rows
    yield "save(which)", lambda v: saved_and_loaded(e, v), rows | MASKS
    yield "legal_mask()", lambda v: e.legal_mask(), {"": None}
    yield "legal_bits(which)", lambda v: e.legal_bits(v), rows | MASKS
    yield "legal_bits(out)", lambda v: e.legal_bits(out=v), mask_targets(e)
    yield "point(row)", lambda v: e.point(v), single(1)
    yield "action_to_text(action)", lambda v: e.action_to_text(v), single(3)
    yield "text_to_action(text)", lambda v: e.text_to_action(e.action_to_text(3), v), single(1)


def saved_and_loaded(engine: Engine, rows: Any) -> Engine:
    """Save some rows to a file and return a new engine with their games."""
    with tempfile.TemporaryDirectory() as folder:
        engine.save(Path(folder) / "games.npz", rows)
        return Engine.load(Path(folder) / "games.npz")


def environment_cases() -> Iterator[Case]:
    one, many, games, seats = OneSeatEnv(), OneSeatVectorEnv(GAMES), RedCathedralVectorEnv(GAMES), raw_env()
    for env in (one, many, games, seats):
        env.reset(seed=1)
        name = type(env).__name__
        yield f"{name}.reset(seed)", lambda v, env=env: env.reset(seed=v), single(3)
        deal = env.unwrapped.engine.ruleset.build.setup.open_deal()
        forms = {"plain": deal, **odd(deal)}
        yield f"{name}.reset(deal)", lambda v, env=env: env.reset(options={"deal": v}), forms
    yield "OneSeatEnv.step", one.step, single(3)
    yield "raw_env.step", seats.step, single(3)
    for env in (many, games):
        name = type(env).__name__
        yield f"{name}.step", env.step, whole(env.engine.legal_mask().argmax(1))
        yield f"{name}.reset(reset_mask)", lambda v, env=env: env.reset(options={"reset_mask": v}), MASKS
    yield "num_envs", lambda v: RedCathedralVectorEnv(v).reset(), single(2)
    yield "num_games", lambda v: Engine(num_games=v), single(2)
    yield "seed", lambda v: Engine(seed=v), single(2)
    yield "players", lambda v: Engine(Ruleset(v)), single(2)
    yield "turn_limit", lambda v: Engine(Ruleset(turn_limit=v)).play_random(3), single(9)


class Handed:
    """A bot that passes the same games to another bot, with a mask in another form."""

    name = "handed"

    def __init__(self, bot: Any, form: str) -> None:
        self.bot, self.form = bot, form

    def act(self, engine: Engine) -> np.ndarray:
        """Return the actions of the other bot."""
        position = Position.of(engine)
        position.mask = {"plain": position.mask, **odd(position.mask)}[self.form]
        return self.bot.act(position)


def bot_cases() -> Iterator[Case]:
    engine = Engine(Ruleset(), GAMES, 1)
    forms = {form: form for form in ("plain", *odd(engine.legal_mask()))}
    bots = {
        "random": make("random"), "greedy": make("greedy"), "net": make("net"), "drawing net": make("net", sample=True),
        "search": make("search", simulations=2),
        "search with net": make("search", simulations=4, net="shipped", sure=1),
        "search in a tree": make("search", simulations=2, net="shipped", leaf="turn"),
    }  # fmt: skip
    for name, bot in bots.items():
        yield f"{name}.act", lambda form, bot=bot: Handed(bot, form).act(engine), forms
        yield f"{name}.act, rows", lambda v, bot=bot: bot.act(Position.of(engine, v)), whole([2, 0, 1])
        yield f"{name}.reset", bot.reset, single(3)
    for setting in ("simulations", "depth", "exploration", "temperature", "seed"):

        def searched(value: Any, setting: str = setting) -> Any:
            return make("search", **{"simulations": 2} | {setting: value}).act(Position.of(engine))

        yield f"search({setting})", searched, single(2)
    numbers = engine.observe(dtype=np.uint8)
    network = make("net")
    network.act(Position.of(engine))
    for call in (network.net.logits, network.net.value, network.net.evaluate, network.net.inputs):
        forms = {"plain": numbers, "signed": numbers.astype("i8"), "cut": numbers[:, 1:], **odd(numbers)}
        yield f"net {call}", call, forms
    yield "play_match(deals)", lambda v: play_match(["random"] * 2, v, Ruleset(turn_limit=3)), single(1)
    yield "play_match(seed)", lambda v: play_match(["random"] * 2, 1, Ruleset(turn_limit=3), seed=v), single(1)
    some = whole([1, 0])
    yield "play_match(rubles)", lambda v: play_match(["random"] * 2, 1, Ruleset(turn_limit=3), rubles=v), some


def record_cases() -> Iterator[Case]:
    text = recorded(Recorder)
    record = parse(text)
    yield "replay(upto)", lambda v: replay(record, upto=v), single(2)
    yield "replay(row)", lambda v: replay(record, Engine(record.ruleset, 3), 2, row=v), single(1)
    yield "Recorder(rows)", lambda v: recorded(Recorder, rows=v), whole([0, 1])
    yield "Recorder(seat)", lambda v: recorded(Recorder, seat=v, legal=True, state=True), single(1)


def recorded(make_recorder: Callable[..., Recorder], **settings: Any) -> str:
    """Return the text of the first game that ends in an engine."""
    texts: list[str] = []
    engine = Engine(Ruleset(turn_limit=4), 2, 1)
    make_recorder(lambda number, text: texts.append(text), **settings).attach(engine)
    while not texts:
        engine.step(engine.legal_mask().argmax(1), auto_reset=True)
    return texts[0]


def kernels() -> list[Any]:
    """Return every compiled function of the package that has been imported."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("rc_env") and module is not None:
            for one in vars(module).values():
                if hasattr(one, "signatures") and hasattr(one, "py_func"):
                    found[id(one)] = one
    return list(found.values())


def looking(direct: jit.Direct, kernel: Any) -> None:
    """Make a `Direct` that looks at the types of its arguments in every call."""
    direct.kernel = direct.call = kernel


class Compiled(BaseException):
    """Raised when a kernel is called with types that it is not compiled for; no `except Exception` catches it."""


def warm_up() -> None:
    """Call every kernel that the cases reach as usual, with both dtypes of observations."""
    for engine in (ENGINE, SOLO):
        for dtype in (np.float32, np.uint8):
            out = np.zeros((GAMES, engine.num_features), dtype)
            engine.observe(out=out, dtype=dtype)
            engine.step(engine.legal_mask().argmax(1), observations=out)
            engine.play_random(1, masks=True, observations=out)
        engine.step(engine.legal_mask().argmax(1), dice=[[1]] * GAMES)
        engine.play_random(1)
        engine.results()
        engine.returns()
    SOLO.step(SOLO.legal_mask().argmax(1), ivan_tiles=[[-1] * 5] * GAMES)
    for engine in (ENGINE, SOLO):
        engine.reset(deal_seeds=[1, 2, 3])
        engine.conceal(engine.clone(), 0)
        engine.restore(engine.clone())
        for name in ("random", "greedy"):
            make(name).act(Position.of(engine))
    make("search", simulations=2).act(Position.of(ENGINE))
    make("search", simulations=4, net="shipped", sure=1).act(Position.of(ENGINE))
    make("search", simulations=2, net="shipped", leaf="turn").act(Position.of(ENGINE))
    make("net").act(Position.of(ENGINE))
    recorded(Recorder, legal=True, state=True)


@pytest.fixture(scope="module")
def warm() -> dict[int, int]:
    """Return how many signatures each kernel has once everything has been called as usual."""
    warm_up()
    return {id(kernel): len(kernel.signatures) for kernel in kernels()}


@pytest.mark.parametrize("cases", [engine_cases, environment_cases, bot_cases, record_cases])
def test_nothing_is_compiled_for_the_type_of_an_argument(
    cases: Callable[[], Iterator[Case]], warm: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for direct in (one for one in gc.get_objects() if isinstance(one, jit.Direct)):
        monkeypatch.setattr(direct, "call", direct.kernel)  # which looks at the types of every call
    monkeypatch.setattr(jit.Direct, "__init__", looking)
    for kernel in kernels():

        def refuse(types: Any, kernel: Any = kernel) -> None:
            raise Compiled(f"{kernel.py_func.__name__} for {types}")

        monkeypatch.setattr(kernel, "compile", refuse)
    compiled, taken = [], 0
    for name, call, forms in cases():
        for form, value in forms.items():
            ENGINE.restore(STATES)
            try:
                call(value)
                taken += 1
            except Compiled as one:
                compiled.append(f"{name}, {form}: {one}"[:300])
            except Exception:
                pass  # it is refused; other tests check the message
    assert not compiled, "\n".join(compiled)
    assert taken > 20
    assert all(len(kernel.signatures) == warm[id(kernel)] for kernel in kernels() if id(kernel) in warm)


def test_every_method_of_an_engine_is_tried() -> None:
    tried = {name.partition("(")[0] for name, _, _ in engine_cases()}
    methods = {name for name, value in vars(Engine).items() if callable(value) and not name.startswith("_")}
    assert methods <= tried, "these methods need a line in engine_cases"
