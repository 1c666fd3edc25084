"""Data-parallel training: several processes started by `torchrun` train one network.

Each process plays games of its own and computes gradients of them; all take the mean gradient, so that their weights
stay equal. The process of rank 0 evaluates and writes. Without `torchrun` there is one process, and nothing is sent.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import timedelta
from importlib import import_module
from typing import Any, TypeVar

import torch
from torch import distributed

Sent = TypeVar("Sent")
PATIENCE = timedelta(days=7)
"""How long a process waits for another, such as for one that evaluates; one that has died is noticed at once."""


def join() -> None:
    """Join the process group if `torchrun` started this process; a second call does nothing.

    The backend is gloo, which works on every processor, and with gradients on a GPU as well.
    """
    if "TORCHELASTIC_RUN_ID" in os.environ and not distributed.is_initialized():
        # If this module were imported later, as optimisers do, its default arguments would keep the group and its
        # threads alive after `leave`; such a thread aborts the process if it meets the end of the interpreter.
        import_module("torch.distributed.nn")
        if torch.cuda.is_available():  # each process of a machine has a GPU of its own, as long as there are enough
            torch.cuda.set_device(int(os.environ["LOCAL_RANK"]) % torch.cuda.device_count())
        distributed.init_process_group("gloo", timeout=PATIENCE)


def leave() -> None:
    """Leave the process group, if there is one."""
    if distributed.is_initialized():
        distributed.destroy_process_group()


def rank() -> int:
    """The number of this process, from 0."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def size() -> int:
    """The number of processes."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


def local_size() -> int:
    """The number of processes on this machine."""
    return int(os.environ["LOCAL_WORLD_SIZE"]) if distributed.is_initialized() else 1


def average(weights: Sequence[torch.nn.Parameter]) -> None:
    """Average the gradients over all processes."""
    if size() == 1:
        return
    gradients = [torch.zeros_like(one) if one.grad is None else one.grad for one in weights]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    distributed.all_reduce(flat)
    flat /= size()
    for one, mean in zip(weights, flat.split([gradient.numel() for gradient in gradients]), strict=True):
        one.grad = mean.view_as(one).clone()


def least(number: int) -> int:
    """The minimum of a number over all processes: how many steps all of them can take."""
    if size() == 1:
        return number
    found = torch.tensor(number)
    distributed.all_reduce(found, distributed.ReduceOp.MIN)
    return int(found)


def of_first(value: Sent) -> Sent:
    """Broadcast a value from the process of rank 0."""
    if size() == 1:
        return value
    sent = [value]
    distributed.broadcast_object_list(sent)
    return sent[0]


def everywhere(value: Sent) -> list[Sent]:
    """Gather a value from all processes, by rank, in each of them."""
    if size() == 1:
        return [value]
    found: list[Any] = [None] * size()
    distributed.all_gather_object(found, value)
    return found


def gathered(value: Any) -> list[Any]:
    """Gather a value from all processes, by rank, in the process of rank 0; the others get an empty list."""
    if size() == 1:
        return [value]
    found: list[Any] = [None] * size()
    distributed.gather_object(value, found if rank() == 0 else None)
    return found if rank() == 0 else []
