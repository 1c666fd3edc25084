"""Mutation testing of the rules: does tests/rules notice a small change of rc_env/rules?

`make mutants` draws a random sample of mutants of the base game, all different, by a seed, and runs tests/rules
against each of them in plain Python (NUMBA_DISABLE_JIT=1) until a test fails. A mutant lives in the memory of a
forked process that imports its source in place of the file; no file is written. Of the libraries, mutmut leaves
decorated functions alone, and every rule is decorated; cosmic-ray rewrites the files of the checkout and starts
Python anew for each mutant.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib.abc
import importlib.machinery
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from base_parts import full_parts, inside, line_starts, name_of, of_the_full_game, span

ROOT = Path(__file__).resolve().parents[2]
RULES, TESTS = ROOT / "rc_env" / "rules", ROOT / "tests" / "rules"

SKIPPED_MODULES = {
    **dict.fromkeys(("__init__", "expansion/__init__", "printed/__init__", "solo/__init__"), "is empty"),
    "printed/data_file": "reads and checks the data file: tests/test_data_file.py",
    "printed/expansion_file": "reads and checks the data file of the expansion",
    **dict.fromkeys(
        ("printed/sizes", "printed/build_sizes"), "counts names and reserves room: more room plays the same"
    ),
    "state": "declares the record of a game: more room plays the same",
    "hidden": "does nothing in the base game",
}
"""Modules without mutants, each with the reason."""
SKIPPED_FUNCTIONS = {
    "setup.checked_deals": "checks the deals of a caller: tests/test_engine.py",
    "printed/vocabulary.action_text": "words",
    "printed/vocabulary._value": "words",
    "printed/vocabulary.rubles": "words",
}
OTHER_TESTS = {"test_rulings.py", "test_oracle_deals.py", "test_oracle_games.py"}
"""Tests of the second implementation alone: no mutant can make them fail."""
FUNCTIONS_ALONE = {"printed/vocabulary", "printed/expansion_vocabulary"}
"""Modules whose tables hold words and the ranges of the data file: only their functions have mutants."""
FIRST_TESTS = {"effects": "guilds", "goods": "market", "points": "turn", "components": "setup", "vocabulary": "guilds"}
"""The file of tests/rules that is run first, where it is not named after the module."""
QUICK = "test_oracle.py::test_games_with_other_numbers"
"""Whole games of every variant, against which few mutants survive: run after the first file."""
SLOW = ("test_setup.py", "test_oracle.py", "test_rulings_engine.py", "test_oracle_full.py")
"""Test files that take as long as all others together, in plain Python: run last."""
FULL_TESTS = {"test_oracle_full.py", "test_rulings_engine.py"}
"""Tests of the full game alone: `--base` leaves them out."""
LONGEST = 10.0
"""Seconds of processor time that a test may take: some ten times what the slowest one takes."""


@dataclass(frozen=True)
class Mutant:
    """One change of a source file: the bytes from `start` to `end` become `after`. Columns count from 1."""

    module: str
    line: int
    column: int
    operator: str
    before: str
    after: str
    start: int
    end: int

    def __str__(self) -> str:
        one_line = (" ".join(text.split()) for text in (self.before, self.after))
        return f"{self.module}.py:{self.line}:{self.column} {self.operator}: {' -> '.join(one_line)}"

    def apply(self, source: bytes) -> bytes:
        """Return the source with this change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
}
RECORDS = {"c", "g", "menu", "fixed", "scratch"}
"""Names of records in the rules: an exchange with a number fails at once, which would prove nothing."""


SYMMETRIC = {"max", "min"}
"""Functions whose arguments may be exchanged."""


@cache
def arguments_of_verbs() -> dict[str, int]:
    """Return how many arguments `verbs.py` gives to each verb: `number` takes three, and ignores the others."""
    rows = ast.walk(ast.parse((RULES / "verbs.py").read_bytes()))
    pairs = [pair for node in rows if isinstance(node, ast.Dict) for pair in zip(node.keys, node.values, strict=True)]
    return {
        ast.unparse(key): len(row.args[0].elts)
        for key, row in pairs
        if key and isinstance(row, ast.Call) and isinstance(row.args[0], ast.Tuple)
    }


def without_effect(node: ast.AST) -> list[ast.expr]:
    """Return the arguments of a call of `verbs.number` that its verb does not take."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "number":
        verb = ast.unparse(node.args[1])
        if verb in arguments_of_verbs():
            return node.args[2 + arguments_of_verbs()[verb] :]
    return []


def changed(node: Any, **fields: Any) -> str:
    """Return the source of a node with some of its fields replaced."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return ast.unparse(new)


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield the mutations of a node: operator, the part that is replaced, and its replacement."""
    match node:
        case ast.Compare():
            for i, old in enumerate(node.ops):
                for other in COMPARISONS.get(type(old), ()):
                    ops = [*node.ops[:i], other(), *node.ops[i + 1 :]]
                    yield "comparison", node, f"({changed(node, ops=ops)})"
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield "arithmetic", node, f"({changed(node, op=ARITHMETIC[type(node.op)]())})"
        case ast.AugAssign():
            if type(node.op) in ARITHMETIC:
                yield "arithmetic", node, changed(node, op=ARITHMETIC[type(node.op)]())
            yield "deletion", node, "pass"
        case ast.Constant(value=bool()):
            yield "constant", node, str(not node.value)
        case ast.Constant(value=int()):
            yield "constant", node, str(node.value + 1)
            yield "constant", node, f"({node.value - 1})"
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "boolean", node, f"({changed(node, op=other)})"
            for i in range(len(node.values)):
                rest = [*node.values[:i], *node.values[i + 1 :]]
                yield "boolean", node, f"({changed(node, values=rest) if len(rest) > 1 else ast.unparse(rest[0])})"
        case ast.UnaryOp(op=ast.Not()):
            yield "boolean", node, f"({ast.unparse(node.operand)})"
        case ast.If() | ast.IfExp():
            yield "condition", node.test, "True"
            yield "condition", node.test, "False"
        case ast.While():
            yield "condition", node.test, "False"
        case ast.Subscript(slice=ast.Tuple(elts=places)):
            yield from (
                ("index", place, f"{ast.unparse(place)} - 1") for place in places if isinstance(place, ast.Name)
            )
        case ast.Subscript(slice=ast.Name(id=name)):
            yield "index", node.slice, f"{name} - 1"
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield "return", node.value, "0"
        case ast.Break():
            yield "loop", node, "continue"
        case ast.Continue():
            yield "loop", node, "break"
        case ast.Assign() | ast.Expr(value=ast.Call()):
            yield "deletion", node, "pass"
    if isinstance(node, ast.Call):
        for i, (left, right) in enumerate(zip(node.args, node.args[1:], strict=False)):
            texts = ast.unparse(left), ast.unparse(right)
            if ast.unparse(node.func) in SYMMETRIC:
                continue
            if texts[0] != texts[1] and not RECORDS & set(texts):
                args = [*node.args[:i], right, left, *node.args[i + 2 :]]
                yield "arguments", node, changed(node, args=args)


def visited(node: ast.AST, skipped: Callable[[str], bool], top: bool = True) -> Iterator[tuple[str, ast.AST, str]]:
    """Yield every change of a tree, except in decorators, annotations, strings, imports, `raise` and `assert`
    statements.
    """
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assert, ast.Raise, ast.JoinedStr)):
        return
    if isinstance(node, ast.FunctionDef) and skipped(node.name):
        return
    if top and isinstance(node, ast.Assign) and "np.dtype(" in ast.unparse(node.value):
        return  # such a module declares memory, as state.py does
    yield from (found for found in variants(node) if not (top and found[0] == "deletion"))
    left_out = ("decorator_list", "annotation", "returns", "args" if isinstance(node, ast.FunctionDef) else "")
    unused = without_effect(node)
    for name, value in ast.iter_fields(node):
        if name not in left_out:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and child not in unused:
                    yield from visited(child, skipped, top and not isinstance(node, ast.FunctionDef))


def mutants_of(module: str, source: bytes) -> list[Mutant]:
    """Return every mutant of a module of rc_env/rules, in the order of its tree."""
    starts = line_starts(source)
    tree = ast.parse(source)
    if module in FUNCTIONS_ALONE:
        tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    found = {}
    for operator, part, after in visited(tree, lambda name: f"{module}.{name}" in SKIPPED_FUNCTIONS):
        assert isinstance(part, (ast.expr, ast.stmt))
        start, end = span(part, starts)
        before = source[start:end].decode()
        found[start, end, after] = Mutant(
            module, part.lineno, part.col_offset + 1, operator, before, after, start, end
        )  # fmt: skip
    return list(found.values())


def all_mutants() -> list[Mutant]:
    """Return every mutant of the rules."""
    paths = [path for path in sorted(RULES.rglob("*.py")) if name_of(path) not in SKIPPED_MODULES]
    return [mutant for path in paths for mutant in mutants_of(name_of(path), path.read_bytes())]


def drawn(mutants: list[Mutant], seed: int, count: int) -> list[Mutant]:
    """Return the mutants whose text has the lowest hashes: a sample that stays when other lines of the rules change."""
    lines = {module: (RULES / f"{module}.py").read_bytes().splitlines() for module in {one.module for one in mutants}}
    alike = Counter[tuple[Any, ...]]()
    hashes = {}
    for one in mutants:
        line = lines[one.module][one.line - 1]
        column = one.column - (len(line) - len(line.lstrip()))
        text = (one.module, line.strip().decode(), column, one.operator, one.before, one.after)
        alike[text] += 1
        hashes[one] = hashlib.sha256(repr((seed, *text, alike[text])).encode()).digest()
    return sorted(mutants, key=hashes.__getitem__)[:count]


# --- running the tests against a mutant


class Importer(importlib.abc.MetaPathFinder):
    """Imports the mutated module from changed source, in both builds of the rules (`rc_env/edition.py`)."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        name = f"rules.{mutant.module.replace('/', '.')}"
        self.names = (f"rc_env.{name}", f"rc_env.full.{name}")
        self.path = RULES / f"{mutant.module}.py"

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self.names:
            return None
        code = compile(self.mutant.apply(self.path.read_bytes()), str(self.path), "exec", dont_inherit=True)

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname: str) -> Any:
                return code

        loader = Loader(fullname, str(self.path))
        return importlib.machinery.ModuleSpec(fullname, loader, origin=str(self.path))


class Watch:
    """A pytest plugin: reports the first failure, or a test that takes too long, and ends the process with it."""

    def __init__(self, report: Callable[[str, str], None]) -> None:
        self.report, self.passed = report, 0

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        def too_long(*_: Any) -> None:
            self.report("timeout", nodeid)
            os._exit(0)

        signal.signal(signal.SIGVTALRM, too_long)
        signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.passed += report.when == "call"
        if report.failed:
            self.report("test", report.nodeid)
            os._exit(0)


def run(mutant: Mutant | None, files: Sequence[str]) -> tuple[str, str]:
    """Run test files one after the other in a forked process until a test fails, against a mutant or the rules.

    Returns:
        ("test", its name), ("timeout", the test's name), ("import", "") if the tests could not be collected, or
        ("survived", the number of tests).
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        with os.fdopen(reader) as lines:
            answer = lines.readline()
        os.waitpid(child, 0)
        outcome, _, detail = answer.strip().partition(" ")
        return (outcome, detail) if outcome else ("import", "")

    def report(outcome: str, detail: str) -> None:
        os.write(writer, f"{outcome} {detail}\n".encode())

    try:
        import pytest

        os.close(reader)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        if mutant:
            sys.meta_path.insert(0, Importer(mutant))
        watch = Watch(report)
        options = ["-p", "no:cacheprovider", "-p", "no:warnings", f"--rootdir={ROOT}"]
        for file in files:
            # Tests that have run are not run again: QUICK is a part of its file.
            again = [f"--deselect=tests/rules/{done}" for done in files[: files.index(file)] if done.startswith(file)]
            if pytest.main([str(TESTS / file), *options, *again], plugins=[watch]) != 0:
                report("import", "")
                os._exit(0)
        report("survived", str(watch.passed))
    finally:
        os._exit(0)


def files_for(module: str, base: bool) -> list[str]:
    """Return the files that pytest runs: the test file of the module first, the slow ones last."""
    module = module.rpartition("/")[2]
    first = f"test_{FIRST_TESTS.get(module, module)}.py"
    files = sorted({path.name for path in TESTS.glob("test_*.py")} - OTHER_TESTS - (FULL_TESTS if base else set()))
    files.sort(key=lambda file: (file != first, SLOW.index(file) if file in SLOW else -1))
    return [files[0], QUICK, *files[1:]]


def is_of_the_base_game(mutant: Mutant) -> bool:
    """Return whether the base build contains the code of a mutant, and uses it."""
    if of_the_full_game(RULES / f"{mutant.module}.py"):
        return False
    return not inside((mutant.start, mutant.end), full_parts()[mutant.module])


def read_records_quickly() -> None:
    """Let records look a name up among their fields first: in plain Python this takes most of the time of the rules."""
    import numpy as np

    record: Any = np.record
    slow_get, slow_set = record.__getattribute__, record.__setattr__
    get, put = np.void.__getitem__, np.void.__setitem__

    def quick_get(self: Any, name: str) -> Any:
        try:
            return get(self, name)
        except ValueError:
            return slow_get(self, name)

    def quick_set(self: Any, name: str, value: Any) -> None:
        try:
            put(self, name, value)
        except ValueError:
            slow_set(self, name, value)

    record.__getattribute__, record.__setattr__ = quick_get, quick_set


def prepare() -> None:
    """Import what every forked process needs, except the rules and what imports them."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # tests/rules need no plugins, which take longer than most tests
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for name in (
        "numpy",
        "numba",
        "gymnasium",
        "pettingzoo",
        "pytest",
        "rich.console",
        "unittest",
        "xml.etree.ElementTree",
    ):
        importlib.import_module(name)
    assert "rc_env" not in sys.modules
    read_records_quickly()


def main() -> None:
    """Draw a sample, run it, and print the outcome of each mutant and the share that was killed."""
    parser = argparse.ArgumentParser(description="Run tests/rules against random mutants of rc_env/rules.")
    parser.add_argument("--seed", type=int, default=1, help="seed of the sample (default: %(default)s)")
    parser.add_argument("--count", type=int, default=300, help="number of mutants (default: %(default)s)")
    parser.add_argument(
        "--only", nargs="*", default=[""], help="only those of the sample that contain one of these words"
    )
    parser.add_argument("--base", action="store_true", help="only mutants of what the base game uses")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run the tests of the module and some whole games alone",
    )
    parser.add_argument("--list", action="store_true", help="print the sample, run nothing")
    options = parser.parse_args()
    everything = [mutant for mutant in all_mutants() if not options.base or is_of_the_base_game(mutant)]
    sample = [
        mutant
        for mutant in drawn(everything, options.seed, options.count)
        if any(words in str(mutant) for words in options.only)
    ]
    if options.list:
        print(*sample, sep="\n")
        return
    prepare()
    most = 2 if options.quick else None
    began = time.monotonic()
    outcome, detail = run(None, files_for("", options.base)[:most])
    if outcome != "survived":
        sys.exit(f"tests/rules: {outcome} {detail} found without a mutant, expected no failure")
    print(
        f"{detail} tests take {time.monotonic() - began:.0f} s; {len(sample)} of {len(everything)} mutants", flush=True
    )
    survivors = []
    for number, mutant in enumerate(sample, 1):
        began = time.monotonic()
        outcome, detail = run(mutant, files_for(mutant.module, options.base)[:most])
        if outcome == "survived":
            survivors.append(mutant)
        words = "SURVIVED" if outcome == "survived" else f"{outcome} {detail}"
        print(f"{number} {mutant} | {words} | {time.monotonic() - began:.1f} s", flush=True)
    killed = len(sample) - len(survivors)
    print(
        f"killed {killed} of {len(sample)} ({100 * killed / max(len(sample), 1):.1f} %); survivors:",
        *survivors,
        sep="\n",
    )


if __name__ == "__main__":
    main()
