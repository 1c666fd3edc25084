"""Drawings of the full game's components beside the board: decks, reinforcement tiles, contracts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from rc_env.render.amounts import amounts_words
from rc_env.render.drawing import GAP, NARROW, WIDE, Panel, Part, at, frame, label, put, square, write, write_fact
from rc_env.render.expansion import has_contracts
from rc_env.render.view import View, count
from rc_env.rules.printed.sizes import HAND, MATERIAL_NAMES

WIDEST = 2 * WIDE + GAP
_LEFT = 16.0
_LINE = 21.0  # between contracts that are written in words
_PIECES = {
    "rubles": "rubles",
    "guild": "guild",
    "workshop": "workshop",
    "deliver": "delivery",
    "recognition": "recognition",
    "free": "rubles",
    "materials": "any_material",
    "die": "any_die",
}
"""The icons on each reinforcement tile."""


def stocks(shown: View, narrow: bool = False) -> list[Panel]:
    """A panel with a row for the reinforcement tiles that are left and for each deck; none in a game without them."""
    width = NARROW if narrow else WIDEST
    parts: list[Part] = []
    facts: tuple[Any, ...]
    y = 0.0
    if shown.get("reinforcements") is not None:
        facts = (tuple(shown["reinforcements"]), shown["amounts"], narrow)
        parts.append(Part("reinforcements", at(_LEFT, y), _reinforcements_left, facts))
        y += 84 if narrow else 56
    if has_contracts(shown):
        deck = shown["contracts"]
        facts = (deck["deck"], tuple(deck["drawn"]), deck["hidden"], narrow)
        parts.append(Part("contracts", at(_LEFT, y), _contract_deck, facts))
        y += 50 + (3 * _LINE if narrow else 0)
    if shown.get("builders"):
        deck = shown["builders"]
        facts = (deck["deck"], tuple(deck["discards"]), deck["drawn"], narrow)
        parts.append(Part("builders", at(_LEFT, y), _builders, facts))
        y += 50 + (64 if narrow else 0)
    if not parts:
        return []
    return [Panel("stocks", "Decks and tiles", width, y, [Part("stocks", "", frame, (width, y)), *parts])]


def _reinforcements_left(parent: Element, names: Sequence[str], amounts: Mapping[str, int], narrow: bool) -> None:
    label(parent, f"Reinforcement tiles: {', '.join(names) or 'none left'}")
    write(parent, 0, 24 if narrow else 33, "Reinforcement tiles", 15, "muted", "start")
    for i, name in enumerate(names):
        if narrow:
            _reinforcement(parent, 18 + 45 * i, 56, name, amounts)
        else:
            _reinforcement(parent, 172 + 126 * i, 28, name, amounts)
            write(parent, 195 + 126 * i, 33, name, 14, anchor="start")


def _reinforcement(parent: Element, x: float, y: float, name: str, amounts: Mapping[str, int]) -> None:
    """A reinforcement tile with its middle at (x, y)."""
    square(parent, x, y, 36, "tile", stroke_width=1.2)
    number = "0" if name == "free" else str(amounts[name]) if amounts[name] > 1 else ""
    if number:
        write(parent, x - 9, y + 5, number, 15, "i4", bold=True)
    put(parent, _PIECES[name], x + (7 if number else 0), y, 0.95)


def _contract_deck(parent: Element, deck: int, drawn: Sequence[tuple[int, str]], hidden: int, narrow: bool) -> None:
    words = ", ".join(f"{number} {text}" for number, text in drawn) or (f"{hidden} hidden" if hidden else "")
    label(parent, f"Contract deck: {count(deck, 'card')}" + (f"; drawn: {words}" if words else ""))
    put(parent, "contract", 12, 25, 1.3)
    write_fact(parent, 30, 32, deck, "contract deck", 20, "start")
    write(parent, 58, 31, "contracts in the deck", 14, "muted", "start")
    if hidden:
        write(parent, 0 if narrow else 230, 62 if narrow else 31, f"{hidden} drawn, not shown", 14, anchor="start")
    for i, (number, text) in enumerate(drawn):
        x, y = (0.0, 44 + _LINE * i) if narrow else (222 + 310 * i, 12.0)
        _contract(parent, x, y + (0 if narrow else 2), number, text)


def _contract(parent: Element, x: float, y: float, number: int, text: str) -> None:
    """Draw a contract in words, in a line of height `_LINE` whose top left corner is (x, y)."""
    words, _, prestige = text.removesuffix(" prestige").rpartition(": ")
    put(parent, "contract", x + 9, y + _LINE / 2, 0.85)
    write(parent, x + 28, y + 15, prestige, 14, bold=True)
    put(parent, "prestige", x + 42, y + _LINE / 2, 0.75)
    write(parent, x + 55, y + 15, f"{number}: {words}", 13, anchor="start")


def _builders(
    parent: Element, deck: int, discards: Sequence[str], drawn: Sequence[Mapping[str, Any]], narrow: bool
) -> None:
    words = "".join(f"; drawn {card['name']}: {_card_words(card)}" for card in drawn)
    label(parent, f"Master builders' deck: {count(deck, 'card')}; discarded {', '.join(discards) or 'none'}{words}")
    put(parent, "cathedral_card", 12, 25, 1.3)
    write_fact(parent, 30, 32, deck, "builders' deck", 20, "start")
    write(parent, 58, 31, f"in the builders' deck, {len(discards)} discarded", 14, "muted", "start")
    for i, card in enumerate(drawn):
        x, y = (0.0, 62 + 32 * i) if narrow else (330 + 400 * i, 25.0)
        _card(parent, x, y, card)


def _card_words(card: Mapping[str, Any]) -> str:
    pays = amounts_words([(name, card[name]) for name in ("rubles", "recognition")])
    return f"{amounts_words(card['cost'])}; pays {pays}"


def _card(parent: Element, x: float, y: float, card: Mapping[str, Any]) -> None:
    """Draw a cathedral card in a line: its name, its materials, and what it gives."""
    write(parent, x, y + 5, card["name"], 14, anchor="start", bold=True)
    x += 84
    for material in MATERIAL_NAMES:
        for _ in range(card["cost"].get(material, 0)):
            put(parent, material, x, y)
            x += 24
    x += 8
    for piece in ("rubles", "recognition"):
        if card[piece]:
            put(parent, piece, x, y, 0.9)
            write(parent, x + 13, y + 6, str(card[piece]), 16, anchor="start", bold=True)
            x += 42


# --- on the board of a seat


def extras_height(shown: View, narrow: bool) -> float:
    """The additional height of a seat's board, compared with the base game."""
    contracts = _LINE * (HAND if narrow else HAND / 2) + 8 if has_contracts(shown) else 0
    return contracts + (46 if shown.get("reinforcements") is not None else 0)


def seat_extras(shown: View, seat: int, top: float, narrow: bool) -> list[Part]:
    """Draw the contracts and reinforcement tiles of a seat, from `top` of its board on."""
    s, parts = shown["seats"][seat], []
    if has_contracts(shown):
        parts.append(Part(f"seat{seat}.contracts", at(_LEFT, top), _hand, (tuple(s["hand"]), s["hidden"], narrow)))
        top += _LINE * (HAND if narrow else HAND / 2) + 8
    if shown.get("reinforcements") is not None:
        facts = (tuple(s["reinforcements"]), shown["amounts"])
        parts.append(Part(f"seat{seat}.reinforcements", at(_LEFT, top), _reinforcements_held, facts))
    return parts


def _hand(parent: Element, seen: Sequence[tuple[int, str]], hidden: int, narrow: bool) -> None:
    words = [f"{number} {text}" for number, text in seen] + ([f"{hidden} hidden"] if hidden else [])
    label(parent, f"Contracts: {', '.join(words) or 'none'}")
    if not words:
        write(parent, 0, 15, "no contracts", 13, "muted", "start")
    for i, (number, text) in enumerate(seen):
        x, y = (0.0, _LINE * i) if narrow else (278.0 * (i % 2), _LINE * (i // 2))
        _contract(parent, x, y, number, text)
    if hidden:
        for i in range(hidden):
            put(parent, "contract", 9 + 22 * i, _LINE / 2, 0.95)
        write(parent, 4 + 22 * hidden, 15, f"{count(hidden, 'contract')}, hidden", 13, "muted", "start")


def _reinforcements_held(parent: Element, names: Sequence[str], amounts: Mapping[str, int]) -> None:
    label(parent, f"Reinforcement tiles: {', '.join(names) or 'none'}")
    if not names:
        write(parent, 0, 24, "no reinforcement tiles", 13, "muted", "start")
    for i, name in enumerate(names):
        _reinforcement(parent, 18 + 45 * i, 20, name, amounts)
