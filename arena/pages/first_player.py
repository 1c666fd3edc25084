"""The first-player study as a page: shares by seat for each level of play, and the rubles that make the seats equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots
from rc_env.arena.pages.page import Page, with_span
from rc_env.arena.pages.report import ABOUT_LUCK, ADJUSTED, adjusted_cells
from rc_env.arena.results import Score, scores, versions
from rc_env.arena.studies.handicap import MOST, Handicap
from rc_env.arena.studies.levels import MIXED, Levels, LevelsResult
from rc_env.words.additions import additions


def build(parts: Sequence[LevelsResult]) -> Page:
    """Build the page, with one section per number of players."""
    page = Page("The first player's advantage")
    first, about = parts[0], versions(parts[0].ruleset)
    page.text(
        "How often does each seat win, and which starting rubles would make the seats equal? A **level** is a bot that "
        "plays against itself on every seat, so that nothing but the seats differs; in the level **mixed** several "
        "bots meet and every deal is played in all rotations, so that each sits on each seat equally often. Seats "
        "are numbered from 1 in turn order, so seat 1 moves first; in code and records it is seat 0. A shared win is "
        "split. Intervals are of 95 %, bootstrapped over deals."
    )
    page.text(answer(parts))
    page.text(
        f"{first.ruleset.workshop.capitalize()} workshops{additions(first.ruleset)}, seed {first.seed}. "
        f"Written by `{first.command}` with rc_env {about['rc_env']}, rules {about['rules']}, "
        f"data `{first.ruleset.data_file.name}`. What is measured are these bots under this data file, of which parts "
        "are reconstructed: not people at a table. "
        "[docs/game.md](game.md) has the game in five minutes and a [glossary](game.md#glossary)."
    )
    for part in parts:
        section(page, part.ruleset.players, part.levels)
    return page


def answer(parts: Sequence[LevelsResult]) -> str:
    """The answer in short: what seat 1 wins at each number of players, with the level that shows it most surely."""
    found = []
    for part in parts:
        name = max(part.levels, key=lambda level: part.levels[level].games)
        players, share = part.ruleset.players, part.levels[name].seats[0].win_share
        won = with_span(share, ".1%")
        found.append(f"of {players} players seat 1 wins {won}, where {1 / players:.1%} is fair (`{name}`)")
    return f"**In short:** {'; '.join(found)}."


def section(page: Page, players: int, levels: Levels) -> None:
    """Add the section of one number of players."""
    page.heading(f"{players} players")
    page.text(findings(levels, players))
    page.table(
        ("level", "games", *(f"seat {seat + 1} won" for seat in range(players)), "prestige by seat"),
        [
            (
                name,
                f"{found.games:,}",
                *(with_span(seat.win_share, ".1%") for seat in found.seats),
                ", ".join(f"{seat.prestige.mean:.1f}" for seat in found.seats),
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
                (f"seat {seat + 1}", [found.seats[seat].win_share for found in levels.values()])
                for seat in range(players)
            ],
            "games won, %",
            reference=1 / players,
            percent=True,
        ),
    )
    if less := adjusted_rows(levels):
        page.table(LESS, less)
        page.text(ABOUT_LUCK)
    searched = {name: found.handicap for name, found in levels.items() if found.handicap is not None}
    if searched:
        handicaps(page, players, searched)
    if MIXED in levels:
        page.text(f"Mixed: {', '.join(f'`{bot}`' for bot in levels[MIXED].bots)}.")


LESS = ("level", "seat", *ADJUSTED[1:])


def adjusted_rows(levels: Levels) -> list[tuple[str, ...]]:
    """The shares of games won less the luck of the rolls, where they were measured, as cells of `LESS`."""
    return [
        (name, f"seat {seat}", *adjusted_cells(less))
        for name, found in levels.items()
        for seat, less in enumerate(found.less or (), 1)
    ]


def findings(levels: Levels, players: int) -> str:
    """The findings in words: the seats whose intervals exclude a fair share."""
    fair, even, sentences = 1 / players, [], []
    for name, found in levels.items():
        apart = [
            f"seat {number} wins {share.mean:.1%}"
            for number, share in enumerate((seat.win_share for seat in found.seats), 1)
            if share.low is not None and share.high is not None and (share.low > fair or share.high < fair)
        ]
        if apart:
            sentences.append(f"With `{name}` {', '.join(apart)}.")
        else:
            even.append(f"`{name}`")
    if even:
        sentences.append(f"With {', '.join(even)} no seat differs by more than chance would explain.")
    return f"A fair share is {fair:.1%}. {' '.join(sentences)}"


def handicaps(page: Page, players: int, searched: Mapping[str, Handicap]) -> None:
    """Add the part about the starting rubles that make the seats equal."""
    first = next(iter(searched.values()))
    printed = ", ".join(map(str, first.printed))
    page.text(
        f"**Which starting rubles make the seats equal?** The rulebook gives the seats {printed} rubles in turn order. "
        f"Seat 1 keeps its number; those of the other seats were varied in steps of one ruble, from 0 up to {MOST} "
        "more than printed, always on the same deals. The numbers with the most equal win shares were played again on "
        "fresh deals, beside the printed ones. The last columns estimate, by a line fitted to the win shares with "
        "similar starting rubles, the number at which the seats are equal, with its interval of 95 %. A bound at 0, or "
        f"at {MOST} more than printed, means that the true one may lie beyond; where the interval covers all that "
        "was tried, the number is not determined. Rubles are called no fairer where, on the fresh deals, the seat "
        "furthest from a fair share comes closer to it by less than half the width of its interval."
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
                _best(found),
                _shares(scores(found.confirmed)),
                _shares(scores(found.fresh)),
                *map(_equal, _starting(found)[1:], found.printed[1:]),
            )
            for name, found in searched.items()
        ],
    )
    if players == 2:
        own = first.printed[1]
        grid = [rubles[1] for rubles in first.tried]
        page.plot(
            "rubles",
            "2 players: games won by seat 2, %, by its starting rubles",
            plots.lines(
                [own + extra for extra in grid],
                [
                    (name, [scores(table)[1].win_share for table in found.tried.values()])
                    for name, found in searched.items()
                ],
                f"starting rubles of seat 2 (printed: {own})",
                "games won, %",
                reference=0.5,
                percent=True,
            ),
        )


def _best(found: Handicap) -> str:
    """The starting rubles with the most equal shares, and whether they are fairer than the printed ones at all."""
    if not any(found.best):
        return "the printed ones"
    shares = ", ".join(map(str, found.starting))
    then, printed = (_furthest([seat.win_share for seat in scores(one)]) for one in (found.confirmed, found.fresh))
    return shares if printed[0] - then[0] > then[1] else f"{shares}, no fairer"


def _furthest(shares: Sequence[Figure]) -> tuple[float, float]:
    """How far the seat furthest from a fair share is from it, and half the width of its interval."""
    fair = 1 / len(shares)
    return max((abs((one.mean or 0) - fair), ((one.high or 0) - (one.low or 0)) / 2) for one in shares)


def _equal(figure: Figure, printed: int) -> str:
    """The rubles at which a seat is equal, unless its interval covers all that was tried."""
    if figure.low is not None and figure.high is not None and figure.low <= 0 and figure.high >= printed + MOST:
        return "not determined"
    return with_span(figure, ".1f")


def _starting(found: Handicap) -> list[Figure]:
    """The starting rubles of each seat at which the seats are equal."""

    def plus(extra: float | None, own: int) -> float | None:
        return None if extra is None else own + extra

    return [
        Figure(plus(extra.mean, own), plus(extra.low, own), plus(extra.high, own))
        for extra, own in zip(found.equal_at, found.printed, strict=True)
    ]


def _shares(seats: Sequence[Score]) -> str:
    return ", ".join(with_span(seat.win_share, ".1%") for seat in seats)
