"""Where the modules of version 0.2 are now: an old import path raises an ImportError that gives the new one.

This is for one release: version 0.4 has no old paths.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def _table() -> dict[str, str]:
    moved = {
        "layout.facts": "words.facts",
        "layout.words": "layout.packing",
        "render.compact": "render.text",
        "render.compact_contractors": "render.text_contractors",
        "rules.expansion_effects": "rules.expansion.effects",
        "rules.ivan": "rules.solo.ivan",
        "rules.ivan_contractors": "rules.solo.contractors",
        "rules.ivan_events": "rules.solo.events",
        "rules.module_file": "rules.printed.contractors_file",
        "training.arena": "arena",
        "training.benchmarks": "apps.speed",
        "training.commands": "apps.cli",
        "training.learning": "training",
        "training.pages": "arena.pages",
        "training.studies": "arena.studies",
        "training.terminal": "apps.terminal",
        "training.web": "apps.web",
        "validation.module": "validation.contractors",
    }
    for old, new, names in (
        ("", "envs.", "aec gym open_spiel spaces vector"),
        ("layout.", "words.", "expansion_notation notation"),
        (
            "rules.",
            "rules.printed.",
            "components data_file expansion_file expansion_vocabulary sizes specialist_vocabulary vocabulary",
        ),
        (
            "rules.",
            "rules.expansion.",
            "builders cities contracts diamonds extra foremen hire influence permits players reinforcements resources "
            "special_tiles specialists tiles tools",
        ),
        ("training.", "arena.", "intervals journal over_sets"),
    ):
        moved |= {f"{old}{name}": f"{new}{name}" for name in names.split()}
    return {f"rc_env.{old}": f"rc_env.{new}" for old, new in moved.items()}


MOVED = _table()
"""Every module and package of version 0.2 that has moved, by its old name. A package stands for all in it."""


class Finder(MetaPathFinder):
    """The first to be asked for a module: refuses the old names.

    First, since a folder of old byte code that a checkout has kept is a package to the finders behind it.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None for any name but an old one.

        Raises:
            ImportError: the name is an old one.
        """
        if fullname in MOVED:
            raise ImportError(f"{fullname} is now {MOVED[fullname]}: import that instead", name=fullname)
        return None


def refuse_old_names() -> None:
    """Add the finder before all others, once for each process."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder())
