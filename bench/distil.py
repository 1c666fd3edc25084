"""How much of what a search finds does a network learn? The measurement of docs/training.md.

`python bench/distil.py play --minutes 40 --out DIR` plays games by a search with the packaged two-player network, and
keeps the decisions that were searched with what each action that was tried turned out to be worth. `python
bench/distil.py fit --out DIR --net taught.npz` fits the network to 85 % of them, and prints what its most probable
actions are worth more than those of the packaged network in the other 15 %: it learned nothing that holds elsewhere if
that is 0.

Worth is that of the search, from -1 to 1: half the result of a play-out, half its lead.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env import Engine, Ruleset, checks, files
from rc_env.agents import net
from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
from rc_env.agents.thoughts import Thoughts
from rc_env.bot import Position
from rc_env.training.network import Network, log_policy
from rc_env.training.settings import TrainingSettings

SETTINGS = PlayoutSettings(
    num_simulations=16, max_num_considered_actions=3, turns=6, sure=0.95, start_sure=1, value_scale=0.1
)
GAMES, APART = 256, 60  # steps until the games are at different places
HELD = 0.15
"""The share of the decisions, the last ones, that nothing is fitted to."""
BATCH, SOME, KNOWN = 512, 2048, 12_000
LEAST = 10
"""The fewest decisions that a network is fitted to; thousands are needed to learn something from them."""


@dataclass(frozen=True)
class Lessons:
    """N decisions.

    Attributes:
        numbers: (N, F) uint8 observations.
        masks: (N, A) bool, the legal actions.
        prior: (N, A) float16, the network's policy.
        worth: (N, A) float16, what each action that was tried is worth, up to a constant of each decision; nan for all
            others.
    """

    numbers: NDArray[np.uint8]
    masks: NDArray[np.bool_]
    prior: NDArray[np.float16]
    worth: NDArray[np.float16]

    def __getitem__(self, which: NDArray[np.int64] | slice) -> Lessons:
        return Lessons(self.numbers[which], self.masks[which], self.prior[which], self.worth[which])

    def __len__(self) -> int:
        return len(self.numbers)


def worth_of(thoughts: Thoughts) -> NDArray[np.float64]:
    """(N, A) what each action that was tried is worth, up to a constant of each position; nan for all others.

    The improved policy is the prior times e to the power of a multiple of the worth.
    """
    prior, policy = (np.log(np.maximum(one.astype(np.float64), 1e-38)) for one in (thoughts.prior, thoughts.policy))
    most = thoughts.visit_counts.max(1, keepdims=True)
    scale = (SETTINGS.visit_offset + most) * SETTINGS.value_scale / 2
    return np.where(thoughts.visit_counts > 0, (policy - prior) / scale, np.nan)


def play(seconds: float, seed: int, games: int = GAMES, apart: int = APART) -> Lessons:
    """Play games by the search for some time, and keep the decisions that were searched."""
    engine = Engine(Ruleset(2), num_games=games, seed=seed)
    network, search = net.load(net.shipped(engine.ruleset)), PlayoutSearch(SETTINGS, seed)
    found, began, step = [], time.perf_counter(), 0
    while step <= apart or time.perf_counter() - began < seconds:
        if step == apart:
            began = time.perf_counter()
        search.reset(seed + step)
        position = Position.of(engine)
        thoughts = search.think(position, network)
        rows = np.flatnonzero(thoughts.visit_counts.any(1))
        if step >= apart:
            worth, mask = worth_of(thoughts)[rows].astype(np.float16), position.mask[rows] == 1
            found.append(Lessons(position.numbers[rows], mask, thoughts.prior[rows].astype(np.float16), worth))
        engine.step(thoughts.actions, auto_reset=True)
        step += 1
    return joined(found)


def read(path: Path) -> Lessons:
    """The decisions that `play` wrote.

    Raises:
        ValueError: the file is no such one, or its arrays are not those of decisions of the packaged game.
        OSError: it cannot be read.
    """
    try:
        with np.load(io.BytesIO(files.read(path)), allow_pickle=False) as found:
            lessons = Lessons(found["numbers"], found["masks"], found["prior"], found["worth"])
    except (KeyError, EOFError, ValueError, zipfile.BadZipFile, zlib.error):
        raise ValueError(f"{path} is no file that `python bench/distil.py play` wrote") from None
    ruleset = Ruleset(2)
    sizes = (ruleset.observations.size, *[ruleset.actions.size] * 3)
    kinds = (np.uint8, np.bool_, np.float16, np.float16)
    arrays = (lessons.numbers, lessons.masks, lessons.prior, lessons.worth)
    for array, size, kind in zip(arrays, sizes, kinds, strict=True):
        if array.shape != (len(lessons.numbers), size) or array.dtype != kind:
            raise ValueError(f"{path} has an array of {array.dtype} {array.shape}, not decisions of the packaged game")
    return lessons


def joined(parts: Sequence[Lessons]) -> Lessons:
    """Several lots as one."""
    columns = zip(*((one.numbers, one.masks, one.prior, one.worth) for one in parts), strict=True)
    return Lessons(*map(np.concatenate, columns))


def start() -> Network:
    """The packaged network as a module of PyTorch."""
    trained = net.load(net.shipped(Ruleset(2)))
    widths = {name: bias.size for name, (_, bias) in trained.layers.items()}
    settings = TrainingSettings(
        trunk=widths["trunk.0"],
        layers=sum(name.startswith("trunk.") for name in widths),
        heads=widths["policy.0"],
        object=widths["objects.spaces.0"],
        precision="float32",
    )
    network = Network(settings)
    network.start_from(trained)
    return network


def gain(network: Network, lessons: Lessons) -> tuple[float, float, float]:
    """What the network's choices are worth more than those of the prior, per decision, with its standard error; and the
    share of the decisions in which they differ. Choices that the search did not try are left out."""
    ahead, differ = [], []
    with torch.inference_mode():
        for low in range(0, len(lessons), SOME):
            some = lessons[slice(low, low + SOME)]
            logits = network(network.encode(some.numbers))[0]
            own = log_policy(logits, torch.from_numpy(some.masks)).argmax(1).numpy()
            every, old = np.arange(len(some)), some.prior.argmax(1)
            ahead.append(some.worth[every, own].astype(np.float64) - some.worth[every, old])
            differ.append(own != old)
    known = np.concatenate(ahead)
    known = known[np.isfinite(known)]
    error = known.std() / np.sqrt(max(len(known), 1))
    return float(known.mean()), float(error), float(np.concatenate(differ).mean())


def loss_of(network: Network, lessons: Lessons, kind: str, weight: float) -> torch.Tensor:
    """The loss of a batch.

    Args:
        network: what is fitted.
        lessons: the batch.
        kind: "linear", the expected worth of the policy, times `weight`, and its divergence from the prior; or
            "improved", the cross-entropy to the prior times e to the power of `weight` times the worth.
        weight: of the worth.
    """
    logs = log_policy(network(network.encode(lessons.numbers))[0], torch.from_numpy(lessons.masks)).clamp(min=-60)
    prior = torch.from_numpy(lessons.prior.astype(np.float32))
    tried = torch.from_numpy(np.isfinite(lessons.worth)).float()
    worth = torch.from_numpy(np.nan_to_num(lessons.worth.astype(np.float32)))
    before = prior.clamp(min=1e-7).log()
    if kind == "improved":
        mean = (worth * tried).sum(1, keepdim=True) / tried.sum(1, keepdim=True)
        target = (before + weight * (worth - mean) * tried).masked_fill(~torch.from_numpy(lessons.masks), -1e30)
        return -(target.softmax(1) * logs).sum(1).mean()
    expected = (worth * tried * prior).sum(1, keepdim=True) / (tried * prior).sum(1, keepdim=True).clamp(min=1e-6)
    return (-weight * (logs.exp() * (worth - expected) * tried).sum(1) + (prior * (before - logs)).sum(1)).mean()


def fit(lessons: Lessons, kind: str, weight: float, passes: int, rate: float) -> tuple[Network, list[str]]:
    """Fit the packaged network to all but the last decisions.

    Returns:
        The network, and what it gains on decisions that it was not fitted to, before and after, in words.
    """
    torch.manual_seed(1)
    network, generator = start(), np.random.default_rng(1)
    held = int(len(lessons) * (1 - HELD))
    steps = max(1, held * passes // BATCH)
    words = [f"{held:,} decisions to learn from, {len(lessons) - held:,} held out"]
    optimiser = torch.optim.Adam(network.parameters(), lr=rate)
    for step in range(steps + 1):
        if step in (0, steps):
            mean, error, differ = gain(network, lessons[slice(held, None)])
            words.append(f"step {step}: {mean:+.5f} ± {1.96 * error:.5f} a decision, {differ:.1%} differ")
            known, error, _ = gain(network, lessons[slice(max(0, held - KNOWN), held)])
            words.append(f"  of the last that it learned from {known:+.5f} ± {1.96 * error:.5f}")
        if step == steps:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - step / steps)
        batch = lessons[generator.integers(held, size=BATCH)]
        optimiser.zero_grad()
        loss_of(network, batch, kind, weight).backward()
        optimiser.step()
    return network, words


def main(said: Sequence[str] | None = None) -> int:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description="How much of what a search finds does a network learn?")
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the decisions")
    parser.add_argument(
        "--minutes",
        type=float,
        default=40,
        help="play: for so long, after some two minutes in which games drift apart (default: 40)",
    )
    parser.add_argument("--seed", type=int, default=7101, help="play: of the games (default: 7101)")
    parser.add_argument(
        "--loss",
        choices=("linear", "improved"),
        default="linear",
        help="fit: the mean worth of what is played, or likeness to the policy of the search (default: linear)",
    )
    parser.add_argument("--weight", type=float, default=2, help="fit: of the worth in the loss (default: 2)")
    parser.add_argument("--passes", type=int, default=3, help="fit: over the decisions (default: 3)")
    parser.add_argument("--rate", type=float, default=3e-5, help="fit: the learning rate (default: 3e-5)")
    parser.add_argument("--part", type=float, default=1, help="fit: the share of the decisions (default: 1)")
    parser.add_argument("--net", type=Path, metavar="FILE", help="fit: write the network there (default: nowhere)")
    args = parser.parse_args(said)
    try:
        if args.what == "play":
            checks.number("minutes", args.minutes, 0, 10_000)
            found = play(60 * args.minutes, checks.seed("seed", args.seed))
            buffer = io.BytesIO()
            np.savez_compressed(buffer, **vars(found))
            files.write(files.make_folder(args.out) / f"{args.seed}.npz", buffer.getvalue())
            print(f"{len(found):,} decisions")
            return 0
        paths = sorted(args.out.glob("*.npz"))
        if not paths:
            raise ValueError(f"{args.out} holds no decisions: run `python bench/distil.py play --out {args.out}` first")
        lessons = joined([read(path) for path in paths])
        checks.whole_number("passes", args.passes, 1, 10**6)
        checks.number("weight", args.weight, 0, 10**6)
        checks.number("rate", args.rate, 1e-9, 1)
        first = int(len(lessons) * (1 - checks.number("part", args.part, 0, 1)))
        if len(lessons) - first < LEAST:
            raise ValueError(
                f"there are {len(lessons) - first} decisions, fewer than {LEAST}: play for longer, or take more of them"
            )
        network, words = fit(lessons[slice(first, None)], args.loss, args.weight, args.passes, args.rate)
        print("\n".join(words))
        if args.net is not None:
            buffer = io.BytesIO()
            net.save(network.layers(), net.describe(Ruleset(2)), buffer)
            files.write(args.net, buffer.getvalue())
    except (OSError, ValueError) as error:
        parser.exit(2, f"distil: {error}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
