"""Tests of the responses of `rc serve`, without a browser: games, hints, studies, and refusals."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from web_games import ask, choice

from rc_env import Engine, Ruleset, agents
from rc_env.apps.web import app as web
from rc_env.apps.web import compiling, guard, workers
from rc_env.apps.web.board import draw
from rc_env.apps.web.places import action_places
from rc_env.apps.web.table import Table
from rc_env.arena.match import play_match
from rc_env.record import Recorder, parse, positions
from rc_env.render.view import view

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1:8000"
SHORT = {"players": 2, "turn_limit": 8}
CRASHING = "web_games:Crashing"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> web.Server:
    return web.Server(tmp_path_factory.mktemp("served"), bots=[CRASHING], grace=0.2)


@pytest.fixture(scope="module")
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
        state = "over" if message["over"] else "mine" if message["mine"] else "broken" if message["broken"] else "bots"
        if state in states:
            return message
        assert state not in ("broken", "over"), message


def live(client: TestClient, name: str, layout: str = "wide", pace: str = "") -> Any:
    return client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout={layout}&pace={pace}")


def test_a_tab_that_steps_sees_no_decision_unasked(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rc_env.apps.web.live.USUAL_PACE", 0.0)
    with live(client, begin(client, ["greedy", "greedy"], turn_limit=20), pace="step") as socket:
        for number in range(4):
            assert socket.receive_json()["at"] == number
            time.sleep(0.1)  # long enough for a decision of this bot
            socket.send_json({"do": "fly"})
            assert socket.receive_json()["type"] == "refused"
            socket.send_json({"do": "step"})
    with live(client, begin(client, ["greedy", "greedy"], turn_limit=20), pace="much") as socket:
        until(socket, "over")


def test_a_game_is_played_to_its_end_and_is_the_engines(client: TestClient) -> None:
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
        words = {number: engine.action_to_text(number) for number in legal}
        # As the engine has them, but the most of a material comes first.
        legal.sort(key=lambda n: -int(words[n].split()[1]) if words[n].startswith("take ") else 0)
        assert [one["number"] for one in message["actions"]] == (legal if message["mine"] else [])
        assert [one["words"] for one in message["actions"]] == [words[n] for n in legal][: len(message["actions"])]


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
        one.send_json({"do": "preview", "action": wrong})  # it comes late, which is no fault of the person: no answer
        one.send_json({"do": "preview", "action": legal[0], "version": message["version"] - 1})
        one.send_json({"do": "play", "action": wrong, "at": 0})
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


def test_a_preview_of_a_turn_that_brings_chance_says_so_and_shows_no_outcome() -> None:
    """Each action of a solo game is played in the engine many times: what a preview shows is alike in all of them."""
    table = Table(Ruleset(1), ["you"], 3)
    rng, engine, sentences = np.random.default_rng(3), Engine(Ruleset(1), 20), set()
    while table.game.played < 25:
        board = table.board("wide", 0)
        for action in table.actions():
            found = workers.preview(table.snapshot(), action["number"], "wide")
            sentences.add(found["chance"])
            engine.restore(table.game.engine.clone(np.zeros(20, np.int64)))
            engine.step(np.full(20, action["number"]))
            for game in engine.games[: 20 if found["chance"] else 1]:
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
        legal = {action["number"]: action["phrase"] for action in message["actions"]}
        assert found[0]["best"] is None and not found[0]["rows"] and found[0]["sentence"]
        assert legal[found[1]["best"]] in found[1]["sentence"] and not found[1]["rows"]
        assert {row["number"] for row in found[2]["rows"]} == set(legal)
        assert all(row["visits"] == 0 or 0 <= row["chance"] <= 1 for row in found[2]["rows"])
        assert sum(row["visits"] for row in found[2]["rows"]) > 50
        assert found[2]["rows"][0]["number"] == found[2]["best"]
        socket.send_json({"do": "hint", "level": 4})
        chances = socket.receive_json()
        shares = [int(share) for share in re.findall(r"(\d+)%", chances["sentence"])]
        assert chances["best"] is None and not chances["rows"] and len(shares) == 2 and 99 <= sum(shares) <= 101
        socket.send_json({"do": "hint", "level": 5})
        assert socket.receive_json()["type"] == "refused"


def test_a_bot_that_crashes_is_a_sentence_at_its_table_and_the_game_can_go_on(client: TestClient) -> None:
    broken, sound = begin(client, ["you", CRASHING], turn_limit=12), begin(client, ["greedy", "random"])
    with live(client, broken) as one, live(client, sound) as other:
        for socket in (one, other):
            socket.send_json({"do": "pace", "seconds": 0})
        message = until(one, "mine")
        while not message["broken"]:
            one.send_json({"do": "play", "action": message["actions"][-1]["number"], "at": message["at"]})
            message = until(one, "mine", "broken")
        said = r"bot crashing: RuntimeError raised \(out of ideas <b>now</b>\) at web_games\.py, line \d+\."
        assert re.fullmatch(said, message["broken"])
        assert not message["over"] and not message["mine"]
        one.send_json({"do": "undo"})
        assert until(one, "mine")["broken"] == "", "the person may choose otherwise"
        one.send_json({"do": "redo"})
        assert until(one, "broken")["redo"] == 0, "it fails again"
        one.send_json({"do": "retry", "bot": "nobody:nothing"})
        assert "bot 'nobody:nothing'" in one.receive_json()["sentence"]
        one.send_json({"do": "retry", "bot": "random"})
        message = until(one, "mine", "over")
        assert message["names"] == ["you", "random"] and message["broken"] == ""
        assert until(other, "over")["results"]
    (row,) = (row for row in client.get("/api/games").json()["games"] if row["id"] == broken)
    assert row["seats"] == ["you", "random"]


@pytest.mark.parametrize(
    ("name", "limit", "sentence"),
    [
        ("Leaving", 8.0, "its process ended"),
        pytest.param("Hanging", 3.0, "there was no answer within 3 seconds", marks=pytest.mark.long),
    ],
)
def test_a_bot_whose_process_dies_or_hangs_is_a_sentence_and_others_go_on(
    name: str, limit: float, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = f"web_games:{name}"
    with TestClient(web.Server(tmp_path, bots=[bot]).app, base_url=HOME) as client:
        hung, sound = begin(client, [bot, "you"]), begin(client, ["greedy", "you"])
        with live(client, hung) as one, live(client, sound) as other:
            other.send_json({"do": "pace", "seconds": 0})
            last = until(other, "mine")
            monkeypatch.setattr(workers, "HUNG_SECONDS", limit)  # a process has begun by now
            one.send_json({"do": "pace", "seconds": 0})
            message = until(one, "mine", "broken")
            while not message["broken"]:
                one.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
                message = until(one, "mine", "broken")
            assert message["broken"].startswith(f"bot {bot}: {sentence}")
            one.send_json({"do": "retry"})
            until(one, "bots")
            other.send_json({"do": "play", "action": last["actions"][0]["number"], "at": last["at"]})
            assert until(other, "mine", "bots")["at"] == last["at"] + 1, "others do not wait for it"
            one.send_json({"do": "resign"})
            assert until(one, "over")["ended"].endswith(
                "has given the game up: it ends here for all, and no result counts."
            ), "a thought is dropped at once"


def test_a_game_outlives_tabs_and_the_server(server: web.Server, client: TestClient) -> None:
    name = begin(client, ["greedy", "you"], turn_limit=40)
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        for _ in range(4):
            message = until(socket, "mine")
            socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": message["at"]})
        message = until(socket, "mine")
    closed(server)
    with live(client, name) as socket:
        assert until(socket, "mine")["at"] == message["at"], "the freed game must open again"
    closed(server)
    with TestClient(web.Server(server.store.folder).app, base_url=HOME) as after:
        listed = after.get("/api/games").json()["games"][0]
        assert listed["id"] == name and listed["unfinished"] and "you (blue) against Apprentice" in listed["words"]
        with live(after, name) as socket:
            again = until(socket, "mine")
            for key in ("at", "words", "actions", "score", "undo", "names"):
                assert again[key] == message[key]
            socket.send_json({"do": "undo"})
            assert until(socket, "mine")["at"] < message["at"]


def closed(server: web.Server) -> None:
    """Wait until no game is open."""
    for _ in range(600):
        if not server.tables.owners:
            return
        time.sleep(0.02)
    pytest.fail("a game without tabs must be freed")


def test_a_finished_game_keeps_its_result_in_every_tab_and_can_be_played_again(
    server: web.Server, client: TestClient
) -> None:
    name = begin(client, ["you", "random"])
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        while not (message := until(socket, "mine", "over"))["over"]:
            socket.send_json({"do": "new_dice"})
            until(socket, "mine")
            socket.send_json({"do": "play", "action": message["actions"][-1]["number"], "at": message["at"]})
    closed(server)
    row = client.get("/api/games").json()["games"][0]
    best = max(score["prestige"] for score in message["results"])
    assert row["new_dice"] and not row["unfinished"] and f"won, {best} to " in row["result"]
    assert row["variant"] == "2 players, at most 8 turns" and row["seats"] == ["you", "random"]
    with live(client, name) as socket, live(client, name) as other:
        for tab in (socket, other):
            shown = tab.receive_json()
            for key in ("results", "ended", "score", "words", "names", "at", "over"):
                assert shown[key] == message[key]
            assert len(shown["events"]["lines"]) >= message["at"] and not shown["mine"]
        socket.send_json({"do": "undo"})
        assert socket.receive_json()["type"] == "refused"
    for deal in ("same", "new"):
        again = client.post(f"/api/games/{name}/again", json={"deal": deal}).json()["id"]
        with live(client, again) as socket:
            begun = socket.receive_json()
        assert begun["names"] == ["you", "random"] and (begun["seed"] == 7) == (deal == "same") and begun["at"] == 0
    assert client.post(f"/api/games/{name}/again", json={"deal": "other"}).status_code == 400
    archive = zipfile.ZipFile(io.BytesIO(client.get("/api/records.zip").content))
    assert archive.read(f"game-{name}.rcr").decode() == client.get(f"/api/games/{name}/record").text
    with live(client, name) as socket:
        socket.receive_json()
        assert client.delete(f"/api/games/{name}").status_code == 200
        assert socket.receive_json() == {"type": "gone", "sentence": "This game was deleted."}
    assert name not in [game["id"] for game in client.get("/api/games").json()["games"]]
    assert client.delete(f"/api/games/{name}").status_code == 400


def test_a_tab_that_connects_again_gets_what_it_lacks(client: TestClient) -> None:
    name = begin(client, ["you", "greedy"], turn_limit=40)
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        first = until(socket, "mine")
    with live(client, name) as socket:
        socket.send_json({"do": "play", "action": first["actions"][-1]["number"], "at": first["at"]})
        until(socket, "mine")
        whole = len(json.dumps(socket_state(client, name)))
    later = socket_state(client, name, after=first["version"])
    assert "panels" not in later and later["events"]["from"] == len(first["events"]["lines"])
    assert len(json.dumps(later)) < whole / 3
    for after in (0, first["version"] - 99, "x"):
        assert "panels" in socket_state(client, name, after=after)


def socket_state(client: TestClient, name: str, **query: Any) -> dict[str, Any]:
    words = "".join(f"&{key}={value}" for key, value in query.items())
    with client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout=wide{words}") as socket:
        return socket.receive_json()


def test_games_of_earlier_versions_are_taken_over_once(tmp_path: Path, text: str) -> None:
    for place, name in (("games", "0" * 16), ("studies", "1" * 16)):
        (tmp_path / place).mkdir()
        (tmp_path / place / f"{name}.rcr").write_text(text)
        (tmp_path / place / f"{'2' * 16}.rcr").write_text("no record")
    for listed in (1, 0):
        with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
            games = client.get("/api/games").json()["games"]
            assert [game["id"] for game in games] == ["0" * 16] * listed
            if listed:
                assert client.get(f"/api/studies/{'1' * 16}").status_code == 200
                assert games[0]["seats"] == ["somebody", "somebody"] and " won, " in games[0]["result"]
                assert "results" in socket_state(client, "0" * 16)
                again = client.post(f"/api/games/{'0' * 16}/again", json={"deal": "new"})
                assert again.status_code == 400 and "not known who" in again.json()["sentence"]
                client.delete(f"/api/games/{'0' * 16}")
    assert (tmp_path / "games" / f"{'0' * 16}.rcr").exists()


def test_new_dice_are_still_those_of_a_game_that_is_opened_again(client: TestClient, server: web.Server) -> None:
    name = begin(client, ["you", "greedy"], turn_limit=30)
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        message = until(socket, "mine")
        socket.send_json({"do": "play", "action": message["actions"][0]["number"], "at": 0})
        until(socket, "mine")
        socket.send_json({"do": "new_dice"})
        at = until(socket, "mine")["at"]
    dice = ask(server, name, lambda table: list(table.game._new_dice))
    closed(server)
    with live(client, name) as socket:
        assert until(socket, "mine")["at"] == at
        assert ask(server, name, lambda table: table.game._new_dice) == dice != []


def test_what_is_compiled_is_told(tmp_path: Path) -> None:
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        assert client.get("/api/progress").json()["sentence"] == ""
    builds = compiling.Builds(workers.WorkerPool(), compile=True)
    told = builds.progress()
    assert not told["base"] and told["done"] == 0 and told["total"] == 10
    assert told["sentence"].startswith("The base game is being compiled")


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
@pytest.mark.parametrize(("guild", "status"), [("archivists", 404), ("brickmakers", 200)])
def test_the_record_of_a_running_game_is_refused_only_where_contracts_are_in_play(
    client: TestClient, guild: str, status: int
) -> None:
    name = begin(client, ["you", "greedy"], seed=11, fourth_guild=guild, contractors=True)
    assert client.get(f"/api/games/{name}/record").status_code == status
    assert (client.post("/api/studies", json={"game": name}).status_code == 201) == (status == 200)


@pytest.mark.full
def test_hidden_hands_stay_hidden(server: web.Server, client: TestClient) -> None:
    name = begin(client, ["you", "greedy"], seed=11, fourth_guild="archivists", turn_limit=200)
    me = agents.make("greedy")
    with live(client, name) as socket:
        socket.send_json({"do": "pace", "seconds": 0})
        sent = []
        message = until(socket, "mine", "over")
        while not message["over"]:
            socket.send_json({"do": "play", "action": choice(server, name, me), "at": message["at"]})
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


def test_a_record_is_studied(server: web.Server, client: TestClient, text: str) -> None:
    name, record = study(client, text), parse(text)
    assert study(client, text) == name, "the link to the study must stay the same"
    data = client.get(f"/api/studies/{name}").json()
    assert [move[1] for move in data["moves"]] == [line["action"] for line in record.decisions]
    rows: list[dict[str, Any]] = []
    while True:
        found = client.get(f"/api/studies/{name}/analysis?from={len(rows)}&at=9").json()
        assert found["failed"] == "" and found["total"] == len(record.decisions)
        rows += found["rows"]
        if found["done"] == found["total"]:
            break
    assert 9 in [row["number"] for row in rows[:4]], "what is looked at comes first"
    assert sorted(row["number"] for row in rows) == list(range(len(record.decisions)))
    for row in rows:
        line = record.decisions[row["number"]]
        assert row["seat"] == line["seat"] and row["line"][0] == [row["seat"], row["phrases"][row["best"]]]
        assert (row["loss"]["pairs"] == 0) == (row["best"] == line["action"])
        assert data["phrases"][row["number"]] == row["phrases"][line["action"]]
        said = row["verdict"]
        assert row["phrases"][row["best"]] in f"{said['sentence']}{said['searched']}"
        assert (said["loss"] == "") == (said["measured"] == []) == (row["loss"]["pairs"] == 0)
        assert (row["best"] in row["answers"]) == (row["loss"]["pairs"] > 0)
        assert set(row["answers"]) <= set(row["phrases"])
    sums = found["balance"]
    assert all(abs(sum(one) - 1) < 0.01 for one in sums["chances"])
    parts = [sums[part] for part in ("start", "luck", "skill", "others", "rest")]
    assert [sum(part) for part in zip(*parts, strict=True)] == pytest.approx(sums["result"]) == data["result"]
    board = client.get(f"/api/studies/{name}/board.svg?at=0").text
    assert board != client.get(f"/api/studies/{name}/board.svg?at=0&ahead=1").text
    copy = parse(client.get(f"/api/studies/{name}/record").text)
    assert copy.decisions[3]["value"] and copy.decisions[3]["policy"] and copy.result == record.result
    found = client.get(f"/api/studies/{name}/policies?at=0&bot=net&bot=greedy").json()
    assert found["bots"] == ["net", "greedy"]
    for column in (1, 2):
        assert abs(sum(row[column] for row in found["rows"]) - 1) < 0.01
    assert client.get(f"/api/studies/{name}/board.svg?at=4&theme=dark").text.startswith("<svg")
    with TestClient(web.Server(server.store.folder).app, base_url=HOME) as again:
        assert again.get(f"/api/studies/{name}").json() == data, "the link must still work after a restart"
        assert again.get(f"/api/studies/{name}/analysis").json()["done"] == len(rows), "and nothing is judged again"
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
        (b"", "the text is empty"),
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
            assert client.delete("/api/games/x", headers=headers).status_code == 403, headers
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
    with TestClient(web.Server(tmp_path, host="0.0.0.0").app, base_url=HOME) as client:
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
        (b"[]", "not a JSON object"),
        (b"{", "not a JSON object"),
        ({"variant": {"players": 5}}, "players must be a whole number from 1 to 4, not 5"),
        ({"variant": {"players": True}}, "players must be a whole number, not True"),
        ({"variant": {"data": "/etc/passwd"}}, "variant has no setting 'data'"),
        ({"variant": [], "seats": []}, "variant must be its settings by name, not []"),
        ({"seats": ["you"]}, "seats must name 2, one per seat; got 1"),
        ({"seats": "you"}, "seats must name 'you' or a bot for each seat, not 'you'"),
        ({"seats": ["you", "os:abort"]}, "bot 'os:abort' is not offered"),
        ({"seats": ["you", "greedily"]}, "bot 'greedily' is not offered"),
        ({"seats": ["you", "search:simulations=x"]}, "simulations"),
        ({"seats": ["you", "greedy"], "seed": -1}, "seed must be a whole number from 0 on, not -1"),
        ({"seats": ["you", "greedy"], "seed": 1.5}, "seed must be a whole number from 0 on, not 1.5"),
    ],
)
def test_a_wrong_game_is_refused_in_a_sentence(client: TestClient, asked: Any, words: str) -> None:
    answer = client.post("/api/games", content=asked if isinstance(asked, bytes) else json.dumps(asked))
    assert answer.status_code == 400 and words in answer.json()["sentence"]
