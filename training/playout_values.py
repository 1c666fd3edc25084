"""Positions of a network's games, each with games that the network played out from it: what they are worth.

The result of a game says little about a position in its middle: it has one of many ends. The mean of several play-outs
by the same network says more, and from other positions of the same game others are played out, so that they teach
something of their own. In half of the games a part of the decisions, different in each game, is drawn from the policy
instead of being its most probable action, so that there are positions that the network alone would not reach.

Each file holds the positions of `GAMES` games. It follows from the seed and its number alone, so work that was stopped
goes on with the files that are not there.

Shape letters: M positions, R play-outs, P players.
"""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from rc_env import archives, checks, files
from rc_env.agents import net
from rc_env.agents.playouts import PlayOuts
from rc_env.arena.studies import foresight

GAMES, POSITIONS, PLAYOUTS = 128, 12, 4
MOST_BYTES = 2**30
EXPLORING, DRAWN = 0.5, 0.3
"""The part of the games in which decisions are drawn, and the most of these, as a part."""


def collect(model: net.Net, folder: str | Path, count: int, seed: int = 0) -> list[Path]:
    """Write files of positions to a folder, `GAMES` games each: those of the first `count` that are not there.

    Returns:
        The paths of the first `count`.

    Raises:
        ValueError: an argument is out of range, the network was trained for another reward than "win" or "first", or a
            file that is there holds positions of another network or seed.
        OSError: a file cannot be read or written.
    """
    player = foresight.player_of(model)
    count, seed = checks.whole_number("count", count, 1, 10**6), checks.seed("seed", seed)
    about = json.dumps({**_about(model), "seed": seed})
    paths = [Path(folder) / f"{number:06}.npz" for number in range(count)]
    for number, path in enumerate(paths):
        if path.exists():
            read(path, model, seed)  # refuses those of another network or seed
        else:
            buffer = io.BytesIO()
            with threadpool_limits(1):
                found = played_positions(player, np.random.default_rng([seed, number]))
            np.savez_compressed(buffer, about=np.array(about), **found)  # type: ignore[arg-type]
            files.write(path, buffer.getvalue())
    return paths


def played_positions(player: PlayOuts, generator: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Positions of `GAMES` games with their play-outs, by name.

    Returns:
        games: (M, bytes) uint8, the GAME records.
        seat: (M,) int8, the seat to move.
        number: (M,) int16, the game of each position.
        left: (M,) int16, decisions until its end.
        drawn: (M,) float16, the part of its decisions that were drawn.
        rewards: (M, R, P) float16, of each play-out.
        prestige: (M, R, seats, 3) int16, see `playouts.Outcomes`.
        decisions: (M, R) int16, of each play-out.
    """
    drawn = generator.uniform(0, DRAWN, GAMES) * (generator.random(GAMES) < EXPLORING)
    deals, draws, dice = (int(seed) for seed in generator.integers(2**31, size=3))
    played = foresight.self_play(player, GAMES, deals, drawn, draws)
    length, number = np.bincount(played.games), played.games
    # The positions of a game are drawn from as many parts of it, of equal length.
    at = ((np.arange(POSITIONS) + generator.random((GAMES, POSITIONS))) / POSITIONS * length[:, None]).astype(np.int64)
    chosen = np.flatnonzero((at[number] == (length[number] - played.left)[:, None]).any(1))
    found, states = foresight.play_out(player, played, chosen, PLAYOUTS, dice), played.states[chosen]
    games = np.zeros(len(chosen), states.dtype)
    for name in states.dtype.names or ():  # what lies between the fields stays 0
        games[name] = states[name]
    shape = (len(chosen), PLAYOUTS)
    return {
        "games": games.view(np.uint8).reshape(len(chosen), -1),
        "seat": states["seat"],
        "number": number[chosen].astype(np.int16),
        "left": played.left[chosen].astype(np.int16),
        "drawn": drawn[number[chosen]].astype(np.float16),
        "rewards": found.rewards.reshape(*shape, -1).astype(np.float16),
        "prestige": found.prestige.reshape(*shape, player.ruleset.seats, 3),
        "decisions": found.decisions.reshape(shape).astype(np.int16),
    }


def read(path: str | Path, model: net.Net, seed: int = 0) -> dict[str, NDArray[Any]]:
    """The arrays of a file that `collect` wrote for this network and seed, by name; the network may have another value
    now.

    Raises:
        ValueError: it holds positions of another network or seed, or something else.
        OSError: it cannot be read.
    """
    try:
        found = dict(archives.read_arrays(path, MOST_BYTES))
        about = json.loads(str(found.pop("about")))
        same = {name: about[name] for name in _about(model)} == _about(model)
        of_seed = checks.seed("seed", about["seed"])
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"positions: {path} is not a file that `rc calibration --fit` wrote") from None
    if not same:
        raise ValueError(f"positions: {path} holds those of another network than the one that is fitted")
    if of_seed != seed:
        raise ValueError(f"positions: {path} holds those of seed {of_seed}, not {seed}: name a folder for each seed")
    return found


def _about(model: net.Net) -> dict[str, Any]:
    """What positions are of: the game, the reward, and the network's policy, as a hash of its layers."""
    policy = hashlib.sha256()
    for name, array in sorted(model.arrays().items()):
        if not name.startswith("value"):
            policy.update(name.encode() + array.astype(np.float16).tobytes())
    return {**net.describe(model.ruleset), "reward": model.reward, "policy": policy.hexdigest()[:16]}
