"""A game on a page, of one person against bots or of bots alone: what tabs show, and the requests that change it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rc_env.apps.table.account import account, as_data
from rc_env.apps.table.actions import LegalAction, Outlook, Prospect, legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.keeping import Keeper
from rc_env.apps.table.phrases import GROUPS, prompt
from rc_env.apps.table.players import Bots
from rc_env.apps.web import hints
from rc_env.apps.web.board import DrawnBoard, certain, draw
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.places import action_places
from rc_env.arena import jobs
from rc_env.arena.studies.analysis import evaluator
from rc_env.bot import Bot, Position
from rc_env.record import Record
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

HIDDEN = "The record of this game shows hidden contracts: it is available once the game is over."


class Table:
    """A game with its bots, its file and the state that a page shows. Used by one thread at a time.

    Args:
        ruleset: the variant.
        seats: who plays each seat: `YOU` for at most one of them, or a bot in one word.
        seed: of deal, dice and bots.
        kept: the file that a person's game is saved to.
        begun: a record to go on from.
        new_dice: whether the dice after that record differ from those of the recorded game.

    Attributes:
        broken: the error of the bot that has ended the game; "" if none has.
        resigned: whether the person has given up.
        last: the decision played last: "seat", "words" and "places" on the board before it; None where there is none.
        version: a number that changes with each change of the game.

    Raises:
        ValueError: a bot cannot be made, or not play this variant.
        RecordError: the record is not of a game by the rules.
    """

    def __init__(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, kept: Path, begun: Record | None = None, *,
        new_dice: bool = False, make: Callable[[str], Bot] = jobs.make_bot,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.broken, self.resigned = "", False
        self.version = 0
        self._bots = Bots(seats, ruleset, seed, make)
        self.game = Game(ruleset, seats, seed, begun)
        if new_dice:
            self.game.new_dice(secrets.randbits(32))
        self._keeper = Keeper(self.game, kept, wanted=True) if YOU in seats else None
        self.last: dict[str, Any] | None = None
        self._hint: Bot | None = None
        self._outlook = Outlook(self.game)
        self._shown: View | None = None
        self._actions: list[LegalAction] | None = None
        self._boards: dict[str, DrawnBoard] = {}
        self._prospects: dict[int, Prospect] = {}

    # --- what pages show

    @property
    def over(self) -> bool:
        """Whether no further decision will be made."""
        return self.game.over or self.resigned or bool(self.broken)

    @property
    def waits_for_bot(self) -> bool:
        """Whether a bot is to decide next."""
        return not self.over and not self.game.is_person

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
        if layout not in self._boards:
            self._boards[layout] = draw(self.shown, layout)
        return self._boards[layout]

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
            "broken": self.broken,
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

    def preview(self, action: int, layout: str) -> dict[str, Any]:
        """What an action certainly leads to, whatever dice are rolled and cards drawn: see `actions.Prospect`.

        Returns:
            "parts", the parts of the board that change, as `DrawnBoard.changes` gives them; "changes", the numbers of
            the person that change; and "chance", what else happens, in words.

        Raises:
            Refused: it is not legal now.
        """
        self._check_action(action)
        if action not in self._prospects:
            self._prospects[action] = self._outlook.of(action, self.shown)
        found = self._prospects[action]
        parts = certain(found.views, self.board(layout), layout)
        return {"parts": parts, "changes": found.changes, "chance": found.chance}

    def hint(self, level: int) -> dict[str, Any]:
        """A hint of one of three levels, see `hints.advice`.

        Raises:
            Refused: the person is not to decide.
            BotError: the bot that gives hints failed.
        """
        if not self.waits_for_person:
            raise Refused("It is not your decision now: wait for the bots.")
        if self._hint is None:
            self._hint = evaluator(self.game.ruleset)
        return hints.advice(self._hint, Position.of(self.game.engine), self._legal(), level)

    # --- requests of pages

    def play(self, action: int, at: int) -> None:
        """Play the person's action in the position after `at` decisions.

        Raises:
            Refused: it is not legal, or the game has gone on since.
        """
        if at != self.game.played:
            raise Refused("The game has gone on in the meantime: look at the board again.")
        self._check_action(action)
        self._follow(lambda: self.game.play(action))

    def play_bot(self) -> None:
        """Let the bot whose turn it is decide; one that fails ends the game."""
        try:
            self._follow(lambda: self.game.play(self._bots.choose(self.game)))
        except (ValueError, MemoryError) as error:
            self.broken = f"The game ends here: {error}."
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
        if self._keeper is None or self.over:
            raise Refused("There is no game of yours to resign.")
        self.resigned = True
        self.game.resign()
        self._changed()

    # --- saving

    def keep(self) -> str:
        """Write the file of a person's game. A full disk does not end the game: "", or a sentence for the person."""
        try:
            if self._keeper is not None:
                self._keeper.keep()
        except (OSError, ValueError) as error:
            return f"The game could not be kept: {error}. It goes on, and is kept once that is possible again."
        return ""

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
            raise Refused(f"at: {at} found, expected at most {self.game.played}")
        shown = view(self.game.ruleset, self.game.position_at(at))
        return {"at": at, "words": shown["words"], "parts": list(enumerate(draw(shown, layout).drawings))}

    def _account(self) -> dict[str, Any]:
        game = self.game
        names = [COLOURS[seat].capitalize() if seat < len(game.seats) else "Ivan" for seat in range(game.ruleset.seats)]
        return as_data(account(self.shown, names, int(game.engine.games[0].ending)))

    def record(self) -> str:
        """Return the record of the game so far.

        Raises:
            Refused: it would show what is hidden from the person.
        """
        if self._keeper is not None and self.game.ruleset.full and not self.over:
            raise Refused(HIDDEN)
        return self.game.record()

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

    def _follow(self, play: Callable[[], object]) -> None:
        """Play a decision, and remember it as the last one."""
        before, at = self.shown, self.game.played
        play()
        seat, words = self.game.action_at(at)
        self._changed()
        self.last = {"seat": seat, "words": words, "places": action_places(before, seat, words)}

    def _changed(self) -> None:
        self.version += 1
        self.last = None
        self._shown = self._actions = None
        self._boards, self._prospects = {}, {}

    def _ended(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        if self.broken:
            return self.broken
        if self.resigned:
            return "You have resigned."
        return str(self.shown["words"]) if self.game.over else ""
