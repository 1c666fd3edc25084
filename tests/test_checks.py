"""Tests of the argument checks: what each returns, and the sentence with which it refuses a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rc_env import checks

FLOATS = (np.dtype(np.float32),)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (lambda: checks.whole_number("n", np.int8(3), 0, 3), 3),
        (lambda: checks.whole_number("n", 10**30, 0), 10**30),
        (lambda: checks.seed("seed", np.uint64(2**64 - 1)), 2**64 - 1),
        (lambda: checks.number("x", 1, 0, 1), 1.0),
        (lambda: checks.number("x", np.float32(0.5), 0, 1), 0.5),
        (lambda: checks.flag("f", np.True_), True),
        (lambda: checks.one_of("w", "b", ("a", "b")), "b"),
        (lambda: checks.path("p", Path("a") / "b"), str(Path("a/b"))),
        (lambda: checks.whole_numbers("a", np.array([1, 2], ">i2"), (2,), 1, 2).tolist(), [1, 2]),
        (lambda: checks.whole_numbers("a", [], (0,), 0, 0).dtype, np.dtype(np.int64)),
    ],
)
def test_what_fits_is_returned(check: Callable[[], Any], expected: Any) -> None:
    found = check()
    assert found == expected and type(found) is type(expected)


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (lambda: checks.whole_number("n", True, 0, 3), "n: True found, expected a whole number from 0 to 3"),
        (lambda: checks.whole_number("n", 2.0, 0, 3), "n: 2.0 found, expected a whole number from 0 to 3"),
        (lambda: checks.whole_number("n", -1, 0), "n: -1 found, expected a whole number of at least 0"),
        (lambda: checks.whole_number("n", 10**5000, 0, 9), "n: a whole number of 16610 bits found, expected"),
        (lambda: checks.whole_number("n", np.array([1, 2]), 0, 9), "n: int64 array of shape (2,) with 1 to 2 found"),
        (lambda: checks.whole_number("n", Unprintable(), 0, 9), "n: an object of Unprintable found"),
        (lambda: checks.whole_number("n", "x" * 500, 0, 9), "xxx … found"),
        (lambda: checks.whole_number("n", "a\nb", 0, 9), r"n: 'a\nb' found"),
        (
            lambda: checks.seed("seed", 2**64),
            "seed: 18446744073709551616 found, expected a whole number from 0 to 2^64",
        ),
        (lambda: checks.number("x", float("nan"), 0, 1), "x: nan found, expected a number from 0 to 1"),
        (lambda: checks.number("x", float("inf"), 0, float("inf")), "x: inf found, expected a number from 0 to inf"),
        (lambda: checks.number("x", "1", 0, 1), "x: '1' found, expected a number from 0 to 1"),
        (lambda: checks.flag("f", 1), "f: 1 found, expected True or False"),
        (lambda: checks.one_of("w", ["a"], ("a", "b")), "w: ['a'] found, expected one of a, b"),
        (lambda: checks.path("p", b"a"), "p: b'a' found, expected a path"),
        (lambda: checks.path("p", ""), "p: '' found, expected a path"),
        (lambda: checks.path("p", "a\0b"), r"p: 'a\x00b' found, expected a path"),
        (lambda: checks.instance("e", 3, str, "a word"), "e: 3 found, expected a word"),
        (
            lambda: checks.whole_numbers("a", [[1], [1, 2]], (2,), 0, 3),
            "a: [[1], [1, 2]] found, expected whole numbers",
        ),
        (lambda: checks.whole_numbers("a", [1.0, 2.0], (2,), 0, 3), "a: float64 array of shape (2,) found, expected"),
        (lambda: checks.whole_numbers("a", [1, 4], (2,), 0, 3), "a: int64 array of shape (2,) with 1 to 4 found"),
        (lambda: checks.whole_numbers("a", np.array([2**63], np.uint64), (1,), 0, 3), "with 9223372036854775808 to "),
        (
            lambda: checks.target("out", [1.0], (1,), FLOATS),
            "out: [1.0] found, expected a writeable C-contiguous float32",
        ),
        (lambda: checks.target("out", np.zeros(1), (1,), FLOATS), "out: float64 array of shape (1,) found"),
        (lambda: checks.target("out", np.zeros(1, ">f4"), (1,), FLOATS), "out: >f4 array of shape (1,) found"),
        (lambda: checks.target("out", np.zeros(4, "f4")[::2], (2,), FLOATS), "out: an array that is not contiguous"),
        (lambda: checks.target("out", np.broadcast_to(np.zeros(2, "f4"), 2), (2,), FLOATS), "an array read-only found"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(check: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        check()
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
