"""The bot protocol: `Bot`, and `Position`, the games that a bot is given to decide.

Shape letters as in `rc_env.engine`: N games that wait for a decision, A actions, F features.
"""

from __future__ import annotations

import inspect
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from rc_env import checks
from rc_env.engine import Engine
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset


class CannotPlay(ValueError):
    """Raised by a bot's `act` for a game that it is not made for; what it says is shown as it stands.

    Example:
        >>> from rc_env import Engine, agents
        >>> agents.from_text("plan:contractor").act(agents.Position.of(Engine()))
        Traceback (most recent call last):
            ...
        rc_env.bot.CannotPlay: plan: it has no weights for this game, a table [players2]; the tables of ...
    """


class Position:
    """N games that wait for a decision, each seen by its seat to move. Valid until one of these games is played on.

    Attributes:
        ruleset: the variant of all N games.
        seat: (N,) int8, the seat that has to decide.
        mask: (N, A) int8, 1 for each legal action; at least one per row.

    `Position.of` makes one from rows of an engine.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.bot import Position
        >>> position = Position.of(Engine(num_games=5, seed=1), rows=[0, 3])
        >>> len(position), position.seat, position.mask.sum(1)
        (2, array([0, 0], dtype=int8), array([19, 19]))
    """

    def __init__(self, ruleset: Ruleset, seat: NDArray[np.int8], mask: NDArray[np.int8], engine: Any, rows: Any):
        self.ruleset = ruleset
        self.seat = seat
        self.mask = mask
        # Source of observations and copies: an Engine or an EngineGroup. Bots do not use it.
        self._engine = engine
        self._rows = rows
        self._moment = self._now()

    @staticmethod
    def checked(position: object) -> Position:
        """Return `position` if it is a Position.

        Raises:
            ValueError: it is not a Position, or its mask has been replaced by one of another shape or type.
        """
        found = checks.instance("position", position, Position, "a Position: Position.of(engine) gives one")
        found._check_form()
        return found

    @classmethod
    def of(cls, engine: Engine, rows: ArrayLike | None = None) -> Position:
        """The games of an engine, all or some rows of it.

        Args:
            engine: where the games are played.
            rows: (N,) row numbers; all by default. A row may be named several times.

        Raises:
            ValueError: not an engine, not whole numbers, a row that is not there, or one of the games is over.
        """
        if not isinstance(engine, Engine):
            checks.refuse("engine", engine, "an Engine")
        which = np.arange(engine.num_games) if rows is None else checks.row_numbers("rows", rows, engine.num_games)
        games = engine.games.view(np.ndarray)
        over = games["status"][which] != PLAYING
        if over.any():
            raise ValueError(f"rows: the game of row {which[over][0]} is over, so it waits for no decision")
        mask = np.take(engine.legal_mask(), which, axis=0)  # faster than indexing with an array
        return cls(engine.ruleset, games["seat"][which], mask, engine, which)

    def __len__(self) -> int:
        return len(self.seat)

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """(N, F) float32 in [0, 1], laid out as `ruleset.observations` says. Written when first asked for.

        Raises:
            ValueError: one of the games has been played on since.
        """
        return self._observe(np.float32)

    @cached_property
    def numbers(self) -> NDArray[np.uint8]:
        """(N, F) uint8, the whole numbers behind `observation`, up to `ruleset.observations.divisors`.

        Raises:
            ValueError: one of the games has been played on since.
        """
        return self._observe(np.uint8)

    def games(self) -> np.ndarray:
        """(N,) GAME records to read, or to look ahead with.

        Their chance has fresh keys: they roll other dice than the games themselves will, and other ones at each call.

        Raises:
            ValueError: one of the games has been played on since, or `mask` was changed and allows what is not legal,
                or nothing, or is of another shape or type.
        """
        self._check_copies()
        return self._engine.clone(self._rows, seat=self.seat)

    def writeable_games(self) -> np.ndarray:
        """Like `games`, in writeable memory, which compiled code takes without a copy.

        Raises:
            ValueError: see `games`.
        """
        self._check_copies()
        out = np.empty(len(self), self._engine.games.dtype)
        self._engine.clone(self._rows, seat=self.seat, out=out)
        return out

    def _now(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
        """What tells each moment of the games from every other: the keys of chance, and the decisions taken, (N,)."""
        games = self._engine.games.view(np.ndarray)
        return games["key"][self._rows], games["decisions"][self._rows]

    def _check_copies(self) -> None:
        """Refuse to copy games of another moment than the mask, or a mask that allows illegal actions or none at all:
        compiled code that looks ahead with both would play them, which damages memory. A mask may allow fewer actions.
        """
        self._check_moment()
        legal = np.take(self._engine.legal_mask(), self._rows, axis=0)
        mask = self._check_form()
        none = ~mask.any(axis=1)
        if none.any():
            raise ValueError(f"mask holds no action at index {none.argmax()}, but at least one must be legal")
        more = mask.view(np.uint8) > legal.view(np.uint8)
        if more.any():
            place, action = np.argwhere(more)[0]
            raise ValueError(
                f"mask holds action {action} at index {place}, which is not legal in the game of row "
                f"{self._rows[place]}"
            )

    def _check_form(self) -> NDArray[np.int8]:
        """Refuse a mask of another shape or type: compiled bots would read beyond its end, or be compiled anew."""
        mask: object = self.mask
        shape = len(self), self.ruleset.actions.size
        if not isinstance(mask, np.ndarray) or mask.dtype != np.int8 or mask.shape != shape:
            checks.refuse("mask", mask, f"an int8 array of shape {shape}, as the position had it")
        return mask

    def _check_moment(self) -> None:
        (keys, decisions), (keys_now, decisions_now) = self._moment, self._now()
        other = (keys != keys_now) | (decisions != decisions_now)
        if other.any():
            raise ValueError(
                f"position is an old one: the game of row {self._rows[other][0]} has been played on since; "
                "Position.of(engine) gives that of now"
            )

    def _observe(self, dtype: DTypeLike) -> NDArray[Any]:
        """(N, F) of this dtype. Each row is observed once: threads must not write to one game at once."""
        self._check_moment()
        rows, places = np.unique(self._rows, return_inverse=True)
        if len(rows) == len(self._rows):
            return self._engine.observe(self._rows, dtype=dtype)
        return self._engine.observe(rows, dtype=dtype)[places]


class Bot(Protocol):
    """A bot: chooses actions for a batch of games at once, in each game for the seat to move.

    Example:
        >>> from rc_env import play_match
        >>> class First:
        ...     name = "first"
        ...     def act(self, position):
        ...         return position.mask.argmax(1)
        ...     def reset(self, seed):
        ...         pass
        >>> match = play_match([First(), "greedy"], deals=2, seed=1)
        >>> match.names
        ('first', 'greedy')
    """

    name: str

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        ...

    def reset(self, seed: int) -> None:
        """Reset the bot's state, and draw its choices from this seed (a whole number of at least 0) from now on."""
        ...


def checked_bot(name: str, value: Any) -> Bot:
    """A bot: an object with a `name` that is a word, `act` and `reset`; `name` is what a sentence calls the argument.

    Raises:
        ValueError: the object is not a bot, is a class instead of an instance, or a method takes other arguments.
    """
    lacks = [one for one in ("act", "reset") if not callable(getattr(value, one, None))]
    if isinstance(value, type) or lacks == ["act", "reset"]:
        checks.refuse(name, value, "a bot, or the name of one")
    if lacks:
        raise ValueError(f"{name} must be a bot with act and reset, but {checks.shown(value)} has no {lacks[0]}()")
    for one, words in (("act", "act(position)"), ("reset", "reset(seed)")):
        try:
            taken = inspect.signature(getattr(value, one))
        except (TypeError, ValueError):  # of some that are written in C nothing is known
            continue
        try:
            taken.bind(None)
        except TypeError:
            raise ValueError(f"{name} must have {words}, but {checks.shown(value)} has {one}{taken}") from None
    if not isinstance(getattr(value, "name", None), str):
        raise ValueError(f"{name} must be a bot whose `name` is a word, but {checks.shown(value)} has none")
    bot: Bot = value
    return bot
