"""Tests of game metrics, compared with the games themselves."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena import jobs, match, metrics
from rc_env.arena.studies import stats
from rc_env.rules.verbs import Verb
from rc_env.ruleset import FULL_GAME

POOL = jobs.Workers()
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]


def watched(bots: list[str], deals: int, ruleset: Ruleset, **settings) -> tuple[match.Match, metrics.Tally]:
    watcher = metrics.Metrics(ruleset, deals * ruleset.players)
    played = match.play_match([agents.make(bot) for bot in bots], deals, ruleset, watcher=watcher, **settings)
    return played, watcher.tally(played)


@pytest.mark.parametrize("players", (2, 3, 4))
@pytest.mark.parametrize("bot", ("greedy", "random"))
def test_points_by_source_sum_to_the_final_score(players: int, bot: str) -> None:
    ruleset = Ruleset(players=players, workshop="advanced", turn_limit=200)
    played, tally = watched([bot] * players, 12, ruleset, seed=players)
    rules = ruleset.rules[0]
    at_first = int(rules.prestige_at[rules.track_start])
    np.testing.assert_array_equal(tally.points.sum(2) + at_first, played.prestige)
    assert (tally.points[:, :, tally.counted.penalty] <= 0).all()
    sold = tally.counted.sources.index("track: rubles")
    lost = -tally.points[:, :, sold]  # less than one each time, since a marker may stand beyond the prestige space
    assert (lost >= 0).all() and (lost <= tally.uses[:, :, Verb.RUBLES]).all() and (bot == "greedy" or lost.any())


@pytest.mark.parametrize("players", (1, 3))
def test_points_and_uses_of_the_full_game(players: int) -> None:
    """Tools are a source of points, and uses of specialists are counted by the effects of their tiles."""
    ruleset = Ruleset(players=players, turn_limit=200, **FULL_GAME)
    played, tally = watched(["random"] * players, 36 // players, ruleset, seed=players)
    rules, counted = ruleset.rules[0], tally.counted
    at_first = int(rules.prestige_at[rules.track_start])
    np.testing.assert_array_equal(tally.points.sum(2) + at_first, played.prestige[:, :players])
    kinds = [number for number, kind in enumerate(counted.kinds) if kind.startswith("specialist: ")]
    used = tally.uses[:, :, kinds].sum(2)
    np.testing.assert_array_equal(used, tally.uses[:, :, Verb.SPECIALIST])
    assert (tally.uses[:, :, kinds].sum((0, 1)) > 0).sum() > 1
    assert (tally.points[:, :, counted.sources.index("tools")].sum() > 0) and set(counted.specialists) == set(kinds)
    for end in ("hire", "engage", "dismiss"):
        assert tally.uses[:, :, counted.kinds.index(end)].sum() > 0


def test_uses_and_decisions_by_hand(monkeypatch) -> None:
    ruleset = Ruleset(players=3)
    monkeypatch.setattr(match, "ROWS", 7)  # with few rows, each plays several games
    played, tally = watched(["greedy", "random", "greedy"], 6, ruleset, seed=2)
    assert tally.decisions.sum() == played.decisions == tally.branching.sum()
    verbs = tally.uses[:, :, : tally.counted.verbs]
    assert verbs.sum() == played.decisions and (verbs.sum((1, 2)) == tally.decisions).all()
    np.testing.assert_array_equal(verbs[:, :, Verb.GUILD], tally.uses[:, :, tally.counted.verbs :].sum(2))
    random_seats = played.entrant == 1
    assert tally.uses[random_seats, Verb.RUBLES].max() > 0 and tally.uses[~random_seats, Verb.RUBLES].max() == 0


def test_leads_by_hand() -> None:
    ruleset = Ruleset(turn_limit=60)
    bot = agents.make("greedy")
    played, tally = watched(["greedy", "greedy"], 5, ruleset, seed=8, rotate=False)
    for number, key in enumerate(np.random.SeedSequence([8, 0]).generate_state(5, np.uint64)):
        engine = Engine(ruleset, 1)
        engine.reset(deal_seeds=[key])
        leaders, turn = [], 1
        while engine.seat[0] >= 0:
            engine.step(bot.act(agents.Position.of(engine)))
            if engine.games.turn[0] != turn or engine.seat[0] < 0:
                scores = engine.results().prestige[0]
                leaders.append(-1 if scores[0] == scores[1] else int(scores.argmax()))
                turn = int(engine.games.turn[0])
        alone = [leader for leader in leaders if leader >= 0]
        assert tally.lead_changes[number] == sum(a != b for a, b in pairwise(alone))
        assert tally.half_time[number] == leaders[int(played.turns[number]) // 2 - 1]


def test_the_summary_by_hand() -> None:
    ruleset = Ruleset()
    sample = stats.sample(POOL, ["greedy"], ruleset, 60, seed=1)
    found, games, tally = stats.summary(sample).as_json(), sample.games, sample.tally
    assert found["length"]["turns_a_seat"]["mean"] == pytest.approx(games.turns.mean() / 2, abs=1e-3)
    assert found["length"]["decisions"]["median"] == np.median(tally.decisions)
    won = (games.place == 0) / (games.place == 0).sum(1, keepdims=True)
    for kind in ("deliver", "move", "guild: sell"):
        uses, shown = tally.uses[:, :, tally.counted.kinds.index(kind)], found["actions"][kind]
        assert shown["mean"] == pytest.approx(uses.mean(), abs=1e-3)
        assert shown["winners"] == pytest.approx((uses * won).sum() / won.sum(), abs=1e-3)
        assert shown["losers"] == pytest.approx((uses * (1 - won)).sum() / (1 - won).sum(), abs=1e-3)
        assert shown["correlation"] == pytest.approx(np.corrcoef(uses.ravel(), won.ravel())[0, 1], abs=1e-3)
        assert shown["correlation_low"] < shown["correlation"] < shown["correlation_high"]
    assert found["actions"]["reroll"]["mean"] == 0 and found["actions"]["reroll"]["correlation"] is None
    total = sum(source["mean"] for source in found["points"].values())
    rules = ruleset.rules[0]
    assert total + rules.prestige_at[rules.track_start] == pytest.approx(games.prestige.mean(), abs=0.01)
    led = tally.half_time >= 0
    wins = won[led, tally.half_time[led]].mean()
    assert found["lead"]["half_time_leader_wins"]["mean"] == pytest.approx(wins, abs=1e-3)
    counts = np.repeat(np.arange(tally.branching.shape[1]), tally.branching.sum(0))
    assert found["branching"]["mean"] == pytest.approx(counts.mean(), abs=1e-3)
    assert found["branching"]["median"] == np.median(counts) and found["branching"]["max"] == counts.max()
    assert sum(point["share"] for point in found["branching"]["points"].values()) == pytest.approx(1, abs=1e-3)


def test_watching_changes_no_game() -> None:
    played, _ = watched(["random", "random"], 5, Ruleset(), seed=1)
    plain = match.play_match([agents.make("random"), agents.make("random")], 5, seed=1)
    np.testing.assert_array_equal(plain.prestige, played.prestige)


def test_several_bots_meet_in_all_rotations() -> None:
    sample = stats.sample(POOL, ["greedy", "random"], Ruleset(players=3), 3)
    assert len(sample.games) == 2 * 3 and len(sample.tally.decisions) == 6
    assert np.bincount(sample.games.bot.ravel()).tolist() == [9, 9]


def test_the_command(capsys, tmp_path, monkeypatch) -> None:
    words = "stats", "greedy", "--games", "20", "--seed", "3"
    assert rc.main([*words, "--json", "--workers", "1", "--out", str(tmp_path)]) == 0
    first = capsys.readouterr().out
    found = json.loads(first)
    assert found["players"] == 2 and found["games"] == 20 and found["bots"] == ["greedy"]
    assert {"length", "branching", "actions", "points", "lead", "versions", "command"} <= set(found)
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8")) == found
    assert (tmp_path / "report.html").read_text(encoding="utf-8").count("<svg") == 2
    assert rc.main([*words, "--workers", "1"]) == 0
    assert "The lead changes" in capsys.readouterr().out
    monkeypatch.undo()  # now worker processes play the games
    assert rc.main([*words, "--json", "--workers", "2"]) == 0
    assert capsys.readouterr().out == first


def test_stats_of_the_solo_game(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["stats", "greedy", "--solo", "--games", "20", "--seed", "1", "--workers", "1", "--json"]
    assert rc.main(words) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["players"] == 1 and shown["games"] == 20
    assert shown["branching"]["points"].keys() >= {"start", "market"}
    assert 0 < shown["length"]["turns_a_seat"]["mean"] < 100 and shown["actions"]["deliver"]["mean"] > 0
    assert rc.main(["stats", "greedy", "random", "--solo"]) == 2
    assert "rc stats --solo takes one bot, which plays against Ivan alone; got 2" in capsys.readouterr().err
