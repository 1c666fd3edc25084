"""Whose cards a game is played with, in words."""

from __future__ import annotations

from rc_env import checks
from rc_env.ruleset import Ruleset


def own_cards(ruleset: Ruleset) -> str:
    """The data files that are not the packaged ones, to go on with in a line; nothing where there are none.

    Raises:
        ValueError: `ruleset` is not one.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.words.own_cards import own_cards
        >>> own_cards(Ruleset()), own_cards(Ruleset(data="sample:17"))
        ('', ', cards of sample-v1-17.toml')
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    files = [ruleset.data_file, *filter(None, [ruleset.expansion_file])]
    names = [checks.spelled_out(file.name) for file in files if file.name not in ("base", "contractors")]
    return f", cards of {' and '.join(names)}" if names else ""
