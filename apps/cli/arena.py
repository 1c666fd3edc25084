"""Play bots against each other. The command `rc arena`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from rc_env.apps.cli import sets
from rc_env.apps.cli.options import add_running, add_variant, output_folder, variants
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results, solo, standings, tournament
from rc_env.arena.over_sets import seed_of_set
from rc_env.arena.pages.page import words
from rc_env.ruleset import Ruleset


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc arena`."""
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help="a bot as `rc bots` lists it, with settings if needed: search:simulations=64; in the solo game each bot "
        "plays alone against Ivan, on the same deals",
    )
    add_variant(parser)
    parser.add_argument(
        "--games",
        type=int,
        default=tournament.GAMES,
        help=f"number of games of each line-up, or with --until the most that are played (default: {tournament.GAMES})",
    )
    parser.add_argument(
        "--until",
        type=float,
        metavar="POINTS",
        help="stop as soon as the 95 %% interval of every win share is narrower than this many percentage points",
    )
    add_running(parser)


def main(args: argparse.Namespace) -> int:
    """Run `rc arena`. After an interrupt the games played so far are shown, and written if there is an `--out`."""
    rulesets = variants(args)
    if len(rulesets) > 1:
        return many(args, rulesets)
    ruleset = rulesets[0]
    if ruleset.solo:
        return alone(args, ruleset)
    schedule = tournament.Schedule(tuple(args.bots), ruleset, args.games, args.seed, args.until, args.limit)
    out = output_folder(args)
    games = schedule.deals * ruleset.players * len(schedule.lineups)
    result: dict[str, Any] | None = None
    failures: Sequence[jobs.Failure] = ()
    try:
        with playing(args, out, ruleset, games) as (pool, shown):
            played = tournament.run(schedule, pool, shown.update)
            failures, result = played.failures, measured(played, out)
            if played.stopped:
                raise KeyboardInterrupt
            if result is None:
                raise ValueError("no deal was played to its end, expected one at least")
    finally:
        print_failures(failures)
        if result is not None and args.json:
            print(json.dumps(result, indent=1))
        elif result is not None:
            show(result, out)
    return 0


def measured(played: tournament.TournamentResult, out: Path | None) -> dict[str, Any] | None:
    """The results as JSON, written to the folder if there is one; None where no deal was played to its end."""
    if not len(played.games):
        return None
    table = standings.standings(played.games, played.schedule.names, played.schedule.seed)
    result = results.to_dict(played, table)
    if out is not None:
        from rc_env.arena.pages import report  # here, since matplotlib takes a second

        report.write(out, result)
    return result


def many(args: argparse.Namespace, rulesets: Sequence[Ruleset]) -> int:
    """Run `rc arena` with many sets of cards: a tournament on each, then conclusions over all of them."""
    first = rulesets[0]
    if first.solo:
        raise ValueError(f"--data: {len(rulesets)} sets of cards found in the solo game, expected one")
    sets.check_several(args, len(rulesets), "until")
    names = sets.set_names(rulesets)
    schedules = [
        tournament.Schedule(tuple(args.bots), ruleset, args.games, seed_of_set(args.seed, place), limit=args.limit)
        for place, ruleset in enumerate(rulesets)
    ]
    out = output_folder(args)
    games = sum(one.deals * first.players * len(one.lineups) for one in schedules)
    parts: sets.Parts = {}
    with playing(args, out, first, games) as (pool, shown):
        for name, schedule in zip(names, schedules, strict=True):
            played = tournament.run(schedule, pool, shown.update)
            print_failures(played.failures)
            result = measured(played, None)
            if played.stopped:
                raise KeyboardInterrupt
            if result is None or played.failures:
                raise ValueError(
                    f"{name}: a tournament that a bot broke off found, expected all bots to play every set"
                )
            parts[name] = result
        result = {
            **{key: parts[names[0]][key] for key in ("players", "workshop", "turn_limit")},
            "games": sum(part["games"] for part in parts.values()),
            "seed": args.seed,
            "data": args.data,
            "command": schedules_command(args, first),
            **over_sets_of(parts),
            "sets": parts,
        }
        sets.write(out, result, _page_of_many)
    rows = [(name, result["over_sets"][name]["win_share"], ".1%") for name in result["over_sets"]]
    sets.show(args, result, rows, out)
    return 0


def schedules_command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the tournament."""
    parts = ["rc arena", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    parts += jobs.variant_words(ruleset, args.seed, args.data, args.expansion_data)
    return " ".join(parts + ([] if args.limit is None else [f"--limit {args.limit:g}"]))


def over_sets_of(parts: sets.Parts) -> dict[str, Any]:
    """Conclusions over the sets for each bot, and the share of sets in which it won more games than each other bot."""
    bots = list(next(iter(parts.values()))["bots"])
    over: dict[str, dict[str, Any]] = {}
    for name in bots:
        entries = [part["bots"][name] for part in parts.values()]
        figures = {
            "win_share": sets.joined(entries, "win_share", "low", "high"),
            "rating": sets.joined(entries, "rating", "rating_low", "rating_high"),
        }
        over[name] = {key: None if one is None else one.as_json() for key, one in figures.items()}
    ahead = {row: {other: _ahead(parts, row, other) for other in bots if other != row} for row in bots}
    return {"over_sets": over, "ahead": ahead}


def _ahead(parts: sets.Parts, row: str, other: str) -> float | None:
    """The share of the sets in which the row won more games than the other bot, ties split."""
    both = [(part["bots"][row]["win_share"], part["bots"][other]["win_share"]) for part in parts.values()]
    known = [(a > b) + (a == b) / 2 for a, b in both if a is not None and b is not None]
    return results.rounded(sum(known) / len(known)) if known else None


def _page_of_many(result: dict[str, Any]) -> Any:
    from rc_env.arena.pages import sets as sets_page  # here, since matplotlib takes a second

    return sets_page.arena(result)


def alone(args: argparse.Namespace, ruleset: Ruleset) -> int:
    """Run `rc arena --solo`."""
    if args.until is not None:
        raise ValueError("--until: found beside --solo, expected --games: in the solo game their number is fixed")
    out = output_folder(args)
    with playing(args, out, ruleset, args.games * len(args.bots)) as (pool, shown):
        found = solo.compare(args.bots, args.games, ruleset, args.seed, pool, shown.update, args.limit)
        if out is not None and found.scores:
            solo.write(out, found)
    print_failures(found.failures)
    if not found.scores:
        raise ValueError("no deal was played to its end, expected one at least")
    if args.json:
        print(json.dumps(solo.as_dict(found), indent=1))
    else:
        solo.show(found)
    return 0


def print_failures(failures: Sequence[jobs.Failure]) -> None:
    """Print which bots failed, and why, to stderr."""
    for failure in failures:
        they = "it plays" if failure.name else "they play"
        print(f"rc arena: {failure.sentence}; {they} no further", file=sys.stderr)


def show(result: dict[str, Any], out: Path | None) -> None:
    """Print the results as tables."""
    console = Console()
    players = result["players"]
    table = Table(
        title=f"{result['games']:,} games, {players} players, {result['workshop']}, seed {result['seed']}\n"
        f"every deal in all {players} seatings",
        caption="Intervals of 95 %, bootstrapped over deals. Ties are split.",
        box=SIMPLE,
        pad_edge=False,
    )
    order = sorted(result["bots"], key=lambda name: -result["bots"][name]["rating"])
    table.add_column("bot", overflow="fold", min_width=12)
    for heading in ("won", "95 %", "prestige", "margin", "rating", "95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name in order:
        bot = result["bots"][name]
        table.add_row(
            name,
            words(bot["win_share"], ".1%"),
            f"{words(bot['low'], '.1%')}–{words(bot['high'], '.1%')}",
            words(bot["prestige"], ".1f"),
            words(bot["margin"], "+.1f"),
            words(bot["rating"], "+.0f"),
            f"{words(bot['rating_low'], '+.0f')} {words(bot['rating_high'], '+.0f')}",
        )
    console.print(table)
    if len(order) > 2:
        console.print("How often the row finished before the column:")
        cross = Table(box=SIMPLE, pad_edge=False)
        cross.add_column("", overflow="fold", min_width=12)
        for column in range(len(order)):
            cross.add_column(str(column + 1), justify="right", no_wrap=True)
        for row, name in enumerate(order):
            shares = [result["crosstable"][name].get(other) for other in order]
            own = ["·" if other == name else words(share, ".0%") for other, share in zip(order, shares, strict=True)]
            cross.add_row(f"{row + 1} {name}", *own)
        console.print(cross)
    if out is not None:
        console.print(f"Written to {out}: results.json, report.md, report.html")
