"""Deals, positions and draws in words, for the guilds of the expansion and the promos; see `notation.py`.

Contracts are numbers from 1, in the order of the data file; reinforcement tiles and special tiles have short names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rc_env.ruleset import Ruleset

DIAMOND_NAME = "diamond"
EXPANDED, DIAMONDS, FOREMAN, CONTRACTS, CARDS, REINFORCEMENTS, SPECIAL, MODULE = (1 << i for i in range(8))
"""What a game may have beyond the base game, a bit each; EXPANDED is set with any of the others, and by any guild of
the expansion. MODULE is the module Contractors."""
_BROUGHT = {
    "buy_diamonds": DIAMONDS,
    "diamonds": DIAMONDS,
    "foreman": FOREMAN,
    "draw_contracts": CONTRACTS,
    "draw_cards": CARDS,
    "reinforcement": REINFORCEMENTS,
}
"""The additions of a guild to the game, by the keys of the actions on its cards."""


def guild_names(ruleset: Ruleset) -> tuple[str, ...]:
    """The names of all guilds by GAME.guild: those of the base game, then those of the expansion."""
    expansion = ruleset.expansion_file
    return (*ruleset.data_file.guilds, *(expansion.guilds if expansion else ()))


def brought_by_guild(ruleset: Ruleset) -> list[int]:
    """The additions of each guild by GAME.guild: bits as above, 0 for guilds of the base game."""
    bits = [0] * len(ruleset.data_file.guilds)
    for cards in ruleset.expansion_file.tables["guilds"].values() if ruleset.expansion_file else ():
        keys = {key for card in cards for action in card for key in action}
        bits.append(EXPANDED | sum({_BROUGHT[key] for key in keys if key in _BROUGHT}))
    return bits


def brought(ruleset: Ruleset, game: Mapping[str, Any]) -> int:
    """The additions of a game, a GAME record or its `fields`, to the base game: bits as above, 0 for a base game."""
    by_guild = brought_by_guild(ruleset)
    bits = EXPANDED | DIAMONDS | SPECIAL if ruleset.special_tiles else 0
    bits |= EXPANDED | MODULE if ruleset.contractors else 0
    for guild in game["guild"]:
        bits |= by_guild[int(guild)]
    return bits


def contracts(cards: Sequence[int]) -> list[int]:
    """Contracts by their numbers in words, without free places."""
    return [int(card) + 1 for card in cards if card >= 0]


def _tile(tile: int) -> int | None:
    """A specialist by its number in words, None where there is none."""
    return int(tile) + 1 if tile >= 0 else None


def refill(slot: int, tile: int) -> dict[str, int | None]:
    """A draw from the bag onto a slot, in words."""
    return {"slot": int(slot), "specialist": _tile(tile)}


def draws_to_list(ruleset: Ruleset, game: Any, cards: Sequence[str]) -> list[dict[str, Any]]:
    """The draws since the last decision of a GAME record, in order: `[{"contracts": [4, 9, 2]}]`.

    `cards` are the names of the cathedral cards, by GAME.number.
    """
    if not ruleset.full:
        return []
    found: list[dict[str, Any]] = []
    if game["log_refill"][0] >= 0:
        found.append(refill(*game["log_refill"].tolist()))
    if game["log_contract"][0] >= 0:
        found.append({"contracts": contracts(game["log_contract"].tolist())})
    if game["log_card"][0] >= 0:
        found.append({"cards": [cards[card] for card in game["log_card"].tolist() if card >= 0]})
    return found
