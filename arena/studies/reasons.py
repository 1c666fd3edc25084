"""What makes an action better than another one: the prestige at the end by its parts, and what leads there.

Both actions are played out with equal dice, as for the loss of a decision, and every change of a marker is counted to
what was done at that moment. So the parts of a seat add up to its prestige, and their differences to the difference.

Shape letters: K pairs of play-outs, S seats, T towers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena.evaluation import Evaluation, Step
from rc_env.engine import Engine
from rc_env.rules.printed.sizes import ALL_DIE_NAMES, MATERIAL_NAMES, SPACES
from rc_env.rules.state import PLAYING
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset

PAIRS = 96
"""Pairs of play-outs by which reasons are found."""
ON_TRACK = ("sections", "ending", "ornaments", "market", "guilds", "workshop", "penalties", "given", "other")
"""What moves a marker: sections finished, the end of the game, gems, tiles of the market, guilds, workshop tiles,
sections finished above unfinished ones, prestige that is given up, and all else."""
IN_HAND = ("goods", "contracts", "tools")
"""What else counts at the end, beside towers."""
_OF_VERB = {
    **dict.fromkeys((Verb.DELIVER, Verb.DELIVER_DIAMOND), "sections"),
    **dict.fromkeys((Verb.ADORN, Verb.GEMS, Verb.ADORN_DIAMOND, Verb.GEMS_DIAMOND), "ornaments"),
    **dict.fromkeys((Verb.RUBLES, Verb.REROLL, Verb.PERMIT), "given"),
    **dict.fromkeys((Verb.OBTAIN,), "market"),
    **dict.fromkeys((Verb.GUILD, Verb.GUILD_AT), "guilds"),
    **dict.fromkeys((Verb.WORKSHOP, Verb.PLACE, Verb.PLACE_SPECIAL, Verb.BORROW), "workshop"),
    **dict.fromkeys((Verb.PAY, Verb.PAY_DIAMOND, Verb.GAIN, Verb.GAIN_RECOGNITION, Verb.TAKE, Verb.SWAP), "effect"),
}
"""The part to which what an action moves the own marker by counts; `effect`: that of the guild or tile in use."""
_HELD = (*MATERIAL_NAMES, "rubles", "spaces")


class Contrast(NamedTuple):
    """A mean after the better action, one after the worse, and the standard error of their difference."""

    better: float
    worse: float
    error: float

    @property
    def more(self) -> float:
        """What the better action brings more."""
        return self.better - self.worse

    def clear(self, least: float) -> bool:
        """Whether the two are at least so far apart, and beyond chance: more than two standard errors."""
        return abs(self.more) >= least and abs(self.more) > 2 * self.error


class Reasons(NamedTuple):
    """What two actions of a seat lead to.

    Attributes:
        seat: the seat.
        pairs: K.
        parts: for each seat the prestige of each part, of `ON_TRACK` and `IN_HAND`.
        towers: for each seat the prestige of its share of each tower.
        prestige: of each seat, in all.
        most: of each tower, in how many of the games the seat has a greater share of it than anybody else, from 0 to 1.
        by_most: of each tower, how much of the difference of the seat's share comes from the pairs in which it has most
            there after one of the two actions alone.
        finishes: by section, `(tower, level)` from 0, in how many of the games the seat finishes it.
        next_section: the turns of the seat until it finishes its next section; those of the whole rest where it does
            not.
        plans: what the main action of its next turn is, in words, and in how many of the games.
        goals: of the plans that move a die, the same with the space where it goes.
        held: what the seat has when its next turn begins, or at the end of a game that has none: each material,
            "rubles", and "spaces" on the track.
        last: in how many of the games there is no next turn of the seat, from 0 to 1.
    """

    seat: int
    pairs: int
    parts: list[dict[str, Contrast]]
    towers: list[list[Contrast]]
    prestige: list[Contrast]
    most: list[Contrast]
    by_most: list[float]
    finishes: dict[tuple[int, int], Contrast]
    next_section: Contrast
    plans: dict[str, Contrast]
    goals: dict[str, Contrast]
    held: dict[str, Contrast]
    last: float


def reasons(
    evaluation: Evaluation, game: np.ndarray, better: int, worse: int, pairs: int = PAIRS, seed: int = 0
) -> Reasons:
    """What makes an action better than another one.

    Args:
        evaluation: plays out.
        game: (1,) GAME, which is not over.
        better, worse: two legal actions.
        pairs: K, 2 to 10,000.
        seed: of the dice.

    Raises:
        ValueError: `pairs` is out of range.
    """
    count = checks.whole_number("pairs", pairs, 2, 10**4)
    keys = np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
    towers = Engine(evaluation.ruleset, 1).results().towers.shape[2]
    watch = _Watch(evaluation.ruleset, game, towers, 2 * count)
    for step in evaluation.steps(game, np.repeat([better, worse], count), np.tile(keys, 2)):
        watch.take(step)
    return watch.reasons()


class _Watch:
    """Follows K play-outs of each of two actions, 2 K rows."""

    def __init__(self, ruleset: Ruleset, game: np.ndarray, towers: int, rows: int) -> None:
        self._ruleset = ruleset
        self._seat, self._turn = int(game["seat"][0]), int(game["turn"][0])
        text = ruleset.actions
        self._of_verb = [_OF_VERB.get(Verb(action.verb), "other") for action in ruleset.actions.actions]
        self._words = [text.to_text(number, self._seat) for number in range(len(text.actions))]
        self._plans, self._goals = np.full(rows, "", object), np.full(rows, "", object)
        self._bonus = int(ruleset.rules[0].ending_prestige)
        heights = game["height"][0, :towers]
        self._places = [(tower, level) for tower, height in enumerate(heights.tolist()) for level in range(height)]
        self._done = int(self._finished(game).sum())
        self._parts = {part: np.zeros((rows, ruleset.seats)) for part in (*ON_TRACK, *IN_HAND)}
        self._shares = np.zeros((rows, ruleset.seats, towers))
        self._prestige = np.zeros((rows, ruleset.seats))
        self._finishes = np.zeros((rows, len(self._places)))
        self._held = np.full((rows, len(_HELD)), np.nan)
        self._last = np.zeros(rows, np.bool_)
        self._next = np.full(rows, np.nan)
        self._games, self._before = game, np.zeros((1, ruleset.seats), np.int32)

    def _finished(self, games: np.ndarray) -> NDArray[np.bool_]:
        """(N, sections) whether the seat has finished each section."""
        sections = slice(len(self._places))
        return np.asarray((games["finished"][:, sections] == 1) & (games["owner"][:, sections] == self._seat))

    def take(self, step: Step) -> None:
        """Look at the games before a step, and behind it."""
        which, results = step.which, step.engine.results(step.which)
        games = step.engine.games.view(np.ndarray)[which]
        if not step.made:
            self._before, self._games = results.track, games
            next_turn = (games["turn"] > self._turn) & (games["seat"] == self._seat) & (self._plans[which] == "")
            rows = zip(which[next_turn].tolist(), games[next_turn], step.actions[next_turn].tolist(), strict=True)
            for row, game, action in rows:
                self._plans[row] = _plan(self._words[action])
                self._goals[row] = _goal(self._words[action], game)
            return
        self._count_moves(step, results.track - self._before, games)
        over = games["status"] != PLAYING
        later = (games["turn"] > self._turn) & (games["seat"] == self._seat)
        now = (over | later) & np.isnan(self._held[which, 0])
        materials = games["goods"][now, self._seat, : len(MATERIAL_NAMES)]
        more = [games[name][now, self._seat] for name in ("rubles", "track")]
        self._held[which[now]] = np.column_stack([materials, *more])
        self._last[which[now]] = ~later[now]
        finishes = self._finished(games).sum(1) > self._done
        now = (over | finishes) & np.isnan(self._next[which])
        self._next[which[now]] = (games["turn"][now] - self._turn) / self._ruleset.players
        ended = which[over]
        self._finishes[ended] = self._finished(games)[over]
        self._shares[ended], self._prestige[ended] = results.towers[over], results.prestige[over]
        for part in IN_HAND:
            self._parts[part][ended] = getattr(results, part)[over]

    def _count_moves(self, step: Step, moved: NDArray[np.int32], games: np.ndarray) -> None:
        """Count what the markers have moved, (N, S) prestige, to the parts."""
        parts = np.array([self._of_verb[action] for action in step.actions.tolist()])
        parts = np.where(parts == "effect", np.where(self._games["influenced"] >= 0, "guilds", "workshop"), parts)
        for seat in range(moved.shape[1]):
            ends = (self._games["ending"] < 0) & (games["ending"] == seat)
            bonus = np.where(ends, self._bonus, 0)
            self._parts["ending"][step.which, seat] += bonus
            change = moved[:, seat] - bonus
            of = np.where(self._games["seat"] == seat, parts, "other")
            of = np.where((change < 0) & ~np.isin(of, ("given", "guilds", "workshop")), "penalties", of)
            for part in np.unique(of[change != 0]).tolist():
                rows = (of == part) & (change != 0)
                self._parts[part][step.which[rows], seat] += change[rows]

    def reasons(self) -> Reasons:
        """What the play-outs came to, all of which have ended."""
        rows, seats, towers = self._shares.shape
        others = np.delete(self._shares, self._seat, 1).max(1)
        own = self._shares[:, self._seat]
        most = own > others
        better, worse = own.reshape(2, -1, towers)
        differs = most.reshape(2, -1, towers)[0] != most.reshape(2, -1, towers)[1]
        by_most = np.where(differs, better - worse, 0).mean(0)
        return Reasons(
            seat=self._seat,
            pairs=rows // 2,
            parts=[{part: _contrast(all_[:, seat]) for part, all_ in self._parts.items()} for seat in range(seats)],
            towers=[[_contrast(self._shares[:, seat, tower]) for tower in range(towers)] for seat in range(seats)],
            prestige=[_contrast(self._prestige[:, seat]) for seat in range(seats)],
            most=[_contrast(most[:, tower]) for tower in range(towers)],
            by_most=by_most.tolist(),
            finishes={place: _contrast(self._finishes[:, i]) for i, place in enumerate(self._places)},
            next_section=_contrast(self._next),
            plans=_in_words(self._plans),
            goals=_in_words(self._goals),
            held={name: _contrast(self._held[:, i]) for i, name in enumerate(_HELD)},
            last=float(self._last.mean()),
        )


def _plan(words: str) -> str:
    """An action of the record's words, such as `move red +1`, as the plan of a turn; "" where it is no main action."""
    match words.split():
        case ["move", die, *_]:
            return f"move the {die} die"
        case ["claim", tower, *_]:
            return f"claim a section of tower {tower}"
        case ["deliver" | "adorn", *_]:
            return "build"
        case ["hire", city]:
            return f"send a contractor to {city.capitalize()}"
    return ""


def _goal(words: str, game: np.void) -> str:
    """The plan of a turn that moves a die, with the space where it goes; "" for any other action."""
    match words.split():
        case ["move", die, *more]:
            number = ALL_DIE_NAMES.index(die)
            steps = int(game["die_space"][number]) + int(game["die_value"][number]) + sum(map(int, more))
            return f"{_plan(words)} to space {steps % SPACES}"
    return ""


def _in_words(said: NDArray[np.object_]) -> dict[str, Contrast]:
    """In how many of the games something is said, of (2 K,) words; "" says nothing."""
    return {words: _contrast(said == words) for words in dict.fromkeys(said.tolist()) if words}


def _contrast(values: NDArray) -> Contrast:
    """The means of (2 K,) values, of which the first half is of the better action, in pairs."""
    better, worse = values.astype(float).reshape(2, -1)
    apart = better - worse
    return Contrast(float(better.mean()), float(worse.mean()), float(apart.std(ddof=1) / np.sqrt(len(apart))))
