"""Show a recorded game. The command `rc replay`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby, islice

from rc_env import files
from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_read, add_target, check_read, named
from rc_env.record import Record, positions, read
from rc_env.render import board_text
from rc_env.render.expansion import draws_text
from rc_env.render.html import ivan_text, record_html
from rc_env.rules.printed.sizes import COLOURS
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc replay`."""
    parser.add_argument("file", type=named, metavar="FILE", help="game record (.rcr)")
    add_read(parser)
    words = "write the whole game as one HTML page to this file, instead of printing it"
    add_target(parser, "--html", words, metavar="OUT")
    parser.add_argument(
        "--upto", type=as_count, metavar="K", help="show the game up to its K-th decision, and the board after it"
    )


def main(args: argparse.Namespace) -> int:
    """Replay and check the game, and print it or write its page; returns the exit code.

    Raises:
        ValueError: the record is not one, or not of a game by the rules; --upto is out of range.
    """
    if args.html is not None and args.upto is not None:
        raise ValueError("--upto has no meaning with --html: the page holds the whole game")
    record = read(args.file, data=args.data, expansion_data=args.expansion_data, unfinished=args.html is None)
    check_read(args, record.ruleset)
    if args.html is not None:
        files.write(args.html, record_html(record))
        print(f"The page is in {args.html}")
        return 0
    lines = list(game_lines(record, args.upto))  # the whole record is checked before any of it is shown
    print("\n".join(lines))
    return 0


def game_lines(record: Record, upto: int | None = None) -> Iterator[str]:
    """Lines of text: a turn each, the board after the last decision shown and, at the end, the result.

    Args:
        record: the game; it is checked as its lines are made.
        upto: how many decisions; all by default.

    Raises:
        ValueError: the game is not one by the rules, or `upto` is out of range.
    """
    count = len(record.decisions)
    if upto is not None and not 0 <= upto <= count:
        raise ValueError(f"--upto must be from 0 to {count}, the number of decisions, not {upto}")
    ruleset = record.ruleset
    players = "solo" if ruleset.solo else f"{ruleset.players} players"
    decisions = f"{count} decision{'s' * (count != 1)}"
    yield f"{players}, {ruleset.workshop} workshops, seed {record.header.get('seed')}, {decisions}{additions(ruleset)}"
    turns = []  # of each decision
    steps = positions(record) if upto is None else islice(positions(record), upto + 1)
    for engine in steps:
        turns.append(int(engine.games.turn[0]))
    of_turns = zip(turns, enumerate(record.decisions[:upto]), strict=False)
    for (turn, seat), taken in groupby(of_turns, lambda pair: (pair[0], pair[1][1]["seat"])):
        numbers, lines = zip(*(numbered for _, numbered in taken), strict=True)
        yield f"Turn {turn}, {COLOURS[seat]}: {'; '.join(map(_words, lines))}"
        if numbers[-1] in record.ivan:
            yield f"  {ivan_text(record.ivan[numbers[-1]])}"
    yield ""
    yield board_text(ruleset, engine.games[0]).rstrip("\n")
    if upto is None or upto == count:
        yield ""
        yield _result(record) if record.unfinished is None else f"Unfinished: rc play --resume {record.name} goes on."


def _words(decision: dict) -> str:
    rolls = ", ".join(f"{die} {value}" for roll in decision["rolls"] for die, value in roll.items())
    drawn = draws_text(decision.get("draws", ()))
    chance = [f"rolled {rolls}"] * bool(rolls) + [f"drew {drawn}"] * bool(drawn)
    return decision["action"] + (f" ({'; '.join(chance)})" if chance else "")


def _result(record: Record) -> str:
    scores = []
    for seat, (prestige, part) in enumerate(zip(record.result["prestige"], record.result["breakdown"], strict=True)):
        more = "".join(f"{key} {part[key]}, " for key in ("contracts", "tools") if key in part)
        parts = f"track {part['track']}, goods {part['goods']}, {more}towers {sum(part['towers'])}"
        scores.append(f"{COLOURS[seat]} {prestige} ({parts})")
    winners = " and ".join(COLOURS[seat] for seat in record.result["winners"])
    end = ", turn limit reached" if record.result["truncated"] else ""
    return f"Result{end}: {', '.join(scores)}; {winners} won"
