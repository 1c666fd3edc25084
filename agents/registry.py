"""Bots by name: `register` adds one, `make` and `from_text` give a new one. What a bot is stands in `rc_env.bot`."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rc_env.bot import Bot

_FACTORIES: dict[str, Callable[..., Bot]] = {}
_ABOUT: dict[str, str] = {}


def register(name: str, factory: Callable[..., Bot], about: str = "") -> None:
    """Let `make(name, **settings)` call `factory(**settings)`; `about` tells in a line what the bot does.

    Raises:
        ValueError: another bot has the name.
    """
    if _FACTORIES.get(name, factory) is not factory:
        raise ValueError(f"name: {name!r} found, expected one that is not registered yet")
    _FACTORIES[name] = factory
    _ABOUT[name] = about


def about(name: str) -> tuple[str, dict[str, Any]]:
    """What `register` was told of a bot, and its settings with their defaults.

    Raises:
        ValueError: no bot has the name.
    """
    settings = inspect.signature(_factory(name)).parameters.values()
    return _ABOUT[name], {one.name: None if one.default is one.empty else one.default for one in settings}


def names() -> tuple[str, ...]:
    """Every registered name, sorted."""
    return tuple(sorted(_FACTORIES))


def make(name: str, **settings: Any) -> Bot:
    """A new bot.

    Raises:
        ValueError: no bot has the name, or it does not take one of the settings.
    """
    return _call(name, _factory(name), [], settings)


def from_text(text: str) -> Bot:
    """A new bot from one word, as the command line names it.

    "greedy" is a registered name; "search:simulations=64,depth=4" gives settings, and a value without a name is the
    first of them ("net:runs/mine"); where that is a word, so is whatever names a file or folder, commas and all.
    "package.module:Factory" is a bot of one's own that nobody has registered.

    Raises:
        ValueError: no bot has the name, or it does not take one of the settings.
    """
    name, colon, rest = text.partition(":")
    if name not in _FACTORIES and colon:
        return _call(text, _imported(text, name, rest), [], {})
    factory = _factory(name)
    known = inspect.signature(factory).parameters
    kept = [isinstance(one.default, str) for one in known.values()]  # a folder may be named 2026
    values: list[Any] = []
    settings: dict[str, Any] = {}
    if rest and kept[:1] == [True] and Path(rest).exists():
        return _call(name, factory, [rest], {})
    for word in rest.split(",") if rest else []:
        key, equals, value = word.partition("=")
        if equals:
            settings[key] = value if key in known and isinstance(known[key].default, str) else _literal(value)
        else:
            values.append(word if kept[len(values) : len(values) + 1] == [True] else _literal(word))
    return _call(name, factory, values, settings)


def _factory(name: str) -> Callable[..., Bot]:
    if name not in _FACTORIES:
        raise ValueError(f"bot: {name!r} found, expected one of {', '.join(names())}")
    return _FACTORIES[name]


def _literal(text: str) -> Any:
    """A number, where it is one."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def _imported(text: str, module: str, attribute: str) -> Callable[..., Bot]:
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError):
        raise ValueError(
            f"bot: {text!r} found, expected one of {', '.join(names())}, or module:factory of your own"
        ) from None


def _call(name: str, factory: Callable[..., Bot], values: list[Any], settings: dict[str, Any]) -> Bot:
    signature = inspect.signature(factory)
    try:
        signature.bind(*values, **settings)
    except TypeError as error:
        raise ValueError(f"bot {name}: {error}; its settings are {', '.join(signature.parameters) or 'none'}") from None
    return factory(*values, **settings)
