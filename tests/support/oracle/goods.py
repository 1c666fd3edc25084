"""The track, gains and payments, diamonds as jokers, tiles and market spaces.

R-1 to R-4, R-21 to R-23, R-48, R-60, R-61, R-64, R-66, R-67.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from .names import GOODS, MATERIALS, SLOTS, Play
from .position import Player
from .turn import Asking


class Goods(Asking):
    """Gains, payments and tiles."""

    # --- track

    def _gain_prestige(self, player: Player, count: int) -> None:
        for _ in range(count):
            player.track = self.prestige_spaces[bisect_right(self.prestige_spaces, player.track)]

    def _lose_prestige(self, player: Player, count: int) -> None:
        for _ in range(count):
            player.track = self.prestige_spaces[bisect_left(self.prestige_spaces, player.track) - 1]

    def _can_lose_prestige(self, player: Player, count: int) -> bool:
        return bisect_left(self.prestige_spaces, player.track) >= count

    # --- gaining

    def _room(self) -> int:
        return self.tables["player"]["inventory_spaces"] - self.me.banners["inventory"] - sum(self.me.hand.values())

    def _most(self, kind: str, amount: int) -> int:
        """Return the amount of a resource that the acting player can receive."""
        if kind in ("rubles", "recognition", "prestige"):
            return amount
        if kind == "permits":
            return min(amount, self.x["player"]["permits_most"] - self.me.permits, self.supply["permits"])
        if kind == "any_material":
            return min(1, self._room(), max(self.supply[m] for m in MATERIALS))
        return max(0, min(amount, self._room(), self.supply[kind]))

    def _gain(self, kind: str, amount: int) -> None:
        """Receive goods without a choice (R-61)."""
        amount = self._most(kind, amount)
        if kind == "rubles":
            self.me.rubles += amount
        elif kind == "recognition":
            self.me.track += amount
        elif kind == "prestige":
            self._gain_prestige(self.me, amount)
        elif kind == "permits":
            self.me.permits += amount
            self.supply["permits"] -= amount
        else:
            assert kind == "diamond"
            self._take(kind, amount)

    def _receive(self, kind: str, amount: int, placed: bool = False) -> Play:
        """Receive goods by R-21; the material of a tile just placed may be refused."""
        if kind == "any_material":
            yield from self._pieces(1, refusable=placed)
        elif kind not in MATERIALS:
            self._gain(kind, amount)
        elif most := self._most(kind, amount):
            choice = yield from self._ask("take", {f"take {n}" for n in range(0 if placed else 1, most + 1)})
            self._take(kind, int(choice.split()[1]))

    def _pieces(self, count: int, refusable: bool) -> Play:
        """Receive materials of choice one by one; each but the first may be refused, and the first too if it is
        `refusable`.
        """
        for piece in range(count):
            options = {f"gain {m}" for m in MATERIALS if self.supply[m]} if self._room() > 0 else set()
            if not options:
                return
            choice = yield from self._ask("take", options | ({"take 0"} if piece or refusable else set()))
            if choice == "take 0":
                return
            self._take(choice.split()[1], 1)

    def _take(self, material: str, count: int) -> None:
        self.me.hand[material] += count
        self.supply[material] -= count

    def _give(self, material: str, count: int) -> None:
        self.me.hand[material] -= count
        self.supply[material] += count

    # --- paying

    def _payable(self, cost: Mapping[str, int]) -> bool:
        """Return whether a fixed payment can be made, with diamonds for missing pieces (R-67d)."""
        hand = self.me.hand
        lacking = sum(max(0, count - hand[m]) for m, count in cost.items() if m != "diamond")
        return hand["diamond"] >= lacking + cost.get("diamond", 0)

    def _pay(self, cost: Mapping[str, int]) -> None:
        """Pay pieces of the kind first, and diamonds for the rest (R-67d)."""
        for material, count in cost.items():
            own = min(count, self.me.hand[material])
            self._give(material, own)
            if own < count:
                self._give("diamond", count - own)

    def _affordable(self, action: Mapping) -> bool:
        rubles = 0 if "sell" in action else action.get("price", 0)
        return (
            self.me.rubles >= rubles
            and self.me.track >= action.get("price_recognition", 0)
            and self.me.permits >= action.get("price_permits", 0)
            and self._payable(action.get("pay", {}))
        )

    def _pay_price(self, action: Mapping) -> None:
        """Pay the price of an action (R-60); the price of a sale is received (R-23)."""
        if "sell" not in action:
            self.me.rubles -= action.get("price", 0)
        self.me.track -= action.get("price_recognition", 0)
        if permits := action.get("price_permits", 0):
            self.me.permits -= permits
            self.supply["permits"] += permits
        self._pay(action.get("pay", {}))

    # --- tiles

    def _at(self, space: int) -> tuple[str, int]:
        """Return the kind and amount of the market tile."""
        kind, amount = self.market[space].split(":")
        return kind, int(amount)

    def _useful(self, tile: str) -> bool:
        """Return whether the tile, face up in the acting player's workshop, would have an effect (R-23)."""
        kind, value = tile.split(":")
        if kind == "special":
            return self._special_useful(value)
        return self._most(*(self._at(self.space[value]) if kind == "die" else (kind, int(value)))) > 0

    def _activate(self, tile: str, placed: bool = False) -> Play:
        """Give the benefit of a tile."""
        kind, value = tile.split(":")
        if kind == "special":
            yield from self._activate_special(value, placed)
        elif kind == "die":
            yield from self._receive(*self._at(self.space[value]), placed)
        else:
            yield from self._receive(kind, int(value), placed)

    def _useful_slots(self, seat: int, slots: tuple[str, ...] = SLOTS) -> list[str]:
        """Return the slots with a face-up tile that would give the acting player something."""
        tiles = self.players[seat].slots
        return [slot for slot in slots if slot in tiles and tiles[slot][1] and self._useful(tiles[slot][0])]

    # --- market spaces

    def _spaces(self, with_die: bool, times_dice: bool = False) -> list[int]:
        """Return the spaces whose tile would have an effect."""
        found = []
        for space in range(len(self.market)):
            kind, amount = self._at(space)
            dice = self.dice_on(space)
            if (dice or not with_die) and self._most(kind, amount * dice if times_dice else amount) > 0:
                found.append(space)
        return found

    def _resource(self, with_die: bool, times_dice: bool = False, placed: bool = False) -> Play:
        """Let the player choose a space and receive at least 1 of its tile, even for a tile just placed (R-61)."""

        def options() -> set[str]:
            return {f"resource {space}" for space in self._spaces(with_die, times_dice)}

        if not options():
            return
        choice = yield from self._ask("resource", options() | ({"done"} if placed else set()))
        if choice != "done":
            space = int(choice.split()[1])
            kind, amount = self._at(space)
            yield from self._receive(kind, amount * self.dice_on(space) if times_dice else amount)

    def _held(self, materials: list[str] | tuple[str, ...]) -> list[str]:
        """Return the materials that can pay for one of these: those in the inventory, and a diamond (R-67c)."""
        return [m for m in GOODS if self.me.hand[m] and (m in materials or m == "diamond")]
