"""The results of a search as data, for training, for records and for hints.

Shape letters: N positions, A actions, P players, D decisions of a principal variation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.ruleset import Ruleset

TWO_ERRORS = 1.96
"""Standard errors on either side of a number within which the true one lies in 95 of a hundred cases."""


@dataclass(frozen=True)
class Thoughts:
    """The results of a search of N positions. Values and Q-values are from -1 (last place) to 1 (first place).

    With a network that was trained for the reward "first" they are from -1 for no chance to win to 1 for certainty.

    Attributes:
        ruleset: the variant.
        seat: (N,) int8, the seat that decides.
        actions: (N,) int64, the actions chosen.
        prior: (N, A) float32, the network's policy; 0 for actions that are not legal.
        policy: (N, A) float32, the improved policy, to be learned; 0 for actions that are not legal. Its highest is not
            always the action chosen, which is the best one of those that no round of the halving has left out.
        visit_counts: (N, A) int32, simulations that began with each action.
        qvalues: (N, A, P) float32, what each seat may expect after each action; NaN without visits.
        errors: (N, A, P) float32, the standard errors of `qvalues`; NaN where they are not known.
        value: (N, P) float32, what each seat may expect after the action chosen.
        variation: (N, D) int16, the principal variation: the action chosen, then those visited most, then -1.
        variation_seats: (N, D) int8, who would play them; -1 where there is none.
        simulations: how many there were for all positions together.
        evaluations: how many positions the network was asked about.

    Example:
        >>> from rc_env import Engine, make_bot
        >>> from rc_env.bot import Position
        >>> from rc_env.agents.net import NetBot
        >>> from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
        >>> engine = Engine(seed=1)
        >>> net = NetBot("shipped").net_for(engine.ruleset)
        >>> thoughts = PlayoutSearch(PlayoutSettings(num_simulations=8)).think(Position.of(engine), net)
        >>> thoughts.policy.shape, len(thoughts.in_words(0)) > 0
        ((1, 263), True)
    """

    ruleset: Ruleset
    seat: NDArray[np.int8]
    actions: NDArray[np.int64]
    prior: NDArray[np.float32]
    policy: NDArray[np.float32]
    visit_counts: NDArray[np.int32]
    qvalues: NDArray[np.float32]
    errors: NDArray[np.float32]
    value: NDArray[np.float32]
    variation: NDArray[np.int16]
    variation_seats: NDArray[np.int8]
    simulations: int
    evaluations: int

    def __len__(self) -> int:
        return len(self.actions)

    def for_record(self, row: int) -> dict[str, object]:
        """The keys "policy" and "value" of a decision of a record: the improved policy in words, one value per seat.

        Raises:
            ValueError: there is no such row.
        """
        row = checks.whole_number("row", row, 0, len(self) - 1)
        return {
            "policy": {
                self._words(row, action): round(float(self.policy[row, action]), 4)
                for action in np.argsort(-self.policy[row], kind="stable").tolist()
                if self.policy[row, action] >= 0.00005
            },
            "value": [round(float(value), 3) for value in self.value[row]],
        }

    def in_words(self, row: int) -> list[str]:
        """The results for one position in sentences, for a hint: actions tried, expected results, expected next moves.

        Raises:
            ValueError: there is no such row.
        """
        row = checks.whole_number("row", row, 0, len(self) - 1)
        seat, visits = int(self.seat[row]), self.visit_counts[row]
        looked = np.flatnonzero(visits)
        chosen = int(self.actions[row])
        order = looked[np.lexsort((-self.policy[row, looked], -visits[looked], looked != chosen))][:4]
        parts = []
        for action in order.tolist():
            error, value = self.errors[row, action, seat], self.qvalues[row, action, seat]
            # The spread of two or three play-outs says nothing: they are often equal.
            within = f" ± {TWO_ERRORS * error:.2f}" if visits[action] >= 4 and np.isfinite(error) else ""
            parts.append(f"{self._words(row, action)} ({visits[action]}, value {value:+.2f}{within})")
        more = f", and {len(looked) - len(order)} more" if len(looked) > len(order) else ""
        sentences = [f"Simulations, and what they led to, from -1 (the worst) to +1 (won): {'; '.join(parts)}{more}."]
        values = self.qvalues[row, looked, seat]
        if chosen in looked and values[looked == chosen][0] < values.max():
            sentences.append("The network's own choice and the lead in prestige count as well as these values.")
        if not len(looked):
            chance = float(self.prior[row].max())
            sentences = [f"It tried no action: its network gives this one {chance:.0%}."]
        coming = [
            (int(who), self.ruleset.actions.to_text(int(action), int(who)))
            for action, who in zip(self.variation[row, 1:], self.variation_seats[row, 1:], strict=True)
            if action >= 0
        ]
        if coming:
            sentences.append(
                "It expects next: "
                + "; ".join(words if who == seat else f"seat {who} {words}" for who, words in coming)
                + "."
            )
        return sentences

    def _words(self, row: int, action: int) -> str:
        return self.ruleset.actions.to_text(action, int(self.seat[row]))


def joined(parts: list[Thoughts]) -> Thoughts:
    """The thoughts about some positions, followed by those about others of the same variant."""
    if len(parts) == 1:
        return parts[0]
    arrays = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name, value in vars(parts[0]).items()
        if isinstance(value, np.ndarray)
    }
    return Thoughts(
        ruleset=parts[0].ruleset,
        simulations=sum(part.simulations for part in parts),
        evaluations=sum(part.evaluations for part in parts),
        **arrays,
    )
