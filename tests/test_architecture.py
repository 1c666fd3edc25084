"""The shape of the package: what imports what, and what compiled code is cached by."""

from __future__ import annotations

import ast
import enum
import importlib
from pathlib import Path

import pytest

import rc_env
from rc_env import jit

PACKAGE = Path(rc_env.__file__).parent


def files() -> dict[str, Path]:
    """Every module of the package by its name; those of bots and training under the links that lead there."""
    found = {}
    for folder in (PACKAGE, PACKAGE / "agents", PACKAGE / "training"):
        for path in folder.rglob("*.py"):
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


FILES = files()


def imports(name: str, classes: bool = True) -> set[str]:
    """The modules of the package that a module imports when it is loaded or type-checked; not inside functions.

    Without `classes`, what is imported for classes alone is left out: compiled code cannot use them, but enumerations.
    """
    found = set()
    pending: list[ast.AST] = [ast.parse(FILES[name].read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in FILES}
        elif isinstance(node, ast.ImportFrom) and (source := imported_from(name, node)) in FILES:
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                if inner in FILES:
                    found.add(inner)
                elif classes or not is_plain_class(source, alias.name):
                    found.add(source)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += ast.iter_child_nodes(node)
    return found - {name}


def imported_from(name: str, node: ast.ImportFrom) -> str:
    """The module that an import names, whether absolutely or relatively to the module it stands in."""
    if not node.level:
        return node.module or ""
    folder = name.split(".") if FILES[name].name == "__init__.py" else name.split(".")[:-1]
    return ".".join([*folder[: len(folder) - node.level + 1], *([node.module] if node.module else [])])


def is_plain_class(module: str, name: str) -> bool:
    found = getattr(importlib.import_module(module), name)
    return isinstance(found, type) and not issubclass(found, enum.Enum)


def reached(name: str) -> set[str]:
    """A module and all that compiled code in it may use, from whatever module of the package."""
    found: set[str] = set()
    pending = [name]
    while pending:
        one = pending.pop()
        if one not in found:
            found.add(one)
            pending += imports(one, classes=False)
    return found


def compiled() -> list[str]:
    """Modules with a function that is compiled."""
    decorators = {"rule", "kernel", "inlined"}
    names = []
    for name, path in FILES.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and decorators & {ast.unparse(one) for one in node.decorator_list}:
                names.append(name)
                break
    return sorted(names)


@pytest.mark.parametrize("name", compiled())
def test_the_cache_depends_on_all_that_a_compiled_module_imports(name: str) -> None:
    hashed = {path.resolve() for path in jit.sources(FILES[name].resolve().parent)}
    hashed |= {path.resolve() for path in jit.sources()}
    needed = {FILES[one].resolve() for one in reached(name)}
    missing = sorted(path.relative_to(PACKAGE.parent).as_posix() for path in needed - hashed)
    assert not missing, f"{name} is compiled from files that are not in the hash: {', '.join(missing)}"
