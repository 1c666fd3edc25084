"""Golden games: recorded once, replayed line by line. Where one differs, so do the rules, and the message says where.

If they were meant to: `python -m tests.golden` plays and writes them anew, and the difference of the files is what
players will notice. `python -m tests.golden full` does so for the games with guilds of the expansion, in `golden/full`.
"""

from pathlib import Path

import pytest
from cross import GUILDS

from rc_env import Engine
from rc_env.record import Recorder, parse, read, replay
from rc_env.rules.ivan import EVENT
from rc_env.rules.points import POINTS
from rc_env.rules.verbs import ROWS
from rc_env.ruleset import WORKSHOPS

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.rcr"))
RARE = {"GAIN_DIAMOND", "GAIN_RUBLES", "GAIN_RECOGNITION", "PAY_DIAMOND"}
"""Actions that games seldom offer; tests/support/rulings has them by name."""
FULL = sorted((FOLDER / "full").glob("*.rcr"))


@pytest.mark.parametrize(
    "file", [*FILES, *(pytest.param(file, marks=pytest.mark.full) for file in FULL)], ids=lambda file: file.stem
)
def test_a_golden_game(file: Path) -> None:
    """Every line is legal and true; written once more it tells the same."""
    record, texts = read(file), {}
    assert record.text().encode() == file.read_bytes()
    engine = Engine(record.ruleset)
    Recorder(texts.__setitem__, legal=True, state=True).attach(engine)
    replay(record, engine)
    again = parse(texts.popitem()[1])
    assert (again.header, again.result, again.ivan) == (record.header, record.result, record.ivan)
    for line, (decision, other) in enumerate(zip(record.decisions, again.decisions, strict=True), 2):
        assert {key: other[key] for key in decision} == decision, f"{file.name}, line {line}"


def test_they_cover_the_game() -> None:
    """Every variant, point, kind of action and end."""
    records = [read(file) for file in FILES]
    assert len(FILES) == 48 and sum(file.stat().st_size for file in FILES) < 1.7e6
    variants = {(record.ruleset.players, record.ruleset.workshop) for record in records}
    assert variants == {(players, workshop) for players in (1, 2, 3, 4) for workshop in WORKSHOPS}
    decisions = [decision for record in records for decision in record.decisions]
    assert {decision["point"] for decision in decisions} == set(POINTS)
    verbs = {"_".join(decision["action"].split()[: 1 + (decision["point"] == "ivan")]) for decision in decisions}
    assert verbs == {verb.name.lower() for verb in ROWS}
    events = {event.split()[0] for record in records for turn in record.ivan.values() for event in turn["events"]}
    assert events == set(EVENT)
    assert {record.result["truncated"] for record in records} == {True, False}
    for key in ("legal", "state"):
        assert sum(key in decision for decision in decisions) > 200


@pytest.mark.full
def test_they_cover_the_full_game() -> None:
    """Every guild with every number of players, and every point and kind of action that the expansion adds."""
    records = [read(file) for file in FULL]
    assert len(FULL) == 40 and sum(file.stat().st_size for file in FULL) < 1e6
    assert all(record.expanded for record in records)
    found = {(record.ruleset.fourth_guild.split(":")[0], record.ruleset.players) for record in records}
    assert found == {(guild, players) for guild in (*GUILDS, "clergy") for players in (1, 2, 3, 4)}
    assert {(r.ruleset.players, r.ruleset.workshop) for r in records} == {
        (p, w) for p in (1, 2, 3, 4) for w in WORKSHOPS
    }
    assert {record.ruleset.special_tiles for record in records} == {True, False}
    assert sum(bool(decision.get("draws")) for record in records for decision in record.decisions) >= 10
    module = records[0].ruleset.module
    decisions = [decision for record in records for decision in record.decisions]
    points = {decision["point"] for decision in decisions}
    assert points == set(module("rules.points").POINTS), set(module("rules.points").POINTS) - points
    verbs = set()
    for record in records:
        actions = record.ruleset.actions
        for decision in record.decisions:
            verbs.add(actions.actions[actions.to_action(decision["action"], decision["seat"])].verb)
    missing = {verb.name for verb in module("rules.verbs").ROWS if verb not in verbs}
    assert missing <= RARE, missing
    for key, least in (("legal", 300), ("state", 40)):
        assert sum(key in decision for decision in decisions) >= least
