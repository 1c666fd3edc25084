"""Registers the game with OpenSpiel; afterwards `pyspiel.load_game("red_cathedral(players=3)")` loads it.

The first move is a chance node, the deal; every die that is rolled is a chance node of its own with six outcomes. All
other chance (in the solo game Ivan's dice and tiles, in the full game what is drawn from decks and bags) is fixed by
the deal, like the order of a deck in a card game: no player sees it, but a search that clones states uses it.
`OpenSpielBot` lets a bot of OpenSpiel play wherever bots of this package do. OpenSpiel is the extra `open_spiel`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from threading import Lock
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from rc_env import checks
from rc_env.bot import Position
from rc_env.engine import Engine
from rc_env.jit import records
from rc_env.loops import Loops, as_targets
from rc_env.memory import Memory
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, FORCED
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
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_SIDE_CHANCES = [(side, 1 / SIDES) for side in range(SIDES)]
_ROW = np.zeros(1, np.int64)


def _hides(ruleset: Ruleset) -> bool:
    """Whether chance that is fixed by the deal, or a hand, is hidden from the players."""
    return ruleset.solo or ruleset.full


def _type(ruleset: Ruleset) -> pyspiel.GameType:
    """The OpenSpiel game type of a variant."""
    hidden = _hides(ruleset)
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
        provides_information_state_string=hidden,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class _Place:
    """The position of a state, which never changes, so that clones of the state share it.

    Attributes:
        game: (1,) GAME, the game before the move that is being made; None before the deal.
        player: the player to move in the numbers of OpenSpiel; the chance player for the deal and for a die.
        legal: the legal actions of the player to move, in order.
        action: at a chance node of a die the action that rolls it, else -1; `dice` are the results of its earlier dice.
        die: the number of the die that is rolled.
        mover: the player to move, at a chance node of a die the player who rolls it.
        before: where something is hidden, the place and the action of the decision before this one; else None.
    """

    __slots__ = ("action", "before", "dice", "die", "digests", "game", "legal", "mover", "player")

    def __init__(
        self,
        game: np.ndarray | None,
        player: int,
        legal: list[int],
        action: int = -1,
        dice: tuple[int, ...] = (),
        die: int = -1,
        before: tuple[_Place, int] | None = None,
    ) -> None:
        self.game, self.player, self.legal = game, player, legal
        self.action, self.dice, self.die = action, dice, die
        self.before = before
        self.mover = player
        self.digests: dict[int, bytes] = {}

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
            checks.one_of("parameter", name, tuple(PARAMETERS))
        chosen = {**PARAMETERS, **given}
        self.deals = checks.whole_number("deals", chosen.pop("deals"), 1, MOST_DEALS)
        self.ruleset = Ruleset(**chosen)
        if self.ruleset.reward == "score":
            raise ValueError("reward must have bounds, which 'score' has not: choose win, margin or first")
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
        self.hidden = _hides(self.ruleset)
        self._engine, self._lock = Engine(self.ruleset), Lock()
        self._loops = Loops(self.ruleset, Memory.of(self.ruleset, 1))
        self._begin = _Place(None, CHANCE, [])
        self._nothing = (0.0,) * self.ruleset.players
        self.deal_chances = [(deal, 1 / self.deals) for deal in range(self.deals)]
        divisors = self.ruleset.observations.divisors
        kinds, kind = np.unique(divisors, return_inverse=True)
        scaled = [np.arange(one + 1, dtype=np.float32) * (np.float32(1) / np.float32(one)) for one in kinds.tolist()]
        self._values = np.concatenate(scaled).astype(object)
        """Python's numbers for the entries of an observation, those with the same divisor one after the other."""
        self._first_value = np.cumsum([0, *map(len, scaled)])[kind]
        size, seats = self.ruleset.observations.size, range(self.ruleset.players)
        self._shown = [(np.zeros(size, np.uint8), [0.0] * size) for _ in seats]
        self._seats = [np.full(1, seat, np.int8) for seat in seats]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self.get_parameters()),)

    def __deepcopy__(self, memo: object) -> RedCathedralGame:
        return self  # it never changes

    def new_initial_state(self, *_: object) -> RedCathedralState:
        """The state before the deal."""
        return RedCathedralState(self, self._begin)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound of the number of chance nodes: one for the deal, and one for each die that a game can roll."""
        return 1 + FORCED * MOST_DECISIONS * self.ruleset.turn_limit

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RedCathedralObserver | None:
        """An observer: what a player sees as a tensor (F,) float32, laid out as `ruleset.observations`, and as text.

        With perfect recall, where something is hidden, the text is that of the information state. None if the caller
        wants another kind of observer: with public and private parts, or with perfect recall where all lies open.

        Raises:
            ValueError: parameters are given; the observer has none.
        """
        if params:
            raise ValueError(f"params must be empty, not {checks.shown(params)}")
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and (not iig_obs_type.public_info or iig_obs_type.private_info != single):
            return None
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return RedCathedralObserver(self, recalls) if self.hidden or not recalls else None

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
        kept = records(np.empty(1, engine.games.dtype))
        engine.clone([0], same_future=True, out=kept)
        player = int(engine.seat[0])
        return _Place(kept, player if player >= 0 else TERMINAL, np.flatnonzero(engine.legal_mask()[0]).tolist())

    def _dealt(self, deal: int) -> _Place:
        with self._lock:
            self._engine.reset(deal_seeds=[deal])
            return self._stands()

    def _played(self, place: _Place, action: int, dice: tuple[int, ...]) -> _Place:
        """The position after an action with these known dice results, possibly at the next die."""
        assert place.game is not None
        with self._lock:
            game, seat, legal = self._loops.play_copy(place.game, action, dice)
        before = (place, action) if self.hidden else None
        if seat < 0:
            rolls = _Place(place.game, CHANCE, [], action, dice, -seat - 1, place.before)
            rolls.mover = place.mover
            return rolls
        return _Place(game, seat if legal else TERMINAL, legal, before=before)

    def returns(self, place: _Place) -> list[float]:
        """(P,) the final reward of each player; 0 until the game is over."""
        if place.player != TERMINAL:
            return list(self._nothing)
        with self._lock:
            self._put(place)
            rewards = self._loops.returns()[0].tolist()
        # Rewards are fractions of small whole numbers. As such they sum to 0 exactly, which float32 cannot.
        return [float(Fraction(one).limit_denominator(2000)) for one in rewards]

    def _put(self, place: _Place) -> None:
        """Lay the game of a place where the loops read it."""
        assert place.game is not None
        self._loops.raw[:] = place.game.view(np.ndarray).view(self._loops.raw.dtype)

    def _seen(self, place: _Place, player: int, dtype: type[np.number[Any]]) -> NDArray[Any]:
        """(F,) of that dtype, what a player sees; 0 before the deal, and at a die the observation before the action."""
        if place.game is None:
            return np.zeros(self.ruleset.observations.size, dtype)
        found = np.empty((1, self.ruleset.observations.size), dtype)
        with self._lock:
            self._put(place)
            self._loops.observe(_ROW, self._seats[player], as_targets(found))
        return found[0]

    def observe(self, place: _Place, player: int) -> NDArray[np.float32]:
        """(F,) float32, what a player sees; 0 before the deal, and at a die the observation before the action."""
        return self._seen(place, player, np.float32)

    def observed(self, place: _Place, player: int) -> list[float]:
        """The same as Python's numbers. To make 1,448 of them takes three times as long as the rest of a decision, so
        those are made that differ from the last ones of that player."""
        numbers = self._seen(place, player, np.uint8)
        with self._lock:
            last, values = self._shown[player]
            changed = np.flatnonzero(last != numbers)
            new = self._values.take(self._first_value[changed] + numbers[changed])
            for entry, value in zip(changed.tolist(), new.tolist(), strict=True):
                values[entry] = value
            self._shown[player] = numbers, values
            return values.copy()

    def recalled(self, place: _Place, player: int) -> str:
        """The information state of a player: what it sees, and what it saw and chose in each of its decisions.

        64 hex digits for the decisions, and the numbers of the observation, an entry each, as hex digits.
        """
        return (
            f"player {player} {self._digest(place, player).hex()} {self._seen(place, player, np.uint8).tobytes().hex()}"
        )

    def _digest(self, place: _Place, player: int) -> bytes:
        """A SHA-256 digest of what a player saw and chose in its decisions before a place, one after the other."""
        path = []
        while player not in place.digests and place.before is not None:
            path.append(place)
            place = place.before[0]
        digest = place.digests.get(player, bytes(32))
        for later in reversed(path):
            assert later.before is not None
            earlier, action = later.before
            if earlier.mover == player:
                seen = self._seen(earlier, player, np.uint8).tobytes()
                digest = hashlib.sha256(digest + seen + action.to_bytes(4, "little")).digest()
            later.digests[player] = digest
        return digest

    def resampled(self, place: _Place, player: int) -> _Place:
        """The place with what the player cannot see, and all chance to come, drawn anew.

        Raises:
            ValueError: it is a chance node.
        """
        if place.game is None or place.player == CHANCE:
            raise ValueError("resample_from_infostate is for a decision or the end, not for a chance node")
        with self._lock:
            self._engine.restore(place.game)
            drawn = records(np.empty(1, self._engine.games.dtype))
            self._engine.clone([0], seat=player, out=drawn)
            self._engine.restore(drawn)
            found = self._stands()
        return _Place(found.game, found.player, found.legal, before=place.before)

    def describe(self, place: _Place, player: int) -> str:
        """The same as `observe`, as lines of text."""
        return "" if place.game is None else facts.describe(self.ruleset, self.observe(place, player), player)

    def action_text(self, place: _Place, action: int) -> str:
        """An action, a deal or a side of a die in words."""
        if place.game is None:
            return f"deal {action}"
        if place.player == CHANCE:
            return f"{ALL_DIE_NAMES[place.die]} die shows {action + 1}"
        return self.ruleset.actions.to_text(action, place.player)


class RedCathedralState(pyspiel.State):
    """An OpenSpiel state: a game in progress."""

    def __init__(self, game: RedCathedralGame, place: _Place) -> None:
        super().__init__(game)
        self._game, self._place = game, place

    # What OpenSpiel's C++ asks for

    def current_player(self) -> int:
        """The player to move: a seat, chance, or the terminal player after the end."""
        return self._place.player

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._place.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The deals, or the sides of a die, with equal probabilities; outcome 0 of a die is its side 1."""
        return list(self._game.deal_chances if self._place.game is None else _SIDE_CHANCES)

    def _apply_action(self, action: int) -> None:
        place = self._place
        if place.game is None:
            self._place = self._game._dealt(action)
        elif place.player == CHANCE:
            self._place = self._game._played(place, place.action, (*place.dice, action + 1))
        elif action in place.legal:
            self._place = self._game._played(place, action, ())
        else:
            raise ValueError(f"action {action} is not legal here")

    def _action_to_string(self, player: int, action: int) -> str:
        return self._game.action_text(self._place, action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._place.player == TERMINAL

    def returns(self) -> list[float]:
        """The final reward of each player; 0 until the game is over."""
        return self._game.returns(self._place)

    # What C++ would answer by asking the above: here Python is answered at once

    def is_chance_node(self) -> bool:
        """Whether chance moves: the deal, or a die."""
        return self._place.player == CHANCE

    def legal_actions(self, *player: int) -> list[int]:
        """The legal actions of the player to move, in order, or those of a player."""
        place = self._place
        if player or place.player == CHANCE:
            found: list[int] = super().legal_actions(*player)
            return found
        return list(place.legal)

    def legal_actions_mask(self, *player: int) -> list[int]:
        """(A,) 1 for each legal action of the player to move, or of a player."""
        place = self._place
        if player or place.player < 0:
            found: list[int] = super().legal_actions_mask(*player)
            return found
        mask = [0] * self._game.ruleset.actions.size
        for action in place.legal:
            mask[action] = 1
        return mask

    def observation_tensor(self, *player: int) -> list[float]:
        """(F,) what the player to move sees, or a player, laid out as `ruleset.observations`."""
        seat = player[0] if player else self._place.player
        if not 0 <= seat < self._game.ruleset.players:
            found: list[float] = super().observation_tensor(*player)
            return found
        return self._game.observed(self._place, seat)

    def information_state_string(self, *player: int) -> str:
        """What the player to move knows, or a player: what it sees, and what it saw and chose in its own decisions.

        Raises:
            ValueError: nothing is hidden in this variant, or there is no such player.
        """
        game = self._game
        if not game.hidden:
            raise ValueError(
                "information_state_string is for variants with hidden information; here everything lies open: use "
                "observation_string"
            )
        seat = player[0] if player else self._place.player
        checks.whole_number("player", seat, 0, game.ruleset.players - 1)
        return game.recalled(self._place, seat)

    def information_state_tensor(self, *player: int) -> list[float]:
        """Refused: what a player remembers has no fixed size.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            "information_state_tensor: what a player remembers has no fixed size; use observation_tensor, or "
            "information_state_string where something is hidden"
        )

    def resample_from_infostate(self, player: int, sampler: object = None) -> RedCathedralState:
        """A state that looks the same to a player: what it cannot see and all chance to come are drawn anew.

        It has no history. OpenSpiel's sampler is not asked: the draws follow from the game, and differ at each call.

        Raises:
            ValueError: it is a chance node, or there is no such player.
        """
        checks.whole_number("player", player, 0, self._game.ruleset.players - 1)
        return RedCathedralState(self._game, self._game.resampled(self._place, player))

    def __str__(self) -> str:
        place, game = self._place, self._game
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

    def __init__(self, game: RedCathedralGame, recalls: bool = False) -> None:
        self._game, self._recalls = game, recalls
        self.tensor = np.zeros(game.ruleset.observations.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RedCathedralState, player: int) -> None:
        """Write a player's observation of a state to the tensor."""
        self.tensor[:] = self._game.observe(state._place, player)

    def string_from(self, state: RedCathedralState, player: int) -> str:
        """A player's observation of a state in words, or with perfect recall its information state."""
        if self._recalls:
            return self._game.recalled(state._place, player)
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
