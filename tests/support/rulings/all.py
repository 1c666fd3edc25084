"""All cases of the rulings."""

from . import brickmakers, cards, contractors, diamonds, guilds, promos, solo, specialists

MODULES = (diamonds, guilds, brickmakers, cards, promos, contractors, specialists, solo)
ALL = [case for module in MODULES for case in module.CASES]
