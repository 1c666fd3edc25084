"""Plays a toy build in a process of its own: `python toy_play.py DATA_FILE`; prints its counts as JSON.

`test_toy_build.py` makes the build: a sixth die, a seventh material and a fifth guild. It puts the folder of the build
in front of PYTHONPATH, so that `import rc_env` imports the build.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import rc_env
from rc_env import Engine, Ruleset, record
from rc_env.record import Recorder
from rc_env.render import board_svg, board_text
from rc_env.rules.printed.build_sizes import DICE, DIE_NAMES
from rc_env.rules.printed.sizes import MATERIAL_NAMES, MATERIALS, SPACES
from rc_env.rules.verbs import Verb
from rc_env.words import facts

GAMES = {2: 300, 1: 40, 3: 40, 4: 40}  # the number of games by players
DIAMOND, BLACK = MATERIAL_NAMES.index("diamond"), DIE_NAMES.index("black")


class Count:
    """Counts events in games with one number of players, and checks that all components are still there."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        tables = rules.data_file.tables
        self.supply = np.array([tables["supply"][material] for material in MATERIAL_NAMES])
        cards = [card["cost"] for deck in tables["cards"].values() for card in deck]
        self.cost = np.array([[cost.get(material, 0) for material in MATERIAL_NAMES] for cost in cards])
        self.count = dict.fromkeys(
            ("games", "decisions", "diamonds held", "diamonds delivered", "black moved", "black rolled", "fifth guild"),
            0,
        )

    def check(self, games: np.ndarray) -> None:
        """Check that every material is at some place, and every die on a space."""
        sections = int(self.rules.rules[0].sections)
        card = games["card"][:, :sections, :MATERIALS].astype(int)
        delivered = self.cost[games["number"][:, :sections]] - card
        if self.rules.solo:  # the row of the card holds the materials on Ivan's sections
            ivans = games["owner"][:, :sections] == 1
            delivered[ivans] = card[ivans]
        lying = (delivered * (games["finished"][:, :sections] == 0)[:, :, None]).sum(1)
        held = games["goods"][:, :, :MATERIALS].sum(1) + games["ivan_goods"][:, :, :MATERIALS].sum(1)
        assert (games["supply"][:, :MATERIALS] + held + lying == self.supply).all()
        space, value = games["die_space"][:, :DICE], games["die_value"][:, :DICE]
        assert ((space >= 0) & (space < SPACES)).all() and ((value >= 1) & (value <= 6)).all()
        crowd = (space[:, :, None] == np.arange(SPACES)).sum(1)
        assert (crowd == games["crowd"][:, :SPACES]).all() and (crowd.sum(1) == DICE).all()
        self.count["diamonds held"] += int(held[:, DIAMOND].sum())
        self.count["diamonds delivered"] += int(lying[:, DIAMOND].sum())

    def step(self, engine: Engine, rng: np.random.Generator) -> None:
        """Play a random legal action in each row."""
        mask = engine.legal_mask()
        actions = np.argmax(mask * (1 + rng.random(mask.shape)), axis=1)
        assert mask[np.arange(len(mask)), actions].all()
        c = self.rules.rules[0]
        moves = c.verb[actions] == Verb.MOVE
        dice = c.die_seen[engine.games.seat[moves].astype(int), c.argument[actions[moves], 0].astype(int)]
        self.count["black moved"] += int((dice == BLACK).sum())
        before = engine.games.rolls[:, BLACK].copy()
        engine.step(actions, auto_reset=True)
        assert not engine.illegal.any()
        self.count["black rolled"] += int((engine.games.rolls[:, BLACK] > before).sum())
        self.count["games"] += len(engine.ended)
        self.count["decisions"] += len(actions)
        self.count["fifth guild"] += int((engine.games.guild[engine.ended] == 4).any(1).sum())


def play(players: int, data: str) -> dict[str, int]:
    """Play random games, observed as bytes and as floats."""
    rules = Ruleset(players, ("basic", "advanced")[players % 2], data=data, turn_limit=300)
    engine, rng = Engine(rules, 64, seed=players), np.random.default_rng(players)
    count, steps = Count(rules), 0
    divisors = rules.observations.divisors
    while count.count["games"] < GAMES[players]:
        count.step(engine, rng)
        steps += 1
        if steps % 8 == 0:
            games = engine.games.view(np.ndarray)
            count.check(games)
            seen = engine.observe(dtype=np.uint8)
            assert (seen <= divisors).all()
            assert np.array_equal(np.rint(engine.observe() * divisors), seen)
        if steps % 200 == 0:
            words(rules, engine, steps // 200 % players)
    return count.count


def words(rules: Ruleset, engine: Engine, seat: int) -> None:
    """Return the facts from both the game and the vector, and the text and pictures, of one game."""
    game, vector = engine.games[0], engine.observe([0], seat=seat, dtype=np.uint8)[0]
    seen = facts.observation_facts(rules, vector, seat)
    assert seen == facts.game_facts(rules, game, seat)
    assert "black" in facts.facts_text(seen) and "diamond" in facts.facts_text(seen)
    assert "black" in board_text(rules, game) and "di diamond" in board_text(rules, game)
    assert "rc-diamond" in board_svg(rules, game)


def recorded(players: int, data: str) -> int:
    """Record games and replay them to the last byte; return how many of their lines name the new components."""
    rules = Ruleset(players, "basic", data=data, turn_limit=60)
    texts: list[str] = []
    engine, rng = Engine(rules, 1, seed=9), np.random.default_rng(9)
    Recorder(lambda _, text: texts.append(text), legal=True, state=True).attach(engine)
    while not texts:
        engine.step(np.argmax(engine.legal_mask() * (1 + rng.random(engine.num_actions)), axis=1))
    game, again = record.parse(texts[0], data=data), []
    other = Engine(game.ruleset, 1)
    Recorder(lambda _, text: again.append(text), legal=True, state=True).attach(other)
    record.replay(game, other)
    assert again == texts
    return sum("black" in line and "diamond" in line for line in texts[0].splitlines())


def main(data: str) -> None:
    found: dict[str, Any] = {str(players): play(players, data) for players in GAMES}
    found["records"] = {str(players): recorded(players, data) for players in (1, 2, 4)}
    found["build"] = rc_env.__file__
    found["sizes"] = [DICE, MATERIALS, Ruleset(2, data=data).observations.size]
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
