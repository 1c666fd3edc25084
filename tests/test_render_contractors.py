"""Tests of pictures of the module Contractors: text, SVG and terminal show the whole record, each part in its place."""

import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from typing import Any

import numpy as np
import pytest
from positions import state_to_dict
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.apps.table.actions import legal_actions
from rc_env.apps.table.explain import explain
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.players import Bots
from rc_env.apps.terminal.dialogue import MODULE_HELP, Dialogue, Lines
from rc_env.apps.terminal.frame import Scene, compose
from rc_env.apps.terminal.history import score_table
from rc_env.render import board_svg, board_text
from rc_env.render.contractors import grouped, specialists
from rc_env.render.contractors_pieces import TOOLS, specialist_icons
from rc_env.render.drawing import Panel
from rc_env.render.expansion import draws_text, guild_actions
from rc_env.render.guild_icons import guild_icons
from rc_env.render.html import Moment, ivan_text, replay_html
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.text import FORMS, board_lines
from rc_env.render.view import view
from rc_env.rules.printed import specialist_vocabulary
from rc_env.rules.printed.sizes import CITY_NAMES, COLOURS
from rc_env.words.notation import ivan_turn

SVG = "{http://www.w3.org/2000/svg}"
VARIANTS = [(1, "basic", "clergy"), (2, "advanced", "contractors:2"), (3, "basic", "archivists:1"),
            (4, "advanced", "lawyers:3")]  # fmt: skip
FREE = {"done", "deliver", "adorn", "gems", "take", "gain", "pay"}  # actions that need no explanation


@cache
def position(players: int, workshop: str, guild: str) -> Engine:
    """Return a game with an example of everything that the module adds; it cannot be played on."""
    made = Engine(Ruleset(players, workshop, contractors=True, fourth_guild=guild), 1, 3)
    rng = np.random.default_rng(3)
    for _ in range(12):
        made.step([rng.choice(np.flatnonzero(made.legal_mask()[0]))])
    g = writeable(made)[0]
    g.permits[:players] = (6, 2, 0, 1)[:players]
    g.permit_supply = 24 - g.permits.sum()
    g.sent[:] = 0
    g.sent[0, : made.num_seats] = (2, 1, 1, 1)[: made.num_seats]
    g.sent[2, 0] = 3
    g.contractors[: made.num_seats] = 6 - g.sent.sum(0)[: made.num_seats]
    g.offer[:] = (2, 11, -1, 19, 21)
    g.specialist[0] = 23
    g.tools[:] = 0
    g.tools[0] = sum(1 << tile for tile in (0, 1, 5, 10, 17))  # two hammers, a saw, a trowel and a plumb
    g.tools[1] = sum(1 << tile for tile in (4, 20))
    g.bag = sum(1 << tile for tile in (3, 6, 7, 8, 9, 12, 13))
    g.city_open[g.city_over[0]] = 0
    return made


def titles(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{SVG}title")]


@pytest.mark.parametrize(("players", "workshop", "guild"), VARIANTS)
def test_text_and_picture_carry_the_position(players: int, workshop: str, guild: str) -> None:
    engine = position(players, workshop, guild)
    ruleset, game = engine.ruleset, engine.games[0]
    assert ruleset.expansion_file is not None
    state, tables = state_to_dict(ruleset, game), ruleset.expansion_file.tables
    svg, text = board_svg(ruleset, game), board_text(ruleset, game)
    assert text.isascii() and max(map(len, text.splitlines())) <= 100
    root, lines = ElementTree.fromstring(svg), re.sub(r"\n(?:  |      |        )(?=\S)", " ", text).splitlines()
    seen = titles(svg)
    numbers = {n.attrib["data-fact"]: n.text for n in root.iter(f"{SVG}text") if "data-fact" in n.attrib}
    over = [CITY_NAMES[city] for city in game.city_over if city >= 0]
    for name, city in state["cities"].items():
        price = sum(city["contractors"]) + 1
        asks = f"open, asks {price} permit{'s' * (price > 1)}" if city["open"] else "closed"
        here = [f"{COLOURS[seat]} {n}" for seat, n in enumerate(city["contractors"]) if n]
        tower = f"tower {over.index(name) + 1}" if name in over else "no tower"
        over_it = f"/{over.index(name) + 1}" if name in over else ""
        sent = "".join(f" {COLOURS[seat][0].upper()}{n}" for seat, n in enumerate(city["contractors"]) if n)
        said = f"{name.capitalize()}{over_it} {f'{price}p' if city['open'] else 'closed'}{sent}"
        assert re.search(rf"[\^ ]{said}(;|$)", next(line for line in lines if line.startswith("cities "))), said
        words = next(w for w in seen if w.startswith(f"{name.capitalize()}: "))
        assert asks in words and f"contractors {', '.join(here) or 'none'}; over {tower}" in words
        assert not city["open"] or numbers[f"permits {name}"] == str(price)
        assert name not in over or f"{name.capitalize()}, {'open' if city['open'] else 'closed'}" in " ".join(seen)
    for slot, number in enumerate(state["specialists"]):
        tile = None if number is None else tables["specialists"]["tiles"][number - 1]
        said = "empty" if tile is None else f"{specialist_vocabulary.words(tile)} ({tile['tool']}, no. {number})"
        assert any(re.fullmatch(rf"Slot {slot} at \w+ and \w+: {re.escape(said)}", w) for w in seen)
        offer = next(line for line in lines if line.startswith("slots "))
        assert re.search(rf" {slot} \w+\+\w+: {re.escape(said.replace('empty', '-'))}(;| \d+ in)", offer)
    assert numbers["bag"] == str(len(state["bag"])) and f"{len(state['bag'])} in the bag" in text
    permits = state["supply"]["permits"]
    assert numbers["supply permits"] == str(permits) and f"{permits}p" in text.split("supply")[1].splitlines()[0]
    for seat in range(players):
        here = next(i for i, line in enumerate(lines) if line[1:].startswith(COLOURS[seat].capitalize()))
        own = " ".join(lines[here : here + 5])
        held = f"{state['permits'][seat]} permits? of {tables['player']['permits_most']}"
        assert re.search(rf"   {held}, {state['contractors'][seat]} contractor", own)
        assert any(w.startswith(f"{COLOURS[seat].capitalize()}: {state['permits'][seat]} permit") for w in seen)
        assert any(w.startswith(f"{COLOURS[seat].capitalize()}: {state['contractors'][seat]} contract") for w in seen)
        held = state["specialist"][seat]
        assert ("specialist claim a section (brush, no. 24)" in own) == (held is not None)
    assert "tools hammer saw trowel plumb, hammer for 8" in " ".join(lines)
    # A group of four different tools and a single one.
    assert "Tools: hammer saw trowel plumb, hammer; 8 prestige" in seen
    for seat, prestige in enumerate(engine.results().prestige[0]):
        assert numbers[f"score {seat}"] == str(prestige)
    dice = re.findall(r"\b(\w+) \d(?=[,;]|$)", " ".join(w for w in seen if w.startswith("Space ")))
    assert "black" in dice or any("black 1" in w or "black" in w for w in seen)
    assert re.search(r" K\d\b", text) and re.search(r"black \d to \d, ", text)


def test_the_solo_game_shows_ivans_marker_contractors_and_sixth_card() -> None:
    engine = position(*VARIANTS[0])
    ruleset, game = engine.ruleset, engine.games[0]
    city = CITY_NAMES[game.city_over[game.ivan_tower]].capitalize()
    svg, text = board_svg(ruleset, game), board_text(ruleset, game)
    seen = titles(svg)
    marked = [w for w in seen if "Ivan's marker is here" in w]
    assert len(marked) == 2 and all(w.startswith(city) for w in marked)
    assert re.search(rf"[ (]\^{city}/", text)
    assert f"Ivan: {game.contractors[1]} contractors left" in seen and "Tools: saw brush; 2 prestige" in seen
    assert f"{game.contractors[1]} contractors, tools sa+br" in text
    assert sum(w.startswith("hire: the ") for w in seen) == 1 and " hire" in text
    turn: dict[str, Any] = {"events": ["card hire"], "rolls": [], "draws": [{"slot": 1, "specialist": 17}]}
    assert ivan_text(turn) == "Ivan: card hire; drew specialist 17 on slot 1"
    assert isinstance(ivan_text(ivan_turn(game)), str)


def test_nothing_is_used_that_is_not_defined() -> None:
    ruleset, game = position(*VARIANTS[1]).ruleset, position(*VARIANTS[1]).games[0]
    root = ElementTree.fromstring(board_svg(ruleset, game))
    defined = {node.attrib["id"].removeprefix("rc-") for node in root.iter() if "id" in node.attrib}
    assert {node.attrib["href"].removeprefix("#rc-") for node in root.iter(f"{SVG}use")} <= defined
    sheet = next(root.iter(f"{SVG}style")).text or ""
    classes = {node.attrib["class"] for node in root.iter() if "class" in node.attrib and node is not root}
    assert all(f".{name}{{" in sheet for name in classes) and ".c5{" in sheet
    icons = [icon for tile in specialists(ruleset) for icon in specialist_icons(tile)]
    assert ruleset.expansion_file is not None
    base = len(ruleset.data_file.guilds)
    for number, name in enumerate(ruleset.expansion_file.guilds, base):
        for card in range(len(ruleset.expansion_file.tables["guilds"][name])):
            for columns in guild_actions(ruleset, number, card)[1]:
                assert guild_icons(columns)
                icons += guild_icons(columns)
    assert all(name[0].isdigit() or name in defined for name, _ in icons)
    assert {tile["tool"] for tile in specialists(ruleset)} == set(TOOLS)


def test_each_kind_of_specialist_has_icons_of_its_own() -> None:
    ruleset = position(*VARIANTS[1]).ruleset
    drawn: dict[str, str] = {}
    for tile in specialists(ruleset):
        icons = " ".join(name for name, _ in specialist_icons(tile))
        assert drawn.setdefault(icons, tile["words"]) == tile["words"]


def test_other_games_have_nothing_of_it() -> None:
    for ruleset in (Ruleset(), Ruleset(fourth_guild="jewelers", special_tiles=True)):
        svg = board_svg(ruleset, Engine(ruleset, 1, 3).games[0])
        assert ".c5{" not in svg and "rc-permits" not in svg and "Moscow" not in svg


def words_of(panel: Panel) -> list[tuple[float, float, float, str]]:
    """Return the left and right ends of all words in a panel in a wide sans serif, their size, and the words."""
    found = []
    for part in panel.parts:
        across, scale = 0.0, 1.0
        if moved := re.match(r"translate\(([-\d.]+)", part.place):
            across = float(moved[1])
        if grown := re.search(r"scale\(([-\d.]+)", part.place):
            scale = float(grown[1])
        for node in part.element().iter("text"):
            words, size = node.text or "", float(node.attrib["font-size"])
            wide = len(words) * size * (0.62 if node.attrib.get("font-weight") == "bold" else 0.56) * scale
            x = across + float(node.attrib["x"]) * scale
            left = x - {"middle": wide / 2, "end": wide}.get(node.attrib.get("text-anchor", ""), 0)
            found.append((left, left + wide, size * scale, words))
    return found


@pytest.mark.parametrize(("players", "workshop", "guild"), VARIANTS)
def test_no_words_leave_their_panel(players: int, workshop: str, guild: str) -> None:
    engine = position(players, workshop, guild)
    every = specialists(engine.ruleset)
    shown = view(engine.ruleset, engine.games[0])
    for first in range(0, len(every), 5):
        shown["offer"] = (every * 2)[first : first + 5]
        shown["seats"][0]["specialist"] = every[first]
        for panel in [*panels(shown), *narrow_panels(shown)]:
            if panel.name == "moscow" or panel.name.startswith(("cathedral", "seat")):
                out = [words for left, right, _, words in words_of(panel) if left < 0 or right > panel.width]
                assert not out, (panel.label, panel.width, out)
        sizes = [size for panel in narrow_panels(shown) if panel.name in ("moscow", "seat0", "seat1")
                 for *_, size, _ in words_of(panel)]  # fmt: skip
        assert min(sizes) >= 10


def test_panels_keep_their_sizes_and_parts_depend_on_their_facts_alone() -> None:
    drawings: dict[tuple[str, str], bytes] = {}
    for variant in VARIANTS:
        engine = position(*variant)
        both = [view(engine.ruleset, game) for game in (Engine(engine.ruleset, 1, 3).games[0], engine.games[0])]
        for laid in (panels, narrow_panels):
            shapes = [[(p.name, p.width, len(p.parts)) for p in laid(shown)] for shown in both]
            assert shapes[0] == shapes[1]
        for shown in both:
            for panel in [*panels(shown), *narrow_panels(shown)]:
                for part in panel.parts:
                    drawing = ElementTree.tostring(part.element())
                    assert drawings.setdefault((part.draw.__name__, repr(part.facts)), drawing) == drawing


def test_the_replay_page_takes_the_module() -> None:
    engine = position(*VARIANTS[0])
    game = engine.games[0]
    page = replay_html(engine.ruleset, game, [Moment(game, 0, "hire suzdal", after="drew specialist 17 on slot 1")])
    assert "rc-contractor" in page and '"city0"' in page and "drew specialist 17 on slot 1" in page
    assert draws_text([{"slot": 2, "specialist": None}]) == "nothing for slot 2"


@pytest.mark.parametrize("form", FORMS)
def test_the_compact_board_stays_within_its_width(form: Any) -> None:
    for variant in VARIANTS:
        engine = position(*variant)
        shown, width = view(engine.ruleset, engine.games[0]), 80 if variant[0] < 4 else 100
        lines = ["".join(piece.text for piece in line) for line in board_lines(
            shown, width, form, ["you", "a", "b", "c"], 0
        )]  # fmt: skip
        assert max(map(len, lines)) <= width and all(line.isascii() for line in lines)
        seen = " ".join(" ".join(lines).split())
        long = form.guilds == "wrap"
        assert ("cities Moscow/" if long else "cities Mos/") in seen
        assert (
            "slots 0 V+T: activate two workshop tiles" if long else "slots 0 2 tiles ha; 1 gr>2prest tr; 2 -"
        ) in seen
        assert "6 permits" in seen and "tools ha+sa+tr+pl, ha for 8" in seen


def played(tile: int) -> Engine:
    """Return a game in which red has just used the specialist of that number, from 1, after a move of the black die."""
    made = Engine(Ruleset(contractors=True), 1, 5)
    g = writeable(made)[0]
    g.specialist[0], g.rubles[0] = tile - 1, 4
    g.works[0, :3] = 1
    made.step([made.text_to_action("move black")])
    made.step([made.text_to_action("specialist")])
    assert made.illegal[0] == 0
    return made


def test_each_decision_point_says_what_it_is_about() -> None:
    about = {
        22: "spend: rubles to spend for recognition, 5 at most",
        20: "discard: an ornament to discard, for 3 prestige",
        7: "both: any material",
        24: "claim: a section to claim, by the specialist",
        23: "resource: a space, for its tile once",
    }
    for tile, words in about.items():
        engine = played(tile)
        shown = view(engine.ruleset, engine.games[0])
        assert words in shown["words"] and ", specialist used" in shown["words"]
    engine = Engine(Ruleset(contractors=True), 1, 5)
    writeable(engine)[0].permits[0] = 6
    city = next(name for name in CITY_NAMES if engine.games[0].city_open[CITY_NAMES.index(name)])
    engine.step([engine.text_to_action(f"hire {city}")])
    assert f"hire: a specialist of {city.capitalize()} to engage" in view(engine.ruleset, engine.games[0])["words"]


def test_each_action_of_the_module_is_explained() -> None:
    seen: dict[str, str] = {}
    rng = np.random.default_rng(4)
    starts = [Engine(Ruleset(contractors=True, fourth_guild="contractors:2"), 1, 5), *map(played, (20, 22, 24))]
    for engine in starts:
        game = writeable(engine)[0]
        game.permits[0], game.track[0] = 5, 20
        for _ in range(8):
            shown, seat = view(engine.ruleset, engine.games[0]), int(engine.seat[0])
            words = [engine.action_to_text(int(action)) for action in np.flatnonzero(engine.legal_mask()[0])]
            for line in words:
                seen[line.split()[0]] = explain(shown, seat, line)
            wanted = [line for line in words if line.startswith(("hire", "engage", "specialist"))]
            engine.step([engine.text_to_action(wanted[0] if wanted else str(rng.choice(words)))])
    new = {"hire", "engage", "dismiss", "permit", "spend", "discard"}
    assert new <= set(seen) and all(seen[verb] for verb in new)
    assert {verb for verb, meaning in seen.items() if not meaning} <= FREE
    shown = view(starts[0].ruleset, starts[0].games[0])
    assert explain(shown, 0, "pass") == "no main action is possible"
    shown["seats"][0]["specialist"] = specialists(starts[0].ruleset)[16]
    assert explain(shown, 0, "specialist") == "gain 2 green gem (plumb, no. 17)"
    assert explain(shown, 0, "move black +1").startswith("to space ")


def test_the_terminal_helps_and_scores() -> None:
    said: list[str] = []
    lines = iter(["help", "help hire", "quit"])
    game = Game(Ruleset(contractors=True), [YOU] * 2, 3)
    bots, hint = Bots(game.seats, game.ruleset, 3), agents.make("greedy")
    Dialogue(game, bots, hint, Lines(ask=lambda prompt: next(lines), say=said.append)).play()
    assert MODULE_HELP in said[-2] and "hire" in said[-1]
    assert "tools" in score_table(game).splitlines()[0].split()


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_screen_shows_the_module_within_the_terminal(variant: tuple[int, str, str]) -> None:
    engine = position(*variant)
    game = Game(engine.ruleset, [YOU] * engine.ruleset.players, 3)
    game.engine.restore(engine.clone(same_future=True))
    scene = Scene(game.view, ["you", "a", "b", "c"], 0, [], legal_actions(game))
    for width, height in ((80, 23) if variant[0] < 4 else (100, 29), (60, 15), (40, 8), (200, 60)):
        text = ["".join(piece.text for piece in line) for line in compose(scene, width, height)[0]]
        assert len(text) <= height and max(map(len, text)) <= width
        assert width < 80 or "slots 0" in " ".join(text)


def test_tools_are_grouped_as_large_as_possible_in_turn() -> None:
    assert grouped(["saw", "saw", "brush", "hammer", "saw"], TOOLS) == [["hammer", "saw", "brush"], ["saw"], ["saw"]]
    assert grouped([], TOOLS) == []
