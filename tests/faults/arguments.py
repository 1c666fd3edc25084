"""What the arguments of public callables may be, by their names and annotations.

`kind_of` looks up an argument by its name, then by its annotation, so that a new callable needs no line here as long as
its arguments are called as those of other callables, or their annotation says it all. A key such as `Engine.clone.out`
or `write.path` is for an argument that means something else there.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import io
import sys
import types
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kinds
import numpy as np
from attacks import Call
from damaged_files import TINY
from kinds import FEW, SCALARS, TEXTS, Kind
from objects import BASE, OBJECTS, SETS, B, engine_of, games_of, job, layers, legal, recorded, trained, written
from wrong import ARRAYS

from rc_env import Engine, Ruleset, agents, ruleset
from rc_env.arena import jobs, match
from rc_env.bot import Bot, Position
from rc_env.record import Record, Recorder, parse
from rc_env.rules import setup
from rc_env.rules.printed import components
from rc_env.training.settings import TrainingSettings
from rc_env.words import facts, notation


class At(typing.NamedTuple):
    """Where an argument is given: the ruleset that is played, and the object whose method is called, if any."""

    rules: Ruleset
    owner: Any = None


Good = Callable[[At], Any]
_FLOATS, _BYTES, _INT8, _BOOL = (np.dtype(one) for one in (np.float32, np.uint8, np.int8, np.bool_))


def _features(call: Call) -> tuple[int, int]:
    return B, call.owner.num_features


def _actions(call: Call) -> tuple[int, int]:
    return B, call.owner.num_actions


def _bits(call: Call) -> tuple[int, int]:
    return B, -(-call.owner.num_actions // 8)


def _per_row(call: Call) -> list[tuple[int, ...]]:
    """Return the shape of an array with one number per row."""
    which = call.arguments.get("which")
    return [(B,)] if which is None else [(len(np.atleast_1d(which)),)]


def _zeros(shape: Callable[[Call], tuple[int, ...]], dtype: Any) -> Good:
    return lambda at: np.zeros(shape(Call(print, owner=at.owner)), dtype)


def _a_game(value: Any, call: Call) -> str | None:
    fits = isinstance(value, np.ndarray) and value.dtype.names and value.dtype == value.dtype.newbyteorder("=")
    return "games in any memory: they are copied" if fits else None


def _three_games(value: Any, call: Call) -> str | None:
    return _a_game(value, call) if np.shape(value) == (B,) else None


def _deals(value: Any, call: Call) -> str | None:
    fits = isinstance(value, np.ndarray | np.void) and value.dtype.names and value.shape in ((), (1,), (B,))
    return "deals in any memory: they are copied" if fits else None


def _orders(value: Any, call: Call) -> str | None:
    found = np.asarray(value)
    fits = found.shape == (B, 5) and found.dtype.kind in "iu"
    each = fits and all(row[0] == -1 or sorted(row.tolist()) == [0, 1, 2, 3, 4] for row in found)
    return "each tile once, or drawn" if each else None


def _bool_a_row(value: Any, call: Call) -> str | None:
    found = np.asarray(value) if isinstance(value, np.ndarray | list) else np.zeros(0)
    return "a bool a row" if found.shape == (B,) and found.dtype == np.bool_ else None


def _numbers_of_players(value: Any, call: Call) -> str | None:
    row = isinstance(value, np.ndarray) and value.ndim == 1
    known = isinstance(value, tuple | list | set | dict) or row
    fits = known and all(kinds.is_whole(one) and 1 <= one <= 4 for one in value)
    return "numbers of players" if fits else None


def _two_rubles(value: Any, call: Call) -> str | None:
    fits = isinstance(value, tuple | list | np.ndarray) and len(value) == 2 and all(map(kinds.is_whole, value))
    return "rubles of two seats" if fits and min(value) >= 0 else None


def _a_seat_or_drawn(value: Any, call: Call) -> str | None:
    fits = value == "random" or (kinds.is_whole(value) and 0 <= value < 2)
    return "a seat, or drawn" if fits else None


def _begin_of_a_name(value: Any, call: Call) -> str | None:
    fits = isinstance(value, str) and "/" not in value and "\0" not in value and value.isprintable()
    return "the begin of a file's name" if fits else None


def _seats(value: Any, call: Call) -> str | None:
    shapes = [(), *_per_row(call)]
    return kinds.numbers(lambda call: shapes, 0, call.owner.num_players - 1).reason(value, call)


def _finite(value: Any, call: Call) -> str | None:
    single = value.item() if isinstance(value, np.ndarray) and not value.ndim else value
    fits = kinds.is_whole(single) and abs(single) < 2**64
    return "a finite number" if fits or (isinstance(single, float) and np.isfinite(single)) else None


def _refuse(row: int, action: int) -> typing.NoReturn:
    raise ValueError(f"actions: {action} found in row {row}, expected a legal one")


def _kind(reason: Callable[[Any, Call], str | None], values: tuple[Any, ...] = FEW) -> Kind:
    return Kind(values, reason)


WORD = (*FEW, *TEXTS)
BOTS = kinds.nothing(WORD)
A_PATH = _kind(lambda value, call: "a path, which whoever reads it looks at" if isinstance(value, str) else None, WORD)
NO_WORDS = _kind(lambda value, call: "no words, or words by number" if isinstance(value, list | dict) else None)
NAME = _kind(lambda value, call: "a bot's name" if isinstance(value, str) and value in agents.names() else None, WORD)
SCORES = kinds.array("an entry a game and seat", lambda value: value.shape == (4, 2))
DEALS = kinds.array("a bool a deal", lambda value: value.shape == (2,) and value.dtype == bool)
GAMES = kinds.whole(1, 100, FEW, sharp=False).up_to(5)
ROWS_AT_MOST = _kind(
    lambda value, call: "so many of the rows, or all" if value is None or kinds.is_whole(value) else None, SCALARS
)
ROW = kinds.whole(0, B - 1)
SEAT_OR_DRAWN = _kind(_a_seat_or_drawn, SCALARS)
TWO_ROWS = kinds.rows(B, repeats=True)
WHOLE = _kind(lambda value, call: "a whole number" if kinds.is_whole(value) else None, SCALARS)
EMPTY = kinds.empty("there is nothing to do")
NUMBERS = kinds.array(
    "numbers of observations",
    lambda value: value.ndim == 2 and value.shape[1] == BASE.observations.size and value.dtype == np.uint8,
)
DICE = kinds.numbers(lambda call: [(B, n) for n in range(17)], 0, 6)
VECTOR = kinds.array("a vector of numbers", lambda value: value.shape == (BASE.observations.size,))
VECTORS = kinds.array("vectors of numbers", lambda value: value.shape[-1:] == (BASE.observations.size,))
BOTH_DTYPES = kinds.target(_features, _FLOATS, _BYTES)
DTYPE = _kind(lambda value, call: "float32 or uint8" if value in (np.float32, np.uint8) else None, (*SCALARS, *TEXTS))
STRICT = kinds.strict_flag()

NAMED: dict[str, Kind] = {
    # the variant of the game
    "players": kinds.whole(1, 4).of(2),
    "num_players": kinds.whole(1, 4).of(2),
    "workshop": kinds.word("basic", "advanced").of("basic"),
    "data": kinds.source("base").of("base"),
    "turn_limit": kinds.whole(1, ruleset.MOST_TURNS).of(40),
    "reward": kinds.word(*components.REWARDS).of("win"),
    "fourth_guild": kinds.word("clergy", "random"),
    **dict.fromkeys(("special_tiles", "promos", "contractors", "sample", "to_turn_end", "resume"), STRICT),
    "expansion_data": kinds.anything("not read in the base game", WORD),
    "Ruleset.expansion_data": kinds.source("contractors").of("contractors"),
    "full": STRICT.of(False),
    "warmup.players": _kind(_numbers_of_players, SCALARS).of((2,)),
    "rulesets": kinds.nothing().of(SETS),
    "load.ruleset": kinds.only(BASE, "the ruleset of the file").of(BASE),
    # engines
    "num_games": kinds.whole(1, 10**5, sharp=False).of(2),
    "num_envs": kinds.whole(1, 10**5, sharp=False).of(2),
    "seed": kinds.whole(0, 2**64 - 1).of(5),
    "threads": kinds.whole(0, 10**50, sharp=False).of(1),
    "copy": STRICT.of(True),
    "which": kinds.rows(B, repeats=True).of(lambda at: np.arange(B)),
    **{f"{one}.which": kinds.rows(B).of(lambda at: np.arange(B)) for one in ("reset", "step", "step_observe")},
    "restore.which": kinds.rows(B).of(lambda at: np.arange(B)),
    "rows": kinds.rows(B).of(lambda at: np.arange(B)),
    "Position.of.rows": TWO_ROWS.of(lambda at: np.arange(B)),
    "Recorder.rows": kinds.empty("no rows"),
    "row": ROW.of(1),
    "note.row": kinds.whole(0, 10**40, sharp=False).of(0),  # a recorder that follows no game keeps nothing
    "place": kinds.whole(0, 1).of(1),
    "actions": kinds.numbers(_per_row).of(lambda at: legal(getattr(at.owner, "engine", at.owner))),
    "seating.step.actions": kinds.numbers(_per_row).of(lambda at: legal(engine_of(at.rules))),
    "decisions": kinds.whole(0, 10**4, sharp=False).without("two to 31").of(5),  # it would play for hours
    "dice": DICE.of(lambda at: np.ones((B, 4), np.int64)),
    "cards": kinds.numbers(lambda call: [(B, 2)], -1, 120).of(lambda at: np.full((B, 2), 1)),
    "specialists": kinds.numbers(lambda call: [(B, n) for n in range(5)], -1, 20).of(lambda at: np.full((B, 3), 1)),
    "ivan_tiles": _kind(_orders, (*SCALARS, *ARRAYS)).of(lambda at: np.tile(np.arange(5), (B, 1))),
    "deal_seeds": kinds.numbers(_per_row, 0, 2**64 - 1).of(lambda at: np.arange(B)),
    "deals": _kind(_deals, (*FEW, *ARRAYS))
    .or_none("nothing is fixed")
    .of(lambda at: np.repeat(np.asarray(setup.open_deal()), B)),
    "checked_deals.deals": kinds.nothing().of(lambda at: setup.open_deal()),
    "checked_deals.c": kinds.anything("the record of a ruleset", ()).of(lambda at: at.rules.rules[0]),
    "dtype": DTYPE.of(np.float32),
    "spaces.dtype": kinds.word("float32", "uint8").of("uint8"),
    "observation_dtype": kinds.word("float32", "uint8").of("uint8"),
    "observations": BOTH_DTYPES.of(_zeros(_features, np.uint8)),
    **dict.fromkeys(("masks", "auto_reset", "same_future"), kinds.flag().of(True)),
    "step_observe.masks": kinds.target(_actions, _INT8, _BOOL).of(_zeros(_actions, np.int8)),
    "legal_mask.out": kinds.target(_actions, _INT8, _BOOL).of(_zeros(_actions, np.int8)),
    "legal_bits.out": kinds.target(_bits, _BYTES).of(_zeros(_bits, np.uint8)),
    "observe.out": kinds.target(_features, _FLOATS).of(_zeros(_features, np.float32)),
    "clone.out": kinds.target(lambda call: (B,), games_of(BASE).dtype).of(lambda at: np.zeros(B, at.owner._game)),
    "conceal.games": _kind(_a_game, (*FEW, *ARRAYS)).of(lambda at: games_of(at.rules)),
    "states": _kind(_three_games, (*FEW, *ARRAYS)).of(lambda at: games_of(at.rules)),
    "EngineGroup.restore.states": _kind(_three_games).of(lambda at: at.owner.clone(same_future=True)),
    "EngineGroup.exchange.ruleset": kinds.instance(Ruleset).of(Ruleset(2, turn_limit=40, data="sample:2")),
    "EngineGroup.num_games": kinds.whole(2, 10**5, sharp=False).of(B),
    **{f"{one}.seat": _kind(_seats, (*SCALARS, *ARRAYS)).of(1) for one in ("Engine.observe", "clone", "conceal")},
    "EngineGroup.observe.seat": _kind(_seats, (*SCALARS, *ARRAYS)).of(1),
    "seat": kinds.whole(0, 1).of(0),
    "Recorder.seat": kinds.whole(0, 3).of(0),
    **{f"{one}.seat": SEAT_OR_DRAWN.of(0) for one in ("OneSeatEnv", "OneSeatVectorEnv", "OneSeatGames")},
    "recorder": kinds.instance(Recorder).or_none().of(lambda at: Recorder(print)),
    "action": kinds.whole(0, BASE.actions.size - 1).of(3),
    # environments
    "observation": kinds.word("dict", "box").of("box"),
    **dict.fromkeys(("illegal_limit", "max_episode_steps"), kinds.whole(1, 10**50, sharp=False).of(5)),
    "illegal_reward": kinds.number(-1e9, 1e9).of(-1),
    "autoreset_mode": kinds.word("NextStep", "SameStep", "Disabled").of("SameStep"),
    "render_mode": kinds.word("ansi", "human", "rgb_array").of(None),
    "mode": kinds.word("ansi", "human", "rgb_array").of("ansi"),
    "opponents": _kind(lambda value, call: "none, as solo has none" if value in ([], ()) else None, WORD).of("random"),
    "mask": kinds.array(
        "int8 of the same shape, in any memory", lambda value: value.dtype == np.int8 and value.ndim == 2
    ),
    "reset_mask": _kind(_bool_a_row, (*FEW, *ARRAYS)).or_none("all games are dealt anew"),
    "options": kinds.mapping().of({}),
    **dict.fromkeys(("EngineVectorEnv.call.name", "EngineVectorEnv.get_attr.name"), BOTS.of("action_masks")),
    "agent": kinds.word("player_0", "player_1").of("player_1"),
    "raw_env.step.action": WHOLE.of(lambda at: int(at.owner._legal.argmax())),
    "OneSeatEnv.step.action": WHOLE.of(lambda at: int(legal(at.owner.engine)[0])),
    "set_state.state": kinds.nothing().of(lambda at: OBJECTS[type(at.owner)](at.rules).get_state()),
    "answer.actions": kinds.numbers(lambda call: [(B,)]).of(lambda at: np.arange(B)),
    "count": kinds.anything("the number of rows that a bot was asked about", ()).of(B),
    "refuse": kinds.function().of(lambda at: _refuse),
    # records and games in words
    "sink": kinds.function().of(lambda at: print),
    "note.thoughts": _kind(lambda value, call: "no thoughts" if value == {} else None).of({"value": [0.5, -0.5]}),
    "meta": _kind(lambda value, call: "keys of one's own" if isinstance(value, dict) else None).of({"bot": "greedy"}),
    "prefix": _kind(_begin_of_a_name, WORD).of("game"),
    "path": kinds.to_write().of("written.rcr"),
    "save.path": kinds.to_write().of("games.npz"),
    "keep_data.path": kinds.anything("nothing is written for the base game").of("."),
    **{f"{one}.path": kinds.source() for one in ("NetBot", "net.load")},
    "Engine.load.path": kinds.source().of(lambda at: written("saved.npz")),
    "read.path": kinds.source().of(lambda at: written("game.rcr")),
    "net.load.path": kinds.source().of(lambda at: agents.net.shipped(BASE)),
    **dict.fromkeys(("parse.data", "read.data"), kinds.source().or_none()),
    "parse.text": kinds.nothing((*SCALARS, *TEXTS)).of(lambda at: recorded()),
    "parse.name": kinds.anything("how sentences call the record", TEXTS),
    "unfinished": kinds.anything("whether it is true is all that is asked", ()),
    "beside": kinds.anything("not looked at for the base game", TEXTS),
    "key": kinds.whole(0, 2**64 - 1).of(5),
    "number": kinds.whole(0, 10**4, sharp=False).of(1),
    "upto": kinds.whole(0, 10**4, sharp=False).of(1),
    "game": kinds.nothing().of(lambda at: games_of(at.rules)[0]),
    "deal_to_dict.game": kinds.nothing().of(lambda at: Engine(at.rules).games[0]),
    "start": kinds.nothing().of(lambda at: games_of(at.rules)[0]),
    "view": kinds.whole(0, 2, FEW, sharp=False),
    "deal": _kind(lambda value, call: "a deal with nothing fixed" if value == {} else None).of(
        lambda at: notation.deal_to_dict(at.rules, Engine(at.rules).games[0])
    ),
    "vector": VECTOR.of(lambda at: engine_of(at.rules).observe(0)[0]),
    **{
        f"ObservationLayout.{one}.vector": VECTORS.of(lambda at: np.zeros(at.rules.observations.size, np.float32))
        for one in ("views", "numbers")
    },
    "facts": kinds.nothing().of(lambda at: facts.game_facts(at.rules, games_of(at.rules)[0], 0)),
    "effect_text.action": kinds.anything("an entry of the facts, which `facts_text` hands on", ()).of(
        lambda at: facts.game_facts(at.rules, games_of(at.rules)[0], 0)["guild_actions"][0][0]
    ),
    "text": kinds.word("pass").of(lambda at: BASE.actions.to_text(3, 1)),
    "theme": kinds.word("light", "dark", "auto").of("light"),
    "board_text.width": kinds.whole(1, 10_000, FEW).of(100),
    "board_image.width": kinds.whole(16, 10_000, FEW).of(100),
    "title": kinds.text("any title, made harmless").of("A"),
    "moments": EMPTY.of([]),
    # data files
    "data_file.load.source": kinds.source("base"),
    "expansion_file.load.source": kinds.source("contractors"),
    "tables": kinds.nothing().of(lambda at: at.rules.data_file.tables),
    "expansion_file.check.tables": kinds.nothing().of(lambda at: Ruleset(contractors=True).expansion_file.tables),
    "source": kinds.nothing(WORD).of("sample:17"),
    **dict.fromkeys(("checked_name.source", "pairs.data", "pairs.expansion_data"), A_PATH.of("sample:17")),
    "checked_name.name": kinds.anything("a word of the sentence that refuses", ()).of("data"),
    # bots
    **dict.fromkeys(("from_text.text", "of_file.text", "make_bot.text"), NAME.of("greedy")),
    **dict.fromkeys(("registry.make.name", "registry.about.name"), NAME.of("greedy")),
    "register.name": kinds.text("any name that is still free").of("mine"),
    "register.factory": kinds.function().of(lambda at: agents.random.RandomBot),
    "register.words": NO_WORDS.of(["mine"]),
    "register.about": kinds.text("any words", FEW),
    "trusted": NO_WORDS,
    "where": kinds.text("any words", FEW).of("a file"),
    "how": kinds.text("any words", FEW),
    "PlanBot.name": kinds.text("any name", FEW),
    "plan": kinds.nothing(WORD).of("greedy"),
    "as_text.plan": kinds.empty("no weights").of({"ruble": 1.0}),
    "named.name": kinds.source("greedy").of("greedy"),
    "PlanBot.reset.seed": kinds.anything("it draws nothing").of(3),
    "checked.name": kinds.text("any name", FEW).of("plan"),
    "checked.table": _kind(lambda value, call: "no weights" if value == {} else None).of({"ruble": 1.0}),
    "checked.dtype": kinds.anything("one of the two dtypes of weights", ()),
    "ruble": _kind(_finite, SCALARS).of(1.0),
    "net": kinds.source("none", "shipped"),
    "PlayoutSearch.think.net": kinds.instance(agents.net.Net).of(lambda at: trained()),
    "simulations": kinds.whole(1, 10**6).without("two to 31").of(2),
    "num_simulations": kinds.whole(1, 10**6).of(2),
    "max_num_considered_actions": kinds.whole(1, 256),
    "playouts": kinds.whole(1, 10_000, FEW).of(1).up_to(100),
    "luck": kinds.whole(0, 10_000, FEW).of(0).up_to(2),
    "milliseconds": kinds.number(0, 10**6),
    "exploration": kinds.number(0, 1000),
    "temperature": kinds.number(1e-3, 10**6),
    "depth": kinds.whole(1, 64),
    "candidates": kinds.whole(1, 256),
    "visit_offset": kinds.number(0, 10**5),
    "value_scale": kinds.number(0, 10**5),
    "noise": kinds.number(0, 100),
    **dict.fromkeys(("sure", "start_sure", "margin"), kinds.number(0, 1)),
    "doubt": kinds.number(0, 100),
    "turns": kinds.whole(0, 10**4),
    "layers": kinds.nothing().of(lambda at: layers()),
    "net_layers": _kind(lambda value, call: "no layers" if value in ({}, {"a": 1}) else None).of(lambda at: layers()),
    "save.bits": _kind(
        lambda value, call: "one of the two kinds of weights" if kinds.is_whole(value) and value in (8, 16) else None,
        SCALARS,
    ).of(16),
    "about": kinds.nothing().of(lambda at: agents.net.describe(BASE)),
    "save.about": _kind(
        lambda value, call: None if isinstance(value, bytes | complex | type) else "JSON can say it"
    ).of(lambda at: agents.net.describe(BASE)),
    "save.file": kinds.instance(io.BytesIO).of(lambda at: io.BytesIO()),
    "numbers": NUMBERS.of(lambda at: Position.of(engine_of(at.rules)).numbers.copy()),
    **dict.fromkeys(("policies", "values"), ROWS_AT_MOST.of(1)),
    # matches, tournaments and studies
    "bots": BOTS.of(["random", "greedy"]),
    "bot": BOTS.of("random"),
    **dict.fromkeys(
        ("calibration.bot", "foresight.bot"), kinds.instance(agents.net.NetBot).of(lambda at: agents.net.NetBot())
    ),
    "judgements.record": kinds.instance(Record).of(lambda at: parse(recorded(turns=2))),
    "judgements.numbers": kinds.several(kinds.whole(0, 5)).of([0]),
    "judgements.luck": STRICT,
    **dict.fromkeys(("evaluator.bot", "judgements.bot"), kinds.nothing().of(lambda at: OBJECTS[Bot](at.rules))),
    "names": BOTS.of(["random"]),
    "progress": kinds.function(),
    "play_match.deals": kinds.whole(1, 100, sharp=False).of(1),
    "mirror.deals": GAMES.of(1),
    "rubles": _kind(_two_rubles, SCALARS).of((0, 1)),
    "mirror.rubles": kinds.nothing(),
    "limit": kinds.number(5e-324, 86_400, FEW),
    "until": kinds.number(1e-3, 100, FEW),
    "watcher": kinds.nothing(),
    "first": kinds.whole(0, 100, sharp=False).of(0),
    "entrant": kinds.whole(0, 1).of(1),
    "Match.of.values": SCORES.of(lambda at: at.owner.prestige.copy()),
    "Match.part.deals": DEALS.of(lambda at: np.array([True, False])),
    "games": GAMES.of(2),
    "workers": kinds.whole(0, 1000, sharp=False).of(1),
    "journal": kinds.anything("made by the commands that go on", ()),
    "jobs": EMPTY.of(lambda at: [job()]),
    "work": EMPTY.of(lambda at: [job()]),
    # a class is callable, and what it returns or raises is its own
    "skip": kinds.function().without("a class"),
    "task": kinds.function().without("a class").of(lambda at: jobs.play_job),
    "tell": kinds.function().without("a class"),
    "tune.TuningSettings.players": kinds.nothing().of((2,)),
    "TuningSettings.start": BOTS,
    "keep": kinds.empty("no weights are kept"),
    **dict.fromkeys(("against", "anchors"), BOTS),
    **dict.fromkeys(("rounds", "generations"), GAMES.of(1)),
    "population": kinds.whole(4, 100, FEW, sharp=False).of(4).up_to(8),
    "TuningSettings.step": kinds.number(1e-9, 100, FEW),
    "TuningSettings.hires": kinds.number(0, 6, FEW),
    "cells": kinds.anything("cells of the protocol", ()),
    "found": EMPTY.of([]),
    # training
    "shares": kinds.nothing().of({"greedy": 0.5, "self": 0.5}),
    "OpponentPool.keep": kinds.whole(1, 10**9, sharp=False).of(2),
    "run.train.chosen": kinds.instance(TrainingSettings).of(lambda at: dataclasses.replace(TINY, imitation=0)),
    "from_dict.values": EMPTY.of({}),
    "checked_named.values": kinds.instance(dict).of({"teacher": "greedy"}),
    "read_settings.file": BOTS.of(lambda at: written("settings.json")),
    "checkpoint.load.folder": BOTS.of(lambda at: Path(written("run"))),
    "folder": kinds.to_write().of(Path("trained")),
    "recorder.folder.path": kinds.to_write().of("records"),
    "TrainingSettings.start": kinds.text("read when the run begins"),
    "TrainingSettings.teacher": NAME.of("greedy"),
    "TrainingSettings.guide": NAME.of("greedy"),
    **dict.fromkeys(
        ("TrainingSettings.bonus", "TrainingSettings.raised", "TrainingSettings.by_verb.named"),
        _kind(lambda value, call: "no action is named" if value == {} else None).of({}),
    ),
    "TrainingSettings.opponents": kinds.nothing().of({"greedy": 0.5, "self": 0.5}),
}
"""What arguments may be, by name."""


QUICK = (
    "engine",
    "turn_limit",
    "ruleset",
    "games",
    "simulations",
    "num_simulations",
    "rounds",
    "generations",
    "population",
)
"""Optional arguments that are always given, for the sake of time."""


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a callable; names that are imported for type checkers alone are looked up here."""
    known = {one.__name__: one for one in OBJECTS} | vars(typing) | vars(collections.abc) | vars(np.typing)
    found = function.__init__ if inspect.isclass(function) and "__init__" in vars(function) else function
    home = {**known, **vars(sys.modules[function.__module__])}
    return typing.get_type_hints(found, globalns=home, localns={"np": np, "match": match, "jobs": jobs})


def _of_annotation(annotation: Any) -> Kind | None:
    """Return what an argument may be whose annotation says it all."""
    parts = typing.get_args(annotation)
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        annotation = parts[0]
    if annotation in OBJECTS:
        return kinds.instance(annotation).of(lambda at: OBJECTS[annotation](at.rules))
    if annotation in BY_ANNOTATION:
        return BY_ANNOTATION[annotation]
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return kinds.word(*parts).of(parts[0])
    if origin is collections.abc.Callable:
        return kinds.function().of(lambda at: print)
    return None


BY_ANNOTATION: dict[Any, Kind] = {
    bool: STRICT.of(True),
    int: Kind(SCALARS, lambda value, call: "a whole number" if kinds.is_whole(value) else None).of(1),
    float: Kind(SCALARS, _finite).of(1.0),
    str: kinds.text().of("text"),
}


def kinds_of(target: str, function: Callable[..., Any]) -> dict[str, Kind | None]:
    """Return what each argument of a callable may be, None where neither its name nor its annotation says so."""
    *path, last = target.removeprefix("rc_env.").split(".")
    annotations, found = _annotations(function), {}
    fields = (
        {one.name: one.metadata for one in dataclasses.fields(function)} if dataclasses.is_dataclass(function) else {}
    )
    for name, parameter in inspect.signature(function).parameters.items():
        if name in ("self", "cls") or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        annotation = annotations.get(name, Any)
        *ways, plain = [".".join([*path, last, name][at:]) for at in range(len(path) + 2)]
        keys = [*ways, *(f"{one}.{name}" for one in path[-1:])]
        kind = next((NAMED[key] for key in keys if key in NAMED), None)
        if kind is None and fields.get(name, {}).get("limits"):
            low, high = fields[name]["limits"]
            kind = (kinds.whole if annotation is int else kinds.number)(low, high, FEW)
            if plain in QUICK:
                kind = dataclasses.replace(kind, good=NAMED[plain].good)
        if kind is None and fields.get(name, {}).get("known"):
            kind = kinds.word(*fields[name]["known"])
        kind = kind or NAMED.get(plain) or _of_annotation(annotation)
        if kind is not None and type(None) in typing.get_args(annotation):
            kind = kind.or_none()
        found[name] = kind
    return found
