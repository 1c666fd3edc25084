"""Tests of long commands that are killed or meet a full disk: results are kept, and `--resume` gives the same bytes."""

from __future__ import annotations

import argparse
import base64
import errno
import hashlib
import json
import multiprocessing
import os
import re
import signal
import time
import zlib
from pathlib import Path

import pytest

from rc_env import Ruleset, agents, files
from rc_env.apps.cli import rc
from rc_env.arena import jobs, journal, locks, match, outcomes, recording, runners
from rc_env.arena.pages.page import Page
from rc_env.arena.studies import benchmark

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]

COMMANDS = {
    "record": ("--games", "5", "--bots", "random", "--turn-limit", "8"),
    "arena": ("greedy", "random", "rush", "--games", "8", "--turn-limit", "20"),
    "arena solo": ("greedy", "random", "--solo", "--games", "5", "--turn-limit", "20"),
    "first-player": ("--bots", "greedy", "random", "--games", "5", "--turn-limit", "6", "--handicap"),
    "arena sets": ("greedy", "random", "--data", "sample:0-2", "--games", "4", "--turn-limit", "12"),
    "first-player sets": ("--bots", "greedy", "--data", "sample:0-2", "--games", "4", "--turn-limit", "12"),
    "tune": ("--generations", "2", "--rounds", "2", "--population", "4", "--games", "4", "--turn-limit", "12"),
    "benchmark": ("random", "--games", "6"),
}
"""Small runs of every command that can be resumed, by name; the solo game and many sets of cards have their own."""

ONCE = [name if name in journal.PLACES else pytest.param(name, marks=pytest.mark.long) for name in COMMANDS]
"""These runs, of which each command has one in the suite."""
ONE_FILE = {"tune": "plan.toml", "benchmark": "benchmark.json"}


def line(name: str, out: Path) -> list[str]:
    """Return the command line of one of COMMANDS."""
    more = ("--workers", "1") if name != "record" else ()
    option = journal.PLACES[name.split()[0]].split()[0]
    return [name.split()[0], *COMMANDS[name], *more, option, str(place(name, out))]


def place(name: str, out: Path) -> Path:
    """Return the file or folder that `--out` or `--json` names."""
    return out / ONE_FILE[name] if name in ONE_FILE else out


def contents(out: Path) -> dict[str, bytes]:
    """Return the files of a folder, without temporary files, which a kill may leave, and without a benchmark's
    duration.
    """
    found = {path.name: path.read_bytes() for path in sorted(out.iterdir()) if path.suffix != ".tmp"}
    if (one := ONE_FILE["benchmark"]) in found:
        lines = found[one].splitlines()
        found[one] = b"\n".join(line for line in lines if not line.startswith(b' "run": '))
        assert len(found[one].splitlines()) == len(lines) - 1
    return found


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "AT_ONCE", 2)
    monkeypatch.setattr(benchmark, "CHUNK", 1)
    monkeypatch.setitem(benchmark.PROTOCOLS, benchmark.BASE, benchmark.CELLS[:2])
    monkeypatch.setattr(benchmark, "fingerprint", lambda **switches: benchmark.FINGERPRINT)  # a real one takes seconds


class Whole(dict[str, dict[str, bytes]]):
    """The output of each command without a stop, made on first use."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders

    def __missing__(self, name: str) -> dict[str, bytes]:
        out = self._folders.mktemp("whole")
        assert rc.main(line(name, out)) == 0
        self[name] = contents(out)
        return self[name]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return Whole(tmp_path_factory)


def killed(words: list[str], at: int, call: str) -> None:
    """Run `rc` in a process that ends by SIGKILL at its n-th call of a function of `os`."""

    def child() -> None:
        count, real = 0, getattr(os, call)

        def deadly(*arguments: object) -> object:
            nonlocal count
            count += 1
            if count == at:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments)

        setattr(os, call, deadly)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        rc.main(words)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL, "the command must be killed before its end"


@pytest.mark.parametrize(("at", "call"), [(4, "fsync"), pytest.param(2, "replace", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_killed_goes_on_to_the_same_bytes(
    name: str,
    at: int,
    call: str,
    whole: Whole,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    killed(line(name, tmp_path), at, call)
    begun = contents(tmp_path)
    (unfinished,) = (one for one in begun if one.endswith(journal.SUFFIX))
    assert {one: begun[one] for one in begun if one in whole[name] and name != "tune"}.items() <= whole[name].items()
    assert rc.main([name.split()[0], "--resume", str(place(name, tmp_path))]) == 0, capsys.readouterr().err
    assert contents(tmp_path) == whole[name] and unfinished not in contents(tmp_path)


@pytest.mark.parametrize("name", ONCE)
def test_a_full_disk_is_a_sentence_and_costs_nothing_that_is_done(
    name: str,
    whole: Whole,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    real, count = os.fsync, 0

    def full(*arguments: int) -> None:
        nonlocal count
        count += 1
        if count > 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(*arguments)

    expected = whole[name]  # made before the disk is full
    capsys.readouterr()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert rc.main(line(name, tmp_path)) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"rc {name.split()[0]}: {tmp_path}") and err.count("\n") == 1
    assert " cannot be written: No space left on device" in err
    assert not list(tmp_path.glob("*.tmp"))
    for path in tmp_path.glob("*.rcr"):
        assert path.read_bytes() == expected[path.name], "every record must be complete"
    assert rc.main([name.split()[0], f"--resume={place(name, tmp_path)}"]) == 0
    assert contents(tmp_path) == expected


def test_an_interrupt_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add = journal.Journal.add

    def interrupted(kept: journal.Journal, key: str, outcome: object) -> None:
        if kept.done:
            raise KeyboardInterrupt
        add(kept, key, outcome)

    monkeypatch.setattr(journal.Journal, "add", interrupted)
    assert rc.main(line("first-player", tmp_path)) == 130
    advice = f"stopped; `rc first-player --resume {tmp_path}` goes on with what is done\n"
    assert capsys.readouterr().err == f"rc first-player: {advice}"
    assert rc.main(line("arena", tmp_path)) == 130
    assert capsys.readouterr().err == f"rc arena: {advice.replace('first-player', 'arena')}"
    assert json.loads((tmp_path / "results.json").read_text())["stopped"] is True


def test_what_is_unfinished_is_not_written_over(
    whole: Whole, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = line("record", tmp_path)
    killed(words, 6, "fsync")
    assert rc.main(words) == 2
    (path,) = tmp_path.glob(f"*{journal.SUFFIX}")
    said = f"rc record: --out: an unfinished `rc record` has left {path}: "
    assert capsys.readouterr().err.startswith(f"{said}`rc record --resume {tmp_path}` goes on with what is done; ")
    assert rc.main([*words, "--seed", "1"]) == 0, "another command must be able to write there"
    assert rc.main(["record", "--resume", str(tmp_path)]) == 0
    assert contents(tmp_path).items() > whole["record"].items()


def test_a_command_that_has_done_nothing_leaves_no_journal(tmp_path: Path) -> None:
    assert rc.main(["arena", "greedy", "kasparov", "--out", str(tmp_path)]) == 2
    assert not list(tmp_path.iterdir())


def test_what_cannot_go_on_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def refused(*words: str) -> str:
        assert rc.main([*words]) == 2
        err = capsys.readouterr().err
        assert (
            re.match(rf"rc {words[0]}: --resume(: | must be | takes no other arguments but --trust)", err)
            and err.count("\n") == 1
        )
        return err

    nothing = f"--resume must be the --out of an `rc arena` that was stopped, not {tmp_path}"
    assert nothing in refused("arena", "--resume", str(tmp_path))
    assert "--resume takes no other arguments but --trust" in refused(
        "arena", "greedy", "random", "--resume", str(tmp_path)
    )
    killed(line("arena", tmp_path), 4, "fsync")
    assert "must be the --out of an `rc stats`" in refused("stats", "--resume", str(tmp_path))
    (path,) = tmp_path.glob(f"*{journal.SUFFIX}")
    kept = path.read_text()
    path.write_text(kept.replace('"versions"', '"verbions"', 1))
    assert "line 1, is damaged" in refused("arena", "--resume", str(tmp_path))
    head, *_ = journal._read(path) if path.write_text(kept) else []
    head["versions"]["rules"] = 0
    path.write_text(f"{journal._line(head)}\n")
    assert f"{path} was begun with rules 0: put back what was there, or begin anew elsewhere" in refused(
        "arena", "--resume", str(tmp_path)
    )
    head["versions"]["rules"] = "x" * 10**5
    path.write_text(f"{journal._line(head)}\n")
    assert len(refused("arena", "--resume", str(tmp_path))) < 1000


@pytest.mark.parametrize("command", journal.PLACES)
def test_a_journal_of_another_form_is_refused_in_a_sentence(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = tmp_path / ONE_FILE.get(command, "")
    path = where.with_name(where.name + journal.SUFFIX) if command in ONE_FILE else where / f"{command}{journal.SUFFIX}"
    begun = {"format": journal.FORMAT, "command": command, "words": [], "versions": {}}
    heads = (
        *(None, 1, [], "a", {}, {**begun, "format": "rc_env journal/1"}, {**begun, "words": "--out"}),
        *({**begun, "words": [1]}, {**begun, "versions": []}, {**begun, "command": 1}, {**begun, "more": 1}),
    )
    entries = [(head,) for head in heads] + [
        (begun, piece) for piece in (None, 1, "ab", {}, [], ["key"], [1, 2], ["key", 1, 2])
    ]
    for lines in entries:
        path.write_text("".join(f"{journal._line(one)}\n" for one in lines))
        anew = [line(command, tmp_path)] if command in COMMANDS and command != "record" else []
        for words in ([command, "--resume", str(where)], *anew):
            assert rc.main([str(word) for word in words]) == 2
            err = capsys.readouterr().err
            assert err.count("\n") == 1 and "the journals of this version of rc_env" in err, (lines, words, err)
            assert not list(tmp_path.glob("*.rcr")) and path.exists()
    deep = "[" * 10**5
    path.write_text(f"{hashlib.sha256(deep.encode()).hexdigest()[:16]} {deep}\n")
    assert rc.main([command, "--resume", str(where)]) == 2
    assert "the journals of this version" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["none", "names", "more", "bytes", "bomb", "objects", "tally"])
def test_an_outcome_of_another_form_is_refused_in_a_sentence(
    damage: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    killed(line("arena", tmp_path), 4, "fsync")
    (path,) = tmp_path.glob(f"*{journal.SUFFIX}")
    head, (key, outcome), *_ = journal._read(path)
    played = outcome["match"]
    match damage:
        case "none":
            outcome = None
        case "names":
            played["names"] = ["x" * 10**5]
        case "more":
            played["place"]["shape"][0] -= 1
        case "bytes":
            played["turns"] = [1, 2]
        case "bomb":
            played["turns"]["data"] = base64.b85encode(zlib.compress(bytes(10**8))).decode()
        case "objects":
            played["turns"]["dtype"] = "|O"
        case "tally":
            outcome["tally"] = {"a": 1}
    path.write_text("".join(f"{journal._line(one)}\n" for one in (head, [key, outcome])))
    assert rc.main(["arena", "--resume", str(tmp_path)]) == 2
    err = capsys.readouterr().err
    assert (
        err.startswith(("rc arena: journal: ", "rc arena: journal does not hold together "))
        and err.count("\n") == 1
        and len(err) < 1000
    )
    assert err.endswith("remove it, and begin anew\n")


# --- commands that share a folder


@pytest.mark.parametrize("name", ONCE)
def test_a_place_belongs_to_one_command_at_a_time(
    name: str, whole: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While a command works, another one of the same kind is refused there, whether it begins or resumes."""
    expected = whole[name]
    capsys.readouterr()
    add, said = journal.Journal.add, []

    def disturbed(kept: journal.Journal, key: str, outcome: object) -> None:
        add(kept, key, outcome)
        if not said:
            said.append("")
            for words in (line(name, tmp_path), [name.split()[0], "--resume", str(place(name, tmp_path))]):
                assert rc.main(words) == 2
                said.append(capsys.readouterr().err)

    monkeypatch.setattr(journal.Journal, "add", disturbed)
    assert rc.main(line(name, tmp_path)) == 0
    for err in said[1:]:
        assert err.count("\n") == 1 and f"another command is at work in {tmp_path}" in err
    assert len(said) == 3 and contents(tmp_path) == expected


def test_a_file_of_results_has_one_lock_whatever_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "link.json").symlink_to("other/real.json")
    paths = [tmp_path / name for name in ("other/real.json", "link.json", "other/../link.json")]
    begun = [Path(f"{path}{journal.SUFFIX}") for path in paths]
    first = journal.begin(begun[0], "benchmark", ["random"], Ruleset())
    for path in begun[1:]:
        with pytest.raises(ValueError, match="another command is at work"):
            journal.begin(path, "benchmark", ["random"], Ruleset())
    first.close()


def test_the_lock_of_a_killed_command_is_free(tmp_path: Path) -> None:
    killed(line("arena", tmp_path), 4, "fsync")
    assert (tmp_path / locks.LOCK).exists()
    with (
        locks.alone(tmp_path),
        pytest.raises(ValueError, match="another command is at work"),
        locks.alone(tmp_path),
    ):
        pass
    assert not (tmp_path / locks.LOCK).exists()


def test_commands_that_write_other_files_share_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search may be tuned beside another one, since each writes one file."""
    add, codes = journal.Journal.add, []
    words = line("tune", tmp_path)

    def beside(kept: journal.Journal, key: str, outcome: object) -> None:
        add(kept, key, outcome)
        if not codes:
            codes.append(0)
            codes.append(rc.main([*words[:-1], str(tmp_path / "other.toml")]))

    monkeypatch.setattr(journal.Journal, "add", beside)
    assert rc.main(words) == 0 and codes == [0, 0]
    assert {path.name for path in tmp_path.iterdir()} == {"plan.toml", "other.toml"}


TO_FILES = {
    "analyse": ["game.rcr", "--out"],
    "average": ["one.npz", "two.npz", "--out"],
    "bench": ["--only", "engine", "--json"],
    "benchmark": ["random", "--quick", "--json"],
    "calibration": ["shipped", "--out"],
    "card": ["shipped", "--out"],
    "curve": ["run", "--out"],
    "data": ["sample", "--seed", "1", "--out"],
    "export": ["shipped", "--onnx"],
    "play": ["--plain", "--save"],
    "replay": ["game.rcr", "--html"],
    "tune": ["--out"],
}
"""Commands that write one file, each with a line whose last option names it."""


def test_every_command_that_writes_one_file_is_known() -> None:
    named = ("--out", "--csv", "--json", "--html", "--onnx", "--int8", "--save", "--fit")
    whole = rc.build_parser(list(rc.COMMANDS))
    (commands,) = (action for action in whole._actions if isinstance(action, argparse._SubParsersAction))
    for command, parser in commands.choices.items():
        options = {
            option
            for action in parser._actions
            for option in action.option_strings
            if option in named and action.nargs != 0 and action.metavar in ("FILE", "OUT")
        }
        kept = (
            {journal.PLACES[command].split()[0]} if command in ONE_FILE else {"--save"} if command == "play" else set()
        )
        assert options == {*(parser.get_default(rc.TARGETS) or ()), *kept}, command
        assert bool(options) == (command in TO_FILES), command


@pytest.mark.parametrize("command", TO_FILES)
def test_a_file_of_another_commands_folder_is_not_written(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names that commands with a folder write are theirs while one works there, and so is any file of a command."""
    with locks.alone(tmp_path), locks.to_file(tmp_path / "mine.json", "--out"):
        names = ("results.json", "mine.json", "report.html", "checkpoint.pt", "2-basic-00001.rcr")
        for name in names[: 1 if command == "play" else None]:  # it tries its bots out first, which takes long
            before = sorted(tmp_path.iterdir())
            assert rc.main([command, *TO_FILES[command], str(tmp_path / name)]) == 2
            err = capsys.readouterr().err
            assert err.startswith(f"rc {command}: {TO_FILES[command][-1]}: another command is at work in {tmp_path}")
            assert err.count("\n") == 1 and sorted(tmp_path.iterdir()) == before


def test_any_other_file_may_be_written_into_the_folder_of_a_command_at_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sample = ["data", "sample", "--seed", "1", "--out"]
    with locks.alone(tmp_path):
        assert rc.main([*sample, str(tmp_path / "mine.toml")]) == 0
        assert rc.main([*sample, str(tmp_path / locks.LOCK)]) == 2
        assert rc.main(line("benchmark", tmp_path)) == 0
        assert rc.main([*sample, str(tmp_path / "win_share.svg")]) == 0
        (tmp_path / f"arena{journal.SUFFIX}").touch()
        assert rc.main([*sample, str(tmp_path / "win_share.svg")]) == 2, "a plot of the command with that journal"
    assert rc.main([*sample, str(tmp_path / "results.json")]) == 0, "nothing is at work there any more"
    assert rc.main([*sample, str(tmp_path / ("x" * 250))]) == 0, "as long a name as the system allows"
    assert rc.main([*sample, os.devnull]) == 0
    assert not [path for path in tmp_path.iterdir() if path.name.endswith(".lock")]


def test_a_folder_is_not_taken_while_a_file_of_its_results_is_written(tmp_path: Path) -> None:
    with locks.to_file(tmp_path / "curve.png", "--out"), locks.alone(tmp_path):
        pass
    with locks.to_file(tmp_path / "results.json", "--out"):
        with (
            pytest.raises(ValueError, match=r"--folder: another command is at work in .*: name another place, or wait"),
            locks.alone(tmp_path, "--folder"),
        ):
            pass
        with pytest.raises(ValueError, match=r"--out: another command is at work in "):
            journal.begin(tmp_path / f"arena{journal.SUFFIX}", "arena", [], Ruleset())
        assert sorted(path.name for path in tmp_path.iterdir()) == [".results.json.lock"]
    (tmp_path / ".results.json.lock").touch()  # as a command that was killed leaves it
    with locks.alone(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [locks.LOCK]


@pytest.mark.parametrize("name", ONCE)
def test_results_are_not_overwritten_without_being_asked(
    name: str, whole: Whole, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = line(name, tmp_path)
    assert rc.main(words) == 0
    capsys.readouterr()
    before = contents(tmp_path)
    assert rc.main(words) == 2
    err = capsys.readouterr().err
    option = journal.PLACES[name.split()[0]].split()[0]
    assert err.startswith(f"rc {name.split()[0]}: {option}: {tmp_path}") and "or replace it with --overwrite" in err
    assert contents(tmp_path) == before
    assert rc.main([*words, "--overwrite"]) == 0
    assert contents(tmp_path) == before == whole[name]


def test_a_search_takes_no_generation_of_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key of a piece is a digest of all that it depends on, not its number."""
    words, keys = line("tune", tmp_path), []
    monkeypatch.setattr(journal.Journal, "add", lambda self, key, outcome: keys.append(key))
    for seed in ("0", "1", "0"):
        assert rc.main([*words, "--overwrite", "--seed", seed]) == 0
    half = len(keys) // 3
    assert len(set(keys[: 2 * half])) == 2 * half and keys[:half] == keys[2 * half :]


def test_a_line_that_was_cut_off_is_written_again(whole: Whole, tmp_path: Path) -> None:
    killed(line("arena", tmp_path), 6, "fsync")
    (path,) = tmp_path.glob(f"*{journal.SUFFIX}")
    path.write_bytes(path.read_bytes()[:-40])
    assert rc.main(["arena", "--resume", str(tmp_path)]) == 0
    assert contents(tmp_path) == whole["arena"]


def test_an_outcome_in_a_journal_is_the_one_that_was_played() -> None:
    job = jobs.Job(("a", "b"), ("greedy", "random"), jobs.variant_of(Ruleset(turn_limit=20)), 2, 3, measure=True)
    played = jobs.play_job(job)
    assert played.match is not None and played.tally is not None
    entry = json.loads(json.dumps(outcomes.packed(played.match, played.tally)))
    again, tally = outcomes.unpacked(entry, Ruleset(turn_limit=20))
    assert tally is not None and outcomes.packed(again, tally) == outcomes.packed(played.match, played.tally)
    assert isinstance(again, match.Match) and again.names == played.match.names
    assert outcomes.key(job) != outcomes.key(jobs.Job(("a", "b"), ("greedy", "random"), job.variant, 2, 4))


def test_a_worker_ends_with_its_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    process = multiprocessing.get_context("spawn").Process(target=_parent, args=(str(tmp_path / "number"),))
    process.start()
    process.join(60)
    worker = int((tmp_path / "number").read_text())
    for _ in range(200):
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        if (Path("/proc") / str(worker) / "stat").read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the worker is still there")


def _parent(path: str) -> None:
    """Start a worker, write down its process id, and end by SIGKILL."""
    context = multiprocessing.get_context("spawn")
    worker = context.Process(target=_worker)
    worker.start()
    files.write(path, str(worker.pid))
    os.kill(os.getpid(), signal.SIGKILL)


def _worker() -> None:
    runners.begin_worker()
    signal.pause()


# --- a full disk, where a command writes its results at its end


GOLDEN = Path(__file__).parent / "golden" / "2-basic-greedy.rcr"
WEIGHTS = Path(agents.__file__).parent / "weights" / "2p-basic.npz"
WRITERS = {
    "replay": ["replay", str(GOLDEN), "--html"],
    "curve": ["curve", "run", "--out"],
    "card": ["card", str(WEIGHTS), "--games", "2", "--against", "random", "--out"],
    "export": ["export", str(WEIGHTS), "--onnx"],
    "average": ["average", str(WEIGHTS), "copy.npz", "--out"],
    "benchmark": ["benchmark", "random", "--games", "1", "--workers", "1", "--json"],
    "bench": ["bench", "--only", "start", "--json"],
    "guilds": ["guilds", "--games", "1", "--workers", "1", "--out"],
    "first-player --study": ["first-player", "--study", "--games", "1", "--workers", "1", "--out"],
}
"""Commands that write only at their end, or pages of several files; the last word names the file, or a folder."""


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_at_the_end_keeps_the_files_of_before(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The written results do not matter here; those that would take long are invented."""
    monkeypatch.setattr("rc_env.apps.speed.suite.start_time", lambda *a, **k: 1.0)
    monkeypatch.setattr("rc_env.apps.cli.benchmark.show", lambda result: None)
    monkeypatch.setattr("rc_env.arena.studies.benchmark.run_benchmark", lambda *a: None)
    monkeypatch.setattr("rc_env.arena.studies.benchmark.json_text", lambda result: "{}")
    monkeypatch.setattr("rc_env.arena.studies.guilds.compare", lambda *a: {})
    monkeypatch.setattr("rc_env.arena.pages.guilds.build", lambda result: Page("Guilds"))
    monkeypatch.setattr("rc_env.arena.studies.levels.LEVELS", ())
    monkeypatch.setattr("rc_env.arena.studies.levels.MIX", ())
    monkeypatch.setattr("rc_env.arena.pages.first_player.build", lambda parts: Page("Seats"))
    if name == "export":
        monkeypatch.setattr("rc_env.apps.cli.export.to_onnx", lambda net: b"model")
        monkeypatch.setattr("rc_env.apps.cli.export.largest_difference", lambda model, net: 0.0)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copy.npz").write_bytes(WEIGHTS.read_bytes())
    (tmp_path / "run").mkdir()
    rows = [{"decisions": at, "won/random": 0.5} for at in (1, 2)]
    (tmp_path / "run" / "progress.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    out = tmp_path / "out"
    out.mkdir()
    place = out if name in ("guilds", "first-player --study") else out / "file"
    words = [*WRITERS[name], str(place)]
    words.append("--overwrite")
    assert rc.main(words) == 0, capsys.readouterr().err
    before = contents(out)
    assert before and not any(one.endswith(journal.SUFFIX) for one in before)

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    capsys.readouterr()
    monkeypatch.setattr(os, "fsync", full)
    assert rc.main(words) == 2
    err = capsys.readouterr().err.splitlines()[-1]
    assert err.startswith(f"rc {name.split()[0]}: {out}") and " cannot be written: No space left on device" in err
    assert contents(out) == before and not list(out.glob("*.tmp"))
