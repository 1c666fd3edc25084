"""Arguments and small helpers that several commands share."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rc_env import agents, checks, files
from rc_env.agents.command_line import as_count
from rc_env.agents.plan import file_of, packaged_plans
from rc_env.arena import journal
from rc_env.arena.luck import MOST_PLAYOUTS, NET, PLAYOUTS, checked_by
from rc_env.arena.runners import WORDS, checked_workers
from rc_env.card_sets import source
from rc_env.ruleset import THIEVES, Ruleset

if TYPE_CHECKING:
    from tqdm import tqdm

DEFAULT = Ruleset()
DATA = ("data", "expansion_data")


VARIANT = {one.name: one for one in fields(Ruleset) if "help" in one.metadata}
"""The arguments of `Ruleset` that are options of every command, of the same names."""
METAVARS = {"data": "FILE", "turn_limit": "TURNS", "fourth_guild": "NAME", "expansion_data": "FILE"}


def add_switches(
    parser: argparse._ActionsContainer, names: Iterable[str] = tuple(VARIANT), base: Ruleset = DEFAULT, others: str = ""
) -> None:
    """Add some options of `VARIANT`, each None where it is not given.

    Args:
        parser: of the command, or a group of it.
        names: of the options.
        base: the variant that is played where nothing is named.
        others: what the help says of the defaults, where they are not those of `base`.
    """
    for name in names:
        one, flag = VARIANT[name], f"--{name.replace('_', '-')}"
        words, known = one.metadata["help"], one.metadata["known"]  # the value is checked by Ruleset, in a sentence
        if one.default is False:
            parser.add_argument(flag, action="store_true", default=None, help=words)
        else:
            usual = others or f"{getattr(base, name)}{', the one in the package' * (name in DATA)}"
            metavar = f"{{{','.join(known)}}}" if known else METAVARS[name]
            kind = as_count if isinstance(one.default, int) else type(one.default)
            parser.add_argument(flag, type=kind, metavar=metavar, help=f"{words} (default: {usual})")


def given(args: argparse.Namespace, names: Iterable[str] = tuple(VARIANT)) -> dict[str, Any]:
    """The arguments of `Ruleset` that options of `VARIANT` name."""
    return {name: getattr(args, name) for name in names if getattr(args, name) is not None}


def add_variant(
    parser: argparse.ArgumentParser,
    *,
    base: Ruleset = DEFAULT,
    players: str = "",
    others: str = "",
    solo: bool = True,
    several: bool = False,
) -> None:
    """The arguments that name a variant of the game; `variant` reads them.

    Args:
        parser: of the command.
        base: the variant that is played where nothing is named.
        players: what the help says of the default number of players, where that is not the one of `base`.
        others: what the help says of the default of all other arguments, where they are not those of `base`.
        solo: whether the command can play the solo game.
        several: whether several numbers of players may be given.
    """
    group = parser.add_argument_group("variant of the game")
    alone = ", or 1 for the solo game" if solo else ""
    many: dict[str, Any] = {"nargs": "+", "metavar": "P"} if several else {"metavar": "P"}
    group.add_argument(
        "--players", type=int, help=f"2, 3 or 4 players{alone} (default: {players or base.players})", **many
    )
    if solo:
        group.add_argument("--solo", action="store_true", help="the solo game against Ivan; the same as --players 1")
    add_switches(group, base=base, others=others)
    parser.set_defaults(knows_solo=solo)


def add_read(parser: argparse.ArgumentParser) -> None:
    """Add the options for the data files of a record that is read; `check_read` checks them."""
    for name, words in (("data", "data file"), ("expansion_data", "data file of the expansion")):
        text = f"{words} that the game was played with, if it does not lie beside the record"
        parser.add_argument(f"--{name.replace('_', '-')}", metavar="FILE", help=text)


def players_of(args: argparse.Namespace) -> int | None:
    """The number of players that the arguments name, 1 for the solo game; None if they do not.

    Raises:
        ValueError: the command knows no such number.
    """
    if args.knows_solo and args.solo:
        if args.players not in (None, 1):
            raise ValueError(f"--players {args.players} and --solo contradict each other: give one of the two")
        return 1
    if args.players is not None and args.players not in ((1, 2, 3, 4) if args.knows_solo else (2, 3, 4)):
        alone = ", or 1 for the solo game" if args.knows_solo else ""
        raise ValueError(f"--players must be 2, 3 or 4{alone}, not {args.players}")
    return args.players


def variant(args: argparse.Namespace, base: Ruleset = DEFAULT) -> Ruleset:
    """The ruleset that the arguments name.

    Args:
        args: with the arguments of `add_variant`.
        base: gives what is not named.

    Raises:
        ValueError: a value is out of range.
    """
    players = players_of(args)
    ruleset = replace(base, **given(args), players=base.players if players is None else players)
    check_switches(args, ruleset)
    return ruleset


def variants(args: argparse.Namespace, base: Ruleset = DEFAULT) -> list[Ruleset]:
    """The rulesets that the arguments name, one for each set of `--data sample:0-63` or `--expansion-data sample:0-63`.

    Raises:
        ValueError: a value is out of range, or the two name different numbers of sets.
    """
    usual = {name: getattr(base, name) if getattr(args, name) is None else getattr(args, name) for name in DATA}
    found = []
    for pair in source.pairs(usual["data"], usual["expansion_data"]):
        one = argparse.Namespace(**vars(args))
        for name, value in zip(DATA, pair, strict=True):
            if getattr(args, name) is not None:
                setattr(one, name, value)
        found.append(variant(one, base))
    return found


def check_switches(args: argparse.Namespace, ruleset: Ruleset) -> None:
    """Refuse arguments of the expansion that would change nothing in this variant.

    Raises:
        ValueError: there is one.
    """
    if args.promos and ruleset.fourth_guild.partition(":")[0] not in ("random", THIEVES):
        raise ValueError(
            f"--promos has no meaning with the fourth guild {ruleset.fourth_guild}: give --fourth-guild random, which "
            "may then draw the thieves"
        )
    if args.expansion_data is not None and not ruleset.full:
        raise ValueError(
            f"--expansion-data {checks.shown(args.expansion_data)} has no meaning in the base game: switch something "
            "of the expansion on, --fourth-guild, --special-tiles or --contractors"
        )


def check_read(args: argparse.Namespace, ruleset: Ruleset) -> None:
    """Refuse a data file of the expansion beside a record of a game without it: it would not be read.

    Raises:
        ValueError: there is one.
    """
    if args.expansion_data is not None and not ruleset.full:
        raise ValueError(
            f"--expansion-data {checks.shown(args.expansion_data)} has no meaning here: the game was played without "
            "the expansion"
        )


def opponents(args: argparse.Namespace, ruleset: Ruleset, usual: Sequence[str]) -> list[str]:
    """The bots that `--against` names, else the usual ones.

    Raises:
        ValueError: some are named for the solo game.
    """
    if ruleset.solo and args.against is not None:
        raise ValueError(
            f"--against {' '.join(args.against)} has no meaning in the solo game, where the opponent is Ivan"
        )
    return list(usual if args.against is None else args.against)


def as_luck(text: str) -> int | str:
    """What measures the luck of the rolls: a number of play-outs, or "net"."""
    if text == NET:
        return text
    try:
        return as_count(text)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; give a number of play-outs, or {NET}") from None


def add_luck(parser: argparse.ArgumentParser) -> None:
    """Add `--luck-adjusted`."""
    parser.add_argument(
        "--luck-adjusted",
        type=as_luck,
        nargs="?",
        const=PLAYOUTS,
        metavar="K",
        help="also give the share of games won less the luck of the rolls, which K play-outs measure for each roll, "
        f"1 to {MOST_PLAYOUTS} (default: {PLAYOUTS} if given without a number), or with {NET} the value of the network "
        "that comes with the package",
    )


def luck_of(args: argparse.Namespace, ruleset: Ruleset) -> int | str:
    """What `--luck-adjusted` names; 0 if it is not given.

    Raises:
        ValueError: it is out of range, or there is no network for the variant.
    """
    return 0 if args.luck_adjusted is None else checked_by("--luck-adjusted", args.luck_adjusted, ruleset)


def add_running(parser: argparse.ArgumentParser, *, limit: bool = True) -> None:
    """Add the arguments for seed, time limit, workers, output and `--resume`."""
    parser.add_argument(
        "--seed", type=as_count, default=0, help="seed of the deals and of the bots' choices (default: 0)"
    )
    if limit:
        parser.add_argument(
            "--limit",
            type=float,
            metavar="SECONDS",
            help="seconds that a bot may take for a decision, on average over the games of one call "
            "(default: no limit)",
        )
    add_workers(parser)
    parser.add_argument("--json", action="store_true", help="print the results as JSON, and nothing else")
    parser.add_argument(
        "--out",
        type=named,
        metavar="DIR",
        help="folder for results.json, report.md and report.html; it is made if needed",
    )
    add_resume(parser)


def add_workers(parser: argparse.ArgumentParser, *, default: int = 0) -> None:
    """Add `--workers`; by default there is one process per processor, or with `default` 1 only this process."""
    usual = "1, which is this process" if default else "0, one for each processor"
    parser.add_argument(
        "--workers",
        type=workers,
        default=default,
        metavar="N",
        help=f"number of processes, or a Ray cluster: ray, or ray://HOST:PORT (default: {usual})",
    )


def workers(text: str) -> int | str:
    """A number of processes, which is checked later, or the words for a Ray cluster."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return checked_workers("workers", text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be {WORDS}, not {checks.shown(text)}") from None


def chosen_workers(args: argparse.Namespace) -> int | str:
    """What `--workers` names: a number of processes, at least 1, or the words for a Ray cluster.

    Raises:
        ValueError: the number is out of range.
    """
    return checked_workers("--workers", args.workers) or os.cpu_count() or 1


def add_resume(parser: argparse.ArgumentParser, place: str = "--out DIR") -> None:
    """Add `--resume`, which continues a stopped command; `rc.run` reads it. `place` is as in `journal.PLACES`."""
    parser.add_argument(
        "--resume",
        type=named,
        metavar=place.split()[1],
        help=f"continue a stopped command that had this {place}, with its own arguments; only --trust may be given too",
    )
    if not parser.get_default("targets"):  # else it is there already
        add_overwrite(parser, place.split()[0])
    add_trust(parser)


def add_overwrite(parser: argparse.ArgumentParser, option: str = "--out") -> None:
    """Add `--overwrite`, without which nothing that is there already is replaced."""
    parser.add_argument("--overwrite", action="store_true", help=f"replace what {option} holds already")


def check_target(args: argparse.Namespace, option: str, path: Path) -> None:
    """Refuse a file for results that holds something, while `--overwrite` is not given.

    Raises:
        ValueError: it holds something.
    """
    if not args.overwrite and path.is_file() and path.stat().st_size:
        raise ValueError(f"{option}: {path} is there already; choose another name, or replace it with --overwrite")


def add_trust(parser: argparse.ArgumentParser) -> None:
    """Add `--trust`, which names bots again that a file names."""
    parser.add_argument(
        "--trust",
        nargs="+",
        default=[],
        metavar="BOT",
        help="with a file that names a bot module:factory, or one with a file of its own: the same word again; nothing "
        "is imported or read that only a file names",
    )


BOT_OPTIONS = ("bot", "bots", "against", "start")
"""The arguments of commands with a journal that name bots."""


def check_words(args: argparse.Namespace, where: Path, trusted: Sequence[str]) -> None:
    """Refuse arguments that stand in a journal and that only the user may give; see `rc_env.agents.of_file`.

    Raises:
        ValueError: a bot is not registered or leads to a file, or another machine is named, and it is not trusted.
    """
    for option, name in _bots_of(args):
        if option == "start":  # of `rc tune`: a plan, which need not be a bot
            _check_start(name, where, trusted)
        else:
            agents.of_file(name, str(where), trusted)
    cluster = getattr(args, "workers", 0)
    if isinstance(cluster, str) and cluster != "ray" and cluster not in trusted:  # what it answers is unpickled
        raise ValueError(
            f"{where} names --workers {checks.shown(cluster)}, which may be another machine; if you know it, name it "
            f"again: --trust {shlex.quote(checks.cut(cluster))}"
        )


def _bots_of(args: argparse.Namespace) -> list[tuple[str, str]]:
    """The bots that the arguments of a command name, each with its option."""
    found = []
    for option in BOT_OPTIONS:
        bots = getattr(args, option, None) or []
        found += [(option, name) for name in ([bots] if isinstance(bots, str) else bots)]
    return found


def _check_start(plan: str, where: Path, trusted: Sequence[str]) -> None:
    """Refuse a file of weights that only a file names.

    Raises:
        ValueError: it is no packaged plan, and not trusted.
    """
    if plan not in packaged_plans() and plan not in trusted:
        raise ValueError(
            f"{where} names the file of weights {checks.shown(plan)}; nothing is read that only a file names. If you "
            f"know it, name it again: --trust {shlex.quote(checks.cut(plan)) if plan.isprintable() else 'FILE'}"
        )


def _own_files(args: argparse.Namespace) -> tuple[list[Path], list[str]]:
    """The user's files of weights that the bots of a command need, and the words that `--trust` names on resuming."""
    own: dict[Path, None] = {}
    trust = []
    for option, name in _bots_of(args):
        try:
            if option == "start":
                _check_start(name, Path(), ())
            else:
                agents.of_file(name, "")
        except ValueError:
            trust.append(name)
            own |= dict.fromkeys([file_of(name)] if option == "start" else agents.weight_files(name))
    cluster = getattr(args, "workers", 0)
    if isinstance(cluster, str) and cluster != "ray":
        trust.append(cluster)
    return list(own), list(dict.fromkeys(trust))


def named(text: str) -> Path:
    """A file or folder that an argument names."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{checks.shown(text)} does not name a file or folder")
    return Path(text)


def check_svg(path: Path | None) -> None:
    """Refuse a file for a picture whose name promises another format.

    Raises:
        ValueError: it does.
    """
    if path is not None and path.suffix.lower() not in ("", ".svg"):
        raise ValueError(f"--out: {path} would hold an SVG: give a name that ends in .svg")


def add_target(parser: argparse.ArgumentParser, option: str, words: str, **more: Any) -> None:
    """Add an option that names a file to write, which `rc` holds for this command alone while it works, and does not
    replace without `--overwrite`."""
    parser.add_argument(option, help=words, **{"type": named, "metavar": "FILE", **more})
    before = parser.get_default("targets") or ()
    parser.set_defaults(targets=(*before, option))
    if not before:
        add_overwrite(parser, "the file that is written")


def open_journal(
    args: argparse.Namespace,
    out: Path | None,
    ruleset: Ruleset,
    name: str | None = None,
    finished: str = "results.json",
) -> journal.Journal | None:
    """Open the journal of a command; None where it has no folder, and cannot be resumed.

    Args:
        args: of the command; `rc` has set `journal` where it is resumed.
        out: the folder of its results.
        ruleset: the variant, or one of several.
        name: of the file, by default that of the command.
        finished: a file of the results, which is not overwritten without being asked.

    Raises:
        ValueError: the place holds results, or an unfinished command, or one that is at work.
        OSError: it cannot be written to.
    """
    if out is None:
        return None
    own, trust = _own_files(args)
    if args.journal is not None:
        return journal.resume(args.journal, ruleset, own, trust)
    path = out / f"{name or args.command}{journal.SUFFIX}"
    return journal.begin(
        path, args.command, args.words, ruleset, None if args.overwrite else out / finished, own, trust
    )


def seed_of(args: argparse.Namespace) -> int:
    """The seed from the arguments, or a new one; the command prints it, so that the game can be repeated."""
    if args.seed is None:
        return int(np.random.default_rng().integers(10**6))
    if args.seed < 0:
        raise ValueError(f"--seed must be a whole number of at least 0, not {args.seed}")
    return int(args.seed)


def output_folder(args: argparse.Namespace) -> Path | None:
    """Create the output folder now, so that one that cannot be written is refused before any game is played."""
    return None if args.out is None else files.make_folder(args.out)


def estimates(ruleset: Ruleset = DEFAULT) -> str:
    """What is said once, before a game with the package's cards: that some of them are estimates."""
    if ruleset.data != DEFAULT.data:
        return ""
    return (
        "The rules are complete; some card values are estimates, since no public source shows them. If you own the\n"
        "game, put yours into a copy of base.toml (docs/data.md says how), and play with `rc play --data FILE`.\n\n"
    )


class NoBar:
    """Stands in for a progress bar where tqdm is not installed."""

    def __enter__(self) -> NoBar:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def update(self, count: int = 1) -> None:
        """Show nothing."""

    def set_postfix_str(self, words: str, refresh: bool = True) -> None:
        """Show nothing."""


def bar(total: int | None, unit: str = "games") -> tqdm | NoBar:
    """A progress bar on stderr, shown only in a terminal; `total` is None if unknown."""
    try:
        from tqdm import tqdm
    except ModuleNotFoundError:
        return NoBar()
    return tqdm(
        total=total, unit=f" {unit}", desc="Playing" if unit == "games" else "Analysing", leave=False, disable=None
    )
