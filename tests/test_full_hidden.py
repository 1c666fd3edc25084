"""Tests of hidden contracts (R-76): a copy for a seat redraws them uniformly; no decision of a bot depends on them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from rc_env import Engine, Ruleset, agents
from rc_env.bot import Position
from rc_env.rules.printed.sizes import CONTRACTS

pytestmark = pytest.mark.full

RULES = Ruleset(3, fourth_guild="archivists", special_tiles=True)
REDRAWS = 10_000


@cache
def games(hands: tuple[int, int, int], point: str, most: int = 1) -> np.ndarray:
    """Return games at this point in which the seat to move holds the first number of contracts, the next seat the
    second, etc.
    """
    engine, found = Engine(RULES, 256, seed=3), []
    for i in range(400):
        engine.play_random(5, seed=i)
        held = (engine.games.hand[:, :3] >= 0).sum(-1)
        seats = (engine.games.seat[:, None] + np.arange(3)) % 3
        for row in np.flatnonzero((np.take_along_axis(held, seats, 1) == hands).all(1)):
            if engine.seat[row] >= 0 and engine.point(row) == point:
                found.append(engine.clone([row], same_future=True)[0])
                if len(found) == most:
                    return np.array(found)
    raise AssertionError(f"{point} with {hands} not met")


def looks_uniform(seen: Counter[object], outcomes: int) -> bool:
    """Return whether so many outcomes are equally likely, by a chi-squared test at a level of 1 in 10,000.

    The critical value is Wilson and Hilferty's; 3.719 is the quantile of the normal distribution.
    """
    total, freedom = sum(seen.values()), outcomes - 1
    expected = total / outcomes
    found = sum((count - expected) ** 2 for count in seen.values()) + (outcomes - len(seen)) * expected**2
    part = 2 / (9 * freedom)
    return len(seen) <= outcomes and found / expected < freedom * (1 - part + 3.719 * part**0.5) ** 3


def cards(numbers: NDArray[np.int8]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers if number >= 0)


def test_the_test_of_uniformity_notices_what_is_not() -> None:
    draws = np.random.default_rng(0).integers(0, 100, REDRAWS).tolist()
    assert looks_uniform(Counter(draws), 100)
    assert not looks_uniform(Counter([min(draw, 98) for draw in draws]), 100)
    assert not looks_uniform(Counter([draw if draw > 9 else draw // 2 for draw in draws]), 100)
    assert not looks_uniform(Counter(draws), 99)


@pytest.mark.parametrize("point", ["start", "keep"])
def test_every_deal_that_a_seat_may_imagine_is_as_likely(point: str) -> None:
    """At `keep` the contracts drawn by another seat are hidden, and so are those that the deciding seat holds."""
    game = games((1, 2, 1), point)
    engine = Engine(RULES, 1)
    engine.restore(game)
    mover = int(game["seat"][0])
    seat = (mover + 2) % 3  # this seat is not to move, and holds one contract
    first, second = mover, (mover + 1) % 3
    copies = engine.clone(np.zeros(REDRAWS, np.int64), seat=seat)
    own = cards(game["hand"][0, seat])
    unseen = sorted(set(range(CONTRACTS)) - set(own))
    drawn = cards(game["drawn_contract"][0])
    assert len(drawn) == (3 if point == "keep" else 0)
    left = int(game["contracts_left"][0])
    pairs, hands, both, tops, draws = (Counter[object]() for _ in range(5))
    places: list[Counter[object]] = [Counter() for _ in range(left)]
    for copy in copies:
        assert cards(copy["hand"][seat]) == own
        one, two = cards(copy["hand"][first]), cards(copy["hand"][second])
        deck, taken = cards(copy["contract_deck"]), cards(copy["drawn_contract"])
        assert (len(one), len(two), len(deck), len(taken)) == (1, 2, left, len(drawn))
        assert sorted((*one, *two, *deck, *taken)) == unseen and list(two) == sorted(two)
        hands[one] += 1
        pairs[two] += 1
        both[one, two[0], deck[0]] += 1
        tops[deck[:2]] += 1
        draws[taken[:2]] += 1
        for place, card in zip(places, deck, strict=True):
            place[card] += 1
    assert set(hands) == set(combinations(unseen, 1)) and looks_uniform(hands, len(unseen))
    assert set(pairs) <= set(combinations(unseen, 2)) and looks_uniform(pairs, len(list(combinations(unseen, 2))))
    assert looks_uniform(tops, len(list(permutations(unseen, 2))))
    assert all(looks_uniform(place, len(unseen)) for place in places)
    assert looks_uniform(draws, len(list(permutations(unseen, 2)))) if drawn else set(draws) == {()}
    # Hands and deck are independent: given the lower card of a pair, the other cards are still equally likely.
    lower = Counter(two for _, two, _ in both.elements())
    most = max(lower, key=lower.__getitem__)
    rest = Counter((one, top) for one, two, top in both.elements() if two == most)
    assert set(rest) and all(one != (top,) for one, top in rest)


def test_what_the_seat_has_drawn_itself_stays() -> None:
    for game in games((1, 1, 1), "keep", 4):
        seat = int(game["seat"])
        engine = Engine(RULES, 1)
        engine.restore(np.array([game]))
        copies = engine.clone(np.zeros(200, np.int64), seat=seat)
        for name in ("drawn_contract", "log_contract"):
            assert (copies[name] == game[name]).all() and (copies[name] >= 0).all()
        assert (copies["hand"][:, seat] == game["hand"][seat]).all()
        assert len(np.unique(copies["contract_deck"], axis=0)) == 200
        engine.restore(copies[:1])
        assert {engine.action_to_text(action) for action in np.flatnonzero(engine.legal_mask()[0])} == {
            f"contract {card + 1}" for card in cards(game["drawn_contract"])
        }


def test_nothing_else_is_drawn_anew() -> None:
    """Another hand replaces a hidden one, and the rest of the record stays."""
    game = games((1, 2, 1), "keep")
    engine = Engine(RULES, 1)
    engine.restore(game)
    copies = engine.clone(np.zeros(20, np.int64), seat=(int(game["seat"][0]) + 1) % 3)
    for name in game.dtype.names or ():
        if name not in ("key", "hand", "contract_deck", "drawn_contract", "log_contract"):
            np.testing.assert_array_equal(copies[name], np.repeat(game[name], 20, axis=0), err_msg=name)


class Seeing:
    """A stand-in for a network: its choice follows from all that it may observe, by weights drawn once."""

    name = "seeing"

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.weights = rng.normal(size=(RULES.observations.size, RULES.actions.size)).astype(np.float32)

    def reset(self, seed: int) -> None:
        pass

    def act(self, position: Position) -> NDArray[np.int64]:
        return np.where(position.mask == 1, position.observation @ self.weights, -np.inf).argmax(1)


SEARCH = "search:simulations=8,depth=3"
BOTS = ["greedy", "all_rounder", "rush", "majority", "seeing", SEARCH]


@pytest.mark.parametrize("name", [*BOTS[:-1], pytest.param(SEARCH, marks=pytest.mark.slow)])
@pytest.mark.parametrize("point", ["start", "keep", "return", "influence"])
def test_a_bot_given_other_hidden_contracts_decides_the_same(name: str, point: str) -> None:
    """The same dice are still to come, so that only the hidden contracts differ."""
    hands = (4, 1, 1) if point == "return" else (1, 2, 1)
    for game in games(hands, point, 3 if "search" in name else 6):
        engine, other = Engine(RULES, 1), Engine(RULES, 12)
        engine.restore(np.array([game]))
        copies = engine.clone(np.zeros(12, np.int64), seat=int(game["seat"])).copy()
        copies["key"] = game["key"]
        other.restore(copies)
        assert len(np.unique(copies["hand"], axis=0)) > 6
        bot = Seeing() if name == "seeing" else agents.from_text(name)
        bot.reset(7)
        chosen = bot.act(Position.of(engine))
        bot.reset(7)
        np.testing.assert_array_equal(bot.act(Position.of(other)), np.repeat(chosen, 12))


def test_bots_of_this_test_do_not_all_play_the_first_legal_action() -> None:
    position = Position.of(_restored(games((1, 2, 1), "start", 6)))
    first = position.mask.argmax(1)
    for name in BOTS[:-1]:
        bot = Seeing() if name == "seeing" else agents.from_text(name)
        bot.reset(7)
        assert (bot.act(position) != first).any(), name


def _restored(some: np.ndarray) -> Engine:
    engine = Engine(RULES, len(some))
    engine.restore(some)
    return engine
