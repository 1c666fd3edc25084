"""The inputs of a network: the numbers of the observation, and the features of `features.py`, computed from them.

The inputs also name the *objects* that actions are about (moves, sections, towers, slots, spaces, guild actions), so
that a network can judge all objects of a kind alike.

Inputs are whole numbers of a byte, as the observation is. A network takes `(input - zero) / divisor` of each.

Shape letters as in `rc_env.bot`: N games, F features of an observation, A actions; I inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.agents import features, features_full
from rc_env.jit import records
from rc_env.layout.pieces import UNUSED, Piece
from rc_env.rules.printed.sizes import (
    BLACK_DIE,
    CITIES,
    MATERIALS,
    QUADRANTS,
    RESOURCES,
    SIDES,
    SLOTS,
    SPACES,
    SPECIALIST_SLOTS,
)
from rc_env.rules.verbs import Verb
from rc_env.ruleset import Ruleset

VERSION = 3
"""Version of the inputs; it rises when the meaning of an input changes."""

LEFT_OUT = ("guild", "section_tile")
"""Pieces of the observation that are inputs in other words only: summaries of the guild cards, the next tiles."""

TYPICAL_SIZES: Mapping[str, Mapping[str, float] | float] = {
    "waiting_count": {"deliveries left": 6, "delivered": 1, "most to take": 10, "payments left": 6, "gains left": 6},
    "waiting_tile": {"rubles": 2, "": 1},
    "crowd": 3,
    "supply": 20,
    "die_yield": 6,
    "goods": {"inventory banners": 6, "spare banners": 6, "": 10},
    "works": {"white1 banner": 1, "white2 banner": 1, "": 6},
    "numbers": {"rubles": 40, "prestige": 80, "past": 10, "room": 10, "goods_prestige": 20, "tower_prestige": 80,
                "score": 120},
    "ivan_turn": {"card recognition": 16, "card materials": 16, "ornament prestige": 4},
    "ivan_goods": 20,
    "market": 2,
    "standing": 12,
    "worth": 12,
    "workshop": {"rubles": 2, "price": 3, "": 1},
    "slot_ornament": 3,
    "card": {"rubles": 4, "recognition": 6, "": 3},
    "rules": 64,
}  # fmt: skip
"""The size that entries of a piece usually have, squared: by name of the entry, with "" for the others of the piece.
Where nothing is said it is the divisor, which flags have as 1."""


@dataclass(frozen=True)
class Objects:
    """Objects of one kind, each with inputs of its own and actions that are about it.

    Attributes:
        name: of the kind.
        slices: (offset, width, sharing) of the inputs: so many objects in turn share `width` inputs; the first ones
            have those from `offset` on, the next ones those behind, in each slice.
        actions: (objects, outputs) int64, the numbers of the actions that are about an object.
    """

    name: str
    slices: tuple[tuple[int, int, int], ...]
    actions: NDArray[np.int64]

    @property
    def width(self) -> int:
        """Inputs of one object."""
        return sum(width for _, width, _ in self.slices)


class Inputs:
    """The inputs of one variant.

    The first inputs are entries of the observation, as they are: all but unused ones and the pieces of LEFT_OUT. Then
    follows what is worked out. Numbers that are higher than a byte holds, or lower, are cut.

    Attributes:
        size: I.
        names: (piece or group of features, row, entry) of each input. Two variants give the same name to what means the
            same in both.
        features: F, the entries of an observation.
        zero: (I,) uint8, the byte that means 0.
        divisors: (I,) float32, the size that an input usually has, so that one more ruble and one more door are of
            comparable weight to a network.
        scale: (I,) float32, one over the divisors. A network sees `(input - zero) * scale`.
        shared: the first so many inputs are for all; behind them lie those of the moves, which matter to moves alone.
        objects: the kinds of objects.
        rest: (K,) int64, the numbers of the actions that are about none.
        order: (A,) int64, where each action stands in the rest, followed by the actions of all objects, kind by kind.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        checks.instance("ruleset", ruleset, Ruleset, "a Ruleset")
        actions = ruleset.actions.actions
        pieces = {piece.name: piece for piece in ruleset.observations.pieces}
        moves = [action.argument[:2] for action in actions if action.verb == Verb.MOVE]
        moves += [(BLACK_DIE, action.argument[0]) for action in actions if action.verb == Verb.MOVE_BLACK]
        self.moves = np.array(moves, np.int64)
        self.features = ruleset.observations.size
        self._source, usual, taken, names = _taken(ruleset.observations.pieces)

        zero, worked_out = [0] * len(usual), {}
        for group in _worked_out(ruleset, pieces, len(moves)):
            worked_out[group.name] = (len(usual), len(group.notes))
            usual += [size for _, size in group.notes] * group.rows
            names += [
                (group.of or group.name, row, note) for row in range(group.rows) for note in _numbered(group.notes)
            ]
            zero += (group.zero or [0] * len(group.notes)) * group.rows
        self.names: tuple[Name, ...] = tuple(names)
        self.size, self.shared = len(usual), worked_out["moves"][0]
        self.divisors = np.sqrt(np.array(usual, np.float32))
        self.scale = np.float32(1) / self.divisors
        self.zero = np.array(zero, np.uint8)

        begin = {name: first for name, (first, _) in worked_out.items()}
        self._at = _record(features.AT, _places(ruleset, pieces, worked_out))
        full = features_full.places(pieces, ruleset.seats, begin) if ruleset.full else {}
        self._at_full = _record(features_full.AT, full)

        self.objects: tuple[Objects, ...] = _Kinds(ruleset, pieces, taken, worked_out).all()
        about = np.concatenate([kind.actions.ravel() for kind in self.objects])
        self.rest = np.setdiff1d(np.arange(len(actions)), about)
        self.order = np.argsort(np.concatenate([self.rest, about]))

    def __call__(self, numbers: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(N, I) uint8 from (N, F) uint8, the numbers of observations.

        Raises:
            ValueError: the numbers are of another type or shape.
        """
        fits = isinstance(numbers, np.ndarray) and numbers.dtype == np.uint8 and numbers.ndim == 2
        if not fits or numbers.shape[1] != self.features:
            expected = f"an (N, {self.features}) array of uint8, which observe(dtype=np.uint8) gives"
            checks.refuse("numbers", numbers, expected)
        out = np.zeros((len(numbers), self.size), np.uint8)
        features.fill(checks.plain(numbers), self._source, self._at, self._at_full, self.moves, out)
        return out


def _usual(piece: Piece, entry: int) -> float:
    """The size that an entry usually has, squared."""
    if piece.name == "prestige_ahead":  # a few spaces to each further one
        return 10.0 * (entry + 1)
    usual = TYPICAL_SIZES.get(piece.name, {})
    if isinstance(usual, Mapping):
        return usual.get(piece.entries[entry], usual.get("", piece.divisors[entry]))
    return usual


Span = tuple[int, int]
"""Where the inputs of a piece or of a group of features begin, and the width of one row of them."""


Name = tuple[str, int, str]
"""The piece or the group of features that an input is of, the row of it, and the entry of that row."""


def _taken(pieces: Iterable[Piece]) -> tuple[NDArray[np.int64], list[float], dict[str, Span], list[Name]]:
    """What is taken from an observation as it is.

    Returns:
        The entry that each input is, the size that it usually has, squared, the spans of the pieces, and the name of
        each input.
    """
    source: list[int] = []
    usual: list[float] = []
    spans: dict[str, Span] = {}
    names: list[Name] = []
    for piece in pieces:
        if piece.name in LEFT_OUT:
            continue
        kept = [k for k, entry in enumerate(piece.entries) if entry != UNUSED]
        spans[piece.name] = (len(source), len(kept))
        for row in range(piece.size // len(piece.entries)):
            source += [piece.offset + row * len(piece.entries) + k for k in kept]
            usual += [_usual(piece, k) for k in kept]
            names += [(piece.name, row, piece.entries[k]) for k in kept]
    return np.array(source, np.int64), usual, spans, names


class _Group(NamedTuple):
    """A group of features: so many rows with these notes, and the bytes that mean 0, where they are not 0; and the
    piece that they are entries of in the base game, where there is one."""

    name: str
    rows: int
    notes: features_full.Notes
    zero: list[int] | None = None
    of: str | None = None


def _numbered(notes: features_full.Notes) -> Iterator[str]:
    """The names of notes, with a number from the second of a name on."""
    seen: Counter[str] = Counter()
    for name, _ in notes:
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name} {seen[name]}"


def _tile_entries(pieces: Mapping[str, Piece]) -> list[str]:
    """The entries of a workshop tile that are in use."""
    return [entry for entry in pieces["section_tile"].entries if entry != UNUSED]


def _worked_out(ruleset: Ruleset, pieces: Mapping[str, Piece], moves: int) -> Iterator[_Group]:
    """The groups of features, in the order of the inputs."""
    towers, levels = pieces["card"].shape[:2]
    yield _Group("lacking", 1, features.LACKING, [features.ZERO_LACKING] * MATERIALS)
    leads = [features.ZERO_LEAD] * 4
    yield _Group("hand", 1, features.HAND, [0] * (len(features.HAND) - len(leads)) + leads)
    yield _Group("tower_notes", towers, features.TOWER, [features.ZERO_PRESENCE] * features.TOWER_SIZE)
    yield _Group("sections", towers * levels, features.SECTION)
    yield _Group("claims", towers, features.claim_notes(_tile_entries(pieces)))
    yield _Group("guilds", QUADRANTS * SIDES, features.GUILD)
    yield _Group("space", 1, features.SPACE)
    if ruleset.full:
        yield _Group("slots", pieces["workshop"].shape[0] * SLOTS, features_full.SLOT, of="workshop")
        yield _Group("tower_more", towers, features_full.TOWER_MORE)
        yield _Group("offers", SPECIALIST_SLOTS, features_full.OFFER)
        yield _Group("city_notes", CITIES, features_full.CITY)
        yield _Group("hand_more", 1, features_full.HAND_MORE)
        yield _Group("here", SIDES, features_full.HERE)
    yield _Group("moves", moves, features.MOVE)
    if ruleset.full:
        yield _Group("moves_more", moves, features_full.MOVE_MORE)


def _places(ruleset: Ruleset, pieces: Mapping[str, Piece], worked_out: Mapping[str, Span]) -> dict[str, int]:
    """The values of `features.AT`."""
    numbers, section, tile = pieces["numbers"].entries, pieces["section"].entries, _tile_entries(pieces)
    towers, levels = pieces["card"].shape[:2]
    return {
        **{name: pieces[name].offset for name in features.FROM},
        **{f"{name}_width": pieces[name].shape[-1] for name in features.FROM},
        **{name: numbers.index(name) for name in ("rubles", "prestige", "room", "score", "tower_prestige")},
        "deliveries": pieces["rules"].offset + pieces["rules"].entries.index("deliveries"),
        "finished": section.index("finished"),
        "done": pieces["works"].entries.index("finished"),
        "banners": section.index("banner own"),
        "presence": pieces["standing"].entries.index("presence own"),
        "seats": ruleset.seats,
        "towers": towers,
        "levels": levels,
        "tile_size": len(tile),
        "tile_resources": tile.index("lumber"),
        "claim_size": worked_out["claims"][1],
        "full": ruleset.full,
        "specialist": pieces["specialist"].offset if ruleset.full else 0,
        **{name: worked_out[name][0] for name in features.WORKED_OUT},
    }


def _record(dtype: np.dtype[np.void], values: Mapping[str, int]) -> np.ndarray:
    """(1,) of the dtype with these values, as `jit.records` gives it; fields that are not named are 0."""
    found = records(np.zeros(1, dtype))
    for name, value in values.items():
        found[name] = value
    return found


class _Kinds:
    """The kinds of objects of a variant, from the spans of pieces and of groups of features."""

    def __init__(
        self,
        ruleset: Ruleset,
        pieces: Mapping[str, Piece],
        taken: Mapping[str, Span],
        worked_out: Mapping[str, Span],
    ) -> None:
        self._ruleset, self._taken, self._worked_out = ruleset, taken, worked_out
        self._tower_count, self._levels = pieces["card"].shape[:2]
        self._numbers: dict[Verb, list[int]] = {verb: [] for verb in Verb}
        for number, action in enumerate(ruleset.actions.actions):
            self._numbers[action.verb].append(number)

    def all(self) -> tuple[Objects, ...]:
        """All kinds, in the order of a network's heads."""
        kinds = [self._moves(), self._claims(), self._sections(), self._slots(), self._spaces(), self._guild()]
        if self._ruleset.full:
            kinds += [self._influence(), self._cities(), self._offers()]
            if self._ruleset.players > 1:
                kinds.append(self._borrowed())
        return tuple(kinds)

    # --- what the kinds are made of

    def _piece(self, name: str, sharing: int = 1) -> tuple[int, int, int]:
        """The slice of a piece, with a row for each object, or for so many objects in turn."""
        return (*self._taken[name], sharing)

    def _entry(self, name: str) -> tuple[int, int, int]:
        """The slice of a piece with a single row, with an entry for each object."""
        return (self._taken[name][0], 1, 1)

    def _group(self, name: str, sharing: int = 1) -> tuple[int, int, int]:
        """The slice of a group of features, as `_piece`."""
        return (*self._worked_out[name], sharing)

    def _if_full(self, find: Callable[[str], tuple[int, int, int]], name: str) -> list[tuple[int, int, int]]:
        """A slice that only the full game has."""
        return [find(name)] if self._ruleset.full else []

    def _towers(self, sharing: int = 1) -> list[tuple[int, int, int]]:
        """The features of towers, each shared by so many objects."""
        groups = ("tower_notes", "tower_more") if self._ruleset.full else ("tower_notes",)
        return [self._group(name, sharing) for name in groups]

    def _actions(self, objects: int, *verbs: Verb) -> NDArray[np.int64]:
        """(objects, outputs), the actions of each verb, by object; none of a verb that the game does not have."""
        found = [np.array(self._numbers[verb], np.int64).reshape(objects, -1) for verb in verbs]
        return np.concatenate(found, 1)

    # --- the kinds

    def _moves(self) -> Objects:
        slices = [self._group("moves"), *self._if_full(self._group, "moves_more")]
        numbers = self._numbers[Verb.MOVE] + self._numbers[Verb.MOVE_BLACK]
        return Objects("moves", tuple(slices), np.array(numbers, np.int64)[:, None])

    def _claims(self) -> Objects:
        slices = [self._group("claims"), *self._towers(), self._piece("standing")]
        return Objects("claims", tuple(slices), self._actions(self._tower_count, Verb.CLAIM))

    def _sections(self) -> Objects:
        levels, sections = self._levels, self._tower_count * self._levels
        slices = [self._piece("card"), self._piece("section"), self._group("sections")]
        slices += self._if_full(self._entry, "section_diamonds")
        slices += [*self._towers(levels), self._piece("standing", levels)]
        deliver = np.array(self._numbers[Verb.DELIVER], np.int64).reshape(MATERIALS, sections).T
        others = (Verb.ADORN, Verb.DELIVER_DIAMOND, Verb.ADORN_DIAMOND, Verb.SECTION)
        return Objects("sections", tuple(slices), np.concatenate([deliver, self._actions(sections, *others)], 1))

    def _slots(self) -> Objects:
        slices = [self._piece("workshop"), *self._if_full(self._group, "slots")]
        return Objects("slots", tuple(slices), self._actions(SLOTS, Verb.WORKSHOP, Verb.PLACE, Verb.PLACE_SPECIAL))

    def _spaces(self) -> Objects:
        slices = [self._entry("crowd"), self._piece("market"), *self._if_full(self._entry, "market_permits")]
        return Objects("spaces", tuple(slices), self._actions(SPACES, Verb.REROLL, Verb.RESOURCE))

    def _guild(self) -> Objects:
        """The actions of the guild of the space where the die has landed."""
        here = (self._worked_out["space"][0] + RESOURCES, features.GUILD_SIZE, 1)
        slices = [here, *self._if_full(self._group, "here")]
        return Objects("guild", tuple(slices), self._actions(SIDES, Verb.GUILD))

    def _influence(self) -> Objects:
        """The actions of all guilds."""
        slices = (self._group("guilds"), self._piece("guild_more"))
        return Objects("influence", slices, self._actions(QUADRANTS * SIDES, Verb.GUILD_AT))

    def _cities(self) -> Objects:
        return Objects("cities", (self._piece("cities"), self._group("city_notes")), self._actions(CITIES, Verb.HIRE))

    def _offers(self) -> Objects:
        actions = self._actions(SPECIALIST_SLOTS, Verb.ENGAGE, Verb.DISMISS)
        return Objects("offers", (self._piece("offer"), self._group("offers")), actions)

    def _borrowed(self) -> Objects:
        """The slots of the other players, behind the own ones."""
        spans = (self._taken["workshop"], self._worked_out["slots"])
        slices = tuple((first + SLOTS * width, width, 1) for first, width in spans)
        return Objects("borrowed", slices, np.array(self._numbers[Verb.BORROW], np.int64)[:, None])
