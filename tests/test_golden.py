"""Golden games: recorded once, replayed line by line. A difference means that the rules differ, and the message says
where.

If the rules were meant to change, `python -m tests.golden` plays and writes the games anew, and the difference of the
files shows what players will notice. `python -m tests.golden full` does so for the games with guilds of the expansion,
in `golden/full`, and `python -m tests.golden contractors` for those with the module Contractors.
"""

from pathlib import Path

import pytest
from cross import GUILDS

from rc_env import Engine
from rc_env.record import Record, Recorder, parse, read, replay
from rc_env.record.decision import IVAN_EVENTS
from rc_env.rules.points import POINTS
from rc_env.rules.verbs import ROWS
from rc_env.ruleset import OLD_BASE, WORKSHOPS

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.rcr"))
RARE = {"GAIN_DIAMOND", "GAIN_RUBLES", "GAIN_RECOGNITION", "PAY_DIAMOND"}
"""Actions that games seldom offer; tests/support/rulings has them by name."""
FULL = sorted((FOLDER / "full").glob("*.rcr"))
MODULE = sorted((FOLDER / "contractors").glob("*.rcr"))
MODULE_EVENTS = {"hire", "prestige", "specialists", "return"}
MODULE_POINTS = {"hire", "both", "spend", "discard", "claim"}
MODULE_VERBS = {
    "HIRE", "ENGAGE", "DISMISS", "PERMIT", "SPECIALIST", "SPEND", "DISCARD", "PASS", "MOVE_BLACK",
}  # fmt: skip


def events_of(records: list[Record]) -> set[str]:
    """Return the kinds of events of Ivan's turns."""
    return {event.split()[0] for record in records for turn in record.ivan.values() for event in turn["events"]}


@pytest.mark.parametrize(
    "file",
    [*FILES, *(pytest.param(file, marks=pytest.mark.full) for file in (*FULL, *MODULE))],
    ids=lambda file: f"{file.parent.name}/{file.stem}",
)
def test_a_golden_game(file: Path) -> None:
    """Every line is legal and correct, and the replayed game is written as the same text.

    Games for two to four players with the data file from before `solo.construction` are replayed as ever.
    """
    record, texts = read(file), {}
    assert record.text().encode() == file.read_bytes()
    engine = Engine(record.ruleset)
    Recorder(texts.__setitem__, legal=True, state=True).attach(engine)
    replay(record, engine)
    again = parse(texts.popitem()[1])
    older = record.header["data_sha256"] == OLD_BASE
    assert again.header == record.header | ({"data_sha256": record.ruleset.data_file.sha256} if older else {})
    assert (again.result, again.ivan) == (record.result, record.ivan)
    for line, (decision, other) in enumerate(zip(record.decisions, again.decisions, strict=True), 2):
        assert {key: other[key] for key in decision} == decision, f"{file.name}, line {line}"


def test_they_cover_the_game() -> None:
    """The golden games reach every variant, decision point, kind of action and kind of ending."""
    records = [read(file) for file in FILES]
    assert len(FILES) == 48 and sum(file.stat().st_size for file in FILES) < 1.7e6
    variants = {(record.ruleset.players, record.ruleset.workshop) for record in records}
    assert variants == {(players, workshop) for players in (1, 2, 3, 4) for workshop in WORKSHOPS}
    decisions = [decision for record in records for decision in record.decisions]
    assert {decision["point"] for decision in decisions} == set(POINTS)
    verbs = {"_".join(decision["action"].split()[: 1 + (decision["point"] == "ivan")]) for decision in decisions}
    assert verbs == {verb.name.lower() for verb in ROWS}
    assert events_of(records) == set(IVAN_EVENTS) - MODULE_EVENTS
    assert {record.result["truncated"] for record in records} == {True, False}
    for key in ("legal", "state"):
        assert sum(key in decision for decision in decisions) > 200


@pytest.mark.full
def test_they_cover_the_full_game() -> None:
    """They have every guild with every number of players, and every point and kind of action that guilds and promos
    add.
    """
    records = [read(file) for file in FULL]
    assert len(FULL) == 40 and sum(file.stat().st_size for file in FULL) < 1e6
    assert all(record.expanded and not record.ruleset.contractors for record in records)
    found = {(record.ruleset.fourth_guild.split(":")[0], record.ruleset.players) for record in records}
    assert found == {(guild, players) for guild in (*GUILDS, "clergy") for players in (1, 2, 3, 4)}
    assert {(r.ruleset.players, r.ruleset.workshop) for r in records} == {
        (p, w) for p in (1, 2, 3, 4) for w in WORKSHOPS
    }
    assert {record.ruleset.special_tiles for record in records} == {True, False}
    assert sum(bool(decision.get("draws")) for record in records for decision in record.decisions) >= 10
    points, verbs = missing(records)
    assert points == MODULE_POINTS and verbs <= RARE | MODULE_VERBS, (points, verbs)
    for key, least in (("legal", 300), ("state", 40)):
        assert sum(key in decision for record in records for decision in record.decisions) >= least


@pytest.mark.full
def test_they_cover_the_module() -> None:
    """They have every guild, and every point, kind of action, draw and event that the module Contractors adds."""
    records = [read(file) for file in MODULE]
    assert len(MODULE) == 12 and sum(file.stat().st_size for file in MODULE) < 0.6e6
    assert all(record.ruleset.contractors for record in records)
    found = {(record.ruleset.players, record.ruleset.workshop) for record in records}
    assert found == {(players, workshop) for players in (1, 2, 3, 4) for workshop in WORKSHOPS}
    assert {record.ruleset.fourth_guild for record in records} == {*GUILDS, "clergy", "contractors", "lawyers"}
    assert {record.ruleset.special_tiles for record in records} == {True, False}
    points, verbs = missing(records)
    assert not points & MODULE_POINTS and not verbs & (MODULE_VERBS - {"PASS"}), (points, verbs)
    assert events_of(records) == set(IVAN_EVENTS)
    draws = [draw for record in records for decision in record.decisions for draw in decision.get("draws", ())]
    assert sum("slot" in draw for draw in draws) >= 40
    assert any("draws" in turn for record in records for turn in record.ivan.values())


def missing(records: list[Record]) -> tuple[set[str], set[str]]:
    """Return the points and the kinds of action of the full game that occur in none of these games."""
    build = records[0].ruleset.build
    points = {decision["point"] for record in records for decision in record.decisions}
    verbs = set()
    for record in records:
        actions = record.ruleset.actions
        for decision in record.decisions:
            verbs.add(actions.actions[actions.to_action(decision["action"], decision["seat"])].verb)
    named = {verb.name for verb in build.verbs.ROWS if verb not in verbs}
    return set(build.points.POINTS) - points, named
