"""PettingZoo AEC: one game, one agent a seat, `player_0` first.

`env(...)` is the environment with PettingZoo's customary checks around it, `raw_env(...)` the bare and quick one.
Shape letters as in `engine.py`: P players, A actions, F features.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping
from dataclasses import astuple
from operator import index
from typing import Any

import numpy as np
from gymnasium import logger
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rc_env import checks, render
from rc_env.engine import Engine
from rc_env.envs.spaces import FORMS, observation_box, observation_dict
from rc_env.envs.vector import checked_deal, checked_options
from rc_env.rules.solo.ivan import SEAT as IVAN
from rc_env.ruleset import Ruleset

_BY_AGENT = ("rewards", "_cumulative_rewards", "terminations", "truncations", "infos")
_KEPT = ("agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos")


def env(**settings: Any) -> AECEnv:
    """`raw_env(**settings)` inside TerminateIllegal (the offender loses 1), AssertOutOfBounds and OrderEnforcing.

    Example:
        >>> from rc_env import red_cathedral_v0
        >>> env = red_cathedral_v0.env(num_players=3)
        >>> env.reset(seed=1)
        >>> env.agent_selection
        'player_0'
        >>> observation, reward, termination, truncation, info = env.last()
        >>> env.step(info["action_mask"].argmax())
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return _Ordered(wrappers.AssertOutOfBoundsWrapper(wrapped))


class _Ordered(wrappers.OrderEnforcingWrapper):
    """PettingZoo's check of the order of calls, which has no sentence for `last` after the end."""

    def __str__(self) -> str:
        return str(self.unwrapped)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if not self.unwrapped.agents:
            self.unwrapped.last(observe)  # which says so
        found: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return found


class raw_env(AECEnv, EzPickle):
    """The Red Cathedral for `num_players` agents that decide in turn.

    Observation of an agent: {"observation": (F,) float32 in [0, 1], or the whole numbers behind them as uint8
    (`observation_dtype`), laid out as `ruleset.observations` says, "action_mask": (A,) int8, 1 for each legal action};
    with `observation="box"` the vector alone. The same mask lies in `infos[agent]["action_mask"]`; it is all zero for
    everybody but the agent to move. A turn is several decisions of one agent. Action: a number of `ruleset.actions`.

    All agents receive their rewards at once, when the game ends; until then rewards are 0. `terminations` are ends by
    the rules (R-25), `truncations` ends by the turn limit (R-29); `infos` then hold each agent's final "prestige" and
    "place", from 0 (R-28). With `num_players=1` the one agent plays against Ivan, whose prestige `infos` hold as
    "ivan".

    `copy.deepcopy` and `pickle` copy the environment with the game in progress, which rolls what the original will
    roll. `get_state` and `set_state` hold the same as one value, which is faster to keep and to go back to.

    Args:
        num_players, workshop, data, turn_limit, reward: see `Ruleset`; `num_players` is its `players`.
        fourth_guild, special_tiles, promos, expansion_data, contractors: see `Ruleset`.
        observation: "dict" or "box".
        render_mode: "ansi" (`render` returns text), "human" (prints it, at each step too), "rgb_array" (a picture).
        observation_dtype: "float32", or "uint8" for the whole numbers of `ruleset.observations`, from 0 to its
            `divisors`.

    Raises:
        ValueError: a setting is out of range.

    Example:
        >>> from rc_env.red_cathedral_v0 import raw_env
        >>> env = raw_env()
        >>> env.reset(seed=1)
        >>> for agent in env.agent_iter():
        ...     observation, reward, termination, truncation, info = env.last()
        ...     over = termination or truncation
        ...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        >>> env.agents
        []
    """

    metadata = {
        "name": "red_cathedral_v0",
        "render_modes": list(render.MODES),
        "render_fps": render.FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        num_players: int = 2,
        workshop: str = "basic",
        data: str | os.PathLike[str] = "base",
        turn_limit: int = 1000,
        reward: str = "win",
        observation: str = "dict",
        render_mode: str | None = None,
        observation_dtype: str = "float32",
        fourth_guild: str = "clergy",
        special_tiles: bool = False,
        promos: bool = False,
        expansion_data: str | os.PathLike[str] = "contractors",
        contractors: bool = False,
    ) -> None:
        EzPickle.__init__(
            self, num_players, workshop, data, turn_limit, reward, observation, render_mode, observation_dtype,
            fourth_guild, special_tiles, promos, expansion_data, contractors,
        )  # fmt: skip
        AECEnv.__init__(self)
        checks.one_of("observation", observation, FORMS)
        self.render_mode = render.check_mode(render_mode)
        self.ruleset = Ruleset(
            num_players, workshop, data=data, turn_limit=turn_limit, reward=reward, fourth_guild=fourth_guild,
            special_tiles=special_tiles, promos=promos, expansion_data=expansion_data, contractors=contractors,
        )  # fmt: skip
        self.engine = Engine(self.ruleset)
        self._dealt = False
        self._as_dict = observation == "dict"
        # Views that are always up to date, and an array for the action: a step asks the engine for nothing else.
        self._legal = self.engine.legal_mask()[0]
        self._illegal = self.engine.illegal
        self._mover = self.engine.games.view(np.ndarray)["seat"]
        self._action = np.zeros(1, np.int64)

        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = observation_box(self.ruleset, observation_dtype)
        self._dtype = self.state_space.dtype
        self.observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(self.engine.num_actions) for agent in self.possible_agents}
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self.rewards: dict[str, float] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what `copy` and `pickle` keep: the settings and the game in progress."""
        state = self.get_state()
        state["games"] = state["games"].tobytes()  # NumPy copies records field by field, without what lies between
        return {**EzPickle.__getstate__(self), "state": state, "dealt": self._dealt}

    def __setstate__(self, state: dict[str, Any]) -> None:
        EzPickle.__setstate__(self, state)  # makes an environment with the same settings
        games = np.frombuffer(bytearray(state["state"]["games"]), self.engine.games.dtype)
        self.set_state({**state["state"], "games": games})
        self._dealt = state["dealt"]

    def _space(self) -> Box | Dict:
        space = observation_dict if self._as_dict else observation_box
        return space(self.ruleset, self._dtype.name)

    def observation_space(self, agent: str) -> Box | Dict:
        """The agent's observation space, always the same object.

        Raises:
            ValueError: there is no such agent.
        """
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> Discrete:
        """The agent's action space, always the same object.

        Raises:
            ValueError: there is no such agent.
        """
        return self.action_spaces[self._known(agent)]

    def _known(self, agent: str) -> str:
        return checks.one_of("agent", agent, self.possible_agents)

    def _check_dealt(self, call: str) -> None:
        if not self._dealt:
            raise ValueError(f"{call}: no game is being played; call reset() first")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game.

        Args:
            seed: decides the deal and every roll of this game and of those that follow without a seed; without one the
                first game's is drawn from the system, and later games go on.
            options: "deal" fixes parts of the deal, a `rules.setup.DEAL` array of one record; others are ignored.

        Raises:
            ValueError: the seed or the deal does not fit.
        """
        if seed is None and not self._dealt:
            seed = int(np.random.default_rng().integers(2**63))
        deal = checked_deal(self.engine, checked_options(options, "deal"), 1)
        self.engine.reset(seed=None if seed is None else checks.seed("seed", seed), deals=deal)
        self._dealt = True
        self.agents = list(self.possible_agents)
        self.agent_selection = self.possible_agents[self._mover.item()]
        self._skip_agent_selection = None
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_action()} for agent in self.agents}
        self.infos[self.agent_selection] = {"action_mask": self._legal.copy()}
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play a decision of `agent_selection`, a whole number; None for an agent whose game is over.

        Raises:
            ValueError: the action is not legal, or no number; the game stays as it was.
        """
        if not self.agents:
            raise ValueError("step: no game is being played; call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._action[0] = self._number(action)
        self.engine.step(self._action)
        if self._illegal.item():
            raise ValueError(self._refusal(int(self._action[0])))
        # New arrays and dicts, so that those returned earlier do not change. Rewards are 0 until the end.
        if len(self.engine.ended):
            self._end()
        else:
            mover = self.possible_agents[self._mover.item()]
            if mover != agent:
                self.infos[agent] = {"action_mask": self._no_action()}
                self.agent_selection = mover
            self.infos[mover] = {"action_mask": self._legal.copy()}
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """Give every agent its reward, and end all of them at once."""
        engine = self.engine
        results = engine.results()
        terminated, truncated = bool(engine.terminated[0]), bool(engine.truncated[0])
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(engine.rewards[0, seat])
            self.terminations[agent], self.truncations[agent] = terminated, truncated
            self.infos[agent] = {
                "action_mask": self._no_action(),
                "prestige": int(results.prestige[0, seat]),
                "place": int(results.place[0, seat]),
            }
            if self.ruleset.solo:
                self.infos[agent]["ivan"] = int(results.prestige[0, IVAN])
        self._accumulate_rewards()
        self._deads_step_first()

    def _number(self, action: Any) -> int:
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < len(self._legal) or isinstance(action, bool):
            checks.refuse("action", action, f"a whole number from 0 to {len(self._legal) - 1}")
        return number

    def _refusal(self, action: int) -> str:
        words, point = self.engine.action_to_text(action), self.engine.point()
        return f"action: {action} ({words!r}) is not legal for {self.agent_selection} at the point {point!r}"

    def _no_action(self) -> NDArray[np.int8]:
        return np.zeros(len(self._legal), np.int8)

    def observe(self, agent: str) -> np.ndarray | dict[str, np.ndarray]:
        """Return what the agent sees now, in new arrays; the class describes the form.

        Raises:
            ValueError: there is no such agent, or there was no `reset` yet.
        """
        if not self._dealt:
            self._check_dealt("observe")
        seat = self._seat[agent] if type(agent) is str and agent in self._seat else self._seat[self._known(agent)]
        vector = self.engine.observe(seat=None if seat == self._mover.item() else seat, dtype=self._dtype)[0]
        if not self._as_dict:
            return vector
        mask = self.infos[agent]["action_mask"] if agent in self.infos else self._no_action()
        return {"observation": vector, "action_mask": mask}

    def state(self) -> np.ndarray:
        """The game as `player_0` sees it, (F,) of the observations' dtype: everything except the contracts of others.

        Raises:
            ValueError: there was no `reset` yet.
        """
        self._check_dealt("state")
        return self.engine.observe(seat=0, dtype=self._dtype)[0]

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation (None unless `observe`), reward, termination, truncation and info of the agent to act.

        Raises:
            ValueError: there was no `reset` yet, or the game is over for all agents.
        """
        if observe is not True:
            checks.flag("observe", observe)
        if not self.agents:
            raise ValueError("last: no game is being played; call reset() first")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
            self.truncations[agent], self.infos[agent],
        )  # fmt: skip

    def get_state(self) -> dict[str, Any]:
        """Return the whole environment as one value that can be pickled and given to `set_state`, here or elsewhere.

        The copy rolls what the original will roll. (A search that must not see the future uses `engine.clone`.)
        """
        kept = {name: getattr(self, name) for name in _KEPT}
        games = self.engine.clone(same_future=True)
        return {"variant": astuple(self.ruleset), "games": games, **copy.deepcopy(kept)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Restore a state that `get_state` returned. With a wrapped `env`, call `last()` before the next `step`.

        Raises:
            ValueError: the value is not such a state, or belongs to another variant; the environment is unchanged.
        """
        self._check_state(state)
        self.engine.restore(state["games"])
        self._dealt = True
        self._skip_agent_selection = None
        for name in _KEPT:
            setattr(self, name, copy.deepcopy(state[name]))

    def _check_state(self, state: object) -> None:
        if not isinstance(state, Mapping) or not {"variant", "games", *_KEPT} <= set(state):
            checks.refuse("state", state, "what get_state() gave")
        if not isinstance(state["variant"], tuple) or state["variant"] != astuple(self.ruleset):
            found, expected = checks.shown(state["variant"]), astuple(self.ruleset)
            raise ValueError(f"state is one of {found}, but this environment plays {expected}")
        agents = state["agents"]
        if not isinstance(agents, list) or [one for one in self.possible_agents if one in agents] != agents:
            checks.refuse("state, agents", agents, f"some of {', '.join(self.possible_agents)}")
        checks.one_of("state, agent_selection", state["agent_selection"], self.possible_agents)
        for name in _BY_AGENT:
            if not isinstance(state[name], Mapping) or list(state[name]) != agents:
                checks.refuse(f"state, {name}", state[name], f"one for each of the agents {agents}")

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the board: text for "ansi", (H, W, 3) uint8 for "rgb_array"; "human" prints it and returns None."""
        if self.render_mode is None:
            logger.warn("render() does nothing: no render_mode was chosen when the environment was made.")
            return None
        self._check_dealt("render")
        return render.frame(self.ruleset, self.engine.games[0], self.render_mode)

    def _repr_svg_(self) -> str | None:
        """SVG of the board, shown by notebooks; None before the first `reset`."""
        return render.Board(self.engine).svg() if self._dealt else None

    def close(self) -> None:
        """Do nothing: the environment holds no resources to release."""
