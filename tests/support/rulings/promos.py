"""Cases of special tiles and thieves (R-65, R-84, R-85)."""

from . import SIX, case, down, gains, up

ALL_FOUR = {f"special {name}" for name in ("diamond", "material", "die", "guild")}
GUILD, DIE = {"special": ("guild", "die")}, {"special": ("die", "guild")}
TWO_TILES = up(red="rubles:2") | down(blue="lumber:1")


def hand(**materials):
    return {"materials": [materials, {}]}


SPECIAL = [
    case(
        "r84_chosen_from_the_last_seat_to_the_first",
        {"players": 3, "special": ()},
        {},
        ("", {"seat": 2, "point": "special", "turn": 0, "legal": ALL_FOUR, "special": [None, None, None]}),
        ("special guild", {"seat": 1, "legal": ALL_FOUR - {"special guild"}, "special": [None, None, "guild"]}),
        ("special die", {"seat": 0, "legal": {"special diamond", "special material"}}),
        ("special material", {"seat": 0, "point": "start", "turn": 1, "special": ["material", "die", "guild"]}),
    ),
    case(
        "r84_the_last_of_four_falls_to_seat_0",
        {"players": 4, "special": ()},
        {},
        ("special guild", {}),
        ("special die", {}),
        ("special material", {"point": "start", "turn": 1, "special": ["diamond", "material", "die", "guild"]}),
    ),
    case(
        "r84_solo_only_the_player",
        {"players": 1, "special": ()},
        {},
        ("", {"seat": 0, "legal": ALL_FOUR, "turn": 0}),
        ("special die", {"special": ["die", None], "turn": 1}),
    ),
    case(
        "r84_a_ruble_for_each_empty_slot",
        {"special": ("material", "die")},
        {"workshops": [TWO_TILES, {}], "rubles": [4, 4]},
        (
            "claim 2 from spare",
            {"has": {"place special green", "place special white2"}, "lacks": {"place special red"}},
        ),
        (
            "place special green",
            {
                "point": "take",
                "legal": gains(*SIX, more="take 0"),
                "rubles": [1, 4],
                "special": [None, "die"],
                "sections": {"2.1": {"tile": None}},
                "workshops": [TWO_TILES | up(green="special:material"), {}],
            },
        ),
        ("take 0", {"materials": [{}, {}]}),
    ),
    case(
        "r84_six_rubles_with_six_empty_slots",
        {"special": ("diamond", "die")},
        {"rubles": [6, 4]},
        ("claim 2 from spare", {"has": {"place special red", "place special white1"}}),
        (
            "place special white1",
            {"rubles": [0, 4], "materials": [{"diamond": 1}, {}], "special": [None, "die"], "seat": 1},
        ),
    ),
    case(
        "r84_not_for_five",
        {"special": ("diamond", "die")},
        {"rubles": [5, 4]},
        ("claim 2 from spare", {"has": {"place red up"}, "lacks": {"place special red", "place special white1"}}),
    ),
    case(
        "r84_two_rubles_with_two_empty_slots",
        {"special": ("diamond", "die")},
        {"workshops": [TWO_TILES | down(yellow="brick:1", white2="stone:1"), {}], "rubles": [2, 4]},
        (
            "claim 2 from spare",
            {"has": {"place special green", "place special white1"}, "lacks": {"place special white2"}},
        ),
        ("place special green", {"rubles": [0, 4], "materials": [{"diamond": 1}, {}], "special": [None, "die"]}),
    ),
    case(
        "r84_too_few_rubles",
        {"special": ("material", "die")},
        {"workshops": [TWO_TILES, {}], "rubles": [3, 4]},
        ("claim 2 from spare", {"has": {"place green up"}, "lacks": {"place special green"}}),
    ),
    case(
        "r84_covered_white_slots_are_not_empty",
        {"special": ("diamond", "die"), "workshop": "advanced"},
        {"rubles": [4, 4]},
        ("claim 2 from inventory", {"has": {"place special red"}, "lacks": {"place special white1"}}),
        ("place special red", {"rubles": [0, 4], "crosses": [1, 0], "materials": [{"diamond": 1}, {}]}),
    ),
    case(
        "r84_the_material_may_always_be_refused",
        {"special": ("material", "die")},
        {"workshops": [up(red="special:material"), {}]},
        ("move red", {"has": {"workshop red"}}),
        ("workshop red", {"rubles": [4, 4], "legal": gains(*SIX, more="take 0")}),
        ("take 0", {"point": "market", "lacks": {"workshop red"}}),
    ),
    case(
        "r84_the_ruble_is_an_effect",
        {"special": ("material", "die")},
        {"workshops": [up(red="special:material"), {}]} | hand(gold=6),
        ("move red", {"has": {"workshop red"}}),
        ("workshop red", {"rubles": [4, 4]}),
    ),
    case(
        "r84_a_diamond",
        {"special": ("diamond", "die")},
        {"workshops": [up(red="special:diamond"), {}]},
        ("move red", {}),
        ("workshop red", {"materials": [{"diamond": 1}, {}], "point": "market", "supply": {"diamond": 14}}),
    ),
    case(
        "r84_no_diamond_without_room",
        {"special": ("diamond", "die")},
        {"workshops": [up(red="special:diamond"), {}]} | hand(gold=6),
        ("move red", {"lacks": {"workshop red"}}),
    ),
    case(
        "r84_the_die_tile_activated",
        DIE,
        {"workshops": [up(red="special:die"), {}], "dice": {"white": (6, 5)}},
        ("move red", {}),
        ("workshop red", {"point": "resource", "legal": {f"resource {s}" for s in (0, 2, 3, 4, 6)}}),
        ("resource 2", {"legal": {"take 1", "take 2"}}),
    ),
    case(
        "r84_the_die_tile_just_placed_may_be_refused",
        DIE,
        {"rubles": [6, 4]},
        ("claim 2 from spare", {}),
        ("place special red", {"point": "resource", "legal": {f"resource {s}" for s in (2, 3, 4, 5, 7)} | {"done"}}),
        ("resource 2", {"point": "take", "legal": {"take 1", "take 2"}}),
    ),
    case(
        "r84_the_guild_tile_is_a_visit",
        GUILD,
        {"workshops": [up(red="special:guild"), {}]} | hand(lumber=2),
        ("move red", {"has": {"workshop red"}}),
        (
            "workshop red",
            {"point": "influence", "legal": {"guild 0 1", "guild 1 1", "guild 1 2", "guild 3 1"}},
        ),
        ("guild 1 1", {"point": "influence", "legal": {"guild 1 1", "done"}, "rubles": [4, 4]}),
        ("guild 1 1", {"point": "market", "rubles": [5, 4], "materials": [{}, {}]}),
    ),
    case(
        "r84_an_action_of_the_guild_tile_once",
        GUILD | {"guild": "managers:1"},
        {"workshops": [up(red="special:guild"), {}], "track": [9, 2]} | hand(lumber=2),
        ("move red", {}),
        ("workshop red", {"has": {"guild 0 1", "guild 0 2"}}),
        ("guild 0 1", {"point": "gain"}),
        ("gain stone", {"point": "market", "lacks": {"workshop red"}}),
    ),
    case(
        "r84_an_unlimited_action_of_the_guild_tile",
        GUILD | {"guild": "managers:1"},
        {"workshops": [up(red="special:guild"), {}]} | hand(lumber=2),
        ("move red", {}),
        ("workshop red", {}),
        ("guild 0 2", {"point": "influence", "legal": {"guild 0 2", "done"}, "track": [3, 2]}),
        ("done", {"point": "market", "has": {"guild 1", "guild 2"}}),
    ),
    case(
        "r84_the_guild_tile_just_placed_may_be_refused",
        GUILD,
        {"rubles": [6, 4], "track": [9, 2]},
        ("claim 2 from spare", {}),
        ("place special red", {"point": "influence", "legal": {"guild 0 1", "done"}, "rubles": [0, 4]}),
        ("done", {"point": "end", "track": [9, 2]}),
    ),
    case(
        "r84_a_tile_without_effect_may_be_placed",
        {"special": ("die", "guild"), "guild": "clergy:1"},
        {"rubles": [6, 4], "track": [9, 2], "market": ["lumber:2"] * 8} | hand(gold=6),
        ("claim 2 from spare", {}),
        ("place special red", {"point": "end", "rubles": [0, 4]}),
    ),
    case(
        "r63_the_guild_action_of_the_visit_is_not_used_up",
        GUILD,
        {"workshops": [up(red="special:guild"), {}], "rubles": [0, 4]},
        ("move red", {"has": {"guild 1", "workshop red"}}),
        ("workshop red", {"track": [3, 2], "has": {"guild 1"}}),
    ),
    case(
        "r65_the_guild_tile_is_not_activated_inside_itself",
        GUILD | {"guild": "artisans:1"},
        {"workshops": [up(red="special:guild", blue="lumber:1", green="stone:1"), {}], "rubles": [0, 4]},
        ("move red", {"has": {"guild 1", "workshop red"}}),
        ("workshop red", {"point": "tile", "legal": {"workshop blue", "workshop green"}}),
    ),
    case(
        "r65_judged_without_itself",
        GUILD | {"guild": "artisans:1"},
        {"workshops": [up(red="special:guild"), {}], "rubles": [0, 4]},
        ("move red", {"lacks": {"guild 1", "workshop red"}}),
    ),
    case(
        "r65_a_borrowed_guild_tile",
        {"special": ("die", "guild"), "guild": "artisans:1"},
        {"workshops": [up(red="rubles:2"), up(red="special:guild")], "rubles": [1, 4]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"point": "market", "rubles": [2, 4]}),
    ),
]

THIEVES = [
    case(
        "r85_the_space_of_any_die",
        {"guild": "thieves:1"},
        {},
        ("move red", {}),
        ("guild 1", {"point": "resource", "legal": {f"resource {s}" for s in (0, 2, 3, 4, 5)}, "rubles": [2, 4]}),
    ),
    case(
        "r85_exchange_needs_another_kind",
        {"guild": "thieves:1"},
        {"materials": [{"lumber": 1, "gold": 1}, {"lumber": 2}]},
        ("move red", {"has": {"guild 2"}}),
        ("guild 2", {"materials": [{"lumber": 2}, {"lumber": 1, "gold": 1}], "point": "market"}),
    ),
    case(
        "r85_no_exchange_of_equal_kinds",
        {"guild": "thieves:1"},
        {"materials": [{"lumber": 1}, {"lumber": 2}]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
    case(
        "r85_the_order_of_an_exchange",
        {"guild": "thieves:1", "players": 3},
        {"materials": [{"lumber": 1, "gold": 1}, {"brick": 1, "stone": 1}, {"lumber": 1, "green_gem": 1}]},
        ("move red", {}),
        ("guild 2", {"point": "pay", "legal": {"pay lumber", "pay gold"}}),
        ("pay gold", {"point": "player", "legal": {"player blue", "player yellow"}}),
        (
            "player blue",
            {
                "point": "gain",
                "legal": gains("brick", "stone"),
                "materials": [{"lumber": 1, "gold": 1}, {"brick": 1, "stone": 1}, {"lumber": 1, "green_gem": 1}],
            },
        ),
        (
            "gain stone",
            {"materials": [{"lumber": 1, "stone": 1}, {"brick": 1, "gold": 1}, {"lumber": 1, "green_gem": 1}]},
        ),
    ),
    case(
        "r85_a_diamond_is_a_kind_like_the_others",
        {"guild": "thieves:1", "special": ("die", "guild")},
        {"materials": [{"lumber": 1}, {"diamond": 1}]},
        ("move red", {}),
        ("guild 2", {"materials": [{"diamond": 1}, {"lumber": 1}]}),
    ),
    case(
        "r85_a_diamond_stands_for_nothing_in_an_exchange",
        {"guild": "thieves:1", "special": ("die", "guild")},
        {"materials": [{"diamond": 1}, {"diamond": 1}]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
    case(
        "r85_three_rubles_for_a_prestige",
        {"guild": "thieves:2", "players": 4},
        {"track": [2, 9, 5, 14]},
        ("move red", {}),
        ("guild 1", {"point": "player", "legal": {"player blue", "player green"}, "rubles": [3, 4, 4, 5]}),
        ("player green", {"track": [5, 9, 5, 13], "rubles": [0, 4, 4, 8]}),
    ),
    case(
        "r85_nobody_can_lose_prestige",
        {"guild": "thieves:2"},
        {"track": [2, 5]},
        ("move red", {"lacks": {"guild 1"}}),
    ),
    case(
        "r62_rubles_for_ivan_are_gone",
        {"guild": "thieves:2", "players": 1},
        {"track": [2, 9]},
        ("move red", {}),
        ("guild 1", {"track": [5, 5], "rubles": [0, 0]}),
    ),
    case(
        "r85_false_plans",
        {"guild": "thieves:2"},
        {"workshops": [up(red="die:red") | down(blue="brick:1"), {}]},
        ("move red", {}),
        ("guild 2", {"point": "tile", "legal": {"workshop red", "workshop blue"}}),
        ("workshop red", {"point": "section", "lacks": {"section 1.1"}, "has": {"section 1.2", "section 2.3"}}),
        (
            "section 2.3",
            {
                "workshops": [up(red="lumber:1") | down(blue="brick:1"), {}],
                "sections": {"2.3": {"tile": "die:red"}},
                "materials": [{}, {}],
            },
        ),
    ),
    case(
        "r85_a_face_down_tile_stays_face_down",
        {"guild": "thieves:2"},
        {"workshops": [down(blue="brick:1"), {}]},
        ("move red", {}),
        ("guild 2", {"point": "section", "lacks": {"section 3.1"}}),
        ("section 1.1", {"workshops": [down(blue="die:red"), {}], "sections": {"1.1": {"tile": "brick:1"}}}),
    ),
    case(
        "r85_no_special_tile_is_given",
        {"guild": "thieves:2", "special": ("die", "guild")},
        {"workshops": [up(blue="special:die"), {}], "rubles": [0, 4]},
        ("move red", {"lacks": {"guild 2"}}),
    ),
]

CASES = [*SPECIAL, *THIEVES]
