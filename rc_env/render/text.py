"""A game as text: everything that lies on the table, in the words of the game record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from rc_env.rules.components import ORNAMENTS
from rc_env.rules.data_file import COLOURS, DICE, GUILDS, MATERIALS, RESOURCES
from rc_env.rules.state import (
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    BUILD,
    GAIN,
    GEMS,
    PAY,
    PLACE,
    PLAYING,
    POINTS,
    RECOGNITION,
    RUBLES,
    SPACES,
    TAKE,
    TERMINATED,
    WHITE_BANNER,
)
from rc_env.ruleset import Ruleset

SLOT_NAMES = (*COLOURS, "white1", "white2")
KINDS = ("base", "middle", "dome")
NOTHING = "-"


def board_text(ruleset: Ruleset, game: Any) -> str:
    """The whole board of one GAME record, some forty lines."""
    rules, game = ruleset.rules[0], by_attribute(game)
    lines = [_heading(rules, game), "", "Market"]
    for space in range(SPACES):
        lines.append(_space(rules, game, space))
        if space % 2:
            lines.append(_guild(ruleset, rules, game, space // 2))
    for tower in range(rules.towers):
        lines += ["", *_tower(rules, game, tower)]
    lines.append("")
    for seat in range(rules.players):
        lines += _seat(rules, game, seat)
    lines += ["", f"Supply: {_amounts(game.supply[:6], MATERIALS)}"]
    return "\n".join(lines) + "\n"


def by_attribute(game: Any) -> Any:
    """A GAME record, from whatever array it comes, with its fields as attributes."""
    return np.asarray(game).reshape(1).view(np.recarray)[0]


def tile_text(rules: Any, kind: int) -> str:
    """A workshop tile: `die:red`, `lumber:1`, `any_material:1`."""
    if rules.tile_die[kind] >= 0:
        return f"die:{DICE[rules.tile_die[kind]]}"
    return f"{(*RESOURCES, 'any_material')[rules.tile_resource[kind]]}:{rules.tile_amount[kind]}"


def section_text(game: Any, section: int) -> str:
    """Where a section stands: `3.2` is the second level of the third tower."""
    return f"{game.tower[section] + 1}.{game.level[section] + 1}"


def track_prestige(rules: Any, game: Any, seat: int) -> int:
    """Prestige of the seat's marker (R-4)."""
    lap, place = divmod(int(game.track[seat]), int(rules.track_length))
    return lap * int(rules.lap_prestige) + int(rules.prestige_at[place])


def score(rules: Any, game: Any, seat: int) -> int:
    """What the seat would score if the game ended now (R-25 to R-27)."""
    goods = int(game.rubles[seat]) + int(game.goods[seat, : len(MATERIALS)].sum())
    towers = int(game.share[:, seat].sum())
    return track_prestige(rules, game, seat) + goods // int(rules.goods_per_prestige) + towers


def guild_action_text(action: Mapping[str, Any]) -> str:
    """An action of an influence card, as the data file has it, in words."""
    match action:
        case {"sell": what, "price": price}:
            words = f"sell {_choice(what)} for {_count(price, 'ruble')}"
        case {"buy": what, "price": price}:
            return f"{_count(price, 'ruble')}: buy {_choice(what)}{_marks(action)}"
        case {"deliver": count}:
            words = f"deliver {count}"
        case {"swap_market_tiles": _}:
            words = "swap two market tiles"
        case {"exchange_equal": count, "for_any": gain}:
            words = f"exchange {count} of the same for any {gain}"
        case {"exchange_any": count, "for_other": gain}:
            words = f"exchange any {count} for {gain} other"
        case {"activate_workshop": _}:
            words = "activate a workshop tile"
        case {"discard_different": count, "prestige": gain}:
            words = f"discard {count} different for {gain} prestige"
        case {"each_type_completed": _, "recognition": gain}:
            words = f"{gain} recognition with a base, a middle and a dome finished"
        case _:
            name = next(key for key in ("rubles", "recognition", "prestige") if key in action)
            words = f"gain {_count(action[name], 'ruble') if name == 'rubles' else f'{action[name]} {name}'}"
    price = "" if "sell" in action or not action.get("price") else f"{_count(action['price'], 'ruble')}: "
    return price + words + _marks(action)


def _marks(action: Mapping[str, Any]) -> str:
    return ", unlimited" if action.get("unlimited") else ""


def _choice(materials: str | list[str]) -> str:
    return "any material" if materials == "any" else " or ".join(materials)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _amounts(numbers: Iterable[int], names: Iterable[str]) -> str:
    return ", ".join(f"{name}:{number}" for number, name in zip(numbers, names, strict=False) if number) or NOTHING


def _heading(rules: Any, game: Any) -> str:
    if game.status != PLAYING:
        end = "the game is over" if game.status == TERMINATED else "the turn limit is reached"
        scores = ", ".join(f"{COLOURS[seat]} {score(rules, game, seat)}" for seat in range(rules.players))
        return f"Turn {game.turn}, {end}: {scores}"
    words = f"Turn {game.turn}, {COLOURS[game.seat]} to move at the point '{_point(game)}'"
    if game.die >= 0:
        words += f", the {DICE[game.die]} die moved to space {game.space}"
    if game.ending >= 0:
        words += f"; {COLOURS[game.ending]} has triggered the ending"
    return words


def _point(game: Any) -> str:
    """The decision point that waits, and what it still owes."""
    point, a, b, c = (int(x) for x in game.stack[game.depth - 1])
    words = POINTS[point]
    if point == TAKE:
        words += f": up to {b} {(*RESOURCES, 'any material')[a]}"
    elif point == BUILD:
        words += f": {a} left"
    elif point in (PLACE, GEMS):
        words += f": {section_text(game, a)}"
    elif point == PAY:
        words += f": {b} left"
    elif point == GAIN:
        words += f": {b} left" + (f", not {MATERIALS[c]}" if c >= 0 else "")
    return words


def _space(rules: Any, game: Any, space: int) -> str:
    tile = game.market[space]
    dice = [f"{DICE[die]} {game.die_value[die]}" for die in range(rules.dice) if game.die_space[die] == space]
    words = f"{RESOURCES[rules.market_kind[tile]]}:{rules.market_amount[tile]}"
    return f"  {space}  {words:<14} {', '.join(dice) or NOTHING}"


def _guild(ruleset: Ruleset, rules: Any, game: Any, quadrant: int) -> str:
    guild = int(game.guild[quadrant])
    card = int(game.influence[quadrant]) - int(rules.first_influence[guild])
    actions = ruleset.data_file.tables["guilds"][GUILDS[guild]][card]
    words = " | ".join(f"{side}) {guild_action_text(action)}" for side, action in enumerate(actions, 1))
    return f"     {GUILDS[guild]} {card + 1}: {words}"


def _tower(rules: Any, game: Any, tower: int) -> list[str]:
    seats = range(rules.players)
    presence = ", ".join(f"{COLOURS[s]} {game.presence[tower, s]}" for s in seats)
    share = ", ".join(f"{COLOURS[s]} {game.share[tower, s]}" for s in seats)
    lines = [f"Tower {tower + 1}: value {game.worth[tower]}; presence {presence}; prestige {share}"]
    base = int(game.first[tower])
    return lines + [_section(rules, game, s) for s in range(base + int(game.height[tower]) - 1, base - 1, -1)]


def _section(rules: Any, game: Any, section: int) -> str:
    kind, owner = int(game.kind[section]), int(game.owner[section])
    words = [COLOURS[owner] if owner >= 0 else "unclaimed"]
    if game.finished[section]:
        words.append("finished")
    else:
        card = game.card[section]
        paid = _amounts((card[RUBLES], card[RECOGNITION]), ("rubles", "recognition"))
        words += [f"misses {_amounts(card, MATERIALS)}", f"pays {paid}"]
    if game.tile[section] >= 0:
        words.append(f"tile {tile_text(rules, game.tile[section])}")
    if game.ornament[section] >= 0:
        words.append(f"{ORNAMENTS[kind]} of {COLOURS[game.ornament[section]]}")
    return f"  {section_text(game, section)} {KINDS[kind]:<6} {'; '.join(words)}"


def _seat(rules: Any, game: Any, seat: int) -> list[str]:
    goods, works = game.goods[seat], game.works[seat]
    banners = f"{goods[BANNERS_INVENTORY]} banners in the inventory"
    if rules.advanced:
        white = [name for i, name in enumerate(SLOT_NAMES[4:]) if works[WHITE_BANNER + i]]
        banners += f", on {' and '.join(white)}" if white else ""
    else:
        banners += f", {goods[BANNERS_SPARE]} spare"
    slots = []
    for slot, name in enumerate(SLOT_NAMES):
        tile = int(game.slot_tile[seat, slot])
        words = NOTHING if tile < 0 else (tile_text(rules, tile) if game.slot_up[seat, slot] else "face down")
        if game.slot_ornament[seat, slot] >= 0:
            words += f" ({ORNAMENTS[game.slot_ornament[seat, slot]]})"
        slots.append(f"{name} {words}")
    return [
        f"{COLOURS[seat].capitalize()}: {track_prestige(rules, game, seat)} prestige at space {game.track[seat]}, "
        f"{score(rules, game, seat)} if it ended now",
        f"  {_count(int(game.rubles[seat]), 'ruble')}; materials {_amounts(goods[:6], MATERIALS)}; {banners}",
        f"  ornaments {_amounts(works[:3], ORNAMENTS)}; workshop: {', '.join(slots)}",
    ]
