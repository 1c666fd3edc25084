"""Tests of the solo game through every API: environments, records, pictures, terminal, training, table of bots."""

import io
import json
import re
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common import env_checker as sb3

from rc_env import Engine, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.apps.cli.arena import show_solo
from rc_env.arena import match, solo
from rc_env.arena.pages import solo as solo_page
from rc_env.arena.seeds import part_seed
from rc_env.envs.aec import raw_env
from rc_env.record import Record, Recorder, RecordError, parse, replay
from rc_env.render import board_svg, board_text
from rc_env.render.html import record_html
from rc_env.training.evaluation import evaluate
from rc_env.training.sb3_vec_env import OpponentPool, SelfPlayVecEnv
from rc_env.words.notation import ivan_turn

SOLO = Ruleset(players=1)


def record(seed: int = 0, bot: str = "greedy", **options: Any) -> Record:
    texts: dict[int, str] = {}
    match.play_match([agents.make(bot)], 1, SOLO, seed=seed, recorder=Recorder(texts.__setitem__, **options))
    return parse(texts[0])


# --- environments


def test_one_player_and_two_seats() -> None:
    engine = Engine(SOLO, 3)
    assert (SOLO.players, SOLO.seats, SOLO.solo) == (1, 2, True)
    assert (engine.num_players, engine.num_seats) == (1, 2) and engine.rewards.shape == (3, 1)
    assert engine.results().prestige.shape == (3, 2) and (engine.seat == 0).all()
    with pytest.raises(ValueError, match="seat must be from 0 to 0, not 1 to 1"):
        engine.observe(seat=1)
    assert all((Ruleset(players=n).seats, Ruleset(players=n).solo) == (n, False) for n in (2, 3, 4))


@pytest.mark.parametrize("workshop", ["basic", "advanced"])
def test_checks_of_gymnasium_and_stable_baselines(workshop: str) -> None:
    env = gymnasium.make("rc_env:RedCathedral-v0", num_players=1, workshop=workshop, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*box (min|max)imum value|.*not a multiple of 36|.*image")
        check_env(env.unwrapped, skip_render_check=True)
        sb3.check_env(env.unwrapped, warn=False)
    env.close()


def test_an_episode_pays_a_win_against_ivan() -> None:
    env = gymnasium.make("rc_env:RedCathedral-v0", num_players=1)
    bot, paid = agents.make("greedy"), set()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            action = int(bot.act(agents.Position.of(env.unwrapped.engine))[0])
            assert reward == 0 and info["action_mask"][action] and info["seat"] == 0
            _, reward, terminated, truncated, info = env.step(action)
            over = terminated or truncated
        assert reward == np.sign(info["place"][1] - info["place"][0]) and info["prestige"].shape == (2,)
        paid.add(reward)
    assert paid >= {1.0, -1.0}


def test_pettingzoo_has_one_agent_and_tells_ivans_prestige() -> None:
    env = raw_env(num_players=1, turn_limit=30)
    env.reset(seed=4)
    assert env.agents == ["player_0"]
    rng = np.random.default_rng(1)
    while not (env.terminations["player_0"] or env.truncations["player_0"]):
        env.step(int(rng.choice(env.observe("player_0")["action_mask"].nonzero()[0])))
    results = env.engine.results()
    info = env.infos["player_0"]
    assert [info["prestige"], info["ivan"]] == results.prestige[0].tolist() and info["place"] == results.place[0, 0]
    assert env.rewards["player_0"] == -1.0
    env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("api", [RedCathedralVectorEnv, OneSeatVectorEnv])
def test_vector_environments(api: Any) -> None:
    envs, rng = api(16, num_players=1, seed=2), np.random.default_rng(2)
    _, infos = envs.reset()
    ended = 0
    for _ in range(200):
        mask = infos["action_mask"]
        _, rewards, terminated, truncated, infos = envs.step((rng.random(mask.shape) * mask).argmax(1))
        over = terminated | truncated
        assert (infos["seat"] == 0).all() and (rewards[~over] == 0).all() and not infos["illegal"].any()
        if over.any():
            final = infos["final_info"]
            assert final["rewards"].shape == (16, 1) and final["prestige"].shape == (16, 2)
            assert (rewards[over] == np.sign(final["place"][over, 1] - final["place"][over, 0])).all()
            ended += int(over.sum())
    assert ended > 10


def test_self_play_without_opponents() -> None:
    env = SelfPlayVecEnv(SOLO, 8, OpponentPool({"latest": 0.5, "greedy": 0.5}), seed=1)
    rng, infos = np.random.default_rng(1), []
    env.reset()
    assert (env.learner == 0).all() and (env.opponents == -1).all()
    for _ in range(150):
        mask = env.action_masks()
        _, rewards, dones, written = env.step((rng.random(mask.shape) * mask).argmax(1))
        assert ((rewards != 0) <= dones).all()
        infos += [info for info in written if info]
    assert len(infos) > 5 and all(info["opponents"] == () and info["seat"] == 0 for info in infos)


# --- records


def test_his_turns_stand_behind_the_decisions_that_ended_them() -> None:
    for seed in range(6):
        written = record(seed)
        lines = [json.loads(line) for line in written.text().splitlines()]
        his = [i for i, line in enumerate(lines) if line.get("point") == "ivan turn"]
        assert len(his) == len(written.ivan) > 10 and all("action" in lines[i - 1] for i in his)
        assert [lines[written.line(n) - 1] for n in range(len(written.decisions))] == written.decisions
        for line in (lines[i] for i in his):
            assert set(line) == {"seat", "point", "events", "rolls"} and line["seat"] == 1
            moved = [event for event in line["events"] if event.split()[0] in ("move", "blocked")]
            cards = [event for event in line["events"] if event.startswith("card")]
            assert len(moved) == len(cards) == 1 and bool(line["rolls"]) == moved[0].startswith("move")
        assert parse(written.text()).text() == written.text()


def test_a_replay_takes_his_rolls_and_tiles_from_the_file() -> None:
    """The replay is right although the record's seed was changed."""
    written = record(3, "random", state=True)
    written.header["seed"] = 1
    engine = replay(parse(written.text()))
    assert engine.results().prestige[0].tolist() == written.result["prestige"]


def test_undo_in_the_middle_of_his_turn_is_recorded_as_played() -> None:
    texts: dict[int, str] = {}
    engine, rng = Engine(SOLO, 1, 5), np.random.default_rng(5)
    Recorder(texts.__setitem__).attach(engine)
    undone = 0
    while engine.seat[0] == 0:
        before = engine.clone(same_future=True)
        choice = int(rng.choice(engine.legal_mask()[0].nonzero()[0]))
        if engine.point() == "ivan" and undone < 3:
            engine.step([choice])
            engine.restore(before)
            undone += 1
        engine.step([choice])
    assert undone and replay(parse(texts[0])).terminated[0]


def changed(seed: int, change: Any) -> str:
    lines = [json.loads(line) for line in record(seed).text().splitlines()]
    change(lines, next(i for i, line in enumerate(lines) if line.get("point") == "ivan turn"))
    return "".join(json.dumps(line) + "\n" for line in lines)


WRONG = {
    "left out": (lambda lines, i: lines.pop(i), "there is no turn of Ivan's after the decision"),
    "twice": (lambda lines, i: lines.insert(i, lines[i]), "no decision before this turn of Ivan's"),
    "first": (lambda lines, i: lines.insert(1, lines[i]), "no decision before this turn of Ivan's"),
    "too early": (lambda lines, i: lines.insert(2, lines.pop(i)), "there is a turn of Ivan's where he has none"),
    "another event": (lambda lines, i: lines[i]["events"].append("claim 1"), "ivan turn.events"),
    "no event": (lambda lines, i: lines[i]["events"].append("sleep 1"), "must hold events"),
    "another seat": (lambda lines, i: lines[i].update(seat=0), "seat is 0, but must be 1"),
    "a key": (lambda lines, i: lines[i].update(state={}), "unknown key"),
    "a shuffle of four": (lambda lines, i: lines[i]["events"].append("shuffle red red blue green white"), "once"),
    "no roll": (lambda lines, i: lines[i].update(rolls=[]), "ivan turn.rolls"),
    "a card twice": (
        lambda lines, i: lines[0]["ivan"]["cards"].__setitem__(0, "claim"),
        "claim occurs more than once|",
    ),
    "an unknown card": (lambda lines, i: lines[0]["ivan"]["cards"].__setitem__(0, "rest"), "unknown card of Ivan's"),
    "no tiles": (lambda lines, i: lines[0]["ivan"].pop("tiles"), "deal.ivan: no tiles"),
    "not solo": (lambda lines, i: lines[0].update(solo=False), "ivan|solo"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_record_is_refused(case: str) -> None:
    change, words = WRONG[case]
    text = changed(2, change)
    if case == "no roll":  # a turn in which Ivan rolled a die
        assert text != record(2).text()
    with pytest.raises(RecordError, match=words):
        replay(parse(text))
    with pytest.raises(RecordError, match=r"there is a turn of Ivan's, but the game is not solo|no "):
        texts: dict[int, str] = {}
        bots = [agents.make("greedy")] * 2
        match.play_match(bots, 1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        lines = texts[0].splitlines(keepends=True)
        parse("".join([*lines[:3], '{"seat": 1, "point": "ivan turn", "events": [], "rolls": []}\n', *lines[3:]]))


# --- pictures, terminal


def test_pictures_show_his_row_and_goods() -> None:
    engine = Engine(SOLO, 40, 1)
    engine.play_random(70)
    for game in engine.games:
        text, picture = board_text(SOLO, game), board_svg(SOLO, game)
        row = re.search(r"  cards (.*)\n((?:      .*\n)?)", text)
        assert row and all(
            card in row[0] for card in ("recognition", "inventory", "transport", "claim", "construction")
        )
        assert "Blue Ivan: " in text and max(map(len, text.splitlines())) <= 100
        assert picture.count("the red die, face") == 1 and "Construction" in picture
        goods = int(game.ivan_goods[0, 0])
        assert bool(re.search(rf"inventory lu{goods if goods > 1 else ''}\b", text.split("Ivan: ")[1])) == (goods > 0)
        assert (f'data-fact="inventory lumber">{goods}<' in picture) == (goods > 0)


def test_the_replay_page_tells_his_turns() -> None:
    written = record(1)
    page = record_html(written)
    assert page.count("Ivan: ") >= len(written.ivan)


def test_play_solo_in_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 2000))
    assert rc.main(["play", "--solo", "--seed", "3", "--colour", "never"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("You are red, seat 0, against Ivan; seed 3.")
    assert "Ivan moves the " in out or "Ivan cannot move the " in out
    assert "blue, Ivan" in out and "red, you" in out


def test_record_and_replay_in_the_terminal(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path)
    assert rc.main(["record", "--players", "1", "--games", "2", "--legal", "--state", "--out", out]) == 0
    files = sorted(tmp_path.glob("*.rcr"))
    assert len(files) == 2
    capsys.readouterr()
    assert rc.main(["replay", str(files[0])]) == 0
    written = capsys.readouterr().out
    assert written.startswith("solo, basic workshops") and "\n  Ivan: " in written


# --- bots and training


def test_a_match_tells_ivans_prestige_and_place() -> None:
    played = match.play_match([agents.make("greedy")], 30, SOLO, seed=1)
    assert played.prestige.shape == played.place.shape == played.entrant.shape == (30, 2)
    assert (played.entrant == [0, -1]).all() and played.rotations == 1
    assert played.of(played.prestige, 0).tolist() == played.prestige[:, 0].tolist()
    won = played.place[:, 0] < played.place[:, 1]
    tied = played.place[:, 0] == played.place[:, 1]
    assert played.share(0).mean == pytest.approx((won + 0.5 * tied).mean())


def test_evaluate_is_against_ivan() -> None:
    (score,) = evaluate(agents.make("greedy"), SOLO, games=40)
    assert score.opponent == "Ivan" and score.share.games == 40 and score.prestige > 0 and score.theirs > 0


def test_bots_are_compared_over_the_same_deals(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = solo.compare(["random", "greedy"], 60, SOLO, seed=7)
    written = json.loads(json.dumps(comparison.as_json()))
    assert (written["players"], written["games"], written["seed"], written["workshop"]) == (1, 60, 7, "basic")
    assert list(written["bots"]) == ["random", "greedy"]
    for one in written["bots"].values():
        assert one["low"] <= one["win_share"] <= one["high"] and one["lowest"] <= one["prestige_low"]
        assert one["prestige_low"] <= one["prestige"] <= one["prestige_high"] <= one["highest"]
    assert solo.compare(["greedy"], 60, SOLO, seed=7).as_json()["bots"]["greedy"] == written["bots"]["greedy"]
    show_solo(comparison)
    assert "greedy" in capsys.readouterr().out
    assert [row[0] for row in solo_page.rows(comparison)] == ["greedy", "random"]
    lines = solo_page.build(comparison).markdown(None).splitlines()
    assert [line.split()[1] for line in lines if line.startswith("| ")] == ["bot", "---", "greedy", "random"]


def test_scores_are_those_of_the_matches() -> None:
    """A comparison of one chunk equals one match."""
    (score,) = solo.compare(["greedy"], 1, SOLO, seed=7).scores
    played = match.play_match([agents.make("greedy")], 1, SOLO, seed=part_seed(7, 0))
    assert (score.prestige.mean, score.ivan) == (played.prestige[0, 0], played.prestige[0, 1])
    assert score.share.mean == played.wins[0, 0]


@pytest.mark.slow
@pytest.mark.usefixtures("in_process")
def test_rc_arena_solo_repeats_whatever_the_workers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["arena", "greedy", "random", "--solo", "--games", "20", "--seed", "3", "--workshop", "advanced"]
    assert rc.main([*words, "--workers", "1"]) == 0
    assert "against Ivan" in capsys.readouterr().out
    printed = []
    for workers in (1, 2):
        out = tmp_path / str(workers)
        assert rc.main([*words, "--json", "--workers", str(workers), "--out", str(out)]) == 0
        printed.append((capsys.readouterr().out, *(file.read_bytes() for file in sorted(out.iterdir()))))
        monkeypatch.undo()  # the second time worker processes play the games
    assert printed[0] == printed[1]
    written = json.loads(printed[0][0])
    assert written["players"] == 1 and written["command"] == " ".join(["rc", *words]).replace(
        "--games 20 --seed 3 --workshop advanced", "--games 20 --workshop advanced --seed 3"
    )


@pytest.mark.usefixtures("in_process")
def test_rc_arena_solo_names_a_bot_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "misbehaving:Raises", "greedy", "--solo", "--games", "20", "--workers", "0", "--json"]
    assert rc.main(words) == 0
    printed = capsys.readouterr()
    assert list(json.loads(printed.out)["bots"])[-1] == "greedy"
    assert printed.err.startswith("rc arena: bot misbehaving:Raises: ") and printed.err.count("\n") == 1
    assert rc.main(["arena", "greedy", "--solo", "--until", "1"]) == 2
    assert (
        "--until has no meaning in the solo game, whose number of games is fixed: give --games"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((["greedy"], 0), "games must be .*, not 0"),
        (([], 5), "bots must be different ones, at least one, not none"),
        ((["greedy", "greedy"], 5), "bots must be different ones"),
        ((["kasparov"], 5), "unknown bot 'kasparov'"),
        ((["greedy"], 5, Ruleset(players=2)), "ruleset must be the solo game, not one of 2 players"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments: tuple[Any, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        solo.compare(*arguments)


def test_his_events_are_empty_before_his_first_turn() -> None:
    engine = Engine(SOLO, 20, 1)
    assert all(ivan_turn(game) == {"events": [], "rolls": []} for game in engine.games)
