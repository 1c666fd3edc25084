"""Tests of claiming a section and placing its tile (R-12 to R-14)."""

import pytest
from table import COLOURS, SLOTS, Table


def claims(table: Table) -> set[str]:
    return {words for words in table.legal() if words.startswith("claim")}


def places(table: Table) -> set[str]:
    return {words for words in table.legal() if words.startswith("place")}


# --- the rulebook's examples


def test_r13_r14_claim_example() -> None:
    """Yellow claims a section with a white-die tile and pays 2 rubles to put it face up into the blue workshop.

    It gains the 2 rubles of the space where the white die lies, once, whatever else lies there.
    """
    table = Table(4).turn_of(2).tile("1.1", "die:white").dice(white=(6, 5), green=(6, 1)).give(2, rubles=2)
    table.play("claim 1 from inventory", "place blue up")
    assert table.rubles[2] == 2
    assert table.in_slot(2, "blue") == ("die:white", True)
    assert table.game.owner[table.section("1.1")] == 2
    assert table.banners(2) == {"inventory": 3, "spare": 2, "white1": 0, "white2": 0}


def test_r13_advanced_claim_example() -> None:
    """Yellow takes a banner from the inventory, puts the tile into the green workshop for 3 rubles: the arch is his.

    With a banner from a white workshop the tile could have gone there.
    """
    table = Table(4, "advanced").turn_of(2).give(2, rubles=3).tile("1.1", "recognition:1")
    assert table.ornaments(2) == {"door": 0, "arch": 0, "cross": 0}
    table.play("claim 1 from inventory")
    assert "place white1 down" not in table.legal() and "place white2 down" not in table.legal()
    table.play("place green up")
    assert table.rubles[2] == 0
    assert table.ornaments(2) == {"door": 0, "arch": 1, "cross": 0}
    assert table.track[2] == 3
    assert table.banners(2) == {"inventory": 3, "spare": 0, "white1": 1, "white2": 1}

    table = Table(4, "advanced").turn_of(2).play("claim 1 from white2")
    assert {"place white2 up", "place white2 down"} <= table.legal()
    assert "place white1 down" not in table.legal()


# ---


def test_r12_a_tower_offers_its_lowest_unclaimed_section() -> None:
    """Whoever owns the section below, finished or not, the next one is offered; a full tower offers nothing."""
    table = Table().claim(1, "1.1").finish(0, "2.1").claim(0, "2.2").claim(1, "3.1", "3.2", "3.3")
    assert claims(table) == {f"claim {tower} from inventory" for tower in (1, 2, 4)}  # red used its spare banners
    for tower, level in ((1, 2), (2, 3), (4, 1)):
        other = Table().claim(1, "1.1").finish(0, "2.1").claim(0, "2.2").claim(1, "3.1", "3.2", "3.3")
        other.play(f"claim {tower} from inventory")
        assert other.game.owner[other.section(f"{tower}.{level}")] == 0
        assert other.game.claimed[tower - 1] == level


def test_r12_banners_come_from_the_inventory_or_the_spare_ones() -> None:
    table = Table()
    table.game.goods[0, 6:8] = (0, 2)
    assert claims(table) == {f"claim {tower} from spare" for tower in range(1, 5)}
    table.game.goods[0, 6:8] = (1, 0)
    assert claims(table) == {f"claim {tower} from inventory" for tower in range(1, 5)}
    table.game.goods[0, 6:8] = (0, 0)
    assert claims(table) == set()


def test_r12_advanced_banners_come_from_the_inventory_or_a_white_slot_of_ones_choice() -> None:
    table = Table(workshop="advanced")
    sources = ("inventory", "white1", "white2")
    assert claims(table) == {f"claim {tower} from {source}" for tower in range(1, 5) for source in sources}
    table.play("claim 1 from white1", "place white1 down").turn_of(0)
    assert claims(table) == {f"claim {tower} from {s}" for tower in range(1, 5) for s in ("inventory", "white2")}
    assert table.banners() == {"inventory": 4, "spare": 0, "white1": 0, "white2": 1}


def test_r12_a_banner_from_the_inventory_opens_a_space_also_for_the_tile_claimed_now() -> None:
    for source, received in (("inventory", 1), ("spare", 0)):
        table = Table().give(0, stone=6).tile("1.1", "lumber:1")
        table.play(f"claim 1 from {source}", "place red up")
        if received:
            table.play("take 1")
        assert table.hand().get("lumber", 0) == received
        assert table.seat == 1


def test_r12_six_banners_open_ten_spaces() -> None:
    table = Table().give(0, stone=6)
    for number in range(4):
        table.tile(f"{number + 1}.1", "lumber:1").give(0, rubles=9)
        table.play(f"claim {number + 1} from inventory", f"place {SLOTS[number]} up", "take 1").turn_of(0)
    assert table.hand() == {"stone": 6, "lumber": 4}
    table.tile("1.2", "lumber:1").give(0, rubles=9).play("claim 1 from spare", "place white1 up")
    assert table.hand() == {"stone": 6, "lumber": 4} and table.seat == 1


# ---


def test_r13_any_empty_slot_face_up_or_face_down() -> None:
    table = Table().give(0, rubles=9).workshop(0, "blue", "lumber:1").workshop(0, "white2", "stone:1", up=False)
    table.play("claim 1 from spare")
    free = ("red", "yellow", "green", "white1")
    assert places(table) == {f"place {slot} {side}" for slot in free for side in ("up", "down")}


def test_r13_face_down_costs_and_gives_nothing() -> None:
    for workshop in ("basic", "advanced"):
        table = Table(workshop=workshop).tile("1.1", "rubles:2").play("claim 1 from inventory", "place green down")
        assert table.rubles[0] == 3
        assert table.in_slot(0, "green") == ("rubles:2", False)
        assert table.game.tile[table.section("1.1")] == -1


def test_r13_a_tile_face_down_is_never_activated() -> None:
    table = Table().workshop(0, "red", "rubles:2", up=False).visit("merchants", 2)
    assert "workshop red" not in table.legal()
    assert "guild 2" not in table.legal()


@pytest.mark.parametrize("seat", range(4))
def test_r13_basic_prices_are_relative_to_ones_own_colour(seat: int) -> None:
    """The own slot costs 2, the next two colours 1, the third 2, white 3; exactly that many rubles are enough, one less
    is not.
    """
    price = Table(4).tables["workshop"]["basic"]["price"]
    for slot in SLOTS:
        key = slot if slot not in COLOURS else ("own", "next1", "next2", "next3")[(COLOURS.index(slot) - seat) % 4]
        for rubles in (price[key] - 1, price[key]):
            table = Table(4).turn_of(seat).give(seat, rubles=rubles).tile("1.1", "recognition:1")
            table.play("claim 1 from spare")
            assert (f"place {slot} up" in table.legal()) == (rubles == price[key]), slot
            assert f"place {slot} down" in table.legal()
        table.play(f"place {slot} up")
        assert table.rubles[seat] == 0


def test_r13_advanced_price_is_3_everywhere() -> None:
    for slot in COLOURS:
        for rubles in (2, 3):
            table = Table(4, "advanced").give(0, rubles=rubles).play("claim 1 from inventory")
            assert (f"place {slot} up" in table.legal()) == (rubles == 3)
    for slot in ("white1", "white2"):
        table = Table(4, "advanced").give(0, rubles=3).tile("1.1", "recognition:1")
        table.play(f"claim 1 from {slot}", f"place {slot} up")
        assert table.rubles[0] == 0


def test_r13_rubles_sold_for_at_place_can_pay_for_the_slot() -> None:
    table = Table().give(0, rubles=0)
    table.track[0] = 7
    table.play("claim 1 from spare")
    assert "place red up" not in table.legal()
    table.play("rubles", "place red up")
    assert table.rubles[0] == 0


def test_r13_advanced_a_white_slot_is_empty_once_its_banner_is_gone() -> None:
    table = Table(workshop="advanced").play("claim 1 from white1")
    assert {words.split()[1] for words in places(table)} == {*COLOURS, "white1"}
    table.play("place red down").turn_of(0).play("claim 2 from inventory")
    assert {words.split()[1] for words in places(table)} == {"blue", "yellow", "green", "white1"}


def test_r13_advanced_a_banner_choice_must_leave_an_empty_slot() -> None:
    """The printed numbers never lead to this position: four coloured slots are full, both white banners still there."""
    table = Table(workshop="advanced")
    for slot in COLOURS:
        table.workshop(0, slot, "lumber:1")
    assert claims(table) == {f"claim {tower} from {s}" for tower in range(1, 5) for s in ("white1", "white2")}
    table.play("claim 1 from white2")
    assert {words.split()[1] for words in places(table)} == {"white2"}


@pytest.mark.parametrize("seat", range(4))
def test_r13_advanced_ornaments_come_with_paid_tiles_and_are_lost_with_the_others(seat: int) -> None:
    kept = Table(4, "advanced").tables["workshop"]["advanced"]["ornament"]
    for slot in COLOURS:
        kind = kept[("own", "next1", "next2", "next3")[(COLOURS.index(slot) - seat) % 4]]
        for side in ("up", "down"):
            table = Table(4, "advanced").turn_of(seat).give(seat, rubles=3).tile("1.1", "recognition:1")
            table.play("claim 1 from inventory", f"place {slot} {side}")
            expected = {"door": 0, "arch": 0, "cross": 0}
            expected[kind] += side == "up"
            assert table.ornaments(seat) == expected
            assert table.game.slot_ornament[seat, SLOTS.index(slot)] == -1
    assert sorted(kept.values()) == ["arch", "arch", "cross", "door"]


def test_r13_basic_ornaments_are_to_hand_from_the_start() -> None:
    table = Table().play("claim 1 from spare", "place red down")
    assert table.ornaments(0) == {"door": 1, "arch": 2, "cross": 1}


# ---


@pytest.mark.parametrize(
    ("tile", "resource", "amount"),
    [(f"{m}:1", m, 1) for m in ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")]
    + [("die:blue", m, 2) for m in ("lumber", "brick", "stone")]
    + [("die:blue", m, 1) for m in ("gold", "green_gem", "purple_gem")],
)
def test_r14_material_of_a_tile_just_placed_may_be_left(tile: str, resource: str, amount: int) -> None:
    """The die tile gives the resource at its die's space once, although three dice are there."""
    for taken in range(amount + 1):
        table = Table().tile("1.1", tile).resource(4, resource).dice(blue=(4, 1), white=(4, 1))
        table.play("claim 1 from spare", "place yellow up")
        assert table.point == "take"
        assert table.legal() == {f"take {n}" for n in range(amount + 1)}
        table.play(f"take {taken}")
        assert table.hand().get(resource, 0) == taken
        assert table.supply(resource) == table.tables["supply"][resource] - taken
        assert table.seat == 1


@pytest.mark.parametrize(
    ("tile", "rubles", "recognition"),
    [("rubles:2", 2, 0), ("recognition:1", 0, 1), ("die:red", 2, 0), ("die:blue", 0, 1)],
)
def test_r14_rubles_and_recognition_of_a_tile_just_placed_come_by_themselves(
    tile: str, rubles: int, recognition: int
) -> None:
    table = Table().tile("1.1", tile).dice(red=(6, 1), blue=(7, 1), green=(6, 1)).give(0, rubles=5)
    table.play("claim 1 from spare", "place blue up")
    assert table.rubles[0] == 5 - 1 + rubles
    assert table.track[0] == 2 + recognition
    assert table.seat == 1


def test_r14_any_material_just_placed_may_be_left_too() -> None:
    materials = ("lumber", "brick", "stone", "gold", "green_gem", "purple_gem")
    table = Table().tile("1.1", "any_material:1").stock(gold=0).play("claim 1 from spare", "place blue up")
    assert table.legal() == {"take 0", *(f"gain {m}" for m in materials if m != "gold")}
    table.play("gain purple_gem")
    assert table.hand() == {"purple_gem": 1} and table.seat == 1

    table = Table().tile("1.1", "any_material:1").play("claim 1 from spare", "place blue up", "take 0")
    assert table.hand() == {} and table.seat == 1


def test_r14_a_benefit_is_limited_by_room_and_supply() -> None:
    table = Table().give(0, stone=5).tile("1.1", "die:blue").resource(2, "lumber")
    table.play("claim 1 from spare", "place blue up")
    assert table.legal() == {"take 0", "take 1"}

    table = Table().stock(brick=1).tile("1.1", "die:blue").resource(2, "brick")
    table.play("claim 1 from spare", "place blue up")
    assert table.legal() == {"take 0", "take 1"}


@pytest.mark.parametrize("tile", ["lumber:1", "die:blue", "any_material:1"])
def test_r14_a_tile_without_effect_may_still_be_paid_for(tile: str) -> None:
    """There is no room for the material: no decision follows, and the tile lies face up."""
    table = Table().give(0, stone=6).tile("1.1", tile).resource(2, "lumber").play("claim 1 from spare", "place blue up")
    assert table.seat == 1 and table.hand(0) == {"stone": 6}
    assert table.in_slot(0, "blue") == (tile, True)
    assert table.rubles[0] == 2
