"""What an analysed game came to for each player: start, luck, skill and what the others lost sum up to the result.

Shape letters: D decisions, P players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena.studies.analysis import Judgement, as_kept
from rc_env.record import Record


@dataclass(frozen=True)
class Balance:
    """What a game came to for each player, in win chance: `result = start + luck + skill + others + rest`.

    Attributes:
        chances: of each player before each decision and at the end; None where a judgement is missing, and behind it
            until the next value that does not follow from those before.
        errors: the standard errors of these, likewise; None also where a kept judgement lacks them.
        start: before the first decision.
        luck: what all rolls brought, whoever rolled.
        luck_errors: the standard errors of that.
        skill: less what the own decisions lost.
        others: what the others' decisions lost to this player.
        rest: what the evaluation cannot explain: its errors, and what the best actions bring above those of who plays
            the games out.
        result: the share of the victory; of an unfinished game the last chances.

    Of an unfinished game of which no chances are known, `start`, `rest` and `result` are empty.
    """

    chances: list[list[float] | None]
    errors: list[list[float] | None]
    start: list[float]
    luck: list[float]
    luck_errors: list[float]
    skill: list[float]
    others: list[float]
    rest: list[float]
    result: list[float]


def result_chances(record: Record) -> list[float] | None:
    """The share of the victory of each player; None in a game that did not end."""
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    if record.unfinished is not None:
        return None
    winners = record.result["winners"]
    return [(seat in winners) / len(winners) for seat in range(record.ruleset.players)]


def balance(
    found: Mapping[int, Judgement], decisions: int, players: int, result: Sequence[float] | None = None
) -> Balance:
    """What a game came to.

    Args:
        found: the judgements of its decisions, or of some of them, by number from 0.
        decisions: how many there were.
        players: P.
        result: the share of the victory of each player, as `result_chances` gives it; None in a game that did not end.

    Raises:
        ValueError: there is a judgement of no decision, or another argument does not fit.
    """
    decisions = checks.whole_number("decisions", decisions, 0)
    players = checks.whole_number("players", players, 1, 4)
    if not isinstance(found, Mapping):
        checks.refuse("found", found, "judgements by number")
    for number, judgement in found.items():
        checks.whole_number("found", number, 0, max(0, decisions - 1))
        checks.instance("found", judgement, Judgement, "judgements by number")
    ended = None if result is None else checks.array("result", result, "a share of the victory for each player")
    if ended is not None and (ended.shape != (players,) or ended.dtype.kind not in "if"):
        checks.refuse("result", result, f"{players} numbers, a share of the victory for each player")
    luck, skill, others, spread = (np.zeros(players) for _ in range(4))
    now: NDArray[np.float64] | None = None
    chances: list[list[float] | None] = []
    errors: list[list[float] | None] = []
    doubt: NDArray[np.float64] | None = None  # the squared standard errors of `now`
    for number in range(decisions):
        one = found.get(number)
        if one is not None and one.start:
            now, doubt = np.array(one.start), _squared(one.start_errors)
        elif one is not None and now is None and one.loss.best:
            now, doubt = np.array(one.loss.best), None
        elif one is None:
            now = None  # until the next value that does not follow from those before
        chances.append(None if now is None else as_kept(now))
        errors.append(None if now is None or doubt is None else as_kept(np.sqrt(doubt)))
        if one is None:
            continue
        changes = np.array(one.loss.changes)
        own = np.arange(players) == one.seat
        skill -= changes * own
        others -= changes * ~own
        if now is not None:
            now = now - changes
            doubt = None if doubt is None else doubt + one.loss.error**2
        if one.roll is not None:
            luck += one.roll.luck
            spread += np.square(one.roll.errors)
            now, doubt = np.array(one.roll.chances), _squared(one.roll.chance_errors)
    last = ended if ended is not None else now
    chances.append(None if last is None else as_kept(last))
    if ended is not None:
        doubt = np.zeros(players)
    errors.append(None if last is None or doubt is None else as_kept(np.sqrt(doubt)))
    known = [one for one in chances if one is not None]
    start = np.array(known[0] if known else ())
    last = start if last is None else last
    return Balance(
        chances=chances,
        errors=errors,
        start=as_kept(start),
        luck=as_kept(luck),
        luck_errors=as_kept(np.sqrt(spread)),
        skill=as_kept(skill),
        others=as_kept(others),
        rest=as_kept(last - start - luck - skill - others) if known else [],
        result=as_kept(last),
    )


def _squared(errors: Sequence[float]) -> NDArray[np.float64] | None:
    """The squares of standard errors; None for none."""
    return np.square(errors) if errors else None
