"""A replay buffer stored as bytes: decisions of finished games with their targets, and those of games in progress.

Shape letters: N decisions, F features, A actions, B bytes of a packed mask, P players, V values of the network.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray


@dataclass(frozen=True)
class Columns:
    """A table of N rows: several arrays of equal length."""

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    def take(self, rows: NDArray[Any]) -> Self:
        """Select rows by number or by a bool mask."""
        return type(self)(**{name: column[rows] for name, column in vars(self).items()})

    def followed_by(self, *others: Self) -> Self:
        """Concatenate these rows and those of `others`."""
        columns = {name: [getattr(one, name) for one in (self, *others)] for name in vars(self)}
        return type(self)(**{name: np.concatenate(parts) for name, parts in columns.items()})

    def packed(self) -> dict[str, torch.Tensor]:
        """The columns as compressed bytes, for a checkpoint."""
        return {
            name: torch.frombuffer(
                bytearray(zlib.compress(np.ascontiguousarray(column).tobytes(), 1)), dtype=torch.uint8
            )
            for name, column in vars(self).items()
        }

    def unpacked(self, packed: dict[str, torch.Tensor]) -> Self:
        """The inverse of `packed`, for columns with these dtypes and shapes.

        Raises:
            ValueError: they are not of this shape, or not finite.
        """
        found = {}
        for field in fields(self):
            like: NDArray[Any] = getattr(self, field.name)
            column = np.frombuffer(zlib.decompress(packed[field.name].numpy().tobytes()), like.dtype)
            found[field.name] = column.reshape(-1, *like.shape[1:]).copy()
            if like.dtype.kind == "f" and not np.isfinite(column).all():
                raise ValueError(f"{field.name} holds NaN or infinity; all numbers must be finite")
        if len({len(column) for column in found.values()}) != 1:
            raise ValueError(
                f"the columns must have equally many rows, not {[len(column) for column in found.values()]}"
            )
        return type(self)(**found)


@dataclass(frozen=True)
class OpenDecisions(Columns):
    """N decisions of the learner in games that may still be in progress.

    Attributes:
        numbers: (N, F) uint8, what the seat that decided saw.
        masks: (N, B) uint8, the legal actions, eight to a byte.
        policies: (N, A) float16, the policy that is to be learned: that of the search, or of the network where it was
            sure; 0 where an unsure one had no full search.
        searched: (N,) bool, whether there was a search.
        expected: (N, P) float32, what the search expected for the seat that decided, the next one and so on.
        seats: (N,) int64, who decided.
        games: (N,) int64, which game it was: `SelfPlayGames.number`.
    """

    numbers: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    policies: NDArray[np.float16]
    searched: NDArray[np.bool_]
    expected: NDArray[np.float32]
    seats: NDArray[np.int64]
    games: NDArray[np.int64]

    @classmethod
    def none(cls, features: int, actions: int, players: int) -> OpenDecisions:
        """No rows."""
        return cls(
            np.zeros((0, features), np.uint8),
            np.zeros((0, -(-actions // 8)), np.uint8),
            np.zeros((0, actions), np.float16),
            np.zeros(0, np.bool_),
            np.zeros((0, players), np.float32),
            np.zeros(0, np.int64),
            np.zeros(0, np.int64),
        )


@dataclass(frozen=True)
class Endings:
    """The results of K games.

    Attributes:
        games: (K,) int64, which games, each once: `SelfPlayGames.number`.
        rewards: (K, P) float32, by seat.
        prestige: (K, P) float32, by seat.
    """

    games: NDArray[np.int64]
    rewards: NDArray[np.float32]
    prestige: NDArray[np.float32]


@dataclass(frozen=True)
class Lessons(Columns):
    """N decisions with their training targets.

    Attributes:
        numbers, masks, policies, searched: as in `OpenDecisions`.
        values: (N, V) float32, the value targets: of the seat that decided, and for V = P of those after it.
        prestige: (N, P) float32, what each seat had at the end, from the seat that decided on.
    """

    numbers: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    policies: NDArray[np.float16]
    searched: NDArray[np.bool_]
    values: NDArray[np.float32]
    prestige: NDArray[np.float32]

    @classmethod
    def none(cls, features: int, actions: int, players: int, values: int) -> Lessons:
        """No rows."""
        no = OpenDecisions.none(features, actions, players)
        return cls(no.numbers, no.masks, no.policies, no.searched, np.zeros((0, values), np.float32), no.expected)


def taught_by(
    decisions: OpenDecisions, endings: Endings, values: int, search_share: float
) -> tuple[Lessons, OpenDecisions]:
    """Split decisions into lessons from games that have ended, and decisions of games in progress.

    Args:
        decisions: in any order.
        endings: of the games that have ended.
        values: V, of the network.
        search_share: how much of a value target is what the search expected; the rest is the reward. Where there was
            no search all of it is the reward.
    """
    order = np.argsort(endings.games)
    known = endings.games[order]
    place = np.searchsorted(known, decisions.games)
    over = place < len(known)
    over[over] = known[place[over]] == decisions.games[over]
    done, of = decisions.take(over), order[place[over]]
    players = decisions.expected.shape[1]
    seats = (done.seats[:, None] + np.arange(players)) % players
    rewards = np.take_along_axis(endings.rewards[of], seats, 1)
    share = np.where(done.searched, np.float32(search_share), np.float32(0))[:, None]
    targets = (rewards + share * (done.expected - rewards))[:, :values]
    prestige = np.take_along_axis(endings.prestige[of], seats, 1)
    lessons = Lessons(done.numbers, done.masks, done.policies, done.searched, targets, prestige)
    return lessons, decisions.take(~over)


class ReplayBuffer:
    """Keeps the newest lessons and draws from them at random.

    Args:
        room: the capacity: at least this many lessons are kept, and the oldest are forgotten in the portions in
            which they came.
        like: lessons without rows, whose columns are those of all others.
    """

    def __init__(self, room: int, like: Lessons) -> None:
        self._room, self._like = room, like
        self._portions: list[Lessons] = []
        self._packed: list[dict[str, torch.Tensor] | None] = []  # by portion, since one that is kept is packed once
        self._ends = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def add(self, lessons: Lessons) -> None:
        """Add the newest lessons, and forget the oldest ones beyond the capacity."""
        if not len(lessons):
            return
        self._portions.append(lessons)
        self._packed.append(None)
        total = len(self) + len(lessons)
        while total - len(self._portions[0]) >= self._room:
            total -= len(self._portions.pop(0))
            self._packed.pop(0)
        self._ends = np.cumsum([len(portion) for portion in self._portions])

    def draw(self, count: int) -> Lessons:
        """Lessons drawn at random by PyTorch's generator; one may be drawn twice.

        Args:
            count: how many; the buffer must not be empty.
        """
        drawn = np.sort(torch.randint(len(self), (count,)).numpy())  # their order does not matter
        portion = np.searchsorted(self._ends, drawn, side="right")
        first, *others = (
            self._portions[number].take(drawn[portion == number] - self._ends[number] + len(self._portions[number]))
            for number in np.unique(portion)
        )
        return first.followed_by(*others)

    def state(self) -> list[dict[str, torch.Tensor]]:
        """All lessons as bytes, for `restore`."""
        self._packed = [
            portion.packed() if packed is None else packed
            for portion, packed in zip(self._portions, self._packed, strict=True)
        ]
        return [packed for packed in self._packed if packed is not None]

    def restore(self, state: list[dict[str, torch.Tensor]]) -> None:
        """Take over lessons that `state` returned.

        Raises:
            ValueError: they are not like those of this buffer.
        """
        self._portions = [self._like.unpacked(packed) for packed in state]
        self._packed = list(state)
        self._ends = np.cumsum([len(portion) for portion in self._portions], dtype=np.int64)
