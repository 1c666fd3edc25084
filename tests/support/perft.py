"""Counts of legal lines, as chess programs count them ("perft"): `python tests/support/perft.py` writes them anew.

A line of depth d is a sequence of d legal actions from a fixed position. The dice are fixed too: the n-th roll of each
die follows from the key of the game, whatever was played. The positions come from the golden games, where the count
begins after so many of their decisions. A rule that forbids too much or allows too much anywhere near them changes a
count, and the depth at which it first differs says how far to look.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from oracle.bridge import Oracle

from rc_env import Engine
from rc_env.record import Record, positions, read
from rc_env.rules.printed.sizes import BASE_DIE_NAMES
from rc_env.ruleset import WORKSHOPS
from rc_env.words.notation import ivan_turn, rolls_to_list

GOLDEN = Path(__file__).parents[1] / "golden"
FILE = GOLDEN / "perft.txt"
LINES = 100_000  # lines are counted deeper while there are fewer than this ...
DEPTH = 8  # ... down to this depth
HEADER = """\
# Legal lines of 1, 2, 3 ... actions from positions of the golden games: the game, the number of its decisions that were
# played before, and the counts. The dice to come follow from the key of the game. 0: every line ends before.
# Written by: python tests/support/perft.py
"""


def places(record: Record) -> tuple[int, ...]:
    """Return the numbers of decisions of a golden game after which lines are counted: start, middle, near the end."""
    count = len(record.decisions)
    return (0, count // 2, count - 5)


def golden_positions() -> Iterator[tuple[str, Record, int]]:
    """Return name, record and number of decisions of each position: three games of each variant."""
    for players in (1, 2, 3, 4):
        for workshop in WORKSHOPS:
            for game in ("greedy", "mixed", "long"):
                record = read(GOLDEN / f"{players}-{workshop}-{game}.rcr")
                for place in places(record):
                    yield f"{players}-{workshop}-{game} {place}", record, place


def at(record: Record, place: int) -> np.ndarray:
    """Return (1,) GAME after so many decisions of a record."""
    for number, engine in enumerate(positions(record)):
        if number == place:
            return engine.clone(same_future=True)
    raise AssertionError(f"{record.name} has no {place} decisions")


def count_lines(record: Record, place: int, depth: int = DEPTH) -> list[int]:
    """Return the numbers of lines of depth 1, 2, ... by the engine: all lines of a depth at once, one per row."""
    games, counts = at(record, place), []
    for _ in range(depth):
        engine = Engine(record.ruleset, len(games))
        engine.restore(games)
        rows, actions = np.nonzero(engine.legal_mask())
        counts.append(len(rows))
        if len(counts) == depth or not 0 < len(rows) < LINES:
            break
        lines = Engine(record.ruleset, len(rows))
        lines.restore(games[rows])
        lines.step(actions)
        assert not lines.illegal.any()
        games = lines.clone(same_future=True)
    return counts


def count_by_oracle(record: Record, place: int, depth: int) -> list[int]:
    """Count lines by the second implementation of the rules, which takes only the dice from the engine."""
    dealt = next(positions(record))
    prefix = [decision["action"] for decision in record.decisions[:place]]
    played = [rolled(engine) for engine in islice(positions(record), 1, place + 1)]
    engine = Engine(record.ruleset)
    start = at(record, place)
    counts = [0] * depth
    lines: list[tuple[str, ...]] = [()]
    while lines:
        line = lines.pop()
        oracle = Oracle(dealt)
        for action, dice in zip(prefix, played, strict=True):
            oracle.play(action, *dice)
        engine.restore(start)
        for action in line:
            engine.step([engine.text_to_action(action)])
            oracle.play(action, *rolled(engine))
        legal = oracle.question[1] if oracle.question else ()
        counts[len(line)] += len(legal)
        if len(line) + 1 < depth:
            lines += [(*line, action) for action in legal]
    return counts


def rolled(engine: Engine) -> tuple[list[int], list[str]]:
    """Return the dice rolled in the last decision and in Ivan's last turn, and the tiles that he laid anew.

    The oracle takes the rolls that it needs and ignores the rest, so earlier turns of Ivan do no harm.
    """
    game = engine.games[0]
    rolls, laid = rolls_to_list(game), []
    if engine.ruleset.solo:
        turn = ivan_turn(game)
        rolls = [*rolls, *turn["rolls"]]
        laid = [event.split()[1:] for event in turn["events"] if event.startswith("shuffle")]
    return [roll[die] for roll in rolls for die in BASE_DIE_NAMES if die in roll], laid[0] if laid else []


def main() -> None:
    """Count from all positions and write the file."""
    rows = [f"{name}: {' '.join(map(str, count_lines(*place)))}\n" for name, *place in golden_positions()]
    FILE.write_text(HEADER + "".join(rows), encoding="utf-8")
    print(f"{len(rows)} positions written to {FILE}")


if __name__ == "__main__":
    main()
