"""The components on the table: sections, players, market, and the set-up of a deal (R-5 to R-8, R-43 to R-47)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import contextmanager
from typing import Any

from .names import COLOURS, CRAFTS, GOODS, MATERIALS, SLOTS


class Section:
    """A cathedral card on the site."""

    def __init__(self, name: str, card: str, face: Mapping[str, Any], tile: str) -> None:
        self.name, self.card, self.kind, self.face, self.tile = name, card, card.split("/")[0], face, tile
        self.tower = int(name.split(".")[0]) - 1
        self.owner: int | None = None
        self.delivered = dict.fromkeys(GOODS, 0)
        self.done = False
        self.ornament: int | None = None

    def missing(self) -> int:
        """Return how many materials the section still lacks, of whatever kind."""
        return 0 if self.done else sum(self.face["cost"].values()) - sum(self.delivered.values())

    def needs(self, material: str) -> int:
        """Return how many materials of a kind it accepts; a diamond counts as no particular kind (R-67a)."""
        if self.done or material == "diamond":
            return self.missing()
        return min(self.missing(), self.face["cost"].get(material, 0) - self.delivered[material])


class Player:
    """The goods, banners, ornaments and workshop of a seat, and its components of the expansion."""

    def __init__(self, seat: int, tables: Mapping[str, Any], advanced: bool) -> None:
        board = tables["player"]
        self.track, self.rubles = tables["track"]["start"], board["starting_rubles"][seat]
        self.hand = dict.fromkeys(GOODS, 0)
        self.banners = {"inventory": board["banners_in_inventory"], "spare": 0, "white1": 0, "white2": 0}
        self.banners |= {"white1": 1, "white2": 1} if advanced else {"spare": board["banners_spare"]}
        self.ornaments = {"door": board["doors"], "arch": board["arches"], "cross": board["crosses"]}
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
        self.permits = self.row = 0  # `row` counts the contractors that are not yet sent
        self.specialist: int | None = None
        self.tools: list[int] = []  # specialists that are turned over
        self.contracts: list[int] = []
        self.reinforcements: list[str] = []
        self.special: str | None = None


class Visit:
    """A market visit: the die moved, the space, and which actions are used up (R-20)."""

    def __init__(self, die: str, here: int) -> None:
        self.die, self.here = die, here
        self.obtained = self.worked = self.repeatable = False
        self.side: int | None = None  # the guild action that is used up


class Position:
    """The table of one game, set up from a deal."""

    def __init__(
        self,
        deal: Mapping[str, Any],
        tables: Mapping[str, Any],
        expansion: Mapping[str, Any] | None = None,
        rng: random.Random | None = None,
    ) -> None:
        """Set the deal out.

        Args:
            deal: the first line of a record; of a base game the parts of the deal, "players" and "workshop" are enough.
            tables: the numbers of the base game, as `tomllib` reads them.
            expansion: the numbers of the expansion; needed if one of its switches is on.
            rng: draws the outcomes of chance that `play` is not given.
        """
        self.deal, self.tables, self.rng = deal, tables, rng
        self.module, self.special = deal.get("contractors", False), deal.get("special_tiles", False)
        self.cards = [(entry["guild"], entry["card"]) for entry in deal["guilds"]]
        self.fourth = next(guild for guild, _ in self.cards if guild not in CRAFTS)
        known = dict(tables["guilds"])
        self.expanded = self.module or self.special or self.fourth not in known
        self.x = expansion if self.expanded else {}
        if self.expanded:
            known |= self.x["guilds"]
        self.guilds = [known[guild][card - 1] for guild, card in self.cards]
        self.solo = deal["players"] == 1
        self.players_asked = deal["players"]  # Ivan makes no decisions
        self.seats = 2 if self.solo else deal["players"]
        self.advanced, self.limit = deal["workshop"] == "advanced", deal.get("turn_limit", 1000)
        self.players = [Player(seat, tables, self.advanced) for seat in range(self.seats)]
        self.supply = {m: tables["supply"][m] for m in MATERIALS}
        if self.special or self.fourth == "jewelers":
            self.supply["diamond"] = self.x["supply"]["diamond"]
        self.box = dict(self.supply)
        track = tables["track"]
        self.prestige_spaces = [lap * track["length"] + p for lap in range(60) for p in track["prestige"]]
        self.market = list(deal["market"])
        self.dice = [*COLOURS, "white"] + (["black"] if self.module else [])
        self.space = {die: deal["dice"][die]["space"] for die in self.dice}
        self.value = {die: deal["dice"][die]["value"] for die in self.dice}
        self.towers = [
            [self._section(f"{t}.{level}", entry) for level, entry in enumerate(tower, 1)]
            for t, tower in enumerate(deal["towers"], 1)
        ]
        self.turn, self.seat, self.ending, self.over = 0, 0, None, ""
        self.rerolled = self.reinforced = self.free = False
        self.guild_tile_open = False
        self.visit: Visit | None = None
        self.foreman = self.x["foreman"]["start_tower"] if self.fourth == "foremen" else 0
        self.contract_deck = list(deal.get("contracts", []))
        self.drawn_contracts: list[int] = []
        used = {section.card for section in self.sections()}
        self.card_deck = {f"{k}/{i}" for k, faces in tables["cards"].items() for i in range(1, len(faces) + 1)} - used
        self.card_discard: list[str] = []
        self.drawn_cards: list[str] = []
        self.reinforcements = list(self.x["reinforcements"]) if self.fourth == "brickmakers" else []
        if self.module:
            self._set_contractors_up()

    def _section(self, name: str, entry: Mapping[str, str]) -> Section:
        return Section(name, entry["card"], self.face(entry["card"]), entry["tile"])

    def _set_contractors_up(self) -> None:
        """Set up the components of the module (R-45 to R-47)."""
        board = self.x["player"]
        self.supply["permits"] = self.box["permits"] = self.x["supply"]["permits"]
        for player in self.players[: self.players_asked]:
            player.permits = board["permits"]
            self.supply["permits"] -= board["permits"]
        for player in self.players:
            player.row = board["contractors"]
        self.city_names = self.x["cities"]["names"]
        self.city_over = list(self.deal["cities"])  # the city of each tower
        self.open = {city: city in self.city_over for city in self.city_names}
        self.sent = {city: [0] * self.seats for city in self.city_names}
        self.slots: list[int | None] = list(self.deal["specialists"])
        self.bag = set(range(1, len(self.x["specialists"]["tiles"]) + 1)) - set(self.slots)

    # --- queries

    def face(self, card: str) -> Mapping[str, Any]:
        kind, number = card.split("/")
        return self.tables["cards"][kind][int(number) - 1]

    def sections(self) -> list[Section]:
        return [section for tower in self.towers for section in tower]

    def section(self, name: str) -> Section:
        return next(section for section in self.sections() if section.name == name)

    @property
    def me(self) -> Player:
        return self.players[self.seat]

    def others(self) -> list[int]:
        """Return the other seats, Ivan among them (R-62)."""
        return [seat for seat in range(self.seats) if seat != self.seat]

    def dice_on(self, space: int) -> int:
        return list(self.space.values()).count(space)

    def banners_in(self, tower: int, seat: int) -> int:
        """Return the seat's banners in a tower, on finished sections or not (R-57, R-69)."""
        return sum(section.owner == seat for section in self.towers[tower])

    def contractors_sent(self, seat: int) -> int:
        return sum(there[seat] for there in self.sent.values()) if self.module else 0

    def ornaments_placed(self, seat: int) -> int:
        return sum(section.ornament == seat for section in self.sections())

    @contextmanager
    def supposing(self) -> Any:
        """Return a context that takes back the acting player's payments at its end, to judge what would be possible
        (R-60).
        """
        me = self.me
        before = (me.rubles, me.track, me.permits, dict(me.hand), dict(self.supply), me.specialist, list(me.tools))
        opened = self.guild_tile_open
        try:
            yield
        finally:
            me.rubles, me.track, me.permits, me.hand, self.supply, me.specialist, me.tools = before
            self.guild_tile_open = opened
