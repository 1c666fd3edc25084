"""The engine in a position of the second implementation: `EngineGame` answers and plays as `oracle.game.Game` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import numpy as np
from oracle.game import Game
from positions import state_to_dict
from rc_env.full.rules import ending as full_ending
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.jit import records
from rc_env.record.recorder import result_line
from rc_env.rules import ending as base_ending
from rc_env.rules.printed.sizes import (
    ADORNED,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CARDS_DRAWN,
    CITY_NAMES,
    CLAIMED,
    COLOURS,
    FINISHED,
    MATERIAL_NAMES,
    MATERIALS,
    REINFORCEMENT_NAMES,
    SPACES,
    SPECIAL_NAMES,
    WHITE_BANNER,
)
from rc_env.words import notation

SLOTS = (*COLOURS, "white1", "white2")
LEFT, GONE = -1, -2  # places of a reinforcement tile that nobody holds
IVAN = 1  # the seat of Ivan in the solo game


@cache
def variant(**settings: Any) -> Ruleset:
    """Return a ruleset, read once."""
    return Ruleset(**settings)


class EngineGame:
    """An engine of one game, in the full build: dealt as the other one was, then put into the same position.

    Args:
        game: the position, at the first decision of a turn or before a special tile is chosen.
        chosen: the special tiles that were chosen before, from the last seat to the first.
    """

    point = property(lambda self: self.engine.point())
    events = property(lambda self: notation.ivan_turn(self.engine.games[0], expanded=True)["events"])

    def __init__(self, game: Game, chosen: Iterable[str] = ()) -> None:
        guild = next(f"{g['guild']}:{g['card']}" for g in game.deal["guilds"] if g["guild"] == game.fourth)
        settings = {
            name: game.deal[name] for name in ("players", "workshop", "turn_limit", "special_tiles", "contractors")
        }
        self.ruleset = variant(fourth_guild=guild, **settings)
        deal = {part: game.deal[part] for part in notation.parts(self.ruleset) if part in game.deal}
        self.engine = Engine(self.ruleset, 1)
        self.engine.reset(deals=notation.dict_to_deal(self.ruleset, deal))
        for name in chosen:
            self.play(f"special {name}")
        put(self.ruleset, writeable(self.engine), game.state())
        self.engine.restore(self.engine.clone(same_future=True))  # renews the mask

    def legal(self) -> set[str]:
        """Return the legal actions in words."""
        return {self.engine.action_to_text(action) for action in np.flatnonzero(self.engine.legal_mask()[0])}

    def state(self) -> dict[str, Any]:
        """Return the position as the record has it."""
        return state_to_dict(self.ruleset, self.engine.games[0])

    def result(self) -> dict[str, Any]:
        """Return the last line of the record, without its outer key."""
        return result_line(self.engine)["result"]

    def play(self, action: str, draws: Iterable[Mapping[str, Any]] = ()) -> None:
        """Play one decision; dice show 1, and these cards and specialists are drawn.

        Contracts lie in the deck's order.
        """
        names = notation.names(self.ruleset).cards
        drawn = [names.index(card) for draw in draws for card in draw.get("cards", [])]
        cards = [drawn + [-1] * (CARDS_DRAWN - len(drawn))] if drawn else None
        refills = [draw["specialist"] for draw in draws if draw.get("specialist")]
        tiles = [[number - 1 for number in refills]] if refills else None
        self.engine.step([self.engine.text_to_action(action)], dice=[[1] * 16], cards=cards, specialists=tiles)
        assert not self.engine.illegal[0]


def put(ruleset: Ruleset, games: np.recarray, state: Mapping[str, Any]) -> None:
    """Write a position in the form of `positions.state_to_dict` over the only game of `games`, with the same deal."""
    g, names, seats = games[0], notation.names(ruleset), range(ruleset.seats)
    g.version += 1
    g.track[: len(seats)], g.rubles[: len(seats)] = state["track"], state["rubles"]
    g.supply[:MATERIALS] = _counts(state["supply"])
    g.diamond_supply = state["supply"].get("diamond", 0)
    g.market[:] = [names.market.index(tile) for tile in state["market"]]
    dice = [state["dice"][die] for die in notation.die_names(ruleset)]
    g.die_space[: len(dice)], g.die_value[: len(dice)] = zip(*((die["space"], die["value"]) for die in dice))
    g.crowd[:] = np.bincount(g.die_space[: len(dice)], minlength=SPACES)
    sections = [section for tower in state["towers"] for section in tower]
    for i, section in enumerate(sections):
        put_section(ruleset, g, i, section, names)
    g.claimed[: len(state["towers"])] = [sum(s["owner"] is not None for s in tower) for tower in state["towers"]]
    for seat in seats:
        g.goods[seat, :MATERIALS] = _counts(state["materials"][seat])
        g.diamonds[seat] = state["materials"][seat].get("diamond", 0)
        g.goods[seat, BANNERS_INVENTORY] = state["inventory_banners"][seat]
        g.goods[seat, BANNERS_SPARE] = state["spare_banners"][seat]
        g.works[seat, :CLAIMED] = state["doors"][seat], state["arches"][seat], state["crosses"][seat]
        g.works[seat, CLAIMED] = sum(s["owner"] == seat and not s["done"] for s in sections)
        g.works[seat, FINISHED] = sum(s["owner"] == seat and s["done"] for s in sections)
        g.works[seat, ADORNED] = sum(s["ornament_owner"] == seat for s in sections)
        g.works[seat, WHITE_BANNER:] = [slot in state["white_banners"][seat] for slot in SLOTS[len(COLOURS) :]]
        for slot, tile in state["workshops"][seat].items():
            at = SLOTS.index(slot)
            g.slot_tile[seat, at], g.slot_up[seat, at] = names.tiles.index(tile["tile"]), tile["up"]
            g.slot_ornament[seat, at] = -1
            if tile["tile"] == "special:guild":
                g.guild_tile = seat
        if "special" in state:
            chosen = state["special"][seat]
            g.special[seat] = -1 if chosen is None else SPECIAL_NAMES.index(chosen)
        if "contracts" in state:
            g.hand[seat] = _padded([number - 1 for number in sorted(state["contracts"][seat])], g.hand[seat])
    if "ivan" in state:
        g.ivan_goods[:, :MATERIALS] = [_counts(state["ivan"][card]) for card in ("inventory", "construction")]
    g.foreman = state.get("foreman", 0) - 1
    if "contract_deck" in state:
        g.contracts_left = len(state["contract_deck"])
        g.contract_deck[:] = _padded([number - 1 for number in state["contract_deck"]], g.contract_deck)
    if "card_discard" in state:
        discard = [names.cards.index(card) for card in state["card_discard"]]
        g.discard[:], g.discards = _padded(discard, g.discard), len(discard)
        g.builder_deck = int(g.builder_deck) & ~sum(1 << card for card in discard)
    if "reinforcements" in state:
        held = {tile: seat for seat in seats for tile in state["reinforcements_held"][seat]}
        left = dict.fromkeys(state["reinforcements"], LEFT)
        g.reinforcement[:] = [(left | held).get(tile, GONE) for tile in REINFORCEMENT_NAMES]
    if "permits" in state:
        put_module(g, state, seats)
    ending = full_ending if ruleset.full else base_ending
    for tower in range(len(state["towers"])):
        ending.standing(ruleset.rules[0], records(games)[0], tower)


def put_module(g: Any, state: Mapping[str, Any], seats: range) -> None:
    """Write the parts of a position that belong to the module Contractors."""
    g.permit_supply = state["supply"]["permits"]
    for city, name in enumerate(CITY_NAMES):
        g.city_open[city] = state["cities"][name]["open"]
        g.sent[city, : len(seats)] = state["cities"][name]["contractors"]
    g.offer[:] = [-1 if tile is None else tile - 1 for tile in state["specialists"]]
    g.bag = _bits(state["bag"])
    for seat in seats:
        held = state["specialist"][seat]
        g.permits[seat], g.contractors[seat] = state["permits"][seat], state["contractors"][seat]
        g.specialist[seat] = -1 if held is None else held - 1
        g.tools[seat] = _bits(state["tools"][seat])
    if "ivan" in state:
        g.ivan_tower = state["ivan"]["tower"] - 1


def _bits(numbers: Iterable[int]) -> int:
    return sum(1 << (number - 1) for number in numbers)


def put_section(ruleset: Ruleset, g: Any, i: int, section: Mapping[str, Any], names: notation.Names) -> None:
    """Write the section number `i` of a position."""
    g.owner[i] = -1 if section["owner"] is None else section["owner"]
    g.finished[i] = section["done"]
    g.tile[i] = -1 if section["tile"] is None else names.tiles.index(section["tile"])
    g.ornament[i] = -1 if section["ornament_owner"] is None else section["ornament_owner"]
    g.card[i] = 0 if section["done"] else ruleset.rules[0].card[g.number[i]]
    g.card_diamonds[i] = section["delivered"].get("diamond", 0)
    if ruleset.solo and section["owner"] == IVAN and not section["done"]:  # the materials on it, and how many it lacks
        g.card[i, MATERIALS] = g.card[i, :MATERIALS].sum() - sum(section["delivered"].values())
        g.card[i, :MATERIALS] = _counts(section["delivered"])
    else:
        g.card[i, :MATERIALS] -= _counts(section["delivered"])


def _counts(amounts: Mapping[str, int]) -> np.ndarray:
    return np.array([amounts.get(material, 0) for material in MATERIAL_NAMES], np.int8)


def _padded(numbers: list[int], field: np.ndarray) -> list[int]:
    return numbers + [-1] * (len(field) - len(numbers))
