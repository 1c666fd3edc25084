"""Tests of using influence (R-20, R-23, R-24): every action of every card.

Deliveries by guilds are in test_build (R-18).
"""

import pytest
from table import GUILDS, MATERIAL_NAMES, Table
from writeable import writeable

from rc_env.jit import records
from rc_env.rules import payments

GEMS = {"green_gem", "purple_gem"}


def guild_words(table: Table) -> set[str]:
    return {words for words in table.legal() if words.startswith("guild")}


def pays(*materials: str) -> set[str]:
    return {f"pay {material}" for material in materials}


def gains(*materials: str) -> set[str]:
    return {f"gain {material}" for material in materials}


def one_of_each(**more: int) -> Table:
    """Return a table at which red holds one of each material and has no room left."""
    return Table().give(0, **dict.fromkeys(MATERIAL_NAMES, 1)).give(0, **more)


# --- which guild a die meets


def test_r20_the_quadrant_of_the_landing_space_names_the_guild() -> None:
    for space in range(8):
        table = Table().dice(red=((space + 7) % 8, 1)).give(0, rubles=20, gold=1)
        for quadrant, guild in enumerate(GUILDS):
            table.guild(guild, 1, quadrant)
        table.play("move red")
        met = GUILDS[space // 2]
        expected = {
            "craftsmen": {"guild 1", "guild 2"},
            "teamsters": set(),  # there is no section to deliver to
            "merchants": set(),  # the seat holds no two of a kind
            "clergy": {"guild 1"},  # the seat does not hold three different materials
        }[met]
        assert guild_words(table) == expected, met


def test_every_card_has_two_actions_and_the_tests_below_know_them_all() -> None:
    known = {
        "craftsmen": [("sell", "buy"), ("buy", "sell"), ("sell", "buy")],
        "teamsters": [("deliver", "deliver"), ("rubles", "swap_market_tiles"), ("deliver", "swap_market_tiles")],
        "merchants": [
            ("exchange_equal", "exchange_equal"),
            ("exchange_any", "activate_workshop"),
            ("exchange_equal", "activate_workshop"),
        ],
        "clergy": [
            ("recognition", "discard_different"),
            ("prestige", "each_type_completed"),
            ("recognition", "prestige"),
        ],
    }
    guilds = Table().tables["guilds"]
    assert {
        guild: [tuple(next(iter(action)) for action in card) for card in guilds[guild]] for guild in guilds
    } == known


# --- craftsmen


@pytest.mark.parametrize(
    ("card", "side", "price", "materials"),
    [
        (1, 1, 1, set(MATERIAL_NAMES)),
        (2, 2, 2, {"gold", *GEMS}),
        (3, 1, 1, {"lumber", "brick", "stone"}),
    ],
)
def test_r23_sell_the_price_is_received_after_the_material_is_paid(
    card: int, side: int, price: int, materials: set[str]
) -> None:
    table = one_of_each(rubles=0).visit("craftsmen", card).play(f"guild {side}")
    assert table.point == "pay" and table.rubles[0] == 0
    assert table.legal() == pays(*materials)
    paid = min(materials)
    table.play(f"pay {paid}")
    assert table.rubles[0] == price
    assert paid not in table.hand() and table.supply(paid) == table.tables["supply"][paid]
    assert table.point == "market"


@pytest.mark.parametrize(
    ("card", "side", "price", "materials"),
    [
        (1, 2, 2, set(MATERIAL_NAMES)),
        (2, 1, 1, {"lumber", "brick", "stone"}),
        (3, 2, 2, {"gold", *GEMS}),
    ],
)
def test_r23_buy_the_price_is_paid_when_it_is_chosen(card: int, side: int, price: int, materials: set[str]) -> None:
    table = Table().give(0, rubles=price).visit("craftsmen", card).play(f"guild {side}")
    assert table.point == "gain" and table.rubles[0] == 0
    assert table.legal() == gains(*materials)
    bought = min(materials)
    table.play(f"gain {bought}")
    assert table.hand() == {bought: 1} and table.supply(bought) == table.tables["supply"][bought] - 1


def test_r23_sell_needs_a_material_of_the_card() -> None:
    for card, side, useless in ((1, 1, {}), (2, 2, {"stone": 2}), (3, 1, {"gold": 1, "green_gem": 1})):
        table = Table().give(0, rubles=0, **useless).visit("craftsmen", card)
        assert f"guild {side}" not in table.legal()


def test_r23_buy_needs_its_price_room_and_supply() -> None:
    for card, side, price in ((1, 2, 2), (2, 1, 1), (3, 2, 2)):
        assert f"guild {side}" in Table().give(0, rubles=price).visit("craftsmen", card).legal()
        assert f"guild {side}" not in Table().give(0, rubles=price - 1).visit("craftsmen", card).legal()
        assert f"guild {side}" not in Table().give(0, rubles=9, brick=6).visit("craftsmen", card).legal()
    table = Table().give(0, rubles=9).stock(lumber=0, brick=0, stone=0)
    assert guild_words(table.visit("craftsmen", 2)) == set()
    table = (
        Table().give(0, rubles=9).stock(lumber=0, stone=0, gold=0, green_gem=0).visit("craftsmen", 1).play("guild 2")
    )
    assert table.legal() == gains("brick", "purple_gem")


def test_r20_an_unlimited_action_is_repeated_paid_for_anew_and_closes_the_other() -> None:
    table = Table().give(0, rubles=7).visit("craftsmen", 1)
    table.play("guild 2", "gain gold")
    assert guild_words(table) == {"guild 2"}  # gold in hand could be sold, but the other action is closed
    table.play("guild 2", "gain gold", "guild 2", "gain lumber")
    assert table.hand() == {"gold": 2, "lumber": 1} and table.rubles[0] == 1
    assert guild_words(table) == set()


def test_r20_selling_is_repeated_too() -> None:
    table = one_of_each(rubles=0).visit("craftsmen", 1)
    for number, material in enumerate(MATERIAL_NAMES[:5], 1):
        table.play("guild 1", f"pay {material}")
        assert table.rubles[0] == number and guild_words(table) == {"guild 1"}
    table.play("guild 1")  # a single possible payment is made automatically
    assert table.hand() == {} and table.rubles[0] == 6 and guild_words(table) == set()


@pytest.mark.parametrize("between", ["obtain", "workshop red"])
def test_r20_obtain_and_workshop_end_the_repetition(between: str) -> None:
    table = Table().give(0, rubles=9).resource(0, "recognition").workshop(0, "red", "rubles:2").visit("craftsmen", 1)
    table.play("guild 2", "gain gold")
    assert guild_words(table) == {"guild 2"}
    table.play(between)
    assert guild_words(table) == set()


@pytest.mark.parametrize("before", ["obtain", "workshop red"])
def test_r20_obtain_and_workshop_before_the_guild_do_not_hinder_it(before: str) -> None:
    table = Table().give(0, rubles=9).resource(0, "recognition").workshop(0, "red", "rubles:2").visit("craftsmen", 1)
    table.play(before, "guild 2", "gain gold")
    assert guild_words(table) == {"guild 2"}
    table.play("guild 2", "gain gold")
    assert table.hand() == {"gold": 2}


def test_r20_optional_actions_do_not_end_the_repetition() -> None:
    table = Table().give(0, rubles=2)
    table.track[0] = 30
    table.visit("craftsmen", 1).play("guild 2", "gain gold")
    assert guild_words(table) == set()  # no rubles left
    table.play("rubles", "reroll 5")
    assert guild_words(table) == {"guild 2"}
    table.play("guild 2", "gain brick")
    assert table.hand() == {"gold": 1, "brick": 1}


@pytest.mark.parametrize(
    ("guild", "card", "action"),
    [("teamsters", 1, "guild 1"), ("teamsters", 2, "guild 1"), ("merchants", 1, "guild 1"), ("merchants", 2, "guild 2")]
    + [("clergy", 1, "guild 1"), ("clergy", 2, "guild 1"), ("clergy", 2, "guild 2"), ("clergy", 3, "guild 2")],
)
def test_r20_other_actions_are_used_once_a_visit(guild: str, card: int, action: str) -> None:
    table = Table().give(0, lumber=4, rubles=9).claim(0, "1.1").finish(0, "2.1", "2.2", "2.3")
    table.workshop(0, "blue", "rubles:2").visit(guild, card).play(action)
    while table.point != "market":
        table.play(min(table.legal()))
    assert guild_words(table) == set()


def test_r20_a_new_visit_opens_the_guild_again() -> None:
    table = Table().give(0, rubles=9).visit("clergy", 2).play("guild 1")
    table.end_turn().turn_of(0).dice(red=(7, 1))
    table.play("move red")
    assert guild_words(table) == {"guild 1"}


# --- teamsters (deliveries: test_build)


def test_teamsters_give_a_ruble() -> None:
    table = Table().give(0, rubles=0).visit("teamsters", 2)
    assert guild_words(table) == {"guild 1"}  # no rubles for the swap
    table.play("guild 1")
    assert table.rubles[0] == 1


@pytest.mark.parametrize("card", [2, 3])
def test_r24_swap_any_two_market_tiles_dice_stay(card: int) -> None:
    table = Table().give(0, rubles=2).visit("teamsters", card).play("guild 2")
    assert table.rubles[0] == 0 and table.point == "swap"
    pairs = {f"swap {low} {high}" for low in range(8) for high in range(low + 1, 8)}
    assert len(pairs) == 28 and table.legal() == pairs
    places = table.game.die_space.tolist(), table.game.crowd.tolist()
    table.play("swap 0 3")
    assert table.game.market.tolist() == [3, 1, 2, 0, 4, 5, 6, 7]
    assert (table.game.die_space.tolist(), table.game.crowd.tolist()) == places
    table.play("obtain")  # the gold that came to the space of the die
    assert table.hand() == {"gold": 1}


def test_r24_swap_costs_two_rubles() -> None:
    assert "guild 2" not in Table().give(0, rubles=1).visit("teamsters", 3).legal()


@pytest.mark.parametrize(("card", "side", "price"), [(1, 1, 1), (1, 2, 3), (3, 1, 1)])
def test_r23_a_delivery_needs_its_price_and_something_to_deliver(card: int, side: int, price: int) -> None:
    words = f"guild {side}"
    needy = {"lumber": 1}
    assert words in Table().claim(0, "1.1").give(0, rubles=price, **needy).visit("teamsters", card).legal()
    assert words not in Table().claim(0, "1.1").give(0, rubles=price - 1, **needy).visit("teamsters", card).legal()
    assert words not in Table().claim(0, "1.1").give(0, rubles=9, stone=1).visit("teamsters", card).legal()
    assert words not in Table().claim(1, "1.1").give(0, rubles=9, **needy).visit("teamsters", card).legal()
    assert words in Table().finish(1, "1.1").give(0, rubles=9, **needy).visit("teamsters", card).legal()  # a door


# --- merchants


@pytest.mark.parametrize("card", [1, 3])
def test_r23_two_equal_for_any_other_one(card: int) -> None:
    table = Table().give(0, lumber=2, gold=3, brick=1).visit("merchants", card).play("guild 1")
    assert table.legal() == pays("lumber", "gold")
    table.play("pay gold")  # one action pays both
    assert table.hand() == {"lumber": 2, "gold": 1, "brick": 1} and table.supply("gold") == 14
    assert table.legal() == gains(*(set(MATERIAL_NAMES) - {"gold"}))  # never the material paid
    table.play("gain brick")
    assert table.hand() == {"lumber": 2, "gold": 1, "brick": 2} and table.point == "market"


def test_r23_two_equal_are_needed_and_something_to_receive() -> None:
    assert guild_words(one_of_each().visit("merchants", 1)) == set()
    others = dict.fromkeys(MATERIAL_NAMES[1:], 0)
    assert guild_words(Table().give(0, lumber=2).stock(**others).visit("merchants", 1)) == set()
    table = Table().give(0, lumber=2).stock(**{**others, "gold": 1}).visit("merchants", 1).play("guild 1")
    assert table.hand() == {"gold": 1}  # each of the two steps has a single choice


def test_r23_only_materials_with_something_to_receive_for_them_are_paid() -> None:
    """The supply holds lumber only: lumber can be received for bricks, but nothing for lumber."""
    nothing = dict.fromkeys(MATERIAL_NAMES[1:], 0)
    table = Table().give(0, lumber=2, brick=2).stock(**nothing).visit("merchants", 1).play("guild 1")
    assert table.hand() == {"lumber": 3}  # the bricks were paid, the lumber received


def test_r23_room_is_judged_after_the_material_is_paid() -> None:
    table = Table().give(0, lumber=6).visit("merchants", 1).play("guild 1", "gain gold")
    assert table.hand() == {"lumber": 4, "gold": 1}
    table = Table().give(0, lumber=6).visit("merchants", 1).play("guild 2", "gain gold", "gain gold")
    assert table.hand() == {"lumber": 2, "gold": 2}


def test_r23_four_equal_for_any_two_also_of_the_same_kind() -> None:
    table = Table().give(0, brick=4, stone=1).visit("merchants", 1)
    assert guild_words(table) == {"guild 1", "guild 2"}
    table.play("guild 2")
    assert table.hand() == {"stone": 1}
    assert table.legal() == gains(*(set(MATERIAL_NAMES) - {"brick"}))
    table.play("gain green_gem")
    assert table.point == "gain" and table.legal() == gains(*(set(MATERIAL_NAMES) - {"brick"}))
    table.play("gain green_gem")
    assert table.hand() == {"stone": 1, "green_gem": 2} and table.point == "market"


def test_r23_four_equal_are_needed() -> None:
    assert guild_words(Table().give(0, brick=3).visit("merchants", 1)) == {"guild 1"}


def test_r23_four_for_two_gives_one_where_the_supply_has_only_one() -> None:
    others = {m: 0 for m in MATERIAL_NAMES if m != "brick"}
    table = Table().give(0, brick=4).stock(**{**others, "gold": 1}).visit("merchants", 1).play("guild 2")
    assert table.hand() == {"gold": 1} and table.supply("gold") == 0
    assert table.seat == 1  # the supply is empty but for bricks, of which there is none on the space


def test_r23_four_for_two_the_second_choice_sees_what_the_first_took() -> None:
    others = {m: 0 for m in MATERIAL_NAMES if m != "brick"}
    table = Table().give(0, brick=4).stock(**{**others, "gold": 1, "stone": 1}).visit("merchants", 1).play("guild 2")
    assert table.legal() == gains("gold", "stone")
    table.play("gain gold")
    assert table.hand() == {"gold": 1, "stone": 1}  # stone was the only material left in the supply


def test_r23_one_ruble_and_a_material_for_another_repeated() -> None:
    table = Table().give(0, gold=1, brick=1, rubles=2).visit("merchants", 2).play("guild 1")
    assert table.rubles[0] == 1 and table.legal() == pays("gold", "brick")
    table.play("pay gold")
    assert table.legal() == gains(*(set(MATERIAL_NAMES) - {"gold"}))
    table.play("gain stone")
    assert table.hand() == {"brick": 1, "stone": 1} and table.supply("gold") == 15
    table.play("guild 1", "pay stone", "gain gold")
    assert table.hand() == {"brick": 1, "gold": 1} and table.rubles[0] == 0
    assert guild_words(table) == set()


def test_r23_a_material_paid_in_the_same_trade_is_back_in_the_supply_but_not_to_be_had() -> None:
    """The supply is empty but for gold: gold cannot buy gold, but brick can."""
    nothing = {m: 0 for m in MATERIAL_NAMES if m != "gold"}
    assert guild_words(Table().give(0, gold=2, rubles=9).stock(**nothing).visit("merchants", 2)) == set()
    table = Table().give(0, gold=1, brick=1, rubles=1).stock(**nothing).visit("merchants", 2).play("guild 1")
    assert table.hand() == {"gold": 2} and table.supply("brick") == 1


def test_r23_exchange_needs_its_ruble_and_works_without_room() -> None:
    assert guild_words(Table().give(0, gold=1, rubles=0).visit("merchants", 2)) == set()
    table = Table().give(0, gold=6, rubles=1).visit("merchants", 2).play("guild 1", "gain brick")
    assert table.hand() == {"gold": 5, "brick": 1}


@pytest.mark.parametrize("card", [2, 3])
def test_r22_merchants_activate_any_face_up_tile(card: int) -> None:
    """Any tile may be chosen, whichever die moved; also the one of the market action, which stays available."""
    table = Table().workshop(0, "red", "rubles:2").workshop(0, "green", "recognition:1")
    table.workshop(0, "white2", "lumber:1").workshop(0, "blue", "gold:1", up=False)
    table.visit("merchants", card).play("guild 2")
    assert table.point == "tile"
    assert table.legal() == {"workshop red", "workshop green", "workshop white2"}
    table.play("workshop red")
    assert table.rubles[0] == 5 and "workshop red" in table.legal()
    table.play("workshop red")
    assert table.rubles[0] == 7 and "workshop red" not in table.legal()


def test_r22_activation_after_the_market_action_may_use_the_same_tile() -> None:
    table = Table().workshop(0, "red", "rubles:2").workshop(0, "blue", "recognition:1").visit("merchants", 3)
    table.play("workshop red", "guild 2", "workshop red")
    assert table.rubles[0] == 7


def test_r23_activation_needs_a_tile_with_an_effect() -> None:
    """The action is illegal without a tile, with a face-down one, without room for the material, or with an empty
    supply.
    """
    assert guild_words(Table().visit("merchants", 3)) == set()
    assert guild_words(Table().workshop(0, "blue", "rubles:2", up=False).visit("merchants", 3)) == set()
    full = Table().give(0, **dict.fromkeys(MATERIAL_NAMES, 1)).workshop(0, "blue", "gold:1")
    assert guild_words(full.visit("merchants", 3)) == set()
    assert guild_words(Table().stock(gold=0).workshop(0, "blue", "gold:1").visit("merchants", 3)) == set()
    mixed = Table().stock(gold=0).workshop(0, "blue", "gold:1").workshop(0, "green", "brick:1").visit("merchants", 3)
    assert mixed.play("guild 2").hand() == {"brick": 1}  # of two tiles only one has an effect


# --- clergy


@pytest.mark.parametrize("card", [1, 3])
def test_clergy_give_recognition(card: int) -> None:
    assert Table().visit("clergy", card).play("guild 1").track[0] == 3


@pytest.mark.parametrize(("card", "side"), [(2, 1), (3, 2)])
def test_clergy_sell_prestige_for_three_rubles(card: int, side: int) -> None:
    table = Table().give(0, rubles=3).visit("clergy", card).play(f"guild {side}")
    assert (table.track[0], table.rubles[0]) == (5, 0)
    assert f"guild {side}" not in Table().give(0, rubles=2).visit("clergy", card).legal()


def test_r23_three_different_materials_are_discarded_in_ascending_order() -> None:
    """The materials are paid in ascending order, and only those that still allow a complete set are legal."""
    table = Table().give(0, lumber=2, stone=1, gold=1, purple_gem=1).visit("clergy", 1).play("guild 2")
    assert table.legal() == pays("lumber", "stone")
    table.play("pay lumber")
    assert table.point == "pay" and table.legal() == pays("stone", "gold")
    table.play("pay stone")
    assert table.legal() == pays("gold", "purple_gem")
    assert table.track[0] == 2
    table.play("pay purple_gem")
    assert table.hand() == {"lumber": 1, "gold": 1} and table.track[0] == 5
    assert (table.supply("lumber"), table.supply("stone"), table.supply("purple_gem")) == (19, 20, 10)
    assert table.point == "market"


def test_r23_every_set_of_three_can_be_discarded() -> None:
    reached = set()
    for a in range(6):
        for b in range(a + 1, 6):
            for c in range(b + 1, 6):
                table = one_of_each().visit("clergy", 1).play("guild 2")
                for material in (a, b, c):
                    words = f"pay {MATERIAL_NAMES[material]}"
                    if words in table.legal():  # the last material of a forced set is paid automatically
                        table.play(words)
                assert table.track[0] == 5
                reached.add(frozenset(table.hand()))
    assert len(reached) == 20


def test_r23_three_different_are_needed() -> None:
    assert guild_words(Table().give(0, lumber=3, gold=3).visit("clergy", 1)) == {"guild 1"}
    table = Table().give(0, lumber=1, gold=1, stone=1).visit("clergy", 1).play("guild 2")
    assert table.hand() == {} and table.track[0] == 5  # the only possible set is paid without a decision


def test_clergy_each_type_completed() -> None:
    """A seat that has finished a base, a middle and a dome of its own gains two recognition, however many it has
    finished.
    """
    for names, possible in (
        (("1.1", "1.2", "1.3"), True),
        (("1.1", "1.2", "1.3", "2.1", "2.2", "2.3"), True),
        (("1.1", "1.2", "2.1", "2.2"), False),
        (("1.1",), False),
        ((), False),
    ):
        table = Table().finish(0, *names).visit("clergy", 2)
        assert ("guild 2" in table.legal()) == possible
        if possible:
            assert table.play("guild 2").track[0] == 4
    table = Table().finish(0, "1.1", "1.2").finish(1, "1.3").visit("clergy", 2)
    assert "guild 2" not in table.legal()
    table = Table().finish(0, "1.1", "1.2").claim(0, "1.3").visit("clergy", 2)
    assert "guild 2" not in table.legal()


def test_r23_a_trade_needs_a_material_that_it_may_give() -> None:
    """No printed guild restricts what a trade gives, so this one gives stone alone."""
    table = Table().give(0, lumber=5)
    rules = table.ruleset.rules.copy()
    effect = next(i for i, each in enumerate(rules[0].effect_payments) if each and rules[0].effect_gains[i])
    rules[0].effect_gain_from[effect] = [name == "stone" for name in MATERIAL_NAMES]
    for left in (1, 0):
        table.stock(stone=left)
        row, game = records(rules)[0], records(writeable(table.engine))[0]
        assert payments.can_pay(row, game, 0, effect, 0, 1, 1) == bool(left)
