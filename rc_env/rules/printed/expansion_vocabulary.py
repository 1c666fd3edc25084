"""The vocabulary of the expansion's guilds and the thieves: a form for each action, with its columns and its words.

These columns come beside those of `vocabulary.py` in the RULES of the full build. `opens`, `count` and `mode` say which
decision point an action opens, how often, and in which way; the other columns are prices and goods of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..points import NO_POINT, Point
from .sizes import ALL_DIE_NAMES, ALL_NEUTRAL_DICE, FOREMAN_STEPS, MATERIAL_NAMES
from .vocabulary import AMOUNT, DELIVERIES, PRICE, Range, rubles

COLUMNS = {
    "price_recognition": "recognition that is paid when the effect is chosen",
    "fixed_diamonds": "diamonds that are paid when the effect is chosen",
    "ordered": "1 if payments may be of equal materials, in the fixed order, and never of diamonds",
    "diamonds": "diamonds received, as far as room and supply reach",
    "mode": "in which way the decision point that the effect opens is meant",
    "divisor": "by what a section's recognition is divided",
    "to_player": "rubles that another player receives",
    "from_player": "prestige that this player gives",
    "then_material": "1 if a material of choice follows",
    "price_permits": "permits that are paid when the effect is chosen",
    "permits": "permits received, up to the cap",
    "contractors": "what is received for each contractor in a city: 1 rubles, 2 permits, 0 nothing",
    "worth": "recognition for each ruble that is spent, prestige for an ornament that is discarded",
}
"""Columns of an effect that hold a number, with their meanings."""
MATERIAL_COLUMNS = {"fixed": "materials that are paid when the effect is chosen, by material"}

OWN_TILE, ANOTHERS_TILE, SAME_TILE, TWO_TILES, GIVEN_TILE, ANY_TWO_TILES = range(6)  # modes of TILE
PER_RECOGNITION, OF_OTHER = 1, 2  # bits of the mode of FOREMAN
ONE_ACTION, SAME_ACTION, TWO_ACTIONS = range(3)  # modes of EXTRA
ANY_DIE, TIMES_DICE, TILE_ONCE = range(3)  # modes of RESOURCE
BANNERS, RUBLES, EXCHANGE, CONTRACTORS = range(4)  # modes of PLAYER
PER_RUBLES, PER_PERMITS = 1, 2  # of the column `contractors`
SECTION_RUBLES, SECTION_RECOGNITION, FALSE_PLANS = range(3)  # modes of SECTION
ANY_GUILD, OTHER_GUILDS, BY_TILE = range(3)  # modes of INFLUENCE

Columns = dict[str, Any]
Action = Mapping[str, Any]
ANY = [1] * len(MATERIAL_NAMES)
PER = ("recognition", "rubles")
PER_CONTRACTOR = {"rubles": PER_RUBLES, "permits": PER_PERMITS}
PERMITS: Range = (1, 6)  # that a seat may pay or receive at once


@dataclass(frozen=True)
class Form:
    """A form that an action of a guild card can have in a data file of the expansion.

    Attributes:
        keys: the keys that it has, apart from prices, each with the range of its number, with True for a flag, with the
            words it may hold, or with `list` for a list of materials.
        columns: makes columns of an action of this form.
        words: what it says, without prices and without the mark of repetition.
        optional: keys that may be missing, as `keys`.
        repeatable: whether it may be unlimited, provided that it costs something each time.
    """

    keys: Mapping[str, Any]
    columns: Callable[[Action], Columns]
    words: Callable[[Action], str]
    optional: Mapping[str, Any]
    repeatable: bool


def form(
    keys: Mapping[str, Any],
    columns: Columns | Callable[[Action], Columns],
    words: str | Callable[[Action], str],
    optional: Mapping[str, Any] | None = None,
    repeatable: bool = False,
) -> Form:
    """A form. Columns may be the same for all actions of it, and words may be a text with its keys in braces."""
    return Form(
        keys,
        columns if callable(columns) else lambda action: columns,
        words if callable(words) else lambda action: words.format(**action),
        optional or {},
        repeatable,
    )


PRICES: dict[str, Range | type] = {
    "price": PRICE,
    "price_recognition": AMOUNT,
    "price_permits": PERMITS,
    "pay": dict,
}
"""Keys that any form may have: rubles, recognition, permits and fixed materials, paid when the action is chosen."""


def _materials(names: list[str]) -> list[int]:
    return [int(name in names) for name in MATERIAL_NAMES]


def _opens(point: Point, count: int = 1, mode: int = 0, **more: int) -> Columns:
    return {"opens": point, "count": count, "mode": mode, **more}


def _goods(action: Action) -> Columns:
    return {name: action.get(name, 0) for name in ("rubles", "recognition", "prestige")}


def _goods_words(action: Action) -> str:
    gained = [rubles(action["rubles"])] if "rubles" in action else []
    gained += [f"{action[name]} {name}" for name in ("recognition", "prestige") if name in action]
    return "gain " + " and ".join(gained)


def _or(names: list[str]) -> str:
    return " or ".join(name.replace("_", " ") for name in names)


def _per_banner(action: Action) -> Columns:
    mode = PER_RECOGNITION * (action["per_banner"] == "recognition") | OF_OTHER * action.get("of_other", False)
    return _opens(Point.FOREMAN, action["foreman"], mode)


def _per_banner_words(action: Action) -> str:
    whose = "another player's banners" if action.get("of_other") else "own banners"
    unit = "recognition" if action["per_banner"] == "recognition" else "ruble"
    return f"move the foreman up to {action['foreman']}, 1 {unit} for each of {whose} there"


def _market_actions(action: Action) -> Columns:
    mode = ONE_ACTION if action["market_actions"] == 1 else SAME_ACTION if action["same"] else TWO_ACTIONS
    return _opens(Point.EXTRA, action["market_actions"], mode, then_material=action.get("any_material", 0))


def _market_words(action: Action) -> str:
    if action["market_actions"] == 2:
        return "use the same market action twice" if action["same"] else "use two different market actions"
    return "use a market action" + (", then gain any material" if "any_material" in action else "")


def _per_contractor(action: Action) -> Columns:
    columns = {"contractors": PER_CONTRACTOR[action["per_contractor"]]}
    return columns | (_opens(Point.PLAYER, mode=CONTRACTORS) if action.get("of_other") else {})


def _per_contractor_words(action: Action) -> str:
    whose = "another player's contractors" if action.get("of_other") else "own contractors"
    return f"1 {action['per_contractor'][:-1]} for each of {whose} in the cities"


def permits(count: int) -> str:
    """`1 permit`, `2 permits`."""
    return f"{count} permit{'' if count == 1 else 's'}"


FORMS: dict[str, Form] = {
    "buy_diamonds": form(
        {"buy_diamonds": AMOUNT},
        lambda a: {"diamonds": a["buy_diamonds"]},
        lambda a: f"buy {a['buy_diamonds']} diamond{'s' * (a['buy_diamonds'] > 1)}",
    ),
    "pay_any": form(
        {"pay_any": (1, 4), "diamonds": AMOUNT},
        lambda a: {"payments": a["pay_any"], "each": 1, "pay_from": ANY, "ordered": 1, "diamonds": a["diamonds"]},
        "exchange any {pay_any} for {diamonds} diamonds",
    ),
    "activate_workshop": form({"activate_workshop": (1, 1)}, {"tiles": 1}, "activate a workshop tile"),
    "activate_other_workshop": form(
        {"activate_other_workshop": (1, 1)}, {"tiles": 1, "mode": ANOTHERS_TILE}, "activate a tile of another player"
    ),
    "activate_same_twice": form(
        {"activate_same_twice": True}, {"tiles": 2, "mode": SAME_TILE}, "activate one workshop tile twice"
    ),
    "activate_two_different": form(
        {"activate_two_different": True}, {"tiles": 2, "mode": TWO_TILES}, "activate two different workshop tiles"
    ),
    "foreman": form(
        {"foreman": (1, FOREMAN_STEPS), "per_banner": PER}, _per_banner, _per_banner_words, {"of_other": True}
    ),
    "market_actions": form(
        {"market_actions": (1, 2)}, _market_actions, _market_words, {"same": bool, "any_material": (1, 1)}
    ),
    "gain_one_of": form(
        {"gain_one_of": list},
        lambda a: {"gains": 1, "gain_from": _materials(a["gain_one_of"])},
        lambda a: f"gain {_or(a['gain_one_of'])}",
    ),
    "pay_one_of": form(
        {"pay_one_of": list},
        lambda a: {"payments": 1, "each": 1, "pay_from": _materials(a["pay_one_of"]), **_goods(a)},
        lambda a: f"give {_or(a['pay_one_of'])}, {_goods_words(a)}",
        {"rubles": AMOUNT, "recognition": AMOUNT, "prestige": AMOUNT},
        repeatable=True,
    ),
    "draw_contracts": form({"draw_contracts": (3, 3), "keep": (1, 1)}, _opens(Point.KEEP), "draw 3 contracts, keep 1"),
    "space_times_dice": form(
        {"space_times_dice": (1, 1)}, _opens(Point.RESOURCE, mode=TIMES_DICE), "gain a space's tile times its dice"
    ),
    "resource_tile": form({"resource_tile": (1, 1)}, _opens(Point.RESOURCE, mode=TILE_ONCE), "gain a market tile once"),
    "any_die": form({"any_die": (1, 1)}, _opens(Point.RESOURCE, mode=ANY_DIE), "gain the tile of any die's space once"),
    "other_guild_action": form(
        {"other_guild_action": (1, 1)}, _opens(Point.INFLUENCE, mode=OTHER_GUILDS), "use an action of another guild"
    ),
    "draw_cards": form(
        {"draw_cards": (1, 2), "materials": (2, 2)},
        lambda a: _opens(Point.CARD, a["draw_cards"]),
        lambda a: (
            "draw a cathedral card, gain 2 of its materials"
            if a["draw_cards"] == 1
            else "draw 2 cathedral cards, gain 2 materials of one and 1 resource of the other"
        ),
        {"resource_of_other": (1, 1)},
    ),
    "section_rubles": form(
        {"section_rubles": (1, 1)}, _opens(Point.SECTION, mode=SECTION_RUBLES), "gain the rubles of an own section"
    ),
    "section_recognition_divisor": form(
        {"section_recognition_divisor": (1, 9)},
        lambda a: _opens(Point.SECTION, mode=SECTION_RECOGNITION, divisor=a["section_recognition_divisor"]),
        "gain 1/{section_recognition_divisor} of the recognition of an own section",
    ),
    "reinforcement": form({"reinforcement": (1, 1)}, _opens(Point.REINFORCEMENT), "take a reinforcement tile"),
    "deliver": form(
        {"deliver": DELIVERIES}, lambda a: {"deliveries": a["deliver"]}, "deliver {deliver}", repeatable=True
    ),
    "exchange_with_player": form(
        {"exchange_with_player": (1, 1)},
        {"payments": 1, "each": 1, "pay_from": ANY, **_opens(Point.PLAYER, mode=EXCHANGE)},
        "exchange a material with another player",
    ),
    "rubles_to_player": form(
        {"rubles_to_player": AMOUNT, "prestige_from_player": AMOUNT},
        lambda a: _opens(
            Point.PLAYER, mode=RUBLES, to_player=a["rubles_to_player"], from_player=a["prestige_from_player"]
        ),
        lambda a: f"give another player {rubles(a['rubles_to_player'])} for {a['prestige_from_player']} prestige",
    ),
    "exchange_workshop_tile": form(
        {"exchange_workshop_tile": (1, 1)},
        {"tiles": 1, "mode": GIVEN_TILE},
        "exchange an own workshop tile for one on a section",
    ),
    "die": form(
        {"die": ALL_NEUTRAL_DICE[1:]},
        lambda a: {"die": ALL_DIE_NAMES.index(a["die"])},
        "gain the tile of the {die} die's space once",
    ),
    "per_contractor": form(
        {"per_contractor": tuple(PER_CONTRACTOR)}, _per_contractor, _per_contractor_words, {"of_other": True}
    ),
    "any_material": form(
        {"any_material": (1, 1)}, {"gains": 1, "gain_from": ANY}, "gain any material", repeatable=True
    ),
    "permits": form(
        {"permits": PERMITS}, lambda a: {"permits": a["permits"]}, lambda a: f"gain {permits(a['permits'])}"
    ),
    "rubles": form(
        {"rubles": AMOUNT}, _goods, _goods_words, {"recognition": AMOUNT, "prestige": AMOUNT}, repeatable=True
    ),
    "prestige": form({"prestige": AMOUNT}, _goods, _goods_words, {"recognition": AMOUNT}, repeatable=True),
    "recognition": form({"recognition": AMOUNT}, _goods, _goods_words, repeatable=True),
}
"""By the key that tells a form from all others, in the order in which they are looked for."""


def form_of(action: Action, forms: Mapping[str, Form] = FORMS) -> tuple[str, Form]:
    """The form of an action, with its key.

    Raises:
        KeyError: it has the key of no form.
    """
    for key, found in forms.items():
        if key in action:
            return key, found
    raise KeyError(f"no known action in {dict(action)}: choose {', '.join(forms)}")


def form_columns(action: Action, empty: Columns) -> Columns:
    """The columns of an action, as a checked data file has it, on top of those of an effect that does nothing."""
    paid = action.get("pay", {})
    return {
        **empty,
        **form_of(action)[1].columns(action),
        "price": action.get("price", 0),
        "price_recognition": action.get("price_recognition", 0),
        "price_permits": action.get("price_permits", 0),
        "fixed": [paid.get(material, 0) for material in MATERIAL_NAMES],
        "fixed_diamonds": paid.get("diamond", 0),
        "unlimited": int(action.get("unlimited", False)),
    }


def form_text(action: Action) -> str:
    """An action in words: `2 rubles: draw 3 contracts, keep 1`."""
    paid = [rubles(action["price"])] if action.get("price") else []
    paid += [f"{action['price_recognition']} recognition"] if "price_recognition" in action else []
    paid += [permits(action["price_permits"])] if "price_permits" in action else []
    paid += [f"{count} {material.replace('_', ' ')}" for material, count in action.get("pay", {}).items()]
    words = form_of(action)[1].words(action)
    return (" and ".join(paid) + ": " if paid else "") + words + (", unlimited" if action.get("unlimited") else "")


NOTHING: Columns = {"opens": NO_POINT, "count": 0} | dict.fromkeys(COLUMNS, 0) | {"divisor": 1}
NOTHING |= {name: [0] * len(MATERIAL_NAMES) for name in MATERIAL_COLUMNS}
"""The columns of the expansion for an effect that has none of them."""
