"""The archivists' contracts: fifteen cards of which a player may hold three, hidden from the others (R-75 to R-77)."""

from __future__ import annotations

from ...jit import rule
from .. import chance
from ..points import Point, pop, push
from ..printed.sizes import ADORNED, CONTRACTS, CONTRACTS_DRAWN, GREEN, HAND, MATERIALS, PURPLE, RUBLES, SEATS, SLOTS
from ..verbs import Verb, offer

NONE = -1

# What a contract asks for: RULES.contract_kind.
RETURN, SECTIONS_IN_TOWER, FACE_UP_TILES, TOWERS_WITHOUT, NOT_BUILT, EACH_TYPE = 0, 1, 2, 3, 4, 5
ON_OTHERS, ALL_BUILT, ORNAMENTS_IN_TOWER, ON_OWN, TOWERS_WITH = 6, 7, 8, 9, 10


# --- the deck and the hands


@rule
def shuffle(c, g, fixed, scratch):
    """Shuffle the deck for a new game; nobody holds a card."""
    for i in range(CONTRACTS):
        scratch[i] = i
    chance.shuffle(scratch, CONTRACTS, g.key, chance.CONTRACTS)
    for i in range(CONTRACTS):
        g.contract_deck[i] = fixed.contracts[i] if fixed.contracts[0] >= 0 else scratch[i]
    g.contracts_left = CONTRACTS
    g.hand[:] = NONE
    g.drawn_contract[:] = NONE


@rule
def held(g, seat):
    """The number of contracts that the seat holds."""
    count = 0
    for i in range(HAND):
        count += g.hand[seat, i] >= 0
    return count


@rule
def draw(g, effect):
    """Draw three from the top of the deck; one of them is kept (R-76)."""
    g.version += 1
    for i in range(CONTRACTS_DRAWN):
        g.drawn_contract[i] = g.contract_deck[i]
    g.contracts_left -= CONTRACTS_DRAWN
    for i in range(g.contracts_left):
        g.contract_deck[i] = g.contract_deck[i + CONTRACTS_DRAWN]
    for i in range(g.contracts_left, CONTRACTS):
        g.contract_deck[i] = NONE
    for i in range(CONTRACTS_DRAWN):
        g.log_contract[i] = g.drawn_contract[i]
    push(g, Point.KEEP, effect, 0, 0, 0)


@rule
def put_under(g, card):
    """Put a card to the bottom of the deck."""
    g.contract_deck[g.contracts_left] = card
    g.contracts_left += 1


@rule
def legal_keep(c, g, menu, n):
    """List the three contracts that were drawn."""
    for card in range(CONTRACTS):
        for i in range(CONTRACTS_DRAWN):
            if g.drawn_contract[i] == card:
                n = offer(c, menu, n, Verb.CONTRACT, card, 0, 0)
    return n


@rule
def keep(g, seat, card):
    """Keep one; the others go under the deck as they were drawn. Who holds four then returns one (R-76)."""
    g.version += 1
    pop(g)
    for i in range(CONTRACTS_DRAWN):
        if g.drawn_contract[i] != card:
            put_under(g, g.drawn_contract[i])
        g.drawn_contract[i] = NONE
    i = HAND - 1  # the hand stays in ascending order, free places last
    while i > 0 and (g.hand[seat, i - 1] < 0 or g.hand[seat, i - 1] > card):
        g.hand[seat, i] = g.hand[seat, i - 1]
        i -= 1
    g.hand[seat, i] = card
    if g.hand[seat, HAND - 1] >= 0:
        push(g, Point.RETURN, -1, 0, 0, 0)


@rule
def legal_return(c, g, seat, menu, n):
    """List the four contracts that are held."""
    for i in range(HAND):
        n = offer(c, menu, n, Verb.CONTRACT, g.hand[seat, i], 0, 0)
    return n


@rule
def give_back(g, seat, card):
    """Put a card of the hand under the deck."""
    g.version += 1
    pop(g)
    at = 0
    while g.hand[seat, at] != card:
        at += 1
    for i in range(at, HAND - 1):
        g.hand[seat, i] = g.hand[seat, i + 1]
    g.hand[seat, HAND - 1] = NONE
    put_under(g, card)


# --- what they score


@rule
def goods_and_contracts(c, g, seat):
    """Prestige of the goods that are left and of the contracts, as (goods, contracts) packed: goods | contracts << 8.

    Contracts that return goods are returned as far as the goods reach, diamonds standing in. Where they do not reach
    for all, those are returned that leave the highest sum, of equal sums the fewest.
    """
    goods = int(g.rubles[seat]) + int(g.diamonds[seat]) + int(g.permits[seat])
    for material in range(MATERIALS):
        goods += int(g.goods[seat, material])
    fixed = 0
    for i in range(HAND):
        card = g.hand[seat, i]
        if card >= 0 and c.contract_kind[card] != RETURN:
            fixed += int(worth(c, g, seat, card))
    best_goods, best_prestige, best_count = goods // c.goods_per_prestige, 0, 0
    for chosen in range(1, 1 << HAND):
        paid = int(payable(c, g, seat, chosen))
        if paid < 0:
            continue
        prestige, count = 0, 0
        for i in range(HAND):
            if (chosen >> i) & 1:
                prestige += int(c.contract_prestige[g.hand[seat, i]])
                count += 1
        left = (goods - paid) // c.goods_per_prestige
        better = left + prestige - best_goods - best_prestige
        if better > 0 or (better == 0 and count < best_count):
            best_goods, best_prestige, best_count = left, prestige, count
    return best_goods | (fixed + best_prestige) << 8


@rule
def payable(c, g, seat, chosen):
    """How many goods these contracts take together, or -1 if they cannot all be returned. `chosen` is a set of bits."""
    paid, diamonds, jewels, rubles = 0, 0, 0, 0
    for i in range(HAND):
        if (chosen >> i) & 1 and (g.hand[seat, i] < 0 or c.contract_kind[g.hand[seat, i]] != RETURN):
            return -1
    for material in range(MATERIALS):
        due = 0
        for i in range(HAND):
            if (chosen >> i) & 1:
                due += c.contract_return[g.hand[seat, i], material]
        paid += due
        if due > g.goods[seat, material]:
            diamonds += due - g.goods[seat, material]
    for i in range(HAND):
        if (chosen >> i) & 1:
            rubles += c.contract_return[g.hand[seat, i], RUBLES]
            jewels += c.contract_jewels[g.hand[seat, i]]
    paid += rubles + jewels
    left = 0
    for jewel in (GREEN, PURPLE):
        spare = int(g.goods[seat, jewel])
        for i in range(HAND):
            if (chosen >> i) & 1:
                spare -= c.contract_return[g.hand[seat, i], jewel]
        left += max(spare, 0)
    diamonds += max(jewels - left, 0)
    if rubles > g.rubles[seat] or diamonds > g.diamonds[seat]:
        return -1
    return paid


@rule
def worth(c, g, seat, card):
    """Prestige of a contract that returns nothing, as the game stands."""
    kind, least = c.contract_kind[card], c.contract_least[card]
    each = c.contract_prestige_two[card] if c.seats == 2 else c.contract_prestige[card]
    if kind == SECTIONS_IN_TOWER:
        return each * (most_in_tower(c, g, seat, 0) >= least)
    if kind == ORNAMENTS_IN_TOWER:
        return each * (most_in_tower(c, g, seat, 1) >= least)
    if kind == FACE_UP_TILES:
        shown = 0
        for slot in range(SLOTS):
            shown += g.slot_tile[seat, slot] >= 0 and g.slot_up[seat, slot] == 1
        return each * (shown >= least)
    if kind == TOWERS_WITH:
        return each * towers_with(c, g, seat)
    if kind == TOWERS_WITHOUT:
        return each * (c.towers - towers_with(c, g, seat))
    if kind == NOT_BUILT:
        waiting = 0
        for ornament in range(3):
            waiting += g.works[seat, ornament]
        for slot in range(SLOTS):
            waiting += g.slot_ornament[seat, slot] >= 0
        return each * waiting
    if kind == ALL_BUILT:
        return each * (g.works[seat, ADORNED] == c.ornaments[0] + c.ornaments[1] + c.ornaments[2])
    if kind == EACH_TYPE:
        return each * (kinds_finished(c, g, seat) == 7)
    own, others = 0, 0
    for section in range(c.sections):
        if g.ornament[section] == seat:
            own += g.owner[section] == seat
            others += g.owner[section] != seat
    return each * (own if kind == ON_OWN else others)


@rule
def kinds_finished(c, g, seat):
    """The kinds of sections that the seat has finished, as bits: base, middle, dome."""
    kinds = 0
    for section in range(c.sections):
        if g.finished[section] and g.owner[section] == seat:
            kinds |= 1 << g.kind[section]
    return kinds


@rule
def most_in_tower(c, g, seat, ornaments):
    """The most sections that the seat has claimed, or ornaments that it has placed, in one tower."""
    most = 0
    for tower in range(c.towers):
        found = 0
        for section in range(g.first[tower], g.first[tower] + g.claimed[tower]):
            found += (g.ornament[section] if ornaments else g.owner[section]) == seat
        most = max(most, found)
    return most


@rule
def towers_with(c, g, seat):
    """In how many towers the seat has claimed a section or placed an ornament, finished or not."""
    count = 0
    for tower in range(c.towers):
        present = False
        for section in range(g.first[tower], g.first[tower] + g.claimed[tower]):
            present |= (g.owner[section] == seat) | (g.ornament[section] == seat)
        count += present
    return count


# --- what a seat cannot see


UNSEEN = CONTRACTS
"""In the place of a card that a seat cannot see."""


@rule
def is_hidden_draw(g, seat):
    """Whether another seat has drawn contracts and not yet kept one."""
    return g.drawn_contract[0] >= 0 and g.seat != seat


@rule
def redraw(g, seat):
    """Deal the contracts that the seat cannot see anew: other hands, what others have drawn, the deck (R-76).

    Each card that is not in the own hand, nor among those the seat itself has drawn, goes to each hidden place with the
    same chance.
    """
    unseen = (1 << CONTRACTS) - 1
    for i in range(HAND):
        if g.hand[seat, i] >= 0:
            unseen &= ~(1 << int(g.hand[seat, i]))
    hidden_draw = is_hidden_draw(g, seat)
    if g.drawn_contract[0] >= 0 and not hidden_draw:
        for i in range(CONTRACTS_DRAWN):
            unseen &= ~(1 << int(g.drawn_contract[i]))
    n = 0
    for other in range(SEATS):
        if other != seat:
            cards = 0
            for _ in range(held(g, other)):
                cards |= 1 << draw_unseen(g, unseen & ~cards, n)
                n += 1
            unseen &= ~cards
            i = 0
            for card in range(CONTRACTS):
                if (cards >> card) & 1:
                    g.hand[other, i] = card
                    i += 1
    if hidden_draw:
        for i in range(CONTRACTS_DRAWN):
            g.drawn_contract[i] = draw_unseen(g, unseen, n)
            g.log_contract[i] = g.drawn_contract[i]
            unseen &= ~(1 << int(g.drawn_contract[i]))
            n += 1
    for i in range(g.contracts_left):
        g.contract_deck[i] = draw_unseen(g, unseen, n)
        unseen &= ~(1 << int(g.contract_deck[i]))
        n += 1


@rule
def draw_unseen(g, unseen, n):
    """A uniformly random card of a set of bits: the n-th outcome of its own stream."""
    count = 0
    for card in range(CONTRACTS):
        count += (unseen >> card) & 1
    place = chance.below(g.key, chance.CONTRACTS_UNSEEN, n, count)
    found = 0
    for card in range(CONTRACTS):
        if (unseen >> card) & 1:
            if place == 0:
                found = card
            place -= 1
    return found


@rule
def conceal(g, seat):
    """Replace hidden contracts so that only their number is left."""
    for other in range(SEATS):
        if other != seat:
            for i in range(HAND):
                if g.hand[other, i] >= 0:
                    g.hand[other, i] = UNSEEN
    if is_hidden_draw(g, seat):
        for i in range(CONTRACTS_DRAWN):
            g.drawn_contract[i] = UNSEEN
            g.log_contract[i] = UNSEEN
    for i in range(g.contracts_left):
        g.contract_deck[i] = UNSEEN
