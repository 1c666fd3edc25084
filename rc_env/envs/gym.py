"""Gymnasium: one seat is the learner's, bots play the others. One game (`OneSeatEnv`) or many (`OneSeatVectorEnv`).

Registered as `RedCathedral-v0`, for `gymnasium.make` and `gymnasium.make_vec`. Shape letters as in `engine.py`:
B games, P players, S seats (P, or 2 in the solo game), A actions, F features. In the solo game there are no opponents:
Ivan is played by the rules.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from operator import index
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import ArrayLike, NDArray

from rc_env import checks, render, seating
from rc_env.bot import Bot, checked_bot
from rc_env.engine import Engine
from rc_env.engine_group import EngineGroup
from rc_env.envs.spaces import FORMS, observation_box, observation_dict
from rc_env.envs.vector import (
    ILLEGAL_LIMIT,
    EngineVectorEnv,
    checked_deal,
    checked_limit,
    checked_options,
    games_of,
)
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset


class OneSeatGames:
    """B games in each of which one seat is the learner's and bots decide for the others until the learner's next turn.

    Args:
        engine: the games; an `EngineGroup` for several sets of cards.
        seat: the learner's seat, or "random" to draw it uniformly for each game.
        opponents: a bot or its name, for all other seats; or P - 1 of them, for the seats after the learner's in order.

    Attributes:
        seat: (B,) int8, the learner's seat in each game.

    Raises:
        ValueError: an argument does not fit, or the turn limit leaves a seat without a turn.
    """

    def __init__(self, engine: Engine | EngineGroup, seat: int | str, opponents: Any) -> None:
        if not isinstance(engine, Engine | EngineGroup):
            checks.refuse("engine", engine, "an Engine, or an EngineGroup")
        players = engine.num_players
        if engine.ruleset.turn_limit < players:
            raise ValueError(f"turn_limit must be at least {players}, a turn a seat, not {engine.ruleset.turn_limit}")
        drawn = isinstance(seat, str) and seat == "random"
        if not drawn and (isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < players):
            checks.refuse("seat", seat, f"'random' or a whole number from 0 to {players - 1}")
        self.engine = engine
        self.seat = np.full(engine.num_games, 0 if drawn else seat, np.int8)
        self._drawn = drawn
        self._rows = np.arange(engine.num_games)
        self._dealt = False
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        if several and len(opponents) != players - 1:
            raise ValueError(
                f"opponents must be a bot for all other seats, or a list of {players - 1} bots; got a list of "
                f"{len(opponents)}"
            )
        around = [self._bot(one) for one in opponents] if several else [self._bot(opponents)] * (players - 1)
        self._bots = list({id(bot): bot for bot in around}.values())
        # Which bot sits where: by seats after the learner's, place 0 being the learner itself.
        self._bot_at = np.array([-1, *(next(k for k, b in enumerate(self._bots) if b is bot) for bot in around)])

    @staticmethod
    def _bot(one: Any) -> Bot:
        if isinstance(one, str):
            # The one look-up against the direction of imports: bots import the environment, it knows only their names.
            return import_module("rc_env.agents").from_text(one)
        return checked_bot("opponents", one)

    def deal(
        self,
        generator: np.random.Generator,
        rows: NDArray[np.int64] | None = None,
        seed: int | None = None,
        deals: np.ndarray | None = None,
        deal_seeds: ArrayLike | None = None,
    ) -> None:
        """Deal games, draw the learner's seats and play up to the learner's first decisions.

        With a seed (the first time: with one from the generator, if none is given) the bots start over, too. `deals`
        and `deal_seeds` are those of `Engine.reset`; with `deal_seeds` the seed is for bots alone.

        Raises:
            ValueError: an argument does not fit; nothing was dealt.
        """
        checks.instance("generator", generator, np.random.Generator, "a generator of NumPy, such as default_rng(1)")
        rows = self._rows if rows is None else checks.row_numbers("rows", rows, self.engine.num_games)
        seed = None if seed is None else checks.seed("seed", seed)
        if seed is None and not self._dealt:
            seed = int(generator.integers(2**63))
        how: dict[str, Any] = {} if deals is None else {"deals": deals}
        if deal_seeds is not None:
            self.engine.reset(rows, deal_seeds=deal_seeds, **how)
        else:
            self.engine.reset(rows, seed=seed, **how)
        self._dealt = True
        if seed is not None:
            for bot, one in zip(self._bots, np.random.SeedSequence(seed).generate_state(len(self._bots)), strict=True):
                bot.reset(int(one))
        if self._drawn:
            self.seat[rows] = generator.integers(self.engine.num_players, size=len(rows))
        self._play_on(rows)

    def play(self, actions: ArrayLike, rows: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
        """Play the learner's action in these games, all by default, then the others', up to the learner's next decision
        or the end. `engine.rewards` then has what all seats received.

        Returns:
            (B,) bool, where its action was refused.

        Raises:
            gymnasium.error.ResetNeeded: nothing was dealt yet.
            ValueError: the actions are not a whole number for each of these games, or a row is not there.
        """
        self.check_begun("step")
        engine = self.engine
        rows = self._rows if rows is None else checks.row_numbers("rows", rows, engine.num_games)
        engine.step(actions, rows)
        illegal = np.zeros(engine.num_games, np.bool_)
        illegal[rows] = engine.illegal[rows]
        self._play_on(rows)
        return illegal

    def check_begun(self, call: str) -> None:
        """Raise unless games have been dealt."""
        if not self._dealt:
            raise ResetNeeded(f"{call}: no game is being played; call reset() first")

    def _play_on(self, rows: NDArray[np.int64]) -> None:
        """Let the bots decide wherever it is their turn, one batch per bot."""
        engine = self.engine
        games = engine.games.view(np.ndarray)
        while True:
            mover = games["seat"][rows]
            waiting = (games["status"][rows] == PLAYING) & (mover != self.seat[rows])
            rows, mover = rows[waiting], mover[waiting]
            if not len(rows):
                return
            who = self._bot_at[(mover - self.seat[rows]) % engine.num_players]
            for number, places, actions in seating.choices(enumerate(self._bots), who, rows, self._ask):
                seating.step(engine, rows[places], actions, partial(self._refuse, self._bots[number]))

    def _ask(self, bot: Bot, rows: NDArray[np.int64]) -> NDArray[np.integer[Any]]:
        actions = np.empty(len(rows), np.int64)
        for position, where in seating.positions_of(self.engine, bot, rows):
            answer = bot.act(position)
            try:
                actions[where] = seating.answer(answer, len(position))
            except ValueError as error:
                raise ValueError(f"opponents: bot {bot.name}: {error}") from None
        return actions

    @staticmethod
    def _refuse(bot: Bot, row: int, action: int) -> NoReturn:
        raise ValueError(f"opponents: bot {bot.name} chose {action}, which is not legal")


class OneSeatEnv(gymnasium.Env[Any, np.int64]):
    """One game: the learner decides for one seat, bots for the others.

    Observation: (F,) float32 in [0, 1], or the whole numbers behind them as uint8 (`observation_dtype`), laid out as
    `ruleset.observations` says, as the learner's seat sees the board; with `observation="dict"` that vector as
    "observation" beside "action_mask", the mask of `info`.
    Action: a number of `ruleset.actions`. Reward: that of the learner's seat since its last decision, 0 until the
    game ends. `terminated` means an end by the rules (R-25), `truncated` one by the turn limit (R-29) or by
    `illegal_limit`.

    info has the same keys after each `reset` and `step`:

    - "action_mask": (A,) int8, 1 for each legal action, all 0 after the end.
    - "seat": the learner's seat.
    - "illegal": True if the action was refused: not legal or out of range. Then nothing has happened and the learner
      still has to decide.
    - "illegal_limit": True if that was one refusal in a row too many, so that the game was cut off.
    - "prestige" (S,) int32, "place" (S,) int32 from 0 and "winners" (S,) bool: the standings as if the game ended
      now, and when it is over the results (R-25 to R-28). They are for logs and rewards of your own, not for a policy:
      they also count what the learner's seat cannot see, such as the archivists' contracts of the others.

    Args:
        opponents: a bot or its name, for all other seats; or P - 1 of them, for the seats after the learner's in order.
        seat: the learner's seat, from 0 (who moves first); by default drawn uniformly for each game.
        num_players, workshop, data, turn_limit, reward: see `Ruleset`; `num_players` is its `players`.
        fourth_guild, special_tiles, promos, expansion_data, contractors: see `Ruleset`.
        observation: "box" or "dict".
        render_mode: "ansi" (`render` returns text), "human" (prints it, at each step too), "rgb_array" (a picture).
        observation_dtype: "float32" or "uint8", as in `RedCathedralVectorEnv`.
        illegal_limit: actions refused in a row after which the game is cut off, so that the evaluation of a policy
            that knows no masks ends; None for no limit.
        illegal_reward: of the last of these: by default that of a lost game.

    Raises:
        ValueError: a setting is out of range.

    Example:
        >>> import gymnasium
        >>> env = gymnasium.make("rc_env:RedCathedral-v0", opponents="greedy", seat=0)
        >>> observation, info = env.reset(seed=5)
        >>> observation.shape, int(info["seat"])
        ((1448,), 0)
        >>> observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
        >>> reward, terminated, info["illegal"]
        (0.0, False, False)
    """

    metadata = {"render_modes": list(render.MODES), "render_fps": render.FPS}

    def __init__(
        self,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
        num_players: int = 2,
        workshop: str = "basic",
        data: str | os.PathLike[str] = "base",
        turn_limit: int = 1000,
        reward: str = "win",
        render_mode: str | None = None,
        observation: str = "box",
        observation_dtype: str = "float32",
        illegal_limit: int | None = ILLEGAL_LIMIT,
        illegal_reward: float = -1.0,
        fourth_guild: str = "clergy",
        special_tiles: bool = False,
        promos: bool = False,
        expansion_data: str | os.PathLike[str] = "contractors",
        contractors: bool = False,
    ) -> None:
        self.render_mode = render.check_mode(render_mode)
        self.ruleset = Ruleset(
            num_players, workshop, data=data, turn_limit=turn_limit, reward=reward, fourth_guild=fourth_guild,
            special_tiles=special_tiles, promos=promos, expansion_data=expansion_data, contractors=contractors,
        )  # fmt: skip
        self.engine = Engine(self.ruleset)
        self._seated = OneSeatGames(self.engine, seat, opponents)
        self._as_dict = checks.one_of("observation", observation, FORMS) == "dict"
        space = observation_dict if self._as_dict else observation_box
        self.observation_space = space(self.ruleset, observation_dtype)
        self._dtype = np.dtype(observation_dtype)
        self.action_space = Discrete(self.engine.num_actions)
        self._most_refused = checked_limit("illegal_limit", illegal_limit)
        self._illegal_reward = checks.number("illegal_reward", illegal_reward, -1e9, 1e9)
        self._refused, self._cut_off = 0, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray | dict[str, np.ndarray], dict[str, Any]]:
        """Deal a game and play up to the learner's first decision.

        Args:
            seed: decides the deals, rolls, seats and what the bots draw, for this game and those that follow without a
                seed.
            options: "deal" fixes parts of the deal, a `rules.setup.DEAL` array of one record. Others are ignored, and
                named in a warning once.

        Raises:
            ValueError: the seed or the deal does not fit; nothing was dealt.
        """
        deal = checked_deal(self.engine, checked_options(options, "deal"), 1)
        seed = None if seed is None else checks.seed("seed", seed)
        super().reset(seed=seed)
        self._seated.deal(self.np_random, seed=seed, deals=deal)
        self._refused, self._cut_off = 0, False
        return self._show(False, False)

    def step(self, action: Any) -> tuple[np.ndarray | dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Play the learner's decision, then the others' up to the learner's next one: see the class.

        Raises:
            ValueError: the action is no whole number.
            gymnasium.error.ResetNeeded: there was no `reset` yet.
        """
        self._seated.check_begun("step")
        expected = f"a whole number from 0 to {self.engine.num_actions - 1}"
        try:
            number = index(action)
        except TypeError:
            checks.refuse("action", action, expected)
        if isinstance(action, bool):
            checks.refuse("action", action, expected)
        number = number if 0 <= number < self.engine.num_actions else -1  # reported as illegal, however high it is
        engine, paid, stuck = self.engine, 0.0, False
        illegal = self._cut_off or bool(self._seated.play([number])[0])
        terminated, truncated = bool(engine.terminated[0]), bool(engine.truncated[0])
        if not illegal:
            paid, self._refused = float(engine.rewards[0, self._seated.seat[0]]), 0
        elif not (terminated or truncated or self._cut_off):
            self._refused += 1
            if self._refused >= self._most_refused:
                paid, self._cut_off, stuck = self._illegal_reward, True, True
        observation, info = self._show(illegal, stuck)
        return observation, paid, terminated, truncated or self._cut_off, info

    def _show(self, illegal: bool, stuck: bool) -> tuple[np.ndarray | dict[str, np.ndarray], dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        results = self.engine.results()
        info = {
            "action_mask": self.action_masks(),
            "seat": int(self._seated.seat[0]),
            "illegal": illegal,
            "illegal_limit": stuck,
            "prestige": results.prestige[0],
            "place": results.place[0],
            "winners": results.winners[0],
        }
        vector = self.engine.observe(seat=self._seated.seat, dtype=self._dtype)[0]
        return ({"observation": vector, "action_mask": self.action_masks()} if self._as_dict else vector), info

    def action_masks(self) -> NDArray[np.int8]:
        """(A,) int8, 1 for each legal action, all 0 after the end: where sb3-contrib's MaskablePPO looks for it. Behind
        wrappers, such as those of `gymnasium.make`, it is `env.get_wrapper_attr("action_masks")()`."""
        mask = self.engine.legal_mask()[0]
        return np.zeros_like(mask) if self._cut_off else mask.copy()

    def render(self) -> Any:
        """Return the board: text for "ansi", (H, W, 3) uint8 for "rgb_array"; "human" prints it and returns None."""
        if self.render_mode is None:
            return None
        self._seated.check_begun("render")
        return render.frame(self.ruleset, self.engine.games[0], self.render_mode)


class OneSeatVectorEnv(EngineVectorEnv, VectorEnv):  # named here too: skrl's wrap_env looks at direct bases alone
    """B games at once, in each of which the learner decides for one seat and bots for the others.

    Observations: (B, F) float32 in [0, 1], or the whole numbers behind them as uint8 (`observation_dtype`), as the
    learner's seats see the boards. Actions: (B,) int64, numbers of `ruleset.actions`. Rewards: (B,) float32, what the
    learner's seats receive since their last decisions: 0 until a game ends.

    infos, one row per game, each with its `_key` of (B,) bool:
        action_mask, illegal, illegal_limit, final_info: as in `RedCathedralVectorEnv`.
        seat: (B,) int8, the learner's seat in the game shown now.
        final_obs: (B,) objects, (F,) each as the learner's seat saw the end of a game in this step (`SAME_STEP`).

    How games end, and what follows (`autoreset_mode`), is as in `RedCathedralVectorEnv`; the learner's seat is drawn
    anew with each game if it is "random". Bots decide for all games in a batch, so this is much faster than a vector of
    `OneSeatEnv`.

    Args:
        num_envs: B, at least 1, or the number of sets of cards.
        opponents, seat: as in `OneSeatEnv`.
        num_players, workshop, data, turn_limit, reward, fourth_guild: as in `RedCathedralVectorEnv`.
        special_tiles, promos, expansion_data, contractors, seed, threads, copy: likewise.
        render_mode, observation, observation_dtype, autoreset_mode: likewise.
        illegal_limit, illegal_reward, max_episode_steps: likewise.

    Raises:
        ValueError: a setting is out of range.

    Example:
        >>> from rc_env import OneSeatVectorEnv
        >>> env = OneSeatVectorEnv(num_envs=8, opponents="greedy")
        >>> observations, infos = env.reset(seed=5)
        >>> observations, rewards, terminations, truncations, infos = env.step(infos["action_mask"].argmax(1))
        >>> observations.shape, rewards.shape
        ((8, 1448), (8,))
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        opponents: Any = "random",
        seat: int | str = "random",
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
        self._seated = OneSeatGames(self.engine, seat, opponents)

    def _deal(self, rows: NDArray[np.int64], seed: int | None = None, **how: Any) -> None:
        self._seated.deal(self.np_random, rows, seed, **how)

    def _play(self, actions: ArrayLike, rows: NDArray[np.int64], vectors: np.ndarray) -> NDArray[np.bool_]:
        illegal = self._seated.play(actions, rows)
        self.engine.observe(seat=self._seated.seat, dtype=self._dtype, out=vectors)
        return illegal

    def _turn(self) -> NDArray[np.int8]:
        return self._seated.seat
