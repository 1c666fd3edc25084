"""Guild actions: choosing one, the base game's four guilds, and actions that only pay and receive.

R-20, R-23, R-24, R-60, R-63, R-67, R-68, R-73, R-74, R-79.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .market import Market
from .names import GOODS, MATERIALS, SLOTS, Play

Action = Mapping[str, Any]
GAINS = ("rubles", "recognition", "prestige", "permits")  # these gains need no room and no choice


class Guilds(Market):
    """The legality and the effects of guild actions."""

    def _possible(self, action: Action, quadrant: int) -> bool:
        """Return whether the price can be paid, and whether the action would then have an effect (R-23, R-60)."""
        if not self._affordable(action):
            return False
        with self.supposing():
            self._pay_price(action)
            return self._has_effect(action, quadrant)

    def _influences(self, without: int | None = None) -> set[str]:
        """Return the guild actions that are legal by R-63, of all quadrants or of all but one."""
        return {
            f"guild {quadrant} {side}"
            for quadrant, card in enumerate(self.guilds)
            for side, action in enumerate(card, 1)
            if quadrant != without and self._possible(action, quadrant)
        }

    def _influence_by(self, choice: str) -> Play:
        _, quadrant, side = choice.split()
        yield from self._influence(self.guilds[int(quadrant)][int(side) - 1], int(quadrant))

    def _named(self, materials: str | list[str]) -> list[str]:
        return list(MATERIALS) if materials == "any" else [m for m in MATERIALS if m in materials]

    def _others(self, material: str) -> list[str]:
        """Return the materials that can be received for a material: other kinds, never a diamond (R-67c)."""
        return [m for m in MATERIALS if m != material and self.supply[m]]

    def _equal_payable(self, count: int) -> list[str]:
        """Return the materials, diamonds included, of which `count` can be paid, with diamonds for the rest (R-67c)."""
        hand, found = self.me.hand, []
        for material in GOODS:
            enough = hand[material] + (hand["diamond"] if material != "diamond" else 0) >= count
            if hand[material] and enough and self._others(material):
                found.append(material)
        return found

    def _has_effect(self, action: Action, quadrant: int) -> bool:
        """Return whether the action has an effect, judged with the price paid."""
        hand = self.me.hand
        match action:
            case {"sell": materials}:
                return bool(self._held(self._named(materials)))
            case {"buy": materials}:
                return self._room() > 0 and any(self.supply[m] for m in self._named(materials))
            case {"exchange_equal": count}:
                return bool(self._equal_payable(count))
            case {"exchange_any": _}:
                return bool(self._equal_payable(1))
            case {"discard_different": count}:
                return sum(hand[m] > 0 for m in MATERIALS) + hand["diamond"] >= count
            case {"each_type_completed": _}:
                done = {s.kind for s in self.sections() if s.done and s.owner == self.seat}
                return done == set(self.tables["cards"])
            case {"swap_market_tiles": _}:
                return True
            case {"deliver": _}:
                return bool(self._deliveries())
            case {"activate_workshop": _}:
                return bool(self._useful_slots(self.seat))
            case {"buy_diamonds": count}:
                return self._most("diamond", count) > 0
            case {"pay_any": count, "diamonds": _}:
                return sum(hand[m] for m in MATERIALS) >= count and self.supply["diamond"] > 0
            case {"gain_one_of": materials}:
                return self._room() > 0 and any(self.supply[m] for m in materials)
            case {"pay_one_of": materials}:
                return bool(self._held(materials))
            case {"reinforcement": _}:
                return bool(self.reinforcements)
            case {"exchange_with_player": _} | {"rubles_to_player": _} | {"exchange_workshop_tile": _}:
                return self._theft_possible(action)
            case {"any_die": _}:
                return bool(self._spaces(with_die=True))
        if self._is_visitor(action):
            return self._visitor_has_effect(action, quadrant)
        if "any_material" in action:
            return self._most("any_material", 1) > 0
        return any(self._most(kind, action[kind]) > 0 for kind in GAINS if kind in action)

    def _influence(self, action: Action, quadrant: int) -> Play:
        """Pay the price, then carry out the action in the order of its text."""
        self._pay_price(action)
        match action:
            case {"sell": materials, "price": price}:
                paid = yield from self._ask("pay", {f"pay {m}" for m in self._held(self._named(materials))})
                self._give(paid.split()[1], 1)
                self.me.rubles += price
            case {"buy": materials}:
                yield from self._gain_one_of(self._named(materials))
            case {"exchange_equal": given, "for_any": count}:
                yield from self._exchange(given, count)
            case {"exchange_any": given}:
                yield from self._exchange(given, action.get("for_other", 1))
            case {"discard_different": count}:
                yield from self._pay_in_order(count, different=True)
                self._gain_prestige(self.me, action["prestige"])
            case {"each_type_completed": _}:
                self._gain("recognition", action["recognition"])
            case {"swap_market_tiles": _}:
                spaces = range(len(self.market))
                choice = yield from self._ask("swap", {f"swap {s} {t}" for t in spaces for s in range(t)})
                s, t = map(int, choice.split()[1:])
                self.market[s], self.market[t] = self.market[t], self.market[s]
            case {"deliver": count}:
                yield from self._deliver(count)
            case {"activate_workshop": _}:
                yield from self._activate_own()
            case {"buy_diamonds": count}:
                self._gain("diamond", count)
            case {"pay_any": count, "diamonds": gained}:
                yield from self._pay_in_order(count, different=False)
                self._gain("diamond", gained)
            case {"gain_one_of": materials}:
                yield from self._gain_one_of(materials)
            case {"pay_one_of": materials}:
                paid = yield from self._ask("pay", {f"pay {m}" for m in self._held(materials)})
                self._give(paid.split()[1], 1)
                self._gain_all(action)
            case {"reinforcement": _}:
                choice = yield from self._ask("reinforcement", {f"reinforce {tile}" for tile in self.reinforcements})
                self.reinforcements.remove(choice.split()[1])
                self.me.reinforcements.append(choice.split()[1])
            case {"exchange_with_player": _}:
                yield from self._exchange_with_player()
            case {"rubles_to_player": rubles, "prestige_from_player": prestige}:
                yield from self._rubles_to_player(rubles, prestige)
            case {"exchange_workshop_tile": _}:
                yield from self._false_plans()
            case {"any_die": _}:
                yield from self._resource(with_die=True)
            case _ if self._is_visitor(action):
                yield from self._visitor_influence(action, quadrant)
            case {"any_material": _}:
                yield from self._gain_one_of(list(MATERIALS))
            case _:
                self._gain_all(action)

    def _gain_all(self, action: Action) -> None:
        for kind in GAINS:
            if kind in action:
                self._gain(kind, action[kind])

    def _gain_one_of(self, materials: list[str]) -> Play:
        choice = yield from self._ask("gain", {f"gain {m}" for m in materials if self.supply[m]})
        self._take(choice.split()[1], 1)

    def _exchange(self, given: int, count: int) -> Play:
        """Exchange equal materials, with diamonds for missing ones, for others of any kind (R-23, R-67c)."""
        choice = yield from self._ask("pay", {f"pay {m}" for m in self._equal_payable(given)})
        paid = choice.split()[1]
        self._pay({paid: given})
        for _ in range(count):
            if self._room() and self._others(paid):
                choice = yield from self._ask("gain", {f"gain {m}" for m in self._others(paid)})
                self._take(choice.split()[1], 1)

    def _pay_in_order(self, count: int, different: bool) -> Play:
        """Make payments in the fixed order: different ones, with diamonds at the end (R-67c), or any but diamonds
        (R-68).
        """
        first = 0
        for still in range(count, 0, -1):
            options = set()
            for i in range(first, len(GOODS)):
                material, later = GOODS[i], [self.me.hand[m] for m in GOODS[i + 1 :]]
                if not self.me.hand[material] or (material == "diamond" and not different):
                    continue
                if material == "diamond":
                    reach = self.me.hand["diamond"]
                elif different:
                    reach = 1 + sum(n > 0 for n in later[:-1]) + later[-1]
                else:
                    reach = self.me.hand[material] + sum(later[:-1])
                if reach >= still:
                    options.add(f"pay {material}")
            paid = (yield from self._ask("pay", options)).split()[1]
            self._give(paid, 1)
            first = GOODS.index(paid) + (different and paid != "diamond")

    def _activate_own(self) -> Play:
        choice = yield from self._ask("tile", lambda: {f"workshop {slot}" for slot in self._useful_slots(self.seat)})
        yield from self._activate(self.me.slots[choice.split()[1]][0])

    def _activate_again(self, slots: tuple[str, ...] = SLOTS) -> Play:
        """Let the player activate a second tile or decline (R-52c, R-61, R-70)."""
        options = {f"workshop {slot}" for slot in self._useful_slots(self.seat, slots)} | {"done"}
        choice = yield from self._ask("tile", options)
        if choice != "done":
            yield from self._activate(self.me.slots[choice.split()[1]][0])
