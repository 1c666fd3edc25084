"""Games played out by a network in compiled code: every decision of every seat is its most probable action.

A play-out copies a position, plays an action in it, and goes on to the end of the game, or to the beginning of a later
turn, where the network's value stands in for the rest. Its dice follow from a key of its own: play-outs of different
actions with the same key meet the same n-th roll of each die, so that the actions are compared with equal luck. Like
the rules, this module is loaded once for each build: `in_build(PlayOuts, ruleset.full)`.

Shape letters: N positions, K play-outs, P players, D decisions of a line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents import forward
from rc_env.ruleset import Ruleset

from ..jit import kernel, records, rule
from ..kernels import forget, hand_out, observe_again
from ..layout.packing import SEEN, WORDS, U
from ..rules import ending, hidden, track, turn
from ..rules.printed.sizes import SEATS
from ..rules.state import GAME, PLAYING
from ..rules.verbs import MENU, PLACES, Verb

AHEAD = 12
"""Decisions of a line at most."""


@dataclass(frozen=True)
class Outcomes:
    """What became of K play-outs.

    Attributes:
        rewards: (K, P) float32, the reward of each seat; the network's value where a play-out was cut off.
        lines: (K, D) int16, the first decisions, beginning with the action that was tried; then -1.
        line_seats: (K, D) int8, who took them; then -1.
        decisions: (K,) int32, how many there were, the first one not counted.
        prestige: (K, seats, 3) int16, what each seat scored at the end, or would score where a play-out was cut off:
            on the track, for towers, and for what it holds.
        over: (K,) bool, whether the game ended.
    """

    rewards: NDArray[np.float32]
    lines: NDArray[np.int16]
    line_seats: NDArray[np.int8]
    decisions: NDArray[np.int32]
    prestige: NDArray[np.int16]
    over: NDArray[np.bool_]


class PlayOuts:
    """Plays games out with a network. One thread at a time may use it.

    Args:
        ruleset: the variant that is played.
        policy: the network's weights.
        reward: the reward at the end of a game, whatever that of the ruleset is: see `Ruleset`.

    Raises:
        ValueError: the network is for another variant.
    """

    def __init__(self, ruleset: Ruleset, policy: forward.Forward, reward: str = "win") -> None:
        policy.net.check_fits(ruleset)  # compiled code would read beyond its weights
        game = np.zeros(1, GAME)
        self.ruleset, self.policy, self.reward = ruleset, policy, reward
        self._table = (
            records(replace(ruleset, reward=reward).rules),
            records(ruleset.writer_tables),
            records(game),
            records(game.view(WORDS)),
        )
        seen = records(np.zeros(ruleset.players + 1, SEEN))
        self._scratch = (records(np.zeros(1, MENU)), seen, np.zeros(PLACES, np.float32), np.zeros(SEATS, np.float32))
        is_move = [action.verb in (Verb.MOVE, Verb.MOVE_BLACK) for action in ruleset.actions.actions]
        self._network = (policy.source, policy.weights, policy.memory, np.array(is_move, np.bool_))

    def evaluate(
        self, games: np.ndarray, masks: NDArray[np.int8], seats: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Ask the network about positions.

        Args:
            games: (N,) GAME, as `jit.records` gives them.
            masks: (N, A) int8, the actions that are asked about.
            seats: (N,) int8, the seats to move.

        Returns:
            (N, A) float32 logits, -inf for all other actions; (N, P) float32, the expected reward of each seat.
        """
        logits = np.full(masks.shape, -np.inf, np.float32)
        worth = np.zeros((len(seats), self.ruleset.players), np.float32)
        evaluate(self._table, self._scratch, self._network, (games, masks, seats), (logits, worth))
        return logits, worth

    def run(
        self,
        games: np.ndarray,
        seats: NDArray[np.int8],
        rows: NDArray[np.int64],
        actions: NDArray[np.int64],
        keys: NDArray[np.uint64],
        turns: int = 0,
    ) -> Outcomes:
        """Play out.

        Args:
            games: (N,) GAME, as `jit.records` gives them.
            seats: (N,) int8, for whom a copy of each is made: what that seat cannot see is drawn anew.
            rows: (K,) int64, which of the N games each play-out begins with.
            actions: (K,) int64, legal actions, with which they begin.
            keys: (K,) uint64, what their chance follows from.
            turns: after so many further turns for each seat the network's value ends a play-out; 0 to play to the end.
        """
        count, players = len(rows), self.ruleset.players
        found = Outcomes(
            np.zeros((count, players), np.float32),
            np.full((count, AHEAD), -1, np.int16),
            np.full((count, AHEAD), -1, np.int8),
            np.zeros(count, np.int32),
            np.zeros((count, self.ruleset.seats, 3), np.int16),
            np.zeros(count, np.bool_),
        )
        out = (found.rewards, found.lines, found.line_seats, found.decisions, found.prestige, found.over)
        play_out(self._table, self._scratch, self._network, (games, seats), (rows, actions, keys), turns, out)
        return found


@kernel
def play_out(table: Any, scratch: Any, network: Any, roots: Any, jobs: Any, turns: Any, out: Any) -> None:
    """Play out: see `PlayOuts.run`."""
    cs, views, games, words = table
    menus, seen, logits, values = scratch
    m = network[2]
    rows, actions, keys = jobs
    rewards, lines, line_seats, decisions, prestige, over = out
    c, v, g, w, menu = cs[0], views[0], games[0], words[0], menus[0]
    no_floats, targets = np.empty(0, np.float32), (np.empty((0, 0), np.float32), m.observation.reshape(1, -1))
    for k in range(rows.shape[0]):
        games[0] = roots[0][rows[k]]
        g.key = keys[k]
        g.forced_next = 0
        g.forced_count = 0
        hidden.redraw(c, g, roots[1][rows[k]])
        lines[k, 0], line_seats[k, 0] = actions[k], g.seat
        last = g.turn + turns * c.players
        n = turn.decide(c, g, actions[k], menu)
        shown = forget(c, seen)
        while n > 0 and (turns == 0 or g.turn < last):
            seat = g.seat
            shown = observe_again(c, v, g, w, seen, shown, no_floats, m.observation)
            write_logits(network, seat, menu, n, logits)
            best = 0
            for i in range(1, n):  # of equal ones that with the lowest number, as `net.choose` does
                equal = logits[i] == logits[best]
                if logits[i] > logits[best] or (equal and menu.action[i] < menu.action[best]):
                    best = i
            action = np.int64(menu.action[best])
            decisions[k] += 1
            if decisions[k] < AHEAD:
                lines[k, decisions[k]], line_seats[k, decisions[k]] = action, seat
            n = turn.decide(c, g, action, menu)
        for seat in range(c.seats):
            prestige[k, seat, 0], prestige[k, seat, 1] = track.prestige(c, g, seat), g.towers[seat]
            prestige[k, seat, 2] = ending.score(c, g, seat) - prestige[k, seat, 0] - prestige[k, seat, 1]
        over[k] = g.status != PLAYING
        if over[k]:
            ending.rewards(c, g, rewards[k])
        else:
            write_values(c, v, g, w, (seen, targets, values), network, rewards[k])


@kernel
def evaluate(table: Any, scratch: Any, network: Any, roots: Any, out: Any) -> None:
    """Ask the network about positions: see `PlayOuts.evaluate`."""
    cs, views, games, words = table
    menus, seen, found, values = scratch
    masks, (logits, worth) = roots[1], out
    c, v, g, w, menu = cs[0], views[0], games[0], words[0], menus[0]
    m = network[2]
    targets = (np.empty((0, 0), np.float32), m.observation.reshape(1, -1))
    for i in range(masks.shape[0]):
        games[0] = roots[0][i]
        seat = roots[2][i]
        n = 0
        for action in range(masks.shape[1]):
            menu.action[n] = action
            n += masks[i, action]
        hand_out(c, v, g, w, U(seat), seen[c.players], targets, 0)
        write_logits(network, seat, menu, n, found)
        for k in range(n):
            logits[i, menu.action[k]] = found[k]
        write_values(c, v, g, w, (seen, targets, values), network, worth[i])


@kernel
def common_lines(lines: Any, seats: Any, rows: Any, out: Any, out_seats: Any) -> None:
    """Of several lines of each position, write one: at each step what most of those that agree so far go on with.

    Args:
        lines: (K, D) int16 actions, -1 behind the end.
        seats: (K, D) int8, who takes them.
        rows: (K,) int64, of which position each is, in rising order.
        out: (N, D) int16, written.
        out_seats: (N, D) int8, written.
    """
    count, low = rows.shape[0], 0
    agrees = np.zeros(count, np.bool_)
    while low < count:
        high = low
        while high < count and rows[high] == rows[low]:
            agrees[high] = True
            high += 1
        for step in range(lines.shape[1]):
            most, best = 0, low
            for i in range(low, high):
                if agrees[i] and lines[i, step] >= 0:
                    same = 0
                    for k in range(i, high):
                        same += agrees[k] and lines[k, step] == lines[i, step]
                    if same > most:
                        most, best = same, i
            if most == 0:
                break
            chosen = lines[best, step]
            out[rows[low], step], out_seats[rows[low], step] = chosen, seats[best, step]
            for i in range(low, high):
                agrees[i] = agrees[i] and lines[i, step] == chosen
        low = high


@rule
def write_logits(network: Any, seat: Any, menu: Any, n: Any, logits: Any) -> None:
    """Write the logits of the first `n` actions of a menu for what the seat sees in the network's memory."""
    source, net, m, is_move = network
    moves = False
    for i in range(n):
        moves |= is_move[menu.action[i]]
    forward.look(source, net, m, seat, moves)
    which, count = forward.trunk(net, m, seat)
    forward.policy(net, m, which, count, menu, n, logits)


@rule
def write_values(c: Any, v: Any, g: Any, w: Any, scratch: Any, network: Any, out: Any) -> None:
    """Write what the network says that the rest of a game is worth to each seat: out (P,).

    A network with one value is asked once for each seat; with two players the other seat's value is what the own one
    lacks.
    """
    seen, targets, values = scratch
    source, net, m, _ = network
    sizes = net.sizes[0]
    asked = c.players if sizes.values == 1 and c.players > 2 else 1
    for further in range(asked):
        seat = (g.seat + further) % c.players
        hand_out(c, v, g, w, U(seat), seen[c.players], targets, 0)
        forward.look(source, net, m, seat, False)
        forward.values_of(net, m, seat, values)
        out[seat] = values[0]
        if sizes.values > 1:
            for k in range(sizes.values):
                out[(seat + k) % c.players] = values[k]
    if sizes.values == 1 and c.players == 2:
        out[1 - g.seat] = -out[g.seat]
