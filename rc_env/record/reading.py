"""Reading and writing records (docs/records.md has the format)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rc_env import checks, files
from rc_env.record import form
from rc_env.record.header import brought_by, checked_header
from rc_env.record.lines import check_decision, check_ivan_turn, check_new_dice, check_result, check_unfinished
from rc_env.record.recorder import EXPANDED_FORMAT
from rc_env.ruleset import Ruleset

PERSON = "you"
"""What the record of an unfinished game calls a person at the table."""
MOST_BYTES = 2**28
"""The most bytes of a record; one with positions and legal actions has up to two million."""
_LONGEST = 400  # characters of a reason: a file may hold anything


class RecordError(ValueError):
    """A record that cannot be read, or that breaks the rules: one sentence with file, line and reason."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]} …"
        words = name if line is None else f"{name}, line {line}"
        reason = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]} …"
        super().__init__(checks.spelled_out(f"{words}: {reason}"))


@dataclass(frozen=True)
class Record:
    """A recorded game; `positions` and `replay` play it again.

    Attributes:
        header: the first line: variant, seed and deal.
        decisions: one dict per decision, with "seat", "point", "action" and "rolls", perhaps "legal", "state" (after
            the decision), "policy" and "value" (what a bot thought before it).
        result: what the last line holds under "result"; empty in an unfinished game.
        ruleset: the variant.
        name: the record's name in error messages: the file.
        ivan: the solo game: Ivan's turns by the number of the decision after which each stands, as dicts with "seat",
            "point", "events" and "rolls". They move the lines of later decisions down: see `line`.
        unfinished: of a game that somebody left, the person's "seat" and the names of the "bots" on the others, and
            "resigned", which is True, where the person gave up; None in a game that was played to its end.
        new_dice: where the person asked for other dice than the seed's: the number of decisions "from" which on they
            follow from another "seed", in order.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, folder, read
        >>> match = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(folder("games")))
        >>> record = read("games/game-00001.rcr")
        >>> record.ruleset.players, len(record.decisions) == match.decisions
        (2, True)
        >>> record.decisions[0]["point"]
        'start'
    """

    header: dict[str, Any]
    decisions: list[dict[str, Any]]
    result: dict[str, Any]
    ruleset: Ruleset
    name: str = "record"
    ivan: dict[int, dict[str, Any]] = field(default_factory=dict)
    unfinished: dict[str, Any] | None = None
    new_dice: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for part, kind, words in (
            ("header", dict, "a dict, the first line"),
            ("decisions", list, "a list with one dict per decision"),
            ("result", dict, "a dict, the last line"),
            ("ruleset", Ruleset, "a Ruleset"),
            ("name", str, "a word"),
            ("ivan", dict, "a dict with one dict per turn"),
            ("new_dice", list, "a list of dicts"),
        ):
            checks.instance(part, getattr(self, part), kind, words)

    @property
    def expanded(self) -> bool:
        """Whether the game has the module, a guild of the expansion or special tiles: format 2."""
        return bool(self.header["record"] == EXPANDED_FORMAT)

    @property
    def seated(self) -> list[str]:
        """Who plays each seat of an unfinished game: `PERSON` on that of its person, and its bots on the others.

        Raises:
            ValueError: the game is over.
        """
        if self.unfinished is None:
            raise ValueError(f"{self.name} holds a game that is over, so it cannot go on")
        seats = list(self.unfinished["bots"])
        seats.insert(self.unfinished["seat"], PERSON)
        return seats

    @property
    def view(self) -> int | None:
        """The seat for which the record was made, without what it cannot know; None for a complete record."""
        return self.header.get("view")

    @property
    def meta(self) -> dict[str, Any]:
        """What whoever recorded the game wrote beside it, such as "bots", who played; a stranger may have written
        anything."""
        found: dict[str, Any] = self.header.get("meta", {})
        return found

    def text(self) -> str:
        """The record as it stands in a file."""
        lines = [self.header]
        for number, decision in enumerate(self.decisions):
            lines += [decision, *([self.ivan[number]] if number in self.ivan else [])]
        last: dict[str, Any]
        last = {"result": self.result} if self.unfinished is None else {"unfinished": self.unfinished}
        if self.new_dice:
            last["new_dice"] = self.new_dice
        return "".join(json.dumps(line) + "\n" for line in (*lines, last))

    def line(self, number: int) -> int:
        """The line of the file, from 1, in which a decision stands; of their count, the result's.

        Raises:
            ValueError: there is no decision of that number.
        """
        number = checks.whole_number("number", number, 0, len(self.decisions))
        return number + 2 + sum(before < number for before in self.ivan)


def write(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file.

    Raises:
        ValueError: not a record, or no path.
        OSError: the file cannot be written.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse, read, write
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> write(parse(texts[0]), "game.rcr")
        >>> read("game.rcr").text() == texts[0]
        True
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    files.write(checks.path("path", path), record.text())


def read(
    path: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    expansion_data: str | os.PathLike[str] | None = None,
    unfinished: bool = False,
) -> Record:
    """Read a record from a file and check its form; that it keeps the rules is for `replay` to find out.

    Args:
        path: the file.
        data: the data file it was played with, where that is not "base"; by default looked for beside the record,
            where `rc record` and `keep_data` put it, by the name that the record gives.
        expansion_data: likewise the data file of the expansion, where that is not "contractors".
        unfinished: take a game that is not over, too, as `rc play` leaves it.

    Raises:
        RecordError: the file cannot be read, or is no record.
        ValueError: an argument is no path.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, folder, read
        >>> match = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(folder("games")))
        >>> record = read("games/game-00001.rcr")
        >>> record.name
        'games/game-00001.rcr'
    """
    name = checks.path("path", path)
    try:
        raw = files.read(path, MOST_BYTES)
    except OSError as error:
        raise RecordError(name, None, f"cannot be read: {error.strerror}") from None
    beside = Path(path).parent
    return parse(raw, name, data=data, expansion_data=expansion_data, beside=beside, unfinished=unfinished)


def parse(
    text: str | bytes,
    name: str = "record",
    *,
    data: str | os.PathLike[str] | None = None,
    expansion_data: str | os.PathLike[str] | None = None,
    beside: str | os.PathLike[str] = ".",
    unfinished: bool = False,
) -> Record:
    """Like `read`, from text; `name` is used in error messages, `beside` is the folder for data files.

    Raises:
        RecordError: the text is not a record.
        ValueError: an argument is of another type.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> parse(texts[0]).decisions[0]["action"]
        'claim 4 from inventory'
    """
    checks.instance("text", text, str | bytes, "the text of a record")  # type: ignore[arg-type]
    checks.instance("name", name, str, "a word")
    for key, source in (("data", data), ("expansion_data", expansion_data)):
        if source is not None:
            checks.path(key, source, "the path of a data file")
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    folder = Path(checks.path("beside", beside, "the path of a folder"))
    lines = raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    line = 1
    try:
        if not lines:
            form.refuse("the text is empty")
        header = form.json_line(lines[0])
        ruleset = checked_header(header, data, expansion_data, folder)
        expanded, view = header["record"] == EXPANDED_FORMAT, header.get("view")
        decisions: list[dict[str, Any]] = []
        turns: dict[int, dict[str, Any]] = {}
        for line, one in enumerate(lines[1:-1], 2):
            decision = form.json_line(one)
            if "result" in decision:
                line += 1
                form.refuse("there is a line after the result, which must be the last one")
            if decision.get("point") == "ivan turn":
                check_ivan_turn(decision, ruleset)
                if not decisions or len(decisions) - 1 in turns:
                    form.refuse("there is no decision before this turn of Ivan's")
                turns[len(decisions) - 1] = decision
                continue
            check_decision(decision, ruleset, expanded, view)
            decisions.append(decision)
        line = len(lines)
        last = form.json_line(lines[-1])
        for line in range(1, len(lines) + 1):
            form.check_characters(lines[line - 1])
        if line > 1 and "unfinished" in last:
            if not unfinished:
                form.refuse("the game is unfinished, so there is no result: `rc play --resume` goes on with it")
            form.members("last line", last, ("unfinished",), ("new_dice",))
            check_unfinished(last["unfinished"], ruleset)
            new_dice = check_new_dice(last.get("new_dice", []), len(decisions))
            return Record(header, decisions, {}, ruleset, name, turns, last["unfinished"], new_dice)
        if line == 1 or "result" not in last:
            line += line == 1
            form.refuse("the last line holds no result: the record is cut off")
        form.members("result line", last, ("result",), ("new_dice",))
        check_result(last["result"], ruleset, brought_by(header, ruleset))
        new_dice = check_new_dice(last.get("new_dice", []), len(decisions))
    except form.Refusal as refusal:
        raise RecordError(name, line, str(refusal)) from None
    return Record(header, decisions, last["result"], ruleset, name, turns, None, new_dice)
