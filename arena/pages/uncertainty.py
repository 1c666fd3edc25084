"""The study of many sets of cards as a page, or as the block of docs/uncertainty.md that holds its results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rc_env import files
from rc_env.arena.pages import plots, report
from rc_env.arena.pages.page import Page, with_block, words
from rc_env.arena.pages.sets import COLUMNS, HEADINGS, figures

Result = dict[str, Any]
FILE, DATA = "uncertainty.md", "uncertainty.json"
MARKERS = "<!-- results: begin; written by rc uncertainty --out docs -->", "<!-- results: end -->"
MOST_ACTIONS = 12


def build(result: Result) -> Page:
    """Build the page from the results of `rc uncertainty`."""
    page = Page("What holds for all cards that are possible")
    page.text(
        f"Measured on the sets of cards `{result['sets']}` with `{result['bot']}` on every seat, seed "
        f"{result['seed']}, by `{result['command']}`. {COLUMNS}"
    )
    _statements(page, result)
    for players, part in result["players"].items():
        _players(page, players, part)
    _ladder(page, result["ladder"])
    if result["numbers"] is not None:
        _numbers(page, result["numbers"])
    return page


def _statements(page: Page, result: Result) -> None:
    page.heading("Which statements hold")
    page.text("The share of all possible sets in which a statement is true. It **holds** if that is at least 95 %.")
    rows = sorted(result["statements"], key=lambda one: -one["share"])
    page.table(
        ("statement", "true in", "holds"),
        [(one["sentence"], f"{one['share']:.1%}", "yes" if one["holds"] else "no") for one in rows],
    )


def _players(page: Page, players: str, part: Result) -> None:
    page.heading(f"{players} players")
    rows = [figures(f"seat {seat} won", one, ".1%") for seat, one in enumerate(part["seats"], 1)]
    rows.append(figures("turns a seat", part["turns"], ".1f"))
    rows.append(figures("decisions a game", part["decisions"], ".0f"))
    if part["equal"] is not None:
        rows.append(figures("additional rubles of seat 2 that make the seats equal", part["equal"], "+.2f"))
    page.table(HEADINGS, rows)
    first = part["seats"][0]
    values, low, high = zip(*part["first_seat"], strict=True)
    page.plot(
        f"first-{players}",
        f"{players} players: games won by seat 1, %; the band holds 90 % of the sets",
        plots.spread(
            values,
            low,
            high,
            (first["low"], first["high"]),
            "games won by seat 1, %",
            reference=1 / int(players),
            percent=True,
        ),
    )
    most = sorted(part["actions"], key=lambda kind: -part["actions"][kind]["mean"])[:MOST_ACTIONS]
    page.text("How often a seat uses each action in a game:")
    page.table(HEADINGS, [figures(kind, part["actions"][kind], ".2f") for kind in most])


def _ladder(page: Page, ladder: Result) -> None:
    page.heading("The ladder of the bots")
    order = sorted(ladder["won"], key=lambda bot: -ladder["won"][bot]["mean"])
    page.text("Games won by each bot against all others, two players.")
    page.table(HEADINGS, [figures(bot, ladder["won"][bot], ".1%") for bot in order])
    page.plot(
        "ladder",
        "Games won, %: mean over the sets, and the range of 90 % of them",
        plots.dots(
            order,
            [ladder["won"][bot]["mean"] for bot in order],
            [ladder["won"][bot]["low"] for bot in order],
            [ladder["won"][bot]["high"] for bot in order],
            "games won, %",
            reference=0.5,
            percent=True,
        ),
    )


def _numbers(page: Page, numbers: Result) -> None:
    page.heading("Which numbers matter")
    low, high = numbers["all"][1:]
    page.text(
        f"A regression predicts how many games the first of two seats wins from the numbers of a set. It was fitted on "
        f"some of the {numbers['sets']:,} sets and tested on the others. With all numbers it predicts "
        f"**{numbers['all'][0]:.1%}** of the variance between sets ({low:.1%} to {high:.1%}); "
        f"{words(numbers['real'], '.1%')} of this variance is not sampling error, so more cannot be predicted. A group "
        "of numbers matters by what is lost without it: the share of the variance that the regression no longer "
        "predicts. What a group predicts alone, other groups may predict as well. An owner of the game looks up the "
        "groups at the top of this table first."
    )
    order = sorted(numbers["groups"], key=lambda name: -numbers["groups"][name]["lost"][0])
    rows = []
    for name in order:
        one = numbers["groups"][name]
        rows.append((name, *(f"{m:+.1%} ({a:+.1%} to {b:+.1%})" for m, a, b in (one["lost"], one["alone"]))))
    page.table(("group", "lost without it", "predicted alone"), rows)
    lost = [numbers["groups"][name]["lost"] for name in order]
    page.plot(
        "numbers",
        "Share of the variance that is lost without a group of numbers, %",
        plots.dots(
            order,
            [one[0] for one in lost],
            [one[1] for one in lost],
            [one[2] for one in lost],
            "share of the variance, %",
            reference=0,
            percent=True,
        ),
    )


def write(folder: Path, result: Result) -> None:
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
    files.write(folder / DATA, json.dumps(result, indent=1) + "\n")
