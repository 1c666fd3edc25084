"""The documentation as a site: `make docs`. Its sources are the Markdown pages of this checkout and the docstrings."""

import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx

from rc_env import Ruleset, __version__

project = "rc_env"
author = "The rc_env developers"
copyright = "2026, the rc_env developers"
release = __version__

root_doc = "docs/index"
include_patterns = [
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md"),
    *("docs/**.md", "agents/weights/*.md", "notebooks/*.ipynb"),
]
extensions = [
    "myst_nb",  # pages in Markdown, and notebooks with their outputs
    "sphinx.ext.autodoc",  # the API reference, from docstrings
    "sphinx.ext.napoleon",  # their sections: Args, Returns, Raises, Attributes
    "sphinx_copybutton",
]
default_role = "code"  # docstrings mark names with single backticks, as Markdown does
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
toc_object_entries_show_parents = "hide"
nb_execution_mode = "off"  # the outputs are those in the files, which tests/test_notebooks.py checks
napoleon_numpy_docstring = False
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True  # as in the code: a lambda would leave the whole signature unread
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_attr_annotations = False
autodoc_default_options = {"members": True}
html_theme = "furo"
html_title = f"rc_env {release}"
html_static_path = ["site.css"]
html_css_files = ["site.css"]


# --- the API reference


def setup(app: Sphinx) -> None:
    """Have pages altered before they are read, and docstrings before napoleon, whose priority is 500."""
    app.connect("source-read", unbroken)
    app.connect("autodoc-process-docstring", fields_as_table, 300)
    app.connect("autodoc-process-docstring", without_types, 400)
    app.connect("autodoc-process-signature", short_signature)


def unbroken(app: Sphinx, page: str, source: list[str]) -> None:
    """Keep a per cent sign with its number, and the ends or halves of an interval together."""
    source[0] = re.sub(r"(?<=\d) %", "\N{NO-BREAK SPACE}%", source[0])
    source[0] = re.sub(r"(?<=\d) ± (?=[<\d])", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}", source[0])
    source[0] = re.sub(r"(?<=\d\.\d)–(?=\d)", "–\N{WORD JOINER}", source[0])
    # A line may break after a dash, also before a no-break space: hence the word joiner.
    source[0] = re.sub(r"(?<=\d|%) – (?=[-+]?\d)", "\N{NO-BREAK SPACE}–\N{WORD JOINER}\N{NO-BREAK SPACE}", source[0])


def without_types(app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Say that there is no type: napoleon takes what stands before a colon for one."""
    starts = {0} if what in ("attribute", "data", "property") else set()
    starts |= {number + 1 for number, line in enumerate(lines) if line.strip() in ("Returns:", "Yields:")}
    for number in starts:
        text = lines[number].lstrip()
        lines[number] = lines[number][: len(lines[number]) - len(text)] + ": " + text


def fields_as_table(app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Put the fields of a dataclass in a table: those of `Args` or `Attributes`, and those that it does not name."""
    if what != "class" or not dataclasses.is_dataclass(found):
        return
    known = {field.name: field for field in dataclasses.fields(found)}
    start = next((n for n, line in enumerate(lines) if line in ("Args:", "Attributes:")), len(lines))
    end = next((n for n in range(start + 1, len(lines)) if lines[n] and lines[n][0] != " "), len(lines))
    rows = dict(section(lines[start + 1 : end]))
    told = [row.strip() for names in rows for row in names.split(",")]
    rows |= {one: help_of(field) for one, field in known.items() if one not in told and one != "_"}
    if rows:
        place = start if told else next((n for n, line in enumerate(lines) if line.endswith(":") and n), len(lines))
        lines[place : end if told else place] = list(table(rows, known))


def section(lines: list[str]) -> Iterator[tuple[str, str]]:
    """The names of a section of a docstring, and what it says of each."""
    for part in re.split(r"\n(?=    \S)", "\n".join(lines)):
        one, _, text = part.strip().partition(": ")
        if one:
            yield one, " ".join(text.split())


def help_of(field: Any) -> str:
    """The line of help of a setting, with what it may be."""
    if "help" not in field.metadata:
        return "as in `rc_env.Ruleset`" if field.name in Ruleset.__dataclass_fields__ else ""
    limits, words = field.metadata["limits"], field.metadata["known"] or ()
    words = [word for word in words if word not in field.metadata["help"]]
    ends = [f"{end:,}" if isinstance(end, int) else f"{end:g}" for end in limits or ()]
    told = re.sub(r"(--[a-z-]+)", r"``\1``", field.metadata["help"])  # else two dashes become a long one
    return told + (f"; {ends[0]} to {ends[1]}" if ends else f"; {', '.join(words)}" if words else "")


def table(rows: dict[str, str], known: dict[str, Any]) -> Iterator[str]:
    """The lines of the table: name, default, meaning."""
    yield from (".. list-table::", "   :header-rows: 1", "   :widths: auto", "")
    yield from ("   * - name", "     - type", "     - default", "     - meaning")
    for names, meaning in rows.items():
        field = known.get(names.split(",")[0])
        value = default_of(field) if field else ""
        yield f"   * - ``{names}``"
        yield f"     - {f'``{field.type}``' if field else ''}"
        yield f"     - {value and f'``{value}``'}"
        yield f"     - {meaning}"
    yield ""


def default_of(field: Any) -> str:
    """The default of a field as Python writes it, or nothing where there is none."""
    if field.default_factory is not dataclasses.MISSING:
        return repr(field.default_factory())
    return "" if field.default is dataclasses.MISSING else repr(field.default)


def short_signature(
    app: Sphinx, what: str, name: str, found: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """No signature where a table has the fields; and an array's type as it stands in the code."""
    if what == "class" and dataclasses.is_dataclass(found):
        return "", None
    array = re.compile(r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(.*?)\]\]")
    return tuple(array.sub(r"NDArray[\1]", text) if text else text for text in (signature, returns))  # type: ignore
