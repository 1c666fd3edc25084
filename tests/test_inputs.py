"""What is worked out for networks, against the same worked out from the numbers of the observation in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from rc_env import Engine, Ruleset, agents
from rc_env.agents.inputs import NEXT, SECTION, Inputs
from rc_env.bot import Position
from rc_env.rules.verbs import Verb

GAMES = 24


@pytest.fixture(scope="module", params=[(1, "basic"), (2, "advanced"), (3, "basic"), (4, "advanced")])
def seen(request):
    """Numbers of the observation by piece, what the inputs make of it, where that stands, the ruleset."""
    players, workshop = request.param
    ruleset = Ruleset(players=players, workshop=workshop)
    engine = Engine(ruleset, GAMES, seed=11)
    bot = agents.make("greedy")  # claims, finishes and adorns
    for _ in range(70):
        engine.step(bot.act(Position.of(engine)), auto_reset=True)
    observation = engine.observe()
    inputs = Inputs(ruleset)
    layout = ruleset.observations
    return layout.numbers(observation), inputs(observation), inputs, ruleset


def lacking(n, row: int, ruleset: Ruleset) -> np.ndarray:
    section, card = n["section"][row], n["card"][row]
    own = 8 if section.shape[-1] > 8 else 4
    mine = (section[..., own] > 0) & (section[..., 3] == 0)
    return card[mine][:, :6].sum(0) - n["goods"][row, 0, :6]


def test_what_is_lacking(seen):
    n, x, inputs, ruleset = seen
    at = int(inputs._at["lacking"][0])
    for row in range(GAMES):
        np.testing.assert_allclose(x[row, at : at + 6], lacking(n, row, ruleset), atol=1e-5)


def test_sections_and_claims(seen):
    n, x, inputs, ruleset = seen
    at, claims = int(inputs._at["sections"][0]), int(inputs._at["claims"][0])
    towers, levels = n["card"].shape[1:3]
    own, seats = (8 if n["section"].shape[-1] > 8 else 4), ruleset.seats
    checked = offered = 0
    for row in range(GAMES):
        section, card, goods = n["section"][row], n["card"][row], n["goods"][row, 0, :6]
        worked = x[row, at : at + SECTION * towers * levels].reshape(towers, levels, SECTION)
        for tower in range(towers):
            presence = n["standing"][row, tower, :seats]
            open_ = section[tower, :, 3] == 0
            claimed = presence + (section[tower, open_, own : own + seats] > 0).sum(0)
            leads = [now[0] - max(now[1:]) for now in (presence.tolist(), claimed.tolist())]
            np.testing.assert_allclose(worked[tower, :, 4:], np.tile(leads, (levels, 1)), atol=1e-5)
            there = section[tower, :, :3].any(1)
            for level in np.flatnonzero(open_ & there):
                wanted = card[tower, level, :6]
                ready = bool((goods >= wanted).all())
                expected = [wanted.sum(), np.minimum(goods, wanted).sum(), ready, ready and wanted.sum() <= 3]
                np.testing.assert_allclose(worked[tower, level, :4], expected, atol=1e-5)
                checked += 1
            free = np.flatnonzero(open_ & there & ~section[tower, :, own : own + seats].any(1))
            claim = x[row, claims + tower * (NEXT + SECTION) :][: NEXT + SECTION]
            assert claim[26] == (len(free) > 0)
            if len(free):
                assert claim[25] == free[0]
                np.testing.assert_array_equal(claim[NEXT:], worked[tower, free[0]])
                offered += 1
    assert checked > 100 and offered > 20


def test_moves(seen):
    n, x, inputs, ruleset = seen
    at, cards = int(inputs._at["moves"][0]), int(inputs._at["cards"][0])
    width = (inputs.size - inputs.shared) // len(inputs.moves)
    numbers = [number for number, action in enumerate(ruleset.actions.actions) if action.verb == Verb.MOVE]
    assert len(numbers) == len(inputs.moves) and width == 31 + 4 * cards
    useful_of_tiles = 0
    for row in range(GAMES):
        lack = lacking(n, row, ruleset)
        for move, (die, extra) in enumerate(inputs.moves):
            told = x[row, at + move * width : at + (move + 1) * width]
            shown = np.flatnonzero(n["die_value"][row, die, :6])
            if not len(shown):
                continue
            here = int(n["die_space"][row, die].argmax())
            space = (here + int(shown[0]) + 1 + extra) % 8
            dice = int(n["crowd"][row, space]) + (space != here)
            market = n["market"][row, space] * dice
            np.testing.assert_allclose(told[:8], market, atol=1e-5)
            useful = np.clip(lack, 0, market[:6])
            np.testing.assert_allclose(told[8 + 4 * cards : 14 + 4 * cards], useful, atol=1e-5)
            tiles = n["workshop"][row, 0, [die] if die < 4 else [4, 5], 5:14].max(0)
            np.testing.assert_allclose(told[14 + 4 * cards :][:11], [*tiles, extra, dice], atol=1e-5)
            left = np.clip(np.maximum(lack - market[:6], 0), 0, tiles[:6])
            np.testing.assert_allclose(told[25 + 4 * cards :], left, atol=1e-5)
            useful_of_tiles += int(left.sum())
    assert useful_of_tiles > 0
