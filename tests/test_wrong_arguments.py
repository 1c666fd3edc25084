"""Tests of wrong arguments to the Python APIs: each is refused in a sentence that names it, and changes nothing."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from rc_env import (
    Engine,
    OneSeatEnv,
    OneSeatVectorEnv,
    RedCathedralVectorEnv,
    Ruleset,
    make_bot,
    play_match,
)  # fmt: skip
from rc_env.agents import net
from rc_env.agents.net import Net, NetBot
from rc_env.agents.random import RandomBot
from rc_env.bot import Position, checked_bot
from rc_env.envs.aec import env, raw_env

RULES = Ruleset(turn_limit=4)
ENGINE = Engine(RULES, 3, 1)


class Nameless:
    def act(self, position: Position) -> np.ndarray:
        return position.mask.argmax(1)

    def reset(self, seed: int) -> None:
        pass


class Floats(Nameless):
    name = "floats"

    def act(self, position: Position) -> np.ndarray:
        return np.zeros(len(position))


WORDS = (" must ", " but ", ": choose ", " is missing", " has no ", " is not ")


def refused(call: Callable[[], Any], words: str = "") -> str:
    """Check that a call is refused with these words, and return the sentence."""
    with pytest.raises((ValueError, TypeError), match=re.escape(words) if words else None) as caught:
        call()
    sentence = str(caught.value)
    assert "\n" not in sentence and any(word in sentence for word in WORDS), sentence
    return sentence


@pytest.mark.parametrize("kind", [raw_env, OneSeatEnv, lambda: OneSeatVectorEnv(2), lambda: RedCathedralVectorEnv(2)])
def test_a_refused_call_leaves_an_environment_as_it_was(kind: Callable[[], Any]) -> None:
    one = kind()
    one.reset(seed=5)
    other = copy.deepcopy(one)
    deal = one.engine.ruleset.build.setup.open_deal()
    impossible = deal.copy()
    impossible["market"] = 99
    wrong = [
        *({"seed": seed} for seed in (-1, 2**64, 1.5, True, "3")),
        *({"options": options} for options in (5, [1], "deal")),
        *({"seed": 9, "options": {"deal": value}} for value in (5, "x", impossible, np.zeros((2, 2)), [deal] * 4)),
    ]
    if hasattr(one, "num_envs"):
        wrong += [{"seed": 9, "options": {"reset_mask": mask}} for mask in (1, [True], [[True], [True, True]], [1, 0])]
    for arguments in wrong:
        refused(lambda arguments=arguments: one.reset(**arguments))
    count = getattr(one, "num_envs", 0)
    for action in (None, 1.5, True, "x", [0.5] * max(count, 1), [0] * (count + 1)):
        refused(lambda action=action: one.step(action))
    assert one.engine.games.tobytes() == other.engine.games.tobytes()
    one.reset()
    other.reset()
    assert one.engine.games.tobytes() == other.engine.games.tobytes()  # its random numbers have not changed either


@pytest.mark.parametrize(
    "kind", [OneSeatEnv, lambda **s: OneSeatVectorEnv(2, **s), lambda **s: RedCathedralVectorEnv(2, **s)]
)
def test_a_gymnasium_environment_is_to_be_reset_first(kind: Callable[..., Any]) -> None:
    one = kind(render_mode="ansi")
    for call in (lambda: one.step([0, 0]), one.render):
        with pytest.raises(ResetNeeded, match=r"no games? (is|are) being played; call reset\(\) first"):
            call()


def test_a_pettingzoo_environment_is_to_be_reset_first() -> None:
    one = raw_env(render_mode="ansi")
    for call in (one.last, one.state, one.render, lambda: one.observe("player_0"), lambda: one.step(0)):
        with pytest.raises(
            ValueError, match=r"(last|state|render|observe|step): no game is being played; call reset\(\) first"
        ):
            call()
    wrapped = env(render_mode="ansi")
    for call in (wrapped.state, wrapped.render, lambda: wrapped.observe("player_0"), lambda: wrapped.step(0)):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):  # PettingZoo's own words
            call()
    one.reset(seed=1)
    for call in (one.observe, one.observation_space, one.action_space):
        for agent in ("player_7", None, 0, []):
            refused(lambda call=call, agent=agent: call(agent), "choose player_0 or player_1")


def test_a_state_that_does_not_fit_is_refused() -> None:
    one = raw_env()
    one.reset(seed=1)
    state, before = one.get_state(), one.engine.games.tobytes()
    changes: list[dict[str, Any]] = [
        {"variant": None}, {"variant": (3,)}, {"variant": np.zeros(3)}, {"agents": None}, {"agents": ["player_9"]},
        {"agent_selection": "player_9"}, {"rewards": None}, {"infos": {}}, {"terminations": {"player_0": False}},
    ]  # fmt: skip
    for change in changes:
        refused(lambda change=change: one.set_state({**state, **change}), "state")
    for wrong in (None, {}, 5, {"variant": 1}):
        refused(lambda wrong=wrong: one.set_state(wrong), "must be what get_state() gave")
    assert one.engine.games.tobytes() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gready", "unknown bot 'gready': did you mean greedy? Otherwise choose all_rounder, greedy, guilds,"),
        ("no.such:Bot", "bot 'no.such:Bot': there is no module no.such, and no registered bot of that name: choose"),
        ("random:speed=3", "; its settings are seed"),
        ("greedy:3", "; its settings are none"),
        ("math:pi", "unknown bot 'math:pi': choose all_rounder, greedy, guilds, majority, net, plan, random, rush"),
        ("math:sqrt", "unknown bot 'math:sqrt': choose all_rounder, greedy, guilds, majority, net, plan, random,"),
        ("os:abort", "unknown bot 'os:abort': choose all_rounder, greedy, guilds, majority, net, plan, random, rush"),
        ("builtins:exit", "unknown bot 'builtins:exit': choose all_rounder, greedy, guilds, majority, net, plan,"),
        ("builtins:int", "bot 'builtins:int' is a class without act(): see rc_env.bot.Bot"),
        ("rc_env:Ruleset", "is a class without act()"),
        ("rc_env.bot:Bot", "is a class without act()"),
        (".x:y", "unknown bot '.x:y': choose all_rounder, greedy, guilds, majority, net, plan, random, rush or"),
        ("random:seed=1,seed=2", "bot 'random:seed=1,seed=2' gives seed twice; give each setting once"),
        (
            "plan:contractor,greedy",
            "bot 'plan:contractor,greedy': only the first setting goes without a name; say NAME=greedy",
        ),
        ("search:20,depth=3,4", "bot 'search:20,depth=3,4': only the first setting goes without a name; say NAME=4"),
        ("search:net", "bot 'search:net' gives net no value; say net=VALUE"),
        ("random:seed=x", "seed must be a whole number from 0 to 2^64 - 1, not 'x'"),
        ("random:seed=18446744073709551616", "seed must be a whole number from 0 to 2^64 - 1, not"),
        ("search:simulations=2.5", "simulations must be a whole number from 1 to 1000000, not 2.5"),
        ("search:temperature=nan", "temperature must be a number from 0.001 to 1000000, not 'nan'"),
        (
            "search:plan=random",
            "plan must be a file or one of all_rounder, builder, contractor, greedy, guilds, majority, rush, not",
        ),
        (
            "plan:" + "x" * 9999,
            "plan must be a file or one of all_rounder, builder, contractor, greedy, guilds, majority, rush, not",
        ),
        ("net:" + "x" * 9999, "net: there is no file"),
        ("random:seed=" + "[" * 9999, "seed must be a whole number from 0 to 2^64 - 1, not"),
    ],
)
def test_names_of_bots_that_make_none(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words) if words else None) as caught:
        make_bot(text)
    assert "\n" not in str(caught.value)


def test_bots_that_are_none() -> None:
    refused(lambda: play_match([Nameless(), "random"], 1), "bots must be a bot whose `name` is a word, but")
    refused(lambda: OneSeatEnv(opponents=Nameless()), "opponents must be a bot whose `name` is a word, but")
    refused(lambda: play_match([RandomBot, "random"], 1), "must be a bot, or the name of one")  # type: ignore[list-item]
    one = OneSeatEnv(opponents=Floats(), seat=1)
    refused(
        lambda: one.reset(seed=1),
        "opponents: bot floats: answer must be 1 whole numbers, its actions, not a float64 array of shape (1,)",
    )
    assert checked_bot("bot", Floats()).name == "floats"


def test_a_bot_whose_methods_take_other_arguments_is_refused_before_it_plays() -> None:
    class Two(RandomBot):
        def act(self, position: Position, limit: float) -> np.ndarray:  # type: ignore[override]
            return position.mask.argmax(1)

    forgetful = RandomBot()
    forgetful.reset = lambda: None  # type: ignore[method-assign, assignment, misc]
    refused(lambda: checked_bot("bot", forgetful), "bot must have reset(seed), but")
    refused(lambda: play_match([Two(), "random"], 1), "bots must have act(position), but")


def test_negative_rows_and_games_that_are_over_are_no_positions() -> None:
    refused(lambda: Position.of(ENGINE, [0, -1]), "rows holds row -1, but the rows are 0 to 2")
    refused(lambda: Position.of(ENGINE, np.array([2**63], np.uint64)), "but the rows are 0 to 2")
    assert len(Position.of(ENGINE, [])) == 0 and len(Position.of(ENGINE, np.array([2, 2], ">u2"))) == 2


# --- networks


@pytest.fixture(scope="module")
def trained() -> Net:
    return net.load(net.shipped(Ruleset()))


WRONG_LAYERS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda a: a.pop("trunk.0.bias"), "layers: trunk.0.bias is missing, which every network for this game has"),
    (lambda a: a.pop("value.1.weight"), "layers: value.1.weight is missing, which every network for this game has"),
    (
        lambda a: a.update({"more.weight": a["value.1.weight"]}),
        "layers: a network for this game has no 'more.weight'",
    ),
    (
        lambda a: a["policy.0.weight"].__setitem__((0, 0), np.nan),
        "layers, policy.0.weight: float32 array with NaN, infinity or a number too large for 32 bits; all",
    ),
    (
        lambda a: a["value.1.bias"].__setitem__(0, np.inf),
        "layers, value.1.bias: float32 array with NaN, infinity or a number too large for 32 bits; all",
    ),
    (lambda a: a.update({"trunk.0.weight": a["trunk.0.weight"][1:]}), "layers: trunk.0.weight must have the shape"),
    (lambda a: a.update({"trunk.0.bias": a["trunk.0.bias"][None]}), "layers: trunk.0.bias must have the shape"),
    (lambda a: a.update({"value.1.bias": np.array(["x"])}), "layers, value.1.bias must be an array of floats, not a"),
    (lambda a: a.update({"value.1.bias": np.array(1.0)}), "layers: value.1.bias must have the shape (1,), not ()"),
]


@pytest.mark.parametrize(("change", "words"), WRONG_LAYERS, ids=[words for _, words in WRONG_LAYERS])
def test_networks_that_cannot_play(
    change: Callable[[dict[str, Any]], object], words: str, trained: Net, tmp_path: Path
) -> None:
    layers = {name: array.copy() for name, array in trained.arrays().items()}
    change(layers)
    refused(lambda: Net(layers, trained.about), words)
    np.savez(tmp_path / "net.npz", about=np.array(json.dumps(trained.about)), **layers)
    refused(lambda: NetBot(tmp_path / "net.npz"), "net.npz is not a network that `rc train` wrote: layers")


def test_files_of_networks_without_a_game(trained: Net, tmp_path: Path) -> None:
    abouts: list[Any] = [{}, [], None, 3, {**trained.about, "data": 5}, {**trained.about, "players": "2"}]
    abouts += [{name: value for name, value in trained.about.items() if name != key} for key in net.describe(Ruleset())]
    for about in abouts:
        np.savez(tmp_path / "net.npz", about=np.array(json.dumps(about)), **trained.arrays())
        refused(lambda: NetBot(tmp_path / "net.npz"), "net:")
    # The array is a pickle, which is not read.
    np.savez(tmp_path / "net.npz", about=np.array([object()]), **trained.arrays())
    refused(lambda: NetBot(tmp_path / "net.npz"), "net:")
    for numbers in (None, [[1]], np.zeros((1, 5), np.uint8), np.zeros((1, trained.inputs.features))):
        refused(lambda numbers=numbers: trained.logits(numbers), f"must be an (N, {trained.inputs.features}) array")
