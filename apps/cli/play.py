"""Play in the terminal against bots. The command `rc play`."""

from __future__ import annotations

import argparse
import contextlib
import shlex
import sys
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from rc_env import Ruleset, agents, checks, files
from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli.options import add_variant, check_read, estimates, named, seed_of, variant
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.keeping import Keeper
from rc_env.apps.table.lessons import STOPS, Coach, Lesson
from rc_env.apps.table.players import Bots, bot_seed, try_out
from rc_env.apps.terminal.dialogue import Dialogue, Lines
from rc_env.apps.terminal.history import score_table
from rc_env.arena.locks import to_file
from rc_env.arena.studies.analysis import evaluator
from rc_env.bot import Bot
from rc_env.record import SUFFIX, Record, read
from rc_env.render.text import board_text, has_colour
from rc_env.rules.printed.sizes import COLOURS
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc play`."""
    add_variant(parser)
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help="bots on the other seats in their order, or one bot for all of them (default: greedy)",
    )
    parser.add_argument("--seat", type=as_count, help="your seat; seat 0 moves first (default: 0)")
    parser.add_argument("--seed", type=as_count, help="seed of the deal, the dice and the bots (default: a new one)")
    parser.add_argument(
        "--hint",
        metavar="BOT",
        help="bot that gives hints (default: greedy, or with --teach the bot that the coach asks)",
    )
    parser.add_argument(
        "--teach",
        choices=tuple(STOPS),
        help="a coach stops the game at your mistakes, or at blunders alone, and says what they cost and why",
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        type=named,
        help="file for the record of the game (default: unfinished-SEED.rcr in the current folder, removed at the end)",
    )
    parser.add_argument(
        "--resume",
        metavar="FILE",
        type=named,
        help="continue the unfinished game in this file; --bots may name other bots",
    )
    parser.add_argument(
        "--plain", action="store_true", help="print lines, as into a pipe, instead of redrawing the screen"
    )
    parser.add_argument(
        "--colour",
        default="auto",
        choices=("auto", "always", "never"),
        help="whether to use colours (default: auto, which uses them if the terminal supports them)",
    )


def main(args: argparse.Namespace) -> int:
    """Run `rc play`; however it ends, the game is saved."""
    begun = None if args.resume is None else _unfinished(args)
    if begun is None:
        ruleset, seed, seat = variant(args), seed_of(args), args.seat or 0
        if not 0 <= seat < ruleset.players:
            raise ValueError(f"--seat must be from 0 to {ruleset.players - 1}, not {seat}")
        if ruleset.solo and args.bots is not None:
            raise ValueError(
                f"--bots {' '.join(args.bots)} has no meaning in the solo game: you play against Ivan alone"
            )
        against = _opponents(args.bots or ["greedy"], ruleset)
    else:
        assert begun.unfinished is not None
        ruleset, seed, seat = begun.ruleset, begun.header["seed"], begun.unfinished["seat"]
        against = _of_file(begun, args.resume) if args.bots is None else _opponents(args.bots, ruleset)
    seats = [*against[:seat], YOU, *against[seat:]]  # solo: nobody else, Ivan plays by himself
    if args.hint is not None:
        hint = agents.from_text(args.hint)
    else:
        hint = agents.make("greedy") if args.teach is None else evaluator(ruleset)
    try_out(hint, ruleset, seed)
    bots = Bots(seats, ruleset, seed)
    hint.reset(bot_seed(seed, len(against)))
    game = Game(ruleset, seats, seed, begun)
    keeper = Keeper(game, _place(args, seed), wanted=bool(args.save or begun))
    with to_file(keeper.path, "--save" if begun is None else "--resume"):
        if begun is not None:
            keeper.keep()
        colour = has_colour(sys.stdout) if args.colour == "auto" else args.colour == "always"
        words = f"You are {COLOURS[seat]}, seat {seat}, against {', '.join(against) or 'Ivan'}; seed {seed}"
        print(
            f"{words}{additions(ruleset)}. `help` helps; docs/game.md has the game in five minutes, and a glossary.\n"
        )
        print(estimates(game.ruleset), end="")
        try:
            ended = _play(args, game, bots, hint, keeper, colour)
        except KeyboardInterrupt:
            _keep_at_last(keeper)
            raise KeyboardInterrupt(*_advice(keeper)) from None
        except ValueError as error:  # a bot cannot go on
            _keep_at_last(keeper)
            raise ValueError("; ".join([str(error), *_advice(keeper)])) from None
        finish(game, ended, colour=colour)
        _keep_at_last(keeper)
    if ended and (args.save or begun):
        print(f"\nThe record is in {keeper.path}")
    for advice in _advice(keeper):
        print(f"{advice[0].upper()}{advice[1:]}.")
    return 0


def _play(args: argparse.Namespace, game: Game, bots: Bots, hint: Bot, keeper: Keeper, colour: bool) -> bool:
    """Play on a screen or in lines; return whether the end was reached."""
    keep, coach = partial(_try_to_keep, keeper), _coach(args.teach, game)
    if not on_screen(args.plain):
        return Dialogue(game, bots, hint, Lines(colour=colour), keep, coach).play()
    from rc_env.apps.terminal.screen import Screen  # needs Rich

    with Screen(colour=colour) as screen:
        ended = Dialogue(game, bots, hint, screen, keep, coach).play()
        if ended:
            screen.end(game)
    return ended


def _coach(teach: str | None, game: Game) -> Callable[[Game, int], Lesson | None] | None:
    """What looks at the person's decisions; None where `--teach` does not ask for it."""
    if teach is None:
        return None
    coach, least = Coach(game.ruleset, game.seats), STOPS[teach]
    return lambda game, at: coach.look(*game.decision_at(at), least, at).lesson


def _advice(keeper: Keeper) -> list[str]:
    """A sentence that says how to resume the unfinished game, if the file holds one."""
    return [f"the game is kept: `rc play --resume {keeper.path}` goes on with it"] if keeper.kept else []


def _try_to_keep(keeper: Keeper) -> None:
    """Save the game; a full disk does not end a game in progress."""
    with contextlib.suppress(OSError, ValueError):
        keeper.keep()


def _keep_at_last(keeper: Keeper) -> None:
    """Save the game when it ends or stops."""
    try:
        keeper.keep()
    except OSError as error:
        raise OSError(f"--save: {error}: the game is lost but for what was kept before") from None


def _unfinished(args: argparse.Namespace) -> Record:
    """The game that `--resume` names."""
    settled = ("players", "solo", "workshop", "turn_limit", "fourth_guild", "special_tiles", "promos", "contractors")
    for name in (*settled, "seat", "seed", "save"):
        if getattr(args, name) not in (None, False):
            option = name.replace("_", "-")
            raise ValueError(f"--{option} has no meaning with --resume: the game goes on with its own")
    record = read(args.resume, data=args.data, expansion_data=args.expansion_data, unfinished=True)
    check_read(args, record.ruleset)
    if record.unfinished is None:
        raise ValueError(f"{args.resume} holds a game that is over, so there is nothing to resume")
    if record.unfinished.get("resigned"):
        raise ValueError(f"{args.resume} holds a game that was resigned, so there is nothing to resume")
    return record


def _of_file(begun: Record, file: Path) -> list[str]:
    """The bots that an unfinished game names."""
    assert begun.unfinished is not None
    names: list[str] = begun.unfinished["bots"]
    how = checks.cut(f"--bots {shlex.join(names)}")
    return [agents.of_file(name, str(file), how=how) for name in names]


def _opponents(names: list[str], ruleset: Ruleset) -> list[str]:
    """The names of the bots on the other seats."""
    if ruleset.solo or len(names) == 1:
        names = names[:1] * (ruleset.players - 1)
    if YOU in names:
        raise ValueError(f"--bots must name bots, not {YOU!r}: your own seat is --seat")
    if len(names) != ruleset.players - 1:
        raise ValueError(
            f"--bots must name 1 bot for all other seats, or {ruleset.players - 1}, one per seat, not {len(names)}"
        )
    return names


def _place(args: argparse.Namespace, seed: int) -> Path:
    """The file that the game is saved to: the named one, or a free name in the current folder."""
    if args.resume is not None:
        return Path(args.resume)
    if args.save is not None:
        if not args.save.parent.is_dir():
            raise ValueError(f"--save needs the folder {args.save.parent}, which is not there")
        if args.save.exists():
            raise ValueError(
                f"--save: {args.save} is there already; choose another name, or go on with an unfinished game by "
                "--resume"
            )
        return Path(args.save)
    numbers = ("", *(f"-{number}" for number in range(2, 10**6)))
    free = next(path for more in numbers if not (path := Path(f"unfinished-{seed}{more}{SUFFIX}")).exists())
    try:
        files.check(free)
    except OSError:
        raise OSError(
            f"the game cannot be kept in {Path.cwd()}, which cannot be written to: name a file elsewhere by --save"
        ) from None
    return free


def finish(game: Game, ended: bool, *, colour: bool) -> None:
    """Print how the game ended, or where it stopped."""
    if ended:
        print(board_text(game.ruleset, game.engine.games[0], colour=colour))
        print(score_table(game))
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
