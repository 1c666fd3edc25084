"""Tests of the scripts in examples/: they are short, use public names, pin their packages, and their helpers work."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from choices import choose

from rc_env import OneSeatEnv, OneSeatVectorEnv, agents

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
SHARED = EXAMPLES / "common.py"
SCRIPTS = sorted(path for path in EXAMPLES.glob("*.py") if path != SHARED)
FRAMEWORKS = [path.stem.split("-")[1] for path in sorted(EXAMPLES.glob("requirements-*.txt"))]


@pytest.fixture
def common(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module that the scripts share; it needs PyTorch."""
    pytest.importorskip("torch")
    monkeypatch.syspath_prepend(EXAMPLES)
    import common

    return common


# --- the form of the scripts


def private(tree: ast.AST) -> list[str]:
    """Return the names with a leading underscore that are imported from the project, or read from its objects."""
    found, ours = [], set()
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        module = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        for name, alias in zip(names, getattr(node, "names", []), strict=False):
            whole = f"{module}.{name}" if module else name
            if whole.split(".")[0] == "rc_env":
                ours.add((alias.asname or name).split(".")[0])
                found += [whole for part in whole.split(".") if part.startswith("_")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            base: ast.AST = node
            while isinstance(base, ast.Attribute | ast.Call):
                base = base.value if isinstance(base, ast.Attribute) else base.func
            if isinstance(base, ast.Name) and base.id in ours:
                found.append(ast.unparse(node))
    return found


def test_what_counts_as_private() -> None:
    code = (
        "import rc_env\nfrom rc_env import _x\nfrom rc_env.envs.gym import A\nfrom torch import _C\nA().b._c\nrc_env.d"
    )
    assert private(ast.parse(code)) == ["rc_env._x", "A().b._c"]


def test_make_frameworks_has_a_script_for_each() -> None:
    assert FRAMEWORKS == ["cleanrl", "minari", "open_spiel", "rllib", "sb3", "tianshou", "torchrl"]
    assert all(len(list(EXAMPLES.glob(f"{name}_*.py"))) == 1 for name in FRAMEWORKS)


@pytest.mark.parametrize("path", [*SCRIPTS, SHARED], ids=lambda path: path.name)
def test_scripts_are_short_and_use_what_is_public(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert private(tree) == []
    assert path == SHARED or len(text.splitlines()) <= 60


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_each_has_pinned_requirements_and_a_section(name: str) -> None:
    lines = (EXAMPLES / f"requirements-{name}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w-]+(\[[\w,]+\])?==[\w.]+", pin) for pin in pins), pins
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    torch = re.search(r"^TORCH := (.*)", makefile, re.MULTILINE)
    assert torch and (torch[1] in pins or name == "open_spiel")
    only = re.search(r"^ONLY \?= (.*)", makefile, re.MULTILINE)
    assert only and sorted(only[1].split()) == sorted(FRAMEWORKS)
    page = " ".join((ROOT / "docs" / "frameworks.md").read_text(encoding="utf-8").split())
    assert f"make frameworks ONLY={name}" in page
    for pin in pins:
        assert pin.split("==")[1] in page, f"docs/frameworks.md does not say that {pin} was used"


# --- the code that the scripts share


def test_the_lead(common: ModuleType) -> None:
    prestige = np.array([[3, 10, 4], [7, 7, 2], [0, 1, 5]])
    assert common.lead(prestige, np.array([1, 0, 0])).tolist() == [6, 0, -5]


def test_the_reward_adds_up_to_the_final_lead(common: ModuleType) -> None:
    env = common.LeadReward(OneSeatEnv(turn_limit=30, opponents="greedy"))
    rng = np.random.default_rng(0)
    for seed in range(3):
        _, info = env.reset(seed=seed)
        begin, total, over = common.lead(info["prestige"][None], [info["seat"]])[0], 0.0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(choose(info["action_mask"], rng))
            total, over = total + reward, terminated or truncated
        won = env.unwrapped.engine.rewards[0, info["seat"]]
        end = common.lead(info["prestige"][None], [info["seat"]])[0]
        assert total == pytest.approx(won + common.SCALE * (end - begin), abs=1e-5)


def test_the_reward_of_many_games_is_that_of_one(common: ModuleType) -> None:
    one = common.LeadReward(OneSeatEnv(turn_limit=15))
    many = common.LeadRewards(OneSeatVectorEnv(1, turn_limit=15))
    rng = np.random.default_rng(0)
    _, info = one.reset(seed=3)
    many.reset(seed=3)
    seen = set()
    for _ in range(150):
        action = choose(info["action_mask"], rng)
        _, reward, terminated, truncated, info = one.step(action)
        _, rewards, *_ = many.step(np.array([action]))
        assert rewards[0] == pytest.approx(reward, abs=1e-6)
        seen.add(reward)
        if terminated or truncated:
            _, info = one.reset()
    assert len(seen) > 2


def test_games_of_mixed_bots(common: ModuleType) -> None:
    games = list(islice(common.mixed_games("greedy", 7, rows=10), 7))
    assert len(games) == 7
    winners = 0
    for game in games:
        length = len(game["actions"])
        assert {len(game[name]) for name in ("rewards", "terminations", "truncations")} == {length}
        for name in ("observations", "action_mask", "seat", "prestige", "winners"):
            assert len(game[name]) == length + 1
        assert game["action_mask"][np.arange(length), game["actions"]].all()  # every action was legal
        assert not game["action_mask"][-1].any() and len(set(game["seat"])) == 1
        assert game["terminations"][-1] or game["truncations"][-1]
        assert not any(game["terminations"][:-1]) and not any(game["rewards"][:-1])
        assert (game["rewards"][-1] >= 0) == game["winners"][-1, game["seat"][0]]
        winners += int(game["winners"][-1, game["seat"][0]])
    assert 0 < winners < 7


def test_a_policy_as_a_bot(common: ModuleType) -> None:
    bot = common.PolicyBot(lambda position: position.mask.argmax(-1))
    env = OneSeatEnv(opponents=bot, turn_limit=10)
    env.reset(seed=1)
    position = agents.Position.of(env.engine)
    assert bot.act(position).tolist() == [position.mask[0].argmax()]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sb3_ppo", marks=pytest.mark.long),
        pytest.param("cleanrl_ppo", marks=pytest.mark.long),
        pytest.param("open_spiel_mcts", marks=pytest.mark.long),
    ],
)
def test_scripts_that_need_nothing_more_run(name: str) -> None:
    pytest.importorskip("pyspiel" if name == "open_spiel_mcts" else "sb3_contrib")
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), "--seconds", "3", "--deals", "4"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert re.match(r"[\d,]+ decisions (in \d+ s \(\d+ s of processor time\): [\d,]+ )?a second", lines[-3])
    assert [line.split(":")[0] for line in lines[-2:]] == ["against random", "against greedy"]
