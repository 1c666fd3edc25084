"""Cases of the module Contractors without its specialists' effects (R-43 to R-59)."""

from . import SIX, case, gains, hand, up

MODULE = {"contractors": True}
BLOCKED = {die: (0, 4) for die in ("red", "blue", "yellow")} | {die: (4, 4) for die in ("green", "white", "black")}
NO_MAIN_ACTION = {"dice": BLOCKED, "permits": [0, 1], "rubles": [0, 4]}
NO_MAIN_ACTION |= {"inventory_banners": [0, 4], "spare_banners": [0, 2]}


SET_UP = [
    case(
        "r47_what_a_player_begins_with",
        MODULE,
        {},
        (
            "",
            {
                "permits": [1, 1],
                "contractors": [6, 6],
                "supply": {"permits": 22},
                "specialists": [1, 2, 3, 4, 5],
                "bag": list(range(6, 25)),
                "specialist": [None, None],
                "tools": [[], []],
                "spare_banners": [2, 2],
                "inventory_banners": [4, 4],
            },
        ),
    ),
    case(
        "r46_cities_without_a_tower_are_closed",
        MODULE,
        {},
        (
            "",
            {
                "cities": {"ryazan": {"open": True}, "smolensk": {"open": False}, "tver": {"open": False}},
                "has": {"hire moscow", "hire vologda", "hire suzdal", "hire ryazan"},
                "lacks": {"hire smolensk", "hire tver"},
            },
        ),
    ),
    case(
        "r46_all_six_with_four_players",
        MODULE | {"players": 4},
        {},
        ("", {"has": {"hire smolensk", "hire tver"}}),
    ),
]

PERMITS = [
    case(
        "r48_what_is_beyond_six_is_lost",
        MODULE,
        {"permits": [5, 1], "dice": {"red": (6, 1), "green": (7, 4)}, "workshops": [up(red="rubles:2"), {}]},
        ("move red", {"has": {"obtain"}}),
        ("obtain", {"permits": [6, 1], "supply": {"permits": 17}, "point": "market"}),
    ),
    case(
        "r48_no_benefit_at_six",
        MODULE,
        {"permits": [6, 1], "dice": {"red": (6, 1)}, "workshops": [up(red="permits:1"), {}]} | hand(lumber=2),
        ("move red", {"lacks": {"obtain", "workshop red"}, "has": {"guild 1"}}),
    ),
    case(
        "r48_permits_take_no_room",
        MODULE,
        hand(lumber=6) | {"dice": {"red": (6, 1)}, "workshops": [up(red="permits:1"), {}]},
        ("move red", {"has": {"obtain", "workshop red"}}),
        ("obtain", {"permits": [2, 1]}),
        ("workshop red", {"permits": [3, 1]}),
    ),
    case("r49_not_without_a_prestige_space_behind", MODULE, {"track": [5, 2]}, ("", {"lacks": {"permit"}})),
    case(
        "r49_a_permit_for_prestige",
        MODULE,
        {"track": [14, 2]},
        ("", {"has": {"permit"}}),
        ("permit", {"permits": [2, 1], "track": [13, 2], "point": "start"}),
        ("permit", {"permits": [3, 1], "track": [9, 2]}),
        ("move red", {"has": {"permit"}}),
    ),
    case(
        "r49_not_at_six_permits",
        MODULE,
        {"track": [14, 2], "permits": [6, 1]},
        ("", {"lacks": {"permit"}, "has": {"rubles"}}),
    ),
    case(
        "r49_the_point_hire_is_a_moment_of_r9",
        MODULE,
        {"track": [14, 2]},
        ("hire suzdal", {"point": "hire", "has": {"permit", "rubles", "reroll 2"}}),
        ("permit", {"point": "hire", "permits": [1, 1], "track": [13, 2]}),
    ),
]

TURN = [
    case(
        "r50_pass_if_there_is_no_main_action",
        MODULE,
        NO_MAIN_ACTION | {"track": [9, 2]},
        ("", {"legal": {"pass"}, "has": {"rubles", "permit", "reroll 0", "reroll 4"}}),
        ("pass", {"point": "end", "legal": {"done"}, "seat": 0, "turn": 1}),
        ("done", {"seat": 1, "point": "start", "turn": 2}),
    ),
    case(
        "r50_and_only_then",
        MODULE,
        NO_MAIN_ACTION | {"track": [9, 2]},
        ("rubles", {"has": {"move black +1", "move white +2"}, "lacks": {"pass"}}),
    ),
    case(
        "r50_a_turn_that_passes_by_itself",
        MODULE,
        NO_MAIN_ACTION | {"workshops": [{}, {}]},
        ("", {"seat": 1, "turn": 2}),
    ),
    case(
        "r51_the_black_die_moves_like_the_white_one",
        MODULE,
        {},
        ("", {"has": {"move black", "move black +3"}, "lacks": {"move black +4", "move blue +1"}}),
        ("move black +2", {"dice": {"black": {"space": 6}}, "rubles": [1, 4]}),
    ),
]

HIRE = [
    case(
        "r53_suzdal_for_five_permits",
        MODULE,
        {"permits": [5, 1], "contractors": [4, 4], "cities": {"suzdal": {"contractors": [2, 2]}}},
        ("", {"has": {"hire suzdal"}}),
        ("hire suzdal", {"point": "take", "legal": gains(*SIX), "permits": [0, 1], "contractors": [3, 4]}),
        (
            "gain gold",
            {
                "point": "hire",
                "legal": {"engage 1", "engage 2", "dismiss 1", "dismiss 2"},
                "materials": [{"gold": 1}, {}],
                "cities": {"suzdal": {"contractors": [3, 2]}},
                "specialists": [1, 2, 3, 4, 5],
            },
        ),
        (
            "engage 1",
            {"specialist": [2, None], "specialists": [1, 17, 3, 4, 5], "rubles": [1, 4], "supply": {"permits": 23}},
            [{"slot": 1, "specialist": 17}],
        ),
    ),
    case(
        "r53_four_permits_are_too_few",
        MODULE,
        {"permits": [4, 1], "contractors": [4, 4], "cities": {"suzdal": {"contractors": [2, 2]}}},
        ("", {"lacks": {"hire suzdal"}, "has": {"hire moscow"}}),
    ),
    case("r53_no_contractor_left", MODULE, {"contractors": [0, 6]}, ("", {"lacks": {"hire moscow"}})),
    case(
        "r53_the_bonus_cannot_help_to_pay",
        MODULE,
        {"permits": [0, 1], "contractors": [3, 6]},
        ("", {"lacks": {"hire moscow"}}),
    ),
    case(
        "r53_the_bonus_comes_after_the_payment",
        MODULE,
        {"permits": [6, 1], "contractors": [3, 6]},
        ("hire suzdal", {"permits": [6, 1], "point": "hire"}),
    ),
    case("r54_two_rubles", MODULE, {"contractors": [5, 6]}, ("hire suzdal", {"rubles": [5, 4]})),
    case("r54_recognition", MODULE, {"contractors": [2, 6]}, ("hire suzdal", {"track": [6, 2]})),
    case("r54_prestige", MODULE, {"contractors": [1, 6]}, ("hire suzdal", {"track": [9, 2], "contractors": [0, 6]})),
    case(
        "r54_a_material_without_room_is_lost",
        MODULE,
        {"contractors": [4, 6]} | hand(lumber=6),
        ("hire suzdal", {"point": "hire", "materials": [{"lumber": 6}, {}]}),
    ),
    case(
        "r55_dismissed_for_nothing",
        MODULE,
        {"rubles": [1, 4], "specialist": [9, None]},
        ("hire suzdal", {"legal": {"dismiss 1", "dismiss 2"}}),
        (
            "dismiss 2",
            {
                "specialists": [1, 2, 20, 4, 5],
                "specialist": [9, None],
                "tools": [[], []],
                "bag": [n for n in range(6, 25) if n not in (9, 20)],
            },
            [{"slot": 2, "specialist": 20}],
        ),
    ),
    case(
        "r55_a_specialist_already_there_is_turned_over",
        MODULE,
        {"specialist": [9, None]},
        ("hire suzdal", {}),
        ("engage 2", {"specialist": [3, None], "tools": [[9], []], "materials": [{}, {}], "rubles": [1, 4]}),
    ),
    case(
        "r55_any_slot_in_moscow",
        MODULE,
        {},
        ("hire moscow", {"legal": {f"{verb} {slot}" for verb in ("engage", "dismiss") for slot in range(5)}}),
    ),
    case(
        "r55_skipped_without_a_tile",
        MODULE,
        {"specialists": [1, None, None, 4, 5], "bag": []},
        ("hire suzdal", {"seat": 1, "point": "start", "cities": {"suzdal": {"contractors": [1, 0]}}}),
    ),
    case(
        "r45_an_empty_bag",
        MODULE,
        {"bag": []},
        ("hire suzdal", {}),
        ("dismiss 1", {"specialists": [1, None, 3, 4, 5]}, [{"slot": 1, "specialist": None}]),
    ),
    case(
        "r45_an_empty_slot_stays_empty",
        MODULE,
        {"specialists": [1, None, 3, 4, 5]},
        ("hire suzdal", {"legal": {"engage 2", "dismiss 2"}}),
        ("dismiss 2", {"specialists": [1, None, 7, 4, 5]}, [{"slot": 2, "specialist": 7}]),
    ),
    case(
        "r56_contractors_stay_in_a_closed_city",
        MODULE,
        {
            "sections": {
                "1.1": {"owner": 0, "done": True},
                "1.2": {"owner": 0, "done": True},
                "1.3": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "cities": {"moscow": {"contractors": [1, 2]}},
            "contractors": [5, 4],
        }
        | hand(green_gem=1),
        ("deliver green_gem to 1.3", {"cities": {"moscow": {"open": False, "contractors": [1, 2]}}, "track": [11, 2]}),
    ),
]

SUZDAL = {"cities": ["moscow", "suzdal", "vologda", "ryazan", "smolensk"]}  # over tower 2, which has three sections

TOWERS = [
    case(
        "r57_the_scoring_of_suzdal",
        MODULE | {"players": 3},
        {
            "sections": {
                "2.1": {"owner": 1, "done": True, "ornament_owner": 2},
                "2.2": {"owner": 0, "delivered": {"brick": 1, "stone": 1}},
                "2.3": {"owner": 0, "done": True},
            },
            "cities": {"suzdal": {"contractors": [2, 1, 1]}, "moscow": {"contractors": [1, 1, 1]}},
            "contractors": [3, 4, 4],
            "materials": [{"gold": 1}, {}, {}],
        },
        (
            "deliver gold to 2.2",
            {
                "track": [2 + 4 + 4, 2 + 1, 2],
                "cities": {"suzdal": {"open": False}, "moscow": {"open": True}},
                "rubles": [5, 4, 4],
            },
        ),
        deal=SUZDAL,
    ),
    case(
        "r57_banners_on_a_tower_not_finished_score_nothing",
        MODULE,
        {
            "sections": {"1.1": {"owner": 1}, "1.2": {"owner": 0, "delivered": {"lumber": 1, "brick": 1}}},
            "cities": {"moscow": {"contractors": [2, 2]}},
            "contractors": [4, 4],
        }
        | hand(gold=1),
        ("deliver gold to 1.2", {"track": [6, 1], "cities": {"moscow": {"open": True}}}),
    ),
    case(
        "r57_the_city_before_the_prestige_for_ending",
        MODULE,
        {
            "sections": {
                **{f"{tower}.1": {"owner": 0, "done": True} for tower in range(1, 5)},
                "1.2": {"owner": 0, "done": True},
                "1.3": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "cities": {"moscow": {"contractors": [1, 0]}},
            "contractors": [5, 6],
        }
        | hand(green_gem=1),
        ("deliver green_gem to 1.3", {"track": [21, 2]}),
    ),
    case(
        "r59_groups_of_different_tools",
        MODULE | {"turn_limit": 1},
        {"tools": [[1, 2, 5, 9], [1 + 12]], "specialist": [17, None]},
        ("move red", {}),
        ("done", {"result": [{"tools": 4 + 1}, {"tools": 1}]}),
    ),
    case(
        "r59_six_different_ones",
        MODULE | {"turn_limit": 1},
        {"tools": [[1, 5, 9, 13, 17, 21, 2, 6], []]},
        ("move red", {}),
        ("done", {"result": [{"tools": 16 + 2}, {"tools": 0}]}),
    ),
    case(
        "r58_permits_count_among_the_goods",
        MODULE | {"turn_limit": 1},
        {"permits": [4, 1], "rubles": [3, 3]} | hand(gold=3),
        ("move red", {}),
        ("done", {"result": [{"goods": 2}, {"goods": 0}]}),
    ),
]

CASES = [*SET_UP, *PERMITS, *TURN, *HIRE, *TOWERS]
