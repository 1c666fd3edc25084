"""Shared fixtures, and how the tests share the work of compiling.

PyTorch and selenium are imported only where a test uses them.
"""

from __future__ import annotations

import importlib.abc
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Several processes run tests on two processors, so the matrix products of each, and of the commands it starts, use one.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# --- compiling
#
# With an empty cache each of several processes (`pytest -n 2`) would compile the same kernels at the same time. Instead
# both builds are compiled by processes of their own, side by side. The tests begin when the base build is there; those
# marked `full` come last, and wait for the full build if it takes longer.

COMPILE = Path(__file__).parent / "support" / "compiled.py"
# The environment variable that names a file, which exists once the full build is compiled.
FULL_COMPILED = "RC_ENV_TESTS_FULL_COMPILED"
CHUNK = 8  # tests that a process is given at once, so that none is left alone with the last ones


def pytest_configure(config: pytest.Config) -> None:
    """Compile both builds if several processes run whole folders of tests; a single file compiles what it needs."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        # A shell has whatever it starts in the background ignore it, and tests of Ctrl-C would wait for it forever.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput"):
        if FULL_COMPILED in os.environ:
            sys.meta_path.insert(0, _FullBuild(Path(os.environ[FULL_COMPILED])))
        return
    several = getattr(config.option, "numprocesses", None) and not config.option.collectonly
    if not several or not any(Path(argument).is_dir() for argument in config.args):
        return
    config.option.maxschedchunk = config.option.maxschedchunk or CHUNK
    part = "not full" in config.option.markexpr  # `make quick` leaves out the full game and the bots
    whole = Path(__file__).parent in (Path(argument).resolve() for argument in config.args)
    bots = ["bots"] if whole and not part else []
    base = _compiler(config, "base", *bots)
    if not part:
        folder = Path(tempfile.mkdtemp(prefix="rc_env-tests-"))
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ[FULL_COMPILED] = str(folder / "compiled")
        full = _compiler(config, "full", *bots)
        config.add_cleanup(full.kill)
        threading.Thread(target=lambda: (full.wait(), (folder / "compiled").touch()), daemon=True).start()
    base.wait()


def _compiler(config: pytest.Config, *words: str) -> subprocess.Popen[bytes]:
    """Start a process that compiles a build and prints nothing: the tests report what cannot be compiled."""
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, str(COMPILE), *words]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=config.rootpath, env=os.environ | {"PYTHONPATH": path}, **quiet)


class _FullBuild(importlib.abc.MetaPathFinder):
    """An import hook that lets imports of the full build wait until it is compiled."""

    def __init__(self, compiled: Path) -> None:
        self.compiled, self.parent = compiled, os.getppid()

    def find_spec(self, name: str, path: Any, target: Any = None) -> None:
        """Wait until the full build is compiled before it is imported, then leave the search to the usual finders."""
        while name == "rc_env.full.kernels" and not self.compiled.exists() and os.getppid() == self.parent:
            time.sleep(0.1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several processes run the base game first, and long tests before short ones, so that all end together."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: ("full" in item.keywords, "slow" not in item.keywords))


# --- fixtures


@pytest.fixture(scope="session")
def one_thread():
    """Limit PyTorch to one thread: tests run side by side, so more threads would only wait for each other."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands play their matches in this process, whatever `--workers` says: to start processes takes seconds.

    Other tests show that processes give the same results; a test that needs some calls `monkeypatch.undo()`.
    """
    from rc_env.arena.jobs import Workers

    play = Workers._play
    monkeypatch.setattr(Workers, "_play", lambda pool, *arguments: play(Workers(), *arguments))


@pytest.fixture(scope="session")
def run(tmp_path_factory, one_thread):
    """Train a tiny run once per session; return its folder and what it printed."""
    from tiny import TINY

    from rc_env.training.run import train

    rows = []
    return train(TINY, tmp_path_factory.mktemp("run"), rows.append), rows


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a browser without a window; skip the tests that use it where none is installed."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no chromium and chromedriver here (Debian: apt-get install chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for word in (
        "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
        "disable-component-update", "disable-sync", "hide-scrollbars", "disable-dev-shm-usage",
        f"user-data-dir={tmp_path_factory.mktemp('chromium')}",
    ):  # fmt: skip
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(driver))
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    """Run `rc serve` in a thread; return its address and the server."""
    from web_games import serving

    with serving(tmp_path_factory.mktemp("served"), bots=["web_games:Crashing"]) as made:
        yield made


@pytest.fixture
def page(browser: Any, served: tuple[str, Any]) -> Iterator[Any]:
    """A browser that shows a page of the server."""
    from web_page import Page

    browser.get_log("browser")
    yield Page(browser, *served)
    wrong = [line for line in browser.get_log("browser") if "ERR_CONNECTION_REFUSED" not in line["message"]]
    assert wrong == [], "the console of the browser must be empty"


@pytest.fixture(scope="session")
def short_record() -> str:
    """The record of a game of eight turns."""
    from rc_env import Ruleset, agents
    from rc_env.arena.match import play_match
    from rc_env.record import Recorder

    texts: list[str] = []
    recorder = Recorder(lambda number, whole: texts.append(whole))
    bots = [agents.make("greedy"), agents.make("random")]
    play_match(bots, 1, Ruleset(turn_limit=8), seed=2, rotate=False, recorder=recorder)
    return texts[0]
