"""The printed and deduced facts about the components of the base game, one row per fact, in the data file's order.

Sources: "rulebook" is the publisher's, with the chapter; "component list" is the list that rulebook, retailers and the
rules page of Yucata give; reviews are named by their site.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from rc_env.card_sets.fact import (
    DEDUCED,
    WEAK,
    Fact,
    Tables,
    cards_of,
    covers,
    deduced,
    has_card,
    in_words,
    indicated,
    printed,
    value_at,
)
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, KINDS, RESOURCE_NAMES

SUPPLY = {"lumber": 20, "brick": 20, "stone": 20, "gold": 15, "green_gem": 10, "purple_gem": 10}
MARKET = {"brick": 2, "lumber": 2, "rubles": 2, "recognition": 1}
"""The amounts that market tiles give for each die, where they are known."""
PLAYER = {
    "banners_in_inventory": 4,
    "banners_spare": 2,
    "inventory_spaces": 10,
    "starting_rubles": [3, 4, 4, 5],
    "doors": 1,
    "arches": 2,
    "crosses": 1,
}
ORNAMENT = {
    "door": "lumber",
    "arch": "stone",
    "cross": "gold",
    "prestige_one_gem": 1,
    "prestige_two_equal_gems": 2,
    "prestige_two_different_gems": 3,
}
ENDING = {
    "sections_to_end": 6,
    "prestige_for_ending": 3,
    "goods_per_prestige": 5,
    "tower_value_per_section": 2,
    "tower_value_per_ornament": 1,
    "share_divisor": 2,
    "two_player_share_divisor": 3,
}
SOLO = {
    "recognition": 4,
    "materials": 4,
    "ornament_prestige": 1,
    "ornament_order": ["door", "arch", "arch", "cross"],
}
PLAN_OF_TWO, PLAN_OF_FOUR = (3, 2, 3, 2), (3, 2, 4, 4, 3, 3)
"""Heights that the towers of some plan reach in the rulebook's examples."""

ACTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "teamsters": (
        {"deliver": 1, "price": 1},
        {"deliver": 2, "price": 3},
        {"rubles": 1},
        {"swap_market_tiles": True, "price": 2},
    ),
    "merchants": (
        {"exchange_equal": 2, "for_any": 1},
        {"exchange_equal": 4, "for_any": 2},
        {"exchange_any": 1, "price": 1, "for_other": 1},
        {"activate_workshop": 1},
    ),
    "clergy": (
        {"recognition": 1},
        {"discard_different": 3, "prestige": 1},
        {"prestige": 1, "price": 3},
        {"each_type_completed": True, "recognition": 2},
    ),
}
"""The printed actions of three guilds, first those of card 1, then those of card 2; the craftsmen's are below."""
CRAFTSMEN = (
    ("sell", "any", 1, "buy", "any", 2),
    ("buy", "shown", 1, "sell", "shown", 2),
    ("sell", "shown", 1, "buy", "shown", 2),
)


def _kinds_of_market_tile(tables: Tables) -> str | None:
    kinds = Counter(next(iter(tile)) for tile in value_at(tables, "market.tile"))
    wrong = [f"{kinds[name]} of {name}" for name in RESOURCE_NAMES if kinds[name] != 1]
    return ", ".join(wrong) or None


def _market_amount(resource: str, amount: int) -> Any:
    def look(tables: Tables) -> str | None:
        found = [tile[resource] for tile in value_at(tables, "market.tile") if resource in tile]
        wrong = [str(one) for one in found if one != amount]
        return wrong[0] if wrong else None

    return look


def _gaps(tables: Tables) -> list[int]:
    spaces = value_at(tables, "track.prestige")
    return [space - before for before, space in zip([0, *spaces], spaces, strict=False)]


def _growing_gap(tables: Tables) -> str | None:
    gaps = _gaps(tables)
    for i in range(1, len(gaps)):
        if gaps[i] > gaps[i - 1]:
            return f"a gap of {gaps[i]} after one of {gaps[i - 1]} before prestige space {i + 1}"
    return None


def _gap_of_fifteen(tables: Tables) -> str | None:
    gaps = _gaps(tables)
    return None if len(gaps) >= 15 and gaps[14] >= 2 else "none between the 14th and the 15th prestige space"


def _tile_count(tables: Tables) -> str | None:
    count = sum(tile["count"] for tile in value_at(tables, "workshop.tile"))
    return None if count == 28 else str(count)


def _die_tiles(tables: Tables) -> str | None:
    dice = Counter(tile["die"] for tile in value_at(tables, "workshop.tile") if "die" in tile)
    wrong = [f"{dice[die]} of the {die} die" for die in BASE_DIE_NAMES if dice[die] != 1]
    return ", ".join(wrong) or None


def _recognition_tile(tables: Tables) -> str | None:
    found = [tile["recognition"] for tile in value_at(tables, "workshop.tile") if "recognition" in tile]
    return None if 1 in found else "none"


def _three_plans(tables: Tables) -> str | None:
    wrong = [f"{len(plans)} for {players} players" for players, plans in tables["plans"].items() if len(plans) != 3]
    return ", ".join(wrong) or None


def cards_with_places(tables: Tables) -> list[tuple[str, int, Any]]:
    """Every cathedral card: its kind, its number from 1, and what it shows."""
    return [(kind, i, card) for kind in KINDS for i, card in enumerate(value_at(tables, f"cards.{kind}"), 1)]


def _materials(tables: Tables) -> str | None:
    for kind, i, card in cards_with_places(tables):
        if (total := sum(card["cost"].values())) not in (3, 4):
            return f"{total} on {kind} {i}"
    return None


def _recognition(tables: Tables) -> str | None:
    return next((f"none on {kind} {i}" for kind, i, card in cards_with_places(tables) if card["recognition"] < 1), None)


def _rubles(tables: Tables) -> str | None:
    cards = cards_with_places(tables)
    with_rubles = sum(card["rubles"] > 0 for _, _, card in cards)
    return None if len(cards) / 2 < with_rubles < len(cards) else f"{with_rubles} of {len(cards)}"


def _golden_middle(tables: Tables) -> str | None:
    for card in value_at(tables, "cards.middle"):
        if card["cost"].get("gold", 0) and card["recognition"] == 4 and card["rubles"] == 2:
            return None
    return "none"


def _bases_differ(tables: Tables) -> str | None:
    found = {card["recognition"] for card in value_at(tables, "cards.base")}
    return None if len(found) > 1 else f"{found.pop()} on each"


def _guilds(tables: Tables) -> str | None:
    found = list(tables["guilds"])
    return None if sorted(found) == sorted(("craftsmen", *ACTIONS)) else ", ".join(found)


def _craftsmen(number: int) -> Any:
    """A check that some card of the craftsmen has these two actions, whatever materials it shows."""
    first, what, price, second, other, dear = CRAFTSMEN[number]

    def fits(action: Any, verb: str, materials: str, price: int) -> bool:
        shown = action.get(verb)
        return shown is not None and (shown == "any") == (materials == "any") and action["price"] == price

    def look(tables: Tables) -> str | None:
        for card in tables["guilds"].get("craftsmen", ()):
            for a, b in (card, card[::-1]):
                if fits(a, first, what, price) and fits(b, second, other, dear):
                    return None
        return "no such card"

    return look


def _craftsmen_cards(tables: Tables) -> str | None:
    cards = tables["guilds"].get("craftsmen", ())
    return None if len(cards) == 3 else f"{len(cards)} cards"


def in_file_words(actions: Any) -> str:
    """Actions as a data file writes them, one after the other."""
    return "; ".join(in_words(indicated(action)) for action in actions)


REVIEWS = "reviews on Meeple Mountain and Minarin"
CHART = "the chart of guild cards in the rulebook"

BASE_FACTS: tuple[Fact, ...] = (
    printed(
        "supply",
        "supply",
        "20 lumber, 20 brick, 20 stone, 15 gold and 10 gems of each colour",
        "component list",
        SUPPLY,
    ),
    printed("track-start", "track.start", "2, where the markers start", "rulebook, setup", 2),
    printed("track-length", "track.length", "80 recognition a lap", REVIEWS, 80),
    printed(
        "track-prestige",
        "track.prestige",
        "40 prestige spaces a lap",
        "rulebook, the reverse of the markers shows +40",
        lambda tables: None if (count := len(value_at(tables, "track.prestige"))) == 40 else str(count),
    ),
    printed(
        "track-first",
        "track.prestige",
        "5 and 9 as the first two prestige spaces",
        "review on Minarin",
        lambda tables: None if (two := value_at(tables, "track.prestige")[:2]) == [5, 9] else in_words(two),
    ),
    deduced(
        "track-last",
        "track.prestige",
        "the last prestige space at 80",
        "80 recognition are 40 prestige",
        lambda tables: None if (last := value_at(tables, "track.prestige")[-1]) == 80 else str(last),
    ),
    deduced(
        "track-gaps",
        "track.prestige",
        "gaps between prestige spaces that never grow",
        "reviews say that they shrink from 5 and 4 to every space",
        _growing_gap,
    ),
    deduced(
        "track-fifteen",
        "track.prestige",
        "a space between prestige 14 and prestige 15",
        "rulebook, example of the end of the game: a marker stands there",
        _gap_of_fifteen,
    ),
    printed(
        "optional",
        "optional",
        "2 rubles for a prestige, 1 prestige for a re-roll",
        "rulebook, optional actions",
        {"rubles_per_prestige": 2, "prestige_per_reroll": 1},
    ),
    printed(
        "market-step",
        "market.rubles_per_extra_step",
        "1 ruble for each space that a die moves on",
        "rulebook, market",
        1,
    ),
    printed(
        "market-tiles",
        "market.tile",
        "one tile of each material, one of rubles and one of recognition",
        "component list; rulebook, resources",
        _kinds_of_market_tile,
    ),
    *(
        deduced(
            f"market-{name}", "market.tile", f"a tile of {amount} {name} a die", source, _market_amount(name, amount)
        )
        for (name, amount), source in zip(
            MARKET.items(),
            (
                "rulebook, example of the market: two dice gave 4",
                "rulebook, examples of the market and of the workshop",
                "rulebook, example of a claim: the tile gave 2 rubles",
                "the expansion's setup names the tile that gives 1",
            ),
            strict=True,
        )
    ),
    printed("build", "build.deliveries", "3 deliveries", "rulebook, build", 3),
    printed(
        "player",
        "player",
        "6 banners, 10 inventory spaces, 3, 4, 4 and 5 rubles by seat, 1 door, 2 arches, 1 cross",
        "component list; rulebook, setup",
        PLAYER,
    ),
    printed(
        "slot-price",
        "workshop.basic.price.next3",
        "2, the blue slot on yellow's board",
        "rulebook, example of a claim",
        2,
    ),
    printed("slot-advanced", "workshop.advanced.price", "3 on every slot", "rulebook, advanced workshops", 3),
    printed(
        "slot-ornament",
        "workshop.advanced.ornament.next1",
        "an arch, the green slot on yellow's board",
        "rulebook, example of the advanced workshops",
        "arch",
    ),
    printed("workshop-tiles", "workshop.tile", "28 tiles", "component list", _tile_count),
    printed(
        "workshop-dice",
        "workshop.tile",
        "exactly one die tile of each colour among those for three and four players",
        "rulebook, solo setup",
        _die_tiles,
    ),
    printed(
        "workshop-recognition",
        "workshop.tile",
        "a tile of 1 recognition",
        "rulebook, pictures of the examples",
        _recognition_tile,
    ),
    printed(
        "ornament",
        "ornament",
        "a door of lumber, an arch of stone, a cross of gold; 1, 2 and 3 prestige for one gem, two equal and two "
        "different ones",
        "rulebook, decorating",
        ORNAMENT,
    ),
    printed("plans", "plans", "3 plans for each number of players", "component list", _three_plans),
    deduced(
        "plans-two",
        "plans.2",
        f"a plan with towers of at least {list(PLAN_OF_TWO)}",
        "rulebook, scoring example for two players",
        covers("plans.2", PLAN_OF_TWO),
    ),
    deduced(
        "plans-four",
        "plans.4",
        f"a plan with towers of at least {list(PLAN_OF_FOUR)}",
        "rulebook, scoring example for four players",
        covers("plans.4", PLAN_OF_FOUR),
    ),
    printed(
        "cards-materials",
        "cards",
        "3 or 4 materials on each card",
        "reviews on Meeple Mountain and Trictrac",
        _materials,
    ),
    printed("cards-recognition", "cards", "recognition on each card", "rulebook, completing a section", _recognition),
    printed(
        "cards-rubles",
        "cards",
        "rubles on most cards, but not on all",
        "rulebook, completing a section; review on Jung und alt spielt",
        _rubles,
    ),
    printed(
        "cards-middle",
        "cards.middle",
        "a middle that takes gold and gives 4 recognition and 2 rubles",
        "rulebook, example of building",
        _golden_middle,
    ),
    deduced(
        "cards-bases",
        "cards.base",
        "bases that differ in recognition",
        "rulebook, solo setup: the base with most of it",
        _bases_differ,
    ),
    printed("guilds", "guilds", "craftsmen, teamsters, merchants and clergy", "rulebook, guilds", _guilds),
    printed("craftsmen", "guilds.craftsmen", "3 cards", "component list", _craftsmen_cards),
    deduced(
        "craftsmen-1",
        "guilds.craftsmen",
        "a card that sells any material for 1 and buys any for 2",
        CHART,
        _craftsmen(0),
    ),
    deduced(
        "craftsmen-2",
        "guilds.craftsmen",
        "a card that buys the indicated materials for 1 and sells the indicated for 2",
        CHART,
        _craftsmen(1),
    ),
    deduced(
        "craftsmen-3",
        "guilds.craftsmen",
        "a card that sells the indicated materials for 1 and buys the indicated for 2",
        CHART,
        _craftsmen(2),
    ),
    *(
        printed(
            guild,
            f"guilds.{guild}",
            f"3 cards with two different ones of these actions, each on one card at least: {in_file_words(actions)}",
            CHART,
            cards_of(guild, 3, actions),
        )
        for guild, actions in ACTIONS.items()
    ),
    *(
        Fact(
            f"{guild}-{number}",
            DEDUCED if (guild, number) == ("merchants", 1) else WEAK,
            f"guilds.{guild}",
            f"a card with {in_file_words(actions[2 * number - 2 : 2 * number])}",
            "the expansion's text names this card"
            if (guild, number) == ("merchants", 1)
            else f"the columns of {CHART}",
            has_card(guild, *actions[2 * number - 2 : 2 * number]),
        )
        for guild, actions in ACTIONS.items()
        for number in (1, 2)
    ),
    printed(
        "ending",
        "ending",
        "6 sections, 3 prestige for ending, 1 prestige for 5 goods, 2 for a section and 1 for an ornament of a "
        "tower, halves, thirds for two",
        "rulebook, end of the game",
        ENDING,
    ),
    printed(
        "solo",
        "solo",
        "4 recognition, 4 materials, 1 prestige an ornament; door, arch, arch, cross",
        "rulebook, solo play",
        SOLO,
    ),
)
"""Every printed or deduced fact of the base game, in the order of the data file."""
