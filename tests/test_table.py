"""Tests of one game as a person plays it, without terminal or browser: history, new dice, its record, prospects."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.table.actions import Outlook, changes, legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.keeping import Keeper
from rc_env.apps.table.players import Bots, chosen_by
from rc_env.record import RecordError, parse, read, replay
from rc_env.render import Board
from rc_env.render.view import view

pytestmark = pytest.mark.slow


class Table:
    """A game of a person, whose decisions a bot makes, against bots."""

    def __init__(self, players: int, turn_limit: int = 40, seed: int = 5) -> None:
        seats = [YOU, *["random"] * (players - 1)]
        self.game = Game(Ruleset(players, turn_limit=turn_limit), seats, seed)
        self.bots = Bots(seats, self.game.ruleset, seed)
        self.person = agents.make("greedy")

    def on(self, times: int = 1) -> None:
        """Play decisions of the person, each with those of the bots after it."""
        for _ in range(times):
            self.game.play(chosen_by(self.person, self.game))
            self.others()

    def others(self) -> None:
        while not self.game.over and not self.game.is_person:
            self.game.play(self.bots.choose(self.game))


def state(game: Game) -> bytes:
    return game.engine.clone(same_future=True).tobytes()


@pytest.mark.parametrize("players", [1, 3])
def test_what_is_undone_can_be_played_again_or_with_other_dice(players: int) -> None:
    table = Table(players)
    game = table.game
    table.on(12)
    after, events = state(game), list(game.events)
    assert not game.redo()
    for _ in range(7):
        assert game.undo()
    assert (game.undone, game.decided) == (7, 5) and len(game.events) < len(events)
    for _ in range(7):
        assert game.redo()
    assert state(game) == after and game.events == events
    rolled = set()
    for seed in range(8):
        for _ in range(7):
            game.undo()
        game.new_dice(seed)
        assert game.undone == 0
        table.on(7)
        rolled.add(tuple(game.events))
        before = state(game)
        assert game.undo() and game.redo() and state(game) == before
    assert len(rolled) > 1
    while not game.over:
        table.on()
    record = parse(game.record())
    assert record.text() == game.record() and len(record.decisions) == game.played
    assert replay(record).results().prestige.tolist() == game.engine.results().prestige.tolist()
    assert record.new_dice == [{"from": record.new_dice[0]["from"], "seed": 7}]


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_that_goes_on_from_its_record_rolls_the_same_dice(players: int) -> None:
    """New dice are remembered: those asked for in the middle, and those asked for just before the game was left."""
    table = Table(players)
    table.on(3)
    table.game.new_dice(11)
    table.on(4)
    table.game.new_dice(2**64 - 1)
    record = parse(table.game.record(), unfinished=True)
    at = table.game.played
    assert [one["seed"] for one in record.new_dice] == [11, 2**64 - 1] and record.new_dice[-1]["from"] == at
    with pytest.raises(ValueError, match=r"^record holds a game that is over, so it cannot go on$"):
        _ = replace(record, unfinished=None).seated
    again, other = (
        Game(record.ruleset, record.seated, record.header["seed"], one)
        for one in (record, parse(re.sub(r', "new_dice": .*]', "", record.text()), unfinished=True))
    )
    assert state(again) == state(table.game) and again.events == table.game.events
    for _ in range(30):
        action = chosen_by(table.person, table.game)
        table.game.play(action)
        again.play(action)
        assert state(again) == state(table.game)
        if not other.over and other.engine.legal_mask()[0, action]:
            other.play(action)
    assert again.record() == table.game.record() and state(other) != state(again)
    assert again.undo() and again.undo() and state(again) != state(table.game)


def test_an_undo_past_new_dice_still_leads_to_them() -> None:
    table = Table(2)
    table.on(4)
    table.game.new_dice(3)
    table.on(2)
    after = state(table.game)
    for _ in range(4):
        table.game.undo()
    assert "new_dice" not in table.game.record(), "no decision has come to them yet"
    for _ in range(4):
        table.game.redo()
    assert state(table.game) == after and '"new_dice": [{"from": ' in table.game.record()


@pytest.mark.parametrize(
    ("new_dice", "reason"),
    [
        ({}, "new_dice must be a list of objects, not {}"),
        ([3], "new_dice must be an object, not 3"),
        ([{"from": 0}], 'new_dice has no "seed"'),
        ([{"from": 9, "seed": 1}], "new_dice.from must be a whole number from 0 to 4, not 9"),
        ([{"from": 1, "seed": 1}, {"from": 1, "seed": 2}], "new_dice.from must be a whole number from 2"),
        ([{"from": 0, "seed": -1}], "record, line 6: new_dice.seed must be a whole number from 0 to"),
        ([{"from": 0, "seed": True}], "record, line 6: new_dice.seed must be a whole number from 0 to"),
    ],
)
def test_wrong_new_dice_are_refused(new_dice: object, reason: str) -> None:
    lines = (Path(__file__).parent / "golden" / "2-basic-greedy.rcr").read_text().splitlines()
    last = {"unfinished": {"seat": 0, "bots": ["greedy"]}, "new_dice": new_dice}
    with pytest.raises(RecordError, match="line 6") as refusal:
        parse("\n".join([*lines[:5], json.dumps(last)]) + "\n", unfinished=True)
    assert reason in str(refusal.value)


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    table = Table(2)
    table.on()
    before, events = state(table.game), list(table.game.events)
    wrong = int(np.flatnonzero(table.game.engine.legal_mask()[0] == 0)[0])
    with pytest.raises(ValueError, match=r"you cannot play .* here: it is not legal"):
        table.game.play(wrong)
    assert state(table.game) == before and table.game.events == events


def test_a_file_is_written_removed_and_finished(tmp_path: Path) -> None:
    for wanted in (True, False):
        table = Table(2, turn_limit=6)
        keeper = Keeper(table.game, tmp_path / f"{wanted}.rcr", wanted=wanted)
        keeper.keep()
        assert not keeper.kept and not keeper.path.exists()
        table.on(2)
        keeper.keep()
        assert keeper.kept and read(keeper.path, unfinished=True).unfinished == {"seat": 0, "bots": ["random"]}
        while table.game.undo():
            pass
        keeper.keep()
        assert not keeper.kept and not keeper.path.exists()
        while not table.game.over:
            table.on()
            keeper.keep()
        assert not keeper.kept and keeper.path.exists() == wanted
    assert not keeper.path.exists()
    assert [score.name for score in sorted(table.game.scores())] == [YOU, "random"]
    assert all(score.prestige == sum(score.parts.values()) for score in table.game.scores())


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 1},
        {"players": 3, "workshop": "advanced"},
        pytest.param({"players": 1, "contractors": True}, marks=[pytest.mark.full, pytest.mark.long]),
        pytest.param({"fourth_guild": "archivists", "special_tiles": True}, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("decisions", [12, pytest.param(30, marks=pytest.mark.long)])
def test_a_prospect_is_what_every_outcome_of_chance_has_in_common(settings: dict[str, object], decisions: int) -> None:
    """Each action is played many times more, and each time with what the prospect says is certain."""
    ruleset = Ruleset(**settings)  # type: ignore[arg-type]
    rng, seen = np.random.default_rng(2), set()
    game = Game(ruleset, [YOU] * ruleset.players, 4)
    outlook, engine = Outlook(game), Engine(ruleset, 8)
    while not game.over and game.played < decisions:
        before, seat = game.view, game.seat
        for action in legal_actions(game, before):
            found = outlook.of(action.number, before, None)
            engine.restore(game.engine.clone(np.zeros(8, np.int64), seat=np.full(8, seat)))
            engine.step(np.full(8, action.number))
            views = [view(ruleset, Board(engine, row).game) for row in range(8)]
            for after in views:
                assert set(found.changes) <= set(changes(before["seats"][seat], after["seats"][seat])), action
            if not found.chance:
                assert all(after == found.views[0] for after in views), action
            seen.add(found.chance)
        game.play(int(rng.choice([action.number for action in legal_actions(game)])))
    assert {"", "then dice are rolled"} <= seen or {"", "then Ivan plays and dice are rolled"} <= seen
