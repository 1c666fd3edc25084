"""Tests of the analysis of a recorded game: chances, best actions, mistakes by size; and of `rc analyse`, which writes
it.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.cli import analyse, rc
from rc_env.apps.table.phrases import phrase
from rc_env.arena.evaluation import Difference, Ends, Evaluation
from rc_env.arena.match import play_match
from rc_env.arena.pages import analysis as page
from rc_env.arena.studies import analysis, balance, error_rates
from rc_env.record import Record, Recorder, parse, positions, read, replay
from rc_env.render.view import view
from rc_env.rules.verbs import Verb

pytestmark = pytest.mark.slow


def played(*bots: str, seed: int = 2, **variant: object) -> Record:
    texts: list[str] = []
    ruleset = Ruleset(**{"turn_limit": 6, **variant})  # type: ignore[arg-type]
    made = [agents.from_text(bot) for bot in bots]
    play_match(made, 1, ruleset, seed=seed, rotate=False, recorder=Recorder(lambda number, text: texts.append(text)))
    return parse(texts[0])


@pytest.fixture(scope="module")
def record() -> Record:
    return played("greedy", "random")


BOT = "search:net=shipped,simulations=8"


@pytest.fixture(scope="module")
def found(record: Record) -> list[analysis.Judgement]:
    return list(analysis.judgements(record, agents.from_text(BOT), playouts=24))


def test_each_decision_is_judged(record: Record, found: list[analysis.Judgement]) -> None:
    for one, table, line in zip(found, positions(record), record.decisions, strict=False):
        legal = {table.action_to_text(int(action)) for action in table.legal_mask()[0].nonzero()[0]}
        assert one.seat == line["seat"] and one.best in legal and set(one.actions) <= legal
        assert one.line[0] == (one.seat, one.best) and one.turn == table.games.turn[0]
        loss = one.loss
        assert (loss.pairs == 0) == (line["action"] == one.best) and loss.pairs in (0, 16, 24)
        assert len(loss.changes) == 2 and sum(loss.changes) == pytest.approx(0, abs=2e-4)
        assert loss.lost == loss.changes[one.seat]
        if loss.pairs:
            apart = loss.best[one.seat] - loss.played[one.seat] - loss.regained
            assert loss.lost == pytest.approx(apart, abs=3e-4) and loss.error > 0
        assert (one.roll is None) == (not line["rolls"])
        if one.roll is not None:
            assert one.roll.exact == (len(line["rolls"]) == 1 and len(line["rolls"][0]) == 1)
            assert sum(one.roll.luck) == pytest.approx(0, abs=2e-4)
    assert len(found) == len(record.decisions)
    assert found[0].start and not any(one.start for one in found[1:])


def test_a_strong_bot_loses_nothing_and_a_random_player_much() -> None:
    lost = {}
    for bot in (BOT.replace("simulations=8", "simulations=32"), "random"):
        game = played(bot, bot, turn_limit=1000)
        middle = len(game.decisions) // 2
        some = range(middle, middle + 30)
        found = list(analysis.judgements(game, agents.from_text(BOT), playouts=16, numbers=some))
        lost[bot] = sum(one.loss.prestige for one in found), sum(one.lost for one in found)
    (strong, strong_chance), (weak, weak_chance) = lost.values()
    assert abs(strong) < 4 and abs(strong_chance) < 0.4, lost
    assert weak > 8 and weak > 3 * strong and weak_chance > strong_chance, lost


def test_a_decision_is_judged_alike_whichever_others_are(record: Record, found: list[analysis.Judgement]) -> None:
    some = list(analysis.judgements(record, agents.from_text(BOT), playouts=24, numbers=[3, 9]))
    assert some == [found[3], found[9]]
    kept = json.loads(json.dumps(asdict(found[9])))
    again = analysis.Judgement.from_json(kept)
    assert asdict(again) == kept and again.size == found[9].size and again.lost == found[9].lost


@pytest.mark.parametrize("numbers", [[[0]], [0, "1"], [-1], [10**6], "01", 3, [True]])
def test_numbers_of_decisions_that_there_are_not_are_refused(record: Record, numbers: Any) -> None:
    with pytest.raises(ValueError, match=r"^numbers must be "):
        next(analysis.judgements(record, playouts=2, numbers=numbers))


def test_mistakes_are_named_by_the_chance_that_they_lose_beyond_doubt() -> None:
    for lost, size in ((0.9, "blunder"), (0.15, "mistake"), (0.07, "inaccuracy"), (0.02, ""), (-0.3, "")):
        assert analysis.Loss(lost=lost, certain=True).size == size and analysis.Loss(lost=lost).size == ""
    for prestige, size in ((5.0, "blunder"), (3.0, "mistake"), (1.5, "inaccuracy"), (0.5, ""), (-4.0, "")):
        loss = analysis.Loss(lost=0.3, prestige=prestige, certain=True, hopeless=True)
        assert loss.size == size and analysis.Loss(prestige=prestige, hopeless=True).size == ""
        assert loss.is_at_least("mistake") == (prestige > 2)


def test_luck_and_skill_add_up_to_the_result(record: Record, found: list[analysis.Judgement]) -> None:
    result = balance.result_chances(record)
    sums = balance.balance(dict(enumerate(found)), len(found), 2, result)
    parts = np.array([sums.start, sums.luck, sums.skill, sums.others, sums.rest])
    assert parts.sum(0) == pytest.approx(result, abs=1e-9) and sums.result == result == sums.chances[-1]
    assert len(sums.chances) == len(found) + 1 and None not in sums.chances
    assert sums.skill == pytest.approx([-sum(one.lost for one in found if one.seat == seat) for seat in (0, 1)])
    assert sums.luck == pytest.approx(np.sum([one.roll.luck for one in found if one.roll], 0))
    part = balance.balance({5: found[5]}, len(found), 2)
    assert part.chances[0] is None and len(part.chances) == len(found) + 1
    with pytest.raises(ValueError, match=r"^found must be a whole number"):
        balance.balance({len(found): found[0]}, len(found), 2)


def test_the_luck_of_all_rolls_that_could_have_come_is_none(record: Record) -> None:
    """The mean over them is that of what comes after each, so that luck is 0 on average, whatever the play-outs say."""
    evaluation = Evaluation(record.ruleset)
    number = next(at for at, line in enumerate(record.decisions) if [len(roll) for roll in line["rolls"]] == [1])
    before, after = (
        table.clone(same_future=True) for at, table in enumerate(positions(record)) if at in (number, number + 1)
    )
    action = record.ruleset.actions.to_action(record.decisions[number]["action"], int(before["seat"][0]))
    keys = np.arange(1, 97, dtype=np.uint64)
    faces = np.arange(1, 7, dtype=np.int8)[:, None]
    possible = evaluation.after(before, action, faces, keys[:6])
    (rolled,) = record.decisions[number]["rolls"][0].values()
    same = [name for name in possible.dtype.names if name not in ("key", "forced", "forced_count", "forced_next")]
    assert all((possible[name][rolled - 1] == after.view(np.ndarray)[name][0]).all() for name in same)
    each = [evaluation.value(possible[face : face + 1], keys[face:48:6]).means for face in range(6)]
    roll = analysis.luck_of_roll(evaluation, before, action, after, 1, keys)
    assert roll.exact and roll.expected.means == pytest.approx(np.mean(each, 0))
    sampled = analysis.luck_of_roll(evaluation, before, action, after, 0, keys)
    assert not sampled.exact and sampled.expected.means == pytest.approx(roll.expected.means, abs=0.3)


def test_a_comparison_goes_on_until_a_loss_is_beyond_doubt_or_none() -> None:
    evaluation, engine = Evaluation(Ruleset()), Engine(Ruleset(), 1, 5)
    legal = np.flatnonzero(engine.legal_mask()[0])
    same = evaluation.compare(engine.clone(), int(legal[0]), int(legal[0]), 1000, 3)
    assert same.pairs == 32 and not same.certain and (same.better == same.worse).all() and same.lead == 0
    one, other = (
        evaluation.compare(engine.clone(), *pair, 24, 3) for pair in (legal[:2].tolist(), legal[1::-1].tolist())
    )
    assert one.pairs <= 24 and one.better == pytest.approx(other.worse) and one.lead == pytest.approx(-other.lead)
    assert (one.errors > 0).all() and not (one.certain and other.certain)


class Scripted(Evaluation):
    """An evaluation whose pairs of play-outs lose what it is given, in win chance and in prestige, over and over."""

    def __init__(self, lost: list[float], prestige: list[float] | None = None, chance: float = 0.5) -> None:
        super().__init__(Ruleset())
        self.lost, self.prestige, self.chance, self.asked = np.array(lost), np.array(prestige or lost), chance, 0

    def ends(self, games: Any, rows: Any, actions: Any, keys: Any) -> Ends:
        new = len(keys) // 2
        at = np.arange(self.asked, self.asked + new)
        self.asked += new
        seat = int(games["seat"][0])
        ends = np.zeros((2, 2, new, 2))
        for own, each in zip(ends, (self.lost, self.prestige), strict=True):
            own[0, :, seat], own[1, :, seat] = 0, -each[at % len(each)]
            own[..., 1 - seat] = -own[..., seat]
        ends[0, ..., seat] += self.chance
        return Ends(*ends.reshape(2, 2 * new, 2))


@pytest.mark.parametrize(
    ("lost", "looked_at", "certain"),
    [
        ([0.0], 32, False),  # no doubt is left that it loses nothing
        ([-0.2, -0.1], 32, False),  # what is better than the best action is none, too
        ([1.0], 16, True),
        ([1.0, -1.0], 128, False),  # the mean is 0, and a loss of 0.1 lies within the error until 128 pairs
        ([0.5, -0.34], 256, True),  # a loss of 0.08, more than its error at each look
        ([1.0, -0.86], 512, False),  # a loss of 0.07, within the error, is not none as long as 0.1 is within it, too
    ],
)
def test_a_loss_is_none_only_if_a_mistake_is_a_standard_error_away(
    lost: list[float], looked_at: int, certain: bool
) -> None:
    game, scripted = Engine(Ruleset(), 1, 5).clone(), Scripted(lost)
    found = scripted.compare(game, 0, 1, 512, 3)
    seat = int(game["seat"][0])
    assert (found.certain, found.hopeless) == (certain, False)
    assert found.pairs == (256 if certain else min(looked_at, 256)) == scripted.asked - looked_at
    assert found.better[seat] - found.worse[seat] == pytest.approx(np.mean(lost))
    # Where hardly a game is won, the same is asked of the prestige, of which a mistake costs 20 times as much.
    prestige = [20 * one for one in lost]
    there = Scripted([0.0], prestige, chance=0.0).compare(game, 0, 1, 512, 3)
    assert there.hopeless and there.lead == pytest.approx(np.mean(prestige))
    assert not there.certain or there.lead > 2 * there.lead_error


@pytest.mark.parametrize("then", [0.0, 0.3, 1.0])
def test_what_an_action_loses_is_not_measured_by_the_pairs_at_which_it_was_stopped(then: float) -> None:
    game = Engine(Ruleset(), 1, 5).clone()
    scripted = Scripted([*[1.0] * 16, *[then, then] * 100])
    found, seat = scripted.compare(game, 0, 1, 128, 3), int(game["seat"][0])
    assert scripted.asked == 16 + 128 and found.pairs == 128
    assert found.better[seat] - found.worse[seat] == pytest.approx(then) and found.certain == (then > 0)
    once = Scripted([1.0]).compare(game, 0, 1, 16, 3)  # a single look stops at no moment of its own
    assert once.pairs == 16 and once.certain


@pytest.mark.parametrize("loss", [0.0, 0.1])
def test_losses_are_right_on_average_whenever_they_are_stopped(loss: float) -> None:
    """Half of the pairs end differently. Counted were the pairs that stop it, 0 would come out at -0.04 on average, and
    0.1, where it is beyond doubt, at 0.28.
    """
    game, scripted, rng = Engine(Ruleset(), 1, 5).clone(), Scripted([0.0]), np.random.default_rng(1)
    seat, lost, certain = int(game["seat"][0]), [], []
    for _ in range(800):
        scripted.lost = scripted.prestige = rng.choice(
            [1.0, 0.0, -1.0], 2048, p=[0.25 + loss / 2, 0.5, 0.25 - loss / 2]
        )
        found = scripted.compare(game, 0, 1, 128, 3)
        lost.append(found.better[seat] - found.worse[seat])
        certain.append(found.certain)
    assert np.mean(lost) == pytest.approx(loss, abs=3 * np.std(lost) / 800**0.5) and np.std(lost) < 0.12
    assert np.mean(certain) < (0.01 if loss == 0 else 0.2)


@pytest.mark.parametrize(
    ("first", "lead", "size", "behind"),
    [(0.20, 7.0, "mistake", "blunder"), (0.10, 4.0, "", "mistake"), (0.30, 1.6, "blunder", "")],
)
def test_what_the_next_decision_of_the_turn_can_win_back_is_not_counted(
    record: Record, monkeypatch: pytest.MonkeyPatch, first: float, lead: float, size: str, behind: str
) -> None:
    evaluation, before = Evaluation(record.ruleset), None
    for line, table in zip(record.decisions, positions(record), strict=False):
        here = table.clone(same_future=True)
        if before is not None and (before["seat"][0], before["turn"][0]) == (here["seat"][0], here["turn"][0]):
            break
        before, played = (None, "") if line["rolls"] else (here, line["action"])
    assert before is not None
    seat = int(before["seat"][0])
    action = record.ruleset.actions.to_action(played, seat)
    won, errors = np.full(2, 0.5), np.full(2, 0.02)
    lost = np.array([first, -first]) if seat == 0 else np.array([-first, first])
    kept = lost * 0.05 / first
    usual = next(int(other) for other in np.flatnonzero(Engine(record.ruleset, 1).legal_mask()[0]) if other != action)
    for hopeless, expected in ((False, size), (True, behind)):
        differences = {
            int(before["decisions"][0]): Difference(64, won, won - lost, errors, lead, True, 0.5, hopeless),
            int(here["decisions"][0]): Difference(32, won, won - kept, errors, 1.0, False, 0.2),
        }
        monkeypatch.setattr(evaluation, "compare", lambda game, *_, d=differences: d[int(game["decisions"][0])])
        monkeypatch.setattr(evaluation, "choices", lambda game: np.array([usual]))
        monkeypatch.setattr(analysis, "evaluation_of", lambda variant: evaluation)
        loss = analysis.judged_decision(
            record.ruleset, before, action, here, agents.from_text(BOT), luck=False, playouts=64
        ).loss
        assert loss.lost == pytest.approx(first - 0.05) and loss.regained == pytest.approx(0.05)
        assert loss.prestige == pytest.approx(lead - 1) and loss.prestige_regained == 1
        assert loss.error == pytest.approx(0.02 * 2**0.5, abs=1e-4) and loss.size == expected


def test_what_is_still_open_after_a_new_roll_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The roll is not blamed for what the network leaves undone after it."""
    ruleset, generator = Ruleset(), np.random.default_rng(5)
    engine = Engine(ruleset, 1, seed=5)
    rerolls = [n for n, one in enumerate(ruleset.actions.actions) if one.verb == Verb.REROLL]
    while True:
        before, legal = engine.clone(same_future=True), np.flatnonzero(engine.legal_mask()[0])
        action = int(generator.choice(legal))
        engine.step(np.array([action]))
        after, seat = engine.clone(same_future=True), int(before["seat"][0])
        if action in rerolls and (after["seat"][0], after["turn"][0]) == (seat, before["turn"][0]):
            break
    assert analysis.by_chance(before, after)[0]
    evaluation, won, errors = Evaluation(ruleset), np.full(2, 0.5), np.full(2, 0.02)
    lost = np.array([0.4, -0.4]) if seat == 0 else np.array([-0.4, 0.4])
    differences = {
        int(before["decisions"][0]): Difference(64, won, won - lost, errors, 7.0, True, 0.5),
        int(after["decisions"][0]): Difference(64, won, won - 0.95 * lost, errors, 6.0, True, 0.5),
    }
    monkeypatch.setattr(evaluation, "compare", lambda game, *_: differences[int(game["decisions"][0])])
    monkeypatch.setattr(evaluation, "choices", lambda game: np.array([-1]))
    monkeypatch.setattr(analysis, "evaluation_of", lambda variant: evaluation)
    loss = analysis.judged_decision(ruleset, before, action, after, agents.from_text(BOT), luck=False, playouts=64).loss
    assert loss.lost == pytest.approx(0.02) and loss.regained == pytest.approx(0.38) and not loss.size
    assert loss.prestige == 1 and loss.prestige_regained == 6


def test_where_hardly_a_game_is_won_prestige_is_compared() -> None:
    game = played("random", "all_rounder", turn_limit=1000)
    evaluation, ruleset = Evaluation(game.ruleset), game.ruleset
    late = 2 * len(game.decisions) // 3
    for at, table in enumerate(positions(game)):
        here, legal = table.clone(same_future=True), np.flatnonzero(table.legal_mask()[0])
        if at >= late and int(here["seat"][0]) == 0 and len(legal) > 1:
            break
    found = evaluation.compare(here, int(legal[0]), int(legal[-1]), 32, 3)
    assert found.better[0] < 0.1 and found.hopeless and found.lead_error > 0
    assert found.certain <= (found.lead > 2 * found.lead_error)
    begin = Engine(ruleset, 1, 5).clone()
    assert not evaluation.compare(
        begin, *np.flatnonzero(Engine(ruleset, 1, 5).legal_mask()[0])[:2].tolist(), 16, 3
    ).hopeless


def test_rc_analyse_writes_a_copy(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.rcr").write_text(record.text())
    words = ["analyse", "game.rcr", "--playouts", "4", "--bot", BOT]
    assert rc.main([*words, "--out", "copy.rcr"]) == 0
    said = capsys.readouterr().out
    copy = read("copy.rcr")
    assert all(set(line) >= {"policy", "value"} for line in copy.decisions)
    plain = [{key: line[key] for key in line if key not in ("policy", "value")} for line in copy.decisions]
    assert plain == record.decisions and copy.header == record.header and copy.result == record.result
    assert "% luck " in said and "% unexplained = " in said and "The copy is in copy.rcr" in said
    again = list(analysis.judgements(record, agents.from_text(BOT), playouts=4))
    assert said.count("; better ") == sum(one.size != "" for one in again)
    assert rc.main(["replay", "copy.rcr", "--html", "page.html"]) == 0
    capsys.readouterr()
    assert rc.main([*words, "--names", "ann"]) == 2
    assert "--names must be 2, one for each seat, not 1" in capsys.readouterr().err
    assert rc.main([*words, "--json", "--names", "ann", "bob"]) == 0
    (game,) = json.loads(capsys.readouterr().out)["by_game"]
    assert [seat["name"] for seat in game["seats"]] == ["ann", "bob"]
    assert [seat["decisions"] for seat in game["seats"]] == [sum(one.seat == at for one in again) for at in (0, 1)]


def test_rc_analyse_tells_mistakes_in_the_words_of_the_board(
    record: Record, found: list[analysis.Judgement], capsys: pytest.CaptureFixture[str]
) -> None:
    at = next(i for i, one in enumerate(record.decisions) if one["action"].startswith("claim "))
    one = found[at]
    blunder = replace(one, loss=replace(one.loss, lost=0.31, error=0.1, certain=True))
    report = error_rates.game_report(record, {**dict(enumerate(found)), at: blunder})
    analyse.show(error_rates.AnalysisResult(record.ruleset, 0, 24, BOT, (report,)), record)
    said = capsys.readouterr().out
    here = view(record.ruleset, replay(record, upto=at).games[0])
    words = [phrase(here, action) for action in (record.decisions[at]["action"], one.best)]
    assert f"blunder, {words[0]}, loses 31 ± 20 points of a hundred; better {words[1]}" in said
    assert words[0].startswith("claim the ") and said.count("; better ") == len(report.mistakes)
    assert "% mistakes of others " in said and "Skill adds up all decisions" in said


def test_rc_analyse_measures_a_folder_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record = ["record", "--bots", "greedy", "random", "--games", "3", "--turn-limit", "2", "--out", "games"]
    assert rc.main(record) == 0
    words = ["analyse", "games", "--playouts", "2", "--bot", BOT, "--results"]
    assert rc.main([*words, "all"]) == 0
    capsys.readouterr()
    analysed, left = error_rates.analysed, [2]

    def stops(work: error_rates.Work) -> dict[str, Any]:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return analysed(work)

    monkeypatch.setattr(error_rates, "analysed", stops)
    assert rc.main([*words, "part"]) == 130
    assert "rc analyse --resume part" in capsys.readouterr().err
    monkeypatch.setattr(error_rates, "analysed", analysed)
    for other in (["games"], ["--json"], ["--playouts", "x"]):
        assert rc.main(["analyse", "--resume", "part", *other]) == 2
        assert "--resume takes no other arguments but --trust" in capsys.readouterr().err
    shutil.copytree("games", "kept")
    shutil.copytree("part", "again")
    first, second, _ = sorted(Path("games").iterdir())
    first.unlink()
    second.write_text(second.read_text().replace('"seat": 0', '"seat":  0', 1).replace('"bots": ["', '"bots": ["my', 1))
    assert rc.main(["analyse", "--resume", "again"]) == 0
    err = capsys.readouterr().err
    assert f"changed since the analysis was stopped, and analysed anew: {second}\n" in err
    assert f"not there any more, so that they do not count: {first}\n" in err
    assert json.loads(Path("again/results.json").read_text())["games"] == 2
    shutil.rmtree("games")
    shutil.move("kept", "games")
    assert rc.main(["analyse", "--resume", "part"]) == 0
    assert not capsys.readouterr().err
    assert Path("part/results.json").read_bytes() == Path("all/results.json").read_bytes()
    found = json.loads(Path("all/results.json").read_text())
    assert set(found["by_player"]) == {"greedy", "random"} and found["games"] == 3
    assert sum(seat["turns"] for game in found["by_game"] for seat in game["seats"]) == sum(
        player["turns"] for player in found["by_player"].values()
    )


def test_no_game_counts_twice(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games").mkdir()
    Path("games/one.rcr").write_text(record.text())
    Path("link.rcr").symlink_to("games/one.rcr")
    for other in ("games/one.rcr", "games/../games/one.rcr", "games", "link.rcr", str(tmp_path / "games/one.rcr")):
        assert rc.main(["analyse", "games/one.rcr", other]) == 2
        err = capsys.readouterr().err
        named = "games/one.rcr" if other == "games" else other
        assert err == f"rc analyse: games/one.rcr and {named} are the same file: name each record once\n"
    for name in ("copy", "copy-2"):
        line, rest = record.text().split("\n", 1)
        text = json.dumps({**json.loads(line), "meta": {**record.meta, "day": name}}) + "\n" + rest
        Path(f"games/{name}.rcr").write_text(text)
    words = ["analyse", "games", "--sample", "1", "--playouts", "2", "--bot", BOT, "--json"]
    assert rc.main(words) == 0
    out, err = capsys.readouterr()
    one, two = (f"games/{name}.rcr holds the same game as games/copy-2.rcr" for name in ("copy", "one"))
    assert json.loads(out)["games"] == 1 and err == f"rc analyse: {one}; {two}: each game is counted once\n"


def test_names_in_a_record_are_text_that_a_terminal_shows(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line, rest = record.text().split("\n", 1)
    words = ["analyse", "game.rcr", "--sample", "1", "--playouts", "2", "--bot", BOT]

    def called(name: str) -> None:
        header = {**json.loads(line), "meta": {"bots": [name, "bob"]}}
        Path("game.rcr").write_text(json.dumps(header) + "\n" + rest)

    called("\ud83d")
    assert rc.main([*words, "--results", "out"]) == 2 and not Path("out").exists()
    assert 'game.rcr, line 1: a text holds half a character, "\\ud83d"' in capsys.readouterr().err
    with pytest.raises(ValueError, match="meta does not hold together"):
        Recorder(lambda number, text: None, meta={"bots": ["\ud83d"]})
    called("a\x1b[2J\0\u202eb\U0001f600")
    assert rc.main([*words, "--results", "out"]) == 0
    out = capsys.readouterr().out
    assert not set(out) & set("\x1b\0\u202e") and r"\x1b" in out
    (name, _) = json.loads(Path("out/results.json").read_text())["by_game"][0]["seats"]
    assert name["name"] == "a\\x1b[2J\\x00\\u202eb\U0001f600"
    assert rc.main([*words, "--names", "a\x1b", "b"]) == 2
    assert "--names must have names that can be printed" in capsys.readouterr().err


def test_a_record_of_an_analysis_that_lacks_its_data_file_names_no_other_command(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    line, rest = record.text().split("\n", 1)
    Path("game.rcr").write_text(json.dumps({**json.loads(line), "data": "mine.toml"}) + "\n" + rest)
    assert rc.main(["analyse", "game.rcr"]) == 2
    err = capsys.readouterr().err
    assert "put it there, or name it: --data FILE, in Python read(file, data=FILE)" in err and "rc replay" not in err


def test_a_record_that_is_analysed_is_never_changed(record: Record, found: list[analysis.Judgement]) -> None:
    before = record.text()
    copy = analysis.annotated(record, found[:3])
    assert record.text() == before and "policy" in copy.decisions[2] and "policy" not in copy.decisions[3]
    with pytest.raises(ValueError, match=r"^found holds \d+ judgements, but the record has \d+ decisions"):
        analysis.annotated(record, found * 2)
    with pytest.raises(ValueError, match=r"^bot 'greedy' does not say what it thinks"):
        list(analysis.judgements(record, agents.make("greedy")))


def test_a_sample_of_all_decisions_is_the_whole_analysis(record: Record, found: list[analysis.Judgement]) -> None:
    every = error_rates.sampled(record, 10**6)
    assert every == list(range(len(found)))
    some = analysis.judgements(record, agents.from_text(BOT), playouts=24, numbers=every, luck=False)
    judged = dict(zip(every, some, strict=True))
    assert list(judged.values()) == [replace(one, roll=None, start=(), start_errors=()) for one in found]
    whole, sample = (error_rates.game_report(record, one) for one in (dict(enumerate(found)), judged))
    assert sample.mistakes == whole.mistakes and sample.luckiest == ()
    parts: dict[str, Any] = dict.fromkeys(("start", "luck", "skill", "others", "rest", "end"))
    assert sample.seats == tuple(replace(seat, **parts) for seat in whole.seats)
    assert [seat.judged for seat in whole.seats] == [seat.decisions for seat in whole.seats]


def test_the_mean_over_all_samples_is_the_whole_analysis(record: Record, found: list[analysis.Judgement]) -> None:
    whole = error_rates.game_report(record, dict(enumerate(found)))
    seat = min(whole.seats, key=lambda one: one.decisions)
    own = [number for number, one in enumerate(found) if one.seat == seat.seat]
    reports = [error_rates.game_report(record, {at: found[at] for at in two}) for two in combinations(own, 2)]
    samples = [report.seats[seat.seat] for report in reports]
    assert seat.prestige > 0 and 0 < seat.best < seat.decisions, "there is something to estimate"
    for name in ("lost", "prestige", "best", "blunders", "mistakes", "inaccuracies"):
        values = [getattr(one, name) for one in samples]
        assert np.mean(values) == pytest.approx(getattr(seat, name), abs=0.006), name
        assert name != "prestige" or np.std(values) > 1
    for one in samples:
        assert (one.decisions, one.turns, one.judged, one.luck) == (seat.decisions, seat.turns, 2, None)


def test_decisions_are_drawn_with_equal_probability(record: Record) -> None:
    for seat in (0, 1):
        own = [number for number, line in enumerate(record.decisions) if line["seat"] == seat]
        times = dict.fromkeys(own, 0)
        for seed in range(600):
            two, three = error_rates.sampled(record, 2, seed), error_rates.sampled(record, 3, seed)
            assert len(two) == 4 and len(set(three)) == 6 and set(two) < set(three)
            for number in set(two).intersection(own):
                times[number] += 1
        expected, share = 1200 / len(own), 2 / len(own)
        assert max(abs(count - expected) for count in times.values()) < 4 * np.sqrt(600 * share * (1 - share))


def test_rc_analyse_judges_a_sample(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.rcr").write_text(record.text())
    words = ["analyse", "game.rcr", "--playouts", "2", "--bot", BOT, "--sample"]
    assert rc.main([*words, "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sample"] == 2
    for seat in found["by_game"][0]["seats"]:
        assert seat["judged"] == 2 < seat["decisions"] and seat["luck"] is seat["start"] is seat["end"] is None
    assert all(player["luck"] is player["rating"] is None for player in found["by_player"].values())
    assert rc.main([*words, "2"]) == 0
    assert "2 decisions of each player in a game" in " ".join(capsys.readouterr().out.split())
    (title,) = page.title(over([in_game("ann"), in_game("bob", 1)])).split(", ")[:1]
    assert title == "1 game" and page.build(over([in_game("ann")])).title == "Analysis of 1 game"
    for number, more, reason in (
        ("0", [], "--sample must be a whole number of at least 1"),
        ("2", ["--out", "copy.rcr"], "--out has"),
    ):
        assert rc.main([*words, number, *more]) == 2
        assert reason in capsys.readouterr().err


def in_game(name: str, seat: int = 0, **parts: Any) -> error_rates.SeatInGame:
    """A player in one game, who loses nothing and wins half of it."""
    usual: dict[str, Any] = {
        "decisions": 30, "turns": 10, "judged": parts.get("decisions", 30), "lost": 0.0, "prestige": 0.0, "best": 30,
        "blunders": 0, "mistakes": 0, "inaccuracies": 0, "start": 0.5, "luck": 0.0, "skill": 0.0, "others": 0.0,
        "rest": 0.0, "end": 0.5, "result": 0.5,
    }  # fmt: skip
    return error_rates.SeatInGame(name, seat, **{**usual, **parts})


def over(*games: list[error_rates.SeatInGame]) -> error_rates.AnalysisResult:
    """The results of games with these seats."""
    reports = (error_rates.GameReport("game", True, tuple(seats), (), ()) for seats in games)
    return error_rates.AnalysisResult(Ruleset(), 0, 2, BOT, tuple(reports))


def test_the_games_are_resampled_with_all_seats_of_a_player() -> None:
    """A bot against itself: each game brings half a victory, and the same loss, whichever seat wins or errs."""
    errs: dict[str, Any] = {"lost": 2.0, "prestige": 18.0, "luck": 1.0, "best": 20, "result": 1.0}
    games = [
        [in_game("greedy", seat, **(errs if seat == who else {"luck": -1.0, "result": 0.0})) for seat in (0, 1)]
        for who in (0, 1, 0)
    ]
    (player,) = over(*games).players.values()
    assert (player.games, player.seats, player.decisions) == (3, 6, 180)
    figures = (player.result, player.loss_turn, player.prestige_turn, player.accuracy, player.luck)
    for figure, mean in zip(figures, (0.5, 0.1, 0.9, 0.8333, 0.0), strict=True):
        assert (figure.mean, figure.low, figure.high) == (mean, mean, mean)
    games[0] = [in_game("greedy", 0, lost=4.0), in_game("random", 1, result=1.0)]
    found = over(*games).players
    assert found["greedy"].games == 3 and found["greedy"].seats == 5 and found["random"].games == 1
    figure = found["greedy"].loss_turn
    assert figure.low is not None and figure.low == 0.1 and figure.mean == 0.16 and figure.high == 0.4


def test_one_game_gives_no_interval_and_a_bot_that_always_wins_one_that_is_exact() -> None:
    won, lost = in_game("ann", result=1.0), in_game("bob", 1, result=0.0)
    alone = over([won, lost])
    for name, mean in (("ann", 1.0), ("bob", 0.0)):
        entry = alone.as_json()["by_player"][name]
        assert entry["result"] == mean
        bounds = [value for key, value in entry.items() if key.endswith(("_low", "_high"))]
        assert len(bounds) == 14 and set(bounds) == {None}
    cells = {heading: cell for heading, cell in zip(page.HEADINGS, page.rows(alone)[0], strict=True)}
    assert cells["95 %"] == "–" and cells["loss a turn"] == "0.00%"
    figure = over([won, lost], [won, lost], [won, lost]).players["ann"].result
    assert figure.low == pytest.approx(0.025 ** (1 / 3), abs=1e-4) and figure.high == 1


def test_few_decisions_give_no_rating_and_none_no_accuracy() -> None:
    few, enough = (over([in_game("ann", decisions=count, best=count)]).players["ann"] for count in (19, 20))
    assert few.rating is None and few.accuracy.mean == 1 and enough.rating == "expert"
    none = in_game("bob", decisions=0, turns=0, best=0, start=None, rest=None, end=None, result=None)
    found = over([none, in_game("ann", prestige=5.0)])
    entry = found.as_json()["by_player"]["bob"]
    assert list(found.players) == ["ann", "bob"], "who has no error rate comes last"
    for name in ("accuracy", "loss_turn", "loss_decision", "prestige_turn", "result", "rating"):
        assert entry[name] is None
    assert page.rows(found)[1][page.HEADINGS.index("rating")] == page.rows(found)[1][8] == "–"


def test_the_words_of_a_rating_are_those_of_the_bots_that_were_measured() -> None:
    """Prestige a turn as docs/coach.md has it: random, greedy, net, and the search with the network."""
    for rate, word in ((3.92, "random play"), (2.51, "beginner"), (1.22, "advanced"), (0.36, "expert")):
        assert error_rates.rating(rate, Ruleset()) == word
        for other in (Ruleset(players=3), Ruleset(workshop="advanced"), Ruleset(special_tiles=True)):
            assert error_rates.rating(rate, other) is None
    assert error_rates.rating(None, Ruleset()) is None


def left(record: Record, decisions: int, seat: int, *others: str) -> str:
    """The text of the record that a person left after some decisions."""
    about = {"unfinished": {"seat": seat, "bots": others}}
    return "\n".join([*record.text().splitlines()[: 1 + decisions], json.dumps(about)]) + "\n"


def test_a_game_that_is_not_over_has_no_result(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.rcr").write_text(left(record, 0, 0, "greedy"))
    Path("begun.rcr").write_text(left(record, 3, 1, "greedy"))
    words = ["analyse", "--playouts", "2", "--bot", BOT]
    assert rc.main([*words, "begun.rcr"]) == 0
    assert "%, an estimate: the game is not over" in capsys.readouterr().out
    assert rc.main([*words, "empty.rcr"]) == 0
    assert "you: nothing to say, since the record holds no decision" in capsys.readouterr().out
    assert rc.main([*words, "--json", "empty.rcr", "begun.rcr"]) == 0
    found = json.loads(capsys.readouterr().out)
    empty, begun = found["by_game"]
    assert not empty["finished"] and not begun["finished"]
    for seat in empty["seats"]:
        assert seat["start"] is seat["rest"] is seat["end"] is seat["result"] is None and seat["decisions"] == 0
    assert sum(seat["start"] for seat in begun["seats"]) == pytest.approx(1, abs=2e-4)
    for seat in begun["seats"]:
        parts = sum(seat[part] for part in ("start", "luck", "skill", "others", "rest"))
        assert seat["result"] is None and seat["end"] == pytest.approx(parts, abs=5e-4)
    assert set(found["by_player"]) == {"you", "greedy"}
    for player in found["by_player"].values():
        assert player["games"] == 2 and player["result"] is player["rating"] is None
    ended = [in_game("ann", result=1.0), in_game("bob", 1, result=0.0)]
    unfinished = [in_game("ann", result=None, end=0.2), in_game("bob", 1, result=None, end=0.8)]
    assert over(ended, unfinished).players["ann"].result.mean == 1, "an estimate is not a result"


def test_people_whom_the_record_calls_alike_are_named_by_their_colours() -> None:
    for players, seat, others, names in (
        (2, 0, ["you"], ["red", "blue"]),
        (2, 1, ["greedy"], ["greedy", "you"]),
        (3, 2, ["you", "greedy"], ["red", "greedy", "yellow"]),
        (3, 0, ["greedy", "greedy"], ["you", "greedy", "greedy"]),
    ):
        begun = parse(
            left(played(*["greedy"] * players, turn_limit=1, players=players), 1, seat, *others), unfinished=True
        )
        assert error_rates.players_of_record(begun) == names


def test_names_are_shown_letter_by_letter_and_never_empty(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "<b>|`*a*_b_[c](d)\n"
    made = page.build(over([in_game(name)]))
    (row,) = (line for line in made.markdown().splitlines() if "expert" in line)
    assert row.startswith(r"| \<b\>\|\`\*a\*\_b\_\[c\](d) | 1 |")
    assert "<td>&lt;b&gt;|`*a*_b_[c](d)\n</td>" in made.html()
    monkeypatch.chdir(tmp_path)
    Path("game.rcr").write_text(record.text())
    for empty in ("", "  "):
        assert rc.main(["analyse", "game.rcr", "--names", "ann", empty]) == 2
        assert "--names must have a name for each seat, but one of them is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--simulations", "1"], "--simulations must be a whole number from 2 to 1000000, not 1"),
        (
            ["--bot", BOT, "--simulations", "8"],
            "--simulations is for the default bot: write it into the words of --bot, or leave one out",
        ),
    ],
)
def test_a_judge_that_cannot_judge_is_refused(words: list[str], sentence: str, capsys) -> None:
    assert rc.main(["analyse", "game.rcr", *words]) == 2
    assert sentence in capsys.readouterr().err
