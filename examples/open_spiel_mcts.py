"""OpenSpiel's MCTS as a bot of the arena: `python examples/open_spiel_mcts.py` plays it against bots of this package.

In this folder the command line takes it too: `rc arena open_spiel_mcts:Mcts random --games 20 --turn-limit 30`.
"""

import argparse
import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from rc_env import Ruleset, play_match
from rc_env.envs.open_spiel import OpenSpielBot

SIMULATIONS, UCT_C = 30, 2.0


class Mcts(OpenSpielBot):
    """Upper confidence bounds over decisions and dice; leaves are valued by one random rollout to the end."""

    def __init__(self, simulations: int = SIMULATIONS) -> None:
        def make(game, seed):
            rng = np.random.RandomState(seed)
            return mcts.MCTSBot(game, UCT_C, simulations, mcts.RandomRolloutEvaluator(1, rng), False, rng)

        super().__init__("mcts", make)


def speed(start, decisions: int = 3000) -> float:
    """Decisions per second of processor time in random play through `pyspiel.State`, without observations."""
    rng, played, begin = np.random.default_rng(0), 0, time.process_time()
    while played < decisions:
        state = start.clone()
        while not state.is_terminal() and played < decisions:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
            else:
                state.apply_action(int(rng.choice(state.legal_actions())))
                played += 1
    return decisions / (time.process_time() - begin)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long to play (default: 60)")
    parser.add_argument("--deals", type=int, default=100, help="at most so many deals, twice each (default: 100)")
    args = parser.parse_args()
    state = pyspiel.load_game("red_cathedral(players=2)").new_initial_state()
    print(f"{speed(state):,.0f} decisions a second of one core, random play through pyspiel.State")
    for opponent in ("random", "greedy"):
        end, won = time.monotonic() + args.seconds / 2, []
        while not won or (time.monotonic() < end and len(won) < args.deals):
            won.append(play_match([Mcts(), opponent], 1, Ruleset(turn_limit=30), seed=1, first=len(won)).share(0).mean)
        print(f"against {opponent}: {np.mean(won):.0%} of {2 * len(won)} games of 30 turns, {SIMULATIONS} simulations")
