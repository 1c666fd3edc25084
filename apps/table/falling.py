"""What fell at a real table: dice and draws that a person enters, and the question for the next of them.

Which dice are rolled after a decision follows from the decision and from what fell before them. So a game asks for one
roll after the other: it plays the decision on a copy with what is known already, and looks which roll comes next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rc_env import Engine, Ruleset, checks
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, CARDS_DRAWN, FORCED, SPECIALISTS, SPECIALISTS_FORCED
from rc_env.rules.printed.specialist_vocabulary import words
from rc_env.rules.printed.vocabulary import rubles
from rc_env.rules.solo.events import EVENT
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import die_names, ivan_turn, names, rolls_to_list

_SHUFFLE = EVENT.index("shuffle")


class Fell(NamedTuple):
    """What fell after one decision, each kind in the order in which it happened; Ivan's after the player's.

    Attributes:
        dice: the values of the dice, those of one roll in the order of the dice.
        cards: numbers of the cathedral cards that the master builders drew.
        specialists: numbers, from 0, of the specialists that were drawn from the bag.
        tiles: numbers of the dice on Ivan's tiles from left to right, if he has laid them anew.
    """

    dice: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    specialists: tuple[int, ...] = ()
    tiles: tuple[int, ...] = ()

    def words(self, ruleset: Ruleset) -> dict[str, list[Any]]:
        """The same in the words of the record, as `fell_of` takes them."""
        cards = names(ruleset).cards
        return {
            "dice": list(self.dice),
            "cards": [cards[card] for card in self.cards],
            "specialists": [tile + 1 for tile in self.specialists],
            "tiles": [ALL_DIE_NAMES[die] for die in self.tiles],
        }


class Question(NamedTuple):
    """What a person is asked to enter next.

    Attributes:
        kind: a field of `Fell`.
        entries: how many.
        choices: what each of them may be, in the words of the record; of dice the dice of the roll, one for each entry.
        of_ivan: whether it is part of a turn of Ivan's.
    """

    kind: str
    entries: int
    choices: list[Any]
    of_ivan: bool


def choice_words(ruleset: Ruleset, question: Question) -> list[str]:
    """The choices of a question in words for people."""
    if question.kind == "cards":
        return [_card_words(ruleset, card) for card in question.choices]
    if question.kind == "specialists":
        assert ruleset.expansion_file is not None
        tiles = ruleset.expansion_file.tables["specialists"]["tiles"]
        return [f"{tiles[number - 1]['tool']}: {words(tiles[number - 1])}" for number in question.choices]
    return [str(choice) for choice in question.choices]


def _card_words(ruleset: Ruleset, name: str) -> str:
    kind, number = name.split("/")
    card = ruleset.tables["cards"][kind][int(number) - 1]
    cost = ", ".join(f"{count} {material.replace('_', ' ')}" for material, count in card["cost"].items())
    return f"{kind}: {cost}, for {card['recognition']} recognition and {rubles(card['rubles'])}"


def fell_of(ruleset: Ruleset, said: Mapping[str, Any]) -> Fell:
    """What fell, from what `Fell.words` gives; what is left out is empty.

    Raises:
        ValueError: an entry is none that can fall in this variant.
    """
    checks.instance("fell", said, Mapping, "an object by kind")  # type: ignore[type-abstract]
    known, dice = names(ruleset).cards, die_names(ruleset)
    for kind in said:
        checks.one_of("fell", kind, Fell._fields)
    given = {kind: _listed(kind, said.get(kind, [])) for kind in Fell._fields}
    return Fell(
        tuple(checks.whole_number("fell.dice", value, 1, 6) for value in given["dice"]),
        tuple(known.index(checks.one_of("fell.cards", card, known)) for card in given["cards"]),
        tuple(checks.whole_number("fell.specialists", one, 1, SPECIALISTS) - 1 for one in given["specialists"]),
        tuple(dice.index(checks.one_of("fell.tiles", die, dice)) for die in given["tiles"]),
    )


def _listed(kind: str, found: Any) -> list[Any]:
    most = {"dice": FORCED, "cards": CARDS_DRAWN, "specialists": SPECIALISTS_FORCED, "tiles": len(ALL_DIE_NAMES)}[kind]
    if not isinstance(found, list) or len(found) > most:
        checks.refuse(f"fell.{kind}", found, f"a list of at most {most} entries")
    return found


class Asking:
    """Plays decisions with what fell at a table.

    Args:
        ruleset: the variant.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._trial = Engine(ruleset, 1)

    def ask(self, game: np.ndarray, action: int, fell: Fell) -> Question | None:
        """What has to be entered next for a legal action, after `fell`; None if that is all.

        Args:
            game: (1,) GAME, the position before the action, as `Engine.clone` gives it.
            action: its number in the catalogue.
            fell: what was entered so far.

        Raises:
            ValueError: the action is not legal, or what was entered cannot have fallen.
        """
        trial = self._trial
        trial.restore(game)
        trial.step([action], **forced(self._ruleset, fell))
        if trial.illegal[0]:
            raise ValueError(f"{trial.action_to_text(action)!r} is not legal here")
        after = trial.games.view(np.ndarray)[0]
        player, ivan = fallen(self._ruleset, game[0], after)
        happened = self._question(after, player, ivan, fell)
        if happened is None and joined(player, ivan) != fell:
            raise ValueError(f"what was entered cannot have fallen here: {_difference(joined(player, ivan), fell)}")
        return happened

    def _question(self, after: np.void, player: Fallen, ivan: Fallen, fell: Fell) -> Question | None:
        """The first entry that is missing: the player's dice, cards and specialist, then Ivan's tiles, dice, drawn."""
        rolled, drawn, dice = 0, 0, die_names(self._ruleset)
        for part, of_ivan in ((player, False), (ivan, True)):
            if of_ivan and len(part.tiles) > len(fell.tiles):
                return Question("tiles", len(part.tiles), list(dice[: self._ruleset.ivan_cards]), True)
            for roll in part.rolls:
                if rolled + len(roll) > len(fell.dice):
                    if rolled < len(fell.dice):
                        raise ValueError(f"the roll is one of {len(roll)} dice ({', '.join(roll)}): enter all of them")
                    return Question("dice", len(roll), list(roll), of_ivan)
                rolled += len(roll)
            if not of_ivan and len(part.cards) > len(fell.cards):
                return Question("cards", len(part.cards), self._cards(after, part.cards), False)
            for tile in part.specialists:
                drawn += 1
                if drawn > len(fell.specialists):
                    return Question("specialists", 1, self._specialists(after, tile), of_ivan)
        return None

    def _cards(self, after: np.void, drawn: Sequence[int]) -> list[str]:
        known, deck = names(self._ruleset).cards, int(after["builder_deck"])
        return [known[card] for card in range(len(known)) if deck >> card & 1 or card in drawn]

    def _specialists(self, after: np.void, drawn: int) -> list[int]:
        bag = int(after["bag"])
        return [tile + 1 for tile in range(SPECIALISTS) if bag >> tile & 1 or tile == drawn]


class Fallen(NamedTuple):
    """What fell in one seat's part of a step: rolls as the record has them, and numbers as `Fell` has them."""

    rolls: list[dict[str, int]]
    cards: tuple[int, ...]
    specialists: tuple[int, ...]
    tiles: tuple[int, ...]


def fallen(ruleset: Ruleset, before: np.void, after: np.void) -> tuple[Fallen, Fallen]:
    """What fell in a step from one position to the next: the player's part and Ivan's.

    Args:
        ruleset: the variant.
        before, after: GAME records, one decision apart.
    """
    cards = names(ruleset).cards
    player = _fallen(rolls_to_list(after), expansion.draws_to_list(ruleset, after, cards), cards, ())
    ivan = Fallen([], (), (), ())
    if not ruleset.solo:
        return player, ivan
    points = ruleset.build.points
    goes_on = before["stack"][max(int(before["depth"]) - 1, 0), points.POINT] == points.Point.IVAN
    waits = after["stack"][max(int(after["depth"]) - 1, 0), points.POINT] == points.Point.IVAN
    if not goes_on and not waits and after["ivan_turns"] == before["ivan_turns"]:
        return player, ivan
    turn = ivan_turn(after)
    new = turn["rolls"] if not goes_on or not before["ivan_rolled_count"] else []
    events = after["ivan_event"][: after["ivan_events"], 0].tolist()[int(before["ivan_events"]) if goes_on else 0 :]
    tiles = tuple(int(die) for die in after["ivan_tile"] if die >= 0) if _SHUFFLE in events else ()
    known = ivan_turn(before).get("draws", []) if goes_on else []
    return player, _fallen(new, turn.get("draws", [])[len(known) :], cards, tiles)


def _fallen(
    rolls: list[dict[str, int]], draws: Sequence[Mapping[str, Any]], cards: Sequence[str], tiles: tuple[int, ...]
) -> Fallen:
    drawn = tuple(cards.index(card) for draw in draws for card in draw.get("cards", ()))
    taken = tuple(draw["specialist"] - 1 for draw in draws if draw.get("specialist") is not None)
    return Fallen(rolls, drawn, taken, tiles)


def joined(player: Fallen, ivan: Fallen) -> Fell:
    """All that fell in a step."""
    dice = tuple(roll[die] for roll in (*player.rolls, *ivan.rolls) for die in ALL_DIE_NAMES if die in roll)
    return Fell(dice, player.cards, (*player.specialists, *ivan.specialists), ivan.tiles)


def forced(ruleset: Ruleset, fell: Fell) -> dict[str, Any]:
    """What fell, as the arguments of `Engine.step` for one row."""
    found: dict[str, Any] = {}
    if fell.dice:
        found["dice"] = np.array([fell.dice], np.int8)
    if fell.tiles:
        found["ivan_tiles"] = [list(fell.tiles)]
    if fell.cards:
        found["cards"] = [[*fell.cards, -1, -1][:CARDS_DRAWN]]
    if fell.specialists:
        found["specialists"] = np.array([fell.specialists], np.int8)
    return found


def _difference(happened: Fell, fell: Fell) -> str:
    """The first kind of which something else was entered than can have fallen."""
    kind = next(kind for kind in Fell._fields if getattr(happened, kind) != getattr(fell, kind))
    return f"{kind} {list(getattr(fell, kind))}, but there must be {list(getattr(happened, kind)) or 'none'}"
