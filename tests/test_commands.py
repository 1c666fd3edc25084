"""Tests of the `rc` command itself: version, completion, missing packages, and data files beside records."""

import argparse
import shlex
import subprocess
from collections import Counter
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path

import pytest
from rich.console import Console

import rc_env
from rc_env import Ruleset
from rc_env.agents.command_line import as_count
from rc_env.apps.cli import rc
from rc_env.apps.cli.groups import EXAMPLES, GROUPS
from rc_env.apps.cli.options import add_running, add_variant, variant
from rc_env.apps.cli.output import print_table
from rc_env.arena import jobs, locks
from rc_env.arena.jobs import variant_words
from rc_env.arena.studies import tune
from rc_env.record import read, replay

DATA = Path(rc_env.__file__).parent / "data"
BASE, EXPANSION = DATA / "base.toml", DATA / "contractors.toml"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        rc.main(["--version"])
    assert end.value.code == 0 and capsys.readouterr().out == f"rc-env {rc_env.__version__}\n"


# --- workers


@pytest.mark.parametrize(
    "line",
    [
        "arena random greedy --games 2 --turn-limit 4",
        "record --bots random --turn-limit 4 --out OUT",
        "tune --rounds 1 --generations 1 --population 4 --games 2 --turn-limit 4 --out OUT/plan.toml",
    ],
)
def test_the_rules_are_compiled_before_processes_start(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    class Here:
        """A runner that does each piece of work in this process, at once."""

        def __init__(self, size: int) -> None:
            self.size = size

        def submit(self, function, work):
            steps.append("work")
            done: Future = Future()
            done.set_result(function(work))
            return done

        def close(self) -> None:
            """Do nothing: there is no process."""

    def warm(ruleset: Ruleset) -> None:
        steps.append("compile")

    monkeypatch.setattr(jobs, "ProcessRunner", Here)
    monkeypatch.setattr(jobs, "warm", warm)
    monkeypatch.setattr(tune, "warm", warm)
    assert rc.main([*line.replace("OUT", str(tmp_path)).split(), "--workers", "2"]) == 0
    assert steps[0] == "compile" and steps.count("compile") == 1 and "work" in steps


# --- completion


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_commands_and_options(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("shtab")
    assert rc.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for words in (*rc.COMMANDS, "--version", "--turn-limit", "--pace"):
        assert words in script
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], input=script, text=True).returncode == 0
        assert completed(script, "rc", "comp") == ["completion"]
        assert completed(script, "rc", "arena", "--play") == ["--players"]
        assert completed(script, "rc", "completion", "") == ["bash", "fish", "tcsh", "zsh"]
        assert completed(script, "rc", "replay", "--html", "pyproj") == ["pyproject.toml"]


def completed(script: str, *words: str) -> list[str]:
    """Return the completions that bash offers for the last word, using the script's function."""
    function = script.rpartition(" -F ")[2].split()[0]
    listed = " ".join(f"'{word}'" for word in words)
    ask = f"COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1}; {function}; echo ${{COMPREPLY[@]}}"
    root = Path(__file__).parents[1]
    run = subprocess.run(["bash", "-c", f"{script}\n{ask}"], capture_output=True, text=True, cwd=root, check=True)
    return sorted(run.stdout.split())


def test_completion_leaves_out_the_options_of_what_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("shtab")
    known = rc.module_of
    monkeypatch.setattr(
        rc, "module_of", lambda name: import_module("no_such_module") if name == "train" else known(name)
    )
    assert rc.main(["completion", "bash"]) == 0
    out, err = capsys.readouterr()
    assert "--pace" in out and "train" in out and "--preset" not in out
    assert err.startswith(
        "rc completion: the options of rc train are left out: the module no_such_module is not installed"
    )


# --- missing packages


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("rich", "arena"), ("tqdm", "arena"), ("choix", "arena"), ("matplotlib.pyplot", "arena"), ("cma", "arena"),
        ("torch", "train"), ("torch.nn", "train"), ("stable_baselines3", "train"), ("sb3_contrib", "train"),
        ("tensorboard", "train"), ("onnx", "onnx"), ("onnxruntime", "onnx"), ("onnxscript", "onnx"), ("PIL", "viz"),
    ],
)  # fmt: skip
def test_a_missing_module_names_its_extra(module: str, extra: str) -> None:
    sentence = rc.missing(ModuleNotFoundError(name=module))
    why = f"the module {module.split('.')[0]} is not installed; it comes with the extra {extra}"
    assert sentence == f"{why}: pip install 'rc-env[{extra}]'"


@pytest.mark.parametrize(
    ("command", "words"), [("arena", "extra arena"), ("train", "extra train"), ("export", "extras train,onnx")]
)
def test_a_missing_module_names_all_that_the_command_needs(command: str, words: str) -> None:
    sentence = rc.missing(ModuleNotFoundError(name="tqdm"), command)
    assert (
        sentence
        == f"the module tqdm is not installed; it comes with the {words}: pip install 'rc-env[{words.split()[1]}]'"
    )


def test_a_missing_module_of_nobodys_names_no_extra() -> None:
    for command in ("", "train"):
        error = ModuleNotFoundError(name="mine")
        assert rc.missing(error, command) == "the module mine is not installed"


# --- the arguments of a variant


def parsed(*words: str, **settings: bool) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_variant(parser, **settings)
    return parser.parse_args(words)


def test_a_variant_is_what_the_arguments_name_and_else_the_base() -> None:
    assert variant(parsed()) == Ruleset()
    assert variant(parsed("--players", "3", "--turn-limit", "9")) == Ruleset(3, turn_limit=9)
    assert variant(parsed("--solo")) == variant(parsed("--players", "1")) == Ruleset(1)
    trained = Ruleset(4, "advanced", turn_limit=150)
    assert variant(parsed(), trained) == trained
    assert variant(parsed("--workshop", "basic"), trained) == Ruleset(4, "basic", turn_limit=150)
    assert variant(parsed("--data", str(BASE))).data == str(BASE)
    full = parsed("--fourth-guild", "random", "--special-tiles", "--promos", "--contractors")
    assert variant(full) == Ruleset(fourth_guild="random", special_tiles=True, promos=True, contractors=True)
    assert variant(parsed("--special-tiles"), Ruleset(contractors=True)).contractors
    with pytest.raises(ValueError, match=r"--players must be 2, 3 or 4, not 1$"):
        variant(parsed("--players", "1", solo=False))


@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(workshop="advanced", turn_limit=50),
        Ruleset(fourth_guild="lawyers", contractors=True, data=str(BASE)),
        Ruleset(fourth_guild="random", special_tiles=True, promos=True, expansion_data=str(EXPANSION)),
    ],
)
def test_the_words_of_a_variant_name_it(ruleset: Ruleset) -> None:
    """These words, which pages repeat as the command that made them, give the same variant again."""
    parser = argparse.ArgumentParser()
    add_variant(parser)
    add_running(parser)
    args = parser.parse_args(" ".join(variant_words(ruleset, 7)).split())
    assert variant(args) == ruleset and args.seed == 7


@pytest.mark.parametrize(
    "command", ["play", "watch", "record", "arena", "stats", "first-player", "tune", "evaluate", "train"]
)
def test_commands_name_variants_alike(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    if command in ("train", "evaluate"):
        pytest.importorskip("torch")
    with pytest.raises(SystemExit):
        rc.main([command, "--help"])
    seen = capsys.readouterr().out
    for option in ("--players", "--workshop {basic,advanced}", "--data FILE", "--turn-limit TURNS", "--contractors"):
        assert option in seen


# --- data files beside records


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """Write and return a data file of the user's own."""
    file = tmp_path / "mine.toml"
    file.write_text(BASE.read_text("utf-8").replace("deliveries = 3", "deliveries = 4"), "utf-8")
    return file


def refused_without_its_file(record: Path, name: str, capsys: pytest.CaptureFixture[str]) -> Path:
    """Check that a record is refused while the data file mine.toml beside it is changed, and when it is missing.

    Returns:
        The unchanged file, which is now in another folder.
    """
    file, moved = record.parent / "mine.toml", record.parents[1] / "moved.toml"
    kept = file.read_bytes()
    capsys.readouterr()
    file.write_bytes(kept + b"# changed")
    assert rc.main(["replay", str(record)]) == 2
    err = capsys.readouterr().err
    assert f"{name}_sha256 is " in err and "played with another mine.toml; name that one: " in err
    assert err.count("\n") == 1
    file.unlink()
    moved.write_bytes(kept)
    assert rc.main(["replay", str(record)]) == 2
    assert f'{name}: there is no file "mine.toml" beside the record' in capsys.readouterr().err
    return moved


def test_a_data_file_lies_beside_its_records(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games"
    words = ["record", "--data", str(mine), "--turn-limit", "6", "--out", str(out)]
    assert rc.main(words) == 0 and rc.main([*words, "--overwrite"]) == 0
    assert (out / "mine.toml").read_bytes() == mine.read_bytes()
    (record,) = out.glob("*.rcr")
    mine.unlink()
    capsys.readouterr()
    assert rc.main(["replay", str(record)]) == 0
    assert " decisions, cards of mine.toml\n" in capsys.readouterr().out
    moved = refused_without_its_file(record, "data", capsys)
    assert rc.main(["replay", str(record), "--data", str(moved)]) == 0


@pytest.mark.full
@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "greedy", "--against", "random", "--games", "2"],
        ["arena", "greedy", "random", "--games", "2"],
        ["arena", "greedy", "random", "--solo", "--games", "2"],
        ["first-player", "--bots", "random", "--games", "2"],
        ["stats", "greedy", "--games", "2"],
    ],
    ids=" ".join,
)
def test_results_of_the_full_game_say_so(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    switches = ["--contractors", "--fourth-guild", "random", "--promos", "--special-tiles", "--turn-limit", "6"]
    assert rc.main([*command, *switches]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert ", with contractors, a random fourth guild or the thieves, special tiles" in said


def test_another_data_file_of_that_name_is_not_written_over(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games").mkdir()
    other = tmp_path / "games" / "mine.toml"
    other.write_text("# other", "utf-8")
    assert rc.main(["record", "--data", str(mine), "--out", str(tmp_path / "games")]) == 2
    assert "rc record: data: there is another mine.toml in " in capsys.readouterr().err
    assert other.read_text("utf-8") == "# other"


def test_a_command_that_is_refused_leaves_no_data_file_in_the_folder(
    mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "games"
    out.mkdir()
    with locks.alone(out):
        assert rc.main(["record", "--data", str(mine), "--out", str(out)]) == 2
    assert "at work" in capsys.readouterr().err and not list(out.glob("*.toml"))


def test_a_file_of_ones_own_is_not_named_as_the_packaged_one(tmp_path: Path) -> None:
    for option, name in (("--data", "base"), ("--expansion-data", "contractors")):
        (tmp_path / name).write_bytes(BASE.read_bytes())
        words = ["--contractors", option, str(tmp_path / name)]
        with pytest.raises(ValueError, match=f"{name} is the name of the packaged file: give yours another one"):
            variant(parsed(*words))


# --- records of the full game


def recorded(out: Path, *words: str) -> list[Path]:
    """Return the records that `rc record` writes with these arguments."""
    assert rc.main(["record", *words, "--bots", "random", "--turn-limit", "30", "--out", str(out)]) == 0
    return sorted(out.glob("*.rcr"))


@pytest.mark.full
def test_records_of_a_named_card(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--fourth-guild", "archivists:1", "--special-tiles", "--legal", "--state")
    files = recorded(tmp_path / "games", *words, "--games", "2", "--players", "3", "--workshop", "advanced")
    assert len(files) == 2 and "2 games written to" in capsys.readouterr().out
    for file in files:
        record = read(file)
        assert record.header["record"] == "red-cathedral/2" and record.header["special_tiles"] is True
        assert {"guild": "archivists", "card": 1} in record.header["guilds"] and len(record.header["contracts"]) == 15
        assert all("legal" in decision and "state" in decision for decision in record.decisions)
        assert record.decisions[0]["point"] == "special" and not list(file.parent.glob("*.toml"))
        replay(record)
    assert rc.main(["replay", str(files[0])]) == 0
    shown = capsys.readouterr().out
    assert "special " in shown and f"{len(read(files[0]).decisions)} decisions" in shown


@pytest.mark.full
def test_the_thieves_are_drawn_with_the_promos_alone(tmp_path: Path) -> None:
    words = ("--fourth-guild", "random", "--games", "40")
    drawn: dict[str, set[str]] = {}
    for folder, more in (("with", ("--promos",)), ("without", ())):
        headers = [read(file).header for file in recorded(tmp_path / folder, *words, *more)]
        drawn[folder] = {guild["guild"] for header in headers for guild in header["guilds"]}
    assert "thieves" in drawn["with"] and "thieves" not in drawn["without"]
    assert len(drawn["without"]) > 7


@pytest.mark.full
def test_the_data_file_of_the_expansion_lies_beside_its_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, out = tmp_path / "mine.toml", tmp_path / "games"
    mine.write_text(EXPANSION.read_text("utf-8").replace("diamond = 15", "diamond = 14"), "utf-8")
    words = ("--fourth-guild", "jewelers", "--expansion-data", str(mine), "--state")
    (file,) = recorded(out, *words)
    assert (file,) == tuple(recorded(out, *words, "--overwrite"))
    header = read(file).header
    assert header["expansion"] == "mine.toml" and header["data"] == "base"
    assert read(file).decisions[0]["state"]["supply"]["diamond"] == 14
    assert (out / "mine.toml").read_bytes() == mine.read_bytes() and len(list(out.iterdir())) == 2
    mine.unlink()
    assert rc.main(["replay", str(file)]) == 0
    moved = refused_without_its_file(file, "expansion", capsys)
    assert rc.main(["replay", str(file), "--expansion-data", str(moved)]) == 0


# --- help, and what all commands take alike


def test_no_words_print_the_commands_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    assert rc.main([]) == 0
    out = capsys.readouterr().out
    places = [out.index(f"\n{group}\n") for group in GROUPS]
    assert places == sorted(places) and out.count("Which one?") == len(GROUPS)
    assert all(f"\n  {name} " in out for name in rc.COMMANDS)
    assert max(map(len, out.splitlines())) <= 103


@pytest.mark.parametrize("command", rc.COMMANDS)
def test_examples_of_the_help_are_understood(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    if command in ("train", "curve", "export", "evaluate", "card", "average"):
        pytest.importorskip("torch")
    assert len(EXAMPLES[command]) == 2
    for line in EXAMPLES[command]:
        program, *words = shlex.split(line.partition(" > ")[0])
        assert program == "rc" and words[0] == command
        rc.build_parser([command]).parse_args(words)
    with pytest.raises(SystemExit):
        rc.main([command, "--help"])
    assert capsys.readouterr().out.endswith("examples:\n" + "".join(f"  {line}\n" for line in EXAMPLES[command]))


@pytest.mark.parametrize("between", [",", " "])
def test_bots_are_listed_in_one_way(between: str) -> None:
    bots = ["search:simulations=50,net=shipped", "greedy", "net:folder", "rush"]
    words = between.join(bots).split(" ")
    for line in (
        "arena",
        "stats",
        "watch",
        "play --bots",
        "record --out x --bots",
        "serve --bots",
        "evaluate m --against",
    ):
        args = rc.build_parser([line.split()[0]]).parse_args([*line.split(), *words])
        assert (args.against if "against" in line else args.bots) == bots
    args = rc.build_parser(["play"]).parse_args(["play", "--bots", "greedy", "--bots", "rush"])
    assert args.bots == ["greedy", "rush"]
    assert rc.build_parser(["record"]).parse_args(["record", "--out", "x"]).bots == ["greedy"]


@pytest.mark.parametrize(
    ("text", "number"), [("1000000", 10**6), ("1_000_000", 10**6), ("1e6", 10**6), ("2.5e3", 2500), ("-1e3", -1000)]
)
def test_a_count_may_be_written_in_several_ways(text: str, number: int) -> None:
    assert as_count(text) == number
    assert rc.build_parser(["arena"]).parse_args(["arena", "greedy", "rush", f"--games={text}"]).games == number


@pytest.mark.parametrize("text", ["", "x", "1.5", "1.55e1", "1e-3", "nan", "1e999", "0x10"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a whole number, such as 1000, 1_000 or 1e3"):
        as_count(text)


def test_a_file_is_replaced_only_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sample.toml"
    line = ["data", "sample", "--seed", "1", "--out", str(file)]
    assert rc.main(line) == 0
    drawn = file.read_bytes()
    file.write_bytes(b"mine")
    assert rc.main(line) == 2 and file.read_bytes() == b"mine"
    said = capsys.readouterr().err
    assert said == f"rc data: --out: {file} is there already; choose another name, or replace it with --overwrite\n"
    assert rc.main([*line, "--overwrite"]) == 0 and file.read_bytes() == drawn


# --- tables on the terminal


@pytest.mark.parametrize("width", (60, 80, 120))
def test_a_table_cuts_no_number(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    """As the widest of them, that of `rc arena`: folded at 80 columns, a paragraph a row at 60."""
    headings = ("bot", "won", "95 %", "prestige", "margin", "rating", "95 %")
    row = ("search:net=shipped,simulations=64", "97.5%", "95.1% – 98.2%", "43.2", "+12.3", "+841", "+841 – +932")
    print_table(headings, [row, ("greedy", *row[1:])], "A title", "A caption.", Console(width=width))
    lines = capsys.readouterr().out.splitlines()
    words = Counter(" ".join(lines).replace(",", " ").split())
    assert max(map(len, lines)) <= width and "…" not in words
    assert all(words[number] == 2 for number in ("97.5%", "95.1%", "98.2%", "43.2", "+12.3", "+932"))
    assert words["+841"] == 4 and words["95"] >= 2 and words["%"] == words["95"]
