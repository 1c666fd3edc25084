"""Tests of the pages of `rc serve` in a real browser: whole games by clicks, and every other feature of the pages."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

from at_a_table import setup_of
from web_games import ask, choice, serving

from rc_env import agents
from rc_env.apps.table.phrases import phrase
from rc_env.apps.web.table import Table
from rc_env.arena.match import play_match
from rc_env.bot import Bot
from rc_env.record import Recorder, parse, replay
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import view
from rc_env.ruleset import Ruleset

pytestmark = pytest.mark.slow

CRASHING = "web_games:Crashing"
CLICK = "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 9, clientY: 9}))"
SLOW = 120.0  # seconds that a page may take on a busy machine
T = TypeVar("T")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Any]]:
    with serving(tmp_path_factory.mktemp("served"), bots=[CRASHING]) as made:
        yield made


class Page:
    """A browser that shows a page of the server."""

    def __init__(self, browser: Any, address: str, server: Any) -> None:
        self.browser, self.address, self.server = browser, address, server
        self.game = ""

    def open(self, path: str, width: int = 1300, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.browser.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.browser.get("about:blank")  # a change after the # alone would not load the page anew
        self.browser.get(f"{self.address}{path}")

    def set_up(self, path: str = "/") -> None:
        """Open the form of a new game, as a first visitor gets it; bots play without pauses."""
        self.open(path)
        self.run("localStorage.clear(); localStorage.setItem('pace', '0')")
        self.open(path)
        self.until(lambda: self.state == "ready")

    def begin(self, seats: list[str], seed: int = 7, width: int = 1300, **variant: Any) -> None:
        """Start a new game without the form."""
        body = json.dumps({"variant": variant, "seats": seats, "seed": seed}).encode()
        asked = urllib.request.Request(f"{self.address}/api/games", body, {"content-type": "application/json"})
        self.game = json.load(urllib.request.urlopen(asked))["id"]
        self.open("/", width)
        self.run("localStorage.clear(); localStorage.setItem('pace', '0')")
        self.open(f"/game?id={self.game}", width)
        self.until(lambda: self.state in ("mine", "over", "bots"))

    def run(self, script: str, *arguments: Any) -> Any:
        return self.browser.execute_script(script, *arguments)

    def one(self, selector: str) -> Any:
        return self.browser.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        return self.browser.find_elements("css selector", selector)

    def click(self, selector: str) -> None:
        """Click an element: where the page draws it anew between the look and the click, the new one."""
        from selenium.common.exceptions import StaleElementReferenceException

        def clicked() -> bool:
            with suppress(StaleElementReferenceException):
                self.one(selector).click()
                return True
            return False

        self.until(clicked)

    def tap(self, selector: str, number: int = 0) -> None:
        """Click the element of this number, whether or not it is in sight."""
        self.run("document.querySelectorAll(arguments[0])[arguments[1]].click()", selector, number)

    def press(self, selector: str) -> None:
        """Click an action of the list, as a person does who opens its group first."""
        self.run(
            "const button = document.querySelector(arguments[0]);"
            "button.closest('details').open = true; button.scrollIntoView({block: 'center'})",
            selector,
        )
        self.click(selector)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def seen(self, selector: str) -> list[str]:
        """The words of those elements whose middle is seen and takes a click."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].filter(one => {"
            "const box = one.getBoundingClientRect();"
            "return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))"
            "}).map(one => one.textContent)",
            selector,
        )
        return found

    @property
    def state(self) -> str:
        return str(self.run("return document.body.dataset.state ?? ''"))

    @property
    def version(self) -> int:
        return int(self.run("return document.body.dataset.version"))

    def until(self, true: Callable[[], Any]) -> None:
        end = time.monotonic() + SLOW
        while not true():
            assert time.monotonic() < end, f"{self.state}: {self.run('return document.body.innerText')[:600]}"
            time.sleep(0.02)

    def after(self, act: Callable[[], object], *states: str) -> None:
        """Do something that changes the game, and wait for the person's next decision."""
        before = self.version
        act()
        self.until(lambda: self.version > before and self.state in (states or ("mine", "over")))

    def ask(self, question: Callable[[Table], T]) -> T:
        """What the owner of the game answers, which alone uses its table."""
        self.until(lambda: self.game in self.server.tables.owners)  # a server that has just begun opens it first
        return ask(self.server, self.game, question)

    @property
    def played(self) -> int:
        return self.ask(lambda table: table.game.played)

    def action(self, is_meant: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first legal action that is meant."""
        return next(one for one in self.ask(lambda table: table.actions()) if is_meant(one))

    def choice(self, bot: Bot) -> int:
        """What a bot would play for the person."""
        return choice(self.server, self.game, bot)

    def check(self, narrow: bool = False) -> None:
        """Check that the board shows the position of the engine, and the list the legal actions."""
        shown = self.ask(lambda table: table.game.view)
        laid = narrow_panels(shown) if narrow else panels(shown)
        expected = {part.name: part.element().findtext("title") for panel in laid for part in panel.parts}
        words, facts, listed = self.run(
            "return [Object.fromEntries([...document.querySelectorAll('[data-part]')].map("
            "g => [g.dataset.part, g.querySelector(':scope > title')?.textContent ?? null])),"
            "Object.fromEntries([...document.querySelectorAll('[data-fact]')]"
            ".map(n => [n.dataset.fact, n.textContent])),"
            "[...document.querySelectorAll('#actions button')].map(b => +b.dataset.number)]"
        )
        assert words == expected
        said = self.run("return document.body.innerText + ' ' + [...document.querySelectorAll('title, [title]')]"
                        ".map(one => one.title || one.textContent).join(' ')")  # fmt: skip
        assert not re.search(r"[a-z_]:\d|_gem|_material", said), "the words of the record are not for people"
        for seat, row in enumerate(shown["seats"]):
            assert facts[f"score {seat}"] == str(row["score"])
        assert self.text("#words") == shown["words"]
        mask = self.ask(lambda table: table.game.engine.legal_mask()[0].copy())
        legal = mask.nonzero()[0].tolist() if self.state == "mine" else []
        assert sorted(listed) == legal

    def play(self, number: int, on_board: bool) -> None:
        """Click an action: on its place on the board, or in the list."""
        action = self.action(lambda one: one["number"] == number)
        if not on_board or not action["places"]:
            self.press(f"#actions button[data-number='{number}']")
            return
        for place in action["places"]:
            lights = self.all(f'.light[data-place="{place}"]')
            assert lights, f"{action['words']}: {place} is not highlighted"
            self.run("arguments[0].scrollIntoView({block: 'center'})", lights[0])
            self.run(
                "arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 9, clientY: 9}))",
                lights[0],
            )
            if self.run("return document.getElementById('chooser').hidden"):
                break  # the click was unambiguous
        else:
            for button in self.all("#chooser li button"):
                if self.run("return +arguments[0].dataset.number", button) == number:
                    self.run("arguments[0].click()", button)
                    break
            else:
                raise AssertionError(f"{action['words']} is not in the menu")


@pytest.fixture
def page(browser: Any, served: tuple[str, Any]) -> Iterator[Page]:
    browser.get_log("browser")
    made = Page(browser, *served)
    yield made
    wrong = [line for line in browser.get_log("browser") if "ERR_CONNECTION_REFUSED" not in line["message"]]
    assert wrong == [], "the console of the browser must be empty"


@pytest.mark.parametrize(
    ("seats", "variant"),
    [
        pytest.param(["you"], {"players": 1}, marks=pytest.mark.long),
        (["you", "net"], {"players": 2, "turn_limit": 16}),
        pytest.param(["you", "net"], {"players": 2}, marks=pytest.mark.long),
        pytest.param(["greedy", "you", "net"], {"players": 3}, marks=pytest.mark.long),
        pytest.param(["net", "greedy", "random", "you"], {"players": 4}, marks=pytest.mark.long),
        pytest.param(
            ["you", "greedy"],
            {"players": 2, "contractors": True, "fourth_guild": "archivists", "special_tiles": True},
            marks=[pytest.mark.full, pytest.mark.long],
        ),
    ],
)
def test_a_whole_game_by_clicks(page: Page, seats: list[str], variant: dict[str, Any]) -> None:
    page.begin(seats, seed=11, **variant)
    mine = agents.make("rush")
    page.until(lambda: page.state in ("mine", "over"))
    clicks = 0
    while page.state != "over":
        if clicks % 3 == 0:
            page.check()
        number, at = page.choice(mine), page.played
        page.after(partial(page.play, number, on_board=clicks % 3 != 0))
        assert page.played > at
        clicks += 1
        assert clicks < 400
    assert clicks > variant.get("turn_limit", 20)
    page.check()
    by_rules = page.ask(lambda table: table.game.engine.terminated[0])
    assert by_rules != ("turn_limit" in variant), "by the rules, or by the limit"
    results = page.ask(lambda table: table.game.engine.results())
    rows = [[cell.text for cell in row.find_elements("css selector", "td")] for row in page.all("#results tbody tr")]
    assert [int(row[0]) - 1 for row in rows] == sorted(results.place[0].tolist())
    assert sorted(int(row[1]) for row in rows) == sorted(results.prestige[0].tolist())
    record = parse(page.ask(lambda table: table.record()))
    assert record.result["prestige"] == results.prestige[0].tolist()
    page.run("scrollTo(0, 0)")  # the sentence on top of the page would lie over the button
    page.click("[data-study]")
    page.until(lambda: page.state == "ready")
    assert page.text("#at") == f"decision 0 of {len(record.decisions)}"


def test_the_form_begins_a_game_and_rematches(page: Page) -> None:
    page.set_up()
    page.run("document.querySelector('#setup details').open = true")
    page.one("[name=seed]").send_keys("5")
    page.run("const s = document.querySelector('[name=players]'); s.value = '3'; s.dispatchEvent(new Event('change'))")
    assert len(page.all("#seats select")) == 3
    page.run("const s = document.querySelector('[name=bot2]'); s.value = 'you'; s.dispatchEvent(new Event('change'))")
    assert page.run("return document.querySelector('[name=bot0]').value") == "greedy"
    page.run("document.querySelector('details').open = true; document.querySelector('[name=turn_limit]').value = 4")
    page.click("#setup button.main")
    page.until(lambda: page.state in ("mine", "over"))
    assert "you" in page.text("#seats li:nth-child(3)")
    page.run("window.confirm = () => true")
    page.click("#resign")
    page.until(lambda: page.state == "over")
    assert page.text("#how").endswith("and no result counts.")
    first = page.run("return location.search")
    page.click("#again")
    page.until(lambda: page.run("return location.search") != first and page.state == "mine")
    assert "you" in page.text("#seats li:nth-child(3)")


def test_undo_redo_hints_and_previews(page: Page) -> None:
    page.begin(["you", "greedy"])
    assert not page.one("#undo").is_enabled() and not page.one("#redo").is_enabled()
    words = page.text("#words")
    claim = next(
        one
        for one in page.all("#actions button")
        if one.get_attribute("textContent").startswith("Claim the base of tower 1 ")
    )
    page.run("arguments[0].closest('details').open = true", claim)
    page.run("arguments[0].focus()", claim)
    page.until(lambda: "sections begun 0 → 1" in page.text("#preview"))
    assert page.all(".previewed"), "the board must show the position after the action"
    page.run("arguments[0].blur()", claim)
    assert not page.all(".previewed")
    page.check()
    for level in (1, 2, 3):
        page.click(f"[data-hint='{level}']")
        page.until(lambda: page.one("#hint").is_displayed() and not page.one("#thinking").is_displayed())
        assert (len(page.all("#actions .best")) == 1) == (level > 1)
    assert len(page.all("#considered tbody tr")) == len(page.all("#actions button"))
    page.after(lambda: page.press("#actions button"))
    page.check()
    after = page.text("#words")
    page.after(lambda: page.click("#undo"))
    page.check()
    assert page.text("#words") == words
    page.after(lambda: page.click("#redo"))
    page.check()
    assert page.text("#words") == after
    page.after(lambda: page.one("body").send_keys("u"))
    assert page.text("#words") == words
    page.after(lambda: page.click("#dice"))
    assert not page.one("#redo").is_enabled()


def test_the_keyboard_is_enough(page: Page) -> None:
    from selenium.webdriver.common.keys import Keys

    page.begin(["you", "greedy"])

    def tab_to(selector: str) -> None:
        for _ in range(120):
            page.browser.switch_to.active_element.send_keys(Keys.TAB)
            if page.run("return document.activeElement.matches(arguments[0])", selector):
                return
        raise AssertionError(f"{selector} cannot be reached by Tab")

    tab_to("#actions button")
    page.after(lambda: page.browser.switch_to.active_element.send_keys(Keys.ENTER))
    page.check()
    tab_to(".light")
    assert page.run("return document.activeElement.getAttribute('role')") == "button"
    assert page.run("return document.activeElement.getAttribute('aria-label')")
    before = page.version
    page.browser.switch_to.active_element.send_keys(Keys.ENTER)
    page.until(lambda: page.version > before or not page.run("return document.getElementById('chooser').hidden"))
    if page.version == before:
        assert page.run("return document.activeElement.closest('#chooser') !== null"), "the menu must have the focus"
        page.browser.switch_to.active_element.send_keys(Keys.ESCAPE)
        assert page.run("return document.getElementById('chooser').hidden")
    page.until(lambda: page.state in ("mine", "over"))
    page.check()


def test_a_page_that_is_loaded_anew_and_a_second_tab_show_the_same(page: Page) -> None:
    page.begin(["you", "greedy"])
    page.after(lambda: page.press("#actions button"))
    words, log = page.text("#words"), page.text("#log")
    page.browser.refresh()
    page.until(lambda: page.state == "mine")
    page.check()
    assert (page.text("#words"), page.text("#log")) == (words, log)
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    page.open(f"/game?id={page.game}")
    page.until(lambda: page.state == "mine")
    page.check()
    page.after(lambda: page.press("#actions button"))
    words = page.text("#words")
    page.browser.close()
    page.browser.switch_to.window(first)
    page.until(lambda: page.text("#words") == words)
    page.check()


def test_a_server_that_starts_again_finds_the_game(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as (address, server):
        page = Page(browser, address, server)
        page.begin(["you", "greedy"])
        page.after(lambda: page.press("#actions button"))
        words, port = page.text("#words"), int(address.rpartition(":")[2])
    page.until(lambda: "does not answer" in page.text("#sentence"))
    with serving(tmp_path, port) as (_, page.server):
        page.until(lambda: page.text("#sentence") == "")
        page.until(lambda: page.state == "mine")
        assert page.text("#words") == words
        page.check()
        page.after(lambda: page.click("#undo"))
        page.check()
    browser.get("about:blank")
    browser.get_log("browser")


def test_fetches_that_fail_and_connections_that_break_freeze_nothing(page: Page) -> None:
    """The pictures of the pieces fail twice, later every connection breaks: the page goes on from what it has shown."""
    failing = page.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "const real = window.fetch; let left = 2; window.made = []; window.fetch = (...asked) => "
            "left-- > 0 ? Promise.reject(new TypeError('no network')) : real(...asked);"
            "const Real = window.WebSocket; window.WebSocket = class extends Real {"
            "constructor(url) { super(url); window.made.push([url, this]); } };"
        },
    )
    try:
        page.begin(["you", "greedy"])
        assert page.run("return window.made.length") == 3, "two failed, each with a connection of its own"
        page.check()
        page.after(lambda: page.press("#actions button"))
        shown = page.version
        page.run("for (const [, socket] of window.made) socket.close()")
        page.until(lambda: page.run("return window.made.length") == 4)
        assert f"after={shown}" in page.run("return window.made.at(-1)[0]")
        page.until(lambda: page.text("#sentence") == "")
        page.check()
        page.after(lambda: page.press("#actions button"))
        page.check()
    finally:
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", failing)


def test_bots_are_watched_step_by_step(page: Page) -> None:
    page.set_up("/watch")
    page.run("document.querySelector('details').open = true; document.querySelector('[name=turn_limit]').value = 6")
    page.run("localStorage.setItem('pace', 'step')")
    page.run("for (const s of document.querySelectorAll('[data-bot]')) s.value = 'greedy'")
    page.click("#setup button.main")
    page.until(lambda: page.state == "bots")
    assert not page.one("#mine").is_displayed() and not page.one("#undo").is_displayed()
    for number in (1, 2, 3):
        page.click("#step")
        page.until(lambda number=number: page.run("return +document.body.dataset.at") == number)
        assert len(page.all("#log p")) == number
    page.run("const s = document.getElementById('pace'); s.value = '0'; s.dispatchEvent(new Event('change'))")
    page.until(lambda: page.state == "over")
    assert page.all("#results tbody tr")


def test_a_bot_that_fails_says_so_as_text(page: Page) -> None:
    page.begin(["you", CRASHING])
    while page.state == "mine":
        page.after(lambda: page.press("#actions details:last-child li:last-child button"), "mine", "broken")
    assert "RuntimeError raised (out of ideas <b>now</b>)" in page.text("#failed")
    assert page.all("#failed b") == []
    page.until(lambda: page.all("#other option"))
    page.run("document.getElementById('other').value = 'random'")
    page.after(lambda: page.click("#replace"))
    assert not page.one("#failure").is_displayed() and "Visitor" in page.text("#seats")  # the level that is `random`


def test_tabs_that_vanish_leave_nothing_in_the_log(served: tuple[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    from websockets.sync.client import connect

    address, server = served
    body = json.dumps({"seats": ["greedy", "greedy"], "seed": 1}).encode()
    for abrupt in (True, False):
        asked = urllib.request.Request(f"{address}/api/games", body, {"content-type": "application/json"})
        name = json.load(urllib.request.urlopen(asked))["id"]
        url = f"{address.replace('http', 'ws')}/api/games/{name}/live"
        with connect(url, max_size=2**24, close_timeout=0.2) as socket:
            socket.send(json.dumps({"do": "pace", "seconds": 0}))
            for _ in range(5):
                socket.recv()
            if abrupt:
                socket.socket.close()  # the connection breaks off without a closing message
    time.sleep(0.5)
    assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []
    at = ask(server, name, lambda table: table.game.played)
    time.sleep(0.3)
    assert ask(server, name, lambda table: table.game.played) == at, "bots must wait while no tab is open"


# --- several people


def seat_people(page: Page, second: str, **chosen: str) -> None:
    """Begin a game on the form: the person on the first seat, somebody else on the second."""
    page.set_up()
    page.run("document.querySelector('#setup details').open = true")
    for name, value in {"bot1": second, **chosen}.items():
        page.run(
            "const one = document.querySelector(`[name=${arguments[0]}]`); one.value = arguments[1];"
            "one.dispatchEvent(new Event('change'))",
            *(name, value),
        )
    page.click("#setup button.main")
    page.until(lambda: page.state in ("mine", "awaited"))
    page.game = page.run("return new URLSearchParams(location.search).get('id')")


def end_turn(page: Page, *states: str) -> None:
    """Play for whoever decides, until another seat does."""
    seat = page.ask(lambda table: table.game.seat)
    bot = agents.make("greedy")
    while page.ask(lambda table: table.game.seat) == seat:
        number = page.choice(bot)
        page.after(lambda number=number: page.press(f"#actions button[data-number='{number}']"), *states)


def test_two_people_at_one_screen(page: Page) -> None:
    seat_people(page, "here")
    assert page.run("return new URLSearchParams(location.search).getAll('key').length") == 2
    for colour, seat in (("Red", 0), ("Blue", 1), ("Red", 0)):
        assert page.text("#turn") == f"{colour}, your move:" and not page.one("#cover").is_displayed()
        assert page.run("return [...document.querySelectorAll('.board > .seat')].map(one => one.matches('.own'))") == [
            seat == 0, seat == 1,
        ]  # fmt: skip
        end_turn(page)
    page.browser.refresh()
    page.until(lambda: page.state == "mine")
    page.open("/")
    page.until(lambda: page.all("#games a"))
    page.click("#games a")
    page.until(lambda: page.state == "mine")
    assert page.text("#turn") == "Blue, your move:", "the list of games knows the keys"


@pytest.mark.full
def test_a_screen_comes_between_two_people_who_hide_something(page: Page) -> None:
    seat_people(page, "here", fourth_guild="archivists")
    for colour in ("Red", "Blue", "Red"):
        page.until(lambda: page.state == "awaited")
        assert page.text("#cover-title") == f"{colour} is next" and page.one("#cover").is_displayed()
        assert not page.all("#actions button") and not page.all(".light")
        page.click("#sit")
        page.until(lambda: page.state == "mine")
        assert not page.one("#cover").is_displayed()
        end_turn(page, "mine", "awaited")


def test_two_people_in_two_tabs_by_link(page: Page) -> None:
    seat_people(page, "link")
    assert "has not come yet" in page.text("#invite-list") and page.one("#invite-alone").is_displayed()
    address = page.one("#invite-list button").get_attribute("data-link")
    assert address.startswith(f"{page.address}/game?id={page.game}&key=")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    second = page.browser.current_window_handle
    try:
        page.browser.get("about:blank")
        page.open(address.removeprefix(page.address))
        page.until(lambda: page.state == "others")
        assert "red (person) decides" in page.text("#turn") and not page.all("#actions button")
        assert "blue, you" in page.text("#seats")
        page.browser.switch_to.window(first)
        page.until(lambda: "is here" in page.text("#invite-list"))
        end_turn(page, "mine", "others")
        page.browser.switch_to.window(second)
        page.until(lambda: page.state == "mine")
        assert page.text("#turn") == "Your move:" and page.all("#actions button")
        page.after(lambda: page.press("#actions button"))
        page.open(f"/game?id={page.game}&key=x")
        page.until(lambda: page.state == "gone")
        assert "none of a seat of this game" in page.text("#sentence")
        page.run("localStorage.clear()")
        page.open(f"/game?id={page.game}")
        page.until(lambda: page.state == "others")
        assert not page.one("#mine").is_displayed() and not page.one("#undo").is_displayed(), "it looks on"
    finally:
        page.browser.close()
        page.browser.switch_to.window(first)


# --- a game that explains itself


def test_the_log_leads_back_and_forth(page: Page) -> None:
    page.begin(["you", "greedy"], seed=3)
    bot = agents.make("all_rounder")
    for _ in range(6):
        page.after(partial(page.play, page.choice(bot), on_board=False))
    lines = page.run("return [...document.querySelectorAll('.told')].map(b => [+b.dataset.at, b.textContent])")
    told = [
        f"{'You' if one.seat == 0 else 'Blue'} {one.yours if one.seat == 0 else one.words}"
        for one in page.ask(lambda table: table.game.events)
    ]
    assert [words for _, words in lines] == told
    for at, _ in (lines[0], lines[-2]):
        page.run("document.querySelector(`.told[data-at='${arguments[0]}']`).click()", at)
        page.until(lambda at=at: page.all(f".told[aria-current][data-at='{at}']"))
        shown = page.ask(lambda table, at=at: view(table.game.ruleset, table.game.position_at(at, 0)))
        words = page.run("return Object.fromEntries([...document.querySelectorAll('[data-part]')].map("
                         "g => [g.dataset.part, g.querySelector(':scope > title')?.textContent ?? null]))")  # fmt: skip
        assert words == {part.name: part.element().findtext("title") for panel in panels(shown) for part in panel.parts}
        assert shown["words"] in page.text("#looked") and not page.all("#actions button"), "nothing can be chosen"
    page.click("#back")
    page.check()


def test_actions_stand_in_groups_and_dice_can_be_picked(page: Page) -> None:
    page.begin(["you", "greedy"], seed=3)
    counts = page.run("return [...document.querySelectorAll('#actions details')].map(d => "
                      "[+d.querySelector('.count').textContent, d.querySelectorAll('button').length])")  # fmt: skip
    assert len(counts) == 2 and all(number == listed for number, listed in counts)
    covered = page.run(
        "return [...document.querySelectorAll('.light[data-place*=\"/\"]')].map(light => {"
        "const box = light.getBoundingClientRect();"
        "const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);"
        "return top === light || top.dataset.place === light.dataset.place})"
    )
    assert len(covered) > 4 and all(covered)
    nameless = page.run(
        "return [...document.querySelectorAll('button, a[href], select, summary, [tabindex=\"0\"]')]"
        ".filter(n => n.getClientRects().length)"
        ".filter(n => !(n.textContent.trim() || n.ariaLabel || n.labels?.length || n.title))"
        ".map(n => n.outerHTML.slice(0, 90))"
    )
    assert nameless == []
    move = page.action(lambda one: one["words"].startswith("move"))
    page.after(partial(page.play, move["number"], on_board=False))
    done = page.action(lambda one: one["words"] == "done")
    assert page.text("#done") == "End the visit to the market" and "you give up" in done["note"]
    page.after(lambda: page.click("#done"))
    page.check()


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


def test_the_sign_that_a_list_goes_on_scrolls_it_and_plays_nothing(page: Page) -> None:
    page.begin(["you", "greedy"], seed=11)
    page.open(f"/game?id={page.game}", 1280, 657)
    page.until(lambda: page.state == "mine")
    page.run("for (const one of document.querySelectorAll('#actions details')) one.open = true")
    shown = "return document.querySelector('.now .more').checkVisibility()"
    page.until(lambda: page.run(shown))
    before, clicks = page.version, 0
    while page.run(shown):
        top = page.run("return document.querySelector('.now').scrollTop")
        page.click(".now .more")
        page.until(lambda: page.run("return document.querySelector('.now').scrollTop") > top)  # noqa: B023
        time.sleep(0.1)  # for the sign, which may go
        clicks += 1
    assert clicks > 1 and page.version == before and page.played == 0
    last = page.run("return [...document.querySelectorAll('#actions button')].at(-1).textContent")
    assert page.seen("#actions button")[-1] == last, "the end of the list is seen once the sign has gone"
    claim = page.action(lambda one: one["group"] == "claim")
    page.after(partial(page.play, claim["number"], on_board=False))
    page.run("document.querySelector('#actions [data-group=up] button').click()")
    page.until(lambda: page.version > before + 1 and page.state == "mine")
    if len(page.all("#actions button")) <= 6:
        time.sleep(0.2)  # for the list to scroll
        assert len(page.seen("#actions details[open] button")) == len(page.all("#actions details[open] button"))


def test_the_start_page_that_one_comes_back_to_is_of_now(page: Page) -> None:
    page.set_up()
    page.run("document.getElementById('first-sentence').textContent = 'Dealing …'")
    page.run("document.getElementById('games').innerHTML = '<li class=old></li>'")
    page.run("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    page.until(lambda: not page.all("#games .old"))
    assert page.text("#first-sentence") == ""


def test_a_first_game_explains_itself(page: Page) -> None:
    page.set_up()
    page.click("#first")
    page.until(lambda: page.state == "mine" and page.one("#guide").is_displayed())
    page.open(page.run("return location.pathname + location.search"), 1280, 657)
    page.until(lambda: page.state == "mine" and page.one("#guide").is_displayed())
    assert len(page.seen("#actions summary, #actions button")) >= 3, "the guide leaves room for the actions"
    titles = [page.text("#guide-title")]
    page.click("#guide-next")
    page.open(page.run("return location.pathname + location.search"))
    page.until(lambda: page.state == "mine" and page.one("#guide").is_displayed())
    while page.one("#guide").is_displayed():
        titles.append(page.text("#guide-title"))
        page.click("#guide-next")
    assert titles == ["What it is about", "A turn", "Claiming", "The market", "Building", "How to begin"]
    page.click("#what")
    before = page.version
    page.run("document.querySelector('[data-part=guild1]').scrollIntoView()")
    guild = page.one("[data-part='guild1']")
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(page.browser).move_to_element(guild).click().perform()
    page.until(lambda: page.text("#note-title") == "A guild")
    assert page.text("#note-here") == page.run("return arguments[0].querySelector('title').textContent", guild)
    assert page.version == before and page.text("#note-more") == "With pictures"
    page.open("/learn")
    assert len(page.all(".topics svg[role=img]")) >= 8 and len(page.all(".legend li svg")) > 40


def test_addresses_that_lead_nowhere_say_what_to_do(page: Page) -> None:
    page.open("/gme")
    assert "no such page" in page.text("h1") and page.one("main a[href='/']").is_displayed()
    page.open("/game")
    page.until(lambda: page.state == "ready")
    assert page.run("return location.pathname") == "/"
    page.open("/game?id=AAAAAAAAAAAA")
    page.until(lambda: page.state == "gone")
    assert page.one("#gone a[href='/']").is_displayed() and page.text("#sentence")
    page.browser.get_log("browser")  # the log contains the refusals of the server


# --- studies


@pytest.fixture(scope="module")
def text() -> str:
    texts: list[str] = []
    bots = [agents.make("greedy"), agents.make("random")]
    recorder = Recorder(lambda number, whole: texts.append(whole))
    play_match(bots, 1, Ruleset(turn_limit=8), seed=2, rotate=False, recorder=recorder)
    return texts[0]


def drop(page: Page, name: str, content: str) -> None:
    """Act as if a file had been dropped on the page."""
    page.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[1]], arguments[0]));"
        "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))",
        *(name, content),
    )


def test_a_dropped_record_is_studied(page: Page, text: str) -> None:
    record = parse(text)
    page.open("/study")
    drop(page, "game.rcr", text)
    page.until(lambda: page.state == "ready")
    last = len(record.decisions)
    page.until(lambda: page.run("return +document.body.dataset.analysed") == last)
    assert page.text("#at") == f"decision 0 of {last}"
    assert page.all("#list .badge") and len(page.all("#graph .line")) == 2
    page.click("#worse")
    at = page.run("return +document.body.dataset.at")
    told = phrase(view(record.ruleset, replay(record, upto=at).games[0]), record.decisions[at]["action"])
    assert page.all("#verdict .badge") and told in page.text("#verdict")
    assert len(page.all("#measured tbody tr")) >= 3 and page.all("#line li")
    assert "pairs of play-outs with the same dice" in page.text("#verdict") and "±" in page.text("#graph .key")
    assert page.run("return [...document.querySelectorAll('#list button')].findIndex(b => b.ariaCurrent)") == at
    page.run("document.querySelectorAll('#list button')[2].click()")
    assert page.run("return document.body.dataset.at") == "2", "the list must lead to the position of the decision"
    page.click("#quiz")
    answers = [button.text for button in page.all("#choices button")]
    assert 2 <= len(answers) <= 4 and "better" in page.text("#verdict") and not page.one("#measured").is_displayed()
    page.click("#choices button")
    assert page.one("#measured").is_displayed() and page.text("#verdict").startswith(("Yes: ", "That is"))
    page.click("#compare button")
    page.until(lambda: page.all("#policies tbody tr"))
    assert len(page.all("#policies thead th")) == 3
    page.click("#last")
    assert page.text("#verdict") == "The game is over." and not page.one("#onward button").is_enabled()
    address = page.run("return location.href")
    page.open(address.removeprefix(page.address).replace(f"#{last}", "#3"))
    page.until(lambda: page.state == "ready")
    assert page.text("#at") == f"decision 3 of {last}", "the link must lead to the position"
    page.run("localStorage.setItem('pace', '0')")
    page.click("#onward button")
    page.until(lambda: page.state in ("mine", "over"))
    page.game = page.run("return new URLSearchParams(location.search).get('id')")
    page.check()
    assert len(page.ask(lambda table: table.game.events)) >= 3


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "the text is empty"), ("<img src=x onerror=alert(1)>", "line 1"), ("{}\n{}", "line 1"), (None, "line ")],
)
def test_a_broken_file_says_so_as_text(page: Page, text: str, content: str | None, words: str) -> None:
    page.open("/study")
    name = "<b>game</b>.rcr"
    drop(page, name, text[:900] if content is None else content)
    page.until(lambda: words in page.text("#sentence"))
    assert page.text("#sentence").startswith(f"{name}: ") and page.all("#sentence *") == []
    page.browser.get_log("browser")  # the log contains the refusal of the server


@pytest.mark.long
def test_the_coach_stops_a_game_and_something_else_is_tried_in_its_study(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rc_env.apps.web.workers.LESSON_SECONDS", SLOW)
    page.begin(["you", "greedy"])
    page.run(SAY, page.one("#coach-level"), "mistakes")
    page.until(lambda: page.ask(lambda table: table.teaching.level(0)) == "mistakes")
    for words in ("claim 3 from inventory", "place white1 up"):
        number = page.action(lambda one, words=words: one["words"] == words)["number"]
        page.after(partial(page.press, f"#actions button[data-number='{number}']"))
    page.until(lambda: page.one("#lesson").is_displayed())
    assert page.text("#lesson-title") == "A blunder." and page.all("#lesson .reasons li")
    assert page.text("#lesson-decision") == "Turn 1: you placed the tile on the first white slot, face up."
    assert page.text("#turn").startswith("The coach has something to say about turn 1")
    page.browser.refresh()
    page.until(lambda: page.state == "mine" and page.one("#lesson").is_displayed())
    page.click("#lesson-show")
    page.until(lambda: page.all(".ring.best") and page.all(".ring.played"))
    assert "face down" in page.text("#lesson-better")
    page.after(lambda: page.click("#lesson-back"))
    assert not page.one("#lesson").is_displayed() and not page.all(".ring") and page.played == 1
    assert "1 mistake, 1 taken back" in page.text("#coach-count")
    page.run("document.querySelector('.rest [data-study]').click()")  # the sign that more follows may lie over it
    page.until(lambda: page.state == "ready")
    page.click("#branch")
    page.until(lambda: page.state == "mine")
    page.game = page.run("return new URLSearchParams(location.search).get('id')")
    page.run("document.querySelector('#branch details').open = true")
    page.run(SAY, page.one("#branch-name"), "Wait")
    page.until(lambda: page.ask(lambda table: table.branch.name) == "Wait")
    page.after(lambda: page.click("#let"))
    page.click("#branch-from")
    page.until(lambda: page.state == "ready")
    assert page.text("#branches li b") == "Wait"


# --- a real table

SAY = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change', {bubbles: true}))"
# The same for the n-th of several fields, looked up in the page itself, which may just be drawing them anew.
SAY_AT = (
    "const field = document.querySelectorAll(arguments[0])[arguments[1]];"
    "field.value = arguments[2]; field.dispatchEvent(new Event('change', {bubbles: true}))"
)


def lay(page: Page, setup: dict[str, Any], **variant: Any) -> None:
    """Enter on the page of a real table what lies there."""
    page.open("/table")
    page.until(lambda: page.state == "ready")
    page.run("localStorage.clear()")
    page.open("/table")
    page.until(lambda: page.state == "ready")
    for name, value in variant.items():
        if value is True:
            page.click(f"#{'others' if name == 'fourth_guild' else name}")
        else:
            page.run(SAY, page.one(f"#{name}"), value)
    towers = len(setup["heights"])
    page.until(lambda: len(page.all("#heights input")) == towers and (
        len(page.all("#cities select")) == towers * bool(variant.get("contractors"))
    ))  # fmt: skip

    def select(where: str, values: list[Any]) -> None:
        for place, value in enumerate(values):
            page.run(SAY_AT, f"{where} select", place, value)

    for tower, height in enumerate(setup["heights"]):
        page.run(SAY_AT, "#heights input", tower, height)
    page.until(lambda: len(page.all("#towers button")) == sum(setup["heights"]))
    page.click("#towers [data-section='1.1']")
    for tower in setup["towers"]:
        for section in tower:
            card = section["card"]
            cost = ", ".join(f"{count} {material.replace('_', ' ')}" for material, count in card["cost"].items())
            words = f"costs {cost}, gives {card['recognition']} recognition and {card['rubles']} rubles"
            pick = f"#section-card button[aria-label='{words}']"
            if page.all(pick):
                page.tap(pick)
            else:  # by the counters
                for name, count in {
                    **card["cost"],
                    "recognition": card["recognition"],
                    "rubles": card["rubles"],
                }.items():
                    for _ in range(count):
                        page.tap(f"#section-card [aria-label='More {name.replace('_', ' ')}']")
            page.tap(f"#section-card [data-tile='{section['tile']}']")
            if page.run("return document.getElementById('section-next').checkVisibility()"):
                page.tap("#section-next")
    select("#market", setup["market"])
    select("#dice", [die[key] for die in setup["dice"].values() for key in ("space", "value")])
    for quadrant, entry in enumerate(setup["guilds"]):
        place = f"#guilds > [role=group]:nth-child({quadrant + 1})"
        page.run(SAY_AT, f"{place} select", 0, entry["guild"])
        page.run(SAY_AT, f"{place} select", 1, entry["card"])
    if variant.get("contractors"):
        select("#cities", setup["cities"])
        for slot, entry in enumerate(setup["specialists"]):
            page.run(SAY_AT, f"#specialists > [role=group]:nth-child({slot + 1}) select", 0, entry["number"])


def enter(page: Page, rng: np.random.Generator, before: int) -> None:
    """Click what fell at the table, until nothing more is asked; `before` is the version before the decision."""
    page.until(lambda: page.version > before or page.state == "asked")
    while page.state == "asked":
        rows, choices = len(page.all("#falling .faces")), len(page.all("#falling .drawn button"))
        page.run("document.body.dataset.state = 'answered'")
        for row in range(rows):
            face = "document.querySelectorAll('#falling .faces')[arguments[0]].children[arguments[1]].click()"
            page.run(face, row, int(rng.integers(6)))
        if not rows:
            page.tap("#falling .drawn button", int(rng.integers(choices)))
        page.until(lambda: page.state != "answered")
    page.until(lambda: page.version > before)


OWN = {"cost": {"lumber": 1, "gold": 2}, "recognition": 9, "rubles": 4}
"""A base that no packaged file has."""


def test_a_table_is_set_up_and_the_first_dice_are_entered(page: Page) -> None:
    setup, _ = setup_of(Ruleset(), 5)
    setup["towers"][0][0]["card"], right = OWN, setup["market"][2]
    setup["market"][2] = setup["market"][1]
    lay(page, setup)
    page.until(lambda: "occurs more than once" in page.text("#verdict"))
    assert not page.one("#play").is_enabled()
    page.run(SAY, page.all("#market select")[2], right)
    page.run("document.getElementById('title').value = 'Friday'")
    page.until(lambda: page.one("#play").is_enabled())
    assert "All is there" in page.text("#verdict")
    page.click("#play")
    page.until(lambda: page.state == "mine")
    page.game = page.run("return new URLSearchParams(location.search).get('id')")
    assert OWN in page.ask(lambda table: table.game.ruleset.tables["cards"]["base"])
    assert not page.one("#dice").is_displayed()
    page.check()
    move, done = (
        page.ask(lambda table, text=text: table.game.engine.text_to_action(text)) for text in ("move white", "done")
    )
    page.after(lambda: page.press(f"#actions button[data-number='{move}']"))
    page.press(f"#actions button[data-number='{done}']")
    page.until(lambda: page.state == "asked")
    asked = [row.get_attribute("aria-label") for row in page.all("#falling .faces")]
    assert "white die" in asked and page.played == 1
    rows = page.all("#falling .faces")
    page.after(lambda: [page.run("arguments[0].children[4].click()", row) for row in rows])
    assert page.played == 2 and page.ask(lambda table: table.game.engine.games[0].die_value[4]) == 5
    assert not page.one("#falling").is_displayed()
    page.after(lambda: page.click("#undo"))
    assert page.played == 1
    page.open(f"/position?id={page.game}")
    page.until(lambda: page.state == "ready")

    def put(name: str, value: Any, sentence: str) -> None:
        """Type something: the field shows what was sent, and the page the sentence of the answer."""
        number = int(page.run("return document.body.dataset.shown")) + 1
        page.run(SAY, page.one(f"[aria-label='{name} of blue']"), value)
        page.until(lambda: page.run("return document.body.dataset.shown") == str(number))
        assert sentence in page.text("#sentence") and bool(page.text("#sentence")) == bool(sentence)

    for wrong in ("-5", "1.5", "99999"):
        put("rubles", wrong, f"rubles of blue must be a whole number from 0 to 999, not {wrong}")
        assert page.one("[aria-label='rubles of blue']").get_attribute("value") == wrong
    put("rubles", 8, "")
    assert page.ask(lambda table: table.game.undo())
    put("stone", 2, "The game has gone on in the meantime")
    assert page.one("[aria-label='stone of blue']").get_attribute("value") == "0", "the fields are laid anew"
    assert page.one("[aria-label='rubles of blue']").get_attribute("value") != "8"
    refusals = page.browser.get_log("browser")
    assert len(refusals) == 4 and all("/position?" in one["message"] and " 400 " in one["message"] for one in refusals)
    put("stone", 3, "")
    page.click("#play")
    page.until(lambda: page.state == "mine")
    assert page.run("return new URLSearchParams(location.search).get('id')") != page.game
    page.open("/box")
    page.until(lambda: page.state == "ready")
    assert "costs 1 lumber, 2 gold, gives 9 recognition and 4 rubles" in page.text("#cards")
    page.open("/table")
    page.until(lambda: page.all("#tables li"))
    assert page.text("#tables li span").startswith("Friday · ")


@pytest.mark.long
@pytest.mark.parametrize(
    "variant",
    [{}, pytest.param({"contractors": True, "special_tiles": True, "fourth_guild": True}, marks=pytest.mark.full)],
)
def test_a_whole_game_is_entered_from_a_table(page: Page, variant: dict[str, Any]) -> None:
    named = {"fourth_guild": "master_builders"} if "fourth_guild" in variant else {}
    setup, deal = setup_of(Ruleset(**{**variant, **named}), 6)
    lay(page, setup, **variant)
    page.until(lambda: page.one("#play").is_enabled())
    page.click("#play")
    page.until(lambda: page.state == "mine")
    page.game = page.run("return new URLSearchParams(location.search).get('id')")
    mine, rng = agents.make("rush"), np.random.default_rng(2)
    while page.state != "over":
        number, before = page.choice(mine), page.version
        page.press(f"#actions button[data-number='{number}']")
        enter(page, rng, before)
        assert page.played < 600
    end = page.ask(lambda table: table.game.engine.games[0].tobytes())  # a copy of a record has no bytes between fields
    assert page.ask(lambda table: table.game.engine.terminated[0]), "by the rules"
    record = parse(page.ask(lambda table: table.record()), beside=page.server.store.folder)
    assert {part: record.header[part] for part in ("market", "guilds", "dice")} == {
        part: deal[part] for part in ("market", "guilds", "dice")
    }
    assert replay(record).games[0].tobytes() == end
    assert len(page.all("#results tbody tr")) == 2


# --- accessibility


@pytest.mark.parametrize("width", [400, *(pytest.param(width, marks=pytest.mark.long) for width in (800, 1300))])
def test_nothing_overflows(page: Page, text: str, width: int) -> None:
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
    drop(page, "game.rcr", text)
    page.until(lambda: page.state == "ready")
    assert page.run("return document.documentElement.scrollWidth") == width and page.run(beyond) == []


@pytest.mark.long
@pytest.mark.parametrize(("theme", "width"), [("dark", 400), ("light", 1300)])
def test_axe_finds_nothing_serious(page: Page, text: str, theme: str, width: int) -> None:
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
    drop(page, "game.rcr", text)
    page.until(lambda: page.state == "ready" and page.all("#list .badge"))
    look()
    page.begin(["you", "greedy"], width=width)
    page.click("[data-hint='3']")
    page.until(lambda: page.one("#hint").is_displayed())
    light = page.one(".light")
    page.run(CLICK, light)
    look()
    page.open(f"/position?id={page.game}", width)
    page.until(lambda: page.state == "ready")
    look()
