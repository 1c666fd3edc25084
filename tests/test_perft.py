"""Tests of counts of legal lines from fixed positions, on file in `tests/golden/perft.txt` (R-1 to R-31)."""

import pytest
from perft import FILE, count_by_oracle, count_lines, golden_positions
from variants import half_of

pytestmark = pytest.mark.slow

ON_FILE = dict(line.split(": ") for line in FILE.read_text().splitlines() if not line.startswith("#"))
POSITIONS = {name: (record, place) for name, record, place in golden_positions()}
MANY = 20_000  # counting so many lines takes half a second


def counts(name: str) -> list[int]:
    """Return the counts on file for a position."""
    return [int(count) for count in ON_FILE[name].split()]


@pytest.mark.parametrize("name", POSITIONS)
def test_the_engine_counts_what_is_on_file(name: str) -> None:
    expected = counts(name)
    depth = max(depth for depth in range(1, len(expected) + 1) if depth == 1 or sum(expected[:depth]) <= MANY)
    assert count_lines(*POSITIONS[name], depth) == expected[:depth]


@pytest.mark.long
@pytest.mark.parametrize("name", POSITIONS)
def test_the_engine_counts_all_that_is_on_file(name: str) -> None:
    assert count_lines(*POSITIONS[name]) == counts(name)


def test_the_file_holds_these_positions_and_no_other() -> None:
    assert set(ON_FILE) == set(POSITIONS) and len(POSITIONS) == 72
    assert sum(counts(name)[-1] == 0 for name in POSITIONS) >= 2, (
        "every line of some positions reaches the end of the game"
    )


# The oracle plays each line from the deal on, so it counts only to a depth with few lines.
@pytest.mark.parametrize("name", half_of(list(POSITIONS)))
def test_the_oracle_counts_the_same(name: str) -> None:
    expected = counts(name)
    few = 300 if name.endswith(" 0") else 30
    depth = max(depth for depth in (1, 2, 3, 4) if depth <= len(expected) and sum(expected[: depth - 1]) <= few)
    assert count_by_oracle(*POSITIONS[name], depth) == expected[:depth]
