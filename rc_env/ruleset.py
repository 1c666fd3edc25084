"""Ruleset: the variant of the game. Every environment, bot and model is made for one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from rc_env import checks
from rc_env.build import Build, in_build
from rc_env.card_sets import source
from rc_env.fields import setting
from rc_env.jit import records
from rc_env.layout.actions import ActionLayout
from rc_env.layout.observation import ObservationLayout
from rc_env.rules.printed import components, contractors_file, data_file, expansion_file
from rc_env.rules.printed.data_file import DataFile
from rc_env.rules.printed.sizes import GUILDS, INFLUENCES, IVAN_CARDS_BASE

RULES_VERSION = 2
"""Version of the rules; it rises when a trained policy would play a different game than before. Which variants that
concerns: `Ruleset.rules_version`.
"""

OLD_BASE = "cfe2af5c4c37354da6cd601a2e1c7eba4a1e420909ea1ae2a6d725cbdb7725bf"
"""SHA-256 of the packaged data file before it had `solo.construction`, which only the solo game reads."""

WORKSHOPS = ("basic", "advanced")
MOST_TURNS = 10_000
CLERGY, THIEVES = "clergy", "thieves"
_FILES = {"data_file": data_file.check, "expansion_file": expansion_file.check}
"""The data files that a pickle holds, and the checks of their tables."""
_STATE = "what pickle takes of a Ruleset of this version"
SWITCHES = ("fourth_guild", "special_tiles", "promos", "expansion_data", "contractors")
"""The arguments of `Ruleset` that concern the expansion."""
FULL_GAME: Mapping[str, Any] = {"fourth_guild": "random", "special_tiles": True, "promos": True, "contractors": True}
"""All switches of the expansion on, as benchmark and studies of the full game play it."""


@dataclass(frozen=True)
class Ruleset:
    """A variant of the game; all but the first two arguments are given by name.

    Attributes:
        players: seats that decide: 2, 3 or 4, or 1 for the solo game against Ivan (R-30, R-31).
        workshop: side of the workshop boards, "basic" or "advanced".
        data: "base", the path of a data file of one's own (see docs/data.md), or a drawn set such as "sample:17", which
            becomes its name in full, "sample-v1:17" (see docs/uncertainty.md).
        turn_limit: turns begun by anyone after which a game is truncated and scored (R-29), 1 to 10,000.
        reward: every player's reward at the end. "win": places from 1 to -1, ties shared; "first": 1 for the winner,
            -1 / (P - 1) for all others, ties shared; "margin": own prestige less the others' mean, in [-1, 1]; "score":
            final prestige. All but "score" sum to 0 over all seats; Ivan counts as an opponent, but has no reward
            himself.
        fourth_guild: the guild that takes the place of the clergy (R-41): "clergy", a guild of the expansion, a guild
            and its card such as "jewelers:2", or "random", drawn for each deal. The "contractors", the "lawyers" and
            "jewelers:3" are played with the module Contractors alone.
        special_tiles: whether the players choose and place the promo's special workshop tiles (R-84).
        promos: whether "random" may draw the promo's Thieves' guild.
        expansion_data: the data file of module, guilds and promos: "contractors", a path, or a drawn set.
        contractors: whether the module Contractors is played: black die, permits, cities, specialists (R-43 to R-59).

    Raises:
        ValueError: a value is out of range; `data_file.DataError` (a ValueError) for a data file that does not hold.

    Example:
        >>> from rc_env import Ruleset
        >>> ruleset = Ruleset(players=4, workshop="advanced")
        >>> ruleset.actions.size, ruleset.observations.size
        (341, 2296)
        >>> Ruleset(contractors=True).full
        True
        >>> Ruleset(players=5)
        Traceback (most recent call last):
            ...
        ValueError: players must be a whole number from 1 to 4, not 5
    """

    players: int = 2
    workshop: str = setting("basic", "side of the workshop boards", known=WORKSHOPS)
    _: KW_ONLY
    data: str | os.PathLike[str] = setting(  # noqa: RUF009 - returns a dataclass field
        "base", "data file with your own cards (docs/data.md), or drawn cards such as sample:17 (docs/uncertainty.md)"
    )
    turn_limit: int = setting(1000, "number of turns, of all seats together, after which a game is scored")
    reward: str = "win"
    fourth_guild: str = setting(
        "clergy",
        "fourth guild, in the place of the clergy: clergy, a guild of the expansion such as jewelers, a guild with the "
        "number of its card such as jewelers:2, or random",
    )
    special_tiles: bool = setting(False, "play with the special workshop tiles (a promo)")
    promos: bool = setting(False, "let --fourth-guild random draw the thieves (a promo) too")
    expansion_data: str | os.PathLike[str] = setting(  # noqa: RUF009 - likewise
        "contractors", "data file with your own cities, specialists, guilds and contracts"
    )
    contractors: bool = setting(False, "play the module Contractors: black die, permits, cities, specialists")

    def __post_init__(self) -> None:
        # Numbers and words of NumPy become Python's, so that equal rulesets are the same in JSON and in a pickle.
        for name, most in (("players", 4), ("turn_limit", MOST_TURNS)):
            object.__setattr__(self, name, checks.whole_number(name, getattr(self, name), 1, most))
        checks.one_of("workshop", self.workshop, WORKSHOPS)
        checks.one_of("reward", self.reward, components.REWARDS)
        for name in ("special_tiles", "promos", "contractors"):
            object.__setattr__(self, name, checks.flag(name, getattr(self, name)))
        checks.path("data", self.data, "'base', a sample such as 'sample:17', or the path of a data file")
        checks.path("expansion_data", self.expansion_data, "'contractors', a sample, or the path of a data file")
        for name in ("data", "expansion_data"):  # with the version of the sampler, which says forever what is meant
            object.__setattr__(self, name, source.checked_name(name, getattr(self, name)))
        checks.instance("fourth_guild", self.fourth_guild, str, "the name of a guild, such as 'clergy', or 'random'")
        _ = self.tables, self._fourth  # bad files and names are refused here, not at the first deal

    @cached_property
    def data_file(self) -> DataFile:
        """The checked data file; its tables cannot be changed."""
        return _frozen_file(source.load_base(self.data))

    @property
    def full(self) -> bool:
        """Whether a switch of the expansion is on, so that the game is played with the full build and its layouts."""
        return bool(self.special_tiles or self.contractors or self.fourth_guild != CLERGY)

    @property
    def build(self) -> type[Build]:
        """The record types, kernels, layouts and sizes of the build that the game is played with.

        Example:
            >>> Ruleset().build.sizes.DICE, Ruleset(contractors=True).build.sizes.DICE
            (5, 6)
        """
        return in_build(Build, self.full)

    @property
    def ivan_cards(self) -> int:
        """How many cards, and tiles, Ivan has in the solo game: one more with the module Contractors (R-81)."""
        return IVAN_CARDS_BASE + self.contractors

    @cached_property
    def expansion_file(self) -> DataFile | None:
        """The checked data file of the expansion; None where no switch of it is on."""
        if not self.full:
            return None
        return _frozen_file(source.load_expansion(self.expansion_data))

    @cached_property
    def tables(self) -> Mapping[str, Any]:
        """The tables of the data file, with the market tile, workshop tiles and plans of the module where it is on."""
        tables = self.data_file.tables
        if self.contractors and self.expansion_file is not None:
            tables = _frozen(contractors_file.merged(tables, self.expansion_file.tables))
        return tables

    @cached_property
    def _fourth(self) -> Any:
        """The guilds and the card that may take the place of the clergy; None where no switch is on (R-41)."""
        if self.expansion_file is None:
            return None
        tables, base = self.expansion_file.tables, self.data_file.tables["guilds"]
        if CLERGY not in base:
            raise ValueError(f"data has no guild {CLERGY}, whose place the fourth guild takes")
        if shared := [guild for guild in tables["guilds"] if guild in base]:
            raise ValueError(f"expansion_data and data both have the guild {shared[0]}: name it in one of them")
        for noun, count, most in (
            ("guilds", len(base) + len(tables["guilds"]), GUILDS),
            ("guild cards", sum(map(len, (*base.values(), *tables["guilds"].values()))), INFLUENCES),
        ):
            if count > most:
                raise ValueError(
                    f"expansion_data and data have {count} {noun} together, but at most {most} may be there"
                )
        with_module = {} if self.contractors else tables["guilds_with_contractors_only"]
        allowed = {CLERGY: list(range(1, len(base[CLERGY]) + 1))}
        for guild, cards in tables["guilds"].items():
            allowed[guild] = [i for i in range(1, len(cards) + 1) if i not in with_module.get(guild, [])]
        name, colon, card = self.fourth_guild.partition(":")
        make = components.FourthGuild
        if self.fourth_guild == "random":
            drawn = [guild for guild, cards in allowed.items() if cards and (guild != THIEVES or self.promos)]
            return make(tuple(drawn), None, self.special_tiles, self.contractors)
        if name not in allowed:  # also "random" with a card
            guilds = (*(guild for guild, cards in allowed.items() if cards), "random")
            checks.one_of("fourth_guild", self.fourth_guild, guilds)
        if not allowed[name]:
            raise ValueError(f"fourth_guild {name} needs the module Contractors: give contractors=True")
        if not colon:
            return make((name,), None, self.special_tiles, self.contractors)
        if card not in map(str, allowed[name]):  # in one spelling, since equal games have equal rulesets
            checks.one_of("fourth_guild", self.fourth_guild, [f"{name}:{i}" for i in allowed[name]])
        return make((name,), int(card), self.special_tiles, self.contractors)

    def __getstate__(self) -> dict[str, Any]:
        """The arguments, and the data files, which may not be there where this is unpickled; all else follows."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return found | {name: getattr(self, name) for name in _FILES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the place of a ruleset that was pickled. Its arguments and tables are checked as those of a new one are.

        Raises:
            ValueError: the state is none, or a value is out of range; DataError for tables that do not hold.
        """
        names = {field.name for field in fields(self)}
        if not isinstance(state, dict) or set(state) != {*names, *_FILES}:
            checks.refuse("state", state, _STATE)
        vars(self).update({name: state[name] for name in names})
        for name, check in _FILES.items():
            if state[name] is not None and (name == "data_file" or self.full):
                file = checks.instance("state", state[name], DataFile, _STATE)
                for word in (file.name, file.sha256):
                    checks.instance("state", word, str, _STATE)
                check(file.tables)
                vars(self)[name] = _frozen_file(file)
        self.__post_init__()

    def __deepcopy__(self, memo: object) -> Ruleset:
        return self  # immutable

    @property
    def rules(self) -> np.recarray:
        """The printed numbers and the catalogue as the compiled rules read them: RULES, an array of one record.

        It is read-only, and a new array each time: compiled code trusts what it holds.
        """
        return _array(self._rules)

    @cached_property
    def _rules(self) -> tuple[bytes, np.dtype[Any]]:
        build = self.build.components
        rules = build.build(self.tables, self.players, self.workshop, self.turn_limit, self.reward)
        if self.expansion_file is not None:
            build.extend(rules[0], self.data_file.tables, self.expansion_file.tables, self._fourth)
        self.actions.fill(rules[0])
        return rules.tobytes(), rules.dtype

    @cached_property
    def _compiled(self) -> np.ndarray:
        """A copy of `rules` in the form that kernels take, made once, since copying a record takes longer than many
        kernels.

        Only for compiled code, which reads it and must never write to it.
        """
        return records(self.rules)

    @property
    def seats(self) -> int:
        """Seats that own sections and are scored: `players`, but 2 in the solo game, where Ivan has seat 1."""
        return components.seats_of(self.players)

    @property
    def solo(self) -> bool:
        """Whether this is the solo game."""
        return self.players == 1

    @cached_property
    def actions(self) -> ActionLayout:
        """The action catalogue."""
        return self.build.actions.ActionLayout(self.players)

    @cached_property
    def observations(self) -> ObservationLayout:
        """The schema of the observations."""
        return self.build.observation.ObservationLayout(self.players)

    @property
    def writer_tables(self) -> np.recarray:
        """The tables of the compiled writer of observations: `writer.VIEW`, an array of one record, as `rules` is."""
        return _array(self._writer_tables)

    @cached_property
    def _writer_tables(self) -> tuple[bytes, np.dtype[Any]]:
        tables = self.build.writer.tables(self.observations, self.rules)
        return tables.tobytes(), tables.dtype

    @property
    def layout_hash(self) -> str:
        """The hashes of both layouts and the versions, which a saved model has to match."""
        return f"{self.actions.hash}-{self.observations.hash}"

    @property
    def rules_version(self) -> int:
        """Version of the rules of this variant: 1 for two to four players of the base game, else 2.

        Version 2 reads three rulings anew (docs/rules.md): R-30c in the solo game, R-52d and R-69 in the full game.
        """
        return RULES_VERSION if self.rulings else 1

    @property
    def rulings(self) -> str:
        """The rulings by which the rules of this variant differ from version 1, in words; empty where none does."""
        solo = "R-30c (the order of Ivan's Construction)"
        full = "R-52d (which ornaments a specialist discards) and R-69 (whose penalties the foreman doubles)"
        if self.solo and self.full:
            return f"{solo}, {full}"
        return solo if self.solo else full if self.full else ""

    @property
    def data_digests(self) -> tuple[str, ...]:
        """The SHA-256 of the data file, then those of earlier packaged ones with the same numbers for this variant."""
        same = self.data == "base" and self.rules_version == 1
        return (self.data_file.sha256, OLD_BASE) if same else (self.data_file.sha256,)

    @property
    def reward_range(self) -> tuple[float, float]:
        """Smallest and largest possible reward of a seat ("score" has no upper bound)."""
        return (0.0, float("inf")) if self.reward == "score" else (-1.0, 1.0)


def _array(held: tuple[bytes, np.dtype[Any]]) -> np.recarray:
    """An array of records whose memory cannot be made writeable. It is a new one, since who is given an array can make
    it one of other memory."""
    return np.frombuffer(*held).view(np.recarray)


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("the tables of a ruleset cannot be changed: Ruleset(data=FILE) takes others")


class _Table(dict[str, Any]):
    """A table that cannot be changed; a copy of it can."""

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


class _List(list[Any]):
    """A list that cannot be changed; a copy of it can."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = insert = pop = _refuse
    remove = reverse = sort = _refuse

    def __reduce__(self) -> Any:
        return list, (list(self),)


def _frozen_file(file: DataFile) -> DataFile:
    return replace(file, tables=_frozen(file.tables))


def _frozen(tree: Any) -> Any:
    """The same tree of tables and lists as one that cannot be changed."""
    if isinstance(tree, dict):
        return _Table({name: _frozen(one) for name, one in tree.items()})
    return _List(map(_frozen, tree)) if isinstance(tree, list) else tree
