"""Ivan, the opponent in the solo game (R-30, R-31)."""

from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from table import BASE_DIE_NAMES, MATERIAL_NAMES, Table, plain_deal, variant
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.jit import records
from rc_env.rules import chance, setup
from rc_env.rules.points import NO_EFFECT, Point
from rc_env.rules.printed.sizes import ADORNED, CLAIMED, EVENTS, FINISHED
from rc_env.rules.printed.vocabulary import NO_CONDITION
from rc_env.rules.solo import events as ivan_events
from rc_env.rules.solo import ivan
from rc_env.rules.solo.ivan import CARDS
from rc_env.words.notation import ivan_turn, rolls_to_list

IVAN = 1


class Solo(Table):
    """A solo game in which `card` is Ivan's next card and `die` the die on its tile."""

    def __init__(self, card: str = "recognition", die: str = "red", *, workshop: str = "basic", **settings) -> None:
        super().__init__(1, workshop, **settings)
        self.row(card, die)

    def row(self, card: str, die: str = "red") -> Table:
        """Put the card first in the row and the die first among the tiles, and turn all of them face up."""
        for field, first in (
            (self.game.ivan_card, CARDS.index(card)),
            (self.game.ivan_tile, BASE_DIE_NAMES.index(die)),
        ):
            field[:] = [first, *(i for i in range(5) if i != first)]
        self.game.ivan_up[:] = 1
        return self

    def ivan(self, dice: list[int] | None = None, mixed: str = "") -> Table:
        """End the player's turn without a main action; Ivan's dice show these values."""
        self.game.stack[0] = (Point.END, NO_EFFECT, 0, 0, 0)
        if self.game.track[0] > 5:  # an optional action is legal, so the turn has to be ended
            return self.play("done", dice=dice, mixed=mixed)
        self.game.stack[1], self.game.depth = (Point.TAKE, NO_EFFECT, 0, 1, 1), 2
        return self.play("take 0", dice=dice, mixed=mixed)

    @property
    def events(self) -> list[str]:
        return ivan_turn(self.engine.games[0])["events"]

    @property
    def rolls(self) -> list[dict[str, int]]:
        return ivan_turn(self.engine.games[0])["rolls"]

    def goods(self, card: str) -> dict[str, int]:
        """Return the materials on Ivan's `inventory` or `construction` card."""
        row = self.game.ivan_goods[("inventory", "construction").index(card), :6]
        return {name: int(n) for name, n in zip(MATERIAL_NAMES, row, strict=True) if n}

    def laid(self, name: str) -> tuple[dict[str, int], int]:
        """Return the materials on a section of Ivan's, and how many it lacks."""
        row = self.game.card[self.section(name)]
        return {m: int(n) for m, n in zip(MATERIAL_NAMES, row[:6], strict=True) if n}, int(row[6])

    def tiles(self) -> list[tuple[str, bool]]:
        return [(BASE_DIE_NAMES[die], bool(up)) for die, up in zip(self.game.ivan_tile, self.game.ivan_up, strict=True)]

    def face_down(self) -> Table:
        self.game.ivan_up[:] = 0
        return self

    def his(self, *names: str) -> Table:
        """Make these sections Ivan's, finished."""
        return self.finish(IVAN, *names)


# --- setup


def dealt(bases: list[int], tiles: dict[int, str] | None = None) -> Table:
    """Return a game just dealt with these base cards, counted from 1, on the towers."""
    table = Table(1)
    deal = plain_deal(table.ruleset)
    first = [int(table.game.first[tower]) for tower in range(4)]
    deal[0].number[first] = [base - 1 for base in bases]
    for section, tile in (tiles or {}).items():
        deal[0].tile[section] = table.tile_kind(tile)
    table.engine.reset(deals=deal)
    return table


@pytest.mark.parametrize(
    ("bases", "tower"), [([1, 2, 3, 4], 1), ([5, 1, 9, 8], 3), ([5, 9, 10, 8], 3), ([5, 7, 6, 8], 2)]
)
def test_r30a_the_first_claim_is_the_base_with_most_recognition_of_equals_the_leftmost(
    bases: list[int], tower: int
) -> None:
    table = dealt(bases)
    assert [int(table.game.owner[table.section(f"{t}.1")]) for t in range(1, 5)] == [
        IVAN if t == tower else -1 for t in range(1, 5)
    ]
    assert (table.game.owner == IVAN).sum() == 1 and table.game.works[IVAN, CLAIMED] == 1
    assert table.seat == 0 and table.point == "start" and table.game.turn == 1


def test_r30a_he_gains_the_recognition_of_a_recognition_tile_there_and_nothing_of_another_tile() -> None:
    assert dealt([1, 2, 3, 4], {0: "recognition:1"}).track.tolist()[:2] == [2, 3]
    assert dealt([1, 2, 3, 4], {0: "die:white"}).track.tolist()[:2] == [2, 2]
    assert dealt([1, 2, 3, 4], {0: "rubles:2"}).rubles.tolist()[:2] == [3, 0]


def test_r30a_the_tile_leaves_the_game() -> None:
    table = dealt([1, 2, 3, 4])
    assert table.game.tile[0] == -1 and (table.game.slot_tile == -1).all()
    assert (table.game.tile[:12] >= 0).sum() == 11


@pytest.mark.parametrize("workshop", ["basic", "advanced"])
def test_r30_he_has_six_banners_four_ornaments_and_no_board(workshop: str) -> None:
    table = Table(1, workshop)
    assert table.banners(IVAN) == {"inventory": 0, "spare": 5, "white1": 0, "white2": 0}
    assert table.ornaments(IVAN) == {"door": 1, "arch": 2, "cross": 1}
    assert table.rubles[IVAN] == 0 and (table.game.slot_ornament[IVAN] == -1).all()
    kept = {"inventory": 4, "spare": 0, "white1": 1, "white2": 1} if workshop == "advanced" else {}
    assert table.banners(0) == (kept or {"inventory": 4, "spare": 2, "white1": 0, "white2": 0})


def test_r30_his_cards_and_tiles_are_drawn_or_fixed() -> None:
    engine = Engine(Ruleset(players=1), 400, seed=3)
    for field in ("ivan_card", "ivan_tile"):
        rows = engine.games[field]
        assert (np.sort(rows, 1) == np.arange(5)).all() and len(np.unique(rows, axis=0)) > 90
    assert (engine.games.ivan_up == 1).all()
    deal = setup.open_deal()
    deal[0].ivan_card[:], deal[0].ivan_tile[:] = (4, 3, 2, 1, 0), (1, 0, 2, 4, 3)
    engine.reset(deals=deal)
    assert (engine.games.ivan_card == (4, 3, 2, 1, 0)).all() and (engine.games.ivan_tile == (1, 0, 2, 4, 3)).all()
    deal[0].ivan_card[:], deal[0].ivan_tile[:] = (0, 3, 2, 1, 4), (0, 1, 2, 4, 3)
    engine.reset(deals=deal)
    assert (engine.games.ivan_card == (0, 3, 2, 1, 4)).all() and (engine.games.ivan_tile == (0, 1, 2, 4, 3)).all()


def test_r30_r7_the_second_copies_of_the_die_tiles_are_not_dealt() -> None:
    engine = Engine(Ruleset(players=1), 300, seed=5)
    kinds = np.concatenate([engine.games.tile[:, :12], engine.games.ivan_dealt[:, None]], 1)
    assert all(len(set(row[row >= 0].tolist())) == 12 for row in kinds)


# --- Ivan's turn: die and tile


def test_r30b_the_leftmost_face_up_tile_moves_its_die_and_is_turned() -> None:
    table = Solo()
    table.game.ivan_up[:] = (0, 0, 1, 1, 0)
    table.ivan(dice=[6])
    # The clergy at space 6 gives the recognition.
    assert table.events == ["move yellow", "recognition 1", "card transport"]
    assert table.space_of("yellow") == 6 and table.tiles()[2:4] == [("yellow", False), ("green", True)]
    assert table.rolls == [{"yellow": 6}] and table.value_of("yellow") == 6
    assert table.seat == 0 and table.point == "start" and table.game.turn == 3


def test_r30b_all_dice_on_the_space_are_rolled() -> None:
    table = Solo("transport", "blue").dice(red=(4, 2), green=(4, 1))
    table.ivan(dice=[5, 6, 3])
    assert table.rolls == [{"red": 5, "blue": 6, "green": 3}] and table.value_of("white") == 5


def test_r30b_a_space_with_three_other_dice_blocks_the_die_and_the_tile_is_turned_all_the_same() -> None:
    table = Solo("recognition", "red").dice(red=(7, 1), blue=(0, 4), yellow=(0, 5), green=(0, 6))
    table.resource(0, "recognition").guild("clergy", 1, 0)
    before = table.game.die_value.copy()
    table.ivan()
    assert table.events == ["blocked red", "card recognition", "recognition 4"]
    assert table.space_of("red") == 7 and (table.game.die_value == before).all() and table.rolls == []
    assert table.tiles()[0] == ("red", False) and table.track[IVAN] == 6


def test_r30b_recognition_of_the_space_times_the_dice_on_it() -> None:
    table = Solo("transport", "red").resource(0, "recognition").dice(blue=(0, 1), white=(0, 1))
    table.ivan()
    assert table.track[IVAN] == 2 + 3 and table.events[:2] == ["move red", "recognition 3"]


def test_r30b_he_gains_no_other_resource() -> None:
    table = Solo("transport", "red").dice(blue=(0, 1))
    before = table.game.supply.copy()
    table.ivan()
    assert (table.game.supply == before).all() and table.track[IVAN] == 2
    assert table.hand(IVAN) == {} and table.rubles[IVAN] == 0


@pytest.mark.parametrize(("card", "gained"), [(1, 1), (2, 0), (3, 1)])
def test_r30b_recognition_that_a_guild_gives_for_nothing(card: int, gained: int) -> None:
    """The clergy's first and third card give it freely; the second one needs sections of each type, or prestige."""
    table = Solo("transport", "red").guild("clergy", card, 0)
    table.his("1.1", "1.2", "1.3")  # Ivan has one section of each type, which does not count
    table.ivan()
    assert table.track[IVAN] == 2 + gained


def test_r30b_only_what_has_no_price_no_payment_and_no_condition_is_for_nothing() -> None:
    rules = Table(1).ruleset.rules
    asked, row = 0, records(rules)[0]
    for effect in range(2 * int(rules[0].first_influence[-1])):
        wanted = (rules[0].effect_price[effect], rules[0].effect_payments[effect])
        free = not any(wanted) and rules[0].effect_condition[effect] == NO_CONDITION
        assert ivan.is_free(row, effect) == free
        asked |= 1 << (2 * bool(wanted[0]) + bool(wanted[1]))
    assert asked == 0b1111  # all four kinds of guild actions occur: one of the two, both, none


def test_r30b_his_rolls_come_from_streams_of_their_own() -> None:
    """Ivan's rolls do not affect the player's: the player's next roll of a die is the same."""
    ruleset, shown = Ruleset(players=1), []
    for first in (0, 4):
        deal = plain_deal(ruleset)
        deal[0].ivan_tile[:] = np.roll(np.arange(5), first)  # Ivan moves and rolls the red die, or the blue one
        engine = Engine(ruleset, 1)
        engine.reset(deals=deal, deal_seeds=[9])
        for words in ("move white", "done"):
            engine.step([engine.text_to_action(words)])
        rolled = ivan_turn(engine.games[0])["rolls"]
        games = writeable(engine)
        games.die_space[0, :5], games.die_value[0, :5] = (0, 2, 3, 4, 5), 3
        games.crowd[0] = np.bincount(engine.games.die_space[0, :5], minlength=8)
        engine.restore(engine.clone(same_future=True))
        for words in ("move red", "done"):
            engine.step([engine.text_to_action(words)])
        shown.append((rolled, engine.games.rolls[0].tolist(), rolls_to_list(engine.games[0])))
    assert shown[0][0] != shown[1][0] and shown[0][1:] == shown[1][1:]


@pytest.mark.parametrize("die", range(5))
def test_r30b_what_he_rolls_follows_from_the_key_and_his_turn(die: int) -> None:
    table = Solo("transport", BASE_DIE_NAMES[die])
    for turn in range(2):
        table.row("transport", BASE_DIE_NAMES[die]).ivan()
        expected = 1 + int(chance.below(table.game.key, chance.IVAN_DICE + die, turn, 6))
        assert table.value_of(BASE_DIE_NAMES[die]) == expected


def test_r30_only_the_solo_game_has_actions_for_him() -> None:
    for words in ("ivan claim 1", "ivan adorn 1.1"):
        assert Table(1).engine.text_to_action(words) > 0
        with pytest.raises(ValueError, match="ivan"):
            Table(2).engine.text_to_action(words)


def test_r30b_with_all_tiles_face_down_they_are_mixed_and_laid_anew_before_his_turn() -> None:
    table = Solo("transport").face_down()
    table.ivan(mixed="white green blue yellow red")
    assert table.events[:2] == ["shuffle white green blue yellow red", "move white"]
    assert table.tiles() == [("white", False), ("green", True), ("blue", True), ("yellow", True), ("red", True)]


def test_r30b_the_ornament_step_comes_first() -> None:
    table = Solo("transport").finish(0, "2.1").face_down()
    table.ivan(mixed="red blue yellow green white")
    assert [event.split()[0] for event in table.events][:3] == ["adorn", "shuffle", "move"]
    table = Solo("transport").finish(0, "2.1")
    table.ivan()
    assert table.events[0] == "move red"  # no tiles are laid anew while one is face up


def test_r30b_the_mix_follows_from_the_key_and_his_turn() -> None:
    table = Solo("transport").face_down()
    table.game.ivan_turns = 3
    table.ivan()
    expected = list(range(5))
    for i in (4, 3, 2, 1):
        j = int(chance.below(table.game.key, chance.IVAN_MIX, 3 * 5 + i, i + 1))
        expected[i], expected[j] = expected[j], expected[i]
    assert [die for die, _ in table.tiles()] == [BASE_DIE_NAMES[die] for die in expected]


def test_r30b_tiles_are_mixed_by_chance() -> None:
    rows = set()
    for seed in range(60):
        table = Solo("transport", seed=seed).face_down()
        table.ivan()
        rows.add(tuple(die for die, _ in table.tiles()))
    assert len(rows) > 30


# --- Ivan's turn: cards


def test_r30c_recognition_gives_four() -> None:
    table = Solo("recognition").ivan()
    assert table.track[IVAN] == 6 and table.events[-2:] == ["card recognition", "recognition 4"]


def test_r30c_inventory_takes_one_at_a_time_from_the_largest_pile_of_equal_ones_the_first() -> None:
    table = Solo("inventory").stock(lumber=3, brick=5, stone=5, gold=4, green_gem=1, purple_gem=0)
    table.ivan()
    assert table.goods("inventory") == {"brick": 2, "stone": 2}  # taken from supplies of 5 5 4, 4 5 4, 4 4 4, 3 4 4


def test_r30c_inventory_takes_fewer_if_the_supply_is_empty() -> None:
    table = Solo("inventory").stock(lumber=0, brick=0, stone=1, gold=0, green_gem=0, purple_gem=1)
    table.ivan()
    assert table.goods("inventory") == {"stone": 1, "purple_gem": 1}
    assert (table.game.supply[:6] == 0).all()


def test_r30c_transport_moves_everything_to_construction() -> None:
    table = Solo("transport")
    table.game.ivan_goods[0, :3], table.game.ivan_goods[1, 0] = (1, 2, 3), 1
    table.game.supply[:3] -= (2, 2, 3)
    table.ivan()
    assert table.goods("inventory") == {} and table.goods("construction") == {"lumber": 2, "brick": 2, "stone": 3}
    table.row("transport").ivan()
    assert table.goods("construction") == {"lumber": 2, "brick": 2, "stone": 3}


def test_r30c_claim_directly_above_the_player_claimed_or_finished() -> None:
    table = Solo("claim").claim(0, "2.1").finish(0, "3.1")
    table.ivan()
    assert table.point == "ivan" and table.seat == 0 and table.game.turn == 2
    assert table.legal() == {"ivan claim 2", "ivan claim 3"}
    table.play("ivan claim 3")
    assert table.game.owner[table.section("3.2")] == IVAN and table.events[-1] == "claim 3"
    assert table.seat == 0 and table.point == "start" and table.game.turn == 3
    assert table.banners(IVAN)["spare"] == 4


def test_r30c_else_bases_else_any_section() -> None:
    table = Solo("claim").ivan()  # the player owns nothing and Ivan owns 1.1: he claims a base
    assert table.legal() == {"ivan claim 2", "ivan claim 3", "ivan claim 4"}
    table = Solo("claim").claim(IVAN, "2.1", "3.1", "4.1").ivan()
    assert table.legal() == {f"ivan claim {tower}" for tower in range(1, 5)}
    # Ivan has already claimed the section above the player's.
    table = Solo("claim").claim(0, "2.1").claim(IVAN, "2.2").ivan()
    assert table.legal() == {"ivan claim 3", "ivan claim 4"}


def test_r30c_a_single_candidate_is_no_decision() -> None:
    table = Solo("claim").claim(0, "4.1").ivan()
    assert table.game.owner[table.section("4.2")] == IVAN and table.point == "start"


def test_r30c_without_a_banner_he_claims_nothing() -> None:
    table = Solo("claim").claim(0, "4.1").claim(IVAN, "2.1", "2.2", "2.3", "3.1", "3.2").ivan()
    assert table.banners(IVAN)["spare"] == 0 and table.point == "start"
    assert table.events == ["move red", "card claim"] and table.game.claimed[3] == 1


def test_r30c_his_claims_give_the_recognition_of_a_recognition_tile_and_take_every_tile_out_of_the_game() -> None:
    table = Solo("claim").claim(0, "4.1").tile("4.2", "recognition:1").ivan()
    assert table.track[IVAN] == 3 and table.game.tile[table.section("4.2")] == -1
    assert table.events[-2:] == ["claim 4", "recognition 1"]


def store(table: Solo, **materials: int) -> Solo:
    """Move materials from the supply onto Ivan's Construction card."""
    for material, count in materials.items():
        table.game.ivan_goods[1, MATERIAL_NAMES.index(material)] += count
        table.game.supply[MATERIAL_NAMES.index(material)] -= count
    return table


@pytest.fixture
def by_towers(tmp_path: Path) -> str:
    """The path of the printed data file with the other order of Ivan's Construction."""
    file = tmp_path / "towers.toml"
    text = resources.files("rc_env").joinpath("data", "base.toml").read_text(encoding="utf-8")
    file.write_text(text.replace('construction = "levels"', 'construction = "towers"'), encoding="utf-8")
    return str(file)


def test_r30c_construction_lays_any_kind_in_the_order_of_kinds_level_by_level() -> None:
    """Section 1.1 costs 3; the other 2 of the 5 materials go on to his next section, which is 2.1, before 1.2."""
    table = Solo("construction").claim(IVAN, "1.2", "2.1")
    before = table.game.supply.copy()
    store(table, purple_gem=2, gold=1, brick=2).ivan()
    assert table.finished("1.1") and table.laid("2.1") == ({"purple_gem": 2}, 1)
    assert table.laid("1.2") == ({}, 3) and table.goods("construction") == {}
    expected = before.copy()
    expected[5] -= 2  # brick and gold of the finished section went back
    assert (table.game.supply == expected).all()
    assert table.events[-2:] == ["complete 1.1", "recognition 3"]


def test_r30c_level_by_level_where_the_data_file_does_not_say(tmp_path: Path) -> None:
    lines = resources.files("rc_env").joinpath("data", "base.toml").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "silent.toml"
    file.write_text("\n".join(line for line in lines if not line.startswith("construction")), encoding="utf-8")
    table = Solo("construction", data=str(file)).claim(IVAN, "1.2", "2.1")
    store(table, lumber=6).ivan()
    assert table.finished("1.1") and table.finished("2.1") and table.laid("1.2") == ({}, 3)


def test_r30c_each_level_from_left_to_right_and_upwards(by_towers: str) -> None:
    """Of his sections 1.1, 2.2, 3.1, 3.2 and 4.1 those below are finished first; with "towers" those on the left."""
    mine = ("3.1", "4.1", "2.2", "3.2")
    for settings, order in (({}, "1.1 3.1 4.1 2.2 3.2"), ({"data": by_towers}, "1.1 2.2 3.1 3.2 4.1")):
        names = order.split()
        for number in range(1, 6):
            table = Solo("construction", **settings).claim(0, "2.1").claim(IVAN, *mine)
            costs = [table.laid(name)[1] for name in names]
            store(table, lumber=sum(costs[:number])).ivan()
            assert [event for event in table.events if event.startswith("complete")] == [
                f"complete {name}" for name in names[:number]
            ]
            assert [table.finished(name) for name in names] == [True] * number + [False] * (5 - number)


def test_r30c_towers_of_unequal_height() -> None:
    """Level 4 is only in the two tall towers of the second plan (4, 2, 4, 2), and comes last."""
    table = Solo("construction", plan=1)
    assert table.heights == [4, 2, 4, 2]
    names = ["1.1", "2.1", "3.1", "2.2", "1.3", "3.4"]
    table.claim(0, "1.2").claim(IVAN, "2.1", "3.1").claim(0, "3.2", "3.3").claim(IVAN, "2.2", "1.3", "3.4")
    store(table, stone=sum(table.laid(name)[1] for name in names)).ivan()
    assert [event for event in table.events if event.startswith("complete")] == [f"complete {name}" for name in names]


@pytest.mark.parametrize("towers", [False, True])
def test_r30c_a_section_that_needs_three_takes_three_of_four(towers: bool, by_towers: str) -> None:
    """1.1 costs 3, and 4 materials lie on the card: the fourth goes to his next section, in either order."""
    table = Solo("construction", **({"data": by_towers} if towers else {})).claim(IVAN, "1.2", "2.1")
    store(table, lumber=2, stone=2).ivan()
    following, other = ("1.2", "2.1") if towers else ("2.1", "1.2")
    assert table.finished("1.1") and table.events[-2:] == ["complete 1.1", "recognition 3"]
    assert table.laid(following) == ({"stone": 1}, 2) and table.laid(other) == ({}, 3)
    assert table.goods("construction") == {}


def test_r30c_r16_the_order_decides_whom_a_penalty_meets(by_towers: str) -> None:
    """The player's 2.1 lies below Ivan's 2.2, which is finished only after the base 3.1."""
    lost = []
    for settings in ({}, {"data": by_towers}):
        table = Solo("construction", **settings).claim(0, "2.1").claim(IVAN, "2.2", "3.1")
        table.track[0] = 10
        store(table, lumber=6).ivan()
        lost.append(10 - int(table.track[0]))
        assert table.finished("3.1") == (not settings) and table.finished("2.2") == bool(settings)
    assert lost == [0, 1]


@pytest.mark.parametrize("towers", [False, True])
def test_r30c_what_is_left_stays_on_the_card(towers: bool, by_towers: str) -> None:
    table = store(Solo("construction", **({"data": by_towers} if towers else {})), lumber=2, brick=3)
    table.ivan()
    assert table.finished("1.1") and table.goods("construction") == {"brick": 2}
    table.row("construction").ivan()
    assert table.goods("construction") == {"brick": 2} and table.events == ["move red", "card construction"]


def test_r30c_construction_of_nothing_does_nothing() -> None:
    table = Solo("construction").ivan()
    assert not table.finished("1.1") and table.laid("1.1") == ({}, 3)


def test_r30c_a_finished_section_gives_recognition_and_no_rubles_and_counts() -> None:
    table = store(Solo("construction"), lumber=3).ivan()
    assert table.track[IVAN] == 5 and table.rubles[IVAN] == 0
    assert table.game.works[IVAN, FINISHED] == 1 and table.game.works[IVAN, CLAIMED] == 0
    assert table.standing(1) == (2, [0, 1], [0, 2])


def test_r30c_r16_his_section_costs_the_player_recognition_for_those_below() -> None:
    table = store(Solo("construction").claim(0, "2.1").claim(IVAN, "2.2"), lumber=7)
    table.track[0] = 10
    table.ivan()
    assert table.finished("1.1") and table.finished("2.2") and table.track[0] == 9


def test_r30_r16_his_own_unfinished_sections_cost_him() -> None:
    table = Solo("transport").claim(0, "1.2").all_but("1.2", "gold").give(0, gold=1)
    table.track[IVAN] = 9
    table.play("deliver gold to 1.2")
    assert table.finished("1.2") and table.track[IVAN] == 8


# --- ornaments


def test_r30d_door_arch_arch_cross_each_for_one_prestige() -> None:
    table = Solo("transport").finish(0, "2.1", "2.2", "3.1", "3.2", "3.3")
    table.track[IVAN] = 5
    kinds = []
    for number in range(4):
        table.row("transport").face_down().ivan(mixed="red blue yellow green white")
        if table.point == "ivan":
            table.play(min(table.legal()), mixed="red blue yellow green white")
        kinds.append(int(table.game.kind[np.flatnonzero(table.game.ornament == IVAN)].sum()))
        assert table.game.works[IVAN, ADORNED] == number + 1
    assert kinds == [0, 1, 2, 4] and table.ornaments(IVAN) == {"door": 0, "arch": 0, "cross": 0}
    assert table.track[IVAN] > 5
    table.row("transport").face_down().ivan()  # no ornament is left
    assert table.events[0].startswith("shuffle")


def test_r30d_prestige_of_an_ornament_is_the_next_space() -> None:
    table = Solo("transport").finish(0, "2.1").face_down()
    table.track[IVAN] = 5
    table.ivan(mixed="red blue yellow green white")
    assert table.track[IVAN] == table.tables["track"]["prestige"][1] and table.events[0] == "adorn 2.1"
    assert table.standing(2) == (3, [1, 1], [0, 0])


def test_r30d_the_player_chooses_among_several_and_his_own_come_last() -> None:
    table = Solo("transport").finish(0, "2.1", "3.1").his("1.1").face_down()
    table.ivan()
    assert table.point == "ivan" and table.legal() == {"ivan adorn 2.1", "ivan adorn 3.1"}
    table.play("ivan adorn 3.1", mixed="blue red yellow green white")
    assert table.game.ornament[table.section("3.1")] == IVAN and table.point == "start"
    assert table.events[:3] == ["adorn 3.1", "shuffle blue red yellow green white", "move blue"]
    table = Solo("transport").his("1.1", "4.1").face_down().ivan()
    assert table.legal() == {"ivan adorn 1.1", "ivan adorn 4.1"}


def test_r30d_sections_with_an_ornament_and_other_kinds_are_passed_over() -> None:
    table = Solo("transport").finish(0, "2.1", "2.2").adorn(0, "2.1").his("1.1").face_down().ivan()
    assert table.events[0] == "adorn 1.1"
    table = Solo("transport").finish(0, "2.1", "2.2").adorn(0, "2.1").face_down().ivan()
    # No door can be placed, so the action is skipped, although an arch could.
    assert table.events[0].startswith("shuffle")


def test_r30d_a_choice_of_ornament_and_one_of_section_can_be_in_one_turn() -> None:
    table = Solo("claim").finish(0, "2.1", "3.1").face_down().ivan()
    table.play("ivan adorn 2.1", mixed="red blue yellow green white", dice=[4])
    assert table.point == "ivan" and table.legal() == {"ivan claim 2", "ivan claim 3"}
    table.play("ivan claim 2")
    assert table.events == ["adorn 2.1", "shuffle red blue yellow green white", "move red", "card claim", "claim 2"]
    assert table.rolls == [{"red": 4}] and table.game.turn == 3


# --- the end


SIX = ("2.1", "2.2", "2.3", "3.1", "3.2")


def test_r31_the_player_ends_without_three_prestige_and_ivan_has_one_more_turn() -> None:
    table = Solo("recognition").finish(0, *SIX).claim(0, "4.1").all_but("4.1", "brick").give(0, brick=1)
    table.track[:2] = (30, 30)
    before = int(table.game.card[table.section("4.1"), 7])
    table.play("deliver brick to 4.1")
    assert table.track[0] == 30 + before
    table.end_turn()
    assert table.point == "over" and table.engine.terminated[0] and table.game.turn == 2
    assert table.events[-1] == "recognition 4"


def test_r31_his_last_turn_has_the_ornament_step_where_it_is_due() -> None:
    table = Solo("recognition").finish(0, *SIX).claim(0, "4.1").all_but("4.1", "brick").give(0, brick=1).face_down()
    table.play("deliver brick to 4.1")
    assert table.point == "ivan" and table.legal() == {"ivan adorn 2.1", "ivan adorn 3.1", "ivan adorn 4.1"}
    table.play("ivan adorn 4.1")
    assert table.point == "over" and table.game.works[IVAN, ADORNED] == 1


def test_r31_ivan_ends_without_three_prestige_and_the_player_has_one_more_turn() -> None:
    table = Solo("construction").his("2.1", "2.2", "2.3", "3.1", "3.2")
    store(table, lumber=3).ivan()
    assert table.finished("1.1") and table.game.ending == IVAN and table.track[IVAN] == 5
    assert table.point == "start" and table.game.turn == 3
    table.pass_turn()
    assert table.point == "over" and table.engine.terminated[0] and table.game.turn == 3


def test_r31_towers_are_shared_as_between_two_and_he_has_no_goods_to_count() -> None:
    table = Solo().finish(0, "2.1").his("2.2", "2.3")
    table.game.ivan_goods[0, 0] = 20
    table.game.supply[0] = 0
    assert table.standing(2) == (6, [1, 2], [2, 6])
    results = table.engine.results()
    assert results.goods[0].tolist()[1] == 0 and results.towers[0, :, 1].tolist() == [2, 6]


@pytest.mark.parametrize(("mine", "his", "paid"), [(30, 20, 1), (20, 30, -1), (30, 30, 0)])
def test_r31_r28_the_reward_is_a_win_against_ivan(mine: int, his: int, paid: int) -> None:
    table = Solo("transport", turn_limit=2).give(0, rubles=0)
    table.track[:2] = (mine, his)
    table.ivan()
    assert table.point == "over" and table.paid.tolist() == [paid]
    assert table.engine.results().place[0].tolist() == {1: [0, 1], -1: [1, 0], 0: [0, 0]}[paid]


def test_r31_margin_and_score_are_the_players() -> None:
    for reward in ("margin", "score"):
        table = Solo("transport", turn_limit=2, reward=reward).give(0, rubles=0)
        table.track[:2] = (30, 20)
        table.ivan()
        prestige = table.engine.results().prestige[0]
        expected = prestige[0] if reward == "score" else (prestige[0] - prestige[1]) / 40
        assert table.paid.tolist() == pytest.approx([expected])


def test_r29_his_turns_count_for_the_turn_limit() -> None:
    table = Solo("recognition", turn_limit=2).ivan()
    assert table.engine.truncated[0] and table.game.turn == 2 and table.track[IVAN] == 6


# --- the values that callers pass


def test_tiles_that_are_no_permutation_are_refused() -> None:
    engine = Engine(variant(1, "basic"), 1)
    for wrong in ([[0, 1, 2, 3, 3]], [[0, 1, 2, 3]], [[0, 1, 2, 3, 5]], [0, 1, 2, 3, 4], [[0.5] * 5]):
        with pytest.raises(ValueError, match=r"^ivan_tiles must .*, not "):
            engine.step([0], ivan_tiles=wrong)
    with pytest.raises(ValueError, match="must be left out, since this is no solo game"):
        Engine(variant(2, "basic"), 1).step([0], ivan_tiles=[[0, 1, 2, 3, 4]])


@pytest.mark.parametrize("field", ["ivan_card", "ivan_tile"])
def test_a_deal_with_one_of_his_twice_is_refused(field: str) -> None:
    deal = setup.open_deal()
    deal[0][field][:] = (0, 1, 2, 3, 3)
    with pytest.raises(
        ValueError, match=rf"^deals\.{field} must hold each of 0 to 4 once, or -1 first for a draw, not "
    ):
        Engine(variant(1, "basic"), 1).reset(deals=deal)


def test_the_log_of_his_turn_keeps_what_fits() -> None:
    """The log holds amounts up to 127 and a fixed number of events; the fields behind it in the record stay."""
    table = Solo()
    game = records(writeable(table.engine))[0]
    game["ivan_events"] = 0
    for number, amount in enumerate((0, 126, 127, 128, 300)):
        ivan_events.log(game, ivan_events.GAIN, amount)
        assert game["ivan_event"][number].tolist() == [ivan_events.GAIN, min(amount, 127)]
    for _ in range(EVENTS):
        ivan_events.log(game, ivan_events.MOVE, 4)
    assert game["ivan_events"] == EVENTS and game["ivan_event"][EVENTS - 1].tolist() == [ivan_events.MOVE, 4]
