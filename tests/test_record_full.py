"""Records of the full game, format 2: written, read, replayed to the same bytes; for one seat; and what is refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
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
from rc_env.layout.notation import deal_to_dict, dict_to_deal, ivan_turn, names, state_to_dict
from rc_env.record import Record, Recorder, RecordError, parse, positions, replay
from rc_env.rules.sizes import CITY_NAMES
from rc_env.ruleset import WORKSHOPS

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


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_a_random_game_with_the_module_is_written_and_replayed(players: int, workshop: str) -> None:
    """With each guild at least once."""
    for number, guild in enumerate([*GUILDS, "clergy", "contractors", "lawyers", "random"]):
        if number % 4 == (players + WORKSHOPS.index(workshop)) % 4:
            rules = Ruleset(players, workshop, "base", 40, fourth_guild=guild, special_tiles=True, contractors=True)
            assert check_many(rules, 1, seed=players) > 30


RULESETS = [*rulesets([*GUILDS, "clergy"], 30), *rulesets(["random"], 40, contractors=True)]


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda rules: rules.fourth_guild + ", module" * rules.contractors)
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
    compare_with_notation(record_of(guild, 40, True, players=players))


@pytest.mark.parametrize("workshop", WORKSHOPS)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_quick_writer_says_of_the_module_what_the_notation_says(players: int, workshop: str) -> None:
    guild = ("archivists", "clergy")[WORKSHOPS.index(workshop)]
    compare_with_notation(record_of(guild, 80, True, players=players, workshop=workshop, contractors=True))


def compare_with_notation(record: Record) -> None:
    """The deal, each position, all draws and Ivan's turns, for all and for one seat."""
    rules, view = record.ruleset, record.ruleset.players - 1
    writer = rules.module("record.text").GameText(rules)
    steps = positions(record)
    table = next(steps)
    deal = deal_to_dict(rules, table.games[0])
    assert {key: record.header[key] for key in deal} == deal
    assert ("contracts" in deal) == (rules.fourth_guild == "archivists")
    for number, decision in enumerate(record.decisions):
        before, mask = table.clone(same_future=True), table.legal_mask().copy()
        action = table.text_to_action(decision["action"])
        next(steps)
        game, games = table.games[0], [before.tobytes(), bytes_of(table)]
        assert list(decision["state"].items()) == list(state_to_dict(rules, game).items())
        assert decision.get("draws", []) == draws_to_list(rules, game, names(rules).cards)
        if number in record.ivan:
            turn = {"seat": 1, "point": "ivan turn", **ivan_turn(game, expanded=True)}
            assert list(record.ivan[number].items()) == list(turn.items())
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


def test_ivan_tells_whom_he_hires_and_what_goes_back() -> None:
    """One event names one specialist or two, and one each pair that goes back; refills are beside the rolls."""
    forms = set()
    for seed in range(12):
        for turn in record_of("foremen", 150, players=1, seed=seed, contractors=True).ivan.values():
            words = [event.split() for event in turn["events"]]
            kinds = [word[0] for word in words]
            if "hire" not in kinds:
                assert not {"prestige", "specialists", "return"} & set(kinds) and "draws" not in turn
                continue
            at = kinds.index("hire")
            assert words[at - 1] == ["card", "hire"] and ("prestige" in kinds) == (words[at][1] == "moscow")
            taken = [number for word in words if word[0] == "specialists" for number in word[1:]]
            assert len(turn.get("draws", [])) == len(taken) <= 2
            assert all(len(word) == 3 and word[2] in taken for word in words if word[0] == "return")
            forms.add(" ".join(kinds[at:]))
    assert all(re.fullmatch(r"hire( prestige|( specialists( recognition)?)?( return){0,2})", form) for form in forms)
    assert {"hire prestige", "hire specialists", "hire specialists recognition"} <= forms, forms
    assert any("return" in form for form in forms), forms


def test_specialists_are_drawn_as_the_caller_says() -> None:
    """Those that are in the bag; others, and -1, by chance. From an empty bag none is drawn, and that is on file."""
    rules = Ruleset(4, turn_limit=400, contractors=True)
    engine, texts, drawn = Engine(rules, 1, 1), dict[int, str](), 0
    Recorder(texts.__setitem__, legal=True, state=True).attach(engine)
    rng = np.random.default_rng(1)
    while engine.seat[0] >= 0:
        bag, mask = int(engine.games.bag[0]), engine.legal_mask()[0]
        words = {engine.action_to_text(int(action)): int(action) for action in np.flatnonzero(mask)}
        hiring = [words[word] for word in words if word.split()[0] in ("hire", "engage", "dismiss", "permit", "rubles")]
        wanted = int(rng.integers(-1, 24))
        action = rng.choice(hiring if hiring and rng.random() < 0.7 else list(words.values()))
        engine.step([action], specialists=[[wanted, -1]])
        assert (engine.games.forced_specialist == -1).all() and not engine.games.forced_specialists.any()
        slot, tile = engine.games.log_refill[0]
        if slot >= 0:
            assert tile == wanted or wanted < 0 or not bag >> wanted & 1
            assert (tile >= 0) == (bag > 0)
            drawn += int(tile == wanted)
    record = read_again(texts[0], bytes_of(engine))
    draws = [draw for decision in record.decisions for draw in decision.get("draws", ())]
    assert drawn >= 5 and sum(draw["specialist"] is None for draw in draws) >= 2
    assert record.decisions[-1]["state"]["bag"] == [] and None in record.decisions[-1]["state"]["specialists"]
    for specialists in ([[24]], [[-2]], [[0] * 5], [[0.5]], [0]):
        with pytest.raises(ValueError, match="specialists: "):
            engine.step([0], [0], specialists=specialists)
    with pytest.raises(ValueError, match="with the module Contractors only"):
        Engine(Ruleset(fourth_guild="foremen")).step([0], specialists=[[1]])


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


@pytest.mark.parametrize(("players", "contractors"), [(1, False), (2, False), (4, False), (1, True), (3, True)])
def test_a_record_for_one_seat_leaves_out_what_it_cannot_know(players: int, contractors: bool) -> None:
    """Contracts; all of the module Contractors lies open."""
    rules = Ruleset(players, turn_limit=150, fourth_guild="archivists", contractors=contractors)
    for view in range(players):
        (full, _), (seen, _) = (written(rules, 8, 5, legal=True, state=True, seat=seat) for seat in (None, view))
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
                    assert mine["draws"] == [{"contracts": 3} if "contracts" in d else d for d in other["draws"]]
                else:
                    assert mine.get("draws") == other.get("draws")
                for key in ("contracts", "contract_deck", "drawn_contracts"):
                    state.pop(key, None), known.pop(key, None)
                assert state == known
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


def seed_with_draws(guild: str) -> int:
    """The first seed of a game in which seat 1 draws cards."""
    for seed in range(100):
        decisions = record_of(guild, 60, seed=seed).decisions
        if any("draws" in decision and decision["seat"] == 1 for decision in decisions):
            return seed
    raise AssertionError(f"{guild}: no game with a draw found")


GOOD = record_of("archivists", 60, seed=seed_with_draws("archivists"))
BUILDERS = record_of("master_builders", 60, seed=seed_with_draws("master_builders"))
SEEN = record_of("archivists", 60, seed=seed_with_draws("archivists"), seat=0)


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


def put(line: int, *path: Any) -> Callable[[list[dict[str, Any]]], object]:
    *keys, last, value = path

    def change(lines: list[dict[str, Any]]) -> None:
        place: Any = lines[line]
        for key in keys:
            place = place[key]
        place[last] = value

    return change


def drop(line: int, *path: Any) -> Callable[[list[dict[str, Any]]], object]:
    *keys, last = path

    def change(lines: list[dict[str, Any]]) -> None:
        place: Any = lines[line]
        for key in keys:
            place = place[key]
        del place[last]

    return change


def guild(name: str, **other: Any) -> Callable[[list[dict[str, Any]]], object]:
    """Another guild, or another card, in the place of that guild."""

    def change(lines: list[dict[str, Any]]) -> None:
        next(entry for entry in lines[0]["guilds"] if entry["guild"] == name).update(other)

    return change


DRAW, CARDS_DRAW, UNSEEN = line_of(GOOD, "draws"), line_of(BUILDERS, "draws"), line_of(SEEN, "draws", seat=1)
OTHER = [3, 2, 1] if GOOD.decisions[DRAW - 1]["draws"] != [{"contracts": [3, 2, 1]}] else [1, 2, 3]
HIDDEN = line_of(SEEN, "seat", action="contract ?")
REFUSED: dict[str, tuple[bytes, str]] = {
    "format 1 with keys of format 2": (edited(GOOD, put(0, "record", "red-cathedral/1")), 'unknown key "expansion"'),
    "format 3": (edited(GOOD, put(0, "record", "red-cathedral/3")), 'record: "red-cathedral/3" found'),
    "no expansion": (edited(GOOD, drop(0, "expansion")), 'no "expansion" found'),
    "another expansion": (edited(GOOD, put(0, "expansion_sha256", "0" * 64)), "expansion_sha256: "),
    "a path": (edited(GOOD, put(0, "expansion", "a/b.toml")), "expansion: "),
    "a file that is not there": (edited(GOOD, put(0, "expansion", "mine.toml")), "no such file|no file"),
    "with the module, but without its parts": (edited(GOOD, put(0, "contractors", True)), 'no "cities" found'),
    "cities without the module": (edited(GOOD, put(0, "cities", ["moscow"])), 'unknown key "cities"'),
    "special tiles in a word": (edited(GOOD, put(0, "special_tiles", "yes")), "special_tiles: "),
    "no special tiles": (edited(GOOD, put(0, "special_tiles", True)), "line 2: seat: 0 found, expected 1"),
    "no order of the contracts": (edited(GOOD, drop(0, "contracts")), "no contracts found"),
    "14 contracts": (edited(GOOD, lambda lines: lines[0]["contracts"].pop()), "deal.contracts: 14 numbers"),
    "a contract twice": (edited(GOOD, put(0, "contracts", 0, GOOD.header["contracts"][1])), "deal.contracts: "),
    "contract 16": (edited(GOOD, put(0, "contracts", 0, 16)), "deal.contracts: 16 found"),
    "another order": (
        edited(GOOD, lambda lines: lines[0]["contracts"].reverse()), "draws: |drawn_contracts|contract_deck",
    ),
    "contracts without archivists": (
        edited(BUILDERS, put(0, "contracts", GOOD.header["contracts"])), "contracts found",
    ),
    "two new guilds": (
        edited(GOOD, guild("merchants", guild="thieves")), "unknown guild",
    ),
    "only base guilds": (
        edited(BUILDERS, guild("master_builders", guild="clergy")), "no switch of the expansion is on",
    ),
    "a card of the module": (edited(record_of("jewelers"), guild("jewelers", card=3)), "card 3 of the jewelers found"),
    "a view with a seed": (edited(GOOD, put(0, "view", 0)), 'unknown key "seed"'),
    "a view of nobody": (edited(SEEN, put(0, "view", 2)), "view: 2 found"),
    "a view in format 1": (edited(record_of("clergy"), put(0, "view", 0)), 'unknown key "view"'),
    "no draws": (edited(GOOD, drop(DRAW, "draws")), r"draws: none found, expected \[{"),
    "empty draws": (edited(GOOD, put(DRAW, "draws", [])), r"draws: \[\] found"),
    "other draws": (edited(GOOD, put(DRAW, "draws", 0, "contracts", OTHER)), "draws: .* expected"),
    "draws of two kinds": (edited(GOOD, put(DRAW, "draws", 0, "cards", ["base/1"])), "contracts or cards"),
    "a number of contracts": (edited(GOOD, put(DRAW, "draws", [{"contracts": 3}])), "draws.contracts: 3 found"),
    "draws where nothing is drawn": (edited(GOOD, put(1, "draws", [{"contracts": [1, 2, 3]}])), "draws: "),
    "draws of specialists": (edited(GOOD, put(DRAW, "draws", [{"slot": 1}])), 'unknown key "slot"'),
    "no cards drawn": (edited(BUILDERS, drop(CARDS_DRAW, "draws")), "draws: none found"),
    "an unknown card": (edited(BUILDERS, put(CARDS_DRAW, "draws", 0, "cards", ["attic/1"])), 'draws.cards: "attic/1"'),
    "a card that is in the game": (
        edited(BUILDERS, put(CARDS_DRAW, "draws", 0, "cards", 0, BUILDERS.header["towers"][0][0]["card"])), "draws: ",
    ),
    "an unseen contract": (edited(GOOD, put(HIDDEN, "action", "contract ?")), r'action: "contract \?" found'),
    "a contract that a seat cannot see": (edited(SEEN, put(HIDDEN, "action", "contract 3")), 'action: "contract 3"'),
    "legal actions that a seat cannot see": (edited(SEEN, put(HIDDEN, "legal", ["contract 3"])), "legal: "),
    "drawn contracts that a seat cannot see": (
        edited(SEEN, put(UNSEEN, "draws", [{"contracts": [1, 2, 3]}])), "draws.contracts: ",
    ),
    "a contract that nobody holds": (edited(GOOD, put(DRAW, "state", "contracts", 0, [1])), r"state.contracts\[0\]"),
    "a state without its deck": (edited(GOOD, drop(1, "state", "contract_deck")), "state.contract_deck: nothing found"),
    "a state of another guild": (edited(GOOD, put(1, "state", "foreman", 1)), "state.foreman: 1 found"),
    "no contracts in the result": (
        edited(GOOD, drop(-1, "result", "breakdown", 0, "contracts")), 'no "contracts" found',
    ),
    "contracts in another result": (
        edited(BUILDERS, put(-1, "result", "breakdown", 0, "contracts", 0)), 'unknown key "contracts"',
    ),
    "a wrong sum": (edited(GOOD, put(-1, "result", "breakdown", 0, "contracts", 99)), r"breakdown\[0\].contracts: 99"),
    "draws in format 1": (edited(record_of("clergy"), put(1, "draws", [])), 'unknown key "draws"'),
}  # fmt: skip


# --- what is refused of the module Contractors


def seed_with(wanted: str, **switches: Any) -> int:
    """The first seed of a game with the module in whose text this stands."""
    return next(seed for seed in range(200) if wanted in module_record(seed=seed, **switches).text())


def module_record(**more: Any) -> Record:
    return record_of("archivists", 120, contractors=True, **more)


HIRED = module_record(seed=seed_with('"slot"'))
SOLO = module_record(players=1, seed=seed_with('"return ', players=1))
FILLED = line_of(HIRED, "draws", point="hire")
REFILL = HIRED.decisions[FILLED - 1]["draws"][0]
IN_BAG = HIRED.decisions[FILLED - 1]["state"]["bag"][0]
OFFERED = next(tile for tile in HIRED.decisions[FILLED - 1]["state"]["specialists"] if tile != REFILL["specialist"])
OPEN, MARKET = HIRED.header["cities"][0], HIRED.header["market"].index("permits:1")
IVAN = {number: SOLO.line(number) for number in SOLO.ivan}  # the place, from 0, of each turn of his
TURN = next(number for number, turn in SOLO.ivan.items() if any(event[:6] == "return" for event in turn["events"]))
RETURNS = IVAN[TURN]
EVENTS = SOLO.ivan[TURN]["events"]
SENT, BACK = (next(i for i, event in enumerate(EVENTS) if event.startswith(word)) for word in ("hire", "return"))
LAID = next(number for number, turn in SOLO.ivan.items() if any(event[:7] == "shuffle" for event in turn["events"]))
SHUFFLE = next(i for i, event in enumerate(SOLO.ivan[LAID]["events"]) if event.startswith("shuffle"))
IDLE = next(number for number, turn in SOLO.ivan.items() if "draws" not in turn)


def change(line: int, *path: Any) -> Callable[[list[dict[str, Any]]], object]:
    """Replace the value at the end of the path by what the last argument makes of it."""
    *keys, last, made = path

    def do(lines: list[dict[str, Any]]) -> None:
        place: Any = lines[line]
        for key in keys:
            place = place[key]
        place[last] = made(place[last])

    return do


def event(number: int, text: str) -> bytes:
    """The solo game with another event in the turn in which a pair goes back."""
    return edited(SOLO, put(RETURNS, "events", number, text))


REFUSED |= {
    "the module in a word": (edited(HIRED, put(0, "contractors", "yes")), "contractors: "),
    "the module left out": (edited(HIRED, put(0, "contractors", False)), 'unknown key "cities"'),
    "no cities": (edited(HIRED, drop(0, "cities")), 'no "cities" found'),
    "no specialists": (edited(HIRED, drop(0, "specialists")), 'no "specialists" found'),
    "an unknown city": (edited(HIRED, put(0, "cities", 0, "kiev")), "deal.cities, tower 1: unknown city 'kiev'"),
    "a city over two towers": (edited(HIRED, change(0, "cities", lambda c: [c[0], c[0], *c[2:]])), "found once too"),
    "a tower without a city": (edited(HIRED, change(0, "cities", lambda c: c[:-1])), "deal.cities: 3 cities found"),
    "a city for no tower": (edited(HIRED, change(0, "cities", lambda c: [*c, c[0]])), "deal.cities: 5 cities found"),
    "cities that are closed": (
        edited(HIRED, change(0, "cities", lambda c: [x for x in CITY_NAMES if x not in c] + c[2:])), "cities|hire",
    ),
    "six slots": (edited(HIRED, change(0, "specialists", lambda s: [*s, IN_BAG])), "deal.specialists: 6 numbers"),
    "specialist 25": (edited(HIRED, put(0, "specialists", 0, 25)), "deal.specialists: 25 found"),
    "a specialist twice": (edited(HIRED, change(0, "specialists", lambda s: [s[1], *s[1:]])), "at most once"),
    "an empty slot": (edited(HIRED, put(0, "specialists", 0, None)), "deal.specialists: None found"),
    "no permit tile": (edited(HIRED, put(0, "market", MARKET, "recognition:1")), "market"),
    "no black die": (edited(HIRED, drop(0, "dice", "black")), "deal.dice: no black found"),
    "a black die without the module": (
        edited(GOOD, put(0, "dice", "black", {"space": 0, "value": 1})), "deal.dice: unknown key 'black'",
    ),
    "a guild that needs the module": (
        edited(GOOD, guild("archivists", guild="lawyers", card=1)), "fourth_guild: lawyers found without the module",
    ),
    "no draw": (edited(HIRED, drop(FILLED, "draws")), r"draws: none found, expected \[{\"slot"),
    "another slot": (edited(HIRED, put(FILLED, "draws", 0, "slot", (REFILL["slot"] + 1) % 5)), "draws: .* expected"),
    "another specialist": (edited(HIRED, put(FILLED, "draws", 0, "specialist", IN_BAG)), "specialists|bag"),
    "a specialist on another slot": (edited(HIRED, put(FILLED, "draws", 0, "specialist", OFFERED)), "draws: "),
    "an empty bag": (edited(HIRED, put(FILLED, "draws", 0, "specialist", None)), "draws: .*null"),
    "two refills": (edited(HIRED, change(FILLED, "draws", lambda d: d * 2)), "draws: "),
    "twenty refills": (edited(HIRED, change(FILLED, "draws", lambda d: d * 20)), "draws: "),
    "a slot without a specialist": (edited(HIRED, drop(FILLED, "draws", 0, "specialist")), 'no "specialist" found'),
    "a specialist without a slot": (edited(HIRED, drop(FILLED, "draws", 0, "slot")), 'unknown key "specialist"'),
    "slot 5": (edited(HIRED, put(FILLED, "draws", 0, "slot", 5)), "draws.slot: 5 found"),
    "a slot that is true": (edited(HIRED, put(FILLED, "draws", 0, "slot", True)), "draws.slot: true found"),
    "a draw of specialist 25": (edited(HIRED, put(FILLED, "draws", 0, "specialist", 25)), "draws.specialist: 25"),
    "a draw of specialist 0": (edited(HIRED, put(FILLED, "draws", 0, "specialist", 0)), "draws.specialist: 0"),
    "a refill with cards": (edited(HIRED, put(FILLED, "draws", 0, "cards", [])), 'unknown key "cards"'),
    "a refill that nobody waits for": (edited(HIRED, put(1, "draws", [{"slot": 1, "specialist": 1}])), "draws: "),
    "a draw of nothing": (edited(HIRED, put(FILLED, "draws", [{}])), "expected contracts, cards or a refilled slot"),
    "permits in the state": (edited(HIRED, put(FILLED, "state", "permits", 0, 7)), r"state.permits\[0\]: 7 found"),
    "contractors in the state": (edited(HIRED, put(FILLED, "state", "contractors", 1, 9)), r"state.contractors\[1\]"),
    "an open city": (
        edited(HIRED, change(FILLED, "state", "cities", OPEN, "open", lambda o: not o)), f"state.cities.{OPEN}.open",
    ),
    "contractors in a city": (
        edited(HIRED, put(FILLED, "state", "cities", "tver", "contractors", [3, 3])), "state.cities.tver.contractors",
    ),
    "a city left out": (edited(HIRED, drop(FILLED, "state", "cities", "tver")), "state.cities.tver: nothing found"),
    "the bag": (edited(HIRED, change(FILLED, "state", "bag", lambda b: b[1:])), "state.bag: "),
    "the slots": (edited(HIRED, change(FILLED, "state", "specialists", lambda s: s[::-1])), "state.specialists"),
    "a specialist held": (edited(HIRED, put(FILLED, "state", "specialist", [1, 1])), "state.specialist"),
    "tools": (edited(HIRED, put(FILLED, "state", "tools", [[1], [2]])), "state.tools"),
    "no permits in the supply": (edited(HIRED, drop(FILLED, "state", "supply", "permits")), "state.supply.permits"),
    "no tools in the result": (edited(HIRED, drop(-1, "result", "breakdown", 0, "tools")), 'no "tools" found'),
    "tools in another result": (edited(GOOD, put(-1, "result", "breakdown", 0, "tools", 0)), 'unknown key "tools"'),
    "a wrong score of tools": (edited(HIRED, put(-1, "result", "breakdown", 1, "tools", 99)), "tools: 99 found"),
    "five cards of Ivan's": (edited(SOLO, change(0, "ivan", "cards", lambda c: c[:5])), "deal.ivan.cards: 5 cards"),
    "no black tile of Ivan's": (
        edited(SOLO, change(0, "ivan", "tiles", lambda t: [*t[:5], t[0]])), "deal.ivan.tiles: ",
    ),
    "another city of Ivan's": (event(SENT, "hire kiev"), r"ivan turn.events\[\d+\]: \"hire kiev\" found"),
    "a hire that is not told": (
        edited(SOLO, change(RETURNS, "events", lambda e: [x for x in e if x[:5] != "hire "])), "ivan turn.events",
    ),
    "other specialists": (event(SENT + 1, "specialists 1 2 3"), "ivan turn.events"),
    "a specialist in the words of the log": (event(SENT + 1, "specialist 1"), "events: .* expected an event"),
    "another pair that goes back": (event(BACK, "return 24 24"), "ivan turn.events"),
    "half a pair": (event(BACK, EVENTS[BACK].rsplit(" ", 1)[0]), "ivan turn.events"),
    "prestige in another city": (event(BACK, "prestige 1"), "ivan turn.events"),
    "a shuffle of five dice": (
        edited(SOLO, change(IVAN[LAID], "events", SHUFFLE, lambda e: e.replace(" black", ""))), "expected shuffle with",
    ),
    "no draws of Ivan's": (edited(SOLO, drop(RETURNS, "draws")), "draws|specialists|bag"),
    "no list of Ivan's draws": (edited(SOLO, put(RETURNS, "draws", {})), r"draws: \{\} found"),
    "empty draws of Ivan's": (edited(SOLO, put(RETURNS, "draws", [])), r"draws: \[\] found"),
    "contracts that Ivan draws": (
        edited(SOLO, put(RETURNS, "draws", [{"contracts": [1, 2, 3]}])), 'draws: unknown key "contracts"',
    ),
    "his draws the other way round": (
        edited(SOLO, change(RETURNS, "draws", lambda d: [{**d[0], "slot": (d[0]["slot"] + 1) % 5}, *d[1:]])), "draws",
    ),
    "a draw where he hires nobody": (
        edited(SOLO, put(IVAN[IDLE], "draws", [{"slot": 0, "specialist": 1}])), "ivan turn.draws: ",
    ),
    "his city marker": (
        edited(SOLO, put(1, "state", "ivan", "tower", 9)), "state.ivan.tower: 9 found",
    ),
}  # fmt: skip


def test_the_good_ones_are_taken() -> None:
    for record in (GOOD, BUILDERS, HIRED, SOLO):
        replay(parse(record.text()))
    assert parse(SEEN.text()).view == 0


@pytest.mark.parametrize("fault", REFUSED)
def test_what_does_not_hold_is_refused_in_a_sentence(fault: str) -> None:
    data, words = REFUSED[fault]
    with pytest.raises(RecordError, match=words) as refused:
        replay(parse(data))
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
