"""Registers the game with OpenSpiel; afterwards `pyspiel.load_game("red_cathedral(players=3)")` loads it.

The first move is a chance node, the deal; every die that is rolled is a chance node of its own with six outcomes. All
other chance (in the solo game Ivan's dice and tiles, in the full game what is drawn from decks and bags) is fixed by
the deal, like the order of a deck in a card game: no player sees it, but a search that clones states uses it.
`OpenSpielBot` lets a bot of OpenSpiel play wherever bots of this package do. OpenSpiel is the extra `open_spiel`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from threading import Lock
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from rc_env import checks
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, FORCED
from rc_env.rules.state import PLAYING
from rc_env.ruleset import Ruleset
from rc_env.words import facts

SHORT_NAME = "red_cathedral"
PARAMETERS: dict[str, Any] = {
    **{name: value for name, value in asdict(Ruleset()).items() if name != "players"},
    "players": 2,
    "deals": 1000,
}
"""The parameters of `pyspiel.load_game` with their defaults: the arguments of `Ruleset`, and the number of deals."""
MOST_DEALS = 10**6
MOST_DECISIONS = 100
"""A number of decisions that no turn exceeds: OpenSpiel needs an upper bound of the length of a game."""
SIDES = 6


def _type(ruleset: Ruleset) -> pyspiel.GameType:
    """The OpenSpiel game type of a variant."""
    hidden = ruleset.solo or ruleset.full
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="The Red Cathedral",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM if ruleset.solo else pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


@dataclass(frozen=True)
class _Place:
    """The position of a state, which is immutable, so that clones of the state share it.

    Attributes:
        game: (1,) GAME, the game before the move that is being made; None before the deal.
        player: the player to move in the numbers of OpenSpiel; the chance player for the deal and for a die.
        legal: the legal actions of the player to move.
        returns: (P,) rewards of the players so far.
        action: at a chance node of a die the action that rolls it, else -1; `dice` are the results of its earlier dice.
        die: the number of the die that is rolled.
    """

    game: np.ndarray | None
    player: int
    legal: tuple[int, ...]
    returns: tuple[float, ...]
    action: int = -1
    dice: tuple[int, ...] = ()
    die: int = -1

    def __deepcopy__(self, memo: object) -> _Place:
        return self


class RedCathedralGame(pyspiel.Game):
    """The game for OpenSpiel, of one variant.

    Args:
        parameters: any of `PARAMETERS`, by name.

    Raises:
        ValueError: an argument is unknown or out of range, or the reward has no bounds ("score").
    """

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(checks.instance("parameters", parameters or {}, Mapping, "parameters by name"))  # type: ignore[type-abstract]
        for name in given:
            checks.one_of("parameters", name, tuple(PARAMETERS))
        chosen = {**PARAMETERS, **given}
        self.deals = checks.whole_number("deals", chosen.pop("deals"), 1, MOST_DEALS)
        self.ruleset = Ruleset(**chosen)
        if self.ruleset.reward == "score":
            raise ValueError("reward: 'score' found, expected one that has bounds: win, margin or first")
        low, high = self.ruleset.reward_range
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ruleset.actions.size,
            max_chance_outcomes=max(self.deals, SIDES),
            num_players=self.ruleset.players,
            min_utility=low,
            max_utility=high,
            **({} if self.ruleset.solo else {"utility_sum": 0.0}),
            max_game_length=MOST_DECISIONS * self.ruleset.turn_limit,
        )
        super().__init__(_type(self.ruleset), info, given)
        self._engine, self._lock = Engine(self.ruleset), Lock()
        self._begin = _Place(None, pyspiel.PlayerId.CHANCE, (), (0.0,) * self.ruleset.players)

    def new_initial_state(self, *_: object) -> RedCathedralState:
        """The state before the deal."""
        return RedCathedralState(self, self._begin)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound of the number of chance nodes: one for the deal, and one for each die that a game can roll."""
        return 1 + FORCED * MOST_DECISIONS * self.ruleset.turn_limit

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RedCathedralObserver | None:
        """An observer: what a player sees as a tensor (F,) float32, laid out as `ruleset.observations`, and as text.

        None if the caller wants another kind of observer: with perfect recall, or with public and private parts.

        Raises:
            ValueError: parameters are given; the observer has none.
        """
        if params:
            raise ValueError(f"params: {checks.shown(params)} found, expected none")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and (
            iig_obs_type.perfect_recall or not iig_obs_type.public_info or iig_obs_type.private_info != single
        ):
            return None
        return RedCathedralObserver(self)

    def state_of(self, game: np.ndarray) -> RedCathedralState:
        """The state of a game that is being played, such as `Position.games` gives; without its history.

        Args:
            game: (1,) GAME of this ruleset.

        Raises:
            ValueError: it is something else, or an impossible game.
        """
        with self._lock:
            self._engine.restore(game)
            return RedCathedralState(self, self._stands())

    def _stands(self) -> _Place:
        """The position of the game in the engine."""
        engine = self._engine
        kept = engine.clone([0], same_future=True)
        over = engine.games.status[0] != PLAYING
        player = pyspiel.PlayerId.TERMINAL if over else int(engine.games.seat[0])
        legal = tuple(np.flatnonzero(engine.legal_mask()[0]).tolist())
        # Rewards are fractions of small whole numbers. As such they sum to 0 exactly, which float32 cannot.
        returns = (float(Fraction(one).limit_denominator(2000)) for one in engine.returns()[0].tolist())
        return _Place(kept, player, legal, tuple(returns))

    def _dealt(self, deal: int) -> _Place:
        with self._lock:
            self._engine.reset(deal_seeds=[deal])
            return self._stands()

    def _played(self, place: _Place, action: int, dice: tuple[int, ...]) -> _Place:
        """The position after an action with these known dice results, possibly at the next die."""
        engine = self._engine
        assert place.game is not None
        with self._lock:
            engine.restore(place.game)
            engine.step([action], dice=np.array([dice], np.int8).reshape(1, len(dice)))
            if engine.illegal[0]:
                raise ValueError(f"action: {action} found, expected a legal one")
            if engine.games.rolled_count[0] > len(dice):
                die = int(engine.games.rolled[0, len(dice)]) % 60 // 10
                return replace(place, player=pyspiel.PlayerId.CHANCE, legal=(), action=action, dice=dice, die=die)
            return self._stands()

    def observe(self, place: _Place, player: int) -> NDArray[np.float32]:
        """(F,) float32, what a player sees; 0 before the deal, and at a die the observation before the action."""
        if place.game is None:
            return np.zeros(self._engine.num_features, np.float32)
        with self._lock:
            self._engine.restore(place.game)
            return self._engine.observe(seat=player)[0]

    def describe(self, place: _Place, player: int) -> str:
        """The same as `observe`, as lines of text."""
        return "" if place.game is None else facts.describe(self.ruleset, self.observe(place, player), player)

    def action_text(self, place: _Place, action: int) -> str:
        """An action, a deal or a side of a die in words."""
        if place.game is None:
            return f"deal {action}"
        if place.player == pyspiel.PlayerId.CHANCE:
            return f"{ALL_DIE_NAMES[place.die]} die shows {action + 1}"
        return self.ruleset.actions.to_text(action, place.player)


class RedCathedralState(pyspiel.State):
    """An OpenSpiel state: a game in progress."""

    def __init__(self, game: RedCathedralGame, place: _Place) -> None:
        super().__init__(game)
        self._place = place

    def current_player(self) -> int:
        """The player to move: a seat, chance, or the terminal player after the end."""
        return self._place.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._place.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, or the sides of a die, with equal probabilities; outcome 0 of a die is its side 1."""
        game: RedCathedralGame = self.get_game()
        count = game.deals if self._place.game is None else SIDES
        return [(outcome, 1 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        game: RedCathedralGame = self.get_game()
        place = self._place
        if place.game is None:
            self._place = game._dealt(action)
        elif place.player == pyspiel.PlayerId.CHANCE:
            self._place = game._played(place, place.action, (*place.dice, action + 1))
        else:
            self._place = game._played(place, action, ())

    def _action_to_string(self, player: int, action: int) -> str:
        return self.get_game().action_text(self._place, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._place.player == pyspiel.PlayerId.TERMINAL

    def returns(self) -> list[float]:
        """The final reward of each player; 0 until the game is over."""
        return list(self._place.returns)

    def __str__(self) -> str:
        place, game = self._place, self.get_game()
        lines = [game.describe(place, max(0, place.player))]
        if place.action >= 0:
            lines.append(f"Action {place.action}, dice {' '.join(map(str, place.dice)) or 'to be rolled'}")
        return "\n".join(lines).strip() or "Before the deal"


class RedCathedralObserver:
    """OpenSpiel's observer of what a player sees.

    Attributes:
        tensor: (F,) float32 in [0, 1], written by `set_from`.
        dict: the same by name, "observation".
    """

    def __init__(self, game: RedCathedralGame) -> None:
        self._game = game
        self.tensor = np.zeros(game.ruleset.observations.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RedCathedralState, player: int) -> None:
        """Write a player's observation of a state to the tensor."""
        self.tensor[:] = self._game.observe(state._place, player)

    def string_from(self, state: RedCathedralState, player: int) -> str:
        """A player's observation of a state in words."""
        return self._game.describe(state._place, player)


class OpenSpielBot:
    """A bot of OpenSpiel as a bot of this package, called for one game after the other.

    It gets copies of the games in which all later chance is drawn anew, as every bot of this package does.

    Args:
        name: of the bot.
        make: makes a `pyspiel.Bot` for a game and a seed from 0 to 2^31 - 1.

    Raises:
        ValueError: `name` is no text, or `make` cannot be called.
    """

    def __init__(self, name: str, make: Callable[[RedCathedralGame, int], Any]) -> None:
        self.name = checks.instance("name", name, str, "a word")
        if not callable(make):
            checks.refuse("make", make, "a function of a game and a seed that makes a pyspiel.Bot")
        self._make, self._seed = make, 0
        self._asked: dict[Ruleset, tuple[RedCathedralGame, Any]] = {}

    def reset(self, seed: int) -> None:
        """See `rc_env.bot.Bot`."""
        self._seed, self._asked = checks.seed("seed", seed), {}

    def act(self, position: Position) -> NDArray[np.int64]:
        """See `rc_env.bot.Bot`."""
        ruleset = Position.checked(position).ruleset
        if ruleset not in self._asked:
            chosen = {**asdict(ruleset), "data": str(ruleset.data), "expansion_data": str(ruleset.expansion_data)}
            game = RedCathedralGame(chosen)
            self._asked[ruleset] = game, self._make(game, self._seed % 2**31)  # OpenSpiel's seeds are C's int
        game, bot = self._asked[ruleset]
        games: Sequence[np.ndarray] = np.split(position.games(), len(position))
        return np.array([bot.step(game.state_of(one)) for one in games], np.int64)


pyspiel.register_game(_type(Ruleset()), RedCathedralGame)
