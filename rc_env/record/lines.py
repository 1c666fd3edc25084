"""The other lines of a record: decisions, Ivan's turns and the last line, as far as can be checked without playing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rc_env import checks
from rc_env.layout.actions import ActionLayout
from rc_env.record import form
from rc_env.record.decision import IVAN_EVENTS
from rc_env.rules.printed.sizes import CARDS_DRAWN, CONTRACTS, CONTRACTS_DRAWN, FORCED, SPECIALIST_SLOTS, SPECIALISTS
from rc_env.rules.solo.events import SEAT
from rc_env.ruleset import Ruleset
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import die_names, names

_DECISION = ("seat", "point", "action", "rolls")
_IVAN_TURN = ("seat", "point", "events", "rolls")
_OPTIONAL = ("legal", "state", "policy", "value")
_UNFINISHED = ("seat", "bots")
_RESULT = ("prestige", "track", "winners", "truncated", "breakdown")
_BREAKDOWN = ("track", "goods", "towers")
_COUNTED = {"contracts": expansion.CONTRACTS, "tools": expansion.MODULE}  # in games with them
UNSEEN = "contract ?"  # a choice among contracts, in a record for another seat


def check_decision(decision: Mapping[str, Any], ruleset: Ruleset, expanded: bool, view: int | None) -> None:
    """A line between the first and the last, as far as it can be checked without playing."""
    form.members("decision", decision, _DECISION, (*_OPTIONAL, "draws") if expanded else _OPTIONAL)
    seat = form.integer("seat", decision["seat"], 0, ruleset.players - 1)
    points = ruleset.build.points.POINTS
    if decision["point"] not in points:
        form.refuse(f"point: {form.show(decision['point'])} found, expected one of {', '.join(points)}")
    hidden = view not in (None, seat)
    if hidden and decision["point"] in ("keep", "return"):
        form.equal("action", decision["action"], UNSEEN)
        if "legal" in decision:
            form.refuse(f"legal: {form.show(decision['legal'])} found, expected none: seat {view} cannot know it")
    else:
        _action("action", decision["action"], ruleset)
    _rolls(decision["rolls"], ruleset)
    if "draws" in decision:
        _draws(decision["draws"], ruleset, hidden)
    if "legal" in decision:
        legal = form.list_of("legal", decision["legal"], "actions")
        for action in legal:
            _action("legal", action, ruleset)
        if len(set(legal)) < len(legal):
            form.refuse(f"legal: {checks.repeated(legal)} found twice, expected each action once")
        if decision["action"] not in legal:
            form.refuse(f"legal: {decision['action']} not found, expected the action that was played among them")
    if "state" in decision and not isinstance(decision["state"], dict):
        form.refuse(f"state: {form.show(decision['state'])} found, expected an object")
    if "policy" in decision:
        if not isinstance(decision["policy"], dict):
            form.refuse(f"policy: {form.show(decision['policy'])} found, expected an object")
        for action, share in decision["policy"].items():
            _action("policy", action, ruleset)
            if not 0 <= form.number(f"policy, {action}", share) <= 1:
                form.refuse(f"policy, {action}: {form.show(share)} found, expected a number from 0 to 1")
    if "value" in decision:
        for value in form.list_of("value", decision["value"], "numbers", ruleset.players):
            form.number("value", value)


def _draws(draws: Any, ruleset: Ruleset, hidden: bool) -> None:
    """Check the draws of a decision; `hidden` if they belong to another seat than the reader's."""
    if not form.list_of("draws", draws, "draws"):
        form.refuse("draws: [] found, expected it only where something was drawn")
    known = names(ruleset).cards
    for draw in draws:
        if ruleset.contractors and isinstance(draw, dict) and "slot" in draw:
            _refill(draw)
            continue
        form.members("draws", draw, (), ("contracts", "cards"))
        if len(draw) != 1:
            kinds = "contracts, cards or a refilled slot" if ruleset.contractors else "contracts or cards"
            form.refuse(f"draws: {form.show(draw)} found, expected {kinds} in each entry")
        if "cards" in draw:
            cards = form.list_of("draws.cards", draw["cards"], "cards")
            for card in cards:
                if card not in known:
                    form.refuse(f"draws.cards: {form.show(card)} found, expected a cathedral card, say 'middle/3'")
            if not 1 <= len(cards) <= CARDS_DRAWN:
                form.refuse(f"draws.cards: {len(cards)} cards found, expected 1 to {CARDS_DRAWN}")
        elif hidden:
            form.equal("draws.contracts", draw["contracts"], CONTRACTS_DRAWN)
        else:
            for number in form.list_of("draws.contracts", draw["contracts"], "contracts", CONTRACTS_DRAWN):
                form.integer("draws.contracts", number, 1, CONTRACTS)


def _refill(draw: Any) -> None:
    """A specialist drawn onto a slot; none from an empty bag."""
    form.members("draws", draw, ("slot", "specialist"))
    form.integer("draws.slot", draw["slot"], 0, SPECIALIST_SLOTS - 1)
    if draw["specialist"] is not None:
        form.integer("draws.specialist", draw["specialist"], 1, SPECIALISTS)


def _rolls(rolls: Any, ruleset: Ruleset) -> None:
    dice = 0
    for roll in form.list_of("rolls", rolls, "rolls"):
        form.members("rolls", roll, (), die_names(ruleset))
        dice += len(roll)
        if not roll:
            form.refuse("rolls: a roll of no dice found, expected at least one")
        for die, value in roll.items():
            form.integer(f"rolls, {die}", value, 1, 6)
    if dice > FORCED:  # six at most by the rules: a re-roll, then the end of the market, each of three dice
        form.refuse(f"rolls: {dice} dice found, expected at most {FORCED} in consequence of one decision")


def check_ivan_turn(turn: Mapping[str, Any], ruleset: Ruleset) -> None:
    """A turn of Ivan's, as far as it can be checked without playing."""
    if not ruleset.solo:
        form.refuse("a turn of Ivan's found, expected none in a game that is not solo")
    form.members("ivan turn", turn, _IVAN_TURN, ("draws",) if ruleset.contractors else ())
    form.equal("seat", turn["seat"], SEAT)
    for event in form.list_of("events", turn["events"], "events"):
        words = event.split(" ") if isinstance(event, str) else []
        if not words or words[0] not in IVAN_EVENTS:
            form.refuse(f"events: {form.show(event)} found, expected an event, say 'move white' or 'card claim'")
        count = ruleset.ivan_cards
        dice = die_names(ruleset)[:count]  # of his tiles, one on each of his cards
        if words[0] == "shuffle" and sorted(words[1:]) != sorted(dice):
            form.refuse(f"events: {form.show(event)} found, expected shuffle with each of {', '.join(dice)} once")
    _rolls(turn["rolls"], ruleset)
    if "draws" in turn:
        if not form.list_of("draws", turn["draws"], "draws"):
            form.refuse("draws: [] found, expected it only where something was drawn")
        for draw in turn["draws"]:
            _refill(draw)


def check_unfinished(about: Any, ruleset: Ruleset) -> None:
    """Check who plays an unfinished game."""
    form.members("unfinished", about, _UNFINISHED, ("resigned",))
    if about.get("resigned", True) is not True:
        form.refuse(f"unfinished.resigned: {form.show(about['resigned'])} found, expected true, or none")
    form.integer("unfinished.seat", about["seat"], 0, ruleset.players - 1)
    for name in form.list_of("unfinished.bots", about["bots"], "names", ruleset.players - 1):
        if not isinstance(name, str):
            form.refuse(f"unfinished.bots: {form.show(name)} found, expected the name of a bot")


def check_new_dice(new_dice: Any, decisions: int) -> list[dict[str, int]]:
    """Check from which decisions on the dice follow from seeds of their own."""
    least = 0
    for one in form.list_of("new_dice", new_dice, "objects"):
        form.members("new_dice", one, ("from", "seed"))
        form.integer("new_dice.from", one["from"], least, decisions)
        form.integer("new_dice.seed", one["seed"], 0, 2**64 - 1)
        least = one["from"] + 1
    return list(new_dice)


def check_result(result: Any, ruleset: Ruleset, bits: int) -> None:
    """Check the last line as far as is possible without playing; `bits` as from `brought_by`."""
    known = (*_BREAKDOWN, *(key for key, bit in _COUNTED.items() if bits & bit))
    seats = ruleset.seats
    form.members("result", result, _RESULT)
    for key in ("prestige", "track"):
        for number in form.list_of(f"result.{key}", result[key], "numbers", seats):
            form.integer(f"result.{key}", number, 0, 2**31 - 1)
    for seat in form.list_of("result.winners", result["winners"], "seats"):
        form.integer("result.winners", seat, 0, seats - 1)
    if type(result["truncated"]) is not bool:
        form.refuse(f"result.truncated: {form.show(result['truncated'])} found, expected true or false")
    for part in form.list_of("result.breakdown", result["breakdown"], "seats", seats):
        form.members("result.breakdown", part, known)
        towers = form.list_of("result.breakdown.towers", part["towers"], "towers", int(ruleset.rules[0].towers))
        for number in (*(part[key] for key in known if key != "towers"), *towers):
            form.integer("result.breakdown", number, 0, 2**31 - 1)


def _action(where: str, text: Any, ruleset: Ruleset) -> None:
    """Refuse what is not an action in exactly the words of the catalogue, for any seat."""
    if not isinstance(text, str) or text not in _catalogue(ruleset.actions):
        form.refuse(
            f"{where}: {form.show(text)} found, expected an action, say 'move white +2' or 'claim 1 from spare'"
        )


@lru_cache(maxsize=32)
def _catalogue(layout: ActionLayout) -> frozenset[str]:
    return frozenset(layout.to_text(action, seat) for seat in range(layout.players) for action in range(layout.size))
