"""Records of the full game, format 2: written, read, replayed to the same bytes; for one seat; and what is refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from cross import (
    GUILDS,
    VARIANTS,
    bytes_of,
    check_by_oracle,
    check_many,
    oracle_text,
    read_again,
    rulesets,
    written,
)  # fmt: skip

from rc_env import Engine, Ruleset
from rc_env.layout.expansion_notation import draws_to_list
from rc_env.layout.notation import deal_to_dict, dict_to_deal, names, state_to_dict
from rc_env.record import Record, RecordError, parse, positions, replay

pytestmark = pytest.mark.full


def record_of(guild: str, turn_limit: int = 25, special_tiles: bool = False, **more: Any) -> Record:
    options = {key: more.pop(key) for key in ("seat", "seed") if key in more}
    rules = Ruleset(turn_limit=turn_limit, fourth_guild=guild, special_tiles=special_tiles, **more)
    return parse(written(rules, legal=True, state=True, **options)[0][0])


# --- what is written


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
@pytest.mark.parametrize("guild", GUILDS)
def test_a_random_game_is_written_and_replayed(guild: str, players: int, workshop: str) -> None:
    special_tiles = (GUILDS.index(guild) + players) % 2 == 0
    rules = Ruleset(players, workshop, turn_limit=40, fourth_guild=guild, special_tiles=special_tiles)
    assert check_many(rules, 1, seed=players) > 30


@pytest.mark.parametrize("ruleset", list(rulesets([*GUILDS, "clergy"], 30)), ids=lambda rules: rules.fourth_guild)
def test_the_second_implementation_reads_and_writes_the_same(ruleset: Ruleset) -> None:
    """All of its lines, both ways; `make cross` has whole games and more of them."""
    check_by_oracle(written(ruleset, seed=4, legal=True, state=True)[0][0])
    replay(parse(oracle_text(ruleset, seed=4)))


def test_games_of_the_heuristics_are_read_again() -> None:
    for guild in ("jewelers", "archivists"):
        rules = Ruleset(2, fourth_guild=guild, special_tiles=True)
        assert check_many(rules, 1, seed=2, bots="all_rounder,greedy") > 100


def test_a_disagreement_with_the_second_implementation_is_noticed() -> None:
    texts, last = written(Ruleset(3, turn_limit=20, fourth_guild="foremen"), legal=True, state=True)
    lines = texts[0].splitlines()
    changed = "\n".join([*lines[:20], re.sub(r'"rubles": \[', '"rubles": [1', lines[20]), *lines[21:], ""])
    assert changed != texts[0]
    with pytest.raises(AssertionError, match=r"line 21: .*rubles"):
        check_by_oracle(changed)
    with pytest.raises(AssertionError, match="other bytes"):
        read_again(texts[0], last[0][1:] + b"x")


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_special_tiles_beside_the_clergy(players: int) -> None:
    check_many(Ruleset(players, turn_limit=60, special_tiles=True), 2, seed=players)


@pytest.mark.parametrize("guild", ["jewelers", "archivists", "master_builders", "brickmakers", "foremen"])
@pytest.mark.parametrize("players", [1, 3])
def test_the_quick_writer_says_what_the_notation_says(guild: str, players: int) -> None:
    record = record_of(guild, 40, True, players=players)
    rules, view = record.ruleset, players - 1
    writer = rules.module("record.text").GameText(rules)
    steps = positions(record)
    table = next(steps)
    deal = deal_to_dict(rules, table.games[0])
    assert {key: record.header[key] for key in deal} == deal and ("contracts" in deal) == (guild == "archivists")
    for decision in record.decisions:
        before, mask = table.clone(same_future=True), table.legal_mask().copy()
        action = table.text_to_action(decision["action"])
        next(steps)
        game, games = table.games[0], [before.tobytes(), bytes_of(table)]
        assert list(decision["state"].items()) == list(state_to_dict(rules, game).items())
        assert decision.get("draws", []) == draws_to_list(rules, game, names(rules).cards)
        told = json.loads(writer.decisions([action], games, mask, state=True, view=view).splitlines()[0])
        assert told["state"] == state_to_dict(rules, game, view=view)
        hidden = decision["seat"] != view and decision["point"] in ("keep", "return")
        assert told["action"] == ("contract ?" if hidden else decision["action"])
        assert hidden or told["legal"] == decision["legal"]


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_with_the_clergy_is_a_base_game(players: int) -> None:
    """Named or drawn: to the last byte what the base game writes of the same seed."""
    drawn = Ruleset(players, turn_limit=30, fourth_guild="random", promos=True)
    base, clergy = Ruleset(players, turn_limit=30), drawn.data_file.guilds.index("clergy")
    seeds = [seed for seed in range(60) if (Engine(drawn, 1, seed).games.guild[0] == clergy).any()]
    texts = [written(rules, seed=seeds[0], legal=True, state=True)[0][0] for rules in (drawn, base)]
    assert texts[0] == texts[1] and parse(texts[0]).header["record"] == "red-cathedral/1"
    card = Ruleset(players, turn_limit=30, fourth_guild="clergy:2")
    record = parse(written(card, legal=True, state=True)[0][0])
    assert not record.expanded and not record.ruleset.full and replay(record).games.status[0] > 0
    assert {"guild": "clergy", "card": 2} in record.header["guilds"]


def test_ivans_move_is_told_in_one_event() -> None:
    forms = set()
    for turn in (turn for seed in range(4) for turn in record_of("foremen", 60, players=1, seed=seed).ivan.values()):
        forms.add(" ".join(event.split()[0] for event in turn["events"]))
    move = r"(move|blocked)( recognition)? card"
    assert all(re.fullmatch(rf"(adorn )?(shuffle )?{move}( claim|( complete)+)?", form) for form in forms), forms
    assert any("recognition" in form for form in forms)


def test_cards_are_drawn_as_the_caller_says() -> None:
    """Those that are in the deck; others, and -1, by chance."""
    rules = Ruleset(fourth_guild="master_builders:2", turn_limit=200)
    engine, drawn = Engine(rules, 200, 1), 0
    rng = np.random.default_rng(1)
    while drawn < 10 and len(rows := np.flatnonzero(engine.seat >= 0)):
        decks = engine.games.builder_deck[rows].copy()
        wanted = rng.integers(0, rules.rules[0].cards, (len(rows), 2))
        wanted[:, 1] = np.where(wanted[:, 1] == wanted[:, 0], -1, wanted[:, 1])
        engine.step(np.array([rng.choice(np.flatnonzero(m)) for m in engine.legal_mask()[rows]]), rows, cards=wanted)
        assert (engine.games.forced_card == -1).all()
        for row, deck, cards in zip(rows, decks, wanted, strict=True):
            log = engine.games.log_card[row]
            if log[0] >= 0:
                there = [bool(card >= 0 and int(deck) >> int(card) & 1) for card in cards]
                there[1] &= cards[1] != log[0]  # drawn first, by chance
                assert all(log[i] == cards[i] for i in range(2) if there[i] and log[i] >= 0)
                drawn += sum(there)
    assert drawn >= 10
    for cards in ([[1]], [[1, 99]], [[0.5, 1]]):
        with pytest.raises(ValueError, match="cards: "):
            engine.step([0], [0], cards=cards)
    with pytest.raises(ValueError, match="full game only"):
        Engine().step([0], cards=[[1, 2]])


# --- for one seat


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_record_for_one_seat_leaves_out_what_it_cannot_know(players: int) -> None:
    rules = Ruleset(players, turn_limit=150, fourth_guild="archivists")
    full, _ = written(rules, 5, 5, legal=True, state=True)
    for view in range(players):
        seen, _ = written(rules, 5, 5, legal=True, state=True, seat=view)
        hidden = 0
        for number, text in seen.items():
            whole, part = parse(full[number]), parse(text)
            assert part.view == view and whole.view is None
            assert {"seed", "contracts"} == whole.header.keys() - part.header.keys()
            assert part.text() == text and part.result == whole.result
            for mine, other in zip(part.decisions, whole.decisions, strict=True):
                state, known = mine["state"], other["state"]
                assert state["contract_deck"] == len(known["contract_deck"])
                for seat, held in enumerate(known["contracts"]):
                    assert state["contracts"][seat] == (held if seat == view else len(held))
                if "drawn_contracts" in known:
                    assert state["drawn_contracts"] == (known["drawn_contracts"] if known["seat"] == view else 3)
                if "draws" in other and other["seat"] != view:
                    assert mine["draws"] == [{"contracts": 3}]
                else:
                    assert mine.get("draws") == other.get("draws")
                if mine["action"] != other["action"]:
                    hidden += 1
                    assert mine["action"] == "contract ?" and "legal" not in mine and other["seat"] != view
                for line in (mine, other):
                    for key in ("state", "draws", "legal", "action"):
                        line.pop(key, None)
                assert mine == other
            with pytest.raises(RecordError, match=r"line 1: view: .* expected a complete record"):
                replay(part)
        assert players == 1 or hidden


# --- what is refused


@cache
def seed_with_draws(guild: str) -> int:
    """The first seed of a game in which seat 1 draws cards."""
    for seed in range(100):
        decisions = record_of(guild, 60, seed=seed).decisions
        if any("draws" in decision and decision["seat"] == 1 for decision in decisions):
            return seed
    raise AssertionError(f"{guild}: no game with a draw found")


# Functions rather than constants: nothing is compiled before the first test is run.


@cache
def good() -> Record:
    """A record in which seat 1 draws contracts."""
    return record_of("archivists", 60, seed=seed_with_draws("archivists"))


@cache
def builders() -> Record:
    """A record in which seat 1 draws cathedral cards."""
    return record_of("master_builders", 60, seed=seed_with_draws("master_builders"))


@cache
def seen() -> Record:
    """The first one as seat 0 knows it."""
    return record_of("archivists", 60, seed=seed_with_draws("archivists"), seat=0)


def edited(record: Record, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    lines = [json.loads(line) for line in record.text().splitlines()]
    change(lines)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def line_of(record: Record, key: str, **also: Any) -> int:
    """The place, from 0, of the first line with that key and these values."""
    return 1 + next(
        number
        for number, decision in enumerate(record.decisions)
        if key in decision and all(decision.get(name) == value for name, value in also.items())
    )


def put(line: int | Callable[[], int], *path: Any) -> Callable[[list[dict[str, Any]]], object]:
    *keys, last, value = path

    def change(lines: list[dict[str, Any]]) -> None:
        place: Any = lines[line() if callable(line) else line]
        for key in keys:
            place = place[key]
        place[last] = value

    return change


def drop(line: int | Callable[[], int], *path: Any) -> Callable[[list[dict[str, Any]]], object]:
    *keys, last = path

    def change(lines: list[dict[str, Any]]) -> None:
        place: Any = lines[line() if callable(line) else line]
        for key in keys:
            place = place[key]
        del place[last]

    return change


def guild(name: str, **other: Any) -> Callable[[list[dict[str, Any]]], object]:
    """Another guild, or another card, in the place of that guild."""

    def change(lines: list[dict[str, Any]]) -> None:
        next(entry for entry in lines[0]["guilds"] if entry["guild"] == name).update(other)

    return change


def draw() -> int:
    return line_of(good(), "draws")


def cards_draw() -> int:
    return line_of(builders(), "draws")


def unseen() -> int:
    return line_of(seen(), "draws", seat=1)


def hidden() -> int:
    return line_of(seen(), "seat", action="contract ?")


# A record, what is done to its lines, and words of the reason.
REFUSED: dict[str, tuple[Callable[[], Record], Callable[[list[dict[str, Any]]], object], str]] = {
    "format 1 with keys of format 2": (good, put(0, "record", "red-cathedral/1"), 'unknown key "expansion"'),
    "format 3": (good, put(0, "record", "red-cathedral/3"), 'record: "red-cathedral/3" found'),
    "no expansion": (good, drop(0, "expansion"), 'no "expansion" found'),
    "another expansion": (good, put(0, "expansion_sha256", "0" * 64), "expansion_sha256: "),
    "a path": (good, put(0, "expansion", "a/b.toml"), "expansion: "),
    "a file that is not there": (good, put(0, "expansion", "mine.toml"), "no such file|no file"),
    "with the module": (good, put(0, "contractors", True), "contractors: true found, expected false"),
    "cities": (good, put(0, "cities", ["moscow"]), 'unknown key "cities"'),
    "special tiles in a word": (good, put(0, "special_tiles", "yes"), "special_tiles: "),
    "no special tiles": (good, put(0, "special_tiles", True), "line 2: seat: 0 found, expected 1"),
    "no order of the contracts": (good, drop(0, "contracts"), "no contracts found"),
    "14 contracts": (good, lambda lines: lines[0]["contracts"].pop(), "deal.contracts: 14 numbers"),
    "a contract twice": (
        good, lambda lines: lines[0]["contracts"].__setitem__(0, lines[0]["contracts"][1]), "deal.contracts: ",
    ),
    "contract 16": (good, put(0, "contracts", 0, 16), "deal.contracts: 16 found"),
    "another order": (
        good, lambda lines: lines[0]["contracts"].reverse(), "draws: |drawn_contracts|contract_deck",
    ),
    "contracts without archivists": (
        builders, put(0, "contracts", [*range(1, 16)]), "contracts found",
    ),
    "two new guilds": (
        good, guild("merchants", guild="thieves"), "unknown guild",
    ),
    "only base guilds": (
        builders, guild("master_builders", guild="clergy"), "no switch of the expansion is on",
    ),
    "a card of the module": (lambda: record_of("jewelers"), guild("jewelers", card=3), "card 3 of the jewelers found"),
    "a view with a seed": (good, put(0, "view", 0), 'unknown key "seed"'),
    "a view of nobody": (seen, put(0, "view", 2), "view: 2 found"),
    "a view in format 1": (lambda: record_of("clergy"), put(0, "view", 0), 'unknown key "view"'),
    "no draws": (good, drop(draw, "draws"), r"draws: none found, expected \[{"),
    "empty draws": (good, put(draw, "draws", []), r"draws: \[\] found"),
    "other draws": (good, lambda lines: lines[draw()]["draws"][0]["contracts"].reverse(), "draws: .* expected"),
    "draws of two kinds": (good, put(draw, "draws", 0, "cards", ["base/1"]), "contracts or cards"),
    "a number of contracts": (good, put(draw, "draws", [{"contracts": 3}]), "draws.contracts: 3 found"),
    "draws where nothing is drawn": (good, put(1, "draws", [{"contracts": [1, 2, 3]}]), "draws: "),
    "draws of specialists": (good, put(draw, "draws", [{"slot": 1}]), 'unknown key "slot"'),
    "no cards drawn": (builders, drop(cards_draw, "draws"), "draws: none found"),
    "an unknown card": (builders, put(cards_draw, "draws", 0, "cards", ["attic/1"]), 'draws.cards: "attic/1"'),
    "a card that is in the game": (
        builders,
        lambda lines: put(cards_draw, "draws", 0, "cards", 0, lines[0]["towers"][0][0]["card"])(lines),
        "draws: ",
    ),
    "an unseen contract": (good, put(hidden, "action", "contract ?"), r'action: "contract \?" found'),
    "a contract that a seat cannot see": (seen, put(hidden, "action", "contract 3"), 'action: "contract 3"'),
    "legal actions that a seat cannot see": (seen, put(hidden, "legal", ["contract 3"]), "legal: "),
    "drawn contracts that a seat cannot see": (
        seen, put(unseen, "draws", [{"contracts": [1, 2, 3]}]), "draws.contracts: ",
    ),
    "a contract that nobody holds": (good, put(draw, "state", "contracts", 0, [1]), r"state.contracts\[0\]"),
    "a state without its deck": (good, drop(1, "state", "contract_deck"), "state.contract_deck: nothing found"),
    "a state of another guild": (good, put(1, "state", "foreman", 1), "state.foreman: 1 found"),
    "no contracts in the result": (
        good, drop(-1, "result", "breakdown", 0, "contracts"), 'no "contracts" found',
    ),
    "contracts in another result": (
        builders, put(-1, "result", "breakdown", 0, "contracts", 0), 'unknown key "contracts"',
    ),
    "a wrong sum": (good, put(-1, "result", "breakdown", 0, "contracts", 99), r"breakdown\[0\].contracts: 99"),
    "draws in format 1": (lambda: record_of("clergy"), put(1, "draws", []), 'unknown key "draws"'),
}  # fmt: skip


def test_the_good_ones_are_taken() -> None:
    for record in (good(), builders()):
        replay(parse(record.text()))
    assert parse(seen().text()).view == 0


@pytest.mark.parametrize("fault", REFUSED)
def test_what_does_not_hold_is_refused_in_a_sentence(fault: str) -> None:
    record, change, words = REFUSED[fault]
    with pytest.raises(RecordError, match=words) as refused:
        replay(parse(edited(record(), change)))
    message = str(refused.value)
    assert message.startswith("record, line ") and ", expected " in message and "\n" not in message, message


def test_a_deal_of_the_full_game_is_fixed_as_asked() -> None:
    rules = Ruleset(fourth_guild="random", promos=True)
    engine = Engine(rules, 40, seed=4)
    deals = [deal_to_dict(rules, game) for game in engine.games]
    assert len({g["guild"] for deal in deals for g in deal["guilds"]}) > 8
    engine.reset(deals=np.concatenate([dict_to_deal(rules, copy.deepcopy(deal)) for deal in deals]))
    assert [deal_to_dict(rules, game) for game in engine.games] == deals
    with pytest.raises(ValueError, match="found together, expected at most one"):
        guilds = [{"guild": name} for name in ("clergy", "thieves", "merchants", "craftsmen")]
        dict_to_deal(rules, {"guilds": guilds})
    with pytest.raises(ValueError, match="unknown guild 'clergy' found"):
        dict_to_deal(Ruleset(fourth_guild="thieves"), {"guilds": [{"guild": "clergy"}] * 4})
