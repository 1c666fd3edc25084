"""Fits a trained network's value to games of the network with itself. Its policy stays as it is.

The value that training leaves behind predicts results against the opponents of the training. If a part of them were
weaker bots, it is too high for games between equals; and it was learned only from views of the seat to move. Here the
value's own layers are trained again, on the results of games, from the views of all seats. The trunk, which the policy
shares, is frozen.

Shape letters: M samples, H the trunk's width, P players.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from torch.nn import functional

from rc_env import checks
from rc_env.agents.net import NetBot
from rc_env.arena import match
from rc_env.card_sets import source
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset
from rc_env.training import checkpoint, settings
from rc_env.training.network import Network

GAMES = 20_000
SHARE = 0.25  # of the decisions that are learned from: neighbours in a game teach nearly the same
HELD_OUT = 0.1  # of the games, on which the error is measured
EPOCHS, BATCH, RATE = 4, 1024, 5e-4


class _Positions:
    """Observer of a match that collects the trunk's outputs for a part of the positions, from the view of each seat."""

    def __init__(self, network: Network, ruleset: Ruleset, games: int, seed: int) -> None:
        self._network, self._players = network, ruleset.players
        self._random = np.random.default_rng([seed, 1])
        self._rewards = np.zeros((games, self._players), np.float32)
        self._parts: list[tuple[NDArray[np.float16], NDArray[np.int64], NDArray[np.int64]]] = []

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray[Any], games: NDArray[np.int64]) -> None:
        """Collect from the positions in which a decision is about to be made."""
        chosen = self._random.random(len(rows)) < SHARE
        rows, games = rows[chosen], games[chosen]
        for seat in range(self._players if len(rows) else 0):
            numbers = engine.observe(rows, seat=seat, dtype=np.uint8)
            with torch.inference_mode():
                z = self._network.features(self._network.encode(numbers))[1]
            self._parts.append((z.cpu().numpy().astype(np.float16), games, np.full(len(rows), seat)))

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """Note the rewards of the games that ended."""
        over = engine.terminated[rows] | engine.truncated[rows]
        if over.any():
            self._rewards[games[over]] = engine.returns()[rows[over]]

    def samples(self, values: int) -> tuple[NDArray[np.float16], NDArray[np.float32], NDArray[np.int64]]:
        """(M, H) outputs of the trunk, (M, values) rewards from the observing seat on, (M,) numbers of games."""
        z, games, seats = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        order = (seats[:, None] + np.arange(values)) % self._players
        return z, np.take_along_axis(self._rewards[games], order, 1), games


_WITHOUT: dict[str, Any] = {
    **{"precision": "float32", "device": "auto", "start": "none", "imitation": 0, "decisions": 1},
    **{"anchors": ("random",), "opponents": {"self": 1.0}, "teacher": "random"},
}
"""Settings in the place of those that a fit does not need, and that may name bots and devices that are not here."""


def fit_value(model: str | Path, out: str | Path, games: int = GAMES, seed: int = 0) -> tuple[float, float]:
    """Let a network play against itself, fit its value to the results, and write the network with the new value.

    Args:
        model: a file of weights that `rc train` wrote, or the folder of a run.
        out: the file that is written.
        games: number of games, 20 to 10,000,000; a tenth of them is held out.
        seed: of the deals, the positions that are learned from, and the order of the samples.

    Returns:
        The mean squared error of the value on the games held out, before and after the fit. Rewards go from -1 to 1.

    Raises:
        ValueError: an argument is out of range, or the network does not say how it was trained, or was trained on
            several sets of cards.
        OSError: the file cannot be written.
    """
    games, seed = checks.whole_number("games", games, 20, 10**7), checks.seed("seed", seed)
    bot = NetBot(model)
    about = bot.net.about
    if "settings" not in about:
        raise ValueError("model: a network without its settings found, expected one that `rc train` wrote")
    how = settings.from_dict({**settings.LATER, **about["settings"], **_WITHOUT})
    if len(source.pairs(about["data"], how.expansion_data)) > 1:
        raise ValueError(f"model: a network for {about['data']} found, expected one for a single set of cards")
    ruleset, players = how.ruleset, how.players
    network = Network(how)
    network.start_from(bot.net)
    watcher = _Positions(network, ruleset, games, seed)
    with threadpool_limits(1):
        match.play_match([bot] * players, games, ruleset, seed=seed, rotate=False, watcher=watcher)
    z, rewards, numbers = watcher.samples(how.values)
    inputs, targets = torch.from_numpy(z), torch.from_numpy(rewards * np.float32(how.reward_scale))
    held = numbers >= games * (1 - HELD_OUT)

    def loss(rows: torch.Tensor) -> torch.Tensor:
        predicted = network.values(inputs[rows].float().to(network.device))
        return functional.mse_loss(predicted, targets[rows].to(network.device))

    def error() -> float:
        with torch.no_grad():
            return float(loss(torch.from_numpy(np.flatnonzero(held)))) / how.reward_scale**2

    before = error()
    _descend(network, loss, torch.from_numpy(np.flatnonzero(~held)), seed)
    kept = {name: about[name] for name in ("decisions", "settings", "averaged") if name in about}
    checkpoint.export(network, ruleset, Path(out), **kept, value={"games": games, "seed": seed})
    return before, error()


def _descend(network: Network, loss: Any, rows: torch.Tensor, seed: int) -> None:
    """Train the value's layers on these samples, with a learning rate that falls linearly to 0."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(network.value.parameters(), lr=RATE)
    count = max(1, len(rows) // BATCH)
    decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, EPOCHS * count)
    for _ in range(EPOCHS):
        for batch in rows[torch.randperm(len(rows), generator=generator)].chunk(count):
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()
            decay.step()
