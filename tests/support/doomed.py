"""A bot that never finishes on one node of a Ray cluster, so that a test can end that node while a job runs."""

from __future__ import annotations

import os
import time
from pathlib import Path

FOLDER = "RC_TEST_DOOMED"
"""An environment variable with a folder: its file `doomed` names the node, and the bot on it writes `working`."""


class First:
    """A bot that plays the first legal action; on the doomed node it waits for the node's end instead."""

    name = "first"

    def reset(self, seed: int) -> None:
        import ray

        if FOLDER not in os.environ or not ray.is_initialized():
            return
        folder, here = Path(os.environ[FOLDER]), ray.get_runtime_context().get_node_id()
        if here == (folder / "doomed").read_text():
            (folder / "working").touch()
            time.sleep(600)

    def act(self, position):
        return position.mask.argmax(1)
