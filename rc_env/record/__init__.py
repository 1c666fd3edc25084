"""Game records: games as text, written, read, checked against the rules and replayed (docs/records.md has the format).

Recorder(folder("games"), state=True).attach(engine)  # write what is played from now on

record = read("games/game-00001.rcr")
engine = replay(record, upto=40)  # the game as it stood after 40 decisions; play on from there
"""

from rc_env.record.reading import PERSON, Record, RecordError, parse, read, write
from rc_env.record.recorder import SUFFIX, Recorder, folder, keep_data
from rc_env.record.replaying import positions, replay

__all__ = [
    "PERSON", "SUFFIX", "Record", "RecordError", "Recorder", "folder", "keep_data", "parse", "positions", "read",
    "replay", "write",
]  # fmt: skip
