"""Counts events in the games of a match: `Metrics` is the observer that counts, `Tally` its result.

Shape letters: G games, P seats, C kinds of action (`Counted.kinds`), S sources of points (`Counted.sources`). What the
engine plays by itself, since nothing else is legal, is counted with the decision before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena.match import MOST_DEALS, Match
from rc_env.engine import Engine
from rc_env.rules.points import POINT
from rc_env.rules.printed import specialist_vocabulary
from rc_env.rules.printed.expansion_vocabulary import FORMS
from rc_env.rules.printed.sizes import SIDES, SPACES_PER_QUADRANT
from rc_env.rules.printed.vocabulary import ACTIONS
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset


@dataclass(frozen=True)
class Counted:
    """The things that are counted in the games of one build.

    Attributes:
        points: the decision points.
        places: combinations of all verbs and their arguments, an upper bound on the number of legal actions.
        verbs: how many of the kinds are verbs.
        kinds: C names: verbs, then the actions of guild cards, of the fourth guild with a name of their own, then what
            specialists do. Each use of one of these counts as `guild`, too, or as `guild_at` or `specialist`.
        sources: S names: the action that moved the own marker, and what is counted at the end.
        specialists: the kind of each specialist tile; empty in games without the module Contractors.
    """

    points: tuple[str, ...]
    places: int
    verbs: int
    kinds: tuple[str, ...]
    sources: tuple[str, ...]
    specialists: tuple[int, ...]

    @property
    def penalty(self) -> int:
        """Index of the source "others' deliveries". After it: forced moves, goods, towers, contracts, tools."""
        return len(self.kinds)


def counted(ruleset: Ruleset) -> Counted:
    """The things that are counted in the games of a variant."""
    build = ruleset.build.verbs
    names = [f"guild: {verb}" for verb in ACTIONS]
    if ruleset.full:
        names += [f"fourth guild: {form}" for form in FORMS]
    first = len(build.ROWS) + len(names)  # of the kinds of specialists
    expansion = ruleset.expansion_file
    tiles = expansion.tables["specialists"]["tiles"] if expansion is not None and ruleset.contractors else []
    forms = specialist_vocabulary.KINDS
    specialists = tuple(first + forms.index(specialist_vocabulary.form_of(tile)[0]) for tile in tiles)
    if tiles:
        names += [f"specialist: {form}" for form in forms]
    kinds = (*(verb.name.lower() for verb in build.ROWS), *(name.replace("_", " ") for name in names))
    last: tuple[str, ...] = ("track: others' deliveries", "track: forced", "goods", "towers")
    last += ("contracts", "tools") if ruleset.full else ()
    points = ruleset.build.points.POINTS
    sources = (*(f"track: {kind}" for kind in kinds), *last)
    return Counted(points, build.PLACES, len(build.ROWS), kinds, sources, specialists)


@dataclass(frozen=True)
class Tally:
    """Counts from G games.

    Attributes:
        counted: the things that are counted.
        decisions: (G,) int32, taken by anyone.
        branching: (decision points, actions) int64, how often that many actions were legal there.
        uses: (G, P, C) int32, how often each seat used each kind of action.
        points: (G, P, S) int32, prestige by source; with the marker's starting prestige it sums to the final score.
        lead_changes: (G,) int32, how often the seat that led alone at the end of a turn was a different one than
            before.
        half_time: (G,) int8, the seat that led alone after half of the turns, or -1.
    """

    counted: Counted
    decisions: NDArray[np.int32]
    branching: NDArray[np.int64]
    uses: NDArray[np.int32]
    points: NDArray[np.int32]
    lead_changes: NDArray[np.int32]
    half_time: NDArray[np.int8]


class Metrics:
    """A `match.Watcher` for a match of `games` games.

    Example:
        >>> from rc_env import Ruleset, play_match
        >>> from rc_env.arena.metrics import Metrics
        >>> metrics = Metrics(Ruleset(), games=4)
        >>> match = play_match(["greedy", "random"], deals=2, watcher=metrics)
        >>> tally = metrics.tally(match)
        >>> int(tally.decisions.sum()) == match.decisions
        True
    """

    def __init__(self, ruleset: Ruleset, games: int) -> None:
        checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
        checks.whole_number("games", games, 1, 4 * MOST_DEALS)
        self._rules = ruleset.rules[0]
        self._counted = counted(ruleset)
        self._specialists = np.array(self._counted.specialists, np.int64)
        players = ruleset.players
        self._decisions = np.zeros(games, np.int32)
        self._branching = np.zeros((len(self._counted.points), self._counted.places + 1), np.int64)
        self._uses = np.zeros((games, players, len(self._counted.kinds)), np.int32)
        self._points = np.zeros((games, players, len(self._counted.sources)), np.int32)
        # At the end of each turn: the game, the turn, and the scores as they stand.
        self._turns: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]] = []

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        now = engine.games.view(np.ndarray)[rows]
        self._seat, self._turn, self._prestige = now["seat"].astype(np.int64), now["turn"], self._track(now)
        point = now["stack"][np.arange(len(rows)), now["depth"] - 1, POINT]
        np.add.at(self._branching, (point, engine.legal_mask()[rows].sum(1, dtype=np.int64)), 1)
        number = np.clip(actions, 0, self._rules.actions - 1)  # an illegal action is refused later
        self._kind = self._rules.verb[number].astype(np.int64)
        self._decisions[games] += 1
        self._uses[games, self._seat, self._kind] += 1
        at = self._kind == Verb.GUILD_AT  # names the quadrant; else it is the one where the die has landed
        guild = np.flatnonzero((self._kind == Verb.GUILD) | at)
        named, at = self._rules.argument[number[guild]].astype(np.int64), at[guild]
        quadrant = np.where(at, named[:, 0], now["space"][guild] // SPACES_PER_QUADRANT)
        card = now["influence"][guild, quadrant].astype(np.int64)
        effect = SIDES * card + np.where(at, named[:, 1], named[:, 0])
        self._kind[guild] = self._counted.verbs + self._rules.effect_action[effect]
        self._uses[games[guild], self._seat[guild], self._kind[guild]] += 1
        if self._specialists.size:
            used = np.flatnonzero(self._kind == Verb.SPECIALIST)
            self._kind[used] = self._specialists[now["specialist"][used, self._seat[used]]]
            self._uses[games[used], self._seat[used], self._kind[used]] += 1

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        now = engine.games.view(np.ndarray)[rows]
        moved = self._track(now) - self._prestige
        every = np.arange(len(rows))
        self._points[games, self._seat, self._kind] += moved[every, self._seat]
        moved[every, self._seat] = 0
        penalty = self._counted.penalty
        self._points[games, :, penalty] += np.minimum(moved, 0)
        self._points[games, :, penalty + 1] += np.maximum(moved, 0)
        over = engine.seat[rows] < 0
        turned = np.flatnonzero((now["turn"] != self._turn) | over)
        if len(turned):
            results = engine.results(rows[turned])
            self._turns.append((games[turned], self._turn[turned], results.prestige))
            ended = over[turned]
            players = self._points.shape[1]  # Ivan's points, in the solo game, have no sources
            self._points[games[turned][ended], :, penalty + 2] = results.goods[ended, :players]
            self._points[games[turned][ended], :, penalty + 3] = results.towers[ended, :players].sum(-1)
            if self._counted.sources[-1] == "tools":
                self._points[games[turned][ended], :, penalty + 4] = results.contracts[ended, :players]
                self._points[games[turned][ended], :, penalty + 5] = results.tools[ended, :players]

    def tally(self, match: Match) -> Tally:
        """The counts of the whole match."""
        game, turn, prestige = (np.concatenate(parts) for parts in zip(*self._turns, strict=True))
        order = np.lexsort((turn, game))
        game, turn, prestige = game[order], turn[order], prestige[order]
        best = prestige == prestige.max(1, keepdims=True)
        leader = np.where(best.sum(1) == 1, best.argmax(1), -1)
        half = np.full(len(match.turns), -1, np.int8)
        at_half = turn == match.turns[game] // 2
        half[game[at_half]] = leader[at_half]
        alone = leader >= 0
        held, by = game[alone], leader[alone]
        changes = np.zeros(len(match.turns), np.int32)
        np.add.at(changes, held[1:], (held[1:] == held[:-1]) & (by[1:] != by[:-1]))
        return Tally(self._counted, self._decisions, self._branching, self._uses, self._points, changes, half)

    def _track(self, games: NDArray) -> NDArray[np.int32]:
        """(N, P) prestige of the markers (R-4)."""
        position = games["track"][:, : self._points.shape[1]]
        lap, space = np.divmod(position, self._rules.track_length)
        return (lap * self._rules.lap_prestige + self._rules.prestige_at[space]).astype(np.int32)
