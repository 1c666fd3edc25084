"""Bots that follow a plan: weights in a file, the scorer, nothing played out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks, files
from rc_env.agents.build import AgentsBuild, build_of
from rc_env.agents.values import DEFAULT_WEIGHTS
from rc_env.bot import CannotPlay, Position
from rc_env.jit import records
from rc_env.ruleset import Ruleset

PLANS = Path(__file__).with_name("plans")
TABLES = tuple(f"{kind}{players}" for kind in ("players", "contractors") for players in (1, 2, 3, 4))


class PlanBot:
    """Plays the legal action with the most points; of equal ones that with the lowest number. It uses no randomness.

    Args:
        plan: name of a plan, or of a file, or the weights themselves, by name (see `scorer.WEIGHTS`).
        name: the bot's name in tables; by default the plan's name.

    Raises:
        ValueError: no plan has the name, or its file is no TOML, or a weight does not fit; when it is asked to play, a
            weight of the file does not fit, or it has none for such a game.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.plan import PlanBot
        >>> from rc_env.bot import CannotPlay, Position
        >>> engine = Engine(seed=1)
        >>> engine.action_to_text(PlanBot("rush").act(Position.of(engine))[0])
        'claim 1 from inventory'
    """

    def __init__(self, plan: str | Mapping[str, Any] = "greedy", name: str = "") -> None:
        checks.instance("name", name, str, "a word, or none for that of the plan")
        if isinstance(plan, Mapping):
            checked("plan", plan)
        else:
            _tables(file_of(plan))
        self.name = name or (plan if isinstance(plan, str) else "plan")
        self._plan = plan

    def reset(self, seed: int) -> None:
        """Do nothing, since the bot has no state."""

    def weights(self, ruleset: Ruleset) -> NDArray[Any]:
        """(1,) WEIGHTS of the build that the game is played with, for such a game."""
        if isinstance(self._plan, str):
            return named(self._plan, ruleset)
        return checked("plan", self._plan, weights_of(ruleset))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        actions = np.empty(len(Position.checked(position)), np.int64)
        scorer = build_of(position.ruleset).scorer
        scorer.choose(
            position.ruleset._compiled,
            records(position.writeable_games()),
            records(self.weights(position.ruleset)),
            checks.plain(position.mask),
            records(np.zeros(1, position.ruleset.build.verbs.MENU)),
            records(np.zeros(1, scorer.SCRATCH)),
            actions,
        )
        return actions


def weights_of(ruleset: Ruleset) -> np.dtype[Any]:
    """WEIGHTS of the build that a game is played with: in the full game there are more of them."""
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    return build_of(ruleset).scorer.WEIGHTS


def named(name: str, ruleset: Ruleset) -> NDArray[Any]:
    """(1,) WEIGHTS of a plan: one of the folder `plans`, or a file of your own, with one table per number of players.

    Games with the module Contractors have tables of their own where the plan holds them, and so has the solo game.
    Without one, a plan plays against Ivan as against one other player.

    Raises:
        ValueError: no plan and no file has the name, or the file does not hold weights for so many players.
    """
    return _weights(file_of(name), tables_of(ruleset), weights_of(ruleset))


def file_of(name: str) -> Path:
    """The file of a plan: in the folder `plans`, or of your own.

    Raises:
        ValueError: no plan and no file has the name.
    """
    known = _known()
    checks.instance("plan", name, str, f"the name of {known}")
    path = PLANS / f"{name}.toml" if name in packaged_plans() else Path(checks.path("plan", name, known))
    try:
        there = path.is_file()
    except OSError:  # longer than a path may be
        there = False
    if not there:
        checks.refuse("plan", name, known)
    return path


@cache
def packaged_plans() -> tuple[str, ...]:
    """The names of the plans that come with the package."""
    return tuple(sorted(one.stem for one in PLANS.glob("*.toml")))


def _known() -> str:
    """The possible values of a plan, for error messages."""
    return "a file or one of " + ", ".join(packaged_plans())


def tables_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The tables of a plan that serve for such a game; `rc tune` writes the first one."""
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    numbers = dict.fromkeys((ruleset.players, ruleset.seats))
    kinds = ("contractors", "players") if ruleset.contractors else ("players",)
    return tuple(f"{kind}{number}" for kind in kinds for number in numbers)


@cache
def _tables(path: Path) -> dict[str, Any]:
    try:
        found = files.toml(files.read(path, files.MOST_TABLES))
    except OSError as error:
        raise ValueError(f"plan: {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"plan: {path} is not TOML: {error}") from None
    for name, table in found.items():
        if not isinstance(table, Mapping):
            raise ValueError(f"plan: in {path} {checks.shown(name)} stands under no heading such as [players2]")
        if name not in TABLES:
            raise ValueError(checks.unknown(f"table of the plan {path}", name, TABLES))
    return found


@cache
def _weights(path: Path, expected: tuple[str, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    tables = _tables(path)
    for table in expected:
        if table in tables:
            try:
                return checked(f"[{table}]", tables[table], dtype)
            except ValueError as error:
                raise CannotPlay(f"plan: {path}: {error}") from None
    there = ", ".join(f"[{table}]" for table in tables) or "none"
    wanted = " or ".join(f"[{table}]" for table in expected)
    hires = all(table.startswith("contractors") for table in tables) and not any(
        "contractors" in one for one in expected
    )
    only = ". They are for games with contractors: --contractors" if tables and hires else ""
    raise CannotPlay(f"plan: it has no weights for this game, a table {wanted}; the tables of {path} are {there}{only}")


def checked(name: str, table: Mapping[str, Any], dtype: np.dtype[Any] = AgentsBuild.scorer.WEIGHTS) -> NDArray[Any]:
    """(1,) WEIGHTS from numbers by name; those left out are 0, or in the full game as in `values.DEFAULT_WEIGHTS`.

    Args:
        name: how a sentence about a mistake calls the plan.
        table: numbers by the names of WEIGHTS; those that only the full game has are checked, and left out otherwise.
        dtype: WEIGHTS of the build that the game is played with; by default of the base game's.

    Raises:
        ValueError: a name that is not in WEIGHTS, not so many numbers as it takes, or one that is not finite.
    """
    checks.instance("name", name, str, "how a sentence calls the plan")
    checks.instance(name, table, Mapping, "weights by name")  # type: ignore[type-abstract]
    weights = np.zeros(1, dtype)
    own = dtype.names or ()
    for key, value in DEFAULT_WEIGHTS.items():
        if key in own:
            weights[key] = value
    for key, value in table.items():
        if key not in own and key not in DEFAULT_WEIGHTS:
            raise ValueError(checks.unknown(f"weight of {name}", key, [*dict.fromkeys([*own, *DEFAULT_WEIGHTS])]))
        shape = dtype[key].shape if key in own else ()
        numbers = checks.array(f"{name}, {key}", value, f"numbers of shape {shape}")
        if numbers.dtype.kind not in "iuf" or numbers.shape != shape or not np.isfinite(numbers).all():
            shown = checks.shown(value)
            raise ValueError(f"{name}: {key} must be finite numbers of shape {shape}, not {shown}")
        if key in own:
            weights[key] = numbers
    return weights


def as_text(plan: Mapping[str, Any]) -> str:
    """Weights as lines of TOML; those that are 0 without being named are left out.

    Raises:
        ValueError: these are no weights, see `checked`.
    """
    checked("plan", plan)
    return "".join(f"{name} = {value}\n" for name, value in plan.items() if name in DEFAULT_WEIGHTS or np.any(value))
