"""The learning curves of runs as one picture. The command `rc curve`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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
    decisions, won = _won_by_anchor(folders)
    series = []
    for name, shares in won.items():
        figures = [Figure(*row) for row in zip(shares.mean(0), shares.min(0), shares.max(0), strict=True)]
        series.append((name, figures))
    label = f"won, mean of {len(folders)} runs, %" if len(folders) > 1 else "won, %"
    return plots.lines(np.array(decisions) / 1e6, series, "decisions, millions", label, percent=True)


def curve_table(folders: Sequence[Path]) -> str:
    """The numbers of `curve` as CSV: a line for each number of decisions and anchor, with a column for each run.

    The columns are `decisions`, `anchor`, `mean`, `lowest`, `highest`, and `run1` onwards; shares are from 0 to 1.

    Raises:
        ValueError: see `curve`.
    """
    decisions, won = _won_by_anchor(folders)
    lines = [["decisions", "anchor", "mean", "lowest", "highest", *(f"run{n + 1}" for n in range(len(folders)))]]
    for place, at in enumerate(decisions):
        for name, shares in won.items():
            of = shares[:, place]
            lines.append([str(at), name, *(f"{value:.6g}" for value in (of.mean(), of.min(), of.max(), *of))])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _won_by_anchor(folders: Sequence[Path]) -> tuple[list[int], dict[str, NDArray[np.float64]]]:
    """The decisions at which games were played, D of them, and the (R, D) shares of R runs by anchor."""
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
    won = {
        name.removeprefix(WON): np.array([[row[name] for row in rows] for rows in runs]) for name in played[0][0][1:]
    }
    return [at for at, *_ in played[0]], won
