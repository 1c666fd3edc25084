"""Tests of pictures of the full game: text and SVG show every component, and a seat's picture hides contracts."""

import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import pytest
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.render import Board, board_svg, board_text
from rc_env.render.abbreviations import shortened
from rc_env.render.expansion import contract_text, guild_actions, waiting
from rc_env.render.guild_icons import guild_icons
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.text import FORMS, board_lines
from rc_env.render.view import view
from rc_env.rules.expansion.contracts import UNSEEN
from rc_env.rules.points import Point
from rc_env.rules.printed.sizes import REINFORCEMENT_NAMES
from rc_env.words.notation import names

pytestmark = pytest.mark.full

SVG = "{http://www.w3.org/2000/svg}"
GUILDS = (
    "jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders", "brickmakers",
    "thieves",
)  # fmt: skip


@cache
def engine(guild: str, players: int = 2, workshop: str = "basic") -> Engine:
    """Return an engine whose only game has had some random play; it is shared, so it must not be played on."""
    made = Engine(Ruleset(players, workshop, fourth_guild=guild, special_tiles=True), 1, 3)
    rng = np.random.default_rng(3)
    for _ in range(16):
        made.step([rng.choice(np.flatnonzero(made.legal_mask()[0]))])
    return made


def position(guild: str, players: int = 2, workshop: str = "basic") -> tuple[Ruleset, Any]:
    """Return the game of `engine` with an example of everything that the guild adds."""
    made = engine(guild, players, workshop)
    game = made.clone(same_future=True).copy().view(np.recarray)[0]
    game.diamonds[0], game.diamond_supply = 2, 12
    open_sections = (game.finished == 0) & (game.owner != 1) & (np.arange(24) < made.ruleset.rules[0].sections)
    game.card_diamonds[np.flatnonzero(open_sections)[0]] = 1
    game.special[:2] = (2, 0) if players > 1 else (2, -1)
    game.hand[0, :2], game.hand[1, :1] = (2, 5), 14 if players > 1 else -1
    game.contracts_left = 9
    game.reinforcement[:] = (-1, 0, -1, -2, 1 if players > 1 else 0, -1, -1, -1)
    game.foreman = 1
    game.drawn_card[:], game.discard[0] = (3, 25), 12
    return made.ruleset, game


def facts_of(guild: str, players: int = 2) -> list[str]:
    """Return words for the guild's components that a picture of `position` has to show."""
    match guild:
        case "foremen":
            return ["the foreman is here"]
        case "archivists":
            seats = [] if players == 1 else ["15"]
            return ["6 face-up workshop tiles: 3 prestige", "each ornament not placed: 2 prestige", "9 cards", *seats]
        case "master_builders":
            cards = names(Ruleset()).cards
            return [cards[3], cards[25], cards[12]]
        case "brickmakers":
            left = [REINFORCEMENT_NAMES[i] for i in (0, 2, 5, 6, 7)]
            return [", ".join(left), "guild"]
    return []


VARIANTS = [*((guild, 2, "basic") for guild in GUILDS), *((g, p, "advanced") for g in GUILDS[4:6] for p in (1, 4))]


@pytest.mark.parametrize(("guild", "players", "workshop"), VARIANTS)
def test_text_and_picture_carry_what_the_guild_brings(guild: str, players: int, workshop: str) -> None:
    ruleset, game = position(guild, players, workshop)
    text = board_text(ruleset, game)
    assert max(map(len, text.splitlines())) <= 100 and text.isascii()
    words = " ".join(text.split())
    root = ElementTree.fromstring(board_svg(ruleset, game))
    titles = " ".join(node.text or "" for node in root.iter(f"{SVG}title"))
    for found in (words, titles):
        # The supply has 12 diamonds, the inventory of seat 0 has 2.
        assert all(re.search(rf"\bdi{number}\b|\b{number} diamonds", found) for number in (12, 2))
        assert re.search(r"misses \d of | -\ddi\b", found)  # the section on which a diamond lies
        assert "special tile" in found and re.search(r"special tile( die\b|: the tile of a die's space)", found)
    # The text has a sentence less where its place says the same.
    short = {"the foreman is here": "foreman", "9 cards": "contracts: 9 in the deck"}
    for fact in facts_of(guild, players):
        assert fact in titles and (short.get(fact) or fact.replace(", ", " ")) in words.replace(", ", " "), guild
    card = next(card for card in view(ruleset, game)["guilds"] if card["name"].replace(" ", "_") == guild)
    for line in card["words"]:
        assert line.replace("_", " ") in titles
        assert line.split()[-1] in words or shortened(line).split()[-1] in words
    numbers = {n.attrib["data-fact"]: n.text for n in root.iter(f"{SVG}text") if "data-fact" in n.attrib}
    assert numbers["supply diamond"] == "12"


@pytest.mark.parametrize("guild", GUILDS)
def test_nothing_is_used_that_is_not_defined(guild: str) -> None:
    ruleset, game = position(guild)
    root = ElementTree.fromstring(board_svg(ruleset, game))
    defined = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
    assert {node.attrib["href"].removeprefix("#") for node in root.iter(f"{SVG}use")} <= defined
    for number, name in enumerate(ruleset.expansion_file.guilds if ruleset.expansion_file else (), 4):
        if name != guild:
            continue
        for card in range(2):
            for columns in guild_actions(ruleset, number, card)[1]:
                icons = [icon for icon, _ in guild_icons(columns)]
                assert icons and all(icon[0].isdigit() or f"rc-{icon}" in defined for icon in icons)


def test_panels_keep_their_sizes() -> None:
    """The replay page takes the sizes from the first position."""
    for guild in ("archivists", "master_builders", "brickmakers"):
        ruleset, game = position(guild)
        fresh = Engine(ruleset, 1, 3)
        if {card["name"] for card in view(ruleset, fresh.games[0])["guilds"]} != {
            card["name"] for card in view(ruleset, game)["guilds"]
        }:
            continue
        for laid in (panels, narrow_panels):
            shapes = [
                [(panel.name, panel.width, panel.height, len(panel.parts)) for panel in laid(view(ruleset, one))]
                for one in (fresh.games[0], game)
            ]
            assert shapes[0] == shapes[1]


def test_a_picture_for_a_seat_hides_the_contracts_of_the_others() -> None:
    made = engine("archivists")
    pictures = []
    for held in (4, 14):  # contracts of seat 1, neither of which is worth more with goods
        batch = made.clone(same_future=True).copy()
        batch["hand"][0, 0, :2], batch["hand"][0, 1, :2] = (2, 5), sorted((held, 9))
        left = [card for card in range(15) if card not in (2, 5, held, 9)]
        batch["contract_deck"][0], batch["contracts_left"][0] = [*left, *[-1] * 4], len(left)
        seen = made.conceal(batch, 0)[0]
        assert UNSEEN in seen["hand"][1]
        pictures.append((board_text(made.ruleset, seen), board_svg(made.ruleset, seen)))
        found = view(made.ruleset, seen)["seats"]
        assert (len(found[0]["hand"]), found[0]["hidden"], found[1]["hand"], found[1]["hidden"]) == (2, 0, [], 2)
    assert pictures[0] == pictures[1]
    assert "2 contracts hidden" in pictures[0][0] and "each ornament not placed: 2 prestige" in pictures[0][0]


def test_a_board_for_a_seat_is_concealed() -> None:
    made = engine("archivists")
    writeable(made)[0].hand[1, 0] = 3
    hidden, shown = str(Board(made, seat=0)), str(Board(made))
    assert "return 2 stone" in shown and "return 2 stone" not in hidden and "1 contract hidden" in hidden
    writeable(made)[0].hand[1, 0] = -1


@pytest.mark.parametrize("form", FORMS)
def test_the_compact_board_stays_within_its_width(form: Any) -> None:
    for guild in ("archivists", "master_builders", "brickmakers", "foremen"):
        ruleset, game = position(guild)
        lines = ["".join(piece.text for piece in line) for line in board_lines(
            view(ruleset, game), 80, form, ("you", "greedy"), 0
        )]  # fmt: skip
        assert max(map(len, lines)) <= 80
        found = " ".join(lines)
        assert {"foremen": "foreman", "archivists": "contract", "master_builders": "builders", "brickmakers":
                "reinforcement"}[guild] in found  # fmt: skip


def test_each_new_decision_point_has_its_words() -> None:
    ruleset, game = position("jewelers")
    shown = view(ruleset, game)
    for point in Point:
        if point > Point.IVAN:
            decision = {"point": point, "frame": [point, -1, 0, 0, 0], "mode": 0, "serves": ""}
            words = waiting(shown | {"decision": decision})
            assert words is not None and words.startswith(f"{point.name.lower()}: ")


def test_every_contract_has_its_words() -> None:
    expansion = Ruleset(fourth_guild="archivists").expansion_file
    assert expansion is not None
    words = [contract_text(card, 2) for card in expansion.tables["contracts"]["cards"]]
    assert len(set(words)) == 15 and all(re.fullmatch(r".+: \d prestige", line) for line in words)
    assert words[14] == "each tower with you: 2 prestige"
