"""Damaged records and data files: each is read, or refused with one sentence. `make fuzz` runs for as long as wanted.

Valid files are damaged at random: bytes, tokens, lines and, in records, values in the tree of a line. A case is made
from its number alone, so that `python tests/support/fuzz.py --first NUMBER --cases 1` repeats a failure.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rc_env import Ruleset
from rc_env.record import RecordError, parse, replay
from rc_env.rules.printed import data_file
from rc_env.rules.printed.data_file import DataError

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
FILES = [*sorted(GOLDEN.glob("*-short.rcr")), *sorted(GOLDEN.glob("contractors/[12]-*.rcr"))]
RECORDS = [path.read_bytes() for path in FILES]
DATA = (Path(data_file.__file__).parents[2] / "data" / "base.toml").read_bytes()
DEEP, LONG, SECONDS, SENTENCE = 50_000, 100_000, 10, 2000
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|[A-Za-z_]+|[\[\]{},:=]')
NUMBERS = """
    0 -1 -0 1 2 7 255 256 65536 2147483648 9223372036854775807 9223372036854775808 18446744073709551616
    -9223372036854775809 0.5 1e3 1e400 -1e400 NaN nan -nan Infinity -Infinity inf -inf 0x10 1_000 1979-05-27 07:32:00
"""
STRINGS = r"""
    "" '' "base" "../../etc" "\u0000" "\ud800" "\udfff\ud800" "\u2028" "\u0085x" "\n\r\t" true false null None
    [] {} [[]] [0] {"":0} [[guilds]] , #
"""
TOKENS = [
    *(NUMBERS + STRINGS).encode().split(),
    *(b"9" * 5000, b"1e" + b"9" * 400, b'"' + b"a" * LONG + b'"', b'"""\n\n"""'),
    *(b"[" * DEEP, b"{" * DEEP, b'{"a":' * DEEP, b"[" * DEEP + b"]" * DEEP, b"a = " + b"[" * DEEP),
    *(b"a." * 5000 + b"a = 1", b"[" + b"a." * 5000 + b"a]"),
    *("\u2028".encode(), "\u202e\U0001f3b2".encode()),
    *(b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\0", b"\r\n", b"\n\n"),
]
VALUES: tuple[Any, ...] = (0, -1, 10**30, 0.5, float("nan"), float("-inf"), True, None, "", "\u2028", "\ud800")
VALUES += ([], {}, [[]], "x" * LONG)


def damaged(whole: bytes, rng: random.Random) -> bytes:
    """Return a file with one to three faults."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        whole = rng.choice((bytes_wrong, token_wrong, token_wrong, lines_wrong, value_wrong))(whole, rng)
    return whole


def bytes_wrong(whole: bytes, rng: random.Random) -> bytes:
    """Cut out, double or move a slice, change a byte, or cut off the end."""
    one, other = sorted(rng.randrange(len(whole) + 1) for _ in range(2))
    other = min(other, one + rng.choice((1, 4, 40, 4000)))
    return rng.choice(
        (
            whole[:one] + whole[other:],
            whole[:other] + whole[one:],
            whole[:one] + bytes([rng.randrange(256)]) + whole[one + 1 :],
            whole[:one],
            whole[:one] + rng.choice(TOKENS) + whole[one:],
        )
    )


def token_wrong(whole: bytes, rng: random.Random) -> bytes:
    """Replace a number, word, string or bracket by another one: a random one, or one from elsewhere in the file."""
    found = list(TOKEN.finditer(whole))
    if not found:
        return whole + rng.choice(TOKENS)
    at = rng.choice(found)
    new = rng.choice(TOKENS) if rng.random() < 0.6 else rng.choice(found).group()
    return whole[: at.start()] + new + whole[at.end() :]


def lines_wrong(whole: bytes, rng: random.Random) -> bytes:
    """Remove, double, move or empty a line."""
    lines = whole.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.randrange(3)):
        lines.insert(rng.randrange(len(lines) + 1), rng.choice((line, line, b"", rng.choice(TOKENS))))
    return b"\n".join(lines)


def value_wrong(whole: bytes, rng: random.Random) -> bytes:
    """Change a value, or remove, add or change the type of a key, in the tree of a line of JSON."""
    lines = whole.split(b"\n")
    number = rng.randrange(len(lines))
    try:
        tree = json.loads(lines[number])
    except (ValueError, RecursionError):
        return token_wrong(whole, rng)
    at = tree
    while isinstance(at, dict | list) and at:
        key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if not isinstance(at[key], dict | list) or not at[key] or rng.random() < 0.3:
            change(at, key, rng)
            break
        at = at[key]
    lines[number] = json.dumps(tree).encode()
    return b"\n".join(lines)


def change(at: Any, key: Any, rng: random.Random) -> None:
    """Change one entry of a table or a list."""
    how = rng.randrange(4)
    if how == 0:
        del at[key]
    elif how == 1 and isinstance(at, dict):
        at[str(rng.choice((*VALUES[:9], "seat", "result")))] = at[key]
    elif how == 2 and isinstance(at[key], int):
        at[key] += rng.choice((-1, 1, 100, 2**31, 2**63))
    else:
        at[key] = copy.deepcopy(rng.choice(VALUES))


# --- the allowed outcomes


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after so many seconds: no file may make the reader hang."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"not read within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(read: Callable[[], Any], refusal: type[ValueError]) -> str:
    """Return "read" or "refused"; raise AssertionError for any other outcome."""
    try:
        with limited(SECONDS):
            read()
    except refusal as error:
        words = str(error)
        assert len(words.splitlines()) == 1 and words.isprintable() and len(words) <= SENTENCE, repr(words[:SENTENCE])
        return "refused"
    return "read"


def read_record(text: bytes) -> None:
    """Read a record and, if that succeeds, replay it."""
    replay(parse(text))


def read_data(text: bytes, file: Path) -> None:
    """Read a data file and turn it into the constants of the rules."""
    file.write_bytes(text)
    data_file.load(file)
    Ruleset(data=file)


def case(number: int, file: Path) -> tuple[str, str]:
    """Make and try a case; return the kind of file that was read, and the outcome."""
    rng = random.Random(number)
    if rng.random() < 0.5:
        text = damaged(rng.choice(RECORDS), rng)
        return "record", outcome(lambda: read_record(text), RecordError)
    text = damaged(DATA, rng)
    return "data file", outcome(lambda: read_data(text, file), DataError)


def cases(first: int, count: int | None, seconds: float) -> Counter[tuple[str, str]]:
    """Try cases until their number or the time is used up; return how often each outcome occurred."""
    for whole in RECORDS:  # everything is compiled before the clock runs
        read_record(whole)
    begin, counts, number = time.monotonic(), Counter[tuple[str, str]](), first
    with tempfile.TemporaryDirectory() as folder:
        while (count is None or number < first + count) and time.monotonic() - begin < seconds:
            try:
                counts[case(number, Path(folder) / "fuzzed.toml")] += 1
            except BaseException:
                print(f"case {number}: python tests/support/fuzz.py --first {number} --cases 1 repeats it", flush=True)
                raise
            number += 1
    return counts


def main() -> None:
    """Try damaged files and print how often each outcome occurred."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=300, help="time limit in seconds (300)")
    parser.add_argument("--cases", type=int, help="the most cases to try")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    options = parser.parse_args()
    for (what, came), count in sorted(cases(options.first, options.cases, options.seconds).items()):
        print(f"{what}: {count} {came}")


if __name__ == "__main__":
    main()
