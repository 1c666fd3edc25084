"""A position whose cathedral and workshops are changed by hand: banners, finished sections, ornaments, workshop tiles.

What is left open follows: the workshop tile of a section that is claimed goes face down into the first empty slot of
its owner, and comes back from the last one when the banner is taken away; banners come from the inventory first and go
there; materials of a section that is finished go to the supply. What a finished section has paid, and what it has cost
others, is not paid again: rubles and markers are changed by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import Ruleset, checks, validation
from rc_env.rules.printed.sizes import (
    ADORNED,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CLAIMED,
    COLOURS,
    FINISHED,
    INVENTORY_BANNERS,
    MATERIALS,
    ORNAMENT_NAMES,
    RECOGNITION,
    RUBLES,
    SECTIONS_PER_PLAYER,
    SLOT_NAMES,
    SLOTS,
    SPARE_BANNERS,
    SPECIAL_KIND,
    WHITE_BANNER,
    WHITE_SLOT,
)
from rc_env.validation import base
from rc_env.words.notation import fields, names, of_ivan, section_name, towers

NONE, BANNER = "none", "banner"
SECTION, SLOT = ("banner", "finished", "ornament", "tile"), ("tile", "up")
"""What can be changed of a section, and of a slot."""


def choices(ruleset: Ruleset) -> dict[str, list[str]]:
    """What can lie in each slot: nothing, any workshop tile, on white slots of the advanced side a banner."""
    there = [NONE, *(tile for tile in names(ruleset).tiles if tile)]
    white = there + [BANNER] * (ruleset.workshop == "advanced")
    return {slot: white if i >= WHITE_SLOT else there for i, slot in enumerate(SLOT_NAMES)}


def sections_of(ruleset: Ruleset, game: np.void) -> dict[str, dict[str, Any]]:
    """What can be changed of each section: its banner and its tile, whether it is finished, and its ornament.

    Sections of Ivan's stay his: of these only the ornament can be changed.
    """
    g, known = fields(game), names(ruleset).tiles
    found: dict[str, dict[str, Any]] = {}
    for tower, sections in enumerate(towers(g)):
        for level, section in enumerate(sections):
            owner, finished = g["owner"][section], bool(g["finished"][section])
            one: dict[str, Any] = {}
            if not of_ivan(ruleset, g, section):
                one["banner"] = _colour(owner)
                one |= {"tile": known[g["tile"][section]]} if owner < 0 else {"finished": finished}
            if finished:
                one["ornament"] = _colour(g["ornament"][section])
            if one:
                found[section_name(tower, level)] = one
    return found


def workshops_of(ruleset: Ruleset, game: np.void) -> list[dict[str, dict[str, Any]]]:
    """The slots of each player: the tile that lies there, or a banner, and whether it lies face up."""
    g, known = fields(game), names(ruleset).tiles

    def slot(seat: int, i: int) -> dict[str, Any]:
        tile, white = g["slot_tile"][seat][i], i - WHITE_SLOT
        if white >= 0 and g["works"][seat][WHITE_BANNER + white]:
            return {"tile": BANNER, "up": False}
        return {"tile": known[tile] if tile >= 0 else NONE, "up": bool(g["slot_up"][seat][i])}

    return [{name: slot(seat, i) for i, name in enumerate(SLOT_NAMES)} for seat in range(ruleset.players)]


def banners_of(game: np.void, seat: int) -> int:
    """The banners in the inventory of a seat."""
    return int(game["goods"][seat, BANNERS_INVENTORY])


class Cathedral:
    """Changes the cathedral and the workshops of a position.

    Args:
        ruleset: the variant.
        game: the position, which is changed.
        supply: (M,) the materials in the supply, which are changed.
    """

    def __init__(self, ruleset: Ruleset, game: np.void, supply: NDArray[np.int64]) -> None:
        self._ruleset, self._game, self._supply = ruleset, game, supply
        self._ledger = validation.ledger(ruleset)
        self._tiles = names(ruleset).tiles
        self._slots_before = game["slot_tile"].copy()
        self._section = {
            section_name(tower, level): section
            for tower, sections in enumerate(towers(fields(game)))
            for level, section in enumerate(sections)
        }

    def change(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        workshops: Mapping[int, Mapping[str, Mapping[str, Any]]],
        banners: Mapping[int, int],
    ) -> None:
        """Change it.

        Args:
            sections: by name, any of `SECTION`.
            workshops: by seat and slot, any of `SLOT`.
            banners: in the inventory, by seat.

        Raises:
            ValueError: the result is none that the box holds and the rules allow.
        """
        before, accounted = self._claims(), self._accounted()
        slots = [(seat, SLOT_NAMES.index(slot), one) for seat, row in workshops.items() for slot, one in row.items()]
        given = {(seat, slot) for seat, slot, one in slots if "tile" in one}
        loose = self._take_banners(sections)
        for seat, slot, one in slots:
            if "tile" in one:
                self._lay(seat, slot, one["tile"])
        claims = self._claims()
        for seat in range(self._ruleset.players):
            self._move_banners(seat, int(claims[seat]), int(claims[seat] - before[seat]), given, banners.get(seat))
        self._move_tiles(sections, claims, loose, given)
        for seat, slot, one in slots:
            if "up" in one:
                self._turn(seat, slot, one["up"])
        self._finish(sections)
        self._adorn(sections)
        self._count(accounted)

    def _claims(self) -> NDArray[np.int64]:
        """(S,) how many sections each seat has claimed."""
        return (self._game["owner"][:, None] == np.arange(self._ruleset.seats)).sum(0)

    def _take_banners(self, sections: Mapping[str, Mapping[str, Any]]) -> list[int]:
        """Set whose banner is where; returns the tiles of sections that nobody had claimed."""
        g, loose = self._game, []
        for name, one in sections.items():
            if "banner" not in one:
                continue
            section, choices = self._section[name], (*COLOURS[: self._ruleset.players], NONE)
            if of_ivan(self._ruleset, g, section):
                raise ValueError(f"section {name} is Ivan's, and stays so")
            owner = _seat(checks.one_of(f"the banner on section {name}", one["banner"], choices))
            if owner >= 0 and g["tile"][section] >= 0:
                loose.append(int(g["tile"][section]))
                g["tile"][section] = -1
            if owner < 0 <= g["owner"][section]:
                self._open(section)
            g["owner"][section] = owner
        for tower, there in enumerate(towers(fields(g))):
            claimed = g["owner"][there] >= 0
            g["claimed"][tower] = claimed.sum()
            if (np.diff(claimed.astype(int)) > 0).any():
                name = section_name(tower, int(np.argmax(np.diff(claimed.astype(int)) > 0)))
                raise ValueError(f"section {name} has no banner, but one above it has: towers are claimed upwards")
        return loose

    def _open(self, section: int) -> None:
        """Make a section miss its whole cost; what was delivered goes to the supply."""
        g = self._game
        cost, pays = (table[g["number"][section]] for table in (self._ledger.cost, self._ledger.pays))
        if not g["finished"][section]:
            self._clear(section)
        g["card"][section, :MATERIALS] = cost
        g["card"][section, RUBLES : RECOGNITION + 1] = pays
        g["finished"][section] = 0
        g["ornament"][section] = -1

    def _clear(self, section: int) -> None:
        """What was delivered to an unfinished section goes to the supply."""
        g = self._game
        self._supply += self._ledger.cost[g["number"][section]] - g["card"][section, :MATERIALS].astype(int)
        if self._ruleset.full:
            g["diamond_supply"] += g["card_diamonds"][section]
            g["card_diamonds"][section] = 0

    def _lay(self, seat: int, slot: int, word: Any) -> None:
        """Set what lies in a slot; a tile that comes there lies face down."""
        g, white = self._game, slot - WHITE_SLOT
        name = SLOT_NAMES[slot]
        checks.one_of(f"what lies in slot {name} of {COLOURS[seat]}", word, choices(self._ruleset)[name])
        if white >= 0:
            g["works"][seat, WHITE_BANNER + white] = word == BANNER
        before = int(g["slot_tile"][seat, slot])
        g["slot_tile"][seat, slot] = -1 if word in (NONE, BANNER) else self._tiles.index(word)
        if before < 0 or g["slot_tile"][seat, slot] < 0:
            g["slot_up"][seat, slot] = 0

    def _turn(self, seat: int, slot: int, up: Any) -> None:
        """Set whether the tile in a slot lies face up."""
        where = f"slot {SLOT_NAMES[slot]} of {COLOURS[seat]}"
        if checks.flag(f"whether the tile in {where} lies face up", up) and self._game["slot_tile"][seat, slot] < 0:
            raise ValueError(f"no tile lies in {where} that could lie face up")
        self._game["slot_up"][seat, slot] = up

    def _move_banners(self, seat: int, claims: int, more: int, given: set[tuple[int, int]], asked: int | None) -> None:
        """Set the banners of a seat that are on no section; `more` sections are claimed than before."""
        g, colour, advanced = self._game, COLOURS[seat], self._ledger.advanced
        free = [i for i in range(SPARE_BANNERS) if (seat, WHITE_SLOT + i) not in given]
        fixed = advanced and len(free) < SPARE_BANNERS
        if not more and asked is None and not fixed:
            return
        rest = SECTIONS_PER_PLAYER - claims
        if rest < 0:
            raise ValueError(f"{colour} would have claimed {claims} sections, and has {SECTIONS_PER_PLAYER} banners")
        low, high = max(0, rest - SPARE_BANNERS), min(INVENTORY_BANNERS, rest)
        white = g["works"][seat, WHITE_BANNER : WHITE_BANNER + SPARE_BANNERS]
        held = int(np.clip(banners_of(g, seat) - more, low, high))
        if asked is not None:
            held = checks.whole_number(f"banners of {colour}", asked, 0, INVENTORY_BANNERS)
        elif fixed:
            held = rest - int(white.sum())
        if not low <= held <= high:
            raise ValueError(
                f"{colour} has {rest} banners on no section, of which {low} to {high} lie in the inventory, not {held}"
            )
        others = rest - held
        if advanced:
            for i in free[::-1]:
                white[i] &= white.sum() <= others
            for i in free:
                white[i] |= white.sum() < others and g["slot_tile"][seat, WHITE_SLOT + i] < 0
            if white.sum() != others:
                raise ValueError(f"{colour} would have {others} banners for its white slots, and {white.sum()} there")
        else:
            g["goods"][seat, BANNERS_SPARE] = others
        g["goods"][seat, BANNERS_INVENTORY] = held

    def _move_tiles(
        self,
        sections: Mapping[str, Mapping[str, Any]],
        claims: NDArray[np.int64],
        loose: list[int],
        given: set[tuple[int, int]],
    ) -> None:
        """Set the tiles of sections, and move those that lie in no place: a claimed section's is in a workshop."""
        g, ordinary = self._game, [tile for tile in self._tiles[:SPECIAL_KIND] if tile]
        for name, one in sections.items():
            if "tile" in one:
                if g["owner"][self._section[name]] >= 0:
                    raise ValueError(f"section {name} is claimed: its workshop tile lies in a workshop")
                word = checks.one_of(f"the tile of section {name}", one["tile"], ordinary)
                g["tile"][self._section[name]] = self._tiles.index(word)
        there = range(self._ruleset.players)
        need = [int(claims[seat] - (g["slot_tile"][seat] >= 0).sum()) for seat in there]
        for seat in there:
            for slot in range(SLOTS)[::-1]:
                if need[seat] < 0 and g["slot_tile"][seat, slot] >= 0 and (seat, slot) not in given:
                    loose.append(int(g["slot_tile"][seat, slot]))
                    g["slot_tile"][seat, slot], g["slot_up"][seat, slot] = -1, 0
                    need[seat] += 1
        for seat in there:
            for slot in range(SLOTS):
                if need[seat] > 0 and loose and self._empty(seat, slot) and (seat, slot) not in given:
                    g["slot_tile"][seat, slot] = loose.pop(0)
                    need[seat] -= 1
            if need[seat]:
                raise ValueError(
                    f"{COLOURS[seat]} has claimed {claims[seat]} sections, and would have {claims[seat] - need[seat]} "
                    "tiles in its workshop: there is one for each"
                )
        for name, section in self._section.items():
            if g["owner"][section] < 0 and g["tile"][section] < 0:
                if not (left := [tile for tile in loose if tile < SPECIAL_KIND]):
                    raise ValueError(f"section {name} has neither a banner nor a workshop tile: choose one")
                g["tile"][section] = left[0]
                loose.remove(left[0])

    def _empty(self, seat: int, slot: int) -> bool:
        """Whether neither a tile nor a banner is in a slot."""
        g, white = self._game, slot - WHITE_SLOT
        return bool(g["slot_tile"][seat, slot] < 0 and (white < 0 or not g["works"][seat, WHITE_BANNER + white]))

    def _finish(self, sections: Mapping[str, Mapping[str, Any]]) -> None:
        """Set which sections are finished."""
        g = self._game
        for name, one in sections.items():
            if "finished" not in one:
                continue
            section, finished = self._section[name], checks.flag(f"whether section {name} is finished", one["finished"])
            if of_ivan(self._ruleset, g, section):
                raise ValueError(f"section {name} is Ivan's, and stays as it is")
            if finished and g["owner"][section] < 0:
                raise ValueError(f"section {name} would be finished, but nobody has claimed it")
            if finished and not g["finished"][section]:
                self._clear(section)
                g["card"][section, : RECOGNITION + 1] = 0
                g["finished"][section] = 1
            elif not finished and g["finished"][section]:
                self._open(section)

    def _adorn(self, sections: Mapping[str, Mapping[str, Any]]) -> None:
        """Set whose ornament is where."""
        g, choices = self._game, (*COLOURS[: self._ruleset.seats], NONE)
        for name, one in sections.items():
            if "ornament" in one:
                section = self._section[name]
                seat = _seat(checks.one_of(f"the ornament on section {name}", one["ornament"], choices))
                if seat >= 0 and not g["finished"][section]:
                    raise ValueError(f"section {name} is not finished, so that no ornament can be on it")
                g["ornament"][section] = seat

    def _accounted(self) -> NDArray[np.int64]:
        """(S, 3) the ornaments that each seat can place no more: on sections, on slots, under face-down tiles."""
        g, seats, players = self._game, np.arange(self._ruleset.seats), self._ruleset.players
        slots, up = g["slot_tile"][:players], g["slot_up"][:players]
        lost = np.where((slots >= 0) & (up == 0), self._ledger.slot_ornament, -1)
        found = np.zeros((len(seats), len(ORNAMENT_NAMES)), np.int64)
        for kind in range(len(ORNAMENT_NAMES)):
            found[:, kind] = ((g["ornament"][:, None] == seats) & (g["kind"] == kind)[:, None]).sum(0)
            found[:players, kind] += (g["slot_ornament"][:players] == kind).sum(1) + (lost == kind).sum(1)
        return found

    def _count(self, accounted: NDArray[np.int64]) -> None:
        """Count again what follows: works, ornaments left, the ending, what towers are worth, open cities."""
        g, seats, players = self._game, self._ruleset.seats, self._ruleset.players
        before, now = self._slots_before[:players], g["slot_tile"][:players]
        left = g["slot_ornament"][:players]
        left[(before >= 0) & (now < 0)] = self._ledger.slot_ornament[(before >= 0) & (now < 0)]
        left[now >= 0] = -1
        hand = g["works"][:seats, : len(ORNAMENT_NAMES)] + accounted - self._accounted()
        for seat, kind in np.argwhere(hand < 0).tolist():
            raise ValueError(f"{COLOURS[seat]} has no further {ORNAMENT_NAMES[kind]} left")
        done = ((g["owner"][:, None] == np.arange(seats)) & (g["finished"] == 1)[:, None]).sum(0)
        g["works"][:seats, : len(ORNAMENT_NAMES)] = hand
        g["works"][:seats, FINISHED], g["works"][:seats, CLAIMED] = done, self._claims() - done
        g["works"][:seats, ADORNED] = (g["ornament"][:, None] == np.arange(seats)).sum(0)
        ended = done[g["ending"]] == SECTIONS_PER_PLAYER if g["ending"] >= 0 else False
        if not ended:
            if done.max() == SECTIONS_PER_PLAYER:
                raise ValueError(
                    f"{COLOURS[done.argmax()]} would have finished {SECTIONS_PER_PLAYER} sections, which ends the "
                    "game: leave one unfinished, and finish it in the game"
                )
            g["ending"] = -1
        scoring = self._ledger.scoring
        for tower, there in enumerate(towers(fields(g))):
            finished, owner, ornament = (g[name][there] for name in ("finished", "owner", "ornament"))
            worth = int(scoring.section * (finished == 1).sum() + scoring.ornament * (ornament >= 0).sum())
            pieces = [
                int(((owner == seat) & (finished == 1)).sum() + (ornament == seat).sum()) for seat in range(seats)
            ]
            g["worth"][tower], g["presence"][tower, :seats] = worth, pieces
            g["share"][tower, :seats] = base.shares(worth, tuple(pieces), scoring)
            if self._ruleset.contractors:
                g["city_open"][g["city_over"][tower]] = not finished.all()
        g["towers"][:seats] = g["share"][:, :seats].sum(0)


def _colour(seat: int) -> str:
    return COLOURS[seat] if seat >= 0 else NONE


def _seat(word: str) -> int:
    return -1 if word == NONE else COLOURS.index(word)
