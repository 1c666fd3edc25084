"""Tests of the leaderboard: rows agree with their results and protocols, altered ones are refused, nothing is run."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import leaderboard
import pytest
from benchmark_table import row_of
from leaderboard import DOCS, FOLDER, PAGE, check_result, entry_text, read_entries, read_entry

pytestmark = pytest.mark.slow


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder as docs/ is, with one row and its results."""
    (tmp_path / FOLDER).mkdir()
    (tmp_path / PAGE).write_text("# Leaderboard\n\n" + "\n".join(leaderboard.MARKERS) + "\n", encoding="utf-8")
    (tmp_path / FOLDER / "greedy.json").write_bytes((DOCS / "benchmark" / "greedy.json").read_bytes())
    add(tmp_path)
    return tmp_path


def add(docs: Path, *more: str) -> None:
    """Write the row of the results in the folder, and the page."""
    results = docs / FOLDER / "greedy.json"
    command = "rc benchmark greedy --json greedy.json"
    leaderboard.main(
        [
            "--docs",
            str(docs),
            "--add",
            str(results),
            "--by",
            "A. Author",
            "--command",
            command,
            "--commit",
            "0123abc",
            *more,
        ]
    )


def test_every_row_agrees_with_its_results_and_the_page_is_made_of_them() -> None:
    entries = read_entries()
    assert {"net", "search", "all_rounder", "random"} <= {entry.name for entry in entries}
    leaderboard.main(["--check"])


def test_a_row_is_written_read_and_shown(docs: Path) -> None:
    (entry,) = read_entries(docs)
    assert (entry.name, entry.by, entry.bot, entry.digest) == ("greedy", "A. Author", {}, "")
    page = (docs / PAGE).read_text(encoding="utf-8")
    assert "### rc-benchmark/2" in page and "| `greedy` | 10,000 | 44.5 ± 1.1 / 45.7 ± 1.2 |" in page
    assert "[greedy](leaderboard/greedy.toml), [results](leaderboard/greedy.json)" in page


def test_a_row_names_the_day_of_the_games(docs: Path) -> None:
    assert read_entries(docs)[0].date == datetime.date.today()
    (docs / FOLDER / "greedy.toml").unlink()
    before = datetime.date.today() - datetime.timedelta(days=9)
    add(docs, "--date", before.isoformat())
    assert read_entries(docs)[0].date == before
    assert f"{before}, `0123abc`" in (docs / PAGE).read_text(encoding="utf-8")


def test_a_day_that_is_still_to_come_is_refused(docs: Path) -> None:
    """Only where a row is written: a check later on, by a clock that is wrong, says nothing about the row."""
    day = datetime.date.today() + datetime.timedelta(days=9)
    with pytest.raises(ValueError, match=f"^date: {day} is still to come"):
        entry_text(docs / FOLDER / "greedy.json", "A", "rc benchmark", "0123abc", date=day)


def test_the_figures_of_a_row_are_those_of_its_line() -> None:
    """Of 0.8499 the file says 0.85, from which the page would make 0.9 where the line says 0.8."""
    result = json.loads((DOCS / "benchmark" / "net.json").read_text(encoding="utf-8"))
    assert "solo=97.9±0.8/" in result["line"] and result["variants"]["1 basic"][1] == 0.85
    assert "97.9 ± 0.8 / 92.3 ± 1.6" in row_of(result)


def test_the_hash_of_a_bot_is_that_of_its_files(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(docs)
    weights, source = Path("b.npz"), Path("a.py")
    weights.write_bytes(b"weights")
    source.write_bytes(b"source")
    text = entry_text(docs / FOLDER / "greedy.json", "A", "rc benchmark greedy", "0123abc", [weights, source], "a note")
    (docs / FOLDER / "greedy.toml").write_text(text, encoding="utf-8")
    entry = read_entry(docs / FOLDER / "greedy.toml", docs)
    # printf weights | sha256sum, printf source | sha256sum
    assert entry.bot == {
        str(weights): "9a129038d9a00aed0cf6a7ea059ca50a813449061ab87848cf1a13eafdf33b2c",
        str(source): "41cf6794ba4200b839c53531555f0f3998df4cbb01a4d5cb0b94e3ca5e23947d",
    }
    assert len(entry.digest) == 64 and entry.note == "a note"


def test_the_check_finds_a_page_that_is_out_of_date(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leaderboard.main(["--docs", str(docs), "--check"])
    (docs / PAGE).write_text((docs / PAGE).read_text("utf-8").replace("10,000", "10,001"), encoding="utf-8")
    with pytest.raises(SystemExit):
        leaderboard.main(["--docs", str(docs), "--check"])
    assert "is out of date: run `python bench/leaderboard.py`" in capsys.readouterr().err


Change = Callable[[dict[str, Any]], None]


def put(*path: Any) -> Change:
    """A change that puts the last value at the place that the others lead to."""

    def change(tree: Any) -> None:
        *way, key, value = path
        for step in way:
            tree = tree[step]
        tree[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("protocol", "rc-benchmark/9"), "unknown protocol 'rc-benchmark/9'"),
        (put("label", "quick,not-comparable"), "label must be standard or games=N"),
        (put("label", "games=80"), "deals must be 40, as the protocol says, not 5000"),
        (put("label", "games=20"), "games=20 is too few for a row, which needs 40 games a cell or more"),
        (put("cells", 3, "seed", 1), "cell 2 basic against search: seed must be "),
        (put("cells", 0, "games", 9999), "games must be 10000, as the protocol says, not 9999"),
        (put("cells", 0, "against", "rush"), "against must be random"),
        (put("cells", 1, "win_share", 0.9), "does not contain the share 0.9"),
        (put("cells", 1, {}), "players must be 2"),
        (put("cells", 1, "win_share", float("inf")), "win_share must be"),
        (put("cells", []), "there are 0, but rc-benchmark/2 has 26 for a bot that misses 0"),
        (put("variants", "2 basic", [99.0, 1.0]), "variants, 2 basic: 44.* follows from the cells, not"),
        (put("score", [99.0, 0.3]), "score: 48.* follows from the cells, not"),
        (put("score", None), "score must be"),
        (put("missing", {"3 basic": "no"}), "has 22 for a bot that misses 1"),
        (put("missing", {"5 basic": "no"}), "the protocol has no variant '5 basic'"),
        (put("anchors", "fingerprint", "0123"), "has the fingerprint 693cf6e91a6c1881, not '0123'"),
        (put("versions", "rules", 1), "has the rules 2, not 1"),
        (put("versions", "layouts", "2", "0-1"), "the layouts are not those of rc-benchmark/2"),
        (put("versions", "rc_env", "9.0.0"), "rc_env is '9.0.0', but the line names another version"),
        (put("bot", "`rm`"), r"bot must be a line of text"),
        (put("run", {}), "run, seconds_a_decision must be"),
    ],
)
def test_results_that_contradict_themselves_or_the_protocol_are_refused(change: Change, words: str) -> None:
    result = json.loads((DOCS / "benchmark" / "greedy.json").read_text(encoding="utf-8"))
    check_result(result)
    change(result)
    with pytest.raises(ValueError, match=words):
        check_result(result)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("score=48.6", "score=58.6"),
        ("2p=44.5±1.1", "2p=45.5±1.1"),
        ("anchors=693cf6e91a6c1881", "anchors=693cf6e91a6c1882"),
        ("bot=greedy", "bot=net"),
        ("rc_env=0.2.0", "rc_env=best"),
        ("rules=2 ", "rules=1 "),
        (" 2p=", " games=10000 2p="),
    ],
)
def test_a_line_that_does_not_follow_from_the_results_is_refused(old: str, new: str) -> None:
    result = json.loads((DOCS / "benchmark" / "greedy.json").read_text(encoding="utf-8"))
    assert old in result["line"]
    result["line"] = result["line"].replace(old, new)
    with pytest.raises(ValueError, match=r"line: it|versions: rc_env is"):
        check_result(result)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('by = "A. Author"', 'by = "<b>A</b>"', "by must be a line of text"),
        ('by = "A. Author"\n', "", "by must be a line of text"),
        ('commit = "0123abc"', 'commit = "main"', "commit must be 7 to 40 digits"),
        ('results = "leaderboard/', 'results = "leaderboard/../', "results must be benchmark/NAME.json"),
        ('results_sha256 = "', 'results_sha256 = "0', "so it is another file"),
        ('line = "rc', 'line = "rc-', "is another one"),
        ("date = ", "day = ", "there is no entry 'day'"),
        ("date = ", "date = 1 # ", "date must be a date such as"),
        ('commit = "0123abc"', 'commit = "0123abc"\nbot = {"a" = "b"}', "bot, a must be a SHA-256 of 64 digits"),
        ('commit = "0123abc"', 'commit = "0123abc"\nbot = "net"', "bot must be a table"),
        ("command = ", "command = =", "greedy.toml: "),
    ],
)
def test_a_row_of_another_form_is_refused(docs: Path, old: str, new: str, words: str) -> None:
    path = docs / FOLDER / "greedy.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        read_entries(docs)


def test_a_file_that_is_not_utf8_is_named_with_its_byte(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (docs / FOLDER / "greedy.toml", docs / PAGE):
        before = path.read_bytes()
        path.write_bytes(before.replace(b"\n", b"\n\xff", 1))
        with pytest.raises(SystemExit):
            leaderboard.main(["--docs", str(docs), "--check"])
        assert f"leaderboard: {path}: byte 0xff in line 2 is not UTF-8\n" == capsys.readouterr().err
        path.write_bytes(before)
    (docs / FOLDER / "greedy.json").write_bytes(b"{\xff}")
    with pytest.raises(ValueError, match=r"results: greedy\.json is not a JSON file that `rc benchmark --json` wrote"):
        entry_text(docs / FOLDER / "greedy.json", "A", "rc benchmark", "0123abc")


def test_a_row_of_results_that_contradict_themselves_is_not_written(docs: Path) -> None:
    results = docs / FOLDER / "mine.json"
    found = json.loads((docs / FOLDER / "greedy.json").read_text(encoding="utf-8"))
    results.write_text(json.dumps(found | {"score": [99.0, 0.3]}), encoding="utf-8")
    words = ["--add", str(results), "--by", "A", "--command", "rc benchmark greedy", "--commit", "0123abc"]
    with pytest.raises(SystemExit):
        leaderboard.main(["--docs", str(docs), *words])
    assert not (docs / FOLDER / "mine.toml").exists()
    leaderboard.main(["--docs", str(docs), "--check"])


def test_a_row_that_would_be_refused_or_is_there_is_not_written(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = docs / FOLDER / "greedy.toml"
    before = row.read_bytes()
    with pytest.raises(SystemExit):
        add(docs, "--note", "another")
    assert "greedy.toml is a row already" in capsys.readouterr().err and row.read_bytes() == before
    row.unlink()
    other = ["--command", "rc benchmark rush --json greedy.json"]
    for wrong in (["--commit", "HEAD"], ["--by", ""], ["--command", ""], other, ["--file", str(docs / PAGE)]):
        with pytest.raises(SystemExit):
            add(docs, *wrong)
    elsewhere = docs / "other" / FOLDER
    elsewhere.mkdir(parents=True)
    (elsewhere / "mine.json").write_bytes((docs / FOLDER / "greedy.json").read_bytes())
    with pytest.raises(SystemExit):
        add(docs, "--add", str(elsewhere / "mine.json"))
    assert not list((docs / FOLDER).glob("*.toml"))


def test_two_rows_cannot_have_the_same_results(docs: Path) -> None:
    (docs / FOLDER / "again.toml").write_bytes((docs / FOLDER / "greedy.toml").read_bytes())
    with pytest.raises(ValueError, match=r"leaderboard/greedy\.json is the result of two rows"):
        read_entries(docs)


def test_no_word_of_a_row_is_imported(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs / "strange.py").write_text(f"open({str(docs / 'strange.ran')!r}, 'w').close()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(docs)
    results = docs / FOLDER / "greedy.json"
    results.write_text(
        results.read_text("utf-8")
        .replace("=greedy ", "=strange:bot ")
        .replace('"bot": "greedy"', '"bot": "strange:bot"'),
        "utf-8",
    )
    (docs / FOLDER / "greedy.toml").unlink()
    add(docs, "--note", "its code is strange:bot", "--command", "rc benchmark strange:bot --json greedy.json")
    assert "`strange:bot`" in (docs / PAGE).read_text(encoding="utf-8")
    assert not (docs / "strange.ran").exists()
