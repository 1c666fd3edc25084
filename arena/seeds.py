"""Seeds of the parts of a piece of work: chunks of deals, sets of cards, batches of records."""

from __future__ import annotations

import numpy as np

from rc_env import checks


def part_seed(seed: int, part: int) -> int:
    """The seed of a part, counted from 0: each has deals of its own, so that their errors have nothing in common.

    Raises:
        ValueError: one of them is out of range.
    """
    words = [checks.seed("seed", seed), checks.whole_number("part", part, 0)]
    return int(np.random.SeedSequence(words).generate_state(1, np.uint64)[0])
