"""Analyses each decision of a game with a bot that offers its thoughts: chances, best actions, mistakes by size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np

from rc_env import checks
from rc_env.agents.net import shipped
from rc_env.agents.search import SearchBot
from rc_env.agents.thoughts import Thoughts
from rc_env.arena import referee
from rc_env.arena.studies.playouts import PlayoutBot
from rc_env.bot import Bot, Position, checked_bot
from rc_env.engine import Engine
from rc_env.record import Record, positions
from rc_env.ruleset import Ruleset

MISTAKES = {"blunder": 0.2, "mistake": 0.1, "inaccuracy": 0.05}
"""The names of mistakes with the least loss of winning chance of each, the largest first."""
SIMULATIONS = 96
"""The number of simulations for each position: enough for a search that tries every legal action."""
AT_ONCE = 8
"""The number of positions per call of the bot."""


@dataclass(frozen=True)
class Judgement:
    """A bot's judgement of one decision of a game.

    A chance is (value + 1) / 2, from 0 to 1. With two seats, and against Ivan, that is the chance to win, half of it
    where the victory is shared; with more players it is the share of the others that a seat may expect to leave behind.

    Attributes:
        seat: the seat that decided.
        best: the action that the bot would have played, in words.
        policy: its policy, probabilities by action in words, the largest first.
        value: of each seat after the best action, from -1 (last place) to 1 (first).
        actions: by action in words, visits and the chances of each seat after it.
        line: the principal variation, as pairs of a seat and an action in words, beginning with the best action.
        lost: the loss of the seat's chance by the action that was played; None if the bot did not try it.
        size: the name of a loss of that size, one of `MISTAKES` or "".
    """

    seat: int
    best: str
    policy: dict[str, float]
    value: list[float]
    actions: dict[str, tuple[int, list[float]]]
    line: list[tuple[int, str]]
    lost: float | None
    size: str

    @property
    def chances(self) -> list[float]:
        """The chance of each seat."""
        return [chance(value) for value in self.value]

    def for_record(self) -> dict[str, object]:
        """The keys "policy" and "value" of a decision of a record (docs/records.md)."""
        return {"policy": dict(self.policy), "value": list(self.value)}


def chance(value: float) -> float:
    """The chance that a value from -1 to 1 stands for, rounded to a thousandth."""
    return round((float(value) + 1) / 2, 3)


def evaluator(ruleset: Ruleset, simulations: int = SIMULATIONS) -> Bot:
    """A bot that judges positions of a variant: the search with the network that comes with the package, else playouts.

    Args:
        ruleset: the variant.
        simulations: of each position, 1 to 1,000,000.

    Raises:
        ValueError: an argument is out of range.
    """
    simulations = checks.whole_number("simulations", simulations, 1, 10**6)
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    try:
        shipped(ruleset)
    except ValueError:
        return PlayoutBot()
    return SearchBot(net="shipped", simulations=simulations, candidates=64, leaf="turn")


def judged(thoughts: Thoughts, row: int, played: str | None = None) -> Judgement:
    """The judgement of one position from a bot's thoughts about several.

    Args:
        thoughts: of the bot.
        row: which position.
        played: the action that was played there, in words, if one was.

    Raises:
        ValueError: there is no such row.
    """
    checks.instance("thoughts", thoughts, Thoughts, "the thoughts of a bot")
    row = checks.whole_number("row", row, 0, len(thoughts) - 1)
    seat = int(thoughts.seat[row])
    words = {int(action): thoughts.ruleset.actions.to_text(int(action), seat) for action in _tried(thoughts, row)}
    actions = {
        said: (int(thoughts.visit_counts[row, action]), [chance(q) for q in thoughts.qvalues[row, action]])
        for action, said in words.items()
    }
    best = thoughts.ruleset.actions.to_text(int(thoughts.actions[row]), seat)
    kept: Mapping[str, Any] = thoughts.for_record(row)
    lost = None
    if played == best:
        lost = 0.0
    elif played in actions:
        lost = round(max(0.0, actions[best][1][seat] - actions[played][1][seat]), 3)
    size = next((name for name, least in MISTAKES.items() if lost is not None and lost >= least), "")
    line = [
        (int(who), thoughts.ruleset.actions.to_text(int(action), int(who)))
        for action, who in zip(thoughts.variation[row], thoughts.variation_seats[row], strict=True)
        if action >= 0
    ]
    return Judgement(seat, best, kept["policy"], kept["value"], actions, line, lost, size)


def _tried(thoughts: Thoughts, row: int) -> list[int]:
    """The actions that were visited: the one chosen, then those with most visits, and of these the best ones first."""
    visited = np.flatnonzero(thoughts.visit_counts[row])
    own = thoughts.qvalues[row, visited, int(thoughts.seat[row])]
    others = visited != thoughts.actions[row]
    order: list[int] = visited[np.lexsort((-own, -thoughts.visit_counts[row, visited], others))].tolist()
    return order


def think(bot: Bot, position: Position) -> Thoughts:
    """Return a bot's thoughts about positions.

    Raises:
        BotError: it failed.
        ValueError: it does not offer its thoughts.
    """
    referee.ask(bot, position)
    thoughts = getattr(bot, "thoughts", None)
    if not isinstance(thoughts, Thoughts):
        raise ValueError(
            f"bot {checks.shown(bot.name)} does not say what it thinks; choose one that does, such as "
            "search:net=shipped"
        )
    return thoughts


def judgements(
    record: Record, bot: Bot | None = None, *, stop: Callable[[], bool] = lambda: False
) -> Iterator[Judgement]:
    """Yield a bot's judgement of each decision of a recorded game, in order.

    Args:
        record: the game.
        bot: the bot that judges; by default `evaluator` of the variant.
        stop: called between batches of positions; a true result ends the analysis.

    Yields:
        A judgement for each decision.

    Raises:
        RecordError: the record is not of a game by the rules, or was made for one seat.
        ValueError: the bot does not offer its thoughts, or failed.
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    judge = evaluator(record.ruleset) if bot is None else checked_bot("bot", bot)
    if not callable(stop):
        checks.refuse("stop", stop, "a function that says whether to leave off")
    engine = Engine(record.ruleset, AT_ONCE)
    games = (one.clone(same_future=True) for one in positions(record))
    steps = zip(games, record.decisions, strict=False)  # the last position has no decision
    while part := list(islice(steps, AT_ONCE)):
        if stop():
            return
        for row, (game, _) in enumerate(part):
            engine.restore(game, [row])
        thoughts = think(judge, Position.of(engine, np.arange(len(part))))
        for row, (_, decision) in enumerate(part):
            yield judged(thoughts, row, decision["action"])
    for _ in games:  # all of it is checked, the result too
        pass


def annotated(record: Record, found: Sequence[Judgement]) -> Record:
    """A copy of a record with judgements added to its first decisions.

    Raises:
        ValueError: there are more judgements than decisions, or an argument is of another type.
    """
    decisions = checks.instance("record", record, Record, "a Record, as read or parse gives one").decisions
    found = checks.sequence("found", found, "judgements")
    for one in found:
        checks.instance("found", one, Judgement, "a Judgement")
    if len(found) > len(decisions):
        raise ValueError(f"found holds {len(found)} judgements, but the record has {len(decisions)} decisions")
    kept = [{**line, **one.for_record()} for line, one in zip(decisions, found, strict=False)]
    return replace(record, decisions=[*kept, *decisions[len(kept) :]])


def mistakes_by_seat(found: list[Judgement], seats: int) -> list[dict[str, int]]:
    """The number of mistakes of each size by seat."""
    counts = [dict.fromkeys(MISTAKES, 0) for _ in range(seats)]
    for one in found:
        if one.size:
            counts[one.seat][one.size] += 1
    return counts
