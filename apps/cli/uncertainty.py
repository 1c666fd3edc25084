"""Measure what holds for all possible cards, and which unknown numbers matter. The command `rc uncertainty`."""

from __future__ import annotations

import argparse

from rich.console import Console

from rc_env import agents, checks
from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_running, add_switches, given, output_folder
from rc_env.apps.cli.output import print_result, print_table
from rc_env.apps.cli.playing import playing
from rc_env.arena.pages import uncertainty as page
from rc_env.arena.studies.conclusions import GAMES, HOLDS, LADDER_GAMES, Conclusions, SetsStudy
from rc_env.arena.studies.uncertainty import FEWEST
from rc_env.card_sets import source
from rc_env.ruleset import Ruleset

SETS, NUMBERS = "sample:0-63", "sample:0-511"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc uncertainty`."""
    parser.add_argument("--bot", default="all_rounder", help="bot that plays against itself (default: all_rounder)")
    parser.add_argument(
        "--sets", default=SETS, metavar="SAMPLE", help=f"drawn sets on which everything is measured (default: {SETS})"
    )
    parser.add_argument(
        "--numbers",
        default=NUMBERS,
        metavar="SAMPLE",
        help=f"drawn sets for finding the unknown numbers that matter; none skips this part (default: {NUMBERS})",
    )
    parser.add_argument(
        "--games",
        type=as_count,
        default=GAMES,
        help=f"number of games for each set and number of players (default: {GAMES})",
    )
    parser.add_argument(
        "--ladder-games",
        type=as_count,
        default=LADDER_GAMES,
        help=f"number of games of each pair of bots (default: {LADDER_GAMES})",
    )
    parser.add_argument(
        "--handicap",
        action="store_true",
        help="also search for the starting rubles that make two seats equal, which takes 13 times as many games",
    )
    add_switches(parser, ["turn_limit"])
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc uncertainty`."""
    checks.seed("--seed", args.seed)
    for name in ("games", "ladder_games"):
        checks.whole_number(f"--{name.replace('_', '-')}", getattr(args, name), 2, 10**7)
    measured = _names("--sets", args.sets)
    sought = [] if args.numbers == "none" else _names("--numbers", args.numbers)
    if len(measured) < 2:
        raise ValueError(f"--sets must name several drawn sets, such as {SETS}, not {checks.shown(args.sets)}")
    if sought and len(sought) < FEWEST:
        raise ValueError(f"--numbers must name at least {FEWEST} sets, or none, not {len(sought)}")
    agents.from_text(args.bot)
    out = output_folder(args)
    first = Ruleset(data=measured[0], **given(args, ["turn_limit"]))
    with playing(args, out, first) as (pool, shown):

        def tell(words: str) -> None:
            shown.set_postfix_str(words, refresh=False)

        study = SetsStudy(pool, args.bot, args.seed, args.games, first.turn_limit, shown.update, tell)
        result = Conclusions(
            ruleset=first,
            bot=args.bot,
            seed=args.seed,
            sets=str(source.full_name("--sets", args.sets)),
            command=command(args),
            players={players: study.players(measured, players, args.handicap) for players in (2, 3, 4)},
            ladder=study.ladder(measured, args.ladder_games),
            numbers=study.numbers(sought) if sought else None,
        )
        if out is not None:
            page.write(out, result)
    print_result(args, result, show, out, "the results and their page")
    return 0


def command(args: argparse.Namespace) -> str:
    """The command line that repeats the study."""
    words = ["rc uncertainty", f"--bot {args.bot} --sets {args.sets} --numbers {args.numbers} --games {args.games}"]
    words.append(f"--ladder-games {args.ladder_games} --seed {args.seed}")
    if args.turn_limit not in (None, Ruleset.turn_limit):
        words.append(f"--turn-limit {args.turn_limit}")
    return " ".join(words + ["--handicap"] * args.handicap)


def _names(name: str, text: str) -> list[str]:
    """The names in full of the sets that an option means.

    Raises:
        ValueError: it means none.
    """
    seeds = source.seeds_of(name, text)
    if seeds is None:
        checks.refuse(name, text, f"drawn sets, such as {SETS}")
    return [source.name_of(seed) for seed in seeds]


def show(result: Conclusions) -> None:
    """Print what holds over the sets."""
    console = Console(highlight=False, markup=False)
    print_table(
        ("statement", "true in"),
        [(one.sentence, f"{one.share:.1%}" + (" *" if one.holds else "")) for one in result.statements],
        f"{result.sets}, {result.bot}, seed {result.seed}",
    )
    console.print(f"* holds: true in at least {HOLDS:.0%} of the sets.")
    if result.numbers is not None:
        numbers = result.numbers.prediction
        console.print(
            f"All numbers predict {numbers.all.mean:.1%} of the variance of the first seat's wins in other sets "
            f"({result.numbers.real:.1%} is not sampling error)."
        )
        for name, lost in sorted(numbers.lost.items(), key=lambda item: -(item[1].mean or 0)):
            console.print(f"  {name}: lost without it {lost.mean:+.1%}, alone {numbers.alone[name].mean:+.1%}")
