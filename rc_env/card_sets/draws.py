"""Random draws that never change between versions: whole numbers from SHA-256, without any library's generator.

A stream has a name. Each table has a stream of its own, so that the draws for one table never change those for another
one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TypeVar

_Value = TypeVar("_Value")
_WORD = 2**64


class Draws:
    """A stream of draws.

    Args:
        name: the name of the stream; streams with different names are independent.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def _word(self) -> int:
        """The next whole number below 2^64: the first eight bytes of the digest of the name and a running number."""
        digest = sha256(f"{self._name} {self._count}".encode()).digest()
        self._count += 1
        return int.from_bytes(digest[:8], "big")

    def below(self, count: int) -> int:
        """A uniformly distributed whole number from 0 to count - 1, by rejection sampling."""
        end = _WORD - _WORD % count
        while (word := self._word()) >= end:
            pass
        return word % count

    def one_of(self, values: Sequence[_Value]) -> _Value:
        """One of the items, chosen uniformly."""
        return values[self.below(len(values))]

    def weighted(self, weights: Mapping[_Value, int]) -> _Value:
        """A key, drawn with probability proportional to its weight."""
        place = self.below(sum(weights.values()))
        for value, weight in weights.items():
            if place < weight:
                return value
            place -= weight
        raise AssertionError("the weights add up to more than the place drawn")

    def shuffled(self, values: Sequence[_Value]) -> list[_Value]:
        """All items in a uniformly random order."""
        order = list(values)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
