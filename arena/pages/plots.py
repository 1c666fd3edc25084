"""Plots as SVG text: the same numbers give the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rc_env.arena.figures import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 5.4  # inches: on a phone a page shows it at three quarters of its size
COLOURS = ("#1f6f8b", "#c8553d", "#6a994e", "#7b5ea7", "#bc8a2f", "#5c677d", "#d17b9f", "#2a9d8f")
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "rc_env",
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8d99a6",
    "axes.grid": True,
    "grid.color": "#e6eaee",
    "axes.axisbelow": True,
    "text.color": "#24303c",
    "axes.labelcolor": "#24303c",
    "xtick.color": "#4a5763",
    "ytick.color": "#24303c",
}


@contextmanager
def drawing(height: float = 3.2) -> Iterator[tuple[Figure, Axes]]:
    """Context with an empty plot, `height` inches high, and the style of all plots here."""
    import matplotlib  # here, since it takes a second
    from matplotlib.figure import Figure

    with matplotlib.rc_context(STYLE):
        drawn = Figure(figsize=(WIDTH, height), layout="constrained")
        yield drawn, drawn.add_subplot()


def svg(drawn: Figure) -> str:
    """The plot as an `<svg>` element."""
    import matplotlib

    buffer = io.StringIO()
    with matplotlib.rc_context(STYLE):
        drawn.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :].strip() + "\n"


def fitted(name: str, most: int, lines: int = 2) -> str:
    """A name in at most so many lines of `most` characters, so that it leaves room for the plot.

    A line ends after a space or one of `:_=-,/`; where there is none, it is full. What does not fit is left out.
    """
    parts: list[str] = []
    while len(name) > most and len(parts) < lines - 1:
        ends = [place for place in range(1, most + 1) if name[place - 1] in " :_=-,/"]
        first = ends[-1] if ends else most
        parts.append(name[:first].rstrip())
        name = name[first:]
    return "\n".join([*parts, name if len(name) <= most else name[: most - 1] + "…"])


def columns(figures: Sequence[Estimate], percent: bool = False) -> NDArray[np.float64]:
    """(3, N) means and lower and upper bounds of N figures, in percent where they are shares; NaN where unknown."""
    rows = [(one.mean, one.low, one.high) for one in figures]
    return (100 if percent else 1) * np.array(rows, np.float64).reshape(-1, 3).T


def dots(
    names: Sequence[str],
    figures: Sequence[Estimate],
    label: str,
    *,
    reference: float | None = None,
    percent: bool = False,
) -> str:
    """A dot and an interval for each name, from top to bottom; a dashed line at the reference."""
    with drawing(1.1 + 0.36 * len(names)) as (drawn, axes):
        centre, left, right = columns(figures, percent)
        rows = np.arange(len(names))[::-1]
        if reference is not None:
            axes.axvline((100 if percent else 1) * reference, color="#8d99a6", linestyle="--", linewidth=1)
        axes.hlines(rows, left, right, color=COLOURS[0], linewidth=3, alpha=0.45)
        axes.plot(centre, rows, "o", color=COLOURS[0], markersize=6)
        axes.set_yticks(rows, [fitted(name, 20) for name in names], linespacing=0.95)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(label)
    return svg(drawn)


def labelled(labels: Sequence[str], xs: ArrayLike, figures: Sequence[Estimate], xlabel: str, ylabel: str) -> str:
    """Dots with their labels inside and intervals in y; x is logarithmic."""
    with drawing(4.2) as (drawn, axes):
        x, (y, low, high) = np.asarray(xs, np.float64), columns(figures)
        axes.set_xscale("log")
        axes.vlines(x, low, high, color=COLOURS[0], linewidth=3, alpha=0.45)
        axes.plot(x, y, "o", color=COLOURS[0], markersize=15)
        for label, at, height in zip(labels, x, y, strict=True):
            axes.text(at, height, label, color="white", ha="center", va="center_baseline", fontsize=9)
        axes.margins(0.08)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(ylabel)
    return svg(drawn)


def heat(names: Sequence[str], share: ArrayLike, label: str) -> str:
    """A square table of shares from 0 to 1, blue above a half and red below."""
    values = np.asarray(share, np.float64)
    count = len(names)
    with drawing(1.4 + 0.42 * count) as (drawn, axes):
        edges = np.arange(count + 1) - 0.5
        axes.pcolormesh(edges, edges, values, cmap="RdBu", vmin=-0.5, vmax=1.5)  # pale enough to be written on
        axes.invert_yaxis()
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.set_yticks(range(count), [fitted(f"{i + 1} {name}", 20) for i, name in enumerate(names)], linespacing=0.95)
        axes.set_xticks(range(count), [str(i + 1) for i in range(count)])
        axes.tick_params(length=0)
        size = 11 if count <= 7 else 8
        for i in range(count):
            for j in range(count):
                if np.isfinite(values[i, j]):
                    axes.text(j, i, f"{100 * values[i, j]:.0f}", ha="center", va="center", fontsize=size)
        axes.set_xlabel(label)
    return svg(drawn)


Series = Sequence[tuple[str, Sequence[Estimate]]]
"""The data of lines: a name each, and a figure at each x."""


def _scaled(axes: Axes, series: Series, ylabel: str, reference: float | None, percent: bool) -> list[tuple[Any, ...]]:
    """Colour, name, mean, low and high of each of the series; with the label and the dashed line at the reference."""
    if reference is not None:
        axes.axhline((100 if percent else 1) * reference, color="#8d99a6", linestyle="--", linewidth=1)
    axes.set_ylabel(ylabel)
    return [(colour, name, *columns(one, percent)) for colour, (name, one) in zip(COLOURS, series, strict=False)]


def lines(
    xs: ArrayLike, series: Series, xlabel: str, ylabel: str, *, reference: float | None = None, percent: bool = False
) -> str:
    """Lines with bands over the xs."""
    with drawing() as (drawn, axes):
        for colour, name, centre, low, high in _scaled(axes, series, ylabel, reference, percent):
            axes.fill_between(xs, low, high, color=colour, alpha=0.18, linewidth=0)
            axes.plot(xs, centre, "o-", color=colour, label=name, markersize=4)
        axes.set_xlabel(xlabel)
        if len(series) > 1:
            axes.legend(frameon=False)
    return svg(drawn)


def groups(
    groups: Sequence[str], series: Series, ylabel: str, *, reference: float | None = None, percent: bool = False
) -> str:
    """Dots with intervals, side by side in each group: each of the series has one figure a group."""
    with drawing() as (drawn, axes):
        width = 0.6 / max(len(series), 1)
        for i, (colour, name, centre, low, high) in enumerate(_scaled(axes, series, ylabel, reference, percent)):
            x = np.arange(len(groups)) + width * (i - (len(series) - 1) / 2)
            axes.vlines(x, low, high, color=colour, linewidth=3, alpha=0.45)
            axes.plot(x, centre, "o", color=colour, label=name, markersize=6)
        room = 60 // max(len(groups), 1)
        size, most = (11, room) if all(len(name) <= room for name in groups) else (9, room * 11 // 9)
        axes.set_xticks(range(len(groups)), [fitted(name, most, 5) for name in groups], fontsize=size)
        axes.set_xlim(-0.5, len(groups) - 0.5)
        axes.grid(axis="x", visible=False)
        if len(series) > 1:
            axes.legend(frameon=False, ncols=len(series), loc="upper center", bbox_to_anchor=(0.5, 1.18))
    return svg(drawn)


def spread(
    figures: Sequence[Estimate],
    band: Estimate,
    label: str,
    *,
    reference: float | None = None,
    percent: bool = False,
) -> str:
    """Many figures with their intervals, in rising order from left to right, and the band that holds most of them."""
    with drawing() as (drawn, axes):
        y, bottom, top = columns(figures, percent)
        order = np.argsort(y, kind="stable")
        x = np.arange(1, len(y) + 1)
        _, lowest, highest = columns([band], percent)[:, 0]
        axes.axhspan(lowest, highest, color=COLOURS[4], alpha=0.2, linewidth=0)
        if reference is not None:
            axes.axhline((100 if percent else 1) * reference, color="#8d99a6", linestyle="--", linewidth=1)
        axes.vlines(x, bottom[order], top[order], color=COLOURS[0], linewidth=2, alpha=0.45)
        axes.plot(x, y[order], "o", color=COLOURS[0], markersize=3.5)
        axes.set_xlabel("sets, in rising order")
        axes.set_ylabel(label)
    return svg(drawn)


def bars(names: Sequence[str], series: Sequence[tuple[str, ArrayLike]], label: str) -> str:
    """Bars for each name, from top to bottom; each of the series is a name and its values."""
    with drawing(1.4 + 0.42 * len(names)) as (drawn, axes):
        rows = np.arange(len(names))[::-1]
        height = 0.8 / len(series)
        for i, (colour, (name, values)) in enumerate(zip(COLOURS, series, strict=False)):
            middle = rows - height * (i - (len(series) - 1) / 2)
            axes.barh(middle, np.asarray(values, np.float64), 0.9 * height, color=colour, label=name)
        axes.axvline(0, color="#8d99a6", linewidth=1)
        axes.set_yticks(rows, [fitted(name, 20) for name in names], linespacing=0.95)
        axes.grid(axis="y", visible=False)
        axes.set_xlabel(label)
        axes.legend(frameon=False, loc="lower right")
    return svg(drawn)


def reliability(predicted: ArrayLike, observed: ArrayLike, low: ArrayLike, high: ArrayLike, label: str) -> str:
    """Observed shares with their intervals over the predicted ones, in percent; the dashed line is where both agree."""
    with drawing(4.2) as (drawn, axes):
        x, y, bottom, top = (100 * np.asarray(values, np.float64) for values in (predicted, observed, low, high))
        axes.plot((0, 100), (0, 100), color="#8d99a6", linestyle="--", linewidth=1)
        axes.vlines(x, bottom, top, color=COLOURS[0], linewidth=3, alpha=0.45)
        axes.plot(x, y, "o", color=COLOURS[0], markersize=6)
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_aspect("equal")
        axes.set_xlabel(f"predicted {label}")
        axes.set_ylabel(f"observed {label}")
    return svg(drawn)
