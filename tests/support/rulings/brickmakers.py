"""Cases of brickmakers, their reinforcement tiles, and the rules of all new actions (R-60, R-61, R-64, R-79, R-80)."""

from . import SIX, case, gains, hand, up

RED_TWO = {"workshops": [up(red="rubles:2", blue="lumber:1"), {}]}
TO_TEAMSTERS = {"dice": {"red": (3, 1)}}  # `move red` leads to space 4, where green stands
HELD = "reinforcements_held"


CASES = [
    case(
        "r79_a_reinforcement_tile_for_two_bricks",
        {"guild": "brickmakers:1"},
        hand(brick=2) | {HELD: [[], ["rubles"]]},
        ("move red", {}),
        (
            "guild 1",
            {"point": "reinforcement", "lacks": {"reinforce rubles"}, "has": {"reinforce die", "reinforce free"}},
        ),
        ("reinforce die", {HELD: [["die"], ["rubles"]], "supply": {"brick": 20}, "has": {"reinforce die"}}),
    ),
    case(
        "r79_none_left",
        {"guild": "brickmakers:1"},
        hand(brick=2) | {"reinforcements": []},
        ("move red", {"lacks": {"guild 1"}}),
    ),
    case(
        "r60_a_delivery_is_judged_with_the_brick_paid",
        {"guild": "brickmakers:1"},
        hand(brick=1) | {"sections": {"1.1": {"owner": 0}}},
        ("move red", {"lacks": {"guild 2"}}),
    ),
    case(
        "r79_a_delivery_for_a_brick",
        {"guild": "brickmakers:1"},
        hand(brick=2) | {"sections": {"1.1": {"owner": 0}}},
        ("move red", {"has": {"guild 1", "guild 2"}}),
        ("guild 2", {"sections": {"1.1": {"delivered": {"brick": 1}}}, "materials": [{}, {}]}),
    ),
    case(
        "r79_rubles_for_a_brick",
        {"guild": "brickmakers:2"},
        hand(brick=1),
        ("move red", {}),
        ("guild 2", {"rubles": [5, 4]}),
    ),
    case(
        "r79_recognition_for_bricks",
        {"guild": "brickmakers:3"},
        hand(brick=2),
        ("move red", {}),
        ("guild 2", {"track": [3, 2], "has": {"guild 2"}, "lacks": {"guild 1"}}),
    ),
    case(
        "r80_one_a_turn",
        {"guild": "brickmakers:1"},
        {HELD: [["rubles", "recognition"], []]},
        ("", {"has": {"reinforce rubles", "reinforce recognition"}}),
        (
            "reinforce rubles",
            {"rubles": [8, 4], "point": "start", HELD: [["recognition"], []], "lacks": {"reinforce recognition"}},
        ),
        ("move red", {"lacks": {"reinforce recognition"}}),
    ),
    case(
        "r80_only_with_an_effect",
        {"guild": "brickmakers:1"},
        hand(gold=6)
        | {HELD: [["workshop", "deliver", "materials", "die", "guild", "free"], []], "market": ["lumber:2"] * 8},
        (
            "",
            {
                "lacks": {
                    "reinforce workshop",
                    "reinforce deliver",
                    "reinforce materials",
                    "reinforce die",
                    "reinforce free",
                }
            },
        ),
    ),
    case(
        "r80_two_materials_the_second_may_be_refused",
        {"guild": "brickmakers:1"},
        {HELD: [["materials"], []]},
        ("reinforce materials", {"point": "take", "legal": gains(*SIX)}),
        ("gain gold", {"point": "take", "legal": gains(*SIX, more="take 0")}),
        ("take 0", {"point": "start", "materials": [{"gold": 1}, {}]}),
    ),
    case(
        "r80_a_guild_action_once_though_unlimited",
        {"guild": "brickmakers:1"},
        hand(lumber=2) | {HELD: [["guild"], []], "rubles": [0, 4]},
        ("reinforce guild", {"point": "influence", "legal": {"guild 1 1", "guild 3 1"}}),
        ("guild 1 1", {"point": "start", "rubles": [1, 4], "materials": [{"lumber": 1}, {}]}),
    ),
    case(
        "r80_a_workshop_tile",
        {"guild": "brickmakers:1"},
        RED_TWO | {HELD: [["workshop"], []]},
        ("reinforce workshop", {"point": "tile", "legal": {"workshop red", "workshop blue"}}),
        ("workshop red", {"point": "start", "rubles": [5, 4]}),
    ),
    case(
        "r64_the_space_of_a_die",
        {"guild": "brickmakers:1"},
        {HELD: [["die"], []], "dice": {"red": (6, 1), "white": (6, 1)}},
        ("reinforce die", {"point": "resource", "legal": {f"resource {space}" for space in (2, 3, 4, 6)}}),
        ("resource 6", {"rubles": [5, 4], "point": "start"}),
    ),
    case(
        "r61_at_least_one_is_taken_after_resource",
        {"guild": "brickmakers:1"},
        {HELD: [["die"], []]},
        ("reinforce die", {}),
        ("resource 2", {"point": "take", "legal": {"take 1", "take 2"}}),
    ),
    case(
        "r80_free_placement_at_place_only",
        {"guild": "brickmakers:1"},
        {HELD: [["free"], []], "rubles": [0, 4]},
        ("", {"lacks": {"reinforce free"}}),
        ("claim 2 from spare", {"has": {"reinforce free"}, "lacks": {"place red up"}}),
        ("reinforce free", {"has": {"place red up", "place white1 up", "place red down"}, "lacks": {"reinforce free"}}),
        ("place white1 up", {"rubles": [0, 4], "workshops": [up(white1="die:green"), {}]}),
    ),
    case(
        "r80_a_free_placement_counts_as_paid",
        {"guild": "brickmakers:1", "workshop": "advanced"},
        {HELD: [["free"], []], "rubles": [0, 4]},
        ("claim 4 from white1", {}),
        ("reinforce free", {}),
        ("place red up", {"crosses": [1, 0], "rubles": [0, 4]}),
    ),
    case(
        "r80_free_for_the_special_tile_too",
        {"guild": "brickmakers:1", "special": ("diamond", "die")},
        {HELD: [["free"], []], "rubles": [0, 4]},
        ("claim 2 from spare", {"lacks": {"place special red"}}),
        ("reinforce free", {"has": {"place special red"}}),
        ("place special red", {"rubles": [0, 4], "materials": [{"diamond": 1}, {}]}),
    ),
    case(
        "r80_the_section_just_claimed_may_receive",
        {"guild": "brickmakers:1"},
        hand(lumber=1) | {HELD: [["deliver"], []]},
        ("", {"lacks": {"reinforce deliver"}}),
        ("claim 1 from spare", {"has": {"reinforce deliver"}}),
        (
            "reinforce deliver",
            {"point": "place", "sections": {"1.1": {"delivered": {"lumber": 1}, "tile": "die:red"}}},
        ),
    ),
    case(
        "r80_done_where_the_last_delivery_was_taken_away",
        {"guild": "brickmakers:1"},
        hand(lumber=1) | TO_TEAMSTERS | {HELD: [["deliver"], []], "sections": {"1.1": {"owner": 0}}, "track": [9, 2]},
        ("move red", {"has": {"guild 1"}}),
        ("guild 1", {"point": "build", "legal": {"deliver lumber to 1.1"}, "has": {"reinforce deliver"}}),
        ("reinforce deliver", {"point": "build"}),
        ("deliver lumber to 1.1", {"point": "build", "legal": {"done"}, "rubles": [2, 4]}),
        ("done", {"point": "market"}),
    ),
    case(
        "r80_it_closes_no_unlimited_action",
        {"guild": "brickmakers:3"},
        hand(brick=2) | {HELD: [["rubles"], []]},
        ("move red", {}),
        ("guild 2", {"has": {"guild 2"}}),
        ("reinforce rubles", {"has": {"guild 2"}, "lacks": {"guild 1"}}),
    ),
    case(
        "r80_at_start_it_begins_no_main_action",
        {"guild": "brickmakers:1"},
        hand(lumber=2) | {HELD: [["deliver"], []], "sections": {"1.1": {"owner": 0}}, "track": [9, 2]},
        ("reinforce deliver", {"point": "build"}),
        (
            "deliver lumber to 1.1",
            {"point": "start", "has": {"move red", "claim 2 from spare", "deliver lumber to 1.1"}},
        ),
    ),
]
