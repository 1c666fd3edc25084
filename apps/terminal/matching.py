"""Finds the legal action that was typed as a number, as its words, or as an abbreviation of them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

NEAREST = 4
"""The most actions that a refusal lists."""
LIKE = 0.5
"""The least similarity (`difflib` ratio) for an action to be suggested."""


class NoMatch(ValueError):
    """What was typed does not match exactly one legal action; the message lists similar ones."""


def find(typed: str, legal: Sequence[str]) -> int:
    """The index in `legal` of the action that was typed.

    Args:
        typed: a number from 1, the words of an action, or their first letters in order: `del br 3.2` is
            `deliver brick to 3.2`. Words may be left out, but for the first one, and for `+2`, which costs rubles.
        legal: the legal actions in words.

    Raises:
        NoMatch: none or several of them are meant.
    """
    words = typed.lower().split()
    text = " ".join(words)
    if text.isascii() and text.isdigit():
        if 1 <= int(text) <= len(legal):
            return int(text) - 1
        raise NoMatch(f"{text!r} is neither a number from 1 to {len(legal)} nor words of an action; `help` helps.")
    if text in legal:
        return legal.index(text)
    meant = [place for place, action in enumerate(legal) if _abbreviates(words, action.split())]
    sure = [place for place in meant if legal[place].count("+") == text.count("+")]
    if len(sure) == 1:
        return sure[0]
    if meant:
        raise NoMatch(f"{text!r} may be {_listed(meant, legal)}: type the number, or more of the words.")
    near = sorted(range(len(legal)), key=lambda place: -_likeness(text, legal[place]))[:NEAREST]
    alike = [place for place in near if _likeness(text, legal[place]) >= LIKE]
    if alike:
        raise NoMatch(f"{text!r} is no legal action here; the nearest are {_listed(alike, legal)}.")
    raise NoMatch(f"{text!r} is no legal action here; legal are {_listed(range(len(legal)), legal)}.")


def _listed(places: Sequence[int], legal: Sequence[str]) -> str:
    named = [f"{place + 1} {legal[place]}" for place in places[:NEAREST]]
    more = len(places) - len(named)
    return ", ".join(named) + (f" and {more} more" if more else "")


def _abbreviates(typed: Sequence[str], action: Sequence[str]) -> bool:
    """Whether each typed word begins a word of the action, in the same order, and the first one its verb."""
    if not typed or not _begins(typed[0], action[0]):
        return False
    rest = iter(action[1:])
    return all(any(_begins(word, other) for other in rest) for word in typed[1:])


def _begins(typed: str, word: str) -> bool:
    """Whether a word is abbreviated so; a number is not, but a tower stands for its sections."""
    if word[0].isdigit() or word[0] == "+":
        return word == typed or word.startswith(f"{typed}.")
    return word.startswith(typed)


def _likeness(typed: str, action: str) -> float:
    return SequenceMatcher(None, typed, action).ratio()
