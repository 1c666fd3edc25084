"""Tests of the commands that measure many sets of cards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env.apps.cli import options, rc
from rc_env.arena.over_sets import errors_of, over_sets
from rc_env.arena.pages import uncertainty as uncertainty_page
from rc_env.arena.pages.page import Page, with_block

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]

SMALL = ["--turn-limit", "30", "--workers", "1"]
KEYS = {"sets", "mean", "mean_low", "mean_high", "spread", "low", "high", "error"}


def called(words: list[str], capsys: Any) -> Any:
    """Return the JSON that a command prints."""
    assert rc.main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_first_player_over_sets(tmp_path: Path, capsys: Any) -> None:
    words = ["first-player", "--bots", "random", "greedy", "--data", "sample:3-5", "--games", "12", *SMALL]
    result = called([*words, "--out", str(tmp_path)], capsys)
    assert list(result["sets"]) == [f"sample-v1:{seed}" for seed in (3, 4, 5)]
    assert list(result["over_sets"]) == ["random", "greedy", "mixed"]
    for bot, over in result["over_sets"].items():
        entries = [part["levels"][bot]["seats"][0] for part in result["sets"].values()]
        values, low, high = (np.array([one[key] for one in entries]) for key in ("win_share", "low", "high"))
        assert set(over["seats"][0]) == KEYS
        assert over["seats"][0] == over_sets(values, errors_of(low, high), (0, 1)).as_json()
        assert over["seats"][0]["mean"] + over["seats"][1]["mean"] == pytest.approx(1, abs=1e-4)
    alone = called(["first-player", "--bots", "random", "--data", "sample:3", "--games", "12", *SMALL], capsys)
    deals = result["sets"]["sample-v1:3"]["levels"]["random"]
    assert deals["games"] == alone["levels"]["random"]["games"] == 12
    assert json.loads((tmp_path / "results.json").read_text()) == result
    assert "90 % of the sets" in (tmp_path / "report.md").read_text() and (tmp_path / "seat-1.svg").is_file()
    assert rc.main(words) == 0
    assert "3 sets of cards, 2 players" in capsys.readouterr().out


def test_handicaps_over_sets(capsys: Any) -> None:
    words = ["first-player", "--bots", "greedy", "--handicap", "--data", "sample:0-1", "--games", "8", *SMALL]
    over = called(words, capsys)["over_sets"]["greedy"]
    assert len(over["equal"]) == 1 and (over["equal"][0] is None or set(over["equal"][0]) == KEYS)


def test_arena_over_sets(tmp_path: Path, capsys: Any) -> None:
    words = ["arena", "random", "greedy", "--data", "sample:0-3", "--games", "8", *SMALL]
    result = called([*words, "--out", str(tmp_path)], capsys)
    assert list(result["sets"]) == [f"sample-v1:{seed}" for seed in range(4)]
    over = result["over_sets"]
    assert over["greedy"]["win_share"]["mean"] > over["random"]["win_share"]["mean"]
    assert over["random"]["win_share"]["low"] >= 0 and over["greedy"]["win_share"]["high"] <= 1
    assert result["ahead"]["greedy"]["random"] == 1 - result["ahead"]["random"]["greedy"]
    assert (tmp_path / "sets.svg").is_file()
    digests = {part["versions"]["data_sha256"] for part in result["sets"].values()}
    assert len(digests) == 4
    assert rc.main(words) == 0
    assert "greedy" in capsys.readouterr().out


def test_sets_of_both_games_go_in_pairs() -> None:
    parser = rc.build_parser(["arena"])
    words = ["arena", "random", "--contractors", "--data", "sample:0-1", "--expansion-data", "sample:7-8"]
    found = options.variants(parser.parse_args(words))
    assert [(one.data, one.expansion_data) for one in found] == [
        ("sample-v1:0", "sample-v1:7"),
        ("sample-v1:1", "sample-v1:8"),
    ]
    found = options.variants(parser.parse_args([*words[:-1], "sample:7"]))
    assert [one.expansion_data for one in found] == ["sample-v1:7"] * 2
    with pytest.raises(ValueError, match="expansion_data names 3 sets and data 2"):
        options.variants(parser.parse_args([*words[:-1], "sample:7-9"]))


STUDY = [
    *("uncertainty", "--turn-limit", "24"),
    "--bot",
    "random",
    "--sets",
    "sample:0-2",
    "--games",
    "4",
    "--ladder-games",
    "2",
    "--workers",
    "1",
]


def test_the_study_measures_and_writes_its_block(tmp_path: Path, capsys: Any) -> None:
    begin, end = uncertainty_page.MARKERS
    page = f"# Mine\n\nbefore\n\n{begin}\nold\n{end}\n\nafter\n"
    (tmp_path / "uncertainty.md").write_text(page)
    result = called([*STUDY, "--numbers", "sample:0-29", "--out", str(tmp_path)], capsys)
    assert list(result["players"]) == ["2", "3", "4"]
    for players, part in result["players"].items():
        shares = [seat["mean"] for seat in part["seats"]]
        assert len(shares) == int(players) and all(0 <= share <= 1 for share in shares)
        assert len(part["first_seat"]) == 3 and part["turns"]["mean"] > 5 and part["actions"]["claim"]["mean"] > 1
    assert set(result["ladder"]["won"]) == {"random", "rush", "majority", "guilds", "greedy", "all_rounder"}
    assert result["ladder"]["won"]["all_rounder"]["mean"] > result["ladder"]["won"]["random"]["mean"]
    assert len(result["numbers"]["groups"]) == 12 and result["numbers"]["sets"] == 30
    assert all(0 <= one["share"] <= 1 and one["holds"] == (one["share"] >= 0.95) for one in result["statements"])
    written = (tmp_path / "uncertainty.md").read_text()
    assert written.startswith("# Mine\n\nbefore\n\n") and written.endswith("after\n") and "\nold\n" not in written
    assert "### Which numbers matter" in written
    assert json.loads((tmp_path / "uncertainty.json").read_text()) == result
    for name in ("first-2", "first-3", "first-4", "ladder", "numbers"):
        assert f"(uncertainty-{name}.svg)" in written and (tmp_path / f"uncertainty-{name}.svg").is_file()


def test_the_study_without_numbers_writes_a_report(tmp_path: Path, capsys: Any) -> None:
    assert rc.main([*STUDY, "--numbers", "none", "--out", str(tmp_path)]) == 0
    assert "holds: true in at least 95%" in capsys.readouterr().out
    result = json.loads((tmp_path / "results.json").read_text())
    assert result["numbers"] is None and len(result["statements"]) == 2 + 3 + 4 + 5
    assert (tmp_path / "report.html").is_file()


def test_a_page_without_markers_is_refused() -> None:
    with pytest.raises(ValueError, match="both markers are needed"):
        with_block("# Mine\n", uncertainty_page.MARKERS, Page("x"), "")
