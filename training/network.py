"""The network: policy and value heads on a shared trunk, used for all seats.

Shape letters: N samples, F features, A actions, I inputs (see `rc_env.agents.inputs`), V values, H the trunk's width.
"""

from __future__ import annotations

import copy
import functools
import time
from collections.abc import Collection, Mapping
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from rc_env import checks
from rc_env.agents import net
from rc_env.agents.inputs import Inputs
from rc_env.bot import Position
from rc_env.rules.verbs import Verb
from rc_env.training import transfer
from rc_env.training.scaling import Scale
from rc_env.training.settings import TrainingSettings

ILLEGAL = -1e30  # logit of an illegal action: below all others, so its probability is 0; gradients stay finite


def device_of(settings: TrainingSettings) -> torch.device:
    """The device of the network.

    Raises:
        ValueError: cuda is asked for, and there is none.
    """
    if settings.device == "cuda" and not torch.cuda.is_available():
        raise ValueError("device is 'cuda', but PyTorch sees no GPU here: choose cpu or auto")
    if settings.device == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    return torch.device(settings.device)


def precision_of(settings: TrainingSettings, device: torch.device) -> torch.dtype:
    """The dtype of matrix products, float32 or bfloat16; for `auto` the faster one on this device."""
    if settings.precision != "auto":
        return torch.bfloat16 if settings.precision == "bfloat16" else torch.float32
    if device.type == "cuda":  # networks of these sizes wait for kernels to start, and bfloat16 needs more of them
        return torch.float32
    native = getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)
    return _faster() if native() else torch.float32


@functools.cache
def _faster() -> torch.dtype:
    """The dtype in which this processor multiplies matrices faster.

    It is measured, once and for some 20 ms, since instructions for bfloat16 are no sign of it: an EPYC is about three
    times as fast with it, a Xeon without AMX (which virtual machines often hide) half as fast as in float32.
    """
    times = [(_seconds(dtype), dtype) for _ in range(5) for dtype in (torch.float32, torch.bfloat16)]
    return min(times, key=lambda one: one[0])[1]


def _seconds(dtype: torch.dtype) -> float:
    """The time of one matrix product in a dtype."""
    left, right = torch.ones(1024, 256, dtype=dtype), torch.ones(256, 256, dtype=dtype)
    start = time.perf_counter()
    torch.mm(left, right)
    return time.perf_counter() - start


class Network(torch.nn.Module):
    """A policy and a value function on a shared trunk.

    A trunk of fully connected layers sees all inputs that are shared. The logits of an action that is about an object
    (a move, a section …) come from a small layer that sees the inputs of that object and, through a linear map, the
    trunk; it is the same for all objects of a kind. Those of the other actions come from the trunk alone.

    Weights are float32; inputs are bytes, which are scaled first, and products are computed in `precision`.

    Args:
        settings: see `TrainingSettings`.
        values: V, 1 for the reward that the seat that sees may expect, or the number of players for one per seat, from
            that seat on; by default what the settings ask for.

    Attributes:
        sharing: (V,) float32, what a reward of 1 for the seat that sees means to each value, as long as nothing else is
            known of the other seats: they share the loss.

    Raises:
        ValueError: a setting is out of range, or there is no such device.
    """

    def __init__(self, settings: TrainingSettings, values: int | None = None) -> None:
        super().__init__()
        self.ruleset = ruleset = checks.instance("settings", settings, TrainingSettings, "TrainingSettings").ruleset
        device = device_of(settings)
        self.precision = precision_of(settings, device)
        self.reward_scale = settings.reward_scale
        self.inputs = Inputs(ruleset)
        self.scale = Scale(self.inputs.divisors, self.inputs.zero, self.precision)
        self.register_buffer("order", torch.from_numpy(self.inputs.order), persistent=False)
        count = settings.values if values is None else values
        sharing = torch.tensor([1.0, *(-1 / (count - 1) for _ in range(count - 1))])
        self.register_buffer("sharing", sharing, persistent=False)
        widths = [self.inputs.shared, *[settings.trunk] * settings.layers]
        root, trunk, heads = 2**0.5, settings.trunk, settings.heads
        self.trunk = torch.nn.ModuleList(linear(i, o, root) for i, o in pairwise(widths))
        self.policy = torch.nn.ModuleList((linear(trunk, heads, root), linear(heads, len(self.inputs.rest), 0.01)))
        self.value = torch.nn.ModuleList((linear(trunk, heads, root), linear(heads, count, 1)))
        self.objects = torch.nn.ModuleDict(
            {
                kind.name: torch.nn.ModuleList(
                    (
                        linear(kind.width, settings.object, root),
                        linear(trunk, settings.object, 1),
                        linear(settings.object, kind.actions.shape[1], 0.01),
                    )
                )
                for kind in self.inputs.objects
            }
        )
        self.to(device)

    @property
    def device(self) -> torch.device:
        """The device of the weights."""
        return self.order.device

    def encode(self, numbers: NDArray[np.uint8]) -> torch.Tensor:
        """Encode (N, F) uint8 observations as (N, I) uint8 inputs on the device, the form that `forward` and rollouts
        use."""
        return torch.from_numpy(self.inputs(numbers)).to(self.device)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return (N, A) logits and (N,) values of the observing seat, float32, for encoded observations (N, I)
        uint8."""
        scaled, z = self.features(x)
        return self.logits(scaled, z), self.values(z)[:, 0]

    def features(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(N, I) scaled inputs and (N, H) outputs of the trunk, both in `precision`, of (N, I) uint8."""
        x = self.scale(x)
        z = x[:, : self.inputs.shared]
        for layer in self.trunk:
            z = torch.relu(self._product(layer, z))
        return x, z

    def values(self, z: torch.Tensor) -> torch.Tensor:
        """(N, V) float32, from outputs of the trunk: the rewards that may be expected."""
        return self._product(self.value[1], torch.relu(self._product(self.value[0], z))).float()

    def logits(self, x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        """(N, A) float32, from scaled inputs and outputs of the trunk."""

        def product(name: str, of: torch.Tensor) -> torch.Tensor:
            return self._product(self.get_submodule(name), of)

        logits = [product("policy.1", torch.relu(product("policy.0", z)))]
        for kind in self.inputs.objects:
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
        # In float32, since selecting among float32 is several times as fast as indexing bfloat16, backward above all.
        return torch.cat(logits, 1).float().index_select(1, self.order)

    @torch.inference_mode()
    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy and value of (N, F) uint8 observations as `rc_env.agents.net.Net.evaluate` gives them: for a search.

        Args:
            numbers: (N, F) uint8, the numbers of observations.
            policies: compute logits for only the first `policies` observations; by default for all.
            values: compute values for only the last `values` observations; by default for all.

        Returns:
            (policies, A) float32 logits and (values, V) float32 values.
        """
        count = len(numbers)
        first, last = count if policies is None else policies, count if values is None else values
        x, z = self.features(self.encode(numbers))
        return self.logits(x[:first], z[:first]).cpu().numpy(), self.values(z[count - last :]).cpu().numpy()

    def _product(self, layer: torch.nn.Linear, x: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, layer.weight.to(self.precision), layer.bias.to(self.precision))

    def make_rare(self, settings: TrainingSettings) -> None:
        """Make it unlikely to give up prestige for rubles, and to re-roll.

        Giving up prestige is legal at nearly every decision: played at random, it leaves no prestige worth playing for,
        and a learner that starts from nothing settles on selling it early.
        """
        self.raise_logits({Verb.RUBLES: -settings.rare, Verb.REROLL: -settings.rare})

    def raise_logits(self, by: Mapping[Verb, float]) -> None:
        """Add a number to the logits of all actions of a verb, for each verb that is named.

        Raises:
            ValueError: the logits of a verb come from the same weights as those of another, which has another number.
        """
        actions = self.ruleset.actions.actions
        with torch.no_grad():
            for place, number in enumerate(self.inputs.rest):
                self.policy[1].bias[place] += by.get(actions[number].verb, 0)
            for kind in self.inputs.objects:
                for place, numbers in enumerate(kind.actions.T):
                    added = {actions[number].verb: by.get(actions[number].verb, 0) for number in numbers}
                    if len(set(added.values())) > 1:
                        words = " and ".join(verb.name.lower() for verb in added)
                        raise ValueError(f"raised: {words} share their weights: name both, with the same number")
                    self.objects[kind.name][2].bias[place] += next(iter(added.values()))

    def start_from(self, trained: net.Net) -> None:
        """Take over the weights of a network that was trained.

        Where this network is wider, it computes the same as the other: the units that are new keep the weights that
        they were drawn with, and what leads from them to the old units begins with 0 (function-preserving widening;
        Chen and others, "Net2Net", 2016). A network of the base game becomes one of the full game: see
        `rc_env.training.transfer`. Where the other network has one value and this one has one per seat, the
        other seats share what the first one lacks; where it is the other way round the first one stays. Values that
        were learned with another factor for rewards are brought to that of this network.

        Raises:
            ValueError: it has other layers, or one of its layers is wider.
        """
        weights: dict[str, torch.Tensor] = {}
        layers = trained.layers
        if transfer.can_carry(trained.ruleset, self.ruleset):
            layers = transfer.carried(trained, self.ruleset, self.inputs)
            weights |= self._new_kinds(layers)
        for name, (weight, bias) in layers.items():
            if name.startswith("value_net."):  # fitted to a policy that training changes
                continue
            weights |= {f"{name}.weight": torch.from_numpy(weight.T.copy()), f"{name}.bias": torch.from_numpy(bias)}
        sharing = self.sharing.cpu()
        for part in ("value.1.weight", "value.1.bias"):
            first = weights[part][:1]
            if len(weights[part]) != len(sharing):
                weights[part] = sharing.reshape(-1, *[1] * (first.ndim - 1)) * first
            if trained.reward_scale != self.reward_scale:
                weights[part] = weights[part] * float(self.reward_scale / trained.reward_scale)
        wanted = self.state_dict()
        for name in (*wanted, *weights):
            found, own = weights.get(name), wanted.get(name)
            if found is None or own is None or any(f > o for f, o in zip(found.shape, own.shape, strict=True)):
                shapes = [None if tensor is None else tuple(tensor.shape) for tensor in (found, own)]
                raise ValueError(
                    f"start: its {name} has the shape {shapes[0]}, larger than {shapes[1]}: give --trunk, --layers, "
                    "--heads and --object that are no smaller than its own, and the same number of layers"
                )
        self.load_state_dict({name: _widened(weights[name], own.cpu()) for name, own in wanted.items()})

    def _new_kinds(self, layers: Collection[str]) -> dict[str, torch.Tensor]:
        """The drawn weights of the kinds of objects that have no layers among these; their actions are unlikely."""
        found: dict[str, torch.Tensor] = {}
        for kind in self.inputs.objects:
            if f"objects.{kind.name}.0" not in layers:
                own = self.objects[kind.name].state_dict(prefix=f"objects.{kind.name}.")
                found |= {name: tensor.cpu().clone() for name, tensor in own.items()}
                found[f"objects.{kind.name}.2.bias"] += transfer.NEW_ACTION
        return found

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """Weights and biases by name, as `rc_env.agents.net.Net` takes them."""
        return {
            name: (tensor.T if name.endswith("weight") else tensor).detach().float().cpu().numpy().copy()
            for name, tensor in self.state_dict().items()
        }


def linear(inputs: int, outputs: int, gain: float) -> torch.nn.Linear:
    """A fully connected layer with orthogonal weights of this gain, and biases of 0."""
    layer = torch.nn.Linear(inputs, outputs)
    torch.nn.init.orthogonal_(layer.weight, gain)
    torch.nn.init.zeros_(layer.bias)
    return layer


def _widened(weights: torch.Tensor, drawn: torch.Tensor) -> torch.Tensor:
    """A copy of `drawn` that has `weights` in its first rows and columns, and 0 in the rest of those rows."""
    wide = drawn.clone()
    rows = wide[: len(weights)]
    rows.zero_()
    rows[tuple(slice(length) for length in weights.shape)] = weights
    return wide


def log_policy(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """(N, A) log-probabilities of the legal actions; `masks` is bool."""
    return torch.log_softmax(logits.masked_fill(~masks, ILLEGAL), 1)


def _probabilities(log_probs: torch.Tensor) -> torch.Tensor:
    """Probabilities (N, A), clipped at e^-60, below which processors compute exponentials ten times as slowly."""
    return log_probs.clamp(min=-60).exp()


def draw(log_probs: torch.Tensor) -> torch.Tensor:
    """(N,) int64, actions drawn by their probabilities, one random number a sample."""
    below = _probabilities(log_probs).cumsum(1)
    # Above 0 and a little below the sum, so that rounding cannot select an illegal action.
    drawn = (1 - torch.rand(len(below), 1, device=below.device)) * below[:, -1:] * (1 - 1e-6)
    return torch.searchsorted(below, drawn, right=True)[:, 0]


def entropy_of(log_probs: torch.Tensor) -> torch.Tensor:
    """(N,) entropy of the policy, in nats."""
    return -(_probabilities(log_probs) * log_probs.clamp(min=-60)).sum(1)


class FrozenBot:
    """A bot that plays a frozen copy of a network on the network's device; it samples actions by default.

    Args:
        network: it is copied, so later training does not change the bot.
        name: the name in tables and infos.
        sample: draw actions by their probabilities; else always take the most probable one.
        seed: of its own generator; `reset` starts it over.
    """

    observes_only = True
    """The bot uses only a position's observations and mask, so that the games may be of several sets of cards."""

    def __init__(self, network: Network, name: str = "self", *, sample: bool = True, seed: int = 0) -> None:
        self.name = checks.instance("name", name, str, "a word")
        checks.instance("network", network, Network, "a Network")
        self.network = copy.deepcopy(network).requires_grad_(False)
        self._sample = sample
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(checks.seed("seed", seed))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        with torch.inference_mode():
            logits = self.network(self.network.encode(position.numbers))[0].cpu().numpy()
        return net.choose(logits, position.mask, self._generator if self._sample else None)
