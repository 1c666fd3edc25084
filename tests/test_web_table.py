"""Tests of real tables in `rc serve`, without a browser: setups, games that are entered, and the owner's box."""

from __future__ import annotations

import sqlite3
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from at_a_table import answers, setup_of
from starlette.testclient import TestClient

from rc_env import Ruleset
from rc_env.apps.table.falling import Question
from rc_env.apps.web import app as web
from rc_env.apps.web import store
from rc_env.apps.web.store import FILE, Store
from rc_env.record import parse, replay

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1:8000"
OWN = {"cost": {"gold": 2, "stone": 1}, "recognition": 7, "rubles": 3}
"""A base that no packaged file has."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> web.Server:
    return web.Server(tmp_path_factory.mktemp("served"), grace=0.2)


@pytest.fixture(scope="module")
def client(server: web.Server) -> Iterator[TestClient]:
    with TestClient(server.app, base_url=HOME) as made:
        yield made


def typed(seed: int = 5, own: bool = False, **variant: Any) -> dict[str, Any]:
    """What a page sends of a table, with a card of the owner's if asked for."""
    setup, _ = setup_of(Ruleset(**variant), seed)
    if own:
        setup["towers"][1][0]["card"] = OWN
    return {"variant": variant, "setup": setup}


def post(client: TestClient, path: str, body: Any, status: int = 200) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_setup_is_checked_as_it_is_typed_and_saved_under_a_name(client: TestClient) -> None:
    assert post(client, "/api/tables/check", {"variant": {}, "setup": {}})["missing"][:2] == [
        "4 heights of towers", "12 cards",
    ]  # fmt: skip
    body = typed()
    body["setup"]["market"][0] = body["setup"]["market"][1]
    found = post(client, "/api/tables/check", body)
    assert not found["ready"] and "occurs more than once" in found["faults"][0]["sentence"]
    assert "no setting" in post(client, "/api/tables/check", {"variant": {"size": 3}}, 400)["sentence"]
    assert "setup must be" in post(client, "/api/tables/check", {"setup": [1]}, 400)["sentence"]
    assert "name of at most" in post(client, "/api/tables", {**body, "title": " "}, 400)["sentence"]
    name = post(client, "/api/tables", {**body, "title": "Friday"}, 201)["id"]
    assert post(client, "/api/tables", {**typed(), "title": "Friday <b>", "id": name}, 201)["id"] == name
    assert "no such table" in post(client, "/api/tables", {**body, "title": "x", "id": "none"}, 400)["sentence"]
    (kept,) = client.get("/api/tables").json()
    assert (kept["id"], kept["title"]) == (name, "Friday <b>")
    assert client.get(f"/api/tables/{name}").json() == {"title": "Friday <b>", **typed()}
    client.delete(f"/api/tables/{name}")
    assert client.get("/api/tables").json() == [] and client.get(f"/api/tables/{name}").status_code == 404
    large = {"variant": {}, "setup": {"amounts": {"market": {f"{i:040}": 1 for i in range(2000)}}}, "title": "x"}
    assert "at most 65536" in post(client, "/api/tables", large, 400)["sentence"]


def test_no_table_is_deleted_for_a_further_one(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_LAID_OUT", 2)
    names = [post(client, "/api/tables", {**typed(), "title": title}, 201)["id"] for title in ("one", "two")]
    assert "2 tables are kept already" in post(client, "/api/tables", {**typed(), "title": "three"}, 400)["sentence"]
    assert post(client, "/api/tables", {**typed(), "title": "One", "id": names[0]}, 201)["id"] == names[0]
    assert {table["title"] for table in client.get("/api/tables").json()} == {"One", "two"}
    client.delete(f"/api/tables/{names[1]}")
    names.append(post(client, "/api/tables", {**typed(), "title": "three"}, 201)["id"])
    assert {table["title"] for table in client.get("/api/tables").json()} == {"One", "three"}
    for name in names:
        client.delete(f"/api/tables/{name}")


def test_the_page_is_told_what_may_lie_there(client: TestClient) -> None:
    found = post(client, "/api/tables/choices", {"variant": {"players": 3}})
    assert (found["towers"], found["sections"], len(found["cards"]["middle"])) == (5, 18, 20)
    assert {"name": "rubles", "amount": 2} in found["market"] and "cities" not in found
    assert found["guilds"][0]["cards"][0]["words"][0] == "sell any material for 1 ruble, unlimited"
    full = post(client, "/api/tables/choices", {"variant": {"contractors": True, "fourth_guild": "random"}})
    names = [guild["name"] for guild in full["guilds"]]
    assert "jewelers" in names and "archivists" not in names and "thieves" not in names
    assert len(full["specialists"]) == 24 and {"name": "permits", "amount": 1} in full["market"]
    solo = post(client, "/api/tables/choices", {"variant": {"players": 1}})
    assert solo["ivan"]["tiles"] == ["die:red", "die:blue", "die:yellow", "die:green", "die:white"]


class Entered:
    """A tab that enters a game as it is played at a table: first actions, or random ones, and dice that fall."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.rng = socket, np.random.default_rng(4)
        self.position = self.heard("position")
        self.asked: list[dict[str, Any]] = []
        self.so_far = self.position["so_far"]

    def heard(self, *kinds: str) -> dict[str, Any]:
        while (message := dict(self.socket.receive_json()))["type"] == "so_far":
            self.so_far = message["so_far"]
        assert message["type"] in kinds, message
        return message

    def play(self) -> None:
        action = self.position["actions"][int(self.rng.integers(len(self.position["actions"])))]
        request = {"do": "play", "action": action["number"], "at": self.position["at"]}
        self.socket.send_json(request)
        while (message := self.heard("position", "ask"))["type"] == "ask":
            self.asked.append(message)
            question = message["question"]
            assert len(question["labels"]) == len(question["choices"]) and message["at"] == self.position["at"]
            entries = answers(Question(*(question[name] for name in Question._fields)), self.rng)
            fell = {**message["fell"], question["kind"]: [*message["fell"][question["kind"]], *entries]}
            self.socket.send_json({**request, "fell": fell})
        self.position = message


def test_an_evening_is_entered_kept_and_studied(client: TestClient, server: web.Server) -> None:
    body = typed(own=True)
    assert post(client, "/api/tables/check", body)["ready"]
    name = post(client, "/api/tables/play", body, 201)["id"]
    box = client.get("/api/box").json()
    assert box["version"] == 1 and OWN in box["known"]["cards"]["base"]
    with live(client, name) as socket:
        tab = Entered(socket)
        assert tab.position["entered"] and tab.position["here"] == [0, 1] and tab.position["person"] is None
        while not tab.asked:
            tab.play()
        before = tab.position["at"]
        assert all(one["question"]["kind"] == "dice" for one in tab.asked)
        socket.send_json({"do": "undo"})
        assert tab.heard("position")["at"] == before - 1
        socket.send_json({"do": "redo"})
        tab.position = tab.heard("position")
        assert tab.position["at"] == before
        socket.send_json({"do": "play", "action": -1, "at": before, "fell": {"dice": [9]}})
        assert "not legal" in tab.heard("refused")["sentence"]
        socket.send_json({"do": "play", "action": tab.position["actions"][0]["number"], "at": before, "fell": [9]})
        assert "fell must be" in tab.heard("refused")["sentence"]
        socket.send_json({"do": "new_dice"})
        assert "real table" in tab.heard("refused")["sentence"]
    text = client.get(f"/api/games/{name}/record").text
    record = parse(text, beside=server.store.folder, unfinished=True)
    assert record.header["data"].startswith("table-") and len(record.decisions) == before
    assert OWN in record.ruleset.tables["cards"]["base"]
    assert replay(record).games.decisions[0] == before
    (row,) = [row for row in client.get("/api/games").json()["games"] if row["id"] == name]
    assert row["entered"] and "at a real table" in row["words"]
    study = post(client, "/api/studies", {"game": name}, 201)["id"]
    assert client.get(f"/api/studies/{study}").json()["total"] == before
    assert "set up what lies there" in post(client, f"/api/games/{name}/again", {"deal": "same"}, 400)["sentence"]
    closed(server)
    with live(client, name) as socket:
        tab = Entered(socket)
        assert tab.position["at"] == before and tab.position["entered"]
        socket.send_json({"do": "undo"})
        tab.heard("position")
        socket.send_json({"do": "redo"})
        assert tab.heard("position")["at"] == before
        socket.send_json({"do": "resign"})
        assert "broken off" in tab.heard("position")["ended"]


def live(client: TestClient, name: str) -> Any:
    return client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout=wide")


def closed(server: web.Server) -> None:
    """Wait until the server has closed its games."""
    end = time.monotonic() + 20
    while server.tables.owners:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_luck_and_decisions_so_far_are_told_and_kept(client: TestClient, server: web.Server) -> None:
    name = post(client, "/api/tables/play", typed(), 201)["id"]
    with live(client, name) as socket:
        tab = Entered(socket)
        assert tab.so_far == {"judged": 0, "rows": [dict.fromkeys(tab.so_far["rows"][0], 0)] * 2}
        while not tab.asked:
            tab.play()

        def wait(judged: int) -> None:
            while tab.so_far["judged"] < judged:
                message = socket.receive_json()
                tab.so_far = message.get("so_far", tab.so_far)

        before = tab.position["at"]
        wait(before)
        red, blue = tab.so_far["rows"]
        assert red["luck"] == pytest.approx(-blue["luck"]) and red["luck_error"] > 0
        assert red["lost_error"] + blue["lost_error"] > 0
        kept = tab.so_far
        socket.send_json({"do": "undo"})
        undone = tab.heard("position")["so_far"]
        assert undone["judged"] == before - 1 and undone["rows"][0]["luck"] == 0
        socket.send_json({"do": "redo"})
        tab.so_far = tab.heard("position")["so_far"]
        wait(before)
        assert tab.so_far == kept, "a decision is judged alike whenever that is"
        position = tab.position
        socket.send_json({"do": "hint", "level": 4})
        assert tab.heard("hint")["sentence"].startswith("Chances to win")
    closed(server)
    with live(client, name) as socket:
        assert Entered(socket).position["so_far"] == kept and position["so_far"]["judged"] <= before


@pytest.mark.full
def test_a_full_game_is_entered_to_its_end(client: TestClient, server: web.Server) -> None:
    variant = {"players": 2, "contractors": True, "special_tiles": True, "fourth_guild": "random", "turn_limit": 30}
    name = post(client, "/api/tables/play", typed(8, **variant), 201)["id"]
    with live(client, name) as socket:
        tab = Entered(socket)
        while not tab.position["over"]:
            tab.play()
        assert tab.position["results"] and {one["question"]["kind"] for one in tab.asked} >= {"dice", "specialists"}
    record = parse(client.get(f"/api/games/{name}/record").text, beside=server.store.folder)
    assert replay(record).results().prestige[0].tolist() == record.result["prestige"]


def test_a_position_is_changed_judged_and_played_on_from(client: TestClient, server: web.Server) -> None:
    name = post(client, "/api/tables/play", typed(), 201)["id"]
    path = f"/api/games/{name}/position"
    shown = post(client, path, {})
    assert shown["board"].startswith("<svg") and shown["fields"]["turn_of"] == "red"
    changes = {"turn_of": "blue", "seats": [{}, {"stone": 3, "rubles": 20}]}
    asked = {"at": shown["at"], "changes": changes}
    found = post(client, path, asked)
    assert found["fields"]["turn_of"] == "blue" and found["fields"]["seats"][1]["stone"] == 3
    much = {"at": shown["at"], "changes": {"seats": [{"stone": 30}]}}
    assert "more than the box holds" in post(client, path, much, 400)["sentence"]
    assert post(client, f"{path}/chances", asked)["sentence"].startswith("Chances to win: Red ")
    begun = post(client, f"{path}/play", asked, 201)["id"]
    with live(client, begun) as socket:
        tab = Entered(socket)
        assert tab.position["entered"] and tab.position["seat"] == 1 and tab.position["at"] == 0
        tab.play()
    record = parse(client.get(f"/api/games/{begun}/record").text, beside=server.store.folder, unfinished=True)
    assert record.decisions[0]["seat"] == 1 and replay(record).games.decisions[0] == 1
    assert post(client, path, {})["fields"] == shown["fields"]  # the game itself is as it was
    closed(server)
    with live(client, begun) as socket:
        assert Entered(socket).position["at"] == 1
    study = post(client, "/api/studies", {"game": begun}, 201)["id"]
    assert client.get(f"/api/studies/{study}").json()["total"] == 1


def test_changes_of_a_position_are_refused_once_the_game_has_gone_on(client: TestClient) -> None:
    name = post(client, "/api/tables/play", typed(), 201)["id"]
    path = f"/api/games/{name}/position"
    asked = {"at": post(client, path, {})["at"], "changes": {"seats": [{"rubles": 9}]}}
    paths = (path, f"{path}/chances", f"{path}/play")
    for body in ({"changes": {}}, {"at": True}, {"at": 0}, {**asked, "seat": 1}):
        for one in paths:
            sentence = post(client, one, body, 400)["sentence"]
            assert "at must be a text, as the position was given with it" in sentence or "no part 'seat'" in sentence
    post(client, path, asked)
    with live(client, name) as socket:
        tab = Entered(socket)
        tab.play()
        for one in paths:
            assert post(client, one, asked, 400)["sentence"].startswith("The game has gone on in the meantime")
        first = post(client, path, {})["at"]
        assert post(client, path, {**asked, "at": first})["fields"]["seats"][0]["rubles"] == 9
        socket.send_json({"do": "undo"})
        tab.position = tab.heard("position")
        assert post(client, path, asked)["at"] == asked["at"], "it is the position of before"
        tab.play()
        second = post(client, path, {})["at"]
        assert first.partition("-")[0] == second.partition("-")[0] and first != second, "as many decisions, others"
        for one in paths:
            assert post(client, one, {**asked, "at": first}, 400)["sentence"].startswith("The game has gone on")


@pytest.mark.full
def test_positions_with_hidden_hands_stay_hidden(client: TestClient) -> None:
    variant = {"players": 2, "fourth_guild": "archivists"}
    name = post(client, "/api/games", {"variant": variant, "seats": ["you", "greedy"]}, 201)["id"]
    assert "hidden" in post(client, f"/api/games/{name}/position", {}, 400)["sentence"]


def test_what_is_missing_or_impossible_begins_no_game(client: TestClient) -> None:
    body = typed()
    body["setup"]["dice"].pop("red")
    assert "still missing: 1 die" in post(client, "/api/tables/play", body, 400)["sentence"]
    body["setup"]["market"][0] = "bread"
    assert "unknown market tile" in post(client, "/api/tables/play", body, 400)["sentence"]


def test_the_box_is_shown_changed_and_taken_away(client: TestClient) -> None:
    box = client.get("/api/box").json()
    shares = {share["part"]: share for share in box["shares"]}
    assert shares["cards base"]["total"] == 10 and not box["doubts"]
    known = {"cards": {"base": [OWN]}, "track": box["usual"]["track"], "market": {"lumber": 1}}
    post(client, "/api/box", {"version": box["version"], "known": known})
    changed = client.get("/api/box").json()
    assert changed["version"] == box["version"] + 1 and changed["known"] == known
    assert any("lumber" in sentence for sentence in changed["doubts"])
    stale = post(client, "/api/box", {"version": box["version"], "known": {}}, 400)
    assert "changed elsewhere" in stale["sentence"]
    for wrong in ({"version": "1", "known": {}}, {"version": 1, "known": []}, {"version": 1, "known": {"track": [0]}}):
        post(client, "/api/box", wrong, 400)
    answer = client.get("/api/box/mine.toml")
    assert 'filename="mine.toml"' in answer.headers["content-disposition"]
    assert OWN in tomllib.loads(answer.text)["cards"]["base"]
    assert "specialists" in tomllib.loads(client.get("/api/box/box.toml").text)
    assert client.get("/api/box/other.toml").status_code == 404
    post(client, "/api/box", {"version": changed["version"], "known": {}})


def test_a_database_of_the_version_before_gets_the_tables(tmp_path: Path) -> None:
    Store(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DROP TABLE laid_out")
        db.execute("DROP TABLE box")
        for column in ("entered", "coach", "so_far", "study", "branch"):
            db.execute(f"ALTER TABLE games DROP COLUMN {column}")
        db.execute("PRAGMA user_version = 2")
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        assert client.get("/api/tables").json() == [] and client.get("/api/box").json()["version"] == 0
        assert client.get("/api/games").json()["games"] == []
