"""The leaderboard of the benchmark: checks the rows in docs/leaderboard, and writes its page.

`python bench/leaderboard.py` checks every row and writes the tables of docs/leaderboard.md; `--check` only checks.
`python bench/leaderboard.py --add RESULTS.json --by NAME --command WORDS --commit COMMIT [--file PATH ...]` writes the
row of a result of `rc benchmark`.

A row is a file in TOML beside the file of the results. All that a row or its results say is read as numbers and words:
no bot is made of them, and nothing that they name is imported, opened or called, but for the file of results.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchmark_table import headings, row_of

from rc_env import checks, files
from rc_env.arena.intervals import Interval
from rc_env.arena.pages.page import Page, with_block
from rc_env.arena.studies import benchmark
from rc_env.ruleset import RULES_VERSION

DOCS = Path(__file__).parents[1] / "docs"
PAGE, FOLDER = "leaderboard.md", "leaderboard"
MARKERS = "<!-- rows: begin; written by bench/leaderboard.py -->", "<!-- rows: end -->"
MOST_BYTES = 200_000
"""The most bytes of a row or of its results; those of a whole protocol take 10,000."""
PROTOCOLS = {protocol.name: cells for protocol, cells in benchmark.PROTOCOLS.items()}
RESULTS = re.compile(r"(benchmark|leaderboard)/[a-z0-9_.-]+\.json")
LABEL = re.compile(r"standard|games=([1-9]\d{0,5})")
LEAST_GAMES = 40
"""The fewest games a cell of a row: with fewer the interval of a strength is wider than 15 points on either side."""
SHA = re.compile(r"[0-9a-f]{64}")
COMMIT = re.compile(r"[0-9a-f]{7,40}")
WORDS = re.compile(r"[^\x00-\x1f\x7f|`<>\[\]]{1,300}")
"""What a word of a row may be, so that it stands on a page as it is."""
FIGURE = re.compile(r"(?<=[=/±])\d+\.\d(?=[±/ ]|$)")
"""A figure of a line, which is rounded to one digit."""
CLOSE = 2e-3
"""By how much a strength may differ from that of the shares in its file, which are rounded to six digits."""


@dataclass(frozen=True)
class Entry:
    """A row of the leaderboard, with its results.

    Attributes:
        name: the name of its file, without the suffix.
        line: the line of the benchmark.
        results: the path of the results in docs/.
        command: the command that made them.
        by: who sent it in.
        date: when the games were played.
        commit: the state of the package that played them.
        bot: the SHA-256 of each file that the bot consists of beside that state, by path or name.
        note: a sentence about the bot or the games; may be empty.
        result: the results, as `rc benchmark --json` wrote them.
    """

    name: str
    line: str
    results: str
    command: str
    by: str
    date: datetime.date
    commit: str
    bot: Mapping[str, str]
    note: str
    result: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The SHA-256 over the lines that `sha256sum` prints of the bot's files, by their names; "" without files."""
        lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(self.bot.items()))
        return hashlib.sha256(lines.encode()).hexdigest() if lines else ""


def read_entry(path: Path, docs: Path = DOCS) -> Entry:
    """Read a row and its results, and check that they agree.

    Args:
        path: the row, in TOML.
        docs: the folder that the path of the results begins at.

    Raises:
        ValueError: something is missing, of another form, or contradicts the protocol or another part.
        OSError: a file cannot be read.
    """
    path = Path(checks.path("row", path))
    return _entry(path.stem, files.read(path, MOST_BYTES), Path(checks.path("docs", docs)))


def _entry(name: str, raw: bytes, docs: Path) -> Entry:
    """The row of this name from its text, checked."""
    _text(raw)
    row = files.toml(raw)
    known = {"line", "results", "results_sha256", "command", "by", "date", "commit", "bot", "note"}
    if strange := sorted(set(row) - known):
        raise ValueError(
            f"{name}.toml: there is no entry {checks.shown(strange[0])}: choose {checks.choice(sorted(known))}"
        )
    words = {one: _word(row, one) for one in ("line", "results", "results_sha256", "command", "by", "commit")}
    note = _word(row, "note") if "note" in row else ""
    date = row.get("date")
    if type(date) is not datetime.date:
        checks.refuse("date", date, "a date such as 2026-11-26")
    _of_form("commit", words["commit"], COMMIT, "7 to 40 digits of a commit")
    _of_form(
        "results",
        words["results"],
        RESULTS,
        "benchmark/NAME.json or leaderboard/NAME.json, NAME of lower-case letters, digits, _ . and -",
    )
    bot = checks.instance("bot", row.get("bot", {}), dict, "a table of SHA-256 by the name of a file")
    for file, digest in bot.items():
        _of_form("bot", file, WORDS, "names of files")
        if PurePosixPath(file).is_absolute() or ".." in PurePosixPath(file).parts:
            raise ValueError(
                f"bot: {checks.shown(file)} is a path of one machine: name files from the folder they are in"
            )
        _of_form(f"bot, {file}", digest, SHA, "a SHA-256 of 64 digits")
    raw = files.read(docs / words["results"], MOST_BYTES)
    if (digest := hashlib.sha256(raw).hexdigest()) != words["results_sha256"]:
        raise ValueError(f"results_sha256: {words['results']} has the SHA-256 {digest}, so it is another file")
    result = _results(words["results"], raw)
    check_result(result)
    if result["line"] != words["line"]:
        raise ValueError(f"line: that of {words['results']} is another one: {checks.shown(result['line'])}")
    if result["bot"] not in words["command"].split():
        raise ValueError(f"command: it does not name the bot of the results, {checks.shown(result['bot'])}")
    named = (words["line"], words["results"], words["command"], words["by"], date, words["commit"])
    return Entry(name, *named, bot, note, result)


def check_result(result: Mapping[str, Any]) -> None:
    """Check that results are of a known protocol, and that their parts agree.

    The line, the strengths and the score are computed again from the shares of games won of the cells; deals and games
    are those of the protocol.

    Args:
        result: what `rc benchmark --json` wrote.

    Raises:
        ValueError: a part is missing, of another form, or contradicts another part or the protocol.
    """
    checks.instance("result", result, dict, "results as `rc benchmark --json` writes them")
    name = checks.one_of("protocol", result.get("protocol"), PROTOCOLS)
    label = _word(result, "label")
    if not (found := LABEL.fullmatch(label)):
        raise ValueError(f"label must be standard or games=N, not {checks.shown(label)}: other runs cannot be compared")
    if int(found[1] or benchmark.GAMES) < LEAST_GAMES:
        raise ValueError(f"label: {label} is too few for a row, which needs {LEAST_GAMES} games a cell or more")
    cells = benchmark.limited_cells(int(found[1] or benchmark.GAMES), PROTOCOLS[name])
    protocol = cells[0].protocol
    missing = checks.instance("missing", result.get("missing"), dict, "reasons by variant")
    if strange := sorted(set(missing) - {cell.variant for cell in cells}):
        raise ValueError(f"missing: the protocol has no variant {checks.shown(strange[0])}")
    whys = {variant: str(why) for variant, why in missing.items()}
    expected = [cell for cell in cells if cell.variant not in whys]
    played = checks.sequence("cells", result.get("cells"), "a list of cells")
    if len(played) != len(expected):
        raise ValueError(
            f"cells: there are {len(played)}, but {name} has {len(expected)} for a bot that misses {len(whys)}"
        )
    found_cells = tuple(map(_cell, played, expected))
    short = "" if label == "standard" else label
    again = benchmark.BenchmarkResult(
        protocol, _word(result, "bot"), short, found_cells, whys, len(cells) - len(expected), 0, {}
    )
    _check_figures(result, again)
    _check_versions(result, protocol, again)


def _cell(played: Any, cell: benchmark.Cell) -> benchmark.CellResult:
    """A cell of results, of which the protocol says what was to be played."""
    where = f"cell {cell.variant} against {cell.against}"
    one = checks.instance(where, played, dict, "a JSON object")
    for key, value in {
        "players": cell.players,
        "workshop": cell.workshop,
        "game": cell.game or None,
        "against": cell.against,
        "seed": cell.seed(0),
        "deals": cell.deals,
        "games": cell.deals * cell.players,
    }.items():
        if one.get(key) != value:
            raise ValueError(f"{where}: {key} must be {value}, as the protocol says, not {checks.shown(one.get(key))}")
    low, share, high = (checks.number(f"{where}, {key}", one.get(key), 0, 1) for key in ("low", "win_share", "high"))
    if not low <= share <= high:
        raise ValueError(f"{where}: the interval from {low} to {high} does not contain the share {share}")
    figures = ("prestige", "prestige_low", "prestige_high", "theirs")
    prestige, below, above, theirs = (checks.number(f"{where}, {key}", one.get(key), -100, 300) for key in figures)
    truncated = checks.number(f"{where}, truncated", one.get("truncated"), 0, 1)
    games, deals = cell.deals * cell.players, cell.deals
    found = benchmark.CellResult(
        cell,
        Interval(share, low, high, games, deals),
        Interval(prestige, below, above, games, deals),
        theirs,
        truncated,
    )
    _close(f"{where}, strength", one.get("strength"), found.strength)
    return found


def _check_figures(result: Mapping[str, Any], again: benchmark.BenchmarkResult) -> None:
    """Compare strengths, score and line with those that follow from the cells."""
    variants = checks.instance("variants", result.get("variants"), dict, "strengths by variant")
    for variant in again.protocol.variants:
        _close(f"variants, {variant}", variants.get(variant), again.variant(variant))
    _close("score", result.get("score"), again.score)
    line, expected = _word(result, "line").split(" "), again.line.split(" ")
    if len(line) != len(expected):
        raise ValueError(f"line: it has {len(line)} words, but {len(expected)} follow from the results")
    for word, other in zip(line, expected, strict=True):
        if other.startswith("rc_env="):  # the version of the package that played, which need not be this one
            agree = re.fullmatch(r"rc_env=\d+\.\d+\.\d+(\.dev\d+)?", word) is not None
        else:
            numbers, others = (re.findall(FIGURE, one) for one in (word, other))
            near = all(abs(float(a) - float(b)) < 0.1 + CLOSE for a, b in zip(numbers, others))
            agree = word == other or (near and re.sub(FIGURE, "#", word) == re.sub(FIGURE, "#", other))
        if not agree:
            raise ValueError(f"line: it says {checks.shown(word)}, but {checks.shown(other)} follows from the results")


def _check_versions(result: Mapping[str, Any], protocol: benchmark.Protocol, again: benchmark.BenchmarkResult) -> None:
    """Compare what the results say of rules, layouts and anchors with the protocol and the line."""
    anchors = checks.instance("anchors", result.get("anchors"), dict, "the anchors")
    if anchors.get("fingerprint") != protocol.fingerprint:
        raise ValueError(
            f"anchors: {protocol.name} has the fingerprint {protocol.fingerprint}, not "
            f"{checks.shown(anchors.get('fingerprint'))}"
        )
    versions = checks.instance("versions", result.get("versions"), dict, "versions by name")
    if versions.get("rules") != RULES_VERSION:
        raise ValueError(
            f"versions: {protocol.name} has the rules {RULES_VERSION}, not {checks.shown(versions.get('rules'))}"
        )
    layouts = {str(players): protocol.ruleset(players).layout_hash for players in (1, 2, 3, 4)}
    if versions.get("layouts") != layouts:
        raise ValueError(f"versions: the layouts are not those of {protocol.name}")
    version = _word(versions, "rc_env")
    if f"rc_env={version}" not in _word(result, "line").split(" "):
        raise ValueError(f"versions: rc_env is {checks.shown(version)}, but the line names another version")
    run = checks.instance("run", result.get("run"), dict, "how the results were made")
    paces = checks.instance("run, seconds_a_decision", run.get("seconds_a_decision"), dict, "seconds by name")
    checks.number("run, seconds", run.get("seconds"), 0, 1e9)
    for name in ("one at a time", "16 at a time"):
        checks.number(f"run, seconds_a_decision, {name}", paces.get(name), 0, 1e6)


def _close(name: str, value: Any, expected: tuple[float, float] | None) -> None:
    """Refuse a figure with half the width of its interval that does not follow from the cells."""
    if expected is None:
        if value is not None:
            raise ValueError(f"{name}: there is none, since a variant was not played, not {checks.shown(value)}")
        return
    pair = checks.sequence(name, value, "a figure and half the width of its interval")
    if len(pair) != 2 or any(abs(checks.number(name, a, 0, 100) - b) > CLOSE for a, b in zip(pair, expected)):
        raise ValueError(
            f"{name}: {expected[0]:.4f} ± {expected[1]:.4f} follows from the cells, not {checks.shown(value)}"
        )


def _word(table: Mapping[str, Any], name: str) -> str:
    return _of_form(name, table.get(name), WORDS, "a line of text without | ` < > [ ]")


def _of_form(name: str, value: Any, form: re.Pattern[str], expected: str) -> str:
    if not isinstance(value, str) or not form.fullmatch(value):
        checks.refuse(name, value, expected)
    return value


def _text(raw: bytes, where: str = "") -> str:
    """The text of a file; a refusal begins with where it is from."""
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{where}byte 0x{raw[error.start]:02x} in line {line} is not UTF-8") from None


def _results(name: str, raw: bytes) -> dict[str, Any]:
    """The results that a file holds."""
    try:
        result = json.loads(raw.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError(f"results: {name} is not a JSON file that `rc benchmark --json` wrote") from None
    return checks.instance("results", result, dict, "a JSON object")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def read_entries(docs: Path = DOCS) -> list[Entry]:
    """Every row in the folder, in the order of names.

    Raises:
        ValueError: a row is not what it should be (the message begins with its file), or two have the same results.
        OSError: a file cannot be read.
    """
    entries: list[Entry] = []
    for path in sorted((Path(checks.path("docs", docs)) / FOLDER).glob("*.toml")):
        try:
            entries.append(read_entry(path, docs))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    if twice := checks.repeated(entry.results for entry in entries):
        raise ValueError(f"{twice} is the result of two rows")
    return entries


def tables(entries: Sequence[Entry]) -> Page:
    """The tables of the page: a section for each protocol, the best score first."""
    entries = checks.sequence("entries", entries, "rows of `read_entries`")
    page = Page("Leaderboard")
    for protocol in PROTOCOLS:
        page.heading(protocol)
        of_it = [entry for entry in entries if entry.result["protocol"] == protocol]
        ordered = sorted(of_it, key=lambda entry: (-(entry.result["score"] or [-1])[0], entry.name))
        if not ordered:
            page.text("No rows yet.")
            continue
        page.table(
            (*headings(protocol), "one decision", "bot's files", "by", "played", "row"), list(map(_line, ordered))
        )
        for note in dict.fromkeys(entry.note for entry in ordered if entry.note):
            names = ", ".join(entry.name for entry in ordered if entry.note == note)
            page.text(f"**{names}**: {note}")
    return page


def _line(entry: Entry) -> tuple[str, ...]:
    pace = entry.result["run"]["seconds_a_decision"]["one at a time"]
    files_of = f"`{entry.digest[:12]}`" if entry.digest else "–"
    played = f"{entry.date.isoformat()}, `{entry.commit[:7]}`"
    row = f"[{entry.name}]({FOLDER}/{entry.name}.toml), [results]({entry.results})"
    return (*row_of(entry.result), f"{1000 * pace:.3g} ms", files_of, entry.by, played, row)


def entry_text(
    results: Path,
    by: str,
    command: str,
    commit: str,
    bot: Sequence[Path] = (),
    note: str = "",
    date: datetime.date | None = None,
) -> str:
    """The text of a row for results of `rc benchmark`.

    Args:
        results: the JSON file, in docs/benchmark or docs/leaderboard.
        by: who sends it in.
        command: the command that made the results.
        commit: the state of the package that played.
        bot: the files that the bot consists of beside that state, such as weights.
        note: a sentence about the bot or the games.
        date: when the games were played; by default today.

    Raises:
        OSError: a file cannot be read.
        ValueError: the results are none, contradict themselves, or `date` is still to come.
    """
    today = datetime.date.today()
    played = today if date is None else date
    if played > today + datetime.timedelta(days=1):  # who played the games may live where it is tomorrow
        raise ValueError(f"date: {played} is still to come; give the day on which the games were played")
    results = Path(checks.path("results", results))
    raw = files.read(results, MOST_BYTES)
    result = _results(results.name, raw)
    check_result(result)
    values = {
        "line": _word(result, "line"),
        "results": f"{results.parent.name}/{results.name}",
        "results_sha256": hashlib.sha256(raw).hexdigest(),
        "command": command,
        "by": by,
        "commit": commit,
        **({"note": note} if note else {}),
    }
    text = "".join(f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items())
    text += f"date = {played.isoformat()}\n"
    if bot:
        text += "\n[bot]\n"
    for file in bot:
        text += f'{json.dumps(Path(file).as_posix())} = "{hashlib.sha256(files.read(file)).hexdigest()}"\n'
    return text


def main(said: Sequence[str] | None = None) -> None:
    """Check the rows and write the page, or write a row."""
    parser = argparse.ArgumentParser(description="Check the rows of the leaderboard, and write its page.")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder with the page (default: docs)")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; end with 2 if the page is out of date, too"
    )
    parser.add_argument(
        "--add", type=Path, metavar="RESULTS", help="write the row of a JSON file in docs/benchmark or docs/leaderboard"
    )
    for name in ("by", "command", "commit", "note"):
        parser.add_argument(f"--{name}", default="", metavar="WORDS", help=f"with --add: the entry {name}")
    parser.add_argument(
        "--file", nargs="+", default=[], type=Path, help="with --add: the files that the bot consists of"
    )
    parser.add_argument(
        "--date",
        type=datetime.date.fromisoformat,
        metavar="DAY",
        help="with --add: when it was played (default: today)",
    )
    args = parser.parse_args(said)
    try:
        if args.add is not None:
            text = entry_text(args.add, args.by, args.command, args.commit, args.file, args.note, args.date)
            row = args.docs / FOLDER / f"{args.add.stem}.toml"
            if row.exists():
                raise ValueError(f"{row} is a row already: give the file of results another name")
            _entry(args.add.stem, text.encode(), args.docs)  # a row that is refused would stop every later check
            files.write(row, text)
        page = args.docs / PAGE
        before = _text(files.read(page), f"{page}: ")
        after = with_block(before, MARKERS, tables(read_entries(args.docs)), "")
        if not args.check:
            files.write(page, after)
        elif before != after:
            raise ValueError(f"{page} is out of date: run `python bench/leaderboard.py`")
    except (OSError, ValueError) as error:
        parser.exit(2, f"leaderboard: {error}\n")


if __name__ == "__main__":
    main()
