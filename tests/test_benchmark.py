"""Tests of the benchmark: its protocol is pinned, its results repeat, and the table in docs/ is made from the files."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmark_table import benchmark_table
from misbehaving import First

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena import jobs, match
from rc_env.arena.intervals import Interval
from rc_env.arena.studies import anchors, benchmark
from rc_env.arena.studies.benchmark import Cell, Protocol, run_benchmark
from rc_env.ruleset import FULL_GAME

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
SMALL = (Cell(2, "basic", ("greedy",), 8), Cell(3, "advanced", ("majority", "all_rounder"), 6), Cell(1, "basic", (), 5))


class TwoPlayers(First):
    """A bot that refuses games of other than two players."""

    def act(self, position):
        if position.ruleset.players != 2:
            raise ValueError(f"players: {position.ruleset.players} found, expected 2")
        return super().act(position)


# --- the pinned protocol


NAMES = {
    benchmark.BASE: "rc-benchmark/2",
    benchmark.FULL: "rc-benchmark-full/2",
    benchmark.STRONG: "rc-benchmark-strong/4",
}


@pytest.mark.parametrize("protocol", NAMES, ids=NAMES.values())
def test_the_anchors_decide_as_the_protocol_says(protocol: Protocol) -> None:
    """If this fails, new results cannot be compared with old ones: raise the protocol's number and pin the new
    fingerprint.
    """
    assert (protocol.name, protocol.fingerprint) == (NAMES[protocol], protocol.found_fingerprint())


@pytest.mark.parametrize(
    ("cells", "name", "expected"),
    [
        (benchmark.CELLS, "rc-benchmark/2", "ac1fd10de42883cf"),
        (benchmark.FULL_CELLS, "rc-benchmark-full/2", "7aed0ca61dd9b708"),
        (benchmark.STRONG_CELLS, "rc-benchmark-strong/4", "38eae1c59bf16916"),
    ],
)
def test_the_cells_are_those_of_the_protocol(cells: tuple[Cell, ...], name: str, expected: str) -> None:
    """Other cells, games or seeds would be another protocol, which needs a new number."""
    game = ", game=''"  # cells had none when the first two were pinned
    words = "\n".join(f"{cell} {cell.seed(0)} {cell.seed(1)}".replace(game, "") for cell in cells)
    words += "".join(f"\n{ruleset.data}" for cell in cells if cell.game for ruleset in cell.rulesets)
    digest = hashlib.sha256(f"{words} {benchmark.CHUNK}".encode()).hexdigest()[:16]
    assert {cell.protocol.name for cell in cells} == {name} and digest == expected
    assert {cell.protocol.deals for cell in cells} == {f"{name.split('/')[0]}/1"}  # the deals of the first protocol


def test_the_protocol_covers_every_variant_with_deals_of_its_own() -> None:
    variants = {(cell.players, cell.workshop) for cell in benchmark.CELLS}
    assert variants == {(players, workshop) for players in (1, 2, 3, 4) for workshop in ("basic", "advanced")}
    assert all(len(cell.opponents) == max(cell.players - 1, 0) for cell in benchmark.CELLS)
    assert {name for cell in benchmark.CELLS for name in cell.opponents} == set(anchors.ANCHORS)
    cells = (*benchmark.CELLS, *benchmark.FULL_CELLS, *benchmark.STRONG_CELLS)
    seeds = [cell.seed(chunk) for cell in cells for chunk in range(-(-cell.deals // benchmark.CHUNK))]
    assert len(set(seeds)) == len(seeds)
    assert all(cell.ruleset == Ruleset(cell.players, cell.workshop) for cell in benchmark.CELLS)
    for cell, base in zip(benchmark.FULL_CELLS, benchmark.CELLS, strict=True):
        ruleset = Ruleset(cell.players, cell.workshop, **FULL_GAME)
        assert dataclasses.replace(cell, protocol=benchmark.BASE) == base and cell.ruleset == ruleset
        assert ruleset.contractors and ruleset.special_tiles and ruleset.promos and ruleset.fourth_guild == "random"


def test_other_anchors_are_refused(monkeypatch) -> None:
    monkeypatch.setattr(benchmark, "fingerprint", lambda **switches: "0123")
    monkeypatch.setattr(benchmark, "strong_fingerprint", lambda: "4567")
    with pytest.raises(ValueError, match=f"fingerprint 0123, but rc-bench.* is defined with {anchors.FINGERPRINT}"):
        run_benchmark("greedy", SMALL)
    with pytest.raises(
        ValueError, match=f"fingerprint 4567, but .*strong/4 is defined with {anchors.STRONG_FINGERPRINT}"
    ):
        run_benchmark("greedy", benchmark.STRONG_CELLS)


def test_other_weights_are_other_anchors(monkeypatch, tmp_path) -> None:
    weights = tmp_path / "weights.npz"
    weights.write_bytes(b"a better network")
    monkeypatch.setattr(anchors.net, "shipped", lambda ruleset: weights)
    assert anchors.strong_fingerprint.__wrapped__() != anchors.STRONG_FINGERPRINT


def test_the_strong_protocol_has_networks_drawn_sets_and_the_full_game() -> None:
    cells = {cell.variant: cell for cell in benchmark.STRONG_CELLS if cell.opponents[0] == "net"}
    assert tuple(cells) == benchmark.STRONG.variants
    drawn = cells["2 basic cards"]
    parts = list(drawn.chunks())
    assert len({ruleset.data for ruleset, _, _ in parts}) == benchmark.SETS == 16 and drawn.ruleset == parts[0][0]
    assert len({ruleset.data_file.sha256 for ruleset, _, _ in parts}) == 16
    assert sum(deals for _, deals, _ in parts) == drawn.deals == 1008 and len({deals for _, deals, _ in parts}) == 1
    assert cells["2 basic full"].ruleset == Ruleset(2, **FULL_GAME)
    assert all(cells[f"{n} {side}"].ruleset == Ruleset(n, side) for n in (2, 3, 4) for side in ("basic", "advanced"))


# --- figures


@pytest.mark.parametrize("others", [1, 2, 3])
def test_strength_puts_shares_of_all_numbers_of_players_on_one_scale(others: int) -> None:
    assert benchmark.strength(1 / (others + 1), others) == pytest.approx(50)
    assert (benchmark.strength(0, others), benchmark.strength(1, others)) == (0, 100)
    worth = 3.0  # it wins three of four games with two players, and worth / (worth + others) of those with more
    assert benchmark.strength(worth / (worth + others), others) == pytest.approx(75)


def test_intervals_of_strength_follow_its_slope() -> None:
    share = Interval(0.4, 0.38, 0.42, 300, 100)
    found, half = benchmark.CellResult(Cell(3, "basic", ("greedy",) * 2), share, share, 0, 0).strength
    bounds = [benchmark.strength(bound, 2) for bound in (0.38, 0.42)]
    assert found == pytest.approx(sum(bounds) / 2, abs=0.1) and half == pytest.approx(np.ptp(bounds) / 2, rel=0.01)


def test_scores_are_means_of_means() -> None:
    result = run_benchmark("greedy", SMALL)
    figures = [one.strength for one in result.cells]
    assert result.variant("3 advanced") == pytest.approx(figures[1])
    assert result.score is not None and result.score[0] == pytest.approx(np.mean([value for value, _ in figures]))
    assert result.score[1] == pytest.approx(np.sqrt(sum(half**2 for _, half in figures)) / 3)
    assert [one.share.games for one in result.cells] == [8, 6, 5]
    assert figures[0] == (50, 0), "every deal is played in all rotations, so a bot and its copy must be equal"


def test_a_cell_is_a_match_against_its_anchors() -> None:
    (found,) = run_benchmark("all_rounder", SMALL[:1]).cells
    bots = [agents.make("all_rounder"), agents.make("greedy")]
    played = match.play_match(bots, 4, Ruleset(2), seed=SMALL[0].seed(0))
    assert found.share.mean == pytest.approx(played.of(played.wins, 0).mean())
    assert found.prestige.mean == pytest.approx(played.of(played.prestige, 0).mean())
    assert found.theirs == pytest.approx(played.of(played.prestige, 1).mean())


def test_fewer_games_are_the_first_ones() -> None:
    bots = [agents.make("all_rounder"), agents.make("greedy")]
    few, many = (match.play_match(bots, deals, Ruleset(2), seed=SMALL[0].seed(0)) for deals in (2, 5))
    np.testing.assert_array_equal(few.prestige, many.prestige[:4])
    cells = benchmark.limited_cells(50)
    assert [cell.seed(0) for cell in cells] == [cell.seed(0) for cell in benchmark.CELLS]
    assert {cell.games for cell in cells} == {50}


def test_results_repeat_in_bytes_whatever_the_number_of_workers() -> None:
    protocol = (*SMALL, Cell(2, "advanced", ("random",), 2 * benchmark.CHUNK + 6))  # this cell is played in two chunks
    alone = run_benchmark("random", protocol).as_json()
    with jobs.Workers(2) as pool:
        shared = run_benchmark("random", protocol, pool=pool).as_json()
    assert alone.pop("run") and shared.pop("run") and json.dumps(alone) == json.dumps(shared)
    assert [cell["deals"] for cell in alone["cells"]] == [4, 2, 5, 103]


# --- bots that do not play everything


def test_variants_that_a_bot_refuses_are_left_out_and_named() -> None:
    progress: list[int] = []
    result = run_benchmark("test_benchmark:TwoPlayers", SMALL, progress=progress.append)
    assert [one.cell for one in result.cells] == [SMALL[0]] and result.score is None and sum(progress) == 8 + 6 + 5
    assert set(result.missing) == {"3 advanced", "1 basic"}
    assert "players: 3 found, expected 2" in result.missing["3 advanced"]
    assert result.line.endswith(" 3p=-/- 4p=-/- solo=-/- score=- (1 of 3 cells)")


def test_a_bot_that_refuses_all_or_fails_later_gets_no_result() -> None:
    with pytest.raises(ValueError, match=r"test_benchmark:TwoPlayers: ValueError raised \(players: 3 found"):
        run_benchmark("test_benchmark:TwoPlayers", SMALL[1:])
    with pytest.raises(ValueError, match="bot test_benchmark:later: IndexError raised"):
        run_benchmark("test_benchmark:later", SMALL)


def later() -> First:
    """Return a bot that raises at its thirtieth decision."""
    bot = First(30)
    bot.fail = lambda position: [][0]  # type: ignore[method-assign]
    return bot


# --- the command


@pytest.mark.usefixtures("in_process")
def test_the_command_prints_the_line_and_writes_the_file(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(benchmark, "limited_cells", lambda games, cells: SMALL)
    path = tmp_path / "new" / "greedy.json"
    assert rc.main(["benchmark", "greedy", "--quick", "--workers", "1", "--json", str(path)]) == 0
    out = capsys.readouterr().out
    line = out.splitlines()[-1]
    assert line.startswith("rc-benchmark/2 quick,not-comparable rc_env=") and " bot=greedy 2p=" in line
    assert "…" not in out and "compare it only with results of the same label" in out
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["line"] == line and written["label"] == "quick,not-comparable" and len(written["cells"]) == 3
    assert written["run"]["seconds_a_decision"]["one at a time"] > 0


def test_the_full_game_has_a_protocol_of_its_own(tmp_path, capsys, monkeypatch) -> None:
    cells = benchmark.limited_cells(2, benchmark.FULL_CELLS)
    monkeypatch.setattr(benchmark, "limited_cells", lambda games, all_of_them: (cells[0], cells[-1]))
    path = tmp_path / "random.json"
    assert rc.main(["benchmark", "random", "--full", "--quick", "--workers", "1", "--json", str(path)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    written = json.loads(path.read_text(encoding="utf-8"))
    assert line.startswith("rc-benchmark-full/2 quick,not-comparable rc_env=") and written["line"] == line
    assert f"anchors={anchors.FULL_FINGERPRINT} bot=random" in line and "expansion_sha256" in written["versions"]
    assert written["versions"]["layouts"]["2"] == benchmark.FULL.ruleset(2).layout_hash
    assert [cell["against"] for cell in written["cells"]] == ["random", "Ivan"]


def test_a_strong_bot_is_measured_against_networks(tmp_path, capsys, monkeypatch) -> None:
    cells = benchmark.limited_cells(4, benchmark.STRONG_CELLS)
    monkeypatch.setattr(benchmark, "limited_cells", lambda games, all_of_them: (cells[1], *cells[-2:]))
    path = tmp_path / "random.json"
    assert rc.main(["benchmark", "random", "--strong", "--quick", "--workers", "1", "--json", str(path)]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    written = json.loads(path.read_text(encoding="utf-8"))
    assert line.startswith("rc-benchmark-strong/4 quick,not-comparable rc_env=") and written["line"] == line
    assert " 3p=-/- 4p=-/- cards=" in line and "solo" not in line
    assert [(cell["against"], cell.get("game"), cell["games"]) for cell in written["cells"]] == [
        ("net_search", None, 4),
        ("net", "cards", 32),
        ("net", "full", 4),
    ]
    assert written["anchors"]["bots"] == anchors.FROZEN and "expansion_sha256" in written["versions"]


# --- the documentation


def test_the_table_of_the_documentation_is_that_of_the_files() -> None:
    page = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    for protocol in (benchmark.BASE, benchmark.FULL, benchmark.STRONG):
        results = [one for one in _files() if one["protocol"] == protocol.name]
        assert results and {one["anchors"]["fingerprint"] for one in results} == {protocol.fingerprint}
        assert benchmark_table(results) in page


def _files() -> list[dict[str, Any]]:
    """The results in docs/benchmark."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted((DOCS / "benchmark").glob("*.json"))]


def test_the_files_hold_the_cells_of_the_protocol() -> None:
    all_cells = {protocol.name: cells for protocol, cells in benchmark.PROTOCOLS.items()}
    for result in _files():
        label = re.fullmatch(r"standard|games=(\d+)", result["label"])
        assert label, f"{result['bot']}: {result['label']}"
        cells = benchmark.limited_cells(int(label[1] or benchmark.GAMES), all_cells[result["protocol"]])
        played = [cell for cell in cells if cell.variant not in result["missing"]]
        assert [(cell.against, cell.seed(0), cell.deals) for cell in played] == [
            (cell["against"], cell["seed"], cell["deals"]) for cell in result["cells"]
        ]
