"""Self-play for Stable-Baselines3: one engine of many games, in each of which one seat learns.

Shape letters as in `rc_env.engine`: B games, which are the environments of the `VecEnv`; P seats.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from rc_env import checks, seating
from rc_env.envs.spaces import observation_box
from rc_env.ruleset import Ruleset
from rc_env.training.games import SelfPlayGames
from rc_env.training.pool import LEARNER, SELF, OpponentPool


class SelfPlayVecEnv(VecEnv):
    """B games, each a stream of decisions of one seat: the learner's.

    In each new game the learner takes the next seat, and the others are drawn from the pool; they stay until the
    game is over. `step` plays the learner's actions, then lets the opponents decide, in batches, until it is the
    learner's turn in every game. The reward is that of the learner's seat in between, so a loser sees the loss,
    whoever ended the game. Games that end are dealt anew at once, with `terminal_observation` in their infos, as the
    learner saw it.

    A truncated game is scored and rewarded like any other (R-29) and the observation holds the turn, so there is
    nothing to bootstrap: `TimeLimit.truncated` is False, and `truncated` says whether it was.

    Args:
        ruleset: the variant.
        num_envs: B.
        pool: the opponents.
        seed: of deals and dice, opponents and their choices.
        threads: of the engine.
        scale: what rewards are multiplied by, for learners that want returns of a certain size.
        observation_dtype: "float32" in [0, 1], or "uint8", the unscaled numbers in a quarter of the memory. A policy of
            Stable-Baselines3 scales these with policy_kwargs={"features_extractor_class": Scaled}, where `Scaled` is
            in `rc_env.training.sb3_learner`.

    Raises:
        ValueError: an argument does not fit, or the pool has a share of "self".

    Attributes:
        learner: (B,) int64, the seat that learns.
        opponents: (B, P) int64, the member of the pool on each seat; -1 for the learner.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.training.pool import OpponentPool
        >>> from rc_env.training.sb3_vec_env import SelfPlayVecEnv
        >>> env = SelfPlayVecEnv(Ruleset(), 8, OpponentPool({"greedy": 1}, 1))
        >>> env.reset().shape
        (8, 1448)
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
        observation_dtype: str = "float32",
    ) -> None:
        num_envs = checks.whole_number("num_envs", num_envs, 1)
        if SELF in checks.instance("pool", pool, OpponentPool, "an OpponentPool").kinds:
            raise ValueError("pool must have no share of 'self': one seat learns in each environment")
        self.games = SelfPlayGames(ruleset, num_envs, pool, threads=threads, over=self._over)
        self.engine = self.games.engine
        self._scale = np.float32(checks.number("scale", scale, -1e9, 1e9))
        self._actions: NDArray[np.integer[Any]] | None = None
        self._all = np.arange(num_envs)
        space = observation_box(ruleset, observation_dtype)
        self._dtype = space.dtype
        super().__init__(
            num_envs,
            space,
            spaces.Discrete(self.engine.num_actions),
        )
        self.seed(seed)

    @property
    def pool(self) -> OpponentPool:
        """The opponents."""
        return self.games.pool

    @property
    def learner(self) -> NDArray[np.int64]:
        """(B,) int64, the seat that learns."""
        return self.games.learner

    @property
    def opponents(self) -> NDArray[np.int64]:
        """(B, P) int64, the member of the pool on each seat; -1 for the learner."""
        return self.games.players

    # --- the streams

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Start over from this seed at the next `reset`; without one the next `reset` goes on to other games.

        Raises:
            ValueError: it is not a whole number from 0 to 2^64 - 1.
        """
        if seed is not None:
            seed = checks.seed("seed", seed)
        self._seeds = [seed] * self.num_envs
        return self._seeds

    def reset(self) -> NDArray[Any]:
        """Deal every game. Returns (B, F) of the observation's dtype, what each learner sees."""
        seed = self._seeds[0]
        self._reset_seeds()
        self._infos: list[dict[str, Any]] = [{} for _ in self._all]
        self._length = np.zeros(self.num_envs, np.int64)
        self._start = time.monotonic()
        self.games.reset(seed)
        self.games.step_to_learner()
        return self.observe()

    def observe(self) -> NDArray[Any]:
        """(B, F) of the observation's dtype, what each learner sees."""
        with self.games.clock("engine"):
            return self.engine.observe(dtype=self._dtype)

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Store the learners' actions, (B,) whole numbers, for `step_wait`.

        Raises:
            ValueError: they are not (B,) whole numbers, or there was no `reset` yet.
        """
        self.games.check_begun()
        self._actions = seating.answer(actions, self.num_envs)

    def step_wait(self) -> VecEnvStepReturn:
        """Play the stored actions, then the opponents' up to the learners' next decisions.

        Returns:
            Fresh arrays: (B, F) observations, (B,) float32 rewards, (B,) bool, games that ended; and B infos.

        Raises:
            ValueError: an action is not legal, and the games of the other rows have been played on; or there was no
                `step_async` before.
        """
        if self._actions is None:
            raise ValueError("step_wait: there are no actions; call step_async(actions) first")
        actions, self._actions = self._actions, None
        self._length += 1
        self._infos = [{} for _ in self._all]
        # Whose reward it is, where a game ends and the next one has another learner.
        rewarded = self.learner.copy()
        self.games.step_to_learner(actions)
        rewards = self._scale * self.games.rewards[self._all, rewarded]
        dones = self.games.dones.copy()
        self._length[dones] = 0
        return self.observe(), rewards, dones, self._infos

    def _over(self, rows: NDArray[np.int64]) -> None:
        """The infos of games that are over."""
        seats = self.learner[rows]
        seen = self.engine.observe(rows, seat=seats, dtype=self._dtype)
        place = self.engine.results(rows).place[np.arange(len(rows)), seats]
        won = self.games.won(rows)
        truncated = self.engine.truncated[rows]
        reward = self._scale * self.games.rewards[rows, seats]
        elapsed = round(time.monotonic() - self._start, 6)
        for i, row in enumerate(rows):
            self._infos[row] = {
                "terminal_observation": seen[i],
                "TimeLimit.truncated": False,
                "truncated": bool(truncated[i]),
                "seat": int(seats[i]),
                "place": int(place[i]),
                "won": float(won[i]),
                "opponents": tuple(self.pool.bots[n].name for n in self.opponents[row] if n != LEARNER),
                "episode": {"r": float(reward[i]), "l": int(self._length[row]), "t": elapsed},
            }

    # --- the rest of the VecEnv interface

    def action_masks(self) -> NDArray[np.int8]:
        """(B, A) int8, 1 for each legal action of the learners."""
        with self.games.clock("engine"):
            return self.engine.legal_mask().copy()

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> Any:
        """Call a method for each environment and return one result per environment; only "action_masks" exists."""
        if method_name != "action_masks":
            raise AttributeError(f"env_method must be 'action_masks', not {checks.shown(method_name)}")
        return self.action_masks() if indices is None else self.action_masks()[list(self._get_indices(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environments have an attribute; they share those of this object."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute's value, repeated for each environment."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set the attribute for all environments at once."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each environment, since none is wrapped."""
        return [False] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Do nothing: the environment holds no resources to release."""
