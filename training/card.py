"""A model card: what a trained network is for, how it was trained, how strong it is. The command `rc card`."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from agents import net
from training import settings
from training.checkpoint import write
from training.evaluate import Score, evaluate
from training.settings import PRESETS, Settings

AGAINST = ("random", "greedy", "rush", "guilds", "majority", "all_rounder")
GAMES = 2000


def head(trained: net.Net) -> str:
    """What the file of a network tells of itself, as Markdown."""
    about = trained.about
    chosen = settings.from_dict({name: value for name, value in about["settings"].items() if name in settings.TYPES})
    each = chosen.envs * chosen.steps  # budgets are rounded up to whole iterations
    imitated = min(-(-chosen.imitation // each) * each, about["decisions"])
    learned = [f"{imitated:,} decisions of imitation of `{chosen.teacher}`"] if imitated else []
    if about["decisions"] > imitated:
        name = {"ppo": "PPO", "sb3": "MaskablePPO"}[chosen.learner]
        learned.append(f"{about['decisions'] - imitated:,} of {name}")
    opponents = ", ".join(f"{name} {share:g}" for name, share in chosen.opponents.items())
    count = sum(weight.size + bias.size for weight, bias in trained.layers.values())
    seats = "the solo game" if chosen.players == 1 else f"{chosen.players} players"
    return f"""# A network for {seats}, {chosen.workshop} workshops

| | |
| --- | --- |
| trained by | `{command(chosen)}` |
| learned from | {", then ".join(learned)} |
| opponents | {opponents} (shares of the seats, drawn a game) |
| reward | {chosen.reward}, at the end |
| data file | {about["data"]} |
| rules, layouts | {about["rules_version"]}, {about["layout_hash"]} |
| weights | {count:,}, in half precision |
"""


def command(chosen: Settings) -> str:
    """`rc train` with the preset that is nearest and what differs from it."""
    wanted = dataclasses.asdict(chosen)
    differs = {
        preset: {name: value for name, value in wanted.items() if value != getattr(base, name)}
        for preset, base in PRESETS.items()
    }
    preset = min(differs, key=lambda name: len(differs[name]))
    words = [f"rc train --preset {preset}"]
    for name, value in differs[preset].items():
        if isinstance(value, dict):
            value = ",".join(f"{key}={share:g}" for key, share in value.items())
        elif isinstance(value, list | tuple):
            value = ",".join(value)
        words.append(f"--{name.replace('_', '-')} {value}")
    return " ".join(words)


def strength(scores: Sequence[Score], seed: int) -> str:
    """What came of games against bots, as Markdown."""
    lines = [
        f"""## Strength

The most probable action is played; every deal in all seatings, all other seats are the opponent's; seed {seed}. A share
is that of games won, ties are split; intervals are of 95 %, by bootstrap over deals.

| against | games | won | 95 % | fair share | prestige | theirs |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |"""
    ]
    for score in scores:
        share = score.share
        lines.append(
            f"| {score.opponent} | {share.games:,} | {share.mean:.1%} | {share.low:.1%} to {share.high:.1%} "
            f"| {score.fair:.1%} | {score.prestige:.1f} | {score.theirs:.1f} |".replace("%", " %")
        )
    return "\n".join(lines) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc card`."""
    parser.add_argument("model", type=Path, help="a run's folder, or a file that `rc train` wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write it, as Markdown")
    parser.add_argument(
        "--against", nargs="+", default=list(AGAINST), metavar="BOT", help="default: all that play fast"
    )
    parser.add_argument("--games", type=int, default=GAMES, help=f"against each bot (default: {GAMES})")
    parser.add_argument("--seed", type=int, default=0, help="of deals and choices (default: 0)")


def main(args: argparse.Namespace) -> int:
    """`rc card`."""
    bot = net.NetBot(args.model)
    told = head(bot.net)
    scores = evaluate(bot, bot.net.ruleset, args.against, args.games, args.seed)
    write(args.out, f"{told}\n{strength(scores, args.seed)}".encode())
    print(f"{args.out}: {args.games:,} games against each of {', '.join(args.against)}")
    return 0
