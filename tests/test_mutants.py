"""Tests of the tool for mutation testing, tests/support/mutants.py: its changes, and that it detects failing tests."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from pathlib import Path

import base_parts
import mutants
import pytest

pytestmark = pytest.mark.slow

SOURCE = b'''"""Words 1 + 1."""
LIMIT = 3

@rule
def claim(g, seat, count=2):
    """More words."""
    for tower in range(count):
        if g.height[tower] >= LIMIT and not seat:
            continue
        g.owner[tower] = seat + 1
        push(g, tower, 0)
    assert count < 9
    return place(seat, count)
'''
CHANGES = {
    ("constant", "3", "4"),
    ("constant", "3", "(2)"),
    ("comparison", "g.height[tower] >= LIMIT", "(g.height[tower] > LIMIT)"),
    ("comparison", "g.height[tower] >= LIMIT", "(g.height[tower] < LIMIT)"),
    ("boolean", "g.height[tower] >= LIMIT and not seat", "(g.height[tower] >= LIMIT or not seat)"),
    ("boolean", "g.height[tower] >= LIMIT and not seat", "(not seat)"),
    ("boolean", "g.height[tower] >= LIMIT and not seat", "(g.height[tower] >= LIMIT)"),
    ("boolean", "not seat", "(seat)"),
    ("condition", "g.height[tower] >= LIMIT and not seat", "True"),
    ("condition", "g.height[tower] >= LIMIT and not seat", "False"),
    ("loop", "continue", "break"),
    ("index", "tower", "tower - 1"),
    ("arithmetic", "seat + 1", "(seat - 1)"),
    ("constant", "1", "2"),
    ("constant", "1", "(0)"),
    ("deletion", "g.owner[tower] = seat + 1", "pass"),
    ("deletion", "push(g, tower, 0)", "pass"),
    ("arguments", "push(g, tower, 0)", "push(g, 0, tower)"),
    ("constant", "0", "1"),
    ("constant", "0", "(-1)"),
    ("return", "place(seat, count)", "0"),
    ("arguments", "place(seat, count)", "place(count, seat)"),
}
"""Every change of the source above, without changes in strings, decorators, default values and assertions."""

RUN = """
import mutants
mutants.prepare()
track = [one for one in mutants.all_mutants() if one.module == "track" and one.operator == "comparison"]
known = [one for one in track if "first_prestige" in one.before]
print(mutants.run(None, ["test_track.py"]))
for one in known:
    print(one, mutants.run(one, ["test_track.py"]))
"""


def test_every_kind_of_change_is_made_and_words_are_left_alone() -> None:
    found = mutants.mutants_of("example", SOURCE)
    assert {(one.operator, one.before, one.after) for one in found} == CHANGES
    for one in found:
        assert SOURCE.splitlines()[one.line - 1][one.column - 1 :].decode().startswith(one.before.splitlines()[0])
        assert ast.dump(ast.parse(one.apply(SOURCE))) != ast.dump(ast.parse(SOURCE))


def test_what_changes_nothing_is_left_out() -> None:
    """The order of arguments of `max` has no effect, nor have arguments that a verb does not take: `take` has one."""
    found = mutants.mutants_of("example", b"def f(c, n):\n    return max(n, number(c, Verb.TAKE, 0, 8, 9))\n")
    texts = {(one.before, one.after) for one in found}
    assert ("0", "1") in texts and not {before for before, _ in texts} & {"8", "9"}
    assert not any(one.operator == "arguments" and one.before.startswith("max") for one in found)
    assert ("number(c, Verb.TAKE, 0, 8, 9)", "number(c, Verb.TAKE, 8, 0, 9)") in texts


def test_the_mutants_of_the_rules_are_programs_and_all_different() -> None:
    everything = mutants.all_mutants()
    assert len(everything) > 3000 and len(set(everything)) == len(everything)
    for one in random.Random(0).sample(everything, 60):
        source = (mutants.RULES / f"{one.module}.py").read_bytes()
        assert ast.dump(ast.parse(one.apply(source))) != ast.dump(ast.parse(source)), one


def test_every_module_of_the_rules_has_mutants_or_a_reason_why_not() -> None:
    modules = {base_parts.name_of(path) for path in mutants.RULES.rglob("*.py")}
    assert modules == {one.module for one in mutants.all_mutants()} | set(mutants.SKIPPED_MODULES)
    assert all((mutants.TESTS / f"test_{name}.py").is_file() for name in mutants.FIRST_TESTS.values())
    assert all((mutants.TESTS / name).is_file() for name in mutants.SLOW)


def test_a_sample_is_random_and_stays_when_other_code_changes() -> None:
    everything = mutants.all_mutants()
    sample = mutants.drawn(everything, 1, 300)
    assert len(set(sample)) == 300 and len({one.module for one in sample}) > 20
    assert len(set(sample) & set(mutants.drawn(everything, 2, 300))) < 40  # 11 are expected
    fewer = [one for one in everything if one.module != "track"]
    assert set(mutants.drawn(fewer, 1, 300)) >= {one for one in sample if one.module != "track"}


@pytest.mark.long
def test_mutants_of_the_base_game_are_of_code_that_it_uses() -> None:
    """Code under FULL, or called only from there, is left out, by function or text; the rest is not."""
    base = {one for one in mutants.all_mutants() if mutants.is_of_the_base_game(one)}
    assert not [one for one in base if one.module.startswith("expansion/")]
    for module, text, expected in (
        ("claim", "special_price(g, seat)", False),  # its only caller is under FULL
        ("verbs", "DELIVER_DIAMOND: Row(", False),
        ("verbs", "(0, 0, 2)", False),
        ("build", "g.diamonds[seat] -= 1", False),
        ("workshop", "f = g.stack[g.depth - 1]\n    if FULL and f[TAKE_MOST] > 1", False),
        ("workshop", "f = g.stack[g.depth - 1]\n    if FULL and f[TAKE_MATERIAL] ==", True),
        ("printed/components", "c.special_amount[i] = next(", False),
        ("points", "RETURN = 21", False),
        ("turn", "n = offer(c, menu, n, Verb.DONE, 0, 0, 0)", True),
        ("claim", "g.rubles[seat] -= price", True),
    ):
        source = (mutants.RULES / f"{module}.py").read_text(encoding="utf-8")
        line = source[: source.index(text)].count("\n") + 1
        of_line = {one for one in mutants.all_mutants() if (one.module, one.line) == (module, line)}
        assert of_line and (of_line <= base if expected else not of_line & base), text


def test_the_rules_pass_and_a_mutant_does_not() -> None:
    """The run is in a process of its own, since the rules must not be imported before the mutant is."""
    paths = [str(mutants.ROOT), str(Path(mutants.__file__).parent)]
    answer = subprocess.run(
        [sys.executable, "-c", RUN],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=900,
    )
    rules, *known = answer.stdout.splitlines()
    assert rules.startswith("('survived', '"), answer.stdout + answer.stderr
    assert len(known) == 2 and all("('test', 'tests/rules/test_track.py::test_r3_" in line for line in known), known
