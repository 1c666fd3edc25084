"""Plays the golden games anew and writes them here: `python -m tests.golden`, after a change in the rules.

`python -m tests.golden full` does the same for the games with a guild of the expansion or special tiles, in the folder
`full`, `python -m tests.golden contractors` for those with the module Contractors.

The difference of the files then shows line by line what has changed: the actions played, the other legal actions, and
their effects. The bots matter only here; the test replays the files.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import agents
from rc_env.arena import match
from rc_env.bot import Bot, Position
from rc_env.record import SUFFIX, Record, Recorder, parse, write
from rc_env.ruleset import WORKSHOPS, Ruleset

FOLDER = Path(__file__).parent
VARIANTS = [(players, workshop) for players in (1, 2, 3, 4) for workshop in WORKSHOPS]

# By name: the bots, repeated for all seats; the turn limit; the numbers of lines after which the legal actions, and the
# position, are written.
GAMES = {
    "greedy": (("greedy",), 1000, 12, 60),
    "mixed": (("greedy", "random"), 40, 6, 30),
    "random": (("random",), 30, 6, 20),
    "odd": (("random", "random", "greedy"), 25, 4, 20),
    "short": (("random",), 5, 1, 2),
    "long": (("random",), 120, 40, 80),
}


BASE_RARE = {"1-basic-greedy": "ivan adorn"}
"""An action that few games reach, by file: the first game that reaches it is taken."""

# Games of the full game, by file: the fourth guild, players, workshop, special tiles or not; the bots take turns.
FULL_GUILDS = (
    "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders", "brickmakers",
    "thieves", "clergy",
)  # fmt: skip
FULL_GAMES = {
    f"{players}-{workshop}-{guild}": (guild, players, workshop, guild == "clergy" or (number + players) % 3 == 0)
    for number, guild in enumerate(FULL_GUILDS)
    for players in (1, 2, 3, 4)
    for workshop in [WORKSHOPS[(number + players) % 2]]
}
FULL_TURNS, FULL_LEGAL = 95, 20
RARE = {"2-advanced-archivists": "return", "2-basic-master_builders": "card", "1-basic-clergy": "ivan adorn"}
"""Decision points and an action that few games reach, by file: the first game that reaches one is taken."""

# With the module Contractors: one game per guild, three for each number of players, half of them on each side.
MODULE_GUILDS = (
    "contractors", "lawyers", "jewelers", "clergy", "archivists", "foremen", "wholesalers", "brickmakers", "managers",
    "thieves", "artisans", "master_builders",
)  # fmt: skip
MODULE_GAMES = {
    f"{players}-{workshop}-{guild}": (guild, players, workshop, number % 3 > 0)
    for number, guild in enumerate(MODULE_GUILDS)
    for players, workshop in [(1 + number % 4, WORKSHOPS[number // 4 % 2])]
}
MODULE_TURNS = 120
MODULE_RARE = {
    "1-basic-contractors": "return", "1-advanced-archivists": "prestige", "2-basic-lawyers": "both",
    "4-basic-master_builders": "spend",
}  # fmt: skip
"""Decision points that few games with the module reach, by file; for solo games, rare events of Ivan's turns."""


class Curious:
    """Most of the time plays a kind of action that it has played least often, and otherwise any legal action."""

    name = "curious"

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Draw from this seed; the counts of actions from earlier games stay."""
        self.rng = np.random.default_rng(seed)

    def act(self, position: Position) -> NDArray[np.int64]:
        """Return (N,) int64, a legal action for each game."""
        return np.array([self.choose(np.flatnonzero(mask), position.ruleset) for mask in position.mask])

    def choose(self, legal: NDArray[np.int64], ruleset: Ruleset) -> int:
        """Return one of these actions."""
        kinds = [ruleset.actions.actions[action].verb.name for action in legal]
        if self.rng.random() < 0.7:
            least = min(self.taken[kind] for kind in kinds)
            legal = legal[[self.taken[kind] == least for kind in kinds]]
        action = int(self.rng.choice(legal))
        self.taken[ruleset.actions.actions[action].verb.name] += 1
        return action


def games(players: int, workshop: str) -> dict[str, Record]:
    """Return the golden games of a variant, by the names of their files."""
    found: dict[str, Record] = {}
    for seed, (name, (bots, turn_limit, legal, state)) in enumerate(GAMES.items()):
        ruleset = Ruleset(players, workshop, turn_limit=turn_limit)
        file = f"{players}-{workshop}-{name}{SUFFIX}"
        wanted = BASE_RARE.get(file.removesuffix(SUFFIX))
        for other in range(seed, seed + 100_000, 100):
            record = played(ruleset, bots, other, file)
            if wanted is None or wanted in met(record):
                break
        found[file] = thinned(record, legal, state)
    return found


def full_games() -> dict[str, Record]:
    """Return the golden games of the full game without the module, by the names of their files."""
    return found_games(FULL_GAMES, FULL_TURNS, RARE)


def module_games() -> dict[str, Record]:
    """Return the golden games with the module Contractors, by the names of their files."""
    return found_games(MODULE_GAMES, MODULE_TURNS, MODULE_RARE, contractors=True)


def found_games(
    games: dict[str, tuple[str, int, str, bool]], turn_limit: int, rare: dict[str, str], **switches: Any
) -> dict[str, Record]:
    """Return for each of these rare decision points or events the first game in which it occurs."""
    found: dict[str, Record] = {}
    curious = Curious()
    for first, (name, (guild, players, workshop, special)) in enumerate(games.items()):
        wanted, file = rare.get(name), f"{name}{SUFFIX}"
        if wanted == "card":
            guild = "master_builders:2"  # its second card draws two cards
        switches |= {"fourth_guild": guild, "special_tiles": special}
        ruleset = Ruleset(players, workshop, turn_limit=turn_limit, **switches)
        for seed in range(first, first + 100_000, 100):
            record = played(ruleset, (curious, "greedy", curious, "random"), seed, file)
            if wanted is None or wanted in met(record):
                break
        found[file] = thinned(record, FULL_LEGAL)
    return found


def met(record: Record) -> set[str]:
    """Return the decision points of a game, the kinds of events, and what was chosen for Ivan."""
    events = {event.split()[0] for turn in record.ivan.values() for event in turn["events"]}
    chosen = {" ".join(decision["action"].split()[:2]) for decision in record.decisions if decision["point"] == "ivan"}
    return {decision["point"] for decision in record.decisions} | events | chosen


def played(ruleset: Ruleset, bots: tuple[str | Bot, ...], seed: int, file: str) -> Record:
    """Play a game of these bots, repeated for all seats."""
    texts: dict[int, str] = {}
    line_up = [bots[seat % len(bots)] for seat in range(ruleset.players)]
    seats = [agents.make(bot) if isinstance(bot, str) else bot for bot in line_up]
    recorder = Recorder(texts.__setitem__, legal=True, state=True)
    match.play_match(seats, 1, ruleset, seed=seed, rotate=False, recorder=recorder)
    return parse(texts[0], file)


def thinned(record: Record, legal: int, state: int = 0) -> Record:
    """Return the record with legal actions and positions only at every so many decisions, and with the last position.

    With 0 only the last position is kept.
    """
    last = len(record.decisions) - 1
    for number, decision in enumerate(record.decisions):
        if number % legal:
            decision.pop("legal", None)
        if number != last and (not state or number % state):
            decision.pop("state", None)
    return record


def rewrite(folder: Path, old: list[Path], found: dict[str, Record]) -> None:
    """Replace the old files by these games."""
    folder.mkdir(exist_ok=True)
    for file in old:
        file.unlink()
    for name, record in found.items():
        write(record, folder / name)
    files = sorted(folder.glob(f"*{SUFFIX}"))
    print(f"{len(files)} golden games in {folder.name}, {sum(file.stat().st_size for file in files) / 1e6:.2f} MB")


def main(*only: str) -> None:
    """Write the games of the base game, of these numbers of players (`python -m tests.golden 1`), or of a folder."""
    for name, make in (("full", full_games), ("contractors", module_games)):
        if only == (name,):
            rewrite(FOLDER / name, list((FOLDER / name).glob(f"*{SUFFIX}")), make())
            return
    chosen = [variant for variant in VARIANTS if not only or str(variant[0]) in only]
    old = [file for file in FOLDER.glob(f"*{SUFFIX}") if not only or file.name.split("-")[0] in only]
    found: dict[str, Record] = {}
    for players, workshop in chosen:
        found |= games(players, workshop)
    rewrite(FOLDER, old, found)


if __name__ == "__main__":
    main(*sys.argv[1:])
