"""Explains a mistake in terms of the game: what it costs, and what the better action brings, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from rc_env.apps.table.actions import LegalAction, legal_actions
from rc_env.apps.table.game import Game
from rc_env.apps.table.phrases import seat_name, section_words
from rc_env.arena import jobs
from rc_env.arena.studies.analysis import (
    MISTAKES,
    Judgement,
    Loss,
    evaluation_of,
    evaluator,
    judged_decision,
)
from rc_env.arena.studies.evaluation import Difference
from rc_env.arena.studies.reasons import Contrast, Reasons, reasons
from rc_env.render.amounts import amount_words, joined_words
from rc_env.render.view import View
from rc_env.ruleset import Ruleset

STOPS = {"mistakes": "mistake", "blunders": "blunder"}
"""At what a coach may stop a game, with the smallest such mistake, one of `MISTAKES`."""
PAIRS = 256
"""Pairs of play-outs by which the cost of a mistake is measured."""
MOST_REASONS = 4
LEAST_PRESTIGE, LEAST_SHARE, LEAST_TURNS, LEAST_HELD = 0.3, 0.2, 0.4, 0.5
"""The least differences that the coach names: in prestige, in shares of the games, in turns, and in goods held."""
PARTS = {
    "sections": "Finished sections bring you",
    "ornaments": "Ornaments bring you",
    "market": "Tiles of the market bring you",
    "guilds": "Guilds bring you",
    "workshop": "Tiles of your workshop bring you",
    "goods": "Materials and rubles left at the end bring you",
    "contracts": "Contracts bring you",
    "tools": "Specialists' tools bring you",
    "other": "Everything else on the score track brings you",
}
"""What brings a seat more or less prestige, as a sentence begins."""


class Lesson(NamedTuple):
    """A mistake explained.

    Attributes:
        size: its name, one of `MISTAKES`.
        cost: what it costs, in a sentence.
        why: what the better action brings, in sentences, the most important first.
        in_return: what the action that was played brings more, in a sentence; "" for nothing.
        played, best: the two actions.
    """

    size: str
    cost: str
    why: list[str]
    in_return: str
    played: LegalAction
    best: LegalAction


class Coach:
    """Looks at decisions of games of a variant.

    Args:
        ruleset: the variant.
        seats: who plays each seat, as for `Game`.
    """

    def __init__(self, ruleset: Ruleset, seats: Sequence[str]) -> None:
        self._game, self._judge = Game(ruleset, seats, 0), evaluator(ruleset)

    def lesson(self, before: np.ndarray, action: int, after: np.ndarray, least: str, seed: int = 0) -> Lesson | None:
        """What is to be said of a decision; None where it is no mistake beyond doubt.

        Args:
            before, after: the game before and after it, (1,) GAME each.
            action: what was played.
            least: the smallest mistake that is explained, one of `MISTAKES`.
            seed: of the play-outs.

        Raises:
            ValueError: the bot that judges failed.
        """
        found = judged_decision(self._game.ruleset, before, action, after, self._judge, luck=False, seed=seed)
        if not is_mistake(found.loss, least):
            return None
        self._game.engine.restore(before)
        with threadpool_limits(1):
            return lesson(self._game, found, action, least, seed)


def lesson(game: Game, found: Judgement, action: int, least: str, seed: int) -> Lesson | None:
    """Explain a decision that is thought to be a mistake; None if it is none.

    The play-outs by which it was found to be one were stopped when it looked bad enough. What it costs is measured by
    further ones, and it is explained only if they confirm it.

    Args:
        game: in the position in which it was made.
        found: the judgement of it.
        action: what was played.
        least: the smallest mistake that is explained, one of `MISTAKES`.
        seed: of the play-outs.
    """
    evaluation, here = evaluation_of(jobs.variant_of(game.ruleset)), np.array(game.engine.clone(same_future=True))
    best = game.ruleset.actions.to_action(found.best, found.seat)
    again = evaluation.compare(here, best, action, PAIRS, seed, whole=True)
    loss = measured(found.loss, again, found.seat)
    if not is_mistake(loss, least):
        return None
    shown = game.view_of(found.seat)
    actions = {one.number: one for one in legal_actions(game, shown)}
    why = reasons(evaluation, here, best, action, seed=seed)
    return Lesson(
        loss.size, cost_words(loss), why_words(shown, why), in_return_words(why), actions[action], actions[best]
    )


def is_mistake(loss: Loss, least: str) -> bool:
    """Whether a loss is a mistake beyond doubt of this size, one of `MISTAKES`, or a greater one."""
    return loss.certain and loss.lost >= MISTAKES[least]


def measured(loss: Loss, again: Difference, seat: int) -> Loss:
    """A loss of a seat by other play-outs; what can still be won back in the turn is not counted, as before."""
    lost, error = float((again.better - again.worse)[seat]) - loss.regained, float(again.errors[seat])
    return replace(
        loss,
        lost=lost,
        error=error,
        prestige=again.lead if loss.regained == 0 else 0.0,
        certain=again.certain and lost > 2 * error,
    )


def cost_words(loss: Loss) -> str:
    """What a mistake costs, in a sentence."""
    words = f"It costs you about {100 * loss.lost:.0f} of 100 games among equals (± {196 * loss.error:.0f})"
    if loss.prestige >= LEAST_PRESTIGE:
        words += f", and {loss.prestige:.1f} prestige of your lead"
    return f"{words}."


def why_words(shown: View, found: Reasons) -> list[str]:
    """What the better action brings, in sentences, the most important first.

    Args:
        shown: the position, as the seat sees it.
        found: what the two actions lead to.
    """
    ordered = sorted(_better(shown, found), key=lambda one: -one[0])
    sentences = [sentence for _, sentence in ordered[:MOST_REASONS]]
    more, less = _held(found)
    if more:
        sentences.insert(0, f"When your next turn begins you have {more} more{f', but {less} less' if less else ''}.")
    plan = max(found.plans, key=lambda one: found.plans[one].more, default="")
    if plan and found.plans[plan].more > 0 and found.plans[plan].clear(LEAST_SHARE):
        sentences.append(f"Your next turn is then to {plan} ({_often(found.plans[plan])}).")
    if not sentences:
        sentences = ["No single part of it stands out: the difference adds up over the rest of the game."]
    return sentences


def _better(shown: View, found: Reasons) -> Iterator[tuple[float, str]]:
    """What is better after the better action: how much prestige it is about, and a sentence."""
    own = found.parts[found.seat]
    finishes = _finishes(shown, found)
    for part, begins in PARTS.items():
        if own[part].clear(LEAST_PRESTIGE) and own[part].more > 0:
            more = f": {finishes}" if part == "sections" and finishes else ""
            yield own[part].more, f"{begins} {own[part].more:.1f} prestige more{more}."
            if part == "sections":
                finishes = ""
    if finishes:
        yield LEAST_PRESTIGE, f"{finishes[0].upper()}{finishes[1:]}."
    if own["penalties"].clear(LEAST_PRESTIGE) and own["penalties"].more > 0:
        yield own["penalties"].more, f"You lose {own['penalties'].more:.1f} prestige less by penalties."
    if own["given"].clear(LEAST_PRESTIGE) and own["given"].more > 0:
        yield own["given"].more, f"You give up {own['given'].more:.1f} prestige less for rubles and new rolls."
    if own["ending"].clear(LEAST_PRESTIGE) and own["ending"].more > 0:
        yield own["ending"].more, f"The bonus for the sixth section brings you {own['ending'].more:.1f} prestige more."
    for tower, share in enumerate(found.towers[found.seat]):
        if share.clear(LEAST_PRESTIGE) and share.more > 0:
            most = found.most[tower]
            more = f": you have most there ({_often(most)})" if most.clear(LEAST_SHARE) else ""
            yield share.more, f"Tower {tower + 1} brings you {share.more:.1f} prestige more{more}."
    for seat, prestige in enumerate(found.prestige):
        if seat != found.seat and prestige.clear(LEAST_PRESTIGE) and prestige.more < 0:
            who, less = seat_name(seat, shown["players"]), _mostly(found, seat)
            yield -prestige.more, f"{who} gets {-prestige.more:.1f} prestige less{less}."
    if found.next_section.clear(LEAST_TURNS) and found.next_section.more < 0:
        yield LEAST_PRESTIGE, f"You finish your next section {-found.next_section.more:.1f} turns sooner."


def in_return_words(found: Reasons) -> str:
    """What the worse action brings more, in a sentence; "" for nothing."""
    own = found.parts[found.seat]
    all_ = [(own[part], begins[0].lower() + begins[1:]) for part, begins in PARTS.items()]
    all_ += [(share, f"tower {tower + 1} brings you") for tower, share in enumerate(found.towers[found.seat])]
    less = [(one.more, begins) for one, begins in all_ if one.clear(LEAST_PRESTIGE) and one.more < 0]
    parts = [f"{begins} {-more:.1f} prestige more" for more, begins in sorted(less)[:2]]
    more, less_in_hand = _held(found)
    if less_in_hand and not more:
        parts.append(f"you have {less_in_hand} more when your next turn begins")
    return f"In return, after what you played, {joined_words(parts)}." if parts else ""


def _finishes(shown: View, found: Reasons) -> str:
    """Which sections the seat finishes more often, at most two."""
    more = [(share, place) for place, share in found.finishes.items() if share.clear(LEAST_SHARE) and share.more > 0]
    more.sort(key=lambda one: -one[0].more)
    parts = [
        f"{section_words(shown, f'{tower + 1}.{level + 1}')} ({_often(share)})" for share, (tower, level) in more[:2]
    ]
    return f"you finish {joined_words(parts)}" if parts else ""


def _held(found: Reasons) -> tuple[str, str]:
    """What the seat has more, and less, when its next turn begins; "" for nothing."""
    parts: dict[bool, list[str]] = {True: [], False: []}
    for name, contrast in found.held.items():
        if contrast.clear(LEAST_HELD):
            number = f"{abs(contrast.more):.1f}".removesuffix(".0")
            whole = 1 if number == "1" else 2
            what = (
                f"{whole} space{'s' * (whole > 1)} on the score track"
                if name == "spaces"
                else amount_words(whole, name)
            )
            parts[contrast.more > 0].append(f"{number}{what[1:]}")
    return joined_words(parts[True][:3]), joined_words(parts[False][:3])


def _often(share: Contrast) -> str:
    return f"in {100 * share.better:.0f} of 100 games, not in {100 * share.worse:.0f}"


def _mostly(found: Reasons, seat: int) -> str:
    """Where most of what another seat gets less comes from."""
    begins = {"sections": "finished sections", "ending": "the sixth section", "ornaments": "ornaments"}
    less: Sequence[tuple[float, str]] = [
        *(
            (found.parts[seat][part].more, words)
            for part, words in begins.items()
            if found.parts[seat][part].clear(0.2)
        ),
        *((share.more, f"tower {i + 1}") for i, share in enumerate(found.towers[seat]) if share.clear(0.2)),
    ]
    return f", most of it in {min(less)[1]}" if less and min(less)[0] < 0 else ""
