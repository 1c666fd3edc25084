"""What a picture of a game tells, in words and exact numbers: read once from a GAME record, drawn by every face.

A view is `layout.facts.game_facts` with what a person wants beside it: scores that are not cut, what was delivered, the
two actions of each guild card in words, and sentences that say whose turn it is and what waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rc_env.layout.facts import Facts, game_facts
from rc_env.layout.notation import KINDS, delivered, fields, ivan_turn, towers
from rc_env.rules.data_file import COLOURS, MATERIALS
from rc_env.rules.sizes import QUADRANTS
from rc_env.rules.state import TERMINATED
from rc_env.rules.vocabulary import action_text
from rc_env.ruleset import Ruleset

View = Facts
"""The dictionary of `layout.facts`, and in it:

words: the headline; over: how the game ended, or None; winners: seats, once it is over.
players, advanced, solo: the variant. lap, prestige_spaces: how long a lap of the score track is, and its prestige
spaces. last: the events of Ivan's last turn, in the solo game.
step_price, ruble_price, reroll_price: rubles for a further step, rubles for a prestige, prestige for a re-roll.
market: also `on`, the dice there as (die, value). dice: also `target`, the space where the value leads.
guilds: by quadrant "name", "card", "actions" (as the data file has them), "words", and "used" (1, 2 or None).
towers: sections also with their `cost` and what is `delivered` of it, by material.
seats: numbers in full; also `track`, the spaces from its start.
"""


def view(ruleset: Ruleset, game: Any) -> View:
    """Everything a picture of one GAME record tells."""
    g, rules = fields(game), ruleset.rules[0]
    told = game_facts(ruleset, game, 0)
    told["turn"] = g["turn"]
    told["players"], told["advanced"], told["lap"] = ruleset.players, bool(rules.advanced), int(rules.track_length)
    told["solo"] = ruleset.solo
    told["last"] = ivan_turn(game)["events"] if ruleset.solo else []
    told["prestige_spaces"] = list(ruleset.data_file.tables["track"]["prestige"])
    told["step_price"], told["ruble_price"] = int(rules.rubles_per_step), int(rules.rubles_per_prestige)
    told["reroll_price"] = int(rules.prestige_per_reroll)
    for seat, row in enumerate(told["seats"]):
        row.update(_scores(ruleset, g, seat))
    for space, here in enumerate(told["market"]):
        here["on"] = [(die, at["value"]) for die, at in told["dice"].items() if at["space"] == space]
    for at in told["dice"].values():
        at["target"] = (at["space"] + at["value"]) % len(told["market"])
    told["guilds"] = _guilds(ruleset, told)
    cards = [card["cost"] for kind in KINDS for card in ruleset.data_file.tables["cards"][kind]]
    for tower, numbers in zip(told["towers"], towers(g), strict=True):
        for section, s in zip(tower["sections"], numbers, strict=True):
            section["cost"] = {m: cards[g["number"][s]][m] for m in MATERIALS if m in cards[g["number"][s]]}
            section["delivered"] = {} if section["finished"] else delivered(ruleset, g, s, section["cost"])
            if "misses" in section:  # Ivan's: of any kind
                section["missing"] = {"any_material": section["misses"]} if section["misses"] else {}
    over = told["point"] == "over"
    told["over"] = (
        None if not over else "the game is over" if g["status"] == TERMINATED else "the turn limit is reached"
    )
    told["winners"] = winners(told) if over else []
    told["words"] = headline(told)
    return told


def winners(told: View) -> list[int]:
    """Seats with most prestige, then finished sections, then ornaments placed (R-28)."""
    keys = [(s["score"], s["finished"], s["adorned"]) for s in told["seats"]]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def _scores(ruleset: Ruleset, g: Mapping[str, Any], seat: int) -> dict[str, int]:
    rules, track = ruleset.rules[0], g["track"][seat]
    lap, place = divmod(track, int(rules.track_length))
    prestige = lap * int(rules.lap_prestige) + int(rules.prestige_at[place])
    goods = (sum(g["goods"][seat][: len(MATERIALS)]) + g["rubles"][seat]) // int(rules.goods_per_prestige)
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


def _guilds(ruleset: Ruleset, told: View) -> list[dict[str, Any]]:
    cards = ruleset.data_file.tables["guilds"]
    here = None if told["landing"] is None else told["landing"] * QUADRANTS // len(told["market"])
    rows = []
    for quadrant, name in enumerate(told["guild_cards"]):
        guild, card = name.split("/")
        actions = cards[guild][int(card) - 1]
        used = told["guild"] if quadrant == here else None
        words = [action_text(action) for action in actions]
        rows.append({"name": guild, "card": int(card), "actions": actions, "words": words, "used": used})
    return rows


# --- sentences


def headline(told: View) -> str:
    """Whose turn it is, and what waits: `Turn 3: red decides, market; the white die moved to space 2`."""
    if told["over"]:
        return f"Turn {told['turn']}: {told['over']}; {outcome(told)}"
    words = f"Turn {told['turn']}: {COLOURS[told['to_move']]} decides, {waiting(told)}"
    if told["moved"]:
        words += f"; the {told['moved']} die moved to space {told['landing']}"
    done = [
        told["obtained"] and "obtained",
        told["guild"] and f"guild action {told['guild']} used" + (" (may be repeated)" if told["guild_open"] else ""),
        told["worked"] and "workshop used",
        told["rerolled"] and "re-rolled",
    ]
    words += "".join(f", {word}" for word in done if word)
    if told["ending"] is not None:
        words += f"; {COLOURS[told['ending']]} has triggered the ending"
    return words


def outcome(told: View) -> str:
    """Who has won, and with what."""
    who = [COLOURS[seat] for seat in told["winners"]]
    verb = "wins" if len(who) == 1 else "share the victory"
    scores = ", ".join(f"{COLOURS[seat]} {row['score']}" for seat, row in enumerate(told["seats"]))
    return f"{' and '.join(who)} {verb} ({scores})"


def waiting(told: View) -> str:
    """The decision point that waits and what it still owes: `build: 2 deliveries left`."""
    point, w = told["point"], told["waiting"]
    match point:
        case "start":
            return "a turn begins"
        case "place":
            return f"place: the tile {w['tile']} of section {w['section']}"
        case "take":
            what = (
                "one material of any kind" if w["material"] == "any_material" else f"up to {w['most']} {w['material']}"
            )
            return f"take: {what}" + (", or none" if w["may_refuse"] else "")
        case "build":
            return f"build: {count(w['deliveries'], 'delivery', 'deliveries')} left"
        case "gems":
            return f"gems: for the ornament on section {w['section']}"
        case "pay":
            return f"pay: {count(w['payments'], 'payment')} left"
        case "gain":
            refused = f", not {w['material']}" if w["material"] else ""
            return f"gain: {count(w['gains'], 'material')} of one's choice{refused}"
        case "tile":
            return "tile: a workshop tile to activate"
        case "swap":
            return "swap: two market tiles"
        case "end":
            return "end: the main action is over"
        case "ivan":
            return "ivan: where Ivan " + ("claims" if told["ivan"]["choosing"] == "claim" else "places his ornament")
    return str(point)


def count(number: int, word: str, plural: str = "") -> str:
    """`1 ruble`, `2 rubles`."""
    return f"{number} {word if number == 1 else plural or word + 's'}"


def listed(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """`lumber:2, gold:1`, or `-`."""
    pairs = counts.items() if isinstance(counts, Mapping) else counts
    return ", ".join(f"{name}:{number}" for name, number in pairs if number) or "-"
