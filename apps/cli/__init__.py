"""The sub-commands of `rc`, a module each; `rc_env.apps.cli.rc` lists them."""
