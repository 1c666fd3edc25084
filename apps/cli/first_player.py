"""Measure the value of each seat, and the starting rubles that make the seats equal. The command `rc first-player`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from tqdm import tqdm

from rc_env import files
from rc_env.agents.command_line import Listed, as_count
from rc_env.apps.cli import sets
from rc_env.apps.cli.options import add_luck, add_running, add_variant, luck_of, output_folder, variant, variants
from rc_env.apps.cli.output import print_result, print_table
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs
from rc_env.arena.figures import Figure
from rc_env.arena.match import MOST_DEALS
from rc_env.arena.pages import first_player as page
from rc_env.arena.pages import report
from rc_env.arena.pages import sets as sets_page
from rc_env.arena.pages.page import span, with_span, words
from rc_env.arena.pages.report import ABOUT_LUCK
from rc_env.arena.results import scores
from rc_env.arena.studies import first_player
from rc_env.arena.studies.levels import LevelsOverSets, LevelsResult, Measuring
from rc_env.ruleset import Ruleset
from rc_env.words.additions import additions


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc first-player`."""
    parser.add_argument(
        "--bots",
        nargs="+",
        action=Listed,
        metavar="BOT",
        help="bots; each plays against itself, then all of them play together (default: greedy)",
    )
    add_variant(parser, solo=False)
    parser.add_argument(
        "--games",
        type=as_count,
        help=f"number of games for each bot (default: {first_player.GAMES}); with --study the most games of any level",
    )
    parser.add_argument(
        "--handicap", action="store_true", help="search for the starting rubles that make the seats equal"
    )
    parser.add_argument(
        "--study",
        action="store_true",
        help="measure all levels of play for 2 to 4 players and write first-player.md to docs, or to --out",
    )
    add_luck(parser)
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc first-player`."""
    for name, least in (("games", 1), ("seed", 0)):
        if getattr(args, name) is not None and getattr(args, name) < least:
            raise ValueError(f"--{name} must be at least {least}, not {getattr(args, name)}")
    if args.study:
        for name in ("bots", "players", "handicap", "luck_adjusted"):
            if getattr(args, name):
                raise ValueError(f"--{name.replace('_', '-')} has no meaning with --study, which has its own")
        return study(args)
    args.bots = args.bots or ["greedy"]
    if len(set(args.bots)) < len(args.bots):
        raise ValueError(f"--bots names a bot twice ({' '.join(args.bots)}): name each once")
    args.games = args.games or first_player.GAMES
    rulesets = variants(args)
    luck = luck_of(args, rulesets[0])
    if len(rulesets) > 1:
        if luck:
            raise ValueError("--luck-adjusted is for one set of cards at a time")
        return many(args, rulesets)
    ruleset = rulesets[0]
    out = output_folder(args)
    with playing(args, out, ruleset) as (pool, shown):
        levels = measuring(pool, shown, luck).levels(args.bots, ruleset, args.games, args.seed, args.handicap)
        result = LevelsResult(ruleset, args.seed, command(args, ruleset), levels)
        if out is not None:
            report.write(out, result, page.build([result]))
    print_result(args, result, show, out)
    return 0


def measuring(pool: jobs.Workers, shown: tqdm, luck: int | str = 0) -> Measuring:
    """What measures, with the progress that is shown."""
    return Measuring(pool, shown.update, lambda words: shown.set_postfix_str(words, refresh=False), luck)


def many(args: argparse.Namespace, rulesets: Sequence[Ruleset]) -> int:
    """Run `rc first-player` with many sets of cards: each by itself, then conclusions over all of them."""
    out, first = output_folder(args), rulesets[0]
    again = command(args, first)
    with playing(args, out, first) as (pool, shown):
        found = measuring(pool, shown).over_sets(args.bots, rulesets, args.games, args.seed, args.handicap, again)
        result = LevelsOverSets(first, args.seed, args.data or first.data_file.name, again, found)
        if out is not None:
            report.write(out, result, sets_page.first_player(result))
    rows = [
        (f"{bot}, {what.format(i)}", one, form)
        for bot, over in result.over_sets.items()
        for what, figures, start, form in (
            ("seat {}", over.seats, 1, ".1%"),
            ("rubles of seat {}", over.equal or (), 2, "+.2f"),
        )
        for i, one in enumerate(figures, start)
    ]
    print_result(args, result, lambda result: sets.show(result, rows), out)
    return 0


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the measurement."""
    words = ["rc first-player"]
    if args.study:
        words.append("--study" + (f" --games {args.games}" if args.games else ""))
    else:
        words += ["--bots", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    words += jobs.variant_words(ruleset, args.seed, args.data, args.expansion_data)
    if args.luck_adjusted is not None:
        words.append(f"--luck-adjusted {args.luck_adjusted}")
    return " ".join(words + ["--handicap"] * args.handicap)


def study(args: argparse.Namespace) -> int:
    """`rc first-player --study`: measure all levels for 2, 3 and 4 players and write the page about them."""
    out, ruleset = args.out or Path("docs"), variant(args)
    if not out.is_dir():
        raise ValueError(
            f"--study writes first-player.md to the folder {out}, which is not there: run it from the repository, or "
            "give --out"
        )
    finished = "results.json" if args.out is None else "first-player.md"  # docs/ is there to be written anew
    with playing(args, out, ruleset, finished=finished) as (pool, shown):
        found = measuring(pool, shown).study(ruleset, args.seed, args.games or MOST_DEALS)
        parts = [
            LevelsResult(replace(ruleset, players=players), args.seed, command(args, ruleset), levels)
            for players, levels in found.items()
        ]
        written = page.build(parts)
        files.write(out / "first-player.md", written.markdown("first-player-"))
        for name, svg in written.plots.items():
            files.write(out / f"first-player-{name}.svg", svg)
    if args.json:
        print(json.dumps([part.as_json() for part in parts], indent=1))
    else:
        for part in parts:
            show(part)
        print(f"Written to {out}: first-player.md and its plots")
    return 0


def show(result: LevelsResult) -> None:
    """Print the results as tables."""
    ruleset, console = result.ruleset, Console(highlight=False, markup=False)
    seats = range(1, ruleset.players + 1)

    def cell(share: Figure) -> str:
        return f"{words(share.mean, '.1%')}\n{span(share, '.1%')}"

    print_table(
        ("level", "games", *(f"seat {seat}" for seat in seats)),
        [
            (name, f"{level.games:,}", *(cell(seat.win_share) for seat in level.seats))
            for name, level in result.levels.items()
        ],
        f"{ruleset.players} players, {ruleset.workshop}, seed {result.seed}{additions(ruleset)}: games won by seat",
        f"Intervals of 95 %, bootstrapped over deals. A fair share is {1 / ruleset.players:.1%}.",
    )
    if less := page.adjusted_rows(result.levels):
        print_table(page.LESS, less, "Less the luck of the rolls", ABOUT_LUCK)
    for name, level in result.levels.items():
        if (found := level.handicap) is not None:
            won, without = (
                ", ".join(words(seat.win_share.mean, ".1%") for seat in scores(table))
                for table in (found.confirmed, found.fresh)
            )
            console.print(
                f"{name}: with starting rubles {list(found.starting)} instead of {list(found.printed)} the seats win "
                f"{won} on fresh deals (without {without}); "
                f"equal at {', '.join(map(exactly, seats[1:], found.equal_at[1:]))}."
            )


def exactly(seat: int, equal: Figure) -> str:
    """The number of extra rubles at which the fitted line makes the seat equal, in words."""
    return f"{with_span(equal, '+.1f')} for seat {seat}"
