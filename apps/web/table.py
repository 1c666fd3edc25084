"""A game on a page, of one person against bots or of bots alone: what tabs show, and the requests that change it."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from rc_env.apps.table.account import account, as_data
from rc_env.apps.table.actions import LegalAction, legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.phrases import GROUPS, prompt
from rc_env.apps.web.board import DrawnBoard, draw
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.places import action_places
from rc_env.arena.jobs import Variant, variant_of
from rc_env.record import Record
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

HIDDEN = "The record of this game shows hidden contracts: it is available once the game is over."
REMEMBERED = 32
"""The latest states of a game that a tab can go on from, when it connects again."""


class Snapshot(NamedTuple):
    """A position for a worker process, which shares nothing with the table.

    Attributes:
        variant: of the game, see `rc_env.arena.jobs.variant_of`.
        seats: who plays each seat.
        row: (1,) GAME, the position.
        seat: the seat that is to decide.
        seed: of the choices of a bot that decides here; it follows from the game's seed, the seat and the decision.
    """

    variant: Variant
    seats: tuple[str, ...]
    row: np.ndarray
    seat: int
    seed: int


class State(NamedTuple):
    """What a tab was shown of a state of the game: the boards by layout, and the events."""

    boards: dict[str, DrawnBoard]
    events: list[tuple[int, int, str, int]]


class Table:
    """A game and the state that a page shows. One task owns it; bots think elsewhere, about snapshots of it.

    Args:
        ruleset: the variant.
        seats: who plays each seat: `YOU` for at most one of them, or a bot in one word.
        seed: of deal, dice and bots.
        begun: a record to go on from, or of a game that is over.
        new_dice: whether the dice after that record differ from those of the recorded game.

    Attributes:
        failed: the sentence of the bot that could not decide; "" while all goes well. The game waits until the person
            lets it try again, or another bot takes its seat.
        resigned: whether the person has given up.
        last: the decision played last: "seat", "words" and "places" on the board before it; None where there is none.
        version: a number that changes with each change of the game.

    Raises:
        RecordError: the record is not of a game by the rules.
    """

    def __init__(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None, *, new_dice: bool = False
    ) -> None:
        self.seed = seed
        self.failed = ""
        self.resigned = bool(begun is not None and (begun.unfinished or {}).get("resigned"))
        self.version = secrets.randbits(40)  # no tab takes it for one of the game before it was opened again
        self.game = Game(ruleset, seats, seed, begun)
        if new_dice:
            self.game.new_dice(secrets.randbits(32))
        if self.resigned:
            self.game.resign()
        self.last: dict[str, Any] | None = None
        self._shown: View | None = None
        self._actions: list[LegalAction] | None = None
        self._states: OrderedDict[int, State] = OrderedDict()

    # --- what pages show

    @property
    def over(self) -> bool:
        """Whether no further decision will be made."""
        return self.game.over or self.resigned

    @property
    def waits_for_bot(self) -> bool:
        """Whether a bot is to decide next."""
        return not self.over and not self.failed and not self.game.is_person

    @property
    def waits_for_person(self) -> bool:
        """Whether the person is to decide next."""
        return not self.over and self.game.is_person

    @property
    def shown(self) -> View:
        """The position without anything that is hidden from the person."""
        if self._shown is None:
            self._shown = self.game.view
        return self._shown

    def board(self, layout: str) -> DrawnBoard:
        """The board in one of `board.LAYOUTS`."""
        boards = self._state.boards
        if layout not in boards:
            drawn = draw(self.shown, layout)
            before = (state.boards[layout] for state in self._states.values() if layout in state.boards)
            panels = next((one.panels for one in before if one.panels == drawn.panels), drawn.panels)  # one, not 32
            boards[layout] = DrawnBoard(panels, drawn.drawings)
        return boards[layout]

    @property
    def _state(self) -> State:
        if self.version not in self._states:
            lines = self.events
            before = next(reversed(self._states.values())).events if self._states else []
            same = zip(lines, before, strict=False)  # 32 states hold each line once
            lines[: len(before)] = [old if old == line else line for line, old in same]
            self._states[self.version] = State({}, lines)
            while len(self._states) > REMEMBERED:
                self._states.popitem(last=False)
        return self._states[self.version]

    def update(self, layout: str, seen: int | None) -> dict[str, Any]:
        """The position as a message: of board and events only what a tab lacks that has seen an earlier version.

        Args:
            layout: one of `board.LAYOUTS`.
            seen: the version that the tab shows in this layout; None, or one that is too long ago, for all.
        """
        board, events = self.board(layout), self._state.events
        before = self._states.get(-1 if seen is None else seen)
        known = before.boards.get(layout) if before else None
        message = {"type": "position", **self.message(), "layout": layout}
        if before is None or known is None or known.panels != board.panels:
            known = None
            message["panels"] = board.panels
        message["parts"] = board.changes(known)
        same = 0
        if before is not None:
            shared = zip(events, before.events, strict=False)
            same = next((i for i, (new, old) in enumerate(shared) if new != old), min(len(events), len(before.events)))
        message["events"] = {"from": same, "lines": events[same:]}
        return message

    def message(self) -> dict[str, Any]:
        """Everything that the page shows in addition to the board and the list of events."""
        shown, game = self.shown, self.game
        return {
            "full": game.ruleset.full,
            "contractors": bool(game.ruleset.contractors),
            "seed": self.seed,
            "at": game.played,
            "version": self.version,
            "words": shown["words"],
            "prompt": prompt(shown) if self.waits_for_person else "",
            "point": "over" if self.over else shown["point"],
            "groups": GROUPS,
            "turn": shown["turn"],
            "seat": None if game.over else game.seat,
            "person": game.person,
            "names": [game.name(seat) for seat in range(game.ruleset.seats)],
            "mine": self.waits_for_person,
            "over": self.over,
            "ended": self._ended(),
            "broken": self.failed,
            "score": [row["score"] for row in shown["seats"]],
            "actions": self.actions() if self.waits_for_person else [],
            "last": self.last,
            "undo": 0 if self.over else game.decided,
            "redo": game.undone if not self.over else 0,
            "results": [score._asdict() for score in game.scores()] if game.over else None,
            "account": self._account() if game.over else None,
        }

    def actions(self) -> list[dict[str, Any]]:
        """The legal actions: number, words, meaning, and places on the board."""
        return [{**one._asdict(), "places": places} for one, places in zip(self._legal(), self._places(), strict=True)]

    def snapshot(self) -> Snapshot:
        """The position as it is handed to a worker process."""
        game = self.game
        seed = int(np.random.SeedSequence([self.seed, game.seat, game.played]).generate_state(1)[0])
        row = game.engine.clone(same_future=True)
        return Snapshot(variant_of(game.ruleset), tuple(game.seats), np.array(row), game.seat, seed)

    # --- requests of pages

    def play(self, action: int, at: int) -> None:
        """Play the person's action in the position after `at` decisions.

        Raises:
            Refused: it is not legal, or the game has gone on since.
        """
        if at != self.game.played:
            raise Refused("The game has gone on in the meantime: look at the board again.")
        self._check_action(action)
        self._follow(action)

    def play_bot(self, action: int) -> None:
        """Play what the bot has chosen whose turn it is; a choice that is not legal is a failure of the bot."""
        try:
            self._follow(action)
        except ValueError as error:
            self.fail(str(error))

    def fail(self, sentence: str) -> None:
        """Note that the bot whose turn it is has failed: the game waits."""
        self._changed()
        self.failed = sentence

    def retry(self, bot: str = "") -> None:
        """Let the bot that has failed try again, or another one take its seat for the rest of the game.

        Raises:
            Refused: no bot has failed.
        """
        if not self.failed:
            raise Refused("No bot has failed: the game goes on.")
        if bot:
            self.game.seats[self.game.seat] = bot
        self._changed()

    def undo(self) -> None:
        """Go back to the person's previous decision.

        Raises:
            Refused: there is none.
        """
        if self.over:
            raise Refused("The game is over: nothing can be undone.")
        if not self.game.undo():
            raise Refused("There is nothing to undo: this is your first decision.")
        self._changed()

    def redo(self) -> None:
        """Play again the decision that was undone.

        Raises:
            Refused: nothing was undone.
        """
        if self.over or not self.game.redo():
            raise Refused("No action was undone, so there is none to play again.")
        self._changed()

    def new_dice(self) -> None:
        """Roll other dice than the game's seed would give, from here on.

        Raises:
            Refused: the game is over.
        """
        if self.over:
            raise Refused("The game is over: no dice will be rolled.")
        self.game.new_dice(secrets.randbits(32))
        self._changed()

    def resign(self) -> None:
        """Resign the person's game, for good: its record is complete from now on, and shows what was hidden.

        Raises:
            Refused: no person plays, or the game is over.
        """
        if YOU not in self.game.seats or self.over:
            raise Refused("There is no game of yours to resign.")
        self.resigned = True
        self.game.resign()
        self._changed()

    @property
    def events(self) -> list[tuple[int, int, str, int]]:
        """The events so far: turn, seat (one more than the last for Ivan's turns), words, and the decisions before."""
        mine = self.game.person
        return [
            (event.turn, event.seat, event.yours if event.seat == mine else event.words, event.at)
            for event in self.game.events
        ]

    def board_at(self, at: int, layout: str) -> dict[str, Any]:
        """The position after `at` decisions: its headline, and the drawing of each part of the board.

        Raises:
            Refused: there was no such position.
        """
        if at > self.game.played:
            raise Refused(f"at must be at most {self.game.played}, not {at}")
        shown = view(self.game.ruleset, self.game.position_at(at))
        return {"at": at, "words": shown["words"], "parts": list(enumerate(draw(shown, layout).drawings))}

    def _account(self) -> dict[str, Any]:
        game = self.game
        names = [COLOURS[seat].capitalize() if seat < len(game.seats) else "Ivan" for seat in range(game.ruleset.seats)]
        return as_data(account(self.shown, names, int(game.engine.games[0].ending)))

    # --- the record

    def record(self) -> str:
        """Return the record of the game so far.

        Raises:
            Refused: it would show what is hidden from the person.
        """
        if self.hides:
            raise Refused(HIDDEN)
        return self.game.record()

    @property
    def hides(self) -> bool:
        """Whether the record shows what is hidden from a person who can play on."""
        return YOU in self.game.seats and self.game.ruleset.full and not self.over

    # --- helpers

    def _legal(self) -> list[LegalAction]:
        if self._actions is None:
            self._actions = legal_actions(self.game, self.shown)
        return self._actions

    def _places(self) -> list[list[str]]:
        return [action_places(self.shown, self.game.seat, one.words) for one in self._legal()]

    def _check_action(self, action: int) -> None:
        if not self.waits_for_person:
            raise Refused("It is not your decision now: wait for the bots.")
        if all(one.number != action for one in self._legal()):
            raise Refused("That action is not legal any more: look at the board again.")

    def _follow(self, action: int) -> None:
        """Play a decision, and remember it as the last one."""
        before, at = self.shown, self.game.played
        self.game.play(action)
        seat, words = self.game.action_at(at)
        self._changed()
        self.last = {"seat": seat, "words": words, "places": action_places(before, seat, words)}

    def _changed(self) -> None:
        self.version += 1
        self.failed = ""
        self.last = None
        self._shown = self._actions = None

    def _ended(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        if self.resigned:
            return "You have resigned."
        return str(self.shown["words"]) if self.game.over else ""
