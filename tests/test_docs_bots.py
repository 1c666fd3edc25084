"""Tests that the pages of the bots show their settings."""

from __future__ import annotations

import re
from pathlib import Path

from rc_env import agents

DOCS = Path(__file__).parents[1] / "docs"
UNPAGED = {"plan"}  # a plan with weights of one's own is described on the overview


def test_every_bot_has_a_page_and_every_page_a_bot():
    pages = {page.stem for page in (DOCS / "bots").glob("*.md")}
    assert pages == set(agents.names()) - UNPAGED
    overview = (DOCS / "bots.md").read_text()
    assert pages == set(re.findall(r"\(bots/(\w+)\.md\)", overview))


def test_the_settings_that_a_page_names_are_those_of_the_bot():
    for page in (DOCS / "bots").glob("*.md"):
        seen = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", page.read_text(), re.M))
        if seen:
            assert seen == {name: shown(value) for name, value in agents.about(page.stem)[1].items()}


def shown(value: object) -> str:
    """Return a default as the pages show it."""
    if isinstance(value, str):
        return f"`{value}`"
    return str(value) if isinstance(value, bool) else f"{value:g}"
