"""Amounts and tiles in the words of the board: `1 ruble and 1 brick`, where the record has `rubles:1, brick:1`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

_COUNTED = {"rubles": "ruble", "permits": "permit", "green_gem": "green gem", "purple_gem": "purple gem",
            "diamond": "diamond", "any_material": "material of any kind", "door": "door", "arch": "arch",
            "cross": "cross"}  # fmt: skip
SPECIAL = {
    "diamond": "1 diamond",
    "material": "1 ruble and 1 material of any kind",
    "die": "the tile of a die's space",
    "guild": "an action of any guild",
}
"""What each special tile gives."""


def amount_words(number: int, thing: str) -> str:
    """A number of a thing: `1 ruble`, `2 green gems`, `3 lumber`."""
    word = _COUNTED.get(thing, thing)
    if thing == "any_material":
        return f"{number} material{'s' * (number != 1)} of any kind"
    plural = "es" if word.endswith(("ch", "ss")) else "s"
    return f"{number} {word}{plural if thing in _COUNTED and abs(number) != 1 else ''}"


def joined_words(words: Sequence[str]) -> str:
    """Words with commas and an `and`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def amounts_words(counts: Mapping[str, int] | Iterable[tuple[str, int]], none: str = "nothing") -> str:
    """Amounts in words, such as `2 lumber and 1 gold`; `none` for none."""
    pairs = counts.items() if isinstance(counts, Mapping) else counts
    return joined_words([amount_words(number, thing) for thing, number in pairs if number]) or none


def tile_words(tile: str, times: int = 1) -> str:
    """What a market or workshop tile gives: `2 rubles`, `the tile at the red die`; `face down` as it is."""
    what, _, number = tile.partition(":")
    if not number:
        return tile
    if what == "die":
        return f"the tile at the {number} die"
    return SPECIAL[number] if what == "special" else amount_words(int(number) * times, what)
