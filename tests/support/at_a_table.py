"""A real table in tests: its setup as a person types it, and what falls there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rc_env import Engine, Ruleset
from rc_env.apps.table import own_box
from rc_env.apps.table.falling import Fell, Question, fell_of
from rc_env.words.notation import deal_to_dict


def setup_of(ruleset: Ruleset, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """A deal as somebody types it who has the packaged cards, and the deal in the words of the record."""
    deal = deal_to_dict(ruleset, Engine(ruleset, 1, seed).games[0])
    base, _ = own_box.packaged()

    def card(word: str) -> dict[str, Any]:
        kind, number = word.split("/")
        return {**base["cards"][kind][int(number) - 1]}

    def gain(word: str) -> str:
        return word if word.startswith("die:") else word.partition(":")[0]

    setup: dict[str, Any] = {
        "heights": [len(tower) for tower in deal["towers"]],
        "towers": [
            [{"card": card(one["card"]), "tile": gain(one["tile"])} for one in tower] for tower in deal["towers"]
        ],
        "market": [gain(tile) for tile in deal["market"]],
        "guilds": deal["guilds"],
        "dice": deal["dice"],
    }
    if ruleset.contractors:
        setup["cities"] = deal["cities"]
        setup["specialists"] = [{"number": number} for number in deal["specialists"]]
    if ruleset.solo:
        setup["ivan"] = deal["ivan"]
    return setup, deal


def answers(question: Question, rng: np.random.Generator) -> list[Any]:
    """What falls at a table: an answer to a question."""
    if question.kind == "dice":
        return [int(value) for value in rng.integers(1, 7, question.entries)]
    order = rng.permutation(len(question.choices))[: question.entries]
    return [question.choices[i] for i in order]


def all_that_fell(
    ruleset: Ruleset, ask: Callable[[Fell], Question | None], rng: np.random.Generator
) -> tuple[Fell, list[Question]]:
    """Everything that falls after a decision, and the questions for it."""
    fell, asked = Fell(), []
    while (question := ask(fell)) is not None:
        words = fell.words(ruleset)
        words[question.kind] = [*words[question.kind], *answers(question, rng)]
        fell = fell_of(ruleset, words)
        asked.append(question)
    return fell, asked
