"""One side of a comparison: plays random legal actions through the API of one library, and prints the speed.

`peers.py` starts it in an environment that has the library, and asks for runs on standard input. Each loop does what a
learner needs for one decision: the mask of legal actions where the game has one, the observation, and the step. Loops
over one game measure everything; loops over a batch measure the step alone, since the learner chooses the actions.
"""

import json
import os
import random
import sys
import time
import warnings

BATCH = 256
CHOOSE = random.Random(0).random


def timed(turn):
    """A run of a loop: `turn()` is called again and again, and returns how many decisions it played."""

    def run(seconds):
        count, begin, end = 0, time.process_time(), time.monotonic() + seconds
        while time.monotonic() < end:
            count += turn()
        return count, time.process_time() - begin

    return run


def batches(step, choose):
    """A run over a batch, of which only `step(actions)` is timed."""

    def run(seconds):
        count, spent, end = 0, 0.0, time.monotonic() + seconds
        while time.monotonic() < end:
            actions = choose()
            begin = time.process_time()
            step(actions)
            spent += time.process_time() - begin
            count += BATCH
        return count, spent

    return run


def rc_batch():
    """Our engine with a batch of games: mask and observation (float32) written by `Engine.step_observe`."""
    import numpy as np

    from rc_env import Engine

    engine, rng = Engine(num_games=BATCH), np.random.default_rng(0)
    engine.play_random(100)
    masks = engine.legal_mask().copy()
    seen = np.zeros((BATCH, engine.num_features), np.float32)
    return batches(
        lambda actions: engine.step_observe(actions, masks, seen, auto_reset=True),
        lambda: (rng.random(masks.shape, np.float32) * masks).argmax(1),
    )


def rc_engine():
    """Our engine with one game: mask and observation (float32) written by `Engine.step_observe`."""
    import numpy as np

    from rc_env import Engine

    engine = Engine()
    masks = engine.legal_mask().copy()
    seen, action = np.zeros((1, engine.num_features), np.float32), np.zeros(1, np.int64)

    def turn():
        legal = masks[0].nonzero()[0]
        action[0] = legal[int(CHOOSE() * len(legal))]
        engine.step_observe(action, masks, seen, auto_reset=True)
        return 1

    return timed(turn)


def aec(env):
    """A PettingZoo AEC environment whose observations hold a mask: observation and mask, then the step."""
    env.reset(seed=1)

    def turn():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        legal = observation["action_mask"].nonzero()[0]
        env.step(int(legal[int(CHOOSE() * len(legal))]))
        return 1

    return timed(turn)


def rc_aec():
    """Our PettingZoo environment with one game, `rc_env.envs.aec.raw_env`."""
    from rc_env.envs.aec import raw_env

    return aec(raw_env())


def pettingzoo_connect_four():
    """PettingZoo's own Connect Four."""
    from pettingzoo.classic.connect_four.connect_four import raw_env

    return aec(raw_env())


def pettingzoo_chess():
    """PettingZoo's own chess."""
    from pettingzoo.classic.chess.chess import raw_env

    return aec(raw_env())


def rc_gym():
    """Our Gymnasium environment, one seat against the bot `random`, whose decisions are not counted."""
    from rc_env import OneSeatEnv

    env = OneSeatEnv(opponents="random")
    legal = [env.reset(seed=1)[1]["action_mask"].nonzero()[0]]

    def turn():
        _, _, terminated, truncated, info = env.step(legal[0][int(CHOOSE() * len(legal[0]))])
        if terminated or truncated:
            _, info = env.reset()
        legal[0] = info["action_mask"].nonzero()[0]
        return 1

    return timed(turn)


def catanatron():
    """Catanatron, one seat against its random player, whose decisions are played and not counted."""
    from catanatron_gym.envs.catanatron_env import CatanatronEnv

    env = CatanatronEnv()
    legal = [env.reset(seed=1)[1]["valid_actions"]]

    def turn():
        _, _, terminated, truncated, info = env.step(legal[0][int(CHOOSE() * len(legal[0]))])
        if terminated or truncated:
            _, info = env.reset()
        legal[0] = info["valid_actions"]
        return 1

    return timed(turn)


def spiel(name):
    """A game of OpenSpiel from Python: tensor and mask of the player to move, then the action; dice are not counted."""
    import pyspiel

    game = pyspiel.load_game(name)
    at = [game.new_initial_state()]

    def turn():
        state = at[0]
        if state.is_terminal():
            at[0] = game.new_initial_state()
            return 0
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(CHOOSE() * len(outcomes))][0])
            return 0
        state.observation_tensor()
        state.legal_actions_mask()
        legal = state.legal_actions()
        state.apply_action(legal[int(CHOOSE() * len(legal))])
        return 1

    return timed(turn)


def rc_open_spiel():
    """Our game through OpenSpiel's API, `rc_env.envs.open_spiel`, which is written in Python."""
    import rc_env.envs.open_spiel  # noqa: F401

    return spiel("red_cathedral")


def open_spiel_backgammon():
    """OpenSpiel's backgammon, in C++."""
    return spiel("backgammon")


def open_spiel_connect_four():
    """OpenSpiel's Connect Four, in C++."""
    return spiel("connect_four")


def open_spiel_chess():
    """OpenSpiel's chess, in C++."""
    return spiel("chess")


def envpool(name):
    """EnvPool with one thread; its games have no masks."""
    import envpool as library
    import numpy as np

    env = library.make(name, env_type="gymnasium", num_envs=BATCH, num_threads=1)
    env.reset()
    rng, actions = np.random.default_rng(0), env.action_space.n
    return batches(env.step, lambda: rng.integers(actions, size=BATCH))


def envpool_cartpole():
    """EnvPool's CartPole: four numbers are observed."""
    return envpool("CartPole-v1")


def envpool_pong():
    """EnvPool's Pong: four frames of 84 x 84 pixels are observed, and four are played a step."""
    return envpool("Pong-v5")


if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # both sides on one core, one after the other
    warnings.simplefilter("ignore")
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries may print to standard output; results go to `out`
    run = globals()[sys.argv[1]]()
    run(1.0)  # compile, fill caches
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(run(float(line))), file=out, flush=True)
