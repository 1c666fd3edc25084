"""One game of the oracle: a position, the rules that play it, its state in the words of the record."""

from __future__ import annotations

from typing import Any

from .names import ORNAMENT, SLOTS
from .scoring import Scoring


class Game(Scoring):
    """A game from its deal on: `legal()` and `point` describe the decision, `play` takes an action, `state()` and
    `result()` report.
    """

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if self.solo:
            self._set_ivan_up()
        self.start()

    @property
    def asked(self) -> int:
        """The seat that decides; in the solo game this is always the player."""
        return 0 if self.solo else self.seat

    def depth(self) -> int:
        """The number of coroutines that wait for one another."""
        depth, inner = 0, self._coroutine
        while inner is not None:
            depth, inner = depth + 1, inner.gi_yieldfrom
        return depth

    def state(self) -> dict[str, Any]:
        """Return the position as the record has it; in solo games "events" are those of Ivan's last turn so far."""
        players = self.players
        state = {
            "seat": None if self.over else self.asked,
            "point": self.point,
            "turn": self.turn,
            "track": [p.track for p in players],
            "rubles": [p.rubles for p in players],
            "materials": [_amounts(p.hand) for p in players],
            "inventory_banners": [p.banners["inventory"] for p in players],
            "spare_banners": [p.banners["spare"] for p in players],
            "white_banners": [[slot for slot in ("white1", "white2") if p.banners[slot]] for p in players],
            "doors": [p.ornaments["door"] for p in players],
            "arches": [p.ornaments["arch"] for p in players],
            "crosses": [p.ornaments["cross"] for p in players],
            "workshops": [
                {s: {"tile": p.slots[s][0], "up": p.slots[s][1]} for s in SLOTS if s in p.slots} for p in players
            ],
            "market": list(self.market),
            "dice": {die: {"space": self.space[die], "value": self.value[die]} for die in self.dice},
            "supply": dict(self.supply),
            "towers": [[self._section_state(section) for section in tower] for tower in self.towers],
        }
        return state | self._expansion_state() | (self._ivans_state() if self.solo else {})

    def _section_state(self, section: Any) -> dict[str, Any]:
        return {
            "owner": section.owner,
            "done": section.done,
            "delivered": _amounts(section.delivered),
            "tile": section.tile or None,
            "ornament": None if section.ornament is None else ORNAMENT[section.kind],
            "ornament_owner": section.ornament,
        }

    def _expansion_state(self) -> dict[str, Any]:
        players, state = self.players, {}
        if self.module:
            state |= {
                "permits": [p.permits for p in players],
                "contractors": [p.row for p in players],
                "cities": {c: {"open": self.open[c], "contractors": list(self.sent[c])} for c in self.city_names},
                "specialists": list(self.slots),
                "bag": sorted(self.bag),
                "specialist": [p.specialist for p in players],
                "tools": [sorted(p.tools) for p in players],
            }
        if self.fourth == "foremen":
            state["foreman"] = self.foreman
        if self.fourth == "archivists":
            state |= {"contracts": [sorted(p.contracts) for p in players], "contract_deck": list(self.contract_deck)}
            if self.drawn_contracts:
                state["drawn_contracts"] = list(self.drawn_contracts)
        if self.fourth == "master_builders":
            state["card_discard"] = list(self.card_discard)
            if self.drawn_cards:
                state["drawn_cards"] = list(self.drawn_cards)
        if self.fourth == "brickmakers":
            order = list(self.x["reinforcements"])
            state["reinforcements"] = [tile for tile in order if tile in self.reinforcements]
            state["reinforcements_held"] = [[tile for tile in order if tile in p.reinforcements] for p in players]
        if self.special:
            state["special"] = [p.special for p in players]
        return state

    def _ivans_state(self) -> dict[str, Any]:
        tiles = [{"die": die, "up": up} for die, up in zip(self.tiles, self.up, strict=True)]
        ivan = {"inventory": _amounts(self.inventory), "construction": _amounts(self.construction)}
        ivan |= {"cards": list(self.row), "tiles": tiles}
        if self.module:
            ivan["tower"] = self.ivans_tower + 1
        return {"ivan": ivan}

    def result(self) -> dict[str, Any]:
        """Return the last line of the record, without its outer key."""
        return {
            "prestige": self.prestige(),
            "track": [player.track for player in self.players],
            "winners": [seat for seat, place in enumerate(self.places()) if place == 0],
            "truncated": self.over == "truncated",
            "breakdown": self.scores(),
        }


def _amounts(counts: dict[str, int]) -> dict[str, int]:
    return {material: count for material, count in counts.items() if count}
