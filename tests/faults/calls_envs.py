"""Attacks on the environments of PettingZoo and Gymnasium, and on what the two share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attacks import Call
from calls_engine import BASE, DEAL_LIKE, B, engine_of, legal
from kinds import (
    Kind,
    anything,
    flag,
    function,
    instance,
    is_whole,
    mapping,
    number,
    numbers,
    rows,
    seed,
    source,
    strict_flag,
    whole,
    word,
)
from recipes import call_of, recipe, simple
from wrong import ARRAYS, FEW, SCALARS, TEXTS

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, bot, seating
from rc_env.envs import aec, gym, spaces, vector
from rc_env.rules import setup
from rc_env.rules.printed import components

SETTINGS = {
    "workshop": word("basic", "advanced"),
    "data": source("base"),
    "turn_limit": whole(2, 10_000).few(),
    "reward": word(*components.REWARDS),
    "render_mode": word("ansi", "human", "rgb_array").or_none(),
    "observation_dtype": word("float32", "uint8"),
    "fourth_guild": word("clergy"),
    "special_tiles": strict_flag().few(),
    "promos": strict_flag().few(),
    "expansion_data": Kind((*FEW, *TEXTS), lambda value, call: "not read in the base game"),
    "contractors": strict_flag().few(),
}
"""The arguments that all environments have in common."""
NUM_PLAYERS = {"num_players": whole(1, 4)}
OPPONENTS = Kind(
    (*FEW, *TEXTS),
    lambda value, call: "no opponents, as the solo game has none" if value in ([], ()) else None,
)
SEAT = Kind(
    SCALARS,
    lambda value, call: "a seat, or drawn" if value == "random" or (is_whole(value) and 0 <= value < 2) else None,
)
FORM = word("dict", "box")
LIMITS = {
    "illegal_limit": whole(1, 10**1000).few().or_none(),
    "illegal_reward": number(-1e9, 1e9),
}
"""What the environments of Gymnasium have in common."""
MODES = {
    "copy": flag(),
    "observation": FORM,
    "autoreset_mode": word("NextStep", "SameStep", "Disabled"),
    "max_episode_steps": whole(1, 10**1000).few().or_none(),
    **LIMITS,
}
BATCH = {"num_envs": whole(1, 10**5), "seed": seed().or_none(), "threads": whole(0, 10**50).few(), **MODES}
GYM_SEED = seed().or_none()
OPTIONS = mapping()


def in_words(observation: Any) -> None:
    """Check that every number of an environment's observation is finite."""
    parts = observation.values() if isinstance(observation, dict) else [observation]
    assert all(np.isfinite(np.asarray(part, np.float64)).all() for part in parts)


def acts(env: Any) -> None:
    """Check that the environment deals a game and plays it on."""
    observation, info = env.reset(seed=1)
    in_words(observation)
    for _ in range(5):
        mask = info["action_mask"]
        observation, _, over, cut, info = env.step(mask.argmax(-1))
        in_words(observation)
        if np.all(over) or np.all(cut):
            break


def acts_in_turn(env: Any) -> None:
    """Check that a PettingZoo environment deals a game and plays it on."""
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.asarray(env.last()[4]["action_mask"]).argmax()))


# --- PettingZoo

recipe("rc_env.envs.aec.raw_env", **NUM_PLAYERS, **SETTINGS, observation=FORM)(
    lambda: Call(aec.raw_env, {"num_players": 2}, check=acts_in_turn)
)
recipe("rc_env.envs.aec.env")(lambda: Call(aec.env, {"num_players": 2}, check=acts_in_turn))
recipe("rc_env.red_cathedral_v0")(lambda: Call(aec.env, {}, check=acts_in_turn))


def begun(**settings: Any) -> aec.raw_env:
    """Return an environment with a game in progress."""
    made = aec.raw_env(**settings)
    made.reset(seed=1)
    for _ in range(20):
        made.step(int(made._legal.argmax()))
    return made


AGENT = word("player_0", "player_1")
for _name in ("observation_space", "action_space", "observe"):

    @recipe(f"rc_env.envs.aec.raw_env.{_name}", agent=AGENT)
    def _(name: str = _name) -> Call:
        made = begun()
        return call_of(getattr(made, name), made.engine, agent="player_1")


for _name in ("state", "get_state", "render", "close"):

    @recipe(f"rc_env.envs.aec.raw_env.{_name}")
    def _(name: str = _name) -> Call:
        made = begun()
        return call_of(getattr(made, name), made.engine)


@recipe("rc_env.envs.aec.raw_env.reset", seed=GYM_SEED, options=OPTIONS)
def _() -> Call:
    made = begun()
    return call_of(made.reset, made.engine, seed=3, options={})


@recipe("rc_env.envs.aec.raw_env.step", action=Kind(SCALARS, lambda value, call: None))
def _() -> Call:
    made = begun()
    return call_of(made.step, made.engine, action=int(made._legal.argmax()))


@recipe("rc_env.envs.aec.raw_env.set_state", state=instance())
def _() -> Call:
    made, other = begun(), begun()
    return call_of(made.set_state, made.engine, state=other.get_state())


# --- Gymnasium

recipe(
    "rc_env.envs.gym.OneSeatEnv",
    **NUM_PLAYERS,
    **SETTINGS,
    opponents=OPPONENTS,
    seat=SEAT,
    observation=FORM,
    **LIMITS,
)(lambda: Call(OneSeatEnv, {"num_players": 2}, check=acts))
recipe("rc_env.envs.gym.OneSeatVectorEnv", **NUM_PLAYERS, **SETTINGS, opponents=OPPONENTS, seat=SEAT, **BATCH)(
    lambda: Call(OneSeatVectorEnv, {"num_players": 2, "num_envs": 2}, check=acts)
)
recipe("rc_env.envs.vector.RedCathedralVectorEnv", **NUM_PLAYERS, **SETTINGS, **BATCH)(
    lambda: Call(RedCathedralVectorEnv, {"num_players": 2, "num_envs": 2}, check=acts)
)
recipe(
    "rc_env.envs.vector.EngineVectorEnv",
    engine=instance(Engine),
    seed=seed().or_none(),
    render_mode=SETTINGS["render_mode"],
    observation_dtype=SETTINGS["observation_dtype"],
    **MODES,
)(
    lambda: call_of(
        vector.EngineVectorEnv, engine=engine_of(), seed=1, copy=True, render_mode=None, observation="box",
        observation_dtype="uint8", autoreset_mode="SameStep", illegal_limit=3, illegal_reward=0.0,
        max_episode_steps=None,
    )
)  # fmt: skip
recipe("rc_env.envs.vector.EngineVectorEnv.call", name=word("action_masks", "render", "engine"))(
    lambda: call_of(_vector().call, name="action_masks")
)
recipe("rc_env.envs.vector.EngineVectorEnv.get_attr", name=word("action_masks", "render", "engine"))(
    lambda: call_of(_vector().get_attr, name="engine")
)
recipe("rc_env.envs.vector.EngineVectorEnv.action_masks")(lambda: call_of(_vector().action_masks))


def dealt(kind: Callable[..., Any], **settings: Any) -> Any:
    """Return an environment with games in progress."""
    made = kind(**settings)
    made.reset(seed=4)
    return made


def _one() -> Any:
    return dealt(OneSeatEnv)


def _seated() -> Any:
    return dealt(OneSeatVectorEnv, num_envs=B)


def _vector() -> Any:
    return dealt(RedCathedralVectorEnv, num_envs=B)


_MANY = numbers(lambda call: [(B,)])
for _make, _target, _action in (
    (
        _one,
        "rc_env.envs.gym.OneSeatEnv",
        Kind(SCALARS, lambda value, call: "a whole number" if is_whole(value) else None),
    ),
    (_seated, "rc_env.envs.gym.OneSeatVectorEnv", _MANY),
    (_vector, "rc_env.envs.vector.RedCathedralVectorEnv", _MANY),
):
    _argument = "action" if _make is _one else "actions"

    @recipe(f"{_target}.reset", seed=GYM_SEED, options=OPTIONS)
    def _(make: Any = _make) -> Call:
        made = make()
        return call_of(made.reset, made.engine, seed=3, options={})

    @recipe(f"{_target}.step", **{_argument: _action})
    def _(make: Any = _make, name: str = _argument) -> Call:
        made = make()
        good = legal(made.engine)
        return call_of(made.step, made.engine, **{name: int(good[0]) if make is _one else good})

    @recipe(f"{_target}.reset", "an option", deal=DEAL_LIKE.or_none())
    def _(make: Any = _make) -> Call:
        made = make()
        call = call_of(lambda deal: made.reset(options={"deal": deal}), made.engine, deal=setup.open_deal())
        call.wording = ("deal",)
        return call


def _bool_a_row(value: Any, call: Call) -> str | None:
    found = np.asarray(value) if isinstance(value, np.ndarray | list) else np.zeros(0)
    return "a bool a row" if found.shape == (B,) and found.dtype == np.bool_ else None


for _make in (_seated, _vector):

    @recipe(
        f"rc_env.{'envs.gym.OneSeatVectorEnv' if _make is _seated else 'envs.vector.RedCathedralVectorEnv'}.reset",
        "a mask",
        reset_mask=Kind(
            (*FEW, *ARRAYS),
            _bool_a_row,
        ).or_none(),
    )
    def _(make: Any = _make) -> Call:
        made = make()
        return call_of(
            lambda reset_mask: made.reset(options={"reset_mask": reset_mask}), made.engine, reset_mask=np.ones(B, bool)
        )


for _target, _make in (("envs.gym.OneSeatEnv", _one), ("envs.vector.EngineVectorEnv", _vector)):
    recipe(f"rc_env.{_target}.render")(lambda make=_make: call_of(make().render))
recipe("rc_env.envs.gym.OneSeatEnv.action_masks")(lambda: call_of(_one().action_masks))

recipe("rc_env.envs.gym.OneSeatGames", engine=instance(Engine), seat=SEAT, opponents=OPPONENTS)(
    lambda: call_of(gym.OneSeatGames, engine=engine_of(), seat=0, opponents="random")
)


@recipe(
    "rc_env.envs.gym.OneSeatGames.deal",
    generator=instance(np.random.Generator),
    rows=rows(B),
    seed=seed().or_none(),
    deals=DEAL_LIKE.or_none(),
    deal_seeds=numbers(lambda call: [(B,)], 0, 2**64 - 1).or_none(),
)
def _() -> Call:
    made = _seated()
    return call_of(
        made._seated.deal, made.engine, generator=np.random.default_rng(1), rows=np.arange(B), seed=1, deals=None,
        deal_seeds=np.arange(B),
    )  # fmt: skip


@recipe("rc_env.envs.gym.OneSeatGames.play", actions=_MANY, rows=rows(B).or_none())
def _() -> Call:
    made = _seated()
    return call_of(made._seated.play, made.engine, actions=legal(made.engine), rows=np.arange(B))


# --- what they share

for _space in (spaces.observation_box, spaces.observation_dict):
    simple(
        f"rc_env.envs.spaces.{_space.__name__}",
        _space,
        {"ruleset": BASE, "dtype": "uint8"},
        ruleset=instance(Ruleset),
        dtype=word("float32", "uint8"),
    )


@recipe("rc_env.bot.Position.of", engine=instance(Engine), rows=rows(B, repeats=True))
def _() -> Call:
    made = engine_of()
    return call_of(bot.Position.of, made, engine=made, rows=np.arange(B))


_MADE_BY_OF = anything("made by `Position.of`, which checks; this one keeps what it is given", ())
recipe("rc_env.bot.Position", **dict.fromkeys(("ruleset", "seat", "mask", "engine", "rows"), _MADE_BY_OF))(
    lambda: call_of(bot.Position.of, engine=engine_of())
)
recipe("rc_env.bot.Position.games")(lambda: call_of(bot.Position.of(engine_of()).games))
recipe("rc_env.bot.Position.writeable_games")(lambda: call_of(bot.Position.of(engine_of()).writeable_games))


def _refuse(row: int, action: int) -> Any:
    raise ValueError(f"actions: {action} found in row {row}, expected a legal one")


@recipe(
    "rc_env.seating.step",
    rows=rows(B),
    actions=numbers(lambda call: [(B,)]),
    engine=instance(Engine),
    refuse=function(),
)
def _() -> Call:
    made = engine_of()
    return call_of(seating.step, engine=made, rows=np.arange(B), actions=legal(made), refuse=_refuse)
