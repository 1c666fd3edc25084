"""Ivan, the opponent of the solo game (R-30, R-31, R-81 to R-83)."""

from __future__ import annotations

from typing import Any

from .contractors import Contractors
from .names import MATERIALS, ORNAMENT, Play
from .position import Section


class Ivan(Contractors):
    """The turns of Ivan, who has seat 1."""

    def _set_ivan_up(self) -> None:
        dealt, board = self.deal["ivan"], self.tables["player"]
        self.row, self.tiles = list(dealt["cards"]), [tile.split(":")[1] for tile in dealt["tiles"]]
        self.up = [True] * len(self.tiles)
        self.inventory, self.construction = dict.fromkeys(MATERIALS, 0), dict.fromkeys(MATERIALS, 0)
        self.events: list[str] = []
        self.ivan_rolled: list[dict[str, int]] = []
        self.ivan_drawn: list[dict[str, Any]] = []
        self.ivans_tower = 0
        him = self.players[1]
        him.rubles = 0
        him.banners = {"inventory": 0, "spare": 6, "white1": 0, "white2": 0}
        him.ornaments = {"door": board["doors"], "arch": board["arches"], "cross": board["crosses"]}
        if self.module:
            him.track = self.tables["track"]["prestige"][self.x["solo"]["start_prestige"] - 1]
        best = max(tower[0].face["recognition"] for tower in self.towers)
        self._ivan_claims(next(tower[0] for tower in self.towers if tower[0].face["recognition"] == best))
        if self.module:
            placed = self.x["solo"]["contractors_placed"]
            him.row -= placed
            self.sent[self.city_over[self.ivans_tower]][1] += placed

    def _ivan_claims(self, section: Section) -> None:
        him = self.players[1]
        him.banners["spare"] -= 1
        section.owner = 1
        self.ivans_tower = section.tower
        kind, value = section.tile.split(":")
        section.tile = ""
        if kind == "recognition":
            self._ivan_gains(int(value))

    def _ivan_gains(self, count: int, in_events: bool = False) -> None:
        """Give Ivan recognition; `in_events` adds it to the events of a record of format 2."""
        self.players[1].track += count
        if count and (in_events or not self.expanded):
            self.events.append(f"recognition {count}")

    def _ivans_turn(self) -> Play:
        self.events, self.ivan_rolled, self.ivan_drawn = [], [], []
        if not any(self.up):
            yield from self._ivan_adorns()
            self.tiles = list(self._mixed) if self._mixed else self._random().sample(self.tiles, len(self.tiles))
            self.up = [True] * len(self.tiles)
            self.events.append("shuffle " + " ".join(self.tiles))
        place = self.up.index(True)
        self._ivan_moves(self.tiles[place])
        self.up[place] = False
        card = self.row[place]
        self.events.append(f"card {card}")
        if card == "recognition":
            self._ivan_gains(self.tables["solo"]["recognition"])
        elif card == "inventory":
            for _ in range(self.tables["solo"]["materials"]):
                most = max(MATERIALS, key=lambda m: self.supply[m])
                if self.supply[most]:
                    self.supply[most] -= 1
                    self.inventory[most] += 1
        elif card == "transport":
            for material in MATERIALS:
                self.construction[material] += self.inventory[material]
            self.inventory = dict.fromkeys(MATERIALS, 0)
        elif card == "claim":
            towers = self._ivans_towers()
            if towers and self.me.banners["spare"]:
                choice = yield from self._ask("ivan", {f"ivan claim {number}" for number in towers})
                self.events.append(choice.removeprefix("ivan "))
                self._ivan_claims(next(s for s in self.towers[int(choice.split()[2]) - 1] if s.owner is None))
        elif card == "construction":
            self._ivan_builds()
        else:
            self._ivan_hires()
        line = {"seat": 1, "point": "ivan turn", "events": self.events, "rolls": self.ivan_rolled}
        self.ivan_lines.append(line | ({"draws": self.ivan_drawn} if self.ivan_drawn else {}))

    def _ivan_moves(self, die: str) -> None:
        here = (self.space[die] + self.value[die]) % 8
        most = self.tables["market"]["dice_per_space"]
        if sum(self.space[other] == here for other in self.dice if other != die) >= most:
            self.events.append(f"blocked {die}")
            return
        self.events.append(f"move {die}")
        self.space[die] = here
        kind, amount = self._at(here)
        on_tile = amount * self.dice_on(here) if kind == "recognition" else 0
        free = [a["recognition"] for a in self.guilds[here // 2] if set(a) - {"unlimited"} == {"recognition"}]
        of_guild = max(free, default=0)
        if self.expanded:  # the record has one event for this
            self._ivan_gains(on_tile + of_guild, in_events=True)
        else:
            self._ivan_gains(on_tile)
            self._ivan_gains(of_guild)
        self._roll(here)

    def _ivans_towers(self) -> list[int]:
        """Return the towers where Ivan may claim: above the player's sections, else for a base, else all."""
        offers = {}
        for number, tower in enumerate(self.towers, 1):
            free = [level for level, section in enumerate(tower) if section.owner is None]
            if free:
                offers[number] = free[0]
        above = [n for n, level in offers.items() if level and self.towers[n - 1][level - 1].owner == 0]
        return above or [n for n, level in offers.items() if level == 0] or list(offers)

    def _ivan_builds(self) -> None:
        """Bring the materials level by level from the bases up, or with "towers" as the sections are counted."""
        in_order = self.sections()
        if self.tables["solo"].get("construction", "levels") == "levels":
            in_order = [tower[level] for level in range(5) for tower in self.towers if level < len(tower)]
        for section in in_order:
            if section.owner == 1 and not section.done:
                left = section.missing()
                for material in MATERIALS:
                    laid = min(left, self.construction[material])
                    self.construction[material] -= laid
                    section.delivered[material] += laid
                    left -= laid
                if left == 0:
                    self.events.append(f"complete {section.name}")
                    if section.face["recognition"] and not self.expanded:
                        self.events.append(f"recognition {section.face['recognition']}")
                    self._complete(section)

    def _ivan_adorns(self) -> Play:
        order = self.tables["solo"]["ornament_order"]
        if self.ornaments_placed(1) == len(order):
            return
        kind = order[self.ornaments_placed(1)]
        for owner in (0, 1):
            fitting = [
                s for s in self.sections()
                if s.done and s.owner == owner and s.ornament is None and ORNAMENT[s.kind] == kind
            ]  # fmt: skip
            if fitting:
                choice = yield from self._ask("ivan", {f"ivan adorn {s.name}" for s in fitting})
                self.events.append(choice.removeprefix("ivan "))
                self.section(choice.split()[2]).ornament = 1
                self.me.ornaments[kind] -= 1
                self._gain_prestige(self.me, self.tables["solo"]["ornament_prestige"])
                return

    def _ivan_hires(self) -> None:
        """Let Ivan hire (R-83)."""
        him, city = self.players[1], self.city_over[self.ivans_tower]
        if not him.row or not self.open[city]:
            return
        him.row -= 1
        self.sent[city][1] += 1
        self.events.append(f"hire {city}")
        if city == "moscow":
            self._gain_prestige(him, self.x["solo"]["prestige_in_moscow"])
            self.events.append(f"prestige {self.x['solo']['prestige_in_moscow']}")
            return
        slots = [slot for slot in sorted(self.x["cities"][city]) if self.slots[slot]]
        if not slots:
            return
        taken = [self.slots[slot] for slot in slots]
        self.events.append("specialists " + " ".join(map(str, taken)))
        gains = [self._specialist(tile).get("gain", {}) for tile in taken]
        self._ivan_gains(sum(gain.get("recognition", 0) for gain in gains), in_events=True)
        for slot, tile in zip(slots, taken, strict=True):
            self.slots[slot] = None
            tool = self._specialist(tile)["tool"]
            same = [other for other in him.tools if self._specialist(other)["tool"] == tool]
            if same:
                him.tools.remove(same[0])
                self.bag |= {same[0], tile}
                self.events.append(f"return {same[0]} {tile}")
            else:
                him.tools.append(tile)
        for slot in slots:
            self._refill(slot)
