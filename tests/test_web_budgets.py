"""Tests that `rc serve` goes on for the others, whatever one client asks for, and that a resigned game is over."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient
from web_games import ask

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.apps.web import app as web
from rc_env.apps.web import budgets, live, studies, tables, workers
from rc_env.arena import locks
from rc_env.record import parse, read

pytestmark = pytest.mark.slow

HOME, LIVE = "http://127.0.0.1:8000", "ws://127.0.0.1:8000"
SHORT = {"players": 2, "turn_limit": 8}
HIDDEN = {"fourth_guild": "archivists"}
GOLDEN = Path(__file__).parent / "golden" / "2-basic-greedy.rcr"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> web.Server:
    return web.Server(tmp_path_factory.mktemp("served"), bots=["web_games:Slow"], grace=0.5)


@pytest.fixture(scope="module")
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
        if game not in server.tables.owners:
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
    assert not server.tables.owners


def test_a_kept_game_with_hidden_contracts_is_not_shown(server: web.Server, client: TestClient) -> None:
    game = begin(client, **HIDDEN)
    played(client, game)
    for _ in range(2):  # open, and kept
        assert "hidden contracts" in client.get(f"/api/games/{game}/record").json()["sentence"]
        assert "hidden contracts" in client.post("/api/studies", json={"game": game}).json()["sentence"]
        gone(server, game)
    assert not server.tables.owners


def test_a_new_game_closes_the_one_that_was_not_shown_for_the_longest(
    client: TestClient, server: web.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MOST_OPEN", 3)
    monkeypatch.setattr(server.tables, "_grace", 60)
    shown = begin(client)
    with client.websocket_connect(f"{LIVE}/api/games/{shown}/live") as socket:
        until(socket, "position")
        games = [begin(client) for _ in range(4)]
        assert list(server.tables.owners) == [shown, *games[-2:]]
        with client.websocket_connect(f"{LIVE}/api/games/{games[-1]}/live") as other:
            until(other, "position")
            with client.websocket_connect(f"{LIVE}/api/games/{games[-2]}/live") as third:
                until(third, "position")
                answer = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "random"]})
                assert answer.status_code == 400 and "3 games are open" in answer.json()["sentence"]
        with client.websocket_connect(f"{LIVE}/api/games/{games[0]}/live") as other:
            assert until(other, "position"), "a game that was closed is opened again by a tab"
    for owner in list(server.tables.owners.values()):
        client.portal.call(owner.close)


def test_the_games_of_a_client_do_not_close_those_of_another(server: web.Server, client: TestClient) -> None:
    """Most games of a client: see `Clients`."""

    async def check() -> None:
        clients = budgets.Clients(alone=False)
        clients.most_games = 3
        own = tables.Tables(server.store, server.tables._workers, server.tables._builds, server.allow, clients)
        ruleset = Ruleset(2, turn_limit=8)
        first = await own.create(ruleset, ["you", "random"], 1, client="one")
        others = [await own.create(ruleset, ["you", "random"], 1, client="many") for _ in range(6)]
        assert list(own.owners) == [first, *others[-3:]]
        for game in others[-3:]:
            own.owners[game].connections.add(live.Connection(None, "wide"))
        with pytest.raises(budgets.Refused, match="3 games are open"):
            await own.create(ruleset, ["you", "random"], 1, client="many")
        assert await own.create(ruleset, ["you", "random"], 1, client="one") in own.owners
        await own.close()

    client.portal.call(check)


def test_a_bot_that_would_hold_up_the_server_is_refused(server: web.Server, client: TestClient) -> None:
    study = client.post("/api/studies", content=GOLDEN.read_bytes()).json()["id"]
    for word in ("search:simulations=1000000", "search:5001", "search:milliseconds=20000,net=shipped"):
        asked = {"variant": SHORT, "seats": ["you", word]}
        for answer in (
            client.post("/api/games", json=asked),
            client.get(f"/api/studies/{study}/policies", params={"bot": word}),
            client.post(f"/api/studies/{study}/play", json={"at": 3, "seats": ["you", word]}),
        ):
            assert (
                answer.status_code in (400, 404)
                and "where a decision may take 5,000 simulations" in answer.json()["sentence"]
            )
    for name in ("search:simulations=5000", "search:milliseconds=10000"):
        budgets.check_bot(name, agents.from_text(name))
    assert not server.allow("greedy") and server.allow("web_games:Slow"), "what the command line offers is free"


def test_a_request_that_takes_too_long_is_answered(
    server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []

    async def forever() -> list[Any]:
        try:
            await anyio.sleep_forever()
        finally:
            ended.append(1)
        return []

    monkeypatch.setattr(budgets, "REQUEST_SECONDS", 0.5)
    monkeypatch.setattr(server.store, "listed", forever)
    answer = client.get("/api/games")
    assert answer.status_code == 503 and answer.json()["sentence"].startswith("This takes longer than 0.5 seconds")
    assert ended and client.get("/api/bots").status_code == 200


def test_the_requests_of_a_client_wait_for_one_another_and_not_for_those_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clients, begun = budgets.Clients(alone=False), []

    async def together() -> None:
        free = anyio.Event()

        async def slow() -> None:
            begun.append(1)
            await free.wait()

        async def five() -> int:
            return 5

        async with anyio.create_task_group() as group:
            for _ in range(3 * budgets.AT_ONCE):
                group.start_soon(clients.run, "many", slow)
            while len(begun) < budgets.AT_ONCE:
                await anyio.sleep(0.01)
            assert await clients.run("one", five) == 5
            assert len(begun) == budgets.AT_ONCE
            free.set()

    anyio.run(together)
    assert len(begun) == 3 * budgets.AT_ONCE and not clients._working


def test_a_tab_that_does_not_read_is_closed_and_holds_up_nobody() -> None:
    class Deaf:
        """A socket whose other side does not read."""

        closed = 0

        async def send_text(self, text: str) -> None:
            await anyio.sleep_forever()

        async def close(self, code: int) -> None:
            self.closed = code

    async def check() -> None:
        deaf = Deaf()
        connection = live.Connection(deaf, "wide")
        async with anyio.create_task_group() as group:
            group.start_soon(connection.send)
            await anyio.sleep(0.01)
            for _ in range(3 * live.UNREAD):
                connection.put({"type": "position"})
            with anyio.fail_after(20):
                while not deaf.closed:
                    await anyio.sleep(0.01)
            assert connection._messages.statistics().current_buffer_used <= live.UNREAD

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(live, "SEND_SECONDS", 0.2)
        anyio.run(check)


def test_reloading_while_a_bot_thinks_disturbs_nothing(server: web.Server, client: TestClient) -> None:
    """Tabs come and go while a bot takes its time: its thought goes on, each decision is played once."""
    game = begin(client, "you", "web_games:Slow")
    seen: list[int] = []
    for _ in range(60):
        with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
            socket.send_json({"do": "pace", "seconds": 0})
            message = until(socket, "position")
            seen.append(message["at"])
            if message["mine"] and not message["over"]:
                socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
                assert until(socket, "position")["at"] == message["at"] + 1
            assert not message["broken"]
            time.sleep(0.05)
    assert seen == sorted(seen) and seen[-1] > 3
    assert ask(server, game, lambda table: len(table.game.events) == table.game.played)


def test_a_thought_is_dropped_at_once(client: TestClient) -> None:
    game = begin(client, "you", "web_games:Slow")
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        message = until(socket, "position", mine=True)
        while message["mine"]:
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
            message = until(socket, "position")
        begun = time.monotonic()
        socket.send_json({"do": "undo"})
        message = until(socket, "position", mine=True)
        assert time.monotonic() - begun < 0.9 and message["redo"] == 1
        socket.send_json({"do": "resign"})
        assert until(socket, "position", over=True)


def test_a_client_has_so_many_tabs(server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server._clients, "_most_tabs", 1)
    game = begin(client)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position")
        with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as other:
            assert "1 tabs show games" in other.receive_json()["sentence"]
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        assert until(socket, "position")


def test_a_record_of_too_many_decisions_is_not_studied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST_DECISIONS", 3)
    with pytest.raises(budgets.Refused, match="A study holds at most 3 decisions"):
        studies.read_study(GOLDEN.read_bytes(), "this file", GOLDEN.parent)


def test_a_player_is_told_that_the_game_cannot_be_kept(server: web.Server, client: TestClient) -> None:
    """The database may not grow, as on a full disk."""

    async def grow(pages: int) -> None:
        await server.store._run(lambda: server.store._db.execute(f"PRAGMA max_page_count = {pages}"))

    game = begin(client, turn_limit=100)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        message = until(socket, "position", mine=True)
        client.portal.call(grow, 1)
        while True:
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
            message = socket.receive_json()
            while message["type"] == "position" and not message["mine"]:
                message = socket.receive_json()
            if message["type"] == "refused":
                break
        assert message["sentence"].startswith("The game could not be kept: ") and "disk is full" in message["sentence"]
        answer = client.post("/api/studies", content=GOLDEN.read_bytes() + b"\n" * 0)
        assert answer.status_code in (201, 507)
        assert client.post("/api/games", json={"variant": SHORT, "seats": ["you", "random"]}).status_code == 507
        message = until(socket, "position", mine=True)
        client.portal.call(grow, 10**6)
        socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
        at = until(socket, "position", mine=True)["at"]
    gone(server, game)
    assert len(parse(client.get(f"/api/games/{game}/record").text, unfinished=True).decisions) == at


def test_resigning_is_final(
    server: web.Server, client: TestClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
        message = until(socket, "position", over=True)
        assert message["ended"].endswith("and no result counts.") and not message["actions"]
        for one in [*asked, {"do": "play", "action": 0, "at": message["at"]}]:
            socket.send_json(one)
            assert until(socket, "refused")["sentence"]
    listed = client.get("/api/games").json()["games"][0]
    assert listed["id"] == game and not listed["unfinished"] and listed["result"] == "you resigned"
    path = tmp_path / "game.rcr"
    path.write_text(client.get(f"/api/games/{game}/record").text)
    assert read(path, unfinished=True).unfinished == {"seat": 0, "bots": ["random"], "resigned": True}
    assert rc.main(["play", "--resume", str(path)]) == 2
    assert "a game that was resigned" in capsys.readouterr().err
    assert client.post("/api/studies", json={"game": game}).status_code == 201


def test_a_resigned_game_that_cannot_be_kept_is_not_shown(
    server: web.Server, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened again it would be a game that goes on."""

    async def full(*arguments: object) -> None:
        raise OSError("games.sqlite cannot be written to: database or disk is full")

    game = begin(client, **HIDDEN)
    played(client, game)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position", mine=True)
        with monkeypatch.context() as patched:
            patched.setattr(server.store, "keep", full)
            socket.send_json({"do": "resign"})
            until(socket, "refused")
            answer = client.get(f"/api/games/{game}/record")
            assert answer.status_code == 507 and "disk is full" in answer.json()["sentence"]
        assert '"contracts"' in client.get(f"/api/games/{game}/record").text


def test_a_game_that_is_resigned_after_all_was_undone_stays_resigned(server: web.Server, client: TestClient) -> None:
    """Its contracts are shown from then on, so it must not go on as a game in which nothing was decided."""
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
        message = until(socket, "position", over=True)
        assert message["ended"].endswith("and no result counts.") and not message["actions"] and message["undo"] == 0


def test_a_game_whose_bot_has_failed_is_not_shown(server: web.Server, client: TestClient) -> None:
    """It goes on when the bot tries again."""
    game = begin(client, **HIDDEN)
    with client.websocket_connect(f"{LIVE}/api/games/{game}/live") as socket:
        until(socket, "position")
        client.portal.call(server.tables.owners[game].ask, lambda table: table.fail("It has failed."))
        assert "hidden contracts" in client.get(f"/api/games/{game}/record").json()["sentence"]


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
    with locks.alone(tmp_path):
        assert rc.main(["serve", "--port", "0", "--folder", str(tmp_path)]) == 2
    assert f"--folder: another command is at work in {tmp_path}" in capsys.readouterr().err


@pytest.mark.long
def test_many_tables_with_all_that_can_go_wrong() -> None:
    stress = Path(__file__).parent / "faults" / "stress_web.py"
    words = ["--tables", "20", "--seconds", "20", "--think", "0.5"]
    done = subprocess.run([sys.executable, str(stress), *words], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_bot_that_hangs_does_not_hold_up_those_that_are_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twelve tables ask a bot that hangs, then twelve a quick one: two of the former take a quick place, no more."""
    pool = workers.WorkerPool()
    pool.seconds = {"hanging": 0.1, "quick": 0.1}
    asked: list[tuple[str, float]] = []

    async def call(lane: Any, seconds: float, what: str, function: Any, name: str, *more: Any) -> tuple[int, float]:
        asked.append((name, seconds))
        await anyio.sleep(0.01)
        if name == "hanging":
            raise workers.Killed("it hangs")
        return 1, 0.01

    async def decide(name: str) -> None:
        with contextlib.suppress(workers.Killed):
            assert await pool.decide(name, None) == 1  # type: ignore[arg-type]  # `call` looks at no position

    async def play() -> None:
        async with anyio.create_task_group() as tables:
            for name in ["hanging"] * 12 + ["quick"] * 12:
                tables.start_soon(decide, name)
        await decide("hanging")

    monkeypatch.setattr(pool, "_call", call)
    anyio.run(play)
    assert asked.count(("hanging", workers.QUICK_LIMIT)) <= 2 and ("quick", workers.QUICK_LIMIT) in asked
    assert asked[-1] == ("hanging", workers.SUSPECT_LIMIT) and len(asked) >= 25
