"""Tests of the networks that come with the package, and of their cards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rc_env import Ruleset, agents
from rc_env.agents import net
from rc_env.arena import match
from rc_env.ruleset import WORKSHOPS
from rc_env.training import card
from rc_env.training.evaluation import IVAN

pytestmark = pytest.mark.slow

FILES = sorted(net.SHIPPED.glob("*.npz"))


def test_there_is_one_for_each_variant_of_both_games_and_two_for_any_cards() -> None:
    names = {f"{players}p-{workshop}" for players in (1, 2, 3, 4) for workshop in WORKSHOPS}
    full = {f"{name}-full" for name in names}
    assert {file.stem for file in FILES} == names | full | {"2p-basic-any", "4p-basic-any"}
    assert {file.stem for file in net.SHIPPED.glob("*.md")} == {file.stem for file in FILES}
    sizes = {file.stem: file.stat().st_size for file in FILES}
    assert max(sizes.pop("2p-basic"), sizes.pop("2p-basic-full")) < 1.25 * 2**21  # 512 hidden units, the others 256
    assert all(size < 2**21 for size in sizes.values())
    assert sum(file.stat().st_size for file in FILES) < 25e6  # nearly all of the wheel


@pytest.mark.parametrize("players", [2, 4])
def test_the_one_for_any_cards_was_trained_on_other_sets_than_those_of_its_card(players: int) -> None:
    file = net.shipped(Ruleset(players, data="sample:1000"))
    assert file.stem == f"{players}p-basic-any"
    assert net.load(file).about["data"] == "sample-v1:0-255"
    assert "`sample:1000-1031`" in file.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_its_card_tells_what_the_file_tells(file) -> None:
    text = file.with_suffix(".md").read_text(encoding="utf-8")
    assert text.startswith(card.training_section(net.load(file)))
    shares = dict(re.findall(r"^\| (\w+) \| [\d,]+ \| ([\d.]+ %) \|", text, re.M))
    against = [IVAN] if net.load(file).ruleset.solo else ["greedy", "rush", "guilds", "majority", "all_rounder"]
    assert set(shares) >= set(against if against == [IVAN] else card.AGAINST)
    page = (Path(__file__).parents[1] / "docs" / "bots" / "net.md").read_text(encoding="utf-8")
    (row,) = (line for line in page.splitlines() if f"weights/{file.stem}.md" in line)
    for bot in against:
        assert f"| {shares[bot]} " in row


@pytest.mark.parametrize(("deals", "times"), [(30, 1), pytest.param(60, 1.2, marks=pytest.mark.long)])
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_plays_as_well_as_its_card_says(file, deals: int, times: float) -> None:
    """It clearly wins its fair share of games, so many times, against copies of the tuned plan, or against Ivan.

    The deals are paired, and the seed is fixed.
    """
    ruleset = net.load(file).ruleset
    players = ruleset.players
    bots = [agents.make("net"), *[agents.make("all_rounder")] * (players - 1)]
    share = match.play_match(bots, deals, ruleset, seed=7).share(0)
    assert share.low > times / max(2, players), f"won {share.mean:.1%}, {share.low:.1%} to {share.high:.1%}"
