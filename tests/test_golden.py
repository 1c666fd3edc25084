"""Golden games: recorded once, replayed line by line. Where one differs, so do the rules, and the message says where.

If they were meant to: `python -m tests.golden` plays and writes them anew, and the difference of the files is what
players will notice.
"""

from pathlib import Path

import pytest

from rc_env import Engine
from rc_env.record import Recorder, parse, read, replay
from rc_env.rules.ivan import EVENT
from rc_env.rules.points import POINTS
from rc_env.rules.verbs import ROWS
from rc_env.ruleset import WORKSHOPS

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.rcr"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_game(file: Path) -> None:
    """Every line is legal and true; written once more it tells the same."""
    record, texts = read(file), {}
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
