"""The view that every picture of a game is drawn from: words and exact numbers, read once from a GAME record.

A view is `words.facts.game_facts` with additions for people: scores that are not cut, the delivered materials, the
name of each guild with the two actions of its card in words, and sentences that say whose turn it is and what is to be
decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rc_env import checks
from rc_env.arguments import ONE_GAME, one_game
from rc_env.render import expansion
from rc_env.render.amounts import amount_words, tile_words
from rc_env.render.contractors import has_module
from rc_env.rules.points import Point
from rc_env.rules.printed.sizes import COLOURS, KINDS, MATERIAL_NAMES, SPACES_PER_QUADRANT
from rc_env.rules.state import TERMINATED
from rc_env.ruleset import Ruleset
from rc_env.words.facts import Facts, game_facts
from rc_env.words.notation import delivered, fields, ivan_turn, towers

View = Facts
"""The dictionary of `words.facts`, and in it:

words: the headline; over: how the game ended, or None; winners: seats, once it is over.
players, advanced, solo: the variant. lap, prestige_spaces: how long a lap of the score track is, and its prestige
spaces. last: the events of Ivan's last turn, in the solo game.
step_price, ruble_price, reroll_price: rubles for a further step, rubles for a prestige, prestige for a re-roll.
market: also `on`, the dice there as (die, value). dice: also `target`, the space where the value leads.
guilds: by quadrant "name" (as the data file has it), "card" (counted from 1), "actions" (the columns of their effects,
by name), "words", and "used" (1, 2 or None).
towers: sections also with their `cost` and what is `delivered` of it, by material.
seats: numbers in full; also `track`, the spaces from its start, and `ahead`, those to the next prestige space.
What the full game has beside these: see `expansion.add`, and `contractors.add` with the module Contractors.
"""


def view(ruleset: Ruleset, game: Any) -> View:
    """Make the view of one GAME record.

    Raises:
        ValueError: not a ruleset, or not one GAME record of its build.
    """
    game = one_game(ruleset, game)
    shown = game_facts(ruleset, game, 0)
    with checks.reading("game", ONE_GAME):
        return _view(ruleset, game, shown)


def _view(ruleset: Ruleset, game: Any, shown: View) -> View:
    """The facts of a game with the additions for people."""
    g, rules = fields(game), ruleset.rules[0]
    shown["special_tiles"] = ruleset.special_tiles
    shown["turn"] = g["turn"]
    shown["players"], shown["advanced"], shown["lap"] = ruleset.players, bool(rules.advanced), int(rules.track_length)
    shown["solo"] = ruleset.solo
    shown["last"] = ivan_turn(game)["events"] if ruleset.solo else []
    shown["prestige_spaces"] = list(ruleset.data_file.tables["track"]["prestige"])
    shown["step_price"], shown["ruble_price"] = int(rules.rubles_per_step), int(rules.rubles_per_prestige)
    shown["reroll_price"] = int(rules.prestige_per_reroll)
    for seat, row in enumerate(shown["seats"]):
        row.update(_scores(ruleset, g, seat))
    for space, here in enumerate(shown["market"]):
        here["on"] = [(die, at["value"]) for die, at in shown["dice"].items() if at["space"] == space]
    for at in shown["dice"].values():
        at["target"] = (at["space"] + at["value"]) % len(shown["market"])
    shown["guilds"] = _guilds(ruleset, g, shown)
    cards = [card["cost"] for kind in KINDS for card in ruleset.data_file.tables["cards"][kind]]
    for tower, numbers in zip(shown["towers"], towers(g), strict=True):
        for section, s in zip(tower["sections"], numbers, strict=True):
            section["cost"] = {m: cards[g["number"][s]][m] for m in MATERIAL_NAMES if m in cards[g["number"][s]]}
            section["delivered"] = {} if section["finished"] else delivered(ruleset, g, s, section["cost"])
            if "misses" in section:  # Ivan's: of any kind
                section["missing"] = {"any_material": section["misses"]} if section["misses"] else {}
            if ruleset.full:
                section["diamonds"] = g["card_diamonds"][s]
    if ruleset.full:
        expansion.add(ruleset, game, g, shown)
    over = shown["point"] == "over"
    shown["over"] = (
        None if not over else "the game is over" if g["status"] == TERMINATED else "the turn limit is reached"
    )
    shown["winners"] = winners(shown) if over else []
    shown["words"] = headline(shown)
    return shown


def winners(shown: View) -> list[int]:
    """The seats that win: those with most prestige, then most finished sections, then most ornaments (R-28)."""
    keys = [(s["score"], s["finished"], s["adorned"]) for s in shown["seats"]]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def _scores(ruleset: Ruleset, g: Mapping[str, Any], seat: int) -> dict[str, int]:
    rules, track = ruleset.rules[0], g["track"][seat]
    lap, place = divmod(track, int(rules.track_length))
    prestige = lap * int(rules.lap_prestige) + int(rules.prestige_at[place])
    goods = (sum(g["goods"][seat][: len(MATERIAL_NAMES)]) + g["rubles"][seat]) // int(rules.goods_per_prestige)
    shares = sum(share[seat] for share in g["share"])
    return {
        "track": track,
        "rubles": g["rubles"][seat],
        "prestige": prestige,
        "past": int(rules.past[place]) if prestige else track,  # before the first prestige space: from the start
        "ahead": int(rules.ahead[place]),
        "goods_prestige": goods,
        "tower_prestige": shares,
        "score": prestige + goods + shares,
    }


def _guilds(ruleset: Ruleset, g: Mapping[str, Any], shown: View) -> list[dict[str, Any]]:
    """The guild of each quadrant and its card, from the game's record and the data file."""
    first = ruleset.rules[0].first_influence
    here = None if shown["landing"] is None else shown["landing"] // SPACES_PER_QUADRANT
    rows = []
    for quadrant, (guild, influence) in enumerate(zip(g["guild"], g["influence"], strict=True)):
        card = influence - int(first[guild])
        name, actions, words = expansion.guild_actions(ruleset, guild, card)
        rows.append(
            {
                "name": name,
                "card": card + 1,
                "actions": actions,
                "words": words,
                "used": shown["guild"] if quadrant == here else None,
            }
        )
    return rows


# --- sentences


def headline(shown: View) -> str:
    """The headline: whose turn it is and the current decision, `Turn 3: red decides, market; the white die moved to
    space 2`."""
    if shown["over"]:
        return f"Turn {shown['turn']}: {shown['over']}; {outcome(shown)}"
    words = f"Turn {shown['turn']}: {COLOURS[shown['to_move']]} decides, {waiting(shown)}"
    if shown["moved"]:
        words += f"; the {shown['moved']} die moved to space {shown['landing']}"
    done = [
        shown["obtained"] and "obtained",
        shown["guild"]
        and f"guild action {shown['guild']} used" + (" (may be repeated)" if shown["guild_open"] else ""),
        shown["worked"] and ("specialist" if has_module(shown) and shown["moved"] == "black" else "workshop") + " used",
        shown["rerolled"] and "re-rolled",
    ]
    words += "".join(f", {word}" for word in done if word)
    if shown["ending"] is not None:
        words += f"; {COLOURS[shown['ending']]} has triggered the ending"
    return words


def outcome(shown: View) -> str:
    """The outcome in words: who has won, and with what score."""
    who = [COLOURS[seat] for seat in shown["winners"]]
    verb = "wins" if len(who) == 1 else "share the victory"
    scores = ", ".join(f"{COLOURS[seat]} {row['score']}" for seat, row in enumerate(shown["seats"]))
    return f"{' and '.join(who)} {verb} ({scores})"


def waiting(shown: View) -> str:
    """The current decision point in words, with what remains to be done: `build: 2 deliveries left`.

    Raises:
        ValueError: the point is none of `points.Point`.
    """
    point, w = shown["point"], shown["waiting"]
    more = expansion.waiting(shown)
    if more is not None:
        return more
    match point:
        case "start":
            return "a turn begins"
        case "place":
            return f"place: the tile of section {w['section']}" + (f" ({tile_words(w['tile'])})" if w["tile"] else "")
        case "take":
            what = (
                "one material of any kind"
                if w["material"] in ("any_material", None)
                else f"up to {amount_words(w['most'], w['material'])}"
            )
            return f"take: {what}" + (", or none" if w["may_refuse"] else "")
        case "build":
            return f"build: {count(w['deliveries'], 'delivery', 'deliveries')} left"
        case "gems":
            return f"gems: for the ornament on section {w['section']}"
        case "pay":
            return f"pay: {count(w['payments'], 'payment')} left"
        case "gain":
            refused = f", not {w['material'].replace('_', ' ')}" if w["material"] else ""
            return f"gain: {count(w['gains'], 'material')} of one's choice{refused}"
        case "tile":
            return "tile: a workshop tile to activate"
        case "swap":
            return "swap: two market tiles"
        case "end":
            return "end: the main action is over"
        case "ivan":
            return "ivan: where Ivan " + ("claims" if shown["ivan"]["choosing"] == "claim" else "places his ornament")
        case "market":
            return "market"
    raise ValueError(f"unknown point {point!r}: choose {checks.choice(known.name.lower() for known in Point)}")


def count(number: int, word: str, plural: str = "") -> str:
    """A number with its noun: `1 ruble`, `2 rubles`."""
    return f"{number} {word if number == 1 else plural or word + 's'}"


def die_letter(die: str) -> str:
    """The letter of a die: `R` for red, but `K` for black, since `B` is the blue die."""
    return "K" if die == "black" else die[0].upper()


def is_full(shown: View) -> bool:
    """Whether the position is of the full game."""
    return "decision" in shown
