"""Tests of reports and plots: labels do not overlap, and a wide table on a telephone shows that it goes on."""

import io
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rc_env.arena.figures import Figure as Share
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page

LEVELS = ("random", "greedy", "all_rounder", "search:simulations=32", "mixed")
LONG = ("deliver", "track: guild: each type completed", "track: guild: discard different", "search:net=shipped")


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Return plots as figures instead of their text."""
    monkeypatch.setattr(plots, "svg", lambda drawn: drawn)


def ticks(axis: Any) -> list[Any]:
    """Return the labels of the ticks within the plot; matplotlib draws no others."""
    low, high = axis.get_view_interval()
    return [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


def check_labels(drawn: Any) -> list[str]:
    """Check that the labels of both axes and of the legend are complete and do not touch; return those of the axes."""
    assert isinstance(drawn, Figure)
    renderer = FigureCanvasAgg(drawn).get_renderer()
    drawn.draw_without_rendering()
    (axes,) = drawn.axes
    legend = axes.get_legend()
    labels = [*ticks(axes.xaxis), *ticks(axes.yaxis), *(legend.get_texts() if legend else [])]
    boxes = [label.get_window_extent(renderer) for label in labels]
    for (one, box), (two, other) in combinations(zip(labels, boxes, strict=True), 2):
        assert not box.overlaps(other), f"{one.get_text()!r} overlaps {two.get_text()!r}"
    for label, box in zip(labels, boxes, strict=True):
        assert box.x0 >= 0 and box.x1 <= drawn.bbox.x1, f"{label.get_text()!r} is cut off"
    return [label.get_text().replace("\n", "") for label in labels]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_labels_of_groups_are_apart(figures: None, seats: int) -> None:
    shares = [Share(1 / seats, 1 / seats, 1 / seats)] * len(LEVELS)
    series = [(f"seat {seat + 1}", shares) for seat in range(seats)]
    assert set(check_labels(plots.groups(LEVELS, series, "games won, %", percent=True))) >= set(LEVELS)


def test_labels_of_rows_are_apart(figures: None) -> None:
    ones = [1.0] * len(LONG)
    whole = {"".join(name.split()) for name in LONG}
    for drawn in (
        plots.dots(LONG, [Share(1, 1, 1)] * len(LONG), "x"),
        plots.bars(LONG, [("winners", ones), ("losers", ones)], "x"),
    ):
        assert {"".join(name.split()) for name in check_labels(drawn)} >= whole
    check_labels(plots.heat(LONG, [[0.5] * len(LONG)] * len(LONG), "x"))


def test_names_are_broken_where_they_can_be() -> None:
    assert plots.fitted("greedy", 8) == "greedy"
    assert plots.fitted("search:simulations=32", 14) == "search:\nsimulations=32"
    assert plots.fitted("abcdefghijklmnopqrstuvwxyz", 8) == "abcdefgh\nijklmno…"
    searches = ("search:simulations=32", "search:net=shipped,simulations=16")
    shown = [plots.fitted(name, 9, 5) for name in searches]
    assert shown == ["search:\nsimulatio\nns=32", "search:\nnet=\nshipped,\nsimulatio\nns=16"]


def test_a_wide_table_shows_that_it_goes_on(browser: Any, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
    page = Page("Tables")
    page.table(("bot", "won"), [("greedy", "1")])
    page.table(("bot", *["95 %"] * 9), [("search:simulations=32", *["12.3% – 45.6%"] * 9)])
    path = tmp_path / "page.html"
    path.write_text(page.html(), encoding="utf-8")
    size = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(path.as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") == 400
    small, wide = browser.find_elements("css selector", ".table")

    def edge(table: Any) -> int:
        """Return how light the darkest pixel at the right edge is, between the lines of the table."""
        picture = image.open(io.BytesIO(table.screenshot_as_png)).convert("L")
        return min(picture.getpixel((picture.width - 3, y)) for y in range(8, 14))

    assert edge(small) == 255 and edge(wide) < 220
    browser.execute_script("arguments[0].scrollLeft = 100000", wide)
    assert edge(wide) == 255
    lines = browser.execute_script(
        "return [...document.querySelectorAll('.whole')].map(n => n.getClientRects().length)"
    )
    assert set(lines) == {1}, "an interval must be on one line"
