"""Every public callable of the package, with the reason for each that is not attacked.

A module is either attacked callable by callable, or listed here with a reason. `test_attacks.py` fails at a module that
is neither, and at a forgotten callable, argument or sub-command.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import rc_env

COMPILED = "compiled: called only with the engine's own arrays, by attacked callables that check their arguments"
DRAWN = "draws a part of what `render.view.view` has read; that and whole pictures are attacked"
WORDS = "puts into words what `words.notation` and `words.facts` read, which are attacked"
SCHEMA = "describes layouts while the package is loaded, from constants"
COMMAND = "reached by a command line, and attacked there"
TENSORS = "works on tensors of a run of its own; attacked through the settings, files and command lines of `rc train`"
PAGES = "makes pages of results that the package has measured itself; it has no other arguments"
RESULTS = "a part of matches, tournaments and studies, which pass only values that they have checked or computed"
PERSON = "talks with a person; attacked through `rc play` and `rc watch`, and has tests of its own"
MEASURES = "measures this checkout; attacked through `rc bench`"

INTERNAL: dict[str, str] = {
    "rc_env.agents": "re-exports names of the modules of bots",
    "rc_env.arguments": "the checks of the engine's arguments, from which the refusals of attacks come",
    "rc_env.saved_games": "the implementation of `Engine.save` and `Engine.load`, which are attacked",
    "rc_env.validation": "checks games from outside for `Engine.restore`, which is attacked",
    "rc_env.archives": "reads for callables that are attacked; `tests/test_strange_files.py` has what it refuses",
    "rc_env.checks": "the checks of all arguments, from which the refusals of attacks come",
    "rc_env.compile_cache": "keeps compiled code; `tests/test_compile_cache.py` has foreign, cut and altered files",
    "rc_env.build": "gathers what `Ruleset.build` has, and finds the other build's classes for the package itself",
    "rc_env.card_sets": "a part of `card_sets.source`, which is attacked, or of the documentation",
    "rc_env.edition": SCHEMA,
    "rc_env.fields": SCHEMA,
    "rc_env.files": "writes where its callers, which are attacked, say; `tests/test_files.py` has its faults",
    "rc_env.jit": "compiles the package's own functions",
    "rc_env.linking": "compiles the package's own functions",
    "rc_env.loops": "calls the compiled loops for `Engine`, which checks what it passes and is attacked",
    "rc_env.kernels": COMPILED,
    "rc_env.envs.open_spiel": "the game for OpenSpiel, an extra; `tests/test_open_spiel.py` has what it refuses",
    "rc_env.layout": SCHEMA,
    "rc_env.words.data_page": "writes pages of the documentation",
    "rc_env.words.expansion_notation": WORDS,
    **dict.fromkeys(
        (
            *("rc_env.words.facts.common", "rc_env.words.facts.reader", "rc_env.words.facts.full"),
            *("rc_env.words.facts.full_as_text", "rc_env.words.facts.full_from_game"),
            *("rc_env.words.facts.full_from_vector", "rc_env.words.facts.module_as_text"),
            *("rc_env.words.facts.module_from_game", "rc_env.words.facts.module_from_vector"),
        ),
        WORDS,
    ),
    **dict.fromkeys(("rc_env.layout.pieces", "rc_env.layout.packing", "rc_env.layout.tiles"), SCHEMA),
    "rc_env.layout.subjects": COMPILED,
    "rc_env.words.tables": "writes pages of the documentation",
    "rc_env.layout.writer": COMPILED,
    **dict.fromkeys(
        (f"rc_env.record.{name}" for name in ("contractors", "decision", "expansion", "position", "text", "utf8")),
        COMPILED,
    ),
    **dict.fromkeys(
        (
            f"rc_env.render.{name}"
            for name in (
                *("abbreviations", "cathedral", "contractors", "contractors_pieces", "contractors_seats", "drawing"),
                *("expansion", "expansion_pieces", "guild_icons", "ivan", "market", "moscow", "pieces", "seats"),
                *("stocks", "text_contractors", "text_seats"),
            )
        ),
        DRAWN,
    ),
    "rc_env.rules": COMPILED,
    **dict.fromkeys(
        (f"rc_env.rules.printed.{name}" for name in ("vocabulary", "expansion_vocabulary", "specialist_vocabulary")),
        SCHEMA,
    ),
    "rc_env.rules.printed.module_file": "a part of `expansion_file.load`, which is attacked",
    **dict.fromkeys(
        (
            f"rc_env.agents.{n}"
            for n in ("actions", "actions_full", "build", "features", "features_full", "scorer", "simulation", "tree")
        ),
        COMPILED,
    ),
    **dict.fromkeys(("rc_env.agents.values", "rc_env.agents.values_full"), COMPILED),
    "rc_env.training": "defines no callables",
    "rc_env.arena": "defines no callables",
    "rc_env.arena.journal": "keeps what long commands have done; `tests/test_resume.py` has what it refuses",
    **dict.fromkeys(
        (f"rc_env.arena.{name}" for name in ("lineups", "machine", "ratings", "referee", "results", "standings")),
        RESULTS,
    ),
    "rc_env.arena.figures": RESULTS,
    "rc_env.arena.seeds": RESULTS,
    "rc_env.arena.recording": COMMAND,
    "rc_env.arena.intervals": RESULTS,
    "rc_env.arena.over_sets": RESULTS,
    "rc_env.arena.outcomes": RESULTS,
    **dict.fromkeys(
        (f"rc_env.arena.{name}" for name in ("runners", "ray_runner")),
        "does the work of `jobs.Workers`, which is attacked, and has tests of its own",
    ),
    "rc_env.arena.metrics": "a watcher of `play_match`, made by `jobs.play_job`",
    "rc_env.apps.speed": MEASURES,
    "rc_env.apps.cli": COMMAND,
    "rc_env.training.averaging": COMMAND,
    **dict.fromkeys(
        (
            f"rc_env.training.{name}"
            for name in (
                *("clock", "evaluation", "games", "gumbel_learner", "imitation", "learner", "network", "onnx_export"),
                *("parallel", "ppo", "replay", "rollout", "sb3_learner", "sb3_vec_env", "scaling"),
            )
        ),
        TENSORS,
    ),
    "rc_env.arena.pages": PAGES,
    "rc_env.arena.studies": "defines no callables",
    "rc_env.arena.studies.anchors": "a fingerprint of what is shipped",
    "rc_env.apps.table": PERSON,
    "rc_env.apps.terminal": PERSON,
    "rc_env.moved": "refuses old import paths; `tests/test_moved.py` imports them all",
    "rc_env.apps.web": "answers the pages of `rc serve`; `tests/test_web.py` has what it refuses of them",
}
"""Modules that are not attacked one callable at a time, those below them included unless they are attacked."""

EXEMPT: dict[str, str] = {
    "rc_env.envs.aec.raw_env.last": "takes one flag; `tests/test_wrong_arguments.py` asks before `reset`",
    "rc_env.agents.gumbel.Evaluator": "a protocol",
    "rc_env.agents.net.Net.reward": "a property",
    "rc_env.arena.jobs.ruleset_of": "takes what `jobs.variant_of` has made",
    "rc_env.bot.Bot": "a protocol",
    "rc_env.bot.Position.checked": "a check of a bot's argument; the bots are attacked",
    "rc_env.bot.checked_bot": "a check of bots, for `play_match` and the environments, which are attacked",
    "rc_env.envs.gym.OneSeatGames.check_begun": "a check of `step` and `render`, which are attacked",
    "rc_env.record.recorder.Recorder.unfinished": "takes a number of a row that the recorder follows",
    "rc_env.ruleset.Ruleset.ivan_cards": "a number of the variant",
    "rc_env.seating.answer": "calls a bot for `OneSeatGames` and `play_match`, which are attacked",
    "rc_env.envs.vector.checked_options": "a check of `reset`, which is attacked",
    "rc_env.envs.vector.checked_deal": "a check of `reset`, which is attacked",
    "rc_env.batch.Listener": "a protocol",
    "rc_env.batch.Memory": "memory that the engines of an EngineGroup share, which is attacked",
    **dict.fromkeys(
        ("rc_env.batch.EngineState", "rc_env.batch.GroupState"),
        "what is pickled; `__setstate__`, which reads it, is attacked",
    ),
    "rc_env.batch.scratch": "working memory of a thread of an engine, which makes it",
    "rc_env.threads.Threads": "the threads of an engine, which makes them",
    "rc_env.threads.Mark": "which thread is in a call of an engine, which makes it",
    "rc_env.threads.owned": "decorates the calls of engines, which are attacked",
    "rc_env.engine.handed_out": "a part of `legal_mask` of engines and groups, which are attacked",
    **dict.fromkeys(
        ("rc_env.sealing.sealed", "rc_env.sealing.unsealed"),
        "hand out what `Engine.games`, `legal_mask` and `clone` give; `tests/test_sealing.py` attacks that",
    ),
    "rc_env.batch.Results": "a result, which is never an argument",
    "rc_env.seating.choices": "calls bots one after the other, for `OneSeatGames` and `play_match`, which are attacked",
    "rc_env.agents.inputs.Objects": SCHEMA,
    "rc_env.record.reading.RecordError": "an exception",
    "rc_env.record.reading.Refusal": "an exception",
    "rc_env.record.reading.refuse": "raises the exception of a refusal",
    "rc_env.record.reading.deal_of": "a part of `parse`",
    "rc_env.record.reading.brought_by": "a part of `parse`",
    "rc_env.record.reading.show": "returns the words of a message for a value",
    "rc_env.rules.printed.data_file.DataError": "an exception",
    "rc_env.render.html.Moment": "a tuple of what `record_html` has replayed",
    "rc_env.render.html.board_pieces": DRAWN,
    "rc_env.render.html.board_style": DRAWN,
    "rc_env.render.html.replay_data": "what `replay_html`, which is attacked, has checked, as data",
    "rc_env.render.html.rolls_text": WORDS,
    "rc_env.render.html.ivan_text": WORDS,
    **dict.fromkeys((f"rc_env.render.text.{name}" for name in ("BoardForm", "board_lines", "head_lines")), DRAWN),
    "rc_env.render.text.has_colour": "reads the properties of the terminal",
    "rc_env.arena.match.Watcher": "a protocol",
    "rc_env.arena.solo.SoloScore": "a result, which is never an argument",
    "rc_env.arena.solo.Comparison": "a result, which is never an argument",
    "rc_env.arena.tournament.TournamentResult": "a result, which is never an argument",
    "rc_env.training.checkpoint.Log": TENSORS,
    "rc_env.training.checkpoint.export": TENSORS,
    "rc_env.training.checkpoint.save": TENSORS,
    "rc_env.training.checkpoint.read_log": "attacked through `rc curve`",
    "rc_env.training.checkpoint.write_file": "an inner function; `full_disk.py` lets its writes fail",
    "rc_env.training.run.Run": "made by `train`, which is attacked",
    "rc_env.training.run.Stage": "a protocol",
    "rc_env.training.run.Stop": "handles signals",
    "rc_env.training.run.command_to_resume": "words of a message",
    "rc_env.training.run.settings_of": "reads what `read_settings` does, which is attacked",
    "rc_env.training.settings.read_words": "the first half of `read_settings`, which is attacked",
    "rc_env.training.settings.TrainingSettings.learning_rate_at": "computes a rate for the learners",
    "rc_env.training.settings.TrainingSettings.search": "passes values to `SearchSettings`, which is attacked",
    "rc_env.training.settings.TrainingSettings.bots": "names that the settings give",
    "rc_env.training.settings.TrainingSettings.values": "a number of the variant",
    "rc_env.training.settings.add_arguments": COMMAND,
    "rc_env.training.settings.given": COMMAND,
}
"""The callables of attacked modules that are not attacked, with reasons; a class's reason covers its methods."""
OF_EXTRAS = ("grpc", "pyspiel", "ray")
"""Packages that belong to an extra, which may not be installed; modules that import them are useful only with it."""
PARTS = {
    "rc_env.card_sets.source": ("checked_name", "pairs", "load_base", "load_expansion", "contradicted"),
    "rc_env.rules.printed.data_file": ("load", "check", "DataFile"),
    "rc_env.rules.printed.expansion_file": ("load", "check"),
    "rc_env.rules.setup": ("open_deal", "checked_deals"),
    "rc_env.words.notation": ("deal_to_dict", "dict_to_deal", "state_to_dict"),
    "rc_env.layout.actions": ("ActionLayout",),
    "rc_env.words.facts.as_text": ("describe", "facts_text", "effect_text"),
    "rc_env.agents.inputs": ("Inputs",),
    "rc_env.agents.random": ("RandomBot",),
    "rc_env.agents.plan": ("PlanBot", "named", "checked", "as_text", "weights_of", "tables_of"),
    "rc_env.render.view": ("view",),
    "rc_env.render.svg": ("board_svg",),
    "rc_env.render.text": ("board_text",),
    "rc_env.render.image": ("board_image",),
    "rc_env.arena.solo": ("compare",),
    "rc_env.training.pool": ("OpponentPool",),
    "rc_env.arena.studies.benchmark": ("limited_cells",),
    "rc_env.arena.jobs": (
        "Job",
        "Failure",
        "Outcome",
        "Workers",
        "make_bot",
        "play_job",
        "variant_of",
        "warm",
    ),
    "rc_env.arena.tournament": ("Schedule", "run"),
    "rc_env.arena.match": ("Match", "play_match"),
    "rc_env.arena.studies.calibration": ("calibration",),
    "rc_env.arena.studies.first_player": ("mirror", "mixed"),
    "rc_env.arena.studies.stats": ("sample",),
    "rc_env.arena.studies.tune": ("TuningSettings",),
    "rc_env.arena.studies.analysis": ("annotated", "evaluator", "judgements"),
    "rc_env.arena.studies.conclusions": (),
    "rc_env.arena.studies.guilds": (),
    "rc_env.arena.studies.handicap": (),
    "rc_env.arena.studies.levels": (),
    "rc_env.arena.studies.uncertainty": (),
}
"""For some modules, the only callables that are attacked: they lead to all the others."""
METHODS = {
    "rc_env.training.pool.OpponentPool": TENSORS,
    "rc_env.layout.actions.ActionLayout.fill": "writes the catalogue into the constants while a ruleset is made",
}
"""Methods of attacked classes that are not attacked: a class stands for all its methods without attacks."""


def modules() -> dict[str, ModuleType]:
    """Return all modules of the package by name, without the second build of the same files."""
    home, found = Path(rc_env.__file__).parent, {}
    for folder in (home, *(home / name for name in ("agents", "arena", "training", "apps"))):
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(home).with_suffix("").parts
            if parts[0] == "full":
                continue
            name = ".".join(["rc_env", *parts]).removesuffix(".__init__")
            if name not in found:
                try:
                    found[name] = importlib.import_module(name)
                except ModuleNotFoundError as error:
                    if error.name not in OF_EXTRAS:
                        raise
    return found


def reason_of(module: str) -> str | None:
    """Return why a module is not attacked, or None for one that is."""
    parts = module.split(".")
    for length in range(len(parts), 1, -1):
        if (name := ".".join(parts[:length])) in INTERNAL:
            below = length < len(parts)
            exact = any(target.startswith(f"{module}.") for target in ATTACKED)
            return None if below and exact else INTERNAL[name]
    return None


_BOTS = ("gumbel", "inputs", "net", "plan", "playout_search", "random", "registry", "search")
ATTACKED = (
    *(f"rc_env.arena.{name}." for name in ("intervals", "jobs", "match", "solo", "studies", "tournament")),
    *(f"rc_env.training.{name}." for name in ("checkpoint", "pool", "run", "settings")),
    *(f"rc_env.agents.{name}." for name in _BOTS),
    *("rc_env.words.facts.", "rc_env.words.notation.", "rc_env.layout.actions.", "rc_env.layout.observation."),
    *("rc_env.rules.printed.data_file.", "rc_env.rules.printed.expansion_file.", "rc_env.rules.setup."),
    "rc_env.card_sets.source.",
)
"""The modules that are attacked although a package above them is listed with a reason."""


def callables() -> Iterator[tuple[str, Any]]:
    """Yield the public functions, classes, methods and properties of all attacked modules, by name."""
    for name, module in modules().items():
        if reason_of(name) is not None and not any(f"{name}.".startswith(one) for one in ATTACKED):
            continue
        if name in INTERNAL:
            continue
        for key, value in vars(module).items():
            if key.startswith("_") or getattr(value, "__module__", None) != name or not callable(value):
                continue
            if name in PARTS and key not in PARTS[name]:
                continue
            yield f"{name}.{key}", value
            if inspect.isclass(value):
                for method, static in vars(value).items():
                    bound = static.__func__ if isinstance(static, staticmethod | classmethod) else static
                    if not method.startswith("_") and (inspect.isfunction(bound) or isinstance(static, property)):
                        yield f"{name}.{key}.{method}", bound


def exempt(name: str) -> str | None:
    """Return why a callable is not attacked, or None for one that is."""
    for known in (EXEMPT, METHODS):
        for one, reason in known.items():
            if name == one or name.startswith(f"{one}."):
                return reason
    return None


def resolved(target: str) -> Any:
    """Return the object that a target names."""
    parts = target.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            found = inspect.getattr_static(found, name, None) or getattr(found, name)
        return found.__func__ if isinstance(found, staticmethod | classmethod) else found
    raise LookupError(target)
