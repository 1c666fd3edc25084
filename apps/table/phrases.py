"""Actions and things in the words of the board: `deliver 1 gold to the base of tower 3`, `2 rubles and 1 brick`.

The record has short words of its own (`deliver gold to 3.1`), which can be typed and read back; these are for people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rc_env.apps.table.explain import REINFORCEMENTS
from rc_env.render.amounts import SPECIAL, amount_words, amounts_words, joined_words, tile_words
from rc_env.render.contractors import next_bonus, specialist_words
from rc_env.render.view import View
from rc_env.rules.printed.sizes import COLOURS, KINDS, ORNAMENT_NAMES, RESOURCE_NAMES, SPACES_PER_QUADRANT

_ORDINALS = ("base", "2nd section", "3rd section", "4th section", "5th section")
GROUPS = {
    "move": "Move a die: to the market",
    "claim": "Claim a section",
    "build": "Build: deliver materials and ornaments",
    "hire": "Send a contractor",
    "market": "At the market, each once",
    "up": "Place the tile face up: it works at once",
    "down": "Place it face down: it is free, and does nothing",
    "here": "Choose",
    "besides": "Besides, if you like",
    "end": "End it here",
}
"""The groups in which actions are offered, in their order, by name."""
_GROUP_OF = {
    "move": "move", "claim": "claim", "deliver": "build", "adorn": "build", "hire": "hire", "rubles": "besides",
    "reroll": "besides", "permit": "besides", "done": "end", "pass": "end",
}  # fmt: skip


def seat_name(seat: int, players: int) -> str:
    """Who sits there, as a sentence begins with it: `Red`; the seat after those of the players is Ivan's."""
    return COLOURS[seat].capitalize() if seat < players else "Ivan"


def section_words(shown: View, section: str) -> str:
    """A section: `the base of tower 3`, for `3.1`."""
    tower, level = (int(number) - 1 for number in section.split("."))
    sections = shown["towers"][tower]["sections"]
    return f"the {'dome' if level == len(sections) - 1 else _ORDINALS[level]} of tower {tower + 1}"


def offered(shown: View, tower: str) -> tuple[str, View]:
    """The section on offer in a tower, by its name `3.1`, and its facts."""
    sections = shown["towers"][int(tower) - 1]["sections"]
    level = next(i for i, section in enumerate(sections) if section["on_offer"])
    return f"{tower}.{level + 1}", sections[level]


def guild_words(card: View, side: str) -> str:
    """An action of a guild card, by its number from 1."""
    return str(card["words"][int(side) - 1]).replace("_", " ")


def slot_words(slot: str) -> str:
    """A slot of the workshop: `red slot`, `first white slot`."""
    return {"white1": "first white slot", "white2": "second white slot"}.get(slot, f"{slot} slot")


def ornament_on(shown: View, section: str) -> str:
    """The ornament that fits a section, with its article."""
    tower, level = (int(number) - 1 for number in section.split("."))
    kind = shown["towers"][tower]["sections"][level]["kind"]
    ornament = ORNAMENT_NAMES[KINDS.index(kind)]
    return f"{'an' if ornament == 'arch' else 'a'} {ornament}"


def reinforcement_words(shown: View, name: str) -> str:
    """What a reinforcement tile gives."""
    return REINFORCEMENTS[name].format(shown["amounts"][name])


def group(shown: View, action: str) -> str:
    """The group of `GROUPS` to which a legal action belongs here."""
    verb, *rest = action.split()
    if verb == "place":
        return "down" if rest[-1] == "down" else "up"
    if verb == "reinforce":
        return "here" if shown["point"] == "reinforcement" else "besides"
    if shown["point"] == "market" and verb in ("obtain", "guild", "workshop", "specialist"):
        return "market"
    return _GROUP_OF.get(verb, "here")


def third(phrase: str) -> str:
    """A phrase of somebody else: `move the red die` becomes `moves the red die`."""
    verb, _, rest = phrase.partition(" ")
    return f"{verb}{'es' if verb.endswith(('s', 'sh', 'ch')) else 's'} {rest}".rstrip()


def past(phrase: str) -> str:
    """A phrase of what one did: `move the red die` becomes `moved the red die`."""
    verb, _, rest = phrase.partition(" ")
    did = _PAST.get(verb, f"{verb}d" if verb.endswith("e") else f"{verb}ed")
    return f"{did} {rest}".rstrip()


_PAST = {
    "choose": "chose", "give": "gave", "keep": "kept", "leave": "left", "let": "let", "pass,": "passed,", "put": "put",
    "send": "sent", "set": "set", "spend": "spent", "swap": "swapped", "take": "took",
}  # fmt: skip


def phrase(shown: View, action: str) -> str:
    """An action of the record's words in those of the board, as one would ask for it: `move the red die to space 6`.

    Args:
        shown: the position before it.
        action: in the words of the record; a contract that is hidden is `contract ?`.

    Raises:
        ValueError: no verb begins so.
    """
    words = action.split()
    match words:
        case ["move", die, *more]:
            at = shown["dice"][die]
            steps = int(more[0]) if more else 0
            further = f", {steps} further than it shows" if steps else ""
            return f"move the {die} die to space {(at['target'] + steps) % len(shown['market'])}{further}"
        case ["claim", tower, "from", source]:
            banner = {"inventory": "a banner of the inventory", "spare": "a spare banner"}
            return (
                f"claim {section_words(shown, offered(shown, tower)[0])} with "
                f"{banner.get(source, f'the banner on the {slot_words(source)}')}"
            )
        case ["place", "special", slot]:
            return f"place the special tile on the {slot_words(slot)}"
        case ["place", slot, way]:
            return f"place the tile on the {slot_words(slot)}, face {way}"
        case ["take", "0"]:
            return "take nothing"
        case ["take", number]:
            return f"take {amount_words(int(number), shown['waiting']['material'] or 'any_material')}"
        case ["gain", thing]:
            return f"take {amount_words(1, thing)}"
        case ["obtain"]:
            here = shown["market"][shown["landing"]]
            return f"take what space {shown['landing']} gives ({tile_words(here['tile'], here['dice'])})"
        case ["guild", side]:
            return _guild(shown, shown["landing"] // SPACES_PER_QUADRANT, side)
        case ["guild", quadrant, side]:
            return _guild(shown, int(quadrant), side)
        case ["workshop", slot]:
            return f"activate the tile on the {slot_words(slot)}"
        case ["pay", thing]:
            return (
                f"give {amount_words(2, thing).removeprefix('2 ')}"  # one, or as many equal ones as the effect asks for
            )
        case ["swap", space, other]:
            return f"swap the tiles of spaces {space} and {other}"
        case ["deliver", material, "to", section]:
            return f"deliver {amount_words(1, material)} to {section_words(shown, section)}"
        case ["adorn", section, *more]:
            paid = ", and give a diamond for it" if more else ""
            return f"put {ornament_on(shown, section)} on {section_words(shown, section)}{paid}"
        case ["gems", *gems]:
            return _gems(shown, gems)
        case ["ivan", "claim", tower]:
            return f"let Ivan claim {section_words(shown, offered(shown, tower)[0])}"
        case ["ivan", "adorn", section]:
            return f"let Ivan put {ornament_on(shown, section)} on {section_words(shown, section)}"
        case ["done"]:
            return {"market": "end the visit to the market", "build": "end the deliveries", "end": "end the turn"}.get(
                shown["point"], "end this"
            )
        case ["rubles"]:
            return f"give up 1 prestige for {amount_words(shown['ruble_price'], 'rubles')}"
        case ["reroll", space]:
            return f"roll the dice on space {space} again for {shown['reroll_price']} prestige"
    return _expansion(shown, words)


def _guild(shown: View, quadrant: int, side: str) -> str:
    card = shown["guilds"][quadrant]
    return f"use the {card['name'].capitalize()} guild ({guild_words(card, side)})"


def _gems(shown: View, gems: Sequence[str]) -> str:
    ornament = ornament_on(shown, shown["waiting"]["section"]).split()[1]
    if gems == ["none"]:
        return f"leave the {ornament} without gems"
    names = [f"{gem}_gem" if gem != "diamond" else gem for gem in gems]
    return f"set {amounts_words({name: names.count(name) for name in names})} into the {ornament}"


def _expansion(shown: View, words: Sequence[str]) -> str:
    """`phrase` for actions of the full game."""
    match words:
        case ["borrow", colour, slot]:
            return f"activate {colour}'s tile on the {slot_words(slot)}"
        case ["resource", space]:
            return f"choose space {space} for what its tile gives"
        case ["player", colour]:
            return f"choose {colour}"
        case ["section", section]:
            return f"choose {section_words(shown, section)}"
        case ["foreman", steps]:
            return f"move the foreman to tower {(shown['foreman'] + int(steps)) % len(shown['towers']) + 1}"
        case ["card", number]:
            return f"choose the card that needs {amounts_words(shown['builders']['drawn'][int(number) - 1]['cost'])}"
        case ["contract", number]:
            verb = "return" if shown["point"] == "return" else "keep"
            hands = [contract for seat in shown["seats"] for contract in seat["hand"]]
            known = {str(n): text for n, text in [*shown["contracts"]["drawn"], *hands]}
            return f"{verb} a contract{f' ({known[number]})' if number in known else ''}"
        case ["reinforce", name]:
            return (
                f"take the reinforcement for {reinforcement_words(shown, name)}"
                if shown["point"] == "reinforcement"
                else f"use a reinforcement: {reinforcement_words(shown, name)}"
            )
        case ["special", name]:
            return f"choose the special tile for {SPECIAL[name]}"
        case ["hire", city]:
            price = next(one["price"] for one in shown["cities"] if one["name"] == city)
            return f"send a contractor to {city.capitalize()} for {amount_words(price, 'permits')}"
        case ["engage", slot]:
            return f"engage the specialist on slot {slot} ({_specialist(shown['offer'][int(slot)])})"
        case ["dismiss", slot]:
            return f"dismiss the specialist on slot {slot} ({_specialist(shown['offer'][int(slot)])})"
        case ["permit"]:
            return f"give up {shown['permit_price']} prestige for 1 permit"
        case ["specialist"]:
            own = shown["seats"][shown["to_move"]]["specialist"]
            return f"use the specialist{f' ({_specialist(own)})' if own else ''}"
        case ["spend", number]:
            return f"spend {amount_words(int(number), 'rubles')} on recognition"
        case ["discard", ornament]:
            return f"discard {'an' if ornament == 'arch' else 'a'} {ornament}"
        case ["pass"]:
            return "pass, since no main action is possible"
    raise ValueError(f"there is no action {' '.join(words)!r} in the catalogue")


def _specialist(tile: View) -> str:
    return specialist_words(tile).partition(" (")[0].replace("_", " ")


def note(phrase: str, meaning: str) -> str:
    """What the meaning of an action, as `explain` gives it, says beyond its phrase, in the words of the board."""
    told = _TILE.sub(lambda found: tile_words(found[0]), meaning).replace("_", " ")
    subject, _, rest = told.partition(": ")
    whole = f"{subject}: {rest}" if rest else subject
    if whole.lower() in phrase.lower():
        return ""
    if re.fullmatch(r"\d\.\d \w+", subject):
        return f"needs {rest}".replace("; tile ", "; its tile: ")
    if rest and subject in phrase:
        return rest
    first, _, second = whole.partition(", ")
    return second if second and f", {first}" in phrase else whole


_AT_MARKET = {
    "obtain": "take what it gives", "guild": "use the guild", "workshop": "use your workshop",
    "specialist": "use your specialist",
}  # fmt: skip
_TILE = re.compile(rf"\b(?:{'|'.join(RESOURCE_NAMES)}|any_material|diamond|permits):\d+|\bdie:\w+|\bspecial:\w+")


def gives_prestige(shown: View, action: str) -> bool:
    """Whether an action, or the effect that it goes on with, may give prestige rather than recognition."""
    words = action.split()
    guild: tuple[int, int] | None = None
    match words:
        case ["gems" | "discard", *_]:
            return True
        case ["specialist"]:
            own = shown["seats"][shown["to_move"]]["specialist"]
            return bool(own and "prestige" in own["words"])
        case ["hire", *_]:
            return "prestige" in (next_bonus(shown, shown["seats"][shown["to_move"]]["contractors"]) or {})
        case ["guild", side]:
            guild = shown["landing"] // SPACES_PER_QUADRANT, int(side)
        case ["guild", quadrant, side]:
            guild = int(quadrant), int(side)
    if guild is None and shown["guild"] and shown["landing"] is not None:
        guild = shown["landing"] // SPACES_PER_QUADRANT, shown["guild"]
    serves = shown.get("decision", {}).get("serves", "")
    words_of = shown["guilds"][guild[0]]["words"][guild[1] - 1] if guild else ""
    return "prestige" in f"{words_of} {serves}"


def gives_up(shown: View, actions: Sequence[str]) -> str:
    """What is given up by ending now, in words, given the legal actions; "" for nothing.

    Deliveries that could still be made, and what the space, the guild and the workshop would have given.
    """
    left: list[str] = []
    verbs = {action.split()[0] for action in actions}
    if verbs & {"deliver", "adorn"}:
        number = shown["waiting"]["deliveries"]
        left.append(f"{number} {'delivery' if number == 1 else 'deliveries'}" if number else "a delivery")
    if "obtain" in verbs:
        here = shown["market"][shown["landing"]]
        left.append(tile_words(here["tile"], here["dice"]))
    if "guild" in verbs and shown["landing"] is not None:
        left.append(f"the {shown['guilds'][shown['landing'] // SPACES_PER_QUADRANT]['name'].capitalize()} guild")
    if "workshop" in verbs:
        left.append("the tile of your workshop")
    if "specialist" in verbs:
        left.append("your specialist")
    return joined_words(left)


def prompt(shown: View, actions: Sequence[str]) -> str:
    """What the seat that is to decide is asked now, in one sentence; "" where the headline says it.

    Args:
        shown: the position.
        actions: the legal actions, in the words of the record.
    """
    waiting = shown["waiting"]
    match shown["point"]:
        case "start":
            return "Move a die, claim a section, or build."
        case "place":
            tile = tile_words(waiting["tile"]) if waiting["tile"] else "the tile of the claimed section"
            return f"Where in your workshop does this tile go: {tile}?"
        case "market":
            verbs = {action.split()[0] for action in actions}
            left = [words for verb, words in _AT_MARKET.items() if verb in verbs]
            if not left:
                return (
                    f"Space {shown['landing']} gives no more now: end the visit, or choose something else on the list."
                )
            return f"Your die is on space {shown['landing']}: {' or '.join(left)}."
        case "take":
            what = waiting["material"]
            if what == "any_material":
                return "Which material do you take?" + (" You may also take nothing." if waiting["may_refuse"] else "")
            return f"How many do you take? Up to {amount_words(waiting['most'], what)}." if what else ""
        case "build":
            number = waiting["deliveries"]
            return f"{number} {'delivery' if number == 1 else 'deliveries'} left: what do you deliver?"
        case "gems":
            return "Which gems go into the ornament? They give prestige at once."
        case "pay":
            return "What do you give for it?"
        case "gain":
            return "Which material do you take?"
        case "tile":
            return "Which tile of a workshop is activated?"
        case "swap":
            return "Which two tiles of the market change places?"
        case "end":
            return "Your action is done. End the turn, or do one of the other things on the list first."
        case "ivan":
            return "Ivan leaves the choice to you."
    return ""
