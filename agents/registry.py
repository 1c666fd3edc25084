"""Bots by name: `register` adds one, `make` and `from_text` make one. `rc_env.bot` defines what a bot is."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rc_env import checks
from rc_env.bot import Bot, checked_bot

_FACTORIES: dict[str, Callable[..., Bot]] = {}
_ABOUT: dict[str, str] = {}


def register(name: str, factory: Callable[..., Bot], about: str = "") -> None:
    """Register a bot, so that `make(name, **settings)` calls `factory(**settings)`; `about` describes it in a line.

    Raises:
        ValueError: another bot has the name, it is no plain word, or the factory cannot be called.

    Example:
        >>> from functools import partial
        >>> from rc_env import agents
        >>> from rc_env.agents.search import SearchBot
        >>> agents.register("hasty", partial(SearchBot, simulations=4), "looks ahead a little")
        >>> agents.make("hasty", depth=2).name
        'search'
    """
    if not isinstance(name, str) or not name or set(name) & set(":=, \t\n"):
        checks.refuse("name", name, "a word without colon, comma, equals sign or space, since from_text reads these")
    if not callable(factory):
        checks.refuse("factory", factory, "a class or function that makes a bot")
    checks.instance("about", about, str, "what the bot does, in a line")
    if _FACTORIES.get(name, factory) is not factory:
        raise ValueError(f"name: {name!r} found, expected one that is not registered yet")
    _FACTORIES[name] = factory
    _ABOUT[name] = about


def about(name: str) -> tuple[str, dict[str, Any]]:
    """The description of a registered bot, and its settings with their defaults.

    Raises:
        ValueError: no bot has the name.

    Example:
        >>> from rc_env import agents
        >>> agents.about("random")
        ('uniformly random legal actions', {'seed': 0})
    """
    settings = inspect.signature(_factory(name)).parameters.values()
    return _ABOUT[name], {one.name: None if one.default is one.empty else one.default for one in settings}


def names() -> tuple[str, ...]:
    """Every registered name, sorted.

    Example:
        >>> from rc_env import agents
        >>> agents.names()
        ('all_rounder', 'greedy', 'guilds', 'majority', 'net', 'plan', 'random', 'rush', 'search')
    """
    return tuple(sorted(_FACTORIES))


def make(name: str, **settings: Any) -> Bot:
    """A new bot.

    Raises:
        ValueError: no bot has the name, it does not take one of the settings, or its factory makes no bot.

    Example:
        >>> from rc_env import Engine, agents
        >>> bot = agents.make("search", simulations=20)
        >>> engine = Engine(num_games=2, seed=1)
        >>> engine.step(bot.act(agents.Position.of(engine)))
    """
    return _call(name, _factory(name), [], settings)


def from_text(text: str) -> Bot:
    """A new bot from one word, as the command line names it.

    "greedy" is a registered name; "search:simulations=64,depth=4" gives settings, and a value without a name is the
    first of them ("net:runs/mine"); where that is a word, so is whatever names a file or folder, commas and all.
    "package.module:Factory" is a bot of your own that nobody has registered: a class, or a function written in Python.

    Raises:
        ValueError: no bot has the name, it does not take one of the settings or is given it twice, or what is named
            makes no bot.

    Example:
        >>> from rc_env import agents
        >>> agents.from_text("search:simulations=64,depth=4").name
        'search'
        >>> agents.from_text("greed")
        Traceback (most recent call last):
            ...
        ValueError: bot: 'greed' found, expected one of all_rounder, greedy, ...
    """
    if not isinstance(text, str):
        checks.refuse("bot", text, f"the name of one, such as {', '.join(names())}")
    name, colon, rest = text.partition(":")
    if name not in _FACTORIES and colon:
        return _call(text, _imported(text, name, rest), [], {})
    factory = _factory(name)
    known = inspect.signature(factory).parameters
    kept = [isinstance(one.default, str) for one in known.values()]  # a folder may be named 2026
    values: list[Any] = []
    settings: dict[str, Any] = {}
    if rest and kept[:1] == [True] and _exists(rest):
        return _call(name, factory, [rest], {})
    for word in rest.split(",") if rest else []:
        key, equals, value = word.partition("=")
        if equals and key in settings:
            raise ValueError(f"bot: {text!r} found, which gives {key} twice, expected each setting once")
        if equals:
            settings[key] = value if key in known and isinstance(known[key].default, str) else _literal(value)
        else:
            values.append(word if kept[len(values) : len(values) + 1] == [True] else _literal(word))
    return _call(name, factory, values, settings)


def _factory(name: str) -> Callable[..., Bot]:
    checks.one_of("bot", name, names())
    return _FACTORIES[name]


def _literal(text: str) -> Any:
    """A number, where it is one."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):  # brackets may be nested however deeply
        return text


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # longer than a path may be, or with a null character
        return False


def _imported(text: str, module: str, attribute: str) -> Callable[..., Bot]:
    expected = f"one of {', '.join(names())}, or module:factory of your own"
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError, TypeError):
        checks.refuse("bot", text, expected)
    # Nothing else is called: what is no class or function of Python, such as os.abort, makes no bots.
    if (not isinstance(found, type | partial) and not inspect.isroutine(found)) or inspect.isbuiltin(found):
        checks.refuse("bot", text, expected)
    if isinstance(found, type) and (not callable(getattr(found, "act", None)) or found is Bot):
        raise ValueError(f"bot: {text!r} found, expected a class with act(): see rc_env.bot.Bot")
    return found


def _call(name: str, factory: Callable[..., Bot], values: list[Any], settings: dict[str, Any]) -> Bot:
    signature = inspect.signature(factory)
    try:
        signature.bind(*values, **settings)
    except TypeError as error:
        raise ValueError(f"bot {name}: {error}; its settings are {', '.join(signature.parameters) or 'none'}") from None
    return checked_bot(f"bot {name}", factory(*values, **settings))
