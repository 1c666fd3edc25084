"""Line-ups of P out of K bots, in which every bot plays equally often and meets every other one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, permutations
from math import comb

from rc_env import checks

MOST = 100
"""Line-ups of three or four; with more combinations than that a balanced sample is played."""


MOST_BOTS = 10_000


def checked_texts(texts: Sequence[str]) -> Sequence[str]:
    """Return names of bots as a list.

    Raises:
        ValueError: they are not texts.
    """
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        checks.refuse("bots", texts, "a list of names")
    for text in texts:
        checks.instance("bots", text, str, "the name of a bot")
    return texts


def labels(texts: Sequence[str]) -> tuple[str, ...]:
    """A name for each bot: its own text; the same text again gets a number, "greedy#2".

    Raises:
        ValueError: not a list of names.
    """
    checked_texts(texts)
    names: list[str] = []
    for place, text in enumerate(texts):
        before = texts[:place].count(text)
        names.append(f"{text}#{before + 1}" if before else text)
    return tuple(names)


def lineups(bots: int, players: int) -> list[tuple[int, ...]]:
    """List the line-ups of bots, by number, that are played.

    All combinations of P different ones; for more than two players and more than `MOST` combinations a cyclic sample of
    them. With fewer bots than seats: all ways to fill the seats with at least two different ones.

    Raises:
        ValueError: fewer than two bots, or more than 10,000; or not 1 to 4 players.
    """
    if checks.whole_number("bots", bots, 0, MOST_BOTS) < 2:
        raise ValueError(f"an arena needs at least two bots; got {bots}")
    checks.whole_number("players", players, 1, 4)
    if bots < players:
        filled = combinations_with_replacement(range(bots), players)
        return [lineup for lineup in filled if len(set(lineup)) > 1]
    if players == 2 or comb(bots, players) <= MOST:
        return list(combinations(range(bots), players))
    return _cyclic(bots, players)


def _cyclic(bots: int, players: int) -> list[tuple[int, ...]]:
    """Blocks (0, a, b …), each shifted through all bots: every bot plays equally often.

    Two bots meet as often as their distance occurs in the blocks, so blocks are added, those with the rarest distances
    first, until every distance has occurred.
    """
    half = bots // 2
    met = [0] * (half + 1)
    blocks: list[tuple[int, ...]] = []
    candidates = [(0, *rest) for rest in combinations(range(1, bots), players - 1)]

    def distances(block: tuple[int, ...]) -> list[int]:
        return [min(b - a, bots - b + a) for a, b in combinations(block, 2)]

    def unevenness(block: tuple[int, ...]) -> int:
        after = met.copy()
        for distance in distances(block):
            after[distance] += 2 if 2 * distance == bots else 1  # half-way round a distance is met from both ends
        return sum(count * count for count in after)

    while not blocks or min(met[1:]) == 0:
        block = min(candidates, key=unevenness)
        candidates.remove(block)
        blocks.append(block)
        for distance in distances(block):
            met[distance] += 2 if 2 * distance == bots else 1
    return [tuple(sorted((bot + shift) % bots for bot in block)) for block in blocks for shift in range(bots)]


def orders(lineup: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders of a line-up round the table, up to rotation, since every deal is played in all rotations anyway."""
    first, *rest = lineup
    return list(dict.fromkeys((first, *order) for order in permutations(rest)))
