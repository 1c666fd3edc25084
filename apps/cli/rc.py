"""The `rc` command. Each sub-command is a module with `add_arguments(parser)` and `main(args) -> exit code`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import re
import shutil
import sys
import textwrap
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from rc_env import __version__, checks, files
from rc_env.apps.cli.groups import EXAMPLES, GROUPS, WHICH
from rc_env.arena.journal import PLACES, unfinished
from rc_env.arena.locks import to_file

PACKAGE, PACKAGE_FOLDER = "rc-env", "rc_env"
LONGEST = 2000
"""The most characters of a sentence on stderr."""
INTERRUPTED, PIPE = 130, 141  # exit codes by which shells report SIGINT and SIGPIPE
OUTPUT = (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EDQUOT)
"""Error numbers which mean, in an error without a file name, that standard output cannot be written."""
SHOW_TRACEBACK = "RC_TRACEBACK"
ALONE = "--resume takes no other arguments but --trust: the command goes on with its own"
TARGETS = "targets"
"""The attribute of parsed arguments with the options of a command that name a file to write (`options.add_target`)."""
OTHER_NAMES = {"PIL": "pillow"}  # modules whose distribution has another name

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}
"""The commands, each with its line of help."""

EXTRAS = {"train": "train", "curve": "train", "export": "train,onnx", "serve": "web"}
"""The extras that commands need, if they need others than `arena`."""


TOO_LITTLE_MEMORY = "there is too little memory for all that is asked for: ask for smaller numbers"
NO_MEMORY_FOR_A_LIBRARY = ("failed to map segment", "Cannot allocate memory", "cannot allocate memory")
"""Words of the dynamic linker, which Python passes on in an ImportError."""


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence, without the usage, and ends its help with examples."""

    def format_help(self) -> str:
        """The help: of `rc` its commands in groups, of a command its arguments and two examples."""
        name = self.prog.removeprefix("rc ")
        if name not in EXAMPLES:
            return overview()
        return f"{super().format_help()}\nexamples:\n" + "".join(f"  {line}\n" for line in EXAMPLES[name])

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"{self.prog}: {cut(checks.spelled_out(message))}\n")


def main(argv: Sequence[str] | None = None, begin: Callable[[], object] = lambda: None) -> int:
    """Run `rc` with these arguments, by default those of the command line.

    Args:
        argv: the words after `rc`.
        begin: called once everything is imported, before the command does anything.

    Returns:
        0, also for no words at all, which print the help; what the sub-command returns; 2 for a wrong argument, a
        missing file or package, a full disk; 130 when interrupted; 141 when standard output was closed by its reader;
        1 for a mistake of this program.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    name = f"rc {words[0]}" if words and words[0] in COMMANDS else "rc"
    for stream in ("stdin", "stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by whoever started this process
            setattr(sys, stream, open(os.devnull, "r" if stream == "stdin" else "w"))  # noqa: SIM115 - stays open
        elif hasattr(found := getattr(sys, stream), "reconfigure"):
            found.reconfigure(errors="replace")  # a terminal may not know a dash; results are worth more than that
    try:
        if (here := os.getcwd()) not in sys.path and any(map(_names_own_bot, words)):  # they lie there
            if os.path.exists(
                PACKAGE_FOLDER
            ):  # worker processes, which search this path, would take it for the package
                sys.path.append(str(Path(import_module(PACKAGE_FOLDER).__path__[0]).parent))
            sys.path.append(here)
        try:
            return run(words, begin)
        finally:
            sys.stdout.flush()  # now, so that what cannot be written is seen here
    except ModuleNotFoundError as error:
        say(name, missing(error, words[0]))
    except MemoryError:
        say(name, TOO_LITTLE_MEMORY)
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        _drop_output()
        return PIPE
    except OSError as error:
        _drop_output()
        say(name, in_words(error))
    except ValueError as error:
        say(name, str(error))
    except ImportError as error:
        if not any(words in str(error) for words in NO_MEMORY_FOR_A_LIBRARY):
            return _mistake(name, error)
        say(name, TOO_LITTLE_MEMORY)
    except KeyboardInterrupt as stop:
        say(name, "; ".join(["stopped", *map(str, stop.args)]))
        return INTERRUPTED
    except Exception as error:
        return _mistake(name, error)
    return 2


def _names_own_bot(word: str) -> bool:
    """Whether a word names a bot `module:function`, or several of them, one of which is not registered.

    Without one nothing is imported from the current folder, where a stranger's files may lie: packages look for
    modules that are not installed.
    """
    parts = [part.split(":") for part in re.split("[,=]", word)]
    own = [
        module
        for module, name, *_ in (part for part in parts if len(part) > 1)  # settings follow behind another colon
        if name.isidentifier() and all(map(str.isidentifier, module.split(".")))
    ]
    return bool(own) and not set(own) <= set(import_module("rc_env.agents").names())


def _mistake(name: str, error: Exception) -> int:
    """Report an error that this program should not have run into."""
    if os.environ.get(SHOW_TRACEBACK):
        raise error
    say(name, mistake(error))
    return 1


def run(words: Sequence[str], begin: Callable[[], object]) -> int:
    """Run a command and return its exit code; of several resumed runs, the last code that is not 0.

    A command with a journal is continued by `--resume` and no other argument.
    """
    if not words:
        print(overview(), end="")
        return 0
    if not words[0].startswith("-"):
        checks.one_of("command", words[0], COMMANDS)
    for word in words:
        if word.startswith("--") and word.endswith("=--"):  # argparse would make an empty list of it
            raise ValueError(f"{word[:-3]} needs a value, not '--'")
    parser = build_parser(words[:1])  # only what is called is imported: torch takes seconds
    begin()
    place, trusted = _resumed(words)
    if place is None:
        args, more = parser.parse_known_args(words, argparse.Namespace(words=words[1:], journal=None))
        if more:
            raise ValueError(f"unknown arguments {' '.join(more)}: --help shows those that there are")
        if args.command in PLACES and args.resume is not None:
            raise ValueError(ALONE)
        with contextlib.ExitStack() as held:
            for name in ("out", "results", "positions", "json"):  # of a refused command no empty folder is left
                if isinstance(path := getattr(args, name, None), str | Path):
                    held.enter_context(files.without_empty(path))
            for option in getattr(args, TARGETS, ()):
                if (path := getattr(args, option.removeprefix("--"))) and path != "-":
                    held.enter_context(to_file(Path(path), option))
                    import_module("rc_env.apps.cli.options").check_target(args, option, Path(path))
            return int(module_of(args.command).main(args))
    code = 0
    for path, before in unfinished(place, words[0]):
        args = parser.parse_args([words[0], *before], argparse.Namespace(words=before, journal=path))
        import_module("rc_env.apps.cli.options").check_words(args, path, trusted)
        setattr(args, PLACES[words[0]].split()[0].removeprefix("--"), place)
        code = int(module_of(args.command).main(args)) or code
    return code


def _resumed(words: Sequence[str]) -> tuple[Path | None, Sequence[str]]:
    """The journals that `rc COMMAND --resume PLACE` continues, and the words that are trusted; None for other words.

    Raises:
        ValueError: there are further arguments.
    """
    if words[:1] and words[0] in PLACES:
        parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
        parser.add_argument("--resume")
        parser.add_argument("--trust", nargs="+", default=[])
        with contextlib.suppress(argparse.ArgumentError, SystemExit):
            found, others = parser.parse_known_args(words[1:])
            if found.resume and found.resume.strip() and not others:
                return Path(found.resume), found.trust
            if found.resume and not {"-h", "--help"} & set(others):
                raise ValueError(ALONE)
    return None, ()


def say(name: str, sentence: str) -> None:
    """Print an error to stderr in one line, whatever text a file or a bot contributed to it; characters that a terminal
    would obey are spelt."""
    with contextlib.suppress(OSError):
        print(f"{name}: {cut(checks.spelled_out(' '.join(sentence.splitlines())))}", file=sys.stderr, flush=True)


def cut(sentence: str) -> str:
    """A sentence without the middle of what would fill the screen: a word of the command line may be that long."""
    if len(sentence) <= LONGEST:
        return sentence
    return f"{sentence[: LONGEST // 2]} … {sentence[-LONGEST // 2 :]}"


def in_words(error: OSError) -> str:
    """An error of the system as a sentence."""
    if error.strerror is None:
        return str(error)
    if error.filename is None:
        return f"the output cannot be written: {error.strerror}" if error.errno in OUTPUT else error.strerror
    return f"{os.fsdecode(error.filename)} cannot be used: {error.strerror}"


def mistake(error: Exception) -> str:
    """The message for an unforeseen error."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} ({error}) in {Path(place.filename).name}, line {place.lineno}: a mistake of this "
        f"program, or of a bot; {SHOW_TRACEBACK}=1 shows the way there"
    )


def _drop_output() -> None:
    """Discard pending output that cannot be written; otherwise Python would report an error at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def build_parser(called: Sequence[str], left_out: Callable[[str, str], object] | None = None) -> Parser:
    """The parser of `rc`, with the arguments of the commands that are called.

    Args:
        called: names of commands; the others are known by name alone, and not imported.
        left_out: takes a command and a sentence, where a package is missing that the command needs; by default the
            ModuleNotFoundError is raised.
    """
    parser = Parser(prog="rc")
    parser.add_argument("--version", action="version", version=f"{PACKAGE} {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in called:
            try:
                module_of(name).add_arguments(command)
            except ModuleNotFoundError as error:
                if left_out is None:
                    raise
                left_out(name, missing(error, name))
    return parser


def overview() -> str:
    """What `rc` and `rc --help` print."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    left = max(map(len, COMMANDS)) + 4

    def wrapped(text: str, first: str) -> str:
        return textwrap.fill(text, width, initial_indent=first, subsequent_indent=" " * left, break_long_words=False)

    parts = ["Play The Red Cathedral, let bots play it, and train, measure and study policies for it."]
    parts.append("usage: rc COMMAND [ARGUMENT ...]\n       rc COMMAND --help\n       rc --version")
    for group, commands in GROUPS.items():
        lines = [wrapped(text, f"  {name:<{left - 2}}") for name, text in commands.items()]
        parts.append("\n".join([group, *lines, wrapped(WHICH[group], "  Which one?".ljust(left))]))
    parts.append("A bot is a name that `rc bots` lists, with settings if needed: search:simulations=50. Where several")
    parts[-1] += " are\ntaken, spaces or commas stand between them. A count may be written 1000000, 1_000_000 or 1e6."
    return "\n\n".join(parts) + "\n"


def module_of(command: str) -> ModuleType:
    """The module of a command, which has `add_arguments` and `main`."""
    return import_module(f"rc_env.apps.cli.{command.replace('-', '_')}")


def missing(error: ModuleNotFoundError, command: str = "") -> str:
    """Say which module is missing and how to install it: with the extra that brings its package, if there is one.

    If the command needs further extras, all of them are named, so that one installation is enough.
    """
    module = str(error.name).partition(".")[0]
    package = OTHER_NAMES.get(module, module).replace("_", "-")
    try:
        required = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        required = []
    for line in required:
        found = re.match(rf"{re.escape(package)}\b.*extra == ['\"]([\w-]+)['\"]", line, re.IGNORECASE)
        if found:
            extra = EXTRAS.get(command, found[1])
            noun = "extras" if "," in extra else "extra"
            return (
                f"the module {module} is not installed; it comes with the {noun} {extra}: "
                f"pip install '{PACKAGE}[{extra}]'"
            )

    return f"the module {module} is not installed"
