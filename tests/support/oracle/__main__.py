"""Writes the record of a random game of the oracle, or plays records again and says where they differ.

`python tests/support/oracle --guild jewelers:2 --out game.rcr`; `python tests/support/oracle --check a.rcr b.rcr`.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a folder that is run is no package yet

from oracle import record


def check(file: Path) -> bool:
    """Replay a record; return whether it differs."""
    shown = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    try:
        record.replay(shown, record.tables("base"), record.tables("contractors"))
    except AssertionError as error:
        print(f"{file}: {error}")
        return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--guild", default="clergy", help="a name, a name and card (jewelers:2), or random")
    parser.add_argument("--players", type=int, default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--workshop", default="basic", choices=("basic", "advanced"))
    parser.add_argument("--special-tiles", action="store_true")
    parser.add_argument("--contractors", action="store_true")
    parser.add_argument("--promos", action="store_true", help="let a random guild be the thieves")
    parser.add_argument("--turn-limit", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument("--out", type=Path, help="the record to write")
    goal.add_argument("--check", type=Path, nargs="+", metavar="FILE", help="records to play again")
    settings = vars(parser.parse_args())
    out, files, seed = settings.pop("out"), settings.pop("check"), settings.pop("seed")
    if files:
        raise SystemExit(sum([check(file) for file in files]))
    try:
        record.write(out, seed, **settings)
    except ValueError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
