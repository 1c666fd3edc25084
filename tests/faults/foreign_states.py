"""Altered games under bounds checks: each is refused, or played to its end with every index in range.

    PYTHONPATH=tests/support python tests/faults/foreign_states.py --seconds 600

Real games of every variant are changed at random: bytes, fields, and parts of one game put into another, which makes
states that look valid and are not. `Engine.restore` refuses such a state with a ValueError, or it is played on by
compiled code that raises at any index out of range (`tests/support/strict_indices.py`). A case follows from its number
alone: `--first NUMBER --cases 1` repeats it.
"""

from __future__ import annotations

import argparse
import faulthandler
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import strict_indices  # noqa: F401, I001 - before Numba
import numpy as np

from rc_env import Engine, Ruleset
from rc_env.rules.state import PLAYING

GAMES = 4
SOURCES = 64
"""The number of real games of each variant that are altered."""
LONGEST, LATE = 2000, 120
"""The most decisions of a game, and the most seconds of a case."""
SWITCHES = (
    {},
    {"workshop": "advanced"},
    {"fourth_guild": "random", "special_tiles": True, "promos": True},
    {"fourth_guild": "random", "special_tiles": True, "promos": True, "contractors": True},
)
RULESETS = [Ruleset(players, turn_limit=60, **switches) for switches in SWITCHES for players in (1, 2, 3, 4)]


@cache
def sources(rules: Ruleset) -> np.ndarray:
    """Return real games of a ruleset, at all stages."""
    engine = Engine(rules, SOURCES, 7)
    parts = []
    for decisions in (0, 15, 25, 40):
        engine.play_random(decisions, seed=decisions)
        parts.append(engine.clone(same_future=True))
    return np.concatenate(parts)


Alter = Callable[[np.ndarray, np.ndarray, np.random.Generator], None]


def _bytes(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    memory = games.view(np.uint8).reshape(len(games), -1)
    for row in memory:
        for _ in range(int(rng.choice((1, 1, 2, 8)))):
            row[rng.integers(len(row))] = rng.integers(256)


def _names(games: np.ndarray, rng: np.random.Generator) -> list[str]:
    names = list(games.dtype.names or ())
    return [names[i] for i in rng.integers(len(names), size=int(rng.choice((1, 1, 2))))]


def _one_more_or_less(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    for name in _names(games, rng):
        for row in range(len(games)):
            flat = games[name][row : row + 1].reshape(-1)
            place = rng.integers(flat.size)
            flat[place] = (flat[place].astype(np.int64) + rng.choice((-1, 1))).astype(flat.dtype)


def _in_range(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    """Move values that occur in a field to other places of that field."""
    for name in _names(games, rng):
        known = np.unique(others[name])
        for row in range(len(games)):
            flat = games[name][row : row + 1].reshape(-1)
            flat[rng.integers(flat.size)] = rng.choice(known)


def _exchanged(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    for name in _names(games, rng):
        for row in range(len(games)):
            flat = games[name][row : row + 1].reshape(-1)
            one, other = rng.integers(flat.size, size=2)
            flat[one], flat[other] = flat[other], flat[one]


def _fields_of_others(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    for name in _names(games, rng):
        games[name] = others[name][rng.integers(len(others), size=len(games))]


def _halves_of_others(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    at = int(rng.integers(games.itemsize))
    memory = games.view(np.uint8).reshape(len(games), -1)
    memory[:, at:] = others.view(np.uint8).reshape(len(others), -1)[rng.integers(len(others), size=len(games)), at:]


def _extremes(games: np.ndarray, others: np.ndarray, rng: np.random.Generator) -> None:
    for name in _names(games, rng):
        limits = np.iinfo(games.dtype[name].base)
        for row in range(len(games)):
            flat = games[name][row : row + 1].reshape(-1)
            flat[rng.integers(flat.size)] = limits.min if rng.random() < 0.5 else limits.max


ALTERATIONS: dict[str, Alter] = {
    "random bytes": _bytes,
    "one more or less": _one_more_or_less,
    "values of the same field": _in_range,
    "entries exchanged": _exchanged,
    "fields of other games": _fields_of_others,
    "half of another game": _halves_of_others,
    "extremes": _extremes,
}


def play_out(engine: Engine, rng: np.random.Generator) -> None:
    """Play the games to their end, and observe them from every seat."""
    rules = engine.ruleset
    for number in range(LONGEST):
        rows = np.flatnonzero(engine.games.status == PLAYING)
        if number % 10 == 0 or not len(rows):
            for seat in range(rules.players):
                engine.observe(seat=seat)
                engine.conceal(engine.clone(seat=seat), seat)
            engine.results()
            engine.returns()
        if not len(rows):
            return
        mask = engine.legal_mask()[rows]
        if not mask.any(1).all():
            raise AssertionError("a game that is not over has no legal action")
        engine.step((rng.random(mask.shape) * mask).argmax(1), rows)
        if engine.illegal[rows].any():
            raise AssertionError("a legal action was refused")
    raise AssertionError(f"the game is not over after {LONGEST} decisions")


def case(number: int) -> tuple[str, str, str]:
    """Make and try a case; return the variant, the alteration and the outcome."""
    rng = np.random.default_rng(number)
    rules = RULESETS[int(rng.integers(len(RULESETS)))]
    kind = list(ALTERATIONS)[int(rng.integers(len(ALTERATIONS)))]
    known = sources(rules)
    games = known[rng.integers(len(known), size=GAMES)]
    ALTERATIONS[kind](games, known, rng)
    engine = Engine(rules, GAMES, 3)
    accepted = 0
    for row in range(GAMES):
        before = engine.games.tobytes()
        try:
            engine.restore(games[row : row + 1], [row])
            accepted += 1
        except ValueError as error:
            words = str(error)
            if engine.games.tobytes() != before or not words.isprintable() or "\n" in words:
                raise AssertionError(f"refused with {words!r}, or not without a change") from error
    play_out(engine, rng)
    words = "full" if rules.full else "base"
    return words, kind, "accepted, played to its end" if accepted else "refused"


def main() -> int:
    """Try cases until the time or their number is used up; return 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="time limit in seconds (600)")
    parser.add_argument("--cases", type=int, default=10**9, help="the most cases to try")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    options = parser.parse_args()
    for rules in RULESETS:  # kernels are compiled, or loaded, before the clock runs
        play_out(Engine(rules, 1, 1), np.random.default_rng(1))
        Engine(rules, len(sources(rules))).restore(sources(rules))
    begin, wording, failed, number = time.monotonic(), Counter[tuple[str, str, str]](), 0, options.first
    while number < options.first + options.cases and time.monotonic() - begin < options.seconds:
        faulthandler.dump_traceback_later(LATE, exit=True)
        try:
            wording[case(number)] += 1
        except Exception as error:
            failed += 1
            print(f"case {number}: {type(error).__name__}: {error} (--first {number} --cases 1 repeats it)", flush=True)
        number += 1
    faulthandler.cancel_dump_traceback_later()
    for (words, kind, came), count in sorted(wording.items()):
        print(f"{words:>5}  {kind:<26} {came:<28} {count:>7}")
    print(f"{number - options.first} cases of {GAMES} games, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
