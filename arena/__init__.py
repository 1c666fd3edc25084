"""Matches and tournaments between bots: strength, ratings and what happens in their games."""

if __name__ != "rc_env.arena":
    raise ImportError(f"{__name__} is no package of its own: write `from rc_env import arena`")
