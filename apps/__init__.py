"""What people use: the command `rc`, the terminal, the browser, and one game at a table behind them."""

import sys

if __name__ != "rc_env.apps":
    raise ImportError(f"{__name__} is no package of its own: write `from rc_env import apps`")
if not hasattr(sys.modules["rc_env"], "__version__"):
    sentence = f"{sys.modules['rc_env']} was found instead of the package rc_env: change to another folder"
    if sys.argv[:1] == ["-m"]:  # `python -m rc_env.apps.cli`, which would show the way to this line as well
        print(f"rc: {sentence}", file=sys.stderr)
        sys.exit(2)
    raise ImportError(sentence)
