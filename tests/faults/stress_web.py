"""Many tables of `rc serve` at once, and all that can go wrong: `python tests/faults/stress_web.py --seconds 600`.

At each table a person plays against bots. Of ten tables one has a tab that is loaded anew every 0.1 s, one a bot that
is slow and whose thoughts are dropped by an undo, one a bot that ends its process, one a bot that never answers, one a
second tab that does not read. No move may be refused that was legal on the page, no decision may be lost, finished
games keep their result, and threads, processes and memory of the server stay what they are after the first third.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import websockets

SUPPORT = Path(__file__).parents[1] / "support"
HEURISTICS = ("greedy", "all_rounder", "rush", "majority", "guilds")
KINDS = ("reloads", "slow", "dies", "hangs", "deaf", "plain", "plain", "plain", "plain", "plain")
BOTS = {"slow": "web_games:Slow", "dies": "web_games:Leaving", "hangs": "web_games:Hanging"}
GROWTH = 0.15
"""The share by which the memory of all processes may grow after the first third."""
WARM = 120.0
"""Runs that are shorter, in seconds, do not compare: workers still load the bots."""
STUCK_SECONDS = 300.0
"""The longest that a table may wait for a message, with bots that never answer among those that share its workers."""


class Table:
    """A game and the person who plays it."""

    def __init__(self, address: str, number: int, think: float) -> None:
        self.address, self.number, self.think = address, number, think
        self.kind = KINDS[number % len(KINDS)]
        self.resigns = self.kind == "hangs" and number % 20 < 10
        self.rng = random.Random(number)
        self.name = ""
        self.seen = self.version = 0
        self.took: list[float] = []
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.finished: list[str] = []

    def ask(self, path: str, body: object = None) -> Any:
        """Ask the server, in a thread."""
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(f"{self.address}{path}", data, {"content-type": "application/json"})
        with urllib.request.urlopen(asked, timeout=STUCK_SECONDS) as answer:
            text = answer.read().decode()
            return json.loads(text) if answer.headers["content-type"].startswith("application/json") else text

    async def begin(self) -> None:
        """Begin the first game, or the next one, as a rematch."""
        if self.name:
            self.finished.append(self.name)
            made = await asyncio.to_thread(self.ask, f"/api/games/{self.name}/again", {"deal": "new"})
        else:
            bot = BOTS.get(self.kind, HEURISTICS[self.number % len(HEURISTICS)])
            variant = {"players": 2, "turn_limit": 30}
            made = await asyncio.to_thread(self.ask, "/api/games", {"variant": variant, "seats": ["you", bot]})
        self.name, self.seen, self.version = made["id"], 0, 0

    def connect(self, **settings: Any) -> Any:
        """A connection, which goes on from what was seen."""
        after = f"&after={self.version}" if self.version else ""
        url = f"{self.address.replace('http', 'ws')}/api/games/{self.name}/live?layout=wide{after}"
        return websockets.connect(url, max_size=2**24, open_timeout=STUCK_SECONDS, **settings)

    async def play(self, until: float) -> None:
        """Play games until a moment."""
        await self.begin()
        while time.monotonic() < until:
            try:
                over = await self._connected(until)
            except (OSError, TimeoutError, websockets.ConnectionClosed) as error:
                self.counts[f"closed {type(error).__name__}"] += 1
                await asyncio.sleep(0.1)
                continue
            if over:
                await self.begin()

    async def _connected(self, until: float) -> bool:
        """Play in one connection; true once the game is over."""
        async with self.connect(close_timeout=1) as tab:
            ends = time.monotonic() + 0.1 if self.kind == "reloads" else until
            await tab.send(json.dumps({"do": "pace", "seconds": 0.2}))
            deaf = await self._deaf() if self.kind == "deaf" else None
            begun = 0.0
            try:
                while time.monotonic() < min(ends, until):
                    try:
                        message = json.loads(await asyncio.wait_for(tab.recv(), 5 if self.resigns else STUCK_SECONDS))
                    except TimeoutError:
                        if not self.resigns:
                            self.wrong.append(f"{self.kind}: nothing was heard for {STUCK_SECONDS:g} s")
                            return False
                        self.counts["resigned"] += 1
                        await tab.send(json.dumps({"do": "resign"}))
                        continue
                    if message["type"] in ("refused", "gone"):
                        self.wrong.append(f"{self.kind}: {message['sentence']}")
                        return False
                    if message["type"] != "position":
                        continue
                    if begun:
                        self.took.append(time.monotonic() - begun)
                        begun = 0.0
                    if message["at"] < self.seen:
                        self.wrong.append(f"{self.kind}: {self.seen} decisions were seen, {message['at']} found")
                    self.seen, self.version = message["at"], message["version"]
                    if message["over"]:
                        return True
                    begun = await self._act(tab, message)
                self.counts["reloads"] += self.kind == "reloads"
                return False
            finally:
                if deaf is not None:
                    deaf.close()

    async def _act(self, tab: Any, message: dict[str, Any]) -> float:
        """Do what a person would; the moment at which a move was made, or 0."""
        if message["broken"]:
            if self.kind not in ("dies", "hangs"):
                self.wrong.append(f"{self.kind}: {message['broken']}")
            self.counts[f"bot {self.kind}"] += 1
            await tab.send(json.dumps({"do": "retry", "bot": "random"}))
            return 0.0
        if not message["mine"]:
            if self.kind == "slow" and message["undo"] and self.rng.random() < 0.3:
                self.counts["undo"] += 1
                self.seen = 0  # fewer decisions than before are no loss now
                await tab.send(json.dumps({"do": "undo"}))
            return 0.0
        if self.kind != "reloads":
            await asyncio.sleep(self.rng.uniform(0.5, 1.5) * self.think)
        action = self.rng.choice(message["actions"])["number"]
        if self.rng.random() < 0.5:
            await tab.send(json.dumps({"do": "preview", "action": action, "version": message["version"]}))
        self.counts["moves"] += 1
        await tab.send(json.dumps({"do": "play", "action": action, "at": message["at"]}))
        return time.monotonic()

    async def _deaf(self) -> socket.socket:
        """A second tab, which shakes hands and reads no more."""
        host, port = self.address.removeprefix("http://").split(":")
        tab = socket.create_connection((host, int(port)))
        tab.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lines = (
            f"GET /api/games/{self.name}/live HTTP/1.1",
            f"Host: {host}:{port}",
            *("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"),
            *("Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""),
        )
        tab.sendall("\r\n".join(lines).encode())
        return tab

    def check(self) -> None:
        """Check that the last game is kept as far as it was seen, and that finished ones have a result."""
        kept = self.ask(f"/api/games/{self.name}/record").strip().splitlines()
        decisions = sum('"action"' in line for line in kept[1:-1])
        if decisions < self.seen:
            self.wrong.append(f"{self.kind}: {self.seen} decisions were seen, {decisions} are kept")
        for name in self.finished[-3:]:
            last = self.ask(f"/api/games/{name}/record").strip().splitlines()[-1]
            if not last.startswith('{"result"') and '"resigned"' not in last:
                self.wrong.append(f"{self.kind}: a finished game has no result")


def measure(server: int) -> tuple[int, int, int]:
    """Threads of the server, its worker processes, and the memory of all of them in KiB."""
    children = [int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()]
    memory = 0
    for pid in (server, *children):
        try:
            rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            memory += int(next(row for row in rows if row.startswith("Pss:")).split()[1])
        except (OSError, StopIteration):
            continue  # it has just ended
    return len(os.listdir(f"/proc/{server}/task")), len(children), memory


async def watch(server: int, until: float, seen: list[tuple[int, int, int]]) -> None:
    """Measure the server once a second."""
    while time.monotonic() < until:
        seen.append(measure(server))
        await asyncio.sleep(1)


async def stress(address: str, server: int, tables: int, seconds: float, think: float) -> list[str]:
    """Play; returns what went wrong."""
    until = time.monotonic() + seconds
    played = [Table(address, number, think) for number in range(tables)]
    seen: list[tuple[int, int, int]] = []
    await asyncio.gather(watch(server, until, seen), *(one.play(until) for one in played))
    for one in played:
        await asyncio.to_thread(one.check)
    counts: Counter[str] = sum((one.counts for one in played), Counter())
    took = np.array([one for table in played if table.kind != "reloads" for one in table.took])
    print(f"{tables} tables, {seconds:g} s: {dict(counts)}, {sum(len(one.finished) for one in played)} games finished")
    print(
        f"a move: median {1000 * np.median(took):.0f} ms, 95th percentile {1000 * np.percentile(took, 95):.0f} ms, "
        f"longest {1000 * took.max():.0f} ms"
    )
    third = len(seen) // 3
    second, last = np.array(seen[third : 2 * third]), np.array(seen[2 * third :])
    for i, name in enumerate(("threads", "processes", "KiB")):
        print(
            f"{name}: {second[:, i].mean():.1f} on average in the second third, {last[:, i].mean():.1f} in the last; "
            f"{second[:, i].max()} and {last[:, i].max()} at most"
        )
    wrong = [sentence for one in played for sentence in one.wrong]
    before, after, most, peak = second.mean(0), last.mean(0), second.max(0), last.max(0)
    grown = np.any(after[:2] > before[:2] + 1) or np.any(peak[:2] > most[:2] + 2) or peak[2] > most[2] * (1 + GROWTH)
    if seconds >= WARM and grown:
        wrong.append(
            f"threads, processes and KiB have grown: {before.round(1)} on average and {most} at most, then "
            f"{after.round(1)} and {peak}"
        )
    return wrong


def main(words: Sequence[str] | None = None) -> int:
    """Serve, play and print; return 1 if anything went wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--think", type=float, default=4.0, help="seconds that a person thinks, on average")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([str(SUPPORT), *filter(None, [os.environ.get("PYTHONPATH")])])
        command = [sys.executable, "-m", "rc_env.apps.cli", "serve", "--port", "0", "--folder", folder]
        command += ["--bots", ",".join(BOTS.values())]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": path})
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split(" at ")[1].split("/ ")[0]
            first = Table(address, 9, 0)
            while not first.ask("/api/progress")["base"]:
                time.sleep(0.5)
            wrong = asyncio.run(stress(address, server.pid, args.tables, args.seconds, args.think))
            if server.poll() is not None:
                wrong.append(f"the server ended with status {server.returncode}")
        finally:
            server.terminate()
            server.wait(30)
    for sentence, times in Counter(wrong).most_common(20):
        print(f"wrong, {times} times: {sentence}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
