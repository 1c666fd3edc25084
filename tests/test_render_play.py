"""Tests of `rc play`: a person's lines in, the game out."""

import io
from collections.abc import Iterable
from pathlib import Path

import pytest

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.apps.table.explain import explain
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.players import Bots
from rc_env.apps.terminal.dialogue import Dialogue, Lines
from rc_env.apps.terminal.history import history, score_table
from rc_env.record import read, replay

pytestmark = pytest.mark.slow


class Person:
    """A person who types these lines, then leaves; with `hints`, plays on by hints."""

    def __init__(self, lines: Iterable[str] = (), hints: bool = False) -> None:
        self.lines, self.hints, self.shown = list(lines), hints, list[str]()

    def ask(self, prompt: str) -> str:
        if self.lines:
            return self.lines.pop(0)
        if not self.hints:
            raise EOFError
        if self.shown[-1].startswith("greedy would play: "):
            return self.shown[-1].removeprefix("greedy would play: ")
        return "hint"


def table(person: Person, players: int = 2, workshop: str = "basic", seat: int = 0, turns: int = 1000) -> Dialogue:
    seats = ["greedy"] * players
    seats[seat] = YOU
    game = Game(Ruleset(players, workshop, turn_limit=turns), seats, 3)
    return Dialogue(
        game, Bots(seats, game.ruleset, 3), agents.make("greedy"), Lines(ask=person.ask, say=person.shown.append)
    )


@pytest.mark.parametrize(("players", "workshop", "seat"), [(2, "basic", 0), (3, "advanced", 2), (4, "basic", 1)])
def test_a_whole_game_by_hints(players: int, workshop: str, seat: int) -> None:
    person = Person(hints=True)
    dialogue = table(person, players, workshop, seat)
    assert dialogue.play()
    assert max(len(line) for shown in person.shown for line in shown.splitlines()) <= 100
    scores = score_table(dialogue.game).splitlines()
    assert len(scores) == players + 1 and any(", you" in line for line in scores)
    results = dialogue.game.engine.results()
    assert [int(line.split()[3]) for line in scores[1:]] == sorted(results.prestige[0].tolist(), reverse=True)


def test_numbers_and_words_play_the_same() -> None:
    by_number, in_words = Person(["2"]), Person(["  MOVE   red +1 "])
    games = [table(by_number), table(in_words)]
    for game in games:
        assert not game.play()
    assert by_number.shown[2:] == in_words.shown[2:]
    assert by_number.shown[2].startswith("You move the red die to space ")


def test_undo_leads_back_with_the_same_dice() -> None:
    once = Person(["move red", "obtain", "done"])
    first = table(once)
    first.play()
    twice = Person(["undo", "move red", "obtain", "undo", "undo", "move red", "obtain", "done"])
    second = table(twice)
    second.play()
    assert "This is your first decision: there is nothing to undo." in twice.shown
    assert first.game.engine.games.tobytes() == second.game.engine.games.tobytes()
    assert history(first.game) == history(second.game)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("0", "'0' is neither a number from 1 to "),
        ("999", "'999' is neither a number from 1 to "),
        ("move purple", "'move purple' is no legal action here; the nearest are "),
        ("²", "'²' is no legal action here; legal are 1 "),
        ("deliver gold to 1.1", "'deliver gold to 1.1' is no legal action here"),
        ("\x00", "is no legal action here"),
        ("claim 1", "'claim 1' may be 12 claim 1 from inventory, 13 claim 1 from spare: type the number"),
        ("move", "'move' may be 1 move red, 2 move red +1, 3 move red +2, 4 move red +3 and 7 more: type the number"),
    ],
)
def test_what_is_no_single_action_is_answered_with_those_near_it(line: str, answer: str) -> None:
    person = Person([line])
    dialogue = table(person)
    before = dialogue.game.engine.games.tobytes()
    dialogue.play()
    assert answer in " ".join(person.shown[-1].split())
    assert dialogue.game.engine.games.tobytes() == before


def test_questions_are_answered_and_change_nothing() -> None:
    person = Person(["help", "help 2", "help claim 1 inv", "log", "actions", "board", "hint", "cl 4 sp", "log"])
    dialogue = table(person)
    dialogue.play()
    shown = "\n".join(person.shown)
    assert "What you can type:" in shown and "Nothing has been played yet." in shown
    assert "move red +1: move a die by its value" in shown.replace("\n", " ")
    assert "claim 1 from inventory: claim the lowest unclaimed section" in shown.replace("\n", " ")
    assert person.shown[-1] == "You claim the base of tower 4 with a spare banner."


def test_every_kind_of_action_is_explained() -> None:
    from rc_env.render.view import view

    shown: dict[str, str] = {}
    bot = agents.make("random")
    for players, workshop in ((2, "basic"), (4, "advanced")):
        engine = table(Person(), players, workshop).game.engine
        while engine.seat[0] >= 0 and engine.games[0].turn < 150:
            facts = view(engine.ruleset, engine.games[0])
            for action in engine.legal_mask()[0].nonzero()[0]:
                words = engine.action_to_text(int(action))
                shown[words.split()[0]] = explain(facts, int(engine.seat[0]), words)
            engine.step(bot.act(agents.Position.of(engine)))
    silent = {verb for verb, meaning in shown.items() if not meaning}
    assert silent <= {"done", "take", "pay", "gain", "deliver", "adorn", "gems"}
    assert {"move", "claim", "place", "guild", "workshop", "obtain", "reroll", "rubles"} <= set(shown) - silent


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("help\nhint\n1\nboard\nactions\nquit\n"))
    assert rc.main(["play", "--seed", "3", "--colour", "never"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("You are red, seat 0, against greedy; seed 3.") and not err
    assert "greedy would play: " in out and "\x1b" not in out
    kept = "The game is kept: `rc play --resume unfinished-3.rcr` goes on with it."
    assert out.endswith(f"The game stops here, in turn 1.\n{kept}\n")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert rc.main(["play", "--players", "3", "--bots", "random,greedy", "--seat", "1", "--colour", "always"]) == 0
    assert "\x1b[" in capsys.readouterr().out


def test_a_game_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(["move red", "undo"], hints=True)

    def ask(prompt: str) -> str:
        person.shown.append(capsys.readouterr().out.strip().splitlines()[-1].removeprefix("> "))
        return person.ask(prompt)

    monkeypatch.setattr("builtins.input", ask)
    path = tmp_path / "mine.rcr"
    assert rc.main(["play", "--seed", "3", "--save", str(path)]) == 0
    assert f"The record is in {path}" in capsys.readouterr().out
    record = read(path)
    assert record.result["winners"] and replay(record).seat[0] == -1
    assert rc.main(["play", "--save", str(tmp_path / "no" / "mine.rcr")]) == 2
    assert capsys.readouterr().err.startswith("rc play: --save needs the folder ")


def test_an_interrupt_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Interrupted())
    assert rc.main(["play", "--seed", "1"]) == 130
    assert capsys.readouterr().err == "rc play: stopped\n"
