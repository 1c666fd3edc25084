"""Games as lines of the record, written by compiled code: each decision may have a position of 2,000 to 5,000 bytes.

The kernel writes UTF-8 bytes; `GameText` calls it. It must say what `notation.state_to_dict` says: a test compares.
Like the rules this module is loaded once for each build (`rc_env.full`): `Ruleset.module("record.text")`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rc_env.ruleset import Ruleset

from ..edition import FULL
from ..jit import kernel, records, rule
from ..layout import notation
from ..layout.expansion_notation import (
    CARDS,
    CONTRACTS,
    DIAMOND_NAME,
    DIAMONDS,
    EXPANDED,
    FOREMAN,
    REINFORCEMENTS,
    SPECIAL,
    brought,
)
from ..rules import ivan, ivan_events, reinforcements
from ..rules.points import POINTS, Point
from ..rules.sizes import (
    ARCH,
    BANNERS_INVENTORY,
    BANNERS_SPARE,
    CARDS_DRAWN,
    CONTRACTS_DRAWN,
    CROSS,
    DIE_NAMES,
    DISCARDS,
    DOOR,
    EVENTS,
    HAND,
    IVAN_CARDS,
    MATERIAL_NAMES,
    REINFORCEMENT_NAMES,
    RESOURCE_NAMES,
    ROLLED,
    SLOTS,
    SPACES,
    SPECIAL_NAMES,
    WHITE_BANNER,
    WHITE_SLOT,
)
from ..rules.sizes import CONTRACTS as CONTRACT_CARDS
from ..rules.state import GAME, PLAYING


def words(texts: Iterable[str]) -> NDArray[np.uint8]:
    """(K, W) uint8, K texts as bytes, each filled up with 0."""
    encoded = np.array([text.encode() for text in texts])
    return encoded.view(np.uint8).reshape(len(encoded), -1)


POINT_WORDS, MATERIAL_WORDS, DIE_WORDS = words(POINTS), words(MATERIAL_NAMES), words(DIE_NAMES)
SLOT_WORDS, ORNAMENT_WORDS = words(notation.SLOTS), words(notation.ORNAMENTS)
IVAN_WORDS, EVENT_WORDS = words(ivan.CARDS), words(ivan_events.EVENT)
DIAMOND_WORDS = words([DIAMOND_NAME])
REINFORCEMENT_WORDS, SPECIAL_WORDS = words(REINFORCEMENT_NAMES), words(SPECIAL_NAMES)
_TILE = max(len(name) for name in (*RESOURCE_NAMES, "any_material", *(f"special:{name}" for name in SPECIAL_NAMES)))
_TILE += len('"": 9, ')
_GOODS = sum(len(f'"{material}": 999, ') for material in (*MATERIAL_NAMES, DIAMOND_NAME))
_DICE = sum(len(f'"{die}": {{"space": 7, "value": 6}}, ') for die in DIE_NAMES)
_ROLLS = ROLLED * (max(map(len, DIE_NAMES)) + len('{"": 6}, '))
_EVENT = max(map(len, ivan_events.EVENT)) + len(" ".join(DIE_NAMES)) + len('"", ')
LINE = 600 + SPACES * _TILE + _GOODS + _DICE + _ROLLS
SEAT = 200 + _GOODS + SLOTS * (_TILE + len('"white1": {"tile": "", "up": false}, '))
SECTION = 160 + _GOODS
IVAN_LINE = 400 + 2 * _GOODS + _DICE + EVENTS * _EVENT + _ROLLS
EXPANSION_LINE = 600 + (2 * DISCARDS + CARDS_DRAWN) * len('"middle/20", ') + 4 * CONTRACT_CARDS * len("15, ")
EXPANSION_LINE += 3 * sum(len(f'"{name}", ') for name in REINFORCEMENT_NAMES) + 4 * len('"material", ')
"""Bytes that a line has at most: the sum of one of these, one a seat, one a section and, solo, one for Ivan; and a text
a legal action, in its marks. The last one stands for all that only the full game has."""
MARKS = len('"", ')


class GameText:
    """Decisions and positions of games of one ruleset, as text. Games are bytes of GAME records."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._rules = records(ruleset.rules)
        name = notation.names(ruleset)
        self._tiles, self._market, self._cards = words(name.tiles), words(name.market), words(name.cards)
        actions = [
            ruleset.actions.to_text(action, seat)
            for seat in range(ruleset.players)
            for action in range(ruleset.actions.size)
        ]
        self._actions = words(actions).reshape(ruleset.players, ruleset.actions.size, -1)
        self._out = np.empty(0, np.uint8)
        self._longest = LINE + SEAT * ruleset.seats + SECTION * int(ruleset.rules[0].sections)
        self._longest += IVAN_LINE * ruleset.solo + EXPANSION_LINE * FULL

    def decisions(
        self,
        actions: list[int],
        games: list[bytes],
        masks: NDArray[np.int8] | None = None,
        *,
        state: bool = False,
        view: int | None = None,
    ) -> str:
        """D lines.

        Args:
            actions: D of them.
            games: D + 1, before the first action and after each.
            masks: (D, A) int8, what was legal at each decision, to be written.
            state: write the position after each decision.
            view: a seat that is to read them: what it cannot know is left out, or written as a number of cards.
        """
        legal = np.zeros((0, 0), np.int8) if masks is None else masks
        return self._write(games, np.array(actions, np.int64), legal, state, -1 if view is None else view)

    def state(self, game: bytes) -> str:
        """A position."""
        return self._write([game], np.zeros(0, np.int64), np.zeros((0, 0), np.int8), True, -1)

    def _write(
        self, games: list[bytes], actions: NDArray[np.int64], masks: NDArray[np.int8], state: bool, view: int
    ) -> str:
        together = np.empty(len(games), GAME)
        together.view(np.uint8)[:] = np.frombuffer(b"".join(games), np.uint8)
        size = self._longest * len(games) + (MARKS + self._actions.shape[-1]) * int(masks.sum())
        if len(self._out) < size:  # kept: fresh memory would cost as much as what is written to it
            self._out = np.empty(2 * size, np.uint8)
        out = self._out
        names = (self._tiles, self._market, self._cards, self._actions)
        shown = (state, brought(self.ruleset, together[0]), view)
        end = write(self._rules, names, records(together), actions, masks, shown, out)
        return str(out[:end].data, "ascii")


@kernel
def write(cs, names, games, actions, masks, shown, out):
    """Write a line for each action, or without any the position of the first game; returns the number of bytes.

    names: words of the kinds of workshop tiles, of the market tiles, of the cathedral cards, and (P, A, W) of the
    actions by seat. games (D + 1,), actions (D,), masks (D, A) or (0, 0), out uint8. shown: whether positions are
    written; what the game has beyond the base game, as `expansion_notation` says it; the seat that is to read the
    lines, -1 for a complete record.
    """
    tiles, market, cards, verbs = names
    state, bits, view = shown
    c = cs[0]
    n = 0
    # Where workshops and cathedral were written last: they seldom change, so they are copied.
    version, boards, boards_end, towers, towers_end = -1, 0, 0, 0, 0
    for i in range(actions.shape[0]):
        g, after = games[i], games[i + 1]
        n = put_moment(g, out, n)
        n = put(out, n, b', "action": "')
        hidden = False
        if FULL:
            hidden = view >= 0 and g.seat != view and is_choice_of_contracts(g)
        if hidden:
            n = put(out, n, b"contract ?")
        else:
            n = word(out, n, verbs[g.seat], actions[i])
        n = put(out, n, b'", "rolls": ')
        n = put_rolls(after, out, n)
        if FULL:
            n = put_draws(after, cards, view < 0 or g.seat == view, out, n)
        if masks.shape[0] > 0 and not hidden:
            n = put(out, n, b', "legal": [')
            first = True
            for action in range(masks.shape[1]):
                if masks[i, action]:
                    n = put(out, n, b'"' if first else b'", "')
                    n = word(out, n, verbs[g.seat], action)
                    first = False
            n = put(out, n, b'"]')
        if state:
            n = put(out, n, b', "state": ')
            same = after.version == version
            version = np.int64(after.version)
            n = put_tallies(c, after, out, n)
            begins = n
            n = put(out, n, out[boards:boards_end]) if same else put_boards(c, after, tiles, market, out, n)
            boards, boards_end = begins, n
            n = put_dice(c, after, bits, out, n)
            n = put_ivan(c, after, out, n)
            if FULL:
                n = put_expansion(c, after, cards, bits, view, out, n)
            begins = n
            n = put(out, n, out[towers:towers_end]) if same else put_cathedral(c, after, tiles, out, n)
            towers, towers_end = begins, n
        n = put(out, n, b"}\n")
        if after.ivan_turns > g.ivan_turns:
            n = put_ivan_turn(after, bits, out, n)
    if actions.shape[0] == 0:
        n = put_tallies(c, games[0], out, n)
        n = put_boards(c, games[0], tiles, market, out, n)
        n = put_dice(c, games[0], bits, out, n)
        n = put_ivan(c, games[0], out, n)
        if FULL:
            n = put_expansion(c, games[0], cards, bits, view, out, n)
        n = put_cathedral(c, games[0], tiles, out, n)
    return n


# --- the parts of a line; each takes the number of bytes written so far, and returns the new one


@rule
def put(out, n, text):
    """A text."""
    place = out[n : n + len(text)]  # counted from 0, or Numba would check each byte for counting from the end
    for i in range(len(text)):
        place[i] = text[i]
    return n + len(text)


@rule
def word(out, n, texts, k):
    """The k-th of the words."""
    for i in range(texts.shape[1]):
        if texts[k, i] == 0:
            break
        out[n] = texts[k, i]
        n += 1
    return n


@rule
def number(out, n, value):
    """A number of at least 0."""
    first, value = n, np.int64(value)
    while value > 9:
        out[n] = 48 + value % 10
        value //= 10
        n += 1
    out[n] = 48 + value
    for i in range((n - first + 1) // 2):  # the last digit was written first
        out[first + i], out[n - i] = out[n - i], out[first + i]
    return n + 1


@rule
def numbers(out, n, key, values, count):
    """A key and a list of the first `count` numbers."""
    n = put(out, n, key)
    for i in range(count):
        n = put(out, n, b"[" if i == 0 else b", ")
        n = number(out, n, values[i])
    return put(out, n, b"]")


@rule
def entry(out, n, first, texts, k):
    """The k-th word as a key, the first one of its object or not."""
    n = put(out, n, b'"' if first else b', "')
    n = word(out, n, texts, k)
    return put(out, n, b'": ')


@rule
def amount(out, n, texts, k, value, first):
    """An amount by its name, left out if it is 0; `first` and the number of bytes are returned."""
    if value <= 0:
        return n, first
    return number(out, entry(out, n, first, texts, k), value), False


@rule
def put_moment(g, out, n):
    """Whose decision it is, and at which point."""
    if g.status != PLAYING:
        return put(out, n, b'{"seat": null, "point": "over"')
    n = put(out, n, b'{"seat": ')
    n = number(out, n, g.seat)
    n = put(out, n, b', "point": "')
    n = word(out, n, POINT_WORDS, g.stack[g.depth - 1, 0])
    return put(out, n, b'"')


@rule
def put_rolls(g, out, n):
    """The rolls since the last decision; `chance.roll` says how they are kept."""
    return put_log(g.rolled, g.rolled_count, out, n)


@rule
def put_log(rolled, count, out, n):
    """A log of dice as rolls."""
    n = put(out, n, b"[")
    for i in range(count):
        opens, rest = rolled[i] // 60, rolled[i] % 60
        if opens:
            n = put(out, n, b"{" if i == 0 else b"}, {")
        n = entry(out, n, opens > 0, DIE_WORDS, rest // 10)
        n = number(out, n, rest % 10)
    return put(out, n, b"}]" if count > 0 else b"]")


@rule
def put_ivan_turn(g, bits, out, n):
    """A line with Ivan's last turn; in the full game one event has the recognition of his move, and none any other."""
    n = put(out, n, b'{"seat": 1, "point": "ivan turn", "events": [')
    first, gained = True, 0
    for i in range(g.ivan_events):
        event, value = np.int64(g.ivan_event[i, 0]), np.int64(g.ivan_event[i, 1])
        if FULL and bits & EXPANDED:
            if event == ivan_events.GAIN:
                gained += value
                continue
            if event == ivan_events.CARD and gained > 0:
                n = put_event(g, ivan_events.GAIN, gained, first, out, n)
                first = False
        n = put_event(g, event, value, first, out, n)
        first = False
    n = put(out, n, b'"], "rolls": ')
    n = put_log(g.ivan_rolled, g.ivan_rolled_count, out, n)
    return put(out, n, b"}\n")


@rule
def put_event(g, event, value, first, out, n):
    """An event of Ivan's turn, without its closing mark."""
    n = put(out, n, b'"' if first else b'", "')
    n = word(out, n, EVENT_WORDS, event)
    n = put(out, n, b" ")
    if event == ivan_events.SHUFFLE:
        for place in range(IVAN_CARDS):
            if place:
                n = put(out, n, b" ")
            n = word(out, n, DIE_WORDS, g.ivan_tile[place])
    elif event == ivan_events.ADORN or event == ivan_events.COMPLETE:
        n = number(out, n, g.tower[value] + 1)
        n = put(out, n, b".")
        n = number(out, n, g.level[value] + 1)
    elif event == ivan_events.MOVE or event == ivan_events.BLOCKED:
        n = word(out, n, DIE_WORDS, value)
    elif event == ivan_events.CARD:
        n = word(out, n, IVAN_WORDS, value)
    elif event == ivan_events.CLAIM:
        n = number(out, n, value + 1)
    elif event == ivan_events.GAIN:
        n = number(out, n, value)
    return n


# --- a position, in five parts


@rule
def put_tallies(c, g, out, n):
    """Where the game stands, and what each seat has."""
    n = put_moment(g, out, n)
    n = put(out, n, b', "turn": ')
    n = number(out, n, g.turn)
    n = numbers(out, n, b', "track": ', g.track, c.seats)
    n = numbers(out, n, b', "rubles": ', g.rubles, c.seats)
    n = put(out, n, b', "materials": [')
    for seat in range(c.seats):
        n = put(out, n, b"{" if seat == 0 else b"}, {")
        first = True
        for material in range(len(MATERIAL_NAMES)):
            n, first = amount(out, n, MATERIAL_WORDS, material, g.goods[seat, material], first)
        if FULL:
            n, first = amount(out, n, DIAMOND_WORDS, 0, g.diamonds[seat], first)
    n = put(out, n, b"}]")
    n = numbers(out, n, b', "inventory_banners": ', g.goods[:, BANNERS_INVENTORY], c.seats)
    n = numbers(out, n, b', "spare_banners": ', g.goods[:, BANNERS_SPARE], c.seats)
    n = put(out, n, b', "white_banners": [')
    for seat in range(c.seats):
        n = put(out, n, b"[" if seat == 0 else b"], [")
        first = True
        for white in range(SLOTS - WHITE_SLOT):
            if g.works[seat, WHITE_BANNER + white]:
                n = put(out, n, b'"' if first else b', "')
                n = word(out, n, SLOT_WORDS, WHITE_SLOT + white)
                n = put(out, n, b'"')
                first = False
    n = put(out, n, b"]]")
    n = numbers(out, n, b', "doors": ', g.works[:, DOOR], c.seats)
    n = numbers(out, n, b', "arches": ', g.works[:, ARCH], c.seats)
    return numbers(out, n, b', "crosses": ', g.works[:, CROSS], c.seats)


@rule
def put_boards(c, g, tiles, market, out, n):
    """Workshops and market tiles."""
    n = put(out, n, b', "workshops": [')
    for seat in range(c.seats):
        n = put(out, n, b"{" if seat == 0 else b"}, {")
        first = True
        for slot in range(SLOTS):
            if g.slot_tile[seat, slot] >= 0:
                n = entry(out, n, first, SLOT_WORDS, slot)
                n = put(out, n, b'{"tile": "')
                n = word(out, n, tiles, g.slot_tile[seat, slot])
                n = put(out, n, b'", "up": true}' if g.slot_up[seat, slot] else b'", "up": false}')
                first = False
    n = put(out, n, b'}], "market": ')
    for space in range(SPACES):
        n = put(out, n, b'["' if space == 0 else b'", "')
        n = word(out, n, market, g.market[space])
    return put(out, n, b'"]')


@rule
def put_dice(c, g, bits, out, n):
    """Dice and supply."""
    n = put(out, n, b', "dice": {')
    for die in range(c.dice):
        n = entry(out, n, die == 0, DIE_WORDS, die)
        n = put(out, n, b'{"space": ')
        n = number(out, n, g.die_space[die])
        n = put(out, n, b', "value": ')
        n = number(out, n, g.die_value[die])
        n = put(out, n, b"}")
    n = put(out, n, b'}, "supply": {')
    for material in range(len(MATERIAL_NAMES)):
        n = entry(out, n, material == 0, MATERIAL_WORDS, material)
        n = number(out, n, g.supply[material])
    if FULL and bits & DIAMONDS:
        n = number(out, entry(out, n, False, DIAMOND_WORDS, 0), g.diamond_supply)
    return put(out, n, b"}")


@rule
def put_ivan(c, g, out, n):
    """Ivan's cards, in the solo game."""
    if c.seats == c.players:
        return n
    for card in range(2):
        n = put(out, n, b', "ivan": {"inventory": {' if card == 0 else b'}, "construction": {')
        first = True
        for material in range(len(MATERIAL_NAMES)):
            n, first = amount(out, n, MATERIAL_WORDS, material, g.ivan_goods[card, material], first)
    n = put(out, n, b'}, "cards": [')
    for place in range(IVAN_CARDS):
        n = put(out, n, b'"' if place == 0 else b'", "')
        n = word(out, n, IVAN_WORDS, g.ivan_card[place])
    n = put(out, n, b'"], "tiles": [')
    for place in range(IVAN_CARDS):
        n = put(out, n, b'{"die": "' if place == 0 else b', {"die": "')
        n = word(out, n, DIE_WORDS, g.ivan_tile[place])
        n = put(out, n, b'", "up": true}' if g.ivan_up[place] else b'", "up": false}')
    return put(out, n, b"]}")


@rule
def put_cathedral(c, g, tiles, out, n):
    """The towers, which end the position."""
    n = put(out, n, b', "towers": [')
    for tower in range(c.towers):
        n = put(out, n, b"[" if tower == 0 else b"], [")
        for level in range(g.height[tower]):
            n = put(out, n, b"{" if level == 0 else b", {")
            n = put_section(c, g, g.first[tower] + level, tiles, out, n)
    return put(out, n, b"]]}")


@rule
def put_section(c, g, s, tiles, out, n):
    """One section of the cathedral, without its opening bracket."""
    n = put(out, n, b'"owner": ')
    n = number(out, n, g.owner[s]) if g.owner[s] >= 0 else put(out, n, b"null")
    n = put(out, n, b', "done": true, "delivered": {' if g.finished[s] else b', "done": false, "delivered": {')
    first = True
    for material in range(len(MATERIAL_NAMES)):
        delivered = c.card[g.number[s], material] - g.card[s, material]
        if g.owner[s] >= c.players:
            delivered = g.card[s, material] + 0  # of a section of Ivan's: what lies on it
        n, first = amount(out, n, MATERIAL_WORDS, material, 0 if g.finished[s] else delivered, first)
    if FULL:
        n, first = amount(out, n, DIAMOND_WORDS, 0, g.card_diamonds[s], first)
    n = put(out, n, b'}, "tile": ')
    if g.tile[s] >= 0:
        n = put(out, n, b'"')
        n = word(out, n, tiles, g.tile[s])
        n = put(out, n, b'"')
    else:
        n = put(out, n, b"null")
    if g.ornament[s] < 0:
        return put(out, n, b', "ornament": null, "ornament_owner": null}')
    n = put(out, n, b', "ornament": "')
    n = word(out, n, ORNAMENT_WORDS, g.kind[s])
    n = put(out, n, b'", "ornament_owner": ')
    n = number(out, n, g.ornament[s])
    return put(out, n, b"}")


# --- what only the full game has


@rule
def is_choice_of_contracts(g):
    """Whether the seat that decides chooses among contracts that the others may not see."""
    point = g.stack[g.depth - 1, 0]
    return point == Point.KEEP or point == Point.RETURN


@rule
def put_draws(g, cards, seen, out, n):
    """What was drawn since the last decision, left out if nothing was; contracts by their number unless `seen`."""
    if g.log_contract[0] >= 0:
        n = put(out, n, b', "draws": [{"contracts": ')
        n = put_contracts(g.log_contract, CONTRACTS_DRAWN, seen, out, n)
        n = put(out, n, b"}]")
    if g.log_card[0] >= 0:
        n = put(out, n, b', "draws": [{"cards": ')
        n = put_cards(g.log_card, CARDS_DRAWN, cards, out, n)
        n = put(out, n, b"}]")
    return n


@rule
def put_contracts(held, places, seen, out, n):
    """Contracts by their numbers from 1, or how many there are; free places hold -1 and come last."""
    count = 0
    for i in range(places):
        count += held[i] >= 0
    if not seen:
        return number(out, n, count)
    n = put(out, n, b"[")
    for i in range(count):
        if i:
            n = put(out, n, b", ")
        n = number(out, n, held[i] + 1)
    return put(out, n, b"]")


@rule
def put_cards(held, places, cards, out, n):
    """Cathedral cards in words; free places hold -1 and come last."""
    n = put(out, n, b"[")
    for i in range(places):
        if held[i] >= 0:
            n = put(out, n, b'"' if i == 0 else b', "')
            n = word(out, n, cards, held[i])
            n = put(out, n, b'"')
    return put(out, n, b"]")


@rule
def put_reinforcements(g, place, out, n):
    """The reinforcement tiles that a seat holds, or that are left to take."""
    n = put(out, n, b"[")
    first = True
    for tile in range(len(REINFORCEMENT_NAMES)):
        if g.reinforcement[tile] == place:
            n = put(out, n, b'"' if first else b', "')
            n = word(out, n, REINFORCEMENT_WORDS, tile)
            n = put(out, n, b'"')
            first = False
    return put(out, n, b"]")


@rule
def put_expansion(c, g, cards, bits, view, out, n):
    """What the guilds of the expansion and the promos bring into the game."""
    if bits & FOREMAN:
        n = put(out, n, b', "foreman": ')
        n = number(out, n, g.foreman + 1)
    if bits & CONTRACTS:
        n = put(out, n, b', "contracts": [')
        for seat in range(c.seats):
            if seat:
                n = put(out, n, b", ")
            n = put_contracts(g.hand[seat], HAND, view < 0 or seat == view, out, n)
        n = put(out, n, b'], "contract_deck": ')
        n = put_contracts(g.contract_deck, CONTRACT_CARDS, view < 0, out, n)
        if g.drawn_contract[0] >= 0:
            n = put(out, n, b', "drawn_contracts": ')
            n = put_contracts(g.drawn_contract, CONTRACTS_DRAWN, view < 0 or g.seat == view, out, n)
    if bits & CARDS:
        n = put(out, n, b', "card_discard": ')
        n = put_cards(g.discard, DISCARDS, cards, out, n)
        if g.drawn_card[0] >= 0:
            n = put(out, n, b', "drawn_cards": ')
            n = put_cards(g.drawn_card, CARDS_DRAWN, cards, out, n)
    if bits & REINFORCEMENTS:
        n = put(out, n, b', "reinforcements": ')
        n = put_reinforcements(g, reinforcements.LEFT, out, n)
        for seat in range(c.seats):
            n = put(out, n, b', "reinforcements_held": [' if seat == 0 else b", ")
            n = put_reinforcements(g, seat, out, n)
        n = put(out, n, b"]")
    if bits & SPECIAL:
        for seat in range(c.seats):
            n = put(out, n, b', "special": [' if seat == 0 else b", ")
            if g.special[seat] >= 0:
                n = put(out, n, b'"')
                n = word(out, n, SPECIAL_WORDS, g.special[seat])
                n = put(out, n, b'"')
            else:
                n = put(out, n, b"null")
        n = put(out, n, b"]")
    return n
