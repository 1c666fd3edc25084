"""What results of a search say about a policy, in NumPy: noise for the choice of candidates, and the improved policy.

After Danihelka and others, "Policy improvement by planning with Gumbel" (2022). The actions with the highest sum of
logit and Gumbel noise are tried. Q-values, completed for actions without visits, improve the policy.

Shape letters: N positions, A actions. Values and Q-values are from -1 to 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_CONSIDERED_ACTIONS = 256
MOST_SIMULATIONS = 10**6
REWARDS = ("win", "first")
"""The rewards that a search can maximise."""


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
    mixed_value = (value + total * weighted) / (1 + total)
    return np.where(seen, qvalues, mixed_value[:, None])


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
    hashes = nth_hash(keys[:, None], np.arange(actions, dtype=np.uint64))
    uniform = ((hashes >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52  # above 0 and below 1
    noise: NDArray[np.float64] = -np.log(-np.log(uniform))
    return noise


_A, _B, _C = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def nth_hash(keys: NDArray[np.uint64], n: NDArray[np.integer]) -> NDArray[np.uint64]:
    """Arrays of uint64: the n-th hash that follows from each key."""
    with np.errstate(over="ignore"):
        return _scrambled(keys + (n.astype(np.uint64) + np.uint64(1)) * _A)


def identities(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """(N,) uint64, a hash of each row of (N, F) bytes, where F is a multiple of 8."""
    words = rows.view(np.uint64)
    return _scrambled(_scrambled(words + np.arange(words.shape[1], dtype=np.uint64) * _A).sum(1, dtype=np.uint64))


def _scrambled(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A one-to-one hash of 64 bits (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * _B
    x = (x ^ (x >> np.uint64(27))) * _C
    return x ^ (x >> np.uint64(31))
