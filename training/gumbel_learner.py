"""Self-play with search: the network learns the policy that a search by play-outs improves, and the outcome of games.

In each position the search of `rc_env.agents.playout_search` lets the network that is trained play games out, from
candidates that are chosen with Gumbel noise. The network learns the improved policy of the search (Danihelka and
others, "Policy improvement by planning with Gumbel", 2022), and a value target that is a mixture of the game's outcome
and of the means of the play-outs. A small network of its own, which is not exported, learns the final prestige of each
seat from the trunk's output, an auxiliary target that adds signal (as in KataGo; Wu, "Accelerating Self-Play Learning
in Go", 2019). Playout-cap randomisation is taken from there, too: with `full_share` below 1 the other decisions take
few play-outs, or none, so that more games end in the same time; for these only the value is learned. Decisions of
which the network is sure need no search either (`sure`): it would hardly change them. There the policy that it played
by is the target, so that it does not drift away while the trunk learns from the other decisions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rc_env.agents import net
from rc_env.agents.playout_search import PlayoutSearch
from rc_env.agents.thoughts import Thoughts
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.training import parallel
from rc_env.training.learner import Learner
from rc_env.training.network import Network, draw, entropy_of, linear, log_policy
from rc_env.training.pool import OpponentPool
from rc_env.training.replay import Endings, Lessons, OpenDecisions, ReplayBuffer, taught_by
from rc_env.training.settings import TrainingSettings

PRESTIGE = 10.0  # the target is prestige divided by this, so that its size is about 1


class GumbelLearner(Learner):
    """A stage of training: `iterate` plays `steps` decisions in each game and learns from a replay buffer.

    Only decisions of the learner's own seats are learned from, each when its game has ended.

    Args:
        settings: see `TrainingSettings`.
        network: the network that is trained, and that plays games out as it was at the beginning of an iteration.
        pool: the opponents, which play without a search.
        seed: of the deals.

    Attributes:
        replay: the replay buffer.
        prestige: the layers that learn the final prestige.
    """

    def __init__(self, settings: TrainingSettings, network: Network, pool: OpponentPool, seed: int = 0) -> None:
        players, hidden = settings.ruleset.players, settings.heads
        out = linear(hidden, players, 0.01)  # small, so that it learns before it changes the trunk
        out.bias.data.fill_(2)
        first = linear(settings.trunk, hidden, 2**0.5)
        self.prestige = torch.nn.Sequential(first, torch.nn.ReLU(), out).to(network.device)
        super().__init__(settings, network, pool, settings.learning_rate, seed, (self.prestige,))
        self._full = PlayoutSearch(settings.search(settings.simulations))
        quick = settings.fast_simulations
        self._fast = PlayoutSearch(settings.search(quick)) if quick else None
        size = (settings.ruleset.observations.size, settings.ruleset.actions.size, players)
        self.replay = ReplayBuffer(settings.replay, Lessons.none(*size, settings.values))
        self._none = OpenDecisions.none(*size)
        self._open = self._none
        self._ended: list[Endings] = []
        self._due, self._added = 0, 0  # samples still to be drawn for what was added

    def over(self, rows: NDArray[np.int64]) -> None:
        """Note how the games in these rows of the engine have ended, for `results` and for their decisions."""
        super().over(rows)
        engine, players = self.games.engine, self.settings.ruleset.players
        prestige = engine.results(rows).prestige[:, :players].astype(np.float32)
        self._ended.append(Endings(self.games.number[rows], engine.rewards[rows].astype(np.float32), prestige))

    def iterate(self, progress: float) -> dict[str, float]:
        """Play and learn once.

        Args:
            progress: how much of the stage is done, from 0 to 1.

        Returns:
            Means by name: the losses, "entropy" of the policy, "kl" from the policy targets to it, "samples"
            that were added to the buffer, "replay", its size, and of games that ended "won" and "unfinished".
        """
        seed = int(torch.randint(2**62, ()))
        self._full.reset(seed)
        if self._fast is not None:
            self._fast.reset(seed)
        self.collect()
        with self.clock("optimiser"):
            return self.learn(progress) | self.results()

    # --- play

    def collect(self) -> None:
        """Play `steps` decisions in each game, and add the decisions of games that end to the buffer."""
        games, parts = self.games, [self._open]
        self._playing = net.Net(self.network.layers(), net.describe(self.settings.ruleset))
        for _ in range(self.settings.steps):
            mine = games.mine
            rows = np.flatnonzero(mine)
            actions = np.zeros(0, np.int64)
            # One draw for all games of a step: searching a part of them would take three times as long for each.
            full = float(torch.rand(())) < self.settings.full_share
            if len(rows):
                with self.clock("engine"):
                    assert isinstance(games.engine, Engine)  # the settings refuse several sets of cards
                    position = Position.of(games.engine, rows)
                    numbers = position.numbers
                with self.clock("search"):
                    log_probs, unsure = self._policy(position)
                    actions, thoughts = self._decide(log_probs, unsure, rows, self._full if full else self._fast)
                parts.append(self._noted(position, numbers, rows, log_probs, unsure, thoughts if full else None))
            games.step(actions, mine)
        with self.clock("replay"):
            self._open = self._none.followed_by(*parts)
            if self._ended:
                columns = zip(*((end.games, end.rewards, end.prestige) for end in self._ended), strict=True)
                endings = Endings(*(np.concatenate(column) for column in columns))
                s = self.settings
                lessons, self._open = taught_by(self._open, endings, s.values, s.search_share)
                self.replay.add(lessons)
                self._due += s.epochs * len(lessons)
                self._added = len(lessons)
            self._ended = []

    def _policy(self, position: Position) -> tuple[torch.Tensor, NDArray[np.bool_]]:
        """(K, A) log-probabilities of the network in K positions, and (K,) where it is not sure."""
        logits = torch.from_numpy(self.network.evaluate(position.numbers, values=0)[0])
        log_probs = log_policy(logits, torch.from_numpy(position.mask) == 1)
        return log_probs, (log_probs.max(1).values <= math.log(self.settings.sure)).numpy()

    def _decide(
        self, log_probs: torch.Tensor, unsure: NDArray[np.bool_], rows: NDArray[np.int64], search: PlayoutSearch | None
    ) -> tuple[NDArray[np.int64], Thoughts | None]:
        """Choose actions in K rows of the engine.

        Returns:
            (K,) int64 actions, drawn from the network's policy where there was no search; the thoughts of the search on
            the unsure ones, None if there was none.
        """
        actions: NDArray[np.int64] = draw(log_probs).numpy()
        if search is None or not unsure.any():
            return actions, None
        assert isinstance(self.games.engine, Engine)  # the settings refuse several sets of cards
        thoughts = search.think(Position.of(self.games.engine, rows[unsure]), self._playing)
        actions[unsure] = thoughts.actions
        return actions, thoughts

    def _noted(
        self,
        position: Position,
        numbers: NDArray[np.uint8],
        rows: NDArray[np.int64],
        log_probs: torch.Tensor,
        unsure: NDArray[np.bool_],
        thoughts: Thoughts | None,
    ) -> OpenDecisions:
        """K decisions in these rows; the unsure ones have a policy target if there was a full search, with thoughts."""
        count, seats = len(rows), position.seat.astype(np.int64)
        players = self.settings.ruleset.players
        policies = np.where(unsure[:, None], 0, log_probs.exp().numpy()).astype(np.float16)
        expected = np.zeros((count, players), np.float32)
        searched = unsure & (thoughts is not None)
        if thoughts is not None:
            order = (seats[searched, None] + np.arange(players)) % players
            policies[searched] = thoughts.policy
            expected[searched] = np.take_along_axis(expected_of(thoughts), order, 1)
        masks = np.packbits(position.mask.view(np.bool_), 1)
        return OpenDecisions(numbers, masks, policies, searched, expected, seats, self.games.number[rows])

    # --- learn

    def learn(self, progress: float) -> dict[str, float]:
        """Take gradient steps on `epochs` samples for each new lesson in the buffer; return mean losses."""
        s, added = self.settings, self._added
        self._added = 0
        measured = []
        steps = parallel.least(self._due // s.batch)
        self._due -= steps * s.batch
        for _ in range(steps):
            losses = self.losses(self.replay.draw(s.batch))
            policy_loss, value_loss, prestige_loss = losses[:3]
            loss = policy_loss + s.value_weight * value_loss + s.prestige_weight * prestige_loss
            self.descend(loss, s.learning_rate_at(progress))
            measured.append(torch.stack(losses).detach())
        names = ("policy_loss", "value_loss", "prestige_loss", "entropy", "kl")
        means = torch.stack(measured).mean(0).tolist() if measured else ()
        counts = {"samples": float(added), "replay": float(len(self.replay))}
        return {**dict(zip(names, means, strict=bool(measured))), **counts}

    def losses(self, lessons: Lessons) -> list[torch.Tensor]:
        """The losses of policy, value and prestige, the policy's entropy, and the divergence from the search to it.

        The policy is compared where it has a target; all is 0 where none has.
        """
        device, actions = self.network.device, lessons.policies.shape[1]
        masks = torch.from_numpy(np.unpackbits(lessons.masks, 1, actions).view(np.bool_)).to(device)
        policies = torch.from_numpy(lessons.policies.astype(np.float32)).to(device)
        scaled, z = self.network.features(self.network.encode(lessons.numbers))
        log_probs = log_policy(self.network.logits(scaled, z), masks)
        weights = (policies.sum(1) > 0).float()
        weights /= weights.sum().clamp(min=1)
        policy_loss = -((policies * log_probs).sum(1) * weights).sum()
        value_loss = functional.mse_loss(self.network.values(z), torch.from_numpy(lessons.values).to(device))
        prestige = torch.from_numpy(lessons.prestige).to(device) / PRESTIGE
        prestige_loss = functional.mse_loss(self.prestige(z.float()), prestige)
        with torch.no_grad():
            certain = (torch.xlogy(policies, policies).sum(1) * weights).sum()
            entropy = entropy_of(log_probs).mean()
        return [policy_loss, value_loss, prestige_loss, entropy, policy_loss + certain]

    # --- checkpoints

    def state(self) -> dict[str, Any]:
        """Like `Learner.state`, with the buffer, the decisions of open games and the layers for the prestige."""
        return {
            **super().state(),
            "prestige": self.prestige.state_dict(),
            "replay": self.replay.state(),
            "open": self._open.packed(),
            "due": self._due,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state that `state` returned."""
        super().restore(state)
        self.prestige.load_state_dict(state["prestige"])
        self.replay.restore(state["replay"])
        self._open = self._none.unpacked(state["open"])
        self._due = int(state["due"])


def expected_of(thoughts: Thoughts) -> NDArray[np.float32]:
    """The expected value of each seat under the improved policy, (N, P) float32.

    The mean of the Q-values of the actions that were tried, weighted by that policy; of the action chosen where it has
    almost nothing left for them.
    """
    weights = np.where(thoughts.visit_counts > 0, thoughts.policy, 0)
    total = weights.sum(1, keepdims=True)
    means = np.einsum("na,nap->np", weights, np.nan_to_num(thoughts.qvalues)) / np.maximum(total, 1e-6)
    found: NDArray[np.float32] = np.where(total > 1e-6, means, thoughts.value).astype(np.float32)
    return found
