"""Matches as jobs for worker processes; the results and their order do not depend on the number of processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from threadpoolctl import threadpool_limits

from rc_env import agents, checks
from rc_env.bot import Bot
from rc_env.engine import Engine
from rc_env.ruleset import SWITCHES, Ruleset
from rc_env.training.arena import match, outcomes
from rc_env.training.arena.metrics import Metrics, Tally
from rc_env.training.journal import Journal

MOST_WORKERS = 1000
Variant = tuple[Any, ...]


def variant_of(ruleset: Ruleset) -> Variant:
    """The arguments of a ruleset in their order, the number of players first, to be sent to another process."""
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    values = (getattr(ruleset, field.name) for field in fields(ruleset))
    return tuple(str(value) if isinstance(value, os.PathLike) else value for value in values)


def variant_words(ruleset: Ruleset, seed: int) -> list[str]:
    """The words of a command line for a variant, without its players, and for a seed."""
    words = [f"--workshop {ruleset.workshop} --seed {seed}"]
    for name in ("data", "turn_limit", *SWITCHES):
        value, usual = getattr(ruleset, name), getattr(Ruleset, name)
        if str(value) != str(usual):
            words.append(f"--{name.replace('_', '-')}" + (f" {value}" if usual is not False else ""))
    return words


@dataclass(frozen=True)
class Job:
    """A match, in words that can be sent to another process.

    Attributes:
        names: P labels; seats with the same one are played by the same bot.
        bots: P bots, each as `rc_env.agents.from_text` takes it.
        variant: what `Ruleset` takes; a ruleset itself drags its tables along.
        deals, seed, rotate, rubles, limit: see `match.play_match`.
        measure: collect `metrics`.
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


@dataclass(frozen=True)
class Failure:
    """A bot that cannot go on, and a sentence that says why; without a name the whole job failed."""

    name: str | None
    sentence: str


@dataclass(frozen=True)
class Outcome:
    """The result of a job: its match (after a failure the deals that were over, if any), and its metrics."""

    match: match.Match | None
    failure: Failure | None = None
    tally: Tally | None = None


def make_bot(text: str) -> Bot:
    """Make a bot from one word, as the command line names it.

    Raises:
        ValueError: no bot has the name, or it cannot be made.
    """
    try:
        return agents.from_text(text)
    except (ValueError, OSError, ModuleNotFoundError):
        raise
    except Exception as error:
        raise ValueError(f"bot {text}: {type(error).__name__} raised as it was made ({error})") from error


@lru_cache
def _ruleset(*variant: Any) -> Ruleset:
    """One object a process, since it keeps the tables made from it."""
    return Ruleset(*variant)


def warm(ruleset: Ruleset) -> None:
    """Compile what plays and shows games of a ruleset's build, or load it from the cache, by a match of one turn.

    Raises:
        ValueError: it is no ruleset.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    match.play_match(["random"] * ruleset.players, 1, replace(ruleset, turn_limit=1))
    Engine(ruleset).observe()


def play_job(job: Job) -> Outcome:
    """Play a job with new bots, so that no earlier game can influence them.

    Networks compute on one thread: as many processes as processors are at work already, and the last digits of a matrix
    product depend on the number of threads.

    Raises:
        ValueError: it is no job, or what it names does not fit.
    """
    checks.instance("job", job, Job, "a Job")
    ruleset = _ruleset(*job.variant)
    watcher = Metrics(ruleset, job.deals * (ruleset.players if job.rotate else 1)) if job.measure else None
    try:
        bots = {name: make_bot(text) for name, text in zip(job.names, job.bots, strict=True)}
        with threadpool_limits(1):
            played = match.play_match(
                [bots[name] for name in job.names],
                job.deals,
                ruleset,
                seed=job.seed,
                rotate=job.rotate,
                rubles=job.rubles,
                limit=job.limit,
                watcher=watcher,
            )
    except match.BrokenMatch as error:
        name = job.names[error.entrant]
        return Outcome(error.match, Failure(name, f"bot {name}: {error.what}"))
    return Outcome(played, None, watcher.tally(played) if watcher else None)


class Workers:
    """Plays jobs in processes of its own, or in this one.

    Args:
        count: how many processes, up to 1,000; 0 for none.
        journal: keeps what is played, and gives what was played before the command was stopped.

    Raises:
        ValueError: the count is out of range.
    """

    def __init__(self, count: int = 0, journal: Journal | None = None) -> None:
        self._count, self._journal = checks.whole_number("workers", count, 0, MOST_WORKERS), journal
        self._pool: ProcessPoolExecutor | None = None
        self._compiled: set[bool] = set()  # the builds, by `Ruleset.full`

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        self._close()

    def play(
        self, jobs: Sequence[Job], skip: Callable[[Job], bool] = lambda job: False
    ) -> Iterator[tuple[Job, Outcome]]:
        """Outcomes in the order of the jobs.

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

    def _go_on(
        self, jobs: Sequence[Job], skip: Callable[[Job], bool], journal: Journal
    ) -> Iterator[tuple[Job, Outcome]]:
        """As `play`, with what the journal has."""
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
        """As `play`, without the journal."""
        if not self._count:
            for job in jobs:
                if not skip(job):
                    yield job, play_job(job)
            return
        for ruleset in (_ruleset(*job.variant) for job in jobs):
            if ruleset.full not in self._compiled:  # once, rather than in every process
                warm(ruleset)
                self._compiled.add(ruleset.full)
        coming, sent = iter(jobs), deque[tuple[Job, Future[Outcome]]]()
        while True:
            # No more are sent than keep all processes busy, so that few are played that `skip` then rejects.
            while len(sent) < 2 * self._count and (following := next(coming, None)) is not None:
                if not skip(following):
                    sent.append((following, self._send(following)))
            if not sent:
                return
            job, future = sent.popleft()
            if skip(job):
                continue
            try:
                outcome = future.result()
            except BrokenProcessPool:  # one of the running jobs ended its process: played alone they show which
                waiting = [job, *(other for other, _ in sent)]
                sent.clear()
                for number, one in enumerate(waiting):
                    if skip(one):
                        continue
                    outcome = self._alone(one)
                    yield one, outcome
                    if outcome.match is None and outcome.failure and outcome.failure.name is None:
                        sent.extend((other, self._send(other)) for other in waiting[number + 1 :] if not skip(other))
                        break
                continue
            yield job, outcome

    def _send(self, job: Job) -> Future[Outcome]:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")  # a fork would copy threads and locks in whatever state
            self._pool = ProcessPoolExecutor(self._count, context, begin_worker)
        try:
            with quiet_start():
                return self._pool.submit(play_job, job)
        except BrokenProcessPool as error:
            future: Future[Outcome] = Future()
            future.set_exception(error)
            return future

    def _alone(self, job: Job) -> Outcome:
        """The outcome of a job that is played alone, in new processes."""
        self._close()
        try:
            return self._send(job).result()
        except BrokenProcessPool:
            self._close()
            return Outcome(None, Failure(None, f"the process that played {' against '.join(job.names)} died"))

    def _close(self) -> None:
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()  # a bot may never return
            self._pool.shutdown()
            self._pool = None


def workers_of(pool: Workers | None) -> Workers:
    """The workers that are given, or else this process.

    Raises:
        ValueError: it is something else.
    """
    return Workers() if pool is None else checks.instance("pool", pool, Workers, "Workers")


def _kept(entry: dict[str, Any], job: Job) -> tuple[match.Match, Failure | None, Tally | None]:
    """The parts of an outcome that a journal has kept."""
    played, tally = outcomes.unpacked(entry, _ruleset(*job.variant))
    return played, None, tally


@contextmanager
def quiet_start() -> Iterator[None]:
    """Processes started in here never hear of Ctrl-C, not even while they import; this one does, afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepare a worker process, which ends when its parent does, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted, and ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
