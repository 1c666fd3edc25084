"""Reads archives of arrays (`.npz`) that a stranger may have made: sizes are known before memory is taken.

A few bytes of such a file can stand for a terabyte: by compression, or by the shape that an array's header gives. So
the sizes in the archive's table of contents are added up first, no entry is unpacked further than its size there says,
and an array's header has to agree with it. Nothing is ever unpickled.
"""

from __future__ import annotations

import io
import os
import zipfile
from math import prod
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from rc_env import checks, files

MOST_ENTRIES = 10_000
_PART = 2**22  # bytes that are unpacked at once
_HEADER = 2**17  # more bytes than NumPy takes for the header of an array


def read_arrays(path: str | os.PathLike[str], most: int) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file that `numpy.savez` wrote.

    Args:
        path: the file.
        most: the most bytes that it may unpack to; half of the machine's memory is a limit too.

    Returns:
        The arrays by name, read-only.

    Raises:
        OSError: the file cannot be read, or is too large.
        ValueError: it is no such archive, is damaged, unpacks to more, or holds Python objects.
    """
    checks.whole_number("most", most, 1)
    content = files.read(checks.path("path", path, "the path of an archive"), most)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            check_sizes([one.file_size for one in entries], most)
            names = [one.filename.removesuffix(".npy") for one in entries]
            if len(set(names)) < len(names):
                raise ValueError("the archive holds an entry twice")
            return {name: _array(archive, one) for name, one in zip(names, entries, strict=True)}
    except (ValueError, MemoryError):
        raise
    except Exception as error:  # zipfile and zlib report damage in many ways
        if checks.by_signal(error):
            raise
        raise ValueError(f"the archive is damaged: {checks.shown(str(error))}") from error


def check_sizes(sizes: list[int], most: int) -> None:
    """Refuse an archive whose entries would unpack to too much.

    Args:
        sizes: bytes of each entry, as the table of contents gives them.
        most: the most bytes of all together; half of the machine's memory is a limit too.

    Raises:
        ValueError: they are more, or there are too many entries.
    """
    most = min(most, memory() // 2)
    if len(sizes) > MOST_ENTRIES:
        raise ValueError(f"the archive has {len(sizes):,} entries, but may have at most {MOST_ENTRIES:,}")
    if sum(sizes) > most:
        raise ValueError(f"the archive unpacks to {sum(sizes):,} bytes, but only {most:,} are allowed here")


def memory() -> int:
    """Bytes of this machine's memory; a terabyte where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return 2**40


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> NDArray[Any]:
    name = checks.shown(entry.filename)
    content = bytearray()
    with archive.open(entry) as file:
        while len(content) <= entry.file_size and (part := file.read(_PART)):  # zlib holds a part twice
            content += part
    if len(content) != entry.file_size:
        raise ValueError(f"{name} has {len(content):,} bytes, but the archive promises {entry.file_size:,}")
    raw = memoryview(content).toreadonly()
    header = io.BytesIO(raw[:_HEADER])
    version = npy.read_magic(header)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"{name} has the format {version} of NumPy's arrays, but only 1.0 and 2.0 are read")
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = read(header)
    if dtype.hasobject:
        raise ValueError(f"{name} holds Python objects, but only numbers are read")
    if any(length < 0 for length in shape) or prod(shape) * dtype.itemsize != len(raw) - header.tell():
        raise ValueError(f"{name} has the shape {checks.shown(shape)}, which does not fit its {len(raw):,} bytes")
    array = np.frombuffer(raw, dtype, prod(shape), header.tell()) if prod(shape) else np.zeros(0, dtype)
    return array.reshape(shape, order="F" if fortran else "C")
