"""Names of drawn data files, and how they are read: "sample:17" wherever a data file is named.

The name in full is "sample-v1:17", with the version of the sampler: it means the same bytes forever. A name without a
version means the current one.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from hashlib import sha256

from rc_env import checks, files
from rc_env.card_sets.base_set import base_tables
from rc_env.card_sets.expansion_facts import EXPANSION_FACTS
from rc_env.card_sets.expansion_set import expansion_tables
from rc_env.card_sets.fact import contradictions
from rc_env.card_sets.facts import BASE_FACTS
from rc_env.card_sets.ranges import BASE, EXPANSION
from rc_env.card_sets.toml_text import toml_text
from rc_env.rules.printed import data_file, expansion_file
from rc_env.rules.printed.data_file import DataFile

VERSION = 1
"""Version of the sampler; it rises when a seed would produce another file."""
MOST_SEED = 2**64 - 1
MOST_SETS = 100_000
"""The most sets that one name, such as "sample:0-63", may stand for."""
Source = str | os.PathLike[str]
_NAME = re.compile(r"sample(?:-v([0-9]+))?:(.*)", re.DOTALL)


def seeds_of(name: str, source: object) -> range | None:
    """The seeds that a name stands for, "sample:17" or "sample:0-63"; None where it names a file.

    Args:
        name: the argument's name, for the error message.
        source: the argument's value.

    Raises:
        ValueError: the name is that of a sample, but of another version, or of no seeds; or it is no path at all.
    """
    packaged = "contractors" if name == "expansion_data" else "base"
    checks.path(name, source, f"'{packaged}', a sample such as 'sample:17', or the path of a data file")
    found = _NAME.fullmatch(source) if isinstance(source, str) else None
    if found is None:
        return None
    if found[1] is not None and found[1] != str(VERSION):
        checks.refuse(name, source, f"sample-v{VERSION}:N: this version of rc_env draws no others")
    numbers = re.fullmatch(r"([0-9]{1,20})(?:-([0-9]{1,20}))?", found[2])
    low, high = (int(numbers[1]), int(numbers[2] or numbers[1])) if numbers else (0, -1)
    if not low <= high <= MOST_SEED or high - low >= MOST_SETS:
        checks.refuse(
            name,
            source,
            f"sample:N with a seed, or sample:N-M with at most {MOST_SETS:,} of them, from 0 to {checks.SEEDS}",
        )
    return range(low, high + 1)


def name_of(seed: int) -> str:
    """The name in full of the drawn file of a seed."""
    return f"sample-v{VERSION}:{seed}"


def checked_name(name: str, source: Source) -> Source:
    """Return the source of a single data file, with a sample written as its full name.

    Raises:
        ValueError: it stands for several samples, or see `seeds_of`.
    """
    seeds = seeds_of(name, source)
    if seeds is None:
        return source
    if len(seeds) > 1:
        checks.refuse(
            name,
            source,
            "one set, such as sample:0: rc train, rc arena, rc first-player, rc uncertainty and the vector "
            "environments take several",
        )
    return name_of(seeds[0])


def full_name(name: str, source: Source) -> Source:
    """Return the source, with one or several samples written as their full name, "sample-v1:0-63".

    Raises:
        ValueError: see `seeds_of`.
    """
    seeds = seeds_of(name, source)
    if seeds is None:
        return source
    return name_of(seeds[0]) + (f"-{seeds[-1]}" if len(seeds) > 1 else "")


def pairs(data: Source, expansion_data: Source) -> list[tuple[Source, Source]]:
    """The sets that two names stand for, as pairs of a base game's and an expansion's file.

    Raises:
        ValueError: the names stand for different numbers of several sets, or see `seeds_of`.
    """
    both = []
    for name, source in (("data", data), ("expansion_data", expansion_data)):
        seeds = seeds_of(name, source)
        both.append([source] if seeds is None else [name_of(seed) for seed in seeds])
    counts = sorted({len(names) for names in both} - {1})
    if len(counts) > 1:
        raise ValueError(f"expansion_data names {len(both[1])} sets and data {len(both[0])}: name as many, or one")
    count = counts[0] if counts else 1
    base, expansion = (names * count if len(names) == 1 else names for names in both)
    return list(zip(base, expansion, strict=True))


def file_name(seed: int, expansion: bool = False) -> str:
    """The file name of a drawn file: its full name without characters that some systems do not allow."""
    return f"sample-v{VERSION}-{seed}{'-expansion' if expansion else ''}.toml"


def sample_named(file: str, expansion: bool = False) -> str | None:
    """The full name of the sample that a file of this name holds; None if the name is not a sample's."""
    found = re.fullmatch(rf"sample-v{VERSION}-([0-9]{{1,20}}){'-expansion' if expansion else ''}\.toml", file)
    seed = int(found[1]) if found else MOST_SEED + 1
    return name_of(seed) if seed <= MOST_SEED and file == file_name(seed, expansion) else None


@lru_cache(maxsize=1024)
def _drawn(seed: int, expansion: bool) -> tuple[bytes, str, str]:
    """The bytes of a drawn file, their digest, and its tables as JSON."""
    name = name_of(seed)
    tables = expansion_tables(f"{name} expansion") if expansion else base_tables(f"{name} base")
    (expansion_file if expansion else data_file).check(tables)
    ranges = EXPANSION if expansion else BASE
    drawn = {unknown.table for unknown in ranges.values()}
    text = toml_text(
        tables,
        f"The Red Cathedral{', expansion' if expansion else ''}: a data file drawn at random, {name}.\n"
        "Printed and deduced numbers are as in the packaged file; tables marked so hold numbers that no source gives,\n"
        "drawn from the ranges of docs/uncertainty.md.",
        dict.fromkeys(drawn, "with numbers that are drawn"),
    ).encode()
    return text, sha256(text).hexdigest(), json.dumps(tables)


def load_base(source: Source) -> DataFile:
    """Read a data file of the base game: the packaged one, a drawn one by its name, or the one at a path.

    Raises:
        DataError: see `data_file.load`; also ValueError, as `checked_name`.
    """
    seeds = seeds_of("data", source)
    return data_file.load(source) if seeds is None else _file(source, False)


def load_expansion(source: Source) -> DataFile:
    """Read a data file of the expansion in the same way.

    Raises:
        DataError: see `expansion_file.load`; also ValueError, as `checked_name`.
    """
    seeds = seeds_of("expansion_data", source)
    return expansion_file.load(source) if seeds is None else _file(source, True)


def _file(source: Source, expansion: bool) -> DataFile:
    key = "expansion_data" if expansion else "data"
    seeds = seeds_of(key, checked_name(key, source))
    assert seeds is not None
    _, digest, tables = _drawn(seeds[0], expansion)
    return DataFile(file_name(seeds[0], expansion), digest, json.loads(tables))


def content(source: Source, expansion: bool = False) -> bytes:
    """The bytes of a data file that is not packaged: of a sample, or of the file at a path.

    Raises:
        OSError: the file cannot be read.
        ValueError: as `checked_name`.
    """
    seeds = seeds_of("expansion_data" if expansion else "data", source)
    return files.read(source, files.MOST_TABLES) if seeds is None else _drawn(seeds[0], expansion)[0]


def contradicted(file: DataFile) -> list[str]:
    """A sentence for each printed or deduced fact that a checked data file contradicts, of either game."""
    checks.instance("file", file, DataFile, "a DataFile, as data_file.load gives one")
    return contradictions(EXPANSION_FACTS if "specialists" in file.tables else BASE_FACTS, file.tables)
