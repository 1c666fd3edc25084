"""Tests of the study of the guilds: the variants that it compares, its figures, its page and its command."""

from __future__ import annotations

import json
import re

import pytest

from rc_env import Ruleset
from rc_env.apps.cli import rc
from rc_env.arena import jobs
from rc_env.arena.figures import Figure
from rc_env.arena.pages.guilds import build, holm
from rc_env.arena.results import Score
from rc_env.arena.studies import guilds, stats

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.usefixtures("in_process")]
NAMES = [
    "clergy", "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders",
    "brickmakers", "thieves", "special tiles", "module Contractors",
]  # fmt: skip


@pytest.mark.parametrize("contractors", [False, True])
def test_every_guild_that_is_allowed_is_a_variant(contractors: bool) -> None:
    """The guilds of the contractors and the lawyers are played with the module alone (R-41)."""
    found = guilds.variants(Ruleset(3, "advanced", contractors=contractors))
    names = NAMES[:-1] if contractors else NAMES  # what the module does is a variant where it is not always played
    assert set(found) == {*names, *(("contractors", "lawyers") if contractors else ())}
    assert [name for name in found if name in names] == names
    for name, ruleset in found.items():
        full = contractors or name != "clergy"
        assert (ruleset.players, ruleset.workshop, ruleset.full) == (3, "advanced", full)
        assert ruleset.contractors is (contractors or name == "module Contractors")
        assert ruleset.special_tiles == (name == "special tiles")
        assert ruleset.fourth_guild == ("clergy" if name in ("special tiles", "module Contractors") else name)


@pytest.mark.parametrize("players", [1, 2])
def test_figures_and_page(players: int) -> None:
    shown = guilds.compare(jobs.Workers(), "greedy", Ruleset(players, turn_limit=400), 4, seed=1)
    assert list(shown) == NAMES
    for name, variant in shown.items():
        one = variant.as_json()
        assert one["games"] == 4 and len(one["seats"]) == 2
        assert sum(seat["win_share"] for seat in one["seats"]) == pytest.approx(1)
        assert one["length"]["turns_a_seat"]["mean"] > 5
        own = [kind for kind in one["actions"] if kind.startswith("fourth guild: ")]
        assert not own or name not in ("clergy", "special tiles")
        by_seat = [seat["prestige"] for seat in one["seats"][:players]]
        assert one["prestige"]["mean"] == pytest.approx(sum(by_seat) / players, abs=1e-3)
        for pair, won in zip(guilds.PAIRS, one["pairs"], strict=True):
            assert won["bots"] == [*pair[: 2 if players > 1 else 1]] and won["games"] == 4
            assert won["low"] <= won["mean"] <= won["high"]
    result = guilds.GuildsResult(Ruleset(), "greedy", 4, 1, "rc guilds", "contractors", {players: shown})
    text = build(result).markdown(None)
    assert all(text.count(f"\n| {name} |") == 2 for name in NAMES)
    assert all(text.count(f"\n**{name}**: ") == 1 for name in NAMES[1:])
    assert "is not remembered" in text


@pytest.mark.long
def test_the_command(tmp_path, capsys) -> None:
    words = ["guilds", "--bot", "random", "--games", "2", "--workers", "1", "--seed", "3"]
    assert rc.main([*words, "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    shown = json.loads((tmp_path / "results.json").read_text())
    assert [part["players"] for part in shown["parts"]] == [2] and re.search(r"^ jewelers +2 ", out, re.MULTILINE)
    assert shown["command"] == "rc guilds --bot random --players 2 --games 2 --workshop basic --seed 3"
    assert (tmp_path / "report.md").read_text().startswith("# What each guild does to the game")
    for wrong, sentence in (
        (["--games", "0"], "games must be a whole number from "),
        (["--players", "7"], "players must be "),
    ):
        assert rc.main([*words, *wrong]) == 2
        assert sentence in (error := capsys.readouterr().err) and error.count("\n") == 1


@pytest.mark.long
def test_the_command_with_the_module(tmp_path, capsys) -> None:
    words = ["guilds", "--bot", "random", "--games", "2", "--workers", "1", "--seed", "3"]
    assert rc.main([*words, "--contractors", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert (
        all(re.search(rf"^ {name} +2 ", out, re.MULTILINE) for name in ("contractors", "lawyers"))
        and "--contractors" in out
    )
    assert (tmp_path / "report.md").read_text().splitlines()[0].endswith(", with the module Contractors")


def test_findings_are_by_holm_over_all_comparisons() -> None:
    """Of n comparisons the smallest p-value is held against 0.05 / n, the next against 0.05 / (n - 1), and so on."""
    clergy = Figure(0.5, 0.47, 0.53)  # a standard error of 0.0153; that of a difference of two such shares is 0.0216

    def share(mean: float) -> Figure:
        return Figure(mean, mean - 0.03, mean + 0.03)

    a, b, c = (2, "a", "won"), (2, "b", "won"), (2, "c", "won")
    compared = {a: (share(0.40), clergy), b: (share(0.55), clergy), c: (share(0.51), clergy)}
    assert holm(compared) == {a: "less", b: "more"}  # p of 4e-6 and 0.021, below 0.05 / 3 and 0.05 / 2
    assert holm({**compared, (3, "d", "won"): (share(0.5), clergy)}) == {a: "less"}  # 0.021 is above 0.05 / 3
    assert holm({a: (clergy, clergy)}) == {}


@pytest.mark.parametrize("players", [1, 2])
def test_the_page_says_what_differs_and_marks_it(players: int) -> None:
    """A guild whose games are much shorter, and in which the first seat and one of the bots win more often."""

    def variant(turns: float, won: float, strong: float) -> guilds.Variant:
        def figure(mean: float) -> Figure:
            return Figure(mean, mean - 0.01, mean + 0.01)

        length = stats.Length(figure(turns), turns, turns, turns, turns)
        summary = stats.Summary(length, length, 0.0, None, {}, {}, {}, figure(0), figure(0), 0.0)  # type: ignore[arg-type]
        seats = tuple(Score(9, *[figure(share)] * 5) for share in (won, 1 - won))
        pairs = tuple(guilds.Won(pair[: min(players, 2)], 9, figure(strong)) for pair in guilds.PAIRS)
        return guilds.Variant(9, summary, figure(20.0), seats, pairs)

    measured = {"clergy": variant(20, 0.5, 0.6), "jewelers": variant(18, 0.7, 0.8), "foremen": variant(20, 0.5, 0.6)}
    result = guilds.GuildsResult(Ruleset(), "all_rounder", 9, 0, "rc guilds", "contractors", {players: measured})
    text = build(result).markdown(None)
    assert "**foremen**: no difference seen." in text
    (line,) = (line for line in text.splitlines() if line.startswith("**jewelers**: "))
    if players == 1:  # the pair's first bot is the one that plays against itself: one comparison, not two
        assert "**In short:** 3 of 8 comparisons" in text
        assert "more games won against Ivan (solo 70% for 50%)" in line
    else:
        assert "**In short:** 4 of 10 comparisons" in text
        assert "more games won by seat 1 (2 players 70% for 50%)" in line
        assert "more wins of `all_rounder` against `greedy` (2 players 80% for 60%)" in line
    assert "shorter games, in turns a seat" in line and "18.0 for 20.0" in line
    rows = [row for row in text.splitlines() if row.startswith("| jewelers |")]
    assert "18.0 ↓" in rows[0] and "↑" in rows[0] and "↑" in rows[1]
    assert not any("↑" in row or "↓" in row for row in text.splitlines() if row.startswith(("| clergy", "| foremen")))
