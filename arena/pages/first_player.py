"""The first-player study as a page: shares by seat for each level of play, and the rubles that make the seats equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, span, words
from rc_env.arena.studies.handicap import MOST

Result = dict[str, Any]


def build(parts: Sequence[Result]) -> Page:
    """Build the page from results of `commands.first_player.to_dict`, with one section per number of players."""
    page = Page("The first player's advantage")
    first = parts[0]
    page.text(
        "How often does each seat win, and which starting rubles would make the seats equal? A **level** is a bot that "
        "plays against itself on every seat, so that nothing but the seats differs; in the level **mixed** several "
        "bots meet and every deal is played in all rotations, so that each sits on each seat equally often. Seats "
        "are numbered from 1 in turn order, so seat 1 moves first; in code and records it is seat 0. A shared win is "
        "split. Intervals are of 95 %, bootstrapped over deals."
    )
    page.text(
        f"{first['workshop'].capitalize()} workshops, seed {first['seed']}. Written by `{first['command']}` with "
        f"rc_env {first['versions']['rc_env']}, rules {first['versions']['rules']}, data `{first['data']}`. What is "
        "measured are these bots under this data file, of which parts are reconstructed: not people at a table."
    )
    for part in parts:
        section(page, part)
    return page


def section(page: Page, part: Result) -> None:
    """Add the section of one number of players."""
    players, levels = part["players"], part["levels"]
    page.heading(f"{players} players")
    page.text(findings(levels, players))
    page.table(
        ("level", "games", *(f"seat {seat + 1} won" for seat in range(players)), "prestige by seat"),
        [
            (
                name,
                f"{found['games']:,}",
                *(f"{seat['win_share']:.1%} ({span(seat['low'], seat['high'], '.1%')})" for seat in found["seats"]),
                ", ".join(f"{seat['prestige']:.1f}" for seat in found["seats"]),
            )
            for name, found in levels.items()
        ],
    )
    page.plot(
        f"{players}",
        f"{players} players: games won by seat, %",
        plots.groups(
            list(levels),
            [
                _series(f"seat {seat + 1}", [found["seats"][seat] for found in levels.values()])
                for seat in range(players)
            ],
            "games won, %",
            reference=1 / players,
            percent=True,
        ),
    )
    searched = {name: found["handicap"] for name, found in levels.items() if "handicap" in found}
    if searched:
        handicaps(page, part, searched)
    mixed = levels.get("mixed")
    if mixed:
        page.text(f"Mixed: {', '.join(f'`{bot}`' for bot in mixed['bots'])}.")


def findings(levels: Result, players: int) -> str:
    """The findings in words: the seats whose intervals exclude a fair share."""
    fair, even, sentences = 1 / players, [], []
    for name, found in levels.items():
        apart = [seat for seat in found["seats"] if seat["low"] > fair or seat["high"] < fair]
        if apart:
            seats = ", ".join(f"seat {seat['seat']} wins {seat['win_share']:.1%}" for seat in apart)
            sentences.append(f"With `{name}` {seats}.")
        else:
            even.append(f"`{name}`")
    if even:
        sentences.append(f"With {', '.join(even)} no seat differs by more than chance would explain.")
    return f"A fair share is {fair:.1%}. {' '.join(sentences)}"


def handicaps(page: Page, part: Result, searched: dict[str, Result]) -> None:
    """Add the part about the starting rubles that make the seats equal."""
    players = part["players"]
    printed = ", ".join(str(rubles) for rubles in next(iter(searched.values()))["printed"])
    page.text(
        f"**Which starting rubles make the seats equal?** The rulebook gives the seats {printed} rubles in turn order. "
        f"Seat 1 keeps its number; those of the other seats were varied in steps of one ruble, from 0 up to {MOST} "
        "more than printed, always on the same deals. The numbers with the most equal win shares were played again on "
        "fresh deals, beside the printed ones. The last columns estimate, by a line fitted to the win shares with "
        "similar starting rubles, the number at which the seats are equal, with its interval of 95 %. A bound at 0, or "
        f"at {MOST} more than printed, means that the true one may lie beyond; where the interval covers all that "
        "was tried, the number could not be determined."
    )
    page.table(
        (
            "level",
            "best starting rubles",
            "then won by seat, fresh deals",
            "with the printed ones",
            *(f"equal at, seat {seat + 1}" for seat in range(1, players)),
        ),
        [
            (
                name,
                ", ".join(str(rubles) for rubles in found["starting"]),
                _shares(found["seats"]),
                _shares(found["seats_without"]),
                *(
                    f"{words(_starting(found, 'equal', seat), '.1f')} "
                    f"({span(_starting(found, 'equal_low', seat), _starting(found, 'equal_high', seat), '.1f')})"
                    for seat in range(1, players)
                ),
            )
            for name, found in searched.items()
        ],
    )
    if players == 2:
        own = next(iter(searched.values()))["printed"][1]
        grid = [tried["rubles"][1] for tried in next(iter(searched.values()))["tried"]]
        page.plot(
            "rubles",
            "2 players: games won by seat 2, %, by its starting rubles",
            plots.lines(
                [own + extra for extra in grid],
                [_series(name, [tried["seats"][1] for tried in found["tried"]]) for name, found in searched.items()],
                f"starting rubles of seat 2 (printed: {own})",
                "games won, %",
                reference=0.5,
                percent=True,
            ),
        )


def _series(name: str, seats: list[Result]) -> tuple[str, list[float], list[float], list[float]]:
    """Win shares with their bounds, as plots take them."""
    mean, low, high = ([seat[key] for seat in seats] for key in ("win_share", "low", "high"))
    return name, mean, low, high


def _starting(found: Result, key: str, seat: int) -> float | None:
    extra = found[key][seat]
    return None if extra is None else found["printed"][seat] + extra


def _shares(seats: list[Result]) -> str:
    return ", ".join(f"{seat['win_share']:.1%} ({span(seat['low'], seat['high'], '.1%')})" for seat in seats)
