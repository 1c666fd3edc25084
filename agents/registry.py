"""Bots by name: `register` adds one, `make` and `from_text` make one. `rc_env.bot` defines what a bot is."""

from __future__ import annotations

import ast
import importlib
import inspect
import shlex
import traceback
from collections.abc import Callable, Collection
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from rc_env import checks
from rc_env.bot import Bot, checked_bot

OWN = ", or module:factory of your own"
GROUP = "rc_env.agents"
"""The group of entry points by which an installed package names its bots."""

_FACTORIES: dict[str, Callable[..., Bot]] = {}
_ABOUT: dict[str, str] = {}
_WORDS: dict[str, frozenset[str]] = {}


def register(name: str, factory: Callable[..., Bot], about: str = "", words: Collection[str] = ()) -> None:
    """Register a bot, so that `make(name, **settings)` calls `factory(**settings)`.

    Args:
        name: one word.
        factory: a class or function that makes the bot.
        about: describes it in a line.
        words: what a setting that is a word may be where a file names the bot, beside its default (see `of_file`):
            words that lead to no file.

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
    if not isinstance(name, str) or not _is_word(name):
        checks.refuse("name", name, "a word without colon, comma, equals sign or space, since from_text reads these")
    if not callable(factory):
        checks.refuse("factory", factory, "a class or function that makes a bot")
    checks.instance("about", about, str, "what the bot does, in a line")
    expected = "a list of words that lead to no file"
    harmless = checks.sequence("words", words, expected)
    for word in harmless:
        checks.instance("words", word, str, expected)
    if _FACTORIES.get(name, factory) is not factory:
        raise ValueError(f"name: a bot {checks.shown(name)} is registered already; choose another name")
    _FACTORIES[name] = factory
    _ABOUT[name] = about
    _WORDS[name] = frozenset(harmless)


def _is_word(name: str) -> bool:
    """Whether a bot may have this name."""
    return bool(name) and not set(name) & set(":=, \t\n")


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


def installed() -> tuple[str, ...]:
    """The names of bots that installed packages bring, sorted: their entry points of the group "rc_env.agents".

    Such a bot is imported, and registered, when its name is first asked for in a program or on a command line.

    Example:
        >>> from rc_env import agents
        >>> agents.installed()
        ()
    """
    return tuple(sorted(_points()))


@cache
def _points() -> dict[str, EntryPoint]:
    """The entry points by name; the names of this package's own bots are taken."""
    return {one.name: one for one in entry_points(group=GROUP) if one.name not in _FACTORIES and _is_word(one.name)}


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
    "package.module:Factory" is a bot of your own that nobody has registered: a class, or a function written in Python;
    settings follow behind another colon, "package.module:Factory:depth=4". A name that an installed package brings
    (`installed`) is imported as well.

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
        ValueError: unknown bot 'greed': did you mean greedy? Otherwise choose all_rounder, ...
    """
    if not isinstance(text, str):
        checks.refuse("bot", text, f"the name of one, such as {', '.join(names())}")
    name, colon, rest = text.partition(":")
    if colon and not rest:
        raise ValueError(f"bot {checks.shown(text)} needs something behind the colon: settings, a path, or a factory")
    if name in _FACTORIES or name in installed() or not colon:
        factory = _factory(name)
        return _call(name, factory, *_settings(text, factory, rest))
    attribute, _, rest = rest.partition(":")
    factory = _imported(text, name, attribute)
    return _call(text, factory, *_settings(text, factory, rest))


def of_file(text: str, where: str, trusted: Collection[str] = (), how: str = "") -> str:
    """Return a word of a file, if a file may name this bot: a registered one whose settings lead to no other file.

    What a file names may be a stranger's choice. So nothing is imported, and no further file is read, because of it: a
    bot `module:factory`, and a file of weights, count only where the user has named them as well. Every place that
    reads the names of bots from a file asks here before it makes one.

    Args:
        text: the word, as `from_text` takes it.
        where: the file, in words.
        trusted: words that the user has named, which the file may name too.
        how: how the command line names the word again, by default with `--trust`.

    Raises:
        ValueError: the bot is no registered one, or a setting of it leads to a file.

    Example:
        >>> from rc_env import agents
        >>> agents.of_file("search:simulations=20", "notes.txt")
        'search:simulations=20'
        >>> agents.of_file("mine:bot", "notes.txt", trusted=["mine:bot"])
        'mine:bot'
    """
    if not isinstance(text, str):
        checks.refuse("bot", text, f"the name of one, such as {', '.join(names())}")
    for name, words in (("where", where), ("how", how)):
        checks.instance(name, words, str, "words")
    if text in checks.sequence("trusted", trusted, "a list of bots") or _is_plain(text):
        return text
    if text.isidentifier() and text not in installed():  # a mistyped name, or a bot that this version does not have
        checks.one_of("bot", text, names())
    how = how or f"--trust {shlex.quote(checks.cut(text)) if text.isprintable() else 'BOT'}"
    raise ValueError(
        f"{where} names the bot {checks.shown(text)}, which is not registered, or leads to a file; nothing is "
        f"imported or read that only a file names. If you know it, name it again: {how}"
    )


def weight_files(text: str) -> list[Path]:
    """The files that the settings of a bot lead to: weights, or the networks in a folder. A factory's are not known.

    Args:
        text: as `from_text` takes it.

    Example:
        >>> from rc_env.agents.registry import weight_files
        >>> weight_files("search:simulations=20")
        []
    """
    name, _, rest = checks.instance("text", text, str, "the name of a bot").partition(":")
    if name not in _FACTORIES:
        return []
    values, settings = _settings(text, _FACTORIES[name], rest)
    found = []
    for value in (*values, *settings.values()):
        if isinstance(value, str) and value not in _WORDS[name] and _exists(value):
            place = Path(value)
            found += sorted(place.glob("*.npz")) if place.is_dir() else [place]
    return found


def _is_plain(text: str) -> bool:
    """Whether a word names a registered bot with settings that lead to no file."""
    name, _, rest = text.partition(":")
    if name not in _FACTORIES:
        return False
    usual = [one.default for one in inspect.signature(_FACTORIES[name]).parameters.values()]
    values, settings = _settings(text, _FACTORIES[name], rest, look=False)
    words = {*_WORDS[name], *(word for word in usual if isinstance(word, str))}
    return all(
        value in words if isinstance(value, str) else isinstance(value, bool | int | float)
        for value in (*values, *settings.values())
    )


def _settings(
    text: str, factory: Callable[..., Bot], rest: str, *, look: bool = True
) -> tuple[list[Any], dict[str, Any]]:
    """The settings that the rest of a word gives to a factory: those without a name, and those with one.

    `look` whether what follows the colon may be a file as a whole, commas and all.

    Raises:
        ValueError: one is given twice or has no value, two have no name, or there is nothing between two commas.
    """
    known = inspect.signature(factory).parameters
    usual = [one.default for one in known.values()]
    takes_several = any(one.kind is one.VAR_POSITIONAL for one in known.values())
    values: list[Any] = []
    settings: dict[str, Any] = {}
    if look and rest and usual and isinstance(usual[0], str) and _exists(rest):
        return [rest], {}
    for word in rest.split(",") if rest else []:
        if not word:
            raise ValueError(f"bot {checks.shown(text)} has a comma with no setting behind or before it")
        key, equals, value = word.partition("=")
        if equals and key in settings:
            raise ValueError(f"bot {checks.shown(text)} gives {key} twice; give each setting once")
        if equals:
            settings[key] = _as(known[key].default if key in known else None, value)
        elif (values or settings) and not takes_several:
            raise ValueError(f"bot {checks.shown(text)}: only the first setting goes without a name; say NAME={word}")
        else:
            default = usual[len(values)] if len(values) < len(usual) else None
            if word in known and not isinstance(default, str):  # no number, so it is the name, and not a value
                raise ValueError(f"bot {checks.shown(text)} gives {word} no value; say {word}=VALUE")
            values.append(_as(default, word))
    return values, settings


def _factory(name: str) -> Callable[..., Bot]:
    if isinstance(name, str) and name not in _FACTORIES and name in installed():
        point = _points()[name]
        factory = _imported(f"{name} ({point.value})", point.module, point.attr)
        register(name, factory, (inspect.getdoc(factory) or "").partition("\n")[0])
    known = (*names(), *(one for one in installed() if one not in _FACTORIES))
    if isinstance(name, str) and name not in known and (meant := _with_setting(name)):
        raise ValueError(f"unknown bot {checks.shown(name)}: did you mean {' or '.join(meant)}?")
    checks.one_of("bot", name, known)
    return _FACTORIES[name]


def _with_setting(word: str) -> list[str]:
    """Registered bots whose first setting may be this word, with it: a packaged plan is named `plan:NAME`."""
    meant = []
    for one, words in _WORDS.items():
        if word in words:
            first = next(iter(inspect.signature(_FACTORIES[one]).parameters.values()))
            meant += [f"{one}:{word}"] if first.default in words else []
    return meant


def _as(usual: object, text: str) -> Any:
    """A setting whose default is `usual`: where that is a word, a word (a folder may be named 2026)."""
    if isinstance(usual, str):
        return text
    if isinstance(usual, bool) and text.lower() in ("true", "false"):  # the word "false" would count as true
        return text.lower() == "true"
    value = _literal(text)
    counts = isinstance(usual, int) and isinstance(value, float) and value.is_integer()  # 1e6
    return int(value) if counts else value


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
    said, where = checks.shown(text), checks.cut(module)
    if not all(part.isidentifier() for part in module.split(".")):
        raise ValueError(checks.unknown("bot", text, names(), OWN))
    try:
        within = importlib.import_module(module)
    except Exception as error:  # what stands in the module may raise anything
        if checks.by_signal(error):
            raise
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(
                f"bot {said}: there is no module {where}, and no registered bot of that name: choose "
                f"{checks.choice(names())}"
            ) from error
        last = traceback.extract_tb(error.__traceback__)[-1]
        file, line, what = last.filename, last.lineno, str(error)
        if isinstance(error, SyntaxError) and error.filename:  # it is not where the file was read
            file, line, what = error.filename, error.lineno, error.msg
        why = checks.cut(f"{type(error).__name__}: {what}")
        raise ValueError(f"bot {said}: importing {where} fails at {Path(file).name}, line {line} ({why})") from error
    found = getattr(within, attribute, None)
    if found is None:
        own = [name for name, one in vars(within).items() if getattr(one, "__module__", None) == module]
        raise ValueError(
            f"bot {said}: module {where} has no {checks.cut(attribute)}; it has {checks.cut(', '.join(own))}"
        )
    # Nothing else is called: what is no class or function of Python, such as os.abort, makes no bots.
    if (not isinstance(found, type | partial) and not inspect.isroutine(found)) or inspect.isbuiltin(found):
        raise ValueError(checks.unknown("bot", text, names(), OWN))
    if isinstance(found, type) and (not callable(getattr(found, "act", None)) or found is Bot):
        raise ValueError(f"bot {said} is a class without act(): see rc_env.bot.Bot")
    return found


def _call(name: str, factory: Callable[..., Bot], values: list[Any], settings: dict[str, Any]) -> Bot:
    signature = inspect.signature(factory)
    try:
        signature.bind(*values, **settings)
    except TypeError as error:
        why = checks.cut(str(error))
        raise ValueError(f"bot {name}: {why}; its settings are {', '.join(signature.parameters) or 'none'}") from None
    try:
        bot = factory(*values, **settings)
    except (ValueError, OSError, ModuleNotFoundError):  # of which the sentence says what to do
        raise
    except Exception as error:
        if checks.by_signal(error):
            raise
        raise ValueError(f"bot {name}: {type(error).__name__} raised as it was made ({error})") from error
    return checked_bot(f"bot {name}", bot)
