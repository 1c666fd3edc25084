"""The benchmark: a fixed protocol of games by which bots of different papers can be compared.

The protocol is a list of cells. In each one the bot plays a fixed number of deals of one variant, every deal in all
rotations of the seats, against anchors (`anchors.py`) on all other seats; in the solo game against Ivan. Opponents,
deals and dice follow from the protocol alone, so results of different bots, versions and machines can be compared as
long as the name of the protocol is the same. There is a protocol for the base game, one for the full game, with all
switches of the expansion on, and one against frozen networks, which tells the strongest bots apart. docs/benchmark.md
describes them for readers.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rc_env
from rc_env import agents, checks
from rc_env.arena import jobs, match, referee
from rc_env.arena.intervals import Interval, mean_interval, share_interval
from rc_env.arena.machine import hardware
from rc_env.arena.studies.anchors import (
    ANCHORS,
    FINGERPRINT,
    FROZEN,
    FULL_FINGERPRINT,
    STRONG_FINGERPRINT,
    fingerprint,
    strong_fingerprint,
)
from rc_env.bot import Bot, Position
from rc_env.card_sets.source import name_of
from rc_env.engine import Engine
from rc_env.ruleset import FULL_GAME, RULES_VERSION, WORKSHOPS, Ruleset

GAMES = 10_000  # of each cell, rounded up to whole deals
NET_GAMES = 2_000  # of each cell with networks at the table
SEARCH_GAMES = 200  # of each cell with a search at the table, which is slow
SETS = 16  # drawn sets of cards of the cell "cards"
QUICK_GAMES = 8  # of each cell with `--quick`
CHUNK = 100  # deals of a job; a constant, since the seeds of the deals follow from it
IVAN = "Ivan"


def _figures(*numbers: int) -> dict[str, tuple[str, ...]]:
    """The figures of a line for numbers of players, each with its two variants."""
    names = {number: "solo" if number == 1 else f"{number}p" for number in numbers}
    return {name: tuple(f"{number} {workshop}" for workshop in WORKSHOPS) for number, name in names.items()}


@dataclass(frozen=True)
class Protocol:
    """A protocol: the values that all its cells share.

    Attributes:
        name: the name with the protocol's number.
        deals: the name of the first protocol with these deals, which follow from it: cells that a new number leaves as
            they were keep their deals, and so their results.
        fingerprint: the fingerprint of the anchors.
        switches: the expansion's switches, as `Ruleset` takes them.
        figures: the variants (see `Cell.variant`) that each figure of the line is about.
        anchors: its anchors' names, with the bots as `rc_env.agents.from_text` takes them.
    """

    name: str
    deals: str
    fingerprint: str
    switches: Mapping[str, Any] = field(hash=False)
    figures: Mapping[str, tuple[str, ...]] = field(hash=False, default_factory=lambda: _figures(2, 3, 4, 1))
    anchors: Mapping[str, str] = field(hash=False, default_factory=lambda: ANCHORS)

    def ruleset(self, players: int, workshop: str = "basic") -> Ruleset:
        """The variant that is played in a cell, with the packaged cards."""
        return Ruleset(players, workshop, **self.switches)

    def found_fingerprint(self) -> str:
        """The fingerprint of the anchors of this version, which takes seconds."""
        return strong_fingerprint() if self.anchors is FROZEN else fingerprint(**self.switches)

    @property
    def variants(self) -> tuple[str, ...]:
        """All variants, in the order of the line."""
        return tuple(variant for of_one in self.figures.values() for variant in of_one)


BASE = Protocol("rc-benchmark/2", "rc-benchmark/1", FINGERPRINT, {})
FULL = Protocol("rc-benchmark-full/2", "rc-benchmark-full/1", FULL_FINGERPRINT, FULL_GAME)
STRONG = Protocol(
    "rc-benchmark-strong/4",
    "rc-benchmark-strong/1",
    STRONG_FINGERPRINT,
    {},
    {**_figures(2, 3, 4), "cards": ("2 basic cards",), "full": ("2 basic full",)},
    FROZEN,
)


@dataclass(frozen=True)
class Cell:
    """One cell of the protocol: a variant of the game, opponents, and a number of games.

    Attributes:
        players: 1 to 4 seats that decide; 1 is the solo game.
        workshop: side of the workshop boards.
        opponents: names of anchors, for all seats but the bot's; none in the solo game.
        games: the number of games, rounded up to whole deals.
        protocol: the protocol that the cell belongs to.
        game: "" for the game of the protocol, "cards" for it with drawn sets of cards, "full" for the full game.
    """

    players: int
    workshop: str
    opponents: tuple[str, ...]
    games: int = GAMES
    protocol: Protocol = field(default=BASE, repr=False)
    game: str = ""

    @property
    def variant(self) -> str:
        """The variant in words."""
        return f"{self.players} {self.workshop} {self.game}".rstrip()

    @property
    def ruleset(self) -> Ruleset:
        """The variant that is played; of drawn sets of cards the one with the first set."""
        return self.rulesets[0]

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """The variant that is played, once for each set of cards."""
        if self.game == "full":
            return (FULL.ruleset(self.players, self.workshop),)
        own = self.protocol.ruleset(self.players, self.workshop)
        if self.game != "cards":
            return (own,)
        words = (f"{self.protocol.deals} set {number}" for number in range(SETS))
        return tuple(replace(own, data=name_of(_seed(one))) for one in words)

    @property
    def against(self) -> str:
        """The opponents in words."""
        return " + ".join(dict.fromkeys(self.opponents)) or IVAN

    @property
    def deals(self) -> int:
        """How many deals are played; each one once in every rotation of the seats, and as many with every set of
        cards."""
        sets = SETS if self.game == "cards" else 1
        return -(-self.games // (self.players * sets)) * sets

    def seed(self, chunk: int) -> int:
        """The seed of a chunk of deals: it follows from the protocol and the words of the cell."""
        return _seed(f"{self.protocol.deals} {self.variant} {self.against} {chunk}")

    def chunks(self) -> Iterator[tuple[Ruleset, int, int]]:
        """The parts in which the cell is played: a ruleset, a number of deals and their seed."""
        rulesets = self.rulesets
        if len(rulesets) > 1:
            for chunk, ruleset in enumerate(rulesets):
                yield ruleset, self.deals // len(rulesets), self.seed(chunk)
            return
        for chunk, first in enumerate(range(0, self.deals, CHUNK)):
            yield rulesets[0], min(CHUNK, self.deals - first), self.seed(chunk)


def _seed(words: str) -> int:
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big")


def _cells(protocol: Protocol) -> Iterator[Cell]:
    for players in (2, 3, 4):
        for workshop in WORKSHOPS:
            for anchor in ("random", "greedy", "all_rounder"):
                yield Cell(players, workshop, (anchor,) * (players - 1), protocol=protocol)
            if players == 2:
                yield Cell(players, workshop, ("search",), SEARCH_GAMES, protocol)
            else:
                yield Cell(players, workshop, ("guilds", "majority", "all_rounder")[-(players - 1) :], GAMES, protocol)
    for workshop in WORKSHOPS:
        yield Cell(1, workshop, (), GAMES, protocol)


def _strong_cells() -> Iterator[Cell]:
    for players in (2, 3, 4):
        for workshop in WORKSHOPS:
            yield Cell(players, workshop, ("net",) * (players - 1), NET_GAMES, STRONG)
            if players == 2:
                yield Cell(players, workshop, ("net_search",), SEARCH_GAMES, STRONG)
    for game in ("cards", "full"):
        yield Cell(2, "basic", ("net",), NET_GAMES, STRONG, game)


CELLS, FULL_CELLS, STRONG_CELLS = tuple(_cells(BASE)), tuple(_cells(FULL)), tuple(_strong_cells())
"""The cells of the protocols. A change here is another protocol: the number in its name must rise."""
PROTOCOLS = {BASE: CELLS, FULL: FULL_CELLS, STRONG: STRONG_CELLS}
"""The cells of every protocol of which this version can check results: rows of the leaderboard stay valid by it."""


@dataclass(frozen=True)
class CellResult:
    """Results of a cell.

    Attributes:
        cell: the cell as it was played.
        share: win share of the bot with its 95 % interval; ties are split.
        prestige: its mean final prestige with its 95 % interval.
        theirs: mean final prestige of its opponents.
        truncated: share of the games that reached the turn limit.
    """

    cell: Cell
    share: Interval
    prestige: Interval
    theirs: float
    truncated: float

    @property
    def strength(self) -> tuple[float, float]:
        """The win share converted by `strength`, and half the width of its 95 % interval."""
        others = max(self.cell.players - 1, 1)
        slope = others / ((others - 1) * self.share.mean + 1) ** 2
        half = 100 * slope * (self.share.high - self.share.low) / 2
        return strength(self.share.mean, others), min(half, 100.0)  # of few games it may be wider than the scale

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON."""
        cell, share, prestige = self.cell, self.share, self.prestige
        return {
            "players": cell.players,
            "workshop": cell.workshop,
            **({"game": cell.game} if cell.game else {}),
            "against": cell.against,
            "seed": cell.seed(0),
            "deals": share.deals,
            "games": share.games,
            "win_share": round(share.mean, 6),
            "low": round(share.low, 6),
            "high": round(share.high, 6),
            "strength": _rounded(self.strength),
            "prestige": round(prestige.mean, 4),
            "prestige_low": round(prestige.low, 4),
            "prestige_high": round(prestige.high, 4),
            "theirs": round(self.theirs, 4),
            "truncated": round(self.truncated, 6),
        }


def strength(share: float, others: int) -> float:
    """Convert a win share (0 to 1) against any number of opponents to a figure from 0 to 100 that compares across
    tables.

    It is the share in percent that a bot of the same odds would win of games of two: 50 for equals, and the win share
    itself where there is one opponent. The odds are those of Plackett and Luce: a bot that is worth w wins a share of
    w / (w + n) against n opponents worth 1 each, so w = n x share / (1 - share).
    """
    worth = others * share
    return 100 * worth / (worth + 1 - share)


@dataclass(frozen=True)
class BenchmarkResult:
    """The results of a bot.

    Attributes:
        protocol: the protocol that was played.
        bot: the word that names it.
        label: "" for the whole protocol; else the kind of shortened run, such as "quick".
        cells: results of the cells that were played, in the order of the protocol.
        missing: variants that the bot does not play, in words, and why.
        missed: how many cells were left out with them.
        seconds: how long it took.
        pace: seconds a decision of the bot, by "one at a time" and "16 at a time".
    """

    protocol: Protocol
    bot: str
    label: str
    cells: tuple[CellResult, ...]
    missing: dict[str, str]
    missed: int
    seconds: float
    pace: dict[str, float]

    def variant(self, variant: str) -> tuple[float, float] | None:
        """Mean strength over the cells of a variant and half the width of its interval; None if it was not played."""
        found = [one.strength for one in self.cells if one.cell.variant == variant]
        return _mean(found) if found else None

    @property
    def score(self) -> tuple[float, float] | None:
        """Mean over the variants, each of equal weight, and half the width of its interval; None if one is missing."""
        if self.missing:
            return None
        variants = dict.fromkeys(one.cell.variant for one in self.cells)
        return _mean([found for one in variants if (found := self.variant(one)) is not None])

    @property
    def line(self) -> str:
        """The results in one line, to be compared with others of the same protocol."""
        words = [self.protocol.name, *([self.label] if self.label else [])]
        words += [f"rc_env={rc_env.__version__}", f"rules={RULES_VERSION}", f"actions={actions_hash(self.protocol)}"]
        words += [f"anchors={self.protocol.fingerprint}", f"bot={self.bot}"]
        for name, variants in self.protocol.figures.items():
            words.append(f"{name}={'/'.join(_figure(self.variant(variant)) for variant in variants)}")
        whole = len(self.cells) + self.missed
        words.append(f"score={_figure(self.score)}" + (f" ({len(self.cells)} of {whole} cells)" if self.missed else ""))
        return " ".join(words)

    def as_json(self) -> dict[str, Any]:
        """The results as a dictionary for JSON. Everything but the entry "run" is the same on every machine, with any
        number of workers."""
        protocol = self.protocol
        digests = {"data_sha256": protocol.ruleset(2).data_file.sha256}
        games = (cell.ruleset for cell in PROTOCOLS.get(protocol, ()))
        if expansion := next((one.expansion_file for one in games if one.expansion_file), None):
            digests["expansion_sha256"] = expansion.sha256
        return {
            "protocol": protocol.name,
            "label": self.label or "standard",
            "bot": self.bot,
            "line": self.line,
            "score": _rounded(self.score),
            "variants": {variant: _rounded(self.variant(variant)) for variant in protocol.variants},
            "cells": [one.as_json() for one in self.cells],
            "missing": self.missing,
            "anchors": {"fingerprint": protocol.fingerprint, "bots": dict(protocol.anchors)},
            "versions": {
                "rc_env": rc_env.__version__,
                "rules": RULES_VERSION,
                "layouts": {str(players): protocol.ruleset(players).layout_hash for players in (1, 2, 3, 4)},
                **digests,
            },
            "run": {
                "seconds": round(self.seconds, 1),
                "seconds_a_decision": {name: float(f"{value:.3g}") for name, value in self.pace.items()},
                "python": platform.python_version(),
                **{name: metadata.version(name) for name in ("numpy", "numba")},
                "machine": hardware(),
            },
        }


def _mean(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Mean of independent figures, each with half the width of its interval."""
    values, halves = zip(*parts, strict=True)
    return sum(values) / len(parts), math.sqrt(sum(half * half for half in halves)) / len(parts)


def _figure(value: tuple[float, float] | None) -> str:
    return "-" if value is None else f"{value[0]:.1f}±{value[1]:.1f}"


def actions_hash(protocol: Protocol) -> str:
    """First 8 hex digits of a SHA-256 over the hashes of the action layouts, for 1 to 4 players."""
    hashes = " ".join(protocol.ruleset(players).actions.hash for players in (1, 2, 3, 4))
    return hashlib.sha256(hashes.encode()).hexdigest()[:8]


def limited_cells(games: int = GAMES, cells: Sequence[Cell] = CELLS) -> tuple[Cell, ...]:
    """The cells of a protocol with at most `games` games each: the first deals of each cell.

    Raises:
        ValueError: fewer than one game, or more than the protocol has.
    """
    checks.whole_number("games", games, 1, GAMES)
    return tuple(replace(one, games=min(games, one.games)) for one in cells)


def run_benchmark(
    bot: str,
    cells: Sequence[Cell] = CELLS,
    label: str = "",
    pool: jobs.Workers | None = None,
    progress: match.Progress = lambda games: None,
) -> BenchmarkResult:
    """Run the benchmark for a bot.

    Args:
        bot: named as for `rc_env.agents.from_text`.
        cells: those of a protocol, all or some of them.
        label: marks results that are not those of the whole protocol.
        pool: where games are played, by default in this process; it changes only the duration.
        progress: called with the number of games just played or left out.

    Raises:
        ValueError: the bot cannot be made, fails, or plays none of the variants; or the anchors of this version are not
            those of the protocol.
    """
    if not isinstance(cells, Sequence) or not cells or not all(isinstance(cell, Cell) for cell in cells):
        checks.refuse("cells", cells, "some of CELLS, FULL_CELLS or STRONG_CELLS")
    checks.instance("label", label, str, "a word")
    pool = jobs.workers_of(pool)
    match.check_progress(progress)
    begin, protocol = time.perf_counter(), cells[0].protocol
    agents.from_text(bot)
    if (found := protocol.found_fingerprint()) != protocol.fingerprint:
        raise ValueError(
            f"the anchors have the fingerprint {found}, but {protocol.name} is defined with {protocol.fingerprint}: "
            "its bots or rules have changed"
        )
    missing, pace = _probe(bot, cells)
    playable = [cell for cell in cells if cell.variant not in missing]
    if not playable:
        raise ValueError(next(iter(missing.values())))
    progress(sum(cell.deals * cell.players for cell in cells if cell not in playable))
    slow_first = sorted(playable, key=lambda cell: not {"search", "net_search"} & set(cell.opponents))
    owner: dict[int, Cell] = {}
    work: list[jobs.Job] = []
    for cell in slow_first:
        for ruleset, deals, seed in cell.chunks():
            work.append(_job(bot, cell, ruleset, deals, seed))
            owner[id(work[-1])] = cell
    played: dict[Cell, list[match.Match]] = {cell: [] for cell in playable}
    for job, outcome in pool.play(work):
        played[owner[id(job)]].append(outcome.whole)
        progress(job.deals * job.variant[0])
    results = tuple(_result(cell, match.join_matches(matches)) for cell, matches in played.items())
    missed, seconds = len(cells) - len(playable), time.perf_counter() - begin
    return BenchmarkResult(protocol, bot, label, results, missing, missed, seconds, pace)


def _job(bot: str, cell: Cell, ruleset: Ruleset, deals: int, seed: int) -> jobs.Job:
    names = (bot, *(f"{name} (anchor)" for name in cell.opponents))
    bots = (bot, *(cell.protocol.anchors[name] for name in cell.opponents))
    return jobs.Job(names, bots, jobs.variant_of(ruleset), deals, seed)


def _probe(bot: str, cells: Sequence[Cell]) -> tuple[dict[str, str], dict[str, float]]:
    """Find the variants that the bot refuses at the first decision, with reasons, and its pace in one that it plays."""
    missing: dict[str, str] = {}
    pace: dict[str, float] = {}
    for variant, cell in reversed({cell.variant: cell for cell in reversed(cells)}.items()):
        engine = Engine(cell.ruleset, 16, seed=1)
        asked = agents.from_text(bot)
        try:
            referee.start_over(asked, 0)
            referee.ask(asked, Position.of(engine, [0]))
        except referee.BotError as error:
            missing[variant] = f"bot {bot}: {error.what}"
            continue
        pace = pace or seconds_per_decision(asked, engine)
    return missing, pace


def seconds_per_decision(bot: Bot, engine: Engine) -> dict[str, float]:
    """Seconds per decision in the middle of 16 games; the bot has decided before, so that everything is compiled."""
    greedy = agents.make("greedy")
    for _ in range(40):
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    paces = {}
    for name, rows in (("one at a time", [[row] for row in range(16)]), ("16 at a time", [list(range(16))])):
        begin = time.perf_counter()
        for some in rows:
            referee.ask(bot, Position.of(engine, some))
        paces[name] = (time.perf_counter() - begin) / 16
    return paces


def _result(cell: Cell, played: match.Match) -> CellResult:
    """Results of a cell."""

    def by_deal(values: NDArray[Any]) -> NDArray[np.float64]:
        return played.of(values, 0).reshape(-1, played.rotations).mean(1)

    own, total = by_deal(played.prestige), played.prestige.sum(1)
    return CellResult(
        cell,
        share_interval(by_deal(played.wins), played.rotations),
        mean_interval(own),
        float((total.mean() - own.mean()) / (played.prestige.shape[1] - 1)),
        float(played.truncated.mean()),
    )


def json_text(result: BenchmarkResult) -> str:
    """The results as the text of a JSON file, with each entry, and each cell, on a line of its own."""
    lines = []
    for key, value in result.as_json().items():
        if key == "cells":
            words = "[\n  " + ",\n  ".join(json.dumps(cell) for cell in value) + "\n ]"
        else:
            words = json.dumps(value, ensure_ascii=False)
        lines.append(f" {json.dumps(key)}: {words}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rounded(value: tuple[float, float] | None) -> list[float] | None:
    return None if value is None else [round(value[0], 4), round(value[1], 4)]
