"""What the page of a study says of a decision: the sentence, the sum behind it, and what the search saw.

A loss is measured by pairs of play-outs, apart from the search that named the best action, and less what the next
decision of the same turn can win back. So the page shows the measurement as a sum, and the search in a table of its
own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.agents.thoughts import TWO_ERRORS
from rc_env.apps.table.markers import MINUS
from rc_env.arena.studies.analysis import Judgement

WIDEST = 0.25
"""The largest such error with which a chance of the search is shown."""
MOST_ROWS = 8
STILL_OPEN = "what the next decision of this turn can still win back"
MOST_ANSWERS, FEWEST_ANSWERS = 4, 3


def answers(one: Judgement, played: str, legal: Sequence[str]) -> list[str]:
    """The actions among which the better one is to be found, in alphabetical order.

    The best action and others that were not played, up to four: those first that the search tried, then those of the
    kind of the best action, or of the one that was played. That one is among them only where they are fewer than three.
    There are none where the best action was played.

    Args:
        one: the judgement of the decision.
        played: the action that was played.
        legal: all legal actions, like all actions here in the words of the record.

    Example:
        >>> from rc_env.apps.web.verdicts import answers
        >>> from rc_env.arena.studies.analysis import Judgement
        >>> one = Judgement(0, "obtain", {"obtain": 1.0}, [0.0, 0.0], {}, [])
        >>> answers(one, "done", ["obtain", "done", "guild 1", "guild 2"])
        ['guild 1', 'guild 2', 'obtain']
    """
    if played == one.best:
        return []
    kinds = {words.split()[0] for words in (one.best, played)}
    alike = sorted(legal, key=lambda words: words.split()[0] not in kinds)
    others = [words for words in dict.fromkeys([one.best, *one.actions, *one.policy, *alike]) if words != played]
    chosen = others[:MOST_ANSWERS]
    return sorted(chosen if len(chosen) >= FEWEST_ANSWERS else [*chosen, played])


def verdict(one: Judgement, played: str, phrases: Mapping[str, str], offered: Sequence[str]) -> dict[str, Any]:
    """What the page says of a decision.

    Args:
        one: its judgement.
        played: the action that was played.
        phrases: the actions of the judgement in the words of the board.
        offered: the actions among which the better one is to be found.

    Returns:
        "sentence", what was chosen, which follows the colour of the seat; "loss", what that lost, and by what it is
        measured; "question", which follows the colour, too; "measured", the sum behind the loss as pairs of words and a
        number; "searched", a list of words, the share in the policy, how often the action was tried, its chance, and
        why that is missing, if it is.
    """
    return {
        "sentence": _sentence(one, played, phrases),
        "loss": _loss(one) if one.loss.pairs else "",
        "question": _question(played in offered),
        "measured": _measured(one, played, phrases) if one.loss.pairs else [],
        "searched": _searched(one, played, phrases),
    }


def _sentence(one: Judgement, played: str, phrases: Mapping[str, str]) -> str:
    chose = f"chose to {phrases[played]}"
    if not one.loss.pairs:
        return f"{chose}, which the search names as the best action."
    return f"{chose}. The search names another action as best: {phrases[one.best]}."


def _question(has_played: bool) -> str:
    if has_played:
        return (
            "is to decide. One of these was played, and another one is better: the search has named it as best, "
            "and play-outs have measured it. Which one?"
        )
    return (
        "is to decide. One of these the search has named as best, and play-outs have measured that it is better than "
        "what was played. Which one?"
    )


def _loss(one: Judgement) -> str:
    """What was lost, by what that is measured, and whether it is beyond doubt."""
    loss, seat = one.loss, one.seat
    measured, error = f"By {loss.pairs} pairs of play-outs with the same dice what was played", _spread(loss.error)
    if not _in_words(loss.regained):
        said = f"{measured} {_changes(loss.lost)} {100 * abs(loss.lost):.0f} {error} points of a hundred."
    else:  # tenths, so that the sum adds up for the eye
        difference, back = loss.best[seat] - loss.played[seat], f"{100 * abs(loss.regained):.1f}"
        if loss.regained < 0:
            further = f"; the next decision of this turn adds {back} to that, by the chance of its own measurement"
        elif difference > 0:
            further = f", of which the next decision of this turn can still win back {back}"
        else:
            further = f"; the next decision of this turn can still win back {back}"
        said = (
            f"{measured} {_changes(difference)} {100 * abs(difference):.1f} points of a hundred{further}. "
            f"What counts is a {'loss' if loss.lost > 0 else 'gain'} of {100 * abs(loss.lost):.1f} {error}."
        )
    if loss.hopeless:
        if loss.prestige < 0:
            doubt = "so it is at least as good, as far as that can be measured"
        else:
            doubt = "which is beyond doubt" if loss.certain else "which is not beyond doubt"
        return (
            f"{measured} {'gains' if loss.prestige < 0 else 'loses'} {abs(loss.prestige):.1f} "
            f"± {TWO_ERRORS * loss.prestige_error:.1f} prestige of the lead, {doubt}. Prestige counts here, "
            f"since only {100 * loss.best[seat]:.0f} of 100 games are won even after the action named best."
        )
    if not loss.certain:
        even = "That is not beyond doubt: the two count as even."
        return f"{said} {even if loss.lost > 0 else 'So it is at least as good, as far as that can be measured.'}"
    prestige = ""
    if abs(loss.prestige) >= 0.05:
        lead = "and takes {:.1f} prestige off" if loss.prestige > 0 else "although it adds {:.1f} prestige to"
        prestige = f", {lead.format(abs(loss.prestige))} the lead, on average"
    return f"{said} That is beyond doubt{prestige}."


def _in_words(number: float) -> bool:
    """Whether a number of chances comes to a point of a hundred."""
    return abs(number) >= 0.005


def _changes(lost: float) -> str:
    return "gains" if lost < 0 and _in_words(lost) else "loses"


def _spread(error: float) -> str:
    """Two standard errors in whole points."""
    return f"± {100 * TWO_ERRORS * error:.0f}"


def _measured(one: Judgement, played: str, phrases: Mapping[str, str]) -> list[tuple[str, str]]:
    """The chances after both actions, and what follows from them, in prestige where that counts: words and a number
    each."""
    loss, seat = one.loss, one.seat
    after = (
        (one.best, "best" if loss.certain else "named best by the search", loss.best[seat]),
        (played, "played", loss.played[seat]),
    )
    rows = [
        (f"{phrases[words]} ({note})", f"{chance:.1%} {_spread(_error(chance, loss.pairs))}")
        for words, note, chance in after
    ]
    if loss.hopeless:
        if abs(loss.prestige_regained) >= 0.05:
            rows.append(("difference of the lead in prestige", _points(loss.prestige + loss.prestige_regained)))
            rows.append((STILL_OPEN, _points(-loss.prestige_regained, "+")))
        lost = f"{_points(loss.prestige)} ± {TWO_ERRORS * loss.prestige_error:.1f}"
        return [*rows, ("lost by what was played, in prestige of the lead", lost)]
    if _in_words(loss.regained):
        rows.append(("difference", _tenths(loss.best[seat] - loss.played[seat])))
        rows.append((STILL_OPEN, _tenths(-loss.regained, "+")))
    return [*rows, ("lost by what was played", f"{_tenths(loss.lost)} {_spread(loss.error)}")]


def _tenths(number: float, sign: str = "") -> str:
    """A number of chances in points of a hundred."""
    return _points(100 * number, sign)


def _points(number: float, sign: str = "") -> str:
    """A number of points with one digit."""
    return format(number, f"{sign}.1f").replace("-", MINUS)


def _error(chance: float, tried: int) -> float:
    """The standard error of a chance that is the mean of so many play-outs, none of which passes for certainty."""
    return math.sqrt((max(0.0, chance * (1 - chance)) + 1 / tried) / tried)


def _searched(one: Judgement, played: str, phrases: Mapping[str, str]) -> list[list[Any]]:
    """What the search saw of each action, the best one and the one that was played first."""
    notes = {played: " (played)", one.best: " (named best)"}
    if played == one.best:
        notes = {played: " (named best, played)"}
    shown = sorted(one.actions, key=lambda words: words not in notes)[:MOST_ROWS]
    rows: list[list[Any]] = []
    for words in shown:
        tried, chances = one.actions[words]
        chance, why = chances[one.seat], ""
        error = _error(chance, tried)
        if len(chances) > 2:
            why = "With more than two players the search may count the players who are left behind, not victories."
        elif TWO_ERRORS * error > WIDEST:
            why = "It was played out too seldom to say."
        said = "–" if why else f"{chance:.1%} {_spread(error)}"
        rows.append([phrases[words] + notes.get(words, ""), one.policy.get(words, 0.0), tried, said, why])
    return rows
