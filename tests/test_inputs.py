"""What is worked out for networks, against the same worked out from the numbers of the observation in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.agents import inputs as module
from rc_env.agents.inputs import Inputs
from rc_env.bot import Position
from rc_env.layout.pieces import UNUSED
from rc_env.rules.sizes import DICE, MATERIALS, QUADRANTS, RECOGNITION, RESOURCES, SIDES, SPACES, WHITE_DIE
from rc_env.rules.verbs import Verb

pytestmark = pytest.mark.slow

GAMES = 24


@pytest.fixture(scope="module", params=[(1, "basic"), (2, "advanced"), (3, "basic"), (4, "advanced")])
def seen(request):
    """Numbers of the observation by piece, what the inputs mean (zero taken off), the inputs, the ruleset."""
    players, workshop = request.param
    ruleset = Ruleset(players=players, workshop=workshop)
    engine = Engine(ruleset, GAMES, seed=11)
    bot = agents.make("greedy")  # claims, finishes and adorns
    for _ in range(70):
        engine.step(bot.act(Position.of(engine)), auto_reset=True)
    numbers = engine.observe(dtype=np.uint8)
    inputs = Inputs(ruleset)
    worked = inputs(numbers)
    assert worked.dtype == np.uint8 and worked.shape == (GAMES, inputs.size)
    return ruleset.observations.numbers(numbers), worked.astype(int) - inputs.zero, inputs, ruleset


def begin(inputs: Inputs, name: str) -> int:
    return int(inputs._at[name][0])


def entries(ruleset: Ruleset, piece: str) -> tuple[str, ...]:
    return next(one.entries for one in ruleset.observations.pieces if one.name == piece)


def owners(ruleset: Ruleset) -> slice:
    first = entries(ruleset, "section").index("banner own")
    return slice(first, first + ruleset.seats)


def lacking(n, row: int, ruleset: Ruleset) -> np.ndarray:
    section, card = n["section"][row], n["card"][row]
    mine = (section[..., owners(ruleset).start] > 0) & (section[..., 3] == 0)
    return card[mine][:, :MATERIALS].sum(0) - n["goods"][row, 0, :MATERIALS]


def reached(n, row: int, recognition: int) -> int:
    return int((n["prestige_ahead"][row, 0] <= recognition).sum())


def test_entries_of_the_observation_are_taken_as_they_are(seen):
    n, x, inputs, ruleset = seen
    taken = [
        piece[..., k].reshape(GAMES, -1)
        for name, piece in n.items()
        if name not in module.LEFT_OUT
        for piece in [piece.reshape(GAMES, -1, piece.shape[-1])]
        for k in [[i for i, entry in enumerate(entries(ruleset, name)) if entry != UNUSED]]
    ]
    expected = np.concatenate(taken, 1)
    np.testing.assert_array_equal(x[:, : expected.shape[1]], expected)
    assert expected.shape[1] == begin(inputs, "lacking")


def test_every_input_has_a_divisor_and_typical_ones_are_about_1(seen):
    _, x, inputs, _ = seen
    for array in (inputs.zero, inputs.divisors, inputs.scale):
        assert array.shape == (inputs.size,)
    np.testing.assert_array_equal(inputs.scale, np.float32(1) / inputs.divisors)
    assert (np.abs(x * inputs.scale).mean(0) < 10).all()
    assert np.abs(x * inputs.scale).max() < 50


def test_what_is_lacking(seen):
    n, x, inputs, ruleset = seen
    at = begin(inputs, "lacking")
    for row in range(GAMES):
        np.testing.assert_array_equal(x[row, at : at + MATERIALS], lacking(n, row, ruleset))


def test_the_hand_and_the_leads(seen):
    n, x, inputs, ruleset = seen
    at = begin(inputs, "hand")
    numbers, works = entries(ruleset, "numbers"), entries(ruleset, "works")
    for row in range(GAMES):
        goods, section = n["goods"][row, 0, :MATERIALS], n["section"][row]
        fitting = np.minimum(goods, np.maximum(goods + lacking(n, row, ruleset), 0)).sum()
        mine = (section[..., owners(ruleset).start] > 0) & (section[..., 3] > 0)
        finished = section[mine][:, :3].any(0)
        leads = []
        for piece, name in (("numbers", "score"), ("numbers", "prestige"), ("numbers", "tower_prestige")):
            column = n[piece][row, :, numbers.index(name)]
            leads.append(column[0] - column[1:].max())
        column = n["works"][row, :, works.index("finished")]
        leads.append(column[0] - column[1:].max())
        np.testing.assert_array_equal(x[row, at : at + len(module.HAND)], [fitting, *finished, *leads])


def test_sections_towers_and_claims(seen):
    n, x, inputs, ruleset = seen
    towers, levels = n["card"].shape[1:3]
    size, seats, own = module.SECTION_SIZE, ruleset.seats, owners(ruleset)
    deliveries = ruleset.data_file.tables["build"]["deliveries"]
    at, claims, notes = (begin(inputs, name) for name in ("sections", "claims", "tower_notes"))
    checked = offered = 0
    for row in range(GAMES):
        section, card, goods = n["section"][row], n["card"][row], n["goods"][row, 0, :MATERIALS]
        worked = x[row, at : at + size * towers * levels].reshape(towers, levels, size)
        for tower in range(towers):
            presence = n["standing"][row, tower, :seats]
            open_ = section[tower, :, 3] == 0
            claimed = presence + (section[tower, open_, own] > 0).sum(0)
            leads = [now[0] - max(now[1:]) for now in (presence.tolist(), claimed.tolist())]
            np.testing.assert_array_equal(x[row, notes + 2 * tower :][:2], leads)
            there = section[tower, :, :3].any(1)
            for level in range(levels):
                expected = [0] * size
                if open_[level] and there[level]:
                    wanted = card[tower, level, :MATERIALS]
                    ready = bool((goods >= wanted).all())
                    prestige = reached(n, row, card[tower, level, RECOGNITION])
                    misses = wanted.sum()
                    expected = [
                        misses, np.minimum(goods, wanted).sum(), ready, ready and misses <= deliveries, prestige
                    ]  # fmt: skip
                    checked += 1
                np.testing.assert_array_equal(worked[tower, level], expected)
            free = np.flatnonzero(open_ & there & ~section[tower, :, own].any(1))
            claim = x[row, claims + tower * module.CLAIM_SIZE :][: module.CLAIM_SIZE]
            if len(free):
                level = free[0]
                tile = n["section_tile"][row, tower, level, : module.TILE]
                expected = [*card[tower, level, :RESOURCES], *tile, *section[tower, level, :3], level, 1]
                np.testing.assert_array_equal(claim, [*expected, *worked[tower, level]])
                offered += 1
            else:
                assert not claim.any()
    assert checked > 100 and offered > 20


def summary(n, row: int, quadrant: int, side: int, ruleset: Ruleset) -> list[int]:
    """What the inputs say of one action of a guild card."""
    names = entries(ruleset, "guild")
    card = dict(zip(names, n["guild"][row, quadrant, side].tolist(), strict=True))
    goods, lack = n["goods"][row, 0, :MATERIALS], lacking(n, row, ruleset)
    pay = np.array([card[name] for name in names if name.startswith("pay ")])
    gain = np.array([card[name] for name in names if name.startswith("gain ")])
    section = n["section"][row]
    mine = (section[..., owners(ruleset).start] > 0) & (section[..., 3] > 0)
    able = (pay * (goods >= card["each"])).sum() >= card["payments"]
    able &= n["numbers"][row, 0, entries(ruleset, "numbers").index("rubles")] >= card["price"]
    able &= not card["condition"] or section[mine][:, :3].any(0).all()
    return [
        card["price"], card["payments"], card["each"], (pay * goods).sum(),
        (pay * np.clip(-lack, 0, goods)).sum(), card["condition"], card["rubles"], card["recognition"],
        card["prestige"], card["gains"], (gain * np.maximum(lack, 0)).sum(), card["deliveries"], card["tiles"],
        card["swaps"], card["unlimited"], reached(n, row, card["recognition"]), able,
    ]  # fmt: skip


def test_guild_cards(seen):
    n, x, inputs, ruleset = seen
    at, able = begin(inputs, "guilds"), []
    for row in range(GAMES):
        found = x[row, at : at + QUADRANTS * SIDES * module.GUILD_SIZE].reshape(QUADRANTS, SIDES, -1)
        for quadrant in range(QUADRANTS):
            for side in range(SIDES):
                np.testing.assert_array_equal(found[quadrant, side], summary(n, row, quadrant, side, ruleset))
        able.append(found[..., -1].mean())
    assert 0.1 < np.mean(able) < 0.9


def space(n, row: int, space: int, arriving: int, ruleset: Ruleset) -> list[int]:
    """What the inputs say of a market space."""
    dice = int(n["crowd"][row, space]) + arriving
    market = n["market"][row, space, :RESOURCES] * dice
    guild = [number for side in range(SIDES) for number in summary(n, row, space // 2, side, ruleset)]
    useful = np.clip(lacking(n, row, ruleset), 0, market[:MATERIALS])
    room = n["numbers"][row, 0, entries(ruleset, "numbers").index("room")]
    stored = min(market[:MATERIALS].sum(), room)
    return [*market, *guild, *useful, reached(n, row, market[RECOGNITION]), stored]


def test_the_space_where_the_die_landed(seen):
    n, x, inputs, ruleset = seen
    at, landed = begin(inputs, "space"), 0
    for row in range(GAMES):
        found = x[row, at : at + module.SPACE_SIZE]
        if n["landing"][row].any():
            np.testing.assert_array_equal(found, space(n, row, int(n["landing"][row].argmax()), 0, ruleset))
            landed += 1
        else:
            assert not found.any()
    assert landed


def test_moves(seen):
    n, x, inputs, ruleset = seen
    at = begin(inputs, "moves")
    numbers = [number for number, action in enumerate(ruleset.actions.actions) if action.verb == Verb.MOVE]
    assert len(numbers) == len(inputs.moves) and inputs.size - inputs.shared == len(numbers) * module.MOVE_SIZE
    useful_of_tiles = 0
    for row in range(GAMES):
        lack = lacking(n, row, ruleset)
        for move, (die, extra) in enumerate(inputs.moves):
            found = x[row, at + move * module.MOVE_SIZE :][: module.MOVE_SIZE]
            shown = np.flatnonzero(n["die_value"][row, die, :6])
            here = int(n["die_space"][row, die].argmax())
            target = (here + int(shown[0]) + 1 + extra) % SPACES
            arriving = int(target != here)
            of_space = space(n, row, target, arriving, ruleset)
            np.testing.assert_array_equal(found[: module.SPACE_SIZE], of_space)
            slots = [WHITE_DIE, WHITE_DIE + 1] if die == WHITE_DIE else [die]
            tiles = n["workshop"][row, 0, slots, DICE : DICE + RESOURCES + 1].max(0)
            dice = int(n["crowd"][row, target]) + arriving
            prestige = reached(n, row, of_space[RECOGNITION] + tiles[RECOGNITION])
            left = np.clip(np.maximum(lack - of_space[:MATERIALS], 0), 0, tiles[:MATERIALS])
            np.testing.assert_array_equal(found[module.SPACE_SIZE :], [*tiles, extra, dice, prestige, *left])
            useful_of_tiles += int(left.sum())
    assert useful_of_tiles > 0


def test_objects_see_inputs_of_their_own(seen):
    """Each object's inputs are those of its tower, its section, its slot or its space."""
    n, x, inputs, ruleset = seen
    kinds = {kind.name: kind for kind in inputs.objects}

    def of(name: str, number: int) -> np.ndarray:
        return np.concatenate(
            [x[:, at + number // sharing * width :][:, :width] for at, width, sharing in kinds[name].slices], 1
        )

    towers, levels = n["card"].shape[1:3]
    section = n["section"].shape[-1] - entries(ruleset, "section").count(UNUSED)
    for place in range(towers * levels):
        tower, level = divmod(place, levels)
        seen_by = of("sections", place)
        np.testing.assert_array_equal(seen_by[:, :RESOURCES], n["card"][:, tower, level, :RESOURCES])
        standing = [k for k, entry in enumerate(entries(ruleset, "standing")) if entry != UNUSED]
        np.testing.assert_array_equal(seen_by[:, -len(standing) :], n["standing"][:, tower][:, standing])
        assert seen_by.shape[1] == RESOURCES + section + module.SECTION_SIZE + module.TOWER_SIZE + len(standing)
        words = {ruleset.actions.relative_text(number).split()[-1] for number in kinds["sections"].actions[place]}
        assert words == {f"{tower + 1}.{level + 1}"}
    for slot in range(6):
        np.testing.assert_array_equal(of("slots", slot), n["workshop"][:, 0, slot])
    for number in range(SPACES):
        np.testing.assert_array_equal(of("spaces", number)[:, 1:], n["market"][:, number, :RESOURCES])
        np.testing.assert_array_equal(of("spaces", number)[:, 0], n["crowd"][:, number])


def test_numbers_beyond_a_byte_are_cut():
    """Every entry at its divisor, which no game has: nothing wraps."""
    for players in (1, 2, 4):
        ruleset = Ruleset(players)
        inputs = Inputs(ruleset)
        most = np.stack([ruleset.observations.divisors, np.full(ruleset.observations.size, 255, np.uint8)])
        x = inputs(most)
        towers, at = ruleset.observations.towers, begin(inputs, "sections")
        misses = x[:, at : at + towers * 5 * module.SECTION_SIZE].reshape(2, towers, 5, -1)[..., 0]
        assert misses.max() == 0  # they are all finished
        most[:, :] = 0
        pieces = {piece.name: piece for piece in ruleset.observations.pieces}
        for name in ("section", "card", "goods"):
            most[:, pieces[name].offset : pieces[name].offset + pieces[name].size] = 255
        finished = entries(ruleset, "section").index("finished")
        flags = ruleset.observations.views(most)["section"]
        flags[..., finished] = 0
        x = inputs(most)
        assert (x[:, at] == 255).all() and (x[:, at + 1] == 255).all()


def test_floats_are_refused():
    inputs = Inputs(Ruleset())
    with pytest.raises(ValueError, match=r"numbers: float32 found, expected uint8"):
        inputs(np.zeros((1, Ruleset().observations.size), np.float32))
