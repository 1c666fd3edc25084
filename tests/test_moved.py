"""Tests that an import path of version 0.2 says where its module is now."""

from __future__ import annotations

import importlib

import pytest

from rc_env.moved import MOVED


@pytest.mark.parametrize("old", sorted(MOVED))
def test_an_old_path_gives_the_new_one(old: str) -> None:
    with pytest.raises(ImportError) as refused:
        importlib.import_module(old)
    assert str(refused.value) == f"{old} is now {MOVED[old]}: import that instead"
    assert importlib.import_module(MOVED[old]).__name__ == MOVED[old]


@pytest.mark.parametrize(
    ("words", "old"),
    [
        ("from rc_env.rules import ivan", "rc_env.rules.ivan"),
        ("from rc_env.training.arena.match import play_match", "rc_env.training.arena"),
        ("import rc_env.training.learning.run", "rc_env.training.learning"),
        ("from rc_env import gym", "rc_env.gym"),
    ],
)
def test_every_way_to_write_the_import_is_answered(words: str, old: str) -> None:
    with pytest.raises(ImportError, match=f"{old} is now {MOVED[old]}"):
        exec(words, {})


def test_a_name_that_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'rc_env\.nothing'"):
        importlib.import_module("rc_env.nothing")
