"""Play bots against each other. The command `rc arena`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli import sets
from rc_env.apps.cli.options import add_luck, add_running, add_variant, luck_of, output_folder, variants
from rc_env.apps.cli.output import print_result, print_table
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results, solo, tournament
from rc_env.arena.pages import report
from rc_env.arena.pages import sets as sets_page
from rc_env.arena.pages import solo as solo_page
from rc_env.arena.pages.page import span, words
from rc_env.arena.results import ArenaOverSets, ArenaResult
from rc_env.ruleset import Ruleset
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc arena`."""
    parser.add_argument(
        "bots",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help="a bot as `rc bots` lists it, with settings if needed: search:simulations=64; in the solo game each bot "
        "plays alone against Ivan, on the same deals",
    )
    add_variant(parser)
    parser.add_argument(
        "--games",
        type=as_count,
        default=tournament.GAMES,
        help=f"number of games of each line-up, or with --until the most that are played (default: {tournament.GAMES})",
    )
    parser.add_argument(
        "--until",
        type=float,
        metavar="POINTS",
        help="stop as soon as the 95 %% interval of every win share is narrower than this many percentage points",
    )
    add_luck(parser)
    add_running(parser)


def main(args: argparse.Namespace) -> int:
    """Run `rc arena`. After an interrupt the games played so far are shown, and written if there is an `--out`."""
    rulesets = variants(args)
    luck = luck_of(args, rulesets[0])
    if len(rulesets) > 1:
        return many(args, rulesets)
    ruleset = rulesets[0]
    if ruleset.solo:
        return against_ivan(args, ruleset)
    schedule = tournament.Schedule(tuple(args.bots), ruleset, args.games, args.seed, args.until, args.limit, luck)
    out = output_folder(args)
    games = schedule.deals * ruleset.players * len(schedule.lineups)
    result: ArenaResult | None = None
    failures: Sequence[jobs.Failure] = ()
    try:
        with playing(args, out, ruleset, games) as (pool, shown):
            played = tournament.run(schedule, pool, shown.update)
            failures, result = played.failures, results.measured(played)
            if result is not None and out is not None:
                report.write(out, result, report.build(result))
            if played.stopped:
                raise KeyboardInterrupt
            if result is None:
                raise ValueError("no deal was played to its end, so there is nothing to report")
    finally:
        print_failures(failures)
        if result is not None:
            print_result(args, result, show, out)
    return 0


def many(args: argparse.Namespace, rulesets: Sequence[Ruleset]) -> int:
    """Run `rc arena` with many sets of cards: a tournament on each, then conclusions over all of them."""
    first = rulesets[0]
    if args.luck_adjusted is not None:
        raise ValueError("--luck-adjusted is for one set of cards at a time")
    if first.solo:
        raise ValueError(f"--data names {len(rulesets)} sets of cards, but the solo game is measured on one at a time")
    sets.check_several(args, len(rulesets), "until")
    schedules = results.schedules_of(args.bots, rulesets, args.games, args.seed, args.limit)
    out = output_folder(args)
    games = sum(one.deals * first.players * len(one.lineups) for one in schedules.values())
    with playing(args, out, first, games) as (pool, shown):
        found = results.played_on_sets(schedules, pool, shown.update, print_failures)
        result = ArenaOverSets(first, args.seed, args.data, command(args, first), found)
        if out is not None:
            report.write(out, result, sets_page.arena(result))
    rows = [(name, one.win_share, ".1%") for name, one in result.over_sets.items()]
    print_result(args, result, lambda result: sets.show(result, rows), out)
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the tournaments on many sets of cards."""
    parts = ["rc arena", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    parts += jobs.variant_words(ruleset, args.seed, args.data, args.expansion_data)
    return " ".join(parts + ([] if args.limit is None else [f"--limit {args.limit:g}"]))


def against_ivan(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Run `rc arena --solo`."""
    if args.luck_adjusted is not None:
        raise ValueError("--luck-adjusted has no meaning in the solo game, where no bots are compared by games won")
    if args.until is not None:
        raise ValueError("--until has no meaning in the solo game, whose number of games is fixed: give --games")
    out = output_folder(args)
    with playing(args, out, ruleset, args.games * len(args.bots)) as (pool, shown):
        found = solo.compare(args.bots, args.games, ruleset, args.seed, pool, shown.update, args.limit)
        if out is not None and found.scores:
            report.write(out, found, solo_page.build(found))
    print_failures(found.failures)
    if not found.scores:
        raise ValueError("no deal was played to its end, so there is nothing to report")
    print_result(args, found, show_solo, out)
    return 0


def print_failures(failures: Sequence[jobs.Failure]) -> None:
    """Print which bots failed, and why, to stderr."""
    for failure in failures:
        they = "it plays" if failure.name else "they play"
        print(f"rc arena: {failure.sentence}; {they} no further", file=sys.stderr)


def show(result: ArenaResult) -> None:
    """Print the results as tables."""
    players, order = result.ruleset.players, result.order
    print_table(
        ("bot", "won", "95 %", "prestige", "margin", "rating", "95 %"),
        [
            (
                name,
                words(bot.win_share.mean, ".1%"),
                span(bot.win_share, ".1%"),
                words(bot.prestige.mean, ".1f"),
                words(bot.margin.mean, "+.1f"),
                words(bot.rating.mean, "+.0f"),
                span(bot.rating, "+.0f"),
            )
            for name in order
            for bot in [result.bots[name]]
        ],
        f"{result.games:,} games, {players} players, {result.ruleset.workshop}, seed {result.schedule.seed}"
        f"{additions(result.ruleset)}\n"
        f"every deal in all {players} seatings",
        "Intervals of 95 %, bootstrapped over deals; one without width: all deals ended alike. Ties are split.",
    )
    if result.luck_adjusted is not None:
        print_table(report.ADJUSTED, report.adjusted_rows(result), "Less the luck of the rolls", report.ABOUT_LUCK)
    if len(order) > 2:
        print("How often the row finished before the column:")
        cross = result.crosstable
        print_table(
            ("", *(str(column) for column in range(1, len(order) + 1))),
            [
                (f"{row} {name}", *("·" if one == name else words(cross[name][one].mean, ".0%") for one in order))
                for row, name in enumerate(order, 1)
            ],
        )


def show_solo(result: solo.Comparison) -> None:
    """Print the results of bots against Ivan as a table."""
    title = (
        f"Solo against Ivan, {result.ruleset.workshop} workshops, seed {result.seed}{additions(result.ruleset)}\n"
        f"{result.games:,} deals, the same for each bot"
    )
    caption = "Intervals of 95 %, bootstrapped over deals. A tie counts half."
    print_table(solo_page.HEADINGS, solo_page.rows(result), title, caption)
