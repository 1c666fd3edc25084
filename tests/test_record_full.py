"""Tests of records of the full game, format 2: written, read, replayed to the same bytes; and records for one seat."""

from __future__ import annotations

import copy
import json
import re

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
    record_of,
    rulesets,
    written,
)  # fmt: skip
from positions import state_to_dict
from variants import guilds_by_variant

from rc_env import Engine, Ruleset
from rc_env.build import in_build
from rc_env.record import Record, Recorder, RecordError, parse, positions, replay
from rc_env.record.text import GameText
from rc_env.ruleset import WORKSHOPS
from rc_env.words.expansion_notation import draws_to_list
from rc_env.words.notation import deal_to_dict, dict_to_deal, ivan_turn, names

pytestmark = pytest.mark.full


# --- writing


@guilds_by_variant(GUILDS)
def test_a_random_game_is_written_and_replayed(guild: str, players: int, workshop: str) -> None:
    special_tiles = (GUILDS.index(guild) + players) % 2 == 0
    rules = Ruleset(players, workshop, turn_limit=40, fourth_guild=guild, special_tiles=special_tiles)
    assert check_many(rules, 1, seed=players) > 30


@pytest.mark.parametrize(("players", "workshop"), VARIANTS)
def test_a_random_game_with_the_module_is_written_and_replayed(players: int, workshop: str) -> None:
    """Each guild occurs at least once."""
    for number, guild in enumerate([*GUILDS, "clergy", "contractors", "lawyers", "random"]):
        if number % 4 == (players + WORKSHOPS.index(workshop)) % 4:
            rules = Ruleset(players, workshop, turn_limit=40, fourth_guild=guild, special_tiles=True, contractors=True)
            assert check_many(rules, 1, seed=players) > 30


RULESETS = [*rulesets([*GUILDS, "clergy"], 30), *rulesets(["random"], 40, contractors=True)]


@pytest.mark.parametrize(
    "ruleset",
    [pytest.param(one, marks=[pytest.mark.long] * ((i // len(VARIANTS) + i) % 2)) for i, one in enumerate(RULESETS)],
    ids=lambda rules: rules.fourth_guild + ", module" * rules.contractors,
)
def test_the_second_implementation_reads_and_writes_the_same(ruleset: Ruleset) -> None:
    """All of its lines are compared both ways; `make cross` plays whole games, and more of them."""
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
    with pytest.raises(AssertionError, match="bytes of the replayed game differ"):
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
    """Compare the deal, each position, all draws and Ivan's turns with the notation, for all seats and for one."""
    rules, view = record.ruleset, record.ruleset.players - 1
    writer = in_build(GameText, rules.full)(rules)
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
        shown = json.loads(writer.decisions([action], games, mask, state=True, view=view).splitlines()[0])
        assert shown["state"] == state_to_dict(rules, game, view=view)
        hidden = decision["seat"] != view and decision["point"] in ("keep", "return")
        assert shown["action"] == ("contract ?" if hidden else decision["action"])
        assert hidden or shown["legal"] == decision["legal"]


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_with_the_clergy_is_a_base_game(players: int) -> None:
    """If the clergy is named or drawn, the text is that of the base game with the same seed, to the last byte."""
    drawn = Ruleset(players, turn_limit=30, fourth_guild="random", promos=True)
    base, clergy = Ruleset(players, turn_limit=30), drawn.data_file.guilds.index("clergy")
    seeds = [seed for seed in range(60) if (Engine(drawn, 1, seed).games.guild[0] == clergy).any()]
    texts = [written(rules, seed=seeds[0], legal=True, state=True)[0][0] for rules in (drawn, base)]
    assert texts[0] == texts[1] and parse(texts[0]).header["record"] == "red-cathedral/1"
    card = Ruleset(players, turn_limit=30, fourth_guild="clergy:2")
    record = parse(written(card, legal=True, state=True)[0][0])
    assert not record.expanded and not record.ruleset.full and replay(record).games.status[0] > 0
    assert {"guild": "clergy", "card": 2} in record.header["guilds"]


def test_ivans_move_is_one_event() -> None:
    forms = set()
    for turn in (turn for seed in range(4) for turn in record_of("foremen", 60, players=1, seed=seed).ivan.values()):
        forms.add(" ".join(event.split()[0] for event in turn["events"]))
    move = r"(move|blocked)( recognition)? card"
    assert all(re.fullmatch(rf"(adorn )?(shuffle )?{move}( claim|( complete)+)?", form) for form in forms), forms
    assert any("recognition" in form for form in forms)


def test_ivan_tells_whom_he_hires_and_what_goes_back() -> None:
    """One event names one or two specialists, another each pair that goes back; refills are beside the rolls."""
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
    """Forced specialists are drawn if they are in the bag; others, and -1, mean chance.

    An empty bag is recorded, too.
    """
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
        with pytest.raises(ValueError, match="specialists must be "):
            engine.step([0], [0], specialists=specialists)
    with pytest.raises(ValueError, match="specialists must be left out without the module Contractors"):
        Engine(Ruleset(fourth_guild="foremen")).step([0], specialists=[[1]])


def test_cards_are_drawn_as_the_caller_says() -> None:
    """Forced cards are drawn if they are in the deck; others, and -1, mean chance."""
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
                there[1] &= cards[1] != log[0]  # the first card has left the deck by then
                assert all(log[i] == cards[i] for i in range(2) if there[i] and log[i] >= 0)
                drawn += sum(there)
    assert drawn >= 10
    for cards in ([[1]], [[1, 99]], [[0.5, 1]]):
        with pytest.raises(ValueError, match="cards must "):
            engine.step([0], [0], cards=cards)
    with pytest.raises(ValueError, match="cards must be left out, since this is the base game"):
        Engine().step([0], cards=[[1, 2]])


# --- for one seat


@pytest.mark.parametrize(
    ("players", "contractors"),
    [
        (1, False),
        (2, False),
        (1, True),
        pytest.param(4, False, marks=pytest.mark.long),
        pytest.param(3, True, marks=pytest.mark.long),
    ],
)
def test_a_record_for_one_seat_leaves_out_what_it_cannot_know(players: int, contractors: bool) -> None:
    """The hidden contracts are left out; the components of the module Contractors are all public."""
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
            with pytest.raises(
                RecordError,
                match=r"line 1: the record is that of seat .*, which leaves out what that seat does not know",
            ):
                replay(part)
        assert players == 1 or hidden


# --- deals


def test_a_deal_of_the_full_game_is_fixed_as_asked() -> None:
    rules = Ruleset(fourth_guild="random", promos=True)
    engine = Engine(rules, 40, seed=4)
    deals = [deal_to_dict(rules, game) for game in engine.games]
    assert len({g["guild"] for deal in deals for g in deal["guilds"]}) > 8
    engine.reset(deals=np.concatenate([dict_to_deal(rules, copy.deepcopy(deal)) for deal in deals]))
    assert [deal_to_dict(rules, game) for game in engine.games] == deals
    with pytest.raises(ValueError, match="cannot be together"):
        guilds = [{"guild": name} for name in ("clergy", "thieves", "merchants", "craftsmen")]
        dict_to_deal(rules, {"guilds": guilds})
    with pytest.raises(ValueError, match="unknown guild 'clergy'"):
        dict_to_deal(Ruleset(fourth_guild="thieves"), {"guilds": [{"guild": "clergy"}] * 4})
