"""Tests of the search by play-outs: the compiled forward pass, games played out, the search, and what it reports."""

from __future__ import annotations

import copy
import json
from functools import cache

import numpy as np
import pytest
from searched import engine_at, equal, position_at
from writeable import writeable

from rc_env import Engine, Ruleset, agents
from rc_env.agents import net, playout_search
from rc_env.agents.forward import Forward
from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings, _leads
from rc_env.agents.playouts import PlayOuts, common_lines
from rc_env.agents.thoughts import Thoughts
from rc_env.arena.match import play_match
from rc_env.bot import Position
from rc_env.build import in_build
from rc_env.jit import records
from rc_env.record import Recorder, parse, replay

pytestmark = pytest.mark.slow

VARIANTS = (
    {"players": 1},
    {"players": 2},
    {"players": 2, "workshop": "advanced"},
    {"players": 2, "contractors": True},
    {"players": 3},
    {"players": 4},
)


@cache
def shipped(ruleset: Ruleset) -> net.Net:
    return net.load(net.shipped(ruleset))


def player(ruleset: Ruleset, reward: str = "win"):  # type: ignore[no-untyped-def]
    return in_build(PlayOuts, ruleset.full)(ruleset, Forward(shipped(ruleset)), reward)


@cache
def predicting(ruleset: Ruleset, reward: str) -> net.Net:
    """The packaged network, as if its values predicted this reward."""
    one = shipped(ruleset)
    return net.Net(one.arrays(), {**one.about, "settings": {**one.about["settings"], "reward": reward}})


def think(position: Position, seed: int = 1, **settings: object) -> Thoughts:
    chosen = PlayoutSettings(**{"num_simulations": 16, "sure": 1, **settings})  # type: ignore[arg-type]
    return PlayoutSearch(chosen, seed).think(position, predicting(position.ruleset, "win"))


# --- the forward pass


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_forward_pass_is_the_networks(variant: dict[str, object]) -> None:
    """Over a game of many decisions, in which the sums of the first layer are only brought up to date."""
    ruleset = Ruleset(**variant)  # type: ignore[arg-type]
    playing, loaded = player(ruleset), shipped(ruleset)
    for decisions in (0, 45, 46, 90):
        position = position_at(decisions, games=4, **variant)
        logits, values = playing.evaluate(records(position.games()), np.ascontiguousarray(position.mask), position.seat)
        expected, own = loaded.evaluate(position.numbers)
        legal = position.mask > 0
        np.testing.assert_allclose(logits[legal], expected[legal], atol=2e-2)
        assert (logits[~legal] == -np.inf).all()
        np.testing.assert_allclose(values[np.arange(4), position.seat], own[:, 0], atol=5e-3)
        if ruleset.players == 2:
            np.testing.assert_array_equal(values[:, 0], -values[:, 1])


def test_a_network_may_value_every_seat_itself() -> None:
    ruleset = Ruleset(3)
    loaded = shipped(ruleset)
    layers = loaded.arrays()
    layers["value.1.weight"] = np.repeat(loaded.layers["value.1"][0], 3, 1) * np.array([1, -1, 0.5], np.float32)
    layers["value.1.bias"] = np.array([0, 0.25, 0.5], np.float32)
    each = net.Net(layers, loaded.about)
    position = position_at(50, players=3)
    playing = in_build(PlayOuts, ruleset.full)(ruleset, Forward(each))
    values = playing.evaluate(records(position.games()), np.ascontiguousarray(position.mask), position.seat)[1]
    order = (position.seat[:, None].astype(np.int64) + np.arange(3)) % 3
    np.testing.assert_allclose(np.take_along_axis(values, order, 1), each.evaluate(position.numbers)[1], atol=2e-3)


def test_a_value_may_have_a_network_of_its_own() -> None:
    """Here it is a copy of the trunk and of the value's layers, once as it is and once with other outputs."""
    ruleset = Ruleset()
    loaded = shipped(ruleset)
    names = ["trunk.0", "trunk.1", "value.0", "value.1"]
    layers = loaded.arrays()
    for i, name in enumerate(names):
        layers |= {f"value_net.{i}.{part}": layers[f"{name}.{part}"] for part in ("weight", "bias")}
    for factor in (1, -2):
        last = {f"value_net.3.{part}": factor * layers[f"value.1.{part}"] for part in ("weight", "bias")}
        own = net.Net({**layers, **last}, loaded.about)
        position = position_at(50, games=4)
        logits, values = own.evaluate(position.numbers)
        np.testing.assert_array_equal(logits, loaded.logits(position.numbers))
        np.testing.assert_allclose(values, factor * loaded.evaluate(position.numbers)[1], atol=1e-5)
        np.testing.assert_array_equal(own.value(position.numbers), values[:, 0])
        playing = in_build(PlayOuts, ruleset.full)(ruleset, Forward(own))
        masks = np.ascontiguousarray(position.mask)
        found = playing.evaluate(records(position.games()), masks, position.seat)[1]
        np.testing.assert_allclose(found[np.arange(4), position.seat], values[:, 0], atol=5e-3)


# --- play-outs


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_a_play_out_is_a_game_of_the_network(variant: dict[str, object]) -> None:
    """Played once in the compiled loop, and once decision by decision in an engine."""
    ruleset = Ruleset(**variant, turn_limit=40)  # type: ignore[arg-type]
    engine, playing = Engine(ruleset, 5, 3), player(ruleset)
    first = engine.legal_mask().argmax(1)
    keys = np.arange(5, dtype=np.uint64)
    games = records(Position.of(engine).games())
    found = playing.run(games, np.zeros(5, np.int8), np.arange(5), first, keys)
    copies = games.copy().view(np.ndarray)
    copies["key"] = keys
    engine.restore(copies, np.arange(5))
    actions, counts = first, np.zeros(5, np.int64)
    live = np.arange(5)
    while True:
        step = counts[live[0]] if len(live) else 0
        if step < found.lines.shape[1]:
            np.testing.assert_array_equal(found.lines[live, step], actions)
            np.testing.assert_array_equal(found.line_seats[live, step], engine.seat[live])
        engine.step(actions, live)
        live = live[engine.seat[live] >= 0]
        if not len(live):
            break
        position = Position.of(engine, live)
        masks = np.ascontiguousarray(position.mask)
        actions = playing.evaluate(records(position.games()), masks, position.seat)[0].argmax(1)
        counts[live] += 1
    np.testing.assert_array_equal(found.decisions, counts)
    np.testing.assert_array_equal(found.rewards, engine.returns())
    assert found.over.all()


def test_equal_keys_are_equal_luck_and_the_rest_of_the_batch_does_not_matter() -> None:
    position = position_at(60)
    playing = player(position.ruleset)
    games, action = records(position.games()), position.mask.argmax(1)
    rows = np.array([3, 5, 3, 3])
    keys = np.array([7, 7, 8, 7], np.uint64)
    found = playing.run(games, position.seat, rows, action[rows], keys)
    np.testing.assert_array_equal(found.rewards[0], found.rewards[3])
    np.testing.assert_array_equal(found.lines[0], found.lines[3])
    assert found.decisions[0] == found.decisions[3] != found.decisions[2]
    alone = playing.run(games, position.seat, rows[2:3], action[rows[2:3]], keys[2:3])
    np.testing.assert_array_equal(found.lines[2:3], alone.lines)
    np.testing.assert_array_equal(found.rewards[2:3], alone.rewards)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_play_out_may_end_with_the_networks_value(players: int) -> None:
    position = position_at(30, players=players)
    playing = player(position.ruleset)
    every = np.arange(len(position))
    jobs = (records(position.games()), position.seat, every, position.mask.argmax(1), every.astype(np.uint64))
    whole, short, shorter = playing.run(*jobs), playing.run(*jobs, 3), playing.run(*jobs, 1)
    assert (shorter.decisions <= short.decisions).all() and short.decisions.sum() < whole.decisions.sum() / 2
    assert (np.abs(short.rewards) <= 1.5).all() and not np.isin(short.rewards, (-1, 0, 1)).all()
    cut = slice(0, int(shorter.decisions[0]) + 1)
    np.testing.assert_array_equal(shorter.lines[0, cut], whole.lines[0, cut])


# --- the search


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_it_keeps_its_budget_and_chooses_legally(variant: dict[str, object]) -> None:
    for decisions in (0, 70):
        position = position_at(decisions, games=6, **variant)
        found = think(position, num_simulations=13, max_num_considered_actions=3)
        rows, players = np.arange(len(position)), position.ruleset.players
        assert position.mask[rows, found.actions].all()
        several = position.mask.sum(1) > 1
        assert (found.visit_counts.sum(1) <= 13).all() and (found.visit_counts.sum(1)[several] >= 4).all()
        assert not found.visit_counts[position.mask == 0].any() and found.simulations == found.visit_counts.sum()
        assert ((found.visit_counts > 0).sum(1) <= 3).all()
        np.testing.assert_allclose(found.policy.sum(1), 1, rtol=1e-4)
        np.testing.assert_allclose(found.prior.sum(1), 1, rtol=1e-4)
        assert not found.policy[position.mask == 0].any() and not found.prior[position.mask == 0].any()
        assert (np.isfinite(found.qvalues).all(2) == (found.visit_counts > 0)).all() and np.nanmax(
            np.abs(found.qvalues)
        ) <= 1
        assert (np.isfinite(found.errors).all(2) == (found.visit_counts > 1)).all()
        if players > 1:
            np.testing.assert_allclose(found.value.sum(1), 0, atol=0.01)  # values are cut at -1 and 1
        np.testing.assert_array_equal(found.value[several], found.qvalues[rows, found.actions][several])
        assert (found.variation[:, 0] == found.actions).all() and (found.variation_seats[:, 0] == found.seat).all()
        assert ((found.variation >= 0) == (found.variation_seats >= 0)).all()


def test_means_and_standard_errors_by_hand() -> None:
    """Of results that are 1 or -1, both follow from how many are 1; draws make the error smaller."""
    found = think(position_at(80), num_simulations=40, max_num_considered_actions=2, doubt=0, turns=0)
    rows, actions = np.nonzero(found.visit_counts)
    counts, q = found.visit_counts[rows, actions], found.qvalues[rows, actions, 0]
    won = (q + 1) / 2 * counts
    np.testing.assert_allclose(won * 2, np.rint(won * 2), atol=1e-3)  # a draw is half a game
    errors, expected = found.errors[rows, actions, 0], np.sqrt((1 - q**2) / (counts - 1))
    assert (errors <= expected + 1e-4).all() and np.isclose(errors, expected, atol=1e-4).mean() > 0.6
    assert (counts == 20).all()


def test_what_it_thinks_depends_on_the_position_and_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_at(80)
    search = PlayoutSearch(PlayoutSettings(num_simulations=12, sure=0.99, noise=1), 4)
    loaded = shipped(position.ruleset)
    whole = search.think(position, loaded)
    equal(whole, search.think(position, loaded))
    for row in (3, 7):
        equal(whole, search.think(Position.of(engine_at(80), [row]), loaded), [row])
    equal(whole, copy.deepcopy(search).think(Position.of(engine_at(80), [5, 2]), loaded), [5, 2])
    monkeypatch.setattr("rc_env.agents.playout_search.ROWS", 5)
    equal(whole, search.think(position, loaded))
    search.reset(5)
    assert (search.think(position, loaded).visit_counts != whole.visit_counts).any()


def test_it_never_sees_the_dice_to_come() -> None:
    engine = copy.deepcopy(engine_at(90, games=8))
    before = think(Position.of(engine))
    for shift in (1, 12345):
        writeable(engine).key[:] += np.uint64(shift)
        equal(before, think(Position.of(engine)))


def test_where_the_policy_is_sure_nothing_is_tried() -> None:
    position = position_at(60, games=24)
    none, some, every = (think(position, sure=sure, num_simulations=8) for sure in (0, 0.9, 1))
    most = none.prior.max(1)
    assert not none.visit_counts.any() and (none.actions == none.prior.argmax(1)).all()
    assert ((some.visit_counts.sum(1) > 0) == ((most < 0.9) & (position.mask.sum(1) > 1))).all()
    assert ((every.visit_counts.sum(1) > 0) == (position.mask.sum(1) > 1)).all()
    assert 0 < some.simulations < every.simulations
    values = shipped(position.ruleset).value(position.numbers)
    np.testing.assert_allclose(none.value[np.arange(24), position.seat], values, atol=2e-3)
    assert none.in_words(0)[0].startswith("It tried no action: its network gives this one ")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_main_actions_may_be_tried_where_the_policy_is_sure(variant: dict[str, object]) -> None:
    """A decision before which the number of the turn has changed is a main action."""
    before, position = (position_at(decisions, games=24, **variant) for decisions in (59, 60))
    begins = before.games()["turn"] != position.games()["turn"]
    some, starts = (think(position, num_simulations=8, sure=0.95, start_sure=sure) for sure in (0, 1))
    sure = some.prior.max(1) >= 0.95
    assert (sure & begins).any() and (sure & ~begins & (position.mask.sum(1) > 1)).any()
    tried, more = (found.visit_counts.sum(1) > 0 for found in (some, starts))
    assert (more == (tried | (begins & (position.mask.sum(1) > 1)))).all()
    equal(some, think(position, num_simulations=8, sure=0.95, start_sure=0.9))


def test_a_single_legal_action_and_a_narrowed_mask() -> None:
    position = Position.of(engine_at(70))
    legal = [np.flatnonzero(row) for row in position.mask]
    position.mask[:] = 0
    for row, actions in enumerate(legal):
        position.mask[row, actions[: 1 + row % 2]] = 1  # in every second row there is one action alone
    found = think(position)
    rows = np.arange(len(position))
    assert position.mask[rows, found.actions].all() and not found.visit_counts[position.mask == 0].any()
    assert not found.visit_counts[::2].any() and (found.visit_counts[1::2].sum(1) > 0).any()
    position.mask[:] = 0
    with pytest.raises(ValueError, match="mask holds no action at index 0"):
        think(position)


def test_an_action_that_is_behind_beyond_doubt_is_dropped() -> None:
    position = position_at(90, games=24)
    settings = {"num_simulations": 128, "max_num_considered_actions": 4}
    patient, quick = think(position, doubt=0, **settings), think(position, doubt=2, **settings)
    assert quick.simulations < 0.8 * patient.simulations
    assert (quick.actions == patient.actions).mean() > 0.7


def test_the_lead_at_the_end_counts_in_the_choice_alone() -> None:
    """Results of games that are over are mixed with leads, values of those that are cut off are not."""
    prestige = np.array([[[9, 1, 2], [4, 4, 4], [2, 2, 2]], [[1, 0, 0], [0, 5, 0], [0, 6, 0]]], np.int16)
    np.testing.assert_array_equal(_leads(prestige, np.array([1, 2], np.int8)), [0, 1])
    np.testing.assert_array_equal(_leads(prestige, np.array([0, 0], np.int8)), [0, -5])
    position = position_at(80, games=24)
    settings = {"doubt": 0, "value_scale": 10**5, "max_num_considered_actions": 3}
    cut = [think(position, turns=1, margin=margin, num_simulations=8, **settings) for margin in (0, 1)]
    equal(*cut)
    results, leads = (think(position, turns=0, margin=margin, num_simulations=6, **settings) for margin in (0, 1))
    rows = np.arange(len(position))
    tried = results.visit_counts.sum(1) > 0
    own = np.where(results.visit_counts > 0, results.qvalues[rows, :, position.seat], -np.inf)
    most = results.visit_counts == results.visit_counts.max(1, keepdims=True)  # those that the last round was between
    best = np.where(most, own, -np.inf).max(1)
    np.testing.assert_array_equal(own[rows, results.actions][tried], best[tried])
    assert (results.actions != leads.actions).any() and (leads.value[:, 0] == -leads.value[:, 1]).all()


def test_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read after each lot of play-outs, so that the first one that takes too long is the last."""
    position = position_at(60, games=4)
    now, found = 0.0, []
    for passing in (1.0, 0.01):  # seconds from one look to the next

        def look(passing: float = passing) -> float:
            nonlocal now
            now += passing
            return now

        monkeypatch.setattr(playout_search.time, "perf_counter", look)
        found.append(think(position, milliseconds=200, max_num_considered_actions=3, doubt=0))
    short, longer = found
    assert set(short.visit_counts[short.visit_counts > 0].tolist()) == {playout_search.LEAST}
    assert longer.simulations > 5 * short.simulations


@pytest.mark.parametrize(
    ("simulations", "asked", "expected"),
    [(1, 4, 1), (2, 4, 2), (5, 4, 2), (6, 4, 3), (8, 4, 4), (14, 7, 4), (20, 10, 6), (40, 20, 10), (100, 1, 1)],
)
def test_no_more_play_outs_than_asked_for(simulations: int, asked: int, expected: int) -> None:
    position = position_at(60, games=24)
    found = think(position, num_simulations=simulations, max_num_considered_actions=asked, doubt=0)
    tried = (found.visit_counts > 0).sum(1)
    enough = position.mask.sum(1) >= expected
    assert found.visit_counts.sum(1).max() <= simulations and enough.any()
    assert set(tried[enough].tolist()) == ({expected} if expected > 1 else {0})


@pytest.mark.parametrize(
    ("game", "other"),
    [
        (Ruleset(3), Ruleset(2)),
        (Ruleset(2), Ruleset(4)),
        (Ruleset(2), Ruleset(2, "advanced")),
        (Ruleset(2, contractors=True), Ruleset(2)),
        (Ruleset(2), Ruleset(2, contractors=True)),
    ],
    ids=str,
)
def test_a_network_for_another_game_is_refused(game: Ruleset, other: Ruleset) -> None:
    """Compiled code would read beyond its weights."""
    position, network = Position.of(Engine(game, num_games=2, seed=1)), shipped(other)
    with pytest.raises(ValueError, match=r"^net was trained for .*; it cannot play a game of "):
        PlayoutSearch(PlayoutSettings(num_simulations=8)).think(position, network)
    with pytest.raises(ValueError, match=r"^net was trained for "):
        in_build(PlayOuts, game.full)(game, Forward(network))


def test_the_line_is_what_most_play_outs_of_the_chosen_action_did() -> None:
    lines = np.array([[4, 1, -1], [4, 2, 5], [4, 2, 6], [4, 2, 6], [9, 9, -1]], np.int16)
    rows, out = np.array([0, 0, 0, 0, 2]), np.full((3, 3), -1, np.int16)
    seats = np.full((3, 3), -1, np.int8)
    common_lines(lines, (lines % 2).astype(np.int8), rows, out, seats)
    np.testing.assert_array_equal(out, [[4, 2, 6], [-1, -1, -1], [9, 9, -1]])
    np.testing.assert_array_equal(seats, [[0, 0, 0], [-1, -1, -1], [1, 1, -1]])


@pytest.mark.parametrize("players", [2, 3])
def test_values_for_the_first_place_are_chances_to_win(players: int) -> None:
    position = position_at(90, players=players)
    first = predicting(position.ruleset, "first")
    found = PlayoutSearch(PlayoutSettings(num_simulations=8, sure=1)).think(position, first)
    tried = found.qvalues[found.visit_counts > 0]
    assert tried.sum(1) == pytest.approx(2 - players, abs=1e-4) and np.abs(tried).max() <= 1
    with pytest.raises(ValueError, match=r"^net: the search plays for the reward win or first, but .* for 'score'"):
        PlayoutSearch(PlayoutSettings()).think(position, predicting(position.ruleset, "score"))


def test_noise_tries_other_candidates() -> None:
    position = position_at(0)
    still, noisy = (
        think(position, max_num_considered_actions=2, num_simulations=4, noise=noise).visit_counts > 0
        for noise in (0, 3)
    )
    assert (still != noisy).any() and (noisy.sum(1) == 2).all()


@pytest.mark.parametrize("players", [2, 4])
def test_as_a_bot(players: int) -> None:
    position = position_at(60, games=24, players=players)
    bot, alone = agents.from_text("search:net=shipped,simulations=1"), agents.make("net")
    assert (bot.act(position) == alone.act(position)).all() and bot.thoughts is not None
    bot = agents.from_text("search:net=shipped,simulations=24,sure=0.98")
    actions = bot.act(position)
    assert 0 < (actions != alone.act(position)).sum() < 18
    assert bot.thoughts is not None and "±" in " ".join(
        bot.thoughts.in_words(int(bot.thoughts.visit_counts.sum(1).argmax()))
    )
    again = copy.deepcopy(bot)
    again.reset(0)
    np.testing.assert_array_equal(again.act(position), actions)


def test_a_hint_says_why() -> None:
    bot = agents.make("search", simulations=24, net="shipped", sure=1)
    position = position_at(60, games=3)
    bot.act(position)
    for row in range(3):
        first, *more = bot.thoughts.in_words(row)
        words = position.ruleset.actions.to_text(int(bot.thoughts.actions[row]), int(position.seat[row]))
        coming = [one for one in more if "count as well as these values" not in one]
        assert words in first and "value" in first and len(coming) <= 1
    with pytest.raises(ValueError, match="row must be a whole number from 0 to 2, not 3"):
        bot.thoughts.in_words(3)


def test_a_hint_begins_with_the_choice_and_says_what_counts_beside_values() -> None:
    bot = agents.make("search", simulations=20, turns=6, net="shipped", sure=1)
    position = position_at(60, games=24)
    bot.act(position)
    thoughts, higher = bot.thoughts, []
    for row in np.flatnonzero(thoughts.visit_counts.any(1)).tolist():
        seat, chosen = int(position.seat[row]), int(thoughts.actions[row])
        sentences = thoughts.in_words(row)
        assert f"(won): {position.ruleset.actions.to_text(chosen, seat)} (" in sentences[0]
        values = thoughts.qvalues[row, :, seat]
        higher.append(bool(np.nanmax(values) > values[chosen]))
        assert any("count as well as these values" in one for one in sentences) == higher[-1]
    assert 0 < sum(higher) < len(higher)


def test_records_keep_what_it_thinks() -> None:
    texts: list[str] = []
    recorder = Recorder(lambda number, text: texts.append(text), thoughts=True)
    bots = [agents.make("search", simulations=4, net="shipped", sure=1), "greedy"]
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


@pytest.mark.long
def test_it_beats_its_network() -> None:
    share = play_match([agents.make("search", simulations=16, net="shipped"), "net"], 40, seed=5).share(0)
    assert share.low > 0.6
