"""The dialogue with a human player: prompts for a legal action, and responds to other commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import Protocol

from rc_env.agents.thoughts import Thoughts
from rc_env.apps.table.actions import LegalAction, legal_actions
from rc_env.apps.table.game import Game
from rc_env.apps.table.lessons import Lesson
from rc_env.apps.table.players import Bots, chosen_by
from rc_env.apps.terminal.history import history, last_events
from rc_env.apps.terminal.matching import NoMatch, find
from rc_env.bot import Bot
from rc_env.render.abbreviations import LEGEND
from rc_env.render.amounts import amounts_words
from rc_env.render.contractors import has_module
from rc_env.render.text import WIDTH, board_text
from rc_env.render.text_contractors import MODULE_LEGEND
from rc_env.render.view import count

HELP = """\
What you can type:
  12                     the action of that number
  move red +2            an action in words, or their first letters: `del br 3.2` is `deliver brick to 3.2`
  help 12                what the action of that number does
  actions                the legal actions, with what each does
  board                  the whole board, with every number
  log                    everything that has been played
  undo                   back to your previous decision, with the same dice to come
  redo                   play again what you have undone
  new dice               roll other dice from here on
  hint                   what a bot would do
  quit                   stop here"""

SCREEN_HELP = f"""\
{HELP}

How to read the screen, from the top:
  market     each space with its number and resource, and below it the dice that lie there, with their values. A die
             moves clockwise by its value, to the space marked by *; there you obtain the resource once for each die.
  guilds     the numbers of two spaces, and the two actions that a die which lands there allows
  towers     one section per line, the top first: tower.level, owner (R red, B blue, Y yellow, G green; offer or *: can
             be claimed now; a dot: not yet), the materials that it misses, what it pays when it is finished, and the
             workshop tile that comes with it. What the tower is worth is shared out as prestige at the end.
  players    > marks the one to move. `room` counts free places of the inventory. Of a workshop each slot is named with
             its tile (down: face down); a free slot has its price in brackets.
  materials  {LEGEND}"""


MODULE_HELP = f"""

With the module Contractors:
  cities     each with the number of its tower, the permits that `hire` asks for there, and the contractors in it
             (R2: two of red), closed once its tower is finished; then each banner in the tower scores for each
             contractor there
  slots      each with the cities that it lies at (Moscow takes from all), what its specialist does (st>3rec: a stone
             for 3 recognition), and the tool on its back: after `hire` one is engaged for rubles, or dismissed
  specialist works once, after a move of the black die; then its tool is kept, and different tools score together
  in short   {MODULE_LEGEND}"""


class Interface(Protocol):
    """The user interface of a dialogue, which prompts for decisions and shows events: `Lines` or `screen.Screen`."""

    help: str

    def position(self, game: Game, actions: Sequence[LegalAction], *, anew: bool) -> None:
        """Show the position to the person who is to decide; `anew` if a turn has begun since the last time."""
        ...

    def ask(self) -> str:
        """Return the person's next line, or raise EOFError if there is none."""
        ...

    def happened(self, game: Game) -> None:
        """Show the decision that was just played, and Ivan's turn if it has brought one."""
        ...

    def say(self, sentence: str) -> None:
        """Show a short answer to what was typed."""
        ...

    def read(self, text: str) -> None:
        """Show a longer answer."""
        ...

    def board(self, game: Game) -> None:
        """Show the whole board."""
        ...


class Lines:
    """Plain lines of text, one after the other.

    Args:
        colour: whether to write ANSI colours.
        ask: gives the person's next line after a prompt, or raises EOFError; by default `input`.
        say: takes each text that is shown; by default `print`.
    """

    help = HELP

    def __init__(
        self, *, colour: bool = False, ask: Callable[[str], str] | None = None, say: Callable[[str], object] = print
    ) -> None:
        self._colour, self._ask, self._say = colour, ask or input, say

    def position(self, game: Game, actions: Sequence[LegalAction], *, anew: bool) -> None:
        if anew:
            self.board(game)
        else:
            shown = game.view
            own = shown["seats"][game.seat]
            goods = amounts_words(own["materials"], "no materials")
            self._say("\n".join(wrap(shown["words"], WIDTH)))
            self._say(f"Yours: {count(own['rubles'], 'ruble')}, {goods}; room for {own['room']}; score {own['score']}.")
        self._say(action_lines(actions))

    def ask(self) -> str:
        return self._ask("> ")

    def happened(self, game: Game) -> None:
        self._say(last_events(game))

    def say(self, sentence: str) -> None:
        self._say("\n".join(wrap(sentence, WIDTH)))

    def read(self, text: str) -> None:
        self._say(text)

    def board(self, game: Game) -> None:
        self._say(board_text(game.ruleset, game.position, colour=self._colour))


class Dialogue:
    """A game of one person against bots, or solo against Ivan.

    Args:
        game: with a person on one seat.
        bots: on the other seats.
        hint: the bot that gives hints.
        interface: the user interface.
        keep: called after each decision, to keep the game.
        coach: looks at the person's decisions, if there is one; called with the game and the number of the decision.
    """

    def __init__(
        self, game: Game, bots: Bots, hint: Bot, interface: Interface, keep: Callable[[], object] = lambda: None,
        coach: Callable[[Game, int], Lesson | None] | None = None,
    ) -> None:  # fmt: skip
        self.game, self._bots, self._hint, self._interface, self._keep = game, bots, hint, interface, keep
        self._coach = coach
        self._turn_shown = 0

    def play(self) -> bool:
        """Play to the end; returns whether the end was reached."""
        game = self.game
        try:
            while not game.over:
                if game.is_person:
                    if not self._decide():
                        return False
                else:
                    game.play(self._bots.choose(game))
                    self._interface.happened(game)
                self._keep()
        except EOFError:
            return False
        return True

    def _decide(self) -> bool:
        """Ask until there is a legal action, and play it; False if the person leaves."""
        game, interface = self.game, self._interface
        actions = legal_actions(game)
        interface.position(game, actions, anew=game.turn != self._turn_shown)
        self._turn_shown = game.turn
        while True:
            words = " ".join(interface.ask().lower().split())
            match words.split():
                case []:
                    continue
                case ["quit" | "exit" | "q"]:
                    return False
                case ["help" | "?"]:
                    interface.read(interface.help + (MODULE_HELP if has_module(game.view) else ""))
                case ["help" | "?", *rest]:
                    self._explain(" ".join(rest), actions)
                case ["board"]:
                    interface.board(game)
                case ["actions"]:
                    interface.read(action_lines(actions))
                case ["log"]:
                    interface.read("\n".join(history(game)) or "Nothing has been played yet.")
                case ["hint"]:
                    would, *why = self._advice()
                    if why:
                        interface.read("\n".join(line for one in (would, *why) for line in wrap(one, WIDTH)))
                    else:
                        interface.say(would)
                case ["undo"]:
                    if not game.undo():
                        interface.say("This is your first decision: there is nothing to undo.")
                        continue
                    interface.say("Back to your previous decision.")
                    self._turn_shown = 0
                    return True
                case ["redo"]:
                    if not game.redo():
                        interface.say("Nothing was undone: there is nothing to play again.")
                        continue
                    interface.say("Played again.")
                    self._turn_shown = 0
                    return True
                case ["new", "dice"]:
                    game.new_dice(secrets.randbits(32))
                    interface.say("From here on different dice will be rolled.")
                    self._keep()
                case _:
                    try:
                        chosen = actions[find(words, [action.words for action in actions])]
                    except NoMatch as refusal:
                        interface.say(str(refusal))
                        continue
                    game.play(chosen.number)
                    interface.happened(game)
                    return self._coached()

    def _coached(self) -> bool:
        """Let the coach look at the decision that was just made; False if the person leaves."""
        lesson = None if self._coach is None else self._coach(self.game, self.game.played - 1)
        if lesson is None:
            return True
        lines = [lesson.decision, f"A {lesson.size}. {lesson.cost}"]
        lines += ["What the better action brings, if the coach then plays on for all seats:"]
        for heading, sentences in (("By your next turn:", lesson.why.soon), ("Later in the game:", lesson.why.later)):
            lines += [heading, *(f"- {sentence}" for sentence in sentences)] if sentences else []
        lines += [lesson.in_return]
        lines += ["`back` takes it back, `better` names the better action, `on` goes on."]
        self._interface.read("\n".join(line for one in lines for line in wrap(one, WIDTH, subsequent_indent="  ")))
        while True:
            match self._interface.ask().lower().split():
                case ["back" | "undo"]:
                    self.game.undo()
                    self._turn_shown = 0
                    return True
                case ["better"]:
                    note = f" ({lesson.best.note})" if lesson.best.note else ""
                    self._interface.say(f"Better: {lesson.best.phrase}{note}.")
                    self._interface.say(f"To play it, type `back` and then `{lesson.best.words}`.")
                case ["on"] | ["go", "on"]:
                    return True
                case ["board"]:
                    self._interface.board(self.game)
                case ["quit" | "exit" | "q"]:
                    return False
                case _:
                    self._interface.say("Type `back`, `better`, `on`, `board` or `quit`.")

    def _advice(self) -> list[str]:
        """The action that the hint bot would play, and its thoughts in sentences if it offers them."""
        would = f"{self._hint.name} would play: {self.game.engine.action_to_text(chosen_by(self._hint, self.game))}"
        thoughts = getattr(self._hint, "thoughts", None)
        return [would, *thoughts.in_words(0)] if isinstance(thoughts, Thoughts) else [would]

    def _explain(self, words: str, actions: Sequence[LegalAction]) -> None:
        try:
            action = actions[find(words, [action.words for action in actions])]
        except NoMatch as refusal:
            self._interface.say(str(refusal))
            return
        verb = self.game.ruleset.build.verbs.ROWS[self.game.ruleset.actions.actions[action.number].verb]
        here = f" Here: {action.meaning}." if action.meaning else ""
        self._interface.say(f"{action.words}: {verb.meaning}.{here}")


def action_lines(actions: Sequence[LegalAction]) -> str:
    """The actions with their numbers and meanings, one below the other."""
    lines: list[str] = []
    for number, action in enumerate(actions, 1):
        line = f"{number:>3}  {action.words:<22}  {action.meaning}"
        lines += wrap(line, WIDTH, subsequent_indent=" " * 29)
    return "\n".join(lines)
