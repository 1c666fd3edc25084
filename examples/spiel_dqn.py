"""The DQN of OpenSpiel (its Python, with PyTorch) on the game as OpenSpiel plays it: an agent a seat, from nothing."""

import torch
from common import Training, arguments, legal
from open_spiel.python import rl_environment
from open_spiel.python.pytorch.dqn import DQN

import rc_env
import rc_env.envs.open_spiel

args = arguments("baseline")
env = rl_environment.Environment("red_cathedral(players=2,turn_limit=150)", enable_legality_check=False)
size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
settings = {"hidden_layers_sizes": (256, 256), "learning_rate": 3e-4, "optimizer_str": "adam", "loss_str": "huber"}
settings |= {"replay_buffer_capacity": 50_000, "learn_every": 4, "weight_update_coeff": 0.99, "gradient_clipping": 10.0}
settings |= {"epsilon_end": 0.05, "epsilon_decay_duration": 200_000}
agents = [DQN(seat, size, actions, seed=2 * args.seed + seat, **settings) for seat in range(2)]
divisors = rc_env.Ruleset().observations.divisors


def choose(position):
    """The best actions of the agents of these seats."""
    x = torch.from_numpy(position.numbers / divisors).float()
    values = torch.stack([agent._q_network(x) for agent in agents])
    return legal(values[torch.as_tensor(position.seat).long(), torch.arange(len(x))], position.mask).argmax(-1)


parts = {f"{part}{agent.player_id}": getattr(agent, part) for agent in agents for part in ("_q_network", "_optimizer")}
clock = Training(args, choose, **parts)
env.seed(args.seed + clock.decisions)  # a run that goes on plays other deals than at its beginning
for agent in agents:
    agent._target_q_network.load_state_dict(agent._q_network.state_dict())
    agent._iteration = clock.decisions // 2  # exploration goes on where it stopped
now = env.reset()
while not clock.over:
    if now.last():
        for agent in agents:
            agent.step(now)
        now = env.reset()
    now = env.step([agents[now.observations["current_player"]].step(now).action])
    clock.count(1)
clock.finish()
