"""Tests of networks as bots."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from tiny import TINY, positions

from rc_env import Ruleset, agents, rules
from rc_env.agents import net
from rc_env.agents.net import NetBot
from rc_env.agents.playout_search import PlayoutSearch, PlayoutSettings
from rc_env.apps.cli import rc
from rc_env.training.network import FrozenBot, Network
from rc_env.training.onnx_export import network_of

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("one_thread")]


@pytest.mark.parametrize(("players", "workshop"), [(2, "basic"), (3, "advanced"), (4, "basic")])
def test_numpy_plays_as_pytorch(players, workshop):
    chosen = dataclasses.replace(TINY, players=players, workshop=workshop)
    torch.manual_seed(1)
    network = Network(chosen)
    with torch.no_grad():
        for tensor in network.parameters():
            tensor += 0.05 * torch.randn_like(tensor)
    position = positions(players=players, workshop=workshop)
    logits, values = (tensor.detach().numpy() for tensor in network(network.encode(position.numbers)))
    twin = net.Net(network.layers(), net.describe(chosen.ruleset))
    np.testing.assert_allclose(twin.logits(position.numbers), logits, atol=1e-5)
    np.testing.assert_allclose(twin.value(position.numbers), values, atol=1e-5)


def test_a_net_is_a_bot_by_name(run):
    folder = run[0].folder
    position = positions()
    bots = [agents.make("net", path=folder), agents.from_text(f"net:{folder}"), NetBot(folder / net.BEST)]
    first, *others = (bot.act(position) for bot in bots)
    assert first.dtype == np.int64 and (position.mask[np.arange(64), first] == 1).all()
    for other in others:
        np.testing.assert_array_equal(first, other)
    drawing = agents.from_text(f"net:{folder},sample=True,seed=4")
    drawn = drawing.act(position)
    drawing.reset(4)
    np.testing.assert_array_equal(drawing.act(position), drawn)
    assert not np.array_equal(drawn, first)


def test_shipped_weights_are_those_of_the_game(run, tmp_path, monkeypatch):
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    (tmp_path / "2p-basic.npz").write_bytes((run[0].folder / net.BEST).read_bytes())
    position = positions()
    np.testing.assert_array_equal(agents.make("net").act(position), NetBot(run[0].folder).act(position))
    assert rc.main(["evaluate", "net", "--against", "random", "--games", "2"]) == 0
    missing = r"net: the package has no weights for 3 players, basic; name .* \(it has 2p-basic\)"
    with pytest.raises(ValueError, match=missing):
        agents.make("net", path="shipped").act(positions(players=3))
    with pytest.raises(ValueError, match=r"no weights for 2 players, basic, the full game; name"):
        agents.make("net").act(positions(special_tiles=True))


def test_for_other_cards_than_the_packaged_ones_the_weights_for_any_cards_are_played(run, tmp_path, monkeypatch):
    monkeypatch.setattr(net, "SHIPPED", tmp_path)
    weights = (run[0].folder / net.BEST).read_bytes()
    (tmp_path / "2p-basic.npz").write_bytes(weights)
    drawn, copied = Ruleset(data="sample:1"), tmp_path / "copy.toml"
    assert net.shipped(drawn).stem == "2p-basic"
    (tmp_path / "2p-basic-any.npz").write_bytes(weights)
    copied.write_bytes((Path(rules.__file__).parents[1] / "data" / "base.toml").read_bytes())
    assert net.shipped(drawn).stem == "2p-basic-any"
    assert {net.shipped(one).stem for one in (Ruleset(), Ruleset(data=str(copied)))} == {"2p-basic"}
    (tmp_path / "2p-basic.npz").unlink()
    with pytest.raises(ValueError, match="no weights for 2 players, basic; name"):
        net.shipped(Ruleset())


def test_a_net_of_another_game_or_layout_is_refused(run, tmp_path):
    file = run[0].folder / net.BEST
    with pytest.raises(ValueError, match="was trained for 2 players, basic; it cannot play a game of 4 players, basic"):
        NetBot(file).act(positions(players=4))
    with np.load(file) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = {**json.loads(str(arrays.pop("about"))), "layout_hash": "abc-def"}
    other_sizes = arrays | {"trunk.0.weight": arrays["trunk.0.weight"][1:]}
    for layers in (arrays, other_sizes):
        np.savez(tmp_path / "old.npz", about=np.array(json.dumps(about)), **layers)
        with pytest.raises(
            ValueError, match=r"trained on rules \d+, layout 'abc-def'; this version has .*: train it anew"
        ):
            NetBot(tmp_path / "old.npz")
    with pytest.raises(ValueError, match=r"net: there is no file .*; name one that `rc train` wrote"):
        NetBot(tmp_path / "none.npz")
    for content in (b"no archive", b""):
        (tmp_path / "bad.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"bad.npz is not a (file|network) that `rc train` wrote"):
            NetBot(tmp_path / "bad.npz")


def test_a_net_with_layers_missing_or_of_other_sizes_is_refused(run, tmp_path):
    with np.load(run[0].folder / net.BEST) as archive:
        arrays = {name: archive[name] for name in archive.files}
    none = {name: layer for name, layer in arrays.items() if not name.startswith("policy.0")}
    small = arrays | {"policy.0.weight": arrays["policy.0.weight"][:5]}
    outputs = arrays | {
        "policy.1.weight": arrays["policy.1.weight"][:, 1:],
        "policy.1.bias": arrays["policy.1.bias"][1:],
    }
    for layers in (none, small, outputs):
        np.savez(tmp_path / "bad.npz", **layers)
        with pytest.raises(ValueError, match=r"bad.npz is not a (file|network) that `rc train` wrote"):
            NetBot(tmp_path / "bad.npz")


def scaled(kept: net.Net, factor: float, **how: object) -> net.Net:
    """The network with a value that is larger by this factor, and other settings."""
    layers = {name: one * (factor if name.startswith("value.1") else 1) for name, one in kept.arrays().items()}
    return net.Net(layers, {**kept.about, "settings": {**kept.about["settings"], **how}})


def test_the_scale_of_the_rewards_in_training_does_not_matter(run):
    kept = net.load(run[0].folder)
    position = positions(32)
    large = scaled(kept, 16.0, reward_scale=16.0)
    np.testing.assert_allclose(large.value(position.numbers), kept.value(position.numbers), atol=1e-6)
    found = []
    for one in (kept, large):
        thoughts = PlayoutSearch(PlayoutSettings(num_simulations=8, turns=1)).think(position, one)
        found.append((thoughts.actions, thoughts.value))
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-3)


def test_policy_and_value_in_one_pass_are_those_of_two():
    numbers = positions(40).numbers
    loaded = net.load(net.shipped(Ruleset()))
    logits, values = loaded.evaluate(numbers, 30, 20)
    np.testing.assert_allclose(logits, loaded.logits(numbers)[:30], atol=1e-4)
    np.testing.assert_allclose(values[:, 0], loaded.value(numbers)[20:], atol=1e-4)
    with pytest.raises(ValueError, match="policies must be a whole number from 0 to 40, not 41"):
        loaded.evaluate(numbers, 41)


def test_a_network_has_one_value_or_one_a_seat():
    loaded = net.load(net.shipped(Ruleset()))
    layers = loaded.arrays()
    for count in (2, 3):
        layers["value.1.weight"] = np.repeat(loaded.layers["value.1"][0], count, 1)
        layers["value.1.bias"] = np.repeat(loaded.layers["value.1"][1], count)
        if count == 2:
            each = net.Net(layers, loaded.about).evaluate(positions(12).numbers)[1]
            assert each.shape == (12, 2) and (each[:, 0] == each[:, 1]).all()
        else:
            with pytest.raises(ValueError, match=r"value.1 has 3 outputs, but a game of 2 needs 1, or one per seat"):
                net.Net(layers, loaded.about)


def test_a_search_is_not_guided_by_a_network_for_another_reward(run, tmp_path):
    one = scaled(net.load(run[0].folder), 1.0, reward="score")
    with (tmp_path / "score.npz").open("wb") as file:
        net.save(one.arrays(), one.about, file)
    with pytest.raises(
        ValueError,
        match=r"^net: the search plays for the reward win or first, but this network was trained for 'score'$",
    ):
        agents.make("search", net=str(tmp_path / "score.npz"), simulations=2).act(positions())
    assert NetBot(tmp_path / "score.npz").act(positions()).shape == (len(positions()),)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("words", "settings must be settings by name, not 'words'"),
        ({"reward": "fame"}, "unknown reward 'fame': choose"),
        ({"reward_scale": 0}, "reward_scale must be a number from"),
        ({"reward_scale": "1"}, "reward_scale must be a number from"),
    ],
)
def test_a_file_with_settings_that_make_no_sense_is_refused(how, sentence, run, tmp_path):
    with np.load(run[0].folder / net.BEST) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = {**json.loads(str(arrays.pop("about"))), "settings": how}
    np.savez(tmp_path / "bad.npz", about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(
        ValueError, match=r"^net: .*bad.npz is not a network that `rc train` wrote: " + re.escape(sentence)
    ):
        NetBot(tmp_path / "bad.npz")


def test_a_file_that_names_data_by_an_endless_name_is_refused_in_one_sentence(run, tmp_path):
    with np.load(run[0].folder / net.BEST) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = {**json.loads(str(arrays.pop("about"))), "data": "x" * 5000}
    np.savez(tmp_path / "bad.npz", about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(
        ValueError, match=r"^net: .*bad.npz was trained with the cards of .* which is not there"
    ) as refused:
        NetBot(tmp_path / "bad.npz")
    assert len(str(refused.value)) < 500


def test_a_number_too_large_for_the_file_is_refused(run, tmp_path):
    with (
        (tmp_path / "large.npz").open("wb") as file,
        pytest.raises(ValueError, match=r"^net_layers: a\.weight holds NaN,"),
    ):
        net.save({"a.weight": np.array([[7e4]])}, {}, file)
    assert not (tmp_path / "large.npz").stat().st_size


def test_a_run_in_a_folder_called_shipped_plays_its_own_weights(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shipped").mkdir()
    (tmp_path / "shipped" / net.BEST).write_bytes((run[0].folder / net.BEST).read_bytes())
    bot, position = NetBot(Path("shipped")), positions()
    np.testing.assert_array_equal(bot.act(position), NetBot(run[0].folder).act(position))
    assert bot.ruleset == NetBot(run[0].folder).ruleset


def test_a_net_can_be_asked_about_no_game(run):
    bot = NetBot(run[0].folder)
    nobody = np.zeros((0, bot.net.inputs.size), np.float32)
    z = bot.net._trunk(nobody)
    assert bot.net._logits(nobody, z).shape == (0, len(bot.net.inputs.order)) and bot.net._values(nobody, z).shape == (
        0,
        1,
    )


def test_a_network_of_the_full_game_can_be_exported():
    chosen = dataclasses.replace(TINY, fourth_guild="jewelers", special_tiles=True)
    network = Network(chosen)
    rebuilt = network_of(net.Net(network.layers(), net.describe(chosen.ruleset)))
    found = rebuilt.state_dict()
    assert found.keys() == network.state_dict().keys()
    for name, tensor in network.state_dict().items():
        np.testing.assert_array_equal(found[name], tensor)


def test_a_frozen_bot_does_not_learn(run):
    network = Network(TINY)
    position = positions()
    bot = FrozenBot(network, seed=1)
    first = bot.act(position)
    with torch.no_grad():
        network.trunk[0].weight += 1
    bot.reset(1)
    np.testing.assert_array_equal(bot.act(position), first)


@pytest.mark.long
def test_onnx_plays_as_the_bot(run, tmp_path, capsys):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnxscript")
    assert rc.main(["export", str(run[0].folder), "--onnx", str(tmp_path / "net.onnx")]) == 0
    assert "ONNX Runtime differs" in capsys.readouterr().out
    import onnxruntime

    session = onnxruntime.InferenceSession(tmp_path / "net.onnx", providers=["CPUExecutionProvider"])
    trained = NetBot(run[0].folder).net
    position = positions(7)  # another number of games than in the export
    logits, value = session.run(["logits", "value"], {"inputs": trained.inputs(position.numbers)})
    np.testing.assert_allclose(logits, trained.logits(position.numbers), atol=1e-4)
    np.testing.assert_allclose(value, trained.value(position.numbers), atol=1e-4)


def archive_of(trained: net.Net, path: Path, bits: int) -> dict[str, np.ndarray]:
    """Write a network, and return the arrays of the file."""
    with path.open("wb") as file:
        net.save(trained.arrays(), trained.about, file, bits)
    with np.load(path) as archive:
        return {name: archive[name] for name in archive.files}


def test_weights_of_8_bits_are_half_as_large_and_off_by_half_a_unit_at_most(run, tmp_path):
    trained = net.load(net.shipped(Ruleset()))
    exact, small = (archive_of(trained, tmp_path / f"{bits}.npz", bits) for bits in (16, 8))
    assert (tmp_path / "8.npz").stat().st_size < 0.52 * (tmp_path / "16.npz").stat().st_size
    loaded = net.load(tmp_path / "8.npz")
    assert loaded.about == {**trained.about, "bits": 8}
    for name, array in exact.items():
        if name.endswith(".weight"):
            unit = small[f"{name}.unit"]
            assert small[name].dtype == np.int8 and unit.dtype == np.float32 and unit.shape == array.shape[:1]
            assert (np.abs(loaded.arrays()[name] - array.astype(np.float32)) <= 0.501 * unit[:, None]).all()
        elif name != "about":
            np.testing.assert_array_equal(small[name], array)
    position = positions()
    same = net.choose(loaded.logits(position.numbers), position.mask, None)
    assert (same == net.choose(trained.logits(position.numbers), position.mask, None)).mean() > 0.95


def test_a_layer_of_zeros_has_8_bits_too(tmp_path):
    zero = {"a.weight": np.zeros((3, 2), np.float32), "a.bias": np.ones(2, np.float32)}
    with (tmp_path / "zero.npz").open("wb") as file:
        net.save(zero, {}, file, bits=8)
    with np.load(tmp_path / "zero.npz") as archive:
        assert not archive["a.weight"].any() and not archive["a.weight.unit"].any()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"trunk.0.weight.unit": None}, "'trunk.0.weight' must have weights of 8 bits and a unit for each input"),
        ({"trunk.0.weight": np.zeros((2, 2), np.float16)}, "'trunk.0.weight' must have weights of 8 bits and a unit"),
        (
            {"trunk.0.weight.unit": np.ones(3, np.float32)},
            "the units of 'trunk.0.weight' must be float32, one for each",
        ),
        ({"trunk.0.weight.unit": np.ones(16)}, "the units of 'trunk.0.weight' must be float32, one for each"),
        ({"other.unit": np.ones(3, np.float32)}, "'other' must have weights of 8 bits and a unit for each input"),
        ({"trunk.0.bias": np.zeros(16, np.int8)}, "'trunk.0.bias' must have weights of 8 bits and a unit"),
        ({"trunk.0.weight.unit": np.full(16, np.inf, np.float32)}, "layers, trunk.0.weight: .* NaN, infinity"),
    ],
)
def test_weights_of_8_bits_without_their_units_are_refused(change, sentence, run, tmp_path):
    arrays = archive_of(net.load(run[0].folder), tmp_path / "good.npz", 8)
    inputs = len(arrays["trunk.0.weight.unit"])
    for name, array in change.items():
        arrays[name] = array if array is None or array.shape != (16,) else np.resize(array, inputs)
    np.savez(tmp_path / "bad.npz", **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=rf"^net: .*bad.npz is not a network that `rc train` wrote: .*{sentence}"):
        net.load(tmp_path / "bad.npz")


def test_the_command_writes_8_bits_and_says_how_alike_both_play(run, tmp_path, capsys):
    small = tmp_path / "small.npz"
    assert rc.main(["export", str(run[0].folder), "--int8", str(small)]) == 0
    said = capsys.readouterr().out
    share = float(re.search(r"the same in ([\d.]+)% of [\d,]+ decisions", said)[1])
    assert 90 < share <= 100 and f"{small.stat().st_size:,} bytes" in said
    assert rc.main(["evaluate", str(small), "--against", "random", "--games", "4"]) == 0
    capsys.readouterr()
    assert rc.main(["export", str(run[0].folder)]) == 2
    assert "give a file to write: --onnx FILE or --int8 FILE" in capsys.readouterr().err
