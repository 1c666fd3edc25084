"""The levels of opponents that the start page offers, each with what was measured of it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Opponent(NamedTuple):
    """An opponent.

    Attributes:
        title: what it is called on the page.
        bot: in one word, as `agents.from_text` takes it.
        words: how it plays.
        won: the games that it won against the level below, two players with basic workshops: share, interval of 95 %,
            and how many games; None for the lowest.
        thinks: the milliseconds of a processor for a decision, on average, one game at a time.
    """

    title: str
    bot: str
    words: str
    won: tuple[float, float, float, int] | None
    thinks: float

    def data(self, number: int) -> dict[str, Any]:
        """For the page, with the number of the level, from 1."""
        against = "The weakest of all."
        if self.won is not None:
            share, low, high, games = self.won
            against = f"Won {share:.0%} of {games:,} games against level {number - 1} ({low:.0%} to {high:.0%})."
        return {"number": number, "title": self.title, "words": f"{self.words} {against} Thinks {self.thinks:.2g} ms."}


LEVELS = (
    Opponent("Visitor", "random", "Does anything that is allowed.", None, 3.1),
    Opponent("Apprentice", "greedy", "Takes what its sections need, and delivers it.", (1.0, 0.993, 1.0, 1000), 3.4),
    Opponent(
        "Journeyman", "all_rounder", "A bit of all plans: guilds, arches, towers.", (0.832, 0.808, 0.855, 1000), 3.7,
    ),
    Opponent("Foreman", "search", "Plays games out in its head before it decides.", (0.94, 0.91, 0.97, 200), 9.4),
    Opponent("Master", "net", "A network that has learned from millions of games.", (0.858, 0.836, 0.880, 1000), 4.1),
    Opponent(
        "Architect", "search:net=shipped,simulations=16", "The network, and a search with it.",
        (0.910, 0.880, 0.939, 350), 10.3,
    ),
)  # fmt: skip
"""From the weakest to the strongest. Commands: `rc arena random greedy --players 2 --games 1000 --workshop basic --seed
440001`, so `greedy all_rounder` with 440002, and `all_rounder search` with 200 games and 440003; the last but one is
that of docs/strength.md, and the last `play_match` of both bots, 175 deals, with 471001. Milliseconds: `python
tests/support/web_levels.py`."""
TITLES = {level.bot: level.title for level in LEVELS}
FIRST_OPPONENT = "greedy"
"""The bot that sits opposite a newcomer."""
