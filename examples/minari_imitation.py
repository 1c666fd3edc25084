"""Writes a Minari data set of games of mixed bots, with infos; then imitates the winners, from the data set alone."""

import os
import tempfile
import time

import gymnasium
import minari
import numpy as np
import torch
from common import BOTS, Clock, arguments, legal, mixed_games
from minari.data_collector import EpisodeBuffer
from torch import nn


def episodes(opponent, count):
    """Games as Minari's buffers: there is one observation and info more than actions, for the end of the game."""
    for game in mixed_games(opponent, count):
        observations = game.pop("observations")
        infos = {name: game.pop(name) for name in ("action_mask", "seat", "prestige", "winners")}
        yield EpisodeBuffer(observations=observations, infos=infos, **game)


args = arguments("games")
folder = tempfile.TemporaryDirectory(prefix="minari-")  # deleted at the end; name another one to keep the data set
os.environ.setdefault("MINARI_DATASETS_PATH", folder.name)
begin, env = time.perf_counter(), gymnasium.make("rc_env:RedCathedral-v0", observation_dtype="uint8")
parts = (list(episodes(name, args.games // len(BOTS))) for name in BOTS)
data = minari.create_dataset_from_buffers("red_cathedral/mixed-v0", next(parts), env=env, algorithm_name="bots")
for part in parts:
    data.update_dataset_from_buffer(part)
print(f"{len(data)} games, {data.total_steps} decisions written in {time.perf_counter() - begin:.0f} s")

scale = torch.from_numpy(env.unwrapped.ruleset.observations.divisors.astype(np.float32))
net = nn.Sequential(nn.Linear(len(scale), 512), nn.ReLU(), nn.Linear(512, int(env.action_space.n)))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
decisions, clock = 0, Clock(args.seconds)
while not clock.over:
    games = [one for one in data.sample_episodes(32) if one.infos["winners"][-1, one.infos["seat"][-1]]]
    seen = np.concatenate([one.observations[:-1] for one in games])  # the last observation has no action
    masks = np.concatenate([one.infos["action_mask"][:-1] for one in games])
    taken = torch.from_numpy(np.concatenate([one.actions for one in games]))
    loss = nn.functional.cross_entropy(legal(net(torch.from_numpy(seen) / scale), masks), taken)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    decisions += len(seen)
clock.report(decisions, lambda p: legal(net(torch.from_numpy(p.observation)), p.mask).argmax(-1), args.deals)
