"""Attacks with games that no engine made: of other rulesets, with altered fields and bytes, and written arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from attacks import Attack, Call
from objects import BASE, FULL, SOLO, B, engine_of, games_of

from rc_env import Engine, Ruleset, render
from rc_env.record.recorder import state_to_dict
from rc_env.words import facts

RULESETS = {
    "two players": BASE,
    "one player": SOLO,
    "three players": Ruleset(3),
    "four players": Ruleset(4),
    "the advanced workshop": Ruleset(2, "advanced"),
    "the full game": FULL,
    "four players of the full game": Ruleset(4, fourth_guild="random", special_tiles=True),
    "a fourth guild": Ruleset(2, fourth_guild="jewelers"),
}
REASON = "it holds: the games are played to their end"
BYTES = 150
"""States with random bytes, for each ruleset."""


def _restore(into: Ruleset, games: np.ndarray) -> Call:
    made = engine_of(into)
    return Call(made.restore, {"states": games}, [made])


def _altered(rules: Ruleset, name: str, how: str) -> np.ndarray:
    """Return three games with one field changed throughout."""
    games = games_of(rules)
    kind = games.dtype[name].base
    limits = np.iinfo(kind)
    values = {"largest": limits.max, "smallest": limits.min, "one more": None, "minus one": -1, "a hundred": 100}
    if how == "one more":
        games[name] = games[name] + 1
    else:
        games[name] = np.int64(values[how]).astype(kind) if how == "minus one" else values[how]
    return games


def _scattered(rules: Ruleset, number: int) -> np.ndarray:
    """Return three games with some bytes changed at random."""
    rng = np.random.default_rng(number)
    games = games_of(rules)
    view = games.view(np.uint8).reshape(B, -1)
    for _ in range(int(rng.choice((1, 1, 2, 10, 200)))):
        view[rng.integers(B), rng.integers(view.shape[1])] = rng.integers(256)
    return games


def _set(made: Any, name: str, value: Any) -> None:
    """Write to an array that an engine or a ruleset exposes."""
    part = made
    *path, last = name.split(".")
    for step in path:
        part = getattr(part, step)
    if isinstance(part, np.ndarray):
        part[last][...] = value
    else:
        setattr(part, last, value)


def _written(rules: Ruleset, name: str, value: Any) -> Call:
    """Write to an attribute of an engine, then use the engine."""
    made = engine_of(copy.deepcopy(rules))

    def use() -> None:
        _set(made, name, value)
        made.returns()
        made.results()
        made.observe()
        made.step(made.legal_mask().argmax(1))
        made.play_random(3)

    return Call(use, {}, [made], wording=("read-only", "attribute", "setter", "field"))


WRITES: tuple[tuple[str, Any], ...] = (
    *(
        (f"games.{name}", value)
        for name in ("depth", "seat", "status", "stack", "owner", "die_space", "height")
        for value in (100, -1)
    ),
    ("games", None),
    ("games", np.zeros(1)),
    ("rewards", None),
    ("rewards", np.zeros((1, 1))),
    ("illegal", np.zeros(1)),
    ("num_games", 10**6),
    ("num_players", 9),
    ("num_seats", 9),
    ("num_actions", 10**6),
    ("num_features", 10**6),
    ("num_features", 1),
    ("ruleset", Ruleset(4)),
    ("recorder", object()),
    ("ruleset.rules.players", 9),
    ("ruleset.rules.towers", 99),
    ("ruleset.players", 4),
)


def _pictured(function: str, games: np.ndarray, rules: Ruleset = BASE) -> Call:
    calls = {
        "rc_env.render.board_text": lambda game: render.board_text(rules, game),
        "rc_env.render.board_svg": lambda game: render.board_svg(rules, game),
        "rc_env.words.facts.game_facts": lambda game: facts.game_facts(rules, game, 0),
        "rc_env.record.recorder.state_to_dict": lambda game: state_to_dict(rules, game),
    }
    return Call(lambda: [calls[function](game) for game in games], {}, wording=("game",))


def _pickled(change: str) -> Call:
    """Return an engine from an altered pickle."""
    made = engine_of()
    state: Any = made.__getstate__()
    changes: dict[str, Any] = {
        "games cut": {"games": state.games[:-1]},
        "no games": {"games": b""},
        "more games": {"games": 2 * state.games},
        "random games": {"games": np.random.default_rng(0).bytes(len(state.games))},
        "another ruleset": {"ruleset": Ruleset(4)},
        "other rewards": {"rewards": state.rewards.astype(np.float64)},
        "a row that is not there": {"ended": np.array([10**6])},
        "results of something else": {"final": state.rewards},
    }
    state = None if change == "state" else replace(state, **changes.get(change, {change: None}))
    other = Engine.__new__(Engine)

    def restored() -> None:
        other.__setstate__(state)
        other.step(other.legal_mask().argmax(1))

    return Call(restored, {}, wording=("state",))


def attacks() -> Iterator[Attack]:
    """Return all attacks with games from outside."""
    for target, into in RULESETS.items():
        for source, rules in RULESETS.items():
            if rules is not into:
                yield Attack(
                    "rc_env.engine.Engine.restore",
                    "foreign state",
                    f"games of {source} into {target}",
                    lambda into=into, rules=rules: _restore(into, games_of(rules)),
                    lambda call: REASON,
                )
    for words, rules in (("base", BASE), ("solo", SOLO), ("full", FULL)):
        for name in games_of(rules).dtype.names or ():
            for how in ("largest", "smallest", "one more", "minus one", "a hundred"):
                if words == "base" or how in ("largest", "one more"):
                    yield Attack(
                        "rc_env.engine.Engine.restore",
                        "altered state",
                        f"{name} is {how} ({words})",
                        lambda rules=rules, name=name, how=how: _restore(rules, _altered(rules, name, how)),
                        lambda call: REASON,
                    )
        for number in range(BYTES):
            yield Attack(
                "rc_env.engine.Engine.restore",
                "altered state",
                f"random bytes {number} ({words})",
                lambda rules=rules, number=number: _restore(rules, _scattered(rules, number)),
                lambda call: REASON,
            )
    for function in (
        "rc_env.render.board_text",
        "rc_env.render.board_svg",
        "rc_env.words.facts.game_facts",
        "rc_env.record.recorder.state_to_dict",
    ):
        for source, rules in RULESETS.items():
            yield Attack(
                function,
                "foreign state",
                f"a game of {source}",
                lambda function=function, rules=rules: _pictured(function, games_of(rules)),
                lambda call: "the picture shows the altered game",
            )
        for words, rules in (("", BASE), (" (full)", FULL)):
            for name in games_of(rules).dtype.names or ():
                yield Attack(
                    function,
                    "altered state",
                    f"{name} is a hundred{words}",
                    lambda function=function, name=name, rules=rules: _pictured(
                        function, _altered(rules, name, "a hundred"), rules
                    ),
                    lambda call: "the picture shows the altered game",
                )
            for number in range(BYTES // 5):
                yield Attack(
                    function,
                    "altered state",
                    f"random bytes {number}{words or ' (base)'}",
                    lambda function=function, number=number, rules=rules: _pictured(
                        function, _scattered(rules, number), rules
                    ),
                    lambda call: "the picture shows the altered game",
                )
    for name, value in WRITES:
        yield Attack(
            "rc_env.engine.Engine",
            "altered attribute",
            f"{name} = {value!r}"[:60],
            lambda name=name, value=value: _written(BASE, name, value),
            lambda call: "the written value is not used, or does no harm",
        )
    for change in (
        *("games cut", "no games", "more games", "random games", "another ruleset", "other rewards"),
        *("a row that is not there", "results of something else"),
        *("state", "ruleset", "threads", "games", "rewards", "illegal", "clones"),
    ):
        yield Attack(
            "rc_env.engine.Engine",
            "altered copy",
            f"a pickle with {change} changed",
            lambda change=change: _pickled(change),
        )
