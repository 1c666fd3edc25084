"""What holds for all cards that are possible: seats, game length, actions and the ladder of the bots on drawn sets.

Every set is measured by itself, with deals of its own; a random-effects model (`over_sets.py`) then says what holds for
all sets that might be drawn. docs/uncertainty.md has the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rc_env.arena import jobs, standings, tournament
from rc_env.arena.figures import ANY, SHARE, Figure, joined, rounded
from rc_env.arena.intervals import Intervals
from rc_env.arena.match import Progress
from rc_env.arena.over_sets import OverSets, errors_of, over_sets
from rc_env.arena.results import versions
from rc_env.arena.seeds import part_seed
from rc_env.arena.studies import first_player, handicap, stats, uncertainty
from rc_env.ruleset import Ruleset

GAMES, LADDER_GAMES = 2000, 400
LADDER = ("random", "rush", "majority", "guilds", "greedy", "all_rounder")
HOLDS = 0.95
"""The share of the sets in which a statement has to be true for it to be reported as holding."""


@dataclass(frozen=True)
class Players:
    """What holds over the sets with one number of players.

    Attributes:
        seats: the share of the games that each seat wins.
        turns, decisions: turns of a seat, and decisions of a game.
        actions: how often a seat uses each action that is used on every set.
        equal: the extra rubles of seat 2 of 2 at which the seats are equal; None if they were not searched for, or
            could not be determined on one of the sets.
        first_seat: the share that the first seat won on each set.
    """

    seats: tuple[OverSets, ...]
    turns: OverSets
    decisions: OverSets
    actions: Mapping[str, OverSets]
    equal: OverSets | None
    first_seat: tuple[Figure, ...]

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            "seats": [one.as_json() for one in self.seats],
            "turns": self.turns.as_json(),
            "decisions": self.decisions.as_json(),
            "actions": {kind: one.as_json() for kind, one in self.actions.items()},
            "equal": None if self.equal is None else self.equal.as_json(),
            "first_seat": [[one.mean, one.low, one.high] for one in self.first_seat],
        }


@dataclass(frozen=True)
class Ladder:
    """What holds over the sets of the bots, two players.

    Attributes:
        won: the share of its games that each bot wins against all others.
        before: by row and column, how often the row finishes before the column.
    """

    won: Mapping[str, OverSets]
    before: Mapping[str, Mapping[str, OverSets]]

    @property
    def order(self) -> list[str]:
        """The bots, the strongest first."""
        return sorted(self.won, key=lambda bot: -self.won[bot].mean)

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        before = {bot: {other: one.as_json() for other, one in others.items()} for bot, others in self.before.items()}
        return {"won": {bot: one.as_json() for bot, one in self.won.items()}, "before": before}


@dataclass(frozen=True)
class Numbers:
    """Which numbers matter.

    Attributes:
        prediction: of the share that the first of two seats wins.
        first_seat: what holds of that share over the sets.
        real: the share of its variance between the sets that is no sampling error.
    """

    prediction: uncertainty.Prediction
    first_seat: OverSets
    real: float | None

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {**self.prediction.as_json(), "first_seat": self.first_seat.as_json(), "real": self.real}


@dataclass(frozen=True)
class Statement:
    """A sentence about the game, and the share of the sets in which it is true, without sampling errors."""

    sentence: str
    share: float
    holds: bool

    @classmethod
    def of(cls, sentence: str, share: float) -> Statement:
        """A sentence, and whether it holds."""
        return cls(sentence, round(share, 4), share >= HOLDS)


@dataclass(frozen=True)
class Conclusions:
    """The results of the study.

    Attributes:
        ruleset: the variant, with the first of the sets.
        bot: played against itself.
        seed: of deals and choices.
        sets: the sets, by their full name.
        command: the command line that repeats it.
        players: by number of players.
        ladder: of the bots.
        numbers: which numbers matter; None if that was not measured.
    """

    ruleset: Ruleset
    bot: str
    seed: int
    sets: str
    command: str
    players: Mapping[int, Players]
    ladder: Ladder
    numbers: Numbers | None

    @property
    def statements(self) -> list[Statement]:
        """Sentences about the game."""
        found = []
        for players, part in self.players.items():
            for seat, one in enumerate(part.seats, 1):
                above = one.share_above(1 / players)
                word, share = ("more", above) if above >= 0.5 else ("less", 1 - above)
                found.append(Statement.of(f"With {players} players seat {seat} wins {word} than its share.", share))
            if part.equal is not None:
                sentence = "Seat 2 of 2 needs more rubles than the rules give it for the seats to be equal."
                found.append(Statement.of(sentence, part.equal.share_above(0)))
        for better, worse in pairwise(self.ladder.order):
            share = self.ladder.before[better][worse].share_above(0.5)
            found.append(Statement.of(f"{better} beats {worse}.", share))
        return found

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        return {
            "bot": self.bot,
            "seed": self.seed,
            "sets": self.sets,
            "command": self.command,
            "versions": versions(self.ruleset),
            "players": {str(players): part.as_json() for players, part in self.players.items()},
            "ladder": self.ladder.as_json(),
            "numbers": None if self.numbers is None else self.numbers.as_json(),
            "statements": [vars(one) for one in self.statements],
        }


@dataclass(frozen=True)
class SetsStudy:
    """Plays the games of each part of the study, each set with deals of its own.

    Attributes:
        pool: where games are played.
        bot: plays against itself, as `rc_env.agents.from_text` takes it.
        seed: of deals and choices.
        games: of each set and number of players.
        turn_limit: turns of all seats together after which a game is scored.
        progress: called with the number of games just played.
        tell: called with the part and the set that are measured next.
    """

    pool: jobs.Workers
    bot: str
    seed: int = 0
    games: int = GAMES
    turn_limit: int = Ruleset.turn_limit
    progress: Progress = lambda games: None
    tell: Callable[[str], object] = lambda words: None

    def ruleset(self, players: int, name: str) -> Ruleset:
        """The variant with one of the sets."""
        return Ruleset(players, data=name, turn_limit=self.turn_limit)

    def _seed(self, part: int, place: int) -> int:
        return part_seed(part_seed(self.seed, part), place)

    def players(self, names: Sequence[str], players: int, search: bool = False) -> Players:
        """Win shares by seat, game length and use of actions, with one number of players.

        Args:
            names: of the sets.
            players: 2 to 4.
            search: with two players also search for the rubles that make the seats equal.
        """
        summaries, seats, equal = [], [], []
        for place, name in enumerate(names):
            self.tell(f"{players} players, {name}")
            ruleset, seed = self.ruleset(players, name), self._seed(players, place)
            watched = stats.sample(self.pool, [self.bot], ruleset, self.games, seed, self.progress)
            summaries.append(stats.summary(watched))
            shares = first_player.measured(first_player.by_seat(watched.games)).win_share
            seats.append(Figure.row(shares, None))
            if search and players == 2:
                seed = self._seed(10 + players, place)
                found = handicap.search(self.pool, self.bot, ruleset, self.games, seed, self.progress)
                equal.append(Figure.row(found.equal, None)[1])
        kinds = sorted(set.intersection(*(set(one.used) for one in summaries)))
        return Players(
            seats=tuple(_over([row[seat] for row in seats], SHARE) for seat in range(players)),
            turns=_over([one.turns.mean for one in summaries]),
            decisions=_over([one.decisions.mean for one in summaries]),
            actions={kind: _over([one.actions[kind].mean for one in summaries]) for kind in kinds},
            equal=joined(equal) if equal else None,
            first_seat=tuple(row[0] for row in seats),
        )

    def ladder(self, names: Sequence[str], games: int = LADDER_GAMES) -> Ladder:
        """How often each bot of `LADDER`, and the study's own, beats each other one; `games` are those of a pair."""
        bots = list(dict.fromkeys((*LADDER, self.bot)))
        won, before = [], []
        for place, name in enumerate(names):
            self.tell(f"ladder, {name}")
            schedule = tournament.Schedule(tuple(bots), self.ruleset(2, name), games, self._seed(20, place))
            played = tournament.run_whole(schedule, self.pool, self.progress)
            table = standings.standings(played, schedule.names, rated=0)
            won.append(Figure.row(table.win_share, None))
            cross = table.crosstable
            before.append([Figure.row(Intervals(*row), None) for row in zip(cross.mean, cross.low, cross.high)])
        return Ladder(
            {bot: _over([row[i] for row in won], SHARE) for i, bot in enumerate(bots)},
            {
                bot: {other: _over([table[i][j] for table in before], SHARE) for j, other in enumerate(bots) if j != i}
                for i, bot in enumerate(bots)
            },
        )

    def numbers(self, names: Sequence[str]) -> Numbers:
        """Measure which groups of numbers predict the win share of the first of two seats."""
        rulesets = [self.ruleset(2, name) for name in names]
        rows = []
        for place, (name, ruleset) in enumerate(zip(names, rulesets, strict=True)):
            self.tell(f"numbers, {name}")
            seed = self._seed(30, place)
            games = first_player.mirror(self.pool, self.bot, ruleset, self.games, seed, progress=self.progress)
            share = first_player.measured(games).win_share
            rows.append([share.mean[0], share.low[0], share.high[0]])
        inputs, of_group = uncertainty.features(rulesets)
        shares, low, high = np.array(rows).T
        over = over_sets(shares, errors_of(low, high), SHARE)
        real = over.spread**2 / (over.spread**2 + over.error**2)
        return Numbers(uncertainty.predict(inputs, of_group, shares, self.seed), over, rounded(real))


def _over(figures: Sequence[Figure], within: tuple[float, float] = ANY) -> OverSets:
    """What holds of a figure over the sets; it is known on each of them, unless too few games were played."""
    found = joined(figures, within)
    if found is None:
        raise ValueError("games: there are too few to know every figure of every set; play more")
    return found
