"""Analyses a recorded game: what each decision loses, how lucky each roll was, and what both come to.

A decision is looked at twice. A bot that offers its thoughts names the best action. Then that action and the one that
was played are played out with equal dice, again and again until a loss is beyond doubt or is none, and once more to
measure it: so the best of many noisy numbers is never the measure, nor the moment at which it was best to stop, and an
action as good as the best one loses nothing on average. The luck of a roll is the win chance after it less the mean
over all rolls that could have come.

Shape letters: D decisions, P players.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env import checks
from rc_env.agents.net import shipped
from rc_env.agents.search import SearchBot
from rc_env.agents.thoughts import Thoughts
from rc_env.arena import jobs, referee
from rc_env.arena.evaluation import LARGE, LARGE_LEAD, Difference, Evaluation, Value
from rc_env.arena.luck import RollValues, by_chance, dice_of_one_roll, luck_of_roll
from rc_env.bot import Bot, Position, checked_bot
from rc_env.engine import Engine
from rc_env.record import Record, positions
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset
from rc_env.words.notation import rolls_to_list

MISTAKES = {"blunder": 0.2, "mistake": LARGE, "inaccuracy": 0.05}
"""The names of mistakes with the least loss of winning chance of each, the largest first."""
IN_PRESTIGE = {"blunder": 4.0, "mistake": LARGE_LEAD, "inaccuracy": 1.0}
"""The same in prestige of the lead, where hardly a game is won any more: see `evaluation.HOPELESS`."""
SIMULATIONS, CANDIDATES = 64, 8
"""Play-outs of a decision, at most, by which the best action is chosen, and the most actions that are tried."""
PLAYOUTS = 128
"""Pairs of play-outs, at most, by which a decision is looked at; play-outs of all rolls, and of the one that came."""
DIGITS = 4


@dataclass(frozen=True)
class RollLuck:
    """The luck of what was rolled, or drawn, after a decision.

    Attributes:
        rolled: the dice of each roll, as in a record.
        expected: the win chance of each player on average over all rolls that could have come.
        chances: that after the roll that came.
        errors: the standard errors of the difference.
        exact: whether all rolls that could have come were played out, not only some.
        chance_errors: the standard errors of `chances`; empty in what earlier versions kept.
    """

    rolled: list[dict[str, int]]
    expected: list[float]
    chances: list[float]
    errors: list[float]
    exact: bool
    chance_errors: list[float] = field(default_factory=list)

    @property
    def luck(self) -> list[float]:
        """What the roll brought each player, in win chance."""
        return [round(after - before, DIGITS) for after, before in zip(self.chances, self.expected, strict=True)]


@dataclass(frozen=True)
class Loss:
    """What a decision lost, measured by pairs of play-outs; chances are those to win, a shared victory in parts.

    Attributes:
        lost: of the seat that decided, which may be below 0, by chance.
        error: the standard error of that; 0 where the best action was played.
        prestige: what it lost of its lead in prestige.
        changes: what each player lost, the seat itself included: the others gain.
        regained: what the seat could still win back by its next decision in the same turn, and which is not counted
            here: the best action there is that much better than what whoever plays out would do.
        best: the chance of each player after the best action; empty where that was played.
        played: that after the action that was played.
        pairs: how many there were.
        certain: whether it lost something beyond doubt.
        hopeless: whether it is judged by prestige, since hardly a game is won even after the best action.
        prestige_error: the standard error of `prestige`.
        prestige_regained: `regained` in prestige of the lead.
    """

    lost: float = 0.0
    error: float = 0.0
    prestige: float = 0.0
    changes: tuple[float, ...] = ()
    regained: float = 0.0
    best: tuple[float, ...] = ()
    played: tuple[float, ...] = ()
    pairs: int = 0
    certain: bool = False
    hopeless: bool = False
    prestige_error: float = 0.0
    prestige_regained: float = 0.0

    @property
    def size(self) -> str:
        """The name of a mistake of this size, one of `MISTAKES`; "" where none is beyond doubt."""
        lost, sizes = (self.prestige, IN_PRESTIGE) if self.hopeless else (self.lost, MISTAKES)
        return next((name for name, least in sizes.items() if self.certain and lost >= least), "")

    def is_at_least(self, size: str) -> bool:
        """Whether it is a mistake beyond doubt of this size, one of `MISTAKES`, or a greater one."""
        names = list(MISTAKES)
        return self.size != "" and names.index(self.size) <= names.index(size)


@dataclass(frozen=True)
class Judgement:
    """A bot's judgement of one decision of a game, and what the action that was played lost.

    The chances of the bot are (value + 1) / 2, from 0 to 1. With two seats, and against Ivan, that is the chance to
    win, half of it where the victory is shared; with more players and a network for the reward "win" it is the share of
    the others that a seat may expect to leave behind.

    Attributes:
        seat: the seat that decided.
        best: the action that the bot would have played, in words.
        policy: its policy, probabilities by action in words, the largest first.
        value: of each seat after the best action, from -1 (last place) to 1 (first).
        actions: by action in words, how often it was tried, and the chances of each seat after it.
        line: the principal variation, as pairs of a seat and an action in words, beginning with the best action.
        turn: the number of the turn.
        loss: what the action that was played lost.
        roll: the luck of the roll that followed; None where nothing was rolled or drawn.
        start: the win chance of each player before the first decision; empty for all others.
        start_errors: the standard errors of that; empty in what earlier versions kept.
    """

    seat: int
    best: str
    policy: dict[str, float]
    value: list[float]
    actions: dict[str, tuple[int, list[float]]]
    line: list[tuple[int, str]]
    turn: int = 0
    loss: Loss = Loss()
    roll: RollLuck | None = None
    start: tuple[float, ...] = ()
    start_errors: tuple[float, ...] = ()

    @property
    def lost(self) -> float:
        """What the seat lost, as it is counted: see `Loss`."""
        return self.loss.lost

    @property
    def size(self) -> str:
        """The name of the mistake, "" if it was none beyond doubt."""
        return self.loss.size

    def for_record(self) -> dict[str, object]:
        """The keys "policy" and "value" of a decision of a record (docs/records.md)."""
        return {"policy": dict(self.policy), "value": list(self.value)}

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Judgement:
        """The inverse of `dataclasses.asdict`, also after JSON made lists of tuples; other keys are left out."""
        kept = {name: found[name] for name in cls.__dataclass_fields__ if name in found}
        roll, loss = kept.pop("roll", None), kept.pop("loss", {})
        return cls(**kept, roll=None if roll is None else RollLuck(**roll), loss=Loss(**loss))


def chance(value: float) -> float:
    """The chance that a value from -1 to 1 stands for, rounded to a thousandth."""
    return round((float(value) + 1) / 2, 3)


def evaluator(ruleset: Ruleset, simulations: int = SIMULATIONS, doubt: float = 2) -> Bot:
    """A bot that names the best action: the search with the network that comes with the package.

    Unlike the search that plays, it tries other actions at each decision, up to 8, and plays all of them out to the
    end. For people, and bots, often come to positions that the network never met in its own games, in which it is sure
    of an action that is not the best.

    Args:
        ruleset: the variant.
        simulations, doubt: as for `SearchBot`.

    Raises:
        ValueError: an argument is out of range, or no network comes with the package for the variant.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    shipped(ruleset)
    return SearchBot(simulations, net="shipped", candidates=CANDIDATES, sure=1, doubt=doubt, turns=0)


def judged(thoughts: Thoughts, row: int) -> Judgement:
    """The judgement of one position from a bot's thoughts about several; nothing is measured.

    Args:
        thoughts: of the bot.
        row: which position.

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
    line = [
        (int(who), thoughts.ruleset.actions.to_text(int(action), int(who)))
        for action, who in zip(thoughts.variation[row], thoughts.variation_seats[row], strict=True)
        if action >= 0
    ]
    return Judgement(seat, best, kept["policy"], kept["value"], actions, line)


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
    record: Record,
    bot: Bot | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    numbers: Collection[int] | None = None,
    luck: bool = True,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Judgement]:
    """Yield the judgement of each decision of a recorded game, in order.

    Args:
        record: the game.
        bot: the bot that names the best action; by default `evaluator` of the variant.
        playouts: pairs of play-outs of a decision at most, and play-outs of a roll: see `PLAYOUTS`; 1 to 10,000.
        seed: of the bot and of all dice. A decision is judged alike whichever others are.
        numbers: those of the decisions that are judged, from 0; by default of all, and then the result is checked, too.
        luck: whether rolls and the deal are played out as well; without it `roll` is None and `start` empty.
        stop: called before each decision; a true result ends the analysis.

    Yields:
        A judgement for each decision.

    Raises:
        RecordError: the record is not of a game by the rules, or was made for one seat.
        ValueError: the bot does not offer its thoughts, or failed; or an argument is out of range.

    Example:
        >>> from rc_env import Ruleset, play_match
        >>> from rc_env.arena.studies.analysis import judgements
        >>> from rc_env.record import Recorder, parse
        >>> texts, short = {}, Ruleset(turn_limit=2)
        >>> _ = play_match(["greedy", "random"], 1, short, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> first, *others = judgements(parse(texts[0]), playouts=4)
        >>> first.seat, len(first.start)
        (0, 2)
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    judge = evaluator(record.ruleset) if bot is None else checked_bot("bot", bot)
    playouts, seed = checks.whole_number("playouts", playouts, 1, 10**4), checks.seed("seed", seed)
    if not callable(stop):
        checks.refuse("stop", stop, "a function that says whether to leave off")
    count = len(record.decisions)
    chosen: Collection[int] = range(count)
    if numbers is not None:
        listed = checks.sequence("numbers", numbers, "numbers of decisions")
        chosen = {checks.whole_number("numbers", number, 0, count - 1) for number in listed}
    analyst = _Analyst(record.ruleset, judge, playouts, seed, checks.flag("luck", luck))
    return _judgements(analyst, record, chosen, numbers is None, stop)


def _judgements(
    analyst: _Analyst, record: Record, chosen: Collection[int], whole: bool, stop: Callable[[], bool]
) -> Iterator[Judgement]:
    last, before = max(chosen, default=-1), None
    for number, table in enumerate(positions(record)):
        here = table.clone(same_future=True)
        if before is not None and number - 1 in chosen:
            if stop():
                return
            with threadpool_limits(1):
                yield analyst.judge(number - 1, before, here, _happened(record, number - 1, before))
        if number > last and not whole:
            return
        before = here


@dataclass(frozen=True)
class _Look:
    """A first look at a decision: the judgement without the loss, the best action, and what plays out would do.

    `gain` is what the best action brings above that.
    """

    judgement: Judgement
    best: int
    usual: int
    gain: Difference | None


@dataclass(frozen=True)
class _Happened:
    """What a decision was, and what happened by chance behind it.

    `dice` are those of a single roll; 0 where more than that happened by chance.
    """

    action: int
    by_chance: bool
    dice: int
    rolled: Sequence[Mapping[str, int]]


def _happened(record: Record, number: int, before: np.ndarray) -> _Happened:
    """What a decision of a record was, from the game before it, (1,) GAME."""
    decision = record.decisions[number]
    more = bool(decision.get("draws")) or number in record.ivan
    rolls = decision["rolls"]
    return _Happened(
        action=record.ruleset.actions.to_action(decision["action"], int(before["seat"][0])),
        by_chance=bool(rolls) or more,
        dice=len(rolls[0]) if len(rolls) == 1 and not more else 0,
        rolled=rolls,
    )


def judged_decision(
    ruleset: Ruleset,
    before: np.ndarray,
    action: int,
    after: np.ndarray,
    bot: Bot,
    *,
    luck: bool,
    seed: int = 0,
    playouts: int = PLAYOUTS,
) -> Judgement:
    """The judgement of a decision of a game that is still being played.

    Args:
        ruleset: the variant.
        before, after: the game before the decision and after it, (1,) GAME each.
        action: what was played.
        bot: names the best action.
        luck: whether the luck of what was rolled or drawn behind it is measured, too.
        seed: of the bot and of all dice.
        playouts: as for `judgements`.

    Raises:
        ValueError: the bot does not offer its thoughts, or failed.
    """
    happened = _Happened(action, bool(by_chance(before, after)[0]), dice_of_one_roll(after), rolls_to_list(after[0]))
    with threadpool_limits(1):
        analyst = _Analyst(ruleset, bot, playouts, seed, luck)
        return analyst.judge(int(before["decisions"][0]), before, after, happened)


class _Analyst:
    """Judges decisions of games of a variant."""

    def __init__(self, ruleset: Ruleset, judge: Bot, playouts: int, seed: int, luck: bool) -> None:
        self._ruleset, self._judge, self._playouts, self._seed, self._luck = ruleset, judge, playouts, seed, luck
        self._evaluation = evaluation_of(jobs.variant_of(ruleset))
        self._engine = Engine(ruleset, 1)
        self._looks: dict[int, _Look] = {}

    def judge(self, number: int, before: np.ndarray, after: np.ndarray, happened: _Happened) -> Judgement:
        """The judgement of a decision, from the games before and after it, (1,) GAME each."""
        look, played = self._look(number, before), happened.action
        found, seat, players = look.judgement, look.judgement.seat, self._ruleset.players
        loss = Loss(changes=(0.0,) * players)
        if played != look.best:
            lost = look.gain
            if lost is None or played != look.usual:
                lost = self._evaluation.compare(before, look.best, played, self._playouts, self._seeds(number)[1])
            again = None
            goes_on = (after["seat"][0], after["turn"][0]) == (seat, before["turn"][0])
            if goes_on and after["status"][0] == PLAYING:  # where dice fell, after those that came: right on average
                again = self._look(number + 1, after).gain
            loss = _loss(lost, seat, again)
        start = Value(np.zeros(0), np.zeros(0))
        roll = None
        if self._luck:
            keys = np.random.default_rng(self._seeds(number)[2]).integers(
                2**64, size=2 * self._playouts, dtype=np.uint64
            )
            if number == 0:
                start = self._evaluation.value(before, keys[: self._playouts])
            if happened.by_chance:
                values = luck_of_roll(self._evaluation, before, played, after, happened.dice, keys)
                roll = _roll(values, happened.rolled)
        return replace(
            found,
            turn=int(before["turn"][0]),
            loss=loss,
            roll=roll,
            start=tuple(as_kept(start.means)),
            start_errors=tuple(as_kept(start.errors)),
        )

    def _seeds(self, number: int) -> list[int]:
        """The seeds of the bot, of the comparison and of the rolls of a decision."""
        seeds: list[int] = np.random.SeedSequence([self._seed, number]).generate_state(3, np.uint64).tolist()
        return seeds

    def _look(self, number: int, game: np.ndarray) -> _Look:
        """The first look at a decision, each decision once."""
        if number not in self._looks:
            self._looks = {at: one for at, one in self._looks.items() if at > number - 2}
            asked, compared, _ = self._seeds(number)
            self._engine.restore(game)
            referee.start_over(self._judge, asked)
            found = judged(think(self._judge, Position.of(self._engine)), 0)
            best = self._ruleset.actions.to_action(found.best, found.seat)
            usual, gain = int(self._evaluation.choices(game)[0]), None
            if best != usual:
                gain = self._evaluation.compare(game, best, usual, self._playouts, compared)
            self._looks[number] = _Look(found, best, usual, gain)
        return self._looks[number]


@lru_cache(maxsize=4)
def evaluation_of(variant: jobs.Variant) -> Evaluation:
    """The evaluation of a variant, as `jobs.variant_of` names it: one object per process."""
    return Evaluation(jobs.ruleset_of(variant))


def _loss(found: Difference, seat: int, again: Difference | None) -> Loss:
    """What a decision lost, less what the next one of the same turn could win back."""
    lost, spread, certain = found.better - found.worse, np.square(found.errors), found.certain
    lead, lead_spread = found.lead, found.lead_error**2
    if again is not None:
        lost, spread = lost - (again.better - again.worse), spread + np.square(again.errors)
        lead, lead_spread = lead - again.lead, lead_spread + again.lead_error**2
        counted, doubt = (lead, lead_spread) if found.hopeless else (lost[seat], spread[seat])
        certain = certain and bool(counted > 2 * np.sqrt(doubt))
    changes = tuple(as_kept(lost))
    return Loss(
        lost=changes[seat],
        error=round(float(np.sqrt(spread[seat])), DIGITS),
        prestige=round(lead, 2),
        prestige_error=round(float(np.sqrt(lead_spread)), 2),
        changes=changes,
        regained=0.0 if again is None else as_kept(again.better - again.worse)[seat],
        prestige_regained=0.0 if again is None else round(again.lead, 2),
        best=tuple(as_kept(found.better)),
        played=tuple(as_kept(found.worse)),
        pairs=found.pairs,
        certain=certain,
        hopeless=found.hopeless,
    )


def _roll(found: RollValues, rolled: Sequence[Mapping[str, int]]) -> RollLuck:
    """The luck of a roll as it is kept."""
    errors = np.hypot(found.expected.errors, found.came.errors)
    chances = (as_kept(found.expected.means), as_kept(found.came.means), as_kept(errors))
    return RollLuck([dict(one) for one in rolled], *chances, found.exact, as_kept(found.came.errors))


def as_kept(numbers: NDArray[np.float64]) -> list[float]:
    """Numbers as a record keeps them: rounded to `DIGITS`."""
    return [round(float(number), DIGITS) + 0.0 for number in numbers]


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
