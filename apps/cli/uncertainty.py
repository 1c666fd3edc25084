"""Measure what holds for all possible cards, and which unknown numbers matter. The command `rc uncertainty`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from rc_env import checks
from rc_env.apps.cli.options import add_running, output_folder
from rc_env.apps.cli.playing import playing
from rc_env.arena import jobs, results, standings, tournament
from rc_env.arena.over_sets import OverSets, errors_of, over_sets, seed_of_set
from rc_env.arena.studies import first_player, handicap, stats, uncertainty
from rc_env.card_sets import source
from rc_env.ruleset import Ruleset

SETS, NUMBERS = "sample:0-63", "sample:0-511"
GAMES, LADDER_GAMES = 2000, 400
LADDER = ("random", "rush", "majority", "guilds", "greedy", "all_rounder")
HOLDS = 0.95
"""The share of the sets in which a statement has to be true for it to be reported as holding."""


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
        type=int,
        default=GAMES,
        help=f"number of games for each set and number of players (default: {GAMES})",
    )
    parser.add_argument(
        "--ladder-games",
        type=int,
        default=LADDER_GAMES,
        help=f"number of games of each pair of bots (default: {LADDER_GAMES})",
    )
    parser.add_argument(
        "--handicap",
        action="store_true",
        help="also search for the starting rubles that make two seats equal, which takes 13 times as many games",
    )
    parser.add_argument(
        "--turn-limit",
        type=int,
        default=Ruleset.turn_limit,
        metavar="TURNS",
        help=f"number of turns, of all seats together, after which a game is scored (default: {Ruleset.turn_limit})",
    )
    add_running(parser, limit=False)


def main(args: argparse.Namespace) -> int:
    """`rc uncertainty`."""
    checks.seed("--seed", args.seed)
    for name in ("games", "ladder_games"):
        checks.whole_number(f"--{name.replace('_', '-')}", getattr(args, name), 2, 10**7)
    measured = _names("--sets", args.sets)
    sought = [] if args.numbers == "none" else _names("--numbers", args.numbers)
    if len(measured) < 2:
        raise ValueError(f"--sets: {checks.shown(args.sets)} found, expected several drawn sets, such as {SETS}")
    if sought and len(sought) < uncertainty.FEWEST:
        raise ValueError(f"--numbers: {len(sought)} sets found, expected at least {uncertainty.FEWEST}, or none")
    jobs.make_bot(args.bot)
    out = output_folder(args)
    first = Ruleset(data=measured[0], turn_limit=args.turn_limit)
    with playing(args, out, first) as (pool, shown):
        study = _Study(pool, args, shown)
        result: dict[str, Any] = {
            "bot": args.bot,
            "seed": args.seed,
            "sets": source.full_name("--sets", args.sets),
            "command": command(args),
            "versions": results.versions(first),
            "players": {str(players): study.seats(measured, players) for players in (2, 3, 4)},
            "ladder": study.ladder(measured),
            "numbers": study.numbers(sought) if sought else None,
        }
        result["statements"] = statements(result)
        if out is not None:
            from rc_env.arena.pages import uncertainty as uncertainty_page  # here, since matplotlib takes a second

            uncertainty_page.write(out, result)
    if args.json:
        print(json.dumps(result, indent=1))
    else:
        show(result)
        if out is not None:
            print(f"Written to {out}")
    return 0


def command(args: argparse.Namespace) -> str:
    """The command line that repeats the study."""
    words = ["rc uncertainty", f"--bot {args.bot} --sets {args.sets} --numbers {args.numbers} --games {args.games}"]
    words.append(f"--ladder-games {args.ladder_games} --seed {args.seed}")
    if args.turn_limit != Ruleset.turn_limit:
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


class _Study:
    """Plays the games of each part of the study, each set with deals of its own."""

    def __init__(self, pool: jobs.Workers, args: argparse.Namespace, shown: Any) -> None:
        self._pool, self._args, self._shown = pool, args, shown

    def _ruleset(self, players: int, name: str) -> Ruleset:
        return Ruleset(players, data=name, turn_limit=self._args.turn_limit)

    def _seed(self, part: int, place: int) -> int:
        return seed_of_set(seed_of_set(self._args.seed, part), place)

    def seats(self, names: Sequence[str], players: int) -> dict[str, Any]:
        """Win shares by seat, game length and use of actions, over the sets and for each set."""
        args, rows = self._args, []
        for place, name in enumerate(names):
            self._shown.set_postfix_str(f"{players} players, {name}", refresh=False)
            ruleset = self._ruleset(players, name)
            watched = stats.sample(
                self._pool, [args.bot], ruleset, args.games, self._seed(players, place), self._shown.update
            )
            summary = stats.summary(watched)
            shares = first_player.measured(first_player.by_seat(watched.games)).win_share
            row = {
                "seats": np.stack([shares.mean, shares.low, shares.high], 1).tolist(),
                "turns": _three(summary["length"]["turns_a_seat"]),
                "decisions": _three(summary["length"]["decisions"]),
                "actions": {kind: _three(one) for kind, one in summary["actions"].items() if one["mean"]},
            }
            if args.handicap and players == 2:
                found = handicap.search(
                    self._pool, args.bot, ruleset, args.games, self._seed(10 + players, place), self._shown.update
                )
                row["equal"] = [float(bound[1]) for bound in (found.equal.mean, found.equal.low, found.equal.high)]
            rows.append(row)
        kinds = sorted(set.intersection(*(set(row["actions"]) for row in rows)))
        return {
            "seats": [_over([row["seats"][seat] for row in rows], (0, 1)) for seat in range(players)],
            "turns": _over([row["turns"] for row in rows]),
            "decisions": _over([row["decisions"] for row in rows]),
            "actions": {kind: _over([row["actions"][kind] for row in rows]) for kind in kinds},
            "equal": _over([row["equal"] for row in rows]) if args.handicap and players == 2 else None,
            "first_seat": [row["seats"][0] for row in rows],
        }

    def ladder(self, names: Sequence[str]) -> dict[str, Any]:
        """How often each bot beats each other bot in games of two players, over the sets."""
        args = self._args
        bots = list(dict.fromkeys((*LADDER, args.bot)))
        crosses, shares = [], []
        for place, name in enumerate(names):
            self._shown.set_postfix_str(f"ladder, {name}", refresh=False)
            schedule = tournament.Schedule(
                tuple(bots), self._ruleset(2, name), args.ladder_games, self._seed(20, place)
            )
            played = tournament.run(schedule, self._pool, self._shown.update)
            if played.stopped:
                raise KeyboardInterrupt
            if played.failures:
                raise ValueError(played.failures[0].sentence)
            table = standings.standings(played.games, schedule.names, rated=0)
            crosses.append(np.stack([table.crosstable.mean, table.crosstable.low, table.crosstable.high], -1))
            shares.append(np.stack([table.win_share.mean, table.win_share.low, table.win_share.high], -1))
        cross, share = np.array(crosses), np.array(shares)
        return {
            "won": {bot: _over(share[:, i], (0, 1)) for i, bot in enumerate(bots)},
            "before": {
                bot: {other: _over(cross[:, i, j], (0, 1)) for j, other in enumerate(bots) if j != i}
                for i, bot in enumerate(bots)
            },
        }

    def numbers(self, names: Sequence[str]) -> dict[str, Any]:
        """Measure which groups of numbers predict the win share of the first of two seats."""
        rows, rulesets = [], []
        for place, name in enumerate(names):
            self._shown.set_postfix_str(f"numbers, {name}", refresh=False)
            ruleset = self._ruleset(2, name)
            games = first_player.mirror(
                self._pool,
                self._args.bot,
                ruleset,
                self._args.games,
                self._seed(30, place),
                progress=self._shown.update,
            )
            share = first_player.measured(games).win_share
            rows.append([share.mean[0], share.low[0], share.high[0]])
            rulesets.append(ruleset)
        inputs, of_group = uncertainty.features(rulesets)
        figure = np.array(rows)
        found = uncertainty.predict(inputs, of_group, figure[:, 0], self._args.seed)
        over = over_sets(figure[:, 0], errors_of(figure[:, 1], figure[:, 2]), (0, 1))
        real = over.spread**2 / (over.spread**2 + over.error**2)
        return {**found.as_json(), "first_seat": over.as_json(), "real": results.rounded(real)}


def _three(one: dict[str, Any]) -> list[float]:
    return [one["mean"], one["low"], one["high"]]


def _over(rows: Any, within: tuple[float, float] = (-np.inf, np.inf)) -> dict[str, Any]:
    """Conclusions over the sets about a figure with its bounds in each set, and the sets' own figures."""
    values, low, high = np.array(rows, np.float64).T
    return over_sets(values, errors_of(low, high), within).as_json()


def statements(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Sentences about the game, each with the share of the sets in which it is true, without sampling errors."""
    found: list[tuple[str, float]] = []
    for players, part in result["players"].items():
        for seat, one in enumerate(part["seats"], 1):
            above = restored(one).share_above(1 / int(players))
            word, share = ("more", above) if above >= 0.5 else ("less", 1 - above)
            found.append((f"With {players} players seat {seat} wins {word} than its share.", share))
        if part["equal"] is not None:
            more = restored(part["equal"]).share_above(0)
            found.append(("Seat 2 of 2 needs more rubles than the rules give it for the seats to be equal.", more))
    won = result["ladder"]["won"]
    order = sorted(won, key=lambda bot: -won[bot]["mean"])
    for better, worse in pairwise(order):
        share = restored(result["ladder"]["before"][better][worse]).share_above(0.5)
        found.append((f"{better} beats {worse}.", share))
    return [{"sentence": sentence, "share": round(share, 4), "holds": share >= HOLDS} for sentence, share in found]


def restored(figure: dict[str, Any]) -> OverSets:
    """Rebuild an `OverSets` from its JSON form."""
    return OverSets(**figure)


def show(result: dict[str, Any]) -> None:
    """Print what holds over the sets."""
    console = Console(highlight=False)
    table = Table(title=f"{result['sets']}, {result['bot']}, seed {result['seed']}", box=SIMPLE, pad_edge=False)
    for place, heading in enumerate(("statement", "true in")):
        table.add_column(heading, justify="right" if place else "left", overflow="fold")
    for one in result["statements"]:
        table.add_row(one["sentence"], f"{one['share']:.1%}" + (" *" if one["holds"] else ""))
    console.print(table)
    console.print(f"* holds: true in at least {HOLDS:.0%} of the sets.")
    if result["numbers"] is not None:
        numbers = result["numbers"]
        console.print(
            f"All numbers predict {numbers['all'][0]:.1%} of the variance of the first seat's wins in other sets "
            f"({numbers['real']:.1%} is not sampling error)."
        )
        for name, one in sorted(numbers["groups"].items(), key=lambda item: -item[1]["lost"][0]):
            console.print(f"  {name}: lost without it {one['lost'][0]:+.1%}, alone {one['alone'][0]:+.1%}")
