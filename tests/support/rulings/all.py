"""All cases."""

from . import cards, contractors, diamonds, guilds, promos, solo

ALL = [*diamonds.CASES, *guilds.CASES, *cards.CASES, *promos.CASES, *contractors.CASES, *solo.CASES]
