"""The pieces that only the full game has."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from rc_env.render.drawing import EDGE, define, el


def expansion_definitions(defs: Element) -> None:
    """The pieces that only the full game has, for `put`."""
    g = define(defs, "diamond")
    el(g, "path", d="M-6 -7H6L10 -2L0 9.5L-10 -2Z", fill="#bfe9f5", **EDGE)
    el(g, "path", d="M-10 -2H10M-6 -7L-3.5 -2L0 9.5L3.5 -2L6 -7M-3.5 -2L0 -7L3.5 -2", stroke="#3f8fa8",
       stroke_width=0.9, fill="none")  # fmt: skip
    g = define(defs, "foreman")
    el(g, "path", d="M-8 11C-8 2 -5 0 0 0S8 2 8 11Z", fill="#e0762b", **EDGE)
    el(g, "circle", cx=0, cy=-5, r=5, fill="#f0cfa6", **EDGE)
    el(g, "path", d="M-7 -6.5H7M-5 -6.5A5 5 0 0 1 5 -6.5Z", fill="#f4d13d", **EDGE)
    g = define(defs, "player")
    el(g, "circle", cx=0, cy=-5, r=4.4, fill="#8d97ab", **EDGE)
    el(g, "path", d="M-7.5 9.5C-7.5 2.5 -4 0.5 0 0.5S7.5 2.5 7.5 9.5Z", fill="#8d97ab", **EDGE)
    g = define(defs, "any_banner")
    el(g, "path", d="M-7 -9.5V10", stroke="#6b4a2b", stroke_width=2, stroke_linecap="round")
    el(g, "path", d="M-6 -9H9L5 -3.5L9 2H-6Z", fill="#b9a98c", **EDGE)
    g = define(defs, "guild")
    el(g, "path", d="M-8 -8.5H8V0C8 5.5 3.5 8.5 0 10C-3.5 8.5 -8 5.5 -8 0Z", fill="#7c5fa8", **EDGE)
    el(g, "path", d="M-4 -3.5H4M0 -3.5V5", stroke="#f1e6ff", stroke_width=2)
    g = define(defs, "contract")
    el(g, "path", d="M-7.5 -9.5H7.5V9.5H-7.5Z", fill="#fff7df", **EDGE)
    el(g, "path", d="M-4.5 -5.5H4.5M-4.5 -1.5H4.5M-4.5 2.5H0", stroke="#6b5d49", stroke_width=1.4)
    el(g, "circle", cx=3.6, cy=5.4, r=2.7, fill="#b0362a")
    g = define(defs, "cathedral_card")
    el(g, "path", d="M-7.5 -9.5H7.5V9.5H-7.5Z", fill="#dfe9ec", **EDGE)
    el(g, "path", d="M-4 7V1H4V7ZM-4 1C-4 -3 -1.5 -3.5 0 -7.5C1.5 -3.5 4 -3 4 1Z", fill="#a35f4c")
    g = define(defs, "reinforcement")
    el(g, "path", d="M-5.5 -9.5H5.5L10 0L5.5 9.5H-5.5L-10 0Z", fill="#a8c48a", **EDGE)
    el(g, "path", d="M0 -5V5M-5 0H5", stroke="#24401a", stroke_width=2.4)
    g = define(defs, "any_die")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3.5, fill="#f7f4ec", **EDGE)
    for colour, x, y in (("#c23b2e", -4, -4), ("#2c68b0", 4, -4), ("#e5ad1f", -4, 4), ("#3b8d50", 4, 4)):
        el(g, "circle", cx=x, cy=y, r=2.3, fill=colour)
    g = define(defs, "tile")
    el(g, "rect", x=-8.5, y=-8.5, width=17, height=17, rx=3, fill="#f1dfb6", **EDGE)
    el(g, "path", d="M0 0V-6A6 6 0 0 1 6 0ZM0 0V6A6 6 0 0 1 -6 0Z", fill="#a87340")
    g = define(defs, "market")
    el(g, "circle", r=6.6, fill="none", stroke="#cf9b5a", stroke_width=5)
    el(g, "path", d="M0 -9V-4M0 9V4M-9 0H-4M9 0H4", stroke="#2b2018", stroke_width=1.2)
    g = define(defs, "section")
    el(g, "path", d="M-7 9.5V-3H7V9.5Z", fill="#e9d3b4", **EDGE)
    el(g, "path", d="M-9 -3H9V-8H5V-5.5H2V-8H-2V-5.5H-5V-8H-9Z", fill="#c9a27a", **EDGE)
    for name, d in (("times", "M-3.5 -3.5L3.5 3.5M-3.5 3.5L3.5 -3.5"), ("plus", "M-4 0H4M0 -4V4")):
        el(define(defs, name), "path", d=d, stroke="#6b5d49", stroke_width=1.8)
    el(define(defs, "unequal"), "path", d="M-4.5 -2H4.5M-4.5 2.5H4.5M2.5 -6L-2.5 6.5", stroke="#6b5d49",
       stroke_width=1.6)  # fmt: skip
    el(define(defs, "per"), "path", d="M2.5 -7L-2.5 7", stroke="#6b5d49", stroke_width=1.8)
