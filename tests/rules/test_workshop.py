"""Tests of activating a workshop tile (R-22, and the limits of R-21 and R-23)."""

import pytest
from table import BASE_DIE_NAMES, COLOURS, MATERIAL_NAMES, Table


def workshops(table: Table) -> set[str]:
    return {words for words in table.legal() if words.startswith("workshop")}


def test_r22_workshop_example_blue() -> None:
    """The blue die moves; its workshop holds the tile of the red die, which lies at the lumber: this gives 2 lumber,
    once.
    """
    table = Table(4).turn_of(1).workshop(1, "blue", "die:red").workshop(1, "yellow", "recognition:1")
    table.dice(red=(0, 6), green=(0, 1), blue=(2, 2)).play("move blue")
    assert workshops(table) == {"workshop blue"}
    table.play("workshop blue")
    assert table.legal() == {"take 1", "take 2"}
    table.play("take 2")
    assert table.hand(1) == {"lumber": 2}
    assert workshops(table) == set()


def test_r22_workshop_example_yellow() -> None:
    """Had the yellow die moved, its workshop would have given 1 recognition."""
    table = Table(4).turn_of(1).workshop(1, "blue", "die:red").workshop(1, "yellow", "recognition:1")
    table.play("move yellow")
    assert workshops(table) == {"workshop yellow"}
    assert table.play("workshop yellow").track[1] == 3


@pytest.mark.parametrize("seat", range(4))
def test_r22_the_slot_of_the_moved_die_for_every_seat(seat: int) -> None:
    for die in COLOURS:
        table = Table(4).turn_of(seat)
        for slot in COLOURS:
            table.workshop(seat, slot, "rubles:2")
        assert workshops(table.play(f"move {die}")) == {f"workshop {die}"}


def test_r22_a_die_that_nobody_plays_has_its_slot_too() -> None:
    table = Table(2).workshop(0, "green", "rubles:2").play("move green", "workshop green")
    assert table.rubles[0] == 5


def test_r22_of_two_white_tiles_one() -> None:
    table = (
        Table().workshop(0, "white1", "rubles:2").workshop(0, "white2", "recognition:1").workshop(0, "red", "gold:1")
    )
    table.play("move white")
    assert workshops(table) == {"workshop white1", "workshop white2"}
    table.play("workshop white2")
    assert (table.track[0], table.rubles[0]) == (3, 3)
    assert workshops(table) == set()


def test_r22_of_two_white_tiles_only_those_with_an_effect() -> None:
    table = Table().workshop(0, "white1", "lumber:1").workshop(0, "white2", "gold:1", up=False).stock(lumber=0)
    assert workshops(table.play("move white")) == set()


def test_r22_other_seats_tiles_are_not_ones_own() -> None:
    assert workshops(Table().workshop(1, "red", "rubles:2").play("move red")) == set()


@pytest.mark.parametrize("die", BASE_DIE_NAMES)
@pytest.mark.parametrize(("resource", "amount"), [("lumber", 2), ("gold", 1), ("rubles", 2), ("recognition", 1)])
def test_r22_a_die_tile_gives_what_lies_at_its_die_once(die: str, resource: str, amount: int) -> None:
    """This holds for the moved die itself, at its new space; the number of dice there does not count."""
    start = {d: (5, 1) if i % 2 else (4, 2) for i, d in enumerate(BASE_DIE_NAMES)}
    table = Table().dice(**start).dice(red=(7, 1)).give(0, rubles=0)
    space = 0 if die == "red" else table.space_of(die)
    table.workshop(0, "red", f"die:{die}").resource(space, resource).play("move red", "workshop red")
    if resource in MATERIAL_NAMES:
        if amount > 1:
            assert table.legal() == {"take 1", "take 2"}
            table.play("take 2")
        assert table.hand() == {resource: amount}
    assert table.rubles[0] == (amount if resource == "rubles" else 0)
    assert table.track[0] == 2 + (amount if resource == "recognition" else 0)


def test_r22_amounts_are_counted_when_the_action_is_taken() -> None:
    """After a swap of market tiles the die tile gives what lies there now; obtaining does the same."""
    table = Table().give(0, rubles=2).workshop(0, "red", "die:blue").visit("teamsters", 2)
    table.play("guild 2", "swap 2 3")  # the blue die lies on space 2, which now gives gold instead of stone
    table.play("workshop red")
    assert table.hand() == {"gold": 1}

    table = Table().give(0, rubles=2).visit("teamsters", 2).play("guild 2", "swap 0 1", "obtain", "take 2")
    assert table.hand() == {"brick": 2}


@pytest.mark.parametrize(("tile", "resource"), [(f"{m}:1", m) for m in MATERIAL_NAMES])
def test_r22_a_material_tile_gives_one(tile: str, resource: str) -> None:
    table = Table().workshop(0, "red", tile).play("move red", "workshop red")
    assert table.hand() == {resource: 1} and table.point == "market"  # one amount is possible, so there is no decision


def test_r22_rubles_and_recognition_tiles() -> None:
    assert Table().workshop(0, "red", "rubles:2").play("move red", "workshop red").rubles[0] == 5
    assert Table().workshop(0, "red", "recognition:1").play("move red", "workshop red").track[0] == 3


def test_r22_any_material_must_be_taken_once_chosen() -> None:
    """`take 0` is for a tile just placed, not for an activated one."""
    table = Table().workshop(0, "red", "any_material:1").stock(stone=0).play("move red", "workshop red")
    assert table.point == "take"
    assert table.legal() == {f"gain {m}" for m in MATERIAL_NAMES if m != "stone"}
    assert table.play("gain gold").hand() == {"gold": 1}


def test_r21_limits_hold_for_tiles_too() -> None:
    """With room or supply for one of two, one is taken."""
    table = (
        Table().workshop(0, "red", "die:blue").resource(2, "brick").give(0, stone=5).play("move red", "workshop red")
    )
    assert table.hand() == {"stone": 5, "brick": 1}
    table = Table().workshop(0, "red", "die:blue").resource(2, "brick").stock(brick=1).play("move red", "workshop red")
    assert table.hand() == {"brick": 1}


@pytest.mark.parametrize("tile", ["die:blue", "lumber:1", "any_material:1"])
def test_r23_a_tile_without_effect_is_not_offered(tile: str) -> None:
    table = Table().workshop(0, "red", tile).resource(2, "lumber").resource(0, "rubles").give(0, stone=6)
    assert workshops(table.play("move red")) == set()
    supply = dict.fromkeys(MATERIAL_NAMES, 0) if tile == "any_material:1" else {"lumber": 0}
    table = Table().workshop(0, "red", tile).resource(2, "lumber").resource(0, "rubles").stock(**supply)
    assert workshops(table.play("move red")) == set()


def test_r23_rubles_and_recognition_always_have_an_effect() -> None:
    for tile in ("rubles:2", "recognition:1", "die:blue"):
        table = Table().workshop(0, "red", tile).resource(2, "rubles").give(0, stone=6)
        assert workshops(table.play("move red")) == {"workshop red"}


def test_r22_a_tile_placed_this_turn_is_not_activated_again() -> None:
    """Claiming is a main action of its own: the turn ends after the benefit."""
    table = Table().tile("1.1", "rubles:2").play("claim 1 from spare", "place red up")
    assert table.rubles[0] == 3 - 2 + 2 and table.seat == 1
