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
from rc_env.arena.studies import guilds

pytestmark = [pytest.mark.full, pytest.mark.slow, pytest.mark.usefixtures("in_process")]
NAMES = [
    "clergy", "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders",
    "brickmakers", "thieves", "special tiles",
]  # fmt: skip


@pytest.mark.parametrize("contractors", [False, True])
def test_every_guild_that_is_allowed_is_a_variant(contractors: bool) -> None:
    """The guilds of the contractors and the lawyers are played with the module alone (R-41)."""
    found = guilds.variants(Ruleset(3, "advanced", contractors=contractors))
    assert set(found) == {*NAMES, *(("contractors", "lawyers") if contractors else ())}
    assert [name for name in found if name in NAMES] == NAMES
    for name, ruleset in found.items():
        full = contractors or name != "clergy"
        assert (ruleset.players, ruleset.workshop, ruleset.full) == (3, "advanced", full)
        assert ruleset.contractors is contractors
        assert ruleset.special_tiles == (name == "special tiles")
        assert ruleset.fourth_guild == ("clergy" if ruleset.special_tiles else name)


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
        for pair, ladder in zip(guilds.LADDER, one["ladder"], strict=True):
            assert ladder["bots"] == [*pair[: 2 if players > 1 else 1]] and ladder["games"] == 4
            assert ladder["low"] <= ladder["mean"] <= ladder["high"]
    result = guilds.GuildsResult(Ruleset(), "greedy", 4, 1, "rc guilds", "contractors", {players: shown})
    text = build(result).markdown(None)
    assert all(text.count(f"\n| {name} |") == 2 for name in NAMES)
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

    compared = {(2, "a"): (share(0.40), clergy), (2, "b"): (share(0.55), clergy), (2, "c"): (share(0.51), clergy)}
    assert holm(compared) == {(2, "a"): "less", (2, "b"): "more"}  # p of 4e-6 and 0.021, below 0.05 / 3 and 0.05 / 2
    assert holm({**compared, (3, "d"): (share(0.5), clergy)}) == {(2, "a"): "less"}  # 0.021 is above 0.05 / 3
    assert holm({(2, "a"): (clergy, clergy)}) == {}
