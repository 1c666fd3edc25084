"""The build for games in which a switch of the expansion is on: see `rc_env.edition`."""

FULL = True
