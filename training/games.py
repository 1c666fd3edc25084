"""Self-play games: one engine, in which the learner and the members of an opponent pool decide.

With several sets of cards it is a group of engines, some sets at a time, which take turns.

Shape letters as in `rc_env.engine`: B games, P seats; K of the B games wait for a decision of the learner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import torch
from numpy.typing import NDArray

from rc_env import checks, seating
from rc_env.bot import Bot
from rc_env.engine import Engine
from rc_env.engine_group import EngineGroup
from rc_env.ruleset import Ruleset
from rc_env.training.clock import Clock
from rc_env.training.pool import LEARNER, OpponentPool

RowsCall = Callable[[NDArray[np.int64]], None]
FEWEST, MOST, EACH = 4, 16, 32
"""Sets of cards played at once: one for every EACH games, but at least FEWEST and at most MOST. More would make
batches for scripted bots small; with fewer, rollouts are one-sided, and a short training meets few of the sets."""
STAY = 1024
"""Decisions per game before another set takes a set's place: several games long, since games in progress are
dropped."""


def _nothing(rows: NDArray[np.int64]) -> None:
    """Do nothing: the default callback for finished games, a named function so that it can be pickled."""


class SelfPlayGames:
    """B games in which the learner and the members of an opponent pool decide.

    In each new game one seat is the learner's, in rotation; the players of the other seats are drawn from the pool,
    which may name the learner again, and stay until the game ends. Games that end are dealt anew in the same step.
    There are two ways to step: `step` plays one decision in each game, of the learner or of an opponent;
    `step_to_learner` plays the learner's actions, then the opponents' until every game waits for the learner again.

    Args:
        ruleset: the variant, or several that differ in their data files alone; up to MOST are played at a time.
        num_games: B.
        pool: the opponents.
        threads: of the engine.
        over: called with the rows of games that have ended, before they are dealt anew. A game that is dealt and ends
            within one `step_to_learner`, before the learner decided in it, is not reported.

    A member of the pool may lead: play the first turns of some of the learner's seats (`lead`).

    Attributes:
        clock: the time spent in the engine and in opponents.
        learner: (B,) int64, the seat that is always the learner's.
        players: (B, P) int64, the number of the pool's member on each seat; LEARNER for the learner.
        led: (B, P) int64, how many turns of the seat a member of the pool plays before the learner takes it over; 0
            where there is nothing to take over.
        rewards: (B, P) float32, the reward of each seat for the game that ended in the last step; else 0.
        dones: (B,) bool, the games that ended in the last step.
    """

    def __init__(
        self,
        ruleset: Ruleset | Sequence[Ruleset],
        num_games: int,
        pool: OpponentPool,
        *,
        threads: int = 1,
        over: RowsCall | None = None,
    ) -> None:
        self._sets = [ruleset] if isinstance(ruleset, Ruleset) else list(ruleset)
        self.engine: Engine | EngineGroup
        if len(self._sets) == 1:
            self.engine = Engine(self._sets[0], num_games, threads=threads)
        else:
            at_once = min(num_games, MOST, max(FEWEST, num_games // EACH))
            self.engine = EngineGroup(self._sets[:at_once], num_games, threads=threads)
        # The seed of the order of sets, how many sets have entered, and the decisions since the last one entered.
        self._seed, self._turns, self._played = 0, 0, 0
        ruleset = self._sets[0]
        self.pool = checks.instance("pool", pool, OpponentPool, "an OpponentPool")
        self.clock = Clock()
        self.over: RowsCall = _nothing if over is None else over
        self.learner = np.zeros(num_games, np.int64)
        self.players = np.full((num_games, ruleset.players), LEARNER)
        self.led = np.zeros((num_games, ruleset.players), np.int64)
        self._guide, self._share, self._most = LEARNER, 0.0, 0
        self.rewards = np.zeros((num_games, ruleset.players), np.float32)
        self.dones = np.zeros(num_games, np.bool_)
        self._all = np.arange(num_games)
        self._dealt = np.zeros(num_games, np.int64)  # how often each row was dealt
        self._generator: np.random.Generator | None = None

    @property
    def seat(self) -> NDArray[np.int8]:
        """(B,) int8, the seat that has to decide. A view."""
        seat: NDArray[np.int8] = self.engine.games.view(np.ndarray)["seat"]
        return seat

    @property
    def number(self) -> NDArray[np.int64]:
        """(B,) int64, a unique number for each game."""
        return self._all + len(self._all) * self._dealt

    @property
    def sets(self) -> list[Ruleset]:
        """The rulesets that are played now, in the order of their rows."""
        return [engine.ruleset for engine in self._engines]

    def won(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(N,) the learner's share of the victory, from 0 to 1, in these rows of the engine, whose games are over."""
        winners = self.engine.results(rows).winners
        return winners[np.arange(len(rows)), self.learner[rows]] / winners.sum(1)

    @property
    def _engines(self) -> tuple[Engine, ...]:
        return self.engine.engines if isinstance(self.engine, EngineGroup) else (self.engine,)

    def draw_from(self, seed: int) -> None:
        """Draw opponents and their choices from this seed from now on."""
        self._generator = np.random.default_rng(checks.seed("seed", seed))
        self.pool.reset(seed)

    def lead(self, guide: str, share: float, most: int) -> None:
        """Let a member of the pool play the first turns of the learner's seats, in games that are dealt from now on.

        So the learner meets positions that it would not reach by itself (jump-start reinforcement learning, Uchendu and
        others 2022). The decisions of the guide are not the learner's.

        Args:
            guide: the name of a scripted bot of the pool.
            share: of the learner's seats, 0 to 1.
            most: the number of turns is drawn for each of them, from 1 to this number; 0 for no more guidance.

        Raises:
            ValueError: the pool has no such bot, or a number is out of range.
        """
        self._guide = self.pool.number_of(guide)
        self._share = float(checks.number("share", share, 0, 1))
        self._most = checks.whole_number("most", most, 0, 10**6)

    def reset(self, seed: int | None = None) -> None:
        """Deal every game: from a seed, or without one the next games.

        Raises:
            ValueError: the seed is out of range, or there has been none yet.
        """
        if seed is None and self._generator is None:
            raise ValueError("the first reset needs a seed, a whole number from 0 to 2^64 - 1")
        if seed is not None:
            self.draw_from(seed)
            self._dealt[:] = 0
            if isinstance(self.engine, EngineGroup):
                self._seed, self._turns, self._played = seed, 0, 0
                for place in range(len(self._engines)):
                    self._enter(place)
        self.engine.reset(seed=seed)
        self._seat_players(self._all)

    def rotate(self, steps: int) -> None:
        """Replace sets that have been played for STAY decisions by the next ones.

        Their games in progress are dropped. To be called between two rollouts, which end there anyway. Where all sets
        are played at once nothing changes.
        """
        if not isinstance(self.engine, EngineGroup) or len(self._sets) == len(self._engines):
            return
        self._played += steps
        while self._played * len(self._engines) >= STAY:
            self._played -= STAY // len(self._engines)
            place = self._turns % len(self._engines)
            self._turns += 1
            self._enter(place)
            self._seat_players(self.engine.rows_of(place))

    def _enter(self, place: int) -> None:
        """Let the next set take the place of an engine's set; sets enter in a random order that repeats."""
        assert isinstance(self.engine, EngineGroup)
        count, places = len(self._sets), len(self._engines)
        number = place + places * -(-(self._turns - place) // places)
        order = np.random.default_rng([self._seed, 0]).permutation(count)
        seed = int(np.random.SeedSequence([self._seed, 1, number]).generate_state(1, np.uint64)[0])
        self.engine.exchange(place, self._sets[order[number % count]], seed)

    @property
    def mine(self) -> NDArray[np.bool_]:
        """(B,) bool, the games in which the learner is to decide."""
        return self.players[self._all, self.seat] == LEARNER

    def step(self, actions: NDArray[np.int64], mine: NDArray[np.bool_]) -> None:
        """Play one decision in each game.

        Args:
            actions: (K,) actions of the learner, in the order of the games that wait for it.
            mine: (B,) bool, the games that wait for it.

        Raises:
            ValueError: an action is not legal (the other games have been played on); the wrong number of actions, or no
                `reset` yet, and nothing was played.
        """
        self.check_begun()
        if np.shape(mine) != (self.engine.num_games,) or np.shape(actions) != (np.count_nonzero(mine),):
            expected = f"one for each of {np.count_nonzero(mine)} games of {self.engine.num_games}"
            raise ValueError(f"actions must be {expected}, not an array of shape {np.shape(actions)}")
        chosen = np.empty(len(mine), np.int64)
        chosen[mine] = actions
        others = np.flatnonzero(~mine)
        if len(others):
            chosen[others] = self._decide(others)
        self._begin()
        self._play(self._all, chosen)
        self._take_over()

    def step_to_learner(self, actions: NDArray[np.integer[Any]] | None = None) -> None:
        """Play (B,) actions of the learner, then the opponents' until every game waits for the learner again.

        Without actions only the opponents play.

        Raises:
            ValueError: as `step`.
        """
        self.check_begun()
        if actions is not None:
            actions = seating.answer(actions, self.engine.num_games)
        self._begin()
        if actions is not None:
            self._play(self._all, actions)
            self._take_over()
        while len(rows := np.flatnonzero(~self.mine)):
            self._play(rows, self._decide(rows))
            self._take_over()

    def check_begun(self) -> None:
        """Raise unless games have been dealt."""
        if self._generator is None:
            raise ValueError("step: no games are being played; call reset(seed) first")

    def _begin(self) -> None:
        self.rewards[:] = 0
        self.dones[:] = False

    def _play(self, rows: NDArray[np.int64], actions: NDArray[np.integer[Any]]) -> None:
        """Play one decision in each of the rows, and deal the games anew that ended."""
        with self.clock("engine"):
            seating.step(self.engine, rows, actions, self._refuse)
            ended = self.engine.ended
            if len(ended):
                # A game that was dealt in this step and ends before the learner decides is no episode of the learner.
                fresh = ended[~self.dones[ended]]
                self.rewards[fresh] = self.engine.rewards[fresh]
                self.dones[fresh] = True
                if len(fresh):
                    self.over(fresh)
                self.engine.reset(ended)
                self._seat_players(ended)

    def _seat_players(self, rows: NDArray[np.int64]) -> None:
        """Draw the players of the new games in these rows."""
        self.learner[rows] = (rows + self._dealt[rows]) % self.engine.num_players
        self._dealt[rows] += 1
        assert self._generator is not None
        drawn = self.pool.draw(self._generator, (len(rows), self.engine.num_players))
        drawn[np.arange(len(rows)), self.learner[rows]] = LEARNER
        self.led[rows] = 0
        if self._most:
            led = (drawn == LEARNER) & (self._generator.random(drawn.shape) < self._share)
            self.led[rows] = np.where(led, self._generator.integers(1, self._most + 1, drawn.shape), 0)
            drawn[led] = self._guide
        self.players[rows] = drawn

    def _take_over(self) -> None:
        """Give the learner the seats that have to decide and have been led for their number of turns."""
        if not self.led.any():
            return
        led = self.led[self._all, self.seat]
        played = (self.engine.games.view(np.ndarray)["turn"] - 1) // self.engine.num_players  # before this turn
        rows = np.flatnonzero((led > 0) & (played >= led))
        self.players[rows, self.seat[rows]] = LEARNER
        self.led[rows, self.seat[rows]] = 0

    def _decide(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The opponents' actions, (N,), with one call for each member of the pool."""
        who = self.players[rows, self.seat[rows]]
        actions = np.empty(len(rows), np.int64)
        for _, places, chosen in seating.choices(self.pool.bots.items(), who, rows, self.ask):
            actions[places] = chosen
        return actions

    def ask(self, bot: Bot, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """A bot's actions in (N,) rows, with one call per set of cards unless the bot uses only observations."""
        actions = np.empty(len(rows), np.int64)
        with self.clock("engine"):
            positions = list(seating.positions_of(self.engine, bot, rows))
        for position, where in positions:
            with self.clock("opponents"):
                actions[where] = seating.answer(bot.act(position), len(position))
        return actions

    def _refuse(self, row: int, action: int) -> NoReturn:
        """Raise a ValueError that names who chose an illegal action."""
        number = self.players[row, self.seat[row]]
        who = "the learner" if number == LEARNER else f"opponent {self.pool.bots[number].name!r}"
        raise ValueError(f"action {action} of {who} is not allowed by the mask in environment {row}")

    # --- checkpoints

    def state(self) -> dict[str, Any]:
        """The state of every game as tensors, for `restore`; without the generators, which `draw_from` seeds."""
        games = self.engine.clone(same_future=True)
        return {
            "games": torch.from_numpy(games.view(np.uint8).copy()),
            # Fresh keys for copies that bots look ahead with continue from here.
            "clones": [engine._clones for engine in self._engines],
            "turns": (self._seed, self._turns, self._played),
            "learner": torch.from_numpy(self.learner.copy()),
            "players": torch.from_numpy(self.players.copy()),
            "led": torch.from_numpy(self.led.copy()),
            "dealt": torch.from_numpy(self._dealt.copy()),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Put every game into a state that `state` returned."""
        players = state["players"].numpy()
        if unknown := set(np.unique(players).tolist()) - {LEARNER, *self.pool.bots}:
            raise ValueError(f"players must be members of the pool, not {sorted(unknown)}")
        self._seed, self._turns, self._played = state["turns"]
        if isinstance(self.engine, EngineGroup):
            for place in range(len(self._engines)):
                self._enter(place)
        self.engine.restore(state["games"].numpy().view(self.engine.games.dtype))
        for engine, clones in zip(self._engines, state["clones"], strict=True):
            engine._clones = clones
        self.learner[:] = state["learner"].numpy()
        self.players[:] = players
        self.led[:] = state["led"].numpy()
        self._dealt[:] = state["dealt"].numpy()
