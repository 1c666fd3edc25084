"""Tests that `rc play` loses no game: the game is kept when the person leaves, and can be continued."""

from __future__ import annotations

import errno
import io
import json
import multiprocessing
import os
import signal
import sys
from pathlib import Path

import pytest

from rc_env import Ruleset
from rc_env.apps.cli import rc
from rc_env.apps.table.game import YOU, Game
from rc_env.record import RecordError, read, replay

pytestmark = pytest.mark.slow

Capture = pytest.CaptureFixture[str]
MOVES = ["move red", "obtain"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def files() -> list[str]:
    return sorted(path.name for path in Path.cwd().iterdir())


@pytest.mark.parametrize("end", [["quit"], []])
def test_a_game_goes_on_as_if_it_had_not_been_left(
    end: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    words = ["play", "--seed", "3", "--players", "3", "--seat", "1", "--turn-limit", "12"]
    hints = ["1"] * 60
    typed(monkeypatch, *hints)
    assert rc.main([*words, "--save", "whole.rcr"]) == 0
    whole = read("whole.rcr")
    assert whole.result["truncated"] and "The record is in whole.rcr" in capsys.readouterr().out
    typed(monkeypatch, *hints[:4], *end)
    assert rc.main([*words, "--save", "mine.rcr"]) == 0
    out = capsys.readouterr().out
    assert out.endswith("The game is kept: `rc play --resume mine.rcr` goes on with it.\n")
    begun = read("mine.rcr", unfinished=True)
    assert begun.unfinished == {"seat": 1, "bots": ["greedy", "greedy"]} and begun.result == {}
    assert begun.decisions == whole.decisions[: len(begun.decisions)] and replay(begun).seat[0] == 1
    assert begun.text() == Path("mine.rcr").read_text()
    typed(monkeypatch, "1")
    assert rc.main(["play", "--resume", "mine.rcr"]) == 0
    assert len(read("mine.rcr", unfinished=True).decisions) > len(begun.decisions)
    typed(monkeypatch, *hints)
    assert rc.main(["play", "--resume", "mine.rcr"]) == 0
    assert "The record is in mine.rcr" in capsys.readouterr().out
    assert Path("mine.rcr").read_bytes() == Path("whole.rcr").read_bytes()
    assert files() == ["mine.rcr", "whole.rcr"]


def test_a_game_that_nobody_named_is_kept_while_it_is_unfinished(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for expected in (["unfinished-3.rcr"], ["unfinished-3-2.rcr", "unfinished-3.rcr"]):
        typed(monkeypatch, *MOVES)
        assert rc.main(["play", "--seed", "3"]) == 0 and files() == expected
    typed(monkeypatch, *MOVES, "undo", "undo")
    assert rc.main(["play", "--seed", "4"]) == 0 and files() == expected, "a game without decisions is not kept"
    typed(monkeypatch)
    assert rc.main(["play", "--seed", "4", "--seat", "1"]) == 0 and files() == expected
    assert "kept" not in capsys.readouterr().out.splitlines()[-1]
    typed(monkeypatch, *["1"] * 40)
    assert rc.main(["play", "--seed", "5", "--turn-limit", "4"]) == 0 and files() == expected, (
        "a finished game is not kept"
    )


def test_what_was_played_can_be_taken_back_and_looked_at(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    typed(monkeypatch, *MOVES)
    assert rc.main(["play", "--seed", "3", "--solo", "--save", "mine.rcr"]) == 0
    record = read("mine.rcr", unfinished=True)
    resumed = Game(record.ruleset, record.seated, 3, record)
    played = Game(Ruleset(1), [YOU], 3)
    for line in record.decisions:
        played.play(played.ruleset.actions.to_action(line["action"], 0))
    assert resumed.engine.games.tobytes() == played.engine.games.tobytes()
    assert resumed.events == played.events and any(event.seat == 1 for event in played.events)
    while resumed.undo():
        assert played.undo() and resumed.engine.games.tobytes() == played.engine.games.tobytes()
    assert not played.undo()
    capsys.readouterr()
    assert rc.main(["replay", "mine.rcr"]) == 0
    assert "Unfinished: rc play --resume mine.rcr goes on." in capsys.readouterr().out
    assert rc.main(["replay", "mine.rcr", "--html", "page.html"]) == 2
    assert "the game is unfinished, so there is no result: `rc play --resume`" in capsys.readouterr().err
    with pytest.raises(RecordError, match="the game is unfinished, so there is no result"):
        read("mine.rcr")


def test_an_interrupt_keeps_the_game(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline()
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("sys.stdin", Interrupted("move red\n"))
    assert rc.main(["play", "--seed", "3", "--save", "mine.rcr"]) == 130
    said = "rc play: stopped; the game is kept: `rc play --resume mine.rcr` goes on with it\n"
    assert capsys.readouterr().err == said
    assert [line["action"] for line in read("mine.rcr", unfinished=True).decisions] == ["move red"]


def test_a_kill_keeps_the_game() -> None:
    def child() -> None:
        class Deadly(io.StringIO):
            def readline(self, size: int | None = -1) -> str:
                line = super().readline()
                if not line:
                    os.kill(os.getpid(), signal.SIGKILL)
                return line

        sys.stdin = Deadly("".join(f"{move}\n" for move in MOVES))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        rc.main(["play", "--seed", "3", "--save", "mine.rcr"])

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    assert [line["action"] for line in read("mine.rcr", unfinished=True).decisions][:2] == MOVES


def test_a_bot_that_fails_in_the_middle_keeps_the_game(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    typed(monkeypatch, *MOVES, *["1"] * 20)
    assert rc.main(["play", "--seed", "3", "--bots", "misbehaving:Later", "--save", "mine.rcr"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("rc play: bot later: ") and err.count("\n") == 1
    assert err.endswith("; the game is kept: `rc play --resume mine.rcr` goes on with it\n")
    typed(monkeypatch, *["1"] * 6)
    assert rc.main(["play", "--resume", "mine.rcr", "--bots", "greedy"]) == 0
    assert read("mine.rcr", unfinished=True).unfinished == {"seat": 0, "bots": ["greedy"]}


def test_a_full_disk_ends_no_game_and_is_reported_at_the_end(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    typed(monkeypatch, *MOVES)
    assert rc.main(["play", "--seed", "3", "--save", "mine.rcr"]) == 2
    out, err = capsys.readouterr()
    assert "The game stops here" in out
    assert err.startswith("rc play: --save: mine.rcr cannot be written: No space left on device: ")
    assert err.count("\n") == 1 and not files()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--save", "there.rcr"], "--save: there.rcr is there already; choose another name, or go on with an "),
        (["--save", "no/mine.rcr"], "--save needs the folder no, which is not there"),
        (["--save", ""], "argument --save: '' does not name a file or folder"),
        (["--bots", "misbehaving:Raises"], "bot raises: KeyError raised"),
        (["--hint", "misbehaving:Raises"], "bot raises: KeyError raised"),
        (["--solo", "--bots", "greedy"], "--bots greedy has no meaning in the solo game"),
        (["--resume", "there.rcr"], "there.rcr holds a game that is over, so there is nothing to resume"),
        (["--resume", "none.rcr"], "none.rcr: cannot be read: No such file or directory"),
        (["--resume", "there.rcr", "--seed", "1"], "--seed has no meaning with --resume"),
        (["--resume", "there.rcr", "--solo"], "--solo has no meaning with --resume"),
        (["--resume", "there.rcr", "--save", "x"], "--save has no meaning with --resume"),
    ],
)
def test_what_is_wrong_is_refused_before_the_first_move(words: list[str], sentence: str, capsys: Capture) -> None:
    golden = Path(__file__).parent / "golden" / "2-basic-greedy.rcr"
    Path("there.rcr").write_bytes(golden.read_bytes())
    try:
        code = rc.main(["play", *words])
    except SystemExit as end:
        code = int(str(end.code))
    out, err = capsys.readouterr()
    assert code == 2 and err.startswith("rc play: ") and sentence in err and err.count("\n") == 1 and not out
    assert files() == ["there.rcr"]


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ([], "unfinished must be an object, not []"),
        ({"seat": 2, "bots": ["greedy"]}, "unfinished.seat must be a whole number from 0 to 1, not 2"),
        ({"seat": 0, "bots": []}, "unfinished.bots must be a list of 1 names, not []"),
        ({"seat": 0, "bots": [1]}, "unfinished.bots must hold names of bots, not 1"),
        ({"seat": 0}, 'unfinished has no "bots"'),
    ],
)
def test_a_wrong_last_line_of_an_unfinished_game_is_refused(about: object, reason: str) -> None:
    lines = (Path(__file__).parent / "golden" / "2-basic-greedy.rcr").read_text().splitlines()
    Path("mine.rcr").write_text("\n".join([*lines[:5], json.dumps({"unfinished": about})]) + "\n")
    with pytest.raises(RecordError, match="line 6") as refusal:
        read("mine.rcr", unfinished=True)
    assert reason in str(refusal.value)
