"""Permits: a resource without a place in the inventory, held up to a cap (R-48)."""

from __future__ import annotations

from ...jit import rule


@rule
def receivable(c, g, seat):
    """How many permits the seat can receive: limited by the cap and by the supply."""
    most = c.permits_most - g.permits[seat]
    return most if most < g.permit_supply else g.permit_supply


@rule
def receive(c, g, seat, count):
    """Permits simply arrive, up to the cap; what is more is lost (R-61)."""
    most = receivable(c, g, seat)
    count = count if count < most else most
    g.permits[seat] += count
    g.permit_supply -= count


@rule
def pay(g, seat, count):
    """Move permits from a seat to the supply; a negative number takes a payment back."""
    g.permits[seat] -= count
    g.permit_supply += count
