"""Settings of a training run: one dataclass, from which the command line and `config.json` follow."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

from rc_env import agents, checks, fields, files
from rc_env.agents.command_line import Listed, as_count
from rc_env.agents.gumbel import MOST_CONSIDERED_ACTIONS
from rc_env.agents.playout_search import PlayoutSettings
from rc_env.card_sets import source
from rc_env.fields import setting
from rc_env.rules.verbs import Verb
from rc_env.ruleset import SWITCHES, Ruleset
from rc_env.training.pool import LATEST, MOST_SNAPSHOTS, PAST, SELF, OpponentPool

FILE = "config.json"
LEARNERS = ("ppo", "gumbel", "sb3")
DEVICES = ("auto", "cpu", "cuda")
PRECISIONS = ("auto", "float32", "bfloat16")
TINY = 1e-9  # the least value where 0 would disable learning

VARIANT = ("players", "workshop", "data", "turn_limit", *SWITCHES)
"""Settings whose options are those of every command: `rc_env.apps.cli.options.add_variant` adds them."""


BOTS: dict[str, tuple[str, ...]] = {
    "teacher": (),
    "guide": ("none",),
    "anchors": (),
    "opponents": (SELF, LATEST, PAST),
}
"""Settings that name bots, with the words that they may hold besides."""


def _check_bot(setting: str, name: object) -> None:
    """Check the name of a bot in a setting: a mistyped one is refused now, not hours later."""
    checks.instance(setting, name, str, "the name of a bot")
    try:
        agents.from_text(str(name))
    except ValueError as error:
        raise ValueError(f"{setting}: {error}") from error


@dataclass(frozen=True)
class TrainingSettings:
    """Settings of a training run. The budget is in decisions: on one machine a seed always gives one model.

    Raises:
        ValueError: a value is out of range.

    Example:
        >>> from rc_env.training.settings import TrainingSettings
        >>> settings = TrainingSettings(players=3, learner="gumbel")
        >>> settings.ruleset.players
        3
    """

    # --- the game: see `Ruleset`; sets of cards may be several, such as sample:0-255
    players: int = Ruleset.players
    workshop: str = Ruleset.workshop
    data: str = "base"
    reward: str = setting("win", "reward at the end of a game: win (by place), first, margin or score; see Ruleset")
    reward_scale: float = setting(1.0, "factor by which rewards are multiplied", (TINY, 1e6))
    turn_limit: int = 150  # games of good play take about 25 turns a seat
    fourth_guild: str = Ruleset.fourth_guild
    special_tiles: bool = Ruleset.special_tiles
    promos: bool = Ruleset.promos
    expansion_data: str = "contractors"
    contractors: bool = Ruleset.contractors
    # --- the budget
    seed: int = setting(0, "seed of all random numbers of the run", (0, 2**63 - 1))
    decisions: int = setting(
        2_000_000,
        "number of decisions in self-play, including those of opponents (with --learner sb3 without them)",
        (0, 10**15),
    )
    start: str = setting(
        "none",
        "network to begin with; rc train then leaves out the warm start unless --imitation is named: a file, a run's "
        "folder, shipped (the one that comes with the package), or none; it may have been trained on the other side of "
        "the workshops, or, for the full game, in the base game; --trunk, --heads and --object are at least its own, "
        "and larger ones widen it",
    )
    # --- the warm start
    imitation: int = setting(
        2_000_000,
        "number of decisions of the warm start, in which the network imitates the teacher; 0 for no warm start, as it "
        "is for rc train with --start unless it is named",
        (0, 10**15),
    )
    teacher: str = setting("all_rounder", "bot that the warm start imitates")
    imitation_learning_rate: float = setting(
        2e-3, "learning rate at the beginning of the warm start; it falls to a tenth by its end", (TINY, 1)
    )
    imitation_batch: int = setting(512, "number of samples in a gradient step of the warm start", (2, 10**9))
    student_share: float = setting(
        0.5, "share of the games that the network itself plays at the end of the warm start; it rises from 0", (0, 1)
    )
    random_share: float = setting(
        0.05,
        "share of random actions in the warm start, which lead to positions that the teacher does not reach",
        (0, 1),
    )
    teacher_weight: float = setting(0.1, "weight of the imitation loss when PPO begins after a warm start", (0, 1e3))
    teacher_until: float = setting(
        0.3, "share of PPO's decisions after which the weight of the imitation loss has fallen to 0", (TINY, 1)
    )
    # --- rewards for exploration
    bonus: dict[str, float] = setting(  # noqa: RUF009 - returns a dataclass field
        {},
        "rewards of PPO for actions, by verb, on top of the game's: hire=0.2 rewards each contractor that is sent; "
        "they fall to 0 by --bonus-until, so that what is learned in the end is the game",
    )
    bonus_until: float = setting(
        0.5, "share of PPO's decisions after which the rewards for actions have fallen to 0", (TINY, 1)
    )
    raised: dict[str, float] = setting(  # noqa: RUF009 - returns a dataclass field
        {},
        "numbers by which the logits of actions are raised in the network of --start, by verb, so that one that never "
        "chose them tries them: hire=8",
    )
    guide: str = setting(
        "none",
        "bot that plays the first turns of some of the learner's seats in PPO, so that it learns to go on from "
        "positions that it would not reach by itself; none for no bot",
    )
    guide_share: float = setting(0.5, "share of the learner's seats whose first turns the guide plays", (TINY, 1))
    guide_turns: int = setting(
        15,
        "the most turns of a seat that the guide plays: for each such seat a number is drawn, from 1 to this one, "
        "which falls to 0 by --guide-until",
        (1, 1000),
    )
    guide_until: float = setting(0.5, "share of PPO's decisions after which the guide plays no more", (TINY, 1))
    # --- opponents, drawn for each seat of a new game
    opponents: dict[str, float] = setting(  # noqa: RUF009 - returns a dataclass field
        {"self": 0.4, "past": 0.1, "all_rounder": 0.5},
        "share of the other seats for each opponent: self (the learner), latest or past (its snapshots), or bots "
        "by name",
    )
    snapshot_every: int = setting(16, "number of iterations from one snapshot to the next", (1, 10**9))
    snapshots: int = setting(
        3,
        "number of snapshots that are kept; with more snapshots each of them plays smaller batches",
        (1, MOST_SNAPSHOTS),
    )
    # --- self-play
    learner: str = setting(
        "ppo", "ppo, gumbel (self-play with search), or sb3 (MaskablePPO of sb3-contrib)", known=LEARNERS
    )
    envs: int = setting(256, "number of games that are played at once (n_envs)", (1, 10**6))
    steps: int = setting(128, "number of decisions in each game between two updates (n_steps)", (2, 10**6))
    batch: int = setting(1024, "number of samples in a gradient step (batch_size)", (2, 10**9))
    epochs: int = setting(
        3,
        "number of passes over the samples of an update (n_epochs); with --learner gumbel, the mean number of times "
        "that each decision in the replay buffer is drawn",
        (1, 1000),
    )
    learning_rate: float = setting(3e-4, "learning rate at the beginning of self-play (learning_rate)", (TINY, 1))
    last_learning_rate: float = setting(3e-5, "learning rate at the end of self-play; it changes linearly", (0, 1))
    entropy: float = setting(
        0.003, "weight of the entropy bonus at the beginning (ent_coef); after a warm start little is needed", (0, 1e3)
    )
    last_entropy: float = setting(0.0005, "weight of the entropy bonus at the end; it changes linearly", (0, 1e3))
    clip: float = setting(
        0.2,
        "range to which the ratio of probabilities is clipped, 1 plus or minus this number (clip_range)",
        (TINY, 1e3),
    )
    value_weight: float = setting(0.5, "weight of the value loss (vf_coef)", (0, 1e3))
    gradient_norm: float = setting(0.5, "norm to which longer gradients are clipped (max_grad_norm)", (TINY, 1e9))
    gamma: float = setting(1.0, "discount factor (gamma); with 1 a late result counts as much as an early one", (0, 1))
    gae_lambda: float = setting(0.96, "lambda of generalised advantage estimation (gae_lambda)", (0, 1))
    rare: float = setting(
        4.0,
        "number by which the initial logits of re-rolls, and of actions that give up prestige for rubles, are lowered; "
        "only without a warm start and without --start",
        (-100, 100),
    )
    # --- self-play with search: --learner gumbel
    simulations: int = setting(16, "number of play-outs for each decision that is searched in full", (1, 10**6))
    candidates: int = setting(4, "number of actions that a search tries", (1, MOST_CONSIDERED_ACTIONS))
    value_scale: float = setting(
        0.3, "weight of play-outs against the network's policy in the search (c_scale)", (0, 10**5)
    )
    full_share: float = setting(
        1.0, "share of the decisions that are searched in full; from the others only the value is learned", (0.01, 1)
    )
    fast_simulations: int = setting(
        0,
        "number of play-outs for the other decisions; with 0 their actions are drawn from the network's policy",
        (0, 10**6),
    )
    sure: float = setting(
        1.0,
        "a decision is not searched if the network gives its most probable action a probability above this number: the "
        "action is then drawn from the network's policy, which is the policy target, too; 1 searches all decisions",
        (TINY, 1),
    )
    replay: int = setting(100_000, "number of decisions in the replay buffer", (1, 10**9))
    search_share: float = setting(
        0.5, "share of the search's value in the value targets; the rest is the outcome of the game", (0, 1)
    )
    prestige_weight: float = setting(0.1, "weight of the loss for the final prestige, an auxiliary target", (0, 1e3))
    # --- the network
    averaging: float = setting(
        0.8,
        "share of the running mean of the network's weights that remains when those of an iteration enter it; the "
        "network with the mean weights is evaluated and exported; 0 for the last weights alone",
        (0, 0.99999),
    )
    trunk: int = setting(256, "width of the hidden layers that policy and value share", (1, 10**5))
    layers: int = setting(2, "number of hidden layers that policy and value share", (1, 100))
    heads: int = setting(128, "width of the hidden layer that policy and value each have of their own", (1, 10**5))
    object: int = setting(
        32, "width of the layer that computes the logits of actions on objects, such as moves and sections", (1, 10**5)
    )
    device: str = setting("auto", "cpu, cuda, or auto: cuda where there is one", known=DEVICES)
    precision: str = setting(
        "auto",
        "number format of matrix products: float32, bfloat16, or auto: bfloat16 where it is faster",
        known=PRECISIONS,
    )
    threads: int = setting(0, "number of threads of the network on the CPU; 0 for one per core", (0, 10**4))
    # --- games played while training, against copies of each anchor
    anchors: tuple[str, ...] = setting(
        ("greedy", "all_rounder"), "bots, separated by commas, against which the network is evaluated during training"
    )
    evaluate_every: int = setting(32, "number of iterations from one evaluation to the next", (1, 10**9))
    evaluation_games: int = setting(200, "number of games against each anchor in an evaluation", (1, 10**8))

    def __post_init__(self) -> None:
        if isinstance(self.anchors, str) or not isinstance(self.anchors, Sequence):
            checks.refuse("anchors", self.anchors, "a list of names of bots")
        object.__setattr__(self, "anchors", tuple(self.anchors))
        fields.check(self)
        for name in ("data", "expansion_data"):
            named = checks.instance(name, getattr(self, name), str, "a word or the path of a file, as text")
            object.__setattr__(self, name, source.full_name(name, named))
        checks.instance("start", self.start, str, "a file, a run's folder, shipped or none")
        self._check_exploration()
        if self.learner == "gumbel" and (self.reward, self.reward_scale) != ("win", 1):
            raise ValueError(
                "reward must be win with a scale of 1 for --learner gumbel, since the search plays for places, not "
                f"{self.reward!r} with a scale of {self.reward_scale:g}"
            )
        if self.decisions + self.imitation < 1:
            raise ValueError("decisions and imitation are both 0, so there is nothing to train: give one of them")
        if self.learner == "gumbel" and min(self.simulations, self.candidates) < 2:
            least = "simulations" if self.simulations < 2 else "candidates"
            raise ValueError(f"{least} must be at least 2 for --learner gumbel: with 1 nothing is searched")
        if self.learner == "gumbel" and self.fast_simulations and self.full_share == 1:
            raise ValueError("fast_simulations: all decisions are searched in full with a full_share of 1")
        if self.learner == "sb3" and self.envs * self.steps % self.batch == 1:  # a batch of one sample would give NaN
            each = self.envs * self.steps
            raise ValueError(f"batch {self.batch} leaves 1 of {each} samples over: choose another size")
        if self.learner != "ppo" and len(source.pairs(self.data, self.expansion_data)) > 1:
            raise ValueError(
                f"learner {self.learner} trains on one set, not on several ({self.data}): choose ppo, which plays "
                "them in turn"
            )
        _ = self.ruleset
        if not self.anchors:  # the best network is the one that wins most games against them
            raise ValueError("anchors must name at least one bot")
        for which, name in (("teacher", self.teacher), *(("anchors", name) for name in self.anchors)):
            _check_bot(which, name)
        if len(set(self.anchors)) < len(self.anchors):
            raise ValueError(f"anchors must be different bots, not {', '.join(self.anchors)}")
        self.pool()

    def by_verb(self, named: Mapping[str, float]) -> dict[Verb, float]:
        """Numbers by names of verbs as numbers by verb, of `bonus` or `raised`.

        Raises:
            ValueError: the variant has no such verb.
        """
        if not isinstance(named, Mapping):
            checks.refuse("named", named, "numbers by verb")
        verbs = {action.verb.name.lower(): action.verb for action in self.ruleset.actions.actions}
        return {verbs[checks.one_of("verb", word, verbs)]: number for word, number in named.items()}

    def _check_exploration(self) -> None:
        """Refuse numbers for actions that the variant does not have, or that nobody would use."""
        for name, most in (("bonus", 1), ("raised", 100)):
            named = getattr(self, name)
            if not isinstance(named, Mapping):
                checks.refuse(name, named, "numbers by verb")
            try:
                self.by_verb(named)
            except ValueError as error:
                raise ValueError(f"{name}: {error}, the verbs of this variant") from None
            numbers = {
                word: float(checks.number(f"{name}, {word}", number, -most, most)) for word, number in named.items()
            }
            object.__setattr__(self, name, numbers)
        if self.bonus and self.learner != "ppo":
            raise ValueError(f"bonus is a setting of --learner ppo, not of {self.learner}")
        if self.bonus and not self.decisions:
            raise ValueError("bonus: is paid in PPO alone, and decisions is 0")
        if self.raised and self.start == "none":
            raise ValueError("raised changes the network that the training starts from: name one by --start")
        checks.instance("guide", self.guide, str, "the name of a bot, or none")
        if self.guide != "none":
            if self.learner != "ppo":
                raise ValueError(f"guide is a setting of --learner ppo, not of {self.learner}")
            if not self.decisions:
                raise ValueError("guide: plays in PPO alone, and decisions is 0")
            _check_bot("guide", self.guide)
        for name in ("bonus_until", "guide_share", "guide_turns", "guide_until"):
            of, _, _ = name.partition("_")
            if getattr(self, of) in ({}, "none") and getattr(self, name) != getattr(TrainingSettings, name):
                raise ValueError(f"{name}: there is no {of}; give one by --{of}")

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots that are named: the teacher, the guide, the anchors and those among the opponents."""
        guide = () if self.guide == "none" else (self.guide,)
        named = (name for name in self.opponents if name not in BOTS["opponents"])
        return (self.teacher, *guide, *self.anchors, *named)

    def pool(self) -> OpponentPool:
        """A new opponent pool; for MaskablePPO, which learns from one seat of a game, "self" is the latest snapshot."""
        if not isinstance(self.opponents, Mapping):
            checks.refuse("opponents", self.opponents, "shares by name")
        shares = dict(self.opponents)
        if self.learner == "sb3" and SELF in shares:
            shares[LATEST] = shares.get(LATEST, 0) + shares.pop(SELF)
        if self.guide != "none":
            shares.setdefault(self.guide, 0)  # a member that is never drawn as an opponent
        return OpponentPool(shares, self.snapshots)

    def search(self, num_simulations: int) -> PlayoutSettings:
        """The search settings of self-play for a number of play-outs, with Gumbel noise for exploration."""
        return PlayoutSettings(
            num_simulations=num_simulations,
            max_num_considered_actions=self.candidates,
            sure=1,  # the learner has chosen the positions
            value_scale=self.value_scale,
            noise=1,
        )

    def learning_rate_at(self, progress: float) -> float:
        """The learning rate after a share of self-play, from 0 to 1."""
        return self.learning_rate + (self.last_learning_rate - self.learning_rate) * progress

    def entropy_at(self, progress: float) -> float:
        """The weight of the entropy after a share of self-play, from 0 to 1."""
        return self.entropy + (self.last_entropy - self.entropy) * progress

    @property
    def values(self) -> int:
        """The number of the network's value outputs: one per seat for search with more than two seats, else 1."""
        return self.players if self.learner == "gumbel" and self.players > 2 else 1

    @property
    def ruleset(self) -> Ruleset:
        """The variant that is trained on; of several sets the first."""
        return self._ruleset(*source.pairs(self.data, self.expansion_data)[0])

    @property
    def rulesets(self) -> list[Ruleset]:
        """The variant with each of the sets that are trained on."""
        return [self._ruleset(*pair) for pair in source.pairs(self.data, self.expansion_data)]

    def _ruleset(self, data: source.Source, expansion_data: source.Source) -> Ruleset:
        named = {name: getattr(self, name) for name in VARIANT}
        return Ruleset(reward=self.reward, **{**named, "data": data, "expansion_data": expansion_data})


STANDARD = TrainingSettings(
    imitation=2_000_000,
    decisions=36_000_000,
    teacher_until=0.1,
    envs=512,
    steps=64,
    epochs=2,
    last_learning_rate=1e-5,
    averaging=0.95,
    evaluate_every=64,
    evaluation_games=400,
)
PRESETS = {
    "quick": TrainingSettings(imitation=800_000, decisions=1_000_000, epochs=2, averaging=0.5, evaluate_every=16),
    "standard": STANDARD,
    # Two hours of two cores; what it is meant to reach, and what has been run of it, says docs/training.md.
    "strong": dataclasses.replace(
        STANDARD,
        imitation=2_000_000,
        decisions=98_000_000,
        teacher_until=0.04,
        envs=1024,
        batch=8192,
        learning_rate=5e-4,
        last_learning_rate=5e-6,
        last_entropy=0.0002,
        averaging=0.98,
        trunk=384,
        object=48,
        threads=2,
    ),
    "long": dataclasses.replace(
        STANDARD,
        imitation=30_000_000,
        decisions=1_000_000_000,
        teacher_until=0.01,
        averaging=0.99,
        trunk=512,
        heads=256,
        snapshot_every=64,
        evaluate_every=128,
        evaluation_games=1000,
    ),
    # Self-play with search is so slow that iterations are small: games end, and are learned from, every few minutes.
    "gumbel": TrainingSettings(
        learner="gumbel",
        sure=0.9,
        imitation=2_000_000,
        decisions=1_000_000,
        envs=256,
        steps=16,
        batch=512,
        epochs=4,
        learning_rate=2e-4,
        last_learning_rate=2e-5,
        opponents={"self": 0.9, "past": 0.1},
        averaging=0.95,
        snapshot_every=32,
        evaluate_every=32,
        evaluation_games=400,
    ),
}

TYPES = get_type_hints(TrainingSettings)
OF_SEARCH = (
    *("simulations", "candidates", "value_scale", "full_share", "fast_simulations", "sure", "replay", "search_share"),
    "prestige_weight",
)
"""Settings of self-play with search, which the other learners do not look at."""
OF_EXPLORATION = ("start", "bonus", "bonus_until", "raised", "guide", "guide_share", "guide_turns", "guide_until")
"""Settings of where a training begins and what it tries."""
LATER = {"imitation_batch": 1024, "averaging": 0.0} | {
    name: getattr(STANDARD, name) for name in (*SWITCHES, *OF_EXPLORATION, *OF_SEARCH)
}
"""Settings that networks of earlier versions do not name, with the values they had then."""
KINDS: dict[Any, tuple[Any, str]] = {
    int: (int, "a whole number"),
    float: ((int, float), "a number"),
    str: (str, "a word"),
    bool: (bool, "true or false"),
    dict[str, float]: (dict, "numbers by name"),
    tuple[str, ...]: ((list, tuple), "a list of names"),
}
"""For each type of setting, the types that a file may hold, and their description."""


def from_dict(values: dict[str, Any], base: TrainingSettings | None = None) -> TrainingSettings:
    """Settings with these values, the others as in `base`.

    Raises:
        ValueError: there is no such setting, a value has another type or is out of range, or `base` are no settings.
    """
    base = TrainingSettings() if base is None else checks.instance("base", base, TrainingSettings, "TrainingSettings")
    for name, value in checks.instance("settings", values, dict, "settings by name").items():
        if name not in TYPES:
            raise ValueError(f"there is no setting {checks.cut(name)}: choose {', '.join(TYPES)}")
        kind, words = KINDS[TYPES[name]]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise ValueError(f"{name} must be {words}, not {checks.shown(value)}")
    return dataclasses.replace(base, **values)


def read_settings(file: Path, base: TrainingSettings | None = None, trusted: Collection[str] = ()) -> TrainingSettings:
    """Settings from a JSON or TOML file, which need not name all of them.

    `trusted` names bots that the file may name as well, beside the registered ones; see `rc_env.agents.of_file`.

    Raises:
        ValueError: the file is neither JSON nor TOML, or names a bot that it may not, or see `from_dict`.
        OSError: it cannot be read.
    """
    return from_dict(checked_named(read_named(file), str(file), trusted), base)


def checked_named(values: Any, where: str, trusted: Collection[str] = ()) -> dict[str, Any]:
    """Return settings of a file, as `from_dict` takes them, if the file may name their bots: see `agents.of_file`.

    Args:
        values: settings by name.
        where: the file, in words.
        trusted: bots that the user has named, which the file may name too.

    Raises:
        ValueError: they are no settings by name, or a bot is not registered, or leads to a file.
    """
    checks.instance("settings", values, dict, "settings by name")
    checks.instance("where", where, str, "the file, in words")
    checks.sequence("trusted", trusted, "a list of bots")
    for named, besides in BOTS.items():
        value = values.get(named)
        for name in [value] if isinstance(value, str) else _entries(value):
            if isinstance(name, str) and name not in besides:  # any other value is refused by `from_dict`
                agents.of_file(name, where, trusted)
    return dict(values)


def _entries(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | dict) else []


def read_named(file: Path) -> dict[str, Any]:
    """The settings that a JSON or TOML file names, as `from_dict` takes them.

    Raises:
        ValueError: the file is neither JSON nor TOML, or holds something else.
        OSError: it cannot be read.
    """
    file = Path(checks.path("config", file))
    try:
        raw = files.read(file, files.MOST_TABLES)
        values = files.toml(raw) if file.suffix == ".toml" else json.loads(raw.decode(), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"config: {file} is neither JSON nor TOML ({error})") from None
    if not isinstance(values, dict):
        raise ValueError(f"config: {file} must hold settings by name")
    return values


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, refused if a key occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"{checks.shown(checks.repeated(key for key, _ in pairs))} is given twice")
    return found


def to_json(settings: TrainingSettings) -> str:
    """The settings as the text of a JSON file for `read_settings`.

    Raises:
        ValueError: they are not settings.
    """
    checks.instance("settings", settings, TrainingSettings, "TrainingSettings")
    return json.dumps(dataclasses.asdict(settings), indent=2) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add an option for each setting, except for those of `VARIANT`."""
    group = parser.add_argument_group("settings", "each option replaces the setting of the preset or of --config")
    for one in dataclasses.fields(TrainingSettings):
        if one.name in VARIANT:
            continue
        kind, metavar = _WRITTEN[TYPES[one.name]]
        if one.metadata["known"]:
            metavar = f"{{{','.join(one.metadata['known'])}}}"  # checked by TrainingSettings, in a sentence
        words = f"{one.metadata['help']} ({_defaults(one.name)})".replace("%", "%%")
        several: dict[str, Any] = {"nargs": "+", "action": Listed} if one.name == "anchors" else {}
        group.add_argument(f"--{one.name.replace('_', '-')}", type=kind, help=words, metavar=metavar, **several)


def _defaults(name: str) -> str:
    """The values of a setting in the presets, in words."""
    values = {preset: _in_words(getattr(base, name)) for preset, base in PRESETS.items()}
    if len(set(values.values())) == 1:
        return f"default: {values['quick']}"
    return ", ".join(f"{preset}: {value}" for preset, value in values.items())


def _in_words(value: Any) -> str:
    """A value as the command line takes it."""
    if isinstance(value, dict):
        return ",".join(f"{name}={share:g}" for name, share in value.items()) or "none"
    if isinstance(value, tuple):
        return " ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def given(args: argparse.Namespace) -> dict[str, Any]:
    """The settings that are named on the command line."""
    named = {name: getattr(args, name) for name in TYPES if getattr(args, name) is not None}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in named.items()}


def _shares(text: str) -> dict[str, float]:
    """ "self=0.5,greedy=0.5", or "none"; a name may hold a colon and further equals signs."""
    shares: dict[str, float] = {}
    for word in [] if text == "none" else text.split(","):
        name, equals, share = word.rpartition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"{checks.shown(word)} is no number by name; write NAME=X,NAME=X")
        if name in shares:
            raise argparse.ArgumentTypeError(f"{name} is named twice; name each one once")
        try:
            shares[name] = float(share)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{name} must be a number, not {share!r}") from None
    return shares


_WRITTEN: dict[Any, tuple[Callable[[str], Any], str]] = {
    int: (as_count, "N"),
    float: (float, "X"),
    str: (str, "NAME"),
    dict[str, float]: (_shares, "NAME=X,..."),
    tuple[str, ...]: (str, "BOT"),
}
"""For each type of setting, what reads it from the command line, and what its help calls it."""
