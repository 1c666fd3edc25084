"""Trained networks: as bots, and in files."""

from __future__ import annotations

import copy
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agents.base import Position
from rc_env.ruleset import RULES_VERSION, Ruleset

FILE = "model.zip"


class PolicyBot:
    """Plays by a frozen copy of a policy network.

    Args:
        policy: a `MaskableActorCriticPolicy`; what it learns later does not change the bot.
        name: how tables and infos call it.
        sample: draw actions by their probabilities; else always take the most probable one.
        seed: of its own generator; `reset` starts it over.
    """

    def __init__(self, policy: Any, name: str = "net", *, sample: bool = True, seed: int = 0) -> None:
        self.name = name
        self._sample = sample
        parts = (policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net)
        self._actor = copy.deepcopy(torch.nn.Sequential(*parts)).eval().requires_grad_(False)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        with torch.inference_mode():
            logits = self._actor(torch.from_numpy(position.observation)).numpy()
        if self._sample:  # log p - log(exponential noise) is largest at each action with probability p
            logits -= np.log(self._generator.standard_exponential(logits.shape, np.float32) + 1e-30)
        logits[position.mask == 0] = -np.inf
        return logits.argmax(1)


def save(model: MaskablePPO, ruleset: Ruleset, folder: Path) -> Path:
    """Write `model.zip`, a Stable-Baselines3 file that also tells which game and which layout the network is for."""
    # Stable-Baselines3 saves every attribute, this one as plain JSON.
    model.made_for = {  # type: ignore[attr-defined]
        "players": ruleset.players,
        "workshop": ruleset.workshop,
        "data": str(ruleset.data),
        "rules_version": RULES_VERSION,
        "layout_hash": ruleset.layout_hash,
    }
    model.save(folder / FILE)
    return folder / FILE


def load(path: str | Path) -> tuple[MaskablePPO, Ruleset]:
    """A model and the variant it was trained for.

    Args:
        path: a file that `save` wrote, or the folder that it lies in.

    Raises:
        ValueError: there is no such file, it holds something else, or its layout is not that of this version.
    """
    file = Path(path) / FILE if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise ValueError(f"model: no file {file}, expected one that `rc train` wrote")
    try:
        with zipfile.ZipFile(file) as archive:
            made_for = json.loads(archive.read("data"))["made_for"]
        ruleset = Ruleset(made_for["players"], made_for["workshop"], made_for["data"])
    except (zipfile.BadZipFile, KeyError, TypeError, json.JSONDecodeError):
        raise ValueError(f"model: {file} found, expected a file that `rc train` wrote") from None
    if made_for["layout_hash"] != ruleset.layout_hash:  # before anything is unpickled or played
        raise ValueError(
            f"model: {file} was trained on layout {made_for['layout_hash']}, expected {ruleset.layout_hash}, that of "
            "this version: train it anew"
        )
    return MaskablePPO.load(file, device="cpu"), ruleset
