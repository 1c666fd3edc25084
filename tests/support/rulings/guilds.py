"""Cases of artisans, foremen, contractors, wholesalers, managers and lawyers (R-60 to R-62, R-69 to R-74)."""

from . import SIX, case, down, gains, hand, up

RED_TWO = {"workshops": [up(red="rubles:2", blue="lumber:1"), {}]}
MODULE = {"contractors": True}
WHITE_MOVES = {"dice": {"white": (7, 1), "red": (1, 5)}}  # `move white` leads alone to space 0
BLACK_MOVES = {"dice": {"black": (7, 1), "red": (1, 5)}}
TO_CRAFTSMEN = {"dice": {"red": (1, 1)}}


ARTISANS = [
    case(
        "r70_borrowed_tiles_are_face_up_in_another_workshop",
        {"guild": "artisans:1"},
        {"workshops": [up(red="rubles:2"), up(white1="lumber:1", red="brick:1") | down(blue="stone:1")]},
        ("move red", {"has": {"guild 1", "guild 2"}}),
        ("guild 2", {"point": "tile", "legal": {"borrow blue white1", "borrow blue red"}, "rubles": [2, 4]}),
        ("borrow blue white1", {"materials": [{"lumber": 1}, {}], "point": "market"}),
    ),
    case(
        "r70_a_borrowed_tile_has_its_effect_for_the_borrower",
        {"guild": "artisans:1"},
        {"workshops": [up(red="rubles:2"), up(white1="lumber:1")]} | hand(lumber=6),
        ("move red", {"lacks": {"guild 2"}}),
    ),
    case(
        "r70_the_same_tile_twice",
        {"guild": "artisans:2"},
        RED_TWO,
        ("move red", {}),
        ("guild 2", {"point": "tile", "legal": {"workshop red", "workshop blue"}, "rubles": [1, 4]}),
        ("workshop red", {"legal": {"workshop red", "done"}, "rubles": [3, 4]}),
        ("workshop red", {"point": "market", "rubles": [5, 4], "has": {"workshop red"}}),
    ),
    case(
        "r70_two_different_tiles",
        {"guild": "artisans:3"},
        {"workshops": [up(red="lumber:1", blue="lumber:1"), {}]},
        ("move red", {}),
        ("guild 2", {}),
        ("workshop red", {"point": "tile", "legal": {"workshop blue", "done"}}),
        ("done", {"point": "market", "materials": [{"lumber": 1}, {}]}),
    ),
    case(
        "r70_one_tile_with_an_effect_makes_two_different_legal",
        {"guild": "artisans:3"},
        {"workshops": [up(red="rubles:2"), {}]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"point": "market", "rubles": [3, 4]}),
    ),
    case(
        "r60_an_effect_that_makes_up_for_its_price",
        {"guild": "artisans:2"},
        {"workshops": [up(red="rubles:2"), {}], "rubles": [2, 4]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"rubles": [2, 4]}),
    ),
    case(
        "r60_no_price_no_action",
        {"guild": "artisans:2"},
        RED_TWO | {"rubles": [1, 4]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
]

FOREMEN = [
    case(
        "r69_own_banners_in_the_new_tower",
        {"guild": "foremen:1"},
        {"sections": {"2.1": {"owner": 0}, "2.2": {"owner": 1}, "2.3": {"owner": 0}}},
        ("move red", {"has": {"guild 1", "guild 2"}}),
        ("guild 1", {"point": "foreman", "legal": {"foreman 1", "foreman 2"}, "foreman": 1}),
        ("foreman 1", {"foreman": 2, "track": [4, 2], "point": "market"}),
    ),
    case(
        "r69_from_the_last_tower_to_the_first",
        {"guild": "foremen:3"},
        {"foreman": 4, "sections": {"2.1": {"owner": 0, "done": True}}},
        ("move red", {}),
        ("guild 2", {}),
        ("foreman 2", {"foreman": 2, "rubles": [4, 4]}),
    ),
    case(
        "r69_banners_of_a_player_chosen_after_the_move",
        {"guild": "foremen:1", "players": 4},
        {"sections": {"2.1": {"owner": 1}, "2.2": {"owner": 2}, "2.3": {"owner": 2}}},
        ("move red", {}),
        ("guild 2", {}),
        ("foreman 1", {"point": "player", "legal": {"player blue", "player yellow"}, "foreman": 2}),
        ("player yellow", {"rubles": [5, 4, 4, 5]}),
    ),
    case(
        "r62_nobody_to_choose",
        {"guild": "foremen:2"},
        {"workshops": [up(red="rubles:2"), {}], "sections": {"3.1": {"owner": 0}}},
        ("move red", {}),
        ("guild 2", {}),
        ("foreman 2", {"point": "market", "foreman": 3, "track": [2, 2]}),
    ),
    case(
        "r69_a_section_completes_in_his_tower",
        {"guild": "foremen:1"},
        {
            "sections": {"1.1": {"owner": 1}, "1.2": {"owner": 0, "delivered": {"lumber": 1, "brick": 1}}},
            "track": [2, 10],
        }
        | hand(gold=1),
        ("deliver gold to 1.2", {"track": [7, 8]}),
    ),
    case(
        "r69_the_completers_own_section_counts_1",
        {"guild": "foremen:1"},
        {
            "sections": {
                "1.1": {"owner": 0},
                "1.2": {"owner": 1, "done": True},
                "1.3": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "track": [10, 10],
        }
        | hand(green_gem=1),
        ("deliver green_gem to 1.3", {"track": [10 + 6 + 1 - 1, 10]}),
    ),
    case(
        "r69_own_ones_count_1_and_those_of_others_2",
        {"guild": "foremen:1", "players": 4},
        {
            "sections": {
                "1.1": {"owner": 0},
                "1.2": {"owner": 1, "done": True},
                "1.3": {"owner": 1},
                "1.4": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "track": [10, 10, 10, 10],
            "materials": [{"green_gem": 1}, {}, {}, {}],
        },
        ("deliver green_gem to 1.4", {"track": [10 + 6 + 1 - 1, 10 - 2, 10, 10]}),
    ),
    case(
        "r69_another_players_section_counts_2_for_each_above",
        {"guild": "foremen:1", "players": 4},
        {
            "sections": {
                "1.1": {"owner": 2},
                "1.2": {"owner": 1, "done": True},
                "1.3": {"owner": 3},
                "1.4": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "track": [10, 10, 10, 10],
            "materials": [{"green_gem": 1}, {}, {}, {}],
        },
        ("deliver green_gem to 1.4", {"track": [10 + 6 + 1, 10, 10 - 4, 10 - 2]}),
    ),
    case(
        "r69_a_section_completes_elsewhere",
        {"guild": "foremen:1"},
        {
            "sections": {"1.1": {"owner": 1}, "1.2": {"owner": 0, "delivered": {"lumber": 1, "brick": 1}}},
            "track": [2, 10],
            "foreman": 2,
        }
        | hand(gold=1),
        ("deliver gold to 1.2", {"track": [6, 9]}),
    ),
]

WHOLESALERS = [
    case(
        "r72_a_market_action_on_top",
        {"guild": "wholesalers:1"},
        RED_TWO,
        ("move red", {"has": {"guild 1", "guild 2"}}),
        ("guild 1", {"point": "extra", "legal": {"obtain", "workshop red"}, "rubles": [2, 4]}),
        ("workshop red", {"rubles": [4, 4], "point": "market", "legal": {"obtain", "workshop red", "done"}}),
    ),
    case(
        "r72_the_same_action_twice",
        {"guild": "wholesalers:1"},
        RED_TWO,
        ("move red", {}),
        ("guild 2", {"rubles": [0, 4]}),
        ("obtain", {"point": "take", "legal": {"take 1", "take 2"}}),
        ("take 2", {"point": "extra", "legal": {"obtain", "done"}}),
        ("done", {"point": "market", "has": {"obtain"}}),
    ),
    case(
        "r72_twice_workshop_chooses_between_two_white_tiles_each_time",
        {"guild": "wholesalers:1"},
        WHITE_MOVES | {"workshops": [up(white1="rubles:2", white2="recognition:1"), {}]},
        ("move white", {}),
        ("guild 2", {"legal": {"obtain", "workshop white1", "workshop white2"}}),
        ("workshop white1", {"point": "extra", "legal": {"workshop white1", "workshop white2", "done"}}),
        ("workshop white2", {"point": "market", "track": [3, 2]}),
    ),
    case(
        "r72_two_different",
        {"guild": "wholesalers:3"},
        RED_TWO | {"rubles": [4, 4]},
        ("move red", {}),
        ("guild 2", {"legal": {"obtain", "workshop red"}}),
        ("workshop red", {"point": "extra", "legal": {"obtain", "done"}}),
    ),
    case(
        "r72_the_second_may_be_impossible",
        {"guild": "wholesalers:3"},
        {"rubles": [4, 4]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"point": "take"}),
        ("take 1", {"point": "market", "has": {"obtain"}}),
    ),
    case(
        "r72_the_material_comes_after_the_market_action",
        {"guild": "wholesalers:2"},
        RED_TWO,
        ("move red", {}),
        ("guild 1", {"point": "extra", "legal": {"obtain", "workshop red"}}),
        ("workshop red", {"point": "take", "legal": gains(*SIX, more="take 0"), "rubles": [3, 4]}),
        ("take 0", {"point": "market", "materials": [{}, {}]}),
    ),
    case(
        "r72_the_material_alone",
        {"guild": "wholesalers:2"},
        {"supply": {"lumber": 0}},
        ("move red", {"has": {"guild 1"}, "lacks": {"obtain"}}),
        ("guild 1", {"point": "take", "legal": gains(*SIX[1:], more="take 0")}),
        ("gain gold", {"materials": [{"gold": 1}, {}], "rubles": [1, 4]}),
    ),
    case(
        "r72_nothing_at_all",
        {"guild": "wholesalers:2"},
        hand(lumber=6) | {"workshops": [up(red="rubles:2"), {}], "rubles": [1, 4]},
        ("move red", {"lacks": {"guild 1", "obtain"}, "has": {"workshop red"}}),
    ),
    case(
        "r72_only_while_a_visit_is_running",
        {"guild": "wholesalers:1", "special": ("guild", "die")},
        hand(lumber=1) | {"rubles": [7, 4]},
        ("claim 1 from spare", {"point": "place", "has": {"place special red"}}),
        ("place special red", {"point": "influence", "legal": {"guild 1 1", "guild 2 1", "done"}, "rubles": [1, 4]}),
    ),
    case(
        "r72_through_the_guild_tile_in_a_visit",
        {"guild": "wholesalers:1", "special": ("guild", "die")},
        TO_CRAFTSMEN | {"workshops": [up(red="special:guild"), {}], "rubles": [1, 4]},
        ("move red", {"has": {"workshop red"}}),
        ("workshop red", {"point": "take", "legal": {"take 1", "take 2", "take 3", "take 4"}, "rubles": [0, 4]}),
    ),
    case(
        "r72_the_specialist_after_the_black_die",
        {"guild": "wholesalers:1"} | MODULE,
        BLACK_MOVES | {"specialist": [8, None]},
        ("move black", {"has": {"guild 1", "guild 2", "specialist"}}),
        ("guild 2", {"legal": {"obtain", "specialist"}}),
        ("specialist", {"point": "market", "rubles": [5, 4], "tools": [[8], []], "lacks": {"specialist"}}),
    ),
]

MANAGERS_AND_LAWYERS = [
    case(
        "r73_an_indicated_material",
        {"guild": "managers:1"},
        hand(lumber=1, gold=1, stone=1),
        ("move red", {}),
        ("guild 1", {"point": "gain", "legal": gains("lumber", "brick", "stone")}),
    ),
    case(
        "r73_indicated_materials_for_recognition_any_number_of_times",
        {"guild": "managers:1"},
        hand(lumber=1, gold=1, stone=1),
        ("move red", {}),
        ("guild 2", {"point": "pay", "legal": {"pay lumber", "pay stone"}}),
        ("pay stone", {"track": [3, 2], "has": {"guild 2"}, "lacks": {"guild 1"}}),
    ),
    case(
        "r73_gold_for_rubles",
        {"guild": "managers:2"},
        hand(gold=2),
        ("move red", {"has": {"guild 1", "guild 2"}}),
        ("guild 2", {"rubles": [6, 4], "materials": [{"gold": 1}, {}], "has": {"guild 2"}}),
    ),
    case(
        "r73_a_gem_of_either_colour",
        {"guild": "managers:3"},
        {},
        ("move red", {"lacks": {"guild 2"}}),
        ("guild 1", {"point": "gain", "legal": gains("green_gem", "purple_gem")}),
    ),
    case(
        "r73_both_gems",
        {"guild": "managers:3"},
        hand(green_gem=1, purple_gem=1),
        ("move red", {}),
        ("guild 2", {"track": [5, 2], "rubles": [5, 4], "materials": [{}, {}], "point": "market"}),
    ),
    case("r74_a_permit", {"guild": "lawyers:1"} | MODULE, {}, ("move red", {}), ("guild 1", {"permits": [2, 1]})),
    case(
        "r48_no_permit_beyond_six",
        {"guild": "lawyers:1"} | MODULE,
        {"permits": [6, 1]},
        ("move red", {"lacks": {"guild 1"}}),
    ),
    case(
        "r74_a_delivery_for_a_permit",
        {"guild": "lawyers:1"} | MODULE,
        hand(lumber=1, brick=1) | {"sections": {"1.1": {"owner": 0}}, "permits": [2, 1]},
        ("move red", {}),
        ("guild 2", {"point": "build", "permits": [1, 1], "legal": {"deliver lumber to 1.1", "deliver brick to 1.1"}}),
        ("deliver brick to 1.1", {"point": "market", "has": {"guild 2"}, "lacks": {"guild 1"}}),
    ),
    case(
        "r74_prestige_for_two_permits",
        {"guild": "lawyers:2"} | MODULE,
        {"permits": [3, 1]},
        ("move red", {}),
        ("guild 2", {"permits": [1, 1], "track": [5, 2], "supply": {"permits": 22}}),
    ),
    case("r74_one_permit_is_not_two", {"guild": "lawyers:2"} | MODULE, {}, ("move red", {"lacks": {"guild 2"}})),
    case(
        "r74_a_material_at_gain",
        {"guild": "lawyers:3"} | MODULE,
        {},
        ("move red", {}),
        ("guild 2", {"point": "gain", "legal": gains(*SIX), "permits": [0, 1]}),
    ),
    case(
        "r61_permits_simply_arrive",
        {"guild": "contractors:2"} | MODULE,
        {
            "permits": [5, 1],
            "contractors": [3, 6],
            "cities": {"moscow": {"contractors": [2, 0]}, "tver": {"contractors": [1, 0]}},
        },
        ("move red", {"lacks": {"guild 2"}}),
        ("guild 1", {"permits": [6, 1], "supply": {"permits": 17}}),
    ),
    case(
        "r71_rubles_for_contractors_in_closed_cities_too",
        {"guild": "contractors:1"} | MODULE,
        {"contractors": [3, 6], "cities": {"moscow": {"contractors": [2, 0]}, "tver": {"contractors": [1, 0]}}},
        ("move red", {}),
        ("guild 2", {"rubles": [6, 4]}),
    ),
    case(
        "r71_rubles_for_another_players_contractors",
        {"guild": "contractors:2", "players": 3} | MODULE,
        {"contractors": [6, 5, 4], "cities": {"moscow": {"contractors": [0, 1, 2]}}},
        ("move red", {"lacks": {"guild 1"}}),
        ("guild 2", {"point": "player", "legal": {"player blue", "player yellow"}}),
        ("player yellow", {"rubles": [5, 4, 4]}),
    ),
    case(
        "r71_the_space_of_the_black_die_once",
        {"guild": "contractors:1"} | MODULE,
        {"dice": {"black": (2, 6)}},
        ("move red", {}),
        ("guild 1", {"point": "take", "legal": {"take 1", "take 2"}}),
        ("take 2", {"materials": [{"stone": 2}, {}]}),
    ),
]

CASES = [*ARTISANS, *FOREMEN, *WHOLESALERS, *MANAGERS_AND_LAWYERS]
