"""How the markers on the score track have moved in a decision, and why: rewards, penalties, prices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rc_env.apps.table.phrases import gives_prestige, section_words
from rc_env.render.amounts import amount_words
from rc_env.render.view import View
from rc_env.rules.solo.ivan import SEAT as IVAN
from rc_env.ruleset import Ruleset

MINUS = "−"


class Effect(NamedTuple):
    """What a seat has lost or gained: an amount of a thing, such as -1 `lumber`, 3 `recognition` or 1 `prestige`.

    Recognition and prestige are told as the marker moves: that many spaces, and that many prestige spaces.
    `why` says what it was for where the deed does not.
    """

    seat: int
    amount: int
    thing: str
    why: str = ""

    @property
    def words(self) -> str:
        """`+2 rubles`, `−1 recognition (penalty: …)`."""
        sign = "+" if self.amount > 0 else MINUS
        return f"{sign}{amount_words(abs(self.amount), self.thing)}{f' ({self.why})' if self.why else ''}"


class Markers:
    """How the markers have moved, and why: what is known is followed on the track, step by step, and what is left of
    the way is what the action itself has given or cost."""

    def __init__(
        self, ruleset: Ruleset, games: Sequence[Any], views: Sequence[View], seat: int, action: str, ivan: Any
    ) -> None:
        self.ruleset, self.rules = ruleset, ruleset.rules[0]
        self.games, self.views, self.action = games, views, action
        before, after = views
        self.at = [row["track"] for row in before["seats"]]
        self.found: dict[int, list[Effect]] = {seat: [], IVAN: []}
        finished = [
            (s, section(after, s)["owner"])
            for s in sections(before)
            if section(after, s)["finished"] and not section(before, s)["finished"]
        ]
        self.closed = [
            city for city, old in zip(after.get("cities", ()), before.get("cities", ()), strict=True)
            if old["open"] and not city["open"]
        ]  # fmt: skip
        self._price(seat, action)
        own = [s for s, owner in finished if owner != IVAN or not ruleset.solo]
        self._finish(seat, own, whole=not ruleset.solo)
        if ivan is not None:
            self._ivans(ivan, [s for s, _ in finished if s not in own])
        self._rest(seat)

    def effects(self, seat: int) -> list[Effect]:
        """The effects of what this seat has done, on all seats."""
        return self.found.get(seat, [])

    def _move(self, by: int, seat: int, number: int, thing: str, why: str = "", first: bool = False) -> None:
        """Note that a marker has moved; what a loss cannot take is not lost."""
        at = self.at[seat]
        self.at[seat] = self._moved(at, number, thing)
        told = number if thing == "prestige" or number > 0 else self.at[seat] - at
        if told:
            self.found[by].insert(0 if first else len(self.found[by]), Effect(seat, told, thing, why))

    def _moved(self, at: int, number: int, thing: str) -> int:
        """Where a marker gets to from a place."""
        if thing == "recognition":
            return max(at + number, 0)
        length = int(self.rules.track_length)
        for _ in range(abs(number)):
            at += int(self.rules.ahead[at % length] if number > 0 else -self.rules.behind[at % length])
        return at

    def _price(self, seat: int, action: str) -> None:
        """What an optional action costs."""
        before = self.views[0]
        price = {"rubles": 1, "reroll": before["reroll_price"], "permit": before.get("permit_price", 0)}
        number = price.get(action.split()[0], 0)
        if number:
            self._move(seat, seat, -number, "prestige")

    def _finish(self, by: int, names: Sequence[str], *, whole: bool) -> None:
        """What finished sections have paid, and cost others."""
        before, after = self.views
        for name in names:
            tower, owner = int(name.split(".")[0]) - 1, section(after, name)["owner"]
            self._move(by, owner, section(before, name)["recognition"], "recognition", "finished section")
            if after.get("foreman") == tower and owner is not None:
                self._move(by, owner, int(self.rules.foreman_recognition), "recognition", "the foreman is there")
            self._penalties(by, name, owner)
        for city in self.closed:
            self._close(by, city)
        ending = int(self.games[1]["ending"])
        if whole and ending >= 0 > int(self.games[0]["ending"]):
            self._last_prestige(by, ending)

    def _penalties(self, by: int, name: str, finisher: int) -> None:
        """1 recognition of the owner of each unfinished section below for each finished one above of others (R-16)."""
        after = self.views[1]
        tower, level = (int(number) - 1 for number in name.split("."))
        cards = after["towers"][tower]["sections"]
        for below in range(level):
            owner = cards[below]["owner"]
            if cards[below]["finished"] or owner is None:
                continue
            lost = sum(s["finished"] and s["owner"] != owner for s in cards[below + 1 :])
            if after.get("foreman") == tower and owner != finisher:
                lost *= int(self.rules.foreman_penalty)
            words = section_words(after, f"{tower + 1}.{below + 1}")
            self._move(by, owner, -lost, "recognition", f"penalty: {words} is unfinished")

    def _close(self, by: int, city: View) -> None:
        """Contractors in a city that closes count for each banner in its tower (R-57)."""
        after = self.views[1]
        cards = after["towers"][city["tower"]]["sections"]
        for seat, sent in enumerate(city["sent"]):
            banners = sum(card["owner"] == seat for card in cards)
            self._move(by, seat, banners * sent, "recognition", f"contractors in {city['name'].capitalize()}")

    def _last_prestige(self, by: int, seat: int) -> None:
        """The prestige for the sixth section comes last: what is left of the way before it is told first (R-16)."""
        prestige = int(self.rules.ending_prestige)
        end = int(self.views[1]["seats"][seat]["track"])
        for number in sorted(range(-20, 41), key=abs):
            if self._moved(max(self.at[seat] + number, 0), prestige, "prestige") == end:
                if number:
                    self._move(by, seat, number, "recognition", first=True)
                break
        if prestige:
            self._move(by, seat, prestige, "prestige", "first to finish six sections")

    def _ivans(self, ivan: Any, names: Sequence[str]) -> None:
        """Ivan's turn: his events in order, and what his finished sections cost."""
        gained = int(self.ruleset.data_file.tables["solo"]["ornament_prestige"])
        for event in ivan:
            word, _, what = event.partition(" ")
            if word == "recognition":
                self._move(IVAN, IVAN, int(what), "recognition")
            elif word in ("prestige", "adorn"):
                self._move(IVAN, IVAN, int(what) if word == "prestige" else gained, "prestige")
            elif word == "complete":
                self._foreman_and_penalties(what)
        for city in self.closed if names else ():
            self._close(IVAN, city)

    def _foreman_and_penalties(self, name: str) -> None:
        if self.views[1].get("foreman") == int(name.split(".")[0]) - 1:
            self._move(IVAN, IVAN, int(self.rules.foreman_recognition), "recognition", "the foreman is there")
        self._penalties(IVAN, name, IVAN)

    def _rest(self, seat: int) -> None:
        """What is left of each marker's way: the action's own gain or price."""
        before, after = self.views
        for other, row in enumerate(after["seats"]):
            left = row["track"] - self.at[other]
            if not left:
                continue
            by = IVAN if self.ruleset.solo and other == IVAN else seat
            steps = next(
                (n for n in (1, 2, 3, 4, 5, 6) if self._moved(self.at[other], n, "prestige") == row["track"]), 0
            )
            if left > 0 and steps and gives_prestige(before, self.action):
                self._move(by, other, steps, "prestige")
            else:
                self._move(by, other, left, "recognition")


def sections(shown: View) -> list[str]:
    return [
        f"{t}.{level}" for t, tower in enumerate(shown["towers"], 1) for level in range(1, len(tower["sections"]) + 1)
    ]


def section(shown: View, name: str) -> View:
    tower, level = (int(number) - 1 for number in name.split("."))
    section: View = shown["towers"][tower]["sections"][level]
    return section
