"""Sub-commands of `rc` that are nothing else; `rc_env.training.commands.cli` names all of them."""
