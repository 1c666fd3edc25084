"""The search bot: an open-loop Monte Carlo tree search over the decisions to come.

Each simulation copies the position, gives it randomness of its own, and goes through the usual stages: it selects
actions by PUCT down the tree (`select`), which is expanded on the way (`expand`), plays the game out with the plan in
every seat (`rollout`), values the end of the game for each seat (`evaluate`), and adds the values to the nodes that it
went through (`backward`). The prior of an action follows from the points that the plan gives it. The tree is open-loop:
it holds decisions, not what the dice showed, so a node stands for all positions that its actions can lead to. The n-th
simulation of a decision always rolls the same dice, so actions are compared with equal luck. The dice that the game
itself will roll are neither seen nor used, and what the seat that searches cannot see is drawn anew in each simulation.
The compiled part is in `simulation.py`. With a network it is another search: that of `playout_search.py`, where the
network plays games out.
"""

from __future__ import annotations

import inspect
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.build import AgentsBuild, build_of
from rc_env.agents.gumbel import MOST_CONSIDERED_ACTIONS, MOST_SIMULATIONS
from rc_env.agents.net import Net, NetBot
from rc_env.agents.plan import file_of, named
from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
from rc_env.agents.simulation import DEPTH
from rc_env.agents.thoughts import Thoughts
from rc_env.bot import Position
from rc_env.jit import records
from rc_env.ruleset import Ruleset

BLOCK = 16  # simulations between two looks at the clock
_PLAYOUTS = PlayoutSettings()


class SearchBot:
    """Chooses actions by looking ahead.

    Without a network, games are played out with a plan and the most visited action is chosen. With one it is the search
    of `playout_search.py`.

    Args:
        simulations: of each decision, a whole number from 1 to 1,000,000 (`num_simulations` of `PlayoutSettings`).
        milliseconds: if above 0, up to 1,000,000, the time for each decision instead of a number of simulations;
            results then depend on the machine.
        plan: the plan that plays games out, a name or file as for `plan.PlanBot`.
        exploration: weight of the plan's prior against the mean values of the simulations; without a network.
        temperature: softmax temperature of the prior, in the plan's points; without a network.
        depth: depth of the tree in decisions, 1 to 64; without a network.
        net: a network that guides the search: a path, or "shipped", as for `net.NetBot`; "none" for none.
        seed: of the simulations; `reset` sets it.
        candidates: actions that are tried, 1 to 256 (`max_num_considered_actions` of `PlayoutSettings`). With a
            network, as all that follow.
        sure: no action is tried where the network's most probable one has at least this probability, 0 to 1.
        start_sure: the same for the main action, with which a turn begins, where it is more than `sure`, 0 to 1.
        margin: the part that the lead at the end has in what a play-out is worth to the choice, 0 to 1.
        doubt: an action that is so many standard errors behind the best one is tried no more, 0 to 100; 0 for never.
        turns: turns of each seat after which the network's value ends a play-out, up to 10,000; 0 for the end of the
            game.
        visit_offset: c_visit of the improved policy, 0 to 100,000.
        value_scale: c_scale, the weight of values against the network's policy, 0 to 100,000.
        noise: scale of the Gumbel noise, 0 to 100; 0 for the strongest play.

    Attributes:
        simulations, milliseconds: as given.
        thoughts: the results of the last call of `act`; None before it, and without a network.

    Raises:
        ValueError: a setting is out of range, or would have no effect (a plan beside a network, say), or there is no
            such plan or network; when it is asked to play, the network is for another game.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.search import SearchBot
        >>> from rc_env.bot import Position
        >>> engine = Engine(seed=1)
        >>> bot = SearchBot(simulations=16, net="shipped")
        >>> list(bot.act(Position.of(engine))) == list(bot.thoughts.actions)
        True
        >>> int(bot.thoughts.visit_counts.sum()) <= 16
        True
    """

    name = "search"

    def __init__(
        self,
        simulations: int = 100,
        *,
        milliseconds: float = 0,
        plan: str = "all_rounder",
        exploration: float = 1.0,
        temperature: float = 8.0,
        depth: int = 4,
        net: str = "none",
        seed: int = 0,
        candidates: int = _PLAYOUTS.max_num_considered_actions,
        sure: float = _PLAYOUTS.sure,
        start_sure: float = _PLAYOUTS.start_sure,
        doubt: float = _PLAYOUTS.doubt,
        turns: int = _PLAYOUTS.turns,
        margin: float = _PLAYOUTS.margin,
        visit_offset: float = _PLAYOUTS.visit_offset,
        value_scale: float = _PLAYOUTS.value_scale,
        noise: float = _PLAYOUTS.noise,
    ) -> None:
        simulations = checks.whole_number("simulations", simulations, 1, MOST_SIMULATIONS)
        candidates = checks.whole_number("candidates", candidates, 1, MOST_CONSIDERED_ACTIONS)
        own: dict[str, Any] = {
            "sure": sure, "start_sure": start_sure, "doubt": doubt, "turns": turns, "margin": margin,
            "visit_offset": visit_offset, "value_scale": value_scale, "noise": noise,
        }  # fmt: skip
        settings = PlayoutSettings(simulations, milliseconds, candidates, **own)
        self.simulations, self.milliseconds = settings.num_simulations, settings.milliseconds
        self._settings = {
            "exploration": checks.number("exploration", exploration, 0, 1000),
            "temperature": checks.number("temperature", temperature, 1e-3, 10**6),
            "depth": checks.whole_number("depth", depth, 1, DEPTH),
        }
        self._plan = plan
        file_of(plan)
        self._net = None if isinstance(net, str) and net == "none" else NetBot(net)
        of_tree = {"plan": plan, **self._settings}
        idle, how = ({"candidates": candidates, **own}, "without") if self._net is None else (of_tree, "with")
        for name, value in idle.items():  # all are in range by now
            if value != inspect.signature(SearchBot).parameters[name].default:
                raise ValueError(f"{name}: has no effect on a search {how} a network (net): leave it out")
        self._guided = PlayoutSearch(settings)
        self._build: type[AgentsBuild.simulation] | None = None  # what tree and work are for
        self.thoughts: Thoughts | None = None
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Set the seed that the dice of all simulations follow from."""
        self._seed = checks.seed("seed", seed)
        self._guided.reset(seed)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies: all but the tree, which is built for each decision."""
        kept = {name: value for name, value in vars(self).items() if name not in ("_tree", "_work")}
        return {**kept, "_build": None}

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        if self._net is not None:
            return self._act_by(self._net.net_for(Position.checked(position).ruleset), position)
        build = self._prepare(Position.checked(position).ruleset)
        rules, weights = (
            position.ruleset._compiled,
            records(named(self._plan, position.ruleset)),
        )
        games, masks = records(position.games()), checks.plain(position.mask)
        actions = np.empty(len(position), np.int64)
        for i in range(len(position)):
            start = time.perf_counter()
            done = 0
            while True:
                count = BLOCK if self.milliseconds else self.simulations
                root, mask = games[i : i + 1], masks[i : i + 1]
                actions[i] = build.search(rules, weights, root, mask, self._tree, self._work, done, count)
                done += count
                if not self.milliseconds or 1000 * (time.perf_counter() - start) >= self.milliseconds:
                    break
        return actions

    def _act_by(self, net: Net, position: Position) -> NDArray[np.int64]:
        """Choose actions as `act` does, with a network."""
        self.thoughts = self._guided.think(position, net)
        return self.thoughts.actions

    def _prepare(self, ruleset: Ruleset) -> type[AgentsBuild.simulation]:
        """Have a tree and a place to work in for the build that the game is played with."""
        build = build_of(ruleset).simulation
        if build is not self._build:
            self._build = build
            self._tree = records(np.zeros(1, build.TREE))
            self._work = records(np.zeros(1, build.WORK))
            for name, value in self._settings.items():
                self._work[name] = value
        self._work["seed"] = self._seed
        return build
