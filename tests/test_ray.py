"""Tests of games on a Ray cluster: the same results as in one process, even if a node is lost; and refusals."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.arena import jobs, runners

pytestmark = pytest.mark.slow
SUPPORT = str(Path(__file__).parent / "support")


def need_ray() -> None:
    """Skip the test where Ray is not installed; else import it as commands do, which keeps it from printing."""
    if find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'rc-env[ray]'")
    import_module("rc_env.arena.ray_runner")


class Nodes:
    """A cluster of two nodes on this machine, with a processor each."""

    def __init__(self, folder: Path) -> None:
        from ray.cluster_utils import Cluster

        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        head = {"num_cpus": 1, "ray_client_server_port": self.port, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.second = self.cluster.add_node(num_cpus=1)
        (folder / "doomed").write_text(self.second.node_id)

    def kill_second(self) -> None:
        """End the second node as soon as a job runs there, as if the machine were switched off."""
        for _ in range(1200):
            if (self.folder / "working").exists():
                self.cluster.remove_node(self.second, allow_graceful=False)
                (self.folder / "killed").touch()
                return
            time.sleep(0.1)


@pytest.fixture(scope="module")
def nodes(tmp_path_factory):
    need_ray()
    folder = tmp_path_factory.mktemp("nodes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RC_TEST_DOOMED", str(folder))
        # Without it a process that the client server forks may die at its start.
        patch.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")
        # The path from which the nodes import.
        patch.setenv("PYTHONPATH", os.pathsep.join([SUPPORT, *filter(None, sys.path)]))
        found = Nodes(folder)
        patch.setenv("RAY_ADDRESS", found.cluster.address)
        yield found
        found.cluster.shutdown()


def printed(capfd, *words: str) -> str:
    """Return what a command prints."""
    assert rc.main(list(words)) == 0
    return capfd.readouterr().out


@pytest.mark.long
def test_a_lost_node_changes_no_byte(nodes, tmp_path, capfd) -> None:
    """The job that a killed node had begun is repeated on another node; results and files are those of one process."""
    words = ["arena", "doomed:First", "greedy", "--games", "60", "--turn-limit", "60", "--seed", "3", "--json"]
    alone = printed(capfd, *words, "--workers", "1", "--out", str(tmp_path / "one"))
    killer = threading.Thread(target=nodes.kill_second)
    killer.start()
    assert printed(capfd, *words, "--workers", "ray", "--out", str(tmp_path / "two")) == alone
    killer.join()
    assert (nodes.folder / "killed").exists()
    for file in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("first-player --bots random --games 60 --turn-limit 30 --json", marks=pytest.mark.long),
        pytest.param("stats random --games 80 --turn-limit 30 --json", marks=pytest.mark.long),
        "evaluate greedy --against random --games 1200 --turn-limit 12",
        pytest.param(
            "uncertainty --bot random --sets sample:0-1 --numbers none --games 4 --ladder-games 4 --turn-limit=9",
            marks=pytest.mark.long,
        ),
    ],
)
def test_commands_print_the_same_on_a_cluster(nodes, line: str, capfd) -> None:
    words = line.split()
    assert printed(capfd, *words, "--workers", "ray") == printed(capfd, *words, "--workers", "1")


@pytest.mark.long
def test_commands_write_the_same_through_ray_client(nodes, tmp_path, capfd) -> None:
    """Commands connect through `ray://HOST:PORT` from a process outside of the cluster."""
    for place, workers in (("one", "1"), ("two", f"ray://127.0.0.1:{nodes.port}")):
        out = tmp_path / place
        record = ["record", "--bots", "random", "--games", "70", "--turn-limit", "12", "--seed", "3", "--legal"]
        tune = ["tune", "--rounds", "1", "--generations", "2", "--population", "4", "--games", "4", "--seed", "3"]
        tune += ["--turn-limit", "12"]
        assert rc.main([*record, "--workers", workers, "--out", str(out)]) == 0
        assert rc.main([*tune, "--workers", workers, "--out", str(out / "plan.toml")]) == 0
    one, two = ({file.name: file.read_bytes() for file in (tmp_path / n).iterdir()} for n in ("one", "two"))
    assert len(one) == 71
    assert one == two


@pytest.mark.long
def test_failures_are_those_of_processes(nodes) -> None:
    """The failures are a bot that raises, and one that ends its process each time."""
    variant = jobs.variant_of(Ruleset(turn_limit=12))
    texts = ["misbehaving:Raises", "misbehaving:Dies", "greedy"]
    work = [jobs.Job((text, "b"), (text, "random"), variant, 1, 3) for text in texts]
    found = []
    for workers in (1, "ray"):
        with jobs.Workers(workers) as pool:
            found.append([(outcome.failure, outcome.match is None) for _, outcome in pool.play(work)])
    assert found[0] == found[1]
    assert found[0][1][0] == jobs.Failure(None, "the process that played misbehaving:Dies against b died")


def test_an_error_is_the_one_that_was_raised(nodes) -> None:
    with jobs.Workers("ray") as pool, pytest.raises(ValueError, match=r"^unknown bot 'nobody': choose"):
        list(pool.apply(agents.from_text, ["nobody"]))


def test_other_files_on_a_node_are_refused(nodes, monkeypatch) -> None:
    from rc_env.arena import ray_runner

    monkeypatch.setattr(ray_runner, "package_digest", lambda: "of other files")
    with jobs.Workers("ray") as pool, pytest.raises(ValueError, match="has other files of rc_env"):
        list(pool.apply(agents.from_text, ["greedy"]))


def test_an_address_without_a_cluster_is_refused(monkeypatch, capsys) -> None:
    """Each is refused in one sentence: an address without a server, and one with another server."""
    need_ray()
    monkeypatch.setattr("rc_env.arena.ray_runner.PATIENCE", 2)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setenv("RAY_ADDRESS", f"127.0.0.1:{port}")
        for address, named in (("ray", f"RAY_ADDRESS 127.0.0.1:{port}"), (f"ray://127.0.0.1:{port}", "")):
            assert rc.main(["arena", "random", "greedy", "--workers", address]) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert line.startswith(f"rc arena: --workers is {named or address}, where no Ray cluster answers (what")
    assert rc.main(["arena", "random", "greedy", "--workers", f"ray://127.0.0.1:{port}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "Connection refused" in line


@pytest.mark.parametrize("failures", [2, 3])
def test_a_client_server_that_fails_at_first_is_asked_again(monkeypatch, failures: int) -> None:
    """Ray's client server sometimes cannot start the process that serves a client; three attempts are made."""
    need_ray()
    from rc_env.arena import ray_runner

    left = [f"Initialization failure from server:\nTraceback\nRuntimeError: failure {n}" for n in range(failures)]

    def init(*_: object, **__: object) -> None:
        if left:
            raise ConnectionAbortedError(left.pop())

    monkeypatch.setattr(ray_runner, "_check_port", lambda *_: None)
    monkeypatch.setattr(ray_runner.ray, "init", init)
    monkeypatch.setattr(ray_runner.ray, "cluster_resources", lambda: {"CPU": 2})
    if failures < ray_runner.CONNECTIONS:
        assert ray_runner.RayRunner("ray://host:1").size == 2
    else:
        with pytest.raises(ValueError, match=r"no Ray cluster answers \(RuntimeError: failure 0\): see"):
            ray_runner.RayRunner("ray://host:1")


def test_without_ray_it_says_what_to_install(monkeypatch, capsys) -> None:
    monkeypatch.delitem(sys.modules, "rc_env.arena.ray_runner", raising=False)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert rc.main(["arena", "random", "greedy", "--workers", "ray"]) == 2
    assert capsys.readouterr().err == (
        "rc arena: workers is ray, but the module ray is not installed: pip install 'rc-env[ray]'\n"
    )


@pytest.mark.parametrize(
    "wrong",
    ["", "Ray", "ray:", "ray://", "ray://host", "ray://host:x", "ray://host:99999", "ray://:1", "ray://a@b:1"]
    + ["ray://h:1/x", "ray://h:1 ", "auto", "1.5", True, -1, 1001, 2.5, None],
)
def test_other_words_are_refused(wrong) -> None:
    with pytest.raises(ValueError, match=r"^workers must be 0 to 1000, ray, or ray://HOST:PORT, not "):
        runners.checked_workers("workers", wrong)
