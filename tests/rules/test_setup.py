"""Tests of the setup (R-5 to R-8)."""

from collections import Counter

import numpy as np
import pytest
from table import COLOURS, KINDS, PLAIN_DICE, Table, plain_deal, tile_name
from writeable import writeable

from rc_env import Engine, Ruleset
from rc_env.jit import settings
from rc_env.rules import chance
from rc_env.rules.printed.sizes import BASE_DIE_NAMES, MATERIALS, RESOURCE_NAMES, TILE_EFFECT
from rc_env.rules.setup import open_deal
from rc_env.rules.state import GAME

DEALS = 300 if settings.DISABLE_JIT else 600
VARIANTS = [(players, workshop) for players in (2, 3, 4) for workshop in ("basic", "advanced")]


@pytest.fixture(scope="module", params=VARIANTS, ids=lambda v: f"{v[0]}-{v[1]}")
def dealt(request: pytest.FixtureRequest) -> Engine:
    """Return many fresh deals of one variant."""
    players, workshop = request.param
    return Engine(Ruleset(players=players, workshop=workshop), DEALS, seed=5)


def test_r5_seat_0_moves_first_and_colours_follow_the_seats(dealt: Engine) -> None:
    assert (dealt.seat == 0).all() and (dealt.games.turn == 1).all()
    players = dealt.num_players
    table = Table(players)
    for seat in range(players):
        table.turn_of(seat).give(seat, rubles=1)
        further = {words for words in table.legal() if words.endswith("+1")}
        assert further == {f"move {COLOURS[seat]} +1", "move white +1"}


def test_r5_turns_go_round_in_seat_order() -> None:
    for players in (2, 3, 4):
        table, order = Table(players), []
        for _ in range(2 * players):
            order.append(table.seat)
            table.pass_turn()
        assert order == [*range(players)] * 2


def test_r5_all_five_dice_are_in_play_and_a_die_that_nobody_plays_is_nobodys() -> None:
    table = Table(2)
    for seat in (0, 1):
        table.turn_of(seat).give(seat, rubles=9)
        moves = {words for words in table.legal() if words.startswith("move")}
        assert {f"move {die}" for die in BASE_DIE_NAMES} <= moves
        assert not {words for words in moves if words.startswith(("move yellow +", "move green +"))}


def test_setup_of_the_boards(dealt: Engine) -> None:
    """Seats start with 3, 4, 4 and 5 rubles and with 4 banners in the inventory; the others lie beside the board."""
    for seat, rubles in enumerate((3, 4, 4, 5)[: dealt.num_players]):
        assert (dealt.games.rubles[:, seat] == rubles).all()
    table = Table(dealt.num_players, dealt.ruleset.workshop)
    advanced = dealt.ruleset.workshop == "advanced"
    for seat in range(dealt.num_players):
        white = int(advanced)
        kept = {"inventory": 4, "spare": 2 - 2 * white, "white1": white, "white2": white}
        assert table.banners(seat) == kept
        ornaments = {"door": 0, "arch": 0, "cross": 0} if advanced else {"door": 1, "arch": 2, "cross": 1}
        assert table.ornaments(seat) == ornaments
        assert table.hand(seat) == {}
    supply = {"lumber": 20, "brick": 20, "stone": 20, "gold": 15, "green_gem": 10, "purple_gem": 10}
    assert {material: table.supply(material) for material in supply} == supply


def test_r6_dice_start_at_the_recognition_tile_one_on_each_space(dealt: Engine) -> None:
    games = dealt.games
    start = np.argmax(games.market == 7, axis=1)
    offset = (games.die_space[:, :5] - start[:, None]) % 8
    assert (np.sort(offset, axis=1) == np.arange(5)).all()
    assert (games.crowd.sum(1) == 5).all() and games.crowd.max() == 1
    for die in range(5):
        first = Counter(offset[:, die].tolist())
        assert set(first) == set(range(5)) and min(first.values()) > DEALS // 9  # 120 are expected
        values = Counter(games.die_value[:, die].tolist())
        assert set(values) == set(range(1, 7)) and min(values.values()) > DEALS // 10  # 100 are expected


def test_r6_market_tiles_guilds_cards_and_plans_are_drawn(dealt: Engine) -> None:
    games, rules = dealt.games, dealt.ruleset.rules[0]
    assert (np.sort(games.market, axis=1) == np.arange(8)).all()
    assert (np.sort(games.guild, axis=1) == np.arange(4)).all()
    for space in range(8):
        assert set(games.market[:, space].tolist()) == set(range(8))
    first = np.asarray(rules.first_influence)
    card = games.influence - first[games.guild]
    assert card.min() == 0 and (games.influence < first[games.guild + 1]).all()
    for quadrant in range(4):
        assert set(games.guild[:, quadrant].tolist()) == set(range(4))
        assert set(games.influence[:, quadrant].tolist()) == set(range(12))
    assert set(games.plan.tolist()) == set(range(3))


def test_r7_workshop_tiles_by_player_count(dealt: Engine) -> None:
    """Below three players only one tile of each kind is shuffled, from three players on both."""
    games, sections = dealt.games, 6 * dealt.num_players
    assert (games.tile[:, :sections] >= 0).all() and (games.tile[:, sections:] == -1).all()
    copies = np.stack([(games.tile[:, :sections] == kind).sum(1) for kind in range(14)], axis=1)
    assert copies.max() == (1 if dealt.num_players == 2 else 2)
    assert (copies.max(0) == copies.max()).all()  # every kind reaches the same highest count
    assert (copies.min(0) == 0).all()  # and every kind is left out in some deals


def test_r8_towers_have_one_base_and_one_dome_and_every_card_is_dealt_once(dealt: Engine) -> None:
    games, rules = dealt.games, dealt.ruleset.rules[0]
    sections = 6 * dealt.num_players
    for game in games[:50]:
        heights = [int(h) for h in rules.plan[game.plan] if h]
        assert sum(heights) == sections and len(heights) == dealt.num_players + 2
        kinds = [k for height in heights for k in ["base", *["middle"] * (height - 2), "dome"]]
        assert [KINDS[k] for k in game.kind[:sections]] == kinds
        decks = [KINDS[int(np.searchsorted(rules.first_card, number, side="right")) - 1] for number in game.number]
        assert decks[:sections] == kinds
        assert len(set(game.number[:sections].tolist())) == sections
    assert set(games.number[:, :sections].ravel().tolist()) == set(range(40))


def test_r8_sections_are_dealt_tower_by_tower_from_base_to_dome() -> None:
    """With the same decks, the first card of a kind goes to the leftmost place of that kind, whatever the plan."""
    ruleset = Ruleset(players=4)
    dealt = []
    for plan in range(3):
        deal = open_deal()
        deal.plan = plan
        engine = Engine(ruleset, 20)
        engine.reset(deal_seeds=np.arange(20), deals=deal)
        dealt.append([[row.number[row.kind == kind].tolist() for row in engine.games] for kind in range(3)])
    assert dealt[0] == dealt[1] == dealt[2]
    assert len({tuple(row) for row in dealt[0][1]}) == 20


def test_r6_every_part_of_the_deal_can_be_fixed() -> None:
    for players, workshop in VARIANTS:
        ruleset = Ruleset(players=players, workshop=workshop)
        deal = plain_deal(ruleset, plan=2)
        engine = Engine(ruleset, 40)
        engine.reset(deals=deal)
        one = deal[0]
        sections = 6 * players
        for game in engine.games:
            assert game.plan == 2
            assert (game.number[:sections] == one.number[:sections]).all()
            assert (game.tile[:sections] == one.tile[:sections]).all()
            assert (game.market == range(8)).all() and (game.guild == range(4)).all()
            assert (game.influence == one.influence).all()
            placed = {die: (int(game.die_space[i]), int(game.die_value[i])) for i, die in enumerate(BASE_DIE_NAMES)}
            assert placed == PLAIN_DICE
            for section in range(sections):
                assert (game.card[section] == ruleset.rules[0].card[game.number[section]]).all()


def test_r6_one_part_fixed_leaves_the_others_drawn() -> None:
    deal = open_deal()
    deal.market = [7, 0, 1, 2, 3, 4, 5, 6]
    engine, free = Engine(num_games=60, seed=1), Engine(num_games=60, seed=1)
    engine.reset(seed=1, deals=deal)
    assert (engine.games.market == deal.market).all()
    assert (np.sort(engine.games.die_space[:, :5], axis=1) == np.arange(5)).all()  # the recognition tile lies on 0
    for field in ("plan", "number", "tile", "guild", "influence", "die_value"):
        assert (engine.games[field] == free.games[field]).all(), field
        assert len(np.unique(engine.games[field].reshape(60, -1), axis=0)) > 1, field


def test_r6_a_die_may_be_fixed_on_the_first_space() -> None:
    table = Table()
    deal = plain_deal(table.ruleset)
    deal[0].die_space[0], deal[0].die_value[0] = 0, 3
    table.engine.reset(deals=deal)
    assert (table.space_of("red"), table.value_of("red")) == (0, 3)
    assert (table.space_of("blue"), table.value_of("blue")) == PLAIN_DICE["blue"]


def test_r6_each_part_of_a_deal_is_drawn_from_its_own_stream() -> None:
    """Games with the same key have the same parts; Ivan's cards do not affect the others."""
    engine = Engine(Ruleset(players=1), 1, seed=4)
    game, rules = engine.games[0], engine.ruleset.rules[0]

    def shuffled(count: int, stream: int) -> list[int]:
        values = np.arange(count)
        chance.shuffle(values, count, game.key, stream)
        return values.tolist()

    assert game.plan == chance.below(game.key, chance.PLAN, 0, rules.plans)
    assert game.market.tolist() == shuffled(8, chance.MARKET_TILES)
    assert game.guild.tolist() == shuffled(4, chance.GUILDS)
    assert game.ivan_card.tolist() == shuffled(5, chance.IVAN_CARDS)
    assert game.ivan_tile.tolist() == shuffled(5, chance.IVAN_TILES)
    for guild, card in zip(game.guild, game.influence, strict=True):
        first, end = (int(rules.first_influence[guild + i]) for i in (0, 1))
        assert card == first + chance.below(game.key, chance.INFLUENCE, int(guild), end - first)
    start = game.market.tolist().index(7)
    assert [int(game.die_space[die]) for die in shuffled(5, chance.DICE_ORDER)] == [(start + i) % 8 for i in range(5)]
    for kind in range(3):
        first = int(rules.first_card[kind])
        count = (int(rules.first_card[kind + 1]) if kind < 2 else int(rules.cards)) - first
        dealt = [int(number) - first for number in game.number[:12][game.kind[:12] == kind]]
        assert dealt == shuffled(count, chance.CARDS + kind)[: len(dealt)]


def test_r6_an_open_deal_fixes_nothing() -> None:
    deal = open_deal()
    assert all((deal[name] == -1).all() for name in deal.dtype.names)


@pytest.mark.parametrize("players", [1, 2])
def test_r6_a_part_whose_first_entry_is_open_is_drawn_whatever_follows(players: int) -> None:
    ruleset, deal = Ruleset(players=players), open_deal()
    drawn, half = Engine(ruleset, 20), Engine(ruleset, 20)
    for name in ("number", "tile", "market", "guild", "influence", "die_space", "die_value", "ivan_card", "ivan_tile"):
        deal[name][:, 1:] = 1
    keys = np.arange(20)
    drawn.reset(deal_seeds=keys)
    half.reset(deal_seeds=keys, deals=deal)
    assert half.games.tobytes() == drawn.games.tobytes()


def test_cards_carry_the_numbers_of_the_data_file() -> None:
    table = Table(4)
    for deck, (kind, level) in enumerate(zip(KINDS, (1, 2, 4), strict=True)):
        for number, card in enumerate(table.tables["cards"][kind], 1):
            table.card(f"1.{level}", f"{kind}/{number}")
            section = table.section(f"1.{level}")
            assert table.missing(f"1.{level}") == card["cost"]
            assert tuple(table.game.card[section, 6:]) == (card["rubles"], card["recognition"])
        assert number == (10, 20, 10)[deck]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_dice_and_slots_as_a_seat_sees_them(players: int) -> None:
    """Colours are numbered from the own one on: the next seats, unplayed colours, white; and back again."""
    rules = Ruleset(players=players).rules[0]
    for seat in range(players):
        colours = [*((seat + i) % players for i in range(players)), *range(players, 4)]
        for seen, seen_as, whites in (
            (rules.die_seen[seat], rules.die_seen_as[seat], [4]),
            (rules.slot_seen[seat], rules.slot_seen_as[seat], [4, 5]),
        ):
            assert seen.tolist() == colours + whites
            assert [int(seen[place]) for place in seen_as] == list(range(len(seen)))


def test_what_a_workshop_tile_shows() -> None:
    table = Table()
    rules = table.ruleset.rules[0]
    for kind, tile in enumerate(table.tables["workshop"]["tile"]):
        name, value = tile_name(tile).split(":")
        columns = (rules[f"effect_{name}"][TILE_EFFECT + kind] for name in ("die", "resource", "amount"))
        die, resource, amount = map(int, columns)
        if name == "die":
            assert (BASE_DIE_NAMES[die], amount) == (value, 0)
        else:
            assert die == -1 and ((*RESOURCE_NAMES, "any_material")[resource], amount) == (name, int(value))


def test_tiles_of_the_plain_deal() -> None:
    """The table that these tests use lays the workshop tiles as its docstring says."""
    table = Table()
    names = [tile_name(tile).split(":")[0] for tile in table.tables["market"]["tile"]]
    assert names == ["lumber", "brick", "stone", "gold", "green_gem", "purple_gem", "rubles", "recognition"]
    assert table.play("move red").space_of("red") == 0
    assert table.game.crowd[0] == 1


@pytest.mark.parametrize(("players", "workshop"), [*VARIANTS, (1, "basic"), (1, "advanced")])
def test_a_deal_leaves_nothing_of_the_game_before(players: int, workshop: str) -> None:
    """A deal into a record full of other values gives, field by field, the same game as a deal into an empty one."""
    ruleset = Ruleset(players=players, workshop=workshop)
    rules = ruleset.rules[0]
    # A deal writes only this many entries of these fields.
    parts = {"height": rules.towers, "first": rules.towers, "supply": MATERIALS}
    parts |= dict.fromkeys(("number", "kind", "tower", "level"), rules.sections)
    if players > 1:
        parts |= {name: 0 for name in GAME.names or () if name.startswith("ivan_")}
    fresh, used = Engine(ruleset, 1), Engine(ruleset, 1)
    fresh.reset(deal_seeds=np.array([3]))
    for byte in (1, 77):
        writeable(used).view(np.uint8)[:] = byte
        used.reset(deal_seeds=np.array([3]))
        for name in GAME.names or ():
            part = slice(None, parts.get(name))
            found, expected = used.games[name].reshape(-1)[part], fresh.games[name].reshape(-1)[part]
            assert found.tolist() == expected.tolist(), name
