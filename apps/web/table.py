"""A game on a page, of persons and bots: what each tab shows of it, and the requests that change it.

A game of several people has a key for each of their seats. Who shows a key sees what its seat sees, and may act for it
alone; who shows several has these people in front of one screen; who shows none looks on. A game of one person, or of
bots, has no keys: every tab shows it as that person sees it, and may act.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np

from rc_env import checks
from rc_env.apps.table.account import account, as_data
from rc_env.apps.table.actions import LegalAction, legal_actions
from rc_env.apps.table.falling import Fell, choice_words, fell_of
from rc_env.apps.table.game import NOBODY, YOU, Game
from rc_env.apps.table.phrases import GROUPS, prompt, seat_name
from rc_env.apps.web.board import DrawnBoard, draw
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.budgets import Refused
from rc_env.apps.web.opponents import FIRST_OPPONENT, TITLES
from rc_env.apps.web.places import action_places
from rc_env.apps.web.so_far import SoFar
from rc_env.apps.web.teaching import Pupil, Teaching
from rc_env.arena.jobs import Variant, variant_of
from rc_env.record import Record
from rc_env.render.view import View, view
from rc_env.rules.points import Point
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset

HIDDEN = "The record of this game shows hidden contracts: it is available once the game is over."
OF_SEVERAL = "The record of a game of several people shows the dice to come: it is available once the game is over."
GONE_ON = "The game has gone on in the meantime: look at the board again."
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


Line = tuple[int, int, str, int]


class Looker(NamedTuple):
    """Who looks at a table through a tab.

    Attributes:
        seats: those that it may act for.
        sat: of several, the one whose person has said last to be in front of the screen.
    """

    seats: frozenset[int] = frozenset()
    sat: int | None = None


class State(NamedTuple):
    """What tabs were shown of a state of the game: boards by layout and who sees them, events by whom they are told."""

    boards: dict[tuple[str, int | None], DrawnBoard]
    events: dict[tuple[int | None, int | None], list[Line]]


class Table:
    """A game and the state that a page shows. One task owns it; bots think elsewhere, about snapshots of it.

    Args:
        ruleset: the variant.
        seats: who plays each seat: `YOU` for a person, or a bot in one word.
        seed: of deal, dice and bots.
        begun: a record to go on from, or of a game that is over.
        keys: that of each seat of a person, in a game of several.
        new_dice: whether the dice after that record differ from those of the recorded game.
        deal, entered: as for `Game`; whoever enters a game decides for all seats.
        coach, so_far: what `Teaching.kept` and `SoFar.kept` have given.
        branch: what the game is a variation of, in which nothing is hidden.

    Attributes:
        keys: as given.
        failed: the sentence of the bot that could not decide; "" while all goes well. The game waits until the person
            lets it try again, or another bot takes its seat.
        resigned: whether the person has given up.
        version: a number that changes with each change of the game.
        teaching: the coach.
        so_far: what luck and decisions have come to, of a game that is entered.

    Raises:
        RecordError: the record is not of a game by the rules.
    """

    def __init__(
        self, ruleset: Ruleset, seats: Sequence[str], seed: int, begun: Record | None = None,
        keys: Mapping[int, str] | None = None, *, new_dice: bool = False,
        deal: Mapping[str, Any] | None = None, entered: bool = False,
        coach: Mapping[str, Mapping[str, Any]] | None = None, so_far: Sequence[Mapping[str, Any] | None] = (),
        branch: Branch | None = None,
    ) -> None:  # fmt: skip
        self.teaching, self.so_far = Teaching(coach), SoFar(so_far)
        self.branch = branch
        self.seed, self.keys = seed, dict(keys or {})
        self.failed = ""
        self.resigned = bool(begun is not None and (begun.unfinished or {}).get("resigned"))
        self.version = secrets.randbits(40)  # no tab takes it for one of the game before it was opened again
        self.game = Game(ruleset, seats, seed, begun, deal=deal, entered=entered)
        for asked in self.teaching.asked:
            checks.whole_number("a decision that the coach looks at", asked.at, 0, self.game.played - 1)
            if self.game.action_at(asked.at, NOBODY)[0] != asked.seat:
                raise ValueError(f"decision {asked.at} is not one of the seat whose coach looks at it")
        if new_dice:
            self.game.new_dice(secrets.randbits(32))
        if self.resigned:
            self.game.resign()
        self._last: tuple[int, list[str]] | None = None  # the number of the last decision, and its places before it
        self._shown: dict[int | None, View] = {}
        self._actions: list[LegalAction] | None = None
        self._states: OrderedDict[int, State] = OrderedDict()
        self._conceals = branch is None and self.game.view_of(None).get("contracts") is not None

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

    def looker(self, keys: Iterable[str]) -> Looker:
        """Who shows these keys.

        Raises:
            Refused: one of them is none of this game.
        """
        if not self.keys:
            return Looker(frozenset(seat for seat, name in enumerate(self.game.seats) if name == YOU))
        found = set()
        for key in keys:
            seats = [seat for seat, own in self.keys.items() if secrets.compare_digest(own.encode(), key.encode())]
            if not seats:
                raise Refused("This address is none of a seat of this game: ask whoever has begun it for yours")
            found.update(seats)
        return Looker(frozenset(found))

    def awaited(self, looker: Looker) -> int | None:
        """The seat whose person has to come to the screen before anything that is hidden is shown there."""
        seat = self.game.seat
        moves = self.waits_for_person and seat in looker.seats and seat != looker.sat
        return seat if moves and len(looker.seats) > 1 and self._conceals else None

    def decides(self, looker: Looker) -> bool:
        """Whether the next decision is made in this tab."""
        return self.waits_for_person and self.game.seat in looker.seats and self.awaited(looker) is None

    def steers(self, looker: Looker) -> bool:
        """Whether a tab may say how the game goes on: its pace, and who plays for a bot that has failed."""
        return not self.keys or bool(self._persons(looker))

    def person(self, looker: Looker) -> int | None:
        """The seat that a tab calls "you"."""
        return min(looker.seats) if len(looker.seats) == 1 else None

    def seer(self, looker: Looker) -> int | None:
        """The seat as which a tab sees the game, or `NOBODY`; None if all is shown."""
        if not self.keys:
            return self.game.person if self.branch is None else None
        if len(looker.seats) == 1:
            return min(looker.seats)
        return NOBODY if looker.sat is None or self.awaited(looker) is not None else looker.sat

    def shown_to(self, seer: int | None) -> View:
        """The position as a seat, or `NOBODY`, sees it; with None all of it."""
        seer = seer if self._conceals else None
        if seer not in self._shown:
            self._shown[seer] = self.game.view_of(seer)
        return self._shown[seer]

    def board(self, layout: str, seer: int | None) -> DrawnBoard:
        """The board in one of `board.LAYOUTS`, as a seat, or `NOBODY`, sees it; with None all of it."""
        boards, key = self._state.boards, (layout, seer if self._conceals else None)
        if key not in boards:
            drawn = draw(self.shown_to(seer), layout)
            before = (state.boards[key] for state in self._states.values() if key in state.boards)
            panels = next((one.panels for one in before if one.panels == drawn.panels), drawn.panels)  # one, not 32
            boards[key] = DrawnBoard(panels, drawn.drawings)
        return boards[key]

    def events(self, seer: int | None, person: int | None) -> list[Line]:
        """The events so far: turn, seat (one more than the last for Ivan's turns), words, and the decisions before.

        Args:
            seer: the seat to which they are told, or `NOBODY`; None for all.
            person: the seat that they call "you".
        """
        told, key = self._state.events, (seer if self._conceals else None, person)
        if key not in told:
            lines = [
                (event.turn, event.seat, event.yours if event.seat == person else event.words, event.at)
                for event in self.game.told_to(seer)
            ]
            earlier = (state.events[key] for state in reversed(self._states.values()) if key in state.events)
            before = next(earlier, [])
            same = zip(lines, before, strict=False)  # 32 states hold each line once
            lines[: len(before)] = [old if old == line else line for line, old in same]
            told[key] = lines
        return told[key]

    @property
    def _state(self) -> State:
        if self.version not in self._states:
            self._states[self.version] = State({}, {})
            while len(self._states) > REMEMBERED:
                self._states.popitem(last=False)
        return self._states[self.version]

    def update(self, layout: str, seen: int | None, looker: Looker) -> dict[str, Any]:
        """The position as a message: of board and events only what a tab lacks that has seen an earlier version.

        Args:
            layout: one of `board.LAYOUTS`.
            seen: the version that the tab shows in this layout; None, or one that is too long ago, for all.
            looker: who looks at it there.
        """
        seer, person = self.seer(looker), self.person(looker)
        board, events = self.board(layout, seer), self.events(seer, person)
        before = self._states.get(-1 if seen is None else seen)
        hidden = seer if self._conceals else None
        known = before.boards.get((layout, hidden)) if before else None
        told = before.events.get((hidden, person), []) if before else []
        message = {"type": "position", **self.message(looker), "layout": layout}
        if known is None or known.panels != board.panels:
            known = None
            message["panels"] = board.panels
        message["parts"] = board.changes(known)
        shared = zip(events, told, strict=False)
        same = next((i for i, (new, old) in enumerate(shared) if new != old), min(len(events), len(told)))
        message["events"] = {"from": same, "lines": events[same:]}
        return message

    def message(self, looker: Looker) -> dict[str, Any]:
        """Everything that a tab shows in addition to the board and the list of events."""
        shown, game, mine = self.shown_to(self.seer(looker)), self.game, self.decides(looker)
        names = [self._name(seat, looker) for seat in range(game.ruleset.seats)]
        own = [seat for seat in self._persons(looker) if seat == game.seat or not self.waits_for_person]
        return {
            "full": game.ruleset.full,
            "contractors": bool(game.ruleset.contractors),
            "entered": game.entered,
            "seed": None if self.keys and not self.over else self.seed,
            "at": game.played,
            "version": self.version,
            "words": self._ended() if self.resigned else shown["words"],
            "prompt": prompt(shown, [one.words for one in self._legal()]) if mine else "",
            "point": "over" if self.over else shown["point"],
            "groups": GROUPS,
            "turn": shown["turn"],
            "seat": None if game.over else game.seat,
            "person": self.person(looker),
            "people": sorted(self.keys),
            "here": self._persons(looker),
            "steers": self.steers(looker),
            "awaited": self.awaited(looker),
            "names": names,
            "titles": [TITLES.get(name, name) for name in names],
            "mine": mine,
            "over": self.over,
            "ended": self._ended(),
            "broken": self.failed,
            "score": [row["score"] for row in shown["seats"]],
            "actions": self.actions() if mine else [],
            "last": self._last_decision(looker),
            "undo": self._undoable() if own and not self.over and not self._keeps(looker) else 0,
            "redo": game.undone if not self.over and (mine or not self.keys) else 0,
            "results": [score._asdict() for score in game.scores()] if game.over else None,
            "account": self._account() if game.over else None,
            "coach": self.coach(looker),
            "so_far": self.reckoning(),
            "branch": None if self.branch is None else asdict(self.branch),
        }

    def pupil(self, looker: Looker) -> int | None:
        """The seat whose person the coach speaks to in a tab: of several at one screen the one who may look."""
        own = self._persons(looker)
        if self.game.entered or self.branch is not None or not own:
            return None
        if len(looker.seats) > 1 and self._conceals:
            own = [seat for seat in own if seat == looker.sat and self.awaited(looker) is None]
        first = [seat for seat in own if self.teaching.lesson(seat)] or [seat for seat in own if seat == self.game.seat]
        return next(iter([*first, *own]), None)

    def coach(self, looker: Looker) -> dict[str, Any] | None:
        """What the coach shows in a tab: "seat", the entries of `Pupil`, and the "lesson" that waits, or None.

        A lesson is what `workers.lesson` has found, with "at", the decisions before its own, and "stays", why it cannot
        be taken back; "" if it can, and "since", how many decisions followed it. "outlook" is what
        `Teaching.outlook` says.
        """
        seat = self.pupil(looker)
        if seat is None:
            return None
        lesson = None
        if (waiting := self.teaching.lesson(seat)) is not None:
            at = waiting[0].at
            lesson = {**waiting[1], "at": at, "since": self.game.played - at - 1, "stays": self._keeps(looker, at)}
        pupil = asdict(self.teaching.pupils.get(seat, Pupil()))
        return {"seat": seat, **pupil, "outlook": self.teaching.outlook(seat), "lesson": lesson}

    def reckoning(self) -> dict[str, Any] | None:
        """What luck and decisions have come to so far, see `SoFar.sums`; None in a game that is not entered."""
        return self.so_far.sums(self.game.ruleset.players) if self.game.entered else None

    def _persons(self, looker: Looker) -> list[int]:
        """The seats of a tab that persons still play."""
        return sorted(seat for seat in looker.seats if self.game.seats[seat] == YOU)

    def _name(self, seat: int, looker: Looker) -> str:
        name = self.game.name(seat)
        return "person" if name == YOU and seat != self.person(looker) else name

    def _last_decision(self, looker: Looker) -> dict[str, Any] | None:
        if self._last is None:
            return None
        at, places = self._last
        seat, words = self.game.action_at(at, self.seer(looker))
        return {"seat": seat, "words": words, "places": places}

    def actions(self) -> list[dict[str, Any]]:
        """The legal actions: number, words, meaning, and places on the board; of numbers to take the largest first."""
        found = [{**one._asdict(), "places": places} for one, places in zip(self._legal(), self._places(), strict=True)]
        return sorted(found, key=lambda one: -int(one["words"].split()[1]) if one["words"].startswith("take ") else 0)

    def snapshot(self) -> Snapshot:
        """The position as it is handed to a worker process."""
        return self._snapshot(np.array(self.game.engine.clone(same_future=True)), self.game.played)

    def decision(self, at: int) -> tuple[Snapshot, int, np.ndarray]:
        """The decision after `at` others: the position before it, its action, and the game after it, (1,) GAME."""
        before, action, after = self.game.decision_at(at)
        return self._snapshot(before, at), action, after

    def _snapshot(self, row: np.ndarray, at: int) -> Snapshot:
        seat = int(row[0]["seat"])
        seed = int(np.random.SeedSequence([self.seed, seat, at]).generate_state(1)[0])
        return Snapshot(variant_of(self.game.ruleset), tuple(self.game.seats), row, seat, seed)

    # --- requests of pages

    def play(self, action: int, at: int, fell: Fell | None = None) -> None:
        """Play the person's action in the position after `at` decisions, with what fell in a game that is entered.

        Raises:
            Refused: it is not legal, or the game has gone on since.
        """
        self._check_asked(action, at)
        self._follow(action, fell)

    def ask(self, action: int, at: int, words: Mapping[str, Any]) -> tuple[Fell | None, dict[str, Any] | None]:
        """What fell after an action in a game that is entered, and the question for what is still missing.

        Args:
            action, at: as for `play`.
            words: what was entered so far, see `falling.fell_of`.

        Returns:
            Nothing fell in any other game. The question is for the page, see `falling.Question`, with the "labels" of
            its choices; None if that is all.

        Raises:
            Refused: the action is not legal, the game has gone on since, or what was entered cannot have fallen.
        """
        self._check_asked(action, at)
        if not self.game.entered:
            return None, None
        try:
            fell = fell_of(self.game.ruleset, words)
            question = self.game.ask(action, fell)
        except ValueError as error:
            raise Refused(f"{error}") from None
        if question is None:
            return fell, None
        return fell, {**question._asdict(), "labels": choice_words(self.game.ruleset, question)}

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

    def _undoable(self) -> int:
        """How many decisions of persons can be taken back; of a variation, those beyond its study."""
        return self.game.decided - (0 if self.branch is None else self.branch.at)

    def _keeps(self, looker: Looker, first: int | None = None) -> str:
        """Why a tab may not take back the decisions from the one after `first` others on, by default the last one.

        "" if it may. Bots do not mind, people may have seen it.
        """
        if not self.keys:
            return ""
        decisions = range(self.game.played - 1 if first is None else first, self.game.played)
        if decisions.start < 0 or any(
            self.game.action_at(at, None)[0] not in self._persons(looker) for at in decisions
        ):
            return "Others have decided since: in a game of several people, only your own last decision can be undone."
        if any(self.game.rolled_or_drawn(at) for at in decisions):
            return "Something was rolled or drawn since: in a game of several people, that cannot be undone."
        return ""

    def take_back(self, looker: Looker, at: int) -> None:
        """Go back to the person's decision at which the coach has stopped, after `at` others.

        Raises:
            Refused: the coach has not stopped there, or others have seen what came of it.
        """
        self._check_lesson(looker, at)
        if words := self._keeps(looker, at):
            raise Refused(words)
        while self.game.played > at and self.game.undo():
            pass
        self._changed()

    def go_on(self, looker: Looker, at: int) -> None:
        """Leave the decision at which the coach has stopped, after `at` others, as it is.

        Raises:
            Refused: the coach has not stopped there.
        """
        self.teaching.go_on(self._check_lesson(looker, at), at)

    def _check_lesson(self, looker: Looker, at: int) -> int:
        seat = self.pupil(looker)
        waiting = None if seat is None else self.teaching.lesson(seat)
        if seat is None or waiting is None or waiting[0].at != at:
            raise Refused("The coach has nothing to say about this decision any more.")
        return seat

    def set_coach(self, looker: Looker, level: str) -> None:
        """Set the coach for the person in front of a tab.

        Raises:
            Refused: nobody is to be coached there.
            ValueError: there is no such level.
        """
        seat = self.pupil(looker)
        if seat is None:
            raise Refused("The coach speaks to a person who plays a seat, and there is none here now.")
        self.teaching.set(seat, level)

    def undo(self, looker: Looker) -> None:
        """Go back to the person's previous decision.

        Raises:
            Refused: there is none, or others have seen what came of it.
        """
        if self.over:
            raise Refused("The game is over: nothing can be undone.")
        if words := self._keeps(looker):
            raise Refused(words)
        if self.branch is not None and self.game.played <= self.branch.at:
            raise Refused("The variation begins here: what was played before it stands in the study.")
        if not self.game.undo():
            raise Refused("There is nothing to undo: this is your first decision.")
        self._changed()

    def redo(self, looker: Looker) -> None:
        """Play again the decision that was undone.

        Raises:
            Refused: nothing was undone.
        """
        if self.over or (self.keys and not self.decides(looker)) or not self.game.redo():
            raise Refused("No action was undone, so there is none to play again.")
        self._changed()

    def new_dice(self, looker: Looker) -> None:
        """Roll other dice than the game's seed would give, from here on.

        Raises:
            Refused: the game is over, or several people play it.
        """
        if self.keys:
            raise Refused("Several people play this game: its dice are those of its deal.")
        if self.game.entered:
            raise Refused("This game is played at a real table: its dice are those that fall there.")
        if self.over:
            raise Refused("The game is over: no dice will be rolled.")
        self.game.new_dice(secrets.randbits(32))
        self._changed()

    def resign(self, looker: Looker) -> None:
        """Resign a person's game, for good: its record is complete from now on, and shows what was hidden.

        While other people play on, a bot takes the seat instead.

        Raises:
            Refused: no person plays, or the game is over, or it is not clear which seat of the tab is meant.
        """
        own = self._persons(looker)
        if not own or self.over:
            raise Refused("There is no game of yours to resign.")
        if self.game.seats.count(YOU) > 1 and not self.game.entered:
            if len(own) > 1 and self.game.seat not in own:
                raise Refused("Wait until the seat that is to resign decides.")
            self.game.seats[own[0] if len(own) == 1 else self.game.seat] = FIRST_OPPONENT
        else:
            self.resigned = True
            self.game.resign()
        self._changed()

    def board_at(self, at: int, layout: str, looker: Looker) -> dict[str, Any]:
        """The position after `at` decisions: its headline, and the drawing of each part of the board.

        Raises:
            Refused: there was no such position.
        """
        if at > self.game.played:
            raise Refused(f"at must be at most {self.game.played}, not {at}")
        shown = view(self.game.ruleset, self.game.position_at(at, self.seer(looker)))
        return {"at": at, "words": shown["words"], "parts": list(enumerate(draw(shown, layout).drawings))}

    def _account(self) -> dict[str, Any]:
        game = self.game
        names = [seat_name(seat, game.ruleset.players) for seat in range(game.ruleset.seats)]
        return as_data(account(self.shown_to(None), names, int(game.engine.games[0].ending)))

    # --- the record

    def record(self) -> str:
        """Return the record of the game so far.

        Raises:
            Refused: it would show what is hidden from the person.
        """
        if self.hides:
            raise Refused(self.hides)
        return self.game.record()

    @property
    def hides(self) -> str:
        """Why the record may not be read, if it shows what is hidden from a person who can play on; else ""."""
        if self.over or self.game.entered or self.branch is not None or YOU not in self.game.seats:
            return ""
        if self.keys:
            return OF_SEVERAL
        actions = [action for guild in self.game.view["guilds"] for action in guild["actions"]]
        return HIDDEN if any(action.get("opens") == Point.KEEP for action in actions) else ""

    # --- helpers

    def _legal(self) -> list[LegalAction]:
        if self._actions is None:
            self._actions = legal_actions(self.game, self.shown_to(self.game.seat))
        return self._actions

    def _places(self) -> list[list[str]]:
        shown = self.shown_to(self.game.seat)
        return [action_places(shown, self.game.seat, one.words) for one in self._legal()]

    def _check_asked(self, action: int, at: int) -> None:
        if at != self.game.played:
            raise Refused(GONE_ON)
        if not self.waits_for_person:
            raise Refused("It is not your decision now: wait for the bots.")
        if all(one.number != action for one in self._legal()):
            raise Refused("That action is not legal any more: look at the board again.")

    def _follow(self, action: int, fell: Fell | None = None) -> None:
        """Play a decision, and remember it as the last one."""
        before, at = self.shown_to(None), self.game.played
        self.game.play(action, fell)
        places = action_places(before, *self.game.action_at(at, NOBODY))
        self._changed()
        self._last = at, places

    def _changed(self) -> None:
        self.version += 1
        self.failed = ""
        self._last = self._actions = None
        self._shown = {}
        self.teaching.cut(self.game.played)
        self.so_far.cut(self.game.played)
        if self.over:
            self.teaching.lessons.clear()

    def _ended(self) -> str:
        """How the game ended, in a sentence; "" while it goes on."""
        if self.resigned and self.game.entered:
            return "This game was broken off: it ends here, and no result counts."
        if self.resigned:
            who = COLOURS[self.game.seats.index(YOU)].capitalize()
            return f"{who} has given the game up: it ends here for all, and no result counts."
        return str(self.shown_to(None)["words"]) if self.game.over else ""
