"""Runs `rc` as `python -m rc_env.apps.cli`, where a script is not at hand, as under `torchrun`."""

import sys

from rc_env.apps.cli import rc

if __name__ == "__main__":
    sys.exit(rc.main())
