"""Learns the baselines of docs/baselines.md from nothing, one run after the other, each with one core.

`python bench/baselines.py --out runs/baselines` does all of them, three seeds each, and may be stopped at any time: the
same command goes on. `--only ppo-2p dqn-2p` and `--seeds 1` choose some. `--report` prints what is there so far, in
Markdown, and written as curves (SVG and CSV) and `baselines.json` to the folder. `--keep docs/baselines` copies the
results of runs that are at their end to another folder, without their weights, from which `--report` makes the same.

A run has a budget of decisions, at most 25 million and so many that an hour of one core of an EPYC suffices. A run that
`rc train` makes goes on bit for bit; those of examples/ begin new games.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rc_env import checks, files
from rc_env.agents.net import LAST, NetBot
from rc_env.training import curve
from rc_env.training.baseline import ANCHORS, FINAL, GAMES, write_final
from rc_env.training.checkpoint import FILE, LOG, read_log
from rc_env.training.evaluation import check_games
from rc_env.training.run import settings_of

ROOT = Path(__file__).parents[1]
SEEDS = (1, 2, 3)
ALL = "baselines.json"


@dataclass(frozen=True)
class Baseline:
    """A way to learn, with a budget.

    Attributes:
        name: of its folder and its row.
        about: what it is, in words.
        words: the words of its command after `python`; `--seed`, `--decisions` and `--out` are added.
        decisions: the budget, for scripts of `rc train` without that of the warm start.
        anchors: the bots that its last network plays against.
    """

    name: str
    about: str
    words: tuple[str, ...]
    decisions: int
    anchors: tuple[str, ...] = ANCHORS

    @property
    def trains(self) -> bool:
        """Whether `rc train` makes the run, and not a script of examples/."""
        return "train" in self.words


def _train(name: str, about: str, decisions: int, *more: str) -> Baseline:
    words = ("rc_env_start.py", "train", "--threads", "1", "--games", "2", "--anchors", *ANCHORS, *more)
    return Baseline(name, about, words, decisions)


# From random weights more entropy is needed than after a warm start.
NOTHING = ("--preset", "standard", "--imitation", "0", "--entropy", "0.01")
BASELINES = (
    _train("ppo-2p", "our PPO, two players", 25_000_000, *NOTHING),
    _train("ppo-4p", "our PPO, four players", 25_000_000, *NOTHING, "--players", "4"),
    _train("ppo-warm-2p", "our PPO after 2 million decisions of imitation", 23_000_000, "--preset", "standard"),
    _train("maskable-ppo-2p", "MaskablePPO of sb3-contrib, with our network", 10_000_000, *NOTHING, "--learner", "sb3"),
    Baseline(
        "single-file-ppo-2p",
        "PPO in one file, after CleanRL, shaped reward, against greedy",
        ("examples/cleanrl_ppo.py", "--imitation", "0"),
        15_000_000,
    ),
    Baseline("dqn-2p", "DQN with masks in one file, shaped reward, against greedy", ("examples/dqn.py",), 9_000_000),
    Baseline(
        "open-spiel-dqn-2p",
        "the DQN of OpenSpiel, in self-play",
        ("examples/spiel_dqn.py", "--every", "100000"),
        1_000_000,
    ),
    _train("search-2p", "our learner taught by search", 1_000_000, "--preset", "gumbel", "--imitation", "0"),
)


def command(baseline: Baseline, folder: Path, seed: int, games: int = GAMES) -> list[str]:
    """The command that begins a run in a folder, or goes on with the one that is there."""
    program = [sys.executable, str(ROOT / baseline.words[0]), *baseline.words[1:]]
    own = ["--seed", str(seed), "--decisions", str(baseline.decisions), "--out", str(folder)]
    if not baseline.trains:
        return [*program, "--deals", str(-(-games // 2)), *own]
    if (folder / FILE).is_file():
        return [*program[:2], "train", "--resume", str(folder), "--games", "2", "--trust", *baseline.anchors]
    return [*program, *own]


def learn(baseline: Baseline, folder: Path, seed: int, games: int = GAMES) -> bool:
    """Make a run, or go on with it, to its end; then play its last network against the anchors.

    Its words go to `seedN.log` beside the folder, and what was asked for to `seedN.json`, so that a run of other words,
    budget or games is never taken for this one. After a signal the run is asked to stop.

    Args:
        baseline: what is learned.
        folder: that of the run, which gets `final.json` at the end.
        seed: of the run.
        games: against each anchor at the end.

    Returns:
        Whether the run is at its end.

    Raises:
        ValueError: its command failed, or the folder holds another run.
    """
    files.make_folder(folder.parent)
    asked_for = {"words": list(baseline.words), "decisions": baseline.decisions, "seed": seed, "games": games}
    _check_same(folder, json.dumps(asked_for) + "\n")
    if (folder / FINAL).is_file():
        return True
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    log = folder.parent / f"{folder.name}.log"
    with log.open("ab") as output:
        words = command(baseline, folder, seed, games)
        run = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT, env=environment)
        asked = False

        def ask(number: int, frame: object) -> None:
            nonlocal asked
            asked = True
            if number == signal.SIGTERM:  # Ctrl-C reaches the run by itself, and twice would end it before it is saved
                run.send_signal(number)

        before = {number: signal.signal(number, ask) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            code = run.wait()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if asked:
        return False
    if code:
        raise ValueError(f"{baseline.name}, seed {seed}: the command ended with {code}; its words are in {log}")
    if baseline.trains:  # the scripts of examples/ do it themselves
        rows, ruleset = read_log(folder), settings_of(folder, baseline.anchors).ruleset
        seconds = sum(row["seconds_of_processor"] for row in rows)
        write_final(folder, NetBot(folder / LAST), ruleset, rows[-1]["decisions"], seconds, baseline.anchors, games)
    return True


def _check_same(folder: Path, asked_for: str) -> None:
    """Note beside a run what was asked for; refuse a folder that holds a run of something else.

    Raises:
        ValueError: it does.
    """
    note = folder.with_name(f"{folder.name}.json")
    if not folder.exists():
        files.write(note, asked_for)
    elif not note.is_file() or files.read(note).decode("utf-8", "replace") != asked_for:
        raise ValueError(f"{folder} holds a run with other words, decisions or games than these: name another folder")


def finished(out: Path, baselines: Sequence[Baseline] = BASELINES) -> dict[str, dict[str, Any]]:
    """Results of the runs that are at their end, by baseline and seed."""
    found: dict[str, dict[str, Any]] = {}
    for baseline in baselines:
        for path in sorted((out / baseline.name).glob(f"seed*/{FINAL}")):
            one = json.loads(files.read(path))
            found.setdefault(baseline.name, {})[path.parent.name.removeprefix("seed")] = one
    return found


def table(results: Mapping[str, Mapping[str, Any]], baselines: Sequence[Baseline] = BASELINES) -> str:
    """A table in Markdown: mean, worst and best of the seeds against each anchor."""
    head = ("baseline", "runs", "decisions", "processor time", *(f"against `{name}`" for name in ANCHORS))
    lines = [head, ("---", *["---:"] * (len(head) - 1))]
    for baseline in baselines:
        runs = list(results.get(baseline.name, {}).values())
        if not runs:
            continue
        minutes = np.mean([run["seconds_of_processor"] for run in runs]) / 60
        shares = []
        for name in ANCHORS:
            won = 100 * np.array([run["won"][name][0] for run in runs])
            shares.append(f"{won.mean():.1f} % ({won.min():.1f}–{won.max():.1f})")
        decisions = f"{np.mean([run['decisions'] for run in runs]) / 1e6:.1f} M"
        lines.append((f"{baseline.name}: {baseline.about}", str(len(runs)), decisions, f"{minutes:.0f} min", *shares))
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def report(out: Path, baselines: Sequence[Baseline] = BASELINES, every: Sequence[Baseline] = BASELINES) -> str:
    """Write `baselines.json`, with the runs of every baseline that are at their end, and curves of some; return the
    table of these."""
    files.write(out / ALL, json.dumps(finished(out, every), indent=1) + "\n")
    results = finished(out, baselines)
    for name, runs in results.items():
        folders = [out / name / f"seed{seed}" for seed in sorted(runs)]
        files.write(out / f"{name}.svg", curve.curve(folders))
        files.write(out / f"{name}.csv", curve.curve_table(folders))
    return table(results, baselines)


def keep(out: Path, kept: Path, baselines: Sequence[Baseline] = BASELINES) -> None:
    """Copy what the report needs of the runs that are at their end: a few kilobytes of each, no weights."""
    for name, runs in finished(out, baselines).items():
        for seed in runs:
            run, folder = out / name / f"seed{seed}", files.make_folder(kept / name / f"seed{seed}")
            rows = [
                {key: row[key] for key in row if key == "decisions" or key.startswith(curve.WON)}
                for row in read_log(run)
                if any(key.startswith(curve.WON) for key in row)
            ]
            files.write(folder / LOG, "".join(json.dumps(row) + "\n" for row in rows))
            files.write(folder / FINAL, files.read(run / FINAL))


def main(said: Sequence[str] | None = None, baselines: Sequence[Baseline] = BASELINES) -> int:
    """Learn, or report."""
    parser = argparse.ArgumentParser(description="Learn the baselines from nothing, one run after the other.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of all runs")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        default=[one.name for one in baselines],
        help=f"some of {checks.choice(one.name for one in baselines)} (default: all)",
    )
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), help="default: 1 2 3")
    parser.add_argument("--games", type=int, default=GAMES, help=f"against each anchor at the end (default: {GAMES})")
    parser.add_argument("--decisions", type=int, help="another budget, to try a run; such results are no baseline")
    parser.add_argument("--report", action="store_true", help="learn nothing: print and write what is there")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="copy the results of what is at its end there")
    args = parser.parse_args(said)
    try:
        for name in args.only:
            checks.one_of("baseline", name, [one.name for one in baselines])
        chosen = [one for one in baselines if one.name in args.only]
        if args.decisions is not None:
            chosen = [replace(one, decisions=args.decisions) for one in chosen]
        if not args.report:
            check_games(args.games)
            for baseline in chosen:
                for seed in args.seeds:
                    log = args.out / baseline.name / f"seed{seed}.log"
                    print(f"{baseline.name}, seed {seed}; its log: {log}", flush=True)
                    if not learn(baseline, args.out / baseline.name / f"seed{seed}", seed, args.games):
                        print("Stopped; the same command goes on.")
                        return 130
        elif not args.out.is_dir():
            raise ValueError(f"there is no folder {checks.shown(str(args.out))}")
        print(report(args.out, chosen, baselines), end="")
        if args.keep is not None:
            keep(args.out, args.keep, chosen)
    except (OSError, ValueError) as error:
        parser.exit(2, f"baselines: {error}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
