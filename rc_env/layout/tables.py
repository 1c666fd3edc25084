"""The pages that document the layouts, written from their schemas: `python -m rc_env.layout.tables`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from rc_env.layout import actions, observation
from rc_env.layout.observation import UNUSED, Piece
from rc_env.ruleset import WORKSHOPS, Ruleset

COMMAND = "python -m rc_env.layout.tables"
FOLDER = Path(__file__).parents[2] / "docs"
PLAYERS = (1, 2, 3, 4)

# Versions and what each of them changed, newest last.
OBSERVATION_VERSIONS = {1: "the first layout"}
ACTION_VERSIONS = {1: "the first catalogue"}

_OBSERVATION = f"""\
# The observation

One flat float32 vector, what one seat sees of a game. This page is written from the schema
(`rc_env/layout/observation.py`) by `{COMMAND}`; a test holds the two equal. Version {{version}}.

```python
import rc_env

engine = rc_env.Engine(rc_env.Ruleset(players=2), num_games=8, seed=1)
vectors = engine.observe()                   # (B, F) float32, each row seen by the seat to move
mine = engine.observe(seat=0)                # the same games, all seen by seat 0
```

## Reading an entry
Every entry is a whole number over a constant, `vector[i] = number / divisor[i]`, from 0 to 1; a number above its
divisor is cut there (of the rubles of a seat, 1.0 says "40 or more"). A divisor of 1 makes a flag or a one-hot. Entries
called unused are always 0. The last axis of a piece's shape runs over its entries, the axes before it over seats,
towers, levels, slots, dice, spaces or quadrants; offsets run through the piece row by row.

The schema is there to be asked, so that no program needs an offset of this page:

```python
layout = engine.ruleset.observations
layout.size, layout.hash                     # F, and 16 hex digits that saved models are held to
views = layout.views(vectors)                # each piece by name: views["goods"] has shape (B, players, 8)
numbers = layout.numbers(vectors)            # the same as the whole numbers behind the entries, int16
[piece.name for piece in layout.pieces]      # and their offset, shape, entries, divisors, meaning
```

In words, `rc_env.layout.facts.describe(ruleset, vector, seat)` is the observation as lines of text, and
`observation_facts` the same as a dictionary, with absolute colours.

## Perspective
The seat that sees stands first, then the next seats in turn order: `own`, `next1`, `next2`, `next3`. Colours, dice and
slots follow: `own`, then the colours of the next seats, then those that nobody plays (`unplayed1`, `unplayed2`), then
white; in the solo game `ivan` is the seat and the colour after the own one. So an entry means the same for every seat,
and rotating the seats of a game rotates what they see. Market spaces, quadrants and towers are as they lie on the
table. After the end of a game what concerns the turn is all 0.

The number of players decides the layout. Both sides of the workshop boards share it, with the base data file; another
data file or turn limit changes divisors, and with them the hash. One player is the solo game.
"""

_ACTIONS = f"""\
# The actions

One flat catalogue, `Discrete(A)`: an action is one small decision, a turn is several of them. This page is written
from the catalogue (`rc_env/layout/actions.py`) by `{COMMAND}`; a test holds the two equal. Version {{version}}.

```python
import rc_env

engine = rc_env.Engine(rc_env.Ruleset(players=2), num_games=8, seed=1)
mask = engine.legal_mask()                   # (B, A) int8, 1 for each legal action of the seat to move
legal = [engine.action_to_text(action, row=0) for action in mask[0].nonzero()[0]]
engine.text_to_action(legal[0], row=0)       # and back: words are absolute, `move red +2`
engine.ruleset.actions.relative_text({{example}})     # as every seat may say it: `{{words}}`
```

## Perspective
Numbers are relative to the seat that acts: `own` is its colour, `next1` to `next3` are those of the next seats in turn
order, `unplayed1` and `unplayed2` those that nobody plays, then white; in the solo game `ivan` follows `own`. So a
number means the same for every seat. In words (`action_to_text`, the game record) colours are absolute. Spaces count
from 0; towers, levels and guild actions from 1, a section is tower.level.

`gain` serves two points: what a guild gives, and a free choice of material. A point with one legal action is played
by the engine.
"""


def observation_page() -> str:
    """docs/observation.md: the schema for each number of players."""
    parts = [_OBSERVATION.format(version=observation.VERSION)]
    for players in PLAYERS:
        layouts = {workshop: Ruleset(players=players, workshop=workshop).observations for workshop in WORKSHOPS}
        layout = layouts["basic"]
        hashes = {name: workshop.hash for name, workshop in layouts.items()}
        assert len(set(hashes.values())) == 1, "the page says that both sides of the boards share a layout"
        parts.append(f"\n## {players} players\n{layout.size} entries, hash `{layout.hash}`.\n")
        rows = [
            (f"{p.offset}-{p.offset + p.size - 1}", f"`{p.name}`", _shape(p.shape), _entries(p), p.meaning)
            for p in layout.pieces
        ]
        parts.append(_table(("offsets", "piece", "shape", "entries ÷ divisor", "meaning"), rows))
    parts.append(_versions(OBSERVATION_VERSIONS))
    return "\n".join(parts)


def actions_page() -> str:
    """docs/actions.md: the catalogue for each number of players."""
    catalogue = Ruleset().actions
    example = catalogue.to_action("move red +2", 0)
    words = catalogue.relative_text(example)
    parts = [_ACTIONS.format(version=actions.VERSION, example=example, words=words)]
    for players in PLAYERS:
        layout = Ruleset(players=players).actions
        parts.append(f"\n## {players} players\n{layout.size} actions, hash `{layout.hash}`.\n")
        rows = [
            (verb, _numbers(first, count), str(count), f"`{words}`".replace(" … ", "` … `"), meaning)
            for verb, first, count, words, meaning in layout.table()
        ]
        parts.append(_table(("verb", "numbers", "count", "words", "meaning"), rows))
    parts.append(_versions(ACTION_VERSIONS))
    return "\n".join(parts)


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    return {"observation.md": observation_page(), "actions.md": actions_page()}


def _numbers(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))


def _entries(piece: Piece) -> str:
    """Neighbours with one divisor together: `lumber` `brick` ÷ 20; 2 unused."""
    told = []
    pairs = zip(piece.entries, piece.divisors, strict=True)
    for divisor, group in groupby(pairs, lambda pair: None if pair[0] == UNUSED else pair[1]):
        words = [f"`{entry}`" for entry, _ in group]
        if len(words) > 4 and all(re.search(r"\b\d`$", word) for word in words):  # a plain count, of spaces say
            words[1:-1] = ["…"]
        told.append(f"{len(words)} unused" if divisor is None else f"{' '.join(words)} ÷ {divisor}")
    return "; ".join(told)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _versions(history: dict[int, str]) -> str:
    rows = [(str(version), change) for version, change in history.items()]
    return "\n## Versions\n" + _table(("version", "change"), rows) + "\n"


def main(folder: Path = FOLDER) -> None:
    """Write the pages."""
    for name, page in pages().items():
        (folder / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
