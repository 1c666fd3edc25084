"""Saves a person's game to a file after every decision, so that no decision is lost, except by an undo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rc_env import files
from rc_env.apps.table.game import Game
from rc_env.record import Recorder, keep_data


class Keeper:
    """Saves the game as a record: unfinished while it is in progress, then with its result.

    Args:
        game: that a person plays; nothing has been played in it yet.
        path: the file.
        seat: the person's.
        bots: names of the bots on the other seats, in their order.
        wanted: whether the person asked for the file; otherwise it is removed when the game ends.
    """

    def __init__(self, game: Game, path: Path, seat: int, bots: Sequence[str], *, wanted: bool) -> None:
        self._game, self.path, self._wanted = game, path, wanted
        self._about: dict[str, Any] = {"seat": seat, "bots": list(bots)}
        self._text = ""
        self._written = False
        self._recorder = Recorder(self._over)
        self._recorder.attach(game.engine)

    @property
    def advice(self) -> list[str]:
        """A sentence that says how to resume the unfinished game, if the file holds one."""
        return [f"the game is kept: `rc play --resume {self.path}` goes on with it"] if self._written else []

    def keep(self) -> None:
        """Write the file anew; a game in which the person has decided nothing is not kept.

        Raises:
            OSError: it cannot be written; the game as it was kept before is still there.
            ValueError: another data file lies where that of the game would have to.
        """
        if self._game.over:
            if self._wanted:
                files.write(self.path, self._text)
            elif self._written:
                self.path.unlink(missing_ok=True)
            self._written = False
        elif self._game.decided:
            if not self._written:
                keep_data(self._game.ruleset, self.path.parent)
            files.write(self.path, self._recorder.unfinished(self._about))
            self._written = True
        elif self._written:  # all of it was taken back
            self.path.unlink(missing_ok=True)
            self._written = False

    def resign(self) -> None:
        """Note that the person has given up: nobody can go on with the game, and its record may be read."""
        self._about["resigned"] = True

    def text(self) -> str:
        """The record so far, unfinished while the game goes on."""
        return self._text if self._game.over else self._recorder.unfinished(self._about)

    def _over(self, number: int, text: str) -> None:
        self._text = text
