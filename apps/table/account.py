"""The end of a game explained: where the prestige of each seat comes from, tower by tower, and what broke a tie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rc_env.render.amounts import amount_words, joined_words
from rc_env.render.contractors import tools_text
from rc_env.render.view import View, count


class SeatAccount(NamedTuple):
    """The prestige of a seat in its parts.

    Attributes:
        seat: which.
        place: from 1; seats that share a place have the same.
        prestige: in all.
        track: of the marker, after it has moved back to its last prestige space.
        back: the spaces by which it moves back: recognition that counts no more.
        goods: for materials and rubles in hand.
        held: how many they are, and how many are left over.
        towers: of all towers.
        contracts: of the contracts held, and their words.
        tools: of the specialists' tools, and their words.
    """

    seat: int
    place: int
    prestige: int
    track: int
    back: int
    goods: int
    held: tuple[int, int]
    towers: int
    contracts: tuple[int, tuple[str, ...]]
    tools: tuple[int, str]


class TowerAccount(NamedTuple):
    """How the value of a tower is shared: by tower from 1, its value and why, each seat's presence and share, and the
    rule in words."""

    tower: int
    value: int
    parts: str
    presence: tuple[int, ...]
    shares: tuple[int, ...]
    rule: str


class Account(NamedTuple):
    """A finished game explained: seats, the best first; towers; the prestige for ending the game; what broke ties."""

    seats: list[SeatAccount]
    towers: list[TowerAccount]
    ending: str
    ties: list[str]


def account(shown: View, names: Sequence[str], ending: int) -> Account:
    """Explain the score of a game that is over.

    Args:
        shown: the view of its last position, with nothing hidden.
        names: of each seat, as sentences begin with.
        ending: the seat that finished six sections first; -1 if none has.
    """
    keys = [(row["score"], row["finished"], row["adorned"]) for row in shown["seats"]]
    seats = [_seat(shown, seat, 1 + sum(other > key for other in keys)) for seat, key in enumerate(keys)]
    bonus = shown["rules"]["ending prestige"]
    words = ""
    if ending >= 0:
        words = f"{names[ending]} finished six sections first"
        words += f": {amount_words(bonus, 'prestige')}, which the marker shows already." if bonus else "."
    return Account(
        sorted(seats, key=lambda seat: (seat.place, seat.seat)),
        [_tower(shown, number, names) for number in range(len(shown["towers"]))],
        words,
        _ties(keys, names),
    )


def _seat(shown: View, seat: int, place: int) -> SeatAccount:
    row, solo_ivan = shown["seats"][seat], shown["solo"] and seat >= shown["players"]
    held = sum(row["materials"].values()) + row["rubles"] + row.get("permits", 0)
    if solo_ivan:
        held = 0
    contracts = tuple(words for _, words in row.get("hand", ()))
    return SeatAccount(
        seat,
        place,
        row["score"],
        row["prestige"],
        row["past"],
        row["goods_prestige"],
        (held, held % shown["rules"]["goods a prestige"]),
        row["tower_prestige"],
        (row.get("contract_prestige", 0), contracts),
        (row.get("tools_prestige", 0), tools_text(row["tools"]) if row.get("tools") else ""),
    )


def _tower(shown: View, number: int, names: Sequence[str]) -> TowerAccount:
    tower, rules = shown["towers"][number], shown["rules"]
    finished = sum(section["finished"] for section in tower["sections"])
    ornaments = sum(section["ornament"] is not None for section in tower["sections"])
    parts = [f"{count(finished, 'finished section')}, {rules['section value']} each"] if finished else []
    parts += [f"{count(ornaments, 'ornament')}, {rules['ornament value']} each"] if ornaments else []
    presence, shares = tuple(tower["presence"]), tuple(tower["shares"])
    rule = _rule(shown, presence, shares, names)
    return TowerAccount(number + 1, tower["value"], joined_words(parts), presence, shares, rule)


def _rule(shown: View, presence: Sequence[int], shares: Sequence[int], names: Sequence[str]) -> str:
    """Who gets what of a tower, and why."""
    there = sorted((seat for seat, number in enumerate(presence) if number), key=lambda seat: -presence[seat])
    if not there:
        return "Nobody is present."
    if len(presence) == 2:
        first, other = there[0], there[-1]
        if first != other and presence[0] == presence[1]:
            return "Both are present equally: nobody gets anything."
        if first == other:
            return f"{names[first]} alone is present and gets the whole value."
        part = _part(shown["rules"]["share divisor of two"])
        most = f"{names[first]} is present more and gets the whole value"
        return f"{most}; {names[other]} gets {part} of it, rounded down."
    told, place = [], 0
    for _, group in groupby(there, key=lambda seat: presence[seat]):
        tied = list(group)
        what = (
            "the whole value"
            if place == 0
            else f"{_part(shown['rules']['share divisor'])} of the place before, rounded down"
        )
        if len(tied) > 1:
            places = joined_words([_PLACES[place + i] for i in range(len(tied))])
            told.append(
                f"{joined_words([names[seat] for seat in tied])} divide the {places} place ({shares[tied[0]]} each)"
            )
        else:
            told.append(f"{names[tied[0]]} gets {what} ({shares[tied[0]]})")
        place += len(tied)
    return f"{'; '.join(told)}."


def _part(divisor: int) -> str:
    """What a division leaves: `half`, `a third`."""
    return {1: "all", 2: "half", 3: "a third", 4: "a quarter"}.get(divisor, f"1/{divisor}")


_PLACES = ("first", "second", "third", "fourth")


def _ties(keys: Sequence[tuple[int, int, int]], names: Sequence[str]) -> list[str]:
    """What decided between seats with equal prestige (R-28)."""
    told = []
    for score in sorted({key[0] for key in keys}, reverse=True):
        tied = sorted(
            (seat for seat, key in enumerate(keys) if key[0] == score), key=lambda seat: keys[seat], reverse=True
        )
        if len(tied) < 2:
            continue
        words = f"{joined_words([names[seat] for seat in tied])} have {score} prestige each"
        best = [keys[seat] for seat in tied[:2]]
        if best[0][1] != best[1][1]:
            decided = f"more finished sections decide for {names[tied[0]]} ({best[0][1]} against {best[1][1]})"
        elif best[0][2] != best[1][2]:
            decided = (
                f"with equally many finished sections, more ornaments on the cathedral decide for {names[tied[0]]}"
            )
            decided += f" ({best[0][2]} against {best[1][2]})"
        else:
            decided = "finished sections and ornaments are equal, too: they share the place"
        told.append(f"{words}: {decided}.")
    return told


def as_data(explained: Account) -> dict[str, Any]:
    """The account for a page, as data for JSON."""
    return {
        "seats": [seat._asdict() for seat in explained.seats],
        "towers": [tower._asdict() for tower in explained.towers],
        "ending": explained.ending,
        "ties": explained.ties,
    }
