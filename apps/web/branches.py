"""Variations of studied games: what else might have been played, as games of their own with a name and a comment.

A branch is a game in which whoever has it on the screen decides for every seat, or lets a bot decide. Nothing in it is
hidden, as nothing is in a study.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

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

    def describe(self, name: Any, comment: Any) -> None:
        """Give it a name and a comment.

        Raises:
            ValueError: one of them is too long, the name has more than one line, or there is a character in them that
                cannot be shown.
        """
        checks.instance("name", name, str, "a text")
        checks.instance("comment", comment, str, "a text")
        if len(name) > MOST_NAME or not name.isprintable():
            raise ValueError(f"name must be one line of at most {MOST_NAME} characters, not {checks.shown(name)}.")
        if len(comment) > MOST_COMMENT:
            raise ValueError(f"comment may have at most {MOST_COMMENT} characters; this one has {len(comment)}.")
        if wrong := next(filter(_is_hidden, comment), ""):
            raise ValueError(f"comment may have any letters, signs and new lines, but not the character {wrong!a}.")
        self.name, self.comment = name.strip(), comment.strip()


def _is_hidden(character: str) -> bool:
    """Whether a character is half of one, controls a device, or turns the order of the others around."""
    turns = unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    return turns or (unicodedata.category(character) in ("Cc", "Cs") and character not in "\n\t")
