"""Tests of games as they lie and fall at a real table: forced rolls, setups, the owner's box, and its data files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from at_a_table import all_that_fell, setup_of

from rc_env import Engine, Ruleset
from rc_env.apps.table import editing, laid_out, own_box
from rc_env.apps.table.falling import Fell, fell_of
from rc_env.apps.table.game import YOU, Game
from rc_env.card_sets import source
from rc_env.record import Recorder, RecordError, parse, replay
from rc_env.rules.printed import data_file, expansion_file

pytestmark = pytest.mark.slow

FULL = {"contractors": True, "special_tiles": True}


@pytest.mark.parametrize(
    ("variant", "kinds"),
    [
        ({"players": 3, "workshop": "advanced", "turn_limit": 40}, {"dice"}),
        ({"players": 1}, {"dice", "tiles"}),
        pytest.param(
            {**FULL, "fourth_guild": "master_builders", "turn_limit": 100}, {"dice", "cards", "specialists"},
            marks=pytest.mark.full,
        ),
        pytest.param(
            {"players": 1, "contractors": True}, {"dice", "tiles", "specialists"}, marks=pytest.mark.full
        ),
    ],
)  # fmt: skip
def test_a_game_is_played_with_what_fell_and_its_record_replays_it(variant: dict[str, Any], kinds: set[str]) -> None:
    ruleset, rng = Ruleset(**variant), np.random.default_rng(3)
    _, deal = setup_of(ruleset, 5)
    game = Game(ruleset, [YOU] * ruleset.players, 7, deal=deal, entered=True)
    asked = set()
    while not game.over:
        action = int(rng.choice(np.flatnonzero(game.engine.legal_mask()[0])))
        fell, questions = all_that_fell(ruleset, lambda fell, action=action: game.ask(action, fell), rng)
        asked.update(question.kind for question in questions)
        game.play(action, fell)
        if rng.random() < 0.05:
            before = game.engine.clone(same_future=True).tobytes()
            back = sum(game.undo() for _ in range(int(rng.integers(1, 6))))
            assert all(game.redo() for _ in range(back))
            assert game.engine.clone(same_future=True).tobytes() == before
    assert asked == kinds
    record = parse(game.record())
    assert {part: record.header[part] for part in deal} == deal and record.new_dice == []
    assert replay(record).games[0].tobytes() == game.engine.games[0].tobytes()
    again = Game(ruleset, [YOU] * ruleset.players, 7, record, entered=True)
    assert again.undo() and again.redo() and again.record() == game.record()


def test_what_is_missing_or_cannot_have_fallen_is_refused_and_nothing_is_played() -> None:
    ruleset = Ruleset()
    game = Game(ruleset, [YOU, YOU], 7, entered=True)
    start = game.engine.text_to_action("move red")
    rng = np.random.default_rng(1)
    game.play(start, all_that_fell(ruleset, lambda fell: game.ask(start, fell), rng)[0])
    before = game.engine.clone(same_future=True).tobytes()
    words = [game.engine.action_to_text(int(action)) for action in np.flatnonzero(game.engine.legal_mask()[0])]
    done = game.engine.text_to_action(next(word for word in words if word == "done"))
    question = game.ask(done, Fell())
    assert question is not None and question.kind == "dice" and "red" in question.choices
    with pytest.raises(ValueError, match="not known yet: dice"):
        game.play(done)
    with pytest.raises(ValueError, match="cannot have fallen here: dice"):
        game.play(done, Fell(dice=(3,) * 9))
    with pytest.raises(ValueError, match="is not legal here"):
        game.ask(start, Fell())
    assert game.engine.clone(same_future=True).tobytes() == before and game.played == 1


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"dice": [7]}, "fell.dice must be a whole number from 1 to 6, not 7"),
        ({"dice": "3"}, "fell.dice must be a list of at most 16"),
        ({"dice": [1] * 17}, "fell.dice must be a list of at most 16"),
        ({"coins": []}, "coins"),
        ({"cards": ["base/99"]}, "base/99"),
        ({"specialists": [0]}, "from 1 to 24"),
        ({"tiles": ["black"]}, "black"),
    ],
)
def test_wrong_words_of_what_fell_are_refused(words: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        fell_of(Ruleset(), words)


@pytest.mark.full
def test_a_game_with_hidden_contracts_cannot_be_entered() -> None:
    with pytest.raises(ValueError, match="whoever enters a game would see them all"):
        Game(Ruleset(fourth_guild="archivists"), [YOU, YOU], 1, entered=True)


# --- setups


def look(setup: dict[str, Any], known: own_box.Known | None = None, **variant: Any) -> laid_out.Checked:
    ruleset = Ruleset(**variant)
    return laid_out.look_through(laid_out.shaped(setup, ruleset), ruleset, known or {})


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"players": 1},
        {"players": 4, "workshop": "advanced"},
        pytest.param({**FULL, "fourth_guild": "jewelers"}, marks=pytest.mark.full),
        pytest.param({"players": 1, "contractors": True, "fourth_guild": "random"}, marks=pytest.mark.full),
    ],
)
def test_a_setup_makes_the_deal_that_lies_there_whatever_is_missing_on_the_way(variant: dict[str, Any]) -> None:
    setup, deal = setup_of(Ruleset(**variant), 5)
    rng, typed = np.random.default_rng(2), json.loads(json.dumps(setup))
    nothing = look({}, **variant)
    assert not nothing.faults and not nothing.doubts and nothing.deal is None and all(nothing.missing.values())
    for part in ("market", "guilds", "cities", "specialists"):
        for i in range(len(typed.get(part, []))):
            typed[part][i] = None if rng.random() < 0.5 else typed[part][i]
    for section in (section for tower in typed["towers"] for section in tower):
        section.update({key: None for key in ("card", "tile") if rng.random() < 0.5})
    partly = look(typed, **variant)
    assert not partly.faults and not partly.doubts and partly.deal is None
    whole = look(setup, **variant)
    assert whole.deal == deal and not whole.faults and not whole.doubts and not any(whole.missing.values())
    assert own_box.files_of(whole.known) == own_box.Files(None, None)


def _card(setup: dict[str, Any]) -> dict[str, Any]:
    card: dict[str, Any] = setup["towers"][0][1]["card"]
    return card


@pytest.mark.parametrize(
    ("change", "part", "words"),
    [
        (lambda s: s["market"].__setitem__(0, s["market"][1]), "market", "occurs more than once"),
        (lambda s: _card(s)["cost"].update(gold=9), "card 1.2", "Section 1.2: cost.gold must be an integer from 1 to"),
        (lambda s: _card(s).update(rubles=40), "card 1.2", "Section 1.2: rubles must be an integer from 0 to"),
        (lambda s: s["heights"].__setitem__(0, 5), "heights", "but six a player are 12"),
        (lambda s: s["towers"][0][1].update(tile=s["towers"][0][0]["tile"]), "towers", "occurs more than once"),
        (lambda s: s["towers"][0][1].update(tile="bread"), "towers", "unknown workshop tile 'bread'"),
        (lambda s: s["guilds"].__setitem__(0, {"guild": "jewelers", "card": 1}), "guilds", "unknown guild 'jewelers'"),
        (lambda s: s["guilds"][0].update(actions=["{ deliver = 9 }", "{ rubles = 1 }"]), "guilds", "1 to 3, not 9"),
        (lambda s: s["dice"].update({die: {"space": 3, "value": 1} for die in s["dice"]}), "dice", "at most 3"),
        (lambda s: s.update(amounts={"market": {"bread": 2}}), "market", "no market tile of 'bread'"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_a_sentence(change: Callable[[Any], Any], part: str, words: str) -> None:
    setup, _ = setup_of(Ruleset(), 5)
    change(setup)
    found = look(setup)
    assert found.deal is None and [fault.part for fault in found.faults] == [part]
    assert words in found.faults[0].sentence and found.faults[0].sentence.endswith(".")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s.update(amounts={"market": {"lumber": 1}}), "a tile of 2 lumber a die"),
        (lambda s: _card(s).update(recognition=0), "recognition on each card"),
        (lambda s: s["dice"]["red"].update(space=(s["market"].index("recognition") + 6) % 8), "The dice begin on"),
    ],
)  # fmt: skip
def test_what_contradicts_a_known_fact_is_a_doubt_and_can_be_played(change: Callable[[Any], Any], words: str) -> None:
    setup, _ = setup_of(Ruleset(), 5)
    change(setup)
    found = look(setup)
    assert not found.faults and found.deal is not None and len(found.doubts) == 1 and words in found.doubts[0]


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        ([], "setup must be an object by part"),
        ({"tables": []}, "tables"),
        ({"market": ["lumber"] * 9}, "market has 9 entries"),
        ({"market": ["a" * 41]}, "at most 40 letters"),
        ({"heights": ["3"]}, "heights must be a whole number"),
        ({"towers": [[{}] * 6]}, "at most 5 sections"),
        ({"towers": [[{"card": {"cost": {"bread": 1}}}]]}, "bread"),
        ({"dice": {"red": {"space": 8}}}, "from 0 to 7"),
        ({"guilds": [{"guild": "clergy", "actions": ["{ deliver"]}]}, "written as in a data file"),
        ({"ivan": {}, "cities": []}, None),
    ],
)
def test_what_is_no_setup_is_refused(setup: Any, reason: str | None) -> None:
    if reason is None:
        assert "cities" not in laid_out.shaped(setup, Ruleset())
        return
    with pytest.raises(ValueError, match=reason):
        laid_out.shaped(setup, Ruleset())


# --- the owner's box


def test_evenings_fill_the_data_file_of_the_owner(tmp_path: Path) -> None:
    known: own_box.Known = {}
    cards = [{"cost": {"gold": 3}, "recognition": 9, "rubles": number} for number in range(1, 5)]
    for evening in (1, 2):  # the same cards on another evening are no more cards
        setup, _ = setup_of(Ruleset(), evening)
        for tower, card in zip(setup["towers"], cards, strict=True):
            tower[0]["card"] = card
        setup["amounts"] = {"market": {"stone": 3}}
        found = look(setup, known)
        assert found.deal is not None
        known = found.known
    shares = {share.part: (share.typed, share.total) for share in own_box.shares(known)}
    assert shares["cards base"] == (4, 10) and shares["market"] == (8, 8) and shares["specialists"] == (0, 24)
    assert shares["plans 2"][0] in (1, 2)
    file, more = tmp_path / "mine.toml", tmp_path / "box.toml"
    file.write_text(own_box.text_of(known))
    more.write_text(own_box.text_of(known, expansion=True))
    read = data_file.load(file)
    assert [card for card in read.tables["cards"]["base"] if card in cards] == cards[::-1]
    assert {"stone": 3} in read.tables["market"]["tile"] and "4 of 10 typed" in file.read_text()
    assert not source.contradicted(read) and not source.contradicted(expansion_file.load(more))
    ruleset = laid_out.with_files(Ruleset(), known, tmp_path)
    game = Game(ruleset, [YOU, YOU], 1, deal=found.deal, entered=True)
    assert parse(game.record(), beside=tmp_path, unfinished=True).ruleset.data_file.sha256 == ruleset.data_file.sha256
    assert look(setup_of(Ruleset(), 9)[0], known).deal is not None


def test_more_cards_than_a_box_holds_are_one_typed_wrongly() -> None:
    cards = [{"cost": {"gold": 3}, "recognition": 9, "rubles": number} for number in range(11)]
    with pytest.raises(ValueError, match=r"11 different cards \(base\) are typed, but the box holds 10"):
        own_box.made({"cards": {"base": cards}})


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (3, "box must be an object by part"),
        ({"coins": {}}, "coins"),
        ({"cards": []}, "box.cards must be an object"),
        ({"cards": {"base": {}}}, "box.cards.base must be a list"),
        ({"cards": {"base": [3]}}, "cards.base"),
        ({"guilds": {"bakers": {"1": []}}}, "bakers"),
        ({"guilds": {"clergy": {"4": []}}}, "numbers 1 to 3"),
        ({"specialists": {"x": {}}}, "numbers 1 to 24"),
        ({"track": [1, 2, 2]}, "must rise"),
        ({"price": {"own": 99}}, "workshop.basic.price.own"),
        ({"plans": {"2": [[3, 3, 3, 4]]}}, "must be 12"),
    ],
)
def test_what_is_no_box_is_refused(document: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        own_box.box_of(document)


# --- positions that are changed by hand


def somewhere(ruleset: Ruleset, decisions: int, seed: int = 3) -> np.ndarray:
    """(1,) GAME, the position after random decisions."""
    engine = Engine(ruleset, 1, seed)
    engine.play_random(decisions)
    return np.array(engine.clone(same_future=True))


@pytest.mark.parametrize(
    "variant",
    [
        {"players": 1},
        {"players": 3, "workshop": "advanced"},
        pytest.param({"contractors": True, "fourth_guild": "jewelers"}, marks=pytest.mark.full),
    ],
)
def test_what_can_be_changed_is_as_it_is_and_changes_what_it_says(variant: dict[str, Any]) -> None:
    ruleset = Ruleset(**variant)
    names = ruleset.build.state.GAME.names
    for decisions in (1, 20, 61, 100):
        game = somewhere(ruleset, decisions)
        fields = editing.editable(ruleset, game[0])
        same = editing.edited(ruleset, game, fields)
        assert {name for name in names if not np.array_equal(same[name], game[name])} == {"version"}
        other = editing.edited(ruleset, game, {"market": fields["market"][::-1], "seats": [{"rubles": 17, "track": 9}]})
        changed = editing.editable(ruleset, other[0])
        expected = {**fields, "market": fields["market"][::-1]}
        expected["seats"] = [{**fields["seats"][0], "rubles": 17, "track": 9}, *fields["seats"][1:]]
        assert changed == expected


def turn_of(ruleset: Ruleset, decisions: int, seed: int = 3) -> np.ndarray:
    """(1,) GAME, a position at the beginning of a turn, after so many random decisions or some more."""
    engine, rng = Engine(ruleset, 1, seed), np.random.default_rng(seed)
    for number in range(1000):
        game = np.array(engine.clone(same_future=True))
        if number >= decisions and editing.turn_begins(ruleset, game[0]):
            return game
        engine.step([int(rng.choice(np.flatnonzero(engine.legal_mask()[0])))])
    raise AssertionError("the game is over")


SEVEN = ("1.1", "1.2", "1.3", "1.4", "2.1", "2.2", "3.1")


def test_the_same_claim_by_hand_and_in_the_game_leaves_the_same_board() -> None:
    """A claim with its tile face down, and the delivery of all that the section misses: but for what it pays."""
    for variant in ({}, {"players": 3, "workshop": "advanced"}, {"players": 1}):
        ruleset = Ruleset(**variant)
        engine = Engine(ruleset, 1, 3)
        before = np.array(engine.clone(same_future=True))
        for words in ("claim 2 from inventory", "place red down"):
            engine.step([ruleset.actions.to_action(words, 0)])
        after = np.array(engine.clone(same_future=True))
        by_hand = editing.edited(ruleset, before, {"sections": {"2.1": {"banner": "red"}}})
        same = ("owner", "claimed", "tile", "goods", "works", "card", "slot_tile", "slot_up", "slot_ornament", "supply")
        for name in (*same, "worth", "presence", "share", "towers", "finished", "ornament", "ending"):
            assert (by_hand[name] == after[name]).all(), name


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"players": 3, "workshop": "advanced"},
        {"players": 1},
        pytest.param({"contractors": True, "fourth_guild": "jewelers"}, marks=pytest.mark.full),
    ],
)
def test_claims_finished_sections_ornaments_and_tiles_are_changed_and_changed_back(variant: dict[str, Any]) -> None:
    """Whatever is changed at random is a position that the engine takes, or is refused in a sentence; and what was
    changed in one step is as it was once it is changed back."""
    ruleset, rng, made, refused, back = Ruleset(**variant), np.random.default_rng(5), 0, 0, 0
    for decisions in (0, 40, 80):
        game = turn_of(ruleset, decisions)
        for _ in range(60):
            fields = editing.editable(ruleset, game[0])
            section = str(rng.choice(list(fields["sections"])))
            there = fields["sections"][section]
            part = str(rng.choice(list(there)))
            one = not there[part] if part == "finished" else str(rng.choice(["red", "blue", "none", "lumber:2"]))
            try:
                changed = editing.edited(ruleset, game, {"sections": {section: {part: one}}})
            except ValueError as error:
                assert len(str(error)) > 20 and "\n" not in str(error)
                refused += 1
                continue
            engine = Engine(ruleset)
            engine.restore(changed)
            assert engine.legal_mask().any()
            after = editing.editable(ruleset, changed[0])
            assert after["sections"][section].get(part) == one
            made += 1
            undone = {part: fields[part] for part in ("sections", "workshops", "seats", "delivered", "market", "dice")}
            try:
                again = editing.edited(ruleset, changed, undone)
            except ValueError:
                again = game  # some take two steps: a tile that two places would hold in between
            else:
                back += 1
            as_before = editing.editable(ruleset, again[0])
            for one_seat in (*fields["seats"], *as_before["seats"]):
                one_seat.pop("banners")  # they go to the inventory first, wherever they were
            assert as_before == fields
            game = changed if rng.random() < 0.5 else game
    assert min(made, refused, back) > 10, (made, refused, back)


def test_a_position_that_was_changed_is_played_to_its_end() -> None:
    for variant in ({"players": 3, "workshop": "advanced"}, {"players": 1}):
        ruleset = Ruleset(**variant)
        before = turn_of(ruleset, 0)
        there = editing.editable(ruleset, before[0])["sections"]
        bases = [name for name, one in there.items() if name.endswith(".1") and one.get("banner") == "none"]
        done, *begun = [bases[0], bases[0].replace(".1", ".2"), *bases[1:3]]
        changes = {
            "sections": {done: {"banner": "red", "finished": True, "ornament": "red"}}
            | {name: {"banner": "red"} for name in begun},
            "seats": [{"rubles": editing.MOST, "track": editing.MOST, "banners": 1}],
            "workshops": [{"green": {"up": True}}],  # on the advanced side the door was there
        }
        game = editing.edited(ruleset, before, changes)
        fields = editing.editable(ruleset, game[0])
        assert fields["seats"][0]["banners"] == 1 and fields["sections"][done]["ornament"] == "red"
        assert set(fields["delivered"]) >= set(begun) and game["works"][0, 0, 3:6].tolist() == [3, 1, 1]
        engine = Engine(ruleset)
        engine.restore(game)
        rng = np.random.default_rng(1)
        while engine.seat[0] >= 0:
            engine.step([int(rng.choice(np.flatnonzero(engine.legal_mask()[0])))])
        assert engine.terminated[0] and engine.results().prestige[0, 0] > 0


def test_the_mark_of_a_position_is_another_after_another_decision() -> None:
    ruleset, marks = Ruleset(), {}
    for place in range(3):
        engine = Engine(ruleset, 1, 3)
        before = editing.mark_of(np.array(engine.clone(same_future=True))[0])
        engine.step([np.flatnonzero(engine.legal_mask()[0])[place]])
        marks[editing.mark_of(np.array(engine.clone(same_future=True))[0])] = before
    assert len(marks) == 3 and len(set(marks.values())) == 1


def test_goods_come_from_the_supply_and_deliveries_go_to_it() -> None:
    ruleset = Ruleset()
    game = next(
        game
        for decisions in range(5, 200)
        for game in [somewhere(ruleset, decisions)]
        if any(sum(one.values()) for one in editing.editable(ruleset, game[0])["delivered"].values())
    )
    before = editing.editable(ruleset, game[0])
    empty = {section: dict.fromkeys(there, 0) for section, there in before["delivered"].items()}
    after = editing.edited(ruleset, game, {"delivered": empty})
    back = sum(sum(there.values()) for there in before["delivered"].values())
    assert (
        after["supply"].sum() == game["supply"].sum() + back
        and editing.editable(ruleset, after[0])["delivered"] == empty
    )
    none = editing.edited(ruleset, game, {"seats": [dict.fromkeys(own_box.packaged()[0]["supply"], 0)] * 2})
    assert none["goods"][0, :, :6].sum() == 0 and none["supply"].sum() >= game["supply"].sum()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([], "changes must be an object"),
        ({"cards": {}}, "cards"),
        ({"seats": [{}, {}, {}]}, "at most 2 objects"),
        ({"seats": [{"doors": 1}]}, "doors"),
        ({"seats": [{"lumber": 25}]}, "lumber more than the box holds"),
        ({"seats": [{"lumber": 15}]}, "this cannot lie there: goods: more materials than the inventory"),
        ({"seats": [{"track": -1}]}, "track of red must be a whole number from 0"),
        ({"seats": [{"track": 30000}]}, "track of red must be a whole number from 0 to 999, not 30000"),
        ({"seats": [{"rubles": 1000}]}, "rubles of red must be a whole number from 0 to 999, not 1000"),
        (
            {"dice": {"red": {"space": 1}, "blue": {"space": 1}, "green": {"space": 1}, "white": {"space": 1}}},
            "at most 3",
        ),
        ({"dice": {"black": {}}}, "black"),
        ({"dice": {"red": {"value": 0}}}, "dice.red.value must be a whole number from 1 to 6"),
        ({"market": ["lumber:2"] * 8}, "the eight tiles of the market in another order"),
        ({"delivered": {"9.1": {}}}, "9.1"),
        ({"turn_of": "green"}, "green"),
        ({"seats": [{"banners": 3}]}, "red has 6 banners on no section, of which 4 to 4 lie in the inventory, not 3"),
        ({"sections": {"1.2": {"banner": "red"}}}, "section 1.1 has no banner, but one above it has"),
        ({"sections": {"1.1": {"banner": "green"}}}, "the banner on section 1.1"),
        ({"sections": {"1.1": {"finished": True}}}, "section 1.1 would be finished, but nobody has claimed it"),
        ({"sections": {"1.1": {"finished": 1}}}, "whether section 1.1 is finished must be"),
        (
            {"sections": {"1.1": {"banner": "red", "ornament": "red"}}},
            "section 1.1 is not finished, so that no ornament can be on it",
        ),
        ({"sections": {"1.1": {"banner": "red", "tile": "die:red"}}}, "its workshop tile lies in a workshop"),
        ({"sections": {"1.1": {"tile": "special:die"}}}, "the tile of section 1.1"),
        ({"sections": {"1.1": {"walls": 3}}}, "there is no 'walls' here"),
        ({"sections": {"9.1": {}}}, "there is no '9.1' here"),
        ({"sections": {one: {"banner": "red"} for one in SEVEN}}, "red would have claimed 7 sections, and has 6 ban"),
        ({"workshops": [{"red": {"tile": "die:red"}}]}, "red has claimed 0 sections, and would have 1 tiles"),
        ({"workshops": [{"white1": {"tile": "banner"}}]}, "what lies in slot white1 of red"),
        ({"workshops": [{"red": {"up": True}}]}, "no tile lies in slot red of red that could lie face up"),
        ({"workshops": [{}, {}, {}]}, "a list of at most 2 objects"),
        ({"workshops": [{"black": {}}]}, "there is no 'black' here"),
    ],
)
def test_what_the_box_does_not_hold_is_refused(changes: Any, reason: str) -> None:
    ruleset = Ruleset()
    engine = Engine(ruleset, 1, 3)
    with pytest.raises(ValueError, match=reason):
        editing.edited(ruleset, np.array(engine.clone(same_future=True)), changes)


def test_the_turn_can_be_given_to_another_seat_where_it_begins() -> None:
    ruleset = Ruleset()
    engine = Engine(ruleset, 1, 3)
    game = editing.edited(ruleset, np.array(engine.clone(same_future=True)), {"turn_of": "blue"})
    engine.restore(game)
    assert engine.seat[0] == 1
    engine.step([engine.legal_mask()[0].argmax()])
    for part, value in (("turn_of", "red"), ("sections", {}), ("workshops", [])):
        with pytest.raises(ValueError, match=f"{part} can be changed only where a turn begins"):
            editing.edited(ruleset, np.array(engine.clone(same_future=True)), {part: value})


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"players": 1},
        pytest.param({"contractors": True, "fourth_guild": "master_builders"}, marks=pytest.mark.full),
    ],
)
def test_a_record_that_begins_with_a_position_is_replayed(variant: dict[str, Any]) -> None:
    ruleset, rng = Ruleset(**variant), np.random.default_rng(1)
    engine, texts = Engine(ruleset, 1, 3), {}
    recorder = Recorder(texts.__setitem__, state=True, legal=True)
    recorder.attach(engine)
    with pytest.raises(ValueError, match="no position was put in the place"):
        recorder.begin()
    game = somewhere(ruleset, 40, 9)
    game["key"] = engine.games.key
    engine.restore(game)
    recorder.begin()
    kept = engine.clone(same_future=True)
    for _ in range(2):  # an undo to the very beginning
        engine.restore(kept)
        for _ in range(25):
            engine.step([rng.choice(np.flatnonzero(engine.legal_mask()[0]))])
    text = recorder.unfinished({"seat": 0, "bots": ["random"] * (ruleset.players - 1)})
    record = parse(text, unfinished=True)
    assert record.text() == text and len(record.decisions) == 25
    assert replay(record).games[0].tobytes() == engine.games[0].tobytes()
    game = Game(ruleset, [YOU] * ruleset.players, 3, record)
    assert game.played == 25 and parse(game.record(), unfinished=True).header == record.header
    while engine.seat[0] >= 0:
        engine.step([rng.choice(np.flatnonzero(engine.legal_mask()[0]))])
    assert replay(parse(texts[0])).results().prestige.tolist() == engine.results().prestige.tolist()


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("rubles", [99_999] * 4, "rubles: a value found that is not from 0 to 30000"),
        ("goods", 3, "position.goods must be a list of 4 numbers, not 3"),
        ("turn", True, "position.turn must be a whole number"),
        ("supply", [0] * 8, "supply, goods, card: other materials than the box holds"),
        ("coins", [], "coins"),
        ("rolled_count", 25, "rolled_count: a value found that is not from 0 to 24"),
        ("rolled_count", -1, "rolled_count: a value found that is not from 0 to 24"),
        ("stack", [[-2] * 5] * 8, "stack: a value found that is not from -1 to"),
        ("ivan_turns", 9, "ivan_turns: something of Ivan's, who does not play in this game"),
        ("ivan_dealt", -1, "ivan_dealt: something of Ivan's"),
        ("ivan_event", [[5, 5]] * 20, "ivan_event: something of Ivan's"),
    ],
)
def test_a_position_that_is_none_is_refused_with_its_line(field: str, value: Any, reason: str) -> None:
    ruleset = Ruleset()
    game = Game(ruleset, [YOU, YOU], 3)
    record = parse(game.record(), unfinished=True)
    begun = editing.begun_with(record, somewhere(ruleset, 30)).text()
    first, last = begun.splitlines()
    header = json.loads(first)
    assert parse(begun, unfinished=True).decisions == []
    header["position"][field] = value
    with pytest.raises(RecordError, match=f"line 1: .*{reason}"):
        parse(f"{json.dumps(header)}\n{last}\n", unfinished=True)


def test_a_record_for_one_seat_begins_with_no_position() -> None:
    engine, recorder = Engine(), Recorder(print, seat=0)
    recorder.attach(engine)
    engine.restore(somewhere(Ruleset(), 10))
    with pytest.raises(ValueError, match="a record for one seat cannot begin with a position"):
        recorder.begin()
