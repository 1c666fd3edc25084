"""Measure the value of each seat, and the starting rubles that make the seats equal. The command `rc first-player`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from tqdm import tqdm

from rc_env import agents, files
from rc_env.apps.cli import sets
from rc_env.apps.cli.options import add_running, add_variant, output_folder, variant, variants
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results, standings
from rc_env.arena.match import MOST_DEALS
from rc_env.arena.over_sets import seed_of_set
from rc_env.arena.pages.page import span, words
from rc_env.arena.studies import first_player, handicap
from rc_env.ruleset import Ruleset

# The study of docs/first-player.md: levels of play from weak to strong, numbers of games for 2, 3 and 4 players, and
# numbers of games with each of the starting rubles that are tried (0: none are). Bots that are not registered are left
# out.
Games = tuple[int, int, int]
NONE = (0, 0, 0)
LEVELS: tuple[tuple[str, Games, Games], ...] = (
    ("random", (4000, 2000, 1000), NONE),
    ("greedy", (6000, 3000, 2000), (6000, 3000, 2000)),
    ("all_rounder", (6000, 3000, 2000), (6000, 3000, 2000)),
    ("search:simulations=32", (600, 300, 200), NONE),
    ("net", (20_000, 19_000, 17_000), (6000, 3000, 1000)),
    ("search:net=shipped,simulations=16", (1100, 1050, 950), NONE),
)
MIX = ("rush", "majority", "guilds", "all_rounder")
MIX_GAMES = 12_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc first-player`."""
    parser.add_argument(
        "--bots",
        nargs="+",
        metavar="BOT",
        help="bots; each plays against itself, then all of them play together (default: greedy)",
    )
    add_variant(parser, solo=False)
    parser.add_argument(
        "--games",
        type=int,
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
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc first-player`."""
    for name, least in (("games", 1), ("seed", 0)):
        if getattr(args, name) is not None and getattr(args, name) < least:
            raise ValueError(f"--{name}: {getattr(args, name)} found, expected at least {least}")
    if args.study:
        for name in ("bots", "players", "handicap"):
            if getattr(args, name):
                raise ValueError(f"--{name}: found beside --study, expected none: the study has its own")
        return study(args)
    args.bots = args.bots or ["greedy"]
    if len(set(args.bots)) < len(args.bots):
        raise ValueError(f"--bots: {' '.join(args.bots)} found, expected each bot once")
    args.games = args.games or first_player.GAMES
    rulesets = variants(args)
    if len(rulesets) > 1:
        return many(args, rulesets)
    ruleset = rulesets[0]
    out = output_folder(args)
    with playing(args, out, ruleset) as (pool, shown):
        levels = measured_levels(args, pool, ruleset, args.seed, shown)
        result = to_dict(ruleset, args.seed, levels, command(args, ruleset))
        if out is not None:
            from rc_env.arena.pages import first_player as first_player_page  # here, since matplotlib takes a second
            from rc_env.arena.pages import report

            report.write(out, result, first_player_page.build([result]))
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
        if out is not None:
            print(f"Written to {out}: results.json, report.md, report.html")
    return 0


def measured_levels(
    args: argparse.Namespace, pool: jobs.Workers, ruleset: Ruleset, seed: int, shown: tqdm
) -> dict[str, Any]:
    """Measure every bot against itself, then all of them together; returns the results as JSON."""
    tried = args.games if args.handicap else 0
    levels = {bot: level(pool, bot, ruleset, args.games, tried, seed, shown) for bot in args.bots}
    if len(levels) > 1:
        levels[first_player.MIXED] = mixture(pool, args.bots, ruleset, args.games, seed, shown)
    return levels


def many(args: argparse.Namespace, rulesets: Sequence[Ruleset]) -> int:
    """Run `rc first-player` with many sets of cards: each by itself, then conclusions over all of them."""
    out, first = output_folder(args), rulesets[0]
    parts: sets.Parts = {}
    with playing(args, out, first) as (pool, shown):
        for place, (name, ruleset) in enumerate(zip(sets.set_names(rulesets), rulesets, strict=True)):
            levels = measured_levels(args, pool, ruleset, seed_of_set(args.seed, place), shown)
            parts[name] = {"data_sha256": ruleset.data_file.sha256, "levels": levels}
        over = {bot: _over(parts, bot, first.players) for bot in next(iter(parts.values()))["levels"]}
        result = {
            **to_dict(first, args.seed, {}, command(args, first)),
            "data": args.data or first.data_file.name,
            "games": sum(found["games"] for part in parts.values() for found in part["levels"].values()),
            "over_sets": over,
            "sets": parts,
        }
        sets.write(out, result, _page_of_many)
    rows = [
        (f"{bot}, {what}", figure, form)
        for bot, found in over.items()
        for key, noun, start, form in (("seats", "seat {}", 1, ".1%"), ("equal", "rubles of seat {}", 2, "+.2f"))
        for what, figure in ((noun.format(i), one) for i, one in enumerate(found.get(key, ()), start))
    ]
    sets.show(args, result, rows, out)
    return 0


def _page_of_many(result: dict[str, Any]) -> Any:
    from rc_env.arena.pages import sets as sets_page  # here, since matplotlib takes a second

    return sets_page.first_player(result)


def _over(parts: sets.Parts, bot: str, players: int) -> dict[str, Any]:
    """Conclusions over the sets for a bot: the share of each seat, and the rubles at which the seats are equal."""
    found = [part["levels"][bot] for part in parts.values()]

    def figure(entries: list[dict[str, Any]], key: str, low: str, high: str) -> dict[str, Any] | None:
        one = sets.joined(entries, key, low, high)
        return None if one is None else one.as_json()

    over: dict[str, Any] = {
        "seats": [figure([one["seats"][seat] for one in found], "win_share", "low", "high") for seat in range(players)]
    }
    if "handicap" in found[0]:
        keys = ("equal", "equal_low", "equal_high")
        over["equal"] = [
            figure([{key: one["handicap"][key][seat] for key in keys} for one in found], *keys)
            for seat in range(1, players)
        ]
    return over


def command(args: argparse.Namespace, ruleset: Ruleset) -> str:
    """The command line that repeats the measurement."""
    words = ["rc first-player"]
    if args.study:
        words.append("--study" + (f" --games {args.games}" if args.games else ""))
    else:
        words += ["--bots", *args.bots, f"--players {ruleset.players} --games {args.games}"]
    words += jobs.variant_words(ruleset, args.seed, args.data, args.expansion_data)
    return " ".join(words + ["--handicap"] * args.handicap)


def level(
    pool: jobs.Workers, bot: str, ruleset: Ruleset, games: int, tried: int, seed: int, shown: tqdm
) -> dict[str, Any]:
    """Measure a bot against itself; returns the results as JSON.

    Args:
        pool: where games are played.
        bot: as `rc_env.agents.from_text` takes it.
        ruleset: the variant.
        games: number of games with the printed starting rubles.
        tried: number of games with each of the starting rubles of the handicap search; 0 for no such search.
        seed: of deals and choices.
        shown: the progress that is shown.
    """
    jobs.make_bot(bot)  # a bot that cannot be made is reported before any game is played
    shown.set_postfix_str(f"{bot}, {ruleset.players} players", refresh=False)
    result = seats(first_player.mirror(pool, bot, ruleset, games, seed, progress=shown.update), seed)
    if tried:
        result["handicap"] = handicap_to_dict(handicap.search(pool, bot, ruleset, tried, seed, shown.update), ruleset)
    return {"bots": [bot], **result}


def mixture(
    pool: jobs.Workers, bots: list[str], ruleset: Ruleset, games: int, seed: int, shown: tqdm
) -> dict[str, Any]:
    """Measure several bots in all rotations; returns the results as JSON."""
    shown.set_postfix_str(f"mixed, {ruleset.players} players", refresh=False)
    return {"bots": list(bots), **seats(first_player.mixed(pool, bots, ruleset, games, seed, shown.update), seed)}


def seats(games: standings.FinishedGames, seed: int) -> dict[str, Any]:
    """Win share, prestige and rank of each seat, as JSON."""
    table = first_player.measured(games, seed)
    return {"games": len(games), "seats": seats_to_list(table)}


def seats_to_list(table: standings.Standings) -> list[dict[str, Any]]:
    """Win share, prestige and rank of each seat with their intervals, from the first seat on."""
    return [
        {"seat": seat + 1, **results.bot_to_dict(table, seat, ("win_share", "prestige", "rank"))}
        for seat in range(len(table.names))
    ]


def handicap_to_dict(found: handicap.Handicap, ruleset: Ruleset) -> dict[str, Any]:
    """The result of a search as JSON. Rubles are on top of the printed ones, except for "starting"."""
    own = [int(rubles) for rubles in ruleset.rules[0].starting_rubles[: ruleset.players]]
    return {
        "printed": own,
        "best": list(found.best),
        "starting": [rubles + extra for rubles, extra in zip(own, found.best, strict=True)],
        "seats": seats_to_list(found.confirmed),
        "seats_without": seats_to_list(found.fresh),
        "equal": [results.rounded(x, 2) for x in found.equal.mean],
        "equal_low": [results.rounded(x, 2) for x in found.equal.low],
        "equal_high": [results.rounded(x, 2) for x in found.equal.high],
        "tried": [{"rubles": list(rubles), "seats": seats_to_list(table)} for rubles, table in found.tried.items()],
    }


def to_dict(ruleset: Ruleset, seed: int, levels: dict[str, Any], again: str) -> dict[str, Any]:
    """The results for one number of players as JSON; docs/first-player.md explains each entry."""
    return {
        "players": ruleset.players,
        "games": sum(found["games"] for found in levels.values()),
        "seed": seed,
        "workshop": ruleset.workshop,
        "data": ruleset.data_file.name,
        "turn_limit": ruleset.turn_limit,
        "command": again,
        "versions": results.versions(ruleset),
        "levels": levels,
    }


def study(args: argparse.Namespace) -> int:
    """`rc first-player --study`: measure all levels for 2, 3 and 4 players and write the page about them."""
    from rc_env.arena.pages import first_player as first_player_page

    out = args.out or Path("docs")
    if not out.is_dir():
        raise ValueError(f"--study: no folder {out} here, expected one to write first-player.md to")
    parts, most = [], args.games or MOST_DEALS
    finished = "results.json" if args.out is None else "first-player.md"  # docs/ is there to be written anew
    with playing(args, out, variant(args), finished=finished) as (pool, shown):
        for place, players in enumerate((2, 3, 4)):
            ruleset = replace(variant(args), players=players)
            levels = {
                bot: level(pool, bot, ruleset, min(games[place], most), min(tried[place], most), args.seed, shown)
                for bot, games, tried in LEVELS
                if bot.partition(":")[0] in agents.names()
            }
            mix = [bot for bot in MIX if bot in agents.names()]
            if len(mix) > 1:
                levels[first_player.MIXED] = mixture(pool, mix, ruleset, min(MIX_GAMES, most), args.seed, shown)
            parts.append(to_dict(ruleset, args.seed, levels, command(args, ruleset)))
        page = first_player_page.build(parts)
        files.write(out / "first-player.md", page.markdown("first-player-"))
        for name, svg in page.plots.items():
            files.write(out / f"first-player-{name}.svg", svg)
    if args.json:
        print(json.dumps(parts, indent=1))
    else:
        for part in parts:
            show(part)
        print(f"Written to {out}: first-player.md and its plots")
    return 0


def show(result: dict[str, Any]) -> None:
    """Print the results as tables."""
    console, players = Console(), result["players"]
    table = Table(
        title=f"{players} players, {result['workshop']}, seed {result['seed']}: games won by seat",
        caption=f"Intervals of 95 %, bootstrapped over deals. A fair share is {1 / players:.1%}.",
        box=SIMPLE,
        pad_edge=False,
    )
    table.add_column("level", overflow="fold", min_width=12)
    for heading in ("games", *(f"seat {seat + 1}" for seat in range(players))):
        table.add_column(heading, justify="right")
    for name, found in result["levels"].items():
        cells = [
            f"{words(seat['win_share'], '.1%')}\n{span(seat['low'], seat['high'], '.1%')}" for seat in found["seats"]
        ]
        table.add_row(name, f"{found['games']:,}", *cells)
    console.print(table)
    for name, found in result["levels"].items():
        if "handicap" in found:
            rubles = found["handicap"]
            console.print(
                f"{name}: with starting rubles {rubles['starting']} instead of {rubles['printed']} the seats win "
                f"{', '.join(words(seat['win_share'], '.1%') for seat in rubles['seats'])} on fresh deals "
                f"(without {', '.join(words(seat['win_share'], '.1%') for seat in rubles['seats_without'])}); "
                f"equal at {', '.join(exactly(rubles, seat) for seat in range(1, players))}.",
                highlight=False,
            )


def exactly(rubles: dict[str, Any], seat: int) -> str:
    """The number of extra rubles at which the fitted line makes the seat equal, in words."""
    mean, low, high = (rubles[key][seat] for key in ("equal", "equal_low", "equal_high"))
    return f"{words(mean, '+.1f')} ({words(low, '+.1f')} to {words(high, '+.1f')}) for seat {seat + 1}"
