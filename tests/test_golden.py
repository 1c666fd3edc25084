"""Golden games: recorded once, replayed line by line. Where one differs, so do the rules, and the message says where.

If they were meant to: `python -m tests.golden` plays and writes them anew, and the difference of the files is what
players will notice.
"""

from pathlib import Path

import pytest

from rc_env import Engine
from rc_env.record import Recorder, parse, read, replay
from rc_env.rules.components import Verb
from rc_env.rules.state import POINTS
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
    assert (again.header, again.result) == (record.header, record.result)
    for line, (decision, other) in enumerate(zip(record.decisions, again.decisions, strict=True), 2):
        assert {key: other[key] for key in decision} == decision, f"{file.name}, line {line}"


def test_they_cover_the_game() -> None:
    """Every variant, point, kind of action and end."""
    records = [read(file) for file in FILES]
    assert len(FILES) == 36 and sum(file.stat().st_size for file in FILES) < 1.5e6
    variants = {(record.ruleset.players, record.ruleset.workshop) for record in records}
    assert variants == {(players, workshop) for players in (2, 3, 4) for workshop in WORKSHOPS}
    decisions = [decision for record in records for decision in record.decisions]
    assert {decision["point"] for decision in decisions} == set(POINTS) - {"ivan"}
    assert {decision["action"].split()[0] for decision in decisions} == {verb.name.lower() for verb in Verb}
    assert {record.result["truncated"] for record in records} == {True, False}
    for key in ("legal", "state"):
        assert sum(key in decision for decision in decisions) > 200
