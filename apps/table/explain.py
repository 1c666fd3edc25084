"""Explains what a legal action means on the board where its words alone do not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rc_env.render.contractors import bonus_text, next_bonus, specialist_words
from rc_env.render.view import View, count
from rc_env.rules.points import WAY
from rc_env.rules.printed.expansion_vocabulary import BANNERS, CONTRACTORS, EXCHANGE, FALSE_PLANS, TIMES_DICE
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, COLOURS

REINFORCEMENTS = {
    "rubles": "{} rubles",
    "guild": "an action of any guild",
    "workshop": "a tile of your workshop",
    "deliver": "{} more delivery",
    "recognition": "{} recognition",
    "free": "to place a tile free of charge",
    "materials": "{} materials of any kind",
    "die": "the tile of a die's space, once",
}
_SPECIAL = {
    "diamond": "gives a diamond",
    "material": "gives a ruble and a material of any kind",
    "die": "gives the tile of a die's space, once",
    "guild": "an action of any guild",
}


def explain(shown: View, seat: int, action: str) -> str:
    """Explain an action on this board; "" where its words say everything.

    Raises:
        ValueError: no verb begins so.
    """
    words = action.split()
    match words[0]:
        case "move":
            at = shown["dice"][words[1]]
            steps = int(words[2]) if len(words) > 2 else 0
            space = (at["target"] + steps) % len(shown["market"])
            resource, amount = shown["market"][space]["tile"].split(":")
            dice = 1 + sum(die != words[1] for die, _ in shown["market"][space]["on"])
            price = f", for {count(steps * shown['step_price'], 'ruble')}" if steps else ""
            return f"to space {space}: {resource}:{int(amount) * dice}{price}"
        case "claim":
            tower = shown["towers"][int(words[1]) - 1]["sections"]
            level, s = next((i, s) for i, s in enumerate(tower) if s["on_offer"])
            pays = _listed((("rubles", s["rubles"]), ("recognition", s["recognition"])))
            return f"{words[1]}.{level + 1} {s['kind']}: {_listed(s['cost'])}; pays {pays}; tile {s['tile']}"
        case "place" if words[1] == "special":
            return f"the special tile {shown['seats'][seat]['special']}, in place of the section's tile"
        case "place" if words[2] == "up" and shown.get("decision", {}).get("b"):
            return "face up, free"
        case "place" if words[2] == "up":
            return f"face up, for {count(shown['seats'][seat]['workshop'][words[1]]['price'], 'ruble')}"
        case "place":
            return "face down, free"
        case "guild" if len(words) == 3:
            card = shown["guilds"][int(words[1])]
            return f"{card['name']}: {card['words'][int(words[2]) - 1]}"
        case "guild":
            return str(shown["guilds"][shown["landing"] // 2]["words"][int(words[1]) - 1])
        case "workshop":
            tile = shown["seats"][seat]["workshop"][words[1]]["tile"]
            die = re.fullmatch(rf"die:({'|'.join(ALL_DIE_NAMES)})", tile)
            there = shown["market"][shown["dice"][die[1]]["space"]]["tile"] if die else ""
            return f"{tile}, {there}" if there else str(tile)
        case "obtain":
            here = shown["market"][shown["landing"]]
            resource, amount = here["tile"].split(":")
            return f"{resource}:{int(amount) * here['dice']}"
        case "hire" | "engage" | "dismiss" | "permit" | "specialist" | "spend" | "discard" | "pass":
            return _module(shown, seat, words)
        case "swap":
            return " and ".join(shown["market"][int(space)]["tile"] for space in words[1:])
        case "reroll":
            dice = [die for die, at in shown["dice"].items() if at["space"] == int(words[1])]
            return f"{', '.join(dice)}; for {shown['reroll_price']} prestige"
        case "rubles":
            return f"{shown['ruble_price']} for 1 prestige"
        case "ivan" if words[1] == "claim":
            tower = shown["towers"][int(words[2]) - 1]["sections"]
            level, s = next((i, s) for i, s in enumerate(tower) if s["on_offer"])
            pays = _listed((("recognition", s["recognition"]),))
            return f"{words[2]}.{level + 1} {s['kind']}: {sum(s['cost'].values())} materials; pays him {pays}"
        case "ivan":
            return f"his {shown['ivan']['ornament']}, for {shown['ivan']['ornament_prestige']} prestige of his"
        case "done" | "deliver" | "adorn" | "gems" | "take" | "gain" | "pay":
            return ""
    return _explain_expansion(shown, seat, words)


def _explain_expansion(shown: View, seat: int, words: list[str]) -> str:
    """Explain an action whose verb exists only in the full game.

    Raises:
        ValueError: no verb begins so.
    """
    match words[0]:
        case "borrow":
            return str(shown["seats"][COLOURS.index(words[1])]["workshop"][words[2]]["tile"])
        case "resource":
            resource, amount = shown["market"][int(words[1])]["tile"].split(":")
            dice = shown["market"][int(words[1])]["dice"] if shown["decision"]["frame"][WAY] == TIMES_DICE else 1
            return f"{resource}:{int(amount) * dice}"
        case "player":
            return _player(shown, COLOURS.index(words[1]))
        case "section":
            number, height = words[1].split(".")
            s = shown["towers"][int(number) - 1]["sections"][int(height) - 1]
            pays = _listed((("rubles", s["rubles"]), ("recognition", s["recognition"])))
            return f"tile {s['tile']}" if shown["decision"]["frame"][WAY] == FALSE_PLANS else f"pays {pays}"
        case "foreman":
            return f"to tower {(shown['foreman'] + int(words[1])) % len(shown['towers']) + 1}"
        case "card":
            card = shown["builders"]["drawn"][int(words[1]) - 1]
            return f"{card['name']}: two of {_listed(card['cost'])}"
        case "contract":
            known = dict(shown["contracts"]["drawn"] + shown["seats"][seat]["hand"])
            return str(known[int(words[1])])
        case "reinforce":
            return REINFORCEMENTS[words[1]].format(shown["amounts"][words[1]])
        case "special":
            return _SPECIAL[words[1]]
    raise ValueError(f"there is no action {' '.join(words)!r} in the catalogue")


def _listed(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """Amounts in the short words of the record, such as `lumber:2, gold:1`; `-` for nothing."""
    pairs = counts.items() if isinstance(counts, Mapping) else counts
    return ", ".join(f"{name}:{number}" for name, number in pairs if number) or "-"


def _player(shown: View, chosen: int) -> str:
    """Explain the choice of another player."""
    if shown["decision"]["frame"][WAY] == BANNERS:
        sections = shown["towers"][shown["foreman"]]["sections"]
        return count(sum(s["owner"] == chosen for s in sections), "banner") + " in the foreman's tower"
    if shown["decision"]["frame"][WAY] == EXCHANGE:
        return f"has {_listed(shown['seats'][chosen]['materials'])}"
    if shown["decision"]["frame"][WAY] == CONTRACTORS:
        return f"has sent {count(sum(city['sent'][chosen] for city in shown['cities']), 'contractor')}"
    return str(shown["decision"]["serves"])


def _module(shown: View, seat: int, words: list[str]) -> str:
    """Explain an action of the module Contractors."""
    own = shown["seats"][seat]
    match words[0]:
        case "hire":
            city = next(city for city in shown["cities"] if city["name"] == words[1])
            bonus = bonus_text(next_bonus(shown, own["contractors"]) or {})
            tower = f"over tower {city['tower'] + 1}"
            return f"for {count(city['price'], 'permit')}, {tower}; {'then ' if bonus != 'no bonus' else ''}{bonus}"
        case "engage":
            held = f"; your specialist is turned over: {own['specialist']['tool']}" if own["specialist"] else ""
            return f"{specialist_words(shown['offer'][int(words[1])])}, for {count(shown['hire_price'], 'ruble')}{held}"
        case "dismiss":
            return f"{specialist_words(shown['offer'][int(words[1])])}, out of the game, free"
        case "permit":
            return f"1 for {shown['permit_price']} prestige"
        case "specialist":
            return specialist_words(own["specialist"])
        case "spend":
            return f"for {int(words[1]) * shown['decision']['worth']} recognition"
        case "discard":
            return f"for {shown['decision']['worth']} prestige"
    return "no main action is possible"
