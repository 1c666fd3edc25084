"""Cases of the effects of specialists (R-52)."""

from . import SIX, case, down, gains, up

MODULE = {"contractors": True}


def hand(**materials):
    return {"materials": [materials, {}]}


def specialist(number, **position):
    """Return a position with this specialist in hand, in which the black die moves alone to space 0."""
    return {"dice": {"black": (7, 1), "red": (1, 5)}, "specialist": [number, None]} | position


CASES = [
    case(
        "r52_in_place_of_the_workshop_tile",
        MODULE,
        specialist(8, workshops=[up(red="rubles:2", white1="rubles:2"), {}]),
        ("move black", {"legal": {"obtain", "specialist", "guild 1", "done"}}),
        ("specialist", {"specialist": [None, None], "tools": [[8], []], "rubles": [8, 4], "lacks": {"specialist"}}),
    ),
    case(
        "r52_after_the_black_die_only",
        MODULE,
        {"specialist": [8, None], "workshops": [up(red="rubles:2"), {}]},
        ("move red", {"lacks": {"specialist"}, "has": {"workshop red"}}),
    ),
    case(
        "r52a_gain_as_a_market_tile_once",
        MODULE,
        specialist(1) | {"dice": {"black": (7, 1), "red": (0, 5)}},
        ("move black", {}),
        ("specialist", {"point": "take", "legal": {"take 1", "take 2", "take 3"}, "tools": [[1], []]}),
        ("take 3", {"materials": [{"lumber": 3}, {}]}),
    ),
    case("r52a_recognition", MODULE, specialist(18), ("move black", {}), ("specialist", {"track": [6, 2]})),
    case(
        "r52a_permits",
        MODULE,
        specialist(4, permits=[5, 1]),
        ("move black", {}),
        ("specialist", {"permits": [6, 1], "supply": {"permits": 17}}),
    ),
    case(
        "r52a_no_effect_at_six_permits",
        MODULE,
        specialist(4, permits=[6, 1]),
        ("move black", {"lacks": {"specialist"}}),
    ),
    case(
        "r52b_gold_for_prestige",
        MODULE,
        specialist(2) | hand(gold=1),
        ("move black", {}),
        ("specialist", {"track": [9, 2], "materials": [{}, {}], "supply": {"gold": 15}}),
    ),
    case("r52b_not_without_it", MODULE, specialist(2) | hand(stone=1), ("move black", {"lacks": {"specialist"}})),
    case(
        "r52b_a_diamond_instead",
        MODULE | {"guild": "jewelers:1"},
        specialist(10) | hand(diamond=1),
        ("move black", {}),
        ("specialist", {"track": [5, 2], "materials": [{}, {}]}),
    ),
    case(
        "r52c_two_activations_the_same_or_different",
        MODULE,
        specialist(3, workshops=[up(red="rubles:2", blue="permits:1") | down(green="lumber:1"), {}]),
        ("move black", {}),
        ("specialist", {"point": "tile", "legal": {"workshop red", "workshop blue"}}),
        ("workshop red", {"rubles": [5, 4], "point": "tile", "legal": {"workshop red", "workshop blue", "done"}}),
        ("workshop red", {"rubles": [7, 4], "point": "market"}),
    ),
    case(
        "r52d_an_available_ornament_leaves_the_game",
        MODULE,
        specialist(20, arches=[0, 2]),
        ("move black", {}),
        ("specialist", {"point": "discard", "legal": {"discard door", "discard cross"}}),
        ("discard door", {"doors": [0, 1], "crosses": [1, 1], "track": [13, 2]}),
    ),
    case(
        "r52d_none_that_is_still_on_its_slot",
        MODULE | {"workshop": "advanced"},
        specialist(20),
        ("move black", {"lacks": {"specialist"}}),
    ),
    case(
        "r52e_rubles_for_recognition",
        MODULE,
        specialist(22),
        ("move black", {}),
        ("specialist", {"point": "spend", "legal": {"spend 1", "spend 2", "spend 3"}}),
        ("spend 2", {"rubles": [1, 4], "track": [4, 2]}),
    ),
    case(
        "r52e_five_at_most",
        MODULE,
        specialist(22, rubles=[9, 4]),
        ("move black", {}),
        ("specialist", {"lacks": {"spend 6"}, "has": {"spend 5"}}),
    ),
    case("r52e_not_without_rubles", MODULE, specialist(22, rubles=[0, 4]), ("move black", {"lacks": {"specialist"}})),
    case(
        "r52f_a_delivery_and_then_a_material",
        MODULE,
        specialist(7, sections={"1.1": {"owner": 0}}) | hand(lumber=2),
        ("move black", {}),
        ("specialist", {"point": "both", "legal": gains(*SIX) | {"deliver lumber to 1.1"}}),
        (
            "deliver lumber to 1.1",
            {"point": "both", "legal": gains(*SIX, more="done"), "materials": [{"lumber": 1}, {}]},
        ),
        ("gain gold", {"point": "market", "materials": [{"lumber": 1, "gold": 1}, {}]}),
    ),
    case(
        "r52f_a_material_and_then_its_delivery",
        MODULE,
        specialist(7, sections={"1.1": {"owner": 0}}),
        ("move black", {}),
        ("specialist", {"point": "both", "legal": gains(*SIX)}),
        ("gain brick", {"point": "both", "legal": {"deliver brick to 1.1", "done"}}),
        ("done", {"point": "market", "materials": [{"brick": 1}, {}]}),
    ),
    case(
        "r52f_an_ornament_takes_no_gem",
        MODULE,
        specialist(7, sections={"1.1": {"owner": 1, "done": True}}) | hand(lumber=1, green_gem=1),
        ("move black", {}),
        ("specialist", {"has": {"adorn 1.1"}}),
        (
            "adorn 1.1",
            {"point": "both", "materials": [{"green_gem": 1}, {}], "track": [2, 2], "legal": gains(*SIX, more="done")},
        ),
    ),
    case(
        "r52g_a_tile_of_the_market_once",
        MODULE,
        specialist(11, permits=[6, 1]) | hand(gold=6),
        ("move black", {}),
        ("specialist", {"rubles": [5, 4], "tools": [[11], []]}),
    ),
    case(
        "r52g_whatever_dice_stand_there",
        MODULE,
        specialist(23) | {"dice": {"black": (7, 1), "red": (1, 5), "green": (2, 4)}},
        ("move black", {}),
        ("specialist", {"point": "resource", "legal": {f"resource {s}" for s in range(8)}}),
        ("resource 2", {"legal": {"take 1", "take 2"}}),
    ),
    case(
        "r52h_a_whole_claim_then_the_market_goes_on",
        MODULE,
        specialist(24),
        ("move black", {}),
        (
            "specialist",
            {"point": "claim", "legal": {f"claim {t} from {s}" for t in range(1, 5) for s in ("inventory", "spare")}},
        ),
        ("claim 2 from inventory", {"point": "place", "inventory_banners": [3, 4]}),
        ("place green up", {"rubles": [1, 4], "sections": {"2.1": {"owner": 0, "tile": None}}}),
    ),
    case(
        "r52h_not_without_a_banner",
        MODULE,
        specialist(24, inventory_banners=[0, 4], spare_banners=[0, 2]),
        ("move black", {"lacks": {"specialist"}}),
    ),
]
