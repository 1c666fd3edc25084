"""Tunes a plan's weights by CMA-ES, in games against opponents that include the plans found in earlier rounds."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray

from rc_env import agents, checks, fields
from rc_env.agents.plan import PlanBot, checked, weights_of
from rc_env.arena import match
from rc_env.arena.jobs import Workers, variant_words, warm
from rc_env.arena.journal import Journal, key_of
from rc_env.arena.lineups import checked_texts
from rc_env.arena.runners import MOST_WORKERS
from rc_env.bot import Bot
from rc_env.engine import Engine
from rc_env.fields import setting
from rc_env.ruleset import Ruleset

SPREAD = 0.4  # standard deviation, relative to a weight or to COMMON, whichever is more
COMMON = 4.0
COUNT = (1, match.MOST_DEALS)
MARGIN = 40.0  # a margin of this much prestige counts as much as winning every game
HIRE = 0.5  # what the value of a plan loses for each contractor a game that is missing


@dataclass(frozen=True)
class TuningSettings:
    """Settings of a tuning run.

    Attributes:
        players: one or more of 1 (the solo game), 2, 3 and 4; one plan is found for all of them.
        ruleset: the variant, for any of these numbers of players.
        start: the plan that is tuned, a name or a file.
        keep: names of weights that stay as they are, so that a plan stays what it is.
        against: bots that every candidate plays; in the solo game, where Ivan is the only opponent, they do not play.
        rounds: number of rounds; after each one its plan joins the opponents.
        generations: of each round.
        population: candidates a generation.
        games: of each candidate, shared among the opponents; all candidates of a generation play the same deals.
        step: initial step size of the search, in spreads of the weights.
        hires: contractors that a plan is to send in a game, on average; for each one fewer its value falls by `HIRE`.
            So plans that hire can be compared with others where hiring does not pay.
        seed: of candidates, deals and choices.

    Raises:
        ValueError: a value is out of range, or there are contractors to send in games without the module.
    """

    players: tuple[int, ...] = (2,)
    ruleset: Ruleset = Ruleset(turn_limit=400)  # noqa: RUF009 - immutable
    start: str = "greedy"
    keep: tuple[str, ...] = ()
    against: tuple[str, ...] = ("greedy",)
    rounds: int = setting(4, "number of rounds; after each round the weights found join the opponents", COUNT)
    generations: int = setting(40, "number of generations in a round", COUNT)
    population: int = setting(24, "number of candidates in a generation", (4, 10**6))
    games: int = setting(600, "number of games that each candidate plays", COUNT)
    step: float = setting(0.5, "initial step size of the search", (1e-9, 100))
    hires: float = setting(0.0, "contractors that a plan is to send in a game; 0 leaves that to the search", (0, 6))
    seed: int = setting(0, "seed of the candidates, the deals and the bots' choices", (0, 2**31 - 1))  # CMA-ES's

    def __post_init__(self) -> None:
        if isinstance(self.players, str) or not isinstance(self.players, Sequence) or not self.players:
            checks.refuse("players", self.players, "one or more of 1, 2, 3 and 4")
        for players in self.players:
            checks.whole_number("players", players, 1, 4)
        checks.instance("ruleset", self.ruleset, Ruleset, "a Ruleset")
        for name in ("keep", "against"):
            object.__setattr__(self, name, tuple(checked_texts(getattr(self, name))))
        if not self.against:
            raise ValueError("against must name at least one bot")
        object.__setattr__(self, "players", tuple(self.players))
        checks.instance("start", self.start, str, "the name of a plan, or a file")
        fields.check(self)
        if self.hires > 0 and not self.ruleset.contractors:
            raise ValueError("hires: there are no contractors in games without the module: leave it at 0")

    def variant(self, players: int) -> Ruleset:
        """The variant that is tuned for, with one of its numbers of players."""
        return replace(self.ruleset, players=players)


def tuning_command(settings: TuningSettings) -> str:
    """The command line that repeats a run with these settings."""
    words = ["rc tune", *variant_words(settings.ruleset, settings.seed)]
    for one in dataclasses.fields(settings):
        value = getattr(settings, one.name)
        if one.name == "against" and settings.players == (1,):
            continue
        if one.name not in ("ruleset", "seed") and value:
            words += [f"--{one.name}", shlex.join(map(str, value if isinstance(value, tuple) else (value,)))]
    return " ".join(words)


def flat(weights: NDArray[Any]) -> NDArray[np.float64]:
    """(W,) float64 of (1,) WEIGHTS."""
    return np.array(weights.view(np.float64))


def plan_of(vector: NDArray[np.float64], dtype: np.dtype[Any]) -> dict[str, Any]:
    """The weights of a vector, by name, to three decimals; `dtype` is the WEIGHTS of the build that is tuned for."""
    record = np.array(vector).view(dtype)[0]
    return {name: np.round(record[name], 3).tolist() for name in dtype.names or ()}


def value(
    vector: NDArray[np.float64], others: Sequence[Bot | dict[str, Any]], settings: TuningSettings, seed: int
) -> float:
    """The objective: share of wins, scaled to two players, plus margin / MARGIN, averaged over opponents.

    In the solo game the opponent is Ivan alone.

    Contractors that are missing for `settings.hires` count against it.
    """
    dtype = weights_of(settings.variant(settings.players[0]))
    candidate = PlanBot(plan_of(vector, dtype))
    total = 0.0
    for players in settings.players:
        ruleset = settings.variant(players)
        opponents = others[:1] if ruleset.solo else others  # once: there is no seat for another one
        deals = max(1, settings.games // (players * len(settings.players) * len(opponents)))
        of_one = 0.0
        for number, other in enumerate(opponents):
            bot = PlanBot(other) if isinstance(other, dict) else other
            sent = _Sent(ruleset) if settings.hires > 0 else None
            bots = [candidate] + [bot] * (players - 1)
            played = match.play_match(bots, deals, ruleset, seed=seed + number, watcher=sent)
            own = played.of(played.prestige, 0)
            theirs = (played.prestige.sum(1) - own) / (ruleset.seats - 1)
            of_one += played.of(played.wins, 0).mean() * ruleset.seats / 2 + float(np.mean(own - theirs)) / MARGIN
            if sent is not None:
                of_one -= HIRE * max(0.0, settings.hires - sent.contractors / len(own))
        total += of_one / len(opponents)
    return total / len(settings.players)


class _Sent:
    """A watcher of a match that counts the contractors that the first entrant has sent."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.contractors = 0
        self._players, self._row = ruleset.players, int(ruleset.rules[0]["contractors"])

    def before(self, engine: Engine, rows: NDArray[np.int64], actions: NDArray, games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""

    def after(self, engine: Engine, rows: NDArray[np.int64], games: NDArray[np.int64]) -> None:
        """See `match.Watcher`."""
        over = engine.seat[rows] < 0
        left = engine.games.contractors[rows[over], games[over] % self._players]
        self.contractors += int((self._row - left.astype(np.int64)).sum())


def tune(
    settings: TuningSettings, workers: int | str = 1, journal: Journal | None = None
) -> Iterator[tuple[int, float, dict[str, Any]]]:
    """Yield after each generation its number, the mean value of its candidates, and the plan at the search's mean.

    Args:
        settings: of the run.
        workers: number of processes, 1 for this one; or a Ray cluster, as `jobs.Workers` takes it.
        journal: keeps the values of the candidates of each generation, from which the search goes on.

    Raises:
        ValueError: `keep` names no weight, no plan or bot has a name, or `workers` is below 1, or no cluster.
    """
    checks.instance("settings", settings, TuningSettings, "TuningSettings")
    if not isinstance(workers, str):
        workers = checks.whole_number("workers", workers, 1, MOST_WORKERS)
    dtype = weights_of(settings.variant(settings.players[0]))
    names = dtype.names or ()
    for name in settings.keep:
        if name not in names:
            raise ValueError(f"keep: there is no weight {checks.shown(name)}; choose from {', '.join(names)}")
    start = flat(PlanBot(settings.start).weights(settings.variant(settings.players[0])))
    free = {name: np.full(dtype[name].shape, float(name not in settings.keep)) for name in names}
    tuned = checked("keep", free, dtype)
    spread = SPREAD * np.maximum(np.abs(start), COMMON) * flat(tuned)
    others: list[Any] = [agents.from_text(name) for name in settings.against]
    mean, number = np.zeros(len(start)), 0
    if workers != 1:
        warm(settings.variant(settings.players[0]))  # once, rather than in every process
    with Workers(0 if workers == 1 else workers) as pool:
        for again in range(settings.rounds):
            options = {"seed": settings.seed + again + 1, "popsize": settings.population, "verbose": -9}
            search = cma.CMAEvolutionStrategy(mean, settings.step * 0.8**again, options)
            for _ in range(settings.generations):
                candidates = search.ask()
                seed = int(np.random.SeedSequence([settings.seed, number]).generate_state(1)[0])
                key = key_of(dataclasses.asdict(settings), number, np.asarray(candidates).tolist())
                found = None if journal is None else journal.done.get(key)
                if found is None:
                    work = [(start + spread * z, others, settings, seed) for z in candidates]
                    found = list(pool.apply(_value, work))
                    if journal is not None:
                        journal.add(key, found)
                elif not _are_values(found, len(candidates)):
                    raise ValueError(
                        f"journal: it holds {checks.shown(found)} instead of a value for each candidate of generation "
                        f"{number}: remove it, and begin anew"
                    )
                search.tell(candidates, [-one for one in found])
                number += 1
                mean = search.mean
                yield number, float(np.mean(found)), plan_of(start + spread * mean, dtype)
            others.append(plan_of(start + spread * mean, dtype))


def _are_values(found: Any, count: int) -> bool:
    return isinstance(found, list) and len(found) == count and all(type(one) is float for one in found)


def _value(work: tuple[Any, ...]) -> float:
    return value(*work)
