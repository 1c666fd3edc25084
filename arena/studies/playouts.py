"""Values each legal action by playing games out with a plan, for variants without a trained network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import ALL_ROUNDER
from rc_env.agents.plan import PlanBot
from rc_env.agents.thoughts import Thoughts
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

_SHARPNESS = 10.0  # a Q-value that is 0.1 higher makes an action e times as likely in the policy


class PlayoutBot:
    """Tries every legal action in copies of the game, plays these to the end with a plan in every seat, and takes the
    best.

    All actions of a position are tried with the same dice, and what the seat to move cannot see is drawn anew.

    Args:
        playouts: games for each legal action, 1 to 10,000.
        plan: who plays them out, a name or file as for `rc_env.agents.plan.PlanBot`.
        seed: of the dice.

    Attributes:
        thoughts: the results of the last call of `act`; None before.

    Raises:
        ValueError: a setting is out of range, or there is no such plan.
    """

    name = "playouts"

    def __init__(self, playouts: int = 64, plan: str = ALL_ROUNDER, seed: int = 0) -> None:
        self._playouts = checks.whole_number("playouts", playouts, 1, 10_000)
        self._plan = PlanBot(plan)
        self._engine: Engine | None = None
        self.thoughts: Thoughts | None = None
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(checks.seed("seed", seed))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, the action of each game with the highest mean reward for the seat to move."""
        ruleset, (count, size) = Position.checked(position).ruleset, position.mask.shape
        games = position.games()
        q = np.full((count, size, ruleset.players), np.nan, np.float32)
        for row in range(count):
            legal = np.flatnonzero(position.mask[row])
            q[row, legal] = self._tried(ruleset, games[row : row + 1], legal)
        own = np.take_along_axis(q, position.seat.astype(np.int64)[:, None, None], 2)[..., 0]
        actions = np.nanargmax(own, 1)
        weight = np.where(np.isnan(own), 0, np.exp(_SHARPNESS * (np.nan_to_num(own) - np.nanmax(own, 1)[:, None])))
        self.thoughts = Thoughts(
            ruleset=ruleset,
            seat=position.seat.copy(),
            actions=actions,
            prior=(position.mask / position.mask.sum(1, keepdims=True)).astype(np.float32),
            policy=(weight / weight.sum(1, keepdims=True)).astype(np.float32),
            visit_counts=position.mask.astype(np.int32) * self._playouts,
            qvalues=q,
            errors=np.full(q.shape, np.nan, np.float32),
            value=q[np.arange(count), actions],
            variation=actions[:, None].astype(np.int16),
            variation_seats=position.seat[:, None].astype(np.int8),
            simulations=int(position.mask.sum()) * self._playouts,
            evaluations=0,
        )
        return actions

    def _tried(self, ruleset: Ruleset, game: np.ndarray, legal: NDArray[np.int64]) -> NDArray[np.float32]:
        """(L, P) mean reward of each seat after each of L legal actions of a game."""
        rows = len(legal) * self._playouts
        if self._engine is None or self._engine.ruleset is not ruleset or self._engine.num_games < rows:
            self._engine = Engine(ruleset, rows)
        engine, which = self._engine, np.arange(rows)
        copies = np.repeat(game, rows)
        keys = self._generator.integers(1 << 63, size=self._playouts, dtype=np.uint64)
        copies["key"] = np.tile(keys, len(legal))
        engine.restore(copies, which)
        engine.step(np.repeat(legal, self._playouts), which)
        while len(playing := which[engine.games.status[which] == PLAYING]):
            engine.step(self._plan.act(Position.of(engine, playing)), playing)
        return engine.returns()[which].reshape(len(legal), self._playouts, -1).mean(1)
