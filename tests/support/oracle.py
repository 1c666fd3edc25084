"""The rules a second time: plain Python in the words of the game record, written from the rulings, slow and obvious.

A turn is a coroutine that asks wherever a player decides, so that nothing here resembles the engine's stack of points.
It reads the numbers from the data file and takes the deal and the rolls it is given. `test_oracle.py` plays random
games on both and compares legal actions and positions at every decision.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Generator, Mapping
from typing import Any

from table import COLOURS, DICE, GUILDS, KINDS, MATERIALS, SLOTS, tile_name

from rc_env import Engine
from rc_env.layout.notation import ivan_turn

Question = tuple[str, frozenset[str]]  # point, legal actions
Play = Generator[Question, str, Any]
ORNAMENT = {"base": "door", "middle": "arch", "dome": "cross"}
IVAN = ("recognition", "inventory", "transport", "claim", "construction")


class Section:
    """A cathedral card on the site."""

    def __init__(self, name: str, kind: str, face: Mapping[str, Any], tile: str) -> None:
        self.name, self.kind, self.face, self.tile = name, kind, face, tile
        self.owner: int | None = None
        self.delivered: dict[str, int] = {}
        self.done = False
        self.ornament: int | None = None

    def needs(self, material: str) -> int:
        return 0 if self.done else self.face["cost"].get(material, 0) - self.delivered.get(material, 0)


class Player:
    """Goods, banners, ornaments and workshop of a seat."""

    def __init__(self, seat: int, tables: Mapping[str, Any], advanced: bool) -> None:
        board = tables["player"]
        self.track, self.rubles = tables["track"]["start"], board["starting_rubles"][seat]
        self.hand = dict.fromkeys(MATERIALS, 0)
        self.banners = {"inventory": board["banners_in_inventory"], "spare": 0, "white1": 0, "white2": 0}
        self.banners |= {"white1": 1, "white2": 1} if advanced else {"spare": board["banners_spare"]}
        self.ornaments = {"door": board["doors"], "arch": board["arches"], "cross": board["crosses"]}
        self.placed = 0
        self.slots: dict[str, tuple[str, bool]] = {}
        self.price: dict[str, int] = {}
        self.on_slot: dict[str, str] = {}
        for slot in SLOTS:
            key = ("own", "next1", "next2", "next3")[(COLOURS.index(slot) - seat) % 4] if slot in COLOURS else slot
            sides = tables["workshop"]
            self.price[slot] = sides["advanced"]["price"] if advanced else sides["basic"]["price"][key]
            if advanced and slot in COLOURS:
                self.on_slot[slot] = sides["advanced"]["ornament"][key]
        if advanced:
            self.ornaments = dict.fromkeys(self.ornaments, 0)


class Oracle:
    """One game."""

    def __init__(self, engine: Engine) -> None:
        """The game that has just been dealt in the engine's only row."""
        rules, game = engine.ruleset, engine.games[0]
        self.tables = rules.data_file.tables
        self.seats, self.advanced, self.limit = rules.seats, rules.workshop == "advanced", rules.turn_limit
        self.solo = rules.players == 1
        self.players = [Player(seat, self.tables, self.advanced) for seat in range(self.seats)]
        self.supply = {m: self.tables["supply"][m] for m in MATERIALS}
        track = self.tables["track"]
        self.prestige_spaces = [lap * track["length"] + p for lap in range(60) for p in track["prestige"]]
        self.market = [tile_name(self.tables["market"]["tile"][kind]) for kind in game.market]
        first = {guild: sum(len(self.tables["guilds"][g]) for g in GUILDS[:i]) for i, guild in enumerate(GUILDS)}
        met = [GUILDS[guild] for guild in game.guild]
        self.guilds = [self.tables["guilds"][g][game.influence[q] - first[g]] for q, g in enumerate(met)]
        self.space = {die: int(game.die_space[i]) for i, die in enumerate(DICE)}
        self.value = {die: int(game.die_value[i]) for i, die in enumerate(DICE)}
        faces = [(kind, face) for kind in KINDS for face in self.tables["cards"][kind]]
        self.towers: list[list[Section]] = []
        section = 0
        for number, height in enumerate(self.tables["plans"][str(self.seats)][game.plan], 1):
            tower = []
            for level in range(1, height + 1):
                kind, face = faces[game.number[section]]
                assert kind == ("base" if level == 1 else "dome" if level == height else "middle")
                kind_of_tile = game.tile[section] if game.tile[section] >= 0 else game.ivan_dealt
                tile = tile_name(self.tables["workshop"]["tile"][kind_of_tile])
                tower.append(Section(f"{number}.{level}", kind, face, tile))
                section += 1
            self.towers.append(tower)
        self.turn, self.seat, self.ending, self.over = 0, 0, None, ""
        self.rolls: list[int] = []
        self.mixed: list[str] = []
        self.events: list[str] = []
        if self.solo:
            self._set_ivan_up(game)
        self.question: Question | None = None
        self._game = self._play_game()
        self._advance(None)

    def _advance(self, answer: str | None) -> None:
        try:
            self.question = self._game.send(answer)
        except StopIteration:
            self.question = None

    def play(self, action: str, rolls: list[int], mixed: list[str] | None = None) -> None:
        """One decision; `rolls` are the values of the dice rolled in consequence, `mixed` the dice that Ivan lays."""
        assert self.question and action in self.question[1]
        self.rolls, self.mixed = list(rolls), mixed or []
        self._advance(action)

    # --- decisions

    def _ask(self, point: str, options: set[str]) -> Play:
        assert options
        if len(options) == 1:
            return next(iter(options))
        return (yield point, frozenset(options))

    def _moment(self, point: str, options: Callable[[], set[str]]) -> Play:
        """A decision at which the optional actions are open."""
        while True:
            choice = yield from self._ask(point, options() | self._optional())
            if choice == "rubles":
                self._lose_prestige(self.me, 1)
                self.me.rubles += self.tables["optional"]["rubles_per_prestige"]
            elif choice.startswith("reroll"):
                self._lose_prestige(self.me, self.tables["optional"]["prestige_per_reroll"])
                self.rerolled = True
                self._roll(int(choice.split()[1]))
            else:
                return choice

    def _optional(self) -> set[str]:
        behind = bisect_left(self.prestige_spaces, self.me.track)
        options = {"rubles"} if behind >= 1 else set()
        if not self.rerolled and behind >= self.tables["optional"]["prestige_per_reroll"]:
            options |= {f"reroll {space}" for space in self.space.values()}
        return options

    @property
    def me(self) -> Player:
        return self.players[self.seat]

    # --- track

    def _gain_prestige(self, player: Player, count: int) -> None:
        for _ in range(count):
            player.track = self.prestige_spaces[bisect_right(self.prestige_spaces, player.track)]

    def _lose_prestige(self, player: Player, count: int) -> None:
        for _ in range(count):
            player.track = self.prestige_spaces[bisect_left(self.prestige_spaces, player.track) - 1]

    # --- turns

    def _play_game(self) -> Play:
        while not self.over:
            self.turn += 1
            if self.solo and self.seat == 1:
                yield from self._ivans_turn()
            else:
                yield from self._players_turn()
            following = (self.seat + 1) % self.seats
            if following == self.ending:
                self.over = "terminated"
            elif self.turn == self.limit:
                self.over = "truncated"
            else:
                self.seat = following

    def _players_turn(self) -> Play:
        self.rerolled = False
        choice = yield from self._moment("start", self._main_actions)
        verb = choice.split()[0]
        if verb == "move":
            yield from self._acquire(choice)
        elif verb == "claim":
            yield from self._claim(choice)
        else:
            yield from self._deliver(self.tables["build"]["deliveries"], choice)
        yield from self._moment("end", lambda: {"done"})

    def _main_actions(self) -> set[str]:
        return self._moves() | self._claims() | self._deliveries()

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
        self.waiting = section
        _, slot, side = (yield from self._moment("place", self._places)).split()
        self.waiting = None
        tile, section.tile = section.tile, ""
        self.me.slots[slot] = (tile, side == "up")
        ornament = self.me.on_slot.pop(slot, None)
        if side == "up":
            self.me.rubles -= self.me.price[slot]
            if ornament:
                self.me.ornaments[ornament] += 1
            yield from self._benefit(tile, placed=True)

    def _places(self) -> set[str]:
        empty = self._empty_slots()
        paid = {f"place {slot} up" for slot in empty if self.me.rubles >= self.me.price[slot]}
        return paid | {f"place {slot} down" for slot in empty}

    # --- what tiles give

    def _room(self) -> int:
        return self.tables["player"]["inventory_spaces"] - self.me.banners["inventory"] - sum(self.me.hand.values())

    def _worth(self, tile: str) -> tuple[str, int]:
        kind, value = tile.split(":")
        if kind == "die":
            kind, value = self.market[self.space[value]].split(":")
        return kind, int(value)

    def _most(self, kind: str, amount: int) -> int:
        """How much of it the player can have."""
        if kind in ("rubles", "recognition"):
            return amount
        if kind == "any_material":
            return min(1, self._room(), max(self.supply.values()))
        return min(amount, self._room(), self.supply[kind])

    def _receive(self, kind: str, amount: int, placed: bool) -> Play:
        most = self._most(kind, amount)
        if kind == "rubles":
            self.me.rubles += amount
        elif kind == "recognition":
            self.me.track += amount
        elif most and kind == "any_material":
            options = {f"gain {m}" for m in MATERIALS if self.supply[m]} | ({"take 0"} if placed else set())
            choice = yield from self._ask("take", options)
            if choice != "take 0":
                self._take(choice.split()[1], 1)
        elif most:
            choice = yield from self._ask("take", {f"take {n}" for n in range(0 if placed else 1, most + 1)})
            self._take(kind, int(choice.split()[1]))

    def _benefit(self, tile: str, placed: bool = False) -> Play:
        yield from self._receive(*self._worth(tile), placed)

    def _take(self, material: str, count: int) -> None:
        self.me.hand[material] += count
        self.supply[material] -= count

    def _useful(self, slots: set[str]) -> set[str]:
        """Slots with a face-up tile that would give something."""
        tiles = {slot: self.me.slots[slot] for slot in slots if slot in self.me.slots}
        return {slot for slot, (tile, up) in tiles.items() if up and self._most(*self._worth(tile)) > 0}

    # --- build

    def _sections(self) -> list[Section]:
        return [section for tower in self.towers for section in tower]

    def _deliveries(self) -> set[str]:
        options = set()
        for section in self._sections():
            for material in MATERIALS:
                if section.owner == self.seat and section.needs(material) and self.me.hand[material]:
                    options.add(f"deliver {material} to {section.name}")
            ornament = ORNAMENT[section.kind]
            to_hand = self.me.ornaments[ornament] and self.me.hand[self.tables["ornament"][ornament]]
            if section.done and section.ornament is None and to_hand:
                options.add(f"adorn {section.name}")
        return options

    def _deliver(self, left: int, choice: str = "") -> Play:
        begun = False
        while left:
            if not choice:
                stop = {"done"} if begun else set()
                choice = yield from self._moment("build", lambda stop=stop: self._deliveries() | stop)
            words, choice = choice.split(), ""
            if words[0] == "done":
                return
            begun = True
            section = next(s for s in self._sections() if s.name == words[-1])
            left -= 1
            if words[0] == "deliver":
                self.me.hand[words[1]] -= 1
                section.delivered[words[1]] = section.delivered.get(words[1], 0) + 1
                if not any(section.needs(m) for m in MATERIALS):
                    self._complete(section)
            else:
                left -= yield from self._adorn(section, left)

    def _complete(self, section: Section) -> None:
        for material, count in section.delivered.items():
            self.supply[material] += count
        section.delivered, section.done = {}, True
        self.me.track += section.face["recognition"]
        if not (self.solo and self.seat == 1):
            self.me.rubles += section.face["rubles"]
        tower = next(tower for tower in self.towers if section in tower)
        for below in tower[: tower.index(section)]:
            if not below.done:
                above = tower[tower.index(below) + 1 :]
                lost = sum(s.done and s.owner != below.owner for s in above)
                owner = self.players[below.owner]
                owner.track = max(0, owner.track - lost)
        finished = sum(s.done and s.owner == self.seat for s in self._sections())
        if finished == self.tables["ending"]["sections_to_end"] and self.ending is None:
            self.ending = self.seat
            if not self.solo:
                self._gain_prestige(self.me, self.tables["ending"]["prestige_for_ending"])

    def _adorn(self, section: Section, left: int) -> Play:
        table, ornament = self.tables["ornament"], ORNAMENT[section.kind]
        self.me.ornaments[ornament] -= 1
        self.me.placed += 1
        section.ornament = self.seat
        self._give(table[ornament], 1)
        worth = {
            "none": 0,
            "green": table["prestige_one_gem"],
            "purple": table["prestige_one_gem"],
            "green green": table["prestige_two_equal_gems"],
            "purple purple": table["prestige_two_equal_gems"],
            "green purple": table["prestige_two_different_gems"],
        }

        def gems(choice: str) -> list[str]:
            return [] if choice == "none" else [f"{colour}_gem" for colour in choice.split()]

        options = {
            f"gems {choice}"
            for choice in worth
            if len(gems(choice)) <= left and all(self.me.hand[g] >= gems(choice).count(g) for g in gems(choice))
        }
        choice = (yield from self._ask("gems", options)).removeprefix("gems ")
        for gem in gems(choice):
            self._give(gem, 1)
        self._gain_prestige(self.me, worth[choice])
        return len(gems(choice))

    def _give(self, material: str, count: int) -> None:
        self.me.hand[material] -= count
        self.supply[material] += count

    # --- market

    def _moves(self) -> set[str]:
        options = set()
        step = self.tables["market"]["rubles_per_extra_step"]
        for die in DICE:
            for extra in range(8):
                free = die in (COLOURS[self.seat], "white")
                if extra and not (free and extra * step <= self.me.rubles):
                    continue
                target = (self.space[die] + self.value[die] + extra) % 8
                if sum(self.space[other] == target for other in DICE if other != die) < 3:
                    options.add(f"move {die}" + (f" +{extra}" if extra else ""))
        return options

    def _roll(self, space: int) -> None:
        for die in DICE:
            if self.space[die] == space:
                self.value[die] = self.rolls.pop(0)

    def _acquire(self, choice: str) -> Play:
        words = choice.split()
        self.die, extra = words[1], int(words[2]) if len(words) > 2 else 0
        self.me.rubles -= extra * self.tables["market"]["rubles_per_extra_step"]
        self.here = (self.space[self.die] + self.value[self.die] + extra) % 8
        self.space[self.die] = self.here
        self.obtained = self.worked = False
        self.guild_side, self.repeatable = None, False
        while True:
            choice = yield from self._moment("market", self._market_actions)
            if choice == "done":
                break
            if choice == "obtain":
                self.obtained, self.repeatable = True, False
                kind, amount = self.market[self.here].split(":")
                dice = sum(space == self.here for space in self.space.values())
                yield from self._receive(kind, int(amount) * dice, placed=False)
            elif choice.startswith("workshop"):
                self.worked, self.repeatable = True, False
                yield from self._benefit(self.me.slots[choice.split()[1]][0])
            else:
                self.guild_side = int(choice.split()[1]) - 1
                action = self.guilds[self.here // 2][self.guild_side]
                self.repeatable = action.get("unlimited", False)
                yield from self._influence(action)
        self._roll(self.here)

    def _market_actions(self) -> set[str]:
        options = {"done"}
        kind, amount = self.market[self.here].split(":")
        if not self.obtained and self._most(kind, int(amount)):
            options.add("obtain")
        if not self.worked:
            slots = {"white1", "white2"} if self.die == "white" else {self.die}
            options |= {f"workshop {slot}" for slot in self._useful(slots)}
        for side, action in enumerate(self.guilds[self.here // 2]):
            fresh = self.guild_side is None or (self.guild_side == side and self.repeatable)
            if fresh and self._possible(action):
                options.add(f"guild {side + 1}")
        return options

    # --- guilds

    def _named(self, materials: str | list[str]) -> list[str]:
        return list(MATERIALS) if materials == "any" else [m for m in MATERIALS if m in materials]

    def _others(self, material: str) -> list[str]:
        """What can be received for a material."""
        return [m for m in MATERIALS if m != material and self.supply[m]]

    def _payable(self, count: int) -> list[str]:
        """Materials of which the player has that many and for which another one can be received."""
        return [m for m in MATERIALS if self.me.hand[m] >= count and self._others(m)]

    def _possible(self, action: Mapping[str, Any]) -> bool:
        if "sell" in action:
            return any(self.me.hand[m] for m in self._named(action["sell"]))
        if self.me.rubles < action.get("price", 0):
            return False
        if "buy" in action:
            return self._room() > 0 and any(self.supply[m] for m in self._named(action["buy"]))
        if "deliver" in action:
            return bool(self._deliveries())
        if "exchange_equal" in action:
            return bool(self._payable(action["exchange_equal"]))
        if "exchange_any" in action:
            return bool(self._payable(1))
        if "activate_workshop" in action:
            return bool(self._useful(set(SLOTS)))
        if "discard_different" in action:
            return sum(n > 0 for n in self.me.hand.values()) >= action["discard_different"]
        if "each_type_completed" in action:
            return {s.kind for s in self._sections() if s.done and s.owner == self.seat} == set(KINDS)
        return True

    def _influence(self, action: Mapping[str, Any]) -> Play:
        if "sell" in action:
            options = {f"pay {m}" for m in self._named(action["sell"]) if self.me.hand[m]}
            self._give((yield from self._ask("pay", options)).split()[1], 1)
            self.me.rubles += action["price"]
            return
        self.me.rubles -= action.get("price", 0)
        if "buy" in action:
            options = {f"gain {m}" for m in self._named(action["buy"]) if self.supply[m]}
            self._take((yield from self._ask("gain", options)).split()[1], 1)
        elif "deliver" in action:
            yield from self._deliver(action["deliver"])
        elif "exchange_equal" in action or "exchange_any" in action:
            given = action.get("exchange_equal", 1)
            choice = yield from self._ask("pay", {f"pay {m}" for m in self._payable(given)})
            paid = choice.split()[1]
            self._give(paid, given)
            for _ in range(action.get("for_any", 1)):
                if self._room() and self._others(paid):
                    choice = yield from self._ask("gain", {f"gain {m}" for m in self._others(paid)})
                    self._take(choice.split()[1], 1)
        elif "activate_workshop" in action:
            choice = yield from self._ask("tile", {f"workshop {slot}" for slot in self._useful(set(SLOTS))})
            yield from self._benefit(self.me.slots[choice.split()[1]][0])
        elif "swap_market_tiles" in action:
            choice = yield from self._ask("swap", {f"swap {s} {t}" for t in range(8) for s in range(t)})
            s, t = map(int, choice.split()[1:])
            self.market[s], self.market[t] = self.market[t], self.market[s]
        elif "discard_different" in action:
            yield from self._discard(action["discard_different"])
            self._gain_prestige(self.me, action["prestige"])
        elif "recognition" in action:
            self.me.track += action["recognition"]
        elif "prestige" in action:
            self._gain_prestige(self.me, action["prestige"])
        else:
            self.me.rubles += action["rubles"]

    def _discard(self, count: int) -> Play:
        kinds = [m for m in MATERIALS if self.me.hand[m]]
        for still in range(count, 0, -1):
            fitting = kinds[: len(kinds) - still + 1]  # so many must follow that the set can be completed
            paid = (yield from self._ask("pay", {f"pay {m}" for m in fitting})).split()[1]
            self._give(paid, 1)
            kinds = kinds[kinds.index(paid) + 1 :]

    # --- Ivan

    def _set_ivan_up(self, game: Any) -> None:
        self.row, self.tiles, self.up = [IVAN[i] for i in game.ivan_card], [DICE[i] for i in game.ivan_tile], [True] * 5
        self.inventory, self.construction = dict.fromkeys(MATERIALS, 0), dict.fromkeys(MATERIALS, 0)
        him, board = self.players[1], self.tables["player"]
        him.rubles, him.price = 0, {}
        him.banners = {"inventory": 0, "spare": 6, "white1": 0, "white2": 0}
        him.ornaments = {"door": board["doors"], "arch": board["arches"], "cross": board["crosses"]}
        best = max(tower[0].face["recognition"] for tower in self.towers)
        self._ivan_claims(next(tower[0] for tower in self.towers if tower[0].face["recognition"] == best))

    def _ivan_claims(self, section: Section) -> None:
        him = self.players[1]
        him.banners["spare"] -= 1
        section.owner = 1
        kind, value = section.tile.split(":")
        section.tile = ""
        if kind == "recognition":
            self._ivan_gains(int(value))

    def _ivan_gains(self, count: int) -> None:
        self.players[1].track += count
        if count:
            self.events.append(f"recognition {count}")

    def _ivans_turn(self) -> Play:
        self.events = []
        if not any(self.up):
            yield from self._ivan_adorns()
            self.tiles, self.up = list(self.mixed), [True] * 5
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
        else:
            self._ivan_builds()

    def _ivan_moves(self, die: str) -> None:
        here = (self.space[die] + self.value[die]) % 8
        if sum(self.space[other] == here for other in DICE if other != die) >= 3:
            self.events.append(f"blocked {die}")
            return
        self.events.append(f"move {die}")
        self.space[die] = here
        kind, amount = self.market[here].split(":")
        if kind == "recognition":
            self._ivan_gains(int(amount) * list(self.space.values()).count(here))
        free = [a["recognition"] for a in self.guilds[here // 2] if set(a) - {"unlimited"} == {"recognition"}]
        self._ivan_gains(max(free, default=0))
        self._roll(here)

    def _ivans_towers(self) -> list[int]:
        """Above the player's, else bases, else anywhere."""
        offers = {}
        for number, tower in enumerate(self.towers, 1):
            free = [level for level, section in enumerate(tower) if section.owner is None]
            if free:
                offers[number] = free[0]
        above = [n for n, level in offers.items() if level and self.towers[n - 1][level - 1].owner == 0]
        return above or [n for n, level in offers.items() if level == 0] or list(offers)

    def _ivan_builds(self) -> None:
        for section in self._sections():
            if section.owner == 1 and not section.done:
                left = sum(section.face["cost"].values()) - sum(section.delivered.values())
                for material in MATERIALS:
                    laid = min(left, self.construction[material])
                    self.construction[material] -= laid
                    section.delivered[material] = section.delivered.get(material, 0) + laid
                    left -= laid
                if left == 0:
                    self.events.append(f"complete {section.name}")
                    if section.face["recognition"]:
                        self.events.append(f"recognition {section.face['recognition']}")
                    self._complete(section)

    def _ivan_adorns(self) -> Play:
        order = self.tables["solo"]["ornament_order"]
        if self.me.placed == len(order):
            return
        kind = order[self.me.placed]
        for owner in (0, 1):
            fitting = [
                s for s in self._sections()
                if s.done and s.owner == owner and s.ornament is None and ORNAMENT[s.kind] == kind
            ]  # fmt: skip
            if fitting:
                choice = yield from self._ask("ivan", {f"ivan adorn {s.name}" for s in fitting})
                self.events.append(choice.removeprefix("ivan "))
                next(s for s in fitting if s.name == choice.split()[2]).ornament = 1
                self.me.ornaments[kind] -= 1
                self.me.placed += 1
                self._gain_prestige(self.me, self.tables["solo"]["ornament_prestige"])
                return

    # --- the end

    def scores(self) -> list[dict[str, Any]]:
        """Track, goods and towers of each seat."""
        result = []
        for player in self.players:
            goods = sum(player.hand.values()) + player.rubles
            track = bisect_right(self.prestige_spaces, player.track)
            towers = [0] * len(self.towers)
            result.append(
                {"track": track, "goods": goods // self.tables["ending"]["goods_per_prestige"], "towers": towers}
            )
        for number, tower in enumerate(self.towers):
            built = [section for section in tower if section.done]
            worth = 2 * len(built) + sum(section.ornament is not None for section in built)
            presence = [sum((s.owner == p) + (s.ornament == p) for s in built) for p in range(self.seats)]
            for seat, share in enumerate(self._shares(worth, presence)):
                result[seat]["towers"][number] = share
        return result

    def _shares(self, worth: int, presence: list[int]) -> list[int]:
        if self.seats == 2:
            third = worth // 3
            return [worth if a > b else third if 0 < a < b else 0 for a, b in (presence, presence[::-1])]
        shares = []
        for mine in presence:
            better, equal = sum(n > mine for n in presence), presence.count(mine)
            places = [worth // 2**place for place in range(better, better + equal)]
            shares.append(sum(places) // equal if mine else 0)
        return shares

    def places(self) -> list[int]:
        """From 0; tied seats share the better place."""
        keys = []
        for seat, score in enumerate(self.scores()):
            done = sum(s.done and s.owner == seat for s in self._sections())
            keys.append((score["track"] + score["goods"] + sum(score["towers"]), done, self.players[seat].placed))
        return [sum(other > key for other in keys) for key in keys]

    # --- comparison

    def state(self) -> dict[str, Any]:
        """The position, as `engine_state` tells that of an engine."""
        mine = {}
        if self.solo:
            cards = [list(self.inventory.values()), list(self.construction.values())]
            mine = {"ivan": (cards, list(self.row), list(self.tiles), list(self.up)), "events": list(self.events)}
        return mine | {
            "seat": 0 if self.solo else self.seat,
            "turn": self.turn,
            "over": self.over,
            "track": [p.track for p in self.players],
            "rubles": [p.rubles for p in self.players],
            "hands": [list(p.hand.values()) for p in self.players],
            "banners": [list(p.banners.values()) for p in self.players],
            "ornaments": [list(p.ornaments.values()) for p in self.players],
            "slots": [[p.slots.get(slot) for slot in SLOTS] for p in self.players],
            "supply": list(self.supply.values()),
            "market": list(self.market),
            "dice": [(self.space[die], self.value[die]) for die in DICE],
            "sections": [(s.owner, s.done, s.ornament, s.tile, self._on_card(s)) for s in self._sections()],
        }

    def _on_card(self, section: Section) -> list[int]:
        """What a section still needs; of one of Ivan's, what lies on it."""
        if self.solo and section.owner == 1:
            return [section.delivered.get(m, 0) for m in MATERIALS]
        return [section.needs(m) for m in MATERIALS]


def engine_state(engine: Engine) -> dict[str, Any]:
    """The position in the engine's only row."""
    tables, game, seats = engine.ruleset.data_file.tables, engine.games[0], range(engine.num_seats)
    tiles = [tile_name(tile) for tile in tables["workshop"]["tile"]]

    def seat_or_none(number: int) -> int | None:
        return None if number < 0 else int(number)

    mine = {}
    if engine.ruleset.solo:
        row, tiles_there = [IVAN[i] for i in game.ivan_card], [DICE[i] for i in game.ivan_tile]
        cards = game.ivan_goods[:, :6].tolist()
        mine = {"ivan": (cards, row, tiles_there, [bool(up) for up in game.ivan_up])}
        mine["events"] = ivan_turn(engine.games[0])["events"]
    return mine | {
        "seat": int(game.seat),
        "turn": int(game.turn),
        "over": ("", "terminated", "truncated")[game.status],
        "track": game.track[: len(seats)].tolist(),
        "rubles": game.rubles[: len(seats)].tolist(),
        "hands": game.goods[: len(seats), :6].tolist(),
        "banners": [[*game.goods[s, 6:].tolist(), *game.works[s, 6:].tolist()] for s in seats],
        "ornaments": game.works[: len(seats), :3].tolist(),
        "slots": [
            [None if t < 0 else (tiles[t], bool(up)) for t, up in zip(game.slot_tile[s], game.slot_up[s], strict=True)]
            for s in seats
        ],
        "supply": game.supply[:6].tolist(),
        "market": [tile_name(tables["market"]["tile"][kind]) for kind in game.market],
        "dice": [(int(game.die_space[i]), int(game.die_value[i])) for i in range(5)],
        "sections": [
            (
                seat_or_none(game.owner[s]),
                bool(game.finished[s]),
                seat_or_none(game.ornament[s]),
                "" if game.tile[s] < 0 else tiles[game.tile[s]],
                game.card[s, :6].tolist(),
            )
            for s in range(6 * len(seats))
        ],
    }
