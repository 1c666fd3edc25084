"""One game as persons and bots play it: positions, history, undo and redo, new dice, and its record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rc_env import Engine, Ruleset, checks
from rc_env.apps.table.falling import Asking, Fell, Question, fallen, forced, joined
from rc_env.apps.table.story import Told, tell
from rc_env.record import PERSON, Record, Recorder, positions
from rc_env.render.contractors import has_module
from rc_env.render.view import View, view
from rc_env.rules.expansion.contracts import UNSEEN
from rc_env.rules.printed.sizes import COLOURS, FORCED
from rc_env.words.expansion_notation import CONTRACTS, brought, draws_to_list
from rc_env.words.notation import dict_to_deal, names, rolls_to_list

YOU = PERSON
"""Stands in the place of a bot's name on the seat of a person."""
NOBODY = -1
"""Stands in the place of a seat for those who only look on: they see what everybody sees."""


class SeatResult(NamedTuple):
    """The result of a seat: `place` counts from 1, `parts` are the parts of its prestige by name."""

    seat: int
    colour: str
    name: str
    place: int
    prestige: int
    parts: dict[str, int]


class _Decision(NamedTuple):
    """A decision that has been played: its action, whether a person made it, and the game before it."""

    action: int
    is_persons: bool
    game: np.ndarray


class Game:
    """One game, decision by decision. It asks nobody: whoever owns it hands it the actions of persons and bots.

    Used by one thread at a time.

    Args:
        ruleset: the variant.
        seats: who plays each seat: `YOU` for a person, or a bot in one word.
        seed: of the deal and the dice.
        begun: a record of such a game, with which this one begins.
        deal: parts of the deal that are fixed, as `notation.dict_to_deal` takes them.
        entered: whether the game is played at a real table: whatever falls or is drawn is entered with each decision.

    Attributes:
        engine: where it is played, in row 0.
        seats: as given.
        entered: as given.

    Raises:
        RecordError: the record breaks the rules.
        ValueError: the deal is none of the variant, or it has contracts and is to be entered.
    """

    def __init__(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None, *,
        deal: Mapping[str, Any] | None = None, entered: bool = False,
    ) -> None:  # fmt: skip
        self.engine = Engine(ruleset, 1, seed)
        if deal is not None:
            fixed = dict_to_deal(ruleset, deal)
            self.engine.reset(deal_seeds=np.array([seed], np.uint64), deals=fixed)
        self.entered = entered
        self.ruleset, self.seats = ruleset, list(seats)
        persons = [seat for seat, name in enumerate(seats) if name == YOU]
        self.person = persons[0] if len(persons) == 1 else None
        """The seat of the only person, from whom the contracts of others are hidden; else None."""
        self._decisions: list[_Decision] = []
        self._told: dict[int | None, list[list[Told]]] = {}  # sentences of each decision, by the seat that reads them
        self._seen: tuple[int, View] | None = None  # the position that was told last, by the decisions before it
        self._undone: list[list[tuple[int, Fell | None]]] = []  # what each `undo` took back, the last first
        self._new_dice: list[dict[str, int]] = []  # as a record has them
        self._finished = ""  # the record of a game that is over
        self._resigned = False
        self._recorder = Recorder(self._take)
        self._recorder.attach(self.engine)
        self._asking = Asking(ruleset) if entered else None
        if begun is not None:
            self._follow(begun)
        if entered and brought(ruleset, self.engine.games[0]) & CONTRACTS:
            raise ValueError(
                "contracts are hidden from the others, and whoever enters a game would see them all: play without the "
                "guild that draws them"
            )

    # --- the position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.seat < 0

    @property
    def seat(self) -> int:
        """The seat that has to decide; -1 once the game is over."""
        return int(self.engine.seat[0])

    @property
    def is_person(self) -> bool:
        """Whether a person has to decide."""
        return not self.over and self.seats[self.seat] == YOU

    @property
    def turn(self) -> int:
        """The number of turns begun by any seat."""
        return int(self.engine.games[0].turn)

    @property
    def position(self) -> np.void:
        """The GAME record to show, with everything hidden from the only person concealed."""
        return self.position_at(self.played, self.person)

    @property
    def view(self) -> View:
        """The view of the position that pictures are drawn from, as the only person sees it."""
        return self.view_of(self.person)

    def view_of(self, seer: int | None) -> View:
        """The view of the position as one seat sees it, or `NOBODY`; with None all is shown."""
        return view(self.ruleset, self.position_at(self.played, seer))

    def name(self, seat: int) -> str:
        """The bot on a seat, `YOU`, or `Ivan`."""
        return self.seats[seat] if seat < len(self.seats) else "Ivan"

    def scores(self) -> list[SeatResult]:
        """The result of each seat, the best first."""
        results, shown = self.engine.results(), self.view
        parts = ["track", "goods"]
        parts += ["contracts"] if shown.get("contracts") is not None else []
        parts += ["tools"] if has_module(shown) else []
        scores = [
            SeatResult(
                seat,
                COLOURS[seat],
                self.name(seat),
                int(results.place[0, seat]) + 1,
                int(results.prestige[0, seat]),
                {part: int(getattr(results, part)[0, seat]) for part in parts}
                | {"towers": int(results.towers[0, seat].sum())},
            )
            for seat in range(self.engine.num_seats)
        ]
        return sorted(scores, key=lambda score: (score.place, score.seat))

    # --- the history

    @property
    def played(self) -> int:
        """The number of decisions of all seats so far."""
        return len(self._decisions)

    @property
    def decided(self) -> int:
        """The number of persons' decisions, which `undo` can take back."""
        return sum(one.is_persons for one in self._decisions)

    @property
    def undone(self) -> int:
        """The number of persons' decisions that `redo` can play again."""
        return len(self._undone)

    @property
    def has_new_dice(self) -> bool:
        """Whether dice of the game so far came, or the next ones will come, from another seed than the deal's."""
        return any(one["from"] <= self.played for one in self._new_dice)

    @property
    def events(self) -> list[Told]:
        """The decisions and Ivan's turns so far in sentences, in order, with all that the only person sees."""
        return self.told_to(self.person)

    def told_to(self, seer: int | None, first: int = 0) -> list[Told]:
        """The decisions after `first` others, and Ivan's turns, as a seat, or `NOBODY`, sees them; None: in full."""
        told = self._told.setdefault(seer if self.ruleset.full else None, [])
        for at in range(len(told), self.played):
            told.append(self._tell(at, seer))
        return [line for lines in told[first:] for line in lines]

    @property
    def since(self) -> int:
        """The number of decisions before the last one of a person; 0 if there is none."""
        return next((at for at in reversed(range(self.played)) if self._decisions[at].is_persons), 0)

    def position_at(self, at: int, seer: int | None) -> np.void:
        """The GAME record to show to a seat, or to `NOBODY`, of the position after `at` decisions, 0 to `played`.

        Until the game is over, everything that is hidden from the seat is concealed; with None all is shown.

        Raises:
            ValueError: there was no such position.
        """
        now = checks.whole_number("at", at, 0, self.played) == self.played
        game = self.engine.clone(same_future=True) if now else self._decisions[at].game
        if seer is not None and not self.over:
            game, whole = self.engine.conceal(game, max(seer, 0)), game
            if seer == NOBODY:  # what two seats see alike, all see
                other = self.engine.conceal(whole, self.ruleset.players - 1)
                for name in ("hand", "drawn_contract", "log_contract") if self.ruleset.full else ():
                    game[name][game[name] != other[name]] = UNSEEN
        return game[0]

    def action_at(self, at: int, seer: int | None) -> tuple[int, str]:
        """The seat and the action, in the words of the record, of the decision after `at` others, as a seat sees it."""
        decision = self._decisions[at]
        seat = int(decision.game[0]["seat"])
        words = self.ruleset.actions.to_text(decision.action, seat)
        hidden = words.startswith("contract ") and seer not in (None, seat)
        return seat, "contract ?" if hidden else words

    def decision_at(self, at: int) -> tuple[np.ndarray, int, np.ndarray]:
        """The decision after `at` others: the game before it, its action, and the game after it, (1,) GAME each.

        They have everything that is hidden.
        """
        before, action = self._decisions[at].game, self._decisions[at].action
        last = at + 1 == self.played
        after = self.engine.clone(same_future=True) if last else self._decisions[at + 1].game
        return np.array(before), action, np.array(after)

    def rolled_or_drawn(self, at: int) -> bool:
        """Whether the decision after `at` others has rolled dice, or drawn cards or tiles."""
        game = self._game(at + 1)
        return bool(rolls_to_list(game) or draws_to_list(self.ruleset, game, names(self.ruleset).cards))

    def play(self, action: int, fell: Fell | None = None) -> None:
        """Play an action of whoever has to decide.

        Args:
            action: its number in the catalogue.
            fell: in a game that is entered, all that fell after it.

        Raises:
            ValueError: the action is not legal, or something that fell is missing or impossible; nothing was played.
        """
        if self.is_person:
            self._undone.clear()
        self._step(action, fell)

    def ask(self, action: int, fell: Fell) -> Question | None:
        """What has to be entered next for an action, after `fell`; None if that is all. Only of a game that is entered.

        Raises:
            ValueError: the action is not legal, or what was entered cannot have fallen.
        """
        assert self._asking is not None
        return self._asking.ask(self.engine.clone(same_future=True), action, fell)

    def undo(self) -> bool:
        """Go back to the last decision of a person, with the same dice to come; False if there is none."""
        last = next((i for i in reversed(range(self.played)) if self._decisions[i].is_persons), None)
        if last is None:
            return False
        back = self._decisions[last]
        taken = [(one.action, self._fell(at)) for at, one in enumerate(self._decisions[last:], last)]
        self.engine.restore(back.game)
        self._undone.append(taken)
        del self._decisions[last:]
        for told in self._told.values():
            del told[last:]
        self._seen = None
        return True

    def redo(self) -> bool:
        """Play again the decisions that the last `undo` took back, with the same dice; False if there are none."""
        if not self._undone:
            return False
        for action, fell in self._undone.pop():
            self._step(action, fell)
        return True

    def new_dice(self, seed: int) -> None:
        """Roll all dice from the next decision on from another seed, 0 to 2^64 - 1; nothing can then be redone.

        The record says so, and a game that begins with it rolls the same dice.
        """
        earlier = [one for one in self._new_dice if one["from"] < self.played]
        self._new_dice = [*earlier, {"from": self.played, "seed": seed}]
        self._undone.clear()

    # --- the record

    def record(self) -> str:
        """The record so far: unfinished while the game goes on, then with its result."""
        if self._finished:
            return self._with_new_dice(self._finished)
        seat = self.seats.index(YOU) if YOU in self.seats else 0
        about: dict[str, Any] = {"seat": seat, "bots": [*self.seats[:seat], *self.seats[seat + 1 :]]}
        if self._resigned:
            about["resigned"] = True
        return self._with_new_dice(self._recorder.unfinished(about))

    def resign(self) -> None:
        """Note in the record that the person has given up: nobody can go on with the game, so that it may be read."""
        self._resigned = True

    def _with_new_dice(self, text: str) -> str:
        new_dice = [one for one in self._new_dice if one["from"] <= self.played]
        if not new_dice:
            return text
        before, last = text.rstrip("\n").rsplit("\n", 1)
        return f"{before}\n{json.dumps({**json.loads(last), 'new_dice': new_dice})}\n"

    def _take(self, number: int, text: str) -> None:
        self._finished = text

    def _follow(self, record: Record) -> None:
        """Play the decisions of a record, with its dice."""
        self._new_dice = [dict(one) for one in record.new_dice]
        steps = positions(record, self.engine)
        next(steps)
        if "position" in record.header:
            self._recorder.begin()
        for decision in record.decisions:
            before = self._before(self.engine.text_to_action(decision["action"]))
            next(steps)
            self._decisions.append(before)

    # --- steps

    def _step(self, action: int, fell: Fell | None = None) -> None:
        before = self._before(action)
        if self.entered:
            fell = Fell() if fell is None else fell
            if (missing := self.ask(action, fell)) is not None:
                raise ValueError(f"what fell at the table is not known yet: {missing.kind}")
            self.engine.step([action], **forced(self.ruleset, fell))
        else:
            self.engine.step([action], dice=self._forced_dice())
        if self.engine.illegal[0]:
            words = self.engine.action_to_text(action)
            raise ValueError(f"{self.name(self.seat)} cannot play {words!r} here: it is not legal")
        self._decisions.append(before)

    def _before(self, action: int) -> _Decision:
        return _Decision(int(action), self.is_person, self.engine.clone(same_future=True))

    def _fell(self, at: int) -> Fell | None:
        """What fell after the decision after `at` others, in a game that is entered."""
        if not self.entered:
            return None
        return joined(*fallen(self.ruleset, self._decisions[at].game[0], self._game(at + 1)))

    def _forced_dice(self) -> np.ndarray | None:
        """The values that the next dice are forced to show, (1, 16), where they do not come from the game's seed."""
        seeds = [one["seed"] for one in self._new_dice if one["from"] <= self.played]
        if not seeds:
            return None
        return np.random.default_rng([seeds[-1], self.played]).integers(1, 7, (1, FORCED), np.int8)

    def _tell(self, at: int, seer: int | None) -> list[Told]:
        """Tell a decision in sentences."""
        games = [self._decisions[at].game[0], self._game(at + 1)]
        before = self._seen[1] if self._seen and self._seen[0] == at else view(self.ruleset, games[0])
        after = view(self.ruleset, games[1])
        self._seen = at + 1, after
        return tell(self.ruleset, games, [before, after], *self.action_at(at, seer), at)

    def _game(self, at: int) -> Any:
        """The GAME record after `at` decisions, with everything that is hidden."""
        return self._decisions[at].game[0] if at < self.played else self.engine.games[0]
