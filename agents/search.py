"""The search bot: an open-loop Monte Carlo tree search over the decisions to come.

Each simulation copies the position, gives it randomness of its own, and goes through the usual stages: it selects
actions by PUCT down the tree (`select`), which is expanded on the way (`expand`), plays the game out with the plan in
every seat (`rollout`), values the end of the game for each seat (`evaluate`), and adds the values to the nodes that it
went through (`backup`). The prior of an action follows from the points that the plan gives it; at the root a network
may give it instead. The tree is open-loop: it holds decisions, not what the dice showed, so a node stands for all
positions that its actions can lead to. The n-th simulation of a decision always rolls the same dice, so actions are
compared with equal luck. The dice that the game itself will roll are neither seen nor used, and what the seat that
searches cannot see is drawn anew in each simulation. The compiled part is in `simulation.py`.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.net import NetBot
from rc_env.agents.plan import file_of, named
from rc_env.agents.simulation import DEPTH
from rc_env.bot import Position
from rc_env.jit import records
from rc_env.ruleset import Ruleset

BLOCK = 16  # simulations between two looks at the clock


class SearchBot:
    """Looks ahead for each decision; the most visited action is played.

    Args:
        simulations: games played out for each decision, a whole number from 1 to 1,000,000.
        milliseconds: if above 0, up to 1,000,000, the time for each decision instead of a number of simulations;
            results then depend on the machine.
        plan: who plays the games out, a name or file as for `plan.PlanBot`.
        exploration: weight of what the plan thinks against what the games say.
        temperature: points of the plan that make an action e times as likely.
        depth: decisions that the tree can hold below each other, 1 to 64.
        net: a network that says, instead of the plan, which actions of the decision itself to try first: a path, or
            "shipped", as for `net.NetBot`; "none" for none.
        seed: of the simulations; `reset` sets it.

    Raises:
        ValueError: a setting is out of range, or there is no such plan or network; when it is asked to play, the
            network is for another game.
    """

    name = "search"

    def __init__(
        self,
        simulations: int = 100,
        milliseconds: float = 0,
        plan: str = "all_rounder",
        exploration: float = 1.0,
        temperature: float = 8.0,
        depth: int = 4,
        net: str = "none",
        seed: int = 0,
    ) -> None:
        self._simulations = checks.whole_number("simulations", simulations, 1, 10**6)
        self._seconds = checks.number("milliseconds", milliseconds, 0, 10**6) / 1000
        self._temperature = checks.number("temperature", temperature, 1e-3, 10**6)
        self._settings = {
            "exploration": checks.number("exploration", exploration, 0, 1000),
            "temperature": self._temperature,
            "depth": checks.whole_number("depth", depth, 1, DEPTH),
        }
        file_of(plan)
        self._plan = plan
        self._net = None if isinstance(net, str) and net == "none" else NetBot(net)
        self._build: Any = None  # the compiled module that tree and work are for
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over: the dice of all simulations follow from this seed."""
        self._seed = checks.seed("seed", seed)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy keeps: all but the tree, which is begun anew for each decision."""
        return {**{name: value for name, value in vars(self).items() if name not in ("_tree", "_work")}, "_build": None}

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        self._prepare(Position.checked(position).ruleset)
        rules, weights = (
            records(position.ruleset.rules),
            records(named(self._plan, position.ruleset)),
        )
        games, root_points = records(position.games()), self._root_points(position)
        actions = np.empty(len(position), np.int64)
        for i in range(len(position)):
            start = time.perf_counter()
            done = 0
            while True:
                count = BLOCK if self._seconds else self._simulations
                actions[i] = self._build.search(
                    rules, weights, games[i : i + 1], root_points[i], self._tree, self._work, done, count
                )
                done += count
                if not self._seconds or time.perf_counter() - start >= self._seconds:
                    break
        return actions

    def _prepare(self, ruleset: Ruleset) -> None:
        """Have a tree and a place to work in for the build that the game is played with."""
        build = ruleset.module("agents.simulation")
        if build is not self._build:
            self._build = build
            self._tree = records(np.zeros(1, build.TREE))
            self._work = records(np.zeros(1, build.WORK))
            for name, value in self._settings.items():
                self._work[name] = value
        self._work["seed"] = self._seed

    def _root_points(self, position: Position) -> NDArray[np.float64]:
        """(N, A) float64: the points that make the priors of the legal actions those of the network's policy.

        Actions that are not legal have -inf. Without a network the array is (N, 0).
        """
        if self._net is None:
            return np.zeros((len(position), 0))
        logits = np.where(position.mask == 0, -np.inf, self._net.logits(position))
        points = self._temperature * (logits - logits.max(1, keepdims=True))
        # As without a network: for another type or layout the search would be compiled anew.
        return np.ascontiguousarray(points, np.float64)
