"""The study of the guilds as a page: docs/guilds.md is what `rc guilds` writes for 1 to 4 players."""

from __future__ import annotations

from typing import Any

from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, words
from rc_env.arena.studies import stats

PREFIX = "fourth guild: "


def build(result: dict[str, Any]) -> Page:
    """Build the page from the results of `rc guilds`."""
    module = result["contractors"]
    page = Page("What each guild does to the game" + ", with the module Contractors" * module)
    page.text(
        "The Contractors expansion and the promos bring guilds that take the place of the clergy. Here one bot, "
        f"`{result['bot']}`, plays against itself with each of them on the same seeds, so that nothing but the guild "
        "differs; the last variant is the clergy with the four special workshop tiles. "
        + "The module Contractors is played in every game, with the clergy, too. " * module
        + "Seat 1 moves first; in code and records it is seat 0. A shared win is split. Intervals are of 95 %, "
        + "bootstrapped over deals."
    )
    page.text(
        f"{result['workshop'].capitalize()} workshops, seed {result['seed']}. Written by `{result['command']}` with "
        f"rc_env {result['versions']['rc_env']}, rules {result['versions']['rules']}, data `{result['data']}` and "
        f"`{result['expansion_data']}`. What is measured are these bots under these data files, of which parts are "
        "reconstructed: not people at a table."
    )
    page.text(
        "**Hidden contracts.** With the archivists each seat holds contracts that the others do not see. An "
        "observation shows a seat its own contracts and how many the others hold; `Engine.clone(seat=…)`, and with "
        "it `search`, deals the other hands and the deck anew among all that agree with this. What a seat itself put "
        "under the deck is not remembered: it may come back in a hand that is dealt anew."
    )
    for part in result["parts"]:
        _section(page, part)
    return page


def _section(page: Page, part: dict[str, Any]) -> None:
    """Add the section of one number of players."""
    players, measured = part["players"], part["variants"]
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
                f"{one['games']:,}",
                f"{one['length']['turns_a_seat']['mean']:.1f}",
                f"{one['length']['decisions']['mean']:.0f}",
                f"{_prestige(one, players):.1f}",
                _share(one["seats"][0]),
                _against(one["seats"][0], measured["clergy"]["seats"][0]),
            )
            for name, one in measured.items()
        ],
    )  # fmt: skip
    mean, low, high = ([one["seats"][0][key] for one in measured.values()] for key in ("win_share", "low", "high"))
    page.plot(
        f"guilds-{players}",
        "Games won against Ivan" if solo else f"{players} players: games won by seat 1",
        plots.dots(list(measured), mean, low, high, "games won", reference=1 / max(players, 2)),
    )
    others = "Ivan" if solo else f"{_others(players)} of the weaker (a fair share is {1 / players:.0%})"
    page.text(
        "Uses of the guild's own actions, a game and seat; and how often the stronger bot won, where one of it plays "
        f"against {others}."
    )
    pairs = [" against ".join(one["bots"]) for one in next(iter(measured.values()))["ladder"]]
    page.table(
        ("fourth guild", "actions", *pairs),
        [
            (name, _actions(one["actions"]), *(f"{won['mean']:.1%} ({_span(won)})" for won in one["ladder"]))
            for name, one in measured.items()
        ],
    )


def _others(players: int) -> str:
    return "one" if players == 2 else {3: "two", 4: "three"}[players]


def _prestige(one: dict[str, Any], players: int) -> float:
    """Mean prestige over the seats of the bot, without Ivan's."""
    return sum(seat["prestige"] for seat in one["seats"][:players]) / players


def _span(one: dict[str, Any]) -> str:
    return span(one["low"], one["high"], ".1%")


def _share(seat: dict[str, Any]) -> str:
    return f"{words(seat['win_share'], '.1%')} ({_span(seat)})"


def _against(seat: dict[str, Any], clergy: dict[str, Any]) -> str:
    """Whether a share is higher or lower than with the clergy: the intervals do not overlap."""
    if seat["low"] > clergy["high"]:
        return "more"
    return "less" if seat["high"] < clergy["low"] else "alike"


def _actions(actions: dict[str, Any]) -> str:
    own = {kind.removeprefix(PREFIX): one["mean"] for kind, one in actions.items() if kind.startswith(PREFIX)}
    return ", ".join(f"{kind} {mean:.2f}" for kind, mean in own.items()) or "–"
