"""Maps actions to places on the board: the parts, and the pieces on them, to click for an action.

A place is the name of a part of the picture (`space3`, `section2.1`), or of one thing on it behind a slash
(`space3/red`, `seat0.goods/lumber`). The drawings name things by their attribute `data-piece`.
"""

from __future__ import annotations

from rc_env.render.view import View
from rc_env.rules.printed.sizes import COLOURS, SPACES_PER_QUADRANT


def action_places(shown: View, seat: int, action: str) -> list[str]:
    """The places of a legal action of a seat, in the order of clicking; some actions have none.

    Args:
        shown: the position.
        seat: the seat to move.
        action: in words, as the catalogue has it.
    """
    words = action.split()
    match words:
        case ["move", die, *more]:
            at = shown["dice"][die]
            steps = int(more[0]) if more else 0
            return [f"space{at['space']}/{die}", f"space{(at['target'] + steps) % len(shown['market'])}"]
        case ["claim", tower, "from", source]:
            level = next(i for i, s in enumerate(_sections(shown, tower), 1) if s["on_offer"])
            return [f"section{tower}.{level}", _source(seat, source)]
        case ["ivan", "claim", tower]:
            level = next(i for i, s in enumerate(_sections(shown, tower), 1) if s["on_offer"])
            return [f"section{tower}.{level}"]
        case ["ivan", "adorn", section] | ["section" | "adorn", section, *_]:
            return [f"section{section}"]
        case ["deliver", material, "to", section]:
            return [f"seat{seat}.goods/{material}", f"section{section}"]
        case ["place", "special", slot] | ["place" | "workshop", slot, *_]:
            return [f"seat{seat}.{slot}"]
        case ["borrow", colour, slot]:
            return [f"seat{COLOURS.index(colour)}.{slot}"]
        case ["obtain"]:
            return [f"space{shown['landing']}"]
        case ["reroll" | "resource", space]:
            return [f"space{space}"]
        case ["swap", space, other]:
            return [f"space{space}", f"space{other}"]
        case ["guild", side]:
            return [f"guild{shown['landing'] // SPACES_PER_QUADRANT}/{side}"]
        case ["guild", quadrant, side]:
            return [f"guild{quadrant}/{side}"]
        case ["gain", material]:
            return [f"supply/{material}"]
        case ["pay" | "discard", thing]:
            return [f"seat{seat}.goods/{thing}"]
        case ["player", colour]:
            return [f"seat{COLOURS.index(colour)}"]
        case ["foreman", steps]:
            return [f"tower{(shown['foreman'] + int(steps)) % len(shown['towers']) + 1}"]
        case ["hire", city]:
            return [f"city{[one['name'] for one in shown['cities']].index(city)}"]
        case ["engage" | "dismiss", slot]:
            return [f"offer{slot}"]
        case ["specialist"]:
            return [f"seat{seat}.specialist"]
    return []


def _sections(shown: View, tower: str) -> list[View]:
    sections: list[View] = shown["towers"][int(tower) - 1]["sections"]
    return sections


def _source(seat: int, source: str) -> str:
    """The place that a banner is taken from."""
    if source == "inventory":
        return f"seat{seat}.goods/banner"
    return f"seat{seat}.goods/spare" if source == "spare" else f"seat{seat}.{source}"
