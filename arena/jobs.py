"""Matches as jobs for worker processes or a Ray cluster; results do not depend on where they are played."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from rc_env import agents, checks
from rc_env.arena import match, outcomes
from rc_env.arena.journal import Journal
from rc_env.arena.luck import Luck
from rc_env.arena.match import Match
from rc_env.arena.metrics import Metrics, Tally
from rc_env.arena.runners import ProcessDied, ProcessRunner, Runner, Waiting, checked_workers
from rc_env.arena.seeds import part_seed
from rc_env.engine import Engine
from rc_env.ruleset import SWITCHES, Ruleset

Variant = tuple[Any, ...]
Work = TypeVar("Work")
Found = TypeVar("Found")


def variant_of(ruleset: Ruleset) -> Variant:
    """The arguments of a ruleset in order, the number of players first, for another process."""
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    values = (getattr(ruleset, field.name) for field in fields(ruleset))
    return tuple(str(value) if isinstance(value, os.PathLike) else value for value in values)


def variant_words(ruleset: Ruleset, seed: int, data: str | None = None, expansion_data: str | None = None) -> list[str]:
    """The words of a command line for a variant, without its players, and for a seed.

    `data` and `expansion_data` are the words for these where several sets are meant; by default the ruleset's.
    """
    words = [f"--workshop {ruleset.workshop} --seed {seed}"]
    given = {"data": data, "expansion_data": expansion_data}
    for name in ("data", "turn_limit", *SWITCHES):
        value, usual = given.get(name) or getattr(ruleset, name), getattr(Ruleset, name)
        if str(value) != str(usual):
            words.append(f"--{name.replace('_', '-')}" + (f" {value}" if usual is not False else ""))
    return words


@dataclass(frozen=True)
class Job:
    """A match to play, described by values that can be pickled for another process.

    Attributes:
        names: P labels; seats with the same one are played by the same bot.
        bots: P bots, each as `rc_env.agents.from_text` takes it.
        variant: what `Ruleset` takes; a ruleset itself drags its tables along.
        deals, seed, rotate, rubles, limit, first: see `match.play_match`.
        measure: collect `metrics`.
        luck: collect the luck of each seat, by so many play-outs of a roll, or by the values of the network ("net");
            0 for none; not together with `measure`.
    """

    names: tuple[str, ...]
    bots: tuple[str, ...]
    variant: Variant
    deals: int
    seed: int
    rotate: bool = True
    rubles: tuple[int, ...] | None = None
    limit: float | None = None
    measure: bool = False
    first: int = 0
    luck: int | str = 0


@dataclass(frozen=True)
class Failure:
    """A bot that failed, and a sentence that says why; without a name the whole job failed."""

    name: str | None
    sentence: str

    def as_json(self) -> dict[str, str | None]:
        """The failure as a dictionary for JSON."""
        return {"bot": self.name, "sentence": self.sentence}


@dataclass(frozen=True)
class Outcome:
    """The result of a job: its match (after a failure the deals that were finished, if any) and its metrics."""

    match: match.Match | None
    failure: Failure | None = None
    tally: Tally | None = None

    @property
    def whole(self) -> Match:
        """The match, where it was played to its end.

        Raises:
            ValueError: it was not, since a bot failed.
        """
        if self.failure is not None or self.match is None:
            raise ValueError(self.failure.sentence if self.failure else "nothing was played")
        return self.match


@lru_cache
def ruleset_of(variant: Variant) -> Ruleset:
    """The ruleset of which `variant_of` has made a variant: one object per process, since it caches its tables."""
    names = (field.name for field in fields(Ruleset))
    return Ruleset(**dict(zip(names, variant, strict=True)))


def warm(ruleset: Ruleset) -> None:
    """Compile what plays and shows games of a ruleset's build, or load it from the cache, by a match of one turn.

    Raises:
        ValueError: `ruleset` is not a ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    match.play_match(["random"] * ruleset.players, 1, replace(ruleset, turn_limit=1))
    Engine(ruleset).observe()


def luck_watcher(ruleset: Ruleset, games: int, seed: int, first: int, by: int | str) -> Luck | None:
    """The watcher of a match that begins with a deal of a seed; None if `by` is 0. See `Job`."""
    return Luck(ruleset, games, part_seed(seed, first), by) if by else None


def play_job(job: Job) -> Outcome:
    """Play a job with newly made bots, so that no earlier game can influence them.

    Networks compute on one thread: as many processes as processors are at work already, and the last digits of a matrix
    product depend on the number of threads.

    Raises:
        ValueError: `job` is not a job, or names something that does not fit.
    """
    checks.instance("job", job, Job, "a Job")
    ruleset = ruleset_of(job.variant)
    games = job.deals * (ruleset.players if job.rotate else 1)
    watcher = Metrics(ruleset, games) if job.measure else None
    luck = luck_watcher(ruleset, games, job.seed, job.first, job.luck)
    try:
        bots = {name: agents.from_text(text) for name, text in zip(job.names, job.bots, strict=True)}
        with threadpool_limits(1):
            played = match.play_match(
                [bots[name] for name in job.names],
                job.deals,
                ruleset,
                seed=job.seed,
                rotate=job.rotate,
                rubles=job.rubles,
                limit=job.limit,
                watcher=watcher or luck,
                first=job.first,
            )
    except match.BrokenMatch as error:
        name = job.names[error.entrant]
        return Outcome(error.match, Failure(name, f"bot {name}: {error.what}"))
    if luck is not None:
        played = replace(played, luck=luck.luck)
    return Outcome(played, None, watcher.tally(played) if watcher else None)


class Workers:
    """Plays jobs in processes of its own, on a Ray cluster, or in this process.

    Args:
        workers: how many processes, up to 1,000; 0 for none. "ray" for the Ray cluster that Ray finds by itself (the
            one that RAY_ADDRESS names, else one that runs on this machine, else a new one), "ray://HOST:PORT" for the
            one whose Ray Client server listens there.
        journal: keeps what is played, and gives what was played before the command was stopped.

    Raises:
        ValueError: the number is out of range, or the text names no cluster.
    """

    def __init__(self, workers: int | str = 0, journal: Journal | None = None) -> None:
        self._workers, self._journal = checked_workers("workers", workers), journal
        self._runner: Runner | None = None
        self._compiled: set[bool] = set()  # the builds, by `Ruleset.full`

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def play(
        self, jobs: Sequence[Job], skip: Callable[[Job], bool] = lambda job: False
    ) -> Iterator[tuple[Job, Outcome]]:
        """Play jobs and yield their outcomes in the order of the jobs.

        Args:
            jobs: what to play.
            skip: asked before each outcome; the caller may change its answer after an outcome, not within a job.

        Raises:
            ValueError: they are no jobs, or `skip` is no function; nothing was played.
        """
        work = [checks.instance("jobs", one, Job, "a list of Jobs") for one in checks.sequence("jobs", jobs, "Jobs")]
        if not callable(skip):
            checks.refuse("skip", skip, "a function of a Job")
        return self._play(work, skip) if self._journal is None else self._go_on(work, skip, self._journal)

    def apply(self, task: Callable[[Work], Found], work: Sequence[Work]) -> Iterator[Found]:
        """What a function makes of each piece of work, in their order.

        Args:
            task: a function of one piece; it stands in a module, so that another process finds it by its name.
            work: the pieces, which can be pickled.

        Raises:
            ValueError: `task` cannot be called, or `work` is no list; or, later, a process died over a piece.
        """
        if not callable(task):
            checks.refuse("task", task, "a function of one piece of work")
        return self._apply(task, checks.sequence("work", work, "pieces of work"))

    def _apply(self, function: Callable[[Work], Found], work: Sequence[Work]) -> Iterator[Found]:
        for number, (_, found) in enumerate(self._run(function, work, lambda one: False), 1):
            if isinstance(found, ProcessDied):
                raise ValueError(
                    f"a worker process died over piece {number} of {len(work)}: --workers 1 does the pieces in the "
                    "command's own process, which shows why"
                )
            yield found

    def _go_on(
        self, jobs: Sequence[Job], skip: Callable[[Job], bool], journal: Journal
    ) -> Iterator[tuple[Job, Outcome]]:
        """Like `play`, taking outcomes from the journal where it has them."""
        done = journal.done
        coming = self._play([job for job in jobs if outcomes.key(job) not in done], skip)
        for job in jobs:
            if skip(job):
                continue
            name = outcomes.key(job)
            if name in done:
                yield job, Outcome(*_kept(done[name], job))
                continue
            _, outcome = next(coming)
            if outcome.match is not None and outcome.failure is None:  # a bot that failed is asked again
                journal.add(name, outcomes.packed(outcome.match, outcome.tally))
            yield job, outcome

    def _play(self, jobs: Sequence[Job], skip: Callable[[Job], bool]) -> Iterator[tuple[Job, Outcome]]:
        """Like `play`, without the journal."""
        if jobs and self._workers != 0:
            self._start()  # a wrong address is refused before anything is compiled
            for ruleset in (ruleset_of(job.variant) for job in jobs):
                if ruleset.full not in self._compiled:  # once, rather than in every process
                    warm(ruleset)
                    self._compiled.add(ruleset.full)
        for job, found in self._run(play_job, jobs, skip):
            if isinstance(found, ProcessDied):
                failure = Failure(None, f"the process that played {' against '.join(job.names)} died")
                yield job, Outcome(None, failure)
            else:
                yield job, found

    def _run(
        self, function: Callable[[Work], Found], work: Sequence[Work], skip: Callable[[Work], bool]
    ) -> Iterator[tuple[Work, Found | ProcessDied]]:
        """Pieces of work with what the function makes of them, in order; `ProcessDied` where a process died over it."""
        if self._workers == 0:
            for one in work:
                if not skip(one):
                    yield one, function(one)
            return
        coming, sent = iter(work), deque[tuple[Work, Waiting[Found]]]()
        while True:
            # No more are sent than keep all processes busy, so that few are done that `skip` then rejects.
            while len(sent) < 2 * self._start().size and (following := next(coming, None)) is not None:
                if not skip(following):
                    sent.append((following, self._start().submit(function, following)))
            if not sent:
                return
            one, waiting = sent.popleft()
            if skip(one):
                continue
            found: Found | ProcessDied
            try:
                found = waiting.result()
            except ProcessDied as died:
                found = died
            except BrokenProcessPool:  # one of those that ran ended its process: done alone they show which
                others = [one, *(other for other, _ in sent)]
                sent.clear()
                for number, other in enumerate(others):
                    if skip(other):
                        continue
                    found = self._alone(function, other)
                    yield other, found
                    if isinstance(found, ProcessDied):
                        again = (left for left in others[number + 1 :] if not skip(left))
                        sent.extend((left, self._start().submit(function, left)) for left in again)
                        break
                continue
            yield one, found

    def _start(self) -> Runner:
        if self._runner is None:
            if isinstance(self._workers, str):
                try:
                    from rc_env.arena.ray_runner import RayRunner  # here, since Ray is an extra
                except ModuleNotFoundError as error:
                    raise ValueError(
                        f"workers is {self._workers}, but the module {error.name} is not installed: pip install "
                        "'rc-env[ray]'"
                    ) from error
                self._runner = RayRunner(self._workers)
            else:
                self._runner = ProcessRunner(self._workers)
        return self._runner

    def _alone(self, function: Callable[[Work], Found], one: Work) -> Found | ProcessDied:
        """What becomes of a piece of work that is done alone, in new processes."""
        self._close()
        try:
            return self._start().submit(function, one).result()
        except BrokenProcessPool:
            self._close()
            return ProcessDied()

    def _close(self) -> None:
        if self._runner is not None:
            self._runner.close()
            self._runner = None


def workers_of(pool: Workers | None) -> Workers:
    """Return the given workers, or workers that play in this process for None.

    Raises:
        ValueError: `pool` is neither Workers nor None.
    """
    return Workers() if pool is None else checks.instance("pool", pool, Workers, "Workers")


def _kept(entry: dict[str, Any], job: Job) -> tuple[match.Match, Failure | None, Tally | None]:
    """An outcome from its entry in a journal.

    Raises:
        ValueError: it is not one of this job.
    """
    ruleset = ruleset_of(job.variant)
    played, tally = outcomes.unpacked(entry, ruleset)
    games = job.deals * (ruleset.players if job.rotate else 1)
    found = len(played.names), played.entrant.shape, tally is not None
    if found != (len(job.names), (games, ruleset.seats), job.measure):
        raise ValueError(
            f"journal: it holds an outcome of {checks.shown(played.names)} instead of {games} games of "
            f"{' against '.join(job.names)}: remove it, and begin anew"
        )
    return played, None, tally
