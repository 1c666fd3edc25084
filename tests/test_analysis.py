"""Tests of the analysis of a recorded game: chances, best actions, mistakes by size; and of `rc analyse`, which writes
it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena.match import play_match
from rc_env.arena.studies import analysis
from rc_env.arena.studies.playouts import PlayoutBot
from rc_env.bot import Position
from rc_env.record import Record, Recorder, parse, positions, read
from rc_env.rules.state import PLAYING

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


@pytest.fixture(scope="module")
def found(record: Record) -> list[analysis.Judgement]:
    return list(
        analysis.judgements(record, agents.make("search", net="shipped", simulations=24, candidates=64, leaf="turn"))
    )


def test_each_decision_is_judged(record: Record, found: list[analysis.Judgement]) -> None:
    for one, table, line in zip(found, positions(record), record.decisions, strict=False):
        legal = {table.action_to_text(int(action)) for action in table.legal_mask()[0].nonzero()[0]}
        assert one.seat == line["seat"] and one.best in legal and set(one.actions) <= legal
        assert next(iter(one.actions)) == one.best and one.line[0] == (one.seat, one.best)
        assert abs(sum(one.chances) - 1) < 0.02
        if line["action"] in one.actions and one.best != line["action"]:
            best, mine = (one.actions[words][1][one.seat] for words in (one.best, line["action"]))
            assert one.lost == pytest.approx(max(0, best - mine), abs=0.002)
        least = analysis.MISTAKES.get(one.size, 0)
        assert (one.lost or 0) >= least and (one.size or (one.lost or 0) < 0.05)
    assert len(found) == len(record.decisions)
    counts = analysis.mistakes_by_seat(found, 2)
    assert sum(counts[1].values()) > sum(counts[0].values()), "a random player makes more mistakes"


def test_mistakes_are_named_by_the_chance_that_they_lose() -> None:
    thoughts = PlayoutBot(4)
    engine = Engine(Ruleset(turn_limit=4), 1, 3)
    thoughts.act(Position.of(engine))
    made = thoughts.thoughts
    assert made is not None
    legal = np.flatnonzero(engine.legal_mask()[0])
    q = made.qvalues.copy()
    q[0, legal] = [0.9, -0.9]
    losses = ((-0.9, 0.9, "blunder"), (0.6, 0.15, "mistake"), (0.76, 0.07, "inaccuracy"), (0.86, 0.02, ""))
    for worse, loss, size in losses:
        q[0, legal[1]] = [worse, -worse]
        changed = type(made)(**{**vars(made), "qvalues": q, "actions": legal[:1]})
        one = analysis.judged(changed, 0, engine.action_to_text(int(legal[1])))
        assert one.lost == pytest.approx(loss) and one.size == size
    assert analysis.judged(changed, 0, engine.action_to_text(int(legal[0]))).lost == 0


@pytest.mark.parametrize("variant", [{"players": 1, "special_tiles": True}, {"players": 3, "special_tiles": True}])
def test_playouts_judge_what_no_network_was_trained_for(variant: dict[str, object]) -> None:
    ruleset = Ruleset(**variant)  # type: ignore[arg-type]
    bot = analysis.evaluator(ruleset)
    assert isinstance(bot, PlayoutBot)
    engine = Engine(ruleset, 2, 5)
    few = PlayoutBot(8, seed=4)
    before = engine.clone(same_future=True).tobytes()
    actions = few.act(Position.of(engine))
    assert few.thoughts is not None and engine.clone(same_future=True).tobytes() == before
    mask = engine.legal_mask().astype(bool)
    assert mask[np.arange(2), actions].all()
    assert ((few.thoughts.visit_counts > 0) == mask).all() and (np.isnan(few.thoughts.qvalues[..., 0]) == ~mask).all()
    assert np.nanmin(few.thoughts.qvalues) >= -1 and np.nanmax(few.thoughts.qvalues) <= 1
    assert few.thoughts.policy.sum(1) == pytest.approx(1, abs=1e-5) and (few.thoughts.policy[~mask] == 0).all()
    few.reset(4)
    engine_again = Engine(ruleset, 2, 5)
    assert few.act(Position.of(engine_again)).tolist() == actions.tolist()


def test_playouts_find_the_winning_end() -> None:
    """Where a game is over after any action, an action's value is its result."""
    engine = Engine(Ruleset(turn_limit=1), 64, 9)
    bot = PlayoutBot(2)
    rows = np.arange(64)
    for _ in range(12):
        rows = rows[engine.games.status[rows] == PLAYING]
        if not len(rows):
            break
        position = Position.of(engine, rows)
        actions = bot.act(position)
        assert bot.thoughts is not None
        engine.step(actions, rows)
        for i, row in enumerate(rows):
            if engine.games.status[row] != PLAYING:
                assert bot.thoughts.value[i] == pytest.approx(engine.returns()[row], abs=1e-6)


def test_rc_analyse_writes_a_copy(
    record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.rcr").write_text(record.text())
    bot = "search:net=shipped,simulations=24,candidates=64,leaf=turn"
    assert rc.main(["analyse", "game.rcr", "--out", "copy.rcr", "--bot", bot]) == 0
    said = capsys.readouterr().out
    copy = read("copy.rcr")
    assert all(set(line) >= {"policy", "value"} for line in copy.decisions)
    plain = [{key: line[key] for key in line if key not in ("policy", "value")} for line in copy.decisions]
    assert plain == record.decisions and copy.header == record.header and copy.result == record.result
    assert said.startswith("red: blunder ") and "The copy is in copy.rcr" in said
    again = analysis.judgements(record, agents.from_text(bot))
    assert said.count("; better ") == sum(one.size != "" for one in again)
    assert rc.main(["replay", "copy.rcr", "--html", "page.html"]) == 0


def test_a_record_that_is_analysed_is_never_changed(record: Record, found: list[analysis.Judgement]) -> None:
    before = record.text()
    copy = analysis.annotated(record, found[:3])
    assert record.text() == before and "policy" in copy.decisions[2] and "policy" not in copy.decisions[3]
    with pytest.raises(ValueError, match=r"^found holds \d+ judgements, but the record has \d+ decisions"):
        analysis.annotated(record, found * 2)
    with pytest.raises(ValueError, match=r"^bot 'greedy' does not say what it thinks"):
        list(analysis.judgements(record, agents.make("greedy")))
