"""The first line of a record: the variant of the game, its data files and its deal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rc_env import checks
from rc_env.card_sets import source as sets
from rc_env.record import form
from rc_env.record.recorder import EXPANDED_FORMAT, FORMAT
from rc_env.record.start import dict_to_position
from rc_env.rules.printed import expansion_file
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import CLERGY, MOST_TURNS, OLD_BASE, WORKSHOPS, Ruleset
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import PARTS, dict_to_deal, parts

_HEADER = ("record", "players", "workshop", "solo", "turn_limit", "colours", "data", "data_sha256", *PARTS)
_SWITCHES = ("expansion", "expansion_sha256", "contractors", "special_tiles")
_MODULE = ("cities", "specialists")
NAMED = {
    "data": "--data FILE, in Python read(file, data=FILE)",
    "expansion": "--expansion-data FILE, in Python read(file, expansion_data=FILE)",
}
"""How to name a data file that is not found, by its key in the deal."""


def checked_header(
    header: Mapping[str, Any],
    data: str | os.PathLike[str] | None,
    expansion_data: str | os.PathLike[str] | None,
    beside: Path,
) -> Ruleset:
    """Check the first line of a record, and return the variant that it names."""
    if "record" not in header:
        form.refuse(f'there is no "record": "{FORMAT}", with which a game record begins')
    if header["record"] not in (FORMAT, EXPANDED_FORMAT):
        form.refuse(f'record must be "{FORMAT}" or "{EXPANDED_FORMAT}", not {form.show(header["record"])}')
    expanded, view = header["record"] == EXPANDED_FORMAT, "view" in header
    keys = (*_HEADER, *(_SWITCHES if expanded else ()), *(() if expanded and view else ("seed",)))
    if expanded and type(header.get("contractors", False)) is not bool:
        form.refuse(f"contractors must be true or false, not {form.show(header['contractors'])}")
    keys = (*keys, *(_MODULE if expanded and header.get("contractors") is True else ()))
    keys = (*keys, *(("ivan",) if header.get("solo") is True else ()))
    form.members("deal", header, keys, ("meta", "position", *(("view", "contracts") if expanded else ())))
    if not isinstance(header.get("meta", {}), dict):
        form.refuse(f"meta must be an object, not {form.show(header['meta'])}")
    players = form.integer("players", header["players"], 1, 4)
    form.equal("solo", header["solo"], players == 1)
    turn_limit = form.integer("turn_limit", header["turn_limit"], 1, MOST_TURNS)
    if header["workshop"] not in WORKSHOPS:
        form.refuse(f"workshop must be {checks.choice(WORKSHOPS)}, not {form.show(header['workshop'])}")
    if expanded:
        for switch in ("contractors", "special_tiles"):
            if type(header[switch]) is not bool:
                form.refuse(f"{switch} must be true or false, not {form.show(header[switch])}")
        if view:
            form.integer("view", header["view"], 0, players - 1)
    source = _source(header, "data", "base", data, beside)
    packaged = expansion_file.PACKAGED
    more = _source(header, "expansion", packaged, expansion_data, beside) if expanded else packaged
    on = (header["contractors"], header["special_tiles"]) if expanded else (False, False)
    try:
        fourth = _fourth_guild(header, more) if expanded else CLERGY
        variant = (players, header["workshop"], os.fspath(source), turn_limit, fourth, *on, os.fspath(more))
        ruleset = _packaged(*variant) if (source, more) == ("base", packaged) else _ruleset(*variant)
    except ValueError as error:
        form.refuse(str(error))
    files = {"data": (ruleset.data_file, source)}
    if expanded:
        if ruleset.expansion_file is None:
            form.refuse(f'record is "{EXPANDED_FORMAT}", but without a switch of the expansion it must be "{FORMAT}"')
        files["expansion"] = (ruleset.expansion_file, more)
    if header["data_sha256"] == OLD_BASE and source == "base" and ruleset.rulings:
        form.refuse(
            f"data_sha256 is {form.show(OLD_BASE)}, that of rules version 1; this version of rc_env has "
            f"{ruleset.data_file.sha256}, of rules version {ruleset.rules_version}: they differ in {ruleset.rulings}"
        )
    for key, (file, place) in files.items():
        if header[f"{key}_sha256"] not in (ruleset.data_digests if key == "data" else (file.sha256,)):
            inside = place in ("base", packaged)
            held = "the data file of this version of rc_env" if inside else f"the data file {os.fspath(place)}"
            name = f"{header[key]}.toml" if header[key] in ("base", packaged) else header[key]
            form.refuse(
                f"{key}_sha256 is {form.show(header[f'{key}_sha256'])}, but that of {held} is {file.sha256}: the game "
                f"was played with another {name}; name that one: {NAMED[key]}"
            )
    form.equal("colours", header["colours"], list(COLOURS[: ruleset.seats]))
    if "seed" in header and (type(header["seed"]) is not int or not 0 <= header["seed"] < 2**64):
        form.refuse(f"seed must be a whole number from 0 to 2^64 - 1, not {form.show(header['seed'])}")
    try:
        deal = dict_to_deal(ruleset, deal_of(header, ruleset))[0]
    except ValueError as error:
        form.refuse(str(error))
    left_out = {"influence": "guilds: no card", "number": "towers: no card", "tile": "towers: no tile"}
    if ruleset.solo:
        left_out |= {"ivan_card": "ivan: no cards", "ivan_tile": "ivan: no tiles"}
    for part, words in left_out.items():
        if deal[part][0] < 0:  # the engine would draw them
            form.refuse(f"deal.{words}, but all of them are needed")
    with_contracts = bool(brought_by(header, ruleset) & expansion.CONTRACTS) and not view
    if with_contracts != ("contracts" in header):
        if with_contracts:
            form.refuse("deal has no contracts, but a guild of this game draws them: it must have the 15 of the deck")
        form.refuse("deal has contracts, but nothing draws them here, or a view cannot know them: it must have none")
    if "position" in header:
        if view:
            form.refuse("deal has a position, which shows what one seat cannot know: a view must have none")
        dict_to_position(ruleset, header["position"])
    return ruleset


def _source(
    header: Mapping[str, Any], key: str, packaged: str, named: str | os.PathLike[str] | None, beside: Path
) -> str | os.PathLike[str]:
    """Find a data file that the deal names: in the package, named by the caller, beside the record, or drawn."""
    name = header[key]
    if type(name) is not str or not name or Path(name).name != name:
        form.refuse(f"{key} must be {packaged} or the name of a data file, not {form.show(name)}")
    if named is not None or name == packaged:
        return packaged if named is None else named
    if not (beside / name).exists():
        if drawn := sets.sample_named(name, key == "expansion"):
            return drawn
        there = f"there is no file {form.show(name)} beside the record"
        form.refuse(f"{key}: {there}; put it there, or name it: {NAMED[key]}")
    return beside / name


def _fourth_guild(header: Mapping[str, Any], source: str | os.PathLike[str]) -> str:
    """The guild of the expansion that is dealt, or the clergy; whether the deal holds otherwise is seen later."""
    known = _packaged_guilds() if source == expansion_file.PACKAGED else sets.load_expansion(source).guilds
    entries = header["guilds"] if isinstance(header["guilds"], list) else []
    named = [entry.get("guild") for entry in entries if isinstance(entry, dict)]
    return next((guild for guild in known if guild in named), CLERGY)


@lru_cache(maxsize=1)
def _packaged_guilds() -> tuple[str, ...]:
    return expansion_file.load().guilds


def _ruleset(
    players: int,
    workshop: str,
    data: str,
    turn_limit: int,
    fourth: str,
    contractors: bool,
    special_tiles: bool,
    expansion_data: str,
) -> Ruleset:
    return Ruleset(
        players,
        workshop,
        data=data,
        turn_limit=turn_limit,
        fourth_guild=fourth,
        contractors=contractors,
        special_tiles=special_tiles,
        expansion_data=expansion_data,
    )


_packaged = lru_cache(maxsize=256)(_ruleset)  # packaged data files need not be read again for each record


def deal_of(header: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """The parts of the deal in the first line of a record, as `notation.dict_to_deal` takes them."""
    return {part: header[part] for part in parts(ruleset) if part in header}


def brought_by(header: Mapping[str, Any], ruleset: Ruleset) -> int:
    """The additions of the game to the base game, in the form of `expansion_notation.brought`."""
    known = expansion.guild_names(ruleset)
    return expansion.brought(ruleset, {"guild": [known.index(entry["guild"]) for entry in header["guilds"]]})
