"""Shared by both readers of the full game's facts: words for the subject of a decision point."""

from __future__ import annotations

from ...layout.subjects.decision import MODES
from ...rules.points import Point
from ...rules.printed.expansion_vocabulary import OF_OTHER, PER_RECOGNITION

OPENED = tuple(point.name.lower() for point in Point if Point.RESOURCE <= point <= Point.REINFORCEMENT)
"""Decision points that an action of a guild card opens and that the base game does not have."""


def way(point: str, mode: int) -> str | None:
    """The variant of a decision point that an action opens, from the mode of its effect; None where there is only
    one."""
    if point == "foreman":
        gained = "recognition" if mode & PER_RECOGNITION else "rubles"
        return f"{gained} for {'another player' if mode & OF_OTHER else 'own'} banners"
    return MODES[Point[point.upper()]][mode] if Point[point.upper()] in MODES else None
