"""Pieces of work as tasks of a Ray cluster, behind the same interface as processes: see `runners.Runner`."""

from __future__ import annotations

import logging
import os
import socket
import warnings
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

import rc_env
from rc_env.arena.runners import CLIENT, RAY, ProcessDied

RETRIES = 3
"""How often Ray itself does a piece again whose process or node was lost. A lost node's pieces are then handed to it
anew, without end; a piece that ends its process each time is given up."""
PATIENCE = 10  # seconds until a port answers
CONNECTIONS = 3
"""How often a connection to a client server is begun: the process that it forks for each client sometimes dies at its
start ("Initialization failure from server"), and the next one does not."""
Work = TypeVar("Work")
Found = TypeVar("Found")

# Ray prints its warnings on stdout, where results are; and it reports what it was used for, unless it is asked not to.
for _name, _value in (("RAY_DEDUP_LOGS_SKIP_REGEX", ".*"), ("RAY_USAGE_STATS_ENABLED", "0")):
    os.environ.setdefault(_name, _value)
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else it warns of what will be its default

import grpc  # noqa: E402
import ray  # noqa: E402 - it reads these variables as it is imported
from ray import exceptions  # noqa: E402


class RayRunner:
    """The processors of a Ray cluster; a piece of work takes one.

    Args:
        address: "ray" or "ray://HOST:PORT", as in `jobs.Workers`.

    Raises:
        ValueError: no cluster answers there, or it has no processor.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        _check_port(address, address if address != RAY else os.environ.get("RAY_ADDRESS", ""))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # an exception follows
                _connect(None if address == RAY else address)
            self.size = int(ray.cluster_resources().get("CPU", 0))
        except Exception as error:  # Ray raises whatever its layers raise
            ray.shutdown()
            raise _unreachable(address, error) from error
        if not self.size:
            self.close()
            raise ValueError(f"--workers is {address}, a cluster without a processor")
        # The retries are Ray's own: a task is pure, since a piece of work says all that its result depends on.
        self._remote = ray.remote(num_cpus=1, max_retries=RETRIES)(_work)

    def submit(self, function: Callable[[Work], Found], work: Work) -> _Task[Found]:
        """See `runners.Runner.submit`."""
        return _Task(self._address, lambda: self._remote.remote(package_digest(), function, work))

    def close(self) -> None:
        """Leave the cluster, which stops its remaining work for this process."""
        ray.shutdown()


class _Task(Generic[Found]):
    """A piece of work on the cluster, which is submitted again whenever its node is lost."""

    def __init__(self, address: str, submit: Callable[[], Any]) -> None:
        self._address, self._submit = address, submit
        self._reference = self._ask(submit)

    def result(self) -> Found:
        """See `runners.Waiting.result`."""
        while True:
            try:
                found: Found = self._ask(lambda: ray.get(self._reference))
                return found
            except (exceptions.NodeDiedError, exceptions.ObjectLostError):
                self._reference = self._ask(self._submit)
            except (exceptions.WorkerCrashedError, exceptions.OutOfMemoryError) as error:
                raise ProcessDied from error
            except exceptions.RayTaskError as error:
                raise error.cause from None

    def _ask(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except (ConnectionError, exceptions.RaySystemError, exceptions.LocalRayletDiedError) as error:
            raise ValueError(
                f"--workers is {self._address}, whose cluster no longer answers: restart it, and repeat the command"
            ) from error


def _connect(address: str | None) -> None:
    """Connect to a cluster, anew where its client server could not start a process for this client."""
    for left in reversed(range(CONNECTIONS)):
        try:
            ray.init(address, logging_level=logging.CRITICAL, log_to_driver=False)
            return
        except ConnectionAbortedError:
            ray.shutdown()
            if not left:
                raise


@lru_cache
def package_digest() -> str:
    """A digest of this package's files that results depend on: code, weights and data."""
    digest = sha256()
    home = Path(rc_env.__file__).parent
    names = sorted(
        (Path(folder) / name).relative_to(home).as_posix()
        for folder, _, files in os.walk(home, followlinks=True)
        for name in files
        if name.endswith((".py", ".toml", ".npz"))
    )
    for name in names:
        digest.update(f"{name}\0".encode())
        digest.update((home / name).read_bytes())
    return digest.hexdigest()


def _work(digest: str, function: Callable[[Work], Found], work: Work) -> Found:
    """Do a piece of work on a node."""
    if package_digest() != digest:
        raise ValueError(
            f"--workers: node {socket.gethostname()} has other files of rc_env {rc_env.__version__} than this "
            "machine: install one version on every node"
        )
    return function(work)


def _check_port(address: str, where: str) -> None:
    """Refuse an address where nothing listens, or what listens does not speak gRPC: Ray would wait for minutes.

    Raises:
        ValueError: nothing does.
    """
    parts = urlsplit(where if "://" in where else f"{CLIENT}{where}")
    try:
        if parts.hostname and parts.port:
            socket.create_connection((parts.hostname, parts.port), PATIENCE).close()
            if os.environ.get("RAY_USE_TLS", "0") == "0":
                with grpc.insecure_channel(parts.netloc) as channel:
                    grpc.channel_ready_future(channel).result(PATIENCE)
    except grpc.FutureTimeoutError as error:
        raise _unreachable(address, ValueError("what listens there speaks no gRPC")) from error
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error


def _unreachable(address: str, error: Exception) -> ValueError:
    # The last line: an error of the client server is a traceback, whose other lines are Ray's own code.
    lines = str(error).strip().splitlines() or [type(error).__name__]
    named = f"RAY_ADDRESS {os.environ['RAY_ADDRESS']}" if address == RAY and "RAY_ADDRESS" in os.environ else address
    return ValueError(f"--workers is {named}, where no Ray cluster answers ({lines[-1][:200]}): see `ray status`")
