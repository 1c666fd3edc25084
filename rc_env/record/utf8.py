"""Compiled functions that write JSON as UTF-8 bytes: words, numbers, keys and lists.

Each function writes what its first line names. It takes `out`, an array of bytes, and `n`, how many of them are written
already, and returns the new `n`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..jit import rule
from ..rules.printed.build_sizes import DIE_NAMES
from ..rules.printed.sizes import MATERIAL_NAMES
from ..words.expansion_notation import DIAMOND_NAME


def words(texts: Iterable[str]) -> NDArray[np.uint8]:
    """(K, W) uint8, K texts as bytes, each filled up with 0."""
    encoded = np.array([text.encode() for text in texts])
    return encoded.view(np.uint8).reshape(len(encoded), -1)


MATERIAL_WORDS, DIE_WORDS, DIAMOND_WORDS = words(MATERIAL_NAMES), words(DIE_NAMES), words([DIAMOND_NAME])


@rule
def put(out, n, text):
    """A text."""
    place = out[n : n + len(text)]  # counted from 0, or Numba would check each byte for counting from the end
    for i in range(len(text)):
        place[i] = text[i]
    return n + len(text)


@rule
def word(out, n, texts, k):
    """The k-th of the words."""
    for i in range(texts.shape[1]):
        if texts[k, i] == 0:
            break
        out[n] = texts[k, i]
        n += 1
    return n


@rule
def quoted(out, n, texts, k):
    """The k-th word in its marks, or null if k is less than 0."""
    if k < 0:
        return put(out, n, b"null")
    n = put(out, n, b'"')
    n = word(out, n, texts, k)
    return put(out, n, b'"')


@rule
def item(out, n, first, texts, k):
    """The k-th word as an item of a list, the first one of the list or not."""
    n = put(out, n, b'"' if first else b', "')
    n = word(out, n, texts, k)
    return put(out, n, b'"')


@rule
def number(out, n, value):
    """A number of at least 0."""
    first, value = n, np.int64(value)
    while value > 9:
        out[n] = 48 + value % 10
        value //= 10
        n += 1
    out[n] = 48 + value
    for i in range((n - first + 1) // 2):  # the last digit was written first
        out[first + i], out[n - i] = out[n - i], out[first + i]
    return n + 1


@rule
def numbers(out, n, key, values, count):
    """A key and a list of the first `count` numbers."""
    n = put(out, n, key)
    for i in range(count):
        n = put(out, n, b"[" if i == 0 else b", ")
        n = number(out, n, values[i])
    return put(out, n, b"]")


@rule
def entry(out, n, first, texts, k):
    """The k-th word as a key, the first one of its object or not."""
    n = put(out, n, b'"' if first else b', "')
    n = word(out, n, texts, k)
    return put(out, n, b'": ')


@rule
def amount(out, n, texts, k, value, first):
    """An amount by its name, left out if it is 0; returns also `first`, whether the object is empty."""
    if value <= 0:
        return n, first
    return number(out, entry(out, n, first, texts, k), value), False
