"""Tests that docs/rules.md names every ruling, and only functions and tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest
from rulings.all import ALL

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| R-")]
RULINGS = [*range(1, 32), *range(40, 86)]
CASES = [case.name for case in ALL]
OF_CARDS = (68, 73, 74)  # guilds that consist of primitives of the vocabulary, so no code is theirs alone


@cache
def sources() -> str:
    """Return the source code of all rules."""
    return "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rc_env" / "rules").rglob("*.py"))


@cache
def functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_ruling_has_one_row_in_order() -> None:
    assert [row[0] for row in ROWS] == [f"R-{n}" for n in RULINGS]
    assert all(len(row) == 4 and len(row[1]) > 20 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_the_code_and_the_tests_of_a_ruling_exist(row: list[str]) -> None:
    code, tests = re.findall(r"`(\w+)\.(\w+)`", row[2]), re.findall(r"`(\w+)::(\w+)`", row[3])
    assert code and len(code) == row[2].count("`") // 2
    assert tests and len(tests) == row[3].count("`") // 2
    for file, function in code:
        files = (ROOT / "rc_env" / "rules").rglob(f"{file}.py")
        assert any(function in functions(one) for one in files), f"{file}.{function}"
    for file, test in tests:
        if file == "rulings":
            assert any(name.startswith(test) for name in CASES), f"{file}::{test}"
            continue
        found = [
            path for path in (ROOT / "tests" / "rules" / f"{file}.py", ROOT / "tests" / f"{file}.py") if path.exists()
        ]
        assert found and test in functions(found[0]), f"{file}::{test}"


@pytest.mark.parametrize("number", RULINGS)
def test_every_ruling_is_named_by_tests_and_by_the_code(number: int) -> None:
    """The name of some test contains the ruling, alone or in a range, and so does the docstring of some function."""
    names = set().union(*(functions(path) for path in (ROOT / "tests" / "rules").glob("test_*.py")))
    names |= {f"_{case}_" for case in CASES}
    alone = {name for name in names if re.search(rf"_r{number}[a-d]?_", name)}
    ranges = [re.match(r"test_r(\d+)_to_r(\d+)_", name) for name in names]
    assert alone or any(m and int(m[1]) <= number <= int(m[2]) for m in ranges)
    spans = re.findall(r"R-(\d+)(?: to R-(\d+))?", sources())
    assert number in OF_CARDS or any(int(low) <= number <= int(high or low) for low, high in spans)


def test_every_table_of_the_data_file_says_where_its_numbers_come_from() -> None:
    parts = TEXT.split("## Which numbers are printed")[1].split("Of the expansion")
    for part, name, count in zip(parts, ("base", "contractors"), (13, 17), strict=True):
        data = (ROOT / "rc_env" / "data" / f"{name}.toml").read_text(encoding="utf-8")
        tables = set(re.findall(r"^\[+(\w+)", data, re.M))
        shown = set(re.findall(r"`(\w+)(?:\.\w+)?`", part))
        assert len(tables) == count and tables <= shown
