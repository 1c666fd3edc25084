"""Attacks with damaged files: plans, settings, networks, checkpoints of runs, the data file of the expansion.

`make fuzz` damages records and the base data file; `tests/test_foreign_states.py` saved games; and
`tests/test_wrong_arguments.py` the layers of networks.
"""

from __future__ import annotations

import io
import json
import pickle
import random
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from attacks import Attack, Call
from objects import BASE, layers, plays

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import fuzz
from tiny import TINY

from rc_env import Ruleset
from rc_env.agents import net, plan
from rc_env.rules.printed import data_file, expansion_file
from rc_env.training import settings

EACH = 120
"""The number of damaged files of each kind."""
RUN_CODE: list[str] = []
"""A list to which the pickles below append, if one of them is ever loaded."""


class Runs:
    """An object whose pickle runs code when it is read."""

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return RUN_CODE.append, ("a pickle was run",)


def no_code_ran(result: Any = None) -> None:
    """Check that no file ran code."""
    found = list(RUN_CODE)
    RUN_CODE.clear()
    assert not found, "a file ran code"


def bytes_wrong(whole: bytes, rng: random.Random) -> bytes:
    """Change some bytes of a file, or cut off its end."""
    changed = bytearray(whole)
    for _ in range(rng.choice((1, 1, 3, 30))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed[: rng.choice((len(changed), len(changed), rng.randrange(len(changed))))])


def _read_net(path: Path) -> Any:
    trained = net.load(path)
    plays(net.NetBot(path))
    return trained


def _read_plan(path: Path) -> Any:
    plays(plan.PlanBot(str(path)))


def _read_expansion(path: Path) -> Any:
    expansion_file.load(path)
    return Ruleset(expansion_data=path, contractors=True, fourth_guild="random").rules


def _read_checkpoint(path: Path) -> Any:
    from rc_env.training import checkpoint

    return checkpoint.load(path.parent)


def _read_run(path: Path) -> Any:
    from rc_env.training.run import train

    return train(settings.read_settings(path.parent / "config.json"), path.parent, resume=True)


def _call(name: str, make: Callable[[], bytes], read: Callable[[Path], Any], beside: Callable[[Path], object]) -> Call:
    path = Path("damaged") / name
    path.parent.mkdir(exist_ok=True)
    beside(path.parent)
    path.write_bytes(make())
    return Call(lambda: read(path), {}, check=no_code_ran, wording=(name,))


def _attack(
    target: str,
    group: str,
    what: str,
    name: str,
    make: Callable[[], bytes],
    read: Callable[[Path], Any],
    beside: Callable[[Path], object] = lambda folder: None,
) -> Attack:
    return Attack(
        target,
        group,
        what,
        lambda: _call(name, make, read, beside),
        lambda call: "the damaged file is still valid: its damaged part has another allowed meaning",
    )


# --- networks


def _archive(about: Any = None, **changed: Any) -> bytes:
    """Return a file of weights with other layers; None leaves a layer out."""
    arrays = {**layers(), **changed}
    words = net.describe(BASE) if about is None else about
    buffer = io.BytesIO()
    kept = {name: array for name, array in arrays.items() if array is not None}
    np.savez(buffer, about=np.array(json.dumps(words)), **kept)
    return buffer.getvalue()


def _objects() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, about=np.array(json.dumps(net.describe(BASE))), evil=np.array([Runs()], dtype=object))
    return buffer.getvalue()


def _header(shape: str) -> bytes:
    """Return an archive with a layer whose header promises another shape."""
    buffer = io.BytesIO(_archive())
    out = io.BytesIO()
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.startswith("trunk.0.weight"):
                end = content.index(b"\n") + 1
                words = content[10:end]
                at = words.index(b"'shape': ") + 9
                other = words[:at] + shape.encode() + b", }"
                content = content[:10] + other.ljust(len(words) - 1) + b"\n" + content[end:]
            new.writestr(name, content)
    return out.getvalue()


_FIRST = "trunk.0.weight"
NETWORKS: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "a pickle": lambda: pickle.dumps(Runs()),
    "an array of objects that run code": _objects,
    "an empty layer": lambda: _archive(**{_FIRST: np.zeros((0, 0), np.float16)}),
    "nine players": lambda: _archive({**net.describe(BASE), "players": 9}),
    "no layout": lambda: _archive({**net.describe(BASE), "layout_hash": None}),
    "a data file elsewhere": lambda: _archive({**net.describe(BASE), "data": "/etc/passwd"}),
    "a header that promises too much": lambda: _header("(999999, 999999)"),
    "a header that promises less than nothing": lambda: _header("(-1, 5)"),
}

# --- runs


@cache
def _run() -> dict[str, bytes]:
    """Return the files of a tiny run."""
    import torch

    from rc_env.training.run import train

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        train(TINY, Path(folder))
        return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}


def put_run(folder: Path) -> None:
    """Write the files of a tiny run."""
    for name, content in _run().items():
        (folder / name).write_bytes(content)


def _state(change: Callable[[dict[str, Any]], Any]) -> bytes:
    """Return the run's checkpoint with a change."""
    import torch

    state = torch.load(io.BytesIO(_run()["checkpoint.pt"]), weights_only=True)
    changed = change(state)
    buffer = io.BytesIO()
    torch.save(state if changed is None else changed, buffer)
    return buffer.getvalue()


def _without(key: str) -> Callable[[], bytes]:
    return lambda: _state(lambda state: state.pop(key, None) and None)


def _with(key: str, value: Any) -> Callable[[], bytes]:
    return lambda: _state(lambda state: state.update({key: value}))


KEYS = (
    *("format", "settings", "game", "network", "pool", "learner", "finished", "stage", "iteration", "decisions"),
    *("best", "lines"),
)
CHECKPOINTS: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "a pickle": lambda: pickle.dumps(Runs()),
    "a list": lambda: _state(lambda state: [1, 2]),
    "nothing but its format": lambda: _state(lambda state: {"format": state["format"]}),
    **{f"without {key}": _without(key) for key in KEYS},
    **{f"{key} is None": _with(key, None) for key in KEYS},
    **{f"{key} is a text": _with(key, "text") for key in KEYS},
    **{f"{key} is minus one": _with(key, -1) for key in ("stage", "iteration", "decisions", "lines")},
    **{f"{key} is huge": _with(key, 10**18) for key in ("stage", "iteration", "decisions", "lines")},
    **{f"best is {best}": _with("best", best) for best in (float("nan"), float("inf"), -2.0, 2.0)},
}

FUZZED: dict[
    str, tuple[str, str, Callable[[], bytes], Callable[[bytes, random.Random], bytes], Callable[[Path], Any]]
] = {
    "expansion file": (
        "rc_env.rules.printed.expansion_file.load",
        "b.toml",
        lambda: Path(data_file.__file__).parents[2].joinpath("data", "contractors.toml").read_bytes(),
        fuzz.damaged,
        _read_expansion,
    ),
    "plan": (
        "rc_env.agents.plan.named",
        "plan.toml",
        lambda: (plan.PLANS / "greedy.toml").read_bytes(),
        fuzz.damaged,
        _read_plan,
    ),
    "settings": (
        "rc_env.training.settings.read_settings",
        "config.json",
        lambda: settings.to_json(TINY).encode(),
        fuzz.damaged,
        settings.read_settings,
    ),
    "network": ("rc_env.agents.net.load", "a.npz", lambda: net.shipped(BASE).read_bytes(), bytes_wrong, _read_net),
    "checkpoint": (
        "rc_env.training.checkpoint.load",
        "checkpoint.pt",
        lambda: _run()["checkpoint.pt"],
        bytes_wrong,
        _read_checkpoint,
    ),
}


def attacks() -> Iterator[Attack]:
    """Return all attacks with files."""
    for kind, (target, name, whole, damage, read) in FUZZED.items():
        yield Attack(
            target,
            "nothing wrong",
            f"a {kind} as it is",
            lambda name=name, whole=whole, read=read: _call(name, whole, read, lambda folder: None),
            lambda call: "nothing is wrong",
            control=True,
        )
        for number in range(EACH if kind != "checkpoint" else EACH // 2):
            yield _attack(
                target,
                f"damaged {kind}",
                f"damaged file {number}",
                name,
                lambda whole=whole, damage=damage, number=number: damage(whole(), random.Random(number)),
                read,
            )
    for what, make in NETWORKS.items():
        yield _attack("rc_env.agents.net.load", "damaged network", what, "a.npz", make, _read_net)
    for what, make in CHECKPOINTS.items():
        yield _attack(
            "rc_env.training.run.train", "damaged checkpoint", what, "checkpoint.pt", make, _read_run, put_run
        )
