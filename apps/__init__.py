"""What people use: the command `rc`, the terminal, the browser, and one game at a table behind them."""

if __name__ != "rc_env.apps":
    raise ImportError(f"{__name__}: no such package, expected rc_env.apps: write `from rc_env import apps`")
