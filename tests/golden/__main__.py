"""Plays the golden games anew and writes them here: `python -m tests.golden`, after a change in the rules.

What has changed then shows in the difference of the files, line by line: the actions played, what else was legal, and
what came of them. The bots matter only here; the test replays what is on file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rc_env import agents
from rc_env.record import SUFFIX, Record, Recorder, parse, write
from rc_env.ruleset import WORKSHOPS, Ruleset
from rc_env.training.arena import match

FOLDER = Path(__file__).parent
VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in WORKSHOPS]

# By name: the bots, over and over for all seats; the turn limit; every how many lines the legal actions, and the
# position, are told.
GAMES = {
    "greedy": (("greedy",), 1000, 12, 60),
    "mixed": (("greedy", "random"), 40, 6, 30),
    "random": (("random",), 30, 6, 20),
    "odd": (("random", "random", "greedy"), 25, 4, 20),
    "short": (("random",), 5, 1, 2),
    "long": (("random",), 120, 40, 80),
}


def games(players: int, workshop: str) -> dict[str, Record]:
    """The golden games of a variant, by the names of their files."""
    found: dict[str, Record] = {}
    for seed, (name, (bots, turn_limit, legal, state)) in enumerate(GAMES.items()):
        texts: dict[int, str] = {}
        seats = [agents.make(bots[seat % len(bots)]) for seat in range(players)]
        recorder = Recorder(texts.__setitem__, legal=True, state=True)
        match.play_match(
            seats, 1, Ruleset(players, workshop, "base", turn_limit), seed=seed, rotate=False, recorder=recorder
        )
        file = f"{players}-{workshop}-{name}{SUFFIX}"
        found[file] = thinned(parse(texts[0], file), legal, state)
    return found


def thinned(record: Record, legal: int, state: int) -> Record:
    """The record with legal actions and positions only at every so many decisions, and the last position."""
    last = len(record.decisions) - 1
    for number, decision in enumerate(record.decisions):
        if number % legal:
            decision.pop("legal", None)
        if number % state and number != last:
            decision.pop("state", None)
    return record


def main(*only: int) -> None:
    """Write all of them, or those of these numbers of players: `python -m tests.golden 1`."""
    for old in FOLDER.glob(f"*{SUFFIX}"):
        if not only or int(old.name.split("-")[0]) in only:
            old.unlink()
    for players, workshop in [variant for variant in VARIANTS if not only or variant[0] in only]:
        for file, record in games(players, workshop).items():
            write(record, FOLDER / file)
    files = sorted(FOLDER.glob(f"*{SUFFIX}"))
    print(f"{len(files)} golden games written, {sum(file.stat().st_size for file in files) / 1e6:.2f} MB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
