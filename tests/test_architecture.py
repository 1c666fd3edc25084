"""Tests of the structure of the package: which module imports which, and the files by which compiled code is cached."""

from __future__ import annotations

import ast
import enum
import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rc_env
from rc_env import Ruleset, jit
from rc_env.build import Build
from rc_env.rules.printed import build_sizes, sizes

PACKAGE = Path(rc_env.__file__).parent


def files() -> dict[str, Path]:
    """Return every module of the package by its name; those of bots and training by the links to them."""
    found = {}
    for folder in (PACKAGE, *(PACKAGE / name for name in ("agents", "arena", "training", "apps"))):
        for path in folder.rglob("*.py"):
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


FILES = files()


def imports(name: str, classes: bool = True, functions: bool = False) -> set[str]:
    """Return the modules of the package that a module imports when it is loaded or type-checked.

    Without `classes`, imports of classes alone are left out: compiled code can use only enumerations among them. With
    `functions` imports inside functions count as well.
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
        elif functions or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += ast.iter_child_nodes(node)
    return found - {name}


def imported_from(name: str, node: ast.ImportFrom) -> str:
    """Return the module that an import names, whether absolute or relative to the importing module."""
    if not node.level:
        return node.module or ""
    folder = name.split(".") if FILES[name].name == "__init__.py" else name.split(".")[:-1]
    return ".".join([*folder[: len(folder) - node.level + 1], *([node.module] if node.module else [])])


def is_plain_class(module: str, name: str) -> bool:
    found = getattr(importlib.import_module(module), name)
    return isinstance(found, type) and not issubclass(found, enum.Enum)


def reached(name: str) -> set[str]:
    """Return a module and all modules of the package that compiled code in it may use."""
    found: set[str] = set()
    pending = [name]
    while pending:
        one = pending.pop()
        if one not in found | KEEPERS:
            found.add(one)
            pending += imports(one, classes=False)
    return found


KEEPERS = {
    *("rc_env.compile_cache", "rc_env.files", "rc_env.checks", "rc_env.arguments", "rc_env.card_sets.source"),
    *("rc_env.batch", "rc_env.memory", "rc_env.loops"),
}
"""Modules that cache compiled code, check arguments before it is called, call it, or draw data files: nothing in them
is compiled, and no compiled code uses them."""


def compiled() -> list[str]:
    """Return the modules with a compiled function."""
    decorators = {"rule", "kernel", "inlined", "solo_rule"}
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


# --- which module imports which

LAYERS = (
    (
        "rc_env.edition",
        "rc_env.full",
        "rc_env.checks",
        "rc_env.fields",
        "rc_env.files",
        "rc_env.archives",
        "rc_env.moved",
    ),
    ("rc_env.compile_cache", "rc_env.linking"),
    ("rc_env.jit",),
    ("rc_env.rules",),
    ("rc_env.layout",),
    ("rc_env.kernels",),
    ("rc_env.build",),
    ("rc_env.card_sets",),
    ("rc_env.ruleset",),
    ("rc_env.words", "rc_env.validation", "rc_env.arguments", "rc_env.saved_games"),
    ("rc_env.batch", "rc_env.memory"),
    ("rc_env.threads", "rc_env.sealing"),
    ("rc_env.loops",),
    ("rc_env.engine",),
    ("rc_env.warming_up",),
    ("rc_env.bot", "rc_env.engine_group", "rc_env.seating", "rc_env.record", "rc_env.render"),
    ("rc_env.envs", "rc_env.red_cathedral_v0"),
    ("rc_env",),
    ("rc_env.agents",),
    ("rc_env.arena",),
    ("rc_env.arena.studies",),
    ("rc_env.arena.pages",),
    ("rc_env.training",),
    ("rc_env.apps",),
)
"""Each module belongs to the layer with the longest name that its own name begins with, and imports no higher layer."""


def layer(module: str) -> int:
    """Return the place of a module in LAYERS."""
    found = [(len(name), i) for i, names in enumerate(LAYERS) for name in names if f"{module}.".startswith(f"{name}.")]
    return max(found)[1]


LOOKED_UP = {module for module, _ in rc_env._LAZY.values()}
"""Modules that `rc_env` looks up by name when they are first used; type checkers are told of them by an import."""
GRAPH = {name: imports(name) - (LOOKED_UP if name == "rc_env" else set()) for name in FILES}


@pytest.mark.parametrize("name", sorted(FILES))
def test_imports_run_downwards(name: str) -> None:
    """Wherever they stand: a function that imports is no way around the order."""
    found = GRAPH[name] | (imports(name, functions=True) - LOOKED_UP)
    wrong = sorted(one for one in found if layer(one) > layer(name))
    assert not wrong, f"{name} imports {', '.join(wrong)}, of a higher layer"


UPWARDS = {("rc_env.envs.gym", "rc_env.agents")}
"""The one module that another one of a lower layer looks up by its name; `rc_env` itself has LOOKED_UP."""


def looked_up(name: str) -> set[str]:
    """Return the modules of the package that a module names in calls of `import_module`, as far as they are written."""
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__"):
            word = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            if isinstance(word, ast.Constant) and str(word.value).startswith("rc_env"):
                found.add(str(word.value).rstrip("."))
    return found


def test_look_ups_by_name_run_downwards_but_for_those_that_are_known() -> None:
    found = {(name, one) for name in FILES for one in looked_up(name)}
    assert {(name, one) for name, one in found if layer(one) > layer(name)} == UPWARDS
    assert ("rc_env.apps.cli.rc", "rc_env.apps.cli") in found


def test_every_module_has_a_layer_of_its_own_package() -> None:
    top = [name for name in FILES if layer(name) == LAYERS.index(("rc_env",))]
    assert top == ["rc_env"], "these modules need a line in LAYERS"


def test_no_modules_import_each_other() -> None:
    remaining = {name: set(found) for name, found in GRAPH.items()}
    while leaves := [name for name, found in remaining.items() if not found]:
        for name in leaves:
            del remaining[name]
        for found in remaining.values():
            found.difference_update(leaves)
    assert not remaining, f"modules in a circle of imports, or above one: {', '.join(sorted(remaining))}"


# --- the two builds


@cache
def twice() -> dict[str, ModuleType]:
    """Return the modules that are loaded once for each build by their names in the base build, as the full one has
    them."""
    for root in ("build", "record.text", "agents.build", "agents.playouts"):
        importlib.import_module(f"rc_env.full.{root}")
    found = {name.replace("rc_env.full.", "rc_env.", 1): module for name, module in sys.modules.items()}
    return {name: found[name] for name in found if f"rc_env.full.{name[7:]}" in sys.modules and name in FILES}


def differs(module: str, name: str) -> bool:
    """Return whether a name of a module stands for another value in the full build."""
    base, full = importlib.import_module(module), twice()[module]
    if not hasattr(full, name):  # a module that is loaded once, in a folder of some that are loaded twice
        return False
    one, other = getattr(base, name), getattr(full, name)
    if isinstance(one, np.ndarray):
        return not np.array_equal(one, other)
    both = [list(value) if isinstance(value, enum.EnumMeta) else value for value in (one, other)]
    shown = (re.sub(r" at 0x[0-9a-f]+", "", repr(value)).replace("rc_env.full.", "rc_env.") for value in both)
    return len(set(shown)) > 1


def taken_from_the_base_build(name: str) -> set[tuple[str, str]]:
    """Return what a module takes from modules of the base build, whichever build a game is played with."""
    tree, found, modules = ast.parse(FILES[name].read_text(encoding="utf-8")), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not (node.level and name in twice()):
            source = imported_from(name, node)
            for alias in node.names:
                if f"{source}.{alias.name}" in twice():
                    modules[alias.asname or alias.name] = f"{source}.{alias.name}"
                elif source in twice():
                    found.add((source, alias.name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            found.add((modules[node.value.id], node.attr))
    return found


def test_what_differs_between_the_builds_is_taken_from_the_build_of_a_game() -> None:
    """Nobody imports a number, a name or a record type of the base build that is another one in the full build."""
    wrong = [
        f"{name}: {module}.{one}"
        for name in FILES
        for module, one in taken_from_the_base_build(name)
        if differs(module, one)
    ]
    assert not wrong, f"taken from the base build, expected from `Ruleset.build`: {', '.join(sorted(wrong))}"


def test_a_number_that_differs_is_known_as_one() -> None:
    own = [name for name in vars(build_sizes) if name.isupper() and not hasattr(sizes, name)]
    assert all(differs("rc_env.rules.printed.build_sizes", name) for name in own)
    assert not any(differs("rc_env.rules.printed.sizes", name) for name in vars(sizes) if name.isupper())
    assert {"rc_env.rules.turn", "rc_env.layout.writer", "rc_env.record.decision", "rc_env.agents.values"} <= set(
        twice()
    )
    assert ("rc_env.rules.printed.sizes", "COLOURS") in taken_from_the_base_build("rc_env.render.text")


def test_a_ruleset_knows_its_build() -> None:
    base, full = Ruleset(), Ruleset(contractors=True)
    assert base.build is Build and full.build.__module__ == "rc_env.full.build"
    for ruleset in (base, full):
        build = ruleset.build
        game = np.zeros(1, build.state.GAME)[0]
        assert len(game["die_space"]) == len(build.sizes.DIE_NAMES) == build.sizes.DICE
        assert len(game["stack"]) == build.sizes.STACK and len(ruleset.rules[0].effect_first) == build.sizes.EFFECTS
        assert isinstance(ruleset.actions, build.actions.ActionLayout)
    assert (base.build.sizes.DICE, full.build.sizes.DICE) == (5, 6)


# --- what a user imports


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_names_at_the_top_load_bots_when_they_are_first_used() -> None:
    code = (
        "import sys\n"
        "sys.modules |= dict.fromkeys(('torch', 'rich', 'tqdm', 'stable_baselines3', 'matplotlib'))\n"
        "import rc_env\n"
        "loaded = [name for name in sys.modules if name.startswith(('rc_env.agents', 'rc_env.arena'))]\n"
        "assert not loaded, loaded\n"
        "assert {'make_bot', 'play_match'} <= set(dir(rc_env)) & set(rc_env.__all__)\n"
        "match = rc_env.play_match(['greedy', rc_env.make_bot('random')], deals=2, seed=1)\n"
        "print(match.names, type(rc_env.make_bot('search:simulations=64')).__name__)\n"
    )
    assert run(code) == "('greedy', 'random') SearchBot\n"


def test_a_name_that_is_not_at_the_top_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'make_bots'"):
        rc_env.make_bots  # noqa: B018


LISTED = ("agents", "arena", "arena/studies", "training", "apps/table", "apps/terminal", "apps/web", "bench")
"""Folders whose modules docs/architecture.md names one by one."""


@pytest.mark.parametrize("folder", LISTED)
def test_the_page_of_the_architecture_names_every_module(folder: str) -> None:
    root = Path(__file__).parents[1]
    named = set(re.findall(r"`(?:[a-z]+/)*(\w+\.py)`", (root / "docs" / "architecture.md").read_text(encoding="utf-8")))
    missing = sorted(path.name for path in (root / folder).glob("*.py") if path.name not in {"__init__.py", *named})
    assert not missing, f"{folder}: {', '.join(missing)}"
