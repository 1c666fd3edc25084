"""Tests of building and decorating the cathedral (R-15 to R-18)."""

import pytest
from table import Table

from rc_env.rules.printed.sizes import ADORNED, DOOR


def tower_of_three_colours() -> Table:
    """Build the tower of the rulebook's penalty pictures, upwards: blue, red, blue, yellow, each lacking one piece."""
    table = Table(4).claim(1, "1.1").claim(0, "1.2").claim(1, "1.3").claim(2, "1.4")
    table.card("1.2", "middle/1").card("1.3", "middle/2").card("1.4", "dome/1")
    for level in (2, 3, 4):
        table.all_but(f"1.{level}", "gold")
    table.track[:] = 20
    for seat in range(3):
        table.give(seat, gold=1)
    return table


def deliver_last(table: Table, seat: int, section: str) -> None:
    table.turn_of(seat).play(f"deliver gold to {section}")
    assert table.finished(section)
    table.end_turn()


# --- the rulebook's examples


def test_r16_first_penalty_example() -> None:
    """Red finishes a section above blue's base: blue loses 1.

    Then yellow finishes on top: blue loses 1 for the upper of its two sections and 2 for the lower one.
    """
    table = tower_of_three_colours()
    deliver_last(table, 0, "1.2")
    assert list(table.track) == [20 + 4, 20 - 1, 20, 20]
    deliver_last(table, 2, "1.4")
    assert list(table.track) == [24, 19 - 3, 20 + 6, 20]


def test_r16_nothing_is_left_on_a_card_that_has_paid() -> None:
    table = Table().claim(0, "1.1").all_but("1.1", "lumber").give(lumber=1)
    section = table.section("1.1")
    table.game.card[section, 6:] = (2, 3)
    rubles = int(table.rubles[0])
    table.play("deliver lumber to 1.1")
    assert (table.rubles[0], table.track[0]) == (rubles + 2, 5)
    assert table.finished("1.1") and not table.game.card[section].any()


def test_r16_second_penalty_example() -> None:
    """Blue finishes its upper section and loses 1 for its base, for red's section but not for its own.

    Then yellow finishes on top: blue loses 2, for red's and yellow's.
    """
    table = tower_of_three_colours()
    deliver_last(table, 0, "1.2")
    table.track[:] = 20
    deliver_last(table, 1, "1.3")
    assert list(table.track) == [20, 20 + 4 - 1, 20, 20]
    deliver_last(table, 2, "1.4")
    assert list(table.track) == [20, 23 - 2, 26, 20]


def test_r17_decoration_example_cross_with_two_different_gems() -> None:
    """A cross with both kinds of gem on a dome takes all three deliveries and gives 3 prestige."""
    table = Table(4).finish(0, "1.1", "1.2", "1.3", "1.4").turn_of(2).give(2, gold=1, green_gem=1, purple_gem=1)
    table.play("adorn 1.4")
    assert table.legal() == {"gems none", "gems green", "gems purple", "gems green purple"}
    table.play("gems green purple")
    assert table.track[2] == 13  # the marker moves from 2 to the third prestige space
    assert table.hand(2) == {}
    assert (table.supply("gold"), table.supply("green_gem"), table.supply("purple_gem")) == (15, 10, 10)
    assert table.game.ornament[table.section("1.4")] == 2
    assert table.ornaments(2) == {"door": 1, "arch": 2, "cross": 0}
    assert table.point == "end"  # three deliveries are used up


def test_r17_decoration_example_door_with_a_gem_and_cross_without() -> None:
    """A door (lumber and a gem, 1 prestige) and a cross (gold, nothing now) use up the three deliveries."""
    table = Table(4).finish(0, "1.1", "1.2", "1.3", "1.4").turn_of(2).give(2, lumber=1, gold=1, green_gem=2)
    table.play("adorn 1.1", "gems green")
    assert table.track[2] == 5
    assert table.point == "build"
    table.play("adorn 1.4")
    assert table.track[2] == 5 and table.seat == 3  # no delivery is left for the other gem, and the turn is over
    assert table.hand(2) == {"green_gem": 1}
    assert [int(table.game.ornament[table.section(name)]) for name in ("1.1", "1.4")] == [2, 2]


def test_r15_to_r17_combined_example() -> None:
    """Yellow brings the gold that its middle section lacks: 4 recognition and 2 rubles, green below loses 1.

    With the two deliveries left it puts an arch with one gem on that very section: 1 prestige more.
    """
    table = Table(4).claim(3, "1.1").claim(2, "1.2").card("1.2", "middle/1").all_but("1.2", "gold")
    table.turn_of(2).give(2, rubles=0, gold=1, stone=1, purple_gem=1)
    table.track[2], table.track[3] = 2, 10
    table.play("deliver gold to 1.2")
    assert (table.track[2], table.rubles[2], table.track[3]) == (6, 2, 9)
    table.play("adorn 1.2", "gems purple")
    assert table.track[2] == 9  # the next prestige space after 6
    assert table.game.ornament[table.section("1.2")] == 2
    assert table.hand(2) == {}
    assert table.point == "end"  # three deliveries are used up
    assert table.ornaments(2) == {"door": 1, "arch": 1, "cross": 1}


# ---


def test_r15_deliveries_go_to_own_unfinished_sections_that_need_them() -> None:
    """Base 1 takes lumber and brick, base 2 lumber and stone; base 3 belongs to blue, and tower 4 is unclaimed."""
    table = Table().claim(0, "1.1").claim(0, "2.1", lumber=2).claim(1, "3.1").give(0, lumber=1, stone=1, gold=1)
    assert table.missing("2.1") == {"stone": 1}
    delivers = {words for words in table.legal() if words.startswith("deliver")}
    assert delivers == {"deliver lumber to 1.1", "deliver stone to 2.1"}


def test_r15_a_finished_section_takes_nothing_more() -> None:
    table = Table().finish(0, "1.1").give(0, lumber=3, brick=3)
    assert not any(words.startswith("deliver") for words in table.legal())


def test_r15_three_deliveries_and_no_more() -> None:
    table = Table().claim(0, "1.1", "2.1").give(0, lumber=5)
    table.play("deliver lumber to 1.1", "deliver lumber to 2.1")
    assert (table.point, table.seat) == ("build", 0)
    table.play("deliver lumber to 2.1")
    assert (table.point, table.seat) == ("start", 1)
    assert table.hand(0) == {"lumber": 2}
    assert table.missing("1.1") == {"lumber": 1, "brick": 1} and table.missing("2.1") == {"stone": 1}
    assert table.supply("lumber") == 15  # materials on unfinished sections are not in the supply


def test_r15_the_action_may_end_after_the_first_delivery() -> None:
    table = Table().claim(0, "1.1").give(0, lumber=2)
    assert "done" not in table.legal()
    table.play("deliver lumber to 1.1")
    assert table.legal() == {"deliver lumber to 1.1", "done"}
    table.play("done")
    assert table.seat == 1 and table.hand(0) == {"lumber": 1}


def test_r15_the_action_ends_by_itself_when_nothing_more_can_be_delivered() -> None:
    table = Table().claim(0, "1.1").give(0, brick=2).play("deliver brick to 1.1")
    assert table.seat == 1 and table.hand(0) == {"brick": 1}


def test_r15_ornament_and_gems_are_chosen_in_two_steps_with_nothing_between() -> None:
    table = Table().finish(1, "1.1").give(0, lumber=1, green_gem=1)
    table.track[0] = 30
    table.play("adorn 1.1")
    assert table.point == "gems"
    assert table.legal() == {"gems none", "gems green"}
    assert table.game.ornament[table.section("1.1")] == 0 and table.hand(0) == {"green_gem": 1}


# ---


def test_r16_a_finished_section_returns_its_materials_and_rewards_its_owner() -> None:
    table = Table(4).claim(0, "1.1", "1.2").card("1.2", "middle/19").all_but("1.2", "gold").give(0, gold=1, rubles=1)
    assert (table.supply("brick"), table.supply("stone"), table.supply("gold")) == (19, 18, 14)
    table.play("deliver gold to 1.2")
    assert (table.supply("brick"), table.supply("stone"), table.supply("gold")) == (20, 20, 15)
    assert (table.track[0], table.rubles[0]) == (7, 4)  # 5 recognition, 3 rubles
    assert table.finished("1.2") and table.game.owner[table.section("1.2")] == 0
    assert table.missing("1.2") == {}


def test_r16_penalties_skip_unclaimed_and_finished_sections_and_those_above() -> None:
    """Blue's finished base and green's unfinished dome above cost nobody anything."""
    table = Table(4).finish(1, "1.1").claim(0, "1.2").claim(2, "1.3").claim(3, "1.4")
    table.all_but("1.2", "gold").give(0, gold=1)
    table.track[:] = 20
    table.play("deliver gold to 1.2")
    assert list(table.track) == [24, 20, 20, 20]


def test_r16_penalties_count_finished_sections_above_the_one_just_finished_too() -> None:
    """Yellow's dome is finished; red then finishes below it: green's base pays for both."""
    table = Table(4).claim(3, "1.1").claim(0, "1.2").claim(1, "1.3").finish(2, "1.4")
    table.all_but("1.2", "gold").give(0, gold=1)
    table.track[:] = 20
    table.play("deliver gold to 1.2")
    assert list(table.track) == [24, 20, 20, 18]  # blue's section lies above the one just finished: no penalty


def test_r16_other_towers_are_not_concerned() -> None:
    table = Table(4).claim(1, "1.1").claim(1, "2.1").claim(0, "1.2").all_but("1.2", "gold").give(0, gold=1)
    table.track[:] = 20
    table.play("deliver gold to 1.2")
    assert list(table.track) == [24, 19, 20, 20]


def test_r16_the_action_goes_on_after_a_section_is_finished() -> None:
    table = Table(4).claim(0, "1.1", "2.1").all_but("1.1", "brick").give(0, brick=1, lumber=2)
    table.play("deliver brick to 1.1", "deliver lumber to 2.1", "deliver lumber to 2.1")
    assert table.finished("1.1") and table.missing("2.1") == {"stone": 1}
    assert table.track[0] == 5 and table.seat == 1


def about_to_end(players: int = 4) -> Table:
    """Set up red with five finished sections, a sixth that lacks one gold, and goods for a further action."""
    table = Table(players).claim(1, "1.1").finish(0, "2.1", "2.2", "2.3", "3.1", "3.2")
    table.claim(0, "1.2").card("1.2", "middle/1").all_but("1.2", "gold").give(0, gold=1, lumber=1, rubles=0)
    table.track[:players] = 20
    return table


def test_r16_sixth_section_recognition_then_penalty_then_three_prestige() -> None:
    """20 and 4 recognition make 24, a prestige space; three more lie on 27, 30 and 33."""
    table = about_to_end().play("deliver gold to 1.2")
    assert (table.track[0], table.rubles[0], table.track[1]) == (33, 2, 19)
    assert table.game.ending == 0


def test_r16_the_turn_that_triggers_the_ending_is_played_to_its_end() -> None:
    table = about_to_end().play("deliver gold to 1.2")
    assert (table.point, table.seat) == ("build", 0)
    table.play("adorn 2.1")
    assert table.game.ornament[table.section("2.1")] == 0
    table.play("reroll 5", "rubles", "done", "rubles", "done")
    assert table.seat == 1 and table.game.status == 0


def test_r16_only_the_first_sixth_section_pays_three_prestige() -> None:
    table = about_to_end().play("deliver gold to 1.2").end_turn()
    table.finish(1, "4.1", "4.2", "5.1", "5.2", "5.3").card("1.1", "base/1").all_but("1.1", "brick").give(1, brick=1)
    table.track[1] = 20
    table.play("deliver brick to 1.1")
    assert (table.track[1], table.game.ending) == (23, 0)
    table.end_turn().pass_turn().pass_turn()
    assert table.game.status == 1  # each other seat has one more turn, red has none


# ---


def test_r17_ornaments_fit_their_kind_of_section() -> None:
    """A door on a base takes lumber, an arch on a middle takes stone, a cross on a dome takes gold."""
    for material, sections in (("lumber", {"1.1", "2.1"}), ("stone", {"1.2"}), ("gold", {"1.3"}), ("brick", set())):
        table = Table().finish(1, "1.1", "1.2", "1.3").finish(0, "2.1").claim(1, "2.2").give(0, **{material: 1})
        adorns = {words for words in table.legal() if words.startswith("adorn")}
        assert adorns == {f"adorn {section}" for section in sections}


def test_r17_an_ornament_placed_is_counted_as_an_ornament_alone() -> None:
    """Ties are decided by finished sections first, then by ornaments (R-28), so the two must not be mixed up."""
    table = Table().finish(1, "1.1").give(0, lumber=1)
    before = [table.game.works[seat].tolist() for seat in range(2)]
    table.play("adorn 1.1")
    before[0][DOOR] -= 1
    before[0][ADORNED] += 1
    assert [table.game.works[seat].tolist() for seat in range(2)] == before


def test_r17_one_ornament_a_section_whoever_owns_it() -> None:
    """A section of any seat can take an ornament, but only one."""
    table = Table(3).finish(0, "1.1").finish(1, "2.1").finish(2, "3.1").give(0, lumber=1, rubles=0).adorn(1, "3.1")
    assert {words for words in table.legal() if words.startswith("adorn")} == {"adorn 1.1", "adorn 2.1"}
    table.play("adorn 2.1")
    assert table.game.ornament[table.section("2.1")] == 0 and table.game.owner[table.section("2.1")] == 1


def test_r17_ornaments_run_out() -> None:
    table = Table().finish(1, "1.1", "2.1", "3.1", "1.2", "2.2", "3.2").give(0, lumber=2, stone=3)
    table.adorn(0, "1.1", "1.2")
    adorns = {words for words in table.legal() if words.startswith("adorn")}
    assert adorns == {"adorn 2.2", "adorn 3.2"}  # the one door is used, one of two arches is left
    table.adorn(0, "2.2")
    assert not any(words.startswith("adorn") for words in table.legal())


def test_r17_advanced_only_available_ornaments() -> None:
    table = Table(workshop="advanced").finish(1, "1.1", "1.2").give(0, lumber=1, stone=1)
    assert not any(words.startswith("adorn") for words in table.legal())
    table.game.works[0, 1] = 1
    assert {words for words in table.legal() if words.startswith("adorn")} == {"adorn 1.2"}


@pytest.mark.parametrize(
    ("gems", "words", "after"),
    [
        ({"green_gem": 1}, "gems none", 2),
        ({"green_gem": 1}, "gems green", 5),
        ({"purple_gem": 1}, "gems purple", 5),
        ({"green_gem": 2}, "gems green green", 9),
        ({"purple_gem": 2}, "gems purple purple", 9),
        ({"green_gem": 1, "purple_gem": 1}, "gems green purple", 13),
    ],
)
def test_r17_prestige_for_gems(gems: dict[str, int], words: str, after: int) -> None:
    table = Table().finish(1, "1.1").give(0, lumber=1, **gems).play("adorn 1.1", words)
    assert table.track[0] == after


def test_r17_every_gem_choice_in_hand_is_offered() -> None:
    everything = {
        "gems none",
        "gems green",
        "gems purple",
        "gems green green",
        "gems purple purple",
        "gems green purple",
    }
    table = Table().finish(1, "1.1").give(0, lumber=1, green_gem=2, purple_gem=2).play("adorn 1.1")
    assert table.legal() == everything


def test_r17_gems_are_limited_by_the_deliveries_left() -> None:
    table = Table().claim(0, "1.1").finish(1, "2.1").give(0, lumber=1, brick=1, green_gem=1, purple_gem=1)
    table.play("deliver brick to 1.1", "adorn 2.1")
    assert table.legal() == {"gems none", "gems green", "gems purple"}

    table = Table().claim(0, "1.1").finish(1, "2.1").give(0, lumber=2, brick=1, green_gem=1, purple_gem=1)
    table.play("deliver brick to 1.1", "deliver lumber to 1.1", "adorn 2.1")
    assert table.seat == 1  # no delivery left for gems: the turn is over
    assert table.hand(0) == {"green_gem": 1, "purple_gem": 1}


def test_r17_two_ornaments_in_one_action_and_the_supply_gets_everything_at_once() -> None:
    table = Table().finish(1, "1.1", "1.2").give(0, lumber=1, stone=1, green_gem=1)
    table.play("adorn 1.1", "gems none", "adorn 1.2", "gems green")
    assert table.track[0] == 5 and table.seat == 1
    assert table.hand(0) == {}
    assert (table.supply("lumber"), table.supply("stone"), table.supply("green_gem")) == (20, 20, 10)


def test_r17_an_unfinished_section_is_not_adorned() -> None:
    table = Table().claim(0, "1.1").give(0, lumber=3)
    assert not any(words.startswith("adorn") for words in table.legal())


# ---


def test_r18_a_guild_delivery_is_one_material_for_one_ruble() -> None:
    table = Table().claim(0, "1.1").finish(1, "2.1").give(0, lumber=3, rubles=1).visit("teamsters", 1)
    table.play("guild 1")
    assert table.rubles[0] == 0
    assert table.legal() == {"deliver lumber to 1.1", "adorn 2.1"}  # `done` is not legal before the first delivery
    table.play("deliver lumber to 1.1")
    assert table.point == "market" and table.missing("1.1") == {"lumber": 1, "brick": 1}
    assert not any(words.startswith("guild") for words in table.legal())


def test_r18_two_guild_deliveries_for_three_rubles_with_done_after_the_first() -> None:
    table = Table().claim(0, "1.1").give(0, lumber=2, brick=1, rubles=3).visit("teamsters", 1).play("guild 2")
    assert table.rubles[0] == 0
    table.play("deliver lumber to 1.1")
    assert table.legal() == {"deliver lumber to 1.1", "deliver brick to 1.1", "done"}
    table.play("deliver brick to 1.1")
    assert table.point == "market"

    table = Table().claim(0, "1.1").give(0, lumber=2, brick=1, rubles=3).visit("teamsters", 1)
    table.play("guild 2", "deliver lumber to 1.1", "done")
    assert table.point == "market" and table.hand(0) == {"lumber": 1, "brick": 1}
    assert table.legal() == {"obtain", "done"}


def test_r18_a_guild_delivery_can_finish_decorate_and_end() -> None:
    """The rewards, the penalty and the ending follow as in the build action; the market goes on afterwards."""
    table = about_to_end().visit("teamsters", 1).give(0, rubles=3).play("guild 2", "deliver gold to 1.2")
    assert (table.track[0], table.rubles[0], table.track[1], table.game.ending) == (33, 2, 19, 0)
    table.play("adorn 3.1")
    assert table.point == "market" and "obtain" in table.legal()


def test_r18_one_guild_delivery_leaves_none_for_gems() -> None:
    table = Table().finish(1, "1.1").give(0, lumber=1, green_gem=1, rubles=1).visit("teamsters", 1)
    table.play("guild 1")  # the one delivery is the ornament, and it is the only one possible
    assert table.game.ornament[table.section("1.1")] == 0
    assert table.point == "market" and table.hand(0) == {"green_gem": 1}


def test_r18_two_guild_deliveries_set_one_gem() -> None:
    table = Table().finish(1, "1.1").give(0, lumber=1, green_gem=1, purple_gem=1, rubles=3).visit("teamsters", 1)
    table.play("guild 2")
    assert table.legal() == {"gems none", "gems green", "gems purple"}
    table.play("gems purple")
    assert table.track[0] == 5 and table.point == "market"
