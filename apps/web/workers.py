"""Worker processes, in which bots think and everything else is computed that takes longer than a moment.

They are `anyio.to_process`: it comes with Starlette, reuses its processes, and kills one whose call is cancelled, which
`concurrent.futures` cannot. A worker gets values and gives values back, so that nothing of a game is touched by two; a
bot is asked anew for each decision, and keeps nothing of the one before.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

import anyio
import anyio.to_process
import numpy as np
from threadpoolctl import threadpool_limits

from rc_env import agents
from rc_env.apps.table import lessons
from rc_env.apps.table.actions import Outlook, legal_actions
from rc_env.apps.table.game import Game
from rc_env.apps.table.players import try_out
from rc_env.apps.web import hints
from rc_env.apps.web.board import certain, draw
from rc_env.apps.web.budgets import Refused, check_bot
from rc_env.apps.web.places import action_places
from rc_env.apps.web.table import Snapshot
from rc_env.arena import jobs, referee
from rc_env.arena.studies.analysis import evaluation_of, evaluator, judged_decision
from rc_env.bot import Bot, Position

DECISION_SECONDS = 30.0
"""The time of a bot for a decision, in which no compilation counts. One that is late has failed."""
HUNG_SECONDS = 60.0
"""The time after which the process of a bot is killed, whatever it does."""
LESSON_SECONDS = 60.0
"""The time of the coach for a decision, while nobody waits for it; nothing is said about one that takes longer."""
WORK_SECONDS = 300.0
"""The time after which any other work is killed."""
LET_GO_SECONDS = 1.0
"""How long a thought that is not wanted any more may go on: to end a process costs a new one."""
QUICK_SECONDS = 0.25
"""Bots that take less for a decision do not wait for those that take more."""
QUICK_LIMIT = 10.0
"""The time after which a bot that is usually quick is ended, and asked again among the slow ones."""
SUSPECT_LIMIT, SUSPECT_SECONDS = 15.0, 600.0
"""The time of a bot for a decision after it had to be ended, and how long that is held against it."""
P = ParamSpec("P")
T = TypeVar("T")


class Killed(Refused):
    """A worker process ended before it had an answer."""


class WorkerPool:
    """The worker processes of a server, in lanes, so that what is quick does not wait for what is slow.

    Attributes:
        seconds: how long each bot took for its last decisions, on average, by its name.
    """

    def __init__(self) -> None:
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._slow = anyio.CapacityLimiter(processors)
        self._quick = anyio.CapacityLimiter(2)
        self._advice = anyio.CapacityLimiter(2)
        self._lessons = anyio.CapacityLimiter(2)
        self._suspect = anyio.CapacityLimiter(1)  # for bots that had to be killed
        self._killed: dict[str, float] = {}  # when, by name
        self.seconds: dict[str, float] = {}

    async def decide(self, name: str, snapshot: Snapshot) -> int:
        """The number of the action that a bot chooses.

        Raises:
            Refused: it failed, was late, or its process ended.
        """
        while True:
            lane = self._lane(name)
            async with lane:
                if lane is not self._lane(name):
                    continue  # what became of it elsewhere, while this decision waited
                limit = {self._quick: QUICK_LIMIT, self._suspect: SUSPECT_LIMIT}.get(lane, HUNG_SECONDS)
                asked = decide, name, snapshot, DECISION_SECONDS
                try:
                    action, now = await self._call(anyio.CapacityLimiter(1), limit, f"bot {name}", *asked)
                except Killed:
                    self.seconds[name] = QUICK_SECONDS
                    if lane is self._quick:
                        continue
                    self._killed[name] = anyio.current_time()
                    raise
                self.seconds[name] = 0.7 * self.seconds.get(name, QUICK_SECONDS) + 0.3 * now
                return action

    def _lane(self, name: str) -> anyio.CapacityLimiter:
        if anyio.current_time() < self._killed.get(name, -math.inf) + SUSPECT_SECONDS:
            return self._suspect
        return self._quick if self.seconds.get(name, QUICK_SECONDS) < QUICK_SECONDS else self._slow

    async def preview(self, snapshot: Snapshot, action: int, layout: str) -> dict[str, Any]:
        """What an action certainly leads to, see `preview`."""
        return await self._call(self._quick, WORK_SECONDS, "the preview", preview, snapshot, action, layout)

    async def lesson(self, snapshot: Snapshot, action: int, after: np.ndarray, least: str) -> dict[str, Any]:
        """What the coach says of a decision, see `lesson`.

        Raises:
            Refused: it failed, took too long, or its process ended.
        """
        asked = lesson, snapshot, action, after, least
        with anyio.move_on_after(LESSON_SECONDS):
            return await self._call(self._lessons, LESSON_SECONDS, "the coach", *asked)
        raise Killed("the coach: too many decisions are being looked at")

    async def work(self, what: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute something that a person waits for, or that goes on in the background.

        Raises:
            Refused: it failed, took too long, or its process ended.
        """
        assert not kwargs
        return await self._call(self._advice, WORK_SECONDS, what, function, *args)

    async def compile(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Compute something that may take many minutes.

        Raises:
            Refused: it failed, or its process ended.
        """
        assert not kwargs
        return await self._call(anyio.CapacityLimiter(1), math.inf, "compiling", function, *args)

    async def _call(
        self, lane: anyio.CapacityLimiter, seconds: float, what: str, function: Callable[..., T], *args: Any
    ) -> T:
        async with lane:
            try:
                with anyio.fail_after(seconds):
                    call = anyio.to_process.run_sync
                    found, result = await call(
                        _answer, function, args, cancellable=True, limiter=anyio.CapacityLimiter(1)
                    )
            except TimeoutError:
                raise Killed(
                    f"{what}: there was no answer within {seconds:g} seconds, so its process was ended"
                ) from None
            except anyio.BrokenWorkerProcess:
                raise Killed(f"{what}: its process ended without an answer") from None
        if not found:
            raise Refused(result)
        return result


class Thought:
    """A decision that a bot is thinking about, which can be dropped at once.

    Args:
        think: what is awaited.
        tell: awaited with this thought once `action` or `failure` is there, unless it was dropped.

    Attributes:
        action: the number of the action; None until it is there.
        failure: why there is none; "" if there is no reason.
    """

    def __init__(self, think: Awaitable[int], tell: Callable[[Thought], Awaitable[None]]) -> None:
        self.action: int | None = None
        self.failure = ""
        self._think, self._tell, self._dropped = think, tell, False
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            self.action = await self._think
        except Exception as error:  # whatever it is, the game goes on
            self.failure = str(error) or type(error).__name__
        if not self._dropped:
            await self._tell(self)

    def drop(self) -> None:
        """Ignore it from now on; its process is free, or ended, soon."""
        if not self._dropped and not self._task.done():
            self._dropped = True
            asyncio.get_running_loop().call_later(LET_GO_SECONDS, self._task.cancel)


# --- what runs in a worker process


def decide(name: str, snapshot: Snapshot, limit: float) -> tuple[int, float]:
    """The action of a bot in a position, and the seconds that it took.

    Raises:
        ValueError: it cannot be made, failed, or was late.
    """
    bot = made_bot(name)
    position = Position.of(_game(snapshot).engine)
    begun = time.monotonic()
    referee.start_over(bot, snapshot.seed)
    with threadpool_limits(1):
        action = int(referee.ask(bot, position, limit)[0])
    return action, time.monotonic() - begun


def check(name: str, variant: jobs.Variant, free: bool) -> None:
    """Make a bot and let it decide once, so that one that cannot play a variant is found before the game begins.

    Args:
        name: the bot in one word.
        variant: what it is to play.
        free: whether it may take as long as it wants.

    Raises:
        ValueError: it cannot be made, may take too long, or failed.
    """
    bot = made_bot(name)
    if not free:
        check_bot(name, bot)
    with threadpool_limits(1):
        try_out(bot, jobs.ruleset_of(variant), 0)


def advise(snapshot: Snapshot, level: int) -> dict[str, Any]:
    """A hint, see `hints.advice` and `hints.winning`.

    Raises:
        ValueError: the bot that gives hints failed.
    """
    game = _game(snapshot)
    if level == hints.CHANCES:
        with threadpool_limits(1):
            return hints.winning(evaluation_of(snapshot.variant), snapshot.row, snapshot.seed)
    judge = _judge(snapshot.variant)
    judge.reset(snapshot.seed)
    with threadpool_limits(1):
        return hints.advice(judge, Position.of(game.engine), legal_actions(game, game.view_of(snapshot.seat)), level)


def lesson(snapshot: Snapshot, action: int, after: np.ndarray, least: str) -> dict[str, Any]:
    """What the coach says of a decision of a person.

    Args:
        snapshot: the position before it.
        action: what was played.
        after: the game after it, (1,) GAME.
        least: the smallest mistake of which it says anything, one of `analysis.MISTAKES`.

    Returns:
        "lesson": the entries of `lessons.Lesson`, in which both actions have their "places" on the board; None where
        the coach says nothing. "chance": see `lessons.Look`.

    Raises:
        ValueError: the bot that judges failed.
    """
    found = _coach(snapshot.variant, snapshot.seats).look(snapshot.row, action, after, least, snapshot.seed)
    if found.lesson is None:
        return {"lesson": None, "chance": found.chance}
    shown, kept = _game(snapshot).view_of(snapshot.seat), found.lesson._asdict()
    kept["why"] = kept["why"]._asdict()
    for name in ("played", "best"):
        kept[name] = {**kept[name]._asdict(), "places": action_places(shown, snapshot.seat, kept[name].words)}
    return {"lesson": kept, "chance": found.chance}


def reckoned(variant: jobs.Variant, before: np.ndarray, action: int, after: np.ndarray) -> dict[str, Any]:
    """What a decision of a game lost, and the luck of what was rolled or drawn behind it.

    Args:
        variant: of the game.
        before, after: the game before and after it, (1,) GAME each.
        action: what was played.

    Returns:
        "seat", what it "lost" in win chance, its "error", the "size" of the mistake, and "luck" and "luck_errors", of
        each player, which are None where nothing was rolled or drawn.

    Raises:
        ValueError: the bot that judges failed.
    """
    found = judged_decision(jobs.ruleset_of(variant), before, action, after, _analyst(variant), luck=True)
    luck, errors = (None, None) if found.roll is None else (found.roll.luck, found.roll.errors)
    return {"seat": found.seat, "lost": found.lost, "error": found.loss.error, "size": found.size, "luck": luck,
            "luck_errors": errors}  # fmt: skip


def preview(snapshot: Snapshot, action: int, layout: str) -> dict[str, Any]:
    """What an action certainly leads to, whatever dice are rolled and cards drawn: see `actions.Prospect`.

    Returns:
        "parts", the parts of the board that change, as `DrawnBoard.changes` gives them; "changes", the numbers of
        the person that change; and "chance", what else happens, in words.
    """
    game, outlook = _game(snapshot), _table(snapshot.variant, snapshot.seats)[1]
    shown = game.view_of(snapshot.seat)
    found = outlook.of(action, shown, snapshot.seat)
    parts = certain(found.views, draw(shown, layout), layout)
    return {"parts": parts, "changes": found.changes, "chance": found.chance}


def _answer(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[bool, Any]:
    """Whether there is a result, and the result or a sentence; not every exception could be handed on."""
    _begin()
    try:
        return True, function(*args)
    except (ValueError, OSError) as error:
        return False, str(error)
    except Exception as error:
        return False, f"{type(error).__name__} raised ({error})"


@lru_cache(maxsize=1)
def _begin() -> None:
    """Prepare this process: Ctrl-C is the server's, and with the server it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = os.getppid()

    def watch() -> None:
        while os.getppid() == server:
            time.sleep(2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@lru_cache(maxsize=8)
def made_bot(name: str) -> Bot:
    """A bot of this process; whoever asks it resets it before.

    Raises:
        ValueError: it cannot be made.
    """
    return agents.from_text(name)


@lru_cache(maxsize=4)
def _judge(variant: jobs.Variant) -> Bot:
    return evaluator(jobs.ruleset_of(variant), 96, doubt=0)


@lru_cache(maxsize=4)
def _analyst(variant: jobs.Variant) -> Bot:
    return evaluator(jobs.ruleset_of(variant))


@lru_cache(maxsize=4)
def _coach(variant: jobs.Variant, seats: tuple[str, ...]) -> lessons.Coach:
    return lessons.Coach(jobs.ruleset_of(variant), seats)


@lru_cache(maxsize=16)
def _table(variant: jobs.Variant, seats: tuple[str, ...]) -> tuple[Game, Outlook]:
    game = Game(jobs.ruleset_of(variant), seats, 0)
    return game, Outlook(game)


def _game(snapshot: Snapshot) -> Game:
    """A game of this process in the position of a snapshot, without its history."""
    game = _table(snapshot.variant, snapshot.seats)[0]
    game.engine.restore(snapshot.row)
    return game
