"""Native Gymnasium vector environments: what they share, and the one in which the seat to move acts in each game.

Shape letters as in `engine.py`: B games (`num_envs`), P players, S seats (P, or 2 in the solo game), A actions, F
features.
"""

from __future__ import annotations

import logging
import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from rc_env import checks, render
from rc_env.arguments import Arguments
from rc_env.card_sets import source
from rc_env.engine import Engine
from rc_env.engine_group import EngineGroup
from rc_env.envs.spaces import FORMS, observation_box, observation_dict
from rc_env.rules.state import PLAYING, TERMINATED, TRUNCATED
from rc_env.ruleset import Ruleset
from rc_env.sealing import sealed, shared

log = logging.getLogger("rc_env")
_LOGGED: set[str] = set()

ILLEGAL_LIMIT = 1000
"""How many actions in a row may be refused before a game is cut off, by default: a policy that knows no masks and
explores hits a legal one long before, one that insists on its favourite action never would."""

Step = tuple[
    Any, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]  # observations, rewards, terminations, truncations, infos


def checked_options(options: object, *known: str) -> Mapping[str, Any]:
    """Return the options of a `reset` as a dict, empty for None; those that are not known are named in a warning, once.

    Raises:
        ValueError: the options are not a dict.
    """
    if options is None:
        return {}
    found: Mapping[str, Any] = checks.instance("options", options, Mapping, "a dict with the options by name, or None")  # type: ignore[type-abstract]
    for name in found:
        words = f"options: {checks.shown(name)} found, which is ignored, expected {' or '.join(known)}"
        if name not in known and words not in _LOGGED:  # no warning: PettingZoo's own tests give unknown options
            _LOGGED.add(words)
            log.warning(words)
    return found


def checked_deal(engine: Engine | EngineGroup, options: Mapping[str, Any], count: int) -> NDArray[Any] | None:
    """The option "deal" of a `reset` of `count` games, checked before anything is changed; None where it is not given.

    Raises:
        ValueError: it is neither one `rules.setup.DEAL` record nor one per game, it fixes an impossible deal, or the
            games have several sets of cards.
    """
    if options.get("deal") is None:
        return None
    expected = "a record of rules.setup.DEAL" + (f", or {count} of them" if count > 1 else "")
    deals = np.atleast_1d(checks.array("deals", options["deal"], expected))
    if deals.shape not in ((1,), (count,)):
        checks.refuse("deals", deals, expected)
    if isinstance(engine, EngineGroup):
        checks.refuse("deals", deals, "none with several sets of cards")
    engine.ruleset.build.setup.checked_deals(deals, engine.ruleset.rules[0])
    return checks.plain(deals)


def checked_limit(name: str, value: object) -> float:
    """Return a number of steps from 1, or infinity for None.

    Raises:
        ValueError: it is neither.
    """
    return inf if value is None else checks.whole_number(name, value, 1)


def games_of(
    num_envs: int, threads: int, data: source.Source, expansion_data: source.Source, **variant: Any
) -> Engine | EngineGroup:
    """The games of a vector environment: an engine, or a group of engines where data files are several samples.

    Raises:
        ValueError: a setting is out of range, or there are fewer games than sets of cards.
    """
    rulesets = [
        Ruleset(data=base, expansion_data=expansion, **variant)
        for base, expansion in source.pairs(data, expansion_data)
    ]
    count = checks.whole_number("num_envs", num_envs, len(rulesets))
    if len(rulesets) > 1:
        return EngineGroup(rulesets, count, threads=threads)
    return Engine(rulesets[0], count, threads=threads)


class EngineVectorEnv(VectorEnv[Any, NDArray[np.int64], np.ndarray]):
    """Base class of the vector environments: spaces, seeds, limits, autoreset, and the form of what they return.

    A subclass deals (`_deal`), plays (`_play`), and knows whose decisions they are (`_turn`).
    """

    def __init__(
        self,
        engine: Engine | EngineGroup,
        *,
        seed: int | None,
        copy: bool,
        render_mode: str | None,
        observation: str,
        observation_dtype: str,
        autoreset_mode: AutoresetMode | str,
        illegal_limit: int | None,
        illegal_reward: float,
        max_episode_steps: int | None,
    ) -> None:
        if not isinstance(engine, Engine | EngineGroup):
            checks.refuse("engine", engine, "an Engine, or an EngineGroup")
        self.engine = engine
        self.copy = checks.flag("copy", copy)
        self.num_envs = engine.num_games
        self.render_mode = render.check_mode(render_mode)
        if not isinstance(autoreset_mode, AutoresetMode):
            modes = [mode.value for mode in AutoresetMode]
            autoreset_mode = AutoresetMode(checks.one_of("autoreset_mode", autoreset_mode, modes))
        self.autoreset_mode = autoreset_mode
        self.metadata = {
            "render_modes": list(render.MODES),
            "render_fps": render.FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self._as_dict = checks.one_of("observation", observation, FORMS) == "dict"
        self._dtype = observation_box(engine.ruleset, observation_dtype).dtype
        space = observation_dict if self._as_dict else observation_box
        self.single_observation_space = space(engine.ruleset, observation_dtype)
        self.single_action_space = Discrete(engine.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._most_refused = checked_limit("illegal_limit", illegal_limit)
        self._illegal_reward = checks.number("illegal_reward", illegal_reward, -1e9, 1e9)
        self._most_steps = checked_limit("max_episode_steps", max_episode_steps)
        self._first_seed = None if seed is None else checks.seed("seed", seed)
        self._dealt = False
        self._arguments = Arguments(engine.ruleset, self.num_envs)
        self._rows = np.arange(self.num_envs)
        seen = np.empty((0 if copy else self.num_envs, engine.num_features), self._dtype)
        self._memory = np.ones(self.num_envs, np.bool_), seen  # callers get views that do not lead here
        self._everywhere, self._buffer = sealed(self._memory[0]), None if copy else shared(seen)
        # Of the game shown in each row: how it ended, if it did, whose view it is, actions refused in a row, and steps.
        self._ends, self._viewer = np.zeros((2, self.num_envs), np.int8)
        self._refused, self._steps = np.zeros((2, self.num_envs), np.int64)
        self._refusing = False  # whether any is refused in a row
        self._idle = self._rows[:0]  # the rows whose game is over

    # --- what subclasses do

    @abstractmethod
    def _deal(self, rows: NDArray[np.int64], seed: int | None = None, **how: Any) -> None:
        """Deal games in these rows; `how` may have the arguments "deals" and "deal_seeds" of `Engine.reset`, and with
        the latter the seed is for what is drawn besides."""

    @abstractmethod
    def _play(self, actions: ArrayLike, rows: NDArray[np.int64], vectors: np.ndarray) -> NDArray[np.bool_]:
        """Play in these rows, write to (B, F) `vectors` what is seen then, and return (B,), which rows were refused."""

    @abstractmethod
    def _turn(self) -> NDArray[np.int8]:
        """(B,) int8, the seats whose decisions they are now."""

    def _told(self, acted: NDArray[np.int8], paid: NDArray[np.float32]) -> dict[str, np.ndarray]:
        """More for infos of a step: (B,) the seats that acted, (B, P) the rewards of all."""
        return {}

    # --- reset and step

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal new games.

        Args:
            seed: decides every deal and roll, as in `Engine(ruleset, B, seed)`; without one the rows go on to their
                next games. A sequence has a seed for each row, as `Engine.reset(deal_seeds=...)` takes them: equal ones
                give equal deals and rolls. What is drawn besides (seats, bots' choices) follows from all of them.
            options: "deal" fixes parts of the deal, `rules.setup.DEAL` records, one or one per row; "reset_mask" (B,)
                bool names the rows to deal, all by default. Others are ignored, and named in a warning once.

        Raises:
            ValueError: the seed or an option does not fit; nothing was dealt.
        """
        chosen = checked_options(options, "deal", "reset_mask")
        rows = self._which(chosen)
        deals = checked_deal(self.engine, chosen, len(rows))
        seed, each = self._begin(seed)
        how: dict[str, Any] = {} if deals is None else {"deals": deals}
        self._deal(rows, seed, **how if each is None else how | {"deal_seeds": each[rows]})
        self._start(rows)
        self._viewer = self._views()
        vectors = self.engine.observe(seat=self._viewer, dtype=self._dtype, out=self._target())
        return self._shown(vectors), self._infos(action_mask=self._mask(), seat=self._viewer.copy())

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Play a decision in each game: see the class.

        Raises:
            ValueError: not (B,) whole numbers; nothing was played.
            gymnasium.error.ResetNeeded: there was no `reset` yet.
        """
        self._check_begun("step")
        engine, acted, vectors, rows, idle = self.engine, self._viewer, self._target(), self._rows, self._idle
        if len(idle):
            rows = np.flatnonzero(self._ends == PLAYING)
            actions = self._arguments.actions(actions, self.num_envs)[rows]
        illegal = self._play(actions, rows, vectors)
        paid = engine.rewards.copy()
        status = engine.games.view(np.ndarray)["status"]
        ends = status.copy()
        if len(idle):
            paid[idle] = 0
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                self._deal(idle)
                self._start(idle)
            illegal |= self._ends != PLAYING
            ends = np.where(self._ends, self._ends, status)
        stuck = self._cut_off(ends, illegal, paid, acted)
        final: dict[str, Any] = {}
        if len(idle) or np.count_nonzero(ends):
            self._steps[idle] = 0
            terminated, truncated = ends == TERMINATED, ends == TRUNCATED
            ended = np.flatnonzero(ends > self._ends)
            self._ends, self._idle = ends, np.flatnonzero(ends)
            if len(ended):
                final = self._final(ended, acted, paid)
                if self.autoreset_mode is AutoresetMode.SAME_STEP:
                    self._deal(ended)
                    self._start(ended)
            self._viewer = self._views()
            other = np.concatenate([idle, ended])  # rows that show something else than what was played
            vectors[other] = engine.observe(other, seat=self._viewer[other], dtype=self._dtype)
        else:  # most steps, so that a single game need not wait for the lines above
            terminated, truncated = np.zeros((2, self.num_envs), np.bool_)
            self._viewer = self._turn().copy()
        infos = self._infos(
            action_mask=self._mask(), seat=self._viewer.copy(), illegal=illegal, illegal_limit=stuck,
            **self._told(acted, paid),
        )  # fmt: skip
        return self._shown(vectors), paid[self._rows, acted], terminated, truncated, infos | final

    def _cut_off(
        self, ends: NDArray[np.int8], illegal: NDArray[np.bool_], paid: NDArray[np.float32], acted: NDArray[np.int8]
    ) -> NDArray[np.bool_]:
        """Count steps and refused actions, mark in `ends` the games that a limit ends, and pay for actions refused.

        Returns:
            (B,), which games `illegal_limit` ends.
        """
        stuck = np.zeros(self.num_envs, np.bool_)
        refusing = bool(np.count_nonzero(illegal))
        if refusing or self._refusing:
            self._refused += 1
            self._refused *= illegal
            self._refusing = refusing
            stuck = (self._refused >= self._most_refused) & (ends == PLAYING)
            ends[stuck] = TRUNCATED
            paid[stuck, acted[stuck]] += self._illegal_reward
        if self._most_steps < inf:
            self._steps += 1
            ends[(self._steps >= self._most_steps) & (ends == PLAYING)] = TRUNCATED
        return stuck

    def _start(self, rows: NDArray[np.int64]) -> None:
        """Begin to count in games that have just been dealt."""
        self._ends[rows], self._refused[rows], self._steps[rows] = PLAYING, 0, 0
        self._idle = np.flatnonzero(self._ends)

    def _views(self) -> NDArray[np.int8]:
        """(B,) int8, whose view of each game is shown: of those that are over, that of the seat that acted."""
        return np.where(self._ends, self._viewer, self._turn()) if len(self._idle) else self._turn().copy()

    def _begin(self, seed: Any) -> tuple[int | None, NDArray[np.uint64] | None]:
        """Seed this environment's generator. Return the seed of the games to deal, or None to go on to the next games;
        and the seeds of the rows, where each has its own.

        A seed that does not fit is refused before anything is changed.
        """
        each = None
        if np.ndim(seed) if isinstance(seed, np.ndarray) else isinstance(seed, list | tuple):
            if len(seed) != self.num_envs:
                checks.refuse("seed", seed, f"one seed, or {self.num_envs} of them")
            each = np.array([checks.seed("seed", one) for one in seed], np.uint64)
            seed = int(np.random.SeedSequence(each.tolist()).generate_state(1, np.uint64)[0])
        seed = None if seed is None else checks.seed("seed", seed)
        if seed is None and not self._dealt:
            seed = self._first_seed
        super().reset(seed=seed)
        if seed is None and not self._dealt:
            seed = int(self.np_random.integers(2**63))
        self._dealt = True
        return seed, each

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

    def _shown(self, vectors: np.ndarray) -> Any:
        """Observations in the form that was chosen; of the buffer a view, whose shape is the caller's."""
        vectors = vectors if self._buffer is None else vectors.view()
        return {"observation": vectors, "action_mask": self._mask()} if self._as_dict else vectors

    def action_masks(self) -> NDArray[np.int8]:
        """(B, A) int8, 1 for each legal action, all 0 where a game is over: a new array."""
        mask: NDArray[np.int8] = self.engine.legal_mask(copy=True)
        if len(self._idle):
            mask[self._idle] = 0
        return mask

    def _mask(self) -> NDArray[np.int8]:
        return self.action_masks() if self.copy or len(self._idle) else self.engine.legal_mask()

    def _infos(self, **arrays: np.ndarray) -> dict[str, Any]:
        """Infos: arrays with one row per game, each with a `_key` array that marks every game."""
        infos: dict[str, Any] = {}
        for key, array in arrays.items():
            infos[key], infos[f"_{key}"] = array, self._everywhere.view()
        return infos

    def _final(self, rows: NDArray[np.int64], seats: NDArray[np.int8], paid: NDArray[np.float32]) -> dict[str, Any]:
        """`final_info` of games that have just ended, and `final_obs` where `step` will show the next games."""
        there = np.zeros(self.num_envs, np.bool_)
        there[rows] = True
        results = self.engine.results(rows)
        info: dict[str, Any] = {}
        for key, part in (
            ("rewards", paid[rows]),
            ("prestige", results.prestige),
            ("place", results.place),
            ("winners", results.winners),
        ):
            info[key] = np.zeros((self.num_envs, part.shape[1]), part.dtype)
            info[key][rows] = part
            info[f"_{key}"] = there
        final = {"final_info": info, "_final_info": there}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return final
        seen = np.full(self.num_envs, None, object)  # an object each, as Gymnasium's own vector environments do
        for row, vector in zip(rows, self.engine.observe(rows, seat=seats[rows], dtype=self._dtype), strict=True):
            mask = np.zeros(self.engine.num_actions, np.int8)
            seen[row] = {"observation": vector, "action_mask": mask} if self._as_dict else vector
        return final | {"final_obs": seen, "_final_obs": there}

    # --- the rest of the interface

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """What a method returns for each game, as in Gymnasium's own vector environments, or an attribute's value.

        "action_masks" and "render" have one result per game; anything else, such as "engine", is the same for all.

        Raises:
            ValueError: there is no such attribute, or the method plays or deals all games at once.

        Example:
            >>> from rc_env import RedCathedralVectorEnv
            >>> envs = RedCathedralVectorEnv(num_envs=2)
            >>> _ = envs.reset(seed=1)
            >>> [mask.shape for mask in envs.call("action_masks")]
            [(263,), (263,)]
        """
        expected = "action_masks, render, or an attribute: all games are played at once"
        if not hasattr(self, checks.instance("name", name, str, expected)):
            checks.refuse("name", name, expected)
        value = getattr(self, name)
        if not callable(value):
            return (value,) * self.num_envs
        if name not in ("action_masks", "render"):
            checks.refuse("name", name, expected)
        found = value(*args, **kwargs)
        return (None,) * self.num_envs if found is None else tuple(found)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """The value of an attribute for each game: see `call`."""
        return self.call(name)

    def render(self) -> tuple[Any, ...] | None:
        """Return a tuple with each game's picture or text; "human" prints them and returns None, as without
        `render_mode`."""
        if self.render_mode is None:
            return None
        self._check_begun("render")
        engines = self.engine.engines if isinstance(self.engine, EngineGroup) else (self.engine,)
        frames = tuple(render.frame(one.ruleset, game, self.render_mode) for one in engines for game in one.games)
        return None if self.render_mode == "human" else frames


class RedCathedralVectorEnv(EngineVectorEnv):
    """Many games at once; in each the seat to move decides, and sees the board from its own place.

    Observations: (B, F) float32 in [0, 1], or the whole numbers behind them as uint8 (`observation_dtype`), of the seat
    that moves now; with `observation="dict"` these as "observation" beside "action_mask". Actions: (B,) int64, numbers
    of `ruleset.actions`. Rewards: (B,) float32, of the seat that acted; what all seats receive is in infos, and only
    there do the others' rewards appear: non-zero when the game ends, 0 until then.

    A turn is several decisions of one seat: after four fifths of the steps the same seat decides again. So a value is
    that of the seat to move, and its sign changes only where `infos["seat"]` differs from `infos["acted"]`.

    Infos have one row per game, and for each key a (B,) bool array `_key` of the rows that it is for:

    - "action_mask": (B, A) int8, 1 for each legal action; all 0 where a game is over, which `SAME_STEP` never shows.
    - "seat": (B,) int8, the seat that moves now; where a game is over, the one that acted last.
    - "acted": (B,) int8, the seat that acted (step only, as the next four).
    - "rewards": (B, P) float32, of each seat for this step.
    - "illegal": (B,) bool, where the action was refused: not legal or out of range. Nothing happened in that game.
    - "illegal_limit": (B,) bool, where that was one refusal in a row too many, and the game was cut off.
    - "final_obs": (B,) objects, (F,) each as the seat that acted saw the end, where a game ended in this step
      (`SAME_STEP` alone; in the other modes the observations show the end).
    - "final_info": "rewards" (B, P) float32, "prestige" (B, S) int32, "place" (B, S) int32 from 0, "winners" (B, S)
      bool (R-25 to R-28), where a game ended; where it was cut off, as if it ended so.

    Terminations are ends by the rules (R-25), truncations those by the turn limit (R-29), by `illegal_limit` or by
    `max_episode_steps`. What follows is up to `autoreset_mode`. With `SAME_STEP` the next game is dealt in the same
    step, and observation, mask and seat are the new game's. With `NEXT_STEP` the next step deals it, whatever its
    action is, and rewards 0. With `DISABLED` the game stays over, and refuses all actions, until
    `reset(options={"reset_mask": terminations | truncations})`.

    Args:
        num_envs: B, at least 1, or the number of sets of cards.
        num_players, workshop, data, turn_limit, reward: see `Ruleset`; `num_players` is its `players`. `data`, and
            `expansion_data`, may also name several samples: with "sample:0-63" each of these sets of cards has an equal
            share of the rows, and `engine` is an `EngineGroup`.
        fourth_guild, special_tiles, promos, expansion_data, contractors: see `Ruleset`.
        seed: for a first `reset` without one; by default drawn from the system.
        threads: how many share a call; 0 for as many as there are processors. The games are the same with any number.
        copy: hand out new arrays. With False, observations and masks are the environment's own buffers (the masks
            read-only): each `reset` and `step` overwrites them, so use or copy them before. Everything else is new.
        render_mode: "ansi", "human" or "rgb_array": `render` gives a tuple of texts or pictures, or prints.
        observation: "box" or "dict".
        observation_dtype: "float32", or "uint8" for the whole numbers of `ruleset.observations`, from 0 to its
            `divisors`: a quarter of the memory, and faster.
        autoreset_mode: a `gymnasium.vector.AutoresetMode`, or "SameStep", "NextStep", "Disabled".
        illegal_limit: actions refused in a row after which a game is cut off; None for no limit.
        illegal_reward: of the seat whose action was the last of these: by default that of a lost game.
        max_episode_steps: steps after which a game is cut off, as by Gymnasium's TimeLimit; by default no limit.

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
        observation: str = "box",
        observation_dtype: str = "float32",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        illegal_limit: int | None = ILLEGAL_LIMIT,
        illegal_reward: float = -1.0,
        max_episode_steps: int | None = None,
        fourth_guild: str = "clergy",
        special_tiles: bool = False,
        promos: bool = False,
        expansion_data: str | os.PathLike[str] = "contractors",
        contractors: bool = False,
    ) -> None:
        engine = games_of(
            num_envs, threads, data, expansion_data, players=num_players, workshop=workshop, turn_limit=turn_limit,
            reward=reward, fourth_guild=fourth_guild, special_tiles=special_tiles, promos=promos,
            contractors=contractors,
        )  # fmt: skip
        super().__init__(
            engine, seed=seed, copy=copy, render_mode=render_mode, observation=observation,
            observation_dtype=observation_dtype, autoreset_mode=autoreset_mode, illegal_limit=illegal_limit,
            illegal_reward=illegal_reward, max_episode_steps=max_episode_steps,
        )  # fmt: skip

    def _deal(self, rows: NDArray[np.int64], seed: int | None = None, **how: Any) -> None:
        self.engine.reset(rows, seed=None if "deal_seeds" in how else seed, **how)

    def _play(self, actions: ArrayLike, rows: NDArray[np.int64], vectors: np.ndarray) -> NDArray[np.bool_]:
        if len(rows) == self.num_envs:
            self.engine.step(actions, observations=vectors)
            return self.engine.illegal.copy()
        self.engine.step(actions, rows)
        vectors[rows] = self.engine.observe(rows, dtype=self._dtype)
        illegal = np.zeros(self.num_envs, np.bool_)
        illegal[rows] = self.engine.illegal[rows]
        return illegal

    def _turn(self) -> NDArray[np.int8]:
        seat: NDArray[np.int8] = self.engine.games.view(np.ndarray)["seat"]
        return seat

    def _told(self, acted: NDArray[np.int8], paid: NDArray[np.float32]) -> dict[str, np.ndarray]:
        return {"acted": acted, "rewards": paid}
