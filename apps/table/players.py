"""The bots that play the seats of a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rc_env import agents
from rc_env.apps.table.game import YOU, Game
from rc_env.arena import referee
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset


class Bots:
    """A bot for each seat of a game that no person plays, in this process. Each has shown that it can play the variant.

    Args:
        seats: who plays each seat: `YOU` for a person, or a bot in one word.
        ruleset: the variant.
        seed: of the game; those of the bots' own choices follow from it.
        make: makes a bot from one word.

    Raises:
        ValueError: a bot cannot be made, or not play this variant.
    """

    def __init__(
        self, seats: Sequence[str], ruleset: Ruleset, seed: int, make: Callable[[str], Bot] = agents.from_text
    ) -> None:
        self._bots = {seat: make(name) for seat, name in enumerate(seats) if name != YOU}
        for bot in {seats[seat]: bot for seat, bot in self._bots.items()}.values():
            try_out(bot, ruleset, seed)
        for number, bot in enumerate(self._bots.values()):
            bot.reset(bot_seed(seed, number))

    def choose(self, game: Game) -> int:
        """The action of the bot that has to decide.

        Raises:
            ValueError: it raised an exception, or gave no number.
        """
        return chosen_by(self._bots[game.seat], game)


def chosen_by(bot: Bot, game: Game) -> int:
    """The number of the action that a bot would choose now.

    Raises:
        ValueError: it raised an exception, or gave no number.
    """
    return int(referee.ask(bot, Position.of(game.engine))[0])


def try_out(bot: Bot, ruleset: Ruleset, seed: int) -> None:
    """Let a bot decide once, so that one that cannot play this variant is found before the game begins.

    Raises:
        ValueError: it has failed.
    """
    referee.start_over(bot, 0)
    referee.ask(bot, Position.of(Engine(ruleset, 1, seed)))


def bot_seed(seed: int, number: int) -> int:
    """The seed of a bot's own choices, from that of the game and the bot's place."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
