"""The mean of networks that were trained from the same start, weight by weight.

Runs that begin with the same network and differ in their seed end near enough to each other that the mean of their
weights plays at least as well as each of them (Wortsman and others, "Model soups", 2022). The mean of networks with
different beginnings plays badly, since their hidden units have no common order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rc_env import checks
from rc_env.agents import net

CARDS = ("data", "expansion_data")  # what names the cards that a network was trained on


def mean_network(networks: Sequence[net.Net]) -> net.Net:
    """The network whose weights are the means of the weights of several networks.

    Args:
        networks: two or more, for the same game and reward, with layers of the same names and sizes. Rewards for single
            actions (`bonus`) may differ, since none is paid at the end of a run.

    Returns:
        The mean, with the settings and the number of decisions of the first, and with all seeds in `about["averaged"]`.

    Raises:
        ValueError: there are fewer than two, one does not say how it was trained, or two differ in game or layers.
    """
    networks = checks.sequence("networks", networks, "two or more networks")
    if len(networks) < 2:
        raise ValueError(f"an average needs at least two networks; got {len(networks)}")
    for place, one in enumerate(networks):
        checks.instance(f"networks[{place}]", one, net.Net, "a Net")
        if not isinstance(one.about.get("settings"), dict) or not {"seed", "reward"} <= one.about["settings"].keys():
            raise ValueError(f"networks[{place}] has no settings: name networks that `rc train` wrote")
    first = networks[0]
    game, shapes = net.describe(first.ruleset), _shapes(first)
    trained_on = _trained_on(first)
    for place, one in enumerate(networks[1:], 1):
        if net.describe(one.ruleset) != game or _trained_on(one) != trained_on:
            raise ValueError(f"networks[{place}] is for another game, cards or reward than the first")
        if _shapes(one) != shapes:
            raise ValueError(f"networks[{place}] has layers of other sizes than the first")
    arrays = [one.arrays() for one in networks]
    layers = {name: np.mean([one[name] for one in arrays], axis=0) for name in arrays[0]}
    seeds = [one.about["settings"]["seed"] for one in networks]
    names = (*CARDS, "data_sha256", "decisions", "settings", "start_sha256")
    kept = {name: first.about[name] for name in names if name in first.about}
    return net.Net(layers, {**game, **kept, "averaged": seeds})


def _trained_on(network: net.Net) -> tuple[Any, ...]:
    """The cards and the reward; a run ends without the rewards for single actions that it may have begun with."""
    return *(network.about.get(name) for name in CARDS), network.reward, network.reward_scale


def _shapes(network: net.Net) -> dict[str, tuple[int, ...]]:
    return {name: weight.shape for name, (weight, _) in network.layers.items()}
