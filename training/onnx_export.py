"""`rc export`: writes a trained network in the ONNX format, for use without this package."""

from __future__ import annotations

import io
import warnings
from importlib import import_module
from typing import Any

import numpy as np
import torch

from rc_env.agents import net
from rc_env.engine import Engine
from rc_env.training.network import Network
from rc_env.training.settings import VARIANT, TrainingSettings
from rc_env.training.value_fit import ValueNetwork

FILES = ("data", "expansion_data")  # a ruleset takes any path, settings take text


def network_of(trained: net.Net) -> Network:
    """Convert a bot's network to a PyTorch network in float32 on the CPU.

    Raises:
        ValueError: its layers are not those of `rc_env.training.network`.
    """
    game, layers = trained.ruleset, trained.layers
    network = Network(
        TrainingSettings(
            **{name: getattr(game, name) for name in VARIANT} | {name: str(getattr(game, name)) for name in FILES},
            trunk=layers["trunk.0"][1].size,
            layers=sum(name.startswith("trunk.") for name in layers),
            heads=layers["policy.0"][1].size,
            object=layers["objects.moves.0"][1].size,
            device="cpu",
            precision="float32",
        ),
        values=layers["value.1"][1].size,
    )
    try:
        network.start_from(trained)
    except ValueError:
        raise ValueError("this network has other layers than those of `rc train`, so it cannot be exported") from None
    return network


class _WithOwnValue(torch.nn.Module):
    """A network whose value is computed by layers of its own."""

    def __init__(self, network: Network, value: ValueNetwork) -> None:
        super().__init__()
        self.network, self.value = network, value

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Like `Network.forward`."""
        return self.network(x)[0], self.value(x[:, : self.network.inputs.shared])[0][:, 0]


def to_onnx(trained: net.Net) -> bytes:
    """The network as an ONNX model.

    It takes "inputs", (N, I) uint8, what `rc_env.agents.inputs.Inputs` makes of the numbers of observations, which it
    scales itself, and gives "logits", (N, A) float32, whose softmax over the legal actions is the policy, and "value",
    (N,) float32. N is free.
    """
    policy = network_of(trained)
    own = trained.value_layers[0] != "value.0"
    network = (_WithOwnValue(policy, ValueNetwork(trained)) if own else policy).eval()
    example = torch.zeros(2, trained.inputs.size, dtype=torch.uint8)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecation warnings inside the exporter
        program = torch.onnx.export(
            network,
            (example,),
            input_names=["inputs"],
            output_names=["logits", "value"],
            dynamic_shapes={"x": {0: torch.export.Dim("games")}},
            dynamo=True,
            verbose=False,
        )
    program.save(buffer)
    return buffer.getvalue()


def largest_difference(model: bytes, trained: net.Net, games: int = 64) -> float:
    """The largest difference between the outputs of ONNX Runtime and of the bot on positions of random play."""
    onnxruntime: Any = import_module("onnxruntime")  # an extra

    engine = Engine(trained.ruleset, games)
    engine.play_random(50)
    numbers = engine.observe(dtype=np.uint8)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    logits, value = session.run(["logits", "value"], {"inputs": trained.inputs(numbers)})
    return float(max(np.abs(logits - trained.logits(numbers)).max(), np.abs(value - trained.value(numbers)).max()))
