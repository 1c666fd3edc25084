"""DQN with masks in one file (double and duelling, after Mnih, van Hasselt, Wang and others), from nothing."""

import copy

import numpy as np
import torch
from common import LeadRewards, Training, arguments, legal

import rc_env
from rc_env.training.network import Network
from rc_env.training.settings import TrainingSettings

args, GAMES, KEPT, BATCH = arguments("baseline"), 256, 512, 512  # KEPT steps of each game are in the replay buffer
envs = LeadRewards(rc_env.OneSeatVectorEnv(GAMES, opponents="greedy", observation_dtype="uint8"))
net = Network(TrainingSettings(threads=1, imitation=0))
target, rng = copy.deepcopy(net), np.random.default_rng(args.seed)
optimizer = torch.optim.Adam(net.parameters(), lr=2e-4, eps=1e-5)


def q(network, numbers, mask):
    """(N, A) values of actions: that of the position, and what each legal action adds to their mean."""
    (gains, values), of_legal = network(network.encode(numbers)), torch.as_tensor(mask != 0)
    mean = (gains * of_legal).sum(1, keepdim=True) / of_legal.sum(1, keepdim=True)
    return legal(values[:, None] + gains - mean, mask)


clock = Training(args, lambda p: q(net, p.numbers, p.mask).argmax(-1), net=net, target=target, optimizer=optimizer)
obs, infos = envs.reset(seed=args.seed + clock.decisions)
seen = np.zeros((KEPT, *obs.shape), np.uint8)
masks = np.zeros((KEPT, *infos["action_mask"].shape), np.int8)
taken, paid = np.zeros((KEPT, GAMES), np.int64), np.zeros((KEPT, GAMES), np.float32)
ends, step = np.zeros((KEPT, GAMES), np.bool_), 0
while not clock.over:
    now, mask = step % KEPT, infos["action_mask"]
    with torch.no_grad():
        action = q(net, obs, mask).argmax(1).numpy()
    stray = rng.random(GAMES) < max(0.05, 1 - 10 * clock.share)
    action[stray] = (rng.random(mask.shape) * mask).argmax(1)[stray]
    seen[now], masks[now], taken[now] = obs, mask, action
    obs, paid[now], terminated, truncated, infos = envs.step(action)
    ends[now], step = terminated | truncated, step + 1
    if step > 32:
        at, game = rng.integers(min(step, KEPT) - 1, size=BATCH), rng.integers(GAMES, size=BATCH)
        at = (step - 2 - at) % KEPT  # all but the last step, of which the next one is not kept yet
        after = (seen[(at + 1) % KEPT, game], masks[(at + 1) % KEPT, game])
        with torch.no_grad():
            best = q(net, *after).argmax(1, keepdim=True)
            later = q(target, *after).gather(1, best)[:, 0] * torch.from_numpy(~ends[at, game])
        values = q(net, seen[at, game], masks[at, game]).gather(1, torch.from_numpy(taken[at, game])[:, None])[:, 0]
        loss = torch.nn.functional.smooth_l1_loss(values, torch.from_numpy(paid[at, game]) + 0.99 * later)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 500 == 0:
            target.load_state_dict(net.state_dict())
    clock.count(GAMES)
clock.finish()
