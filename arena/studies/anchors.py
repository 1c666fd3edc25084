"""The anchors of the benchmark: bots whose decisions are pinned, and a fingerprint of these decisions."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

import numpy as np

from rc_env import agents, files
from rc_env.agents import net
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.ruleset import FULL_GAME, WORKSHOPS, Ruleset

ANCHORS = {
    "random": "random",
    "greedy": "greedy",
    "guilds": "guilds",
    "majority": "majority",
    "all_rounder": "all_rounder",
    # Every setting is written out, so that the bot stays the same when a default changes.
    "search": "search:simulations=25,plan=all_rounder,exploration=1.0,temperature=8.0,depth=4,net=none,seed=0",
}
"""The anchors' names in the benchmark's tables, with the bots as `rc_env.agents.from_text` takes them."""

# Written out for the same reason.
_SETTINGS = (
    "candidates=4,sure=0.95,start_sure=0,doubt=2,milliseconds=0,margin=0.5,visit_offset=50,value_scale=1,noise=0"
)
FROZEN = {"net": "net", "net_search": f"search:net=shipped,simulations=8,turns=6,{_SETTINGS},seed=0"}
"""The anchors of `benchmark.STRONG`: the packaged networks, and a search with the same weights."""

FINGERPRINT, FULL_FINGERPRINT, STRONG_FINGERPRINT = "693cf6e91a6c1881", "1543017d3f91c5a7", "d0c5f460618e4b4f"
"""The fingerprints of `benchmark.BASE`, `benchmark.FULL` and `benchmark.STRONG`. If one changes, the number of its
protocol must rise."""

GAMES = 2  # of each variant
SEARCHED = 20  # search, which takes seconds, decides every twentieth decision of one game


@cache  # takes seconds
def fingerprint(**switches: Any) -> str:
    """The first 16 hex digits of a SHA-256 over the anchors' decisions, in words, in fixed games of every variant.

    Args:
        switches: of the expansion, as `Ruleset` takes them; none for the base game.

    The anchors take turns in playing the games, and each of them is called at every decision. So the fingerprint
    changes with the rules, the packaged data file and the weights of the plans, but not with the numbers of the
    actions.
    """
    digest = hashlib.sha256()
    for players in (1, 2, 3, 4):
        for workshop in WORKSHOPS:
            _decisions(Ruleset(players, workshop, **switches), digest)
    return digest.hexdigest()[:16]


@cache
def strong_fingerprint() -> str:
    """The first 16 hex digits of a SHA-256 over what the frozen anchors are made of.

    That is the words that make them, the files of their weights, and the fingerprints of both games for the rules.
    Their decisions are not part of it: processors round the sums of a network differently, so that one of two actions
    with nearly equal logits may be chosen on one machine and the other one elsewhere.
    """
    games = [Ruleset(players, workshop) for players in (2, 3, 4) for workshop in WORKSHOPS]
    games += [Ruleset(2, data="sample:0"), Ruleset(2, **FULL_GAME)]  # one network is for all drawn sets
    weights = (hashlib.sha256(files.read(net.shipped(ruleset))).hexdigest() for ruleset in games)
    words = "\n".join((*FROZEN.values(), *weights, fingerprint(), fingerprint(**FULL_GAME)))
    return hashlib.sha256(words.encode()).hexdigest()[:16]


def _decisions(ruleset: Ruleset, digest: hashlib._Hash) -> None:
    """Add to the digest what the anchors decide in the games of a variant."""
    engine = Engine(ruleset, GAMES)
    engine.reset(deal_seeds=list(range(GAMES)))
    bots = {name: agents.from_text(text) for name, text in ANCHORS.items()}
    for bot in bots.values():
        bot.reset(0)
    playing = [name for name in ANCHORS if name != "search"]
    decision = 0
    while len(rows := np.flatnonzero(engine.seat >= 0)):
        if decision % SEARCHED == 0:
            _add(digest, engine, "search", bots["search"].act(Position.of(engine, rows[:1])))
        answers = {name: bots[name].act(Position.of(engine, rows)) for name in playing}
        for name, actions in answers.items():
            _add(digest, engine, name, actions)
        engine.step(answers[playing[decision % len(playing)]], rows)
        decision += 1


def _add(digest: hashlib._Hash, engine: Engine, name: str, actions: np.ndarray) -> None:
    words = "; ".join(engine.action_to_text(int(action)) for action in actions)
    digest.update(f"{name}: {words}\n".encode())
