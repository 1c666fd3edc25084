"""Fixtures of the tests of training; PyTorch is imported only where one is used."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def one_thread():
    """Tests run side by side: threads would only wait for each other."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session")
def run(tmp_path_factory, one_thread):
    """A tiny run and what it told."""
    from tiny import TINY

    from rc_env.training.learning.run import train

    rows = []
    return train(TINY, tmp_path_factory.mktemp("run"), rows.append), rows
