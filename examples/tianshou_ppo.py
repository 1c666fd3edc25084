"""PPO of Tianshou 2: its vector of environments, its collector, and an actor that sees the mask in the observation."""

from common import Clock, arguments, legal, one_game
from tianshou.algorithm import PPO
from tianshou.algorithm.algorithm_base import policy_within_training_step
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.net.discrete import DiscreteActor, DiscreteCritic

GAMES, STEPS = 16, 256


class MaskedActor(DiscreteActor):
    """An observation is a Batch with the entries of the Dict space; illegal actions get no probability."""

    def forward(self, obs, state=None, info=None):
        logits, hidden = super().forward(obs.observation, state, info)
        return legal(logits, obs.action_mask), hidden


class Critic(DiscreteCritic):
    """A critic whose input is the vector, without the mask."""

    def forward(self, obs, state=None, info=None):
        return super().forward(obs.observation, state, info)


args = arguments()
envs = DummyVectorEnv([lambda: one_game(observation="dict") for _ in range(GAMES)])
envs.seed(args.seed)
space = envs.observation_space[0]["observation"]
body, other = (Net(state_shape=space.shape, hidden_sizes=[256, 256]) for _ in range(2))
actor = MaskedActor(preprocess_net=body, action_shape=envs.action_space[0].n, softmax_output=False)
policy = DiscreteActorPolicy(actor=actor, action_space=envs.action_space[0], deterministic_eval=True)
algorithm = PPO(
    policy=policy, critic=Critic(preprocess_net=other), optim=AdamOptimizerFactory(lr=7e-4), max_grad_norm=0.5,
    gamma=0.995, gae_lambda=0.95, ent_coef=0.005, advantage_normalization=True,
)  # fmt: skip
collector = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(GAMES * STEPS, GAMES))
collector.reset()
decisions, clock = 0, Clock(args.seconds)
while not clock.over:  # like Tianshou's trainer, without its test games
    with policy_within_training_step(policy):
        decisions += collector.collect(n_step=GAMES * STEPS).n_collected_steps
        algorithm.update(collector.buffer, batch_size=512, repeat=4)
    collector.reset_buffer(keep_statistics=True)


def choose(position):
    obs = Batch(observation=position.observation, action_mask=position.mask)
    return policy(Batch(obs=obs, info=Batch())).act


clock.report(decisions, choose, args.deals)
