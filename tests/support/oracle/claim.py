"""Claiming sections and building them (R-12 to R-18, R-57, R-67, R-69, R-80, R-82, R-84)."""

from __future__ import annotations

from .goods import Goods
from .names import GOODS, ORNAMENT, SLOTS, Play
from .position import Section


class ClaimAndBuild(Goods):
    """The two main actions of claiming and building."""

    # --- claim

    def _empty_slots(self) -> set[str]:
        return {slot for slot in SLOTS if slot not in self.me.slots and not self.me.banners.get(slot, 0)}

    def _claims(self) -> set[str]:
        options = set()
        for number, tower in enumerate(self.towers, 1):
            if all(section.owner is not None for section in tower):
                continue
            for source, count in self.me.banners.items():
                if count and (self._empty_slots() or source.startswith("white")):
                    options.add(f"claim {number} from {source}")
        return options

    def _claim(self, choice: str) -> Play:
        _, number, _, source = choice.split()
        self.me.banners[source] -= 1
        section = next(s for s in self.towers[int(number) - 1] if s.owner is None)
        section.owner = self.seat
        if self.solo and self.module:
            self.ivans_tower = section.tower
        self.free = False
        words = (yield from self._moment("place", self._places)).split()
        tile, section.tile = section.tile, ""
        if words[1] == "special":  # the section's tile leaves the game
            slot, up = words[2], True
            price = 0 if self.free else self._special_price()
            tile, self.me.special = f"special:{self.me.special}", None
        else:
            slot, up = words[1], words[2] == "up"
            price = 0 if self.free or not up else self.me.price[slot]
        self.me.slots[slot] = (tile, up)
        self.me.rubles -= price
        ornament = self.me.on_slot.pop(slot, None)
        if up:
            if ornament:
                self.me.ornaments[ornament] += 1
            yield from self._activate(tile, placed=True)

    def _special_price(self) -> int:
        """Return the price in rubles: the number of slots that are empty before placing."""
        return len(self._empty_slots())

    def _places(self) -> set[str]:
        empty = self._empty_slots()
        options = {f"place {slot} down" for slot in empty}
        options |= {f"place {slot} up" for slot in empty if self.free or self.me.rubles >= self.me.price[slot]}
        if self.me.special and (self.free or self.me.rubles >= self._special_price()):
            options |= {f"place special {slot}" for slot in empty}
        return options

    # --- build

    def _deliveries(self) -> set[str]:
        options = set()
        for section in self.sections():
            if section.owner == self.seat and not section.done:
                options |= {f"deliver {m} to {section.name}" for m in GOODS if section.needs(m) and self.me.hand[m]}
            ornament = ORNAMENT[section.kind]
            if section.done and section.ornament is None and self.me.ornaments[ornament]:
                if self.me.hand[self.tables["ornament"][ornament]]:
                    options.add(f"adorn {section.name}")
                if self.me.hand["diamond"]:  # R-67b
                    options.add(f"adorn {section.name} with diamond")
        return options

    def _deliver(self, left: int, choice: str = "") -> Play:
        """Make deliveries up to a limit; `choice` is the first of them if it is already chosen."""
        begun = False

        def options() -> set[str]:
            possible = self._deliveries()
            return possible | ({"done"} if begun or not possible else set())

        while left:
            if not choice:
                choice = yield from self._moment("build", options)
            if choice == "done":
                return
            begun = True
            left -= yield from self._deliver_one(choice, left)
            choice = ""

    def _deliver_one(self, choice: str, limit: int) -> Play:
        """Make one delivery, with the gems of an ornament; return how many deliveries it was."""
        words = choice.split()
        if words[0] == "adorn":
            material = "diamond" if words[-1] == "diamond" else ""
            return 1 + (yield from self._adorn(self.section(words[1]), material, limit - 1))
        section = self.section(words[3])
        self.me.hand[words[1]] -= 1
        section.delivered[words[1]] += 1
        if not section.missing():
            self._complete(section)
        return 1

    def _complete(self, section: Section) -> None:
        """Complete a section in the order of the steps of R-57."""
        for material, count in section.delivered.items():
            if count:
                self.supply[material] += count
        section.delivered, section.done = dict.fromkeys(GOODS, 0), True
        self.me.track += section.face["recognition"]
        if not (self.solo and self.seat == 1):
            self.me.rubles += section.face["rubles"]
        watched = section.tower == self.foreman - 1
        if watched:
            self.me.track += self.x["foreman"]["recognition_for_section"]
        penalty = self.x["foreman"]["penalty_per_section"] if watched else 1
        tower = self.towers[section.tower]
        for below in tower[: tower.index(section)]:
            if not below.done:
                above = tower[tower.index(below) + 1 :]
                each = 1 if below.owner == section.owner else penalty  # doubled for other players only
                lost = each * sum(s.done and s.owner != below.owner for s in above)
                owner = self.players[below.owner]
                owner.track = max(0, owner.track - lost)
        if self.module and all(s.done for s in tower):
            self._close_city(section.tower)
        finished = sum(s.done and s.owner == self.seat for s in self.sections())
        if finished == self.tables["ending"]["sections_to_end"] and self.ending is None:
            self.ending = self.seat
            if not self.solo:
                self._gain_prestige(self.me, self.tables["ending"]["prestige_for_ending"])

    def _adorn(self, section: Section, material: str, left: int) -> Play:
        """Place an ornament with as many gems as deliveries are left; return the number of gems (R-17, R-67b)."""
        table, ornament = self.tables["ornament"], ORNAMENT[section.kind]
        self.me.ornaments[ornament] -= 1
        section.ornament = self.seat
        self._give(material or table[ornament], 1)

        def gems(words: str) -> list[str]:
            return ["diamond" if word == "diamond" else f"{word}_gem" for word in words.split() if word != "none"]

        one, equal, different = (
            table[f"prestige_{how}"] for how in ("one_gem", "two_equal_gems", "two_different_gems")
        )
        worth = {"none": 0, "green": one, "purple": one, "diamond": one, "green green": equal, "purple purple": equal}
        worth |= {"green purple": different, "green diamond": different, "purple diamond": different}
        worth |= {"diamond diamond": different}
        options = {
            f"gems {words}"
            for words in worth
            if len(gems(words)) <= left and all(self.me.hand[g] >= gems(words).count(g) for g in gems(words))
        }
        choice = (yield from self._ask("gems", options)).removeprefix("gems ")
        for gem in gems(choice):
            self._give(gem, 1)
        self._gain_prestige(self.me, worth[choice])
        return len(gems(choice))
