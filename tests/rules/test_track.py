"""Tests of the score track (R-1 to R-4)."""

import pytest
from table import Table

PRESTIGE = Table().tables["track"]["prestige"]


def prestige_spaces(laps: int) -> list[int]:
    """Return every prestige space of the first laps, as R-1 counts them."""
    return [80 * lap + space for lap in range(laps) for space in PRESTIGE]


def scholar(at: int) -> Table:
    """Return a table with the red seat, its marker at this place, at the clergy that sells 1 prestige for 3 rubles."""
    table = Table().give(0, rubles=30)
    table.track[0] = at
    return table.visit("clergy", 2)


def test_r1_markers_start_on_space_2() -> None:
    for players in (2, 3, 4):
        assert list(Table(players).track[:players]) == [2] * players


def test_r1_the_table_holds_what_is_printed() -> None:
    """A lap of 80 spaces has 40 prestige, the first two on spaces 5 and 9, with gaps that never grow."""
    assert len(PRESTIGE) == 40
    assert PRESTIGE[:2] == [5, 9] and PRESTIGE[-1] == 80
    gaps = [b - a for a, b in zip([0, *PRESTIGE], PRESTIGE, strict=False)]
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize(
    ("before", "after"),
    [(0, 5), (2, 5), (4, 5), (5, 9), (7, 9), (8, 9), (9, 13), (38, 39), (39, 41), (63, 64), (64, 65), (79, 80)],
)
def test_r3_gaining_prestige_goes_to_the_next_space_strictly_ahead(before: int, after: int) -> None:
    table = scholar(before)
    table.play("guild 1")
    assert table.track[0] == after


@pytest.mark.parametrize(("before", "after"), [(80, 85), (81, 85), (85, 89), (159, 160), (160, 165), (243, 245)])
def test_r1_prestige_spaces_repeat_every_lap(before: int, after: int) -> None:
    table = scholar(before)
    table.play("guild 1")
    assert table.track[0] == after


@pytest.mark.parametrize(
    ("before", "after"),
    [(6, 5), (7, 5), (9, 5), (10, 9), (13, 9), (41, 39), (64, 63), (79, 78), (80, 79)]
    + [(81, 80), (83, 80), (85, 80), (86, 85), (160, 159), (163, 160), (165, 160)],
)
def test_r3_losing_prestige_goes_to_the_nearest_space_strictly_behind(before: int, after: int) -> None:
    table = Table()
    table.track[0] = before
    table.play("rubles")
    assert table.track[0] == after


@pytest.mark.parametrize("at", range(6))
def test_r3_no_prestige_can_be_lost_up_to_the_first_space(at: int) -> None:
    table = Table()
    table.track[0] = at
    assert table.main() == table.legal()  # neither rubles for prestige nor a re-roll is legal


def test_r3_several_prestige_are_gained_one_by_one() -> None:
    """A cross with two different gems is worth 3: three spaces in turn, also across the end of a lap."""
    for before, after in ((2, 13), (5, 17), (34, 41), (37, 43), (62, 65), (79, 89), (78, 85), (158, 165)):
        table = Table().finish(1, "1.1", "1.2", "1.3").give(0, gold=1, green_gem=1, purple_gem=1)
        table.track[0] = before
        table.play("adorn 1.3", "gems green purple")
        assert table.track[0] == after, before


def test_r2_recognition_moves_by_spaces() -> None:
    for before in (0, 2, 4, 5, 78, 79, 80, 159):
        table = Table()
        table.track[0] = before
        table.visit("clergy", 1).play("guild 1")
        assert table.track[0] == before + 1


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (2, 0), (3, 1), (7, 5), (81, 79)])
def test_r2_losing_recognition_stops_at_0(before: int, after: int) -> None:
    """Blue's unfinished base lies below two finished sections of red."""
    table = Table().claim(1, "1.1").finish(0, "1.2").claim(0, "1.3").all_but("1.3", "gold").give(0, gold=1)
    table.track[1] = before
    table.play("deliver gold to 1.3")
    assert table.finished("1.3")
    assert table.track[1] == after


def test_r4_prestige_of_a_marker() -> None:
    """The prestige of a marker is the number of prestige spaces at or behind it: 0 on 4, 1 on 5, 40 on 80, 41 on 85."""
    spaces = prestige_spaces(4)
    table = Table()
    for at in range(320):
        table.track[0] = at
        assert table.engine.results().track[0, 0] == sum(space <= at for space in spaces), at
    for at, prestige in ((0, 0), (4, 0), (5, 1), (8, 1), (9, 2), (79, 39), (80, 40), (84, 40), (85, 41), (160, 80)):
        table.track[0] = at
        assert table.engine.results().track[0, 0] == prestige
