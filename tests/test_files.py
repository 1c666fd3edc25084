"""Tests that files are written completely or not at all, everywhere by the same function."""

from __future__ import annotations

import ast
import errno
import os
import stat
from pathlib import Path

import pytest

import rc_env
from rc_env import files

PACKAGE = Path(rc_env.__file__).parent


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    files.write(path, "ä\n")
    assert path.read_bytes() == b"\xc3\xa4\n"
    path.chmod(0o640)
    files.write(path, b"\0")
    assert path.read_bytes() == b"\0" and stat.S_IMODE(path.stat().st_mode) == 0o640
    assert left(tmp_path) == ["page.html"]


def test_a_link_leads_to_the_file_that_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there" / "file")
    files.write(link, "one")
    files.write(link, "two")
    assert link.is_symlink() and (tmp_path / "there" / "file").read_text() == "two"


def test_what_is_no_plain_file_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    files.write(pipe, "through")
    assert os.read(reader, 100) == b"through" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_fault_keeps_the_old_file_and_leaves_nothing_else(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    files.write(path, "old")

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    sentence = r"results.json cannot be written: No space left on device; the one written before is kept$"
    with pytest.raises(OSError, match=sentence):
        files.write(path, "new")
    with pytest.raises(OSError, match=r"other.json cannot be written: No space left on device$"):
        files.write(tmp_path / "other.json", "new")
    assert path.read_text() == "old" and left(tmp_path) == ["results.json"]


def test_an_interrupt_leaves_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        files.write(tmp_path / "file", "new")
    with pytest.raises(KeyboardInterrupt):
        files.append(tmp_path / "log", "line")
    assert left(tmp_path) == ["log"] and (tmp_path / "log").read_bytes() == b""


def test_a_line_is_added_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.jsonl"
    assert files.whole_lines(path) == []
    files.append(path, "one")
    files.append(path, "two ä")

    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=r"log.jsonl cannot be written: No space left on device; the lines before"):
            files.append(path, "three")
    assert files.whole_lines(path) == ["one", "two ä"]
    path.write_bytes(path.read_bytes() + b"thr")  # as if the process were killed while it wrote
    assert files.whole_lines(path) == ["one", "two ä"]


def test_what_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    files.check(tmp_path / "file")
    file = tmp_path / "file"
    file.write_text("kept")
    files.check(file)
    assert file.read_text() == "kept" and left(tmp_path) == ["file"]
    with pytest.raises(OSError, match=r"no/file cannot be written: No such file or directory$"):
        files.check(tmp_path / "no" / "file")
    with pytest.raises(OSError, match=r"cannot be written: Is a directory$"):
        files.check(tmp_path)
    for name in (file, file / "below"):
        with pytest.raises(OSError, match=r".* is a file; choose a folder, or a name that is free"):
            files.make_folder(name)
    assert files.make_folder(tmp_path / "a" / "b").is_dir()


def test_folders_that_an_error_left_empty_are_removed_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    for name in ("new/below", "before", "before/below", "full"):
        with pytest.raises(ValueError, match="refused"), files.without_empty(tmp_path / name):
            files.make_folder(tmp_path / name)
            if name == "full":
                files.write(tmp_path / name / "results", "kept")
            raise ValueError("refused")
    assert left(tmp_path) == ["before", "full"] and left(tmp_path / "full") == ["results"]
    assert left(tmp_path / "before") == []
    with files.without_empty(tmp_path / "asked for"):
        files.make_folder(tmp_path / "asked for")
    assert (tmp_path / "asked for").is_dir()


# --- the same function everywhere

WRITES = {
    "write_text",
    "write_bytes",
    "touch",
    "savefig",
    "tofile",
    "imsave",
    "copyfile",
    "copy2",
    "NamedTemporaryFile",
}
"""Names of methods and functions that write a file by its name, on whichever object."""
INTO_BUFFERS = {"dump", "save", "savez", "savez_compressed", "export"}
"""Functions that write to a name or to an open file, listed with their module."""
ALLOWED = {
    "agents/net.py: np.savez",  # writes into a buffer
    "rc_env/saved_games.py: np.savez_compressed",  # writes into a buffer
    "training/playout_values.py: np.savez_compressed",  # writes into a buffer
    "training/checkpoint.py: torch.save",  # writes into a buffer
    "training/onnx_export.py: torch.onnx.export",  # returns the model
    "arena/pages/plots.py: drawn.savefig",  # writes into a buffer
}


def writes(tree: ast.AST) -> list[str]:
    """Return the calls by which a module writes files, as source text."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        words = ast.unparse(node.func)
        owner, _, name = words.rpartition(".")
        modes = [
            one.value for one in (*node.args, *(word.value for word in node.keywords)) if isinstance(one, ast.Constant)
        ]
        opens = name in ("open", "fdopen") and any(
            isinstance(mode, str) and set(mode) <= set("rwxabt+U") and set(mode) & set("wxa+") for mode in modes
        )
        moves = owner in ("os", "shutil") and name in ("replace", "rename", "copy", "move", "truncate")
        libraries = name in INTO_BUFFERS and owner in (
            "json",
            "pickle",
            "np",
            "numpy",
            "torch",
            "torch.onnx",
            "tomli_w",
        )
        if opens or moves or libraries or name in WRITES:
            found.append(words)
    return found


def test_every_module_writes_files_in_the_one_way() -> None:
    found = set()
    for folder in (PACKAGE, *(PACKAGE / name for name in ("agents", "arena", "training", "apps"))):
        for path in folder.rglob("*.py"):
            if path.resolve() != Path(files.__file__).resolve():
                name = path.resolve().relative_to(PACKAGE.parent.resolve()).as_posix()
                found |= {f"{name}: {words}" for words in writes(ast.parse(path.read_text(encoding="utf-8")))}
    assert found == ALLOWED, (
        "write files by rc_env.files.write; a call that only fills a buffer needs a line in ALLOWED"
    )


@pytest.mark.parametrize(
    "code",
    [
        "open(name, 'w')", "path.open('a')", "io.open(name, mode='xb')", "os.fdopen(number, 'r+')",
        "path.write_text('x')", "(folder / name).write_bytes(b'')", "np.savez(path, a=1)", "json.dump(x, file)",
        "torch.save(state, path)", "figure.savefig(path)", "os.replace(a, b)", "shutil.move(a, b)", "path.touch()",
    ],
)  # fmt: skip
def test_the_search_finds_other_ways(code: str) -> None:
    assert writes(ast.parse(code))


@pytest.mark.parametrize("code", ["open(name)", "path.open('rb')", "text.replace('a', 'w')", "files.write(path, text)"])
def test_the_search_leaves_reading_alone(code: str) -> None:
    assert not writes(ast.parse(code))
