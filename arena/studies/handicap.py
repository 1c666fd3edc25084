"""Searches for the starting rubles that make the seats equal.

Seat 1 keeps its rubles; those of the others are raised or lowered, always on the same deals, so that only the rubles
differ. With two players every value of a grid is played; with more, a walk changes one seat by one ruble as long as
that makes the seats more equal. The best of many candidates is partly luck, so it is played again on fresh deals. A
line through the places around it shows at which fractions of a ruble the shares would be equal.

Shape letters: P seats, D deals, C candidates (rubles that were tried), R resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena import jobs, standings
from rc_env.arena.figures import Figure
from rc_env.arena.intervals import RESAMPLES, Intervals, bounds, resamples
from rc_env.arena.match import Progress
from rc_env.arena.results import Score, scores
from rc_env.arena.studies import first_player
from rc_env.ruleset import Ruleset

MOST = 6
"""The most extra rubles of a seat."""
STEPS = 24  # the most steps of the walk
NEAR = 2  # rubles around the best that the line is fitted to: further away the relation is not linear

Rubles = tuple[int, ...]


@dataclass(frozen=True)
class Handicap:
    """The result of a search. Rubles are on top of the printed ones, by seat; seat 1 has 0.

    Attributes:
        printed: the starting rubles of each seat by the rules.
        tried: C candidates and the standings of the seats with each.
        best: the one with the most equal win shares.
        confirmed: standings of the seats with `best` on deals that were not searched on.
        fresh: the same deals without it.
        equal: (P,) rubles, fractions included, at which the shares are equal: mean, low and high. A bound at the edge
            of what may be tried means that it may lie beyond.
    """

    printed: Rubles
    tried: dict[Rubles, standings.Standings]
    best: Rubles
    confirmed: standings.Standings
    fresh: standings.Standings
    equal: Intervals

    @property
    def starting(self) -> Rubles:
        """The starting rubles of each seat with `best`."""
        return tuple(own + extra for own, extra in zip(self.printed, self.best, strict=True))

    @property
    def equal_at(self) -> tuple[Figure, ...]:
        """`equal` by seat, rounded to two digits."""
        return Figure.row(self.equal, 2)

    def as_json(self) -> dict[str, Any]:
        """The result as a dictionary for JSON; all rubles but the printed and the starting ones are extra."""
        equal = self.equal_at
        return {
            "printed": list(self.printed),
            "best": list(self.best),
            "starting": list(self.starting),
            "seats": seats_as_json(scores(self.confirmed)),
            "seats_without": seats_as_json(scores(self.fresh)),
            "equal": [one.mean for one in equal],
            "equal_low": [one.low for one in equal],
            "equal_high": [one.high for one in equal],
            "tried": [
                {"rubles": list(rubles), "seats": seats_as_json(scores(table))} for rubles, table in self.tried.items()
            ],
        }


def seats_as_json(seats: Sequence[Score]) -> list[dict[str, float | None]]:
    """Win share, prestige and rank of each seat for JSON, from the first seat on."""
    return [{"seat": i, **seat.as_json(("win_share", "prestige", "rank"))} for i, seat in enumerate(seats, 1)]


def search(
    pool: jobs.Workers,
    bot: str,
    ruleset: Ruleset,
    deals: int,
    seed: int = 0,
    progress: Progress = lambda games: None,
) -> Handicap:
    """Search for a bot against itself.

    Args:
        pool: where games are played.
        bot: as `rc_env.agents.from_text` takes it.
        ruleset: the variant.
        deals: D, of each candidate, and of the confirmation.
        seed: of deals and choices.
        progress: called with the number of games just played.

    Raises:
        ValueError: an argument does not fit, or the bot failed.
    """
    players = checks.instance("ruleset", ruleset, Ruleset, "a Ruleset").players
    if players == 1:
        raise ValueError("ruleset must be a game of 2 to 4 players, whose seats are made equal, not the solo game")
    own = [int(rubles) for rubles in ruleset.rules[0].starting_rubles[:players]]
    played: dict[Rubles, standings.FinishedGames] = {}

    def games(rubles: Rubles) -> standings.FinishedGames:
        if rubles not in played:
            played[rubles] = first_player.mirror(pool, bot, ruleset, deals, seed, rubles, progress)
        return played[rubles]

    def uneven(rubles: Rubles) -> float:
        share = wins(games(rubles)).mean(0)
        return float(((share - 1 / players) ** 2).sum())

    if players == 2:
        grid: list[Rubles] = [(0, extra) for extra in range(-own[1], MOST + 1)]
        best = min(grid, key=uneven)
    else:
        best = _walk((0,) * players, own, uneven)
    tried = {rubles: first_player.measured(table, seed) for rubles, table in sorted(played.items())}
    fresh = np.random.SeedSequence([seed, 1]).generate_state(1)[0]

    def again(rubles: Rubles) -> standings.Standings:
        table = first_player.mirror(pool, bot, ruleset, deals, int(fresh), rubles, progress)
        return first_player.measured(table, seed)

    return Handicap(tuple(own), tried, best, again(best), again((0,) * players), equal(played, best, own, seed))


def _walk(start: Rubles, own: Sequence[int], uneven: Callable[[Rubles], float]) -> Rubles:
    """Change one seat by one ruble to the most even neighbour, until no neighbour is more even."""
    here = start
    for _ in range(STEPS):
        around = [
            (*here[:seat], here[seat] + step, *here[seat + 1 :])
            for seat in range(1, len(here))
            for step in (-1, 1)
            if 0 <= own[seat] + here[seat] + step <= own[seat] + MOST
        ]
        best = min([here, *around], key=uneven)
        if best == here:
            break
        here = best
    return here


def wins(games: standings.FinishedGames) -> NDArray[np.float64]:
    """(D, P) share of the win of each deal that each seat gets, in the order of the deals."""
    first = (games.place == 0) / (games.place == 0).sum(1, keepdims=True)
    return first[np.argsort(games.deal, kind="stable")]


def equal(
    played: dict[Rubles, standings.FinishedGames],
    best: Rubles,
    own: Sequence[int],
    seed: int = 0,
) -> Intervals:
    """The rubles at which all shares are equal by a line fitted around the best candidate, with their interval.

    Args:
        played: games of C candidates, on the same deals.
        best: one of them.
        own: P printed starting rubles; nobody can start with fewer than none.
        seed: of the bootstrap.

    Returns:
        (P,) mean, low and high; NaN where the candidates tried do not suffice.
    """
    near = [rubles for rubles in sorted(played) if np.abs(np.subtract(rubles, best)).max() <= NEAR]
    rubles = np.array(near, np.float64)
    shares = np.array([wins(played[candidate]) for candidate in near])  # (C, D, P)
    count, players = shares.shape[1:]
    # A resample has the same deals for all candidates; the pairing by deal makes the interval narrow.
    times = (np.bincount(row, minlength=count) for picked in resamples(count, RESAMPLES, seed) for row in picked)
    spread = np.array([solved(rubles, np.einsum("d,cdp->cp", each, shares) / count) for each in times])
    least, most = -np.array(own, np.float64), float(MOST)
    centre = np.clip(solved(rubles, shares.mean(1)), least, most)
    known = ~np.isnan(spread).any(1)
    if known.mean() < 0.95:
        nothing = np.full(players, np.nan)
        return Intervals(centre, nothing, nothing)
    low, high = np.clip(bounds(spread[known]), least, most)
    return Intervals(centre, low, high)


def solved(rubles: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """(P,) rubles, 0 for seat 1, at which the shares (C, P), taken as linear in the rubles (C, P), are equal."""
    count, players = shares.shape
    design = np.column_stack([np.ones(count), rubles[:, 1:]])
    answer = np.full(players, np.nan)
    if np.linalg.matrix_rank(design) < players:
        return answer
    line = np.linalg.lstsq(design, shares[:, 1:], rcond=None)[0]
    slope = line[1:].T
    if abs(np.linalg.det(slope)) < 1e-12:
        return answer
    answer[0], answer[1:] = 0, np.linalg.solve(slope, 1 / players - line[0])
    return answer
