"""Records of the full game between the engine and the second implementation of the rules: `make cross`.

For each guild of the expansion, and for the special tiles beside the clergy, or with `--contractors` for the module
Contractors with special tiles and a guild drawn for each game, with 1 to 4 players and both sides:

- games of the engine are written with legal actions and positions, replayed, and written again: the text and the
  last bytes of the game must be the same;
- the first of them are played again by the second implementation (`oracle`), which compares every line;
- games of the second implementation are replayed by the engine.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracle import record as oracle

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Bot, Position
from rc_env.record import Record, Recorder, RecordError, parse, replay
from rc_env.ruleset import WORKSHOPS

GUILDS = (
    "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders", "brickmakers",
    "thieves",
)  # fmt: skip
VARIANTS = tuple(product((1, 2, 3, 4), WORKSHOPS))
TABLES = oracle.tables("base"), oracle.tables("contractors")


def rulesets(guilds: Sequence[str], turn_limit: int, *, contractors: bool = False) -> Iterator[Ruleset]:
    """Yield each guild in each variant, with special tiles in every other one; the clergy and the module always have
    them.
    """
    for number, guild in enumerate(guilds):
        for players, workshop in VARIANTS:
            special = contractors or guild == "clergy" or (number + players + WORKSHOPS.index(workshop)) % 2 == 0
            yield Ruleset(
                players,
                workshop,
                turn_limit=turn_limit,
                fourth_guild=guild,
                special_tiles=special,
                promos=True,
                contractors=contractors,
            )


def seated(names: str, ruleset: Ruleset, seed: int) -> list[Bot]:
    """Return these bots ("all_rounder,greedy"), repeated for all seats."""
    one_a_seat = (names.split(",") * ruleset.players)[: ruleset.players]
    bots = [agents.from_text(name) for name in one_a_seat]
    for seat, bot in enumerate(bots):
        bot.reset(seed + seat)
    return bots


def written(
    ruleset: Ruleset, games: int = 1, seed: int = 3, bots: str = "random", **options: Any
) -> tuple[dict[int, str], dict[int, bytes]]:
    """Return games of these bots as text, with their last bytes. The options are those of a recorder."""
    engine, texts, last = Engine(ruleset, games, seed), dict[int, str](), dict[int, bytes]()
    Recorder(texts.__setitem__, **options).attach(engine)
    seats = seated(bots, ruleset, seed)
    while (engine.seat >= 0).any():
        for seat, bot in enumerate(seats):
            rows: NDArray[np.int64] = np.flatnonzero(engine.seat == seat)
            if len(rows):
                engine.step(bot.act(Position.of(engine, rows)), rows)
                last |= {row: bytes_of(engine, row) for row in engine.ended.tolist()}
    return texts, last


def bytes_of(engine: Engine, row: int = 0) -> bytes:
    """Return the bytes of a game in the engine."""
    return engine.games.view(np.ndarray)[row].tobytes()


def record_of(guild: str, turn_limit: int = 25, special_tiles: bool = False, **more: Any) -> Record:
    """Return the record of a game of random actions; `seat` and `seed` are those of `written`."""
    options = {key: more.pop(key) for key in ("seat", "seed") if key in more}
    rules = Ruleset(turn_limit=turn_limit, fourth_guild=guild, special_tiles=special_tiles, **more)
    return parse(written(rules, legal=True, state=True, **options)[0][0])


def read_again(text: str, last: bytes) -> Record:
    """Replay a record and write it again; check that the text and the bytes of the game are the same."""
    record, again = parse(text), dict[int, str]()
    engine = Engine(record.ruleset)
    Recorder(again.__setitem__, legal=True, state=True).attach(engine)
    replay(record, engine)
    assert bytes_of(engine) == last, "the bytes of the replayed game differ"
    assert again.popitem()[1] == text == record.text(), "the text of the replayed game differs"
    return record


def check_many(ruleset: Ruleset, games: int, seed: int, bots: str = "random") -> int:
    """Write games with legal actions and positions and read them again; return the number of decisions."""
    texts, last = written(ruleset, games, seed, bots, legal=True, state=True)
    assert len(texts) == games
    return sum(len(read_again(text, last[number]).decisions) for number, text in texts.items())


def check_by_oracle(text: str) -> None:
    """Let the second implementation replay a record and compare every line."""
    oracle.replay([json.loads(line) for line in text.splitlines()], *TABLES)


def oracle_text(ruleset: Ruleset, seed: int) -> str:
    """Return the record of a random game of the second implementation."""
    variant = {"players": ruleset.players, "workshop": ruleset.workshop, "turn_limit": ruleset.turn_limit}
    variant |= {"guild": ruleset.fourth_guild, "special_tiles": ruleset.special_tiles, "promos": ruleset.promos}
    variant |= {"contractors": ruleset.contractors}
    game, chance = oracle.random_game(seed, **variant)
    return "".join(json.dumps(line) + "\n" for line in oracle.lines(game, chance, seed))


class Count:
    """Counts the games and decisions of one kind of check, and keeps the time it took and the differences found."""

    def __init__(self) -> None:
        self.games = self.decisions = 0
        self.seconds = 0.0
        self.faults: list[str] = []

    def check(self, name: str, text: str, work: Callable[[], object]) -> None:
        """Do the work for this record; an error counts as a disagreement."""
        began = time.perf_counter()
        try:
            work()
        except (AssertionError, RecordError) as error:
            self.faults.append(f"{name}: {error}")
            print(self.faults[-1], flush=True)
        self.seconds += time.perf_counter() - began
        self.games += 1
        self.decisions += sum('"action"' in line for line in text.splitlines())

    def __str__(self) -> str:
        return f"{self.games} games, {self.decisions} decisions, {len(self.faults)} differ, {self.seconds:.0f} s"


def main() -> None:
    """Play, write, read and compare games; the exit code says whether anything differed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--games", type=int, default=50, help="games of each line-up in each variant (default: %(default)s)"
    )
    parser.add_argument(
        "--oracle", type=int, default=1, help="how many of these the oracle checks (default: %(default)s)"
    )
    parser.add_argument("--written", type=int, default=1, help="games that the oracle plays (default: %(default)s)")
    parser.add_argument("--bots", nargs="+", default=["random", "all_rounder,greedy"], help="line-ups of bots")
    parser.add_argument("--guilds", nargs="+", help="clergy: special tiles alone, unless with the module; random")
    parser.add_argument("--contractors", action="store_true", help="with the module Contractors and special tiles")
    parser.add_argument("--turn-limit", type=int, default=Ruleset().turn_limit)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first games (default: %(default)s)")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    guilds = options.guilds or (["random"] if options.contractors else [*GUILDS, "clergy"])
    for ruleset in rulesets(guilds, options.turn_limit, contractors=options.contractors):
        counts = {name: Count() for name in ("read again", "oracle", "oracle's")}
        began = time.perf_counter()
        for bots in options.bots:
            texts, last = written(ruleset, options.games, options.seed, bots, legal=True, state=True)
            for number, text in texts.items():
                name = f"{ruleset.fourth_guild}, {ruleset.players} {ruleset.workshop}, {bots}, game {number}"
                counts["read again"].check(name, text, lambda t=text, end=last[number]: read_again(t, end))
                if number < options.oracle:
                    counts["oracle"].check(name, text, lambda t=text: check_by_oracle(t))
        for seed in range(options.seed, options.seed + options.written):
            text = oracle_text(ruleset, seed)
            name = f"{ruleset.fourth_guild}, {ruleset.players} {ruleset.workshop}, game {seed} of the oracle's"
            counts["oracle's"].check(name, text, lambda t=text: replay(parse(t)))
        for name, count in counts.items():
            total.update({f"{name}: games": count.games, f"{name}: decisions": count.decisions})
            total[f"{name}: disagreements"] += len(count.faults)
        special = ", special tiles" * ruleset.special_tiles + ", contractors" * ruleset.contractors
        shown = "; ".join(f"{name}: {count}" for name, count in counts.items())
        print(
            f"{ruleset.fourth_guild}, {ruleset.players} {ruleset.workshop}{special}: {shown}; "
            f"{time.perf_counter() - began:.0f} s in all",
            flush=True,
        )
    print(*(f"{name}: {number}" for name, number in total.items()), sep="\n")
    raise SystemExit(any(number for name, number in total.items() if name.endswith("disagreements")))


if __name__ == "__main__":
    main()
