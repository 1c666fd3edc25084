"""Random games of the oracle, games as records, and the replay of records."""

from __future__ import annotations

import hashlib
import json
import random
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

from .deal import deal
from .game import Game
from .names import GOODS

DATA = Path(__file__).parents[3] / "rc_env" / "data"
FORWARD = ("deliver", "adorn", "claim", "place", "obtain", "guild", "hire", "engage", "specialist")


def tables(name: str) -> dict[str, Any]:
    """Return the numbers of a data file that the package ships."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


def random_action(game: Game, rng: random.Random) -> str:
    """Return a random action; half of the time it prefers actions that end a game sooner, and face-up to face-down
    tiles.
    """
    legal = sorted(game.legal())
    forward = [words for words in legal if words.split()[0] in FORWARD and not words.endswith("down")]
    return rng.choice(forward if forward and rng.random() < 0.5 else legal)


def random_game(seed: int, **variant: Any) -> tuple[Game, random.Random]:
    """Return a fresh deal of a variant, with the options of `deal.deal`, and the generator that plays it."""
    rng = random.Random(seed)
    base, x = tables("base"), tables("contractors")
    return Game(deal(rng, base, x, **variant), base, x, rng=rng), rng


def lines(game: Game, rng: random.Random, seed: int) -> Iterator[dict[str, Any]]:
    """Yield the record of a game played at random from here on, with legal actions and states."""
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


def replay(entries: list[dict[str, Any]], base: dict[str, Any], x: dict[str, Any]) -> Game:
    """Replay a record with the outcomes of chance in it.

    Raises:
        AssertionError: its points, legal actions, states, turns of Ivan or result differ from the oracle's;
            the message names the line.
    """
    game = Game(entries[0], base, x)
    for number, line in enumerate(entries[1:-1], 1):
        where = f"line {number + 1}: {line.get('point')}, {line.get('action')}"
        if "action" not in line:
            continue
        assert (game.asked, game.point) == (line["seat"], line["point"]), (where, game.asked, game.point)
        legal = game.legal()
        assert legal == set(line.get("legal", legal)), (where, legal ^ set(line["legal"]))
        after = _lines_until_the_next_decision(entries, number)
        # Dice rolled before this decision of the same turn.
        begun = len(game.ivan_rolled) if line["point"] == "ivan" else 0
        rolls = line["rolls"] + [roll for turn in after for roll in turn["rolls"]][begun:]
        draws = [draw for turn in (line, *after) for draw in turn.get("draws", [])]
        shuffled = [event.split()[1:] for turn in after for event in turn["events"] if event.startswith("shuffle")]
        game.play(line["action"], rolls, shuffled[0] if shuffled else None, draws)
        assert game.rolled == line["rolls"] and game.drawn == line.get("draws", []), (where, game.rolled, game.drawn)
        finished = list(takewhile(lambda later: later.get("point") == "ivan turn", entries[number + 1 :]))
        assert game.ivan_lines == finished, (where, game.ivan_lines)
        if "state" in line:
            state, other = _plain(game.state()), _plain(line["state"])
            assert state == other, (where, {k for k in state.keys() | other.keys() if state.get(k) != other.get(k)})
    assert game.question is None, f"line {len(entries)}: the game is not over"
    assert _plain(game.result()) == _plain(entries[-1]["result"]), f"line {len(entries)}: the result is {game.result()}"
    return game


def _lines_until_the_next_decision(entries: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Return Ivan's turns after a decision; a turn that waits for a choice of the player has its line after that
    choice.
    """
    after = []
    for line in entries[number + 1 : -1]:
        if line["point"] == "ivan turn":
            after.append(line)
        if line["point"] not in ("ivan", "ivan turn") or (after and line["point"] == "ivan"):
            break
    return after


def _plain(value: Any) -> Any:
    """Return a value as JSON has it, without materials whose count is 0."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items() if not (key in GOODS and entry == 0)}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


def _hash(name: str) -> str:
    return hashlib.sha256((DATA / f"{name}.toml").read_bytes()).hexdigest()
