"""Variations of studied games: what else might have been played, as games of their own with a name and a comment.

A branch is a game in which whoever has it on the screen decides for every seat, or lets a bot decide. Nothing in it is
hidden, as nothing is in a study.
"""

from __future__ import annotations

from dataclasses import dataclass

from rc_env import checks

MOST_BRANCHES = 100
"""The most branches of a study."""
MOST_NAME, MOST_COMMENT = 80, 4000
"""The most characters of a name, and of a comment."""


@dataclass
class Branch:
    """What a game is a variation of.

    Attributes:
        study: the id of the study.
        at: the number of its decisions with which the game begins.
        name, comment: what the person calls it, and says of it.
    """

    study: str
    at: int
    name: str = ""
    comment: str = ""

    def describe(self, name: str, comment: str) -> None:
        """Give it a name and a comment.

        Raises:
            ValueError: one of them is too long, or the name has more than one line.
        """
        if len(name) > MOST_NAME or not name.isprintable():
            raise ValueError(f"name must be one line of at most {MOST_NAME} characters, not {checks.shown(name)}.")
        if len(comment) > MOST_COMMENT:
            raise ValueError(f"comment may have at most {MOST_COMMENT} characters; this one has {len(comment)}.")
        self.name, self.comment = name.strip(), comment.strip()
