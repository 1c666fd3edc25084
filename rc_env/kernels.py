"""The compiled entry points: loops over many games. `engine.py` calls them, with threads by slices of `rows`.

Shape letters as in `engine.py`. Each kernel works on the games `rows[low:high]`, without holding Python's lock. Arrays
that belong together come as a tuple:

    table: cs (1,) RULES, views (1,) VIEW, games (B,) GAME, memory (B,) WORDS, which is that of `games`.
    scratch: menus (1,) MENU, seen (P,) SEEN. The caller makes them: a record of an array made here would outlive it.
    targets: floats (N, F) float32, numbers (N, F) uint8, where observations are written: to the one that has rows.
    outcome: masks (B, A) int8, rewards (B, P) float32, illegal (B,) bool, ended (B,) bool.

Whatever belongs to a row is written in one call: its game, its mask, its rewards. A signal can interrupt Python between
two calls, but not within one, so that no row is ever left half done.
"""

from __future__ import annotations

import numpy as np

from .edition import FULL
from .jit import kernel, rule
from .layout.packing import U
from .layout.writer import assemble, to_bytes, to_floats, write_board, write_moment
from .rules import chance, ending, hidden, setup, turn
from .rules.printed.sizes import FORCED, SPECIALISTS_FORCED
from .rules.state import PLAYING, TERMINATED

_HALF = np.uint64(32)


@rule
def show(menu, n, mask):
    """Write the legal actions of a menu as a mask."""
    mask[:] = 0
    for i in range(n):
        mask[np.uint64(menu.action[i])] = 1


@rule
def begin(c, g, fixed, menu):
    """Deal a game from its key and play on to the first decision."""
    setup.deal(c, g, fixed, menu.action)
    return turn.settle(c, g, menu)


@rule
def next_key(g):
    """The key of a row's next game, which follows only from that of the previous game or from the row's seed."""
    g.key = chance.outcome(g.key, chance.EPISODE, 0)


@rule
def hand_out(c, v, g, words, me, seen, targets, i):
    """Write what seat `me` sees to row i of the targets."""
    floats, numbers = targets
    assemble(c, v, g, words, me, seen)
    if numbers.shape[0] > 0:
        to_bytes(seen, v.words, numbers[i])
    else:
        to_floats(v, seen, v.words, floats[i])


@kernel
def reset_rows(cs, fixed, games, rows, low, high, menus, outcome):
    """Deal the next game of each row.

    fixed: deals, one for all or one per row; keys (N,) uint64 from which the rows start over, or (0,) to go on.
    outcome: of a row, the mask is written, and rewards, where they have rows, and illegal are set back.
    """
    deals, keys = fixed
    masks, rewards, illegal, _ = outcome
    c = cs[0]
    menu = menus[0]
    for i in range(low, high):
        row = rows[i]
        g = games[row]
        if keys.shape[0] > 0:
            g.key = keys[i]
        next_key(g)
        n = begin(c, g, deals[i if deals.shape[0] > 1 else 0], menu)
        show(menu, n, masks[row])
        illegal[row] = 0
        if rewards.shape[0] > 0:
            rewards[row] = 0


@kernel
def step_rows(table, scratch, rows, low, high, given, outcome, targets):
    """One decision of each row. A game that is over, or an action that is not legal, changes nothing and is reported.

    given: actions (N,) int64 by place in `rows`; forced (N, FORCED) int8, values of the next dice, ending with the
    first 0; tiles (N, IVAN_CARDS) int8, the dice that Ivan lays if he mixes his tiles; cards (N, CARDS_DRAWN) int8 and
    specialists (N, SPECIALISTS_FORCED) int8, what is drawn next in the full game. Each of them may be (0, 0).
    outcome: written for the rows.
    targets: what the seat to move then sees, by place in `rows`, where one of them has rows.
    """
    cs, views, games, memory = table
    menus, seen = scratch
    actions, forced, tiles, cards, specialists = given
    masks, rewards, illegal, ended = outcome
    floats, numbers = targets
    c, v = cs[0], views[0]
    menu = menus[0]
    writes = floats.shape[0] > 0 or numbers.shape[0] > 0
    for i in range(low, high):
        row = rows[i]
        g = games[row]
        action = actions[i]
        rewards[row] = 0
        refused = g.status != PLAYING or action < 0 or action >= c.actions or masks[row, action] == 0
        illegal[row] = refused
        ended[row] = 0
        if not refused:
            g.forced_next = 0
            g.forced_count = 0
            if forced.shape[0] > 0:
                for k in range(FORCED):
                    if forced[i, k] <= 0:
                        break
                    g.forced[k] = forced[i, k]
                    g.forced_count += 1
            if tiles.shape[0] > 0:
                g.ivan_forced[:] = tiles[i]
            if FULL:
                if cards.shape[0] > 0:
                    g.forced_card[:] = cards[i]
                if specialists.shape[0] > 0:
                    g.forced_specialist[:] = specialists[i]
                    g.forced_specialists = SPECIALISTS_FORCED
            n = turn.decide(c, g, action, menu)
            if tiles.shape[0] > 0:
                g.ivan_forced[:] = -1
            if FULL:
                if cards.shape[0] > 0:
                    g.forced_card[:] = -1
                if specialists.shape[0] > 0:
                    g.forced_specialist[:] = -1
                    g.forced_specialists = 0
            if g.forced_count > 0:  # what was not used must not show up later, nor what was used look like a roll
                g.forced[:] = 0
                g.forced_count = 0
                g.forced_next = 0
            show(menu, n, masks[row])
            if n == 0:
                ended[row] = 1
                ending.rewards(c, g, rewards[row])
        if writes:
            hand_out(c, v, g, memory[row], U(g.seat), seen[0], targets, i)


@kernel
def observe_rows(table, scratch, rows, low, high, seats, targets):
    """Write what a seat sees of each row, by place in `rows`: seats (N,) int8, -1 for the seat to move."""
    cs, views, games, memory = table
    _, seen = scratch
    c, v = cs[0], views[0]
    for i in range(low, high):
        row = rows[i]
        g = games[row]
        me = U(seats[i] if seats[i] >= 0 else g.seat)
        hand_out(c, v, g, memory[row], me, seen[0], targets, i)


@kernel
def put_rows(cs, games, rows, low, high, menus, states, outcome):
    """Put states (N,) GAME into rows. Of a row, the mask is written, and rewards and illegal are set back."""
    masks, rewards, illegal, _ = outcome
    c = cs[0]
    menu = menus[0]
    for i in range(low, high):
        row = rows[i]
        games[row] = states[i]
        show(menu, turn.settle(c, games[row], menu), masks[row])
        rewards[row] = 0
        illegal[row] = 0


@kernel
def count_legal(cs, games, menus, counts):
    """Write how many actions are legal in each of games (N,) to counts (N,) int64."""
    for i in range(games.shape[0]):
        counts[i] = turn.settle(cs[0], games[i], menus[0])


@kernel
def paid_rows(cs, games, low, high, rewards):
    """Write the rewards (B, P) of the games that are over."""
    for i in range(low, high):
        if games[i].status != PLAYING:
            ending.rewards(cs[0], games[i], rewards[i])


@kernel
def score_rows(cs, games, rows, low, high, parts, towers, wins):
    """Scores as if the games ended now.

    Writes parts (N, S, 4) int32 (track, goods, contracts, tools), towers (N, S, towers) int32 and wins (N, S) int32: by
    how many seats each is placed after, so the winners are those with 0.
    """
    c = cs[0]
    for i in range(low, high):
        g = games[rows[i]]
        for seat in range(c.seats):
            parts[i, seat, 0] = ending.track.prestige(c, g, seat)
            parts[i, seat, 1] = ending.goods_prestige(c, g, seat)
            if FULL:
                parts[i, seat, 2] = ending.contracts_prestige(c, g, seat)
                parts[i, seat, 3] = ending.tools.prestige(c, g, seat)
            for tower in range(c.towers):
                towers[i, seat, tower] = g.share[tower, seat]
            behind = 0
            for other in range(c.seats):
                behind += ending.better(c, g, other, seat) > 0
            wins[i, seat] = behind


@kernel
def clone_rows(cs, games, rows, copies, seats, number):
    """Copy the games of rows (N,) to copies (N,) GAME; return the address of the copies.

    With a number other than 0 they take fresh keys, other ones for each number: they do not share the future of the
    games, and their keys do not lead to those of the games (`chance.one_way`). Where seats (N,) int8 is not -1, what
    that seat cannot see is then drawn anew from the fresh key.
    """
    c = cs[0]
    for i in range(rows.shape[0]):
        copies[i] = games[rows[i]]
        if number > 0:
            g = copies[i]
            g.key = chance.one_way(g.key, number, np.uint64(i) << _HALF | np.uint64(g.decisions))
            if seats[i] >= 0:
                hidden.redraw(c, g, seats[i])
    return copies.ctypes.data


@kernel
def conceal_rows(cs, games, seats):
    """Turn what seats (N,) int8 cannot see of games (N,) to "none"."""
    for i in range(games.shape[0]):
        hidden.conceal(cs[0], games[i], seats[i])


@kernel
def seed_rows(rows, seed, seeds, keys):
    """Write the keys (N,) uint64 from which rows start over: from the seed and the row, or from one seed per row."""
    for i in range(rows.shape[0]):
        keys[i] = (
            chance.outcome(seeds[i], chance.EPISODE, 0)
            if seeds.shape[0]
            else chance.outcome(seed, chance.EPISODE, rows[i])
        )


@rule
def observe_again(c, v, g, words, seen, shown, floats, numbers):
    """Write the observation of the seat to move in consecutive positions, rewriting the board only where it changed.

    seen (P,) SEEN keeps what each seat saw last. Writes floats (F,) float32 or numbers (F,) uint8, the one of them that
    has entries; `shown` is the seat whose view it holds, -1 for none; returns the new one.
    """
    me = U(g.seat)
    mine = seen[me]
    write_moment(c, v, g, words, me, mine)
    if mine.version != g.version:
        mine.version = g.version
        write_board(c, v, g, words, me, mine)
        shown = -1
    count = v.moment_words if shown == g.seat else v.words
    if numbers.shape[0] > 0:
        to_bytes(mine, count, numbers)
    else:
        to_floats(v, mine, count, floats)
    return g.seat


@rule
def forget(c, seen):
    """Forget the stored view of every seat."""
    for seat in range(c.players):
        seen[seat].version = 0
        seen[seat].ivan = -1
    return -1


@kernel
def play_rows(table, scratch, low, high, choices, masks, targets, tally):
    """Play random legal actions in games[low:high], with a new game after each end.

    choices: steps, decisions a row; the seed of the choices, which have a stream of their own; deals (1,) DEAL of the
    new games; whether the mask is written to masks (B, A) int8 at each decision, and not at the end alone. The
    observation is written to the targets (B, F) at each decision, where they have rows. Adds to tally (4,) int64:
    decisions, games ended, of those truncated, decisions without a legal action (which never happens).
    """
    cs, views, games, memory = table
    menus, seen = scratch
    steps, seed, deals, shows = choices
    floats, numbers = targets
    c, v = cs[0], views[0]
    menu = menus[0]
    writes_floats, writes_numbers = floats.shape[0] > 0, numbers.shape[0] > 0
    no_floats, no_numbers = np.empty(0, np.float32), np.empty(0, np.uint8)
    for row in range(low, high):
        g = games[row]
        words = memory[row]
        mask = masks[row]
        as_floats = floats[row] if writes_floats else no_floats
        as_numbers = numbers[row] if writes_numbers else no_numbers
        shown = forget(c, seen)
        n = turn.settle(c, g, menu)
        for _ in range(steps):
            if n == 0:
                if g.status == PLAYING:
                    tally[3] += 1
                else:
                    tally[1] += 1
                    tally[2] += g.status != TERMINATED
                next_key(g)
                n = begin(c, g, deals[0], menu)
                shown = forget(c, seen)
            if shows:
                show(menu, n, mask)
            if writes_floats or writes_numbers:
                shown = observe_again(c, v, g, words, seen, shown, as_floats, as_numbers)
            choice = chance.choice(seed ^ g.key, g.decisions, n)
            n = turn.decide(c, g, menu.action[choice], menu)
        show(menu, n, mask)
        tally[0] += steps
