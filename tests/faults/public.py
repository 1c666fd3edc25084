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


def _by_name(reasons: dict[str, str]) -> dict[str, str]:
    """Return the reason of each name, of a table of names by reason."""
    return {f"rc_env.{name}": reason for reason, names in reasons.items() for name in names.split()}


INTERNAL = _by_name(
    {
        "re-exports names of the modules of bots": "agents",
        "the checks of the engine's arguments, from which the refusals of attacks come": "arguments",
        "the implementation of `Engine.save` and `Engine.load`, which are attacked": "saved_games",
        "checks games from outside for `Engine.restore`, which is attacked": "validation",
        "reads for callables that are attacked; `tests/test_strange_files.py` has what it refuses": "archives",
        "the checks of all arguments, from which the refusals of attacks come": "checks",
        "keeps compiled code; `tests/test_compile_cache.py` has foreign, cut and altered files": "compile_cache",
        "gathers what `Ruleset.build` has, and finds the other build's classes for the package itself": "build",
        "a part of `card_sets.source`, which is attacked, or of the documentation": "card_sets",
        SCHEMA: (
            "edition fields layout layout.pieces layout.packing layout.tiles rules.printed.vocabulary "
            "rules.printed.expansion_vocabulary rules.printed.specialist_vocabulary"
        ),
        "writes where its callers, which are attacked, say; `tests/test_files.py` has its faults": "files",
        "compiles the package's own functions": "jit linking",
        "calls the compiled loops for `Engine`, which checks what it passes and is attacked": "loops",
        COMPILED: (
            "kernels layout.subjects layout.writer record.contractors record.decision record.expansion "
            "record.position record.text record.utf8 rules agents.actions agents.actions_full agents.build "
            "agents.features agents.features_full agents.hiring agents.scorer agents.simulation agents.tree "
            "agents.values agents.values_full"
        ),
        "the game for OpenSpiel, an extra; `tests/test_open_spiel.py` has what it refuses": "envs.open_spiel",
        WORDS: (
            "words.expansion_notation words.facts.common words.facts.reader words.facts.full "
            "words.facts.full_as_text words.facts.full_from_game words.facts.full_from_vector "
            "words.facts.contractors_as_text words.facts.contractors_from_game words.facts.contractors_from_vector"
        ),
        DRAWN: (
            "render.abbreviations render.amounts render.cathedral render.contractors render.contractors_pieces "
            "render.contractors_seats render.drawing render.expansion "
            "render.guild_icons render.ivan render.market render.moscow render.pieces render.seats "
            "render.stocks render.text_contractors render.text_seats"
        ),
        "a part of `expansion_file.load`, which is attacked": "rules.printed.contractors_file",
        "a part of `record.parse`, which is attacked": "record.form record.header record.lines record.start",
        "defines no callables": "training arena arena.studies",
        "keeps what long commands have done; `tests/test_resume.py` has what it refuses": "arena.journal arena.locks",
        RESULTS: (
            "arena.lineups arena.machine arena.ratings arena.referee arena.results arena.standings "
            "arena.figures arena.seeds arena.intervals arena.over_sets arena.outcomes"
        ),
        COMMAND: "arena.recording apps.cli training.averaging",
        "does the work of `jobs.Workers`, which is attacked, and has tests of its own": (
            "arena.runners arena.ray_runner"
        ),
        "a watcher of `play_match`, made by `jobs.play_job`": "arena.metrics",
        MEASURES: "apps.speed",
        TENSORS: (
            "training.clock training.evaluation training.games training.gumbel_learner training.imitation "
            "training.learner training.network training.onnx_export training.parallel training.ppo "
            "training.replay training.rollout training.sb3_learner training.sb3_vec_env training.scaling"
        ),
        PAGES: "arena.pages",
        "a fingerprint of what is shipped": "arena.studies.anchors",
        PERSON: "apps.table apps.terminal",
        "refuses old import paths; `tests/test_moved.py` imports them all": "moved",
        "answers the pages of `rc serve`; `tests/test_web.py` has what it refuses of them": "apps.web",
    }
)
"""Modules that are not attacked one callable at a time, those below them included unless they are attacked."""

EXEMPT = _by_name(
    {
        "takes one flag; `tests/test_wrong_arguments.py` asks before `reset`": "envs.aec.raw_env.last",
        "a protocol": "bot.Bot batch.Listener arena.match.Watcher training.run.Stage",
        "a property": "agents.net.Net.reward",
        "the first step of `load`, which is attacked": "agents.net.network_file",
        "a property of unfinished games; `tests/test_table.py` has what it refuses": "record.reading.Record.seated",
        "any text may name a bot, of one that is not there no files are known": "agents.registry.weight_files",
        "takes what `jobs.variant_of` has made": "arena.jobs.ruleset_of",
        "the rows of the engines of an EngineGroup, which is attacked": "batch.first_rows",
        "a check of a bot's argument; the bots are attacked": "bot.Position.checked",
        "a check of bots, for `play_match` and the environments, which are attacked": "bot.checked_bot",
        "a check of `step` and `render`, which are attacked": "envs.gym.OneSeatGames.check_begun",
        "takes a number of a row that the recorder follows": "record.recorder.Recorder.unfinished",
        "needs a row into which a position was put; `tests/test_real_table.py` has what it refuses": (
            "record.recorder.Recorder.begin"
        ),
        "a number of the variant": "ruleset.Ruleset.ivan_cards training.settings.TrainingSettings.values",
        "a check of the environments, which are attacked": (
            "envs.vector.checked_options envs.vector.checked_deal envs.vector.checked_limit"
        ),
        "the games of the vector environments, which are attacked": "envs.vector.games_of",
        "memory that the engines of an EngineGroup share, which is attacked": "memory.Memory",
        "what is pickled; `__setstate__`, which reads it, is attacked": "batch.EngineState batch.GroupState",
        "working memory of a thread of an engine, which makes it": "memory.scratch",
        "the threads of an engine, which makes them": "threads.Threads",
        "which thread is in a call of an engine, which makes it": "threads.Mark",
        "decorates the calls of engines, which are attacked": "threads.owned",
        "a part of `legal_mask` of engines and groups, which are attacked": "engine.handed_out",
        "hand out `Engine.games`, `legal_mask`, `rewards` and clones; `tests/test_sealing.py` attacks that": (
            "sealing.sealed sealing.shared sealing.unsealed"
        ),
        "a result, which is never an argument": (
            "batch.Results arena.solo.SoloScore arena.solo.Comparison arena.tournament.TournamentResult"
        ),
        "calls bots one after the other, for `OneSeatGames` and `play_match`, which are attacked": "seating.choices",
        "asks bots for `OneSeatGames` and self-play, which are attacked": "seating.positions_of",
        SCHEMA: "agents.inputs.Objects",
        "an exception": "bot.CannotPlay record.reading.RecordError rules.printed.data_file.DataError",
        "a tuple of what `record_html` has replayed": "render.html.Moment",
        DRAWN: (
            "render.html.board_pieces render.html.board_style render.text.BoardForm render.text.board_lines "
            "render.text.head_lines"
        ),
        "what `replay_html`, which is attacked, has checked, as data": "render.html.replay_data",
        WORDS: "render.html.rolls_text render.html.ivan_text",
        "reads the properties of the terminal": "render.text.has_colour",
        TENSORS: "training.checkpoint.Log training.checkpoint.export training.checkpoint.save",
        "attacked through `rc curve`": "training.checkpoint.read_log",
        "an inner function; `full_disk.py` lets its writes fail": "training.checkpoint.write_file",
        "made by `train`, which is attacked": "training.run.Run",
        "handles signals": "training.run.Stop",
        "words of a message": "training.run.command_to_resume",
        "reads what `read_settings` does, which is attacked": "training.run.settings_of",
        "the first half of `read_settings`, which is attacked": "training.settings.read_named",
        "computes a rate for the learners": (
            "training.settings.TrainingSettings.learning_rate_at training.settings.TrainingSettings.entropy_at"
        ),
        "passes values to `PlayoutSettings`, which is attacked": "training.settings.TrainingSettings.search",
        "names that the settings give": "training.settings.TrainingSettings.bots",
        COMMAND: "training.settings.add_arguments training.settings.given",
    }
)
"""The callables of attacked modules that are not attacked, with reasons; a class's reason covers its methods."""
KEPT = _by_name(
    {
        "made by `Position.of`, which checks": "bot.Position",
        "made by `parse`, which checks": "record.reading.Record",
        "made by `load`, which checks": "rules.printed.data_file.DataFile",
        "made by `play_match`": "arena.match.Match",
        "made by `Ruleset`, which checks the number of players": (
            "layout.actions.ActionLayout layout.observation.ObservationLayout"
        ),
        "a message between processes; `play_job` and `play_match` check what it says": (
            "arena.jobs.Job arena.jobs.Failure arena.jobs.Outcome"
        ),
        "called while a game is recorded, with values of the engine's own": (
            "record.recorder.deal_line record.recorder.Recorder.dealt record.recorder.Recorder.played "
            "record.recorder.Recorder.restored"
        ),
        "called by bots with arrays of their own": "agents.random.choose agents.net.choose",
    }
)
"""Callables that keep or use what they are given as it is, with reasons; their methods are attacked."""
OF_EXTRAS = ("grpc", "pyspiel", "ray")
"""Packages that belong to an extra, which may not be installed; modules that import them are useful only with it."""
PARTS = {
    "rc_env.card_sets.source": "checked_name pairs load_base load_expansion contradicted",
    "rc_env.rules.printed.data_file": "load check DataFile",
    "rc_env.rules.printed.expansion_file": "load check",
    "rc_env.rules.setup": "open_deal checked_deals",
    "rc_env.words.notation": "deal_to_dict dict_to_deal",
    "rc_env.layout.actions": "ActionLayout",
    "rc_env.words.facts.as_text": "describe facts_text effect_text",
    "rc_env.agents.inputs": "Inputs",
    "rc_env.agents.random": "RandomBot",
    "rc_env.agents.plan": "PlanBot named checked as_text weights_of tables_of",
    "rc_env.render.view": "view",
    "rc_env.render.svg": "board_svg",
    "rc_env.render.text": "board_text",
    "rc_env.render.image": "board_image",
    "rc_env.arena.solo": "compare",
    "rc_env.arena.evaluation": "",
    "rc_env.arena.luck": "",
    "rc_env.arena.studies.balance": "",
    "rc_env.training.pool": "OpponentPool",
    "rc_env.arena.studies.benchmark": "limited_cells",
    "rc_env.arena.jobs": "Job Failure Outcome Workers play_job variant_of warm",
    "rc_env.arena.tournament": "Schedule run",
    "rc_env.arena.match": "Match play_match",
    "rc_env.arena.studies.calibration": "calibration",
    "rc_env.arena.studies.foresight": "foresight",
    "rc_env.arena.studies.first_player": "mirror mixed",
    "rc_env.arena.studies.stats": "sample",
    "rc_env.arena.studies.tune": "TuningSettings",
    "rc_env.arena.studies.analysis": "annotated evaluator judgements",
    "rc_env.arena.studies.error_rates": "",
    "rc_env.arena.studies.reasons": "",
    "rc_env.arena.studies.conclusions": "",
    "rc_env.arena.studies.guilds": "",
    "rc_env.arena.studies.handicap": "",
    "rc_env.arena.studies.levels": "",
    "rc_env.arena.studies.uncertainty": "",
}
"""For some modules, the only callables that are attacked: they lead to all the others."""
METHODS = _by_name(
    {
        TENSORS: "training.pool.OpponentPool",
        "writes the catalogue into the constants while a ruleset is made": "layout.actions.ActionLayout.fill",
    }
)
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


_BOTS = ("inputs", "net", "plan", "playout_search", "random", "registry", "search")
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
            if name in PARTS and key not in PARTS[name].split():
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
