"""Chance: named, counter-based streams.

The n-th outcome of a stream is a hash of (key of the game, stream, n), so the same key gives the same deal and the same
n-th roll of each die whatever was done in between, and bots that draw for themselves never move the game's dice.
Copies of a game take keys of their own (`one_way`), from which nobody can work out the key of the game.
Outcomes can be forced: values put in `GAME.forced` are shown by the next dice instead (search, replays, tests).
"""

from __future__ import annotations

import numpy as np

from ..jit import rule
from .printed.build_sizes import DICE
from .printed.sizes import FORCED, ROLLED

# Streams. The dice have one each (DICE_STREAM + die), so have the three decks of cards (CARDS + kind).
PLAN, TILES, MARKET_TILES, GUILDS, INFLUENCE, DICE_ORDER = 1, 2, 3, 4, 5, 6
CARDS = 8  # 8, 9, 10: bases, middles, domes
IVAN_CARDS, IVAN_TILES, IVAN_MIX = 11, 12, 13
FOURTH_GUILD, FOURTH_CARD = 14, 15
DICE_STREAM = 16
IVAN_DICE = 24  # the dice have one each for Ivan, too
CONTRACTS, CONTRACTS_UNSEEN, BUILDERS, CITIES, BAG = 40, 41, 42, 43, 44  # of the full game
EPISODE, CLONE = 32, 33  # keys of the games that follow one another, of the simulations of a search

_A = np.uint64(0x9E3779B97F4A7C15)
_B = np.uint64(0xBF58476D1CE4E5B9)
_C = np.uint64(0x94D049BB133111EB)
_D = np.uint64(0xD1B54A32D192ED03)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
# SipHash: where its state begins, and the distances of its rotations, forth and the rest of 64 bits
_S0, _S1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
_S2, _S3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
_13, _51, _16, _48, _17, _47, _21, _43 = (np.uint64(n) for n in (13, 51, 16, 48, 17, 47, 21, 43))
_LAST = np.uint64(0xFF)


@rule
def scramble(x):
    """A one-to-one hash of 64 bits (the finaliser of SplitMix64)."""
    x = (x ^ (x >> _30)) * _B
    x = (x ^ (x >> _27)) * _C
    return x ^ (x >> _31)


@rule
def outcome(key, stream, n):
    """The n-th 64-bit outcome of a stream."""
    return scramble(key + np.uint64(stream) * _D + (np.uint64(n) + np.uint64(1)) * _A)


@rule
def one_way(key, number, word):
    """A hash of a number and a word under a secret key: whoever knows everything but the key cannot find it.

    `scramble` can be undone, and the key of a copy would lead back to the key of the game. These are the two and four
    rounds of SipHash-2-4 on one word, without its block for the length, since all inputs are of one length; `number`
    is the upper half of the key of 128 bits, and no secret. To find the key takes 2^63 trials on average.
    """
    a, b, c, d = key ^ _S0, number ^ _S1, key ^ _S2, number ^ _S3 ^ word
    for i in range(6):
        if i == 2:
            a ^= word
            c ^= _LAST
        a += b
        c += d
        b = ((b << _13) | (b >> _51)) ^ a
        d = ((d << _16) | (d >> _48)) ^ c
        a = (a << _32) | (a >> _32)
        c += b
        a += d
        b = ((b << _17) | (b >> _47)) ^ c
        d = ((d << _21) | (d >> _43)) ^ a
        c = (c << _32) | (c >> _32)
    return a ^ b ^ c ^ d


def before(value, stream, n):
    """The key whose n-th outcome of a stream this is: `outcome` backwards, of plain integers and not compiled."""
    word = 2**64
    x = int(value)
    x ^= (x >> 31) ^ (x >> 62)
    x = x * pow(int(_C), -1, word) % word
    x ^= (x >> 27) ^ (x >> 54)
    x = x * pow(int(_B), -1, word) % word
    x ^= (x >> 30) ^ (x >> 60)
    return (x - stream * int(_D) - (n + 1) * int(_A)) % word


@rule
def below(key, stream, n, bound):
    """The n-th outcome of a stream, as a number from 0 to bound - 1."""
    return np.int64(((outcome(key, stream, n) >> _32) * np.uint64(bound)) >> _32)


@rule
def choice(key, n, bound):
    """The n-th choice of the engine's own random player, from 0 to bound - 1: a stream apart from the game's."""
    return np.int64(((scramble(key + (np.uint64(n) + np.uint64(1)) * _A) >> _32) * np.uint64(bound)) >> _32)


@rule
def shuffle(values, count, key, stream):
    """Shuffle the first `count` values in place (Fisher-Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(key, stream, i, i + 1)
        values[i], values[j] = values[j], values[i]


@rule
def forced(g, value):
    """The next forced value where one is left, else the value that was drawn."""
    if g.forced_next < g.forced_count:
        value = np.int64(g.forced[g.forced_next])
        g.forced_next += 1
    return value


@rule
def roll(g, die, opens):
    """Roll one die. `opens` is 1 for the first die of a roll; the log in `GAME.rolled` keeps rolls apart by it."""
    value = forced(g, 1 + below(g.key, DICE_STREAM + die, g.rolls[die], 6))
    g.rolls[die] += 1
    g.die_value[die] = value
    if g.rolled_count < ROLLED:
        g.rolled[g.rolled_count] = 10 * die + value + 60 * opens
        g.rolled_count += 1


@rule
def roll_space(g, space):
    """Roll all dice on a space, in the order of the dice (the fifth step of the market action; the re-roll)."""
    opens = 1
    for die in range(DICE):
        if g.die_space[die] == space:
            roll(g, die, opens)
            opens = 0


assert FORCED <= ROLLED, "every forced value of a step must fit in the log of it"
