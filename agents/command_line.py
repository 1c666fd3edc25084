"""What every command line takes alike: lists of bots, and whole numbers."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any

_SETTING = re.compile(r"\w+=")


def split_bots(words: Sequence[str]) -> list[str]:
    """The bots that words of a command line name, which spaces or commas separate.

    A comma before SETTING=VALUE does not separate: it belongs to the bot before it.

    Example:
        >>> split_bots(["greedy,random", "search:simulations=50,net=shipped,rush"])
        ['greedy', 'random', 'search:simulations=50,net=shipped', 'rush']
    """
    bots: list[str] = []
    for word in words:
        begun = len(bots)
        for part in word.split(","):
            if len(bots) > begun and ":" in bots[-1] and _SETTING.match(part):
                bots[-1] += f",{part}"
            else:
                bots.append(part.strip())
    return bots


class Listed(argparse.Action):
    """Action of an argument that takes bots, as `split_bots` reads them; a repeated option adds to its list."""

    def __call__(self, parser: Any, args: argparse.Namespace, words: Any, option: str | None = None) -> None:
        """Set the list."""
        before = getattr(args, self.dest, None)
        bots = split_bots([words] if isinstance(words, str) else words)
        setattr(args, self.dest, bots if before is None or before is self.default else [*before, *bots])


def as_count(text: str) -> int:
    """A whole number as a command line takes it: 1000000, 1_000_000 or 1e6.

    Raises:
        argparse.ArgumentTypeError: it is none.

    Example:
        >>> as_count("1e6")
        1000000
    """
    try:
        return int(text)
    except ValueError:
        pass
    number = re.fullmatch(r"([+-]?\d+)(?:\.(\d*))?[eE]\+?(\d{1,2})", text.strip())
    digits = number[2] or "" if number else ""
    if number is None or len(digits.rstrip("0")) > int(number[3]):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number, such as 1000, 1_000 or 1e3")
    return int(number[1] + digits.rstrip("0").ljust(int(number[3]), "0"))
