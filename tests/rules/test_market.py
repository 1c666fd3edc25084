"""Tests of acquiring resources from the market (R-19 to R-21)."""

import pytest
from table import BASE_DIE_NAMES, MATERIAL_NAMES, Table
from writeable import writeable

from rc_env.jit import records
from rc_env.rules import goods
from rc_env.rules.points import NO_EFFECT, Point
from rc_env.rules.printed.sizes import ANY, BANNERS_INVENTORY, RECOGNITION, RUBLES


def moves(table: Table) -> set[str]:
    return {words for words in table.legal() if words.startswith("move")}


def market_picture() -> Table:
    """Set up the rulebook's market: yellow's die shows 3 and would join blue's at the bricks; red's lies next, at the
    lumber.

    The merchants that exchange two of a kind stand beside both spaces.
    """
    table = Table(4).turn_of(2).resource(4, "brick").resource(5, "lumber").guild("merchants", 1, quadrant=2)
    return table.dice(yellow=(1, 3), blue=(4, 2), red=(5, 1), green=(7, 1), white=(0, 1))


# --- the rulebook's examples


def test_r19_to_r23_market_example() -> None:
    """Yellow moves its die 3 spaces to blue's: two dice, 2 bricks each, 4 bricks.

    The merchants give 1 green gem for two of them. In the end both dice are rolled.
    """
    table = market_picture().play("move yellow")
    assert table.space_of("yellow") == 4
    table.play("obtain")
    assert table.legal() == {"take 1", "take 2", "take 3", "take 4"}
    table.play("take 4")
    assert table.hand(2) == {"brick": 4}
    table.play("guild 1")  # brick is the only material that can be paid
    assert table.legal() == {f"gain {m}" for m in MATERIAL_NAMES if m != "brick"}
    table.play("gain green_gem", dice=[6, 5])  # nothing is left to do: the dice are rolled
    assert table.hand(2) == {"brick": 2, "green_gem": 1}
    assert (table.supply("brick"), table.supply("green_gem")) == (18, 9)
    assert (table.value_of("blue"), table.value_of("yellow")) == (6, 5)
    assert (table.space_of("blue"), table.space_of("yellow")) == (4, 4)
    assert table.seat == 3


def test_r19_market_example_one_ruble_further() -> None:
    """For 1 ruble yellow lands with red instead and gets 4 lumber."""
    table = market_picture().play("move yellow +1", "obtain", "take 4")
    assert table.hand(2) == {"lumber": 4}
    assert table.rubles[2] == 4 - 1


# ---


def test_r19_a_die_moves_clockwise_by_its_value() -> None:
    for value in range(1, 7):
        table = Table().dice(green=(6, value)).play("move green")
        assert table.space_of("green") == (6 + value) % 8
        assert table.value_of("green") == value


@pytest.mark.parametrize("seat", range(4))
def test_r19_only_the_own_and_the_white_die_move_further_for_a_ruble_a_space(seat: int) -> None:
    for rubles in (0, 1, 4, 7, 20):
        table = Table(4).turn_of(seat).give(seat, rubles=rubles)
        expected = {f"move {die}" for die in BASE_DIE_NAMES}
        expected |= {
            f"move {die} +{k}" for die in (BASE_DIE_NAMES[seat], "white") for k in range(1, min(rubles, 7) + 1)
        }
        assert moves(table) == expected


def test_r19_more_than_six_spaces() -> None:
    table = Table().give(0, rubles=7).dice(red=(1, 6)).play("move red +7")
    assert table.space_of("red") == (1 + 13) % 8 and table.rubles[0] == 0


def test_r19_rubles_sold_for_at_start_can_pay_for_steps() -> None:
    table = Table().give(0, rubles=0)
    table.track[0] = 7
    assert "move red +1" not in table.legal()
    table.play("rubles")
    assert {"move red +1", "move red +2", "move white +2"} <= moves(table)
    assert "move red +3" not in table.legal()


def test_r19_a_space_with_three_other_dice_is_no_destination() -> None:
    table = Table().give(0, rubles=2).dice(blue=(3, 1), yellow=(3, 1), green=(3, 1), red=(2, 1), white=(0, 2))
    assert moves(table) == {"move blue", "move yellow", "move green"} | {"move red +1", "move red +2"} | {
        "move white",
        "move white +2",
    }


def test_r19_two_other_dice_are_no_hindrance() -> None:
    table = Table().dice(blue=(3, 1), yellow=(3, 1), green=(6, 1), red=(2, 1), white=(0, 3))
    table.give(0, rubles=0)
    assert moves(table) == {f"move {die}" for die in BASE_DIE_NAMES}
    assert table.play("move red").game.crowd[3] == 3


def test_r19_a_die_may_come_back_to_its_own_full_space() -> None:
    """The die moves eight spaces round: of the three dice on its space, two others have stayed."""
    table = Table().give(0, rubles=7).dice(red=(3, 1), yellow=(3, 1), green=(3, 1), white=(2, 6), blue=(0, 1))
    assert "move red +7" in table.legal() and "move white +3" not in table.legal()
    table.play("move red +7")
    assert table.space_of("red") == 3 and table.game.crowd[3] == 3


# ---


def test_r20_obtain_guild_and_workshop_in_any_order_each_once() -> None:
    actions = {"obtain", "guild 1", "workshop red"}
    for first, second, third in (
        ("obtain", "guild 1", "workshop red"),
        ("guild 1", "workshop red", "obtain"),
        ("workshop red", "obtain", "guild 1"),
        ("workshop red", "guild 1", "obtain"),
    ):
        table = Table().workshop(0, "red", "rubles:2").resource(0, "recognition").visit("clergy", 1)
        assert table.legal() == actions | {"done"}
        table.play(first)
        assert table.legal() == {second, third, "done"}
        table.play(second)
        assert table.legal() == {third, "done"}
        table.play(third)
        assert (table.rubles[0], table.track[0]) == (5, 4) and table.seat == 1


def test_r20_any_of_them_may_be_left_out() -> None:
    table = Table().workshop(0, "red", "rubles:2").visit("clergy", 1).play("done")
    assert (table.rubles[0], table.track[0], table.hand(0)) == (3, 2, {}) and table.seat == 1


def test_r20_all_dice_on_the_space_are_rolled_at_the_end() -> None:
    table = Table().dice(red=(7, 1), green=(0, 4), white=(0, 5))
    table.track[0] = 30
    table.play("move red")
    # No die is rolled before the seat leaves the market.
    assert [table.value_of(die) for die in BASE_DIE_NAMES] == [1, 2, 3, 4, 5]
    table.play("done", dice=[6, 2, 3])
    assert [table.value_of(die) for die in BASE_DIE_NAMES] == [6, 2, 3, 2, 3]
    assert table.point == "end"


def test_r20_a_die_rerolled_at_the_market_is_rolled_again_at_its_end() -> None:
    table = Table()
    table.track[0] = 30
    table.play("move red")
    table.play("reroll 0", dice=[4])
    assert table.value_of("red") == 4 and table.space_of("red") == 0
    table.play("done", dice=[2])
    assert table.value_of("red") == 2


def test_r20_claiming_and_building_roll_nothing() -> None:
    table = Table().claim(0, "1.1").give(0, lumber=1)
    rolls = table.game.rolls.copy()
    table.play("deliver lumber to 1.1").play("claim 2 from spare", "place blue down")
    assert (table.game.rolls == rolls).all()


# ---


@pytest.mark.parametrize(
    ("name", "amount"), [("lumber", 2), ("brick", 2), ("stone", 2), ("gold", 1), ("green_gem", 1), ("purple_gem", 1)]
)
def test_r21_the_tile_times_the_dice_and_the_player_may_take_fewer(name: str, amount: int) -> None:
    for dice in (1, 2, 3):
        crowd = {"green": (0, 4), "white": (0, 5)}
        table = Table().resource(0, name).dice(**dict(list(crowd.items())[: dice - 1])).play("move red")
        assert "obtain" in table.legal()
        table.play("obtain")
        if amount * dice > 1:
            assert table.legal() == {f"take {n}" for n in range(1, amount * dice + 1)}
            table.play("take 1")
        assert table.hand(0) == {name: 1}
        assert "obtain" not in table.legal()


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_r21_rubles_and_recognition_in_full(dice: int) -> None:
    crowd = {"green": (0, 4), "white": (0, 5)}
    for name in ("rubles", "recognition"):
        table = Table().guild("teamsters", 1).give(0, rubles=0, stone=6).resource(0, name)
        table.dice(**dict(list(crowd.items())[: dice - 1])).play("move red", "obtain")
        assert table.rubles[0] == (2 * dice if name == "rubles" else 0)
        assert table.track[0] == 2 + (dice if name == "recognition" else 0)


@pytest.mark.parametrize("room", range(7))
def test_r21_room_limits_what_is_taken(room: int) -> None:
    table = Table().give(0, brick=6 - room, rubles=9).dice(green=(0, 1), white=(0, 1))
    table.guild("clergy", 1).play("move red")  # three dice give 6 lumber
    assert ("obtain" in table.legal()) == (room > 0)
    if room > 1:
        assert table.play("obtain").legal() == {f"take {n}" for n in range(1, room + 1)}


@pytest.mark.parametrize("left", range(7))
def test_r21_the_supply_limits_what_is_taken(left: int) -> None:
    table = Table().stock(lumber=left).dice(green=(0, 1), white=(0, 1)).guild("clergy", 1).play("move red")
    assert ("obtain" in table.legal()) == (left > 0)
    if left > 1:
        assert table.play("obtain").legal() == {f"take {n}" for n in range(1, left + 1)}


def test_r21_banners_in_the_inventory_take_its_spaces() -> None:
    """Six of the ten spaces are free at the start, and one more for each banner that leaves."""
    for banners in range(5):
        table = Table().dice(green=(0, 1), white=(0, 1)).give(0, stone=6)
        table.game.goods[0, 6] = banners
        table.play("move red")
        assert ("obtain" in table.legal()) == (banners < 4)
        if banners < 3:
            assert table.play("obtain").legal() == {f"take {n}" for n in range(1, 5 - banners)}


def test_r21_nothing_is_taken_from_the_supply_twice() -> None:
    table = Table().play("move red", "obtain", "take 2")
    assert table.hand(0) == {"lumber": 2} and table.supply("lumber") == 18
    assert table.game.supply[1:6].tolist() == [20, 20, 15, 10, 10]


def test_r21_as_much_as_an_empty_inventory_holds_can_be_taken() -> None:
    table = Table()
    table.game.goods[0] = 0
    table.game.stack[1], table.game.depth = (Point.TAKE, NO_EFFECT, 0, 10, 0), 2
    assert table.legal() == {f"take {count}" for count in range(1, 11)}
    assert table.play("take 10").hand() == {"lumber": 10}


def test_r21_what_can_be_had_is_never_less_than_nothing() -> None:
    """The most of any material is right with room and supply, and 0 without room or without supply."""
    for stock, room, most in ((20, 10, 1), (20, 0, 0), (0, 10, 0)):
        table = Table()
        table.game.goods[0], table.game.supply[:6] = 0, stock
        table.game.goods[0, BANNERS_INVENTORY] = 10 - room
        rules, game = records(table.ruleset.rules)[0], records(writeable(table.engine))[0]
        assert [goods.most_of(rules, game, 0, resource, 1) for resource in (*range(6), ANY)] == [most] * 7
        assert [goods.most_of(rules, game, 0, resource, 1) for resource in (RUBLES, RECOGNITION)] == [1, 1]
