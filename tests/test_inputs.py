"""Tests of the inputs of networks, compared with the same inputs computed from the observation in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.agents import features, features_full
from rc_env.agents.inputs import LEFT_OUT, Inputs
from rc_env.bot import Position
from rc_env.layout.pieces import UNUSED
from rc_env.rules.printed.sizes import (
    BLACK_DIE,
    CITIES,
    MATERIALS,
    QUADRANTS,
    RECOGNITION,
    RESOURCES,
    SIDES,
    SLOTS,
    SPACES,
    SPECIAL_NAMES,
    SPECIALIST_SLOTS,
    TOOLS,
    WHITE_DIE,
)
from rc_env.rules.verbs import Verb

pytestmark = pytest.mark.slow

GAMES = 24
ALL = {"fourth_guild": "random", "special_tiles": True, "promos": True, "contractors": True}
BASE = [(1, "basic", {}), (2, "advanced", {}), (3, "basic", {}), (4, "advanced", {})]
FULL = [(1, "basic", ALL), (2, "basic", ALL), (3, "advanced", ALL), (2, "basic", {"special_tiles": True})]


@pytest.fixture(scope="module", params=[*BASE, *FULL])
def seen(request):
    """Return the observation's numbers by piece, the same with zero points subtracted, the inputs and the ruleset."""
    players, workshop, switches = request.param
    ruleset = Ruleset(players=players, workshop=workshop, **switches)
    return numbers_of(ruleset)


@pytest.fixture(scope="module", params=FULL[:3])
def seen_full(request):
    """Return the same for games of the full game with all switches on, in half of which every seat hires and collects
    tools.
    """
    players, workshop, switches = request.param
    return numbers_of(Ruleset(players=players, workshop=workshop, **switches), 130, ("hire", "engage", "specialist"))


def numbers_of(ruleset: Ruleset, decisions: int = 70, first: tuple[str, ...] = ()):
    """Return games after so many decisions of a bot that in every other game prefers actions with these words."""
    engine = Engine(ruleset, GAMES, seed=11)
    bot = agents.make("greedy")  # this bot claims, finishes and adorns sections
    wanted = np.array([ruleset.actions.relative_text(a).split()[0] in first for a in range(engine.num_actions)])
    for _ in range(decisions):
        preferred = engine.legal_mask() * wanted * (np.arange(GAMES) % 2)[:, None]
        chosen = np.where(preferred.any(1), preferred.argmax(1), bot.act(Position.of(engine)))
        engine.step(chosen, auto_reset=True)
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
        if name not in LEFT_OUT
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
        np.testing.assert_array_equal(x[row, at : at + len(features.HAND)], [fitting, *finished, *leads])


def test_sections_towers_and_claims(seen):
    n, x, inputs, ruleset = seen
    towers, levels = n["card"].shape[1:3]
    size, seats, own = features.SECTION_SIZE, ruleset.seats, owners(ruleset)
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
            used = [k for k, entry in enumerate(entries(ruleset, "section_tile")) if entry != UNUSED]
            length = len(features.claim_notes(used))
            claim = x[row, claims + tower * length :][:length]
            if len(free):
                level = free[0]
                tile = n["section_tile"][row, tower, level, used]
                expected = [*card[tower, level, :RESOURCES], *tile, *section[tower, level, :3], level, 1]
                np.testing.assert_array_equal(claim, [*expected, *worked[tower, level]])
                offered += 1
            else:
                assert not claim.any()
    assert checked > 100 and offered > 20


def summary(n, row: int, quadrant: int, side: int, ruleset: Ruleset) -> list[int]:
    """Return the inputs that describe one action of a guild card."""
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
        found = x[row, at : at + QUADRANTS * SIDES * features.GUILD_SIZE].reshape(QUADRANTS, SIDES, -1)
        for quadrant in range(QUADRANTS):
            for side in range(SIDES):
                np.testing.assert_array_equal(found[quadrant, side], summary(n, row, quadrant, side, ruleset))
        able.append(found[..., -1].mean())
    assert 0.1 < np.mean(able) < 0.9


def space(n, row: int, space: int, arriving: int, ruleset: Ruleset) -> list[int]:
    """Return the inputs that describe a market space."""
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
        found = x[row, at : at + features.SPACE_SIZE]
        if n["landing"][row].any():
            np.testing.assert_array_equal(found, space(n, row, int(n["landing"][row].argmax()), 0, ruleset))
            landed += 1
        else:
            assert not found.any()
    assert landed


def test_moves(seen):
    n, x, inputs, ruleset = seen
    at = begin(inputs, "moves")
    verbs = (Verb.MOVE, Verb.MOVE_BLACK)
    numbers = [number for number, action in enumerate(ruleset.actions.actions) if action.verb in verbs]
    size = features.MOVE_SIZE + (features_full.MOVE_MORE_SIZE if ruleset.full else 0)
    assert len(numbers) == len(inputs.moves) and inputs.size - inputs.shared == len(numbers) * size
    first = entries(ruleset, "workshop").index("lumber")
    useful_of_tiles = 0
    for row in range(GAMES):
        lack = lacking(n, row, ruleset)
        for move, (die, extra) in enumerate(inputs.moves):
            if not n["die_space"][row, die].any():  # this is the black die in a game without the module
                continue
            found = x[row, at + move * features.MOVE_SIZE :][: features.MOVE_SIZE]
            shown = np.flatnonzero(n["die_value"][row, die, :6])
            here = int(n["die_space"][row, die].argmax())
            target = (here + int(shown[0]) + 1 + extra) % SPACES
            arriving = int(target != here)
            of_space = space(n, row, target, arriving, ruleset)
            np.testing.assert_array_equal(found[: features.SPACE_SIZE], of_space)
            slots = [WHITE_DIE, WHITE_DIE + 1] if die == WHITE_DIE else [die]
            if die == BLACK_DIE:
                tiles = np.append(n["specialist"][row, 0, :RESOURCES], 0)
            else:
                tiles = n["workshop"][row, 0, slots, first : first + RESOURCES + 1].max(0)
            dice = int(n["crowd"][row, target]) + arriving
            prestige = reached(n, row, of_space[RECOGNITION] + tiles[RECOGNITION])
            left = np.clip(np.maximum(lack - of_space[:MATERIALS], 0), 0, tiles[:MATERIALS])
            np.testing.assert_array_equal(found[features.SPACE_SIZE :], [*tiles, extra, dice, prestige, *left])
            useful_of_tiles += int(left.sum())
    assert useful_of_tiles > 0


def test_objects_see_inputs_of_their_own(seen):
    """The inputs of each object are those of its tower, its section, its slot or its space."""
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
        more = (1 + features_full.TOWER_MORE_SIZE) if ruleset.full else 0
        assert (
            seen_by.shape[1] == RESOURCES + section + features.SECTION_SIZE + features.TOWER_SIZE + len(standing) + more
        )
        words = {
            ruleset.actions.relative_text(number).removesuffix(" with diamond").split()[-1]
            for number in kinds["sections"].actions[place]
        }
        assert words == {f"{tower + 1}.{level + 1}"}
    for slot in range(6):
        row = n["workshop"][:, 0, slot]
        np.testing.assert_array_equal(of("slots", slot)[:, : row.shape[1]], row)
    for number in range(SPACES):
        np.testing.assert_array_equal(of("spaces", number)[:, 1 : 1 + RESOURCES], n["market"][:, number, :RESOURCES])
        np.testing.assert_array_equal(of("spaces", number)[:, 0], n["crowd"][:, number])


# --- the full game


def tool_gain(n, row: int, seat: int, tool: int, ruleset: Ruleset, *, held: bool = True) -> int:
    """Return what a tool adds to those of a seat, by groups (R-59), with or without its specialist's effect."""
    names = entries(ruleset, "specialist")
    counts = n["tools"][row, seat, :TOOLS].astype(int)
    if held and seat < ruleset.players:
        counts = counts + n["specialist"][row, seat, names.index("tool 1") : names.index("tool 6") + 1]
    rules = dict(zip(entries(ruleset, "module_rules"), n["module_rules"][row].tolist(), strict=True))
    prestige = [0, *(rules[f"prestige of {size} tools"] for size in range(1, TOOLS + 1))]

    def score(copies) -> int:
        return sum(prestige[(copies > group).sum()] for group in range(24))

    return score(counts + np.eye(TOOLS, dtype=int)[tool]) - score(counts)


def tool_of(n, row: int, slot: int, ruleset: Ruleset) -> int | None:
    names = entries(ruleset, "offer")
    shown = np.flatnonzero(n["offer"][row, slot, names.index("tool 1") : names.index("tool 6") + 1])
    return int(shown[0]) if len(shown) else None


def test_specialists_and_the_own_row_of_contractors(seen_full):
    n, x, inputs, ruleset = seen_full
    at, hand, gains = begin_full(inputs, "offers"), begin_full(inputs, "hand_more"), set()
    names = entries(ruleset, "permits")
    for row in range(GAMES):
        for slot in range(SPECIALIST_SLOTS):
            tool = tool_of(n, row, slot, ruleset)
            expected = [0, 0]
            if tool is not None:
                others = (tool_gain(n, row, seat, tool, ruleset) for seat in range(1, ruleset.seats))
                expected = [tool_gain(n, row, 0, tool, ruleset), max(others)]
            np.testing.assert_array_equal(x[row, at + slot * features_full.OFFER_SIZE :][:2], expected)
            gains.add(expected[0])
        left = int(n["permits"][row, names.index("contractors own")])
        tables = ruleset.expansion_file.tables["hire"]["bonus"]
        bonus = tables[len(tables) - left] if left else {}
        keys = ("rubles", "permits", "recognition", "prestige", "any_material")
        own = entries(ruleset, "specialist").index("tool 1")
        shown = np.flatnonzero(n["specialist"][row, 0, own : own + TOOLS])
        gain = tool_gain(n, row, 0, int(shown[0]), ruleset, held=False) if len(shown) else 0
        expected = [gain, *(bonus.get(key, 0) for key in keys)]
        np.testing.assert_array_equal(x[row, hand : hand + len(expected)], expected)
    assert len(gains) > 1


def begin_full(inputs: Inputs, name: str) -> int:
    return int(inputs._at_full[name][0])


def test_cities_and_the_towers_under_them(seen_full):
    n, x, inputs, ruleset = seen_full
    names, seats, own = entries(ruleset, "cities"), ruleset.seats, owners(ruleset)
    at, towers_at = begin_full(inputs, "city_notes"), begin_full(inputs, "tower_more")
    towers, sent, can = n["card"].shape[1], 0, 0
    for row in range(GAMES):
        for city in range(CITIES):
            shown = dict(zip(names, n["cities"][row, city].tolist(), strict=True))
            standing = n["cities"][row, city, 1 : 1 + seats].astype(int)
            permits, left = (
                n["permits"][row, 0],
                n["permits"][row, entries(ruleset, "permits").index("contractors own")],
            )
            affordable = bool(shown["open"] and standing.sum() < permits and left)
            lacking = max(int(standing.sum()) + 1 - int(permits), 0) if shown["open"] else 0
            of_tower = [0, 0, 0, 0]
            for tower in range(towers):
                if shown[f"tower {tower + 1}"]:
                    section = n["section"][row, tower]
                    there, banners = section[:, :3].any(1), section[:, own].astype(bool)
                    done = section[:, 3] > 0
                    open_ = (there & ~done & ~banners.any(1)).sum()
                    unfinished = (there & ~done).sum()
                    of_tower = [banners[:, 0].sum(), banners[:, 1:].sum(0).max(), open_, unfinished]
                    expected = [standing[0], standing[1:].max(), open_, unfinished]
                    found = x[row, towers_at + tower * features_full.TOWER_MORE_SIZE :][: features_full.TOWER_MORE_SIZE]
                    np.testing.assert_array_equal(found, expected)
            slots = [slot for slot in range(SPECIALIST_SLOTS) if shown[f"slot {slot}"]]
            tools = [tool for slot in slots if (tool := tool_of(n, row, slot, ruleset)) is not None]
            best = max((tool_gain(n, row, 0, tool, ruleset) for tool in tools), default=0)
            offered = n["offer"][row, slots, : features_full.OFFERED].max(0)
            expected = [standing.sum(), lacking, affordable, *of_tower, best, *offered]
            found = x[row, at + city * features_full.CITY_SIZE :][: features_full.CITY_SIZE]
            np.testing.assert_array_equal(found, expected)
            sent += int(standing.sum())
            can += affordable
    assert sent and can


def test_slots_of_all_workshops_and_where_moves_end_in_the_full_game(seen_full):
    n, x, inputs, ruleset = seen_full
    at, moves_at = begin_full(inputs, "slots"), begin_full(inputs, "moves_more")
    special = permits = 0
    for row in range(GAMES):
        for seat in range(ruleset.players):
            for slot in range(SLOTS):
                of_kinds = n["special_tile"][row, seat, : len(SPECIAL_NAMES), slot]
                pieces = (n[name][row, seat, slot] for name in ("slot_ornament", "slot_face_down", "slot_price"))
                found = x[row, at + (seat * SLOTS + slot) * features_full.SLOT_SIZE :][: features_full.SLOT_SIZE]
                np.testing.assert_array_equal(found, [*pieces, *of_kinds])
                special += int(of_kinds.sum())
        for move, (die, extra) in enumerate(inputs.moves):
            here = int(n["die_space"][row, die].argmax())
            target = (here + int(n["die_value"][row, die, :6].argmax()) + 1 + int(extra)) % SPACES
            dice = int(n["crowd"][row, target]) + (target != here)
            column = entries(ruleset, "workshop").index("permits")
            of_tile = n["workshop"][row, 0, die, column] if die != BLACK_DIE else 0
            of_guild = n["guild_more"][row, target // 2, :, : features_full.GUILD_MORE].ravel()
            expected = [n["market_permits"][row, target] * dice, of_tile, die == BLACK_DIE, *of_guild]
            found = x[row, moves_at + move * features_full.MOVE_MORE_SIZE :][: features_full.MOVE_MORE_SIZE]
            np.testing.assert_array_equal(found, expected)
            permits += int(expected[0])
    assert special and permits


def test_numbers_beyond_a_byte_are_cut():
    """With every entry at its divisor, as in no real game, no number wraps around."""
    for players in (1, 2, 4):
        ruleset = Ruleset(players)
        inputs = Inputs(ruleset)
        most = np.stack([ruleset.observations.divisors, np.full(ruleset.observations.size, 255, np.uint8)])
        x = inputs(most)
        towers, at = ruleset.observations.towers, begin(inputs, "sections")
        misses = x[:, at : at + towers * 5 * features.SECTION_SIZE].reshape(2, towers, 5, -1)[..., 0]
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
    with pytest.raises(
        ValueError, match=r"numbers must be an \(N, 1448\) array of uint8.*, not a float32 array of shape \(1, 1448\)"
    ):
        inputs(np.zeros((1, Ruleset().observations.size), np.float32))
