"""Attack every public callable, file and command with wrong values: `make attack`.

Each attack is a call with one thing wrong, in a worker process with a time limit. It has to be refused in a sentence,
or accepted for a reason that is stated beside it. The table counts attacks by class and outcome.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import judge
from attacks import Attack
from catalogue import ATTACKS
from derived import made_up
from judge import BAD, GOOD
from workers import Verdict, run
from wrong import ALWAYS

SLOW = ("surroundings", "command line", "damaged checkpoint")
"""The classes of attacks that take long."""
COMPILED, FORMS = (
    ("rc_env.engine.", "rc_env.envs.", "rc_env.agents.net.", "rc_env.bot."),
    ("wrong memory", "wrong dtype"),
)
"""The callables next to compiled code, and the classes of attacks for which Numba would compile anew."""


def table(verdicts: Sequence[Verdict]) -> str:
    """Return a table of the attacks by class and outcome."""
    counts = Counter((verdict.group, verdict.outcome) for verdict in verdicts)
    groups = sorted({verdict.group for verdict in verdicts})
    outcomes = [one for one in (*GOOD, *BAD) if any(counts[group, one] for group in groups)]
    lines = [["class of attack", "attacks", *outcomes]]
    for group in [*groups, "all"]:
        row = [counts[group, one] if group != "all" else sum(counts[g, one] for g in groups) for one in outcomes]
        lines.append([group, str(sum(row)), *map(str, row)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if not i else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))
        )
        for line in lines
    )


def part(attacks: Sequence[Attack], every: int) -> list[Attack]:
    """Return the attacks that every argument gets, correct calls, and one in so many of the others."""
    return [
        one
        for one in attacks
        if one.control
        or one.what.endswith(ALWAYS)
        or (one.group in FORMS and one.target.startswith(COMPILED))
        or zlib.crc32(one.name.encode()) % every == 0  # by its name, so that the part stays when others come or go
    ]


def failures(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the attacks with a wrong outcome."""
    return [verdict for verdict in verdicts if verdict.outcome not in GOOD]


def main() -> int:
    """Run the attacks chosen on the command line; return 1 if one has a wrong outcome."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", default=[""], metavar="WORDS", help="attacks whose name contains one of these"
    )
    parser.add_argument("--group", default="", metavar="WORDS", help="attacks whose class contains these words")
    parser.add_argument("--quick", action="store_true", help="leave out the classes that start processes or train")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="try a part: every argument, and every N-th value"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write outcomes to a file")
    parser.add_argument("--list", action="store_true", help="print the names of the attacks, and try none")
    options = parser.parse_args()
    chosen = [one for one in ATTACKS if any(words in one.name for words in options.only) and options.group in one.group]
    chosen = [one for one in chosen if not (options.quick and one.group in SLOW)]
    if options.every > 1:
        chosen = part(chosen, options.every)
        judge.PLAY_ON.short = True
    if options.list:
        print("\n".join(one.name for one in chosen))
        return 0
    if any(one.group == "Hypothesis" for one in chosen):
        made_up(True), made_up(False)  # made once, before the workers are forked
    begin, verdicts = time.monotonic(), []
    for verdict in run(chosen):
        verdicts.append(verdict)
        if verdict.outcome not in GOOD:
            print(f"{verdict.outcome}: {verdict.target}: {verdict.what}: {verdict.wording}", flush=True)
    print(table(verdicts))
    print(f"{len(verdicts)} attacks on {len({v.target for v in verdicts})} targets in {time.monotonic() - begin:.0f} s")
    if options.json:
        counts = Counter((verdict.group, verdict.outcome) for verdict in verdicts)
        rows = [{"class": group, "outcome": outcome, "attacks": n} for (group, outcome), n in sorted(counts.items())]
        failed = [verdict._asdict() for verdict in failures(verdicts)]
        options.json.write_text(json.dumps({"attacks": rows, "failed": failed}, indent=1) + "\n")
    return 1 if failures(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
