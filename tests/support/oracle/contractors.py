"""The module Contractors: hiring, specialists, cities (R-45, R-52 to R-57)."""

from __future__ import annotations

from .names import SLOTS, Play
from .promos import Promos


class Contractors(Promos):
    """The fourth main action, hiring, and the specialists it brings."""

    # --- hire

    def _hires(self) -> set[str]:
        if not self.module or not self.me.row:
            return set()
        cities = [city for city in self.city_names if self.open[city]]
        return {f"hire {city}" for city in cities if self.me.permits > sum(self.sent[city])}

    def _hire(self, city: str) -> Play:
        price = sum(self.sent[city]) + 1
        bonus = self.x["hire"]["bonus"][self.x["player"]["contractors"] - self.me.row]
        self.me.row -= 1
        self.sent[city][self.seat] += 1
        self.me.permits -= price
        self.supply["permits"] += price
        for kind, amount in bonus.items():
            if kind == "any_material":
                yield from self._pieces(amount, refusable=False)
            else:
                self._gain(kind, amount)
        slots = [slot for slot in self.x["cities"][city] if self.slots[slot]]
        if not slots:
            return

        def options() -> set[str]:
            engage = {f"engage {slot}" for slot in slots} if self.me.rubles >= self.x["hire"]["rubles"] else set()
            return engage | {f"dismiss {slot}" for slot in slots}

        verb, slot = (yield from self._moment("hire", options)).split()
        tile, self.slots[int(slot)] = self.slots[int(slot)], None
        if verb == "engage":
            self.me.rubles -= self.x["hire"]["rubles"]
            if self.me.specialist:  # the old specialist is turned over without effect
                self.me.tools.append(self.me.specialist)
            self.me.specialist = tile
        self._refill(int(slot))

    def _refill(self, slot: int) -> None:
        """Draw a specialist uniformly from the bag for a slot, or none from an empty bag (R-45)."""

        def draw() -> dict[str, int | None]:
            return {"slot": slot, "specialist": self._random().choice(sorted(self.bag)) if self.bag else None}

        drawn = self._draw(draw)
        assert drawn["slot"] == slot and (drawn["specialist"] in self.bag or not (drawn["specialist"] or self.bag))
        self.slots[slot] = drawn["specialist"]
        self.bag.discard(drawn["specialist"])

    def _close_city(self, tower: int) -> None:
        """Close the city over a finished tower, and score it (R-57)."""
        city = self.city_over[tower]
        self.open[city] = False
        for seat, player in enumerate(self.players):
            player.track += self.banners_in(tower, seat) * self.sent[city][seat]

    # --- specialists

    def _specialist(self, number: int) -> dict:
        return self.x["specialists"]["tiles"][number - 1]

    def _turn_over(self) -> dict:
        tile, self.me.specialist = self.me.specialist, None
        self.me.tools.append(tile)
        return self._specialist(tile)

    def _specialist_useful(self) -> bool:
        """Return whether the specialist has an effect, judged with the tile turned over."""
        if not self.me.specialist:
            return False
        with self.supposing():
            effect = self._turn_over()
            match effect:
                case {"gain": gain}:
                    return any(self._most(kind, amount) > 0 for kind, amount in gain.items())
                case {"pay": cost}:
                    return self._payable(cost)
                case {"activate": _}:
                    return bool(self._useful_slots(self.seat))
                case {"discard_ornament": _}:
                    return bool(self._off_the_cathedral())
                case {"spend_rubles": _}:
                    return self.me.rubles > 0
                case {"any_material": _, "deliver": _}:
                    return self._most("any_material", 1) > 0 or bool(self._deliveries())
                case {"resource_tile": _}:
                    return bool(self._spaces(with_die=False))
            assert "claim" in effect
            return bool(self._claims())

    def _use_specialist(self) -> Play:
        effect = self._turn_over()
        match effect:
            case {"gain": gain}:
                for kind, amount in gain.items():
                    yield from self._receive(kind, amount)
            case {"pay": cost}:
                self._pay(cost)
                self._gain_all(effect)
            case {"activate": count}:
                yield from self._activate_own()
                for _ in range(count - 1):
                    yield from self._activate_again()
            case {"discard_ornament": _, "prestige": prestige}:
                left = {f"discard {kind}" for kind in self._off_the_cathedral()}
                kind = (yield from self._ask("discard", left)).split()[1]
                if self.me.ornaments[kind]:
                    self.me.ornaments[kind] -= 1
                else:  # the first slot in the order of SLOTS loses it
                    del self.me.on_slot[next(slot for slot in SLOTS if self.me.on_slot.get(slot) == kind)]
                self._gain_prestige(self.me, prestige)
            case {"spend_rubles": most, "recognition": each}:
                amounts = range(1, min(most, self.me.rubles) + 1)
                spent = int((yield from self._ask("spend", {f"spend {n}" for n in amounts})).split()[1])
                self.me.rubles -= spent
                self.me.track += spent * each
            case {"any_material": _, "deliver": _}:
                yield from self._material_and_delivery()
            case {"resource_tile": _}:
                yield from self._resource(with_die=False)
            case {"claim": _}:
                yield from self._claim((yield from self._ask("claim", self._claims)))

    def _off_the_cathedral(self) -> set[str]:
        """Return the kinds of the acting player's ornaments that are available or still on a slot (R-52)."""
        return {kind for kind, count in self.me.ornaments.items() if count} | set(self.me.on_slot.values())

    def _material_and_delivery(self) -> Play:
        """Take a material and make a delivery in either order; the second may be declined when its turn comes."""
        left = {"material", "delivery"}
        for turn in (1, 2):
            options = set()
            if "material" in left and self._room() > 0:
                options |= {f"gain {m}" for m in self._others("diamond")}
            if "delivery" in left:
                options |= self._deliveries()
            choice = yield from self._ask("both", options | ({"done"} if turn == 2 else set()))
            if choice == "done":
                return
            if choice.startswith("gain"):
                left.remove("material")
                self._take(choice.split()[1], 1)
            else:
                left.remove("delivery")
                yield from self._deliver_one(choice, 1)
