"""Saves a person's game to a file after every decision, so that no decision is lost, except by an undo."""

from __future__ import annotations

from pathlib import Path

from rc_env import files
from rc_env.apps.table.game import Game
from rc_env.record import keep_data


class Keeper:
    """Saves the game as a record: unfinished while it is in progress, then with its result.

    Args:
        game: that a person plays.
        path: the file.
        wanted: whether the person asked for the file; otherwise it is removed when the game ends.

    Attributes:
        kept: whether the file holds the unfinished game.
    """

    def __init__(self, game: Game, path: Path, *, wanted: bool) -> None:
        self._game, self.path, self._wanted = game, path, wanted
        self.kept = False

    def keep(self) -> None:
        """Write the file anew; a game in which the person has decided nothing is not kept.

        Raises:
            OSError: it cannot be written; the game as it was kept before is still there.
            ValueError: another data file lies where that of the game would have to.
        """
        game = self._game
        if game.over and self._wanted:
            files.write(self.path, game.record())
            self.kept = False
        elif not game.over and game.decided:
            if not self.kept:
                keep_data(game.ruleset, self.path.parent)
            files.write(self.path, game.record())
            self.kept = True
        elif self.kept:  # it is over, or all of it was taken back
            self.path.unlink(missing_ok=True)
            self.kept = False
