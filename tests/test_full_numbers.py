"""Tests that every number of the expansion's data file changes the game: it changes the constants of the rules, and if
it matters after the deal, it can be read from an observation.

`test_observation.py` does the same for the base file.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_observation import matching, numbers_of, text_of, written

from rc_env import Engine, Ruleset
from rc_env.rules.printed.components import FourthGuild
from rc_env.rules.printed.contractors_file import merged
from rc_env.rules.printed.data_file import DataError
from rc_env.rules.printed.data_file import load as load_base
from rc_env.rules.printed.expansion_file import check, load

FULL = Ruleset(contractors=True).build
BASE, EXPANSION = load_base().tables, load().tables
DEALS = 256
GUILD = r"guilds\.\w+\.\d+\.\d+\."

# What a changed number changes in the observation of a deal, by the path of the number: the piece and the entry, or
# "all" for any entry of a piece; and the number of players.
SHOWN: dict[str, tuple[str, int]] = {
    r"supply\.diamond": ("stocks diamonds", 2),
    r"supply\.permits": ("permits supply", 2),
    r"market\.add\.permits": ("market_permits", 2),
    r"workshop\.add\.\d+\.permits": ("section_tile permits", 2),
    r"optional\.prestige_per_permit": ("module_rules prestige a permit", 2),
    r"player\.permits": ("permits permits own", 2),
    r"player\.permits_most": ("module_rules most permits", 2),
    r"hire\.rubles": ("module_rules hire rubles", 2),
    r"hire\.bonus\.\d+\.(\w+)": ("hire_bonus", 2),
    r"cities\.(?!moscow)\w+\.\d+": ("cities", 2),
    r"tools\.prestige\.\d+": ("module_rules", 2),
    r"specialists\.tiles\.\d+\.gain\.(\w+)": (r"offer gain \1", 2),
    r"specialists\.tiles\.\d+\.pay\.(\w+)": (r"offer pay \1", 2),
    r"specialists\.tiles\.\d+\.(recognition|prestige)": (r"offer \1", 2),
    r"specialists\.tiles\.\d+\.spend_rubles": ("offer rubles to spend", 2),
    r"plans\.2\.\d+\.\d+": ("section", 2),
    r"plans\.3\.\d+\.\d+": ("section", 3),
    r"plans\.4\.\d+\.\d+": ("section", 4),
    rf"{GUILD}(price|prestige|rubles|recognition)": (r"guild \1", 2),
    rf"{GUILD}deliver": ("guild deliveries", 2),
    rf"{GUILD}pay_any": ("guild payments", 2),
    rf"{GUILD}(buy_diamonds|diamonds)": ("guild_more diamonds", 2),
    rf"{GUILD}permits": ("guild_more permits", 2),
    rf"{GUILD}price_permits": ("guild_more price permits", 2),
    rf"{GUILD}price_recognition": ("guild_more price recognition", 2),
    rf"{GUILD}pay\.diamond": ("guild_more fixed diamonds", 2),
    rf"{GUILD}pay\.(?!diamond)(\w+)": (r"guild_more fixed \1", 2),
    rf"{GUILD}(foreman|draw_cards)": ("guild_more count", 2),
    rf"{GUILD}market_actions": ("guild_more count", 2),
    rf"{GUILD}section_recognition_divisor": ("guild_more divisor", 2),
    rf"{GUILD}rubles_to_player": ("guild_more to player", 2),
    rf"{GUILD}prestige_from_player": ("guild_more from player", 2),
    r"foreman\.start_tower": ("foreman", 2),
    r"foreman\.recognition_for_section": ("expansion_rules foreman recognition", 2),
    r"foreman\.penalty_per_section": ("expansion_rules foreman penalty", 2),
    r"reinforcements\.(rubles|recognition)\.\w+": (r"expansion_rules reinforcement \1", 2),
    r"reinforcements\.deliver\.deliver": ("expansion_rules reinforcement deliver", 2),
    r"reinforcements\.materials\.any_material": ("expansion_rules reinforcement materials", 2),
    r"special_tiles\.diamond\.diamonds": ("expansion_rules special diamonds", 2),
    r"special_tiles\.material\.rubles": ("expansion_rules special rubles", 2),
    r"solo\.start_prestige": ("numbers prestige", 1),
    r"solo\.contractors_placed": ("cities contractors ivan", 1),
    r"solo\.prestige_in_moscow": ("module_rules prestige in moscow", 1),
}
HIDDEN = {
    r"contracts\.cards\.\d+\..*": "a contract shows by its number; what it asks for and gives is known of each",
}
"""Numbers that change the game but not the observation, each with the reason."""
UNREAD = {
    r"(market|workshop)\.remove\..*recognition": "the tile that leaves is found by its resource",
}
"""Numbers that repeat numbers of the base file."""
FIXED = {
    r"workshop\.(add|remove)\.\d+\.count": "one copy for two players, another for more",
    r"player\.contractors": "the row has six places",
    r"hire\.slots": "the board has five",
    r"cities\.moscow\.\d+": "Moscow touches all five slots",
    r"contracts\.most_held": "a hand has three places",
    rf"{GUILD}(activate_workshop|activate_other_workshop|any_die|any_material|space_times_dice|resource_tile)": "one",
    rf"{GUILD}(other_guild_action|section_rubles|reinforcement|exchange_with_player|exchange_workshop_tile)": "one",
    rf"{GUILD}(draw_contracts|keep|materials|resource_of_other)": "three, one, two and one",
    r"guilds_with_contractors_only\.\w+\.\d+": "the cards that speak of permits, contractors or the black die",
    r"specialists\.tiles\.\d+\.(activate|discard_ornament|any_material|deliver|resource_tile|claim)": "two, else one",
    r"reinforcements\.(guild|workshop|free|die)\.\w+": "one",
    r"special_tiles\.(material\.any_material|die\.any_die|guild\.guild_visit)": "one",
}
"""Numbers without another valid value, each with the reason."""
ALL = {**SHOWN, **HIDDEN, **UNREAD, **FIXED}


def other_files(path: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Yield valid trees that differ from the packaged file in that number; in a plan, another tower differs, too."""
    tables = copy.deepcopy(EXPANSION)
    parent: Any = tables
    for key in path[:-1]:
        parent = parent[key]
    value = parent[path[-1]]
    others = [i for i in range(len(parent)) if i != path[-1]] if path[0] == "plans" else [None]
    for number in (value + 1, value - 1, *range(10)):
        for other in others:
            if other is not None:
                parent[other] -= number - value
            parent[path[-1]] = number
            try:
                check(tables)
            except DataError:
                pass
            else:
                if number != value:
                    yield copy.deepcopy(tables)
            if other is not None:
                parent[other] += number - value
    parent[path[-1]] = value


def test_every_number_is_listed_once() -> None:
    paths = list(numbers_of(EXPANSION))
    assert len(paths) > 250
    for path in paths:
        fixed = next(other_files(path), None) is None
        found = matching(ALL, path)
        if fixed and len(found) == 1 and found[0].endswith("market_actions"):
            continue  # there is one action; two of them would need the key `same`
        assert len(found) == 1 and fixed == (found[0] in FIXED), text_of(path)
    for pattern in ALL:
        assert any(re.fullmatch(pattern, text_of(path)) for path in paths), pattern


def constants(tables: dict[str, Any], players: int) -> bytes:
    """Return what the rules read from the file."""
    every = FourthGuild((*BASE["guilds"], *tables["guilds"]), None, True, True)
    rules = FULL.components.build(merged(BASE, tables), players, "basic", 100, "win")
    FULL.components.extend(rules[0], BASE, tables, every)
    return rules.tobytes()


def test_every_number_changes_what_the_rules_read() -> None:
    plain, count = {players: constants(EXPANSION, players) for players in (1, 2, 3, 4)}, 0
    for path in numbers_of(EXPANSION):
        tables = next(other_files(path), None)
        if tables is not None:
            players = int(path[1]) if path[0] == "plans" else 1 if path[0] == "solo" else 2
            assert (constants(tables, players) == plain[players]) == bool(matching(UNREAD, path)), text_of(path)
            count += 1
    assert count > 150


def dealt(players: int, expansion: str | Path = "contractors") -> np.ndarray:
    """Return deals with all switches on as the first seat observes them: (DEALS, F) uint8."""
    everything = {"contractors": True, "fourth_guild": "random", "special_tiles": True, "promos": True}
    rules = Ruleset(players, expansion_data=expansion, **everything)  # type: ignore[arg-type]
    return Engine(rules, DEALS, seed=3).observe(seat=0, dtype=np.uint8)


plain_deals = cache(dealt)


@pytest.mark.parametrize("pattern", SHOWN)
def test_a_number_shows(pattern: str, tmp_path: Path) -> None:
    """The last number that matches the pattern changes the observation."""
    shown, players = SHOWN[pattern]
    paths = [path for path in numbers_of(EXPANSION) if re.fullmatch(pattern, text_of(path))]
    layout = Ruleset(players, contractors=True).observations
    found = re.fullmatch(pattern, text_of(paths[-1]))
    assert found
    tables = next(other_files(paths[-1]))
    differs = (dealt(players, written(tables, tmp_path)) != plain_deals(players)).any(axis=0)
    changed: set[str] = set()
    for piece in layout.pieces:
        part = differs[piece.offset : piece.offset + piece.size].reshape(-1, len(piece.entries)).any(axis=0)
        names = {f"{piece.name} {name}" for name, other in zip(piece.entries, part, strict=True) if other}
        changed |= names | ({piece.name} if names else set())
    entry = found.expand(shown)
    assert entry in changed, f"{text_of(paths[-1])}: {entry} does not change, {sorted(changed)[:5]} do"
