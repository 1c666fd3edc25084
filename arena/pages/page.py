"""A document of headings, paragraphs, tables and plots, written as Markdown or as one HTML file."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rc_env.arena.figures import Estimate

# Where a table is wider than the page, a shadow at the edge shows that there is more: the two gradients that scroll
# with the content ("local") hide the two shadows that do not ("scroll") wherever the content ends.
STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; padding: 1rem; max-width: 76rem; background: #f6f7f9; color: #24303c;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 1.6rem 0 0.4rem; }
p { max-width: 46rem; margin: 0.5rem 0; overflow-wrap: anywhere; }
code { font-size: 0.9em; overflow-wrap: anywhere; background: #e9edf1; padding: 0.1em 0.3em; border-radius: 3px; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem;
  margin: 1rem 0; }
figure { margin: 0; padding: 0.75rem; background: #fff; border: 1px solid #dfe4e9; border-radius: 8px; }
figure svg { display: block; width: 100%; height: auto; max-width: 36rem; margin: 0 auto; }
figcaption { font-size: 0.95rem; font-weight: 600; margin-bottom: 0.4rem; }
.table { overflow-x: auto; border: 1px solid #dfe4e9; border-radius: 8px; margin: 0.6rem 0;
  background: linear-gradient(90deg, #fff 25%, #fff0) 0 / 2.4rem 100% local no-repeat,
    linear-gradient(270deg, #fff 25%, #fff0) 100% / 2.4rem 100% local no-repeat,
    linear-gradient(90deg, #24303c48, #24303c00) 0 / 1.6rem 100% scroll no-repeat,
    linear-gradient(270deg, #24303c48, #24303c00) 100% / 1.6rem 100% scroll no-repeat, #fff; }
.table:focus-visible { outline: 2px solid #1f6f8b; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.92rem; }
th, td { padding: 0.35rem 0.7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #edf0f3; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: #fff; }
tr:last-child td { border-bottom: 0; }
@media (max-width: 640px) {
  table { font-size: 0.85rem; }
  th, td { padding: 0.3rem 0.45rem; white-space: normal; }
  .whole { white-space: nowrap; }
  th:first-child, td:first-child { min-width: 5.3rem; max-width: 9rem; overflow-wrap: anywhere;
    border-right: 1px solid #dfe4e9; }
}
"""


def words(value: float | None, form: str, none: str = "–") -> str:
    """A number in the given format, or the replacement for None."""
    return none if value is None else format(value, form)


def span(figure: Estimate, form: str) -> str:
    """The interval of a figure; a dash where there is none."""
    return "–" if figure.low is None or figure.high is None else f"{figure.low:{form}} – {figure.high:{form}}"


def with_span(figure: Estimate, form: str) -> str:
    """A figure, with its interval in brackets."""
    return f"{words(figure.mean, form)} ({span(figure, form)})"


class Plain(str):
    """A cell with words of somebody else, such as a name, which a page shows letter by letter.

    Example:
        >>> from rc_env.arena.pages.page import Page, Plain
        >>> page = Page("Results")
        >>> page.table(("player", "games"), [(Plain("<b>**ann**"), "3")])
        >>> "<td>&lt;b&gt;**ann**</td>" in page.html()
        True
    """

    __slots__ = ()


@dataclass
class Page:
    """Blocks in order. Text may hold `code` and **bold**, as in Markdown."""

    title: str
    blocks: list[tuple[str, tuple]] = field(default_factory=list)

    def heading(self, text: str) -> None:
        """Begin a section."""
        self.blocks.append(("heading", (text,)))

    def text(self, text: str) -> None:
        """Add a paragraph."""
        self.blocks.append(("text", (text,)))

    def table(self, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table; all but the first column are set to the right."""
        self.blocks.append(("table", (tuple(headings), [tuple(row) for row in rows])))

    def plot(self, name: str, caption: str, svg: str) -> None:
        """Add a plot with a caption; `name` is that of its file, where it is written to one."""
        self.blocks.append(("plot", (name, caption, svg)))

    @property
    def plots(self) -> dict[str, str]:
        """Every plot, by name."""
        return {content[0]: content[2] for kind, content in self.blocks if kind == "plot"}

    def markdown(self, plots: str | None = None) -> str:
        """Return the page as Markdown. Plots are linked as `{plots}{name}.svg`; with None they are left out."""
        parts = [f"# {self.title}"]
        for kind, content in self.blocks:
            if kind == "heading":
                parts.append(f"## {content[0]}")
            elif kind == "text":
                parts.append(content[0])
            elif kind == "table":
                headings, rows = content
                lines = [headings, ("---", *["---:"] * (len(headings) - 1)), *rows]
                parts.append("\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines))
            elif plots is not None:
                parts.append(f"![{content[1]}]({plots}{content[0]}.svg)")
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """Return the page as one self-contained HTML file."""
        parts: list[str] = []
        for place, (kind, content) in enumerate(self.blocks):
            if kind == "plot":
                if place == 0 or self.blocks[place - 1][0] != "plot":
                    parts.append('<div class="plots">')
                caption = _inline(content[1])
                svg = content[2].replace("<svg", f'<svg role="img" aria-label="{html.escape(content[1])}"', 1)
                parts.append(f"<figure><figcaption>{caption}</figcaption>{svg}</figure>")
                if place + 1 == len(self.blocks) or self.blocks[place + 1][0] != "plot":
                    parts.append("</div>")
            elif kind == "table":
                parts.append(_table(*content))
            else:
                tag = "h2" if kind == "heading" else "p"
                parts.append(f"<{tag}>{_inline(content[0])}</{tag}>")
        title = html.escape(self.title)
        head = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">'
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n<title>{title}</title>\n<style>{STYLE}</style>\n'
            f"</head>\n<body>\n<h1>{title}</h1>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
        )


def with_block(text: str, markers: tuple[str, str], block: Page, plots: str) -> str:
    """Replace what stands between two markers of a Markdown document by a page without its title.

    Args:
        text: the document.
        markers: the line before the block and the line after it, which stay.
        block: the page.
        plots: beginning of the links to its plots, as `Page.markdown` takes it.

    Raises:
        ValueError: the document lacks a marker.
    """
    begin, end = markers
    head, begins, rest = text.partition(begin)
    _, ends, tail = rest.partition(end)
    if not begins or not ends:
        raise ValueError(f"the text has no {end if begins else begin}, but both markers are needed")
    content = re.sub("^## ", "### ", block.markdown(plots).partition("\n\n")[2], flags=re.MULTILINE)
    return f"{head}{begin}\n\n{content}\n{end}{tail}"


def _cell(text: str) -> str:
    """A cell of a table in Markdown."""
    if isinstance(text, Plain):
        return re.sub(r"([\\`*_<>|\[\]~&])", r"\\\1", " ".join(text.split()))
    return text.replace("|", "/")


def _inline(text: str) -> str:
    text = html.escape(text, quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


def _unbroken(cell: str) -> str:
    """A cell that does not break lines within an interval or before a percent sign."""
    return re.sub(r"\S+ (–|to) [-+\d]\S*|\S+ %", r'<span class="whole">\g<0></span>', cell)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def shown(cell: str) -> str:
        return html.escape(cell, quote=False) if isinstance(cell, Plain) else _unbroken(_inline(cell))

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{shown(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    around = '<div class="table" role="region" aria-label="Table" tabindex="0">'
    return f"{around}<table>\n<thead>{line(headings, 'th')}</thead>\n<tbody>\n{body}\n</tbody></table></div>"
