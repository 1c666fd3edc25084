"""Attacks on bots: by name, by class, networks from files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from attacks import Call
from calls_engine import BASE, B, engine_of
from kinds import (
    Kind,
    any_seed,
    anything,
    array,
    function,
    instance,
    is_whole,
    number,
    source,
    strict_flag,
    text,
    whole,
    word,
)
from recipes import call_of, recipe, simple
from wrong import FEW, SCALARS, TEXTS

import rc_env
from rc_env import Ruleset, agents
from rc_env.agents import gumbel, inputs, net, plan, playout_search, random, registry, search
from rc_env.bot import Position


def position(chosen: Ruleset = BASE) -> Position:
    """Return the position of three games, each at a decision."""
    return Position.of(engine_of(chosen))


@cache
def trained() -> net.Net:
    """Return the network that is shipped."""
    return net.load(net.shipped(BASE))


def layers() -> dict[str, np.ndarray]:
    """Return the layers of the shipped network, as a file holds them."""
    with np.load(net.shipped(BASE)) as archive:
        return {name: archive[name] for name in archive.files if name != "about"}


NAME = Kind(
    (*FEW, *TEXTS),
    lambda value, call: "the name of a bot" if isinstance(value, str) and value in agents.names() else None,
)
POSITION = {"position": instance(Position)}
RESET = {"seed": any_seed()}


def plays(bot: Any) -> None:
    """Check that the bot decides legally."""
    where = position()
    bot.reset(1)
    chosen = bot.act(where)
    assert where.mask[np.arange(B), chosen].all(), "an illegal action"


GUIDED = {
    "visit_offset": number(0, 10**5),
    "value_scale": number(0, 10**5),
    "noise": number(0, 100),
}
"""The settings of a search with a network."""
IN_A_TREE = {"outcomes": whole(0, 10**6), "playout": number(0, 1)}
PLAYED_OUT = {"sure": number(0, 1), "doubt": number(0, 100), "turns": whole(0, 10**4)}

for _name, _function in (
    ("rc_env.make_bot", rc_env.make_bot),
    ("rc_env.agents.registry.from_text", registry.from_text),
):
    recipe(_name, text=NAME)(lambda function=_function: Call(function, {"text": "greedy"}, check=plays))
recipe("rc_env.agents.registry.make", name=NAME)(
    lambda: Call(registry.make, {"name": "greedy"}, check=plays, wording=("bot",))
)
simple("rc_env.agents.registry.about", registry.about, {"name": "greedy"}, name=NAME)
recipe("rc_env.agents.registry.about", "as a word")(lambda: Call(registry.about, {"name": "search"}, wording=("bot",)))
recipe("rc_env.agents.registry.names")(lambda: call_of(registry.names))
recipe("rc_env.agents.registry.installed")(lambda: call_of(registry.installed))


class _Registered:
    """Calls `register`, then forgets what was registered, so that attacks do not affect one another."""

    def __call__(self, name: Any, factory: Any, about: Any, words: Any) -> None:
        tables = registry._FACTORIES, registry._ABOUT, registry._WORDS
        before = [dict(table) for table in tables]
        try:
            registry.register(name, factory, about, words)
            registry.names()
        finally:
            for kept, now in zip(before, tables, strict=True):
                now.clear()
                now.update(kept)


simple(
    "rc_env.agents.registry.register",
    _Registered(),
    {"name": "mine", "factory": random.RandomBot, "about": "mine", "words": ["mine"]},
    name=text("any name that is still free", (*FEW, *TEXTS)),
    factory=function(),
    about=text("any words", FEW),
    words=instance(dict, list, tuple, set),
)
simple(
    "rc_env.agents.registry.of_file",
    registry.of_file,
    {"text": "greedy", "where": "a file", "again": ["mine:bot"], "how": "--bots greedy"},
    text=NAME,
    where=text("any words", FEW),
    how=text("any words", FEW),
    again=instance(dict, list, tuple, set),
)

# --- bots

recipe("rc_env.agents.random.RandomBot", seed=any_seed())(lambda: Call(random.RandomBot, {"seed": 1}, check=plays))
recipe(
    "rc_env.agents.plan.PlanBot",
    plan=Kind((*FEW, *TEXTS), lambda value, call: "a plan" if value == "greedy" else None),
    name=text("any name", FEW),
)(lambda: Call(plan.PlanBot, {"plan": "greedy"}, check=plays))
recipe(
    "rc_env.agents.net.NetBot",
    path=source("shipped"),
    sample=strict_flag(),
    seed=any_seed(),
)(lambda: Call(net.NetBot, {"path": "shipped"}, check=plays))
recipe(
    "rc_env.agents.search.SearchBot",
    simulations=whole(1, 10**6).without("two to 31"),
    milliseconds=number(0, 100),
    plan=Kind((*FEW, *TEXTS), lambda value, call: None),
    exploration=number(0, 1000),
    temperature=number(1e-3, 10**6),
    depth=whole(1, 64),
    net=source("none", "shipped"),
    seed=any_seed(),
    candidates=whole(0, 256),
    leaf=word("game", "turn", "decision"),
    backend=word("numpy", "torch", "auto"),
    **GUIDED,
    **IN_A_TREE,
    **PLAYED_OUT,
)(lambda: Call(search.SearchBot, {"simulations": 2, "milliseconds": 0}, check=plays))
recipe(
    "rc_env.agents.gumbel.SearchSettings",
    num_simulations=whole(1, 10**6),
    max_num_considered_actions=whole(1, 256),
    milliseconds=number(0, 10**6),
    plan=Kind((*FEW, *TEXTS), lambda value, call: None),
    to_turn_end=strict_flag(),
    **GUIDED,
    **IN_A_TREE,
)(lambda: Call(gumbel.SearchSettings, {"num_simulations": 2}))
recipe(
    "rc_env.agents.playout_search.PlayoutSettings",
    num_simulations=whole(1, 10**6),
    milliseconds=number(0, 10**6),
    max_num_considered_actions=whole(1, 256),
    margin=number(0, 1),
    **GUIDED,
    **PLAYED_OUT,
)(lambda: Call(playout_search.PlayoutSettings, {"num_simulations": 2}))
recipe(
    "rc_env.agents.playout_search.PlayoutSearch", settings=instance(playout_search.PlayoutSettings), seed=any_seed()
)(
    lambda: Call(
        playout_search.PlayoutSearch, {"settings": playout_search.PlayoutSettings(num_simulations=2), "seed": 1}
    )
)
recipe("rc_env.agents.playout_search.PlayoutSearch.reset", seed=any_seed())(
    lambda: Call(playout_search.PlayoutSearch(playout_search.PlayoutSettings()).reset, {"seed": 3})
)
recipe(
    "rc_env.agents.playout_search.PlayoutSearch.think",
    net=instance(net.Net),
    reward=word(*playout_search.REWARDS),
    **POSITION,
)(
    lambda: call_of(
        playout_search.PlayoutSearch(playout_search.PlayoutSettings(num_simulations=4, sure=1)).think,
        position=position(),
        net=trained(),
        reward="win",
    )
)
recipe("rc_env.agents.gumbel.GumbelSearch", settings=instance(gumbel.SearchSettings), seed=any_seed())(
    lambda: Call(gumbel.GumbelSearch, {"settings": gumbel.SearchSettings(num_simulations=2), "seed": 1})
)
recipe("rc_env.agents.gumbel.GumbelSearch.reset", seed=any_seed())(
    lambda: Call(gumbel.GumbelSearch(gumbel.SearchSettings()).reset, {"seed": 3})
)
recipe(
    "rc_env.agents.gumbel.GumbelSearch.think",
    net=anything("whatever has evaluate() is a network", ()),
    reward=word(*gumbel.REWARDS),
    **POSITION,
)(
    lambda: call_of(
        gumbel.GumbelSearch(gumbel.SearchSettings(num_simulations=2)).think,
        position=position(),
        net=trained(),
        reward="win",
    )
)
for _name, _make in (
    ("random.RandomBot", random.RandomBot),
    ("plan.PlanBot", plan.PlanBot),
    ("net.NetBot", net.NetBot),
    ("search.SearchBot", lambda: search.SearchBot(simulations=2)),
):
    _seed = anything("it draws nothing") if _name == "plan.PlanBot" else any_seed()

    @recipe(f"rc_env.agents.{_name}.reset", seed=_seed)
    def _(make: Any = _make) -> Call:
        made = make()
        return Call(made.reset, {"seed": 3}, check=lambda result: made.act(position()))

    recipe(f"rc_env.agents.{_name}.act", **POSITION)(lambda make=_make: call_of(make().act, position=position()))
recipe("rc_env.agents.net.NetBot.net_for", ruleset=instance(Ruleset))(
    lambda: call_of(net.NetBot().net_for, ruleset=BASE)
)
recipe("rc_env.agents.net.NetBot.logits", **POSITION)(lambda: call_of(net.NetBot().logits, position=position()))
recipe("rc_env.agents.net.Net.arrays")(lambda: call_of(trained().arrays))
for _name in ("ruleset", "net"):
    recipe(f"rc_env.agents.net.NetBot.{_name}")(
        lambda name=_name: call_of(lambda: getattr(net.NetBot(net.shipped(BASE)), name))
    )
simple(
    "rc_env.agents.random.choose",
    random.choose,
    {"mask": np.ones((2, 3), np.int8), "draws": np.zeros(2, np.float32), "actions": np.zeros(2, np.int64)},
    **dict.fromkeys(("mask", "draws", "actions"), anything("compiled: called by RandomBot with arrays of its own", ())),
)

# --- plans

RULESET = {"ruleset": instance(Ruleset)}
recipe("rc_env.agents.plan.PlanBot.weights", **RULESET)(lambda: call_of(plan.PlanBot().weights, ruleset=BASE))
simple("rc_env.agents.plan.weights_of", plan.weights_of, {"ruleset": BASE}, **RULESET)
simple("rc_env.agents.plan.tables_of", plan.tables_of, {"ruleset": BASE}, **RULESET)
simple("rc_env.agents.plan.named", plan.named, {"name": "greedy", "ruleset": BASE}, name=source("greedy"), **RULESET)


def _finite(value: Any, call: Call) -> str | None:
    single = value.item() if isinstance(value, np.ndarray) and not value.ndim else value
    fits = (is_whole(single) and abs(single) < 2**64) or (isinstance(single, float) and bool(np.isfinite(single)))
    return "a finite number" if fits else None


def _in_json(value: Any, call: Call) -> str | None:
    fits = not isinstance(value, bytes | complex | type)
    return "what JSON can say; `load` checks it" if fits else None


_WEIGHT = {"name": "plan", "table": {"ruble": 1.0}}
simple(
    "rc_env.agents.plan.checked",
    lambda name, table: plan.checked(name, table),
    _WEIGHT,
    name=text("any name", FEW),
    table=Kind(FEW, lambda value, call: "no weights" if value == {} else None),
    dtype=anything("one of the two dtypes of weights", ()),
)
simple(
    "rc_env.agents.plan.checked",
    lambda ruble: plan.checked("plan", {"ruble": ruble}),
    {"ruble": 1.0},
    "a weight",
    ruble=Kind(SCALARS, _finite),
)
simple(
    "rc_env.agents.plan.as_text",
    plan.as_text,
    {"plan": {"ruble": 1.0}},
    plan=Kind(FEW, lambda value, call: "weights by name" if isinstance(value, Mapping) else None),
)

# --- networks

NUMBERS = {
    "numbers": array(
        "numbers of observations",
        lambda value: value.ndim == 2 and value.shape[1] == BASE.observations.size and value.dtype == np.uint8,
    )
}
for _name in ("logits", "value"):
    recipe(f"rc_env.agents.net.Net.{_name}", **NUMBERS)(
        lambda name=_name: call_of(getattr(trained(), name), numbers=position().numbers.copy())
    )
_ROWS = Kind(SCALARS, lambda value, call: "so many of the rows, or all" if value is None or is_whole(value) else None)
recipe("rc_env.agents.net.Net.evaluate", policies=_ROWS, values=_ROWS, **NUMBERS)(
    lambda: call_of(trained().evaluate, numbers=position().numbers.copy(), policies=1, values=1)
)
recipe("rc_env.agents.net.Net", layers=instance(), about=instance())(
    lambda: call_of(net.Net, layers=layers(), about=dict(trained().about))
)
simple("rc_env.agents.net.describe", net.describe, {"ruleset": BASE}, **RULESET)
simple("rc_env.agents.net.shipped", net.shipped, {"ruleset": BASE}, **RULESET)
simple("rc_env.agents.net.ruleset_of", net.ruleset_of, {"about": net.describe(BASE)}, about=instance())
recipe(
    "rc_env.agents.net.save",
    net_layers=Kind(FEW, lambda value, call: "no layers" if value in ({}, {"a": 1}) else None),
    about=Kind(FEW, _in_json),
    file=instance(io.BytesIO),
)(lambda: call_of(net.save, net_layers=layers(), about=net.describe(BASE), file=io.BytesIO()))
simple("rc_env.agents.net.load", net.load, {"path": net.shipped(BASE)}, path=source())
simple(
    "rc_env.agents.net.choose",
    net.choose,
    {"logits": np.zeros((2, 3), np.float32), "mask": np.ones((2, 3), np.int8), "generator": None},
    **dict.fromkeys(("logits", "mask", "generator"), anything("called by NetBot with arrays of its own", ())),
)
simple("rc_env.agents.inputs.Inputs", inputs.Inputs, {"ruleset": BASE}, **RULESET)
