"""Lets bots play and records their games, in pieces that depend on nothing but their own seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from threadpoolctl import threadpool_limits

from rc_env import agents
from rc_env.arena import jobs, match
from rc_env.arena.journal import Journal, key_of
from rc_env.arena.seeds import part_seed
from rc_env.record import Recorder
from rc_env.record.recorder import Sink
from rc_env.ruleset import Ruleset

AT_ONCE = 64  # games; each keeps its positions until it is over


@dataclass(frozen=True)
class Piece:
    """Games that are played together, in words that can be sent to another process.

    Attributes:
        number, first, games: the number of the piece, of its first game, and of games in it.
        seed: of the deals, the dice and the bots.
        bots: one for all seats or one per seat, each as `rc_env.agents.from_text` takes it.
        variant: what `Ruleset` takes.
        legal, state, thoughts: as for `Recorder`.
    """

    number: int
    first: int
    games: int
    seed: int
    bots: tuple[str, ...]
    variant: jobs.Variant
    legal: bool
    state: bool
    thoughts: bool


def play(piece: Piece, sink: Sink, progress: match.Progress = lambda games: None) -> None:
    """Play a piece; the records go to a sink, numbered from 0.

    Raises:
        BrokenMatch: a bot could not go on.
    """
    ruleset = jobs.ruleset_of(piece.variant)
    seats = ruleset.players if len(piece.bots) == 1 else 1
    bots, names = [agents.from_text(name) for name in piece.bots] * seats, [*piece.bots] * seats
    recorder = Recorder(sink, legal=piece.legal, state=piece.state, thoughts=piece.thoughts, meta={"bots": names})
    with threadpool_limits(1):  # the last digits of a matrix product depend on the number of threads
        match.play_match(
            bots, piece.games, ruleset, seed=piece.seed, progress=progress, rotate=False, recorder=recorder
        )


def played(piece: Piece) -> tuple[list[tuple[int, str]], str | None]:
    """The numbers and records of a piece, from `play`; and the error of a bot that failed, if one did."""
    records: list[tuple[int, str]] = []
    try:
        play(piece, lambda number, text: records.append((number, text)))
    except match.BrokenMatch as error:
        return records, str(error)
    return records, None


def cut(games: int, seed: int, bots: Sequence[str], ruleset: Ruleset, **what: bool) -> list[Piece]:
    """The pieces of some games; `what` is recorded, as `Piece` names it."""
    return [
        Piece(
            number, first, min(AT_ONCE, games - first), part_seed(seed, number), tuple(bots), jobs.variant_of(ruleset),
            **what,
        )
        for number, first in enumerate(range(0, games, AT_ONCE))
    ]  # fmt: skip


def record_pieces(
    pieces: Sequence[Piece],
    write: Sink,
    journal: Journal,
    pool: jobs.Workers | None = None,
    progress: match.Progress = lambda games: None,
) -> None:
    """Play the pieces that a journal does not have, and write their records.

    Args:
        pieces: of all games.
        write: called with the number of a game and its record.
        journal: keeps which pieces are done.
        pool: where they are played, a piece's records together; by default in this process, each as its game ends.
        progress: called with the number of games just played, those that the journal has included.

    Raises:
        ValueError: a bot could not go on.
    """
    left = [piece for piece in pieces if _key(piece) not in journal.done]
    progress(sum(piece.games for piece in pieces) - sum(piece.games for piece in left))
    if pool is None:
        for piece in left:
            play(piece, _from(piece.first, write), progress)
            journal.add(_key(piece), piece.games)
        return
    for piece, (records, failure) in zip(left, pool.apply(played, left), strict=True):
        for number, text in records:
            write(piece.first + number, text)
        if failure is not None:
            raise ValueError(failure)
        journal.add(_key(piece), piece.games)
        progress(piece.games)


def _key(piece: Piece) -> str:
    """The key of a piece in the journal."""
    return key_of(asdict(piece))


def _from(first: int, write: Sink) -> Sink:
    """A sink for games that are counted from `first` on."""
    return lambda number, text: write(first + number, text)
