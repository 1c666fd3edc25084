"""Studies of recorded games: positions to look at, and a bot's judgement of each decision."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env.agents.net import NetBot
from rc_env.apps.table.phrases import phrase
from rc_env.apps.web.budgets import MOST_DECISIONS, Refused, check_bot
from rc_env.apps.web.store import Store
from rc_env.apps.web.workers import WorkerPool, made_bot
from rc_env.arena import referee
from rc_env.arena.studies import analysis
from rc_env.arena.studies.analysis import AT_ONCE, Judgement, evaluator, judged, think
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.record import Record, parse, positions, replay
from rc_env.render import board_svg
from rc_env.render.html import record_data
from rc_env.render.view import view
from rc_env.rules.state import PLAYING

MOST_IN_MEMORY = 16


class Study:
    """A record, the data of its pages, and its analysis, which runs in the background.

    Args:
        name: its id.
        text: the record.
        data: of its pages, as `read_study` gives it.
        judgements: of its first decisions, as they are kept.
    """

    def __init__(self, name: str, text: str, data: dict[str, Any], judgements: Sequence[dict[str, Any]]) -> None:
        self.name, self.text, self.data = name, text, data
        self.judgements = list(judgements)
        self.failed = ""
        self.task: asyncio.Task[None] | None = None

    def progress(self, first: int) -> dict[str, Any]:
        """The analysis so far: "total", "done", "failed" and "rows", one judgement per decision from `first` on."""
        rows = self.judgements[first:]
        return {
            "total": self.data["total"],
            "done": first + len(rows),
            "failed": self.failed,
            "solo": self.data["solo"],
            "rows": [
                {
                    "seat": one["seat"],
                    "best": one["best"],
                    "chances": [analysis.chance(value) for value in one["value"]],
                    "lost": one["lost"],
                    "size": one["size"],
                    "line": one["line"],
                    "phrases": one.get("phrases", {}),
                    "actions": [
                        [words, visits, chances[one["seat"]], one["policy"].get(words, 0.0)]
                        for words, (visits, chances) in one["actions"].items()
                    ],
                }
                for one in rows
            ],
        }


class Studies:
    """The studies of a server, by the hash of their record, so that links to them stay valid.

    Args:
        store: where records and judgements are kept.
        workers: where records are read and judged.
    """

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store, self._workers = store, workers
        self._open: OrderedDict[str, Study] = OrderedDict()

    async def add(self, raw: bytes | str, name: str = "this file") -> str:
        """Add a record; returns the id of its study.

        Raises:
            Refused: the record breaks the rules, or is not complete.
            OSError: it cannot be kept.
        """
        text, data = await self.ask(read_study, raw, name)
        key = sha256(text.encode()).hexdigest()[:16]
        await self._store.add_study(key, text)
        _, judgements = await self._store.study(key)
        self._put(Study(key, text, data, judgements))
        return key

    async def find(self, key: str) -> Study:
        """The study of an id.

        Raises:
            Refused: there is none.
        """
        if key not in self._open:
            text, judgements = await self._store.study(key)
            _, data = await self.ask(read_study, text, "this file")
            return self._put(Study(key, text, data, judgements))
        self._open.move_to_end(key)
        return self._open[key]

    async def ask(self, function: Callable[..., Any], *args: Any) -> Any:
        """Let a worker compute something about a record: the folder of data files is added to the arguments.

        Raises:
            Refused: it cannot be computed.
        """
        return await self._workers.work("the study", function, *args, self._store.folder)

    def begin(self, study: Study) -> None:
        """Start the analysis in the background, unless it runs already, or is complete."""
        if study.task is None and len(study.judgements) < study.data["total"]:
            study.task = asyncio.create_task(self._analyse(study))

    async def _analyse(self, study: Study) -> None:
        try:
            while len(study.judgements) < study.data["total"]:
                study.judgements += await self.ask(judge, study.text, len(study.judgements))
                await self._store.judge(study.name, study.judgements)
        except (Refused, OSError) as error:  # the page shows it
            study.failed = f"The analysis stopped: {error}."

    def close(self) -> None:
        """Stop all analyses."""
        for study in self._open.values():
            if study.task is not None:
                study.task.cancel()

    def _put(self, study: Study) -> Study:
        kept = self._open.setdefault(study.name, study)
        self._open.move_to_end(study.name)
        while len(self._open) > MOST_IN_MEMORY:
            task = self._open.popitem(last=False)[1].task
            if task is not None:
                task.cancel()
        return kept


# --- what runs in a worker process


def read_study(raw: bytes | str, name: str, folder: Path) -> tuple[str, dict[str, Any]]:
    """The text of a record as it is kept, and the data of its pages.

    Raises:
        RecordError: it is not the complete record of a game by the rules, finished or not.
        Refused: it has too many decisions.
    """
    record = _parsed(raw, name, folder)
    if len(record.decisions) > MOST_DECISIONS:
        raise Refused(f"A study holds at most {MOST_DECISIONS:,} decisions; this game has {len(record.decisions):,}.")
    ruleset = record.ruleset
    return record.text(), {
        **record_data(record),
        "full": ruleset.full,
        "contractors": bool(ruleset.contractors),
        "solo": ruleset.solo,
        "players": ruleset.players,
        "total": len(record.decisions),
        "seed": record.header["seed"],
        "unfinished": record.unfinished is not None,
    }


def judge(text: str, first: int, folder: Path) -> list[dict[str, Any]]:
    """The judgements of some decisions of a record, from the number of one on, each with the phrases of its actions.

    Raises:
        ValueError: the bot that judges failed.
    """
    record = _parsed(text, "this study", folder)
    engine = Engine(record.ruleset, AT_ONCE)
    decisions = record.decisions[first : first + AT_ONCE]
    for row, at in enumerate(islice(positions(record), first, first + len(decisions))):
        engine.restore(at.clone(same_future=True), [row])
    bot = evaluator(record.ruleset)
    bot.reset(first)
    with threadpool_limits(1):
        thoughts = think(bot, Position.of(engine, np.arange(len(decisions))))
    found = []
    for row, one in enumerate(decisions):
        judgement = judged(thoughts, row, one["action"])
        shown = view(record.ruleset, engine.games[row])
        said = dict.fromkeys([one["action"], judgement.best, *judgement.actions])
        found.append(asdict(judgement) | {"phrases": {words: phrase(shown, words) for words in said}})
    return found


def annotated_text(text: str, judgements: Sequence[dict[str, Any]], folder: Path) -> str:
    """The record with judgements of its first decisions."""
    names = [field.name for field in fields(Judgement)]
    found = [Judgement(**{name: one[name] for name in names}) for one in judgements]
    return analysis.annotated(_parsed(text, "this study", folder), found).text()


def picture(text: str, at: int, theme: str, folder: Path) -> str:
    """The board after `at` decisions, as SVG."""
    record = _parsed(text, "this study", folder)
    return board_svg(record.ruleset, replay(record, upto=at).games[0], theme)


def begun(text: str, at: int, seat: int, bots: list[str], folder: Path) -> Record:
    """The record up to a decision, as an unfinished game of a person on a seat against bots.

    Raises:
        Refused: there is no such decision, or the game is over there.
    """
    record = _parsed(text, "this study", folder)
    if not 0 <= at <= len(record.decisions):
        raise Refused(f"There is no decision {at}: the game has 0 to {len(record.decisions)}.")
    if replay(record, upto=at).seat[0] < 0:
        raise Refused("The game is over here: choose an earlier decision to play on from.")
    return replace(
        record,
        decisions=record.decisions[:at],
        result={},
        ivan={number: turn for number, turn in record.ivan.items() if number < at},
        unfinished={"seat": seat, "bots": bots},
        new_dice=[one for one in record.new_dice if one["from"] <= at],
    )


def policies(text: str, at: int, names: Sequence[str], free: Sequence[bool], folder: Path) -> dict[str, Any]:
    """The policies of several bots in a position, by action in the words of the board.

    A bot that reports its thoughts gives its improved policy, a network its policy, and any other bot only its action.

    Raises:
        Refused: the game is over there.
        BotError: a bot failed.
    """
    engine = replay(_parsed(text, "this study", folder), upto=at)
    if engine.games.status[0] != PLAYING:
        raise Refused("The game is over here: there is no further decision.")
    position = Position.of(engine)
    bots = {name: made_bot(name) for name in names}
    for name, may in zip(names, free, strict=True):
        if not may:
            check_bot(name, bots[name])
    with threadpool_limits(1):
        columns = {name: _policy(bot, position) for name, bot in bots.items()}
    legal = np.flatnonzero(position.mask[0])
    together = np.sum(list(columns.values()), axis=0)
    shown = view(engine.ruleset, engine.games[0])
    order = legal[np.argsort(-together[legal], kind="stable")]
    return {
        "bots": list(columns),
        "rows": [
            [
                phrase(shown, engine.action_to_text(int(action))),
                *(round(float(one[action]), 4) for one in columns.values()),
            ]
            for action in order
        ],
    }


def _policy(bot: Bot, position: Position) -> NDArray[np.float64]:
    """A bot's policy in the one game of a position, (A,) probabilities."""
    action = int(referee.ask(bot, position)[0])
    thoughts = getattr(bot, "thoughts", None)
    if thoughts is not None:
        return np.asarray(thoughts.policy[0], np.float64)
    if isinstance(bot, NetBot):
        logits = np.where(position.mask[0] != 0, bot.logits(position)[0], -np.inf)
        weight = np.exp(logits - logits.max())
        return np.asarray(weight / weight.sum(), np.float64)
    only = np.zeros(position.mask.shape[1])
    only[action] = 1
    return only


def _parsed(raw: bytes | str, name: str, folder: Path) -> Record:
    return parse(raw, name, beside=folder, unfinished=True)
