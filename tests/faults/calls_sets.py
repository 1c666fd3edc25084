"""Attacks on drawn sets of cards, and on engines of several sets as one batch."""

from __future__ import annotations

import numpy as np
from attacks import Call
from calls_engine import DTYPE
from kinds import Kind, anything, flag, instance, nothing, numbers, rows, seed, strict_flag, target, whole
from recipes import call_of, recipe, simple
from wrong import FEW, TEXTS

from rc_env import Ruleset
from rc_env.card_sets import source
from rc_env.engine_group import EngineGroup
from rc_env.rules.printed import data_file
from rc_env.rules.printed.data_file import DataFile

# --- names

NAMES = (*FEW, *TEXTS)
_IN_A_SENTENCE = anything("a word of the sentence that refuses", ())
_PATH = Kind(NAMES, lambda value, call: "a path, which whoever reads it looks at" if isinstance(value, str) else None)
simple(
    "rc_env.card_sets.source.checked_name",
    source.checked_name,
    {"name": "data", "source": "sample:17"},
    name=_IN_A_SENTENCE,
    source=_PATH,
)
simple(
    "rc_env.card_sets.source.pairs",
    source.pairs,
    {"data": "sample:0-3", "expansion_data": "contractors"},
    data=_PATH,
    expansion_data=_PATH,
)
simple("rc_env.card_sets.source.load_base", source.load_base, {"source": "sample:17"}, source=nothing(NAMES))
simple(
    "rc_env.card_sets.source.load_expansion",
    source.load_expansion,
    {"source": "sample:17"},
    source=nothing(NAMES),
    load=anything("the one of the build that is played", ()),
)
simple("rc_env.card_sets.source.contradicted", source.contradicted, {"file": data_file.load()}, file=instance(DataFile))

# --- engines of several sets

SETS = [Ruleset(2, turn_limit=40, data=name) for name in ("base", "sample:1")]
B = 4
GROUP = "rc_env.engine_group.EngineGroup"
simple(
    GROUP,
    EngineGroup,
    {"rulesets": SETS, "num_games": B, "seed": 3, "threads": 1},
    rulesets=nothing(),
    num_games=whole(2, 10**5),
    seed=seed(),
    threads=whole(0, 10**50),
)


def group() -> EngineGroup:
    """Return an engine group of two sets of cards with two games each, about in the middle."""
    made = EngineGroup(SETS, B, 11)
    for _ in range(30):
        made.step(made.legal_mask().argmax(1), auto_reset=True)
    return made


_SHOWN = (
    "ruleset",
    "engines",
    "num_games",
    "num_players",
    "num_seats",
    "num_actions",
    "num_features",
    "games",
    "rewards",
)
for _name in (*_SHOWN, "illegal", "seat", "terminated", "truncated"):
    recipe(f"{GROUP}.{_name}")(
        lambda name=_name: (lambda made: call_of(lambda: getattr(made, name), *made.engines))(group())
    )


_GROUP_MASK = target(lambda call: (B, group().num_actions), np.dtype(np.int8), np.dtype(np.bool_))


@recipe(f"{GROUP}.legal_mask", copy=strict_flag())
def _() -> Call:
    made = group()
    return call_of(made.legal_mask, *made.engines, copy=True)


@recipe(f"{GROUP}.legal_mask", "into an array", out=_GROUP_MASK.or_none())
def _() -> Call:
    made = group()
    return call_of(made.legal_mask, *made.engines, out=np.zeros((B, made.num_actions), np.int8))


@recipe(f"{GROUP}.rows_of", place=whole(0, 1))
def _() -> Call:
    made = group()
    return call_of(made.rows_of, *made.engines, place=1)


@recipe(f"{GROUP}.parts", which=rows(B, repeats=True))
def _() -> Call:
    made = group()
    return call_of(lambda which: list(made.parts(which)), *made.engines, which=np.arange(B))


for _name in ("results", "position"):

    @recipe(f"{GROUP}.{_name}", which=rows(B, repeats=True))
    def _(name: str = _name) -> Call:
        made = group()
        return call_of(getattr(made, name), *made.engines, which=np.arange(B))


def _rows(call: Call) -> list[tuple[int, ...]]:
    which = call.arguments.get("which")
    return [(B,)] if which is None else [(len(np.atleast_1d(which)),)]


_SEAT = numbers(lambda call: [(), *_rows(call)], 0, 1).or_none()
_FLOATS, _BYTES = np.dtype(np.float32), np.dtype(np.uint8)


@recipe(
    f"{GROUP}.observe",
    which=rows(B, repeats=True),
    seat=_SEAT,
    dtype=DTYPE,
    out=target(lambda call: (B, group().num_features), _FLOATS),
)
def _() -> Call:
    made = group()
    out = np.zeros((B, made.num_features), np.float32)
    arguments = {"which": np.arange(B), "seat": np.array([0, 1, 0, 1]), "dtype": np.float32, "out": out}
    return call_of(made.observe, *made.engines, **arguments)


@recipe(f"{GROUP}.reset", which=rows(B), seed=seed().or_none())
def _() -> Call:
    made = group()
    return call_of(made.reset, *made.engines, which=np.arange(B), seed=5)


@recipe(f"{GROUP}.reset", "each its own", deal_seeds=numbers(lambda call: [(B,)], 0, 2**64 - 1).or_none())
def _() -> Call:
    made = group()
    return call_of(made.reset, *made.engines, which=np.arange(B), deal_seeds=np.arange(B))


@recipe(
    f"{GROUP}.step",
    actions=numbers(_rows),
    which=rows(B),
    auto_reset=flag(),
    observations=target(lambda call: (B, group().num_features), _FLOATS, _BYTES),
)
def _() -> Call:
    made = group()
    out = np.zeros((B, made.num_features), np.uint8)
    actions = made.legal_mask().argmax(1).astype(np.int64)
    return call_of(made.step, *made.engines, actions=actions, which=np.arange(B), auto_reset=True, observations=out)


@recipe(f"{GROUP}.clone", which=rows(B, repeats=True), seat=_SEAT, same_future=flag())
def _() -> Call:
    made = group()
    return call_of(made.clone, *made.engines, which=np.arange(B), seat=None, same_future=True)


@recipe(
    f"{GROUP}.restore",
    states=Kind(
        FEW,
        lambda value, call: (
            "games: they are checked"
            if isinstance(value, np.ndarray) and value.dtype.names and value.shape == (B,)
            else None
        ),
    ),
    which=rows(B),
)
def _() -> Call:
    made = group()
    return call_of(made.restore, *made.engines, states=made.clone(same_future=True), which=np.arange(B))


@recipe(f"{GROUP}.exchange", place=whole(0, 1), ruleset=instance(Ruleset), seed=seed())
def _() -> Call:
    made = group()
    ruleset = Ruleset(2, turn_limit=40, data="sample:2")
    return call_of(made.exchange, place=1, ruleset=ruleset, seed=5)
