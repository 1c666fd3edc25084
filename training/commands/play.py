"""Play in the terminal against bots. The command `rc play`."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from rc_env import agents
from rc_env.record import Recorder, keep_data
from rc_env.render.text import board_text, has_colour
from rc_env.rules.sizes import COLOURS
from rc_env.training.commands.options import add_variant, seed_of, variant
from rc_env.training.terminal.dialogue import Dialogue, Lines
from rc_env.training.terminal.game import Game, bot_seed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc play`."""
    add_variant(parser)
    parser.add_argument(
        "--bots",
        default="greedy",
        metavar="A,B",
        help="bots on the other seats in their order, or one bot for all of them (default: greedy)",
    )
    parser.add_argument("--seat", type=int, default=0, help="your seat; seat 0 moves first (default: 0)")
    parser.add_argument("--seed", type=int, help="seed of the deal, the dice and the bots (default: a new one)")
    parser.add_argument("--hint", default="greedy", metavar="BOT", help="bot that gives hints (default: greedy)")
    parser.add_argument("--save", metavar="FILE", type=Path, help="write the finished game to this file as a record")
    parser.add_argument(
        "--plain", action="store_true", help="print lines, as through a pipe, instead of redrawing the screen"
    )
    parser.add_argument(
        "--colour",
        default="auto",
        choices=("auto", "always", "never"),
        help="whether to use colours (default: auto, where the terminal has them)",
    )


def main(args: argparse.Namespace) -> int:
    """`rc play`."""
    ruleset = variant(args)
    if not 0 <= args.seat < ruleset.players:
        raise ValueError(f"--seat: {args.seat} found, expected 0 to {ruleset.players - 1}")
    if args.save and not args.save.parent.is_dir():
        raise ValueError(f"--save: no folder {args.save.parent} found, expected one for {args.save.name}")
    names = [name.strip() for name in args.bots.split(",")]
    if ruleset.solo or len(names) == 1:
        names = names[:1] * (ruleset.players - 1)
    if len(names) != ruleset.players - 1:
        raise ValueError(f"--bots: {len(names)} names found, expected {ruleset.players - 1}, or one for all")
    seed = seed_of(args)
    others = [seat for seat in range(ruleset.players) if seat != args.seat]  # solo: nobody, Ivan plays by himself
    hint = agents.from_text(args.hint)
    hint.reset(bot_seed(seed, len(others)))
    game = Game(ruleset, {seat: agents.from_text(name) for seat, name in zip(others, names, strict=True)}, seed)
    if args.save:
        keep_data(ruleset, args.save.parent)
        Recorder(lambda _, text: args.save.write_text(text, encoding="utf-8", newline="\n")).attach(game.engine)
    colour = has_colour(sys.stdout) if args.colour == "auto" else args.colour == "always"
    against = ", ".join(names) or "Ivan"
    print(f"You are {COLOURS[args.seat]}, seat {args.seat}, against {against}; seed {seed}. `help` helps.\n")
    if on_screen(args.plain):
        from rc_env.training.terminal.screen import Screen  # needs Rich

        with Screen(colour=colour) as screen:
            ended = Dialogue(game, hint, screen).play()
            if ended:
                screen.end(game)
    else:
        ended = Dialogue(game, hint, Lines(colour=colour)).play()
    finish(game, ended, colour=colour)
    if ended and args.save:
        print(f"\nThe record is in {args.save}")
    return 0


def finish(game: Game, ended: bool, *, colour: bool) -> None:
    """Print how the game ended, or where it stopped."""
    if ended:
        print(board_text(game.ruleset, game.engine.games[0], colour=colour))
        print(game.scores())
    else:
        print(f"The game stops here, in turn {game.turn}.")


def on_screen(plain: bool) -> bool:
    """Whether to redraw the screen: both ends are a terminal, and Rich is installed."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    if find_spec("rich") is None:
        print("A screen that is redrawn needs Rich: pip install 'rc-env[arena]'. Until then, plain lines.\n")
        return False
    return True
