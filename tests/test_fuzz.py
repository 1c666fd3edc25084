"""Some hundred damaged records and data files, always the same; `make fuzz` tries as many as time allows."""

import resource
import sys

import pytest
from fuzz import RECORDS, cases, read_record

pytestmark = [pytest.mark.slow, pytest.mark.full]  # records of the full game are among those that are damaged


def megabytes() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)


def test_damaged_files_are_read_or_refused_with_a_sentence() -> None:
    for whole in RECORDS:  # compiling takes memory, too
        read_record(whole)
    before = megabytes()
    shown = cases(first=0, count=300, seconds=float("inf"))
    assert sum(shown.values()) == 300
    assert set(shown) == {(what, came) for what in ("record", "data file") for came in ("read", "refused")}
    assert megabytes() - before < 500
