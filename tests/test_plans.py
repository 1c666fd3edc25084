"""Tests of plans: the scorer, the files of weights, and their tuning."""

from __future__ import annotations

import dataclasses
import re
import shlex
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.agents.plan import PlanBot, as_text, checked, named
from rc_env.agents.scorer import SCRATCH, WEIGHTS, pick
from rc_env.apps.cli import rc
from rc_env.arena import match
from rc_env.arena.studies import tune
from rc_env.bot import Position
from rc_env.jit import kernel, records
from rc_env.rules import turn
from rc_env.rules.state import GAME
from rc_env.rules.verbs import MENU, Verb

pytestmark = pytest.mark.slow

PLANS = ("greedy", "rush", "majority", "guilds", "all_rounder")
OTHERS = ("rush", "majority", "guilds", "all_rounder")
BRIEFLY = ["--rounds", "1", "--generations", "1", "--population", "4", "--games", "8", "--workers", "1"]


def position_at(decisions: int, games: int = 64, **ruleset) -> Position:
    """Return positions of games between greedy bots."""
    engine = Engine(Ruleset(**ruleset), games, 7)
    greedy = agents.make("greedy")
    for _ in range(decisions):
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    return Position.of(engine)


@kernel
def pick_in_place(cs, games, weights, menus, scratch, actions):
    """Choose as `rc_env.agents.plan.choose` does, but on the games themselves instead of copies."""
    for i in range(games.shape[0]):
        n = turn.legal(cs[0], games[i], menus[0])
        actions[i] = pick(cs[0], games[i], weights[0], scratch[0], menus[0], n)


def test_extra_steps_cost_a_plan_what_the_data_file_asks_for_them(tmp_path: Path) -> None:
    """Who has 40 rubles takes extra steps of 1 ruble for what they bring, and none of 20 rubles each."""
    text = (files("rc_env") / "data" / "base.toml").read_text(encoding="utf-8")
    dear = tmp_path / "dear.toml"
    dear.write_text(text.replace("rubles_per_extra_step = 1", "rubles_per_extra_step = 20"), encoding="utf-8")
    steps = {}
    for data in ("base", str(dear)):
        engine = Engine(Ruleset(data=data), 64, 3)
        games = engine.games.copy()
        games["rubles"][:, :2] = 40
        engine.restore(games)
        chosen = PlanBot({"ruble": 1.0, "ruble_more": 1.0, "recognition": 5.0}).act(Position.of(engine))
        moves = [engine.ruleset.actions.actions[action] for action in chosen]
        assert {move.verb for move in moves} == {Verb.MOVE}
        steps[data] = sum(move.argument[1] > 0 for move in moves)
    assert steps["base"] > 20 and steps[str(dear)] == 0


@pytest.mark.long  # this test compiles its kernel anew each time
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_pick_is_legal_and_leaves_the_game_as_it_was(plan, players):
    for decisions in (30, 90, 170):
        position = position_at(decisions, players=players, workshop="advanced")
        games = position.games()
        before = games.copy()
        actions = np.empty(len(games), np.int64)
        pick_in_place(
            records(position.ruleset.rules), records(games), records(named(plan, Ruleset(players))),
            records(np.zeros(1, MENU)), records(np.zeros(1, SCRATCH)), actions,
        )  # fmt: skip
        assert position.mask[np.arange(len(games)), actions].all()
        for field in GAME.names:
            np.testing.assert_array_equal(games[field], before[field], err_msg=field)
        np.testing.assert_array_equal(actions, agents.make(plan).act(position))


def test_plans_play_differently():
    position = position_at(100, games=512)
    chosen = [agents.make(plan).act(position) for plan in PLANS]
    for i, one in enumerate(chosen):
        for other in chosen[:i]:
            assert (one != other).mean() > 0.01


@pytest.mark.parametrize("plan", OTHERS)
@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 4))])
def test_every_other_plan_beats_greedy(plan, players):
    bots = [agents.make(plan)] + [agents.make("greedy")] * (players - 1)
    share = match.play_match(bots, 1200 // players, Ruleset(players=players), seed=11).share(0)
    assert share.low > 1 / players


@pytest.mark.parametrize("other", ["rush", "majority", "guilds"])
@pytest.mark.parametrize("players", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 4))])
def test_the_all_rounder_beats_every_other_plan(other, players):
    bots = [agents.make("all_rounder")] + [agents.make(other)] * (players - 1)
    share = match.play_match(bots, 1200 // players, Ruleset(players=players), seed=12).share(0)
    assert share.low > 1 / players


def test_the_plans_do_what_they_are_named_for():
    """In mirror matches rush ends sooner, majority adorns more, and guilds turns more tiles over."""

    def mean(plan: str, measure) -> float:
        engine = Engine(Ruleset(), 200, 3)
        bot = agents.make(plan)
        found = np.full(200, np.nan)
        while (engine.seat >= 0).any():
            rows = np.flatnonzero(engine.seat >= 0)
            engine.step(bot.act(Position.of(engine, rows)), rows)
        found = measure(engine.games.view(np.ndarray))
        return float(np.mean(found))

    turns = {plan: mean(plan, lambda g: g["turn"]) for plan in PLANS}
    assert min(turns, key=turns.get) == "rush"
    adorned = {plan: mean(plan, lambda g: g["works"][:, :2, 5]) for plan in PLANS}
    assert max(adorned, key=adorned.get) == "majority"
    up = {plan: mean(plan, lambda g: g["slot_up"][:, :2].sum(-1)) for plan in PLANS}
    assert max(up, key=up.get) == "guilds"


# --- files of weights


def test_weights_are_read_from_a_file_for_each_number_of_players(tmp_path):
    file = tmp_path / "mine.toml"
    plan = {"missing": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "open": [9.5, 1.0, 0.0, 0.0], "ruble": 2.5}
    file.write_text(f"[players2]\n{as_text(plan)}")
    weights = named(str(file), Ruleset())
    assert weights["missing"].tolist() == [[1, 2, 3, 4, 5, 6]]
    assert weights["open"].tolist() == [[9.5, 1, 0, 0]] and weights["ruble"] == 2.5 and weights["prestige"] == 0
    assert agents.from_text(f"plan:{file}").act(position_at(10)).shape == (64,)
    wanted = r"no weights for this game, a table \[players3\]; the tables of .* are \[players2\]"
    with pytest.raises(ValueError, match=wanted):
        named(str(file), Ruleset(3))


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"speed": 1}, "unknown weight of plan 'speed': .*choose missing, "),
        ({"missing": 3}, r"plan: missing must be finite numbers of shape \(6,\), not 3"),
        ({"ruble": "much"}, r"plan: ruble must be finite numbers of shape \(\), not 'much'"),
    ],
)
def test_wrong_weights_are_refused(table, sentence):
    with pytest.raises(ValueError, match=sentence):
        checked("plan", table)


def test_a_file_that_is_none_is_refused(tmp_path):
    sentence = r"plan must be a file or one of all_rounder, builder, contractor, .*, not 'no_such'"
    with pytest.raises(ValueError, match=sentence):
        PlanBot("no_such").weights(Ruleset())
    file = tmp_path / "bad.toml"
    file.write_text("ruble = = 3")
    with pytest.raises(ValueError, match=r"bad\.toml is not TOML: "):
        PlanBot(str(file)).weights(Ruleset())


# --- tuning


def test_a_vector_of_weights_comes_back_as_the_plan():
    weights = named("greedy", Ruleset())
    vector = tune.flat(weights)
    assert vector.shape == (WEIGHTS.itemsize // 8,)
    np.testing.assert_array_equal(checked("plan", tune.plan_of(vector, WEIGHTS)), weights)


@pytest.mark.long
def test_tuning_mends_a_crippled_plan_and_repeats(tmp_path):
    plan = tune.plan_of(tune.flat(named("greedy", Ruleset())), WEIGHTS) | {"delivered": 0.0, "missing": [1.0] * 6}
    file = tmp_path / "crippled.toml"
    file.write_text(f"[players2]\n{as_text(plan)}")
    settings = tune.TuningSettings(rounds=1, generations=3, population=8, games=30, start=str(file))
    found = list(tune.tune(settings))
    assert [number for number, _, _ in found] == [1, 2, 3]
    assert list(islice(tune.tune(settings), 1)) == found[:1]
    others = [agents.make("greedy")]
    crippled, mended = (
        tune.value(tune.flat(checked("plan", one)), others, dataclasses.replace(settings, games=200), seed=5)
        for one in (plan, found[-1][2])
    )
    assert mended > crippled + 0.05


def test_weights_to_keep_are_kept():
    settings = tune.TuningSettings(rounds=1, generations=1, population=4, games=4, keep=("missing", "up"))
    ((_, _, plan),) = tune.tune(settings)
    greedy = tune.plan_of(tune.flat(named("greedy", Ruleset())), WEIGHTS)
    changed = {name for name in plan if plan[name] != greedy[name]}
    assert changed and not changed & {"missing", "up"}
    with pytest.raises(ValueError, match="keep: there is no weight 'speed'; choose from missing, "):
        list(tune.tune(dataclasses.replace(settings, keep=("speed",))))


def test_a_plan_is_tuned_for_the_solo_game(tmp_path, capsys):
    """Against Ivan, and into a table of its own, which games of two players do not read."""
    from rc_env.apps.cli.rc import main

    solo = Ruleset(players=1, turn_limit=400)
    settings = tune.TuningSettings((1,), solo, games=40)
    plan = tune.flat(named("greedy", solo))
    played = match.play_match([PlanBot("greedy")], 40, solo, seed=3)
    margin = (played.prestige[:, 0] - played.prestige[:, 1]).mean()
    expected = played.wins[:, 0].mean() + margin / tune.MARGIN
    assert tune.value(plan, ["random", "rush"], settings, seed=3) == pytest.approx(expected)
    both = dataclasses.replace(settings, players=(1, 2), games=80)
    of_two = dataclasses.replace(settings, players=(2,))
    assert tune.value(plan, ["greedy"], both, seed=3) == pytest.approx(
        (expected + tune.value(plan, ["greedy"], of_two, seed=3)) / 2
    )

    file = tmp_path / "found.toml"
    words = ["tune", "--solo", *BRIEFLY, "--out"]
    assert main([*words, str(file)]) == 0
    found = file.read_text()
    assert "--players 1 " in found and "--against" not in found and found.count("[") - found.count("= [") == 1
    assert "\n[players1]\n" in found
    assert main([*words, str(file), "--overwrite", "--against", "rush"]) == 2
    assert "--against rush has no meaning in the solo game" in capsys.readouterr().err
    file.write_text(f"{found}[players2]\nruble = 1.5\n")
    assert named(str(file), solo)["ruble"][0] != 1.5 == named(str(file), Ruleset())["ruble"][0]


def test_a_start_file_that_changed_is_refused_on_resuming(tmp_path, monkeypatch, capsys):
    """What was found from other weights would be taken as found from these."""
    monkeypatch.chdir(tmp_path)
    words = ["tune", *BRIEFLY, "--generations", "3"]
    assert rc.main([*words, "--out", "first plan.toml"]) == 0
    begun = Path("first plan.toml").read_text()
    assert rc.main([*words, "--start", "first plan.toml", "--out", "first plan.toml", "--overwrite"]) == 2
    assert "first plan.toml is the --out file" in capsys.readouterr().err
    own = [*words, "--start", "first plan.toml", "--against", "greedy", "plan:first plan.toml"]
    assert rc.main([*own, "--out", "whole.toml"]) == 0
    asked = Path("whole.toml").read_text().splitlines()[0]
    assert "--start 'first plan.toml' --against greedy 'plan:first plan.toml'" in asked  # as a shell takes it
    value, left = tune.value, iter(range(6))

    def interrupted(*args):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return value(*args)

    monkeypatch.setattr(tune, "value", interrupted)
    assert rc.main([*own, "--out", "part.toml"]) == 130
    advice = re.search(r"`rc (.*)` goes on", capsys.readouterr().err)[1]
    assert shlex.split(advice) == [
        "tune", "--resume", "part.toml", "--trust", "plan:first plan.toml", "first plan.toml",
    ]  # fmt: skip
    monkeypatch.setattr(tune, "value", value)
    Path("first plan.toml").write_text(begun.replace("ruble = ", "ruble = 1"))
    assert rc.main(shlex.split(advice)) == 2
    assert "was begun with another first plan.toml: put back what was there" in capsys.readouterr().err
    Path("first plan.toml").write_text(begun)
    assert rc.main(shlex.split(advice)) == 0
    assert Path("part.toml").read_text() == Path("whole.toml").read_text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ruble = 1", "'ruble' stands under no heading such as [players2]"),
        ("[player2]\nruble = 1", "unknown table of the plan mine 'player2': did you mean players2?"),
        ("[players2]\nrubel = 1", "unknown weight of [players2] 'rubel': did you mean ruble?"),
        ("[players2]\nruble = [1]", "[players2]: ruble must be finite numbers of shape (), not [1]"),
        (
            "[players3]\nruble = 1",
            "it has no weights for this game, a table [players2]; the tables of mine are [players3]\n",
        ),
        ("[contractors2]\nhire = 1", "are [contractors2]. They are for games with contractors: --contractors\n"),
        ("", "it has no weights for this game, a table [players2]; the tables of mine are none"),
    ],
)
def test_a_file_of_weights_that_does_not_fit_is_refused_in_a_sentence(text, sentence, tmp_path, capsys):
    mine = tmp_path / "mine"
    mine.write_text(text)
    assert rc.main(["evaluate", f"plan:{mine}", "--against", "random", "--games", "2", "--players", "2"]) == 2
    error = capsys.readouterr().err
    assert sentence in error.replace(str(mine), "mine") and ".py" not in error and error.count("\n") == 1


def test_rc_tune_writes_a_file_that_plays(tmp_path, capsys):
    from rc_env.apps.cli.rc import main

    file = tmp_path / "found.toml"
    words = ["tune", *BRIEFLY]
    assert main([*words, "--out", str(file)]) == 0
    assert file.read_text().startswith("# Found by: rc tune")
    assert agents.from_text(f"plan:{file}").act(position_at(10)).shape == (64,)
    assert main([*words, "--out", str(file), "--games", "0"]) == 2
    assert capsys.readouterr().err.endswith("rc tune: games must be a whole number from 1 to 100000000, not 0\n")
