"""Finds the parts of the rules that only the full game uses, for mutants of the base game: `mutants.py --base`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "rc_env"
RULES = PACKAGE / "rules"
PRINTED = {"expansion_file", "expansion_vocabulary", "contractors_file", "specialist_vocabulary"}
"""Modules of `rules.printed` that only the full game uses, as it alone uses all of `rules.expansion`."""
OTHERS = ("full", "expansion")
"""Words in the names of modules outside of the rules that belong to the full game."""
BY_HAND = {
    ("components", "extend"),  # a ruleset calls it for the full game
    ("verbs", "DIAMOND_GEMS"),  # the base build uses only its length
    *(("points", f"Point.{name}") for name in ("KEEP", "PLAYER", "RETURN")),  # pictures and facts name them
}
"""Definitions of the full game, by module and name, that other code refers to, too."""


def of_the_full_game(path: Path) -> bool:
    """Return whether a whole module belongs to the full game."""
    if RULES in path.parents:
        return path.parent.name == "expansion" or (path.parent.name == "printed" and path.stem in PRINTED)
    return any(word in str(path.relative_to(PACKAGE)) for word in OTHERS)


def name_of(path: Path) -> str:
    """Return the name of a module of the rules: "turn", "solo/ivan"."""
    return path.relative_to(RULES).with_suffix("").as_posix()


def asks_for_full(test: ast.expr) -> bool:
    """Return whether a condition holds in the full game alone: it is `FULL`, or `FULL and` something."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return any(isinstance(part, ast.Name) and part.id == "FULL" for part in parts)


def parts_behind_full(tree: ast.AST) -> Iterator[ast.AST]:
    """Return the parts of a module that the base build leaves out: a condition on FULL, and the code under it."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp)) and asks_for_full(node.test):
            yield node.test
            yield from node.body if isinstance(node, ast.If) else [node.body]
        elif isinstance(node, ast.BoolOp) and asks_for_full(node):
            yield node


def definitions_of(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the functions, the assigned names and the members of classes in the body of a module or a class."""
    for node in body:
        targets: list[ast.expr] = []
        match node:
            case ast.FunctionDef(name=name):
                yield prefix + name, node
            case ast.ClassDef(name=name):
                yield from definitions_of(node.body, f"{name}.")
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                yield from ((ast.unparse(one), value) for one, value in zip(names, values, strict=True))
            case ast.Assign():
                targets = node.targets
            case ast.AnnAssign():
                targets = [node.target]
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            yield prefix + targets[0].id, node


def uses_of(tree: ast.Module, module: str) -> Iterator[tuple[tuple[str, str], ast.AST]]:
    """Yield the names that a module refers to, by module and name, without those in assertions."""
    imported: dict[str, tuple[str, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                imported[one.asname or one.name] = ((node.module or "").rpartition(".")[2], one.name)
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assert):
            continue
        pending.extend(ast.iter_child_nodes(node))
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                yield imported.get(name, (module, name)), node
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                where, what = imported.get(name, (module, name))
                yield (what, attribute), node  # a name of an imported module
                yield (where, f"{what}.{attribute}"), node  # a member of a class
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr=attribute), attr=member):
                yield (imported.get(name, (module, name))[1], f"{attribute}.{member}"), node


def span(node: Any, starts: list[int]) -> tuple[int, int]:
    """Return the first byte of a node in its file and the one behind it, from the first bytes of the lines."""
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def line_starts(source: bytes) -> list[int]:
    """Return the first byte of each line of a file."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def inside(part: tuple[int, int], parts: list[tuple[int, int]]) -> bool:
    """Return whether a span lies in one of the others."""
    return any(low <= part[0] and part[1] <= high for low, high in parts)


def locals_of_full(tree: ast.AST, starts: list[int], parts: list[tuple[int, int]]) -> Iterator[ast.Assign]:
    """Return assignments to local names that are read only under a condition on FULL."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
            read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
            needed = {
                node.id for node in names if isinstance(node.ctx, ast.Load) and not inside(span(node, starts), parts)
            }
            for node in ast.walk(function):
                match node:
                    case ast.Assign(targets=[ast.Name(id=name)]) if name in read - needed:
                        yield node


@cache
def full_parts() -> dict[str, list[tuple[int, int]]]:
    """Return, by module of the rules and as bytes of its file, the code under FULL and the code that only it uses."""
    definitions: dict[tuple[str, str], tuple[Path, tuple[int, int]]] = {}
    uses: list[tuple[tuple[str, str], Path, tuple[int, int]]] = []
    parts: dict[Path, list[tuple[int, int]]] = {}
    for path in PACKAGE.rglob("*.py"):
        source = path.read_bytes()
        tree, starts = ast.parse(source), line_starts(source)
        uses += [(use, path, span(node, starts)) for use, node in uses_of(tree, path.stem)]
        parts[path] = [span(node, starts) for node in parts_behind_full(tree)]
        parts[path] += [span(node, starts) for node in locals_of_full(tree, starts, parts[path])]
        if of_the_full_game(path):
            parts[path].append((0, len(source)))
        elif RULES in path.parents:
            for name, node in definitions_of(tree.body):
                definitions[path.stem, name] = path, span(node, starts)
    uses = [one for one in uses if one[0] in definitions and one[0] not in BY_HAND]
    called = {use for use, _, _ in uses} | BY_HAND  # code that nothing in the package uses is an entry point
    definitions = {key: definitions[key] for key in called}
    while True:
        uses = [one for one in uses if not inside(one[2], parts[one[1]])]
        needed = {use for use, _, _ in uses}
        left_out = [definitions.pop(key) for key in definitions.keys() - needed]
        if not left_out:
            return {name_of(path): spans for path, spans in parts.items() if RULES in path.parents}
        for path, part in left_out:
            parts[path].append(part)
