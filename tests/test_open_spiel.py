"""Tests of OpenSpiel's API: its own tests, a golden playthrough, agreement with the engine, and MCTS in the arena."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
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

from rc_env.agents import from_text as make_bot
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


@pytest.mark.parametrize("variant", CASES)
def test_python_is_answered_as_cpp_is(variant: str) -> None:
    """What a state answers in Python at once is what OpenSpiel's C++ works out from the rest."""
    game = pyspiel.load_game(f"red_cathedral({variant})")
    path, last = history(game, 7)
    for state in [*(state for state, _ in path[::5]), last]:
        for name in ("is_chance_node", "legal_actions", "legal_actions_mask"):
            assert getattr(state, name)() == getattr(pyspiel.State, name)(state)
        for seat in range(game.num_players()):
            assert state.observation_tensor(seat) == pyspiel.State.observation_tensor(state, seat)


@pytest.mark.parametrize("variant", ["players=3,turn_limit=8", pytest.param(FULL, marks=pytest.mark.full)])
def test_a_game_is_pickled_and_copied(variant: str) -> None:
    """Another process, which has not imported the game, can read it: `multiprocessing` starts actors so."""
    game = pyspiel.load_game(f"red_cathedral({variant})")
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), copy.copy(game)):
        assert type(again) is RedCathedralGame and again.ruleset == game.ruleset and str(again) == str(game)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer))"
    found = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(game), capture_output=True, check=True)
    assert found.stdout.decode().strip() == str(game)


HIDDEN = "red_cathedral(players=2,fourth_guild=archivists,turn_limit=8)"


@pytest.mark.full
def test_an_information_state_is_what_a_player_saw_and_chose() -> None:
    game = pyspiel.load_game(HIDDEN)
    assert game.get_type().provides_information_state_string
    path, last = history(game, 5)
    states = [state for state, _ in path if state.is_player_node()] + [last]
    for seat in range(2):
        assert len({state.information_state_string(seat) for state in states}) > len(states) // 3
    recalls = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for state in states[:: len(states) // 8]:
        assert state.information_state_string(1) == pyspiel.State.information_state_string(state, 1)
        assert recalls.string_from(state, 0) == state.information_state_string(0)
        if not state.is_terminal():
            imagined = state.resample_from_infostate(0, lambda: 0.5)
            assert imagined.information_state_string(0) == state.information_state_string(0)
            assert imagined.legal_actions() == state.legal_actions() or state.current_player() == 1
    # The same actions of the same player in another order lead to another one.
    begun = game.new_initial_state()
    begun.apply_action(1)
    ends = set()
    for order in ((0, 1), (1, 0)):
        state = begun.clone()
        moves = [state.legal_actions()[place] for place in order]
        state.apply_action(moves[0])
        ends.add(state.information_state_string(0).split()[2])
    assert len(ends) == 2


def test_an_information_state_is_refused_where_everything_lies_open() -> None:
    game = pyspiel.load_game("red_cathedral(turn_limit=8)")
    assert not game.get_type().provides_information_state_string
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(ValueError, match=r"^information_state_string is for variants with hidden information"):
        state.information_state_string(0)
    with pytest.raises(ValueError, match=r"^information_state_tensor: what a player remembers has no fixed size"):
        state.information_state_tensor(0)
    with pytest.raises(ValueError, match=r"^player must be a whole number from 0 to 1, not 2"):
        state.resample_from_infostate(2)
    with pytest.raises(
        ValueError, match=r"^resample_from_infostate is for a decision or the end, not for a chance node"
    ):
        game.new_initial_state().resample_from_infostate(0)


@pytest.mark.full
def test_its_search_for_hidden_information_plays_the_archivists_game() -> None:
    """Information set MCTS knows what a player knows, and imagines the rest anew."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game(HIDDEN)
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 4, random_state=rng)
    state, chosen = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([outcome for outcome, _ in state.chance_outcomes()])))
        else:
            action = bot.step(state) if chosen < 12 else int(rng.choice(state.legal_actions()))
            chosen += 1
            assert action in state.legal_actions()
            state.apply_action(action)
    assert chosen > 12 and sum(state.returns()) == pytest.approx(0)


@pytest.mark.skipif(
    find_spec("jax") is None or find_spec("flax") is None, reason="AlphaZero of OpenSpiel needs jax, flax, optax, chex"
)
def test_its_alpha_zero_trains_a_few_steps(tmp_path: Path) -> None:
    """An actor and an evaluator get the game in processes of their own, and two steps write their checkpoints."""
    script = tmp_path / "train.py"
    script.write_text(ALPHA_ZERO, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "run")],
        capture_output=True,
        text=True,
        env=environment,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert {"checkpoint-1", "checkpoint-2"} <= {path.name for path in (tmp_path / "run").iterdir()}


ALPHA_ZERO = """
import sys

import rc_env.envs.open_spiel
from open_spiel.python.algorithms.alpha_zero import alpha_zero

if __name__ == "__main__":
    alpha_zero.alpha_zero(alpha_zero.Config(
        game="red_cathedral(turn_limit=4,deals=10)", path=sys.argv[1], learning_rate=0.001, weight_decay=1e-4,
        decouple_weight_decay=False, train_batch_size=8, replay_buffer_size=48, replay_buffer_reuse=2, max_steps=2,
        checkpoint_freq=1, actors=1, evaluators=1, evaluation_window=2, eval_levels=2, uct_c=1.0, max_simulations=4,
        policy_alpha=0.5, policy_epsilon=0.25, temperature=1.0, temperature_drop=4, nn_model="mlp", nn_width=16,
        nn_depth=1, observation_shape=None, output_size=None, verbose=False, quiet=True,
    ))
"""


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"colour": 1}, "unknown parameter 'colour': choose"),
        ({"players": 5}, "players must be a whole number from 1 to 4, not 5"),
        ({"deals": 0}, "deals must be a whole number from 1 to 1000000, not 0"),
        ({"reward": "score"}, "reward must have bounds, which 'score' has not: choose win, margin or first"),
        (3, "parameters must be parameters by name, not 3"),
    ],
)
def test_wrong_parameters_are_refused(given, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        RedCathedralGame(given)


def test_other_wrong_arguments_are_refused() -> None:
    game = RedCathedralGame()
    with pytest.raises(ValueError, match=r"^params must be empty, not \{'x': 1\}"):
        game.make_py_observer(params={"x": 1})
    assert game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True)) is None
    with pytest.raises(ValueError, match=r"^states must be "):
        game.state_of(np.zeros(1))
    with pytest.raises(ValueError, match=r"^make must be a function .*, not 3"):
        OpenSpielBot("mine", 3)
    state = game.new_initial_state()
    state.apply_action(0)
    with pytest.raises(Exception, match=r"action 262 is not legal here"):
        state.apply_action(262)
