"""Tests of studies in a real browser: a dropped record, broken files, the coach that stops a game."""

from __future__ import annotations

from functools import partial

import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

import web_page
from web_page import Page

from rc_env.apps.table.phrases import phrase
from rc_env.record import parse, replay
from rc_env.render.view import view

pytestmark = pytest.mark.slow


def test_a_dropped_record_is_studied(page: Page, short_record: str) -> None:
    record = parse(short_record)
    page.open("/study")
    page.drop("game.rcr", short_record)
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
def test_a_broken_file_says_so_as_text(page: Page, short_record: str, content: str | None, words: str) -> None:
    page.open("/study")
    name = "<b>game</b>.rcr"
    page.drop(name, short_record[:900] if content is None else content)
    page.until(lambda: words in page.text("#sentence"))
    assert page.text("#sentence").startswith(f"{name}: ") and page.all("#sentence *") == []
    page.browser.get_log("browser")  # the log contains the refusal of the server


@pytest.mark.long
def test_the_coach_stops_a_game_and_something_else_is_tried_in_its_study(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rc_env.apps.web.workers.LESSON_SECONDS", web_page.SLOW)
    page.begin(["you", "greedy"])
    page.say(page.one("#coach-level"), "mistakes")
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
    page.say(page.one("#branch-name"), "Wait")
    page.until(lambda: page.ask(lambda table: table.branch.name) == "Wait")
    page.after(lambda: page.click("#let"))
    page.click("#branch-from")
    page.until(lambda: page.state == "ready")
    assert page.text("#branches li b") == "Wait"
