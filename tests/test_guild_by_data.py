"""Tests of a guild made of known primitives in a data file: dealt, observed, scored, recorded, replayed, drawn,
documented.

Nothing here changes or adds code: the data file alone replaces the clergy by bakers, or adds a fifth guild.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents, record
from rc_env.record import Recorder
from rc_env.render import board_svg, board_text
from rc_env.rules.printed.sizes import MATERIAL_NAMES, QUADRANTS, SIDES, SPACES_PER_QUADRANT
from rc_env.rules.printed.vocabulary import action_columns, action_text
from rc_env.rules.verbs import Verb
from rc_env.words import facts
from rc_env.words.notation import deal_to_dict, names

BASE = (resources.files("rc_env") / "data" / "base.toml").read_text(encoding="utf-8")
CARDS = """\
bakers = [
  [ { sell = ["brick"], price = 3, unlimited = true }, { discard_different = 2, prestige = 1 } ],
  [ { deliver = 3, price = 2 }, { buy = ["gold"], price = 1 } ],
  [ { exchange_equal = 3, for_any = 2, price = 1 }, { recognition = 2, price = 1 } ],
]
"""
WORDS = (
    ("sell brick for 3 rubles, unlimited", "discard 2 different for 1 prestige"),
    ("2 rubles: deliver 3", "1 ruble: buy gold"),
    ("1 ruble: exchange 3 of the same for any 2", "1 ruble: gain 2 recognition"),
)
PRIMITIVES = (
    (
        "give 1 of brick; receive 3 rubles; unlimited",
        "give 2 times 1 of any material, another each time; receive 1 prestige",
    ),
    ("pay 2 rubles; deliver 3", "pay 1 ruble; receive 1 of gold"),
    (
        "pay 1 ruble; give 3 equal of any material; receive 2 of any material, not what was given",
        "pay 1 ruble; receive 2 recognition",
    ),
)


def with_bakers(folder: Path, fifth: bool = False) -> Path:
    """Write the base data file with bakers in place of the clergy, or in addition."""
    clergy = re.search(r"^clergy = \[\n(?:  .*\n)+\]\n", BASE, re.M)
    assert clergy
    path = folder / "bakers.toml"
    path.write_text(BASE.replace(clergy[0], clergy[0] * fifth + CARDS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def bakers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_bakers(tmp_path_factory.mktemp("bakers"))


@cache
def ruleset(path: Path, players: int = 2, workshop: str = "basic") -> Ruleset:
    return Ruleset(players, workshop, data=path)


def dealt(rules: Ruleset, games: int) -> list[list[dict[str, Any]]]:
    """Return the guilds of so many deals."""
    engine = Engine(rules, games, seed=5)
    return [deal_to_dict(rules, game)["guilds"] for game in engine.games]


def quadrant_of(rules: Ruleset, game: Any) -> int:
    """Return the quadrant into which the bakers were dealt."""
    return game["guild"].tolist().index(rules.data_file.guilds.index("bakers"))


def test_it_is_dealt(bakers: Path) -> None:
    deals = dealt(ruleset(bakers), 200)
    assert all(
        {entry["guild"] for entry in deal} == {"craftsmen", "teamsters", "merchants", "bakers"} for deal in deals
    )
    assert {entry["card"] for deal in deals for entry in deal if entry["guild"] == "bakers"} == {1, 2, 3}
    assert {deal.index(entry) for deal in deals for entry in deal if entry["guild"] == "bakers"} == set(range(4))


def test_four_of_five_guilds_are_dealt(tmp_path: Path) -> None:
    rules = Ruleset(data=with_bakers(tmp_path, fifth=True))
    assert rules.data_file.guilds == ("craftsmen", "teamsters", "merchants", "clergy", "bakers")
    games = 400
    deals = dealt(rules, games)
    assert all(len({entry["guild"] for entry in deal}) == QUADRANTS for deal in deals)
    count = Counter(entry["guild"] for deal in deals for entry in deal)
    assert sorted(count) == sorted(rules.data_file.guilds)
    assert all(0.7 < number / games < 0.9 for number in count.values()), count
    base = Ruleset()
    assert (rules.layout_hash, rules.observations.size) == (base.layout_hash, base.observations.size)


def test_it_is_observed(bakers: Path) -> None:
    rules = ruleset(bakers)
    engine = Engine(rules, 24, seed=5)
    pieces = rules.observations.numbers(engine.observe())["guild"]
    entries = next(piece for piece in rules.observations.pieces if piece.name == "guild").entries
    met = set()
    for game, guild in zip(engine.games, pieces, strict=True):
        quadrant = quadrant_of(rules, game)
        card = int(game["influence"][quadrant]) - int(rules.rules[0].first_influence[3])
        met.add(card)
        for side in range(SIDES):
            columns = action_columns(rules.data_file.tables["guilds"]["bakers"][card][side])
            row = dict(zip(entries, guild[quadrant, side].tolist(), strict=True))
            for name in (
                "price",
                "payments",
                "each",
                "rubles",
                "recognition",
                "prestige",
                "gains",
                "deliveries",
                "unlimited",
            ):
                assert row[name] == columns[name], name
            for prefix, column in (("pay", "pay_from"), ("gain", "gain_from")):
                assert [row[f"{prefix} {material}"] for material in MATERIAL_NAMES] == columns[column]
    assert met == {0, 1, 2}


def test_both_ways_to_the_facts_and_the_words_agree(bakers: Path) -> None:
    rules = ruleset(bakers)
    engine, met = Engine(rules, 24, seed=5), set()
    for game, vector in zip(engine.games, engine.observe(seat=1), strict=True):
        seen = facts.observation_facts(rules, vector, 1)
        assert seen == facts.game_facts(rules, game, 1)
        quadrant = quadrant_of(rules, game)
        card = int(game["influence"][quadrant]) - int(rules.rules[0].first_influence[3])
        lines = facts.facts_text(seen).splitlines()
        first = SPACES_PER_QUADRANT * quadrant
        at = lines.index(f"  guild at spaces {first} and {first + 1}:")
        assert lines[at + 1 : at + 3] == [f"    {side} {words}" for side, words in enumerate(PRIMITIVES[card], 1)]
        met.add(card)
    assert met == {0, 1, 2}


def test_it_is_scored(bakers: Path) -> None:
    """The bot `greedy` uses the bakers, and prefers them to a guild that gives less."""
    rules = ruleset(bakers)
    engine, bot = Engine(rules, 64, seed=1), agents.make("greedy")
    bot.reset(1)
    used: Counter[int] = Counter()
    c = rules.rules[0]
    for _ in range(500):
        actions = bot.act(agents.Position.of(engine))
        for row, game in enumerate(engine.games):
            if c.verb[actions[row]] == Verb.GUILD:
                card = int(game["influence"][int(game["space"]) // SPACES_PER_QUADRANT])
                used[SIDES * card + int(c.argument[actions[row], 0])] += 1
        engine.step(actions, auto_reset=True)
    first = SIDES * int(c.first_influence[3])
    of_bakers = {effect - first: count for effect, count in used.items() if effect >= first}
    assert len(of_bakers) >= 4 and sum(of_bakers.values()) > 50, used


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (1, "basic")])
def test_it_is_recorded_and_replayed(bakers: Path, players: int, workshop: str, tmp_path: Path) -> None:
    """Records of games of `greedy` and random, with the data file beside them, replay to the last byte."""
    rules = ruleset(bakers, players, workshop)
    texts: list[str] = []
    engine = Engine(rules, 2, seed=3)
    Recorder(lambda _, text: texts.append(text), legal=True, state=True).attach(engine)
    bots, rng = [agents.make("greedy"), agents.make("random")], np.random.default_rng(3)
    for bot in bots:
        bot.reset(3)
    while len(texts) < 2:
        bot = bots[int(rng.integers(2))]
        going_on = np.flatnonzero(engine.seat >= 0)
        engine.step(bot.act(agents.Position.of(engine, going_on)), going_on)
    for number, text in enumerate(texts):
        path = tmp_path / f"{number}.rcr"
        path.write_text(text, encoding="utf-8", newline="\n")
        (tmp_path / bakers.name).write_bytes(bakers.read_bytes())
        game = record.read(path)
        assert "bakers" in {entry["guild"] for entry in game.header["guilds"]}
        assert game.header["data"] == "bakers.toml"
        again: list[str] = []
        other = Engine(game.ruleset, 1)
        Recorder(lambda _, text, again=again: again.append(text), legal=True, state=True).attach(other)
        record.replay(game, other)
        assert again == [text]
    with pytest.raises(record.RecordError, match=r"bakers\.toml"):
        record.parse(texts[0], beside=tmp_path.parent / "nowhere")


def test_it_is_drawn(bakers: Path) -> None:
    rules = ruleset(bakers)
    engine, met = Engine(rules, 24, seed=5), set()
    for game in engine.games:
        quadrant = quadrant_of(rules, game)
        card = int(game["influence"][quadrant]) - int(rules.rules[0].first_influence[3])
        if card in met:
            continue
        met.add(card)
        text, svg = " ".join(board_text(rules, game).split()), board_svg(rules, game)
        titles = [title.text or "" for title in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}title")]
        assert f"bakers {card + 1} [1] " in re.sub(r"bakers +", "bakers ", text)
        assert any(title.startswith(f"Bakers, card {card + 1}.") for title in titles)
        for words in WORDS[card]:
            assert any(words in title for title in titles)
    assert met == {0, 1, 2}


def test_it_is_documented(bakers: Path) -> None:
    """The words come from the rows of the vocabulary, as those in the table of docs/data.md do."""
    page = (Path(__file__).parents[1] / "docs" / "data.md").read_text(encoding="utf-8")
    rules = ruleset(bakers)
    for card, words in zip(rules.data_file.tables["guilds"]["bakers"], WORDS, strict=True):
        assert tuple(action_text(action) for action in card) == words
        assert all(f"`{{ {next(iter(action))} = " in page for action in card)
    assert names(rules).guild_cards[-3:] == ("bakers/1", "bakers/2", "bakers/3")
