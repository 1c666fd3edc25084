"""The study of the guilds as a page: docs/guilds.md is what `rc guilds` writes for 1 to 4 players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import NormalDist

from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, with_span, words
from rc_env.arena.results import versions
from rc_env.arena.studies import stats
from rc_env.arena.studies.guilds import GuildsResult, Variant, Won
from rc_env.ruleset import CLERGY

PREFIX = "fourth guild: "
LEVEL = 0.05
"""The chance that any of the findings of a page is false, at most."""
TURNS, PRESTIGE, WON = "turns", "prestige", "won"
OTHERS = {2: "one", 3: "two", 4: "three"}
ARROWS = {"more": " ↑", "less": " ↓"}

Key = tuple[int, str, str]
"""What is compared with the clergy: number of players, variant, and what was measured (a pair by the bots' names)."""


def build(result: GuildsResult) -> Page:
    """Build the page from the results of `rc guilds`."""
    ruleset, about = result.ruleset, versions(result.ruleset)
    module = ruleset.contractors
    page = Page("What each guild does to the game" + ", with the module Contractors" * module)
    page.text(
        "The Contractors expansion and the promos bring guilds that take the place of the clergy. Here one bot, "
        f"`{result.bot}`, plays against itself with each of them on the same seeds, so that nothing but the guild "
        "differs; another player may use a guild better. What each guild can do is in "
        "[the rulings](rules.md#the-expansion-and-the-promos), R-68 to R-85. Another row is the clergy with the four "
        "special workshop tiles"
        + (
            ". The module Contractors is played in every game. "
            if module
            else ", and one the clergy with the module Contractors; two guilds, those of the contractors and of the "
            "lawyers, are for games with it alone (`--contractors`). "
        )
        + "Seat 1 moves first; in code and records it is seat 0. A shared win is split. Intervals are of 95 %, "
        + "bootstrapped over deals."
    )
    compared = _compared(result)
    sure = holm(compared)
    page.text(
        f"**In short:** {len(sure)} of {len(compared)} comparisons with the clergy show a difference, by Holm's "
        f"method, which keeps the chance that any of these is false below {LEVEL:.0%}. Compared are, for each number "
        "of players, the turns of a seat, the prestige, the games that seat 1 wins (solo: against Ivan), and the games "
        "that the first bot of each pair wins. A difference that is not named is not beyond doubt among so many. In "
        "the tables ↑ and ↓ mark these findings."
    )
    variants = next(iter(result.parts.values()))
    for name in variants:
        if name != CLERGY:
            page.text(f"**{name}**: {_sentence(name, compared, sure)}")
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
        _section(page, result.bot, players, measured, sure)
    return page


def _measures(one: Variant, bot: str) -> Iterator[tuple[str, Figure]]:
    """What is compared with the clergy. `bot` alone against Ivan is there already, as the games won."""
    yield TURNS, one.summary.turns.mean
    yield PRESTIGE, one.prestige
    yield WON, one.seats[0].win_share
    for won in one.pairs:
        if won.bots != (bot,):
            yield _pair(won), won.share


def _pair(won: Won) -> str:
    return " against ".join(f"`{bot}`" for bot in won.bots)


def _compared(result: GuildsResult) -> dict[Key, tuple[Figure, Figure]]:
    """Every figure of a variant beside that of the clergy."""
    return {
        (players, name, measure): (figure, beside)
        for players, measured in result.parts.items()
        for name, one in measured.items()
        if name != CLERGY
        for (measure, figure), (_, beside) in zip(
            _measures(one, result.bot), _measures(measured[CLERGY], result.bot), strict=True
        )
    }


def holm(compared: Mapping[Key, tuple[Figure, Figure]]) -> dict[Key, str]:
    """Which figures are "more" or "less" than those with the clergy, by Holm's method over all comparisons of the page.

    Args:
        compared: the figure of a variant and that of the clergy. Their games are taken as independent, although they
            share their seeds.
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
    """The p-value, two-sided, of the difference of two figures, whose errors follow from their intervals."""
    normal = NormalDist()
    width = sum(((one.high or 0) - (one.low or 0)) ** 2 for one in (guild, clergy)) ** 0.5
    apart = abs((guild.mean or 0) - (clergy.mean or 0))
    return 2 * (1 - normal.cdf(apart * 2 * normal.inv_cdf(0.975) / width)) if width else float(apart == 0)


def _sentence(name: str, compared: Mapping[Key, tuple[Figure, Figure]], sure: Mapping[Key, str]) -> str:
    """The findings about one variant: each with its figures, those with the clergy behind them."""
    found: dict[str, list[str]] = {}
    for key, word in sorted(sure.items()):
        players, variant, measure = key
        if variant == name:
            form = ".1f" if measure in (TURNS, PRESTIGE) else ".0%"
            there, clergy = (words(figure.mean, form) for figure in compared[key])
            found.setdefault(_finding(measure, word, players), []).append(
                f"{stats.seats(players)} {there} for {clergy}"
            )
    said = [f"{finding} ({', '.join(figures)})" for finding, figures in sorted(found.items())]
    return ("; ".join(said) or "no difference seen") + "."


def _finding(measure: str, word: str, players: int) -> str:
    if measure == TURNS:
        return {"more": "longer games, in turns a seat", "less": "shorter games, in turns a seat"}[word]
    if measure == PRESTIGE:
        return f"{word} prestige"
    word = {"more": "more", "less": "fewer"}[word]
    if measure == WON:
        return f"{word} games won by seat 1" if players > 1 else f"{word} games won against Ivan"
    return f"{word} wins of {measure}" + " against Ivan" * (players == 1)


def _section(page: Page, bot: str, players: int, measured: Mapping[str, Variant], sure: Mapping[Key, str]) -> None:
    """Add the section of one number of players."""
    page.heading(stats.seats(players).capitalize())
    solo = players == 1
    first = {name: one.seats[0].win_share for name, one in measured.items()}

    def arrow(name: str, measure: str) -> str:
        return ARROWS.get(sure.get((players, name, measure), ""), "")

    page.table(
        ("fourth guild", "games", "turns a seat", "decisions", "prestige", "games won" if solo else "seat 1 won"),
        [
            (
                name,
                f"{one.games:,}",
                f"{one.summary.turns.mean.mean:.1f}{arrow(name, TURNS)}",
                f"{one.summary.decisions.mean.mean:.0f}",
                f"{one.prestige.mean:.1f}{arrow(name, PRESTIGE)}",
                with_span(first[name], ".1%") + arrow(name, WON),
            )
            for name, one in measured.items()
        ],
    )
    page.plot(
        f"guilds-{players}",
        "Games won against Ivan" if solo else f"{players} players: games won by seat 1",
        plots.dots(list(first), list(first.values()), "games won", reference=1 / max(players, 2)),
    )
    others = "Ivan" if solo else f"{OTHERS[players]} of the second (a fair share is {1 / players:.0%})"
    page.text(
        "Uses of the guild's own actions, a game and seat; and how often the first bot of a pair won, where one of it "
        f"plays against {others}."
    )
    page.table(
        ("fourth guild", "actions", *(_pair(won) for won in next(iter(measured.values())).pairs)),
        [
            (
                name,
                _actions(one),
                *(
                    with_span(won.share, ".1%") + arrow(name, WON if won.bots == (bot,) else _pair(won))
                    for won in one.pairs
                ),
            )
            for name, one in measured.items()
        ],
    )


def _actions(one: Variant) -> str:
    """Uses of the guild's own actions, the most used first."""
    own = {kind.removeprefix(PREFIX): n.mean.mean for kind, n in one.summary.used.items() if kind.startswith(PREFIX)}
    return ", ".join(f"{kind} {mean:.2f}" for kind, mean in own.items()) or "–"
