"""Attacks on the engine, the rulesets and the schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from attacks import Call
from judge import plays_on
from kinds import (
    Kind,
    anything,
    array,
    file_to_write,
    flag,
    instance,
    is_whole,
    nothing,
    numbers,
    only,
    rows,
    seed,
    source,
    strict_flag,
    target,
    whole,
    word,
)
from recipes import call_of, recipe, simple
from wrong import ARRAYS, FEW, SCALARS, TEXTS

from rc_env import Engine, Ruleset, engine, ruleset
from rc_env.layout import actions, observation
from rc_env.record import Recorder
from rc_env.rules.printed import components

B = 3
"""The number of games in each engine that is attacked."""
BASE = Ruleset(2, turn_limit=40)
FULL = Ruleset(3, turn_limit=60, fourth_guild="random", special_tiles=True, contractors=True)
SOLO = Ruleset(1, turn_limit=40)
"""The turn limit: games are short, since those of every engine that is attacked are played to their end."""


@cache
def _played(chosen: Ruleset) -> bytes:
    made = Engine(chosen, B, 11)
    made.play_random(30, 1)
    return made.clone(same_future=True).tobytes()


def games_of(chosen: Ruleset) -> np.ndarray:
    """Return three games of a ruleset, about in the middle."""
    return np.frombuffer(_played(chosen), Engine(chosen)._game).copy()


def engine_of(chosen: Ruleset = BASE) -> Engine:
    """Return an engine that holds these games."""
    made = Engine(chosen, B, 11)
    made.restore(games_of(chosen))
    return made


def legal(made: Engine) -> np.ndarray:
    """Return the first legal action of each game."""
    return made.legal_mask().argmax(1).astype(np.int64)


def per_row(call: Call) -> list[tuple[int, ...]]:
    """Return the shape of an array with one number per row."""
    which = call.arguments.get("which")
    return [(B,)] if which is None else [(len(np.atleast_1d(which)),)]


def seats(players: int) -> Kind:
    """Return the kind of an argument that is a seat, or one seat per row."""
    return numbers(lambda call: [(), *per_row(call)], 0, players - 1).or_none()


DTYPE = Kind(
    (*SCALARS, *((*one[:2], one[2]) for one in TEXTS)),
    lambda value, call: "float32 or uint8" if value in (np.float32, np.uint8) else None,
)

# --- engine

simple(
    "rc_env.engine.Engine",
    Engine,
    {"ruleset": BASE, "num_games": 2, "seed": 3, "threads": 1},
    ruleset=instance(Ruleset).or_none(),
    num_games=whole(1, 10**5),
    seed=seed(),
    threads=whole(0, 10**50),
)


@recipe("rc_env.engine.Engine.threads", threads=whole(0, 10**50))
def _() -> Call:
    made = engine_of()
    return call_of(lambda threads: setattr(made, "threads", threads), made, threads=2)


@recipe("rc_env.engine.Engine.recorder", recorder=nothing().or_none("nobody is notified any more"))
def _() -> Call:
    made = engine_of()
    return call_of(lambda recorder: setattr(made, "recorder", recorder), made, recorder=Recorder(print))


_SHOWN = ("ruleset", "num_games", "num_players", "num_seats", "num_actions", "num_features", "games", "rewards")
for _name in (*_SHOWN, "illegal", "seat", "terminated", "truncated"):
    recipe(f"rc_env.engine.Engine.{_name}")(
        lambda name=_name: (lambda made: call_of(lambda: getattr(made, name), made))(engine_of())
    )


@recipe("rc_env.engine.Engine.returns")
def _() -> Call:
    made = engine_of()
    return call_of(made.returns, made)


MASK = target(lambda call: (B, engine_of().num_actions), np.dtype(np.int8), np.dtype(np.bool_))


@recipe("rc_env.engine.Engine.legal_mask", out=MASK.or_none())
def _() -> Call:
    made = engine_of()
    return call_of(made.legal_mask, made, out=np.zeros((B, made.num_actions), np.int8))


@recipe("rc_env.engine.Engine.legal_mask", "a copy", copy=strict_flag())
def _() -> Call:
    made = engine_of()
    return call_of(made.legal_mask, made, copy=True)


@recipe(
    "rc_env.engine.Engine.observe",
    which=rows(B, repeats=True),
    seat=seats(2),
    dtype=DTYPE,
    out=target(lambda call: (B, engine_of().num_features), np.dtype(np.float32)),
)
def _() -> Call:
    made = engine_of()
    out = np.zeros((B, made.num_features), np.float32)
    return call_of(made.observe, made, which=np.arange(B), seat=np.array([0, 1, 0]), dtype=np.float32, out=out)


@recipe("rc_env.engine.Engine.results", which=rows(B, repeats=True))
def _() -> Call:
    made = engine_of()
    return call_of(made.results, made, which=np.arange(B))


DEALS = array("a DEAL record, one or one per row", lambda value: False)


@recipe("rc_env.engine.Engine.reset", which=rows(B), seed=seed().or_none())
def _() -> Call:
    made = engine_of()
    return call_of(made.reset, made, which=np.arange(B), seed=5)


@recipe("rc_env.engine.Engine.reset", "each its own", deal_seeds=numbers(per_row, 0, 2**64 - 1).or_none())
def _() -> Call:
    made = engine_of()
    return call_of(made.reset, made, which=np.arange(B), deal_seeds=np.arange(B))


DEAL_LIKE = Kind(
    (*FEW, *ARRAYS),
    lambda value, call: (
        "deals in any memory: they are copied"
        if isinstance(value, np.ndarray | np.void) and value.dtype.names and value.shape in ((), (1,), (B,))
        else None
    ),
)


@recipe("rc_env.engine.Engine.reset", "with a deal", deals=DEAL_LIKE.or_none())
def _() -> Call:
    made = engine_of()
    deals = np.asarray(made._setup.open_deal())
    return call_of(made.reset, made, deals=np.repeat(deals, B))


@recipe(
    "rc_env.engine.Engine.step",
    actions=numbers(per_row),
    which=rows(B),
    dice=numbers(lambda call: [(B, n) for n in range(17)], 0, 6).or_none(),
    auto_reset=flag(),
    observations=target(lambda call: (B, engine_of().num_features), np.dtype(np.float32), np.dtype(np.uint8)),
)
def _() -> Call:
    made = engine_of()
    out = np.zeros((B, made.num_features), np.uint8)
    return call_of(
        made.step, made, actions=legal(made), which=np.arange(B), dice=np.ones((B, 4), np.int64), observations=out
    )


_BITS = target(lambda call: (B, -(-engine_of().num_actions // 8)), np.dtype(np.uint8))


@recipe("rc_env.engine.Engine.legal_bits", which=rows(B, repeats=True), out=_BITS)
def _() -> Call:
    made = engine_of()
    out = np.zeros((B, -(-made.num_actions // 8)), np.uint8)
    return call_of(made.legal_bits, made, which=np.arange(B), out=out)


@recipe(
    "rc_env.engine.Engine.step_observe",
    actions=numbers(per_row),
    masks=MASK,
    observations=target(lambda call: (B, engine_of().num_features), np.dtype(np.float32), np.dtype(np.uint8)),
    which=rows(B),
    auto_reset=flag(),
    dice=numbers(lambda call: [(B, n) for n in range(17)], 0, 6).or_none(),
)
def _() -> Call:
    made = engine_of()
    masks, out = np.zeros((B, made.num_actions), np.int8), np.zeros((B, made.num_features), np.float32)
    return call_of(made.step_observe, made, actions=legal(made), masks=masks, observations=out, which=np.arange(B))


@recipe(
    "rc_env.engine.Engine.step",
    "full",
    cards=numbers(lambda call: [(B, 2)], -1, 120).or_none(),
    specialists=numbers(lambda call: [(B, n) for n in range(5)], -1, 20).or_none(),
)
def _() -> Call:
    made = engine_of(FULL)
    return call_of(
        made.step, made, actions=legal(made), cards=np.full((B, 2), 1), specialists=np.full((B, 3), 1, np.int64)
    )


def _orders(value: Any, call: Call) -> str | None:
    found = np.asarray(value)
    fits = found.shape == (B, 5) and found.dtype.kind in "iu"
    each = fits and all(row[0] == -1 or sorted(row.tolist()) == [0, 1, 2, 3, 4] for row in found)
    return "each tile once, or drawn" if each else None


@recipe("rc_env.engine.Engine.step", "solo", ivan_tiles=Kind((*SCALARS, *ARRAYS), _orders).or_none())
def _() -> Call:
    made = engine_of(SOLO)
    return call_of(made.step, made, actions=legal(made), ivan_tiles=np.tile(np.arange(5), (B, 1)))


@recipe(
    "rc_env.engine.Engine.play_random",
    decisions=whole(0, 10**4).without("two to 31"),  # such a number is accepted, and would play for hours
    seed=seed(),
    masks=flag(),
    observations=target(lambda call: (B, engine_of().num_features), np.dtype(np.float32), np.dtype(np.uint8)),
)
def _() -> Call:
    made = engine_of()
    out = np.zeros((B, made.num_features), np.float32)
    return call_of(made.play_random, made, decisions=5, seed=1, masks=True, observations=out)


@recipe(
    "rc_env.engine.Engine.play_random",
    "full",
    observations=target(lambda call: (B, engine_of(FULL).num_features), np.dtype(np.float32), np.dtype(np.uint8)),
)
def _() -> Call:
    made = engine_of(FULL)
    return call_of(made.play_random, made, decisions=5, observations=np.zeros((B, made.num_features), np.uint8))


@recipe("rc_env.engine.Engine.clone", which=rows(B, repeats=True), seat=seats(3))
def _() -> Call:
    made = engine_of(FULL)
    return call_of(made.clone, made, which=np.arange(B), seat=1)


@recipe(
    "rc_env.engine.Engine.clone", "to an array", same_future=flag(), out=target(lambda call: (B,), games_of(BASE).dtype)
)
def _() -> Call:
    made = engine_of()
    return call_of(made.clone, made, same_future=True, out=np.zeros(B, made._game))


def games_kind(count: int | None = B) -> Kind:
    """Return the kind of GAME records from an engine of the same ruleset; any memory will do, since they are copied."""
    return Kind(
        (*FEW, *ARRAYS),
        lambda value, call: (
            "games in any memory: they are copied"
            if isinstance(value, np.ndarray)
            and value.dtype.names
            and value.dtype == value.dtype.newbyteorder("=")
            and (count is None or value.shape == (count,))
            else None
        ),
    )


for _rules in (BASE, FULL):
    _words = "full" if _rules.full else ""

    @recipe("rc_env.engine.Engine.conceal", _words, games=games_kind(None), seat=seats(_rules.players))
    def _(rules: Ruleset = _rules) -> Call:
        made = engine_of(rules)
        return call_of(made.conceal, made, games=games_of(rules), seat=1)

    @recipe("rc_env.engine.Engine.restore", _words, states=games_kind(), which=rows(B))
    def _(rules: Ruleset = _rules) -> Call:
        made = engine_of(rules)
        return call_of(made.restore, made, states=games_of(rules), which=np.arange(B))


@recipe("rc_env.engine.Engine.save", path=file_to_write(), which=rows(B, repeats=True))
def _() -> Call:
    made = engine_of()
    return call_of(made.save, made, path="games.npz", which=np.arange(B))


def _saved() -> str:
    engine_of().save("saved.npz")
    return "saved.npz"


@recipe(
    "rc_env.engine.Engine.load",
    path=source("saved.npz"),
    ruleset=only(BASE, "the ruleset of the file").or_none(),
    threads=whole(0, 10**50),
)
def _() -> Call:
    return Call(Engine.load, {"path": _saved(), "ruleset": BASE, "threads": 1}, check=plays_on)


@recipe("rc_env.engine.Engine.action_to_text", action=whole(0, BASE.actions.size - 1), row=whole(0, B - 1))
def _() -> Call:
    made = engine_of()
    return call_of(made.action_to_text, made, action=3, row=1)


@recipe("rc_env.engine.Engine.text_to_action", text=word("pass"), row=whole(0, B - 1))
def _() -> Call:
    made = engine_of()
    return call_of(made.text_to_action, made, text=made.action_to_text(3, 1), row=1)


@recipe("rc_env.engine.Engine.point", row=whole(0, B - 1))
def _() -> Call:
    made = engine_of()
    return call_of(made.point, made, row=1)


def _numbers_of_players(value: Any, call: Call) -> str | None:
    known = isinstance(value, tuple | list | set | dict) or (isinstance(value, np.ndarray) and not value.size)
    return "numbers of players" if known and all(is_whole(one) and 1 <= one <= 4 for one in value) else None


simple(
    "rc_env.engine.warmup",
    engine.warmup,
    {"players": (2,), "full": False},
    players=Kind(SCALARS, _numbers_of_players),
    full=flag(),
)

# --- rulesets and schemas

simple(
    "rc_env.ruleset.Ruleset",
    Ruleset,
    {},
    players=whole(1, 4),
    workshop=word("basic", "advanced"),
    data=source("base"),
    turn_limit=whole(1, ruleset.MOST_TURNS),
    reward=word(*components.REWARDS),
    fourth_guild=word("clergy"),
    special_tiles=strict_flag(),
    promos=strict_flag(),
    expansion_data=Kind((*FEW, *TEXTS), lambda value, call: "not read in the base game"),
    contractors=strict_flag(),
)
recipe("rc_env.ruleset.Ruleset", "full", expansion_data=source("contractors"), fourth_guild=word("clergy", "random"))(
    lambda: call_of(Ruleset, contractors=True, fourth_guild="random")
)
for _name in (
    *("build", "full", "seats", "solo", "layout_hash", "reward_range"),
    *("rules_version", "rulings", "data_digests"),
):
    recipe(f"rc_env.ruleset.Ruleset.{_name}")(lambda name=_name: call_of(lambda: getattr(Ruleset(2), name)))

_CHECKED = anything("made by `Ruleset`, which checks the number of players", ())
simple("rc_env.layout.actions.ActionLayout", actions.ActionLayout, {"players": 2}, players=_CHECKED)
for _name in ("towers", "size"):
    recipe(f"rc_env.layout.actions.ActionLayout.{_name}")(
        lambda name=_name: call_of(lambda: getattr(actions.ActionLayout(2), name))
    )
recipe("rc_env.layout.actions.ActionLayout.relative_text", action=whole(0, BASE.actions.size - 1))(
    lambda: call_of(BASE.actions.relative_text, action=3)
)
recipe("rc_env.layout.actions.ActionLayout.to_text", action=whole(0, BASE.actions.size - 1), seat=whole(0, 1))(
    lambda: call_of(BASE.actions.to_text, action=3, seat=1)
)
recipe("rc_env.layout.actions.ActionLayout.to_action", text=word("pass"), seat=whole(0, 1))(
    lambda: call_of(BASE.actions.to_action, text=BASE.actions.to_text(3, 1), seat=1)
)
recipe("rc_env.layout.actions.ActionLayout.table")(lambda: call_of(BASE.actions.table))
simple("rc_env.layout.observation.ObservationLayout", observation.ObservationLayout, {"players": 2}, players=_CHECKED)
_VECTOR = array("a vector, or several, of numbers", lambda value: value.shape[-1:] == (BASE.observations.size,))
for _name in ("views", "numbers"):
    recipe(f"rc_env.layout.observation.ObservationLayout.{_name}", vector=_VECTOR)(
        lambda name=_name: call_of(
            getattr(BASE.observations, name), vector=np.zeros(BASE.observations.size, np.float32)
        )
    )
