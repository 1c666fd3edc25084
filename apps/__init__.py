"""What people use: the command `rc`, the terminal, the browser, and one game at a table behind them."""

import sys

if __name__ != "rc_env.apps":
    raise ImportError(f"{__name__}: no such package, expected rc_env.apps: write `from rc_env import apps`")
if not hasattr(sys.modules["rc_env"], "__version__"):
    raise ImportError(f"{sys.modules['rc_env']} found instead of the package rc_env: change to another folder")
