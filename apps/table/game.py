"""One game between a person and bots, or among bots, with its history of events."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import Any, NamedTuple

import numpy as np

from rc_env import Engine, Ruleset
from rc_env.arena import referee
from rc_env.bot import Bot, Position
from rc_env.record import Record, positions
from rc_env.render import Board
from rc_env.render.contractors import has_module
from rc_env.render.expansion import draws_text
from rc_env.render.html import ivan_text, rolls_text
from rc_env.render.text import WIDTH
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import COLOURS, FORCED
from rc_env.words.expansion_notation import draws_to_list
from rc_env.words.notation import ivan_turn, names, rolls_to_list

YOU = "you"


class Event(NamedTuple):
    """A decision, or a whole turn of Ivan's, in words; `seat` is who played it, `turn` counts from 1."""

    turn: int
    seat: int
    words: str


class _Before(NamedTuple):
    """A decision before it is played: seat, turn, words, and the number of Ivan's turns so far."""

    seat: int
    turn: int
    words: str
    ivan_turns: int


class LegalAction(NamedTuple):
    """A legal action: its number in the catalogue, its words, and its meaning on this board ("" if the words
    suffice)."""

    number: int
    words: str
    meaning: str


class Game:
    """One game, decision by decision.

    Args:
        ruleset: the variant.
        bots: the bot on each seat; a missing seat is a person's.
        seed: of deal, dice and bots.

    Attributes:
        engine: where it is played, in row 0.
        names: the name of each seat: "you", or the bot's name.
        events: the decisions and Ivan's turns so far, in order.
    """

    def __init__(self, ruleset: Ruleset, bots: Mapping[int, Bot], seed: int) -> None:
        self.engine = Engine(ruleset, 1, seed)
        self.ruleset, self._bots = ruleset, bots
        for number, bot in enumerate(bots.values()):
            bot.reset(bot_seed(seed, number))
        self.names = [bots[seat].name if seat in bots else YOU for seat in range(ruleset.players)]
        persons = [seat for seat in range(ruleset.players) if seat not in bots]
        self._person = persons[0] if len(persons) == 1 else None  # from whom the others' contracts are hidden
        self.events: list[Event] = []
        self._past: list[tuple[np.ndarray, int, int]] = []  # at each decision of a person: the game, events, decisions
        self._actions: list[int] = []  # of all decisions
        self._undone: list[list[int]] = []  # what `undo` took back, the last first, as `redo` plays it
        self._dice: list[tuple[int, int]] = []  # decisions from which on dice come from a seed of their own

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
        return not self.over and self.seat not in self._bots

    @property
    def played(self) -> int:
        """The number of decisions of all seats so far."""
        return len(self._actions)

    @property
    def undone(self) -> int:
        """The number of a person's decisions that `redo` can play again."""
        return len(self._undone)

    @property
    def decided(self) -> int:
        """The number of a person's decisions that `undo` can take back."""
        return len(self._past)

    @property
    def turn(self) -> int:
        """The number of turns begun by any seat."""
        return int(self.engine.games[0].turn)

    @property
    def view(self) -> View:
        """The view of the position that pictures are drawn from."""
        return view(self.ruleset, self.position)

    @property
    def position(self) -> np.void:
        """The GAME record to show, with everything hidden from the person concealed."""
        return Board(self.engine, seat=self._person).game

    def choose(self, bot: Bot) -> int:
        """The number of the action that a bot would choose now.

        Raises:
            ValueError: it raised an exception, or gave no number.
        """
        return int(referee.ask(bot, Position.of(self.engine))[0])

    def play_bot(self) -> str:
        """Let the bot whose turn it is decide; returns its decision in one line.

        Raises:
            ValueError: its action is not legal.
        """
        return self._step(self.choose(self._bots[self.seat]))

    def play(self, action: int) -> str:
        """Play the person's action; returns the decision in one line."""
        self._undone.clear()
        self._remember()
        return self._step(action)

    def follow(self, record: Record) -> None:
        """Play the decisions of a record of this variant, of which nothing has been played yet.

        Raises:
            RecordError: the record breaks the rules.
        """
        steps = positions(record, self.engine)
        next(steps)
        for decision in record.decisions:
            if self.is_person:
                self._remember()
            before = self._before(decision["action"])
            self._actions.append(self.engine.text_to_action(decision["action"]))
            next(steps)
            self._note(before)

    def undo(self) -> bool:
        """Go back to the person's previous decision, with the same dice to come; False if there is none."""
        if not self._past:
            return False
        before, count, number = self._past.pop()
        self.engine.restore(before)
        self._undone.append(self._actions[number:])
        del self.events[count:], self._actions[number:]
        return True

    def redo(self) -> bool:
        """Play again the decisions that the last `undo` took back, with the same dice; False if there are none."""
        if not self._undone:
            return False
        self._remember()
        for action in self._undone.pop():
            self._step(action)
        return True

    def new_dice(self, seed: int) -> None:
        """Roll all dice from the next decision on from another seed; undone decisions can then not be redone."""
        self._dice = [(number, own) for number, own in self._dice if number < self.played] + [(self.played, seed)]
        self._undone.clear()

    def since(self) -> list[str]:
        """The events since and including the person's last decision, one line per turn."""
        return self.lines(self._past[-1][1] if self._past else 0)

    def lines(self, first: int = 0) -> list[str]:
        """The events from one of them on, those of one seat and turn together in a line."""
        lines: list[str] = []
        last = None
        for event in self.events[first:]:
            if (event.turn, event.seat) == last:
                lines[-1] += f"; {event.words}"
            else:
                lines.append(f"{self.who(event.seat)}: {event.words}")
            last = event.turn, event.seat
        return lines

    def who(self, seat: int) -> str:
        """`You`, `Blue (greedy)` or `Ivan`."""
        if seat >= self.ruleset.players:
            return "Ivan"
        return "You" if seat not in self._bots else f"{COLOURS[seat].capitalize()} ({self.names[seat]})"

    def _step(self, action: int) -> str:
        before = self._before(self.engine.action_to_text(action))
        self.engine.step([action], dice=self._forced_dice())
        if self.engine.illegal[0]:
            raise ValueError(f"bot {self.names[before.seat]}: {before.words!r} found, expected a legal action")
        self._actions.append(int(action))
        return self._note(before)

    def _forced_dice(self) -> np.ndarray | None:
        """The values that the next dice are forced to show, (1, 16), where they do not come from the game's seed."""
        seeds = [seed for number, seed in self._dice if number <= self.played]
        if not seeds:
            return None
        return np.random.default_rng([seeds[-1], self.played]).integers(1, 7, (1, FORCED), np.int8)

    def _remember(self) -> None:
        self._past.append((self.engine.clone(same_future=True), len(self.events), self.played))

    def _before(self, words: str) -> _Before:
        return _Before(self.seat, self.turn, words, int(self.engine.games[0].ivan_turns))

    def _note(self, before: _Before) -> str:
        """Add a decision that has been played to the events; returns it in a line."""
        seat, turn, words, turns = before
        hidden = self._person not in (None, seat)
        if hidden and words.startswith("contract "):
            words = "contract ?"
        rolls = rolls_text(rolls_to_list(self.engine.games[0]))
        drawn = [draw for draw in self._draws() if not (hidden and "contracts" in draw)]
        line = words + (f", rolled {rolls}" if rolls else "") + (f", drew {draws_text(drawn)}" if drawn else "")
        self.events.append(Event(turn, seat, line))
        lines = wrap(f"{self.who(seat)}: {line}", WIDTH)
        if self.engine.games[0].ivan_turns > turns:
            ivan = ivan_text(ivan_turn(self.engine.games[0]))
            self.events.append(Event(turn, self.ruleset.players, ivan.removeprefix("Ivan: ")))
            lines += wrap(ivan, WIDTH)
        return "\n".join(lines)

    def _draws(self) -> list[dict[str, Any]]:
        return draws_to_list(self.ruleset, self.engine.games[0], names(self.ruleset).cards)

    def scores(self) -> str:
        """The result as a table of text."""
        results = self.engine.results()
        has_contracts = self.view.get("contracts") is not None
        more = (f"{'contracts':>11}" if has_contracts else "") + (f"{'tools':>7}" if has_module(self.view) else "")
        lines = [f"{'':<22}{'place':>6}{'prestige':>10}{'track':>7}{'goods':>7}{more}{'towers':>8}"]
        for seat in sorted(range(self.engine.num_seats), key=lambda s: int(results.place[0, s])):
            who = f"{COLOURS[seat]}, {self.names[seat] if seat < len(self.names) else 'Ivan'}"
            more = f"{results.contracts[0, seat]:>11}" if has_contracts else ""
            more += f"{results.tools[0, seat]:>7}" if has_module(self.view) else ""
            lines.append(
                f"{who:<22}{results.place[0, seat] + 1:>6}{results.prestige[0, seat]:>10}{results.track[0, seat]:>7}"
                f"{results.goods[0, seat]:>7}{more}{results.towers[0, seat].sum():>8}"
            )
        return "\n".join(lines)


def bot_seed(seed: int, number: int) -> int:
    """The seed of a bot's own choices, from that of the game and the bot's place."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
