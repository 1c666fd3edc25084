"""The sub-commands of `rc`, a module each; `rc_env.training.commands.cli` lists them."""
