"""Pictures of a game: text that carries the facts, pixels that change with them."""

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.render import board_image, board_text
from rc_env.render.text import guild_action_text
from rc_env.rules.data_file import COLOURS, GUILDS, MATERIALS


def played(players: int, workshop: str, decisions: int, seed: int = 0) -> Engine:
    engine = Engine(Ruleset(players, workshop), 1, seed)
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        legal = np.flatnonzero(engine.legal_mask()[0])
        if not len(legal):
            break
        engine.step([rng.choice(legal)])
    return engine


@pytest.mark.parametrize("workshop", ["basic", "advanced"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_text_carries_the_facts(players: int, workshop: str) -> None:
    for decisions in (0, 25, 150, 400, 5000):
        engine = played(players, workshop, decisions, seed=decisions)
        game, rules = engine.games[0], engine.ruleset.rules[0]
        text = board_text(engine.ruleset, game)
        results = engine.results()
        for seat in range(players):
            line = next(line for line in text.splitlines() if line.startswith(f"{COLOURS[seat].capitalize()}: "))
            assert f"{results.track[0, seat]} prestige at space {game.track[seat]}," in line
            assert f"{results.prestige[0, seat]} if it ended now" in line
        assert ("the game is over" in text) == bool(engine.terminated[0])
        if engine.seat[0] >= 0:
            assert f"{COLOURS[game.seat]} to move at the point '{engine.point()}" in text
        assert sum(line.startswith("Tower ") for line in text.splitlines()) == rules.towers
        for die in range(5):
            assert f"{(*COLOURS, 'white')[die]} {game.die_value[die]}" in text
        for guild in GUILDS:
            assert text.count(f" {guild} ") == 1
        assert f"lumber:{game.supply[0]}" in text.splitlines()[-1] or game.supply[0] == 0


def test_every_guild_action_has_words() -> None:
    words = [
        guild_action_text(action)
        for name in GUILDS
        for card in Ruleset().data_file.tables["guilds"][name]
        for action in card
    ]
    assert words[:2] == ["sell any material for 1 ruble, unlimited", "2 rubles: buy any material, unlimited"]
    assert "3 rubles: gain 1 prestige" in words and "gain 1 ruble" in words and len(MATERIALS) == 6
    assert all(words)


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (4, "basic")])
def test_image(players: int, workshop: str) -> None:
    pictures = []
    for decisions in (0, 30, 400):
        engine = played(players, workshop, decisions)
        picture = board_image(engine.ruleset, engine.games[0])
        assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
        assert np.array_equal(picture, board_image(engine.ruleset, engine.clone(same_future=True)[0]))
        pictures.append(picture)
    assert len({picture.shape for picture in pictures}) == 1
    assert len({picture.tobytes() for picture in pictures}) == 3


def test_many_prestige_fit_into_the_picture() -> None:
    engine = played(4, "advanced", 10)
    engine.games.track[0] = 2000
    engine.games.rubles[0] = 999
    assert board_image(engine.ruleset, engine.games[0]).any()
