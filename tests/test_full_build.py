"""Tests of the full game: random games with every guild of the expansion and the promos keep every component."""

from __future__ import annotations

import numpy as np
import pytest
from variants import every_variant

from rc_env import Engine, Ruleset
from rc_env.rules.printed.sizes import CARDS_IN_ALL, CONTRACTS, MATERIALS
from rc_env.ruleset import THIEVES

pytestmark = pytest.mark.full

GUILDS = ("jewelers", "artisans", "foremen", "wholesalers", "managers", "archivists", "master_builders", "brickmakers")


def check(engine: Engine) -> None:
    """Count diamonds, contracts, cathedral cards, reinforcement tiles and materials of every game."""
    c, games = engine.ruleset.rules[0], engine.games.view(np.ndarray)
    lying = games["card_diamonds"][:, : c.sections].sum(1)
    np.testing.assert_array_equal(games["diamond_supply"] + games["diamonds"].sum(1) + lying, c.diamond_supply)
    cards = np.concatenate(
        [games["hand"].reshape(len(games), -1), games["drawn_contract"], games["contract_deck"]], axis=1
    )
    np.testing.assert_array_equal(
        np.sort(cards, axis=1)[:, -CONTRACTS:], np.tile(np.arange(CONTRACTS), (len(games), 1))
    )
    assert ((cards >= 0).sum(1) == CONTRACTS).all()
    deck = (games["builder_deck"][:, None] >> np.arange(CARDS_IN_ALL, dtype=np.uint64)) & np.uint64(1)
    out = deck.sum(1) + games["discards"] + (games["drawn_card"] >= 0).sum(1)
    np.testing.assert_array_equal(out, c.cards - c.sections)
    for name in ("goods", "supply", "diamonds", "rubles", "card_diamonds", "contracts_left"):
        assert (games[name] >= 0).all(), name
    assert (games["depth"] <= 11).all() and (games["guild_tile_works"] == 0).all()
    printed = c.card[games["number"][:, : c.sections]][..., :MATERIALS]
    missing = games["card"][:, : c.sections, :MATERIALS]
    open_section = games["finished"][:, : c.sections, None] == 0
    if c.players == 1:
        ivans = games["owner"][:, : c.sections, None] == 1
        on_cards = np.where(ivans, missing, printed - missing) * open_section
        on_cards = on_cards.sum(1) + games["ivan_goods"][..., :MATERIALS].sum(1)
    else:
        on_cards = ((printed - missing) * open_section).sum(1)
    total = games["supply"][:, :MATERIALS] + games["goods"][..., :MATERIALS].sum(1) + on_cards
    np.testing.assert_array_equal(total, np.tile(c.supply, (len(games), 1)))


@every_variant
@pytest.mark.parametrize("guild", (*GUILDS, THIEVES))
def test_random_games_keep_every_component(guild: str, players: int, workshop: str) -> None:
    engine = Engine(Ruleset(players, workshop, fourth_guild=guild, special_tiles=True), 16, seed=players)
    check(engine)
    for _ in range(12):
        engine.play_random(40, masks=True)
        check(engine)


def test_observations_are_in_range() -> None:
    """Every entry for random positions is at most its divisor, and observing again gives the same numbers."""
    for players in (1, 2, 3, 4):
        ruleset = Ruleset(players, fourth_guild="random", special_tiles=True, promos=True)
        engine = Engine(ruleset, 64, seed=players)
        for _ in range(10):
            engine.play_random(30)
            numbers = engine.observe(dtype=np.uint8)
            too_much = np.argwhere(numbers > ruleset.observations.divisors)
            assert not len(too_much), [
                p.name for p in ruleset.observations.pieces if p.offset <= too_much[0, 1] < p.offset + p.size
            ]
            np.testing.assert_array_equal(numbers, engine.observe(dtype=np.uint8))


def test_the_base_layout_is_no_part_of_the_full_one() -> None:
    """Base actions keep their numbers in the full layout, and the base layouts do not change."""
    hashes = {
        1: "bfafb532fe55994e-cd452ae18ce612d2",
        2: "f1d9d51f7ef5ad08-ab3514f531c496f6",
        3: "89ac9172e108f2b9-041618d8cca52f6d",
        4: "0dcd93296d0037c8-c840031f914ceb34",
    }
    for players, expected in hashes.items():
        base, full = Ruleset(players), Ruleset(players, special_tiles=True)
        assert base.layout_hash == expected
        texts = [base.actions.relative_text(a) for a in range(base.actions.size)]
        assert [full.actions.relative_text(a) for a in range(base.actions.size)] == texts


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"fourth_guild": "bakers"},
            "unknown fourth_guild 'bakers': did you mean brickmakers. Otherwise choose clergy, jewelers, ",
        ),
        (
            {"fourth_guild": "lawyers"},
            "fourth_guild lawyers needs the module Contractors: give contractors=True",
        ),
        ({"fourth_guild": "jewelers:3"}, "unknown fourth_guild 'jewelers:3': choose jewelers:1 or jewelers:2"),
        ({"fourth_guild": "jewelers:"}, "unknown fourth_guild 'jewelers:': choose jewelers:1 or jewelers:2"),
        ({"contractors": True, "fourth_guild": "lawyers:4"}, "choose lawyers:1, lawyers:2 or lawyers:3"),
        (
            {"special_tiles": True, "expansion_data": "none.toml"},
            'expansion data file "none.toml": there is no such file',
        ),
    ],
)
def test_wrong_switches(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        Ruleset(**settings)


def test_a_named_card_and_a_drawn_guild() -> None:
    """A named card is dealt in every game; a drawn guild is each of the allowed ones at about the same rate (R-41)."""
    engine = Engine(Ruleset(fourth_guild="foremen:2"), 64)
    base = list(engine.ruleset.data_file.tables["guilds"])
    names = [*base, *engine.ruleset.expansion_file.tables["guilds"]]
    fourth = names.index("foremen")
    rules = engine.ruleset.rules[0]
    where = engine.games.guild == fourth
    assert (where.sum(1) == 1).all()
    assert (engine.games.influence[where] == rules.first_influence[fourth] + 1).all()
    drawn = Engine(Ruleset(fourth_guild="random"), 9000)
    last = drawn.games.guild.max(1)
    dealt = {names[i]: int((last == i).sum()) for i in range(len(base), len(names)) if (last == i).any()}
    assert set(dealt) == set(GUILDS)
    assert all(880 < count < 1120 for count in dealt.values()), dealt  # 1,000 of each are expected, the clergy included
