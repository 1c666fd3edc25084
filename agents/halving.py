"""The root of a Gumbel search in NumPy: the considered actions, the allocation of simulations, the improved policy.

After Danihelka and others, "Policy improvement by planning with Gumbel" (2022). The actions with the highest sum of
logit and Gumbel noise are considered. Sequential halving gives all of them some simulations, then the better half of
them, and so on. Q-values, completed for actions without visits, improve the policy.

Shape letters: N positions, A actions. Values and Q-values are from -1 to 1.
"""

from __future__ import annotations

from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from rc_env import checks

MOST_CONSIDERED_ACTIONS = 256
MOST_SIMULATIONS = 10**6
REWARDS = ("win", "first")
"""The rewards that a search can maximise."""


def schedule(max_num_considered_actions: int, num_simulations: int) -> list[tuple[int, int]]:
    """Sequential halving: the phases of a search, each as (considered actions, simulations for each of them).

    There are about log2(max_num_considered_actions) phases of equally many simulations; the actions of a phase are the
    best half of those before, but at least two. What is left goes to the last ones, one each to the best of them if it
    does not suffice for all. The numbers of simulations add up to `num_simulations`.

    Raises:
        ValueError: `max_num_considered_actions` is not from 1 to 256, or `num_simulations` not from 1 to 1,000,000.
    """
    considered = checks.whole_number(
        "max_num_considered_actions", max_num_considered_actions, 1, MOST_CONSIDERED_ACTIONS
    )
    left = checks.whole_number("num_simulations", num_simulations, 1, MOST_SIMULATIONS)
    rounds, least = max(1, ceil(log2(considered))), min(2, considered)
    phases = []
    while left >= considered:
        each = min(max(1, num_simulations // (rounds * considered)), left // considered)
        phases.append((considered, each))
        left -= considered * each
        considered = max(least, considered // 2)
    return [*phases, (left, 1)] if left else phases


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, A) float64, probabilities; logits of -inf have none."""
    powers = np.exp(logits - logits.max(1, keepdims=True))
    total: NDArray[np.float64] = powers.sum(1, keepdims=True)
    return powers / total


def completed_qvalues(
    prior: NDArray[np.float64],
    value: NDArray[np.float64],
    visit_counts: NDArray[np.int32],
    qvalues: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Q-values in which those of actions without visits are the value of the position.

    That value is the network's, mixed with the Q-values of the other actions, weighted by their prior; the more visits
    there were, the less the network's weighs.

    Args:
        prior: (N, A) float64, probabilities.
        value: (N,) float64, the network's value.
        visit_counts: (N, A) int32.
        qvalues: (N, A) float64; what stands where there were no visits does not matter.

    Returns:
        (N, A) float64.
    """
    seen = visit_counts > 0
    weight = np.where(seen, prior + 1e-12, 0)
    total = visit_counts.sum(1)
    weighted = (weight * np.where(seen, qvalues, 0)).sum(1) / np.maximum(weight.sum(1), 1e-12)
    mixed = (value + total * weighted) / (1 + total)
    return np.where(seen, qvalues, mixed[:, None])


def sigma(
    qvalues: NDArray[np.float64], visit_counts: NDArray[np.int32], visit_offset: float, value_scale: float
) -> NDArray[np.float64]:
    """(N, A) float64, what Q-values (N, A) add to logits: the more, the higher the highest visit count of (N, A) is.

    It is (visit_offset + most visits) x value_scale x the Q-value as a number from 0 to 1.
    """
    scale = (visit_offset + visit_counts.max(1, keepdims=True)) * value_scale
    found: NDArray[np.float64] = scale * (qvalues + 1) / 2
    return found


def gumbel_noise(keys: NDArray[np.uint64], actions: int) -> NDArray[np.float64]:
    """(N, A) float64 of the standard Gumbel distribution, from (N,) uint64 keys: equal keys give equal noise."""
    hashes = mixed(keys[:, None], np.arange(actions, dtype=np.uint64))
    uniform = ((hashes >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52  # above 0 and below 1
    noise: NDArray[np.float64] = -np.log(-np.log(uniform))
    return noise


_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def mixed(keys: NDArray[np.uint64], n: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Arrays of uint64: the n-th hash that follows from each key, as `gumbel_tree.mixed` computes it."""
    with np.errstate(over="ignore"):
        x = keys + (n.astype(np.uint64) + np.uint64(1)) * _A
        x = (x ^ (x >> np.uint64(30))) * _B
        x = (x ^ (x >> np.uint64(27))) * _C
        return x ^ (x >> np.uint64(31))
