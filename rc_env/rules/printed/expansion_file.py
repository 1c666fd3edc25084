"""Reads and checks a data file of the expansion: the printed numbers of guilds, contracts and tiles that come beside
those of the base game. The same as `data_file.py` does for the base game, in the same manner.

`contractors_file.py` checks the tables that only the module Contractors uses.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ... import checks
from . import contractors_file
from . import expansion_vocabulary as vocabulary
from .data_file import (
    AMOUNT,
    POINTS,
    SUPPLY,
    DataFile,
    check_guild_name,
    check_integer,
    check_keys,
    check_list,
    check_word,
    load_checked,
    refuse,
    shown,
)
from .sizes import CONTRACTS, GUILD_CARDS, MATERIAL_NAMES, REINFORCEMENT_NAMES, SIDES, SPECIAL_NAMES

PACKAGED = "contractors"
PAYABLE = (*MATERIAL_NAMES, "diamond")

TABLES = (
    "supply", "market", "workshop", "optional", "player", "hire", "cities", "tools", "specialists", "plans", "guilds",
    "guilds_with_contractors_only", "foreman", "contracts", "reinforcements", "special_tiles", "solo",
)  # fmt: skip

RETURN = "return"
CONDITIONS = {
    "sections_claimed_in_one_tower": (1, 5),
    "face_up_workshop_tiles": (1, 6),
    "one_of_each_type_completed": True,
    "all_ornaments_built": True,
    "own_ornaments_in_one_tower": (1, 5),
}
"""What a contract may ask for beside goods that are returned, with the range of its number or True."""
EACH = (
    "tower_without_presence",
    "ornament_not_built",
    "ornament_on_others_sections",
    "ornament_on_own_sections",
    "tower_with_presence",
)
"""What a contract may count."""


def load(source: str | os.PathLike[str] = PACKAGED) -> DataFile:
    """Read and check a data file of the expansion: the packaged one for "contractors", else the file at that path.

    Errors as `data_file.load_checked`.
    """
    return load_checked(source, PACKAGED, "expansion data file", check)


def check(tables: Any) -> None:
    """Check a whole TOML tree, as `tomllib` gives it; change nothing. Raises `DataError` for the first fault met."""
    check_keys(tables, "top level", TABLES, noun="table")
    check_keys(tables["supply"], "supply", ("diamond", "permits"))
    for name in ("diamond", "permits"):
        check_integer(tables["supply"][name], f"supply.{name}", SUPPLY)
    _guilds(tables["guilds"], tables["guilds_with_contractors_only"])
    _foreman(tables["foreman"])
    _contracts(tables["contracts"])
    _reinforcements(tables["reinforcements"])
    _special_tiles(tables["special_tiles"])
    contractors_file.check(tables)


def _guilds(table: Any, with_module: Any) -> None:
    if not isinstance(table, dict) or not table:
        refuse("guilds", f"must be a table of guilds, not {shown(table)}")
    check_keys(with_module, "guilds_with_contractors_only", (), table, noun="guild")
    for guild, cards in table.items():
        check_guild_name(guild)
        check_list(cards, f"guilds.{guild}", "cards", (1, GUILD_CARDS))
        where = f"guilds_with_contractors_only.{guild}"
        needs = check_list(with_module.get(guild, []), where, "cards", (0, GUILD_CARDS))
        for i, number in enumerate(needs, 1):
            check_integer(number, f"{where}[{i}]", (1, len(cards)))
        for i, card in enumerate(cards, 1):
            for k, action in enumerate(check_list(card, f"guilds.{guild}[{i}]", "actions", (SIDES, SIDES)), 1):
                _action(action, f"guilds.{guild}[{i}][{k}]", i in needs)


OF_THE_MODULE = ("die", "per_contractor", "permits", "price_permits")
"""Keys of actions that need the module Contractors."""


def _action(action: Any, where: str, with_module: bool) -> None:
    if not isinstance(action, dict):
        refuse(where, f"must be a table, not {shown(action)}")
    try:
        key, form = vocabulary.form_of(action)
    except KeyError:
        refuse(where, f"there is no known action; choose {checks.choice(vocabulary.FORMS)}")
    optional = {**form.optional, **vocabulary.PRICES, "unlimited": bool}
    check_keys(action, where, form.keys, optional)
    for name, value in action.items():
        _value(value, f"{where}.{name}", {**form.keys, **optional}[name])
    if not with_module and (needed := [name for name in OF_THE_MODULE if name in action]):
        refuse(
            f"{where}.{needed[0]}",
            "this needs the module Contractors, so the card belongs into guilds_with_contractors_only",
        )
    if key == "pay_one_of" and not {"rubles", "recognition", "prestige"} & action.keys():
        refuse(where, "nothing is gained; give rubles, recognition or prestige")
    if action.get("market_actions") == 2 and "same" not in action:
        refuse(where, '"same" is missing, which tells what to do with market_actions = 2')
    if action.get("unlimited"):
        if not form.repeatable:
            refuse(f"{where}.unlimited", "this action cannot be repeated, so unlimited must not be true")
        if key not in ("deliver", "pay_one_of") and not (action.get("pay") or action.get("price_permits")):
            refuse(
                f"{where}.unlimited", "without materials or permits to pay, unlimited would let a turn go on forever"
            )


def _value(value: Any, where: str, kind: Any) -> None:
    if kind is True:
        if value is not True:
            refuse(where, f"can only be true, not {shown(value)}")
    elif kind is bool:
        if not isinstance(value, bool):
            refuse(where, f"must be true or false, not {shown(value)}")
    elif kind is list:
        for i, material in enumerate(check_list(value, where, "materials", (1, len(MATERIAL_NAMES))), 1):
            check_word(material, f"{where}[{i}]", "material", MATERIAL_NAMES)
    elif kind is dict:
        check_keys(value, where, (), PAYABLE, noun="material")
        for material, count in value.items():
            check_integer(count, f"{where}.{material}", (1, 6))
    elif isinstance(kind[0], str):
        check_word(value, where, "word", kind)
    else:
        check_integer(value, where, kind)


def _foreman(table: Any) -> None:
    check_keys(table, "foreman", ("start_tower", "recognition_for_section", "penalty_per_section"))
    check_integer(table["start_tower"], "foreman.start_tower", (1, 4))
    check_integer(table["recognition_for_section"], "foreman.recognition_for_section", (0, 9))
    check_integer(table["penalty_per_section"], "foreman.penalty_per_section", (0, 9))


def _contracts(table: Any) -> None:
    check_keys(table, "contracts", ("most_held", "cards"))
    check_integer(table["most_held"], "contracts.most_held", (3, 3))
    for i, card in enumerate(check_list(table["cards"], "contracts.cards", "cards", (CONTRACTS, CONTRACTS)), 1):
        where = f"contracts.cards[{i}]"
        check_keys(card, where, ("prestige",), (RETURN, "each", *CONDITIONS, "prestige_two_players"))
        check_integer(card["prestige"], f"{where}.prestige", AMOUNT)
        if "prestige_two_players" in card:
            check_integer(card["prestige_two_players"], f"{where}.prestige_two_players", AMOUNT)
        found = [key for key in (RETURN, "each", *CONDITIONS) if key in card]
        if len(found) != 1:
            refuse(
                where,
                f"there must be exactly one of {', '.join((RETURN, 'each', *CONDITIONS))}, not {len(found)}",
            )
        if found[0] == RETURN:
            check_keys(card[RETURN], f"{where}.return", (), (*MATERIAL_NAMES, "rubles", "any_gem"), noun="goods")
            if not card[RETURN]:
                refuse(f"{where}.return", "there are no goods; name at least one")
            for key, count in card[RETURN].items():
                check_integer(count, f"{where}.return.{key}", (1, 6))
        elif found[0] == "each":
            check_word(card["each"], f"{where}.each", "count", EACH)
        else:
            _value(card[found[0]], f"{where}.{found[0]}", CONDITIONS[found[0]])


def _reinforcements(table: Any) -> None:
    effects = {
        "rubles": ("rubles", AMOUNT), "guild": ("guild_action", (1, 1)), "workshop": ("activate_workshop", (1, 1)),
        "deliver": ("deliver", (1, 3)), "recognition": ("recognition", AMOUNT), "free": ("free_placement", (1, 1)),
        "materials": ("any_material", AMOUNT), "die": ("any_die", (1, 1)),
    }  # fmt: skip
    check_keys(table, "reinforcements", REINFORCEMENT_NAMES)
    for name, (key, limits) in effects.items():
        check_keys(table[name], f"reinforcements.{name}", (key,))
        check_integer(table[name][key], f"reinforcements.{name}.{key}", limits)


def _special_tiles(table: Any) -> None:
    keys: Mapping[str, Mapping[str, tuple[int, int]]] = {
        "diamond": {"diamonds": AMOUNT},
        "material": {"rubles": POINTS, "any_material": (1, 1)},
        "die": {"any_die": (1, 1)},
        "guild": {"guild_visit": (1, 1)},
    }
    check_keys(table, "special_tiles", SPECIAL_NAMES)
    for name, ranges in keys.items():
        check_keys(table[name], f"special_tiles.{name}", ranges)
        for key, limits in ranges.items():
            check_integer(table[name][key], f"special_tiles.{name}.{key}", limits)
