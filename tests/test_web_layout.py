"""Tests of the layout of the pages in a real browser: nothing overflows or is out of sight, and axe-core agrees."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

from web_page import Page

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("players", "seat"), [(2, 0), (4, 2)])
def test_the_table_is_seen_at_once(page: Page, players: int, seat: int) -> None:
    seats = ["greedy"] * players
    seats[seat] = "you"
    page.begin(seats, width=1280, players=players)
    page.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    page.until(lambda: page.state == "mine")
    boxes = page.run("return ['.market', '.track', '.cathedral', '.own', '.now', '.rest'].map(one => {"
                     "const box = document.querySelector(one).getBoundingClientRect();"
                     "return [box.top, box.bottom]})")  # fmt: skip
    assert all(0 <= top < bottom <= 800 for top, bottom in boxes), boxes
    page.open(f"/game?id={page.game}", 400)
    page.until(lambda: page.state == "mine")
    page.run("scrollTo(0, 1500)")
    assert page.run(
        "const box = document.getElementById('prompt').getBoundingClientRect(); return box.top >= 0 && box.bottom < 200"
    )


@pytest.mark.parametrize("width", [400, *(pytest.param(width, marks=pytest.mark.long) for width in (800, 1300))])
def test_nothing_overflows(page: Page, short_record: str, width: int) -> None:
    page.begin(["you", "greedy"], width=width)
    page.click("[data-hint='3']")
    page.until(lambda: page.one("#hint").is_displayed())
    beyond = (
        "return [...document.querySelectorAll('body *:not(svg *)')]"
        ".filter(n => !n.closest('.pieces, .scroll, .unseen'))"
        ".filter(n => n.getBoundingClientRect().right > innerWidth + 0.5).map(n => n.outerHTML.slice(0, 80))"
    )
    assert page.run("return document.documentElement.scrollWidth") == width and page.run(beyond) == []
    page.check(narrow=width < 860)
    page.after(lambda: page.press("#actions button"))
    page.check(narrow=width < 860)
    for path in ("/", "/watch", "/learn", f"/position?id={page.game}", "/table", "/box", "/study"):
        page.open(path, width)
        if path.startswith(("/position", "/table", "/box")):
            page.until(lambda: page.state == "ready")
        assert page.run("return document.documentElement.scrollWidth") == width and page.run(beyond) == []
    page.drop("game.rcr", short_record)
    page.until(lambda: page.state == "ready")
    assert page.run("return document.documentElement.scrollWidth") == width and page.run(beyond) == []


@pytest.mark.long
@pytest.mark.parametrize(("theme", "width"), [("dark", 400), ("light", 1300)])
def test_axe_finds_nothing_serious(page: Page, short_record: str, theme: str, width: int) -> None:
    found = find_spec("axe_playwright_python")
    if found is None:
        pytest.skip("axe-playwright-python is not installed")
    axe = (Path(str(found.origin)).parent / "axe.min.js").read_text("utf-8")

    def look() -> None:
        page.run("document.documentElement.dataset.theme = arguments[0]", theme)
        page.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
        result = page.browser.execute_async_script("axe.run().then(arguments[0])")
        serious = [
            (one["id"], node["html"][:120], node["failureSummary"][:200])
            for one in result["violations"]
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]
        assert serious == [], page.browser.current_url
        assert len(result["passes"]) > 10

    for path in ("/nowhere", "/", "/watch", "/learn", "/box", "/table", "/study"):
        page.open(path, width)
        if path in ("/", "/watch", "/box", "/table"):
            page.until(lambda: page.state == "ready")
        if path == "/table":
            page.run(
                "document.querySelector('#plans button').click(); document.querySelector('#towers button').click()"
            )
        look()
    page.browser.get_log("browser")  # the log contains the refusal of an address
    page.drop("game.rcr", short_record)
    page.until(lambda: page.state == "ready" and page.all("#list .badge"))
    look()
    page.begin(["you", "greedy"], width=width)
    page.click("[data-hint='3']")
    page.until(lambda: page.one("#hint").is_displayed())
    light = page.one(".light")
    page.click_light(light)
    look()
    page.open(f"/position?id={page.game}", width)
    page.until(lambda: page.state == "ready")
    look()
