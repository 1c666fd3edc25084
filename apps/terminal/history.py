"""What was played, and the result, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rc_env.apps.table.game import YOU, Event, Game
from rc_env.render.text import WIDTH
from rc_env.rules.printed.sizes import COLOURS


def events_text(game: Game, events: Sequence[Event]) -> str:
    """Events, each in lines of its own."""
    return "\n".join(line for event in events for line in wrap(f"{who(game, event.seat)}: {event.words}", WIDTH))


def history(game: Game, first: int = 0) -> list[str]:
    """The events from one of them on, those of one seat and turn together in a line."""
    lines: list[str] = []
    last = None
    for event in game.events[first:]:
        if (event.turn, event.seat) == last:
            lines[-1] += f"; {event.words}"
        else:
            lines.append(f"{who(game, event.seat)}: {event.words}")
        last = event.turn, event.seat
    return lines


def who(game: Game, seat: int) -> str:
    """`You`, `Blue (greedy)` or `Ivan`."""
    name = game.name(seat)
    if seat >= len(game.seats):
        return name
    return "You" if name == YOU else f"{COLOURS[seat].capitalize()} ({name})"


def score_table(game: Game) -> str:
    """The result as a table of text, the best first."""
    scores = game.scores()
    widths = {part: max(len(part) + 2, 7) for part in scores[0].parts}
    lines = [f"{'':<22}{'place':>6}{'prestige':>10}" + "".join(f"{part:>{wide}}" for part, wide in widths.items())]
    for one in scores:
        parts = "".join(f"{number:>{widths[part]}}" for part, number in one.parts.items())
        lines.append(f"{f'{one.colour}, {one.name}':<22}{one.place:>6}{one.prestige:>10}{parts}")
    return "\n".join(lines)
