"""The action catalogue: one flat list, from which come numbers, words both ways, the documentation table and the hash.

Colours are relative to the seat that acts: `own`, then the colours of the next seats in order, then those that nobody
plays, then white; in the solo game Ivan's follows the own one. So the same number means the same for every seat. In
words (`action_to_text`) colours are absolute.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from rc_env import checks

from ..rules.printed.build_sizes import NEUTRAL_DICE
from ..rules.printed.components import seats_first
from ..rules.printed.sizes import (
    CITY_NAMES,
    COLOURS,
    MATERIAL_NAMES,
    ORNAMENT_NAMES,
    REINFORCEMENT_NAMES,
    SPECIAL_NAMES,
    WHITE_SLOTS,
)
from ..rules.verbs import ARGUMENTS, DIAMOND_GEMS, MOST_GEMS, ROWS, SOURCES, Verb, places_of

VERSION = 2
"""Version of the catalogue; it rises when the meaning of a number changes."""


# Gems are counted by how many they are, then green before purple; the two equal ones before the two different ones.
_ORDER: dict[Verb, dict[tuple[int, ...], tuple[int, ...]]] = {
    Verb.GEMS: {gems: (i,) for i, gems in enumerate(((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1)))},
}


@dataclass(frozen=True)
class Action:
    """One entry of the catalogue."""

    verb: Verb
    argument: tuple[int, ...]


@dataclass(frozen=True)
class ActionLayout:
    """The catalogue of a number of players; 1 is the solo game."""

    players: int

    @property
    def towers(self) -> int:
        """How many towers are built."""
        return max(self.players, 2) + 2

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Every action, by number: verb by verb, those of one verb in the order of their arguments."""
        found = []
        for verb, row in ROWS.items():
            if not row.solo or self.players == 1:
                boxes = product(*(range(count) for count in row.shape))
                found += [(verb, box) for box in boxes if self._exists(dict(zip(row.arguments, box, strict=True)))]
        found.sort(key=lambda action: (action[0], *_ORDER.get(action[0], {}).get(action[1], action[1])))
        return tuple(Action(verb, box) for verb, box in found)

    def _exists(self, argument: dict[str, int]) -> bool:
        """Whether the variant has an action with these arguments."""
        if argument.get("tower", 0) >= self.towers or argument.get("seat", 0) >= max(self.players, 2) - 1:
            return False
        if argument.get("extra") and 0 < argument.get("die", 0) < len(COLOURS):
            return False  # only the own and neutral dice move further for rubles
        if "other" in argument and argument["other"] <= argument["space"]:
            return False  # two spaces are named upwards
        return argument.get("green", 0) + argument.get("purple", 0) <= MOST_GEMS

    @property
    def size(self) -> int:
        """A, the number of actions."""
        return len(self.actions)

    @cached_property
    def hash(self) -> str:
        """16 hex digits that change with any number's meaning."""
        text = f"actions/{VERSION}\n" + "\n".join(self.relative_text(action) for action in range(self.size))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def _words(self, action: int, colours: tuple[str, ...]) -> str:
        verb, values = self.actions[action].verb, self.actions[action].argument
        row = ROWS[verb]
        words = {name: _word(name, value, colours) for name, value in zip(row.arguments, values, strict=True)}
        if verb == Verb.GEMS and not any(values):
            return "gems none"
        return row.words.format(**words).rstrip()

    def relative_text(self, action: int) -> str:
        """The action in words that hold for every seat: `move own +2`, `place next1 up`.

        Raises:
            ValueError: there is no such action.
        """
        return self._words(self._action(action), relative_colours(self.players))

    def to_text(self, action: int, seat: int) -> str:
        """The action in the words of the game record, as `seat` would say it: `move red +2`.

        Raises:
            ValueError: there is no such action or seat.
        """
        return self._texts[self._seat(seat)][self._action(action)]

    def to_action(self, text: str, seat: int) -> int:
        """The number of an action that is given in the words of the game record.

        Raises:
            ValueError: the words name no action, or there is no such seat.
        """
        checks.instance("text", text, str, "an action in words")
        action = self._numbers[self._seat(seat)].get(" ".join(text.split()))
        if action is None:
            checks.refuse("text", text, "an action in words, such as 'move white +2' or 'claim 1 from spare'")
        return action

    def _action(self, action: object) -> int:
        return checks.whole_number("action", action, 0, self.size - 1)

    def _seat(self, seat: object) -> int:
        return checks.whole_number("seat", seat, 0, self.players - 1)

    @cached_property
    def _texts(self) -> list[list[str]]:
        seats = range(self.players)
        return [[self._words(a, absolute_colours(self.players, s)) for a in range(self.size)] for s in seats]

    @cached_property
    def _numbers(self) -> list[dict[str, int]]:
        return [{text: action for action, text in enumerate(texts)} for texts in self._texts]

    def table(self) -> list[tuple[str, int, int, str, str]]:
        """For the documentation: (verb, first number, count, first words … last words, meaning) of each family."""
        rows = []
        for verb, row in ROWS.items():
            numbers = [n for n, action in enumerate(self.actions) if action.verb == verb]
            if not numbers:  # Ivan's, with other players than one
                continue
            words = dict.fromkeys((self.relative_text(numbers[0]), self.relative_text(numbers[-1])))
            rows.append((verb.name.lower(), numbers[0], len(numbers), " … ".join(words), row.meaning))
        return rows

    def fill(self, c: Any) -> None:
        """Write the catalogue into a RULES record, so that the rules can offer actions by number."""
        c.actions = self.size
        c.number[:] = -1
        verbs = np.array([int(action.verb) for action in self.actions])
        boxes = np.array([(*action.argument, *[0] * (ARGUMENTS - len(action.argument))) for action in self.actions])
        c.verb[: self.size], c.argument[: self.size] = verbs, boxes
        c.number[places_of(verbs, boxes)] = np.arange(self.size)


def _word(argument: str, value: int, colours: tuple[str, ...]) -> str:
    """An argument as the record writes it; `colours` are those of the dice as the seat that acts sees them.

    Raises:
        KeyError: there is no such argument.
    """
    match argument:
        case "space" | "other" | "count" | "place":
            return str(value)
        case "side" | "tower" | "level":
            return str(value + 1)
        case "die":
            return colours[value]
        case "extra":
            return f" +{value}" if value else ""
        case "source":
            return SOURCES[value]
        case "slot":
            return (*colours[: len(COLOURS)], *WHITE_SLOTS)[value]
        case "up":
            return "up" if value else "down"
        case "material":
            return MATERIAL_NAMES[value]
        case "green" | "purple":
            return f"{argument} " * value
        case "diamonds":
            green, purple, count = DIAMOND_GEMS[value]
            return ("green " * green + "purple " * purple + "diamond " * count).rstrip()
        case "quadrant":
            return str(value)
        case "steps" | "card" | "contract":
            return str(value + 1)
        case "seat":
            return colours[value + 1]
        case "reinforcement":
            return REINFORCEMENT_NAMES[value]
        case "special":
            return SPECIAL_NAMES[value]
        case "city":
            return CITY_NAMES[value]
        case "ornament":
            return ORNAMENT_NAMES[value]
        case "spent":
            return str(value + 1)
    raise KeyError(f"argument {argument!r} is not in verbs.COUNTS")


def relative_colours(players: int) -> tuple[str, ...]:
    """Names of the dice as any seat sees them."""
    others = [f"next{i}" for i in range(1, players)] if players > 1 else ["ivan"]
    others += [f"unplayed{i}" for i in range(1, 4 - len(others))]
    return ("own", *others, *NEUTRAL_DICE)


def absolute_colours(players: int, seat: int) -> tuple[str, ...]:
    """Names of the dice in the order in which `seat` sees them."""
    return (*(COLOURS[i] for i in seats_first(players, seat)), *NEUTRAL_DICE)
