"""Correct objects of the package: those whose methods are attacked, and those that arguments are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from judge import plays_on
from pettingzoo import AECEnv

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, record, render
from rc_env.agents import net, plan, playout_search, random, search
from rc_env.agents.inputs import Inputs
from rc_env.arena import jobs, match, tournament
from rc_env.arena.studies import tune
from rc_env.bot import Bot, Position
from rc_env.engine_group import EngineGroup
from rc_env.envs import aec, gym, vector
from rc_env.layout.actions import ActionLayout
from rc_env.layout.observation import ObservationLayout
from rc_env.rules.printed.data_file import DataFile
from rc_env.training.settings import TrainingSettings, to_json

B = 3
"""The number of games in each engine that is attacked."""
BASE = Ruleset(2, turn_limit=40)
FULL = Ruleset(3, turn_limit=60, fourth_guild="random", special_tiles=True, contractors=True)
SOLO = Ruleset(1, turn_limit=40)
"""The turn limit: games are short, since those of every engine that is attacked are played to their end."""
SETS = [BASE, replace(BASE, data="sample:1")]


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


def group() -> EngineGroup:
    """Return an engine group of two sets of cards, with games about in the middle."""
    made = EngineGroup(SETS, B, 11)
    for _ in range(30):
        made.step(made.legal_mask().argmax(1), auto_reset=True)
    return made


def legal(made: Any) -> np.ndarray:
    """Return the first legal action of each game of an engine or a group."""
    return made.legal_mask().argmax(1).astype(np.int64)


def dealt(kind: Callable[..., Any], **settings: Any) -> Any:
    """Return an environment with games in progress."""
    made = kind(**settings)
    made.reset(seed=4)
    return made


def begun() -> aec.raw_env:
    """Return an environment of PettingZoo with a game in progress."""
    made = dealt(aec.raw_env, turn_limit=40)
    for _ in range(20):
        made.step(int(made._legal.argmax()))
    return made


@cache
def trained() -> net.Net:
    """Return the network that is shipped."""
    return net.load(net.shipped(BASE))


def layers() -> dict[str, np.ndarray]:
    """Return the layers of the shipped network, as a file holds them."""
    with np.load(net.shipped(BASE)) as archive:
        return {name: archive[name] for name in archive.files if name != "about"}


@cache
def recorded(turns: int = 40) -> str:
    """Return the record of a short game."""
    texts: list[str] = []
    recorder = record.Recorder(lambda number, words: texts.append(words))
    match.play_match(["random"] * 2, 1, Ruleset(2, turn_limit=turns), rotate=False, recorder=recorder)
    return texts[0]


def parsed() -> record.Record:
    """Return the record of a short game, parsed."""
    return record.parse(recorded())


def job() -> jobs.Job:
    """Return a small job."""
    return jobs.Job(("a", "b"), ("random", "greedy"), jobs.variant_of(BASE), 1, 1)


def written(path: str) -> str:
    """Write a file of the kind that its name says, and return its name."""
    if path.endswith(".npz"):
        engine_of().save(path)
    elif path.endswith(".rcr"):
        record.write(parsed(), path)
    elif path.endswith(".json"):
        Path(path).write_text(to_json(TrainingSettings()))
    else:
        from damaged_files import put_run

        Path(path).mkdir(exist_ok=True)
        put_run(Path(path))
    return path


_TWO = playout_search.PlayoutSettings(num_simulations=2, sure=1)
OBJECTS: dict[type, Callable[[Ruleset], Any]] = {
    Ruleset: lambda rules: rules,
    Engine: engine_of,
    EngineGroup: lambda rules: group(),
    Position: lambda rules: Position.of(engine_of(rules)),
    aec.raw_env: lambda rules: begun(),
    OneSeatEnv: lambda rules: dealt(OneSeatEnv, turn_limit=40),
    OneSeatVectorEnv: lambda rules: dealt(OneSeatVectorEnv, num_envs=B, turn_limit=40),
    RedCathedralVectorEnv: lambda rules: dealt(RedCathedralVectorEnv, num_envs=B, turn_limit=40),
    vector.EngineVectorEnv: lambda rules: dealt(RedCathedralVectorEnv, num_envs=B, turn_limit=40),
    gym.OneSeatGames: lambda rules: dealt(OneSeatVectorEnv, num_envs=B, turn_limit=40)._seated,
    np.random.Generator: lambda rules: np.random.default_rng(1),
    ActionLayout: lambda rules: rules.actions,
    ObservationLayout: lambda rules: rules.observations,
    DataFile: lambda rules: rules.data_file,
    record.Record: lambda rules: parsed(),
    record.Recorder: lambda rules: record.Recorder(print),
    render.Board: lambda rules: render.Board(engine_of(rules)),
    random.RandomBot: lambda rules: random.RandomBot(),
    plan.PlanBot: lambda rules: plan.PlanBot(),
    net.NetBot: lambda rules: net.NetBot(net.shipped(rules)),
    net.Net: lambda rules: trained(),
    Inputs: Inputs,
    search.SearchBot: lambda rules: search.SearchBot(simulations=2),
    playout_search.PlayoutSettings: lambda rules: _TWO,
    playout_search.PlayoutSearch: lambda rules: playout_search.PlayoutSearch(_TWO),
    Bot: lambda rules: random.RandomBot(),
    jobs.Workers: lambda rules: jobs.Workers(0),
    jobs.Job: lambda rules: job(),
    jobs.Failure: lambda rules: jobs.Failure("greedy", "It failed."),
    jobs.Outcome: lambda rules: jobs.play_job(job()),
    match.Match: lambda rules: match.play_match(["random", "greedy"], 2, rules),
    tournament.Schedule: lambda rules: tournament.Schedule(("random", "greedy"), rules, 4),
    tune.TuningSettings: lambda rules: tune.TuningSettings(),
    TrainingSettings: lambda rules: TrainingSettings(imitation=0, start="shipped"),
}
"""A correct object of each class, of a ruleset if it belongs to one."""


def engines_in(*values: Any) -> list[Engine]:
    """Return the engines that some values are, or hold."""
    found: list[Engine] = []
    for value in values:
        parts = [value, getattr(value, "engine", None), *(getattr(value, "engines", None) or ())]
        found += [one for one in parts if isinstance(one, Engine) and not any(one is other for other in found)]
    return found


# --- results


def plays(bot: Any) -> None:
    """Check that the bot decides legally."""
    where = Position.of(engine_of())
    bot.reset(1)
    chosen = bot.act(where)
    assert where.mask[np.arange(B), chosen].all(), "an illegal action"


def _finite(observation: Any) -> None:
    parts = observation.values() if isinstance(observation, dict) else [observation]
    assert all(np.isfinite(np.asarray(part, np.float64)).all() for part in parts), "an observation is not finite"


def _acts(env: Any) -> None:
    observation, info = env.reset(seed=1)
    _finite(observation)
    for _ in range(5):
        observation, _, over, cut, info = env.step(info["action_mask"].argmax(-1))
        _finite(observation)
        if np.all(over) or np.all(cut):
            break


def _acts_in_turn(env: Any) -> None:
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.asarray(env.last()[4]["action_mask"]).argmax()))


USES: tuple[tuple[type | tuple[type, ...], Callable[[Any], object]], ...] = (
    (Engine, plays_on),
    ((OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv), _acts),
    (AECEnv, _acts_in_turn),
    ((random.RandomBot, plan.PlanBot, net.NetBot, search.SearchBot), plays),
    (render.Board, lambda board: board.svg()),
    (tournament.Schedule, tournament.run),
    (tune.TuningSettings, lambda settings: next(tune.tune(settings))),
    (Iterator, list),
)
"""What is done with the result of an accepted call, by its class."""


def use(result: Any) -> None:
    """Use the result of an accepted call as a caller would: an engine plays on, a bot decides, a schedule is played."""
    for classes, function in USES:
        if isinstance(result, classes):
            function(result)
