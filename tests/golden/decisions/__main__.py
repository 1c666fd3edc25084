"""Plays games and writes here what the bots decide in them: `python -m tests.golden.decisions`.

Run it only when the rules, or the decisions of a bot, were meant to change. There is a file for each number of players.
Its first line names the bots, as `agents.from_text` takes them. A line `game WORKSHOP TURN_LIMIT SEED` begins a game
with the deal of that seed, and each line after it is the action played. At some positions it is followed by ` | ` and
the action that each bot chooses there, in the order of the first line; `"` stands for the same action as left of it.
Actions are in words, so that the files remain valid when the numbers of actions change.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Position
from rc_env.ruleset import WORKSHOPS

FOLDER = Path(__file__).parent
PLANS = ("greedy", "rush", "majority", "guilds", "all_rounder")
# Every setting is given, so that it stays the same bot when a default changes.
SEARCH = "search:simulations=100,plan=all_rounder,exploration=1.0,temperature=8.0,depth=4,net=none,seed=7"
POSITIONS = 1000  # positions in each file
EVERY = 5  # a position is taken from every fifth decision that leaves a choice,
RARE = ("swap",)  # and from every decision at these points
SEARCHED = 10  # search decides at every tenth of these positions

# The bots that play the games, repeated for all seats, and the turn limit, which keeps random play short. For each
# decision one of them is drawn, whoever's turn it is, so that not only good play leads to the positions.
GAMES = (
    (PLANS, 1000),
    (("all_rounder",), 1000),
    ((*PLANS, "random"), 1000),
    (("greedy", "random"), 60),
    (("all_rounder", "all_rounder", "random"), 100),
    (("random",), 40),
    (("rush", "guilds"), 1000),
    (("majority", "majority", "random"), 80),
)


def lines(players: int) -> Iterator[str]:
    """Return the lines of a file."""
    yield " ".join(("bots", *PLANS, SEARCH))
    found, number = 0, 0
    while found < POSITIONS:
        bots, turn_limit = GAMES[number // 2 % len(GAMES)]
        workshop = WORKSHOPS[number % 2]
        generator = np.random.default_rng([players, number])
        seed = int(generator.integers(2**63))
        yield f"game {workshop} {turn_limit} {seed}"
        for line in game(Ruleset(players, workshop, turn_limit=turn_limit), bots, seed, generator, found):
            found += " | " in line
            yield line
        number += 1


def game(
    ruleset: Ruleset, bots: tuple[str, ...], seed: int, generator: np.random.Generator, found: int
) -> Iterator[str]:
    """Return the lines of a game, after `found` positions of earlier games; it ends when there are enough positions."""
    engine = Engine(ruleset)
    engine.reset(deal_seeds=[seed])
    playing = {name: agents.make(name) for name in bots}
    for bot in playing.values():
        bot.reset(seed)
    asked = {name: agents.from_text(name) for name in (*PLANS, SEARCH)}
    choices = 0
    while engine.seat[0] >= 0 and found < POSITIONS:
        position = Position.of(engine)
        action = int(playing[bots[generator.integers(len(bots))]].act(position)[0])
        words = [engine.action_to_text(action)]
        choice = position.mask.sum() > 1
        choices += choice
        if choice and (choices % EVERY == 0 or engine.point() in RARE):
            for name, bot in asked.items():
                if name != SEARCH or found % SEARCHED == 0:
                    words.append(engine.action_to_text(int(bot.act(position)[0])))
            found += 1
        yield " | ".join(words[:1] + ['"' if word == left else word for left, word in pairwise(words)])
        engine.step([action])


def main(*only: int) -> None:
    """Write all files, or those of these numbers of players: `python -m tests.golden.decisions 1`."""
    for players in only or (1, 2, 3, 4):
        text = "\n".join(lines(players)) + "\n"
        (FOLDER / f"{players}.txt").write_text(text)
        print(f"{players}.txt: {text.count(chr(10) + 'game ')} games, {len(text) / 1e3:.0f} kB")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
