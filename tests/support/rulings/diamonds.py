"""Cases of diamonds and the jewelers (R-66 to R-68)."""

from . import SIX, case, gains, hand, up

ONE, TWO = {"guild": "jewelers:1"}, {"guild": "jewelers:2"}
WITH_SPECIAL = {"guild": "clergy:1", "special": ("die", "material")}


OWN_BASE = {"sections": {"3.1": {"owner": 0}}}  # this section costs 2 bricks and 1 lumber
DONE = {"sections": {"1.1": {"owner": 0, "done": True}}}
TO_CRAFTSMEN = {"dice": {"red": (1, 1)}}  # `move red` leads to space 2
TO_MERCHANTS = {"dice": {"red": (5, 1)}}  # `move red` leads to space 6
THREE_FOR_TWO = {"lumber": 2, "brick": 1, "gold": 1}

CASES = [
    case("r66_set_out_with_jewelers", ONE, {}, ("", {"supply": {"diamond": 15}})),
    case("r66_set_out_with_special_tiles", WITH_SPECIAL, {}, ("", {"supply": {"diamond": 15}})),
    case(
        "r66_counts_as_goods_and_takes_room",
        ONE | {"turn_limit": 1},
        hand(diamond=6) | {"rubles": [4, 4], "workshops": [up(red="rubles:2"), {}]},
        ("move red", {"lacks": {"obtain", "guild 1"}}),
        ("done", {"result": [{"goods": 2}, {"goods": 0}]}),
    ),
    case(
        "r66_never_bought_as_any_material",
        ONE,
        TO_CRAFTSMEN,
        ("move red", {}),
        ("guild 2", {"point": "gain", "legal": gains(*SIX)}),
    ),
    case(
        "r67a_a_brick_or_a_diamond_finishes_the_section",
        ONE,
        hand(brick=2, lumber=1, diamond=1)
        | {"sections": {"3.1": {"owner": 0, "delivered": {"diamond": 1, "lumber": 1}}}},
        ("", {"has": {"deliver brick to 3.1", "deliver diamond to 3.1"}, "lacks": {"deliver lumber to 3.1"}}),
        ("deliver brick to 3.1", {"sections": {"3.1": {"done": True, "delivered": {}}}, "supply": {"diamond": 14}}),
    ),
    case(
        "r67a_no_more_of_a_kind_than_the_cost_asks",
        ONE,
        hand(brick=1, diamond=1) | {"sections": {"3.1": {"owner": 0, "delivered": {"brick": 2}}}},
        ("", {"has": {"deliver diamond to 3.1"}, "lacks": {"deliver brick to 3.1"}}),
    ),
    case(
        "r67a_three_diamonds_build_a_section",
        ONE,
        hand(diamond=3) | OWN_BASE,
        ("deliver diamond to 3.1", {"sections": {"3.1": {"delivered": {"diamond": 1}}}}),
        ("deliver diamond to 3.1", {"point": "build"}),
        ("deliver diamond to 3.1", {"sections": {"3.1": {"done": True}}, "track": [5, 2], "supply": {"diamond": 15}}),
    ),
    case(
        "r67b_ornament_and_gems_of_diamonds",
        ONE,
        hand(diamond=3) | DONE,
        ("", {"has": {"adorn 1.1 with diamond"}, "lacks": {"adorn 1.1"}}),
        ("adorn 1.1 with diamond", {"point": "gems", "legal": {"gems none", "gems diamond", "gems diamond diamond"}}),
        ("gems diamond diamond", {"track": [13, 2], "materials": [{}, {}]}),
    ),
    case(
        "r67b_one_diamond_as_a_gem",
        ONE,
        hand(lumber=1, diamond=1) | DONE,
        ("", {"has": {"adorn 1.1", "adorn 1.1 with diamond"}}),
        ("adorn 1.1", {"legal": {"gems none", "gems diamond"}}),
        ("gems diamond", {"track": [5, 2]}),
    ),
    case(
        "r67b_a_diamond_with_a_gem",
        ONE,
        hand(lumber=1, purple_gem=1, diamond=1) | DONE,
        ("adorn 1.1", {"legal": {"gems none", "gems purple", "gems diamond", "gems purple diamond"}}),
        ("gems purple diamond", {"track": [13, 2]}),
    ),
    case(
        "r67c_a_diamond_is_sold_at_the_price_of_the_sale",
        ONE,
        hand(lumber=1, diamond=1) | TO_CRAFTSMEN,
        ("move red", {}),
        ("guild 1", {"point": "pay", "legal": {"pay lumber", "pay diamond"}}),
        ("pay diamond", {"rubles": [4, 4], "supply": {"diamond": 15}}),
    ),
    case(
        "r67c_two_equal_with_a_diamond",
        ONE,
        hand(lumber=1, diamond=1) | TO_MERCHANTS,
        ("move red", {"has": {"guild 1"}}),
        ("guild 1", {"point": "gain", "legal": gains(*SIX) - {"gain lumber"}, "materials": [{}, {}]}),
    ),
    case(
        "r67c_two_diamonds_for_any_of_the_six",
        ONE,
        hand(diamond=2) | TO_MERCHANTS,
        ("move red", {}),
        ("guild 1", {"point": "gain", "legal": gains(*SIX)}),
    ),
    case(
        "r67c_own_pieces_first_in_four_equal_ones",
        ONE,
        hand(lumber=3, diamond=2) | TO_MERCHANTS,
        ("move red", {}),
        ("guild 2", {"point": "gain", "materials": [{"diamond": 1}, {}]}),
    ),
    case(
        "r67c_at_least_one_of_the_kind",
        ONE,
        hand(diamond=4, brick=1) | TO_MERCHANTS,
        ("move red", {}),
        ("guild 2", {"point": "pay", "legal": {"pay brick", "pay diamond"}}),
        ("pay brick", {"materials": [{"diamond": 1}, {}], "legal": gains(*SIX) - {"gain brick"}}),
    ),
    case(
        "r67c_diamonds_come_last_among_three_different",
        WITH_SPECIAL,
        hand(lumber=1, gold=1, diamond=2),
        ("move red", {}),
        ("guild 2", {"point": "pay", "legal": {"pay lumber", "pay gold"}}),
        ("pay gold", {"materials": [{"lumber": 1}, {}], "track": [5, 2]}),
    ),
    case(
        "r67c_kinds_after_the_first_of_three_different",
        WITH_SPECIAL,
        hand(lumber=1, gold=1, diamond=2),
        ("move red", {}),
        ("guild 2", {}),
        ("pay lumber", {"legal": {"pay gold", "pay diamond"}}),
        ("pay diamond", {"materials": [{"gold": 1}, {}]}),
    ),
    case(
        "r67c_indicated_materials",
        {"guild": "managers:1", "special": ("die", "material")},
        hand(gold=1, diamond=1, lumber=1),
        ("move red", {}),
        ("guild 2", {"point": "pay", "legal": {"pay lumber", "pay diamond"}}),
    ),
    case(
        "r67d_pieces_of_the_kind_first",
        {"guild": "brickmakers:2", "special": ("die", "material")},
        hand(brick=1, diamond=2),
        ("move red", {}),
        ("guild 2", {"materials": [{"diamond": 2}, {}], "rubles": [5, 4]}),
    ),
    case(
        "r67d_diamonds_for_the_rest",
        {"guild": "brickmakers:1", "special": ("die", "material")},
        hand(brick=1, diamond=1),
        ("move red", {}),
        ("guild 1", {"materials": [{}, {}], "point": "reinforcement"}),
    ),
    case(
        "r67d_both_gems",
        {"guild": "managers:3", "special": ("die", "material")},
        hand(purple_gem=1, diamond=1),
        ("move red", {}),
        ("guild 2", {"materials": [{}, {}], "track": [5, 2], "rubles": [5, 4]}),
    ),
    case("r68_buy_one", ONE, {"rubles": [1, 4]}, ("move red", {}), ("guild 1", {"materials": [{"diamond": 1}, {}]})),
    case(
        "r68_as_many_as_there_is_room_at_the_full_price",
        TWO,
        hand(lumber=5),
        ("move red", {"has": {"guild 1"}}),
        ("guild 1", {"materials": [{"lumber": 5, "diamond": 1}, {}], "rubles": [0, 4]}),
    ),
    case("r68_none_without_room", TWO, hand(lumber=6), ("move red", {"lacks": {"guild 1"}})),
    case("r68_none_without_supply", ONE, {"supply": {"diamond": 0}}, ("move red", {"lacks": {"guild 1"}})),
    case(
        "r68_three_payments_in_order",
        ONE,
        hand(**THREE_FOR_TWO),
        ("move red", {}),
        (
            "guild 2",
            {"point": "pay", "legal": {"pay lumber", "pay brick"}, "materials": [THREE_FOR_TWO | {"lumber": 1}, {}]},
        ),
        ("pay brick", {"materials": [{"lumber": 1, "diamond": 2}, {}], "point": "market"}),
    ),
    case("r68_no_diamond_is_given_for_two", ONE, hand(lumber=2, diamond=1), ("move red", {"lacks": {"guild 2"}})),
    case(
        "r68_one_diamond_in_the_supply_is_enough",
        ONE,
        hand(lumber=3) | {"supply": {"diamond": 1}},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"materials": [{"diamond": 1}, {}]}),
    ),
    case(
        "r68_a_diamond_for_two_permits",
        {"guild": "jewelers:3", "contractors": True},
        hand(diamond=1) | {"permits": [5, 1]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"permits": [6, 1], "materials": [{}, {}], "supply": {"diamond": 15, "permits": 17}}),
    ),
    case(
        "r68_no_permits_beyond_six",
        {"guild": "jewelers:3", "contractors": True},
        hand(diamond=1) | {"permits": [6, 1]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
]
