"""Watch bots play. The command `rc watch`."""

from __future__ import annotations

import argparse
import sys

from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli.options import add_variant, seed_of, variant
from rc_env.apps.cli.play import finish, on_screen
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.players import Bots
from rc_env.apps.terminal.history import last_events
from rc_env.render.text import has_colour
from rc_env.ruleset import Ruleset

PACE = 1.0
FASTER = 1.5
LOOK = 0.2  # seconds between two checks of the terminal's size


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc watch`."""
    parser.add_argument(
        "bots",
        nargs="*",
        action=Listed,
        default=["greedy"],
        metavar="BOT",
        help="bots in the order of the seats, or one bot for all seats (default: greedy)",
    )
    add_variant(parser, players="as many as bots are named, at least 2")
    parser.add_argument(
        "--pace",
        type=float,
        metavar="SECONDS",
        help=f"pause after each decision (default: {PACE:g} on a terminal, 0 into a pipe)",
    )
    parser.add_argument("--seed", type=as_count, help="seed of the deal, the dice and the bots (default: a new one)")
    parser.add_argument(
        "--plain", action="store_true", help="print lines, as into a pipe, instead of redrawing the screen"
    )


def main(args: argparse.Namespace) -> int:
    """`rc watch`."""
    if not 1 <= len(args.bots) <= 4:
        raise ValueError(f"a game has at most 4 seats; got {len(args.bots)} bots")
    ruleset = variant(args, Ruleset(max(2, len(args.bots))))
    if len(args.bots) not in (1, ruleset.players):
        raise ValueError(
            f"rc watch needs 1 bot for all seats, or {ruleset.players}, one per seat; got {len(args.bots)}"
        )
    if args.pace is not None and not 0 <= args.pace <= 3600:
        raise ValueError(f"--pace must be from 0 to 3600 seconds, not {args.pace:g}")
    seed = seed_of(args)
    if YOU in args.bots:
        raise ValueError(f"{YOU!r} is not a bot; to play yourself, use `rc play`")
    names = args.bots * (ruleset.players if len(args.bots) == 1 else 1)
    bots, game = Bots(names, ruleset, seed), Game(ruleset, names, seed)
    colour = has_colour(sys.stdout)
    print(f"{' against '.join([*names, *(['Ivan'] if ruleset.solo else [])])}; seed {seed}.\n", flush=True)
    if on_screen(args.plain):
        watch(game, bots, PACE if args.pace is None else args.pace, colour)
    else:
        from time import sleep

        while not game.over:
            game.play(bots.choose(game))
            print(last_events(game), flush=True)
            sleep(args.pace or 0)
    finish(game, game.over, colour=colour)
    return 0


def watch(game: Game, bots: Bots, pace: float, colour: bool) -> None:
    """Play on the screen until the game is over, or somebody presses q."""
    from rc_env.apps.terminal.screen import Screen, keys  # needs Rich

    paused = False
    with Screen(colour=colour) as screen, keys() as pressed:
        while True:
            left = pace
            while True:
                screen.show(game, status(game, pace, paused))
                wait = LOOK if paused or game.over else min(left, LOOK)
                key = pressed.wait(wait)
                left -= wait
                if key == "q" or (game.over and key):
                    return
                if key == " ":
                    paused = not paused
                pace = min(pace * FASTER, 3600) if key == "-" else pace / FASTER if key == "+" else pace
                if not game.over and (key in ("n", "\n") or (not paused and left <= 0)):
                    break
            game.play(bots.choose(game))


def status(game: Game, pace: float, paused: bool) -> str:
    """The line that explains the keys."""
    if game.over:
        return "The game is over: any key leaves."
    state = "Paused" if paused else f"{pace:.2g} s a decision"
    return f"{state}. Space: {'go on' if paused else 'pause'}, n: next, + -: faster, slower, q: leave."
