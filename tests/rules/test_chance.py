"""Tests of the named streams of chance: an outcome depends on the key, the stream and its number alone (R-6 to R-8)."""

from collections import Counter

import numpy as np
import pytest
from table import Table
from writeable import writeable

from rc_env.jit import records
from rc_env.rules import chance
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, KINDS, ROLLED

WORD = 2**64
SPLITMIX = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
"""The published first outputs of SplitMix64 from the seed 1234567."""
STEP, APART = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
"""The distances between the words of neighbouring draws, and of neighbouring streams, before they are scrambled."""


def outcome(key: int, stream: int, n: int) -> int:
    return int(chance.outcome(np.uint64(key), stream, n))


def test_a_stream_is_splitmix64() -> None:
    assert [outcome(1234567, 0, n) for n in range(5)] == SPLITMIX


@pytest.mark.parametrize("stream", [1, 7, 33])
def test_streams_lie_apart(stream: int) -> None:
    """Stream s of a key is the first stream of another key, s steps of a constant away."""
    for key in (0, 1234567, WORD - 1):
        for n in (0, 1, 500):
            assert outcome(key, stream, n) == outcome((key + stream * APART) % WORD, 0, n)


def test_no_two_purposes_share_a_stream() -> None:
    used = [0]  # the number of outcomes that the random player has used, see below
    used += [chance.PLAN, chance.TILES, chance.MARKET_TILES, chance.GUILDS, chance.INFLUENCE, chance.DICE_ORDER]
    used += [chance.CARDS + kind for kind in range(len(KINDS))]
    used += [chance.FOURTH_GUILD, chance.FOURTH_CARD, chance.CONTRACTS, chance.CONTRACTS_UNSEEN, chance.BUILDERS]
    used += [chance.IVAN_CARDS, chance.IVAN_TILES, chance.IVAN_MIX, chance.EPISODE, chance.CLONE]
    used += [first + die for first in (chance.DICE_STREAM, chance.IVAN_DICE) for die in range(len(BASE_DIE_NAMES))]
    assert len(set(used)) == len(used)


@pytest.mark.parametrize("bound", [1, 2, 6, 40])
def test_a_number_below_a_bound_is_the_upper_half_of_the_outcome_scaled(bound: int) -> None:
    for n in range(50):
        expected = ((outcome(99, 3, n) >> 32) * bound) >> 32
        assert chance.below(np.uint64(99), 3, n, bound) == expected < bound


def test_the_random_player_draws_from_the_key_alone() -> None:
    for n in range(50):
        expected = ((outcome(99, 0, n) >> 32) * 7) >> 32
        assert chance.choice(np.uint64(99), n, 7) == expected


def test_the_key_that_leads_to_an_outcome_is_found() -> None:
    for key in (0, 5, STEP, WORD - 1):
        for stream, n in ((0, 0), (32, 0), (33, 12)):
            assert chance.before(outcome(key, stream, n), stream, n) == key


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_a_shuffle_moves_the_first_entries_alone(count: int) -> None:
    for key in range(20):
        values = np.arange(10)
        chance.shuffle(values, count, np.uint64(key), 2)
        assert sorted(values[:count]) == list(range(count))
        assert list(values[count:]) == list(range(count, 10))


def test_a_shuffle_gives_every_order_alike() -> None:
    orders = Counter[tuple[int, ...]]()
    for key in range(600):
        values = np.arange(3)
        chance.shuffle(values, 3, np.uint64(key), 2)
        orders[tuple(values)] += 1
    assert len(orders) == 6 and min(orders.values()) > 60 and max(orders.values()) < 140  # 100 are expected


def rolled(table: Table) -> list[int]:
    return [int(entry) for entry in table.game.rolled[: table.game.rolled_count]]


def test_the_log_of_a_roll_names_dice_and_values_and_marks_the_first_die() -> None:
    """An entry is 10 times the die plus its value, and 60 more for the first die of a roll; each decision starts a new
    log.
    """
    table = Table().dice(red=(6, 1), green=(3, 4), blue=(3, 5))
    table.track[0] = 30
    table.play("reroll 3", dice=[6, 5, 4])
    assert rolled(table) == [60 + 10 + 6, 20 + 5, 30 + 4]
    table.play("rubles")
    assert rolled(table) == []


def test_the_nth_roll_of_a_die_is_the_nth_outcome_of_its_own_stream() -> None:
    """The deal draws the first outcome and every roll the next one; a forced roll uses one up, too."""
    table = Table()
    table.track[0] = 30
    white = 4
    key = table.game.key
    shown = [1 + int(chance.below(key, chance.DICE_STREAM + white, n, 6)) for n in range(4)]
    assert table.game.rolls[white] == 1
    table.play("reroll 5")
    assert table.value_of("white") == shown[1] and table.game.rolls[white] == 2
    table.game.rerolled = 0
    table.play("reroll 5", dice=[3])
    assert table.value_of("white") == 3 and table.game.rolls[white] == 3
    table.game.rerolled = 0
    table.play("reroll 5")
    assert table.value_of("white") == shown[3] and table.game.rolls[white] == 4


def test_a_roll_beyond_the_log_is_rolled_but_not_noted() -> None:
    table = Table()
    game = records(writeable(table.engine))[0]
    game["rolled"], game["rolled_count"] = 0, 0
    for _ in range(ROLLED + 3):
        chance.roll(game, 0, 0)
    assert game["rolled_count"] == ROLLED and game["rolls"][0] == 1 + ROLLED + 3
    assert min(game["rolled"]) >= 1 and game["forced_next"] == 0 == game["forced_count"]
