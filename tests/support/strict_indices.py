"""Makes compiled code refuse every index out of range, for a whole process of pytest: `-p strict_indices`.

It has to be imported before Numba. With NUMBA_BOUNDSCHECK=1 Numba 0.68 checks every integer index of an array and of an
array inside a record, signed or unsigned, read or written. It leaves two things. A negative index counts from the end,
as in Python; here it raises too, since a rule that uses -1, which means "none", as an index is wrong. And a slice is
cut to what there is, as in Python, which reads and writes nothing outside. `tests/checked.py` proves that the checks
work.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

os.environ["NUMBA_BOUNDSCHECK"] = "1"
_cache = Path(os.environ.get("RC_ENV_CACHE") or Path.home() / ".cache" / "rc_env")
if _cache.name != "strict":  # a folder of its own, since no setting of Numba's says that negative indices raise
    os.environ["RC_ENV_CACHE"] = str(_cache / "strict")

import numba.np.arrayobj  # noqa: E402
from numba import types  # noqa: E402

assert hasattr(numba.np.arrayobj, "fix_integer_index"), "this version of Numba handles negative indices elsewhere"


def _as_it_is(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Widen an integer index without counting from the end; Numba calls this for each integer index."""
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


numba.np.arrayobj.fix_integer_index = _as_it_is
