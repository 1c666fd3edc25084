"""Fits a network of its own for a trained network's value to positions that were played out. Its policy stays as it is.

The value that training leaves behind shares its trunk with the policy, and was learned from results of games, of which
a position in the middle has one of many. Here it becomes a copy of the trunk with the value's layers on it, which
learns the means of play-outs (see `playout_values`), from the views of all seats; and beside them, in training alone,
what each seat scores at the end on the track, for towers, and for what it holds.

Shape letters: N samples, I inputs, V values, S seats.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from torch.nn import functional

from rc_env import checks, files
from rc_env.agents import net
from rc_env.agents.net import NetBot
from rc_env.engine import Engine
from rc_env.training import playout_values
from rc_env.training.network import linear
from rc_env.training.scaling import Scale

GAMES = 20_000
HELD_OUT = 0.1  # of the files, on which the error is measured
EPOCHS, BATCH, RATE, DECAY = 6, 512, 5e-4, 0.01
PRESTIGE, POINTS = 0.1, 10.0  # weight of the error of prestige; so many points count as 1


@dataclass(frozen=True)
class Judged:
    """What seats see, and what became of it.

    Attributes:
        inputs: (N, I) uint8, those that are shared.
        values: (N, V) float32, mean rewards of the play-outs, from the observing seat on.
        prestige: (N, S, 3) float32, see `playouts.Outcomes`; means of the play-outs, from the observing seat on.
    """

    inputs: NDArray[np.uint8]
    values: NDArray[np.float32]
    prestige: NDArray[np.float32]


def samples(model: net.Net, paths: Sequence[Path], seed: int = 0) -> Judged:
    """Read files of `playout_values.collect`, and observe each position from every seat.

    Raises:
        ValueError: a file holds positions of another network or seed, or something else.
        OSError: a file cannot be read.
    """
    ruleset, count = model.ruleset, len(model.layers["value.1"][1])
    columns: list[tuple[NDArray[Any], ...]] = []
    for path in paths:
        found = playout_values.read(path, model, seed)
        engine = Engine(ruleset, len(found["games"]))
        engine.restore(np.ascontiguousarray(found["games"]).view(engine.games.dtype).reshape(-1).view(np.ndarray))
        rewards, prestige = found["rewards"].astype(np.float32).mean(1), found["prestige"].astype(np.float32).mean(1)
        for seat in range(ruleset.players):
            inputs = model.inputs(engine.observe(seat=seat, dtype=np.uint8))[:, : model.inputs.shared]
            order = (seat + np.arange(ruleset.seats)) % ruleset.seats
            columns.append((inputs, rewards[:, order[:count]], prestige[:, order]))
    return Judged(*(np.concatenate(column) for column in zip(*columns, strict=True)))


class ValueNetwork(torch.nn.Module):
    """A network for the value: layers from the inputs to the values, and from the last hidden ones to the prestige.

    Args:
        model: the network whose value it begins with: that of its own, or the trunk and the value behind it.
    """

    def __init__(self, model: net.Net) -> None:
        super().__init__()
        shared = model.inputs.shared
        self.scale = Scale(model.inputs.divisors[:shared], model.inputs.zero[:shared])
        names = model.value_layers
        if names[0] == "value.0":
            names = [name for name in model.layers if name.startswith("trunk.")] + names
        self.layers = torch.nn.ModuleList()
        for weight, bias in (model.layers[name] for name in names):
            layer = torch.nn.Linear(*weight.shape)
            layer.load_state_dict({"weight": torch.from_numpy(weight.T.copy()), "bias": torch.from_numpy(bias)})
            self.layers.append(layer)
        self.prestige = linear(len(model.layers[names[-2]][1]), 3 * model.ruleset.seats, 1)
        self.reward_scale = float(model.reward_scale)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(N, V) values and (N, 3 S) prestige, from (N, I) uint8."""
        z = self.scale(x)
        for layer in self.layers[:-1]:
            z = torch.relu(layer(z))
        return self.layers[-1](z) / self.reward_scale, self.prestige(z) * POINTS

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Weights and biases as `net.Net` takes them."""
        found: dict[str, NDArray[np.float32]] = {}
        for i, layer in enumerate(self.layers):
            found[f"value_net.{i}.weight"] = layer.weight.detach().numpy().T.copy()
            found[f"value_net.{i}.bias"] = layer.bias.detach().numpy().copy()
        return found


def fit_value(
    model: str | Path, out: str | Path, folder: str | Path, games: int = GAMES, seed: int = 0
) -> tuple[float, float]:
    """Let a network play against itself and play positions out, fit a value to them, and write the network with it.

    Args:
        model: a file of weights that `rc train` wrote, or the folder of a run.
        out: the file that is written.
        folder: where positions are kept, see `playout_values.collect`; those that are there already are used.
        games: number of games, 256 to 10,000,000, rounded up to whole files of positions; a tenth of the files, one at
            least, is held out.
        seed: of the games, the play-outs and the order of the samples.

    Returns:
        The correlation of the value with the means of the play-outs on the files held out, before and after the fit.

    Raises:
        ValueError: an argument is out of range, or the network was trained for another reward than "win" or "first".
        OSError: a file cannot be read or written.
    """
    games = checks.whole_number("games", games, 2 * playout_values.GAMES, 10**7)
    trained = NetBot(model).net
    paths = playout_values.collect(trained, folder, -(-games // playout_values.GAMES), seed)
    held = max(1, round(HELD_OUT * len(paths)))
    seen, unseen = samples(trained, paths[:-held], seed), samples(trained, paths[-held:], seed)
    network = ValueNetwork(trained)
    before = correlation(network, unseen)
    with threadpool_limits(1):
        descend(network, seen, seed)
    fit = {"positions": len(seen.inputs) // trained.ruleset.players, "playouts": playout_values.PLAYOUTS, "seed": seed}
    buffer = io.BytesIO()
    net.save({**trained.arrays(), **network.arrays()}, {**trained.about, "value": fit}, buffer)
    files.write(out, buffer.getvalue())
    return before, correlation(network, unseen)


def descend(network: ValueNetwork, seen: Judged, seed: int, epochs: int = EPOCHS) -> None:
    """Train a network on samples, with a learning rate that falls linearly to 0."""
    generator = torch.Generator().manual_seed(seed)
    inputs, values = torch.from_numpy(seen.inputs), torch.from_numpy(seen.values)
    prestige = torch.from_numpy(seen.prestige.reshape(len(values), -1))
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    count = max(1, len(values) // BATCH)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, epochs * count)
    for _ in range(epochs):
        for batch in torch.randperm(len(values), generator=generator).chunk(count):
            value, scored = network(inputs[batch])
            loss = functional.mse_loss(value, values[batch])
            loss = loss + PRESTIGE * functional.mse_loss(scored / POINTS, prestige[batch] / POINTS)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            decay.step()


@torch.no_grad()
def correlation(network: ValueNetwork, seen: Judged) -> float:
    """The correlation of a network's values with those of samples."""
    found = np.concatenate([network(part)[0].numpy() for part in torch.from_numpy(seen.inputs).split(4096)])
    return float(np.corrcoef(found.ravel(), seen.values.ravel())[0, 1])
