"""Evaluates a network with PyTorch instead of NumPy, on a GPU where there is one.

The results equal those of `net.Net` up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents.inputs import Inputs
from rc_env.agents.net import Net


def installed() -> bool:
    """Whether there is PyTorch."""
    return find_spec("torch") is not None


class TorchNet:
    """Policy and value of a `Net`, by PyTorch in float32.

    Args:
        net: the network; its weights are copied.
        device: "cpu", "cuda", or "auto" for a GPU where PyTorch sees one.

    Attributes:
        net: the network with the copied weights.

    Raises:
        ValueError: PyTorch is not installed, or there is no such device.
    """

    def __init__(self, net: Net, device: str = "auto") -> None:
        self.net = checks.instance("net", net, Net, "a Net")
        checks.one_of("device", device, ("auto", "cpu", "cuda"))
        if not installed():
            raise ValueError("backend is 'torch', but PyTorch is not installed: pip install 'rc-env[train]'")
        import torch

        there = torch.cuda.is_available()
        if device == "cuda" and not there:
            raise ValueError("device is 'cuda', but PyTorch sees no GPU here: choose cpu or auto")
        self._device = torch.device("cuda" if there and device != "cpu" else "cpu")
        self._layers: dict[str, tuple[Any, Any]] = {
            name: (self._tensor(weight), self._tensor(bias)) for name, (weight, bias) in net.layers.items()
        }
        self._zero, self._scale = self._tensor(net.inputs.zero.astype(np.float32)), self._tensor(net.inputs.scale)
        self._order = self._tensor(net.inputs.order)
        self._depth = sum(name.startswith("trunk.") for name in net.layers)

    def _tensor(self, array: NDArray[Any]) -> Any:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate observations as `Net.evaluate` does.

        Raises:
            ValueError: the numbers are of another type or shape, or fewer than are asked for.
        """
        import torch

        given = self.net.inputs(numbers)
        first = checks.whole_number("policies", len(given) if policies is None else policies, 0, len(given))
        last = checks.whole_number("values", len(given) if values is None else values, 0, len(given))
        with torch.inference_mode():
            x = (self._tensor(given).float() - self._zero) * self._scale
            z = x[:, : self.net.inputs.shared]
            for i in range(self._depth):
                z = torch.relu(self._product(f"trunk.{i}", z))
            logits = logits_of(self.net.inputs, self._product, x[:first], z[:first]).index_select(1, self._order)
            *hidden, outputs = self.net.value_layers
            worth = (z if self.net.value_layers[0] == "value.0" else x[:, : self.net.inputs.shared])[len(z) - last :]
            for name in hidden:
                worth = torch.relu(self._product(name, worth))
            worth = self._product(outputs, worth)
            return logits.cpu().numpy(), worth.cpu().numpy() / self.net.reward_scale

    def _product(self, name: str, x: Any) -> Any:
        weight, bias = self._layers[name]
        return x @ weight + bias


def logits_of(inputs: Inputs, product: Callable[[str, Any], Any], x: Any, z: Any) -> Any:
    """Logits of the actions that concern no object, then of those of each kind of object, as PyTorch computes them.

    Args:
        inputs: of the network.
        product: applies the layer of a name to a tensor.
        x: (N, I) scaled inputs.
        z: (N, H) outputs of the trunk.
    """
    import torch

    logits = [product("policy.1", torch.relu(product("policy.0", z)))]
    for kind in inputs.objects:
        count = len(kind.actions)
        parts = [
            x[:, at : at + count // sharing * width]
            .unflatten(1, (count // sharing, 1, width))
            .expand(-1, -1, sharing, -1)
            .flatten(1, 2)
            for at, width, sharing in kind.slices
        ]
        own = product(f"objects.{kind.name}.0", torch.cat(parts, 2))
        hidden = torch.relu(own + product(f"objects.{kind.name}.1", z)[:, None])
        logits.append(product(f"objects.{kind.name}.2", hidden).flatten(1))
    return torch.cat(logits, 1)
