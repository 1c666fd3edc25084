"""Reading and writing records: their form, line by line (docs/records.md has the format)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from rc_env import checks, files
from rc_env.card_sets import source as sets
from rc_env.layout.actions import ActionLayout
from rc_env.record.decision import IVAN_EVENTS
from rc_env.record.recorder import EXPANDED_FORMAT, FORMAT
from rc_env.rules.printed import expansion_file
from rc_env.rules.printed.sizes import (
    CARDS_DRAWN,
    COLOURS,
    CONTRACTS,
    CONTRACTS_DRAWN,
    FORCED,
    SPECIALIST_SLOTS,
    SPECIALISTS,
)
from rc_env.rules.solo.events import SEAT
from rc_env.ruleset import CLERGY, MOST_TURNS, OLD_BASE, WORKSHOPS, Ruleset
from rc_env.words import expansion_notation as expansion
from rc_env.words.notation import PARTS, dict_to_deal, die_names, names, parts

_HEADER = ("record", "players", "workshop", "solo", "turn_limit", "colours", "data", "data_sha256", *PARTS)
_SWITCHES = ("expansion", "expansion_sha256", "contractors", "special_tiles")
_MODULE = ("cities", "specialists")
_DECISION = ("seat", "point", "action", "rolls")
_IVAN_TURN = ("seat", "point", "events", "rolls")
_OPTIONAL = ("legal", "state", "policy", "value")
_UNFINISHED = ("seat", "bots")
_RESULT = ("prestige", "track", "winners", "truncated", "breakdown")
_BREAKDOWN = ("track", "goods", "towers")
_COUNTED = {"contracts": expansion.CONTRACTS, "tools": expansion.MODULE}  # in games with them
NAMED = {
    "data": "read(…, data=FILE), or rc replay --data FILE",
    "expansion": "read(…, expansion_data=FILE), or rc replay --expansion-data FILE",
}
UNSEEN = "contract ?"  # a choice among contracts, in a record for another seat
MOST_BYTES = 2**28
"""The most bytes of a record; one with positions and legal actions has up to two million."""
_LONGEST = 400  # characters of a reason: a file may hold anything


class RecordError(ValueError):
    """A record that cannot be read, or that breaks the rules: one sentence with file, line and reason."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        name = name if len(name) <= _LONGEST else f"{name[:_LONGEST]} …"
        words = name if line is None else f"{name}, line {line}"
        reason = reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]} …"
        super().__init__(_one_line(f"{words}: {reason}"))


@dataclass(frozen=True)
class Record:
    """A recorded game; `positions` and `replay` play it again.

    Attributes:
        header: the first line: variant, seed and deal.
        decisions: one dict per decision, with "seat", "point", "action" and "rolls", perhaps "legal", "state" (after
            the decision), "policy" and "value" (what a bot thought before it).
        result: what the last line holds under "result"; empty in an unfinished game.
        ruleset: the variant.
        name: the record's name in error messages: the file.
        ivan: the solo game: Ivan's turns by the number of the decision after which each stands, as dicts with "seat",
            "point", "events" and "rolls". They move the lines of later decisions down: see `line`.
        unfinished: of a game that somebody left, the person's "seat" and the names of the "bots" on the others, and
            "resigned", which is True, where the person gave up; None in a game that was played to its end.
        new_dice: where the person asked for other dice than the seed's: the number of decisions "from" which on they
            follow from another "seed", in order.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, folder, read
        >>> match = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(folder("games")))
        >>> record = read("games/game-00001.rcr")
        >>> record.ruleset.players, len(record.decisions) == match.decisions
        (2, True)
        >>> record.decisions[0]["point"]
        'start'
    """

    header: dict[str, Any]
    decisions: list[dict[str, Any]]
    result: dict[str, Any]
    ruleset: Ruleset
    name: str = "record"
    ivan: dict[int, dict[str, Any]] = field(default_factory=dict)
    unfinished: dict[str, Any] | None = None
    new_dice: list[dict[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for part, kind, words in (
            ("header", dict, "a dict, the first line"),
            ("decisions", list, "a list with one dict per decision"),
            ("result", dict, "a dict, the last line"),
            ("ruleset", Ruleset, "a Ruleset"),
            ("name", str, "a word"),
            ("ivan", dict, "a dict with one dict per turn"),
            ("new_dice", list, "a list of dicts"),
        ):
            checks.instance(part, getattr(self, part), kind, words)

    @property
    def expanded(self) -> bool:
        """Whether the game has the module, a guild of the expansion or special tiles: format 2."""
        return bool(self.header["record"] == EXPANDED_FORMAT)

    @property
    def view(self) -> int | None:
        """The seat for which the record was made, without what it cannot know; None for a complete record."""
        return self.header.get("view")

    @property
    def meta(self) -> dict[str, Any]:
        """What whoever recorded the game wrote beside it, such as "bots", who played; a stranger may have written
        anything."""
        found: dict[str, Any] = self.header.get("meta", {})
        return found

    def text(self) -> str:
        """The record as it stands in a file."""
        lines = [self.header]
        for number, decision in enumerate(self.decisions):
            lines += [decision, *([self.ivan[number]] if number in self.ivan else [])]
        last: dict[str, Any]
        last = {"result": self.result} if self.unfinished is None else {"unfinished": self.unfinished}
        if self.new_dice:
            last["new_dice"] = self.new_dice
        return "".join(json.dumps(line) + "\n" for line in (*lines, last))

    def line(self, number: int) -> int:
        """The line of the file, from 1, in which a decision stands; of their count, the result's.

        Raises:
            ValueError: there is no decision of that number.
        """
        number = checks.whole_number("number", number, 0, len(self.decisions))
        return number + 2 + sum(before < number for before in self.ivan)


def write(record: Record, path: str | os.PathLike[str]) -> None:
    """Write a record to a file.

    Raises:
        ValueError: not a record, or no path.
        OSError: the file cannot be written.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse, read, write
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> write(parse(texts[0]), "game.rcr")
        >>> read("game.rcr").text() == texts[0]
        True
    """
    checks.instance("record", record, Record, "a Record, as read or parse gives one")
    files.write(checks.path("path", path), record.text())


def read(
    path: str | os.PathLike[str],
    *,
    data: str | os.PathLike[str] | None = None,
    expansion_data: str | os.PathLike[str] | None = None,
    unfinished: bool = False,
) -> Record:
    """Read a record from a file and check its form; that it keeps the rules is for `replay` to find out.

    Args:
        path: the file.
        data: the data file it was played with, where that is not "base"; by default looked for beside the record,
            where `rc record` and `keep_data` put it, by the name that the record gives.
        expansion_data: likewise the data file of the expansion, where that is not "contractors".
        unfinished: take a game that is not over, too, as `rc play` leaves it.

    Raises:
        RecordError: the file cannot be read, or is no record.
        ValueError: an argument is no path.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, folder, read
        >>> match = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(folder("games")))
        >>> record = read("games/game-00001.rcr")
        >>> record.name
        'games/game-00001.rcr'
    """
    name = checks.path("path", path)
    try:
        raw = files.read(path, MOST_BYTES)
    except OSError as error:
        raise RecordError(name, None, f"cannot be read: {error.strerror}") from None
    beside = Path(path).parent
    return parse(raw, name, data=data, expansion_data=expansion_data, beside=beside, unfinished=unfinished)


def parse(
    text: str | bytes,
    name: str = "record",
    *,
    data: str | os.PathLike[str] | None = None,
    expansion_data: str | os.PathLike[str] | None = None,
    beside: str | os.PathLike[str] = ".",
    unfinished: bool = False,
) -> Record:
    """Like `read`, from text; `name` is used in error messages, `beside` is the folder for data files.

    Raises:
        RecordError: the text is not a record.
        ValueError: an argument is of another type.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> parse(texts[0]).decisions[0]["action"]
        'claim 4 from inventory'
    """
    checks.instance("text", text, str | bytes, "the text of a record")  # type: ignore[arg-type]
    checks.instance("name", name, str, "a word")
    for key, source in (("data", data), ("expansion_data", expansion_data)):
        if source is not None:
            checks.path(key, source, "the path of a data file")
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    folder = Path(checks.path("beside", beside, "the path of a folder"))
    lines = raw.split(b"\n")
    if not lines[-1]:
        lines.pop()
    line = 1
    try:
        if not lines:
            refuse("the record is empty")
        header = _line(lines[0])
        ruleset = _header(header, data, expansion_data, folder)
        expanded, view = header["record"] == EXPANDED_FORMAT, header.get("view")
        decisions: list[dict[str, Any]] = []
        turns: dict[int, dict[str, Any]] = {}
        for line, one in enumerate(lines[1:-1], 2):
            decision = _line(one)
            if "result" in decision:
                line += 1
                refuse("there is a line after the result, which must be the last one")
            if decision.get("point") == "ivan turn":
                _ivan_turn(decision, ruleset)
                if not decisions or len(decisions) - 1 in turns:
                    refuse("there is no decision before this turn of Ivan's")
                turns[len(decisions) - 1] = decision
                continue
            _decision(decision, ruleset, expanded, view)
            decisions.append(decision)
        line = len(lines)
        last = _line(lines[-1])
        if line > 1 and "unfinished" in last:
            if not unfinished:
                refuse("the game is unfinished, so there is no result: `rc play --resume` goes on with it")
            _keys("last line", last, ("unfinished",), ("new_dice",))
            _unfinished(last["unfinished"], ruleset)
            new_dice = _new_dice(last.get("new_dice", []), len(decisions))
            return Record(header, decisions, {}, ruleset, name, turns, last["unfinished"], new_dice)
        if line == 1 or "result" not in last:
            line += line == 1
            refuse("the last line holds no result: the record is cut off")
        _keys("result line", last, ("result",), ("new_dice",))
        _result(last["result"], ruleset, brought_by(header, ruleset))
        new_dice = _new_dice(last.get("new_dice", []), len(decisions))
    except Refusal as refusal:
        raise RecordError(name, line, str(refusal)) from None
    return Record(header, decisions, last["result"], ruleset, name, turns, None, new_dice)


# --- checks of form, line by line


class Refusal(ValueError):
    """The reason why a line is refused; the caller knows the number of the line."""


def refuse(reason: str) -> NoReturn:
    raise Refusal(reason)


def _line(raw: bytes) -> dict[str, Any]:
    """One line as a JSON object, without doubled keys or numbers that JSON does not know."""
    if raw.startswith(b"\xef\xbb\xbf"):
        refuse("the file begins with a byte order mark; save it as plain UTF-8")
    try:
        value = json.loads(raw.decode("utf-8"), object_pairs_hook=_pairs, parse_constant=_constant)
    except Refusal:
        raise
    except UnicodeDecodeError as error:
        refuse(f"byte 0x{raw[error.start]:02x} is not UTF-8")
    except json.JSONDecodeError as error:
        refuse(f"the line is not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        refuse("brackets are nested too deeply for a line of a game record")
    except ValueError:  # Python's limit on the length of integers
        refuse("the line holds a number of thousands of digits")
    if not isinstance(value, dict):
        refuse(f"a line must be a JSON object, not {show(value)}")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    one = dict(pairs)
    if len(one) != len(pairs):
        refuse(f"the key {show(checks.repeated(key for key, _ in pairs))} occurs twice")
    return one


def _constant(word: str) -> NoReturn:
    refuse(f"JSON knows no number {word}")


def _header(
    header: Mapping[str, Any],
    data: str | os.PathLike[str] | None,
    expansion_data: str | os.PathLike[str] | None,
    beside: Path,
) -> Ruleset:
    """Check the first line of a record, and return the variant that it names."""
    if "record" not in header:
        refuse(f'there is no "record": "{FORMAT}", with which a game record begins')
    if header["record"] not in (FORMAT, EXPANDED_FORMAT):
        refuse(f'record must be "{FORMAT}" or "{EXPANDED_FORMAT}", not {show(header["record"])}')
    expanded, view = header["record"] == EXPANDED_FORMAT, "view" in header
    keys = (*_HEADER, *(_SWITCHES if expanded else ()), *(() if expanded and view else ("seed",)))
    if expanded and type(header.get("contractors", False)) is not bool:
        refuse(f"contractors must be true or false, not {show(header['contractors'])}")
    keys = (*keys, *(_MODULE if expanded and header.get("contractors") is True else ()))
    keys = (*keys, *(("ivan",) if header.get("solo") is True else ()))
    _keys("deal", header, keys, ("meta", *(("view", "contracts") if expanded else ())))
    if not isinstance(header.get("meta", {}), dict):
        refuse(f"meta must be an object, not {show(header['meta'])}")
    players = _integer("players", header["players"], 1, 4)
    _equal("solo", header["solo"], players == 1)
    turn_limit = _integer("turn_limit", header["turn_limit"], 1, MOST_TURNS)
    if header["workshop"] not in WORKSHOPS:
        refuse(f"workshop must be {checks.choice(WORKSHOPS)}, not {show(header['workshop'])}")
    if expanded:
        for switch in ("contractors", "special_tiles"):
            if type(header[switch]) is not bool:
                refuse(f"{switch} must be true or false, not {show(header[switch])}")
        if view:
            _integer("view", header["view"], 0, players - 1)
    source = _source(header, "data", "base", data, beside)
    packaged = expansion_file.PACKAGED
    more = _source(header, "expansion", packaged, expansion_data, beside) if expanded else packaged
    on = (header["contractors"], header["special_tiles"]) if expanded else (False, False)
    try:
        fourth = _fourth_guild(header, more) if expanded else CLERGY
        variant = (players, header["workshop"], os.fspath(source), turn_limit, fourth, *on, os.fspath(more))
        ruleset = _packaged(*variant) if (source, more) == ("base", packaged) else _ruleset(*variant)
    except ValueError as error:
        refuse(str(error))
    files = {"data": (ruleset.data_file, source)}
    if expanded:
        if ruleset.expansion_file is None:
            refuse(f'record is "{EXPANDED_FORMAT}", but without a switch of the expansion it must be "{FORMAT}"')
        files["expansion"] = (ruleset.expansion_file, more)
    if header["data_sha256"] == OLD_BASE and source == "base" and ruleset.rulings:
        refuse(
            f"data_sha256 is {show(OLD_BASE)}, that of rules version 1; this version of rc_env has "
            f"{ruleset.data_file.sha256}, of rules version {ruleset.rules_version}: they differ in {ruleset.rulings}"
        )
    for key, (file, place) in files.items():
        if header[f"{key}_sha256"] not in (ruleset.data_digests if key == "data" else (file.sha256,)):
            inside = place in ("base", packaged)
            held = "the data file of this version of rc_env" if inside else f"the data file {os.fspath(place)}"
            name = f"{header[key]}.toml" if header[key] in ("base", packaged) else header[key]
            refuse(
                f"{key}_sha256 is {show(header[f'{key}_sha256'])}, but that of {held} is {file.sha256}: the game was "
                f"played with another {name}; name that one: {NAMED[key]}"
            )
    _equal("colours", header["colours"], list(COLOURS[: ruleset.seats]))
    if "seed" in header and (type(header["seed"]) is not int or not 0 <= header["seed"] < 2**64):
        refuse(f"seed must be a whole number from 0 to 2^64 - 1, not {show(header['seed'])}")
    try:
        deal = dict_to_deal(ruleset, deal_of(header, ruleset))[0]
    except ValueError as error:
        refuse(str(error))
    left_out = {"influence": "guilds: no card", "number": "towers: no card", "tile": "towers: no tile"}
    if ruleset.solo:
        left_out |= {"ivan_card": "ivan: no cards", "ivan_tile": "ivan: no tiles"}
    for part, words in left_out.items():
        if deal[part][0] < 0:  # the engine would draw them
            refuse(f"deal.{words}, but all of them are needed")
    with_contracts = bool(brought_by(header, ruleset) & expansion.CONTRACTS) and not view
    if with_contracts != ("contracts" in header):
        if with_contracts:
            refuse("deal has no contracts, but a guild of this game draws them: it must have the 15 of the deck")
        refuse("deal has contracts, but nothing draws them here, or a view cannot know them: it must have none")
    return ruleset


def _source(
    header: Mapping[str, Any], key: str, packaged: str, named: str | os.PathLike[str] | None, beside: Path
) -> str | os.PathLike[str]:
    """Find a data file that the deal names: in the package, named by the caller, beside the record, or drawn."""
    name = header[key]
    if type(name) is not str or not name or Path(name).name != name:
        refuse(f"{key} must be {packaged} or the name of a data file, not {show(name)}")
    if named is not None or name == packaged:
        return packaged if named is None else named
    if not (beside / name).exists():
        if drawn := sets.sample_named(name, key == "expansion"):
            return drawn
        refuse(f"{key}: there is no file {show(name)} beside the record; put it there, or name it: {NAMED[key]}")
    return beside / name


def _fourth_guild(header: Mapping[str, Any], source: str | os.PathLike[str]) -> str:
    """The guild of the expansion that is dealt, or the clergy; whether the deal holds otherwise is seen later."""
    known = _packaged_guilds() if source == expansion_file.PACKAGED else sets.load_expansion(source).guilds
    entries = header["guilds"] if isinstance(header["guilds"], list) else []
    named = [entry.get("guild") for entry in entries if isinstance(entry, dict)]
    return next((guild for guild in known if guild in named), CLERGY)


@lru_cache(maxsize=1)
def _packaged_guilds() -> tuple[str, ...]:
    return expansion_file.load().guilds


def _ruleset(
    players: int,
    workshop: str,
    data: str,
    turn_limit: int,
    fourth: str,
    contractors: bool,
    special_tiles: bool,
    expansion_data: str,
) -> Ruleset:
    return Ruleset(
        players,
        workshop,
        data=data,
        turn_limit=turn_limit,
        fourth_guild=fourth,
        contractors=contractors,
        special_tiles=special_tiles,
        expansion_data=expansion_data,
    )


_packaged = lru_cache(maxsize=256)(_ruleset)  # packaged data files need not be read again for each record


def deal_of(header: Mapping[str, Any], ruleset: Ruleset) -> dict[str, Any]:
    """The parts of the deal in the first line of a record, as `notation.dict_to_deal` takes them."""
    return {part: header[part] for part in parts(ruleset) if part in header}


def brought_by(header: Mapping[str, Any], ruleset: Ruleset) -> int:
    """The additions of the game to the base game, in the form of `expansion_notation.brought`."""
    known = expansion.guild_names(ruleset)
    return expansion.brought(ruleset, {"guild": [known.index(entry["guild"]) for entry in header["guilds"]]})


def _decision(decision: Mapping[str, Any], ruleset: Ruleset, expanded: bool, view: int | None) -> None:
    """A line between the first and the last, as far as it can be checked without playing."""
    _keys("decision", decision, _DECISION, (*_OPTIONAL, "draws") if expanded else _OPTIONAL)
    seat = _integer("seat", decision["seat"], 0, ruleset.players - 1)
    points = ruleset.build.points.POINTS
    if decision["point"] not in points:
        refuse(f"unknown point {show(decision['point'])}: choose {checks.choice(points)}")
    hidden = view not in (None, seat)
    if hidden and decision["point"] in ("keep", "return"):
        _equal("action", decision["action"], UNSEEN)
        if "legal" in decision:
            refuse(f"legal is {show(decision['legal'])}, which seat {view} cannot know: leave it out")
    else:
        _action("action", decision["action"], ruleset)
    _rolls(decision["rolls"], ruleset)
    if "draws" in decision:
        _draws(decision["draws"], ruleset, hidden)
    if "legal" in decision:
        legal = _list("legal", decision["legal"], "actions")
        for action in legal:
            _action("legal", action, ruleset)
        if len(set(legal)) < len(legal):
            refuse(f"legal holds {checks.repeated(legal)} twice")
        if decision["action"] not in legal:
            refuse(f"legal does not hold {decision['action']}, the action that was played")
    if "state" in decision and not isinstance(decision["state"], dict):
        refuse(f"state must be an object, not {show(decision['state'])}")
    if "policy" in decision:
        if not isinstance(decision["policy"], dict):
            refuse(f"policy must be an object, not {show(decision['policy'])}")
        for action, share in decision["policy"].items():
            _action("policy", action, ruleset)
            if not 0 <= _number(f"policy, {action}", share) <= 1:
                refuse(f"policy, {action}, must be a number from 0 to 1, not {show(share)}")
    if "value" in decision:
        for value in _list("value", decision["value"], "numbers", ruleset.players):
            _number("value", value)


def _draws(draws: Any, ruleset: Ruleset, hidden: bool) -> None:
    """Check the draws of a decision; `hidden` if they belong to another seat than the reader's."""
    if not _list("draws", draws, "draws"):
        refuse("draws must be left out where nothing was drawn, not []")
    known = names(ruleset).cards
    for draw in draws:
        if ruleset.contractors and isinstance(draw, dict) and "slot" in draw:
            _refill(draw)
            continue
        _keys("draws", draw, (), ("contracts", "cards"))
        if len(draw) != 1:
            kinds = "contracts, cards or a refilled slot" if ruleset.contractors else "contracts or cards"
            refuse(f"draws must have {kinds} in each entry, not {show(draw)}")
        if "cards" in draw:
            cards = _list("draws.cards", draw["cards"], "cards")
            for card in cards:
                if card not in known:
                    refuse(f"draws.cards must hold cathedral cards, say 'middle/3', not {show(card)}")
            if not 1 <= len(cards) <= CARDS_DRAWN:
                refuse(f"draws.cards must have 1 to {CARDS_DRAWN} cards, not {len(cards)}")
        elif hidden:
            _equal("draws.contracts", draw["contracts"], CONTRACTS_DRAWN)
        else:
            for number in _list("draws.contracts", draw["contracts"], "contracts", CONTRACTS_DRAWN):
                _integer("draws.contracts", number, 1, CONTRACTS)


def _refill(draw: Any) -> None:
    """A specialist drawn onto a slot; none from an empty bag."""
    _keys("draws", draw, ("slot", "specialist"))
    _integer("draws.slot", draw["slot"], 0, SPECIALIST_SLOTS - 1)
    if draw["specialist"] is not None:
        _integer("draws.specialist", draw["specialist"], 1, SPECIALISTS)


def _rolls(rolls: Any, ruleset: Ruleset) -> None:
    dice = 0
    for roll in _list("rolls", rolls, "rolls"):
        _keys("rolls", roll, (), die_names(ruleset))
        dice += len(roll)
        if not roll:
            refuse("rolls holds a roll of no dice")
        for die, value in roll.items():
            _integer(f"rolls, {die}", value, 1, 6)
    if dice > FORCED:  # six at most by the rules: a re-roll, then the end of the market, each of three dice
        refuse(f"rolls has {dice} dice, but one decision leads to {FORCED} at most")


def _ivan_turn(turn: Mapping[str, Any], ruleset: Ruleset) -> None:
    """A turn of Ivan's, as far as it can be checked without playing."""
    if not ruleset.solo:
        refuse("there is a turn of Ivan's, but the game is not solo")
    _keys("ivan turn", turn, _IVAN_TURN, ("draws",) if ruleset.contractors else ())
    _equal("seat", turn["seat"], SEAT)
    for event in _list("events", turn["events"], "events"):
        words = event.split(" ") if isinstance(event, str) else []
        if not words or words[0] not in IVAN_EVENTS:
            refuse(f"events must hold events, say 'move white' or 'card claim', not {show(event)}")
        count = ruleset.ivan_cards
        dice = die_names(ruleset)[:count]  # of his tiles, one on each of his cards
        if words[0] == "shuffle" and sorted(words[1:]) != sorted(dice):
            refuse(f"events must hold shuffle with each of {', '.join(dice)} once, not {show(event)}")
    _rolls(turn["rolls"], ruleset)
    if "draws" in turn:
        if not _list("draws", turn["draws"], "draws"):
            refuse("draws must be left out where nothing was drawn, not []")
        for draw in turn["draws"]:
            _refill(draw)


def _unfinished(about: Any, ruleset: Ruleset) -> None:
    """Check who plays an unfinished game."""
    _keys("unfinished", about, _UNFINISHED, ("resigned",))
    if about.get("resigned", True) is not True:
        refuse(f"unfinished.resigned can only be true, not {show(about['resigned'])}")
    _integer("unfinished.seat", about["seat"], 0, ruleset.players - 1)
    for name in _list("unfinished.bots", about["bots"], "names", ruleset.players - 1):
        if not isinstance(name, str):
            refuse(f"unfinished.bots must hold names of bots, not {show(name)}")


def _new_dice(new_dice: Any, decisions: int) -> list[dict[str, int]]:
    """Check from which decisions on the dice follow from seeds of their own."""
    least = 0
    for one in _list("new_dice", new_dice, "objects"):
        _keys("new_dice", one, ("from", "seed"))
        _integer("new_dice.from", one["from"], least, decisions)
        _integer("new_dice.seed", one["seed"], 0, 2**64 - 1)
        least = one["from"] + 1
    return list(new_dice)


def _result(result: Any, ruleset: Ruleset, bits: int) -> None:
    """Check the last line as far as is possible without playing; `bits` as from `brought_by`."""
    known = (*_BREAKDOWN, *(key for key, bit in _COUNTED.items() if bits & bit))
    seats = ruleset.seats
    _keys("result", result, _RESULT)
    for key in ("prestige", "track"):
        for number in _list(f"result.{key}", result[key], "numbers", seats):
            _integer(f"result.{key}", number, 0, 2**31 - 1)
    for seat in _list("result.winners", result["winners"], "seats"):
        _integer("result.winners", seat, 0, seats - 1)
    if type(result["truncated"]) is not bool:
        refuse(f"result.truncated must be true or false, not {show(result['truncated'])}")
    for part in _list("result.breakdown", result["breakdown"], "seats", seats):
        _keys("result.breakdown", part, known)
        towers = _list("result.breakdown.towers", part["towers"], "towers", int(ruleset.rules[0].towers))
        for number in (*(part[key] for key in known if key != "towers"), *towers):
            _integer("result.breakdown", number, 0, 2**31 - 1)


def _keys(where: str, value: Any, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Refuse what is not an object with all of the required keys and, beside them, none but the optional ones."""
    if not isinstance(value, dict):
        refuse(f"{where} must be an object, not {show(value)}")
    known = (*required, *optional)
    for key in value:
        if key not in known:
            refuse(f"{where}: {checks.unknown('key', key, known, show=show)}")
    for key in required:
        if key not in value:
            refuse(f"{where} has no {show(key)}; needed are {', '.join(required)}")


def _equal(where: str, found: Any, expected: Any) -> None:
    if type(found) is not type(expected) or found != expected:
        refuse(f"{where} is {show(found)}, but must be {show(expected)}")


def _integer(where: str, value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:  # a bool is no number here
        refuse(f"{where} must be a whole number from {low} to {high}, not {show(value)}")
    return value


def _number(where: str, value: Any) -> float:
    if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
        refuse(f"{where} must be a number, not {show(value)}")
    return float(value)


def _list(where: str, value: Any, noun: str, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        count = "" if length is None else f"{length} "
        refuse(f"{where} must be a list of {count}{noun}, not {show(value)}")
    return value


def _action(where: str, text: Any, ruleset: Ruleset) -> None:
    """Refuse what is not an action in exactly the words of the catalogue, for any seat."""
    if not isinstance(text, str) or text not in _catalogue(ruleset.actions):
        refuse(f"{where} must be an action, say 'move white +2' or 'claim 1 from spare', not {show(text)}")


@lru_cache(maxsize=32)
def _catalogue(layout: ActionLayout) -> frozenset[str]:
    return frozenset(layout.to_text(action, seat) for seat in range(layout.players) for action in range(layout.size))


def show(value: Any) -> str:
    """The value as JSON, in one short line, whatever it is."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    try:
        text = json.dumps(value)
    except RecursionError:
        return "something nested deeply"
    return text if len(text) <= 80 else f"{text[:80]}…"


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
