"""Makes attacks from working calls: one argument at a time gets each of the wrong values of its kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from attacks import Attack, Call, Reason
from kinds import Kind
from wrong import Wrong

RECIPES: list[Recipe] = []
HAND_WRITTEN: list[Attack] = []


@dataclass(frozen=True)
class Recipe:
    """A correct call and the kinds of its arguments."""

    target: str
    variant: str
    make: Callable[[], Call]
    kinds: Mapping[str, Kind]

    def attacks(self) -> Iterator[Attack]:
        """Yield the call itself, and an attack for each wrong value."""
        words = f" ({self.variant})" if self.variant else ""
        yield Attack(
            self.target, "nothing wrong", f"as it is{words}", self.make, lambda call: "nothing is wrong", control=True
        )
        for name, kind in self.kinds.items():
            for value in kind.values:
                yield self._attack(name, kind, value, words)

    def _attack(self, name: str, kind: Kind, wrong: Wrong, words: str) -> Attack:
        group, label, change = wrong

        def make() -> Call:
            call = self.make()
            good = call.arguments.get(name)
            try:
                call.arguments[name] = change(good)
            except (TypeError, ValueError, IndexError):
                # The change does not apply to this argument, but it does to an array.
                call.arguments[name] = change(np.arange(3))
            return call

        def reason(call: Call) -> Reason:
            return kind.reason(call.arguments[name], call)

        return Attack(self.target, group, f"{name} is {label}{words}", make, reason)


def recipe(target: str, variant: str = "", /, **kinds: Kind) -> Callable[[Callable[[], Call]], Callable[[], Call]]:
    """Register a function that makes a call, and the kinds of its arguments."""

    def note(make: Callable[[], Call]) -> Callable[[], Call]:
        RECIPES.append(Recipe(target, variant, make, kinds))
        return make

    return note


def simple(
    target: str, function: Callable[..., Any], good: Mapping[str, Any], variant: str = "", /, **kinds: Kind
) -> None:
    """Register a recipe for a call whose arguments are not changed by it."""
    recipe(target, variant, **kinds)(lambda: Call(function, dict(good)))


def attack(target: str, group: str, what: str, reason: str = "") -> Callable[[Callable[[], Call]], Callable[[], Call]]:
    """Register a hand-written attack; `reason` says why it may be accepted."""

    def note(make: Callable[[], Call]) -> Callable[[], Call]:
        HAND_WRITTEN.append(Attack(target, group, what, make, lambda call: reason or None))
        return make

    return note


def attacks() -> list[Attack]:
    """Return all registered attacks in order: the correct call before the attacks made from it."""
    return [one for recipe in RECIPES for one in recipe.attacks()] + HAND_WRITTEN


def call_of(function: Callable[..., Any], *engines: Any, **arguments: Any) -> Call:
    """Return a call of the function with these arguments."""
    return Call(function, arguments, engines)


def parameters(function: Callable[..., Any]) -> set[str]:
    """Return the names of the arguments of a callable, apart from `*arguments` and `**settings`."""
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {name for name, one in inspect.signature(function).parameters.items() if one.kind in plain}
