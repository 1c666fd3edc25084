"""Bots that follow a plan: weights in a file, the scorer, nothing played out."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents.values import USUAL, WEIGHTS
from rc_env.bot import Position
from rc_env.jit import records
from rc_env.ruleset import Ruleset

PLANS = Path(__file__).with_name("plans")


class PlanBot:
    """Plays the legal action with most points; of equal ones that with the lowest number. It draws nothing.

    Args:
        plan: name of a plan, or of a file, or the weights themselves, by name (see `scorer.WEIGHTS`).
        name: how tables call the bot; by default the plan's name.

    Raises:
        ValueError: no plan has the name, or a weight does not fit.
    """

    def __init__(self, plan: str | Mapping[str, Any] = "greedy", name: str = "") -> None:
        self.name = name or (plan if isinstance(plan, str) else "plan")
        self._plan = plan

    def reset(self, seed: int) -> None:
        """Nothing to start over."""

    def weights(self, ruleset: Ruleset) -> NDArray[Any]:
        """(1,) WEIGHTS of the build that the game is played with, for such a game."""
        if isinstance(self._plan, str):
            return named(self._plan, ruleset)
        return checked("plan", self._plan, weights_of(ruleset))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        actions = np.empty(len(position), np.int64)
        scorer = position.ruleset.module("agents.scorer")
        scorer.choose(
            records(position.ruleset.rules),
            records(position.games()),
            records(self.weights(position.ruleset)),
            position.mask,
            records(np.zeros(1, position.ruleset.module("rules.verbs").MENU)),
            records(np.zeros(1, scorer.SCRATCH)),
            actions,
        )
        return actions


def weights_of(ruleset: Ruleset) -> np.dtype[Any]:
    """WEIGHTS of the build that a game is played with: in the full game there are more of them."""
    dtype: np.dtype[Any] = ruleset.module("agents.values").WEIGHTS
    return dtype


def named(name: str, ruleset: Ruleset) -> NDArray[Any]:
    """(1,) WEIGHTS of a plan: one of the folder `plans`, or a file of one's own, with a table a number of players.

    Games with the module Contractors have tables of their own where the plan holds them. Against Ivan a plan plays as
    against one other player.

    Raises:
        ValueError: no plan and no file has the name, or the file does not hold weights for so many players.
    """
    path = PLANS / f"{name}.toml" if name.isidentifier() else Path(name)
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in PLANS.glob("*.toml")))
        raise ValueError(f"plan: {name!r} found, expected a file or one of {known}")
    return _weights(name, path, tables_of(ruleset), weights_of(ruleset))


def tables_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The tables of a plan that serve for such a game; `rc tune` writes the first one."""
    plain = f"players{ruleset.seats}"
    return (f"contractors{ruleset.seats}", plain) if ruleset.contractors else (plain,)


@cache
def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"plan: {path} found, expected TOML: {error}") from None


@cache
def _weights(name: str, path: Path, expected: tuple[str, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    tables = _tables(path)
    for table in expected:
        if table in tables:
            return checked(name, tables[table], dtype)
    raise ValueError(f"plan: {path} has tables {', '.join(tables)}, expected [{expected[-1]}]")


def checked(name: str, table: Mapping[str, Any], dtype: np.dtype[Any] = WEIGHTS) -> NDArray[Any]:
    """(1,) WEIGHTS from numbers by name; those left out are 0, but those of the full game as `values.USUAL` says.

    Args:
        name: how a sentence about a mistake calls the plan.
        table: numbers by the names of WEIGHTS; those that only the full game has are checked, and left out otherwise.
        dtype: WEIGHTS of the build that the game is played with; by default of the base game's.

    Raises:
        ValueError: a name that is not in WEIGHTS, or not so many numbers as it takes.
    """
    weights = np.zeros(1, dtype)
    own = dtype.names or ()
    for key, value in USUAL.items():
        if key in own:
            weights[key] = value
    for key, value in table.items():
        if key not in own and key not in USUAL:
            raise ValueError(f"{name}: {key!r} found, expected one of {', '.join({**dict.fromkeys(own), **USUAL})}")
        numbers, shape = np.asarray(value), dtype[key].shape if key in own else ()
        if numbers.dtype.kind not in "iuf" or numbers.shape != shape:
            raise ValueError(f"{name}: {key} = {value!r} found, expected numbers of shape {shape}")
        if key in own:
            weights[key] = numbers
    return weights


def as_text(plan: Mapping[str, Any]) -> str:
    """Weights as lines of TOML; those that are 0 without being named are left out."""
    return "".join(f"{name} = {value}\n" for name, value in plan.items() if name in USUAL or np.any(value))
