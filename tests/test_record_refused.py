"""Tests of corrupted records: each is refused in one sentence with file, line and reason."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import edits
import pytest
from edits import drop, put
from test_record import record_of

from rc_env.apps.cli import rc
from rc_env.record import RecordError, read, replay

GOOD = record_of(turn_limit=25, seed=6, legal=True, state=True)
edited = partial(edits.edited, GOOD)
ROLLED = next(k for k, decision in enumerate(GOOD.decisions) if decision["rolls"])
"""The number of a decision with a roll, which is in line ROLLED + 2."""


def other_roll(lines: list[Any]) -> None:
    roll = lines[ROLLED + 1]["rolls"][0]
    die = next(iter(roll))
    roll[die] = roll[die] % 6 + 1


def other_die(lines: list[Any]) -> None:
    roll = lines[ROLLED + 1]["rolls"][0]
    roll[next(die for die in ("red", "blue", "yellow", "green", "white") if die not in roll)] = 3


def raw(line: int, text: bytes) -> Callable[[list[Any]], None]:
    return lambda lines: lines.__setitem__(line, text + b"\n")


TEXT = GOOD.text().encode()
LAST = len(GOOD.decisions) + 2
MIDDLE = 1 + next(k for k, d in enumerate(GOOD.decisions) if d["point"] == "market" and "done" in d["legal"])
LEGAL = GOOD.decisions[3]["legal"]
UNLIKE = next(a for a in ("swap 0 1", "pay gold", "take 9") if a not in LEGAL)

# The edit of a valid record, the line that the error names (None: no line), and words of the reason.
CORRUPTED: dict[str, tuple[bytes, int | None, str]] = {
    # the file
    "empty": (b"", 1, "the text is empty"),
    "a blank line only": (b"\n", 1, "not JSON"),
    "not JSON": (b"The Red Cathedral\n", 1, "not JSON"),
    "a picture": (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe", 1, "byte 0x89"),
    "zeros": (b"\0" * 300, 1, "not JSON"),
    "another encoding": (GOOD.text().encode("utf-16"), 1, "byte 0xff"),
    "a byte order mark": (b"\xef\xbb\xbf" + TEXT, 1, "byte order mark"),
    "a byte that is no UTF-8": (TEXT.replace(b"start", b"st\xe4rt", 1), 2, "byte 0xe4"),
    "cut in a line": (TEXT[: len(TEXT) // 2], TEXT[: len(TEXT) // 2].count(b"\n") + 1, "not JSON|no result"),
    "cut after a line": (b"\n".join(TEXT.split(b"\n")[:20]) + b"\n", 20, "the last line holds no result"),
    "cut after the deal": (TEXT.split(b"\n")[0], 2, "the last line holds no result"),
    "cut before the result": (TEXT[: TEXT.rindex(b'{"result')], LAST - 1, "the last line holds no result"),
    "cut in the result": (TEXT[:-9], LAST, "not JSON"),
    "the deal is missing": (edited(lambda lines: lines.pop(0)), 1, 'there is no "record"'),
    "a blank line": (edited(raw(5, b"")), 6, "not JSON"),
    "a list for a line": (edited(put(0, "seed", 1)).replace(b'{"seat": 0', b'[{"seat": 0', 1), 2, "not JSON"),
    "a number for a line": (edited(lambda lines: lines.insert(4, 17)), 5, "not 17"),
    "a line after the result": (TEXT + b'{"seat": 0}\n', LAST + 1, "after the result"),
    "the result twice": (TEXT + TEXT.split(b"\n")[-2] + b"\n", LAST + 1, "after the result"),
    "two games in one file": (TEXT + TEXT, LAST + 1, "after the result"),
    "nested deeply": (edited(raw(3, b"[" * 100_000)), 4, "nested too deeply"),
    "a state nested deeply": (edited(put(3, "state", json.loads("[" * 300 + "]" * 300))), 4, "state must be an"),
    "a number of 5,000 digits": (edited(raw(3, b'{"seat": ' + b"9" * 5000 + b"}")), 4, "thousands of digits"),
    "a number of 30 digits": (edited(put(3, "seat", 10**30)), 4, "seat must be a whole number from 0 to 1, not a"),
    "not a number": (edited(put(3, "seat", float("nan"))), 4, "NaN"),
    "infinity": (edited(put(3, "state", "turn", float("inf"))), 4, "Infinity"),
    "a key twice": (TEXT.replace(b'"seat": 0', b'"seat": 1, "seat": 0', 1), 2, 'key "seat" occurs twice'),
    "half a character": (TEXT.replace(b'"start"', b'"\\ud83d"', 1), 2, r'unknown point "\\ud83d": choose start,'),
    # the deal
    "another format": (edited(put(0, "record", "red-cathedral/3")), 1, 'record must be "red-cathedral/1" or'),
    "a solo game": (edited(put(0, "solo", True)), 1, 'has no "ivan"'),
    "a solo game of two": (
        edited(lambda lines: lines[0].update(solo=True, ivan={})), 1, "solo is true, but must be false",
    ),
    "five players": (edited(put(0, "players", 5)), 1, "players must be a whole number from 1 to 4, not 5"),
    "players in words": (edited(put(0, "players", "2")), 1, 'players must be a whole number from 1 to 4, not "2"'),
    "three players, dealt for two": (
        edited(lambda lines: lines[0].update(players=3, colours=["red", "blue", "yellow"])), 1, "deal.towers",
    ),
    "an unknown workshop": (edited(put(0, "workshop", ["basic"])), 1, r'workshop must be basic or advanced, not'),
    "no turn limit": (edited(put(0, "turn_limit", 0)), 1, "turn_limit must be a whole number from 1 to 10000, not 0"),
    "other colours": (edited(put(0, "colours", ["blue", "red"])), 1, r'colours is \["blue", "red"\], but must be'),
    "another data file": (edited(put(0, "data", "none.toml")), 1, r'data: there is no file "none\.toml" beside the'),
    "a path for a data file": (edited(put(0, "data", "../none.toml")), 1, "data must be base or the name of a data"),
    "a wrong data hash": (edited(put(0, "data_sha256", "0" * 64)), 1, "data_sha256 is"),
    "a seed below 0": (edited(put(0, "seed", -1)), 1, r"seed must be a whole number from 0 to 2\^64 - 1, not -1"),
    "a seed that is no whole number": (edited(put(0, "seed", 1.5)), 1, r"seed must be a whole number from 0 to 2\^64"),
    "no market": (edited(drop(0, "market")), 1, 'has no "market"'),
    "an unknown key in the deal": (edited(put(0, "comment", "hello")), 1, 'unknown key "comment"'),
    "a market tile twice": (edited(lambda lines: lines[0]["market"].__setitem__(1, lines[0]["market"][0])), 1, "once"),
    "an unknown market tile": (edited(put(0, "market", 0, "silk:1")), 1, "silk:1"),
    "a guild without its card": (
        edited(lambda lines: [guild.pop("card") for guild in lines[0]["guilds"]]), 1, "guilds: no card",
    ),
    "a section without its tile": (
        edited(lambda lines: [s.pop("tile") for t in lines[0]["towers"] for s in t]), 1, "towers: no tile",
    ),
    "an unknown card": (edited(put(0, "towers", 0, 0, "card", "base/99")), 1, "base/99"),
    "a die of seven": (edited(put(0, "dice", "red", "value", 7)), 1, "deal.dice.red.value"),
    "a die twice": (
        TEXT.replace(b'"dice": {"red"', b'"dice": {"red": {"space": 1, "value": 1}, "red"', 1), 1, '"red" occurs twice',
    ),
    "another deal": (
        edited(lambda lines: lines[0]["market"].__setitem__(slice(0, 2), lines[0]["market"][1::-1])), None, "line ",
    ),
    # decisions
    "a wrong seat": (edited(put(1, "seat", 1)), 2, "seat is 1, but must be 0"),
    "a seat that does not play": (edited(put(1, "seat", 2)), 2, "seat must be a whole number from 0 to 1, not 2"),
    "a seat that is true": (edited(put(1, "seat", False)), 2, "seat must be a whole number from 0 to 1, not false"),
    "a wrong point": (edited(put(1, "point", "end")), 2, 'point is "end", but must be "start"'),
    "an unknown point": (edited(put(1, "point", "lunch")), 2, 'unknown point "lunch": choose start, place, take,'),
    "an unknown action": (edited(put(4, "action", "fly")), 5, r"action must be an action, say 'move white \+2' or"),
    "an action that is a number": (edited(put(4, "action", 3)), 5, r"action must be an action, say 'move white \+2'"),
    "an action with two spaces": (
        edited(lambda lines: lines[4].update(action=lines[4]["action"].replace(" ", "  "))), 5, r"action must be an",
    ),
    "an illegal action": (
        edited(lambda lines: (lines[4].update(action=UNLIKE), lines[4]["legal"].append(UNLIKE))), 5, "not legal here",
    ),
    "an altered action": (
        edited(lambda lines: lines[4].update(action=next(a for a in LEGAL if a != lines[4]["action"]))),
        5, "after",
    ),
    "no action": (edited(drop(4, "action")), 5, 'has no "action"'),
    "no rolls": (edited(drop(4, "rolls")), 5, 'has no "rolls"'),
    "an unknown key": (edited(put(4, "rols", [])), 5, 'unknown key "rols"'),
    "a decision left out": (edited(lambda lines: lines.pop(4)), 5, "."),
    "a decision twice": (edited(lambda lines: lines.insert(4, lines[4])), 6, "."),
    "two decisions changed over": (edited(lambda lines: lines.insert(4, lines.pop(5))), 5, "."),
    "an altered roll": (edited(other_roll), ROLLED + 2, "state.dice"),
    "a roll of seven": (edited(put(ROLLED + 1, "rolls", [{"red": 7}])), ROLLED + 2, "rolls, red must be a whole"),
    "a roll left out": (edited(put(ROLLED + 1, "rolls", [])), ROLLED + 2, "rolls has no roll, but must have"),
    "a die more": (edited(other_die), ROLLED + 2, "rolls has red and blue and yellow, but must have red and"),
    "a roll too many": (edited(put(1, "rolls", [{"red": 1}])), 2, 'rolls has red, but must have no roll after "claim'),
    "an unknown die": (edited(put(ROLLED + 1, "rolls", [{"black": 1}])), ROLLED + 2, 'unknown key "black"'),
    "a roll of nothing": (edited(put(1, "rolls", [{}])), 2, "roll of no dice"),
    "a thousand dice": (edited(put(1, "rolls", [{"red": 1}] * 1000)), 2, "1000 dice"),
    "rolls that are no list": (edited(put(1, "rolls", {"red": 1})), 2, r'rolls must be a list of rolls, not \{"red":'),
    "a legal action left out": (
        edited(lambda lines: lines[4]["legal"].remove(next(a for a in LEGAL if a != lines[4]["action"]))),
        5, "legal is not what is legal here: .* is missing",
    ),
    "a legal action too many": (edited(lambda lines: lines[4]["legal"].append(UNLIKE)), 5, "legal is not"),
    "a legal action twice": (edited(lambda lines: lines[4]["legal"].append(LEGAL[0])), 5, "legal holds move blue"),
    "an altered state": (edited(put(4, "state", "rubles", 1, 77)), 5, r"state\.rubles\[1\] is 77, but must be \d"),
    "a state without a part": (edited(lambda lines: lines[4]["state"].pop("supply")), 5, "state.supply is nothing"),
    "a state with a part more": (edited(put(4, "state", "weather", "snow")), 5, 'state.weather is "snow"'),
    "a count that is true": (edited(put(4, "state", "turn", True)), 5, r'state\.turn is true, but must be 2, after'),
    "a state that is a list": (edited(put(4, "state", [])), 5, r"state must be an object, not \[\]"),
    # the result
    "the game ends too early": (edited(lambda lines: lines.pop(-2)), LAST - 1, "the record ends here"),
    "a decision after the end": (edited(lambda lines: lines.insert(-1, lines[-2])), LAST, "the game is over here,"),
    "a wrong winner": (
        edited(lambda lines: lines[-1]["result"].update(winners=[1 - lines[-1]["result"]["winners"][0]])),
        LAST, r"result.winners",
    ),
    "a wrong score": (edited(put(-1, "result", "prestige", 0, 99)), LAST, r"result\.prestige\[0\] is 99, but must be"),
    "truncated or not": (edited(put(-1, "result", "truncated", False)), LAST, r"result\.truncated is false, but must"),
    "a score of too few seats": (edited(put(-1, "result", "prestige", [3])), LAST, "list of 2 numbers"),
    "a result without its breakdown": (edited(lambda lines: lines[-1]["result"].pop("breakdown")), LAST, "breakdown"),
    "a result that is a number": (edited(put(-1, "result", 3)), LAST, "result must be an object, not 3"),
}  # fmt: skip


def test_there_are_many_ways_to_be_wrong() -> None:
    assert len(CORRUPTED) >= 50
    assert all(data != TEXT for data, _, _ in CORRUPTED.values())


@pytest.mark.parametrize("case", CORRUPTED)
def test_a_corrupted_record_is_refused(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The library names file, line and reason, and so does the command, in one line."""
    data, line, reason = CORRUPTED[case]
    file = tmp_path / "bad.rcr"
    file.write_bytes(data)
    with pytest.raises(RecordError) as caught:
        replay(read(file))
    message = str(caught.value)
    assert message.startswith(f"{file}, line {line}: " if line else str(file)), message
    assert re.search(reason, message), message
    assert message.isprintable() and len(message) < len(str(file)) + 500
    assert rc.main(["replay", str(file)]) == 2
    said = capsys.readouterr()
    assert said.err == f"rc replay: {message}\n"
    assert not said.out


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path, words in ((tmp_path / "none.rcr", "No such file"), (tmp_path, "directory")):
        with pytest.raises(RecordError, match=re.escape(str(path)) + r": cannot be read: .*" + words):
            read(path)


def test_the_command_itself_tells_one_sentence(tmp_path: Path) -> None:
    """A process of its own prints one sentence and no traceback, too."""
    (tmp_path / "bad.rcr").write_bytes(TEXT[:5000])
    command = [sys.executable, "-m", "rc_env.apps.cli", "replay", str(tmp_path / "bad.rcr")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent)
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(r"rc replay: .*bad\.rcr, line \d+: .*\n", done.stderr)
