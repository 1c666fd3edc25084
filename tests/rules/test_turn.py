"""Tests of the turn: decision points, optional actions, single legal actions (R-9 to R-11, and the table of points)."""

from collections.abc import Callable

import numpy as np
import pytest
from table import BASE_DIE_NAMES, Table
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.jit import settings


def rich(players: int = 2) -> Table:
    """Return a table at which the red seat can pay for anything: prestige to lose, rubles, one of each material."""
    table = Table(players).give(0, rubles=20, lumber=1, brick=1, stone=1)
    table.track[0] = 30
    return table


def at_place() -> Table:
    return rich().play("claim 1 from spare")


def at_take() -> Table:
    return rich().play("move red", "obtain")


def at_market() -> Table:
    return rich().workshop(0, "red", "rubles:2").play("move red")


def at_pay() -> Table:
    return rich().visit("craftsmen", 1).play("guild 1")


def at_gain() -> Table:
    return rich().visit("craftsmen", 1).play("guild 2")


def at_tile() -> Table:
    return (
        rich().workshop(0, "white1", "rubles:2").workshop(0, "blue", "lumber:1").visit("merchants", 2).play("guild 2")
    )


def at_swap() -> Table:
    return rich().visit("teamsters", 2).play("guild 2")


def at_build() -> Table:
    return rich().give(0, lumber=1).claim(0, "1.1", "1.2").finish(1, "2.1").play("deliver lumber to 1.1")


def at_guild_build() -> Table:
    return rich().claim(0, "1.1").finish(1, "2.1").visit("teamsters", 1).play("guild 2")


def at_gems() -> Table:
    return rich().finish(1, "2.1").give(0, green_gem=1).play("adorn 2.1")


def at_end() -> Table:
    return rich().play("claim 1 from spare", "place red down")


def at_start() -> Table:
    return rich().claim(0, "1.1").finish(1, "2.1")


OPTIONAL = {"rubles", "reroll"}
POINTS: list[tuple[str, Callable[[], Table], set[str]]] = [
    ("start", at_start, {"move", "claim", "deliver", "adorn"} | OPTIONAL),
    ("place", at_place, {"place"} | OPTIONAL),
    ("take", at_take, {"take"}),
    ("market", at_market, {"obtain", "guild", "workshop", "done"} | OPTIONAL),
    ("pay", at_pay, {"pay"}),
    ("gain", at_gain, {"gain"}),
    ("tile", at_tile, {"workshop"}),
    ("swap", at_swap, {"swap"}),
    ("build", at_build, {"deliver", "adorn", "done"} | OPTIONAL),
    ("build", at_guild_build, {"deliver", "adorn"} | OPTIONAL),
    ("gems", at_gems, {"gems"}),
    ("end", at_end, {"done"} | OPTIONAL),
]


@pytest.mark.parametrize(("point", "reach", "families"), POINTS, ids=[reach.__name__ for _, reach, _ in POINTS])
def test_r9_each_point_offers_its_families_of_actions(point: str, reach: Callable[[], Table], families: set) -> None:
    table = reach()
    assert table.point == point
    assert {words.split()[0] for words in table.legal()} == families


@pytest.mark.parametrize("reach", [reach for _, reach, _ in POINTS], ids=[reach.__name__ for _, reach, _ in POINTS])
def test_r10_optional_actions_at_exactly_five_points(reach: Callable[[], Table]) -> None:
    table = reach()
    offered = {words for words in table.legal() if words.split()[0] in OPTIONAL}
    if table.point in ("start", "place", "market", "build", "end"):
        dice = {int(space) for space in table.game.die_space[:5]}
        assert offered == {"rubles", *(f"reroll {space}" for space in dice)}
    else:
        assert offered == set()


@pytest.mark.parametrize("reach", [at_start, at_place, at_market, at_build, at_guild_build, at_end])
def test_r10_prestige_for_rubles_any_number_of_times_at_every_point(reach: Callable[[], Table]) -> None:
    """Prestige sells for 2 rubles each, from 30 (prestige 8) down to the first prestige space; the point and its
    actions stay.
    """
    table = reach()
    point, rubles, main = table.point, int(table.rubles[0]), table.main()
    for number, space in enumerate((27, 24, 21, 17, 13, 9), 1):
        table.play("rubles")
        assert (table.track[0], table.rubles[0]) == (space, rubles + 2 * number)
        assert table.point == point and table.main() >= main
    table.play("rubles")
    assert table.track[0] == 5 and table.rubles[0] == rubles + 14
    if reach is at_end:  # no optional action is left, so the turn ends automatically
        assert (table.point, table.seat) == ("start", 1)
    else:
        assert table.point == point and table.legal() == table.main()


def test_r10_prestige_for_rubles_at_several_moments_of_a_turn() -> None:
    table = rich()
    table.play("rubles", "claim 1 from spare", "rubles", "place red down", "rubles", "rubles")
    assert table.seat == 0 and table.point == "end"
    assert table.track[0] == 17
    assert table.rubles[0] == 20 + 8


def test_r10_reroll_shows_new_values_in_the_order_of_the_dice() -> None:
    table = rich().dice(red=(6, 1), green=(3, 4), blue=(3, 5))
    assert {words for words in table.legal() if words.startswith("reroll")} == {"reroll 3", "reroll 5", "reroll 6"}
    table.play("reroll 3", dice=[6, 5, 4])
    assert (table.value_of("blue"), table.value_of("yellow"), table.value_of("green")) == (6, 5, 4)
    assert (table.value_of("red"), table.value_of("white")) == (1, 5)
    assert [table.space_of(die) for die in BASE_DIE_NAMES] == [6, 3, 3, 3, 5]
    assert table.track[0] == 27 and table.rubles[0] == 20


@pytest.mark.parametrize("reach", [at_start, at_place, at_market, at_build, at_guild_build, at_end])
def test_r10_reroll_once_a_turn_at_every_point(reach: Callable[[], Table]) -> None:
    table = reach()
    point, main = table.point, table.main()
    table.play("reroll 5", dice=[2])
    assert table.point == point and table.value_of("white") == 2
    assert table.legal() == main | {"rubles"}
    table.end_turn() if "done" in main else table.play(min(table.main()))
    while table.seat == 0:
        assert not any(words.startswith("reroll") for words in table.legal())
        table.play(min(table.legal()))
    while table.seat == 1:
        table.pass_turn()
    assert any(words.startswith("reroll") for words in table.legal())


def test_r10_reroll_needs_prestige_to_lose() -> None:
    table = rich()
    for at, offered in ((5, False), (6, True)):
        table.track[0] = at
        assert ("reroll 5" in table.legal()) == offered
        assert ("rubles" in table.legal()) == offered


def test_r10_the_last_prestige_serves_one_of_the_two() -> None:
    table = rich()
    table.track[0] = 8
    table.play("reroll 5", dice=[1])
    assert table.track[0] == 5 and table.legal() == table.main()


def test_r9_a_turn_with_nothing_optional_left_ends_by_itself() -> None:
    table = Table().play("claim 1 from spare", "place red down")
    assert (table.seat, table.point, table.game.turn) == (1, "start", 2)


def test_r9_a_turn_with_something_optional_waits_for_done() -> None:
    table = Table()
    table.track[0] = 6
    table.play("claim 1 from spare", "place red down")
    assert (table.seat, table.point, table.legal()) == (0, "end", {"done", "rubles", *reroll_words(table)})
    table.play("done")
    assert (table.seat, table.point) == (1, "start")


def reroll_words(table: Table) -> set[str]:
    return {f"reroll {space}" for space in range(8) if table.game.crowd[space]}


def test_r9_a_point_with_a_single_legal_action_is_played() -> None:
    """Without room, guild action or tile, the seat leaves the market, the dice are rolled, and the turn is over."""
    table = Table().give(0, stone=6, rubles=0).guild("teamsters", 1).play("move red", dice=[4])
    assert (table.seat, table.point) == (1, "start")
    assert table.space_of("red") == 0 and table.value_of("red") == 4
    assert table.hand(0) == {"stone": 6}


def test_r9_a_single_amount_and_a_single_payment_are_played() -> None:
    """With room for one lumber only it is taken; with one kind in hand it is paid."""
    table = Table().give(0, lumber=5).play("move red", "obtain")
    assert table.hand(0) == {"lumber": 6} and table.point == "market"
    table.play("guild 1")
    assert table.hand(0) == {"lumber": 5} and table.point == "market"
    assert table.rubles[0] == 4


def test_r9_the_main_action_is_one_of_three() -> None:
    """Each main action leads to the end of the turn, not to another main action."""
    for first in ("claim 2 from spare", "deliver lumber to 1.1", "move red"):
        table = at_start().play(first)
        while table.point != "end":
            table.play("done" if "done" in table.legal() else min(table.legal()))
        assert {words.split()[0] for words in table.legal()} == {"done", *OPTIONAL}
        assert table.seat == 0


def test_r11_r19_moves_of_every_position_of_the_dice() -> None:
    """With random dice, crowded and not, exactly the moves of R-19 are legal, and at least one is."""
    count, rng = 300 if settings.DISABLE_JIT else 3000, np.random.default_rng(11)
    engine = Engine(Ruleset(players=3), count)
    games = writeable(engine)
    near = rng.integers(1, 9, (count, 1))  # the number of spaces among which the dice lie
    spaces = rng.integers(0, 1 << 30, (count, 5)) % near
    while True:
        crowd = np.stack([(spaces == space).sum(1) for space in range(8)], axis=1)
        full = np.flatnonzero(crowd.max(1) > 3)
        if not len(full):
            break
        spaces[full] = rng.integers(0, 8, (len(full), 5))
    games.die_space[:, :5], games.die_value[:, :5] = spaces, rng.integers(1, 7, (count, 5))
    games.crowd[:] = crowd
    games.seat[:] = rng.integers(0, 3, count)
    games.rubles[:] = rng.integers(0, 10, (count, 1))
    engine.restore(engine.clone(same_future=True))
    blocked = 0
    for row, game in enumerate(games):
        expected = set()
        for die, colour in enumerate(BASE_DIE_NAMES):
            for extra in range(8):
                if extra and (die not in (game.seat, 4) or extra > game.rubles[game.seat]):
                    continue
                target = (spaces[row, die] + game.die_value[die] + extra) % 8
                others = sum(spaces[row, other] == target for other in range(5) if other != die)
                blocked += others == 3
                if others < 3:
                    expected.add(f"move {colour}" + (f" +{extra}" if extra else ""))
        words = {engine.action_to_text(a, row) for a in np.flatnonzero(engine.legal_mask()[row])}
        assert {w for w in words if w.startswith("move")} == expected
        assert expected
    assert blocked > count // 30


def test_a_turn_forgets_the_die_and_the_space_of_the_one_before() -> None:
    """What was obtained and used counts for one turn."""
    table = rich().workshop(0, "red", "rubles:2").give(1, rubles=5)
    game = table.game
    table.guild("clergy", 2).play("move red", "workshop red", "obtain", "take 1", "guild 1")
    assert (game.die, game.space, game.obtained, game.worked, game.influenced) == (0, 0, 1, 1, 0)
    table.end_turn()
    assert (game.die, game.space, game.obtained, game.worked, game.influenced) == (-1, -1, 0, 0, -1)
    assert (game.influence_open, game.rerolled) == (0, 0)
