"""PPO of TorchRL, after its tutorial: a collector, a policy that sees the mask, GAE, the clipped loss."""

import torch
from common import Clock, arguments, legal, one_game
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.data import LazyTensorStorage, ReplayBuffer, SamplerWithoutReplacement
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper, SerialEnv, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

GAMES, STEPS, EPOCHS, BATCH = 16, 256, 4, 512
args = arguments()


def make():
    env = TransformedEnv(GymWrapper(one_game(observation="dict"), categorical_action_encoding=True))
    env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    return env.append_transform(ActionMask())  # random actions are legal, too


env = SerialEnv(GAMES, make)
env.set_seed(args.seed)
features, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
body = nn.Sequential(nn.Linear(features, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, actions))
policy = ProbabilisticActor(
    TensorDictModule(body, in_keys=["observation"], out_keys=["logits"]),
    in_keys={"logits": "logits", "mask": "action_mask"},
    distribution_class=MaskedCategorical,
    return_log_prob=True,
)
value = ValueOperator(nn.Sequential(nn.Linear(features, 256), nn.ReLU(), nn.Linear(256, 1)), in_keys=["observation"])
collector = Collector(
    env, policy, frames_per_batch=GAMES * STEPS, total_frames=-1, auto_register_policy_transforms=True
)
buffer = ReplayBuffer(storage=LazyTensorStorage(GAMES * STEPS), sampler=SamplerWithoutReplacement(), batch_size=BATCH)
advantage = GAE(gamma=0.995, lmbda=0.95, value_network=value, average_gae=True)
loss_of = ClipPPOLoss(policy, value, clip_epsilon=0.2, entropy_coeff=0.005, critic_coeff=0.5)
optimizer = torch.optim.Adam(loss_of.parameters(), lr=7e-4)
decisions, clock = 0, Clock(args.seconds)
for batch in collector:
    decisions += batch.numel()
    with torch.no_grad():
        buffer.extend(advantage(batch).reshape(-1))
    for _ in range(EPOCHS * GAMES * STEPS // BATCH):
        losses = loss_of(buffer.sample())
        optimizer.zero_grad()
        (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
        nn.utils.clip_grad_norm_(loss_of.parameters(), 0.5)
        optimizer.step()
    if clock.over:
        break
clock.report(decisions, lambda p: legal(body(torch.from_numpy(p.observation)), p.mask).argmax(-1), args.deals)
collector.shutdown()
