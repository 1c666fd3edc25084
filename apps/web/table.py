"""A game on a page, of one person against bots or of bots alone: what tabs show, and the requests that change it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.keeping import Keeper
from rc_env.apps.terminal.dialogue import meanings
from rc_env.apps.web import hints
from rc_env.apps.web.board import DrawnBoard, draw
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.places import action_places
from rc_env.arena import jobs, referee
from rc_env.arena.studies.analysis import evaluator
from rc_env.bot import Bot, Position
from rc_env.engine import Engine
from rc_env.record import Record, Recorder
from rc_env.render import Board
from rc_env.render.contractors import has_module
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset
from rc_env.words.expansion_notation import draws_to_list
from rc_env.words.notation import names, rolls_to_list

HIDDEN = "The record of this game shows hidden contracts: it is available once the game is over."


class Table:
    """One game with its file and the state that a page shows. Used by one thread at a time.

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
        self.seats, self.seed = list(seats), seed
        self.broken, self.resigned = "", False
        self.version = 0
        bots = {seat: make(name) for seat, name in enumerate(seats) if name != YOU}
        self.game = Game(ruleset, bots, seed)
        self.person = seats.index(YOU) if YOU in seats else None
        self._recorder: Recorder | None = None
        self._finished = ""
        if self.person is not None:
            others = [name for name in seats if name != YOU]
            self._keeper: Keeper | None = Keeper(self.game, kept, self.person, others, wanted=True)
        else:
            self._keeper = None
            self._recorder = Recorder(self._take)
            self._recorder.attach(self.game.engine)
        self.last: dict[str, Any] | None = None
        if begun is not None:
            self.game.follow(begun)
            if new_dice:
                self.game.new_dice(secrets.randbits(32))
        self._hint: Bot | None = None
        self._shown: View | None = None
        self._scratch: Engine | None = None
        self._boards: dict[str, DrawnBoard] = {}
        self._actions: list[dict[str, Any]] | None = None
        self._previews: dict[int, dict[str, Any]] = {}

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
            "turn": shown["turn"],
            "seat": None if game.over else game.seat,
            "person": self.person,
            "names": [self._name(seat) for seat in range(game.ruleset.seats)],
            "mine": game.is_person and not self.over,
            "over": self.over,
            "ended": self._ended(),
            "broken": self.broken,
            "score": [row["score"] for row in shown["seats"]],
            "actions": self.actions() if game.is_person and not self.over else [],
            "last": self.last,
            "undo": 0 if self.over else game.decided,
            "redo": game.undone if not self.over else 0,
            "results": self._results() if game.over else None,
        }

    def actions(self) -> list[dict[str, Any]]:
        """The legal actions: number, words, meaning, and places on the board."""
        if self._actions is None:
            self._actions = [
                {
                    "number": one.number,
                    "words": one.words,
                    "meaning": one.meaning,
                    "places": action_places(self.shown, self.game.seat, one.words),
                }
                for one in meanings(self.game, self.shown)
            ]
        return self._actions

    def preview(self, action: int, layout: str) -> dict[str, Any]:
        """The effect of an action: the parts of the board that change, and the person's numbers before and after.

        Dice that would be rolled, and cards and contracts that would be drawn, are not shown.

        Raises:
            Refused: it is not legal now.
        """
        self._check_action(action)
        if action in self._previews and layout in self._previews[action]["boards"]:
            return self._previews[action]
        engine, game = self._scratch_engine(), self.game
        engine.restore(game.engine.clone(seat=[game.seat]))
        engine.step([action])
        after = view(game.ruleset, Board(engine, seat=self.person).game)
        state = engine.games[0]
        rolled = bool(rolls_to_list(state)) or state.ivan_turns > game.engine.games[0].ivan_turns
        drawn = bool(draws_to_list(game.ruleset, state, names(game.ruleset).cards))
        board, before = draw(after, layout), self.board(layout)
        chance = ("space", "ivan", "markers") if rolled else ()
        parts = [] if drawn else [
            (i, one) for i, one in board.changes(before) if not board.parts[i].startswith(chance)
        ]  # fmt: skip
        found = self._previews.setdefault(action, {"boards": {}})
        found["boards"][layout] = parts
        found["changes"] = hints.differences(self.shown["seats"][game.seat], after["seats"][game.seat])
        found["chance"] = "then dice are rolled" if rolled else "then something is drawn" if drawn else ""
        return found

    def hint(self, level: int) -> dict[str, Any]:
        """A hint of one of three levels, see `hints.advice`.

        Raises:
            Refused: the person is not to decide.
            BotError: the bot that gives hints failed.
        """
        if self.over or not self.game.is_person:
            raise Refused("It is not your decision now: wait for the bots.")
        if self._hint is None:
            self._hint = evaluator(self.game.ruleset)
        return hints.advice(self._hint, Position.of(self.game.engine), self.actions(), level)

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
            self._follow(self.game.play_bot)
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
        if self.person is None or self.over:
            raise Refused("There is no game of yours to resign.")
        self.resigned = True
        if self._keeper is not None:
            self._keeper.resign()
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
    def events(self) -> list[tuple[int, int, str]]:
        """The events so far: turn, seat (one more than the last for Ivan's turns), words."""
        return [(event.turn, event.seat, event.words) for event in self.game.events]

    def record(self) -> str:
        """Return the record of the game so far.

        Raises:
            Refused: it would show what is hidden from the person.
        """
        if self.person is not None and self.game.ruleset.full and not self.over:
            raise Refused(HIDDEN)
        if self._keeper is not None:
            return self._keeper.text()
        assert self._recorder is not None
        if self.game.over:
            return self._finished
        return self._recorder.unfinished({"seat": 0, "bots": self.seats[1:]})

    # --- helpers

    def _check_action(self, action: int) -> None:
        if self.over or not self.game.is_person:
            raise Refused("It is not your decision now: wait for the bots.")
        if all(one["number"] != action for one in self.actions()):
            raise Refused("That action is not legal any more: look at the board again.")

    def _follow(self, play: Callable[[], object]) -> None:
        """Play a decision, and remember it as the last one."""
        before, seat, count = self.shown, self.game.seat, len(self.game.events)
        play()
        words = self.game.events[count].words.partition(", rolled")[0].partition(", drew")[0]
        self._changed()
        self.last = {"seat": seat, "words": words, "places": action_places(before, seat, words)}

    def _changed(self) -> None:
        self.version += 1
        self.last = None
        self._shown = self._actions = None
        self._boards, self._previews = {}, {}

    def _take(self, number: int, text: str) -> None:
        self._finished = text

    def _scratch_engine(self) -> Engine:
        if self._scratch is None:
            self._scratch = Engine(self.game.ruleset, 1)
        return self._scratch

    def _name(self, seat: int) -> str:
        return self.seats[seat] if seat < len(self.seats) else "Ivan"

    def _ended(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        if self.broken:
            return self.broken
        if self.resigned:
            return "You have resigned."
        return str(self.shown["words"]) if self.game.over else ""

    def _results(self) -> list[dict[str, Any]]:
        """The final scores, one row per seat, the best first."""
        results, shown = self.game.engine.results(), self.shown
        parts = ["track", "goods"]
        parts += ["contracts"] if shown.get("contracts") is not None else []
        parts += ["tools"] if has_module(shown) else []
        rows = [
            {
                "seat": seat,
                "who": COLOURS[seat],
                "name": self._name(seat),
                "place": int(results.place[0, seat]) + 1,
                "prestige": int(results.prestige[0, seat]),
                "parts": {name: int(getattr(results, name)[0, seat]) for name in parts}
                | {"towers": int(results.towers[0, seat].sum())},
            }
            for seat in range(self.game.engine.num_seats)
        ]
        return sorted(rows, key=lambda row: (row["place"], row["seat"]))


def checked_bots(seats: Sequence[str], ruleset: Ruleset, seed: int, make: Callable[[str], Bot]) -> None:
    """Let each bot decide once, so that a bot that cannot play this variant is found before the game begins.

    Raises:
        ValueError: one cannot be made, or has failed.
    """
    engine = Engine(ruleset, 1, seed)
    for name in dict.fromkeys(seats):
        if name != YOU:
            bot = make(name)
            referee.start_over(bot, 0)
            referee.ask(bot, Position.of(engine))
