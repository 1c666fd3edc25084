"""A network of the base game as one of the full game, which has all of its inputs and actions, and more.

What an input or an action is named in both games means the same there, so its weights are carried over by name. In
positions without anything that only the full game has, the network plays as before; what is new counts nothing until it
is learned, and new actions are unlikely where there are others.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.inputs import Inputs, Objects
from rc_env.agents.net import Net
from rc_env.ruleset import Ruleset

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
"""The (inputs, outputs) weights of a layer and its (outputs,) biases."""
NEW_ACTION = -6.0
"""The logit of an action that only the full game has, before it is learned."""


def can_carry(trained: Ruleset, ruleset: Ruleset) -> bool:
    """Whether a network trained for one variant can begin as one for another: from the base game to the full game, of
    as many players.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.training.transfer import can_carry
        >>> can_carry(Ruleset(3), Ruleset(3, contractors=True))
        True
    """
    for name, given in (("trained", trained), ("ruleset", ruleset)):
        checks.instance(name, given, Ruleset, "a Ruleset")
    return trained.players == ruleset.players and ruleset.full and not trained.full


def carried(trained: Net, ruleset: Ruleset, inputs: Inputs) -> dict[str, Layer]:
    """The layers of a network of the base game, for the full game.

    Args:
        trained: the network.
        ruleset: a variant of the full game, of as many players.
        inputs: those of that variant.

    Returns:
        Its layers by name, as `Net.layers`: as wide as before inside, with the inputs and outputs of the full game. The
        layers of a kind of object that the base game does not have are missing.

    Raises:
        ValueError: `can_carry` says no.
    """
    if not can_carry(trained.ruleset, ruleset):
        raise ValueError(
            "ruleset: only a network of the base game can be carried over, to the full game of as many players"
        )
    old, layers = trained.inputs, dict(trained.layers)
    old_names, names = _actions(trained.ruleset), _actions(ruleset)
    shared = old.names[: old.shared], inputs.names[: inputs.shared]
    first = "trunk.0"
    layers[first] = _taking(layers[first], *shared)
    rest = [old_names[k] for k in old.rest], [names[k] for k in inputs.rest]
    layers["policy.1"] = _giving(layers["policy.1"], *rest)
    new_kinds = {kind.name: kind for kind in inputs.objects}
    for kind in old.objects:
        now, at = new_kinds[kind.name], f"objects.{kind.name}"
        layers[f"{at}.0"] = _taking(layers[f"{at}.0"], _of_one(old, kind), _of_one(inputs, now))
        outputs = [old_names[k] for k in kind.actions[0]], [names[k] for k in now.actions[0]]
        layers[f"{at}.2"] = _giving(layers[f"{at}.2"], *outputs)
    return layers


def _actions(ruleset: Ruleset) -> list[Hashable]:
    """What each action is in every variant; its phrase differs."""
    return [(action.verb, action.argument) for action in ruleset.actions.actions]


def _of_one(inputs: Inputs, kind: Objects) -> list[Hashable]:
    """The names of the inputs of the first object of a kind."""
    return [inputs.names[at + k] for at, width, _ in kind.slices for k in range(width)]


def _taking(layer: Layer, old: Sequence[Hashable], new: Sequence[Hashable]) -> Layer:
    """A layer with a row of weights for each new input: those of the old input of that name, else 0."""
    weight = np.zeros((len(new), layer[0].shape[1]), np.float32)
    weight[_places(old, new)] = layer[0]
    return weight, layer[1]


def _giving(layer: Layer, old: Sequence[Hashable], new: Sequence[Hashable]) -> Layer:
    """A layer with a column of weights for each new output: those of the old output of that name, else a bias alone."""
    weight, bias = np.zeros((len(layer[0]), len(new)), np.float32), np.full(len(new), NEW_ACTION, np.float32)
    at = _places(old, new)
    weight[:, at], bias[at] = layer
    return weight, bias


def _places(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[int]:
    """Where each old name stands among the new ones."""
    at: Mapping[Hashable, int] = {name: place for place, name in enumerate(new)}
    return [at[name] for name in old]
