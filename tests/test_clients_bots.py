"""Tests of bots of one's own: what is said when they cannot be made, their settings, those of installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rc_env
from rc_env import agents
from rc_env.agents import registry
from rc_env.apps.cli import rc

BOT = """
class Mine:
    \"\"\"Plays the first legal action.\"\"\"

    def __init__(self, depth=1, plan="greedy"):
        self.name, self.settings = "mine", (depth, plan)

    def act(self, position):
        return position.mask.argmax(1)

    def reset(self, seed):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which Python looks for modules."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a package with the bots "first_of_mine", and "broken", which cannot be imported."""
    (folder / "package_of_mine.py").write_text(BOT)
    about = folder / "package_of_mine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: package-of-mine\nVersion: 1.0\n")
    points = (
        "first_of_mine = package_of_mine:Mine\nbroken = package_that_is_missing:Mine\ngreedy = package_of_mine:Mine\n"
    )
    (about / "entry_points.txt").write_text(f"[rc_env.agents]\n{points}")
    monkeypatch.setattr(registry, "_FACTORIES", dict(registry._FACTORIES))
    registry._points.cache_clear()
    yield
    registry._points.cache_clear()


@pytest.mark.parametrize(
    ("code", "word", "sentence", "cause"),
    [
        (
            "import a_package_that_is_missing\n" + BOT,
            "{}:Mine",
            "bot '{}:Mine': importing {} fails at {}.py, line 1 (ModuleNotFoundError: No module named "
            "'a_package_that_is_missing')",
            ModuleNotFoundError,
        ),
        (
            "x = 1 / 0",
            "{}:Mine",
            "bot '{}:Mine': importing {} fails at {}.py, line 1 (ZeroDivisionError: division by zero)",
            ZeroDivisionError,
        ),
        (
            "class Mine\n",
            "{}:Mine",
            "bot '{}:Mine': importing {} fails at {}.py, line 1 (SyntaxError: expected ':')",
            SyntaxError,
        ),
        (BOT, "{}:Mien", "bot '{}:Mien': module {} has no Mien; it has Mine", type(None)),
        (
            BOT,
            "{}x:Mine",
            "bot '{}x:Mine': there is no module {}x, and no registered bot of that name: choose ",
            ModuleNotFoundError,
        ),
        (
            BOT,
            "{}.x:Mine",
            "bot '{}.x:Mine': there is no module {}.x, and no registered bot of that name: choose ",
            ModuleNotFoundError,
        ),
        (BOT, "{}:", "bot '{}:' needs something behind the colon: settings, a path, or a factory", type(None)),
        (BOT, "{}:Mine:dept=4", "bot {}:Mine:dept=4: got an unexpected keyword argument 'dept'", type(None)),
    ],
)
def test_each_failure_has_its_sentence(
    folder: Path, request: pytest.FixtureRequest, code: str, word: str, sentence: str, cause: type
) -> None:
    name = f"bot_{abs(hash(request.node.name))}"  # Python imports a module once
    (folder / f"{name}.py").write_text(code)
    with pytest.raises(ValueError) as caught:
        rc_env.make_bot(word.replace("{}", name))
    assert str(caught.value).startswith(sentence.replace("{}", name)) and "\n" not in str(caught.value)
    assert isinstance(caught.value.__cause__, cause)


def test_an_empty_path() -> None:
    for word in ("net:", "net:path="):
        with pytest.raises(ValueError, match=r"(bot 'net:' needs something behind the colon|net must be a .*, not '')"):
            rc_env.make_bot(word)


def test_settings_of_a_factory(folder: Path) -> None:
    (folder / "with_settings.py").write_text(BOT)
    for word, settings in (("", (1, "greedy")), (":4", (4, "greedy")), (":plan=5,depth=6", (6, "5"))):
        assert rc_env.make_bot(f"with_settings:Mine{word}").settings == settings  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("word", "value"),
    [("fast=false", False), ("fast=False", False), ("false", False), ("true", True), ("fast=0", 0)],
)
def test_a_switch_may_be_written_small(folder: Path, word: str, value: object) -> None:
    (folder / "with_a_switch.py").write_text(BOT.replace("depth=1", "fast=True").replace("(depth", "(fast"))
    found = rc_env.make_bot(f"with_a_switch:Mine:{word}").settings  # type: ignore[attr-defined]
    assert found == (value, "greedy") and type(found[0]) is type(value)


@pytest.mark.parametrize("word", ["mine_here:Mine", "mine_here:Mine:depth=3", "mine_here:Mine:3,plan=x"])
def test_a_command_finds_a_module_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    (tmp_path / "mine_here.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "mine_here", raising=False)
    assert rc.main(["arena", word, "random", "--games", "2", "--turn-limit", "4"]) == 0
    assert "mine_here:Mine" in capsys.readouterr().out


def test_bots_of_an_installed_package(package: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert agents.installed() == ("broken", "first_of_mine")  # the name of a bot of this package is taken
    assert "first_of_mine" not in agents.names()
    with pytest.raises(ValueError, match="a file names the bot 'first_of_mine', which is not registered"):
        agents.of_file("first_of_mine", "a file")  # which imports nothing
    assert "first_of_mine" not in agents.names()
    bot = rc_env.make_bot("first_of_mine:depth=3")
    assert bot.settings == (3, "greedy")  # type: ignore[attr-defined]
    assert agents.about("first_of_mine") == ("Plays the first legal action.", {"depth": 1, "plan": "greedy"})
    assert agents.of_file("first_of_mine:4", "a file") == "first_of_mine:4"  # it is registered by now
    with pytest.raises(ValueError, match=r"'broken \(package_that_is_missing:Mine\)': there is no module"):
        rc_env.make_bot("broken")
    with pytest.raises(ValueError, match=r"unknown bot 'brokn': did you mean broken\?"):
        rc_env.make_bot("brokn")
    assert rc_env.make_bot("greedy").name == "greedy"


def test_rc_bots_lists_them(package: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["bots"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.split() == ["first_of_mine", "Plays", "the", "first", "legal", "action."] for line in lines)
    assert any(line.startswith("broken") and "there is no module" in line for line in lines)
    assert rc.main(["arena", "first_of_mine", "random", "--games", "2", "--turn-limit", "4"]) == 0
    assert "first_of_mine" in capsys.readouterr().out
