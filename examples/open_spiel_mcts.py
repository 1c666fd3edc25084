"""OpenSpiel's MCTS as a bot of the arena: `python examples/open_spiel_mcts.py` plays it against bots of this package.

From this folder the command line knows it too: `rc arena open_spiel_mcts:Mcts random --games 20 --turn-limit 40`.
"""

import time

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

from rc_env import Ruleset, play_match
from rc_env.open_spiel import OpenSpielBot

SIMULATIONS, UCT_C = 30, 2.0


class Mcts(OpenSpielBot):
    """Upper confidence bounds over decisions and dice; leaves are valued by one random rollout to the end."""

    def __init__(self, simulations: int = SIMULATIONS) -> None:
        def make(game, seed):
            rng = np.random.RandomState(seed)
            return mcts.MCTSBot(game, UCT_C, simulations, mcts.RandomRolloutEvaluator(1, rng), False, rng)

        super().__init__("mcts", make)


def speed(state, decisions: int = 3000) -> float:
    """Decisions a second of random play through OpenSpiel's own interface, dice not counted, without observation."""
    rng, played, begin = np.random.default_rng(0), 0, time.process_time()
    start = state
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
    game = pyspiel.load_game("red_cathedral(players=2)")
    print(game)
    print(f"{speed(game.new_initial_state()):,.0f} decisions a second of one core, random play through pyspiel.State")
    for opponent, deals in (("random", 2), ("greedy", 2)):
        begin = time.process_time()
        played = play_match([Mcts(), opponent], deals, Ruleset(turn_limit=30), seed=1)
        won = played.share(0)
        print(f"mcts of {SIMULATIONS} simulations won {won.mean:.0%} of {won.games} games of 30 turns", end=" ")
        print(f"against {opponent}, in {time.process_time() - begin:.0f} s of a core")
