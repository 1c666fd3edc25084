"""What a game is played with beside the packaged base game, in words."""

from __future__ import annotations

from rc_env import checks
from rc_env.ruleset import CLERGY, Ruleset


def additions(ruleset: Ruleset) -> str:
    """The parts of the second box that are switched on, and data files that are not the packaged ones, to go on with in
    a line; nothing where there are none.

    Raises:
        ValueError: `ruleset` is not one.

    Example:
        >>> from rc_env import Ruleset
        >>> from rc_env.words.additions import additions
        >>> additions(Ruleset()), additions(Ruleset(data="sample:17"))
        ('', ', cards of sample-v1-17.toml')
        >>> additions(Ruleset(contractors=True, fourth_guild="jewelers:2", special_tiles=True))
        ', with contractors, jewelers 2 as the fourth guild, special tiles'
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    parts = ["contractors"] if ruleset.contractors else []
    if ruleset.fourth_guild == "random":
        parts.append("a random fourth guild" + (" or the thieves" if ruleset.promos else ""))
    elif ruleset.fourth_guild != CLERGY:
        parts.append(f"{ruleset.fourth_guild.replace('_', ' ').replace(':', ' ')} as the fourth guild")
    if ruleset.special_tiles:
        parts.append("special tiles")
    files = [ruleset.data_file, *filter(None, [ruleset.expansion_file])]
    names = [checks.spelled_out(file.name) for file in files if file.name not in ("base", "contractors")]
    return (f", with {', '.join(parts)}" if parts else "") + (f", cards of {' and '.join(names)}" if names else "")
