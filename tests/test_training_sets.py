"""Tests of training on several sets of cards, which take turns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sets

from rc_env.agents import net
from rc_env.training import checkpoint
from rc_env.training.games import EACH, FEWEST, MOST, STAY, SelfPlayGames
from rc_env.training.pool import LEARNER, OpponentPool
from rc_env.training.run import Run, settings_of, train
from rc_env.training.settings import TrainingSettings

pytestmark = pytest.mark.slow

SETS = 11
TINY = TrainingSettings(
    data=f"sample:0-{SETS - 1}",
    imitation=2048,
    decisions=4096,
    envs=16,
    steps=64,
    batch=64,
    epochs=1,
    trunk=8,
    layers=1,
    heads=8,
    object=4,
    threads=1,
    device="cpu",
    precision="float32",
    anchors=("random",),
    evaluation_games=2,
    players=2,
    turn_limit=20,
    snapshot_every=1,
    opponents={"self": 0.4, "past": 0.2, "greedy": 0.4},
)


def games_of(settings: TrainingSettings) -> SelfPlayGames:
    """Return games of self-play on the sets of the settings."""
    games = SelfPlayGames(settings.rulesets, settings.envs, settings.pool())
    games.reset(3)
    return games


def test_settings_name_their_sets_in_full() -> None:
    assert TINY.data == f"sample-v1:0-{SETS - 1}"
    assert TINY.ruleset.data == "sample-v1:0"
    assert [one.data for one in TINY.rulesets] == [f"sample-v1:{seed}" for seed in range(SETS)]
    assert TrainingSettings().rulesets == [TrainingSettings().ruleset]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"learner": "sb3"}, "learner sb3 trains on one set, not on several"),
        ({"expansion_data": "sample:0-3"}, "expansion_data names 4 sets and data 11"),
        ({"data": "sample:5-1"}, "data must be .*, not 'sample:5-1'"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        TrainingSettings(**{"data": TINY.data, **given})


def test_all_sets_take_turns() -> None:
    games = games_of(TINY)
    met, changes, before = {one.data for one in games.sets}, 0, list(games.sets)
    assert len(met) == FEWEST
    for _ in range(SETS * FEWEST):
        games.rotate(STAY // FEWEST)
        now = games.sets
        changes += sum(a is not b for a, b in zip(before, now, strict=True))
        assert len({one.data for one in now}) == FEWEST
        met |= {one.data for one in now}
        before = now
    assert changes == SETS * FEWEST and len(met) == SETS
    games.rotate(STAY // FEWEST - 1)
    assert games.sets == before


@pytest.mark.parametrize(("envs", "sets"), [(8 * EACH, 8), (MOST * EACH, MOST), (2 * MOST * EACH, MOST), (3, 3)])
def test_more_games_play_more_sets_at_once(envs: int, sets: int) -> None:
    rulesets = TrainingSettings(data=f"sample:0-{2 * MOST}").rulesets
    assert len(SelfPlayGames(rulesets, envs, TINY.pool()).sets) == sets


def test_players_are_asked_with_the_cards_of_their_games() -> None:
    class Asked:
        name = "asked"

        def __init__(self) -> None:
            self.seen: list[tuple[Any, int]] = []

        def reset(self, seed: int) -> None:
            pass

        def act(self, position: Any) -> Any:
            self.seen.append((position.ruleset.data, len(position)))
            return position.mask.argmax(1)

    games, bot = games_of(TINY), Asked()
    rows = np.array([0, 1, 2, 7, 15])
    actions = games.ask(bot, rows)
    assert [data for data, _ in bot.seen] == [games.sets[place].data for place in (0, 1, 3)]
    np.testing.assert_array_equal(actions, games.engine.legal_mask()[rows].argmax(1))
    bot.seen.clear()
    bot.observes_only = True  # type: ignore[attr-defined]
    np.testing.assert_array_equal(games.ask(bot, rows), actions)
    assert [count for _, count in bot.seen] == [5]


def test_games_go_on_from_a_state() -> None:
    games, other = games_of(TINY), games_of(TINY)
    for number in range(3):
        for one in (games,):
            one.draw_from(number)
            one.rotate(64)
            for _ in range(40):
                mine = one.mine
                one.step(one.engine.legal_mask()[mine].argmax(1), mine)
    other.restore(games.state())
    assert [one.data for one in other.sets] == [one.data for one in games.sets]
    for one in (games, other):
        one.draw_from(9)
        one.rotate(200)
        for _ in range(40):
            mine = one.mine
            one.step(one.engine.legal_mask()[mine].argmax(1), mine)
    assert games.engine.games.tobytes() == other.engine.games.tobytes()


@pytest.mark.long
def test_a_run_on_many_sets_is_the_same_when_it_is_resumed(tmp_path: Path) -> None:
    whole = train(TINY, tmp_path / "whole")
    part = Run(TINY, tmp_path / "part")
    for _ in range(3):
        part.iterate()
    part.save()
    part.log.close()
    resumed = train(settings_of(tmp_path / "part"), tmp_path / "part", resume=True)
    assert whole.finished and resumed.finished
    for name, weights in whole.network.state_dict().items():
        assert weights.equal(resumed.network.state_dict()[name]), name
    rows = checkpoint.read_log(tmp_path / "part")
    assert [row["won/random"] for row in rows if "won/random" in row] == [
        row["won/random"] for row in checkpoint.read_log(tmp_path / "whole") if "won/random" in row
    ]


def test_the_network_names_all_its_sets_and_plays_any(tmp_path: Path) -> None:
    train(TINY, tmp_path)
    assert json.loads((tmp_path / "config.json").read_text())["data"] == TINY.data
    trained = net.load(tmp_path)
    assert trained.ruleset.data == "sample-v1:0"
    assert trained.about["data"] == TINY.data


def test_the_learner_takes_a_seat_of_every_game() -> None:
    games = SelfPlayGames(TINY.rulesets, 16, OpponentPool({"random": 1}))
    games.reset(1)
    assert ((games.players == LEARNER).sum(1) == 1).all()


def test_the_speed_of_many_sets_is_measured_in_turns_with_one() -> None:
    found = sets.compare(TINY, 2, "sample:0", "sample:0-3")
    assert list(found) == ["sample:0", "sample:0-3"] and all(speed > 0 for speed in found.values())
    assert set(sets.compare(TINY, 2, clock="processor")) == {sets.ONE, sets.MANY}
    with pytest.raises(ValueError, match=r"rounds must be .*, not 1"):
        sets.compare(TINY, 1)
    with pytest.raises(ValueError, match="unknown clock 'sun'"):
        sets.compare(TINY, 2, clock="sun")
