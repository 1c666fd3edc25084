"""What may be done in a game: the legal actions with their meaning, and what each of them certainly leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from rc_env import Engine
from rc_env.apps.table import phrases
from rc_env.apps.table.explain import explain
from rc_env.apps.table.game import Game
from rc_env.render import Board
from rc_env.render.view import View, view
from rc_env.rules.printed.sizes import FORCED
from rc_env.words.expansion_notation import draws_to_list
from rc_env.words.notation import names, rolls_to_list

OUTCOMES = 512
"""How many outcomes of chance an `Outlook` plays: six in which all dice show the same, the others at random."""
_VIEWED = 18
"""How many of them it looks at in any case, beside those that show what else may happen."""
_UNSEEN = ("key", "bag", "builder_deck", "contract_deck")
"""The fields of a game that chance orders anew and that nobody sees."""
_IVAN = ("ivan_turns", "ivan_events", "ivan_event", "ivan_rolled_count", "ivan_rolled")
"""The fields of a game that a turn of Ivan's changes, even one that waits for the player's choice."""
_COUNTED = {"claimed": "sections begun", "finished": "sections finished"}


class LegalAction(NamedTuple):
    """A legal action.

    Attributes:
        number: in the catalogue.
        words: as the record has them, which can be typed.
        meaning: what it means on this board; "" if the words suffice.
        phrase: the same in the words of the board, as one would ask for it.
        note: what the meaning says beyond the phrase.
        group: of `phrases.GROUPS`.
    """

    number: int
    words: str
    meaning: str
    phrase: str
    note: str
    group: str


def legal_actions(game: Game, shown: View | None = None) -> list[LegalAction]:
    """The legal actions of whoever is to decide, in the order of the catalogue.

    Args:
        game: the game.
        shown: a view of its position, if there is one already.
    """
    shown = game.view if shown is None else shown
    numbers = np.flatnonzero(game.engine.legal_mask()[0]).tolist()
    texts = [game.engine.action_to_text(number) for number in numbers]
    actions = []
    for number, words in zip(numbers, texts, strict=True):
        meaning = _given_up(shown, texts) if words == "done" else explain(shown, game.seat, words)
        phrase = phrases.phrase(shown, words)
        note, group = phrases.note(phrase, meaning), phrases.group(shown, words)
        if words.endswith(" from inventory"):
            note += "; the banner leaves its place to a material"
        actions.append(LegalAction(number, words, meaning, phrase, note, group))
    return actions


def _given_up(shown: View, texts: Sequence[str]) -> str:
    """What `done` means: what is given up, and what follows."""
    left = phrases.gives_up(shown, texts)
    rolls = shown["moved"] and shown["point"] == "market"
    follows = ["the dice there are rolled"] * bool(rolls) + [f"you give up {left}"] * bool(left)
    return "; ".join(follows)


class Prospect(NamedTuple):
    """What an action leads to.

    Attributes:
        views: of the position after it: one where no chance plays a part, else one per outcome. What all of them show
            alike is certain.
        chance: the chance that plays a part, in words, such as "then dice are rolled"; "" for none.
        changes: the numbers of the seat that certainly change, such as `rubles 5 → 3`.
    """

    views: list[View]
    chance: str
    changes: list[str]


class Outlook:
    """Plays actions on copies of a game, with fresh chance and without what is hidden from the seat that decides.

    Args:
        game: the game; nothing is played in it.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._engine = Engine(game.ruleset, OUTCOMES)
        self._dice = np.zeros((OUTCOMES, FORCED), np.int8)  # 0: drawn
        self._dice[:6] = np.arange(1, 7)[:, None]

    def of(self, action: int, before: View, seer: int | None) -> Prospect:
        """What a legal action leads to from the position `before`, as a seat sees it; with None all is shown."""
        game, engine = self._game, self._engine
        seat = game.seat
        engine.restore(game.engine.clone(np.zeros(OUTCOMES, np.int64), seat=np.full(OUTCOMES, seat)))
        engine.step(np.full(OUTCOMES, action), dice=self._dice)
        chance = self._chance(engine)
        rows = _telling(engine.games) if chance else [0]
        views = [view(game.ruleset, Board(engine, row, seat=seer).game) for row in rows]
        certain = [
            change
            for change in changes(before["seats"][seat], views[0]["seats"][seat])
            if all(change in changes(before["seats"][seat], other["seats"][seat]) for other in views[1:])
        ]
        return Prospect(views, chance, certain)

    def _chance(self, engine: Engine) -> str:
        """The chance that has played a part in the last step, in words."""
        ruleset, before = self._game.ruleset, self._game.engine.games[0]
        cards = names(ruleset).cards
        ivan = any(any(game[name].tolist() != before[name].tolist() for name in _IVAN) for game in engine.games)
        rolled = any(rolls_to_list(game) or (ivan and game.ivan_rolled_count) for game in engine.games)
        drawn = any(draws_to_list(ruleset, game, cards) for game in engine.games)
        parts = ["Ivan plays"] * ivan + ["dice are rolled"] * rolled + ["something is drawn"] * drawn
        return f"then {' and '.join(parts)}" if parts else ""


def _telling(games: np.ndarray) -> list[int]:
    """Rows in which each number of a game takes every value that it takes in any row: what is alike in them is alike
    in all."""
    rows = list(range(_VIEWED))
    for name in set(games.dtype.names or ()) - set(_UNSEEN):
        numbers = games[name].reshape(len(games), -1)
        for column in numbers[:, (numbers != numbers[:1]).any(0)].T:
            values, first = np.unique(column, return_index=True)
            rows += first[~np.isin(values, column[rows])].tolist()
    return rows


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """The numbers that change for a seat between two views of it, such as `rubles 5 → 3`."""
    numbers = [("score", before["score"], after["score"]), ("rubles", before["rubles"], after["rubles"])]
    for name in ("track", "claimed", "finished"):
        numbers.append((_COUNTED.get(name, name), before[name], after[name]))
    materials = dict.fromkeys([*before["materials"], *after["materials"]])
    numbers += [(name, before["materials"].get(name, 0), after["materials"].get(name, 0)) for name in materials]
    return [f"{name.replace('_', ' ')} {old} → {new}" for name, old, new in numbers if old != new]
