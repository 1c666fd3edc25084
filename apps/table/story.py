"""What a decision did, in sentences: the deed, what it cost and gave and whom, and what else has changed on the board.

It is found by comparing the position before with the position after: whatever the engine has played by itself in
between (a decision with a single legal action, penalties, a closed city, Ivan's turn) is told as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rc_env.apps.table.markers import Effect, Markers, section, sections
from rc_env.apps.table.phrases import (
    ornament_on,
    phrase,
    reinforcement_words,
    section_words,
    slot_words,
    third,
)
from rc_env.render.amounts import amount_words, amounts_words, joined_words, tile_words
from rc_env.render.contractors import specialist_words
from rc_env.render.html import rolls_text
from rc_env.render.view import View
from rc_env.rules.printed.sizes import COLOURS
from rc_env.rules.solo.ivan import SEAT as IVAN
from rc_env.ruleset import Ruleset
from rc_env.words.notation import ivan_turn, rolls_to_list


class Told(NamedTuple):
    """One line of the log.

    Attributes:
        turn: its number, from 1.
        seat: whose deed it is; that of Ivan in the solo game is 1.
        at: the number of decisions before it, by which the position before it is found.
        deed: what was done, as one would ask for it: `move the red die to space 6`; Ivan's as it is told of him.
        effects: what it cost and gave, the seat's own first.
        facts: what else has changed, in sentences without a full stop.
        is_ivans: whether it is of Ivan's turn, in the solo game.
    """

    turn: int
    seat: int
    at: int
    deed: str
    effects: tuple[Effect, ...]
    facts: tuple[str, ...]
    is_ivans: bool = False

    @property
    def words(self) -> str:
        """What the seat did, without its name: `moves the red die to space 6: −1 ruble. Rolled: white 3.`"""
        return self._told(self.deed if self.is_ivans else third(self.deed))

    @property
    def yours(self) -> str:
        """The same as told to the person who did it: `move the red die to space 6: …`"""
        return self._told(self.deed)

    def _told(self, deed: str) -> str:
        own = ", ".join(effect.words for effect in self.effects if effect.seat == self.seat)
        told = f"{deed}{f': {own}' if own else ''}."
        for seat in sorted({effect.seat for effect in self.effects} - {self.seat}):
            others = ", ".join(effect.words for effect in self.effects if effect.seat == seat)
            told += f" {COLOURS[seat].capitalize()}: {others}."
        return told + "".join(f" {fact[0].upper()}{fact[1:]}." for fact in self.facts)


def tell(ruleset: Ruleset, games: Sequence[Any], views: Sequence[View], seat: int, action: str, at: int) -> list[Told]:
    """Tell a decision: a line for it, and in the solo game one for what Ivan has done after it.

    Args:
        ruleset: the variant.
        games: the GAME records before and after.
        views: the views of both.
        seat: who decided.
        action: in the words of the record; a contract that is hidden is `contract ?`.
        at: the number of decisions before it.
    """
    before, after = views
    turn = int(games[0]["turn"])
    ivan = _ivans(games, action) if ruleset.solo else None
    marker = Markers(ruleset, games, views, seat, action, ivan)
    effects = [*_goods(before, after), *marker.effects(seat)]
    done = _Board(ruleset, games, views, seat, action)
    lines = [Told(turn, seat, at, _deed(before, action, after["point"]), _own_first(effects, seat), done.of(seat))]
    if ivan is not None:
        lines.append(
            Told(turn, IVAN, at, _ivans_deed(after, ivan), _own_first(marker.effects(IVAN), IVAN), done.of(IVAN), True)
        )
    return [line for line in lines if line.deed]


def _deed(before: View, action: str, asked: str) -> str:
    """The phrase of an action; which tile is placed is not seen any more afterwards, and how much is taken the next
    line says."""
    if action == "obtain" and asked == "take":
        return f"choose what space {before['landing']} gives"
    words, tile = phrase(before, action), before["waiting"]["tile"]
    if action.startswith("place ") and tile:
        return words.replace("the tile ", f"the tile ({tile_words(tile)}) ", 1)
    return words


def _own_first(effects: Iterable[Effect], seat: int) -> tuple[Effect, ...]:
    return tuple(sorted((effect for effect in effects if effect.amount), key=lambda effect: effect.seat != seat))


# --- goods


def _goods(before: View, after: View) -> list[Effect]:
    effects = []
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        things = {"rubles": new["rubles"] - old["rubles"]}
        for name in dict.fromkeys([*old["materials"], *new["materials"]]):
            things[name] = new["materials"].get(name, 0) - old["materials"].get(name, 0)
        if "permits" in new:
            things["permits"] = new["permits"] - old["permits"]
        effects += [Effect(seat, number, thing) for thing, number in sorted(things.items(), key=lambda pair: pair[1])]
    return effects


# --- the board


class _Board:
    """What has changed on the board beside the deed, in sentences by who has done it."""

    def __init__(self, ruleset: Ruleset, games: Sequence[Any], views: Sequence[View], seat: int, action: str) -> None:
        self.solo, self.seat = ruleset.solo, seat
        self.games, (self.before, self.after) = games, views
        self.deed = phrase(self.before, action)
        self.facts: dict[int, list[str]] = {seat: [], IVAN: []}
        self._sections()
        self._workshops()
        self._market(action)
        self._expansion(action)
        ending = int(games[1]["ending"])
        if ending >= 0 > int(games[0]["ending"]) and not self.after["over"]:
            who = "Ivan" if self.solo and ending == IVAN else COLOURS[ending]
            self._add(ending, f"{who} has finished six sections: everyone else has one more turn")
        if self.after["over"] and not self.before["over"]:
            self._add(seat, str(self.after["over"]))

    def of(self, seat: int) -> tuple[str, ...]:
        """The facts of what this seat has done."""
        return tuple(self.facts.get(seat, ()))

    def _add(self, seat: int, fact: str) -> None:
        """Note a fact, unless the deed says so already."""
        self.facts[seat if seat in self.facts else self.seat].append(fact)

    def _sections(self) -> None:
        for name in sections(self.before):
            old, new, words = section(self.before, name), section(self.after, name), section_words(self.after, name)
            by = IVAN if self.solo and IVAN in (new["owner"], new["ornament_owner"]) else self.seat
            if new["owner"] != old["owner"] and words not in self.deed and by == self.seat:
                self._add(by, f"{words} is claimed")
            if new["finished"] and not old["finished"] and not (self.solo and new["owner"] == IVAN):
                self._add(self.seat, f"{words} is finished")
            if new["ornament"] and not old["ornament"] and words not in self.deed and by == self.seat:
                self._add(by, f"{ornament_on(self.after, name)} is put on {words}")
            laid = {m: n - old["delivered"].get(m, 0) for m, n in new["delivered"].items()}
            if by == self.seat and any(n > 0 for n in laid.values()) and words not in self.deed:
                things = joined_words([amount_words(n, m) for m, n in laid.items() if n > 0])
                self._add(by, f"{things} is delivered to {words}")

    def _workshops(self) -> None:
        for seat, (old, new) in enumerate(zip(self.before["seats"], self.after["seats"], strict=True)):
            for slot, now in new["workshop"].items():
                then = old["workshop"][slot]
                if now["tile"] != then["tile"] and not (seat == self.seat and slot_words(slot) in self.deed):
                    tile = "empty" if now["tile"] is None else "face down"
                    tile = tile if now["tile"] in (None, "face down") else tile_words(now["tile"])
                    self._add(self.seat, f"on {COLOURS[seat]}'s {slot_words(slot)} now: {tile}")
                gone = then["ornament"] and not now["ornament"]
                if gone:
                    kept = new["ornaments"].get(then["ornament"], 0) > old["ornaments"].get(then["ornament"], 0)
                    name = f"the {then['ornament']} on the {slot_words(slot)}"
                    self._add(self.seat, f"{name} {'can be used now' if kept else 'is lost'}")

    def _market(self, action: str) -> None:
        after, before, game = self.after, self.before, self.games[1]
        moved = [die for die, at in after["dice"].items() if at["space"] != before["dice"][die]["space"]]
        ivans = _ivans(self.games, action) if self.solo else None
        told = [*(event.partition(" ")[2] for event in ivans or () if event.startswith("move ")), action.split()[1:2]]
        for die in moved:
            if die not in told and [die] not in told:
                self._add(self.seat, f"the {die} die moves to space {after['dice'][die]['space']}")
        rolled = rolls_text(rolls_to_list(game))
        if rolled:
            self._add(self.seat, f"rolled: {rolled}")
        if ivans is not None and game["ivan_rolled_count"]:
            rolled = rolls_text(ivan_turn(game)["rolls"])
            if rolled and any(event.startswith("move ") for event in ivans):
                self._add(IVAN, f"rolled: {rolled}")
        changed = [i for i, here in enumerate(after["market"]) if here["tile"] != before["market"][i]["tile"]]
        if changed and not action.startswith("swap "):
            self._add(self.seat, f"the tiles of spaces {joined_words([str(i) for i in changed])} change places")

    def _expansion(self, action: str) -> None:
        """What only the full game has."""
        before, after, seat = self.before, self.after, self.seat
        if after.get("foreman") != before.get("foreman") and not action.startswith("foreman "):
            self._add(seat, f"the foreman moves to tower {after['foreman'] + 1}")
        for old, new in zip(before.get("cities", ()), after.get("cities", ()), strict=True):
            if old["open"] and not new["open"]:
                self._add(seat, f"{new['name'].capitalize()} is closed now")
        for slot, (old, new) in enumerate(zip(before.get("offer", ()), after.get("offer", ()), strict=True)):
            if old != new:
                self._add(seat, f"on slot {slot} now: {specialist_words(new) if new else 'nobody'}")
        for card in (after.get("builders") or {}).get("drawn", ()):
            if card not in before["builders"]["drawn"]:
                self._add(seat, f"a card is drawn that needs {amounts_words(card['cost'])}")
        drawn = _drawn(after)
        if drawn > _drawn(before):
            self._add(seat, f"{drawn} contracts are drawn")
        for other, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
            who = "Ivan" if self.solo and other == IVAN else COLOURS[other]
            for held in set(new.get("reinforcements", ())) - set(old.get("reinforcements", ())):
                words = reinforcement_words(after, held)
                if words not in self.deed:
                    self._add(other, f"{who} takes the reinforcement for {words}")
            gained = len(new.get("hand", ())) + new.get("hidden", 0) - len(old.get("hand", ())) - old.get("hidden", 0)
            if gained and not action.startswith("contract "):
                self._add(other, f"{who} {'keeps' if gained > 0 else 'returns'} a contract")
            if new.get("specialist") != old.get("specialist") and new.get("specialist"):
                self._add(other, f"{who}'s specialist is now: {specialist_words(new['specialist'])}")
            tools = _flat(new.get("tools", ())), _flat(old.get("tools", ()))
            if tools[0] != tools[1]:
                self._add(other, f"{who}'s tools are now: {', '.join(tools[0]) or 'none'}")


def _drawn(shown: View) -> int:
    """How many contracts are drawn, one of which is still to be kept."""
    contracts = shown.get("contracts") or {"drawn": (), "hidden": 0}
    return len(contracts["drawn"]) + int(contracts["hidden"])


def _flat(groups: Iterable[Iterable[str]]) -> list[str]:
    return sorted(name for group in groups for name in group)


# --- Ivan


def _ivans(games: Sequence[Any], action: str) -> list[str] | None:
    """What Ivan has done in this step, as the record has it; None where he has done nothing.

    His turn may wait for the player's choice: then only what is new is told.
    """
    before, after = games
    events: list[str] = ivan_turn(after)["events"]
    if after["ivan_turns"] == before["ivan_turns"] and action.startswith("ivan ") is False:
        earlier = ivan_turn(before)["events"]
        return events if events != earlier else None
    return events[len(ivan_turn(before)["events"]) :] if action.startswith("ivan ") else events


_CARDS = {
    "recognition": "takes recognition",
    "inventory": "takes materials",
    "transport": "brings his materials to the building site",
    "claim": "claims a section",
    "construction": "builds with the materials at the building site",
    "hire": "sends a contractor",
}


def _ivans_deed(after: View, events: Sequence[str]) -> str:
    """Ivan's events as one phrase; what he gains is told by the effects."""
    told = []
    for event in events:
        word, *what = event.split()
        match word:
            case "shuffle":
                told.append(f"mixes his tiles: {', '.join(what)}")
            case "adorn":
                told.append(f"puts {ornament_on(after, what[0])} on {section_words(after, what[0])}")
            case "move":
                told.append(f"moves the {what[0]} die to space {after['dice'][what[0]]['space']}")
            case "blocked":
                told.append(f"cannot move the {what[0]} die, since its space is full")
            case "card":
                told.append(f"{_CARDS[what[0]]} (his card)")
            case "claim":
                owned = [
                    s for s in sections(after) if s.startswith(f"{what[0]}.") and section(after, s)["owner"] == IVAN
                ]
                told.append(f"puts a banner on {section_words(after, owned[-1])}")
            case "complete":
                told.append(f"finishes {section_words(after, what[0])}")
            case "hire":
                told.append(f"puts the contractor in {what[0].capitalize()}")
            case "specialist" | "specialists":
                told.append(f"takes the specialist{'s' * (len(what) > 1)} {joined_words([f'no. {n}' for n in what])}")
            case "return":
                told.append(f"returns the specialists {joined_words([f'no. {n}' for n in what])}")
    return joined_words(told)
