"""Sets a position up in the words of the record's state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .game import Game
from .names import GOODS

ORNAMENTS = {"doors": "door", "arches": "arch", "crosses": "cross"}
OF_PLAYER = {"permits": "permits", "contractors": "row", "specialist": "specialist", "tools": "tools"}
OF_PLAYER |= {"contracts": "contracts", "reinforcements_held": "reinforcements", "special": "special"}
OF_PLAYER |= {"track": "track", "rubles": "rubles"}


def arrange(game: Game, changes: Mapping[str, Any]) -> None:
    """Change parts of the position, and open the current decision anew.

    Keys are those of the record's state. Lists are replaced as a whole; "dice" (a die: space and value), "cities",
    "supply" and "ivan" may name only the parts that differ. "sections", by name, replaces "towers"; parts of a section
    that are left out stay, the tile of a claimed section is gone, and "ornament_owner" is enough for an ornament. The
    contents of the supply, the bag and the decks follow from the rest, unless they are given, too. Banners, ornaments
    and contractors in the row do not follow.
    """
    for key, value in changes.items():
        if key in OF_PLAYER:
            for player, of_seat in zip(game.players, value, strict=True):
                setattr(player, OF_PLAYER[key], list(of_seat) if isinstance(of_seat, list) else of_seat)
        elif key in ORNAMENTS:
            for player, count in zip(game.players, value, strict=True):
                player.ornaments[ORNAMENTS[key]] = count
        elif key in ("inventory_banners", "spare_banners"):
            for player, count in zip(game.players, value, strict=True):
                player.banners[key.removesuffix("_banners")] = count
        elif key == "white_banners":
            for player, slots in zip(game.players, value, strict=True):
                player.banners |= {slot: int(slot in slots) for slot in ("white1", "white2")}
        elif key == "materials":
            for player, goods in zip(game.players, value, strict=True):
                player.hand = dict.fromkeys(GOODS, 0) | goods
        elif key == "workshops":
            for player, slots in zip(game.players, value, strict=True):
                player.slots = {slot: (entry["tile"], entry["up"]) for slot, entry in slots.items()}
                player.on_slot = {slot: kind for slot, kind in player.on_slot.items() if slot not in slots}
                if any(tile.startswith("special") for tile, _ in player.slots.values()):
                    player.special = None
        else:
            _arrange_table(game, key, value)
    _follow(game, changes)
    game.refresh()


def _arrange_table(game: Game, key: str, value: Any) -> None:
    if key == "sections":
        for name, entry in value.items():
            section = game.section(name)
            section.owner, section.done = entry.get("owner", section.owner), entry.get("done", section.done)
            section.delivered |= entry.get("delivered", {})
            section.ornament = entry.get("ornament_owner", section.ornament)
            section.tile = entry.get("tile", "" if section.owner is not None else section.tile)
    elif key == "dice":
        for die, entry in value.items():
            game.space[die], game.value[die] = entry
    elif key == "cities":
        for city, entry in value.items():
            game.open[city] = entry.get("open", game.open[city])
            game.sent[city] = list(entry.get("contractors", game.sent[city]))
    elif key == "ivan":
        game.ivans_tower = value.get("tower", game.ivans_tower + 1) - 1
        game.construction |= value.get("construction", {})
    elif key in ("market", "foreman", "contract_deck", "card_discard", "reinforcements"):
        setattr(game, key, list(value) if isinstance(value, list) else value)
    elif key == "specialists":
        game.slots = list(value)
    elif key == "bag":
        game.bag = set(value)
    else:
        assert key == "supply", key


def _follow(game: Game, changes: Mapping[str, Any]) -> None:
    """Compute the contents of the supply and the decks from the rest of the position."""
    for material in game.supply:
        held = sum(p.permits if material == "permits" else p.hand[material] for p in game.players)
        lying = 0 if material == "permits" else sum(section.delivered[material] for section in game.sections())
        lying += game.construction.get(material, 0) if game.solo else 0
        game.supply[material] = game.box[material] - held - lying
    game.supply |= changes.get("supply", {})
    held_contracts = [number for player in game.players for number in player.contracts]
    game.contract_deck = [number for number in game.contract_deck if number not in held_contracts]
    game.card_deck -= set(game.card_discard)
    if game.module and "bag" not in changes:
        used = {*game.slots, *(p.specialist for p in game.players), *(n for p in game.players for n in p.tools)}
        game.bag = set(range(1, len(game.x["specialists"]["tiles"]) + 1)) - used
    if "reinforcements_held" in changes and "reinforcements" not in changes:
        held = [tile for player in game.players for tile in player.reinforcements]
        game.reinforcements = [tile for tile in game.x["reinforcements"] if tile not in held]
