"""Tests of results less the luck of the rolls: they are unbiased, whatever the play-outs say, and repeat."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from rc_env import Engine, Ruleset, play_match
from rc_env.agents import net
from rc_env.apps.cli import rc
from rc_env.arena import jobs, outcomes, results, standings, tournament
from rc_env.arena.evaluation import Evaluation
from rc_env.arena.luck import (
    Luck,
    adjusted,
    by_chance,
    checked_by,
    dice_of_one_roll,
    luck_by_net,
    luck_of_roll,
)
from rc_env.training import evaluation

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]
SHORT = Ruleset(turn_limit=24)


def test_taking_the_luck_off_leaves_the_expected_share() -> None:
    """Four deals, each with a roll of two equally probable outcomes: the mean over all 16 is that of the plain shares,
    although the luck is wrong by a different factor in each deal."""
    noise, factor, effect = np.array([0.1, -0.2, 0.3, 0.0]), np.array([0.5, 2.0, -1.0, 1.0]), 0.4
    plain, less = [], []
    for rolls in product((-1.0, 1.0), repeat=4):
        shares = 0.5 + noise + effect * np.array(rolls)
        plain.append(shares.mean())
        less.append(adjusted(shares, factor * np.array(rolls)).mean())
    assert np.mean(less) == pytest.approx(np.mean(plain), abs=1e-12) and np.ptp(less) > 0.1
    generator = np.random.default_rng(3)
    luck = generator.normal(0, 1, 500)
    shares = 0.5 + 0.3 * luck + generator.normal(0, 0.1, 500)
    assert adjusted(shares, luck).var() < 0.15 * shares.var()
    assert (adjusted(shares[:2], luck[:2]) == shares[:2]).all() and (adjusted(shares, 0 * luck) == shares).all()
    with pytest.raises(ValueError, match=r"^luck must be a row of finite numbers, one a deal"):
        adjusted(shares, luck[1:])


def test_the_luck_of_a_roll_is_none_on_average() -> None:
    """At a node of chance with six outcomes: what each brings adds up to nothing, if each is played out with the same
    keys as the mean."""
    values, engine, generator = Evaluation(SHORT), Engine(SHORT, 1, 4), np.random.default_rng(1)
    while True:
        before = engine.clone(same_future=True)
        action = int(generator.choice(np.flatnonzero(engine.legal_mask()[0])))
        engine.step([action])
        after = engine.clone(same_future=True)
        if dice_of_one_roll(after) == 1:
            break
        if engine.seat[0] < 0:
            engine.reset()
    assert by_chance(before, after).all()
    half = np.arange(1, 13, dtype=np.uint64)
    faces = np.arange(1, 7, dtype=np.int8)[:, None]
    possible = values.after(before, action, faces, half[:6])
    each = [values.value(possible[face : face + 1], half[face::6]).means for face in range(6)]
    found = luck_of_roll(values, before, action, after, 1, np.concatenate([half, half]))
    assert found.exact and np.mean(each, 0) == pytest.approx(found.expected.means)
    asked = [luck_by_net(values, before, action, possible[face : face + 1], 1, half) for face in range(6)]
    luck = np.array([one.came.means - one.expected.means for one in asked])
    assert all(one.exact for one in asked) and luck.mean(0) == pytest.approx(0, abs=1e-12) and np.ptp(luck) > 0
    drawn = luck_by_net(values, before, action, after, 0, np.arange(200, dtype=np.uint64))
    assert (
        not drawn.exact and abs(drawn.expected.means - asked[0].expected.means).max() < 5 * drawn.expected.errors.max()
    )


@pytest.mark.parametrize("by", [2, "net"])
def test_luck_is_none_on_average_over_many_games(by: int | str) -> None:
    watcher = Luck(SHORT, 60, seed=5, by=by)
    played = play_match(["greedy", "majority"], 30, SHORT, seed=2, watcher=watcher)
    luck = watcher.luck
    assert luck.shape == (60, 2) and (luck != 0).any(1).mean() > 0.5
    assert luck.sum(1) == pytest.approx(0, abs=1e-9), "what one wins, the other loses"
    assert abs(luck[:, 0].mean()) < 3 * luck[:, 0].std() / np.sqrt(len(luck))
    again = Luck(SHORT, 6, seed=5, by=by)
    plain = play_match(["greedy", "majority"], 3, SHORT, seed=2)
    play_match(["greedy", "majority"], 3, SHORT, seed=2, watcher=again)
    assert (again.luck == luck[:6]).all() and (plain.place == played.place[:6]).all(), "the games are the same"


def test_a_tournament_gives_its_results_less_the_luck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["arena", "greedy", "random", "--games", "6", "--turn-limit", "24", "--seed", "3"]
    assert rc.main([*words, "--luck-adjusted", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert rc.main([*words, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert plain["bots"] == found["bots"] and "luck_adjusted" not in plain
    assert found["command"].endswith("--luck-adjusted 2")
    for name, other in (("greedy", "random"), ("random", "greedy")):
        less, more = found["luck_adjusted"][name], found["luck_adjusted"][other]
        assert less["low"] <= less["win_share"] <= less["high"]
        assert less["luck"] == pytest.approx(-more["luck"], abs=2e-4)
        assert less["win_share"] + more["win_share"] == pytest.approx(1, abs=1e-5)
        assert less["low"] + more["high"] == pytest.approx(1, abs=1e-5), "the same deals are drawn for both"
        assert less["luck_low"] == pytest.approx(-more["luck_high"], abs=2e-4)
    for number in ("0", "10001"):
        assert rc.main([*words, "--luck-adjusted", number]) == 2
        assert f"--luck-adjusted must be a whole number from 1 to 10000, not {number}" in capsys.readouterr().err
    assert rc.main([*words, "--luck-adjusted", "2", "--out", "out"]) == 0
    assert "Less the luck of the rolls" in capsys.readouterr().out
    assert "Less the luck of the rolls" in Path("out/report.md").read_text()


def test_what_measures_the_luck_is_a_number_of_play_outs_or_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checked_by("luck", 3, SHORT) == 3 and checked_by("luck", "net", SHORT) == "net"
    assert checked_by("luck", 0, SHORT, 0) == 0
    for by, reason in (("value", r"^luck must be a whole number from 1 to 10,?000"), (0, r"^luck must be a whole")):
        with pytest.raises(ValueError, match=reason):
            checked_by("luck", by, SHORT)
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    without = Ruleset(players=3, special_tiles=True)
    asked: list[Callable[[], object]] = [lambda by=by: checked_by("luck", by, without) for by in ("net", 3)]
    for ask in (*asked, lambda: Luck(without, 1, by=2), lambda: Evaluation(without)):
        with pytest.raises(ValueError, match="the package has no weights for 3 players"):
            ask()
    assert checked_by("luck", 0, without, 0) == 0


@pytest.mark.parametrize("by", [2, "net"])
def test_an_evaluation_gives_its_shares_less_the_luck(by: int | str) -> None:
    plain = evaluation.evaluate("greedy", SHORT, ("random", "majority"), games=6, seed=3)
    found = evaluation.evaluate("greedy", SHORT, ("random", "majority"), games=6, seed=3, luck=by)
    with jobs.Workers() as pool:
        again = evaluation.evaluate("greedy", SHORT, ("random", "majority"), games=6, seed=3, pool=pool, luck=by)
    assert [replace(score, less=None) for score in found] == plain and found == again
    for score in found:
        assert score.less is not None and score.less.luck.low < score.less.luck.high
        assert score.less.win_share.low <= score.less.win_share.mean <= score.less.win_share.high
    always = found[0]
    assert always.share.mean == 1 and always.less.win_share.low == pytest.approx(always.share.low, abs=1e-6)
    alone = Ruleset(players=1, turn_limit=6)
    (score,) = evaluation.evaluate("greedy", alone, games=4, luck=by)
    assert score.less is not None and score.less.luck.mean is not None and score.opponent == "Ivan"


def test_the_commands_give_shares_less_the_luck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    short = ["--games", "6", "--turn-limit", "24", "--seed", "3"]
    words = ["evaluate", "greedy", "--against", "random", *short]
    assert rc.main(words) == 0 and "Less the luck" not in capsys.readouterr().out
    assert rc.main([*words, "--luck-adjusted", "net"]) == 0
    assert "Less the luck of the rolls" in capsys.readouterr().out
    words = ["first-player", "--bots", "greedy", "random", *short, "--workers", "1"]
    assert rc.main([*words, "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert rc.main([*words, "--luck-adjusted", "net", "--json", "--out", "out"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == f"{plain['command']} --luck-adjusted net"
    for name, level in found["levels"].items():
        one, other = level.pop("luck_adjusted")
        assert level == plain["levels"][name]
        assert one["win_share"] + other["win_share"] == pytest.approx(1, abs=1e-5)
        assert one["luck"] == pytest.approx(-other["luck"], abs=2e-4)
    assert "less a part of the luck of the rolls" in Path("out/report.md").read_text()
    assert rc.main([*words, "--luck-adjusted", "2"]) == 0
    assert "Less the luck of the rolls" in capsys.readouterr().out
    for more, reason in (
        (["--luck-adjusted", "0"], "--luck-adjusted must be a whole number from 1 to 10000, not 0"),
        (["--luck-adjusted", "--data", "sample:1-2"], "--luck-adjusted is for one set of cards at a time"),
    ):
        assert rc.main([*words, *more]) == 2 and reason in capsys.readouterr().err
    with pytest.raises(SystemExit):
        rc.main([*words, "--luck-adjusted", "value"])
    err = capsys.readouterr().err
    assert "--luck-adjusted: 'value' is not a whole number" in err and "give a number of play-outs, or net" in err
    assert rc.main(["first-player", "--study", "--luck-adjusted"]) == 2
    assert "--luck-adjusted has no meaning with --study" in capsys.readouterr().err


def test_the_luck_is_kept_with_the_outcome_of_a_job() -> None:
    job = jobs.Job(("a", "b"), ("greedy", "random"), jobs.variant_of(SHORT), 2, 3, luck="net")
    played = jobs.play_job(job).whole
    assert played.luck is not None and played.luck.shape == (4, 2)
    kept, _ = outcomes.unpacked(json.loads(json.dumps(outcomes.packed(played, None))), SHORT)
    assert kept.luck is not None and (kept.luck == played.luck).all()
    schedule = tournament.Schedule(("greedy", "random"), SHORT, games=4, luck=2)
    assert results.measured(tournament.run(schedule)).luck_adjusted.keys() == {"greedy", "random"}


def test_intervals_less_the_luck_mirror_each_other_also_where_a_bot_played_no_deal() -> None:
    """Of three bots two play: what one wins in a resample the other loses, and of the third nothing is known."""
    generator, deals = np.random.default_rng(4), 40
    place = generator.permuted(np.tile(np.array([0, 1], np.int32), (2 * deals, 1)), axis=1)
    luck = generator.normal(0, 0.3, 2 * deals)
    bot = np.tile(np.array([[0, 1], [1, 0]]), (deals, 1))
    ones = np.ones(2 * deals, np.int32)
    games = standings.FinishedGames(
        np.arange(2 * deals) // 2, bot, place, place, ones, ones > 1, np.stack([luck, -luck], 1)
    )
    found = results.luck_adjusted(games, 3, seed=1)
    assert found is not None
    one, other, none = found
    for mine, theirs, whole in ((one.win_share, other.win_share, 1), (one.luck, other.luck, 0)):
        assert None not in (mine.low, theirs.high) and mine.low < mine.high
        assert mine.low + theirs.high == pytest.approx(whole, abs=2e-4)
        assert mine.high + theirs.low == pytest.approx(whole, abs=2e-4)
    assert set(none.as_json().values()) == {None}


def test_an_interval_less_the_luck_is_one_of_a_share() -> None:
    generator, deals = np.random.default_rng(4), 6
    place = np.tile(np.array([0, 1], np.int32), (deals, 1))
    place[0] = [1, 0]
    luck = np.where(place[:, 0] == 0, -0.1, 0.5) + generator.normal(0, 0.4, deals)
    ones = np.ones(deals, np.int32)
    bot = np.tile([0, 1], (deals, 1))
    games = standings.FinishedGames(np.arange(deals), bot, place, place, ones, ones > 1, np.stack([luck, -luck], 1))
    found = results.luck_adjusted(games, 2, seed=1)
    assert found is not None
    assert (found[0].win_share.high, found[1].win_share.low) == (1, 0), "by the bootstrap alone 1.117 and -0.117"
