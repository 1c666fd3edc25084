"""Say how good the decisions of recorded games were, and how lucky the rolls. The command `rc analyse`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rc_env import agents, checks, files
from rc_env.agents.command_line import as_count
from rc_env.agents.thoughts import TWO_ERRORS
from rc_env.apps.cli.options import (
    add_read,
    add_resume,
    add_target,
    add_workers,
    bar,
    check_read,
    chosen_workers,
    named,
    open_journal,
)
from rc_env.apps.cli.output import print_result, print_table
from rc_env.apps.table.phrases import phrase
from rc_env.arena import jobs
from rc_env.arena.journal import Journal, kept, key_of
from rc_env.arena.luck import MOST_PLAYOUTS
from rc_env.arena.pages import analysis as page
from rc_env.arena.pages import report
from rc_env.arena.pages.page import words
from rc_env.arena.studies.analysis import PLAYOUTS, SIMULATIONS, annotated, evaluator, judgements
from rc_env.arena.studies.error_rates import (
    AnalysisResult,
    GameReport,
    Work,
    analyse_all,
    game_report,
    players_of_record,
)
from rc_env.record import SUFFIX, Record, positions, read
from rc_env.render.view import view
from rc_env.rules.printed.sizes import COLOURS

SHOWN = ("player", "games", "loss a turn", "prestige a turn", "accuracy", "blunders", "luck", "won", "rating")
"""The columns of the page that fit a terminal."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc analyse`."""
    parser.add_argument(
        "file",
        type=named,
        nargs="+",
        metavar="FILE",
        help="game record (.rcr), finished or not; or a folder of records",
    )
    add_target(parser, "--out", "file for a copy of one record, with what the bot thought of each decision")
    parser.add_argument(
        "--results",
        type=named,
        metavar="DIR",
        help="folder for results.json, report.md and report.html; it is made if needed",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="bot that names the best action; it has to report its policy and values (default: a search with the "
        "network that comes with the package)",
    )
    parser.add_argument(
        "--simulations",
        type=as_count,
        help=f"play-outs of the default bot for a decision, at most (default: {SIMULATIONS})",
    )
    parser.add_argument(
        "--playouts",
        type=as_count,
        default=PLAYOUTS,
        help="pairs of play-outs, at most, by which a decision is measured, and play-outs for the luck of a roll "
        f"(default: {PLAYOUTS})",
    )
    parser.add_argument(
        "--sample",
        type=as_count,
        metavar="K",
        help="judge K decisions of each player in a game, drawn by the seed, instead of all: the means stay right, and "
        "many games cost little; the luck of the rolls is not measured",
    )
    parser.add_argument(
        "--names",
        nargs="+",
        metavar="NAME",
        help="who played, in the order of the seats (default: the bots that a record names, else the colours; so have "
        "several people, whom a record does not tell apart)",
    )
    parser.add_argument("--seed", type=as_count, default=0, help="seed of the bot and of all play-outs (default: 0)")
    add_workers(parser, default=1)
    add_read(parser)
    add_resume(parser, "--results DIR")


def main(args: argparse.Namespace) -> int:
    """Analyse and write; returns the exit code.

    Raises:
        ValueError: a record breaks the rules, or the bot does not offer its thoughts.
        OSError: something cannot be written.
    """
    if args.bot is not None:
        agents.from_text(args.bot)  # one that cannot be made is refused before anything is read
        if args.simulations is not None:
            raise ValueError("--simulations is for the default bot: write it into the words of --bot, or leave one out")
    args.simulations = SIMULATIONS if args.simulations is None else args.simulations
    checks.whole_number("--simulations", args.simulations, 2, 10**6)  # one alone compares nothing
    checks.whole_number("--playouts", args.playouts, 1, MOST_PLAYOUTS)
    if args.sample is not None:
        checks.whole_number("--sample", args.sample, 1)
        if args.out is not None:
            raise ValueError("--out has what the bot thought of each decision: give it without --sample")
    if args.out is not None and args.results is not None:  # a journal must not name a file to write
        raise ValueError("--out is for the copy of one record: give it without --results")
    if args.out is not None and len(args.file) > 1:
        raise ValueError(f"--out is for the copy of one record, but {len(args.file)} are named: give --results DIR")
    paths = [path for named_path in args.file for path in _records(named_path, args)]
    if not paths:
        raise ValueError(f"there is no record ({SUFFIX}) in {args.file[0]}")
    records = [read(path, data=args.data, expansion_data=args.expansion_data, unfinished=True) for path in paths]
    _check_once(paths)
    paths, records = _each_game_once(paths, records)
    ruleset = records[0].ruleset
    check_read(args, ruleset)
    for record in records[1:]:
        if jobs.variant_of(record.ruleset) != jobs.variant_of(ruleset):
            raise ValueError(f"{record.name} is of another variant than {records[0].name}: analyse them apart")
    if args.names is not None and len(args.names) != ruleset.players:
        raise ValueError(f"--names must be {ruleset.players}, one for each seat, not {len(args.names)}")
    if args.names is not None and not all(name.strip() for name in args.names):
        raise ValueError("--names must have a name for each seat, but one of them is empty")
    if args.names is not None and (wrong := next((name for name in args.names if not name.isprintable()), None)):
        raise ValueError(f"--names must have names that can be printed, not {checks.shown(wrong)}")
    names = None if args.names is None else tuple(args.names)
    how = (args.bot, args.simulations, args.playouts, args.seed, names, args.sample)
    work = [
        Work(record.name, record.text(), str(path.parent), args.data, args.expansion_data, *how)
        for record, path in zip(records, paths, strict=True)
    ]
    out = None if args.results is None else files.make_folder(args.results)
    workers = chosen_workers(args)
    with kept(open_journal(args, out, ruleset)) as journal:
        if journal is not None:
            _say_what_changed(journal, work)
        if args.out is not None:
            games: tuple[GameReport, ...] = (_with_copy(work[0], args.out),)
        elif workers == 1:
            with bar(len(work)) as shown:
                games = analyse_all(work, journal, None, shown.update)
        else:
            jobs.warm(ruleset)
            with bar(len(work)) as shown, jobs.Workers(workers) as pool:
                games = analyse_all(work, journal, pool, shown.update)
        bot = args.bot or evaluator(ruleset, args.simulations).name
        result = AnalysisResult(ruleset, args.seed, args.playouts, bot, games, args.sample)
        if out is not None:
            report.write(out, result, page.build(result))
    print_result(args, result, partial(show, first=records[0]), out)
    if args.out is not None and not args.json:
        print(f"The copy is in {args.out}: with what {bot} thought of each decision")
    return 0


def _records(path: Path, args: argparse.Namespace) -> Sequence[Path]:
    """The records that an argument names; of a folder those in it, unless a copy is asked for."""
    return sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() and args.out is None else [path]


def _check_once(paths: Sequence[Path]) -> None:
    """Refuse a file that is named twice, by whatever names: its game would count as two.

    Raises:
        ValueError: there is one.
    """
    seen: dict[tuple[int, int], Path] = {}
    for path in paths:
        about = path.stat()
        before = seen.setdefault((about.st_dev, about.st_ino), path)
        if before is not path:
            raise ValueError(f"{before} and {path} are the same file: name each record once")


def _each_game_once(paths: Sequence[Path], records: Sequence[Record]) -> tuple[list[Path], list[Record]]:
    """The records without those of a game that an earlier one holds, too, which is said: they are not independent."""
    chosen: dict[str, tuple[Path, Record]] = {}
    left_out: list[str] = []
    for path, record in zip(paths, records, strict=True):
        deal = {name: value for name, value in record.header.items() if name != "meta"}
        played = [[one.get(name) for name in ("seat", "action", "rolls")] for one in record.decisions]
        game = key_of(deal, players_of_record(record), played, record.new_dice, record.unfinished is None)
        before, _ = chosen.setdefault(game, (path, record))
        if before is not path:
            left_out.append(f"{path} holds the same game as {before}")
    if left_out:
        _say(f"{checks.cut('; '.join(left_out))}: each game is counted once")
    return [path for path, _ in chosen.values()], [record for _, record in chosen.values()]


def _say_what_changed(journal: Journal, work: Sequence[Work]) -> None:
    """Say which games were analysed before the command was stopped, and are not there any more, or are others now."""
    keys, names = {one.key for one in work}, {one.name for one in work}
    old = [GameReport.from_json(found).name for key, found in journal.done.items() if key not in keys]
    changed, gone = [name for name in old if name in names], [name for name in old if name not in names]
    if changed:
        _say(f"changed since the analysis was stopped, and analysed anew: {checks.cut(', '.join(changed))}")
    if gone:
        _say(f"analysed before, but not there any more, so that they do not count: {checks.cut(', '.join(gone))}")


def _say(sentence: str) -> None:
    print(f"rc analyse: {checks.spelled_out(sentence)}", file=sys.stderr)


def _with_copy(work: Work, out: Path) -> GameReport:
    """The report of a game, of which a copy with the judgements is written."""
    record = work.record()
    bot = evaluator(record.ruleset, work.simulations) if work.bot is None else agents.from_text(work.bot)
    found = []
    with bar(len(record.decisions), "decisions") as shown:
        for one in judgements(record, bot, playouts=work.playouts, seed=work.seed):
            found.append(one)
            shown.update()
    files.write(out, annotated(record, found).text())
    return game_report(record, dict(enumerate(found)), work.names)


def show(result: AnalysisResult, first: Record) -> None:
    """Print a table of the players, and of one game its mistakes, its luckiest rolls, and what it came to.

    Args:
        result: of the analysis.
        first: the record of the first game.
    """
    if len(result.games) == 1:
        _show_game(result.games[0], first)
    shown = [page.HEADINGS.index(heading) for heading in SHOWN]
    rows = [[row[place] for place in shown] for row in page.rows(result)]
    print_table(SHOWN, rows, page.title(result), page.CAPTION)


def _show_game(game: GameReport, record: Record) -> None:
    mistakes = {one["decision"]: one for one in game.mistakes}
    for number, engine in enumerate(positions(record), start=1):
        if (one := mistakes.get(number)) is None:
            continue
        here = view(record.ruleset, engine.games[0])
        cost = f"{100 * one['lost']:.0f} ± {100 * TWO_ERRORS * one['error']:.0f} points of a hundred"
        if one.get("hopeless"):  # a journal of an earlier version lacks it
            cost = f"{one['prestige']:.1f} prestige of the lead, where hardly a game is won any more"
        print(
            f"decision {number}, {COLOURS[one['seat']]}: {one['size']}, {phrase(here, one['action'])}, loses {cost}; "
            f"better {phrase(here, one['better'])}"
        )
    for one in game.luckiest:
        rolled = ", then ".join(" ".join(f"{die} {value}" for die, value in roll.items()) for roll in one["rolled"])
        lucky = max(range(len(one["luck"])), key=one["luck"].__getitem__)
        doubt = TWO_ERRORS * one["errors"][lucky]
        print(
            f"decision {one['decision']}, {COLOURS[one['seat']]} rolled {rolled or 'nothing'}: "
            f"{100 * one['luck'][lucky]:+.0f} ± {100 * doubt:.0f} points for {COLOURS[lucky]}"
        )
    for seat in game.seats:
        if seat.luck is None:
            continue
        if seat.start is None:
            print(f"{seat.name}: nothing to say, since the record holds no decision")
            continue
        print(
            f"{seat.name}: {seat.start:.1%} at the deal {seat.luck:+.1%} luck {seat.skill:+.1%} skill "
            f"{seat.others:+.1%} mistakes of others {words(seat.rest, '+.1%')} unexplained = "
            f"{words(seat.end, '.1%')}" + (", an estimate: the game is not over" if not game.finished else "")
        )
    if game.mistakes and game.seats[0].skill is not None:
        print("Skill adds up all decisions, not the mistakes above alone: some of the others gain by chance.")
