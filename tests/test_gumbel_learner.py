"""Tests of self-play with search: its training targets, the games it learns from, and resumed runs."""

from __future__ import annotations

import dataclasses
import os
import signal
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tiny import TINY, positions

from rc_env import Ruleset, agents
from rc_env.agents import net
from rc_env.agents.net import NetBot
from rc_env.agents.thoughts import Thoughts
from rc_env.apps.cli import rc
from rc_env.arena import match
from rc_env.rules.verbs import Verb
from rc_env.training import checkpoint, settings
from rc_env.training.gumbel_learner import PRESTIGE, GumbelLearner, expected_of
from rc_env.training.network import FrozenBot, Network, log_policy
from rc_env.training.onnx_export import network_of
from rc_env.training.pool import LEARNER
from rc_env.training.replay import Endings, Lessons, OpenDecisions, ReplayBuffer, taught_by
from rc_env.training.run import Run, train

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]

SMALL = dataclasses.replace(
    TINY, learner="gumbel", simulations=4, candidates=3, turn_limit=6, steps=24, decisions=1536, batch=32, replay=300
)
"""Settings with games of some 20 decisions, so that many games end in each of the four iterations."""


def learner(**chosen: object) -> GumbelLearner:
    small = dataclasses.replace(SMALL, **chosen)  # type: ignore[arg-type]
    torch.manual_seed(0)
    return GumbelLearner(small, Network(small), small.pool(), 3)


def lessons(count: int, **columns: object) -> Lessons:
    """Return lessons that differ in their numbers."""
    like = Lessons.none(5, 11, 2, 1)
    made = {
        name: np.zeros((count, *column.shape[1:]), column.dtype) + columns.get(name, 0)
        for name, column in vars(like).items()
    }
    made["numbers"] += np.arange(count, dtype=np.uint8)[:, None]
    return Lessons(**made)  # type: ignore[arg-type]


# --- targets


def test_value_targets_by_hand():
    """Game 7 is over: seat 2 decided in it twice, once without a search, and seat 0 once. Game 9 goes on."""
    none = OpenDecisions.none(4, 10, 3)
    decisions = OpenDecisions(
        np.arange(16, dtype=np.uint8).reshape(4, 4),
        np.zeros((4, 2), np.uint8),
        np.zeros((4, 10), np.float16),
        np.array([True, True, False, True]),
        np.array([[0.5, -0.5, 0.0], [0.1, 0.2, -0.3], [0, 0, 0], [0.2, 0.4, -0.6]], np.float32),
        np.array([2, 1, 2, 0]),
        np.array([7, 9, 7, 7]),
    )
    endings = Endings(
        np.array([8, 7]),
        np.array([[1, 1, 1], [-1, 0, 1]], np.float32),
        np.array([[0, 0, 0], [10, 20, 30]], np.float32),
    )
    done, rest = taught_by(decisions, endings, 3, 0.25)
    np.testing.assert_allclose(
        done.values,
        [
            [0.75 * 1 + 0.25 * 0.5, 0.75 * -1 + 0.25 * -0.5, 0],
            [1, -1, 0],  # the value target is the outcome alone
            [0.75 * -1 + 0.25 * 0.2, 0.25 * 0.4, 0.75 * 1 + 0.25 * -0.6],
        ],
        atol=1e-6,
    )
    np.testing.assert_array_equal(done.prestige, [[30, 10, 20], [30, 10, 20], [10, 20, 30]])
    np.testing.assert_array_equal(done.numbers[:, 0], [0, 8, 12])
    np.testing.assert_array_equal(done.searched, [True, False, True])
    assert (len(rest), rest.games[0], rest.numbers[0, 0]) == (1, 9, 4)
    alone, _ = taught_by(decisions, endings, 1, 0.25)
    np.testing.assert_array_equal(alone.values, done.values[:, :1])
    nothing, same = taught_by(none, endings, 3, 0.25)
    assert len(nothing) == len(same) == 0


def test_what_a_search_expects_by_hand():
    """The third action was not tried, so its prior does not count."""
    thoughts = Thoughts(
        ruleset=Ruleset(),
        seat=np.zeros(2, np.int8),
        actions=np.array([0, 1]),
        prior=np.zeros((2, 3), np.float32),
        policy=np.array([[0.6, 0.2, 0.2], [0, 0, 1]], np.float32),
        visit_counts=np.array([[3, 1, 0], [2, 2, 0]], np.int32),
        qvalues=np.array(
            [[[0.5, -0.5], [-0.5, 0.5], [np.nan] * 2], [[1, -1], [0.25, -0.25], [np.nan] * 2]], np.float32
        ),
        errors=np.full((2, 3, 2), np.nan, np.float32),
        value=np.array([[0.5, -0.5], [0.25, -0.25]], np.float32),
        variation=np.zeros((2, 1), np.int16),
        variation_seats=np.zeros((2, 1), np.int8),
        simulations=8,
        evaluations=8,
    )
    np.testing.assert_allclose(expected_of(thoughts), [[0.25, -0.25], [0.25, -0.25]], atol=1e-6)


@pytest.mark.parametrize(("players", "share"), [(2, 1.0), (3, 0.5)])
def test_what_is_learned_from_is_what_the_learner_did_in_games_that_are_over(players, share):
    """The lessons are compared with notes of each decision of the learner: the seat, its observation, and the game's
    result.
    """
    one = learner(players=players, opponents={"self": 1, "greedy": 2}, full_share=share, search_share=0.0, replay=10**6)
    games, seen, outcome = one.games, {}, {}
    step, over = games.step, games.over

    def note_step(actions, mine):
        numbers, mask = games.engine.observe(dtype=np.uint8), games.engine.legal_mask()
        for row in np.flatnonzero(games.players[np.arange(len(mine)), games.seat] == LEARNER):
            assert mine[row]
            seen.setdefault(games.number[row], []).append((int(games.seat[row]), numbers[row].copy(), mask[row].copy()))
        step(actions, mine)

    def note_over(rows):
        for row in rows:
            outcome[games.number[row]] = games.engine.rewards[row].copy(), games.engine.results([row]).prestige[0]
        over(rows)

    games.step, games.over = note_step, note_over
    for _ in range(6):  # a step in two is drawn to be searched: enough of them for its share
        one.collect()
    done = [(game, *decision) for game in outcome for decision in seen.get(game, [])]
    stored = one.replay._portions[0].followed_by(*one.replay._portions[1:])
    assert len(done) == len(stored) == len(one.replay) > 300
    assert len(one._open) == sum(len(found) for game, found in seen.items() if game not in outcome)
    by_numbers = {stored.numbers[i].tobytes(): i for i in range(len(stored))}
    for game, seat, numbers, mask in done:
        i = by_numbers[numbers.tobytes()]
        order = (seat + np.arange(players)) % players
        rewards, prestige = outcome[game]
        np.testing.assert_array_equal(stored.values[i], rewards[order][: one.settings.values])
        np.testing.assert_array_equal(stored.prestige[i], prestige[order])
        np.testing.assert_array_equal(np.unpackbits(stored.masks[i], count=len(mask)), mask)
        assert not stored.policies[i][mask == 0].any()
        assert stored.policies[i].sum(dtype=np.float32) == pytest.approx(float(stored.searched[i]), abs=0.01)
    assert stored.searched.mean() == pytest.approx(share, abs=0.1)


def test_decisions_of_which_the_network_is_sure_are_not_searched():
    """The most probable action of a network decides. Where it is sure, its own policy is what is to be learned, so that
    learning from other decisions does not change it.
    """
    one = learner(sure=0.2, opponents={"self": 1}, replay=10**6)
    one.collect()
    stored = one.replay._portions[0].followed_by(*one.replay._portions[1:])
    masks = np.unpackbits(stored.masks, 1, one.settings.ruleset.actions.size).view(np.bool_)
    log_probs = log_policy(torch.from_numpy(one.network.evaluate(stored.numbers)[0]), torch.from_numpy(masks))
    np.testing.assert_array_equal(stored.searched, log_probs.max(1).values.exp().numpy() <= 0.2)
    assert 0.1 < stored.searched.mean() < 0.9
    np.testing.assert_allclose(stored.policies.sum(1, dtype=np.float32), 1, atol=0.01)
    sure = ~stored.searched
    np.testing.assert_allclose(stored.policies[sure], log_probs[sure].exp(), atol=1e-3)
    policy_loss, *_, kl = one.losses(stored.take(sure))
    assert kl.item() == pytest.approx(0, abs=1e-3)
    policy_loss.backward()
    assert max(float(tensor.grad.abs().max()) for tensor in one.network.policy.parameters()) < 1e-3


def test_nothing_is_learned_of_a_policy_without_a_search():
    one = learner(full_share=0.01)
    one.collect()
    drawn = one.replay.draw(64)
    quiet = dataclasses.replace(drawn, searched=np.zeros(64, np.bool_), policies=np.zeros_like(drawn.policies))
    policy_loss, value_loss, prestige_loss, _, kl = one.losses(quiet)
    assert policy_loss == kl == 0
    (policy_loss + value_loss + prestige_loss).backward()
    for name, tensor in one.network.named_parameters():
        of_policy = name.startswith(("policy", "objects"))
        assert (tensor.grad is None or not tensor.grad.any()) is of_policy, name


def test_losses_by_hand():
    """There is one lesson, and a network whose logits and values are 0: all legal actions are equally likely."""
    one = learner(players=3)
    for module in (one.network, one.prestige):
        for tensor in module.parameters():
            tensor.data.zero_()
    position = positions(2, players=3)
    masks, count = position.mask, position.mask.sum(1)
    policies = np.zeros(masks.shape, np.float16)
    policies[0, masks[0].argmax()] = 1
    taught = Lessons(
        position.numbers,
        np.packbits(masks.view(np.bool_), 1),
        policies,
        np.array([True, False]),
        np.array([[1, 0, -1], [0, 0, 0]], np.float32),
        np.array([[PRESTIGE, 0, 0], [0, 0, 2 * PRESTIGE]], np.float32),
    )
    policy_loss, value_loss, prestige_loss, entropy, kl = one.losses(taught)
    assert policy_loss.item() == pytest.approx(np.log(count[0])) == kl.item()
    assert value_loss.item() == pytest.approx(2 / 6) and prestige_loss.item() == pytest.approx(5 / 6)
    assert entropy.item() == pytest.approx(np.log(count).mean(), rel=1e-5)


def test_gradient_steps_draw_as_often_as_asked():
    one = learner(epochs=3)
    drawn, draw, added = [], one.replay.draw, 0.0
    one.replay.draw = lambda count: drawn.append(count) or draw(count)
    for _ in range(5):
        added += one.iterate(0.0)["samples"]
    assert set(drawn) == {32} and 0 <= 3 * added - sum(drawn) < 32 and added > 300


# --- the buffer


def test_a_buffer_keeps_the_newest_and_draws_all_of_them():
    torch.manual_seed(0)
    buffer = ReplayBuffer(6, lessons(0))
    for value in range(5):
        buffer.add(lessons(3, prestige=value))
    buffer.add(lessons(0))
    assert len(buffer) == 6
    drawn = buffer.draw(600)
    kinds, counts = np.unique(np.column_stack((drawn.numbers[:, 0], drawn.prestige[:, 0])), axis=0, return_counts=True)
    assert kinds.tolist() == [[0, 3], [0, 4], [1, 3], [1, 4], [2, 3], [2, 4]] and counts.min() > 60
    again = ReplayBuffer(6, lessons(0))
    again.restore(buffer.state())
    torch.manual_seed(5)
    first = buffer.draw(50)
    torch.manual_seed(5)
    for name, column in vars(again.draw(50)).items():
        np.testing.assert_array_equal(column, getattr(first, name))
    again.restore([])
    assert len(again) == 0


def test_bytes_of_other_lessons_are_refused():
    packed = lessons(4).packed()
    for name, other, refused in (
        ("values", lessons(4, values=np.nan).packed()["values"], "values holds NaN or infinity"),
        ("values", lessons(3).packed()["values"], "columns must have equally many rows, not "),
        ("numbers", lessons(4).packed()["prestige"], "cannot reshape"),
    ):
        with pytest.raises(ValueError, match=refused):
            lessons(0).unpacked({**packed, name: other})


# --- the network that evaluates the leaves of the search


@pytest.mark.parametrize("players", [2, 3])
def test_a_network_is_asked_as_its_file_is(players, tmp_path):
    chosen = dataclasses.replace(SMALL, players=players, turn_limit=150)
    network = Network(chosen)
    checkpoint.export(network, chosen.ruleset, tmp_path / "a.npz", decisions=0)
    trained = net.load(tmp_path / "a.npz")
    numbers = positions(20, players=players).numbers
    for asked in ((None, None), (5, 12), (20, 0), (0, 20)):
        for own, played in zip(network.evaluate(numbers, *asked), trained.evaluate(numbers, *asked), strict=True):
            assert own.dtype == np.float32 and own.shape == played.shape
            np.testing.assert_allclose(own, played, atol=2e-3)
    assert network.evaluate(numbers)[1].shape == (20, 1 if players == 2 else 3)
    with torch.no_grad():
        own = network_of(trained)(network.encode(numbers))
    np.testing.assert_allclose(own[0].numpy(), trained.logits(numbers), atol=1e-4)
    np.testing.assert_allclose(own[1].numpy(), trained.value(numbers), atol=1e-4)


def test_a_start_gives_its_weights_and_values_to_every_seat(tmp_path):
    one = dataclasses.replace(SMALL, players=3, learner="ppo", turn_limit=150)
    network = Network(one)
    checkpoint.export(network, one.ruleset, tmp_path / "one.npz", decisions=0)
    numbers = positions(20, players=3).numbers
    each = Network(dataclasses.replace(one, learner="gumbel"))
    each.start_from(net.load(tmp_path / "one.npz"))
    (logits, value), (same, values) = net.load(tmp_path / "one.npz").evaluate(numbers), each.evaluate(numbers)
    np.testing.assert_allclose(same, logits, atol=1e-4)
    np.testing.assert_allclose(values, value * [1, -0.5, -0.5], atol=1e-4)
    checkpoint.export(each, one.ruleset, tmp_path / "each.npz", decisions=0)
    network.start_from(net.load(tmp_path / "each.npz"))
    np.testing.assert_allclose(network.evaluate(numbers)[1], value, atol=2e-3)


def test_the_warm_start_teaches_a_value_for_each_seat(tmp_path):
    one = Run(dataclasses.replace(SMALL, players=3, imitation=8192, decisions=0), tmp_path)
    numbers = positions(64, players=3).numbers
    before = one.network.evaluate(numbers)[1]
    while not one.finished:
        one.iterate()
    one.log.close()
    after = one.network.evaluate(numbers)[1]
    lacks = [abs(values[:, 1:] + values[:, :1] / 2).mean() for values in (before, after)]
    assert lacks[1] < 0.3 * lacks[0] and abs(after[:, 0]).mean() > 0.1


# --- runs


def test_a_learners_own_layers_begin_alike_in_every_process_and_run(tmp_path, monkeypatch):
    begun = []
    for rank in (0, 1):
        run = Run(dataclasses.replace(SMALL, imitation=0), tmp_path / str(rank))
        monkeypatch.setattr(run, "_seed", lambda number, rank=rank: 10 * rank + number)
        torch.rand(rank)
        begun.append(run._make_learner())
        run.close()
    assert begun[0].games.engine.games.tobytes() != begun[1].games.engine.games.tobytes()
    for one, other in zip(*(learner.prestige.parameters() for learner in begun), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("scale", [1.0, 8.0])
def test_a_network_that_begins_with_another_has_its_values_at_every_scale(scale):
    trained = net.load(net.shipped(Ruleset()))
    settings_of_it = {**trained.about["settings"], "reward_scale": 4.0}
    trained = net.Net(trained.arrays(), {**trained.about, "settings": settings_of_it})
    position = positions(16)
    chosen = dataclasses.replace(TINY, trunk=256, heads=64, object=32, reward_scale=scale, precision="float32")
    sizes = {name: trained.about["settings"][name] for name in ("trunk", "layers", "heads", "object")}
    network = Network(dataclasses.replace(chosen, **sizes))
    network.start_from(trained)
    found = network.evaluate(position.numbers)[1][:, 0] / scale
    np.testing.assert_allclose(found, trained.value(position.numbers), atol=1e-4)
    exported = network_of(trained).evaluate(position.numbers)[1][:, 0]
    np.testing.assert_allclose(exported, trained.value(position.numbers), atol=1e-4)


def test_only_what_gives_up_prestige_and_rerolls_are_made_rare():
    full = dataclasses.replace(TINY, contractors=True, learner="ppo")
    for chosen in (TINY, full):
        torch.manual_seed(0)
        network = Network(chosen)
        before = {name: bias.clone() for name, bias in network.state_dict().items()}
        network.make_rare(chosen)
        lowered = set()
        verbs = [action.verb for action in chosen.ruleset.actions.actions]
        for name, bias in network.state_dict().items():
            for place in np.flatnonzero((bias != before[name]).reshape(-1)):
                kind = next((one for one in network.inputs.objects if name.startswith(f"objects.{one.name}.")), None)
                numbers = network.inputs.rest[[place]] if kind is None else kind.actions[:, place]
                lowered |= {verbs[number] for number in numbers}
        assert lowered == {Verb.RUBLES, Verb.REROLL}


def test_a_shared_victory_is_shared_in_the_log():
    made = learner()
    winners = np.array([[True, True], [False, True], [True, False]])
    made.games.learner[:3] = [0, 0, 0]
    made.games.engine = SimpleNamespace(results=lambda rows: SimpleNamespace(winners=winners[rows]))
    assert made.games.won(np.arange(3)).tolist() == [0.5, 0, 1]


@pytest.mark.long
def test_a_short_training_with_search_learns_from_nothing(tmp_path):
    """Training takes half a minute of one core: games of eight turns, in which prestige can be gained early."""
    chosen = dataclasses.replace(
        SMALL, imitation=0, turn_limit=8, decisions=10_240, envs=64, steps=32, batch=128, epochs=10, simulations=6,
        candidates=6, value_scale=1.0, search_share=0.0, learning_rate=4e-3, last_learning_rate=4e-4, replay=100_000,
        opponents={"self": 1}, evaluate_every=1000,
    )  # fmt: skip
    run = Run(chosen, tmp_path)
    before = FrozenBot(run.network, "before")
    while not run.finished:
        run.iterate()
    run.log.close()
    for other in (before, agents.make("random")):
        share = match.play_match([FrozenBot(run.network, "after"), other], 200, chosen.ruleset, seed=1).share(0)
        assert share.low > 0.6, f"won {share.mean:.1%}, {share.low:.1%} to {share.high:.1%}, against {other.name}"


@pytest.mark.parametrize(
    "stop_after", [pytest.param(0, id="the imitation"), 3, pytest.param(5, marks=pytest.mark.long)]
)
def test_a_run_with_search_goes_on_as_the_same_run(stop_after, tmp_path):
    chosen = dataclasses.replace(SMALL, full_share=0.7, fast_simulations=2, sure=0.3)
    stop_after = stop_after or -(-chosen.imitation // (chosen.envs * chosen.steps))
    whole = train(chosen, tmp_path / "whole")
    rows: list[dict[str, object]] = []

    def tell(row):
        rows.append(row)
        if len(rows) == stop_after:
            os.kill(os.getpid(), signal.SIGINT)

    assert not train(chosen, tmp_path / "part", tell).finished
    rest = train(chosen, tmp_path / "part", resume=True)
    for (name, one), other in zip(rest.network.state_dict().items(), whole.network.state_dict().values(), strict=True):
        assert torch.equal(one, other), name
    logs = [
        [{name: row[name] for name in row if not name.startswith(("share", "seconds", "decisions_per"))} for row in log]
        for log in map(checkpoint.read_log, (tmp_path / "whole", tmp_path / "part"))
    ]
    assert logs[0] == logs[1]
    assert sum("policy_loss" in row for row in logs[0] if row["stage"] == "gumbel") >= 3
    assert logs[0][-1]["replay"] >= 300 and {"won", "kl", "entropy", "won/random"} <= set(logs[0][-1])


@pytest.mark.parametrize(("players", "workshop"), [(1, "basic"), (3, "advanced"), (4, "basic")])
def test_every_variant_trains_with_search(players, workshop, tmp_path):
    chosen = dataclasses.replace(SMALL, players=players, workshop=workshop, imitation=384, decisions=768)
    assert train(chosen, tmp_path).finished
    bot = NetBot(tmp_path)
    position = positions(16, players=players, workshop=workshop)
    assert bot.net.evaluate(position.numbers)[1].shape == (16, 1 if players == 1 else players)
    actions = agents.make("search", simulations=4, net=str(tmp_path)).act(position)
    assert (position.mask[np.arange(16), actions] == 1).all()


def test_a_run_starts_from_a_network_and_needs_it_no_more(tmp_path):
    chosen = dataclasses.replace(SMALL, imitation=384, decisions=0)
    train(chosen, tmp_path / "first")
    file = tmp_path / "first" / net.LAST
    start = dataclasses.replace(SMALL, imitation=0, start=str(file), decisions=768)
    one = Run(start, tmp_path / "second")
    layers = net.load(file).layers
    for name, array in one.network.layers().items():
        layer, part = name.rsplit(".", 1)
        np.testing.assert_array_equal(array, layers[layer][part == "bias"])
    numbers = positions(8).numbers
    past = next(bot for number, bot in one.pool.bots.items() if number > one.pool._first)
    assert isinstance(past, FrozenBot)
    np.testing.assert_array_equal(past.network.evaluate(numbers)[0], one.network.evaluate(numbers)[0])
    one.iterate()
    one.save()
    one.log.close()
    file.unlink()
    assert train(start, tmp_path / "second", resume=True).finished
    with pytest.raises(ValueError, match=r"net: there is no file '.*'; name one that `rc train` wrote, or the folder"):
        Run(start, tmp_path / "third")
    assert not (tmp_path / "third" / settings.FILE).exists()


@pytest.mark.parametrize(
    ("chosen", "refused"),
    [
        ({"start": 5}, "start must be a file, a run's folder, shipped or none, not 5"),
        ({"reward": "first"}, "reward must be win with a scale of 1 .*, not 'first' with a scale of 1"),
        ({"reward_scale": 2.0}, "reward must be win with a scale of 1 .*, not 'win' with a scale of 2"),
        ({"simulations": 0}, "simulations must be a whole number from 1 to .*, not 0"),
        ({"candidates": 300}, "candidates must be a whole number from 1 to 256, not 300"),
        ({"fast_simulations": -1}, "fast_simulations must be .*, not -1"),
        ({"full_share": 0}, "full_share must be a number from 0.01 to 1, not 0"),
        ({"search_share": 1.5}, "search_share must be a number from 0 to 1, not 1.5"),
        ({"prestige_weight": -1}, "prestige_weight must be .*, not -1"),
        ({"value_scale": float("inf")}, "value_scale must be .*, not inf"),
        ({"replay": 0}, "replay must be a whole number from 1 to .*, not 0"),
    ],
)
def test_settings_of_the_search_that_make_no_sense_are_refused(chosen, refused):
    with pytest.raises(ValueError, match=refused):
        dataclasses.replace(SMALL, **chosen)


def test_a_start_may_be_trained_on_the_other_side_of_the_workshops(tmp_path):
    torch.manual_seed(1)
    file = tmp_path / "basic.npz"
    checkpoint.export(Network(SMALL), SMALL.ruleset, file, decisions=0)
    advanced = Run(dataclasses.replace(SMALL, workshop="advanced", imitation=0, start=str(file)), tmp_path / "run")
    assert (net.load(file).ruleset.workshop, advanced.ruleset.workshop) == ("basic", "advanced")
    taken = advanced.network.state_dict()
    for name, (weight, bias) in net.load(file).layers.items():
        np.testing.assert_array_equal(taken[f"{name}.weight"].numpy().T, weight)
        np.testing.assert_array_equal(taken[f"{name}.bias"].numpy(), bias)


@pytest.mark.parametrize("players", [2, 3])
def test_a_wider_network_begins_with_the_function_of_its_start(players, tmp_path):
    torch.manual_seed(2)
    narrow = dataclasses.replace(SMALL, players=players)
    file = tmp_path / "narrow.npz"
    checkpoint.export(Network(narrow, values=1), narrow.ruleset, file, decisions=0)
    trained = net.load(file)
    for widths in ({"trunk": 48}, {"heads": 40}, {"object": 24}, {"trunk": 33, "heads": 17, "object": 9}):
        chosen = dataclasses.replace(narrow, **widths)
        wide = Network(chosen, values=1)
        wide.start_from(trained)
        numbers = positions(20, players=players).numbers
        for own, same in zip(wide.evaluate(numbers), trained.evaluate(numbers), strict=True):
            np.testing.assert_allclose(own, same, atol=1e-4)
        # Gradients reach the new units, so they can be learned. Inputs of other objects than moves may all be 0 here.
        logits, value = wide(wide.encode(numbers))
        (logits.square().mean() + value.square().mean()).backward()
        gradients = dict(wide.named_parameters())
        for name, (weight, _) in trained.layers.items():
            new = gradients[f"{name}.weight"].grad.T[weight.shape[0] :, : weight.shape[1]]
            learns = not new.numel() or new.abs().max() > 0
            assert learns or (name.startswith("objects.") and not name.startswith("objects.moves.")), name


def test_a_start_that_does_not_fit_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"start: its trunk.0.weight has the shape \(512, 1317\), larger than"):
        Run(dataclasses.replace(SMALL, imitation=0, start="shipped"), tmp_path)
    other = dataclasses.replace(SMALL, players=3, imitation=0)
    with pytest.raises(
        ValueError, match=r"start: .*2p-basic.npz has a network for 2 players; this training needs one for 3"
    ):
        Run(dataclasses.replace(other, start=str(net.shipped(Ruleset()))), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("named", "given", "expected"),
    [
        ({}, {}, {"trunk": 48, "heads": 128, "object": 32, "layers": 3}),  # the heads and objects of the preset
        ({"trunk": 64}, {}, {"trunk": 64, "heads": 128, "object": 32, "layers": 3}),
        ({"trunk": 64}, {"trunk": 80, "heads": 24}, {"trunk": 80, "heads": 24, "object": 32, "layers": 3}),
    ],
)
def test_the_command_trains_a_network_as_large_as_its_start(named, given, expected, tmp_path, monkeypatch):
    file, config = tmp_path / "first.npz", tmp_path / "config.toml"
    large = dataclasses.replace(SMALL, trunk=48, heads=24, object=12, layers=3)
    checkpoint.export(Network(large), large.ruleset, file, decisions=0)
    config.write_text("\n".join(f"{name} = {value}" for name, value in named.items()))
    monkeypatch.setitem(settings.PRESETS, "quick", dataclasses.replace(settings.PRESETS["quick"], trunk=32, envs=8))
    words = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    words += ["--config", str(config), "--start", str(file), "--imitation", "0", "--decisions", "1", "--steps", "2"]
    words += ["--turn-limit", "10"]
    words += ["--games", "2", "--evaluation-games", "2", "--anchors", "random", "--opponents", "self=1"]
    assert rc.main(["train", *words, "--out", str(tmp_path / "run")]) == 0
    chosen = settings.read_settings(tmp_path / "run" / settings.FILE)
    assert {name: getattr(chosen, name) for name in expected} == expected


def test_the_command_refuses_a_network_narrower_than_its_start(tmp_path, capsys):
    words = ["train", "--start", "shipped", "--imitation", "0", "--trunk", "256", "--out", str(tmp_path / "run")]
    assert rc.main(words) == 2
    shown = capsys.readouterr().err
    assert "start: its trunk.0.weight has the shape (512, 1317), larger than (256, 1317)" in shown


def test_a_run_in_which_no_game_ends_says_that_it_learned_nothing(tmp_path, capsys):
    words = "--learner gumbel --imitation 0 --decisions 64 --envs 8 --steps 8 --simulations 2 --candidates 2 --games 2"
    assert rc.main(["train", *words.split(), "--evaluation-games", "2", "--out", str(tmp_path / "run")]) == 0
    said = "No game ended within so many decisions, so nothing was learned: give more, or a smaller --envs."
    assert said in capsys.readouterr().out
