"""Cases of Ivan with the module and the new guilds (R-62, R-69, R-81 to R-83)."""

from . import case

PLAIN = {"players": 1, "contractors": True, "guild": "managers:2"}
CARDS = {"hire": ["hire", "recognition", "inventory", "transport", "claim", "construction"]}
TILES = [f"die:{die}" for die in ("red", "blue", "yellow", "green", "white", "black")]
HIRES = {"ivan": {"cards": CARDS["hire"], "tiles": TILES}}
QUIET = {"dice": {"red": (3, 1)}}  # the player's red die goes to space 4, Ivan's turn moves it to 5

BUILDS = {"cards": ["construction", "recognition", "inventory", "transport", "claim"], "tiles": TILES[:5]}

CASES = [
    case(
        "r81_the_set_up",
        PLAIN,
        {},
        (
            "",
            {
                "track": [2, 13],
                "rubles": [3, 0],
                "permits": [1, 0],
                "contractors": [6, 5],
                "specialist": [None, None],
                "spare_banners": [2, 5],
                "ivan": {"tower": 1},
                "cities": {"moscow": {"contractors": [0, 1]}},
                "sections": {"1.1": {"owner": 1}},
                "specialists": [1, 2, 3, 4, 5],
            },
        ),
    ),
    case(
        "r82_a_claim_moves_the_marker",
        PLAIN,
        {},
        ("claim 3 from spare", {"ivan": {"tower": 3}, "point": "place"}),
    ),
    case(
        "r82_a_specialists_claim_too",
        PLAIN,
        {"specialist": [24, None], "dice": {"black": (7, 1), "red": (1, 5)}},
        ("move black", {}),
        ("specialist", {"ivan": {"tower": 1}}),
        ("claim 2 from spare", {"ivan": {"tower": 2}}),
    ),
    case(
        "r82_his_own_claim_moves_it",
        PLAIN,
        QUIET,
        ("move red", {}),
        ("done", {"point": "ivan", "legal": {"ivan claim 2", "ivan claim 3", "ivan claim 4"}}),
        ("ivan claim 4", {"ivan": {"tower": 4}, "events": ["move red", "card claim", "claim 4"]}),
        deal={"ivan": {"cards": CARDS["hire"][4:] + CARDS["hire"][:4], "tiles": TILES}},
    ),
    case(
        "r82_his_claim_and_then_the_players",
        PLAIN,
        QUIET,
        ("move red", {}),
        ("done", {"point": "ivan", "ivan": {"tower": 1}}),
        ("ivan claim 3", {"ivan": {"tower": 3}, "seat": 0, "point": "start"}),
        ("claim 2 from spare", {"ivan": {"tower": 2}, "point": "place"}),
        deal={"ivan": {"cards": CARDS["hire"][4:] + CARDS["hire"][:4], "tiles": TILES}},
    ),
    case(
        "r69_ivan_completes_in_the_foremans_tower",
        {"players": 1, "guild": "foremen:1"},
        QUIET
        | {
            "sections": {
                "1.1": {"owner": 0},
                "1.2": {"owner": 1, "delivered": {"lumber": 1, "brick": 1}},
            },
            "track": [4, 2],
            "ivan": {"construction": {"stone": 1}},
        },
        ("move red", {}),
        ("done", {"track": [2, 7], "sections": {"1.2": {"owner": 1, "done": True}}}),
        deal={"ivan": BUILDS},
    ),
    case(
        "r69_ivans_section_below_costs_him_2",
        {"players": 1, "guild": "foremen:1"},
        {
            "sections": {"1.1": {"owner": 1}, "1.2": {"owner": 0, "delivered": {"lumber": 1, "brick": 1}}},
            "track": [2, 9],
            "materials": [{"gold": 1}, {}],
        },
        ("deliver gold to 1.2", {"track": [7, 7]}),
    ),
    case(
        "r83_moscow_gives_a_prestige_and_no_tile",
        PLAIN,
        QUIET,
        ("move red", {}),
        (
            "done",
            {
                "events": ["move red", "card hire", "hire moscow", "prestige 1"],
                "track": [2, 17],
                "cities": {"moscow": {"contractors": [0, 2]}},
                "contractors": [6, 4],
                "tools": [[], []],
                "permits": [1, 0],
                "seat": 0,
                "turn": 3,
            },
        ),
        deal=HIRES,
    ),
    case(
        "r83_elsewhere_he_takes_every_tile_on_the_slots",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}, "specialists": [18, 1, 3, 4, 5]},
        ("move red", {}),
        (
            "done",
            {
                "events": ["move red", "card hire", "hire vologda", "specialists 18 1", "recognition 4"],
                "track": [2, 17],
                "tools": [[], [1, 18]],
                "specialists": [20, 9, 3, 4, 5],
            },
            [{"slot": 0, "specialist": 20}, {"slot": 1, "specialist": 9}],
        ),
        deal=HIRES,
    ),
    case(
        "r83_recognition_for_a_payment_is_not_his",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}, "specialists": [6, 22, 3, 4, 5]},
        ("move red", {}),
        ("done", {"events": ["move red", "card hire", "hire vologda", "specialists 6 22"], "track": [2, 13]}),
        deal=HIRES,
    ),
    case(
        "r83_two_equal_tools_go_back_to_the_bag",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}, "specialists": [1, 6, 3, 4, 5], "tools": [[], [2, 10]]},
        ("move red", {}),
        (
            "done",
            {
                "events": ["move red", "card hire", "hire vologda", "specialists 1 6", "return 2 1"],
                "tools": [[], [6, 10]],
                "specialists": [2, 1, 3, 4, 5],
            },
            [{"slot": 0, "specialist": 2}, {"slot": 1, "specialist": 1}],
        ),
        deal=HIRES,
    ),
    case(
        "r83_the_two_tiles_taken_may_be_a_pair",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}, "specialists": [6, 5, 3, 4, 9]},
        ("move red", {}),
        (
            "done",
            {"events": ["move red", "card hire", "hire vologda", "specialists 6 5", "return 6 5"], "tools": [[], []]},
        ),
        deal=HIRES,
    ),
    case(
        "r83_the_slot_of_lower_number_first",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}},
        ("move red", {}),
        (
            "done",
            {"events": ["move red", "card hire", "hire tver", "specialists 1 5"], "specialists": [7, 2, 3, 4, 8]},
            [{"slot": 0, "specialist": 7}, {"slot": 4, "specialist": 8}],
        ),
        deal=HIRES | {"cities": ["moscow", "tver", "suzdal", "ryazan"]},
    ),
    case(
        "r83_a_slot_that_was_empty_is_not_refilled",
        PLAIN,
        QUIET | {"ivan": {"tower": 2}, "specialists": [None, 5, 3, 4, 9]},
        ("move red", {}),
        ("done", {"specialists": [None, 7, 3, 4, 9], "tools": [[], [5]]}, [{"slot": 1, "specialist": 7}]),
        deal=HIRES,
    ),
    case(
        "r83_a_closed_city_gets_no_contractor",
        PLAIN,
        QUIET | {"cities": {"moscow": {"open": False}}},
        ("move red", {}),
        ("done", {"events": ["move red", "card hire"], "contractors": [6, 5], "track": [2, 13]}),
        deal=HIRES,
    ),
    case(
        "r83_nor_does_he_hire_without_a_contractor",
        PLAIN,
        QUIET | {"contractors": [6, 0]},
        ("move red", {}),
        ("done", {"events": ["move red", "card hire"], "cities": {"moscow": {"contractors": [0, 1]}}}),
        deal=HIRES,
    ),
    case(
        "r83_the_clergys_recognition",
        PLAIN | {"guild": "clergy:1"},
        {"ivan": {"tower": 1}},
        ("move red", {}),
        ("done", {"events": ["move red", "recognition 1", "card hire", "hire moscow", "prestige 1"], "track": [2, 17]}),
        deal=HIRES,
    ),
    case(
        "r83_no_recognition_for_a_payment",
        PLAIN | {"guild": "managers:1"},
        {},
        ("move red", {}),
        ("done", {"events": ["move red", "card hire", "hire moscow", "prestige 1"]}),
        deal=HIRES,
    ),
    case(
        "r57_a_city_scores_for_ivan_too",
        PLAIN,
        {
            "sections": {
                "1.2": {"owner": 1, "done": True},
                "1.1": {"owner": 1, "done": True},
                "1.3": {"owner": 0, "delivered": {"lumber": 1, "gold": 1}},
            },
            "materials": [{"green_gem": 1}, {}],
            "contractors": [5, 4],
            "cities": {"moscow": {"contractors": [1, 2]}},
        },
        ("deliver green_gem to 1.3", {"track": [2 + 6 + 1, 13 + 4]}),
    ),
    case(
        "r69_the_foreman_sees_ivan",
        {"players": 1, "guild": "foremen:1"},
        {"sections": {"2.1": {"owner": 1}, "2.2": {"owner": 1}}},
        ("move red", {}),
        ("guild 2", {}),
        ("foreman 1", {"rubles": [5, 0]}),
    ),
    case(
        "r70_ivan_has_no_workshop",
        {"players": 1, "guild": "artisans:1"},
        {"workshops": [{"red": {"tile": "rubles:2", "up": True}}, {}]},
        ("move red", {"lacks": {"guild 2"}, "has": {"guild 1"}}),
    ),
    case(
        "r85_ivan_has_no_inventory",
        {"players": 1, "guild": "thieves:1"},
        {"materials": [{"lumber": 1}, {}]},
        ("move red", {"lacks": {"guild 2"}, "has": {"guild 1"}}),
    ),
    case(
        "r81_his_tools_score",
        PLAIN | {"turn_limit": 1},
        {"tools": [[], [1, 5, 9]]},
        ("move red", {}),
        ("done", {"result": [{"tools": 0}, {"tools": 4, "goods": 0}]}),
    ),
]
