"""Explains a mistake in terms of the game: what it costs, and what the better action brings, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from rc_env.agents.thoughts import TWO_ERRORS
from rc_env.apps.table.actions import LegalAction, legal_actions
from rc_env.apps.table.game import Game
from rc_env.apps.table.phrases import past, seat_name, section_words
from rc_env.arena import jobs
from rc_env.arena.studies.analysis import (
    Judgement,
    Loss,
    evaluation_of,
    evaluator,
    judged_decision,
)
from rc_env.arena.studies.reasons import Contrast, Reasons, reasons
from rc_env.render.amounts import amount_words, joined_words
from rc_env.render.view import View
from rc_env.ruleset import Ruleset

STOPS = {"mistakes": "mistake", "blunders": "blunder"}
"""At what a coach may stop a game, with the smallest such mistake, one of `MISTAKES`."""
PAIRS = 512
"""Pairs of play-outs, at most, by which a decision is looked at."""
MOST_REASONS = 4
LEAST_PRESTIGE, LEAST_SHARE, LEAST_TURNS, LEAST_HELD = 0.3, 0.2, 0.4, 0.5
"""The least differences that the coach names: in prestige, in shares of the games, in turns, and in goods held."""
SOON_TURNS = 2
"""A section that is finished in fewer turns of one's own than this counts to what an action brings soon."""
AGREED = 0.9
"""In which share of the games with a plan its goal has to be the same, so that the coach names it."""
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


class Why(NamedTuple):
    """What a better action brings, in sentences.

    Attributes:
        soon: by the next turn of the seat.
        later: in the rest of the game, the most important first.
    """

    soon: list[str]
    later: list[str]


class Lesson(NamedTuple):
    """A mistake explained.

    Attributes:
        size: its name, one of `MISTAKES`.
        turn: that in which it was made, from 1.
        decision: what was decided, in a sentence: `Turn 5: you moved the red die to space 2.`
        cost: what it costs, in a sentence.
        why: what the better action brings, if the coach then plays on for all seats.
        in_return: what the action that was played brings more, in a sentence; "" for nothing.
        played, best: the two actions.
    """

    size: str
    turn: int
    decision: str
    cost: str
    why: Why
    in_return: str
    played: LegalAction
    best: LegalAction


class Look(NamedTuple):
    """What the coach has seen of a decision.

    Attributes:
        lesson: the mistake; None where it is none beyond doubt.
        chance: that of the seat to win after it, from 0 to 1, by the play-outs of the loss; None where the best action
            was played, so that there were none.
    """

    lesson: Lesson | None
    chance: float | None


class Coach:
    """Looks at decisions of games of a variant.

    Args:
        ruleset: the variant.
        seats: who plays each seat, as for `Game`.
    """

    def __init__(self, ruleset: Ruleset, seats: Sequence[str]) -> None:
        self._game, self._judge = Game(ruleset, seats, 0), evaluator(ruleset)

    def look(self, before: np.ndarray, action: int, after: np.ndarray, least: str, seed: int = 0) -> Look:
        """What is to be said of a decision.

        Args:
            before, after: the game before and after it, (1,) GAME each.
            action: what was played.
            least: the smallest mistake that is explained, one of `MISTAKES`.
            seed: of the play-outs.

        Raises:
            ValueError: the bot that judges failed.
        """
        found = judged_decision(
            self._game.ruleset, before, action, after, self._judge, luck=False, seed=seed, playouts=PAIRS
        )
        chance = found.loss.played[found.seat] if found.loss.played else None
        if not found.loss.is_at_least(least):
            return Look(None, chance)
        self._game.engine.restore(before)
        with threadpool_limits(1):
            return Look(lesson(self._game, found, action, seed), chance)


def lesson(game: Game, found: Judgement, action: int, seed: int) -> Lesson:
    """Explain a decision that is a mistake.

    Args:
        game: in the position in which it was made.
        found: the judgement of it.
        action: what was played.
        seed: of the play-outs that are followed.
    """
    evaluation, here = evaluation_of(jobs.variant_of(game.ruleset)), np.array(game.engine.clone(same_future=True))
    best = game.ruleset.actions.to_action(found.best, found.seat)
    shown = game.view_of(found.seat)
    actions = {one.number: one for one in legal_actions(game, shown)}
    why = reasons(evaluation, here, best, action, seed=seed)
    return Lesson(
        size=found.loss.size,
        turn=int(shown["turn"]),
        decision=f"Turn {shown['turn']}: you {past(actions[action].phrase)}.",
        cost=cost_words(found.loss, "against Ivan" if game.ruleset.solo else "among equals"),
        why=why_words(shown, why, found.best),
        in_return=in_return_words(why),
        played=actions[action],
        best=actions[best],
    )


def cost_words(loss: Loss, against: str = "among equals") -> str:
    """What a mistake costs, in a sentence; `against` says whom the games are played with."""
    if loss.hopeless:
        spread = f"{TWO_ERRORS * loss.prestige_error:.1f}"
        cost = (
            f"about {loss.prestige:.1f} prestige (± {spread})" if spread != "0.0" else f"{loss.prestige:.1f} prestige"
        )
        return f"It costs you {cost}; hardly a game is won from here any more."
    doubt = 100 * TWO_ERRORS * loss.error
    words = f"It costs you about {100 * loss.lost:.0f} of 100 games {against} (± {doubt:.0f})"
    if loss.prestige >= LEAST_PRESTIGE:
        words += f", and {loss.prestige:.1f} prestige of your lead"
    return f"{words}."


def why_words(shown: View, found: Reasons, best: str) -> Why:
    """What the better action brings, in sentences.

    Args:
        shown: the position, as the seat sees it.
        found: what the two actions lead to.
        best: the better action, in the words of the record.
    """
    soon: list[str] = []
    later = list(_better(shown, found))
    more, less = _held(found)
    if more:
        sentence = f"You have {more} more {_when(found)}{f', but {less} less' if less else ''}."
        if found.last > AGREED:
            later.append((LEAST_PRESTIGE, sentence))
        else:
            soon.append(sentence)
    if found.next_section.clear(LEAST_TURNS) and found.next_section.more < 0:
        sentence = f"You finish your next section {-found.next_section.more:.1f} turns sooner."
        if found.next_section.better < SOON_TURNS:
            soon.append(sentence)
        else:
            later.append((LEAST_PRESTIGE, sentence))
    soon += _plan(found, best)
    later.sort(key=lambda one: -one[0])
    if not soon and not later:
        later = [(0.0, "No single part of it stands out: the difference adds up over the rest of the game.")]
    return Why(soon, [sentence for _, sentence in later[:MOST_REASONS]])


def _plan(found: Reasons, best: str) -> Iterator[str]:
    """What the next turn is after the better action, in a sentence, where the play-outs agree."""
    plan = max(found.plans, key=lambda one: found.plans[one].more, default="")
    if not plan or found.plans[plan].more < 0 or not found.plans[plan].clear(LEAST_SHARE):
        return
    words, share = plan, found.plans[plan]
    for goal, here in found.goals.items():
        if goal.startswith(f"{plan} to ") and here.better >= AGREED * share.better and here.clear(LEAST_SHARE):
            words, share = goal, here
            break
    if best.startswith("claim ") and plan.endswith(f" of tower {best.split()[1]}"):
        words = words.replace("a section", "another section")
    yield f"Your next turn is then to {words} ({_often(share, unless_never='')})."


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
        bonus = own["ending"].more
        yield bonus, f"The bonus for finishing six sections first brings you {bonus:.1f} prestige more."
    for tower, share in enumerate(found.towers[found.seat]):
        if share.clear(LEAST_PRESTIGE) and share.more > 0:
            most = found.most[tower]
            carries = most.clear(LEAST_SHARE) and 2 * found.by_most[tower] >= share.more
            more = f": you have most there ({_often(most)})" if carries else ""
            yield share.more, f"Tower {tower + 1} brings you {share.more:.1f} prestige more{more}."
    for seat, prestige in enumerate(found.prestige):
        if seat != found.seat and prestige.clear(LEAST_PRESTIGE) and prestige.more < 0:
            who, less = seat_name(seat, shown["players"]), _mostly(found, seat)
            yield -prestige.more, f"{who} gets {-prestige.more:.1f} prestige less{less}."


def in_return_words(found: Reasons) -> str:
    """What the worse action brings more, in a sentence; "" for nothing."""
    own = found.parts[found.seat]
    all_ = [(own[part], begins[0].lower() + begins[1:]) for part, begins in PARTS.items()]
    all_ += [(share, f"tower {tower + 1} brings you") for tower, share in enumerate(found.towers[found.seat])]
    less = [(one.more, begins) for one, begins in all_ if one.clear(LEAST_PRESTIGE) and one.more < 0]
    parts = [f"{begins} {-more:.1f} prestige more" for more, begins in sorted(less)[:2]]
    more, less_in_hand = _held(found)
    if less_in_hand and not more:
        parts.append(f"you have {less_in_hand} more {_when(found)}")
    return f"In return, if the coach plays on from what you did, {joined_words(parts)}." if parts else ""


def _finishes(shown: View, found: Reasons) -> str:
    """Which sections the seat finishes more often, at most two."""
    more = [(share, place) for place, share in found.finishes.items() if share.clear(LEAST_SHARE) and share.more > 0]
    more.sort(key=lambda one: -one[0].more)
    parts = [
        f"{section_words(shown, f'{tower + 1}.{level + 1}')} ({_often(share)})" for share, (tower, level) in more[:2]
    ]
    return f"you finish {joined_words(parts)}" if parts else ""


def _when(found: Reasons) -> str:
    """When the seat has what `held` says."""
    return "at the end of the game" if found.last > AGREED else "when your next turn begins"


def _held(found: Reasons) -> tuple[str, str]:
    """What the seat has more, and less, when its next turn begins or the game has ended; "" for nothing."""
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


def _often(share: Contrast, unless_never: str = " instead of none") -> str:
    """In how many games; what is said where that never happens after the worse action."""
    worse = f"{100 * share.worse:.0f}"
    return f"in {100 * share.better:.0f} of 100 games{unless_never if worse == '0' else f' instead of {worse}'}"


def _mostly(found: Reasons, seat: int) -> str:
    """Where most of what another seat gets less comes from; "" where no part makes up half of it."""
    begins = {
        "sections": "in finished sections",
        "ending": "by the bonus for finishing six sections first",
        "ornaments": "in ornaments",
    }
    less: Sequence[tuple[float, str]] = [
        *(
            (found.parts[seat][part].more, words)
            for part, words in begins.items()
            if found.parts[seat][part].clear(0.2)
        ),
        *((share.more, f"in tower {i + 1}") for i, share in enumerate(found.towers[seat]) if share.clear(0.2)),
    ]
    most = min(less, default=(0.0, ""))
    return f", most of it {most[1]}" if most[1] and 2 * most[0] <= found.prestige[seat].more else ""
