"""Tests of the end of the game: last round, towers, scores, places, rewards (R-25 to R-29)."""

from itertools import product

import numpy as np
import pytest
from table import Table

from rc_env.rules.printed.components import REWARDS
from rc_env.rules.printed.data_file import load

PRESTIGE = load().tables["track"]["prestige"]


def shares(worth: int, presence: list[int]) -> list[int]:
    """Compute R-26 and R-27 a second time, by listing the places; return what each seat gets of a tower."""
    present = sorted((n for n in presence if n), reverse=True)
    if len(presence) == 2:
        if presence[0] == presence[1]:
            return [0, 0]
        return [worth if n == present[0] else worth // 3 if n else 0 for n in presence]
    places, part = [], worth
    for _ in present:
        places.append(part)
        part //= 2
    covered = {n: [p for p, m in zip(places, present, strict=True) if m == n] for n in set(present)}
    return [sum(covered[n]) // len(covered[n]) if n else 0 for n in presence]


def bare(players: int = 2, **settings) -> Table:
    """Return a table with every seat's marker on 0 and without goods."""
    table = Table(players, **settings)
    table.track[:players] = 0
    table.rubles[:players] = 0
    return table


def end_now(table: Table) -> Table:
    """Let the turn of the last seat pass without any gain, after seat 0 has triggered the ending."""
    table.game.ending = 0
    table.turn_of(table.ruleset.players - 1).play("move red").end_turn()
    assert table.engine.terminated[0]
    return table


# --- the rulebook's examples


def test_r25_markers_example() -> None:
    """A marker between the spaces of prestige 14 and 15 counts 14; a marker on the space of 18 stays there."""
    table = Table(4)
    table.track[2], table.track[3] = 46, 53
    assert PRESTIGE[13] < 46 < PRESTIGE[14] and PRESTIGE[17] == 53
    assert table.engine.results().track[0, 2:].tolist() == [14, 18]
    end_now(table)
    assert table.engine.results().track[0, 2:].tolist() == [14, 18]
    assert list(table.track[2:]) == [46, 53]  # the record of a finished game keeps the places of the markers


RED, BLUE, YELLOW, GREEN = range(4)


def test_r26_four_player_tower_example() -> None:
    """The six towers of the rulebook's picture are rebuilt from values and shares: 21 sections and 11 ornaments.

    The printed shares are 7 for green, 2 each for yellow and red; 5 blue, 2 yellow; 12 blue, 6 yellow, 2 each green and
    red; 10 green, 5 red, 2 yellow; 9 blue, 2 each yellow, red, green; 9 red, 4 green (the cross is green's), 2 blue.
    """
    table = Table(4, plan=1)
    assert table.heights == [3, 4, 5, 5, 4, 3]
    for tower, owners in enumerate(
        (
            (GREEN, YELLOW, RED),
            (BLUE, YELLOW),
            (BLUE, BLUE, YELLOW, GREEN, RED),
            (GREEN, GREEN, RED, YELLOW),
            (BLUE, YELLOW, RED, GREEN),
            (RED, GREEN, BLUE),
        ),
        1,
    ):
        for level, owner in enumerate(owners, 1):
            table.finish(owner, f"{tower}.{level}")
    table.adorn(GREEN, "1.1", "4.2", "6.3").adorn(BLUE, "2.1", "3.2", "5.2")
    table.adorn(YELLOW, "3.3").adorn(RED, "4.3", "6.1", "6.2")
    #                    red blue yellow green
    assert table.standing(1) == (7, [1, 0, 1, 2], [2, 0, 2, 7])
    assert table.standing(2) == (5, [0, 2, 1, 0], [0, 5, 2, 0])
    assert table.standing(3) == (12, [1, 3, 2, 1], [2, 12, 6, 2])
    assert table.standing(4) == (10, [2, 0, 1, 3], [5, 0, 2, 10])
    assert table.standing(5) == (9, [1, 2, 1, 1], [2, 9, 2, 2])
    assert table.standing(6) == (9, [3, 1, 0, 2], [9, 2, 0, 4])
    towers = table.engine.results().towers[0]
    assert towers.T.tolist() == [table.standing(tower)[2] for tower in range(1, 7)]


def test_r27_two_player_tower_example() -> None:
    """Green (here seat 0) gets 8 alone in the first tower; then yellow (seat 1) 6 and green 2; yellow 8, green 2; green
    5, yellow 1.
    """
    green, yellow = 0, 1
    table = Table(2, plan=2)
    assert table.heights == [3, 2, 4, 3]
    table.finish(green, "1.1", "1.2", "1.3").adorn(green, "1.1", "1.3")
    table.finish(green, "2.1").finish(yellow, "2.2").adorn(yellow, "2.1", "2.2")
    table.finish(yellow, "3.1", "3.2").finish(green, "3.3").adorn(yellow, "3.2", "3.3")
    table.finish(yellow, "4.1").finish(green, "4.2").adorn(green, "4.2")
    assert table.standing(1) == (8, [5, 0], [8, 0])
    assert table.standing(2) == (6, [1, 3], [2, 6])
    assert table.standing(3) == (8, [1, 4], [2, 8])
    assert table.standing(4) == (5, [2, 1], [5, 1])
    assert table.engine.results().towers[0].tolist() == [[8, 2, 2, 5], [0, 6, 8, 1]]


@pytest.mark.parametrize("adorned", [("1.1",), ()])
def test_r27_a_tower_with_two_pieces_each_pays_nobody(adorned: tuple[str, ...]) -> None:
    """Two sections against one with an ornament on it, or against two sections: a tie gives nobody anything."""
    table = Table(2, plan=1)
    assert table.heights == [4, 2, 4, 2]
    table.finish(1, "1.1").finish(0, "1.2", "1.3")
    table = table.adorn(1, *adorned) if adorned else table.finish(1, "1.4")
    assert table.standing(1) == (7 if adorned else 8, [2, 2], [0, 0])
    assert table.engine.results().towers[0, :, 0].tolist() == [0, 0]


# --- the last round


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r25_each_other_player_has_one_more_turn_in_order(players: int) -> None:
    for trigger in range(players):
        table = Table(players).turn_of(trigger)
        table.finish(trigger, "1.1", "1.2", "2.1", "2.2", "3.1").claim(trigger, "4.1")
        table.all_but("4.1", "brick").give(trigger, brick=1)
        assert table.game.ending == -1
        table.play("deliver brick to 4.1").end_turn()
        assert table.game.ending == trigger
        order = []
        while table.game.status == 0:
            order.append(table.seat)
            table.pass_turn()
        assert order == [(trigger + i) % players for i in range(1, players)]
        assert table.engine.terminated[0] and not table.engine.truncated[0]
        assert table.legal() == set() and table.point == "over"


def test_r25_before_the_sixth_section_nothing_ends() -> None:
    table = Table().finish(0, "1.1", "1.2", "2.1", "2.2").claim(0, "4.1").all_but("4.1", "brick").give(0, brick=1)
    table.play("deliver brick to 4.1")
    assert table.game.ending == -1
    for _ in range(6):
        table.pass_turn()
    assert table.game.status == 0


# --- goods


def test_r25_one_prestige_for_five_materials_and_rubles_together() -> None:
    for rubles in range(12):
        for lumber in range(6):
            table = bare().give(0, rubles=rubles, lumber=lumber, gold=1)
            assert table.engine.results().goods[0].tolist() == [(rubles + lumber + 1) // 5, 0]


def test_r25_materials_on_unfinished_sections_count_for_nobody() -> None:
    table = bare().claim(0, "1.1", lumber=2).give(0, rubles=4)
    table.refresh()
    assert table.engine.results().prestige[0].tolist() == [0, 0]


def test_r25_the_score_is_track_goods_and_towers() -> None:
    table = bare().finish(0, "1.1").finish(1, "1.2", "2.1").adorn(1, "1.1").give(0, rubles=7)
    table.track[:2] = (46, 85)
    table.refresh()
    result = table.engine.results()
    assert result.track[0].tolist() == [14, 41] and result.goods[0].tolist() == [1, 0]
    # Tower 1 is worth 5: seat 1 gets all, seat 0 a third, rounded down. Tower 2 gives seat 1 alone its 2.
    assert result.towers[0].tolist() == [[1, 0, 0, 0], [5, 2, 0, 0]]
    assert result.prestige[0].tolist() == [16, 48]


# --- towers


def test_r26_a_tie_for_first_leaves_third_place_its_share() -> None:
    """The tower is worth eleven: the two tied seats share 11 and 5 and get 8 each; the third keeps 2."""
    table = Table(4, plan=1).finish(0, "3.1", "3.2").finish(1, "3.3").finish(2, "3.4")
    table.adorn(0, "3.2").adorn(1, "3.1", "3.3")
    assert table.standing(3) == (11, [3, 3, 1, 0], [8, 8, 2, 0])


@pytest.mark.parametrize(
    ("worth", "presence", "expected"),
    [
        (11, [2, 2, 1], [8, 8, 2]),
        (11, [2, 1, 1], [11, 3, 3]),
        (10, [1, 1, 1], [5, 5, 5]),
        (9, [3, 2, 1], [9, 4, 2]),
        (2, [1, 0, 0], [2, 0, 0]),
        (7, [2, 1, 1, 0], [7, 2, 2, 0]),
        (9, [1, 1, 1, 2], [2, 2, 2, 9]),
        (12, [1, 1, 1, 1], [5, 5, 5, 5]),
        (10, [2, 2, 1, 1], [7, 7, 1, 1]),
        (6, [1, 1], [0, 0]),
        (7, [2, 1], [7, 2]),
        (7, [3, 0], [7, 0]),
        (2, [1, 3], [0, 2]),
        (0, [0, 0], [0, 0]),
    ],
)
def test_r26_r27_shares_by_hand(worth: int, presence: list[int], expected: list[int]) -> None:
    """The second computation of shares, which the next test compares the engine with, is right in cases worked out by
    hand.
    """
    assert shares(worth, presence) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r26_r27_every_distribution_of_a_tower(players: int) -> None:
    """The shares are right for every way to give the sections of a tower of three to the seats, with or without
    ornaments.
    """
    table = Table(players, plan=0 if players == 2 else 1)
    tower = next(i for i, height in enumerate(table.heights, 1) if height == 3)
    first = table.section(f"{tower}.1")
    seats = range(-1, players)
    seen = set()
    for owners in product(range(players), repeat=3):
        for done in product((0, 1), repeat=3):
            for ornaments in product(seats, repeat=3):
                if any(o >= 0 and not d for o, d in zip(ornaments, done, strict=True)):
                    continue
                if players > 2 and sum(o >= 0 for o in ornaments) > 1 and len(set(owners)) == 1:
                    continue  # skip most of the uninteresting ones
                presence = [0] * players
                for owner, finished, ornament in zip(owners, done, ornaments, strict=True):
                    presence[owner] += finished
                    if ornament >= 0:
                        presence[ornament] += 1
                worth = 2 * sum(done) + sum(o >= 0 for o in ornaments)
                key = (worth, *presence)
                if key in seen:
                    continue
                seen.add(key)
                table.game.owner[first : first + 3] = owners
                table.game.finished[first : first + 3] = done
                table.game.ornament[first : first + 3] = ornaments
                assert table.standing(tower) == (worth, presence, shares(worth, presence))
    assert len(seen) > 30


def test_r26_the_owner_of_an_ornament_counts_not_that_of_the_section() -> None:
    table = Table(3).finish(0, "1.1").adorn(2, "1.1")
    assert table.standing(1) == (3, [1, 0, 1], [2, 0, 2])


def test_r26_unfinished_sections_count_for_nothing() -> None:
    table = Table(3).claim(0, "1.1", lumber=2).finish(1, "1.2")
    assert table.standing(1) == (2, [0, 1, 0], [0, 2, 0])


def test_r26_standings_follow_every_delivery_and_ornament() -> None:
    table = Table(3).claim(0, "1.1").all_but("1.1", "brick").give(0, brick=1, lumber=1)
    assert table.standing(1)[0] == 0
    table.engine.step([table.engine.text_to_action("deliver brick to 1.1")])
    assert (table.game.worth[0], table.game.share[0, 0]) == (2, 2)
    table.engine.step([table.engine.text_to_action("adorn 1.1")])
    assert (table.game.worth[0], table.game.presence[0, 0], table.game.share[0, 0]) == (3, 2, 3)


# --- winners and rewards


def level_scores(prestige: list[int], sections: list[int], ornaments: list[int], **settings) -> Table:
    """Return a game in which the markers alone give this final prestige, with these counts of finished sections and
    ornaments.
    """
    table = bare(len(prestige), **settings)
    for seat, points in enumerate(prestige):
        table.track[seat] = PRESTIGE[points - 1] if points else 0
        table.game.works[seat, 4], table.game.works[seat, 5] = sections[seat], ornaments[seat]
    return table


@pytest.mark.parametrize(
    ("prestige", "sections", "ornaments", "places"),
    [
        ([10, 9], [0, 5], [0, 3], [0, 1]),
        ([9, 10], [6, 5], [4, 3], [1, 0]),
        ([10, 10], [4, 5], [3, 0], [1, 0]),
        ([10, 10], [5, 5], [2, 1], [0, 1]),
        ([10, 10], [5, 5], [2, 2], [0, 0]),
        ([10, 12, 10], [5, 1, 4], [0, 0, 4], [1, 0, 2]),
        ([10, 10, 10], [5, 5, 5], [1, 2, 2], [2, 0, 0]),
        ([8, 9, 10, 10], [6, 6, 3, 3], [0, 0, 2, 2], [3, 2, 0, 0]),
        ([7, 7, 7, 7], [1, 1, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0]),
        ([9, 7, 9, 7], [1, 1, 1, 2], [1, 1, 1, 0], [0, 3, 0, 2]),
    ],
)
def test_r28_prestige_then_sections_then_ornaments_then_shared(
    prestige: list[int], sections: list[int], ornaments: list[int], places: list[int]
) -> None:
    table = end_now(level_scores(prestige, sections, ornaments))
    result = table.engine.results()
    assert result.prestige[0].tolist() == prestige
    assert result.place[0].tolist() == places
    assert result.winners[0].tolist() == [place == 0 for place in places]
    # Reward "win": the places are evenly spaced from 1 to -1, and tied seats get the mean of theirs.
    last = len(places) - 1
    worth = [1 - 2 * place / last for place in range(last + 1)]
    ranks = sorted(places)
    expected = [np.mean([worth[i] for i, rank in enumerate(ranks) if rank == place]) for place in places]
    assert table.paid.tolist() == pytest.approx(expected)
    assert sum(table.paid.tolist()) == pytest.approx(0, abs=1e-6)


def test_r28_rewards_of_two_players() -> None:
    assert end_now(level_scores([10, 9], [0, 0], [0, 0])).paid.tolist() == [1, -1]
    assert end_now(level_scores([9, 10], [0, 0], [0, 0])).paid.tolist() == [-1, 1]
    assert end_now(level_scores([9, 9], [0, 0], [0, 0])).paid.tolist() == [0, 0]


@pytest.mark.parametrize("prestige", [[10, 4], [4, 10], [7, 7], [10, 4, 1], [3, 9, 9, 3], [30, 0, 0, 0]])
def test_r28_margin_and_score_rewards(prestige: list[int]) -> None:
    """Reward "margin" is the own prestige less the mean of the others', over the 40 of a lap; "score" is the prestige
    itself.
    """
    nothing = [0] * len(prestige)
    paid = end_now(level_scores(prestige, nothing, nothing, reward="margin")).paid.tolist()
    others = [(sum(prestige) - mine) / (len(prestige) - 1) for mine in prestige]
    assert paid == pytest.approx([(mine - mean) / 40 for mine, mean in zip(prestige, others, strict=True)])
    assert sum(paid) == pytest.approx(0, abs=1e-6)
    assert end_now(level_scores(prestige, nothing, nothing, reward="score")).paid.tolist() == prestige


@pytest.mark.parametrize(
    ("prestige", "expected"),
    [
        ([10, 4], [1, -1]),
        ([7, 7], [0, 0]),
        ([4, 10, 9], [-1 / 2, 1, -1 / 2]),
        ([9, 4, 9], [1 / 4, -1 / 2, 1 / 4]),
        ([3, 9, 9, 3], [-1 / 3, 1 / 3, 1 / 3, -1 / 3]),
        ([8, 7, 6, 5], [1, -1 / 3, -1 / 3, -1 / 3]),
    ],
)
def test_r28_first_pays_winners_alone(prestige: list[int], expected: list[float]) -> None:
    nothing = [0] * len(prestige)
    assert end_now(level_scores(prestige, nothing, nothing, reward="first")).paid.tolist() == pytest.approx(expected)


def test_r28_a_margin_beyond_a_lap_is_still_within_one() -> None:
    table = level_scores([0, 0], [0, 0], [0, 0], reward="margin")
    table.track[1] = 240  # 120 prestige
    assert end_now(table).paid.tolist() == [-1, 1]


def test_r28_nothing_is_paid_before_the_end() -> None:
    for reward in REWARDS:
        table = Table(3, reward=reward)
        for _ in range(7):
            table.pass_turn()
            assert table.paid.tolist() == [0, 0, 0]


# --- the turn limit


@pytest.mark.parametrize("limit", [1, 3, 7])
def test_r29_the_game_is_truncated_when_the_turn_of_that_number_ends(limit: int) -> None:
    table = Table(3, turn_limit=limit)
    table.track[1] = 46
    for turn in range(1, limit + 1):
        assert (table.game.turn, table.game.status, table.seat) == (turn, 0, (turn - 1) % 3)
        table.pass_turn()
    assert table.engine.truncated[0] and not table.engine.terminated[0]
    assert table.game.turn == limit
    assert table.legal() == set() and table.point == "over"
    assert table.engine.results().winners[0].tolist() == [False, True, False]
    assert table.paid[1] == 1 and sum(table.paid) == pytest.approx(0, abs=1e-6)


def test_r29_a_game_that_ends_with_the_last_turn_is_not_truncated() -> None:
    for limit, truncated in ((2, False), (3, False), (1, True)):
        table = Table(2, turn_limit=limit).finish(0, "1.1", "1.2", "2.1", "2.2", "3.1").claim(0, "4.1")
        table.all_but("4.1", "brick").give(0, brick=1).play("deliver brick to 4.1").end_turn()
        if table.game.status == 0:
            table.pass_turn()
        assert (table.engine.truncated[0], table.engine.terminated[0]) == (truncated, not truncated)


def test_r29_a_thousand_turns_by_default() -> None:
    assert Table().ruleset.turn_limit == 1000
    table = Table()
    table.game.turn = 999
    table.pass_turn()
    assert (table.game.turn, table.game.status) == (1000, 0)
    table.pass_turn()
    assert table.engine.truncated[0]
