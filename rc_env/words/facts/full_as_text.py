"""Converts facts of the full game to lines of text without losing any."""

from __future__ import annotations

from collections.abc import Mapping

from .common import Facts, counted, joined
from .contractors_as_text import contractors_lines


def full_lines(full: Facts) -> list[str]:
    """The lines that follow those of the base game."""
    foreman = "nowhere" if full["foreman"] is None else f"at tower {full['foreman']}"
    cards = [f"{_card(card)} ({i})" for i, card in enumerate(full["drawn_cards"], 1)]
    return [
        f"decision: {_decision(full['decision']) or 'nothing more'}",
        f"diamonds in the supply {full['diamonds']}; foreman {foreman}; master builders' deck "
        f"{full['builders']['deck']}, discards {full['builders']['discards']}; contract deck {full['contract_deck']}",
        f"own contracts: {joined(map(str, full['contracts'])) or 'none'}; drawn: "
        f"{joined(map(str, full['drawn_contracts'])) or 'none'}",
        f"drawn cards: {joined(cards, '; ') or 'none'}; left of them: {counted(full['drawn_left']) or 'nothing'}",
        f"reinforcement tiles: {joined(full['reinforcements']) or 'none'}",
        "rules of the full game: " + joined(f"{name} {number}" for name, number in full["rules"].items()),
        *(contractors_lines(full["module"]) if "module" in full else ()),
    ]


def seat_line(seat: Facts) -> str:
    """A seat's components beyond the base game."""
    return (
        f"  diamonds {seat['diamonds']}; contracts {seat['contracts']}; reinforcement tiles: "
        f"{joined(seat['reinforcements']) or 'none'}; special tile to place: {seat['special'] or 'none'}"
    )


def more_price(action: Facts) -> str:
    """The costs of an action other than rubles."""
    units = {"price_recognition": "recognition", "price_permits": "permits"}
    prices = [f"pay {action[name]} {unit}" for name, unit in units.items() if name in action]
    return joined((*prices, _fixed(action.get("fixed", {}))), "; ")


def more_gains(action: Facts) -> str:
    """The gains of an action, and the decision points it opens, that the base game does not have."""
    opened = action.get("opens") or ("tile" if "way" in action else "")
    about = (
        action.get("way", ""),
        f"{action['count']} times" if action.get("count", 1) > 1 else "",
        f"divided by {action['divisor']}" if "divisor" in action else "",
        f"for {action['to_player']} rubles to the player" if "to_player" in action else "",
        f"for {action['from_player']} prestige of the player" if "from_player" in action else "",
    )
    words = (
        "equal ones allowed, no diamonds" if action.get("in_order") else "",
        f"receive {action['diamonds']} diamonds" if "diamonds" in action else "",
        f"receive {action['permits']} permits" if "permits" in action else "",
        f"receive {action['per_contractor']} for each contractor in a city" if "per_contractor" in action else "",
        f"the tile of the {action['die']} die's space once" if "die" in action else "",
        f"{opened} ({joined(about)})" if joined(about) else opened,
        "then any material" if action.get("then_material") else "",
    )
    return joined(words, "; ")


def _decision(about: Facts) -> str:
    serves = about["serves"]
    words = (
        about["way"],
        f"used before {about['used']}" if about["used"] else "",
        f"{about['left']} left" if about["left"] else "",
        "free placement" if about["free"] else "",
        "may be refused" if about["may_refuse"] else "",
        f"{about['pieces']} pieces of a card" if about["pieces"] else "",
        "of any resource" if about["resource"] else "",
        "a reinforcement tile was used" if about["reinforced"] else "",
        "the guild tile has chosen" if about["chosen"] else "",
        "a material is due" if about["material_due"] else "",
        "a delivery is due" if about["delivery_due"] else "",
        f"in {about['city']}" if about["city"] else "",
        f"slot {about['slot']}" if about["slot"] else "",
        "" if about["player"] is None else f"with seat {about['player']}",
        f"for guild action {serves[1]} in quadrant {serves[0]}" if serves else "",
    )
    return joined(words)


def _card(card: Facts) -> str:
    return f"cost {counted(card['cost'])}, pays {card['rubles']} rubles and {card['recognition']} recognition"


def _fixed(fixed: Mapping[str, int]) -> str:
    return f"pay {counted(fixed)}" if fixed else ""
