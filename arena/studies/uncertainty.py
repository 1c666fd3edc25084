"""Measures which of the unknown numbers matter: how well a figure can be predicted from the cards of a set.

Every set is described by features in about a dozen groups; a ridge regression predicts the figure from them for sets
that it was not fitted on. A group's importance is the accuracy lost without it, and the accuracy it gives alone.

Shape letters: K sets, F features, G groups, R resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.arena.figures import Figure
from rc_env.arena.intervals import bounds
from rc_env.card_sets.facts import KINDS
from rc_env.card_sets.ranges import COMMON, PRECIOUS
from rc_env.ruleset import Ruleset

Tables = Mapping[str, Any]
Features = dict[str, float]
FOLDS = 10
PENALTIES = 10.0 ** np.arange(-2, 5)
RESAMPLES = 2000
FEWEST = 3 * FOLDS


def _cards(tables: Tables) -> dict[str, list[Any]]:
    return {kind: tables["cards"][kind] for kind in KINDS}


def _costs(tables: Tables, players: int) -> Features:
    return {
        kind: float(np.mean([sum(card["cost"].values()) for card in cards])) for kind, cards in _cards(tables).items()
    }


def _precious(tables: Tables, players: int) -> Features:
    costs = [card["cost"] for cards in _cards(tables).values() for card in cards]
    return {name: sum(cost.get(name, 0) for cost in costs) / len(costs) for name in PRECIOUS}


def _recognition(tables: Tables, players: int) -> Features:
    return {kind: float(np.mean([card["recognition"] for card in cards])) for kind, cards in _cards(tables).items()}


def _rubles(tables: Tables, players: int) -> Features:
    return {kind: float(np.mean([card["rubles"] for card in cards])) for kind, cards in _cards(tables).items()}


def _slots(tables: Tables, players: int) -> Features:
    price = tables["workshop"]["basic"]["price"]
    return {
        "own": price["own"],
        "next1": price["next1"],
        "next2": price["next2"],
        "white": price["white1"] + price["white2"],
    }


def _market(tables: Tables, players: int) -> Features:
    amounts = {name: amount for tile in tables["market"]["tile"] for name, amount in tile.items()}
    return {name: amounts[name] for name in ("stone", "gold", "green_gem")}


def _tiles(tables: Tables, players: int) -> Features:
    found = dict.fromkeys(("common", "precious", "rubles", "recognition", "any_material"), 0.0)
    for tile in tables["workshop"]["tile"]:
        kind = next(key for key in tile if key != "count")
        name = "common" if kind in COMMON else "precious" if kind in PRECIOUS else kind
        if name in found:
            found[name] += tile[kind]
    return found


def _plans(tables: Tables, players: int) -> Features:
    plans = tables["plans"][str(players)]
    return {
        "highest": float(np.mean([max(plan) for plan in plans])),
        "uneven": float(np.mean([np.var(plan) for plan in plans])),
        "without middle": float(np.mean([plan.count(2) for plan in plans])),
    }


def _track(tables: Tables, players: int) -> Features:
    spaces = tables["track"]["prestige"]
    gaps = [space - before for before, space in zip([0, *spaces], spaces, strict=False)]
    return {f"gaps of {length}": gaps.count(length) for length in (4, 3, 2)}


def _craftsmen(tables: Tables, players: int) -> Features:
    found = {}
    for number, card in enumerate(tables["guilds"]["craftsmen"][1:], 2):
        cheap = next(action.get("buy") or action.get("sell") for action in card if action["price"] == 1)
        found[f"common {number}"] = float(sum(name in COMMON for name in cheap))
        found[f"precious {number}"] = float(sum(name in PRECIOUS for name in cheap))
    return found


def _third_cards(tables: Tables, players: int) -> Features:
    found = {}
    for guild, cards in tables["guilds"].items():
        if guild != "craftsmen":
            for i in range(2):
                found[f"{guild} {i + 1}"] = float(_plain(cards[2][i]) == _plain(cards[i][1]))
    return found


def _plain(action: Any) -> Any:
    return {key: value for key, value in action.items() if key != "unlimited"}


def _marks(tables: Tables, players: int) -> Features:
    return {
        f"{guild} {i + 1} {k + 1}": float(action.get("unlimited", False))
        for guild, cards in tables["guilds"].items()
        for i, card in enumerate(cards[: 3 if guild == "craftsmen" else 2])
        for k, action in enumerate(card)
    }


GROUPS: dict[str, Callable[[Tables, int], Features]] = {
    "materials on cards": _costs,
    "gold and gems on cards": _precious,
    "recognition of cards": _recognition,
    "rubles of cards": _rubles,
    "slot prices": _slots,
    "market amounts": _market,
    "workshop tiles": _tiles,
    "building plans": _plans,
    "prestige spaces": _track,
    "craftsmen's materials": _craftsmen,
    "third guild cards": _third_cards,
    "repeat marks": _marks,
}
"""By the name of a group of numbers, the function that computes its features from a drawn file's tables and the
players."""


def features(rulesets: Sequence[Ruleset]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(K, F) features of sets of the base game, and (F,) the number of the group that each belongs to.

    Raises:
        ValueError: a data file was not drawn: cards in another order have other features.
    """
    rows, of_group = [], []
    for ruleset in rulesets:
        checks.instance("rulesets", ruleset, Ruleset, "a list of Rulesets")
        if not str(ruleset.data).startswith("sample-"):
            checks.refuse("rulesets", ruleset.data, "drawn sets, such as sample:0-511")
        found = [make(ruleset.data_file.tables, ruleset.seats) for make in GROUPS.values()]
        rows.append([value for group in found for value in group.values()])
        of_group = [number for number, group in enumerate(found) for _ in group]
    return np.array(rows, np.float64), np.array(of_group, np.int64)


@dataclass(frozen=True)
class Prediction:
    """How well a figure is predicted on sets that the regression was not fitted on.

    Attributes:
        r2: (1 + 2 G, 3) share of the variance: of all features; of each group alone; lost without each group. Each
            with its 95 % interval, bootstrapped over sets: mean, low, high.
        sets: K.
    """

    r2: NDArray[np.float64]
    sets: int

    @property
    def all(self) -> Figure:
        """The share of the variance that all features predict."""
        return self._figures[0]

    @property
    def alone(self) -> dict[str, Figure]:
        """The share that each group predicts alone."""
        return dict(zip(GROUPS, self._figures[1 : 1 + len(GROUPS)], strict=True))

    @property
    def lost(self) -> dict[str, Figure]:
        """The share that is lost without each group."""
        return dict(zip(GROUPS, self._figures[1 + len(GROUPS) :], strict=True))

    @property
    def _figures(self) -> list[Figure]:
        return [Figure(*row) for row in self.r2.round(6).tolist()]

    def as_json(self) -> dict[str, Any]:
        """The result as a dictionary for JSON: "all", and by group "alone" and "lost without"."""

        def row(figure: Figure) -> list[float | None]:
            return [figure.mean, figure.low, figure.high]

        alone, lost = self.alone, self.lost
        groups = {name: {"alone": row(alone[name]), "lost": row(lost[name])} for name in GROUPS}
        return {"sets": self.sets, "all": row(self.all), "groups": groups}


def predict(
    inputs: NDArray[np.float64], of_group: NDArray[np.int64], figure: NDArray[np.float64], seed: int = 0
) -> Prediction:
    """Predict a figure of K sets from their features, by cross-validation over sets.

    Args:
        inputs: (K, F) features.
        of_group: (F,) the group of each.
        figure: (K,) values to predict.
        seed: of the folds and of the bootstrap.

    Raises:
        ValueError: too few sets, or shapes that do not fit.
    """
    if inputs.ndim != 2 or figure.shape != inputs.shape[:1] or of_group.shape != inputs.shape[1:]:
        checks.refuse("inputs", inputs, "(K, F) features with (F,) groups and (K,) figures")
    if len(figure) < FEWEST:
        raise ValueError(
            f"at least {FEWEST} sets are needed, of which a tenth is predicted at a time; got {len(figure)}"
        )
    fold = np.random.default_rng(seed).permutation(len(figure)) % FOLDS
    groups = len(GROUPS)
    chosen = [
        np.ones(len(of_group), bool),
        *(of_group == g for g in range(groups)),
        *(of_group != g for g in range(groups)),
    ]
    nothing = np.zeros((len(figure), 0))
    base = (figure - _predicted(nothing, figure, fold)) ** 2
    errors = np.array([(figure - _predicted(inputs[:, columns], figure, fold)) ** 2 for columns in chosen])
    generator = np.random.default_rng([seed, 1])
    times = generator.multinomial(len(figure), np.full(len(figure), 1 / len(figure)), RESAMPLES)
    spread = _shares(times @ errors.T, (times @ base)[:, None], groups)
    low, high = bounds(spread)
    mean = _shares(errors.sum(1)[None], base.sum()[None, None], groups)[0]
    return Prediction(np.stack([mean, low, high], 1), len(figure))


def _shares(errors: NDArray[np.float64], base: NDArray[np.float64], groups: int) -> NDArray[np.float64]:
    """(R, 1 + 2 G) shares of the variance: of all features, of each group, and what is lost without it."""
    share = 1 - errors / base
    return np.concatenate([share[:, : 1 + groups], share[:, :1] - share[:, 1 + groups :]], 1)


def _predicted(
    inputs: NDArray[np.float64], figure: NDArray[np.float64], fold: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(K,) each set's figure, from a fit on the sets of the other folds."""
    found = np.empty(len(figure))
    for number in range(FOLDS):
        test = fold == number
        found[test] = _ridge(inputs[~test], figure[~test], inputs[test])
    return found


def _ridge(
    inputs: NDArray[np.float64], figure: NDArray[np.float64], wanted: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Ridge regression on standardised features; the penalty is that with the least error when one set is left out."""
    centre, scale = inputs.mean(0), inputs.std(0)
    scale[scale == 0] = 1
    x, mean = (inputs - centre) / scale, figure.mean()
    if not x.shape[1]:
        return np.full(len(wanted), mean)
    u, s, v = np.linalg.svd(x, full_matrices=False)
    y = u.T @ (figure - mean)
    best, answer = np.inf, v.T @ np.zeros(len(s))
    for penalty in PENALTIES:
        shrunk = s**2 / (s**2 + penalty)
        leverage = (u**2 * shrunk).sum(1) + 1 / len(figure)
        left_out = (figure - mean - u @ (shrunk * y)) / np.maximum(1 - leverage, 1e-6)
        if (error := float((left_out**2).mean())) < best:
            best, answer = error, v.T @ (s / (s**2 + penalty) * y)
    return mean + (wanted - centre) / scale @ answer
