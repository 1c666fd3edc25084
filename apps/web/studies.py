"""Studies of recorded games: positions to look at, and a bot's judgement of each decision."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import files
from rc_env.agents.net import NetBot
from rc_env.apps.web.budgets import MOST_DECISIONS, Refused
from rc_env.arena import referee
from rc_env.arena.studies import analysis
from rc_env.arena.studies.analysis import Judgement
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.record import SUFFIX, Record, RecordError, parse, replay
from rc_env.render.html import record_data
from rc_env.rules.state import PLAYING

MOST_KEPT = 200
"""The most records that are kept, so that links to them stay valid; the oldest is removed first."""
MOST_IN_MEMORY = 16
_ID = re.compile(r"[0-9a-f]{16}")


class Study:
    """A record, the data of its pages, and its analysis, which runs in the background.

    Args:
        record: a complete record, of a game by the rules, finished or not.

    Raises:
        RecordError: it is not such a record.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.data: dict[str, Any] = record_data(record)
        self.found: list[Judgement] = []
        self.failed = ""
        self._thread: threading.Thread | None = None
        self._stopped = False

    def begin(self) -> None:
        """Start the analysis in the background, unless it has started already."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._analyse, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the analysis soon."""
        self._stopped = True

    def progress(self, first: int) -> dict[str, Any]:
        """The analysis so far: "total", "done", "failed" and "rows", one judgement per decision from `first` on."""
        rows = self.found[first:]
        return {
            "total": len(self.record.decisions),
            "done": first + len(rows),
            "failed": self.failed,
            "solo": self.record.ruleset.solo,
            "rows": [
                {
                    "seat": one.seat,
                    "best": one.best,
                    "chances": one.chances,
                    "lost": one.lost,
                    "size": one.size,
                    "line": one.line,
                    "actions": [
                        [words, visits, chances[one.seat], one.policy.get(words, 0.0)]
                        for words, (visits, chances) in one.actions.items()
                    ],
                }
                for one in rows
            ],
        }

    def annotated(self) -> str:
        """The record with the analysis so far."""
        return analysis.annotated(self.record, list(self.found)).text()

    def engine(self, at: int) -> Engine:
        """An engine with the game after `at` decisions.

        Raises:
            Refused: there are fewer.
        """
        if not 0 <= at <= len(self.record.decisions):
            raise Refused(f"Decision {at} found, expected 0 to {len(self.record.decisions)}.")
        return replay(self.record, upto=at)

    def begun(self, at: int, seat: int, bots: list[str]) -> Record:
        """The record up to a decision, as an unfinished game of a person on a seat against bots.

        Raises:
            Refused: the game is over there.
        """
        if self.engine(at).seat[0] < 0:
            raise Refused("The game is over here: choose an earlier decision to play on from.")
        return replace(
            self.record,
            decisions=self.record.decisions[:at],
            result={},
            ivan={number: turn for number, turn in self.record.ivan.items() if number < at},
            unfinished={"seat": seat, "bots": bots},
            new_dice=[one for one in self.record.new_dice if one["from"] <= at],
        )

    def policies(self, at: int, bots: Mapping[str, Bot]) -> dict[str, Any]:
        """The policies of several bots in a position, by action in words.

        A bot that reports its thoughts gives its improved policy, a network its policy, and any other bot only its
        action.

        Raises:
            Refused: the game is over there.
            BotError: a bot failed.
        """
        engine = self.engine(at)
        if engine.games.status[0] != PLAYING:
            raise Refused("The game is over here: there is no further decision.")
        position = Position.of(engine)
        columns = {name: _policy(bot, position) for name, bot in bots.items()}
        legal = np.flatnonzero(position.mask[0])
        together = np.sum(list(columns.values()), axis=0)
        order = legal[np.argsort(-together[legal], kind="stable")]
        return {
            "bots": list(columns),
            "rows": [
                [engine.action_to_text(int(action)), *(round(float(one[action]), 4) for one in columns.values())]
                for action in order
            ],
        }

    def _analyse(self) -> None:
        try:
            for one in analysis.judgements(self.record, stop=lambda: self._stopped):
                self.found.append(one)
        except Exception as error:  # the page shows any error
            self.failed = f"The analysis stopped: {error}."


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


class Studies:
    """The studies of a server, by the hash of their record, so that links to them stay valid.

    Args:
        folder: where records are kept.

    Raises:
        OSError: the folder cannot be made or written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = files.make_folder(folder)
        self._open: OrderedDict[str, Study] = OrderedDict()
        self._busy = threading.Lock()

    def add(self, raw: bytes | str, name: str = "this file") -> str:
        """Add a record; returns the id of its study.

        Raises:
            RecordError: the record breaks the rules, or is not complete.
        """
        record = parse(raw, name, beside=self.folder, unfinished=True)
        if len(record.decisions) > MOST_DECISIONS:
            raise Refused(f"{len(record.decisions):,} decisions found, expected at most {MOST_DECISIONS:,} in a study.")
        study = Study(record)
        text = record.text()
        key = sha256(text.encode()).hexdigest()[:16]
        if not self._file(key).exists():
            files.write(self._file(key), text)
            oldest = sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime)
            for path in oldest[:-MOST_KEPT]:
                path.unlink(missing_ok=True)
        self._put(key, study)
        return key

    def find(self, key: str) -> Study:
        """The study of an id.

        Raises:
            Refused: there is none.
        """
        with self._busy:
            if key in self._open:
                self._open.move_to_end(key)
                return self._open[key]
        if not _ID.fullmatch(key) or not self._file(key).is_file():
            raise Refused("There is no such study any more: open the record again.")
        try:
            study = Study(parse(files.read(self._file(key)), "this file", beside=self.folder, unfinished=True))
        except RecordError as error:
            raise Refused(f"This study cannot be read: {error}.") from None
        return self._put(key, study)

    def _put(self, key: str, study: Study) -> Study:
        with self._busy:
            kept = self._open.setdefault(key, study)
            self._open.move_to_end(key)
            while len(self._open) > MOST_IN_MEMORY:
                self._open.popitem(last=False)[1].stop()
        return kept

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"
