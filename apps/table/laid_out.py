"""The setup of a game as it lies on a real table: what was typed of it so far, its faults, and the deal that it makes.

A setup is a document for JSON, in which anything may still be missing (None):

- "heights": of each tower; "towers": for each tower, upwards, its sections, `{"card": {…}, "tile": "lumber"}`, a card
  with "cost", "recognition" and "rubles";
- "market": the resource of the tile on each space; "guilds": by quadrant `{"guild": "craftsmen", "card": 2, "actions":
  […]}`, with actions only where the card shows others than the data file, as objects or as lines of a data file;
- "dice": `{"red": {"space": 1, "value": 4}}`;
- "amounts": of "market" and "workshop", by resource, where the tiles show others than the data file;
- with the module "cities", and "specialists", `{"number": 3, "tile": {…}}` with a tile where it differs; solo "ivan",
  `{"cards": […], "tiles": […]}`.

Tiles are named by what they give, `die:red` or `lumber`, since the amounts stand in the owner's file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rc_env import Engine, Ruleset, checks, files
from rc_env.apps.table import own_box
from rc_env.apps.table.own_box import Known
from rc_env.rules.printed.data_file import DataError
from rc_env.rules.printed.sizes import CITY_NAMES, KINDS, LEVELS, MATERIAL_NAMES, QUADRANTS, SPACES, SPECIALIST_SLOTS
from rc_env.rules.solo.ivan import CARDS as IVAN_CARDS
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import Names, dict_to_deal, die_names, names

PARTS = ("heights", "towers", "market", "guilds", "dice", "amounts", "cities", "specialists", "ivan")
_CARD = ("cost", "recognition", "rubles")
_AMOUNTS = ("market", "workshop")


class Fault(NamedTuple):
    """Something that cannot be: the part of the setup that it is about, and a sentence."""

    part: str
    sentence: str


class Checked(NamedTuple):
    """A setup that was looked through.

    Attributes:
        faults: what cannot be.
        doubts: what can be played, but contradicts what is known of the printed game.
        missing: how many entries each part still lacks.
        known: the box with what was typed.
        deal: as `notation.dict_to_deal` takes it, once nothing is missing and there is no fault; else None.
    """

    faults: list[Fault]
    doubts: list[str]
    missing: dict[str, int]
    known: Known
    deal: dict[str, Any] | None


def typed_of(setup: Mapping[str, Any], ruleset: Ruleset, before: Known) -> Known:
    """What a setup says of the owner's box, of which `before` was known: also what lies there as the files have it."""
    known: Known = {}
    base, module = own_box.made(before)
    heights = setup.get("heights") or []
    for t, tower in enumerate(setup.get("towers") or []):
        for level, section in enumerate(tower):
            if section.get("card") and t < len(heights) and heights[t]:
                known.setdefault("cards", {}).setdefault(_kind(level, heights[t]), []).append(section["card"])
    if _whole(heights, ruleset) and sum(heights) == 6 * ruleset.seats:
        key = str(ruleset.seats)
        with_module = ruleset.contractors and list(heights) not in base["plans"][key]
        known["module_plans" if with_module else "plans"] = {key: [list(heights)]}
    for entry in setup.get("guilds") or []:
        if entry and entry["card"]:
            cards = (base["guilds"] | module["guilds"]).get(entry["guild"], [])
            actions = entry["actions"] or next(iter(cards[entry["card"] - 1 : entry["card"]]), None)
            if actions:  # else there is no such card, which the check of the deal says
                known.setdefault("guilds", {}).setdefault(entry["guild"], {})[str(entry["card"])] = actions
    for entry in setup.get("specialists") or []:
        if entry:
            tile = entry["tile"] or next(
                iter(module["specialists"]["tiles"][entry["number"] - 1 : entry["number"]]), None
            )
            if tile:
                known.setdefault("specialists", {})[str(entry["number"])] = tile
    sections = [section["tile"] for tower in setup["towers"] for section in tower]
    for part, lying in (("market", setup["market"]), ("workshop", sections)):
        tables = [*base[part]["tile"], *([module["market"]["add"]] if part == "market" else module["workshop"]["add"])]
        amounts = {key: one for tile in tables for key, one in tile.items() if key in lying and key != "any_material"}
        if amounts := amounts | setup["amounts"].get(part, {}):
            known[part] = amounts
    return known


def _kind(level: int, height: int) -> str:
    return KINDS[0] if level == 0 else KINDS[2] if level == height - 1 else KINDS[1]


def _whole(heights: Sequence[Any], ruleset: Ruleset) -> bool:
    return len(heights) == ruleset.seats + 2 and all(heights)


def shaped(setup: Any, ruleset: Ruleset) -> dict[str, Any]:
    """A setup as it came from a page, with its form checked: what is typed may still be impossible.

    Raises:
        ValueError: it is no setup of this variant.
    """
    found = dict(checks.instance("setup", setup, dict, "an object by part"))
    for part in found:
        checks.one_of("setup", part, PARTS)
    towers = ruleset.seats + 2
    made: dict[str, Any] = {
        "heights": [_number("heights", one, LEVELS) for one in _entries("heights", found, towers)],
        "towers": [_tower(one) for one in _entries("towers", found, towers)],
        "market": [_word("market", one) for one in _entries("market", found, SPACES)],
        "guilds": [_guild(one) for one in _entries("guilds", found, QUADRANTS)],
        "dice": {die: _die(die, found["dice"]) for die in _object("dice", found.get("dice"), die_names(ruleset))},
        "amounts": _amounts(found.get("amounts")),
    }
    if ruleset.contractors:
        made["cities"] = [_word("cities", one) for one in _entries("cities", found, towers)]
        made["specialists"] = [_specialist(one) for one in _entries("specialists", found, SPECIALIST_SLOTS)]
    if ruleset.solo:
        ivan = _object("ivan", found.get("ivan"), ("cards", "tiles"))
        made["ivan"] = {
            key: [_word(f"ivan.{key}", one) for one in _entries(key, ivan, ruleset.ivan_cards)]
            for key in ("cards", "tiles")
        }
    return made


def _entries(part: str, setup: Mapping[str, Any], count: int) -> list[Any]:
    """The entries of a list, filled up with None."""
    found = setup.get(part)
    found = [] if found is None else checks.instance(part, found, list, "a list")
    if len(found) > count:
        raise ValueError(f"{part} has {len(found)} entries, but there are {count}")
    return [*found, *[None] * (count - len(found))]


def _object(part: str, found: Any, known: Sequence[str]) -> dict[str, Any]:
    found = {} if found is None else checks.instance(part, found, dict, "an object")
    for key in found:
        checks.one_of(part, key, known)
    return dict(found)


def _amounts(found: Any) -> dict[str, dict[str, int]]:
    made = {}
    for part, amounts in _object("amounts", found, _AMOUNTS).items():
        where = f"amounts.{part}"
        by_resource = checks.instance(where, amounts, dict, "an object by resource").items()
        made[part] = {str(_word(where, key)): checks.whole_number(where, one, 1, 9) for key, one in by_resource}
    return made


def _number(where: str, found: Any, most: int) -> int | None:
    return None if found is None else checks.whole_number(where, found, 0, most)


def _word(where: str, found: Any) -> str | None:
    if found is None:
        return None
    word: str = checks.instance(where, found, str, "a word")
    if len(word) > 40:
        checks.refuse(where, found, "a word of at most 40 letters")
    return word


def _tower(found: Any) -> list[dict[str, Any]]:
    sections = [] if found is None else checks.instance("towers", found, list, "a list of sections")
    if len(sections) > LEVELS:
        raise ValueError(f"towers: a tower has at most {LEVELS} sections, not {len(sections)}")
    return [_section(one) for one in sections]


def _section(found: Any) -> dict[str, Any]:
    section = _object("towers", found, ("card", "tile"))
    card = section.get("card")
    made: dict[str, Any] | None = None
    if card is not None:
        card = _object("card", card, _CARD)
        cost = _object("card.cost", card.get("cost"), MATERIAL_NAMES)
        counts = {m: checks.whole_number(f"card.cost.{m}", cost[m], 0, 99) for m in MATERIAL_NAMES if m in cost}
        rewards = [_number(f"card.{key}", card.get(key), 99) for key in _CARD[1:]]
        if any(counts.values()):  # else nothing of it is typed yet
            made = {"cost": {m: count for m, count in counts.items() if count}}
            made |= {key: reward or 0 for key, reward in zip(_CARD[1:], rewards, strict=True)}
    return {"card": made, "tile": _word("tile", section.get("tile"))}


def _guild(found: Any) -> dict[str, Any] | None:
    if found is None:
        return None
    entry = _object("guilds", found, ("guild", "card", "actions"))
    guild, card = _word("guilds", entry.get("guild")), _number("guilds.card", entry.get("card"), 9)
    actions = entry.get("actions")
    if actions is not None:
        actions = [_in_file("guilds.actions", one) for one in checks.instance("actions", actions, list, "two actions")]
    return None if guild is None else {"guild": guild, "card": card or None, "actions": actions or None}


def _die(die: str, dice: Mapping[str, Any]) -> dict[str, int | None]:
    entry = _object(f"dice.{die}", dice[die], ("space", "value"))
    space, value = entry.get("space"), entry.get("value")
    return {
        "space": None if space is None else checks.whole_number("dice.space", space, 0, SPACES - 1),
        "value": None if value is None else checks.whole_number("dice.value", value, 1, 6),
    }


def _specialist(found: Any) -> dict[str, Any] | None:
    if found is None:
        return None
    entry = _object("specialists", found, ("number", "tile"))
    number = _number("specialists", entry.get("number"), 99)
    tile = entry.get("tile")
    tile = None if tile is None else _in_file("specialists.tile", tile)
    return {"number": number, "tile": tile} if number else None


def _in_file(where: str, found: Any) -> dict[str, Any]:
    """An action or a tile, as an object or as a line of a data file, such as `{ deliver = 1, price = 1 }`."""
    if isinstance(found, str):
        if len(found) > 200 or not found.isprintable():
            checks.refuse(where, found, "a line of at most 200 characters")
        try:
            found = files.toml(f"it = {found}".encode())["it"]
        except ValueError:
            checks.refuse(where, found, "written as in a data file, such as { deliver = 1, price = 1 }")
    made: dict[str, Any] = checks.instance(where, found, dict, "an action, such as { deliver = 1, price = 1 }")
    return made


def look_through(setup: Mapping[str, Any], ruleset: Ruleset, known: Known) -> Checked:
    """Look a setup through, as `rc data check` and the engine would.

    Args:
        setup: from `shaped`.
        ruleset: the variant, with the packaged data files.
        known: the box before, see `own_box`.
    """
    missing = _missing(setup, ruleset)
    faults: list[Fault] = []
    heights = setup["heights"]
    if _whole(heights, ruleset) and sum(heights) != 6 * ruleset.seats:
        faults.append(
            Fault(
                "heights",
                f"The towers have {sum(heights)} sections together, but six a player are {6 * ruleset.seats}.",
            )
        )
    try:
        together = own_box.merged(known, typed_of(setup, ruleset, known))
        base, _ = own_box.made(together)
        doubts = own_box.doubts(together)
    except ValueError as error:
        return Checked([*faults, _fault_of(str(error), setup, known, ruleset)], [], missing, known, None)
    doubts += _dice_doubts(setup, ruleset)
    with TemporaryDirectory() as folder:
        own = with_files(ruleset, together, Path(folder))
        laid = _Laying(setup, own, base)
        for part, found in laid.parts():
            try:
                if part == "guilds":
                    _check_contracts(own, found["guilds"])
                dict_to_deal(own, found)
            except ValueError as error:
                faults.append(Fault(part, sentence(str(error).removeprefix("deal."))))
        deal: dict[str, Any] | None = None
        if not faults and not any(missing.values()):
            whole = dict(pair for _, part in laid.parts() for pair in part.items())
            try:
                Engine(own).reset(deals=dict_to_deal(own, whole))
                deal = whole
            except ValueError as error:
                faults.append(Fault("", sentence(str(error))))
    return Checked(faults, doubts, missing, together, deal)


def with_files(ruleset: Ruleset, known: Known, folder: Path) -> Ruleset:
    """The variant with the data files of a box, written to a folder under names that follow from their content.

    Raises:
        ValueError: as `own_box.made`.
        OSError: a file cannot be written.
    """
    texts = own_box.files_of(known)
    sources: dict[str, str] = {}
    for key, text in (("data", texts.base), ("expansion_data", texts.expansion if ruleset.full else None)):
        if text is not None:
            place = folder / f"table-{sha256(text.encode()).hexdigest()[:16]}.toml"
            if not place.exists():
                files.write(place, text)
            sources[key] = str(place)
    return replace(ruleset, **sources)  # type: ignore[arg-type]


def sentence(words: str) -> str:
    """Words as a sentence, with a capital and a full stop."""
    return f"{words[0].upper()}{words[1:].rstrip('.')}."


def _check_contracts(ruleset: Ruleset, guilds: Sequence[Mapping[str, Any]]) -> None:
    known = expansion.guild_names(ruleset)
    numbers = [known.index(entry["guild"]) for entry in guilds if entry["guild"] in known]
    if expansion.brought(ruleset, {"guild": numbers}) & expansion.CONTRACTS:
        raise ValueError("contracts are hidden from the others, and whoever enters the game would see them all: a game "
                         "with the guild that draws them cannot be entered")  # fmt: skip


def _missing(setup: Mapping[str, Any], ruleset: Ruleset) -> dict[str, int]:
    heights = setup["heights"]
    sections = [
        section for tower, height in zip(setup["towers"], heights, strict=True) for section in tower[: height or 0]
    ]
    total = 6 * ruleset.seats
    found = {
        "heights": sum(not height for height in heights),
        "cards": total - sum(section["card"] is not None for section in sections),
        "tiles": total - sum(section["tile"] is not None for section in sections),
        "market": setup["market"].count(None),
        "guilds": sum(entry is None or entry["card"] is None for entry in setup["guilds"]),
        "dice": sum(
            die not in setup["dice"] or None in setup["dice"][die].values() for die in die_names(ruleset)
        ),
    }  # fmt: skip
    for part in ("cities", "specialists"):
        if part in setup:
            found[part] = setup[part].count(None)
    if "ivan" in setup:
        found["ivan"] = sum(part.count(None) for part in setup["ivan"].values())
    return {part: max(0, count) for part, count in found.items()}


def _dice_doubts(setup: Mapping[str, Any], ruleset: Ruleset) -> list[str]:
    """A doubt about dice that do not lie as they do after the setup (R-6)."""
    spaces = [die["space"] for die in setup["dice"].values() if die["space"] is not None]
    first = next((i for i, tile in enumerate(setup["market"]) if tile in ("recognition", "permits")), None)
    count = len(die_names(ruleset))
    if first is None or len(spaces) < count or sorted(spaces) == sorted((first + i) % SPACES for i in range(count)):
        return []
    return [
        f"The dice begin on space {first}, with the {setup['market'][first]} tile, and on those after it, one on each."
    ]


def _fault_of(words: str, setup: Mapping[str, Any], known: Known, ruleset: Ruleset) -> Fault:
    """A fault of the owner's box, with the section whose card it is about, if it is one of this setup's."""
    for t, (tower, height) in enumerate(zip(setup["towers"], setup["heights"], strict=True), 1):
        for level, section in enumerate(tower[: height or 0], 1):
            if section["card"] is None:
                continue
            try:
                own_box.made(own_box.merged(known, {"cards": {_kind(level - 1, height): [section["card"]]}}))
            except DataError as error:
                words = re.sub(r"^cards\.\w+\[\d+\][.:]?\s*", f"section {t}.{level}: ", str(error))
                return Fault(f"card {t}.{level}", sentence(words))
            except ValueError:
                return Fault("cards", sentence(words))
    part = next((part for part in ("guilds", "specialists", "plans", "market", "workshop") if part in words), "")
    return Fault("heights" if part == "plans" else part, sentence(words))


class _Laying:
    """Fills the gaps of a setup with what is left in the box, so that the parts can be checked as deals are.

    Args:
        setup: from `shaped`.
        ruleset: the variant with the owner's data files.
        base: the tables of its data file.
    """

    def __init__(self, setup: Mapping[str, Any], ruleset: Ruleset, base: Mapping[str, Any]) -> None:
        self._setup, self._ruleset, self._base = setup, ruleset, base
        self._names: Names = names(ruleset)

    def parts(self) -> list[tuple[str, dict[str, Any]]]:
        """The parts of the deal that can be checked by now, each by its name in the setup."""
        market = filled(self._setup["market"], [word.partition(":")[0] for word in self._names.market])
        by_resource = {word.partition(":")[0]: word for word in self._names.market}
        found: list[tuple[str, dict[str, Any]]] = [
            ("market", {"market": [by_resource.get(one, one) for one in market]}),
            ("guilds", {"guilds": self._guilds()}),
            ("dice", {"dice": self._dice()}),
        ]
        if _whole(self._setup["heights"], self._ruleset) and sum(self._setup["heights"]) == 6 * self._ruleset.seats:
            found.append(("towers", {"towers": self._towers()}))
        if "cities" in self._setup:
            found.append(("cities", {"cities": filled(self._setup["cities"], CITY_NAMES)}))
            typed = [entry and entry["number"] for entry in self._setup["specialists"]]
            found.append(("specialists", {"specialists": filled(typed, range(1, 25))}))
        if "ivan" in self._setup:
            count, ivan = self._ruleset.ivan_cards, self._setup["ivan"]
            tiles = [f"die:{die}" for die in die_names(self._ruleset)[:count]]
            cards = filled(ivan["cards"], IVAN_CARDS[:count])
            found.append(("ivan", {"ivan": {"cards": cards, "tiles": filled(ivan["tiles"], tiles)}}))
        return found

    def _guilds(self) -> list[dict[str, Any]]:
        entries = self._setup["guilds"]
        base = [guild for guild in self._base["guilds"] if guild != "clergy"]
        typed = [entry and entry["guild"] for entry in entries]
        named = self._ruleset.fourth_guild.partition(":")[0].replace("random", "clergy")
        fourth = next((guild for guild in typed if guild is not None and guild not in base), named)
        guilds = filled(typed, [*base, fourth])
        if all(entry is not None and entry["card"] is not None for entry in entries):
            return [{"guild": entry["guild"], "card": entry["card"]} for entry in entries]
        return [{"guild": guild} for guild in guilds]

    def _dice(self) -> dict[str, dict[str, int]]:
        typed = self._setup["dice"]
        spaces = {die: typed.get(die, {}).get("space") for die in die_names(self._ruleset)}
        free = Counter(space for space in spaces.values() if space is not None)
        for die, space in spaces.items():
            if space is None:
                spaces[die] = min(range(SPACES), key=lambda one: free[one])
                free[spaces[die]] += 1
        return {
            die: {"space": space or 0, "value": typed.get(die, {}).get("value") or 1} for die, space in spaces.items()
        }

    def _towers(self) -> list[list[dict[str, str]]]:
        c = self._ruleset.rules[0]
        heights, tables = self._setup["heights"], self._base["cards"]
        gaps = [
            [tower[level] if level < len(tower) else {"card": None, "tile": None} for level in range(height)]
            for tower, height in zip(self._setup["towers"], heights, strict=True)
        ]
        by_gain = {self._gain(word): word for word in self._names.tiles if word}
        tiles = [self._gain(self._names.tiles[kind]) for kind in c.tiles[: c.tile_count].tolist()]
        typed = filled([section["tile"] for tower in gaps for section in tower], tiles)
        of_tiles = iter([by_gain.get(one, one) for one in typed])
        free = {kind: list(range(len(tables[kind]))) for kind in KINDS}
        numbers: dict[tuple[int, int], int] = {}
        for given in (True, False):  # first the cards that were typed, then any others
            for t, tower in enumerate(gaps):
                for level, section in enumerate(tower):
                    kind = _kind(level, heights[t])
                    if (section["card"] is not None) == given:
                        at = next(i for i in free[kind] if not given or tables[kind][i] == section["card"])
                        free[kind].remove(at)
                        numbers[t, level] = at + 1
        return [
            [
                {"card": f"{_kind(level, heights[t])}/{numbers[t, level]}", "tile": next(of_tiles)}
                for level in range(len(tower))
            ]
            for t, tower in enumerate(gaps)
        ]

    @staticmethod
    def _gain(tile: str) -> str:
        """The name of a workshop tile without its amount."""
        return tile if tile.startswith(("die:", "special:")) else tile.partition(":")[0]


def filled(typed: Sequence[Any], known: Sequence[Any]) -> list[Any]:
    """A list with its gaps filled by what is left of `known`; what is typed too often stays there too often."""
    left = Counter(known)
    left.subtract(one for one in typed if one in left)
    rest = left.elements()
    return [next(rest, known[0]) if one is None else one for one in typed]
