"""Random games of the oracle, and games as records."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .deal import deal
from .game import Game

DATA = Path(__file__).parents[3] / "rc_env" / "data"
FORWARD = ("deliver", "adorn", "claim", "place", "obtain", "guild", "hire", "engage", "specialist")


def tables(name: str) -> dict[str, Any]:
    """The numbers of a data file that the package ships."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


def random_action(game: Game, rng: random.Random) -> str:
    """What brings a game to its end is preferred half of the time; face-up tiles to face-down ones."""
    legal = sorted(game.legal())
    forward = [words for words in legal if words.split()[0] in FORWARD and not words.endswith("down")]
    return rng.choice(forward if forward and rng.random() < 0.5 else legal)


def random_game(seed: int, **variant: Any) -> tuple[Game, random.Random]:
    """A fresh deal of a variant, as `deal.deal` takes it, and the generator that plays it."""
    rng = random.Random(seed)
    base, x = tables("base"), tables("contractors")
    return Game(deal(rng, base, x, **variant), base, x, rng=rng), rng


def lines(game: Game, rng: random.Random, seed: int) -> Iterator[dict[str, Any]]:
    """The record of a game played at random from here on, with legal actions and states."""
    first = {"record": f"red-cathedral/{2 if game.expanded else 1}", **game.deal, "seed": seed}
    first |= {"data": "base", "data_sha256": _hash("base")}
    if game.expanded:
        first |= {"expansion": "contractors", "expansion_sha256": _hash("contractors")}
    yield first
    while game.question:
        line: dict[str, Any] = {"seat": game.asked, "point": game.point, "action": random_action(game, rng)}
        legal = sorted(game.legal())
        game.play(line["action"])
        line |= {"rolls": game.rolled} | ({"draws": game.drawn} if game.drawn else {})
        yield line | {"legal": legal, "state": game.state()}
        yield from game.ivan_lines
    yield {"result": game.result()}


def write(path: Path, seed: int, **variant: Any) -> None:
    """Write the record of a random game."""
    game, rng = random_game(seed, **variant)
    with path.open("w", encoding="utf-8") as file:
        for line in lines(game, rng, seed):
            file.write(json.dumps(line) + "\n")


def _hash(name: str) -> str:
    return hashlib.sha256((DATA / f"{name}.toml").read_bytes()).hexdigest()
