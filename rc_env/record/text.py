"""Games as lines of the record, written by compiled code: each decision may have a position of 2,000 to 5,000 bytes.

`GameText` calls the kernel `write`, which puts the lines together from the parts in `decision` and `position`. Like the
rules, these modules are loaded once for each build (`rc_env.full`): `in_build(GameText, ruleset.full)`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rc_env import checks
from rc_env.ruleset import Ruleset

from ..edition import FULL
from ..jit import kernel, records
from ..rules.state import GAME
from ..words import notation
from ..words.expansion_notation import brought
from . import contractors, decision, expansion, position
from .decision import put_decision, put_ivan_turn, put_legal
from .position import UNWRITTEN, put_position
from .utf8 import put, words


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
        sections = int(ruleset.rules[0].sections)
        self._longest = decision.LONGEST + position.LONGEST + (expansion.LONGEST + contractors.LONGEST) * FULL
        self._longest += position.LONGEST_SEAT * ruleset.seats + position.LONGEST_SECTION * sections
        self._longest += (decision.LONGEST_IVAN + position.LONGEST_IVAN) * ruleset.solo

    def decisions(
        self,
        actions: list[int],
        games: list[bytes],
        masks: NDArray[np.int8] | None = None,
        *,
        state: bool = False,
        view: int | None = None,
    ) -> str:
        """The lines of D decisions.

        Args:
            actions: D of them.
            games: D + 1, before the first action and after each.
            masks: (D, A) int8, what was legal at each decision, to be written.
            state: write the position after each decision.
            view: a seat that is to read them: what it cannot know is left out, or written as a number of cards.
        """
        legal = np.zeros((0, 0), np.int8) if masks is None else checks.plain(masks.astype(np.int8, copy=False))
        return self._write(games, np.array(actions, np.int64), legal, state, -1 if view is None else view)

    def state(self, game: bytes, view: int | None = None) -> str:
        """The text of a position; `view` as for `decisions`."""
        nothing = np.zeros(0, np.int64), np.zeros((0, 0), np.int8)
        return self._write([game], *nothing, True, -1 if view is None else view)

    def _write(
        self, games: list[bytes], actions: NDArray[np.int64], masks: NDArray[np.int8], state: bool, view: int
    ) -> str:
        together = np.empty(len(games), GAME)
        together.view(np.uint8)[:] = np.frombuffer(b"".join(games), np.uint8)
        longest_action = self._actions.shape[-1] + len('"", ')
        size = self._longest * len(games) + longest_action * (len(actions) + int(masks.sum()))
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
    state, bits, view = shown
    c, written, n = cs[0], UNWRITTEN.copy(), 0
    for i in range(actions.shape[0]):
        g, after = games[i], games[i + 1]
        n = put_decision(g, after, actions[i], names, view, out, n)
        if masks.shape[0] > 0:
            n = put_legal(g, masks[i], names, view, out, n)
        if state:
            n = put(out, n, b', "state": ')
            n = put_position(c, after, names, shown, written, out, n)
        n = put(out, n, b"}\n")
        if after.ivan_turns > g.ivan_turns:
            n = put_ivan_turn(after, bits, out, n)
    if actions.shape[0] == 0:
        n = put_position(c, games[0], names, shown, written, out, n)
    return n
