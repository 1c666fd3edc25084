"""Tests of the value of each seat, and of the search for rubles that make the seats equal."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena import jobs, match, standings
from rc_env.arena.figures import Figure
from rc_env.arena.pages import first_player as pages
from rc_env.arena.seeds import part_seed
from rc_env.arena.studies import first_player, handicap, levels

POOL = jobs.Workers()
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]


def command(*words: str) -> int:
    return rc.main(["first-player", *words, "--workers", "1"])


def test_a_mirror_match_plays_each_deal_once_and_tells_by_seat() -> None:
    ruleset = Ruleset(players=3)
    games = first_player.mirror(POOL, "greedy", ruleset, 10, seed=4)
    assert len(games) == 10 and games.bot.tolist() == [[0, 1, 2]] * 10 and games.deal.tolist() == list(range(10))
    table = first_player.measured(games)
    assert table.names == ("seat 1", "seat 2", "seat 3")
    first = (games.place == 0) / (games.place == 0).sum(1, keepdims=True)
    assert table.win_share.mean == pytest.approx(first.mean(0))
    assert table.prestige.mean == pytest.approx(games.prestige.mean(0))


def test_in_a_mixture_strength_cancels_out() -> None:
    # Greedy always beats random: if seat and strength were confused, one seat would look strong.
    games = first_player.mixed(POOL, ["greedy", "random"], Ruleset(), 60)
    table = first_player.measured(games)
    assert table.win_share.mean == pytest.approx([0.5, 0.5])


def test_a_failing_bot_is_reported() -> None:
    with pytest.raises(ValueError, match=r"^bot misbehaving:Illegal: action"):
        first_player.mirror(POOL, "misbehaving:Illegal", Ruleset(), 2)
    with pytest.raises(ValueError, match=r"^bot misbehaving:Illegal: action"):
        first_player.mixed(POOL, ["greedy", "misbehaving:Illegal"], Ruleset(), 2)


# --- rubles


def test_the_line_finds_where_the_shares_are_equal() -> None:
    rubles = np.array([[0, extra] for extra in (-2, -1, 0, 1, 2)], float)
    shares = np.column_stack([0.6 - 0.05 * rubles[:, 1], 0.4 + 0.05 * rubles[:, 1]])
    assert handicap.solved(rubles, shares) == pytest.approx([0, 2])
    # With three seats, the others lose what one gains.
    grid = np.array([[0, a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)], float)
    slope = np.array([[-0.02, -0.03], [0.05, -0.02], [-0.03, 0.05]])
    shares = np.array([0.4, 0.31, 0.29]) + grid[:, 1:] @ slope.T
    found = handicap.solved(grid, shares)
    assert np.array([0.4, 0.31, 0.29]) + slope @ found[1:] == pytest.approx(1 / 3)


def test_a_line_that_the_candidates_do_not_tell_is_not_drawn() -> None:
    assert np.isnan(handicap.solved(np.array([[0.0, 1.0]]), np.array([[0.5, 0.5]]))).all()
    flat = np.array([[0, 0], [0, 1]], float)
    assert np.isnan(handicap.solved(flat, np.full((2, 2), 0.5))).all()


def fake_games(rubles: tuple[int, ...], deals: int, seed: int) -> standings.FinishedGames:
    """Return invented games in which seat 2 wins half with 2 rubles more, and each ruble is worth ten points."""
    draws = np.random.default_rng(seed).random(deals)
    second = draws < 0.5 + 0.1 * (rubles[1] - 2)
    place = np.column_stack([second, ~second]).astype(np.int32)
    seats = np.tile([0, 1], (deals, 1))
    return standings.FinishedGames(
        np.arange(deals), seats, 30 - place, place, np.full(deals, 40, np.int32), np.zeros(deals, bool)
    )


def test_the_search_finds_the_rubles_and_confirms_them_on_fresh_deals(monkeypatch) -> None:
    seeds = []

    def mirror(pool, bot, ruleset, deals, seed, rubles, progress):
        seeds.append(seed)
        return fake_games(rubles, deals, seed)

    monkeypatch.setattr(first_player, "mirror", mirror)
    found = handicap.search(POOL, "greedy", Ruleset(), 1000, seed=5)
    assert found.best == (0, 2)
    assert found.equal.mean == pytest.approx([0, 2], abs=0.3)
    assert found.equal.low[1] < 2 < found.equal.high[1] and found.equal.high[1] - found.equal.low[1] < 1
    assert found.confirmed.win_share.mean == pytest.approx([0.5, 0.5], abs=0.06)
    assert found.fresh.win_share.mean == pytest.approx([0.7, 0.3], abs=0.06)
    assert set(seeds[:-2]) == {5} and len(set(seeds[-2:])) == 1 and seeds[-1] != 5
    own = int(Ruleset().rules[0].starting_rubles[1])
    assert list(found.tried) == [(0, extra) for extra in range(-own, handicap.MOST + 1)]


def test_the_walk_ends_where_no_neighbour_is_more_even() -> None:
    tried = set()

    def uneven(rubles: tuple[int, ...]) -> float:
        tried.add(rubles)
        return float(sum((a - b) ** 2 for a, b in zip(rubles, (0, 2, -1, 1), strict=True)))

    assert handicap._walk((0, 0, 0, 0), [3, 4, 4, 5], uneven) == (0, 2, -1, 1)
    assert all(rubles[0] == 0 and min(rubles) >= -5 for rubles in tried)
    poor = handicap._walk((0, 0, 0), [0, 1, 1], lambda rubles: float(sum(rubles)))
    assert poor == (0, -1, -1), "no seat may start with fewer than 0 rubles"


def test_more_rubles_win_more() -> None:
    def share(extra: int) -> float:
        games = first_player.mirror(POOL, "all_rounder", Ruleset(), 400, rubles=(0, extra))
        return float(first_player.measured(games).win_share.mean[1])

    assert share(-4) + 0.05 < share(4)


# --- levels of play


def test_levels_can_be_measured_from_python() -> None:
    told: list[str] = []
    measuring = levels.Measuring(POOL, tell=told.append)
    ruleset = Ruleset(players=3, turn_limit=60)
    found = measuring.levels(["greedy", "random"], ruleset, 8, seed=2, search=False)
    assert list(found) == ["greedy", "random", levels.MIXED] and len(told) == 3
    assert [len(level.seats) for level in found.values()] == [3] * 3
    games = first_player.mirror(POOL, "greedy", ruleset, 8, seed=2)
    share = [seat.win_share.mean for seat in found["greedy"].seats]
    assert share == pytest.approx(first_player.measured(games, 2).win_share.mean, abs=1e-6)
    result = levels.LevelsResult(ruleset, 2, "rc first-player", found)
    assert result.games == sum(level.games for level in found.values())
    assert list(result.as_json()["levels"]["mixed"]) == ["bots", "games", "seats"]


# --- the command


def test_json(capsys, monkeypatch) -> None:
    words = "--bots", "greedy", "random", "--players", "3", "--games", "8", "--seed", "2", "--json"
    assert command(*words) == 0
    first = capsys.readouterr().out
    found = json.loads(first)
    assert found["players"] == 3 and found["seed"] == 2 and set(found["levels"]) == {"greedy", "random", "mixed"}
    for level in found["levels"].values():
        assert [seat["seat"] for seat in level["seats"]] == [1, 2, 3]
        assert sum(seat["win_share"] for seat in level["seats"]) == pytest.approx(1, abs=1e-5)
        assert all(0 <= seat["low"] <= seat["win_share"] <= seat["high"] <= 1 for seat in level["seats"])
    monkeypatch.undo()  # now worker processes play the games
    assert rc.main(["first-player", *words, "--workers", "2"]) == 0
    assert capsys.readouterr().out == first


def test_the_handicap_as_printed(capsys, tmp_path) -> None:
    words = "--bots", "greedy", "--games", "30", "--handicap", "--turn-limit", "25"
    assert command(*words, "--out", str(tmp_path / "a")) == 0
    shown = capsys.readouterr().out
    assert "with starting rubles" in shown and "on fresh deals" in shown
    found = json.loads((tmp_path / "a" / "results.json").read_text(encoding="utf-8"))["levels"]["greedy"]["handicap"]
    assert found["starting"] == [own + extra for own, extra in zip(found["printed"], found["best"], strict=True)]
    assert len(found["tried"]) == found["printed"][1] + 1 + handicap.MOST
    assert command(*words, "--out", str(tmp_path / "b")) == 0
    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


@pytest.mark.long
def test_the_study_writes_its_page(monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.setattr(levels, "LEVELS", (("greedy", (20, 8, 4), (20, 8, 4)), ("nobody", (1, 1, 1), (0, 0, 0))))
    monkeypatch.setattr(levels, "MIX_GAMES", 12)
    monkeypatch.setattr(handicap, "STEPS", 1)
    assert command("--study", "--out", str(tmp_path)) == 0
    page = (tmp_path / "first-player.md").read_text(encoding="utf-8")
    for players in (2, 3, 4):
        assert f"## {players} players" in page and (tmp_path / f"first-player-{players}.svg").exists()
    assert "`rc first-player --study --workshop basic --seed 0`" in page and "](first-player-rubles.svg)" in page


def test_the_mirror_is_the_match_loop_without_rotation() -> None:
    ruleset = Ruleset(players=4)
    games = first_player.mirror(POOL, "greedy", ruleset, 1, seed=9, rubles=(0, 1, 0, 2))
    bots = [agents.make("greedy")] * 4
    one = match.play_match(bots, 1, ruleset, seed=part_seed(9, 0), rotate=False, rubles=(0, 1, 0, 2))
    np.testing.assert_array_equal(games.prestige, one.prestige)


def test_an_interval_of_all_that_was_tried_determines_nothing() -> None:
    assert pages._equal(Figure(0, 0, 4 + handicap.MOST), 4) == "not determined"
    assert pages._equal(Figure(4, 3.8, 4.3), 4) == "4.0 (3.8 – 4.3)"
    far, half = pages._furthest([Figure(0.6, 0.57, 0.63), Figure(0.4, 0.37, 0.43)])
    assert far == pytest.approx(0.1) and half == pytest.approx(0.03)
