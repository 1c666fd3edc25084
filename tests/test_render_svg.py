"""Tests of the SVG picture: it is well-formed, its numbers are those of the position, and the pixels are right."""

import itertools
import math
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from test_render_text import played, positions
from variants import VARIANTS
from writeable import writeable

from rc_env import Ruleset, red_cathedral_v0
from rc_env.envs.gym import OneSeatEnv
from rc_env.envs.vector import RedCathedralVectorEnv
from rc_env.render import Board, board_image, board_svg
from rc_env.render.amounts import amount_words, amounts_words, tile_words
from rc_env.render.guild_icons import Icon, guild_icons
from rc_env.render.market import market, narrow_market
from rc_env.render.pieces import SHAPES, THEMES
from rc_env.render.svg import narrow_panels, panels
from rc_env.render.view import view
from rc_env.rules.printed.sizes import COLOURS, MATERIAL_NAMES
from rc_env.rules.printed.vocabulary import action_columns
from rc_env.words.facts import game_facts

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str) -> tuple[Element, dict[str, str], list[str]]:
    """Return the picture's root, the numbers in it by name, and the words of its parts."""
    root = ElementTree.fromstring(svg)
    numbers = {
        node.attrib["data-fact"]: node.text or "" for node in root.iter(f"{SVG}text") if "data-fact" in node.attrib
    }
    return root, numbers, [node.text or "" for node in root.iter(f"{SVG}title")]


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_numbers_and_words_are_those_of_the_position(players: int, workshop: str) -> None:
    sizes = set()
    for engine in positions(players, workshop):
        facts, results = game_facts(engine.ruleset, engine.games[0], 0), engine.results()
        root, numbers, words = drawn(board_svg(engine.ruleset, engine.games[0]))
        sizes.add(root.attrib["viewBox"])
        for seat in range(players):
            assert numbers[f"score {seat}"] == str(results.prestige[0, seat])
            assert numbers[f"rubles {seat}"] == str(engine.games[0].rubles[seat])
        assert all(numbers[f"supply {m}"] == str(n) for m, n in facts["supply"].items())
        for t, tower in enumerate(facts["towers"], 1):
            assert numbers[f"tower {t} value"] == str(tower["value"])
            for level, s in enumerate(tower["sections"], 1):
                seen = next(w for w in words if w.startswith(f"Section {t}.{level}, {s['kind']}"))
                assert (f"of {COLOURS[s['owner'] or 0]}" in seen) or s["owner"] is None
                assert ("finished" in seen) == s["finished"] and ("on offer" in seen) == s["on_offer"]
                assert ("its tile: " in seen) == (s["tile"] is not None)
                assert s["tile"] is None or f"its tile: {tile_words(s['tile'])}" in seen
                lacks = {"any_material": s["misses"]} if s.get("misses") else s["missing"]
                assert s["finished"] or f"misses {amounts_words(lacks)};" in seen
        for space, here in enumerate(facts["market"]):
            dice = [f"{die} {at['value']}" for die, at in facts["dice"].items() if at["space"] == space]
            assert any(
                w.startswith(f"Space {space}: {tile_words(here['tile'])}; {', '.join(dice) or 'no die'}") for w in words
            )
        for seat, s in enumerate(facts["seats"]):
            slots = [w for w in words if w.startswith("Workshop, ")][6 * seat : 6 * seat + 6]
            for seen, (slot, row) in zip(slots, s["workshop"].items(), strict=True):
                held = (
                    tile_words(row["tile"])
                    if row["tile"]
                    else f"empty, a tile costs {amount_words(row['price'], 'rubles')} here"
                )
                assert seen.startswith(f"Workshop, {slot}: {held}")
        assert not [w for w in words if re.search(r"\w:\d|\w_\w", w)], (
            "the words of the record are not those of the board"
        )
    assert len(sizes) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_a_card_shows_its_whole_cost_and_ticks_off_what_was_delivered(players: int) -> None:
    partly = 0
    for engine in positions(players, "basic"):
        shown = view(engine.ruleset, engine.games[0])
        parts = {part.name: part for panel in panels(shown) for part in panel.parts}
        for t, tower in enumerate(shown["towers"], 1):
            for level, s in enumerate(tower["sections"], 1):
                if s["finished"]:
                    continue
                drawing = parts[f"section{t}.{level}"].element()
                used = [node.attrib["href"].removeprefix("#rc-") for node in drawing.iter("use")]
                if s["tile"] and s["tile"].split(":")[0] in MATERIAL_NAMES:
                    used.remove(s["tile"].split(":")[0])
                assert {m: used.count(m) for m in MATERIAL_NAMES if m in used} == s["cost"]
                ticks = [node for node in drawing.iter("path") if node.attrib.get("stroke") == "#1c6b36"]
                assert len(ticks) == sum(s["delivered"].values())
                partly += bool(s["delivered"])
    assert partly


def test_nothing_is_used_that_is_not_defined() -> None:
    for engine in positions(4, "advanced"):
        root, _, _ = drawn(board_svg(engine.ruleset, engine.games[0]))
        defined = {node.attrib["id"] for node in root.iter() if "id" in node.attrib}
        used = {node.attrib["href"].removeprefix("#") for node in root.iter(f"{SVG}use")}
        assert used <= defined
        sheet = next(root.iter(f"{SVG}style")).text or ""
        classes = {node.attrib["class"] for node in root.iter() if "class" in node.attrib and node is not root}
        assert all(f".{name}{{" in sheet for name in classes)


def test_every_guild_action_has_a_drawing() -> None:
    engine = played(2, "basic", 0)
    root, _, _ = drawn(board_svg(engine.ruleset, engine.games[0]))
    defined = {node.attrib["id"].removeprefix("rc-") for node in root.iter() if "id" in node.attrib}

    def name(icon: Icon) -> str:
        return icon[0]

    for cards in Ruleset().data_file.tables["guilds"].values():
        for card in cards:
            for action in card:
                icons = [name(icon) for icon in guild_icons(action_columns(action))]
                assert icons and all(icon in defined or icon.isdigit() for icon in icons)


def test_themes() -> None:
    engine = played(2, "basic", 40)
    pictures = {theme: board_svg(engine.ruleset, engine.games[0], theme) for theme in THEMES}
    assert len(set(pictures.values())) == 3
    assert "prefers-color-scheme" in pictures["auto"] and "prefers-color-scheme" not in pictures["dark"]
    with pytest.raises(ValueError, match="unknown theme 'sepia': choose light, dark or auto"):
        board_svg(engine.ruleset, engine.games[0], "sepia")


def test_a_part_depends_on_its_facts_alone() -> None:
    """Otherwise the replay page, which keeps one drawing for each set of facts, would show a wrong one."""
    drawings: dict[tuple[str, str], bytes] = {}
    for engine in positions(3, "advanced"):
        shown = view(engine.ruleset, engine.games[0])
        for panel in [*panels(shown), *narrow_panels(shown)]:
            for part in panel.parts:
                drawing = ElementTree.tostring(part.element())
                assert drawings.setdefault((part.draw.__name__, repr(part.facts)), drawing) == drawing


def bounds(outline: str) -> tuple[float, float]:
    """Return the left and the right end of a path of M, H, V, L, C and Z with absolute coordinates."""
    xs, x = [], 0.0
    for command, rest in re.findall(r"([MHVLCZ])([^MHVLCZ]*)", outline):
        numbers = [float(number) for number in rest.split()]
        if command == "H":
            xs += numbers
        elif command in "ML":
            xs += numbers[::2]
        elif command == "C":
            for i in range(0, len(numbers), 6):
                controls = [x, *numbers[i : i + 6 : 2]]
                steps = np.linspace(0, 1, 101)
                weights = ((1 - steps) ** 3, 3 * steps * (1 - steps) ** 2, 3 * steps**2 * (1 - steps), steps**3)
                curve = sum(weight * control for weight, control in zip(weights, controls, strict=True))
                xs += [float(curve.min()), float(curve.max())]
                x = numbers[i + 4]
        if command in "HML":
            x = xs[-1]
    return min(xs), max(xs)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_towers_do_not_touch(players: int) -> None:
    engine = played(players, "basic", 0)
    shown = view(engine.ruleset, engine.games[0])
    for panel in [*panels(shown), *narrow_panels(shown)]:
        ends: dict[str, tuple[float, float]] = {}  # the left and right end of each tower
        for part in panel.parts:
            if part.name.startswith("section"):
                x, _, scale = map(float, re.findall(r"-?[\d.]+", part.place))
                left, right = bounds(SHAPES[part.facts[0].kind])
                edge = 2.0  # half of the width of a claimed section's frame
                low, high = ends.get(part.name.split(".")[0], (x, x))
                ends[part.name.split(".")[0]] = (
                    min(low, x + scale * (left - edge)),
                    max(high, x + scale * (right + edge)),
                )
        for (_, right), (left, _) in itertools.pairwise(ends.values()):
            assert left - right > 3
        for left, right in ends.values():
            assert left > 0 and right < panel.width


@pytest.mark.parametrize("dice", [1, 2, 3, 5])
def test_dice_lie_apart_and_beside_the_tile(dice: int) -> None:
    engine = played(2, "basic", 0)
    game = writeable(engine)[0]
    for space in range(8):
        game.die_space[:] = (space + 4) % 8
        game.die_space[:dice] = space
        shown = view(engine.ruleset, game)
        for ring in (market(shown), narrow_market(shown)):
            drawing = next(part for part in ring.parts if part.name == f"space{space}").element()
            boxes = [
                tuple(float(node.attrib[name]) for name in ("x", "y", "width", "height"))
                for node in drawing.iter("rect")
                if node.attrib["class"] != "accent"
            ]
            assert len(boxes) == 1 + dice
            for (ax, ay, aw, ah), (bx, by, bw, bh) in itertools.combinations(boxes, 2):
                assert ax + aw < bx or bx + bw < ax or ay + ah < by or by + bh < ay
            rim = max(math.hypot(x + dx, y + dy) for x, y, w, h in boxes[:1] for dx in (0, w) for dy in (0, h))
            assert rim < ring.width / 2 - 12, "the tile lies within the ring"


def test_extreme_positions_can_be_drawn() -> None:
    engine = played(4, "advanced", 100)
    game = writeable(engine)[0]
    game.track[:4], game.rubles[0] = (0, 79, 80, 2000), 999
    drawn(board_svg(engine.ruleset, game))


def test_notebooks() -> None:
    engine = played(2, "basic", 40)
    board = Board(engine)
    assert ElementTree.fromstring(board._repr_svg_()).tag == f"{SVG}svg"
    assert board._repr_svg_() in board._repr_html_()
    env = red_cathedral_v0.raw_env()
    env.reset(seed=1)
    assert re.match(r"<svg [^>]*viewBox", env._repr_svg_())


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (4, "advanced")])
def test_pixels_of_the_svg(players: int, workshop: str) -> None:
    for package in ("resvg_py", "PIL"):
        pytest.importorskip(package, reason="the extra viz is not installed")
    pictures = []
    for decisions in (0, 30, 400):
        engine = played(players, workshop, decisions)
        picture = board_image(engine.ruleset, engine.games[0])
        assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
        assert np.array_equal(picture, board_image(engine.ruleset, engine.clone(same_future=True)[0]))
        pictures.append(picture)
    assert len({picture.shape for picture in pictures}) == 1
    assert len({picture.tobytes() for picture in pictures}) == 3
    light, dark = (board_image(engine.ruleset, engine.games[0], theme, 400) for theme in ("light", "dark"))
    assert light.shape == dark.shape and light.shape[1] == 400
    assert light[2, 2].mean() > 200 > 60 > dark[2, 2].mean()  # the backgrounds of the two themes


def test_pixels_without_the_extra_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rc_env.render.image.find_spec", lambda name: None if name == "resvg_py" else name)
    engine = played(2, "basic", 0)
    sentence = r"Pixels need resvg-py: pip install 'rc-env\[viz\]'"
    with pytest.raises(ImportError, match=sentence):
        board_image(engine.ruleset, engine.games[0])
    for make in (red_cathedral_v0.env, OneSeatEnv, RedCathedralVectorEnv):
        make(render_mode="ansi")
        with pytest.raises(ImportError, match=sentence):
            make(render_mode="rgb_array")


def test_the_picture_of_the_docs_is_drawn_by_its_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the picture differs, run the lines of docs/pictures.md that draw it."""
    docs = Path(__file__).parents[1] / "docs"
    blocks = re.findall(r"```python\n(.*?)```", (docs / "pictures.md").read_text("utf-8"), re.DOTALL)
    (lines,) = (block for block in blocks if "docs/board.svg" in block)
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "docs/pictures.md", "exec"), {})
    assert (tmp_path / "docs/board.svg").read_text("utf-8") == (docs / "board.svg").read_text("utf-8")
