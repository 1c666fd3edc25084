"""The checks of any position of the base game: everything in the box is counted again (R-1 to R-31).

The counts are made from the records and the data file, in plain NumPy, without the compiled rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rc_env.rules.points import (
    GEMS_SECTION,
    IVAN_CHOICE,
    PLACE_SECTION,
    POINT,
    Point,
)
from rc_env.rules.printed import sizes
from rc_env.rules.printed.sizes import (
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    DICE_PER_SPACE,
    INVENTORY_BANNERS,
    KINDS,
    MATERIAL_NAMES,
    MATERIALS,
    ORNAMENT_NAMES,
    RECOGNITION,
    RUBLES,
    SECTIONS_PER_PLAYER,
    SLOTS,
    SPACES,
    SPARE_BANNERS,
    TOWERS,
    WHITE_BANNER,
    WHITE_SLOT,
)
from rc_env.rules.solo import ivan
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset

from .ledger import at_point, current_frame, hold

PIECES = ("doors", "arches", "crosses")
"""The data file's names of the ornaments."""
IVAN = 1  # his seat
_SLOTS_SEEN = ("own", "next1", "next2", "next3")


@dataclass(frozen=True)
class Scoring:
    """The numbers of the data file by which towers score."""

    section: int
    ornament: int
    divisor: int
    divisor_of_two: int


@lru_cache(maxsize=10_000)
def shares(worth: int, presence: tuple[int, ...], scoring: Scoring) -> tuple[int, ...]:
    """Each seat's share of a tower (R-26; R-27 with two seats), computed by listing the places."""
    present = sorted((n for n in presence if n), reverse=True)
    if len(presence) == 2:
        if presence[0] == presence[1]:
            return (0, 0)
        return tuple(worth if n == present[0] else worth // scoring.divisor_of_two if n else 0 for n in presence)
    places = [worth // scoring.divisor**place for place in range(len(present))]
    covered = {n: [places[i] for i, m in enumerate(present) if m == n] for n in present}
    return tuple(sum(covered[n]) // len(covered[n]) if n else 0 for n in presence)


class BaseLedger:
    """The checks of games of one base-game variant, at any decision point."""

    def __init__(self, ruleset: Ruleset) -> None:
        tables = ruleset.tables
        self.players, self.seats, self.solo = ruleset.players, ruleset.seats, ruleset.solo
        self.advanced = ruleset.workshop == "advanced"
        self.sections, self.towers = SECTIONS_PER_PLAYER * ruleset.seats, ruleset.seats + 2
        self.dice = int(ruleset.rules[0].dice)
        self.ivan_cards = ruleset.ivan_cards
        self.supply = np.array([tables["supply"][material] for material in MATERIAL_NAMES])
        cards = [card for kind in KINDS for card in tables["cards"][kind]]
        self.cost = np.array([[card["cost"].get(m, 0) for m in MATERIAL_NAMES] for card in cards], np.int8)
        self.pays = np.array([[card["rubles"], card["recognition"]] for card in cards], np.int8)
        self.deck = np.repeat(np.arange(len(KINDS)), [len(tables["cards"][kind]) for kind in KINDS])
        heights = np.array(tables["plans"][str(self.seats)])
        self.height = np.zeros((len(heights), TOWERS), np.int8)
        self.height[:, : self.towers] = heights
        self.first = np.cumsum(self.height, 1) - self.height
        self.tower = np.array([np.repeat(np.arange(self.towers), row) for row in heights])
        self.level = np.array([np.concatenate([np.arange(height) for height in row]) for row in heights])
        top = np.take_along_axis(heights, self.tower, 1) - 1
        self.kind = np.where(self.level == 0, 0, np.where(self.level == top, 2, 1))
        self.spaces = tables["player"]["inventory_spaces"]
        self.ornaments = np.array([tables["player"][piece] for piece in PIECES])
        self.copies = np.array([t["count"] if self.players > 2 else 1 for t in tables["workshop"]["tile"]])
        kept = tables["workshop"]["advanced"]["ornament"]
        self.slot_ornament = np.full((self.players, SLOTS), -1, np.int8)
        if self.advanced:
            for seat in range(self.players):
                seen = [kept[_SLOTS_SEEN[(colour - seat) % WHITE_SLOT]] for colour in range(WHITE_SLOT)]
                self.slot_ornament[seat, :WHITE_SLOT] = [ORNAMENT_NAMES.index(name) for name in seen]
        self.influences = self._influences(ruleset)
        ending = tables["ending"]
        self.scoring = Scoring(
            ending["tower_value_per_section"],
            ending["tower_value_per_ornament"],
            ending["share_divisor"],
            ending["two_player_share_divisor"],
        )
        self.discards = False  # whether ornaments may leave the game

    def _influences(self, ruleset: Ruleset) -> NDArray[np.int64]:
        """The guild of each influence card."""
        ends = np.asarray(ruleset.rules[0].first_influence)[: int(ruleset.rules[0].guilds) + 1]
        return np.repeat(np.arange(len(ends) - 1), np.diff(ends))

    def check(self, games: np.ndarray) -> None:
        """Refuse the first game that is impossible.

        Args:
            games: (N,) GAME, every field of it in its range.

        Raises:
            ImpossibleGame: there is one.
        """
        self._turn(games)
        self._market(games)
        self._cathedral(games)
        self._cards(games)
        self._boards(games)
        self._tiles(games)
        self._ornaments(games)
        self._materials(games)
        self._standings(games)
        if self.solo:
            self._ivan(games)

    def _turn(self, g: np.ndarray) -> None:
        """Check that a running game has open decision points and a finished one none, and the turn limit."""
        playing = g["status"] == PLAYING
        hold(
            (g["depth"] >= 1) == playing, "depth: open decision points found in a game that is over, or none in another"
        )
        choosing = (g["stack"][:, 0, POINT] == Point.SPECIAL) & playing
        hold((g["turn"] >= 1) | choosing, "turn: none has begun")
        hold(g["track"][:, self.seats :] == 0, "track: a marker of nobody")
        hold(g["rubles"][:, self.players :] == 0, "rubles: some of nobody")
        moved = (g["stack"][:, :, POINT] == Point.MARKET) & (np.arange(g["stack"].shape[1]) < g["depth"][:, None])
        visiting = moved.any(1)
        hold(~visiting | ((g["die"] >= 0) & (g["space"] >= 0)), "die: none moved before a visit to the market")

    def _market(self, g: np.ndarray) -> None:
        """Check the dice on the spaces (at most three on one), and that market tiles and guilds are there once each."""
        space, value = g["die_space"][:, : self.dice], g["die_value"][:, : self.dice]
        hold((space >= 0) & (value >= 1), "die_space, die_value: a die that lies nowhere")
        crowd = (space[:, :, None] == np.arange(SPACES)).sum(1)
        hold((crowd == g["crowd"]) & (crowd <= DICE_PER_SPACE), "crowd: not the number of dice that lie on each space")
        hold(np.sort(g["market"], 1) == np.arange(SPACES), "market: not each tile once")
        guilds = np.sort(g["guild"], 1)
        hold(guilds[:, 1:] != guilds[:, :-1], "guild: one found twice")
        hold(self.influences[g["influence"]] == g["guild"], "influence: a card of another guild")

    def _cathedral(self, g: np.ndarray) -> None:
        """Check the building plan, its cards, and that banners fill each tower from the base upwards."""
        n, plan = self.sections, g["plan"]
        number, owner, finished = g["number"][:, :n], g["owner"][:, :n], g["finished"][:, :n]
        used = self.height[plan] > 0
        hold(g["height"] == self.height[plan], "height: not that of the building plan")
        hold((g["first"] == self.first[plan]) | ~used, "first: not that of the building plan")
        hold(g["tower"][:, :n] == self.tower[plan], "tower: not that of the building plan")
        hold(g["level"][:, :n] == self.level[plan], "level: not that of the building plan")
        hold(g["kind"][:, :n] == self.kind[plan], "kind: not that of the building plan")
        hold((number >= 0) & (self.deck[number] == self.kind[plan]), "number: a card of another kind than its section")
        hold(np.diff(np.sort(number, 1), axis=1) > 0, "number: a cathedral card found twice")
        claimed = np.take_along_axis(g["claimed"], self.tower[plan], 1)
        hold((owner >= 0) == (self.level[plan] < claimed), "owner: banners do not stand from the base upwards")
        hold(g["claimed"] <= g["height"], "claimed: more sections than the tower has")
        hold((owner >= 0) | (finished == 0), "finished: a section that nobody has claimed")
        hold((g["ornament"][:, :n] == -1) | (finished == 1), "ornament: one on a section that is not finished")
        for field, empty in (("owner", -1), ("tile", -1), ("ornament", -1), ("finished", 0), ("card", 0)):
            hold(g[field][:, n:] == empty, f"{field}: something found beyond the last section")

    def _cards(self, g: np.ndarray) -> None:
        """Check each card: it misses its whole cost until claimed, and nothing once finished, when its reward is
        gone."""
        n = self.sections
        number, owner, finished = g["number"][:, :n], g["owner"][:, :n], g["finished"][:, :n]
        missing, cost = g["card"][:, :n, :MATERIALS].copy(), self.cost[number]
        pays = self.pays[number] * (finished == 0)[:, :, None]
        if (
            self.solo
        ):  # on Ivan's cards lies any material, up to as many as it costs; the rest stands in place of rubles
            his = owner == IVAN
            done = finished == 1
            lying, rest = missing.sum(2), g["card"][:, :n, RUBLES]
            hold(~his | done | (lying + rest == cost.sum(2)), "card: not the cost of a section of Ivan's")
            hold(~his | ((rest == 0) == done), "card: a section of Ivan's that is finished too early or too late")
            hold(~his | ~done | (lying == 0), "card: materials on a finished section of Ivan's")
            pays[:, :, 0][his] = rest[his]
            missing[his] = cost[his] * (finished[his] == 0)[:, None]
        hold((missing >= 0) & (missing <= cost), "card: a section misses more than it costs")
        hold((missing == cost) | (owner >= 0)[:, :, None], "card: materials on a section that nobody has claimed")
        hold((missing.sum(2) == 0) == (finished == 1), "finished: not the sections that miss nothing")
        hold(g["card"][:, :n, RUBLES : RECOGNITION + 1] == pays, "card: not the rubles and recognition of its section")

    def _boards(self, g: np.ndarray) -> None:
        """Check the banners, the counts of what was done, and the open spaces of the inventories."""
        n, players = self.sections, slice(self.players)
        owner, finished = g["owner"][:, :n], g["finished"][:, :n]
        goods, works = g["goods"][:, : self.seats].astype(int), g["works"][:, : self.seats].astype(int)
        own = owner[:, :, None] == np.arange(self.seats)
        claims = own.sum(1)
        inventory, spare, white = goods[:, :, BANNERS_INVENTORY], goods[:, :, BANNERS_SPARE], works[:, :, WHITE_BANNER:]
        hold(inventory <= INVENTORY_BANNERS, "goods: too many banners")
        hold(spare[:, players] <= SPARE_BANNERS, "goods: too many spare banners")
        hold(white <= 1, "works: more than one banner on a white slot")
        hold(inventory + spare + white.sum(2) + claims == SECTIONS_PER_PLAYER, "goods, works: not six banners a seat")
        hold(
            spare[:, players] == 0 if self.advanced else white.sum(2) == 0,
            "goods, works: spare banners of another side",
        )
        done = (own & (finished == 1)[:, :, None]).sum(1)
        hold(works[:, :, sizes.FINISHED] == done, "works: not the number of finished sections")
        hold(works[:, :, sizes.CLAIMED] == claims - done, "works: not the number of claimed sections")
        hold(
            (g["ending"] >= 0) == (done.max(1) == SECTIONS_PER_PLAYER),
            "ending: not the seat with six finished sections",
        )
        ending = np.take_along_axis(done, np.maximum(g["ending"], 0)[:, None].astype(int), 1)[:, 0]
        hold((g["ending"] < 0) | (ending == SECTIONS_PER_PLAYER), "ending: not the seat with six finished sections")
        hold(self._taken(g) <= self.spaces, "goods: more materials than the inventory has open spaces")
        for field, end in (("goods", self.seats), ("works", self.seats), ("slot_up", self.players)):
            hold(g[field][:, end:] == 0, f"{field}: something found of nobody")

    def _taken(self, g: np.ndarray) -> NDArray[np.int64]:
        """(N, S) int64, the number of occupied inventory spaces."""
        return g["goods"][:, : self.seats, : BANNERS_INVENTORY + 1].sum(2, dtype=np.int64)

    def _tiles(self, g: np.ndarray) -> None:
        """Check that workshop tiles lie on every unclaimed card (and on one just claimed, at `place`), else in
        slots."""
        n, seats = self.sections, np.arange(self.seats)
        owner, tile = g["owner"][:, :n], g["tile"][:, :n]
        claims = (owner[:, :, None] == seats).sum(1)
        stack = g["stack"]  # what a reinforcement opens can lie on the placement
        places = (stack[:, :, POINT] == Point.PLACE) & (np.arange(stack.shape[1]) < g["depth"][:, None])
        placing, section = (
            places.any(1),
            np.take_along_axis(stack[:, :, PLACE_SECTION], places.argmax(1)[:, None], 1)[:, 0],
        )
        waits = placing[:, None] & (np.arange(n) == section[:, None])
        hold((tile >= 0) == ((owner < 0) | waits), "tile: one on a claimed section, or none on another")
        hold(~waits | (owner == g["seat"][:, None]), "stack: a tile is placed that another seat has claimed")
        slots, up = g["slot_tile"][:, : self.players], g["slot_up"][:, : self.players]
        hold((up == 0) | (slots >= 0), "slot_up: a slot without a tile")
        banners = g["works"][:, : self.players, WHITE_BANNER:] == 1
        hold(~banners | (slots[:, :, WHITE_SLOT:] < 0), "slot_tile: a tile under a banner")
        self._count_tiles(g, claims, placing)

    def _count_tiles(self, g: np.ndarray, claims: np.ndarray, placing: np.ndarray) -> None:
        """Check that there is a tile in a slot for each claimed section, and no kind more often than in the box."""
        tile, slots = g["tile"][:, : self.sections], g["slot_tile"][:, : self.players]
        turn = placing[:, None] & (g["seat"][:, None] == np.arange(self.players))
        hold((slots >= 0).sum(2) + turn == claims[:, : self.players], "slot_tile: not a tile for each claimed section")
        everywhere = np.concatenate([tile, slots.reshape(len(g), -1)], 1)
        kinds = np.stack([(everywhere == kind).sum(1) for kind in range(len(self.copies))], 1)
        hold(kinds <= self.copies, "tile, slot_tile: more tiles of a kind than there are")

    def _ornaments(self, g: np.ndarray) -> None:
        """Check the ornaments: available, placed, or on the advanced side still on a slot or lost under a face-down
        tile."""
        n, seats, players = self.sections, np.arange(self.seats), slice(self.players)
        placed, kind, works = g["ornament"][:, :n], g["kind"][:, :n], g["works"][:, : self.seats]
        slots, up = g["slot_tile"][:, players], g["slot_up"][:, players]
        mine = placed[:, :, None] == seats
        hold(works[:, :, sizes.ADORNED] == mine.sum(1), "works: not the number of ornaments placed")
        left, held = g["slot_ornament"][:, players], np.where(slots < 0, self.slot_ornament, -1)
        discarded = (left < 0) if self.discards else False
        hold((left == held) | discarded, "slot_ornament: not those of the slots without a tile")
        lost = np.where((slots >= 0) & (up == 0), self.slot_ornament, -1)
        for k, name in enumerate(ORNAMENT_NAMES):
            found = works[:, :, k] + (mine & (kind == k)[:, :, None]).sum(1)
            found[:, players] += (left == k).sum(2) + (lost == k).sum(2)
            fits = found <= self.ornaments[k] if self.discards else found == self.ornaments[k]
            hold(fits, f"works: not as many ornaments ({name}) as a seat has")
        gems = at_point(g, Point.GEMS)
        section = np.where(gems, current_frame(g)[:, GEMS_SECTION], 0)
        hold(~gems | (placed[np.arange(len(g)), section] == g["seat"]), "stack: gems for an ornament of another seat")

    def _materials(self, g: np.ndarray) -> None:
        """Check that supply, inventories and unfinished sections together hold the materials of the box."""
        n = self.sections
        delivered = self.cost[g["number"][:, :n]] - g["card"][:, :n, :MATERIALS]
        if self.solo:
            his = g["owner"][:, :n] == IVAN
            delivered[his] = g["card"][:, :n, :MATERIALS][his]
        on_cards = (delivered * (g["finished"][:, :n] == 0)[:, :, None]).sum(1) + g["ivan_goods"][:, :, :MATERIALS].sum(
            1
        )
        found = g["supply"][:, :MATERIALS] + g["goods"][:, :, :MATERIALS].sum(1) + on_cards
        hold(found == self.supply, "supply, goods, card: other materials than the box holds")

    def _standings(self, g: np.ndarray) -> None:
        """Check the stored value, presence and shares of every tower, and their sums (R-26, R-27)."""
        n, seats = self.sections, np.arange(self.seats)
        done = g["finished"][:, :n] == 1
        adorned = g["ornament"][:, :n] >= 0
        in_tower = g["tower"][:, :n, None] == np.arange(self.towers)
        worth = (in_tower * (self.scoring.section * done + self.scoring.ornament * adorned)[:, :, None]).sum(1)
        pieces = (g["owner"][:, :n, None] == seats) & done[:, :, None]
        pieces = pieces.astype(np.int8) + (g["ornament"][:, :n, None] == seats)
        presence = np.einsum("bst,bsp->btp", in_tower.astype(np.int8), pieces)
        hold(g["worth"][:, : self.towers] == worth, "worth: not the value of the towers")
        hold(g["presence"][:, : self.towers, : self.seats] == presence, "presence: not the pieces in the towers")
        rows = np.concatenate([worth[:, :, None], presence], 2).reshape(-1, self.seats + 1)
        code = (rows * 256 ** np.arange(self.seats + 1)).sum(1)
        _, first, back = np.unique(code, return_index=True, return_inverse=True)
        table = np.array([shares(int(row[0]), tuple(row[1:].tolist()), self.scoring) for row in rows[first]])
        expected = table[back].reshape(presence.shape)
        hold(g["share"][:, : self.towers, : self.seats] == expected, "share: not what the seats get of the towers")
        hold(g["towers"][:, : self.seats] == expected.sum(1), "towers: not the sums of the shares")

    def _ivan(self, g: np.ndarray) -> None:
        """Check that Ivan's cards and tiles are those of the box, and how many tiles are turned over."""
        cards = self.ivan_cards
        for field in ("ivan_card", "ivan_tile"):
            hold(np.sort(g[field][:, :cards], 1) == np.arange(cards), f"{field}: not each one once")
        up = g["ivan_up"][:, :cards].astype(int)
        hold(np.diff(up, axis=1) >= 0, "ivan_up: not turned from left to right")
        frame = current_frame(g)
        chooses = at_point(g, Point.IVAN)
        turned = g["ivan_turns"].astype(int) + (chooses & (frame[:, IVAN_CHOICE] == ivan.CLAIMS))
        hold(up.sum(1) == np.where(turned == 0, cards, -turned % cards), "ivan_up: not a tile turned each turn of his")
        begun = g["turn"] - 2 * g["ivan_turns"].astype(np.int64)
        playing = (g["status"] == PLAYING) & (g["turn"] > 0)
        hold(~playing | (begun == np.where(chooses, 2, 1)), "turn: he and the player do not take turns")
        hold(g["ivan_goods"][:, :, MATERIALS:] == 0, "ivan_goods: something found beyond the materials")
        him = g["goods"][:, IVAN], g["works"][:, IVAN, WHITE_BANNER:]
        hold((him[0][:, : BANNERS_INVENTORY + 1] == 0).all(1) & (him[1] == 0).all(1), "goods: something of Ivan's")
