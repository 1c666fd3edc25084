"""The match loop: the same deals for every seating, in batches, decided by nothing but the seed.

Shape letters: P players, S seats, G games, D deals; G = D x P, since a deal is played once for each rotation of the
line-up (without rotation G = D). S is P, but 2 in the solo game, where seat 1 is Ivan's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.record import Recorder
from rc_env.ruleset import Ruleset
from rc_env.training.arena import referee

ROWS = 4096  # games at once; a constant, so that it cannot change what is drawn
RESAMPLES = 10_000


@dataclass(frozen=True)
class Share:
    """A mean over deals with its 95 % interval; `games` and `deals` are what it rests on."""

    mean: float
    low: float
    high: float
    games: int
    deals: int


@dataclass(frozen=True)
class Match:
    """What came of G games. Game `P * d + r` is deal d in rotation r: entrant e sits on seat (e + r) % P.

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
    """

    names: tuple[str, ...]
    entrant: NDArray[np.int64]
    prestige: NDArray[np.int32]
    place: NDArray[np.int32]
    turns: NDArray[np.int32]
    truncated: NDArray[np.bool_]
    decisions: int
    rotations: int

    def of(self, values: NDArray, entrant: int) -> NDArray:
        """(G,) of (G, S) values by seat: those of an entrant."""
        return values[self.entrant == entrant]

    @property
    def wins(self) -> NDArray[np.float64]:
        """(G, S) float64, by seat: 1 for a win, split evenly where it is shared."""
        first = self.place == 0
        return first / first.sum(1, keepdims=True)

    def share(self, entrant: int = 0, seed: int = 0) -> Share:
        """Share of the games that an entrant won, with the interval of `interval`; `seed` is that of the bootstrap."""
        return interval(self.of(self.wins, entrant).reshape(-1, self.rotations).mean(1), self.rotations, seed)

    def part(self, deals: NDArray[np.bool_]) -> Match:
        """The games of some deals, given as (D,) bool; `decisions` stays that of all games."""
        keep = np.repeat(deals, self.rotations)
        fields = ("entrant", "prestige", "place", "turns", "truncated")
        return replace(self, **{name: getattr(self, name)[keep] for name in fields})


class Watcher(Protocol):
    """Is told of every decision of a match, before and after; `games` (N,) are their numbers as in `Match`."""

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """These actions are about to be played in these rows; they may be illegal."""
        ...

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """They were played. Games that ended still stand in their rows."""
        ...


def interval(deals: NDArray[np.float64], games_per_deal: int = 1, seed: int = 0) -> Share:
    """Mean of (D,) shares from 0 to 1, one a deal, with its 95 % interval by bootstrap over deals.

    Games of one deal are not independent of each other: the deal is the unit. Where every deal came out 0, or every one
    1, a bootstrap would know no doubt: there the bound is that of Clopper and Pearson.
    """
    count = len(deals)
    values, times = np.unique(deals, return_counts=True)
    # How often each value is drawn in a resample of all deals: quicker than drawing deal by deal, and the same.
    drawn = np.random.default_rng(seed).multinomial(count, times / count, RESAMPLES) @ values / count
    low, high = np.quantile(drawn, (0.025, 0.975))
    if len(values) == 1 and values[0] in (0.0, 1.0):
        doubt = 1 - 0.025 ** (1 / count)
        low, high = (0.0, doubt) if values[0] == 0 else (1 - doubt, 1.0)
    return Share(float(deals.mean()), float(low), float(high), count * games_per_deal, count)


def play_match(
    bots: Sequence[Bot],
    deals: int,
    ruleset: Ruleset | None = None,
    *,
    seed: int = 0,
    threads: int = 1,
    progress: Callable[[int], object] | None = None,
    rotate: bool = True,
    recorder: Recorder | None = None,
    rubles: Sequence[int] | None = None,
    limit: float | None = None,
    watcher: Watcher | None = None,
) -> Match:
    """Play every deal once for each rotation of the line-up, with equal dice (R-5: seat 0 moves first).

    Args:
        bots: P of them, one a seat; the same bot may be named several times.
        deals: D.
        ruleset: the variant; by default two players, basic workshops.
        seed: of the deals and, apart from them, of each bot's own choices.
        threads: of the engine; they change nothing.
        progress: called with the number of games that have just ended.
        rotate: with False each deal is played once, bot i on seat i.
        recorder: writes the games down, numbered as in `Match`; of a match of its own, or after another one's games.
        rubles: P of them, by seat, on top of the starting rubles: a handicap.
        limit: seconds a decision, on average over the games that a bot is asked about at once.
        watcher: is told of every decision.

    Raises:
        ValueError: not as many bots as seats, no deal at all, or rubles that do not fit.
        referee.BotError: a bot raised, was late, or chose an illegal action. Its `match` is what was over by then.
    """
    ruleset = Ruleset() if ruleset is None else ruleset
    players = ruleset.players
    if len(bots) != players:
        raise ValueError(f"bots: {len(bots)} found, expected {players}, one a seat")
    if deals < 1:
        raise ValueError(f"deals: {deals!r} found, expected a whole number of at least 1")
    extra = _checked_rubles(rubles, ruleset, recorder)
    different = list({id(bot): bot for bot in bots}.values())
    plays = np.array([[one is bot for one in different].index(True) for bot in bots])

    rotations = players if rotate else 1
    games = deals * rotations
    keys = np.repeat(np.random.SeedSequence([seed, 0]).generate_state(deals, np.uint64), rotations)
    entrant = (np.arange(players) - np.arange(games)[:, None] % rotations) % players
    entrant = np.pad(entrant, ((0, 0), (0, ruleset.seats - players)), constant_values=-1)
    prestige, place = np.zeros((games, ruleset.seats), np.int32), np.zeros((games, ruleset.seats), np.int32)
    turns, truncated = np.zeros(games, np.int32), np.zeros(games, np.bool_)

    def match(decisions: int) -> Match:
        names = tuple(bot.name for bot in bots)
        return Match(names, entrant, prestige, place, turns, truncated, decisions, rotations)

    engine = Engine(ruleset, min(games, ROWS), seed, threads=threads)
    rows = np.arange(engine.num_games)
    game = rows.copy()  # which game each row plays
    _deal(engine, rows, keys[game], extra)
    if recorder is not None:
        recorder.attach(engine)
    begun, decisions, number = len(rows), 0, 0
    try:
        for number, bot in enumerate(different):
            referee.start_over(bot, int(np.random.SeedSequence([seed, 1, number]).generate_state(1)[0]))
        while len(rows):
            seat = engine.seat[rows]
            who = plays[entrant[game[rows], seat]]
            for number in np.unique(who):
                at = rows[who == number]
                actions = referee.ask(different[number], Position.of(engine, at), limit)
                if watcher is not None:
                    watcher.before(engine, at, actions, game[at])
                engine.step(actions, at)
                decisions += len(at)
                if engine.illegal[at].any():
                    wrong = actions[engine.illegal[at]][0]
                    raise referee.BotError(different[number].name, f"action {wrong} found, expected a legal one")
                if watcher is not None:
                    watcher.after(engine, at, game[at])
                if not len(engine.ended):
                    continue
                over, ended = engine.ended, game[engine.ended]
                results = engine.results(over)
                prestige[ended], place[ended] = results.prestige, results.place
                turns[ended], truncated[ended] = engine.games.turn[over], engine.truncated[over]
                if progress is not None:
                    progress(len(over))
                more = over[: games - begun]
                game[more] = np.arange(begun, begun + len(more))
                begun += len(more)
                if len(more):
                    _deal(engine, more, keys[game[more]], extra)
            rows = rows[engine.seat[rows] >= 0]
    except referee.BotError as error:
        error.entrant = int(np.flatnonzero(plays == number)[0])
        whole = np.asarray((turns > 0).reshape(-1, rotations).all(1))
        error.match = match(decisions).part(whole) if whole.any() else None
        raise
    return match(decisions)


def _checked_rubles(
    rubles: Sequence[int] | None, ruleset: Ruleset, recorder: Recorder | None
) -> NDArray[np.int32] | None:
    """(P,) int32 to add, or None."""
    if rubles is None or not np.any(rubles):
        return None
    extra = np.asarray(rubles)
    if extra.shape != (ruleset.players,) or extra.dtype.kind not in "iu":
        raise ValueError(f"rubles: {rubles!r} found, expected {ruleset.players} whole numbers, one a seat")
    starting = ruleset.rules[0].starting_rubles[: ruleset.players]
    if (starting + extra < 0).any():
        raise ValueError(f"rubles: {rubles!r} found, expected none that leaves a seat with fewer than 0")
    if recorder is not None:
        raise ValueError("rubles: some found with a recorder, expected one of them: a record tells of no handicap")
    return extra.astype(np.int32)


def _deal(
    engine: Engine, rows: NDArray[np.int64], keys: NDArray[np.unsignedinteger], extra: NDArray[np.int32] | None
) -> None:
    """New games, with extra rubles by seat."""
    engine.reset(rows, deal_seeds=keys)
    if extra is not None:
        dealt = engine.clone(rows, same_future=True)
        dealt["rubles"][:, : len(extra)] += extra
        engine.restore(dealt, rows)
