"""Converts facts to lines of text without losing any."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rc_env import checks
from rc_env.ruleset import Ruleset

from ...rules.printed.sizes import COLOURS, MATERIAL_NAMES, SPACES_PER_QUADRANT
from ...rules.printed.vocabulary import rubles
from ..notation import section_name
from .common import Facts, counted, joined
from .contractors_as_text import contractors_seat
from .from_vector import observation_facts
from .full_as_text import full_lines, more_gains, more_price, seat_line


def describe(ruleset: Ruleset, vector: np.ndarray, seat: int) -> str:
    """Describe a seat's observation (F,) in lines of text that carry all its facts. Raises as `observation_facts`
    does.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.words.facts.as_text import describe
        >>> engine = Engine(seed=1)
        >>> describe(engine.ruleset, engine.observe()[0], seat=0).splitlines()[0]
        'seen by red, seat 0; turn 1; to move: red (own turn)'
    """
    return facts_text(observation_facts(ruleset, vector, seat))


def facts_text(facts: Facts) -> str:
    """Convert facts to lines of text; whatever is not mentioned is none, 0 or false.

    Raises:
        ValueError: the argument is not a dictionary from `game_facts` or `observation_facts`.
    """
    expected = "the dictionary that game_facts or observation_facts gives"
    checks.instance("facts", facts, dict, expected)
    with checks.reading("facts", expected):
        return _text(facts)


def _text(facts: Facts) -> str:
    lines = (*_turn_lines(facts), *_market_lines(facts), *_tower_lines(facts), *_seat_lines(facts), _rules_line(facts))
    ivan = _ivan_lines(facts["ivan"]) if "ivan" in facts else []
    return "\n".join((*lines, *ivan, *(full_lines(facts["full"]) if "full" in facts else [])))


def _by_seat(title: str, numbers: Iterable[int]) -> str | None:
    counts = counted(dict(zip(COLOURS, numbers, strict=False)))
    return f"{title} {counts}" if counts else None


def _colour(seat: int | None) -> str:
    return "nobody" if seat is None else COLOURS[seat]


def effect_text(action: Facts) -> str:
    """An action of a guild card in words, from its columns: `pay 2 rubles; receive 1 of any material; unlimited`."""
    received = _received(action)
    words = {
        "condition": "only with {condition}",
        "price": f"pay {rubles(action.get('price', 0))}",
        "payments": _payments(action) if "payments" in action else "",
        "deliveries": "deliver {deliveries}",
        "tiles": "activate {tiles} workshop tile",
        "swaps": "swap {swaps} pair of market tiles",
        "unlimited": "unlimited",
    }
    said = {column: text.format(**action) for column, text in words.items() if action.get(column)}
    before = {column: said.pop(column) for column in ("condition", "price", "payments") if column in said}
    paid = before.pop("payments", None)
    return joined((*before.values(), more_price(action), paid, received, more_gains(action), *said.values()), "; ")


def _received(action: Facts) -> str:
    """`receive 1 ruble, 2 of lumber or brick`, or nothing."""
    words = [rubles(action["rubles"])] if "rubles" in action else []
    words += [f"{action[name]} {name}" for name in ("recognition", "prestige") if name in action]
    if "gains" in action:
        other = ", not what was given" if "payments" in action else ""
        words.append(f"{action['gains']} of {_materials(action['gain'])}{other}")
    return f"receive {joined(words)}" if words else ""


def _payments(action: Facts) -> str:
    """`give 2 equal of any material`, `give 3 times 1 of lumber or brick or stone, another each time`."""
    times, each = action["payments"], action["each"]
    equal = f"{each} equal" if each > 1 else f"{each}"
    words = f"{equal} of {_materials(action['pay'])}"
    return f"give {times} times {words}, another each time" if times > 1 else f"give {words}"


def _materials(materials: Sequence[str]) -> str:
    return "any material" if tuple(materials) == MATERIAL_NAMES else " or ".join(materials)


def _turn_lines(facts: Facts) -> list[str]:
    about = facts["waiting"]
    waiting = joined(
        (
            about["section"] and f"section {about['section']}",
            about["tile"] and f"tile {about['tile']}",
            about["deliveries"] and f"{about['deliveries']} deliveries left",
            about["delivered"] and "some made",
            about["material"] and f"material {about['material']}",
            about["may_refuse"] and "may be refused",
            about["most"] and f"{about['most']} at most",
            about["payments"] and f"{about['payments']} payments left",
            about["gains"] and f"{about['gains']} gains left",
        )
    )
    so_far = joined(
        (
            facts["moved"] and f"{facts['moved']} die moved",
            None if facts["landing"] is None else f"landed on {facts['landing']}",
            facts["obtained"] and "obtained",
            facts["worked"] and "workshop used",
            facts["guild"] and f"guild action {facts['guild']} used",
            facts["guild_open"] and "which may be repeated",
            facts["rerolled"] and "re-rolled",
            None if facts["ending"] is None else f"{_colour(facts['ending'])} has triggered the ending",
        )
    )
    mover = _colour(facts["to_move"]) + (" (own turn)" if facts["own_turn"] else "")
    return [
        f"seen by {_colour(facts['seat'])}, seat {facts['seat']}; turn {facts['turn']}; to move: {mover}",
        f"point: {facts['point']}" + (f" ({waiting})" if waiting else ""),
        f"this turn: {so_far or 'nothing yet'}",
    ]


def _market_lines(facts: Facts) -> list[str]:
    lines = ["market:"]
    for space, here in enumerate(facts["market"]):
        dice = f", dice {here['dice']}" if here["dice"] else ""
        lines.append(f"  {space} {here['tile']}{dice}")
    for die, at in facts["dice"].items():
        target = f"for {at['yields']}" if at["yields"] else "for nothing"
        blocked = ", blocked" if at["blocked"] else ""
        lines.append(f"  {die} {at['value']} on {at['space']}, {target}{blocked}")
    for quadrant, actions in enumerate(facts["guild_actions"]):
        first = SPACES_PER_QUADRANT * quadrant
        spaces = " and ".join(str(first + i) for i in range(SPACES_PER_QUADRANT))
        lines.append(f"  guild at spaces {spaces}:")
        lines += [f"    {number} {effect_text(action)}" for number, action in enumerate(actions, 1)]
    lines.append("supply: " + (counted(facts["supply"]) or "nothing"))
    return lines


def _tower_lines(facts: Facts) -> list[str]:
    lines = []
    for i, tower in enumerate(facts["towers"]):
        standing = (_by_seat("presence", tower["presence"]), _by_seat("shares", tower["shares"]))
        lines.append(joined((f"tower {i + 1}: value {tower['value']}", *standing), "; "))
        for level, s in enumerate(tower["sections"]):
            reward = counted({"rubles": s["rubles"], "recognition": s["recognition"]})
            ornament = f"{s['ornament']} of {_colour(s['ornament_owner'])}"
            words = (
                "on offer" if s["on_offer"] else None,
                None if s["owner"] is None else f"of {_colour(s['owner'])}",
                "finished" if s["finished"] else None,
                s["ornament"] and ornament,
                f"misses {counted(s['missing'])}" if s["missing"] else None,
                f"has {counted(s['laid'])}" if s.get("laid") else None,
                f"misses {s['misses']} of any kind" if s.get("misses") else None,
                f"diamonds {s['diamonds']}" if s.get("diamonds") else None,
                f"pays {reward}" if reward else None,
                s["tile"] and f"tile {s['tile']}",
            )
            lines.append(f"  {section_name(i, level)} {s['kind']}: {joined(words, '; ')}")
    return lines


def _seat_lines(facts: Facts) -> list[str]:
    lines = []
    for seat, s in enumerate(facts["seats"]):
        you = " (you)" if seat == facts["seat"] else ""
        banners = joined(
            (
                f"inventory {s['inventory_banners']}" if s["inventory_banners"] else None,
                f"spare {s['spare_banners']}" if s["spare_banners"] else None,
                *s["white_banners"],
            )
        )
        lines += [
            f"{COLOURS[seat]}{you}: rubles {s['rubles']}; prestige {s['prestige']}, {s['past']} past it; "
            f"goods {s['goods_prestige']}, towers {s['tower_prestige']}, score {s['score']}",
            f"  spaces to the next prestige spaces: {joined(map(str, s['prestige_ahead']))}",
            f"  inventory: {counted(s['materials']) or 'no materials'}; room {s['room']}; banners: {banners or 'none'}",
            f"  ornaments: {counted(s['ornaments']) or 'none'}; placed {s['adorned']}; sections unfinished "
            f"{s['claimed']}, finished {s['finished']}",
        ]
        if "contracts" in s:
            lines.append(seat_line(s))
        if "permits" in s:
            lines.append(contractors_seat(s))
        if s["workshop"]:
            lines.append(f"  workshop: {joined(map(_slot, s['workshop'], s['workshop'].values()), '; ')}")
    return lines


def _rules_line(facts: Facts) -> str:
    return "rules: " + joined(f"{name} {value}" for name, value in facts["rules"].items())


def _ivan_lines(ivan: Facts) -> list[str]:
    row = []
    for place, (card, tile) in enumerate(zip(ivan["cards"], ivan["tiles"], strict=True)):
        side = "face up" if tile["up"] else "face down"
        row.append(f"{card} {tile['die']} {side}" + (" (next)" if place == ivan["next"] else ""))
    city = f"; his city marker at tower {ivan['city_tower']}" if "city_tower" in ivan else ""
    choosing = f"; to choose for him: {ivan['choosing']}" if ivan["choosing"] else ""
    gains = (
        f"the recognition card {ivan['card_recognition']} recognition",
        f"the inventory card {ivan['card_materials']} materials",
        f"an ornament {ivan['ornament_prestige']} prestige",
    )
    return [
        f"Ivan's row: {joined(row, '; ')}",
        f"  inventory: {counted(ivan['inventory']) or 'nothing'}; construction: "
        f"{counted(ivan['construction']) or 'nothing'}; next ornament: {ivan['ornament'] or 'none'}{city}{choosing}",
        f"  what he receives: {joined(gains)}",
    ]


def _slot(name: str, slot: Facts) -> str:
    ornament = f", {slot['ornament']}" if slot["ornament"] else ""
    return f"{name} {slot['tile'] or 'empty'} (price {slot['price']}{ornament})"
