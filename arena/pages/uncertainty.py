"""The study of many sets of cards as a page, or as the block of docs/uncertainty.md that holds its results."""

from __future__ import annotations

import json
from pathlib import Path

from rc_env import files
from rc_env.arena.figures import Figure
from rc_env.arena.pages import plots, report
from rc_env.arena.pages.page import Page, with_block, words
from rc_env.arena.pages.sets import COLUMNS, HEADINGS, figures
from rc_env.arena.studies.conclusions import Conclusions, Ladder, Numbers, Players

FILE, DATA = "uncertainty.md", "uncertainty.json"
MARKERS = "<!-- results: begin; written by rc uncertainty --out docs -->", "<!-- results: end -->"
MOST_ACTIONS = 12


def build(result: Conclusions) -> Page:
    """Build the page from the results of `rc uncertainty`."""
    page = Page("What holds for all cards that are possible")
    page.text(
        f"Measured on the sets of cards `{result.sets}` with `{result.bot}` on every seat, seed "
        f"{result.seed}, by `{result.command}`. {COLUMNS}"
    )
    _statements(page, result)
    for players, part in result.players.items():
        _players(page, players, part)
    _ladder(page, result.ladder)
    if result.numbers is not None:
        _numbers(page, result.numbers)
    return page


def _statements(page: Page, result: Conclusions) -> None:
    page.heading("Which statements hold")
    page.text("The share of all possible sets in which a statement is true. It **holds** if that is at least 95 %.")
    rows = sorted(result.statements, key=lambda one: -one.share)
    page.table(
        ("statement", "true in", "holds"),
        [(one.sentence, f"{one.share:.1%}", "yes" if one.holds else "no") for one in rows],
    )


def _players(page: Page, players: int, part: Players) -> None:
    page.heading(f"{players} players")
    rows = [figures(f"seat {seat} won", one, ".1%") for seat, one in enumerate(part.seats, 1)]
    rows.append(figures("turns a seat", part.turns, ".1f"))
    rows.append(figures("decisions a game", part.decisions, ".0f"))
    if part.equal is not None:
        rows.append(figures("additional rubles of seat 2 that make the seats equal", part.equal, "+.2f"))
    page.table(HEADINGS, rows)
    page.plot(
        f"first-{players}",
        f"{players} players: games won by seat 1, %; the band holds 90 % of the sets",
        plots.spread(part.first_seat, part.seats[0], "games won by seat 1, %", reference=1 / players, percent=True),
    )
    most = sorted(part.actions, key=lambda kind: -part.actions[kind].mean)[:MOST_ACTIONS]
    page.text("How often a seat uses each action in a game:")
    page.table(HEADINGS, [figures(kind, part.actions[kind], ".2f") for kind in most])


def _ladder(page: Page, ladder: Ladder) -> None:
    page.heading("The ladder of the bots")
    won = [ladder.won[bot] for bot in ladder.order]
    page.text(
        "Games won by each bot against all others, two players. Where a range has no width, the sampling error alone "
        "explains that sets differ."
    )
    page.table(HEADINGS, [figures(bot, one, ".1%") for bot, one in zip(ladder.order, won, strict=True)])
    page.plot(
        "ladder",
        "Games won, %: mean over the sets, and the range of 90 % of them",
        plots.dots(ladder.order, won, "games won, %", reference=0.5, percent=True),
    )


def _numbers(page: Page, numbers: Numbers) -> None:
    page.heading("Which numbers matter")
    found = numbers.prediction
    page.text(
        f"A regression predicts how many games the first of two seats wins from the numbers of a set. It was fitted on "
        f"some of the {found.sets:,} sets and tested on the others. With all numbers it predicts "
        f"**{found.all.mean:.1%}** of the variance between sets ({_to(found.all, '.1%')}); "
        f"{words(numbers.real, '.1%')} of this variance is not sampling error, so more cannot be predicted. A group "
        "of numbers matters by what is lost without it: the share of the variance that the regression no longer "
        "predicts. What a group predicts alone, other groups may predict as well. An owner of the game looks up the "
        "groups at the top of this table first."
    )
    lost, alone = found.lost, found.alone
    order = sorted(lost, key=lambda name: -(lost[name].mean or 0))
    page.table(
        ("group", "lost without it", "predicted alone"),
        [
            (name, *(f"{words(one.mean, '+.1%')} ({_to(one, '+.1%')})" for one in (lost[name], alone[name])))
            for name in order
        ],
    )
    page.plot(
        "numbers",
        "Share of the variance that is lost without a group of numbers, %",
        plots.dots(order, [lost[name] for name in order], "share of the variance, %", reference=0, percent=True),
    )


def _to(figure: Figure, form: str) -> str:
    return f"{words(figure.low, form)} to {words(figure.high, form)}"


def write(folder: Path, result: Conclusions) -> None:
    """Write the block of docs/uncertainty.md, its plots and uncertainty.json where the folder has that page.

    In any other folder results.json and the report are written.

    Raises:
        ValueError: the page lacks a marker.
        OSError: the folder cannot be written to.
    """
    page = build(result)
    file = folder / FILE
    if not file.is_file():
        report.write(folder, result, page)
        return
    try:
        text = with_block(file.read_text(encoding="utf-8"), MARKERS, page, "uncertainty-")
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    files.write(file, text)
    for name, svg in page.plots.items():
        files.write(folder / f"uncertainty-{name}.svg", svg)
    files.write(folder / DATA, json.dumps(result.as_json(), indent=1) + "\n")
