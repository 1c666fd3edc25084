"""Writes the record of a random game of the oracle: `python tests/support/oracle --guild jewelers:2 --out game.rcr`."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run as a folder, this is no package yet

from oracle import record


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guild", default="clergy", help="a name, a name and card (jewelers:2), or random")
    parser.add_argument("--players", type=int, default=2, choices=(1, 2, 3, 4))
    parser.add_argument("--workshop", default="basic", choices=("basic", "advanced"))
    parser.add_argument("--special-tiles", action="store_true")
    parser.add_argument("--contractors", action="store_true")
    parser.add_argument("--promos", action="store_true", help="let a random guild be the thieves")
    parser.add_argument("--turn-limit", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    settings = vars(parser.parse_args())
    out, seed = settings.pop("out"), settings.pop("seed")
    try:
        record.write(out, seed, **settings)
    except ValueError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
