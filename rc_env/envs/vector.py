"""A native Gymnasium `VectorEnv`: the games of one `Engine`, with the seat to move acting in each.

Shape letters as in `engine.py`: B games (`num_envs`), P players, S seats (P, or 2 in the solo game), A actions, F
features.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rc_env import checks, render
from rc_env.engine import Engine
from rc_env.envs.spaces import observation_box
from rc_env.rules.state import TERMINATED
from rc_env.ruleset import Ruleset

Step = tuple[
    np.ndarray, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]  # observations, rewards, terminations, truncations, infos


def checked_options(options: object) -> Mapping[str, Any]:
    """Return the options of a `reset` as a dict, empty for None.

    Raises:
        ValueError: the options are not a dict.
    """
    if options is None:
        return {}
    return checks.instance("options", options, Mapping, "a dict with the options by name, or None")  # type: ignore[type-abstract]


def checked_deal(engine: Engine, options: Mapping[str, Any], count: int) -> NDArray[Any] | None:
    """The option "deal" of a `reset` of `count` games, checked before anything is changed; None where it is not given.

    Raises:
        ValueError: it is neither one `rules.setup.DEAL` record nor one per game, or it fixes an impossible deal.
    """
    if options.get("deal") is None:
        return None
    expected = "a record of rules.setup.DEAL" + (f", or {count} of them" if count > 1 else "")
    deals = np.atleast_1d(checks.array("deals", options["deal"], expected))
    if deals.shape not in ((1,), (count,)):
        checks.refuse("deals", deals, expected)
    engine.ruleset.build.setup.checked_deals(deals, engine.ruleset.rules[0])
    return checks.plain(deals)


class EngineVectorEnv(VectorEnv[np.ndarray, NDArray[np.int64], np.ndarray]):
    """Base class of the vector environments over an engine: spaces, seeds, buffers and the form of infos."""

    def __init__(
        self, engine: Engine, copy: bool, seed: int | None, render_mode: str | None, observation_dtype: str
    ) -> None:
        self.engine = checks.instance("engine", engine, Engine, "an Engine")
        self.copy = checks.flag("copy", copy)
        self.num_envs = engine.num_games
        self.render_mode = render.check_mode(render_mode)
        self.metadata = {
            "render_modes": list(render.MODES),
            "render_fps": render.FPS,
            "autoreset_mode": AutoresetMode.SAME_STEP,
        }
        self.single_observation_space = observation_box(engine.ruleset, observation_dtype)
        self.single_action_space = Discrete(engine.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._first_seed = None if seed is None else checks.seed("seed", seed)
        self._dealt = False
        self._rows = np.arange(self.num_envs)
        self._everywhere = np.ones(self.num_envs, np.bool_)
        self._everywhere.flags.writeable = False
        self._dtype = self.single_observation_space.dtype
        self._buffer = None if copy else np.empty((self.num_envs, engine.num_features), self._dtype)

    def _begin(self, seed: int | None) -> int | None:
        """Seed this environment's generator and return the seed of the games to deal, or None to go on to the next
        games.

        A seed that does not fit is refused before anything is changed.
        """
        seed = None if seed is None else checks.seed("seed", seed)
        if seed is None and not self._dealt:
            seed = self._first_seed
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**63))
        self._dealt = True
        return seed

    def _which(self, options: Mapping[str, Any]) -> NDArray[np.int64]:
        """The rows to reset: all, or those of Gymnasium's option "reset_mask"."""
        mask = options.get("reset_mask")
        if mask is None:
            return self._rows
        expected = f"{self.num_envs} bools"
        chosen = checks.array("reset_mask", mask, expected)
        if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
            checks.refuse("reset_mask", mask, expected)
        if not self._dealt and not chosen.all():
            checks.refuse("reset_mask", mask, "a first reset of all games")
        return np.flatnonzero(chosen)

    def _check_begun(self, call: str) -> None:
        if not self._dealt:
            raise ResetNeeded(f"{call}: no games are being played, expected reset() first")

    def _target(self) -> np.ndarray:
        """The array that observations are written to: a new one, or the environment's buffer."""
        if self._buffer is not None:
            return self._buffer
        return np.empty((self.num_envs, self.engine.num_features), self._dtype)

    def _observations(self) -> np.ndarray:
        return self.engine.observe(dtype=self._dtype, out=self._target())

    def _mask(self) -> NDArray[np.int8]:
        mask = self.engine.legal_mask()
        return mask.copy() if self.copy else mask

    def _infos(self, **arrays: np.ndarray) -> dict[str, Any]:
        """Infos: arrays with one row per game, each with a `_key` array that marks every game."""
        infos: dict[str, Any] = {}
        for key, array in arrays.items():
            infos[key], infos[f"_{key}"] = array, self._everywhere
        return infos

    def _final(self, rows: NDArray[np.int64], seats: NDArray[np.int8]) -> dict[str, Any]:
        """`final_obs`, as seen by one seat each, and `final_info` of games that are over and not yet dealt anew."""
        there = np.zeros(self.num_envs, np.bool_)
        there[rows] = True
        seen = np.full(self.num_envs, None, object)  # an object each, as Gymnasium's own vector environments do
        for row, vector in zip(rows, self.engine.observe(rows, seat=seats, dtype=self._dtype), strict=True):
            seen[row] = vector
        results = self.engine.results(rows)
        info: dict[str, Any] = {}
        for key, part in (
            ("rewards", self.engine.rewards[rows]),
            ("prestige", results.prestige),
            ("place", results.place),
            ("winners", results.winners),
        ):
            info[key] = np.zeros((self.num_envs, part.shape[1]), part.dtype)
            info[key][rows] = part
            info[f"_{key}"] = there
        return {"final_obs": seen, "_final_obs": there, "final_info": info, "_final_info": there}

    def render(self) -> tuple[Any, ...] | None:
        """Return a tuple with each game's picture or text; "human" prints them and returns None, as without
        `render_mode`."""
        if self.render_mode is None:
            return None
        self._check_begun("render")
        frames = tuple(render.frame(self.engine.ruleset, game, self.render_mode) for game in self.engine.games)
        return None if self.render_mode == "human" else frames


class RedCathedralVectorEnv(EngineVectorEnv):
    """Many games at once; in each the seat to move decides, and sees the board from its own place.

    Observations: (B, F) float32 in [0, 1], or the whole numbers behind them as uint8 (`observation_dtype`), of the seat
    that moves now. Actions: (B,) int64, numbers of `ruleset.actions`. Rewards: (B,) float32, of the seat that acted;
    what all seats receive is in infos, and only there do the others' rewards appear: non-zero when the game ends, 0
    until then.

    Infos have one row per game, and for each key a (B,) bool array `_key` of the rows that it is for:

    - "action_mask": (B, A) int8, 1 for each legal action, never all 0.
    - "seat": (B,) int8, the seat that moves now.
    - "acted": (B,) int8, the seat that acted (step only, as the next two).
    - "rewards": (B, P) float32, of each seat for this step.
    - "illegal": (B,) bool, where the action was refused: not legal or out of range. Nothing happened in that game.
    - "final_obs": (B,) objects, (F,) each as the seat that acted saw the end, where a game ended in this step.
    - "final_info": "rewards" (B, P) float32, "prestige" (B, S) int32, "place" (B, S) int32 from 0, "winners" (B, S)
      bool (R-25 to R-28), where a game ended.

    A game that ends is dealt anew in the same step (`AutoresetMode.SAME_STEP`): observation, mask and seat are the new
    game's. Terminations are ends by the rules (R-25), truncations the turn limit (R-29).

    Args:
        num_envs: B, at least 1.
        num_players, workshop, data, turn_limit, reward: see `Ruleset`; `num_players` is its `players`.
        fourth_guild, special_tiles, promos, expansion_data, contractors: see `Ruleset`.
        seed: for a first `reset` without one; by default drawn from the system.
        threads: how many share a call; 0 for as many as there are processors. The games are the same with any number.
        copy: hand out new arrays. With False, observations and masks are the environment's own buffers (the masks
            read-only): each `reset` and `step` overwrites them, so use or copy them before. Everything else is new.
        render_mode: "ansi", "human" or "rgb_array": `render` gives a tuple of texts or pictures, or prints.
        observation_dtype: "float32", or "uint8" for the whole numbers of `ruleset.observations`, from 0 to its
            `divisors`: a quarter of the memory, and faster.

    Raises:
        ValueError: a setting is out of range.

    Example:
        >>> from rc_env import RedCathedralVectorEnv
        >>> env = RedCathedralVectorEnv(num_envs=8, num_players=4)
        >>> observations, infos = env.reset(seed=5)
        >>> infos["seat"]
        array([0, 0, 0, 0, 0, 0, 0, 0], dtype=int8)
        >>> observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(1))
        >>> infos["acted"]
        array([0, 0, 0, 0, 0, 0, 0, 0], dtype=int8)
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        num_players: int = 2,
        workshop: str = "basic",
        data: str | os.PathLike[str] = "base",
        turn_limit: int = 1000,
        reward: str = "win",
        seed: int | None = None,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        observation_dtype: str = "float32",
        fourth_guild: str = "clergy",
        special_tiles: bool = False,
        promos: bool = False,
        expansion_data: str | os.PathLike[str] = "contractors",
        contractors: bool = False,
    ) -> None:
        ruleset = Ruleset(
            num_players, workshop, data=data, turn_limit=turn_limit, reward=reward, fourth_guild=fourth_guild,
            special_tiles=special_tiles, promos=promos, expansion_data=expansion_data, contractors=contractors,
        )  # fmt: skip
        engine = Engine(ruleset, checks.whole_number("num_envs", num_envs, 1), threads=threads)
        super().__init__(engine, copy, seed, render_mode, observation_dtype)
        self._seat = self.engine.seat

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal new games.

        Args:
            seed: decides every deal and roll, as in `Engine(ruleset, B, seed)`; without one the rows go on to their
                next games.
            options: "deal" fixes parts of the deal, `rules.setup.DEAL` records, one or one per row; "reset_mask" (B,)
                bool names the rows to deal, all by default; others are ignored.

        Raises:
            ValueError: the seed or an option does not fit; nothing was dealt.
        """
        chosen = checked_options(options)
        rows = self._which(chosen)
        deals = checked_deal(self.engine, chosen, len(rows))
        self.engine.reset(rows, seed=self._begin(seed), deals=deals)
        self._seat = self.engine.seat
        return self._observations(), self._infos(action_mask=self._mask(), seat=self._seat.copy())

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Play a decision in each game: see the class.

        Raises:
            ValueError: not (B,) whole numbers; nothing was played.
            gymnasium.error.ResetNeeded: there was no `reset` yet.
        """
        self._check_begun("step")
        engine, acted = self.engine, self._seat
        observations = self._target()
        engine.step(actions, observations=observations)
        rewards, illegal, ended = engine.rewards.copy(), engine.illegal.copy(), engine.ended
        terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
        final: dict[str, Any] = {}
        if len(ended):
            terminated[ended] = engine.games.status[ended] == TERMINATED
            truncated[ended] = ~terminated[ended]
            final = self._final(ended, acted[ended])
            engine.reset(ended)
            observations[ended] = engine.observe(ended, dtype=self._dtype)
        self._seat = engine.seat
        infos = self._infos(
            action_mask=self._mask(), seat=self._seat.copy(), acted=acted, rewards=rewards, illegal=illegal
        )
        return observations, rewards[self._rows, acted], terminated, truncated, infos | final
