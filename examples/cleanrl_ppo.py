"""PPO in one file, after CleanRL's ppo.py: imitation of a scripted bot, then learning from the results of games."""

import torch
from common import LeadRewards, Training, arguments, legal
from torch.distributions import Categorical
from torch.nn.functional import cross_entropy

import rc_env
from rc_env.bot import Position
from rc_env.training.network import Network
from rc_env.training.settings import TrainingSettings

args, GAMES, STEPS, BATCH = arguments("imitation", "baseline"), 256, 32, 1024
envs = LeadRewards(rc_env.OneSeatVectorEnv(GAMES, opponents="greedy", observation_dtype="uint8"))
teacher = rc_env.make_bot("all_rounder")
net = Network(TrainingSettings(threads=1, imitation=0))  # any module with logits and a value will do
optimizer = torch.optim.Adam(net.parameters(), eps=1e-5)


def look(x, mask):
    logits, values = net(x)
    return Categorical(logits=legal(logits, mask)), values


clock = Training(args, lambda p: look(net.encode(p.numbers), p.mask)[0].logits.argmax(-1), net=net, optimizer=optimizer)
obs, infos = envs.reset(seed=args.seed + clock.decisions)
while not clock.over:
    imitating, rows = clock.share < args.imitation, []
    weight = 1 if imitating else 0.1 * (args.imitation > 0)
    optimizer.param_groups[0]["lr"] = 1e-3 if imitating else 1e-3 * (1 - clock.share)
    for _ in range(STEPS):
        x, mask = net.encode(obs), torch.from_numpy(infos["action_mask"])
        with torch.no_grad():
            dist, v = look(x, mask)
        action = dist.sample()
        advice = torch.from_numpy(teacher.act(Position.of(envs.env.engine))) if weight else action
        if imitating:
            action[: GAMES // 2] = advice[: GAMES // 2]  # the other games reach positions that the teacher avoids
        obs, reward, terminated, truncated, infos = envs.step(action.numpy())
        then = (torch.from_numpy(reward), torch.from_numpy(terminated | truncated))
        rows.append((x, mask, action, advice, dist.log_prob(action), v, *then))
    x, mask, action, advice, before, values, rewards, ends = (torch.stack(part) for part in zip(*rows, strict=True))
    gain, advantage, after = 0, torch.zeros_like(values), net(net.encode(obs))[1].detach()
    for t in reversed(range(STEPS)):
        gain = rewards[t] + (1 - ends[t].float()) * (after + 0.95 * gain) - values[t]
        after, advantage[t] = values[t], gain
    flat = [part.flatten(0, 1) for part in (x, mask, action, advice, before, advantage, values + advantage)]
    for rows in (part for _ in range(1 if imitating else 3) for part in torch.randperm(STEPS * GAMES).split(BATCH)):
        x, mask, action, advice, before, adv, target = (part[rows] for part in flat)
        dist, v = look(x, mask)
        loss = 0.5 * (v - target).square().mean() + weight * cross_entropy(dist.logits, advice)
        if not imitating:
            ratio, adv = (dist.log_prob(action) - before).exp(), adv / (adv.std() + 1e-8)
            loss -= torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() + 0.005 * dist.entropy().mean()
        net.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        optimizer.step()
    clock.count(STEPS * GAMES)
clock.finish()
