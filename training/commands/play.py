"""Play in the terminal against bots. The command `rc play`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap

import numpy as np

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Bot, Position
from rc_env.layout.notation import ivan_turn, rolls_to_list
from rc_env.record import Recorder
from rc_env.render.html import ivan_text, rolls_text
from rc_env.render.text import WIDTH, board_text, has_colour
from rc_env.render.view import View, count, listed, view
from rc_env.rules.sizes import COLOURS, DIE_NAMES
from rc_env.ruleset import WORKSHOPS

HELP = """\
  12, or `move red +2`   the action of that number, or in words
  board                  the whole board again
  actions                the legal actions again
  undo                   back to your previous decision, with the same dice to come
  hint                   what a bot would do
  help                   this
  quit                   stop here"""


class _Stop(Exception):
    """The person leaves."""


class Table:
    """A game of one person against bots, or solo against Ivan, over lines of text.

    Args:
        ruleset: the variant.
        bots: who plays the other seats, in the order of seats; nobody in the solo game.
        seat: of the person.
        seed: of deal, dice and bots.
        hint: who is asked for hints.
        colour: whether to write ANSI colours.
        ask: gives the person's next line after a prompt, or raises EOFError; by default `input`.
        say: takes what the person is told.
    """

    def __init__(
        self, ruleset: Ruleset, bots: Sequence[Bot], seat: int, seed: int, hint: Bot, *, colour: bool = False,
        ask: Callable[[str], str] | None = None, say: Callable[[str], object] = print,
    ) -> None:  # fmt: skip
        self.engine = Engine(ruleset, 1, seed)
        self._seat, self._hint, self._colour, self._ask, self._say = seat, hint, colour, ask or input, say
        others = [s for s in range(ruleset.players) if s != seat]  # solo: nobody, Ivan plays by himself
        self._bots = dict(zip(others, bots, strict=True))
        self._past: list[np.ndarray] = []  # the game at each of the person's decisions, to go back to
        self._turn_shown = 0

    def play(self) -> bool:
        """Play to the end; whether it was reached."""
        try:
            while not self._over():
                self._decide() if int(self.engine.seat[0]) == self._seat else self._bot_decides()
        except (_Stop, EOFError):
            self._say(f"The game stops here, in turn {self.engine.games[0].turn}.")
            return False
        self._board()
        self._say(self._scores())
        return True

    def _over(self) -> bool:
        return int(self.engine.seat[0]) < 0

    # --- the person

    def _decide(self) -> None:
        """Ask until there is a legal action, and play it."""
        turn = int(self.engine.games[0].turn)
        if turn != self._turn_shown:
            self._turn_shown = turn
            self._board()
        else:
            self._brief()
        legal = self._actions()
        while True:
            words = " ".join(self._ask("> ").lower().split())
            match words:
                case "":
                    continue
                case "quit" | "exit" | "q":
                    raise _Stop
                case "help" | "?":
                    self._say(HELP)
                case "board":
                    self._board()
                case "actions":
                    self._actions()
                case "hint":
                    action = int(self._hint.act(Position.of(self.engine))[0])
                    self._say(f"{self._hint.name} would play: {self.engine.action_to_text(action)}")
                case "undo":
                    if not self._past:
                        self._say("This is your first decision: there is nothing to undo.")
                        continue
                    self.engine.restore(self._past.pop())
                    self._say("Back to your previous decision.")
                    self._turn_shown = 0
                    return
                case _:
                    chosen = self._chosen(words, legal)
                    if chosen is None:
                        self._say(f"{words!r} is no legal action here: expected 1 to {len(legal)}, words, or `help`.")
                        continue
                    self._past.append(self.engine.clone(same_future=True))
                    self._step(chosen)
                    return

    def _chosen(self, words: str, legal: list[int]) -> int | None:
        if words.isascii() and words.isdigit():
            return legal[int(words) - 1] if 1 <= int(words) <= len(legal) else None
        return next((action for action in legal if self.engine.action_to_text(action) == words), None)

    def _board(self) -> None:
        self._say(board_text(self.engine.ruleset, self.engine.games[0], colour=self._colour))

    def _brief(self) -> None:
        told = view(self.engine.ruleset, self.engine.games[0])
        own = told["seats"][self._seat]
        self._say("\n".join(wrap(told["words"], WIDTH)))
        goods = listed(own["materials"]) if own["materials"] else "no materials"
        self._say(
            f"You have {count(own['rubles'], 'ruble')}, {goods}, room for {own['room']}; score {own['score']} now."
        )

    def _actions(self) -> list[int]:
        """List the legal actions; numbers of the catalogue in the order of the list."""
        legal = [int(action) for action in np.flatnonzero(self.engine.legal_mask()[0])]
        told = view(self.engine.ruleset, self.engine.games[0])
        lines = []
        for number, action in enumerate(legal, 1):
            words = self.engine.action_to_text(action)
            line = f"{number:>3}  {words:<22}  {explain(told, self._seat, words)}"
            lines += wrap(line, WIDTH, subsequent_indent=" " * 29)
        self._say("\n".join(lines))
        return legal

    # --- everybody

    def _bot_decides(self) -> None:
        bot = self._bots[int(self.engine.seat[0])]
        self._step(int(bot.act(Position.of(self.engine))[0]))

    def _step(self, action: int) -> None:
        seat, words = int(self.engine.seat[0]), self.engine.action_to_text(action)
        turns = int(self.engine.games[0].ivan_turns)
        self.engine.step([action])
        if self.engine.illegal[0]:
            raise ValueError(f"bot {self._bots[seat].name}: {words!r} found, expected a legal action")
        rolls = rolls_text(rolls_to_list(self.engine.games[0]))
        who = "You" if seat == self._seat else f"{COLOURS[seat].capitalize()} ({self._bots[seat].name})"
        self._say("\n".join(wrap(f"{who}: {words}" + (f"; rolled {rolls}" if rolls else ""), WIDTH)))
        if self.engine.games[0].ivan_turns > turns:
            self._say("\n".join(wrap(ivan_text(ivan_turn(self.engine.games[0])), WIDTH)))

    def _scores(self) -> str:
        results = self.engine.results()
        lines = [f"{'':<22}{'place':>6}{'prestige':>10}{'track':>7}{'goods':>7}{'towers':>8}"]
        for seat in sorted(range(self.engine.num_seats), key=lambda s: int(results.place[0, s])):
            name = "you" if seat == self._seat else self._bots[seat].name if seat in self._bots else "Ivan"
            who = f"{COLOURS[seat]}, {name}"
            lines.append(
                f"{who:<22}{results.place[0, seat] + 1:>6}{results.prestige[0, seat]:>10}{results.track[0, seat]:>7}"
                f"{results.goods[0, seat]:>7}{results.towers[0, seat].sum():>8}"
            )
        return "\n".join(lines)


def explain(shown: View, seat: int, action: str) -> str:
    """What an action means on this board, where its words alone do not say.

    Raises:
        ValueError: no verb begins so.
    """
    words = action.split()
    match words[0]:
        case "move":
            at = shown["dice"][words[1]]
            steps = int(words[2]) if len(words) > 2 else 0
            space = (at["target"] + steps) % len(shown["market"])
            resource, amount = shown["market"][space]["tile"].split(":")
            dice = 1 + sum(die != words[1] for die, _ in shown["market"][space]["on"])
            price = f", for {count(steps * shown['step_price'], 'ruble')}" if steps else ""
            return f"to space {space}: {resource}:{int(amount) * dice}{price}"
        case "claim":
            tower = shown["towers"][int(words[1]) - 1]["sections"]
            level, s = next((i, s) for i, s in enumerate(tower) if s["on_offer"])
            pays = listed((("rubles", s["rubles"]), ("recognition", s["recognition"])))
            return f"{words[1]}.{level + 1} {s['kind']}: {listed(s['cost'])}; pays {pays}; tile {s['tile']}"
        case "place" if words[2] == "up":
            return f"face up, for {count(shown['seats'][seat]['workshop'][words[1]]['price'], 'ruble')}"
        case "place":
            return "face down, for nothing"
        case "guild":
            return str(shown["guilds"][shown["landing"] // 2]["words"][int(words[1]) - 1])
        case "workshop":
            tile = shown["seats"][seat]["workshop"][words[1]]["tile"]
            die = re.fullmatch(rf"die:({'|'.join(DIE_NAMES)})", tile)
            there = shown["market"][shown["dice"][die[1]]["space"]]["tile"] if die else ""
            return f"{tile}, {there}" if there else str(tile)
        case "obtain":
            here = shown["market"][shown["landing"]]
            resource, amount = here["tile"].split(":")
            return f"{resource}:{int(amount) * here['dice']}"
        case "swap":
            return " and ".join(shown["market"][int(space)]["tile"] for space in words[1:])
        case "reroll":
            dice = [die for die, at in shown["dice"].items() if at["space"] == int(words[1])]
            return f"{', '.join(dice)}; for {shown['reroll_price']} prestige"
        case "rubles":
            return f"{shown['ruble_price']} for 1 prestige"
        case "ivan" if words[1] == "claim":
            tower = shown["towers"][int(words[2]) - 1]["sections"]
            level, s = next((i, s) for i, s in enumerate(tower) if s["on_offer"])
            pays = listed((("recognition", s["recognition"]),))
            return f"{words[2]}.{level + 1} {s['kind']}: {sum(s['cost'].values())} materials; pays him {pays}"
        case "ivan":
            return f"his {shown['ivan']['ornament']}, for 1 prestige of his"
        case "done" | "deliver" | "adorn" | "gems" | "take" | "gain" | "pay":
            return ""
    raise ValueError(f"action: {action!r} found, expected one of the catalogue's")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc play`."""
    parser.add_argument("--players", type=int, default=2, help="2 to 4 (default: 2)")
    parser.add_argument("--solo", action="store_true", help="the solo game against Ivan, without other players")
    parser.add_argument("--workshop", default="basic", choices=WORKSHOPS, help="side of the boards (default: basic)")
    parser.add_argument("--data", default="base", metavar="FILE", help="a data file of your own (default: base)")
    parser.add_argument(
        "--bots", default="greedy", metavar="A,B", help="the other seats in order; one name for all (default: greedy)"
    )
    parser.add_argument("--seat", type=int, default=0, help="yours, from 0 (default: 0)")
    parser.add_argument("--seed", type=int, help="of deal, dice and bots (default: a new one)")
    parser.add_argument("--hint", default="greedy", metavar="BOT", help="who gives hints (default: greedy)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the game, once it is over, as a record (.rcr)")
    parser.add_argument(
        "--colour", default="auto", choices=("auto", "always", "never"), help="(default: where the terminal has it)"
    )


def main(args: argparse.Namespace) -> int:
    """`rc play`."""
    ruleset = Ruleset(1 if args.solo else args.players, args.workshop, args.data)
    if not 0 <= args.seat < ruleset.players:
        raise ValueError(f"--seat: {args.seat} found, expected 0 to {ruleset.players - 1}")
    if args.seed is not None and args.seed < 0:
        raise ValueError(f"--seed: {args.seed} found, expected a whole number of at least 0")
    if args.save and not args.save.parent.is_dir():
        raise ValueError(f"--save: no folder {args.save.parent} found, expected one for {args.save.name}")
    names = [name.strip() for name in args.bots.split(",")]
    if ruleset.solo or len(names) == 1:
        names = names[:1]
        names *= ruleset.players - 1
    if len(names) != ruleset.players - 1:
        raise ValueError(f"--bots: {len(names)} names found, expected {ruleset.players - 1}, or one for all")
    seed = int(np.random.default_rng().integers(10**6)) if args.seed is None else args.seed
    bots = [agents.from_text(name) for name in names]
    hint = agents.from_text(args.hint)
    for number, bot in enumerate([*bots, hint]):
        bot.reset(int(np.random.SeedSequence([seed, number]).generate_state(1)[0]))
    colour = has_colour(sys.stdout) if args.colour == "auto" else args.colour == "always"
    others = ", ".join(names) or "Ivan"
    print(f"You are {COLOURS[args.seat]}, seat {args.seat}, against {others}; seed {seed}. `help` helps.\n")
    table = Table(ruleset, bots, args.seat, seed, hint, colour=colour)
    if args.save:
        Recorder(lambda _, text: args.save.write_text(text, encoding="utf-8", newline="\n")).attach(table.engine)
    if table.play() and args.save:
        print(f"\nThe record is in {args.save}")
    return 0
