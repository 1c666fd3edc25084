"""Measures how quickly `rc serve` answers a move when many play at once: `python tests/support/web_load.py [--games
50]`.

Each game is one of a person against heuristics, over a WebSocket of its own. The person plays a legal action and then
thinks, as people do; the measured time is that from the action to the position after it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import websockets

HEURISTICS = ["greedy", "all_rounder", "rush", "majority", "guilds"]


def new_game(address: str, number: int, players: int, names: Sequence[str]) -> str:
    """Start a game of one person against bots and return its id."""
    bots = [names[(number + i) % len(names)] for i in range(players - 1)]
    body = json.dumps({"variant": {"players": players}, "seats": ["you", *bots], "seed": number})
    asked = urllib.request.Request(f"{address}/api/games", body.encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(asked) as answer:
        return str(json.load(answer)["id"])


async def play(address: str, game: str, number: int, until: float, think: float, pace: float) -> list[float]:
    """Play until a moment; return the seconds that each of the person's actions took."""
    rng, took = random.Random(number), []
    url = f"{address.replace('http', 'ws')}/api/games/{game}/live"
    async with websockets.connect(url, max_size=2**24) as socket:
        await socket.send(json.dumps({"do": "pace", "seconds": pace}))
        message = json.loads(await socket.recv())
        await asyncio.sleep(rng.uniform(0, think))  # people do not all begin at the same time
        while time.monotonic() < until and not message["over"]:
            if not message["mine"]:
                message = json.loads(await socket.recv())
                continue
            await asyncio.sleep(rng.uniform(0.5, 1.5) * think)
            action = rng.choice(message["actions"])["number"]
            begun = time.monotonic()
            await socket.send(json.dumps({"do": "play", "action": action, "at": message["at"]}))
            message = json.loads(await socket.recv())
            took.append(time.monotonic() - begun)
    return took


async def measure(
    address: str, games: int, seconds: float, think: float, pace: float, bots: Sequence[str]
) -> list[float]:
    """Return the seconds that each action took, of all games together."""
    names = [new_game(address, number, 2 + number % 3, bots) for number in range(games)]
    until = time.monotonic() + seconds
    parts = await asyncio.gather(*(play(address, name, i, until, think, pace) for i, name in enumerate(names)))
    return [one for part in parts for one in part]


def cpu_seconds(pid: int) -> float:
    """The time that a process, without its children, has used a processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(words: Sequence[str] | None = None) -> int:
    """Serve, play and print; return 1 if the 95th percentile is not below the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--think", type=float, default=2.0, help="seconds that a person thinks, on average")
    parser.add_argument("--pace", type=float, default=0.7, help="seconds between two decisions of bots")
    parser.add_argument("--bots", type=lambda words: words.split(";"), default=HEURISTICS, help="such as greedy;net")
    parser.add_argument("--limit", type=float, default=0.2, help="seconds for the 95th percentile")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rc_env.apps.cli", "serve", "--port", "0", "--folder", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split(" at ")[1].split("/ ")[0]
            asyncio.run(
                measure(address, 2, 3, 0.1, 0.0, args.bots)
            )  # a first round loads the code, and is not measured
            before = cpu_seconds(server.pid)
            took = np.array(asyncio.run(measure(address, args.games, args.seconds, args.think, args.pace, args.bots)))
            spent = cpu_seconds(server.pid) - before
        finally:
            server.terminate()
            server.wait()
    middle, most = np.percentile(took, [50, 95])
    print(
        f"{args.games} games at once, {len(took)} moves in {args.seconds:g} s: median {1000 * middle:.0f} ms, "
        f"95th percentile {1000 * most:.0f} ms, longest {1000 * took.max():.0f} ms; the server worked {spent:.1f} s"
    )
    return 0 if most < args.limit else 1


if __name__ == "__main__":
    sys.exit(main())
