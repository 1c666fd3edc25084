"""Tests that `rc serve` goes on for the others, whatever one client asks for, and that a resigned game is over."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient

from rc_env import Ruleset
from rc_env.apps.cli import rc
from rc_env.apps.web import app as web
from rc_env.apps.web import budgets, live, store, studies
from rc_env.arena import journal
from rc_env.record import read

pytestmark = pytest.mark.slow

HOME, LIVE = "http://127.0.0.1:8000", "ws://127.0.0.1:8000"
SHORT = {"players": 2, "turn_limit": 8}
HIDDEN = {"fourth_guild": "archivists"}
GOLDEN = Path(__file__).parent / "golden" / "2-basic-greedy.rcr"


@pytest.fixture
def server(tmp_path: Path) -> web.Server:
    return web.Server(tmp_path, grace=5)


@pytest.fixture
def client(server: web.Server) -> Iterator[TestClient]:
    with TestClient(server.app, base_url=HOME) as made:
        yield made


def begin(client: TestClient, *seats: str, **variant: Any) -> str:
    asked = {"variant": {**SHORT, **variant}, "seats": seats or ["you", "random"], "seed": 7}
    answer = client.post("/api/games", json=asked)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def until(socket: Any, kind: str, **wanted: Any) -> dict[str, Any]:
    """The next message of a kind with these values."""
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message["type"] == kind and wanted.items() <= message.items():
            return message


def played(client: TestClient, game: str, count: int = 2) -> None:
    """Play some of the person's decisions, in a tab that is then closed."""
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        message = until(socket, "position", mine=True)
        for _ in range(count):
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
            message = until(socket, "position", mine=True)


def gone(server: web.Server, game: str) -> None:
    """Wait until the server has closed a game."""
    for _ in range(600):
        if game not in server.tables._open:
            return
        time.sleep(0.05)
    pytest.fail("the game is still open")


def test_reading_or_drawing_a_kept_game_opens_none(server: web.Server, client: TestClient) -> None:
    game = begin(client)
    played(client, game)
    gone(server, game)
    kept = client.get(f"/api/games/{game}/record")
    assert kept.status_code == 200 and '"unfinished"' in kept.text
    assert client.get(f"/api/games/{game}/board.svg").status_code == 200
    assert client.post("/api/studies", json={"game": game}).status_code == 201
    assert server.tables.open == 0


def test_a_link_that_leads_nowhere_is_not_listed(server: web.Server, client: TestClient) -> None:
    (server.tables.folder / f"{'0' * 16}.rcr").symlink_to("nowhere")
    assert client.get("/api/games").json()["games"] == []


def test_a_kept_game_with_hidden_contracts_is_not_shown(server: web.Server, client: TestClient) -> None:
    game = begin(client, **HIDDEN)
    played(client, game)
    for _ in range(2):  # open, and kept
        assert "hidden contracts" in client.get(f"/api/games/{game}/record").json()["sentence"]
        assert "hidden contracts" in client.post("/api/studies", json={"game": game}).json()["sentence"]
        gone(server, game)
    assert server.tables.open == 0


def test_a_new_game_closes_the_one_that_was_not_shown_for_the_longest(
    client: TestClient, server: web.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MOST_OPEN", 3)
    monkeypatch.setattr(server._rooms, "_grace", 60)
    shown = begin(client)
    with client.websocket_connect(f"{LIVE}/api/games/{shown}/live") as socket:
        until(socket, "position")
        games = [begin(client) for _ in range(4)]
        assert list(server.tables._open) == [shown, *games[-2:]]
        with client.websocket_connect(f"{LIVE}/api/games/{games[-1]}/live") as other:
            until(other, "position")
            with client.websocket_connect(f"{LIVE}/api/games/{games[-2]}/live") as third:
                until(third, "position")
                answer = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "random"]})
                assert answer.status_code == 400 and "3 games are open" in answer.json()["sentence"]


def test_the_games_of_a_client_do_not_close_those_of_another(server: web.Server) -> None:
    tables = store.Tables(server.tables.folder, server.make, most_of_client=3)
    ruleset = Ruleset(2, turn_limit=8)
    (first,) = [tables.create(ruleset, ["you", "random"], 1, client="one")]
    others = [tables.create(ruleset, ["you", "random"], 1, client="many") for _ in range(6)]
    assert list(tables._open) == [first, *others[-3:]]
    for game in others[-3:]:
        tables.show(game, True)
    with pytest.raises(budgets.Refused, match="3 games are open"):
        tables.create(ruleset, ["you", "random"], 1, client="many")
    assert tables.create(ruleset, ["you", "random"], 1, client="one") in tables._open


def test_a_bot_that_would_hold_up_the_server_is_refused(server: web.Server, client: TestClient, tmp_path: Path) -> None:
    study = client.post("/api/studies", content=GOLDEN.read_bytes()).json()["id"]
    for word in (
        "search:simulations=1000000",
        "search:5001",
        "search:milliseconds=1000000",
        "search:milliseconds=20000,net=shipped",
    ):
        asked = {"variant": SHORT, "seats": ["you", word]}
        for answer in (
            client.post("/api/games", json=asked),
            client.get(f"/api/studies/{study}/policies", params={"bot": word}),
            client.post(f"/api/studies/{study}/play", json={"at": 3, "seats": ["you", word]}),
        ):
            assert (
                answer.status_code in (400, 404) and "expected at most 5,000 simulations" in answer.json()["sentence"]
            )
    assert server.make("search:simulations=5000") and server.make("search:milliseconds=10000")
    assert web.Server(tmp_path, bots=["search:5001"]).make("search:5001"), "what the command line offers is free"


def test_a_request_that_takes_too_long_is_answered(
    server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = threading.Event()
    monkeypatch.setattr(budgets, "REQUEST_SECONDS", 0.5)
    monkeypatch.setattr(server.tables, "listed", lambda: free.wait(60) or [])
    try:
        answer = client.get("/api/games")
        assert answer.status_code == 503 and answer.json()["sentence"].startswith("This takes longer than 0.5 seconds")
        assert client.get("/api/bots").status_code == 200
    finally:
        free.set()


def test_the_requests_of_a_client_wait_for_one_another_and_not_for_those_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budgets, "REQUEST_SECONDS", 60)
    clients, free, begun = budgets.Clients(alone=False), threading.Event(), []

    def slow() -> None:
        begun.append(1)
        free.wait(60)

    async def together() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(3 * budgets.AT_ONCE):
                group.start_soon(clients.run, "many", slow)
            while len(begun) < budgets.AT_ONCE:
                await anyio.sleep(0.01)
            assert await clients.run("one", lambda: 5) == 5
            await anyio.sleep(0.1)
            assert len(begun) == budgets.AT_ONCE
            free.set()
        await anyio.sleep(0.1)

    anyio.run(together)
    assert len(begun) == 3 * budgets.AT_ONCE and not clients._working


def test_a_thread_counts_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A request that was given up is still at work."""
    monkeypatch.setattr(budgets, "REQUEST_SECONDS", 0.3)
    clients, free = budgets.Clients(alone=False), threading.Event()

    async def many() -> int:
        late = 0
        for _ in range(budgets.AT_ONCE + 1):
            try:
                await clients.run("many", lambda: free.wait(60))
            except TimeoutError:
                late += 1
        assert clients._working["many"].borrowed_tokens == budgets.AT_ONCE
        free.set()
        await anyio.sleep(0.3)
        assert await clients.run("many", lambda: 5) == 5
        return late

    assert anyio.run(many) == budgets.AT_ONCE + 1


def test_a_client_has_so_many_tabs(server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._clients, "_most_tabs", 1)
    game = begin(client)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position")
        with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as other:
            assert "1 tabs show games" in other.receive_json()["sentence"]
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        assert until(socket, "position")


def test_a_record_of_too_many_decisions_is_not_studied(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST_DECISIONS", 3)
    answer = client.post("/api/studies", content=GOLDEN.read_bytes())
    assert answer.status_code == 400 and "expected at most 3 in a study" in answer.json()["sentence"]


def test_a_player_is_told_that_the_game_cannot_be_kept(
    server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    game = begin(client)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        message = until(socket, "position", mine=True)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
            said = until(socket, "refused")["sentence"]
            assert said.startswith("The game could not be kept: ") and "No space left on device" in said
            answer = client.post("/api/studies", content=GOLDEN.read_bytes())
            assert answer.status_code == 507 and "No space left on device" in answer.json()["sentence"]
        socket.send_json({"do": "undo"})
        message = until(socket, "position", mine=True, at=message["at"])
        socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
        until(socket, "position")
    gone(server, game)
    assert read(server.tables.folder / f"{game}.rcr", unfinished=True).decisions


def test_resigning_is_final(server: web.Server, client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    """The record of a full game is complete once the person has resigned, so nobody can play on."""
    game = begin(client, **HIDDEN)
    played(client, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position", mine=True)
        assert client.get(f"/api/games/{game}/record").status_code == 404
        socket.send_json({"do": "resign"})
        message = until(socket, "position", over=True)
        assert message["undo"] == message["redo"] == 0 and not message["actions"] and not message["mine"]
        assert '"contracts"' in client.get(f"/api/games/{game}/record").text
        asked = [{"do": "undo"}, {"do": "redo"}, {"do": "new_dice"}, {"do": "resign"}]
        for one in [*asked, {"do": "play", "action": 0, "at": message["at"]}]:
            socket.send_json(one)
            assert until(socket, "refused")["sentence"]
    gone(server, game)
    assert '"contracts"' in client.get(f"/api/games/{game}/record").text
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        assert until(socket, "gone")["sentence"] == "You have resigned this game: it can be studied."
    (listed,) = client.get("/api/games").json()["games"]
    assert not listed["unfinished"] and listed["words"].endswith("and resigned")
    path = server.tables.folder / f"{game}.rcr"
    assert read(path, unfinished=True).unfinished == {"seat": 0, "bots": ["random"], "resigned": True}
    assert rc.main(["play", "--resume", str(path)]) == 2
    assert "a game that was resigned" in capsys.readouterr().err
    assert client.post("/api/studies", json={"game": game}).status_code == 201


def test_a_resigned_game_that_cannot_be_kept_is_not_shown(
    server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file would still be that of a game that goes on."""

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    game = begin(client, **HIDDEN)
    played(client, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position", mine=True)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            socket.send_json({"do": "resign"})
            until(socket, "refused")
            answer = client.get(f"/api/games/{game}/record")
            assert answer.status_code == 404 and "could not be kept" in answer.json()["sentence"]
        assert '"contracts"' in client.get(f"/api/games/{game}/record").text
    gone(server, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        assert until(socket, "gone")["sentence"] == "You have resigned this game: it can be studied."


def test_a_game_whose_bot_has_failed_is_not_shown(server: web.Server, client: TestClient) -> None:
    """It is kept, and goes on when it is opened again."""
    game = begin(client, **HIDDEN)
    played(client, game)
    table = server.tables.find(game)
    table.broken = "The game ends here."
    assert table.over and "hidden contracts" in client.get(f"/api/games/{game}/record").json()["sentence"]


def test_a_game_that_is_resigned_after_all_was_undone_is_gone(server: web.Server, client: TestClient) -> None:
    game = begin(client, **HIDDEN)
    played(client, game)
    gone(server, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        for undone in (True, True, False):
            message = until(socket, "position", mine=True)
            assert (message["undo"] > 0) == undone
            socket.send_json({"do": "undo" if undone else "resign"})
        until(socket, "position", over=True)
        assert '"contracts"' in client.get(f"/api/games/{game}/record").text
    gone(server, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        assert "no such game" in until(socket, "gone")["sentence"]


def test_a_record_is_written_between_two_decisions(server: web.Server, client: TestClient) -> None:
    """Bots play in other threads than the one that answers, and an engine is used by one thread at a time."""
    game = begin(client, "random", "random")
    answers: list[int] = []

    def ask() -> None:
        for path in ("record", "board.svg"):
            answers.append(client.get(f"/api/games/{game}/{path}").status_code)

    asking = threading.Thread(target=ask)
    with server.tables.find(game).busy:
        asking.start()
        asking.join(0.5)
        assert not answers
    asking.join(30)
    assert answers == [200, 200]


def test_a_request_that_is_cut_off_is_no_mistake_of_the_server(server: web.Server) -> None:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": "/api/studies", "raw_path": b"/api/studies", "query_string": b"",
        "root_path": "", "scheme": "http", "http_version": "1.1", "client": ("127.0.0.1", 9), "server": None,
        "headers": [(b"host", b"localhost"), (b"content-length", b"9")],
    }  # fmt: skip
    anyio.run(server.app, scope, receive, send)
    assert sent[0]["status"] == 400


def test_a_folder_is_for_one_server_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with journal.alone(tmp_path):
        assert rc.main(["serve", "--port", "0", "--folder", str(tmp_path)]) == 2
    assert f"--folder: {tmp_path} found, in which another command is at work" in capsys.readouterr().err


class Tab:
    """A tab's WebSocket; one that does not read takes a message, and lets each further one wait forever."""

    client = None

    def __init__(self, reads: bool, asked: list[dict[str, Any]]) -> None:
        self.reads, self.asked = reads, asked
        self.got: list[dict[str, Any]] = []

    async def accept(self) -> None:
        pass

    async def send_json(self, message: dict[str, Any]) -> None:
        if self.got and not self.reads:
            await anyio.sleep_forever()
        self.got.append(message)

    async def receive_json(self) -> dict[str, Any]:
        if not self.asked:
            await anyio.sleep_forever()
        return self.asked.pop(0)

    async def close(self) -> None:
        if not self.reads:
            await anyio.sleep_forever()


def test_a_tab_that_does_not_read_is_closed(server: web.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others of its game would wait for it; and what it asked for itself is kept."""
    monkeypatch.setattr(live, "PATIENCE", 0.2)
    name = server.tables.create(Ruleset(turn_limit=8), ["you", "random"], 7)
    action = server.tables.find(name).actions()[0]["number"]
    slow = Tab(False, [{"do": "play", "action": action, "at": 0}])
    quick = Tab(True, [])

    async def both() -> None:
        with anyio.fail_after(60):
            await server._rooms.serve(slow, name, "wide")  # type: ignore[arg-type]
            async with anyio.create_task_group() as group:
                group.start_soon(server._rooms.serve, quick, name, "wide")
                while not quick.got:
                    await anyio.sleep(0.05)
                group.cancel_scope.cancel()

    anyio.run(both)
    assert len(slow.got) == 1 and quick.got[0]["at"] >= 1
    assert read(server.tables.folder / f"{name}.rcr", unfinished=True).decisions
