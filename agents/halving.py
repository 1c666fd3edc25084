"""The root of a Gumbel search in NumPy: the candidates, the allocation of simulations, the improved policy.

After Danihelka and others, "Policy improvement by planning with Gumbel" (2022). The actions with the highest sum of
logit and Gumbel noise are candidates. Sequential halving gives all of them some simulations, then the better half of
them, and so on. Q-values, completed for actions without visits, improve the policy.

Shape letters: N positions, A actions, M candidates. Values and Q-values are from -1 to 1.
"""

from __future__ import annotations

from math import ceil, log2

import numpy as np
from numpy.typing import NDArray

from rc_env import checks

MOST_CANDIDATES = 256


def schedule(candidates: int, simulations: int) -> list[tuple[int, int]]:
    """Sequential halving: the phases of a search, each as (candidates that go on, simulations for each of them).

    There are about log2(candidates) phases of equally many simulations; the candidates of a phase are the best half of
    those before, but at least two. What is left goes to the last ones, one each to the best of them if it does not
    suffice for all. The numbers of simulations add up to `simulations`.

    Raises:
        ValueError: `candidates` is not from 1 to 256, or `simulations` not from 1 to 1,000,000.
    """
    considered = checks.whole_number("candidates", candidates, 1, MOST_CANDIDATES)
    left = checks.whole_number("simulations", simulations, 1, 10**6)
    rounds, least = max(1, ceil(log2(candidates))), min(2, candidates)
    phases = []
    while left >= considered:
        each = min(max(1, simulations // (rounds * considered)), left // considered)
        phases.append((considered, each))
        left -= considered * each
        considered = max(least, considered // 2)
    return [*phases, (left, 1)] if left else phases


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, A) float64, probabilities; logits of -inf have none."""
    powers = np.exp(logits - logits.max(1, keepdims=True))
    total: NDArray[np.float64] = powers.sum(1, keepdims=True)
    return powers / total


def completed_q(
    prior: NDArray[np.float64], value: NDArray[np.float64], visits: NDArray[np.int32], q: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Q-values in which those of actions without visits are the value of the position.

    That value is the network's, mixed with the Q-values of the other actions, weighted by their prior; the more visits
    there were, the less the network's weighs.

    Args:
        prior: (N, A) float64, probabilities.
        value: (N,) float64, the network's value.
        visits: (N, A) int32.
        q: (N, A) float64; what stands where there were no visits does not matter.

    Returns:
        (N, A) float64.
    """
    seen = visits > 0
    weight = np.where(seen, prior + 1e-12, 0)
    total = visits.sum(1)
    weighted = (weight * np.where(seen, q, 0)).sum(1) / np.maximum(weight.sum(1), 1e-12)
    mixed = (value + total * weighted) / (1 + total)
    return np.where(seen, q, mixed[:, None])


def sigma(
    q: NDArray[np.float64], visits: NDArray[np.int32], visit_offset: float, value_scale: float
) -> NDArray[np.float64]:
    """(N, A) float64, what Q-values (N, A) add to logits: the more, the more visits (N, A) the most visited has.

    It is (visit_offset + most visits) x value_scale x the Q-value as a number from 0 to 1.
    """
    scale = (visit_offset + visits.max(1, keepdims=True)) * value_scale
    found: NDArray[np.float64] = scale * (q + 1) / 2
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
