"""Tests of the API for hidden information: copies, pictures and records for one seat, in a game that hides nothing."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Position
from rc_env.record import Recorder
from rc_env.render import Board
from rc_env.rules.state import GAME

RAW = np.dtype((np.void, GAME.itemsize))


def played(players: int = 2, games: int = 16) -> Engine:
    """Return games in progress."""
    engine = Engine(Ruleset(players=players), games, seed=players)
    engine.play_random(60, seed=1)
    return engine


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_clone_for_a_seat_redraws_nothing_that_lies_open(players: int) -> None:
    engine = played(players)
    memory = [bytearray(games.tobytes()) for games in (engine.clone(), engine.clone(seat=players - 1))]
    everything, seen = (np.frombuffer(games, engine.games.dtype) for games in memory)
    everything["key"] = seen["key"] = 0  # each call draws other keys, so they are not compared
    assert (everything.view(RAW) == seen.view(RAW)).all()


def test_clones_for_seats_have_fresh_keys() -> None:
    engine = played()
    seats = np.arange(engine.num_games) % 2
    assert (engine.clone(seat=seats)["key"] != engine.games.key).all()


def test_bots_get_their_games_for_the_seat_to_move(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, asked = played(), []
    clone = Engine.clone
    monkeypatch.setattr(Engine, "clone", lambda self, *a, **k: asked.append(k.get("seat")) or clone(self, *a, **k))
    position = Position.of(engine, [3, 5, 7])
    position.games()
    np.testing.assert_array_equal(asked[0], engine.games.seat[[3, 5, 7]])


def test_a_seat_and_the_same_future_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="seat and same_future exclude each other"):
        played().clone(seat=0, same_future=True)


def test_pictures_and_records_for_one_seat_show_what_lies_open() -> None:
    engine = played(games=1)
    assert str(Board(engine, seat=1)) == str(Board(engine))
    texts: dict[int | None, list[str]] = {}
    for seat in (None, 0, 1):
        written: list[str] = []
        game = Engine(num_games=1, seed=5)
        Recorder(lambda _, text, written=written: written.append(text), state=True, seat=seat).attach(game)
        bot = agents.make("greedy")
        while not (game.terminated | game.truncated)[0]:
            game.step(bot.act(Position.of(game)))
        texts[seat] = written
    assert len(texts[None]) == 1 and texts[None] == texts[0] == texts[1]
