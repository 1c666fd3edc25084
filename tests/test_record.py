"""Tests of game records: they are written for any game, read back, and replayed to the same bytes; bad ones are
refused.
"""

import copy
import json
import re
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from positions import state_to_dict
from random_files import toml
from variants import VARIANTS, every_variant, half_of_the_variants

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, agents, red_cathedral_v0
from rc_env.apps.cli import rc
from rc_env.arena import match
from rc_env.bot import Position
from rc_env.record import Record, Recorder, RecordError, folder, parse, positions, read, replay, write
from rc_env.record.text import GameText
from rc_env.rules.printed import data_file
from rc_env.rules.printed.sizes import CARDS, EVENTS, MATERIAL_NAMES, ROLLED
from rc_env.words import notation
from rc_env.words.notation import deal_to_dict, dict_to_deal, die_names, rolls_to_list


def bytes_of(engine: Engine, row: int = 0) -> bytes:
    return engine.games.view(np.ndarray)[row].tobytes()


class Book:
    """The records of all games that end in an engine, with their last bytes."""

    def __init__(self, engine: Engine, **options: Any) -> None:
        self.engine, self.texts, self.finals = engine, {}, {}
        self.recorder = Recorder(self._keep, **options)
        self.recorder.attach(engine)

    def _keep(self, number: int, text: str) -> None:
        self.texts[number] = text
        ended = [int(row) for row in self.engine.ended]
        self.finals[number] = {bytes_of(self.engine, row) for row in ended}

    def records(self) -> list[Record]:
        return [parse(text, f"game {number}") for number, text in sorted(self.texts.items())]

    def check(self) -> None:
        """Check that every record replays to the bytes of the game it was made of."""
        assert self.texts
        for number, text in self.texts.items():
            record = parse(text)
            assert record.text() == text
            assert bytes_of(replay(record)) in self.finals[number]


def play_out(engine: Engine, *names: str, seed: int = 0) -> None:
    """Let bots finish every game."""
    bots = [agents.make(name) for name in names] * (engine.num_players if len(names) == 1 else 1)
    for bot in bots:
        bot.reset(seed)
    while (engine.seat >= 0).any():
        for seat, bot in enumerate(bots):
            rows = np.flatnonzero(engine.seat == seat)
            if len(rows):
                engine.step(bot.act(Position.of(engine, rows)), rows)


def record_of(turn_limit: int = 30, seed: int = 3, bot: str = "random", **options: Any) -> Record:
    engine = Engine(Ruleset(turn_limit=turn_limit), 1, seed)
    book = Book(engine, **options)
    play_out(engine, bot)
    return book.records()[0]


def check_many(players: int, workshop: str, games: int, seed: int = 0) -> tuple[int, int]:
    """Write, replay and rewrite records, with legal actions and positions, of half-hearted and random games.

    The texts and the bytes of the games must be the same. Returns the numbers of decisions and bytes.
    """
    ruleset, decisions, size = Ruleset(players, workshop), 0, 0
    names = ["greedy"] * (players - 1) + ["random"]
    again: dict[int, str] = {}
    table = Engine(ruleset)
    Recorder(again.__setitem__, legal=True, state=True).attach(table)
    for low in range(0, games, 50):
        engine = Engine(ruleset, min(50, games - low), seed + low)
        book = Book(engine, legal=True, state=True)
        play_out(engine, *names, seed=low)
        assert len(book.texts) == engine.num_games
        for number, text in book.texts.items():
            record = parse(text)
            replay(record, table)
            assert bytes_of(table) in book.finals[number]
            assert again.popitem()[1] == text == record.text()
            decisions, size = decisions + len(record.decisions), size + len(text)
    return decisions, size


# --- writing


@half_of_the_variants
def test_the_quick_writer_says_what_the_notation_says(players: int, workshop: str) -> None:
    """Every part of a line is compared at every decision; the notation has tests of its own."""
    engine = Engine(Ruleset(players, workshop, turn_limit=150), 4, seed=5)
    book = Book(engine, legal=True, state=True)
    play_out(engine, *["greedy", "random", "random", "greedy"][:players])
    for record in book.records():
        again = Engine(engine.ruleset)
        layout, text = engine.ruleset.actions, GameText(engine.ruleset)
        steps = positions(record, again)
        next(steps)
        deal = deal_to_dict(engine.ruleset, again.games[0])
        assert list(record.header)[-len(deal) :] == list(deal)
        for decision in record.decisions:
            seat, point, legal = int(again.seat[0]), again.point(), np.flatnonzero(again.legal_mask()[0])
            next(steps)
            state = state_to_dict(engine.ruleset, again.games[0])
            assert decision == {
                "seat": seat,
                "point": point,
                "action": decision["action"],
                "rolls": rolls_to_list(again.games[0]),
                "legal": [layout.to_text(int(action), seat) for action in legal],
                "state": state,
            }
            assert json.dumps(state) == json.dumps(decision["state"]) == text.state(bytes_of(again))
    assert {"start", "place", "take", "market", "end"} <= {d["point"] for d in record.decisions}


@half_of_the_variants
def test_games_replay_to_the_same_text_and_bytes(players: int, workshop: str) -> None:
    assert check_many(players, workshop, 6)[0] > 500


@pytest.mark.slow
@pytest.mark.long
@every_variant
def test_many_games_replay_to_the_same_text_and_bytes(players: int, workshop: str) -> None:
    check_many(players, workshop, 25, seed=1)


def test_a_record_holds_the_lines_of_the_format() -> None:
    record = record_of(bot="greedy", turn_limit=1000)
    assert list(record.header) == [
        *("record", "players", "workshop", "solo", "turn_limit", "colours", "data", "data_sha256", "seed"),
        *("market", "guilds", "dice", "towers"),
    ]
    assert record.header["colours"] == ["red", "blue"] and record.header["solo"] is False
    assert all(list(decision) == ["seat", "point", "action", "rolls"] for decision in record.decisions)
    assert list(record.result) == ["prestige", "track", "winners", "truncated", "breakdown"]
    assert not record.result["truncated"]
    engine = replay(record)
    results = engine.results()
    assert record.result["prestige"] == results.prestige[0].tolist()
    assert record.result["track"] == engine.games.track[0, :2].tolist()
    assert [part["towers"] for part in record.result["breakdown"]] == results.towers[0].tolist()
    for total, part in zip(record.result["prestige"], record.result["breakdown"], strict=True):
        assert total == part["track"] + part["goods"] + sum(part["towers"])
    assert record_of(turn_limit=9).result["truncated"]


def test_every_game_follows_from_one_seed() -> None:
    """This includes games of other rows than the first, and later games of a row."""
    engine = Engine(Ruleset(turn_limit=4), 3, seed=11)
    book = Book(engine)
    for _ in range(3):
        play_out(engine, "greedy")
        engine.reset()
    records = book.records()
    assert len(records) == 9 and records[0].header["seed"] == 11
    assert len({record.header["seed"] for record in records}) == 9
    for record in records:
        seed = record.header["seed"]
        assert bytes_of(Engine(record.ruleset, 1, seed)) == bytes_of(replay(record, upto=0))


def test_fixed_deals_and_forced_dice_are_kept() -> None:
    ruleset = Ruleset(turn_limit=12)
    deal = dict_to_deal(ruleset, deal_to_dict(ruleset, Engine(ruleset, 1, seed=50).games[0]))
    engine = Engine(ruleset, 1, seed=2)
    book = Book(engine)
    engine.reset(deals=deal)
    rng = np.random.default_rng(1)
    while engine.seat[0] >= 0:
        engine.step([rng.choice(np.flatnonzero(engine.legal_mask()[0]))], dice=[[6, 6, 6, 6, 6, 6]])
    book.check()
    (record,) = book.records()
    values = [value for decision in record.decisions for roll in decision["rolls"] for value in roll.values()]
    assert values and set(values) == {6}
    assert record.header["towers"] == deal_to_dict(ruleset, Engine(ruleset, 1, seed=50).games[0])["towers"]


def test_a_data_file_of_ones_own(tmp_path: Path) -> None:
    base = resources.files("rc_env").joinpath("data/base.toml").read_text("utf-8")
    own = tmp_path / "own.toml"
    own.write_text(re.sub(r"deliveries = \d", "deliveries = 4", base), "utf-8")
    engine = Engine(Ruleset(data=own, turn_limit=10))
    Recorder(folder(tmp_path), state=True).attach(engine)
    play_out(engine, "random")
    file = tmp_path / "game-00001.rcr"
    assert read(file).header["data"] == "own.toml"
    replay(read(file))
    moved = tmp_path / "elsewhere" / "own.toml"
    moved.parent.mkdir()
    own.rename(moved)
    with pytest.raises(RecordError, match=r"line 1: data: there is no file \"own.toml\" beside the record"):
        read(file)
    replay(read(file, data=moved))
    moved.write_text(base, "utf-8")
    with pytest.raises(RecordError, match=r".*, line 1: data_sha256 is"):
        read(file, data=moved)


# --- through every API


def test_the_engine_with_games_dealt_anew() -> None:
    """Some rows are left out, and refused actions occur in between."""
    engine = Engine(Ruleset(players=3, turn_limit=8), 6, seed=4)
    numbers: list[int] = []
    kept: dict[int, tuple[str, list[bytes]]] = {}

    def keep(number: int, text: str) -> None:
        numbers.append(number)
        kept[number] = text, [bytes_of(engine, row) for row in engine.ended]

    Recorder(keep, rows=[1, 4], state=True).attach(engine)
    rng = np.random.default_rng(0)
    for _ in range(120):
        legal = (rng.random(engine.legal_mask().shape) * engine.legal_mask()).argmax(1)
        engine.step(np.where(rng.random(6) < 0.2, -1, legal), auto_reset=True)
    assert sorted(numbers) == list(range(len(numbers))) and len(numbers) >= 4
    for text, finals in kept.values():
        assert bytes_of(replay(parse(text))) in finals


@pytest.mark.parametrize("make", [red_cathedral_v0.raw_env, red_cathedral_v0.env])
def test_pettingzoo(make: Callable[..., Any]) -> None:
    env = make(num_players=3, turn_limit=12)
    env.reset(seed=1)
    book = Book(env.unwrapped.engine, legal=True, state=True)
    rng = np.random.default_rng(0)
    for _ in range(2):
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            env.step(None if terminated or truncated else rng.choice(np.flatnonzero(observation["action_mask"])))
        env.reset()
    assert len(book.texts) == 2
    book.check()


def test_gymnasium() -> None:
    one, many = OneSeatEnv(turn_limit=12), OneSeatVectorEnv(num_envs=3, turn_limit=12)
    both = RedCathedralVectorEnv(num_envs=3, turn_limit=12)
    rng = np.random.default_rng(0)
    for env in (one, many, both):
        book = Book(env.engine)
        _, info = env.reset(seed=1)
        for _ in range(60):
            masks = np.atleast_2d(info["action_mask"])
            actions = (rng.random(masks.shape) * masks).argmax(1)
            _, _, terminated, truncated, info = env.step(actions if env is not one else actions[0])
            if env is one and (terminated or truncated):
                _, info = env.reset()
        assert len(book.texts) >= 2
        for record in book.records():
            replay(record)


def test_the_match_loop() -> None:
    """Games are numbered as the match numbers them; bots and games are the same as without a recorder."""
    bots, ruleset, texts = [agents.make("random"), agents.make("greedy")], Ruleset(turn_limit=40), {}
    plain = match.play_match(bots, 4, ruleset, seed=6)
    played = match.play_match(bots, 4, ruleset, seed=6, recorder=Recorder(texts.__setitem__))
    assert (plain.prestige == played.prestige).all()
    records = [parse(texts[number]) for number in range(8)]
    for number, record in enumerate(records):
        assert record.result["prestige"] == played.prestige[number].tolist()
        replay(record)
    assert [record.header["seed"] for record in records[::2]] == [record.header["seed"] for record in records[1::2]]
    seats: dict[int, str] = {}
    seated = match.play_match(bots, 4, ruleset, seed=6, rotate=False, recorder=Recorder(seats.__setitem__))
    assert seated.entrant.tolist() == [[0, 1]] * 4 and seated.rotations == 1
    assert [parse(seats[d]).header["seed"] for d in range(4)] == [record.header["seed"] for record in records[::2]]
    assert seated.share().games == seated.share().deals == 4


def test_a_game_put_back_goes_on_from_there() -> None:
    """This is how undo works; a game from elsewhere is left out, since the recorder has no deal of it."""
    engine = Engine(Ruleset(turn_limit=20), 2, seed=9)
    book, kept = Book(engine, state=True), []
    rng = np.random.default_rng(3)
    for _ in range(20):
        kept.append(engine.clone(same_future=True))
        engine.step([rng.choice(np.flatnonzero(mask)) for mask in engine.legal_mask()])
    engine.restore(kept[7])
    engine.restore(kept[3][:1], [0])
    play_out(engine, "greedy")
    assert len(book.texts) == 2
    book.check()
    engine.reset()
    engine.step([np.flatnonzero(mask)[0] for mask in engine.legal_mask()])
    engine.restore(engine.clone([0]), [1])
    play_out(engine, "greedy")
    assert len(book.texts) == 3


def test_a_recorder_comes_and_goes() -> None:
    engine = Engine(Ruleset(turn_limit=6), 2, seed=1)
    engine.step([np.flatnonzero(engine.legal_mask()[0])[0]], [0])
    book = Book(engine)
    with pytest.raises(ValueError, match="engine has a recorder already"):
        Recorder(print).attach(engine)
    with pytest.raises(ValueError, match="play_random writes no records: detach the recorder first"):
        engine.play_random(3)
    play_out(engine, "greedy")
    assert len(book.texts) == 1  # the other game had begun before the recorder was attached
    other = Engine(Ruleset(players=3, turn_limit=6), 1, seed=1)
    book.recorder.attach(other)
    assert engine.recorder is None and other.recorder is book.recorder
    play_out(other, "greedy")
    assert [parse(text).header["players"] for text in book.texts.values()] == [2, 3]
    book.recorder.detach()
    assert other.recorder is None
    engine.play_random(3)


# --- reading and replaying


def test_the_game_goes_on_from_any_decision() -> None:
    """The actions on record give the dice on record, although the dice are no longer forced."""
    record = record_of(state=True)
    whole, layout = replay(record), record.ruleset.actions
    for upto in range(0, len(record.decisions) + 1, 7):
        engine = replay(record, upto=upto)
        assert engine.games.decisions[0] == upto
        for decision in record.decisions[upto:]:
            engine.step([layout.to_action(decision["action"], decision["seat"])])
            assert rolls_to_list(engine.games[0]) == decision["rolls"]
        assert bytes_of(engine) == bytes_of(whole)
    for wrong in (-1, len(record.decisions) + 1, 2.0, True):
        with pytest.raises(ValueError, match="upto must be a whole number from 0 to 88, not "):
            replay(record, upto=wrong)  # type: ignore[arg-type]


def test_replaying_in_a_row_of_an_engine() -> None:
    record = record_of()
    engine = Engine(Ruleset(turn_limit=30), 4, seed=8)
    others = [bytes_of(engine, row) for row in (0, 1, 3)]
    assert replay(record, engine, row=2) is engine
    assert bytes_of(engine, 2) == bytes_of(replay(record))
    assert [bytes_of(engine, row) for row in (0, 1, 3)] == others
    with pytest.raises(ValueError, match=r"engine must be one of .*, not of .*'turn_limit': 1000"):
        replay(record, Engine())


def test_dice_and_deal_come_from_the_file_not_from_the_seed() -> None:
    record = record_of(state=True, legal=True)
    other = Record({**record.header, "seed": 12345}, record.decisions, record.result, record.ruleset)
    engine = replay(other)
    assert engine.games.key[0] != replay(record).games.key[0]
    assert state_to_dict(record.ruleset, engine.games[0]) == record.decisions[-1]["state"]


def test_what_may_be_written_differently_is_read(tmp_path: Path) -> None:
    """Keys, dice of one roll and legal actions may be in any order, empty counts left out, and line ends differ."""
    record = record_of(state=True, legal=True, turn_limit=60)
    lines = [record.header, *copy.deepcopy(record.decisions), {"result": record.result}]
    for line in lines[1:-1]:
        line["rolls"] = [dict(reversed(roll.items())) for roll in line["rolls"]]
        line["legal"].reverse()
        state = line["state"]
        for counts in (state["supply"], *state["materials"]):
            for material in ("lumber", "gold", "purple_gem"):
                if counts.get(material, 0) == 0:
                    counts.pop(material, counts.setdefault(material, 0) if counts is not state["supply"] else None)
    turned = [json.dumps(dict(reversed(line.items())), ensure_ascii=False) for line in lines]
    (tmp_path / "one.rcr").write_bytes("\r\n".join(turned).encode())
    assert bytes_of(replay(read(tmp_path / "one.rcr"))) == bytes_of(replay(record))


def test_what_a_bot_thought_is_kept() -> None:
    record = record_of(legal=True)
    record.decisions[4] |= {"policy": {record.decisions[4]["legal"][0]: 0.75}, "value": [0.5, -0.5]}
    again = parse(record.text())
    assert again.decisions == record.decisions
    replay(again)
    illegal = "swap 1 2"
    assert illegal not in record.decisions[4]["legal"]
    for wrong in ({"value": [1]}, {"policy": {"move": 1}}, {"policy": {illegal: 2}}, {"policy": {illegal: 0.5}}):
        bad = Record(record.header, copy.deepcopy(record.decisions), record.result, record.ruleset)
        bad.decisions[4] |= wrong
        with pytest.raises(RecordError, match=r"line 6: (value|policy)"):
            replay(parse(bad.text()))


def test_writing_and_reading_go_both_ways(tmp_path: Path) -> None:
    record = record_of(state=True)
    write(record, tmp_path / "game.rcr")
    again = read(tmp_path / "game.rcr")
    assert (again.header, again.decisions, again.result) == (record.header, record.decisions, record.result)
    assert again.text() == (tmp_path / "game.rcr").read_text("utf-8") == record.text()
    assert again.name == str(tmp_path / "game.rcr")


# --- the commands


def test_rc_record_and_rc_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["record", "--games", "3", "--players", "3", "--workshop", "advanced", "--bots", "greedy,random,greedy"]
    words += ["--seed", "5", "--turn-limit", "30", "--legal", "--state"]
    assert rc.main([*words, "--out", str(tmp_path / "a" / "b")]) == 0
    assert rc.main([*words, "--out", str(tmp_path / "c")]) == 0
    files = sorted((tmp_path / "a" / "b").iterdir())
    assert [file.name for file in files] == [f"3-advanced-greedy-random-greedy-5-0000{i}.rcr" for i in (1, 2, 3)]
    assert [file.read_bytes() for file in files] == [file.read_bytes() for file in sorted((tmp_path / "c").iterdir())]
    assert len({read(file).header["seed"] for file in files}) == 3
    record = read(files[1])
    assert {"legal", "state"} < set(record.decisions[0])
    capsys.readouterr()
    assert rc.main(["replay", str(files[1])]) == 0
    said = capsys.readouterr().out
    assert "Turn 1, red: " in said and said.splitlines()[-1].startswith("Result, turn limit reached: red ")
    assert all(decision["action"] in said for decision in record.decisions)
    assert rc.main(["replay", str(files[1]), "--upto", "4"]) == 0
    assert "Result" not in capsys.readouterr().out
    for wrong, words in (
        ("-1", "rc replay: --upto must be from 0 to 101, the number of decisions, not -1"),
        ("9999", "rc replay: --upto must be from 0 to 101, the number of decisions, not 9999"),
        ("x", "--upto"),
    ):
        try:
            assert rc.main(["replay", str(files[1]), "--upto", wrong]) == 2
        except SystemExit as stop:
            assert stop.code == 2
        assert words in capsys.readouterr().err
    for wrong, words in (
        (["--games", "0"], "--games must be at least 1, not 0"),
        (["--seed", "-1"], "--seed must be at least 0, not -1"),
        (["--players", "6"], "players must be 2, 3 or 4, or 1 for the solo game, not 6"),
        (["--bots", "greedy,greedy,greedy"], "--bots must name 1 bot for all seats, or 2, one per seat, not 3"),
        (["--bots", "magnus"], "unknown bot 'magnus'"),
    ):
        assert rc.main(["record", *wrong, "--out", str(tmp_path / "d")]) == 2
        error = capsys.readouterr().err
        assert words in error and error.count("\n") == 1
    assert not (tmp_path / "d").exists()


def main(games: int) -> None:
    """Write, replay and rewrite that many games of each variant: `python tests/test_record.py 1000`."""
    for players, workshop in VARIANTS:
        begun = time.perf_counter()
        decisions, size = check_many(players, workshop, games)
        seconds = time.perf_counter() - begun
        shown = f"{games} games, {decisions} decisions, {size / 1e6:.0f} MB, {seconds:.0f} s"
        print(f"{players} players, {workshop}: {shown}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))


@every_variant
def test_a_line_has_room_for_the_longest_position(players: int, workshop: str, tmp_path: Path) -> None:
    """Any numbers of a game fit, even with a data file that has as many kinds of material on a card as possible."""
    tables = {**data_file.load().tables}
    full = {"cost": dict.fromkeys(MATERIAL_NAMES, 1), "recognition": 20, "rubles": 20}
    tables["cards"] = {kind: [full] * count for kind, count in CARDS.items()}
    path = tmp_path / "full.toml"
    path.write_text(toml(tables), encoding="utf-8")
    rules = Ruleset(players, workshop, data=path, turn_limit=10_000)
    game = Engine(rules, 1).clone().copy()[0]
    kinds = notation.names(rules).tiles
    game["turn"], game["track"][:], game["rubles"][:], game["goods"][:] = 10_000, 9_999, 9_999, 99
    game["works"][:] = game["slot_up"][:] = 1
    game["supply"][:], game["card"][:], game["ivan_goods"][:], game["market"][:] = 60, 0, 60, 7
    game["slot_tile"][:] = game["tile"][:] = kinds.index("any_material:1")
    game["owner"][:], game["ornament"][:], game["rolled"][:], game["rolled_count"] = 0, 0, 60 + 20 + 6, ROLLED
    if rules.solo:
        game["owner"][:], game["card"][:] = 1, 9
        game["ivan_event"][:], game["ivan_events"] = 0, EVENTS  # the event of mixing the tiles has the most words
        game["ivan_rolled"][:], game["ivan_rolled_count"] = 60 + 20 + 6, len(die_names(rules))
    words = max((rules.actions.to_text(action, 0) for action in range(rules.actions.size)), key=len)
    line = {"seat": 0, "point": "market", "action": words, "rolls": rolls_to_list(game), "legal": []}
    text = json.dumps(line | {"state": state_to_dict(rules, game)})
    if rules.solo:
        text += json.dumps({"seat": 1, "point": "ivan turn", **notation.ivan_turn(game)})
    assert len(text) < GameText(rules)._longest < 2 * len(text) + 6000


# --- what whoever records a game writes beside it


def test_keys_of_ones_own() -> None:
    meta = {"bots": ["mine", "greedy"], "run": {"loss": 0.5, "steps": [1, 2]}, "none": None}
    texts: dict[int, str] = {}
    engine = Engine(Ruleset(turn_limit=4), seed=1)
    Recorder(texts.__setitem__, meta=meta).attach(engine)
    meta["bots"].append("later")  # type: ignore[attr-defined]
    while engine.seat[0] >= 0:
        engine.step(engine.legal_mask().argmax(1))
    record = parse(texts[0])
    assert record.meta == {**meta, "bots": ["mine", "greedy"]} and record.text() == texts[0]
    replay(record)
    first, _, rest = texts[0].partition("\n")
    plain = json.loads(first)
    del plain["meta"]
    assert parse(f"{json.dumps(plain)}\n{rest}").meta == {}
    with pytest.raises(RecordError, match=r"meta must be an object, not \[1\]"):
        parse(f"{json.dumps(plain | {'meta': [1]})}\n{rest}")
    for wrong in ([1], {1: 2}, {"x": {1, 2}}, {"x": float("nan")}, "x"):
        with pytest.raises(ValueError, match=r"meta .* a dict by words, of values that JSON knows"):
            Recorder(texts.__setitem__, meta=wrong)  # type: ignore[arg-type]
