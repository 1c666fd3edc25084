"""Checkpoint, exported network and log of a run; a crash or a full disk keeps the last good files (`rc_env.files`)."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import torch

from rc_env import archives, checks, files
from rc_env.agents import net
from rc_env.ruleset import Ruleset
from rc_env.training.network import Network

FILE = "checkpoint.pt"
LOG = "progress.jsonl"
FORMAT = 5
MOST_BYTES = 2**36
"""The most bytes of a checkpoint."""
_PARTS: dict[str, Any] = {
    "settings": str, "game": dict, "cards": list, "network": dict, "mean": dict, "pool": dict, "learner": dict | None,
    "others": list, "finished": bool, "stage": int, "iteration": int, "decisions": int, "best": float, "lines": int,
}  # fmt: skip
"""The keys of a checkpoint, as `run.Run.save` writes it."""


def save(folder: Path, state: dict[str, Any]) -> None:
    """Write `checkpoint.pt`: tensors, numbers and words only, so that loading it runs no code."""
    buffer = io.BytesIO()
    torch.save({"format": FORMAT, **state}, buffer)
    files.write(folder / FILE, buffer.getvalue())


def load(folder: Path) -> dict[str, Any]:
    """Read the state that `save` wrote.

    Raises:
        ValueError: there is no checkpoint, it is damaged, has another format, or lacks a part.
    """
    path = Path(checks.path("resume", folder, "the folder of a run")) / FILE
    if not path.is_file():
        raise ValueError(
            f"resume: there is no file {checks.shown(str(path))}: name the folder of a run that `rc train` began"
        )
    try:
        with zipfile.ZipFile(path) as archive:
            if any(one.compress_type != zipfile.ZIP_STORED for one in archive.infolist()):
                raise zipfile.BadZipFile("PyTorch compresses nothing: what is unpacked is no larger than the file")
            archives.check_sizes([one.file_size for one in archive.infolist()], MOST_BYTES)
            damaged = archive.testzip()  # checks the archive's CRCs, which torch ignores
        if damaged is not None:
            raise zipfile.BadZipFile(damaged)
        state = torch.load(path, map_location="cpu", weights_only=True)
        found = state["format"]
    except Exception as error:  # torch reports a bad file in many ways
        if checks.by_signal(error):
            raise
        raise ValueError(f"resume: {path} is not a file that `rc train` wrote") from None
    if type(found) is not int or found != FORMAT:
        raise ValueError(
            f"resume: {path} has format {checks.shown(found)}, but this version of rc_env goes on with {FORMAT}: "
            "train anew"
        )
    for name, kind in _PARTS.items():
        if not isinstance(state.get(name), kind):
            there = f"{name} of another type" if name in state else f"no {name}"
            raise ValueError(f"resume: {path} has {there}, so it is not a file that `rc train` wrote")
    return state


def export(network: Network, ruleset: Ruleset, path: Path, **about: Any) -> None:
    """Write the network in the format of `rc_env.agents.net`, with further entries about it."""
    buffer, digests = io.BytesIO(), net.own_digests(ruleset)
    own = {"data_sha256": digests} if digests else {}
    net.save(network.layers(), {**net.describe(ruleset), **own, **about}, buffer)
    files.write(path, buffer.getvalue())


class Log:
    """`progress.jsonl`: a line of numbers by name after each iteration, also sent to TensorBoard.

    Args:
        folder: the folder of both.
        lines: how many lines to keep of a resumed run; later lines are removed and written again.
        step: decisions so far; TensorBoard drops its entries of later ones.
    """

    def __init__(self, folder: Path, lines: int = 0, step: int = 0) -> None:
        from torch.utils.tensorboard import SummaryWriter  # seconds to import

        self._path = folder / LOG
        kept = read_log(folder)[:lines] if lines else []
        files.write(self._path, "".join(json.dumps(row) + "\n" for row in kept))
        self._board = SummaryWriter(str(folder), purge_step=step + 1)
        self.lines = len(kept)

    def add(self, row: dict[str, Any]) -> None:
        """Append a line; `row["decisions"]` is its place on the axis.

        Raises:
            OSError: the disk is full, or the like.
        """
        files.append(self._path, json.dumps(row))
        try:
            for name, value in row.items():
                if isinstance(value, int | float) and name != "decisions":
                    self._board.add_scalar(name, value, row["decisions"])
        except OSError as error:
            raise OSError(f"{self._path} cannot be written: {error.strerror or error}; checkpoints are kept") from None
        self.lines += 1

    def close(self) -> None:
        """Flush and close the files of TensorBoard."""
        self._board.close()


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The lines of `progress.jsonl`; a damaged one, such as a last one that was cut off, is left out.

    Example:
        >>> from pathlib import Path
        >>> from rc_env.training.checkpoint import read_log
        >>> read_log(Path("a folder without a run"))
        []
    """
    rows = []
    path = folder / LOG
    for line in files.read(path).decode("utf-8", "replace").splitlines() if path.is_file() else []:
        with contextlib.suppress(ValueError, RecursionError):
            rows.append(json.loads(line))
    return [row for row in rows if isinstance(row, dict)]
