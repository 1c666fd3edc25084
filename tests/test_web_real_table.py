"""Tests of games at a real table in a real browser: what lies there is laid, and what falls is entered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("uvicorn", reason="the extra web is not installed")

from at_a_table import setup_of
from web_page import Page

from rc_env import agents
from rc_env.record import parse, replay
from rc_env.ruleset import Ruleset

pytestmark = pytest.mark.slow

# The n-th of several fields gets a value; it is looked up in the page itself, which may just be drawing them anew.
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
            page.say(page.one(f"#{name}"), value)
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
    page.say(page.all("#market select")[2], right)
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
        page.say(page.one(f"[aria-label='{name} of blue']"), value)
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
