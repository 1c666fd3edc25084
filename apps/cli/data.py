"""Check a data file against the known facts, or draw one at random. The command `rc data`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

from rc_env import checks, files
from rc_env.agents.command_line import as_count
from rc_env.apps.cli.options import add_target
from rc_env.card_sets import source
from rc_env.rules.printed import data_file, expansion_file
from rc_env.rules.printed.data_file import DataError, DataFile

CHECK, SAMPLE = "check", "sample"
CONTRADICTED = 1
"""The exit code for a file that can be played but contradicts the printed game."""
UNPLAYABLE = 2
"""The exit code where one of several files cannot be read, or not be played."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `rc data`."""
    parser.add_argument(
        "what",
        metavar=f"{{{CHECK},{SAMPLE}}}",
        help="check: name each printed or deduced fact that a file contradicts; sample: write a file whose unknown "
        "numbers are drawn at random",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="files to check, for the base game or the expansion; also base, contractors, or a sample such as "
        "sample:17",
    )
    parser.add_argument(
        "--seed",
        type=as_count,
        metavar="N",
        help="number of the sample; the same number gives the same file in every version",
    )
    add_target(parser, "--out", "file for the sample")
    parser.add_argument(
        "--expansion",
        action="store_true",
        help="with sample: draw a file for the expansion; with check: check a sample's file for the expansion",
    )


def main(args: argparse.Namespace) -> int:
    """Run `rc data`; returns 0, 1 if a file contradicts a fact, or 2 if one of several cannot be played at all."""
    checks.one_of("task", args.what, (CHECK, SAMPLE))
    return check(args) if args.what == CHECK else sample(args)


def check(args: argparse.Namespace) -> int:
    """`rc data check`."""
    for name in ("seed", "out"):
        if getattr(args, name) is not None:
            raise ValueError(f"--{name} has a meaning only with sample: rc data sample --seed N --out FILE")
    if not args.files:
        raise ValueError("rc data check needs the files to check: rc data check FILE ...")
    code = 0
    for file in args.files:
        try:
            found = data_file_of(file, args.expansion)
        except ValueError as error:
            if len(args.files) == 1:
                raise
            code = UNPLAYABLE
            print(f"rc data: {error}", file=sys.stderr)
            continue
        if source.seeds_of("FILE", file) is None:
            for where, one, other in _twins(found):
                print(f"rc data: {file}: {where}: {one} and {other} are equal; is it so in the game?", file=sys.stderr)
        wrong = source.contradicted(found)
        for sentence in wrong:
            print(f"{file}: {sentence}")
        if wrong:
            code = max(code, CONTRADICTED)
            print(f"rc data: {file} contradicts {len(wrong)} of the known facts", file=sys.stderr)
        else:
            print(f"{file}: fits every printed and deduced fact")
    return code


def _twins(file: DataFile) -> Iterator[tuple[str, int, int]]:
    """The equal entries of a list of cards or tiles, such as ("cards.base", 2, 3), counted from 1.

    The packaged files have none, so that a card is perhaps typed in the place of another.
    """
    places: list[tuple[str, Any]] = list(file.tables.items())
    while places:
        where, found = places.pop(0)
        if isinstance(found, dict):
            places += [(f"{where}.{key}", inner) for key, inner in found.items()]
        elif isinstance(found, list) and all(isinstance(one, dict | list) for one in found):
            places += [(f"{where}[{number}]", inner) for number, inner in enumerate(found, 1)]
            pairs = combinations(enumerate(found, 1), 2)
            yield from ((where, i, k) for (i, one), (k, other) in pairs if one == other)


def data_file_of(file: str, expansion: bool = False) -> DataFile:
    """A data file of the base game or of the expansion, whichever it is.

    Raises:
        DataError: it is neither; the message is about the game whose tables it has.
    """
    if source.seeds_of("FILE", file) is not None:
        return source.load_expansion(file) if expansion else source.load_base(file)
    if file == expansion_file.PACKAGED:
        return expansion_file.load(file)
    try:
        return data_file.load(file)
    except DataError as error:
        if not Path(file).is_file() or b"[specialists]" not in files.read(file, files.MOST_TABLES):
            raise
        try:
            return expansion_file.load(file)
        except DataError as other:
            raise other from error


def sample(args: argparse.Namespace) -> int:
    """`rc data sample`."""
    if args.files:
        raise ValueError(f"rc data sample writes its file to --out: write --out {args.files[0]}")
    if args.seed is None or args.out is None:
        raise ValueError(
            f"rc data sample needs --{'seed' if args.seed is None else 'out'}: rc data sample --seed N --out FILE"
        )
    name = source.name_of(checks.seed("--seed", args.seed))
    files.write(args.out, source.content(name, args.expansion))
    print(f"{name}{', expansion' if args.expansion else ''}: written to {args.out}")
    return 0
