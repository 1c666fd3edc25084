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
        (lambda: checks.whole_number("n", True, 0, 3), "n must be a whole number from 0 to 3, not True"),
        (lambda: checks.whole_number("n", 2.0, 0, 3), "n must be a whole number from 0 to 3, not 2.0"),
        (lambda: checks.whole_number("n", -1, 0), "n must be a whole number of at least 0, not -1"),
        (
            lambda: checks.whole_number("n", 10**5000, 0, 9),
            "n must be a whole number from 0 to 9, not a whole number of 16610 bits",
        ),
        (
            lambda: checks.whole_number("n", np.array([1, 2]), 0, 9),
            "n must be a whole number from 0 to 9, not an int64 array of shape (2,) with 1 to 2",
        ),
        (
            lambda: checks.whole_number("n", Unprintable(), 0, 9),
            "n must be a whole number from 0 to 9, not an object of Unprintable",
        ),
        (lambda: checks.whole_number("n", "x" * 500, 0, 9), "xxx …"),
        (lambda: checks.whole_number("n", "a\nb", 0, 9), "n must be a whole number from 0 to 9, not 'a\\nb'"),
        (
            lambda: checks.seed("seed", 2**64),
            "seed must be a whole number from 0 to 2^64 - 1, not 18446744073709551616",
        ),
        (lambda: checks.number("x", float("nan"), 0, 1), "x must be a number from 0 to 1, not nan"),
        (lambda: checks.number("x", float("inf"), 0, float("inf")), "x must be a number from 0 to inf, not inf"),
        (lambda: checks.number("x", "1", 0, 1), "x must be a number from 0 to 1, not '1'"),
        (lambda: checks.flag("f", 1), "f must be True or False, not 1"),
        (lambda: checks.one_of("w", ["a"], ("a", "b")), "unknown w ['a']: choose a or b"),
        (lambda: checks.path("p", b"a"), "p must be a path, not b'a'"),
        (lambda: checks.path("p", ""), "p must be a path, not ''"),
        (lambda: checks.path("p", "a\0b"), "p must be a path, not 'a\\x00b'"),
        (lambda: checks.instance("e", 3, str, "a word"), "e must be a word, not 3"),
        (
            lambda: checks.whole_numbers("a", [[1], [1, 2]], (2,), 0, 3),
            "a must be whole numbers from 0 to 3 of shape (2,), not [[1], [1, 2]]",
        ),
        (
            lambda: checks.whole_numbers("a", [1.0, 2.0], (2,), 0, 3),
            "a must be whole numbers from 0 to 3 of shape (2,), not a float64 array of shape (2,)",
        ),
        (
            lambda: checks.whole_numbers("a", [1, 4], (2,), 0, 3),
            "a must be whole numbers from 0 to 3 of shape (2,), not an int64 array of shape (2,) with 1 to 4",
        ),
        (lambda: checks.whole_numbers("a", np.array([2**63], np.uint64), (1,), 0, 3), "with 9223372036854775808 to "),
        (
            lambda: checks.target("out", [1.0], (1,), FLOATS),
            "out must be a writeable C-contiguous float32 array of shape (1,), not [1.0]",
        ),
        (
            lambda: checks.target("out", np.zeros(1), (1,), FLOATS),
            "out must be a writeable C-contiguous float32 array of shape (1,), not a float64 array of shape ",
        ),
        (
            lambda: checks.target("out", np.zeros(1, ">f4"), (1,), FLOATS),
            "out must be a writeable C-contiguous float32 array of shape (1,), not a >f4 array of shape (1,)",
        ),
        (
            lambda: checks.target("out", np.zeros(4, "f4")[::2], (2,), FLOATS),
            "out must be a writeable C-contiguous float32 array of shape (2,), not one that is not ",
        ),
        (
            lambda: checks.target("out", np.broadcast_to(np.zeros(2, "f4"), 2), (2,), FLOATS),
            "out must be a writeable C-contiguous float32 array of shape (2,), not one read-only",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(check: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        check()
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
