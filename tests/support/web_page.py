"""A browser that shows the pages of `rc serve`, for their tests."""

from __future__ import annotations

import json
import re
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from web_games import ask, choice

from rc_env.apps.web.table import Table
from rc_env.bot import Bot
from rc_env.render.svg import narrow_panels, panels

SLOW = 120.0  # seconds that a page may take on a busy machine
T = TypeVar("T")


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
            self.click_light(lights[0])
            if self.run("return document.getElementById('chooser').hidden"):
                break  # the click was unambiguous
        else:
            for button in self.all("#chooser li button"):
                if self.run("return +arguments[0].dataset.number", button) == number:
                    self.run("arguments[0].click()", button)
                    break
            else:
                raise AssertionError(f"{action['words']} is not in the menu")

    def click_light(self, light: Any) -> None:
        """Click a highlighted place of the board."""
        self.run("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 9, clientY: 9}))", light)

    def say(self, field: Any, value: Any) -> None:
        """Give a field a value, as a person does who types it and goes on."""
        change = "arguments[0].dispatchEvent(new Event('change', {bubbles: true}))"
        self.run(f"arguments[0].value = arguments[1]; {change}", field, value)

    def drop(self, name: str, content: str) -> None:
        """Act as if a file had been dropped on the page."""
        self.run(
            "const data = new DataTransfer(); data.items.add(new File([arguments[1]], arguments[0]));"
            "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))",
            *(name, content),
        )
