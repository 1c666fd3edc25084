"""Tests of the responses of `rc serve`, without a browser: games, hints, studies, and refusals."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from rc_env import Engine, Ruleset, agents
from rc_env.apps.web import app as web
from rc_env.apps.web import guard
from rc_env.apps.web.board import draw
from rc_env.apps.web.places import action_places
from rc_env.arena.match import play_match
from rc_env.bot import Position
from rc_env.record import Recorder, parse, positions
from rc_env.render.view import view

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1:8000"
SHORT = {"players": 2, "turn_limit": 8}
CRASHING = "web_games:Crashing"
ALL_IN = {"contractors": True, "fourth_guild": "archivists", "special_tiles": True}


@pytest.fixture
def server(tmp_path: Path) -> web.Server:
    return web.Server(tmp_path, bots=[CRASHING], grace=0.2)


@pytest.fixture
def client(server: web.Server) -> Iterator[TestClient]:
    with TestClient(server.app, base_url=HOME) as made:
        yield made


def begin(client: TestClient, seats: list[str], seed: int = 7, **variant: Any) -> str:
    answer = client.post("/api/games", json={"variant": {**SHORT, **variant}, "seats": seats, "seed": seed})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def until(socket: Any, *states: str) -> dict[str, Any]:
    """Return the first position in which the person decides, or the game is over; collect all drawings on the way."""
    while True:
        message = socket.receive_json()
        if message["type"] != "position":
            return message
        state = "over" if message["over"] else "mine" if message["mine"] else "bots"
        if state in states:
            return message


def live(client: TestClient, name: str, layout: str = "wide") -> Any:
    return client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout={layout}")


def test_a_game_is_played_to_its_end_and_is_the_engines(client: TestClient, tmp_path: Path) -> None:
    name = begin(client, ["you", "greedy"], turn_limit=14)
    seen: list[dict[str, Any]] = []
    shown: list[str] = []
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        message = socket.receive_json()
        while not message["over"]:
            assert message["type"] == "position"
            if "panels" in message:
                shown = [""] * sum(len(panel["parts"]) for panel in message["panels"])
            for part, drawing in message["parts"]:
                shown[part] = drawing
            seen.append({**message, "drawings": list(shown)})
            if message["mine"]:
                action = message["actions"][message["at"] % len(message["actions"])]
                socket.send_json({"do": "play", "action": action["number"], "at": message["at"]})
            message = socket.receive_json()
        assert message["results"] and not message["actions"] and "turn limit" in message["ended"]
    record = parse(client.get(f"/api/games/{name}/record").text)
    assert record.ruleset.turn_limit == 14 and record.result["truncated"]
    games = [engine.clone(same_future=True) for engine in positions(record)]
    assert len(seen) == len(games) - 1 == len(record.decisions)
    engine = Engine(record.ruleset)
    for at, message in enumerate(seen):
        engine.restore(games[at])
        now = view(record.ruleset, games[at][0])
        assert message["at"] == at and message["words"] == now["words"] and message["seat"] == engine.seat[0]
        assert message["drawings"] == draw(now, "wide").drawings
        legal = np.flatnonzero(engine.legal_mask()[0]).tolist()
        assert [one["number"] for one in message["actions"]] == (legal if message["mine"] else [])
        assert [one["words"] for one in message["actions"]] == [engine.action_to_text(n) for n in legal][
            : len(message["actions"])
        ]


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 1},
        {"players": 4, "workshop": "advanced"},
        pytest.param(
            {"contractors": True, "fourth_guild": "archivists", "special_tiles": True}, marks=pytest.mark.full
        ),
        pytest.param({"contractors": True, "fourth_guild": "foremen"}, marks=pytest.mark.full),
    ],
)
@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_every_place_of_an_action_is_on_the_board(settings: dict[str, Any], layout: str) -> None:
    ruleset, rng = Ruleset(**settings), np.random.default_rng(3)
    engine, without = Engine(ruleset, 1, 5), set()
    for _ in range(400):
        if engine.seat[0] < 0:
            engine.reset()
        shown = view(ruleset, engine.games[0])
        board = draw(shown, layout)
        drawings = dict(zip(board.parts, board.drawings, strict=True))
        legal = np.flatnonzero(engine.legal_mask()[0])
        for action in legal:
            words = engine.action_to_text(int(action))
            places = action_places(shown, int(engine.seat[0]), words)
            if not places:
                without.add(words.split()[0])
            for place in places:
                part, _, piece = place.partition("/")
                assert part in drawings, f"{words}: no part {part}"
                assert not piece or f'data-piece="{piece}"' in drawings[part], f"{words}: no {piece} on {part}"
        engine.step([rng.choice(legal)])
    allowed = {"done", "rubles", "take", "gems", "permit", "spend", "pass", "special", "contract", "reinforce", "card"}
    assert without <= allowed


def test_undo_redo_and_new_dice(client: TestClient) -> None:
    name = begin(client, ["you", "greedy"], turn_limit=30)
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        first = until(socket, "mine")
        # plays a whole turn of first legal actions, which ends with a roll of dice
        message = first
        while message["turn"] == first["turn"]:
            action = message["actions"][0]["number"]
            before = message
            socket.send_json({"do": "play", "action": action, "at": message["at"]})
            message = until(socket, "mine")
        events = message["events"]
        assert events["lines"]
        socket.send_json({"do": "undo"})
        back = until(socket, "mine")
        assert (back["at"], back["words"], back["redo"]) == (before["at"], before["words"], 1)
        socket.send_json({"do": "redo"})
        again = until(socket, "mine")
        assert (again["at"], again["words"], again["score"]) == (message["at"], message["words"], message["score"])
        assert again["redo"] == 0
        rolls = set()
        for _ in range(6):
            socket.send_json({"do": "undo"})
            until(socket, "mine")
            socket.send_json({"do": "new_dice"})
            assert until(socket, "mine")["redo"] == 0
            socket.send_json({"do": "play", "action": action, "at": before["at"]})
            rolled = socket.receive_json()
            rolls.add(json.dumps(rolled["events"]["lines"][:1]))
            if not rolled["mine"]:
                until(socket, "mine")
        assert len(rolls) > 1, "the dice must differ"
        for _ in range(50):
            socket.send_json({"do": "undo"})
            if (answer := socket.receive_json())["type"] == "refused":
                break
        assert answer["sentence"].startswith("There is nothing to undo")
    assert parse(client.get(f"/api/games/{name}/record").text, unfinished=True).decisions == []


def test_what_is_not_legal_or_comes_late_is_refused(client: TestClient) -> None:
    name = begin(client, ["you", "greedy"])
    with live(client, name) as one, live(client, name) as other:
        message, same = one.receive_json(), other.receive_json()
        assert message["actions"] == same["actions"]
        legal = [action["number"] for action in message["actions"]]
        wrong = next(number for number in range(99) if number not in legal)
        for asked in ({"do": "play", "action": wrong, "at": 0}, {"do": "preview", "action": wrong}):
            one.send_json(asked)
            assert "not legal any more" in one.receive_json()["sentence"]
        for asked in ({"do": "play", "action": legal[0], "at": 3}, {"do": "play", "action": legal[0], "at": -1}):
            one.send_json(asked)
            assert "has gone on" in one.receive_json()["sentence"]
        for asked in ({"do": "fly"}, {}, [], {"do": "play", "action": "x", "at": 0}, {"do": "pace", "seconds": -1}):
            one.send_json(asked)
            assert "does not know" in one.receive_json()["sentence"]
        one.send_json({"do": "play", "action": legal[0], "at": 0})
        assert one.receive_json()["at"] == other.receive_json()["at"] == 1, "both tabs must show the action"
        other.send_json({"do": "play", "action": legal[0], "at": 0})
        assert "has gone on" in other.receive_json()["sentence"]


def test_a_preview_shows_what_changes_and_no_dice(client: TestClient) -> None:
    name = begin(client, ["you", "greedy"])
    with live(client, name) as socket:
        message = socket.receive_json()
        names = [part for panel in message["panels"] for part, _ in panel["parts"]]
        claim = next(one for one in message["actions"] if one["words"] == "claim 1 from inventory")
        socket.send_json({"do": "preview", "action": claim["number"]})
        found = socket.receive_json()
        changed = {names[part] for part, _ in found["parts"]}
        assert {"section1.1", "seat0.goods"} <= changed and found["chance"] == ""
        move = next(one for one in message["actions"] if one["words"].startswith("move red +"))
        socket.send_json({"do": "preview", "action": move["number"]})
        found = socket.receive_json()
        assert any(change.startswith("rubles 3 → ") for change in found["changes"])
        socket.send_json({"do": "preview", "action": claim["number"]})
        assert socket.receive_json()["parts"], "a second preview must have an answer, too"


def test_a_preview_of_a_turn_that_brings_chance_says_so_and_shows_no_outcome(server: web.Server) -> None:
    """Each action of a solo game is played in the engine many times: what a preview shows is alike in all of them."""
    table = server.tables.find(server.tables.create(Ruleset(1), ["you"], 3))
    rng, engine, sentences = np.random.default_rng(3), Engine(Ruleset(1), 20), set()
    while table.game.played < 40:
        board = table.board("wide")
        for action in table.actions():
            found = table.preview(action["number"], "wide")
            sentences.add(found["chance"])
            engine.restore(table.game.engine.clone(np.zeros(20, np.int64)))
            engine.step(np.full(20, action["number"]))
            for game in engine.games:
                after = draw(view(engine.ruleset, game), "wide")
                assert all(after.drawings[part] == drawing != board.drawings[part] for part, drawing in found["parts"])
        table.play(int(rng.choice([action["number"] for action in table.actions()])), table.game.played)
    assert {"", "then Ivan plays and dice are rolled"} <= sentences


def test_hints_have_three_levels(client: TestClient) -> None:
    name = begin(client, ["you", "greedy"])
    with live(client, name) as socket:
        message = socket.receive_json()
        found = []
        for level in (1, 2, 3):
            socket.send_json({"do": "hint", "level": level})
            found.append(socket.receive_json())
        legal = {action["number"]: action["words"] for action in message["actions"]}
        assert found[0]["best"] is None and not found[0]["rows"] and found[0]["sentence"]
        assert legal[found[1]["best"]] in found[1]["sentence"] and not found[1]["rows"]
        assert {row["number"] for row in found[2]["rows"]} == set(legal)
        assert all(row["visits"] == 0 or 0 <= row["chance"] <= 1 for row in found[2]["rows"])
        assert sum(row["visits"] for row in found[2]["rows"]) > 50
        assert found[2]["rows"][0]["number"] == found[2]["best"]
        socket.send_json({"do": "hint", "level": 4})
        assert socket.receive_json()["type"] == "refused"


def test_a_bot_that_crashes_ends_its_game_alone(client: TestClient) -> None:
    broken, sound = begin(client, ["you", CRASHING]), begin(client, ["greedy", "random"])
    with live(client, broken) as one, live(client, sound) as other:
        for socket in (one, other):
            socket.send_json({"do": "pace", "seconds": 0})
        message = until(one, "mine", "over")
        while not message["over"]:
            one.send_json({"do": "play", "action": message["actions"][-1]["number"], "at": message["at"]})
            message = until(one, "mine", "over")
        assert message["ended"].startswith(
            "The game ends here: bot crashing: RuntimeError raised (out of ideas <b>now</b>)"
        )
        one.send_json({"do": "undo"})
        assert one.receive_json()["type"] == "refused"
        assert until(other, "over")["results"]
    kept = parse(client.get(f"/api/games/{broken}/record").text, unfinished=True)
    assert kept.unfinished == {"seat": 0, "bots": [CRASHING]}


def test_a_game_outlives_tabs_and_the_server(server: web.Server, client: TestClient, tmp_path: Path) -> None:
    name = begin(client, ["greedy", "you"], turn_limit=40)
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        for _ in range(4):
            message = until(socket, "mine")
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
        message = until(socket, "mine")
    with TestClient(web.Server(tmp_path, grace=0.2).app, base_url=HOME) as after:
        listed = after.get("/api/games").json()["games"]
        assert [game["id"] for game in listed] == [name] and listed[0]["unfinished"]
        assert "you are blue, against greedy" in listed[0]["words"]
        with live(after, name) as socket:
            again = until(socket, "mine")
            for key in ("at", "words", "actions", "score", "undo", "names"):
                assert again[key] == message[key]
            socket.send_json({"do": "undo"})
            assert until(socket, "mine")["at"] < message["at"]
    for _ in range(100):
        if server.tables.open == 0:
            break
        time.sleep(0.05)
    assert server.tables.open == 0, "a game without tabs must be freed"
    with live(client, name) as socket:
        assert until(socket, "mine")["at"] <= message["at"], "the freed game must open again"


def test_new_dice_are_still_those_of_a_game_that_is_opened_again(server: web.Server) -> None:
    name = server.tables.create(Ruleset(), ["you", "greedy"], 5)
    table = server.tables.find(name)
    table.play(table.actions()[0]["number"], 0)
    table.new_dice()
    table.keep()
    server.tables.drop(name)
    again = server.tables.find(name)
    assert again is not table and again.game.played == table.game.played == 1
    for _ in range(30):
        for one in (table, again):
            if one.waits_for_bot:
                one.play_bot()
            else:
                one.play(one.actions()[0]["number"], one.game.played)
        assert again.events == table.events and again.record() == table.record()
    assert any("rolled" in words for _, _, words in table.events)


def test_a_game_of_bots_that_is_gone_says_so(client: TestClient) -> None:
    for name in ("0" * 16, "x"):
        with live(client, name) as socket:
            assert socket.receive_json() == {
                "type": "gone",
                "sentence": "There is no such game any more: begin a new one.",
            }
        assert client.get(f"/api/games/{name}/record").status_code == 404
    assert client.get("/api/games/..%2f..%2fstudies/record").status_code == 404


@pytest.mark.full
def test_hidden_hands_stay_hidden(server: web.Server, client: TestClient) -> None:
    name = begin(client, ["you", "greedy"], seed=11, fourth_guild="archivists", turn_limit=200)
    me = agents.make("greedy")
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        sent = []
        message = until(socket, "mine", "over")
        while not message["over"]:
            action = int(me.act(Position.of(server.tables.find(name).game.engine))[0])
            socket.send_json({"do": "play", "action": action, "at": message["at"]})
            message = {"mine": False, "over": False}
            while not (message["mine"] or message["over"]):
                message = socket.receive_json()
                sent.append(json.dumps([message["events"], message["last"], message["parts"]]))
            if not message["over"] and len(sent) < 9:
                assert "hidden contracts" in client.get(f"/api/games/{name}/record").json()["sentence"]
                assert client.post("/api/studies", json={"game": name}).status_code == 400
    record = parse(client.get(f"/api/games/{name}/record").text)
    kept = [line for line in record.decisions if line["action"].startswith("contract ")]
    theirs = {line["action"] for line in kept if line["seat"] == 1}
    own = {line["action"] for line in kept if line["seat"] == 0}
    assert theirs and own, "both seats must have kept contracts"
    before_the_end = "".join(sent[:-1])
    assert "contract ?" in before_the_end
    for words in theirs - own:
        assert not re.search(rf'"{words}\b', before_the_end), words


# --- studies


@pytest.fixture(scope="module")
def text() -> str:
    """Return the record of a short finished game."""
    texts: list[str] = []
    bots = [agents.make("greedy"), agents.make("random")]
    recorder = Recorder(lambda number, whole: texts.append(whole))
    play_match(bots, 1, Ruleset(turn_limit=6), seed=2, rotate=False, recorder=recorder)
    return texts[0]


def study(client: TestClient, text: str) -> str:
    answer = client.post("/api/studies", content=text, headers={"content-type": "text/plain"})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def test_a_record_is_studied(client: TestClient, text: str, tmp_path: Path) -> None:
    name, record = study(client, text), parse(text)
    assert study(client, text) == name, "the link to the study must stay the same"
    data = client.get(f"/api/studies/{name}").json()
    assert [move[1] for move in data["moves"]] == [line["action"] for line in record.decisions]
    rows: list[dict[str, Any]] = []
    while True:
        found = client.get(f"/api/studies/{name}/analysis?from={len(rows)}").json()
        assert found["failed"] == "" and found["total"] == len(record.decisions)
        rows += found["rows"]
        if found["done"] == found["total"]:
            break
    assert len(rows) == len(record.decisions)
    for row, line in zip(rows, record.decisions, strict=True):
        assert row["seat"] == line["seat"] and abs(sum(row["chances"]) - 1) < 0.02
        assert row["line"][0] == [row["seat"], row["best"]]
        assert row["lost"] is None or (row["lost"] == 0) <= (row["size"] == "")
    assert any(row["size"] for row in rows if row["seat"] == 1), "a random player makes mistakes"
    copy = parse(client.get(f"/api/studies/{name}/record").text)
    assert copy.decisions[3]["value"] and copy.decisions[3]["policy"] and copy.result == record.result
    found = client.get(f"/api/studies/{name}/policies?at=0&bot=net&bot=greedy").json()
    assert found["bots"] == ["net", "greedy"]
    for column in (1, 2):
        assert abs(sum(row[column] for row in found["rows"]) - 1) < 0.01
    assert client.get(f"/api/studies/{name}/board.svg?at=4&theme=dark").text.startswith("<svg")
    again = TestClient(web.Server(tmp_path).app, base_url=HOME)
    assert again.get(f"/api/studies/{name}").json() == data, "the link must still work after a restart of the server"
    asked = {"at": 5, "seats": ["greedy", "you"], "dice": "same"}
    game = client.post(f"/api/studies/{name}/play", json=asked).json()["id"]
    with live(client, game) as socket:
        message = socket.receive_json()
        assert message["at"] == 5 and message["person"] == 1 and message["words"] == data["words"][5]
    last = len(record.decisions)
    over = client.post(f"/api/studies/{name}/play", json={"at": last, "seats": ["you", "net"]})
    assert over.status_code == 400 and "over here" in over.json()["sentence"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (b"", "nothing found"),
        (b"\xff\xfe<script>alert(1)</script>", "line 1"),
        (b"{}\n{}\n", "line 1"),
        ("half", "line"),
        ("changed", "line 2"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(client: TestClient, text: str, wrong: Any, words: str) -> None:
    if wrong == "half":
        wrong = text[: len(text) // 2].encode()
    elif wrong == "changed":
        wrong = text.replace(parse(text).decisions[0]["action"], "move white +9", 1).encode()
    answer = client.post("/api/studies", content=wrong, headers={"content-type": "text/plain"})
    assert answer.status_code == 422 and words in answer.json()["sentence"]
    assert answer.headers["content-type"] == "application/json"


# --- refused requests


def test_other_sites_are_kept_away(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.168.1.7", "", "[::2]"):
        assert client.get("/", headers={"host": host}).status_code == 421, host
    for host in ("127.0.0.1:8000", "localhost:9", "[::1]:8000", "LOCALHOST"):
        assert client.get("/", headers={"host": host}).status_code == 200, host
    for origin in ("http://evil.example", "null", "https://127.0.0.1:9999", ""):
        assert client.post("/api/games", json={}, headers={"origin": origin}).status_code == 403, origin
        assert client.get("/api/games", headers={"origin": origin}).status_code == 403, origin
    for mode, status in (("navigate", 200), ("no-cors", 403), ("cors", 403)):  # a link leads here, a picture does not
        for site in ("cross-site", "same-site"):
            headers = {"sec-fetch-site": site, "sec-fetch-mode": mode}
            assert client.get("/api/games", headers=headers).status_code == status, headers
            assert client.post("/api/games", json={}, headers=headers).status_code == 403, headers
    assert client.get("/api/games", headers={"origin": HOME}).status_code == 200
    name = begin(client, ["you", "greedy"])
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/games/{name}/live", headers=headers):
            raise AssertionError("the connection was accepted")
    answer = client.get("/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert client.get("/static/../app.py").status_code == 404
    assert client.get("/static/%2e%2e/app.py").status_code == 404


def test_a_server_for_others_knows_addresses_and_its_name(tmp_path: Path) -> None:
    client = TestClient(web.Server(tmp_path, host="0.0.0.0").app, base_url=HOME)
    assert client.get("/", headers={"host": "192.168.1.7:8000"}).status_code == 200
    assert client.get("/", headers={"host": "evil.example"}).status_code == 421
    answer = client.post("/api/games", json={"variant": {}, "seats": ["you", "net:/etc/passwd"]})
    assert answer.status_code == 400 and "rc serve --bots" in answer.json()["sentence"]


def test_large_bodies_are_refused(client: TestClient) -> None:
    large = b"x" * (guard.LARGEST + 1)
    assert client.post("/api/studies", content=large).status_code == 413
    assert (
        client.post("/api/studies", content=(large[i : i + 65536] for i in range(0, len(large), 65536))).status_code
        == 413
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (b"[]", "no JSON object"),
        (b"{", "no JSON object"),
        ({"variant": {"players": 5}}, "players: 5 found"),
        ({"variant": {"players": True}}, "players: True found"),
        ({"variant": {"data": "/etc/passwd"}}, "variant: 'data' found"),
        ({"variant": [], "seats": []}, "variant: [] found"),
        ({"seats": ["you"]}, "seats: 1 found, expected 2"),
        ({"seats": ["you", "you"]}, "at most one person"),
        ({"seats": "you"}, "seats: 'you' found"),
        ({"seats": ["you", "os:abort"]}, "bot: 'os:abort' found"),
        ({"seats": ["you", "greedily"]}, "bot: 'greedily' found"),
        ({"seats": ["you", "search:simulations=x"]}, "simulations"),
        ({"seats": ["you", "greedy"], "seed": -1}, "seed: -1 found"),
        ({"seats": ["you", "greedy"], "seed": 1.5}, "seed: 1.5 found"),
        ({"variant": {"workshop": "advanced", "special_tiles": True}, "seats": ["you", "net"]}, "no weights for"),
    ],
)
def test_a_wrong_game_is_refused_in_a_sentence(client: TestClient, asked: Any, words: str) -> None:
    answer = client.post("/api/games", content=asked if isinstance(asked, bytes) else json.dumps(asked))
    assert answer.status_code == 400 and words in answer.json()["sentence"]
