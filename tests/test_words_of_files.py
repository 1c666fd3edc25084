"""Tests that a word of a file names registered bots alone: nothing is imported or read that only a file names."""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import strength

import rc_env
from rc_env import Engine, Ruleset, agents
from rc_env.apps.cli import options, rc
from rc_env.arena import journal
from rc_env.record import Recorder
from rc_env.training import checkpoint, run, settings

pytestmark = pytest.mark.slow

SOURCES = Path(rc_env.__file__).parents[1]
READS = re.compile(
    r"json\.loads?\(|files\.toml\(|tomllib\.loads?\(|np\.load\(|torch\.load\(|pickle\.loads?\(|\bparse_constant\b"
)
READERS = {
    "agents/net.py": "weights, which name their game and how they were trained; no bot is made of that",
    "agents/plan.py": "weights of a plan, numbers by name",
    "apps/speed/against.py": "answers of its own processes",
    "apps/table/game.py": "a record that it has just written",
    "bench/baselines.py": "results of its own runs, of which it makes a table",
    "bench/distil.py": "positions and what a search found in them, arrays of numbers",
    "bench/engine_calls.py": "answers of its own processes",
    "bench/exploitability.py": "results of its own runs; the bot is named on the command line",
    "bench/goal.py": "answers of its own processes",
    "bench/leaderboard.py": "rows and results, which it shows: `test_no_word_of_a_row_is_imported`",
    "bench/strength.py": "results of a tournament: `test_results_of_a_tournament`",
    "apps/table/laid_out.py": "lines of cards, which are checked as tables of cards",
    "apps/web/budgets.py": "requests: `test_a_request`",
    "apps/web/kept.py": "seats of kept games: `test_a_kept_game`; judgements and setups, which name no bots",
    "arena/journal.py": "the words of a command: `test_a_journal`",
    "bench/benchmark_table.py": "results, of which it makes a table",
    "bench/peers.py": "answers of its own processes",
    "rc_env/files.py": "tables of whoever asks: see `agents/plan.py` and others",
    "rc_env/compile_cache.py": "compiled kernels, in a folder that is the user's own (`tests/test_compile_cache.py`)",
    "rc_env/card_sets/source.py": "tables of cards",
    "rc_env/record/form.py": "records: `test_a_game_that_somebody_left`, `test_a_kept_game`",
    "rc_env/record/recorder.py": "a copy of the keys that whoever writes a record adds, which nobody reads",
    "rc_env/record/replaying.py": "facts of a position",
    "rc_env/rules/printed/data_file.py": "tables of cards",
    "rc_env/saved_games.py": "a ruleset and records of games",
    "training/checkpoint.py": "settings of a run: `test_a_checkpoint`; lines of numbers",
    "training/playout_values.py": "the game of positions with their play-outs",
    "training/run.py": "settings of a run: `test_a_checkpoint`",
    "training/settings.py": "settings of a training: `test_a_file_of_settings`",
}
"""Every module that reads a form in which a stranger could write words: what becomes of them."""

OTHER_OPTIONS = {
    *("data", "expansion_data"),  # files that are read as data, wherever they lie
    *("players", "solo", "workshop", "turn_limit", "fourth_guild", "special_tiles", "promos", "contractors"),
    *(
        "games",
        "seed",
        "limit",
        "workers",
        "json",
        "out",
        "resume",
        "trust",
        "overwrite",
        "until",
        "legal",
        "state",
        "thoughts",
    ),
    *(
        "handicap",
        "study",
        "sets",
        "numbers",
        "ladder_games",
        "keep",
        "rounds",
        "generations",
        "population",
        "step",
        "hires",
    ),
    *("file", "results", "simulations", "playouts", "names", "luck_adjusted", "sample"),
    *("full", "strong", "quick", "help", "knows_solo"),
}
"""Arguments of commands with a journal that name no bot."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a module that leaves a file when it is imported, and a folder that is no run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("strange", "known"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        (tmp_path / f"{name}.py").write_text(
            f"open('{name}.ran', 'w').close()\nfrom rc_env.agents import make\ndef bot(): return make('random')\n"
        )
    return tmp_path


def refused(call: Callable[[], object], *words: str) -> str:
    """Call, which refuses a bot of a file in a sentence, and runs nothing of it."""
    with pytest.raises(ValueError, match=r"names the bot 'strange:bot'.*name it again") as caught:
        call()
    assert not list(Path().glob("*.ran"))
    assert all(word in str(caught.value) for word in words), caught.value
    return str(caught.value)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert rc.main(list(words)) == 2
    assert not Path("strange.ran").exists()
    err = capsys.readouterr().err
    assert err.startswith(f"rc {words[0]}: ") and err.count("\n") == 1
    return err


def test_every_module_that_reads_words_is_listed() -> None:
    found = set()
    for top in ("agents", "apps", "arena", "bench", "rc_env", "training"):
        for path in (SOURCES / top).rglob("*.py"):
            name = path.relative_to(SOURCES).as_posix()
            if not re.match("rc_env/(agents|apps|arena|training)/", name) and READS.search(path.read_text()):
                found.add(name)
    assert found <= set(READERS), "say what becomes of the words that it reads, and test that no bot is made of them"
    assert set(READERS) <= found, "a module that reads no words any more is listed"


def test_every_option_of_a_command_with_a_journal_is_known() -> None:
    for command in journal.PLACES:
        parser = argparse.ArgumentParser()
        rc.module_of(command).add_arguments(parser)
        names = {action.dest for action in parser._actions}
        assert names & set(options.BOT_OPTIONS), command
        assert names <= {*options.BOT_OPTIONS, *OTHER_OPTIONS}, f"{command}: does the new one name a bot, or a place?"


@pytest.mark.parametrize(
    "word", ["helper:bot", "net:mine", "net:path=mine", "search:net=mine", "plan:mine.toml", "os:abort"]
)
def test_only_registered_bots_without_files_may_be_named(word: str) -> None:
    with pytest.raises(ValueError, match=f"a file names the bot '{word}', which is not registered"):
        agents.of_file(word, "a file")
    assert agents.of_file(word, "a file", [word]) == word
    for known in (*agents.names(), "net:shipped", "search:simulations=9,net=shipped,sure=1", "plan:rush"):
        assert agents.of_file(known, "a file") == known
    with pytest.raises(ValueError, match="unknown bot 'kasparov': choose"):
        agents.of_file("kasparov", "a file")


def test_a_bot_of_ones_own_that_is_registered_names_no_file_either(monkeypatch: pytest.MonkeyPatch) -> None:
    from rc_env.agents import registry

    for table in ("_FACTORIES", "_ABOUT", "_WORDS"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))
    agents.register("mine", lambda *files, **more: agents.make("random"), words=["usual"])
    assert agents.of_file("mine:3,usual,depth=2,plan=usual", "a file")
    for word in ("mine:a", "mine:x=a", "mine:['a']", "mine:b'a'"):
        with pytest.raises(ValueError, match="a file names the bot"):
            agents.of_file(word, "a file")


COMMANDS = {
    "arena": ["greedy", "BOT", "--games", "2", "--turn-limit", "8", "--workers", "1"],
    "first-player": ["--bots", "BOT", "--games", "2", "--turn-limit", "8", "--workers", "1"],
    "stats": ["BOT", "--games", "2", "--turn-limit", "8", "--workers", "1"],
    "guilds": ["--bot", "BOT", "--games", "1", "--workers", "1"],
    "record": ["--bots", "greedy,BOT", "--games", "1", "--turn-limit", "8"],
    "uncertainty": ["--bot", "BOT", "--workers", "1"],
    "analyse": ["game.rcr", "--bot", "BOT", "--workers", "1"],
    "tune": ["--against", "BOT", "--games", "4", "--turn-limit", "8", "--workers", "1"],
    "benchmark": ["BOT", "--games", "1", "--workers", "1"],
}
"""A command line of each command with a journal, with a bot for BOT."""


def begun(command: str, words: list[str], ruleset: Ruleset | None = None) -> Path:
    """The folder or file of a command with a journal of these words."""
    place = Path("out.json" if journal.PLACES[command].endswith("FILE") else ".")
    path = Path(f"out.json{journal.SUFFIX}") if place.name else place / f"{command}{journal.SUFFIX}"
    out = ["--out", str(place)] if command in ("record", "tune") else []
    journal.begin(path, command, [*words, *out], ruleset or Ruleset())
    return place


@pytest.mark.parametrize("command", journal.PLACES)
def test_a_journal(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = [word.replace("BOT", "strange:bot") for word in COMMANDS[command]]
    place = str(begun(command, words))
    err = said(capsys, command, "--resume", place)
    assert f"{'out.json' if place != '.' else command}.unfinished.jsonl names the bot 'strange:bot'" in err
    assert err.endswith("name it again: --trust strange:bot\n")
    said(capsys, command, "--resume", place, "--trust", "known:bot")
    assert not Path("known.ran").exists()


def test_a_journal_names_the_plan_that_a_tuning_starts_from(capsys: pytest.CaptureFixture[str]) -> None:
    place = str(begun("tune", ["--start", "../mine.toml"]))
    assert "out.json.unfinished.jsonl names the file of weights '../mine.toml'" in said(
        capsys, "tune", "--resume", place
    )
    assert rc.main(["tune", "--resume", place, "--trust", "../mine.toml"]) == 2
    assert "plan must be a file or one of all_rounder, " in capsys.readouterr().err  # looked for, and there is none


def test_a_tuning_that_starts_from_a_plan_of_the_package_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """One that is not registered as a bot, too."""
    brief = "--rounds 1 --generations 1 --population 4 --games 2 --turn-limit 8 --workers 1 --against random"
    place = begun("tune", ["--contractors", "--start", "contractor", *brief.split(" ")], Ruleset(contractors=True))
    assert rc.main(["tune", "--resume", str(place)]) == 0, capsys.readouterr().err
    assert "[contractors2]" in place.read_text(encoding="utf-8")


def test_a_journal_names_no_file_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    place = str(begun("analyse", ["game.rcr", "--out", "../elsewhere.rcr"]))
    assert "--out is for the copy of one record: give it without --results" in said(
        capsys, "analyse", "--resume", place
    )


def test_a_journal_names_another_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """What a Ray cluster answers is unpickled."""
    place = str(begun("arena", ["greedy", "random", "--workers", "ray://stranger:1"]))
    assert "names --workers 'ray://stranger:1'" in said(capsys, "arena", "--resume", place)


def test_a_bot_that_is_named_again_goes_on() -> None:
    words = [word.replace("BOT", "known:bot") for word in COMMANDS["record"]]
    place = str(begun("record", words))
    assert rc.main(["record", "--resume", place, "--trust", "known:bot"]) == 0
    assert Path("known.ran").exists() and list(Path().glob("*.rcr"))


def left(path: Path, *bots: str) -> None:
    """Write the record of a game that a person left, against bots of these names."""
    engine, recorder = Engine(Ruleset(len(bots) + 1), 1, seed=3), Recorder(lambda *a: None)
    recorder.attach(engine)
    engine.reset(seed=3)
    engine.step([int(np.flatnonzero(engine.legal_mask()[0])[0])])
    path.write_text(recorder.unfinished({"seat": 0, "bots": list(bots)}))


def test_a_game_that_somebody_left(capsys: pytest.CaptureFixture[str]) -> None:
    left(Path("game.rcr"), "greedy", "strange:bot")
    err = said(capsys, "play", "--resume", "game.rcr")
    assert "game.rcr names the bot" in err and err.endswith("name it again: --bots greedy strange:bot\n")


def test_a_kept_game(folder: Path) -> None:
    pytest.importorskip("starlette")
    from starlette.testclient import TestClient

    from rc_env.apps.web.app import Server

    for number, name in enumerate(("strange:bot", "net:mine", "known:bot")):
        place = folder / str(number)
        (place / "games").mkdir(parents=True)
        left(place / "games" / f"{1:016x}.rcr", name)
        with (
            TestClient(Server(place, bots=["known:bot"]).app, base_url="http://127.0.0.1:8000") as client,
            client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{1:016x}/live") as socket,
        ):
            socket.send_json({"do": "pace", "seconds": 0})
            message = socket.receive_json()
            while not message["broken"] and not message["over"]:
                if message["mine"]:
                    socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
                message = socket.receive_json()
        assert ("rc serve --bots" in message["broken"]) == (name != "known:bot"), message
        assert Path("known.ran").exists() == (name == "known:bot") and not Path("strange.ran").exists()


def test_a_request(folder: Path) -> None:
    pytest.importorskip("starlette")
    from rc_env.apps.web.app import Server

    for host in ("127.0.0.1", "0.0.0.0"):
        server = Server(folder, host, ["net:shipped"])
        for name in ("strange:bot", "net:mine", "plan:/etc/passwd", "search:net=mine"):
            with pytest.raises(ValueError, match="rc serve --bots"):
                server.allow(name)
        assert server.allow("net:shipped")
    assert not list(Path().glob("*.ran"))


WORDS = [
    {"teacher": "strange:bot"},
    {"guide": "strange:bot"},
    {"anchors": ["greedy", "strange:bot"]},
    {"opponents": {"self": 1, "strange:bot": 1}},
]


def test_all_settings_that_name_bots() -> None:
    assert {name for words in WORDS for name in words} == settings.BOTS.keys()


@pytest.mark.parametrize("words", WORDS)
def test_a_checkpoint(words: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = settings.TrainingSettings(learner="ppo")
    parts: dict[Any, Any] = {str: "", dict: {}, list: [], bool: False, int: 0, float: 0.0}
    state = {name: parts.get(kind) for name, kind in checkpoint._PARTS.items()}
    checkpoint.save(folder, {**state, "settings": json.dumps({**dataclasses.asdict(plain), **words})})
    refused(lambda: run.settings_of(folder), checkpoint.FILE)
    refused(lambda: run.train(plain, folder, resume=True))
    refused(lambda: run.Run(dataclasses.replace(plain, precision="auto"), folder, checkpoint.load(folder)))
    assert "--trust strange:bot" in said(capsys, "train", "--resume", str(folder))
    assert run.settings_of(folder, ["strange:bot"]).bots and Path("strange.ran").exists()


@pytest.mark.parametrize("words", WORDS)
def test_a_file_of_settings(words: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.json").write_text(json.dumps(words))
    refused(lambda: settings.read_settings(Path("mine.json")), "mine.json")
    assert "mine.json names the bot" in said(capsys, "train", "--config", "mine.json", "--decisions", "0")
    ((name, _),) = words.items()
    given = {"opponents": "self=1"}.get(name, "greedy")
    err = said(capsys, "train", "--config", "mine.json", f"--{name}", given, "--envs", "0")
    assert "envs must be a whole number" in err, "what the command line names takes the place of what the file does"
    assert settings.read_settings(Path("mine.json"), trusted=["strange:bot"]).bots.count("strange:bot") == 1


def test_results_of_a_tournament() -> None:
    results = {"players": 2, "workshop": "basic", "data": "base", "bots": {"strange:bot": {}}}
    refused(lambda: strength.times(results))
