"""What an owner has typed of the own copy of the game, and the data files that it makes.

It is a document for JSON. Whatever it does not have stays as the packaged files have it, so that it can be played with
from the first evening on:

- "cards": by kind a list of cathedral cards, as the data file has them;
- "plans" and "module_plans": by number of seats a list of building plans, those of the base game and those that come
  with the module Contractors;
- "guilds": by guild and number of the card its two actions; "specialists": by number a specialist;
- "market" and "workshop": by resource the amount on the tile;
- "track": the prestige spaces; "price": that of each slot, basic side; "ornament": that on each slot, advanced side.

A card or a plan that is typed twice is one that the box holds twice, so the same one on another evening adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from rc_env import checks
from rc_env.card_sets import source
from rc_env.card_sets.toml_text import toml_text
from rc_env.rules.printed import data_file, expansion_file
from rc_env.rules.printed.sizes import CARDS

Known = dict[str, Any]
Tables = dict[str, Any]
PARTS = (
    "cards", "plans", "module_plans", "guilds", "specialists", "market", "workshop", "track", "price", "ornament",
)  # fmt: skip
_HEADING = (
    "The Red Cathedral{}: typed in by an owner of the game, see docs/how-to/table.md.\n"
    "What was not typed yet is as in the packaged file."
)
_MOST = 200  # entries of one part, before the check of the tables counts them


class Files(NamedTuple):
    """The data files of a box, as text; None where one is as the packaged one."""

    base: str | None
    expansion: str | None


class Share(NamedTuple):
    """How much of a part of the box is known, `typed` of `total`."""

    part: str
    typed: int
    total: int


def box_of(document: Any) -> Known:
    """A document of a box, as it came from a page or a database.

    Raises:
        ValueError: it is none, or holds what no box can hold.
    """
    known: Known = dict(_of("box", document, dict, "an object by part"))
    for part, found in known.items():
        checks.one_of("box", part, PARTS)
        _of(f"box.{part}", found, list if part == "track" else dict, "a list" if part == "track" else "an object")
        if len(found) > _MOST:
            raise ValueError(f"box.{part} has {len(found)} entries, which is more than any box holds")
        for key, inner in found.items() if isinstance(found, dict) else ():
            if part in ("cards", "plans", "module_plans"):
                _of(f"box.{part}.{key}", inner, list, "a list")
            if part == "guilds":
                _of(f"box.{part}.{key}", inner, dict, "an object by number of the card")
    made(known)
    return known


def _of(name: str, found: Any, kind: type[Any], expected: str) -> Any:
    return checks.instance(name, found, kind, expected)


def merged(known: Known, more: Known) -> Known:
    """What is known with more that was typed."""
    found = deepcopy(known)
    for part, new in more.items():
        if part == "track":
            found[part] = list(new)
        elif part in ("cards", "plans", "module_plans"):
            for key, typed in new.items():
                there = found.setdefault(part, {}).setdefault(key, [])
                there += _beyond(there, typed)
        elif part == "guilds":
            for guild, cards in new.items():
                found.setdefault(part, {}).setdefault(guild, {}).update(cards)
        else:
            found.setdefault(part, {}).update(new)
    return dict(found)


def _beyond(there: Sequence[Any], typed: Iterable[Any]) -> list[Any]:
    """The entries of `typed` that are not in `there` yet, counting equal ones."""
    left, new = list(there), []
    for one in typed:
        if one in left:
            left.remove(one)
        else:
            new.append(one)
    return new


def packaged() -> tuple[Tables, Tables]:
    """The tables of the packaged data files, to be changed."""
    return dict(data_file.load().tables), dict(expansion_file.load().tables)


def made(known: Known) -> tuple[Tables, Tables]:
    """The tables of the data files with what is known in the place of the packaged numbers.

    Raises:
        ValueError: more is known than a box holds, or `data_file.DataError` for what cannot be played.
    """
    base, expansion = packaged()
    _put_lists(base["cards"], known.get("cards", {}), "cards", "kind of card")
    _put_lists(base["plans"], known.get("plans", {}), "plans", "number of seats")
    _put_lists(expansion["plans"], known.get("module_plans", {}), "module plans", "number of seats")
    for guild, cards in known.get("guilds", {}).items():
        tables = expansion if guild in expansion["guilds"] else base
        checks.one_of("guild", guild, [*base["guilds"], *expansion["guilds"]])
        for number, actions in cards.items():
            tables["guilds"][guild][_place(f"{guild}", number, len(tables["guilds"][guild]))] = actions
    tiles = expansion["specialists"]["tiles"]
    for number, tile in known.get("specialists", {}).items():
        tiles[_place("specialists", number, len(tiles))] = tile
    for part in ("market", "workshop"):
        there = [base[part]["tile"], *([expansion[part]["add"]] if part == "workshop" else [[expansion[part]["add"]]])]
        for resource, amount in known.get(part, {}).items():
            held = [tile for tiles in there for tile in tiles if resource in tile and resource not in ("die", "count")]
            if not held:
                raise ValueError(f"there is no {part} tile of {checks.shown(resource)}")
            for tile in held:
                tile[resource] = amount
    base["track"]["prestige"] = known.get("track", base["track"]["prestige"])
    for part, table in (("price", base["workshop"]["basic"]), ("ornament", base["workshop"]["advanced"])):
        table[part] = table[part] | known.get(part, {})
    data_file.check(base)
    expansion_file.check(expansion)
    return base, expansion


def _put_lists(table: dict[str, list[Any]], known: Mapping[str, list[Any]], what: str, key_noun: str) -> None:
    for key, typed in known.items():
        checks.one_of(key_noun, key, list(table))
        if len(typed) > len(table[key]):
            raise ValueError(
                f"{len(typed)} different {what} ({key}) are typed, but the box holds {len(table[key])}: one of them is "
                "not as it is printed; look them through on the page of your cards"
            )
        table[key] = _filled(table[key], typed)


def _filled(stand_ins: Sequence[Any], typed: Sequence[Any]) -> list[Any]:
    """The stand-ins with what was typed: an equal one stays where it is, any other takes the place of a last one."""
    result, free = list(stand_ins), list(range(len(stand_ins)))
    others = []
    for one in typed:
        at = next((i for i in free if stand_ins[i] == one), None)
        if at is None:
            others.append(one)
        else:
            free.remove(at)
    for one in others:
        result[free.pop()] = one
    return result


def _place(what: str, number: Any, count: int) -> int:
    if not (isinstance(number, str) and number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= count):
        raise ValueError(f"{what} has the numbers 1 to {count}, not {checks.shown(number)}")
    return int(number) - 1


def files_of(known: Known) -> Files:
    """The data files of a box; the text of one depends on its numbers alone.

    Raises:
        ValueError: as `made`.
    """
    texts: list[str | None] = []
    for tables, usual, words in zip(made(known), packaged(), ("", ", expansion"), strict=True):
        same = tables == usual
        texts.append(None if same else toml_text(tables, _HEADING.format(words), {}))
    return Files(*texts)


def text_of(known: Known, *, expansion: bool = False) -> str:
    """The data file of a box as its owner takes it away, with how much of each table was typed.

    Raises:
        ValueError: as `made`.
    """
    notes: dict[str, str] = {}
    for share in shares(known):
        table, _, detail = share.part.partition(" ")
        if (table in ("module_plans", "specialists") or _of_expansion(detail)) == expansion:
            name = (
                "plans" if table == "module_plans" else {"price": "workshop", "ornament": "workshop"}.get(table, table)
            )
            words = f"{detail or table}: {share.typed} of {share.total} typed"
            notes[name] = f"{notes[name]}; {words}" if name in notes else words
    return toml_text(made(known)[expansion], _HEADING.format(", expansion" if expansion else ""), notes)


def _of_expansion(guild: str) -> bool:
    return guild in expansion_file.load().tables["guilds"]


def shares(known: Known) -> list[Share]:
    """How much of each part is known: what is missing is the rest."""
    base, expansion = packaged()
    found = [Share(f"cards {kind}", len(known.get("cards", {}).get(kind, [])), CARDS[kind]) for kind in CARDS]
    for part, table in (("plans", base["plans"]), ("module_plans", expansion["plans"])):
        found += [
            Share(f"{part} {key}", len(known.get(part, {}).get(key, [])), len(rows)) for key, rows in table.items()
        ]
    for guild, cards in (base["guilds"] | expansion["guilds"]).items():
        found.append(Share(f"guilds {guild}", len(known.get("guilds", {}).get(guild, {})), len(cards)))
    for part in ("market", "workshop"):
        resources = [key for tile in base[part]["tile"] for key in tile if key not in ("count", "die", "any_material")]
        found.append(Share(part, sum(key in known.get(part, {}) for key in resources), len(resources)))
    found.append(Share("track", int("track" in known), 1))
    for part, table in (("price", base["workshop"]["basic"]), ("ornament", base["workshop"]["advanced"])):
        found.append(Share(part, len(known.get(part, {})), len(table[part])))
    found.append(Share("specialists", len(known.get("specialists", {})), len(expansion["specialists"]["tiles"])))
    return found


def doubts(known: Known) -> list[str]:
    """A sentence for each printed or deduced fact that the box contradicts, as `rc data check` says it.

    Raises:
        ValueError: as `made`.
    """
    base, expansion = made(known)
    contradicted: Callable[[data_file.DataFile], list[str]] = source.contradicted
    return [
        sentence
        for name, tables in (("base", base), ("contractors", expansion))
        for sentence in contradicted(data_file.DataFile(name, "", tables))
    ]
