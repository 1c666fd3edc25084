"""Special tiles, thieves and reinforcement tiles (R-65, R-80, R-84, R-85)."""

from __future__ import annotations

from .guilds import Action
from .names import GOODS, SLOTS, Play
from .position import Section
from .visitors import Visitors


class Promos(Visitors):
    """The effects of the promos and the brickmakers' tiles."""

    # --- special tiles

    def _choose_special_tiles(self) -> Play:
        left = list(self.x["special_tiles"])
        for seat in reversed(range(self.players_asked)):
            self.seat = seat
            choice = yield from self._ask("special", {f"special {name}" for name in left})
            self.me.special = choice.split()[1]
            left.remove(self.me.special)

    def _special_useful(self, name: str) -> bool:
        effect = self.x["special_tiles"][name]
        if name == "diamond":
            return self._most("diamond", effect["diamonds"]) > 0
        if name == "material":
            return True  # the ruble is always an effect
        if name == "die":
            return bool(self._spaces(with_die=True))
        if self.guild_tile_open:
            return False
        with self.supposing():
            self.guild_tile_open = True
            return bool(self._influences())

    def _activate_special(self, name: str, placed: bool) -> Play:
        effect = self.x["special_tiles"][name]
        if name == "diamond":
            self._gain("diamond", effect["diamonds"])
        elif name == "material":
            self._gain("rubles", effect["rubles"])
            yield from self._pieces(effect["any_material"], refusable=True)
        elif name == "die":
            yield from self._resource(with_die=True, placed=placed)
        else:
            yield from self._visit_a_guild(placed)

    def _visit_a_guild(self, placed: bool) -> Play:
        """Use one action of a guild as in a visit: an unlimited one may be repeated."""
        self.guild_tile_open = True
        choice = "done"
        if self._influences():
            choice = yield from self._ask("influence", lambda: self._influences() | ({"done"} if placed else set()))
        while choice != "done":
            yield from self._influence_by(choice)
            _, quadrant, side = choice.split()
            unlimited = self.guilds[int(quadrant)][int(side) - 1].get("unlimited", False)
            again = {choice} & self._influences() if unlimited else set()
            choice = yield from self._ask("influence", again | {"done"})
        self.guild_tile_open = False

    # --- thieves

    def _theft_possible(self, action: Action) -> bool:
        if "exchange_with_player" in action:
            return any(self._swappers(m) for m in GOODS if self.me.hand[m])
        if "rubles_to_player" in action:
            return self.me.rubles >= action["rubles_to_player"] and bool(self._losers(action["prestige_from_player"]))
        return any(self._plans_for(slot) for slot in SLOTS)

    def _swappers(self, material: str) -> list[int]:
        """Return the players who have another kind to give back."""
        return [s for s in self.others() if any(n for m, n in self.players[s].hand.items() if m != material)]

    def _exchange_with_player(self) -> Play:
        """Exchange materials with a player; both change hands with the last of the three choices."""
        options = {f"pay {m}" for m in GOODS if self.me.hand[m] and self._swappers(m)}
        mine = (yield from self._ask("pay", options)).split()[1]
        other = self.players[(yield from self._choose_player(self._swappers(mine)))]
        options = {f"gain {m}" for m in GOODS if other.hand[m] and m != mine}
        theirs = (yield from self._ask("gain", options)).split()[1]
        for material, giver, taker in ((mine, self.me, other), (theirs, other, self.me)):
            giver.hand[material] -= 1
            taker.hand[material] += 1

    def _losers(self, prestige: int) -> list[int]:
        return [seat for seat in self.others() if self._can_lose_prestige(self.players[seat], prestige)]

    def _rubles_to_player(self, rubles: int, prestige: int) -> Play:
        seat = yield from self._choose_player(self._losers(prestige))
        self.me.rubles -= rubles
        if not (self.solo and seat == 1):  # rubles paid to Ivan leave the game
            self.players[seat].rubles += rubles
        self._lose_prestige(self.players[seat], prestige)
        self._gain_prestige(self.me, prestige)

    def _plans_for(self, slot: str) -> list[Section]:
        """Return the sections whose tile shows something else than the tile in the slot."""
        if slot not in self.me.slots or self.me.slots[slot][0].startswith("special"):
            return []
        return [s for s in self.sections() if s.tile and s.owner is None and s.tile != self.me.slots[slot][0]]

    def _false_plans(self) -> Play:
        slot = (yield from self._ask("tile", {f"workshop {s}" for s in SLOTS if self._plans_for(s)})).split()[1]
        choice = yield from self._ask("section", {f"section {s.name}" for s in self._plans_for(slot)})
        section, (old, up) = self.section(choice.split()[1]), self.me.slots[slot]
        self.me.slots[slot], section.tile = (section.tile, up), old

    # --- reinforcement tiles

    def _reinforcing(self, tile: str, point: str) -> bool:
        """Return whether the tile would have an effect at this decision point."""
        if tile == "guild":
            return bool(self._influences())
        if tile == "workshop":
            return bool(self._useful_slots(self.seat))
        if tile == "deliver":
            return bool(self._deliveries())
        if tile == "free":
            return point == "place"
        if tile == "materials":
            return self._most("any_material", 1) > 0
        if tile == "die":
            return bool(self._spaces(with_die=True))
        return True

    def _reinforce(self, tile: str) -> Play:
        """Use a reinforcement tile, which leaves the game, and open the decision again."""
        effect = self.x["reinforcements"][tile]
        self.reinforced = True
        self.me.reinforcements.remove(tile)
        if tile == "guild":
            yield from self._influence_by((yield from self._ask("influence", self._influences)))
        elif tile == "workshop":
            yield from self._activate_own()
        elif tile == "deliver":
            yield from self._deliver(effect["deliver"])
        elif tile == "free":
            self.free = True
        elif tile == "materials":
            yield from self._pieces(effect["any_material"], refusable=False)
        elif tile == "die":
            yield from self._resource(with_die=True)
        else:
            self._gain(tile, effect[tile])
