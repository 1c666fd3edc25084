"""Attacks on matches, tournaments, studies and the settings of training."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attacks import Call
from calls_engine import BASE
from damaged_files import TINY, put_run
from kinds import (
    Kind,
    any_seed,
    anything,
    array,
    empty,
    flag,
    folder_to_write,
    function,
    instance,
    is_whole,
    nothing,
    number,
    strict_flag,
    text,
    whole,
)
from recipes import call_of, recipe, simple
from wrong import FEW, SCALARS, TEXTS

from rc_env import Engine, Ruleset, record
from rc_env.agents.net import NetBot
from rc_env.arena import jobs, match, solo, tournament
from rc_env.arena.studies import analysis, benchmark, calibration, first_player, foresight, playouts, stats, tune
from rc_env.bot import Position
from rc_env.training import pool, settings
from rc_env.training.run import first_network

SMALL = Ruleset(2, turn_limit=10)
RULESET = instance(Ruleset)
BOTS = nothing((*FEW, *TEXTS))
LIMIT = number(1e-6, 1e9).few().or_none()
GAMES = whole(1, 100, FEW)


def played(**more: Any) -> match.Match:
    """Return the result of a small match."""
    return match.play_match(["random", "greedy"], 2, SMALL, **more)


# --- matches


def _two_rubles(value: Any, call: Call) -> str | None:
    fits = isinstance(value, tuple | list | np.ndarray) and len(value) == 2 and all(map(is_whole, value))
    return "rubles of two seats" if fits and min(value) >= 0 else None


recipe(
    "rc_env.arena.match.play_match",
    bots=BOTS,
    deals=whole(1, 100),
    ruleset=RULESET.or_none(),
    seed=any_seed(),
    progress=function(),
    rotate=flag(),
    recorder=instance(record.Recorder).or_none(),
    rubles=Kind(SCALARS, _two_rubles).or_none(),
    limit=LIMIT,
    watcher=instance().or_none(),
    first=whole(0, 100),
)(lambda: call_of(match.play_match, bots=["random", "greedy"], deals=1, ruleset=SMALL, seed=1))
_MADE = anything("made by `play_match`; this one keeps what it is given", ())
recipe("rc_env.arena.match.Match", **{field.name: _MADE for field in fields(match.Match)})(lambda: call_of(played))
_ENTRIES = array("an entry a game and seat", lambda value: value.shape == (4, 2))
_DEALS = array("a bool a deal", lambda value: value.shape == (2,) and value.dtype == bool)
_ENTRANT = whole(0, 1)


@recipe("rc_env.arena.match.Match.of", values=_ENTRIES, entrant=_ENTRANT)
def _() -> Call:
    over = played()
    return call_of(over.of, values=over.prestige.copy(), entrant=1)


recipe("rc_env.arena.match.Match.share", entrant=_ENTRANT, seed=any_seed())(
    lambda: call_of(played().share, entrant=0, seed=1)
)
recipe("rc_env.arena.match.Match.part", deals=_DEALS)(lambda: call_of(played().part, deals=np.array([True, False])))
recipe("rc_env.arena.match.Match.wins")(lambda: call_of(lambda: played().wins))

# --- worker processes


def workers() -> jobs.Workers:
    """Return workers that play jobs in this process."""
    return jobs.Workers(0)


def job() -> jobs.Job:
    """Return a small job."""
    return jobs.Job(("a", "b"), ("random", "greedy"), jobs.variant_of(SMALL), 1, 1)


simple("rc_env.arena.jobs.variant_of", jobs.variant_of, {"ruleset": BASE}, ruleset=RULESET)
simple("rc_env.arena.jobs.make_bot", jobs.make_bot, {"text": "greedy"}, text=BOTS)
simple("rc_env.arena.jobs.warm", jobs.warm, {"ruleset": BASE}, ruleset=RULESET)
simple(
    "rc_env.arena.jobs.Workers",
    jobs.Workers,
    {"workers": 1},
    workers=whole(0, 1000),
    journal=anything("made by the commands that go on", ()),
)
_SKIP = function().without("a class")  # a class is callable, and what it returns or raises is its own
recipe("rc_env.arena.jobs.Workers.play", jobs=empty("no jobs"), skip=_SKIP)(
    lambda: call_of(lambda jobs, **more: list(workers().play(jobs, **more)), jobs=[job()])
)
recipe("rc_env.arena.jobs.Workers.apply", task=_SKIP, work=empty("no work"))(
    lambda: call_of(lambda task, work: list(workers().apply(task, work)), task=jobs.play_job, work=[job()])
)
recipe("rc_env.arena.jobs.play_job", job=instance(jobs.Job))(lambda: call_of(jobs.play_job, job=job()))
for _class in (jobs.Job, jobs.Failure, jobs.Outcome):
    _kept = anything("a message between processes; `play_job` and `play_match` check what it says", ())
    recipe(f"rc_env.arena.jobs.{_class.__name__}", **{field.name: _kept for field in fields(_class)})(
        lambda: call_of(job)
    )
recipe("rc_env.arena.jobs.Failure.as_json")(lambda: call_of(jobs.Failure("greedy", "It failed.").as_json))
recipe("rc_env.arena.jobs.Outcome.whole")(lambda: call_of(lambda: jobs.play_job(job()).whole))

# --- tournaments


def _tournament(**given: Any) -> tournament.TournamentResult:
    return tournament.run(tournament.Schedule(**given))


def schedule() -> tournament.Schedule:
    """Return the schedule of a small tournament."""
    return tournament.Schedule(("random", "greedy"), SMALL, 4)


recipe(
    "rc_env.arena.tournament.Schedule",
    bots=BOTS,
    ruleset=RULESET,
    games=GAMES,
    seed=any_seed(),
    until=number(1e-9, 1e9).few().or_none(),
    limit=LIMIT,
)(lambda: call_of(_tournament, bots=("random", "greedy"), ruleset=SMALL, games=4, seed=1, until=None, limit=None))
for _name in ("names", "lineups", "deals", "command"):
    recipe(f"rc_env.arena.tournament.Schedule.{_name}")(lambda name=_name: call_of(lambda: getattr(schedule(), name)))
recipe(
    "rc_env.arena.tournament.run",
    schedule=instance(tournament.Schedule),
    pool=instance(jobs.Workers).or_none(),
    progress=function(),
)(lambda: call_of(tournament.run, schedule=schedule(), pool=None))
recipe(
    "rc_env.arena.solo.compare",
    names=BOTS,
    games=GAMES,
    ruleset=RULESET.or_none(),
    seed=any_seed(),
    pool=instance(jobs.Workers).or_none(),
    progress=function(),
    limit=LIMIT,
)(lambda: call_of(solo.compare, names=["random"], games=2, ruleset=Ruleset(1, turn_limit=6), seed=1))

# --- studies


def _tuned(**given: Any) -> Any:
    return next(tune.tune(tune.TuningSettings(**given)))


recipe(
    "rc_env.arena.studies.tune.TuningSettings",
    players=nothing(),
    ruleset=RULESET,
    start=BOTS,
    keep=empty("no weights are kept"),
    against=BOTS,
    rounds=GAMES,
    generations=GAMES,
    population=whole(4, 100, FEW),
    games=GAMES,
    step=number(1e-9, 100).few(),
    seed=any_seed().few(),
)(lambda: call_of(_tuned, players=(2,), rounds=1, generations=1, population=4, games=1, ruleset=Ruleset(turn_limit=10)))
recipe("rc_env.arena.studies.tune.TuningSettings.variant", players=whole(1, 4, FEW))(
    lambda: call_of(tune.TuningSettings().variant, players=3)
)
recipe("rc_env.arena.studies.benchmark.limited_cells", games=GAMES, cells=anything("cells of the protocol", ()))(
    lambda: call_of(benchmark.limited_cells, games=10)
)
_STUDY = {"pool": instance(jobs.Workers), "ruleset": RULESET, "seed": any_seed().few(), "progress": function()}
recipe("rc_env.arena.studies.first_player.mirror", **_STUDY, bot=BOTS, deals=GAMES, rubles=nothing().or_none())(
    lambda: call_of(first_player.mirror, pool=workers(), ruleset=SMALL, seed=1, bot="random", deals=1)
)
recipe("rc_env.arena.studies.first_player.mixed", **_STUDY, bots=BOTS, games=GAMES)(
    lambda: call_of(first_player.mixed, pool=workers(), ruleset=SMALL, seed=1, bots=["random", "greedy"], games=2)
)
recipe("rc_env.arena.studies.stats.sample", **_STUDY, bots=BOTS, games=GAMES)(
    lambda: call_of(stats.sample, pool=workers(), ruleset=SMALL, seed=1, bots=["random"], games=2)
)
recipe(
    "rc_env.arena.studies.calibration.calibration",
    bot=instance(NetBot),
    ruleset=RULESET,
    games=GAMES,
    seed=any_seed().few(),
)(lambda: call_of(calibration.calibration, bot=NetBot(), ruleset=SMALL, games=2))
recipe(
    "rc_env.arena.studies.foresight.foresight",
    bot=instance(NetBot),
    ruleset=RULESET,
    games=whole(2, 100, FEW),
    playouts=whole(1, 10_000, FEW),
    seed=any_seed().few(),
)(lambda: call_of(foresight.foresight, bot=NetBot(), ruleset=SMALL, games=2, playouts=2))


def _judged(**given: Any) -> Any:
    return list(analysis.judgements(**given))


@cache
def _short() -> record.Record:
    """Return a record of few decisions."""
    texts: list[str] = []
    match.play_match(
        ["random"] * 2, 1, Ruleset(2, turn_limit=2), recorder=record.Recorder(lambda number, text: texts.append(text))
    )
    return record.parse(texts[0])


recipe("rc_env.arena.studies.analysis.evaluator", ruleset=RULESET, simulations=whole(1, 10**6, FEW))(
    lambda: call_of(analysis.evaluator, ruleset=BASE, simulations=4)
)
recipe(
    "rc_env.arena.studies.analysis.judgements",
    record=instance(record.Record),
    bot=nothing().or_none(),
    stop=function(),
)(lambda: call_of(_judged, record=_short(), bot=playouts.PlayoutBot(1)))
recipe("rc_env.arena.studies.analysis.annotated", record=instance(record.Record), found=empty("nothing is added"))(
    lambda: call_of(analysis.annotated, record=_short(), found=[])
)
recipe(
    "rc_env.arena.studies.playouts.PlayoutBot",
    playouts=whole(1, 10_000, FEW),
    plan=BOTS,
    seed=any_seed().few(),
)(lambda: call_of(playouts.PlayoutBot, playouts=1))
recipe("rc_env.arena.studies.playouts.PlayoutBot.reset", seed=any_seed().few())(
    lambda: call_of(playouts.PlayoutBot(1).reset, seed=3)
)
recipe("rc_env.arena.studies.playouts.PlayoutBot.act", position=instance(Position))(
    lambda: call_of(playouts.PlayoutBot(1).act, position=Position.of(Engine(BASE, 2)))
)

# --- settings of training


def _setting(name: str, default: Any, metadata: Mapping[str, Any]) -> Kind:
    if name == "expansion_data":
        return anything("not read for the base game")
    if name == "start":
        return text("read when the run begins")
    if isinstance(default, bool):
        return Kind(FEW, lambda value, call: "True or False" if isinstance(value, bool) else None)
    if (limits := metadata.get("limits")) is None:
        return nothing()
    return whole(*limits, FEW) if isinstance(default, int) else number(*limits, FEW)


recipe(
    "rc_env.training.settings.TrainingSettings",
    **{field.name: _setting(field.name, field.default, field.metadata) for field in fields(settings.TrainingSettings)},
)(lambda: call_of(settings.TrainingSettings))
_BASE = instance(settings.TrainingSettings).or_none()


def _file() -> Path:
    path = Path("settings.json")
    path.write_text(settings.to_json(settings.TrainingSettings()))
    return path


simple(
    "rc_env.training.settings.from_dict",
    settings.from_dict,
    {"values": {}},
    values=empty("nothing is chosen"),
    base=_BASE,
)
simple(
    "rc_env.training.settings.checked_words",
    settings.checked_words,
    {"values": {"teacher": "greedy"}, "where": "a file", "again": ["mine:bot"]},
    values=instance(dict),
    where=text("any words", FEW),
    again=instance(dict, list, tuple, set),
)
recipe("rc_env.training.settings.read_settings", file=BOTS, base=_BASE, again=instance(dict, list, tuple, set))(
    lambda: call_of(settings.read_settings, file=_file(), base=None, again=[])
)
simple(
    "rc_env.training.settings.to_json",
    settings.to_json,
    {"settings": settings.TrainingSettings()},
    settings=instance(settings.TrainingSettings),
)
recipe("rc_env.training.settings.TrainingSettings.pool")(lambda: call_of(settings.TrainingSettings().pool))
recipe("rc_env.training.settings.TrainingSettings.ruleset")(
    lambda: call_of(lambda: settings.TrainingSettings().ruleset)
)
recipe("rc_env.training.settings.TrainingSettings.rulesets")(
    lambda: call_of(lambda: settings.TrainingSettings(data="sample:0-3").rulesets)
)
recipe("rc_env.training.pool.OpponentPool", shares=nothing(), keep=whole(1, 10**9))(
    lambda: call_of(pool.OpponentPool, shares={"greedy": 0.5, "self": 0.5}, keep=2)
)


# --- runs


def _train(**arguments: Any) -> Any:
    from rc_env.training.run import train  # imported here, since torch takes seconds

    return train(**arguments)


def _load(folder: Any) -> Any:
    from rc_env.training import checkpoint

    return checkpoint.load(folder)


@recipe("rc_env.training.checkpoint.load", folder=BOTS)
def _() -> Call:
    folder = Path("run")
    folder.mkdir(exist_ok=True)
    put_run(folder)
    return call_of(_load, folder=folder)


simple(
    "rc_env.training.run.first_network",
    first_network,
    {"chosen": replace(settings.TrainingSettings(), imitation=0, start="shipped")},
    chosen=instance(settings.TrainingSettings),
)
recipe(
    "rc_env.training.run.train",
    chosen=instance(settings.TrainingSettings),
    folder=folder_to_write(),
    tell=function().without("a class"),  # a class is callable, and what it returns or raises is its own
    resume=strict_flag(),
)(lambda: call_of(_train, chosen=replace(TINY, imitation=0), folder=Path("run"), tell=lambda row: None, resume=False))
