"""Tests of the coach while one plays: why an action is better, what it says of it, and how it stops a game."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra web is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")

from starlette.testclient import TestClient
from web_games import ask

from rc_env import Engine, Ruleset, agents, play_match
from rc_env.apps.table import lessons
from rc_env.apps.table.actions import legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.phrases import past, prompt
from rc_env.apps.table.players import Bots
from rc_env.apps.terminal.dialogue import Dialogue, Lines
from rc_env.apps.web import app as web
from rc_env.apps.web import live, store, workers
from rc_env.apps.web.branches import Branch
from rc_env.apps.web.so_far import SoFar
from rc_env.apps.web.table import Table
from rc_env.apps.web.teaching import Teaching
from rc_env.arena.evaluation import Evaluation
from rc_env.arena.studies.analysis import Loss
from rc_env.arena.studies.reasons import IN_HAND, ON_TRACK, Contrast, Reasons, reasons
from rc_env.record import Recorder, parse
from rc_env.render.view import view
from rc_env.rules.printed.sizes import MATERIAL_NAMES

pytestmark = pytest.mark.slow

HOME = "http://127.0.0.1:8000"


# --- reasons


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"players": 1},
        pytest.param({"contractors": True, "fourth_guild": "archivists"}, marks=pytest.mark.full),
    ],
)
def test_the_parts_of_a_difference_add_up_to_it(variant: dict[str, Any]) -> None:
    ruleset = Ruleset(**variant)
    engine, evaluation = Engine(ruleset, 1, 5), Evaluation(ruleset)
    engine.play_random(30)
    game = engine.clone(same_future=True)
    before = engine.results().track[0]
    legal = np.flatnonzero(engine.legal_mask()[0])
    found = reasons(evaluation, game, int(legal[-1]), int(legal[0]), 4, 3)
    for seat in range(ruleset.seats):
        parts = [*found.parts[seat].values(), *found.towers[seat]]
        for which in ("better", "worse"):
            whole = sum(getattr(part, which) for part in parts)
            assert whole + before[seat] == pytest.approx(getattr(found.prestige[seat], which)), (seat, which)
        assert sum(part.more for part in parts) == pytest.approx(found.prestige[seat].more)
    assert set(found.parts[0]) == {*ON_TRACK, *IN_HAND} and set(found.held) == {*MATERIAL_NAMES, "rubles", "spaces"}
    for which in ("better", "worse"):
        assert sum(getattr(plan, which) for plan in found.plans.values()) <= 1
        moves = sum(getattr(plan, which) for words, plan in found.plans.items() if words.startswith("move"))
        assert sum(getattr(goal, which) for goal in found.goals.values()) == pytest.approx(moves)
    assert all(plan == "build" or plan.split()[0] in ("move", "claim", "send") for plan in found.plans)
    same = reasons(evaluation, game, int(legal[0]), int(legal[0]), 4, 3)
    if not ruleset.full:  # what is hidden is drawn anew for each play-out
        assert all(part.more == 0 for part in [*same.prestige, *same.most, *same.finishes.values()])


def test_reasons_are_of_the_play_outs_that_measure_the_loss() -> None:
    ruleset = Ruleset()
    engine, evaluation = Engine(ruleset, 1, 5), Evaluation(ruleset)
    engine.play_random(40)
    game, legal = engine.clone(same_future=True), np.flatnonzero(engine.legal_mask()[0])
    found = reasons(evaluation, game, int(legal[0]), int(legal[-1]), 6, 3)
    keys = np.random.default_rng(3).integers(2**64, size=6, dtype=np.uint64)
    actions = np.repeat(legal[[0, -1]], 6)
    leads = evaluation.ends(game, np.zeros(12, np.int64), actions, np.tile(keys, 2)).leads.reshape(2, 6, 2).mean(1)
    one, other = found.prestige
    assert leads[:, 0] == pytest.approx([one.better - other.better, one.worse - other.worse])


def made_up(**parts: Contrast) -> Reasons:
    """Reasons of red in which nothing else differs."""
    same = Contrast(1, 1, 0)
    own = {**dict.fromkeys([*ON_TRACK, *IN_HAND], same), **parts}
    towers = [[same, same, Contrast(4, 2, 0.2), Contrast(0, 2, 2)], [same, same, Contrast(0, 3, 0.2), same]]
    return Reasons(
        seat=0,
        pairs=48,
        parts=[own, dict.fromkeys([*ON_TRACK, *IN_HAND], same)],
        towers=towers,
        prestige=[Contrast(20, 16, 0.5), Contrast(12, 15, 0.5)],
        most=[same, same, Contrast(0.9, 0.25, 0.05), same],
        by_most=[0.0, 0.0, 1.4, 0.0],
        finishes={(0, 0): Contrast(0.9, 0.4, 0.1), (1, 2): same},
        next_section=Contrast(2, 3.5, 0.2),
        plans={"build": Contrast(0.1, 0.6, 0.05), "move the red die": Contrast(0.8, 0.2, 0.05)},
        goals={"move the red die to space 3": Contrast(0.4, 0, 0.05)},
        held={"gold": Contrast(2, 1, 0), "rubles": Contrast(1, 4.25, 0.1), "green_gem": Contrast(1, 0, 2)},
        last=0.0,
    )


def test_reasons_are_told_in_the_order_of_what_they_bring() -> None:
    shown = view(Ruleset(), Engine().games[0])
    found = made_up(sections=Contrast(6, 5.2, 0.1), ornaments=Contrast(0, 1.5, 0.3), guilds=Contrast(5, 1, 3))
    soon, later = lessons.why_words(shown, found, "claim 1 from inventory")
    assert soon == [
        "You have 1 gold more when your next turn begins, but 3.2 rubles less.",
        "Your next turn is then to move the red die (in 80 of 100 games instead of 20).",
    ]
    assert later == [
        "Blue gets 3.0 prestige less, most of it in tower 3.",
        "Tower 3 brings you 2.0 prestige more: you have most there (in 90 of 100 games instead of 25).",
        "Finished sections bring you 0.8 prestige more: "
        "you finish the base of tower 1 (in 90 of 100 games instead of 40).",
        "You finish your next section 1.5 turns sooner.",
    ]
    assert (
        lessons.in_return_words(found)
        == "In return, if the coach plays on from what you did, ornaments bring you 1.5 prestige more."
    )
    soon, later = lessons.why_words(shown, found._replace(last=1.0), "claim 1 from inventory")
    assert not any("gold" in sentence for sentence in soon)
    assert "You have 1 gold more at the end of the game, but 3.2 rubles less." in later
    even = found._replace(
        towers=[[Contrast(1, 1, 0)] * 4] * 2, prestige=[Contrast(1, 1, 0)] * 2, finishes={}, held={}, plans={},
        last=0.0, next_section=Contrast(3, 3, 0), parts=[dict.fromkeys(found.parts[0], Contrast(2, 1, 1))] * 2,
    )  # fmt: skip
    (only,) = lessons.why_words(shown, even, "build").later
    assert only.startswith("No single part") and not lessons.in_return_words(even)


def test_a_reason_is_named_only_where_it_carries_the_number() -> None:
    shown, found = view(Ruleset(), Engine().games[0]), made_up()
    elsewhere = found._replace(by_most=[0.0, 0.0, 0.9, 0.0], prestige=[Contrast(20, 16, 0.5), Contrast(12, 19, 0.5)])
    later = lessons.why_words(shown, elsewhere, "build").later
    assert "Tower 3 brings you 2.0 prestige more." in later
    assert "Blue gets 7.0 prestige less." in later, "3 of 7 are not most of it"
    first = {**found.parts[1], "ending": Contrast(0, 1.6, 0.1)}
    bonus = found._replace(
        parts=[found.parts[0], first], prestige=[Contrast(1, 1, 0), Contrast(3, 4.8, 0.1)],
        towers=[[Contrast(1, 1, 0)] * 4] * 2,
    )  # fmt: skip
    why = lessons.why_words(shown, bonus, "build")
    assert "Blue gets 1.8 prestige less, most of it by the bonus for finishing six sections first." in why.later


def test_the_next_turn_is_named_with_its_goal_where_play_outs_agree() -> None:
    shown, found = view(Ruleset(), Engine().games[0]), made_up()._replace(next_section=Contrast(1.2, 2.5, 0.1))
    agreed = found._replace(goals={"move the red die to space 3": Contrast(0.75, 0, 0.05)})
    assert lessons.why_words(shown, agreed, "build").soon[1:] == [
        "You finish your next section 1.3 turns sooner.",
        "Your next turn is then to move the red die to space 3 (in 75 of 100 games).",
    ]
    claims = found._replace(plans={"claim a section of tower 1": Contrast(1, 0, 0)}, goals={})
    for best, words in (("claim 1 from spare", "another section"), ("claim 2 from spare", "a section")):
        plan = f"Your next turn is then to claim {words} of tower 1 (in 100 of 100 games)."
        assert lessons.why_words(shown, claims, best).soon[-1] == plan


def test_what_was_decided_is_told_in_the_past() -> None:
    verbs = {
        "move": "moved", "claim": "claimed", "place": "placed", "take": "took", "use": "used", "activate": "activated",
        "give": "gave", "swap": "swapped", "deliver": "delivered", "put": "put", "set": "set", "leave": "left",
        "let": "let", "end": "ended", "roll": "rolled", "choose": "chose", "keep": "kept", "return": "returned",
        "send": "sent", "engage": "engaged", "dismiss": "dismissed", "spend": "spent", "discard": "discarded",
        "pass,": "passed,",
    }  # fmt: skip
    for verb, did in verbs.items():
        assert past(f"{verb} the red die") == f"{did} the red die"


def test_the_prompt_names_only_what_the_space_still_gives() -> None:
    game = Game(Ruleset(), [YOU, "greedy"], 7)
    move = next(one for one in legal_actions(game) if one.words == "move red")
    game.play(move.number)
    words = [one.words for one in legal_actions(game)]
    assert prompt(game.view, words) == "Your die is on space 6: take what it gives or use the guild."
    assert prompt(game.view, ["obtain", "done"]) == "Your die is on space 6: take what it gives."
    assert prompt(game.view, ["done"]).startswith("Space 6 gives no more now: end the visit")


def test_a_mistake_is_told_from_its_size_on_if_it_is_beyond_doubt() -> None:
    loss = Loss(lost=0.12, error=0.03, prestige=2.04, certain=True)
    assert (
        lessons.cost_words(loss)
        == "It costs you about 12 of 100 games among equals (± 6), and 2.0 prestige of your lead."
        == lessons.cost_words(loss, "against Ivan").replace("against Ivan", "among equals")
    )
    assert lessons.cost_words(Loss(lost=0.3, error=0.1)) == "It costs you about 30 of 100 games among equals (± 20)."
    assert loss.is_at_least("mistake") and not loss.is_at_least("blunder")
    assert not Loss(lost=0.3).is_at_least("blunder")
    behind = Loss(lost=0.0, prestige=3.1, prestige_error=0.5, certain=True, hopeless=True)
    assert behind.size == "mistake" and lessons.cost_words(behind) == (
        "It costs you about 3.1 prestige (± 1.0); hardly a game is won from here any more."
    )


# --- the coach of a game

MISTAKE = {"lesson": {
    "size": "blunder", "turn": 1, "decision": "Turn 1: you did something.",
    "cost": "It costs you about 30 of 100 games.", "why": {"soon": [], "later": ["Why."]}, "in_return": "",
    "played": {}, "best": {"number": 1, "phrase": "do better", "note": "", "places": []},
}, "chance": None}  # fmt: skip
NONE: dict[str, Any] = {"lesson": None, "chance": None}


def test_what_was_taken_back_is_forgotten_and_counted() -> None:
    teaching = Teaching()
    assert teaching.ask(0, 0, 0.0) is None
    with pytest.raises(ValueError, match=r"^the coach is .*off.*, not 'loud'"):
        teaching.set(0, "loud")
    teaching.set(0, "mistakes")
    first, second, third = (teaching.ask(at, 0, 0.0) for at in (0, 1, 2))
    assert first and second and third and first.least == "mistake"
    assert teaching.answered(second, MISTAKE, stops=True) and teaching.answered(first, NONE, stops=True)
    assert teaching.lesson(0) == (second, MISTAKE["lesson"]) and teaching.lesson(1) is None
    teaching.cut(1)
    assert teaching.lesson(0) is None and not teaching.answered(third, MISTAKE, stops=True)
    kept = {"level": "mistakes", "looked": 2, "mistakes": 1, "taken_back": 1}
    assert teaching.kept() == {"0": {**kept, "open": []}}
    again = Teaching(teaching.kept())
    assert again.pupils == teaching.pupils and not again.asked
    fourth = again.ask(1, 0, 0.0)
    assert fourth and not again.answered(fourth, None, stops=True) and again.pupils[0].looked == 2
    again.set(0, "off")
    assert again.ask(2, 0, 0.0) is None


def test_what_the_coach_is_about_to_say_is_looked_at_anew() -> None:
    teaching = Teaching()
    for seat, level in ((0, "mistakes"), (1, "blunders")):
        teaching.set(seat, level)
    first, second, third = teaching.ask(0, 0, 0.0), teaching.ask(2, 1, 0.0), teaching.ask(3, 0, 0.0)
    assert first and second and third and teaching.answered(first, MISTAKE, stops=True)
    kept = teaching.kept()
    assert kept["0"] == {"level": "mistakes", "looked": 0, "mistakes": 0, "taken_back": 0, "open": [0, 3]}
    assert kept["1"]["open"] == [2]
    again = Teaching(kept)
    assert [(one.at, one.seat, one.least) for one in again.asked] == [
        (0, 0, "mistake"), (2, 1, "blunder"), (3, 0, "mistake"),
    ]  # fmt: skip
    assert again.answered(again.asked[0], MISTAKE, stops=True) and again.pupils[0] == teaching.pupils[0]
    for wrong in ("0", [-1], [1.5], ["0"], None):
        with pytest.raises(ValueError, match="that the coach looks at"):
            Teaching({"0": {**kept["0"], "open": wrong}})


def test_hardly_any_decision_of_a_seat_that_is_far_behind_costs_games() -> None:
    teaching = Teaching()
    teaching.set(0, "mistakes")
    for at, chance, words in ((0, 0.5, ""), (1, 0.04, "below 5 "), (2, None, "below 5 "), (3, 0.97, "above 95 ")):
        asked = teaching.ask(at, 0, 0.0)
        assert asked and teaching.answered(asked, {"lesson": None, "chance": chance}, stops=True)
        assert teaching.outlook(0).partition("of 100")[0] == (f"Your chances were {words}" if words else "")
    teaching.cut(3)
    assert teaching.outlook(0) == "", "what was taken back is not known any more"
    assert teaching.outlook(1) == ""


class Advised:
    """A server whose coach says what a test wants, once the test lets it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.server = web.Server(folder, grace=0.2)
        self.found: list[dict[str, Any]] = []
        self.asked: list[tuple[Any, ...]] = []
        monkeypatch.setattr(self.server._workers, "lesson", self.lesson)

    def wait(self, count: int) -> None:
        """Wait until it has been asked about so many decisions."""
        end = time.monotonic() + 60
        while len(self.asked) < count:
            assert time.monotonic() < end
            time.sleep(0.01)

    async def lesson(self, *asked: Any) -> dict[str, Any]:
        self.asked.append(asked)
        number = len(self.asked) - 1
        while len(self.found) <= number:
            await asyncio.sleep(0.01)
        return self.found[number]


@pytest.fixture
def advised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Advised:
    return Advised(tmp_path, monkeypatch)


@pytest.fixture
def client(advised: Advised) -> Iterator[TestClient]:
    with TestClient(advised.server.app, base_url=HOME) as made:
        yield made


def begin(client: TestClient, seats: list[str], **more: Any) -> tuple[str, list[str]]:
    """Begin a game; returns its id, and the keys of its seats."""
    answer = client.post("/api/games", json={"variant": {"players": len(seats)}, "seats": seats, "seed": 7, **more})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"], list(answer.json()["keys"].values())


class Tab:
    """A tab that shows a game."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.position = self.heard("position")
        self.send(do="pace", seconds=0)

    def send(self, **asked: Any) -> None:
        self.socket.send_json(asked)

    def heard(self, kind: str) -> dict[str, Any]:
        while (message := self.socket.receive_json())["type"] != kind:
            assert message["type"] in ("position", "coach", "present"), message
        if kind == "position":
            self.position = message
        return dict(message)

    def play(self, number: int = 0) -> dict[str, Any]:
        action = self.position["actions"][number]
        self.send(do="play", action=action["number"], at=self.position["at"])
        return self.heard("position")

    def turn(self) -> int:
        """Play first actions until the turn is over; returns how many decisions that took."""
        before, count = self.position["turn"], 0
        while self.position["turn"] == before:
            self.play()
            count += 1
        return count


def tab(client: TestClient, name: str, *keys: str) -> Any:
    words = "".join(f"&key={key}" for key in keys)
    return client.websocket_connect(f"ws://127.0.0.1:8000/api/games/{name}/live?layout=wide{words}")


def test_bots_wait_for_the_coach_and_a_mistake_is_taken_back(
    client: TestClient, advised: Advised, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 600.0)
    name, _ = begin(client, ["you", "greedy"], coach={"0": "blunders"})
    with tab(client, name) as socket, tab(client, name) as second:
        here, there = Tab(socket), Tab(second)
        count = here.turn()
        assert here.position["seat"] == 1
        advised.wait(count)
        assert {asked[3] for asked in advised.asked} == {"blunder"}
        at, played = int(advised.asked[-1][0].row["decisions"][0]), here.position["at"]
        time.sleep(0.5)
        assert ask(advised.server, name, lambda table: table.game.played) == played, "the bot waits for the coach"
        advised.found += [NONE] * (count - 1) + [MISTAKE]
        for one in (here, there):
            for _ in range(count):
                coach = one.heard("coach")["coach"]
            assert coach["lesson"]["at"] == at and coach["lesson"]["stays"] == "" and coach["lesson"]["since"] == 0
            assert (coach["looked"], coach["mistakes"]) == (count, 1)
        time.sleep(0.3)
        assert ask(advised.server, name, lambda table: table.game.played) == played, "and for the person"
        with tab(client, name) as third:
            assert Tab(third).position["coach"] == coach, "a page that is loaded anew shows it, too"
        here.send(do="lesson", at=at + 1, answer="back")
        assert "nothing to say" in here.heard("refused")["sentence"]
        there.send(do="lesson", at=at, answer="back")
        back = here.heard("position")
        assert back["at"] == at and back["mine"] and back["coach"]["lesson"] is None
        assert back["coach"]["taken_back"] == 1
        advised.found.append(MISTAKE)
        here.play()
        coach = here.heard("coach")["coach"]
        assert coach["mistakes"] == 2
        here.send(do="lesson", at=coach["lesson"]["at"], answer="on")
        assert here.heard("coach")["coach"]["lesson"] is None
        while not here.position["mine"]:
            here.heard("position")
        assert here.position["coach"]["taken_back"] == 1
        here.send(do="coach", level="off")
        assert here.heard("coach")["coach"]["level"] == "off"
        here.send(do="coach", level="loud")
        assert "the coach is" in here.heard("refused")["sentence"]
    end = time.monotonic() + 20
    while advised.server.tables.owners:
        assert time.monotonic() < end
        time.sleep(0.05)
    with tab(client, name) as socket:
        coach = Tab(socket).position["coach"]
        assert (coach["level"], coach["mistakes"], coach["taken_back"]) == ("off", 2, 1), "it is kept with the game"
    made = client.post(f"/api/games/{name}/again", json={"deal": "new"}).json()["id"]
    with tab(client, made) as socket:
        assert Tab(socket).position["coach"]["looked"] == 0


def test_a_server_that_starts_again_goes_on_to_say_what_it_was_about_to(
    client: TestClient, advised: Advised, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _ = begin(client, ["you", "greedy"], coach={"0": "mistakes"})
    with tab(client, name) as socket:
        here = Tab(socket)
        here.play()
        advised.found.append(MISTAKE)
        lesson = here.heard("coach")["coach"]["lesson"]
        here.play()  # this one is still being looked at
        advised.wait(2)
    client.portal.call(advised.server.tables.close)
    other = Advised(tmp_path, monkeypatch)
    with TestClient(other.server.app, base_url=HOME) as client, tab(client, name) as socket:
        here = Tab(socket)
        assert here.position["coach"]["mistakes"] == 0
        other.wait(2)
        for before, now in zip(advised.asked, other.asked, strict=True):
            for one, same in zip(before[0], now[0], strict=True):
                assert np.array_equal(one, same)
            assert before[1] == now[1] and np.array_equal(before[2], now[2]) and before[3] == now[3]
        other.found += [MISTAKE, NONE]
        assert here.heard("coach")["coach"]["lesson"] == {**lesson, "since": 1}
        coach = here.heard("coach")["coach"]
        assert (coach["looked"], coach["mistakes"]) == (2, 1)
        here.send(do="lesson", at=0, answer="back")
        assert here.heard("position")["at"] == 0


def test_a_mistake_that_is_played_again_is_looked_at_again(client: TestClient, advised: Advised) -> None:
    name, _ = begin(client, ["you", "greedy"], coach={"0": "mistakes"})
    with tab(client, name) as socket:
        here = Tab(socket)
        here.play()
        advised.found.append(MISTAKE)
        lesson = here.heard("coach")["coach"]["lesson"]
        here.send(do="lesson", at=0, answer="back")
        assert here.heard("position")["at"] == 0
        here.send(do="redo")
        assert here.heard("position")["at"] == 1
        advised.found.append(MISTAKE)
        coach = here.heard("coach")["coach"]
        assert coach["lesson"] == lesson and (coach["looked"], coach["mistakes"], coach["taken_back"]) == (2, 2, 1)
        assert len(advised.asked) == 2 and advised.asked[0][1] == advised.asked[1][1]


def test_nobody_waits_long_for_the_coach(client: TestClient, advised: Advised, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.3)
    name, _ = begin(client, ["you", "greedy"], coach={"0": "mistakes"})
    with tab(client, name) as socket:
        here = Tab(socket)
        count = here.turn()
        while not here.position["mine"]:
            here.heard("position")
        later = here.position["at"]
        advised.found += [MISTAKE] * count
        for _ in range(count):
            lesson = here.heard("coach")["coach"]["lesson"]
        assert lesson["at"] < later, "the bots have gone on; it leads back all the same"
        assert lesson["since"] == later - lesson["at"] - 1
        here.send(do="undo")
        here.heard("position")
        here.send(do="lesson", at=lesson["at"], answer="back")
        assert here.heard("position")["at"] == lesson["at"]
        here.send(do="resign")
        assert here.heard("position")["coach"]["lesson"] is None


def test_in_a_game_of_several_people_only_the_own_seat_is_coached(
    client: TestClient, advised: Advised, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "ANSWER_SECONDS", 0.5)
    name, keys = begin(client, ["you", "you", "greedy"])
    with tab(client, name, keys[0]) as one, tab(client, name, keys[1]) as other, tab(client, name) as third:
        red, blue, looking = Tab(one), Tab(other), Tab(third)
        assert looking.position["coach"] is None
        red.send(do="coach", level="mistakes")
        assert red.heard("coach")["coach"]["level"] == "mistakes"
        assert blue.heard("coach")["coach"] == {
            "seat": 1, "level": "off", "looked": 0, "mistakes": 0, "taken_back": 0, "outlook": "", "lesson": None,
        }  # fmt: skip
        looking.send(do="coach", level="mistakes")
        assert "You look on here" in looking.heard("refused")["sentence"]
        red.play()
        advised.found.append(MISTAKE)
        coach = red.heard("coach")["coach"]
        assert coach["lesson"] and blue.heard("coach")["coach"]["lesson"] is None
        assert looking.heard("coach")["coach"] is None
        blue.send(do="lesson", at=0, answer="back")
        assert "nothing to say" in blue.heard("refused")["sentence"]
        red.send(do="lesson", at=0, answer="back")
        assert red.heard("position")["at"] == 0
        advised.found += [NONE] * (red.turn() - 1) + [MISTAKE]
        while not (coach := red.heard("coach")["coach"])["lesson"]:
            pass
        assert "rolled or drawn" in coach["lesson"]["stays"] or "Others" in coach["lesson"]["stays"]
        red.send(do="lesson", at=coach["lesson"]["at"], answer="back")
        assert "cannot be undone" in red.heard("refused")["sentence"]


def test_who_plays_on_leaves_the_mistake_whose_card_was_read_as_it_is(client: TestClient, advised: Advised) -> None:
    advised.found += [MISTAKE] * 2
    name, _ = begin(client, ["you", "greedy"], coach={"0": "mistakes"})
    with tab(client, name) as socket:
        here = Tab(socket)
        for verb in ("move", "obtain"):
            here.play(next(i for i, one in enumerate(here.position["actions"]) if one["words"].startswith(verb)))
            first = here.heard("coach")["coach"]["lesson"]["at"]
            assert here.position["mine"] and first == 0, "it may have come in the same moment as a click"
        here.send(do="play", action=-1, at=2, read=first)
        assert "not legal" in here.heard("refused")["sentence"]
        here.send(do="play", action=here.position["actions"][0]["number"], at=2, read=first)
        after = here.heard("position")["coach"]
        assert after["lesson"]["at"] == 1 and (after["mistakes"], after["taken_back"]) == (2, 0)


def test_a_game_from_a_changed_position_or_a_study_keeps_the_coach(client: TestClient) -> None:
    name, _ = begin(client, ["you", "greedy"], coach={"0": "blunders"})
    with tab(client, name) as socket:
        Tab(socket).play()
    at = client.post(f"/api/games/{name}/position", json={}).json()["at"]
    changed = client.post(f"/api/games/{name}/position/play", json={"at": at, "changes": {"seats": [{"rubles": 5}]}})
    study = client.post("/api/studies", json={"game": name}).json()["id"]
    made = [changed]
    for seats, game in ((["you", "greedy"], name), (["you", "greedy"], "gone"), (["greedy", "you"], name)):
        asked = {"at": 1, "seats": seats, "dice": "same", "game": game}
        made.append(client.post(f"/api/studies/{study}/play", json=asked))
    levels = []
    for answer in made:
        assert answer.status_code == 201, answer.text
        with tab(client, answer.json()["id"]) as socket:
            levels.append(Tab(socket).position["coach"]["level"])
    assert levels == ["blunders", "blunders", "off", "off"]


@pytest.mark.parametrize("coach", [{"1": "mistakes"}, {"0": "loud"}, {"0": []}, []])
def test_a_wrong_coach_is_refused(client: TestClient, coach: Any) -> None:
    answer = client.post("/api/games", json={"seats": ["you", "greedy"], "coach": coach})
    assert answer.status_code == 400 and "coach" in answer.json()["sentence"]


@pytest.mark.full
def test_at_one_screen_the_coach_speaks_to_whoever_may_look(client: TestClient, advised: Advised) -> None:
    variant = {"players": 2, "fourth_guild": "archivists"}
    answer = client.post("/api/games", json={"variant": variant, "seats": ["you", "you"], "seed": 11}).json()
    with tab(client, answer["id"], *answer["keys"].values()) as socket:
        here = Tab(socket)
        assert here.position["awaited"] == 0 and here.position["coach"] is None
        here.send(do="coach", level="mistakes")
        assert "none here now" in here.heard("refused")["sentence"]
        here.send(do="sit")
        here.heard("position")
        here.send(do="coach", level="mistakes")
        assert here.heard("coach")["coach"]["seat"] == 0
        count = 0
        while here.position["awaited"] is None:
            here.play()
            count += 1
        advised.found += [NONE] * (count - 1) + [MISTAKE]
        for _ in advised.found:
            assert here.heard("coach")["coach"] is None, "blue is coming to the screen"
        here.send(do="sit")
        assert here.heard("position")["coach"]["lesson"] is None, "what red has done wrong is not told to blue"


@pytest.mark.long
def test_the_coach_itself_stops_at_a_blunder(tmp_path: Path) -> None:
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        name, _ = begin(client, ["you", "greedy"], coach={"0": "blunders"})
        with tab(client, name) as socket:
            here = Tab(socket)
            for words in ("claim 3 from inventory", "place white1 up"):
                places = [one["words"] for one in here.position["actions"]]
                here.play(places.index(words))
            while not (coach := here.heard("coach")["coach"])["lesson"]:
                pass
            lesson = coach["lesson"]
            assert (lesson["at"], lesson["size"], coach["mistakes"]) == (1, "blunder", 1)
            assert lesson["played"]["words"] == words and lesson["best"]["words"].endswith(" down")
            assert lesson["best"]["phrase"].endswith("slot, face down") and lesson["best"]["places"]
            assert lesson["cost"].startswith("It costs you about ") and "prestige of your lead" in lesson["cost"]
            assert lesson["decision"] == "Turn 1: you placed the tile on the first white slot, face up."
            assert lesson["why"] and all(one.endswith(".") for one in [*lesson["why"]["soon"], *lesson["why"]["later"]])
            here.send(do="lesson", at=1, answer="back")
            assert here.heard("position")["at"] == 1


def test_the_coach_of_the_terminal_asks_what_becomes_of_a_mistake() -> None:
    lines = ["claim 3 from inventory", "place white1 up", "what?", "better", "back", "place white1 down"]
    said: list[str] = []
    seats = [YOU, "greedy"]
    game = Game(Ruleset(), seats, 7)
    stopped = Lines(ask=lambda prompt: lines.pop(0) if lines else "quit", say=said.append)
    coach = lessons.Coach(game.ruleset, seats)
    dialogue = Dialogue(
        game, Bots(seats, game.ruleset, 7), agents.make("greedy"), stopped,
        coach=lambda game, at: coach.look(*game.decision_at(at), "blunder").lesson,
    )  # fmt: skip
    assert not dialogue.play() and not lines
    text = "\n".join(said)
    assert "Turn 1: you placed the tile on the first white slot, face up.\nA blunder. It costs you about " in text
    assert "What the better action brings, if the coach then plays on for all seats:\n" in text
    assert ":\n- " in text and "Type `back`, `better`, `on`, `board` or `quit`." in text
    assert "Better: place the tile on the first white slot, face down (free)." in text
    assert "To play it, type `back` and then `place white1 down`." in text
    assert game.action_at(1, None) == (0, "place white1 down"), "it was taken back, and another one played"


def test_a_question_that_comes_when_a_game_is_about_to_be_closed_is_answered(tmp_path: Path) -> None:
    async def allow(name: str, ruleset: Ruleset) -> None:
        raise AssertionError(f"{name} was not asked for")

    async def ask() -> int:
        kept, table = store.Store(tmp_path), Table(Ruleset(), [YOU, "greedy"], 3)
        owner = live.Owner("one", table, kept, workers.WorkerPool(), allow, grace=0.0)
        answer = asyncio.create_task(owner.ask(lambda table: table.game.played))
        await asyncio.sleep(0)
        await asyncio.wait_for(owner.run(lambda: None), 20)
        await kept.close()
        return await answer

    assert asyncio.run(ask()) == 0


# --- luck and decisions so far


def test_what_is_taken_back_counts_no_more() -> None:
    rolled = {"seat": 0, "lost": 0.1, "error": 0.03, "size": "", "luck": [0.2, -0.2], "luck_errors": [0.04, 0.04]}
    quiet = {"seat": 1, "lost": 0.3, "error": 0.04, "size": "blunder", "luck": None, "luck_errors": None}
    so_far = SoFar()
    assert so_far.next(0) is None
    first = so_far.next(3)
    assert first and first.at == 0 and so_far.next(3) is None, "one after the other"
    assert so_far.take(first, rolled)
    second = so_far.next(3)
    assert second and so_far.take(second, quiet)
    sums = so_far.sums(2)
    assert sums["judged"] == 2 and [row["luck"] for row in sums["rows"]] == [0.2, -0.2]
    lost = [(row["lost"], row["lost_error"], row["mistakes"]) for row in sums["rows"]]
    assert lost == [(0.1, 0.03, 0), (0.3, 0.04, 1)]
    again = SoFar(json.loads(json.dumps(so_far.kept())))
    assert again.sums(2) == sums
    third = so_far.next(3)
    so_far.cut(1)
    assert third and not so_far.take(third, rolled) and so_far.sums(2)["rows"][1]["lost"] == 0
    other = so_far.next(2)
    assert other and other.at == 1 and not so_far.take(other, None), "what cannot be judged is left out"
    assert so_far.next(2) is None and so_far.kept() == [rolled]


# --- variations of a study


def test_a_variation_is_played_named_kept_and_deleted(tmp_path: Path) -> None:
    texts: list[str] = []
    play_match(
        ["greedy", "random"], 1, Ruleset(turn_limit=6), seed=2, rotate=False,
        recorder=Recorder(lambda number, text: texts.append(text)),
    )  # fmt: skip
    record = parse(texts[0])
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        study = client.post("/api/studies", content=texts[0], headers={"content-type": "text/plain"}).json()["id"]
        path = f"/api/studies/{study}/branches"
        assert client.get(path).json() == []
        name = client.post(path, json={"at": 5}).json()["id"]
        for at, words in ((len(record.decisions), "over here"), (-1, "no decision"), ("5", "number of a decision")):
            answer = client.post(path, json={"at": at})
            assert answer.status_code == 400 and words in answer.json()["sentence"]
        with tab(client, name) as socket:
            here = Tab(socket)
            assert here.position["at"] == 5 and here.position["here"] == [0, 1] and here.position["mine"]
            assert here.position["branch"] == {"study": study, "at": 5, "name": "", "comment": ""}
            here.send(do="undo")
            assert "The variation begins here" in here.heard("refused")["sentence"]
            here.play()
            here.send(do="let", whole=True)
            turn = here.position["turn"]
            while here.position["turn"] == turn:
                here.heard("position")
            at = here.position["at"]
            here.send(do="undo")
            assert here.heard("position")["at"] == at - 1
            here.send(do="describe", name="Claim first", comment="Is it <b>better</b>?")
            here.send(do="describe", name="x" * 81, comment="")
            assert "at most 80" in here.heard("refused")["sentence"]
            for wrong in ("\x1b[2J", "\0", "\u202e"):
                here.send(do="describe", name="Claim first", comment=f"so {wrong}")
                assert "but not the character" in here.heard("refused")["sentence"]
            here.socket.send_text('{"do": "describe", "name": "", "comment": "\\ud83d"}')
            assert "half a character" in here.heard("refused")["sentence"]
        assert client.post(f"/api/games/{name}/again", json={"deal": "new"}).status_code == 400
        assert client.get("/api/games").json()["games"] == [], "it is no game of the list"
        own = client.post("/api/studies", json={"game": name}).json()["id"]
        assert own != study and client.get(f"/api/studies/{own}").json()["total"] == at - 1
        assert client.get(f"/api/studies/{own}/game?id={name}").json() == {"state": "same"}
        with tab(client, name) as socket:
            here = Tab(socket)
            here.play()
            assert client.get(f"/api/studies/{own}/game?id={name}").json() == {"state": "on"}
            for _ in range(2):
                here.send(do="undo")
                here.heard("position")
            assert client.get(f"/api/studies/{own}/game?id={name}").json() == {"state": "other"}
            here.send(do="redo")
            here.heard("position")
    with TestClient(web.Server(tmp_path).app, base_url=HOME) as client:
        (branch,) = client.get(path).json()
        assert branch == {
            "id": name, "study": study, "at": 5, "name": "Claim first", "comment": "Is it <b>better</b>?",
            "decisions": at - 6,
        }  # fmt: skip
        kept = parse(client.get(f"/api/games/{name}/record").text, unfinished=True)
        assert kept.decisions[:5] == record.decisions[:5] and len(kept.decisions) == at - 1
        client.delete(f"/api/games/{name}")
        assert client.get(path).json() == []


def test_a_damaged_variation_or_judgement_hides_no_other(tmp_path: Path) -> None:
    table = Table(Ruleset(), [YOU, YOU], 3, branch=Branch("s", 0, "mine", "two\nlines \U0001f46a"))
    deep = "[" * 5000
    branches = ["", "[]", deep, '{"study": "s", "at": 0, "name": "", "comment": "\\ud83d"}', '{"study": "s", "at": 9}']
    branches += [
        f'{{"study": {study}, "at": 0, "name": {name}, "comment": ""}}' for study, name in (('"t"', '""'), (1, 1))
    ]
    judged: list[Any] = ["", "null", "[]", deep, "{", '{"0": 1}', '{"0": {}}', '{"99": {}}', b"\xff", 7]

    async def keep() -> None:
        kept = store.Store(tmp_path)
        row = store.kept_game("fine", table)
        for number, branch in enumerate(branches):
            await kept.keep(row._replace(id=str(number), branch=branch), table.game.ruleset)
        await kept.keep(row, table.game.ruleset)
        listed = {one["id"]: one for one in await kept.branches("s")}
        assert len(listed) == len(branches) + 1 and listed["fine"]["comment"] == "two\nlines \U0001f46a"
        assert {listed[str(number)]["name"] for number in range(len(branches))} == {"(cannot be read)"}
        await kept.add_study("s", "1\n2\n3\n4\n")
        for text in judged:
            await kept._run(partial(kept._db.execute, "UPDATE studies SET judgements = ?", (text,)))
            assert await kept.study("s") == ("1\n2\n3\n4\n", {}), text
        await kept.save_setup("t", "Mine", '{"variant": {}, "setup": {}}')
        await kept.save_setup("u", "Yours", deep)
        assert [one["title"] for one in await kept.setups()] == ["Yours", "Mine"]
        assert await kept.setup("t") == ("Mine", {"variant": {}, "setup": {}})
        with pytest.raises(ValueError, match="what is kept of this table"):
            await kept.setup("u")
        await kept._run(partial(kept._db.execute, "UPDATE box SET known = '[1'"))
        with pytest.raises(ValueError, match="what is kept of your cards"):
            await kept.box()
        await kept.close()

    asyncio.run(keep())


def test_a_study_has_only_so_many_variations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_BRANCHES", 1)
    table = Table(Ruleset(), [YOU, YOU], 3, branch=Branch("s", 0))

    async def keep() -> None:
        kept = store.Store(tmp_path)
        await kept.check_branches("s")
        await kept.keep(store.kept_game("one", table), table.game.ruleset)
        with pytest.raises(ValueError, match="delete one of them"):
            await kept.check_branches("s")
        await kept.close()

    asyncio.run(keep())


@pytest.mark.full
def test_nothing_is_hidden_in_a_variation() -> None:
    ruleset = Ruleset(fourth_guild="archivists")
    games = [Table(ruleset, [YOU, YOU], 11, branch=branch) for branch in (None, Branch("s", 0))]
    lookers = [table.looker([]) for table in games]
    assert [table.awaited(looker) for table, looker in zip(games, lookers, strict=True)] == [0, None]
    assert [bool(table.hides) for table in games] == [True, False] and games[1].seer(lookers[1]) is None
    assert games[1].decides(lookers[1]) and games[1].coach(lookers[1]) is None
