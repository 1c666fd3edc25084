"""Cases of archivists, contracts and master builders (R-75 to R-78)."""

from . import case, gains, hand, up

DRAW = {"guild": "archivists:1"}
SCORE = {"guild": "archivists:1", "turn_limit": 1}  # the game ends after one turn, `move red` and `done`


def scored(name, contracts, position, prestige, *, goods=None, **variant):
    """Return a case that ends with a final count with these contracts in hand."""
    expected = {"contracts": prestige} | ({} if goods is None else {"goods": goods})
    return case(
        f"r77_{name}",
        SCORE | variant,
        {"contracts": [contracts, []], "rubles": [0, 0]} | position,
        ("move red", {}),
        ("done", {"result": [expected, {}]}),
    )


def sections(**owners):
    """Return sections by name, `s11` for 1.1: of a seat, or finished (`0.`), with an ornament (`0.1` of seat 1)."""
    found = {}
    for key, value in owners.items():
        words = str(value).partition(".")
        entry = {"owner": int(words[0]), "done": bool(words[1])}
        found[f"{key[1]}.{key[2]}"] = entry | ({"ornament_owner": int(words[2])} if words[2] else {})
    return {"sections": found}


ARCHIVISTS = [
    case(
        "r76_three_are_drawn_from_the_top",
        DRAW,
        {},
        ("move red", {"has": {"guild 1"}}),
        (
            "guild 1",
            {
                "point": "keep",
                "legal": {"contract 1", "contract 2", "contract 3"},
                "rubles": [1, 4],
                "drawn_contracts": [1, 2, 3],
                "contract_deck": list(range(4, 16)),
                "contracts": [[], []],
            },
        ),
        ("contract 2", {"contracts": [[2], []], "contract_deck": [*range(4, 16), 1, 3], "point": "market"}),
    ),
    case(
        "r76_who_holds_four_returns_one_below_the_two",
        DRAW,
        {"contracts": [[13, 14, 15], []]},
        ("move red", {}),
        ("guild 1", {}),
        (
            "contract 1",
            {
                "point": "return",
                "legal": {f"contract {n}" for n in (1, 13, 14, 15)},
                "contracts": [[1, 13, 14, 15], []],
            },
        ),
        ("contract 14", {"contracts": [[1, 13, 15], []], "contract_deck": [*range(4, 13), 2, 3, 14]}),
    ),
    case(
        "r76_the_new_one_may_be_returned",
        DRAW,
        {"contracts": [[13, 14, 15], []]},
        ("move red", {}),
        ("guild 1", {}),
        ("contract 3", {"has": {"contract 3"}}),
        ("contract 3", {"contracts": [[13, 14, 15], []], "contract_deck": [*range(4, 13), 1, 2, 3]}),
    ),
    case(
        "r75_a_space_times_its_dice",
        DRAW,
        {"dice": {"green": (2, 4)}},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"point": "resource", "legal": {f"resource {s}" for s in (0, 2, 3, 5)}, "track": [1, 2]}),
        ("resource 2", {"point": "take", "legal": {f"take {n}" for n in range(1, 5)}}),
    ),
    case(
        "r60_recognition_is_paid_in_spaces",
        DRAW,
        {"track": [0, 2]},
        ("move red", {"has": {"guild 1"}, "lacks": {"guild 2"}}),
    ),
    case(
        "r75_an_action_of_the_other_three_guilds",
        {"guild": "archivists:2"},
        hand(lumber=1, brick=1),
        ("move red", {}),
        ("guild 2", {"point": "influence", "legal": {"guild 1 1", "guild 1 2"}, "track": [1, 2]}),
        ("guild 1 1", {"point": "pay"}),
        ("pay brick", {"point": "market", "rubles": [4, 4], "lacks": {"guild 1", "guild 2"}}),
    ),
    case(
        "r75_a_tile_once",
        {"guild": "archivists:3"},
        {"dice": {"green": (2, 4)}},
        ("move red", {}),
        ("guild 2", {"point": "resource", "legal": {f"resource {s}" for s in range(8)}}),
        ("resource 7", {"track": [2, 2], "point": "market"}),
    ),
]

CONTRACTS = [
    scored("1_lumber_is_returned", [1], hand(lumber=2) | {"rubles": [3, 0]}, 2, goods=0),
    scored("1_no_lumber_no_return", [1], hand(lumber=1, brick=4), 0, goods=1),
    scored("2_three_sections_in_a_tower", [2], sections(s11="0.", s12=0, s13=0), 3),
    scored("2_two_are_not_three", [2], sections(s11="0.", s12=0, s21=0), 0),
    scored(
        "3_six_tiles_face_up",
        [3],
        {
            "workshops": [
                up(
                    red="special:die",
                    blue="brick:1",
                    yellow="brick:1",
                    green="brick:1",
                    white1="stone:1",
                    white2="stone:1",
                ),
                {},
            ]
        },
        3,
        special=("die", "guild"),
    ),
    scored("5_towers_without_presence", [5], sections(s11=0, s21="1.0"), 8),
    scored("5_all_four_towers", [5], {}, 16),
    scored("6_ornaments_not_built", [6], {"doors": [0, 1]} | sections(s11="0.0"), 6),
    scored("6_still_on_their_slots", [6], {}, 8, workshop="advanced"),
    scored("7_rubles_are_returned", [7], {"rubles": [6, 0]} | hand(lumber=3), 2, goods=1),
    scored("8_a_section_of_each_type", [8], sections(s11="0.", s22="0.", s33="0."), 2),
    scored("8_finished_ones_only", [8], sections(s11="0.", s22="0.", s33=0), 0),
    scored("9_ornaments_on_others_sections", [9], sections(s11="1.0", s12="1.0", s21="0.0"), 2),
    scored("10_all_ornaments", [10], sections(s11="1.0", s12="1.0", s22="0.0", s13="0.0"), 2),
    scored("10_three_are_not_all", [10], sections(s11="1.0", s12="1.0", s22="0.0"), 0),
    scored("12_three_in_a_tower", [12], sections(s11="1.0", s12="1.0", s13="0.0"), 3),
    scored("13_ornaments_on_own_sections", [13], sections(s11="1.0", s12="0.0", s13="0.0"), 2),
    scored(
        "14_the_green_jewel_first",
        [14],
        hand(green_gem=1, purple_gem=1, gold=1, brick=2) | {"rubles": [2, 0]},
        3,
        goods=1,
    ),
    scored("15_towers_with_presence", [15], sections(s11=0, s21="1.0", s31="1."), 4),
    scored("two_are_returned", [1, 11], hand(lumber=2, brick=2, gold=1) | {"rubles": [4, 0]}, 4, goods=1),
    scored("a_diamond_stands_in", [1], hand(lumber=1, diamond=1), 2, special=("die", "guild")),
    scored(
        "a_diamond_goes_where_it_is_worth_most", [1, 14], hand(lumber=1, gold=1, diamond=1), 3, special=("die", "guild")
    ),
    scored("diamonds_for_all", [1, 14], hand(lumber=1, gold=1, diamond=2), 5, special=("die", "guild")),
    case(
        "r77_values_with_three_players",
        SCORE | {"players": 3},
        {"contracts": [[5, 15], [], []]} | sections(s11=0, s21="1.0"),
        ("move red", {}),
        ("done", {"result": [{"contracts": 2 * 3 + 2}, {}, {}]}),
    ),
    case(
        "r77_values_in_the_solo_game",
        SCORE | {"players": 1},
        {"contracts": [[9, 15], []]} | sections(s11="1.0"),
        ("move red", {}),
        ("done", {"result": [{"contracts": 1 + 2}, {"contracts": 0}]}),
    ),
]

UNUSED = (
    [f"base/{n}" for n in range(5, 11)] + [f"middle/{n}" for n in range(5, 21)] + [f"dome/{n}" for n in range(5, 11)]
)
ONE, TWO, HALF = ({"guild": f"master_builders:{n}"} for n in (1, 2, 3))

MASTER_BUILDERS = [
    case(
        "r78_two_of_the_materials_of_a_card",
        ONE,
        {},
        ("move red", {}),
        (
            "guild 1",
            {
                "point": "take",
                "legal": gains("lumber", "brick", more="take 0"),
                "drawn_cards": ["middle/12"],
                "card_discard": [],
                "rubles": [1, 4],
            },
            [{"cards": ["middle/12"]}],
        ),
        ("gain lumber", {"legal": gains("lumber", "brick", more="take 0")}),
        ("gain lumber", {"point": "market", "card_discard": ["middle/12"], "materials": [{"lumber": 2}, {}]}),
    ),
    case(
        "r78_each_printed_piece_once",
        ONE,
        {},
        ("move red", {}),
        ("guild 1", {}, [{"cards": ["middle/5"]}]),
        ("gain gold", {"legal": gains("brick", more="take 0")}),
        ("take 0", {"materials": [{"gold": 1}, {}], "card_discard": ["middle/5"]}),
    ),
    case(
        "r78_two_cards",
        TWO,
        {},
        ("move red", {}),
        (
            "guild 1",
            {"point": "card", "legal": {"card 1", "card 2"}, "drawn_cards": ["middle/5", "dome/9"], "rubles": [0, 4]},
            [{"cards": ["middle/5", "dome/9"]}],
        ),
        ("card 1", {"point": "take", "legal": gains("brick", "gold", more="take 0")}),
        ("gain brick", {}),
        (
            "gain brick",
            {"legal": gains("lumber", "brick", "gold", "purple_gem", "rubles", "recognition", more="take 0")},
        ),
        ("gain recognition", {"track": [3, 2], "card_discard": ["middle/5", "dome/9"], "point": "market"}),
    ),
    case(
        "r78_refused_materials_leave_the_resource",
        TWO,
        {},
        ("move red", {}),
        ("guild 1", {}, [{"cards": ["middle/5", "dome/5"]}]),
        ("card 1", {}),
        ("take 0", {"legal": gains("lumber", "gold", "recognition", more="take 0")}),
        ("take 0", {"materials": [{}, {}], "track": [2, 2], "card_discard": ["middle/5", "dome/5"]}),
    ),
    case(
        "r78_room_is_needed",
        TWO,
        hand(lumber=6) | {"workshops": [up(red="rubles:2"), {}]},
        ("move red", {"lacks": {"guild 1"}}),
    ),
    case(
        "r78_discards_become_the_deck_when_a_card_must_be_drawn",
        TWO,
        {"card_discard": [card for card in UNUSED if card != "dome/9"]},
        ("move red", {"has": {"guild 1"}}),
        ("guild 1", {"card_discard": []}, [{"cards": ["dome/9", "middle/5"]}]),
    ),
    case(
        "r78_not_earlier",
        ONE,
        {"card_discard": [card for card in UNUSED if card != "dome/9"]},
        ("move red", {}),
        ("guild 1", {}, [{"cards": ["dome/9"]}]),
        ("take 0", {"card_discard": [*(card for card in UNUSED if card != "dome/9"), "dome/9"]}),
    ),
    case(
        "r78_rubles_of_a_section_under_construction",
        ONE,
        {
            "sections": {
                "1.1": {"owner": 0},
                "1.2": {"owner": 0},
                "2.1": {"owner": 0, "done": True},
                "3.1": {"owner": 1},
            }
        },
        ("move red", {}),
        ("guild 2", {"point": "section", "legal": {"section 1.1", "section 1.2"}, "track": [1, 2]}),
        ("section 1.2", {"rubles": [5, 4], "sections": {"1.2": {"done": False}}}),
    ),
    case(
        "r78_only_with_something_to_gain",
        ONE,
        {"sections": {"4.2": {"owner": 0}}, "workshops": [up(red="rubles:2"), {}]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
    case(
        "r78_half_the_recognition_rounded_down",
        HALF,
        {"sections": {"1.1": {"owner": 0}, "4.2": {"owner": 0}}},
        ("move red", {}),
        ("guild 2", {"point": "section", "rubles": [2, 4]}),
        ("section 1.1", {"track": [3, 2]}),
    ),
]

CASES = [*ARCHIVISTS, *CONTRACTS, *MASTER_BUILDERS]
