"""The match loop: the same deals for every seating, in batches, decided by nothing but the seed.

Shape letters: P players, S seats, G games, D deals; G = D x P, since a deal is played once for each rotation of the
line-up (without rotation G = D). S is P, but 2 in the solo game, where seat 1 is Ivan's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from rc_env import checks, seating
from rc_env.agents.registry import from_text
from rc_env.agents.thoughts import Thoughts
from rc_env.arena import referee
from rc_env.arena.intervals import Interval, share_interval
from rc_env.batch import Listener
from rc_env.bot import Bot, Position, checked_bot
from rc_env.engine import Engine
from rc_env.record import Recorder
from rc_env.ruleset import Ruleset

Progress = Callable[[int], object]
"""A callback that receives the number of games that have just ended."""

MOST_DEALS = 10**8
MOST_RUBLES = 10_000
ROWS = 4096  # games at once; a constant, so that it cannot change what is drawn


@dataclass(frozen=True)
class Match:
    """The results of G games. Game `P * d + r` is deal d in rotation r: entrant e sits on seat (e + r) % P.

    Without rotation game d is deal d, and entrant e sits on seat e.

    Attributes:
        names: P names, one an entrant.
        entrant: (G, S) int64, who sat on each seat; -1 for Ivan.
        prestige: (G, S) int32, final, by seat.
        place: (G, S) int32, from 0, by seat; tied seats share the better place.
        turns: (G,) int32, turns begun by anyone.
        truncated: (G,) bool, games that reached the turn limit; they are scored like the others.
        decisions: how many were taken in all games together.
        rotations: how often each deal was played: P, or 1 without rotation.
        luck: (G, P) float64, what the rolls brought each seat, in win chance; None if that was not measured.

    Example:
        >>> from rc_env import play_match
        >>> match = play_match(["greedy", "random"], deals=5, seed=1)
        >>> int(match.of(match.place, entrant=0).max())  # greedy won every game
        0
    """

    names: tuple[str, ...]
    entrant: NDArray[np.int64]
    prestige: NDArray[np.int32]
    place: NDArray[np.int32]
    turns: NDArray[np.int32]
    truncated: NDArray[np.bool_]
    decisions: int
    rotations: int
    luck: NDArray[np.float64] | None = None

    def of(self, values: NDArray, entrant: int) -> NDArray:
        """The values of one entrant, (G,), out of (G, S) values by seat.

        Raises:
            ValueError: the values have another shape, or there is no such entrant.
        """
        entrant = checks.whole_number("entrant", entrant, 0, len(self.names) - 1)
        if not isinstance(values, np.ndarray) or values.shape != self.entrant.shape:
            checks.refuse("values", values, f"an array of shape {self.entrant.shape}, one value per game and seat")
        return np.asarray(values)[self.entrant == entrant]

    @property
    def wins(self) -> NDArray[np.float64]:
        """Wins by seat, (G, S) float64: 1 for a win, split evenly among those who share it."""
        first = self.place == 0
        return first / first.sum(1, keepdims=True)

    def share(self, entrant: int = 0, seed: int = 0) -> Interval:
        """Share of the games that an entrant won, with its interval over deals; `seed` is that of the bootstrap.

        Raises:
            ValueError: the entrant does not exist, or `seed` is not a seed.
        """
        seed = checks.seed("seed", seed)
        deals = self.of(self.wins, entrant).reshape(-1, self.rotations).mean(1)
        return share_interval(deals, self.rotations, seed)

    def part(self, deals: NDArray[np.bool_]) -> Match:
        """The games of the deals marked in a (D,) bool array; `decisions` stays the count of all games.

        Raises:
            ValueError: the array does not hold one bool per deal.
        """
        count = len(self.turns) // self.rotations
        if not isinstance(deals, np.ndarray) or deals.dtype != np.bool_ or deals.shape != (count,):
            checks.refuse("deals", deals, f"a bool array of shape ({count},), an entry a deal")
        keep = np.repeat(np.asarray(deals), self.rotations)
        luck = None if self.luck is None else self.luck[keep]
        return replace(self, luck=luck, **{name: getattr(self, name)[keep] for name in _BY_GAME})


_BY_GAME = ("entrant", "prestige", "place", "turns", "truncated")


def join_matches(matches: Sequence[Match]) -> Match:
    """The games of all matches, which the same entrants played one after the other."""
    parts: dict[str, Any] = {name: np.concatenate([getattr(one, name) for one in matches]) for name in _BY_GAME}
    found = [one.luck for one in matches if one.luck is not None]
    luck = np.concatenate(found) if len(found) == len(matches) else None
    return replace(matches[0], decisions=sum(one.decisions for one in matches), luck=luck, **parts)


class BrokenMatch(referee.BotError):
    """A match ended early, since a bot raised an exception, was late, or chose an illegal action.

    Attributes:
        entrant: the first entrant that the bot plays for.
        match: the deals that were finished in every rotation by then; None if there were none.
    """

    def __init__(self, error: referee.BotError, entrant: int, match: Match | None) -> None:
        super().__init__(error.bot, error.what)
        self.entrant, self.match = entrant, match


class Watcher(Protocol):
    """Observer of a match, called before and after every decision; `games` (N,) are numbers of games as in `Match`.

    Example:
        >>> from rc_env import play_match
        >>> class Turns:
        ...     deepest = 0
        ...     def before(self, engine, rows, actions, games):
        ...         self.deepest = max(self.deepest, int(engine.games.turn[rows].max()))
        ...     def after(self, engine, rows, games): ...
        >>> turns = Turns()
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, watcher=turns)
        >>> turns.deepest > 10
        True
    """

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """Called before actions are played in these rows; the actions may be illegal."""
        ...

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """Called after the actions were played. Games that ended are still in their rows."""
        ...


def play_match(
    bots: Sequence[Bot | str],
    deals: int,
    ruleset: Ruleset | None = None,
    *,
    seed: int = 0,
    progress: Progress = lambda games: None,
    rotate: bool = True,
    recorder: Recorder | None = None,
    rubles: Sequence[int] | None = None,
    limit: float | None = None,
    watcher: Watcher | None = None,
    first: int = 0,
) -> Match:
    """Play every deal once for each rotation of the line-up, with equal dice (R-5: seat 0 moves first).

    Args:
        bots: P of them, one per seat, each a bot or its name ("greedy", "search:simulations=64"); the same may stand on
            several seats.
        deals: D, 1 to 100,000,000.
        ruleset: the variant; by default two players, basic workshops.
        seed: of the deals and, apart from them, of each bot's own choices; a whole number from 0 to 2^64 - 1.
        progress: called with the number of games that have just ended.
        rotate: with False each deal is played once, bot i on seat i.
        recorder: records the games, numbered as in `Match`, after the games that it has recorded already.
        rubles: P of them, by seat, on top of the starting rubles: a handicap.
        limit: seconds a decision, on average over the games that a bot is asked about at once; up to a day.
        watcher: observer called before and after every decision.
        first: number of the seed's deals to leave out, so that a long match can be played in parts. The deals are
            those of the whole match, but the bots' own choices by chance are others in each part.

    Raises:
        ValueError: not as many bots as seats, or another argument does not fit; nothing was played.
        BrokenMatch: a bot raised, was late, or chose an illegal action.

    Example:
        >>> from rc_env import play_match
        >>> match = play_match(["greedy", "random"], deals=5, seed=1)
        >>> match.prestige.shape
        (10, 2)
        >>> match.share(0).mean
        1.0
    """
    ruleset = Ruleset() if ruleset is None else checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        checks.refuse("bots", bots, f"a list of {ruleset.players}, one per seat")
    if len(bots) != ruleset.players:
        raise ValueError(f"a match of {ruleset.players} players needs as many bots, one per seat; got {len(bots)}")
    deals = checks.whole_number("deals", deals, 1, MOST_DEALS)
    first = checks.whole_number("first", first, 0, MOST_DEALS - deals)
    seed, rotate = checks.seed("seed", seed), checks.flag("rotate", rotate)
    check_progress(progress)
    if recorder is not None:
        checks.instance("recorder", recorder, Recorder, "a Recorder")
    referee.check_limit(limit)
    for name in ("before", "after") if watcher is not None else ():
        if not callable(getattr(watcher, name, None)):
            checks.refuse("watcher", watcher, f"an object with {name}(): see Watcher")
    extra = _checked_rubles(rubles, ruleset, recorder)
    made = {name: from_text(name) for name in bots if isinstance(name, str)}
    seated = [made[bot] if isinstance(bot, str) else checked_bot("bots", bot) for bot in bots]
    running = _Running(_Seating(seated, slice(first, first + deals), ruleset, seed, rotate), ruleset, seed, extra)
    if recorder is not None:
        recorder.attach(running.engine)
    try:
        for number, bot in enumerate(running.seated.different):
            words = [seed, 1, number] + [first] * (first > 0)  # each part of a long match has choices of its own
            referee.start_over(bot, int(np.random.SeedSequence(words).generate_state(1)[0]))
        while running.waiting():
            running.play_round(progress, limit, watcher)
    except referee.BotError as error:
        entrant = next(entrant for entrant, bot in enumerate(seated) if bot is error.bot)
        raise BrokenMatch(error, entrant, running.finished_part()) from error
    return running.match()


def check_progress(progress: Progress) -> None:
    """Check that `progress` can be called with a number of games, before any is played.

    Raises:
        ValueError: it is not callable.
    """
    if not callable(progress):
        checks.refuse("progress", progress, "a function of a number of games")


class _Seating:
    """The seating and the deal of each of the G games.

    Attributes:
        names: P names, one an entrant.
        different: the bots, each once.
        plays: (P,) the place in `different` of each entrant's bot.
        rotations: as in `Match`.
        keys: (G,) uint64, the seed of each game's deal.
        entrant: (G, S) as in `Match`.
    """

    def __init__(self, bots: Sequence[Bot], deals: slice, ruleset: Ruleset, seed: int, rotate: bool) -> None:
        players = ruleset.players
        self.names = tuple(bot.name for bot in bots)
        self.different = list({id(bot): bot for bot in bots}.values())
        self.plays = np.array([[one is bot for one in self.different].index(True) for bot in bots])
        self.rotations = players if rotate else 1
        keys = np.random.SeedSequence([seed, 0]).generate_state(deals.stop, np.uint64)
        self.keys = np.repeat(keys[deals], self.rotations)
        entrant = (np.arange(players) - np.arange(len(self.keys))[:, None] % self.rotations) % players
        self.entrant = np.pad(entrant, ((0, 0), (0, ruleset.seats - players)), constant_values=-1)


class _Running:
    """A match in progress: the rows of an engine, the game that each row plays, and the results of finished games."""

    def __init__(self, seated: _Seating, ruleset: Ruleset, seed: int, extra: NDArray[np.int32] | None) -> None:
        self.seated = seated
        games = len(seated.keys)
        self.engine = Engine(ruleset, min(games, ROWS), seed)
        self._extra = extra
        self._rows = np.arange(self.engine.num_games)  # rows whose game is not over
        self._game = self._rows.copy()  # the number of the game in each row
        self._begun, self._decisions = len(self._rows), 0
        self._prestige, self._place = (np.zeros((games, ruleset.seats), np.int32) for _ in range(2))
        self._turns, self._truncated = np.zeros(games, np.int32), np.zeros(games, np.bool_)
        self._deal(self._rows)

    def waiting(self) -> bool:
        """Whether any game waits for a decision."""
        return len(self._rows) > 0

    def play_round(self, progress: Progress, limit: float | None, watcher: Watcher | None) -> None:
        """One decision in each game that is not over, a batch for each bot; see `play_match`."""
        engine, seated, rows = self.engine, self.seated, self._rows
        who = seated.plays[seated.entrant[self._game[rows], engine.seat[rows]]]

        def ask(bot: Bot, at: NDArray[np.int64]) -> NDArray:
            return referee.ask(bot, Position.of(engine, at), limit)

        for number, places, actions in seating.choices(enumerate(seated.different), who, rows, ask):
            at = rows[places]
            games = self._game[at]
            if watcher is not None:
                watcher.before(engine, at, actions, games)
            if engine.recorder is not None:
                _note(engine.recorder, at, seated.different[number])
            self._decisions += len(at)
            seating.step(engine, at, actions, partial(_refuse, seated.different[number]))
            if watcher is not None:
                watcher.after(engine, at, games)
            if len(engine.ended):
                progress(self._end(engine.ended))
        self._rows = rows[engine.seat[rows] >= 0]

    def _end(self, over: NDArray[np.int64]) -> int:
        """Store the results of the games that ended in these rows, deal the next games there, and return how many
        ended."""
        engine, ended = self.engine, self._game[over]
        results = engine.results(over)
        self._prestige[ended], self._place[ended] = results.prestige, results.place
        self._turns[ended], self._truncated[ended] = engine.games.turn[over], engine.truncated[over]
        following = over[: len(self._turns) - self._begun]
        self._game[following] = np.arange(self._begun, self._begun + len(following))
        self._begun += len(following)
        if len(following):
            self._deal(following)
        return len(over)

    def _deal(self, rows: NDArray[np.int64]) -> None:
        """Deal new games, with extra rubles by seat."""
        self.engine.reset(rows, deal_seeds=self.seated.keys[self._game[rows]])
        if self._extra is not None:
            dealt = self.engine.clone(rows, same_future=True).copy()  # a clone is read-only
            dealt["rubles"][:, : len(self._extra)] += self._extra
            self.engine.restore(dealt, rows)

    def match(self) -> Match:
        """The results so far, 0 for unfinished games."""
        seated = self.seated
        results = (self._prestige, self._place, self._turns, self._truncated)
        return Match(seated.names, seated.entrant, *results, self._decisions, seated.rotations)

    def finished_part(self) -> Match | None:
        """The results of the deals that are finished in every rotation, or None."""
        whole = np.asarray((self._turns > 0).reshape(-1, self.seated.rotations).all(1))
        return self.match().part(whole) if whole.any() else None


def _note(recorder: Listener, rows: NDArray[np.int64], bot: Bot) -> None:
    """Pass the thoughts of the bot that has just decided in these rows to a recorder that writes them."""
    thoughts = getattr(bot, "thoughts", None)
    if isinstance(recorder, Recorder) and recorder.thoughts and isinstance(thoughts, Thoughts):
        for place, row in enumerate(rows.tolist()):
            recorder.note(row, thoughts.for_record(place))


def _refuse(bot: Bot, row: int, action: int) -> NoReturn:
    raise referee.BotError(bot, f"action {action} is not legal here")


def _checked_rubles(
    rubles: Sequence[int] | None, ruleset: Ruleset, recorder: Recorder | None
) -> NDArray[np.int32] | None:
    """Return the extra rubles by seat as (P,) int32, or None."""
    if rubles is None:
        return None
    words = f"{ruleset.players} whole numbers"
    extra = checks.whole_numbers("rubles", rubles, (ruleset.players,), -MOST_RUBLES, MOST_RUBLES, words)
    if not extra.any():
        return None
    starting = ruleset.rules[0].starting_rubles[: ruleset.players]
    if (starting + extra < 0).any():
        raise ValueError(f"rubles must leave every seat with 0 or more, not {checks.shown(rubles)}")
    if recorder is not None:
        raise ValueError("rubles and a recorder exclude each other: a record cannot hold a handicap")
    return extra.astype(np.int32)
