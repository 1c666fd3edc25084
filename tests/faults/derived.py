"""Attacks that follow from the signatures of the public callables.

Each callable is called as its signature asks, with correct arguments and one wrong one: each of the wrong values of its
kind (`arguments.py`) in turn, and values that Hypothesis makes up. What cannot be derived is in `EXTRA`.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from arguments import NAMED, QUICK, At, kinds_of
from attacks import Attack, Call, Reason
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from kinds import Kind, is_whole
from objects import BASE, FULL, OBJECTS, SOLO, B, engine_of, engines_in, use
from public import KEPT, callables, exempt, resolved
from wrong import ARRAYS, Wrong

from rc_env import OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, make_bot
from rc_env.agents import plan, registry
from rc_env.bot import Position
from rc_env.rules import setup

VARIANTS: dict[str, tuple[Ruleset, ...]] = {
    **dict.fromkeys(("step.cards", "step.specialists", "clone.which", "clone.seat"), (FULL,)),
    **dict.fromkeys(("conceal", "restore", "deal_to_dict", "state_to_dict", "play_random.observations"), (BASE, FULL)),
    "step.ivan_tiles": (SOLO,),
    "solo.compare": (SOLO,),
}
"""Callables and arguments that are attacked in other games than that of the base box for two players."""
BESIDE: dict[str, dict[str, Any]] = {
    "Ruleset.expansion_data": {"contractors": True, "fourth_guild": "random"},
    "registry.register": {"about": "mine", "words": ["mine"]},
}
"""Other arguments that a callable or an argument needs beside it."""
EACH = 10
"""The number of values that Hypothesis makes up for each argument."""


# --- values that Hypothesis makes up

_numbers = st.one_of(st.integers(), st.floats(), st.booleans(), st.complex_numbers())
_dtypes = st.one_of(
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(sizes=(16, 32, 64)),
    hnp.boolean_dtypes(),
    hnp.datetime64_dtypes(),
)
_shapes = st.one_of(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5), st.sampled_from([(B,), (B, 4)]))
SCALAR = st.one_of(
    st.none(),
    _numbers,
    st.text(max_size=5),
    st.binary(max_size=5),
    st.recursive(_numbers, lambda inner: st.lists(inner, max_size=3), max_leaves=8),
)
ARRAY = st.one_of(
    SCALAR,
    hnp.arrays(_dtypes, _shapes),
    st.lists(st.integers(-3, 5), max_size=4),
    hnp.arrays(st.sampled_from([np.int8, np.int64, np.uint64]), st.just((B,))),
)


@cache
def made_up(array: bool) -> list[Any]:
    """Return values that Hypothesis makes up, the same in every process, with arrays or without."""
    found: list[Any] = []

    @settings(
        max_examples=EACH * 20,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(ARRAY if array else SCALAR)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def _hypothesis(kind: Kind, argument: str) -> Iterator[Wrong]:
    """Yield wrong values that Hypothesis makes up for an argument, which follow from its full name alone."""
    array, at = kind.values[-1] in ARRAYS, zlib.crc32(argument.encode())

    def value(number: int) -> Any:
        found = made_up(array)[number % len(made_up(array))]
        return found % (int(kind.most) + 1) if is_whole(found) and found > kind.most else found

    for number in range(EACH):
        yield "Hypothesis", f"made up {number}", lambda good, n=at * EACH + number: value(n)


# --- calls


def _short(target: str) -> list[str]:
    """Return the names under which the tables know a callable: `rc_env.a.B.c`, `a.B.c`, `B.c` and `c`."""
    parts = target.split(".")
    return [".".join(parts[at:]) for at in range(len(parts))]


def _entry(table: Mapping[str, Any], target: str, name: str, default: Any) -> Any:
    keys = [f"{one}.{name}" for one in _short(target)] + _short(target)
    return next((table[key] for key in keys if key in table), default)


class Callee:
    """A public callable, with what its arguments may be."""

    def __init__(self, target: str, function: Any, owner: type | None = None) -> None:
        self.target, self.function, self.owner = target, function, owner
        self.last = target.rpartition(".")[2]
        if isinstance(function, property):
            self.kinds: dict[str, Kind | None] = {self.last: NAMED[self.last]} if function.fset else {}
            self.optional: set[str] = set(self.kinds)
        else:
            self.kinds = kinds_of(target, function)
            signature = inspect.signature(function).parameters
            self.optional = {name for name in self.kinds if signature[name].default is not inspect.Parameter.empty}

    def call(self, rules: Ruleset, attacked: str = "") -> Call:
        """Return a correct call, with the argument that is to be attacked."""
        static = self.owner and inspect.getattr_static(self.owner, self.last)
        whose = OBJECTS[self.owner](rules) if self.owner and not isinstance(static, classmethod) else None
        at = At(rules, whose)
        arguments = {
            name: kind.good(at)
            for name, kind in self.kinds.items()
            if kind and kind.good and (name not in self.optional or name in QUICK or name == attacked)
        } | _entry(BESIDE, self.target, attacked, {})
        if isinstance(self.function, property):
            function = self._property(whose, attacked)
        else:
            function = (
                getattr(whose or self.owner, self.last) if self.owner else FUNCTIONS.get(self.target, self.function)
            )
        wording = (attacked, *_entry(WORDING, self.target, attacked, ()))
        engines = engines_in(whose, *arguments.values()) if self.last != "exchange" else []
        return Call(function, arguments, engines, use, wording, whose)

    def _property(self, whose: Any, attacked: str) -> Callable[..., Any]:
        if attacked:
            return lambda **given: setattr(whose, attacked, given[attacked])
        return lambda: getattr(whose, self.last)

    def attacks(self) -> Iterator[Attack]:
        """Yield the correct calls, and an attack for each wrong value of each argument."""
        called = _entry(VARIANTS, self.target, "", (BASE,))
        for rules in called:
            yield control(self.target, lambda r=rules: self.call(r), "", _words(rules))
        for name, kind in self.kinds.items():
            if kind is None or not kind.values:
                continue
            for rules in _entry(VARIANTS, self.target, name, (BASE,)):
                make, words = lambda r=rules, n=name: self.call(r, n), _words(rules)
                if rules not in called or (name in self.optional and name not in QUICK):
                    yield control(self.target, make, name, words)
                for wrong in (*kind.values, *_hypothesis(kind, f"{self.target}.{name}")):
                    yield attack_on(self.target, make, name, kind, wrong, words)


def control(target: str, make: Callable[[], Call], name: str, words: str = "") -> Attack:
    """Return a call with nothing wrong, which gives the argument of this name."""
    what = f"{name} is as it should be{words}" if name else f"as it is{words}"
    return Attack(target, "nothing wrong", what, make, lambda call: "nothing is wrong", control=True)


def _words(rules: Ruleset) -> str:
    return " (full)" if rules.full else " (solo)" if rules.solo else ""


def attack_on(target: str, make: Callable[[], Call], name: str, kind: Kind, wrong: Wrong, words: str = "") -> Attack:
    """Return an attack on one argument of a correct call."""
    group, label, change = wrong

    def changed() -> Call:
        call = make()
        good = call.arguments.get(name)
        try:
            call.arguments[name] = change(good)
        except (TypeError, ValueError, IndexError, OverflowError):
            # The change does not apply to this argument, but it does to an array.
            call.arguments[name] = change(np.arange(3))
        return call

    def reason(call: Call) -> Reason:
        return kind.reason(call.arguments[name], call)

    return Attack(target, group, f"{name} is {label}{words}", changed, reason)


# --- what cannot be derived


def _registered(**arguments: Any) -> None:
    """Call `register`, then forget what was registered, so that attacks do not affect one another."""
    tables = registry._FACTORIES, registry._ABOUT, registry._WORDS
    before = [dict(table) for table in tables]
    try:
        registry.register(**arguments)
        registry.names()
    finally:
        for kept, now in zip(before, tables, strict=True):
            now.clear()
            now.update(kept)


FUNCTIONS: dict[str, Callable[..., Any]] = {"rc_env.agents.registry.register": _registered}
"""What is called in place of some callables."""
WORDING = {"registry.make.name": ("bot",), "registry.about": ("bot",)}
"""Words of refusals that do not name the argument."""


def _option(kind: type, name: str, good: Any) -> Callable[[], Call]:
    def make() -> Call:
        made = OBJECTS[kind](BASE)
        return Call(
            lambda **option: made.reset(options=option), {name: good()}, [made.engine], wording=(name, "options")
        )

    return make


def _masked(bot: str) -> Callable[[], Call]:
    """Return a call of a bot with a mask in place of the position's own, as a caller may narrow it."""

    def make() -> Call:
        engine = engine_of()
        position = Position.of(engine)

        def act(mask: Any) -> None:
            position.mask = mask
            make_bot(bot).act(position)

        return Call(act, {"mask": position.mask.copy()}, [engine])

    return make


BOTS = ("random", "greedy", "net", "search:simulations=2", "search:net=shipped,simulations=2")


def _extra() -> Iterator[tuple[str, str, str, Callable[[], Call]]]:
    """Yield calls that no signature tells of: target, kind of the argument that is attacked, words, and the call."""

    def weight() -> Call:
        return Call(lambda ruble: plan.checked("plan", {"ruble": ruble}), {"ruble": 1.0})

    yield "rc_env.agents.plan.checked", "ruble", "a weight", weight
    for kind in (OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv):
        target = f"{kind.__module__}.{kind.__name__}.reset"
        yield target, "deals", "an option", _option(kind, "deal", setup.open_deal)
        if kind is not OneSeatEnv:
            yield target, "reset_mask", "an option", _option(kind, "reset_mask", lambda: np.ones(B, bool))
    for bot in BOTS:
        yield "rc_env.bot.Position", "mask", bot, _masked(bot)


# --- all of them


@cache
def callees() -> tuple[Callee, ...]:
    """Return all public callables that are attacked."""
    found = []
    for target, function in callables():
        if exempt(target) is None and target not in KEPT:
            above = resolved(target.rpartition(".")[0])
            found.append(Callee(target, function, above if inspect.isclass(above) else None))
    return tuple(found)


def attacks() -> Iterator[Attack]:
    """Yield the attacks on all public callables."""
    for one in callees():
        yield from one.attacks()
    for target, name, words, make in _extra():
        argument = next(iter(make().arguments))
        yield control(target, make, argument, f" ({words})")
        for wrong in (*NAMED[name].values, *_hypothesis(NAMED[name], f"{target}.{argument} {words}")):
            yield attack_on(target, make, argument, NAMED[name], wrong, f" ({words})")
