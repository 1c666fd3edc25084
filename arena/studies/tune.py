"""Tunes a plan's weights by CMA-ES, in games against opponents that include the plans found in earlier rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.plan import PlanBot, checked, weights_of
from rc_env.arena import match
from rc_env.arena.jobs import Workers, make_bot, warm
from rc_env.arena.journal import Journal, key_of
from rc_env.arena.lineups import checked_texts
from rc_env.arena.runners import MOST_WORKERS
from rc_env.bot import Bot
from rc_env.ruleset import SWITCHES, Ruleset

SPREAD = 0.4  # standard deviation, relative to a weight or to COMMON, whichever is more
COMMON = 4.0
MARGIN = 40.0  # a margin of this much prestige counts as much as winning every game


@dataclass(frozen=True)
class TuningSettings:
    """Settings of a tuning run.

    Attributes:
        players: one or more of 2, 3 and 4; one plan is found for all of them.
        workshop: "basic" or "advanced".
        data: "base", or the path of a data file of your own.
        turn_limit: turns after which a game is scored.
        fourth_guild, special_tiles, promos, expansion_data, contractors: as in `Ruleset`.
        start: the plan that is tuned, a name or a file.
        keep: names of weights that stay as they are, so that a plan stays what it is.
        against: bots that every candidate plays.
        rounds: number of rounds; after each one its plan joins the opponents.
        generations: of each round.
        population: candidates a generation.
        games: of each candidate, shared among the opponents; all candidates of a generation play the same deals.
        step: initial step size of the search, in spreads of the weights.
        seed: of candidates, deals and choices.

    Raises:
        ValueError: a value is out of range.
    """

    players: tuple[int, ...] = (2,)
    workshop: str = "basic"
    data: str = "base"
    turn_limit: int = 400
    fourth_guild: str = Ruleset.fourth_guild
    special_tiles: bool = False
    promos: bool = False
    expansion_data: str = "contractors"
    contractors: bool = False
    start: str = "greedy"
    keep: tuple[str, ...] = ()
    against: tuple[str, ...] = ("greedy",)
    rounds: int = 4
    generations: int = 40
    population: int = 24
    games: int = 600
    step: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.players, str) or not isinstance(self.players, Sequence) or not self.players:
            checks.refuse("players", self.players, "one or more of 2, 3 and 4")
        for players in self.players:
            checks.whole_number("players", players, 2, 4)
        for name in ("keep", "against"):
            texts = checked_texts(getattr(self, name))
            object.__setattr__(self, name, tuple(texts))
        if not self.against:
            raise ValueError("against: no bot found, expected one at least")
        object.__setattr__(self, "players", tuple(self.players))
        for name in ("rounds", "generations", "games"):
            checks.whole_number(name, getattr(self, name), 1, match.MOST_DEALS)
        checks.whole_number("population", self.population, 2, 10**6)
        checks.number("step", self.step, 1e-9, 1e6)
        checks.whole_number("seed", self.seed, 0, 2**31 - 1)  # that of CMA-ES is of 32 bits
        checks.instance("start", self.start, str, "the name of a plan, or a file")
        for name in ("data", "expansion_data"):
            checks.instance(name, getattr(self, name), str, "a word or the path of a file, as text")
        for players in self.players:
            tuned_ruleset(self, players)


def tuned_ruleset(settings: TuningSettings, players: int) -> Ruleset:
    """The variant that is tuned for, with one of its numbers of players."""
    named = ("workshop", "data", "turn_limit", *SWITCHES)
    return Ruleset(players, **{name: getattr(settings, name) for name in named})


def tuning_command(settings: TuningSettings) -> str:
    """The command line that repeats a run with these settings."""
    words = ["rc tune"]
    for name, value in dataclasses.asdict(settings).items():
        if value is True:
            words.append(f"--{name.replace('_', '-')}")
        elif value:
            words.append(
                f"--{name.replace('_', '-')} {' '.join(map(str, value)) if isinstance(value, tuple) else value}"
            )
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
    """The objective: share of wins, scaled to two players, plus margin / MARGIN, averaged over opponents."""
    dtype = weights_of(tuned_ruleset(settings, settings.players[0]))
    candidate = PlanBot(plan_of(vector, dtype))
    total = 0.0
    for players in settings.players:
        ruleset = tuned_ruleset(settings, players)
        deals = max(1, settings.games // (players * len(settings.players) * len(others)))
        for number, other in enumerate(others):
            bot = PlanBot(other) if isinstance(other, dict) else other
            played = match.play_match([candidate] + [bot] * (players - 1), deals, ruleset, seed=seed + number)
            own = played.of(played.prestige, 0)
            theirs = (played.prestige.sum(1) - own) / (players - 1)
            total += played.of(played.wins, 0).mean() * players / 2 + float(np.mean(own - theirs)) / MARGIN
    return total / len(others) / len(settings.players)


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
    dtype = weights_of(tuned_ruleset(settings, settings.players[0]))
    names = dtype.names or ()
    for name in settings.keep:
        if name not in names:
            raise ValueError(f"keep: {checks.shown(name)} found, expected some of {', '.join(names)}")
    start = flat(PlanBot(settings.start).weights(tuned_ruleset(settings, settings.players[0])))
    free = {name: np.full(dtype[name].shape, float(name not in settings.keep)) for name in names}
    tuned = checked("keep", free, dtype)
    spread = SPREAD * np.maximum(np.abs(start), COMMON) * flat(tuned)
    others: list[Any] = [make_bot(name) for name in settings.against]
    mean, number = np.zeros(len(start)), 0
    if workers != 1:
        warm(tuned_ruleset(settings, settings.players[0]))  # once, rather than in every process
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
                        f"journal: {checks.shown(found)} found, expected a value for each candidate of generation "
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
