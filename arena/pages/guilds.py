"""The study of the guilds as a page: docs/guilds.md is what `rc guilds` writes for 1 to 4 players."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist

from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, with_span
from rc_env.arena.results import versions
from rc_env.arena.studies import stats
from rc_env.arena.studies.guilds import GuildsResult, Variant
from rc_env.ruleset import CLERGY

PREFIX = "fourth guild: "
LEVEL = 0.05
"""The chance that any of the findings of a page is false, at most."""


def build(result: GuildsResult) -> Page:
    """Build the page from the results of `rc guilds`."""
    ruleset, about = result.ruleset, versions(result.ruleset)
    module = ruleset.contractors
    page = Page("What each guild does to the game" + ", with the module Contractors" * module)
    page.text(
        "The Contractors expansion and the promos bring guilds that take the place of the clergy. Here one bot, "
        f"`{result.bot}`, plays against itself with each of them on the same seeds, so that nothing but the guild "
        "differs; the last variant is the clergy with the four special workshop tiles. "
        + "The module Contractors is played in every game, with the clergy, too. " * module
        + "Seat 1 moves first; in code and records it is seat 0. A shared win is split. Intervals are of 95 %, "
        + "bootstrapped over deals."
    )
    shares = {players: _shares(measured) for players, measured in result.parts.items()}
    found = {
        (players, name): (figure, of_players[CLERGY])
        for players, of_players in shares.items()
        for name, figure in of_players.items()
        if name != CLERGY
    }
    sure = holm(found)
    page.text(_answer(found, sure))
    page.text(
        f"{ruleset.workshop.capitalize()} workshops, seed {result.seed}. Written by `{result.command}` with "
        f"rc_env {about['rc_env']}, rules {about['rules']}, data `{ruleset.data_file.name}` and "
        f"`{result.expansion_data}`. What is measured are these bots under these data files, of which parts are "
        "reconstructed: not people at a table. "
        "[docs/game.md](game.md) has the game in five minutes and a [glossary](game.md#glossary)."
    )
    page.text(
        "**Hidden contracts.** With the archivists each seat holds contracts that the others do not see. An "
        "observation shows a seat its own contracts and how many the others hold; `Engine.clone(seat=…)`, and with "
        "it `search`, deals the other hands and the deck anew among all that agree with this. What a seat itself put "
        "under the deck is not remembered: it may come back in a hand that is dealt anew."
    )
    for players, measured in result.parts.items():
        _section(page, players, measured, {name: word for (of, name), word in sure.items() if of == players})
    return page


def _shares(measured: Mapping[str, Variant]) -> dict[str, Figure]:
    return {name: one.seats[0].win_share for name, one in measured.items()}


Key = tuple[int, str]


def holm(compared: Mapping[Key, tuple[Figure, Figure]]) -> dict[Key, str]:
    """Which shares are "more" or "less" than those with the clergy, by Holm's method over all comparisons of the page.

    Args:
        compared: by number of players and guild, the share with that guild and the share with the clergy. Their games
            are taken as independent, which is on the safe side: they share their seeds.
    """
    tests = sorted((_chance(*pair), key) for key, pair in compared.items())
    found = {}
    for left, (chance, key) in zip(range(len(tests), 0, -1), tests):
        if chance > LEVEL / left:
            break
        guild, clergy = compared[key]
        found[key] = "more" if (guild.mean or 0) > (clergy.mean or 0) else "less"
    return found


def _chance(guild: Figure, clergy: Figure) -> float:
    """The p-value, two-sided, of the difference of two shares, whose errors follow from their intervals."""
    normal = NormalDist()
    width = sum(((one.high or 0) - (one.low or 0)) ** 2 for one in (guild, clergy)) ** 0.5
    apart = abs((guild.mean or 0) - (clergy.mean or 0))
    return 2 * (1 - normal.cdf(apart * 2 * normal.inv_cdf(0.975) / width)) if width else float(apart == 0)


def _answer(compared: Mapping[Key, tuple[Figure, Figure]], sure: Mapping[Key, str]) -> str:
    """The findings of the page in short."""
    by_players: dict[int, list[str]] = {}
    for players, name in compared:
        if word := sure.get((players, name)):
            by_players.setdefault(players, []).append(f"{name} ({word})")
    told = "; ".join(f"{stats.seats(players)}: {', '.join(names)}" for players, names in by_players.items())
    return (
        f"**In short:** of {len(compared)} comparisons with the clergy, {len(sure)} show a difference in the games "
        "that seat 1 wins (solo: against Ivan), by Holm's method, which keeps the chance that any of these is false "
        f"below {LEVEL:.0%}{': ' if told else ''}{told}. In the others a difference is too small to be seen here."
    )


def _section(page: Page, players: int, measured: Mapping[str, Variant], sure: Mapping[str, str]) -> None:
    """Add the section of one number of players."""
    first = _shares(measured)
    page.heading(stats.seats(players).capitalize())
    solo = players == 1
    page.table(
        (
            "fourth guild", "games", "turns a seat", "decisions", "prestige",
            "games won" if solo else "seat 1 won", "beside the clergy",
        ),
        [
            (
                name,
                f"{one.games:,}",
                f"{one.summary.turns.mean.mean:.1f}",
                f"{one.summary.decisions.mean.mean:.0f}",
                f"{_prestige(one, players):.1f}",
                with_span(first[name], ".1%"),
                "·" if name == CLERGY else sure.get(name, "not seen"),
            )
            for name, one in measured.items()
        ],
    )  # fmt: skip
    page.plot(
        f"guilds-{players}",
        "Games won against Ivan" if solo else f"{players} players: games won by seat 1",
        plots.dots(list(first), list(first.values()), "games won", reference=1 / max(players, 2)),
    )
    others = "Ivan" if solo else f"{_others(players)} of the weaker (a fair share is {1 / players:.0%})"
    page.text(
        "Uses of the guild's own actions, a game and seat; and how often the stronger bot won, where one of it plays "
        f"against {others}."
    )
    pairs = [" against ".join(won.bots) for won in next(iter(measured.values())).ladder]
    page.table(
        ("fourth guild", "actions", *pairs),
        [(name, _actions(one), *(with_span(won.share, ".1%") for won in one.ladder)) for name, one in measured.items()],
    )


def _others(players: int) -> str:
    return "one" if players == 2 else {3: "two", 4: "three"}[players]


def _prestige(one: Variant, players: int) -> float:
    """Mean prestige over the seats of the bot, without Ivan's."""
    return sum(seat.prestige.mean or 0 for seat in one.seats[:players]) / players


def _actions(one: Variant) -> str:
    """Uses of the guild's own actions, the most used first."""
    own = {kind.removeprefix(PREFIX): n.mean.mean for kind, n in one.summary.used.items() if kind.startswith(PREFIX)}
    return ", ".join(f"{kind} {mean:.2f}" for kind, mean in own.items()) or "–"
