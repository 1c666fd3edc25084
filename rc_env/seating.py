"""The loop over bots that share a batch of games: group rows by bot, ask each bot, check its actions, step.

Everything that lets bots play uses it: the Gymnasium environments with opponents, matches and self-play. They differ in
how a bot is asked, in what an illegal action leads to, and in whether each bot's actions are played at once or all
bots' actions together; so these are arguments, and the caller steps the engine between two groups or after the last.

Shape letters: N rows that wait for a decision, M of them that one bot plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rc_env import checks
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.engine_group import EngineGroup

Ask = Callable[[Bot, NDArray[np.int64]], NDArray[np.integer[Any]]]
"""A function that returns the (M,) actions of a bot for (M,) rows of the engine."""


def choices(
    bots: Iterable[tuple[int, Bot]], who: NDArray[np.integer[Any]], rows: NDArray[np.int64], ask: Ask
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.integer[Any]]]]:
    """Ask every bot once about all rows in which it has to decide, in the order of the bots.

    A bot is asked when its group is reached, so the caller may step the engine after each group.

    Args:
        bots: bots by number.
        who: (N,) number of the bot that decides in each row.
        rows: (N,) rows of the engine.
        ask: the function that gets a bot's actions.

    Yields:
        The number of the bot; (M,) places of its rows in `rows`; (M,) its actions, which may still be illegal.
    """
    for number, bot in bots:
        places = np.flatnonzero(who == number)
        if len(places):
            yield number, places, ask(bot, rows[places])


def positions_of(
    engine: Engine | EngineGroup, bot: Bot, rows: NDArray[np.int64]
) -> Iterator[tuple[Position, slice | NDArray[np.int64]]]:
    """What a bot is asked about N rows: one position, or one for each set of cards, unless it looks at observations
    alone.

    Yields:
        The position, and the places of its games in `rows`.
    """
    if isinstance(engine, Engine):
        yield Position.of(engine, rows), slice(None)
    elif getattr(bot, "observes_only", False):
        yield engine.position(rows), slice(None)
    else:
        for one, own, where in engine.parts(rows):
            yield Position.of(one, own), where


def answer(actions: Any, count: int) -> NDArray[np.integer[Any]]:
    """Check the actions that a bot returned: (M,) whole numbers of any width.

    Raises:
        ValueError: they are something else.
    """
    expected = f"{count} whole numbers, its actions"
    found = checks.array("answer", actions, expected)
    if found.shape != (count,) or found.dtype.kind not in "iu":
        checks.refuse("answer", found, expected)
    return found


def step(
    engine: Engine | EngineGroup,
    rows: NDArray[np.int64],
    actions: ArrayLike,
    refuse: Callable[[int, int], NoReturn],
) -> None:
    """Play one decision in each of the rows.

    Args:
        engine: where the games are played.
        rows: (N,) rows of the engine.
        actions: (N,) numbers of actions.
        refuse: called with the first row whose action is illegal, and that action; raises. The other rows have been
            played on by then.

    Raises:
        ValueError: an argument does not fit; nothing was played.
    """
    if not isinstance(engine, Engine | EngineGroup):
        checks.refuse("engine", engine, "an Engine")
    if not callable(refuse):
        checks.refuse("refuse", refuse, "a function of a row and an action")
    engine.step(actions, rows)
    illegal = engine.illegal[rows]
    if illegal.any():
        first = int(illegal.argmax())
        refuse(int(rows[first]), int(np.asarray(actions)[first]))
