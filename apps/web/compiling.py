"""Compiles the rules and the bots in the background when a server starts, and says how far it is."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread

from rc_env import Ruleset
from rc_env.apps.table.actions import Outlook, legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.workers import WorkerPool, check
from rc_env.arena import jobs
from rc_env.arena.studies.analysis import evaluator
from rc_env.bot import Position

_RULES, _HINTS = "the rules", "hints"
_BOTS = ("greedy", "search:simulations=4", "search:net=shipped,simulations=4")
"""Bots that together use all compiled code of bots."""
_NAMES = {False: "base game", True: "full game"}


class Builds:
    """The two builds of the rules: which are compiled, and how far the others are.

    Args:
        workers: where they are compiled.
        compile: whether to compile them at the start; else whoever needs one first waits for it.
    """

    def __init__(self, workers: WorkerPool, *, compile: bool) -> None:
        self._workers, self._steps = workers, (_RULES, *_BOTS, _HINTS)
        self._wanted = compile
        self._done = {full: 0 if compile else len(self._steps) for full in (False, True)}
        self._rules = {full: anyio.Event() for full in (False, True)}
        self._loading = {full: asyncio.Lock() for full in (False, True)}
        self._loaded: set[bool] = set()

    async def compile(self) -> None:
        """Compile the base game, then the full game, each with the bots."""
        for full in (False, True):
            for step in self._steps if self._wanted else ():
                with suppress(Refused):  # a bot that does not play this variant, or whoever needs it compiles it
                    await self._workers.compile(compile_step, step, full)
                if step == _RULES:
                    self._rules[full].set()
                self._done[full] += 1

    async def ready(self, full: bool) -> None:
        """Wait until a build can be played, and is loaded by the server."""
        if self._wanted:
            await self._rules[full].wait()
        async with self._loading[full]:
            if full not in self._loaded:
                await anyio.to_thread.run_sync(load, full)
                self._loaded.add(full)

    def progress(self) -> dict[str, Any]:
        """How far they are: by "base" and "full" whether it can be played, the "done" steps of "total", and a
        "sentence", which is "" once all is done."""
        sentence = ""
        for full, done in self._done.items():
            if done < len(self._steps) and not sentence:
                sentence = f"The {_NAMES[full]} is being compiled, once for this installation: {self._steps[done]} …"
        return {
            "base": not self._wanted or self._rules[False].is_set(),
            "full": not self._wanted or self._rules[True].is_set(),
            "done": sum(self._done.values()),
            "total": 2 * len(self._steps),
            "sentence": sentence,
        }


def variant(full: bool) -> Ruleset:
    """A game of a build that uses as much of it as possible."""
    return Ruleset(fourth_guild="archivists", contractors=True) if full else Ruleset()


def load(full: bool) -> None:
    """Compile, or load, what plays and shows games of a build in this process."""
    ruleset = variant(full)
    jobs.warm(ruleset)
    game = Game(ruleset, [YOU, "greedy"], 0)
    shown = game.view
    action = legal_actions(game, shown)[0].number
    Outlook(game).of(action, shown, game.person)
    game.play(action)
    game.record()
    game.undo()


def compile_step(step: str, full: bool) -> None:
    """Do a step of `Builds` in a worker process, which leaves compiled code in the cache.

    Raises:
        ValueError: a bot does not play this variant.
    """
    if step == _RULES:
        load(full)
    elif step == _HINTS:
        evaluator(variant(full)).act(Position.of(Game(variant(full), [YOU, YOU], 0).engine))
    else:
        check(step, jobs.variant_of(variant(full)), True)
