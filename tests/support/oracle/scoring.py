"""The final count (R-25 to R-28, R-58, R-59, R-77)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import combinations
from typing import Any

from .ivan import Ivan


class Scoring(Ivan):
    """The scores of the seats."""

    def scores(self) -> list[dict[str, Any]]:
        """Return the breakdown of each seat, its prestige, and the section and ornament counts that break ties."""
        result = []
        for seat, player in enumerate(self.players):
            score: dict[str, Any] = {"track": bisect_right(self.prestige_spaces, player.track)}
            goods = sum(player.hand.values()) + player.rubles + player.permits
            if self.fourth == "archivists":
                score["contracts"], goods = self._contracts(seat)
            score["goods"] = goods // self.tables["ending"]["goods_per_prestige"]
            if self.module:
                score["tools"] = self._tools(seat)
            result.append(score | {"towers": [0] * len(self.towers)})
        ending = self.tables["ending"]
        for number, tower in enumerate(self.towers):
            built = [section for section in tower if section.done]
            worth = ending["tower_value_per_section"] * len(built)
            worth += ending["tower_value_per_ornament"] * sum(section.ornament is not None for section in built)
            presence = [sum((s.owner == p) + (s.ornament == p) for s in built) for p in range(self.seats)]
            for seat, share in enumerate(self._shares(worth, presence)):
                result[seat]["towers"][number] = share
        return result

    def _shares(self, worth: int, presence: list[int]) -> list[int]:
        ending = self.tables["ending"]
        if self.seats == 2:
            third = worth // ending["two_player_share_divisor"]
            return [worth if a > b else third if 0 < a < b else 0 for a, b in (presence, presence[::-1])]
        shares = []
        for mine in presence:
            better, equal = sum(n > mine for n in presence), presence.count(mine)
            places = [worth // ending["share_divisor"] ** place for place in range(better, better + equal)]
            shares.append(sum(places) // equal if mine else 0)
        return shares

    def prestige(self) -> list[int]:
        """Return the final score of each seat, the sum of its breakdown."""
        return [sum(sum(part) if isinstance(part, list) else part for part in s.values()) for s in self.scores()]

    def places(self) -> list[int]:
        """Return the places, from 0; tied seats share the better place (R-28)."""
        keys = []
        for seat, total in enumerate(self.prestige()):
            done = sum(s.done and s.owner == seat for s in self.sections())
            keys.append((total, done, self.ornaments_placed(seat)))
        return [sum(other > key for other in keys) for key in keys]

    def _tools(self, seat: int) -> int:
        """Return the prestige of groups of different tools, each as large as possible in turn (R-59)."""
        copies = Counter(self._specialist(tile)["tool"] for tile in self.players[seat].tools)
        sizes = [sum(n >= group for n in copies.values()) for group in range(1, max(copies.values(), default=0) + 1)]
        return sum(self.x["tools"]["prestige"][size - 1] for size in sizes)

    # --- contracts

    def _contracts(self, seat: int) -> tuple[int, int]:
        """Return the prestige of the contracts, and the goods left after the returns."""
        player, total, returns = self.players[seat], 0, []
        for number in sorted(player.contracts):
            card = self.x["contracts"]["cards"][number - 1]
            if "return" not in card:
                total += self._contract(seat, card)
            elif self._goods_left(seat, [card]) is not None:
                returns.append(card)
        best = max(
            (subset for size in range(len(returns) + 1) for subset in combinations(returns, size)),
            key=lambda subset: self._worth_of_returns(seat, list(subset), returns),
        )
        left = self._goods_left(seat, list(best))
        return total + sum(card["prestige"] for card in best), left + player.permits

    def _worth_of_returns(self, seat: int, subset: list[dict], returns: list[dict]) -> tuple[bool, int, int]:
        """Return the key by which subsets of contracts are compared.

        Fulfilling all contracts is best; then the highest sum of their prestige and the goods left; then the fewest
        contracts.
        """
        left = self._goods_left(seat, subset)
        if left is None:
            return (False, -1, 0)
        per = self.tables["ending"]["goods_per_prestige"]
        total = sum(card["prestige"] for card in subset) + (left + self.players[seat].permits) // per
        return (len(subset) == len(returns), total, -len(subset))

    def _goods_left(self, seat: int, cards: list[dict]) -> int | None:
        """Return the materials and rubles left after these returns, with diamonds for missing pieces; None if they are
        too few.
        """
        hand, rubles = dict(self.players[seat].hand), self.players[seat].rubles
        for card in cards:
            for kind, count in card["return"].items():
                for _ in range(count):
                    if kind == "rubles":
                        rubles -= 1
                    else:
                        kinds = ("green_gem", "purple_gem") if kind == "any_gem" else (kind,)
                        paid = next((m for m in (*kinds, "diamond") if hand[m] > 0), None)
                        if paid is None:
                            return None
                        hand[paid] -= 1
        return None if rubles < 0 else sum(hand.values()) + rubles

    def _contract(self, seat: int, card: dict) -> int:
        """Return the worth of a contract without returns; presence and claims count whether finished or not."""
        player, sections = self.players[seat], self.sections()
        banners = [sum(s.owner == seat for s in tower) for tower in self.towers]
        ornaments = [sum(s.ornament == seat for s in tower) for tower in self.towers]
        each = card["prestige_two_players"] if self.seats == 2 and "prestige_two_players" in card else card["prestige"]
        match card:
            case {"each": "tower_without_presence"}:
                return each * sum(not b and not o for b, o in zip(banners, ornaments, strict=True))
            case {"each": "tower_with_presence"}:
                return each * sum(bool(b or o) for b, o in zip(banners, ornaments, strict=True))
            case {"each": "ornament_not_built"}:
                return each * (sum(player.ornaments.values()) + len(player.on_slot))
            case {"each": "ornament_on_others_sections"}:
                return each * sum(s.ornament == seat != s.owner for s in sections)
            case {"each": "ornament_on_own_sections"}:
                return each * sum(s.ornament == seat == s.owner for s in sections)
            case {"sections_claimed_in_one_tower": count}:
                return each * (max(banners) >= count)
            case {"own_ornaments_in_one_tower": count}:
                return each * (max(ornaments) >= count)
            case {"face_up_workshop_tiles": count}:
                return each * (sum(up for _, up in player.slots.values()) >= count)
            case {"one_of_each_type_completed": _}:
                return each * ({s.kind for s in sections if s.done and s.owner == seat} == set(self.tables["cards"]))
            case {"all_ornaments_built": _}:
                board = self.tables["player"]
                return each * (sum(ornaments) == board["doors"] + board["arches"] + board["crosses"])
        raise AssertionError(card)
