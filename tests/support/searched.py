"""Positions that searches are asked about, and how two of their results are compared."""

from __future__ import annotations

from functools import cache

import numpy as np

from rc_env import Engine, Ruleset, agents
from rc_env.agents.thoughts import Thoughts
from rc_env.bot import Position


@cache
def engine_at(decisions: int, games: int = 12, players: int = 2, **chosen: object) -> Engine:
    """Return games that `greedy` has played for so many decisions."""
    engine = Engine(Ruleset(players, **chosen), games, 5)  # type: ignore[arg-type]
    greedy = agents.make("greedy")
    for _ in range(decisions):
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    return engine


def position_at(decisions: int, **chosen: object) -> Position:
    """Return the position of these games."""
    return Position.of(engine_at(decisions, **chosen))  # type: ignore[arg-type]


def equal(one: Thoughts, other: Thoughts, rows: object = slice(None), apart: float = 0) -> None:
    """Check that the second search's thoughts are those of these rows of the first; numbers may lie this far apart."""
    for name in ("seat", "actions", "visit_counts", "variation", "variation_seats"):
        np.testing.assert_array_equal(getattr(one, name)[rows], getattr(other, name), err_msg=name)
    for name in ("prior", "policy", "qvalues", "errors", "value"):
        found, expected = getattr(one, name)[rows], getattr(other, name)
        np.testing.assert_allclose(found, expected, rtol=0, atol=apart, err_msg=name)
