"""`rc bench`: how fast everything is, as medians of several runs; the JSON is for comparing machines.

Random legal play inside the engine is measured with the mask and the observation written at each decision, with the
mask alone and with nothing; then the APIs, clones, and what a new user feels: compiling, and starting once compiled.
`--against FOLDER` compares this build with another checkout: see `against.py`.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np

from rc_env import Engine, RedCathedralVectorEnv, Ruleset, __version__, agents
from rc_env.agents.net import NetBot
from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
from rc_env.arena import match
from rc_env.arena.machine import hardware
from rc_env.bot import Bot, Position
from rc_env.record import Recorder

RUNS = 5
BATCH = 4096
PLAYERS = (1, 2, 4)  # 1: solo
PLANS = ("greedy", "rush", "majority", "guilds", "all_rounder")
SEARCHED, SIMULATIONS = 64, 32
WRITES = ("observation+mask", "mask", "nothing")
VERSIONS = ("numpy", "numba", "llvmlite", "gymnasium", "pettingzoo")

# What a process does from its first line to its first step.
START = """
import time
begin = time.perf_counter()
import numpy as np
import rc_env
engine = rc_env.Engine(num_games=1)
engine.step([int(np.argmax(engine.legal_mask()[0]))])
engine.observe()
print(time.perf_counter() - begin)
"""
COMPILE = START.replace("engine = ", "rc_env.warmup()\nengine = ")


def say(text: str) -> None:
    """Print to stderr what is being done, so that programs can read stdout."""
    print(text, file=sys.stderr, flush=True)


def machine() -> dict[str, Any]:
    """Versions, and the machine that was measured."""
    return {
        "rc_env": __version__,
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in VERSIONS},
        "machine": hardware(),
        "date": time.strftime("%Y-%m-%d"),
    }


def median_rate(work: Callable[[], Any], count: float, runs: int) -> float:
    """Median of `count` per second over several runs, after one that does not count."""
    work()
    rates = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        rates.append(count / (time.perf_counter() - begin))
    return statistics.median(rates)


def all_threads() -> list[int]:
    """The thread counts that are measured: one, and the number of cores."""
    return sorted({1, os.cpu_count() or 1})


def engine_speed(runs: int) -> list[dict[str, Any]]:
    """Random legal play inside the engine."""
    rows = []
    decisions = 200
    for players in PLAYERS:
        for threads in all_threads():
            engine = Engine(Ruleset(players=players), BATCH, threads=threads)
            out = np.zeros((BATCH, engine.num_features), np.float32)
            played = engine.play_random(1000)  # into the middle of games: beginnings are a special case
            length = played["decisions"] / max(1, played["games"])
            for writes in WRITES:
                say(f"Engine, {players} players, {threads} thread(s), writing {writes} ...")
                observations = out if writes == WRITES[0] else None
                masks = writes != "nothing"

                def work(
                    engine: Engine = engine, masks: bool = masks, observations: np.ndarray | None = observations
                ) -> None:
                    engine.play_random(decisions, masks=masks, observations=observations)

                rate = median_rate(work, decisions * BATCH, runs)
                rows.append(
                    {
                        "players": players,
                        "batch": BATCH,
                        "threads": threads,
                        "writes": writes,
                        "decisions_per_s": round(rate),
                        "games_per_s": round(rate / length, 1),
                    }
                )
    return rows


def clone_speed(runs: int) -> float:
    """Nanoseconds to clone a game, each with a fresh key, in a batch."""
    engine = Engine(num_games=BATCH)
    copies = engine.clone().copy()  # what `clone` makes is read-only
    rate = median_rate(lambda: [engine.clone(out=copies) for _ in range(50)], 50 * BATCH, runs)
    return round(1e9 / rate, 1)


def choose(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action a row."""
    return (rng.random(mask.shape, np.float32) * mask).argmax(1)


def timed_steps(step: Callable[[np.ndarray], np.ndarray], mask: np.ndarray, runs: int) -> float:
    """Decisions per second of `step` alone, which takes actions and returns the next mask; choosing is not counted."""
    rng, rates = np.random.default_rng(0), []
    for _ in range(runs):
        spent = 0.0
        for _ in range(20):
            actions = choose(mask, rng)
            begin = time.perf_counter()
            mask = step(actions)
            spent += time.perf_counter() - begin
        rates.append(20 * len(mask) / spent)
    return statistics.median(rates)


def step_speed(runs: int) -> list[dict[str, Any]]:
    """`Engine.step` and `Engine.observe`, called from Python with a batch."""
    rows = []
    for players in PLAYERS:
        for threads in all_threads():
            say(f"Engine.step and observe, {players} players, {threads} thread(s) ...")
            engine = Engine(Ruleset(players=players), BATCH, threads=threads)
            out = np.zeros((BATCH, engine.num_features), np.float32)

            def step(actions: np.ndarray, engine: Engine = engine, out: np.ndarray = out) -> np.ndarray:
                engine.step(actions, auto_reset=True)
                engine.observe(out=out)
                return engine.legal_mask()

            rate = timed_steps(step, engine.legal_mask(), runs)
            rows.append({"players": players, "batch": BATCH, "threads": threads, "decisions_per_s": round(rate)})
    return rows


def vector_speed(runs: int) -> list[dict[str, Any]]:
    """`RedCathedralVectorEnv.step`, with fresh arrays each time."""
    rows = []
    for players in PLAYERS:
        for threads in all_threads():
            say(f"VectorEnv, {players} players, {threads} thread(s) ...")
            env = RedCathedralVectorEnv(BATCH, num_players=players, threads=threads)
            _, infos = env.reset(seed=0)

            def step(actions: np.ndarray, env: RedCathedralVectorEnv = env) -> np.ndarray:
                return env.step(actions)[4]["action_mask"]

            rate = timed_steps(step, infos["action_mask"], runs)
            rows.append({"players": players, "num_envs": BATCH, "threads": threads, "steps_per_s": round(rate)})
            env.close()
    return rows


def aec_speed(make: Callable[..., Any], runs: int) -> dict[str, int]:
    """Steps per second through PettingZoo: `last`, a random legal action, `step`. By number of players."""
    speeds = {}
    for players in PLAYERS:
        say(f"PettingZoo {make.__name__}, {players} players ...")
        env = make(num_players=players)
        rng = np.random.default_rng(0)
        env.reset(seed=0)

        def work(env: Any = env, rng: np.random.Generator = rng) -> None:
            for _ in range(2000):
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.reset()
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal[int(rng.random() * len(legal))])

        speeds[str(players)] = round(median_rate(work, 2000, runs))
        env.close()
    return speeds


def record_cost(runs: int) -> dict[str, float]:
    """Milliseconds that a record with the position after each decision adds to a game, by bot on both seats."""

    def games_per_s(name: str, recorder: Recorder | None) -> float:
        bots = [agents.make(name)] * 2
        return median_rate(lambda: match.play_match(bots, 16, seed=1, recorder=recorder), 32, runs)

    costs = {}
    for name in ("greedy", "random"):
        say(f"Recording games of {name} ...")
        plain, written = games_per_s(name, None), games_per_s(name, Recorder(lambda number, text: None, state=True))
        costs[name] = round(1e3 / written - 1e3 / plain, 2)
    return costs


def bot_speed(runs: int) -> dict[str, Any]:
    """Games a second of plans against each other (one thread), and milliseconds that a decision of search takes."""
    speeds: dict[str, Any] = {"games_per_s": {}}
    for players in (2, 4):
        say(f"Plans against each other, {players} players ...")
        bots = [agents.make(name) for name in PLANS]
        lineups = [[bots[(first + i) % len(bots)] for i in range(players)] for first in range(len(bots))]
        deals = 1024 // players

        def work(lineups: list[list[Bot]] = lineups, deals: int = deals, players: int = players) -> None:
            for lineup in lineups:
                match.play_match(lineup, deals, Ruleset(players=players), seed=1)

        speeds["games_per_s"][str(players)] = round(median_rate(work, len(lineups) * deals * players, runs))
    say("Search ...")
    engine, greedy, search = Engine(num_games=8, seed=1), agents.make("greedy"), agents.make("search")
    for _ in range(100):  # into the middle of the games
        engine.step(greedy.act(Position.of(engine)))
    position = Position.of(engine)
    speeds["search_ms"] = round(1e3 / median_rate(lambda: search.act(position), len(position), runs), 1)
    return speeds


def search_speed(runs: int) -> dict[str, Any]:
    """Measure how many games a search with the shipped network plays out, beside the network alone.

    Two players, `SEARCHED` positions at once, each with `SIMULATIONS` play-outs of `turns` turns as by default,
    whatever the network is sure of. The network alone computes its inputs and evaluates policy and value with NumPy, of
    the same games at one decision after the other, as in play: the same batch again and again would be predicted by the
    processor. Both are measured in turns, in processor time.

    Returns:
        "network_per_s": positions a second of the network alone. "playouts_per_s": play-outs a second of the search.
        "decision_ms": what it needs for a decision with its default settings. Medians over the runs.
    """
    say("Search with the shipped network, beside the network alone ...")
    engine, greedy, ruleset = Engine(num_games=SEARCHED, seed=1), agents.make("greedy"), Ruleset(players=2)
    for _ in range(60):  # into the middle of the games
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    network = NetBot("shipped").net_for(ruleset)
    batches = []
    for _ in range(SIMULATIONS):
        batches.append(Position.of(engine).numbers)
        engine.step(greedy.act(Position.of(engine)), auto_reset=True)
    position = Position.of(engine)
    searches = {"playouts_per_s": PlayoutSettings(SIMULATIONS, sure=1), "decision_ms": PlayoutSettings()}
    rates: dict[str, list[float]] = {"network_per_s": [], **{name: [] for name in searches}}
    for _ in range(runs + 1):  # the first one compiles
        begin = time.process_time()
        for numbers in batches:
            network.evaluate(numbers)
        rates["network_per_s"].append(SIMULATIONS * SEARCHED / (time.process_time() - begin))
        for name, settings in searches.items():
            begin = time.process_time()
            thoughts = PlayoutSearch(settings).think(position, network)
            spent = time.process_time() - begin
            rates[name].append(thoughts.simulations / spent if name == "playouts_per_s" else 1e3 * spent / SEARCHED)
    return {name: round(statistics.median(each[1:]), 1) for name, each in rates.items()}


def start_time(program: str, runs: int, *, fresh_cache: bool) -> float:
    """Seconds that a new process needs, from its first line to its first step."""
    say("Compiling from nothing, in a new process ..." if fresh_cache else "Starting new processes ...")
    seconds = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "RC_ENV_CACHE": folder} if fresh_cache else dict(os.environ)
            done = subprocess.run(
                [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
            )
            seconds.append(float(done.stdout))
    return round(statistics.median(seconds), 2)


def table(results: dict[str, Any]) -> str:
    """The results as a text table."""
    machine_ = results["machine"]
    lines = [f"{machine_['processor']}, {machine_['cores']} cores, Python {results['python']}", ""]
    for row in results.get("engine", []):
        lines.append(
            f"engine, {row['players']} players, {row['threads']} thread(s), writes {row['writes']:<17}"
            f"{row['decisions_per_s'] / 1e6:7.2f} M decisions/s {row['games_per_s']:9,.0f} games/s"
        )
    for row in results.get("engine_step", []):
        speed = f"{row['decisions_per_s'] / 1e6:7.2f} M decisions/s"
        lines.append(f"Engine.step + observe, {row['players']} players, {row['threads']} thread(s) {speed:>32}")
    for row in results.get("vector_env", []):
        speed = f"{row['steps_per_s'] / 1e6:7.2f} M steps/s"
        lines.append(f"VectorEnv, {row['players']} players, {row['threads']} thread(s) {speed:>40}")
    for name in ("raw_env", "env"):
        for players, rate in results.get(f"{name}_steps_per_s", {}).items():
            lines.append(f"PettingZoo {name}, {players} players {rate:>12,} steps/s")
    for players, rate in results.get("bots", {}).get("games_per_s", {}).items():
        lines.append(f"plans against each other, {players} players, one thread {rate:>12,} games/s")
    if "bots" in results:
        lines.append(f"search, its default simulations {results['bots']['search_ms']:>6} ms a decision")
    if "search" in results:
        lines.append(
            f"the network alone, {SEARCHED} positions at once {results['search']['network_per_s']:>9,.0f} positions/s"
        )
        lines.append(
            f"search with it {results['search']['playouts_per_s']:>9,.0f} play-outs/s, "
            f"{results['search']['decision_ms']} ms a decision by default"
        )
    for name, cost in results.get("record_ms", {}).items():
        lines.append(f"recording a game of {name} {cost:>6} ms")
    for name, unit in (("clone_ns", "ns a game"), ("cold_compile_s", "s"), ("warm_start_s", "s")):
        if name in results:
            lines.append(f"{name.rsplit('_', 1)[0].replace('_', ' ')} {results[name]} {unit}")
    return "\n".join(lines)
