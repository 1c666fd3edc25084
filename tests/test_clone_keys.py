"""Attacks on the keys of copies: nobody who has copies learns what the games themselves will roll.

A key of a copy was once a hash that can be undone, of the key of the game and a small number. Whoever undid it could
play the game on with the dice that it would roll.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rc_env import Engine, Ruleset
from rc_env.bot import Position
from rc_env.engine_group import EngineGroup
from rc_env.record import Recorder
from rc_env.rules import chance

WORD = 2**64
ARCHIVISTS = Ruleset(3, fourth_guild="archivists")


def played(ruleset: Ruleset | None = None, games: int = 20) -> Engine:
    engine = Engine(ruleset or Ruleset(), games, 1)
    engine.reset(deal_seeds=np.random.default_rng(9).integers(0, 2**63, games))
    engine.play_random(30)
    return engine


def rolled(key: int, die: int, number: int) -> int:
    """Return what a game with this key shows as the n-th roll of a die."""
    return 1 + int(chance.below(np.uint64(key), chance.DICE_STREAM + die, number, 6))


def led_back(copy: Any, number: int, place: int) -> int:
    """Undo the hash that made keys of copies: from that of the n-th copying, at a place in it."""
    inner = int(chance.outcome(np.uint64(number), chance.CLONE, place))
    return chance.before(int(copy["key"]), chance.CLONE, int(copy["decisions"])) ^ inner


def test_the_old_way_back_leads_to_no_key() -> None:
    engine = played()
    real = set(engine.games.key.tolist())
    for number in range(1, 30):
        copies = Position.of(engine).games()
        for place, copy in enumerate(copies):
            guesses = {led_back(copy, number, place), int(copy["key"]), int(copy["key"]) ^ number}
            guesses |= {chance.before(int(copy["key"]), chance.EPISODE, 0), chance.before(int(copy["key"]), 33, place)}
            assert not guesses & real


def test_the_old_attack_foretells_no_die() -> None:
    """It named every next roll of all dice; now it is right as often as a guess is."""
    right = total = 0
    engine = played(games=200)
    for place, copy in enumerate(Position.of(engine).games()):
        key = led_back(copy, 1, place)
        for die in range(5):
            number = int(copy["rolls"][die])
            right += rolled(key, die, number) == rolled(int(engine.games.key[place]), die, number)
            total += 1
    assert total == 1000 and right / total == pytest.approx(1 / 6, abs=0.05)


@pytest.mark.parametrize(
    "ruleset", [Ruleset(), Ruleset(1), pytest.param(ARCHIVISTS, marks=pytest.mark.full)], ids=["base", "solo", "full"]
)
def test_no_field_of_a_copy_or_of_a_concealed_game_holds_the_key(ruleset: Ruleset) -> None:
    """Neither as it is nor one step of a hash away, at any place of the record."""
    engine = played(ruleset)
    near = {int(key) for key in engine.games.key}
    near |= {int(chance.outcome(np.uint64(key), stream, 0)) for key in list(near) for stream in range(48)}
    position = Position.of(engine)
    seats = engine.seat
    for games in (position.games(), position.writeable_games(), engine.clone(), engine.conceal(engine.clone(), seats)):
        memory = np.frombuffer(games.tobytes(), np.uint8)
        for shift in range(8):
            words = memory[shift : shift + (len(memory) - shift) // 8 * 8].view(np.uint64)
            assert not near & set(words.tolist())


def test_a_concealed_game_has_no_key() -> None:
    engine = played()
    for games in (engine.clone(same_future=True), engine.clone(same_future=True).copy()):
        assert not engine.conceal(games, 0)["key"].any()


@pytest.mark.full
def test_concealed_hands_and_the_deck_cannot_be_dealt_again() -> None:
    engine = played(ARCHIVISTS, 60)
    hidden = engine.conceal(engine.clone(same_future=True), engine.seat)
    assert (hidden["contract_deck"][hidden["contract_deck"] >= 0] == 15).all()
    for game, real in zip(hidden, engine.games.view(np.ndarray), strict=True):
        order = np.arange(15)
        chance.shuffle(order, 15, np.uint64(game["key"]), chance.CONTRACTS)
        left = int(real["contracts_left"])
        assert order[:left].tolist() != real["contract_deck"][:left].tolist()


def test_keys_of_copies_repeat_for_a_seed_and_differ_otherwise() -> None:
    def keys(seed: int) -> list[list[int]]:
        engine = Engine(num_games=4, seed=seed)
        return [engine.clone([0, 0, 3])["key"].tolist() for _ in range(3)]

    assert keys(1) == keys(1) != keys(2)
    drawn = [key for some in keys(1) for key in some]
    assert len(set(drawn)) == 9
    group = EngineGroup([Ruleset(), Ruleset(data="sample:1")], 4, 1)
    assert len(set(np.concatenate([group.clone()["key"], group.clone()["key"], group.games["key"]]).tolist())) == 12


def test_an_engine_that_takes_copies_makes_copies_of_other_keys() -> None:
    engine, other = played(), Engine(num_games=20)
    first = engine.clone()
    other.restore(first)
    assert not {*first["key"].tolist(), *engine.games.key.tolist()} & set(other.clone()["key"].tolist())


def siphash(key: int, number: int, word: int) -> int:
    """SipHash-2-4 of one word in plain whole numbers, without the block that holds the length of the input."""

    def turned(value: int, by: int) -> int:
        return (value << by | value >> (64 - by)) % WORD

    def rounds(v: list[int], count: int) -> None:
        for _ in range(count):
            for a, b, by, c, d, also in ((0, 1, 13, 2, 3, 16), (2, 1, 17, 0, 3, 21)):
                v[a], v[c] = (v[a] + v[b]) % WORD, (v[c] + v[d]) % WORD
                v[b], v[d] = turned(v[b], by) ^ v[a], turned(v[d], also) ^ v[c]
                v[a] = turned(v[a], 32)

    state = [
        key ^ 0x736F6D6570736575,
        number ^ 0x646F72616E646F6D,
        key ^ 0x6C7967656E657261,
        number ^ 0x7465646279746573,
    ]
    state[3] ^= word
    rounds(state, 2)
    state[0] ^= word
    state[2] ^= 0xFF
    rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def test_keys_of_copies_are_siphash() -> None:
    rng = np.random.default_rng(3)
    for key, number, word in rng.integers(0, 2**63, (200, 3)).tolist() + [[0, 0, 0], [WORD - 1] * 3]:
        found = int(chance.one_way(np.uint64(key), np.uint64(number), np.uint64(word)))
        assert found == siphash(key, number, word)
    engine = played()
    game, copy = engine.games[[5, 7]], engine.clone([5, 7])
    expected = [siphash(int(one["key"]), 1, place << 32 | int(one["decisions"])) for place, one in enumerate(game)]
    assert copy["key"].tolist() == expected


def test_every_bit_of_a_key_changes_half_of_the_bits() -> None:
    keys = np.random.default_rng(0).integers(0, 2**63, 64).astype(np.uint64)
    for bit in range(64):
        changed = [
            (
                int(chance.one_way(key, np.uint64(1), np.uint64(2)))
                ^ int(chance.one_way(key ^ np.uint64(1 << bit), np.uint64(1), np.uint64(2)))
            ).bit_count()
            for key in keys
        ]
        assert np.mean(changed) == pytest.approx(32, abs=3)


def test_records_for_a_seat_name_no_seed_in_games_with_hidden_cards() -> None:
    """They are made from concealed games; in the base game, where a record of a finished game may name it, they do."""
    written: list[str] = []
    engine = Engine(Ruleset(turn_limit=4), 1, 5)
    Recorder(lambda _, text: written.append(text), seat=0, state=True).attach(engine)
    while not written:
        engine.step(engine.legal_mask().argmax(1))
    assert '"seed": 5' in written[0].splitlines()[0]
