"""Writes game records: the games of an engine as lines of text (docs/records.md has the format).

A `Recorder` keeps the bytes of each game it follows, before and after every decision, and makes text of them when the
game is over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks, files
from rc_env.arguments import ONE_GAME, one_game
from rc_env.build import in_build
from rc_env.card_sets import source as sets
from rc_env.engine import Engine
from rc_env.record.start import position_to_dict
from rc_env.record.text import GameText
from rc_env.rules import chance
from rc_env.rules.printed import expansion_file
from rc_env.rules.printed.data_file import DataFile
from rc_env.rules.printed.sizes import COLOURS
from rc_env.ruleset import Ruleset
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import deal_to_dict

FORMAT, EXPANDED_FORMAT = "red-cathedral/1", "red-cathedral/2"
"""What the first line says of a base game, and of one with the module, a guild of the expansion or special tiles."""
SUFFIX = ".rcr"

Sink = Callable[[int, str], object]
"""Takes a finished game: its number, and the whole text of its record."""


class Recorder:
    """Observer that records the games of an engine and passes each to `sink` as text when it is over.

    Works with every environment, as all of them play on an engine: `Recorder(folder("games")).attach(env.engine)`. It
    follows games from their deal on; one already begun when the recorder came, or dealt anew before its end, is left
    out. A game that `Engine.restore` puts back goes on from there if it has been there before, else it is left out.

    Args:
        sink: called with the number of the game, from 0 in the order of the deals, and the text of its record.
        rows: which rows of the engine to follow; all by default.
        legal: write the legal actions of each decision.
        state: write the position after each decision.
        thoughts: write bots' thoughts before each decision for which `note` was called; not in records for one seat,
            since they could reveal hidden information.
        seat: write records for this seat, without information hidden from it; they cannot be replayed. In the base game
            everything lies open, and nothing is left out. By default everything is shown.
        meta: what else the first line shall hold, as "meta": who played, or any other keys with values that JSON knows.
            Readers keep it as it is, and make nothing of it.

    Raises:
        ValueError: an argument is of another type.

    Example:
        >>> from rc_env import Engine
        >>> from rc_env.record import Recorder
        >>> records = {}
        >>> engine = Engine(seed=1)
        >>> Recorder(records.__setitem__).attach(engine)
        >>> while (engine.seat >= 0).any():
        ...     engine.step(engine.legal_mask().argmax(1))
        >>> len(records[0].splitlines()) == engine.games.decisions[0] + 2
        np.True_
    """

    def __init__(
        self,
        sink: Sink,
        rows: Iterable[int] | None = None,
        *,
        legal: bool = False,
        state: bool = False,
        thoughts: bool = False,
        seat: int | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        if not callable(sink):
            checks.refuse("sink", sink, "a function of the number and the text of a game, such as folder(...) gives")
        self._sink = sink
        self._rows: set[int] | None = None
        if rows is not None:
            each = checks.sequence("rows", rows, "numbers of rows")
            self._rows = {checks.whole_number("rows", row, 0) for row in each}
        self._legal, self._state = checks.flag("legal", legal), checks.flag("state", state)
        self.thoughts = checks.flag("thoughts", thoughts)
        """Whether thoughts are recorded, so that `note` should be called."""
        self._seat = None if seat is None else checks.whole_number("seat", seat, 0, len(COLOURS) - 1)
        self._meta = {} if meta is None else {"meta": _as_json(meta)}
        self._engine: Engine | None = None
        self._games: dict[int, tuple[int, list[int], list[bytes]]] = {}
        """By row, of the game that stands there: its number, the actions taken, and its bytes before and after each."""
        self._notes: dict[int, dict[int, Mapping[str, Any]]] = {}
        """By row, and by the number of the decision in its game."""
        self._left: dict[int, tuple[int, bytes]] = {}
        """By row, of a game that another was put in the place of: its number, and its deal."""
        self._deals: dict[int, bytes] = {}
        """By row, the deal of a game that begins with a position of its own."""
        self._text: Any = None  # a `text.GameText` of the engine's ruleset
        self._helper: Engine | None = None
        self._begun = 0

    def attach(self, engine: Engine) -> None:
        """Record the games of this engine from now on.

        Raises:
            ValueError: the engine has a recorder already, or does not have the rows or the seat to be followed.
        """
        checks.instance("engine", engine, Engine, "an Engine")
        for row in self._rows or ():
            checks.whole_number("rows", row, 0, engine.num_games - 1)
        if self._seat is not None:
            checks.whole_number("seat", self._seat, 0, engine.num_players - 1)
        if engine.recorder is not None and engine.recorder is not self:
            raise ValueError("engine has a recorder already; detach that first")
        self.detach()
        self._engine, engine.recorder = engine, self
        if self._text is None or self._text.ruleset is not engine.ruleset:
            self._text = in_build(GameText, engine.ruleset.full)(engine.ruleset)
        self._game: np.dtype[Any] = engine.ruleset.build.state.GAME
        # All games as bytes: copied field by field, what lies between the fields would be anything.
        self._memory = engine.games.view(np.ndarray).view(np.uint8).data
        self._games, self._notes, self._left, self._deals = {}, {}, {}, {}
        self.dealt(np.flatnonzero(engine.games.decisions == 0))

    def detach(self) -> None:
        """Stop recording; unfinished games are left out."""
        if self._engine is not None:
            self._engine.recorder = None
        self._engine = None

    # --- notifications from the engine

    def dealt(self, rows: NDArray[np.int64]) -> None:
        """New games were dealt in these rows."""
        for row in rows.tolist():
            if self._rows is not None and row not in self._rows:
                continue
            before = self._games.get(row)
            if before is None or before[1]:
                number, self._begun = self._begun, self._begun + 1
            else:  # dealt twice over: the number is still free
                number = before[0]
            self._games[row] = number, [], [self._bytes(row)]
            self._notes[row] = {}
            self._left.pop(row, None)
            self._deals.pop(row, None)

    def begin(self, row: int = 0) -> None:
        """Follow the game in a row from the position that was put there in the place of the one that was dealt.

        The record has the deal, and the position with which the decisions begin, whole; so it is not for one seat.

        Args:
            row: of the engine.

        Raises:
            ValueError: records are written for one seat, or no position was put into this row.
        """
        row = checks.whole_number("row", row, 0)
        if self._seat is not None:
            raise ValueError("a record for one seat cannot begin with a position, which shows what others hold")
        if row not in self._left:
            raise ValueError(f"no position was put in the place of the game that was dealt in row {row}")
        number, self._deals[row] = self._left.pop(row)
        self._games[row], self._notes[row] = (number, [], [self._bytes(row)]), {}

    def note(self, row: int, thoughts: Mapping[str, Any]) -> None:
        """Store a bot's thoughts about the next decision in a row.

        Nothing is kept where no game is followed, or the recorder writes no thoughts.

        Args:
            row: of the engine.
            thoughts: "policy" and "value" as a record has them (docs/records.md).

        Raises:
            ValueError: not a whole number of at least 0, or other keys.
        """
        row = checks.whole_number("row", row, 0)
        known = checks.instance("thoughts", thoughts, Mapping, "policy and value by name")  # type: ignore[type-abstract]
        if not set(known) <= {"policy", "value"}:
            checks.refuse("thoughts", thoughts, "policy and value by name")
        if self.thoughts and self._seat is None and row in self._games:
            self._notes[row][len(self._games[row][1])] = dict(thoughts)

    def played(self, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """These actions were played, or refused, in these rows."""
        assert self._engine is not None
        illegal = self._engine.illegal
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            followed = self._games.get(row)
            if followed is not None and not illegal[row]:
                followed[1].append(action)
                followed[2].append(self._bytes(row))
        for row in self._engine.ended.tolist():
            if row in self._games:
                self._finish(row)

    def restored(self, rows: NDArray[np.int64]) -> None:
        """Games were put into these rows from outside."""
        for row in rows.tolist():
            if row in self._games:
                (number, actions, games), game = self._games[row], self._bytes(row)
                been = self._decisions(game) - self._decisions(games[0])
                if 0 <= been < len(games) and games[been] == game:
                    del actions[been:], games[been + 1 :]
                    self._notes[row] = {at: found for at, found in self._notes[row].items() if at < been}
                else:
                    self._left[row] = number, self._deals.get(row, games[0])
                    del self._games[row]

    def _decisions(self, game: bytes) -> int:
        return int(np.frombuffer(game, self._game)["decisions"][0])

    def _bytes(self, row: int) -> bytes:
        return self._memory[row * self._game.itemsize : (row + 1) * self._game.itemsize].tobytes()

    def _finish(self, row: int) -> None:
        assert self._engine is not None
        number, actions, games = self._games.pop(row)
        last = result_line(self._engine, row)
        self._sink(number, self._record(actions, games, self._notes[row], last, self._deals.get(row)))

    def unfinished(self, about: Mapping[str, Any], row: int = 0) -> str:
        """The record of the game that is being played in a row, so far; `about` stands in the place of its result.

        Raises:
            KeyError: no game is followed there.
        """
        _, actions, games = self._games[row]
        last = {"unfinished": dict(about)}
        return self._record(actions, games, self._notes[row], last, self._deals.get(row))

    def _record(
        self, actions: list[int], games: list[bytes], notes: Mapping[int, Mapping[str, Any]], last: dict[str, Any],
        deal: bytes | None,
    ) -> str:  # fmt: skip
        """The text of a record of these actions, and of the games as bytes before and after each; `deal` is that of a
        game that begins with a position of its own."""
        assert self._engine is not None and self._text is not None
        first = deal_line(self._engine.ruleset, games[0] if deal is None else deal, self._seat) | self._meta
        if deal is not None:
            first["position"] = position_to_dict(np.frombuffer(games[0], self._game)[0])
        masks = self._masks(games[:-1]) if self._legal else None
        if self._seat is not None:  # what is not there any more cannot be written by mistake
            together = np.frombuffer(b"".join(games), self._game)
            games = [game.tobytes() for game in self._engine.conceal(together, self._seat)]
        decisions = self._text.decisions(actions, games, masks, state=self._state, view=self._seat) if actions else ""
        return f"{json.dumps(first)}\n{_noted(decisions, notes)}{json.dumps(last)}\n"

    def _masks(self, games: list[bytes]) -> NDArray[np.int8]:
        """The masks of these games, (D, A) int8, from an engine in which they are restored."""
        assert self._engine is not None
        if self._helper is None or self._helper.ruleset is not self._engine.ruleset:
            self._helper = Engine(self._engine.ruleset, 256)
        helper, parts = self._helper, []
        for low in range(0, len(games), helper.num_games):
            some = np.frombuffer(b"".join(games[low : low + helper.num_games]), self._game)
            helper.restore(some, np.arange(len(some)))
            parts.append(helper.legal_mask()[: len(some)].copy())
        return np.concatenate(parts)


def _as_json(meta: object) -> dict[str, Any]:
    """A copy of what the first line holds as "meta".

    Raises:
        ValueError: it is no dict of what JSON knows.
    """
    expected = "a dict by words, of values that JSON knows"
    found = dict(checks.instance("meta", meta, Mapping, expected))  # type: ignore[type-abstract]
    with checks.reading("meta", expected):
        copy: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
        json.dumps(copy, ensure_ascii=False).encode()  # half a character can be spelled, but not read
        if list(copy) != list(found):
            raise ValueError("a key that is no word")
    return copy


def _noted(decisions: str, notes: Mapping[int, Mapping[str, Any]]) -> str:
    """The lines of decisions, with what bots thought before some of them, by number."""
    if not notes:
        return decisions
    lines, number = decisions.splitlines(), 0
    for place, line in enumerate(lines):
        if '"point": "ivan turn"' not in line:  # a turn of Ivan's is no decision
            if notes.get(number):
                lines[place] = f"{line[:-1]}, {json.dumps(notes[number])[1:]}"
            number += 1
    return "".join(f"{line}\n" for line in lines)


def folder(path: str | os.PathLike[str], prefix: str = "game") -> Sink:
    """A sink that writes each game to a file, `game-00001.rcr` and so on; the folder is made if need be.

    Raises:
        ValueError: `path` is none, or `prefix` cannot begin the name of a file.
        OSError: the folder cannot be made or written to.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, folder, read
        >>> match = play_match(["greedy", "random"], deals=1, seed=1, recorder=Recorder(folder("games")))
        >>> read("games/game-00002.rcr").result["prestige"] == match.prestige[1].tolist()
        True
    """
    checks.instance("prefix", prefix, str, "how the names of the files begin")
    if not prefix.isprintable() or set(prefix) & set('/\\:*?"<>|') or len(prefix) > 100:
        checks.refuse("prefix", prefix, "up to 100 printable characters that a name of a file may hold")
    place = files.make_folder(checks.path("path", path))

    def write(number: int, text: str) -> None:
        files.write(place / f"{prefix}-{number + 1:05}{SUFFIX}", text)

    return write


def keep_data(ruleset: Ruleset, path: str | os.PathLike[str]) -> None:
    """Put copies of the ruleset's data files, if they are your own, into a folder of records, where `read` looks.

    Raises:
        ValueError: the folder holds another file of that name, or a data file has changed since it was loaded; or an
            argument is of another type.
    """
    checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
    folder = Path(checks.path("path", path, "the path of a folder"))
    if ruleset.data != "base":
        _keep("data", ruleset.data, ruleset.data_file, folder)
    if ruleset.expansion_file is not None and ruleset.expansion_data != expansion_file.PACKAGED:
        _keep("expansion_data", ruleset.expansion_data, ruleset.expansion_file, folder)


def _keep(key: str, source: str | os.PathLike[str], loaded: DataFile, folder: Path) -> None:
    found, copy = sets.content(source, key == "expansion_data"), folder / loaded.name
    if sha256(found).hexdigest() != loaded.sha256:
        raise ValueError(f"{key}: {source} has changed since it was read, so the record would not fit it")
    if not copy.exists():
        files.write(copy, found)
    elif files.read(copy, files.MOST_TABLES) != found:
        raise ValueError(f"{key}: there is another {copy.name} in {folder}: choose another folder, or rename the file")


def state_to_dict(ruleset: Ruleset, game: Any, *, view: int | None = None) -> dict[str, Any]:
    """A position as the record has it after each decision: for comparison, not for resuming.

    With `view` as that seat may know it; by default everything is shown.

    Raises:
        ValueError: no GAME record of the ruleset, or a seat that is not in the game.
    """
    found = one_game(ruleset, game)
    seat = None if view is None else checks.whole_number("view", view, 0, ruleset.players - 1)
    text: Any = in_build(GameText, ruleset.full)(ruleset)
    with checks.reading("game", ONE_GAME):
        state: dict[str, Any] = json.loads(text.state(found.tobytes(), seat))
    return state


# --- first and last line


def deal_line(ruleset: Ruleset, game: bytes, view: int | None = None) -> dict[str, Any]:
    """The first line: which variant is played, and what was dealt in a game where nothing has been decided yet.

    `view` is the seat for which the record is made, None for a complete one: in a game of the expansion that seat does
    not know the seed and the order of the contracts.
    """
    g = np.frombuffer(game, ruleset.build.state.GAME)[0]
    expanded = bool(expansion.brought(ruleset, g))
    deal, switches = deal_to_dict(ruleset, g), {}
    seed = {"seed": seed_of(int(g["key"]))}
    if expanded:
        assert ruleset.expansion_file is not None
        switches = {
            "expansion": ruleset.expansion_file.name,
            "expansion_sha256": ruleset.expansion_file.sha256,
            "contractors": bool(ruleset.contractors),
            "special_tiles": bool(ruleset.special_tiles),
        }
        if view is not None:
            switches, seed = {**switches, "view": view}, {}
            deal.pop("contracts", None)
    return {
        "record": EXPANDED_FORMAT if expanded else FORMAT,
        "players": ruleset.players,
        "workshop": ruleset.workshop,
        "solo": ruleset.solo,
        "turn_limit": ruleset.turn_limit,
        "colours": list(COLOURS[: ruleset.seats]),
        "data": ruleset.data_file.name,
        "data_sha256": ruleset.data_file.sha256,
        **switches,
        **seed,
        **deal,
    }


def result_line(engine: Engine, row: int = 0) -> dict[str, Any]:
    """The last line: scores of the game in that row, which is over.

    Raises:
        ValueError: not an engine, or a row that is not there.
    """
    checks.instance("engine", engine, Engine, "an Engine")
    row = checks.whole_number("row", row, 0, engine.num_games - 1)
    results = engine.results([row])
    parts = {"track": results.track[0].tolist(), "goods": results.goods[0].tolist()}
    if expansion.brought(engine.ruleset, engine.games.view(np.ndarray)[row]) & expansion.CONTRACTS:
        parts["contracts"] = results.contracts[0].tolist()
    if engine.ruleset.contractors:
        parts["tools"] = results.tools[0].tolist()
    parts["towers"] = results.towers[0].tolist()
    result = {
        "prestige": results.prestige[0].tolist(),
        "track": engine.games.track[row, : engine.num_seats].tolist(),
        "winners": np.flatnonzero(results.winners[0]).tolist(),
        "truncated": bool(engine.truncated[row]),
        "breakdown": [dict(zip(parts, part, strict=True)) for part in zip(*parts.values(), strict=True)],
    }
    return {"result": result}


def seed_of(key: int) -> int:
    """The one seed from 0 to 2^64 - 1 whose game has this key: `Engine(ruleset, 1, seed)` backwards.

    Every key has one, since the streams of chance are one-to-one: a game that lay in some row of a batch, or came after
    others in its row, is named by a single number as well.
    """
    key = checks.seed("key", key)
    for _ in range(2):  # from the seed comes the row's key, from that the key of its first game
        key = chance.before(key, chance.EPISODE, 0)
    return key
