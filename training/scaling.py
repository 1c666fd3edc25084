"""A PyTorch layer that scales the whole numbers of an observation for a network.

Observations of `observation_dtype="uint8"` take a quarter of the memory of those in float32, in a rollout or a replay
buffer, and no less is in them. `Scale(ruleset.observations.divisors)` in front of a network of your own makes the
same numbers of them that observations in float32 are.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import ArrayLike

from rc_env import checks


class Scale(torch.nn.Module):
    """A layer that computes `(number - zero) / divisor` for each entry.

    It has no weights: its buffers are not part of `state_dict`.

    Args:
        divisors: (F,) numbers above 0, by entry.
        zero: (F,) whole numbers, by entry, that stand for 0; by default 0 for all.
        dtype: the output's dtype. In bfloat16 every whole number of a byte is exact, and quotients are rounded.

    Raises:
        ValueError: the divisors are no row of numbers above 0, or `zero` has another length.
    """

    def __init__(self, divisors: ArrayLike, zero: ArrayLike | None = None, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        each = checks.array("divisors", divisors, "a row of numbers above 0")
        if each.ndim != 1 or each.dtype.kind not in "iuf" or not (np.isfinite(each) & (each > 0)).all():
            checks.refuse("divisors", each, "a row of finite numbers above 0")
        each = each.astype(np.float32)
        offset = (
            np.zeros(len(each), np.float32) if zero is None else checks.array("zero", zero, "a row of whole numbers")
        )
        if offset.dtype.kind not in "iuf" or not np.isfinite(offset).all():
            checks.refuse("zero", offset, "a row of whole numbers")
        offset = offset.astype(np.float32)
        checks.instance("dtype", dtype, torch.dtype, "a dtype of PyTorch, such as torch.float32")
        if offset.shape != each.shape:
            raise ValueError(f"zero must have the shape of the divisors, {each.shape}, not {offset.shape}")
        moved = np.flatnonzero(offset)
        self._first, self._last = (int(moved[0]), int(moved[-1]) + 1) if len(moved) else (0, 0)
        self.dtype = dtype
        self.register_buffer("scale", torch.from_numpy(np.float32(1) / each).to(dtype), persistent=False)
        self.register_buffer("zero", torch.from_numpy(offset[self._first : self._last]).to(dtype), persistent=False)

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        """Scale (N, F) numbers of any dtype to (N, F) of `dtype`."""
        x = numbers.to(self.dtype, copy=True)
        if self._last:
            x[:, self._first : self._last].sub_(self.zero)
        return x.mul_(self.scale)
