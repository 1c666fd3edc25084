"""The pages that document the layouts, written from their schemas: `python -m rc_env.words.tables`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from rc_env.ruleset import Ruleset

from ..layout import actions, observation
from ..layout.pieces import UNUSED, Piece

COMMAND = "python -m rc_env.words.tables"
FOLDER = Path(__file__).parents[2] / "docs"
PLAYERS = (1, 2, 3, 4)

# Versions and what each of them changed, newest last.
OBSERVATION_VERSIONS = {
    1: "the first layout",
    2: "whole numbers of at most a byte, also as uint8; a function of the number of players alone: 5 levels for every "
    "number of players, and divisors that no data file changes; `guild` says what the actions of the guild cards do, "
    "in place of `influence`, which said which cards they are; `prestige_ahead`, the next eight prestige spaces, in "
    "place of the next one in `numbers`; `rules`, the numbers of the data file that matter all game long, and Ivan's "
    "in `ivan_turn`; the level of `waiting_place` is one number",
}
ACTION_VERSIONS = {
    1: "the first catalogue",
    2: "a function of the number of players alone: towers have 5 levels for every number of players",
}

_OBSERVATION = f"""\
# The observation

The observation is what one seat sees of a game: F whole numbers of at most a byte. This page is written from the schema
(`rc_env/layout/observation.py`) by `{COMMAND}`; a test holds the two equal. Version {{version}}.

```python
import numpy as np
import rc_env

engine = rc_env.Engine(rc_env.Ruleset(players=2), num_games=8, seed=1)
vectors = engine.observe()                   # (B, F) float32, each row seen by the seat to move
mine = engine.observe(seat=0)                # the same games, all seen by seat 0
numbers = engine.observe(dtype=np.uint8)     # (B, F) uint8, the whole numbers themselves
```

## Floats or bytes
Every entry is a whole number from 0 to its divisor. `engine.observe()` returns float32, each number over its divisor,
so from 0 to 1; `engine.observe(dtype=np.uint8)` returns the numbers themselves. Both say the same, as
`vectors == numbers * (np.float32(1) / divisors)` holds exactly. Bytes need a quarter of the memory and are written
faster; a network then divides on its own device. Every environment takes `observation_dtype="uint8"`; its space is
`Box(0, divisors, uint8)`.

A number above its divisor is cut there (of the rubles of a seat, 100 says "100 or more"). A divisor of 1 makes a flag
or a one-hot. Entries called unused are always 0. The last axis of a piece's shape runs over its entries, the axes
before it over seats, towers, levels, slots, dice, spaces or quadrants; offsets run through the piece row by row.

Programs read the schema from the layout and need no offset of this page:

```python
import rc_env

engine = rc_env.Engine(rc_env.Ruleset(players=2), num_games=8, seed=1)
vectors, layout = engine.observe(), engine.ruleset.observations
layout.size, layout.hash                     # F, and 16 hex digits that saved models are compared with
layout.divisors                              # (F,) uint8
views = layout.views(vectors)                # each piece by name: views["goods"] has shape (B, players, 8)
named = layout.numbers(vectors)              # the whole numbers by name, int16, from float32 or from uint8
[piece.name for piece in layout.pieces]      # and their offset, shape, entries, divisors, meaning
```

In words, `rc_env.words.facts.describe(ruleset, vector, seat)` is the observation as lines of text, and
`observation_facts` the same as a dictionary, with absolute colours.

## Perspective
The seat that sees stands first, then the next seats in turn order: `own`, `next1`, `next2`, `next3`. Colours, dice and
slots follow: `own`, then the colours of the next seats, then those that nobody plays (`unplayed1`, `unplayed2`), then
white; in the solo game `ivan` is the seat and the colour after the own one. So an entry means the same for every seat,
and rotating the seats of a game rotates what they see. Market spaces, quadrants and towers are as they lie on the
table. After the end of a game what concerns the turn is all 0.

## Other numbers
The number of players alone decides the layout: neither the side of the workshop boards nor a data file of your own
changes F, a divisor or the hash, so a trained policy can be asked about games whose numbers it never met. What the
components do is in the observation: materials and rewards of the sections, amounts of tiles, the actions of the guild
cards, the next prestige spaces, and in `rules` the numbers that matter all game long. One player is the solo game.
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

`gain` is used at two decision points: for what a guild gives, and for a free choice of material. A decision point with
one legal action is played by the engine.
"""

_FULL = """\
This page is written from the {what} by `{command}`;
a test holds the two equal. Version {{version}}.

The full game is every game with a switch of the expansion: `Ruleset(contractors=True)`, the module Contractors,
`Ruleset(fourth_guild=…)` other than the clergy, or `Ruleset(special_tiles=True)`. They all share one layout for each
number of players, so that one policy can learn them all, and it is another one than that of the base game.
"""

_FULL_OBSERVATION = (
    "# The observation of the full game\n\n"
    + _FULL.format(what="schema (`rc_env/layout/observation.py`)", command=COMMAND)
    + """
What [the observation of the base game](observation.md) says about floats and bytes, perspective and cut numbers holds
here too. Beside the pieces of the base game there are those of the module, the guilds and the promos. Contracts are
numbered as in the data file, from 1; a seat sees its own and how many the others hold, and of contracts just drawn only
its own. The special tile in a workshop slot shows in `special_tile` alone; that a tile lies face down and what a slot
costs have pieces of their own, as have the permits of market tiles. No vector says which guild is in play: `guild` and
`guild_more` say what the cards in the game do. In the same way a specialist is what it does and its tool, counted in
the order of the data file; which tile it is does not show.

A part that is not in the game is all 0: without the module that is each of its pieces, the black die's row in
`die_space`, `die_value` and `die_yield`, and in the solo game the sixth place of Ivan's row. The black die stands last
among the dice.
"""
)

_FULL_ACTIONS = (
    "# The actions of the full game\n\n"
    + _FULL.format(what="catalogue (`rc_env/layout/actions.py`)", command=COMMAND)
    + """
Actions of [the base game](actions.md) keep their numbers; those of the guilds, the promos and the module Contractors
follow them. Colours, spaces and sections are meant as there; slots of specialists are counted from 0. `reinforce` takes
a tile at the point `reinforcement` and uses one of the own tiles everywhere else; `contract` keeps one at `keep` and
returns one at `return`.
"""
)


def observation_page() -> str:
    """docs/observation.md: the schema for each number of players."""
    parts = [_OBSERVATION.format(version=observation.VERSION), *_pieces(full=False), _versions(OBSERVATION_VERSIONS)]
    return "\n".join(parts)


def full_observation_page() -> str:
    """docs/observation-full.md: the schema of the full game for each number of players."""
    return "\n".join((_FULL_OBSERVATION.format(version=observation.VERSION), *_pieces(full=True), ""))


def _pieces(full: bool) -> Iterable[str]:
    """A heading and a table of the pieces for each number of players."""
    for players in PLAYERS:
        layout = Ruleset(players=players, special_tiles=full).observations
        yield f"\n## {players} players\n{layout.size} entries, hash `{layout.hash}`.\n"
        rows = [
            (f"{p.offset}-{p.offset + p.size - 1}", f"`{p.name}`", _shape(p.shape), _entries(p), p.meaning)
            for p in layout.pieces
        ]
        yield _table(("offsets", "piece", "shape", "entries ÷ divisor", "meaning"), rows)


def actions_page() -> str:
    """docs/actions.md: the catalogue for each number of players."""
    catalogue = Ruleset().actions
    example = catalogue.to_action("move red +2", 0)
    words = catalogue.relative_text(example)
    text = _ACTIONS.format(version=actions.VERSION, example=example, words=words)
    return "\n".join((text, *_catalogues(full=False), _versions(ACTION_VERSIONS)))


def full_actions_page() -> str:
    """docs/actions-full.md: the catalogue of the full game for each number of players."""
    return "\n".join((_FULL_ACTIONS.format(version=actions.VERSION), *_catalogues(full=True), ""))


def _catalogues(full: bool) -> Iterable[str]:
    """A heading and a table of the verbs for each number of players."""
    for players in PLAYERS:
        layout = Ruleset(players=players, special_tiles=full).actions
        yield f"\n## {players} players\n{layout.size} actions, hash `{layout.hash}`.\n"
        rows = [
            (verb, _numbers(first, count), str(count), f"`{words}`".replace(" … ", "` … `"), meaning)
            for verb, first, count, words, meaning in layout.table()
        ]
        yield _table(("verb", "numbers", "count", "words", "meaning"), rows)


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    return {
        "observation.md": observation_page(),
        "actions.md": actions_page(),
        "observation-full.md": full_observation_page(),
        "actions-full.md": full_actions_page(),
    }


def _numbers(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}-{first + count - 1}"


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))


def _entries(piece: Piece) -> str:
    """Neighbours with one divisor together: `lumber` `brick` ÷ 20; 2 unused; of a plain count its two ends."""
    told = []
    pairs = zip(piece.entries, piece.divisors, strict=True)
    for divisor, group in groupby(pairs, lambda pair: None if pair[0] == UNUSED else pair[1]):
        words: list[str] = []
        for _, count in groupby((f"`{entry}`" for entry, _ in group), lambda word: re.sub(r"\d+", "#", word)):
            run = list(count)
            words += [run[0], "…", run[-1]] if len(run) > 4 and divisor is not None else run
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
