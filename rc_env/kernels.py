"""The compiled entry points: loops over many games. `loops.py` calls them, with threads by slices of `rows`.

Shape letters as in `engine.py`. Each kernel works on the games `rows[low:high]`, without holding Python's lock. Arrays
that come again and again:

    scratch: menus (1,) MENU, seen (P,) SEEN. The caller makes them: a record of an array made here would outlive it.
    cs, desk: (1,) RULES, and (1,) DESK, where the arrays of the engine lie.
    table: cs, views (1,) VIEW, games (B,) GAME, memory (B,) WORDS, which is that of `games`.
    targets: floats (N, F) float32, numbers (N, F) uint8, where observations are written: to the one that has rows.

Whatever belongs to a row is written in one call: its game, its mask, its rewards. A signal can interrupt Python between
two calls, but not within one, so that no row is ever left half done.
"""

from __future__ import annotations

import numpy as np

from .edition import FULL
from .jit import at, kernel, rule
from .layout.packing import WORDS, U
from .layout.writer import VIEW, assemble, to_bytes, to_floats, write_board, write_moment
from .rules import chance, ending, hidden, setup, track, turn
from .rules.expansion import tools
from .rules.printed.build_sizes import IVAN_CARDS
from .rules.printed.sizes import CARDS_DRAWN, FORCED, SPECIALISTS_FORCED
from .rules.state import GAME, PLAYING, TERMINATED

DESK = np.dtype(
    [
        ("num_games", np.int64),
        ("views", np.uint64),  # (1,) VIEW
        ("games", np.uint64),  # (B,) GAME
        ("masks", np.uint64),  # (B, A) int8
        ("rewards", np.uint64),  # (B, P) float32
        ("illegal", np.uint64),  # (B,) bool
        ("ended", np.uint64),  # (B,) bool
        # what a decision rolls and draws, by place in `rows`; 0 for what is left to chance
        ("dice", np.uint64),  # (N, FORCED) int8, the values of the next dice, ending with the first 0
        ("ivan_tiles", np.uint64),  # (N, IVAN_CARDS) int8, the dice that Ivan lays if he mixes his tiles
        ("cards", np.uint64),  # (N, CARDS_DRAWN) int8, drawn next in the full game
        ("specialists", np.uint64),  # (N, SPECIALISTS_FORCED) int8, likewise
        # for a deal
        ("num_deals", np.int64),  # one for all rows, or one for each
        ("deals", np.uint64),  # DEAL
        ("keys", np.uint64),  # (N,) uint64 from which the rows start over; 0 to go on
    ]
)
"""Where the arrays of an engine lie: addresses, since Numba takes longer to take over twenty arrays than to play a
decision. Those who make one keep its arrays alive, of these shapes and types, C-contiguous."""
DECIDE, DEAL, DEAL_ON, PUT = range(4)
"""What happens to a row: a decision, a deal, one that leaves the rewards as they are, a game that is put there."""
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
def advance_rows(scratch, low, high, cs, desk, rows, what, actions, states, targets):
    """What happens to each row: a decision, a deal, or a game that is put there. Then it waits for the next decision.

    A decision for a game that is over, or one that is not legal, changes nothing and is reported.

    what: DECIDE, DEAL, DEAL_ON or PUT.
    actions, states: (N,) int64 and (N,) GAME by place in `rows`, for a decision and to be put.
    targets: what the seat to move then sees, by place in `rows`, where one of them has rows.
    Return how many of the decisions ended a game.
    """
    menus, seen = scratch
    floats, numbers = targets
    c, d, menu = cs[0], desk[0], menus[0]
    v = at(d.views, 1, VIEW)[0]
    games, memory = at(d.games, d.num_games, GAME), at(d.games, d.num_games, WORDS)
    masks = at(d.masks, (d.num_games, c.actions), np.int8)
    rewards = at(d.rewards, (d.num_games, c.players), np.float32)
    illegal, ended = at(d.illegal, d.num_games, np.bool_), at(d.ended, d.num_games, np.bool_)
    deals, keys = at(d.deals, d.num_deals, setup.DEAL), at(d.keys, high, np.uint64)
    writes = floats.shape[0] > 0 or numbers.shape[0] > 0
    count = 0
    for i in range(low, high):
        row = rows[i]
        g = games[row]
        refused = False
        ended[row] = 0
        if what != DEAL_ON:
            rewards[row] = 0
        if what == DECIDE:
            action = actions[i]
            refused = g.status != PLAYING or action < 0 or action >= c.actions or masks[row, action] == 0
            if not refused:
                force(d, g, i)
                n = turn.decide(c, g, action, menu)
                let_go(d, g)
                show(menu, n, masks[row])
                if n == 0:
                    count += 1
                    ended[row] = 1
                    ending.rewards(c, g, rewards[row])
        else:
            if what == PUT:
                games[row] = states[i]
            else:
                if d.keys:
                    g.key = keys[i]
                next_key(g)
                setup.deal(c, g, deals[i if d.num_deals > 1 else 0], menu.action)
            show(menu, turn.settle(c, g, menu), masks[row])
        illegal[row] = refused
        if writes:
            hand_out(c, v, g, memory[row], U(g.seat), seen[0], targets, i)
    return count


@rule
def force(d, g, i):
    """Fix what will be rolled and drawn in a decision: row i of the arrays that are there."""
    g.forced_next = 0
    g.forced_count = 0
    if d.dice:
        dice = at(d.dice, (i + 1, FORCED), np.int8)
        for k in range(FORCED):
            if dice[i, k] <= 0:
                break
            g.forced[k] = dice[i, k]
            g.forced_count += 1
    if d.ivan_tiles:
        tiles = at(d.ivan_tiles, (i + 1, IVAN_CARDS), np.int8)
        for k in range(IVAN_CARDS):
            g.ivan_forced[k] = tiles[i, k]
    if FULL:
        if d.cards:
            cards = at(d.cards, (i + 1, CARDS_DRAWN), np.int8)
            for k in range(CARDS_DRAWN):
                g.forced_card[k] = cards[i, k]
        if d.specialists:
            specialists = at(d.specialists, (i + 1, SPECIALISTS_FORCED), np.int8)
            for k in range(SPECIALISTS_FORCED):
                g.forced_specialist[k] = specialists[i, k]
            g.forced_specialists = SPECIALISTS_FORCED


@rule
def let_go(d, g):
    """Drop what was fixed: what was not used must not show up later, nor what was used look like a roll."""
    if d.ivan_tiles:
        g.ivan_forced[:] = -1
    if FULL:
        if d.cards:
            g.forced_card[:] = -1
        if d.specialists:
            g.forced_specialist[:] = -1
            g.forced_specialists = 0
    if g.forced_count > 0:
        g.forced[:] = 0
        g.forced_count = 0
        g.forced_next = 0


@kernel
def observe_rows(scratch, low, high, cs, desk, rows, seats, targets):
    """Write what a seat sees of each row, by place in `rows`: seats (N,) int8, -1 for the seat to move."""
    _, seen = scratch
    c, d = cs[0], desk[0]
    v = at(d.views, 1, VIEW)[0]
    games, memory = at(d.games, d.num_games, GAME), at(d.games, d.num_games, WORDS)
    for i in range(low, high):
        row = rows[i]
        g = games[row]
        me = U(seats[i] if seats[i] >= 0 else g.seat)
        hand_out(c, v, g, memory[row], me, seen[0], targets, i)


@kernel
def play_copy(scratch, cs, game, copy, action, dice, count, mask, legal):
    """Play a legal action in a copy of a game, as a tree of OpenSpiel does: game and copy (1,) GAME.

    dice: (FORCED,) int8, of which the first `count` are the values that the next dice show.
    Writes the legal actions of the copy to legal (A,) int64, in order; mask (A,) int8 is working memory. Returns how
    many there are, 0 at the end; in higher bits the seat to move (from bit 16), and 1 plus the number of the next die
    (from bit 24) if more dice are rolled than are given, else 0: the copy is then worth nothing.
    """
    c, menu = cs[0], scratch[0][0]
    copy[0] = game[0]
    g = copy[0]
    g.forced_next = 0
    g.forced_count = count
    for i in range(count):
        g.forced[i] = dice[i]
    n = turn.decide(c, g, action, menu)
    g.forced_next = 0
    g.forced_count = 0
    g.forced[:] = 0
    show(menu, n, mask)
    place = 0
    for i in range(c.actions):
        if mask[i]:
            legal[place] = i
            place += 1
    die = 1 + g.rolled[count] % 60 // 10 if g.rolled_count > count else 0
    return n | np.int64(g.seat) << 16 | np.int64(die) << 24


@kernel
def paid_rows(cs, games, low, high, rewards):
    """Write the rewards (B, P) of the games that are over."""
    for i in range(low, high):
        if games[i].status != PLAYING:
            ending.rewards(cs[0], games[i], rewards[i])


@kernel
def score_rows(cs, games, rows, low, high, parts, towers, place):
    """Scores as if the games ended now.

    Writes parts (N, S, 4) int32 (track, goods, contracts, tools), towers (N, S, towers) int32 and place (N, S) int32:
    by how many seats each is placed after, so the winners are those with 0.
    """
    c = cs[0]
    for i in range(low, high):
        g = games[rows[i]]
        for seat in range(c.seats):
            parts[i, seat, 0] = track.prestige(c, g, seat)
            parts[i, seat, 1] = ending.goods_prestige(c, g, seat)
            if FULL:
                parts[i, seat, 2] = ending.contracts_prestige(c, g, seat)
                parts[i, seat, 3] = tools.prestige(c, g, seat)
            for tower in range(c.towers):
                towers[i, seat, tower] = g.share[tower, seat]
            behind = 0
            for other in range(c.seats):
                behind += ending.better(c, g, other, seat) > 0
            place[i, seat] = behind


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
def play_rows(scratch, low, high, table, choices, masks, targets, tally):
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
