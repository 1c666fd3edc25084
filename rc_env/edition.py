"""Says which of the two builds this copy of the rules belongs to.

The modules of `rules` and `layout`, and `kernels`, exist twice: as `rc_env.rules` for the base game, and as
`rc_env.full.rules`, loaded from the same files, for games in which a switch of the expansion is on. This constant is
all that tells the two apart. Compiled code that stands behind `if FULL` is no part of the base build.
"""

FULL = False
