"""Tests that one name means one thing: readers would have to distinguish two things of the same name."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Public functions that share a name and that another package imports by that name alone, each with the reason.
KNOWN = {
    "effect_of": "the guild card's and the workshop tile's, compiled kernels that the pictures and the APIs never mix",
    "evaluate": "a network's value of a leaf is a stage of the search that no other module calls",
    "names": "`agents.names` is written with its package everywhere",
    "place": "the argument of a verb, and the rule of the chapter on claiming, which is called with its module",
    "read": "a game record, from `rc_env.record`; `files.read`, of bytes, is called with its module",
    "receivable": "of materials, which the agents ask for, and of permits, which they do not",
    "words": "strings as a table of bytes, for the compiled writer of records; no other package calls it",
}

LINKED = ("agents", "arena", "training", "apps")

CLASSES = {
    "Part": "a part of the layout of observations, and of a drawing, which only the pictures make",
    "Piece": "a piece of the observation, and a styled piece of a printed line, which only the printed board makes",
    "Row": "a row of the table in its module, of verbs or of actions of cards; nothing else makes one",
}


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Return name and source of every module of `rc_env`; four of its folders lie beside it, and are linked."""
    for folder, package in (("rc_env", "rc_env"), *((name, f"rc_env.{name}") for name in LINKED)):
        for file in sorted((ROOT / folder).rglob("*.py")):
            inside = file.relative_to(ROOT / folder)
            if inside.parts[0] in LINKED:
                continue
            yield (
                ".".join((package, *inside.with_suffix("").parts)).removesuffix(".__init__"),
                ast.parse(file.read_text(encoding="utf-8")),
            )


MODULES = dict(modules())
FOLDERS = {
    ".".join(("rc_env", *file.relative_to(ROOT / "rc_env").with_suffix("").parts))
    for file in (ROOT / "rc_env").rglob("__init__.py")
}


def defined(kind: type[ast.stmt]) -> dict[str, list[str]]:
    """Return the public names that a statement of this kind defines in more than one module, with these modules."""
    places = defaultdict(list)
    for module, tree in MODULES.items():
        for statement in tree.body:
            if isinstance(statement, kind) and not statement.name.startswith("_"):  # type: ignore[attr-defined]
                places[statement.name].append(module)  # type: ignore[attr-defined]
    return {name: found for name, found in places.items() if len(found) > 1}


def imported_alone() -> dict[str, set[str]]:
    """Return every name that a module imports from a module of another package, with the modules it comes from."""
    found = defaultdict(set)
    for module, tree in MODULES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                source = imported_from(module, node)
                if source in MODULES and package(module) != package(source):
                    for alias in node.names:
                        if f"{source}.{alias.name}" not in MODULES:
                            found[alias.name].add(source)
    return found


def imported_from(module: str, node: ast.ImportFrom) -> str:
    """Return the module that an import names, whether absolute or relative to the importing module."""
    if not node.level:
        return node.module or ""
    folder = module.split(".") if f"{module}.__init__" in FOLDERS else module.split(".")[:-1]
    above = folder[: len(folder) - node.level + 1]
    return ".".join([*above, *([node.module] if node.module else [])])


def package(module: str) -> str:
    """Return the package of a module; the packages within `layout` count as one, those of `apps` do not."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["apps"] else 2])


def test_no_two_classes_have_one_name() -> None:
    found = defined(ast.ClassDef)
    assert {name: places for name, places in found.items() if name not in CLASSES} == {}


def test_functions_of_one_name_are_written_with_their_module() -> None:
    """`checkpoint.save` and `net.save` are distinct, `save` alone is not, except inside its own package."""
    alone = imported_alone()
    found = {name: places for name, places in defined(ast.FunctionDef).items() if name in alone}
    assert {name: places for name, places in found.items() if name not in KNOWN} == {}
