"""Trained networks as bots: a file of weights, played with NumPy alone.

Shape letters as in `rc_env.bot`: N games, A actions, F features. A file is a NumPy archive of layers with a few lines
of JSON that say what game the network was trained for; `training` writes it. Layers are float16, or, in a file of half
the size, int8 with a unit for each input.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import archives, checks
from rc_env.agents.inputs import VERSION, Inputs
from rc_env.bot import CannotPlay, Position
from rc_env.card_sets import source
from rc_env.rules.printed import components
from rc_env.rules.printed.expansion_file import PACKAGED
from rc_env.ruleset import SWITCHES, Ruleset

SHIPPED = Path(__file__).parent / "weights"
MOST_BYTES = 2**30
"""The most bytes that a file of weights may unpack to."""
ANY = "any"
"""The ending of the name of weights for any cards."""
UNIT = ".unit"
"""The ending of the name of the array that says what 1 means in weights of 8 bits, for each input."""
BEST, LAST = "best.npz", "last.npz"
"""Files in a run's folder: the network with the best evaluation during training, and the last one."""


class Net:
    """A policy and a value: the same as `rc_env.training.network.Network`, in NumPy.

    Args:
        layers: (inputs, outputs) weights and (outputs,) biases by name: "trunk.0.weight", "trunk.0.bias" and so on. The
            value has one output, for the seat that sees, or one per seat, from that seat on. Where there are layers
            "value_net.0" and so on, they are a network of its own for the value, from the inputs that are shared to the
            same number of outputs, which is used instead.
        about: what the network was trained for (see `describe`), and how.

    Attributes:
        ruleset: the variant that it was trained for.
        inputs: computes the network's inputs from an observation.
        layers: weight and bias by name: "trunk.0" and so on.
        value_layers: the names of those of the value: the first takes inputs if it is "value_net.0", else the trunk.
        reward: the reward that the value predicts (see `Ruleset`).
        reward_scale: the factor by which rewards were multiplied in training; the values are divided by it.

    Raises:
        ValueError: a layer is missing, has another size than its neighbours or than the game asks for, or holds numbers
            that are not finite; or `about` does not say what game the network is for, or what it says of the reward is
            out of range.
    """

    def __init__(self, layers: dict[str, NDArray[np.floating[Any]]], about: dict[str, Any]) -> None:
        self.about = about
        self.ruleset = ruleset_of(about)
        how = checks.instance("settings", about.get("settings", {}), dict, "settings by name")
        self.reward: str = checks.one_of("reward", how.get("reward", "win"), components.REWARDS)
        self.reward_scale = np.float32(checks.number("reward_scale", how.get("reward_scale", 1), 1e-9, 1e6))
        self.inputs = Inputs(self.ruleset)
        self.layers = _checked_layers(layers, self.inputs, self.ruleset.players)
        self._depth = sum(name.startswith("trunk.") for name in self.layers)
        self.value_layers = [name for name in self.layers if name.startswith("value_net.")] or ["value.0", "value.1"]
        signed = np.flatnonzero(self.inputs.zero)
        self._signed = slice(signed[0], signed[-1] + 1)  # inputs that may mean less than 0
        self._zero = self.inputs.zero[self._signed].astype(np.float32)

    def check_fits(self, ruleset: Ruleset, name: str = "net") -> None:
        """Check that the network is for games of a variant.

        Args:
            ruleset: the variant.
            name: what the message calls the network.

        Raises:
            ValueError: it is for others; the message begins with `name`.
        """
        checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
        checks.instance("name", name, str, "a name for the network")
        trained = self.ruleset
        if trained.layout_hash != ruleset.layout_hash or trained.workshop != ruleset.workshop:
            raise CannotPlay(f"{name} was trained for {_game(trained)}; it cannot play a game of {_game(ruleset)}")

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights and biases by name, as the constructor and `save` take them."""
        found: dict[str, NDArray[np.float32]] = {}
        for name, (weight, bias) in self.layers.items():
            found |= {f"{name}.weight": weight, f"{name}.bias": bias}
        return found

    def logits(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (N, A) float32 logits for (N, F) uint8 observations: the softmax over the legal actions is the
        policy."""
        x = self._scaled(numbers)
        return self._logits(x, self._trunk(x))[:, self.inputs.order]

    def value(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (N,) float32 values for (N, F) uint8 observations: the expected reward of the observing seat."""
        x = self._scaled(numbers)
        return self._values(x, self._trunk(x) if self.value_layers[0] == "value.0" else x)[:, 0]

    def evaluate(
        self, numbers: NDArray[np.uint8], policies: int | None = None, values: int | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Policy and value of N observations in one pass.

        Args:
            numbers: (N, F) uint8, the numbers of observations.
            policies: compute logits for only the first `policies` observations; by default for all.
            values: compute values for only the last `values` observations; by default for all.

        Returns:
            (policies, A) float32 logits; (values, V) float32, expected rewards: for V = 1 of the observing seat, else
            of that seat, the next one, and so on.

        Raises:
            ValueError: the numbers are of another type or shape, or fewer than are asked for.
        """
        x = self._scaled(numbers)
        first = checks.whole_number("policies", len(x) if policies is None else policies, 0, len(x))
        last = checks.whole_number("values", len(x) if values is None else values, 0, len(x))
        z = self._trunk(x)
        logits = self._logits(x[:first], z[:first])[:, self.inputs.order]
        return logits, self._values(x[len(x) - last :], z[len(x) - last :])

    def _scaled(self, numbers: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(N, I) inputs as the layers take them."""
        x = self.inputs(numbers).astype(np.float32)
        x[:, self._signed] -= self._zero
        x *= self.inputs.scale
        return x

    def _logits(self, x: NDArray[np.float32], z: NDArray[np.float32]) -> NDArray[np.float32]:
        """Logits of the actions that concern no object, then of those of each kind of object."""
        logits = [self._product("policy.1", _relu(self._product("policy.0", z)))]
        for kind in self.inputs.objects:
            count = len(kind.actions)
            parts = [
                x[:, at : at + count // sharing * width].reshape(-1, count // sharing, width).repeat(sharing, 1)
                for at, width, sharing in kind.slices
            ]
            rows = len(x) * count  # one product of matrices is faster than one for each game
            own = self._product(f"objects.{kind.name}.0", np.concatenate(parts, 2).reshape(rows, kind.width))
            context = self._product(f"objects.{kind.name}.1", z)
            hidden = own.reshape(len(x), count, context.shape[1])
            hidden += context[:, None]
            out = self._product(f"objects.{kind.name}.2", _relu(hidden).reshape(rows, context.shape[1]))
            logits.append(out.reshape(len(x), count * out.shape[1]))
        return np.concatenate(logits, 1)

    def _values(self, x: NDArray[np.float32], z: NDArray[np.float32]) -> NDArray[np.float32]:
        """Values from inputs and outputs of the trunk, of which a network uses one."""
        y = z if self.value_layers[0] == "value.0" else x[:, : self.inputs.shared]
        for name in self.value_layers[:-1]:
            y = _relu(self._product(name, y))
        return self._product(self.value_layers[-1], y) / self.reward_scale

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


def _checked_layers(
    layers: Mapping[str, NDArray[Any]], inputs: Inputs, players: int
) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Weight and bias of each layer, float32, by name; each layer fits those that it takes its inputs from."""
    checks.instance("layers", layers, Mapping, "arrays by name")  # type: ignore[type-abstract]
    found: dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]] = {}

    def check(name: str, taken: int, given: int | None = None) -> int:
        """Check a layer's shape and add it; return its number of outputs."""
        weight, bias = (_single(layers, f"{name}.{part}") for part in ("weight", "bias"))
        shape = (taken, weight.shape[-1] if given is None and weight.ndim else given)
        for part, array, expected in (("weight", weight, shape), ("bias", bias, shape[1:])):
            if array.shape != expected:
                raise ValueError(f"layers: {name}.{part} must have the shape {expected}, not {array.shape}")
        found[name] = weight, bias
        return len(bias)

    trunk, depth = inputs.shared, 0
    while f"trunk.{depth}.weight" in layers or depth == 0:
        trunk = check(f"trunk.{depth}", trunk)
        depth += 1
    check("policy.1", check("policy.0", trunk), len(inputs.rest))
    values = check("value.1", check("value.0", trunk))
    if values not in (1, players):
        raise ValueError(f"layers: value.1 has {values} outputs, but a game of {players} needs 1, or one per seat")
    own = sum(f"value_net.{i}.weight" in layers for i in range(len(layers)))
    width = inputs.shared
    for i in range(own):
        width = check(f"value_net.{i}", width, values if i == own - 1 else None)
    for kind in inputs.objects:
        hidden = check(f"objects.{kind.name}.0", kind.width)
        check(f"objects.{kind.name}.1", trunk, hidden)
        check(f"objects.{kind.name}.2", hidden, kind.actions.shape[1])
    for name in layers:
        if name.removesuffix(".weight").removesuffix(".bias") not in found:
            raise ValueError(f"layers: a network for this game has no {checks.shown(name)}")
    return found


def _single(layers: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    """An array of a layer as float32, all of its numbers finite."""
    if name not in layers:
        raise ValueError(f"layers: {name} is missing, which every network for this game has")
    array = checks.array(f"layers, {name}", layers[name], "numbers")
    if array.dtype.kind != "f":
        checks.refuse(f"layers, {name}", array, "an array of floats")
    with np.errstate(over="ignore"):
        found = np.array(array, np.float32, order="C")  # what is used: a number of 64 bits may be too large for it
    if not np.isfinite(found).all():
        raise ValueError(
            f"layers, {name}: {array.dtype} array with NaN, infinity or a number too large for 32 bits; all numbers "
            "must be finite"
        )
    return found


def _relu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(x, 0, out=x)


def _game(ruleset: Ruleset) -> str:
    """A variant in words, as far as it matters to a network."""
    return f"{ruleset.players} players, {ruleset.workshop}{', the full game' if ruleset.full else ''}"


def describe(ruleset: Ruleset) -> dict[str, Any]:
    """The description of a network's game for its file, with the expansion's switches where one is on."""
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    switches = {name: getattr(ruleset, name) for name in SWITCHES} if ruleset.full else {}
    return {
        "players": ruleset.players,
        "workshop": ruleset.workshop,
        "data": str(ruleset.data),
        **{name: value if isinstance(value, bool) else str(value) for name, value in switches.items()},
        "rules_version": ruleset.rules_version,
        "layout_hash": f"{ruleset.layout_hash}-{VERSION}",
    }


def own_digests(ruleset: Ruleset) -> dict[str, str]:
    """The SHA-256 of the data files that are your own, by the setting that names them; drawn sets need none.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.agents.net import own_digests
        >>> own_digests(Ruleset())
        {}
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    files_of = {"data": ruleset.data_file, "expansion_data": ruleset.expansion_file}
    return {
        name: file.sha256
        for name, file in files_of.items()
        if file is not None and (word := str(getattr(ruleset, name))) not in ("base", PACKAGED) and not _is_sample(word)
    }


def ruleset_of(about: dict[str, Any]) -> Ruleset:
    """The ruleset from a file's description of the network's game; the first of several sets of cards.

    Raises:
        ValueError: a part is missing, or a value is out of range.
    """
    checks.instance("about", about, Mapping, "what `describe` gives")  # type: ignore[type-abstract]
    for name in ("players", "workshop", "data"):
        if name not in about:
            raise ValueError(f"about: {name} is missing; players, workshop and data name the game")
    switches = {name: about[name] for name in SWITCHES if name in about}
    usual = switches.get("expansion_data", "contractors")
    if not isinstance(about["data"], str) or not isinstance(usual, str):
        return Ruleset(about["players"], about["workshop"], data=about["data"], **switches)
    data, expansion_data = source.pairs(about["data"], usual)[0]
    return Ruleset(about["players"], about["workshop"], data=data, **{**switches, "expansion_data": expansion_data})


def save(net_layers: dict[str, NDArray[np.floating[Any]]], about: dict[str, Any], file: Any, bits: int = 16) -> None:
    """Write a network to an open binary file.

    Args:
        net_layers: weights and biases by name, as `Net.arrays` gives them.
        about: what the network was trained for, see `describe`, and how.
        file: where to.
        bits: of a weight: 16, half precision, or 8, whole numbers of a unit for each input of the layer, which is a
            little less exact. Biases have 16 bits.

    Raises:
        ValueError: the layers are no arrays by name, a number is too large for half precision, the file is not open, or
            there are other bits.
    """
    if checks.whole_number("bits", bits, 8, 16) not in (8, 16):
        checks.refuse("bits", bits, "8 or 16")
    if not isinstance(net_layers, dict) or not all(isinstance(name, str) for name in net_layers):
        checks.refuse("net_layers", net_layers, "arrays of numbers by name")
    if not isinstance(about, dict):
        checks.refuse("about", about, "a dictionary")
    if not callable(getattr(file, "write", None)):
        checks.refuse("file", file, "an open binary file")
    with np.errstate(over="ignore"):
        arrays: dict[str, NDArray[Any]] = {name: np.asarray(layer, np.float16) for name, layer in net_layers.items()}
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(
                f"net_layers: {name} holds NaN, infinity or a number beyond 65,504, which 16 bits cannot hold"
            )
    if bits == 8:
        for name in [one for one in arrays if one.endswith(".weight")]:
            whole, unit = _in_whole_numbers(arrays[name].astype(np.float32))
            arrays |= {name: whole, f"{name}{UNIT}": unit}
    said = {name: value for name, value in about.items() if name != "bits"} | ({"bits": 8} if bits == 8 else {})
    np.savez(file, about=np.array(json.dumps(said)), **arrays)  # type: ignore[arg-type]


def _in_whole_numbers(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Weights as int8, and what 1 means, for each input: the largest weight from it is 127.

    Inputs differ more in the size of their weights than outputs do: some are hardly ever anything but 0.
    """
    unit = np.abs(weight).max(1, initial=0) / np.float32(127)
    whole = np.rint(weight / np.where(unit > 0, unit, 1)[:, None])
    return whole.astype(np.int8), unit.astype(np.float32)


def _in_floats(layers: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The layers of a file, those of whole numbers times their units.

    Raises:
        ValueError: a unit is missing, or is none.
    """
    units = {name.removesuffix(UNIT): unit for name, unit in layers.items() if name.endswith(UNIT)}
    found = {name: array for name, array in layers.items() if not name.endswith(UNIT)}
    for name in {name for name, array in found.items() if array.dtype == np.int8} | units.keys():
        whole, unit = found.get(name), units.get(name)
        if whole is None or unit is None or whole.ndim != 2 or whole.dtype != np.int8:
            raise ValueError(f"layers: {checks.shown(name)} must have weights of 8 bits and a unit for each input")
        if unit.dtype != np.float32 or unit.shape != whole.shape[:1]:
            raise ValueError(f"layers: the units of {checks.shown(name)} must be float32, one for each input")
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused with the other layers
            found[name] = whole * unit[:, None]
    return found


def load(path: str | Path) -> Net:
    """Load a network from a file, or the best one from a run's folder.

    Raises:
        ValueError: there is no such file, it holds something else, or its layout is not that of this version.
    """
    file = network_file(path)
    try:
        layers = archives.read_arrays(file, MOST_BYTES)
        about = json.loads(str(layers.pop("about")))
        found = about["layout_hash"], about["rules_version"]
        data = Path(about["data"])
    except Exception as error:  # NumPy, zlib and the JSON reader report what is no such file in many ways
        if checks.by_signal(error):
            raise
        raise ValueError(f"net: {file} is not a file that `rc train` wrote") from None
    for word, packaged in ((str(data), "base"), (about.get("expansion_data", PACKAGED), PACKAGED)):
        if isinstance(word, str) and word != packaged and not _is_sample(word) and not _is_file(Path(word)):
            raise ValueError(
                f"net: {file} was trained with the cards of {checks.shown(word)}, which is not there: go to the "
                "folder from which it was trained, or put the file there"
            )
    try:
        ruleset = ruleset_of(about)
        now = own_digests(ruleset)
        then = checks.instance("data_sha256", about.get("data_sha256", now), dict, "digests of data files by setting")
        expected = describe(ruleset)
        if found == (expected["layout_hash"], expected["rules_version"]) and then == now:
            return Net(_in_floats(layers), about)
    except ValueError as error:
        raise ValueError(f"net: {file} is not a network that `rc train` wrote: {error}") from None
    if then != now:
        changed = [str(getattr(ruleset, name)) for name in now if then.get(name) != now[name]] or [str(data)]
        raise ValueError(
            f"net: {file} was trained with other cards than those in {checks.shown(' and '.join(changed))} now: "
            "put them back, or train anew"
        )
    why = f", which differ in {ruleset.rulings}" if ruleset.rulings and found[1] == 1 else ""
    raise ValueError(  # layers of another version have other sizes: they were not looked at
        f"{file} was trained on rules {checks.shown(found[1])}, layout {checks.shown(found[0])}; this version has "
        f"rules {expected['rules_version']}, layout {expected['layout_hash']}{why}: train it anew"
    )


def _is_sample(data: str) -> bool:
    """Whether this names drawn sets of cards, which need no file."""
    try:
        return source.seeds_of("data", data) is not None
    except ValueError:  # of another version of the sampler: what is wrong is said when the game is made
        return True


def _is_file(path: Path) -> bool:
    """Whether there is such a file; not if the name is longer than a path may be."""
    try:
        return path.is_file()
    except OSError:
        return False


def network_file(path: str | Path) -> Path:
    """The file of weights that a path leads to: itself, or the best or last one in the folder of a run.

    Raises:
        ValueError: there is none.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.agents.net import network_file, shipped
        >>> network_file(shipped(Ruleset())).name
        '2p-basic.npz'
    """
    expected = "a file that `rc train` wrote, or the folder of a run"
    file = Path(checks.path("net", path, expected))
    with contextlib.suppress(OSError):  # of a name that is longer than a path may be, which is no file either
        if file.is_dir():
            file = file / BEST if (file / BEST).is_file() else file / LAST
    if not _is_file(file):
        raise ValueError(
            f"net: there is no file {checks.shown(str(file))}; name one that `rc train` wrote, or the folder of a run"
        )
    return file


def shipped(ruleset: Ruleset) -> Path:
    """The file of weights that comes with this package for a variant.

    One file serves all switches of the full game. For any cards but the packaged ones it is, where there is one, that
    of the network that was trained on many sets of cards.

    Raises:
        ValueError: there is none.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    name = f"{ruleset.players}p-{ruleset.workshop}{'-full' if ruleset.full else ''}"
    packaged = ruleset.data_file.sha256 == Ruleset().data_file.sha256
    names = [name] if packaged else [f"{name}-{ANY}", name]
    file = next((file for file in (SHIPPED / f"{one}.npz" for one in names) if file.is_file()), None)
    if file is None:
        known = ", ".join(sorted(path.stem for path in SHIPPED.glob("*.npz"))) or "none"
        raise CannotPlay(
            f"net: the package has no weights for {_game(ruleset)}; name a file of your own as net:PATH, or in a "
            f"search as net=PATH (it has {known})"
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
        sample: sample actions from the policy; otherwise always take the most probable one, which is stronger.
        seed: seed of the sampling; `reset` sets it.

    Raises:
        ValueError: a setting is out of range; see `load`; for "shipped", and for a game that the network is not for,
            only when it is asked to play.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.agents.net import NetBot
        >>> from rc_env.bot import CannotPlay, Position
        >>> engine = Engine(seed=1)
        >>> engine.action_to_text(NetBot("shipped").act(Position.of(engine))[0])
        'claim 1 from inventory'
    """

    def __init__(self, path: str | Path = "shipped", sample: bool = False, seed: int = 0) -> None:
        self._sample = checks.flag("sample", sample)
        self._shipped = isinstance(path, str) and path == "shipped"  # a word; a folder of that name is a Path
        self._net = None if self._shipped else load(path)
        self.name = f"net:{path}"
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
            raise ValueError(
                "net: shipped weights are chosen at the first decision, so there are none yet; name a file, or ask "
                "later"
            )
        return self._net

    def reset(self, seed: int) -> None:
        """Start over from this seed."""
        self._generator = np.random.default_rng(checks.seed("seed", seed))

    def act(self, position: Position) -> NDArray[np.int64]:
        """(N,) int64, a legal action for each game."""
        return choose(self.logits(position), position.mask, self._generator if self._sample else None)

    def logits(self, position: Position) -> NDArray[np.float32]:
        """Return the network's logits for the games, (N, A) float32; see `Net.logits`.

        Raises:
            ValueError: the network is for another variant.
        """
        return self.net_for(Position.checked(position).ruleset).logits(position.numbers)

    def net_for(self, ruleset: Ruleset) -> Net:
        """Return the network for games of a variant.

        Raises:
            ValueError: the network is not for them.
        """
        if ruleset is None or ruleset is not self._ruleset:
            self._check(checks.instance("ruleset", ruleset, Ruleset, "a Ruleset"))
        return self.net

    def _check(self, ruleset: Ruleset) -> None:
        if self._shipped:
            self._net = load(shipped(ruleset))
        self.net.check_fits(ruleset, self.name)
        self._ruleset = ruleset
