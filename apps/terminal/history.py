"""What was played, and the result, as lines of text."""

from __future__ import annotations

from textwrap import wrap

from rc_env.apps.table.game import YOU, Game
from rc_env.apps.table.markers import MINUS
from rc_env.apps.table.story import Told
from rc_env.render.text import WIDTH
from rc_env.rules.printed.sizes import COLOURS


def last_events(game: Game) -> str:
    """The last decision, and Ivan's turn after it, each in lines of its own."""
    events = game.told_to(game.person, game.played - 1)
    return "\n".join(line for event in events for line in wrap(_told(game, event), WIDTH))


def history(game: Game, first: int = 0) -> list[str]:
    """What was played after the first decisions, of one seat and turn together in a line."""
    lines: list[str] = []
    last = None
    for event in game.told_to(game.person, first):
        if (event.turn, event.seat) == last:
            words = _told(game, event, named=False)
            lines[-1] += f" {words[0].upper()}{words[1:]}"
        else:
            lines.append(_told(game, event))
        last = event.turn, event.seat
    return lines


def _told(game: Game, event: Told, *, named: bool = True) -> str:
    words = (event.yours if game.name(event.seat) == YOU else event.words).replace(MINUS, "-")
    return f"{who(game, event.seat)} {words}" if named else words


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
