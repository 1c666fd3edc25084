"""Self-play for Stable-Baselines3: one engine of many games, in each of which one seat learns.

Shape letters as in `rc_env.engine`: B games, which are the environments of the `VecEnv`; P seats.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

import agents
from agents.base import Bot, Position
from rc_env.engine import Engine
from rc_env.ruleset import Ruleset

LATEST, PAST = "latest", "past"


class OpponentPool:
    """Who sits opposite the learner.

    Args:
        shares: how often each kind is drawn: "latest" is the last snapshot that was added, "past" any that is kept, and
            every other name one for `agents.from_text`. They need not sum to 1. At first the only snapshot is `random`.
        keep: how many snapshots are kept.

    Attributes:
        bots: every member that may still sit in a game, by number.
    """

    def __init__(self, shares: Mapping[str, float], keep: int = 8) -> None:
        if not shares or min(shares.values()) < 0 or sum(shares.values()) <= 0:
            raise ValueError(f"shares: {dict(shares)} found, expected numbers of at least 0, one of them above")
        if keep < 1:
            raise ValueError(f"keep: {keep!r} found, expected a whole number of at least 1")
        self._keep = keep
        self._kinds = tuple(shares)
        self._odds = np.array(list(shares.values()), np.float64) / sum(shares.values())
        self.bots: dict[int, Bot] = {}
        self._scripted = {kind: self._enter(agents.make(kind)) for kind in shares if kind not in (LATEST, PAST)}
        self._snapshots = [self._enter(agents.make("random"))]

    def _enter(self, bot: Bot) -> int:
        number = 1 + max(self.bots, default=-1)
        self.bots[number] = bot
        return number

    def add(self, snapshot: Bot, in_use: Iterable[int] = ()) -> None:
        """Keep a snapshot of the learner, the newest from now on; forget the oldest unless a game still needs it."""
        self._snapshots = [*self._snapshots, self._enter(snapshot)][-self._keep :]
        needed = {*self._snapshots, *self._scripted.values(), *in_use}
        self.bots = {number: bot for number, bot in self.bots.items() if number in needed}

    def draw(self, generator: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Numbers of members, drawn by their shares."""
        kinds = generator.choice(len(self._kinds), shape, p=self._odds)
        numbers = generator.choice(self._snapshots, shape)
        for place, kind in enumerate(self._kinds):
            if kind == LATEST:
                numbers[kinds == place] = self._snapshots[-1]
            elif kind != PAST:
                numbers[kinds == place] = self._scripted[kind]
        return numbers


class SelfPlayVecEnv(VecEnv):
    """B games, each a stream of decisions of one seat: the learner's.

    In each new game the learner takes the next seat, and the others are drawn from the pool; nobody changes before the
    game is over. `step` plays the learner's actions, then lets the opponents decide, in batches, until every game waits
    for its learner again. The reward is what that seat was paid in between, so a loser sees the loss, whoever ended the
    game. Games that end are dealt anew at once, with `terminal_observation` in their infos, as the learner saw it.

    A truncated game is scored and paid like any other (R-29) and the observation tells the turn, so nothing is left to
    bootstrap: `TimeLimit.truncated` is False, and `truncated` tells it.

    Args:
        ruleset: the variant.
        num_envs: B.
        pool: the opponents.
        seed: of deals and dice, opponents and their choices.
        threads: of the engine.
        scale: what rewards are multiplied by, for learners that want returns of a certain size.

    Attributes:
        learner: (B,) int64, the seat that learns.
        opponents: (B, P) int64, the member of the pool on each seat; -1 for the learner.
    """

    render_mode = None

    def __init__(
        self,
        ruleset: Ruleset,
        num_envs: int,
        pool: OpponentPool,
        *,
        seed: int = 0,
        threads: int = 1,
        scale: float = 1.0,
    ) -> None:
        self.engine = Engine(ruleset, num_envs, seed, threads=threads)
        self.pool = pool
        self._scale = np.float32(scale)
        self.learner = np.zeros(num_envs, np.int64)
        self.opponents = np.full((num_envs, ruleset.players), -1)
        self._games = self.engine.games.view(np.ndarray)
        self._all = np.arange(num_envs)
        super().__init__(
            num_envs,
            spaces.Box(0.0, 1.0, (self.engine.num_features,), np.float32),
            spaces.Discrete(self.engine.num_actions),
        )
        self.seed(seed)

    # --- the streams

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Start over from this seed at the next `reset`; without one the next `reset` goes on to other games."""
        self._seeds = [seed] * self.num_envs
        return self._seeds

    def reset(self) -> NDArray[np.float32]:
        """Deal every game. Returns (B, F) float32, what each learner sees."""
        seed = self._seeds[0]
        self._reset_seeds()
        if seed is not None:
            self._generator = np.random.default_rng(seed)
            for number, bot in self.pool.bots.items():
                bot.reset(int(np.random.SeedSequence([seed, number]).generate_state(1)[0]))
            self._dealt = np.zeros(self.num_envs, np.int64)
        self.engine.reset(seed=seed)
        self._total = np.zeros(self.num_envs, np.float32)
        self._length = np.zeros(self.num_envs, np.int64)
        self._start = time.monotonic()
        self._seat_players(self._all)
        self._play(self._waiting(self._all))
        return self.engine.observe()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take note of the learners' actions, (B,) whole numbers."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """Play them, and all that opponents decide before the learners' next decisions.

        Returns:
            Fresh arrays: (B, F) float32 observations, (B,) float32 rewards, (B,) bool, games that ended; and B infos.

        Raises:
            ValueError: an action is not legal; the games of the other rows have been played on.
        """
        self._length += 1
        rewards, dones, infos = self._play(self._all, self._actions)
        return self.engine.observe(), rewards, dones, infos

    def _play(
        self, rows: NDArray[np.int64], actions: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the learners' actions, if there are any, then the opponents' until every game waits for its learner."""
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        while len(rows):
            chosen = self._decide(rows) if actions is None else actions
            actions = None
            self.engine.step(chosen, rows)
            if self.engine.illegal[rows].any():
                self._refuse(rows, chosen)
            # A game that is dealt in this very step can be over before its learner decides; nobody learns from that.
            mine = rows[~dones[rows]]
            rewards[mine] += self._scale * self.engine.rewards[mine, self.learner[mine]]
            ended = self.engine.ended
            if len(ended):
                fresh = ended[~dones[ended]]
                self._tell(fresh, rewards, infos)
                dones[fresh] = True
                self.engine.reset(ended)
                self._seat_players(ended)
            rows = self._waiting(rows)
        self._total += rewards
        self._total[dones] = 0
        self._length[dones] = 0
        return rewards, dones, infos

    def _waiting(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the rows that wait for an opponent."""
        return rows[self._games["seat"][rows] != self.learner[rows]]

    def _seat_players(self, rows: NDArray[np.int64]) -> None:
        """Who plays the new games: each learner takes the next seat, the others come from the pool."""
        self.learner[rows] = (rows + self._dealt[rows]) % self.engine.num_players
        self._dealt[rows] += 1
        drawn = self.pool.draw(self._generator, (len(rows), self.engine.num_players))
        drawn[np.arange(len(rows)), self.learner[rows]] = -1
        self.opponents[rows] = drawn

    def _decide(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The opponents' actions, one batch for each member of the pool."""
        who = self.opponents[rows, self._games["seat"][rows]]
        actions = np.empty(len(rows), np.int64)
        for number in np.unique(who):
            at = np.flatnonzero(who == number)
            actions[at] = self.pool.bots[number].act(Position.of(self.engine, rows[at]))
        return actions

    def _tell(self, rows: NDArray[np.int64], rewards: NDArray[np.float32], infos: list[dict[str, Any]]) -> None:
        """What the infos say of games that are over."""
        if not len(rows):
            return
        seats = self.learner[rows]
        seen = self.engine.observe(rows, seat=seats)
        place = self.engine.results(rows).place[np.arange(len(rows)), seats]
        truncated = self.engine.truncated[rows]
        elapsed = round(time.monotonic() - self._start, 6)
        for i, row in enumerate(rows):
            infos[row] = {
                "terminal_observation": seen[i],
                "TimeLimit.truncated": False,
                "truncated": bool(truncated[i]),
                "seat": int(seats[i]),
                "place": int(place[i]),
                "opponents": tuple(self.pool.bots[n].name for n in self.opponents[row] if n >= 0),
                "episode": {"r": float(self._total[row] + rewards[row]), "l": int(self._length[row]), "t": elapsed},
            }

    def _refuse(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """An illegal action is an error of whoever chose it."""
        at = int(np.flatnonzero(self.engine.illegal[rows])[0])
        row, action = int(rows[at]), int(actions[at])
        number = self.opponents[row, self._games["seat"][row]]
        who = "the learner" if number < 0 else f"opponent {self.pool.bots[number].name!r}"
        raise ValueError(f"action: {action} of {who} found in environment {row}, expected one that the mask allows")

    # --- what else Stable-Baselines3 asks of a VecEnv

    def action_masks(self) -> NDArray[np.int8]:
        """(B, A) int8, 1 for each legal action of the learners."""
        return self.engine.legal_mask().copy()

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """One entry for each environment; "action_masks" is the only method there is."""
        if method_name != "action_masks":
            raise AttributeError(f"env_method: {method_name!r} found, expected 'action_masks'")
        return self.action_masks() if indices is None else self.action_masks()[list(self._get_indices(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Whether environments have it; they share the attributes of this object."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The same value for each environment."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set it for all environments at once."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """None is."""
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Nothing is held open."""
