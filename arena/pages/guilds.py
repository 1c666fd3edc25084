"""The study of the guilds as a page: docs/guilds.md is what `rc guilds` writes for 1 to 4 players."""

from __future__ import annotations

from collections.abc import Mapping

from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, with_span
from rc_env.arena.results import versions
from rc_env.arena.studies import stats
from rc_env.arena.studies.guilds import GuildsResult, Variant
from rc_env.ruleset import CLERGY

PREFIX = "fourth guild: "


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
    page.text(
        f"{ruleset.workshop.capitalize()} workshops, seed {result.seed}. Written by `{result.command}` with "
        f"rc_env {about['rc_env']}, rules {about['rules']}, data `{ruleset.data_file.name}` and "
        f"`{result.expansion_data}`. What is measured are these bots under these data files, of which parts are "
        "reconstructed: not people at a table."
    )
    page.text(
        "**Hidden contracts.** With the archivists each seat holds contracts that the others do not see. An "
        "observation shows a seat its own contracts and how many the others hold; `Engine.clone(seat=…)`, and with "
        "it `search`, deals the other hands and the deck anew among all that agree with this. What a seat itself put "
        "under the deck is not remembered: it may come back in a hand that is dealt anew."
    )
    for players, measured in result.parts.items():
        _section(page, players, measured)
    return page


def _section(page: Page, players: int, measured: Mapping[str, Variant]) -> None:
    """Add the section of one number of players."""
    first = {name: one.seats[0].win_share for name, one in measured.items()}
    page.heading(stats.seats(players).capitalize())
    solo = players == 1
    page.table(
        (
            "fourth guild", "games", "turns a seat", "decisions", "prestige",
            "games won" if solo else "seat 1 won", "to the clergy",
        ),
        [
            (
                name,
                f"{one.games:,}",
                f"{one.summary.turns.mean.mean:.1f}",
                f"{one.summary.decisions.mean.mean:.0f}",
                f"{_prestige(one, players):.1f}",
                with_span(first[name], ".1%"),
                _against(first[name], first[CLERGY]),
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


def _against(seat: Figure, clergy: Figure) -> str:
    """Whether a share is higher or lower than with the clergy: the intervals do not overlap."""
    assert seat.low is not None and seat.high is not None and clergy.low is not None and clergy.high is not None
    if seat.low > clergy.high:
        return "more"
    return "less" if seat.high < clergy.low else "alike"


def _actions(one: Variant) -> str:
    """Uses of the guild's own actions, the most used first."""
    own = {kind.removeprefix(PREFIX): n.mean.mean for kind, n in one.summary.used.items() if kind.startswith(PREFIX)}
    return ", ".join(f"{kind} {mean:.2f}" for kind, mean in own.items()) or "–"
