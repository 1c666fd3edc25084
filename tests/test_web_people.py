"""Tests of games of several people in `rc serve`: the keys of seats, what each seat is sent, and who may do what."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient
from web_games import ask, choice

from rc_env import agents
from rc_env.apps.web import app as web
from rc_env.apps.web.board import draw
from rc_env.apps.web.table import Table
from rc_env.record import parse
from rc_env.render.view import view

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1:8000"
SHORT = {"players": 2, "turn_limit": 8}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> web.Server:
    return web.Server(tmp_path_factory.mktemp("served"), grace=0.2)


@pytest.fixture(scope="module")
def client(server: web.Server) -> Iterator[TestClient]:
    with TestClient(server.app, base_url=HOME) as made:
        yield made


def seats_of(client: TestClient, seats: list[str], seed: int = 7, **variant: Any) -> tuple[str, dict[int, str]]:
    """Begin a game of several people; returns its id, and the key of each of their seats."""
    answer = client.post("/api/games", json={"variant": {**SHORT, **variant}, "seats": seats, "seed": seed})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], {int(seat): key for seat, key in answer.json()["keys"].items()}


def tab(client: TestClient, name: str, *keys: str, after: int | None = None) -> Any:
    words = "".join(f"&key={key}" for key in keys) + ("" if after is None else f"&after={after}")
    return client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout=wide{words}")


def heard(socket: Any, kind: str = "position") -> dict[str, Any]:
    """The next message of a kind; none that refuses anything comes before it."""
    while (message := socket.receive_json())["type"] != kind:
        assert message["type"] in ("position", "present"), message
    return message


def test_a_seat_is_played_by_whoever_has_its_key(client: TestClient, server: web.Server) -> None:
    name, keys = seats_of(client, ["you", "you", "greedy"], players=3)
    assert sorted(keys) == [0, 1] and len(keys[0]) > 20 and keys[0] != keys[1]
    with tab(client, name, keys[0]) as red, tab(client, name, keys[1]) as blue, tab(client, name) as watching:
        first, second, third = heard(red), heard(blue), heard(watching)
        assert heard(watching, "present")["seats"] == [0, 1]
        assert [one["person"] for one in (first, second, third)] == [0, 1, None]
        assert [one["mine"] for one in (first, second, third)] == [True, False, False]
        assert [one["names"][:2] for one in (first, second, third)] == [
            ["you", "person"], ["person", "you"], ["person", "person"],
        ]  # fmt: skip
        assert first["actions"] and not second["actions"] and not third["actions"]
        action = {"do": "play", "action": first["actions"][0]["number"], "at": 0}
        blue.send_json(action)
        assert "not your decision" in heard(blue, "refused")["sentence"]
        blue.send_json({"do": "hint", "level": 1})
        assert "not your decision" in heard(blue, "refused")["sentence"]
        for asked in (action, {"do": "undo"}, {"do": "resign"}, {"do": "pace", "seconds": 0}, {"do": "retry"}):
            watching.send_json(asked)
            assert "You look on here" in heard(watching, "refused")["sentence"]
        red.send_json(action)
        assert heard(red)["at"] == heard(blue)["at"] == heard(watching)["at"] == 1
        red.send_json({"do": "new_dice"})
        assert "Several people" in heard(red, "refused")["sentence"]
    with tab(client, name, "x" * 22) as stranger:
        told = stranger.receive_json()
        assert told["type"] == "gone" and "none of a seat of this game" in told["sentence"]
    with tab(client, name, keys[0], after=first["version"]) as red:
        again = heard(red)
        assert again["at"] == 1 and again["person"] == 0 and "panels" not in again
    assert ask(server, name, lambda table: table.game.played) == 1
    for _ in range(600):
        time.sleep(0.02 if server.tables.owners else 0)
    assert not server.tables.owners, "a game without tabs must be freed"
    with tab(client, name, keys[1]) as blue:
        assert heard(blue)["person"] == 1, "keys outlive the server's memory"


def test_people_take_back_only_what_nobody_else_has_seen(client: TestClient) -> None:
    name, keys = seats_of(client, ["you", "you"], turn_limit=30)
    refused = set()
    with tab(client, name, *keys.values()) as here:
        message = heard(here)
        for _ in range(40):
            before = message
            number = message["actions"][-1 if message["at"] % 3 else 0]["number"]
            here.send_json({"do": "play", "action": number, "at": message["at"]})
            message = heard(here)
            if message["over"]:
                break
            rolled = "Rolled" in "".join(line[2] for line in message["events"]["lines"])
            assert bool(message["undo"]) == (not rolled)
            here.send_json({"do": "undo"})
            if rolled:
                refused.add(heard(here, "refused")["sentence"].partition(":")[0])
            else:
                assert heard(here)["at"] == before["at"]
                here.send_json({"do": "redo"})
                assert heard(here)["at"] == message["at"]
    assert refused == {"Something was rolled or drawn since"}
    name, keys = seats_of(client, ["you", "you"])
    with tab(client, name, keys[0]) as red, tab(client, name, keys[1]) as blue:
        message = heard(red)
        heard(blue)
        while message["mine"]:
            red.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
            message, other = heard(red), heard(blue)
        blue.send_json({"do": "undo"})
        assert "Others have decided since" in heard(blue, "refused")["sentence"]
        assert other["mine"] and other["undo"] == 0


def test_who_leaves_a_game_of_several_is_followed_by_a_bot(client: TestClient) -> None:
    name, keys = seats_of(client, ["you", "you"])
    with tab(client, name, keys[0]) as red, tab(client, name, keys[1]) as blue:
        heard(red), heard(blue)
        red.send_json({"do": "pace", "seconds": 0})
        red.send_json({"do": "resign"})
        left, other = heard(red), heard(blue)
        assert left["here"] == [] and left["names"] == ["greedy", "person"] and not left["mine"]
        assert other["names"] == ["greedy", "you"] and not other["over"]
        while not other["mine"]:
            other = heard(blue)
        red.send_json({"do": "undo"})
        assert "You look on here" in heard(red, "refused")["sentence"]
        blue.send_json({"do": "resign"})
        while not (other := heard(blue))["over"]:
            pass
        assert other["ended"].endswith("and no result counts.")


def test_only_the_people_of_a_game_delete_it_or_play_again(client: TestClient) -> None:
    name, keys = seats_of(client, ["you", "you"], turn_limit=1)
    assert client.delete(f"/api/games/{name}").status_code == 400
    assert "address of a seat" in client.delete(f"/api/games/{name}?key=x").json()["sentence"]
    for path in ("record", "board.svg?key=x", "board?at=0&key=x"):
        assert client.get(f"/api/games/{name}/{path}").status_code == 404, path
    assert client.post("/api/studies", json={"game": name}).status_code == 400
    with tab(client, name, keys[0]) as red, tab(client, name, keys[1]) as blue:
        message = heard(red)
        assert message["seed"] is None, "whoever knows the deal knows the dice"
        heard(blue)
        while not message["over"]:
            red.send_json({"do": "play", "action": message["actions"][-1]["number"], "at": message["at"]})
            message = heard(red)
        assert message["seed"] == 7
        row = next(row for row in client.get("/api/games").json()["games"] if row["id"] == name)
        assert row["people"] and "people (red, blue)" in row["words"] and not set(keys.values()) & set(map(str, row))
        assert client.post(f"/api/games/{name}/again", json={"deal": "new"}).status_code == 400
        made = client.post(f"/api/games/{name}/again", json={"deal": "new", "keys": [keys[0]]}).json()["id"]
        assert heard(blue, "again")["id"] == made
        with tab(client, made, keys[1]) as there:
            assert heard(there)["person"] == 1
    assert client.get(f"/api/games/{name}/record").status_code == 200
    assert client.delete(f"/api/games/{made}?key={keys[1]}").status_code == 200


def seen_by(seat: int, table: Table) -> list[Any]:
    """The drawings of the position of a game as a seat sees it."""
    engine = table.game.engine
    hidden = engine.conceal(engine.clone(same_future=True), seat)[0]
    return draw(view(table.game.ruleset, hidden), "wide").drawings


@pytest.mark.full
@pytest.mark.long
def test_hidden_hands_reach_their_own_seat_alone(server: web.Server, client: TestClient) -> None:
    """Two people, one who looks on, and two at one screen: none is sent a contract that its seat does not see."""
    settings = {"seed": 11, "fourth_guild": "archivists", "turn_limit": 200}
    by_link, keys = seats_of(client, ["you", "you"], **settings)
    at_one, both = seats_of(client, ["you", "you"], **settings)
    bot = agents.make("greedy")
    sent: list[list[str]] = [[], [], []]
    drawn: list[dict[int, str]] = [{}, {}, {}]
    offered: list[set[str]] = [set(), set(), set()]
    screen: list[tuple[int | None, str]] = []  # who sat there, and what was sent
    with (
        tab(client, by_link, keys[0]) as red, tab(client, by_link, keys[1]) as blue,
        tab(client, by_link) as looking, tab(client, at_one, *both.values()) as here,
    ):  # fmt: skip
        tabs = [red, blue, looking]
        shown, now = [heard(one) for one in tabs], heard(here)
        while not shown[0]["over"]:
            for place, message in enumerate(shown):
                sent[place].append(json.dumps(message))
                assert message["mine"] or not message["actions"]
                offered[place] |= {one["words"] for one in message["actions"]}
                drawn[place].update(message["parts"])
                if place < 2:
                    expected = ask(server, by_link, lambda table, place=place: seen_by(place, table))
                    assert [drawn[place][part] for part in range(len(expected))] == expected
            mover = next(place for place in (0, 1) if shown[place]["mine"])
            asked = {"do": "play", "action": choice(server, by_link, bot), "at": shown[0]["at"]}
            tabs[mover].send_json(asked)
            while True:
                screen.append((None if now["awaited"] is not None else now["seat"], json.dumps(now)))
                if now["awaited"] is None:
                    break
                assert not now["mine"] and not now["actions"] and now["awaited"] == mover
                here.send_json(asked)
                assert "not your decision" in heard(here, "refused")["sentence"], "nobody has sat down yet"
                path = f"/api/games/{at_one}/board?at={now['at']}&key={both[0]}&key={both[1]}"
                screen.append((None, client.get(path).text))
                here.send_json({"do": "sit"})
                now = heard(here)
            here.send_json(asked)
            shown, now = [heard(one) for one in tabs], heard(here)
    record = parse(client.get(f"/api/games/{by_link}/record").text)
    assert record.decisions == parse(client.get(f"/api/games/{at_one}/record").text).decisions
    kept = {line["action"] for line in record.decisions if line["action"].startswith("contract ")}
    own = [{line["action"] for line in record.decisions if line["seat"] == seat} & kept for seat in (0, 1)]
    theirs = [own[1] - offered[0], own[0] - offered[1]]  # a seat has seen what it drew, and did not keep
    assert theirs[0] and theirs[1], "both seats must have kept contracts"

    def tells(text: str, words: str) -> bool:
        return re.search(rf'"{words}\b', text) is not None

    for seat in (0, 1):
        assert all(any(tells(text, words) for text in sent[seat]) for words in own[seat]), "a seat sees its own"
        for words in theirs[seat]:
            assert not any(tells(text, words) for text in sent[seat]), words
            assert not any(tells(text, words) for who, text in screen if who == seat), words
        for words in own[seat]:
            assert not any(tells(text, words) for text in sent[2]), words
            assert not any(tells(text, words) for who, text in screen if who is None), words


def test_a_database_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        answer = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "greedy"]})
        name = answer.json()["id"]
        with tab(client, name) as red:
            message = heard(red)
            red.send_json({"do": "play", "action": message["actions"][0]["number"], "at": 0})
            heard(red)
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        for table in ("laid_out", "box"):
            database.execute(f"DROP TABLE {table}")
        for column in ("keys", "entered", "coach", "so_far", "study", "branch"):
            database.execute(f"ALTER TABLE games DROP COLUMN {column}")
        database.execute("UPDATE games SET hidden = 1")
        database.execute("PRAGMA user_version = 1")
    database.close()
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        assert [row["id"] for row in client.get("/api/games").json()["games"]] == [name]
        assert "hidden contracts" in client.get(f"/api/games/{name}/record").json()["sentence"]
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client, tab(client, name) as red:
        assert heard(red)["person"] == 0


@pytest.mark.parametrize(
    ("column", "kept"),
    [
        ("coach", '{"0": {"level": "import os"}}'),
        ("coach", '{"0": ["mistakes"]}'),
        ("coach", '{"0": {"level": "mistakes", "open": [1]}}'),
        ("coach", '{"1": {"level": "mistakes", "open": [0]}}'),
        ("so_far", '[{"seat": 0, "more": 1}]'),
        ("branch", '{"cls": 1, "at": 0}'),
        ("branch", "[]"),
    ],
)
def test_what_is_kept_with_a_game_is_data(column: str, kept: str, tmp_path: Path) -> None:
    """A row that this server has not written: the game is not opened, in a sentence, and the server goes on."""
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        name = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "greedy"]}).json()["id"]
        with tab(client, name) as red:
            red.send_json({"do": "play", "action": heard(red)["actions"][0]["number"], "at": 0})
            heard(red)
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        database.execute(f"UPDATE games SET {column} = ?", (kept,))
    database.close()
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        with client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live") as socket:
            message = socket.receive_json()
        assert message["type"] == "gone" and message["sentence"].startswith("This game cannot be read: "), message
        assert client.get("/api/games").status_code == 200


LOOKED = '{"0": {"level": "mistakes", "looked": %s, "open": %s}}'
DEEP = "[" * 5000
DAMAGED: dict[str, list[Any]] = {
    "seats": ["null", "[]", '["you"]', "[1, 2]", '["you", "\\ud83d"]', "{", DEEP, b"\xff\x00"],
    "seed": ["x", "-1", "9" * 40],
    "decisions": [10**15, "x"],
    "new_dice": [7],
    "entered": ["x"],
    "changed": ["x", 1e300, -5.0],
    "state": ["x"],
    "keys": ["[]", '{"7": "k"}', '{"0": 1}', DEEP],
    "coach": [*(LOOKED % one for one in ((-5, "[]"), ("1e400", "[]"), ("NaN", "[]"), (0, "[0, 0]"), (0, "[1.5]"))),
              '{"x": {"level": "off"}}', '{"9": {"level": "off"}}', "null", DEEP, b"\xff"],
    "so_far": ["null", "[1]", DEEP, '[{"seat": 0, "lost": 1e400, "error": 0, "size": "", "luck": null}]',
               '[{"seat": 0, "lost": 0, "error": 0, "size": "", "luck": [0], "luck_errors": [0]}]', "[null, null]"],
    "branch": ['{"study": "s", "at": 0, "name": "", "comment": ""}', DEEP],
    "record": ["", "{}", b"\xff"],
}  # fmt: skip
"""Values of the columns of the games with which one cannot be opened."""


def test_a_damaged_row_hides_no_other(tmp_path: Path) -> None:
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        name = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "greedy"]}).json()["id"]
        with tab(client, name) as red:
            red.send_json({"do": "play", "action": heard(red)["actions"][0]["number"], "at": 0})
            heard(red)
    made: dict[str, tuple[str, Any]] = {}
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        found = database.execute("SELECT * FROM games")
        columns, row = [column[0] for column in found.description], found.fetchone()
        for column, values in DAMAGED.items():
            for value in values:
                one = dict(zip(columns, row, strict=True)) | {"id": f"{len(made):016x}", column: value}
                database.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(one))})", list(one.values()))
                made[one["id"]] = column, value
        database.execute("UPDATE games SET result = CAST(x'ff' AS TEXT) WHERE id = ?", (f"{0:016x}",))
    database.close()
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        listed = {game["id"]: game for game in client.get("/api/games").json()["games"]}
        assert set(listed) == {name, *made} and listed[name]["unfinished"]
        for other, (column, value) in made.items():
            with client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{other}/live") as socket:
                message = socket.receive_json()
            assert message["type"] == "gone" and message["sentence"].startswith("This game cannot be read: "), (
                column, value, message,
            )  # fmt: skip
            in_line = column in ("seats", "seed", "decisions", "new_dice", "entered", "changed", "state")
            if (in_line and value != '["you"]') or (isinstance(value, bytes) and column != "record"):
                assert listed[other]["words"].startswith("This game cannot be read: "), (column, value)
        assert client.get("/api/records.zip").status_code == 200
        for other in made:
            assert client.delete(f"/api/games/{other}").status_code == 200
        assert [game["id"] for game in client.get("/api/games").json()["games"]] == [name]
        with tab(client, name) as red:
            assert heard(red)["at"] == 1


def test_a_request_that_is_no_json_is_refused_and_the_tab_stays(client: TestClient) -> None:
    name = client.post("/api/games", json={"variant": SHORT, "seats": ["you", "greedy"]}).json()["id"]
    with tab(client, name) as red:
        heard(red)
        for text in ("{", "[]", "NaN", DEEP, '{"do": "coach", "level": "\\ud83d"}'):
            red.send_text(text)
            message = red.receive_json()
            assert message["type"] == "refused" and message["sentence"].endswith("."), (text[:20], message)
        red.send_bytes(b"\xff")
        assert "does not know the page's request" in red.receive_json()["sentence"]
    for text in ('{"variant": {}, "seats": ["\\ud83d"]}', DEEP, "\xff"):
        answer = client.post("/api/games", content=text.encode("latin-1"))
        assert answer.status_code == 400 and "request" in answer.json()["sentence"]
