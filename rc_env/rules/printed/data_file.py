"""The one place that reads a data file: the printed numbers of the game as a TOML tree, checked.

The checks below are the specification of the format, a function a table. They refuse whatever the rules could not
play: other keys, other types, numbers out of range, components that do not fit together. A message names the table
(entries of a list counted from 1, as in the game record), the value found and what was expected.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NoReturn

from rc_env import checks, files

from . import sizes, vocabulary
from .build_sizes import DIE_NAMES
from .sizes import (
    CARDS,
    COLOURS,
    DICE_PER_SPACE,
    INVENTORY_BANNERS,
    INVENTORY_SPACES,
    LEVELS,
    MATERIAL_NAMES,
    PLAYERS,
    QUADRANTS,
    RESOURCE_NAMES,
    SECTIONS_PER_PLAYER,
    SPACES,
    SPACES_PER_QUADRANT,
    SPARE_BANNERS,
    WHITE_SLOTS,
)
from .vocabulary import AMOUNT, PRICE, Range

SLOT_KEYS = ("own", "next1", "next2", "next3", *WHITE_SLOTS)  # relative to the colour of the board

TILE_COPIES = 2  # the first is in every game, the second from three players on
TILE_KINDS: Range = (
    2 * SECTIONS_PER_PLAYER,
    sizes.PRINTED_TILES,
)  # one copy of each covers the sections of two players
GUILD_NAME = r"[a-z](?:[a-z_]{0,22}[a-z])?"
CONSTRUCTION = ("levels", "towers")  # the orders of Ivan's Construction (R-30c); the first where none is named
ORNAMENTS = {"door": "doors", "arch": "arches", "cross": "crosses"}  # kind: key of its count in `player`

# Ranges; small enough for the engine's small integers, wide enough for any edition of the game. Layouts divide by their
# ends, so changing one makes another layout.
SUPPLY: Range = (1, 60)
TRACK_LENGTH: Range = (10, 200)
POINTS: Range = (0, 20)  # recognition or rubles of a card, prestige of the ending, …
HEIGHT: Range = (2, LEVELS)
OPTIONAL: Range = (1, 20)  # rubles for a prestige
GEMS: Range = (0, 9)  # prestige for gems
DELIVERIES: Range = (1, 6)  # of a build action
GOODS: Range = (1, 99)  # for a prestige at the end
VALUE: Range = (0, 9)  # of a section or an ornament of a tower
DIVISOR: Range = (1, 9)  # of shares
STARTING_RUBLES: Range = (0, 99)
COST: Range = (1, 6)  # materials on one card, all kinds together


OWN_DATA = Path(__file__).resolve().parents[2] / "data"
"""The folder of the packaged files: beside this module, since another package may be called `rc_env` where it runs."""


class DataError(ValueError):
    """A data file that cannot be read or played. The message is one line, one sentence.

    Example:
        >>> from pathlib import Path
        >>> from rc_env import DataError, Ruleset
        >>> _ = Path("mine.toml").write_text("[supply]")
        >>> try:
        ...     Ruleset(data="mine.toml")
        ... except DataError as error:
        ...     print(error)
        data file "mine.toml": top level: "track" is missing; needed are supply, track, ...
    """


@dataclass(frozen=True)
class DataFile:
    """A data file that passed `check`.

    `name` is "base" or the user's file name without its folder; `sha256` is the lower-case hex digest of the file's
    bytes; `tables` is the tree as `tomllib` gives it. Nothing is filled in: in a guild action, a missing `price`
    means 0 and a missing `unlimited` means false. Treat the tree as read-only.
    """

    name: str
    sha256: str
    tables: Mapping[str, Any]

    @property
    def guilds(self) -> tuple[str, ...]:
        """The names of the guilds, in the order of the file."""
        return tuple(self.tables["guilds"])


def load(source: str | os.PathLike[str] = "base") -> DataFile:
    """Read and check a data file: the packaged one for "base", else that at the path `source`; see `load_checked`."""
    return load_checked(source, "base", "data file", check)


def load_checked(
    source: str | os.PathLike[str], packaged: str, kind: str, check_tables: Callable[[dict[str, Any]], None]
) -> DataFile:
    """Read and check a TOML file: the packaged one where `source` is its name, else the file at the path `source`.

    Args:
        source: the name of the packaged file, or a path.
        packaged: the name of the packaged file, without its suffix.
        kind: how the sentence about a mistake calls the file.
        check_tables: raises `DataError` for a tree that does not hold.

    Raises `DataError`, naming the file, if it is missing, not a file, unreadable, not UTF-8, not TOML or refused
    by `check_tables`; `ValueError` if `source` is not a path.
    """
    checks.path("source", source, f"'{packaged}' or the path of a data file")
    file = OWN_DATA / f"{packaged}.toml" if source == packaged else Path(source)
    label = f'{kind} "{checks.cut(checks.spelled_out(os.fspath(source)))}"'
    if source != packaged and file.name == packaged:  # records would call it by the packaged file's name
        raise DataError(f"{label}: {packaged} is the name of the packaged file: give yours another one")
    try:
        if not file.is_file():
            missing = "that is a folder" if file.is_dir() else "there is no such file"
            raise DataError(
                f"{label}: {missing}; name {packaged}, a sample such as sample:17, or a TOML file by its path"
            )
        data = file.read_bytes() if source == packaged else files.read(source, files.MOST_TABLES)
    except OSError as error:
        raise DataError(f"{label} cannot be read: {error.strerror}") from None
    try:
        tables = json.loads(_checked(data, check_tables))  # a tree of its own, whatever was done to those before
    except DataError as error:
        raise DataError(f"{label}: {error}") from None
    return DataFile(packaged if source == packaged else file.name, sha256(data).hexdigest(), tables)


HINT = "numbers are whole, a comma parts the entries of a list or of { }, each key stands once in its table"
"""What is said after the words of the TOML reader, for those who have typed their cards."""


@lru_cache(maxsize=32)  # rulesets are made of the same few files again and again, and to parse one takes 10 ms
def _checked(data: bytes, check_tables: Callable[[dict[str, Any]], None]) -> str:
    """The tree of a TOML file, which was checked, as JSON."""
    try:
        tables = files.toml(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(f"byte 0x{data[error.start]:02x} in line {line} is not UTF-8") from None
    except ValueError as error:  # besides bad TOML: integers too long, lists too deep for Python
        raise DataError(f"not TOML ({checks.spelled_out(str(error))}): {HINT}") from None
    check_tables(tables)
    return json.dumps(tables)


def check(tables: Any) -> None:
    """Check a whole TOML tree, as `tomllib` gives it; change nothing. Raises `DataError` for the first fault met."""
    check_keys(tables, "top level", _CHECKS, noun="table")
    for name, check_table in _CHECKS.items():
        check_table(tables[name])
    _fitting_parts(tables)


# --- the tables, in the order of the file ------------------------------------------------------------------------


def _supply(table: Any) -> None:
    _integers(table, "supply", dict.fromkeys(MATERIAL_NAMES, SUPPLY))


def _track(table: Any) -> None:
    check_keys(table, "track", ("start", "length", "prestige"))
    length = check_integer(table["length"], "track.length", TRACK_LENGTH)
    check_integer(table["start"], "track.start", (0, length - 1))
    spaces = check_list(table["prestige"], "track.prestige", "spaces", (1, length))
    for i, space in enumerate(spaces, 1):
        check_integer(space, f"track.prestige[{i}]", (1, length))
    for before, space in pairwise(spaces):
        if space <= before:
            refuse("track.prestige", f"{space} follows {before}, but the spaces must rise")


def _optional(table: Any) -> None:
    _integers(table, "optional", {"rubles_per_prestige": OPTIONAL, "prestige_per_reroll": AMOUNT})


def _market(table: Any) -> None:
    numbers = {"spaces": (SPACES, SPACES), "spaces_per_quadrant": (SPACES_PER_QUADRANT, SPACES_PER_QUADRANT)}
    _integers(table, "market", {**numbers, "rubles_per_extra_step": PRICE}, ("dice_per_space", "tile"))
    dice = (DICE_PER_SPACE, DICE_PER_SPACE)
    check_integer(table["dice_per_space"], "market.dice_per_space", dice, " so that five dice are never all blocked")
    tiles = check_list(table["tile"], "market.tile", "tiles", (SPACES, SPACES))
    kinds = Counter(check_tile(tile, f"market.tile[{i}]", RESOURCE_NAMES)[0] for i, tile in enumerate(tiles, 1))
    if kinds["recognition"] != 1:
        refuse(
            "market.tile", f"there must be exactly 1 recognition tile, where the dice start, not {kinds['recognition']}"
        )


def _build(table: Any) -> None:
    _integers(table, "build", {"deliveries": DELIVERIES})


def _player(table: Any) -> None:
    numbers = {
        "banners_in_inventory": (INVENTORY_BANNERS, INVENTORY_BANNERS),
        "banners_spare": (SPARE_BANNERS, SPARE_BANNERS),
        "inventory_spaces": (INVENTORY_BANNERS + 1, INVENTORY_SPACES),  # one open space at least
        **dict.fromkeys(ORNAMENTS.values(), (0, 4)),
    }
    _integers(table, "player", numbers, ("starting_rubles",))
    for i, rubles in enumerate(check_list(table["starting_rubles"], "player.starting_rubles", "seats", (4, 4)), 1):
        check_integer(rubles, f"player.starting_rubles[{i}]", STARTING_RUBLES)


def _workshop(table: Any) -> None:
    check_keys(table, "workshop", ("basic", "advanced", "tile"))
    check_keys(table["basic"], "workshop.basic", ("price",))
    _integers(table["basic"]["price"], "workshop.basic.price", dict.fromkeys(SLOT_KEYS, PRICE))
    _integers(table["advanced"], "workshop.advanced", {"price": PRICE}, others=("ornament",))
    on_slots = table["advanced"]["ornament"]
    check_keys(on_slots, "workshop.advanced.ornament", SLOT_KEYS[: len(COLOURS)])
    for slot, kind in on_slots.items():
        check_word(kind, f"workshop.advanced.ornament.{slot}", "ornament", ORNAMENTS)
    effects = []
    for i, tile in enumerate(check_list(table["tile"], "workshop.tile", "kinds of tile", TILE_KINDS), 1):
        effects.append(check_tile(tile, f"workshop.tile[{i}]", vocabulary.TILES, ("count",)))
        check_integer(tile["count"], f"workshop.tile[{i}].count", (TILE_COPIES, TILE_COPIES))
    for die in DIE_NAMES:
        if ("die", die) not in effects:
            refuse("workshop.tile", f"there is no tile of the {die} die, and each die needs one")


def _ornament(table: Any) -> None:
    gems = ("prestige_one_gem", "prestige_two_equal_gems", "prestige_two_different_gems")
    _integers(table, "ornament", dict.fromkeys(gems, GEMS), others=tuple(ORNAMENTS))
    for kind in ORNAMENTS:
        check_word(table[kind], f"ornament.{kind}", "material", MATERIAL_NAMES)


def check_plans(table: Any) -> None:
    """Heights that add up to six sections a player on two towers more than players never need more cards than CARDS."""
    check_keys(table, "plans", [str(players) for players in PLAYERS])
    for players in PLAYERS:
        sections, towers = SECTIONS_PER_PLAYER * players, players + 2
        plans = check_list(table[str(players)], f"plans.{players}", "plans", (1, sizes.PLANS))
        for i, plan in enumerate(plans, 1):
            where = f"plans.{players}[{i}]"
            for k, height in enumerate(check_list(plan, where, "towers", (towers, towers)), 1):
                check_integer(height, f"{where}[{k}]", HEIGHT)
            if sum(plan) != sections:
                refuse(where, f"the sections of a plan must be {sections}, six a player, not {sum(plan)}")


def _cards(table: Any) -> None:
    check_keys(table, "cards", CARDS)
    for kind, number in CARDS.items():
        for i, card in enumerate(check_list(table[kind], f"cards.{kind}", "cards", (number, number)), 1):
            where = f"cards.{kind}[{i}]"
            _integers(card, where, {"recognition": POINTS, "rubles": POINTS}, others=("cost",))
            check_keys(card["cost"], f"{where}.cost", (), MATERIAL_NAMES, noun="material")
            total = sum(check_integer(amount, f"{where}.cost.{key}", COST) for key, amount in card["cost"].items())
            if not COST[0] <= total <= COST[1]:
                refuse(f"{where}.cost", f"a section costs {_range(COST)} materials in all, not {total}")


def check_guild_name(guild: str) -> None:
    """Raise `DataError` unless a guild may have this name: `random` means one that is drawn."""
    if guild == "random":
        refuse("guilds", "random means a guild that is drawn: give the guild another name")
    if not re.fullmatch(GUILD_NAME, guild):
        refuse(
            "guilds",
            f"the name of a guild has 1 to 24 of the letters a to z, with underscores between them, not {shown(guild)}",
        )


def _guilds(table: Any) -> None:
    """Any guilds, at least as many as there are quadrants; the names are the file's own."""
    if not isinstance(table, dict):
        refuse("guilds", f"must be a table, not {shown(table)}")
    if not QUADRANTS <= len(table) <= sizes.GUILDS:
        refuse("guilds", f"there must be {QUADRANTS} to {sizes.GUILDS} guilds, not {len(table)}")
    for guild, cards in table.items():
        check_guild_name(guild)
        for i, card in enumerate(check_list(cards, f"guilds.{guild}", "cards", (1, sizes.GUILD_CARDS)), 1):
            for k, action in enumerate(
                check_list(card, f"guilds.{guild}[{i}]", "actions", (sizes.SIDES, sizes.SIDES)), 1
            ):
                _action(action, f"guilds.{guild}[{i}][{k}]")
    total = sum(map(len, table.values()))
    if total > sizes.INFLUENCES:
        refuse("guilds", f"all guilds together may have at most {sizes.INFLUENCES} cards, not {total}")


_ACTION_KEYS = dict.fromkeys(
    (*vocabulary.ACTIONS, *chain(*(row.numbers for row in vocabulary.ACTIONS.values())), "price", "unlimited")
)
"""The keys of all actions."""


def _action(action: Any, where: str) -> None:
    if not isinstance(action, dict):
        refuse(where, f"must be a table, not {shown(action)}")
    row = next((row for verb, row in vocabulary.ACTIONS.items() if verb in action), None)
    if row is None:
        other = [key for key in action if key not in ("price", "unlimited")]
        if other:
            _unknown(where, "action", other[0], vocabulary.ACTIONS)
        refuse(where, f"there is no action; choose {checks.choice(vocabulary.ACTIONS)}")
    for key in action:  # a slip in the verb, where the key of its reward is a verb, too
        if key not in _ACTION_KEYS:
            _unknown(where, "key", key, _ACTION_KEYS)
    ranges = {**row.numbers, **({"price": PRICE} if row.priced or "price" in action else {})}
    named = () if row.verb in ranges else (row.verb,)
    _integers(action, where, ranges, others=named, optional=("price", "unlimited"))
    if row.materials and action[row.verb] != "any":
        _materials(action[row.verb], f"{where}.{row.verb}")
    if row.flag and action[row.verb] is not True:
        refuse(f"{where}.{row.verb}", f"can only be true, not {shown(action[row.verb])}")
    if row.fewer and action[row.fewer[0]] >= action[row.fewer[1]]:
        less, more = row.fewer
        refuse(f"{where}.{less}", f"must be fewer than the {action[more]} given, not {action[less]}")
    _repetition(row, action, where)


def _repetition(row: vocabulary.Row, action: Mapping[str, Any], where: str) -> None:
    """Only an action that uses something up each time may be unlimited."""
    unlimited = action.get("unlimited", False)
    if not isinstance(unlimited, bool):
        refuse(f"{where}.unlimited", f"must be true or false, not {shown(unlimited)}")
    if unlimited and row.repeatable is None:
        known = ", ".join(verb for verb, other in vocabulary.ACTIONS.items() if other.repeatable is not None)
        refuse(f"{where}.unlimited", f"{row.verb} cannot be repeated without limit, only {known}")
    if unlimited and action.get("price", 0) < (row.repeatable or 0):
        refuse(
            f"{where}.price",
            f"with unlimited the price must be at least {row.repeatable}, not 0, or a turn might never end",
        )


def _materials(value: Any, where: str) -> None:
    if not isinstance(value, list):
        refuse(where, f'must be "any" or a list of materials, not {shown(value)}')
    for i, material in enumerate(check_list(value, where, "materials", (1, len(MATERIAL_NAMES))), 1):
        check_word(material, f"{where}[{i}]", "material", MATERIAL_NAMES)
        if material in value[: i - 1]:
            refuse(where, f"{material} is named twice; name each material once")


def _ending(table: Any) -> None:
    _integers(
        table,
        "ending",
        {
            "sections_to_end": (SECTIONS_PER_PLAYER, SECTIONS_PER_PLAYER),
            "prestige_for_ending": POINTS,
            "goods_per_prestige": GOODS,
            "tower_value_per_section": VALUE,
            "tower_value_per_ornament": VALUE,
            "share_divisor": DIVISOR,
            "two_player_share_divisor": DIVISOR,
        },
    )


def _solo(table: Any) -> None:
    numbers = {"recognition": POINTS, "materials": POINTS, "ornament_prestige": GEMS}
    _integers(table, "solo", numbers, others=("ornament_order",), optional=("construction",))
    if "construction" in table:
        check_word(table["construction"], "solo.construction", "order", CONSTRUCTION)
    for i, kind in enumerate(check_list(table["ornament_order"], "solo.ornament_order", "ornaments", (4, 4)), 1):
        check_word(kind, f"solo.ornament_order[{i}]", "ornament", ORNAMENTS)


def _fitting_parts(tables: Any) -> None:
    """Check that tables which describe the same component agree; each has passed its own check."""
    on_slots = Counter(tables["workshop"]["advanced"]["ornament"].values())  # one on each coloured slot, four in all
    of_ivan = Counter(tables["solo"]["ornament_order"])  # he plays with the ornaments of a player
    for kind, key in ORNAMENTS.items():
        number = tables["player"][key]
        if number != on_slots[kind]:
            refuse(f"player.{key}", f"must be {on_slots[kind]}, as in workshop.advanced.ornament, not {number}")
        if number != of_ivan[kind]:
            refuse("solo.ornament_order", f"{kind} occurs {of_ivan[kind]} times, but player.{key} is {number}")
    for kind in CARDS:
        for i, card in enumerate(tables["cards"][kind], 1):
            for material, amount in card["cost"].items():
                if amount > tables["supply"][material]:
                    refuse(
                        f"cards.{kind}[{i}].cost.{material}",
                        f"{amount} are more than the supply, {tables['supply'][material]}",
                    )
    rate = tables["optional"]["rubles_per_prestige"]
    for guild, cards in tables["guilds"].items():
        for i, card in enumerate(cards, 1):
            for k, action in enumerate(card, 1):
                repeated = action.get("unlimited", False) and vocabulary.row_of(action).verb == "prestige"
                if repeated and action["price"] <= rate * action["prestige"]:  # sold again, it pays for itself
                    refuse(
                        f"guilds.{guild}[{i}][{k}].price",
                        f"with unlimited the price must be more than {rate}, the rubles a prestige that "
                        f"optional.rubles_per_prestige gives back, not {action['price']}",
                    )


_CHECKS: dict[str, Callable[[Any], None]] = {
    "supply": _supply,
    "track": _track,
    "optional": _optional,
    "market": _market,
    "build": _build,
    "player": _player,
    "workshop": _workshop,
    "ornament": _ornament,
    "plans": check_plans,
    "cards": _cards,
    "guilds": _guilds,
    "ending": _ending,
    "solo": _solo,
}
"""The tables of a data file, in its order, with their checks."""


# --- what the checks are made of ---------------------------------------------------------------------------------


def refuse(where: str, sentence: str) -> NoReturn:
    """Refuse the entry at this place; the sentence may go on with the place: "must be ...", "can only be ..."."""
    raise DataError(f"{where}{'' if sentence.startswith(('must ', 'can only ')) else ':'} {sentence}")


def _unknown(where: str, noun: str, word: Any, known: Collection[str]) -> NoReturn:
    refuse(where, checks.unknown(noun, word, known, show=shown))


def check_keys(
    table: Any, where: str, required: Collection[str], optional: Collection[str] = (), noun: str = "key"
) -> None:
    """A table with all of the required keys and no others than these and the optional ones."""
    if not isinstance(table, dict):
        refuse(where, f"must be a table, not {shown(table)}")
    known = dict.fromkeys((*required, *optional))
    for key in table:
        if key not in known:
            _unknown(where, noun, key, known)
    for key in required:
        if key not in table:
            refuse(where, f"{shown(key)} is missing; needed are {', '.join(required)}")


def check_integer(value: Any, where: str, limits: Range, why: str = "") -> int:
    if type(value) is not int or not limits[0] <= value <= limits[1]:  # a bool is no number here
        number = _range(limits) if limits[0] == limits[1] else f"an integer from {_range(limits)}"
        refuse(where, f"must be {number}{why}, not {shown(value)}")
    return value


def _integers(
    table: Any, where: str, ranges: Mapping[str, Range], others: Collection[str] = (), optional: Collection[str] = ()
) -> None:
    """A table of these integers, and of other keys that are checked elsewhere."""
    check_keys(table, where, (*ranges, *others), optional)
    for key, limits in ranges.items():
        check_integer(table[key], f"{where}.{key}", limits)


def check_list(value: Any, where: str, noun: str, length: Range) -> list[Any]:
    if not isinstance(value, list):
        refuse(where, f"must be a list of {noun}, not {shown(value)}")
    if not length[0] <= len(value) <= length[1]:
        refuse(where, f"there must be {_range(length)} {noun}, not {len(value)}")
    return value


def check_word(value: Any, where: str, noun: str, known: Collection[str]) -> str:
    if not isinstance(value, str) or value not in known:
        _unknown(where, noun, value, known)
    return value


def check_tile(
    tile: Any, where: str, effects: Collection[str], others: Collection[str] = (), dice: Collection[str] = DIE_NAMES
) -> tuple[str, Any]:
    """The one effect of a tile and its value: a die, or an amount of a resource (of `any_material`, always 1)."""
    check_keys(tile, where, others, effects, noun="resource")
    found = [key for key in tile if key not in others]
    if len(found) != 1:
        refuse(where, f"a tile has exactly one effect ({checks.choice(effects)}), not {len(found)}")
    effect, value = found[0], tile[found[0]]
    if effect == "die":
        return effect, check_word(value, f"{where}.die", "die", dice)
    return effect, check_integer(value, f"{where}.{effect}", (1, 1) if effect == "any_material" else AMOUNT)


def _range(limits: Range) -> str:
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]} to {limits[1]}"


def shown(value: Any) -> str:
    """The value in one short line, whatever it is: a file may hold line breaks in strings and endless integers."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if abs(value) < 10**18 else f"an integer of {value.bit_length()} bits"
        case str():
            text = checks.spelled_out(value)
            return f'"{text}"' if len(text) <= 80 else f'"{text[:80]}…"'
        case dict():
            return "a table"
        case list():
            return f"a list of {len(value)}"
        case None | float():
            return str(value)
    return f"a {type(value).__name__}"
