"""Trained networks as bots: a file of weights, played with NumPy alone.

Shape letters as in `rc_env.bot`: N games, A actions, F features. A file is a NumPy archive of float16 layers
with a few lines of JSON that say what game the network was trained for; `training` writes it.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents.inputs import VERSION, Inputs
from rc_env.bot import Position
from rc_env.ruleset import RULES_VERSION, SWITCHES, Ruleset

SHIPPED = Path(__file__).parent / "weights"
BEST, LAST = "best.npz", "last.npz"
"""What a run's folder holds: the network that did best in the games played while it was trained, and the last one."""


class Net:
    """A policy and a value: the same as `rc_env.training.learning.network.Network`, in NumPy.

    Args:
        layers: (inputs, outputs) weights and (outputs,) biases by name: "trunk.0.weight", "trunk.0.bias" and so on.
        about: what the network was trained for (see `describe`), and how.

    Attributes:
        ruleset: the variant that it was trained for.
        inputs: what it makes of an observation.
        layers: weight and bias by name: "trunk.0" and so on.

    Raises:
        KeyError: a layer is missing.
        ValueError: one has another size than its neighbours, or than the game asks for.
    """

    def __init__(self, layers: dict[str, NDArray[np.floating[Any]]], about: dict[str, Any]) -> None:
        self.about = about
        self.ruleset = ruleset_of(about)
        self.inputs = Inputs(self.ruleset)
        single = {name: np.ascontiguousarray(layer, np.float32) for name, layer in layers.items()}
        self.layers = {
            name.removesuffix(".weight"): (weight, single[name.removesuffix("weight") + "bias"])
            for name, weight in single.items()
            if name.endswith(".weight")
        }
        self._depth = sum(name.startswith("trunk.") for name in self.layers)
        signed = np.flatnonzero(self.inputs.zero)
        self._signed = slice(signed[0], signed[-1] + 1)  # inputs that may mean less than 0
        self._zero = self.inputs.zero[self._signed].astype(np.float32)
        one = np.zeros((1, self.inputs.size), np.float32)
        self._value(one)
        if (found := self._logits(one).shape[1]) != (actions := len(self.inputs.order)):
            raise ValueError(f"layers: {found} logits found, expected {actions}, one for each action")

    def logits(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N, A) float32 from (N, F) uint8, the numbers of observations: the softmax over the legal actions is the
        policy."""
        return self._logits(self._scaled(numbers))[:, self.inputs.order]

    def value(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N,) float32 from (N, F) uint8: the reward that the seat to move may expect."""
        return self._value(self._scaled(numbers))

    def _scaled(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N, I) inputs as the layers take them."""
        x = self.inputs(numbers).astype(np.float32)
        x[:, self._signed] -= self._zero
        x *= self.inputs.scale
        return x

    def _logits(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of the actions that are about no object, then of those about each kind of them."""
        z = self._trunk(x)
        logits = [self._product("policy.1", _relu(self._product("policy.0", z)))]
        for kind in self.inputs.objects:
            count = len(kind.actions)
            parts = [
                x[:, at : at + count // sharing * width].reshape(-1, count // sharing, width).repeat(sharing, 1)
                for at, width, sharing in kind.slices
            ]
            rows = len(x) * count  # one product of matrices is quicker than one for each game
            own = self._product(f"objects.{kind.name}.0", np.concatenate(parts, 2).reshape(rows, kind.width))
            context = self._product(f"objects.{kind.name}.1", z)
            hidden = own.reshape(len(x), count, context.shape[1])
            hidden += context[:, None]
            out = self._product(f"objects.{kind.name}.2", _relu(hidden).reshape(rows, context.shape[1]))
            logits.append(out.reshape(len(x), count * out.shape[1]))
        return np.concatenate(logits, 1)

    def _value(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        z = self._trunk(x)
        return self._product("value.1", _relu(self._product("value.0", z)))[:, 0]

    def _trunk(self, x: NDArray[np.float32]) -> NDArray[np.float32]:
        x = x[:, : self.inputs.shared]
        for i in range(self._depth):
            x = _relu(self._product(f"trunk.{i}", x))
        return x

    def _product(self, name: str, x: NDArray[np.float32]) -> NDArray[np.float32]:
        weight, bias = self.layers[name]
        y = x @ weight
        y += bias
        return y


def _relu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(x, 0, out=x)


def describe(ruleset: Ruleset) -> dict[str, Any]:
    """What a file says of the game that its network is for; the switches of the expansion where one of them is on."""
    switches = {name: getattr(ruleset, name) for name in SWITCHES} if ruleset.full else {}
    return {
        "players": ruleset.players,
        "workshop": ruleset.workshop,
        "data": str(ruleset.data),
        **{name: value if isinstance(value, bool) else str(value) for name, value in switches.items()},
        "rules_version": RULES_VERSION,
        "layout_hash": f"{ruleset.layout_hash}-{VERSION}",
    }


def ruleset_of(about: dict[str, Any]) -> Ruleset:
    """The game that a file says its network is for, as `describe` wrote it.

    Raises:
        KeyError: a part is missing.
        ValueError: a value is out of range.
    """
    switches = {name: about[name] for name in SWITCHES if name in about}
    return Ruleset(about["players"], about["workshop"], about["data"], **switches)


def save(net_layers: dict[str, NDArray[np.floating[Any]]], about: dict[str, Any], file: Any) -> None:
    """Write a network to an open binary file; half precision is enough to play with."""
    arrays = {name: np.asarray(layer, np.float16) for name, layer in net_layers.items()}
    np.savez(file, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]


def load(path: str | Path) -> Net:
    """A network from a file, or from a run's folder: its best one.

    Raises:
        ValueError: there is no such file, it holds something else, or its layout is not that of this version.
    """
    file = Path(path)
    if file.is_dir():
        file = file / BEST if (file / BEST).is_file() else file / LAST
    if not file.is_file():
        raise ValueError(f"net: no file {file}, expected one that `rc train` wrote")
    try:
        with np.load(file, allow_pickle=False) as archive:
            about = json.loads(str(archive["about"]))
            layers = {name: archive[name] for name in archive.files if name != "about"}
            found = about["layout_hash"], about["rules_version"]
            data = about["data"]
        if data != "base" and not Path(data).is_file():
            raise FileNotFoundError(data)
        expected = describe(ruleset_of(about))
        known = found == (expected["layout_hash"], expected["rules_version"])
        net = Net(layers, about) if known else None  # layers of another version have other sizes
    except FileNotFoundError:
        raise ValueError(f"net: {file} was trained on the data file {data}, which is not there") from None
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, OSError, EOFError):
        raise ValueError(f"net: {file} found, expected a file that `rc train` wrote") from None
    if net is None:
        raise ValueError(
            f"net: {file} was trained on rules {found[1]}, layout {found[0]}, expected rules {RULES_VERSION}, layout "
            f"{expected['layout_hash']}, those of this version: train it anew"
        )
    return net


def shipped(ruleset: Ruleset) -> Path:
    """The file of weights that comes with this package for a variant; one for the full game, whatever is switched on.

    Raises:
        ValueError: there is none.
    """
    file = SHIPPED / f"{ruleset.players}p-{ruleset.workshop}{'-full' if ruleset.full else ''}.npz"
    if not file.is_file():
        known = ", ".join(sorted(path.stem for path in SHIPPED.glob("*.npz"))) or "none"
        full = ", the full game" if ruleset.full else ""
        raise ValueError(
            f"net: no weights for {ruleset.players} players, {ruleset.workshop}{full}, expected one of those that come "
            f"with the package ({known}) or a file of your own: net:PATH"
        )
    return file


def choose(
    logits: NDArray[np.float32], mask: NDArray[np.int8], generator: np.random.Generator | None
) -> NDArray[np.int64]:
    """(N,) int64, legal actions: the most probable ones, or with a generator drawn by their probabilities."""
    legal = np.where(mask == 0, np.float32(-np.inf), logits)
    if generator is None:
        return legal.argmax(1)
    below = np.exp(legal - legal.max(1, keepdims=True)).cumsum(1)
    # A little less than the sum, which rounding may leave below the draw: the action found then has a probability.
    drawn = generator.random(len(below), np.float32) * below[:, -1] * np.float32(1 - 1e-6)
    return (below <= drawn[:, None]).sum(1)


class NetBot:
    """Plays by a trained network.

    Args:
        path: a file that `rc train` wrote, or a run's folder; "shipped" for the weights that come with this package,
            those for the game that is played.
        sample: draw actions by their probabilities; else always take the most probable one, which is stronger.
        seed: of its own generator; `reset` starts it over.

    Raises:
        ValueError: a setting is out of range; see `load`; for "shipped", and for a game that the network is not for,
            only when it is asked to play.
    """

    def __init__(self, path: str | Path = "shipped", sample: bool = False, seed: int = 0) -> None:
        if not isinstance(sample, bool):
            raise ValueError(f"sample: {sample!r} found, expected True or False")
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
            raise ValueError(f"seed: {seed!r} found, expected a whole number of at least 0")
        self.name = f"net:{path}"
        self._sample = sample
        self._shipped = path == "shipped"  # a word; a folder of that name is a Path, or ./shipped
        self._net = None if self._shipped else load(path)
        self._ruleset: Ruleset | None = None  # the one that was found to fit
        self.reset(seed)

    @property
    def ruleset(self) -> Ruleset | None:
        """The variant that the network is for; None for shipped weights, which are those of the game that is played."""
        return None if self._shipped else self.net.ruleset

    @property
    def net(self) -> Net:
        """The network.

        Raises:
            ValueError: the bot plays shipped weights and has not played yet.
        """
        if self._net is None:
            raise ValueError("net: shipped weights are chosen at the first decision, expected a file or a later call")
        return self._net

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(seed)

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        return choose(self.logits(position), position.mask, self._generator if self._sample else None)

    def logits(self, position: Position) -> NDArray[np.float32]:
        """(N, A) float32, what the network makes of the games; see `Net.logits`.

        Raises:
            ValueError: they are games that the network is not for.
        """
        if position.ruleset is not self._ruleset:
            self._check(position.ruleset)
        return self.net.logits(position.numbers)

    def _check(self, ruleset: Ruleset) -> None:
        if self._shipped:
            self._net = load(shipped(ruleset))
        trained = self.net.ruleset
        if trained.layout_hash != ruleset.layout_hash or trained.workshop != ruleset.workshop:
            raise ValueError(
                f"{self.name}: a game of {ruleset.players} players, {ruleset.workshop}, found, expected "
                f"{trained.players} players, {trained.workshop}, for which it was trained"
            )
        self._ruleset = ruleset
