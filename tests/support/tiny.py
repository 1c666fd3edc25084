"""A tiny training run that the tests of several modules use."""

from __future__ import annotations

from rc_env import Engine, Ruleset
from rc_env.bot import Position
from rc_env.training.settings import TrainingSettings

TINY = TrainingSettings(
    imitation=512,
    teacher="greedy",
    decisions=768,
    envs=16,
    steps=16,
    batch=64,
    epochs=1,
    trunk=32,
    layers=1,
    heads=16,
    object=8,
    turn_limit=20,
    snapshot_every=1,
    snapshots=2,
    opponents={"self": 1, "past": 1, "greedy": 1},
    threads=1,
    precision="float32",
    device="cpu",
    anchors=("random",),
    evaluate_every=2,
    evaluation_games=4,
)


def positions(games: int = 64, **ruleset) -> Position:
    engine = Engine(Ruleset(**ruleset), games, 5)
    engine.play_random(30)
    return Position.of(engine)
