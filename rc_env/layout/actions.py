"""The action catalogue: one flat list, from which come numbers, words both ways, the documentation table and the hash.

Colours are relative to the seat that acts: `own`, then the colours of the next seats in order, then those that nobody
plays, then white; in the solo game Ivan's follows the own one. So the same number means the same for every seat. In
words (`action_to_text`) colours are absolute.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rc_env.rules.components import ACTIONS, Verb, seats_first
from rc_env.rules.data_file import DICE, MATERIALS

VERSION = 1
"""Rises when a number of the catalogue means something else than before."""

SOURCES = ("inventory", "spare", "white1", "white2")
GEM_CHOICES = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))  # green, purple
MOST_TAKEN = 10
WHITES = ("white1", "white2")

MEANINGS = {
    Verb.DONE: "end the market, the deliveries or the turn, whichever waits",
    Verb.RUBLES: "give up 1 prestige for rubles (R-10)",
    Verb.REROLL: "give up prestige to roll all dice on a market space, once a turn (R-10)",
    Verb.MOVE: "move a die by its value, the own and the white one up to 7 further for rubles (R-19)",
    Verb.CLAIM: "claim the lowest unclaimed section of a tower with a banner from that source (R-12)",
    Verb.PLACE: "place the claimed section's tile in a slot, face up for its price or face down (R-13)",
    Verb.TAKE: "take that many of the material that waits (R-21)",
    Verb.GAIN: "receive one of that material",
    Verb.OBTAIN: "obtain the resources of the space (R-21)",
    Verb.GUILD: "use the first or second action of the guild card (R-20)",
    Verb.WORKSHOP: "activate the tile in a slot (R-22)",
    Verb.PAY: "give that material to the guild",
    Verb.SWAP: "swap the market tiles of two spaces (R-24)",
    Verb.DELIVER: "deliver one material to a section, tower.level (R-15)",
    Verb.ADORN: "put the fitting ornament on a finished section, tower.level (R-17)",
    Verb.GEMS: "set gems into the ornament just placed (R-17)",
    Verb.IVAN_CLAIM: "choose the tower where Ivan claims (R-30)",
    Verb.IVAN_ADORN: "choose the section that Ivan adorns, tower.level (R-30)",
}


@dataclass(frozen=True)
class Action:
    """One entry of the catalogue."""

    verb: Verb
    argument: tuple[int, ...]


@dataclass(frozen=True)
class ActionLayout:
    """The catalogue of a number of players, with its towers and the levels of the tallest one."""

    players: int
    towers: int
    levels: int

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """Every action, by number."""
        places = [(tower, level) for tower in range(self.towers) for level in range(self.levels)]
        families: dict[Verb, list[tuple[int, ...]]] = {
            Verb.DONE: [()],
            Verb.RUBLES: [()],
            Verb.REROLL: [(space,) for space in range(8)],
            # Only the own and the white die move further for rubles.
            Verb.MOVE: [(die, extra) for die in range(5) for extra in range(8 if die in (0, 4) else 1)],
            Verb.CLAIM: [(tower, source) for tower in range(self.towers) for source in range(len(SOURCES))],
            Verb.PLACE: [(slot, up) for slot in range(6) for up in range(2)],
            Verb.TAKE: [(count,) for count in range(MOST_TAKEN + 1)],
            Verb.GAIN: [(material,) for material in range(6)],
            Verb.OBTAIN: [()],
            Verb.GUILD: [(0,), (1,)],
            Verb.WORKSHOP: [(slot,) for slot in range(6)],
            Verb.PAY: [(material,) for material in range(6)],
            Verb.SWAP: [(low, high) for low in range(8) for high in range(low + 1, 8)],
            Verb.DELIVER: [(material, *place) for material in range(6) for place in places],
            Verb.ADORN: list(places),
            Verb.GEMS: list(GEM_CHOICES),
        }
        if self.players == 1:
            families |= {Verb.IVAN_CLAIM: [(tower,) for tower in range(self.towers)], Verb.IVAN_ADORN: list(places)}
        return tuple(Action(verb, argument) for verb, family in families.items() for argument in family)

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
        verb, x = self.actions[action].verb, self.actions[action].argument
        slots = (*colours[:4], *WHITES)
        match verb:
            case Verb.REROLL:
                return f"reroll {x[0]}"
            case Verb.MOVE:
                return f"move {colours[x[0]]}" + (f" +{x[1]}" if x[1] else "")
            case Verb.CLAIM:
                return f"claim {x[0] + 1} from {SOURCES[x[1]]}"
            case Verb.PLACE:
                return f"place {slots[x[0]]} {'up' if x[1] else 'down'}"
            case Verb.TAKE:
                return f"take {x[0]}"
            case Verb.GAIN | Verb.PAY:
                return f"{verb.name.lower()} {MATERIALS[x[0]]}"
            case Verb.GUILD:
                return f"guild {x[0] + 1}"
            case Verb.WORKSHOP:
                return f"workshop {slots[x[0]]}"
            case Verb.SWAP:
                return f"swap {x[0]} {x[1]}"
            case Verb.DELIVER:
                return f"deliver {MATERIALS[x[0]]} to {x[1] + 1}.{x[2] + 1}"
            case Verb.ADORN:
                return f"adorn {x[0] + 1}.{x[1] + 1}"
            case Verb.GEMS:
                return "gems " + (" ".join(["green"] * x[0] + ["purple"] * x[1]) or "none")
            case Verb.IVAN_CLAIM:
                return f"ivan claim {x[0] + 1}"
            case Verb.IVAN_ADORN:
                return f"ivan adorn {x[0] + 1}.{x[1] + 1}"
        return verb.name.lower()  # done, rubles, obtain

    def relative_text(self, action: int) -> str:
        """The action in words that hold for every seat: `move own +2`, `place next1 up`."""
        return self._words(action, relative_colours(self.players))

    def to_text(self, action: int, seat: int) -> str:
        """The action in the words of the game record, as `seat` would say it: `move red +2`."""
        return self._texts[seat][action]

    def to_action(self, text: str, seat: int) -> int:
        """The number of an action told in the words of the game record.

        Raises:
            ValueError: the words name no action.
        """
        action = self._numbers[seat].get(" ".join(text.split()))
        if action is None:
            raise ValueError(f"no action reads {text!r}; an action reads, say, 'move white +2' or 'claim 1 from spare'")
        return action

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
        for verb in Verb:
            numbers = [n for n, action in enumerate(self.actions) if action.verb == verb]
            if not numbers:  # Ivan's, with other players than one
                continue
            words = dict.fromkeys((self.relative_text(numbers[0]), self.relative_text(numbers[-1])))
            rows.append((verb.name.lower(), numbers[0], len(numbers), " … ".join(words), MEANINGS[verb]))
        return rows

    def fill(self, c: Any) -> None:
        """Write the catalogue into a RULES record, so that the rules can offer actions by number."""
        assert self.size <= ACTIONS
        c.actions = self.size
        for number in range(self.size - 1, -1, -1):  # downwards: the first action of a verb is written last
            action = self.actions[number]
            c.start[action.verb] = number
            c.verb[number] = action.verb
            c.argument[number, : len(action.argument)] = action.argument
            if action.verb == Verb.MOVE and action.argument[1] == 0:
                c.move_start[action.argument[0]] = number
            elif action.verb == Verb.SWAP:
                c.swap_start[action.argument] = number
            elif action.verb == Verb.GEMS:
                c.gems_start[action.argument] = number


def relative_colours(players: int) -> tuple[str, ...]:
    """Names of the dice as any seat sees them."""
    others = [f"next{i}" for i in range(1, players)] if players > 1 else ["ivan"]
    others += [f"unplayed{i}" for i in range(1, 4 - len(others))]
    return ("own", *others, "white")


def absolute_colours(players: int, seat: int) -> tuple[str, ...]:
    """Names of the dice in the order in which `seat` sees them."""
    return (*(DICE[i] for i in seats_first(players, seat)), "white")
