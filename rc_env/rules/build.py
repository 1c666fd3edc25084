"""Build sections of the cathedral, and decorate them (R-15 to R-18)."""

from __future__ import annotations

from ..edition import FULL
from ..jit import rule
from . import ending, track
from .expansion import cities, diamonds
from .goods import give_back
from .points import (
    BUILD_BEGUN,
    BUILD_LEFT,
    NO_EFFECT,
    POINT,
    Point,
    pop,
    push,
)
from .printed.sizes import ADORNED, CLAIMED, DIAMOND, FINISHED, GREEN, MATERIALS, PURPLE, RECOGNITION, RUBLES
from .verbs import DIAMOND_GEMS, MOST_GEMS, Verb, offer


@rule
def legal_deliver(c, g, seat, menu, n):
    """List the deliveries of one material to an own unfinished section that still misses it (R-15)."""
    left = g.works[seat, CLAIMED]
    section = 0
    while left > 0 and section < c.sections:
        if g.owner[section] == seat and not g.finished[section]:
            left -= 1
            tower, level = g.tower[section], g.level[section]
            for material in range(MATERIALS):
                if g.card[section, material] > 0 and g.goods[seat, material] > 0:
                    n = offer(c, menu, n, Verb.DELIVER, material, tower, level)
            if FULL and g.diamonds[seat] > 0:
                n = offer(c, menu, n, Verb.DELIVER_DIAMOND, tower, level, 0)
        section += 1
    return n


@rule
def legal_adorn(c, g, seat, menu, n):
    """List the placements of an available ornament, with its material, on a finished section of its kind (R-17)."""
    for kind in range(3):
        if g.works[seat, kind] > 0 and g.goods[seat, c.ornament_material[kind]] > 0:
            for section in range(c.sections):
                if g.finished[section] and g.kind[section] == kind and g.ornament[section] < 0:
                    n = offer(c, menu, n, Verb.ADORN, g.tower[section], g.level[section], 0)
        if FULL and g.works[seat, kind] > 0 and g.diamonds[seat] > 0:
            for section in range(c.sections):
                if g.finished[section] and g.kind[section] == kind and g.ornament[section] < 0:
                    n = offer(c, menu, n, Verb.ADORN_DIAMOND, g.tower[section], g.level[section], 0)
    return n


@rule
def open_build(c, g):
    """The first delivery of a turn opens the build action (R-15)."""
    if g.stack[g.depth - 1, POINT] == Point.START:
        pop(g)
        push(g, Point.END, NO_EFFECT, 0, 0, 0)
        push(g, Point.BUILD, NO_EFFECT, c.deliveries, 0, 0)


@rule
def spend(g, deliveries):
    """Use up deliveries; with none left the action is over."""
    f = g.stack[g.depth - 1]
    f[BUILD_LEFT] -= deliveries
    f[BUILD_BEGUN] = 1
    if f[BUILD_LEFT] == 0:
        pop(g)


@rule
def deliver(c, g, seat, material, section):
    """Bring one material; the last one completes the section (R-15, R-16)."""
    open_build(c, g)
    if FULL and material == DIAMOND:
        g.diamonds[seat] -= 1
        g.card_diamonds[section] += 1
    else:
        g.goods[seat, material] -= 1
        g.card[section, material] -= 1
    g.version += 1
    missing = 0
    for m in range(MATERIALS):
        missing += g.card[section, m]
    if FULL:
        missing -= g.card_diamonds[section]
    if missing == 0:
        complete(c, g, seat, section)
    spend(g, 1)


@rule
def complete(c, g, seat, section):
    """Complete a section: materials to the supply, the reward to the owner, and the consequences (R-16)."""
    for material in range(MATERIALS):
        g.supply[material] += c.card[g.number[section], material]
    if FULL:
        for material in range(MATERIALS):  # what diamonds stood for did not lie there (R-67a)
            g.supply[material] -= g.card[section, material]
            g.card[section, material] = 0
        g.diamond_supply += g.card_diamonds[section]
        g.card_diamonds[section] = 0
    g.rubles[seat] += g.card[section, RUBLES]
    track.gain_recognition(g, seat, g.card[section, RECOGNITION])
    finish(c, g, seat, section)


@rule
def finish(c, g, seat, section):
    """A section is finished and has paid: tower standings, the Tsar's penalties, perhaps the ending (R-16)."""
    g.card[section, RUBLES] = 0
    g.card[section, RECOGNITION] = 0
    g.finished[section] = 1
    g.works[seat, CLAIMED] -= 1
    g.works[seat, FINISHED] += 1
    tower = g.tower[section]
    ending.standing(c, g, tower)
    if FULL and g.foreman == tower:
        track.gain_recognition(g, seat, c.foreman_recognition)
    penalise(c, g, g.first[tower], section)
    if FULL and c.module:
        cities.close(c, g, tower)
    if g.works[seat, FINISHED] == c.sections_to_end and g.ending < 0:
        g.ending = seat
        track.gain_prestige(c, g, seat, c.ending_prestige)


@rule
def penalise(c, g, base, section):
    """Unfinished sections below cost their owners 1 recognition per finished section above of somebody else (R-16)."""
    top = base + g.claimed[g.tower[section]]
    for below in range(base, section):
        if not g.finished[below]:
            owner = g.owner[below]
            lost = 0
            for above in range(below + 1, top):
                if g.finished[above] and g.owner[above] != owner:
                    lost += 1
            if FULL and g.foreman == g.tower[section] and owner != g.owner[section]:
                lost *= c.foreman_penalty  # for each finished section, of other players only
            track.lose_recognition(g, owner, lost)


@rule
def adorn(c, g, seat, section, diamond):
    """Place the ornament and pay its material, or a diamond if `diamond` is 1; its gems come next (R-17, R-67b)."""
    open_build(c, g)
    kind = g.kind[section]
    g.works[seat, kind] -= 1
    g.works[seat, ADORNED] += 1
    g.ornament[section] = seat
    g.version += 1
    if FULL and diamond:
        diamonds.give_back(g, seat, 1)
    else:
        give_back(g, seat, c.ornament_material[kind], 1)
    ending.standing(c, g, g.tower[section])
    g.stack[g.depth - 1, BUILD_LEFT] -= 1
    push(g, Point.GEMS, NO_EFFECT, section, 0, 0)


@rule
def legal_gems(c, g, seat, menu, n):
    """List the choices of no, one, two equal or two different gems, as far as gems and deliveries reach (R-17)."""
    left = g.stack[g.depth - 2, BUILD_LEFT]
    for green in range(MOST_GEMS + 1):
        for purple in range(MOST_GEMS + 1 - green):
            if green + purple <= left and green <= g.goods[seat, GREEN] and purple <= g.goods[seat, PURPLE]:
                n = offer(c, menu, n, Verb.GEMS, green, purple, 0)
    if FULL:
        for choice in range(len(DIAMOND_GEMS)):
            green, purple, count = DIAMOND_GEMS[choice]
            fits = green <= g.goods[seat, GREEN] and purple <= g.goods[seat, PURPLE] and count <= g.diamonds[seat]
            if fits and green + purple + count <= left:
                n = offer(c, menu, n, Verb.GEMS_DIAMOND, choice, 0, 0)
    return n


@rule
def set_gems(c, g, seat, green, purple):
    """Set the gems and gain their prestige at once (R-17)."""
    pop(g)
    give_back(g, seat, GREEN, green)
    give_back(g, seat, PURPLE, purple)
    track.gain_prestige(c, g, seat, c.gem_prestige[green, purple])
    spend(g, green + purple)


@rule
def prestige_of_diamonds(c, choice):
    """Prestige of a diamond set alone, or with another gem: it is of the colour that the player would wish (R-67b)."""
    green, purple, count = DIAMOND_GEMS[choice]
    return c.gem_prestige[1, 1] if green + purple + count > 1 else c.gem_prestige[0, 1]


@rule
def set_diamonds(c, g, seat, choice):
    """Set a diamond, alone or with another gem (R-67b)."""
    pop(g)
    green, purple, count = DIAMOND_GEMS[choice]
    give_back(g, seat, GREEN, green)
    give_back(g, seat, PURPLE, purple)
    diamonds.give_back(g, seat, count)
    track.gain_prestige(c, g, seat, prestige_of_diamonds(c, choice))
    spend(g, green + purple + count)


@rule
def can_deliver(c, g, seat, menu, n):
    """Whether a first delivery is possible: what a guild's delivery needs to be chosen (R-23). `menu` is scratch."""
    return legal_adorn(c, g, seat, menu, legal_deliver(c, g, seat, menu, n)) > n
