"""Tests of every example in the README and the documentation: Python runs, and `rc` accepts the command lines."""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from rc_env.apps.cli import rc

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]
IN_ORDER = "run one after the other"  # the words on a page whose blocks of Python share their names
FRAMEWORKS = {"jax", "pyspiel", "ray", "torchrl", "tianshou", "minari"}  # packages that few users have
FULL = {"environments": (4,), "full": (0,), "pictures": (2,)}  # blocks that play the full game, by page
MODULE = re.compile(r"(?:\S*/)?(?:torchrun .*-m|python3? -m) rc_env\.apps\.cli (.*)")
RUN = {"bots", "completion", "data", "record", "replay", "arena", "stats"}  # commands that are tried with few games
TRIED = ("environments", "records", "uncertainty", "install")  # the pages whose short commands are tried
UNTRIED = re.compile("search|sample:|my_cards|mine")  # slow bots, and files that a page's reader has
SMALL = {"--games": "4"}
EXPANSION = {"--contractors", "--fourth-guild", "--special-tiles", "--expansion-data"}


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a language on a page."""
    text = page.read_text(encoding="utf-8")
    return [dedent(block) for block in re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)]


def name_of(page: Path) -> str:
    """Return the page's path from the root, without its suffix."""
    return str(page.relative_to(ROOT).with_suffix("")).removeprefix("docs/")


def programs() -> Iterator[object]:
    """Return the Python of each page: each block by itself, or all of them where the page says that they belong
    together.
    """
    for page in PAGES[1:]:  # the blocks of the README have a test of their own
        name, python = name_of(page), blocks(page, "python")
        joined = IN_ORDER in " ".join(page.read_text(encoding="utf-8").split())
        for number, block in enumerate(python):
            if joined and number:
                break
            full = bool(FULL.get(name)) if joined else number in FULL.get(name, ())
            yield pytest.param(
                python if joined else [block],
                id=name if joined else f"{name}-{number + 1}",
                marks=[pytest.mark.full] if full else [],
            )


@pytest.mark.parametrize("program", list(programs()))
def test_python_runs(program: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in FRAMEWORKS & set(re.findall(r"^(?:import|from) (\w+)", "\n".join(program), re.MULTILINE)):
        pytest.importorskip(library)
    (tmp_path / "docs").mkdir()  # two pages write their pictures there
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "example"}
    for number, block in enumerate(program, 1):
        exec(compile(block, f"block {number}", "exec"), names)


def test_the_examples_of_the_readme_print_something_short(capsys: pytest.CaptureFixture[str]) -> None:
    python = blocks(ROOT / "README.md", "python")
    assert len(python) == 3
    for api, block in zip(("red_cathedral_v0.env(", "gymnasium.make(", "Engine("), python, strict=True):
        assert api in block
        exec(compile(block, "README", "exec"), {"__name__": "example"})
        assert 0 < len(capsys.readouterr().out) < 500, api


# --- command lines


def lines_of(block: str) -> list[str]:
    """Return the command lines of a block of shell, without comments, with continued lines joined."""
    joined = block.replace("\\\n", " ")
    return [words for line in joined.splitlines() if (words := line.split(" #")[0].split("#: ")[0].strip())]


def words_of(line: str) -> list[str] | None:
    """Return the words after `rc` of a command line, or None for another program."""
    module = MODULE.fullmatch(line)
    words = shlex.split(module[1] if module else line)
    if module:
        return words
    return words[1:] if words and words[0].rsplit("/", 1)[-1] == "rc" else None


COMMAND_LINES = [
    pytest.param(line, id=f"{name_of(page)}: {line[:60]}")
    for page in PAGES
    for block in blocks(page, "sh")
    for line in lines_of(block)
]


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_a_command_line_is_understood(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = words_of(line)
    if words is None:
        program, *rest = shlex.split(line)
        if program == "make":
            targets = re.findall(r"^(\w+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            assert rest[0] in targets
        elif program.startswith("python") and rest[0] == "-m":
            assert importlib.util.find_spec(rest[1]) is not None
        else:
            assert program.rsplit("/", 1)[-1] in (".", "cd", "pip", "python", "python3", "tensorboard"), (
                "the line starts an unknown program"
            )
        return
    if "--resume" in words and words[0] != "train":  # a resumed command reads the words of its first run
        assert len(words) == 3
        return
    try:
        rc.build_parser(words[:1]).parse_args(words)
    except SystemExit as end:
        assert end.code == 0, capsys.readouterr().err


INLINE = sorted(
    {
        (name_of(page), " ".join(line.split()))
        for page in PAGES
        for line in re.findall(r"(?<!`)`(rc [a-z][^`]*)`(?!`)", page.read_text(encoding="utf-8"))
    }
)


def test_commands_and_options_within_the_text_exist() -> None:
    wrong = []
    for page, line in INLINE:
        command, *words = line.split()[1:]
        if command not in rc.COMMANDS:
            wrong.append((page, line))
            continue
        parser = rc.build_parser([command])
        (sub,) = (action for action in parser._actions if action.dest == "command")
        known = {option for action in sub.choices[command]._actions for option in action.option_strings}
        wrong += [
            (page, line) for word in words if word.startswith("--") and word.strip("[]").split("=")[0] not in known
        ]
    assert len(INLINE) > 50
    assert not wrong


def test_short_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_process: None) -> None:
    """The commands of each page run in one folder, since some read what those before have written."""
    tried = set()
    for page in TRIED:
        folder = tmp_path / page
        folder.mkdir()
        monkeypatch.chdir(folder)
        for line in (line for block in blocks(ROOT / f"docs/{page}.md", "sh") for line in lines_of(block)):
            words = words_of(line)
            if not words or words[0] not in RUN or EXPANSION & set(words) or UNTRIED.search(line):
                continue
            if words[0] == "replay" and not Path(words[1]).exists():
                continue
            small = [SMALL.get(before, word) for before, word in zip(["", *words], words, strict=False)]
            assert rc.main(small) == 0, line
            tried.add(words[0])
    assert tried == RUN


# --- links


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=["README", "CONTRIBUTING"])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
