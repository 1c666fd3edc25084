"""Tests of the learners: their computations, and that they learn."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from tiny import TINY, positions

from rc_env import Engine, Ruleset, agents
from rc_env.agents import net
from rc_env.agents.net import NetBot
from rc_env.arena import match
from rc_env.bot import Position
from rc_env.rules.verbs import Verb
from rc_env.training import network
from rc_env.training.games import SelfPlayGames
from rc_env.training.imitation import Imitation
from rc_env.training.network import FrozenBot, Network, draw, entropy_of, log_policy
from rc_env.training.pool import OpponentPool
from rc_env.training.ppo import PPO
from rc_env.training.run import Run, settings_of, train
from rc_env.training.sb3_learner import StableBaselines
from rc_env.training.settings import PRESETS

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


@pytest.mark.parametrize("bonus", [{}, {"move": 0.25}])
def test_advantages_follow_each_seat(bonus):
    """The advantages equal those computed decision by decision from every seat's own stream."""
    chosen = dataclasses.replace(
        TINY, opponents={"self": 3, "random": 1}, players=3, steps=40, turn_limit=6, bonus=bonus
    )
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), OpponentPool(chosen.opponents), 3)
    learner.explore(0.0)
    learner.collect()
    rollout = learner._rollout
    moves = np.array([action.verb == Verb.MOVE for action in chosen.ruleset.actions.actions])
    given = sum(bonus.values()) * moves[rollout.actions.numpy()]
    gamma, gae_lambda = 0.9, 0.8
    samples = rollout.samples(gamma, gae_lambda)
    gains = []
    for t in range(40):
        for row in np.flatnonzero(rollout._mine[t]):
            seat = rollout._seats[t, row]
            stream, outcome, ended = [t], 0.0, False
            for later in range(t, 40):
                if later > t and rollout._mine[later, row] and rollout._seats[later, row] == seat:
                    stream.append(later)
                if rollout._dones[later, row]:
                    outcome, ended = rollout._rewards[later, row, seat], True
                    break
            if len(stream) == 1 and not ended:
                continue
            values = [rollout._values[step, row] for step in stream]
            paid = [given[step, row] for step in stream]
            paid[-1] += outcome
            after = [*values[1:], 0.0]
            errors = [paid[k] + gamma * after[k] - values[k] for k in range(len(stream) - (not ended))]
            gains.append(sum((gamma * gae_lambda) ** k * error for k, error in enumerate(errors)))
    np.testing.assert_allclose(samples.advantages.numpy(), gains, rtol=1e-4, atol=1e-5)


def test_with_a_lambda_of_1_returns_need_no_value_but_the_last():
    """Imitation computes the values of the teacher's positions only where a rollout ends."""
    chosen = dataclasses.replace(TINY, players=3, steps=40, turn_limit=6)
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), OpponentPool({"self": 1}), 3)
    learner.collect()
    rollout = learner._rollout
    returns = rollout.samples(0.9, 1.0).returns
    rollout._values[:] = 7
    with torch.no_grad():
        rollout.value_last(learner.network)
    np.testing.assert_allclose(rollout.samples(0.9, 1.0).returns.numpy(), returns.numpy(), rtol=1e-4, atol=1e-4)


def test_rewards_for_actions_fall_to_nothing():
    """What `bonus` names has a reward that falls in a line and is gone by `bonus_until`, in units of the game's."""
    chosen = dataclasses.replace(TINY, bonus={"claim": 0.5, "move": -0.1}, bonus_until=0.4, reward_scale=3.0)
    learner = PPO(chosen, Network(chosen), OpponentPool({"self": 1}), 3)
    words = [action.verb.name for action in chosen.ruleset.actions.actions]
    for progress, share in ((0.0, 1.0), (0.1, 0.75), (0.4, 0.0), (0.9, 0.0)):
        learner.explore(progress)
        wanted = [3 * {"CLAIM": 0.5, "MOVE": -0.1}.get(word, 0) * share for word in words]
        np.testing.assert_allclose(learner._rollout.bonus, wanted, atol=1e-6)


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("stepping", ["step", "step_to_learner"])
def test_a_guide_plays_the_first_turns_of_a_seat(players, stepping):
    """And no other turn: of the turns of a led seat the first ones are the guide's, all later ones the learner's."""
    pool = OpponentPool({"self": 1, "greedy": 0})
    games = SelfPlayGames(Ruleset(players, turn_limit=40), 16, pool)
    games.lead("greedy", 0.7, 4)
    games.reset(5)
    drawn, generator, over, taken = games.led.copy(), np.random.default_rng(0), 0, 0
    for _ in range(600):
        if stepping == "step_to_learner":
            games.step_to_learner()
        row = np.arange(16)
        before = (games.engine.games["turn"] - 1) // players
        np.testing.assert_array_equal(games.mine, before >= drawn[row, games.seat])
        taken += np.count_nonzero(games.mine & (drawn[row, games.seat] > 0))
        mask = games.engine.legal_mask()[games.mine]
        actions = (generator.random(mask.shape) * mask).argmax(1)
        if stepping == "step":
            games.step(actions, games.mine)
        else:
            games.step_to_learner(actions)
        drawn[games.dones] = games.led[games.dones]
        over += np.count_nonzero(games.dones)
    assert over > 10 and taken > 100
    led = np.concatenate([[games.reset(seed) or games.led.copy() for seed in range(200)]])
    assert set(np.unique(led)) == {0, 1, 2, 3, 4} and np.mean(led > 0) == pytest.approx(0.7, abs=0.02)
    games.lead("greedy", 0.7, 0)
    games.reset(6)
    assert not games.led.any() and games.mine.all()


def test_the_turns_of_a_guide_fall_to_nothing():
    """The guide is a member of the pool that is never an opponent; the learner has no samples of its decisions."""
    chosen = dataclasses.replace(TINY, guide="rush", guide_share=1.0, guide_turns=6, guide_until=0.5, turn_limit=40)
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), chosen.pool(), 3)
    assert learner.games.led.max() == 6 and not learner.games.mine.any(), "from the first deal on"
    number = learner.games.pool.number_of("rush")
    assert number not in learner.games.pool.draw(np.random.default_rng(0), (1000,))
    for progress, most in ((0.0, 6), (0.25, 3), (0.49, 0), (0.5, 0), (1.0, 0)):
        learner.explore(progress)
        learner.games.reset()
        assert learner.games.led.max() == most
        assert (learner.games.players == number).any() == (most > 0)
    learner.explore(0.0)
    learner.games.reset()
    learner.collect()
    assert not learner._rollout._mine[0].any() and learner._rollout._mine.any()
    with pytest.raises(ValueError, match="unknown name 'guilds': choose "):
        learner.games.lead("guilds", 0.5, 3)


def test_logits_from_the_same_weights_are_raised_together():
    """In the full game the black die moves by the weights by which the other dice move."""
    chosen = dataclasses.replace(TINY, contractors=True)
    one, numbers = Network(chosen), Position.of(Engine(chosen.ruleset, 4, seed=1)).numbers
    before = one.evaluate(numbers)[0]
    for by in ({Verb.MOVE: 2.0}, {Verb.MOVE_BLACK: 2.0}, {Verb.MOVE: 2.0, Verb.MOVE_BLACK: 1.0}):
        with pytest.raises(ValueError, match="raised: move and move_black share their weights: name both, with the"):
            one.raise_logits(by)
    one.raise_logits({Verb.MOVE: 2.0, Verb.MOVE_BLACK: 2.0, Verb.HIRE: 1.0})
    words = [action.verb.name for action in chosen.ruleset.actions.actions]
    wanted = [{"MOVE": 2.0, "MOVE_BLACK": 2.0, "HIRE": 1.0}.get(word, 0.0) for word in words]
    np.testing.assert_allclose(one.evaluate(numbers)[0] - before, np.tile(wanted, (4, 1)), atol=1e-4)


def test_no_network_is_kept_as_the_best_while_actions_have_rewards_of_their_own(tmp_path, monkeypatch):
    """Its value counts these rewards, so the first one after them takes its place, however few games it wins."""
    chosen = dataclasses.replace(
        TINY, imitation=0, decisions=1024, evaluate_every=1, anchors=("random",), bonus={"move": 0.1}, bonus_until=0.5
    )
    one = Run(chosen, tmp_path)
    kept = []
    while not one.finished:
        one.iterate()
        kept.append(one._best > -1)
    assert len(kept) > 3 and not any(kept[: len(kept) // 2 - 1]) and kept[-1]


def test_a_network_to_start_from_can_have_logits_raised(tmp_path):
    """Every action of the verb has a higher logit by the number that is named, and no other action."""
    chosen = dataclasses.replace(TINY, imitation=0, start="shipped", trunk=512, heads=128, object=64, layers=2)
    one = Run(chosen, tmp_path / "a")
    other = Run(dataclasses.replace(chosen, raised={"move": 2, "claim": -3}), tmp_path / "b")
    numbers = positions(8).numbers
    words = [action.verb.name for action in chosen.ruleset.actions.actions]
    wanted = [{"MOVE": 2.0, "CLAIM": -3.0}.get(word, 0.0) for word in words]
    with torch.no_grad():
        before, after = (run.network(run.network.encode(numbers))[0].numpy() for run in (one, other))
    np.testing.assert_allclose(after - before, np.tile(wanted, (len(before), 1)), atol=1e-4)


@pytest.mark.parametrize(("imitation", "progress", "holds"), [(512, 0.0, True), (512, 0.9, False), (0, 0.0, False)])
def test_ppo_holds_on_to_the_teacher_for_a_while_after_a_warm_start(imitation, progress, holds):
    chosen = dataclasses.replace(TINY, imitation=imitation, teacher_weight=100.0, teacher_until=0.5, learning_rate=0.01)
    torch.manual_seed(0)
    learner = PPO(chosen, Network(chosen), OpponentPool({"self": 1}), 3)
    position = positions(512)
    labels = torch.from_numpy(agents.make("greedy").act(position))[:, None]

    def likely() -> float:
        with torch.no_grad():
            logits = learner.network(learner.network.encode(position.numbers))[0]
            return float(log_policy(logits, torch.from_numpy(position.mask) == 1).gather(1, labels).mean())

    before = likely()
    for _ in range(12):
        learner.iterate(progress)
    assert (likely() > before + 0.25) is holds


@pytest.mark.parametrize("learner", [PPO, StableBaselines])
def test_learning_rate_and_entropy_bonus_fall_in_a_line(learner):
    chosen = dataclasses.replace(
        TINY, imitation=0, learning_rate=0.01, last_learning_rate=0.002, entropy=2.0, last_entropy=0.0
    )
    position = positions(256)

    def spread() -> float:
        with torch.no_grad():
            logits = network(network.encode(position.numbers))[0]
            return float(entropy_of(log_policy(logits, torch.from_numpy(position.mask) == 1)).mean())

    gained = []
    for progress, rate in ((0.0, 0.01), (0.25, 0.008), (1.0, 0.002)):
        torch.manual_seed(0)
        network = Network(chosen)
        with torch.no_grad():
            for layer in (network.policy[1], *(kind[2] for kind in network.objects.values())):
                layer.bias += 3 * torch.randn(len(layer.bias))  # so that there is entropy to gain
        before = spread()
        one = learner(chosen, network, OpponentPool({"greedy": 1}), 3)
        for _ in range(4):
            one.iterate(progress)
        optimizer = one.model.policy.optimizer if learner is StableBaselines else one.optimizer
        assert optimizer.param_groups[0]["lr"] == pytest.approx(rate)
        gained.append(spread() - before)
    assert gained[0] > 0.1 and abs(gained[2]) < 0.05


def test_the_learning_rate_of_the_warm_start_falls_to_a_tenth():
    one = Imitation(TINY, Network(TINY), 3)
    for progress, rate in ((0.0, 2e-3), (0.5, 1.1e-3), (1.0, 2e-4)):
        one.iterate(progress)
        assert one.optimizer.param_groups[0]["lr"] == pytest.approx(rate)


def test_bfloat16_computes_almost_as_float32_and_learns():
    torch.manual_seed(0)
    single, half = (Network(dataclasses.replace(TINY, precision=name)) for name in ("float32", "bfloat16"))
    half.load_state_dict(single.state_dict())
    numbers = positions(256).numbers
    assert half.encode(numbers).dtype == torch.uint8 and half.scale(half.encode(numbers)).dtype == torch.bfloat16
    for exact, rounded in zip(single(single.encode(numbers)), half(half.encode(numbers)), strict=True):
        assert rounded.dtype == torch.float32 and not torch.equal(exact, rounded)
        assert (exact - rounded).abs().max() < 0.03 * exact.abs().max()
    learner = PPO(half_settings := dataclasses.replace(TINY, precision="bfloat16"), half, half_settings.pool(), 3)
    assert all(np.isfinite(value) for value in learner.iterate(0.0).values())
    for (name, before), after in zip(single.named_parameters(), half.parameters(), strict=True):
        assert after.dtype == torch.float32 and torch.isfinite(after).all(), name
        # No seat can re-roll in the first decisions of a game, so the layers that score spaces may learn nothing yet.
        assert name.startswith("objects.spaces") or not torch.equal(before, after), name


@pytest.fixture
def slow(monkeypatch):
    """Dtypes in which this processor, which has instructions for bfloat16, is slow for the length of a test."""
    found: set[torch.dtype] = set()
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: True)
    monkeypatch.setattr(network, "_seconds", lambda dtype: 2.0 if dtype in found else 1.0)
    network._faster.cache_clear()
    yield found
    network._faster.cache_clear()


@pytest.mark.parametrize("fast", [torch.float32, torch.bfloat16])
def test_auto_is_the_faster_precision(slow, fast):
    slow |= {torch.float32, torch.bfloat16} - {fast}
    assert Network(dataclasses.replace(TINY, precision="auto")).precision == fast


def test_without_instructions_for_bfloat16_nothing_is_measured(monkeypatch):
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
    monkeypatch.setattr(network, "_seconds", None)
    assert Network(dataclasses.replace(TINY, precision="auto")).precision == torch.float32


def test_on_a_gpu_auto_is_float32(slow):
    slow.add(torch.float32)  # whatever is faster on the processor
    gpu, words = torch.device("cuda"), ("auto", "float32", "bfloat16")
    found = [network.precision_of(dataclasses.replace(TINY, precision=word), gpu) for word in words]
    assert found == [torch.float32, torch.float32, torch.bfloat16]


def test_a_run_keeps_the_precision_that_it_began_with(slow, tmp_path):
    slow.add(torch.float32)
    chosen = dataclasses.replace(TINY, precision="auto")
    assert train(chosen, tmp_path).settings.precision == "bfloat16"
    network._faster.cache_clear()
    slow ^= {torch.float32, torch.bfloat16}
    assert Run(chosen, tmp_path / "other").settings.precision == "float32"
    assert train(chosen, tmp_path, resume=True).network.precision == torch.bfloat16
    assert settings_of(tmp_path).precision == "bfloat16"


def test_the_teacher_is_not_asked_where_no_game_waits(tmp_path):
    chosen = dataclasses.replace(TINY, envs=1, opponents={"random": 1}, imitation=16)

    class Strict:
        def reset(self, seed):
            pass

        def act(self, position):
            assert len(position.mask)
            return position.mask.argmax(1)

    learner = PPO(chosen, Network(chosen), chosen.pool(), 3)
    learner.teacher = Strict()
    assert learner.iterate(0.0)["samples"] < chosen.steps  # in the other steps the opponent decided


def test_actions_are_drawn_by_their_probabilities():
    torch.manual_seed(0)
    masks = torch.tensor([[True, False, True, True, False]]).repeat(20_000, 1)
    log_probs = log_policy(torch.tensor([[1.0, 9.0, 0.0, -1.0, 9.0]]).repeat(20_000, 1), masks)
    share = torch.bincount(draw(log_probs), minlength=5) / 20_000
    torch.testing.assert_close(share, log_probs[0].exp(), atol=0.015, rtol=0)
    assert share[1] == share[4] == 0


def test_no_logit_of_a_legal_action_is_below_that_of_an_illegal_one():
    masks = torch.tensor([[True, False, True]])
    log_probs = log_policy(torch.tensor([[-1.2e10, 0.0, -1.3e10]]), masks)
    assert (draw(log_probs.repeat(1000, 1)) == 0).all() and log_probs[0, 1].exp() == 0


SHORT = dataclasses.replace(
    PRESETS["quick"], imitation=150_000, decisions=30_000, envs=128, evaluate_every=1000, threads=1
)


@pytest.mark.long
def test_self_play_learns_from_nothing(tmp_path):
    """Training takes half a minute of one core and has no teacher, so that all learning is PPO's.

    With these settings seven runs, of several seeds and in both precisions, won 74 to 99 %: rounding, which differs by
    processor, does not decide.
    """
    chosen = dataclasses.replace(SHORT, imitation=0, decisions=160_000, envs=64, epochs=3, entropy=0.02)
    chosen = dataclasses.replace(chosen, learning_rate=1e-3, precision="float32")
    run = train(dataclasses.replace(chosen, opponents={"self": 1}), tmp_path)
    assert run.finished
    share = match.play_match([FrozenBot(run.network), agents.make("random")], 250, Ruleset(), seed=1).share(0)
    assert share.low > 0.6, f"won {share.mean:.1%}, {share.low:.1%} to {share.high:.1%}"


@pytest.mark.long
def test_a_short_training_beats_random_and_wins_games_against_greedy(tmp_path):
    """Training takes half a minute of one core: imitation, then self-play, as users train."""
    assert train(SHORT, tmp_path).finished
    bot = NetBot(tmp_path / net.LAST)
    for name, least in (("random", 0.95), ("greedy", 0.03)):
        share = match.play_match([bot, agents.make(name)], 250, Ruleset(), seed=1).share(0)
        assert share.low > least, f"won {share.mean:.1%} against {name}, {share.low:.1%} to {share.high:.1%}"
