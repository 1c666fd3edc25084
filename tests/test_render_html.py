"""Tests of the replay page: one complete file, which shows the positions of the game in a browser."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.record import Recorder, RecordError, folder, read
from rc_env.render.html import Moment, record_html, replay_html
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import view
from rc_env.words.notation import rolls_to_list

pytestmark = pytest.mark.slow

TITLE = "Tom & Jerry </script><script>alert(1)</script> <b>bold</b> {{data}}"
WIDTHS = (1280, 400)


def game(players: int, workshop: str, bot: str = "greedy", thoughts: bool = False) -> tuple[Ruleset, Any, list[Moment]]:
    """Return a game, with an invented policy and value where the bot is to have thoughts."""
    engine, mind = Engine(Ruleset(players, workshop), 1, 5), agents.make(bot)
    start, moments = engine.clone(same_future=True)[0], []
    while engine.seat[0] >= 0:
        seat, action = int(engine.seat[0]), int(mind.act(agents.Position.of(engine))[0])
        legal = [engine.action_to_text(int(a)) for a in engine.legal_mask()[0].nonzero()[0]]
        words = engine.action_to_text(action)
        policy = {w: (0.5 if w == words else 0.5 / (len(legal) - 1)) for w in legal} if thoughts else None
        value = [0.25, -0.25][:players] if thoughts and len(moments) % 3 else None
        engine.step([action])
        after = engine.clone(same_future=True)[0]
        moments.append(Moment(after, seat, words, rolls_to_list(after), policy, value))
    return engine.ruleset, start, moments


@pytest.fixture(scope="module")
def played() -> tuple[Ruleset, Any, list[Moment]]:
    return game(2, "basic", thoughts=True)


@pytest.fixture(scope="module")
def page(played: tuple[Ruleset, Any, list[Moment]]) -> str:
    return replay_html(*played, TITLE)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_it_needs_nothing_from_outside(page: str) -> None:
    assert not re.search(r"(src|href)\s*=\s*[\"'](?!#|data:,)", page)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|WebSocket", page)
    assert set(re.findall(r"https?://[^\s\"'<>]*", page)) == {"http://www.w3.org/2000/svg"}


def test_names_cannot_leave_their_place(page: str) -> None:
    assert page.count("<script") == page.count("</script>") == 2
    assert "<b>" not in page and data_of(page)["title"] == TITLE
    assert "{{" not in page.replace("{{data}}", "")


@pytest.mark.parametrize(("players", "workshop", "bot"), [(2, "basic", "greedy"), (4, "advanced", "greedy")])
def test_it_stays_small(players: int, workshop: str, bot: str) -> None:
    assert len(replay_html(*game(players, workshop, bot)).encode()) < 2_000_000


def test_each_position_is_put_together_from_its_drawings(played: tuple[Ruleset, Any, list[Moment]], page: str) -> None:
    ruleset, start, moments = played
    data = data_of(page)
    shown: dict[int, int] = {}
    for at, (changes, position) in enumerate(zip(data["steps"], [start, *(m.game for m in moments)], strict=True)):
        shown |= dict(zip(changes[::2], changes[1::2], strict=True))
        seen = view(ruleset, position)
        layouts = {"wide": panels(seen), "narrow": narrow_panels(seen)}
        parts = [part for laid in layouts.values() for panel in laid for part in panel.parts]
        assert len(shown) == len(parts)
        for layout, laid in layouts.items():
            assert [[[*part[:2]] for part in panel.parts] for panel in laid] == [
                panel["parts"] for panel in data["panels"][layout]
            ]
        if at % 20 == 0:
            for i, part in enumerate(parts):
                assert data["drawings"][shown[i]].startswith(title_of(part.element()))
        assert data["words"][at] == seen["words"] and data["score"][at] == [s["score"] for s in seen["seats"]]
    assert data["moves"][0][:2] == [moments[0].seat, moments[0].action]


def title_of(drawing: Element) -> str:
    title = drawing.findtext("title")
    return f"<title>{title}</title>" if title else ""


def test_the_page_of_a_record(tmp_path: Path) -> None:
    engine, greedy = Engine(Ruleset(3, "advanced"), 1, 9), agents.make("greedy")
    Recorder(folder(tmp_path)).attach(engine)
    while engine.seat[0] >= 0:
        engine.step(greedy.act(agents.Position.of(engine)))
    record = read(next(tmp_path.iterdir()))
    record.decisions[3]["policy"], record.decisions[3]["value"] = {record.decisions[3]["action"]: 1.0}, [1.0, 0.0, -1.0]
    data = data_of(record_html(record))
    assert data["title"] == "game-00001.rcr" and data["colours"] == ["red", "blue", "yellow"]
    assert len(data["moves"]) == len(record.decisions) == len(data["steps"]) - 1
    assert data["score"][-1] == engine.results().prestige[0].tolist() == record.result["prestige"]
    assert data["policies"][3] == [[record.decisions[3]["action"], 1.0]] and data["values"][3] == [1.0, 0.0, -1.0]
    assert data["policies"][4] is data["values"][4] is None
    record.decisions[5]["action"] = "done" if record.decisions[5]["action"] != "done" else "obtain"
    with pytest.raises(RecordError, match=r"game-00001\.rcr"):
        record_html(record)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Recorder(folder(tmp_path)).attach(engine := Engine(Ruleset(), 1, 4))
    while engine.seat[0] >= 0:
        engine.step(agents.make("greedy").act(agents.Position.of(engine)))
    source, page = tmp_path / "game-00001.rcr", tmp_path / "game.html"
    assert rc.main(["replay", str(source), "--html", str(page)]) == 0
    assert data_of(page.read_text("utf-8"))["title"] == "game-00001.rcr"
    assert str(page) in capsys.readouterr().out
    source.write_text(source.read_text("utf-8").replace('"done"', '"doen"'))
    for out in (page, tmp_path / "no" / "game.html"):
        assert rc.main(["replay", str(source), "--html", str(out)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


# --- in a browser


@pytest.fixture(scope="module")
def file(page: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "game.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Any, file: Path) -> Callable[[int], Any]:
    """Open the page at a width."""

    def at(width: int = 1280) -> Any:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        # All tests of a process share the browser: an open page of `rc serve` would go on to log that its server ended.
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(file.as_uri())
        return browser

    return at


def scrub(browser: Any, to: int) -> None:
    """Move the slider as if it had been dragged there."""
    browser.execute_script(
        "const s = document.getElementById('scrub'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))", to
    )


def at(browser: Any) -> int:
    found = re.match(r"decision (\d+) of \d+$", browser.find_element("id", "at").text)
    assert found
    return int(found[1])


def check_board(browser: Any, ruleset: Ruleset, position: Any, narrow: bool = False) -> None:
    seen = view(ruleset, position)
    numbers = browser.execute_script(
        "const all = [...document.querySelectorAll('[data-fact]')];"
        "return Object.fromEntries(all.map(n => [n.dataset.fact, n.textContent]))"
    )
    for seat, s in enumerate(seen["seats"]):
        assert numbers[f"score {seat}"] == str(s["score"]) and numbers[f"rubles {seat}"] == str(s["rubles"])
    assert all(numbers[f"supply {m}"] == str(n) for m, n in seen["supply"].items())
    assert all(numbers[f"tower {t} value"] == str(tower["value"]) for t, tower in enumerate(seen["towers"], 1))
    words = browser.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('[data-part]')].map("
        "g => [g.dataset.part, g.querySelector(':scope > title')?.textContent ?? null]))"
    )
    laid = narrow_panels(seen) if narrow else panels(seen)
    expected = {part.name: part.element().findtext("title") for panel in laid for part in panel.parts}
    assert words == expected
    assert browser.find_element("id", "words").text == seen["words"]
    assert browser.find_element("id", "turn").get_attribute("value") == str(seen["turn"])


def test_the_scrubber_moves_the_board(opened: Any, played: tuple[Ruleset, Any, list[Moment]]) -> None:
    ruleset, start, moments = played
    browser = opened()
    assert browser.find_element("tag name", "h1").text == TITLE == browser.title
    check_board(browser, ruleset, start)
    last = len(moments)
    for to in (1, last // 3, last, last // 2, 7, last - 1, 0):
        scrub(browser, to)
        assert at(browser) == to
        check_board(browser, ruleset, moments[to - 1].game if to else start)
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_keys_and_buttons(opened: Any, played: tuple[Ruleset, Any, list[Moment]]) -> None:
    from selenium.webdriver.common.keys import Keys

    ruleset, _, moments = played
    browser, last = opened(), len(moments)
    turns = [1, *(int(moment.game["turn"]) for moment in moments)]
    body = browser.find_element("tag name", "body")
    body.send_keys(Keys.ARROW_RIGHT * 3)
    assert at(browser) == 3
    check_board(browser, ruleset, moments[2].game)
    body.send_keys(Keys.ARROW_LEFT)
    assert at(browser) == 2
    body.send_keys(Keys.END)
    assert at(browser) == last
    body.send_keys(Keys.ARROW_RIGHT)
    assert at(browser) == last
    body.send_keys(Keys.HOME, Keys.PAGE_DOWN)
    assert at(browser) == turns.index(2)
    body.send_keys(Keys.PAGE_DOWN, Keys.PAGE_UP)
    assert at(browser) == turns.index(2)
    for name, expected in (("next", turns.index(2) + 1), ("back", turns.index(2)), ("last", last), ("first", 0)):
        browser.find_element("id", name).click()
        assert at(browser) == expected
    slider = browser.find_element("id", "scrub")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert at(browser) == 1
    turn = browser.find_element("id", "turn")
    browser.execute_script("arguments[0].value = 9; arguments[0].dispatchEvent(new Event('change'))", turn)
    assert at(browser) == turns.index(9)
    assert browser.get_log("browser") == []


def test_decisions_charts_and_thoughts(opened: Any, played: tuple[Ruleset, Any, list[Moment]]) -> None:
    _, _, moments = played
    browser, last = opened(), len(moments)
    rows = browser.find_elements("css selector", "#list button")
    assert len(rows) == last and rows[0].text.startswith(moments[0].action)
    browser.execute_script("arguments[0].click()", rows[40])
    assert at(browser) == 41
    current = browser.find_elements("css selector", "[aria-current]")
    assert current == [rows[40]]
    assert browser.find_element("css selector", "#choices .played").text.startswith(f"{moments[41].action} (played)")
    assert "50.0%" in browser.find_element("css selector", "#choices .played").text
    assert "value red 0.25, blue -0.25" in browser.find_element("css selector", "#thought p").text
    for name in ("score", "goods", "values"):
        assert len(browser.find_elements("css selector", f"#{name} path[stroke]")) == 2
    browser.find_element("css selector", "#score svg").click()  # clicks the middle of the picture
    assert abs(at(browser) - last / 2) < last / 8
    theme = "return document.documentElement.dataset.theme + getComputedStyle(document.querySelector('.panel')).fill"
    before = browser.execute_script(theme)
    browser.find_element("id", "theme").click()
    assert browser.execute_script(theme)[:4] != before[:4] and browser.execute_script(theme)[-9:] != before[-9:]
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows(opened: Any, width: int) -> None:
    browser = opened(width)
    for to in (0, 60, 10_000):
        scrub(browser, to)
        assert browser.execute_script("return document.documentElement.scrollWidth") == width
        beyond = browser.execute_script(
            "return [...document.querySelectorAll('body *:not(svg *)')].filter(n => !n.closest('.pieces'))"
            ".filter(n => n.getBoundingClientRect().right > innerWidth + 0.5).map(n => n.outerHTML.slice(0, 80))"
        )
        assert beyond == []
    clipped = browser.execute_script(
        "return [...document.querySelectorAll('.board text')].filter(n => { const b = n.getBoundingClientRect(),"
        " s = n.ownerSVGElement.getBoundingClientRect(); return b.left < s.left - 1 || b.right > s.right + 1 })"
        ".map(n => n.textContent)"
    )
    assert clipped == []


def resize(browser: Any, width: int) -> None:
    """Make the open page so wide, and wait for the board that fits."""
    from selenium.webdriver.support.wait import WebDriverWait

    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    board = ".board.narrow" if width < 860 else ".board.wide"
    WebDriverWait(browser, 20).until(lambda browser: browser.find_elements("css selector", board))


def test_the_board_changes_with_the_width(opened: Any, played: tuple[Ruleset, Any, list[Moment]]) -> None:
    ruleset, _, moments = played
    browser = opened(400)
    scrub(browser, 40)
    check_board(browser, ruleset, moments[39].game, narrow=True)
    resize(browser, 1280)
    check_board(browser, ruleset, moments[39].game)
    scrub(browser, 70)
    resize(browser, 400)
    check_board(browser, ruleset, moments[69].game, narrow=True)
    scrub(browser, 71)
    check_board(browser, ruleset, moments[70].game, narrow=True)
    assert browser.get_log("browser") == []


TEXTS = """return [...document.querySelectorAll('.board text')].filter(n => n.textContent).map(n => {
  const box = n.getBoundingClientRect(), size = parseFloat(n.getAttribute('font-size')) * n.getScreenCTM().a;
  return [n.textContent, size, box.left, box.right, box.bottom - size, box.bottom - 0.25 * size];
})"""  # about from the top of the digits to the base line


@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (2, "basic"), (4, "advanced")])
def test_words_are_legible_and_apart_on_a_telephone(browser: Any, tmp_path: Path, players: int, workshop: str) -> None:
    ruleset, start, moments = game(players, workshop)
    path = tmp_path / "game.html"
    path.write_text(replay_html(ruleset, start, moments), encoding="utf-8")
    browser.get(path.as_uri())
    resize(browser, 400)
    for to in (0, len(moments) // 2, len(moments)):
        scrub(browser, to)
        texts = browser.execute_script(TEXTS)
        assert [text for text in texts if text[1] < 10] == [], "some text is smaller than ten pixels"
        for i, (words, _, left, right, top, bottom) in enumerate(texts):
            for other, _, others_left, others_right, others_top, others_bottom in texts[:i]:
                beside = left >= others_right or right <= others_left
                assert beside or top >= others_bottom or bottom <= others_top, f"{words} overlaps {other}"
