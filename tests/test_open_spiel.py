"""Tests of OpenSpiel's API: its own tests, a golden playthrough, agreement with the engine, and MCTS in the arena."""

from __future__ import annotations

import copy
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from rc_env import Engine, Ruleset, play_match

if find_spec("pyspiel") is None:
    pytest.skip("OpenSpiel is not installed: pip install 'rc-env[open-spiel]'", allow_module_level=True)

import open_spiel_playthrough as golden  # in tests/support
import pyspiel

from rc_env.arena.jobs import make_bot
from rc_env.envs.open_spiel import OpenSpielBot, RedCathedralGame

pytestmark = pytest.mark.slow
VARIANTS = [
    "players=2,turn_limit=40",
    "players=3,workshop=advanced,reward=margin,deals=1,turn_limit=12",
    "players=4,reward=first,turn_limit=12",
    "players=1,turn_limit=12",
]
FULL = "players=4,special_tiles=True,fourth_guild=random,contractors=True,turn_limit=12"
CASES = [*VARIANTS, pytest.param(FULL, marks=pytest.mark.full)]


def history(game, seed: int) -> tuple[list, object]:
    """Return all states of a random game, each but the last with the action that was taken."""
    rng, state, path = np.random.default_rng(seed), game.new_initial_state(), []
    while not state.is_terminal():
        action = int(rng.choice(state.legal_actions()))
        path.append((state.clone(), action))
        state.apply_action(action)
    return path, state


@pytest.mark.parametrize("variant", CASES)
def test_openspiels_own_tests(variant: str) -> None:
    """OpenSpiel checks clones, serialised states, masks, chance, returns and observers of whole random games."""
    pyspiel.random_sim_test(pyspiel.load_game(f"red_cathedral({variant})"), num_sims=1, serialize=True, verbose=False)


def test_golden_playthrough() -> None:
    """The playthrough is the one on file; `python tests/support/open_spiel_playthrough.py` writes it anew."""
    expected = golden.PLAYTHROUGH.read_text(encoding="utf-8")
    assert "die shows" in expected and "IsTerminal() = True" in expected
    assert golden.playthrough().splitlines() == expected.splitlines()


@pytest.mark.parametrize("variant", CASES)
def test_a_history_is_a_game_of_the_engine(variant: str) -> None:
    """An engine plays the deal, actions and dice of a random history to the same positions."""
    game = pyspiel.load_game(f"red_cathedral({variant})")
    path, last = history(game, 5)
    engine = Engine(game.ruleset)
    engine.reset(deal_seeds=[path[0][1]])
    dice_seen = 0
    observer = game.make_py_observer()
    for place, (state, action) in enumerate(path[1:], 1):
        if state.is_chance_node():
            assert [chance for _, chance in state.chance_outcomes()] == [1 / 6] * 6
            continue
        seat = state.current_player()
        assert seat == engine.seat[0]
        assert state.legal_actions() == np.flatnonzero(engine.legal_mask()[0]).tolist()
        assert state.action_to_string(action) == engine.action_to_text(action)
        for one in range(game.num_players()):
            observer.set_from(state, one)
            np.testing.assert_array_equal(observer.tensor, engine.observe(seat=one)[0])
        dice = []
        for later, outcome in path[place + 1 :]:
            if not later.is_chance_node():
                break
            dice.append(outcome + 1)
        dice_seen += len(dice)
        engine.step([action], dice=[dice] if dice else np.zeros((1, 0), int))
        assert not engine.illegal[0]
        assert engine.games.rolled_count[0] == len(dice)
    assert dice_seen > 2
    assert engine.seat[0] == -1
    np.testing.assert_allclose(last.returns(), engine.returns()[0], atol=1e-6)
    assert game.ruleset.solo or sum(last.returns()) == pytest.approx(0, abs=1e-12)


def test_clones_and_serialised_states_go_on_alike() -> None:
    game = pyspiel.load_game("red_cathedral(turn_limit=20)")
    path, last = history(game, 6)
    actions = [action for _, action in path]
    for number in (0, 1, len(path) // 2, len(path) - 1):
        state = path[number][0]
        text = pyspiel.serialize_game_and_state(game, state)
        _, again = pyspiel.deserialize_game_and_state(text)
        for one in (state.clone(), copy.deepcopy(state), again):
            for action in actions[number:]:
                one.apply_action(action)
            assert str(one) == str(last)
            assert one.returns() == last.returns()


def test_its_mcts_plays_in_the_arena(monkeypatch) -> None:
    """The bot of the example is given by its name on the command line; the same seed plays the same games."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "examples"))
    monkeypatch.delitem(sys.modules, "open_spiel_mcts", raising=False)
    example = make_bot("open_spiel_mcts:Mcts")
    assert example.name == "mcts"
    ruleset = Ruleset(turn_limit=8)
    one, two = (play_match([type(example)(3), "random"], 1, ruleset, seed=3) for _ in range(2))
    np.testing.assert_array_equal(one.prestige, two.prestige)
    assert one.decisions == two.decisions > 20


def test_it_finds_the_best_last_decision(monkeypatch) -> None:
    """With one decision left, the search's action has the best expected return over all rolls."""
    game = pyspiel.load_game("red_cathedral(turn_limit=6,reward=margin)")
    path, _ = history(game, 3)
    state = next(state for state, _ in reversed(path) if not state.is_chance_node() and len(state.legal_actions()) > 1)

    def worth(state) -> float:
        if state.is_terminal():
            return state.returns()[mover]
        if state.is_chance_node():
            return sum(chance * worth(state.child(outcome)) for outcome, chance in state.chance_outcomes())
        values = [worth(state.child(action)) for action in state.legal_actions()]
        return max(values) if state.current_player() == mover else min(values)

    mover = state.current_player()
    values = {action: worth(state.child(action)) for action in state.legal_actions()}
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "examples"))
    bot = __import__("open_spiel_mcts").Mcts(400)
    bot.reset(1)
    found = bot._make(game, 1).step(state)
    assert values[found] == max(values.values())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"colour": 1}, "parameters: 'colour' found, expected one of"),
        ({"players": 5}, "players: 5 found, expected a whole number from 1 to 4"),
        ({"deals": 0}, "deals: 0 found, expected a whole number from 1 to 1000000"),
        ({"reward": "score"}, "reward: 'score' found, expected one that has bounds: win, margin or first"),
        (3, "parameters: 3 found, expected parameters by name"),
    ],
)
def test_wrong_parameters_are_refused(given, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        RedCathedralGame(given)


def test_other_wrong_arguments_are_refused() -> None:
    game = RedCathedralGame()
    with pytest.raises(ValueError, match=r"^params: \{'x': 1\} found, expected none"):
        game.make_py_observer(params={"x": 1})
    assert game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True)) is None
    with pytest.raises(ValueError, match=r"^states: "):
        game.state_of(np.zeros(1))
    with pytest.raises(ValueError, match=r"^make: 3 found, expected a function"):
        OpenSpielBot("mine", 3)
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(Exception, match=r"action: 262 found, expected a legal one"):
        state.apply_action(262)
