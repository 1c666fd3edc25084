"""The forward pass of a network in compiled code, for one position of a game after another, as in a play-out.

NumPy is as fast as a processor multiplies matrices, but most of these products are of zeros, or were computed before:

- Between two decisions of a seat about one input in fifty changes. The sums of the first layer are kept for each seat,
  and only what changed is added. They are whole numbers, so nothing is lost over a game, and the order does not matter.
- Most units behind a ReLU are 0; the layers above skip them.
- Only legal actions get a logit: of the objects (see `inputs.py`) only those that a legal action is about are used.
- Weights are kept as whole numbers of 16 bits, with a unit for each layer: reading them from memory is what takes time.

All sums are made in a fixed order, so that the result does not depend on what else is computed. A product and the sum
that it is added to are rounded once where a processor does both in one step; without that the last bit may differ.

Shape letters: A actions, F features of an observation, I inputs, P players, H units of the first layer.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import features
from rc_env.agents.net import Net
from rc_env.jit import fused, records, rule

LANES = 16
"""Widths of layers are filled up with units of 0 to a multiple of this, which fits the registers of a processor."""

MOST_WEIGHT = 2**15 - 1
"""The largest weight, in units of its layer."""

LAYER = np.dtype(
    [("weights", np.int64), ("bias", np.int64), ("inputs", np.int64), ("outputs", np.int64), ("unit", np.float32)],
    align=True,
)
"""Where weights and bias of a layer begin, its size, and what 1 in its weights means."""

SIZES = np.dtype(
    [
        ("shared", np.int64),  # inputs of the first layer
        ("units", np.int64),  # H
        ("trunk", np.int64),  # layers of the trunk above the first
        ("kinds", np.int64),  # of objects; "none" is one more
        ("value", np.int64),  # the first layer of the value
        ("value_hidden", np.int64),  # its layers below the outputs
        ("own", np.int64),  # whether these begin with the inputs, not with the trunk
        ("values", np.int64),  # outputs of the value
        ("unit", np.float32),  # what 1 in the sums of the first layer means
        ("reward_scale", np.float32),
    ],
    align=True,
)


class Source(NamedTuple):
    """What inputs are worked out with: see `features.write`."""

    copied: NDArray[np.int64]
    at: np.ndarray
    at_full: np.ndarray
    moves: NDArray[np.int64]


class Weights(NamedTuple):
    """A network. Widths of layers are multiples of `LANES`.

    Attributes:
        first: (inputs, H) int16, the first layer, with scales and zeros of the inputs in it.
        numbers: the weights of all other layers, int16, one behind the other: those of the trunk, the hidden one of the
            policy and its outputs, for each kind of objects those for its inputs, for the trunk, its outputs, and last
            those of the value. Layers of outputs have a row for each output, the others one for each input.
        biases: those of the same layers, float32.
        layers: (layers,) LAYER.
        begin: (objects,) int64, where the inputs of each object begin in `places`.
        places: the numbers of the inputs that objects have for their own, int64.
        about: (A, 3) int64, kind, object and output of each action.
        zero: (I,) int32, the number that means 0.
        scale: (I,) float32, one over the divisors.
        sizes: (1,) SIZES.
    """

    first: NDArray[np.int16]
    numbers: NDArray[np.int16]
    biases: NDArray[np.float32]
    layers: np.ndarray
    begin: NDArray[np.int64]
    places: NDArray[np.int64]
    about: NDArray[np.int64]
    zero: NDArray[np.int32]
    scale: NDArray[np.float32]
    sizes: np.ndarray


class ForwardMemory(NamedTuple):
    """What the forward pass works in.

    Attributes:
        observation: (F,) uint8, what a seat sees, written from outside.
        words, inputs: the inputs that follow from it, as uint64 and as the same uint8.
        last_words, last: (P, words) and (P, bytes), those that the sums of each seat are of.
        sums: (P, H) int32, of the first layer.
        indices, amounts: (2, most), two lists of inputs that are not 0.
        wide: outputs of a layer.
        contexts: (kinds + 1, most), what the trunk adds to the hidden units of each kind of objects; the last are the
            hidden units of the actions that are about none.
        hidden: (objects, most), hidden units of each object.
        made: (objects,) int64, 1 where these are computed.
        part: (LANES,), a part of a sum.
    """

    observation: NDArray[np.uint8]
    words: NDArray[np.uint64]
    inputs: NDArray[np.uint8]
    last_words: NDArray[np.uint64]
    last: NDArray[np.uint8]
    sums: NDArray[np.int32]
    indices: NDArray[np.int64]
    amounts: NDArray[np.float32]
    wide: NDArray[np.float32]
    contexts: NDArray[np.float32]
    hidden: NDArray[np.float32]
    made: NDArray[np.int64]
    part: NDArray[np.float32]


SUM_BITS = 30
"""The sums of the first layer, whatever the inputs are, stay below 2 to this power."""


class Forward:
    """The weights of a network, and the memory that its forward pass works in.

    One thread at a time may use it.

    Args:
        net: the network.

    Attributes:
        source, weights, memory: what the compiled functions take as `source`, `net` and `m`.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.agents import net
        >>> Forward(net.load(net.shipped(Ruleset()))).weights.first.shape
        (1317, 512)
    """

    def __init__(self, net: Net) -> None:
        self.net = checks.instance("net", net, Net, "a Net")
        inputs, layers = net.inputs, net.layers
        depth = sum(name.startswith("trunk.") for name in layers)
        numbers: list[NDArray[np.int16]] = []
        biases: list[NDArray[np.float32]] = []
        table: list[tuple[int, int, int, int, float]] = []

        def add(weight: NDArray[np.float32], bias: NDArray[np.float32], turned: bool = False) -> None:
            """Add a layer; `turned` with a row for each output instead of each input."""
            wide = _filled_up(weight.T if turned else weight)
            unit = float(np.abs(wide).max(initial=0)) / MOST_WEIGHT or 1.0
            begins = sum(map(len, numbers)), sum(map(len, biases))
            numbers.append(np.rint(wide / unit).astype(np.int16).ravel())
            biases.append(_filled_up(bias[None])[0])
            table.append((*begins, weight.shape[0], wide.shape[0] if turned else wide.shape[1], unit))

        for i in range(1, depth):
            add(*layers[f"trunk.{i}"])
        add(*layers["policy.0"])
        add(*layers["policy.1"], turned=True)
        for kind in inputs.objects:
            own, context = layers[f"objects.{kind.name}.0"], layers[f"objects.{kind.name}.1"]
            add(own[0], own[1])
            add(context[0], context[1] + own[1])
            add(*layers[f"objects.{kind.name}.2"], turned=True)
        *hidden_layers, outputs = net.value_layers
        for name in hidden_layers:
            add(*layers[name])
        add(*layers[outputs], turned=True)

        first = layers["trunk.0"][0] * inputs.scale[: inputs.shared, None]
        bound = float((np.abs(first).sum(0) * 255 + np.abs(layers["trunk.0"][1])).max())
        most = MOST_WEIGHT / max(float(np.abs(first).max()), 1e-9)
        steps = min(most, 2.0**SUM_BITS / max(bound, 1.0))
        sizes = np.zeros(1, SIZES)
        sizes["shared"], sizes["trunk"], sizes["kinds"] = inputs.shared, depth - 1, len(inputs.objects)
        sizes["unit"], sizes["reward_scale"] = 1 / steps, net.reward_scale
        sizes["value"], sizes["value_hidden"] = len(table) - len(net.value_layers), len(hidden_layers)
        sizes["own"] = net.value_layers[0] != "value.0"
        sizes["values"] = layers[outputs][0].shape[1]

        begin: list[int] = []
        places: list[int] = []  # the inputs that each object has for its own
        about = np.full((len(inputs.order), 3), -1, np.int64)  # of each action the kind, the object, the output
        about[inputs.rest, 0] = len(inputs.objects)
        about[inputs.rest, 2] = np.arange(len(inputs.rest))
        for number, kind in enumerate(inputs.objects):
            for one, actions in enumerate(kind.actions):
                about[actions, 0], about[actions, 1], about[actions, 2] = number, len(begin), np.arange(len(actions))
                begin.append(len(places))
                for at, width, sharing in kind.slices:
                    places.extend(range(at + one // sharing * width, at + (one // sharing + 1) * width))
        whole = _filled_up(np.rint(first * steps)).astype(np.int16)
        sizes["units"] = whole.shape[1]
        self.weights = Weights(
            whole,
            np.concatenate(numbers),
            np.concatenate(biases),
            records(np.array(table, LAYER)),
            np.array(begin, np.int64),
            np.array(places, np.int64),
            about,
            inputs.zero.astype(np.int32),
            inputs.scale.astype(np.float32),
            records(sizes),
        )
        start = np.zeros(whole.shape[1], np.int32)
        start[: len(layers["trunk.0"][1])] = np.rint(layers["trunk.0"][1] * steps)
        words = -(-inputs.size // 8)
        last = np.zeros((net.ruleset.players, words), np.uint64)
        seen = last.view(np.uint8)
        seen[:, : inputs.shared] = inputs.zero[: inputs.shared]
        widest = max(max(one[3] for one in table), whole.shape[1])
        hidden = max(table[sizes["trunk"][0] + 3 + 3 * k][3] for k in range(len(inputs.objects)))
        now = np.zeros(words, np.uint64)
        self.memory = ForwardMemory(
            np.zeros(inputs.features, np.uint8),
            now,
            now.view(np.uint8),
            last,
            seen,
            np.tile(start, (net.ruleset.players, 1)),
            np.zeros((2, inputs.size + widest), np.int64),
            np.zeros((2, inputs.size + widest), np.float32),
            np.zeros(widest, np.float32),
            np.zeros((len(inputs.objects) + 1, widest), np.float32),
            np.zeros((len(begin), hidden), np.float32),
            np.zeros(len(begin), np.int64),
            np.zeros(LANES, np.float32),
        )
        self.source = Source(inputs._source, inputs._at, inputs._at_full, inputs.moves)


def _filled_up(rows: NDArray[np.floating[Any]]) -> NDArray[Any]:
    """(N, W) with columns of 0 up to a multiple of `LANES`."""
    more = -rows.shape[1] % LANES
    return np.ascontiguousarray(np.pad(rows, ((0, 0), (0, more))))


@rule
def look(source: Any, net: Any, m: Any, seat: Any, moves: Any) -> None:
    """Work out the inputs of what a seat sees, and bring the sums of its first layer up to them.

    Args:
        source: `Forward.source`.
        net: `Forward.weights`.
        m: `Forward.memory`, with the observation.
        seat: from 0.
        moves: whether the inputs of the moves are wanted.
    """
    m.words[:] = 0
    now, before, out, index = m.inputs, m.last[seat], m.sums[seat], m.indices[0]
    features.write(m.observation, source.copied, source.at[0], source.at_full[0], source.moves, moves, now)
    shared, units = net.sizes[0].shared, net.sizes[0].units
    count = 0
    for word in range((shared + 7) // 8):
        if m.words[word] != m.last_words[seat, word]:
            for i in range(8 * word, min(8 * word + 8, shared)):
                if now[i] != before[i]:
                    index[count] = i
                    count += 1
    k = 0
    while k + 4 <= count:
        i0, i1, i2, i3 = index[k], index[k + 1], index[k + 2], index[k + 3]
        d0, d1 = np.int32(now[i0]) - np.int32(before[i0]), np.int32(now[i1]) - np.int32(before[i1])
        d2, d3 = np.int32(now[i2]) - np.int32(before[i2]), np.int32(now[i3]) - np.int32(before[i3])
        w0, w1, w2, w3 = net.first[i0], net.first[i1], net.first[i2], net.first[i3]
        for j in range(units):
            out[j] = np.int32(out[j] + d0 * w0[j] + d1 * w1[j] + d2 * w2[j] + d3 * w3[j])
        k += 4
    while k < count:
        i0 = index[k]
        d0 = np.int32(now[i0]) - np.int32(before[i0])
        w0 = net.first[i0]
        for j in range(units):
            out[j] = np.int32(out[j] + d0 * w0[j])
        k += 1
    for word in range((shared + 7) // 8):
        m.last_words[seat, word] = m.words[word]


@rule
def trunk(net: Any, m: Any, seat: Any) -> Any:
    """Compute the trunk from the sums of a seat; return in which of the two lists its output lies, and its length."""
    sums, sizes = m.sums[seat], net.sizes[0]
    index, value = m.indices[0], m.amounts[0]
    which, count = 0, 0
    for j in range(sizes.units):
        index[count] = j
        value[count] = np.float32(sums[j]) * sizes.unit
        count += sums[j] > 0
    for i in range(sizes.trunk):
        apply(net, net.layers[i], m.indices[which], m.amounts[which], count, m.wide)
        which = 1 - which
        count = positive(m.wide, net.layers[i].outputs, m.indices[which], m.amounts[which])
    return which, count


@rule
def policy(net: Any, m: Any, which: Any, count: Any, menu: Any, n: Any, logits: Any) -> None:
    """Write the logits of the `n` legal actions of a menu; `which` and `count` are what `trunk` gave."""
    layers, about, kinds, first = net.layers, net.about, net.sizes[0].kinds, net.sizes[0].trunk
    index, value = m.indices[which], m.amounts[which]
    known = np.int64(0)
    m.made[:] = 0
    for i in range(n):
        action = menu.action[i]
        kind, one, output = about[action, 0], about[action, 1], about[action, 2]
        context = m.contexts[kind]
        new = known & (1 << kind) == 0
        known |= 1 << kind
        if kind == kinds:
            if new:
                apply(net, layers[first], index, value, count, context)
                cut(context, layers[first].outputs)
            logits[i] = product(net, layers[first + 1], context, output, m.part)
        else:
            if new:
                apply(net, layers[first + 3 + 3 * kind], index, value, count, context)
            if m.made[one] == 0:
                m.made[one] = 1
                write_hidden(
                    net, m, one, layers[first + 2 + 3 * kind], context, m.indices[1 - which], m.amounts[1 - which]
                )
            logits[i] = product(net, layers[first + 4 + 3 * kind], m.hidden[one], output, m.part)


@rule
def write_hidden(net: Any, m: Any, one: Any, layer: Any, context: Any, index: Any, value: Any) -> None:
    """Write the hidden units of an object: from its own inputs, and what the trunk adds to them."""
    begin, hidden = net.begin[one], m.hidden[one]
    count = 0
    for k in range(layer.inputs):
        place = net.places[begin + k]
        difference = np.int32(m.inputs[place]) - net.zero[place]
        index[count] = k
        value[count] = np.float32(difference) * net.scale[place]
        count += difference != 0
    for j in range(layer.outputs):
        hidden[j] = context[j]
    add_rows(net.numbers, layer, index, value, count, hidden)
    cut(hidden, layer.outputs)


@rule
def values_of(net: Any, m: Any, seat: Any, out: Any) -> None:
    """Write the outputs of the value for what the seat sees, as rewards; `look` was called for it."""
    sizes = net.sizes[0]
    first, hidden = sizes.value, sizes.value_hidden
    which, count = 0, 0
    if sizes.own:
        for i in range(sizes.shared):
            difference = np.int32(m.inputs[i]) - net.zero[i]
            m.indices[0][count] = i
            m.amounts[0][count] = np.float32(difference) * net.scale[i]
            count += difference != 0
    else:
        which, count = trunk(net, m, seat)
    for i in range(hidden):
        if i > 0:
            which = 1 - which
            count = positive(m.wide, net.layers[first + i - 1].outputs, m.indices[which], m.amounts[which])
        apply(net, net.layers[first + i], m.indices[which], m.amounts[which], count, m.wide)
    cut(m.wide, net.layers[first + hidden - 1].outputs)
    for i in range(sizes.values):
        out[i] = product(net, net.layers[first + hidden], m.wide, i, m.part) / sizes.reward_scale


@rule
def cut(units: Any, count: Any) -> None:
    """ReLU: replace numbers below 0 by 0."""
    for j in range(count):
        units[j] = max(units[j], np.float32(0))


@rule
def apply(net: Any, layer: Any, index: Any, value: Any, count: Any, out: Any) -> None:
    """Write the outputs of a layer, from its inputs that are not 0."""
    bias = net.biases[layer.bias : layer.bias + layer.outputs]
    for j in range(layer.outputs):
        out[j] = bias[j]
    add_rows(net.numbers, layer, index, value, count, out)


@fused
def add_rows(numbers: Any, layer: Any, index: Any, value: Any, count: Any, out: Any) -> None:
    """Add `count` rows of weights to `out`, each times its input."""
    begin, width, unit = layer.weights, layer.outputs, layer.unit
    k = 0
    while k + 4 <= count:
        v0, v1, v2, v3 = value[k] * unit, value[k + 1] * unit, value[k + 2] * unit, value[k + 3] * unit
        p0, p1 = begin + index[k] * width, begin + index[k + 1] * width
        p2, p3 = begin + index[k + 2] * width, begin + index[k + 3] * width
        w0, w1, w2, w3 = (
            numbers[p0 : p0 + width],
            numbers[p1 : p1 + width],
            numbers[p2 : p2 + width],
            numbers[p3 : p3 + width],
        )
        for j in range(width):
            out[j] += v0 * np.float32(w0[j]) + v1 * np.float32(w1[j]) + v2 * np.float32(w2[j]) + v3 * np.float32(w3[j])
        k += 4
    while k < count:
        v0, p0 = value[k] * unit, begin + index[k] * width
        w0 = numbers[p0 : p0 + width]
        for j in range(width):
            out[j] += v0 * np.float32(w0[j])
        k += 1


@rule
def positive(wide: Any, width: Any, index: Any, value: Any) -> Any:
    """List what is above 0; return how many there are."""
    count = 0
    for j in range(width):
        index[count] = j
        value[count] = wide[j]
        count += wide[j] > 0
    return count


@fused
def product(net: Any, layer: Any, hidden: Any, output: Any, part: Any) -> Any:
    """One output of a layer that has a row for each."""
    width = (layer.inputs + LANES - 1) // LANES * LANES
    begin = layer.weights + output * width
    row = net.numbers[begin : begin + width]
    for k in range(LANES):
        part[k] = 0
    for block in range(0, width, LANES):
        h, w = hidden[block : block + LANES], row[block : block + LANES]
        for k in range(LANES):
            part[k] += h[k] * np.float32(w[k])
    total = np.float32(0)
    for k in range(LANES):
        total += part[k]
    return net.biases[layer.bias + output] + total * layer.unit
