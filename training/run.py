"""A training run: a warm start by imitation or from a file, then self-play, checkpoints and evaluations.

Everything that an iteration draws follows from the seed and the number of the iteration, so that a run that goes on
from a checkpoint is the same run, bit for bit, with the same number of threads on the same machine. Under `torchrun`
several processes train together (`rc_env.training.parallel`); the first of them writes.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import signal
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import numpy as np
import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from rc_env import agents, checks, files
from rc_env.agents import net
from rc_env.agents.net import BEST, LAST, Net
from rc_env.arena import match
from rc_env.arena.locks import alone
from rc_env.training import checkpoint, parallel, settings
from rc_env.training.checkpoint import Log
from rc_env.training.clock import Clock
from rc_env.training.evaluation import evaluate
from rc_env.training.games import SelfPlayGames
from rc_env.training.gumbel_learner import GumbelLearner
from rc_env.training.imitation import Imitation
from rc_env.training.network import FrozenBot, Network, device_of, precision_of
from rc_env.training.ppo import PPO
from rc_env.training.settings import TrainingSettings
from rc_env.training.transfer import can_carry

SAVE_SECONDS = 60  # between two checkpoints at most; it decides what a kill costs, never what is learned
EVALUATION_SEED = (
    1_000_003  # seed of evaluation games during training; the final measurement of the best network uses another one
)
EVALUATED_SETS = 8
"""The most sets of cards for evaluation, evenly spaced among those that are trained on."""
MOST = 10**16  # the most decisions, and log lines, that a checkpoint may claim: more than any budget
Tell = Callable[[dict[str, Any]], None]


class Stage(Protocol):
    """A part of the training: imitation, then PPO, self-play with search or MaskablePPO."""

    games: SelfPlayGames
    clock: Clock

    def iterate(self, progress: float) -> dict[str, float]:
        """Collect a rollout and learn from it; `progress` of the stage is from 0 to 1."""
        ...

    def state(self) -> dict[str, Any]:
        """The state for `restore`, apart from the network and the pool."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Take over a state that `state` returned."""
        ...


class Run:
    """A training run in a folder, from its beginning or from its checkpoint.

    Args:
        chosen: see `TrainingSettings`.
        folder: is made if there is none; gets `config.json`, `checkpoint.pt`, `last.npz`, `best.npz`,
            `progress.jsonl` and files of TensorBoard.
        state: a state that `checkpoint.load` returned, to resume from.

    Attributes:
        network: the network that is trained.
        decisions: played so far, those of opponents included (with MaskablePPO: the learner's alone).

    Raises:
        ValueError: the state is not one that `save` wrote, or does not fit this version.
        OSError: the folder cannot be written to.

    Example:
        >>> from pathlib import Path
        >>> from rc_env.training.run import Run
        >>> from rc_env.training.settings import TrainingSettings
        >>> run = Run(TrainingSettings(imitation=512, decisions=512, envs=8, steps=8, batch=64), Path("run"))
        >>> run.finished, run.decisions
        (False, 0)
    """

    def __init__(self, chosen: TrainingSettings, folder: Path, state: dict[str, Any] | None = None) -> None:
        checks.instance("chosen", chosen, TrainingSettings, "TrainingSettings")
        folder = Path(checks.path("folder", folder))
        self.settings, self.folder = chosen, folder
        self._rulesets = chosen.rulesets
        self.ruleset = self._rulesets[0]
        parallel.join()
        if chosen.learner == "sb3" and parallel.size() > 1:
            raise ValueError(f"learner sb3 trains in one process, not in {parallel.size()}: choose ppo or gumbel")
        if state is None:
            _check_bots(chosen)
        files.make_folder(folder)
        torch.set_num_threads(chosen.threads or max(1, (os.cpu_count() or 1) // parallel.local_size()))
        torch.manual_seed(chosen.seed)
        if chosen.precision == "auto":  # settled once, so that all processes and a resumed run compute alike
            self.settings = chosen = replace(chosen, precision=self._precision(state))
        self.network = Network(chosen)
        self.pool = chosen.pool()
        self._start_sha256: str | None = None  # a checkpoint of an earlier version has none, either
        if state is None:
            self._begin()
        self._mean = AveragedModel(self.network, multi_avg_fn=get_ema_multi_avg_fn(chosen.averaging))
        self._new = chosen.envs * chosen.steps * parallel.size()  # decisions of an iteration
        budgets = {"imitation": chosen.imitation, chosen.learner: chosen.decisions}
        self._stages = [(name, -(-budget // self._new)) for name, budget in budgets.items() if budget]
        self._stage, self._iteration, self.decisions = 0, 0, 0
        self._best = -1.0
        self._learner: Stage | None = None
        self._unsaved = time.monotonic()
        if state is not None:
            self._restore(state)
        # Only now, so that a run that cannot begin leaves an older run in the folder as it was.
        self.log: Log | None = None
        if parallel.rank() == 0:
            files.write(folder / settings.FILE, settings.to_json(chosen))
            self.log = Log(folder, 0 if state is None else state["lines"], self.decisions)

    def _precision(self, state: dict[str, Any] | None) -> str:
        """The precision of a run that leaves it open: that of its checkpoint, or the faster one where it began."""
        if state is not None:
            return settings.from_dict(_kept_settings(state, self.folder, self.settings.bots)).precision
        return parallel.of_first(str(precision_of(self.settings, device_of(self.settings))).removeprefix("torch."))

    def _begin(self) -> None:
        """Load the initial weights from a file, or keep the random ones."""
        if self.settings.start != "none":
            self._start_sha256 = hashlib.sha256(files.read(_start_file(self.settings))).hexdigest()
            self.network.start_from(first_network(self.settings))
            self.network.raise_logits(self.settings.by_verb(self.settings.raised))
            self.pool.add(FrozenBot(self.network))
        elif not self.settings.imitation:
            self.network.make_rare(self.settings)

    def _restore(self, state: dict[str, Any]) -> None:
        if settings.from_dict(_kept_settings(state, self.folder, self.settings.bots)) != self.settings:
            raise ValueError(
                f"resume: {self.folder} was begun with other settings than those given: `settings_of` reads its own"
            )
        expected = net.describe(self.ruleset)
        if state["game"] != expected:
            raise ValueError(f"resume: the run is on {state['game']}, but this version has {expected}: train anew")
        if not self._are_cards(state["cards"]):
            raise ValueError(
                f"resume: {self.folder} was begun with other cards than those in {self.settings.data} now: put them "
                "back, or train anew"
            )
        if (begun := 1 + len(state["others"])) != parallel.size():
            raise ValueError(
                f"resume: {self.folder} was begun with {begun} processes, not {parallel.size()}: "
                f"`{command_to_resume(self.folder, begun)}`"
            )
        try:
            self._take_over(state)
        except Exception as error:  # PyTorch and the engine report what does not fit in many ways
            if checks.by_signal(error):
                raise
            words = " ".join(str(error).split())[:200]
            raise ValueError(
                f"resume: the state in {self.folder / checkpoint.FILE} does not fit ({words}), so `rc train` did not "
                "write it"
            ) from error

    def _take_over(self, state: dict[str, Any]) -> None:
        for name, weights in (state["network"] | state["mean"]).items():
            if not torch.isfinite(weights).all():
                raise ValueError(f"{name} holds NaN or infinity; all numbers must be finite")
        self.network.load_state_dict(state["network"])
        self._mean.load_state_dict(state["mean"])
        self._stage, self._iteration = state["stage"], state["iteration"]
        checks.whole_number("stage", self._stage, 0, len(self._stages))
        for name in ("iteration", "decisions", "lines"):
            checks.whole_number(name, state[name], 0, MOST)
        self.decisions, self._best = state["decisions"], checks.number("best", state["best"], -1, 1)
        if (digest := state.get("start_sha256")) is not None:
            self._start_sha256 = checks.instance("start_sha256", digest, str, "a SHA-256 or None")
        self.pool.restore(state["pool"], self._snapshot)
        if state["learner"] is not None:
            self._learner = self._make_learner()
            self._learner.restore([state["learner"], *state["others"]][parallel.rank()])

    def _snapshot(self, weights: dict[str, torch.Tensor]) -> FrozenBot:
        network = Network(self.settings)
        network.load_state_dict(weights)
        return FrozenBot(network)

    @property
    def _cards(self) -> list[str]:
        """The hashes of the data files of all sets of cards."""
        files_of = [file for one in self._rulesets for file in (one.data_file, one.expansion_file) if file is not None]
        return [file.sha256 for file in files_of]

    def _are_cards(self, found: Any) -> bool:
        """Whether these are hashes of the same cards; earlier packaged files with equal numbers count as well."""
        known = [
            digests
            for one in self._rulesets
            for digests in (one.data_digests, (one.expansion_file.sha256,) if one.expansion_file is not None else ())
            if digests
        ]
        return isinstance(found, list) and len(found) == len(known) and all(a in b for a, b in zip(found, known))

    @property
    def averaged(self) -> Network:
        """The network with the running mean of the weights, which is evaluated and exported: see `TrainingSettings`."""
        found = self._mean.module
        assert isinstance(found, Network)
        return found

    @property
    def finished(self) -> bool:
        """Whether all stages are done."""
        return self._stage == len(self._stages)

    @property
    def _pays_bonus(self) -> bool:
        """Whether the stage is one with rewards for actions that have not fallen to 0 yet."""
        if self.finished or not self.settings.bonus or self._stages[self._stage][0] == "imitation":
            return False
        return self._iteration / self._stages[self._stage][1] < self.settings.bonus_until

    def _seed(self, number: int) -> int:
        """The seed of the stage's n-th iteration, different in each process."""
        others = [parallel.rank()] if parallel.rank() else []
        return int(np.random.SeedSequence([self.settings.seed, self._stage, number, *others]).generate_state(1)[0])

    def _make_learner(self) -> Stage:
        name, seed = self._stages[self._stage][0], self._seed(0)
        # A learner may have layers of its own, which begin alike in all processes and in a run that goes on.
        torch.manual_seed(int(np.random.SeedSequence([self.settings.seed, self._stage]).generate_state(1)[0]))
        if name == "imitation":
            return Imitation(self.settings, self.network, seed)
        if name == "sb3":
            from rc_env.training.sb3_learner import StableBaselines

            return StableBaselines(self.settings, self.network, self.pool, seed)
        if name == "gumbel":
            return GumbelLearner(self.settings, self.network, self.pool, seed)
        return PPO(self.settings, self.network, self.pool, seed)

    def iterate(self) -> dict[str, Any]:
        """One iteration of the current stage, then snapshot, evaluation and checkpoint if due; returns its log line."""
        begin, processor = time.monotonic(), time.process_time()
        name, length = self._stages[self._stage]
        if self._learner is None:
            self._learner = self._make_learner()
        seed = self._seed(1 + self._iteration)  # 0 is that of the deals
        torch.manual_seed(seed)
        np.random.seed(seed)  # noqa: NPY002 - Stable-Baselines3 draws its batches from it
        self._learner.games.draw_from(seed)
        self._learner.clock.take()
        measured = self._learner.iterate(self._iteration / length)
        if not all(bool(weights.isfinite().all()) for weights in self.network.parameters()):
            raise ValueError(
                f"the weights are no longer finite after {self.decisions + self._new:,} decisions: train anew with a "
                f"smaller learning rate; {self.folder} keeps its last checkpoint"
            )
        self._mean.update_parameters(self.network)
        self._iteration += 1
        self.decisions += self._new
        row: dict[str, Any] = {"decisions": self.decisions, "stage": name, **measured}
        seconds = time.monotonic() - begin
        row["decisions_per_s"] = self._new / seconds
        row |= {f"share/{part}": spent / seconds for part, spent in self._learner.clock.take().items()}
        if name != "imitation" and self._iteration % self.settings.snapshot_every == 0:
            self._add_snapshot()
        last = self._iteration == length
        due = last or self._iteration % self.settings.evaluate_every == 0
        if due and parallel.rank() == 0:
            row |= self.evaluate()
        if last:
            self._next_stage()
        row["seconds"] = time.monotonic() - begin
        row["seconds_of_processor"] = time.process_time() - processor  # all threads; other work adds nothing to them
        if self.log is not None:
            self.log.add(row)
        if parallel.of_first(due or self.finished or time.monotonic() - self._unsaved > SAVE_SECONDS):
            self.save()
        return row

    def _next_stage(self) -> None:
        if self._stages[self._stage][0] == "imitation":
            self._add_snapshot()  # replaces the random bot among past selves
        self._stage, self._iteration, self._learner = self._stage + 1, 0, None

    def _add_snapshot(self) -> None:
        assert self._learner is not None
        # Of all processes: the pool is kept once for all of them.
        in_use = parallel.everywhere(np.unique(self._learner.games.players).tolist())
        self.pool.add(FrozenBot(self.network), {number for numbers in in_use for number in numbers})

    def evaluate(self) -> dict[str, float]:
        """Play the evaluation anchors, and keep the network with the highest mean share of wins as `best.npz`.

        A newer network also replaces it if it is worse by no more than the standard error of so few games, and
        always while actions have rewards of their own, which its value counts.

        Returns:
            "won/NAME" and "prestige/NAME" for each anchor.
        """
        bot = FrozenBot(self.averaged, "net", sample=False)
        sets = self._rulesets[:: -(-len(self._rulesets) // EVALUATED_SETS)]
        games = -(-self.settings.evaluation_games // len(sets))
        scores = [evaluate(bot, one, self.settings.anchors, games, EVALUATION_SEED) for one in sets]
        won = {
            f"won/{of[0].opponent}": float(np.mean([one.share.mean for one in of])) for of in zip(*scores, strict=True)
        }
        mean = float(np.mean(list(won.values())))
        error = 0.5 / (self.settings.evaluation_games * len(won)) ** 0.5
        if mean > self._best - error:
            self.export(BEST)
        if not self._pays_bonus:
            self._best = max(self._best, mean)
        return won | {
            f"prestige/{of[0].opponent}": float(np.mean([one.prestige for one in of]))
            for of in zip(*scores, strict=True)
        }

    def export(self, name: str) -> None:
        """Write the mean network to a file of this name in the folder, as the bot `net` reads it."""
        how: dict[str, Any] = {"decisions": self.decisions, "settings": json.loads(settings.to_json(self.settings))}
        if self._start_sha256 is not None:
            how["start_sha256"] = self._start_sha256
        if len(self._rulesets) > 1:  # name all sets of cards
            how["data"] = self.settings.data
            how |= {"expansion_data": self.settings.expansion_data} if self.ruleset.full else {}
        checkpoint.export(self.averaged, self.ruleset, self.folder / name, **how)

    def close(self) -> None:
        """Close the log."""
        if self.log is not None:
            self.log.close()

    def save(self) -> None:
        """Write `checkpoint.pt` and `last.npz`, with the learners of all processes, which have to call it.

        Raises:
            OSError: the disk is full, or the like; the files written before are kept.
        """
        learners = parallel.gathered(None if self._learner is None else self._learner.state())
        self._unsaved = time.monotonic()
        if self.log is None:
            return
        self.export(LAST)  # first, since a run whose checkpoint says "finished" writes nothing more
        checkpoint.save(
            self.folder,
            {
                "settings": settings.to_json(self.settings),
                "game": net.describe(self.ruleset),
                "cards": self._cards,
                "network": self.network.state_dict(),
                "mean": self._mean.state_dict(),
                "pool": self.pool.state(lambda bot: bot.network.state_dict()),  # type: ignore[attr-defined]
                "learner": learners[0],
                "others": learners[1:],
                "finished": self.finished,
                "stage": self._stage,
                "iteration": self._iteration,
                "decisions": self.decisions,
                "best": self._best,
                "lines": self.log.lines,
                "start_sha256": self._start_sha256,
            },
        )


class Stop:
    """A context in which the first Ctrl-C or SIGTERM only sets `asked`, so that the current iteration can finish."""

    def __enter__(self) -> Stop:
        self.asked = False
        self._before = {}
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                self._before[number] = signal.signal(number, self._ask)
            except ValueError:  # not in the main thread, where signals cannot be handled
                break
        return self

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


def train(chosen: TrainingSettings, folder: Path, tell: Tell = lambda row: None, *, resume: bool = False) -> Run:
    """Train to the end, or until Ctrl-C, after which `finished` of the run is False and it can be resumed.

    Args:
        chosen: see `TrainingSettings`; of a run that is resumed, its own.
        folder: see `Run`.
        tell: callback, called after each iteration with the line of the log.
        resume: resume from the checkpoint in the folder.

    Raises:
        ValueError: a setting is out of range, or there is no checkpoint to resume from.
        OSError: the folder cannot be written to; the last good checkpoint is kept.

    Example:
        >>> from rc_env.training.run import train
        >>> from rc_env.training.settings import TrainingSettings
        >>> settings = TrainingSettings(
        ...     imitation=512, decisions=512, envs=16, steps=16, batch=64, trunk=16, heads=8, object=4, threads=1,
        ...     teacher="greedy", opponents={"self": 1}, evaluate_every=1, evaluation_games=4, anchors=("random",),
        ... )
        >>> train(settings, "run").finished
        True
    """
    if not callable(tell):
        checks.refuse("tell", tell, "a function of a line of the log")
    checks.flag("resume", resume)
    folder = Path(checks.path("folder", folder))
    if not resume:
        files.make_folder(folder)
    with _alone(folder):
        run = Run(chosen, folder, checkpoint.load(folder) if resume else None)
        if not resume:  # remove an older run's files, which could be mistaken for this run's
            if parallel.rank() == 0:
                (folder / BEST).unlink(missing_ok=True)
            run.save()
        with Stop() as stop:
            while not run.finished and parallel.least(not stop.asked):
                tell(run.iterate())
        if not run.finished:
            run.save()
        run.close()
    return run


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Context in which no other training writes to the folder; the system ends it with the process, too."""
    parallel.join()
    if parallel.rank() or not folder.is_dir():  # the first process writes; without a folder nothing can be resumed
        yield
        return
    with alone(folder, "out"):
        yield


def _check_bots(chosen: TrainingSettings) -> None:
    """Let each bot that is named play a turn: one that cannot play this game is refused before the training.

    Raises:
        ValueError: one cannot.
    """
    short = replace(chosen.ruleset, turn_limit=1)
    for name in dict.fromkeys(chosen.bots):
        match.play_match([agents.from_text(name)] * short.players, 1, short)


def command_to_resume(folder: Path, processes: int) -> str:
    """The command that resumes the run in a folder, which was begun with so many processes."""
    start = f"torchrun --nproc-per-node {processes} -m rc_env.apps.cli" if processes > 1 else "rc"
    return f"{start} train --resume {shlex.quote(str(folder))}"


def settings_of(folder: Path, trusted: Collection[str] = ()) -> TrainingSettings:
    """The settings of the run in a folder, from its checkpoint.

    `trusted` names bots that the checkpoint may name as well, beside the registered ones; see `rc_env.agents.of_file`.

    Raises:
        ValueError: there is no checkpoint, or its settings are invalid, or name a bot that they may not.
    """
    return settings.from_dict(_kept_settings(checkpoint.load(folder), folder, trusted))


def first_network(chosen: TrainingSettings) -> Net:
    """The network that training begins with, of settings whose `start` is not "none".

    It may have been trained on the other side of the workshops: both have one layout, and much of the play in common.
    For the full game it may be one of the base game.

    Raises:
        ValueError: there is no such network, or it is for another game.
    """
    ruleset = checks.instance("chosen", chosen, TrainingSettings, "TrainingSettings").ruleset
    trained = net.load(_start_file(chosen))
    same = trained.ruleset.layout_hash == ruleset.layout_hash
    if not same and not can_carry(trained.ruleset, ruleset):
        found, expected = (
            f"{one.players} players{', the full game' if one.full else ''}" for one in (trained.ruleset, ruleset)
        )
        raise ValueError(f"start: {chosen.start} has a network for {found}; this training needs one for {expected}")
    return trained


def _start_file(chosen: TrainingSettings) -> Path:
    """The file of weights that `start` names."""
    return net.network_file(net.shipped(chosen.ruleset) if chosen.start == "shipped" else chosen.start)


def _kept_settings(state: dict[str, Any], folder: Path, trusted: Collection[str]) -> dict[str, Any]:
    """The settings of a checkpoint, as `settings.from_dict` takes them."""
    file = Path(folder) / checkpoint.FILE
    try:
        found = json.loads(state["settings"])
    except (ValueError, RecursionError):
        raise ValueError(f"resume: the settings in {file} are not JSON, so `rc train` did not write it") from None
    return settings.checked_named(found, str(file), trusted)
