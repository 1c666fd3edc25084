"""How well a network's value foresees its games: beside the mean of play-outs, and beside the result.

The network plays games with itself. Positions some decisions before the end are played out by it several times with
fresh dice: the mean of these play-outs is what the position is worth among such players, up to chance. The value of
each seat, from its own view, is compared with the seat's mean and with its reward at the end.

Shape letters: G games, D decisions of all games, N positions, R play-outs, P players.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env import checks
from rc_env.agents import net
from rc_env.agents.forward import Forward
from rc_env.agents.net import NetBot
from rc_env.agents.playouts import Outcomes, PlayOuts
from rc_env.arena import intervals
from rc_env.arena.intervals import Interval
from rc_env.bot import Position
from rc_env.build import in_build
from rc_env.engine import Engine
from rc_env.jit import records
from rc_env.ruleset import Ruleset

BEFORE = (16, 32, 64)
"""Decisions before the end at which the value is judged."""
PLAYOUTS, GAMES = 16, 400


@dataclass(frozen=True)
class Foresight:
    """How well values foresee games, some decisions before the end.

    Attributes:
        before: how many decisions; a game that has fewer is judged at its beginning.
        playouts: the correlation of the value with the mean of the play-outs.
        result: that of the value with the result.
        known: that of the mean of the play-outs with the result, which no value could exceed by much.

    All with intervals of 95 %, by bootstrap over games.
    """

    before: int
    playouts: Interval
    result: Interval
    known: Interval


class Played(NamedTuple):
    """All decisions of G games of a network with itself.

    Attributes:
        states: (D,) GAME, the position of each; their keys of chance are fresh.
        actions: (D,) int64, the network's most probable action there.
        games: (D,) int64, of which game each is.
        left: (D,) int64, decisions until its end, this one too.
        rewards: (G, P) float32.
    """

    states: np.ndarray
    actions: NDArray[np.int64]
    games: NDArray[np.int64]
    left: NDArray[np.int64]
    rewards: NDArray[np.float32]


def player_of(model: net.Net, ruleset: Ruleset | None = None) -> PlayOuts:
    """What plays games of a variant, by default that of the network, out by the reward that it was trained for.

    Raises:
        ValueError: it is no network, or was trained for another reward than "win" or "first".
    """
    checks.instance("model", model, net.Net, "a Net")
    if model.reward not in ("win", "first"):
        raise ValueError(f"model must be a network for the reward win or first, not {model.reward}")
    ruleset = ruleset or model.ruleset
    return in_build(PlayOuts, ruleset.full)(ruleset, Forward(model), model.reward)


def self_play(
    player: PlayOuts, games: int, seed: int, drawn: NDArray[np.float64] | float = 0.0, draws: int = 0
) -> Played:
    """Let a network play all seats of G games.

    Args:
        player: see `player_of`.
        games: G.
        seed: of the deals.
        drawn: the part of the decisions of each game that are drawn from the policy, (G,) or one for all.
        draws: the seed of these draws.
    """
    model, generator = player.policy.net, np.random.default_rng(draws)
    engine, drawn = Engine(replace(player.ruleset, reward=player.reward), games, seed), np.broadcast_to(drawn, games)
    kept: list[tuple[np.ndarray, NDArray[np.int64], NDArray[np.int64]]] = []
    while (live := np.flatnonzero(engine.seat >= 0)).size:
        position = Position.of(engine, live)
        logits = model.logits(position.numbers)
        actions = net.choose(logits, position.mask, None)
        kept.append((engine.clone(live).view(np.ndarray), actions, live))
        other = generator.random(len(live)) < drawn[live]
        engine.step(np.where(other, net.choose(logits, position.mask, generator), actions), live)
    states, best, number = map(np.concatenate, zip(*kept, strict=True))
    step = np.repeat(np.arange(len(kept)), [len(rows) for *_, rows in kept])
    left = np.bincount(number, minlength=games)[number] - step
    return Played(states, best, number, left, engine.returns())


def play_out(player: PlayOuts, played: Played, chosen: NDArray[np.int64], count: int, seed: int) -> Outcomes:
    """Play positions out, each `count` times: rows of one position follow each other.

    Args:
        player: see `player_of`.
        played: the games.
        chosen: (N,) int64, decisions among theirs.
        count: R.
        seed: of the dice.
    """
    states, rows = played.states[chosen], np.repeat(np.arange(len(chosen)), count)
    keys = np.random.default_rng(seed).integers(2**64, size=len(rows), dtype=np.uint64)
    return player.run(records(states), states["seat"], rows, played.actions[chosen][rows], keys)


def foresight(
    bot: NetBot, ruleset: Ruleset | None = None, games: int = GAMES, playouts: int = PLAYOUTS, seed: int = 0
) -> tuple[Foresight, ...]:
    """Let a network play against itself, and compare its values with play-outs and results, for each of `BEFORE`.

    Args:
        bot: plays a network; `ruleset` selects one of those that come with the package.
        ruleset: the variant; by default that of the network.
        games: G, 2 to 100,000.
        playouts: R, 1 to 10,000.
        seed: of the deals, the dice of the play-outs, and the resamples of the intervals.

    Raises:
        ValueError: an argument is out of range, the network is for another game, or it was trained for another reward
            than "win" or "first".
    """
    checks.instance("bot", bot, NetBot, "a NetBot")
    ruleset = bot.ruleset if ruleset is None else checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    if ruleset is None:
        raise ValueError("ruleset is needed with shipped weights, which are those of the game that is played")
    games, seed = checks.whole_number("games", games, 2, 100_000), checks.seed("seed", seed)
    playouts = checks.whole_number("playouts", playouts, 1, 10_000)
    player = player_of(bot.net_for(ruleset), ruleset)
    with threadpool_limits(1):
        played = self_play(player, games, seed)
        return tuple(_foresight(player, played, before, playouts, seed) for before in BEFORE)


def _foresight(player: PlayOuts, played: Played, before: int, playouts: int, seed: int) -> Foresight:
    """How well values foresee games so many decisions before the end."""
    length = np.bincount(played.games)
    chosen = np.flatnonzero(played.left == np.minimum(before, length)[played.games])
    engine, number = Engine(player.ruleset, len(chosen)), played.games[chosen]
    engine.restore(played.states[chosen])
    value = np.stack(
        [player.policy.net.value(engine.observe(seat=k, dtype=np.uint8)) for k in range(player.ruleset.players)], 1
    )
    found = play_out(player, played, chosen, playouts, seed + before).rewards
    mean, result = found.reshape(len(chosen), playouts, -1).mean(1), played.rewards[number]
    pairs = ((value, mean), (value, result), (mean, result))
    return Foresight(before, *(_correlation(x.astype(np.float64), y.astype(np.float64), seed) for x, y in pairs))


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64], seed: int) -> Interval:
    """The correlation of (N, P) numbers, with its interval by bootstrap over the N games."""
    sums = np.stack([part.sum(1) for part in (np.ones_like(x), x, y, x * x, y * y, x * y)], 1)

    def of(total: NDArray[np.float64]) -> NDArray[np.float64]:
        n, sx, sy, sxx, syy, sxy = total.T
        with np.errstate(invalid="ignore", divide="ignore"):
            return (n * sxy - sx * sy) / np.sqrt((n * sxx - sx**2) * (n * syy - sy**2))

    low, high = intervals.bounds(of(intervals.resampled_sums(sums, seed)))
    return Interval(float(of(sums.sum(0)[None])[0]), float(low), float(high), len(x), len(x))
