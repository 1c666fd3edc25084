"""Tests of the search with a network: sequential halving, completed Q-values, the tree, and its reported thoughts."""

from __future__ import annotations

import copy
import importlib.util
import json
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray
from searched import engine_at, position_at
from searched import equal as equal_within
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.agents import gumbel_tree, halving, net
from rc_env.agents.gumbel import GumbelSearch, SearchSettings
from rc_env.agents.thoughts import Thoughts
from rc_env.agents.torch_net import TorchNet
from rc_env.arena.match import play_match
from rc_env.bot import Position
from rc_env.record import Recorder, parse, replay

pytestmark = pytest.mark.slow


class Guess:
    """A stand-in for a network: logits and values by weights drawn once, computed row by row, exactly.

    The weights are whole numbers, so that a sum in float64 does not depend on the order of the terms.
    """

    def __init__(self, ruleset: Ruleset, values: int = 1, most: float = 0.5) -> None:
        self.most = most
        rng = np.random.default_rng(7)
        size = ruleset.observations.size
        self.policy = rng.integers(-3, 4, (size, ruleset.actions.size)).astype(np.float64)
        self.worth = rng.integers(-3, 4, (size, values)).astype(np.float64)
        self.asked = 0

    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate as `Net.evaluate` does."""
        self.asked += len(numbers)
        x = numbers.astype(np.float64)
        first = x[: len(x) if policies is None else policies]
        last = x[len(x) - (len(x) if values is None else values) :]
        logits = np.sin(first @ self.policy).astype(np.float32)
        return logits, np.float32(self.most) * np.sin(last @ self.worth).astype(np.float32)


class Lead:
    """A stand-in for a network: a uniform prior, and the current lead in prestige as the value."""

    def __init__(self, ruleset: Ruleset) -> None:
        layout = ruleset.observations
        piece = next(piece for piece in layout.pieces if piece.name == "numbers")
        self.at = [piece.offset + row * len(piece.entries) + piece.entries.index("score") for row in range(2)]
        self.actions = ruleset.actions.size

    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate as `Net.evaluate` does."""
        own, other = (numbers[:, at].astype(np.float32) for at in self.at)
        worth = np.tanh((own - other) / 10)[:, None]
        count = len(numbers)
        return np.zeros((count if policies is None else policies, self.actions), np.float32), worth[
            count - (count if values is None else values) :
        ]


equal = partial(equal_within, apart=1e-5)


def think(position: Position, seed: int = 1, **settings: object) -> Thoughts:
    search = GumbelSearch(SearchSettings(**{"num_simulations": 24, **settings}), seed)  # type: ignore[arg-type]
    return search.think(position, Guess(position.ruleset))


# --- sequential halving


@pytest.mark.parametrize("candidates", [1, 2, 3, 5, 8, 16, 200])
@pytest.mark.parametrize("simulations", [1, 2, 7, 16, 64, 1000])
def test_a_schedule_spends_the_budget_and_halves(candidates: int, simulations: int) -> None:
    phases = halving.schedule(min(candidates, simulations), simulations)
    assert sum(count * each for count, each in phases) == simulations
    counts = [count for count, _ in phases]
    assert counts[0] == min(candidates, simulations) and all(each > 0 for _, each in phases)
    assert counts == sorted(counts, reverse=True)


def test_schedules_are_those_of_the_paper() -> None:
    assert halving.schedule(16, 32) == [(16, 1), (8, 1), (4, 2)]
    assert halving.schedule(4, 16) == [(4, 2), (2, 4)]
    assert halving.schedule(2, 5) == [(2, 2), (1, 1)]
    assert halving.schedule(1, 9) == [(1, 9)]


def test_completed_q_values_by_hand() -> None:
    prior = np.array([[0.5, 0.25, 0.25]])
    visits, q = np.array([[2, 1, 0]], np.int32), np.array([[0.6, 0.0, np.nan]])
    found = halving.completed_qvalues(prior, np.array([-0.2]), visits, q)
    weighted = (0.5 * 0.6 + 0.25 * 0.0) / 0.75
    np.testing.assert_allclose(found, [[0.6, 0.0, (-0.2 + 3 * weighted) / 4]])
    nothing = halving.completed_qvalues(prior, np.array([0.3]), np.zeros((1, 3), np.int32), np.full((1, 3), np.nan))
    np.testing.assert_allclose(nothing, 0.3)


def test_the_tree_selects_by_the_completed_q_values_of_the_root() -> None:
    """The compiled `select` takes the action that is furthest behind its share of visits in the improved policy."""
    rng = np.random.default_rng(3)
    settings = np.zeros(1, gumbel_tree.SETTINGS)
    settings["visit_offset"], settings["value_scale"], settings["players"] = 50, 0.2, 2
    for _ in range(200):
        n = int(rng.integers(2, 9))
        node, edges = np.zeros(1, gumbel_tree.NODE), np.zeros(n, gumbel_tree.EDGE)
        visits = rng.integers(0, 4, n).astype(np.int32)
        q, logits, value = rng.uniform(-1, 1, n), rng.normal(size=n).astype(np.float32), rng.uniform(-1, 1)
        edges["visit_count"], edges["prior_logit"] = visits, logits
        edges["value_sum"][:, 1] = q * visits
        node["edges"], node["visit_count"], node["seat"], node["valued"], node["value"] = n, visits.sum(), 1, 1, value
        chosen = gumbel_tree.select.py_func if hasattr(gumbel_tree.select, "py_func") else gumbel_tree.select
        chosen = int(chosen(settings.view(np.recarray)[0], node.view(np.recarray)[0], edges.view(np.recarray)))
        prior = halving.softmax(logits[None].astype(np.float64))
        complete = halving.completed_qvalues(prior, np.array([value]), visits[None], q[None])
        policy = halving.softmax(logits[None] + halving.sigma(complete, visits[None], 50, 0.2))[0]
        assert chosen == (policy - visits / (1 + visits.sum())).argmax()


def bandit(rng: np.random.Generator, arms: NDArray[np.float64], logits: NDArray[np.float64], pulls: int) -> int:
    """Return the arm that sequential halving chooses, with noise, among arms that win or lose."""
    start = logits + halving.gumbel_noise(rng.integers(2**63, size=1).astype(np.uint64), len(arms))[0]
    visits, wins = np.zeros(len(arms), np.int32), np.zeros(len(arms))
    for count, each in halving.schedule(len(arms), pulls):
        q = wins / np.maximum(visits, 1)
        score = start + halving.sigma(q[None], visits[None], 50, 0.5)[0]
        for arm in np.argsort(np.where(visits == visits.max(), -score, np.inf))[:count]:
            wins[arm] += np.where(rng.random(each) < (1 + arms[arm]) / 2, 1, -1).sum()
            visits[arm] += each
    score = start + halving.sigma((wins / np.maximum(visits, 1))[None], visits[None], 50, 0.5)[0]
    return int(np.where(visits == visits.max(), score, -np.inf).argmax())


def test_sequential_halving_finds_the_better_arms_of_a_bandit() -> None:
    rng = np.random.default_rng(0)
    arms, logits = np.array([-0.5, -0.3, 0.0, 0.6, -0.4, 0.1, -0.6, -0.1]), np.zeros(8)
    few, many = (np.mean([arms[bandit(rng, arms, logits, pulls)] for _ in range(300)]) for pulls in (8, 256))
    assert arms.mean() + 0.1 < few < many - 0.3 and many > 0.5


def test_exact_q_values_improve_a_policy() -> None:
    """In expectation the improved policy is better than the prior, whichever actions were visited."""
    rng = np.random.default_rng(1)
    q, logits = rng.uniform(-1, 1, (500, 6)), rng.normal(size=(500, 6))
    visits = rng.integers(0, 3, (500, 6)).astype(np.int32)
    prior = halving.softmax(logits)
    value = (prior * q).sum(1)
    complete = halving.completed_qvalues(prior, value, visits, q)
    policy = halving.softmax(logits + halving.sigma(complete, visits, 50, 1))
    better = (policy * q).sum(1) - value
    assert better.mean() > 0.2 and (better > -0.05).mean() > 0.85


def test_noise_is_gumbels() -> None:
    noise = halving.gumbel_noise(np.arange(400, dtype=np.uint64), 50)
    assert abs(noise.mean() - 0.5772) < 0.03 and abs(noise.var() - np.pi**2 / 6) < 0.06
    np.testing.assert_array_equal(noise[7], halving.gumbel_noise(np.array([7], np.uint64), 50)[0])


# --- the search


@pytest.mark.parametrize("leaf", [True, False])
@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (2, "advanced"), (3, "basic"), (4, "basic")])
def test_it_keeps_its_budget_and_chooses_legally(players: int, workshop: str, leaf: bool) -> None:
    for decisions in (0, 70):
        position = position_at(decisions, players=players, workshop=workshop)
        found = think(position, to_turn_end=leaf, num_simulations=21)
        rows = np.arange(len(position))
        assert position.mask[rows, found.actions].all()
        assert (found.visit_counts.sum(1) == 21).all() and not found.visit_counts[position.mask == 0].any()
        assert (found.visit_counts[rows, found.actions] == found.visit_counts.max(1)).all()
        np.testing.assert_allclose(found.policy.sum(1), 1, rtol=1e-4)
        assert not found.policy[position.mask == 0].any() and not found.prior[position.mask == 0].any()
        assert (np.isfinite(found.qvalues).all(2) == (found.visit_counts > 0)).all() and np.nanmax(
            np.abs(found.qvalues)
        ) <= 1
        if players == 2:
            np.testing.assert_allclose(found.value.sum(1), 0, atol=1e-4)
        assert (found.variation[:, 0] == found.actions).all()


@pytest.mark.parametrize("outcomes", [0, 3])
def test_what_it_thinks_depends_on_the_position_and_the_seed_alone(outcomes: int) -> None:
    position = position_at(80)
    search = GumbelSearch(SearchSettings(num_simulations=24, outcomes=outcomes, noise=1), 4)
    guess = Guess(position.ruleset)
    whole = search.think(position, guess)
    equal(whole, search.think(position, guess))
    for row in (3, 7):
        equal(whole, search.think(Position.of(engine_at(80), [row]), guess), [row])
    twice = search.think(Position.of(engine_at(80), [5, 2]), guess)
    equal(whole, twice, [5, 2])
    search.reset(5)
    assert (search.think(position, guess).qvalues != whole.qvalues).any()


def test_many_positions_are_searched_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_at(80)
    whole = think(position)
    monkeypatch.setattr("rc_env.agents.gumbel.BRANCHES", 24)
    monkeypatch.setattr("rc_env.agents.gumbel.BATCH", 5)
    equal(whole, think(position))


def test_it_never_sees_the_dice_to_come() -> None:
    engine = copy.deepcopy(engine_at(90, games=16))
    before = think(Position.of(engine))
    for shift in (1, 12345):
        writeable(engine).key[:] += np.uint64(shift)
        equal(before, think(Position.of(engine)))


def test_without_room_for_more_nodes_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rc_env.agents.gumbel.NODES", 9)
    found = think(position_at(60), num_simulations=60)
    assert (found.visit_counts.sum(1) == 60).all()


def test_a_tree_that_meets_the_same_dice_again_grows_deeper() -> None:
    position = position_at(60)
    shallow = think(position, num_simulations=200, max_num_considered_actions=2, outcomes=0)
    deep = think(position, num_simulations=200, max_num_considered_actions=2, outcomes=1)
    assert (deep.variation >= 0).sum() > 1.3 * (shallow.variation >= 0).sum()


def test_a_simulation_ends_with_the_turn_or_at_the_first_new_position() -> None:
    position = position_at(60)
    asked = []
    for leaf in (True, False):
        guess = Guess(position.ruleset)
        found = GumbelSearch(SearchSettings(num_simulations=16, to_turn_end=leaf), 1).think(position, guess)
        assert found.evaluations == guess.asked
        asked.append(found.evaluations / found.simulations)
    assert asked[1] <= 1.2 < asked[0]


def test_a_limit_of_time_gives_every_candidate_a_simulation_at_least() -> None:
    position = position_at(60, games=4)
    found = think(position, milliseconds=0.01, max_num_considered_actions=3)
    assert (found.visit_counts.sum(1) >= np.minimum(3, position.mask.sum(1))).all()
    more = think(position, milliseconds=60, max_num_considered_actions=3)
    assert more.simulations > found.simulations


def test_values_are_those_of_the_seat_that_decides() -> None:
    """With prestige as the value, the search chooses actions that lead to more of it on average."""
    position = position_at(70, games=48)
    lead = Lead(position.ruleset)
    search = GumbelSearch(SearchSettings(num_simulations=64, max_num_considered_actions=32, value_scale=5), 1)
    found = search.think(position, lead)
    q = np.take_along_axis(found.qvalues, found.seat[:, None, None].astype(np.int64), 2)[..., 0]
    chosen = q[np.arange(48), found.actions]
    assert (chosen >= np.nanmean(q, 1)).mean() > 0.85 and (chosen - np.nanmean(q, 1)).mean() > 0.02


@pytest.mark.parametrize("players", [2, 3])
def test_a_network_may_value_every_seat_itself(players: int) -> None:
    position = position_at(60, players=players)
    guess = Guess(position.ruleset, values=players)
    found = GumbelSearch(SearchSettings(num_simulations=16), 1).think(position, guess)
    assert (found.visit_counts.sum(1) == 16).all() and found.evaluations == guess.asked
    if players == 2:
        assert (np.abs(found.value.sum(1)) > 0.01).any()
    else:
        np.testing.assert_allclose(found.value.sum(1), 0, atol=1e-3)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_of_a_network_for_the_first_place_are_chances_to_win(players: int) -> None:
    """The chances of all seats add up to 1, in positions that the network values and where the game is over."""
    ruleset = Ruleset(players, turn_limit=3 * players)
    engine, greedy = Engine(ruleset, 12, 5), agents.make("greedy")
    first = Position.of(Engine(ruleset, 12, 5))
    while (Position.of(engine).games()["turn"] < ruleset.turn_limit - 1).any():
        rows = np.flatnonzero(Position.of(engine).games()["turn"] < ruleset.turn_limit - 1)
        engine.step(greedy.act(Position.of(engine, rows)), rows)
    guess = Guess(ruleset, most=0.15)
    for position in (first, Position.of(engine)):  # in the second ones all simulations end the game
        for reward, total in (("win", 0), ("first", 2 - players)):
            found = GumbelSearch(SearchSettings(num_simulations=16)).think(position, guess, reward)
            assert found.value.sum(1) == pytest.approx(total, abs=1e-3)
            assert np.abs(found.value).max() <= 1
    with pytest.raises(ValueError, match=r"^unknown reward 'score': choose "):
        GumbelSearch(SearchSettings()).think(first, guess, "score")


def test_noise_tries_other_candidates() -> None:
    position = position_at(0)
    still, noisy = (think(position, max_num_considered_actions=3, noise=noise).visit_counts > 0 for noise in (0, 1))
    assert (still != noisy).any() and (noisy.sum(1) == 3).all()


# --- with the networks that are shipped


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_one_simulation_it_plays_as_the_network(players: int) -> None:
    position = position_at(60, games=48, players=players)
    bot, alone = agents.make("search", simulations=1, net="shipped", leaf="turn"), agents.make("net")
    # They may differ where two actions have the same value.
    assert (bot.act(position) == alone.act(position)).mean() > 0.95
    many = agents.make("search", simulations=60, net="shipped", leaf="turn").act(position)
    assert position.mask[np.arange(48), many].all() and 0 < (many != alone.act(position)).sum() < 40


@pytest.mark.long
def test_it_beats_its_network() -> None:
    share = play_match([agents.make("search", simulations=16, net="shipped", leaf="turn"), "net"], 70, seed=5).share(0)
    assert share.low > 0.5


def test_a_part_of_the_values_may_come_from_games_played_out() -> None:
    position = position_at(60, games=4)
    plain, mixed = (
        agents.make("search", simulations=8, net="shipped", leaf="turn", playout=part, candidates=4)
        for part in (0, 0.5)
    )
    plain.act(position)
    mixed.act(position)
    assert np.nanmax(np.abs(plain.thoughts.qvalues - mixed.thoughts.qvalues)) > 0.01


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")
def test_pytorch_computes_the_same_network() -> None:
    numbers = engine_at(60, games=40).observe(dtype=np.uint8)
    loaded = net.load(net.shipped(Ruleset()))
    for chosen in ({}, {"policies": 7, "values": 0}, {"policies": 0, "values": 5}):
        for one, other in zip(
            loaded.evaluate(numbers, **chosen), TorchNet(loaded).evaluate(numbers, **chosen), strict=True
        ):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, atol=1e-3)
    bot = agents.make("search", simulations=4, net="shipped", leaf="turn", backend="torch")
    other = agents.make("search", simulations=4, net="shipped", leaf="turn")
    position = position_at(60, games=40)
    assert (bot.act(position) == other.act(position)).mean() > 0.9


def test_policy_and_value_in_one_pass_are_those_of_two() -> None:
    numbers = engine_at(60, games=40).observe(dtype=np.uint8)
    loaded = net.load(net.shipped(Ruleset()))
    logits, values = loaded.evaluate(numbers, 30, 20)
    np.testing.assert_allclose(logits, loaded.logits(numbers)[:30], atol=1e-4)
    np.testing.assert_allclose(values[:, 0], loaded.value(numbers)[20:], atol=1e-4)
    with pytest.raises(ValueError, match="policies must be a whole number from 0 to 40, not 41"):
        loaded.evaluate(numbers, 41)


def test_a_network_has_one_value_or_one_a_seat() -> None:
    loaded = net.load(net.shipped(Ruleset()))
    layers = loaded.arrays()
    for count in (2, 3):
        layers["value.1.weight"] = np.repeat(loaded.layers["value.1"][0], count, 1)
        layers["value.1.bias"] = np.repeat(loaded.layers["value.1"][1], count)
        if count == 2:
            each = net.Net(layers, loaded.about).evaluate(engine_at(60).observe(dtype=np.uint8))[1]
            assert each.shape == (12, 2) and (each[:, 0] == each[:, 1]).all()
        else:
            with pytest.raises(ValueError, match=r"value.1 has 3 outputs, but a game of 2 needs 1, or one per seat"):
                net.Net(layers, loaded.about)


# --- the thoughts that the search reports


def test_records_keep_what_it_thinks() -> None:
    texts: list[str] = []
    recorder = Recorder(lambda number, text: texts.append(text), thoughts=True)
    bots = [agents.make("search", simulations=4, net="shipped", leaf="turn"), "greedy"]
    play_match(bots, 1, Ruleset(turn_limit=6), seed=2, recorder=recorder, rotate=False)
    record = parse(texts[0])
    replay(record)
    searched = [one for one in record.decisions if "policy" in one]
    assert {one["seat"] for one in searched} == {0} and len(searched) == sum(
        one["seat"] == 0 for one in record.decisions
    )
    for one in searched:
        assert one["action"] in one["policy"] and abs(sum(one["policy"].values()) - 1) < 0.01
        assert len(one["value"]) == 2
    plain = Recorder(lambda number, text: texts.append(text))
    play_match(bots, 1, Ruleset(turn_limit=6), seed=2, recorder=plain, rotate=False)
    without = [
        {key: value for key, value in json.loads(line).items() if key not in ("policy", "value")}
        for line in texts[0].splitlines()
    ]
    assert without == [json.loads(line) for line in texts[1].splitlines()]


def test_a_hint_says_why() -> None:
    bot = agents.make("search", simulations=24, net="shipped", leaf="turn")
    position = position_at(60, games=3)
    bot.act(position)
    for row in range(3):
        first, *more = bot.thoughts.in_words(row)
        words = position.ruleset.actions.to_text(int(bot.thoughts.actions[row]), int(position.seat[row]))
        assert words in first and "value" in first and len(more) <= 1
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 2, not 3"):
        bot.thoughts.in_words(3)


def test_copies_think_the_same() -> None:
    position = position_at(60, games=4)
    bot = agents.make("search", simulations=8, net="shipped", leaf="turn", seed=3)
    bot.act(position)
    twin = copy.deepcopy(bot)
    np.testing.assert_array_equal(bot.act(position), twin.act(position))
    equal(bot.thoughts, twin.thoughts)
