"""Studies of recorded games: positions to look at, and a bot's judgement of each decision."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env.agents.net import NetBot
from rc_env.apps.table.phrases import phrase
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.budgets import MOST_DECISIONS, Refused, check_bot
from rc_env.apps.web.places import action_places
from rc_env.apps.web.store import Store
from rc_env.apps.web.verdicts import answers, verdict
from rc_env.apps.web.workers import WorkerPool, made_bot
from rc_env.arena import referee
from rc_env.arena.studies.analysis import Judgement, annotated, judgements
from rc_env.arena.studies.balance import balance, result_chances
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.record import Record, parse, positions, replay
from rc_env.render import board_svg
from rc_env.render.html import record_data
from rc_env.render.view import view
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

MOST_IN_MEMORY = 16
TOGETHER = 4
"""Decisions that are judged at once: a person waits for the first of them."""
NEAR = 3
"""Decisions on either side of a mistake that are judged before others."""
LINE_KEY = 1
"""The chance of the line that is shown."""


class Study:
    """A record, the data of its pages, and its analysis, which runs in the background.

    Args:
        name: its id.
        text: the record.
        data: of its pages, as `read_study` gives it.
        judgements: of some of its decisions by number, as text, in the order in which they were made, as they are kept.
            Those without answers to choose from, as earlier versions kept them, are made anew.
    """

    def __init__(self, name: str, text: str, data: dict[str, Any], judgements: Mapping[str, dict[str, Any]]) -> None:
        self.name, self.text, self.data = name, text, data
        self.judgements = {number: one for number, one in judgements.items() if "answers" in one}
        self.at = 0  # the position that was last looked at
        self.failed = ""
        self.task: asyncio.Task[None] | None = None

    def next(self) -> list[int]:
        """The decisions that are judged next: the one looked at, then those around mistakes, then from there on."""
        left = [number for number in range(self.data["total"]) if str(number) not in self.judgements]
        mistakes = [int(number) for number, one in self.judgements.items() if Judgement.from_json(one).size]
        around = {number + step for number in mistakes for step in range(-NEAR, NEAR + 1)}
        left.sort(key=lambda number: (number != self.at, number not in around, number < self.at, number))
        return sorted(left[:TOGETHER])

    def progress(self, first: int) -> dict[str, Any]:
        """The analysis so far: "total", "done", "failed", "balance" and "rows", the judgements from the `first` on in
        the order in which they were made, each with the "number" of its decision."""
        found = {int(number): Judgement.from_json(one) for number, one in self.judgements.items()}
        sums = balance(found, self.data["total"], self.data["players"], self.data["result"])
        rows = list(self.judgements.items())[first:]
        return {
            "total": self.data["total"],
            "done": first + len(rows),
            "failed": self.failed,
            "solo": self.data["solo"],
            "balance": asdict(sums),
            "rows": [
                _row(int(number), found[int(number)], one, self.data["moves"][int(number)][1]) for number, one in rows
            ],
        }


def _row(number: int, one: Judgement, kept: Mapping[str, Any], played: str) -> dict[str, Any]:
    """A judgement as the page takes it, with the action that was played."""
    return {
        "number": number,
        "seat": one.seat,
        "best": one.best,
        "size": one.size,
        "loss": asdict(one.loss),
        "roll": None if one.roll is None else {**asdict(one.roll), "luck": one.roll.luck},
        "line": kept["told"],
        "phrases": kept["phrases"],
        "places": kept["places"],
        "answers": kept["answers"],
        "verdict": verdict(one, played, kept["phrases"], kept["answers"]),
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

    async def add(self, raw: bytes | str, name: str = "this file", branch: Branch | None = None) -> str:
        """Add a record; returns the id of its study. A branch has the judgements of the decisions that it begins with.

        Raises:
            Refused: the record breaks the rules, or is not complete.
            OSError: it cannot be kept.
        """
        text, data = await self.ask(read_study, raw, name)
        key = sha256(text.encode()).hexdigest()[:16]
        await self._store.add_study(key, text)
        _, judgements = await self._store.study(key)
        if branch is not None and not judgements:
            with suppress(Refused):  # the study may have been removed
                _, before = await self._store.study(branch.study)
                judgements = {number: one for number, one in before.items() if int(number) < branch.at}
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

    def begin(self, study: Study, at: int) -> None:
        """Start the analysis in the background, unless it runs already, or is complete; a position is looked at."""
        study.at = at
        if study.task is None and len(study.judgements) < study.data["total"]:
            study.task = asyncio.create_task(self._analyse(study))

    async def _analyse(self, study: Study) -> None:
        try:
            while numbers := study.next():
                found = await self.ask(judge, study.text, numbers)
                study.judgements |= {str(number): one for number, one in zip(numbers, found, strict=True)}
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
        "result": result_chances(record),
        "phrases": [
            phrase(view(ruleset, engine.games[0]), one["action"])
            for engine, one in zip(positions(record), record.decisions, strict=False)
        ],
    }


def judge(text: str, numbers: Sequence[int], folder: Path) -> list[dict[str, Any]]:
    """The judgements of some decisions of a record, with what the page says of them.

    Beside the entries of `Judgement` each has "phrases", its actions in the words of the board; "places", where the
    action that was played and the best one lie on it; "answers", among which the better action is to be found; and
    "told", the best line as pairs of a seat and a phrase.

    Raises:
        ValueError: the bot that judges failed.
    """
    record = _parsed(text, "this study", folder)
    games, legal = {}, {}
    for at, engine in zip(range(max(numbers) + 1), positions(record), strict=False):
        if at in numbers:
            games[at] = engine.clone(same_future=True)
            legal[at] = [engine.action_to_text(int(action)) for action in np.flatnonzero(engine.legal_mask()[0])]
    kept = []
    for number, one in zip(numbers, judgements(record, numbers=numbers), strict=True):
        played = record.decisions[number]["action"]
        shown = view(record.ruleset, games[number][0])
        offered = answers(one, played, legal[number])
        said = dict.fromkeys([played, one.best, *one.actions, *offered])
        kept.append(
            asdict(one)
            | {
                "phrases": {words: phrase(shown, words) for words in said},
                "places": {words: action_places(shown, one.seat, words) for words in (played, one.best)},
                "answers": offered,
                "told": [[seat, words] for seat, words, _ in ahead(record.ruleset, games[number], one.line)],
            }
        )
    return kept


def ahead(ruleset: Ruleset, game: np.ndarray, line: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str, np.ndarray]]:
    """Yield each decision of a line, as far as it is possible with some dice: seat, phrase, and the game after it.

    The dice are the same at each call; they are not those of the game.
    """
    engine = Engine(ruleset, 1)
    copy = np.array(game.view(np.ndarray))
    copy["key"] = LINE_KEY
    engine.restore(copy)
    for seat, words in line:
        if engine.seat[0] != seat or not engine.legal_mask()[0, ruleset.actions.to_action(words, seat)]:
            return
        said = phrase(view(ruleset, engine.games[0]), words)
        engine.step([ruleset.actions.to_action(words, seat)])
        yield seat, said, engine.clone(same_future=True)


def standing(study: str, game: str) -> str:
    """Whether the record of a game is that of a study still.

    Args:
        study, game: the two records.

    Returns:
        "same"; "on" where the game has gone on from there; "other" where decisions of the study were taken back.
    """
    mine, now = (text.splitlines()[1:-1] for text in (study, game))
    if mine == now:
        return "same"
    return "on" if mine == now[: len(mine)] else "other"


def annotated_text(text: str, judgements: Mapping[str, dict[str, Any]], folder: Path) -> str:
    """The record with the judgements of its first decisions, as far as there is no gap."""
    found: list[Judgement] = []
    while (one := judgements.get(str(len(found)))) is not None:
        found.append(Judgement.from_json(one))
    return annotated(_parsed(text, "this study", folder), found).text()


def picture(text: str, at: int, line: Sequence[tuple[int, str]], theme: str, folder: Path) -> str:
    """The board after `at` decisions, and after a line of further ones, as SVG."""
    record = _parsed(text, "this study", folder)
    engine = replay(record, upto=at)
    game = engine.games[0]
    for *_, after in ahead(record.ruleset, engine.clone(same_future=True), line):
        game = after[0]
    return board_svg(record.ruleset, game, theme)


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
