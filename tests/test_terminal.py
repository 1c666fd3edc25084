"""Tests of `rc play` and `rc watch` on a screen that is redrawn: layout, abbreviations, and a real pseudo-terminal."""

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import numpy as np
import pytest

from rc_env import Ruleset, agents
from rc_env.apps.cli import rc
from rc_env.apps.table.actions import legal_actions
from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.players import Bots, chosen_by
from rc_env.apps.terminal.frame import Scene, compose
from rc_env.apps.terminal.history import history
from rc_env.apps.terminal.matching import NoMatch, find
from rc_env.render.abbreviations import Piece, amounts, crop, length, shortened

pytestmark = pytest.mark.slow

SIZES = [(80, 23), (100, 29), (120, 39), (60, 15), (40, 8), (200, 60)]
"""Columns and rows, without the last row of the terminal, which holds the prompt."""


def plain(lines: list[list[Piece]]) -> list[str]:
    return ["".join(piece.text for piece in line) for line in lines]


# --- the frame


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_no_screen_is_wider_or_taller_than_the_terminal(players: int) -> None:
    bot = agents.make("random")
    whole = 0
    for number in range(48):
        if number % 12 == 0:
            game = Game(Ruleset(players, ("basic", "advanced")[number // 12 % 2]), [YOU] * players, number)
            bot.reset(number)
        for _ in range(1 + number % 7):
            if not game.over:
                game.play(chosen_by(bot, game))
        actions = [] if game.over else legal_actions(game)
        scene = Scene(game.view, ["you", *["a_bot:setting=1"] * 3], 0, history(game), actions)
        usual = (80, 23) if players < 4 else (100, 29)
        for width, height in (usual, SIZES[number % len(SIZES)]):
            lines, pages = compose(scene, width, height)
            text = plain(lines)
            assert len(text) <= height and max(map(len, text)) <= width
            assert all(line.isascii() for line in text)
            seen = set()
            for page in range(pages):
                rows = plain(compose(scene._replace(page=page), width, height)[0])
                seen |= {int(n) for n in re.findall(r"(?:^|  ?)(\d+)\) ", "\n".join(rows), re.MULTILINE)}
            assert seen == set(range(1, len(actions) + 1)), "each action has to be on some page"
            if (width, height) == usual:
                assert text[0].startswith(f"Turn {game.turn}: ")
                assert sum(line.count("Tower ") for line in text) == len(scene.shown["towers"])
                assert "The board needs" not in "\n".join(text)
                whole += pages == 1
    assert whole > 43, "in nearly all positions all actions have to fit beside the board"


def test_a_message_is_shown_and_the_board_stays() -> None:
    game = Game(Ruleset(2), [YOU] * 2, 3)
    scene = Scene(game.view, ["you", "bot"], 0, [], legal_actions(game), "No such action.")
    text = plain(compose(scene, 80, 23)[0])
    assert text[-1] == "No such action." and any(line.startswith("Tower 1") for line in text)


def test_the_screen_tells_what_sections_miss_and_pay() -> None:
    game = Game(Ruleset(2), [YOU] * 2, 3)
    text = "\n".join(plain(compose(Scene(game.view, ["you", "bot"], 0, [], legal_actions(game)), 120, 39)[0]))
    for number, tower in enumerate(game.view["towers"], 1):
        for level, s in enumerate(tower["sections"], 1):
            words = rf"{number}\.{level} .*{amounts(s['missing'])} +{amounts([('rubles', s['rubles'])]).strip('-')}"
            assert re.search(words, text)
    for card in game.view["guilds"]:
        for words in card["words"]:
            assert words in text or shortened(words) in text


def test_abbreviated_text() -> None:
    assert amounts({"lumber": 2, "brick": 1, "gold": 0, "rubles": 3, "recognition": 4}) == "lu2 br 3r 4rec"
    assert amounts({}) == "-"
    assert shortened("sell gold or green_gem for 2 rubles, unlimited") == "sell go/gr for 2r, repeat"
    assert shortened("to space 3: lumber:4, for 1 ruble") == "to space 3: lu4, for 1r"
    line = crop([Piece("abc"), Piece("defgh")], 6)
    assert "".join(piece.text for piece in line) == "abcd.." and length(line) == 6


# --- abbreviations

LEGAL = [
    "move red", "move red +1", "move red +2", "move white +1", "claim 1 from inventory", "claim 1 from spare",
    "deliver brick to 3.1", "deliver brick to 3.2", "deliver gold to 1.2", "done",
]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3", "move red +2"), ("move red", "move red"), ("m r", "move red"), ("do", "done"),
        ("claim 1 inv", "claim 1 from inventory"), ("c 1 s", "claim 1 from spare"),
        ("DEL  3.1", "deliver brick to 3.1"), ("del go", "deliver gold to 1.2"), ("del br 3.2", "deliver brick to 3.2"),
    ],
)  # fmt: skip
def test_abbreviations(typed: str, meant: str) -> None:
    assert LEGAL[find(typed, LEGAL)] == meant


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("claim 1", "'claim 1' may be 5 claim 1 from inventory, 6 claim 1 from spare: "),
        ("del br 3", "'del br 3' may be 7 deliver brick to 3.1, 8 deliver brick to 3.2: "),
        # The longer action costs a ruble, so it has to be typed in full.
        ("move white", "'move white' may be 4 move white +1: "),
        ("deliver bricks to 3.2", "the nearest are 8 deliver brick to 3.2, "),
        ("red", "'red' is no legal action here; "),
        ("11", "'11' found, expected a number from 1 to 10"),
    ],
)
def test_what_is_not_one_action_is_answered_in_a_sentence(typed: str, answer: str) -> None:
    with pytest.raises(NoMatch, match=re.escape(answer)):
        find(typed, LEGAL)


# --- a pseudo-terminal


class Terminal:
    """The command `rc` in a pseudo-terminal of so many columns and rows."""

    def __init__(self, *words: str, width: int = 80, height: int = 24, folder: Path | None = None) -> None:
        self.master, slave = pty.openpty()
        self.resize(width, height)
        command = [sys.executable, "-m", "rc_env.apps.cli", *words]
        environment = {**os.environ, "TERM": "xterm-256color"}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, cwd=folder
        )
        os.close(slave)
        self.seen = ""

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def until(self, *words: str, seconds: float = 60) -> str:
        """Return the output up to the first of these words."""
        start, end = len(self.seen), time.monotonic() + seconds
        while not any(one in self.seen[start:] for one in words):
            assert time.monotonic() < end, f"no {words!r} in {self.seen[start:][-2000:]!r}"
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if ready:
                try:
                    part = os.read(self.master, 65536)
                except OSError:  # the other end of the pseudo-terminal is closed
                    part = b""
                assert part, f"the end, without {words!r}: {self.seen[start:][-2000:]!r}"
                self.seen += part.decode()
        return self.seen[start:]

    def type(self, words: str) -> None:
        os.write(self.master, words.encode())

    def close(self) -> int:
        """Return the exit code of `rc`, which is ended if it does not end by itself."""
        end = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.master], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):
                    self.seen += os.read(self.master, 65536).decode()
        self.process.kill()
        os.close(self.master)
        return self.process.wait()


def test_play_on_a_screen(tmp_path: Path) -> None:
    terminal = Terminal("play", "--seed", "3", folder=tmp_path)
    try:
        first = terminal.until("Your action, or help: ")
        assert "\x1b[?1049h" in first and "Tower 4" in first and "\x1b[" in first
        terminal.type("claim 1\n")
        assert "claim 1 from spare" in terminal.until("Your action, or help: ").split("may be")[1]
        terminal.type("help\n")
        assert "What you can type" in terminal.until("next page")
        terminal.type("q\n")
        terminal.until("Your action, or help: ")
        terminal.type("cl 1 sp\n")
        assert "place: the tile" in terminal.until("Your action, or help: ")
        terminal.type("undo\n")
        assert "Back to your previous decision." in terminal.until("Your action, or help: ")
        terminal.type("mo")
        terminal.until("mo")
        time.sleep(1)  # readline sees a signal at once only while it waits for a key
        terminal.resize(120, 40)
        os.killpg(terminal.process.pid, 28)  # SIGWINCH
        roomier = terminal.until("owner").split("owner", 1)[1]
        assert "help: mo" in roomier or terminal.until("help: mo"), "the screen is drawn anew with the typed letters"
        terminal.type("ve red\n")
        assert "You move the red die to space 6." in terminal.until("Your action, or help: ")
        terminal.type("quit\n")
        assert "The game stops here, in turn 1." in terminal.until("in turn 1.").split("\x1b[?1049l")[1]
        terminal.until("`rc play --resume unfinished-3.rcr`")
    finally:
        terminal.type("\x03")
        code = terminal.close()
    assert code == 0


def test_a_whole_game_on_a_screen_ends_with_its_scores(tmp_path: Path) -> None:
    terminal = Terminal("play", "--solo", "--seed", "1", "--turn-limit", "6", folder=tmp_path)
    try:
        while "Enter: leave" not in terminal.until("help: ", "The game is over. Enter: leave "):
            terminal.type("1\n")
        terminal.type("\n")
        said = terminal.until("blue, Ivan")
        assert "prestige  track" in said
    finally:
        terminal.type("\x03")
        code = terminal.close()
    assert code == 0 and not list(tmp_path.iterdir()), "a game that is over must not be kept"


def test_watch_on_a_screen_pauses_and_ends() -> None:
    terminal = Terminal("watch", "greedy", "random", "--pace", "0.01", "--seed", "4", "--turn-limit", "10")
    try:
        terminal.until("s a decision. Space: pause")
        terminal.type(" ")
        terminal.until("Paused. Space: go on")
        terminal.type("n")
        terminal.type(" ")
        terminal.until("The game is over: any key leaves.")
        terminal.type("q")
        assert "blue, random" in terminal.until("blue, random").split("\x1b[?1049l")[1]
    finally:
        terminal.type("q")
        code = terminal.close()
    assert code == 0


# --- rc watch through a pipe


def test_watch_prints_lines_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["watch", "greedy", "random", "--seed", "4", "--turn-limit", "10"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("greedy against random; seed 4.\n") and "\x1b" not in said
    assert "\nRed (greedy) " in said and "\nBlue (random) " in said
    assert "turn limit is reached" in said and re.search(r"blue, random +\d", said)
    assert rc.main(["watch", "greedy", "random", "--seed", "4", "--turn-limit", "10"]) == 0
    assert capsys.readouterr().out == said


def test_watch_solo(capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main(["watch", "greedy", "--solo", "--seed", "4", "--turn-limit", "10"]) == 0
    said = capsys.readouterr().out
    assert (
        said.startswith("greedy against Ivan; seed 4.\n") and "\nIvan " in said and re.search(r"blue, Ivan +\d", said)
    )


def test_events_of_a_turn_stand_in_one_line() -> None:
    seats = ["greedy", "greedy"]
    game = Game(Ruleset(2), seats, 3)
    bots = Bots(seats, game.ruleset, 3)
    while game.turn < 4:
        game.play(bots.choose(game))
    lines = history(game)
    assert [line[: line.index(")") + 1] for line in lines] == ["Red (greedy)", "Blue (greedy)", "Red (greedy)"]
    assert len(game.events) > 3 and history(game, game.since) == lines
    assert np.all([event.turn in (1, 2, 3) for event in game.events])
