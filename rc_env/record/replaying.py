"""Replays records: a game is played again from its record, and each line is checked against the rules."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from rc_env import checks
from rc_env.build import in_build
from rc_env.engine import Engine
from rc_env.record.form import Refusal, refuse, show
from rc_env.record.header import deal_of
from rc_env.record.reading import Record, RecordError
from rc_env.record.recorder import result_line
from rc_env.record.start import dict_to_position
from rc_env.record.text import GameText
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, CARDS_DRAWN, FORCED, MATERIAL_NAMES, SPECIALISTS_FORCED
from rc_env.rules.solo.ivan import SEAT
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset
from rc_env.validation import ImpossibleGame
from rc_env.words.expansion_notation import DIAMOND_NAME, draws_to_list
from rc_env.words.notation import dict_to_deal, ivan_turn, names, rolls_to_list


def replay(record: Record, engine: Engine | None = None, upto: int | None = None, *, row: int = 0) -> Engine:
    """Play a record, or the first decisions of it, in an engine; each is checked against the rules.

    Deal and dice are those of the record. Later rolls are drawn from its seed, as in the game itself: a game
    that is continued from a decision has the same n-th roll of each die. For other rolls, `restore` a `clone` of the
    game.

    Args:
        record: the game.
        engine: where to play it; by default a new engine of one row.
        upto: how many decisions to play; all by default, and then the result is checked too.
        row: of the engine.

    Returns:
        The engine, with the game in that row.

    Raises:
        RecordError: the game is not one by the rules, or is not what the record says of it: the first such line; or the
            record was made for one seat, and does not hold what the game needs.
        ValueError: `upto` or `row` is out of range, or the engine is of another ruleset.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse, replay
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> record = parse(texts[0])
        >>> engine = replay(record, upto=40)
        >>> int(engine.games.decisions[0])
        40
    """
    count = len(_checked(record).decisions)
    if upto is not None:
        checks.whole_number("upto", upto, 0, count)
    table = Engine(record.ruleset) if engine is None else engine
    for number, _ in enumerate(positions(record, table, row=row)):
        if number == upto:
            break
    return table


def positions(record: Record, engine: Engine | None = None, *, row: int = 0) -> Iterator[Engine]:
    """Play a record decision by decision: the engine as dealt, then after each decision; as `replay` checks it.

    Yields:
        The same engine each time, D + 1 times for D decisions.

    Raises:
        RecordError, ValueError: as `replay` does, when the first position, or the wrong one, is asked for.

    Example:
        >>> from rc_env import play_match
        >>> from rc_env.record import Recorder, parse, positions
        >>> texts = {}
        >>> _ = play_match(["greedy", "random"], deals=1, seed=1, rotate=False, recorder=Recorder(texts.__setitem__))
        >>> record = parse(texts[0])
        >>> [engine.point() for engine in positions(record)][:4]
        ['start', 'place', 'take', 'start']
    """
    _checked(record)
    table = Engine(record.ruleset) if engine is None else checks.instance("engine", engine, Engine, "an Engine")
    checks.whole_number("row", row, 0, table.num_games - 1)
    mine, theirs = record.ruleset, table.ruleset
    if any(_variant(mine)[key] != _variant(theirs)[key] for key in _variant(mine)):
        raise ValueError(f"engine must be one of {_variant(mine)}, not of {_variant(theirs)}")
    if record.view is not None:
        reason = f"the record is that of seat {record.view}, which leaves out what that seat does not know"
        raise RecordError(record.name, 1, f"{reason}: this one can be read, but not played again")
    deal = dict_to_deal(mine, deal_of(record.header, mine))
    table.reset([row], deal_seeds=np.array([record.header["seed"]], np.uint64), deals=deal)
    if "position" in record.header:
        try:
            table.restore(dict_to_position(mine, record.header["position"], int(table.games.key[row])), [row])
        except (Refusal, ImpossibleGame) as refusal:
            raise RecordError(record.name, 1, str(refusal)) from None
    yield table
    text = in_build(GameText, mine.full)(mine)
    turns = iter(sorted(record.ivan))
    coming = next(turns, None)  # the decision that ends Ivan's next turn, which stands after it
    for number in range(len(record.decisions)):
        line = record.line(number)
        try:
            before = int(table.games.ivan_turns[row])
            _play(record.decisions[number], table, row, text, None if coming is None else record.ivan[coming])
            line += 1
            if int(table.games.ivan_turns[row]) > before:
                _check_ivan(record.ivan.get(number), table, row, record.expanded)
            elif number == coming:
                refuse("there is a turn of Ivan's where he has none")
        except Refusal as refusal:
            raise RecordError(record.name, line, f"{refusal}{_older_rules(mine)}") from None
        if number == coming:
            coming = next(turns, None)
        yield table
    if record.unfinished is not None:
        return
    try:
        _end(record.result, table, row)
    except Refusal as refusal:
        end = record.line(len(record.decisions))
        raise RecordError(record.name, end, f"{refusal}{_older_rules(mine)}") from None


def _older_rules(ruleset: Ruleset) -> str:
    """What may explain a difference: the digest of a data file of one's own does not tell which rules were played."""
    known = ruleset.data == "base" or not ruleset.rulings
    return "" if known else f" (a game by version 1 of the rules may differ in {ruleset.rulings})"


def _checked(record: object) -> Record:
    return checks.instance("record", record, Record, "a Record: `read` and `parse` give one")


def _play(
    decision: Mapping[str, Any], engine: Engine, row: int, text: Any, following: Mapping[str, Any] | None
) -> None:
    """Play a decision; refuse it unless it is legal and all that its line says is true.

    `text` is a `text.GameText` of the ruleset. `following` is Ivan's next turn, which may be played in consequence: his
    dice, tiles and specialists come from there.
    """
    ruleset, layout, game = engine.ruleset, engine.ruleset.actions, engine.games.view(np.ndarray)[row]
    if game["status"] != PLAYING:
        refuse("the game is over here, but there is a decision instead of the result")
    seat = int(game["seat"])
    for key, expected in (("seat", seat), ("point", engine.point(row))):
        if decision[key] != expected:
            refuse(f"{key} is {show(decision[key])}, but must be {show(expected)}")
    words, mask = decision["action"], engine.legal_mask()[row]
    legal = {layout.to_text(int(action), seat) for action in np.flatnonzero(mask)}
    if words not in legal:
        refuse(f"action {show(words)} is not legal here; legal are {', '.join(sorted(legal))}")
    if "legal" in decision and set(decision["legal"]) != legal:
        missing, wrong = sorted(legal - set(decision["legal"])), sorted(set(decision["legal"]) - legal)
        faults = [f"{', '.join(wrong)} must not be there"] if wrong else []
        faults += [f"{', '.join(missing)} {'are' if len(missing) > 1 else 'is'} missing"] if missing else []
        refuse(f"legal is not what is legal here: {' and '.join(faults)}")
    if not legal.issuperset(decision.get("policy", ())):
        refuse(f"policy holds {', '.join(sorted(set(decision['policy']) - legal))}, which is not legal")
    dice, tiles, recorded = _values(decision["rolls"]), None, decision.get("draws", [])
    refills = _specialists(recorded)
    if following is not None:
        dice = [*dice, *_values(following["rolls"])][:FORCED]
        laid = [event.split()[1:] for event in following["events"] if event.startswith("shuffle")]
        tiles = [[ALL_DIE_NAMES.index(die) for die in laid[0]]] if laid else None
        refills = [*refills, *_specialists(following.get("draws", []))]
    cards = names(ruleset).cards
    drawn = [cards.index(card) for draw in recorded for card in draw.get("cards", ())][:CARDS_DRAWN]
    engine.step(
        [layout.to_action(words, seat)],
        [row],
        dice=np.array([dice], np.int8),
        ivan_tiles=tiles,
        cards=[[*drawn, -1, -1][:CARDS_DRAWN]] if drawn else None,
        specialists=np.array([refills[:SPECIALISTS_FORCED]], np.int8) if refills else None,
    )
    rolled, draws = rolls_to_list(game), draws_to_list(ruleset, game, cards)
    if rolled != decision["rolls"]:
        refuse(f"rolls has {_rolled(decision['rolls'])}, but must have {_rolled(rolled)} after {show(words)}")
    if recorded != draws:
        refuse(f"draws has {show(recorded) if recorded else 'none'}, but must have {show(draws)} after {show(words)}")
    if "state" in decision:
        counted = (*MATERIAL_NAMES, DIAMOND_NAME) if ruleset.full else MATERIAL_NAMES
        _compare("state", decision["state"], text.state(game.tobytes()), f", after {show(words)}", counted)


def _values(rolls: Iterable[Mapping[str, int]]) -> list[int]:
    return [roll[die] for roll in rolls for die in ALL_DIE_NAMES if die in roll]


def _specialists(draws: Iterable[Mapping[str, Any]]) -> list[int]:
    """The numbers from 0 of the specialists drawn. An empty bag gives none, and none can be forced there."""
    return [draw["specialist"] - 1 for draw in draws if draw.get("specialist") is not None]


def _check_ivan(turn: Mapping[str, Any] | None, engine: Engine, row: int, expanded: bool) -> None:
    """Refuse the line of the turn that Ivan has just ended unless all of it is true."""
    if turn is None:
        refuse("there is no turn of Ivan's after the decision that ended it")
    game = engine.games.view(np.ndarray)[row]
    expected = {"seat": SEAT, "point": "ivan turn", **ivan_turn(game, expanded=expanded)}
    _compare("ivan turn", turn, json.dumps(expected))


def _end(result: Mapping[str, Any], engine: Engine, row: int) -> None:
    """Refuse a result that is not that of the game."""
    if engine.games.status[row] == PLAYING:
        seat, point = engine.games.seat[row], engine.point(row)
        refuse(f"the record ends here, but the game does not: seat {seat} is to decide at the point {show(point)}")
    _compare("result", result, json.dumps(result_line(engine, row)["result"]))


def _rolled(rolls: Iterable[Mapping[str, int]]) -> str:
    return ", then ".join(" and ".join(roll) for roll in rolls) or "no roll"


def _compare(where: str, found: Any, expected: str, when: str = "", counted: Collection[str] = MATERIAL_NAMES) -> None:
    """Refuse what is not equal to this JSON text; `counted` are keys whose number may be left out if it is 0."""
    try:
        if json.dumps(found) == expected:  # as this project writes it, which is faster to say than what differs
            return
    except RecursionError:
        pass
    differences = list(_differences(where, found, json.loads(expected), counted))
    if differences:
        more = f"; and {len(differences) - 3} differences more" if len(differences) > 3 else ""
        refuse("; ".join(differences[:3]) + more + when)


def _differences(where: str, found: Any, expected: Any, counted: Collection[str]) -> Iterator[str]:
    """Each value that is not as expected. A count of materials that is 0 may be left out."""
    if type(found) is not type(expected) or (isinstance(found, list) and len(found) != len(expected)):
        yield f"{where} is {show(found)}, but must be {show(expected)}"
    elif isinstance(expected, dict):
        for key in (*expected, *(key for key in found if key not in expected)):
            if key in found and key in expected:
                yield from _differences(f"{where}.{key}", found[key], expected[key], counted)
            elif key not in counted or (found[key] if key in found else expected[key]) != 0:
                there = show(found[key]) if key in found else "nothing"
                yield f"{where}.{key} is {there}, but must be {show(expected[key]) if key in expected else 'nothing'}"
    elif isinstance(expected, list):
        for i, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from _differences(f"{where}[{i}]", one, other, counted)
    elif found != expected:
        yield f"{where} is {show(found)}, but must be {show(expected)}"


def _variant(ruleset: Ruleset) -> dict[str, Any]:
    """The parts of a ruleset that have to be equal for a game to be replayed."""
    return {
        "players": ruleset.players,
        "workshop": ruleset.workshop,
        "turn_limit": ruleset.turn_limit,
        "data_sha256": ruleset.data_file.sha256,
        "expansion_sha256": ruleset.expansion_file.sha256 if ruleset.expansion_file else None,
        "special_tiles": bool(ruleset.special_tiles),
        "contractors": bool(ruleset.contractors),
    }
