"""The learning curves of runs as one picture. The command `rc curve`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.training.checkpoint import LOG, read_log

WON = "won/"


def _won(name: str) -> bool:
    return name.startswith(WON)


def curve(folders: Sequence[Path]) -> str:
    """Share of games won against each anchor while training, as SVG.

    Each anchor has a line, the mean of the runs, and a band from the lowest run to the highest.

    Raises:
        ValueError: a folder holds no games, or the runs played other anchors or at other times.
    """
    runs = [[row for row in read_log(folder) if any(map(_won, row))] for folder in folders]
    for folder, rows in zip(folders, runs, strict=True):
        if not rows:
            raise ValueError(f"runs: {folder} has no {LOG} in which games were played")
    played = [[(row["decisions"], *filter(_won, row)) for row in rows] for rows in runs]
    for folder, points in zip(folders, played, strict=True):
        if points != played[0]:
            raise ValueError(
                f"runs: {folder} differs from {folders[0]} in its settings or its length; only the seed may differ"
            )
    decisions, names = [at for at, *_ in played[0]], played[0][0][1:]
    series = []
    for name in names:
        shares = np.array([[row[name] for row in rows] for rows in runs])
        figures = [Figure(*row) for row in zip(shares.mean(0), shares.min(0), shares.max(0), strict=True)]
        series.append((name.removeprefix(WON), figures))
    millions = np.array(decisions) / 1e6
    label = f"won, mean of {len(runs)} runs, %" if len(runs) > 1 else "won, %"
    return plots.lines(millions, series, "decisions, millions", label, percent=True)
