"""The first player's advantage by level of play: bots from weak to strong, each against itself, then all mixed.

The study of docs/first-player.md measures all `LEVELS` for 2 to 4 players; a command may name bots of its own, and
many sets of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rc_env import agents
from rc_env.arena import jobs, standings
from rc_env.arena.figures import SHARE, joined
from rc_env.arena.match import MOST_DEALS, Progress
from rc_env.arena.over_sets import OverSets, set_names
from rc_env.arena.results import LuckAdjusted, Score, about, luck_adjusted, scores, versions
from rc_env.arena.seeds import part_seed
from rc_env.arena.studies import first_player, handicap
from rc_env.arena.studies.handicap import Handicap, seats_as_json
from rc_env.ruleset import Ruleset

MIXED = "mixed"
Games = tuple[int, int, int]
NONE = (0, 0, 0)
LEVELS: tuple[tuple[str, Games, Games], ...] = (
    ("random", (4000, 2000, 1000), NONE),
    ("greedy", (6000, 3000, 2000), (6000, 3000, 2000)),
    ("all_rounder", (6000, 3000, 2000), (6000, 3000, 2000)),
    ("search:simulations=32", (600, 300, 200), NONE),
    ("net", (20_000, 19_000, 17_000), (6000, 3000, 1000)),
    ("search:net=shipped,simulations=8,turns=6", (4300, 1050, 950), NONE),
)
"""Levels of play from weak to strong, numbers of games for 2, 3 and 4 players, and numbers of games with each of the
starting rubles that are tried (0: none are). Bots that are not registered are left out."""
MIX = ("rush", "majority", "guilds", "all_rounder")
MIX_GAMES = 12_000

Tell = Callable[[str], object]
"""A callback that receives what is about to be played, in a few words."""


@dataclass(frozen=True)
class Level:
    """What the seats have reached at one level of play.

    Attributes:
        bots: one, which played against itself, or those that were mixed.
        games: how many were played.
        seats: from the first seat on.
        handicap: the search for the rubles that make the seats equal, if there was one.
        less: by seat, the share of games won less the luck of the rolls; None if that was not measured.
    """

    bots: tuple[str, ...]
    games: int
    seats: tuple[Score, ...]
    handicap: Handicap | None = None
    less: tuple[LuckAdjusted, ...] | None = None

    @classmethod
    def of(cls, bots: Sequence[str], games: standings.FinishedGames, seed: int) -> Level:
        """From games by seat; `seed` is that of the bootstrap."""
        less = luck_adjusted(games, games.bot.shape[1], seed)
        return cls(tuple(bots), len(games), scores(first_player.measured(games, seed)), less=less)

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        found: dict[str, Any] = {"bots": list(self.bots), "games": self.games, "seats": seats_as_json(self.seats)}
        if self.handicap is not None:
            found["handicap"] = self.handicap.as_json()
        if self.less is not None:
            found["luck_adjusted"] = [one.as_json() for one in self.less]
        return found


Levels = Mapping[str, Level]


@dataclass(frozen=True)
class LevelsResult:
    """The levels of one variant.

    Attributes:
        ruleset: the variant.
        seed: of deals and choices.
        command: the command line that repeats it.
        levels: by bot, and `MIXED`.
    """

    ruleset: Ruleset
    seed: int
    command: str
    levels: Levels

    @property
    def games(self) -> int:
        """How many were played, those of handicaps not counted."""
        return sum(level.games for level in self.levels.values())

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON; docs/first-player.md explains each entry."""
        return {
            **about(self.ruleset, self.games, self.seed),
            "command": self.command,
            "versions": versions(self.ruleset),
            "levels": {name: level.as_json() for name, level in self.levels.items()},
        }


@dataclass(frozen=True)
class LevelOverSets:
    """What holds of one level over many sets of cards.

    Attributes:
        seats: the share of the games that each seat won.
        equal: for each seat but the first the extra rubles at which the seats are equal, None where they are unknown
            on one of the sets; None if they were not searched for.
    """

    seats: tuple[OverSets | None, ...]
    equal: tuple[OverSets | None, ...] | None

    @classmethod
    def of(cls, levels: Sequence[Level]) -> LevelOverSets:
        """From one level on each of the sets."""
        shares = zip(*([seat.win_share for seat in level.seats] for level in levels), strict=True)
        found = [level.handicap for level in levels if level.handicap is not None]
        rubles = zip(*(one.equal_at[1:] for one in found), strict=True)
        return cls(tuple(joined(one, SHARE) for one in shares), tuple(joined(one) for one in rubles) if found else None)

    def as_json(self) -> dict[str, Any]:
        """As entries for JSON."""
        parts = {"seats": self.seats} | ({} if self.equal is None else {"equal": self.equal})
        return {name: [None if one is None else one.as_json() for one in row] for name, row in parts.items()}


@dataclass(frozen=True)
class LevelsOverSets:
    """The levels on many sets of cards.

    Attributes:
        ruleset: the variant, with the first of the sets.
        seed: that of all of them.
        data: the sets, in the words of the command.
        command: the command line that repeats it.
        sets: the results on each set, by its name.
    """

    ruleset: Ruleset
    seed: int
    data: str
    command: str
    sets: Mapping[str, LevelsResult]

    @property
    def over_sets(self) -> dict[str, LevelOverSets]:
        """What holds of each level over the sets."""
        found = list(self.sets.values())
        return {name: LevelOverSets.of([one.levels[name] for one in found]) for name in found[0].levels}

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""

        def part(one: LevelsResult) -> dict[str, Any]:
            digest = one.ruleset.data_file.sha256
            return {"data_sha256": digest, "levels": {name: level.as_json() for name, level in one.levels.items()}}

        return {
            **LevelsResult(self.ruleset, self.seed, self.command, {}).as_json(),
            "data": self.data,
            "games": sum(one.games for one in self.sets.values()),
            "over_sets": {name: one.as_json() for name, one in self.over_sets.items()},
            "sets": {name: part(one) for name, one in self.sets.items()},
        }


@dataclass(frozen=True)
class Measuring:
    """Measures levels.

    Attributes:
        pool: where games are played.
        progress: called with the number of games just played.
        tell: called with the bot and the number of players that are measured next.
        luck: what measures the luck of the rolls, as for `tournament.Schedule`.
    """

    pool: jobs.Workers
    progress: Progress = lambda games: None
    tell: Tell = lambda words: None
    luck: int | str = 0

    def level(self, bot: str, ruleset: Ruleset, games: int, tried: int, seed: int) -> Level:
        """Measure a bot against itself.

        Args:
            bot: as `rc_env.agents.from_text` takes it.
            ruleset: the variant.
            games: number of games with the printed starting rubles.
            tried: number of games with each of the starting rubles of the handicap search; 0 for no such search.
            seed: of deals and choices.

        Raises:
            ValueError: an argument does not fit, or the bot failed.
        """
        agents.from_text(bot)  # a bot that cannot be made is reported before any game is played
        self.tell(f"{bot}, {ruleset.players} players")
        played = first_player.mirror(self.pool, bot, ruleset, games, seed, progress=self.progress, luck=self.luck)
        found = Level.of([bot], played, seed)
        if not tried:
            return found
        return replace(found, handicap=handicap.search(self.pool, bot, ruleset, tried, seed, self.progress))

    def mixture(self, bots: Sequence[str], ruleset: Ruleset, games: int, seed: int) -> Level:
        """Measure several bots in all rotations; arguments as for `level`."""
        self.tell(f"{MIXED}, {ruleset.players} players")
        played = first_player.mixed(self.pool, bots, ruleset, games, seed, self.progress, self.luck)
        return Level.of(bots, played, seed)

    def levels(self, bots: Sequence[str], ruleset: Ruleset, games: int, seed: int, search: bool) -> Levels:
        """Measure every bot against itself, then all of them together; with `search` also the handicap of each."""
        found = {bot: self.level(bot, ruleset, games, games if search else 0, seed) for bot in bots}
        if len(found) > 1:
            found[MIXED] = self.mixture(bots, ruleset, games, seed)
        return found

    def over_sets(
        self, bots: Sequence[str], rulesets: Sequence[Ruleset], games: int, seed: int, search: bool, command: str
    ) -> dict[str, LevelsResult]:
        """The levels on each of many sets of cards, by its name, each with deals of its own."""
        found = {}
        for place, (name, ruleset) in enumerate(zip(set_names(rulesets), rulesets, strict=True)):
            levels = self.levels(bots, ruleset, games, part_seed(seed, place), search)
            found[name] = LevelsResult(ruleset, seed, command, levels)
        return found

    def study(self, ruleset: Ruleset, seed: int, most: int = MOST_DEALS) -> dict[int, Levels]:
        """Measure all `LEVELS` and the `MIX` for 2, 3 and 4 players, with at most that many games of each."""
        found: dict[int, Levels] = {}
        for place, players in enumerate((2, 3, 4)):
            variant = replace(ruleset, players=players)
            levels: dict[str, Level] = {
                bot: self.level(bot, variant, min(games[place], most), min(tried[place], most), seed)
                for bot, games, tried in LEVELS
                if bot.partition(":")[0] in agents.names()
            }
            mix = [bot for bot in MIX if bot in agents.names()]
            if len(mix) > 1:
                levels[MIXED] = self.mixture(mix, variant, min(MIX_GAMES, most), seed)
            found[players] = levels
        return found
