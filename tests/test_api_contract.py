"""One contract for all APIs: the same deals with the same actions are the same games in every API.

One deterministic bot plays every seat, so an API of one seat shows that seat's part of the same games. The promises of
a single API are tested in its own file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

import numpy as np
import pytest
from variants import SAMPLE, VARIANTS

from rc_env import Engine, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv, Ruleset, agents, red_cathedral_v0
from rc_env.bot import Position
from rc_env.ruleset import FULL_GAME
from rc_env.training.pool import OpponentPool
from rc_env.training.sb3_vec_env import SelfPlayVecEnv

ROWS, GAMES, SEED = 3, 2, 41


@dataclass(frozen=True)
class Case:
    """A case: a variant, the dtype of observations, and one bot on every seat."""

    players: int
    workshop: str
    dtype: str
    turn_limit: int = 14
    bot: str = "choices:Scripted"
    switches: tuple[tuple[str, Any], ...] = ()  # the switches of the expansion

    @property
    def settings(self) -> dict[str, Any]:
        """The arguments that the PettingZoo and Gymnasium APIs share."""
        names = {"num_players": self.players, "workshop": self.workshop, "turn_limit": self.turn_limit}
        return names | {"observation_dtype": self.dtype, **dict(self.switches)}

    @property
    def ruleset(self) -> Ruleset:
        """The variant, for the APIs that take a ruleset."""
        return Ruleset(self.players, self.workshop, turn_limit=self.turn_limit, **dict(self.switches))


CASES = [Case(*variant, dtype) for variant in VARIANTS for dtype in ("float32", "uint8")]
CASES += [Case(players, "basic", "uint8", 1000, "greedy") for players in (1, 2, 3, 4)]  # games that end by the rules
HIDDEN = (("fourth_guild", "archivists"), ("special_tiles", True))
DRAWN = (("fourth_guild", "random"), ("promos", True), ("expansion_data", "contractors"))
MODULE = (("contractors", True),)
ALL = tuple(FULL_GAME.items())
CASES += [
    Case(players, "basic", dtype, 40, switches=switches)
    for players, dtype, switches in (
        (1, "uint8", ALL),
        (2, "float32", HIDDEN),
        (2, "uint8", ALL),
        (3, "uint8", DRAWN),
        (3, "float32", MODULE),
        (4, "uint8", ALL),
    )
]


def marks_of(case: Case) -> list[pytest.MarkDecorator]:
    """Return the markers that leave a case out of `make quick`."""
    if case.switches:
        return [pytest.mark.full]
    return [] if (case.players, case.workshop) in SAMPLE else [pytest.mark.slow]


@dataclass
class End:
    """The end of a game: rewards and last observations of the seats that the API reports."""

    rewards: dict[int, float]
    last: dict[int, np.ndarray]
    truncated: bool


@dataclass
class Part:
    """One seat's part of a game: the observations, masks and actions at its decisions, and the end."""

    seen: list[np.ndarray] = field(default_factory=list)
    masks: list[np.ndarray] = field(default_factory=list)
    reward: float | None = None
    last: np.ndarray | None = None
    truncated: bool | None = None


# --- the APIs, each as: `reset`, `look` (seat, observations and masks of the rows), `step`


class ByEngine:
    """The engine's games, which those of the other APIs have to equal."""

    rows = ROWS

    def __init__(self, case: Case) -> None:
        self.engine, self.dtype = Engine(case.ruleset, ROWS), np.dtype(case.dtype)

    def reset(self, seed: int) -> None:
        self.engine.reset(seed=seed)

    def look(self) -> tuple[Any, Any, Any]:
        return self.engine.seat.copy(), self.engine.observe(dtype=self.dtype), self.engine.legal_mask().copy()

    def step(self, actions: np.ndarray) -> list[End | None]:
        self.engine.step(actions)
        ends: list[End | None] = [None] * ROWS
        for row in self.engine.ended:
            last = {s: self.engine.observe([row], seat=s, dtype=self.dtype)[0] for s in range(self.engine.num_players)}
            assert self.engine.terminated[row] != self.engine.truncated[row]
            ends[row] = End(dict(enumerate(self.engine.rewards[row].tolist())), last, bool(self.engine.truncated[row]))
        self.engine.reset(self.engine.ended)
        return ends

    def illegal(self) -> Any:
        return self.engine.illegal


class ByAEC:
    """PettingZoo's API, without its wrappers."""

    rows, make = 1, staticmethod(red_cathedral_v0.raw_env)

    def __init__(self, case: Case) -> None:
        self.env = self.make(**case.settings)
        self.engine = self.env.unwrapped.engine

    def spaces(self) -> tuple[Any, Any]:
        return self.env.observation_space("player_0")["observation"], self.env.action_space("player_0")

    def reset(self, seed: int) -> None:
        self.env.reset(seed=seed)

    def look(self) -> tuple[Any, Any, Any]:
        observation, reward, terminated, truncated, info = self.env.last()
        assert reward == 0 and not terminated and not truncated
        assert np.array_equal(info["action_mask"], observation["action_mask"])
        seat = self.env.possible_agents.index(self.env.agent_selection)
        return [seat], [observation["observation"]], [observation["action_mask"]]

    def step(self, actions: np.ndarray) -> list[End | None]:
        self.env.step(actions[0])
        over = [self.env.terminations[agent] or self.env.truncations[agent] for agent in self.env.possible_agents]
        if not any(over):
            return [None]
        seats = dict(enumerate(self.env.possible_agents))
        truncated = {self.env.truncations[agent] for agent in seats.values()}
        assert all(over) and len(truncated) == 1
        end = End(
            {seat: self.env.rewards[agent] for seat, agent in seats.items()},
            {seat: self.env.observe(agent)["observation"] for seat, agent in seats.items()},
            truncated.pop(),
        )
        self.env.reset()
        return [end]


class ByWrappedAEC(ByAEC):
    """PettingZoo's API with its three wrappers."""

    make = staticmethod(red_cathedral_v0.env)


class ByVectorEnv:
    """Gymnasium's vector API of all seats."""

    rows = ROWS

    def __init__(self, case: Case) -> None:
        self.env = self.make(case)
        self.engine = self.env.engine

    def make(self, case: Case) -> Any:
        return RedCathedralVectorEnv(ROWS, **case.settings)

    def spaces(self) -> tuple[Any, Any]:
        return self.env.single_observation_space, self.env.single_action_space

    def reset(self, seed: int) -> None:
        self.shown, self.infos = self.env.reset(seed=seed)

    def look(self) -> tuple[Any, Any, Any]:
        return self.infos["seat"], self.shown, self.infos["action_mask"]

    def step(self, actions: np.ndarray) -> list[End | None]:
        before = self.infos["seat"]
        self.shown, rewards, terminated, truncated, self.infos = self.env.step(actions)
        assert not (terminated & truncated).any() and not rewards[~(terminated | truncated)].any()
        ends: list[End | None] = [None] * ROWS
        for row in np.flatnonzero(terminated | truncated):
            seat, paid = int(before[row]), self.paid(row)
            assert paid.get(seat) == rewards[row]
            ends[row] = End(paid, {seat: self.infos["final_obs"][row]}, bool(truncated[row]))
        return ends

    def illegal(self) -> Any:
        return self.infos["illegal"]

    def paid(self, row: int) -> dict[int, float]:
        return dict(enumerate(self.infos["final_info"]["rewards"][row].tolist()))


class ByBuffers(ByVectorEnv):
    """Gymnasium's vector API of all seats, writing into its own arrays at each step."""

    def make(self, case: Case) -> Any:
        return RedCathedralVectorEnv(ROWS, copy=False, **case.settings)

    def look(self) -> tuple[Any, Any, Any]:
        seats, seen, masks = super().look()
        return seats, seen.copy(), masks.copy()


class ByOneSeatVectorEnv(ByVectorEnv):
    """Gymnasium's vector API of one seat."""

    def make(self, case: Case) -> Any:
        return OneSeatVectorEnv(ROWS, seat=0, opponents=agents.from_text(case.bot), **case.settings)

    def paid(self, row: int) -> dict[int, float]:
        return {0: float(self.infos["final_info"]["rewards"][row, 0])}


class ByOneSeatEnv:
    """Gymnasium's API of one game and one seat, the last one, so that bots begin."""

    rows = 1

    def __init__(self, case: Case) -> None:
        self.env = OneSeatEnv(seat=case.players - 1, opponents=agents.from_text(case.bot), **case.settings)
        self.engine = self.env.engine

    def spaces(self) -> tuple[Any, Any]:
        return self.env.observation_space, self.env.action_space

    def reset(self, seed: int | None) -> None:
        self.shown, self.info = self.env.reset(seed=seed)

    def look(self) -> tuple[Any, Any, Any]:
        return [self.info["seat"]], [self.shown], [self.info["action_mask"]]

    def step(self, actions: np.ndarray) -> list[End | None]:
        self.shown, reward, terminated, truncated, self.info = self.env.step(actions[0])
        assert not (terminated and truncated) and (terminated or truncated or reward == 0)
        if not terminated and not truncated:
            return [None]
        seat = self.info["seat"]
        end = End({seat: reward}, {seat: self.shown}, truncated)
        self.reset(None)
        return [end]

    def illegal(self) -> Any:
        return self.info["illegal"]


class BySelfPlay:
    """Stable-Baselines3's API of one seat per game, with another seat in each game."""

    rows = ROWS

    def __init__(self, case: Case) -> None:
        self.env = SelfPlayVecEnv(case.ruleset, ROWS, OpponentPool({case.bot: 1}), observation_dtype=case.dtype)
        self.engine = self.env.engine

    def spaces(self) -> tuple[Any, Any]:
        return self.env.observation_space, self.env.action_space

    def reset(self, seed: int) -> None:
        self.env.seed(seed)
        self.shown = self.env.reset()

    def look(self) -> tuple[Any, Any, Any]:
        return self.env.learner.copy(), self.shown, self.env.action_masks()

    def step(self, actions: np.ndarray) -> list[End | None]:
        self.shown, rewards, dones, infos = self.env.step(actions)
        assert not rewards[~dones].any() and [bool(info) for info in infos] == dones.tolist()
        return [
            End({info["seat"]: float(reward)}, {info["seat"]: info["terminal_observation"]}, info["truncated"])
            if info
            else None
            for reward, info in zip(rewards, infos, strict=True)
        ]


APIS: list[Callable[[Case], Any]] = [
    ByAEC,
    ByWrappedAEC,
    ByVectorEnv,
    ByBuffers,
    ByOneSeatVectorEnv,
    ByOneSeatEnv,
    BySelfPlay,
]


def play(api: Any, case: Case) -> dict[tuple[int, int, int], Part]:
    """Play the first games of each row; return their parts by row, game and seat, without copies of the arrays."""
    bot = agents.from_text(case.bot)
    parts: dict[tuple[int, int, int], Part] = {}
    games = [0] * api.rows
    while min(games) < GAMES:
        seats, seen, masks = api.look()
        for row in range(api.rows):
            part = parts.setdefault((row, games[row], int(seats[row])), Part())
            part.seen.append(seen[row])
            part.masks.append(masks[row])
        ends = api.step(bot.act(Position.of(api.engine)))
        for row, end in enumerate(ends):
            if end is not None:
                for seat, reward in end.rewards.items():
                    part = parts.setdefault((row, games[row], seat), Part())
                    part.reward, part.truncated, part.last = reward, end.truncated, end.last.get(seat)
                games[row] += 1
    return {key: part for key, part in parts.items() if key[1] < GAMES}


@cache
def expected(case: Case) -> dict[tuple[int, int, int], Part]:
    """Return the games as the engine plays them."""
    api = ByEngine(case)
    api.reset(SEED)
    return play(api, case)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=marks_of(case)) for case in CASES],
    ids=lambda case: f"{case.players}-{case.workshop}-{case.dtype}-{case.bot}",
)
@pytest.mark.parametrize("make", APIS)
def test_every_api_gives_the_same_games(make: Callable[[Case], Any], case: Case) -> None:
    """Observations, masks, rewards and ends are the same, also after other games were begun and dropped."""
    api = make(case)
    api.reset(SEED + 1)
    for _ in range(5):
        api.step(agents.from_text(case.bot).act(Position.of(api.engine)))
    api.reset(SEED)
    said = play(api, case)
    assert {(row, game) for row, game, _ in said} == {(row, game) for row in range(api.rows) for game in range(GAMES)}
    lasts = 0
    for key, part in said.items():
        true = expected(case)[key]
        assert len(part.seen) == len(true.seen), key
        for one, other in zip([*part.seen, *part.masks], [*true.seen, *true.masks], strict=True):
            assert one.dtype == other.dtype and np.array_equal(one, other), key
        assert (part.reward, part.truncated) == (true.reward, true.truncated), key
        lasts += part.last is not None
        assert part.last is None or np.array_equal(part.last, true.last), key
    assert lasts >= api.rows * GAMES
    assert {part.truncated for part in said.values()} == {case.turn_limit < 1000}


@pytest.mark.parametrize("case", CASES[1:16:2], ids=str)
def test_bytes_are_the_numbers_behind_the_floats(case: Case) -> None:
    """The engine's bytes and floats agree; the test above compares both with those of the APIs."""
    assert case.dtype == "uint8"
    floats = expected(Case(case.players, case.workshop, "float32"))
    divisors = case.ruleset.observations.divisors
    for key, part in expected(case).items():
        for numbers, one in zip([*part.seen, part.last], [*floats[key].seen, floats[key].last], strict=True):
            assert np.array_equal(np.rint(one * divisors), numbers)


@pytest.mark.parametrize("case", CASES[:16], ids=str)
def test_every_api_has_the_same_spaces(case: Case) -> None:
    layout, part = case.ruleset.observations, next(iter(expected(case).values()))
    for make in APIS:
        observation, action = make(case).spaces()
        assert observation.dtype == np.dtype(case.dtype) and observation.shape == (len(layout.divisors),)
        high = layout.divisors if case.dtype == "uint8" else 1
        assert (observation.low >= -1).all() and (observation.high == high).all()
        assert action.n == len(part.masks[0]) and action.start == 0
        assert all(observation.contains(one) for one in part.seen)


@pytest.mark.parametrize("make", APIS)
@pytest.mark.parametrize("dtype", ["int8", "float64", None, np.uint8, np.float32])
def test_every_api_refuses_other_dtypes(make: Callable[[Case], Any], dtype: Any) -> None:
    with pytest.raises(ValueError, match=r"^unknown observation_dtype .*: choose float32 or uint8"):
        make(Case(2, "basic", dtype))


@pytest.mark.parametrize("make", [ByEngine, ByAEC, ByVectorEnv, ByOneSeatVectorEnv, ByOneSeatEnv, BySelfPlay])
def test_an_illegal_action_changes_nothing(make: Callable[[Case], Any]) -> None:
    """An illegal action is reported, or refused in a sentence that names it; PettingZoo's wrapper, which ends the game,
    is left out.
    """
    case = Case(2, "basic", "float32")
    api = make(case)
    api.reset(SEED)
    before = api.engine.games[0].tobytes()
    for wrong in (int(api.engine.legal_mask()[0].argmin()), -1, 10**6):
        actions = agents.from_text(case.bot).act(Position.of(api.engine))
        actions[0] = wrong
        if make in (ByAEC, BySelfPlay):
            with pytest.raises(ValueError, match=f"{wrong}"):
                api.step(actions)
        else:
            assert api.step(actions)[0] is None
            reported = np.atleast_1d(api.illegal())
            assert reported[0] and not reported[1:].any()
        assert api.engine.games[0].tobytes() == before


@pytest.mark.parametrize("make", [ByEngine, *APIS])
def test_seeds_decide_the_deals(make: Callable[[Case], Any]) -> None:
    case, first = Case(2, "basic", "uint8"), []
    for seed in (1, 2, 1):
        api = make(case)
        api.reset(seed)
        first.append(np.stack(api.look()[1]).tobytes())
    assert first[0] == first[2] != first[1]


# --- the variant

ENVIRONMENTS = (red_cathedral_v0.raw_env, OneSeatEnv, OneSeatVectorEnv, RedCathedralVectorEnv)


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_environment_takes_the_arguments_of_a_ruleset(environment: type) -> None:
    """Each spells them out, so that they can be seen: none is forgotten, and none has another default."""
    variant = {f"num_{one.name}" if one.name == "players" else one.name: one.default for one in fields(Ruleset)}
    taken = {name: one.default for name, one in inspect.signature(environment).parameters.items()}
    assert variant.items() <= taken.items()
