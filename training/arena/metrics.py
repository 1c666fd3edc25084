"""Counts of what happens in the games of a match: `Metrics` is the watcher that counts, `Tally` its result.

Shape letters: G games, P seats, C kinds of action (`KINDS`), S sources of points (`SOURCES`). What the engine plays by
itself, since nothing else is legal, belongs to the decision before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env.engine import Engine
from rc_env.rules.points import POINTS
from rc_env.rules.sizes import SIDES, SPACES_PER_QUADRANT
from rc_env.rules.verbs import PLACES, ROWS, Verb
from rc_env.rules.vocabulary import ACTIONS
from rc_env.ruleset import Ruleset
from rc_env.training.arena.match import Match

KINDS = tuple(verb.name.lower() for verb in ROWS) + tuple(f"guild: {verb.replace('_', ' ')}" for verb in ACTIONS)
"""Verbs, then the actions of guild cards; each use of one of these counts as `guild`, too."""
GUILDS = len(ROWS)
PENALTY, FORCED, GOODS, TOWERS = (GUILDS + len(ACTIONS) + i for i in range(4))
SOURCES = (*(f"track: {kind}" for kind in KINDS), "track: others' deliveries", "track: forced", "goods", "towers")
"""Where points come from: the action that moved the own marker, and what is counted at the end."""


@dataclass(frozen=True)
class Tally:
    """Counts from G games.

    Attributes:
        decisions: (G,) int32, taken by anyone.
        branching: (points of decision, actions) int64: how often that many actions were legal there.
        uses: (G, P, C) int32, how often each seat used each kind of action.
        points: (G, P, S) int32, prestige by source; with what the marker stood on at first it sums to the final score.
        lead_changes: (G,) int32, how often another seat than before led alone at the end of a turn.
        half_time: (G,) int8, who led alone after half of the turns; -1 for nobody.
    """

    decisions: NDArray[np.int32]
    branching: NDArray[np.int64]
    uses: NDArray[np.int32]
    points: NDArray[np.int32]
    lead_changes: NDArray[np.int32]
    half_time: NDArray[np.int8]


class Metrics:
    """A `match.Watcher` for a match of so many games."""

    def __init__(self, ruleset: Ruleset, games: int) -> None:
        self._rules = ruleset.rules[0]
        players = ruleset.players
        self._decisions = np.zeros(games, np.int32)
        self._branching = np.zeros((len(POINTS), PLACES + 1), np.int64)
        self._uses = np.zeros((games, players, len(KINDS)), np.int32)
        self._points = np.zeros((games, players, len(SOURCES)), np.int32)
        # At the end of each turn: the game, the turn, and the scores as they stand.
        self._turns: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]] = []

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        now = engine.games.view(np.ndarray)[rows]
        self._seat, self._turn, self._prestige = now["seat"].astype(np.int64), now["turn"], self._track(now)
        point = now["stack"][np.arange(len(rows)), now["depth"] - 1, 0]
        np.add.at(self._branching, (point, engine.legal_mask()[rows].sum(1, dtype=np.int64)), 1)
        number = np.clip(actions, 0, self._rules.actions - 1)  # an illegal one is told after this
        self._kind = self._rules.verb[number].astype(np.int64)
        self._decisions[games] += 1
        self._uses[games, self._seat, self._kind] += 1
        guild = np.flatnonzero(self._kind == Verb.GUILD)
        card = now["influence"][guild, now["space"][guild] // SPACES_PER_QUADRANT].astype(np.int64)
        self._kind[guild] = GUILDS + self._rules.effect_action[SIDES * card + self._rules.argument[number[guild], 0]]
        self._uses[games[guild], self._seat[guild], self._kind[guild]] += 1

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        now = engine.games.view(np.ndarray)[rows]
        moved = self._track(now) - self._prestige
        every = np.arange(len(rows))
        self._points[games, self._seat, self._kind] += moved[every, self._seat]
        moved[every, self._seat] = 0
        self._points[games, :, PENALTY] += np.minimum(moved, 0)
        self._points[games, :, FORCED] += np.maximum(moved, 0)
        over = engine.seat[rows] < 0
        turned = np.flatnonzero((now["turn"] != self._turn) | over)
        if len(turned):
            results = engine.results(rows[turned])
            self._turns.append((games[turned], self._turn[turned], results.prestige))
            ended = over[turned]
            players = self._points.shape[1]  # Ivan's points, in the solo game, have no sources
            self._points[games[turned][ended], :, GOODS] = results.goods[ended, :players]
            self._points[games[turned][ended], :, TOWERS] = results.towers[ended, :players].sum(-1)

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
        return Tally(self._decisions, self._branching, self._uses, self._points, changes, half)

    def _track(self, games: NDArray) -> NDArray[np.int32]:
        """(N, P) prestige of the markers (R-4)."""
        position = games["track"][:, : self._points.shape[1]]
        lap, space = np.divmod(position, self._rules.track_length)
        return (lap * self._rules.lap_prestige + self._rules.prestige_at[space]).astype(np.int32)
