"""The features of an observation: what a network would have to look up in it by products of its numbers.

Where a die would land, what lies there and how much of it is missing, which section of a tower is the next to be
claimed, which can be finished with what is in hand, what each action of a guild card would do now: all of it is in the
observation, but a multi-layer perceptron learns such products slowly. Here it is looked up, in compiled code. Each kind
of feature has its names and usual sizes, and one function that writes it; `inputs.py` says where each stands.

`features_full.py` has those of the full game. Letters: o is an observation, y the inputs that are written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rc_env.agents.features_full import MOVE_MORE_SIZE, Notes, number, write_full, write_move_more
from rc_env.jit import kernel, rule
from rc_env.rules.printed.sizes import (
    MATERIALS,
    QUADRANTS,
    RECOGNITION,
    RESOURCES,
    SEATS,
    SIDES,
    SPACES,
    SPACES_PER_QUADRANT,
    WHITE_DIE,
    WHITE_SLOT,
)

ZERO_LACKING, ZERO_PRESENCE, ZERO_LEAD = 64, 64, 128
"""The offset added to numbers that may be negative, so that they fit in bytes."""

KINDS = 3  # of sections: base, middle, dome
DIE_VALUES = 6  # of a die

LACKING: Notes = (("lacking", 1),) * MATERIALS
HAND: Notes = (
    ("fitting", 4),  # materials in hand that own sections still take
    *((("finished", 1),) * KINDS),  # whether a base, a middle, a dome of one's own is finished
    ("score lead", 25), ("prestige lead", 25), ("tower prestige lead", 25), ("finished lead", 1),
)  # fmt: skip
TOWER: Notes = (("lead", 1), ("claimed lead", 1))
SECTION: Notes = (("misses", 1), ("in hand", 1), ("complete", 1), ("finishable", 1), ("prestige", 1))
GUILD: Notes = (
    ("price", 4), ("payments", 1), ("each", 4), ("may pay", 10), ("may spare", 10), ("condition", 1), ("rubles", 2),
    ("recognition", 1), ("prestige", 1), ("gains", 1), ("useful", 4), ("deliveries", 1), ("tiles", 1), ("swaps", 1),
    ("unlimited", 1), ("reached", 1), ("can", 1),
)  # fmt: skip
GUILD_SIZE, SECTION_SIZE, TOWER_SIZE = len(GUILD), len(SECTION), len(TOWER)
SPACE: Notes = (
    (("yield", 1),) * RESOURCES + GUILD * SIDES + (("useful", 1),) * MATERIALS + (("reached", 1), ("stored", 4))
)
MOVE: Notes = (
    SPACE
    + (("tile", 1),) * (RESOURCES + 1)
    + (("extra", 1), ("dice", 1), ("reached", 1))
    + (("useful", 1),) * MATERIALS
)
SPACE_SIZE, MOVE_SIZE = len(SPACE), len(MOVE)
SPACE_USEFUL = RESOURCES + SIDES * GUILD_SIZE  # where the useful materials stand among the notes of a space


def claim_notes(tile: Iterable[str]) -> Notes:
    """The inputs of the next section of a tower, where a workshop tile has these entries: its die or its resource."""
    return (
        (("missing", 3),) * MATERIALS
        + (("rubles", 4), ("recognition", 6))
        + tuple((f"tile {entry}", 1) for entry in tile)
        + (("kind", 1),) * KINDS
        + (("level", 1), ("there", 1))
        + SECTION
    )


# Entries of the piece `guild`: what one action of a guild card does.
PRICE, PAYMENTS, EACH, PAY = range(4)
CONDITION = PAY + MATERIALS
GIVEN_RUBLES, GIVEN_RECOGNITION, GIVEN_PRESTIGE, GAINS, GAIN = range(CONDITION + 1, CONDITION + 6)
DELIVERIES = GAIN + MATERIALS
TILES, SWAPS, UNLIMITED = range(DELIVERIES + 1, DELIVERIES + 4)

FROM = (
    *("landing", "crowd", "die_space", "die_value", "goods", "works", "numbers", "prestige_ahead", "market", "guild"),
    *("standing", "workshop", "card", "section", "section_tile", "rules"),
)
"""The pieces of an observation that features are computed from."""

WORKED_OUT = ("lacking", "hand", "tower_notes", "sections", "claims", "guilds", "space", "moves")
"""The groups of features, in the order of the inputs."""

AT = np.dtype(
    [
        (name, np.int64)
        for name in (
            *FROM,
            *(f"{name}_width" for name in FROM),
            *("rubles", "prestige", "room", "score", "tower_prestige"),
            *("deliveries", "finished", "done", "banners", "presence"),
            *("seats", "towers", "levels", "tile_size", "tile_resources", "claim_size", "full", "specialist"),
            *WORKED_OUT,
        )
    ]
)
"""Where the pieces of an observation begin, and the width of their rows; single entries; counts; and, last, where the
features begin among the inputs."""


@kernel
def fill(
    numbers: NDArray[np.uint8],
    source: NDArray[np.int64],
    places: NDArray[np.void],
    places_full: NDArray[np.void],
    moves: NDArray[np.int64],
    out: NDArray[np.uint8],
) -> None:
    """Write the inputs of each game: what is taken from the observation, then what is worked out from it."""
    for i in range(numbers.shape[0]):
        write(numbers[i], source, places[0], places_full[0], moves, True, out[i])


@rule
def write(o: Any, source: Any, at: Any, at_full: Any, moves: Any, with_moves: Any, y: Any) -> None:
    """Write the inputs of one game to `y`, which is all 0; without `with_moves`, not those of the moves alone."""
    for k in range(source.shape[0]):
        y[k] = o[source[k]]
    write_lacking(o, at, y)
    write_hand(o, at, y)
    write_towers(o, at, y)
    write_sections(o, at, y)
    write_claims(o, at, y)
    write_guilds(o, at, y)
    for space in range(SPACES):
        if o[at.landing + space] > 0:
            write_space(o, at, space, 0, y, at.space)
    if at.full:
        write_full(o, at_full, y)
    if with_moves:
        write_moves(o, at, at_full, moves, y)


@rule
def put(y: Any, place: Any, value: Any) -> None:
    """Write a number, cut to what a byte holds."""
    y[place] = np.uint8(min(max(value, 0), 255))


@rule
def lacks(y: Any, at: Any, material: Any) -> Any:
    """The number of a material that own sections miss, minus that in the inventory; negative where some is left
    over."""
    return number(y, at.lacking + material) - ZERO_LACKING


@rule
def reached(o: Any, at: Any, recognition: Any) -> Any:
    """Prestige that so much recognition is worth now: prestige spaces that it reaches, of the next ones."""
    count = 0
    for k in range(at.prestige_ahead_width):
        count += number(o, at.prestige_ahead + k) <= recognition
    return count


@rule
def write_lacking(o: Any, at: Any, y: Any) -> None:
    """Write how many of each material the own sections miss, minus those in the inventory."""
    for k in range(MATERIALS):
        missing = -number(o, at.goods + k)
        for place in range(at.towers * at.levels):
            s = at.section + place * at.section_width
            if o[s + at.banners] > 0 and o[s + at.finished] == 0:
                missing += number(o, at.card + at.card_width * place + k)
        put(y, at.lacking + k, missing + ZERO_LACKING)


@rule
def write_hand(o: Any, at: Any, y: Any) -> None:
    """Write the fitting materials in the inventory, the finished kinds of sections, and the lead over the best other
    seat."""
    fitting = 0
    for k in range(MATERIALS):
        goods = number(o, at.goods + k)
        fitting += min(goods, max(goods + lacks(y, at, k), 0))
    put(y, at.hand, fitting)
    p = at.hand + 1
    for place in range(at.towers * at.levels):
        s = at.section + place * at.section_width
        if o[s + at.banners] > 0 and o[s + at.finished] > 0:
            for kind in range(KINDS):
                if o[s + kind] > 0:
                    y[p + kind] = 1
    p += KINDS
    n, works = at.numbers, at.works + at.done
    score, prestige, towers, done = 1000, 1000, 1000, 1000
    for k in range(1, at.seats):
        other = n + k * at.numbers_width
        score = min(score, number(o, n + at.score) - number(o, other + at.score))
        prestige = min(prestige, number(o, n + at.prestige) - number(o, other + at.prestige))
        towers = min(towers, number(o, n + at.tower_prestige) - number(o, other + at.tower_prestige))
        done = min(done, number(o, works) - number(o, works + k * at.works_width))
    put(y, p, score + ZERO_LEAD)
    put(y, p + 1, prestige + ZERO_LEAD)
    put(y, p + 2, towers + ZERO_LEAD)
    put(y, p + 3, done + ZERO_LEAD)


@rule
def write_towers(o: Any, at: Any, y: Any) -> None:
    """The own lead in the presence in each tower, now and if all that is claimed in it were finished."""
    for t in range(at.towers):
        lead, claimed_lead = 1000, 1000
        own, own_claimed = 0, 0
        for k in range(at.seats):
            presence = number(o, at.standing + at.standing_width * t + at.presence + k)
            claimed = presence
            for level in range(at.levels):
                s = at.section + (t * at.levels + level) * at.section_width
                if o[s + at.finished] == 0 and o[s + at.banners + k] > 0:
                    claimed += 1
            if k == 0:
                own, own_claimed = presence, claimed
            else:
                lead, claimed_lead = min(lead, own - presence), min(claimed_lead, own_claimed - claimed)
        put(y, at.tower_notes + TOWER_SIZE * t, lead + ZERO_PRESENCE)
        put(y, at.tower_notes + TOWER_SIZE * t + 1, claimed_lead + ZERO_PRESENCE)


@rule
def write_sections(o: Any, at: Any, y: Any) -> None:
    """Write for each unfinished section: how many materials it misses, how many of them are in hand, whether all
    are, whether one action can then finish it, and the prestige that its recognition would reach.
    """
    for place in range(at.towers * at.levels):
        s, p = at.section + place * at.section_width, at.sections + SECTION_SIZE * place
        if o[s + at.finished] == 0 and (o[s] > 0 or o[s + 1] > 0 or o[s + 2] > 0):
            card = at.card + at.card_width * place
            misses, ready = 0, 0
            for k in range(MATERIALS):
                wanted = number(o, card + k)
                misses += wanted
                ready += min(wanted, number(o, at.goods + k))
            put(y, p, misses)
            put(y, p + 1, ready)
            y[p + 2] = ready == misses
            y[p + 3] = ready == misses and misses <= number(o, at.deliveries)
            put(y, p + 4, reached(o, at, number(o, card + RECOGNITION)))


@rule
def write_claims(o: Any, at: Any, y: Any) -> None:
    """The next section of each tower that can be claimed: card, tile, kind, level, what is worked out for it."""
    for t in range(at.towers):
        p = at.claims + t * at.claim_size
        for level in range(at.levels):
            place = t * at.levels + level
            s = at.section + place * at.section_width
            free = o[s + at.finished] == 0 and (o[s] > 0 or o[s + 1] > 0 or o[s + 2] > 0)
            for k in range(at.seats):
                free = free and o[s + at.banners + k] == 0
            if free:
                for k in range(RESOURCES):
                    y[p + k] = o[at.card + at.card_width * place + k]
                p += RESOURCES
                for k in range(at.tile_size):
                    y[p + k] = o[at.section_tile + at.section_tile_width * place + k]
                p += at.tile_size
                for k in range(KINDS):
                    y[p + k] = o[s + k]
                p += KINDS
                y[p], y[p + 1] = level, 1
                for k in range(SECTION_SIZE):
                    y[p + 2 + k] = y[at.sections + SECTION_SIZE * place + k]
                break


@rule
def write_guilds(o: Any, at: Any, y: Any) -> None:
    """Write for each action of the guild cards its effect, and how much of that is useful now.

    Beside the numbers of the card: the materials in hand that may be paid, those of them that no own section takes, the
    lacking ones that may be received, the prestige that the recognition reaches, and whether rubles, materials and
    sections are there to use it.
    """
    for action in range(QUADRANTS * SIDES):
        a, p = at.guild + action * at.guild_width, at.guilds + action * GUILD_SIZE
        each = number(o, a + EACH)
        may_pay, may_spare, kinds, useful = 0, 0, 0, 0
        for k in range(MATERIALS):
            goods, lack = number(o, at.goods + k), lacks(y, at, k)
            if o[a + PAY + k] > 0:
                may_pay += goods
                may_spare += max(min(-lack, goods), 0)
                kinds += goods >= each
            if o[a + GAIN + k] > 0:
                useful += max(lack, 0)
        able = kinds >= number(o, a + PAYMENTS) and o[at.numbers + at.rubles] >= o[a + PRICE]
        if o[a + CONDITION] > 0:
            for kind in range(KINDS):
                able = able and y[at.hand + 1 + kind] > 0
        y[p], y[p + 1], y[p + 2] = o[a + PRICE], o[a + PAYMENTS], o[a + EACH]
        put(y, p + 3, may_pay)
        put(y, p + 4, may_spare)
        y[p + 5], y[p + 6], y[p + 7] = o[a + CONDITION], o[a + GIVEN_RUBLES], o[a + GIVEN_RECOGNITION]
        y[p + 8], y[p + 9] = o[a + GIVEN_PRESTIGE], o[a + GAINS]
        put(y, p + 10, useful)
        y[p + 11], y[p + 12], y[p + 13] = o[a + DELIVERIES], o[a + TILES], o[a + SWAPS]
        y[p + 14] = o[a + UNLIMITED]
        put(y, p + 15, reached(o, at, number(o, a + GIVEN_RECOGNITION)))
        y[p + 16] = able


@rule
def write_space(o: Any, at: Any, space: Any, arriving: Any, y: Any, p: Any) -> None:
    """Write what a market space yields with the dice there and those that arrive, its guild card, how much of the
    materials is lacking, the prestige that the recognition reaches, and how many of the materials there is room for.
    """
    dice = arriving + number(o, at.crowd + space)
    tile = at.market + at.market_width * space
    for r in range(RESOURCES):
        put(y, p + r, number(o, tile + r) * dice)
    card = at.guilds + (space // SPACES_PER_QUADRANT) * SIDES * GUILD_SIZE
    for k in range(SIDES * GUILD_SIZE):
        y[p + RESOURCES + k] = y[card + k]
    q = p + SPACE_USEFUL
    materials = 0
    for k in range(MATERIALS):
        amount = number(y, p + k)
        materials += amount
        put(y, q + k, min(amount, lacks(y, at, k)))
    put(y, q + MATERIALS, reached(o, at, number(y, p + RECOGNITION)))
    put(y, q + MATERIALS + 1, min(materials, number(o, at.numbers + at.room)))


@rule
def write_moves(o: Any, at: Any, at_full: Any, moves: Any, y: Any) -> None:
    """Write for each move: the space it ends on, the workshop tile of the die (the white one has two to choose from;
    for the black one it is what the own specialist gives), extra steps, dice there, the prestige that the recognition
    of space and tile reaches, and how much of the tile's materials is lacking still.
    """
    p = at.moves
    for m in range(moves.shape[0]):
        die, extra = moves[m, 0], moves[m, 1]
        dice, slot = 0, np.int64(-1)
        if die <= WHITE_DIE:
            slot = die if die < SEATS else np.int64(WHITE_SLOT)
        for s in range(SPACES):
            if o[at.die_space + at.die_space_width * die + s] > 0:
                for v in range(DIE_VALUES):
                    if o[at.die_value + at.die_value_width * die + v] > 0:
                        target = (s + v + 1 + extra) % SPACES
                        arriving = 1 if target != s else 0
                        write_space(o, at, target, arriving, y, p)
                        dice = arriving + number(o, at.crowd + target)
                        if at.full:
                            q = at_full.moves_more + m * MOVE_MORE_SIZE
                            write_move_more(o, at_full, die, slot, target, dice, y, q)
        q = p + SPACE_SIZE
        if slot >= 0:
            first = at.workshop + at.workshop_width * slot + at.tile_resources
            for r in range(RESOURCES + 1):
                y[q + r] = o[first + r]
                if die == WHITE_DIE:
                    y[q + r] = max(y[q + r], o[first + at.workshop_width + r])
        elif at.full:  # the black die's: what the own specialist gives
            for r in range(RESOURCES):
                y[q + r] = o[at.specialist + r]
        y[q + RESOURCES + 1] = extra
        put(y, q + RESOURCES + 2, dice)
        recognition = number(y, p + RECOGNITION) + number(y, q + RECOGNITION)
        put(y, q + RESOURCES + 3, reached(o, at, recognition))
        for k in range(MATERIALS):
            left = max(lacks(y, at, k) - number(y, p + k), 0)
            put(y, q + RESOURCES + 4 + k, min(number(y, q + k), left))
        p += MOVE_SIZE
