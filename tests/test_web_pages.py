"""Tests of the pages of `rc serve` in a real browser: whole games by clicks, and what else a game offers."""

from __future__ import annotations

import json
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

from web_games import ask, serving
from web_page import Page

from rc_env import agents
from rc_env.record import parse
from rc_env.render.svg import panels
from rc_env.render.view import view

pytestmark = pytest.mark.slow

CRASHING = "web_games:Crashing"


@pytest.mark.parametrize(
    ("seats", "variant"),
    [
        pytest.param(["you"], {"players": 1}, marks=pytest.mark.long),
        (["you", "net"], {"players": 2, "turn_limit": 16}),
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
